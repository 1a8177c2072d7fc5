/* SPDX-License-Identifier: Apache-2.0 */
/* board.h - what the program of tests/bare knows of its board: text out, an end, a clock, a painted stack. */
#ifndef NNRT_TESTS_BARE_BOARD_H
#define NNRT_TESTS_BARE_BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Terminated text to the debugger, which prints it. */
void board_print(const char *text);

/* Nanoseconds since the reset. */
uint64_t board_now_ns(void);

/* Executes 2 * count instructions, count >= 1, and a few more. */
void board_spin(uint32_t count);

/* handler is called by every interrupt of SysTick, which comes once a millisecond. */
void board_on_tick(void (*handler)(void));

/* That interrupt, now: its handler has returned when this does. */
void board_tick_now(void);

/* Paints the stack below the caller's frame, so that board_stack_used tells what is used from here on. */
void board_stack_paint(void);

/* The most bytes of stack that were in use since board_stack_paint, its caller's frame and those above included. */
size_t board_stack_used(void);

#endif /* NNRT_TESTS_BARE_BOARD_H */
