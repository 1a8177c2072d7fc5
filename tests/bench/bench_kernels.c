/* SPDX-License-Identifier: Apache-2.0 */
/* bench_kernels.c - how fast each int8 kernel is on each instruction set of this machine, on typical layers.

       cc -std=c99 -O2 -I. tests/bench/bench_kernels.c -o build/bench_kernels -lm && build/bench_kernels

   Prints GMAC/s (pooling: G elements/s) per instruction set side by side, and the best as a multiple of
   scalar. The sets take turns within a round, so that a change of the clock meets all of them, and the median
   round counts. Layers are warm: weights and activations were read just before, as between two layers of a
   small model. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nnrt_cpu_kernels.h"

#define ROUNDS 15
#define ROUND_SECONDS 0.004

typedef struct level {
    const char *name;
    nnrt__cpu_table table;
} level;

/* m, n, k: gemm. Depthwise: m pixels, n channels, k taps. Pooling: one window of k x k pixels, n channels, m
   times. */
enum {
    GEMM,
    RAW,
    DEPTHWISE,
    AVERAGE,
    MAXIMUM
};

typedef struct layer {
    const char *name;
    int kind;
    size_t m, n, k;
} layer;

static const layer layers[] = {{"gemm conv 1x1 64->64, 24x24", GEMM, 24 * 24, 64, 64},
                               {"gemm conv 3x3 64->64, 12x12", GEMM, 12 * 12, 64, 576},
                               {"gemm first layer k=27 ->32, 48x48", GEMM, 48 * 48, 32, 27},
                               {"gemm 1x1 16->24, 24x24", GEMM, 24 * 24, 24, 16},
                               {"gemm full connection 640x128", GEMM, 1, 128, 640},
                               {"gemm full connection 1024x1000", GEMM, 1, 1000, 1024},
                               {"raw conv 1x1 64->64, 24x24", RAW, 24 * 24, 64, 64},
                               {"raw first layer k=27 ->32, 48x48", RAW, 48 * 48, 32, 27},
                               {"raw full connection 640x128", RAW, 1, 128, 640},
                               {"dw 3x3 64 channels, 24x24", DEPTHWISE, 24 * 24, 64, 9},
                               {"dw 3x3 8 channels, 48x48", DEPTHWISE, 48 * 48, 8, 9},
                               {"dw 5x5 72 channels, 12x12", DEPTHWISE, 12 * 12, 72, 25},
                               {"average 7x7, 256 channels", AVERAGE, 8, 256, 7},
                               {"average 2x2, 32 channels", AVERAGE, 64, 32, 2},
                               {"maximum 2x2, 32 channels", MAXIMUM, 64, 32, 2},
                               {"maximum 3x3, 64 channels", MAXIMUM, 64, 64, 3}};

/* What one level needs to run one layer; everything is allocated before the clock starts. */
typedef struct job {
    const layer *what;
    const nnrt__cpu_table *table;
    void *scratch, *packed;
    const int8_t **taps, **rows;
    size_t slot;
    int8_t *a, *w, *c;
    int32_t *bias, *multiplier, *shift;
} job;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *need(size_t size) {
    void *p = NULL;
    if (posix_memalign(&p, 64, size + 64) != 0) {
        fprintf(stderr, "bench_kernels: out of memory\n");
        exit(1);
    }
    memset(p, 0, size + 64);
    return p;
}

static void prepare(job *j, const layer *what, const nnrt__cpu_table *t) {
    const size_t pool = what->kind >= AVERAGE ? what->k * what->k : 0;
    const size_t a_size = pool ? pool * what->n : (what->m + what->k) * (what->n + what->k);
    nnrt__weights from = {NULL, what->n, 1, what->k, (ptrdiff_t)what->k, 1, NULL, NULL, NULL, {NULL, NULL}};
    const nnrt__packing *two[2], *packing;
    size_t i, size = 0;
    j->what = what;
    j->table = t;
    j->a = need(a_size);
    j->w = need(what->n * what->k);
    j->c = need(what->m * what->n);
    j->bias = need(what->n * 4);
    j->multiplier = need(what->n * 4);
    j->shift = need(what->n * 4);
    for (i = 0; i < a_size; i++) j->a[i] = (int8_t)(i * 37 % 251);
    for (i = 0; i < what->n * what->k; i++) j->w[i] = (int8_t)((int)(i * 53 % 255) - 127);
    for (i = 0; i < what->n; i++) {
        j->multiplier[i] = 1500000000;
        j->shift[i] = -9;
    }
    for (i = 0; i < 2; i++) two[i] = what->kind == DEPTHWISE ? t->dw_s8[i].packing : t->gemm_s8[i].packing;
    packing = nnrt__packing_pick(two, what->n);
    j->slot = packing == two[0] ? 0 : 1;
    j->rows = need(what->m * sizeof *j->rows);
    for (i = 0; i < what->m && what->kind <= RAW; i++) j->rows[i] = j->a + i * what->k;
    j->scratch = need(nnrt__packing_scratch(packing, what->m, nnrt__packed_depth(1, what->k, packing->kr)));
    j->taps = need(what->m * what->k * sizeof *j->taps);
    for (i = 0; what->kind == DEPTHWISE && i < what->m * what->k; i++)
        j->taps[i] = j->a + (i / what->k + i % what->k) * what->n;
    from.w = j->w;
    from.bias = j->bias;
    from.multiplier = j->multiplier;
    from.shift = j->shift;
    if (what->kind == DEPTHWISE) {
        from.n_stride = 1;
        from.k_stride = (ptrdiff_t)what->n;
    }
    if (!nnrt__packing_size(packing, what->n, 1, what->k, &size)) exit(1);
    j->packed = need(size);
    nnrt__pack(j->packed, packing, &from);
}

