/* SPDX-License-Identifier: Apache-2.0 */
/* nnie_board.h - for tests on simulated HiSilicon boards: npu_board.h, and how they are plugged in, their chips, models
   and what is expected of those. */
#ifndef NNRT_TESTS_NNIE_BOARD_H
#define NNRT_TESTS_NNIE_BOARD_H

#include "nnie_load.h"
#include "npu_board.h"

static const char *const board_all[] = {"hi3516cv500", "hi3519av100", "hi3559av100", NULL};

static bool board_plug(board *b, const char *chip, const char *version) {
    if (!nnie_load(b, chip, version)) return false;
    board_find_devices(b, "nnie_hisilicon_");
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

/* As rig_open_model. */
__attribute__((unused)) static void rig_open(rig *r, const board *b, const char *model, const char *const *configs) {
    rig_open_model(r, b, model, "wk", configs);
}

#endif /* NNRT_TESTS_NNIE_BOARD_H */
