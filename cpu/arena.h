/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/arena.h - where in one block every intermediate tensor lives.   >>cpu_arena

   Given blocks with a size and the first and last step that needs them, finds offsets so that blocks that
   live at the same time do not overlap and the whole is small: the largest first, each at the lowest offset
   that is free over its life (greedy by size; Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
   Net Inference", 2020, section 5.3). Quadratic in the number of blocks. */
#ifndef NNRT_CPU_ARENA_H
#define NNRT_CPU_ARENA_H

#include "plan.h"

typedef struct nnrt__block {
    size_t size;          /* a multiple of NNRT__PLAN_ALIGNMENT; 0: needs no place */
    uint32_t first, last; /* steps, both included */
    size_t offset;        /* the answer */
} nnrt__block;

/* order: count indices, overwritten: blocks by falling size, equal ones by rising first step and index. */
NNRT__FN void nnrt__arena_sort(const nnrt__block *blocks, uint32_t *order, uint32_t count) {
    uint32_t gap, i;
    for (i = 0; i < count; i++) order[i] = i;
    for (gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (i = gap; i < count; i++) {
            uint32_t moving = order[i], at = i;
            const nnrt__block *block = &blocks[moving];
            while (at >= gap) {
                const nnrt__block *other = &blocks[order[at - gap]];
                if (other->size > block->size ||
                    (other->size == block->size &&
                     (other->first < block->first || (other->first == block->first && order[at - gap] < moving))))
                    break;
                order[at] = order[at - gap];
                at -= gap;
            }
            order[at] = moving;
        }
    }
}

/* placed: count indices of blocks already placed, by rising offset; keeps them so. */
NNRT__FN bool nnrt__arena_place(nnrt__block *blocks, uint32_t *placed, uint32_t placed_count, uint32_t which) {
    nnrt__block *block = &blocks[which];
    size_t offset = 0, end;
    uint32_t i, at;
    for (i = 0; i < placed_count; i++) {
        const nnrt__block *other = &blocks[placed[i]];
        if (other->last < block->first || other->first > block->last) continue;
        if (other->offset >= offset && other->offset - offset >= block->size) break;
        if (other->offset + other->size > offset) offset = other->offset + other->size;
    }
    if (!nnrt__add_size(offset, block->size, &end)) return false;
    block->offset = offset;
    for (at = placed_count; at > 0 && blocks[placed[at - 1]].offset > offset; at--) placed[at] = placed[at - 1];
    placed[at] = which;
    return true;
}

/* Sets every offset and *total. false: memory is out, or the sum does not fit. */
NNRT__FN bool nnrt__arena_plan(nnrt__block *blocks, uint32_t count, size_t *total) {
    uint32_t *order = (uint32_t *)nnrt__alloc_zero(2 * (size_t)count, sizeof(uint32_t));
    uint32_t *placed = order == NULL ? NULL : order + count;
    uint32_t i, placed_count = 0;
    bool ok = order != NULL;
    *total = 0;
    if (ok) nnrt__arena_sort(blocks, order, count);
    for (i = 0; ok && i < count; i++) {
        nnrt__block *block = &blocks[order[i]];
        block->offset = 0;
        if (block->size == 0) continue;
        ok = nnrt__arena_place(blocks, placed, placed_count, order[i]);
        placed_count++;
        if (ok && block->offset + block->size > *total) *total = block->offset + block->size;
    }
    nnrt__free(order);
    return ok;
}

#endif /* NNRT_CPU_ARENA_H */
