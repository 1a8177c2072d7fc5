/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_s16.h - elementwise steps of int16, and conversions between quantized integers.   >>cpu_steps_s16

   Zero points of int16 are 0, but for those of a conversion.

   Operands   binary_s16       two s16 | s16
              unary_s16        s16; sigmoid table UINT16 [256], of logistic and tanh | s16
              softmax_s16      s16, tables INT16 [2 * 513] | s16
              requantize_ints  int8, uint8, int16 or int32 | the same choice */
#ifndef NNRT_CPU_STEPS_S16_H
#define NNRT_CPU_STEPS_S16_H

#include "../kernels/binary_s16_scalar.h"
#include "../kernels/requantize_ints_scalar.h"
#include "../kernels/softmax_s16_scalar.h"
#include "../kernels/unary_s16_scalar.h"
#include "steps_rows.h"

NNRT__INLINE bool nnrt__is_s16(const nnrt__plan_value *value) { return nnrt__value_has_dtype(value, OH_NN_INT16); }

/* --------------------------------------------------------------------------------------------- binary_s16 */

NNRT__FN bool nnrt__binary_s16_check(const nnrt__step_view *view) {
    const nnrt__binary_s8_args *args = (const nnrt__binary_s8_args *)view->arguments;
    const uint32_t kind = args->kind;
    return nnrt__binary_shapes_fit(view) && nnrt__is_s16(view->operands[0]) && nnrt__is_s16(view->operands[1]) &&
           nnrt__is_s16(view->operands[2]) &&
           (kind == NNRT__BINARY_ADD || kind == NNRT__BINARY_SUB || kind == NNRT__BINARY_MUL ||
            kind == NNRT__BINARY_SQUARED_DIFFERENCE || kind == NNRT__BINARY_MAXIMUM || kind == NNRT__BINARY_MINIMUM) &&
           args->input_zero_point[0] == 0 && args->input_zero_point[1] == 0 && args->output_zero_point == 0 &&
           nnrt__is_s16_range(args->clamp_min, args->clamp_max) &&
           nnrt__is_factor(args->input_multiplier[0], args->input_shift[0], 0) &&
           nnrt__is_factor(args->input_multiplier[1], args->input_shift[1], 0) &&
           nnrt__is_factor(args->output_multiplier, args->output_shift, 30);
}

NNRT__FN bool nnrt__binary_s16_row(const nnrt__step_view *view, const void *a, size_t a_step, const void *b,
                                   size_t b_step, void *out, size_t n) {
    view->kernels->binary_s16((const nnrt__binary_s8_args *)view->arguments, (const int16_t *)a, a_step,
                              (const int16_t *)b, b_step, (int16_t *)out, n);
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__binary_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    (void)nnrt__binary_each_row(view, call, nnrt__binary_s16_row);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__binary_s16_isa(const nnrt__step_view *view) {
    const nnrt__binary_s8_args *args = (const nnrt__binary_s8_args *)view->arguments;
    return nnrt__binary_s16_rescales(args) ? view->kernels->binary_s16_isa : "scalar";
}

NNRT__STEP_KIND(binary_s16, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__binary_s8_args), CHECK(nnrt__binary_s16_check),
                SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(nnrt__binary_s16_isa), RUN(nnrt__binary_s16_run),
                WORK(NULL), NOTHING_READY)

/* ---------------------------------------------------------------------------------------------- unary_s16 */

NNRT__FN bool nnrt__unary_s16_check(const nnrt__step_view *view) {
    const nnrt__unary_s16_args *args = (const nnrt__unary_s16_args *)view->arguments;
    const nnrt__plan_value *table = view->input_count > 1 ? view->operands[1] : NULL;
    if (!nnrt__same_count(view) || !nnrt__is_s16(view->operands[0]) || !nnrt__is_s16(nnrt__step_output(view, 0)))
        return false;
    if (args->kind == NNRT__S16_RELU)
        return view->input_count == 1 && nnrt__is_factor(args->multiplier, args->shift, 30) &&
               nnrt__is_factor(args->slope_multiplier, args->slope_shift, 30) &&
               (args->slope_sign == 1 || args->slope_sign == -1) &&
               nnrt__is_s16_range(args->clamp_min, args->clamp_max);
    if (args->kind == NNRT__S16_ABS)
        return view->input_count == 1 && nnrt__is_factor(args->multiplier, args->shift, 30) &&
               nnrt__is_s16_range(args->clamp_min, args->clamp_max);
    return args->kind < NNRT__S16_KINDS && table != NULL && nnrt__value_is(table, OH_NN_UINT16, 1) &&
           table->dims[0] == NNRT__SIGMOID_TABLE && args->multiplier >= 0 && args->multiplier <= 32767 &&
           args->shift >= 0 && args->shift <= 31;
}

