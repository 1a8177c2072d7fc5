/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_rows.h - steps over rows: softmax, normalisations, scaling per channel.   >>cpu_steps_rows

   A shape is treated as [outer][n][inner]: the axes before, in and after the range in the arguments. A row is n
   elements, `inner` apart; a work unit is as many whole rows as make about a chunk. */
#ifndef NNRT_CPU_STEPS_ROWS_H
#define NNRT_CPU_STEPS_ROWS_H

#include "../kernels/softmax_f32_scalar.h"
#include "../kernels/l2_s8_scalar.h"
#include "../kernels/softmax_s8_scalar.h"
#include "steps_unary.h"

typedef struct nnrt__rows {
    size_t outer, n, inner;
} nnrt__rows;

/* Axes first .. end-1, with first <= end <= rank. */
NNRT__FN nnrt__rows nnrt__rows_of(const nnrt__plan_value *value, uint32_t first, uint32_t end) {
    nnrt__rows rows = {1, 1, 1};
    uint32_t k;
    for (k = 0; k < value->rank; k++) {
        size_t *to = k < first ? &rows.outer : k < end ? &rows.n : &rows.inner;
        *to *= (size_t)value->dims[k];
    }
    return rows;
}

/* Work units of `count` rows of n elements, and the rows of one. Without threads all rows are one. */
NNRT__INLINE size_t nnrt__rows_per_unit(size_t n) { return n >= NNRT__CHUNK ? 1 : NNRT__CHUNK / n; }

NNRT__INLINE uint32_t nnrt__row_units(size_t count, size_t n) {
    const size_t each = nnrt__rows_per_unit(n);
    return NNRT__HAS_THREADS ? (uint32_t)(count / each + (count % each != 0)) : 1;
}

NNRT__INLINE void nnrt__row_range(const nnrt__step_call *call, size_t count, size_t n, size_t *begin, size_t *end) {
    const size_t each = nnrt__rows_per_unit(n);
    *begin = NNRT__HAS_THREADS ? (size_t)call->first * each : 0;
    *end = !NNRT__HAS_THREADS || count / each < call->last ? count : (size_t)call->last * each;
}

/* First element of row r. */
NNRT__INLINE size_t nnrt__row_start(const nnrt__rows *rows, size_t r) {
    return r / rows->inner * rows->n * rows->inner + r % rows->inner;
}

/* Softmax and normalisations pass over their rows several times. */
NNRT__FN uint64_t nnrt__row_work(const nnrt__step_view *view) {
    return 8 * (uint64_t)nnrt__value_count(nnrt__step_output(view, 0));
}

/* ------------------------------------------------------------------------------------- softmax and its kin,
   float */

typedef enum nnrt__row_kind {
    NNRT__ROW_SOFTMAX,
    NNRT__ROW_LOG_SOFTMAX,
    NNRT__ROW_L2_NORMALIZE,
    NNRT__ROW_KINDS
} nnrt__row_kind;

typedef struct nnrt__row_args {
    uint32_t kind;
    uint32_t first, end; /* axes of a row */
    uint32_t clamps;     /* L2_NORMALIZE, as the rest */
    float epsilon, clamp_min, clamp_max;
    uint32_t reserved;
} nnrt__row_args;

NNRT__FN bool nnrt__row_axes_fit(const nnrt__plan_value *value, uint32_t first, uint32_t end) {
    return first <= end && end <= value->rank;
}

NNRT__FN bool nnrt__row_f32_check(const nnrt__step_view *view) {
    const nnrt__row_args *args = (const nnrt__row_args *)view->arguments;
    return nnrt__same_count(view) && nnrt__value_has_dtype(view->operands[0], OH_NN_FLOAT32) &&
           nnrt__value_has_dtype(view->operands[1], OH_NN_FLOAT32) && args->kind < NNRT__ROW_KINDS &&
           nnrt__row_axes_fit(view->operands[0], args->first, args->end);
}

