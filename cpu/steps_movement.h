/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_movement.h - steps that move, choose and reduce elements.   >>cpu_steps_movement

   Most operators of the family become one kind of step, the copy of a box: its arguments describe what it reads and
   writes, and check follows the loops to their extreme bytes. The other kinds store as few numbers as possible, and
   check compares these with the shapes of the operands. Ids: 0x3xx. */
#ifndef NNRT_CPU_STEPS_MOVEMENT_H
#define NNRT_CPU_STEPS_MOVEMENT_H

#include "plan.h"

#include "../kernels/copy_box_scalar.h"
#include "../kernels/copy_indexed_scalar.h"
#include "../kernels/reduce_axes_scalar.h"
#include "../kernels/reduce_top_scalar.h"
#include "../kernels/resize_bilinear_scalar.h"
#include "../kernels/sums_scalar.h"

/* a * b * c of numbers from a possibly hostile plan; 0 if above 2^62. */
NNRT__FN uint64_t nnrt__movement_product(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t most = (uint64_t)1 << 62;
    if (a == 0 || b == 0 || c == 0 || a > most / b || a * b > most / c) return 0;
    return a * b * c;
}

/* count, clamped to the range of work units. */
NNRT__FN uint32_t nnrt__movement_units(uint64_t count) { return count < 0x7fffffffu ? (uint32_t)count : 0x7fffffffu; }

/* -------------------------------------------------------------------------------------  0x300 copy

   Inputs: the source; a table of 256 bytes or none. Output: the destination, of which only the box is written. Source
   and destination are different values, anywhere in memory. Arguments: nnrt__box. */

/* Do all loops stay within 0..size? Their counts are bounded elsewhere. */
NNRT__FN bool nnrt__box_inside(uint32_t offset, uint32_t run, uint32_t rank, const int32_t *count, const int32_t *step,
                               uint64_t size) {
    const int64_t most = (int64_t)1 << 40;
    int64_t low = offset, high = offset;
    uint32_t i;
    for (i = 0; i < rank; i++) {
        const int64_t reach = (int64_t)step[i] * (count[i] - 1);
        if (reach < 0) low += reach;
        else high += reach;
        if (low < 0 || high > most) return false;
    }
    return (uint64_t)high + run <= size;
}

NNRT__FN bool nnrt__copy_check(const nnrt__step_view *view) {
    const nnrt__box *box = (const nnrt__box *)view->arguments;
    const nnrt__plan_value *src = nnrt__step_input(view, 0), *table = nnrt__step_input(view, 1);
    const nnrt__plan_value *dst = nnrt__step_output(view, 0);
    uint64_t written = box->run;
    uint32_t i;
    if (src == NULL || box->rank > NNRT__BOX_RANK || box->run < 1) return false;
    for (i = 0; i < box->rank; i++) {
        if (box->count[i] < 1) return false;
        written *= (uint64_t)box->count[i];    /* below 2^31 * 2^31 */
        if (written > dst->size) return false; /* if bytes could be written twice, a few loops could run for ever */
    }
    if (table != NULL && table->size != 256) return false;
    return nnrt__box_inside(box->src_offset, box->run, box->rank, box->count, box->src_step, src->size) &&
           nnrt__box_inside(box->dst_offset, box->run, box->rank, box->count, box->dst_step, dst->size);
}

/* Units: iterations of the outermost loop, if their writes do not overlap. */
NNRT__FN uint32_t nnrt__copy_units(const nnrt__step_view *view) {
    const nnrt__box *box = (const nnrt__box *)view->arguments;
    int64_t reach = box->run;
    uint32_t i;
    if (box->rank == 0) return 1;
    for (i = 1; i < box->rank; i++) {
        const int64_t step = box->dst_step[i];
        reach += (step < 0 ? -step : step) * (box->count[i] - 1);
    }
    return box->dst_step[0] >= reach ? (uint32_t)box->count[0] : 1;
}

