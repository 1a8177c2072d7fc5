/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_update.h - the step that replaces a part of a tensor.   >>cpu_steps_update */
#ifndef NNRT_CPU_STEPS_UPDATE_H
#define NNRT_CPU_STEPS_UPDATE_H

#include "../kernels/copy_update_scalar.h"
#include "steps_movement.h"

/* -------------------------------------------------------------------------------------  0x371 replaced part

   Inputs: the whole and the part, of any type, and where the part begins, INT32 or INT64. Output: the whole with the
   part. Arguments: nnrt__update_args. */

NNRT__FN bool nnrt__update_check(const nnrt__step_view *view) {
    const nnrt__update_args *args = (const nnrt__update_args *)view->arguments;
    const nnrt__plan_value *whole = nnrt__step_input(view, 0), *part = nnrt__step_input(view, 1);
    const nnrt__plan_value *starts = nnrt__step_input(view, 2), *out = nnrt__step_output(view, 0);
    uint32_t i;
    if (whole == NULL || part == NULL || !nnrt__is_index(starts)) return false;
    if (args->rank < 1 || args->rank > NNRT__UPDATE_RANK || whole->rank != args->rank || part->rank != args->rank)
        return false;
    if (whole->dtype != out->dtype || part->dtype != out->dtype) return false;
    if (args->element_size != nnrt__element_size((OH_NN_DataType)out->dtype)) return false;
    for (i = 0; i < args->rank; i++)
        if (args->dims[i] != whole->dims[i] || args->sizes[i] != part->dims[i] || args->sizes[i] > args->dims[i])
            return false;
    return nnrt__value_count(whole) == nnrt__value_count(out) && nnrt__value_count(starts) == args->rank;
}

NNRT__FN uint64_t nnrt__update_work(const nnrt__step_view *view) {
    return (uint64_t)nnrt__step_output(view, 0)->size / 8 + (uint64_t)nnrt__step_input(view, 1)->size + 1;
}

NNRT__FN OH_NN_ReturnCode nnrt__update_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__copy_update_scalar((const nnrt__update_args *)view->arguments, call->data[0], call->data[1], call->data[2],
                             nnrt__element_size((OH_NN_DataType)nnrt__step_input(view, 2)->dtype), call->data[3],
                             nnrt__value_count(nnrt__step_output(view, 0)),
                             nnrt__value_count(nnrt__step_input(view, 1)));
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(update, INPUTS(3, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__update_args), CHECK(nnrt__update_check),
                SCRATCH(NULL), UNITS(NULL), ISA(NULL), RUN(nnrt__update_run), WORK(nnrt__update_work), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_UPDATE_H */
