/* SPDX-License-Identifier: Apache-2.0 */
/* selftest/api.h - does this build compute on this board what it should: one call.   >>selftest_api */
#ifndef NNRT_SELFTEST_API_H
#define NNRT_SELFTEST_API_H

#include "../core/api_extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes one line of the page, without the end of line; it lives during the call. */
typedef void (*nnrt_selftest_print)(void *user, const char *line);

/* Runs graphs of the main operators on the CPU device with each instruction set that the processor has, and compares
   the results of integers with numbers that stand in the library and those of floats with a plain sum in double; opens
   plans, whole and damaged; gives an arena, and one that is a byte too small; then times three products on each
   instruction set for some hundredths of a second, where there is a clock. What it finds is told to print (NULL:
   nobody), a page of at most about fifty lines for a bug report, whose last line is "selftest: N passed, N failed, N
   skipped". Skipped is what the build leaves out (NNRT_OPS).
   Takes less than 256 KB of NNRT_MALLOC, all of which is given back, some seconds on a Cortex-A7 and longer on a
   Cortex-M. From any thread; other models may run meanwhile.
   OH_NN_SUCCESS: nothing failed. OH_NN_FAILED: something did, nnrt_last_error() says what failed first.
   OH_NN_UNSUPPORTED: the build has no CPU device or cannot compile a graph (NNRT_NO_CPU, NNRT_PLANS_ONLY). */
NNRT_API OH_NN_ReturnCode nnrt_selftest(nnrt_selftest_print print, void *user);

#ifdef __cplusplus
}
#endif

#endif /* NNRT_SELFTEST_API_H */
