/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/copy_update_scalar.h - replaces a part of a tensor, at a position given by data. */
#ifndef NNRT_KERNELS_COPY_UPDATE_SCALAR_H
#define NNRT_KERNELS_COPY_UPDATE_SCALAR_H

#include "copy_indexed_scalar.h"

#define NNRT__UPDATE_RANK 10u

typedef struct nnrt__update_args {
    uint32_t rank; /* 1..NNRT__UPDATE_RANK */
    uint32_t element_size;
    int32_t dims[NNRT__UPDATE_RANK],
        sizes[NNRT__UPDATE_RANK]; /* of the whole and of the part: 1 <= sizes[i] <= dims[i] */
} nnrt__update_args;

NNRT__ASSERT_FN bool nnrt__update_is_right(const nnrt__update_args *args, const void *whole, const void *part,
                                           const void *starts, size_t index_size, const void *out, size_t count,
                                           size_t part_count) {
    const size_t size = args->element_size, out_size = count * size;
    size_t all = 1, some = 1;
    uint32_t i;
    NNRT_ASSERT(args->rank >= 1 && args->rank <= NNRT__UPDATE_RANK && size >= 1);
    for (i = 0; i < args->rank; i++) {
        NNRT_ASSERT(args->sizes[i] >= 1 && args->sizes[i] <= args->dims[i]);
        all *= (size_t)args->dims[i];
        some *= (size_t)args->sizes[i];
    }
    NNRT_ASSERT(count == all && part_count == some);
    NNRT_ASSERT(index_size == 4 || index_size == 8);
    NNRT_ASSERT(nnrt__is_in_place_or_apart(whole, out_size, out, out_size));
    NNRT_ASSERT(nnrt__is_in_place_or_apart(part, part_count * size, out, out_size));
    NNRT_ASSERT(nnrt__is_in_place_or_apart(starts, args->rank * index_size, out, out_size));
    return true;
}

/* out is the whole with the part at starts, rank indices of index_size 4 or 8 bytes. A part that would reach out of the
   whole is moved back into it.

   pre   whole and out [dims], part [sizes], count elements of out, part_count of part; out may be the memory of any one
         of the others that is as large as it is, else nothing overlaps. */
NNRT__FN void nnrt__copy_update_scalar(const nnrt__update_args *args, const void *whole, const void *part,
                                       const void *starts, size_t index_size, void *out, size_t count,
                                       size_t part_count) {
    const uint32_t last = args->rank - 1;
    const size_t size = args->element_size, run = (size_t)args->sizes[last] * size;
    const uint8_t *from = (const uint8_t *)part;
    int32_t place[NNRT__UPDATE_RANK], first[NNRT__UPDATE_RANK];
    size_t left;
    uint32_t i;
    NNRT_ASSERT(nnrt__update_is_right(args, whole, part, starts, index_size, out, count, part_count));
    for (i = 0; i < args->rank; i++) { /* before anything is written */
        const int64_t start = nnrt__index_at(starts, index_size, i);
        const int32_t most = args->dims[i] - args->sizes[i];
        first[i] = start < 0 ? 0 : start > most ? most : (int32_t)start;
        place[i] = 0;
    }
    if (part_count == count) {
        if (out != part) memcpy(out, part, count * size);
        return;
    }
    if (out != whole) memcpy(out, whole, count * size);
    for (left = part_count / (size_t)args->sizes[last]; left > 0; left--, from += run) {
        size_t at = 0;
        for (i = 0; i < args->rank; i++) at = at * (size_t)args->dims[i] + (size_t)(first[i] + place[i]);
        memcpy((uint8_t *)out + at * size, from, run);
        for (i = last; i > 0 && ++place[i - 1] == args->sizes[i - 1]; i--) place[i - 1] = 0;
    }
}

#endif /* NNRT_KERNELS_COPY_UPDATE_SCALAR_H */
