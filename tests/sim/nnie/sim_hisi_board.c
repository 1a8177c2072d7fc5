/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_board.c - HiSilicon's chips, and the media system that everything waits for. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_hisi.h"

/* What LoadModel and the driver look at, by release: seen of Hi3516CV500; those of the other chips were of one release
   each, 2.0.1.0 of Hi3519AV100 and 2.0.3.1 of Hi3559AV100. */
#define SIM_HISI_EARLY (NNRT_SIM_VERSION < 0x020002)

static const sim_hisi_chip sim_hisi_chips[] = {
    {"hi3516cv500", 0x3516c500u, 1, 0, {1, 2}, 0x8a000000u, !SIM_HISI_EARLY, SIM_HISI_EARLY},
    {"hi3519av100", 0x3519a100u, 1, 1, {1, 2}, 0x48000000u, false, true},
    {"hi3559av100", 0x3559a100u, 2, 4, {1, 1}, 0x140000000u, true, false}};

static const char *sim_hisi_chip_name(unsigned chip) {
    return chip < sizeof(sim_hisi_chips) / sizeof(sim_hisi_chips[0]) ? sim_hisi_chips[chip].name : NULL;
}

const sim_board sim_the_board = {
    sim_hisi_chip_name,
    0,
    4,
    sizeof(sim_hisi_block),
    -1 /* failed */,
    -1,
    -1 /* bad_context */,
    (int)0xa0338010u /* no device */,
};

const sim_hisi_chip *sim_hisi_the_chip(void) { return &sim_hisi_chips[sim_chip_number()]; }

const sim_hisi_chip *sim_hisi_the_chip_locked(void) { return &sim_hisi_chips[sim_state.chip]; }

bool sim_hisi_has_driver(void) { return sim_has_device(); }

bool sim_hisi_call_here(const char *function, int32_t lost, int32_t *answer) {
    int code = 0;
    if (!sim_enter(function, &code)) return false;
    *answer = code == sim_the_board.no_device ? lost : code;
    return true;
}

bool sim_hisi_call(const char *function, int32_t lost, int32_t *answer) {
    if (sim_hisi_call_here(function, lost, answer)) return true;
    *answer = lost;
    return !sim_has_device();
}

void sim_hisi_mistake(const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    sim_mistake("%s", text);
}

/* ------------------------------------------------------------------------------------------------- media system */

static bool sim_hisi_known, sim_hisi_others, sim_hisi_sys_is, sim_hisi_vb_is, sim_hisi_vb_configured;

static void sim_hisi_look(void) {
    const char *text = getenv("NNRT_SIM_SYS");
    if (sim_hisi_known) return;
    sim_hisi_known = true;
    sim_hisi_others = text && text[0] == '1';
}

bool sim_hisi_sys_ready(void) {
    sim_hisi_look();
    return sim_hisi_others || sim_hisi_sys_is;
}

/* Exiting is allowed before any init, and programs do so. */
static void sim_hisi_stop(const char *function, bool *is) {
    if (sim_hisi_others && !*is)
        sim_mistake_locked("media system stopped: %s, and it is another program that has initialised it", function);
    if (sim_hisi_task_in(0, UINT64_MAX)) sim_mistake_locked("media system stopped: %s while tasks may run", function);
    *is = false;
}

int32_t sim_hisi_sys(bool init) {
    int32_t answer = SIM_HISI_OK;
    sim_lock();
    sim_hisi_look();
    if (!init) sim_hisi_stop("HI_MPI_SYS_Exit", &sim_hisi_sys_is);
    else if (!sim_hisi_vb_is && !sim_hisi_others) answer = SIM_HISI_SYS_NOTREADY;
    else sim_hisi_sys_is = true;
    sim_unlock();
    return answer;
}

int32_t sim_hisi_vb(bool init) {
    int32_t answer = SIM_HISI_OK;
    sim_lock();
    sim_hisi_look();
    if (!init) {
        sim_hisi_stop("HI_MPI_VB_Exit", &sim_hisi_vb_is);
        sim_hisi_vb_configured = false;
    } else if (!sim_hisi_vb_configured && !sim_hisi_others) answer = (int32_t)0xa0018007u;
    else sim_hisi_vb_is = true;
    sim_unlock();
    return answer;
}

int32_t sim_hisi_vb_config(void) {
    int32_t answer = SIM_HISI_OK;
    sim_lock();
    sim_hisi_look();
    if (sim_hisi_vb_is || sim_hisi_others) answer = (int32_t)0xa0018012u;
    else sim_hisi_vb_configured = true;
    sim_unlock();
    return answer;
}
