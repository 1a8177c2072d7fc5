/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/facts.h - what the device tells in words about a compiled model.   >>cpu_facts */
#ifndef NNRT_CPU_FACTS_H
#define NNRT_CPU_FACTS_H

#include "executor.h"

static const nnrt_fact nnrt__cpu_facts[] = {{"cpu.operators", NNRT_FACT_MODEL}, {NULL, NNRT_FACT_END}};

/* Slot info. cpu.operators: the names of OH_NN_OPS_* that the model had before Build fused and removed what it could,
   parted by blanks, in their order: NNRT_OPS of the smallest build that runs it. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_info(void *executor, const char *name, char *text, size_t size) {
    const nnrt__cpu_prepared *model = ((const nnrt__cpu_executor *)executor)->model;
    size_t used = 0;
    int op;
    if (strcmp(name, "cpu.operators") != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is no fact of the CPU device; there is cpu.operators",
                          name);
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

#endif /* NNRT_CPU_FACTS_H */
