/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_detect.c - what the system and the processor say of an instruction set decides whether it is used. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#if NNRT__HAVE_RVV && !NNRT__SURE_RVV && defined(__linux__)
static bool is_final(void) { return true; }
static bool is_draft(void) { return false; }
static bool is_not_asked(void) {
    cr_assert_fail("a processor without vectors was asked for one");
    return false;
}

Test(table, vectors_of_risc_v_are_there_if_linux_says_so_and_are_not_the_draft_s) {
    const uint64_t v = 1 << 2, other = ~v;
    const unsigned long letter = 1ul << 21;
    const struct {
        nnrt__rvv_told told;
        bool there;
    } cases[] = {
        {{0, v, letter, -22, is_not_asked}, true}, /* Linux 6.5 and later: the call decides */
        {{0, v, 0, 2, is_not_asked}, true},
        {{0, other, ~0ul, 2, is_not_asked}, false},
        {{0, v, letter, 1, is_not_asked}, false}, /* off for this program; the upper bits are for its children */
        {{0, v, letter, 1 | 2 << 2, is_not_asked}, false},
        {{0, v, letter, 2 | 1 << 2, is_not_asked}, true},
        {{-38, v, letter, -22, is_final}, true}, /* no such call: the letter decides, and the processor */
        {{-38, v, ~letter, -22, is_not_asked}, false},
        {{-38, 0, letter, -22, is_draft}, false},
        {{-1, 0, letter, 1, is_not_asked}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(nnrt__rvv_is_there(&cases[i].told), cases[i].there, "case %zu", i);
}

/* QEMU has the letter where it was told v=true; is it a vector of the final version that is found, and by a program for
   processors without? */
Test(table, vectors_are_used_where_the_system_has_their_letter) {
    const bool letter = (getauxval(16) >> 21 & 1) != 0;
    cr_expect_eq(nnrt__cpu_detect(), letter ? (unsigned)NNRT__ISA_RVV : 0u);
}
#endif

Test(detect, what_the_build_is_sure_of_is_there) {
    cr_expect_eq(nnrt__cpu_detect() & NNRT__ISA_SURE, (unsigned)NNRT__ISA_SURE);
}
