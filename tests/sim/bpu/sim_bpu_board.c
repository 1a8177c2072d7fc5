/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_board.c - Horizon's chips, and the way into a function. */
#define _GNU_SOURCE
#include "sim_bpu.h"

#include <stdlib.h>

static const sim_bpu_chip sim_bpu_chips[] = {
    {"x3", false, 2, "bernoulli2", "X2A", 4, 16, "", 0x10000000u},
    {"j5", false, 2, "bayes", "B25", 4, 16, "", 0x120000000u},
    {"x5", false, 1, "bayes-e", "B2E", 4, 16, "", 0x90000000u},
    {"s100", true, 1, "nash-e", "", 0, 32, "D-Robotics RDK S100 V0P5", 0x400000000u},
    {"s600", true, 4, "nash-p", "", 0, 64, "D-Robotics RDK S600 MCB V0p2", 0x480000000u}};

static const char *sim_bpu_chip_name(unsigned chip) {
    return chip < sizeof(sim_bpu_chips) / sizeof(sim_bpu_chips[0]) ? sim_bpu_chips[chip].name : NULL;
}

const sim_board sim_the_board = {
    sim_bpu_chip_name, 2 /* x5 */, sizeof(void *), 0, SIM_BPU_FAILED, SIM_BPU_FAILED, SIM_BPU_FAILED, SIM_BPU_LOST,
};

const sim_bpu_chip *sim_bpu_the_chip(void) { return &sim_bpu_chips[sim_state.chip]; }

bool sim_bpu_drives(const sim_bpu_release *release) {
    return sim_state.device_node && sim_bpu_the_chip()->ucp == release->ucp;
}

bool sim_bpu_call(const char *function, int32_t *answer) {
    int code = 0;
    bool fails = sim_enter(function, &code) != 0;
    *answer = code;
    return fails;
}

SIM_EXPORT const char *nnrt_bpu_chip(void) { return sim_has_device() ? sim_bpu_chips[sim_chip_number()].name : ""; }

const char *sim_bpu_soc(void) { return sim_has_device() ? sim_bpu_chips[sim_chip_number()].soc : ""; }

void sim_bpu_note(const char *text) { sim_log("%s", text); }
