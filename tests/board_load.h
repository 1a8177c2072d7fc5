/* SPDX-License-Identifier: Apache-2.0 */
/* board_load.h - for tests: one simulated board of any vendor in this process, and the strings that control it. A
   vendor's boards are loaded by a header of its own (rknpu_load.h), which knows the names of the libraries.

   NNRT_SIM_DIR is where `make sim` put the libraries and models (default: build/sim). The chip is fixed when the
   library is loaded, so a test of several chips forks. */
#ifndef NNRT_TESTS_BOARD_LOAD_H
#define NNRT_TESTS_BOARD_LOAD_H

#include <criterion/criterion.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/common/sim_control.h"

typedef struct board {
    const char *chip;
    const char *version; /* of the runtime; "": the newest */
    bool mini;           /* the vendor's smaller runtime, where there are two; set by the vendor's header */
    char folder[256];    /* its models are in models/NAME.CHIP.* */
    size_t npu, cpu;     /* ids of devices, for callers that look them up */
    void (*fault)(const char *specification);
    unsigned (*calls)(const char *function);
    void (*release_hang)(void);
    unsigned (*mistakes)(void);
    const char *(*mistake)(unsigned index);
    void (*get_live)(nnrt_sim_live *live);
    void (*get_syncs)(unsigned *to_device, unsigned *from_device);
    void (*get_run_syncs)(unsigned *to_device, unsigned *from_device);
    void (*strict)(int strict);
    int (*dma_alloc)(size_t size);
    int (*dma_write)(int fd, size_t offset, const void *data, size_t size);
    int (*dma_read)(int fd, size_t offset, void *data, size_t size);
} board;

/* "rk3588 1.6.0": the board of this process, for the texts of failures. */
static char board_text[64] = "no board";
__attribute__((unused)) static const char *context(void) { return board_text; }

static bool board_symbol(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

/* Loads a board from its vendor's library: FOLDER/VERSION/LIBRARY (version "": FOLDER/LIBRARY), which the environment
   variable then names for nnrt. To be called before anything of nnrt. false: that board is not built. */
static bool board_load(board *b, const char *chip, const char *version, const char *library, const char *variable) {
    const char *folder = getenv("NNRT_SIM_DIR");
    char path[400];
    void *loaded;
    memset(b, 0, sizeof(*b));
    b->chip = chip;
    b->version = version;
    (void)snprintf(board_text, sizeof(board_text), "%s%s%s", chip, version[0] != '\0' ? " " : "", version);
    (void)snprintf(b->folder, sizeof(b->folder), "%s", folder != NULL ? folder : "build/sim");
    (void)snprintf(path, sizeof(path), "%s/%s%s%s", b->folder, version, version[0] != '\0' ? "/" : "", library);
    (void)setenv("NNRT_SIM_CHIP", chip, 1);
    (void)setenv("NNRT_SIM_REPORT", "0", 1);
    (void)setenv(variable, path, 1);
    loaded = dlopen(path, RTLD_NOW);
    return loaded != NULL && board_symbol(loaded, "nnrt_sim_fault", &b->fault) &&
           board_symbol(loaded, "nnrt_sim_calls", &b->calls) &&
           board_symbol(loaded, "nnrt_sim_release_hang", &b->release_hang) &&
           board_symbol(loaded, "nnrt_sim_mistakes", &b->mistakes) &&
           board_symbol(loaded, "nnrt_sim_mistake", &b->mistake) &&
           board_symbol(loaded, "nnrt_sim_get_live", &b->get_live) &&
           board_symbol(loaded, "nnrt_sim_get_syncs", &b->get_syncs) &&
           board_symbol(loaded, "nnrt_sim_get_run_syncs", &b->get_run_syncs) &&
           board_symbol(loaded, "nnrt_sim_strict", &b->strict) &&
           board_symbol(loaded, "nnrt_sim_dma_alloc", &b->dma_alloc) &&
           board_symbol(loaded, "nnrt_sim_dma_write", &b->dma_write) &&
           board_symbol(loaded, "nnrt_sim_dma_read", &b->dma_read);
}

/* For a test of several boards: reports that the board with this runtime version is not built. The test is skipped if
   it was the first; a test that has tried others goes on. */
__attribute__((unused)) static void board_absent(unsigned tried, const char *chip, const char *version) {
    if (tried == 0) cr_skip_test("skipped, no simulated %s %s", chip, version);
    fprintf(stderr, "skipped, no simulated %s %s\n", chip, version);
}

/* After everything was destroyed: the mistakes that the library saw, or what it still holds; NULL: nothing. */
__attribute__((unused)) static const char *board_complaint(const board *b) {
    static char text[400];
    nnrt_sim_live live;
    b->get_live(&live);
    if (b->mistakes() != 0)
        (void)snprintf(text, sizeof(text), "%s: %u mistakes, the first: %s", b->chip, b->mistakes(), b->mistake(0));
    else if (live.contexts != 0 || live.memories != 0 || live.fds != 0 || live.bytes != 0)
        (void)snprintf(text, sizeof(text), "%s: %u contexts, %u memories, %u descriptors, %zu bytes are left", b->chip,
                       live.contexts, live.memories, live.fds, live.bytes);
    else return NULL;
    return text;
}

#endif /* NNRT_TESTS_BOARD_LOAD_H */
