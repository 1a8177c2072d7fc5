/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_long_rows.c - one row may be all elements of a tensor: a step that is at it is given up all the same
   when its deadline comes. Every kernel of rows asks after each piece of every pass, returns without another question
   once it is told to stop, and gives the same bytes whether somebody can stop it or not. Questions are counted, not
   timed. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 28u

#include "noise.h"

enum {
    PIECES = 3,
    N = PIECES * 65536 + 17 /* elements of the row */
};

static float *in_f32, *scale_f32;
static int8_t *in_s8;
static int32_t *in_s32, exponentials[256];
static uint32_t *heap;
static uint8_t *out;

static void make_rows(void) {
    cr_assert_eq((size_t)N, PIECES * NNRT__PIECE + 17);
    in_f32 = (float *)malloc(N * sizeof(float)), scale_f32 = (float *)malloc(N * sizeof(float));
    in_s8 = (int8_t *)malloc(N), in_s32 = (int32_t *)malloc(N * sizeof(int32_t));
    heap = (uint32_t *)aligned_alloc(64, (N * sizeof(uint32_t) + 63) / 64 * 64),
    out = (uint8_t *)malloc(N * sizeof(int64_t));
    cr_assert(in_f32 && scale_f32 && in_s8 && in_s32 && heap && out);
    for (size_t i = 0; i < N; i++) {
        in_f32[i] = (float)noise_between(-2.0, 2.0), scale_f32[i] = (float)noise_between(0.5, 1.5);
        in_s8[i] = (int8_t)noise_in(-128, 127), in_s32[i] = (int32_t)noise();
    }
    cr_assert(nnrt__softmax_s8_table(0.01, exponentials));
}

static void free_rows(void) { free(in_f32), free(scale_f32), free(in_s8), free(in_s32), free(heap), free(out); }

TestSuite(long_rows, .init = make_rows, .fini = free_rows);

/* ----------------------------------------------------------------------------------------- the kernels */

static void softmax_f32(const nnrt__stop *stop) { nnrt__softmax_f32_scalar(in_f32, (float *)(void *)out, N, 1, stop); }
static void softmax_f32_best(const nnrt__stop *stop) {
    nnrt__cpu_table table;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    table.softmax_f32(in_f32, (float *)(void *)out, N, 1, stop);
}
static void log_softmax_f32(const nnrt__stop *stop) {
    nnrt__log_softmax_f32_scalar(in_f32, (float *)(void *)out, N, 1, stop);
}
static void l2_f32(const nnrt__stop *stop) {
    nnrt__l2_normalize_f32_scalar(in_f32, (float *)(void *)out, N, 1, 1e-6f, true, -1.0f, 1.0f, stop);
}
static void normalize_f32(const nnrt__stop *stop) {
    nnrt__normalize_f32_scalar(in_f32, scale_f32, in_f32, 1, 1e-6f, (float *)(void *)out, N, 1, stop);
}
/* Many elements with few neighbours, and few elements with all others. */
static void lrn_f32(const nnrt__stop *stop) {
    nnrt__lrn_f32_scalar(in_f32, (float *)(void *)out, N / 3, 1, 1.0f, 0.1f, 0.5f, stop);
}
static void lrn_f32_wide(const nnrt__stop *stop) {
    nnrt__lrn_f32_scalar(in_f32, (float *)(void *)out, 500, 500, 1.0f, 0.1f, 0.5f, stop);
}
static void softmax_s8(const nnrt__stop *stop) {
    nnrt__softmax_s8_scalar(exponentials, in_s8, (int8_t *)out, N, 1, stop);
}
static void softmax_s8_to_s16(const nnrt__stop *stop) {
    nnrt__softmax_s8_to_s16_scalar(exponentials, in_s8, (int16_t *)(void *)out, N, 1, stop);
}

