/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_f32.c - proves of the float kernels: every instruction set, the portable one included, stays
   within the bounds of the scalar files' contracts around the formula in double precision, for shapes around
   the tile sizes; clamps give what nnrt__clamp_f32 gives, NaN and infinities included; nothing is read or
   written outside exact-size buffers that are aligned to 4 bytes only; portable C rounds every step whatever
   the compiler's flags are. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* system headers come before nnrt.h here */
#endif

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* The same expression before and after the library: its regions without contraction must have ended. Not
   inlined, as the place of a call would decide otherwise. */
__attribute__((noinline)) static float multiply_add_before(float a, float b, float c) { return a * b + c; }

#include "linked_kernels.h"

__attribute__((noinline)) static float multiply_add_after(float a, float b, float c) { return a * b + c; }

#if defined(__arm__)
enum {
    FLUSHES = 1
};
#else
enum {
    FLUSHES = 0
};
#endif

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

/* ----------------------------------------------------------------------------------------------- material */

enum {
    SEED = 20240607
};

#include "levels.h"
#include "noise.h"

/* In -1..1; one in eight is scaled down so far that products of two such underflow. */
static float noise_f32(void) {
    float x = (float)(int32_t)noise() / 2147483648.0f;
    return noise() % 8 ? x : x * 1e-25f;
}

/* A block that ends where its floats end and begins `skew` floats into an allocation. */
typedef struct block {
    float *start, *at;
    size_t count;
} block;

static block block_of(size_t count, size_t skew, float fill) {
    block b;
    b.start = (float *)malloc((count + skew) * sizeof(float) + (count + skew == 0));
    cr_assert_not_null(b.start);
    b.at = b.start + skew;
    b.count = count;
    for (size_t i = 0; i < count; i++) b.at[i] = fill;
    return b;
}

static block noise_block(size_t count, size_t skew) {
    block b = block_of(count, skew, 0.0f);
    for (size_t i = 0; i < count; i++) b.at[i] = noise_f32();
    return b;
}

/* What lies between rows of an output, and must stay. */
static const float untouched = 12345.0f;

/* Channels into tiles: bias[width], w[step][width], zeros for channels past the last, each tile padded to 64
   bytes. Element (channel, step) is w[channel * channel_stride + step * step_stride]. */
static block pack(const float *w, const float *bias, size_t channels, size_t steps, size_t channel_stride,
                  size_t step_stride, size_t width, size_t skew) {
    size_t tile = ((steps + 1) * width + 15) / 16 * 16;
    block b = block_of((channels + width - 1) / width * tile, skew, 0.0f);
    for (size_t c = 0; c < channels; c++) {
        float *to = b.at + c / width * tile + c % width;
        *to = bias ? bias[c] : 0.0f;
        for (size_t s = 0; s < steps; s++) to[(s + 1) * width] = w[c * channel_stride + s * step_stride];
    }
    return b;
}

/* Fills the table for the next level that this processor has and that has such kernels of its own; false after the
   last. Starts with *cap = 0. */
