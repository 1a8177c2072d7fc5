/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/internal.h - what every kernel file stands on: macros, the numeric definitions, the slot table.
   >>kernels_internal

   A kernel is a plain C function over buffers. It knows nothing of models, plans or errors, allocates nothing
   and cannot fail: whoever calls it has checked the contract, which is asserted where it begins. One slot per
   kernel, one file per kernel and instruction set; the scalar file is the definition, the others must give the
   same bytes (integers) or stay within the bound that the scalar file states (floats).

   How the table is filled: each instruction set has NAME_install(table) functions that overwrite the slots
   they implement; nnrt_cpu_kernels.h calls scalar first and then each available set in rising order. */
#ifndef NNRT_KERNELS_INTERNAL_H
#define NNRT_KERNELS_INTERNAL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "assert.h"
#include "clear.h"
#include "compiler.h"
#include "isas.h"

/* Has the processor, with its system, RISC-V's vectors? Asked where the program is not compiled for them. */
#if NNRT__HAVE_RVV && !NNRT__SURE_RVV && defined(__linux__)
#include "detect_rvv.h"
#else
NNRT__FN bool nnrt__rvv_is_here(void) { return NNRT__SURE_RVV != 0; }
#endif

/* Of what only assertions call, so that no product has it, even without optimization. */
#if NNRT__HAS_ASSERT
#define NNRT__ASSERT_FN NNRT__FN
#else
#define NNRT__ASSERT_FN NNRT__INLINE
#endif
#define NNRT__PORTABLE_DW_ROWS NNRT__FOR_SPEED /* 0: the portable depthwise kernels have no run_rows */

/* ------------------------------------------------------------------------------------ integer requantization

   TensorFlow Lite's fixed-point rescale. A real factor is multiplier * 2^(shift - 31) with multiplier in
   [2^30, 2^31) (or 0) and shift in [-31, 30]. */

/* round(a * b / 2^31), ties away from zero for positive products and up for negative ones; the one overflow,
   a = b = INT32_MIN, gives INT32_MAX. */
NNRT__INLINE int32_t nnrt__rounding_doubling_high_mul(int32_t a, int32_t b) {
    const uint32_t high = (uint32_t)((uint64_t)((int64_t)a * (int64_t)b + ((int64_t)1 << 30)) >> 31);
    return high != 0x80000000u ? (int32_t)high : INT32_MAX; /* no other product comes there */
}

