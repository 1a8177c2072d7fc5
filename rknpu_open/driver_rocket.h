/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/driver_rocket.h - mainline's driver, of RK3588.   >>rknpu_open_driver_rocket

   What its source says, where it matters here (Linux 6.18, drivers/accel/rocket):

   - It starts the tasks of a job one by one and waits for an interrupt of the DPU after each. A pooling ends without
     one: it would hang for 500 ms and be lost. So images with pooling are refused here, before anything is made, and
     whoever compiles for this driver leaves pooling to the CPU (find.h).
   - A job that takes longer than 500 ms is given up and the NPU reset; PREP_BO then answers as if it had ended well. So
     does SUBMIT for a job that it could not take. What tells the difference is a mark: the last bytes that the last
     task writes are set to noise before each run, and have to be something else behind it. Where an input lies there,
     only the time tells.
   - Memory that a job writes is named once, as its output: named as an input as well it would be locked twice, which
     fails, and which SUBMIT does not tell.
   - A run that passes the program's deadline goes on by itself, for 500 ms at most; the next run waits for it. */
#ifndef NNRT_RKNPU_OPEN_DRIVER_ROCKET_H
#define NNRT_RKNPU_OPEN_DRIVER_ROCKET_H

#include "driver.h"

enum {
    NNRT__OPEN_NPU_ROCKET_CREATE_BO = 0,
    NNRT__OPEN_NPU_ROCKET_SUBMIT = 1,
    NNRT__OPEN_NPU_ROCKET_PREP_BO = 2,
    NNRT__OPEN_NPU_ROCKET_FINI_BO = 3,
    NNRT__OPEN_NPU_ROCKET_GIVES_UP = 500, /* milliseconds */
    NNRT__OPEN_NPU_GEM_CLOSE = 9          /* of all devices of DRM */
};

typedef struct nnrt__open_npu_rocket_create {
    uint32_t size, handle;
    uint64_t address, offset;
} nnrt__open_npu_rocket_create;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rocket_create, 24);

typedef struct nnrt__open_npu_rocket_submit {
    uint64_t jobs;
    uint32_t job_count, job_size;
    uint64_t reserved;
} nnrt__open_npu_rocket_submit;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rocket_submit, 24);

typedef struct nnrt__open_npu_rocket_job {
    uint64_t tasks, inputs, outputs; /* addresses of arrays */
    uint32_t task_count, task_size, input_count, output_count;
} nnrt__open_npu_rocket_job;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rocket_job, 40);

typedef struct nnrt__open_npu_rocket_task {
    uint32_t words, amount; /* with the tail */
} nnrt__open_npu_rocket_task;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rocket_task, 8);

typedef struct nnrt__open_npu_rocket_prep {
    uint32_t handle, reserved;
    int64_t until_ns; /* of CLOCK_MONOTONIC */
} nnrt__open_npu_rocket_prep;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rocket_prep, 16);

typedef struct nnrt__open_npu_rocket_handle {
    uint32_t handle, reserved;
} nnrt__open_npu_rocket_handle;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rocket_handle, 8);

/* Behind the records of the tasks. */
typedef struct nnrt__open_npu_rocket_state {
    uint64_t last;  /* place of the last 16 bytes that the last task writes */
    bool has_place; /* for the mark: no input lies there */
    uint32_t noise;
    uint8_t mark[NNRT__OPEN_NPU_LANES];
    nnrt__open_npu_rocket_task tasks[1]; /* as many as there are */
} nnrt__open_npu_rocket_state;

NNRT__FN int nnrt__open_npu_rocket_call(int fd, uint32_t call, uint32_t direction, void *argument, uint32_t size) {
    return nnrt__open_npu_ioctl(fd, (unsigned long)_IOC(direction, 'd', 0x40 + call, size), argument);
}

