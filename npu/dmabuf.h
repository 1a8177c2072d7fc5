/* SPDX-License-Identifier: Apache-2.0 */
/* npu/dmabuf.h - caches and dma-bufs, by the kernel's own call.   >>npu_dmabuf

   For libraries that have no function for it. linux/dma-buf.h is missing from old toolchains; its numbers are part of
   the kernel's ABI and repeated here. */
#ifndef NNRT_NPU_DMABUF_H
#define NNRT_NPU_DMABUF_H

#include <errno.h>
#include <sys/ioctl.h>

#include "../core/platform.h"

typedef struct nnrt__dma_buf_sync_request {
    uint64_t flags;
} nnrt__dma_buf_sync_request;

#define NNRT__DMA_BUF_IOCTL_SYNC _IOW('b', 0, nnrt__dma_buf_sync_request)

typedef enum nnrt__dma_buf_event {
    NNRT__DMA_BUF_START_READ = 1, /* the CPU is about to read: invalidates the range in its caches */
    NNRT__DMA_BUF_END_WRITE = 6   /* the CPU has written: its caches are written back */
} nnrt__dma_buf_event;

/* A descriptor that is no dma-buf has no such call, and needs none. */
NNRT__FN void nnrt__dma_buf_sync(int fd, nnrt__dma_buf_event event) {
    nnrt__dma_buf_sync_request request;
    uint32_t attempt;
    request.flags = (uint64_t)event;
    for (attempt = 0; attempt < 100; attempt++)
        if (ioctl(fd, NNRT__DMA_BUF_IOCTL_SYNC, &request) == 0 || (errno != EINTR && errno != EAGAIN)) return;
}

#endif /* NNRT_NPU_DMABUF_H */
