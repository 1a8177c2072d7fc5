/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_every_size.c - every kernel of every instruction set that this machine has comes to its end, and gives
   what portable C gives, at every depth, every width and every number of rows from 1 to 2,100: a step of a loop that is
   a quotient, a tail that is a remainder and a block that is a constant are right for the sizes that models have and
   for those that nobody thought of.

   Floats are small whole numbers, whose products and sums are exact in any order, so they are compared as bytes are.
   A kernel that does not end is a sentence after some seconds of processor time. The seed is printed. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define SEED 20261125u

#include "levels.h"
#include "noise.h"

enum {
    MOST = 2100,    /* of a depth, a width, a number of rows */
    ROOM = 1 << 18, /* elements that operands are taken from */
    OUTPUT = 1 << 20,
    PACKED = 1 << 22,
    SCRATCH = 1 << 20,
    SECONDS = 5 /* of processor time for one call, which takes milliseconds */
};

static size_t at_most(size_t x) { return x < MOST ? x : MOST; }

static size_t any(size_t most) { return 1 + noise() % most; }

/* ------------------------------------------------------------------------------------- what does not end */

/* The call that is running, for the sentence. */
static struct {
    const char *slot, *isa;
    size_t m, n, k;
} running;

static void report_endless(int signal_number) {
    char sentence[200];
    const int length = snprintf(sentence, sizeof sentence, "%s %s does not end: m %zu, n %zu, k %zu\n", running.slot,
                                running.isa, running.m, running.n, running.k);
    (void)signal_number;
    if (length > 0 && write(2, sentence, (size_t)length) != length) _exit(2);
    _exit(1);
}

/* From here on the process has SECONDS of its own time for one call. */
static void begin_call(const char *slot, const char *isa, size_t m, size_t n, size_t k) {
    const struct itimerval limit = {{0, 0}, {SECONDS, 0}};
    running.slot = slot, running.isa = isa, running.m = m, running.n = n, running.k = k;
    signal(SIGVTALRM, report_endless);
    cr_assert_eq(setitimer(ITIMER_VIRTUAL, &limit, NULL), 0);
}

/* After a call: got is what portable C gave. */
static void expect_same(const void *got, const void *want, size_t size) {
    if (memcmp(got, want, size) == 0) return;
    for (size_t i = 0; i < size; i++)
        cr_assert_eq(((const uint8_t *)got)[i], ((const uint8_t *)want)[i],
                     "%s %s, m %zu, n %zu, k %zu, seed %u: byte %zu of %zu differs from portable C's", running.slot,
                     running.isa, running.m, running.n, running.k, SEED, i, size);
}

/* --------------------------------------------------------------------------------------------- material */

static int8_t bytes[ROOM], without_lowest[ROOM]; /* of -128..127 and of -127..127 */
static float floats[ROOM];                       /* whole numbers of -4..4 */
static int32_t bias[MOST], multiplier[MOST], shift[MOST];
static int32_t bias_high[MOST];
static int32_t added[OUTPUT];                     /* to the sums of rows */
static float float_bias[MOST], factors[2 * MOST]; /* whole numbers; any but 0 */

static int16_t words[ROOM];

static const int8_t *rows_s8[1 << 16];
static const float *rows_f32[1 << 16];
static const int16_t *rows_s16[1 << 16];
static uint8_t *got, *want, *packed; /* OUTPUT, OUTPUT and PACKED bytes */
static void *scratch;                /* SCRATCH */

static void *aligned(size_t size) {
    void *p = NULL;
    cr_assert_eq(posix_memalign(&p, 64, size), 0);
    return p;
}

static void make_material(void) {
    cr_log_info("the seed is %u", SEED);
    for (size_t i = 0; i < ROOM; i++) {
        bytes[i] = (int8_t)noise_in(-128, 127);
        without_lowest[i] = (int8_t)noise_in(-127, 127);
        floats[i] = (float)noise_in(-4, 4);
        words[i] = (int16_t)noise_in(-32768, 32767);
    }
    for (size_t i = 0; i < MOST; i++) {
        bias[i] = noise_in(-3000, 3000);
        bias_high[i] = bias[i] < 0 ? -1 : 0;
        float_bias[i] = (float)noise_in(-20, 20);
        factors[i] = (float)noise_between(0.01, 2.0);
        factors[MOST + i] = (float)noise_between(-2.0, -0.01);
        multiplier[i] = noise_in(1 << 30, INT32_MAX);
    }
    got = aligned(OUTPUT), want = aligned(OUTPUT), packed = aligned(PACKED), scratch = aligned(SCRATCH);
}

TestSuite(every_size, .init = make_material);

/* Shifts with which sums of k products of `size` each, on average, fill a byte or 16 bits of `range`. */
static void scale_sums(size_t k, double size, double range) {
    int exponent;
    (void)frexp(range / (size * sqrt((double)k)), &exponent);
    for (size_t i = 0; i < MOST; i++) shift[i] = (int32_t)exponent - (int32_t)(i % 3);
}

