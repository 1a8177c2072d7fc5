/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_cpu_kernels.h - the front page of the CPU kernels: the rooms, and who fills the table.   >>cpu_kernels

   What      Pure functions on buffers. A slot of nnrt__cpu_table is one kernel; nnrt__cpu_select fills a table:
             scalar fills every slot, then each instruction set overwrites what it does faster.
   Who       nnrt_backend_cpu.h keeps a table in each compiled plan. Tests, benches and fuzzers include this page
             alone: nothing here knows of models, plans, errors or threads, allocates, or can fail.
   Options   NNRT_NO_SIMD leaves only the scalar kernels. Who includes this page may leave out more: NNRT__WANTED below.
   Promise   int8 kernels give the same bytes on every instruction set; fp32 kernels stay within the bound that the
             scalar file states.

   Rooms     kernels/internal.h          contracts, packing layouts, requantization, the table   >>kernels_internal
             kernels/isas.h              the list of instruction sets                            >>kernels_isas
             kernels/packing.h           how each kernel wants its weights, targets              >>kernels_packing
             kernels/pack_scalar.h       packers and quantization constants                      >>kernels_pack_scalar
             kernels/gemm_s8_*.h         convolution and full connection over packed weights
             kernels/cortex_m4.h  kernels/s16_cortex_m4.h
                                         instructions of the DSP extension of ARMv7E-M and ARMv8-M
             kernels/cortex_m55.h  kernels/s16_cortex_m55.h  kernels/f32_cortex_m55.h
                                         what kernels for Helium share
             kernels/rvv.h  kernels/f32_rvv.h  kernels/s16_rvv.h
                                         what kernels for RISC-V's vector extension share
             kernels/dots_rvv.h          sums of products along rows, by it
             kernels/detect_rvv.h        whether Linux and the processor have it
             kernels/dot_armv8.h         instructions of AArch64 that its plain assemblers do not know
             kernels/gemm_raw_s8_*.h     the same over the model's own weights
             kernels/dw_s8_*.h           depthwise convolution
             kernels/pool_s8_*.h         average and max pooling
             kernels/add_s8_*.h          addition and subtraction
             kernels/mul_s8_*.h          multiplication, PRELU
             kernels/binary_s16_*.h      int16 sums and products
             kernels/quantize_*.h        floats to bytes and back
             kernels/lut_s8_*.h          tables of 256 bytes
             kernels/gemm_f32_*.h  kernels/gemm_raw_f32_*.h  kernels/dw_f32_*.h  kernels/pool_f32_*.h
                                         the same four in float
             kernels/binary_f32_*.h      float operators of two operands
             kernels/unary_f32_*.h       float functions of one operand, softmax
             kernels/vectors_f32.h       their bodies, for every instruction set
             kernels/sums_*.h            sums over rows
             kernels/hybrid_s8_*.h       float activations with int8 weights
             kernels/gemm_s16_*.h  kernels/dw_s16_*.h
                                         int16 activations with int8 weights
             kernels/spread_*.h          values several times side by side: planes of convolutions in groups
             kernels/blend_*.h           a pixel between four: bilinear interpolation
             kernels/s16_scalar.h        what the int16 kernels share
             kernels/softmax_s8_*.h      softmax of int8, which is no slot
             kernels/requantize_*.h      the last step of every int8 kernel, one per instruction set

   The directory listing is the coverage: an instruction set without a file uses the next lower one. */
#ifndef NNRT_CPU_KERNELS_H
#define NNRT_CPU_KERNELS_H

#include "kernels/internal.h"

#include "kernels/packing.h"
#include "kernels/pack_scalar.h"

/* A kernel is in the program when its _install function is called, so what is not wanted is not called: the question is
   answered while the program is compiled (with -O1 or higher, -Os included). NNRT__WANTED(slots, isa): are the kernels
   of these NNRT__SLOT bits for this NNRT__ISA bit (0: portable) in the program? Only for constants.
   NNRT__LEVELS_WANTED: the NNRT__ISA bits that some kernel in it is for. The CPU device answers in cpu/wanted.h. */
