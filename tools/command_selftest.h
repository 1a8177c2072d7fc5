/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_selftest.h - `nnrt selftest`: does this machine compute what it should? */
#ifndef NNRT_TOOLS_COMMAND_SELFTEST_H
#define NNRT_TOOLS_COMMAND_SELFTEST_H

#include "arguments.h"
#include "tool_text.h"

static void print_selftest_line(void *user, const char *line) {
    (void)user;
    puts(line);
    (void)fflush(stdout); /* the next line may take seconds on a slow board */
}

static int command_selftest(const arguments *a) {
    (void)a;
    return nnrt_selftest(print_selftest_line, NULL) == OH_NN_SUCCESS ? TOOL_OK
                                                                     : complain(TOOL_REFUSED, "%s", nnrt_last_error());
}

#endif /* NNRT_TOOLS_COMMAND_SELFTEST_H */
