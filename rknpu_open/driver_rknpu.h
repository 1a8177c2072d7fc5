/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/driver_rknpu.h - Rockchip's driver, 0.8.2 to 0.9.8, of either build.   >>rknpu_open_driver_rknpu

   As a device of its own (magic 'r', RV1103 and RV1106) MEM_CREATE gives a file descriptor, from which memory is mapped
   at 0 and which has to be closed as well; as a device of DRM (magic 'd', numbers from 0x40 on) a handle, and MEM_MAP
   the offset in the device's own file. The rest is the same.

   Structures grew between versions, and the device of its own copies what it knows into a structure of its own, as many
   bytes as the number of MEM_CREATE says: that number carries the oldest size, which no version is smaller than, and
   what is passed is larger than any and zero. All numbers of the other calls are the same everywhere.

   SUBMIT waits by itself. When a job does not end, the driver resets the NPU, which lets go of the memory, and answers
   ETIMEDOUT: by the time given to it, or up to three times that in some versions. */
#ifndef NNRT_RKNPU_OPEN_DRIVER_RKNPU_H
#define NNRT_RKNPU_OPEN_DRIVER_RKNPU_H

#include "driver.h"

enum {
    NNRT__OPEN_NPU_RK_ACTION = 0,
    NNRT__OPEN_NPU_RK_SUBMIT = 1,
    NNRT__OPEN_NPU_RK_MEM_CREATE = 2,
    NNRT__OPEN_NPU_RK_MEM_MAP = 3,
    NNRT__OPEN_NPU_RK_MEM_DESTROY = 4,
    NNRT__OPEN_NPU_RK_MEM_SYNC = 5,
    /* memory */
    NNRT__OPEN_NPU_RK_NON_CONTIGUOUS = 1, /* pages behind an IOMMU */
    NNRT__OPEN_NPU_RK_CACHEABLE = 2,
    NNRT__OPEN_NPU_RK_KERNEL_MAPPING = 8,
    NNRT__OPEN_NPU_RK_DMA32 = 128,
    /* syncs */
    NNRT__OPEN_NPU_RK_TO_DEVICE = 1,
    NNRT__OPEN_NPU_RK_FROM_DEVICE = 2,
    /* jobs */
    NNRT__OPEN_NPU_RK_PC = 1,
    NNRT__OPEN_NPU_RK_PINGPONG = 4,
    NNRT__OPEN_NPU_RK_ALL_INTERRUPTS = 0x1ffff,
    /* actions */
    NNRT__OPEN_NPU_RK_GET_DRIVER_VERSION = 1,
    NNRT__OPEN_NPU_RK_MOST_CORES = 3
};

typedef struct nnrt__open_npu_rk_action_data {
    uint32_t flags, value;
} nnrt__open_npu_rk_action_data;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rk_action_data, 8);

typedef struct nnrt__open_npu_rk_mem_create {
    uint32_t handle, flags;
    uint64_t size, object, address, sram_size;
} nnrt__open_npu_rk_mem_create; /* of 0.8.2; later ones have an IOMMU domain and a mask of cores behind it, 0 for us */
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rk_mem_create, 40);

typedef struct nnrt__open_npu_rk_mem_map {
    uint32_t handle, reserved;
    uint64_t offset;
} nnrt__open_npu_rk_mem_map;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rk_mem_map, 16);

typedef struct nnrt__open_npu_rk_mem_destroy {
    uint32_t handle, reserved;
    uint64_t object;
} nnrt__open_npu_rk_mem_destroy;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rk_mem_destroy, 16);

typedef struct nnrt__open_npu_rk_mem_sync {
    uint32_t flags, reserved;
    uint64_t object, offset, size;
} nnrt__open_npu_rk_mem_sync;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rk_mem_sync, 32);

/* The kernel has it packed; it needs no padding, and each lies at a multiple of 8. */
typedef struct nnrt__open_npu_rk_task {
    uint32_t flags, op, enable, interrupts, clears, status, amount, offset;
    uint64_t words;
} nnrt__open_npu_rk_task;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rk_task, 40);

typedef struct nnrt__open_npu_rk_submit {
    uint32_t flags, timeout, first, count, counter;
    int32_t priority;
    uint64_t tasks;  /* the object that the records are in */
    uint64_t domain; /* older ones: another object that nobody reads */
    uint64_t base;   /* that the NPU adds to addresses */
    int64_t elapsed; /* older ones: user data */
    uint32_t cores;  /* 0: the driver chooses one */
    int32_t fence;
    uint32_t of_core[5][2]; /* what each core would run: first, count */
} nnrt__open_npu_rk_submit;
NNRT__OPEN_NPU_IS_SIZED(nnrt__open_npu_rk_submit, 104);

