/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/tasks.h - tasks: submit, query, wait.   >>dsp_tasks

   Query is called without blocking and nnrt keeps the deadline: the library's blocking Query may take 50 seconds, and
   no library seen so far has a Query_Timeout. A task is over when Query says so or returns its result, which it does
   once; any other code is about the query itself. */
#ifndef NNRT_DSP_TASKS_H
#define NNRT_DSP_TASKS_H

#include "core.h"

#define NNRT__DSP_FIRST_PAUSE_NS 50000u /* between two Queries; doubled up to */
#define NNRT__DSP_LAST_PAUSE_NS 1000000u

/* -------------------------------------------------------------------------------------------------- begin */

/* A free place; NNRT__DSP_PLACES: none. */
NNRT__FN uint32_t nnrt__dsp_free_place(const nnrt_dsp *dsp) {
    uint32_t i = 0;
    while (i < NNRT__DSP_PLACES && dsp->places[i].used) i++;
    return i;
}

/* Submits the message as a task. The mutex is held and place is free; destination is flushed when the task is over. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_send(nnrt_dsp *dsp, const nnrt__dsp_message *message, nnrt_dsp_priority priority,
                                         uint32_t place, const nnrt_dsp_image *destination, nnrt_dsp_task *task) {
    nnrt__dsp_place *own = &dsp->places[place];
    int32_t handle = -1;
    const int32_t vendor_code = dsp->library.functions.submit(&handle, message, dsp->core, (uint32_t)priority);
    NNRT__ASSERT_HELD(&dsp->mutex);
    NNRT_ASSERT(!own->used);
    if (vendor_code != 0) return nnrt__dsp_fail(vendor_code, "HI_MPI_SVP_DSP_RPC");
    own->used = true;
    own->number++;
    own->handle = handle;
    memset(&own->destination, 0, sizeof(own->destination));
    if (destination != NULL) own->destination = *destination;
    dsp->unfinished++;
    task->number = own->number;
    task->place = place;
    task->over = false;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_check_task(const nnrt_dsp *dsp, nnrt_dsp_priority priority,
                                               const nnrt_dsp_task *task) {
    if (dsp == NULL || task == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "dsp and task may not be NULL");
    if ((unsigned)priority < NNRT__DSP_PRIORITIES) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "priority %u is none of the three", (unsigned)priority);
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_fail_places(void) {
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%u tasks are unfinished: wait for one", (unsigned)NNRT__DSP_PLACES);
}

NNRT_API uint32_t nnrt_dsp_user_command(const nnrt_dsp *dsp, uint32_t index) {
    if (dsp == NULL || index > UINT32_MAX - 1 - dsp->last_command) return 0;
    return dsp->last_command + 1 + index;
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_submit(nnrt_dsp *dsp, const nnrt_dsp_message *message, nnrt_dsp_priority priority,
                                          nnrt_dsp_task *task) {
    nnrt__dsp_message own;
    uint32_t place;
    OH_NN_ReturnCode code = nnrt__dsp_check_task(dsp, priority, task);
    if (code != OH_NN_SUCCESS) return code;
    if (message == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "message is NULL");
    if (message->command <= NNRT__DSP_EXIT || message->command == dsp->last_command) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "command %u is the system's: those of the program begin at %u",
                          (unsigned)message->command, (unsigned)dsp->last_command + 1);
    }
    if (message->size != 0 && message->body == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "a body of %u bytes at physical address 0", (unsigned)message->size);
    }
    memset(&own, 0, sizeof(own));
    own.command = message->command;
    own.id = message->id;
    own.body = message->body;
    own.size = message->size;
    nnrt__mutex_lock(&dsp->mutex);
    place = nnrt__dsp_free_place(dsp);
    code = place < NNRT__DSP_PLACES ? nnrt__dsp_send(dsp, &own, priority, place, NULL, task) : nnrt__dsp_fail_places();
    nnrt__mutex_unlock(&dsp->mutex);
    return code;
}

/* ------------------------------------------------------------------------------------------------ pictures */

