/* SPDX-License-Identifier: Apache-2.0 */
/* bpu_load.h - for tests: one simulated Horizon board in this process. */
#ifndef NNRT_TESTS_BPU_LOAD_H
#define NNRT_TESTS_BPU_LOAD_H

#include "board_load.h"
#include "sim/bpu/sim_bpu_control.h"

/* What Horizon's boards have beside those of board. */
typedef struct bpu_controls {
    void (*task_time)(const char *microseconds);
    void (*get_work)(nnrt_sim_work *work);
    size_t (*history)(char *text, size_t room);
    int (*camera_alloc)(size_t size, int cached, uint64_t *physical, void **address);
    void (*camera_free)(uint64_t physical);
    int (*memory_write)(uint64_t physical, const void *data, size_t size);
    int (*memory_read)(uint64_t physical, void *data, size_t size);
} bpu_controls;

/* The release of the libraries that a chip has when none is named. */
static const char *bpu_newest(const char *chip) {
    if (chip[0] == 's') return "3.13.6";
    return strcmp(chip, "x3") == 0 ? "1.18.4" : strcmp(chip, "j5") == 0 ? "1.24.5" : "1.23.10";
}

/* The folder below the board's of a release; that of 1.23.10 is the board's own. */
static const char *bpu_folder(const char *version) { return strcmp(version, "1.23.10") == 0 ? "" : version; }

/* As board_load: version "" is the newest of the chip. NNRT_BPU_LIBRARY then names its libdnn.so. */
static bool bpu_load(board *b, const char *chip, const char *version) {
    char path[400];
    const char *release = version[0] != '\0' ? version : bpu_newest(chip), *folder = bpu_folder(release);
    if (!board_load(b, chip, "", "libsim_horizon.so", "NNRT_BPU_LIBRARY")) return false;
    b->version = version;
    (void)snprintf(board_text, sizeof(board_text), "%s %s", chip, release);
    (void)snprintf(path, sizeof(path), "%s/%s%slibdnn.so", b->folder, folder, folder[0] != '\0' ? "/" : "");
    (void)setenv("NNRT_BPU_LIBRARY", path, 1);
    return b->mistakes() == 0; /* the chip is fixed from here on */
}

/* ".bin", or ".hbm" of the boards with UCP. */
__attribute__((unused)) static const char *bpu_suffix(const char *chip) { return chip[0] == 's' ? "hbm" : "bin"; }

/* Of the board that was loaded; false: there is none. */
__attribute__((unused)) static bool bpu_find_controls(const board *b, bpu_controls *controls) {
    char path[400];
    void *library;
    (void)snprintf(path, sizeof(path), "%s/libsim_horizon.so", b->folder);
    library = dlopen(path, RTLD_NOW);
    return library != NULL && board_symbol(library, "nnrt_sim_task_time", &controls->task_time) &&
           board_symbol(library, "nnrt_sim_get_work", &controls->get_work) &&
           board_symbol(library, "nnrt_sim_bpu_history", &controls->history) &&
           board_symbol(library, "nnrt_sim_camera_alloc", &controls->camera_alloc) &&
           board_symbol(library, "nnrt_sim_camera_free", &controls->camera_free) &&
           board_symbol(library, "nnrt_sim_memory_write", &controls->memory_write) &&
           board_symbol(library, "nnrt_sim_memory_read", &controls->memory_read);
}

#endif /* NNRT_TESTS_BPU_LOAD_H */
