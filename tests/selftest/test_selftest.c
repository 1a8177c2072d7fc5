/* SPDX-License-Identifier: Apache-2.0 */
/* test_selftest.c - nnrt_selftest() passes on every processor that the suites come to, gives back what it takes, and
   survives that memory ends. What it finds when a kernel is wrong: tests/tools/test_selftest.py. */
#include "linked.h"

#include <criterion/criterion.h>

typedef struct page {
    size_t lines, longest;
    char last[160];
} page;

static void keep(void *user, const char *line) {
    page *p = (page *)user;
    p->lines++;
    if (strlen(line) > p->longest) p->longest = strlen(line);
    nnrt__format(p->last, sizeof(p->last), "%s", line);
}

Test(selftest, passes_here_and_gives_back_what_it_takes) {
    page p;
    size_t bytes;
    long blocks;
    memset(&p, 0, sizeof(p));
    (void)nnrt_version(); /* devices are opened once, and stay */
    cr_assert_eq(nnrt_selftest(NULL, NULL), OH_NN_SUCCESS, "%s", nnrt_last_error());
    bytes = counting_bytes();
    blocks = counting_live();
    counting_peak_begin();
    cr_assert_eq(nnrt_selftest(keep, &p), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_expect_eq(counting_bytes(), bytes);
    cr_expect_eq(counting_live(), blocks);
    cr_expect_lt(counting_peak() - bytes, 256u << 10, "it takes %zu bytes", counting_peak() - bytes);
    cr_expect_geq(p.lines, 7u);
    cr_expect_leq(p.longest, 120u);
    cr_expect_not_null(strstr(p.last, " failed, 0 skipped"));
}

/* Every hundredth allocation. What only asks beforehand whether an operator is supported may go without memory. */
Test(selftest, that_memory_ends_is_said_and_nothing_is_kept) {
    long blocks, n, said = 0, tried = 0;
    cr_assert_eq(nnrt_selftest(NULL, NULL), OH_NN_SUCCESS);
    blocks = counting_live();
    for (n = 0; n < 1000; n += 101) {
        OH_NN_ReturnCode code;
        counting_fail_at(n);
        code = nnrt_selftest(NULL, NULL);
        if (!counting_failed()) break;
        counting_fail_never();
        tried++;
        if (code == OH_NN_MEMORY_ERROR || code == OH_NN_FAILED) said++;
        else cr_expect_eq(code, OH_NN_SUCCESS, "allocation %ld of code %d", n, (int)code);
        cr_expect_eq(counting_live(), blocks, "allocation %ld", n);
    }
    cr_expect_gt(tried, 5);
    cr_expect_gt(said, tried / 2, "%ld of %ld", said, tried);
}
