/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/plan_load.h - a plan's bytes checked, once, and made ready to run.   >>cpu_plan_load

   The bytes may come from a cache and be hostile: cpu/plan_check.h looks at all that a step will believe. After
   nnrt__plan_load said yes, running the plan touches nothing but the block, the arena, and the inputs and outputs.

   Bytes in the program's own memory, flash included, are used where they lie: it promised to leave them alone. A
   mapped file may be changed by another process after Build. All that decides an address or a size is therefore
   copied and checked then: header, values, steps, operands, arguments and strings, which stand before the constants.
   The constants stay where they are: weights and tables, of which any bytes give some result, and indices and
   divisors, which steps read once and check as they use them.
   The checksum finds damage, not malice: whoever forges a plan computes one. So a program that keeps plans where
   nothing is damaged may do without it (nnrt.trust), and what is checked for safety stays the same. */
#ifndef NNRT_CPU_PLAN_LOAD_H
#define NNRT_CPU_PLAN_LOAD_H

#include "plan_check.h"

NNRT__FN void nnrt__plan_unload(nnrt__loaded_plan *plan) {
    nnrt__free(plan->views);
    nnrt__free(plan->ready);
    nnrt__free(plan->copy);
    memset(plan, 0, sizeof(*plan));
}

/* Bytes of NNRT_MALLOC that plan holds; of the block only its copy. */
NNRT__FN size_t nnrt__plan_bytes(const nnrt__loaded_plan *plan) {
    return nnrt__block_bytes(plan->views) + nnrt__block_bytes(plan->ready) + nnrt__block_bytes(plan->copy);
}

/* Where the bytes of a plan come from: 0: from the compiler of this process. */
#define NNRT__PLAN_OUTSIDE 0x1u   /* they may be damaged or hostile */
#define NNRT__PLAN_MAPPED 0x2u    /* and another process may change them at any time */
#define NNRT__PLAN_TRUST_CRC 0x4u /* their checksum is not computed */

/* Behind a header that was checked: copies all sections but the constants when they may change, and compares the
   checksum. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_take(nnrt__loaded_plan *plan, const uint8_t *block,
                                          const nnrt__plan_header *header, uint32_t origin) {
    uint32_t crc;
    if ((origin & NNRT__PLAN_MAPPED) != 0) {
        uint8_t *copy = (uint8_t *)nnrt__alloc_aligned((size_t)header->constants, NNRT__PLAN_ALIGNMENT, &plan->copy);
        if (copy == NULL) return nnrt__fail_memory();
        memcpy(copy, block, (size_t)header->constants);
        memcpy(copy, header, sizeof(*header)); /* it has been believed already */
        plan->block = copy;
    }
    if ((origin & NNRT__PLAN_TRUST_CRC) != 0) return OH_NN_SUCCESS;
    crc = nnrt__plan_crc(plan->block, (size_t)header->constants);
    crc = nnrt__crc32(crc, plan->constants, (size_t)(header->size - header->constants));
    return crc == header->crc ? OH_NN_SUCCESS : nnrt__plan_refuse("its checksum is wrong, it is damaged", header->crc);
}

