/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the order of steps that cpu/order.h finds is one that gives the same results, and that no other needs a
   smaller arena: of drawn graphs of up to seven steps all orders are tried. */
#include "linked.h"

#define SEED 20261124u

#include "graph_builder.h"
#include "noise.h"
#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    MOST_STEPS = 7,
    MOST_MEMORIES = 16,
    GIVEN = MOST_MEMORIES - 1, /* an input of the model that lies in the arena */
    MOST_TOUCHES = 64
};

typedef struct drawn {
    nnrt__order_step steps[MOST_STEPS];
    nnrt__order_touch touches[MOST_TOUCHES];
    nnrt__memory_life memories[MOST_MEMORIES];
    nnrt__order_plan plan;
} drawn;

static void touch(drawn *d, uint32_t step, uint32_t memory, bool writes) {
    nnrt__memory_life *is = &d->memories[memory];
    nnrt__order_touch *t = &d->touches[d->steps[step].first + d->steps[step].count++];
    t->memory = memory;
    t->writes = writes;
    if (is->first == NNRT__NONE) is->first = step;
    is->last = step;
}

/* Each step writes a tensor of its own, now and then part of one that another began, and reads one to three of those
   before it, and now and then the input, which is alive before all steps. What nobody reads is an output: it lies
   outside the arena. */
static void draw(drawn *d) {
    const uint32_t count = 3 + noise() % (MOST_STEPS - 2);
    uint32_t touches = 0, i, k;
    memset(d, 0, sizeof *d);
    for (i = 0; i < MOST_MEMORIES; i++) d->memories[i].first = NNRT__NONE;
    for (i = 0; i < count; i++) d->memories[i].size = 64 * (1 + noise() % 9);
    d->memories[GIVEN].size = 64 * (1 + noise() % 9);
    for (i = 0; i < count; i++) {
        nnrt__order_step *step = &d->steps[i];
        const bool joins = i > 1 && noise() % 6 == 0;
        step->first = touches;
        step->in_place = noise() % 3 == 0;
        step->scratch = noise() % 3 == 0 ? 64 * (uint64_t)(noise() % 5) : 0;
        for (k = 0; i > 0 && k <= noise() % 3; k++) {
            const uint32_t source = noise() % i;
            if (d->memories[source].first != NNRT__NONE) touch(d, i, source, false);
        }
        if (noise() % 4 == 0) touch(d, i, GIVEN, false);
        touch(d, i, joins ? i - 1 : i, true);
        touches += step->count;
    }
    for (i = 0; i < count; i++)
        if (d->memories[i].first == d->memories[i].last) d->memories[i].size = 0;
    if (d->memories[GIVEN].first != NNRT__NONE) {
        d->memories[GIVEN].first = 0;
        d->memories[GIVEN].given = true;
    }
    d->plan.steps = d->steps;
    d->plan.touches = d->touches;
    d->plan.memories = d->memories;
    d->plan.step_count = count;
    d->plan.memory_count = MOST_MEMORIES;
}

/* When each memory is first and last touched in this order, and what that makes at the fullest step. A step in place
   needs no room for what it writes where something of that size dies. */
static uint64_t fullest_of(const drawn *d, const uint32_t *order) {
    uint32_t first[MOST_MEMORIES], last[MOST_MEMORIES], at, m, k;
    uint64_t most = 0;
    for (m = 0; m < MOST_MEMORIES; m++) first[m] = last[m] = NNRT__NONE;
    for (at = 0; at < d->plan.step_count; at++) {
        const nnrt__order_step *step = &d->steps[order[at]];
        for (k = 0; k < step->count; k++) {
            m = d->touches[step->first + k].memory;
            if (first[m] == NNRT__NONE) first[m] = m == GIVEN ? 0 : at;
            last[m] = at;
        }
    }
    for (at = 0; at < d->plan.step_count; at++) {
        const nnrt__order_step *step = &d->steps[order[at]];
        uint64_t live = step->scratch, born = 0;
        bool saved = false;
        for (m = 0; m < MOST_MEMORIES; m++) {
            if (first[m] == NNRT__NONE || first[m] > at || last[m] < at) continue;
            live += d->memories[m].size;
            if (first[m] == at && m != GIVEN) born = d->memories[m].size;
        }
        for (m = 0; m < MOST_MEMORIES; m++)
            saved = saved || (first[m] != NNRT__NONE && (first[m] < at || m == GIVEN) && last[m] == at &&
                              d->memories[m].size == born);
        if (step->in_place && saved) live -= born;
        if (live > most) most = live;
    }
    return most;
}

/* May the steps run so? Whatever was written before something else touched it still is. */
static bool is_right(const drawn *d, const uint32_t *order) {
    uint32_t place[MOST_STEPS], a, b, i, k;
    for (i = 0; i < d->plan.step_count; i++) place[order[i]] = i;
    for (a = 0; a < d->plan.step_count; a++)
        for (b = a + 1; b < d->plan.step_count; b++)
            for (i = 0; i < d->steps[a].count; i++)
                for (k = 0; k < d->steps[b].count; k++) {
                    const nnrt__order_touch *x = &d->touches[d->steps[a].first + i];
                    const nnrt__order_touch *y = &d->touches[d->steps[b].first + k];
                    if (x->memory == y->memory && (x->writes || y->writes) && place[a] > place[b]) return false;
                }
    return true;
}

