/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/device.h - the BPU of a board: its library, which chip it is, places for tasks.   >>bpu_device */
#ifndef NNRT_BPU_DEVICE_H
#define NNRT_BPU_DEVICE_H

#include "memory.h"

#define NNRT__BPU_TRIED_BYTES 64u

/* How many tasks the library keeps. UCP takes another number from the environment, 0 is none. */
NNRT__FN uint32_t nnrt__bpu_task_limit(bool is_ucp) {
    const char *text = is_ucp ? nnrt__environment("HB_UCP_MAX_TASK_NUM") : NULL;
    uint32_t limit;
    if (text == NULL || !nnrt__setting_parse_number(text, strlen(text), 10, 65535, &limit) || limit == 0)
        return NNRT__BPU_MAX_TASKS;
    return limit;
}

/* Finds the BPU: from a stand-in, from UCP, from the system, or from the runtime below the library. A BPU that the
   library cannot drive counts as none. */
NNRT__FN void nnrt__bpu_find_march(nnrt__bpu_device *device) {
    const nnrt__bpu_library *library = &device->library;
    const bool is_ucp = library->layout->is_ucp != 0, plays = library->stand_in[0] != '\0';
    const nnrt__bpu_march *march = nnrt__bpu_march_of_board(plays                           ? library->stand_in
                                                            : library->api.soc_name != NULL ? library->api.soc_name()
                                                                                            : NULL);
    if (march == NULL && !plays) march = nnrt__bpu_march_of_system();
    if (march == NULL && library->march != NULL) march = nnrt__bpu_march_named(library->march, strlen(library->march));
    device->march = march != NULL && march->is_ucp == is_ucp ? march : NULL;
    device->row_alignment = nnrt__bpu_row_alignment(is_ucp, device->march);
}

/* Whether there is a BPU. The library has no query for it, but its memory comes from the driver, which a machine with
   only the library lacks. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_try_memory(nnrt__bpu_device *device) {
    nnrt__npu_block *block = NULL;
    char sentence[NNRT__SENTENCE_SIZE];
    if (nnrt__bpu_block_new(device, true, NNRT__BPU_TRIED_BYTES, &block) == OH_NN_SUCCESS) {
        nnrt__npu_block_release(block);
        return OH_NN_SUCCESS;
    }
    memcpy(sentence, nnrt__sentence(), sizeof(sentence));
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                      "%.120s is there, but no BPU that it can reach: check that the drivers are loaded and that this "
                      "user may open them (%.160s)",
                      device->library.name, sentence);
}

/* Slot open. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_open(void *user, void **device) {
    nnrt__bpu_device *made = (nnrt__bpu_device *)nnrt__alloc_zero(1, sizeof(*made));
    OH_NN_ReturnCode code;
    (void)user;
    if (made == NULL) return nnrt__fail_memory();
    code = nnrt__bpu_library_open(&made->library);
    if (code == OH_NN_SUCCESS && !nnrt__mutex_init(&made->mutex)) {
        code = nnrt__fail_memory();
    } else if (code == OH_NN_SUCCESS && !nnrt__cond_init(&made->changed)) {
        nnrt__mutex_destroy(&made->mutex);
        code = nnrt__fail_memory();
    }
    if (code != OH_NN_SUCCESS) {
        nnrt__free(made);
        return code;
    }
    code = nnrt__bpu_try_memory(made);
    if (code != OH_NN_SUCCESS) {
        nnrt__cond_destroy(&made->changed);
        nnrt__mutex_destroy(&made->mutex);
        nnrt__free(made);
        return code;
    }
    nnrt__bpu_find_march(made);
    made->places = nnrt__bpu_task_limit(made->library.layout->is_ucp != 0);
    nnrt__log(NNRT_LOG_INFO, "Horizon BPU: %s, version %s, %s%s%s", made->library.name, made->library.version,
              made->march != NULL ? made->march->chips : "a chip that is not known", made->march != NULL ? ", " : "",
              made->march != NULL ? made->march->name : "");
    *device = made;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ places */

/* Waits for a place, after waiters of the same or a higher priority. false: turn->given_up, without a place. */
NNRT__FN bool nnrt__bpu_take_place(nnrt__bpu_device *device, nnrt__bpu_waiting *turn) {
    nnrt__bpu_waiting **link = &device->waiting;
    bool taken;
    nnrt__mutex_lock(&device->mutex);
    while (*link != NULL && (*link)->priority >= turn->priority) link = &(*link)->next;
    turn->next = *link;
    *link = turn;
    while (!turn->given_up && (device->places == 0 || device->waiting != turn))
        nnrt__cond_wait(&device->changed, &device->mutex);
    taken = !turn->given_up;
    NNRT_ASSERT(!taken || (device->places != 0 && device->waiting == turn));
    if (taken) device->places--;
    for (link = &device->waiting; *link != turn; link = &(*link)->next) continue;
    *link = turn->next;
    nnrt__cond_broadcast(&device->changed); /* another one may be first now */
    nnrt__mutex_unlock(&device->mutex);
    return taken;
}

/* The task was released, or never made. */
NNRT__FN void nnrt__bpu_give_place(nnrt__bpu_device *device) {
    nnrt__mutex_lock(&device->mutex);
    device->places++;
    nnrt__cond_broadcast(&device->changed);
    nnrt__mutex_unlock(&device->mutex);
}

/* From another thread: makes a present or future wait with turn end. */
NNRT__FN void nnrt__bpu_give_up_turn(nnrt__bpu_device *device, nnrt__bpu_waiting *turn) {
    nnrt__mutex_lock(&device->mutex);
    turn->given_up = true;
    nnrt__cond_broadcast(&device->changed);
    nnrt__mutex_unlock(&device->mutex);
}

#endif /* NNRT_BPU_DEVICE_H */