/* Levels above portable C that this machine has: false after the last. Begins with *level = 1. */
static bool next_table(nnrt__cpu_table *table, size_t *level) {
    while (*level < NNRT__TARGET_COUNT) {
        const nnrt__target *target = &nnrt__targets[(*level)++];
        if ((target->isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(table, target->isa);
        return true;
    }
    return false;
}

/* Is a kernel the table's level's own? Any other is that of a level below, which has been tried. */
static bool own(const nnrt__cpu_table *table, const char *isa) { return strcmp(isa, nnrt__isa_name(table->isa)) == 0; }

/* ------------------------------------------------------------------------------------- what is multiplied */

typedef void (*product_check)(size_t m, size_t n, size_t k);

/* Each of the three sizes goes through all of its values, with others that cost little, and then all three go together.
   Rows of `together` elements in all stay in the cache: of every depth there are fewer rows than that, or more. */
static void check_every_product(product_check check, size_t together) {
    for (size_t size = 1; size <= MOST; size++) {
        check(any(at_most(together * 5 / 4 / size + 4)), any(6), size);
        check(any(4), size, any(7));
        check(size, any(4), any(6));
    }
    for (int i = 0; i < 200; i++) {
        const size_t k = any(MOST), n = any(at_most(100000 / k)), m = any(at_most(100000 / k / n + 1));
        check(m, n, k);
    }
}

/* Pieces that a row is cut into. */
static size_t any_pieces(size_t k) {
    static const size_t counts[] = {1, 1, 2, 3, 5, 7, 9};
    const size_t pieces = counts[noise() % 7];
    return k % pieces == 0 ? pieces : 1;
}

/* Is one of a pair of slots to be tried: the level's own, and no other than the first? */
static bool tried(const nnrt__cpu_table *table, const char *isa, const nnrt__packing *packing,
                  const nnrt__packing *first) {
    return own(table, isa) && (packing == first || packing->nr != first->nr);
}

Test(every_size, rows_that_stay_in_the_cache_are_whole_blocks_and_at_least_one) {
    for (size_t depth = 0; depth <= 3 * 8192; depth++)
        for (size_t multiple = 1; multiple <= 16; multiple++) {
            const size_t rows = nnrt__rows_in_cache(depth, multiple);
            cr_assert(rows >= multiple && rows % multiple == 0, "%zu rows of %zu bytes, in blocks of %zu", rows, depth,
                      multiple);
            cr_assert(rows == multiple || rows * depth <= 8192, "%zu rows of %zu bytes do not stay", rows, depth);
        }
}

/* ------------------------------------------------------------------------------------------------ the slots */

/* Packs n rows of k weights at w for a kernel, with a bias that takes back what the kernel adds to A. */
static void pack_s8(uint8_t *to, const nnrt__packing *packing, const int8_t *w, size_t n, size_t pieces, size_t piece) {
    static int32_t corrected[MOST];
    const size_t k = pieces * piece;
    const nnrt__weights from = {w, n, pieces, piece, (ptrdiff_t)k, 1, corrected, multiplier, shift, {NULL, NULL}};
    size_t size;
    cr_assert(n * k <= ROOM && nnrt__packing_size(packing, n, pieces, piece, &size) && size <= (size_t)PACKED);
    for (size_t i = 0; i < n; i++) corrected[i] = bias[i] - packing->a_offset * (int32_t)nnrt__sum_s8(w + i * k, k);
    nnrt__pack(to, packing, &from);
}

/* The same product of rows that are flipped, each byte of them. */
static void check_gemm_s8_flipped(const nnrt__cpu_table *table, nnrt__gemm_s8_args args, size_t stride) {
    static uint8_t flipped[ROOM];
    static const int8_t *rows[sizeof rows_s8 / sizeof *rows_s8];
    table->gemm_s8_flipped.flip(flipped, bytes, ROOM);
    for (size_t i = 0; i < args.m * args.pieces; i++) rows[i] = (const int8_t *)flipped + (rows_s8[i] - bytes);
    args.a = rows;
    memset(got, 0x5a, args.m * stride);
    begin_call("gemm_s8_flipped", table->gemm_s8[0].isa, args.m, args.n, args.pieces * args.piece);
    table->gemm_s8_flipped.run(&args);
    expect_same(got, want, args.m * stride);
}

static void check_gemm_s8(size_t m, size_t n, size_t k) {
    const int8_t *const w = noise() % 4 != 0 ? without_lowest : bytes;
    const size_t stride = n + noise() % 3, pieces = any_pieces(k);
    nnrt__cpu_table table;
    nnrt__gemm_s8_args args;
    cr_assert(m * stride <= (size_t)OUTPUT && m * pieces <= sizeof rows_s8 / sizeof *rows_s8);
    for (size_t i = 0; i < m * pieces; i++) rows_s8[i] = bytes + noise() % (ROOM - MOST - 64);
    scale_sums(k, 73.0 * 73.0, 50.0);
    memset(&args, 0, sizeof args);
    args.m = m, args.n = n, args.pieces = pieces, args.piece = k / pieces, args.a = rows_s8, args.c_stride = stride;
    args.output_zero_point = noise_in(-128, 127), args.clamp_min = -120, args.clamp_max = 121;
    for (size_t i = 0; i < (m + 3) / 4 * 4; i++) added[i] = noise_in(-20000, 20000);
    args.added = noise() % 4 == 0 ? added : NULL;
    memset(want, 0x5a, m * stride);
    pack_s8(packed, &nnrt__packing_s8_1x1, w, n, pieces, k / pieces);
    args.w = packed, args.c = (int8_t *)want;
    nnrt__gemm_s8_scalar(&args, NULL);
    for (size_t level = 1; next_table(&table, &level);)
        for (size_t i = 0; i < 2; i++) {
            const nnrt__gemm_s8_slot *const slot = &table.gemm_s8[i];
            if (!tried(&table, slot->isa, slot->packing, table.gemm_s8[0].packing)) continue;
            cr_assert_leq(nnrt__packing_scratch(slot->packing, m, k + 8 * pieces), (size_t)SCRATCH);
            pack_s8(packed, slot->packing, w, n, pieces, k / pieces);
            memset(got, 0x5a, m * stride);
            args.c = (int8_t *)got;
            begin_call("gemm_s8", slot->isa, m, n, k);
            slot->run(&args, scratch);
            expect_same(got, want, m * stride);
            if (table.gemm_s8_flipped.packing == slot->packing && args.added == NULL)
                check_gemm_s8_flipped(&table, args, stride);
        }
}

static void check_gemm_raw_s8(size_t m, size_t n, size_t k) {
    const size_t stride = n + noise() % 3, w_stride = k + noise() % 2;
    nnrt__cpu_table table;
    nnrt__gemm_raw_s8_args args;
    cr_assert(m * stride <= OUTPUT && n * w_stride <= ROOM);
    for (size_t i = 0; i < m; i++) rows_s8[i] = bytes + noise() % (ROOM - MOST);
    scale_sums(k, 73.0 * 73.0, 50.0);
    memset(&args, 0, sizeof args);
    args.m = m, args.n = n, args.k = k, args.a = rows_s8, args.c_stride = stride;
    args.w = bytes, args.w_stride = w_stride, args.bias = bias, args.multiplier = multiplier, args.shift = shift;
    args.output_zero_point = noise_in(-128, 127), args.clamp_min = -120, args.clamp_max = 121;
    memset(want, 0x5a, m * stride);
    args.c = (int8_t *)want;
    nnrt__gemm_raw_s8_scalar(&args);
    for (size_t level = 1; next_table(&table, &level);) {
        if (!own(&table, table.gemm_raw_s8_isa)) continue;
        memset(got, 0x5a, m * stride);
        args.c = (int8_t *)got;
        begin_call("gemm_raw_s8", table.gemm_raw_s8_isa, m, n, k);
        table.gemm_raw_s8(&args);
        expect_same(got, want, m * stride);
    }
}

static void pack_f32(const nnrt__packing *packing, size_t n, size_t pieces, size_t piece) {
    const nnrt__weights from = {floats, n,          pieces, piece, (ptrdiff_t)(pieces * piece),
                                1,      float_bias, NULL,   NULL,  {NULL, NULL}};
    size_t size;
    cr_assert(n * pieces * piece <= ROOM && nnrt__packing_size(packing, n, pieces, piece, &size) &&
              size <= (size_t)PACKED);
    nnrt__pack(packed, packing, &from);
}

static void check_gemm_f32(size_t m, size_t n, size_t k) {
    const size_t stride = n + noise() % 3, pieces = any_pieces(k);
    nnrt__cpu_table table;
    nnrt__gemm_f32_args args;
    cr_assert(m * stride * 4 <= (size_t)OUTPUT && m * pieces <= sizeof rows_f32 / sizeof *rows_f32);
    for (size_t i = 0; i < m * pieces; i++) rows_f32[i] = floats + noise() % (ROOM - MOST);
    memset(&args, 0, sizeof args);
    args.m = m, args.n = n, args.pieces = pieces, args.piece = k / pieces, args.a = rows_f32, args.c_stride = stride;
    args.clamp_min = noise() % 2 != 0 ? -INFINITY : -30.0f, args.clamp_max = noise() % 2 != 0 ? INFINITY : 40.0f;
    memset(want, 0x5a, m * stride * 4);
    pack_f32(&nnrt__packing_f32_4x1, n, pieces, k / pieces);
    args.w = packed, args.c = (float *)(void *)want;
    nnrt__gemm_f32_scalar(&args, NULL);
    for (size_t level = 1; next_table(&table, &level);)
        for (size_t i = 0; i < 2; i++) {
            const nnrt__gemm_f32_slot *const slot = &table.gemm_f32[i];
            if (!tried(&table, slot->isa, slot->packing, table.gemm_f32[0].packing)) continue;
            cr_assert_leq(nnrt__packing_scratch(slot->packing, m, k), (size_t)SCRATCH);
            pack_f32(slot->packing, n, pieces, k / pieces);
            memset(got, 0x5a, m * stride * 4);
            args.c = (float *)(void *)got;
            begin_call("gemm_f32", slot->isa, m, n, k);
            slot->run(&args, scratch);
            expect_same(got, want, m * stride * 4);
        }
}

static void check_gemm_raw_f32(size_t m, size_t n, size_t k) {
    const size_t stride = n + noise() % 3, w_stride = k + noise() % 2;
    nnrt__cpu_table table;
    nnrt__gemm_raw_f32_args args;
    cr_assert(m * stride * 4 <= OUTPUT && n * w_stride <= ROOM);
    for (size_t i = 0; i < m; i++) rows_f32[i] = floats + noise() % (ROOM - MOST);
    memset(&args, 0, sizeof args);
    args.m = m, args.n = n, args.k = k, args.a = rows_f32, args.c_stride = stride;
    args.w = floats, args.w_stride = w_stride, args.bias = noise() % 4 != 0 ? float_bias : NULL;
    args.clamp_min = noise() % 2 != 0 ? -INFINITY : -30.0f, args.clamp_max = noise() % 2 != 0 ? INFINITY : 40.0f;
    memset(want, 0x5a, m * stride * 4);
    args.c = (float *)(void *)want;
    nnrt__gemm_raw_f32_scalar(&args);
    for (size_t level = 1; next_table(&table, &level);) {
        if (!own(&table, table.gemm_raw_f32_isa)) continue;
        memset(got, 0x5a, m * stride * 4);
        args.c = (float *)(void *)got;
        begin_call("gemm_raw_f32", table.gemm_raw_f32_isa, m, n, k);
        table.gemm_raw_f32(&args);
        expect_same(got, want, m * stride * 4);
    }
}

/* The same floats on every level: sums are exact, and what follows is rounded step by step. */
static void check_gemm_hybrid(size_t m, size_t n, size_t k) {
    const size_t stride = n + noise() % 3, w_stride = k + noise() % 2;
    nnrt__cpu_table table;
    nnrt__gemm_hybrid_args args;
    cr_assert(m * stride * 4 <= OUTPUT && n * w_stride <= ROOM);
    for (size_t i = 0; i < m; i++) rows_s8[i] = without_lowest + noise() % (ROOM - MOST);
    memset(&args, 0, sizeof args);
    args.m = m, args.n = n, args.k = k, args.a = rows_s8, args.a_scale = 0.0123f, args.c_stride = stride;
    args.w = bytes, args.w_stride = w_stride, args.w_scale = factors, args.w_scale_stride = noise() % 2;
    args.bias = noise() % 4 != 0 ? float_bias : NULL;
    args.clamp_min = noise() % 2 != 0 ? -INFINITY : -30.0f, args.clamp_max = noise() % 2 != 0 ? INFINITY : 40.0f;
    memset(want, 0x5a, m * stride * 4);
    args.c = (float *)(void *)want;
    nnrt__gemm_hybrid_scalar(&args);
    for (size_t level = 1; next_table(&table, &level);) {
        if (!own(&table, table.gemm_hybrid_isa)) continue;
        memset(got, 0x5a, m * stride * 4);
        args.c = (float *)(void *)got;
        begin_call("gemm_hybrid", table.gemm_hybrid_isa, m, n, k);
        table.gemm_hybrid(&args);
        expect_same(got, want, m * stride * 4);
    }
}

static nnrt__channels_s16 channels_s16(size_t k) {
    const nnrt__channels_s16 channels = {bias, noise() % 2 != 0 ? bias_high : NULL, multiplier, shift};
    scale_sums(k, 32768.0 * 73.0 / 2.0, 15000.0);
    return channels;
}

static void check_gemm_s16(size_t m, size_t n, size_t k) {
    const size_t stride = n + noise() % 3, w_stride = k + noise() % 2;
    nnrt__cpu_table table;
    nnrt__gemm_s16_args args;
    cr_assert(m * stride * 2 <= OUTPUT && n * w_stride <= ROOM);
    for (size_t i = 0; i < m; i++) rows_s16[i] = words + noise() % (ROOM - MOST);
    memset(&args, 0, sizeof args);
    args.m = m, args.n = n, args.k = k, args.a = rows_s16, args.c_stride = stride;
    args.w = bytes, args.w_stride = w_stride, args.channels = channels_s16(k);
    args.clamp_min = -30000, args.clamp_max = 31000;
    memset(want, 0x5a, m * stride * 2);
    args.c = (int16_t *)(void *)want;
    nnrt__gemm_s16_scalar(&args);
    for (size_t level = 1; next_table(&table, &level);) {
        if (!own(&table, table.gemm_s16_isa)) continue;
        memset(got, 0x5a, m * stride * 2);
        args.c = (int16_t *)(void *)got;
        begin_call("gemm_s16", table.gemm_s16_isa, m, n, k);
        table.gemm_s16(&args);
        expect_same(got, want, m * stride * 2);
    }
}

/* ------------------------------------------------------------------- depthwise: pixels, channels, taps

   With a list of taps, and, where a kernel has it, with the taps of rows: kernels of 1 x taps, and of 3 x 3. */

/* The bias of a packing for the weights `bytes`, [taps][channels]. */
static const int32_t *dw_bias(const nnrt__packing *packing, size_t channels, size_t taps) {
    static int32_t corrected[MOST];
    for (size_t c = 0; c < channels; c++) {
        int32_t sum = 0;
        for (size_t t = 0; t < taps; t++) sum += bytes[t * channels + c];
        corrected[c] = bias[c] - packing->a_offset * sum;
    }
    return corrected;
}

static void check_dw_s8(size_t pixels, size_t channels, size_t taps) {
    const size_t stride = channels + noise() % 3, kernel_h = taps == 9 ? 3 : 1;
    nnrt__cpu_table table;
    nnrt__dw_s8_args args;
    nnrt__dw_rows_s8_args rows;
    cr_assert(pixels * stride <= OUTPUT && pixels * taps <= sizeof rows_s8 / sizeof *rows_s8);
    cr_assert(channels * taps <= ROOM && (pixels + taps) * channels <= ROOM - 3);
    scale_sums(taps, 73.0 * 73.0, 50.0);
    memset(&args, 0, sizeof args);
    memset(&rows, 0, sizeof rows);
    for (size_t i = 0; i < pixels; i++)
        for (size_t t = 0; t < taps; t++) {
            const size_t row = t / (taps / kernel_h), column = t % (taps / kernel_h);
            rows_s8[i * taps + t] = bytes + row + (i + column) * channels;
        }
    args.pixels = rows.pixels = pixels, args.channels = rows.channels = channels;
    args.tap_count = taps, args.taps = rows_s8;
    rows.kernel_h = kernel_h, rows.kernel_w = taps / kernel_h, rows.pixel_step = rows.tap_step = channels;
    args.out_stride = rows.out_stride = stride;
    args.output_zero_point = rows.output_zero_point = noise_in(-128, 127);
    args.clamp_min = rows.clamp_min = -120, args.clamp_max = rows.clamp_max = 121;
    for (size_t level = 0; next_table(&table, &level);) {
        const nnrt__dw_s8_slot *const slot = &table.dw_s8[0];
        const int32_t *const corrected = dw_bias(slot->packing, channels, taps);
        const nnrt__weights from = {bytes,     channels,   1,     taps,        1, (ptrdiff_t)channels,
                                    corrected, multiplier, shift, {NULL, NULL}};
        const int8_t *first[3] = {bytes, bytes + 1, bytes + 2};
        size_t size;
        if (!own(&table, slot->isa)) continue;
        cr_assert(nnrt__packing_size(slot->packing, channels, 1, taps, &size) && size <= PACKED);
        nnrt__pack(packed, slot->packing, &from);
        rows.rows = first;
        for (int with_rows = 0; with_rows < (slot->run_rows != NULL ? 2 : 1); with_rows++) {
            uint8_t *const to = table.isa == 0 && with_rows == 0 ? want : got;
            memset(to, 0x5a, pixels * stride);
            args.w = rows.w = packed, args.out = rows.out = (int8_t *)to;
            begin_call(with_rows ? "dw_s8 in rows" : "dw_s8", slot->isa, pixels, channels, taps);
            if (with_rows) slot->run_rows(&rows);
            else slot->run(&args);
            if (to == got) expect_same(got, want, pixels * stride);
        }
    }
}

/* Planes of 3 rows, their middle row or two of them, against lists; the sides are zeros. */
static void check_dw_plane_s8(size_t pixels, size_t channels, size_t stride) {
    const size_t width = (pixels - 1) * stride + 1 + pixels % 2, taps = 9;
    static int8_t zeros[MOST];
    nnrt__cpu_table table;
    nnrt__dw_s8_args args;
    nnrt__dw_plane_s8_args plane;
    cr_assert(pixels * channels <= OUTPUT && pixels * taps <= sizeof rows_s8 / sizeof *rows_s8);
    cr_assert(channels * taps <= ROOM && 3 * width * channels <= ROOM && channels <= MOST);
    scale_sums(taps, 73.0 * 73.0, 50.0);
    memset(&args, 0, sizeof args);
    memset(&plane, 0, sizeof plane);
    for (size_t i = 0; i < pixels; i++)
        for (size_t t = 0; t < taps; t++) {
            const size_t x = i * stride + t % 3 - 1; /* wraps */
            rows_s8[i * taps + t] = x < width ? bytes + (t / 3 * width + x) * channels : zeros;
        }
    args.pixels = plane.pixels = pixels, args.channels = plane.channels = channels;
    args.tap_count = taps, args.taps = rows_s8, args.out_stride = channels;
    plane.rows = 1, plane.in = bytes, plane.in_h = 3, plane.in_w = width, plane.left = -1;
    plane.stride = stride, plane.out_line = pixels * channels;
    args.output_zero_point = plane.output_zero_point = noise_in(-128, 127);
    args.clamp_min = plane.clamp_min = -120, args.clamp_max = plane.clamp_max = 121;
    for (size_t level = 0; next_table(&table, &level);) {
        const nnrt__dw_s8_slot *const slot = &table.dw_s8[0];
        const int32_t *const corrected = dw_bias(slot->packing, channels, taps);
        const nnrt__weights from = {bytes,     channels,   1,     taps,        1, (ptrdiff_t)channels,
                                    corrected, multiplier, shift, {NULL, NULL}};
        size_t size;
        if (table.isa != 0 && (!own(&table, slot->isa) || slot->run_plane == NULL)) continue;
        cr_assert(nnrt__packing_size(slot->packing, channels, 1, taps, &size) && size <= PACKED);
        nnrt__pack(packed, slot->packing, &from);
        args.w = plane.w = packed, args.out = (int8_t *)want, plane.out = (int8_t *)got;
        memset(table.isa == 0 ? want : got, 0x5a, pixels * channels);
        begin_call("dw_s8 planes", slot->isa, pixels, channels, stride);
        if (table.isa == 0) slot->run(&args);
        else slot->run_plane(&plane);
        if (table.isa != 0) expect_same(got, want, pixels * channels);
    }
}

static void check_dw_f32(size_t pixels, size_t channels, size_t taps) {
    const size_t stride = channels + noise() % 3, kernel_h = taps == 9 ? 3 : 1;
    nnrt__cpu_table table;
    nnrt__dw_f32_args args;
    nnrt__dw_rows_f32_args rows;
    cr_assert(pixels * stride * 4 <= OUTPUT && pixels * taps <= sizeof rows_f32 / sizeof *rows_f32);
    cr_assert(channels * taps <= ROOM && (pixels + taps) * channels <= ROOM - 3);
    memset(&args, 0, sizeof args);
    memset(&rows, 0, sizeof rows);
    for (size_t i = 0; i < pixels; i++)
        for (size_t t = 0; t < taps; t++) {
            const size_t row = t / (taps / kernel_h), column = t % (taps / kernel_h);
            rows_f32[i * taps + t] = floats + row + (i + column) * channels;
        }
    args.pixels = rows.pixels = pixels, args.channels = rows.channels = channels;
    args.tap_count = taps, args.taps = rows_f32;
    rows.kernel_h = kernel_h, rows.kernel_w = taps / kernel_h, rows.pixel_step = rows.tap_step = channels;
    args.out_stride = rows.out_stride = stride;
    args.clamp_min = rows.clamp_min = -30.0f, args.clamp_max = rows.clamp_max = 40.0f;
    for (size_t level = 0; next_table(&table, &level);) {
        const nnrt__weights from = {floats,     channels, 1,    taps,        1, (ptrdiff_t)channels,
                                    float_bias, NULL,     NULL, {NULL, NULL}};
        const nnrt__dw_f32_slot *const slot = &table.dw_f32[0];
        const float *first[3] = {floats, floats + 1, floats + 2};
        size_t size;
        if (!own(&table, slot->isa)) continue;
        cr_assert(nnrt__packing_size(slot->packing, channels, 1, taps, &size) && size <= PACKED);
        nnrt__pack(packed, slot->packing, &from);
        rows.rows = first;
        for (int with_rows = 0; with_rows < (slot->run_rows != NULL ? 2 : 1); with_rows++) {
            uint8_t *const to = table.isa == 0 && with_rows == 0 ? want : got;
            memset(to, 0x5a, pixels * stride * 4);
            args.w = rows.w = packed, args.out = rows.out = (float *)(void *)to;
            begin_call(with_rows ? "dw_f32 in rows" : "dw_f32", slot->isa, pixels, channels, taps);
            if (with_rows) slot->run_rows(&rows);
            else slot->run(&args);
            if (to == got) expect_same(got, want, pixels * stride * 4);
        }
    }
}

static void check_dw_s16(size_t pixels, size_t channels, size_t taps) {
    const size_t size = pixels * channels * 2;
    nnrt__cpu_table table;
    nnrt__dw_s16_args args;
    cr_assert(size <= OUTPUT && pixels * taps <= sizeof rows_s16 / sizeof *rows_s16 && channels * taps <= ROOM);
    for (size_t i = 0; i < pixels * taps; i++) rows_s16[i] = words + noise() % (ROOM - MOST);
    memset(&args, 0, sizeof args);
    args.pixels = pixels, args.channels = channels, args.tap_count = taps, args.taps = rows_s16, args.w = bytes;
    args.constants = channels_s16(taps), args.clamp_min = -30000, args.clamp_max = 31000;
    args.out = (int16_t *)(void *)want;
    nnrt__dw_s16_scalar(&args);
    for (size_t level = 1; next_table(&table, &level);) {
        if (!own(&table, table.dw_s16_isa)) continue;
        args.out = (int16_t *)(void *)got;
        memset(got, 0x5a, size);
        begin_call("dw_s16", table.dw_s16_isa, pixels, channels, taps);
        table.dw_s16(&args);
        expect_same(got, want, size);
    }
}

/* Pixels, channels and taps as the three sizes of products; most kernels have nine taps. */
static void check_every_depthwise(product_check check) {
    for (size_t size = 1; size <= MOST; size++) {
        check(any(2), size, noise() % 4 == 0 ? 9 : any(4));
        check(size, any(9), noise() % 4 == 0 ? 9 : any(3));
        check(any(2), any(9), size);
    }
}

/* ---------------------------------------------------------------------- pools: rows, channels, columns */

static void check_pool_s8(bool average, size_t rows, size_t channels, size_t columns) {
    nnrt__cpu_table table;
    nnrt__pool_s8_args args;
    memset(&args, 0, sizeof args);
    cr_assert(rows * (columns + 1) * channels <= ROOM);
    args.in = bytes, args.row_stride = (columns + noise() % 2) * channels;
    args.rows = rows, args.columns = columns, args.channels = channels;
    args.offset = average && noise() % 2 != 0 ? 128 : 0, args.clamp_min = -128, args.clamp_max = 125;
    for (size_t level = 0; next_table(&table, &level);) {
        const char *const isa = average ? table.avg_pool_s8_isa : table.max_pool_s8_isa;
        if (!own(&table, isa)) continue;
        args.out = (int8_t *)(level == 1 ? want : got);
        memset(args.out, 0x5a, channels + 16);
        begin_call(average ? "avg_pool_s8" : "max_pool_s8", isa, rows, channels, columns);
        if (average) table.avg_pool_s8(&args);
        else table.max_pool_s8(&args);
        expect_same(args.out, want, channels + 16);
    }
}

static void check_avg_pool_s8(size_t m, size_t n, size_t k) { check_pool_s8(true, m, n, k); }
static void check_max_pool_s8(size_t m, size_t n, size_t k) { check_pool_s8(false, m, n, k); }

/* Averages are rounded once or twice: the sum is exact, and a count may be multiplied by its reciprocal. */
static void check_pool_f32(bool average, size_t rows, size_t channels, size_t columns) {
    nnrt__cpu_table table;
    nnrt__pool_f32_args args;
    memset(&args, 0, sizeof args);
    cr_assert(rows * (columns + 1) * channels <= ROOM);
    args.in = floats, args.row_stride = (columns + noise() % 2) * channels;
    args.rows = rows, args.columns = columns, args.channels = channels;
    args.clamp_min = -3.5f, args.clamp_max = 3.5f;
    for (size_t level = 0; next_table(&table, &level);) {
        const char *const isa = average ? table.avg_pool_f32_isa : table.max_pool_f32_isa;
        if (!own(&table, isa)) continue;
        args.out = (float *)(void *)(level == 1 ? want : got);
        memset(args.out, 0x5a, channels * 4 + 64);
        begin_call(average ? "avg_pool_f32" : "max_pool_f32", isa, rows, channels, columns);
        if (average) table.avg_pool_f32(&args);
        else table.max_pool_f32(&args);
        for (size_t c = 0; average && c < channels; c++) {
            const float right = ((const float *)(const void *)want)[c];
            cr_assert_float_eq(args.out[c], right, ldexp(fabs((double)right), -22), "%s, %zu x %zu pixels, %zu of %zu",
                               isa, rows, columns, c, channels);
            args.out[c] = right;
        }
        expect_same(args.out, want, channels * 4 + 64);
    }
}

static void check_avg_pool_f32(size_t m, size_t n, size_t k) { check_pool_f32(true, m, n, k); }
static void check_max_pool_f32(size_t m, size_t n, size_t k) { check_pool_f32(false, m, n, k); }

static void check_every_pool(product_check check) {
    for (size_t size = 1; size <= MOST; size++) {
        check(any(2), size, any(3));
        check(size, any(9), any(2));
        check(any(2), any(9), size);
    }
}

/* --------------------------------------------------------------------------------- elements, one by one */

static void check_add_s8(size_t n) {
    static const double scales[][3] = {{0.5, 0.25, 0.5}, {0.0235, 0.0411, 0.0507}, {0.02, 0.02, 0.02}};
    const double *const of = scales[noise() % 3];
    const size_t a_step = noise() % 4 != 0, b_step = noise() % 4 != 0;
    const int8_t *const a = bytes + noise() % (ROOM - MOST), *const b = bytes + noise() % (ROOM - MOST);
    nnrt__cpu_table table;
    nnrt__binary_s8_args args;
    memset(&args, 0, sizeof args);
    args.kind = noise() % 2 != 0 ? NNRT__BINARY_ADD : NNRT__BINARY_SUB;
    args.input_zero_point[0] = noise_in(-128, 127), args.input_zero_point[1] = noise_in(-128, 127);
    args.output_zero_point = noise_in(-20, 20), args.clamp_min = -128, args.clamp_max = 120;
    nnrt__binary_s8_scales(&args, of[0], of[1], of[2]);
    for (size_t level = 0; next_table(&table, &level);) {
        int8_t *const to = (int8_t *)(level == 1 ? want : got);
        if (!own(&table, table.add_s8_isa)) continue;
        memset(to, 0x5a, n + 16);
        begin_call("add_s8", table.add_s8_isa, 1, n, 1);
        table.add_s8(&args, a, a_step, b, b_step, to, n);
        expect_same(to, want, n + 16);
    }
}

static void check_mul_s8(size_t n) {
    static const double scales[][3] = {{0.5, 0.25, 0.5}, {0.0235, 0.0411, 0.0507}, {0.9, 0.9, 0.3}};
    const double *const of = scales[noise() % 3];
    const size_t a_step = noise() % 4 != 0, b_step = noise() % 4 != 0;
    const int8_t *const a = bytes + noise() % (ROOM - MOST), *const b = bytes + noise() % (ROOM - MOST);
    nnrt__cpu_table table;
    nnrt__binary_s8_args args;
    memset(&args, 0, sizeof args);
    args.kind = noise() % 2 != 0 ? NNRT__BINARY_MUL : NNRT__BINARY_PRELU;
    args.input_zero_point[0] = noise_in(-128, 127), args.input_zero_point[1] = noise_in(-128, 127);
    args.output_zero_point = noise_in(-20, 20), args.clamp_min = -128, args.clamp_max = 120;
    nnrt__binary_s8_scales(&args, of[0], of[1], of[2]);
    for (size_t level = 0; next_table(&table, &level);) {
        int8_t *const to = (int8_t *)(level == 1 ? want : got);
        if (!own(&table, table.mul_s8_isa)) continue;
        memset(to, 0x5a, n + 16);
        begin_call("mul_s8", table.mul_s8_isa, 1, n, 1);
        table.mul_s8(&args, a, a_step, b, b_step, to, n);
        expect_same(to, want, n + 16);
    }
}

/* Operators without vectors are left to portable C whatever the size is. */
static void check_binary_f32(size_t n) {
    static const uint32_t kinds[] = {
        NNRT__BINARY_ADD,     NNRT__BINARY_SUB,     NNRT__BINARY_MUL,   NNRT__BINARY_DIV,
        NNRT__BINARY_MAXIMUM, NNRT__BINARY_MINIMUM, NNRT__BINARY_PRELU, NNRT__BINARY_SQUARED_DIFFERENCE};
    for (size_t kind = 0; kind < NNRT__COUNT_OF(kinds); kind++) {
        const size_t a_step = noise() % 4 != 0, b_step = noise() % 4 != 0;
        const float *const a = factors + noise() % MOST, *const b = factors + noise() % MOST;
        nnrt__cpu_table table;
        nnrt__binary_f32_args args;
        memset(&args, 0, sizeof args);
        args.kind = kinds[kind], args.clamps = noise() % 2, args.clamp_min = -1.0f, args.clamp_max = 1.5f;
        for (size_t level = 0; next_table(&table, &level);) {
            float *const to = (float *)(void *)(level == 1 ? want : got);
            if (!own(&table, table.binary_f32_isa)) continue;
            memset(to, 0x5a, n * 4 + 64);
            begin_call("binary_f32", table.binary_f32_isa, kinds[kind], n, 1);
            table.binary_f32(&args, a, a_step, b, b_step, to, n);
            expect_same(to, want, n * 4 + 64);
        }
    }
}

static void check_quantize_symmetric_f32(size_t n) {
    const float *const in = factors + noise() % MOST;
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        uint8_t *const to = level == 1 ? want : got;
        float scale;
        if (!own(&table, table.quantize_symmetric_f32_isa)) continue;
        memset(to, 0x5a, n + 20);
        begin_call("quantize_symmetric_f32", table.quantize_symmetric_f32_isa, 1, n, 1);
        table.quantize_symmetric_f32(in, n, (int8_t *)to + 4, &scale);
        memcpy(to, &scale, 4);
        expect_same(to, want, n + 20);
    }
}

/* What the slack holds is anything, and nothing is read behind the last value. */
static void check_spread_of(size_t n, size_t element, size_t copies, size_t step) {
    const size_t filled = n * copies * element, read = ((n - 1) * step + 1) * element;
    nnrt__cpu_table table;
    nnrt__spread_args args;
    cr_assert(filled + NNRT__SPREAD_SLACK <= OUTPUT && read <= ROOM);
    args.count = n, args.step = step, args.copies = copies, args.element = element;
    args.from = (const uint8_t *)bytes + ROOM - read;
    for (size_t i = 0; i < n * copies; i++)
        memcpy(want + i * element, args.from + i / copies * step * element, element);
    args.to = got;
    for (size_t level = 0; next_table(&table, &level);) {
        if (!own(&table, table.spread_isa)) continue;
        memset(got, 0x5a, filled);
        begin_call("spread", table.spread_isa, n, copies, step);
        table.spread(&args);
        expect_same(got, want, filled);
    }
}

static void check_spread(size_t n) {
    for (size_t element = 1; element <= 4; element *= 2)
        for (size_t k = 1; k <= 81; k++)
            if (n <= 40 || k == 1 + n % 81) check_spread_of(n, element, 1 + (k - 1) / 9, 1 + (k - 1) % 9);
}

static void check_quantize_f32(size_t n) {
    const float *const in = factors + noise() % MOST;
    const bool is_signed = noise() % 2 != 0;
    const int32_t zero_point = noise_in(-128, 255);
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        uint8_t *const to = level == 1 ? want : got;
        if (!own(&table, table.quantize_f32_isa)) continue;
        memset(to, 0x5a, n + 16);
        begin_call("quantize_f32", table.quantize_f32_isa, 1, n, 1);
        table.quantize_f32(in, 0.0123f, zero_point, is_signed, to, n);
        expect_same(to, want, n + 16);
    }
}

