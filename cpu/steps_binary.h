/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_binary.h - steps of two operands with broadcasting, and what all elementwise steps share.
   >>cpu_steps_binary

   No geometry is stored: every call computes the strides from the dims of the operands, which costs less than a chunk
   of work and leaves nothing for check to verify. */
#ifndef NNRT_CPU_STEPS_BINARY_H
#define NNRT_CPU_STEPS_BINARY_H

#include "../kernels/binary_int_scalar.h"
#include "../kernels/binary_s8_scalar.h"
#include "plan.h"

/* ------------------------------------------------------------------------------------- chunks

   A work unit is a chunk of elements of the output, the same for any number of threads. */

#define NNRT__CHUNK 4096u

NNRT__FN uint32_t nnrt__chunk_units(const nnrt__step_view *view) {
    const size_t count = nnrt__value_count(nnrt__step_output(view, 0));
    return (uint32_t)(count / NNRT__CHUNK + (count % NNRT__CHUNK != 0));
}

/* The elements [*begin, *end) of this call. */
NNRT__INLINE void nnrt__chunk_range(const nnrt__step_view *view, const nnrt__step_call *call, size_t *begin,
                                    size_t *end) {
    const size_t count = nnrt__value_count(nnrt__step_output(view, 0));
    *begin = (size_t)call->first * NNRT__CHUNK;
    *end = count / NNRT__CHUNK < call->last ? count : (size_t)call->last * NNRT__CHUNK;
}

/* The data of an operand from element `at` on. */
NNRT__INLINE void *nnrt__element_at(const nnrt__step_view *view, const nnrt__step_call *call, uint32_t operand,
                                    size_t at) {
    return (uint8_t *)call->data[operand] + at * nnrt__element_size((OH_NN_DataType)view->operands[operand]->dtype);
}

NNRT__INLINE bool nnrt__value_has_dtype(const nnrt__plan_value *value, OH_NN_DataType dtype) {
    return value != NULL && value->dtype == (uint32_t)dtype;
}

/* ------------------------------------------------------------------------------------------- broadcasting */

typedef struct nnrt__broadcast {
    uint32_t rank; /* >= 1 */
    size_t dims[NNRT_MAX_RANK];
    size_t steps[2][NNRT_MAX_RANK]; /* of each operand, in elements; the last ones are 0 or 1 */
} nnrt__broadcast;

/* Dim of axis `k`, counted from the last; 1 where the value has none. */
NNRT__INLINE size_t nnrt__dim_from_last(const nnrt__plan_value *value, uint32_t k) {
    return k < value->rank ? (size_t)value->dims[value->rank - 1 - k] : 1;
}

/* Can in be broadcast to out? */
NNRT__FN bool nnrt__broadcast_fits(const nnrt__plan_value *in, const nnrt__plan_value *out) {
    uint32_t k;
    if (in == NULL || out == NULL) return false;
    for (k = 0; k < in->rank || k < out->rank; k++) {
        const size_t dim = nnrt__dim_from_last(in, k);
        if (dim != 1 && dim != nnrt__dim_from_last(out, k)) return false;
    }
    return true;
}

/* For operands that fit. Merges neighbouring axes that each operand crosses with one stride. */
NNRT__FN void nnrt__broadcast_make(const nnrt__plan_value *a, const nnrt__plan_value *b, const nnrt__plan_value *out,
                                   nnrt__broadcast *g) {
    const nnrt__plan_value *in[2];
    size_t strides[2] = {1, 1}, dims[NNRT_MAX_RANK], steps[2][NNRT_MAX_RANK];
    uint32_t k, j, rank = 0;
    in[0] = a;
    in[1] = b;
    for (k = 0; k < out->rank; k++) { /* from the last axis to the first */
        const size_t dim = nnrt__dim_from_last(out, k);
        size_t step[2];
        if (dim == 1) continue;
        for (j = 0; j < 2; j++) {
            const size_t own = nnrt__dim_from_last(in[j], k);
            step[j] = own == 1 ? 0 : strides[j];
            strides[j] *= own;
        }
        if (rank != 0 && step[0] == steps[0][rank - 1] * dims[rank - 1] &&
            step[1] == steps[1][rank - 1] * dims[rank - 1]) {
            dims[rank - 1] *= dim;
            continue;
        }
        dims[rank] = dim;
        steps[0][rank] = step[0];
        steps[1][rank] = step[1];
        rank++;
    }
    if (rank == 0) {
        dims[0] = 1;
        steps[0][0] = steps[1][0] = 0;
        rank = 1;
    }
    g->rank = rank;
    for (k = 0; k < rank; k++) {
        g->dims[rank - 1 - k] = dims[k];
        g->steps[0][rank - 1 - k] = steps[0][k];
        g->steps[1][rank - 1 - k] = steps[1][k];
    }
}