NNRT__FN OH_NN_ReturnCode nnrt__unary_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const uint16_t *table = view->input_count > 1 ? (const uint16_t *)call->data[1] : NULL;
    size_t begin, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__chunk_range(view, call, &begin, &end);
    nnrt__unary_s16_scalar((const nnrt__unary_s16_args *)view->arguments, table, (const int16_t *)call->data[0] + begin,
                           (int16_t *)call->data[view->input_count] + begin, end - begin);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(unary_s16, INPUTS(1, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__unary_s16_args), CHECK(nnrt__unary_s16_check),
                SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(NULL), RUN(nnrt__unary_s16_run), WORK(NULL), NOTHING_READY)

/* -------------------------------------------------------------------------------------------- softmax_s16 */

typedef struct nnrt__softmax_s16_args {
    uint32_t axis;
    int32_t multiplier, shift;
    uint32_t reserved; /* 0 */
} nnrt__softmax_s16_args;

NNRT__FN bool nnrt__softmax_s16_check(const nnrt__step_view *view) {
    const nnrt__softmax_s16_args *args = (const nnrt__softmax_s16_args *)view->arguments;
    return nnrt__same_count(view) && nnrt__is_s16(view->operands[0]) && nnrt__is_s16(view->operands[2]) &&
           nnrt__value_is(view->operands[1], OH_NN_INT16, 1) && view->operands[1]->dims[0] == 2 * NNRT__S16_TABLE &&
           args->axis < view->operands[0]->rank &&
           (size_t)view->operands[0]->dims[args->axis] <= NNRT__SOFTMAX_S16_MAX &&
           nnrt__is_factor(args->multiplier, args->shift, 30);
}

NNRT__FN nnrt__rows nnrt__softmax_s16_rows(const nnrt__step_view *view) {
    const nnrt__softmax_s16_args *args = (const nnrt__softmax_s16_args *)view->arguments;
    return nnrt__rows_of(view->operands[0], args->axis, args->axis + 1);
}

NNRT__FN uint32_t nnrt__softmax_s16_units(const nnrt__step_view *view) {
    const nnrt__rows rows = nnrt__softmax_s16_rows(view);
    return nnrt__row_units(rows.outer * rows.inner, rows.n);
}

NNRT__FN OH_NN_ReturnCode nnrt__softmax_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__softmax_s16_args *args = (const nnrt__softmax_s16_args *)view->arguments;
    const nnrt__rows rows = nnrt__softmax_s16_rows(view);
    size_t r, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, rows.outer * rows.inner, rows.n, &r, &end);
    for (; r < end; r++) {
        const size_t start = nnrt__row_start(&rows, r);
        nnrt__softmax_s16_scalar((const int16_t *)call->data[1], args->multiplier, args->shift,
                                 (const int16_t *)call->data[0] + start, (int16_t *)call->data[2] + start, rows.n,
                                 rows.inner);
    }
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(softmax_s16, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__softmax_s16_args),
                CHECK(nnrt__softmax_s16_check), SCRATCH(NULL), UNITS(nnrt__softmax_s16_units), ISA(NULL),
                RUN(nnrt__softmax_s16_run), WORK(nnrt__row_work), NOTHING_READY)

/* ---------------------------------------------------------------------------------------- requantize_ints */

NNRT__INLINE bool nnrt__is_requantized(uint32_t dtype) {
    return dtype == (uint32_t)OH_NN_INT8 || dtype == (uint32_t)OH_NN_UINT8 || dtype == (uint32_t)OH_NN_INT16 ||
           dtype == (uint32_t)OH_NN_INT32;
}

NNRT__FN bool nnrt__requantize_ints_check(const nnrt__step_view *view) {
    const nnrt__requantize_ints_args *args = (const nnrt__requantize_ints_args *)view->arguments;
    return nnrt__same_count(view) && nnrt__is_requantized(view->operands[0]->dtype) &&
           nnrt__is_requantized(view->operands[1]->dtype) && nnrt__is_factor(args->multiplier, args->shift, 30);
}

NNRT__FN OH_NN_ReturnCode nnrt__requantize_ints_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    size_t begin, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__chunk_range(view, call, &begin, &end);
    nnrt__requantize_ints_scalar((const nnrt__requantize_ints_args *)view->arguments, view->operands[0]->dtype,
                                 nnrt__element_at(view, call, 0, begin), view->operands[1]->dtype,
                                 nnrt__element_at(view, call, 1, begin), end - begin);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(requantize_ints, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__requantize_ints_args),
                CHECK(nnrt__requantize_ints_check), SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(NULL),
                RUN(nnrt__requantize_ints_run), WORK(NULL), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_S16_H */
