/* SPDX-License-Identifier: Apache-2.0 */
/* data/top_k.h - nnrt_top_k(): the best so far are a heap whose root is the worst of them.   >>data_top_k */
#ifndef NNRT_DATA_TOP_K_H
#define NNRT_DATA_TOP_K_H

#include "../core/error.h"
#include "../kernels/float16.h"
#include "api.h"

/* Of a type that a double holds; of others 0. */
NNRT__FN double nnrt__top_k_value(const void *values, OH_NN_DataType type, size_t i) {
    switch ((int)type) {
    case OH_NN_INT8: return ((const int8_t *)values)[i];
    case OH_NN_UINT8: return ((const uint8_t *)values)[i];
    case OH_NN_INT16: return ((const int16_t *)values)[i];
    case OH_NN_UINT16: return ((const uint16_t *)values)[i];
    case OH_NN_INT32: return ((const int32_t *)values)[i];
    case OH_NN_UINT32: return ((const uint32_t *)values)[i];
    case OH_NN_FLOAT16: return (double)nnrt__float16_to_float32(((const uint16_t *)values)[i]);
    case OH_NN_FLOAT32: return (double)((const float *)values)[i];
    case OH_NN_FLOAT64: return ((const double *)values)[i];
    default: return 0.0;
    }
}

/* Does a stand before b? */
NNRT__FN bool nnrt__top_k_before(const nnrt_top *a, const nnrt_top *b) {
    const bool a_is_number = a->value == a->value, b_is_number = b->value == b->value;
    if (a_is_number != b_is_number) return a_is_number;
    if (a_is_number && a->value != b->value) return a->value > b->value;
    return a->index < b->index;
}

/* Puts one at heap[0] of count members, below which the rest is in order: down to where nothing worse is below it. */
NNRT__FN void nnrt__top_k_sink(nnrt_top *heap, size_t count, nnrt_top one) {
    size_t at = 0, below;
    NNRT_ASSERT(count != 0);
    while ((below = 2 * at + 1) < count) {
        if (below + 1 < count && nnrt__top_k_before(&heap[below], &heap[below + 1])) below++;
        if (!nnrt__top_k_before(&one, &heap[below])) break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = one;
}

/* Puts one behind count members: up to where nothing better is above it. */
NNRT__FN void nnrt__top_k_rise(nnrt_top *heap, size_t count, nnrt_top one) {
    size_t at = count;
    while (at != 0 && nnrt__top_k_before(&heap[(at - 1) / 2], &one)) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = one;
}

NNRT_API OH_NN_ReturnCode nnrt_top_k(const void *values, size_t count, OH_NN_DataType type, size_t k, nnrt_top *best) {
    nnrt_top one;
    size_t i;
    if (values == NULL || best == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_top_k: %s is NULL", values == NULL ? "values" : "best");
    if (nnrt__element_size(type) == 0 || type == OH_NN_BOOL || type == OH_NN_INT64 || type == OH_NN_UINT64)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_top_k: values of %s are not ranked", nnrt__dtype_name(type));
    if (k == 0 || k > count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_top_k: the best %zu of %zu values", k, count);
    for (i = 0; i < count; i++) {
        one.index = i;
        one.value = nnrt__top_k_value(values, type, i);
        if (i < k) nnrt__top_k_rise(best, i, one);
        else if (nnrt__top_k_before(&one, &best[0])) nnrt__top_k_sink(best, k, one);
    }
    for (i = k; i > 1; i--) { /* the worst goes to the end */
        one = best[i - 1];
        best[i - 1] = best[0];
        nnrt__top_k_sink(best, i - 1, one);
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DATA_TOP_K_H */
