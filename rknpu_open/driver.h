/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/driver.h - what a session asks of the kernel: one table, a row for each driver.   >>rknpu_open_driver

   driver_rknpu.h talks to Rockchip's driver, as a device of its own (/dev/rknpu of RV1103 and RV1106) or as one of DRM
   (RK3588), driver_rocket.h to mainline's, find.h knows which of them a board has. Numbers and structures are those of
   the kernels' sources, which no toolchain of a board has to have; their sizes are asserted here.

   Memory of the NPU is not coherent: what the CPU writes is the device's after `to_device`, what the device has written
   is the CPU's after `to_cpu`. No call of the kernel is made under a lock but the session's own. */
#ifndef NNRT_RKNPU_OPEN_DRIVER_H
#define NNRT_RKNPU_OPEN_DRIVER_H

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "check.h"

/* A structure of the kernel's has this size, on every processor. */
#define NNRT__OPEN_NPU_IS_SIZED(type, size) typedef char nnrt__size_of_##type[sizeof(type) == (size) ? 1 : -1]

/* Memory that the NPU reaches, mapped. */
typedef struct nnrt__open_npu_memory {
    uint8_t *map; /* NULL: there is none */
    size_t size;
    uint64_t address; /* that the NPU has for it */
    uint64_t object;  /* the kernel's name for it, and its handle */
    uint32_t handle;
    int fd; /* that it is mapped from; -1: the device's */
} nnrt__open_npu_memory;

/* All tasks of an image, and the memory that they run in. */
typedef struct nnrt__open_npu_job {
    const struct nnrt__open_npu_driver *driver;
    int fd;                       /* of the device */
    nnrt__open_npu_memory memory; /* of the image */
    nnrt__open_npu_memory tasks;  /* Rockchip's driver: their records */
    void *records;                /* mainline's: the same, the driver's own */
    uint32_t task_count;
    bool alternates; /* every task uses the two groups of registers in turn */
} nnrt__open_npu_job;

typedef struct nnrt__open_npu_driver {
    const char *name;
    bool drm;      /* its file is a device of DRM */
    bool has_base; /* the NPU adds the address of the memory to those in words; else the words have whole addresses */
    bool chains;   /* the NPU goes from one task to the next by itself, and the end of a pooling is noticed */
    /* Zero or what it was, with fd -1: nothing was made. */
    OH_NN_ReturnCode (*allocate)(const struct nnrt__open_npu_driver *driver, int fd, size_t size,
                                 nnrt__open_npu_memory *memory);
    void (*release)(const struct nnrt__open_npu_driver *driver, int fd, nnrt__open_npu_memory *memory);
    /* Records of the tasks, whose words are in the memory and stay there; forget follows in any case. */
    OH_NN_ReturnCode (*prepare)(nnrt__open_npu_job *job, const void *image);
    void (*forget)(nnrt__open_npu_job *job);
    /* Waits until the NPU uses the memory no more, after a run that was given up. */
    OH_NN_ReturnCode (*settle)(nnrt__open_npu_job *job);
    OH_NN_ReturnCode (*to_device)(nnrt__open_npu_job *job, size_t offset, size_t size);
    OH_NN_ReturnCode (*to_cpu)(nnrt__open_npu_job *job, size_t offset, size_t size);
    /* Runs all tasks. deadline_ns: of nnrt__now_ns. OH_NN_TIMEOUT: they did not end by then, or hang. */
    OH_NN_ReturnCode (*run)(nnrt__open_npu_job *job, uint64_t deadline_ns);
} nnrt__open_npu_driver;

/* The type of an ioctl's number: glibc and uClibc (which both say that they are glibc), BSD; musl, Android. */
#if defined(__linux__) && !defined(__GLIBC__)
typedef int nnrt__open_npu_ioctl_number;
#else
typedef unsigned long nnrt__open_npu_ioctl_number;
#endif

/* ioctl, again while a signal comes between. 0, or the error. */
NNRT__FN int nnrt__open_npu_ioctl(int fd, unsigned long number, void *argument) {
    uint32_t attempt = 0;
    while (ioctl(fd, (nnrt__open_npu_ioctl_number)number, argument) != 0)
        if (errno != EINTR && (errno != EAGAIN || ++attempt == 100)) return errno;
    return 0;
}

/* A call of the kernel has failed: what that means for a program. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_fail(const char *call, int error) {
    (void)call;
    switch (error) {
    case ENOMEM:
    case ENOSPC:
        return nnrt__fail(OH_NN_MEMORY_ERROR,
                          "%s: the kernel has no memory for the NPU; see CmaFree in /proc/meminfo (error %d)", call,
                          error);
    case ETIMEDOUT:
    case EBUSY: return nnrt__fail(OH_NN_TIMEOUT, "%s: the NPU did not finish in time (error %d)", call, error);
    case ENODEV:
    case ENXIO:
    case EIO:
    case EBADF: return nnrt__fail(OH_NN_CONNECTION_EXCEPTION, "%s: the NPU is gone (error %d)", call, error);
    default:
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                          "%s: the driver of the NPU refused it; dmesg may say why (error %d)", call, error);
    }
}

/* Maps memory->size bytes of fd. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_map(int fd, uint64_t offset, nnrt__open_npu_memory *memory) {
    void *map;
    if ((uint64_t)(off_t)offset != offset || (off_t)offset < 0)
        return nnrt__fail(OH_NN_UNSUPPORTED, "a 32-bit program maps memory of this driver only if it is compiled with "
                                             "-D_FILE_OFFSET_BITS=64");
    map = mmap(NULL, memory->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    if (map == MAP_FAILED) return nnrt__open_npu_fail("mmap", errno);
    memory->map = (uint8_t *)map;
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__open_npu_unmap(nnrt__open_npu_memory *memory) {
    if (memory->map != NULL) (void)munmap(memory->map, memory->size);
    memory->map = NULL;
}

/* Words hold addresses of 32 bits. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_fits(const nnrt__open_npu_memory *memory) {
    if (memory->address % NNRT__OPEN_NPU_ALIGNMENT == 0 && memory->address <= 0xffffffffu &&
        memory->size <= (uint64_t)0x100000000 - memory->address)
        return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_MEMORY_ERROR, "the driver gives the NPU memory at 0x%llx, where its words do not reach",
                      (unsigned long long)memory->address);
}

/* Milliseconds from now to a deadline, at least 1. */
NNRT__FN uint32_t nnrt__open_npu_milliseconds(uint64_t deadline_ns) {
    const uint64_t now = nnrt__now_ns(), left = deadline_ns > now ? (deadline_ns - now) / 1000000u : 0;
    return left < 1 ? 1 : left > 0x7fffffff ? 0x7fffffff : (uint32_t)left;
}

#endif /* NNRT_RKNPU_OPEN_DRIVER_H */
