/* SPDX-License-Identifier: Apache-2.0 */
/* startup.c - a Cortex-M from its reset to main, and semihosting: all that the program of tests/bare has of a system.

   Of newlib the program uses what needs no system but _sbrk: malloc, memcpy, the functions of math.h. */
#include "board.h"

#include <string.h>

/* From board.ld. */
extern uint32_t board_data_source[], board_data[], board_data_end[], board_bss[], board_bss_end[];
extern uint32_t board_stack[], board_stack_end[];
extern char board_heap[], board_heap_end[];

int main(void);
void *_sbrk(ptrdiff_t increment);
void board_reset(void);

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SYSTICK_CONTROL REGISTER(0xe000e010u)
#define SYSTICK_RELOAD REGISTER(0xe000e014u)
#define SYSTICK_VALUE REGISTER(0xe000e018u)
#define INTERRUPTS REGISTER(0xe000ed04u)
#define CONFIGURATION REGISTER(0xe000ed14u)
#define COPROCESSORS REGISTER(0xe000ed88u)

enum {
    CLOCK_MHZ = 25,
    TICKS = CLOCK_MHZ * 1000, /* of a millisecond */
    PAINT = 0x5ac3a53c
};

static volatile uint32_t milliseconds;

/* ------------------------------------------------------------------------------------------- semihosting */

/* The debugger, here QEMU, sees the breakpoint, does what r0 says with what r1 points at, and lets us go on. */
static void debugger(uint32_t what, const void *argument) {
    register uint32_t r0 __asm__("r0") = what;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char *text) { debugger(4, text); }

static void end(uint32_t code) {
    const uint32_t reason[2] = {0x20026, code}; /* the application has ended */
    debugger(0x20, reason);
    for (;;) {}
}

/* ------------------------------------------------------------------------------------------------ system */

void *_sbrk(ptrdiff_t increment) {
    static char *top = board_heap;
    char *old = top;
    if (increment > board_heap_end - top || increment < board_heap - top) return (void *)-1;
    top += increment;
    return old;
}

static void (*volatile on_tick)(void);

static void tick(void) {
    milliseconds++;
    if (on_tick != NULL) on_tick();
}

void board_on_tick(void (*handler_of_program)(void)) { on_tick = handler_of_program; }

void board_tick_now(void) {
    INTERRUPTS = 1u << 26; /* SysTick is pending */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

uint64_t board_now_ns(void) {
    uint32_t before, value;
    do {
        before = milliseconds;
        value = SYSTICK_VALUE;
    } while (before != milliseconds);
    return (uint64_t)before * 1000000u + (uint64_t)(TICKS - 1 - value) * (1000u / CLOCK_MHZ);
}

void board_spin(uint32_t count) {
    __asm__ volatile(".syntax unified\n1: subs %0, %0, #1\n\tbne 1b" : "+l"(count) : : "cc");
}

void board_stack_paint(void) {
    const uint32_t here = 0;
    uint32_t *word = board_stack;
    while ((uintptr_t)(word + 16) < (uintptr_t)&here) *word++ = PAINT;
}

size_t board_stack_used(void) {
    const uint32_t *word = board_stack;
    while (word < board_stack_end && *word == PAINT) word++;
    return (size_t)((uintptr_t)board_stack_end - (uintptr_t)word);
}

/* ------------------------------------------------------------------------------------------------- reset */

static void fault(void) {
    board_print("FAILED the processor took a fault\n");
    end(2);
}

#ifdef __ARM_FEATURE_UNALIGNED
static void trap_unaligned(void) {}
#else
/* A processor without unaligned accesses, run on one that has them: each is a fault as it would be there. */
static void trap_unaligned(void) { CONFIGURATION |= 1u << 3; }
#endif

void board_reset(void) {
    COPROCESSORS |= 0xfu << 20; /* the floating-point unit */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    memcpy(board_data, board_data_source, (size_t)((uintptr_t)board_data_end - (uintptr_t)board_data));
    memset(board_bss, 0, (size_t)((uintptr_t)board_bss_end - (uintptr_t)board_bss));
    trap_unaligned();
    SYSTICK_RELOAD = TICKS - 1;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7; /* on, with its interrupt, from the processor's clock */
    end((uint32_t)main());
}

typedef void (*handler)(void);

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    handler handlers[15];
} vectors = {
    board_stack_end,
    {board_reset, fault, fault, fault, fault, fault, fault, NULL, NULL, NULL, fault, fault, NULL, fault, tick}};
