/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/packing.h - how each product kernel wants its weights, as data.   >>kernels_packing

   Packing is data, not instructions: these rows and the packers (pack_scalar.h) are in every build that compiles, so
   any machine packs for any other. A plan names the row that its weights were packed by; the kernel that names the same
   row reads them. A row never changes and its id is never reused: a kernel with other needs gets a row of its own.

   Packed weights of n channels are ceil(n / nr) tiles, one after another, each
       head words: int32 bias[nr] | int32 multiplier[nr] | int32 shift[nr]        (int8 weights)
                   int32 bias[nr]                                                 (the same, shared: below)
                   float bias[nr]                                                 (float weights)
       int32 mark[4]                                                              (only where marks is 1)
       weights [pieces][ceil(piece / kr)][nr][kr]
   padded to a multiple of `align` bytes. Channels past n and products past the end of a piece are 0, so that what a
   kernel reads there of A does not matter. mark[0] is 1 when a weight of the tile is -128, else 0: without one, two
   products of int8 are added in 16 bits. mark[1] is 1 when a channel's factor is 1 or more (its shift is not negative
   and its multiplier not 0), else 0: without one, the rounding of a shift by nothing need not be excepted. bias holds
   the correction for the input's zero point and for a_offset:
   bias - (zero_point + a_offset) * sum(w). A depthwise tile is the same with one piece of kernel_h * kernel_w taps and
   kr 1.

   A shared packing is for the weights of all channels with one multiplier and one shift, which stand once in front of
   the tiles: int32 multiplier | int32 shift. It is for products of one row, where each weight is read once: there 8
   bytes of a channel count, and kernels need not be fast for several rows. */
#ifndef NNRT_KERNELS_PACKING_H
#define NNRT_KERNELS_PACKING_H

#include "internal.h"

/* X(name, id, element, head, nr, kr, mr, pieces, marks, a_offset, scratch_rows, scratch_element, turned, align)

   element          bytes of a weight and of an element of A: 1 or 4
   head             words of each channel in front of the weights; of int8 weights 3, or 1: shared
   nr, kr           channels of a tile, products side by side
   mr               rows of A worth handing over at once, of a depthwise convolution pixels
   pieces           1: the kernel takes rows of several pieces; 0: of one
   marks, a_offset  above
   scratch_*        rows and bytes per element that the kernel keeps of A (nnrt__packing_scratch); 0: nothing. Rows of 2
                    bytes are kept to widen several at once: of a single one nothing is kept
   turned           1: of kr 8, the four pairs of products of a channel stand in another order for each channel of four,
                    so that a vector of A need only be turned in itself (nnrt__packed_place)
   align            a tile is padded to a multiple of so many bytes: 64, a line of a cache, where kernels load vectors;
                    4 where they load bytes and words, for models in flash */
