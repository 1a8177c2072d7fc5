/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/assert.h - invariants that tests check. The lowest file: it depends on nothing.

   NNRT_ASSERT(condition) says what the code around it relies on: a bound of a kernel, a fact of a checked plan, a mutex
   that the caller holds. It is only for conditions that no outside input can make false; bad files, arguments and
   answers of a board are refused with a code and a sentence. In the product the condition is compiled, so that it does
   not rot, but never evaluated: it is in a sizeof. Tests and fuzzers define the macro before the include
   (tests/asserting.h). */
#ifndef NNRT_KERNELS_ASSERT_H
#define NNRT_KERNELS_ASSERT_H

#ifdef NNRT_ASSERT
#define NNRT__HAS_ASSERT 1 /* keeps data for assertions alone: the owner of a mutex */
#else
#define NNRT__HAS_ASSERT 0
#define NNRT_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#endif /* NNRT_KERNELS_ASSERT_H */
