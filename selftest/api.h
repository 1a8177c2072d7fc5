/* SPDX-License-Identifier: Apache-2.0 */
/* selftest/api.h - one call checks that this build computes correctly on this board.   >>selftest_api */
#ifndef NNRT_SELFTEST_API_H
#define NNRT_SELFTEST_API_H

#include "../core/api_extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives one line of the report, without the line feed; it lives during the call. */
typedef void (*nnrt_selftest_print)(void *user, const char *line);

/* Runs graphs of the main operators on the CPU device with each instruction set of the processor, and compares integer
   results with numbers in the library and float results with a plain sum in double; opens plans, intact and damaged;
   supplies an arena, and one that is a byte too small; then, if there is a clock, times three products on each
   instruction set for some hundredths of a second. print (may be NULL) gets a report of at most about fifty lines for a
   bug report; the last line is "selftest: N passed, N failed, N skipped". Skipped are operators that the build leaves
   out (NNRT_OPS). Takes less than 256 KB of NNRT_MALLOC, all of which is freed, and some seconds on a Cortex-A7, longer
   on a Cortex-M. From any thread; other models may run meanwhile.
   OH_NN_SUCCESS: nothing failed. OH_NN_FAILED: something did; nnrt_last_error() says what failed first.
   OH_NN_UNSUPPORTED: the build has no CPU device or cannot compile a graph (NNRT_NO_CPU, NNRT_PLANS_ONLY). */
NNRT_API OH_NN_ReturnCode nnrt_selftest(nnrt_selftest_print print, void *user);

#ifdef __cplusplus
}
#endif

#endif /* NNRT_SELFTEST_API_H */