#ifndef NNRT__WANTED
#define NNRT__WANTED(slots, isa) true
#define NNRT__LEVELS_WANTED (~0u)
#endif

/* ------------------------------------------------------------------------------------------------- kernels

   Of each instruction set the groups of slots that it has kernels for, X(group, suffix, token of NNRT__ISAS), and their
   files. */
/* clang-format off */
#define NNRT__KERNELS_OF_SCALAR(X) \
    X(gemm_s8, scalar, SCALAR) X(gemm_raw_s8, scalar, SCALAR) X(dw_s8, scalar, SCALAR) X(avg_pool_s8, scalar, SCALAR) \
    X(max_pool_s8, scalar, SCALAR) X(add_s8, scalar, SCALAR) X(mul_s8, scalar, SCALAR) X(gemm_f32, scalar, SCALAR) \
    X(gemm_raw_f32, scalar, SCALAR) X(dw_f32, scalar, SCALAR) X(pool_f32, scalar, SCALAR) \
    X(binary_f32, scalar, SCALAR) X(quantize, scalar, SCALAR) X(lut_s8, scalar, SCALAR) X(binary_s16, scalar, SCALAR) \
    X(hybrid_s8, scalar, SCALAR) X(gemm_s16, scalar, SCALAR) X(dw_s16, scalar, SCALAR) X(spread, scalar, SCALAR) \
    X(blend, scalar, SCALAR) X(unary_f32, scalar, SCALAR) X(softmax_f32, scalar, SCALAR) X(sums, scalar, SCALAR)
#include "kernels/gemm_s8_scalar.h"
#include "kernels/gemm_raw_s8_scalar.h"
#include "kernels/dw_s8_scalar.h"
#include "kernels/pool_s8_scalar.h"
#include "kernels/add_s8_scalar.h"
#include "kernels/mul_s8_scalar.h"
#include "kernels/gemm_f32_scalar.h"
#include "kernels/gemm_raw_f32_scalar.h"
#include "kernels/dw_f32_scalar.h"
#include "kernels/pool_f32_scalar.h"
#include "kernels/binary_f32_scalar.h"
#include "kernels/quantize_scalar.h"
#include "kernels/lut_s8_scalar.h"
#include "kernels/binary_s16_scalar.h"
#include "kernels/hybrid_s8_scalar.h"
#include "kernels/s16_scalar.h"
#include "kernels/gemm_s16_scalar.h"
#include "kernels/dw_s16_scalar.h"
#include "kernels/spread_scalar.h"
#include "kernels/blend_scalar.h"
#include "kernels/unary_f32_scalar.h"
#include "kernels/softmax_f32_scalar.h"
#include "kernels/softmax_s8_scalar.h"
#include "kernels/sums_scalar.h"
#include "kernels/vectors_f32.h"

#define NNRT__KERNELS_OF_SSE41(X) \
    X(gemm_s8, sse41, SSE41) X(gemm_raw_s8, sse41, SSE41) X(dw_s8, sse41, SSE41) X(avg_pool_s8, sse41, SSE41) \
    X(max_pool_s8, sse41, SSE41) X(add_s8, sse41, SSE41) X(mul_s8, sse41, SSE41) X(gemm_f32, sse41, SSE41) \
    X(gemm_raw_f32, sse41, SSE41) X(dw_f32, sse41, SSE41) X(pool_f32, sse41, SSE41) X(binary_f32, sse41, SSE41) \
    X(quantize, sse41, SSE41) X(binary_s16, sse41, SSE41) X(hybrid_s8, sse41, SSE41) X(gemm_s16, sse41, SSE41) \
    X(dw_s16, sse41, SSE41) X(spread, sse41, SSE41) \
    X(blend, sse41, SSE41) X(unary_f32, sse41, SSE41) X(softmax_f32, sse41, SSE41) X(sums, sse41, SSE41)