/* All of N in one axis, or [N / 4, 2, 2] with the first and the last reduced: runs of 2. */
static nnrt__reduce_args reduction(uint32_t op, bool split) {
    nnrt__reduce_args args;
    memset(&args, 0, sizeof args);
    args.op = op, args.factor = 1.0f, args.multiplier = 1 << 30, args.shift = op == NNRT__REDUCE_PROD ? -3 : -10;
    args.rank = split ? 3 : 1, args.mask = split ? 5 : 1;
    args.dims[0] = split ? N / 4 : N, args.dims[1] = args.dims[2] = 2;
    return args;
}
static void reduce_f32(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_SUM, false);
    nnrt__reduce_f32_scalar(&args, in_f32, (float *)(void *)out, 0, 1, stop);
}
static void reduce_f32_split(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_L2, true);
    nnrt__reduce_f32_scalar(&args, in_f32, (float *)(void *)out, 0, 2, stop);
}
static void reduce_s32(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_MEAN, false);
    nnrt__reduce_s32_scalar(&args, in_s32, (int32_t *)(void *)out, 0, 1, stop);
}
static void reduce_s8(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_MEAN, false);
    nnrt__reduce_s8_scalar(&args, in_s8, (int8_t *)out, 0, 1, stop);
}
static void reduce_s16(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_MAX, false);
    nnrt__reduce_s16_scalar(&args, (const int16_t *)(const void *)in_s32, (int16_t *)(void *)out, 0, 1, stop);
}
static void reduce_prod_s8(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_PROD, false);
    nnrt__reduce_prod_s8_scalar(&args, in_s8, (int8_t *)out, 0, 1, stop);
}
static void reduce_prod_s16(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_PROD, false);
    nnrt__reduce_prod_s16_scalar(&args, (const int16_t *)(const void *)in_s32, (int16_t *)(void *)out, 0, 1, stop);
}
static void reduce_all(const nnrt__stop *stop) {
    const nnrt__reduce_args args = reduction(NNRT__REDUCE_ALL, false);
    nnrt__reduce_all_scalar(&args, in_s32, out, 4, 0, 0, 1, stop);
}

static nnrt__cumsum_args running_sum(void) {
    nnrt__cumsum_args args;
    memset(&args, 0, sizeof args);
    args.outer = args.inner = 1, args.count = N, args.multiplier = 1 << 30, args.shift = -10;
    return args;
}
static void cumsum_f32(const nnrt__stop *stop) {
    const nnrt__cumsum_args args = running_sum();
    nnrt__cumsum_f32_scalar(&args, in_f32, (float *)(void *)out, 0, 1, stop);
}
static void cumsum_s32(const nnrt__stop *stop) {
    const nnrt__cumsum_args args = running_sum();
    nnrt__cumsum_s32_scalar(&args, in_s32, (int32_t *)(void *)out, 0, 1, stop);
}
static void cumsum_s8(const nnrt__stop *stop) {
    const nnrt__cumsum_args args = running_sum();
    nnrt__cumsum_s8_scalar(&args, in_s8, (int8_t *)out, 0, 1, stop);
}

static void top(uint32_t k, const nnrt__stop *stop) {
    nnrt__top_args args;
    memset(&args, 0, sizeof args);
    args.type = NNRT__TOP_F32, args.outer = args.inner = 1, args.count = N, args.k = k, args.sorted = 1;
    nnrt__reduce_top_scalar(&args, in_f32, out, out + (size_t)N * 4, 4, heap, 0, 1, stop);
}
static void top_1(const nnrt__stop *stop) { top(1, stop); }
static void top_half(const nnrt__stop *stop) { top(N / 2, stop); }

