/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dot_armv8.h - the instructions of newer AArch64 processors that kernels use: products of int8 summed in 32
   bits.

   By their numbers, as the assembler of a compiler for plain Armv8 does not know their names (GCC 12 and clang 14 know
   them only where the whole file is compiled for such a processor, or GCC where a function is; GCC 6 and 7 nowhere). So
   every build has them, and the processor is asked at run time. A register's number comes from a symbol of the name
   that the compiler prints for the operand. Volatile keeps them in the order in which they stand: loads stand between
   them, so that a core that issues in order has something to pair. */
#ifndef NNRT_KERNELS_DOT_ARMV8_H
#define NNRT_KERNELS_DOT_ARMV8_H

#include "internal.h"

/* number: of the instruction with registers 0; sum += what it makes of x and y, all three vectors of 16 bytes. */
#define NNRT__ARMV8_NUMBERED(number, sum, x, y)                                                                       \
    __asm__ volatile(".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n" \
                     ".equ .Lnnrt_v\\n,\\n\n"                                                                         \
                     ".endr\n\t"                                                                                      \
                     ".inst " #number " + .Lnnrt_%0 + (.Lnnrt_%1 << 5) + (.Lnnrt_%2 << 16)"                           \
                     : "+w"(sum)                                                                                      \
                     : "w"(x), "w"(y))

/* sdot: lane i of sum += the four products of lane i of w with lane LANE (0 to 3) of x. */
#define NNRT__SDOT_LANE_0(sum, w, x) NNRT__ARMV8_NUMBERED(0x4f80e000, sum, w, x)
#define NNRT__SDOT_LANE_1(sum, w, x) NNRT__ARMV8_NUMBERED(0x4fa0e000, sum, w, x)
#define NNRT__SDOT_LANE_2(sum, w, x) NNRT__ARMV8_NUMBERED(0x4f80e800, sum, w, x)
#define NNRT__SDOT_LANE_3(sum, w, x) NNRT__ARMV8_NUMBERED(0x4fa0e800, sum, w, x)

/* sdot: lane i of sum += the four products of the lanes i of x and y. */
#define NNRT__SDOT(sum, x, y) NNRT__ARMV8_NUMBERED(0x4e809400, sum, x, y)

/* smmla: lane 2 * i + j of sum += the eight products of half i of x with half j of y. */
#define NNRT__SMMLA(sum, x, y) NNRT__ARMV8_NUMBERED(0x4e80a400, sum, x, y)

/* Vectors that are loaded here, both, and not where each is needed first: two that lie side by side are one load. */
#define NNRT__LOADED_HERE(x, y) __asm__ volatile("" : "+w"(x), "+w"(y))

/* An address as it is here: the compiler keeps one register for it, which loads count up, and no copies. */
#define NNRT__COUNTED_UP(address) __asm__ volatile("" : "+r"(address))

#endif /* NNRT_KERNELS_DOT_ARMV8_H */