#define NNRT__KERNELS_OF_AVX2(X) \
    X(gemm_s8, avx2, AVX2) X(gemm_raw_s8, avx2, AVX2) X(dw_s8, avx2, AVX2) X(add_s8, avx2, AVX2) X(mul_s8, avx2, AVX2) \
    X(gemm_f32, avx2, AVX2) X(gemm_raw_f32, avx2, AVX2) X(dw_f32, avx2, AVX2) X(pool_f32, avx2, AVX2) \
    X(binary_f32, avx2, AVX2) X(quantize, avx2, AVX2) X(lut_s8, avx2, AVX2) X(binary_s16, avx2, AVX2) \
    X(hybrid_s8, avx2, AVX2) X(gemm_s16, avx2, AVX2) \
    X(unary_f32, avx2, AVX2) X(softmax_f32, avx2, AVX2) X(sums, avx2, AVX2)
#define NNRT__KERNELS_OF_AVXVNNI(X) X(gemm_s8, avxvnni, AVXVNNI)
#define NNRT__KERNELS_OF_AVX512VNNI(X) \
    X(gemm_s8, avx512vnni, AVX512VNNI) X(dw_s8, avx512vnni, AVX512VNNI) X(add_s8, avx512vnni, AVX512VNNI) \
    X(hybrid_s8, avx512vnni, AVX512VNNI)

/* What a later level stands on is under the condition of the first: a compiler takes SSE4.1 and AVX2 both by attribute
   or neither. */
#if NNRT__HAVE_SSE41
#include "kernels/requantize_sse41.h"
#include "kernels/gemm_s8_sse41.h"
#include "kernels/gemm_raw_s8_sse41.h"
#include "kernels/dw_s8_sse41.h"
#include "kernels/pool_s8_sse41.h"
#include "kernels/add_s8_sse41.h"
#include "kernels/mul_s8_sse41.h"
#include "kernels/gemm_f32_sse41.h"
#include "kernels/gemm_raw_f32_sse41.h"
#include "kernels/dw_f32_sse41.h"
#include "kernels/pool_f32_sse41.h"
#include "kernels/binary_f32_sse41.h"
#include "kernels/quantize_sse41.h"
#include "kernels/binary_s16_sse41.h"
#include "kernels/hybrid_s8_sse41.h"
#include "kernels/gemm_s16_sse41.h"
#include "kernels/dw_s16_sse41.h"
#include "kernels/spread_sse41.h"
#include "kernels/blend_sse41.h"
#include "kernels/unary_f32_sse41.h"
#include "kernels/sums_sse41.h"

#include "kernels/requantize_avx2.h"
#include "kernels/gemm_s8_avx2.h"
#include "kernels/gemm_raw_s8_avx2.h"
#include "kernels/dw_s8_avx2.h"
#include "kernels/add_s8_avx2.h"
#include "kernels/mul_s8_avx2.h"
#include "kernels/gemm_f32_avx2.h"
#include "kernels/gemm_raw_f32_avx2.h"
#include "kernels/dw_f32_avx2.h"
#include "kernels/pool_f32_avx2.h"
#include "kernels/binary_f32_avx2.h"
#include "kernels/quantize_avx2.h"
#include "kernels/lut_s8_avx2.h"
#include "kernels/binary_s16_avx2.h"
#include "kernels/hybrid_s8_avx2.h"
#include "kernels/gemm_s16_avx2.h"
#include "kernels/unary_f32_avx2.h"
#include "kernels/sums_avx2.h"

#if NNRT__HAVE_AVXVNNI
#include "kernels/gemm_s8_avxvnni.h"
#endif

#if NNRT__HAVE_AVX512VNNI
#include "kernels/requantize_avx512vnni.h"
#include "kernels/gemm_s8_avx512vnni.h"
#include "kernels/dw_s8_avx512vnni.h"
#include "kernels/add_s8_avx512vnni.h"
#include "kernels/hybrid_s8_avx512vnni.h"
#endif
#endif

