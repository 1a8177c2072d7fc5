/* SPDX-License-Identifier: Apache-2.0 */
/* bench_layout.c - how fast tensors change their layout on this machine.

       cc -std=c99 -O2 -I. tests/bench/bench_layout.c -o build/bench_layout -lm && build/bench_layout

   Prints ns per element of the portable loops and of those of the instruction set, which take turns, and
   their ratio; the median round counts. For emulators that count instructions, `bench_layout CASE
   portable|isa RUNS` only converts case CASE, counted from 0, RUNS times: two counts of different RUNS,
   subtracted, are those of a conversion. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/platform.h"
#include "npu/layout.h"

#define ROUNDS 15
#define ROUND_SECONDS 0.004

typedef struct side {
    nnrt__tensor_order order;
    OH_NN_DataType type;
    uint32_t c2;      /* of NC1HWC2 */
    uint32_t aligned; /* w_stride is a multiple of it */
} side;

typedef struct conversion {
    const char *name;
    uint32_t c, h, w;
    side from, to;
} conversion;

#define NCHW NNRT__ORDER_NCHW
#define NHWC NNRT__ORDER_NHWC
#define NATIVE NNRT__ORDER_NC1HWC2
#define S8 OH_NN_INT8
#define F16 OH_NN_FLOAT16
#define F32 OH_NN_FLOAT32

static const conversion conversions[] = {
    {"int8 C2=16 to NCHW, 255x20x20", 255, 20, 20, {NATIVE, S8, 16, 1}, {NCHW, S8, 0, 1}},
    {"int8 C2=16 to NHWC, 255x20x20", 255, 20, 20, {NATIVE, S8, 16, 1}, {NHWC, S8, 0, 1}},
    {"int8 C2=8 to NCHW, 64x40x40", 64, 40, 40, {NATIVE, S8, 8, 1}, {NCHW, S8, 0, 1}},
    {"int8 C2=8 to NHWC, 64x40x40", 64, 40, 40, {NATIVE, S8, 8, 1}, {NHWC, S8, 0, 1}},
    {"int8 NCHW to C2=16, 64x40x40", 64, 40, 40, {NCHW, S8, 0, 1}, {NATIVE, S8, 16, 1}},
    {"int8 NHWC to C2=16, 64x40x40", 64, 40, 40, {NHWC, S8, 0, 1}, {NATIVE, S8, 16, 1}},
    {"int8 NHWC to NCHW, 3x224x224", 3, 224, 224, {NHWC, S8, 0, 1}, {NCHW, S8, 0, 1}},
    {"int8 NHWC to NHWC, stride, 3x100x300", 3, 100, 300, {NHWC, S8, 0, 1}, {NHWC, S8, 0, 16}},
    {"int8 C2=16 to float32 NCHW, 255x20x20", 255, 20, 20, {NATIVE, S8, 16, 1}, {NCHW, F32, 0, 1}},
    {"int8 C2=16 to float32 NHWC, 255x20x20", 255, 20, 20, {NATIVE, S8, 16, 1}, {NHWC, F32, 0, 1}},
    {"int8 to float32, 1000x1x1", 1000, 1, 1, {NATIVE, S8, 16, 1}, {NCHW, F32, 0, 1}},
    {"int8 NHWC from float32, 3x224x224", 3, 224, 224, {NHWC, F32, 0, 1}, {NHWC, S8, 0, 1}},
    {"int8 C2=16 from float32 NCHW, 64x40x40", 64, 40, 40, {NCHW, F32, 0, 1}, {NATIVE, S8, 16, 1}},
    {"float16 C2=8 to float16 NCHW, 64x40x40", 64, 40, 40, {NATIVE, F16, 8, 1}, {NCHW, F16, 0, 1}},
    {"float16 C2=8 to float32 NCHW, 64x40x40", 64, 40, 40, {NATIVE, F16, 8, 1}, {NCHW, F32, 0, 1}},
    {"float16 NHWC from float32, 3x224x224", 3, 224, 224, {NHWC, F32, 0, 1}, {NHWC, F16, 0, 1}}};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct job {
    nnrt__tensor_layout from, to;
    uint8_t *source, *destination;
    double elements;
} job;

