/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_s8.c - the int8 kernels: every subset of the machine's instruction sets gives the bytes of a
   reference written here from the formulas, in 64-bit integers and doubles, with no packing and no vectors.

   Buffers are malloc'd to the exact size of the contract at every misalignment, so an over-read is a
   sanitizer report; bytes between the rows of an output hold a pattern that must survive. The seed is printed
   when something differs. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEED 20240611u
#define GAP_BYTE 0x5a

#include "levels.h"
#include "noise.h"

/* How a buffer is filled: anything, or every byte at one end of the range. */
enum {
    FILL_NOISE,
    FILL_LOWEST,
    FILL_HIGHEST,
    FILL_NO_LOWEST,
    FILL_COUNT
};

static void fill(int8_t *to, size_t n, int how) {
    for (size_t i = 0; i < n; i++)
        to[i] = how == FILL_LOWEST    ? (int8_t)-128
                : how == FILL_HIGHEST ? (int8_t)127
                                      : (int8_t)noise_in(how == FILL_NO_LOWEST ? -127 : -128, 127);
}

/* While open, buffers of up to GUARDED bytes end where a page begins that may not be touched. They are handed
   out in turn, so one check may use GUARDS of them. */
enum {
    GUARDS = 16,
    GUARDED = 16384
};

static uint8_t *guards[GUARDS];
static size_t next_guard, page;

static void open_guards(void) {
    page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < GUARDS; i++) {
        void *p = NULL;
        cr_assert_eq(posix_memalign(&p, page < GUARDED ? GUARDED : page, GUARDED + page), 0);
        guards[i] = p;
        cr_assert_eq(mprotect(guards[i] + GUARDED, page, PROT_NONE), 0);
    }
}

static void close_guards(void) {
    for (size_t i = 0; i < GUARDS; i++) {
        cr_assert_eq(mprotect(guards[i] + GUARDED, page, PROT_READ | PROT_WRITE), 0);
        free(guards[i]);
        guards[i] = NULL;
    }
}

/* A malloc'd block whose byte `skew` is the buffer: *free_me is what to free. It ends where the buffer
   ends. */
static void *block(size_t size, size_t skew, void **free_me) {
    uint8_t *bytes;
    if (guards[0] != NULL && size <= GUARDED) {
        *free_me = NULL;
        return guards[next_guard++ % GUARDS] + GUARDED - size;
    }
    bytes = malloc(size + skew);
    cr_assert_not_null(bytes);
    *free_me = bytes;
    return bytes + skew;
}

static void *aligned_block(size_t size) {
    void *p = NULL;
    cr_assert_eq(posix_memalign(&p, 64, size != 0 ? size : 1), 0);
    return p;
}

/* ------------------------------------------------------------------------------------------ the reference */

static int32_t wrap(int64_t x) {
    uint32_t low = (uint32_t)((uint64_t)x & 0xffffffffu);
    int32_t result;
    memcpy(&result, &low, 4);
    return result;
}

/* x * multiplier / 2^31 to nearest, ties up; then / 2^-shift to nearest, ties away from zero. */
static int32_t reference_requantize(int32_t x, int32_t multiplier, int32_t shift) {
    const int64_t unit = (int64_t)1 << 31;
    int64_t product, rest, quotient;
    if (shift > 0) x = wrap((int64_t)((uint64_t)(uint32_t)x << shift));
    product = (int64_t)x * multiplier;
    rest = ((product % unit) + unit) % unit;
    quotient = (product - rest) / unit + (rest >= unit / 2 ? 1 : 0);
    return shift < 0 ? (int32_t)round(ldexp((double)quotient, shift)) : (int32_t)quotient;
}

static int8_t reference_finish(int64_t sum, int32_t multiplier, int32_t shift, int32_t zero_point, int32_t low,
                               int32_t high) {
    int64_t x = (int64_t)reference_requantize(wrap(sum), multiplier, shift) + zero_point;
    return (int8_t)(x < low ? low : x > high ? high : x);
}

/* -------------------------------------------------------------------------- channel constants and outputs */

typedef struct constants {
    int32_t *bias, *multiplier, *shift;
    int32_t zero_point, low, high;
} constants;

/* Realistic scales most of the time, so that outputs differ; every multiplier and shift, and a bias that
   makes sums wrap, the rest of the time. Shifts of neighbours are close in every other case, as they are in models:
   vector files have a shorter way then, which must hold for every sum as well. */
static constants make_constants(size_t n) {
    static const int32_t zero_points[] = {-128, 127, 0, -3, 19};
    constants q;
    const bool hostile = noise() % 4 == 0, close = noise() % 2 != 0;
    const int32_t base = hostile ? -noise_in(0, 25) : -noise_in(3, 10), spread = noise_in(0, 6);
    q.bias = malloc(n * 4);
    q.multiplier = malloc(n * 4);
    q.shift = malloc(n * 4);
    for (size_t i = 0; i < n; i++) {
        q.bias[i] = hostile ? (noise() % 2 ? INT32_MAX : INT32_MIN) : noise_in(-20000, 20000);
        q.multiplier[i] = noise() % 16 == 0 ? 0 : noise_in(1 << 30, INT32_MAX);
        q.shift[i] = close ? base - noise_in(0, spread) : hostile ? noise_in(-31, 30) : noise_in(-13, -3);
    }
    q.zero_point = zero_points[noise() % 5];
    q.low = noise() % 2 ? -128 : q.zero_point;
    q.high = noise() % 2 ? 127 : noise_in(q.low, 127);
    return q;
}

static void free_constants(constants *q) {
    free(q->bias);
    free(q->multiplier);
    free(q->shift);
}

/* The next level that this machine has. */
static bool next_cap(unsigned *cap) {
    size_t i = 0;
    while (nnrt__targets[i].isa != *cap) i++;
    for (i++; i < NNRT__TARGET_COUNT && (nnrt__targets[i].isa & ~levels_here()) != 0;) i++;
    if (i >= NNRT__TARGET_COUNT) return false;
    *cap = nnrt__targets[i].isa;
    return true;
}

/* Is a kernel the table's level's own? Any other is that of a level below, which tried it. */
static bool own(const nnrt__cpu_table *t, const char *isa) { return strcmp(isa, nnrt__isa_name(t->isa)) == 0; }

static bool gaps_intact(const int8_t *c, size_t rows, size_t n, size_t stride) {
    for (size_t row = 0; row + 1 < rows; row++)
        for (size_t i = n; i < stride; i++)
            if (c[row * stride + i] != GAP_BYTE) return false;
    return true;
}

/* ----------------------------------------------------------------------------------------- requantization */

static const int32_t accumulators[] = {0,
                                       1,
                                       -1,
                                       2,
                                       -2,
                                       3,
                                       -3,
                                       5,
                                       -5,
                                       127,
                                       -128,
                                       255,
                                       -255,
                                       256,
                                       -256,
                                       1000,
                                       -1000,
                                       32767,
                                       -32768,
                                       65536,
                                       -65536,
                                       1 << 20,
                                       -(1 << 20),
                                       1 << 29,
                                       -(1 << 29),
                                       (1 << 30) - 1,
                                       1 << 30,
                                       -(1 << 30),
                                       (1 << 30) + 1,
                                       -(1 << 30) - 1,
                                       INT32_MAX,
                                       INT32_MAX - 1,
                                       INT32_MIN,
                                       INT32_MIN + 1};
static const int32_t multipliers[] = {0,          1 << 30,       (1 << 30) + 1, 3 << 29,
                                      1518500250, INT32_MAX - 1, INT32_MAX,     1276901417};

typedef void (*requantize_8)(const int32_t *x, const int32_t *multiplier, const int32_t *shift, int32_t *y);

#if NNRT__HAVE_SSE41
NNRT__TARGET_SSE41 static void requantize_8_sse41(const int32_t *x, const int32_t *multiplier, const int32_t *shift,
                                                  int32_t *y) {
    for (int i = 0; i < 8; i += 4) {
        nnrt__requantize_x4_sse41 q;
        nnrt__requantize_prepare_sse41(&q, nnrt__load_up_to_4_sse41(multiplier + i, 4),
                                       nnrt__load_up_to_4_sse41(shift + i, 4));
        _mm_storeu_si128((__m128i *)(void *)(y + i), nnrt__requantize_sse41(nnrt__load_up_to_4_sse41(x + i, 4), &q));
    }
}

NNRT__TARGET_AVX2 static void requantize_8_avx2(const int32_t *x, const int32_t *multiplier, const int32_t *shift,
                                                int32_t *y) {
    nnrt__requantize_x8_avx2 q;
    nnrt__requantize_prepare_avx2(&q, multiplier, shift);
    _mm256_storeu_si256((__m256i *)(void *)y,
                        nnrt__requantize_avx2(_mm256_loadu_si256((const __m256i *)(const void *)x), &q));
}

