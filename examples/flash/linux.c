/* SPDX-License-Identifier: Apache-2.0 */
/* linux.c - what flash.c wants of a board, for one that has Linux. tests/bare/startup.c is a Cortex-M's. */
#include <stdio.h>

void board_print(const char *text);

void board_print(const char *text) { fputs(text, stdout); }