NNRT__FN uint32_t nnrt__row_f32_units(const nnrt__step_view *view) {
    const nnrt__row_args *args = (const nnrt__row_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    return nnrt__row_units(rows.outer * rows.inner, rows.n);
}

NNRT__FN OH_NN_ReturnCode nnrt__row_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__row_args *args = (const nnrt__row_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    nnrt__stop room;
    const nnrt__stop *stop = nnrt__row_stop(call, rows.n, &room);
    size_t r, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, rows.outer * rows.inner, rows.n, &r, &end);
    for (; r < end; r++) {
        const float *in = (const float *)call->data[0] + nnrt__row_start(&rows, r);
        float *out = (float *)call->data[1] + nnrt__row_start(&rows, r);
        if (args->kind == NNRT__ROW_SOFTMAX) view->kernels->softmax_f32(in, out, rows.n, rows.inner, stop);
        else if (args->kind == NNRT__ROW_LOG_SOFTMAX) nnrt__log_softmax_f32_scalar(in, out, rows.n, rows.inner, stop);
        else
            nnrt__l2_normalize_f32_scalar(in, out, rows.n, rows.inner, args->epsilon, args->clamps != 0,
                                          args->clamp_min, args->clamp_max, stop);
    }
    return OH_NN_SUCCESS;
}

/* Vectors are there for softmax over the last axis. */
NNRT__FN const char *nnrt__row_f32_isa(const nnrt__step_view *view) {
    const nnrt__row_args *args = (const nnrt__row_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    return args->kind == NNRT__ROW_SOFTMAX && rows.inner == 1 ? view->kernels->softmax_f32_isa : "scalar";
}

NNRT__STEP_KIND(row_f32, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__row_args), CHECK(nnrt__row_f32_check),
                SCRATCH(NULL), UNITS(nnrt__row_f32_units), ISA(nnrt__row_f32_isa), RUN(nnrt__row_f32_run),
                WORK(nnrt__row_work), NOTHING_READY)

/* ------------------------------------------------------------------------------------- softmax, int8: input,
   table */

typedef struct nnrt__softmax_s8_args {
    uint32_t axis;
    uint32_t reserved;
} nnrt__softmax_s8_args;

NNRT__FN bool nnrt__softmax_s8_check(const nnrt__step_view *view) {
    const nnrt__softmax_s8_args *args = (const nnrt__softmax_s8_args *)view->arguments;
    return nnrt__same_count(view) && nnrt__value_has_dtype(view->operands[0], OH_NN_INT8) &&
           nnrt__value_is(view->operands[1], OH_NN_INT32, 1) && view->operands[1]->dims[0] == 256 &&
           (nnrt__value_has_dtype(view->operands[2], OH_NN_INT8) ||
            nnrt__value_has_dtype(view->operands[2], OH_NN_INT16)) &&
           args->axis < view->operands[0]->rank;
}

NNRT__FN uint32_t nnrt__softmax_s8_units(const nnrt__step_view *view) {
    const nnrt__softmax_s8_args *args = (const nnrt__softmax_s8_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->axis, args->axis + 1);
    return nnrt__row_units(rows.outer * rows.inner, rows.n);
}

/* No slot of the table, which would be memory of every plan: a program with kernels for Helium has these alone. */
#if NNRT__HAVE_CORTEX_M55
#define NNRT__SOFTMAX_S8(name) \
    ((NNRT__LEVELS_WANTED & (unsigned)NNRT__ISA_CORTEX_M55) != 0 ? name##_cortex_m55 : name##_scalar)
#else
#define NNRT__SOFTMAX_S8(name) name##_scalar
#endif

NNRT__FN OH_NN_ReturnCode nnrt__softmax_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__softmax_s8_args *args = (const nnrt__softmax_s8_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->axis, args->axis + 1);
    nnrt__stop room;
    const nnrt__stop *stop = nnrt__row_stop(call, rows.n, &room);
    size_t r, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, rows.outer * rows.inner, rows.n, &r, &end);
    for (; r < end; r++) {
        const size_t start = nnrt__row_start(&rows, r);
        const int32_t *table = (const int32_t *)call->data[1];
        const int8_t *in = (const int8_t *)call->data[0] + start;
        if (view->operands[2]->dtype == (uint32_t)OH_NN_INT8)
            NNRT__SOFTMAX_S8(nnrt__softmax_s8)(table, in, (int8_t *)call->data[2] + start, rows.n, rows.inner, stop);
        else NNRT__SOFTMAX_S8(nnrt__softmax_s8_to_s16)
        (table, in, (int16_t *)call->data[2] + start, rows.n, rows.inner, stop);
    }
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(softmax_s8, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__softmax_s8_args),
                CHECK(nnrt__softmax_s8_check), SCRATCH(NULL), UNITS(nnrt__softmax_s8_units), ISA(NULL),
                RUN(nnrt__softmax_s8_run), WORK(nnrt__row_work), NOTHING_READY)