/* Bytes, plus a cost per run, which matters if runs are short. */
NNRT__FN uint64_t nnrt__copy_work(const nnrt__step_view *view) {
    const nnrt__box *box = (const nnrt__box *)view->arguments;
    uint64_t runs = 1;
    uint32_t i;
    for (i = 0; i < box->rank; i++) runs *= (uint64_t)box->count[i];
    return runs * (2 + (uint64_t)box->run / 8);
}

NNRT__FN OH_NN_ReturnCode nnrt__copy_step_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__box *box = (const nnrt__box *)view->arguments;
    const uint8_t *table = view->input_count > 1 ? (const uint8_t *)call->data[1] : NULL;
    uint32_t first = call->first, last = call->last, chunk;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    if (call->first == 0 && call->last == 1 && box->rank != 0 && nnrt__copy_units(view) == 1)
        last = (uint32_t)box->count[0]; /* a single unit does all iterations */
    chunk = last;
    if (last > call->last) chunk = nnrt__chunk_of(nnrt__copy_work(view), last);
    for (; first < last && !nnrt__atomic_load(call->cancel); first = last - first > chunk ? first + chunk : last)
        nnrt__copy_box_scalar(box, call->data[view->input_count], call->data[0], table, first,
                              last - first > chunk ? first + chunk : last);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(copy, INPUTS(1, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__box), CHECK(nnrt__copy_check), SCRATCH(NULL),
                UNITS(nnrt__copy_units), ISA(NULL), RUN(nnrt__copy_step_run), WORK(nnrt__copy_work), NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x301 mirrored padding

   Input, output: any type of mirror.element_size bytes. Arguments: nnrt__mirror. */

NNRT__FN bool nnrt__mirror_check(const nnrt__step_view *view) {
    const nnrt__mirror *mirror = (const nnrt__mirror *)view->arguments;
    const nnrt__plan_value *src = nnrt__step_input(view, 0), *dst = nnrt__step_output(view, 0);
    uint32_t i;
    if (src == NULL || mirror->rank < 1 || mirror->rank > NNRT__MIRROR_RANK || mirror->edge > 1) return false;
    if (src->rank != mirror->rank || dst->rank != mirror->rank || src->dtype != dst->dtype) return false;
    if (mirror->element_size != nnrt__element_size((OH_NN_DataType)src->dtype)) return false;
    for (i = 0; i < mirror->rank; i++) {
        const int64_t most = (int64_t)mirror->dims[i] - 1 + mirror->edge;
        if (mirror->dims[i] != src->dims[i] || mirror->before[i] < 0 || mirror->after[i] < 0) return false;
        if (mirror->before[i] > most || mirror->after[i] > most) return false;
        if ((int64_t)mirror->dims[i] + mirror->before[i] + mirror->after[i] != dst->dims[i]) return false;
    }
    return true;
}

NNRT__FN uint32_t nnrt__mirror_units(const nnrt__step_view *view) {
    const nnrt__plan_value *dst = nnrt__step_output(view, 0);
    return nnrt__movement_units(nnrt__value_count(dst) / (size_t)dst->dims[dst->rank - 1]);
}

NNRT__FN OH_NN_ReturnCode nnrt__mirror_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__pad_mirror_scalar((const nnrt__mirror *)view->arguments, call->data[1], call->data[0], call->first,
                            call->last);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(pad_mirror, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__mirror), CHECK(nnrt__mirror_check),
                SCRATCH(NULL), UNITS(nnrt__mirror_units), ISA(NULL), RUN(nnrt__mirror_run), WORK(NULL), NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x310 reduction

   Input: dims of the arguments, in any grouping of its axes; output: its kept axes. FLOAT32 and INT32 (not ALL; L2 only
   FLOAT32) and INT8 and INT16 (not L2) keep their type; ALL takes any type and gives BOOL. */

NNRT__FN bool nnrt__reduce_check(const nnrt__step_view *view) {
    const nnrt__reduce_args *args = (const nnrt__reduce_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    uint64_t all = 1, kept = 1;
    uint32_t i;
    if (in == NULL || args->rank < 1 || args->rank > NNRT__REDUCE_RANK) return false;
    if (args->mask == 0 || args->mask >> args->rank != 0) return false;
    for (i = 0; i < args->rank; i++) {
        if (args->dims[i] < 1) return false;
        all = nnrt__movement_product(all, (uint64_t)args->dims[i], 1);
        if ((args->mask >> i & 1) == 0) kept *= (uint64_t)args->dims[i];
        if (all == 0 || all > (uint64_t)1 << 30) return false;
    }
    if (all != nnrt__value_count(in) || kept != nnrt__value_count(out)) return false;
    if (args->op == NNRT__REDUCE_ALL) return out->dtype == (uint32_t)OH_NN_BOOL;
    if (in->dtype != out->dtype) return false;
    switch (in->dtype) {
    case OH_NN_FLOAT32: return args->op <= NNRT__REDUCE_L2;
    case OH_NN_INT32: return args->op <= NNRT__REDUCE_PROD;
    case OH_NN_INT8: break;
    case OH_NN_INT16:
        if (args->input_zero_point != 0 || args->output_zero_point != 0) return false;
        break;
    default: return false;
    }
    return args->op <= NNRT__REDUCE_PROD && args->multiplier >= 0 && args->shift >= -31 &&
           args->shift <= (args->op == NNRT__REDUCE_PROD ? 7 : 30) && args->input_zero_point >= -128 &&
           args->input_zero_point <= 127 && args->output_zero_point >= -128 && args->output_zero_point <= 127;
}

NNRT__FN uint32_t nnrt__reduce_units(const nnrt__step_view *view) {
    return nnrt__movement_units(nnrt__value_count(nnrt__step_output(view, 0)));
}

/* Everything that is read. */
NNRT__FN uint64_t nnrt__reduce_work(const nnrt__step_view *view) {
    return 2 * (uint64_t)nnrt__value_count(nnrt__step_input(view, 0));
}

/* The bit of an element that does not count when it is tested for zero. */
NNRT__FN uint64_t nnrt__sign_bit(uint32_t dtype) {
    return dtype == (uint32_t)OH_NN_FLOAT16   ? 0x8000u
           : dtype == (uint32_t)OH_NN_FLOAT32 ? 0x80000000u
           : dtype == (uint32_t)OH_NN_FLOAT64 ? (uint64_t)1 << 63
                                              : 0;
}

/* Sums and means over neighbouring axes that are not the last ones: [outer][rows][columns] loses its rows. */
typedef struct nnrt__reduce_rows {
    size_t rows, columns;
} nnrt__reduce_rows;

#define NNRT__REDUCE_COLUMNS 64u /* whose sums are kept at a time */

/* Are there vectors for it? */
NNRT__FN bool nnrt__reduce_is_of_rows(const nnrt__reduce_args *args, uint32_t dtype, nnrt__reduce_rows *to) {
    bool ended = false;
    uint32_t axis;
    to->rows = to->columns = 1;
    for (axis = args->rank; axis-- > 0;) {
        const bool reduced = (args->mask >> axis & 1) != 0;
        if (args->dims[axis] == 1) continue;
        if (reduced && ended) return false;
        if (reduced) to->rows *= (size_t)args->dims[axis];
        else if (to->rows != 1) ended = true;
        else to->columns *= (size_t)args->dims[axis];
    }
    return (args->op == NNRT__REDUCE_SUM || args->op == NNRT__REDUCE_MEAN) && to->columns >= 4 &&
           to->rows <= (size_t)1 << 23 && /* of -128 are -2^30 */
           (dtype == (uint32_t)OH_NN_INT8 || dtype == (uint32_t)OH_NN_FLOAT32);
}

/* What the definitions in reduce_axes_scalar.h do, some columns at a time. */
NNRT__FN void nnrt__reduce_run_rows(const nnrt__step_view *view, const nnrt__step_call *call,
                                    const nnrt__reduce_rows *of) {
    const nnrt__reduce_args *args = (const nnrt__reduce_args *)view->arguments;
    const bool floats = view->operands[0]->dtype == (uint32_t)OH_NN_FLOAT32;
    const nnrt__stop stop = nnrt__call_stop(call);
    size_t at = call->first, n, looked = 0, i, row, rows;
    union {
        float f32[NNRT__REDUCE_COLUMNS];
        int32_t s32[NNRT__REDUCE_COLUMNS];
    } sums;
    for (; at < call->last; at += n) {
        const size_t column = at % of->columns, start = at / of->columns * of->rows * of->columns + column;
        n = of->columns - column < call->last - at ? of->columns - column : call->last - at;
        n = n < NNRT__REDUCE_COLUMNS ? n : NNRT__REDUCE_COLUMNS;
        memset(&sums, 0, sizeof sums);
        for (row = 0; row < of->rows; row += rows) {
            const size_t from = start + row * of->columns;
            rows = of->rows - row < NNRT__SUMS_S8_ROWS ? of->rows - row : NNRT__SUMS_S8_ROWS;
            if (floats) view->kernels->sums_f32((const float *)call->data[0] + from, of->columns, rows, n, sums.f32);
            else view->kernels->sums_s8((const int8_t *)call->data[0] + from, of->columns, rows, n, sums.s32);
            looked += rows * n;
            if (looked < NNRT__PIECE) continue;
            looked = 0;
            if (nnrt__is_stopped(&stop)) return;
        }
        for (i = 0; i < n; i++) {
            if (floats)
                ((float *)call->data[1])[at + i] =
                    (args->op == NNRT__REDUCE_MEAN ? sums.f32[i] / (float)of->rows : sums.f32[i]) * args->factor;
            else
                ((int8_t *)call->data[1])[at + i] =
                    nnrt__requantize_s8((uint32_t)sums.s32[i] - (uint32_t)args->input_zero_point * (uint32_t)of->rows,
                                        args->multiplier, args->shift, args->output_zero_point, -128, 127);
        }
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__reduce_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__reduce_args *args = (const nnrt__reduce_args *)view->arguments;
    const uint32_t dtype = nnrt__step_input(view, 0)->dtype;
    const void *in = call->data[0];
    void *out = call->data[1];
    const nnrt__stop stop = nnrt__call_stop(call);
    nnrt__reduce_rows rows;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    if (nnrt__reduce_is_of_rows(args, dtype, &rows)) nnrt__reduce_run_rows(view, call, &rows);
    else if (args->op == NNRT__REDUCE_ALL)
        nnrt__reduce_all_scalar(args, in, (uint8_t *)out, nnrt__element_size((OH_NN_DataType)dtype),
                                nnrt__sign_bit(dtype), call->first, call->last, &stop);
    else if (dtype == (uint32_t)OH_NN_FLOAT32)
        nnrt__reduce_f32_scalar(args, (const float *)in, (float *)out, call->first, call->last, &stop);
    else if (dtype == (uint32_t)OH_NN_INT32)
        nnrt__reduce_s32_scalar(args, (const int32_t *)in, (int32_t *)out, call->first, call->last, &stop);
    else if (args->op == NNRT__REDUCE_PROD && dtype == (uint32_t)OH_NN_INT16)
        nnrt__reduce_prod_s16_scalar(args, (const int16_t *)in, (int16_t *)out, call->first, call->last, &stop);
    else if (args->op == NNRT__REDUCE_PROD)
        nnrt__reduce_prod_s8_scalar(args, (const int8_t *)in, (int8_t *)out, call->first, call->last, &stop);
    else if (dtype == (uint32_t)OH_NN_INT16)
        nnrt__reduce_s16_scalar(args, (const int16_t *)in, (int16_t *)out, call->first, call->last, &stop);
    else nnrt__reduce_s8_scalar(args, (const int8_t *)in, (int8_t *)out, call->first, call->last, &stop);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__reduce_isa(const nnrt__step_view *view) {
    const uint32_t dtype = view->operands[0]->dtype;
    nnrt__reduce_rows rows;
    if (!nnrt__reduce_is_of_rows((const nnrt__reduce_args *)view->arguments, dtype, &rows)) return "scalar";
    return dtype == (uint32_t)OH_NN_INT8 ? view->kernels->sums_s8_isa : view->kernels->sums_f32_isa;
}

NNRT__STEP_KIND(reduce, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__reduce_args), CHECK(nnrt__reduce_check),
                SCRATCH(NULL), UNITS(nnrt__reduce_units), ISA(nnrt__reduce_isa), RUN(nnrt__reduce_run),
                WORK(nnrt__reduce_work), NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x320 largest elements

   Input: [outer, count, inner] in any grouping of its axes, FLOAT32, INT32, INT64, INT16, INT8, UINT8 or BOOL. Output
   0: values when `values`, else indices; output 1: indices, only after values. Indices are INT32 or INT64. */

typedef struct nnrt__step_top_args {
    nnrt__top_args top;
    uint32_t values;
} nnrt__step_top_args;

/* NNRT__TOP_* of a data type; false when there is none. */
NNRT__FN bool nnrt__top_type(uint32_t dtype, uint32_t *type) {
    switch (dtype) {
    case OH_NN_FLOAT32: *type = NNRT__TOP_F32; return true;
    case OH_NN_INT32: *type = NNRT__TOP_S32; return true;
    case OH_NN_INT64: *type = NNRT__TOP_S64; return true;
    case OH_NN_INT16: *type = NNRT__TOP_S16; return true;
    case OH_NN_INT8: *type = NNRT__TOP_S8; return true;
    case OH_NN_UINT8:
    case OH_NN_BOOL: *type = NNRT__TOP_U8; return true;
    default: return false;
    }
}

NNRT__FN bool nnrt__is_index(const nnrt__plan_value *value) {
    return value != NULL && (value->dtype == (uint32_t)OH_NN_INT32 || value->dtype == (uint32_t)OH_NN_INT64);
}

NNRT__FN bool nnrt__top_check(const nnrt__step_view *view) {
    const nnrt__step_top_args *args = (const nnrt__step_top_args *)view->arguments;
    const nnrt__top_args *top = &args->top;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *first = nnrt__step_output(view, 0);
    uint64_t results;
    uint32_t type;
    if (in == NULL || !nnrt__top_type(in->dtype, &type) || type != top->type || args->values > 1) return false;
    if (top->k < 1 || top->k > top->count || top->sorted > 1 || top->smallest > 1) return false;
    if (nnrt__movement_product(top->outer, top->count, top->inner) != nnrt__value_count(in)) return false;
    results = nnrt__movement_product(top->outer, top->k, top->inner);
    if (results != nnrt__value_count(first)) return false;
    if (args->values == 0) return view->output_count == 1 && nnrt__is_index(first);
    if (first->dtype != in->dtype) return false;
    if (view->output_count == 1) return true;
    return nnrt__is_index(view->operands[view->input_count + 1]) &&
           results == nnrt__value_count(view->operands[view->input_count + 1]);
}

NNRT__FN bool nnrt__top_scratch(const nnrt__step_view *view, size_t *bytes) {
    const nnrt__top_args *top = &((const nnrt__step_top_args *)view->arguments)->top;
    *bytes = 0;
    return top->k == 1 || nnrt__mul_size(top->count, sizeof(uint32_t), bytes);
}

NNRT__FN uint32_t nnrt__top_units(const nnrt__step_view *view) {
    const nnrt__top_args *top = &((const nnrt__step_top_args *)view->arguments)->top;
    return nnrt__movement_units((uint64_t)top->outer * top->inner);
}

/* Comparisons: count for one result, else count + k * log2(count) twice, of each lane. */
NNRT__FN uint64_t nnrt__top_work(const nnrt__step_view *view) {
    const nnrt__top_args *top = &((const nnrt__step_top_args *)view->arguments)->top;
    uint64_t each = top->count;
    uint32_t log = 0;
    while (top->count >> log > 1) log++;
    if (top->k > 1) each += 2 * ((uint64_t)top->count + (uint64_t)top->k * log);
    return 4 * each * top->outer * top->inner;
}

NNRT__FN OH_NN_ReturnCode nnrt__top_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__step_top_args *args = (const nnrt__step_top_args *)view->arguments;
    const uint32_t at = args->values == 0 ? 0 : 1;
    const nnrt__plan_value *index = at < view->output_count ? view->operands[view->input_count + at] : NULL;
    void *indices = index != NULL ? call->data[view->input_count + at] : NULL;
    const nnrt__stop stop = nnrt__call_stop(call);
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__reduce_top_scalar(&args->top, call->data[0], args->values != 0 ? call->data[view->input_count] : NULL,
                            indices, index != NULL && index->dtype == (uint32_t)OH_NN_INT64 ? 8 : 4,
                            (uint32_t *)call->scratch, call->first, call->last, &stop);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(top, INPUTS(1, 1), OUTPUTS(1, 2), ARGUMENTS(nnrt__step_top_args), CHECK(nnrt__top_check),
                SCRATCH(nnrt__top_scratch), UNITS(nnrt__top_units), ISA(NULL), RUN(nnrt__top_run), WORK(nnrt__top_work),
                NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x330 resize

   Input, output: rank 4 NHWC, FLOAT32, INT8 or INT16, of one batch and channel count. */

typedef struct nnrt__step_resize_args {
    nnrt__resize_args resize;
    uint32_t requantize; /* INT8 only: input and output have different quantizations */
} nnrt__step_resize_args;

NNRT__FN bool nnrt__resize_check(const nnrt__step_view *view) {
    const nnrt__step_resize_args *args = (const nnrt__step_resize_args *)view->arguments;
    const nnrt__resize_args *resize = &args->resize;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const OH_NN_DataType dtype = in != NULL ? (OH_NN_DataType)in->dtype : OH_NN_UNKNOWN;
    if (dtype != OH_NN_FLOAT32 && dtype != OH_NN_INT8 && dtype != OH_NN_INT16) return false;
    if (!nnrt__value_is(in, dtype, 4) || !nnrt__value_is(out, dtype, 4)) return false;
    if (in->dims[0] != out->dims[0] || in->dims[3] != out->dims[3] || in->dims[3] != resize->channels) return false;
    if (in->dims[1] != resize->in_height || in->dims[2] != resize->in_width) return false;
    if (out->dims[1] != resize->out_height || out->dims[2] != resize->out_width) return false;
    if (resize->mode > NNRT__RESIZE_HALF_PIXEL || args->requantize > (dtype == OH_NN_INT8 ? 1u : 0u)) return false;
    return resize->input_zero_point >= -128 && resize->input_zero_point <= 127 && resize->output_zero_point >= -128 &&
           resize->output_zero_point <= 127;
}

NNRT__FN uint32_t nnrt__resize_units(const nnrt__step_view *view) {
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    return nnrt__movement_units((uint64_t)out->dims[0] * (uint64_t)out->dims[1]);
}

NNRT__FN uint64_t nnrt__resize_work(const nnrt__step_view *view) {
    return 8 * (uint64_t)nnrt__value_count(nnrt__step_output(view, 0));
}

NNRT__FN OH_NN_ReturnCode nnrt__resize_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__step_resize_args *args = (const nnrt__step_resize_args *)view->arguments;
    const void *in = call->data[0];
    void *out = call->data[1];
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    if (nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_FLOAT32)
        nnrt__resize_bilinear_f32(&args->resize, view->kernels->blend_f32, (const float *)in, (float *)out, call->first,
                                  call->last);
    else if (nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_INT16)
        nnrt__resize_bilinear_s16_scalar(&args->resize, (const int16_t *)in, (int16_t *)out, call->first, call->last);
    else if (args->requantize != 0)
        nnrt__resize_bilinear_requantized_scalar(&args->resize, (const int8_t *)in, (int8_t *)out, call->first,
                                                 call->last);
    else
        nnrt__resize_bilinear_s8(&args->resize, view->kernels->blend_s8, (const int8_t *)in, (int8_t *)out, call->first,
                                 call->last);
    return OH_NN_SUCCESS;
}

/* int16 and int8 with two quantizations are portable C. */
NNRT__FN const char *nnrt__resize_isa(const nnrt__step_view *view) {
    const nnrt__step_resize_args *args = (const nnrt__step_resize_args *)view->arguments;
    const uint32_t dtype = nnrt__step_input(view, 0)->dtype;
    return dtype == (uint32_t)OH_NN_FLOAT32                          ? view->kernels->blend_f32_isa
           : dtype == (uint32_t)OH_NN_INT16 || args->requantize != 0 ? "scalar"
                                                                     : view->kernels->blend_s8_isa;
}

NNRT__STEP_KIND(resize_bilinear, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__step_resize_args),
                CHECK(nnrt__resize_check), SCRATCH(NULL), UNITS(nnrt__resize_units), ISA(nnrt__resize_isa),
                RUN(nnrt__resize_run), WORK(nnrt__resize_work), NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x340 gather

   Inputs: data of any type, indices INT32 or INT64. Output: of data's type. An index that is not there fails the
   run. */

typedef struct nnrt__gather_args {
    uint32_t outer, dim, inner; /* data as [outer, dim, inner] elements */
    uint32_t batches;           /* rows of indices; each is for outer / batches of outer, which it divides */
} nnrt__gather_args;

NNRT__FN bool nnrt__gather_check(const nnrt__step_view *view) {
    const nnrt__gather_args *args = (const nnrt__gather_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *indices = nnrt__step_input(view, 1);
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    if (in == NULL || !nnrt__is_index(indices) || in->dtype != out->dtype) return false;
    if (args->batches < 1 || args->outer % args->batches != 0 || nnrt__value_count(indices) % args->batches != 0)
        return false;
    return nnrt__movement_product(args->outer, args->dim, args->inner) == nnrt__value_count(in) &&
           nnrt__movement_product(args->outer, nnrt__value_count(indices) / args->batches, args->inner) ==
               nnrt__value_count(out);
}

/* Pieces of `inner` elements. */
NNRT__FN uint32_t nnrt__gather_units(const nnrt__step_view *view) {
    const nnrt__gather_args *args = (const nnrt__gather_args *)view->arguments;
    return nnrt__movement_units(nnrt__value_count(nnrt__step_output(view, 0)) / args->inner);
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__gather_args *args = (const nnrt__gather_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *indices = nnrt__step_input(view, 1);
    int64_t bad = 0;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    if (nnrt__gather_scalar(call->data[0], args->dim, args->inner * nnrt__element_size((OH_NN_DataType)in->dtype),
                            args->outer / args->batches, call->data[1],
                            nnrt__element_size((OH_NN_DataType)indices->dtype),
                            nnrt__value_count(indices) / args->batches, call->data[2], call->first, call->last, &bad))
        return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "GATHER: index %s%llu is outside an axis of %u elements",
                      bad < 0 ? "-" : "", bad < 0 ? 0ull - (unsigned long long)bad : (unsigned long long)bad,
                      args->dim);
}

NNRT__STEP_KIND(gather, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__gather_args), CHECK(nnrt__gather_check),
                SCRATCH(NULL), UNITS(nnrt__gather_units), ISA(NULL), RUN(nnrt__gather_run), WORK(NULL), NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x341 one-hot

   Inputs: indices [outer, inner] INT32 or INT64, on and off of one element. Output: [outer, depth, inner] of their
   type. */

typedef struct nnrt__one_hot_args {
    uint32_t outer, depth, inner;
    uint32_t reserved; /* 0 */
} nnrt__one_hot_args;

NNRT__FN bool nnrt__one_hot_check(const nnrt__step_view *view) {
    const nnrt__one_hot_args *args = (const nnrt__one_hot_args *)view->arguments;
    const nnrt__plan_value *indices = nnrt__step_input(view, 0), *on = nnrt__step_input(view, 1);
    const nnrt__plan_value *off = nnrt__step_input(view, 2), *out = nnrt__step_output(view, 0);
    if (!nnrt__is_index(indices) || on == NULL || off == NULL || on->dtype != out->dtype || off->dtype != out->dtype)
        return false;
    return nnrt__value_count(on) == 1 && nnrt__value_count(off) == 1 &&
           nnrt__movement_product(args->outer, args->inner, 1) == nnrt__value_count(indices) &&
           nnrt__movement_product(args->outer, args->depth, args->inner) == nnrt__value_count(out);
}

/* Rows of `inner` elements. */
NNRT__FN uint32_t nnrt__one_hot_units(const nnrt__step_view *view) {
    const nnrt__one_hot_args *args = (const nnrt__one_hot_args *)view->arguments;
    return nnrt__movement_units(nnrt__value_count(nnrt__step_output(view, 0)) / args->inner);
}

NNRT__FN OH_NN_ReturnCode nnrt__one_hot_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__one_hot_args *args = (const nnrt__one_hot_args *)view->arguments;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__one_hot_scalar(call->data[0], nnrt__element_size((OH_NN_DataType)nnrt__step_input(view, 0)->dtype),
                         args->depth, args->inner, call->data[1], call->data[2],
                         nnrt__element_size((OH_NN_DataType)nnrt__step_output(view, 0)->dtype), call->data[3],
                         call->first, call->last);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(one_hot, INPUTS(3, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__one_hot_args), CHECK(nnrt__one_hot_check),
                SCRATCH(NULL), UNITS(nnrt__one_hot_units), ISA(NULL), RUN(nnrt__one_hot_run), WORK(NULL), NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x342 select

   Inputs: condition BOOL, a and b of the output's type, broadcast by strides. Arguments: nnrt__select_args. */

NNRT__FN bool nnrt__select_reaches(const nnrt__select_args *args, const int32_t *strides,
                                   const nnrt__plan_value *value) {
    const uint64_t count = nnrt__value_count(value);
    uint64_t reach = 0;
    uint32_t i;
    for (i = 0; i < args->rank; i++) {
        if (strides[i] < 0) return false;
        reach += (uint64_t)strides[i] * ((uint64_t)args->dims[i] - 1);
        if (reach >= count) return false;
    }
    return reach < count;
}

NNRT__FN bool nnrt__select_check(const nnrt__step_view *view) {
    const nnrt__select_args *args = (const nnrt__select_args *)view->arguments;
    const nnrt__plan_value *condition = nnrt__step_input(view, 0), *a = nnrt__step_input(view, 1);
    const nnrt__plan_value *b = nnrt__step_input(view, 2), *out = nnrt__step_output(view, 0);
    uint64_t count = 1;
    uint32_t i;
    if (condition == NULL || a == NULL || b == NULL || condition->dtype != (uint32_t)OH_NN_BOOL) return false;
    if (a->dtype != out->dtype || b->dtype != out->dtype || args->rank > NNRT__SELECT_RANK) return false;
    if (args->element_size != nnrt__element_size((OH_NN_DataType)out->dtype)) return false;
    for (i = 0; i < args->rank; i++) {
        if (args->dims[i] < 1) return false;
        count = nnrt__movement_product(count, (uint64_t)args->dims[i], 1);
    }
    return count == nnrt__value_count(out) && nnrt__select_reaches(args, args->condition, condition) &&
           nnrt__select_reaches(args, args->a, a) && nnrt__select_reaches(args, args->b, b);
}

/* Pieces of 4096 elements. */
NNRT__FN uint32_t nnrt__select_units(const nnrt__step_view *view) {
    return nnrt__movement_units(((uint64_t)nnrt__value_count(nnrt__step_output(view, 0)) + 4095) / 4096);
}

NNRT__FN uint64_t nnrt__select_work(const nnrt__step_view *view) {
    return 16 * (uint64_t)nnrt__value_count(nnrt__step_output(view, 0));
}

NNRT__FN OH_NN_ReturnCode nnrt__select_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const size_t count = nnrt__value_count(nnrt__step_output(view, 0));
    const size_t last = count / 4096 < call->last ? count : (size_t)call->last * 4096;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__select_scalar((const nnrt__select_args *)view->arguments, (const uint8_t *)call->data[0], call->data[1],
                        call->data[2], call->data[3], (size_t)call->first * 4096, last);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(select, INPUTS(3, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__select_args), CHECK(nnrt__select_check),
                SCRATCH(NULL), UNITS(nnrt__select_units), ISA(NULL), RUN(nnrt__select_run), WORK(nnrt__select_work),
                NOTHING_READY)

#endif /* NNRT_CPU_STEPS_MOVEMENT_H */
