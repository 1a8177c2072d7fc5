/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of the times of steps that the tool shows that they are the least and the median of the runs that were noted,
   whatever the library has added up before, that any number of runs fits into the same memory, and that a list of
   other steps begins anew. */
#include "linked.h"

#include <criterion/criterion.h>

#define main tool_main
#include "../../tools/nnrt.c"
#undef main

#define SEED 20261125u

#include "noise.h"

enum {
    STEPS = 3
};

/* Steps whose library has timed slow runs to warm up. */
static void begin(nnrt_profile_step *steps) {
    memset(steps, 0, STEPS * sizeof(*steps));
    for (size_t i = 0; i < STEPS; i++) {
        steps[i].runs = 5;
        steps[i].total_ns = 500000000u;
        steps[i].min_ns = 1u; /* faster than any that counts */
    }
}

Test(tool_steps, the_least_and_the_median_are_of_the_noted_runs_alone) {
    for (size_t runs = 1; runs <= 40; runs++) {
        nnrt_profile_step steps[STEPS];
        step_times t = {0};
        double seen[STEPS][40];
        begin(steps);
        for (size_t r = 0; r < runs; r++) {
            for (size_t i = 0; i < STEPS; i++) {
                steps[i].last_ns = (uint64_t)noise_in(1000, 9000);
                seen[i][r] = (double)steps[i].last_ns / 1e3;
            }
            step_times_note(&t, steps, STEPS);
        }
        step_times_end(&t);
        for (uint32_t i = 0; i < STEPS; i++) {
            qsort(seen[i], runs, sizeof(double), compare_doubles);
            cr_assert_eq(step_least_us(&t, steps, i, STEPS), seen[i][0]);
            cr_assert_eq(step_median_us(&t, steps, i, STEPS), (seen[i][(runs - 1) / 2] + seen[i][runs / 2]) / 2.0);
        }
        step_times_free(&t);
    }
}

Test(tool_steps, many_runs_are_thinned_out_evenly) {
    nnrt_profile_step steps[STEPS];
    step_times t = {0};
    const size_t runs = 100000;
    begin(steps);
    for (size_t r = 0; r < runs; r++) { /* ever slower, so that the median is that of the run in the middle */
        for (size_t i = 0; i < STEPS; i++) steps[i].last_ns = 1000u * (r + 1) + i;
        step_times_note(&t, steps, STEPS);
        cr_assert_lt(t.sample_count, STEP_SAMPLES);
    }
    step_times_end(&t);
    cr_assert_geq(t.sample_count, STEP_SAMPLES / 2);
    for (uint32_t i = 0; i < STEPS; i++) {
        cr_assert_eq(step_least_us(&t, steps, i, STEPS), (1000.0 + i) / 1e3);
        cr_assert_float_eq(step_median_us(&t, steps, i, STEPS), (double)runs / 2.0, (double)runs / 200.0);
    }
    step_times_free(&t);
}

Test(tool_steps, a_list_of_other_steps_begins_anew_and_without_notes_the_last_run_counts) {
    nnrt_profile_step steps[STEPS];
    step_times t = {0};
    begin(steps);
    step_times_note(&t, steps, 0);
    cr_assert_null(t.samples);
    steps[0].last_ns = 4000;
    cr_assert_eq(step_median_us(NULL, steps, 0, STEPS), 4.0);
    cr_assert_eq(step_median_us(&t, steps, 0, STEPS), 4.0);
    cr_assert_eq(step_least_us(&t, steps, 0, STEPS), 0.001);
    for (int r = 0; r < 3; r++) step_times_note(&t, steps, 1);
    steps[0].last_ns = 6000;
    step_times_note(&t, steps, STEPS);
    step_times_end(&t);
    cr_assert_eq(t.runs, 1u);
    cr_assert_eq(step_median_us(&t, steps, 0, STEPS), 6.0);
    cr_assert_eq(step_median_us(&t, steps, 0, 1), 6.0); /* as it knows no list of one any more: the last run */
    steps[0].runs = 0;
    cr_assert_eq(step_median_us(&t, steps, 0, STEPS), 0.0); /* not timed */
    step_times_free(&t);
}