#if NNRT__HAVE_AVX512VNNI
NNRT__TARGET_AVX512VNNI static void requantize_8_avx512vnni(const int32_t *x, const int32_t *multiplier,
                                                            const int32_t *shift, int32_t *y) {
    const __m256i lanes = _mm256_loadu_si256((const __m256i *)(const void *)x);
    nnrt__finish_x16_avx512vnni q;
    nnrt__finish_prepare_avx512vnni(&q, multiplier, shift, 8);
    _mm256_storeu_si256((__m256i *)(void *)y, _mm512_castsi512_si256(nnrt__finish_avx512vnni(
                                                  _mm512_inserti64x4(_mm512_setzero_si512(), lanes, 0), &q)));
}
#else
#define requantize_8_avx512vnni NULL
#endif

static requantize_8 vector_requantize(unsigned isa) {
    return isa == NNRT__ISA_SSE41        ? requantize_8_sse41
           : isa == NNRT__ISA_AVX2       ? requantize_8_avx2
           : isa == NNRT__ISA_AVX512VNNI ? requantize_8_avx512vnni
                                         : NULL;
}
#elif NNRT__HAVE_NEON
static void requantize_8_neon(const int32_t *x, const int32_t *multiplier, const int32_t *shift, int32_t *y) {
    for (int i = 0; i < 8; i += 4)
        vst1q_s32(y + i, nnrt__requantize_neon(vld1q_s32(x + i), nnrt__requantize_prepare_neon(
                                                                     vld1q_s32(multiplier + i), vld1q_s32(shift + i))));
}

static requantize_8 vector_requantize(unsigned isa) { return isa == NNRT__ISA_NEON ? requantize_8_neon : NULL; }
#elif NNRT__HAVE_RVV
NNRT__TARGET_RVV static void requantize_8_rvv(const int32_t *x, const int32_t *multiplier, const int32_t *shift,
                                              int32_t *y) {
    const size_t vl = __riscv_vsetvl_e32m4(8);
    const vint32m4_t shifts = __riscv_vle32_v_i32m4(shift, vl);
    __riscv_vse32_v_i32m4(y,
                          nnrt__rvv_requantize(__riscv_vle32_v_i32m4(x, vl), __riscv_vle32_v_i32m4(multiplier, vl),
                                               shifts, nnrt__rvv_are_usual(shifts, vl), vl),
                          vl);
}

static requantize_8 vector_requantize(unsigned isa) { return isa == NNRT__ISA_RVV ? requantize_8_rvv : NULL; }
#else
static requantize_8 vector_requantize(unsigned isa) {
    (void)isa;
    return NULL;
}
#endif

Test(requantize, scalar_is_the_formula) {
    for (int32_t shift = -31; shift <= 30; shift++)
        for (size_t i = 0; i < sizeof multipliers / 4; i++)
            for (size_t j = 0; j < sizeof accumulators / 4 + 2000; j++) {
                int32_t x = j < sizeof accumulators / 4 ? accumulators[j] : wrap(noise());
                int32_t got = nnrt__requantize(x, multipliers[i], shift);
                int32_t want = reference_requantize(x, multipliers[i], shift);
                cr_assert_eq(got, want, "%d * %d, shift %d: got %d, want %d", (int)x, (int)multipliers[i], (int)shift,
                             (int)got, (int)want);
            }
}

/* Ties of the second rounding: with multiplier 2^30 and shift s the value is x / 2 / 2^-s; small x meet them
   all. */
Test(requantize, every_instruction_set_equals_scalar) {
    const size_t listed = sizeof accumulators / 4, small = 4200, random = 3000;
    for (unsigned isa = 1; isa != 0; isa <<= 1) {
        const requantize_8 vector = vector_requantize(isa); /* NULL: that of the level below */
        if ((isa & levels_here()) == 0 || vector == NULL) continue;
        for (int32_t shift = -31; shift <= 30; shift++)
            for (size_t i = 0; i < sizeof multipliers / 4; i++)
                for (size_t j = 0; j < listed + small + random; j += 8) {
                    int32_t x[8], m[8], s[8], y[8];
                    for (size_t lane = 0; lane < 8; lane++) {
                        size_t at = j + lane;
                        x[lane] = at < listed           ? accumulators[at]
                                  : at < listed + small ? (int32_t)(at - listed) - 2100
                                                        : wrap(noise());
                        m[lane] = lane % 2 ? multipliers[i] : at % 7 ? noise_in(1 << 30, INT32_MAX) : 1 << 30;
                        s[lane] = lane < 5 ? shift : noise_in(-31, 30);
                    }
                    vector(x, m, s, y);
                    for (size_t lane = 0; lane < 8; lane++) {
                        int32_t want = nnrt__requantize(x[lane], m[lane], s[lane]);
                        cr_assert_eq(y[lane], want, "%s: %d * %d, shift %d: got %d, want %d (seed %u)",
                                     nnrt__isa_name(isa), (int)x[lane], (int)m[lane], (int)s[lane], (int)y[lane],
                                     (int)want, SEED);
                    }
                }
    }
}

Test(requantize, the_byte_clamps_before_it_could_overflow) {
    cr_expect_eq(nnrt__requantize_s8((uint32_t)INT32_MAX, INT32_MAX, 0, 127, -128, 127), 127);
    cr_expect_eq(nnrt__requantize_s8((uint32_t)INT32_MIN, INT32_MAX, 0, -128, -128, 127), -128);
    cr_expect_eq(nnrt__requantize_s8((uint32_t)INT32_MAX, INT32_MAX, 0, 5, 5, 9), 9);
    cr_expect_eq(nnrt__requantize_s8((uint32_t)INT32_MIN, INT32_MAX, 0, 5, 5, 9), 5);
}

/* A plan may be hostile: its shifts are data. */
/* The one product that leaves 32 bits; its plan is hostile, too. */
Test(requantize, the_one_product_that_overflows_is_saturated) {
    for (int32_t shift = -31; shift <= 0; shift++) {
        const int32_t want = shift == 0 ? INT32_MAX : (int32_t)round(ldexp((double)INT32_MAX, shift));
        cr_expect_eq(nnrt__requantize(INT32_MIN, INT32_MIN, shift), want, "shift %d", (int)shift);
    }
}

Test(requantize, shifts_that_do_not_exist_count_modulo_32) {
    static const int32_t shifts[] = {31, 32, 100, INT32_MAX, -31, -32, -100, -INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof shifts / 4; i++) {
        const int64_t shift = shifts[i], existing = shift > 0 ? shift % 32 : -(-shift % 32);
        for (size_t j = 0; j < sizeof accumulators / 4; j++)
            cr_assert_eq(nnrt__requantize(accumulators[j], 1 << 30, shifts[i]),
                         nnrt__requantize(accumulators[j], 1 << 30, (int32_t)existing), "shift %d", (int)shift);
    }
}

/* ---------------------------------------------------------------------------- constants from real numbers */

Test(constants, a_factor_becomes_31_bits_and_a_shift) {
    int32_t m, s;
    for (int i = 0; i < 20000; i++) {
        double factor = ldexp(1.0 + noise() / 4294967296.0, noise_in(-31, 28));
        nnrt__quantize_multiplier(factor, &m, &s);
        cr_assert(m >= 1 << 30 && s >= -31 && s <= 30, "%.17g: %d, %d", factor, (int)m, (int)s);
        cr_assert(fabs(ldexp((double)m, s - 31) - factor) <= factor * ldexp(1.0, -31), "%.17g: %d, %d", factor, (int)m,
                  (int)s);
    }
}

Test(constants, factors_at_the_ends_are_flushed_rounded_up_or_saturated) {
    static const struct {
        double factor;
        int32_t multiplier, shift;
    } rows[] = {{0.0, 0, 0},
                {-1.0, 0, 0},
                {0.5, 1 << 30, 0},
                {1.0, 1 << 30, 1},
                {1.0 - 1e-12, 1 << 30, 1},              /* rounds up to 2^31, which needs the next exponent */
                {2.3283064365386963e-10, 1 << 30, -31}, /* 2^-32 */
                {1.1641532182693481e-10, 0, 0},         /* 2^-33 */
                {536870912.0, 1 << 30, 30},
                {1073741824.0, INT32_MAX, 30}, /* would be shift 31 */
                {1e300, INT32_MAX, 30}};
    int32_t m, s;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nnrt__quantize_multiplier(rows[i].factor, &m, &s);
        cr_expect(m == rows[i].multiplier && s == rows[i].shift, "%g: got %d, %d", rows[i].factor, (int)m, (int)s);
    }
    nnrt__quantize_multiplier((double)NAN, &m, &s);
    cr_expect(m == 0 && s == 0);
    nnrt__quantize_multiplier((double)INFINITY, &m, &s);
    cr_expect(m == INT32_MAX && s == 30);
}

