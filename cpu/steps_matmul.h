/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_matmul.h - products of two computed matrices.   >>cpu_steps_matmul

   Operands   matmul_s8   a s8, b s8 | output s8
              matmul_s16  a s16, b s16 | output s16
              matmul_f32  a f32, b f32 | output f32
   a is a list of matrices [m][k], b one of matrices [n][k], that is, transposed. Product i of the output, [m][n], uses
   the matrices of a and b that its strides lead to: stride 0 repeats a matrix. Operands in another layout are
   transposed by a copy first (cpu/ops_matmul.h). Ids: 0x17x. */
#ifndef NNRT_CPU_STEPS_MATMUL_H
#define NNRT_CPU_STEPS_MATMUL_H

#include "../kernels/matmul_s16_scalar.h"
#include "../kernels/matmul_s8_scalar.h"
#include "conv_rows.h"
#include "steps_movement.h"

#define NNRT__MATMUL_RANK 8u
#define NNRT__MATMUL_ROWS 32u     /* of a work unit */
#define NNRT__MATMUL_COLUMNS 128u /* of a work unit */

typedef struct nnrt__matmul_args {
    uint32_t m, n, k;                                             /* of each product */
    uint32_t rank;                                                /* 0..NNRT__MATMUL_RANK axes of products */
    int32_t dims[NNRT__MATMUL_RANK];                              /* of the output */
    int32_t a_step[NNRT__MATMUL_RANK], b_step[NNRT__MATMUL_RANK]; /* in matrices, >= 0 */
    int32_t a_zero, b_zero, output_zero_point;                    /* s16: 0 */
    int32_t multiplier, shift;
    int32_t clamp_min, clamp_max;
    float clamp_low, clamp_high;
    uint32_t reserved; /* 0 */
} nnrt__matmul_args;

/* Products of the output; 0: too many. */
NNRT__FN uint64_t nnrt__matmul_batches(const nnrt__matmul_args *args) {
    uint64_t batches = 1;
    uint32_t i;
    for (i = 0; i < args->rank; i++) batches = nnrt__movement_product(batches, (uint64_t)args->dims[i], 1);
    return batches;
}

/* Do the strides stay inside `value`, which has matrices of rows * columns elements? */
NNRT__FN bool nnrt__matmul_reaches(const nnrt__matmul_args *args, const int32_t *steps, const nnrt__plan_value *value,
                                   uint64_t rows, uint64_t columns) {
    uint64_t last = 0;
    uint32_t i;
    for (i = 0; i < args->rank; i++) {
        if (steps[i] < 0) return false;
        last += (uint64_t)steps[i] * ((uint64_t)args->dims[i] - 1); /* sum of eight, each below 2^62 / 8 */
    }
    if (last >= (uint64_t)1 << 30) return false;
    return nnrt__movement_product(rows, columns, last + 1) == nnrt__value_count(value);
}

NNRT__FN bool nnrt__matmul_check(const nnrt__step_view *view, OH_NN_DataType dtype, uint32_t k_max) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    const nnrt__plan_value *a = nnrt__step_input(view, 0), *b = nnrt__step_input(view, 1);
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    uint64_t batches;
    uint32_t i;
    if (a == NULL || b == NULL || a->dtype != (uint32_t)dtype || b->dtype != (uint32_t)dtype ||
        out->dtype != (uint32_t)dtype)
        return false;
    if (args->rank > NNRT__MATMUL_RANK || args->m < 1 || args->n < 1 || args->k < 1 || args->k > k_max) return false;
    for (i = 0; i < args->rank; i++)
        if (args->dims[i] < 1 || args->dims[i] > 1 << 28) return false;
    batches = nnrt__matmul_batches(args);
    return batches != 0 && nnrt__movement_product(batches, args->m, args->n) == nnrt__value_count(out) &&
           nnrt__matmul_reaches(args, args->a_step, a, args->m, args->k) &&
           nnrt__matmul_reaches(args, args->b_step, b, args->n, args->k);
}