/* clang-format off */
#define NNRT__PACKINGS(X) \
    X(s8_1x1,       22, 1, 3,  1, 1, 2, 1, 0, 0, 0, 0, 0, 4) /* scalar; depthwise, too */ \
    X(s8_8x8,        2, 1, 3,  8, 8, 2, 1, 1, 0, 0, 0, 0, 64) /* sse41, armv8-i8mm */ \
    X(s8_16x4,       3, 1, 3, 16, 4, 4, 1, 1, 0, 0, 0, 0, 64) /* avx2 */ \
    X(s8_8x8_turned, 4, 1, 3,  8, 8, 4, 1, 1, 0, 0, 0, 1, 64) /* neon */ \
    X(f32_4x1,       5, 4, 1,  4, 1, 1, 1, 0, 0, 0, 0, 0, 64) /* scalar; depthwise, too */ \
    X(f32_8x1,       6, 4, 1,  8, 1, 4, 1, 0, 0, 0, 0, 0, 64) /* sse41, neon */ \
    X(f32_16x1,      7, 4, 1, 16, 1, 6, 1, 0, 0, 0, 0, 0, 64) /* avx2; rvv, few channels, depthwise, too */ \
    X(f32_32x1,     36, 4, 1, 32, 1, 6, 1, 0, 0, 0, 0, 0, 64) /* rvv; depthwise, too */ \
    X(dw_s8_8,       8, 1, 3,  8, 1, 1, 0, 0, 0, 0, 0, 0, 64) /* sse41, avx2 */ \
    X(s8_8x4,        9, 1, 3,  8, 4, 4, 1, 1, 0, 0, 0, 0, 64) /* armv8-dot; avx2, few channels */ \
    X(dw_s8_8_marks, 21, 1, 3, 8, 1, 1, 0, 1, 0, 0, 0, 0, 64) /* neon */ \
    X(dw_s8_16_offset, 26, 1, 3, 16, 1, 4, 0, 0, 128, 0, 0, 0, 64) /* avx512vnni */ \
    X(dw_f32_8,     10, 4, 1,  8, 1, 1, 0, 0, 0, 0, 0, 0, 64) /* sse41, avx2, neon */ \
    X(s8_16x4_offset, 12, 1, 3, 16, 4, 12, 1, 0, 128, 24, 1, 0, 64) /* avxvnni, avx512vnni */ \
    X(s8_8x4_offset,  13, 1, 3,  8, 4, 8, 1, 0, 128, 24, 1, 0, 64) /* the same, few channels */ \
    X(s8_1x4,       24, 1, 3,  1, 4, 4, 1, 0, 0, 4, 2, 0, 4) /* cortex-m4 */ \
    X(dw_s8_4,      25, 1, 3,  4, 1, 1, 0, 0, 0, 0, 0, 0, 4) /* cortex-m4 */ \
    X(s8_1x16,      28, 1, 3,  1, 16, 4, 1, 0, 0, 0, 0, 0, 4) /* cortex-m55 */ \
    X(dw_s8_8x1,    27, 1, 3,  8, 1, 1, 0, 0, 0, 0, 0, 0, 4) /* cortex-m55 */ \
    X(s8_32x1,      32, 1, 3, 32, 1, 6, 1, 0, 0, 0, 0, 0, 4) /* rvv */ \
    X(s8_16x1,      33, 1, 3, 16, 1, 6, 1, 0, 0, 0, 0, 0, 4) /* rvv, few channels */ \
    X(dw_s8_32_marks, 34, 1, 3, 32, 1, 1, 0, 1, 0, 0, 0, 0, 4) /* rvv */ \
    X(dw_s8_16_marks, 35, 1, 3, 16, 1, 1, 0, 1, 0, 0, 0, 0, 4) /* rvv, few channels */ \
    X(s8_1x1_shared, 41, 1, 1,  1, 1, 1, 1, 0, 0, 0, 0, 0, 4) /* scalar, one row */ \
    X(s8_1x4_shared, 42, 1, 1,  1, 4, 1, 1, 0, 0, 0, 0, 0, 4) /* cortex-m4, one row */ \
    X(s8_1x16_shared, 43, 1, 1, 1, 16, 1, 1, 0, 0, 0, 0, 0, 4) /* cortex-m55, one row */
/* clang-format on */

#define NNRT__PACKING_ROW(name, id, element, head, nr, kr, mr, pieces, marks, a_offset, rows, bytes, turned, align) \
    static const nnrt__packing nnrt__packing_##name = {id,    element,  head, nr,    kr,     mr,   pieces,          \
                                                       marks, a_offset, rows, bytes, turned, align};
NNRT__PACKINGS(NNRT__PACKING_ROW)
#undef NNRT__PACKING_ROW

/* What an instruction set packs for each product: the wide tile and the one for few channels, which may be the same;
   where a tile is one channel anyway, the second of gemm_s8 is the shared one.
   X(token of NNRT__ISAS or SCALAR, gemm_s8, narrow, dw_s8, narrow, gemm_f32, narrow, dw_f32, narrow). What an
   _install function puts into a slot names the row that stands here. */
