/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/abi.h - the binary interface of HiSilicon's NNIE, declared by nnrt itself.   >>nnie_abi

   Types and values of hi_comm_svp.h and hi_nnie.h, under names of our own, so that nnrt builds without the vendor's SDK
   and beside its headers. Those of Hi3559AV100 (2017) to Hi3516DV300 (2022) say the same, but for the number of cores.
   Addresses are 64 bits wide on every chip, so that the layout is one for 32-bit ARM, soft-float or hard-float, and
   AArch64: sizes and offsets were measured there with the vendor's headers and are checked at compile time below.

   Hi3531DV200 calls other functions with other structures and is not of this family, nor are chips whose functions are
   called hi_mpi_svp_*. */
#ifndef NNRT_NNIE_ABI_H
#define NNRT_NNIE_ABI_H

#include <stddef.h>
#include <stdint.h>

#define NNRT__NNIE_MAX_SEGMENTS 8 /* of a model */
#define NNRT__NNIE_MAX_IO 16      /* inputs, and outputs, of a segment */
#define NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS 2
#define NNRT__NNIE_MAX_ROI_LAYERS 4 /* of a model */
#define NNRT__NNIE_MAX_NAME 32      /* the last byte is a 0: LoadModel cuts */
#define NNRT__NNIE_MAX_STEPS 1024   /* of a sequence */

/* Real value of an element of the kinds S32: q / 4096. */
#define NNRT__NNIE_ONE 4096

/* What functions return: 0, or one of these of hi_nnie.h, which are negative as int32_t. */
#define NNRT__NNIE_INVALID_DEVID 0xa0338001u
#define NNRT__NNIE_INVALID_CHNID 0xa0338002u
#define NNRT__NNIE_ILLEGAL_PARAM 0xa0338003u
#define NNRT__NNIE_EXIST 0xa0338004u
#define NNRT__NNIE_UNEXIST 0xa0338005u
#define NNRT__NNIE_NULL_PTR 0xa0338006u
#define NNRT__NNIE_NOT_CONFIG 0xa0338007u
#define NNRT__NNIE_NOT_SUPPORT 0xa0338008u
#define NNRT__NNIE_NOT_PERM 0xa0338009u
#define NNRT__NNIE_NOMEM 0xa033800cu
#define NNRT__NNIE_NOBUF 0xa033800du
#define NNRT__NNIE_BUF_EMPTY 0xa033800eu
#define NNRT__NNIE_BUF_FULL 0xa033800fu
#define NNRT__NNIE_NOTREADY 0xa0338010u
#define NNRT__NNIE_BADADDR 0xa0338011u
#define NNRT__NNIE_BUSY 0xa0338012u
#define NNRT__NNIE_SYS_TIMEOUT 0xa0338040u
#define NNRT__NNIE_QUERY_TIMEOUT 0xa0338041u
#define NNRT__NNIE_CFG_ERR 0xa0338042u
#define NNRT__NNIE_OPEN_FILE 0xa0338043u
#define NNRT__NNIE_READ_FILE 0xa0338044u
#define NNRT__NNIE_WRITE_FILE 0xa0338045u

/* How a tensor lies in memory. Strides are bytes from row to row, multiples of 16. */
typedef enum nnrt__nnie_blob_type {
    NNRT__NNIE_S32 = 0,      /* feature map, planes of rows */
    NNRT__NNIE_U8 = 1,       /* 1 plane, or 3: blue, green, red */
    NNRT__NNIE_YVU420SP = 2, /* luma, then V and U in turns at half the height */
    NNRT__NNIE_YVU422SP = 3, /* the same at full height */
    NNRT__NNIE_VEC_S32 = 4,  /* one row: width elements */
    NNRT__NNIE_SEQ_S32 = 5   /* a row for each step, all sequences packed behind each other */
} nnrt__nnie_blob_type;

typedef enum nnrt__nnie_run_mode {
    NNRT__NNIE_RUN_CHIP = 0,
    NNRT__NNIE_RUN_SIMULATION = 1 /* of the vendor's PC library; a chip refuses it */
} nnrt__nnie_run_mode;

typedef enum nnrt__nnie_net_type {
    NNRT__NNIE_NET_CNN = 0,
    NNRT__NNIE_NET_ROI = 1, /* ForwardWithBbox instead of Forward */
    NNRT__NNIE_NET_RECURRENT = 2
} nnrt__nnie_net_type;

