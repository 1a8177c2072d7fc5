/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/isas.h - the instruction sets: which this compiler can emit, and the one list of them.   >>kernels_isas

   A row is a level: what nnrt.isa may say, what a plan is compiled for, and kernels of its own for some groups of slots
   (NNRT__KERNELS_OF_X of nnrt_cpu_kernels.h). The functions that install them, the choice of a table, detection, names
   and documents are made of the list. A set whose vectors have several lengths is a row for each length, with its
   packings in packing.h, or one if its kernels and packings are for any length; one that no system tells of, as on a
   microcontroller, has the same in HAVE and in SURE. */
#ifndef NNRT_KERNELS_ISAS_H
#define NNRT_KERNELS_ISAS_H

/* NNRT__HAVE_X: can this compiler emit the set here? 0 or 1; the includes of its kernels stand under it.
   NNRT__SURE_X: 1 where whoever runs the program has it, so that nobody need ask the processor; 0 or 1.
   x86: GCC and clang compile any function for any set by attribute. ARM: NEON must be on for the whole file on ARMv7,
   and is always there on AArch64. */
#if !defined(NNRT_NO_SIMD) && (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define NNRT__HAVE_SSE41 1
#define NNRT__HAVE_AVX2 1
#include <cpuid.h>
#include <immintrin.h>
#define NNRT__TARGET_SSE41 __attribute__((target("sse4.1")))
#define NNRT__TARGET_AVX2 __attribute__((target("avx2,fma")))
#else
#define NNRT__HAVE_SSE41 0
#define NNRT__HAVE_AVX2 0
#endif

/* Older compilers do not know these sets, or not all of their functions. */
#if NNRT__HAVE_AVX2 && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11)
#define NNRT__HAVE_AVXVNNI 1
#define NNRT__TARGET_AVXVNNI __attribute__((target("avx2,fma,avxvnni")))
#else
#define NNRT__HAVE_AVXVNNI 0
#endif
#if NNRT__HAVE_AVX2 && (defined(__clang__) ? __clang_major__ >= 9 : __GNUC__ >= 9)
#define NNRT__HAVE_AVX512VNNI 1
#define NNRT__TARGET_AVX512VNNI __attribute__((target("avx2,fma,avx512f,avx512bw,avx512vl,avx512vnni")))
#else
#define NNRT__HAVE_AVX512VNNI 0
#endif

#if !defined(NNRT_NO_SIMD) && (defined(__ARM_NEON) || defined(__ARM_NEON__) || defined(__aarch64__)) && \
    !defined(__ARM_BIG_ENDIAN) && !defined(__AARCH64EB__)
#define NNRT__HAVE_NEON 1
#include <arm_neon.h>
#else
#define NNRT__HAVE_NEON 0
#endif

/* The dot product of Armv8.2 and the matrix product of Armv8.6: dot_armv8.h writes them so that every assembler for
   AArch64 takes them, and whether the processor has them is asked at run time. */
#if NNRT__HAVE_NEON && defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define NNRT__HAVE_ARMV8_DOT 1
#else
#define NNRT__HAVE_ARMV8_DOT 0
#endif
#define NNRT__HAVE_ARMV8_I8MM NNRT__HAVE_ARMV8_DOT

/* The DSP extension of ARMv7E-M and ARMv8-M, which ARMv6 and ARMv7-A have, too. Words are read at any address. */
#if !defined(NNRT_NO_SIMD) && !NNRT__HAVE_NEON && defined(__ARM_FEATURE_DSP) && defined(__ARM_FEATURE_UNALIGNED) && \
    (defined(__GNUC__) || defined(__clang__)) && !defined(__ARM_BIG_ENDIAN)
#define NNRT__HAVE_CORTEX_M4 1
#else
#define NNRT__HAVE_CORTEX_M4 0
#endif
#define NNRT__SURE_CORTEX_M4 NNRT__HAVE_CORTEX_M4

/* Helium, the vectors of ARMv8.1-M: those of integers. */
#if NNRT__HAVE_CORTEX_M4 && defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1) != 0
#define NNRT__HAVE_CORTEX_M55 1
#include <arm_mve.h>
#else
#define NNRT__HAVE_CORTEX_M55 0
#endif
#define NNRT__SURE_CORTEX_M55 NNRT__HAVE_CORTEX_M55

/* Has Helium its kernels for floats? Not in a program for a processor without these, or without optimization: then
   their loops do not find enough registers. */
#if NNRT__HAVE_CORTEX_M55 && ((__ARM_FEATURE_MVE & 2) == 0 || !defined(__OPTIMIZE__))
#define NNRT__CORTEX_M55_FLOATS 0
#else
#define NNRT__CORTEX_M55_FLOATS 1
#endif

/* RISC-V's vector extension 1.0. GCC since 14 and clang since 17 have the functions whose roundings are arguments; GCC
   and, since 19, clang compile any function for it by attribute, and older clang the whole program or nothing. */
#if !defined(NNRT_NO_SIMD) && defined(__riscv) && __riscv_xlen == 64 &&                          \
    (defined(__clang__) ? __clang_major__ >= 19 || (defined(__riscv_v) && __clang_major__ >= 17) \
                        : defined(__GNUC__) && __GNUC__ >= 14)
