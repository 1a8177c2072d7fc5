/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_svdf.h - the second half of SVDF, in time; the first is a full connection.   >>cpu_steps_svdf

   Operands   svdf_f32  features [batch][filters], weights [filters][memory], state [batch][filters * memory], bias
                        [units] or absent, all f32 | output [batch][units], next state
              svdf_int  features s16, weights and state s16, or both s8, bias s32 or absent | output s8, next state
   A unit of work is one element of the batch. Ids: 0x1a1, 0x1a2. */
#ifndef NNRT_CPU_STEPS_SVDF_H
#define NNRT_CPU_STEPS_SVDF_H

#include "../kernels/svdf_scalar.h"
#include "plan.h"

/* Sizes, and the types of all but the weights, the state and the bias. */
NNRT__FN bool nnrt__svdf_shapes(const nnrt__step_view *view, OH_NN_DataType features, OH_NN_DataType kept,
                                OH_NN_DataType bias, OH_NN_DataType out) {
    const nnrt__svdf_args *args = (const nnrt__svdf_args *)view->arguments;
    const nnrt__plan_value *x = nnrt__step_input(view, 0), *w = nnrt__step_input(view, 1);
    const nnrt__plan_value *state = nnrt__step_input(view, 2), *b = nnrt__step_input(view, 3);
    const nnrt__plan_value *y = nnrt__step_output(view, 0), *next = nnrt__step_output(view, 1);
    const uint64_t filters = (uint64_t)args->units * args->rank;
    uint64_t batches;
    if (args->units == 0 || args->rank == 0 || args->memory == 0 || filters > INT32_MAX) return false;
    if (!nnrt__value_is(x, features, 2) || (uint64_t)x->dims[1] != filters) return false;
    batches = (uint64_t)x->dims[0];
    return nnrt__value_is(w, kept, 2) && (uint64_t)w->dims[0] == filters && (uint32_t)w->dims[1] == args->memory &&
           nnrt__value_is(state, kept, 2) && (uint64_t)state->dims[0] == batches &&
           (uint64_t)state->dims[1] == filters * args->memory && nnrt__value_is(next, kept, 2) &&
           next->dims[0] == state->dims[0] && next->dims[1] == state->dims[1] &&
           (b == NULL || (nnrt__value_is(b, bias, 1) && (uint32_t)b->dims[0] == args->units)) &&
           nnrt__value_is(y, out, 2) && (uint64_t)y->dims[0] == batches && (uint32_t)y->dims[1] == args->units;
}

NNRT__FN bool nnrt__svdf_f32_check(const nnrt__step_view *view) {
    return nnrt__svdf_shapes(view, OH_NN_FLOAT32, OH_NN_FLOAT32, OH_NN_FLOAT32, OH_NN_FLOAT32);
}

NNRT__FN bool nnrt__svdf_int_check(const nnrt__step_view *view) {
    const nnrt__svdf_args *args = (const nnrt__svdf_args *)view->arguments;
    const nnrt__plan_value *w = nnrt__step_input(view, 1);
    const bool narrow = w != NULL && w->dtype == (uint32_t)OH_NN_INT8;
    return nnrt__svdf_shapes(view, OH_NN_INT16, narrow ? OH_NN_INT8 : OH_NN_INT16, OH_NN_INT32, OH_NN_INT8) &&
           args->multiplier >= 0 && args->shift >= -31 && args->shift <= 30 && args->zero_point >= -128 &&
           args->zero_point <= 127 && args->state_zero_point >= -128 && args->state_zero_point <= 127 &&
           (narrow || args->state_zero_point == 0) && args->clamp_min >= -128 && args->clamp_min <= args->clamp_max &&
           args->clamp_max <= 127;
}

NNRT__FN uint32_t nnrt__svdf_units(const nnrt__step_view *view) { return (uint32_t)nnrt__step_input(view, 0)->dims[0]; }

NNRT__FN uint64_t nnrt__svdf_work(const nnrt__step_view *view) {
    return (uint64_t)nnrt__value_count(nnrt__step_input(view, 2)) * 2;
}

/* Element i of an operand. */
NNRT__INLINE void *nnrt__svdf_at(const nnrt__step_view *view, const nnrt__step_call *call, uint32_t operand, size_t i) {
    if (call->data[operand] == NULL) return NULL;
    return (uint8_t *)call->data[operand] + i * nnrt__element_size((OH_NN_DataType)view->operands[operand]->dtype);
}

NNRT__FN OH_NN_ReturnCode nnrt__svdf_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__svdf_args *args = (const nnrt__svdf_args *)view->arguments;
    const size_t filters = (size_t)args->units * args->rank, kept = filters * args->memory;
    const uint32_t type = view->operands[1]->dtype;
    size_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++) {
        const void *x = nnrt__svdf_at(view, call, 0, unit * filters), *w = call->data[1], *b = call->data[3];
        const void *state = nnrt__svdf_at(view, call, 2, unit * kept);
        void *y = nnrt__svdf_at(view, call, 4, unit * args->units), *next = nnrt__svdf_at(view, call, 5, unit * kept);
        if (type == (uint32_t)OH_NN_FLOAT32)
            nnrt__svdf_f32_scalar(args, (const float *)x, (const float *)w, (const float *)b, (const float *)state,
                                  (float *)next, (float *)y);
        else if (type == (uint32_t)OH_NN_INT16)
            nnrt__svdf_s16_scalar(args, (const int16_t *)x, (const int16_t *)w, (const int32_t *)b,
                                  (const int16_t *)state, (int16_t *)next, (int8_t *)y);
        else
            nnrt__svdf_s8_scalar(args, (const int16_t *)x, (const int8_t *)w, (const int32_t *)b, (const int8_t *)state,
                                 (int8_t *)next, (int8_t *)y);
    }
    return OH_NN_SUCCESS;
}

#define NNRT__SVDF_STEP(type)                                                                            \
    NNRT__STEP_KIND(svdf_##type, INPUTS(4, 4), OUTPUTS(2, 2), ARGUMENTS(nnrt__svdf_args),                \
                    CHECK(nnrt__svdf_##type##_check), SCRATCH(NULL), UNITS(nnrt__svdf_units), ISA(NULL), \
                    RUN(nnrt__svdf_run), WORK(nnrt__svdf_work), NOTHING_READY)

NNRT__SVDF_STEP(f32)
NNRT__SVDF_STEP(int)
#undef NNRT__SVDF_STEP

#endif /* NNRT_CPU_STEPS_SVDF_H */
