/* SPDX-License-Identifier: Apache-2.0 */
/* linked.h - nnrt.h and all that is inside it, for suites that link with build/VARIANT/nnrt.o: the library as an
   object, which is tests/nnrt.c.

   A suite is compiled in half a second this way, in twelve when it makes the code of the library itself; there are
   sixty suites and ten variants. It includes this in place of nnrt.h, and nothing before it: the makefile has it parsed
   once for all suites of a variant. Private functions are visible as declared: under gnu_inline a definition makes no
   code, and under -fno-inline, which the makefile gives, every call goes to the object. gcc would optimize the bodies
   before it drops them, for three seconds; under "O0" it does not look at them. Private tables of constants are copies:
   what they hold can be looked at, but not where they are. The object has every device, every operator and
   counting_alloc.h; a suite that needs another configuration defines NNRT_IMPLEMENTATION and includes nnrt.h, and one
   that tests a room alone includes that room (tests/npu/test_npu_layout.c). */
#ifndef NNRT_TESTS_LINKED_H
#define NNRT_TESTS_LINKED_H

#ifdef NNRT_TESTS_OBJECT
#define NNRT__FN
#else
#ifndef __NO_INLINE__
#error "compile this suite with -fno-inline: a function that is inlined would have state of its own beside the object's"
#endif
#ifdef __clang__
#define NNRT__FN extern __inline__ __attribute__((gnu_inline))
#else
#define NNRT__FN extern __inline__ __attribute__((gnu_inline, optimize("O0")))
#endif
#define NNRT_API NNRT__FN
#define ASSERTING_ELSEWHERE
#define COUNTING_ELSEWHERE
#endif
#define ASSERTING_SHARED
#define COUNTING_SHARED
#include "asserting.h"
#include "counting_alloc.h"
#define NNRT__TEAM_LEAST 1u /* so that threads share the small steps of tests, too */

#define NNRT_IMPLEMENTATION
#define NNRT_DETECTION
#define NNRT_GROUPS
#define NNRT_IMAGE
#define NNRT_SELFTEST
#ifndef NNRT_NO_STDIO /* which these devices need */
#define NNRT_BACKEND_RKNPU
#define NNRT_BACKEND_NNIE
#define NNRT_BACKEND_BPU
#define NNRT_DSP
#endif
#include "nnrt.h"

#endif /* NNRT_TESTS_LINKED_H */