/* passes: over the row, each with a question for each whole piece. */
static const struct {
    const char *name;
    void (*run)(const nnrt__stop *stop);
    unsigned passes;
} kernels[] = {{"softmax_f32", softmax_f32, 3},
               {"softmax_f32 of this processor", softmax_f32_best, 3},
               {"log_softmax_f32", log_softmax_f32, 3},
               {"l2_normalize_f32", l2_f32, 2},
               {"normalize_f32", normalize_f32, 3},
               {"lrn_f32", lrn_f32, 1},
               {"lrn_f32, wide", lrn_f32_wide, 1},
               {"softmax_s8", softmax_s8, 3},
               {"softmax_s8_to_s16", softmax_s8_to_s16, 3},
               {"reduce_f32", reduce_f32, 1},
               {"reduce_f32 of two axes", reduce_f32_split, 1},
               {"reduce_s32", reduce_s32, 1},
               {"reduce_s8", reduce_s8, 1},
               {"reduce_s16", reduce_s16, 1},
               {"reduce_prod_s8", reduce_prod_s8, 1},
               {"reduce_prod_s16", reduce_prod_s16, 1},
               {"reduce_all", reduce_all, 1},
               {"cumsum_f32", cumsum_f32, 1},
               {"cumsum_s32", cumsum_s32, 1},
               {"cumsum_s8", cumsum_s8, 1},
               {"top, one", top_1, 1},
               {"top, half of them", top_half, 2}};

/* Questions so far, and the one that is answered with yes; 0: none is. */
typedef struct questions {
    unsigned count, last;
} questions;

static bool ask(const void *context) {
    questions *const q = (questions *)(uintptr_t)context;
    q->count++;
    return q->count == q->last;
}

Test(long_rows, every_kernel_asks_after_each_piece_and_returns_when_it_is_told_to) {
    for (size_t i = 0; i < NNRT__COUNT_OF(kernels); i++) {
        questions q = {0, 0};
        const nnrt__stop stop = {ask, &q};
        unsigned all, k;
        kernels[i].run(&stop);
        all = q.count;
        cr_assert_geq(all, PIECES * kernels[i].passes, "%s asks %u times", kernels[i].name, all);
        for (k = 1; k <= all; k++) {
            q.count = 0, q.last = k;
            kernels[i].run(&stop);
            cr_assert_eq(q.count, k, "%s was stopped by answer %u and asked %u times", kernels[i].name, k, q.count);
        }
    }
}

Test(long_rows, pieces_do_not_show_in_the_bytes) {
    const size_t size = N * sizeof(int64_t);
    uint8_t *const alone = (uint8_t *)malloc(size);
    cr_assert_not_null(alone);
    for (size_t i = 0; i < NNRT__COUNT_OF(kernels); i++) {
        questions q = {0, 0};
        const nnrt__stop stop = {ask, &q};
        memset(out, 0x5a, size);
        kernels[i].run(NULL);
        memcpy(alone, out, size);
        memset(out, 0x5a, size);
        kernels[i].run(&stop);
        cr_assert_eq(memcmp(alone, out, size), 0, "%s gives other bytes", kernels[i].name);
    }
    free(alone);
}

/* The plain loops of the definitions: sums from the first element to the last. */
Test(long_rows, rows_of_several_pieces_are_the_formula) {
    float *const to = (float *)(void *)out, most = in_f32[0], sum = 0, factor;
    int32_t total = 0, *const whole = (int32_t *)(void *)out;
    double all = 0;
    for (size_t i = 0; i < N; i++) most = in_f32[i] > most ? in_f32[i] : most;
    for (size_t i = 0; i < N; i++) all += (double)expf(in_f32[i] - most);
    factor = (float)(1.0 / all);
    softmax_f32(NULL);
    for (size_t i = 0; i < N; i++) cr_assert(to[i] == expf(in_f32[i] - most) * factor, "softmax, element %zu", i);
    log_softmax_f32(NULL);
    for (size_t i = 0; i < N; i++)
        cr_assert(to[i] == (float)((double)in_f32[i] - (double)most - log(all)), "log softmax, element %zu", i);
    for (size_t i = 0; i < N; i++) sum += in_f32[i];
    reduce_f32(NULL);
    cr_assert(to[0] == sum, "%.9g, not %.9g", (double)to[0], (double)sum);
    cumsum_f32(NULL);
    cr_assert(to[N - 1] == sum);
    cumsum_s32(NULL);
    for (size_t i = 0; i < N; i++) {
        total = (int32_t)((uint32_t)total + (uint32_t)in_s32[i]);
        cr_assert_eq(whole[i], total, "running sum, element %zu", i);
    }
    top_1(NULL);
    cr_assert(to[0] == most);
}