static void describe(nnrt__tensor_layout *l, const conversion *what, const side *s) {
    memset(l, 0, sizeof *l);
    l->order = s->order;
    l->type = s->type;
    l->n = 1;
    l->c = what->c;
    l->h = l->h_stride = what->h;
    l->w = what->w;
    l->w_stride = (what->w + s->aligned - 1) / s->aligned * s->aligned;
    l->c2 = s->c2;
    l->c1 = s->c2 != 0 ? (what->c + s->c2 - 1) / s->c2 : 0;
    l->quant = s->type == S8 ? NNRT__QUANT_AFFINE : NNRT__QUANT_NONE;
    l->zp = -13;
    l->scale = 0.0237f;
}

static void *need(size_t size) {
    void *p = malloc(size);
    if (p == NULL) {
        fprintf(stderr, "bench_layout: out of memory\n");
        exit(1);
    }
    return memset(p, 0, size);
}

static void prepare(job *j, const conversion *what) {
    uint32_t from_size = 0, to_size = 0, i, x = 1;
    describe(&j->from, what, &what->from);
    describe(&j->to, what, &what->to);
    if (!nnrt__layout_size(&j->from, &from_size) || !nnrt__layout_size(&j->to, &to_size)) exit(1);
    j->source = need(from_size);
    j->destination = need(to_size);
    j->elements = (double)what->c * what->h * what->w;
    for (i = 0; i < from_size; i++) j->source[i] = (uint8_t)((x = x * 1664525u + 1013904223u) >> 24);
    if (j->from.type == F32)
        for (i = 0; i + 4 <= from_size; i += 4) {
            const float real = (float)(int32_t)(x = x * 1664525u + 1013904223u) * (3.0f / 2147483648.0f);
            memcpy(j->source + i, &real, 4);
        }
}

static void finish(job *j) {
    free(j->source);
    free(j->destination);
}

static void run(const job *j, const nnrt__layout_kernels *kernels, int times) {
    nnrt__layout_job prepared;
    int i;
    nnrt__layout_prepare_with(&prepared, kernels, &j->from, &j->to);
    for (i = 0; i < times; i++) (void)nnrt__layout_do(&prepared, j->source, j->destination);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    nnrt__layout_kernels kernels[2]; /* portable, of the instruction set */
    const size_t count = sizeof conversions / sizeof *conversions;
    bool differ;
    size_t i;
    job j;
    memset(kernels, 0, sizeof kernels);
    nnrt__layout_install_scalar(&kernels[0]);
    nnrt__layout_select(&kernels[1]);
    differ = kernels[0].transpose_1 != kernels[1].transpose_1;
    if (argc == 4) {
        const size_t which = (size_t)atoi(argv[1]);
        if (which >= count) return 1;
        prepare(&j, &conversions[which]);
        run(&j, &kernels[strcmp(argv[2], "portable") != 0], atoi(argv[3]));
        finish(&j);
        return 0;
    }
    printf("%-42s %12s %12s\n", "ns per element", "portable", differ ? "isa" : "(no other)");
    for (i = 0; i < count; i++) {
        double times[2][ROUNDS];
        int round, which, runs = 1;
        prepare(&j, &conversions[i]);
        for (;; runs *= 2) {
            const double start = seconds();
            run(&j, &kernels[0], runs);
            if (seconds() - start > ROUND_SECONDS) break;
        }
        for (round = 0; round < ROUNDS; round++)
            for (which = 0; which < 2; which++) {
                const double start = seconds();
                run(&j, &kernels[which], runs);
                times[which][round] = 1e9 * (seconds() - start) / runs / j.elements;
            }
        for (which = 0; which < 2; which++) qsort(times[which], ROUNDS, sizeof(double), by_size);
        printf("%-42s %12.3f", conversions[i].name, times[0][ROUNDS / 2]);
        if (differ) printf(" %12.3f  %.1fx", times[1][ROUNDS / 2], times[0][ROUNDS / 2] / times[1][ROUNDS / 2]);
        printf("\n");
        finish(&j);
    }
    return 0;
}
