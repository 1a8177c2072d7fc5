/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that convolutions run by stripes of rows give the bytes that they give whole, whatever their windows are, that
   the arena is smaller by it and the price is kept, and that a plan whose stripes were forged is refused or stays
   inside its memory. */
#include "linked.h"

#define SEED 20261123u

#include "conv_chain.h"
#include "offline_runner.h"

/* Steps that are in groups. */
static uint32_t grouped(const compiled *p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < header_of(p)->step_count; i++) count += steps_of(p)[i].turns != 0;
    return count;
}

/* --------------------------------------------------------------------------------------------- the proofs */

static const uint32_t prices[] = {2, 15, 60, 250, 1000, 1000000};

Test(stripes, rows_in_turns_give_the_bytes_of_whole_tensors) {
    uint32_t cut = 0, kinds[6] = {0};
    for (uint32_t i = 0; i < 160; i++) {
        chain c;
        gb_graph g;
        char text[1024];
        draw(&c, i % 3 == 0 ? OH_NN_FLOAT32 : OH_NN_INT8, false);
        make(&g, &c);
        for (int in_place = 0; in_place < 2; in_place++) {
            const unsigned isa = i % 2 == 0 ? 0 : nnrt__cpu_detect();
            const uint32_t price = prices[i % NNRT__COUNT_OF(prices)];
            compiled whole, parts;
            uint8_t *expected, *result;
            size_t size, result_size;
            compile(&whole, &g, isa, 0, in_place != 0);
            compile(&parts, &g, isa, price, in_place != 0);
            cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
            cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
            cr_assert_eq(size, result_size);
            cr_assert(same(expected, result, size, c.dtype), "%s, price %u, %s", describe(&c, text, sizeof text),
                      (unsigned)price, in_place != 0 ? "raw" : "packed");
            cr_assert_leq(header_of(&parts)->arena_size, header_of(&whole)->arena_size, "%s",
                          describe(&c, text, sizeof text));
            cut += grouped(&parts) != 0;
            for (uint32_t k = 0; k < header_of(&parts)->step_count; k++) {
                const uint32_t kind = steps_of(&parts)[k].kind;
                if (kind >= 0x180 && kind < 0x186) kinds[kind - 0x180]++;
            }
            free(expected);
            free(result);
            nnrt__free(whole.memory);
            nnrt__free(parts.memory);
        }
        gb_close(&g);
    }
    cr_assert_gt(cut, 100u, "only %u of 320 plans have stripes", (unsigned)cut);
    for (int k = 0; k < 6; k++) cr_assert_gt(kinds[k], 10u, "kind 0x18%d: %u steps", k, (unsigned)kinds[k]);
}

/* Planes of groups take no turns: they stand between stripes, have the same bytes, and the arena is never larger. */
Test(stripes, planes_of_groups_between_stripes_leave_the_arena_as_small) {
    const unsigned isa = nnrt__cpu_detect();
    uint32_t both = 0;
    if (isa == 0 || !NNRT__HAVE_PLANES) cr_skip_test("skipped, no planes without kernels for vectors");
    for (uint32_t i = 0; i < 80; i++) {
        uint8_t *expected, *result;
        size_t size, result_size;
        compiled whole, parts;
        uint32_t planes = 0;
        char text[1024];
        chain c;
        gb_graph g;
        draw(&c, i % 3 == 0 ? OH_NN_FLOAT32 : OH_NN_INT8, true);
        make(&g, &c);
        compile(&whole, &g, isa, 0, false);
        compile(&parts, &g, isa, prices[i % NNRT__COUNT_OF(prices)], false);
        cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
        cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
        cr_assert(size == result_size && same(expected, result, size, c.dtype), "%s", describe(&c, text, sizeof text));
        cr_assert_leq(header_of(&parts)->arena_size, header_of(&whole)->arena_size, "%s",
                      describe(&c, text, sizeof text));
        for (uint32_t k = 0; k < header_of(&parts)->step_count; k++) {
            const uint32_t kind = steps_of(&parts)[k].kind;
            planes += kind == 0x112 || kind == 0x113;
        }
        both += planes != 0 && grouped(&parts) != 0;
        free(expected);
        free(result);
        nnrt__free(whole.memory);
        nnrt__free(parts.memory);
        gb_close(&g);
    }
    cr_assert_gt(both, 5u, "only %u plans have planes and stripes", (unsigned)both);
}

