/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_load.h - for tests: one simulated Rockchip board in this process. */
#ifndef NNRT_TESTS_RKNPU_LOAD_H
#define NNRT_TESTS_RKNPU_LOAD_H

#include "board_load.h"

/* As board_load: version "" is the newest runtime. */
static bool rknpu_load(board *b, const char *chip, const char *version) {
    const bool mini = strncmp(chip, "rv", 2) == 0;
    const bool loaded = board_load(b, chip, version, mini ? "librknnmrt.so" : "librknnrt.so", "NNRT_RKNPU_LIBRARY");
    b->mini = mini;
    return loaded;
}

#endif /* NNRT_TESTS_RKNPU_LOAD_H */