Test(constants, a_bound_becomes_the_nearest_step_within_a_byte) {
    int32_t low, high;
    for (int i = 0; i < 20000; i++) {
        float scale = (float)ldexp(1.0 + noise() / 4294967296.0, noise_in(-10, 4));
        float bound = (float)noise_in(-4000, 4000) / (noise() % 2 ? 64.0f : 333.0f);
        int32_t zero_point = noise_in(-128, 127);
        double steps = (double)zero_point + round((double)(bound / scale));
        int32_t want = (int32_t)fmin(fmax(steps, -128.0), 127.0);
        cr_assert_eq(nnrt__clamp_to_quantized(bound, scale, zero_point), want, "%g / %g + %d", (double)bound,
                     (double)scale, (int)zero_point);
    }
    nnrt__clamp_range_to_quantized(-INFINITY, INFINITY, 0.5f, -7, &low, &high);
    cr_expect(low == -128 && high == 127);
    nnrt__clamp_range_to_quantized(0.0f, INFINITY, 0.5f, -7, &low, &high);
    cr_expect(low == -7 && high == 127);
    nnrt__clamp_range_to_quantized(0.0f, 6.0f, 0.5f, -7, &low, &high);
    cr_expect(low == -7 && high == 5);
    nnrt__clamp_range_to_quantized(0.0f, 6.0f, 1e-30f, -128, &low, &high);
    cr_expect(low == -128 && high == 127);
}

/* --------------------------------------------------------------------------------------------------- gemm */

typedef struct gemm_case {
    size_t m, n, k, pieces, c_stride, skew, a_size;
    int8_t *a, *w, *want, *got;
    const int8_t **list; /* [m][pieces] into a */
    int32_t *added;      /* [m rounded up to 4], or NULL */
    void *free_a, *free_w, *free_got, *free_added;
    constants q;
} gemm_case;

static void expect_gemm(const gemm_case *g) {
    const size_t piece = g->k / g->pieces;
    for (size_t row = 0; row < g->m; row++)
        for (size_t channel = 0; channel < g->n; channel++) {
            int64_t sum = g->q.bias[channel] + (g->added != NULL ? (int64_t)g->added[row] : 0);
            for (size_t i = 0; i < g->k; i++)
                sum += (int64_t)g->list[row * g->pieces + i / piece][i % piece] * g->w[channel * g->k + i];
            g->want[row * g->n + channel] = reference_finish(sum, g->q.multiplier[channel], g->q.shift[channel],
                                                             g->q.zero_point, g->q.low, g->q.high);
        }
}

/* Pieces lie apart in a, in turn from its end and its beginning, and the last is readable to its end rounded up to kr
   only. */
static gemm_case make_gemm(size_t m, size_t n, size_t pieces, size_t piece, uint32_t kr, size_t skew) {
    gemm_case g;
    const size_t readable = (piece + kr - 1) / kr * kr, stride = readable + noise() % 3 * 5, k = pieces * piece;
    const size_t count = m * pieces, a_size = (count - 1) * stride + readable;
    const int fill_a = (int)(noise() % 3 ? FILL_NOISE : noise() % FILL_COUNT);
    const int fill_w = (int)(noise() % 4);
    g.m = m, g.n = n, g.k = k, g.pieces = pieces, g.skew = skew, g.a_size = a_size;
    g.c_stride = n + noise() % 3 * 3;
    g.a = block(a_size, skew, &g.free_a);
    g.w = block(n * k, (skew * 3) % 16, &g.free_w);
    g.got = block((m - 1) * g.c_stride + n, (skew * 7) % 16, &g.free_got);
    g.want = malloc(m * n);
    g.list = malloc(count * sizeof *g.list);
    g.q = make_constants(n);
    g.added = g.free_added = NULL;
    fill(g.a, a_size, fill_a);
    fill(g.w, n * k, fill_w);
    for (size_t i = 0; i < count; i++) g.list[i] = g.a + (i % 2 ? i / 2 : count - 1 - i / 2) * stride;
    expect_gemm(&g);
    return g;
}

/* The same with something for each row that is added to its sums. */
static void add_to_rows(gemm_case *g) {
    const size_t rows = (g->m + 3) / 4 * 4;
    g->added = block(rows * 4, 0, &g->free_added);
    for (size_t i = 0; i < rows; i++) g->added[i] = i < g->m ? noise_in(-100000, 100000) : 0;
    expect_gemm(g);
}

static void clear_gemm(gemm_case *g) { memset(g->got, GAP_BYTE, (g->m - 1) * g->c_stride + g->n); }

static void check_gemm(const gemm_case *g, const char *what, const char *isa) {
    for (size_t row = 0; row < g->m; row++)
        cr_assert_eq(memcmp(g->got + row * g->c_stride, g->want + row * g->n, g->n), 0,
                     "%s %s differs in row %d: m=%d n=%d pieces=%d k=%d skew=%d (seed %u)", what, isa, (int)row,
                     (int)g->m, (int)g->n, (int)g->pieces, (int)g->k, (int)g->skew, SEED);
    cr_assert(gaps_intact(g->got, g->m, g->n, g->c_stride), "%s %s wrote between the rows: m=%d n=%d k=%d", what, isa,
              (int)g->m, (int)g->n, (int)g->k);
}

static void free_gemm(gemm_case *g) {
    free(g->free_a);
    free(g->free_w);
    free(g->free_got);
    free(g->free_added);
    free(g->want);
    free((void *)g->list);
    free_constants(&g->q);
}

/* What the packer is to write as bias: corrected for what the kernel adds to A. */
static int32_t *offset_bias(const constants *q, const int8_t *w, size_t n, size_t k, ptrdiff_t n_stride,
                            ptrdiff_t k_stride, int32_t offset) {
    int32_t *bias = malloc(n * 4);
    for (size_t i = 0; i < n; i++) {
        int64_t sum = 0;
        for (size_t j = 0; j < k; j++) sum += w[(ptrdiff_t)i * n_stride + (ptrdiff_t)j * k_stride];
        bias[i] = wrap(q->bias[i] - sum * offset);
    }
    return bias;
}

/* run NULL: nnrt__gemm_s8_any. The packed block lies 4 bytes past an aligned address: that is all a kernel
   may ask. flipped: NULL, or what runs in place of slot->run; A stays flipped then. */
static void run_gemm_by(gemm_case *g, const nnrt__gemm_s8_slot *slot, const nnrt__gemm_s8_flipped *flipped) {
    const nnrt__packing *p = slot->packing;
    const size_t piece = g->k / g->pieces;
    int32_t *bias = offset_bias(&g->q, g->w, g->n, g->k, (ptrdiff_t)g->k, 1, p->a_offset);
    const nnrt__weights from = {g->w, g->n, g->pieces,       piece,      (ptrdiff_t)g->k,
                                1,    bias, g->q.multiplier, g->q.shift, {NULL, NULL}};
    nnrt__gemm_s8_args args;
    const size_t room = nnrt__packing_scratch(p, g->m, nnrt__packed_depth(g->pieces, piece, p->kr));
    void *scratch = room != 0 ? aligned_block(room) : NULL, *free_packed;
    size_t size = 0;
    uint8_t *packed;
    cr_assert(nnrt__packing_size(p, g->n, g->pieces, piece, &size));
    packed = block(size, 4, &free_packed);
    nnrt__pack(packed, p, &from);
    memset(&args, 0, sizeof args);
    args.m = g->m, args.n = g->n, args.pieces = g->pieces, args.piece = piece;
    args.a = g->list, args.w = packed + nnrt__packing_front(p), args.added = g->added;
    args.factor = nnrt__packing_is_shared(p) ? packed : NULL;
    args.c = g->got, args.c_stride = g->c_stride;
    args.output_zero_point = g->q.zero_point, args.clamp_min = g->q.low, args.clamp_max = g->q.high;
    clear_gemm(g);
    if (flipped != NULL) {
        flipped->flip((uint8_t *)g->a, g->a, g->a_size);
        flipped->run(&args);
    } else if (slot->run == NULL) {
        nnrt__gemm_s8_any(&args, p);
    } else {
        slot->run(&args, scratch);
    }
    free(free_packed);
    free(scratch);
    free(bias);
}

static void run_gemm(gemm_case *g, const nnrt__gemm_s8_slot *slot) { run_gemm_by(g, slot, NULL); }

/* One factor for all channels, where the packing has no more. */
static void share_factor(gemm_case *g, const nnrt__packing *p) {
    if (!nnrt__packing_is_shared(p)) return;
    for (size_t i = 1; i < g->n; i++) g->q.multiplier[i] = g->q.multiplier[0], g->q.shift[i] = g->q.shift[0];
    expect_gemm(g);
}