/* The least of all orders from place `at` on. */
static uint64_t least_of(const drawn *d, uint32_t *order, uint32_t at) {
    const uint32_t count = d->plan.step_count;
    uint64_t least = UINT64_MAX;
    uint32_t i;
    if (at == count) return is_right(d, order) ? fullest_of(d, order) : UINT64_MAX;
    for (i = at; i < count; i++) {
        uint32_t kept = order[at];
        uint64_t here;
        order[at] = order[i];
        order[i] = kept;
        here = least_of(d, order, at + 1);
        if (here < least) least = here;
        order[i] = order[at];
        order[at] = kept;
    }
    return least;
}

Test(order, no_other_order_of_a_small_graph_needs_less) {
    uint32_t improved = 0, round;
    for (round = 0; round < 400; round++) {
        uint32_t order[MOST_STEPS], tried[MOST_STEPS], across[MOST_STEPS + 1], i;
        uint64_t before, after, least;
        bool better = true;
        drawn d;
        draw(&d);
        for (i = 0; i < d.plan.step_count; i++) order[i] = tried[i] = i;
        before = fullest_of(&d, order);
        least = least_of(&d, tried, 0);
        (void)nnrt__order_count_across(&d.plan, across);
        cr_assert(nnrt__order_find(&d.plan, across, order, &better));
        after = fullest_of(&d, order);
        cr_assert(is_right(&d, order), "seed %u, round %u", SEED, (unsigned)round);
        cr_assert_eq(after, least, "seed %u, round %u: %u, %u is possible, it was %u", SEED, (unsigned)round,
                     (unsigned)after, (unsigned)least, (unsigned)before);
        cr_assert(better || after == before);
        for (i = 0; !better && i < d.plan.step_count; i++) cr_assert_eq(order[i], i, "changed for nothing");
        improved += after < before;
    }
    cr_assert_gt(improved, 40u, "%u of 400 graphs had a better order", (unsigned)improved);
}

/* --------------------------------------------------------------------------------------------- real plans */

static uint32_t resized(gb_graph *g, uint32_t from, int32_t side, uint32_t to) {
    gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, side);
    gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, side);
    IS(gb_op(g, OH_NN_OPS_RESIZE_BILINEAR, 1, &from, 1, &to), OH_NN_SUCCESS);
    return to;
}

static uint32_t square(gb_graph *g, int32_t side) {
    const int32_t dims[4] = {1, side, side, 1};
    return gb_tensor(g, OH_NN_FLOAT32, 4, dims);
}

/* Three branches grow large and end small, and all three are begun before one is ended. */
static void make_branches(gb_graph *g) {
    uint32_t in, large[3], small[3], pair[2], i;
    gb_open(g);
    in = gb_input(g, square(g, 4));
    for (i = 0; i < 3; i++) large[i] = resized(g, in, 40, square(g, 40));
    for (i = 0; i < 3; i++) small[i] = resized(g, large[i], 5, square(g, 5));
    pair[0] = small[0];
    pair[1] = small[1];
    large[0] = square(g, 5);
    IS(gb_op(g, OH_NN_OPS_ADD, 2, pair, 1, &large[0]), OH_NN_SUCCESS);
    pair[0] = large[0];
    pair[1] = small[2];
    large[1] = gb_output(g, square(g, 5));
    IS(gb_op(g, OH_NN_OPS_MUL, 2, pair, 1, &large[1]), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

Test(order, branches_are_ended_before_others_begin) {
    float input[16], output[2][25];
    size_t arena[2], i;
    for (i = 0; i < 16; i++) input[i] = (float)(i * 7 % 5) - 2;
    for (i = 0; i < 2; i++) {
        off_settings settings;
        nnrt_memory memory;
        gb_graph g;
        make_branches(&g);
        memset(&settings, 0, sizeof settings);
        settings.passes = i == 0 ? "31" : "63";
        g.compilation = OH_NNCompilation_Construct(g.model);
        IS(off_build(g.compilation, &settings), OH_NN_SUCCESS);
        g.executor = OH_NNExecutor_Construct(g.compilation);
        cr_assert_not_null(g.executor);
        IS(nnrt_executor_get_memory(g.executor, &memory), OH_NN_SUCCESS);
        arena[i] = memory.arena_bytes;
        IS(off_run(g.executor, input, sizeof input, output[i], sizeof output[i]), OH_NN_SUCCESS);
        gb_close(&g);
    }
    cr_assert_arr_eq(output[0], output[1], sizeof output[0]);
    cr_assert_geq(arena[0], 3u * 6400);
    cr_assert_lt(arena[1], 6400u + 1024, "%zu", arena[1]);
}