/* The run of elements that begins at element `at` of the output and stays within one row and before `end`: its length,
   and where the operands begin. */
NNRT__FN size_t nnrt__broadcast_run(const nnrt__broadcast *g, size_t at, size_t end, size_t *a, size_t *b) {
    const uint32_t last = g->rank - 1;
    const size_t column = at % g->dims[last];
    size_t rest = at / g->dims[last], n = g->dims[last] - column;
    uint32_t k;
    *a = column * g->steps[0][last];
    *b = column * g->steps[1][last];
    for (k = last; k > 0; k--) {
        const size_t index = rest % g->dims[k - 1];
        rest /= g->dims[k - 1];
        *a += index * g->steps[0][k - 1];
        *b += index * g->steps[1][k - 1];
    }
    return n < end - at ? n : end - at;
}

/* Computes one row: the common signature of all kernels. false: an integer division by zero. */
typedef bool (*nnrt__binary_row)(const nnrt__step_view *view, const void *a, size_t a_step, const void *b,
                                 size_t b_step, void *out, size_t n);

/* A kernel call costs as much as a hundred elements or more. So short rows are handed over together, up to this many
   bytes, and an operand with another layout than the output is first expanded. [C] is expanded once for all rows, [H,
   W, 1] for each row, which pays for shorter rows only. */
#define NNRT__BROADCAST_ROOM 1024u
#define NNRT__REPEATED_ROW 512u
#define NNRT__SPREAD_ROW 128u

/* Eight bytes that repeat an element of 1, 2, 4 or 8 bytes. */
NNRT__INLINE uint64_t nnrt__broadcast_eight(const uint8_t *from, size_t element) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (element) {
    case 1: return *from * (uint64_t)0x0101010101010101u;
    case 2: memcpy(&two, from, sizeof two); return two * (uint64_t)0x0001000100010001u;
    case 4: memcpy(&four, from, sizeof four); return four * (uint64_t)0x0000000100000001u;
    default: memcpy(&eight, from, sizeof eight); return eight;
    }
}

/* `rows` rows of `bytes` bytes: each row repeats one element, `step` bytes after the previous row's. Writes up to 7
   bytes past the last row. */
NNRT__NOINLINE void nnrt__broadcast_spread(uint8_t *to, const uint8_t *from, size_t step, size_t element, size_t rows,
                                           size_t bytes) {
    size_t i;
    for (; rows != 0; rows--, from += step, to += bytes) {
        const uint64_t eight = nnrt__broadcast_eight(from, element);
        for (i = 0; i < bytes; i += 8) memcpy(to + i, &eight, 8);
    }
}

/* Repeats the same `bytes` bytes `count` times. */
NNRT__FN void nnrt__broadcast_repeat(uint8_t *to, const uint8_t *from, size_t bytes, size_t count) {
    const size_t all = bytes * count;
    size_t done = bytes, some;
    memcpy(to, from, bytes);
    for (; done < all; done += some) {
        some = done < all - done ? done : all - done;
        memcpy(to + done, to, some);
    }
}

/* An operand of a plane's calls. */
typedef struct nnrt__broadcast_operand {
    const uint8_t *at;
    uint8_t *written; /* buffer to expand it into; NULL: read in place */
    size_t step, row; /* in elements: column to column, row to row */
} nnrt__broadcast_operand;