/* Both slots; rows of several pieces only where the packing takes them. */
static void check_gemm_shape(const nnrt__cpu_table *t, size_t m, size_t n, size_t k, size_t skew) {
    for (size_t i = 0; i < 2; i++) {
        const nnrt__packing *p = t->gemm_s8[i].packing;
        const size_t pieces = p->pieces && k > 0 && k < 1000 ? 1 + noise() % 4 : 1;
        gemm_case g;
        if (!own(t, t->gemm_s8[i].isa) || (i == 1 && p == t->gemm_s8[0].packing)) continue;
        g = make_gemm(m, n, pieces, (k + pieces - 1) / pieces, p->kr, skew);
        share_factor(&g, p);
        if (noise() % 3 == 0) add_to_rows(&g);
        run_gemm(&g, &t->gemm_s8[i]);
        check_gemm(&g, "gemm_s8", t->gemm_s8[i].isa);
        if (t->gemm_s8_flipped.packing == p && g.added == NULL) {
            run_gemm_by(&g, &t->gemm_s8[i], &t->gemm_s8_flipped);
            check_gemm(&g, "gemm_s8_flipped", t->gemm_s8[i].isa);
        }
        free_gemm(&g);
    }
}

Test(gemm_s8, every_instruction_set_gives_the_bytes_of_the_formula) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (size_t m = 1; m <= 9; m++)
            for (size_t n = 1; n <= 50; n++)
                for (int i = 0; i < 3; i++) check_gemm_shape(&t, m, n, (size_t)noise_in(1, 70), noise() % 16);
    } while (next_cap(&cap));
}

Test(gemm_s8, every_depth_and_misalignment) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (size_t k = 0; k <= 70; k++)
            for (size_t skew = 0; skew < 16; skew++)
                check_gemm_shape(&t, (size_t)noise_in(1, 5), (size_t)noise_in(1, 20), k, skew);
        check_gemm_shape(&t, 5, 17, 4608, 1);
        for (size_t m = 10; m <= 52; m++) check_gemm_shape(&t, m, m % 3 * 8 + 8, 37, m % 16); /* blocks of rows */
        check_gemm_shape(&t, 1, 33, 9001, 3);
    } while (next_cap(&cap));
}

/* Nothing behind a piece is read, and behind the last row there are zeros up to a multiple of four. */
static void check_row_sums(const nnrt__cpu_table *t, size_t m, size_t pieces, size_t piece) {
    const size_t count = m * pieces, rows = (m + 3) / 4 * 4, stride = piece + noise() % 3 * 5;
    const int32_t origin = noise_in(-100000, 100000), factor = noise_in(-128, 127);
    void *free_a, *free_sums;
    int8_t *a = block((count - 1) * stride + piece, noise() % 16, &free_a);
    int32_t *sums = block(rows * 4, 0, &free_sums);
    const int8_t **list = malloc(count * sizeof *list);
    nnrt__row_sums_args args;
    fill(a, (count - 1) * stride + piece, (int)(noise() % FILL_COUNT));
    for (size_t i = 0; i < count; i++) list[i] = a + (i % 2 ? i / 2 : count - 1 - i / 2) * stride;
    memset(sums, GAP_BYTE, rows * 4);
    args.m = m, args.pieces = pieces, args.piece = piece, args.a = list;
    args.origin = origin, args.factor = factor, args.sums = sums;
    t->row_sums(&args);
    for (size_t row = 0; row < rows; row++) {
        int64_t want = 0;
        for (size_t i = 0; row < m && i < pieces * piece; i++) want += list[row * pieces + i / piece][i % piece];
        want = row < m ? (want - origin) * factor : 0;
        cr_assert_eq(sums[row], want, "%s: m=%d pieces=%d piece=%d row=%d (seed %u)", nnrt__isa_name(t->isa), (int)m,
                     (int)pieces, (int)piece, (int)row, SEED);
    }
    free(free_a);
    free(free_sums);
    free((void *)list);
}

Test(gemm_s8, rows_are_summed_to_their_ends) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        open_guards();
        for (size_t piece = 1; piece <= 70; piece++)
            for (size_t m = 1; m <= 9; m++) check_row_sums(&t, m, 1 + noise() % 4, piece);
        for (size_t piece = 71; piece <= 530; piece++) check_row_sums(&t, 1, 1 + piece % 2, piece); /* long vectors */
        check_row_sums(&t, 1, 1, 16000);
        close_guards();
    } while (next_cap(&cap));
}

Test(gemm_s8, any_tile_shape_means_the_same) {
    static const uint32_t steps[] = {1, 2, 3, 4, 8, 16};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++)
            for (int repeat = 0; repeat < 10; repeat++) {
                nnrt__packing p;
                nnrt__gemm_s8_slot slot = {NULL, NULL, "any"};
                gemm_case g;
                memset(&p, 0, sizeof p);
                p.element = 1, p.mr = 1, p.pieces = 1, p.marks = (uint8_t)(repeat % 2), p.align = 64;
                p.head = repeat % 5 == 4 ? 1 : 3;
                p.nr = (uint8_t)steps[i], p.kr = (uint8_t)steps[j];
                p.a_offset = repeat % 3 == 0 ? 128 : 0;
                p.turned = steps[i] % 4 == 0 && steps[j] == 8 && repeat % 4 < 2;
                slot.packing = &p;
                g = make_gemm(2, (size_t)noise_in(1, 37), (size_t)noise_in(1, 3), (size_t)noise_in(1, 37), steps[j], 0);
                share_factor(&g, &p);
                run_gemm(&g, &slot);
                check_gemm(&g, "gemm_s8", "any tile");
                free_gemm(&g);
            }
}

/* The weights lie as the model has them and may not be read past their last byte; nor may A. */
static void check_raw_shape(const nnrt__cpu_table *t, size_t m, size_t n, size_t k, size_t skew) {
    gemm_case g;
    nnrt__gemm_raw_s8_args args;
    if (!own(t, t->gemm_raw_s8_isa)) return;
    g = make_gemm(m, n, 1, k, 1, skew);
    memset(&args, 0, sizeof args);
    args.m = m, args.n = n, args.k = k;
    args.a = g.list;
    args.w = g.w, args.w_stride = k;
    args.bias = g.q.bias, args.multiplier = g.q.multiplier, args.shift = g.q.shift;
    args.c = g.got, args.c_stride = g.c_stride;
    args.output_zero_point = g.q.zero_point, args.clamp_min = g.q.low, args.clamp_max = g.q.high;
    clear_gemm(&g);
    t->gemm_raw_s8(&args);
    check_gemm(&g, "gemm_raw_s8", t->gemm_raw_s8_isa);
    free_gemm(&g);
}

Test(gemm_raw_s8, every_instruction_set_gives_the_bytes_of_the_formula) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (size_t k = 0; k <= 70; k++)
            for (size_t skew = 0; skew < 16; skew++)
                check_raw_shape(&t, (size_t)noise_in(1, 5), (size_t)noise_in(1, 20), k, skew);
        check_raw_shape(&t, 3, 9, 4609, 1);
    } while (next_cap(&cap));
}

/* ---------------------------------------------------------------------------------------------- depthwise */

typedef struct dw_case {
    size_t pixels, channels, taps, stride;
    constants q;
    int8_t *w, *got; /* w: [taps][channels] */
    void *packed, *free_got, *free_packed;
    int32_t *bias;
} dw_case;

static dw_case make_dw(const nnrt__packing *p, size_t pixels, size_t channels, size_t taps, size_t skew) {
    dw_case d;
    nnrt__weights from;
    size_t size = 0;
    d.pixels = pixels, d.channels = channels, d.taps = taps;
    d.stride = channels + noise() % 3 * 3;
    d.q = make_constants(channels);
    d.w = malloc(channels * taps + 1);
    fill(d.w, channels * taps, (int)(noise() % FILL_COUNT));
    d.got = block((pixels - 1) * d.stride + channels, (skew * 7) % 16, &d.free_got);
    memset(d.got, GAP_BYTE, (pixels - 1) * d.stride + channels);
    cr_assert(nnrt__packing_size(p, channels, 1, taps, &size));
    d.packed = block(size, 4, &d.free_packed);
    d.bias = offset_bias(&d.q, d.w, channels, taps, 1, (ptrdiff_t)channels, p->a_offset);
    memset(&from, 0, sizeof from);
    from.w = d.w, from.n = channels, from.pieces = 1, from.piece = taps;
    from.n_stride = 1, from.k_stride = (ptrdiff_t)channels;
    from.bias = d.bias, from.multiplier = d.q.multiplier, from.shift = d.q.shift;
    nnrt__pack(d.packed, p, &from);
    return d;
}