/* clang-format off */
#define NNRT__TARGETS(X) \
    X(SCALAR, s8_1x1,  s8_1x1_shared, s8_1x1,   s8_1x1,   f32_4x1,  f32_4x1,  f32_4x1,  f32_4x1) \
    X(SSE41,  s8_8x8,  s8_8x8,  dw_s8_8,  dw_s8_8,  f32_8x1,  f32_8x1,  dw_f32_8, dw_f32_8) \
    X(AVX2,   s8_16x4, s8_8x4,  dw_s8_8,  dw_s8_8,  f32_16x1, f32_16x1, dw_f32_8, dw_f32_8) \
    X(AVXVNNI,    s8_16x4_offset, s8_8x4_offset, dw_s8_8, dw_s8_8, f32_16x1, f32_16x1, dw_f32_8, dw_f32_8) \
    X(AVX512VNNI, s8_16x4_offset, s8_8x4_offset, dw_s8_16_offset, dw_s8_16_offset, f32_16x1, f32_16x1, \
      dw_f32_8, dw_f32_8) \
    X(NEON,   s8_8x8_turned, s8_8x8_turned, dw_s8_8_marks, dw_s8_8_marks, f32_8x1, f32_8x1, dw_f32_8, dw_f32_8) \
    X(ARMV8_DOT,  s8_8x4, s8_8x4, dw_s8_8_marks, dw_s8_8_marks, f32_8x1, f32_8x1, dw_f32_8, dw_f32_8) \
    X(ARMV8_I8MM, s8_8x8, s8_8x8, dw_s8_8_marks, dw_s8_8_marks, f32_8x1, f32_8x1, dw_f32_8, dw_f32_8) \
    X(CORTEX_M4,  s8_1x4, s8_1x4_shared, dw_s8_4, dw_s8_4, f32_4x1, f32_4x1, f32_4x1, f32_4x1) \
    X(CORTEX_M55, s8_1x16, s8_1x16_shared, dw_s8_8x1, dw_s8_8x1, f32_4x1, f32_4x1, f32_4x1, f32_4x1) \
    X(RVV, s8_32x1, s8_16x1, dw_s8_32_marks, dw_s8_16_marks, f32_32x1, f32_16x1, f32_32x1, f32_16x1)
/* clang-format on */

typedef struct nnrt__target {
    const char *name;
    unsigned isa; /* NNRT__ISA bits: the level's own and those below it */
    const nnrt__packing *gemm_s8[2], *dw_s8[2], *gemm_f32[2], *dw_f32[2]; /* wide, narrow */
} nnrt__target;

