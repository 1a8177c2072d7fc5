/* SPDX-License-Identifier: Apache-2.0 */
/* asserting.h - NNRT_ASSERT of every test, fuzzer and example that CI builds: a condition that fails is printed with
   file and line, and the program ends by abort(). linked.h includes it; for programs that compile the library
   themselves the makefile passes it to the compiler (-include). A program's own NNRT_ASSERT stays in force. */
#ifndef NNRT_TESTS_ASSERTING_H
#define NNRT_TESTS_ASSERTING_H

#define NNRT__SHADOW_WARNINGS /* nnrt.h keeps what the compiler says of names that hide others */

#ifndef NNRT_ASSERT

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h would define it, but it comes too late after this */
#endif
#include <stdio.h>
#include <stdlib.h>

#ifdef ASSERTING_SHARED /* by the object and the suite that links with it: linked.h */
#define ASSERTING_FN
#else
#define ASSERTING_FN __attribute__((unused)) static
#endif

__attribute__((noreturn, cold)) ASSERTING_FN void asserting_failed(const char *file, int line, const char *condition);

#ifndef ASSERTING_ELSEWHERE
ASSERTING_FN void asserting_failed(const char *file, int line, const char *condition) {
    (void)fprintf(stderr, "%s:%d: NNRT_ASSERT(%s) does not hold\n", file, line, condition);
    abort();
}
#endif

#define NNRT_ASSERT(condition) ((condition) ? (void)0 : asserting_failed(__FILE__, __LINE__, #condition))

#endif /* NNRT_ASSERT */

#endif /* NNRT_TESTS_ASSERTING_H */