/* taps: [pixels][taps] addresses of `channels` bytes. */
static void check_dw(dw_case *d, const int8_t *const *taps, const char *what, const char *isa) {
    int8_t *want = malloc(d->channels);
    for (size_t p = 0; p < d->pixels; p++) {
        for (size_t c = 0; c < d->channels; c++) {
            int64_t sum = d->q.bias[c];
            for (size_t i = 0; i < d->taps; i++) sum += (int64_t)taps[p * d->taps + i][c] * d->w[i * d->channels + c];
            want[c] = reference_finish(sum, d->q.multiplier[c], d->q.shift[c], d->q.zero_point, d->q.low, d->q.high);
        }
        cr_assert_eq(memcmp(d->got + p * d->stride, want, d->channels), 0,
                     "%s %s differs in pixel %d: pixels=%d channels=%d taps=%d (seed %u)", what, isa, (int)p,
                     (int)d->pixels, (int)d->channels, (int)d->taps, SEED);
    }
    cr_assert(gaps_intact(d->got, d->pixels, d->channels, d->stride), "%s %s wrote between the pixels", what, isa);
    free(want);
    free(d->w);
    free(d->bias);
    free(d->free_got);
    free(d->free_packed);
    free_constants(&d->q);
}

/* Each tap row is a block of its own, exactly `channels` long. */
static void check_dw_list(const nnrt__dw_s8_slot *slot, size_t pixels, size_t channels, size_t taps, size_t skew) {
    enum {
        ROWS = 5
    };
    const int fill_a = (int)(noise() % 3 ? FILL_NOISE : noise() % FILL_COUNT);
    const int8_t **pointers = malloc((pixels * taps + 1) * sizeof *pointers);
    int8_t *rows[ROWS];
    void *free_rows[ROWS];
    nnrt__dw_s8_args args;
    dw_case d = make_dw(slot->packing, pixels, channels, taps, skew);
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = block(channels, (skew + i) % 16, &free_rows[i]);
        fill(rows[i], channels, fill_a);
    }
    for (size_t i = 0; i < pixels * taps; i++) pointers[i] = rows[noise() % ROWS];
    memset(&args, 0, sizeof args);
    args.pixels = pixels, args.channels = channels, args.tap_count = taps;
    args.taps = pointers, args.w = d.packed, args.out = d.got, args.out_stride = d.stride;
    args.output_zero_point = d.q.zero_point, args.clamp_min = d.q.low, args.clamp_max = d.q.high;
    slot->run(&args);
    check_dw(&d, pointers, "dw_s8", slot->isa);
    for (size_t i = 0; i < ROWS; i++) free(free_rows[i]);
    free((void *)pointers);
}

/* Every kernel row is a block of its own that ends with the last tap of the last pixel. */
static void check_dw_rows(const nnrt__dw_s8_slot *slot, size_t pixels, size_t channels, size_t kernel_h,
                          size_t kernel_w, size_t step, size_t dilation, size_t skew) {
    enum {
        MOST_ROWS = 7
    };
    const int fill_a = (int)(noise() % 3 ? FILL_NOISE : noise() % FILL_COUNT);
    const size_t taps = kernel_h * kernel_w;
    const size_t size = ((pixels - 1) * step + (kernel_w - 1) * dilation + 1) * channels;
    const int8_t **pointers = malloc(pixels * taps * sizeof *pointers), *rows[MOST_ROWS];
    void *free_rows[MOST_ROWS];
    nnrt__dw_rows_s8_args args;
    dw_case d = make_dw(slot->packing, pixels, channels, taps, skew);
    for (size_t i = 0; i < kernel_h; i++) {
        int8_t *row = block(size, (skew + i) % 16, &free_rows[i]);
        fill(row, size, fill_a);
        rows[i] = row;
    }
    for (size_t i = 0; i < pixels * taps; i++)
        pointers[i] = rows[i % taps / kernel_w] + (i / taps * step + i % kernel_w * dilation) * channels;
    memset(&args, 0, sizeof args);
    args.pixels = pixels, args.channels = channels, args.kernel_h = kernel_h, args.kernel_w = kernel_w;
    args.rows = rows, args.pixel_step = step * channels, args.tap_step = dilation * channels;
    args.w = d.packed, args.out = d.got, args.out_stride = d.stride;
    args.output_zero_point = d.q.zero_point, args.clamp_min = d.q.low, args.clamp_max = d.q.high;
    slot->run_rows(&args);
    check_dw(&d, pointers, "dw_s8 rows", slot->isa);
    for (size_t i = 0; i < kernel_h; i++) free(free_rows[i]);
    free((void *)pointers);
}

/* Windows of an image that is a block of its own, and of what is outside of it on any side; the columns as two calls,
   so that rows of the output have a gap. */
static void check_dw_plane(const nnrt__dw_s8_slot *slot, size_t rows, size_t pixels, size_t channels, size_t skew) {
    const size_t in_h = (size_t)noise_in(0, 7), in_w = (size_t)noise_in(1, 9), stride = noise() % 3 != 0 ? 1 : 2;
    const size_t parts[2] = {pixels == 1 ? 1 : (size_t)noise_in(1, (int)pixels), pixels};
    const int8_t **pointers = malloc(rows * pixels * 9 * sizeof *pointers);
    nnrt__dw_plane_s8_args args;
    void *free_image, *free_fill;
    int8_t *const image = block(in_h * in_w * channels, skew, &free_image);
    int8_t *const outside = block(channels, 0, &free_fill);
    dw_case d = make_dw(slot->packing, rows * pixels, channels, 9, skew);
    memset(&args, 0, sizeof args);
    args.fill = noise_in(-128, 127);
    args.top = noise_in(-3, 2), args.left = noise_in(-3, 2);
    fill(image, in_h * in_w * channels, (int)(noise() % 3 ? FILL_NOISE : noise() % FILL_COUNT));
    memset(outside, args.fill, channels);
    for (size_t i = 0; i < rows * pixels * 9; i++) {
        const int64_t y = args.top + (int64_t)(i / 9 / pixels * stride + i % 9 / 3);
        const int64_t x = args.left + (int64_t)(i / 9 % pixels * stride + i % 3);
        const bool inside = y >= 0 && y < (int64_t)in_h && x >= 0 && x < (int64_t)in_w;
        pointers[i] = inside ? image + ((size_t)y * in_w + (size_t)x) * channels : outside;
    }
    d.got += (rows * pixels - 1) * (d.stride - channels); /* it ends where the block does */
    d.stride = channels;
    args.channels = channels, args.rows = rows, args.in = image, args.in_h = in_h, args.in_w = in_w;
    args.stride = stride, args.w = d.packed, args.out_line = pixels * channels;
    args.output_zero_point = d.q.zero_point, args.clamp_min = d.q.low, args.clamp_max = d.q.high;
    for (size_t i = 0, first = 0; i < 2; i++) {
        args.pixels = parts[i] - first, args.out = d.got + first * channels;
        if (args.pixels != 0) slot->run_plane(&args);
        args.left += (int32_t)(args.pixels * stride), first = parts[i];
    }
    check_dw(&d, pointers, "dw_s8 plane", slot->isa);
    free(free_image);
    free(free_fill);
    free((void *)pointers);
}

/* Both slots. */
static void check_dw_shape(const nnrt__cpu_table *t, size_t pixels, size_t channels, size_t taps, size_t skew) {
    for (size_t i = 0; i < 2; i++) {
        const nnrt__dw_s8_slot *slot = &t->dw_s8[i];
        const bool three = noise() % 2 != 0;
        if (!own(t, slot->isa) || (i == 1 && slot->packing == t->dw_s8[0].packing)) continue;
        check_dw_list(slot, pixels, channels, taps, skew);
        if (slot->run_plane != NULL) check_dw_plane(slot, (size_t)noise_in(1, 5), pixels, channels, skew);
        if (slot->run_rows == NULL) continue;
        check_dw_rows(slot, pixels, channels, three ? 3 : (size_t)noise_in(1, 7), three ? 3 : (size_t)noise_in(1, 5),
                      (size_t)noise_in(1, 3), three || noise() % 2 ? 1 : (size_t)noise_in(1, 3), skew);
    }
}

Test(dw_s8, every_instruction_set_gives_the_bytes_of_the_formula) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (size_t channels = 1; channels <= 50; channels++)
            for (size_t pixels = 1; pixels <= 9; pixels++)
                for (int i = 0; i < 3; i++) check_dw_shape(&t, pixels, channels, (size_t)noise_in(0, 26), noise() % 16);
        for (size_t skew = 0; skew < 16; skew++)
            for (size_t taps = 1; taps <= 10; taps++) check_dw_shape(&t, 5, 24 + skew % 3, taps, skew);
    } while (next_cap(&cap));
}

/* Windows whose columns several pixels see, and some that have too many of them, are dilated or far apart. */
Test(dw_s8, windows_of_four_rows_and_more) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        open_guards();
        for (size_t height = 4; height <= 7; height++)
            for (size_t width = 2; width <= 17; width++)
                for (size_t pixels = 1; pixels <= 9; pixels++) {
                    const size_t channels = 1 + noise() % 40, step = 1 + noise() % 3, dilation = 1 + noise() % 2;
                    if (!own(&t, t.dw_s8[0].isa) || t.dw_s8[0].run_rows == NULL) continue;
                    check_dw_rows(&t.dw_s8[0], pixels, channels, height, width, step, dilation, noise() % 16);
                }
        close_guards();
    } while (next_cap(&cap));
}

