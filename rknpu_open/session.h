/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/session.h - an image in the memory of the NPU, and its runs.   >>rknpu_open_session

   Open checks the image, whoever it comes from (check.h), makes its memory, clears it, copies in what is loaded, and
   gives the words whole addresses where the NPU adds no base. A run puts the inputs into their layouts, has the driver
   run all tasks, and takes the outputs out.

   A session is for one run at a time: others wait for it, in whichever thread. Several sessions, of one program or of
   many, share the NPU by the driver's queue; each has a device and memory of its own, and none sees another's.

   A run that does not end in time is OH_NN_TIMEOUT. The drivers reset the NPU then (which others who use it feel: a
   deadline is for what goes wrong, not for what is slow), so the session stays as it is. When two runs in a row had a
   second and did not end, or the device says that it is gone, the session is dead, and every further run is
   OH_NN_CONNECTION_EXCEPTION. (Somebody's RV1103 had to be switched off and on after a job that hung.) */
#ifndef NNRT_RKNPU_OPEN_SESSION_H
#define NNRT_RKNPU_OPEN_SESSION_H

#include "find.h"

#define NNRT__OPEN_NPU_NO_DEADLINE_MS 6000u /* what the vendor's runtime gives each job */
#define NNRT__OPEN_NPU_HANGS_MS 1000u       /* a run that had so long and did not end, hangs */

typedef struct nnrt__open_npu_session {
    nnrt__open_npu_job job;
    nnrt__open_npu_header header;
    nnrt__open_npu_port *ports; /* inputs, then outputs */
    nnrt__mutex mutex;          /* held during a run */
    bool channels_first;        /* of outputs in planes; else they come as [height, width, channels] */
    uint32_t hung;              /* runs in a row that did not end in NNRT__OPEN_NPU_HANGS_MS */
    bool dead;
} nnrt__open_npu_session;

/* --------------------------------------------------------------------------------------------------- layouts */

/* [height, width, channels] to where the NPU reads it. Lanes past the channels become 0: other tasks may have used
   them. */
NNRT__FN void nnrt__open_npu_port_put(const nnrt__open_npu_port *p, const uint8_t *from, uint8_t *to) {
    const size_t row = (size_t)p->width * p->channels, pixels = (size_t)p->height * p->width;
    uint32_t first;
    size_t i;
    if (p->layout == NNRT__OPEN_NPU_FLAT) memcpy(to, from, pixels * p->channels);
    for (i = 0; p->layout == NNRT__OPEN_NPU_PIXELS && i < p->height; i++)
        memcpy(to + i * p->row_bytes, from + i * row, row);
    for (first = 0; p->layout == NNRT__OPEN_NPU_PLANES && first < p->channels; first += NNRT__OPEN_NPU_LANES) {
        const uint32_t left = p->channels - first, count = left < NNRT__OPEN_NPU_LANES ? left : NNRT__OPEN_NPU_LANES;
        uint8_t *atom = to + (size_t)(first / NNRT__OPEN_NPU_LANES) * p->plane_bytes;
        for (i = 0; i < pixels; i++, atom += NNRT__OPEN_NPU_LANES) {
            memcpy(atom, from + i * p->channels + first, count);
            memset(atom + count, 0, NNRT__OPEN_NPU_LANES - count);
        }
    }
}

/* The same as [channels, height, width]. */
NNRT__FN void nnrt__open_npu_port_get_first(const nnrt__open_npu_port *p, const uint8_t *from, uint8_t *to) {
    const size_t pixels = (size_t)p->height * p->width;
    uint32_t c;
    size_t i;
    for (c = 0; c < p->channels; c++) {
        const uint8_t *lane = from + (size_t)(c / NNRT__OPEN_NPU_LANES) * p->plane_bytes + c % NNRT__OPEN_NPU_LANES;
        for (i = 0; i < pixels; i++) *to++ = lane[i * NNRT__OPEN_NPU_LANES];
    }
}

NNRT__FN void nnrt__open_npu_port_get(const nnrt__open_npu_port *p, const uint8_t *from, uint8_t *to) {
    const size_t row = (size_t)p->width * p->channels, pixels = (size_t)p->height * p->width;
    uint32_t first;
    size_t i;
    if (p->layout == NNRT__OPEN_NPU_FLAT) memcpy(to, from, pixels * p->channels);
    for (i = 0; p->layout == NNRT__OPEN_NPU_PIXELS && i < p->height; i++)
        memcpy(to + i * row, from + i * p->row_bytes, row);
    for (first = 0; p->layout == NNRT__OPEN_NPU_PLANES && first < p->channels; first += NNRT__OPEN_NPU_LANES) {
        const uint32_t left = p->channels - first, count = left < NNRT__OPEN_NPU_LANES ? left : NNRT__OPEN_NPU_LANES;
        const uint8_t *atom = from + (size_t)(first / NNRT__OPEN_NPU_LANES) * p->plane_bytes;
        for (i = 0; i < pixels; i++, atom += NNRT__OPEN_NPU_LANES) memcpy(to + i * p->channels + first, atom, count);
    }
}

/* ------------------------------------------------------------------------------------------------- to open it */

/* Adds the base to the value of the word. */
NNRT__FN void nnrt__open_npu_move_word(uint8_t *word, uint32_t base) {
    const uint32_t value = nnrt__read_u32(word + 2) + base;
    memcpy(word + 2, &value, sizeof(value));
}

/* Words get whole addresses: those of registers for addresses, and those that lead to the next task. The image was
   checked, so each of them lies in the memory, whose end is below 4 GiB. */
NNRT__FN void nnrt__open_npu_move_words(const void *image, const nnrt__open_npu_header *header, uint8_t *memory,
                                        uint32_t base) {
    uint32_t i, w;
    for (i = 0; i < header->task_count; i++) {
        nnrt__open_npu_task task;
        uint8_t *words;
        nnrt__open_npu_task_read(image, header, i, &task);
        words = memory + task.words;
        for (w = 0; w < task.amount; w++)
            if (nnrt__open_npu_is_address(nnrt__read_u16(words + (size_t)w * 8)))
                nnrt__open_npu_move_word(words + (size_t)w * 8, base);
        if (i + 1 < header->task_count) nnrt__open_npu_move_word(words + (size_t)task.amount * 8, base);
    }
}

/* What the driver has to know of the tasks. false: it does not run one of them. */
NNRT__FN bool nnrt__open_npu_look_at_tasks(const void *image, const nnrt__open_npu_header *header,
                                           nnrt__open_npu_job *job) {
    uint32_t i, w;
    job->task_count = header->task_count;
    job->alternates = true;
    for (i = 0; i < header->task_count; i++) {
        const uint8_t *words;
        nnrt__open_npu_task task;
        nnrt__open_npu_task_read(image, header, i, &task);
        if (task.enable == NNRT__OPEN_NPU_RUN_POOL && !job->driver->chains) return false;
        words = (const uint8_t *)image + header->loaded + task.words;
        for (w = 0; w < task.amount; w++) /* a pointer that goes back to the first group, as tables need it */
            if ((nnrt__read_u16(words + (size_t)w * 8) & 0xfff) == 4 &&
                nnrt__read_u32(words + (size_t)w * 8 + 2) == 0x30)
                job->alternates = false;
    }
    return true;
}

/* Memory, with all that the image brings. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_load(nnrt__open_npu_session *self, const void *image) {
    nnrt__open_npu_job *job = &self->job;
    const nnrt__open_npu_header *header = &self->header;
    const size_t ports = ((size_t)header->input_count + header->output_count) * sizeof(nnrt__open_npu_port);
    OH_NN_ReturnCode code;
    if (!nnrt__open_npu_look_at_tasks(image, header, job))
        return nnrt__fail(
            OH_NN_UNSUPPORTED,
            "the driver %s does not notice the end of a pooling: it has to stay with the CPU (nnrt.target "
            "rk3588-rocket)",
            job->driver->name);
    self->ports = (nnrt__open_npu_port *)nnrt__alloc(ports);
    if (self->ports == NULL) return nnrt__fail_memory();
    memcpy(self->ports, (const uint8_t *)image + header->ports, ports);
    code = job->driver->allocate(job->driver, job->fd, header->memory_size, &job->memory);
    if (code != OH_NN_SUCCESS) return code;
    memcpy(job->memory.map, (const uint8_t *)image + header->loaded, header->loaded_size);
    memset(job->memory.map + header->loaded_size, 0, header->memory_size - header->loaded_size);
    if (!job->driver->has_base)
        nnrt__open_npu_move_words(image, header, job->memory.map, (uint32_t)job->memory.address);
    code = job->driver->prepare(job, image);
    if (code == OH_NN_SUCCESS) code = job->driver->to_device(job, 0, header->memory_size);
    return code;
}

/* Nothing runs. NULL is allowed. */
NNRT__FN void nnrt__open_npu_close(nnrt__open_npu_session *session) {
    if (session == NULL) return;
    session->job.driver->forget(&session->job);
    session->job.driver->release(session->job.driver, session->job.fd, &session->job.memory);
    (void)close(session->job.fd);
    nnrt__mutex_destroy(&session->mutex);
    nnrt__free(session->ports);
    nnrt__free(session);
}

/* *session is closed by nnrt__open_npu_close; on failure it is NULL and nothing is left. The image, of size bytes at
   any address, is not needed any more.
   OH_NN_INVALID_FILE: check.h refuses the image. OH_NN_UNAVAILABLE_DEVICE: the board has no NPU of its chip, or the
   driver refuses a call. OH_NN_UNSUPPORTED: the driver does not run its tasks. OH_NN_MEMORY_ERROR,
   OH_NN_CONNECTION_EXCEPTION: the device is gone. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_open(const void *image, size_t size, nnrt__open_npu_session **session) {
    nnrt__open_npu_device device;
    nnrt__open_npu_chip chip;
    nnrt__open_npu_session *made;
    char sentence[NNRT__SENTENCE_SIZE];
    OH_NN_ReturnCode code = nnrt__open_npu_check(image, size);
    *session = NULL;
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__open_npu_look(&chip, &device, sentence, sizeof(sentence)))
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s", sentence);
    made = (nnrt__open_npu_session *)nnrt__alloc_zero(1, sizeof(*made));
    if (made == NULL || !nnrt__mutex_init(&made->mutex)) {
        nnrt__free(made);
        (void)close(device.fd);
        return nnrt__fail_memory();
    }
    nnrt__open_npu_header_read(image, &made->header);
    made->job.driver = device.driver;
    made->job.fd = device.fd;
    made->job.memory.fd = made->job.tasks.fd = -1;
    code = made->header.chip == (uint32_t)chip
               ? nnrt__open_npu_load(made, image)
               : nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the image is for another NPU than this board's: %s", sentence);
    if (code != OH_NN_SUCCESS) nnrt__open_npu_close(made);
    else *session = made;
    return code;
}

/* -------------------------------------------------------------------------------------------------- to run it */

/* The mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_run_held(nnrt__open_npu_session *self, const void *const *inputs,
                                                  void *const *outputs, uint64_t deadline_ns) {
    const nnrt__open_npu_driver *driver = self->job.driver;
    const uint32_t count = self->header.input_count;
    OH_NN_ReturnCode code = driver->settle(&self->job);
    uint32_t i;
    for (i = 0; code == OH_NN_SUCCESS && i < count; i++) {
        const nnrt__open_npu_port *port = &self->ports[i];
        nnrt__open_npu_port_put(port, (const uint8_t *)inputs[i], self->job.memory.map + port->offset);
        code = driver->to_device(&self->job, port->offset, port->size);
    }
    if (code == OH_NN_SUCCESS) code = driver->run(&self->job, deadline_ns);
    for (i = 0; code == OH_NN_SUCCESS && i < self->header.output_count; i++)
        code = driver->to_cpu(&self->job, self->ports[count + i].offset, self->ports[count + i].size);
    /* nothing of the program's is changed by a run that fails */
    for (i = 0; code == OH_NN_SUCCESS && i < self->header.output_count; i++) {
        const nnrt__open_npu_port *port = &self->ports[count + i];
        const uint8_t *from = self->job.memory.map + port->offset;
        if (self->channels_first && port->layout == NNRT__OPEN_NPU_PLANES)
            nnrt__open_npu_port_get_first(port, from, (uint8_t *)outputs[i]);
        else nnrt__open_npu_port_get(port, from, (uint8_t *)outputs[i]);
    }
    return code;
}

