/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/plan_load.h - checks a plan's bytes, once, and makes them ready to run.   >>cpu_plan_load

   The bytes may come from a cache and be hostile: cpu/plan_check.h checks everything that a step relies on. After
   nnrt__plan_load succeeded, running the plan touches nothing but the block, the arena, and the inputs and outputs.

   Bytes in the program's own memory, flash included, are used in place: the program has promised not to change them. A
   mapped file may be changed by another process after Build. So everything that determines an address or a size is
   copied before it is checked: header, values, steps, operands, arguments and strings, which precede the constants. The
   constants are not copied: any bytes of weights and tables give some result, and steps read indices and divisors once
   and check them as they use them.
   The checksum detects damage, not malice: a forger computes it, too. So a program that stores plans safely may skip it
   (nnrt.trust); every check for safety remains. */
#ifndef NNRT_CPU_PLAN_LOAD_H
#define NNRT_CPU_PLAN_LOAD_H

#include "plan_check.h"

NNRT__FN void nnrt__plan_unload(nnrt__loaded_plan *plan) {
    nnrt__free(plan->views);
    nnrt__free(plan->ready);
    nnrt__free(plan->copy);
    nnrt__free(plan->images);
    nnrt__clear(plan, sizeof(*plan));
}

/* Bytes of NNRT_MALLOC that plan holds; of the block only a copy counts. */
NNRT__FN size_t nnrt__plan_bytes(const nnrt__loaded_plan *plan) {
    return nnrt__block_bytes(plan->views) + nnrt__block_bytes(plan->ready) + nnrt__block_bytes(plan->copy) +
           nnrt__block_bytes(plan->images);
}

/* Where the bytes of a plan come from. 0: this process compiled it. */
#define NNRT__PLAN_OUTSIDE 0x1u   /* they may be damaged or hostile */
#define NNRT__PLAN_MAPPED 0x2u    /* and another process may change them at any time */
#define NNRT__PLAN_TRUST_CRC 0x4u /* their checksum is not computed */

/* After the header was checked: copies all sections except the constants if they may change, and compares the checksum.
   */
NNRT__FN OH_NN_ReturnCode nnrt__plan_take(nnrt__loaded_plan *plan, const uint8_t *block,
                                          const nnrt__plan_header *header, uint32_t origin) {
    uint32_t crc;
    if (NNRT__HAS_FILES && (origin & NNRT__PLAN_MAPPED) != 0) {
        uint8_t *copy = (uint8_t *)nnrt__alloc_aligned((size_t)header->constants, NNRT__PLAN_ALIGNMENT, &plan->copy);
        if (copy == NULL) return nnrt__fail_memory();
        memcpy(copy, block, (size_t)header->constants);
        memcpy(copy, header, sizeof(*header)); /* it has been relied on already */
        plan->block = copy;
    }
    if ((origin & NNRT__PLAN_TRUST_CRC) != 0) return OH_NN_SUCCESS;
    crc = nnrt__plan_crc(plan->block, (size_t)header->constants);
    crc = nnrt__crc32(crc, plan->constants, (size_t)(header->size - header->constants));
    return crc == header->crc ? OH_NN_SUCCESS : nnrt__plan_refuse("its checksum is wrong, it is damaged", header->crc);
}

/* Allocates the arrays of the loaded plan. The header was checked, so its counts fit the block. block and constants are
   set, and copy if there is one. On failure it holds nothing new. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_open(nnrt__loaded_plan *plan) {
    const uint8_t *block = plan->block;
    const nnrt__plan_header *header = (const nnrt__plan_header *)(const void *)block;
    const uint32_t count = header->operand_count, values = header->value_count;
    const nnrt__plan_value **value;
    size_t bytes = 0;
    uint32_t i;
    NNRT_ASSERT(((uintptr_t)block & 7u) == 0);
    plan->header = header;
    plan->values = (const nnrt__plan_value *)(const void *)(block + (size_t)header->values);
    plan->steps = (const nnrt__plan_step *)(const void *)(block + (size_t)header->steps);
    plan->operands = (const uint32_t *)(const void *)(block + (size_t)header->operands);
    plan->strings = (const char *)(block + (size_t)header->strings);
    if (nnrt__mul_size(header->step_count, sizeof(nnrt__step_view) + sizeof(void *), &bytes) &&
        nnrt__add_size(bytes, count * sizeof(void *), &bytes))
        plan->views = (nnrt__step_view *)nnrt__alloc(bytes);
    if (plan->views == NULL) return nnrt__fail_memory();
    value = (const nnrt__plan_value **)(void *)(plan->views + header->step_count);
    plan->operand_values = value;
    plan->kinds = (const nnrt__step_kind **)(void *)(value + count);
    for (i = 0; i < count; i++) {
        const uint32_t operand = plan->operands[i];
        if (operand < values) value[i] = &plan->values[operand];
        else if (operand == NNRT__NONE) value[i] = NULL;
        else return nnrt__plan_refuse("an operand is no value", i);
    }
    return OH_NN_SUCCESS;
}

/* Operand i of a checked plan; NULL: absent. */
NNRT__APART_FOR_SIZE const nnrt__plan_value *nnrt__plan_operand(const nnrt__loaded_plan *plan, uint32_t i) {
    NNRT_ASSERT(i < plan->header->operand_count);
    return plan->operands[i] != NNRT__NONE ? &plan->values[plan->operands[i]] : NULL;
}