static void check_dequantize_f32(size_t n) {
    const int8_t *const in = bytes + noise() % (ROOM - MOST);
    const bool is_signed = noise() % 2 != 0;
    const int32_t zero_point = noise_in(-128, 255);
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        float *const to = (float *)(void *)(level == 1 ? want : got);
        if (!own(&table, table.dequantize_f32_isa)) continue;
        memset(to, 0x5a, n * 4 + 64);
        begin_call("dequantize_f32", table.dequantize_f32_isa, 1, n, 1);
        table.dequantize_f32(in, 0.0123f, zero_point, is_signed, to, n);
        expect_same(to, want, n * 4 + 64);
    }
}

static void check_lut_s8(size_t n) {
    const uint8_t *const in = (const uint8_t *)bytes + noise() % (ROOM - MOST);
    const uint8_t *const of = (const uint8_t *)bytes + noise() % (ROOM - 256);
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        uint8_t *const to = level == 1 ? want : got;
        if (!own(&table, table.lut_s8_isa)) continue;
        memset(to, 0x5a, n + 16);
        begin_call("lut_s8", table.lut_s8_isa, 1, n, 1);
        table.lut_s8(of, in, to, n);
        expect_same(to, want, n + 16);
    }
}

static void check_binary_s16(size_t n) {
    static const uint32_t kinds[] = {NNRT__BINARY_ADD, NNRT__BINARY_SUB, NNRT__BINARY_MUL, NNRT__BINARY_MAXIMUM};
    const size_t a_step = noise() % 4 != 0, b_step = noise() % 4 != 0;
    const int16_t *const a = (const int16_t *)(const void *)bytes + noise() % (ROOM / 2 - MOST);
    const int16_t *const b = (const int16_t *)(const void *)bytes + noise() % (ROOM / 2 - MOST);
    nnrt__cpu_table table;
    nnrt__binary_s8_args args;
    memset(&args, 0, sizeof args);
    args.kind = kinds[noise() % NNRT__COUNT_OF(kinds)];
    args.clamp_min = -32768, args.clamp_max = 30000;
    nnrt__binary_s16_scales(&args, 0.00031, 0.00027, 0.00044);
    for (size_t level = 0; next_table(&table, &level);) {
        int16_t *const to = (int16_t *)(void *)(level == 1 ? want : got);
        if (!own(&table, table.binary_s16_isa)) continue;
        memset(to, 0x5a, n * 2 + 32);
        begin_call("binary_s16", table.binary_s16_isa, args.kind, n, 1);
        table.binary_s16(&args, a, a_step, b, b_step, to, n);
        expect_same(to, want, n * 2 + 32);
    }
}