#define NNRT__KERNELS_OF_NEON(X) \
    X(gemm_s8, neon, NEON) X(gemm_raw_s8, neon, NEON) X(dw_s8, neon, NEON) X(avg_pool_s8, neon, NEON) \
    X(max_pool_s8, neon, NEON) X(add_s8, neon, NEON) X(mul_s8, neon, NEON) X(gemm_f32, neon, NEON) \
    X(gemm_raw_f32, neon, NEON) X(dw_f32, neon, NEON) X(pool_f32, neon, NEON) X(binary_f32, neon, NEON) \
    X(quantize, neon, NEON) X(lut_s8, neon, NEON) X(binary_s16, neon, NEON) X(hybrid_s8, neon, NEON) \
    X(gemm_s16, neon, NEON) X(dw_s16, neon, NEON) X(spread, neon, NEON) \
    X(blend, neon, NEON) X(unary_f32, neon, NEON) X(softmax_f32, neon, NEON) X(sums, neon, NEON)
#define NNRT__KERNELS_OF_ARMV8_DOT(X) X(gemm_s8, armv8_dot, ARMV8_DOT) X(dw_s8, armv8_dot, ARMV8_DOT)
#define NNRT__KERNELS_OF_ARMV8_I8MM(X) X(gemm_s8, armv8_i8mm, ARMV8_I8MM)

#if NNRT__HAVE_NEON
#include "kernels/requantize_neon.h"
#include "kernels/gemm_s8_neon.h"
#include "kernels/gemm_raw_s8_neon.h"
#include "kernels/dw_s8_neon.h"
#include "kernels/pool_s8_neon.h"
#include "kernels/add_s8_neon.h"
#include "kernels/mul_s8_neon.h"
#include "kernels/gemm_f32_neon.h"
#include "kernels/gemm_raw_f32_neon.h"
#include "kernels/dw_f32_neon.h"
#include "kernels/pool_f32_neon.h"
#include "kernels/binary_f32_neon.h"
#include "kernels/quantize_neon.h"
#include "kernels/lut_s8_neon.h"
#include "kernels/binary_s16_neon.h"
#include "kernels/hybrid_s8_neon.h"
#include "kernels/gemm_s16_neon.h"
#include "kernels/dw_s16_neon.h"
#include "kernels/spread_neon.h"
#include "kernels/blend_neon.h"
#include "kernels/unary_f32_neon.h"
#include "kernels/sums_neon.h"

#if NNRT__HAVE_ARMV8_DOT
#include "kernels/gemm_s8_armv8_dot.h"
#include "kernels/gemm_s8_armv8_i8mm.h"
#include "kernels/dw_s8_armv8_dot.h"
#endif
#endif

#define NNRT__KERNELS_OF_CORTEX_M4(X) \
    X(gemm_s8, cortex_m4, CORTEX_M4) X(dw_s8, cortex_m4, CORTEX_M4) X(max_pool_s8, cortex_m4, CORTEX_M4) \
    X(add_s8, cortex_m4, CORTEX_M4) X(gemm_s16, cortex_m4, CORTEX_M4) X(dw_s16, cortex_m4, CORTEX_M4)
#define NNRT__KERNELS_OF_CORTEX_M55(X) \
    X(gemm_s8, cortex_m55, CORTEX_M55) X(dw_s8, cortex_m55, CORTEX_M55) X(avg_pool_s8, cortex_m55, CORTEX_M55) \
    X(max_pool_s8, cortex_m55, CORTEX_M55) X(add_s8, cortex_m55, CORTEX_M55) X(mul_s8, cortex_m55, CORTEX_M55) \
    X(lut_s8, cortex_m55, CORTEX_M55) X(binary_s16, cortex_m55, CORTEX_M55) X(gemm_s16, cortex_m55, CORTEX_M55) \
    X(dw_s16, cortex_m55, CORTEX_M55) NNRT__FLOAT_KERNELS_OF_CORTEX_M55(X)
