/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.c - the command line tool: lists devices, inspects, runs, times and compiles models.

       make tool
       build/nnrt help

   It uses the public API only (OH_NN*, NN_*, nnrt_*), so it is also the largest example of it, and everything
   it does an application can do. docs/tool.md shows each command. */
#define NNRT_IMPLEMENTATION
#define NNRT_SELFTEST
#ifndef NNRT_IMAGE /* `make install` gives it for another processor */
#define NNRT_IMAGE
#endif
#include "nnrt.h"

#include "tool_help.h"
#include "tool_parse.h"

static int run_command(const command *c, int argc, char **argv) {
    arguments *a = NULL;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return print_command_help(c);
    a = (arguments *)allocate(sizeof(*a));
    int result = parse_arguments(c, argc, argv, a);
    if (result == TOOL_OK) result = a->list_targets ? list_targets() : c->run(a);
    free(a);
    return result;
}

static int dispatch(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    const command *c = find_command(name);
    if (argc < 2) {
        print_help(stderr);
        return TOOL_USAGE;
    }
    if (c != NULL) return run_command(c, argc, argv);
    if (strcmp(name, "--version") == 0) {
        printf("nnrt %s\n", nnrt_version());
        return TOOL_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return help(argc > 2 ? argv[2] : NULL, argc > 3 ? argv[3] : NULL);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (is_near(name, strlen(name), commands[i].name))
            return complain(TOOL_USAGE, "there is no command %s; did you mean %s? See: nnrt help", name,
                            commands[i].name);
    return complain(TOOL_USAGE, "there is no command %s; see: nnrt help", name);
}

int main(int argc, char **argv) {
    const int result = dispatch(argc, argv);
    const bool printed = fflush(stdout) == 0 && !ferror(stdout); /* a full disk or a closed pipe may be behind
                                                                    it */
    if (printed || result != TOOL_OK) return result;
    return complain(TOOL_FILE, "standard output: cannot be written: %s", strerror(errno));
}