/* Arrays of the loaded plan, sized by a header that was checked: the counts are of sections in the block. block and
   constants are set, maybe copy. On failure nothing new is held. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_open(nnrt__loaded_plan *plan) {
    const uint8_t *block = plan->block;
    const nnrt__plan_header *header = (const nnrt__plan_header *)(const void *)block;
    const nnrt__plan_value **value;
    size_t bytes = 0;
    uint32_t i;
    NNRT_ASSERT(((uintptr_t)block & 7u) == 0);
    plan->header = header;
    plan->values = (const nnrt__plan_value *)(const void *)(block + header->values);
    plan->steps = (const nnrt__plan_step *)(const void *)(block + header->steps);
    plan->operands = (const uint32_t *)(const void *)(block + header->operands);
    plan->strings = (const char *)(block + header->strings);
    if (nnrt__mul_size(header->step_count, sizeof(nnrt__step_view) + sizeof(void *), &bytes) &&
        nnrt__add_size(bytes, header->operand_count * sizeof(void *), &bytes))
        plan->views = (nnrt__step_view *)nnrt__alloc_zero(bytes, 1);
    if (plan->views == NULL) return nnrt__fail_memory();
    value = (const nnrt__plan_value **)(void *)(plan->views + header->step_count);
    plan->operand_values = value;
    plan->kinds = (const nnrt__step_kind **)(void *)(value + header->operand_count);
    for (i = 0; i < header->operand_count; i++, value++) {
        if (plan->operands[i] == NNRT__NONE) continue;
        if (plan->operands[i] >= header->value_count) return nnrt__plan_refuse("an operand is no value", i);
        *value = &plan->values[plan->operands[i]];
    }
    return OH_NN_SUCCESS;
}

/* What each step computes once, in one block. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_make_ready(nnrt__loaded_plan *plan) {
    size_t size, at = 0;
    uint32_t i;
    if (!nnrt__plan_ready_size(plan, &size)) return nnrt__fail_memory();
    if (size == 0) return OH_NN_SUCCESS;
    plan->ready = nnrt__alloc_zero(size, 1);
    if (plan->ready == NULL) return nnrt__fail_memory();
    for (i = 0; i < plan->header->step_count; i++) {
        const nnrt__step_kind *kind = plan->kinds[i];
        void *ready = (uint8_t *)plan->ready + at;
        if (kind->ready_size == 0) continue;
        kind->prepare(&plan->views[i], ready);
        plan->views[i].ready = ready;
        at += (kind->ready_size + (size_t)7) & ~(size_t)7;
    }
    return OH_NN_SUCCESS;
}

/* Checks `size` bytes at block (8-byte aligned) and makes them ready. kernels: of the executor, its isa must
   be the plan's. model_size: bytes of the model that the plan may refer to, 0 for one from a cache. origin:
   NNRT__PLAN_OUTSIDE and what comes with it, or 0. OH_NN_INVALID_FILE; for a plan of our own that is out of bounds
   OH_NN_FAILED; OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_load(nnrt__loaded_plan *plan, const uint8_t *block, size_t size,
                                          const nnrt__cpu_table *kernels, size_t model_size, const nnrt__bounds *bounds,
                                          uint32_t origin) {
    nnrt__plan_header first;
    const nnrt__plan_header *header = &first;
    const OH_NN_ReturnCode refusal = origin != 0 ? OH_NN_INVALID_FILE : OH_NN_FAILED;
    OH_NN_ReturnCode code;
    size_t i;
    memset(plan, 0, sizeof(*plan));
    if (size < sizeof(first)) return nnrt__plan_refuse("it is shorter than its header", size);
    memcpy(&first, block, sizeof(first));
    code = nnrt__plan_check_header(&first, size, kernels->isa, model_size);
    if (code != OH_NN_SUCCESS) return code;
    if (origin != 0 && first.size > bounds->memory) /* before all of it is read */
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the plan needs %llu bytes without activations; nnrt.max_memory allows %llu",
                          (unsigned long long)first.size, (unsigned long long)bounds->memory);
    plan->block = block;
    plan->constants = block + first.constants;
    if (origin != 0) code = nnrt__plan_take(plan, block, &first, origin);
    if (code == OH_NN_SUCCESS && plan->block[first.strings + first.strings_size - 1] != '\0')
        code = nnrt__plan_refuse("the strings have no end", 0);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_open(plan);
    if (code == OH_NN_SUCCESS) header = plan->header;
    for (i = 0; code == OH_NN_SUCCESS && i < header->value_count; i++)
        code = nnrt__plan_check_value(header, &plan->values[i], i);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_io(plan);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_states(plan);
    for (i = 0; code == OH_NN_SUCCESS && i < header->step_count; i++) {
        code = nnrt__plan_check_step(plan, i, kernels);
        if (code == OH_NN_SUCCESS) code = nnrt__plan_check_scratch(plan, i);
        if (code == OH_NN_SUCCESS) code = nnrt__plan_check_overlap(plan, i);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_groups(plan);
    if (code == OH_NN_SUCCESS && origin != 0) code = nnrt__plan_check_arena(plan);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_memory(plan, bounds->memory, refusal);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_work(plan, bounds->work, refusal);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_make_ready(plan);
    if (code != OH_NN_SUCCESS) nnrt__plan_unload(plan);
    return code;
}

#endif /* NNRT_CPU_PLAN_LOAD_H */