#if NNRT__CORTEX_M55_FLOATS
#define NNRT__FLOAT_KERNELS_OF_CORTEX_M55(X) \
    X(gemm_f32, cortex_m55, CORTEX_M55) X(dw_f32, cortex_m55, CORTEX_M55) X(hybrid_s8, cortex_m55, CORTEX_M55) \
    X(unary_f32, cortex_m55, CORTEX_M55) X(softmax_f32, cortex_m55, CORTEX_M55)
#else
#define NNRT__FLOAT_KERNELS_OF_CORTEX_M55(X)
#endif

#if NNRT__HAVE_CORTEX_M4
#include "kernels/cortex_m4.h"
#ifdef __OPTIMIZE__
#include "kernels/gemm_s8_cortex_m4.h"
#else
#include "kernels/gemm_s8_cortex_plain.h"
#endif
#include "kernels/dw_s8_cortex_m4.h"
#include "kernels/pool_s8_cortex_m4.h"
#include "kernels/add_s8_cortex_m4.h"
#include "kernels/s16_cortex_m4.h"
#include "kernels/gemm_s16_cortex_m4.h"
#include "kernels/dw_s16_cortex_m4.h"

#if NNRT__HAVE_CORTEX_M55
#include "kernels/cortex_m55.h"
#include "kernels/dot_cortex_m55.h"
#ifdef __OPTIMIZE__
#include "kernels/gemm_s8_cortex_m55.h"
#endif
#include "kernels/dw_s8_cortex_m55.h"
#include "kernels/pool_s8_cortex_m55.h"
#include "kernels/add_s8_cortex_m55.h"
#include "kernels/mul_s8_cortex_m55.h"
#include "kernels/lut_s8_cortex_m55.h"
#include "kernels/binary_s16_cortex_m55.h"
#include "kernels/s16_cortex_m55.h"
#include "kernels/gemm_s16_cortex_m55.h"
#include "kernels/dw_s16_cortex_m55.h"
#include "kernels/softmax_s8_cortex_m55.h"
#if NNRT__CORTEX_M55_FLOATS
#include "kernels/f32_cortex_m55.h"
#include "kernels/gemm_f32_cortex_m55.h"
#include "kernels/dw_f32_cortex_m55.h"
#include "kernels/hybrid_s8_cortex_m55.h"
#include "kernels/unary_f32_cortex_m55.h"
#endif
#endif
#endif

#define NNRT__KERNELS_OF_RVV(X) \
    X(gemm_s8, rvv, RVV) X(gemm_raw_s8, rvv, RVV) X(dw_s8, rvv, RVV) X(avg_pool_s8, rvv, RVV) \
    X(max_pool_s8, rvv, RVV) X(add_s8, rvv, RVV) X(mul_s8, rvv, RVV) X(gemm_f32, rvv, RVV) \
    X(gemm_raw_f32, rvv, RVV) X(dw_f32, rvv, RVV) X(pool_f32, rvv, RVV) X(binary_f32, rvv, RVV) \
    X(quantize, rvv, RVV) X(lut_s8, rvv, RVV) X(binary_s16, rvv, RVV) X(hybrid_s8, rvv, RVV) \
    X(gemm_s16, rvv, RVV) X(dw_s16, rvv, RVV) X(spread, rvv, RVV) \
    X(blend, rvv, RVV) X(unary_f32, rvv, RVV) X(softmax_f32, rvv, RVV) X(sums, rvv, RVV)

#if NNRT__HAVE_RVV
#include "kernels/rvv.h"
#include "kernels/dots_rvv.h"
#include "kernels/gemm_s8_rvv.h"
#include "kernels/gemm_raw_s8_rvv.h"
#include "kernels/dw_s8_rvv.h"
#include "kernels/pool_s8_rvv.h"
#include "kernels/add_s8_rvv.h"
#include "kernels/mul_s8_rvv.h"
#include "kernels/f32_rvv.h"
#include "kernels/gemm_f32_rvv.h"
#include "kernels/gemm_raw_f32_rvv.h"
#include "kernels/dw_f32_rvv.h"
#include "kernels/pool_f32_rvv.h"
#include "kernels/binary_f32_rvv.h"
#include "kernels/quantize_rvv.h"
#include "kernels/lut_s8_rvv.h"
#include "kernels/binary_s16_rvv.h"
#include "kernels/hybrid_s8_rvv.h"
#include "kernels/s16_rvv.h"
#include "kernels/gemm_s16_rvv.h"
#include "kernels/dw_s16_rvv.h"
#include "kernels/spread_rvv.h"
#include "kernels/blend_rvv.h"
#include "kernels/unary_f32_rvv.h"
#include "kernels/sums_rvv.h"
#endif
/* clang-format on */

