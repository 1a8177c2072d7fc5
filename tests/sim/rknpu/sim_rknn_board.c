/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_board.c - Rockchip's chips, and what the common part asks of a vendor. */
#include "sim_rknn.h"

#include <stdio.h>

/* C2 and widths of rk3576, extra_c1 and map_align are assumptions that the README names: they are there so
   that code which computes what it should read fails. */
static const sim_rknn_chip sim_rknn_chips[] = {
    /* name   family    mini cores c2  c2_16 w  +c1 map  sram         flat */
    {"rv1103", "rv1106", true, 1, 16, 8, 16, 0, 1, 0, false},
    {"rv1106", "rv1106", true, 1, 16, 8, 16, 0, 1, 0, false},
    {"rk3562", "rk3562", false, 1, 16, 8, 16, 0, 4, 0, true},
    {"rk3566", "rk3566", false, 1, 8, 4, 8, 1, 1, 0, false},
    {"rk3568", "rk3566", false, 1, 8, 4, 8, 1, 1, 0, false},
    {"rk3576", "rk3576", false, 2, 32, 16, 16, 0, 1, 0, true},
    {"rk3588", "rk3588", false, 3, 16, 8, 16, 0, 1, 956 * 1024, true},
};

const sim_kind sim_rknn_kind_model = {"model"}, sim_rknn_kind_matmul = {"matmul"};

static const char *sim_rknn_chip_name(unsigned chip) {
    return chip < sizeof(sim_rknn_chips) / sizeof(sim_rknn_chips[0]) ? sim_rknn_chips[chip].name : NULL;
}

const sim_board sim_the_board = {
    .chip_name = sim_rknn_chip_name,
    .default_chip = NNRT_SIM_MINI ? 1 : 6, /* rv1106, rk3588 */
    .handle_bytes = sizeof(nnrt_rknn_context),
    .memory_bytes = sizeof(nnrt_rknn_tensor_mem),
    .failed = NNRT_RKNN_ERR_FAIL,
    .bad_argument = NNRT_RKNN_ERR_PARAM_INVALID,
    .bad_context = NNRT_RKNN_ERR_CTX_INVALID,
    .no_device = NNRT_RKNN_ERR_DEVICE_UNAVAILABLE,
};

const sim_rknn_chip *sim_rknn_board_chip(void) {
    return &sim_rknn_chips[sim_chip_number()];
}

const sim_rknn_chip *sim_rknn_chip_locked(void) {
    return &sim_rknn_chips[sim_state.chip];
}

bool sim_rknn_board_fits(void) {
    return sim_has_device() && sim_rknn_board_chip()->mini == (NNRT_SIM_MINI != 0);
}

SIM_EXPORT const char *nnrt_rknpu_node(void) {
    static char missing[128];
    const sim_rknn_chip *chip = sim_rknn_board_chip();
    if (sim_rknn_board_fits())
        return "/dev/null";
    sim_lock();
    if (!sim_state.device_node)
        snprintf(missing, sizeof(missing),
                 "/dev/rknpu (the simulated board has none: NNRT_SIM_DEVICE or NNRT_SIM_CHIP)");
    else
        snprintf(missing, sizeof(missing), "/dev/rknpu of a simulated %s needs %s", chip->name,
                 chip->mini ? "librknnmrt.so" : "librknnrt.so");
    sim_unlock();
    return missing;
}

SIM_EXPORT const char *nnrt_rknpu_chip(void) {
    return sim_rknn_board_chip()->name;
}

size_t sim_rknn_sram_left(void) {
    const size_t all = sim_rknn_chip_locked()->sram, used = sim_live_sram();
    return used < all ? all - used : 0;
}

int sim_rknn_begin(nnrt_rknn_context handle, const char *function, sim_rknn_context **context) {
    sim_context *found;
    int answer = sim_begin(handle, &sim_rknn_kind_model, function, &found);
    *context = (sim_rknn_context *)found;
    return answer;
}

int sim_rknn_begin_last(nnrt_rknn_context handle, const char *function, sim_rknn_context **context) {
    sim_context *found;
    int answer = sim_begin_last(handle, &sim_rknn_kind_model, function, &found);
    *context = (sim_rknn_context *)found;
    return answer;
}

void sim_rknn_end(sim_rknn_context *context) {
    sim_end(&context->base);
}