/* Four pixels that overlap; weights at their ends, too. */
static void check_blend_s8(size_t n) {
    nnrt__blend_s8_args args;
    nnrt__cpu_table table;
    for (size_t i = 0; i < 4; i++) (i < 2 ? args.upper : args.lower)[i % 2] = bytes + noise() % (ROOM - MOST);
    args.right = noise() % 4 != 0 ? noise_in(0, 1024) : 512, args.down = noise() % 4 != 0 ? noise_in(0, 1024) : 512;
    args.n = n;
    for (size_t level = 0; next_table(&table, &level);) {
        args.to = (int8_t *)(level == 1 ? want : got);
        if (!own(&table, table.blend_s8_isa)) continue;
        memset(args.to, 0x5a, n + 16);
        begin_call("blend_s8", table.blend_s8_isa, 1, n, 1);
        table.blend_s8(&args);
        expect_same(args.to, want, n + 16);
    }
}

static void check_blend_f32(size_t n) {
    nnrt__blend_f32_args args;
    nnrt__cpu_table table;
    for (size_t i = 0; i < 4; i++) (i < 2 ? args.upper : args.lower)[i % 2] = factors + noise() % MOST;
    args.right = (float)noise_in(0, 16) / 16.0f, args.down = (float)noise_in(0, 1000) / 1000.0f;
    args.n = n;
    for (size_t level = 0; next_table(&table, &level);) {
        args.to = (float *)(void *)(level == 1 ? want : got);
        if (!own(&table, table.blend_f32_isa)) continue;
        memset(args.to, 0x5a, n * 4 + 64);
        begin_call("blend_f32", table.blend_f32_isa, 1, n, 1);
        table.blend_f32(&args);
        expect_same(args.to, want, n * 4 + 64);
    }
}

