/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/device.h - what the CPU device knows: the runs on it, and what its processor can do.   >>cpu_device */
#ifndef NNRT_CPU_DEVICE_H
#define NNRT_CPU_DEVICE_H

#include "wanted.h"
#include "../nnrt_cpu_kernels.h"
#include "accelerator.h"
#include "queue.h"

typedef struct nnrt__cpu_device {
    nnrt__queue queue;
    const void *configs; /* atomic: the nnrt__config_reader, once a config was checked */
    unsigned levels;     /* nnrt__cpu_levels, read once: each CPUID of an x86 takes 20 us under a hypervisor */
    const nnrt__accelerator *accelerator; /* does parts of every model; NULL: there is none */
} nnrt__cpu_device;

/* Initialises a zeroed device: the processor, with this accelerator beside it (NULL: none). */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_open_with(nnrt__cpu_device *self, const nnrt__accelerator *accelerator) {
    self->levels = nnrt__cpu_levels();
    self->accelerator = accelerator;
    return nnrt__queue_open(&self->queue);
}

/* Slot open. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_open(void *user, void **device) {
    static nnrt__cpu_device self;
    (void)user;
    *device = &self;
    return nnrt__cpu_open_with(&self, NULL);
}

#endif /* NNRT_CPU_DEVICE_H */
