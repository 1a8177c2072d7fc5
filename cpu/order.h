/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/order.h - the order of steps whose arena is the smallest.   >>cpu_order

   A graph with branches can be run in several orders, with different peaks of memory. Orders grow step by step; of
   those that have done the same set of steps only the best is kept, as the rest does not depend on how that set was
   reached. This finds the best order (Ahn et al., "Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired Neural
   Networks for Edge Devices", 2020), unless there are more than NNRT__ORDER_WIDTH sets: then the worst are dropped, and
   the order found is good, not best. A plan of more than NNRT__ORDER_STEPS steps is cut into stretches where at most
   one tensor lives between two steps. The order is changed only for a smaller arena. */
#ifndef NNRT_CPU_ORDER_H
#define NNRT_CPU_ORDER_H

#include "lower.h"

/* Most steps of a stretch: a longer one that cannot be cut keeps its order. */
#define NNRT__ORDER_STEPS 64u
/* Sets of steps kept at each level. */
#define NNRT__ORDER_WIDTH 64u

/* One thing that a step reads or writes. */
typedef struct nnrt__order_touch {
    uint32_t memory;
    bool writes;
} nnrt__order_touch;

typedef struct nnrt__order_step {
    uint32_t first, count; /* touches */
    bool in_place;         /* its output may use the memory of an input of the same size that dies there */
    uint64_t scratch;
} nnrt__order_step;

/* Everything that decides an order. The present order is valid. */
typedef struct nnrt__order_plan {
    const nnrt__order_step *steps;
    const nnrt__order_touch *touches;
    const nnrt__memory_life *memories;
    uint32_t step_count, memory_count;
} nnrt__order_plan;

/* ------------------------------------------------------------------------------------------------ a stretch */

/* A memory that the stretch touches. */
typedef struct nnrt__order_local {
    uint64_t size;
    uint64_t users; /* a bit for each step of the stretch */
    bool before, after;
} nnrt__order_local;

/* The steps done, as bits; the peak so far; the last step and the state before it. */
typedef struct nnrt__order_state {
    uint64_t done, fullest;
    uint32_t step, from;
} nnrt__order_state;

typedef struct nnrt__order_stretch {
    const nnrt__order_plan *plan;
    uint32_t begin, count;             /* steps */
    uint64_t needs[NNRT__ORDER_STEPS]; /* the steps that must precede each */
    nnrt__order_local *locals;
    uint32_t local_count;
    nnrt__order_state *states; /* level after level: [count * NNRT__ORDER_WIDTH + 1] */
} nnrt__order_stretch;

/* Does step s touch memory? *writes: does it write there? */
NNRT__FN bool nnrt__order_touches(const nnrt__order_plan *plan, uint32_t s, uint32_t memory, bool *writes) {
    const nnrt__order_step *step = &plan->steps[s];
    bool found = false;
    uint32_t k;
    *writes = false;
    for (k = 0; k < step->count; k++) {
        const nnrt__order_touch *touch = &plan->touches[step->first + k];
        if (touch->memory != memory) continue;
        found = true;
        *writes = *writes || touch->writes;
    }
    return found;
}

/* Must step a, which comes before step b now, stay before it? */
NNRT__FN bool nnrt__order_depends(const nnrt__order_plan *plan, uint32_t a, uint32_t b) {
    const nnrt__order_step *step = &plan->steps[a];
    uint32_t k;
    NNRT_ASSERT(a < b);
    for (k = 0; k < step->count; k++) {
        const nnrt__order_touch *touch = &plan->touches[step->first + k];
        bool writes;
        if (nnrt__order_touches(plan, b, touch->memory, &writes) && (writes || touch->writes)) return true;
    }
    return false;
}

/* Its index among the stretch's memories; added if new. ids: of those that are there. */
NNRT__FN nnrt__order_local *nnrt__order_local_of(nnrt__order_stretch *stretch, uint32_t *ids, uint32_t memory) {
    const nnrt__memory_life *is = &stretch->plan->memories[memory];
    nnrt__order_local *local;
    uint32_t i = 0;
    while (i < stretch->local_count && ids[i] != memory) i++;
    local = &stretch->locals[i];
    if (i < stretch->local_count) return local;
    ids[stretch->local_count++] = memory;
    memset(local, 0, sizeof(*local));
    local->size = is->size;
    local->before = is->given || is->first < stretch->begin;
    local->after = is->last >= stretch->begin + stretch->count;
    return local;
}

/* Fills needs and locals. A memory that nothing in the stretch touches is the same in every order. */
NNRT__FN void nnrt__order_look(nnrt__order_stretch *stretch, uint32_t *ids) {
    const nnrt__order_plan *plan = stretch->plan;
    uint32_t a, b, k;
    NNRT_ASSERT(stretch->count <= NNRT__ORDER_STEPS);
    stretch->local_count = 0;
    for (b = 0; b < stretch->count; b++) {
        const nnrt__order_step *step = &plan->steps[stretch->begin + b];
        stretch->needs[b] = 0;
        for (a = 0; a < b; a++)
            if (nnrt__order_depends(plan, stretch->begin + a, stretch->begin + b))
                stretch->needs[b] |= (uint64_t)1 << a;
        for (k = 0; k < step->count; k++) {
            const uint32_t memory = plan->touches[step->first + k].memory;
            if (plan->memories[memory].size != 0) nnrt__order_local_of(stretch, ids, memory)->users |= (uint64_t)1 << b;
        }
    }
}

/* Bytes alive while step b runs after those in `done`. */
NNRT__FN uint64_t nnrt__order_live(const nnrt__order_stretch *stretch, uint64_t done, uint32_t b) {
    const nnrt__order_step *step = &stretch->plan->steps[stretch->begin + b];
    const uint64_t bit = (uint64_t)1 << b;
    uint64_t live = step->scratch, made = 0;
    bool shared = false;
    uint32_t i;
    NNRT_ASSERT(b < stretch->count && (done >> b & 1) == 0);
    for (i = 0; i < stretch->local_count; i++) {
        const nnrt__order_local *local = &stretch->locals[i];
        const bool begun = local->before || (local->users & done) != 0;
        const bool wanted = local->after || (local->users & ~done) != 0;
        if ((local->users & bit) != 0 || (begun && wanted)) live += local->size;
        if ((local->users & bit) != 0 && !begun) made = local->size;
    }
    for (i = 0; step->in_place && i < stretch->local_count; i++) {
        const nnrt__order_local *local = &stretch->locals[i];
        const bool begun = local->before || (local->users & done) != 0;
        shared = shared || ((local->users & bit) != 0 && begun && !local->after && local->size == made &&
                            (local->users & ~(done | bit)) == 0);
    }
    return shared ? live - made : live;
}

/* Adds a state to the level [first, *end): it replaces a worse one with the same steps or, if the level is full, the
   worst. */
NNRT__FN void nnrt__order_add(nnrt__order_stretch *stretch, uint32_t first, uint32_t *end,
                              const nnrt__order_state *state) {
    nnrt__order_state *states = stretch->states;
    uint32_t i, worst = first;
    NNRT_ASSERT(first <= *end && *end - first <= NNRT__ORDER_WIDTH);
    for (i = first; i < *end; i++) {
        if (states[i].done == state->done) {
            if (state->fullest < states[i].fullest) states[i] = *state;
            return;
        }
        if (states[i].fullest > states[worst].fullest) worst = i;
    }
    if (*end - first < NNRT__ORDER_WIDTH) states[(*end)++] = *state;
    else if (state->fullest < states[worst].fullest) states[worst] = *state;
}

/* Writes the best order of the stretch to order[0..count-1], as step numbers of the plan; false: the present one is
   best. */
NNRT__FN bool nnrt__order_stretch_find(nnrt__order_stretch *stretch, uint32_t *order) {
    const uint32_t count = stretch->count;
    uint64_t done = 0, fullest = 0;
    uint32_t first = 0, end = 1, next, level, i, b;
    NNRT_ASSERT(count <= NNRT__ORDER_STEPS);
    for (b = 0; b < count; b++) { /* as they are */
        const uint64_t live = nnrt__order_live(stretch, done, b);
        if (live > fullest) fullest = live;
        done |= (uint64_t)1 << b;
    }
    memset(&stretch->states[0], 0, sizeof(stretch->states[0]));
    for (level = 0; level < count; level++) {
        next = end;
        for (i = first; i < end; i++) {
            for (b = 0; b < count; b++) {
                nnrt__order_state state;
                state.done = stretch->states[i].done | (uint64_t)1 << b;
                if (state.done == stretch->states[i].done || (stretch->needs[b] & ~stretch->states[i].done) != 0)
                    continue;
                state.fullest = nnrt__order_live(stretch, stretch->states[i].done, b);
                if (state.fullest < stretch->states[i].fullest) state.fullest = stretch->states[i].fullest;
                if (state.fullest >= fullest) continue; /* no better than the present order */
                state.step = b;
                state.from = i;
                nnrt__order_add(stretch, end, &next, &state);
            }
        }
        first = end;
        end = next;
        if (first == end) return false;
    }
    for (level = count, i = first; level > 0; level--) {
        order[level - 1] = stretch->begin + stretch->states[i].step;
        i = stretch->states[i].from;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------- a whole plan */

/* across[i]: tensors alive between steps i - 1 and i; room for step_count + 1. true: two or more somewhere, so it is no
   chain. */
NNRT__FN bool nnrt__order_count_across(const nnrt__order_plan *plan, uint32_t *across) {
    bool several = false;
    uint32_t i;
    memset(across, 0, ((size_t)plan->step_count + 1) * sizeof(*across));
    for (i = 0; i < plan->memory_count; i++) {
        const nnrt__memory_life *memory = &plan->memories[i];
        if (memory->size == 0 || memory->first == NNRT__NONE) continue;
        across[memory->first + 1]++;
        across[memory->last + 1]--; /* wraps, and the sum does not */
    }
    for (i = 1; i <= plan->step_count; i++) {
        across[i] += across[i - 1];
        several = several || across[i] > 1;
    }
    return several;
}

/* The end of the longest stretch from `begin` on that is short enough, or else of the shortest. */
NNRT__FN uint32_t nnrt__order_stretch_end(const nnrt__order_plan *plan, const uint32_t *across, uint32_t begin) {
    uint32_t end = begin, i;
    for (i = begin + 1; i <= plan->step_count; i++) {
        if (i < plan->step_count && across[i] > 1) continue; /* cannot be cut here */
        if (end != begin && i - begin > NNRT__ORDER_STEPS) break;
        end = i;
    }
    return end;
}

/* Finds a better order, if there is one: order[i] becomes the i-th step; on entry it is i. *better: the order has
   changed. across: from nnrt__order_count_across. false: memory is out. */
NNRT__FN bool nnrt__order_find(const nnrt__order_plan *plan, const uint32_t *across, uint32_t *order, bool *better) {
    nnrt__order_stretch stretch;
    uint32_t *ids = (uint32_t *)nnrt__alloc_zero((size_t)plan->memory_count + 1, sizeof(uint32_t));
    uint32_t begin = 0, end;
    bool ok;
    *better = false;
    memset(&stretch, 0, sizeof(stretch));
    stretch.plan = plan;
    stretch.locals = (nnrt__order_local *)nnrt__alloc_zero((size_t)plan->memory_count + 1, sizeof(nnrt__order_local));
    ok = ids != NULL && stretch.locals != NULL;
    for (; ok && begin < plan->step_count; begin = end) {
        end = nnrt__order_stretch_end(plan, across, begin);
        stretch.begin = begin;
        stretch.count = end - begin;
        if (stretch.count < 3 || stretch.count > NNRT__ORDER_STEPS) continue;
        nnrt__free(stretch.states);
        stretch.states = (nnrt__order_state *)nnrt__alloc(((size_t)stretch.count * NNRT__ORDER_WIDTH + 1) *
                                                          sizeof(nnrt__order_state)); /* count is at most 64 */
        ok = stretch.states != NULL;
        if (!ok) break;
        nnrt__order_look(&stretch, ids);
        if (nnrt__order_stretch_find(&stretch, order + begin)) *better = true;
    }
    nnrt__free(ids);
    nnrt__free(stretch.locals);
    nnrt__free(stretch.states);
    return ok;
}

/* ------------------------------------------------------------------------------------------- the writer */

/* What decides the order about step i, except its scratch. */
NNRT__FN void nnrt__order_take_step(const nnrt__lower *lower, uint32_t i, nnrt__order_step *to,
                                    nnrt__order_touch *touches) {
    const nnrt__plan_writer *writer = lower->writer;
    const nnrt__plan_step *step = nnrt__writer_step(writer, i);
    const nnrt__step_kind *kind = nnrt__step_kind_in(lower->kernels, step->kind);
    const uint32_t *operands = (const uint32_t *)(const void *)writer->operands.data + step->first_operand;
    uint32_t k;
    to->count = 0;
    to->in_place = kind != NULL && kind->in_place && step->output_count == 1;
    for (k = 0; k < step->input_count + step->output_count; k++) {
        const uint32_t memory = nnrt__writer_memory(writer, operands[k]);
        if (memory == NNRT__NONE) continue;
        touches[to->count].memory = memory;
        touches[to->count++].writes = k >= step->input_count;
    }
}

/* Puts the steps in their best order, once every node has been lowered. */
NNRT__FN OH_NN_ReturnCode nnrt__order_steps(nnrt__lower *lower) {
    nnrt__plan_writer *writer = lower->writer;
    const uint32_t count = nnrt__writer_step_count(writer);
    nnrt__order_plan plan;
    nnrt__order_step *steps = (nnrt__order_step *)nnrt__alloc_zero((size_t)count + 1, sizeof(nnrt__order_step));
    nnrt__order_touch *touches =
        (nnrt__order_touch *)nnrt__alloc_zero(writer->operands.size / sizeof(uint32_t) + 1, sizeof(nnrt__order_touch));
    nnrt__memory_life *memories;
    nnrt__plan_step *moved = (nnrt__plan_step *)nnrt__alloc_zero((size_t)count + 1, sizeof(nnrt__plan_step));
    uint32_t *order = (uint32_t *)nnrt__alloc_zero((size_t)count + 1, sizeof(uint32_t)), used = 0, i;
    uint32_t *across = (uint32_t *)nnrt__alloc_zero((size_t)count + 1, sizeof(uint32_t));
    bool better = false, ok;
    memset(&plan, 0, sizeof(plan));
    plan.memory_count = writer->storage_count + lower->ir->output_count;
    memories = (nnrt__memory_life *)nnrt__alloc_zero((size_t)plan.memory_count + 1, sizeof(nnrt__memory_life));
    ok = steps != NULL && touches != NULL && memories != NULL && moved != NULL && order != NULL && across != NULL;
    if (ok) {
        nnrt__writer_measure_lives(writer, memories, plan.memory_count);
        for (i = 0; i < count; i++) {
            order[i] = i;
            steps[i].first = used;
            nnrt__order_take_step(lower, i, &steps[i], touches + used);
            used += steps[i].count;
        }
        plan.steps = steps;
        plan.touches = touches;
        plan.memories = memories;
        plan.step_count = count;
        if (nnrt__order_count_across(&plan, across)) {
            for (i = 0; i < count; i++) steps[i].scratch = nnrt__writer_scratch(lower, i);
            ok = nnrt__order_find(&plan, across, order, &better);
        }
    }
    if (ok && better) {
        for (i = 0; i < count; i++) moved[i] = *nnrt__writer_step(writer, order[i]);
        memcpy(writer->steps.data, moved, count * sizeof(*moved));
    }
    nnrt__free(steps);
    nnrt__free(touches);
    nnrt__free(memories);
    nnrt__free(moved);
    nnrt__free(order);
    nnrt__free(across);
    return ok ? OH_NN_SUCCESS : nnrt__fail_memory();
}

#endif /* NNRT_CPU_ORDER_H */
