/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/image.h - what the NPU is given: tasks, their words, weights, and where tensors lie.   >>rknpu_open_image

   The compiler makes an image from a part of a graph, a plan carries it as a constant, a driver loads it into memory of
   the NPU and submits its tasks. It is one block of bytes without pointers, in the byte order of the board (little):

       header | ports | tasks | start of the memory

   The memory is what the NPU reaches, header.memory_size bytes: first what the image brings (words, weights, tables;
   header.loaded_size bytes), then what is between layers and at the ports. Every address in a word is an offset in it.
   RV1103 and RV1106 add the base themselves (TASK_DMA_BASE); for RK3588 the loader adds it to the words of address
   registers.

   An image may come from a file. rknpu_open/check.h reads it as hostile: no register may let a task reach a byte
   outside of the memory, or write what the image brought. */
#ifndef NNRT_RKNPU_OPEN_IMAGE_H
#define NNRT_RKNPU_OPEN_IMAGE_H

#include "../core/error.h"

#define NNRT__OPEN_NPU_MAGIC 0x4e504f31u /* "1OPN" in little-endian order */
#define NNRT__OPEN_NPU_VERSION 1u
#define NNRT__OPEN_NPU_ALIGNMENT 64u           /* of everything in the memory */
#define NNRT__OPEN_NPU_MOST_MEMORY 0x10000000u /* 256 MiB: more than these boards can give */
#define NNRT__OPEN_NPU_MOST_TASKS 65535u
#define NNRT__OPEN_NPU_MOST_PORTS 64u
#define NNRT__OPEN_NPU_LANES 16u /* int8 channels of a plane */
#define NNRT__OPEN_NPU_TAIL 4u   /* words behind those of a task: address and amount of the next, a gap, enable */

typedef enum nnrt__open_npu_chip {
    NNRT__OPEN_NPU_RV1106 = 1, /* and RV1103 */
    NNRT__OPEN_NPU_RK3588 = 2
} nnrt__open_npu_chip;

/* How the bytes of a port lie. The CPU's side is always [height, width, channels] without gaps, int8. */
typedef enum nnrt__open_npu_layout {
    NNRT__OPEN_NPU_PLANES = 0, /* 16 channels in a plane, [plane][height][width][16]; plane_bytes apart */
    NNRT__OPEN_NPU_PIXELS = 1, /* [height][width][channels], rows row_bytes apart: pictures of 1, 3 or 4 channels */
    NNRT__OPEN_NPU_FLAT = 2    /* as on the CPU's side */
} nnrt__open_npu_layout;

typedef struct nnrt__open_npu_port {
    uint32_t layout; /* nnrt__open_npu_layout */
    uint32_t height, width, channels;
    uint32_t offset;      /* in the memory, a multiple of 64, behind what the image brings */
    uint32_t plane_bytes; /* PLANES: at least height * width * 16 */
    uint32_t row_bytes;   /* PIXELS: at least width * channels */
    uint32_t size;        /* bytes that it takes of the memory */
} nnrt__open_npu_port;

typedef struct nnrt__open_npu_task {
    uint32_t enable;    /* blocks that run: 0x1d convolution, 0x0d the same without tables, 0x18 DPU, 0x60 pooling */
    uint32_t interrupt; /* what tells its end: 0x300, of pooling 0xc00 */
    uint32_t words;     /* offset in the memory, a multiple of 8; `amount` words and the tail lie in what is loaded */
    uint32_t amount;    /* without the tail */
    uint32_t op;        /* number of the operator in the part, for profiles and sentences */
    uint32_t reserved;  /* 0 */
} nnrt__open_npu_task;

typedef struct nnrt__open_npu_header {
    uint32_t magic, version;
    uint32_t chip; /* nnrt__open_npu_chip */
    uint32_t size; /* of the whole image */
    uint32_t input_count, output_count;
    uint32_t ports; /* offset in the image: inputs, then outputs */
    uint32_t tasks, task_count;
    uint32_t loaded, loaded_size; /* offset in the image, bytes */
    uint32_t words_size;          /* of what is loaded, the first so many bytes are words; weights and tables follow */
    uint32_t memory_size;
    uint32_t reserved; /* 0 */
    uint64_t macs;
} nnrt__open_npu_header;

#endif /* NNRT_RKNPU_OPEN_IMAGE_H */