static bool next_table(nnrt__cpu_table *table, unsigned *cap) {
    while (*cap < NNRT__TARGET_COUNT) {
        const nnrt__target *target = &nnrt__targets[(*cap)++];
        if ((target->isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(table, target->isa);
        if (strcmp(table->gemm_f32[0].isa, target->name) == 0) return true;
    }
    return false;
}

static double clamp(double x, float low, float high) {
    return x < (double)low ? (double)low : x > (double)high ? (double)high : x;
}

/* bias + sum of products, in double; how far a kernel may be from it. */
typedef struct reference {
    double sum, size, factors;
    size_t steps;
} reference;

static reference begin(float bias) {
    reference r;
    r.sum = (double)bias;
    r.size = fabs((double)bias);
    r.factors = 0;
    r.steps = 0;
    return r;
}

static void add(reference *r, float a, float w) {
    r->sum += (double)a * (double)w;
    r->size += fabs((double)a * (double)w);
    r->factors += fabs((double)a) + fabs((double)w);
    r->steps++;
}

static double bound(const reference *r) {
    double steps = (double)r->steps;
    return (steps + 1) * ldexp(r->size, -23) +
           (FLUSHES ? ldexp(2 * steps + 2 + r->factors, -126) : ldexp(steps + 1, -149));
}

/* Clamps that cut nothing, one side, both sides. */
static const float clamps[][2] = {{-INFINITY, INFINITY}, {0.0f, INFINITY}, {-0.25f, 0.5f}};

/* --------------------------------------------------------------------------------------------------- GEMM */

typedef struct gemm_case {
    size_t m, n, k, a_stride, c_stride, w_stride, skew;
    block a, w, bias, c;
    float low, high;
} gemm_case;

static gemm_case make_gemm(size_t m, size_t n, size_t k, size_t gap) {
    gemm_case g;
    g.m = m, g.n = n, g.k = k;
    g.a_stride = k + gap, g.c_stride = n + gap, g.w_stride = k + gap;
    g.skew = (m + n + k) % 4;
    g.a = noise_block((m - 1) * g.a_stride + k, g.skew);
    g.w = noise_block((n - 1) * g.w_stride + k, g.skew);
    g.bias = noise_block(n, g.skew);
    g.c = block_of((m - 1) * g.c_stride + n, g.skew, untouched);
    g.low = clamps[(m + k) % COUNT_OF(clamps)][0];
    g.high = clamps[(m + k) % COUNT_OF(clamps)][1];
    return g;
}

static void free_gemm(gemm_case *g) {
    free(g->a.start);
    free(g->w.start);
    free(g->bias.start);
    free(g->c.start);
}

/* The rows of a where they lie, in three pieces where the packing takes several and k allows. */
static const float **list_rows(const gemm_case *g, size_t pieces) {
    const float **list = (const float **)malloc(g->m * pieces * sizeof *list);
    cr_assert_not_null(list);
    for (size_t i = 0; i < g->m * pieces; i++)
        list[i] = g->a.at + i / pieces * g->a_stride + i % pieces * (g->k / pieces);
    return list;
}

static void run_packed(const nnrt__gemm_f32_slot *slot, gemm_case *g, bool with_bias) {
    nnrt__gemm_f32_args args;
    const nnrt__packing *p = slot->packing;
    const size_t pieces = p->pieces && g->k > 0 && g->k % 3 == 0 ? 3 : 1;
    block w = pack(g->w.at, with_bias ? g->bias.at : NULL, g->n, g->k, g->w_stride, 1, p->nr, g->skew);
    const size_t room = nnrt__packing_scratch(p, g->m, g->k);
    void *scratch = room ? malloc(room + 64) : NULL;
    const float **list = list_rows(g, pieces);
    cr_assert_eq(p->kr, 1);
    args.m = g->m, args.n = g->n, args.pieces = pieces, args.piece = g->k / pieces;
    args.a = list;
    args.w = w.at;
    args.c = g->c.at, args.c_stride = g->c_stride;
    args.clamp_min = g->low, args.clamp_max = g->high;
    slot->run(&args, scratch ? (char *)scratch + (64 - (uintptr_t)scratch % 64) % 64 : NULL);
    free((void *)list);
    free(scratch);
    free(w.start);
}

static void run_raw(nnrt__gemm_raw_f32_fn run, gemm_case *g, bool with_bias) {
    nnrt__gemm_raw_f32_args args;
    const float **list = list_rows(g, 1);
    args.m = g->m, args.n = g->n, args.k = g->k;
    args.a = list;
    args.w = g->w.at, args.w_stride = g->w_stride;
    args.bias = with_bias ? g->bias.at : NULL;
    args.c = g->c.at, args.c_stride = g->c_stride;
    args.clamp_min = g->low, args.clamp_max = g->high;
    run(&args);
    free((void *)list);
}

static void check_gemm(const gemm_case *g, bool with_bias, const char *what) {
    for (size_t at = 0; at < g->c.count; at++) {
        size_t i = at / g->c_stride, j = at % g->c_stride;
        reference r;
        if (j >= g->n) {
            cr_assert(g->c.at[at] == untouched, "%s m=%zu n=%zu k=%zu: wrote between rows", what, g->m, g->n, g->k);
            continue;
        }
        r = begin(with_bias ? g->bias.at[j] : 0.0f);
        for (size_t t = 0; t < g->k; t++) add(&r, g->a.at[i * g->a_stride + t], g->w.at[j * g->w_stride + t]);
        cr_assert(fabs((double)g->c.at[at] - clamp(r.sum, g->low, g->high)) <= bound(&r),
                  "%s m=%zu n=%zu k=%zu seed=%d: c[%zu][%zu] is %.9g, want %.9g +- %.3g", what, g->m, g->n, g->k,
                  (int)SEED, i, j, (double)g->c.at[at], clamp(r.sum, g->low, g->high), bound(&r));
    }
}

static const size_t some_m[] = {1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13};
static const size_t some_n[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 33};
static const size_t some_k[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 27, 40};

static void every_gemm(size_t gap, bool with_bias) {
    for (size_t x = 0; x < COUNT_OF(some_m); x++)
        for (size_t y = 0; y < COUNT_OF(some_n); y++)
            for (size_t z = 0; z < COUNT_OF(some_k); z++) {
                gemm_case g = make_gemm(some_m[x], some_n[y], some_k[z], gap);
                nnrt__cpu_table table;
                for (unsigned cap = 0; next_table(&table, &cap);) {
                    for (size_t slot = 0; slot < 2; slot++) {
                        for (size_t i = 0; i < g.c.count; i++) g.c.at[i] = untouched;
                        run_packed(&table.gemm_f32[slot], &g, with_bias);
                        check_gemm(&g, with_bias, table.gemm_f32[slot].isa);
                    }
                    for (size_t i = 0; i < g.c.count; i++) g.c.at[i] = untouched;
                    run_raw(table.gemm_raw_f32, &g, with_bias);
                    check_gemm(&g, with_bias, table.gemm_raw_f32_isa);
                }
                free_gemm(&g);
            }
}

Test(gemm_f32, every_isa_stays_within_the_bound_on_dense_rows) { every_gemm(0, true); }

Test(gemm_f32, every_isa_stays_within_the_bound_on_spaced_rows_without_bias_and_leaves_the_spaces_alone) {
    every_gemm(3, false);
}

Test(gemm_f32, a_long_sum_stays_within_the_bound) {
    gemm_case g = make_gemm(7, 18, 4099, 1);
    nnrt__cpu_table table;
    for (unsigned cap = 0; next_table(&table, &cap);) {
        run_packed(&table.gemm_f32[0], &g, true);
        check_gemm(&g, true, table.gemm_f32[0].isa);
        run_raw(table.gemm_raw_f32, &g, true);
        check_gemm(&g, true, table.gemm_raw_f32_isa);
    }
    free_gemm(&g);
}

/* One row of a gets a NaN or an infinity. Weights are positive, so that row is low, low or high. */
static void poison_gemm(float poison, float low, float high, float want) {
    for (size_t m = 1; m <= 13; m++)
        for (size_t k = 1; k <= 17; k += 4) {
            gemm_case g = make_gemm(m, 19, k, 0);
            const size_t row = m / 2;
            nnrt__cpu_table table;
            for (size_t i = 0; i < g.w.count; i++) g.w.at[i] = fabsf(g.w.at[i]) + 0.125f;
            g.a.at[row * k + k - 1] = poison;
            g.low = low;
            g.high = high;
            for (unsigned cap = 0; next_table(&table, &cap);)
                for (int raw = 0; raw < 2; raw++) {
                    const char *isa = raw ? table.gemm_raw_f32_isa : table.gemm_f32[0].isa;
                    if (raw) run_raw(table.gemm_raw_f32, &g, true);
                    else run_packed(&table.gemm_f32[0], &g, true);
                    for (size_t at = 0; at < g.c.count; at++) {
                        const float c = g.c.at[at];
                        if (at / g.n == row)
                            cr_assert(c == want, "%s raw=%d m=%zu k=%zu poison %g: %g is not %g", isa, raw, m, k,
                                      (double)poison, (double)c, (double)want);
                        else
                            cr_assert(c >= low && c <= high && isfinite(c), "%s raw=%d m=%zu k=%zu: %g in another row",
                                      isa, raw, m, k, (double)c);
                    }
                }
            free_gemm(&g);
        }
}

Test(gemm_f32, a_nan_becomes_the_lower_bound_and_an_infinity_its_side) {
    poison_gemm(NAN, -2.0f, 3.0f, -2.0f);
    poison_gemm(INFINITY, -2.0f, 3.0f, 3.0f);
    poison_gemm(-INFINITY, -2.0f, 3.0f, -2.0f);
    poison_gemm(NAN, -INFINITY, INFINITY, -INFINITY);
    poison_gemm(INFINITY, -INFINITY, INFINITY, INFINITY);
}

/* ---------------------------------------------------------------------------------------------- depthwise */

typedef struct dw_case {
    size_t pixels, channels, tap_count, out_stride, skew, row_count;
    block rows[16], w, bias, out; /* w is [tap][channel], as models have it */
    const float **taps;
    float low, high;
} dw_case;

static dw_case make_dw(size_t pixels, size_t channels, size_t tap_count, size_t gap) {
    dw_case d;
    d.pixels = pixels, d.channels = channels, d.tap_count = tap_count;
    d.out_stride = channels + gap;
    d.skew = (channels + pixels) % 4;
    d.row_count = COUNT_OF(d.rows);
    for (size_t i = 0; i < d.row_count; i++) d.rows[i] = noise_block(channels, (d.skew + i) % 4);
    d.w = noise_block(tap_count * channels, d.skew);
    d.bias = noise_block(channels, d.skew);
    d.out = block_of((pixels - 1) * d.out_stride + channels, d.skew, untouched);
    d.taps = (const float **)malloc(pixels * tap_count * sizeof *d.taps);
    cr_assert_not_null(d.taps);
    for (size_t i = 0; i < pixels * tap_count; i++) d.taps[i] = d.rows[noise() % d.row_count].at;
    d.low = clamps[(channels + tap_count) % COUNT_OF(clamps)][0];
    d.high = clamps[(channels + tap_count) % COUNT_OF(clamps)][1];
    return d;
}

static void free_dw(dw_case *d) {
    for (size_t i = 0; i < d->row_count; i++) free(d->rows[i].start);
    free(d->w.start);
    free(d->bias.start);
    free(d->out.start);
    free((void *)d->taps);
}

static void run_dw(const nnrt__dw_f32_slot *slot, dw_case *d) {
    nnrt__dw_f32_args args;
    block w = pack(d->w.at, d->bias.at, d->channels, d->tap_count, 1, d->channels, slot->packing->nr, d->skew);
    args.pixels = d->pixels, args.channels = d->channels, args.tap_count = d->tap_count;
    args.taps = d->taps;
    args.w = w.at;
    args.out = d->out.at, args.out_stride = d->out_stride;
    args.clamp_min = d->low, args.clamp_max = d->high;
    slot->run(&args);
    free(w.start);
}

static void check_dw(const dw_case *d, const char *isa) {
    for (size_t at = 0; at < d->out.count; at++) {
        size_t p = at / d->out_stride, c = at % d->out_stride;
        reference r;
        if (c >= d->channels) {
            cr_assert(d->out.at[at] == untouched, "%s channels=%zu: wrote between pixels", isa, d->channels);
            continue;
        }
        r = begin(d->bias.at[c]);
        for (size_t t = 0; t < d->tap_count; t++)
            add(&r, d->taps[p * d->tap_count + t][c], d->w.at[t * d->channels + c]);
        cr_assert(fabs((double)d->out.at[at] - clamp(r.sum, d->low, d->high)) <= bound(&r),
                  "%s pixels=%zu channels=%zu taps=%zu seed=%d: out[%zu][%zu] is %.9g, want %.9g +- %.3g", isa,
                  d->pixels, d->channels, d->tap_count, (int)SEED, p, c, (double)d->out.at[at],
                  clamp(r.sum, d->low, d->high), bound(&r));
    }
}

static const size_t some_channels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17, 23, 24, 31, 32, 33};
static const size_t some_taps[] = {1, 2, 4, 8, 9, 10, 25};

Test(dw_f32, every_isa_stays_within_the_bound_and_leaves_the_spaces_alone) {
    for (size_t x = 0; x < COUNT_OF(some_channels); x++)
        for (size_t y = 0; y < COUNT_OF(some_taps); y++)
            for (size_t pixels = 1; pixels <= 5; pixels++) {
                dw_case d = make_dw(pixels, some_channels[x], some_taps[y], pixels % 3);
                nnrt__cpu_table table;
                for (unsigned cap = 0; next_table(&table, &cap);) {
                    for (size_t i = 0; i < d.out.count; i++) d.out.at[i] = untouched;
                    run_dw(&table.dw_f32[0], &d);
                    check_dw(&d, table.dw_f32[0].isa);
                }
                free_dw(&d);
            }
}

Test(dw_f32, a_nan_becomes_the_lower_bound_and_an_infinity_its_side) {
    static const float poisons[] = {NAN, INFINITY, -INFINITY};
    static const float wants[] = {-2.0f, 3.0f, -2.0f};
    for (size_t x = 0; x < COUNT_OF(some_channels); x++)
        for (size_t y = 0; y < COUNT_OF(some_taps); y++)
            for (size_t z = 0; z < COUNT_OF(poisons); z++) {
                dw_case d = make_dw(3, some_channels[x], some_taps[y], 0);
                const size_t channel = d.channels - 1;
                nnrt__cpu_table table;
                for (size_t i = 0; i < d.w.count; i++) d.w.at[i] = fabsf(d.w.at[i]) + 0.125f;
                d.rows[0].at[channel] = poisons[z];
                for (size_t t = 0; t < d.tap_count; t++) {
                    d.taps[t] = d.rows[1].at;
                    d.taps[d.tap_count + t] = d.rows[t ? 1 : 0].at;
                    d.taps[2 * d.tap_count + t] = d.rows[1].at;
                }
                d.low = -2.0f;
                d.high = 3.0f;
                for (unsigned cap = 0; next_table(&table, &cap);) {
                    run_dw(&table.dw_f32[0], &d);
                    for (size_t at = 0; at < d.out.count; at++) {
                        const bool hit = at == d.channels + channel;
                        const float out = d.out.at[at];
                        cr_assert(hit ? out == wants[z] : out >= -2.0f && out <= 3.0f,
                                  "%s channels=%zu taps=%zu: %g at %zu", table.dw_f32[0].isa, d.channels, d.tap_count,
                                  (double)out, at);
                    }
                }
                free_dw(&d);
            }
}

/* The interior: pixels of one row, kernel_h rows of which each ends with its last tap. */
Test(dw_f32, rows_of_the_interior_stay_within_the_bound) {
    static const size_t kernels[][2] = {{3, 3}, {1, 1}, {5, 5}, {2, 4}, {3, 5}};
    for (size_t x = 0; x < COUNT_OF(some_channels); x++)
        for (size_t y = 0; y < COUNT_OF(kernels); y++)
            for (size_t step = 1; step <= 3; step++)
                for (size_t turn = 0; turn < 6; turn++) {
                    const size_t channels = some_channels[x], h = kernels[y][0], w = kernels[y][1];
                    const size_t dilation = 1 + turn % 2, pixels = 1 + (x + y + 7 * (turn / 2)) % 21;
                    dw_case d = make_dw(pixels, channels, h * w, step % 3);
                    nnrt__cpu_table table;
                    block rows[5];
                    const float *starts[5];
                    for (size_t i = 0; i < h; i++) {
                        rows[i] = noise_block(((pixels - 1) * step + (w - 1) * dilation + 1) * channels, i % 4);
                        starts[i] = rows[i].at;
                    }
                    for (size_t i = 0; i < pixels * h * w; i++)
                        d.taps[i] = starts[i % (h * w) / w] + (i / (h * w) * step + i % w * dilation) * channels;
                    for (unsigned cap = 0; next_table(&table, &cap);)
                        for (size_t slot = 0; slot < 2; slot++) {
                            const nnrt__dw_f32_slot *kernel = &table.dw_f32[slot];
                            nnrt__dw_rows_f32_args args;
                            block packed;
                            if (kernel->run_rows == NULL) continue;
                            packed = pack(d.w.at, d.bias.at, channels, h * w, 1, channels, kernel->packing->nr, d.skew);
                            args.pixels = pixels, args.channels = channels, args.kernel_h = h, args.kernel_w = w;
                            args.rows = starts, args.pixel_step = step * channels, args.tap_step = dilation * channels;
                            args.w = packed.at, args.out = d.out.at, args.out_stride = d.out_stride;
                            args.clamp_min = d.low, args.clamp_max = d.high;
                            for (size_t i = 0; i < d.out.count; i++) d.out.at[i] = untouched;
                            kernel->run_rows(&args);
                            check_dw(&d, kernel->isa);
                            free(packed.start);
                        }
                    for (size_t i = 0; i < h; i++) free(rows[i].start);
                    free_dw(&d);
                }
}

/* ------------------------------------------------------------------------------------------------ pooling */

typedef struct pool_case {
    nnrt__pool_f32_args args;
    block in, out;
} pool_case;

static pool_case make_pool(size_t rows, size_t columns, size_t channels, size_t gap) {
    pool_case p;
    p.args.rows = rows, p.args.columns = columns, p.args.channels = channels;
    p.args.row_stride = columns * channels + gap;
    p.in = noise_block((rows - 1) * p.args.row_stride + columns * channels, channels % 4);
    p.out = block_of(channels, rows % 4, untouched);
    p.args.in = p.in.at;
    p.args.out = p.out.at;
    p.args.clamp_min = clamps[channels % COUNT_OF(clamps)][0];
    p.args.clamp_max = clamps[channels % COUNT_OF(clamps)][1];
    return p;
}

static void free_pool(pool_case *p) {
    free(p->in.start);
    free(p->out.start);
}

static void check_pools(const pool_case *p, const nnrt__cpu_table *table) {
    const nnrt__pool_f32_args *a = &p->args;
    const double count = (double)(a->rows * a->columns);
    for (int average = 0; average < 2; average++) {
        const char *isa = average ? table->avg_pool_f32_isa : table->max_pool_f32_isa;
        (average ? table->avg_pool_f32 : table->max_pool_f32)(a);
        for (size_t c = 0; c < a->channels; c++) {
            double sum = 0, size = 0, most = -INFINITY, want, error, limit;
            for (size_t y = 0; y < a->rows; y++)
                for (size_t x = 0; x < a->columns; x++) {
                    const double v = (double)a->in[y * a->row_stride + x * a->channels + c];
                    sum += v;
                    size += fabs(v);
                    most = v > most ? v : most;
                }
            want = clamp(average ? sum / count : most, a->clamp_min, a->clamp_max);
            error = fabs((double)a->out[c] - want);
            limit = average   ? ldexp((count + 1) * size / count, -23) + ldexp(1, FLUSHES ? -124 : -149)
                    : FLUSHES ? ldexp(1, -126)
                              : 0;
            cr_assert(error <= limit, "%s average=%d %zux%zu channels=%zu seed=%d: out[%zu] is %.9g, want %.9g +- %.3g",
                      isa, average, a->rows, a->columns, a->channels, (int)SEED, c, (double)a->out[c], want, limit);
        }
    }
}

Test(pool_f32, every_isa_stays_within_the_bound_and_the_maximum_is_exact) {
    for (size_t rows = 1; rows <= 7; rows += 2)
        for (size_t columns = 1; columns <= 4; columns++)
            for (size_t x = 0; x < COUNT_OF(some_channels); x++) {
                pool_case p = make_pool(rows, columns, some_channels[x], rows % 3);
                nnrt__cpu_table table;
                for (unsigned cap = 0; next_table(&table, &cap);) check_pools(&p, &table);
                free_pool(&p);
            }
}

Test(pool_f32, the_maximum_passes_over_nans_and_gives_the_lower_bound_for_nothing_else) {
    for (size_t x = 0; x < COUNT_OF(some_channels); x++)
        for (size_t hole = 0; hole < 6; hole++) {
            pool_case p = make_pool(2, 3, some_channels[x], 0);
            const size_t channels = p.args.channels;
            nnrt__cpu_table table;
            p.args.clamp_min = -7.0f;
            p.args.clamp_max = INFINITY;
            for (size_t i = 0; i < 6; i++) { /* channel 0: only NaNs; the others: one NaN, at each place */
                p.in.at[i * channels] = NAN;
                if (i == hole)
                    for (size_t c = 0; c < channels; c++) p.in.at[i * channels + c] = NAN;
            }
            for (unsigned cap = 0; next_table(&table, &cap);) {
                table.max_pool_f32(&p.args);
                for (size_t c = 0; c < channels; c++) {
                    float most = -7.0f;
                    for (size_t i = 0; i < 6; i++)
                        if (p.in.at[i * channels + c] > most) most = p.in.at[i * channels + c];
                    cr_assert(fabsf(p.out.at[c] - most) <= (FLUSHES ? 1.2e-38f : 0.0f),
                              "%s channels=%zu hole=%zu: out[%zu] is %g", table.max_pool_f32_isa, channels, hole, c,
                              (double)p.out.at[c]);
                }
                table.avg_pool_f32(&p.args);
                for (size_t c = 0; c < channels; c++)
                    cr_assert(p.out.at[c] == -7.0f, "%s channels=%zu: the average of a NaN is %g",
                              table.avg_pool_f32_isa, channels, (double)p.out.at[c]);
            }
            free_pool(&p);
        }
}

Test(pool_f32, infinities_reach_their_side_of_the_clamp) {
    for (size_t x = 0; x < COUNT_OF(some_channels); x++)
        for (int side = 0; side < 2; side++) {
            pool_case p = make_pool(2, 2, some_channels[x], 0);
            nnrt__cpu_table table;
            p.args.clamp_min = -2.0f;
            p.args.clamp_max = 3.0f;
            for (size_t i = 0; i < p.in.count; i++) p.in.at[i] = side ? INFINITY : -INFINITY;
            for (unsigned cap = 0; next_table(&table, &cap);)
                for (int average = 0; average < 2; average++) {
                    (average ? table.avg_pool_f32 : table.max_pool_f32)(&p.args);
                    for (size_t c = 0; c < p.args.channels; c++)
                        cr_assert(p.out.at[c] == (side ? 3.0f : -2.0f), "average=%d channels=%zu: out[%zu] is %g",
                                  average, p.args.channels, c, (double)p.out.at[c]);
                }
            free_pool(&p);
        }
}

/* ------------------------------------------------------------------------------------------ two operands */

/* One operation of IEEE, written in double where that rounds to the same float; ARMv7's vectors take a denormal for a
   zero of its sign. */
static float one_operation(uint32_t kind, float a, float b) {
    switch (kind) {
    case NNRT__BINARY_ADD: return (float)((double)a + (double)b);
    case NNRT__BINARY_SUB: return (float)((double)a - (double)b);
    case NNRT__BINARY_MUL: return (float)((double)a * (double)b);
    case NNRT__BINARY_DIV: return (float)((double)a / (double)b);
    case NNRT__BINARY_MAXIMUM: return a > b ? a : b;
    case NNRT__BINARY_MINIMUM: return a < b ? a : b;
    case NNRT__BINARY_PRELU: return a > 0.0f ? a : (float)((double)a * (double)b);
    default: {
        const float d = (float)((double)a - (double)b);
        return (float)((double)d * (double)d);
    }
    }
}

static bool same_float(float is, float should) {
    if (is == should || (is != is && should != should)) return true;
    return FLUSHES && fabsf(is) <= 1.2e-38f && fabsf(should) <= 1.2e-38f;
}

static void check_binary(const nnrt__cpu_table *t, uint32_t kind, size_t n, size_t a_step, size_t b_step, int in_place,
                         bool bounded) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, FLUSHES ? 0.25f : 1e-40f, 3e38f};
    block a = noise_block(a_step ? n : 1, n % 3), b = noise_block(b_step ? n : 1, n % 2);
    block out = block_of(n + 1, n % 4, untouched);
    float *to = in_place == 1 ? a.at : in_place == 2 ? b.at : out.at;
    float *want = (float *)malloc(n * sizeof *want);
    nnrt__binary_f32_args args = {0, 0, 0, 0, 0, 0};
    args.kind = kind;
    args.clamps = bounded;
    args.clamp_min = -0.25f;
    args.clamp_max = 0.5f;
    for (size_t i = 0; i < n; i += 5) a.at[i * a_step] = odd[noise() % COUNT_OF(odd)];
    for (size_t i = 2; i < n; i += 7) b.at[i * b_step] = odd[noise() % COUNT_OF(odd)];
    for (size_t i = 0; i < n; i++) {
        want[i] = one_operation(kind, a.at[i * a_step], b.at[i * b_step]);
        if (bounded) want[i] = want[i] > -0.25f ? want[i] < 0.5f ? want[i] : 0.5f : -0.25f;
    }
    t->binary_f32(&args, a.at, a_step, b.at, b_step, to, n);
    for (size_t i = 0; i < n; i++)
        cr_assert(same_float(to[i], want[i]),
                  "binary_f32 %s: kind %u, element %zu of %zu, steps %zu %zu: %.9g, not %.9g", t->binary_f32_isa,
                  (unsigned)kind, i, n, a_step, b_step, (double)to[i], (double)want[i]);
    cr_assert(out.at[n] == untouched, "binary_f32 %s wrote behind %zu elements", t->binary_f32_isa, n);
    free(want);
    free(a.start);
    free(b.start);
    free(out.start);
}