/* ------------------------------------------------------------------------------------- softmax, int8, of a few
   elements: no table */

typedef struct nnrt__softmax_few_s8_args {
    uint32_t axis; /* all behind it are 1 */
    nnrt__softmax_s8_scale scale;
} nnrt__softmax_few_s8_args;

NNRT__FN bool nnrt__softmax_few_s8_check(const nnrt__step_view *view) {
    const nnrt__softmax_few_s8_args *args = (const nnrt__softmax_few_s8_args *)view->arguments;
    nnrt__rows rows;
    if (!nnrt__same_count(view) || !nnrt__value_has_dtype(view->operands[0], OH_NN_INT8) ||
        !nnrt__value_has_dtype(view->operands[1], OH_NN_INT8) || args->axis >= view->operands[0]->rank)
        return false;
    rows = nnrt__rows_of(view->operands[0], args->axis, args->axis + 1);
    return rows.n <= NNRT__SOFTMAX_S8_FEW && rows.inner == 1 && nnrt__softmax_s8_scale_is_right(&args->scale);
}

NNRT__FN uint32_t nnrt__softmax_few_s8_units(const nnrt__step_view *view) {
    const nnrt__softmax_few_s8_args *args = (const nnrt__softmax_few_s8_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->axis, args->axis + 1);
    return nnrt__row_units(rows.outer, rows.n);
}

NNRT__FN OH_NN_ReturnCode nnrt__softmax_few_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__softmax_few_s8_args *args = (const nnrt__softmax_few_s8_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->axis, args->axis + 1);
    size_t r, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, rows.outer, rows.n, &r, &end);
    for (; r < end; r++)
        nnrt__softmax_few_s8_scalar(&args->scale, (const int8_t *)call->data[0] + r * rows.n,
                                    (int8_t *)call->data[1] + r * rows.n, rows.n);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(softmax_few_s8, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__softmax_few_s8_args),
                CHECK(nnrt__softmax_few_s8_check), SCRATCH(NULL), UNITS(nnrt__softmax_few_s8_units), ISA(NULL),
                RUN(nnrt__softmax_few_s8_run), WORK(nnrt__row_work), NOTHING_READY)

/* ------------------------------------------------------------------------------------- L2 norm, int8

   Rows are the axes from `first` up to `end`. */

typedef struct nnrt__l2_s8_args {
    uint32_t first, end;
    int32_t zero_point; /* of the input */
    uint32_t reserved;
} nnrt__l2_s8_args;

NNRT__FN bool nnrt__l2_s8_check(const nnrt__step_view *view) {
    const nnrt__l2_s8_args *args = (const nnrt__l2_s8_args *)view->arguments;
    return nnrt__same_count(view) && nnrt__value_has_dtype(view->operands[0], OH_NN_INT8) &&
           nnrt__value_has_dtype(view->operands[1], OH_NN_INT8) && args->first <= args->end &&
           args->end <= view->operands[0]->rank && nnrt__is_byte_quantity(args->zero_point) &&
           nnrt__rows_of(view->operands[0], args->first, args->end).n <= NNRT__L2_S8_MOST;
}

NNRT__FN uint32_t nnrt__l2_s8_units(const nnrt__step_view *view) {
    const nnrt__l2_s8_args *args = (const nnrt__l2_s8_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    return nnrt__row_units(rows.outer * rows.inner, rows.n);
}

NNRT__FN OH_NN_ReturnCode nnrt__l2_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__l2_s8_args *args = (const nnrt__l2_s8_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    size_t r, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, rows.outer * rows.inner, rows.n, &r, &end);
    for (; r < end; r++)
        nnrt__l2_normalize_s8_scalar(args->zero_point, (const int8_t *)call->data[0] + nnrt__row_start(&rows, r),
                                     (int8_t *)call->data[1] + nnrt__row_start(&rows, r), rows.n, rows.inner);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(l2_s8, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__l2_s8_args), CHECK(nnrt__l2_s8_check),
                SCRATCH(NULL), UNITS(nnrt__l2_s8_units), ISA(NULL), RUN(nnrt__l2_s8_run), WORK(nnrt__row_work),
                NOTHING_READY)