/* The first turn needs a row of padding and two of three rows in between: a window of three, which is all of them. It
   then stays where it is, and the last row has to have room as well. */
Test(stripes, a_window_that_is_as_high_as_its_tensor_has_room_for_the_last_row) {
    static const layer layers[3] = {{false, true, 8, 3, 3, 2, 2, 1, 1, {0, 0, 0, 0}, 1, 0},
                                    {false, true, 8, 2, 2, 2, 2, 1, 1, {0, 0, 0, 0}, 1, 0},
                                    {false, true, 6, 3, 3, 2, 1, 1, 1, {0, 0, 0, 0}, 1, 0}};
    uint32_t cut = 0;
    for (int32_t i = 0; i < 32; i++) {
        const int32_t skipped = i / 2 % 2;
        chain c;
        gb_graph g;
        compiled whole, parts;
        uint8_t *expected, *result;
        size_t size, result_size;
        memset(&c, 0, sizeof c);
        c.dtype = i % 2 == 0 ? OH_NN_INT8 : OH_NN_FLOAT32;
        c.height = skipped != 0 ? 6 : 12;
        c.width = 8 + i / 4 * 4;
        c.channels = 3;
        c.layers = 3 - skipped;
        memcpy(c.layer, layers + skipped, (size_t)c.layers * sizeof layers[0]);
        make(&g, &c);
        compile(&whole, &g, 0, 0, false);
        compile(&parts, &g, 0, 1000000, false);
        cut += grouped(&parts) != 0;
        cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
        cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
        cr_assert(size == result_size && same(expected, result, size, c.dtype), "%d layers, %d wide", (int)c.layers,
                  (int)c.width);
        free(expected);
        free(result);
        nnrt__free(whole.memory);
        nnrt__free(parts.memory);
        gb_close(&g);
    }
    cr_assert_gt(cut, 4u, "only %u of 32", (unsigned)cut);
}

/* A chain that is worth cutting. */
static void make_sound(gb_graph *g, chain *c, OH_NN_DataType dtype, int32_t side) {
    static const layer layers[4] = {{false, true, 8, 3, 3, 2, 2, 1, 1, {0, 0, 0, 0}, 1, 0},
                                    {true, true, 8, 3, 3, 1, 1, 1, 1, {0, 0, 0, 0}, 1, 0},
                                    {false, true, 16, 1, 1, 1, 1, 1, 1, {0, 0, 0, 0}, 1, 0},
                                    {true, true, 16, 3, 3, 2, 2, 1, 1, {0, 0, 0, 0}, 1, 0}};
    memset(c, 0, sizeof *c);
    c->dtype = dtype;
    c->height = c->width = side;
    c->channels = 3;
    c->layers = 4;
    memcpy(c->layer, layers, sizeof layers);
    make(g, c);
}

Test(stripes, what_costs_more_than_was_allowed_is_not_cut) {
    uint64_t first = 0, last = UINT64_MAX;
    chain c;
    gb_graph g;
    make_sound(&g, &c, OH_NN_INT8, 64);
    for (size_t i = 0; i < NNRT__COUNT_OF(prices) + 1; i++) {
        compiled p;
        compile(&p, &g, 0, i == 0 ? 0 : prices[i - 1], false); /* scratch is the least for the portable kernels */
        cr_assert_leq(header_of(&p)->arena_size, last);
        last = header_of(&p)->arena_size;
        if (i == 0) first = last;
        cr_assert(i != 0 || grouped(&p) == 0);
        nnrt__free(p.memory);
    }
    cr_assert_lt(3 * last, 2 * first, "%u of %u", (unsigned)last, (unsigned)first);
    gb_close(&g);
}

/* Cuts as much as it can: steps of the largest group, and the number of the last step that is in one; the results are
   those of whole tensors. */
static void cut_most(chain *c, uint32_t *largest, uint32_t *last) {
    gb_graph g;
    compiled whole, parts;
    uint8_t *expected, *result;
    size_t size, result_size;
    make(&g, c);
    compile(&whole, &g, 0, 0, false);
    compile(&parts, &g, 0, 1000000, false);
    *largest = *last = 0;
    for (uint32_t i = 0; i < header_of(&parts)->step_count; i++) {
        if (steps_of(&parts)[i].turns != 0) *last = i;
        if (steps_of(&parts)[i].back > *largest) *largest = steps_of(&parts)[i].back;
    }
    cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
    cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
    cr_assert(size == result_size && same(expected, result, size, c->dtype), "%d layers", (int)c->layers);
    free(expected);
    free(result);
    nnrt__free(whole.memory);
    nnrt__free(parts.memory);
    gb_close(&g);
}