/* ----------------------------------------------------------------------------------------------- selection */

enum {
#define NNRT__OR_SLOT(group, suffix, token) | NNRT__SLOT_##group
#define NNRT__SLOTS_OF_ISA(token, suffix, name, bit, level, have, sure) \
    NNRT__SLOTS_OF_ISA_##token = 0 NNRT__KERNELS_OF_##token(NNRT__OR_SLOT),
    NNRT__ISAS(NNRT__SLOTS_OF_ISA) NNRT__SLOTS_OF_ISA_SCALAR = 0 NNRT__KERNELS_OF_SCALAR(NNRT__OR_SLOT)
#undef NNRT__SLOTS_OF_ISA
#undef NNRT__OR_SLOT
};
/* What NNRT__ISA_WHOLE and NNRT__SLOT_ALL_OF say, and that the portable kernels are all there. */
typedef char nnrt__neon_is_whole[(int)NNRT__SLOTS_OF_ISA_NEON == (int)NNRT__SLOT_ALL ? 1 : -1];
typedef char nnrt__rvv_is_whole[(int)NNRT__SLOTS_OF_ISA_RVV == (int)NNRT__SLOT_ALL ? 1 : -1];
typedef char nnrt__cortex_m4_is_told[(int)NNRT__SLOTS_OF_ISA_CORTEX_M4 == (int)NNRT__SLOT_ALL_OF_CORTEX_M4 ? 1 : -1];
typedef char nnrt__cortex_m55_is_told[(int)NNRT__SLOTS_OF_ISA_CORTEX_M55 == (int)NNRT__SLOT_ALL_OF_CORTEX_M55 ? 1 : -1];
typedef char nnrt__scalar_is_whole[(int)NNRT__SLOTS_OF_ISA_SCALAR == (int)NNRT__SLOT_ALL ? 1 : -1];

/* void nnrt__cpu_install_SUFFIX(nnrt__cpu_table *t) of the sets that this compiler emits: puts in what is wanted. The
   names of a row are never an argument of another macro, as the host may have macros of these names. */