/* ------------------------------------------------------------------------------------- normalisation: input,
   scale, bias

   Layer: a row is the axes from `axis` on, and each of its elements has its own scale and bias. Instance: a
   row is all axes but the first and `axis` (1, or the last), and each index of `axis` has one scale and bias.
 */

typedef struct nnrt__normalize_args {
    uint32_t instance; /* 0: layer */
    uint32_t axis;
    float epsilon;
    uint32_t reserved;
} nnrt__normalize_args;

/* The rows; *scales is the count of scales. Instance: outer is the batch times the channels when they stand
   first. */
NNRT__FN nnrt__rows nnrt__normalize_rows(const nnrt__plan_value *in, const nnrt__normalize_args *args, size_t *scales) {
    nnrt__rows rows;
    if (args->instance == 0) {
        rows = nnrt__rows_of(in, args->axis, in->rank);
        *scales = rows.n;
    } else if (args->axis == 1) {
        rows = nnrt__rows_of(in, 2, in->rank);
        *scales = (size_t)in->dims[1];
    } else {
        rows = nnrt__rows_of(in, 1, in->rank - 1);
        *scales = rows.inner;
    }
    return rows;
}

NNRT__FN bool nnrt__normalize_check(const nnrt__step_view *view) {
    const nnrt__normalize_args *args = (const nnrt__normalize_args *)view->arguments;
    const nnrt__plan_value *in = view->operands[0];
    uint32_t k;
    size_t scales;
    if (!nnrt__same_count(view) || args->axis >= in->rank) return false;
    if (args->instance != 0 && (in->rank < 2 || (args->axis != 1 && args->axis != in->rank - 1))) return false;
    for (k = 0; k < 4; k++)
        if (!nnrt__value_has_dtype(view->operands[k], OH_NN_FLOAT32)) return false;
    (void)nnrt__normalize_rows(in, args, &scales);
    return nnrt__value_count(view->operands[1]) == scales && nnrt__value_count(view->operands[2]) == scales;
}

NNRT__FN uint32_t nnrt__normalize_units(const nnrt__step_view *view) {
    size_t scales;
    const nnrt__rows rows =
        nnrt__normalize_rows(view->operands[0], (const nnrt__normalize_args *)view->arguments, &scales);
    return nnrt__row_units(rows.outer * rows.inner, rows.n);
}

NNRT__FN OH_NN_ReturnCode nnrt__normalize_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__normalize_args *args = (const nnrt__normalize_args *)view->arguments;
    size_t scales, r, end;
    const nnrt__rows rows = nnrt__normalize_rows(view->operands[0], args, &scales);
    nnrt__stop room;
    const nnrt__stop *stop = nnrt__row_stop(call, rows.n, &room);
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, rows.outer * rows.inner, rows.n, &r, &end);
    for (; r < end; r++) {
        const size_t start = nnrt__row_start(&rows, r), channel = args->instance != 0 ? r % scales : 0;
        nnrt__normalize_f32_scalar((const float *)call->data[0] + start, (const float *)call->data[1] + channel,
                                   (const float *)call->data[2] + channel, args->instance != 0 ? 0 : 1, args->epsilon,
                                   (float *)call->data[3] + start, rows.n, rows.inner, stop);
    }
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(normalize_f32, INPUTS(3, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__normalize_args),
                CHECK(nnrt__normalize_check), SCRATCH(NULL), UNITS(nnrt__normalize_units), ISA(NULL),
                RUN(nnrt__normalize_run), WORK(nnrt__row_work), NOTHING_READY)

/* -------------------------------------------------------------------------- local response, float: input

   A row is the last axis. */

typedef struct nnrt__lrn_args {
    uint32_t radius; /* at most the elements of a row */
    float bias, alpha, beta;
} nnrt__lrn_args;

NNRT__FN nnrt__rows nnrt__lrn_rows(const nnrt__plan_value *value) {
    return nnrt__rows_of(value, value->rank == 0 ? 0 : value->rank - 1, value->rank);
}

NNRT__FN bool nnrt__lrn_check(const nnrt__step_view *view) {
    const nnrt__lrn_args *args = (const nnrt__lrn_args *)view->arguments;
    return nnrt__same_count(view) && nnrt__value_has_dtype(view->operands[0], OH_NN_FLOAT32) &&
           nnrt__value_has_dtype(view->operands[1], OH_NN_FLOAT32) &&
           args->radius <= nnrt__lrn_rows(view->operands[0]).n;
}