/* What the first n floats may differ from portable C's, whose functions are those of the C library; and nothing behind
   them is touched. */
static void expect_near(size_t n) {
    const float *const is = (const float *)(const void *)got, *const should = (const float *)(const void *)want;
    for (size_t i = 0; i < n; i++)
        cr_assert_leq(fabsf(is[i] - should[i]), 2e-6f * (1.0f + fabsf(should[i])),
                      "%s %s, kind %zu, n %zu, seed %u: element %zu: %.9g, not %.9g", running.slot, running.isa,
                      running.m, running.n, SEED, i, (double)is[i], (double)should[i]);
    expect_same(is + n, should + n, 64);
}

static void check_unary_f32(size_t n) {
    const float *const in = floats + noise() % (ROOM - MOST);
    const uint32_t kind = noise() % NNRT__UNARY_KINDS;
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        float *const to = (float *)(void *)(level == 1 ? want : got);
        if (!own(&table, table.unary_f32_isa) || (level != 1 && (table.unary_f32_kinds >> kind & 1) == 0)) continue;
        memset(to, 0x5a, n * 4 + 64);
        begin_call("unary_f32", table.unary_f32_isa, kind, n, 1);
        table.unary_f32(kind, in, 0.5f, 1.25f, to, n);
        if (level != 1) expect_near(n);
    }
}

