/* SPDX-License-Identifier: Apache-2.0 */
/* linked_functions.h - private functions as a suite sees them that links with an object, and as that object makes them:
   for linked.h and linked_kernels.h, which say which object.

   Under gnu_inline a definition makes no code, and under -fno-inline, which the makefile gives, every call goes to the
   object. gcc would optimize the bodies before it drops them, for three seconds; under "O0" it does not look at them.
   Private tables of constants are copies: what they hold can be looked at, but not where they are. */
#ifndef NNRT_TESTS_LINKED_FUNCTIONS_H
#define NNRT_TESTS_LINKED_FUNCTIONS_H

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
#define ASSERTING_ELSEWHERE
#endif
#define ASSERTING_SHARED
#include "asserting.h"

#endif /* NNRT_TESTS_LINKED_FUNCTIONS_H */
