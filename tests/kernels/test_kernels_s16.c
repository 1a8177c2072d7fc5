/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_s16.c - proves of the int16 products of every instruction set: they are the exact sums, rescaled as
   written here from TensorFlow Lite's definition, for every length around the vector width, every remainder of rows and
   channels and the largest sums; and they touch nothing outside exact-size buffers. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define SEED 20261125u

#include "int16_rescale.h"
#include "levels.h"

static void *exactly(size_t size) {
    void *p = malloc(size + (size == 0));
    cr_assert_not_null(p);
    return p;
}

/* The next level that this processor has; false after the last. Starts with *level = 0. */
static bool next_table(nnrt__cpu_table *table, size_t *level) {
    while (*level < NNRT__TARGET_COUNT) {
        const nnrt__target *target = &nnrt__targets[(*level)++];
        if ((target->isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(table, target->isa);
        return true;
    }
    return false;
}

/* Constants of n channels, with sums of 64 bits or of 32. */
typedef struct constants {
    int32_t *words; /* bias, its upper half, multiplier, shift: n of each */
    double *factor;
    int64_t *bias;
    bool wide;
    nnrt__channels_s16 channels;
} constants;

static constants constants_make(size_t n, bool wide, double size) {
    constants c;
    c.words = (int32_t *)exactly(n * 16);
    c.factor = (double *)exactly(n * 8);
    c.bias = (int64_t *)exactly(n * 8);
    c.wide = wide;
    for (size_t i = 0; i < n; i++) {
        c.bias[i] = (int64_t)(int32_t)noise() * (wide && i % 2 ? 4096 : 1) / 64;
        c.factor[i] = noise_between(0.5, 2) * 32768 / size;
        c.words[i] = (int32_t)(uint32_t)(uint64_t)c.bias[i];
        c.words[n + i] = (int32_t)(uint32_t)((uint64_t)c.bias[i] >> 32);
        nnrt__quantize_multiplier(c.factor[i], &c.words[2 * n + i], &c.words[3 * n + i]);
    }
    c.channels.bias = c.words;
    c.channels.bias_high = wide ? c.words + n : NULL;
    c.channels.multiplier = c.words + 2 * n;
    c.channels.shift = c.words + 3 * n;
    return c;
}

static void constants_free(constants *c) {
    free(c->words);
    free(c->factor);
    free(c->bias);
}

static int16_t result(const constants *c, size_t channel, int64_t sum, int32_t low, int32_t high) {
    const int64_t all = sum + c->bias[channel];
    const int64_t x =
        c->wide ? rescale_wide(all, c->factor[channel]) : rescale((int32_t)(uint32_t)(uint64_t)all, c->factor[channel]);
    return (int16_t)(x < low ? low : x > high ? high : x);
}

/* extreme 1: the largest products, 2: the smallest, 0: any. */
static void check_gemm(size_t m, size_t n, size_t k, bool wide, int extreme) {
    const size_t stride = n + 3;
    constants c = constants_make(n, wide, wide && extreme ? 4194304.0 * (double)k : 2e6 * sqrt((double)k));
    int16_t **a = (int16_t **)exactly(m * sizeof *a), *want = (int16_t *)exactly(m * n * 2);
    int8_t *w = (int8_t *)exactly(n * k);
    nnrt__cpu_table table;
    for (size_t i = 0; i < n * k; i++) w[i] = (int8_t)(extreme == 1 ? -128 : extreme == 2 ? 127 : noise_in(-128, 127));
    for (size_t i = 0; i < m; i++) {
        a[i] = (int16_t *)exactly(k * 2);
        for (size_t t = 0; t < k; t++) a[i][t] = extreme ? -32768 : number();
        for (size_t j = 0; j < n; j++) {
            int64_t sum = 0;
            for (size_t t = 0; t < k; t++) sum += (int64_t)a[i][t] * w[j * k + t];
            want[i * n + j] = result(&c, j, sum, -30000, 31000);
        }
    }
    for (size_t level = 0; next_table(&table, &level);) {
        int16_t *out = (int16_t *)exactly(((m - 1) * stride + n) * 2);
        nnrt__gemm_s16_args args;
        memset(out, 0x5a, ((m - 1) * stride + n) * 2);
        args.m = m;
        args.n = n;
        args.k = k;
        args.a = (const int16_t *const *)a;
        args.w = w;
        args.w_stride = k;
        args.channels = c.channels;
        args.c = out;
        args.c_stride = stride;
        args.clamp_min = -30000;
        args.clamp_max = 31000;
        table.gemm_s16(&args);
        for (size_t i = 0; i < (m - 1) * stride + n; i++) {
            const int16_t right = i % stride < n ? want[i / stride * n + i % stride] : 0x5a5a;
            cr_assert_eq(out[i], right, "seed %u %s m %zu n %zu k %zu wide %d extreme %d [%zu]: %d, not %d", SEED,
                         table.gemm_s16_isa, m, n, k, wide, extreme, i, out[i], right);
        }
        free(out);
    }
    for (size_t i = 0; i < m; i++) free(a[i]);
    free(a);
    free(want);
    free(w);
    constants_free(&c);
}

Test(kernels_s16, products_of_every_length_are_exact) {
    for (size_t k = 1; k <= 70; k++) check_gemm(k % 5 + 1, k % 7 + 1, k, k % 2 == 0, 0);
    for (size_t m = 1; m <= 5; m++)
        for (size_t n = 1; n <= 9; n++) check_gemm(m, n, 19, (m + n) % 2 == 0, 0);
    for (size_t n = 10; n <= 35; n++) check_gemm(n % 3 + 1, n, 33, n % 2 == 0, 0); /* blocks of 16 channels */
}

/* Around every place where a lane would leave 32 bits: 508, 2032 and 4064 products; of RISC-V's vectors of 128, 256 and
   512 bits 8176, 16352 and 32704. */
Test(kernels_s16, the_largest_sums_are_exact) {
    static const size_t lengths[] = {507,  509,   511,   512,   2031,  2032,  2033,  2040,  2041, 4063, 4064,
                                     4065, 4079,  4080,  4081,  4088,  8127,  8128,  8129,  8175, 8176, 8177,
                                     8200, 12192, 16351, 16352, 16353, 20000, 32703, 32704, 32705};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (int extreme = 1; extreme <= 2; extreme++) check_gemm(2 - i % 2, 5, lengths[i], true, extreme);
    check_gemm(3, 3, 9001, true, 0);
    check_gemm(3, 3, 9001, false, 0);
}

static void check_dw(size_t pixels, size_t channels, size_t taps, bool wide, int extreme) {
    constants c = constants_make(channels, wide, 4194304.0 * (double)taps);
    int16_t **at = (int16_t **)exactly(pixels * taps * sizeof *at);
    int16_t *want = (int16_t *)exactly(pixels * channels * 2);
    int8_t *w = (int8_t *)exactly(taps * channels);
    nnrt__cpu_table table;
    for (size_t i = 0; i < taps * channels; i++) w[i] = (int8_t)(extreme ? -128 : noise_in(-128, 127));
    for (size_t i = 0; i < pixels * taps; i++) {
        at[i] = (int16_t *)exactly(channels * 2);
        for (size_t k = 0; k < channels; k++) at[i][k] = extreme ? -32768 : number();
    }
    for (size_t i = 0; i < pixels * channels; i++) {
        int64_t sum = 0;
        for (size_t t = 0; t < taps; t++)
            sum += (int64_t)at[i / channels * taps + t][i % channels] * w[t * channels + i % channels];
        want[i] = result(&c, i % channels, sum, -32768, 32767);
    }
    for (size_t level = 0; next_table(&table, &level);) {
        int16_t *out = (int16_t *)exactly(pixels * channels * 2);
        nnrt__dw_s16_args args;
        args.pixels = pixels;
        args.channels = channels;
        args.tap_count = taps;
        args.taps = (const int16_t *const *)at;
        args.w = w;
        args.constants = c.channels;
        args.out = out;
        args.clamp_min = -32768;
        args.clamp_max = 32767;
        table.dw_s16(&args);
        for (size_t i = 0; i < pixels * channels; i++)
            cr_assert_eq(out[i], want[i], "seed %u %s channels %zu taps %zu [%zu]: %d, not %d", SEED, table.dw_s16_isa,
                         channels, taps, i, out[i], want[i]);
        free(out);
    }
    for (size_t i = 0; i < pixels * taps; i++) free(at[i]);
    free(at);
    free(want);
    free(w);
    constants_free(&c);
}

Test(kernels_s16, depthwise_sums_of_any_channels_and_taps_are_exact) {
    for (size_t channels = 1; channels <= 26; channels++)
        check_dw(2, channels, channels % 10 + 1, channels % 2 == 0, 0);
    for (size_t taps = 508; taps <= 514; taps++) check_dw(1, 9, taps, true, 1);
}

/* Constants that only a hostile plan has give some number. */
Test(kernels_s16, shifts_and_multipliers_of_any_value_are_survived) {
    static const int32_t any[] = {0, 1, -1, 14, 15, 16, 31, 32, -31, -32, -49, 63, 64, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof any / sizeof any[0]; i++)
        for (size_t j = 0; j < sizeof any / sizeof any[0]; j++)
            for (int wide = 0; wide < 2; wide++) {
                const nnrt__channels_s16 channels = {&any[i], wide ? &any[j] : NULL, &any[j], &any[i]};
                const int16_t x = nnrt__finish_s16(&channels, 0, (int64_t)1 << 44, -5, 5);
                cr_assert(x >= -5 && x <= 5);
            }
}