NNRT__FN uint32_t nnrt__lrn_units(const nnrt__step_view *view) {
    const nnrt__rows rows = nnrt__lrn_rows(view->operands[0]);
    return nnrt__row_units(rows.outer, rows.n);
}

/* A power is about 60 products. */
NNRT__FN uint64_t nnrt__lrn_work(const nnrt__step_view *view) {
    const nnrt__lrn_args *args = (const nnrt__lrn_args *)view->arguments;
    return (uint64_t)nnrt__value_count(view->operands[0]) * (60 + 2 * (uint64_t)args->radius);
}

NNRT__FN OH_NN_ReturnCode nnrt__lrn_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__lrn_args *args = (const nnrt__lrn_args *)view->arguments;
    const nnrt__rows rows = nnrt__lrn_rows(view->operands[0]);
    const nnrt__stop stop = nnrt__call_stop(call);
    size_t r, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, rows.outer, rows.n, &r, &end);
    for (; r < end; r++)
        nnrt__lrn_f32_scalar((const float *)call->data[0] + r * rows.n, (float *)call->data[1] + r * rows.n, rows.n,
                             args->radius, args->bias, args->alpha, args->beta, &stop);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(lrn_f32, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__lrn_args), CHECK(nnrt__lrn_check), SCRATCH(NULL),
                UNITS(nnrt__lrn_units), ISA(NULL), RUN(nnrt__lrn_run), WORK(nnrt__lrn_work), NOTHING_READY)

/* ---------------------------------------------------------------------- scaling per channel: input, mean,
   scale, bias

   The axes first .. end-1 are the channels, each with (x - mean) * scale + bias. */

typedef struct nnrt__affine_args {
    uint32_t first, end;
    uint32_t clamps;
    float clamp_min, clamp_max;
    uint32_t reserved;
} nnrt__affine_args;

NNRT__FN bool nnrt__affine_check(const nnrt__step_view *view) {
    const nnrt__affine_args *args = (const nnrt__affine_args *)view->arguments;
    nnrt__rows rows;
    uint32_t k;
    if (!nnrt__same_count(view) || !nnrt__row_axes_fit(view->operands[0], args->first, args->end)) return false;
    for (k = 0; k < 5; k++)
        if (!nnrt__value_has_dtype(view->operands[k], OH_NN_FLOAT32)) return false;
    rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    for (k = 1; k < 4; k++)
        if (nnrt__value_count(view->operands[k]) != rows.n) return false;
    return true;
}

/* Channels last: a row is all channels; else a row is what one channel has in one place of outer. */
NNRT__FN uint32_t nnrt__affine_units(const nnrt__step_view *view) {
    const nnrt__affine_args *args = (const nnrt__affine_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    return rows.inner == 1 ? nnrt__row_units(rows.outer, rows.n) : nnrt__row_units(rows.outer * rows.n, rows.inner);
}

NNRT__FN OH_NN_ReturnCode nnrt__affine_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__affine_args *args = (const nnrt__affine_args *)view->arguments;
    const nnrt__rows rows = nnrt__rows_of(view->operands[0], args->first, args->end);
    const bool last = rows.inner == 1;
    const size_t length = last ? rows.n : rows.inner;
    const float *mean = (const float *)call->data[1], *scale = (const float *)call->data[2];
    const float *bias = (const float *)call->data[3];
    size_t r, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__row_range(call, last ? rows.outer : rows.outer * rows.n, length, &r, &end);
    for (; r < end; r++) {
        const float *in = (const float *)call->data[0] + r * length;
        float *out = (float *)call->data[4] + r * length;
        const size_t channel = r % rows.n;
        if (last)
            nnrt__affine_row_f32_scalar(in, mean, scale, bias, out, length, args->clamps != 0, args->clamp_min,
                                        args->clamp_max);
        else
            nnrt__affine_f32_scalar(in, mean[channel], scale[channel], bias[channel], out, length, args->clamps != 0,
                                    args->clamp_min, args->clamp_max);
    }
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(affine_f32, INPUTS(4, 4), OUTPUTS(1, 1), ARGUMENTS(nnrt__affine_args), CHECK(nnrt__affine_check),
                SCRATCH(NULL), UNITS(nnrt__affine_units), ISA(NULL), RUN(nnrt__affine_run), WORK(NULL), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_ROWS_H */