static void finish(job *j) {
    free(j->a);
    free(j->w);
    free(j->c);
    free(j->bias);
    free(j->multiplier);
    free(j->shift);
    free(j->scratch);
    free(j->packed);
    free((void *)j->taps);
    free((void *)j->rows);
}

static void run(const job *j) {
    const layer *what = j->what;
    if (what->kind == GEMM) {
        nnrt__gemm_s8_args args = {what->m, what->n, 1,    what->k, j->rows, j->packed, j->c,
                                   what->n, 3,       -128, 127,     NULL,    NULL};
        j->table->gemm_s8[j->slot].run(&args, j->scratch);
    } else if (what->kind == RAW) {
        nnrt__gemm_raw_s8_args args = {what->m,       what->n,  what->k, j->rows, j->w, what->k, j->bias,
                                       j->multiplier, j->shift, j->c,    what->n, 3,    -128,    127};
        j->table->gemm_raw_s8(&args);
    } else if (what->kind == DEPTHWISE) {
        nnrt__dw_s8_args args = {what->m, what->n, what->k, j->taps, j->packed, j->c, what->n, 3, -128, 127};
        j->table->dw_s8[j->slot].run(&args);
    } else {
        nnrt__pool_s8_args args = {j->a, what->k * what->n, what->k, what->k, what->n, j->c, -128, 127, 0};
        for (size_t i = 0; i < what->m; i++) {
            if (what->kind == AVERAGE) j->table->avg_pool_s8(&args);
            else j->table->max_pool_s8(&args);
        }
    }
}

/* 10^9 products (or elements) per second of one round. */
static double measure(const job *j) {
    const layer *what = j->what;
    const double work =
        (double)what->m * (double)what->n * (double)what->k * (what->kind >= AVERAGE ? (double)what->k : 1.0);
    const double start = seconds();
    double now;
    size_t runs = 0;
    do {
        run(j);
        runs++;
        now = seconds();
    } while (now - start < ROUND_SECONDS);
    return work * (double)runs / (now - start) * 1e-9;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    level levels[NNRT__TARGET_COUNT];
    size_t count = 0, i, l, round;
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        if ((nnrt__targets[i].isa & ~nnrt__cpu_detect()) != 0) continue;
        levels[count].name = nnrt__targets[i].name;
        nnrt__cpu_select(&levels[count++].table, nnrt__targets[i].isa);
    }
    printf("%-36s", "GMAC/s, pooling G elements/s");
    for (l = 0; l < count; l++) printf("%9s", levels[l].name);
    printf("%9s\n", "ratio");
    for (i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        job jobs[NNRT__TARGET_COUNT];
        double results[NNRT__TARGET_COUNT][ROUNDS];
        for (l = 0; l < count; l++) prepare(&jobs[l], &layers[i], &levels[l].table);
        for (round = 0; round < ROUNDS; round++)
            for (l = 0; l < count; l++) results[l][round] = measure(&jobs[l]);
        printf("%-36s", layers[i].name);
        for (l = 0; l < count; l++) {
            qsort(results[l], ROUNDS, sizeof results[l][0], by_value);
            printf("%9.2f", results[l][ROUNDS / 2]);
            finish(&jobs[l]);
        }
        printf("%8.1fx\n", results[count - 1][ROUNDS / 2] / results[0][ROUNDS / 2]);
        fflush(stdout);
    }
    return 0;
}