NNRT__FN void nnrt__open_npu_rocket_release(const nnrt__open_npu_driver *driver, int fd,
                                            nnrt__open_npu_memory *memory) {
    nnrt__open_npu_rocket_handle close_it;
    (void)driver;
    nnrt__open_npu_unmap(memory);
    if (memory->handle != 0) {
        close_it.handle = memory->handle;
        close_it.reserved = 0;
        (void)nnrt__open_npu_ioctl(fd, (unsigned long)_IOC(_IOC_WRITE, 'd', NNRT__OPEN_NPU_GEM_CLOSE, sizeof(close_it)),
                                   &close_it);
    }
    memset(memory, 0, sizeof(*memory));
    memory->fd = -1;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_allocate(const nnrt__open_npu_driver *driver, int fd, size_t size,
                                                         nnrt__open_npu_memory *memory) {
    nnrt__open_npu_rocket_create create;
    OH_NN_ReturnCode code;
    int error;
    memset(memory, 0, sizeof(*memory));
    memory->fd = -1;
    memory->size = size;
    memset(&create, 0, sizeof(create));
    create.size = (uint32_t)size; /* below NNRT__OPEN_NPU_MOST_MEMORY */
    error = nnrt__open_npu_rocket_call(fd, NNRT__OPEN_NPU_ROCKET_CREATE_BO, _IOC_READ | _IOC_WRITE, &create,
                                       sizeof(create));
    if (error != 0) return nnrt__open_npu_fail("ROCKET_CREATE_BO", error);
    memory->handle = create.handle;
    memory->address = create.address;
    code = nnrt__open_npu_map(fd, create.offset, memory);
    if (code == OH_NN_SUCCESS) code = nnrt__open_npu_fits(memory);
    if (code != OH_NN_SUCCESS) nnrt__open_npu_rocket_release(driver, fd, memory);
    return code;
}

/* Where the last atom of the last task goes; it is checked, of a convolution or of the DPU alone. The memory is mapped,
   its words are those of the image. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_find_last(const void *image, uint64_t *last) {
    nnrt__open_npu_header header;
    nnrt__open_npu_task task;
    nnrt__open_npu_check_out out;
    nnrt__open_npu_check_state *s = (nnrt__open_npu_check_state *)nnrt__alloc(sizeof(*s));
    uint64_t row, pixel;
    uint32_t gap, planes;
    if (s == NULL) return nnrt__fail_memory();
    nnrt__open_npu_header_read(image, &header);
    nnrt__open_npu_task_read(image, &header, header.task_count - 1, &task);
    s->chip = (nnrt__open_npu_chip)header.chip;
    s->rows = nnrt__open_npu_rows_of(s->chip);
    s->task = header.task_count - 1;
    (void)nnrt__open_npu_take_words(s, (const uint8_t *)image + header.loaded + task.words, task.amount, task.enable);
    nnrt__open_npu_out_read(s, &out);
    gap = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, 0, 13);
    planes = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 16, 13) / NNRT__OPEN_NPU_LANES + 1;
    pixel = NNRT__OPEN_NPU_LANES;
    row = ((uint64_t)out.width + gap) * NNRT__OPEN_NPU_LANES;
    if (task.enable == NNRT__OPEN_NPU_RUN_CONV && gap != 0) {
        pixel = ((uint64_t)gap + 1) * NNRT__OPEN_NPU_LANES;
        row = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD);
    }
    *last = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR) +
            (uint64_t)(planes - 1) * nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE) +
            (uint64_t)(out.height - 1) * row + (uint64_t)(out.width - 1) * pixel;
    /* Nearest neighbours: the width is that of the output, the height that of the input. */
    if (nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DATA_FORMAT) == 0x04000000)
        *last = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR) +
                ((uint64_t)out.width * out.height * 2 - 1) * NNRT__OPEN_NPU_LANES;
    nnrt__free(s);
    return OH_NN_SUCCESS;
}

/* Do bytes of an input lie there? */
NNRT__FN bool nnrt__open_npu_rocket_is_input(const void *image, const nnrt__open_npu_header *header, uint64_t last) {
    uint32_t i;
    for (i = 0; i < header->input_count; i++) {
        nnrt__open_npu_port port;
        nnrt__open_npu_port_read(image, header, i, &port);
        if (last + NNRT__OPEN_NPU_LANES > port.offset && last < (uint64_t)port.offset + port.size) return true;
    }
    return false;
}

/* All of the memory: the driver knows no parts. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_flush(nnrt__open_npu_job *job) {
    nnrt__open_npu_rocket_handle fini;
    int error;
    fini.handle = job->memory.handle;
    fini.reserved = 0;
    error = nnrt__open_npu_rocket_call(job->fd, NNRT__OPEN_NPU_ROCKET_FINI_BO, _IOC_WRITE, &fini, sizeof(fini));
    return error == 0 ? OH_NN_SUCCESS : nnrt__open_npu_fail("ROCKET_FINI_BO", error);
}

/* Tasks stand alone: the words that lead to the next one become 0. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_prepare(nnrt__open_npu_job *job, const void *image) {
    nnrt__open_npu_header header;
    nnrt__open_npu_rocket_state *state;
    OH_NN_ReturnCode code;
    uint32_t i;
    nnrt__open_npu_header_read(image, &header);
    state = (nnrt__open_npu_rocket_state *)nnrt__alloc_zero(1, sizeof(*state) + (size_t)job->task_count *
                                                                                    sizeof(nnrt__open_npu_rocket_task));
    if (state == NULL) return nnrt__fail_memory();
    job->records = state;
    for (i = 0; i < job->task_count; i++) {
        const uint64_t ends[2] = {nnrt__open_npu_check_word(0x101, NNRT__OPEN_NPU_PC_BASE_ADDRESS, 0),
                                  nnrt__open_npu_check_word(0x101, NNRT__OPEN_NPU_PC_REGISTER_AMOUNTS, 0)};
        nnrt__open_npu_task task;
        nnrt__open_npu_task_read(image, &header, i, &task);
        memcpy(job->memory.map + task.words + (size_t)task.amount * 8, ends, sizeof(ends));
        state->tasks[i].words = (uint32_t)job->memory.address + task.words;
        state->tasks[i].amount = task.amount + NNRT__OPEN_NPU_TAIL;
    }
    code = nnrt__open_npu_rocket_find_last(image, &state->last);
    if (code != OH_NN_SUCCESS) return code;
    state->has_place = !nnrt__open_npu_rocket_is_input(image, &header, state->last);
    return nnrt__open_npu_rocket_flush(job); /* PREP_BO forgets what the CPU has written and not flushed */
}