/* ------------------------------------------------------------------------------------------- the steps */

static nnrt__plan_value value_of(OH_NN_DataType dtype, uint32_t rank, int32_t dim) {
    nnrt__plan_value value;
    memset(&value, 0, sizeof value);
    value.dtype = (uint32_t)dtype, value.rank = rank, value.dims[0] = rank != 0 ? dim : 0;
    value.size = (uint64_t)nnrt__element_size(dtype) * (uint64_t)(rank != 0 ? dim : 1);
    return value;
}

/* Runs a step whose run is to end already: bytes of its output from `from` on stay as they were. */
static void is_given_up(const nnrt__step_kind *kind, const void *arguments, void *const *data,
                        const nnrt__plan_value *const *operands, uint32_t inputs, size_t from, size_t size,
                        const char *name) {
    nnrt__plan_step plan_step;
    nnrt__step_view view;
    nnrt__step_call call;
    nnrt__cpu_table table;
    int32_t cancel = 1;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    memset(&plan_step, 0, sizeof plan_step);
    memset(&view, 0, sizeof view);
    memset(&call, 0, sizeof call);
    view.step = &plan_step, view.arguments = arguments, view.operands = operands;
    view.input_count = inputs, view.output_count = 1, view.units = 1, view.kernels = &table;
    call.data = data, call.last = 1, call.scratch = heap, call.cancel = &cancel;
    cr_assert(kind->check(&view), "%s", name);
    memset(out, 0x5a, size);
    cr_assert_eq(kind->run(&view, &call), OH_NN_SUCCESS);
    for (size_t i = from; i < size; i++) cr_assert_eq(out[i], 0x5a, "%s went on: byte %zu", name, i);
}

Test(long_rows, a_step_of_one_row_is_given_up_after_a_piece_of_it) {
    const nnrt__plan_value row = value_of(OH_NN_FLOAT32, 1, N), one = value_of(OH_NN_FLOAT32, 0, 0);
    const nnrt__plan_value row_s8 = value_of(OH_NN_INT8, 1, N), table = value_of(OH_NN_INT32, 1, 256);
    const nnrt__plan_value *operands[4] = {&row, &row, &row, &row};
    void *data[4];
    const nnrt__reduce_args sum = reduction(NNRT__REDUCE_SUM, false);
    const nnrt__cumsum_args running = running_sum();
    const nnrt__softmax_s8_args bytes = {0, 0};
    const nnrt__normalize_args layer = {0, 0, 1e-6f, 0};
    const nnrt__lrn_args response = {1, 1.0f, 0.1f, 0.5f};
    nnrt__row_args rows;
    memset(&rows, 0, sizeof rows);
    rows.end = 1, rows.epsilon = 1e-6f;
    data[0] = in_f32, data[1] = out;
    for (rows.kind = 0; rows.kind < NNRT__ROW_KINDS; rows.kind++)
        is_given_up(&nnrt__step_row_f32, &rows, data, operands, 1, 0, N * 4, "row_f32");
    is_given_up(&nnrt__step_lrn_f32, &response, data, operands, 1, 65536 * 4, N * 4, "lrn_f32");
    is_given_up(&nnrt__step_cumsum, &running, data, operands, 1, 65536 * 4, N * 4, "cumsum");
    operands[1] = &one;
    is_given_up(&nnrt__step_reduce, &sum, data, operands, 1, 0, 4, "reduce");
    operands[1] = &row;
    data[1] = scale_f32, data[2] = in_f32, data[3] = out;
    is_given_up(&nnrt__step_normalize_f32, &layer, data, operands, 3, 0, N * 4, "normalize_f32");
    operands[0] = operands[2] = &row_s8, operands[1] = &table;
    data[0] = in_s8, data[1] = exponentials, data[2] = out;
    is_given_up(&nnrt__step_softmax_s8, &bytes, data, operands, 2, 0, N, "softmax_s8");
}
