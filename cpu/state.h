/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/state.h - what an executor keeps from run to run.   >>cpu_state

   Each state has two buffers: a run reads one and writes the other, and after a successful run they swap. */
#ifndef NNRT_CPU_STATE_H
#define NNRT_CPU_STATE_H

#include "prepared.h"

typedef struct nnrt__cpu_state {
    size_t size;
    const void *first; /* initial contents; NULL: */
    uint8_t zero;      /* every byte is this: the zero point of int8 and uint8, else 0 */
} nnrt__cpu_state;

/* Every byte of a real zero. */
NNRT__FN uint8_t nnrt__cpu_state_zero(OH_NN_DataType dtype, uint32_t quant_count, int32_t zero_point) {
    const bool byte = dtype == OH_NN_INT8 || dtype == OH_NN_UINT8;
    return byte && quant_count == 1 ? (uint8_t)((uint32_t)zero_point & 0xffu) : (uint8_t)0;
}

/* State number i; its shape is known even if those of inputs are not. */
NNRT__FN nnrt__cpu_state nnrt__cpu_state_at(const nnrt__cpu_prepared *model, uint32_t i) {
    nnrt__cpu_state state;
    if (nnrt__cpu_is_dynamic(model)) {
        const nnrt_tensor_info *tensor = &model->graph->tensors[model->graph->states[i].tensor];
        uint32_t k;
        state.first = tensor->data;
        state.zero = nnrt__cpu_state_zero(tensor->dtype, tensor->quant.count,
                                          tensor->quant.count == 1 ? tensor->quant.zero_points[0] : 0);
        state.size = nnrt__element_size(tensor->dtype); /* below 1 GiB, like every tensor */
        for (k = 0; k < tensor->rank; k++) state.size *= (size_t)tensor->dims[k];
    } else {
        const nnrt__loaded_plan *plan = &model->plan;
        const uint32_t inputs = plan->header->input_count, ends = inputs + plan->header->output_count;
        const nnrt__plan_value *first = nnrt__plan_operand(plan, ends + i);
        const nnrt__plan_value *now = nnrt__plan_operand(plan, inputs - plan->header->state_count + i);
        state.first = first != NULL ? plan->constants + first->offset : NULL;
        state.size = (size_t)now->size;
        state.zero = nnrt__cpu_state_zero((OH_NN_DataType)now->dtype, now->quant_count, now->zero_point);
    }
    return state;
}

NNRT__FN uint32_t nnrt__cpu_state_count(const nnrt__cpu_prepared *model) {
    if (!NNRT__HAS_STATES) return 0;
    return nnrt__cpu_is_dynamic(model) ? model->graph->state_count : model->plan.header->state_count;
}

/* Resets now[] of all states to their initial contents. */
NNRT__FN void nnrt__cpu_states_begin(const nnrt__cpu_prepared *model, void *const *now) {
    const uint32_t count = nnrt__cpu_state_count(model);
    uint32_t i;
    for (i = 0; i < count; i++) {
        const nnrt__cpu_state state = nnrt__cpu_state_at(model, i);
        if (state.first != NULL) memcpy(now[i], state.first, state.size);
        else memset(now[i], state.zero, state.size);
    }
}

/* Bytes of both buffers of all states; SIZE_MAX: overflow. */
NNRT__FN size_t nnrt__cpu_states_size(const nnrt__cpu_prepared *model) {
    const uint32_t count = nnrt__cpu_state_count(model);
    size_t total = 0;
    uint32_t i;
    for (i = 0; i < count; i++)
        if (!nnrt__add_size(total, 2 * nnrt__cpu_state_at(model, i).size, &total) ||
            !nnrt__round_up_size(total, NNRT__PLAN_ALIGNMENT, &total))
            return SIZE_MAX;
    return total;
}

/* Allocates both buffers of all states: sets now[] and next[]; the caller frees *memory. Call only if there is a state.
   Zeroed, as a hostile plan may read the next state before it is written, and must not see old memory. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_states_make(const nnrt__cpu_prepared *model, void **memory, void **now,
                                                void **next) {
    const uint32_t count = nnrt__cpu_state_count(model);
    uint8_t *bytes = (uint8_t *)nnrt__alloc_aligned_zero(nnrt__cpu_states_size(model), NNRT__PLAN_ALIGNMENT, memory);
    size_t at = 0;
    uint32_t i;
    if (bytes == NULL) return nnrt__fail(OH_NN_MEMORY_ERROR, "out of memory for the state of the model");
    for (i = 0; i < count; i++) {
        const size_t size = nnrt__cpu_state_at(model, i).size;
        now[i] = bytes + at;
        next[i] = bytes + at + size;
        at = (at + 2 * size + NNRT__PLAN_ALIGNMENT - 1) & ~(size_t)(NNRT__PLAN_ALIGNMENT - 1);
    }
    nnrt__cpu_states_begin(model, now);
    return OH_NN_SUCCESS;
}

/* After a successful run. */
NNRT__FN void nnrt__cpu_states_advance(uint32_t count, void **now, void **next) {
    uint32_t i;
    for (i = 0; i < count; i++) {
        void *was = now[i];
        now[i] = next[i];
        next[i] = was;
    }
}

#endif /* NNRT_CPU_STATE_H */