/* Is the operand one element for each row? Is it one row for all rows? */
NNRT__INLINE bool nnrt__broadcast_is_spread(const nnrt__broadcast *g, uint32_t which) {
    return g->steps[which][g->rank - 1] == 0 && g->steps[which][g->rank - 2] != 0;
}
NNRT__INLINE bool nnrt__broadcast_is_repeated(const nnrt__broadcast *g, uint32_t which) {
    return g->steps[which][g->rank - 1] != 0 && g->steps[which][g->rank - 2] == 0;
}

/* Are rows of that many bytes handed over together? */
NNRT__INLINE bool nnrt__broadcast_is_short(const nnrt__broadcast *g, size_t bytes) {
    return bytes <=
           (nnrt__broadcast_is_spread(g, 0) || nnrt__broadcast_is_spread(g, 1) ? NNRT__SPREAD_ROW : NNRT__REPEATED_ROW);
}

/* The operand for a call of `rows` rows from row `first` on; `each`: the most rows of a call. */
NNRT__INLINE const void *nnrt__broadcast_take(const nnrt__broadcast_operand *o, size_t first, size_t rows, size_t each,
                                              size_t n, size_t element) {
    const uint8_t *from = o->at + first * o->row * element;
    if (o->written == NULL) return from;
    if (o->step == 0) nnrt__broadcast_spread(o->written, from, o->row * element, element, rows, n * element);
    else if (first == 0) nnrt__broadcast_repeat(o->written, from, n * element, each);
    return o->written;
}

/* Does all whole rows of the last two axes between element `at` of the output, where a row begins, and `end`; the
   operands begin at elements starts[0] and starts[1]. Returns the number of elements done. */
NNRT__NOINLINE size_t nnrt__binary_rows(const nnrt__step_view *view, const nnrt__step_call *call,
                                        const nnrt__broadcast *g, size_t at, size_t end, const size_t starts[2],
                                        nnrt__binary_row run, bool *ok) {
    const size_t element = nnrt__element_size((OH_NN_DataType)view->operands[0]->dtype);
    const size_t n = g->dims[g->rank - 1], height = g->dims[g->rank - 2];
    const size_t left = height - at / n % height, most = (end - at) / n, rows = left < most ? left : most;
    const bool together = nnrt__broadcast_is_short(g, n * element);
    uint64_t room[NNRT__BROADCAST_ROOM / 8 + 2]; /* each half has 8 bytes of slack */
    size_t each = together ? NNRT__BROADCAST_ROOM / (n * element) : 1, done, count, used = 0, steps[2];
    const size_t row_size = n * nnrt__element_size((OH_NN_DataType)view->operands[2]->dtype); /* of the output */
    uint8_t *out = (uint8_t *)nnrt__element_at(view, call, 2, at);
    nnrt__broadcast_operand o[2];
    uint32_t k;
    for (k = 0; k < 2; k++) {
        o[k].at = (const uint8_t *)nnrt__element_at(view, call, k, starts[k]);
        o[k].step = g->steps[k][g->rank - 1];
        o[k].row = g->steps[k][g->rank - 2];
        steps[k] = o[k].step;
        o[k].written = NULL;
        if (!together) continue;
        if (o[k].row != 0) steps[k] = 1;
        if (!nnrt__broadcast_is_spread(g, k) && !nnrt__broadcast_is_repeated(g, k)) continue;
        if (used != 0) each = NNRT__BROADCAST_ROOM / 2 / (n * element);
        o[k].written = (uint8_t *)(room + used);
        used = sizeof room / 16;
    }
    if (each > rows) each = rows;
    for (done = 0; done < rows; done += count, out += count * row_size) {
        const void *a, *b;
        count = rows - done < each ? rows - done : each;
        a = nnrt__broadcast_take(&o[0], done, count, each, n, element);
        b = nnrt__broadcast_take(&o[1], done, count, each, n, element);
        if (!run(view, a, steps[0], b, steps[1], out, count * n)) *ok = false;
    }
    return rows * n;
}