/* round(x / 2^exponent), ties away from zero. 0 <= exponent <= 31. */
NNRT__INLINE int32_t nnrt__rounding_divide_by_pot(int32_t x, int exponent) {
    int32_t mask = (int32_t)(((int64_t)1 << exponent) - 1);
    int32_t remainder = x & mask;
    int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

/* x * multiplier * 2^(shift - 31). x * 2^shift wraps modulo 2^32 for shift > 0, as two's complement does. The
   shifts of channels are data of a plan that nobody checks: one outside -31..31 gives some number, and nothing
   is undefined.

   To the right, as real scales have it, this is nnrt__rounding_divide_by_pot in fewer steps: half of 2^right, less 1
   below zero, is added and `right` bits are shifted out; that is, 1 is taken away below zero, all of those bits but the
   last are shifted out, and that one is rounded. The first quotient is not saturated: where it is 2^31, the 1 that is
   taken away does that. */
NNRT__INLINE int32_t nnrt__requantize(int32_t x, int32_t multiplier, int32_t shift) {
    const uint32_t right = shift > 0 ? 0 : (0u - (uint32_t)shift) & 31u;
    if (right != 0) {
        const uint32_t high = (uint32_t)((uint64_t)((int64_t)x * multiplier + ((int64_t)1 << 30)) >> 31);
        const int32_t twice = (int32_t)(high - (high >> 31)) >> (right - 1);
        return (twice >> 1) + (twice & 1);
    }
    if (shift > 0) x = (int32_t)((uint32_t)x << ((uint32_t)shift & 31u));
    return nnrt__rounding_doubling_high_mul(x, multiplier);
}

NNRT__INLINE int32_t nnrt__clamp_i32(int32_t x, int32_t low, int32_t high) {
    return x < low ? low : x > high ? high : x;
}

NNRT__INLINE float nnrt__clamp_f32(float x, float low, float high) {
    x = x > low ? x : low; /* a NaN becomes low */
    return x < high ? x : high;
}

/* The last step of every int8 kernel: clamp(requantize(acc) + zero_point). The clamp comes first, in the
   shifted range, so that nothing overflows whatever the accumulator was. zero_point, low and high lie within
   -128..127. */
NNRT__INLINE_FOR_SPEED int8_t nnrt__requantize_s8(uint32_t acc, int32_t multiplier, int32_t shift, int32_t zero_point,
                                                  int32_t low, int32_t high) {
    int32_t x = nnrt__requantize((int32_t)acc, multiplier, shift);
    return (int8_t)(nnrt__clamp_i32(x, low - zero_point, high - zero_point) + zero_point);
}

/* Accumulators are unsigned: a hostile bias makes a sum wrap modulo 2^32, the same everywhere, and nothing is
   undefined. */
NNRT__INLINE uint32_t nnrt__product_s8(int8_t a, int8_t b) { return (uint32_t)((int32_t)a * (int32_t)b); }

NNRT__INLINE int32_t nnrt__kernel_read_i32(const void *at) {
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* -------------------------------------------------------------------------------------------- contracts

   What assertions at the entry of a kernel ask; no product has them. NAME_is_right of a family looks at all that its
   scalar file states and is true, or does not return: the condition that is printed is the one that does not hold. What
   lies behind a pointer is not looked at, and factors of channels are data of a plan. */

/* Is there memory, aligned to so many bytes, a power of two? */
NNRT__ASSERT_FN bool nnrt__is_aligned(const void *p, size_t alignment) {
    return p != NULL && ((uintptr_t)p & (alignment - 1)) == 0;
}

/* nnrt__kernel_read_i32 of a multiple of 4, as the words in front of packed weights are. */
NNRT__INLINE int32_t nnrt__kernel_word(const void *at) {
    int32_t value;
    NNRT_ASSERT(nnrt__is_aligned(at, 4));
    memcpy(&value, NNRT__ALIGNED_4(at), sizeof value);
    return value;
}

/* Have two pieces of memory no byte in common? */
NNRT__ASSERT_FN bool nnrt__is_apart(const void *a, size_t a_size, const void *b, size_t b_size) {
    return (uintptr_t)a + a_size <= (uintptr_t)b || (uintptr_t)b + b_size <= (uintptr_t)a;
}

/* Is `out` apart from `in`, or the very same memory? */
NNRT__ASSERT_FN bool nnrt__is_in_place_or_apart(const void *in, size_t in_size, const void *out, size_t out_size) {
    return (in == out && in_size == out_size) || nnrt__is_apart(in, in_size, out, out_size);
}

/* Of a list of `count` addresses: is there memory at each, aligned, of `size` bytes that are apart from the to_size
   bytes at `to`? */
NNRT__ASSERT_FN bool nnrt__are_apart(const void *list, size_t count, size_t size, size_t alignment, const void *to,
                                     size_t to_size) {
    size_t i;
    for (i = 0; i < count; i++) {
        const void *p;
        memcpy(&p, (const uint8_t *)list + i * sizeof p, sizeof p);
        if (!nnrt__is_aligned(p, alignment) || !nnrt__is_apart(p, size, to, to_size)) return false;
    }
    return true;
}

/* Bytes of rows of n elements, `stride` elements apart: from the first element to the last. */
NNRT__ASSERT_FN size_t nnrt__rows_size(size_t rows, size_t n, size_t stride, size_t element) {
    return rows == 0 ? 0 : ((rows - 1) * stride + n) * element;
}

NNRT__INLINE bool nnrt__is_byte_quantity(int32_t x) { return x >= -128 && x <= 127; }

NNRT__INLINE bool nnrt__is_s8_range(int32_t low, int32_t high) { return low >= -128 && low <= high && high <= 127; }

NNRT__INLINE bool nnrt__is_s16_range(int32_t low, int32_t high) {
    return low >= -32768 && low <= high && high <= 32767;
}

/* A multiplier and shift that nnrt__requantize takes, with shift <= most. */
NNRT__INLINE bool nnrt__is_factor(int32_t multiplier, int32_t shift, int32_t most) {
    return multiplier >= 0 && shift >= -31 && shift <= most;
}

/* ------------------------------------------------------------------------------------- ends of rows

   The last 1..7 bytes of a row, with no byte read or written outside it. The vector kernels use these on
   little-endian processors only: byte i of the row is byte i of the value. */

/* n <= 8 bytes; those past n are 0. */
NNRT__INLINE uint64_t nnrt__load_up_to_8(const void *from, size_t n) {
    const uint8_t *p = (const uint8_t *)from;
    if (n >= 4) {
        uint32_t low, high; /* they overlap, with the same bytes, when n < 8 */
        memcpy(&low, p, 4);
        memcpy(&high, p + n - 4, 4);
        return (uint64_t)low | (uint64_t)high << (8 * (n - 4));
    }
    if (n == 0) return 0;
    return (uint64_t)p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
}

/* n <= 8 bytes. */
NNRT__INLINE void nnrt__store_up_to_8(void *to, uint64_t value, size_t n) {
    uint8_t *p = (uint8_t *)to;
    if (n >= 4) {
        uint32_t low = (uint32_t)value, high = (uint32_t)(value >> (8 * (n - 4)));
        memcpy(p, &low, 4);
        memcpy(p + n - 4, &high, 4);
    } else if (n != 0) {
        p[0] = (uint8_t)value;
        p[n / 2] = (uint8_t)(value >> (8 * (n / 2)));
        p[n - 1] = (uint8_t)(value >> (8 * (n - 1)));
    }
}

/* A mask of the last `left` bytes: of 16 at + left, of 8 at + 8 + left. With it a row of at least one vector
   ends with the vector that ends where the row ends, and what was counted before is masked away. */
NNRT__INLINE const uint8_t *nnrt__last_bytes_mask(void) {
    static const uint8_t mask[32] = {0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                     0,    0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    return mask;
}

/* -------------------------------------------------------------------------------------- rows without end

   All elements of a tensor may be one row. A kernel of rows asks whether it is to go on each time that it has looked at
   so many elements, and otherwise returns with its output half written. */

#define NNRT__PIECE ((size_t)1 << 16)

typedef struct nnrt__stop {
    bool (*asked)(const void *context); /* true: give up */
    const void *context;
} nnrt__stop;

/* stop NULL: nobody stops the kernel. */
NNRT__INLINE bool nnrt__is_stopped(const nnrt__stop *stop) { return stop != NULL && stop->asked(stop->context); }

/* Where the piece that begins at i of n elements ends. */
NNRT__INLINE size_t nnrt__piece_end(size_t i, size_t n) { return n - i > NNRT__PIECE ? i + NNRT__PIECE : n; }

/* The same of a kernel that is in one piece if nobody can stop it: a program without threads has no more of it. */
NNRT__INLINE size_t nnrt__piece_until(const nnrt__stop *stop, size_t i, size_t n) {
    return stop != NULL ? nnrt__piece_end(i, n) : n;
}

/* Of kernels of a row of n elements, `stride` elements apart in `in` and in `out`: `out` may be the very memory. */
NNRT__ASSERT_FN bool nnrt__row_is_right(const void *in, size_t in_element, const void *out, size_t out_element,
                                        size_t n, size_t stride) {
    NNRT_ASSERT(n >= 1 && stride >= 1);
    NNRT_ASSERT(nnrt__is_aligned(in, in_element) && nnrt__is_aligned(out, out_element));
    NNRT_ASSERT(nnrt__is_in_place_or_apart(in, nnrt__rows_size(n, 1, stride, in_element), out,
                                           nnrt__rows_size(n, 1, stride, out_element)));
    return true;
}

/* Of kernels of n elements that lie side by side, which may be none. */
NNRT__ASSERT_FN bool nnrt__elements_are_right(const void *in, size_t in_element, const void *out, size_t out_element,
                                              size_t n) {
    NNRT_ASSERT(nnrt__is_aligned(in, in_element) && nnrt__is_aligned(out, out_element));
    NNRT_ASSERT(nnrt__is_in_place_or_apart(in, n * in_element, out, n * out_element));
    return true;
}

/* How a kernel wants its weights; the rows are in packing.h, which says what each field means. */
typedef struct nnrt__packing {
    uint32_t id;
    uint8_t element, head, nr, kr, mr, pieces, marks;
    uint8_t a_offset, scratch_rows, scratch_element, turned, align;
} nnrt__packing;

/* ------------------------------------------------------------------------ GEMM: convolution, full connection

   c[m][n] = clamp(finish(sum over k of a[m][k] * w[n][k])). One kernel serves convolution and full connection. A row of
   A is `pieces` pieces of `piece` elements, wherever they lie: of a 3x3 convolution the three rows of the window in the
   input itself. k = pieces * piece. The weights are packed as packing.h says. */

#define NNRT__GEMM_K_MAX 4194303 /* most products of a sum: below 2^22, what the bounds of floats are stated for */

typedef struct nnrt__gemm_s8_args {
    size_t m, n;            /* each >= 1 */
    size_t pieces, piece;   /* of a row of A: how many, >= 1, and the elements of each */
    const int8_t *const *a; /* [m][pieces]; each readable up to piece rounded up to kr */
    const void *w;          /* packed tiles of channels 0..n-1, 4-byte aligned */
    int8_t *c;              /* m rows of n bytes; does not overlap a or w */
    size_t c_stride;
    int32_t output_zero_point;
    int32_t clamp_min, clamp_max; /* within -128..127 */
    const int32_t *added;         /* to every sum of a row, [m rounded up to a multiple of 4]; NULL: nothing */
    const void *factor;           /* of a packing that shares it: multiplier and shift of all channels; else NULL */
} nnrt__gemm_s8_args;

/* Sums over rows of A, for weights whose zero point is not 0: sums[m] = (sum over the row - origin) * factor, modulo
   2^32, and 0 from there to the next multiple of 4. */
typedef struct nnrt__row_sums_args {
    size_t m, pieces, piece; /* as in nnrt__gemm_s8_args, but nothing behind a piece is read */
    const int8_t *const *a;
    int32_t origin, factor;
    int32_t *sums; /* overlaps nothing */
} nnrt__row_sums_args;

typedef struct nnrt__gemm_f32_args {
    size_t m, n;
    size_t pieces, piece;
    const float *const *a;
    const void *w;
    float *c;
    size_t c_stride;            /* elements */
    float clamp_min, clamp_max; /* -INFINITY, INFINITY: no clamp */
} nnrt__gemm_f32_args;

/* scratch: nnrt__packing_scratch(packing, m, depth) bytes, 64-byte aligned, contents free. */
typedef struct nnrt__gemm_s8_slot {
    void (*run)(const nnrt__gemm_s8_args *args, void *scratch);
    const nnrt__packing *packing;
    const char *isa;
} nnrt__gemm_s8_slot;

/* The product of a slot whose packing has an a_offset, where the caller has added that to A already, once for all
   windows that an element lies in. packing: the slot's; NULL: there is no such kernel. flip writes count bytes of A
   so, to where they are or to where nothing of them is; run takes rows of what it wrote, and nothing is added. */
typedef struct nnrt__gemm_s8_flipped {
    const nnrt__packing *packing;
    void (*run)(const nnrt__gemm_s8_args *args);
    void (*flip)(uint8_t *to, const int8_t *from, size_t count);
} nnrt__gemm_s8_flipped;
#define NNRT__HAVE_FLIPPED (NNRT__FOR_SPEED && NNRT__HAVE_AVX512VNNI) /* no other level has such a kernel */

typedef struct nnrt__gemm_f32_slot {
    void (*run)(const nnrt__gemm_f32_args *args, void *scratch);
    const nnrt__packing *packing;
    const char *isa;
} nnrt__gemm_f32_slot;

/* Weights that stay where they are (OH_NN_PERFORMANCE_LOW): w is the model's own [n][k] matrix, any alignment
   for s8; channel constants lie beside it. Same results as gemm_s8. */
typedef struct nnrt__gemm_raw_s8_args {
    size_t m, n, k;         /* m, n >= 1 */
    const int8_t *const *a; /* [m]: rows of exactly k readable bytes */
    const int8_t *w;        /* n rows of k bytes, w_stride apart */
    size_t w_stride;
    const int32_t *bias, *multiplier, *shift; /* n each; bias corrected as above */
    int8_t *c;
    size_t c_stride;
    int32_t output_zero_point;
    int32_t clamp_min, clamp_max;
} nnrt__gemm_raw_s8_args;

typedef struct nnrt__gemm_raw_f32_args {
    size_t m, n, k;
    const float *const *a; /* [m] */
    const float *w;        /* n rows of k floats, w_stride apart, 4-byte aligned */
    size_t w_stride;
    const float *bias; /* n, or NULL */
    float *c;
    size_t c_stride;
    float clamp_min, clamp_max;
} nnrt__gemm_raw_f32_args;

/* ------------------------------------------------------------------------------------- depthwise convolution

   out[p][c] = finish(sum over t of taps[p * tap_count + t][c] * w[t][c]). Each tap pointer has `channels`
   readable elements; a tap in the padding points at a row of input zero points (s8) or zeros (f32). There is a pixel
   and a channel at least. */

typedef struct nnrt__dw_s8_args {
    size_t pixels, channels, tap_count;
    const int8_t *const *taps;
    const void *w; /* 4-byte aligned */
    int8_t *out;
    size_t out_stride; /* elements from pixel to pixel */
    int32_t output_zero_point;
    int32_t clamp_min, clamp_max;
} nnrt__dw_s8_args;

typedef struct nnrt__dw_f32_args {
    size_t pixels, channels, tap_count;
    const float *const *taps;
    const void *w;
    float *out;
    size_t out_stride;
    float clamp_min, clamp_max;
} nnrt__dw_f32_args;

/* The same where every tap of every pixel lies in the input:
   out[p][c] = finish(sum over i, j of rows[i][p * pixel_step + j * tap_step + c] * w[i * kernel_w + j][c]). */
typedef struct nnrt__dw_rows_s8_args {
    size_t pixels, channels;
    size_t kernel_h, kernel_w;
    const int8_t *const *rows; /* [kernel_h]: the first tap of the first pixel in each kernel row */
    size_t pixel_step;         /* elements from pixel to pixel: stride_w * channels */
    size_t tap_step;           /* elements from tap to tap: dilation_w * channels */
    const void *w;
    int8_t *out;
    size_t out_stride;
    int32_t output_zero_point;
    int32_t clamp_min, clamp_max;
} nnrt__dw_rows_s8_args;

typedef struct nnrt__dw_rows_f32_args {
    size_t pixels, channels;
    size_t kernel_h, kernel_w;
    const float *const *rows;
    size_t pixel_step, tap_step;
    const void *w;
    float *out;
    size_t out_stride;
    float clamp_min, clamp_max;
} nnrt__dw_rows_f32_args;

/* 3x3 without dilation, `rows` rows of `pixels` pixels. Pixel p of row y sees the window of the input that begins at
   row top + y * stride and column left + p * stride; what is outside of the input is `fill`. */
typedef struct nnrt__dw_plane_s8_args {
    size_t rows, pixels, channels;
    const int8_t *in;  /* [in_h][in_w][channels] */
    size_t in_h, in_w; /* in_h may be 0 */
    int32_t top, left;
    size_t stride; /* of rows and of columns: 1 or 2 */
    int32_t fill;
    const void *w; /* 4-byte aligned */
    int8_t *out;
    size_t out_line; /* elements from row to row; the pixels of one follow one another */
    int32_t output_zero_point;
    int32_t clamp_min, clamp_max;
} nnrt__dw_plane_s8_args;

typedef struct nnrt__dw_s8_slot {
    void (*run)(const nnrt__dw_s8_args *args);
    void (*run_rows)(const nnrt__dw_rows_s8_args *args);   /* NULL: there is only run */
    void (*run_plane)(const nnrt__dw_plane_s8_args *args); /* NULL: there is not */
    const nnrt__packing *packing;
    const char *isa;
} nnrt__dw_s8_slot;

typedef struct nnrt__dw_f32_slot {
    void (*run)(const nnrt__dw_f32_args *args);
    void (*run_rows)(const nnrt__dw_rows_f32_args *args);
    const nnrt__packing *packing;
    const char *isa;
} nnrt__dw_f32_slot;

/* ------------------------------------------------------------------------- pooling: one window, all channels

   in points at the window's first pixel; rows * columns >= 1 pixels of `channels` elements, rows row_stride
   elements apart. s8 average: (sum + count * offset) / count rounded to nearest, ties away from zero, less offset;
   offset 0: int8; 128: what is uint8 to the model, whose ties go up. rows * columns <= 2^23, so |sum| <= 2^30, and
   less than 2^31 with the offset and half the count. out does not overlap in. */

#define NNRT__POOL_TAPS_MAX (1 << 23) /* most pixels of a window */

/* The part of the contract that all types have; element: bytes. */
NNRT__ASSERT_FN bool nnrt__pool_window_is_right(const void *in, size_t row_stride, size_t rows, size_t columns,
                                                size_t channels, const void *out, size_t element) {
    NNRT_ASSERT(channels >= 1 && rows >= 1 && columns >= 1);
    NNRT_ASSERT(rows <= NNRT__POOL_TAPS_MAX && columns <= NNRT__POOL_TAPS_MAX / rows);
    NNRT_ASSERT(nnrt__is_aligned(in, element) && nnrt__is_aligned(out, element));
    NNRT_ASSERT(
        nnrt__is_apart(in, nnrt__rows_size(rows, columns * channels, row_stride, element), out, channels * element));
    return true;
}

typedef struct nnrt__pool_s8_args {
    const int8_t *in;
    size_t row_stride;
    size_t rows, columns, channels;
    int8_t *out;
    int32_t clamp_min, clamp_max;
    int32_t offset; /* 0 or 128; the maximum has none */
} nnrt__pool_s8_args;

typedef struct nnrt__pool_f32_args {
    const float *in;
    size_t row_stride;
    size_t rows, columns, channels;
    float *out;
    float clamp_min, clamp_max;
} nnrt__pool_f32_args;

/* ------------------------------------------------------------------------------------- int8 sums and products

   Contracts: add_s8_scalar.h, mul_s8_scalar.h. The operators of binary_s8_scalar.h take these arguments, too. */

typedef struct nnrt__binary_s8_args {
    uint32_t kind; /* ADD, SUB, MUL, MAXIMUM, MINIMUM, SQUARED_DIFFERENCE, PRELU of nnrt__binary_kind */
    int32_t input_zero_point[2], output_zero_point;
    int32_t input_multiplier[2], input_shift[2]; /* ADD, SUB, SQUARED_DIFFERENCE; PRELU the first: of a alone */
    int32_t output_multiplier, output_shift;     /* all but MAXIMUM and MINIMUM */
    int32_t clamp_min, clamp_max;
} nnrt__binary_s8_args;

/* ------------------------------------------------------------------------------------- the table

   One list makes the fields, the names in profiles and the loops of tests. X(name, type of the function). */

typedef void (*nnrt__gemm_raw_s8_fn)(const nnrt__gemm_raw_s8_args *args);
typedef void (*nnrt__gemm_raw_f32_fn)(const nnrt__gemm_raw_f32_args *args);
typedef void (*nnrt__pool_s8_fn)(const nnrt__pool_s8_args *args);
typedef void (*nnrt__pool_f32_fn)(const nnrt__pool_f32_args *args);
typedef void (*nnrt__add_s8_fn)(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                size_t b_step, int8_t *out, size_t n);
struct nnrt__binary_f32_args; /* and contract: binary_f32_scalar.h */
typedef void (*nnrt__binary_f32_fn)(const struct nnrt__binary_f32_args *args, const float *a, size_t a_step,
                                    const float *b, size_t b_step, float *out, size_t n);

struct nnrt__gemm_hybrid_args; /* and contracts: hybrid_s8_scalar.h */
typedef void (*nnrt__gemm_hybrid_fn)(const struct nnrt__gemm_hybrid_args *args);
typedef void (*nnrt__quantize_symmetric_f32_fn)(const float *in, size_t count, int8_t *out, float *scale);

/* Contracts: quantize_scalar.h, lut_s8_scalar.h, binary_s16_scalar.h, unary_f32_scalar.h, softmax_f32_scalar.h,
   sums_scalar.h. */
typedef void (*nnrt__binary_s16_fn)(const nnrt__binary_s8_args *args, const int16_t *a, size_t a_step, const int16_t *b,
                                    size_t b_step, int16_t *out, size_t n);
typedef void (*nnrt__quantize_f32_fn)(const float *in, float scale, int32_t zero_point, bool is_signed, void *out,
                                      size_t n);
typedef void (*nnrt__dequantize_f32_fn)(const void *in, float scale, int32_t zero_point, bool is_signed, float *out,
                                        size_t n);
typedef void (*nnrt__unary_f32_fn)(uint32_t kind, const float *in, float alpha, float beta, float *out, size_t n);
typedef void (*nnrt__softmax_f32_fn)(const float *in, float *out, size_t n, size_t stride, const nnrt__stop *stop);
typedef void (*nnrt__sums_s8_fn)(const int8_t *in, size_t row_stride, size_t rows, size_t n, int32_t *sums);
typedef void (*nnrt__sums_f32_fn)(const float *in, size_t row_stride, size_t rows, size_t n, float *sums);
typedef void (*nnrt__lut_s8_fn)(const uint8_t *table, const uint8_t *in, uint8_t *out, size_t n);

struct nnrt__gemm_s16_args; /* and contract: gemm_s16_scalar.h */
typedef void (*nnrt__gemm_s16_fn)(const struct nnrt__gemm_s16_args *args);
struct nnrt__dw_s16_args; /* and contract: dw_s16_scalar.h */
typedef void (*nnrt__dw_s16_fn)(const struct nnrt__dw_s16_args *args);
struct nnrt__spread_args; /* and contract: spread_scalar.h */
typedef void (*nnrt__spread_fn)(const struct nnrt__spread_args *args);
struct nnrt__blend_s8_args; /* and contracts: blend_scalar.h */
struct nnrt__blend_f32_args;
typedef void (*nnrt__blend_s8_fn)(const struct nnrt__blend_s8_args *args);
typedef void (*nnrt__blend_f32_fn)(const struct nnrt__blend_f32_args *args);

#define NNRT__CPU_SLOTS(X)                                     \
    X(gemm_raw_s8, nnrt__gemm_raw_s8_fn)                       \
    X(gemm_raw_f32, nnrt__gemm_raw_f32_fn)                     \
    X(avg_pool_s8, nnrt__pool_s8_fn)                           \
    X(avg_pool_f32, nnrt__pool_f32_fn)                         \
    X(max_pool_s8, nnrt__pool_s8_fn)                           \
    X(max_pool_f32, nnrt__pool_f32_fn)                         \
    X(add_s8, nnrt__add_s8_fn)                                 \
    X(mul_s8, nnrt__add_s8_fn)                                 \
    X(binary_f32, nnrt__binary_f32_fn)                         \
    X(gemm_hybrid, nnrt__gemm_hybrid_fn)                       \
    X(quantize_symmetric_f32, nnrt__quantize_symmetric_f32_fn) \
    X(quantize_f32, nnrt__quantize_f32_fn)                     \
    X(dequantize_f32, nnrt__dequantize_f32_fn)                 \
    X(lut_s8, nnrt__lut_s8_fn)                                 \
    X(binary_s16, nnrt__binary_s16_fn)                         \
    X(gemm_s16, nnrt__gemm_s16_fn)                             \
    X(dw_s16, nnrt__dw_s16_fn)                                 \
    X(spread, nnrt__spread_fn)                                 \
    X(blend_s8, nnrt__blend_s8_fn)                             \
    X(blend_f32, nnrt__blend_f32_fn)                           \
    X(unary_f32, nnrt__unary_f32_fn)                           \
    X(softmax_f32, nnrt__softmax_f32_fn)                       \
    X(sums_s8, nnrt__sums_s8_fn)                               \
    X(sums_f32, nnrt__sums_f32_fn)

/* Slots are installed in groups: X(group). */
/* clang-format off */
#define NNRT__SLOT_GROUPS(X) \
    X(gemm_s8) X(gemm_raw_s8) X(dw_s8) X(avg_pool_s8) X(max_pool_s8) X(add_s8) X(mul_s8) X(gemm_f32) \
    X(gemm_raw_f32) X(dw_f32) X(pool_f32) X(binary_f32) X(quantize) X(lut_s8) X(binary_s16) X(hybrid_s8) \
    X(gemm_s16) X(dw_s16) X(spread) X(blend) X(unary_f32) X(softmax_f32) X(sums)
/* clang-format on */

enum {
#define NNRT__SLOT_NUMBER(group) NNRT__SLOT_NUMBER_##group,
    NNRT__SLOT_GROUPS(NNRT__SLOT_NUMBER) NNRT__SLOT_GROUP_COUNT
#undef NNRT__SLOT_NUMBER
};
enum {
#define NNRT__SLOT_BIT(group) NNRT__SLOT_##group = 1 << NNRT__SLOT_NUMBER_##group,
    NNRT__SLOT_GROUPS(NNRT__SLOT_BIT) NNRT__SLOT_ALL = (1 << NNRT__SLOT_GROUP_COUNT) - 1,
#undef NNRT__SLOT_BIT
    /* What a set has kernels for that a program of plans may have instead of those below it: cpu/wanted.h. */
    NNRT__SLOT_ALL_OF_CORTEX_M4 = NNRT__SLOT_gemm_s8 | NNRT__SLOT_dw_s8 | NNRT__SLOT_max_pool_s8 | NNRT__SLOT_add_s8 |
                                  NNRT__SLOT_gemm_s16 | NNRT__SLOT_dw_s16,
    NNRT__SLOT_ALL_OF_CORTEX_M55 =
        NNRT__SLOT_ALL_OF_CORTEX_M4 | NNRT__SLOT_avg_pool_s8 | NNRT__SLOT_mul_s8 | NNRT__SLOT_lut_s8 |
        NNRT__SLOT_binary_s16 |
        (NNRT__CORTEX_M55_FLOATS ? NNRT__SLOT_gemm_f32 | NNRT__SLOT_dw_f32 | NNRT__SLOT_hybrid_s8 |
                                       NNRT__SLOT_unary_f32 | NNRT__SLOT_softmax_f32
                                 : 0)
};

typedef struct nnrt__cpu_table {
    nnrt__gemm_s8_slot gemm_s8[2]; /* wide, and for few channels: they may be the same */
    nnrt__gemm_s8_flipped gemm_s8_flipped;
    void (*row_sums)(const nnrt__row_sums_args *args);
    nnrt__gemm_f32_slot gemm_f32[2];
    nnrt__dw_s8_slot dw_s8[2];
    nnrt__dw_f32_slot dw_f32[2];
#define NNRT__FIELD(name, type) \
    type name;                  \
    const char *name##_isa;
    NNRT__CPU_SLOTS(NNRT__FIELD)
#undef NNRT__FIELD
    size_t binary_f32_kinds; /* operators that binary_f32 has vectors for: 1 << nnrt__binary_kind */
    size_t unary_f32_kinds;  /* the same of unary_f32: 1 << nnrt__unary_kind */
    unsigned isa;            /* the NNRT__ISA bits that were installed */
    unsigned installed;      /* NNRT__SLOT bits of the groups that are */
} nnrt__cpu_table;

#endif /* NNRT_KERNELS_INTERNAL_H */