NNRT__FN void nnrt__open_npu_rocket_forget(nnrt__open_npu_job *job) {
    nnrt__free(job->records);
    job->records = NULL;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_wait(nnrt__open_npu_job *job, uint64_t until_ns) {
    nnrt__open_npu_rocket_prep prep;
    int error;
    prep.handle = job->memory.handle;
    prep.reserved = 0;
    prep.until_ns = until_ns > INT64_MAX ? INT64_MAX : (int64_t)until_ns;
    error = nnrt__open_npu_rocket_call(job->fd, NNRT__OPEN_NPU_ROCKET_PREP_BO, _IOC_WRITE, &prep, sizeof(prep));
    return error == 0 ? OH_NN_SUCCESS : nnrt__open_npu_fail("ROCKET_PREP_BO", error);
}

/* Longer than a job that was given up can go on, with others before it. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_settle(nnrt__open_npu_job *job) {
    return nnrt__open_npu_rocket_wait(job, nnrt__now_ns() + (uint64_t)NNRT__OPEN_NPU_ROCKET_GIVES_UP * 4 * 1000000u);
}

/* A run does it, for all that was written since the last. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_to_device(nnrt__open_npu_job *job, size_t offset, size_t size) {
    (void)job;
    (void)offset;
    (void)size;
    return OH_NN_SUCCESS;
}

/* Waiting for the run has done it. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_to_cpu(nnrt__open_npu_job *job, size_t offset, size_t size) {
    (void)job;
    (void)offset;
    (void)size;
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__open_npu_rocket_mark(nnrt__open_npu_job *job, nnrt__open_npu_rocket_state *state) {
    uint32_t i;
    if (!state->has_place) return;
    for (i = 0; i < NNRT__OPEN_NPU_LANES; i++) {
        state->noise = state->noise * 1664525u + 1013904223u;
        state->mark[i] = (uint8_t)(state->noise >> 24);
    }
    memcpy(job->memory.map + state->last, state->mark, sizeof(state->mark));
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rocket_run(nnrt__open_npu_job *job, uint64_t deadline_ns) {
    nnrt__open_npu_rocket_state *state = (nnrt__open_npu_rocket_state *)job->records;
    const uint64_t began = nnrt__now_ns();
    nnrt__open_npu_rocket_submit submit;
    nnrt__open_npu_rocket_job work;
    OH_NN_ReturnCode code;
    bool in_time;
    int error;
    nnrt__open_npu_rocket_mark(job, state);
    code = nnrt__open_npu_rocket_flush(job);
    if (code != OH_NN_SUCCESS) return code;
    memset(&work, 0, sizeof(work));
    work.tasks = (uint64_t)(uintptr_t)state->tasks;
    work.task_count = job->task_count;
    work.task_size = sizeof(nnrt__open_npu_rocket_task);
    work.outputs = (uint64_t)(uintptr_t)&job->memory.handle;
    work.output_count = 1;
    memset(&submit, 0, sizeof(submit));
    submit.jobs = (uint64_t)(uintptr_t)&work;
    submit.job_count = 1;
    submit.job_size = sizeof(work);
    error = nnrt__open_npu_rocket_call(job->fd, NNRT__OPEN_NPU_ROCKET_SUBMIT, _IOC_WRITE, &submit, sizeof(submit));
    if (error != 0) return nnrt__open_npu_fail("ROCKET_SUBMIT", error);
    code = nnrt__open_npu_rocket_wait(job, deadline_ns);
    if (code != OH_NN_SUCCESS) return code;
    in_time = nnrt__now_ns() - began < (uint64_t)NNRT__OPEN_NPU_ROCKET_GIVES_UP * 1000000u;
    if (state->has_place ? memcmp(job->memory.map + state->last, state->mark, sizeof(state->mark)) != 0 : in_time)
        return OH_NN_SUCCESS;
    if (in_time)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "ROCKET_SUBMIT: the driver did not take the job, or the NPU left "
                                                    "it; dmesg may say why");
    return nnrt__fail(OH_NN_TIMEOUT, "ROCKET_SUBMIT: the NPU did not finish in %u ms, and the driver gave the job up",
                      (unsigned)NNRT__OPEN_NPU_ROCKET_GIVES_UP);
}

static const nnrt__open_npu_driver nnrt__open_npu_rocket = {"rocket",
                                                            true,
                                                            false,
                                                            false,
                                                            nnrt__open_npu_rocket_allocate,
                                                            nnrt__open_npu_rocket_release,
                                                            nnrt__open_npu_rocket_prepare,
                                                            nnrt__open_npu_rocket_forget,
                                                            nnrt__open_npu_rocket_settle,
                                                            nnrt__open_npu_rocket_to_device,
                                                            nnrt__open_npu_rocket_to_cpu,
                                                            nnrt__open_npu_rocket_run};

#endif /* NNRT_RKNPU_OPEN_DRIVER_ROCKET_H */