NNRT__FN bool nnrt__binary_each_row(const nnrt__step_view *view, const nnrt__step_call *call, nnrt__binary_row row) {
    nnrt__broadcast g;
    size_t at, end, starts[2], n;
    bool ok = true;
    nnrt__broadcast_make(view->operands[0], view->operands[1], view->operands[2], &g);
    nnrt__chunk_range(view, call, &at, &end);
    for (; at < end; at += n) {
        n = nnrt__broadcast_run(&g, at, end, &starts[0], &starts[1]);
        if (g.rank > 1 && n == g.dims[g.rank - 1]) n = nnrt__binary_rows(view, call, &g, at, end, starts, row, &ok);
        else
            ok = row(view, nnrt__element_at(view, call, 0, starts[0]), g.steps[0][g.rank - 1],
                     nnrt__element_at(view, call, 1, starts[1]), g.steps[1][g.rank - 1],
                     nnrt__element_at(view, call, 2, at), n) &&
                 ok;
    }
    return ok;
}

NNRT__FN bool nnrt__binary_shapes_fit(const nnrt__step_view *view) {
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    return nnrt__broadcast_fits(nnrt__step_input(view, 0), out) && nnrt__broadcast_fits(nnrt__step_input(view, 1), out);
}

/* -------------------------------------------------------------------------------------------------- float */

NNRT__FN bool nnrt__binary_f32_check(const nnrt__step_view *view) {
    const nnrt__binary_f32_args *args = (const nnrt__binary_f32_args *)view->arguments;
    return nnrt__binary_shapes_fit(view) && nnrt__value_has_dtype(view->operands[0], OH_NN_FLOAT32) &&
           nnrt__value_has_dtype(view->operands[1], OH_NN_FLOAT32) &&
           nnrt__value_has_dtype(view->operands[2], OH_NN_FLOAT32) && args->kind < NNRT__BINARY_KINDS;
}

NNRT__FN bool nnrt__binary_f32_row(const nnrt__step_view *view, const void *a, size_t a_step, const void *b,
                                   size_t b_step, void *out, size_t n) {
    view->kernels->binary_f32((const nnrt__binary_f32_args *)view->arguments, (const float *)a, a_step,
                              (const float *)b, b_step, (float *)out, n);
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__binary_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    (void)nnrt__binary_each_row(view, call, nnrt__binary_f32_row);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__binary_f32_isa(const nnrt__step_view *view) {
    const uint32_t kind = ((const nnrt__binary_f32_args *)view->arguments)->kind;
    return (view->kernels->binary_f32_kinds >> kind & 1) != 0 ? view->kernels->binary_f32_isa : "scalar";
}

NNRT__STEP_KIND(binary_f32, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__binary_f32_args),
                CHECK(nnrt__binary_f32_check), SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(nnrt__binary_f32_isa),
                RUN(nnrt__binary_f32_run), WORK(NULL), NOTHING_READY)

/* ----------------------------------------------------------------------------------------------- integers */

/* The nnrt__int_type of a data type; NNRT__INT_TYPES when the kernels have none. */
NNRT__FN uint32_t nnrt__int_type_of(OH_NN_DataType dtype) {
    return dtype == OH_NN_BOOL    ? (uint32_t)NNRT__INT_BOOL
           : dtype == OH_NN_INT8  ? (uint32_t)NNRT__INT_S8
           : dtype == OH_NN_UINT8 ? (uint32_t)NNRT__INT_U8
           : dtype == OH_NN_INT32 ? (uint32_t)NNRT__INT_S32
           : dtype == OH_NN_INT64 ? (uint32_t)NNRT__INT_S64
                                  : (uint32_t)NNRT__INT_TYPES;
}

NNRT__FN bool nnrt__binary_int_check(const nnrt__step_view *view) {
    const nnrt__binary_int_args *args = (const nnrt__binary_int_args *)view->arguments;
    if (!nnrt__binary_shapes_fit(view) || args->kind > NNRT__BINARY_MOD) return false;
    if (args->type != NNRT__INT_S32 && args->type != NNRT__INT_S64 && args->type != NNRT__INT_BOOL) return false;
    return nnrt__int_type_of((OH_NN_DataType)view->operands[0]->dtype) == args->type &&
           view->operands[1]->dtype == view->operands[0]->dtype && view->operands[2]->dtype == view->operands[0]->dtype;
}