/* ------------------------------------------------------------------------------------------------ pooling */

/* Every row reads the same bytes when row_stride is 0: huge windows from small buffers. */
static void check_pool(const nnrt__cpu_table *t, size_t rows, size_t columns, size_t channels, size_t row_stride,
                       int how, size_t skew) {
    const size_t size = (rows - 1) * row_stride + columns * channels;
    void *free_in, *free_out;
    int8_t *in, *out;
    nnrt__pool_s8_args args;
    if (!own(t, t->avg_pool_s8_isa) && !own(t, t->max_pool_s8_isa)) return;
    in = block(size, skew, &free_in), out = block(channels, (skew * 7) % 16, &free_out);
    fill(in, size, how);
    memset(&args, 0, sizeof args);
    args.in = in, args.row_stride = row_stride;
    args.rows = rows, args.columns = columns, args.channels = channels, args.out = out;
    args.clamp_min = noise() % 2 ? -128 : noise_in(-20, 0);
    args.clamp_max = noise() % 2 ? 127 : noise_in(args.clamp_min, 127);
    args.offset = noise() % 2 ? 128 : 0;
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0) t->avg_pool_s8(&args);
        else t->max_pool_s8(&args);
        for (size_t c = 0; c < channels; c++) {
            int64_t sum = 0, most = -128, x;
            for (size_t r = 0; r < (row_stride ? rows : 1); r++)
                for (size_t i = 0; i < columns; i++) {
                    x = in[r * row_stride + i * channels + c];
                    sum += x;
                    most = x > most ? x : most;
                }
            if (row_stride == 0) sum *= (int64_t)rows;
            x = kind != 0          ? most
                : args.offset == 0 ? (int64_t)round((double)sum / (double)(rows * columns))
                                   : (int64_t)floor((double)sum / (double)(rows * columns) + 0.5);
            x = x < args.clamp_min ? args.clamp_min : x > args.clamp_max ? args.clamp_max : x;
            cr_assert_eq(out[c], x, "%s %s: channel %d of %d, %d x %d, fill %d: got %d, want %d (seed %u)",
                         kind == 0 ? "avg_pool_s8" : "max_pool_s8", kind == 0 ? t->avg_pool_s8_isa : t->max_pool_s8_isa,
                         (int)c, (int)channels, (int)rows, (int)columns, how, out[c], (int)x, SEED);
        }
    }
    free(free_in);
    free(free_out);
}

Test(pool_s8, every_instruction_set_gives_the_bytes_of_the_formula) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (size_t channels = 1; channels <= 50; channels++)
            for (int i = 0; i < 24; i++) {
                size_t rows = (size_t)noise_in(1, 6), columns = (size_t)noise_in(1, 6);
                check_pool(&t, rows, columns, channels, columns * channels + noise() % 3 * channels,
                           (int)(noise() % FILL_COUNT), noise() % 16);
            }
    } while (next_cap(&cap));
}

/* 256 pixels is the last window that vector files may sum in 16 bits, 2^23 the largest of the contract. */
Test(pool_s8, large_windows_neither_overflow_nor_round_wrongly) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (int how = 0; how < FILL_COUNT; how++) {
            for (size_t columns = 250; columns <= 262; columns++) check_pool(&t, 1, columns, 19, 0, how, 1);
            for (size_t rows = 1; rows <= 300000; rows = rows * 3 + 1) check_pool(&t, rows, 6, 9, 0, how, 0);
            check_pool(&t, (size_t)1 << 20, 8, 2, 0, how, 0);
        }
    } while (next_cap(&cap));
}

/* The sum one below a tie and the tie itself: a float estimate of the quotient may land on the wrong side. */
Test(pool_s8, averages_of_large_windows_turn_exactly_at_the_tie) {
    for (size_t count = 300001; count < 3000000; count = count * 17 / 10) {
        unsigned cap = 0;
        int8_t *in = malloc(count), out;
        do {
            nnrt__cpu_table t;
            nnrt__cpu_select(&t, cap);
            for (int tie = 0; tie < 2; tie++)
                for (int sign = -1; sign <= 1; sign += 2)
                    for (int step = 1; step < 127; step += 25) {
                        nnrt__pool_s8_args args = {in, 0, 1, count, 1, &out, -128, 127, 0};
                        size_t more = count - count / 2 - (tie ? 0 : 1); /* pixels one step further out */
                        memset(in, sign * step, count);
                        memset(in, sign * (step + 1), more);
                        t.avg_pool_s8(&args);
                        cr_assert_eq(out, sign * (step + tie), "%s: %d pixels of %d, %d of %d: got %d",
                                     t.avg_pool_s8_isa, (int)(count - more), sign * step, (int)more, sign * (step + 1),
                                     out);
                    }
        } while (next_cap(&cap));
        free(in);
    }
}

/* ----------------------------------------------------------------------------------------------- addition */

/* Any multiplier that a step accepts, with the ends and the factors of real scales more often than the rest. */
static int32_t any_multiplier(void) {
    static const int32_t ends[] = {0, 1, 2047, 2048, 1 << 17, 1 << 30, INT32_MAX - 1, INT32_MAX};
    const uint32_t kind = noise() % 4;
    return kind == 0   ? ends[noise() % (sizeof ends / sizeof ends[0])]
           : kind == 1 ? (int32_t)(noise() >> 1)
                       : (int32_t)((1u << 30) + (noise() >> 2));
}

static int32_t any_zero_point(void) {
    const uint32_t kind = noise() % 4;
    return kind == 0 ? -128 : kind == 1 ? 127 : noise_in(-128, 127);
}

static int64_t reference_operand(const nnrt__binary_s8_args *args, int which, int8_t q) {
    return reference_requantize((q - args->input_zero_point[which]) * 1048576, args->input_multiplier[which],
                                args->input_shift[which]);
}

/* in_place: 0, or 1 or 2 for the operand whose memory the result takes; that one is not one byte for all. */
static void check_add(const nnrt__cpu_table *t, size_t n, bool a_step, bool b_step, int in_place, int how,
                      size_t skew) {
    const size_t a_size = a_step ? n : 1, b_size = b_step ? n : 1;
    void *free_a, *free_b, *free_out, *free_want;
    int8_t *a, *b, *out, *want;
    nnrt__binary_s8_args args;
    if (!own(t, t->add_s8_isa)) return;
    a = block(a_size, skew, &free_a), b = block(b_size, (skew * 5) % 16, &free_b);
    out = block(n, (skew * 7) % 16, &free_out), want = block(n, 0, &free_want);
    memset(&args, 0, sizeof args);
    args.kind = noise() % 2 ? NNRT__BINARY_ADD : NNRT__BINARY_SUB;
    for (int k = 0; k < 2; k++) {
        args.input_zero_point[k] = any_zero_point();
        args.input_multiplier[k] = any_multiplier();
        args.input_shift[k] = noise() % 4 ? -noise_in(0, 8) : -noise_in(0, 31);
    }
    for (int k = 0; k < 2; k++) /* as lowering makes them: the larger scale has the factor 1/2, equal ones both */
        if (noise() % 2) {
            args.input_multiplier[k] = 1 << 30;
            args.input_shift[k] = 0;
        }
    args.output_zero_point = any_zero_point();
    args.output_multiplier = any_multiplier();
    args.output_shift = noise() % 4 ? -noise_in(14, 24) : noise_in(-31, 30);
    args.clamp_min = noise() % 2 ? -128 : noise_in(-128, 127);
    args.clamp_max = noise() % 2 ? 127 : noise_in(args.clamp_min, 127);
    fill(a, a_size, how);
    fill(b, b_size, (int)(noise() % FILL_COUNT));
    for (size_t i = 0; i < n; i++) {
        const int64_t x = reference_operand(&args, 0, a[a_step ? i : 0]);
        const int64_t y = reference_operand(&args, 1, b[b_step ? i : 0]);
        want[i] = reference_finish(args.kind == NNRT__BINARY_ADD ? x + y : x - y, args.output_multiplier,
                                   args.output_shift, args.output_zero_point, args.clamp_min, args.clamp_max);
    }
    if (in_place != 0) {
        free(free_out);
        free_out = NULL;
        out = in_place == 1 ? a : b;
    }
    t->add_s8(&args, a, a_step, b, b_step, out, n);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(out[i], want[i],
                     "add_s8 %s: element %d of %d, kind %u, steps %d %d, in place %d: got %d, want %d; zero points "
                     "%d %d %d, multipliers %d %d %d, shifts %d %d %d, clamp %d %d (seed %u)",
                     t->add_s8_isa, (int)i, (int)n, (unsigned)args.kind, (int)a_step, (int)b_step, in_place, out[i],
                     want[i], (int)args.input_zero_point[0], (int)args.input_zero_point[1], (int)args.output_zero_point,
                     (int)args.input_multiplier[0], (int)args.input_multiplier[1], (int)args.output_multiplier,
                     (int)args.input_shift[0], (int)args.input_shift[1], (int)args.output_shift, (int)args.clamp_min,
                     (int)args.clamp_max, SEED);
    free(free_a);
    free(free_b);
    free(free_out);
    free(free_want);
}

