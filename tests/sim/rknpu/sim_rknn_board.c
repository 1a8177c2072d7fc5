/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_board.c - Rockchip's chips, and what the common part asks of a vendor. */
#define _GNU_SOURCE
#include "sim_rknn.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* C2 and widths of rk3576, map_align and the vectors of rk3566 are assumptions that the README names: they are there
   so that code which computes what it should read fails. */
static const sim_rknn_chip sim_rknn_chips[] = {
    /* name   family    mini cores c2  c2_16 w w_16 +c1 since    map  sram      flat   swapped */
    {"rv1103", "rv1106", true, 1, 16, 8, 16, 16, 0, 0, 1, 0, true, false},
    {"rv1106", "rv1106", true, 1, 16, 8, 16, 16, 0, 0, 1, 0, true, false},
    {"rk3562", "rk3562", false, 1, 16, 8, 16, 16, 0, 0, 4, 0, true, false},
    {"rk3566", "rk3566", false, 1, 8, 4, 8, 4, 1, 0, 1, 0, false, true},
    {"rk3568", "rk3566", false, 1, 8, 4, 8, 4, 1, 0, 1, 0, false, true},
    {"rk3576", "rk3576", false, 2, 32, 16, 16, 16, 0, 0, 1, 0, true, false},
    {"rk3588", "rk3588", false, 3, 16, 8, 16, 16, 1, 0x010500, 1, 956 * 1024, true, false},
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

const sim_rknn_chip *sim_rknn_board_chip(void) { return &sim_rknn_chips[sim_chip_number()]; }

const sim_rknn_chip *sim_rknn_chip_locked(void) { return &sim_rknn_chips[sim_state.chip]; }

bool sim_rknn_board_fits(void) { return sim_has_device() && sim_rknn_board_chip()->mini == (NNRT_SIM_MINI != 0); }

SIM_EXPORT const char *nnrt_rknpu_node(void) {
    static char missing[128];
    const sim_rknn_chip *chip = sim_rknn_board_chip();
    if (sim_rknn_board_fits()) return "/dev/null";
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

SIM_EXPORT const char *nnrt_rknpu_chip(void) { return sim_rknn_board_chip()->name; }

size_t sim_rknn_sram_left(void) {
    const size_t all = sim_rknn_chip_locked()->sram, used = sim_live_sram();
    return used < all ? all - used : 0;
}

/* What is behind the functions that begin: 0 is looked for, any other number is believed to be a context. */
static int sim_rknn_stranger(nnrt_rknn_context handle, int answer, int number, const char *function) {
    char why[128];
    bool alive;
    if (answer != NNRT_RKNN_ERR_CTX_INVALID || handle == 0) return answer;
    sim_lock();
    alive = sim_context_find(handle) != NULL;
    sim_unlock();
    snprintf(why, sizeof(why), "%s of a context that is not alive", function);
    if (!alive && strcmp(function, "rknn_destroy") == 0)
        sim_mistake("double free: rknn_destroy of a context that is not alive");
    if (!alive) sim_crash(number, why);
    return answer;
}

int sim_rknn_begin_any(nnrt_rknn_context handle, const char *function, sim_context **context) {
    return sim_rknn_stranger(handle, sim_begin(handle, NULL, function, context), SIGSEGV, function);
}

int sim_rknn_begin(nnrt_rknn_context handle, const char *function, sim_rknn_context **context) {
    sim_context *found;
    int answer = sim_begin(handle, &sim_rknn_kind_model, function, &found);
    *context = (sim_rknn_context *)found;
    return sim_rknn_stranger(handle, answer, SIGSEGV, function);
}

int sim_rknn_begin_last(nnrt_rknn_context handle, const char *function, sim_rknn_context **context) {
    sim_context *found;
    int answer = sim_begin_last(handle, &sim_rknn_kind_model, function, &found);
    *context = (sim_rknn_context *)found;
    return sim_rknn_stranger(handle, answer, NNRT_SIM_MINI ? SIGABRT : SIGSEGV, function);
}

void sim_rknn_end(sim_rknn_context *context) { sim_end(&context->base); }

/* librknnrt opens the device with the first rknn_init and never closes it. */
void sim_rknn_keep_device(void) {
    static int device = -1;
    sim_lock();
    if (!NNRT_SIM_MINI && device < 0) device = open("/dev/null", O_RDWR | O_CLOEXEC);
    sim_unlock();
}
