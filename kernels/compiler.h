/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/compiler.h - what all of nnrt asks of the compiler.   >>kernels_compiler */
#ifndef NNRT_KERNELS_COMPILER_H
#define NNRT_KERNELS_COMPILER_H

/* A private function. Not every configuration uses every one of them, and that is no reason to warn. */
#ifndef NNRT__FN /* tests/linked.h has another */
#if defined(__GNUC__) || defined(__clang__)
#define NNRT__FN static __attribute__((unused))
#else
#define NNRT__FN static
#endif
#endif
#if defined(__GNUC__) || defined(__clang__)
#define NNRT__NOINLINE NNRT__FN __attribute__((noinline))
#define NNRT__INLINE static __inline__ __attribute__((unused, always_inline))
#else
#define NNRT__NOINLINE NNRT__FN
#define NNRT__INLINE static
#endif
/* What is inlined everywhere, but for builds that are to be small (-Os): there the compiler weighs it; or it stays a
   function of its own, as it would not have the registers inside of its only caller. */
#ifdef __OPTIMIZE_SIZE__
#define NNRT__INLINE_FOR_SPEED NNRT__FN
#define NNRT__APART_FOR_SIZE NNRT__NOINLINE
#define NNRT__FOR_SPEED 0
#else
#define NNRT__INLINE_FOR_SPEED NNRT__INLINE
#define NNRT__APART_FOR_SIZE NNRT__INLINE
#define NNRT__FOR_SPEED 1 /* 0: a second way to do the same, only faster, is left out */
#endif

/* A sum as it is here, in a register: the compiler does not add what follows to one another first, which takes
   registers for what has not been added yet. */
#if defined(__GNUC__) || defined(__clang__)
#define NNRT__SUMMED(x) __asm__("" : "+r"(x))
#else
#define NNRT__SUMMED(x) (void)(x)
#endif

/* An address that is a multiple of 4: a word is copied from there by one load, also where processors load no others. */
#if defined(__GNUC__) || defined(__clang__)
#define NNRT__ALIGNED_4(p) __builtin_assume_aligned(p, 4)
#else
#define NNRT__ALIGNED_4(p) (p)
#endif

#define NNRT__COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif /* NNRT_KERNELS_COMPILER_H */