static void check_softmax_f32(size_t n) {
    const float *const in = floats + noise() % (ROOM - MOST);
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        float *const to = (float *)(void *)(level == 1 ? want : got);
        if (!own(&table, table.softmax_f32_isa)) continue;
        memset(to, 0x5a, n * 4 + 64);
        begin_call("softmax_f32", table.softmax_f32_isa, 1, n, 1);
        table.softmax_f32(in, to, n, 1, NULL);
        if (level != 1) expect_near(n);
    }
}

static void check_sums_s8(size_t n) {
    const size_t rows = n < 300 ? (size_t)noise_in(1, 256) : (size_t)noise_in(1, 9);
    const size_t stride = n + noise() % 3;
    const int8_t *const in = bytes + noise() % (ROOM - rows * stride);
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        int32_t *const to = (int32_t *)(void *)(level == 1 ? want : got);
        if (!own(&table, table.sums_s8_isa)) continue;
        memset(to, 0x5a, n * 4 + 64);
        begin_call("sums_s8", table.sums_s8_isa, rows, n, stride);
        table.sums_s8(in, stride, rows, n, to);
        expect_same(to, want, n * 4 + 64);
    }
}

static void check_sums_f32(size_t n) {
    const size_t rows = n < 300 ? (size_t)noise_in(1, 100) : (size_t)noise_in(1, 9);
    const size_t stride = n + noise() % 3;
    const float *const in = floats + noise() % (ROOM - rows * stride);
    nnrt__cpu_table table;
    for (size_t level = 0; next_table(&table, &level);) {
        float *const to = (float *)(void *)(level == 1 ? want : got);
        if (!own(&table, table.sums_f32_isa)) continue;
        memset(to, 0x5a, n * 4 + 64);
        for (size_t i = 0; i < n; i++) to[i] = 0.25f;
        begin_call("sums_f32", table.sums_f32_isa, rows, n, stride);
        table.sums_f32(in, stride, rows, n, to);
        expect_same(to, want, n * 4 + 64);
    }
}