#define NNRT__INSTALL_GROUP(group, suffix, token)              \
    if (NNRT__WANTED(NNRT__SLOT_##group, NNRT__ISA_##token)) { \
        nnrt__##group##_##suffix##_install(t);                 \
        t->installed |= (unsigned)NNRT__SLOT_##group;          \
    }
#define NNRT__INSTALLER_0(install, kernels, own_bit)
#define NNRT__INSTALLER_1(install, kernels, own_bit) \
    NNRT__FN void install(nnrt__cpu_table *t) { kernels(NNRT__INSTALL_GROUP) t->isa |= (unsigned)(own_bit); }
#define NNRT__INSTALLER_IF(have) NNRT__INSTALLER_##have
#define NNRT__INSTALLER(have) NNRT__INSTALLER_IF(have)
#define NNRT__ISA_INSTALLER(token, suffix, name, bit, level, have, sure) \
    NNRT__INSTALLER(have)(nnrt__cpu_install_##suffix, NNRT__KERNELS_OF_##token, bit)
NNRT__INSTALLER_1(nnrt__cpu_install_scalar, NNRT__KERNELS_OF_SCALAR, 0)
NNRT__ISAS(NNRT__ISA_INSTALLER)
#undef NNRT__ISA_INSTALLER
#undef NNRT__INSTALLER
#undef NNRT__INSTALLER_IF
#undef NNRT__INSTALLER_1
#undef NNRT__INSTALLER_0
#undef NNRT__INSTALL_GROUP

/* The NNRT__ISA bits that this build holds and this processor, with its system, can run. On ARM the build decides on
   NEON: a program compiled for it holds it everywhere. What is above it on AArch64, and RISC-V's vectors, the Linux
   kernel says; elsewhere it is used where the program is compiled for it. */
#if NNRT__HAVE_SSE41 || NNRT__HAVE_AVX2
/* Those above AVX2, from the processor itself: the compilers' __builtin_cpu_supports know them since different
   versions. The system says which registers it keeps: bits 1, 2 of XCR0 are the lower 256 bits, 5 to 7 the masks and
   all of the 512 bits. */
NNRT__FN unsigned nnrt__cpu_detect_vnni(void) {
    const unsigned avx512 = 1u << 16 | 1u << 30 | 1u << 31; /* F, BW, VL: EBX of leaf 7 */
    unsigned eax, ebx, ecx, edx, kept, isa = 0;
    if (__get_cpuid_max(0, NULL) < 7) return 0;
    __cpuid(1, eax, ebx, ecx, edx);
    if ((ecx & 1u << 27) == 0) return 0; /* no XGETBV */
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(kept), "=d"(edx) : "c"(0));
    __cpuid_count(7, 0, eax, ebx, ecx, edx);
    if (NNRT__HAVE_AVX512VNNI && (kept & 0xe6) == 0xe6 && (ebx & avx512) == avx512 && (ecx & 1u << 11) != 0)
        isa |= NNRT__ISA_AVX512VNNI;
    if (eax == 0) return isa; /* no second part of the leaf */
    __cpuid_count(7, 1, eax, ebx, ecx, edx);
    if (NNRT__HAVE_AVXVNNI && (kept & 0x06) == 0x06 && (eax & 1u << 4) != 0) isa |= NNRT__ISA_AVXVNNI;
    return isa;
}

NNRT__FN unsigned nnrt__cpu_detect(void) {
    unsigned isa = 0;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.1")) isa |= NNRT__ISA_SSE41;
    if (__builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        isa |= NNRT__ISA_AVX2 | nnrt__cpu_detect_vnni();
    return isa;
}
#elif NNRT__HAVE_ARMV8_DOT && defined(__linux__)
#include <sys/auxv.h>

NNRT__FN unsigned nnrt__cpu_detect(void) {
    const bool dot = (getauxval(16) >> 20 & 1) != 0;  /* AT_HWCAP: HWCAP_ASIMDDP, by number as old headers lack it */
    const bool i8mm = (getauxval(26) >> 13 & 1) != 0; /* AT_HWCAP2: HWCAP2_I8MM */
    return NNRT__ISA_NEON | (dot ? NNRT__ISA_ARMV8_DOT : 0u) | (dot && i8mm ? NNRT__ISA_ARMV8_I8MM : 0u);
}
#elif NNRT__HAVE_RVV
NNRT__FN unsigned nnrt__cpu_detect(void) { return nnrt__rvv_is_here() ? NNRT__ISA_RVV : 0u; }
#else
NNRT__FN unsigned nnrt__cpu_detect(void) { return NNRT__ISA_SURE; }
#endif

/* Of those, the ones that the program has kernels for. */
NNRT__FN unsigned nnrt__cpu_levels(void) { return nnrt__cpu_detect() & NNRT__LEVELS_WANTED; }

#define NNRT__SELECT_0(install, bit)
#define NNRT__SELECT_1(install, bit) \
    if ((cap & (bit)) != 0) install(t);
#define NNRT__SELECT_IF(have) NNRT__SELECT_##have
#define NNRT__SELECT(have) NNRT__SELECT_IF(have)
#define NNRT__ISA_SELECT(token, suffix, name, bit, level, have, sure) \
    NNRT__SELECT(have)(nnrt__cpu_install_##suffix, bit)

/* Fills the whole table. cap: NNRT__ISA bits that may be used; the processor must have them (nnrt__cpu_detect). */
NNRT__FN void nnrt__cpu_select(nnrt__cpu_table *t, unsigned cap) {
    nnrt__clear(t, sizeof *t);
    (void)cap;
    nnrt__cpu_install_scalar(t);
    NNRT__ISAS(NNRT__ISA_SELECT)
}
#undef NNRT__ISA_SELECT
#undef NNRT__SELECT
#undef NNRT__SELECT_IF
#undef NNRT__SELECT_1
#undef NNRT__SELECT_0

/* A table to compile with for a target that this machine need not have: the portable kernels, which nobody runs, and
   the packings of the target; profiles name the target. */
NNRT__FN void nnrt__cpu_select_target(nnrt__cpu_table *t, const nnrt__target *target) {
    size_t i;
    nnrt__cpu_select(t, 0);
    t->isa = target->isa;
    for (i = 0; i < 2; i++) {
        t->gemm_s8[i].packing = target->gemm_s8[i];
        t->gemm_f32[i].packing = target->gemm_f32[i];
        t->dw_s8[i].packing = target->dw_s8[i];
        t->dw_f32[i].packing = target->dw_f32[i];
        t->gemm_s8[i].isa = t->gemm_f32[i].isa = t->dw_s8[i].isa = t->dw_f32[i].isa = target->name;
    }
#define NNRT__SLOT_TARGET(slot, type) t->slot##_isa = target->name;
    NNRT__CPU_SLOTS(NNRT__SLOT_TARGET)
#undef NNRT__SLOT_TARGET
    t->binary_f32_kinds = NNRT__BINARY_F32_VECTORS;
    t->unary_f32_kinds = NNRT__UNARY_F32_VECTORS;
}

/* A level: its name, the bit that no lower one has, and all its NNRT__ISA bits. */
typedef struct nnrt__isa_level {
    char name[12];
    unsigned bit, isa;
} nnrt__isa_level;

#define NNRT__ISA_ROW(token, suffix, name, bit, level, have, sure) {name, bit, level},
static const nnrt__isa_level nnrt__isa_levels[] = {{"scalar", 0, 0}, NNRT__ISAS(NNRT__ISA_ROW)};
#undef NNRT__ISA_ROW
#define NNRT__ISA_LEVEL_COUNT (sizeof(nnrt__isa_levels) / sizeof(nnrt__isa_levels[0]))

/* The name of the highest level among the NNRT__ISA bits; "scalar" when there is none. */
NNRT__FN const char *nnrt__isa_name(unsigned isa) {
    size_t i = NNRT__ISA_LEVEL_COUNT - 1;
    while (i > 0 && (isa & nnrt__isa_levels[i].bit) == 0) i--;
    return nnrt__isa_levels[i].name;
}

/* The names of all levels, for sentences: "scalar, sse41, avx2 ...". */
#define NNRT__ISA_LISTED(token, suffix, name, bit, level, have, sure) ", " name
#define NNRT__ISA_NAMES "scalar" NNRT__ISAS(NNRT__ISA_LISTED)

/* The cap of a level: the set of that name and those below it. False, and *cap untouched, for an unknown name.
   A known level may still be absent here: compare with nnrt__cpu_detect. */
NNRT__FN bool nnrt__isa_from_name(const char *name, unsigned *cap) {
    size_t i;
    for (i = 0; i < NNRT__ISA_LEVEL_COUNT; i++) {
        if (strcmp(name, nnrt__isa_levels[i].name) != 0) continue;
        *cap = nnrt__isa_levels[i].isa;
        return true;
    }
    return false;
}

/* Is this set of NNRT__ISA bits a level, or empty? */
NNRT__FN bool nnrt__isa_is_level(unsigned isa) {
    size_t i = 0;
    while (i < NNRT__ISA_LEVEL_COUNT && nnrt__isa_levels[i].isa != isa) i++;
    return i < NNRT__ISA_LEVEL_COUNT;
}

#endif /* NNRT_CPU_KERNELS_H */
