/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_cumsum.h - the step of running sums.   >>cpu_steps_cumsum */
#ifndef NNRT_CPU_STEPS_CUMSUM_H
#define NNRT_CPU_STEPS_CUMSUM_H

#include "../kernels/cumsum_scalar.h"
#include "steps_movement.h"

/* -------------------------------------------------------------------------------------  0x370 cumsum

   Input, output: [outer, count, inner] in any grouping of the axes, FLOAT32, INT32, INT64 or INT8. Arguments:
   nnrt__cumsum_args. Units: lanes. */

NNRT__FN bool nnrt__cumsum_check(const nnrt__step_view *view) {
    const nnrt__cumsum_args *args = (const nnrt__cumsum_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    if (in == NULL || in->dtype != out->dtype || args->exclusive > 1 || args->reverse > 1) return false;
    if (in->dtype != (uint32_t)OH_NN_FLOAT32 && in->dtype != (uint32_t)OH_NN_INT32 &&
        in->dtype != (uint32_t)OH_NN_INT64 && in->dtype != (uint32_t)OH_NN_INT8)
        return false;
    if (args->input_zero_point < -128 || args->input_zero_point > 127 || args->output_zero_point < -128 ||
        args->output_zero_point > 127 || args->multiplier < 0 || args->shift < -31 || args->shift > 0)
        return false;
    return nnrt__movement_product(args->outer, args->count, args->inner) == nnrt__value_count(in) &&
           nnrt__value_count(in) == nnrt__value_count(out);
}

NNRT__FN uint32_t nnrt__cumsum_units(const nnrt__step_view *view) {
    const nnrt__cumsum_args *args = (const nnrt__cumsum_args *)view->arguments;
    return nnrt__movement_units((uint64_t)args->outer * args->inner);
}

NNRT__FN uint64_t nnrt__cumsum_work(const nnrt__step_view *view) {
    return 4 * (uint64_t)nnrt__value_count(nnrt__step_input(view, 0));
}

NNRT__FN OH_NN_ReturnCode nnrt__cumsum_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__cumsum_args *args = (const nnrt__cumsum_args *)view->arguments;
    const void *in = call->data[0];
    void *out = call->data[1];
    const nnrt__stop stop = nnrt__call_stop(call);
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    switch (nnrt__step_input(view, 0)->dtype) {
    case OH_NN_FLOAT32:
        nnrt__cumsum_f32_scalar(args, (const float *)in, (float *)out, call->first, call->last, &stop);
        break;
    case OH_NN_INT32:
        nnrt__cumsum_s32_scalar(args, (const int32_t *)in, (int32_t *)out, call->first, call->last, &stop);
        break;
    case OH_NN_INT64:
        nnrt__cumsum_s64_scalar(args, (const int64_t *)in, (int64_t *)out, call->first, call->last, &stop);
        break;
    default: nnrt__cumsum_s8_scalar(args, (const int8_t *)in, (int8_t *)out, call->first, call->last, &stop); break;
    }
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(cumsum, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__cumsum_args), CHECK(nnrt__cumsum_check),
                SCRATCH(NULL), UNITS(nnrt__cumsum_units), ISA(NULL), RUN(nnrt__cumsum_run), WORK(nnrt__cumsum_work),
                NOTHING_READY)

#endif /* NNRT_CPU_STEPS_CUMSUM_H */