/* What is passed to the driver: as long as any version's, and more. */
typedef union nnrt__open_npu_rk_argument {
    nnrt__open_npu_rk_action_data action;
    nnrt__open_npu_rk_mem_create create;
    nnrt__open_npu_rk_mem_map map;
    nnrt__open_npu_rk_mem_destroy destroy;
    nnrt__open_npu_rk_mem_sync sync;
    nnrt__open_npu_rk_submit submit;
    uint8_t room[256];
} nnrt__open_npu_rk_argument;

NNRT__FN unsigned long nnrt__open_npu_rk_number(bool drm, uint32_t call) {
    static const uint8_t sizes[] = {sizeof(nnrt__open_npu_rk_action_data), sizeof(nnrt__open_npu_rk_submit),
                                    sizeof(nnrt__open_npu_rk_mem_create),  sizeof(nnrt__open_npu_rk_mem_map),
                                    sizeof(nnrt__open_npu_rk_mem_destroy), sizeof(nnrt__open_npu_rk_mem_sync)};
    return drm ? (unsigned long)_IOC(_IOC_READ | _IOC_WRITE, 'd', 0x40 + call, sizes[call])
               : (unsigned long)_IOC(_IOC_READ | _IOC_WRITE, 'r', call, sizes[call]);
}

NNRT__FN void nnrt__open_npu_rk_release(const nnrt__open_npu_driver *driver, int fd, nnrt__open_npu_memory *memory) {
    nnrt__open_npu_rk_argument argument;
    nnrt__open_npu_unmap(memory);
    if (memory->object == 0) return;
    memset(&argument, 0, sizeof(argument));
    argument.destroy.handle = memory->handle;
    argument.destroy.object = memory->object;
    (void)nnrt__open_npu_ioctl(fd, nnrt__open_npu_rk_number(driver->drm, NNRT__OPEN_NPU_RK_MEM_DESTROY), &argument);
    if (memory->fd >= 0) (void)close(memory->fd);
    memset(memory, 0, sizeof(*memory));
    memory->fd = -1;
}

/* extra: flags of this piece alone. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_make(const nnrt__open_npu_driver *driver, int fd, size_t size,
                                                 uint32_t extra, nnrt__open_npu_memory *memory) {
    const bool drm = driver->drm;
    nnrt__open_npu_rk_argument argument;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint64_t offset = 0;
    int error;
    memset(memory, 0, sizeof(*memory));
    memory->fd = -1;
    memory->size = size;
    memset(&argument, 0, sizeof(argument));
    argument.create.size = size;
    argument.create.flags = NNRT__OPEN_NPU_RK_CACHEABLE |
                            (drm ? (uint32_t)NNRT__OPEN_NPU_RK_NON_CONTIGUOUS | NNRT__OPEN_NPU_RK_DMA32 : 0) | extra;
    error = nnrt__open_npu_ioctl(fd, nnrt__open_npu_rk_number(drm, NNRT__OPEN_NPU_RK_MEM_CREATE), &argument);
    if (error != 0) return nnrt__open_npu_fail("RKNPU_MEM_CREATE", error);
    memory->object = argument.create.object;
    memory->handle = argument.create.handle;
    memory->address = argument.create.address;
    if (!drm) memory->fd = (int)memory->handle;
    if (argument.create.size < size || memory->object == 0)
        code = nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "RKNPU_MEM_CREATE: the driver gave less memory than it said");
    if (code == OH_NN_SUCCESS && drm) {
        memset(&argument, 0, sizeof(argument));
        argument.map.handle = memory->handle;
        error = nnrt__open_npu_ioctl(fd, nnrt__open_npu_rk_number(drm, NNRT__OPEN_NPU_RK_MEM_MAP), &argument);
        offset = argument.map.offset;
        if (error != 0) code = nnrt__open_npu_fail("RKNPU_MEM_MAP", error);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__open_npu_map(drm ? fd : memory->fd, offset, memory);
    if (code == OH_NN_SUCCESS) code = nnrt__open_npu_fits(memory);
    if (code != OH_NN_SUCCESS) nnrt__open_npu_rk_release(driver, fd, memory);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_allocate(const nnrt__open_npu_driver *driver, int fd, size_t size,
                                                     nnrt__open_npu_memory *memory) {
    return nnrt__open_npu_rk_make(driver, fd, size, 0, memory);
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_sync(const nnrt__open_npu_job *job, const nnrt__open_npu_memory *memory,
                                                 size_t offset, size_t size, uint32_t flags) {
    nnrt__open_npu_rk_argument argument;
    int error;
    memset(&argument, 0, sizeof(argument));
    argument.sync.flags = flags;
    argument.sync.object = memory->object;
    argument.sync.offset = offset;
    argument.sync.size = size;
    error = nnrt__open_npu_ioctl(job->fd, nnrt__open_npu_rk_number(job->driver->drm, NNRT__OPEN_NPU_RK_MEM_SYNC),
                                 &argument);
    return error == 0 ? OH_NN_SUCCESS : nnrt__open_npu_fail("RKNPU_MEM_SYNC", error);
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_to_device(nnrt__open_npu_job *job, size_t offset, size_t size) {
    return nnrt__open_npu_rk_sync(job, &job->memory, offset, size, NNRT__OPEN_NPU_RK_TO_DEVICE);
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_to_cpu(nnrt__open_npu_job *job, size_t offset, size_t size) {
    return nnrt__open_npu_rk_sync(job, &job->memory, offset, size, NNRT__OPEN_NPU_RK_FROM_DEVICE);
}

/* A record for each task, which the kernel reads by a mapping of its own. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_prepare(nnrt__open_npu_job *job, const void *image) {
    const size_t size = (size_t)job->task_count * sizeof(nnrt__open_npu_rk_task);
    OH_NN_ReturnCode code =
        nnrt__open_npu_rk_make(job->driver, job->fd, size, NNRT__OPEN_NPU_RK_KERNEL_MAPPING, &job->tasks);
    nnrt__open_npu_header header;
    uint32_t i;
    if (code != OH_NN_SUCCESS) return code;
    nnrt__open_npu_header_read(image, &header);
    for (i = 0; i < job->task_count; i++) {
        nnrt__open_npu_task task;
        nnrt__open_npu_rk_task record;
        nnrt__open_npu_task_read(image, &header, i, &task);
        memset(&record, 0, sizeof(record));
        record.op = task.op;
        record.enable = task.enable;
        record.interrupts = task.interrupt;
        record.clears = NNRT__OPEN_NPU_RK_ALL_INTERRUPTS;
        record.amount = task.amount;
        record.words = job->memory.address + task.words; /* whole on all chips */
        memcpy(job->tasks.map + (size_t)i * sizeof(record), &record, sizeof(record));
    }
    return nnrt__open_npu_rk_sync(job, &job->tasks, 0, size, NNRT__OPEN_NPU_RK_TO_DEVICE);
}