#define NNRT__HAVE_RVV 1
#include <riscv_vector.h>
#else
#define NNRT__HAVE_RVV 0
#endif
#if NNRT__HAVE_RVV && defined(__riscv_v)
#define NNRT__SURE_RVV 1
#define NNRT__TARGET_RVV /* that of the whole program */
#else
#define NNRT__SURE_RVV 0
#define NNRT__TARGET_RVV __attribute__((target("arch=+v")))
#endif

#define NNRT__SURE_SSE41 0
#define NNRT__SURE_AVX2 0
#define NNRT__SURE_AVXVNNI 0
#define NNRT__SURE_AVX512VNNI 0
#define NNRT__SURE_NEON NNRT__HAVE_NEON
#if NNRT__HAVE_ARMV8_DOT && defined(__ARM_FEATURE_DOTPROD)
#define NNRT__SURE_ARMV8_DOT 1
#else
#define NNRT__SURE_ARMV8_DOT 0
#endif
#if NNRT__SURE_ARMV8_DOT && defined(__ARM_FEATURE_MATMUL_INT8)
#define NNRT__SURE_ARMV8_I8MM 1
#else
#define NNRT__SURE_ARMV8_I8MM 0
#endif

/* In rising order. X(token, suffix of its kernels' files, name, own bit, the whole level: own bit and those below it,
   NNRT__HAVE, NNRT__SURE). Scalar is always there and has no bit. AVX-VNNI is not below AVX-512 VNNI: many processors
   have only the second. */
/* clang-format off */
#define NNRT__ISAS(X) \
    X(SSE41,      sse41,      "sse41",      0x01u, 0x01u, NNRT__HAVE_SSE41,      NNRT__SURE_SSE41) \
    X(AVX2,       avx2,       "avx2",       0x02u, 0x03u, NNRT__HAVE_AVX2,       NNRT__SURE_AVX2) /* and FMA */ \
    X(AVXVNNI,    avxvnni,    "avxvnni",    0x08u, 0x0bu, NNRT__HAVE_AVXVNNI,    NNRT__SURE_AVXVNNI) \
    /* and AVX-512 F, BW, VL */ \
    X(AVX512VNNI, avx512vnni, "avx512vnni", 0x10u, 0x13u, NNRT__HAVE_AVX512VNNI, NNRT__SURE_AVX512VNNI) \
    X(NEON,       neon,       "neon",       0x04u, 0x04u, NNRT__HAVE_NEON,       NNRT__SURE_NEON) \
    X(ARMV8_DOT,  armv8_dot,  "armv8-dot",  0x20u, 0x24u, NNRT__HAVE_ARMV8_DOT,  NNRT__SURE_ARMV8_DOT) \
    X(ARMV8_I8MM, armv8_i8mm, "armv8-i8mm", 0x40u, 0x64u, NNRT__HAVE_ARMV8_I8MM, NNRT__SURE_ARMV8_I8MM) \
    X(CORTEX_M4,  cortex_m4,  "cortex-m4",  0x80u, 0x80u, NNRT__HAVE_CORTEX_M4,  NNRT__SURE_CORTEX_M4) \
    X(CORTEX_M55, cortex_m55, "cortex-m55", 0x100u, 0x180u, NNRT__HAVE_CORTEX_M55, NNRT__SURE_CORTEX_M55) \
    /* vectors of 128 bits or more */ \
    X(RVV,        rvv,        "rvv",        0x200u, 0x200u, NNRT__HAVE_RVV,      NNRT__SURE_RVV)
/* clang-format on */

enum {
#define NNRT__ISA_BIT(token, suffix, name, bit, level, have, sure) \
    NNRT__ISA_##token = bit, NNRT__ISA_LEVEL_##token = level,
    NNRT__ISAS(NNRT__ISA_BIT) NNRT__ISA_SCALAR = 0,
    NNRT__ISA_LEVEL_SCALAR = 0,
#undef NNRT__ISA_BIT
    /* What every processor has that the program is compiled for. */
#define NNRT__ISA_SURE_BIT(token, suffix, name, bit, level, have, sure) | (sure ? bit : 0u)
    NNRT__ISA_SURE = 0u NNRT__ISAS(NNRT__ISA_SURE_BIT),
#undef NNRT__ISA_SURE_BIT
    /* Of these the ones with kernels for every group of slots: no portable kernel need stand beside them. */
    NNRT__ISA_WHOLE = (NNRT__SURE_NEON ? NNRT__ISA_NEON : 0) | (NNRT__SURE_RVV ? NNRT__ISA_RVV : 0)
};
#define NNRT__ISA_NAME(token, suffix, name, bit, level, have, sure) static const char nnrt__isa_name_##token[] = name;
NNRT__ISAS(NNRT__ISA_NAME)
NNRT__ISA_NAME(SCALAR, scalar, "scalar", 0, 0, 1, 1)
#undef NNRT__ISA_NAME

#endif /* NNRT_KERNELS_ISAS_H */