/* Bytes from the first row to the end of the last one. 0: the picture is invalid. */
NNRT__FN uint64_t nnrt__dsp_image_bytes(const nnrt_dsp_image *image) {
    if (image->physical == 0 || image->width == 0 || image->height == 0 || image->stride < image->width) return 0;
    return (uint64_t)image->stride * image->height;
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_check_images(const nnrt_dsp_image *source, const nnrt_dsp_image *destination) {
    uint64_t from, to;
    if (source == NULL || destination == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "source and destination may not be NULL");
    }
    from = nnrt__dsp_image_bytes(source);
    to = nnrt__dsp_image_bytes(destination);
    if (from == 0 || to == 0 || from > UINT32_MAX || to > UINT32_MAX || source->physical > UINT64_MAX - from ||
        destination->physical > UINT64_MAX - to) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "a picture of %u by %u with rows %u bytes apart, or at physical address 0, is none",
                          (unsigned)(from == 0 ? source : destination)->width,
                          (unsigned)(from == 0 ? source : destination)->height,
                          (unsigned)(from == 0 ? source : destination)->stride);
    }
    if (source->width != destination->width || source->height != destination->height) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the source is %u by %u and the destination %u by %u",
                          (unsigned)source->width, (unsigned)source->height, (unsigned)destination->width,
                          (unsigned)destination->height);
    }
    if (source->physical < destination->physical + to && destination->physical < source->physical + from) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "source and destination overlap");
    }
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__dsp_describe(const nnrt_dsp_image *image, nnrt__dsp_picture *to) {
    memset(to, 0, sizeof(*to));
    to->physical[0] = image->physical;
    to->address[0] = (uint64_t)(uintptr_t)image->data;
    to->stride[0] = image->stride;
    to->width = image->width;
    to->height = image->height;
}

/* Writes back and invalidates the CPU's cache of the picture. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_flush_image(const nnrt_dsp *dsp, const nnrt_dsp_image *image) {
    if (image->data == NULL) return OH_NN_SUCCESS;
    return nnrt__mmz_flush(&dsp->library.functions.mmz, image->physical, image->data, image->stride * image->height);
}

/* Erode or dilate. The destination is flushed before as well, so that no dirty cache line is written back later. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_filter(nnrt_dsp *dsp, uint32_t command, const nnrt_dsp_image *source,
                                           const nnrt_dsp_image *destination, nnrt_dsp_priority priority,
                                           nnrt_dsp_task *task) {
    nnrt__dsp_message message;
    uint32_t place;
    OH_NN_ReturnCode code = nnrt__dsp_check_task(dsp, priority, task);
    if (code == OH_NN_SUCCESS) code = nnrt__dsp_check_images(source, destination);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&dsp->mutex);
    place = nnrt__dsp_free_place(dsp);
    if (place == NNRT__DSP_PLACES) code = nnrt__dsp_fail_places();
    if (code == OH_NN_SUCCESS) code = nnrt__dsp_flush_image(dsp, source);
    if (code == OH_NN_SUCCESS) code = nnrt__dsp_flush_image(dsp, destination);
    if (code == OH_NN_SUCCESS) {
        nnrt__dsp_describe(source, &dsp->mapped[place].source);
        nnrt__dsp_describe(destination, &dsp->mapped[place].destination);
        memset(&message, 0, sizeof(message));
        message.command = command;
        message.body = dsp->bodies + place * sizeof(nnrt__dsp_body);
        message.size = (uint32_t)sizeof(nnrt__dsp_body);
        code = nnrt__dsp_send(dsp, &message, priority, place, destination, task);
    }
    nnrt__mutex_unlock(&dsp->mutex);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_erode_3x3(nnrt_dsp *dsp, const nnrt_dsp_image *source,
                                             const nnrt_dsp_image *destination, nnrt_dsp_priority priority,
                                             nnrt_dsp_task *task) {
    return nnrt__dsp_filter(dsp, NNRT__DSP_ERODE_3X3, source, destination, priority, task);
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_dilate_3x3(nnrt_dsp *dsp, const nnrt_dsp_image *source,
                                              const nnrt_dsp_image *destination, nnrt_dsp_priority priority,
                                              nnrt_dsp_task *task) {
    return nnrt__dsp_filter(dsp, NNRT__DSP_DILATE_3X3, source, destination, priority, task);
}

/* ---------------------------------------------------------------------------------------------------- end */

/* Whether a code of Query is the task's result. */
NNRT__FN bool nnrt__dsp_is_final(int32_t vendor_code) {
    const uint32_t code = (uint32_t)vendor_code;
    return code == NNRT__DSP_SYS_TIMEOUT || code == NNRT__DSP_ILLEGAL_PARAM || code == NNRT__DSP_INVALID_DEVID ||
           code == NNRT__DSP_UNEXIST;
}

