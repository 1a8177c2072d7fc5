/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/reduce_top_scalar.h - the largest elements along one axis, and where they are: ArgMax and TopK; or the
   smallest: TensorFlow Lite's ARG_MIN.

   Order: larger first, or smaller first, equal ones by rising index; a NaN is larger than any number and equal to any
   NaN; -0 equals 0. Elements are compared as integer keys, so int32 and int64 are exact and there is one code for all
   types. */
#ifndef NNRT_KERNELS_REDUCE_TOP_SCALAR_H
#define NNRT_KERNELS_REDUCE_TOP_SCALAR_H

#include "internal.h"

#define NNRT__TOP_F32 0u
#define NNRT__TOP_S32 1u
#define NNRT__TOP_S8 2u
#define NNRT__TOP_U8 3u
#define NNRT__TOP_S64 4u
#define NNRT__TOP_S16 5u

typedef struct nnrt__top_args {
    uint32_t type;                /* NNRT__TOP_* */
    uint32_t outer, count, inner; /* the input is [outer, count, inner], each >= 1 */
    uint32_t k;                   /* 1..count; the outputs are [outer, k, inner] */
    uint32_t sorted;              /* 1: in that order; 0: the same elements by rising index */
    uint32_t smallest;            /* 1: the smallest ones */
} nnrt__top_args;

NNRT__INLINE size_t nnrt__top_element_size(uint32_t type) {
    return type == NNRT__TOP_S64 ? 8 : type == NNRT__TOP_S16 ? 2 : type == NNRT__TOP_S8 || type == NNRT__TOP_U8 ? 1 : 4;
}

NNRT__INLINE int64_t nnrt__top_key(uint32_t type, const uint8_t *at) {
    int32_t word;
    int16_t half;
    int64_t wide;
    switch (type) {
    case NNRT__TOP_S8: return at[0] < 128 ? at[0] : (int64_t)at[0] - 256;
    case NNRT__TOP_U8: return at[0];
    case NNRT__TOP_S64: memcpy(&wide, at, 8); return wide;
    case NNRT__TOP_S16: memcpy(&half, at, 2); return half;
    case NNRT__TOP_S32: memcpy(&word, at, 4); return word;
    default: break;
    }
    /* a float's bits behind the sign rise with its size; beyond infinity are the NaNs */
    memcpy(&word, at, 4);
    wide = word & 0x7fffffff;
    return wide > 0x7f800000 ? INT64_MAX : word < 0 ? -wide : wide;
}

/* One lane: count elements, `step` bytes apart. */
typedef struct nnrt__top_lane {
    const uint8_t *in;
    size_t step;
    uint32_t type;
    int64_t turn; /* -1, which turns the order of keys about, or 0 */
} nnrt__top_lane;

/* A lane of float32 whose largest come first. */
NNRT__INLINE nnrt__top_lane nnrt__top_lane_f32(const float *in, size_t step) {
    nnrt__top_lane lane;
    lane.in = (const uint8_t *)in;
    lane.step = step * sizeof(float);
    lane.type = NNRT__TOP_F32;
    lane.turn = 0;
    return lane;
}

/* Does element a come before element b? */
NNRT__INLINE bool nnrt__top_before(const nnrt__top_lane *lane, uint32_t a, uint32_t b) {
    const int64_t x = nnrt__top_key(lane->type, lane->in + a * lane->step) ^ lane->turn;
    const int64_t y = nnrt__top_key(lane->type, lane->in + b * lane->step) ^ lane->turn;
    return x != y ? x > y : a < b;
}

/* Lets the root sink in a heap of size indices whose first comes before all others. */
NNRT__FN void nnrt__top_sink(const nnrt__top_lane *lane, uint32_t *heap, size_t root, size_t size) {
    const uint32_t sinking = heap[root];
    NNRT_ASSERT(root < size);
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= size) break;
        if (child + 1 < size && nnrt__top_before(lane, heap[child + 1], heap[child])) child++;
        if (!nnrt__top_before(lane, heap[child], sinking)) break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = sinking;
}

/* After index i of a lane: is it the last of a piece, and is the kernel stopped? */
NNRT__INLINE bool nnrt__top_stops(size_t i, const nnrt__stop *stop) {
    return i % NNRT__PIECE == NNRT__PIECE - 1 && nnrt__is_stopped(stop);
}

/* The index of the first element of a lane; false: the kernel is stopped. type: the lane's, a constant in the call for
   the one that networks end with. */
NNRT__INLINE bool nnrt__top_first(const nnrt__top_lane *lane, uint32_t type, uint32_t count, const nnrt__stop *stop,
                                  uint32_t *first) {
    int64_t most = nnrt__top_key(type, lane->in) ^ lane->turn;
    uint32_t i;
    *first = 0;
    for (i = 1; i < count; i++) {
        const int64_t key = nnrt__top_key(type, lane->in + i * lane->step) ^ lane->turn;
        if (key > most) {
            most = key;
            *first = i;
        }
        if (nnrt__top_stops(i, stop)) return false;
    }
    return true;
}