static void check_every_count(void (*check)(size_t n)) {
    for (size_t n = 1; n <= MOST; n++) check(n);
}

/* --------------------------------------------------------------------------- a test for each slot there is

   The list of slots makes the tests: a new one has none, and does not compile, until it has its sizes here. The four
   slots that are structures are no part of that list; a fifth makes the table larger than what is known of it. */

#define SIZES_gemm_raw_s8 check_every_product(check_gemm_raw_s8, 8192)
#define SIZES_gemm_raw_f32 check_every_product(check_gemm_raw_f32, 2048)
#define SIZES_avg_pool_s8 check_every_pool(check_avg_pool_s8)
#define SIZES_avg_pool_f32 check_every_pool(check_avg_pool_f32)
#define SIZES_max_pool_s8 check_every_pool(check_max_pool_s8)
#define SIZES_max_pool_f32 check_every_pool(check_max_pool_f32)
#define SIZES_add_s8 check_every_count(check_add_s8)
#define SIZES_mul_s8 check_every_count(check_mul_s8)
#define SIZES_binary_f32 check_every_count(check_binary_f32)
#define SIZES_quantize_f32 check_every_count(check_quantize_f32)
#define SIZES_dequantize_f32 check_every_count(check_dequantize_f32)
#define SIZES_lut_s8 check_every_count(check_lut_s8)
#define SIZES_binary_s16 check_every_count(check_binary_s16)
#define SIZES_gemm_hybrid check_every_product(check_gemm_hybrid, 8192)
#define SIZES_quantize_symmetric_f32 check_every_count(check_quantize_symmetric_f32)
#define SIZES_gemm_s16 check_every_product(check_gemm_s16, 4096)
#define SIZES_dw_s16 check_every_depthwise(check_dw_s16)
#define SIZES_spread check_every_count(check_spread)
#define SIZES_blend_s8 check_every_count(check_blend_s8)
#define SIZES_blend_f32 check_every_count(check_blend_f32)
#define SIZES_unary_f32 check_every_count(check_unary_f32)
#define SIZES_softmax_f32 check_every_count(check_softmax_f32)
#define SIZES_sums_s8 check_every_count(check_sums_s8)
#define SIZES_sums_f32 check_every_count(check_sums_f32)