NNRT__FN void nnrt__open_npu_rk_forget(nnrt__open_npu_job *job) {
    nnrt__open_npu_rk_release(job->driver, job->fd, &job->tasks);
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_run(nnrt__open_npu_job *job, uint64_t deadline_ns) {
    const bool drm = job->driver->drm;
    nnrt__open_npu_rk_argument argument;
    uint32_t i;
    int error;
    memset(&argument, 0, sizeof(argument));
    argument.submit.flags = NNRT__OPEN_NPU_RK_PC | (job->alternates ? (uint32_t)NNRT__OPEN_NPU_RK_PINGPONG : 0);
    argument.submit.timeout = nnrt__open_npu_milliseconds(deadline_ns);
    argument.submit.count = job->task_count;
    argument.submit.tasks = job->tasks.object;
    argument.submit.base = drm ? 0 : job->memory.address;
    argument.submit.fence = -1;
    for (i = 0; i < NNRT__OPEN_NPU_RK_MOST_CORES; i++) argument.submit.of_core[i][1] = job->task_count;
    error = nnrt__open_npu_ioctl(job->fd, nnrt__open_npu_rk_number(drm, NNRT__OPEN_NPU_RK_SUBMIT), &argument);
    return error == 0 ? OH_NN_SUCCESS : nnrt__open_npu_fail("RKNPU_SUBMIT", error);
}

/* The last task's end was the end of the job. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_rk_settle(nnrt__open_npu_job *job) {
    (void)job;
    return OH_NN_SUCCESS;
}

/* The same functions behind either node; the first fields tell them apart. */
#define NNRT__OPEN_NPU_RK_DRIVER(name, drm, has_base)                                                                  \
    {                                                                                                                  \
        name, drm, has_base, true, nnrt__open_npu_rk_allocate, nnrt__open_npu_rk_release, nnrt__open_npu_rk_prepare,   \
            nnrt__open_npu_rk_forget, nnrt__open_npu_rk_settle, nnrt__open_npu_rk_to_device, nnrt__open_npu_rk_to_cpu, \
            nnrt__open_npu_rk_run                                                                                      \
    }

static const nnrt__open_npu_driver nnrt__open_npu_rk_own_device = NNRT__OPEN_NPU_RK_DRIVER("rknpu", false, true);
static const nnrt__open_npu_driver nnrt__open_npu_rk_drm_device = NNRT__OPEN_NPU_RK_DRIVER("rknpu of DRM", true, false);

#endif /* NNRT_RKNPU_OPEN_DRIVER_RKNPU_H */