NNRT__FN bool nnrt__matmul_s8_check(const nnrt__step_view *view) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    return nnrt__matmul_check(view, OH_NN_INT8, NNRT__MATMUL_K_MAX) && nnrt__in_range(args->a_zero, -128, 127) &&
           nnrt__in_range(args->b_zero, -128, 127) && nnrt__in_range(args->output_zero_point, -128, 127) &&
           nnrt__in_range(args->shift, -31, 30) && args->multiplier >= 0 &&
           nnrt__in_range(args->clamp_min, -128, 127) && nnrt__in_range(args->clamp_max, args->clamp_min, 127);
}

NNRT__FN bool nnrt__matmul_s16_check(const nnrt__step_view *view) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    return nnrt__matmul_check(view, OH_NN_INT16, NNRT__MATMUL_S16_K_MAX) && args->a_zero == 0 && args->b_zero == 0 &&
           args->output_zero_point == 0 && nnrt__in_range(args->shift, -31, 7) && args->multiplier >= 0 &&
           nnrt__in_range(args->clamp_min, -32768, 32767) && nnrt__in_range(args->clamp_max, args->clamp_min, 32767);
}

NNRT__FN bool nnrt__matmul_f32_check(const nnrt__step_view *view) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    return nnrt__matmul_check(view, OH_NN_FLOAT32, NNRT__CONV_K_MAX) && args->clamp_low <= args->clamp_high;
}

/* Blocks of rows and of columns of one product. */
NNRT__FN uint32_t nnrt__matmul_row_blocks(const nnrt__matmul_args *args) {
    return (args->m - 1) / NNRT__MATMUL_ROWS + 1;
}
NNRT__FN uint32_t nnrt__matmul_column_blocks(const nnrt__matmul_args *args) {
    return (args->n - 1) / NNRT__MATMUL_COLUMNS + 1;
}

/* At most as many as elements of the output. */
NNRT__FN uint32_t nnrt__matmul_units(const nnrt__step_view *view) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    return (uint32_t)nnrt__matmul_batches(args) * nnrt__matmul_row_blocks(args) * nnrt__matmul_column_blocks(args);
}

NNRT__FN uint64_t nnrt__matmul_work(const nnrt__step_view *view) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    return (uint64_t)nnrt__value_count(nnrt__step_output(view, 0)) * args->k;
}

/* What one unit multiplies: the first row and column, and the numbers of the matrices. */
typedef struct nnrt__matmul_piece {
    size_t batch, a, b;
    size_t row, rows, column, columns;
} nnrt__matmul_piece;

NNRT__FN nnrt__matmul_piece nnrt__matmul_piece_of(const nnrt__matmul_args *args, uint32_t unit) {
    const uint32_t across = nnrt__matmul_column_blocks(args), down = nnrt__matmul_row_blocks(args);
    nnrt__matmul_piece piece = {0, 0, 0, 0, 0, 0, 0};
    size_t rest;
    uint32_t i;
    piece.column = (size_t)(unit % across) * NNRT__MATMUL_COLUMNS;
    piece.row = (size_t)(unit / across % down) * NNRT__MATMUL_ROWS;
    piece.rows = args->m - piece.row < NNRT__MATMUL_ROWS ? args->m - piece.row : NNRT__MATMUL_ROWS;
    piece.columns = args->n - piece.column < NNRT__MATMUL_COLUMNS ? args->n - piece.column : NNRT__MATMUL_COLUMNS;
    piece.batch = rest = unit / across / down;
    for (i = args->rank; i-- > 0;) {
        const size_t at = rest % (size_t)args->dims[i];
        rest /= (size_t)args->dims[i];
        piece.a += at * (size_t)args->a_step[i];
        piece.b += at * (size_t)args->b_step[i];
    }
    return piece;
}