#define SIZES_OF_SLOT(slot, type) \
    Test(every_size, slot) { SIZES_##slot; }
NNRT__CPU_SLOTS(SIZES_OF_SLOT)

Test(every_size, gemm_s8) { check_every_product(check_gemm_s8, 8192); }
Test(every_size, gemm_f32) { check_every_product(check_gemm_f32, 2048); }
Test(every_size, dw_s8) { check_every_depthwise(check_dw_s8); }
Test(every_size, dw_s8_planes) {
    for (size_t size = 1; size <= MOST; size++) {
        check_dw_plane_s8(any(4), size, any(2));
        check_dw_plane_s8(size, any(18), any(2));
    }
}
Test(every_size, dw_f32) { check_every_depthwise(check_dw_f32); }

Test(every_size, what_is_flipped_is_a_plus_the_offset_and_nothing_behind_it) {
    nnrt__cpu_table table;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    if (table.gemm_s8_flipped.packing == NULL) cr_skip_test("skipped, no kernel that takes flipped rows");
    for (size_t count = 0; count <= 200; count++) {
        int8_t *from = malloc(count + 1), *to = malloc(count + 1);
        cr_assert(from != NULL && to != NULL);
        for (size_t i = 0; i < count; i++) from[i] = (int8_t)noise();
        to[count] = 0x5a;
        table.gemm_s8_flipped.flip((uint8_t *)to, from, count);
        for (size_t i = 0; i < count; i++)
            cr_assert_eq((uint8_t)to[i], from[i] + table.gemm_s8_flipped.packing->a_offset, "[%zu] of %zu", i, count);
        cr_assert_eq(to[count], 0x5a, "%zu", count);
        free(from);
        free(to);
    }
}

Test(every_size, no_slot_of_the_table_is_left_out) {
    nnrt__cpu_table table;
#define POINTERS_OF_SLOT(slot, type) +sizeof(type) + sizeof(const char *)
    const size_t known = 2 * (sizeof(nnrt__gemm_s8_slot) + sizeof(nnrt__gemm_f32_slot) + sizeof(nnrt__dw_s8_slot) +
                              sizeof(nnrt__dw_f32_slot)) NNRT__CPU_SLOTS(POINTERS_OF_SLOT) +
                         sizeof(nnrt__gemm_s8_flipped) + sizeof(table.row_sums) + 2 * sizeof(size_t) +
                         2 * sizeof(unsigned);
    cr_assert_eq(sizeof(nnrt__cpu_table), known, "a slot of the table has no sizes in this file");
}