NNRT__FN bool nnrt__binary_int_row(const nnrt__step_view *view, const void *a, size_t a_step, const void *b,
                                   size_t b_step, void *out, size_t n) {
    return nnrt__binary_int_scalar((const nnrt__binary_int_args *)view->arguments, a, a_step, b, b_step, out, n);
}

NNRT__FN OH_NN_ReturnCode nnrt__binary_int_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    if (nnrt__binary_each_row(view, call, nnrt__binary_int_row)) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s: an integer is divided by zero",
                      view->step->op == (uint32_t)OH_NN_OPS_MOD ? "MOD" : "DIV");
}

NNRT__STEP_KIND(binary_int, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__binary_int_args),
                CHECK(nnrt__binary_int_check), SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(NULL),
                RUN(nnrt__binary_int_run), WORK(NULL), NOTHING_READY)

/* --------------------------------------------------------------------------------------------------- int8 */

NNRT__FN bool nnrt__binary_s8_check(const nnrt__step_view *view) {
    const nnrt__binary_s8_args *args = (const nnrt__binary_s8_args *)view->arguments;
    const uint32_t kind = args->kind;
    if (!nnrt__binary_shapes_fit(view) || !nnrt__value_has_dtype(view->operands[0], OH_NN_INT8) ||
        !nnrt__value_has_dtype(view->operands[1], OH_NN_INT8) || !nnrt__value_has_dtype(view->operands[2], OH_NN_INT8))
        return false;
    if (kind > NNRT__BINARY_PRELU || kind == NNRT__BINARY_DIV || kind == NNRT__BINARY_MOD || kind == NNRT__BINARY_POW)
        return false;
    return nnrt__is_byte_quantity(args->input_zero_point[0]) && nnrt__is_byte_quantity(args->input_zero_point[1]) &&
           nnrt__is_byte_quantity(args->output_zero_point) && nnrt__is_byte_quantity(args->clamp_min) &&
           nnrt__is_byte_quantity(args->clamp_max) && args->clamp_min <= args->clamp_max &&
           nnrt__is_factor(args->input_multiplier[0], args->input_shift[0], kind == NNRT__BINARY_PRELU ? 30 : 0) &&
           nnrt__is_factor(args->input_multiplier[1], args->input_shift[1], 0) &&
           nnrt__is_factor(args->output_multiplier, args->output_shift, 30);
}

/* The kernel of an operator, and its instruction set. */
NNRT__FN nnrt__add_s8_fn nnrt__binary_s8_kernel(const nnrt__step_view *view, const char **isa) {
    switch (((const nnrt__binary_s8_args *)view->arguments)->kind) {
    case NNRT__BINARY_ADD:
    case NNRT__BINARY_SUB: *isa = view->kernels->add_s8_isa; return view->kernels->add_s8;
    case NNRT__BINARY_MUL:
    case NNRT__BINARY_PRELU: *isa = view->kernels->mul_s8_isa; return view->kernels->mul_s8;
    default: *isa = "scalar"; return nnrt__other_binary_s8_scalar;
    }
}

NNRT__FN bool nnrt__binary_s8_row(const nnrt__step_view *view, const void *a, size_t a_step, const void *b,
                                  size_t b_step, void *out, size_t n) {
    const char *isa;
    nnrt__binary_s8_kernel(view, &isa)((const nnrt__binary_s8_args *)view->arguments, (const int8_t *)a, a_step,
                                       (const int8_t *)b, b_step, (int8_t *)out, n);
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__binary_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    (void)nnrt__binary_each_row(view, call, nnrt__binary_s8_row);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__binary_s8_isa(const nnrt__step_view *view) {
    const char *isa;
    (void)nnrt__binary_s8_kernel(view, &isa);
    return isa;
}

NNRT__STEP_KIND(binary_s8, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__binary_s8_args), CHECK(nnrt__binary_s8_check),
                SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(nnrt__binary_s8_isa), RUN(nnrt__binary_s8_run), WORK(NULL),
                NOTHING_READY)

