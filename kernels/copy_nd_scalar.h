/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/copy_nd_scalar.h - slices of a tensor, selected by rows of indices: gather_nd, scatter_nd. A row of indices
   selects one slice: its `depth` numbers are positions on the first axes of the tensor, dims[0] to dims[depth - 1]. The
   other axes make up the slice, `inner` contiguous bytes. An index below 0, or of dims[i] or more, is out of range. */
#ifndef NNRT_KERNELS_COPY_ND_SCALAR_H
#define NNRT_KERNELS_COPY_ND_SCALAR_H

#include "copy_indexed_scalar.h"

#define NNRT__ND_RANK 10u

/* What scatter_nd does with the elements of a slice. Sums of integers wrap, whatever their sign. */
#define NNRT__ND_COPY 0u
#define NNRT__ND_ADD_F32 1u
#define NNRT__ND_ADD_8 2u
#define NNRT__ND_ADD_16 3u
#define NNRT__ND_ADD_32 4u
#define NNRT__ND_ADD_64 5u
#define NNRT__ND_OR 6u /* of bytes that are bool */

typedef struct nnrt__nd_args {
    uint32_t depth;              /* 1..NNRT__ND_RANK */
    uint32_t way;                /* NNRT__ND_*; gather_nd: NNRT__ND_COPY */
    int32_t dims[NNRT__ND_RANK]; /* of the axes that are named, each >= 1; their product is at most 2^30 */
} nnrt__nd_args;

/* An index out of range. */
typedef struct nnrt__nd_bad {
    int64_t index;
    uint32_t axis;
} nnrt__nd_bad;

/* The number of the slice that row selects; false, and *bad, if an index is out of range. */
NNRT__INLINE bool nnrt__nd_slice(const nnrt__nd_args *args, const void *indices, size_t index_size, size_t row,
                                 size_t *slice, nnrt__nd_bad *bad) {
    size_t at = 0;
    uint32_t i;
    for (i = 0; i < args->depth; i++) {
        const int64_t index = nnrt__index_at(indices, index_size, row * args->depth + i);
        if (index < 0 || index >= args->dims[i]) {
            bad->index = index;
            bad->axis = i;
            return false;
        }
        at = at * (size_t)args->dims[i] + (size_t)index;
    }
    *slice = at;
    return true;
}

/* slices: of `inner` bytes each, where rows of indices lead to; rows: the other side, `step` bytes apart. */
NNRT__ASSERT_FN bool nnrt__nd_is_right(const nnrt__nd_args *args, const void *slices, const void *rows, size_t step,
                                       size_t inner, size_t index_size, size_t first, size_t last) {
    const size_t most = (size_t)1 << 30;
    size_t count = 1;
    uint32_t i;
    NNRT_ASSERT(args->depth >= 1 && args->depth <= NNRT__ND_RANK && args->way <= NNRT__ND_OR);
    for (i = 0; i < args->depth; i++) {
        NNRT_ASSERT(args->dims[i] >= 1 && (size_t)args->dims[i] <= most / count);
        count *= (size_t)args->dims[i];
    }
    NNRT_ASSERT(inner >= 1 && (index_size == 4 || index_size == 8) && first <= last);
    NNRT_ASSERT(nnrt__is_apart(slices, count * inner, rows, nnrt__rows_size(last, inner, step, 1)));
    return true;
}

/* Rows [first, last) of out, [rows, inner] bytes: each the slice of in that its row of indices names.

   pre   indices [rows, depth] of index_size 4 or 8 bytes; in [product of dims, inner]; no overlap.
   post  false, and *bad, when an index is none; out is then unspecified. */
NNRT__FN bool nnrt__gather_nd_scalar(const nnrt__nd_args *args, const void *in, size_t inner, const void *indices,
                                     size_t index_size, void *out, size_t first, size_t last, nnrt__nd_bad *bad) {
    size_t slice = 0;
    NNRT_ASSERT(nnrt__nd_is_right(args, in, out, inner, inner, index_size, first, last));
    for (; first < last; first++) {
        if (!nnrt__nd_slice(args, indices, index_size, first, &slice, bad)) return false;
        memcpy((uint8_t *)out + first * inner, (const uint8_t *)in + slice * inner, inner);
    }
    return true;
}

/* Adds the elements of one slice, inner bytes of any alignment, to those that are there. */
NNRT__FN void nnrt__nd_add(uint32_t way, uint8_t *to, const uint8_t *from, size_t inner) {
    size_t i;
    NNRT_ASSERT(way != NNRT__ND_ADD_16 || inner % 2 == 0);
    NNRT_ASSERT((way != NNRT__ND_ADD_32 && way != NNRT__ND_ADD_F32) || inner % 4 == 0);
    NNRT_ASSERT(way != NNRT__ND_ADD_64 || inner % 8 == 0);
    if (way == NNRT__ND_OR) {
        for (i = 0; i < inner; i++) to[i] = to[i] != 0 || from[i] != 0 ? 1 : 0;
    } else if (way == NNRT__ND_ADD_8) {
        for (i = 0; i < inner; i++) to[i] = (uint8_t)((to[i] + from[i]) & 0xff);
    } else if (way == NNRT__ND_ADD_16) {
        for (i = 0; i < inner; i += 2) {
            uint16_t a, b;
            memcpy(&a, to + i, 2);
            memcpy(&b, from + i, 2);
            a = (uint16_t)((a + b) & 0xffff);
            memcpy(to + i, &a, 2);
        }
    } else if (way == NNRT__ND_ADD_64) {
        for (i = 0; i < inner; i += 8) {
            uint64_t a, b;
            memcpy(&a, to + i, 8);
            memcpy(&b, from + i, 8);
            a += b;
            memcpy(to + i, &a, 8);
        }
    } else if (way == NNRT__ND_ADD_32) {
        for (i = 0; i < inner; i += 4) {
            uint32_t a, b;
            memcpy(&a, to + i, 4);
            memcpy(&b, from + i, 4);
            a += b;
            memcpy(to + i, &a, 4);
        }
    } else {
        for (i = 0; i < inner; i += 4) {
            float a, b;
            memcpy(&a, to + i, 4);
            memcpy(&b, from + i, 4);
            a += b;
            memcpy(to + i, &a, 4);
        }
    }
}

/* Rows [first, last) of updates go, in their order, to the slices of out that their rows of indices name: of several
   for one slice the last one stays, or, where args->way adds, all count.

   pre   indices [rows, depth] of index_size 4 or 8 bytes; updates [rows, inner], or, with step 0 for inner, one row
         that is taken for all; out [product of dims, inner]; inner is a multiple of the element; no overlap.
   post  false, and *bad, when an index is none; out is then unspecified. */
NNRT__FN bool nnrt__scatter_nd_scalar(const nnrt__nd_args *args, const void *indices, size_t index_size,
                                      const void *updates, size_t step, size_t inner, void *out, size_t first,
                                      size_t last, nnrt__nd_bad *bad) {
    size_t slice = 0;
    NNRT_ASSERT(nnrt__nd_is_right(args, out, updates, step, inner, index_size, first, last));
    NNRT_ASSERT(step == 0 || step == inner);
    for (; first < last; first++) {
        const uint8_t *from = (const uint8_t *)updates + first * step;
        if (!nnrt__nd_slice(args, indices, index_size, first, &slice, bad)) return false;
        if (args->way == NNRT__ND_COPY) memcpy((uint8_t *)out + slice * inner, from, inner);
        else nnrt__nd_add(args->way, (uint8_t *)out + slice * inner, from, inner);
    }
    return true;
}

#endif /* NNRT_KERNELS_COPY_ND_SCALAR_H */
