/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_board.h - for tests on simulated Rockchip boards: npu_board.h, and how they are plugged in, their chips and
   models. */
#ifndef NNRT_TESTS_RKNPU_BOARD_H
#define NNRT_TESTS_RKNPU_BOARD_H

#include "npu_board.h"
#include "rknpu_load.h"

static const char *const board_full[] = {"rk3562", "rk3566", "rk3568", "rk3576", "rk3588", NULL};
static const char *const board_mini[] = {"rv1103", "rv1106", NULL};
static const char *const board_all[] = {"rv1103", "rv1106", "rk3562", "rk3566", "rk3568", "rk3576", "rk3588", NULL};

static bool board_plug(board *b, const char *chip, const char *version) {
    if (!rknpu_load(b, chip, version)) return false;
    board_find_devices(b, "rknpu_rockchip_");
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
    rig_open_model(r, b, model, "rknn", configs);
}

#endif /* NNRT_TESTS_RKNPU_BOARD_H */
