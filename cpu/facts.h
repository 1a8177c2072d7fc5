/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/facts.h - facts about a compiled model, as text.   >>cpu_facts */
#ifndef NNRT_CPU_FACTS_H
#define NNRT_CPU_FACTS_H

#include "executor.h"

#define NNRT__FACT_PART "accelerator.part."

/* Only an accelerator has parts. */
#ifdef NNRT__HAS_ACCELERATOR
#define NNRT__PART_FACTS {NNRT__FACT_PART, NNRT_FACT_STEP},
#else
#define NNRT__PART_FACTS
#endif

static const nnrt_fact nnrt__cpu_facts[] = {{"cpu.operators", NNRT_FACT_MODEL}, NNRT__PART_FACTS{NULL, NNRT_FACT_END}};

/* cpu.operators: the names of OH_NN_OPS_* that the model had before Build fused and removed what it could, parted by
   blanks, in their order: NNRT_OPS of the smallest build that runs it. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_tell_operators(const nnrt__cpu_prepared *model, char *text, size_t size) {
    size_t used = 0;
    int op;
    for (op = 1; nnrt__op_find(op) != NULL; op++) {
        const char *op_name = nnrt__op_name(op);
        const size_t length = strlen(op_name);
        if ((model->recipe->operators[op / 32] >> op % 32 & 1) == 0) continue;
        if (size - used < length + 2)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "the names need more than %zu bytes", size);
        if (used > 0) text[used++] = ' ';
        memcpy(text + used, op_name, length + 1);
        used += length;
    }
    return used > 0 ? OH_NN_SUCCESS : nnrt__fail(OH_NN_UNSUPPORTED, "a plan has steps and no operators");
}

/* digits, and nothing behind them, as a number below limit. */
NNRT__FN bool nnrt__fact_number(const char *digits, uint32_t limit, uint32_t *number) {
    uint64_t value = 0;
    size_t i;
    for (i = 0; digits[i] >= '0' && digits[i] <= '9' && value < limit; i++)
        value = value * 10 + (uint64_t)(digits[i] - '0');
    *number = (uint32_t)value;
    return i > 0 && digits[i] == '\0' && value < limit;
}

/* accelerator.part. and the number of a step that an accelerator does: what a run of it costs. number: behind the name.
   The time is an estimate. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_tell_part(const nnrt__cpu_executor *self, const char *number, char *text,
                                              size_t size) {
    const nnrt__loaded_plan *plan = self->last != NULL ? self->last->instance.plan : NULL;
    nnrt__part_work work;
    char told[224];
    uint32_t step;
    if (plan == NULL)
        return nnrt__fail(OH_NN_DYNAMIC_SHAPE, "a model with dynamic shapes has no steps before its first run");
    if (!nnrt__fact_number(number, plan->header->step_count, &step) || !nnrt__is_accelerated(plan->kinds[step]))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.20s\" is no step that an accelerator does", number);
    if (plan->accelerator->work == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "the accelerator does not tell what a run costs");
    plan->accelerator->work(plan->accelerator, plan->views[step].ready, NNRT__PART_ALL, &work);
    nnrt__format(
        told, sizeof(told), "tasks=%u tiles=%u read=%llu written=%llu loaded=%llu memory=%llu estimated_us=%llu",
        (unsigned)work.tasks, (unsigned)work.tiles, (unsigned long long)work.read, (unsigned long long)work.written,
        (unsigned long long)work.loaded, (unsigned long long)work.memory, (unsigned long long)work.run_us);
    if (strlen(told) >= size)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "what a run costs needs more than %zu bytes", size);
    memcpy(text, told, strlen(told) + 1);
    return OH_NN_SUCCESS;
}

/* Slot info. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_info(void *executor, const char *name, char *text, size_t size) {
    const nnrt__cpu_executor *self = (const nnrt__cpu_executor *)executor;
    const size_t length = strlen(NNRT__FACT_PART);
    if (NNRT__ACCELERATES && strncmp(name, NNRT__FACT_PART, length) == 0)
        return nnrt__cpu_tell_part(self, name + length, text, size);
    if (strcmp(name, "cpu.operators") == 0) return nnrt__cpu_tell_operators(self->model, text, size);
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is no fact of the CPU device; there is cpu.operators", name);
}

#endif /* NNRT_CPU_FACTS_H */
