/* SPDX-License-Identifier: Apache-2.0 */
/* board_rv32.c - what tests/bare/board.h promises, as far as bench_mcu.c asks for it, on a RISC-V board of QEMU with
   picolibc, whose semihosting prints. */
#include "board.h"

#include <stdio.h>

void board_print(const char *text) { fputs(text, stdout); }

/* Instructions, as the processor counts them. */
uint64_t board_now_ns(void) {
    uint32_t low, high, again;
    do
        __asm__ volatile(".option push\n\t.option arch, +zicsr\n\t"
                         "csrr %0, minstreth\n\tcsrr %1, minstret\n\tcsrr %2, minstreth\n\t.option pop"
                         : "=&r"(high), "=&r"(low), "=&r"(again));
    while (high != again);
    return (uint64_t)high << 32 | low;
}

void board_spin(uint32_t count) { __asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(count)); }
