/* SPDX-License-Identifier: Apache-2.0 */
/* test_own_clock.c - NNRT_NOW_NS: the program's clock, the only one where there is no system. */
static unsigned long reads_of_the_clock;

/* The n-th reading is n * n microseconds: every difference is another one. */
static unsigned long program_clock(void) {
    reads_of_the_clock++;
    return reads_of_the_clock * reads_of_the_clock * 1000;
}

#define NNRT_NO_STDIO
#define NNRT_NO_THREADS
#define NNRT_NOW_NS() program_clock()
#define NNRT_NO_SIMD        /* what these tests look at is the same with every kernel */
#define NNRT_OPS(X) X(RELU) /* a third of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "one_profile.h"

Test(own_clock, times_of_a_profile_are_read_from_the_clock_of_the_program) {
    const nnrt_profile_step step = one_profile();
    cr_assert_eq(reads_of_the_clock, 4u);
    cr_assert_eq(step.runs, 2u);
    cr_assert_eq(step.min_ns, 3000u);  /* 4 - 1 */
    cr_assert_eq(step.last_ns, 7000u); /* 16 - 9 */
    cr_assert_eq(step.total_ns, 10000u);
}