/* One run. inputs and outputs, as many as the image has, are [height, width, channels] of int8 without gaps and
   overlap in no way. timeout_ms: from now on; 0: 6000, as nothing may hang for ever.
   OH_NN_TIMEOUT: the tasks did not end by then. OH_NN_CONNECTION_EXCEPTION: the device is gone or hangs again and
   again. OH_NN_UNAVAILABLE_DEVICE: the driver refused the run. Outputs are left alone by a run that fails. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_run(nnrt__open_npu_session *session, const void *const *inputs,
                                             void *const *outputs, uint64_t timeout_ms) {
    const uint64_t most = 0x7fffffffu, wanted = timeout_ms != 0 ? timeout_ms : NNRT__OPEN_NPU_NO_DEADLINE_MS;
    const uint64_t deadline_ns = nnrt__now_ns() + (wanted < most ? wanted : most) * 1000000u;
    OH_NN_ReturnCode code;
    uint64_t began;
    nnrt__mutex_lock(&session->mutex);
    began = nnrt__now_ns();
    if (began >= deadline_ns) code = nnrt__fail(OH_NN_TIMEOUT, "another run of the model took all the time");
    else if (session->dead)
        code = nnrt__fail(OH_NN_CONNECTION_EXCEPTION, "the NPU hung or went away in an earlier run: open it again; if "
                                                      "that does not help, switch the board off and on");
    else {
        code = nnrt__open_npu_run_held(session, inputs, outputs, deadline_ns);
        if (code == OH_NN_SUCCESS) session->hung = 0;
        if (code == OH_NN_TIMEOUT && nnrt__now_ns() - began >= NNRT__OPEN_NPU_HANGS_MS * (uint64_t)1000000)
            session->hung++;
        session->dead = code == OH_NN_CONNECTION_EXCEPTION || session->hung == 2;
    }
    nnrt__mutex_unlock(&session->mutex);
    return code;
}

#endif /* NNRT_RKNPU_OPEN_SESSION_H */