/* Bytes that were told to be packed, spoilt: `context` is the end of those that were told before. */
static void spoil(const void *context, const void *from, size_t size) {
    const uint8_t **end = *(const uint8_t ***)(uintptr_t)context;
    cr_assert_eq((const void *)from, (const void *)*end, "not what follows");
    memset((void *)(uintptr_t)from, 0x55, size);
    *end = (const uint8_t *)from + size;
}

/* A mapped file lets go of them: nothing that has been told may be read again. */
Test(pack, weights_that_are_told_to_be_packed_are_told_in_order_and_not_read_again) {
    enum {
        CHANNELS = 700,
        DEPTH = 5000
    };
    int32_t *words = calloc(CHANNELS, sizeof *words);
    uint8_t *w = malloc((size_t)CHANNELS * DEPTH);
    size_t i, size = 0;
    cr_assert(w != NULL && words != NULL);
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        const nnrt__packing *p = nnrt__targets[i].gemm_s8[0];
        const uint8_t *end = w, **place = &end;
        nnrt__weights from = {w, CHANNELS, 1, DEPTH, DEPTH, 1, NULL, words, words, {NULL, NULL}};
        uint8_t *want, *got;
        size_t k;
        for (k = 0; k < (size_t)CHANNELS * DEPTH; k++) w[k] = (uint8_t)noise();
        cr_assert(nnrt__packing_size(p, CHANNELS, 1, DEPTH, &size));
        want = aligned_block(size), got = aligned_block(size);
        nnrt__pack(want, p, &from);
        from.taken.tell = spoil;
        from.taken.context = &place;
        nnrt__pack(got, p, &from);
        cr_assert_eq(memcmp(want, got, size), 0, "%s", nnrt__targets[i].name);
        cr_assert((size_t)(end - w) >= (size_t)CHANNELS * DEPTH - NNRT__PACK_TOLD, "%s: %zu bytes were told",
                  nnrt__targets[i].name, (size_t)(end - w));
        free(want), free(got);
    }
    free(w), free(words);
}

Test(add_s8, every_instruction_set_gives_the_bytes_of_the_formula) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (size_t n = 0; n <= 90; n++)
            for (size_t skew = 0; skew < 64; skew++) {
                check_add(&t, n, true, true, 0, (int)(noise() % FILL_COUNT), skew % 16);
                check_add(&t, n, true, true, noise_in(1, 2), FILL_NOISE, skew % 16);
                check_add(&t, n, true, false, noise_in(0, 1), FILL_NOISE, skew % 16);
                check_add(&t, n, false, true, 2 * noise_in(0, 1), FILL_NOISE, skew % 16);
                check_add(&t, n, false, false, 0, FILL_NOISE, skew % 16);
            }
    } while (next_cap(&cap));
}

/* Every pair of bytes, for scales whose sums are ties often (powers of two), seldom, or never representable. */
Test(add_s8, every_pair_of_bytes_gives_the_bytes_of_portable_c_for_scales_of_models) {
    static const double scales[][3] = {{0.5, 0.5, 1.0},          {0.5, 0.25, 0.5},          {0.1, 0.1, 0.2},
                                       {0.0235, 0.0411, 0.0507}, {0.0411, 0.0235, 0.0507},  {0.02, 0.02, 0.02},
                                       {0.7, 0.0003, 0.71},      {0.0003, 0.7, 0.71},       {0.01, 0.02, 0.9},
                                       {0.3, 0.2, 0.004},        {1.0 / 3.0, 1.0 / 7, 0.5}, {0.125, 0.1, 0.11}};
    int8_t *a = (int8_t *)malloc(65536), *b = (int8_t *)malloc(65536);
    int8_t *want = (int8_t *)malloc(65536), *out = (int8_t *)malloc(65536);
    for (int i = 0; i < 65536; i++) {
        a[i] = (int8_t)(i / 256 - 128);
        b[i] = (int8_t)(i % 256 - 128);
    }
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++)
        for (int round = 0; round < 4; round++) {
            nnrt__binary_s8_args args;
            unsigned cap = 0;
            memset(&args, 0, sizeof args);
            args.kind = round % 2 ? NNRT__BINARY_SUB : NNRT__BINARY_ADD;
            args.input_zero_point[0] = any_zero_point();
            args.input_zero_point[1] = any_zero_point();
            args.output_zero_point = any_zero_point();
            args.clamp_min = -128;
            args.clamp_max = 127;
            nnrt__binary_s8_scales(&args, scales[s][0], scales[s][1], scales[s][2]);
            nnrt__add_s8_scalar(&args, a, 1, b, 1, want, 65536);
            do {
                nnrt__cpu_table t;
                nnrt__cpu_select(&t, cap);
                if (!own(&t, t.add_s8_isa)) continue;
                t.add_s8(&args, a, 1, b, 1, out, 65536);
                for (int i = 0; i < 65536; i++)
                    cr_assert_eq(out[i], want[i], "add_s8 %s: kind %u, scales %g %g %g: %d and %d gave %d, not %d",
                                 t.add_s8_isa, (unsigned)args.kind, scales[s][0], scales[s][1], scales[s][2], a[i],
                                 b[i], out[i], want[i]);
            } while (next_cap(&cap));
        }
    free(a), free(b), free(want), free(out);
}

/* Every byte against every zero point, for factors at each bit where vector files cut them in two. */
Test(add_s8, operands_round_alike_at_every_byte_and_shift) {
    unsigned cap = 0;
    int8_t all[256], zero[1] = {0}, out[256];
    for (int i = 0; i < 256; i++) all[i] = (int8_t)(i - 128);
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (int i = 0; i < 4000; i++) {
            nnrt__binary_s8_args args;
            memset(&args, 0, sizeof args);
            args.kind = NNRT__BINARY_ADD;
            args.input_zero_point[0] = any_zero_point();
            args.input_multiplier[0] = i < 31   ? 1 << i
                                       : i < 62 ? (int32_t)(((uint32_t)2 << (i - 31)) - 1)
                                                : any_multiplier();
            args.input_shift[0] = -noise_in(0, 31);
            args.output_multiplier = INT32_MAX; /* all but 1: what remains of the sum is seen as it is */
            args.output_shift = -noise_in(0, 20);
            args.clamp_min = -128;
            args.clamp_max = 127;
            t.add_s8(&args, all, 1, zero, 0, out, 256);
            for (int k = 0; k < 256; k++) {
                const int8_t want = reference_finish(reference_operand(&args, 0, all[k]), args.output_multiplier,
                                                     args.output_shift, 0, -128, 127);
                cr_assert_eq(out[k], want, "add_s8 %s: byte %d, zero point %d, multiplier %d, shift %d, then %d",
                             t.add_s8_isa, all[k], (int)args.input_zero_point[0], (int)args.input_multiplier[0],
                             (int)args.input_shift[0], (int)args.output_shift);
            }
        }
    } while (next_cap(&cap));
}

/* --------------------------------------------------------------------------------------- products of two */

/* Arguments that a step takes, of MUL or PRELU; scales of models more often than the rest. */
static nnrt__binary_s8_args any_product(void) {
    nnrt__binary_s8_args args;
    memset(&args, 0, sizeof args);
    args.kind = noise() % 2 ? NNRT__BINARY_MUL : NNRT__BINARY_PRELU;
    for (int k = 0; k < 2; k++) args.input_zero_point[k] = any_zero_point();
    args.output_zero_point = any_zero_point();
    args.input_multiplier[0] = any_multiplier();
    args.input_shift[0] = noise() % 4                       ? noise_in(-4, 1)
                          : args.kind == NNRT__BINARY_PRELU ? noise_in(-31, 30)
                                                            : -noise_in(0, 31);
    args.output_multiplier = any_multiplier();
    args.output_shift = noise() % 4 ? noise_in(-9, 0) : noise_in(-31, 30);
    if (args.kind == NNRT__BINARY_MUL && args.input_shift[0] > 0) args.input_shift[0] = 0;
    args.clamp_min = noise() % 2 ? -128 : noise_in(-128, 127);
    args.clamp_max = noise() % 2 ? 127 : noise_in(args.clamp_min, 127);
    return args;
}