/* Frees what each run will make again, and notes how much room one step needs for its operands. */
NNRT__FN void nnrt__plan_forget_views(nnrt__loaded_plan *plan) {
    uint32_t i;
    for (i = 0; i < plan->header->step_count; i++) {
        const uint32_t operands = plan->views[i].input_count + plan->views[i].output_count;
        if (operands > plan->most_operands) plan->most_operands = operands;
    }
    nnrt__free(plan->views);
    plan->views = NULL;
    plan->operand_values = NULL;
    plan->kinds = NULL;
}

/* Calls prepare of each step, with one block for all results. */
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

/* ------------------------------------------------------------------------------------- images of an accelerator */

/* Bytes of all images, each rounded up to NNRT__PLAN_ALIGNMENT; false: they do not fit size_t. */
NNRT__FN bool nnrt__plan_images_size(const nnrt__loaded_plan *plan, size_t *bytes) {
    uint32_t i;
    *bytes = 0;
    for (i = 0; i < plan->header->step_count; i++) {
        if (!nnrt__is_accelerated(plan->kinds[i])) continue;
        if (!nnrt__add_size(*bytes, (size_t)nnrt__plan_rounded(plan->views[i].operands[0]->size), bytes)) return false;
    }
    return true;
}

/* Checks the image of step i, which stays at `image`. Adds the bytes that its session takes to *memory. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_image(const nnrt__loaded_plan *plan, uint32_t i, const uint8_t *image,
                                                 const nnrt__bounds *bounds, uint64_t *memory) {
    nnrt__step_view *view = &plan->views[i];
    const char *name = nnrt__accelerated_args_of(view)->accelerator;
    nnrt__part_ends ends;
    uint64_t more = 0;
    OH_NN_ReturnCode code;
    uint32_t k;
    if (bounds->accelerator == NULL || !nnrt__accelerator_takes(bounds->accelerator, name))
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "step %u of the plan is for the accelerator \"%s\", this device has %s%s: choose the device "
                          "that has it, or compile the model again",
                          (unsigned)i, name, bounds->accelerator == NULL ? "none" : "another one, ",
                          bounds->accelerator == NULL ? "" : bounds->accelerator->name);
    memset(&ends, 0, sizeof(ends));
    ends.input_count = view->input_count - 1;
    ends.output_count = view->output_count;
    for (k = 1; k < view->input_count + view->output_count; k++) ends.sizes[k - 1] = (size_t)view->operands[k]->size;
    code = bounds->accelerator->check(bounds->accelerator, image, (size_t)view->operands[0]->size, &ends, &more);
    if (code != OH_NN_SUCCESS) return code;
    view->ready = image;
    *memory = more < UINT64_MAX / 2 - *memory ? *memory + more : UINT64_MAX / 2;
    return OH_NN_SUCCESS;
}

/* Checks the images of all accelerated steps, in private copies if another process may change the plan: a chip never
   runs commands that another process can overwrite. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_images(nnrt__loaded_plan *plan, const nnrt__bounds *bounds, uint32_t origin,
                                                  OH_NN_ReturnCode refusal) {
    const uint64_t executor = plan->header->size + plan->header->arena_size;
    uint64_t memory = 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint8_t *copies = NULL;
    size_t bytes, at = 0;
    uint32_t i;
    if (!nnrt__plan_images_size(plan, &bytes)) return nnrt__fail_memory();
    if (bytes == 0) return OH_NN_SUCCESS;
    if (bytes > bounds->memory) return nnrt__plan_refuse("its images are larger than nnrt.max_memory", bytes);
    if ((origin & NNRT__PLAN_MAPPED) != 0) {
        copies = (uint8_t *)nnrt__alloc_aligned(bytes, NNRT__PLAN_ALIGNMENT, &plan->images);
        if (copies == NULL) return nnrt__fail_memory();
    }
    for (i = 0; code == OH_NN_SUCCESS && i < plan->header->step_count; i++) {
        const nnrt__plan_value *value = plan->views[i].operands[0];
        const uint8_t *image;
        if (!nnrt__is_accelerated(plan->kinds[i])) continue;
        image = plan->constants + (size_t)value->offset;
        if (copies != NULL) image = (const uint8_t *)memcpy(copies + at, image, (size_t)value->size);
        at += (size_t)nnrt__plan_rounded(value->size);
        code = nnrt__plan_check_image(plan, i, image, bounds, &memory);
    }
    if (code != OH_NN_SUCCESS) return code;
    if (executor > bounds->memory || memory > bounds->memory - executor)
        return nnrt__fail(
            refusal, "the model needs %llu bytes, %llu of them for the accelerator; nnrt.max_memory allows %llu",
            (unsigned long long)(executor + memory), (unsigned long long)memory, (unsigned long long)bounds->memory);
    plan->accelerator = bounds->accelerator;
    plan->part_ms = bounds->part_ms;
    return OH_NN_SUCCESS;
}

/* Checks `size` bytes at block (8-byte aligned) and makes them ready. kernels: of the executor; its isa must be the
   plan's. model_size: bytes of the model that the plan may refer to; 0 for a plan from a cache. origin:
   NNRT__PLAN_OUTSIDE and its flags, or 0. Fails with OH_NN_INVALID_FILE, OH_NN_MEMORY_ERROR, or OH_NN_FAILED for our
   own plan beyond the bounds. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_load(nnrt__loaded_plan *plan, const uint8_t *block, size_t size,
                                          const nnrt__cpu_table *kernels, size_t model_size, const nnrt__bounds *bounds,
                                          uint32_t origin) {
    const nnrt__plan_header *header = (const nnrt__plan_header *)(const void *)block;
    nnrt__plan_header first; /* if it may change */
    const OH_NN_ReturnCode refusal = origin != 0 ? OH_NN_INVALID_FILE : OH_NN_FAILED;
    OH_NN_ReturnCode code;
    nnrt__ready_room room; /* of one step after the other: views that keep nothing */
    size_t i;
    nnrt__clear(plan, sizeof(*plan));
    if (size < sizeof(first)) return nnrt__plan_refuse("it is shorter than its header", size);
    if (NNRT__HAS_FILES && (origin & NNRT__PLAN_MAPPED) != 0)
        header = (const nnrt__plan_header *)memcpy(&first, block, sizeof(first));
    code = nnrt__plan_check_header(header, size, kernels->isa, model_size);
    if (code != OH_NN_SUCCESS) return code;
    if (origin != 0 && header->size > bounds->memory) /* before all of it is read */
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the plan needs %llu bytes without activations; nnrt.max_memory allows %llu",
                          (unsigned long long)header->size, (unsigned long long)bounds->memory);
    plan->block = block;
    plan->constants = block + (size_t)header->constants;
    if (origin != 0) code = nnrt__plan_take(plan, block, header, origin);
    if (code == OH_NN_SUCCESS && plan->block[(size_t)header->strings + header->strings_size - 1] != '\0')
        code = nnrt__plan_refuse("the strings have no end", 0);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_open(plan);
    if (code == OH_NN_SUCCESS) header = plan->header;
    for (i = 0; code == OH_NN_SUCCESS && i < header->value_count; i++)
        code = nnrt__plan_check_value(header, &plan->values[i], i);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_io(plan);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_states(plan);
    for (i = 0; code == OH_NN_SUCCESS && i < header->step_count; i++) {
        code = nnrt__plan_check_step(plan, i, kernels, NNRT__FOR_RAM ? &room : NULL);
        if (code == OH_NN_SUCCESS) code = nnrt__plan_check_scratch(plan, i);
        if (code == OH_NN_SUCCESS) code = nnrt__plan_check_overlap(plan, i);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_groups(plan);
    if (code == OH_NN_SUCCESS && origin != 0) code = nnrt__plan_check_arena(plan);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_memory(plan, bounds->memory, refusal);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_work(plan, bounds->work, refusal);
    if (NNRT__ACCELERATES && code == OH_NN_SUCCESS) code = nnrt__plan_check_images(plan, bounds, origin, refusal);
    if (code == OH_NN_SUCCESS && NNRT__FOR_RAM) nnrt__plan_forget_views(plan);
    if (code == OH_NN_SUCCESS && !NNRT__FOR_RAM) code = nnrt__plan_make_ready(plan);
    if (code != OH_NN_SUCCESS) nnrt__plan_unload(plan);
    return code;
}

#endif /* NNRT_CPU_PLAN_LOAD_H */