/* The arena of these chains is smallest when all that is wide is one group. */
Test(stripes, a_group_has_at_most_16_steps_wherever_it_is_in_a_chain) {
    static const layer narrow = {true, true, 1, 3, 3, 1, 1, 1, 1, {0, 0, 0, 0}, 1, 0};
    static const layer wide = {true, true, 4, 3, 3, 1, 1, 1, 1, {0, 0, 0, 0}, 1, 0};
    static const layer widen = {false, true, 4, 1, 1, 1, 1, 1, 1, {0, 0, 0, 0}, 1, 0};
    uint32_t largest, last;
    chain c;
    memset(&c, 0, sizeof c);
    c.dtype = OH_NN_INT8;
    c.height = 400;
    c.width = 8;
    c.channels = 4;
    for (c.layers = 15; c.layers <= 17; c.layers++) {
        for (int32_t i = 0; i < c.layers; i++) c.layer[i] = wide;
        cut_most(&c, &largest, &last);
        cr_assert_eq(last, (uint32_t)c.layers - 1, "%d layers: %u", (int)c.layers, (unsigned)last);
        if (c.layers <= 16) cr_assert_eq(largest, (uint32_t)c.layers, "%u", (unsigned)largest);
        else cr_assert_leq(largest, 16u, "%u", (unsigned)largest);
    }
    c.channels = 1;
    c.layers = LONGEST;
    for (int32_t i = 0; i < LONGEST; i++) c.layer[i] = i < 20 ? narrow : i == 20 ? widen : wide;
    cut_most(&c, &largest, &last);
    cr_assert_eq(last, (uint32_t)LONGEST - 1, "%u", (unsigned)last);
    cr_assert(largest > 2 && largest <= 16, "%u", (unsigned)largest);
}

Test(stripes, every_allocation_may_be_refused_and_nothing_is_left_behind) {
    chain c;
    gb_graph g;
    compiled p;
    OH_NN_ReturnCode code = OH_NN_MEMORY_ERROR;
    long refused = 0;
    make_sound(&g, &c, OH_NN_INT8, 24);
    for (long n = 0; code != OH_NN_SUCCESS; n++) {
        const long live = counting_live();
        counting_fail_at(n);
        code = try_compile(&p, &g, 0, 1000000, false);
        counting_fail_never();
        if (code == OH_NN_SUCCESS) {
            cr_assert_eq(grouped(&p), 4u);
            nnrt__free(p.memory);
        } else {
            IS(code, OH_NN_MEMORY_ERROR);
            refused++;
        }
        cr_assert_eq(counting_live(), live, "allocation %ld", n);
    }
    cr_assert_gt(refused, 20, "%ld", refused);
    gb_close(&g);
}

/* Every word of the arguments, of the turns and of the windows' heights. */
Test(stripes, a_forged_group_is_refused_or_stays_inside_its_memory) {
    static const int32_t values[] = {0, 1, 2, 5, -1, -5, 24, 127, 32768, 65536, 0x40000000, INT32_MAX, INT32_MIN};
    for (int type = 0; type < 2; type++) {
        uint32_t refused = 0, ran = 0;
        chain c;
        gb_graph g;
        compiled p;
        make_sound(&g, &c, type == 0 ? OH_NN_INT8 : OH_NN_FLOAT32, 24);
        compile(&p, &g, nnrt__cpu_detect(), 1000000, false);
        cr_assert_eq(grouped(&p), 4u);
        const nnrt__plan_header *header = header_of(&p);
        uint8_t *const sections[2] = {p.block + header->arguments, p.block + header->steps};
        const size_t sizes[2] = {(size_t)header->arguments_size, header->step_count * sizeof(nnrt__plan_step)};
        for (int section = 0; section < 2; section++) {
            for (size_t at = 0; at + 4 <= sizes[section]; at += 4) {
                if (section == 1 && at % sizeof(nnrt__plan_step) != offsetof(nnrt__plan_step, turns)) continue;
                for (size_t i = 0; i < NNRT__COUNT_OF(values); i++) {
                    uint8_t *word = sections[section] + at, *result;
                    int32_t kept, forged = values[i];
                    size_t size;
                    memcpy(&kept, word, 4);
                    if (i >= 6 && i < 8) forged = kept + (i == 6 ? 1 : -1);
                    memcpy(word, &forged, 4);
                    if (run(&p, &result, &size)) {
                        free(result);
                        ran++;
                    } else {
                        refused++;
                    }
                    memcpy(word, &kept, 4);
                }
            }
        }
        cr_assert(refused > 500 && ran > 500, "%u refused, %u ran", (unsigned)refused, (unsigned)ran);
        nnrt__free(p.memory);
        gb_close(&g);
    }
}