/* The same of floats whose largest comes first, and the first NaN before it. */
NNRT__FN bool nnrt__top_first_f32(const nnrt__top_lane *lane, uint32_t count, const nnrt__stop *stop, uint32_t *first) {
    const uint8_t *at = lane->in;
    float most, x;
    uint32_t i;
    *first = 0;
    memcpy(&most, at, sizeof most);
    for (i = 1; i < count && most == most; i++) {
        at += lane->step;
        memcpy(&x, at, sizeof x);
        if (!(x <= most)) {
            most = x;
            *first = i;
        }
        if (nnrt__top_stops(i, stop)) return false;
    }
    return true;
}

NNRT__ASSERT_FN bool nnrt__top_is_right(const nnrt__top_args *args, const void *in, const void *values,
                                        const void *indices, size_t index_size, const uint32_t *heap, size_t first,
                                        size_t last) {
    const size_t size = nnrt__top_element_size(args->type), lanes = (size_t)args->outer * args->inner;
    const size_t all = lanes * args->count * size, values_size = lanes * args->k * size;
    const size_t indices_size = lanes * args->k * index_size;
    NNRT_ASSERT(args->type <= NNRT__TOP_S16 && args->sorted <= 1 && args->smallest <= 1);
    NNRT_ASSERT(args->outer >= 1 && args->inner >= 1 && args->k >= 1 && args->k <= args->count);
    NNRT_ASSERT(first <= last && last <= lanes);
    NNRT_ASSERT(args->k == 1 || nnrt__is_aligned(heap, sizeof(*heap)));
    NNRT_ASSERT(indices == NULL || index_size == 4 || index_size == 8);
    NNRT_ASSERT(values == NULL || nnrt__is_apart(in, all, values, values_size));
    NNRT_ASSERT(indices == NULL || nnrt__is_apart(in, all, indices, indices_size));
    NNRT_ASSERT(values == NULL || indices == NULL || nnrt__is_apart(values, values_size, indices, indices_size));
    return true;
}

/* Lanes [first, last) of outer * inner.

   pre      values: out [outer, k, inner] of the input's type, or NULL; indices: the same of index_size 4 or 8
            bytes, or NULL. heap: count words of scratch when k > 1. Nothing overlaps. stop as in internal.h.
   cost     count for k = 1, else count + k * log2(count) comparisons of a lane. */
NNRT__FN void nnrt__reduce_top_scalar(const nnrt__top_args *args, const void *in, void *values, void *indices,
                                      size_t index_size, uint32_t *heap, size_t first, size_t last,
                                      const nnrt__stop *stop) {
    const size_t size = nnrt__top_element_size(args->type);
    nnrt__top_lane lane;
    size_t n;
    NNRT_ASSERT(nnrt__top_is_right(args, in, values, indices, index_size, heap, first, last));
    lane.type = args->type;
    lane.turn = args->smallest != 0 ? -1 : 0;
    lane.step = args->inner * size;
    for (n = first; n < last; n++) {
        const size_t outer = n / args->inner, inner = n % args->inner;
        const size_t to = outer * args->k * args->inner + inner;
        uint32_t best = 0, i, done = 0;
        lane.in = (const uint8_t *)in + (outer * args->count * args->inner + inner) * size;
        if (args->k == 1) {
            const bool goes_on = NNRT__FOR_SPEED && lane.type == NNRT__TOP_F32 && lane.turn == 0
                                     ? nnrt__top_first_f32(&lane, args->count, stop, &best)
                                 : NNRT__FOR_SPEED && lane.type == NNRT__TOP_S8
                                     ? nnrt__top_first(&lane, NNRT__TOP_S8, args->count, stop, &best)
                                     : nnrt__top_first(&lane, lane.type, args->count, stop, &best);
            if (!goes_on) return;
        } else {
            for (i = 0; i < args->count; i++) {
                heap[i] = i;
                if (nnrt__top_stops(i, stop)) return;
            }
            for (i = args->count / 2; i-- > 0;) {
                nnrt__top_sink(&lane, heap, i, args->count);
                if (nnrt__top_stops(i, stop)) return;
            }
            /* The best go to the end of the heap's memory, one by one. */
            for (i = 0; i < args->k; i++) {
                const size_t left = args->count - 1 - i;
                best = heap[0];
                heap[0] = heap[left];
                heap[left] = best;
                if (left != 0) nnrt__top_sink(&lane, heap, 0, left);
                if (nnrt__top_stops(i, stop)) return;
            }
        }
        /* best is now the last one that belongs to the result */
        for (i = 0; done < args->k; i++) {
            const bool in_order = args->sorted != 0 && args->k > 1;
            const uint32_t index = in_order ? heap[args->count - 1 - i] : args->k == 1 ? best : i;
            if (nnrt__top_stops(i, stop)) return;
            if (!in_order && index != best && !nnrt__top_before(&lane, index, best)) continue;
            if (values != NULL)
                memcpy((uint8_t *)values + (to + done * (size_t)args->inner) * size, lane.in + index * lane.step, size);
            if (indices != NULL && index_size == 8) {
                const int64_t wide = index;
                memcpy((uint8_t *)indices + (to + done * (size_t)args->inner) * 8, &wide, 8);
            } else if (indices != NULL) {
                memcpy((uint8_t *)indices + (to + done * (size_t)args->inner) * 4, &index, 4);
            }
            done++;
        }
    }
}

#endif /* NNRT_KERNELS_REDUCE_TOP_SCALAR_H */
