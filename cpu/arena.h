/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/arena.h - where in one block every intermediate tensor lives.   >>cpu_arena

   Given blocks with a size and the first and last step that needs them, finds offsets so that blocks that
   live at the same time do not overlap and the whole is small: the largest first, each at the lowest offset
   that is free over its life (greedy by size; Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
   Net Inference", 2020, section 5.3).

   That is quadratic in the number of blocks, so it has a budget, which graphs of some thousand operators stay within.
   Beyond it blocks are placed in the order of their lives and every size keeps places of its own, which is O(n log n):
   the arena may then be larger. */
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

/* Blocks that are looked at to place all: a tenth of a second on a PC, 8,000 blocks. */
#define NNRT__ARENA_BUDGET 33554432u

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

/* Largest first. *done: false when the budget is spent. */
NNRT__FN bool nnrt__arena_by_size(nnrt__block *blocks, uint32_t *order, uint32_t *placed, uint32_t count, size_t *total,
                                  bool *done) {
    uint32_t i, placed_count = 0;
    uint64_t looks = 0;
    *total = 0;
    *done = false;
    nnrt__arena_sort(blocks, order, count);
    for (i = 0; i < count && blocks[order[i]].size != 0; i++) {
        nnrt__block *block = &blocks[order[i]];
        looks += placed_count;
        if (looks > NNRT__ARENA_BUDGET) return true;
        if (!nnrt__arena_place(blocks, placed, placed_count, order[i])) return false;
        placed_count++;
        if (block->offset + block->size > *total) *total = block->offset + block->size;
    }
    *done = true;
    return true;
}

/* order: blocks by falling size, from nnrt__arena_sort; only the first count of them have one. Blocks of one size
   lie in a row of it, by rising first step: each takes the place of the block of its size whose life ended first,
   when it has ended. ends: room for count indices, a heap of those that have a place, the earliest end on top. */
NNRT__FN bool nnrt__arena_by_life(nnrt__block *blocks, const uint32_t *order, uint32_t *ends, uint32_t count,
                                  size_t *total) {
    uint32_t i, size = 0, at, child;
    *total = 0;
    for (i = 0; i < count; i++) {
        nnrt__block *block = &blocks[order[i]];
        if (i != 0 && block->size != blocks[order[i - 1]].size) size = 0;
        if (size != 0 && blocks[ends[0]].last < block->first) {
            block->offset = blocks[ends[0]].offset;
            at = 0; /* takes the top and sinks */
            for (child = 1; child < size; child = 2 * at + 1) {
                if (child + 1 < size && blocks[ends[child + 1]].last < blocks[ends[child]].last) child++;
                if (blocks[ends[child]].last >= block->last) break;
                ends[at] = ends[child];
                at = child;
            }
        } else {
            block->offset = *total;
            if (!nnrt__add_size(*total, block->size, total)) return false;
            at = size++; /* comes in below and rises */
            for (; at != 0 && blocks[ends[(at - 1) / 2]].last > block->last; at = (at - 1) / 2)
                ends[at] = ends[(at - 1) / 2];
        }
        ends[at] = order[i];
    }
    return true;
}

/* Sets every offset and *total. false: memory is out, or the sum does not fit. */
NNRT__FN bool nnrt__arena_plan(nnrt__block *blocks, uint32_t count, size_t *total) {
    uint32_t *order = (uint32_t *)nnrt__alloc_zero(2 * (size_t)count, sizeof(uint32_t));
    bool ok, done;
    uint32_t i;
    *total = 0;
    if (order == NULL) return false;
    for (i = 0; i < count; i++) blocks[i].offset = 0;
    ok = nnrt__arena_by_size(blocks, order, order + count, count, total, &done);
    if (ok && !done) {
        for (i = 0; i < count && blocks[order[i]].size != 0; i++) continue;
        ok = nnrt__arena_by_life(blocks, order, order + count, i, total);
    }
    nnrt__free(order);
    return ok;
}

#endif /* NNRT_CPU_ARENA_H */