Test(binary_f32, every_isa_does_one_operation_for_any_length_and_steps_and_in_place) {
    nnrt__cpu_table table;
    for (unsigned cap = 0; next_table(&table, &cap);)
        for (uint32_t kind = NNRT__BINARY_ADD; kind <= NNRT__BINARY_PRELU; kind++)
            for (size_t n = kind == NNRT__BINARY_MOD || kind == NNRT__BINARY_POW ? 51 : 1; n <= 50; n++)
                for (int way = 0; way < 6; way++)
                    check_binary(&table, kind, n, way != 1, way != 2, way == 3 ? 1 : way == 4 ? 2 : 0, way == 5);
}

/* -------------------------------------------------------------------------------------------- contraction */

/* a * b + c with both roundings made visible to the compiler. */
static float rounded_twice(float a, float b, float c) {
    volatile float product = a * b;
    volatile float sum = product + c;
    return sum;
}

/* Fused and twice-rounded sums differ in one of a few random steps, so equal bytes here mean no fusing at
   all. */
Test(fp_contract, portable_c_rounds_every_product_and_every_sum) {
    gemm_case g = make_gemm(3, 9, 40, 0);
    dw_case d = make_dw(5, 11, 9, 0);
    nnrt__cpu_table table;
    nnrt__cpu_select(&table, 0);
    g.low = d.low = -INFINITY;
    g.high = d.high = INFINITY;
    run_packed(&table.gemm_f32[0], &g, true);
    for (size_t at = 0; at < g.c.count; at++) {
        float sum = g.bias.at[at % g.n];
        for (size_t t = 0; t < g.k; t++)
            sum = rounded_twice(g.a.at[at / g.n * g.k + t], g.w.at[at % g.n * g.k + t], sum);
        cr_assert(memcmp(&sum, &g.c.at[at], sizeof sum) == 0, "gemm_f32 c[%zu]: %.9g is not %.9g", at,
                  (double)g.c.at[at], (double)sum);
    }
    run_raw(table.gemm_raw_f32, &g, true);
    for (size_t at = 0; at < g.c.count; at++) {
        float sum = 0.0f;
        for (size_t t = 0; t < g.k; t++)
            sum = rounded_twice(g.a.at[at / g.n * g.k + t], g.w.at[at % g.n * g.k + t], sum);
        sum += g.bias.at[at % g.n];
        cr_assert(memcmp(&sum, &g.c.at[at], sizeof sum) == 0, "gemm_raw_f32 c[%zu]: %.9g is not %.9g", at,
                  (double)g.c.at[at], (double)sum);
    }
    run_dw(&table.dw_f32[0], &d);
    for (size_t at = 0; at < d.out.count; at++) {
        const size_t p = at / d.channels, c = at % d.channels;
        float sum = d.bias.at[c];
        for (size_t t = 0; t < d.tap_count; t++)
            sum = rounded_twice(d.taps[p * d.tap_count + t][c], d.w.at[t * d.channels + c], sum);
        cr_assert(memcmp(&sum, &d.out.at[at], sizeof sum) == 0, "dw_f32 out[%zu]: %.9g is not %.9g", at,
                  (double)d.out.at[at], (double)sum);
    }
    free_gemm(&g);
    free_dw(&d);
}

Test(fp_contract, the_users_code_after_the_include_is_compiled_as_before_it) {
    for (int i = 0; i < 1000; i++) {
        volatile float a = noise_f32(), b = noise_f32(), c = noise_f32();
        const float before = multiply_add_before(a, b, c), after = multiply_add_after(a, b, c);
        cr_assert(memcmp(&before, &after, sizeof before) == 0, "%.9g * %.9g + %.9g: %.9g, then %.9g", (double)a,
                  (double)b, (double)c, (double)before, (double)after);
    }
}