typedef enum nnrt__nnie_roi_pool_type {
    NNRT__NNIE_ROI_POOL_NORMAL = 0,
    NNRT__NNIE_ROI_POOL_POSITION_SENSITIVE = 1
} nnrt__nnie_roi_pool_type;

/* The physical address first; in a blob it is the second. */
typedef struct nnrt__nnie_memory {
    uint64_t physical;
    uint64_t address; /* of this process */
    uint32_t size;
} nnrt__nnie_memory;

typedef struct nnrt__nnie_blob {
    nnrt__nnie_blob_type type;
    uint32_t stride; /* bytes */
    uint64_t address;
    uint64_t physical;
    uint32_t count; /* frames, or sequences */
    union {
        struct {
            uint32_t width;
            uint32_t height;
            uint32_t channels;
        } map;
        struct {
            uint32_t dim;
            uint64_t steps; /* address of count uint32: the steps of each sequence */
        } sequence;
    } shape;
} nnrt__nnie_blob;

typedef struct nnrt__nnie_node {
    nnrt__nnie_blob_type type;
    uint32_t width; /* or the elements of a step of a sequence */
    uint32_t height;
    uint32_t channels;
    uint32_t id; /* of the layer that the node reports; 0: an input */
    char name[NNRT__NNIE_MAX_NAME];
} nnrt__nnie_node;

typedef struct nnrt__nnie_roi_pool {
    uint32_t source_height;
    uint32_t source_width;
    uint32_t source_maps;
    uint32_t height;
    uint32_t width;
    uint32_t maps;
    uint32_t ram_offsets[4]; /* the engine's own */
    uint32_t block_max_height;
    uint32_t block_count;
    uint32_t max_boxes;
    uint32_t spatial_scale;
    int32_t normal_ping_pong;
    int32_t total_ping_pong;
    int32_t high_precision;
    nnrt__nnie_roi_pool_type type;
    char name[NNRT__NNIE_MAX_NAME];
} nnrt__nnie_roi_pool;

typedef struct nnrt__nnie_segment {
    nnrt__nnie_net_type type;
    uint16_t inputs;
    uint16_t outputs;
    uint16_t roi_layers;
    uint16_t max_steps;
    uint32_t instructions; /* offset */
    uint32_t instructions_size;
    nnrt__nnie_node input[NNRT__NNIE_MAX_IO];
    nnrt__nnie_node output[NNRT__NNIE_MAX_IO];
    uint32_t roi_layer[NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS]; /* index into roi_pool of the model */
} nnrt__nnie_segment;

/* What LoadModel fills: 14 KB, not for a stack. base is not the memory that was given to it: both addresses are moved
   by the length of the file's header. */
typedef struct nnrt__nnie_model {
    nnrt__nnie_run_mode run_mode;
    uint32_t temporary_size;
    uint32_t segments;
    nnrt__nnie_segment segment[NNRT__NNIE_MAX_SEGMENTS];
    nnrt__nnie_roi_pool roi_pool[NNRT__NNIE_MAX_ROI_LAYERS];
    nnrt__nnie_memory base;
} nnrt__nnie_model;

typedef struct nnrt__nnie_forward {
    uint32_t inputs;
    uint32_t outputs;
    uint32_t segment;
    uint32_t core;
    nnrt__nnie_memory temporary;
    nnrt__nnie_memory task;
} nnrt__nnie_forward;

typedef struct nnrt__nnie_forward_boxes {
    uint32_t inputs;
    uint32_t outputs;
    uint32_t proposals; /* arrays of boxes: 1 */
    uint32_t segment;
    uint32_t core;
    nnrt__nnie_memory temporary;
    nnrt__nnie_memory task;
} nnrt__nnie_forward_boxes;

/* --------------------------------------------------------------------------------------------------- checks

   i386 aligns uint64_t to 4 inside structures; nothing of the vendor's runs there, and a board that is simulated there
   is built the same way. */
#define NNRT__NNIE_CHECK(name, condition) typedef char nnrt__nnie_check_##name[(condition) ? 1 : -1]
#define NNRT__NNIE_SIZE(type, size) NNRT__NNIE_CHECK(size_##type, sizeof(nnrt__nnie_##type) == (size))
#define NNRT__NNIE_AT(type, field, name, at) NNRT__NNIE_CHECK(type##_##name, offsetof(nnrt__nnie_##type, field) == (at))