#define NNRT__TARGET_ROW(token, gs0, gs1, ds0, ds1, gf0, gf1, df0, df1) \
    {nnrt__isa_name_##token,                                            \
     NNRT__ISA_LEVEL_##token,                                           \
     {&nnrt__packing_##gs0, &nnrt__packing_##gs1},                      \
     {&nnrt__packing_##ds0, &nnrt__packing_##ds1},                      \
     {&nnrt__packing_##gf0, &nnrt__packing_##gf1},                      \
     {&nnrt__packing_##df0, &nnrt__packing_##df1}},

/* In rising order; scalar is the first. */
static const nnrt__target nnrt__targets[] = {NNRT__TARGETS(NNRT__TARGET_ROW)};
#undef NNRT__TARGET_ROW
#define NNRT__TARGET_COUNT (sizeof(nnrt__targets) / sizeof(nnrt__targets[0]))

/* The target of that name, NULL for an unknown one. */
NNRT__FN const nnrt__target *nnrt__target_find(const char *name) {
    size_t i;
    for (i = 0; i < NNRT__TARGET_COUNT; i++)
        if (strcmp(nnrt__targets[i].name, name) == 0) return &nnrt__targets[i];
    return NULL;
}

/* The highest target that needs no other NNRT__ISA bits than these. */
NNRT__FN const nnrt__target *nnrt__target_of(unsigned isa) {
    size_t i = NNRT__TARGET_COUNT - 1;
    while ((nnrt__targets[i].isa & ~isa) != 0) i--;
    return &nnrt__targets[i];
}

/* Of two packings the one that pads n channels least; the first when they are equal. */
NNRT__FN const nnrt__packing *nnrt__packing_pick(const nnrt__packing *const two[2], size_t n) {
    const size_t wide = (two[0]->nr - n % two[0]->nr) % two[0]->nr, narrow = (two[1]->nr - n % two[1]->nr) % two[1]->nr;
    return narrow < wide ? two[1] : two[0];
}

/* Products of a packed row: each piece is rounded up to kr. The caller knows that it fits size_t. */
NNRT__INLINE size_t nnrt__packed_depth(size_t pieces, size_t piece, uint32_t kr) {
    return pieces * ((piece + kr - 1) / kr * kr);
}

/* Where product j < kr of channel c < nr stands in its group of nr * kr weights. Turned: for the orders 0 and 1, then 2
   and 3, for each four channels the two orders, in each two products of every channel: of its pairs the one whose
   number is the channel's and the order's, by exclusive or. */
NNRT__INLINE size_t nnrt__packed_place(const nnrt__packing *p, size_t c, size_t j) {
    const size_t order = (j / 2 ^ c) & 3;
    if (!p->turned) return c * p->kr + j;
    return order / 2 * 4 * p->nr + c / 4 * 16 + order % 2 * 8 + c % 4 * 2 + j % 2;
}

/* Do all channels share multiplier and shift? */
NNRT__INLINE bool nnrt__packing_is_shared(const nnrt__packing *p) { return p->element == 1 && p->head == 1; }

/* Bytes in front of the first tile. */
NNRT__INLINE size_t nnrt__packing_front(const nnrt__packing *p) { return nnrt__packing_is_shared(p) ? 8 : 0; }

/* Bytes of one tile; kernels call it with constants. Not checked: nnrt__packing_size did that once. */
NNRT__INLINE size_t nnrt__tile_size(uint32_t nr, uint32_t head, uint32_t marks, uint32_t element, uint32_t align,
                                    size_t depth) {
    return (nr * (4 * head + element * depth) + 16 * marks + align - 1) & ~(size_t)(align - 1);
}

NNRT__INLINE size_t nnrt__packing_tile_size(const nnrt__packing *p, size_t depth) {
    return nnrt__tile_size(p->nr, p->head, p->marks, p->element, p->align, depth);
}

/* Bytes of the packed weights of n channels; false, and *size untouched, when that does not fit size_t. */
NNRT__FN bool nnrt__packing_size(const nnrt__packing *p, size_t n, size_t pieces, size_t piece, size_t *size) {
    const size_t tiles = n / p->nr + (n % p->nr != 0), head = 4u * p->head;
    const size_t most = (SIZE_MAX - 79) / p->nr; /* bytes of one channel at which a tile still fits */
    size_t depth, bytes;
    if (piece > SIZE_MAX - p->kr) return false;
    depth = (piece + p->kr - 1) / p->kr * p->kr;
    if (pieces != 0 && depth > SIZE_MAX / pieces) return false;
    depth *= pieces;
    if (head > most || depth > (most - head) / p->element) return false;
    bytes = nnrt__packing_tile_size(p, depth);
    if (tiles != 0 && bytes > (SIZE_MAX - 8) / tiles) return false;
    *size = tiles * bytes + nnrt__packing_front(p);
    return true;
}

/* Rows of `bytes` bytes that a kernel takes at once, so that they stay in the first-level cache while the tiles pass:
   as many as fit into 8 KB, a quarter of a small one, in multiples of `multiple`, and one multiple where not even that
   fits. It is the step of a loop and so never 0. */
NNRT__INLINE size_t nnrt__rows_in_cache(size_t bytes, size_t multiple) {
    const size_t rows = bytes != 0 ? 8192 / bytes : 8192;
    NNRT_ASSERT(multiple >= 1);
    return rows < multiple ? multiple : rows / multiple * multiple;
}

/* Elements from row to row of a kernel's scratch. */
NNRT__INLINE size_t nnrt__packing_scratch_row(size_t depth) { return (depth + 15) & ~(size_t)15; }

/* Bytes of scratch of a kernel for m rows of `depth` products, a multiple of 64: behind the last row there is room for
   63 bytes more, so that its end may be written whole. depth < 2^30. */
NNRT__FN size_t nnrt__packing_scratch(const nnrt__packing *p, size_t m, size_t depth) {
    const size_t rows = m == 1 ? p->scratch_element == 1 : p->scratch_rows;
    NNRT_ASSERT(m >= 1 && depth < (size_t)1 << 30);
    if (rows == 0) return 0;
    return (rows * nnrt__packing_scratch_row(depth) * p->scratch_element + 63 + 63) & ~(size_t)63;
}

#endif /* NNRT_KERNELS_PACKING_H */