static void refused(const compiled *p, const char *sentence) {
    uint8_t *result;
    size_t size;
    cr_assert_not(run(p, &result, &size));
    cr_assert_not_null(strstr(nnrt_last_error(), sentence), "%s", nnrt_last_error());
}

Test(stripes, a_group_has_one_number_of_turns_and_an_end) {
    chain c;
    gb_graph g;
    compiled p;
    make_sound(&g, &c, OH_NN_INT8, 24);
    compile(&p, &g, nnrt__cpu_detect(), 1000000, false);
    nnrt__plan_step *steps = steps_of(&p);
    const uint16_t turns = steps[0].turns, back = steps[3].back;
    cr_assert(turns > 1 && back == 4 && header_of(&p)->step_count == 4);
    steps[1].turns++;
    refused(&p, "a group of steps does not agree");
    steps[1].turns = 1;
    refused(&p, "a step takes no turns");
    steps[1].turns = 0;
    refused(&p, "contradicts itself");
    steps[1].turns = turns;
    steps[3].back = 0;
    refused(&p, "a group of steps has no end");
    steps[3].back = 3;
    refused(&p, "a group of steps has another size");
    steps[3].back = 5;
    refused(&p, "a group of steps has another size");
    steps[3].back = back;
    steps[1].back = steps[3].back = 2; /* two groups: sound, if not what was meant */
    uint8_t *result;
    size_t size;
    cr_assert(run(&p, &result, &size), "%s", nnrt_last_error());
    free(result);
    nnrt__free(p.memory);
    gb_close(&g);
}

/* ---------------------------------------------------------------------------------------- through the API */

Test(stripes, a_profile_counts_a_step_once_for_all_its_turns) {
    off_settings settings;
    const nnrt_profile_step *steps = NULL;
    uint8_t input[24 * 24 * 3] = {0}, output[6 * 6 * 16];
    uint32_t count = 0;
    chain c;
    gb_graph g;
    make_sound(&g, &c, OH_NN_INT8, 24);
    memset(&settings, 0, sizeof settings);
    settings.profile = "1";
    settings.passes = "255";
    settings.stripes = "1000";
    g.compilation = OH_NNCompilation_Construct(g.model);
    IS(off_build(g.compilation, &settings), OH_NN_SUCCESS);
    g.executor = OH_NNExecutor_Construct(g.compilation);
    for (int i = 0; i < 3; i++) IS(off_run(g.executor, input, sizeof input, output, sizeof output), OH_NN_SUCCESS);
    IS(nnrt_executor_get_profile(g.executor, &steps, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 4u);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_str_eq(steps[i].kernel, i % 2 == 0 ? "conv_s8_stripes" : "dw_s8_stripes");
        cr_assert_eq(steps[i].runs, 3u);
        cr_assert(steps[i].min_ns <= steps[i].last_ns && steps[i].total_ns >= 3 * steps[i].min_ns);
    }
    gb_close(&g);
}

Test(stripes, the_price_is_a_number_from_0_to_1000) {
    static const char *const wrong[] = {"1001", "-1", "many"};
    chain c;
    gb_graph g;
    make_sound(&g, &c, OH_NN_INT8, 24);
    for (size_t i = 0; i < NNRT__COUNT_OF(wrong); i++) {
        off_settings settings;
        memset(&settings, 0, sizeof settings);
        settings.stripes = wrong[i];
        g.compilation = OH_NNCompilation_Construct(g.model);
        IS(off_build(g.compilation, &settings), OH_NN_INVALID_PARAMETER);
        cr_assert_not_null(strstr(nnrt_last_error(), "nnrt.stripes"), "%s", nnrt_last_error());
        OH_NNCompilation_Destroy(&g.compilation);
    }
    gb_close(&g);
}