static int8_t reference_product(const nnrt__binary_s8_args *args, int8_t a, int8_t b) {
    const int32_t x = a - args->input_zero_point[0], y = b - args->input_zero_point[1];
    const bool keeps = args->kind == NNRT__BINARY_PRELU && x >= 0;
    return reference_finish(keeps ? x : x * y, keeps ? args->input_multiplier[0] : args->output_multiplier,
                            keeps ? args->input_shift[0] : args->output_shift, args->output_zero_point, args->clamp_min,
                            args->clamp_max);
}

static void expect_products(const nnrt__cpu_table *t, const nnrt__binary_s8_args *args, const int8_t *out,
                            const int8_t *want, size_t n) {
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(out[i], want[i],
                     "mul_s8 %s: element %d of %d, kind %u: got %d, want %d; zero points %d %d %d, multipliers %d %d, "
                     "shifts %d %d, clamp %d %d (seed %u)",
                     t->mul_s8_isa, (int)i, (int)n, (unsigned)args->kind, out[i], want[i],
                     (int)args->input_zero_point[0], (int)args->input_zero_point[1], (int)args->output_zero_point,
                     (int)args->input_multiplier[0], (int)args->output_multiplier, (int)args->input_shift[0],
                     (int)args->output_shift, (int)args->clamp_min, (int)args->clamp_max, SEED);
}

/* in_place as for check_add. */
static void check_mul(const nnrt__cpu_table *t, size_t n, bool a_step, bool b_step, int in_place, int how,
                      size_t skew) {
    const size_t a_size = a_step ? n : 1, b_size = b_step ? n : 1;
    const nnrt__binary_s8_args args = any_product();
    void *free_a, *free_b, *free_out, *free_want;
    int8_t *a, *b, *out, *want;
    if (!own(t, t->mul_s8_isa)) return;
    a = block(a_size, skew, &free_a), b = block(b_size, (skew * 5) % 16, &free_b);
    out = block(n, (skew * 7) % 16, &free_out), want = block(n, 0, &free_want);
    fill(a, a_size, how);
    fill(b, b_size, (int)(noise() % FILL_COUNT));
    for (size_t i = 0; i < n; i++) want[i] = reference_product(&args, a[a_step ? i : 0], b[b_step ? i : 0]);
    if (in_place != 0) {
        free(free_out);
        free_out = NULL;
        out = in_place == 1 ? a : b;
    }
    t->mul_s8(&args, a, a_step, b, b_step, out, n);
    expect_products(t, &args, out, want, n);
    free(free_a);
    free(free_b);
    free(free_out);
    free(free_want);
}

Test(mul_s8, every_instruction_set_gives_the_bytes_of_the_formula) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (size_t n = 0; n <= 50; n++)
            for (size_t skew = 0; skew < 64; skew++) {
                check_mul(&t, n, true, true, 0, (int)(noise() % FILL_COUNT), skew % 16);
                check_mul(&t, n, true, true, noise_in(1, 2), FILL_NOISE, skew % 16);
                check_mul(&t, n, true, false, noise_in(0, 1), FILL_NOISE, skew % 16);
                check_mul(&t, n, false, true, 2 * noise_in(0, 1), FILL_NOISE, skew % 16);
                check_mul(&t, n, false, false, 0, FILL_NOISE, skew % 16);
            }
    } while (next_cap(&cap));
}

/* Every pair of bytes, with factors that make ties and factors that make none, and any that a plan may hold. */
Test(mul_s8, every_pair_of_bytes_gives_the_bytes_of_the_formula) {
    int8_t *a = (int8_t *)malloc(65536), *b = (int8_t *)malloc(65536);
    int8_t *want = (int8_t *)malloc(65536), *out = (int8_t *)malloc(65536);
    for (int i = 0; i < 65536; i++) {
        a[i] = (int8_t)(i / 256 - 128);
        b[i] = (int8_t)(i % 256 - 128);
    }
    for (int round = 0; round < 60; round++) {
        nnrt__binary_s8_args args = any_product();
        unsigned cap = 0;
        args.clamp_min = -128;
        args.clamp_max = 127;
        if (round % 3 == 0) args.output_multiplier = 1 << 30, args.output_shift = -(round / 3 % 16);
        if (round % 3 == 1)
            nnrt__binary_s8_scales(&args, noise_between(0.001, 0.1), noise_between(0.001, 0.1),
                                   noise_between(0.001, 0.1));
        if (args.output_shift > 30) continue;
        for (int i = 0; i < 65536; i++) want[i] = reference_product(&args, a[i], b[i]);
        do {
            nnrt__cpu_table t;
            nnrt__cpu_select(&t, cap);
            if (!own(&t, t.mul_s8_isa)) continue;
            t.mul_s8(&args, a, 1, b, 1, out, 65536);
            expect_products(&t, &args, out, want, 65536);
        } while (next_cap(&cap));
    }
    free(a), free(b), free(want), free(out);
}

/* ---------------------------------------------------------------------------- over-reads without a sanitizer

   Where no sanitizer runs (the boards' processors under an emulator) a forbidden page behind each buffer does
   it. */

Test(guard_pages, no_kernel_touches_the_byte_after_a_buffer) {
    unsigned cap = 0;
    open_guards();
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        for (int i = 0; i < 1500; i++) {
            const size_t m = (size_t)noise_in(1, 6), n = (size_t)noise_in(1, 40), k = (size_t)noise_in(1, 40);
            check_gemm_shape(&t, m, n, k, 0);
            check_raw_shape(&t, m, n, k, 0);
            check_dw_shape(&t, m, n, (size_t)noise_in(1, 10), 0);
            check_pool(&t, (size_t)noise_in(1, 3), (size_t)noise_in(1, 3), n, n * 3, FILL_NOISE, 0);
            check_add(&t, n, i % 3 != 0, i % 3 != 1, 0, FILL_NOISE, 0);
            check_mul(&t, n, i % 3 != 0, i % 3 != 1, 0, FILL_NOISE, 0);
        }
    } while (next_cap(&cap));
    close_guards();
}

/* ---------------------------------------------------------------------------------------------- the table */

Test(table, no_cap_leaves_a_hole_and_every_slot_names_its_set) {
    unsigned cap = 0;
    do {
        nnrt__cpu_table t;
        nnrt__cpu_select(&t, cap);
        cr_expect_eq(t.isa, cap);
        for (size_t i = 0; i < 2; i++) { /* what a kernel reads is what a foreign machine packs for it */
            const nnrt__target *target = nnrt__target_of(cap);
            cr_expect(t.gemm_s8[i].run && t.gemm_s8[i].isa && t.gemm_s8[i].packing == target->gemm_s8[i]);
            cr_expect(t.gemm_f32[i].run && t.gemm_f32[i].isa && t.gemm_f32[i].packing == target->gemm_f32[i]);
            cr_expect(t.dw_s8[i].run && t.dw_s8[i].isa && t.dw_s8[i].packing == target->dw_s8[i]);
            cr_expect(t.dw_f32[i].run && t.dw_f32[i].isa && t.dw_f32[i].packing == target->dw_f32[i]);
        }
        cr_expect(t.gemm_raw_s8 && t.gemm_raw_s8_isa && t.avg_pool_s8 && t.avg_pool_s8_isa);
        cr_expect(t.max_pool_s8 && t.max_pool_s8_isa && t.add_s8 && t.add_s8_isa && t.mul_s8 && t.mul_s8_isa);
    } while (next_cap(&cap));
}

#if NNRT__HAVE_ARMV8_DOT && defined(__linux__)
/* Linux lets programs read these registers where bit 11 of AT_HWCAP is set. */
Test(table, levels_above_neon_are_those_that_the_processor_s_registers_tell) {
    uint64_t isar0, isar1;
    unsigned told = NNRT__ISA_NEON;
    if ((getauxval(16) >> 11 & 1) == 0) cr_skip_test("skipped, no registers to read");
    __asm__ volatile("mrs %0, s3_0_c0_c6_0\n\tmrs %1, s3_0_c0_c6_1" : "=r"(isar0), "=r"(isar1));
    if ((isar0 >> 44 & 15) != 0) told |= NNRT__ISA_ARMV8_DOT;
    if ((isar1 >> 52 & 15) != 0) told |= NNRT__ISA_ARMV8_I8MM;
    cr_expect_eq(nnrt__cpu_detect(), told);
}
#endif

Test(table, level_names_are_known_and_others_are_refused) {
    unsigned cap = 77;
    cr_expect_not(nnrt__isa_from_name("", &cap));
    cr_expect_not(nnrt__isa_from_name("AVX2", &cap));
    cr_expect_not(nnrt__isa_from_name("avx", &cap));
    cr_expect_eq(cap, 77);
    for (size_t i = 0; i < NNRT__TARGET_COUNT; i++) {
        cr_assert(nnrt__isa_from_name(nnrt__targets[i].name, &cap));
        cr_expect_str_eq(nnrt__isa_name(cap), nnrt__targets[i].name);
    }
    cr_expect(nnrt__isa_from_name("avx2", &cap) && (cap & NNRT__ISA_SSE41));
}
