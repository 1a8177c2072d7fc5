/* SPDX-License-Identifier: Apache-2.0 */
/* startup_rv32.c - what board.h promises on QEMU's RISC-V board `virt` with picolibc, which has the way from the reset
   to main, and whose semihosting prints. Ticks are those of the board's timer, the CLINT. */
#include "board.h"

#include <stdio.h>

/* From picolibc.ld: the stack is above the heap, its size is the command's. */
extern uint32_t __heap_end[], __stack[];

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SOFTWARE_INTERRUPT REGISTER(0x02000000u)
#define COMPARE_LOW REGISTER(0x02004000u)
#define COMPARE_HIGH REGISTER(0x02004004u)
#define TIME_LOW REGISTER(0x0200bff8u)
#define TIME_HIGH REGISTER(0x0200bffcu)

enum {
    TICKS = 10000, /* of a millisecond: the timer has 10 MHz */
    SOFTWARE = 1 << 3,
    TIMER = 1 << 7,
    INTERRUPTS_ON = 1 << 3,
    PAINT = 0x5ac3a53c
};

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

/* ------------------------------------------------------------------------------------------------- ticks */

static void (*volatile on_tick)(void);

static void next_tick(void) {
    uint32_t high, low;
    do {
        high = TIME_HIGH;
        low = TIME_LOW;
    } while (high != TIME_HIGH);
    COMPARE_HIGH = UINT32_MAX; /* not before both halves are written */
    COMPARE_LOW = low + TICKS;
    COMPARE_HIGH = high + (low + TICKS < low);
}

/* Traps that are no interrupt go on at the same instruction for ever: run.py sees a board that does not end. */
__attribute__((interrupt("machine"), aligned(4))) static void trap(void) {
    SOFTWARE_INTERRUPT = 0;
    next_tick();
    on_tick();
}

void board_on_tick(void (*handler)(void)) {
    on_tick = handler;
    next_tick();
    __asm__ volatile(".option push\n\t.option arch, +zicsr\n\t"
                     "csrw mtvec, %0\n\tcsrs mie, %1\n\tcsrs mstatus, %2\n\t.option pop"
                     :
                     : "r"(trap), "r"(SOFTWARE | TIMER), "r"(INTERRUPTS_ON)
                     : "memory");
}

/* The interrupt comes before the flag that is read back. */
void board_tick_now(void) {
    SOFTWARE_INTERRUPT = 1;
    while (SOFTWARE_INTERRUPT != 0) {}
}

/* ------------------------------------------------------------------------------------------------- stack */

void board_stack_paint(void) {
    const uint32_t here = 0;
    uint32_t *word = __heap_end;
    while ((uintptr_t)(word + 16) < (uintptr_t)&here) *word++ = PAINT;
}

size_t board_stack_used(void) {
    const uint32_t *word = __heap_end;
    while (word < __stack && *word == PAINT) word++;
    return (size_t)((uintptr_t)__stack - (uintptr_t)word);
}
