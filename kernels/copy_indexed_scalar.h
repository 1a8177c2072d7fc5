/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/copy_indexed_scalar.h - copies that depend on data: gather, one-hot, and select. */
#ifndef NNRT_KERNELS_COPY_INDEXED_SCALAR_H
#define NNRT_KERNELS_COPY_INDEXED_SCALAR_H

#include "internal.h"

/* Index i of int32 (size 4) or int64 (size 8) data. It is read exactly once (volatile): the data may be in a mapped
   file, and the checked value must be the one used. */
NNRT__INLINE int64_t nnrt__index_at(const void *indices, size_t size, size_t i) {
    volatile int64_t kept;
    int32_t word;
    int64_t wide;
    if (size == 8) {
        memcpy(&wide, (const uint8_t *)indices + i * 8, 8);
    } else {
        memcpy(&word, (const uint8_t *)indices + i * 4, 4);
        wide = word;
    }
    kept = wide;
    return kept;
}

/* out[outer][i] = in[outer][indices[outer / per_batch][i]], pieces of inner bytes; a negative index counts from the
   end.

   pre   in [outer, dim, inner], out [outer, index_count, inner]; indices [outer / per_batch, index_count] of
         index_size 4 or 8 bytes; per_batch divides outer, and is outer where all share one row of indices; no
         overlap. Pieces [first, last) of outer * index_count are copied.
   post  false, and *bad the index, when one is outside -dim..dim - 1; out is then unspecified. */
NNRT__FN bool nnrt__gather_scalar(const void *in, size_t dim, size_t inner, size_t per_batch, const void *indices,
                                  size_t index_size, size_t index_count, void *out, size_t first, size_t last,
                                  int64_t *bad) {
    uint8_t *to = (uint8_t *)out + first * inner;
    size_t o = first / index_count, i = first % index_count;
    NNRT_ASSERT(dim >= 1 && inner >= 1 && per_batch >= 1 && index_count >= 1);
    NNRT_ASSERT(first <= last && (index_size == 4 || index_size == 8));
    NNRT_ASSERT(nnrt__is_apart(in, (last / index_count) * dim * inner, out, last * inner));
    for (; first < last; first++, to += inner) {
        int64_t index = nnrt__index_at(indices, index_size, o / per_batch * index_count + i);
        if (index < -(int64_t)dim || index >= (int64_t)dim) {
            *bad = index;
            return false;
        }
        if (index < 0) index += (int64_t)dim;
        memcpy(to, (const uint8_t *)in + (o * dim + (size_t)index) * inner, inner);
        if (++i < index_count) continue;
        i = 0;
        o++;
    }
    return true;
}

/* out [outer, depth, inner] of element_size bytes: on where the coordinate on depth is the index [outer,
   inner], else off. An index outside 0..depth - 1 is nowhere on. Rows [first, last) of outer * depth are written. */
NNRT__FN void nnrt__one_hot_scalar(const void *indices, size_t index_size, size_t depth, size_t inner, const void *on,
                                   const void *off, size_t element_size, void *out, size_t first, size_t last) {
    uint8_t *to = (uint8_t *)out + first * inner * element_size;
    size_t o = first / depth, d = first % depth, i;
    NNRT_ASSERT(depth >= 1 && inner >= 1 && element_size >= 1);
    NNRT_ASSERT(first <= last && (index_size == 4 || index_size == 8));
    NNRT_ASSERT(nnrt__is_apart(indices, last / depth * inner * index_size, out, last * inner * element_size));
    NNRT_ASSERT(nnrt__is_apart(on, element_size, out, last * inner * element_size));
    NNRT_ASSERT(nnrt__is_apart(off, element_size, out, last * inner * element_size));
    for (; first < last; first++) {
        for (i = 0; i < inner; i++, to += element_size)
            memcpy(to, nnrt__index_at(indices, index_size, o * inner + i) == (int64_t)d ? on : off, element_size);
        if (++d < depth) continue;
        d = 0;
        o++;
    }
}

#define NNRT__SELECT_RANK 10u

/* Strides in elements; 0 repeats. */
typedef struct nnrt__select_args {
    uint32_t rank; /* 0..NNRT__SELECT_RANK */
    uint32_t element_size;
    int32_t dims[NNRT__SELECT_RANK];                                                  /* of the output, >= 1 */
    int32_t condition[NNRT__SELECT_RANK], a[NNRT__SELECT_RANK], b[NNRT__SELECT_RANK]; /* strides, >= 0 */
} nnrt__select_args;

/* Of one of the three: is it apart from the output of `size` bytes? element: its own. */
NNRT__ASSERT_FN bool nnrt__select_is_apart(const nnrt__select_args *args, const int32_t *strides, const void *in,
                                           size_t element, const void *out, size_t size) {
    size_t reach = 1;
    uint32_t i;
    for (i = 0; i < args->rank; i++) {
        NNRT_ASSERT(strides[i] >= 0);
        reach += (size_t)strides[i] * ((size_t)args->dims[i] - 1);
    }
    return nnrt__is_apart(in, reach * element, out, size);
}

NNRT__ASSERT_FN bool nnrt__select_is_right(const nnrt__select_args *args, const uint8_t *condition, const void *a,
                                           const void *b, const void *out, size_t first, size_t last) {
    size_t count = 1;
    uint32_t i;
    NNRT_ASSERT(args->rank <= NNRT__SELECT_RANK && args->element_size >= 1);
    for (i = 0; i < args->rank; i++) {
        NNRT_ASSERT(args->dims[i] >= 1);
        count *= (size_t)args->dims[i];
    }
    NNRT_ASSERT(first <= last && last <= count);
    NNRT_ASSERT(nnrt__select_is_apart(args, args->condition, condition, 1, out, count * args->element_size));
    NNRT_ASSERT(nnrt__select_is_apart(args, args->a, a, args->element_size, out, count * args->element_size));
    NNRT_ASSERT(nnrt__select_is_apart(args, args->b, b, args->element_size, out, count * args->element_size));
    return true;
}

/* Elements [first, last) of out: condition not 0 ? a : b. Nothing overlaps. */
NNRT__FN void nnrt__select_scalar(const nnrt__select_args *args, const uint8_t *condition, const void *a, const void *b,
                                  void *out, size_t first, size_t last) {
    const size_t size = args->element_size;
    size_t i;
    NNRT_ASSERT(nnrt__select_is_right(args, condition, a, b, out, first, last));
    for (i = first; i < last; i++) {
        size_t rest = i, at_condition = 0, at_a = 0, at_b = 0;
        uint32_t axis;
        for (axis = args->rank; axis-- > 0;) {
            const size_t at = rest % (size_t)args->dims[axis];
            rest /= (size_t)args->dims[axis];
            at_condition += at * (size_t)args->condition[axis];
            at_a += at * (size_t)args->a[axis];
            at_b += at * (size_t)args->b[axis];
        }
        memcpy((uint8_t *)out + i * size,
               condition[at_condition] != 0 ? (const uint8_t *)a + at_a * size : (const uint8_t *)b + at_b * size,
               size);
    }
}

#endif /* NNRT_KERNELS_COPY_INDEXED_SCALAR_H */
