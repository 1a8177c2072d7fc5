/* SPDX-License-Identifier: Apache-2.0 */
/* linked_functions.h - private functions for suites that link with an object, which linked.h or linked_kernels.h names.
   With gnu_inline a definition makes no code, and with -fno-inline, which the makefile passes, every call goes to the
   object. gcc would spend three seconds on optimizing the bodies before it drops them; with "O0" it does not. Private
   tables of constants are copies: compare their contents, not their addresses. */
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
