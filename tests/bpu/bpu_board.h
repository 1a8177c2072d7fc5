/* SPDX-License-Identifier: Apache-2.0 */
/* bpu_board.h - for tests on simulated Horizon boards: npu_board.h, and how they are plugged in, their chips, releases
   and models. */
#ifndef NNRT_TESTS_BPU_BOARD_H
#define NNRT_TESTS_BPU_BOARD_H

#include "bpu_load.h"
#include "npu_board.h"

static const char *const board_all[] = {"x3", "j5", "x5", "s100", "s600", NULL};

/* Each chip with each release of the libraries that it has had. */
typedef struct board_release {
    const char *chip, *version;
} board_release;

__attribute__((unused)) static const board_release board_releases[] = {
    {"x3", "1.6.1"},   {"x3", "1.9.7"},    {"x3", "1.14.1"},   {"x3", "1.18.4"},
    {"x3", "1.18.6"},  {"j5", "1.14.1"},   {"j5", "1.24.5"},   {"x5", "1.23.10"},
    {"x5", "1.26.0"},  {"s100", "3.6.1"},  {"s100", "3.12.3"}, {"s100", "3.13.6"},
    {"s600", "3.6.1"}, {"s600", "3.12.3"}, {"s600", "3.13.6"}, {"s600", "3.14.7"}};

static bool board_plug(board *b, const char *chip, const char *version) {
    if (!bpu_load(b, chip, version)) return false;
    board_find_devices(b, "bpu_horizon_");
    return true;
}

/* As board_in_child. */
__attribute__((unused)) static int board_try(const char *chip, const char *version, board_life life, const void *user) {
    return board_in_child(board_plug, chip, version, life, user);
}

/* As board_on_each. */
__attribute__((unused)) static void board_each(const char *const *chips, board_life life, const void *user) {
    board_on_each(board_plug, chips, life, user);
}

/* life on each chip with each release. */
__attribute__((unused)) static void board_each_release(board_life life, const void *user) {
    unsigned tried = 0;
    size_t i;
    for (i = 0; i < sizeof(board_releases) / sizeof(board_releases[0]); i++) {
        const board_release *one = &board_releases[i];
        const int answer = board_try(one->chip, one->version, life, user);
        if (answer == BOARD_ABSENT) board_absent(tried, one->chip, one->version);
        else cr_assert(answer == BOARD_WORKS, "%s %s: the child ended with %d", one->chip, one->version, answer);
        tried += answer != BOARD_ABSENT;
    }
}

/* As rig_open_model. */
__attribute__((unused)) static void rig_open(rig *r, const board *b, const char *model, const char *const *configs) {
    rig_open_model(r, b, model, bpu_suffix(b->chip), configs);
}

#endif /* NNRT_TESTS_BPU_BOARD_H */