NNRT__FN OH_NN_ReturnCode nnrt__matmul_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    const size_t m = args->m, n = args->n, k = args->k;
    uint32_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++) {
        const nnrt__matmul_piece piece = nnrt__matmul_piece_of(args, unit);
        nnrt__matmul_s8_args product;
        product.m = piece.rows;
        product.n = piece.columns;
        product.k = product.a_stride = product.b_stride = k;
        product.a = (const int8_t *)call->data[0] + (piece.a * m + piece.row) * k;
        product.b = (const int8_t *)call->data[1] + (piece.b * n + piece.column) * k;
        product.c = (int8_t *)call->data[2] + (piece.batch * m + piece.row) * n + piece.column;
        product.c_stride = n;
        product.a_zero = args->a_zero;
        product.b_zero = args->b_zero;
        product.multiplier = args->multiplier;
        product.shift = args->shift;
        product.output_zero_point = args->output_zero_point;
        product.clamp_min = args->clamp_min;
        product.clamp_max = args->clamp_max;
        nnrt__matmul_s8_scalar(&product);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__matmul_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    const size_t m = args->m, n = args->n, k = args->k;
    uint32_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++) {
        const nnrt__matmul_piece piece = nnrt__matmul_piece_of(args, unit);
        nnrt__matmul_s16_args product;
        product.m = piece.rows;
        product.n = piece.columns;
        product.k = product.a_stride = product.b_stride = k;
        product.a = (const int16_t *)call->data[0] + (piece.a * m + piece.row) * k;
        product.b = (const int16_t *)call->data[1] + (piece.b * n + piece.column) * k;
        product.c = (int16_t *)call->data[2] + (piece.batch * m + piece.row) * n + piece.column;
        product.c_stride = n;
        product.multiplier = args->multiplier;
        product.shift = args->shift;
        product.clamp_min = args->clamp_min;
        product.clamp_max = args->clamp_max;
        nnrt__matmul_s16_scalar(&product);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__matmul_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__matmul_args *args = (const nnrt__matmul_args *)view->arguments;
    const size_t m = args->m, n = args->n, k = args->k;
    uint32_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++) {
        const nnrt__matmul_piece piece = nnrt__matmul_piece_of(args, unit);
        const float *rows[NNRT__MATMUL_ROWS];
        nnrt__gemm_raw_f32_args product;
        size_t i;
        for (i = 0; i < piece.rows; i++) rows[i] = (const float *)call->data[0] + (piece.a * m + piece.row + i) * k;
        product.m = piece.rows;
        product.n = piece.columns;
        product.k = product.w_stride = k;
        product.a = rows;
        product.w = (const float *)call->data[1] + (piece.b * n + piece.column) * k;
        product.bias = NULL;
        product.c = (float *)call->data[2] + (piece.batch * m + piece.row) * n + piece.column;
        product.c_stride = n;
        product.clamp_min = args->clamp_low;
        product.clamp_max = args->clamp_high;
        view->kernels->gemm_raw_f32(&product);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__matmul_f32_isa(const nnrt__step_view *view) { return view->kernels->gemm_raw_f32_isa; }

NNRT__STEP_KIND(matmul_s8, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__matmul_args), CHECK(nnrt__matmul_s8_check),
                SCRATCH(NULL), UNITS(nnrt__matmul_units), ISA(NULL), RUN(nnrt__matmul_s8_run), WORK(nnrt__matmul_work),
                NOTHING_READY)

NNRT__STEP_KIND(matmul_f32, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__matmul_args), CHECK(nnrt__matmul_f32_check),
                SCRATCH(NULL), UNITS(nnrt__matmul_units), ISA(nnrt__matmul_f32_isa), RUN(nnrt__matmul_f32_run),
                WORK(nnrt__matmul_work), NOTHING_READY)

NNRT__STEP_KIND(matmul_s16, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__matmul_args), CHECK(nnrt__matmul_s16_check),
                SCRATCH(NULL), UNITS(nnrt__matmul_units), ISA(NULL), RUN(nnrt__matmul_s16_run), WORK(nnrt__matmul_work),
                NOTHING_READY)

#endif /* NNRT_CPU_STEPS_MATMUL_H */
