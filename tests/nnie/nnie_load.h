/* SPDX-License-Identifier: Apache-2.0 */
/* nnie_load.h - for tests: one simulated HiSilicon board in this process. */
#ifndef NNRT_TESTS_NNIE_LOAD_H
#define NNRT_TESTS_NNIE_LOAD_H

#include "board_load.h"
#include "sim/nnie/sim_hisi_control.h"

/* What HiSilicon's boards have beside those of board. */
typedef struct nnie_controls {
    void (*task_time)(const char *microseconds);
    void (*block_time)(unsigned milliseconds);
    void (*get_work)(nnrt_sim_work *work);
    int (*memory_write)(uint64_t physical, const void *data, size_t size);
    int (*memory_read)(uint64_t physical, void *data, size_t size);
} nnie_controls;

/* As board_load: version "" is the newest release of the libraries, "2.0.1" and "2.0.2" are earlier ones, which are
   known of hi3516cv500 only. NNRT_NNIE_LIBRARY then names its libnnie.so. The media system has been initialised, by
   another program as it were, unless NNRT_SIM_SYS says "0". */
static bool nnie_load(board *b, const char *chip, const char *version) {
    char path[400];
    (void)setenv("NNRT_SIM_SYS", "1", 0);
    if (!board_load(b, chip, version, "libsim_hisilicon.so", "NNRT_NNIE_LIBRARY")) return false;
    (void)snprintf(path, sizeof(path), "%s/%s%slibnnie.so", b->folder, version, version[0] != '\0' ? "/" : "");
    (void)setenv("NNRT_NNIE_LIBRARY", path, 1);
    return b->mistakes() == 0; /* the chip is fixed from here on */
}

/* Of the board that was loaded; false: there is none. */
__attribute__((unused)) static bool nnie_find_controls(const board *b, nnie_controls *controls) {
    char path[400];
    void *library;
    (void)snprintf(path, sizeof(path), "%s/%s%slibsim_hisilicon.so", b->folder, b->version,
                   b->version[0] != '\0' ? "/" : "");
    library = dlopen(path, RTLD_NOW);
    return library != NULL && board_symbol(library, "nnrt_sim_task_time", &controls->task_time) &&
           board_symbol(library, "nnrt_sim_block_time", &controls->block_time) &&
           board_symbol(library, "nnrt_sim_get_work", &controls->get_work) &&
           board_symbol(library, "nnrt_sim_memory_write", &controls->memory_write) &&
           board_symbol(library, "nnrt_sim_memory_read", &controls->memory_read);
}

#endif /* NNRT_TESTS_NNIE_LOAD_H */