/* Queries the task of a place once; the mutex is held. *over: the place is free. OH_NN_TIMEOUT, without a sentence: not
   over yet. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_ask(nnrt_dsp *dsp, nnrt__dsp_place *place, bool *over) {
    int32_t finished = 0;
    const int32_t vendor_code = dsp->library.functions.query(dsp->core, place->handle, &finished, 0);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    NNRT__ASSERT_HELD(&dsp->mutex);
    NNRT_ASSERT(place->used);
    *over = vendor_code == 0 ? finished != 0 : nnrt__dsp_is_final(vendor_code);
    if (vendor_code != 0 && (uint32_t)vendor_code != NNRT__DSP_QUERY_TIMEOUT) {
        code = nnrt__dsp_fail(vendor_code, "HI_MPI_SVP_DSP_Query");
    } else if (!*over) {
        return OH_NN_TIMEOUT;
    }
    if (!*over) return code;
    if (code == OH_NN_SUCCESS) code = nnrt__dsp_flush_image(dsp, &place->destination);
    place->used = false;
    dsp->unfinished--;
    return code;
}

/* Queries task, which must be the one in its place. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_ask_about(nnrt_dsp *dsp, nnrt_dsp_task *task) {
    OH_NN_ReturnCode code;
    nnrt__mutex_lock(&dsp->mutex);
    if (task->place >= NNRT__DSP_PLACES || !dsp->places[task->place].used ||
        dsp->places[task->place].number != task->number) {
        code =
            nnrt__fail(OH_NN_INVALID_PARAMETER, "the core has no such task: it was over before, or is another core's");
    } else {
        code = nnrt__dsp_ask(dsp, &dsp->places[task->place], &task->over);
    }
    nnrt__mutex_unlock(&dsp->mutex);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_wait(nnrt_dsp *dsp, nnrt_dsp_task *task, uint32_t timeout_ms) {
    const uint64_t begin = nnrt__now_ns(), time = (uint64_t)timeout_ms * 1000000u;
    uint64_t pause = NNRT__DSP_FIRST_PAUSE_NS;
    const OH_NN_ReturnCode checked = nnrt__dsp_check_task(dsp, NNRT_DSP_PRIORITY_HIGH, task);
    if (checked != OH_NN_SUCCESS) return checked;
    for (;;) {
        const OH_NN_ReturnCode code = nnrt__dsp_ask_about(dsp, task);
        const uint64_t gone = nnrt__now_ns() - begin;
        if (code != OH_NN_TIMEOUT) return code;
        if (gone >= time) {
            return nnrt__fail(OH_NN_TIMEOUT, "the task is not over after %u ms", (unsigned)timeout_ms);
        }
        nnrt__sleep_ns(pause < time - gone ? pause : time - gone);
        if (pause < NNRT__DSP_LAST_PAUSE_NS) pause *= 2;
    }
}

/* Collects finished tasks that nobody waited for, and counts the rest and the memories; another thread may be waiting
   for one. */
NNRT__FN void nnrt__dsp_tidy(nnrt_dsp *dsp, uint32_t *unfinished, uint32_t *memories) {
    uint32_t i;
    bool over;
    nnrt__mutex_lock(&dsp->mutex);
    for (i = 0; i < NNRT__DSP_PLACES; i++) {
        if (dsp->places[i].used) (void)nnrt__dsp_ask(dsp, &dsp->places[i], &over);
    }
    *unfinished = dsp->unfinished;
    *memories = dsp->memories;
    nnrt__mutex_unlock(&dsp->mutex);
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_close(nnrt_dsp **dsp) {
    nnrt_dsp *own = dsp != NULL ? *dsp : NULL;
    uint32_t unfinished, memories;
    if (own == NULL) return OH_NN_SUCCESS;
    nnrt__dsp_tidy(own, &unfinished, &memories);
    if (unfinished != 0 || memories != 0) {
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%u tasks are unfinished and %u memories not freed",
                          (unsigned)unfinished, (unsigned)memories);
    }
    *dsp = NULL;
    return nnrt__dsp_end(own);
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_close_hanging(nnrt_dsp **dsp) {
    nnrt_dsp *own = dsp != NULL ? *dsp : NULL;
    uint32_t unfinished, memories;
    if (own == NULL) return OH_NN_SUCCESS;
    nnrt__dsp_tidy(own, &unfinished, &memories);
    *dsp = NULL;
    return nnrt__dsp_end(own);
}

#endif /* NNRT_DSP_TASKS_H */