/* -------------------------------------------------------------------------------------------- comparisons */

typedef struct nnrt__compare_args {
    uint32_t kind; /* nnrt__compare_kind */
    uint32_t reserved;
} nnrt__compare_args;

NNRT__FN bool nnrt__compare_check(const nnrt__step_view *view) {
    const nnrt__compare_args *args = (const nnrt__compare_args *)view->arguments;
    return nnrt__binary_shapes_fit(view) && view->operands[0]->dtype == view->operands[1]->dtype &&
           (view->operands[0]->dtype == (uint32_t)OH_NN_FLOAT32 ||
            nnrt__int_type_of((OH_NN_DataType)view->operands[0]->dtype) != NNRT__INT_TYPES) &&
           nnrt__value_has_dtype(view->operands[2], OH_NN_BOOL) && args->kind < NNRT__COMPARE_KINDS;
}

NNRT__FN bool nnrt__compare_row(const nnrt__step_view *view, const void *a, size_t a_step, const void *b, size_t b_step,
                                void *out, size_t n) {
    const nnrt__compare_args *args = (const nnrt__compare_args *)view->arguments;
    const OH_NN_DataType dtype = (OH_NN_DataType)view->operands[0]->dtype;
    if (dtype == OH_NN_FLOAT32)
        nnrt__compare_f32_scalar(args->kind, (const float *)a, a_step, (const float *)b, b_step, (uint8_t *)out, n);
    else nnrt__compare_int_scalar(args->kind, nnrt__int_type_of(dtype), a, a_step, b, b_step, (uint8_t *)out, n);
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__compare_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    (void)nnrt__binary_each_row(view, call, nnrt__compare_row);
    return OH_NN_SUCCESS;
}

/* Not in place: one int32 compared with four elements has the size of the four results. */
NNRT__STEP_KIND(compare, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__compare_args), CHECK(nnrt__compare_check),
                SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(NULL), RUN(nnrt__compare_run), WORK(NULL), NOTHING_READY)

/* ---------------------------------------------------------------------------------- comparisons of quantized bytes */

NNRT__FN bool nnrt__compare_s8_check(const nnrt__step_view *view) {
    const nnrt__compare_s8_args *args = (const nnrt__compare_s8_args *)view->arguments;
    const bool is_unsigned = nnrt__value_has_dtype(view->operands[0], OH_NN_UINT8);
    uint32_t k;
    if (!nnrt__binary_shapes_fit(view) || view->operands[0]->dtype != view->operands[1]->dtype) return false;
    if (!is_unsigned && !nnrt__value_has_dtype(view->operands[0], OH_NN_INT8)) return false;
    for (k = 0; k < 2; k++) {
        if (!nnrt__is_byte_quantity(args->input_zero_point[k] - (is_unsigned ? 128 : 0)) ||
            !nnrt__is_factor(args->input_multiplier[k], args->input_shift[k], 0))
            return false;
    }
    return nnrt__value_has_dtype(view->operands[2], OH_NN_BOOL) && args->kind < NNRT__COMPARE_KINDS;
}

NNRT__FN bool nnrt__compare_s8_row(const nnrt__step_view *view, const void *a, size_t a_step, const void *b,
                                   size_t b_step, void *out, size_t n) {
    const uint32_t type = nnrt__int_type_of((OH_NN_DataType)view->operands[0]->dtype);
    nnrt__compare_s8_scalar((const nnrt__compare_s8_args *)view->arguments, type, a, a_step, b, b_step, (uint8_t *)out,
                            n);
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__compare_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    (void)nnrt__binary_each_row(view, call, nnrt__compare_s8_row);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(compare_s8, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__compare_s8_args),
                CHECK(nnrt__compare_s8_check), SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(NULL),
                RUN(nnrt__compare_s8_run), WORK(NULL), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_BINARY_H */
