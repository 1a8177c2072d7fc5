/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_every_size.c - every kernel of every instruction set that this machine has comes to its end, and gives
   what portable C gives, at every depth, every width and every number of rows from 1 to 2,100: a step of a loop that is
   a quotient, a tail that is a remainder and a block that is a constant are right for the sizes that models have and
   for those that nobody thought of.

   Floats are small whole numbers, whose products and sums are exact in any order, so they are compared as bytes are.
   A kernel that does not end is a sentence after some seconds of processor time. The seed is printed. */
#include "linked.h"

#include <criterion/criterion.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define SEED 20261125u

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
static float float_bias[MOST];

static const int8_t *rows_s8[1 << 16];
static const float *rows_f32[1 << 16];
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
    }
    for (size_t i = 0; i < MOST; i++) {
        bias[i] = noise_in(-3000, 3000);
        float_bias[i] = (float)noise_in(-20, 20);
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
        if ((target->isa & ~nnrt__cpu_detect()) != 0) continue;
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
        check(any(at_most(together * 5 / 4 / size + 5)), any(9), size);
        check(any(5), size, any(8));
        check(size, any(5), any(8));
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
    const nnrt__weights from = {w, n, pieces, piece, (ptrdiff_t)k, 1, corrected, multiplier, shift};
    size_t size;
    cr_assert(n * k <= ROOM && nnrt__packing_size(packing, n, pieces, piece, &size) && size <= (size_t)PACKED);
    for (size_t i = 0; i < n; i++) corrected[i] = bias[i] - packing->a_offset * (int32_t)nnrt__sum_s8(w + i * k, k);
    nnrt__pack(to, packing, &from);
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
        }
}

Test(every_size, gemm_s8) { check_every_product(check_gemm_s8, 8192); }

static void pack_f32(const nnrt__packing *packing, size_t n, size_t pieces, size_t piece) {
    const nnrt__weights from = {floats, n, pieces, piece, (ptrdiff_t)(pieces * piece), 1, float_bias, NULL, NULL};
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

Test(every_size, gemm_f32) { check_every_product(check_gemm_f32, 2048); }
