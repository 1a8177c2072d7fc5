/* SPDX-License-Identifier: Apache-2.0 */
/* detection/rank.h - the best of many candidates, in an order that is always the same.   >>detection_rank

   The order is total: higher scores first, and among equal ones the lower index. The best n of a set are therefore one
   sequence, whatever order they arrive in, and neither the heap nor the sort below has to be stable. */
#ifndef NNRT_DETECTION_RANK_H
#define NNRT_DETECTION_RANK_H

#include "view.h"

/* A list of at most `room` candidates. While it is filled it is a heap whose first element is the worst one. */
typedef struct nnrt__best {
    nnrt_ranked *list;
    size_t room, count;
} nnrt__best;

/* Whether a comes before b. Neither score is NaN. */
NNRT__FN bool nnrt__ranked_before(const nnrt_ranked *a, const nnrt_ranked *b) {
    return a->score > b->score || (!(a->score < b->score) && a->index < b->index);
}

/* Lets the element at `at` sink until none of those below it in the heap is worse. */
NNRT__FN void nnrt__best_sink(nnrt_ranked *list, size_t count, size_t at) {
    const nnrt_ranked sinking = list[at];
    NNRT_ASSERT(at < count || count == 0);
    while (at < count / 2) {
        size_t worst = 2 * at + 1;
        if (worst + 1 < count && nnrt__ranked_before(&list[worst], &list[worst + 1])) worst++;
        if (!nnrt__ranked_before(&sinking, &list[worst])) break;
        list[at] = list[worst];
        at = worst;
    }
    list[at] = sinking;
}

/* Whether the list has room for a candidate, or has a worse one that would go. A NaN is never taken. */
NNRT__FN bool nnrt__best_takes(const nnrt__best *best, float score, uint32_t index) {
    const nnrt_ranked one = {score, index};
    NNRT_ASSERT(best->count <= best->room);
    if (score != score || best->room == 0) return false;
    return best->count < best->room || nnrt__ranked_before(&one, &best->list[0]);
}

/* Adds a candidate that the list takes; in a full list it replaces the worst one. */
NNRT__FN void nnrt__best_add(nnrt__best *best, float score, uint32_t index) {
    const nnrt_ranked one = {score, index};
    size_t at = best->count;
    NNRT_ASSERT(nnrt__best_takes(best, score, index));
    if (best->count == best->room) {
        best->list[0] = one;
        nnrt__best_sink(best->list, best->count, 0);
        return;
    }
    best->count++;
    while (at > 0 && nnrt__ranked_before(&best->list[(at - 1) / 2], &one)) {
        best->list[at] = best->list[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    best->list[at] = one;
}

/* Sorts best first. The list is no longer a heap. */
NNRT__FN void nnrt__best_sort(nnrt__best *best) {
    size_t left;
    for (left = best->count; left > 1; left--) {
        const nnrt_ranked worst = best->list[0];
        best->list[0] = best->list[left - 1];
        nnrt__best_sink(best->list, left - 1, 0);
        best->list[left - 1] = worst;
    }
}

NNRT_API OH_NN_ReturnCode nnrt_detection_top_n(const float *values, size_t count, size_t stride, nnrt_ranked *best,
                                               size_t capacity, size_t *found) {
    nnrt__best list = {best, capacity, 0};
    size_t i, last;
    if (values == NULL || best == NULL || found == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "values, best and found may not be NULL");
    }
    if (count > UINT32_MAX || (count != 0 && !nnrt__mul_size(count - 1, stride, &last))) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%zu values with a stride of %zu are too many", count, stride);
    }
    for (i = 0; i < count; i++) {
        if (nnrt__best_takes(&list, values[i * stride], (uint32_t)i)) {
            nnrt__best_add(&list, values[i * stride], (uint32_t)i);
        }
    }
    nnrt__best_sort(&list);
    *found = list.count;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_RANK_H */