NNRT__NNIE_SIZE(blob_type, 4);
NNRT__NNIE_SIZE(run_mode, 4);
NNRT__NNIE_SIZE(net_type, 4);
NNRT__NNIE_SIZE(roi_pool_type, 4);
NNRT__NNIE_SIZE(node, 52);
NNRT__NNIE_AT(node, width, width, 4);
NNRT__NNIE_AT(node, height, height, 8);
NNRT__NNIE_AT(node, channels, channels, 12);
NNRT__NNIE_AT(node, id, id, 16);
NNRT__NNIE_AT(node, name, name, 20);
NNRT__NNIE_SIZE(roi_pool, 104);
NNRT__NNIE_AT(roi_pool, height, height, 12);
NNRT__NNIE_AT(roi_pool, ram_offsets, ram_offsets, 24);
NNRT__NNIE_AT(roi_pool, block_max_height, block_max_height, 40);
NNRT__NNIE_AT(roi_pool, max_boxes, max_boxes, 48);
NNRT__NNIE_AT(roi_pool, normal_ping_pong, normal_ping_pong, 56);
NNRT__NNIE_AT(roi_pool, type, type, 68);
NNRT__NNIE_AT(roi_pool, name, name, 72);
NNRT__NNIE_SIZE(segment, 1692);
NNRT__NNIE_AT(segment, inputs, inputs, 4);
NNRT__NNIE_AT(segment, outputs, outputs, 6);
NNRT__NNIE_AT(segment, roi_layers, roi_layers, 8);
NNRT__NNIE_AT(segment, max_steps, max_steps, 10);
NNRT__NNIE_AT(segment, instructions, instructions, 12);
NNRT__NNIE_AT(segment, instructions_size, instructions_size, 16);
NNRT__NNIE_AT(segment, input, input, 20);
NNRT__NNIE_AT(segment, output, output, 852);
NNRT__NNIE_AT(segment, roi_layer, roi_layer, 1684);
NNRT__NNIE_AT(model, temporary_size, temporary_size, 4);
NNRT__NNIE_AT(model, segments, segments, 8);
NNRT__NNIE_AT(model, segment, segment, 12);
NNRT__NNIE_AT(model, roi_pool, roi_pool, 13548);

#if !defined(__i386__)
NNRT__NNIE_SIZE(memory, 24);
NNRT__NNIE_AT(memory, address, address, 8);
NNRT__NNIE_AT(memory, size, size, 16);
NNRT__NNIE_SIZE(blob, 48);
NNRT__NNIE_AT(blob, stride, stride, 4);
NNRT__NNIE_AT(blob, address, address, 8);
NNRT__NNIE_AT(blob, physical, physical, 16);
NNRT__NNIE_AT(blob, count, count, 24);
NNRT__NNIE_AT(blob, shape.map.width, width, 32);
NNRT__NNIE_AT(blob, shape.map.height, height, 36);
NNRT__NNIE_AT(blob, shape.map.channels, channels, 40);
NNRT__NNIE_AT(blob, shape.sequence.dim, dim, 32);
NNRT__NNIE_AT(blob, shape.sequence.steps, steps, 40);
NNRT__NNIE_SIZE(model, 13992);
NNRT__NNIE_AT(model, base, base, 13968);
NNRT__NNIE_SIZE(forward, 64);
NNRT__NNIE_AT(forward, segment, segment, 8);
NNRT__NNIE_AT(forward, core, core, 12);
NNRT__NNIE_AT(forward, temporary, temporary, 16);
NNRT__NNIE_AT(forward, task, task, 40);
NNRT__NNIE_SIZE(forward_boxes, 72);
NNRT__NNIE_AT(forward_boxes, proposals, proposals, 8);
NNRT__NNIE_AT(forward_boxes, segment, segment, 12);
NNRT__NNIE_AT(forward_boxes, core, core, 16);
NNRT__NNIE_AT(forward_boxes, temporary, temporary, 24);
NNRT__NNIE_AT(forward_boxes, task, task, 48);
#endif

#endif /* NNRT_NNIE_ABI_H */
