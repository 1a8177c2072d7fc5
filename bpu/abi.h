/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/abi.h - the binary interface of Horizon's BPU libraries, declared by nnrt itself.   >>bpu_abi

   Types and values of hb_dnn.h, hb_sys.h and hb_ucp.h under names of our own, so that nnrt builds without the vendor's
   SDK and beside its headers. libdnn of X3, J5 and X5 (version 1) grew fields in the middle of its structures from one
   release to the next, and that of S100 and S600 (UCP, version 3) has others altogether:

     library        tensor  what came
     1.6 to 1.8     216
     1.9 to 1.13    232     zero points
     1.14 to 1.17   240     the axis of quantization, customId
     1.18 to 1.22   272     strides, callbacks
     1.23 and up    272     hbDNNResize is gone
     UCP 3.6 and up 200     ten dimensions, strides of 64 bits, one memory, other numbers of types

   Three of them have a structure of 176 bytes, and no symbol distinguishes any two, so the text of hbDNNGetVersion
   decides (nnrt__bpu_layout_find); versions that are not in the table are refused. Measured with the headers 1.6.1,
   1.9.7, 1.14.1, 1.18.4, 1.18.6, 1.23.8, 1.23.10, 1.24.5 and UCP 3.12.3, 3.13.6 for AArch64; a library 3.6.1 steps
   through tensors as 3.13.6 does. Which version between two of these begins a layout is assumed. The libraries are
   AArch64 only; on 32 bits the structures are smaller and everything reads them by the offsets of this table. */
#ifndef NNRT_BPU_ABI_H
#define NNRT_BPU_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "../core/platform.h"

#define NNRT__BPU_MAX_DIMS 10   /* of UCP; */
#define NNRT__BPU_DNN_DIMS 8    /* of version 1 */
#define NNRT__BPU_MAX_MEMORY 4  /* of a tensor, version 1; two are used at most */
#define NNRT__BPU_MAX_TASKS 32  /* alive at a time; UCP: HB_UCP_MAX_TASK_NUM in the environment can change it */
#define NNRT__BPU_MAX_BATCH 255 /* runs or regions of one task */

/* Handles of packed models, models and tasks. */
typedef void *nnrt__bpu_handle;

/* What functions return. 0: done. Version 1: */
#define NNRT__BPU_INVALID_ARGUMENT (-6000001)
#define NNRT__BPU_INVALID_MODEL (-6000002)
#define NNRT__BPU_MODEL_LIMIT (-6000003)
#define NNRT__BPU_INVALID_PACKED (-6000004)
#define NNRT__BPU_INVALID_HANDLE (-6000005)
#define NNRT__BPU_CANNOT_OPEN (-6000006)
#define NNRT__BPU_OUT_OF_MEMORY (-6000007)
#define NNRT__BPU_TIMEOUT (-6000008)
#define NNRT__BPU_TASK_LIMIT (-6000009)
#define NNRT__BPU_BATCH_LIMIT (-6000010)
#define NNRT__BPU_INVALID_TASK (-6000011)
#define NNRT__BPU_RUN_FAILED (-6000012)
#define NNRT__BPU_MODEL_RUNS (-6000013)
#define NNRT__BPU_INCOMPATIBLE (-6000014)
#define NNRT__BPU_MISUSE (-6000015)
#define NNRT__BPU_OTHER_PROCESS (-6000016) /* from 1.14 on */
#define NNRT__BPU_SYS_INVALID_ARGUMENT (-6000129)
#define NNRT__BPU_SYS_OUT_OF_MEMORY (-6000130)
#define NNRT__BPU_SYS_REGISTER_FAILED (-6000131)

/* UCP: */
#define NNRT__UCP_INVALID_ARGUMENT (-100001)
#define NNRT__UCP_MISUSE (-100002)
#define NNRT__UCP_INIT_FAILED (-100003)
#define NNRT__UCP_UNKNOWN (-100004)
#define NNRT__UCP_TASK_LIMIT (-200001)
#define NNRT__UCP_TIMEOUT (-200002)
#define NNRT__UCP_RUN_FAILED (-200003)
#define NNRT__UCP_INVALID_TASK (-200004)
#define NNRT__UCP_OUT_OF_MEMORY (-400001)
#define NNRT__UCP_FREE_FAILED (-400002)
#define NNRT__UCP_CLEAN_FAILED (-400003)
#define NNRT__UCP_INVALIDATE_FAILED (-400004)
#define NNRT__UCP_INVALID_MEMORY (-400005)
#define NNRT__UCP_MAP_FAILED (-400006)
#define NNRT__UCP_UNMAP_FAILED (-400007)
#define NNRT__UCP_CANNOT_OPEN (-500001)
#define NNRT__UCP_MODEL_LIMIT (-600001)
#define NNRT__UCP_INVALID_MODEL (-600002)
#define NNRT__UCP_MODEL_IN_USE (-600003)
#define NNRT__UCP_INCOMPATIBLE (-600004)

/* Caches, in every version. */
#define NNRT__BPU_INVALIDATE 1 /* before the processor reads */
#define NNRT__BPU_CLEAN 2      /* after it wrote */

/* Priorities, in every version; the highest preempts. UCP: 254 does, too, but not a task of 255. */
#define NNRT__BPU_LOWEST_PRIORITY 0
#define NNRT__BPU_HIGHEST_PRIORITY 255

/* Cores. Version 1: 0 is any, bits 0 and 1 are cores. UCP: bits 0 to 3, and one for any. */
#define NNRT__BPU_ANY_CORE 0
#define NNRT__UCP_ANY_CORE (UINT64_C(1) << 7)

/* Numbers of element types. Version 1: */
typedef enum nnrt__bpu_dnn_type {
    NNRT__BPU_DNN_Y = 0,
    NNRT__BPU_DNN_NV12 = 1,
    NNRT__BPU_DNN_NV12_SEPARATE = 2, /* luma and chroma in memories of their own */
    NNRT__BPU_DNN_YUV444 = 3,
    NNRT__BPU_DNN_RGB = 4,
    NNRT__BPU_DNN_BGR = 5,
    NNRT__BPU_DNN_S4 = 6,
    NNRT__BPU_DNN_U4 = 7,
    NNRT__BPU_DNN_S8 = 8,
    NNRT__BPU_DNN_U8 = 9,
    NNRT__BPU_DNN_F16 = 10,
    NNRT__BPU_DNN_S16 = 11,
    NNRT__BPU_DNN_U16 = 12,
    NNRT__BPU_DNN_F32 = 13,
    NNRT__BPU_DNN_S32 = 14,
    NNRT__BPU_DNN_U32 = 15,
    NNRT__BPU_DNN_F64 = 16,
    NNRT__BPU_DNN_S64 = 17,
    NNRT__BPU_DNN_U64 = 18,
    NNRT__BPU_DNN_TYPES = 19
} nnrt__bpu_dnn_type;

/* UCP: */
typedef enum nnrt__bpu_ucp_type {
    NNRT__BPU_UCP_S4 = 0,
    NNRT__BPU_UCP_U4 = 1,
    NNRT__BPU_UCP_S8 = 2,
    NNRT__BPU_UCP_U8 = 3,
    NNRT__BPU_UCP_F16 = 4,
    NNRT__BPU_UCP_S16 = 5,
    NNRT__BPU_UCP_U16 = 6,
    NNRT__BPU_UCP_F32 = 7,
    NNRT__BPU_UCP_S32 = 8,
    NNRT__BPU_UCP_U32 = 9,
    NNRT__BPU_UCP_F64 = 10,
    NNRT__BPU_UCP_S64 = 11,
    NNRT__BPU_UCP_U64 = 12,
    NNRT__BPU_UCP_BOOL8 = 13,
    NNRT__BPU_UCP_TYPES = 14
} nnrt__bpu_ucp_type;

/* Order of dimensions, version 1 only. */
#define NNRT__BPU_NHWC 0
#define NNRT__BPU_NHCW 1 /* of the ext header */
#define NNRT__BPU_NCHW 2
#define NNRT__BPU_NO_ORDER 255

/* Kinds of quantization. */
#define NNRT__BPU_DNN_NONE 0
#define NNRT__BPU_DNN_SHIFT 1
#define NNRT__BPU_DNN_SCALE 2
#define NNRT__BPU_UCP_NONE 0
#define NNRT__BPU_UCP_SCALE 1

/* ------------------------------------------------------------------------------------- structures, version 1 */

typedef struct nnrt__bpu_dnn_memory {
    uint64_t physical;
    void *address; /* of this process */
    uint32_t size; /* bytes */
} nnrt__bpu_dnn_memory;

typedef struct nnrt__bpu_dnn_shape {
    int32_t size[NNRT__BPU_DNN_DIMS];
    int32_t count;
} nnrt__bpu_dnn_shape;

/* The arrays that follow are the library's, until the model is released. */
typedef struct nnrt__bpu_shift {
    int32_t length; /* 1, or the size of the axis */
    uint8_t *data;
} nnrt__bpu_shift;

typedef struct nnrt__bpu_scale_1_6 {
    int32_t length;
    float *data;
} nnrt__bpu_scale_1_6;

typedef struct nnrt__bpu_scale_1_9 {
    int32_t length;
    float *data;
    int32_t zero_point_length; /* 0: they are 0 */
    int8_t *zero_point;
} nnrt__bpu_scale_1_9;

typedef struct nnrt__bpu_properties_1_6 {
    nnrt__bpu_dnn_shape valid;
    nnrt__bpu_dnn_shape aligned;
    int32_t order;
    int32_t type;
    nnrt__bpu_shift shift;
    nnrt__bpu_scale_1_6 scale;
    int32_t quantization;
    int32_t byte_size; /* of the aligned shape */
} nnrt__bpu_properties_1_6;

typedef struct nnrt__bpu_properties_1_9 {
    nnrt__bpu_dnn_shape valid;
    nnrt__bpu_dnn_shape aligned;
    int32_t order;
    int32_t type;
    nnrt__bpu_shift shift;
    nnrt__bpu_scale_1_9 scale;
    int32_t quantization;
    int32_t byte_size;
} nnrt__bpu_properties_1_9;

typedef struct nnrt__bpu_properties_1_14 {
    nnrt__bpu_dnn_shape valid;
    nnrt__bpu_dnn_shape aligned;
    int32_t order;
    int32_t type;
    nnrt__bpu_shift shift;
    nnrt__bpu_scale_1_9 scale;
    int32_t quantization;
    int32_t axis;
    int32_t byte_size;
} nnrt__bpu_properties_1_14;

typedef struct nnrt__bpu_properties_1_18 {
    nnrt__bpu_dnn_shape valid;
    nnrt__bpu_dnn_shape aligned;
    int32_t order;
    int32_t type;
    nnrt__bpu_shift shift;
    nnrt__bpu_scale_1_9 scale;
    int32_t quantization;
    int32_t axis;
    int32_t byte_size;
    int32_t stride[NNRT__BPU_DNN_DIMS]; /* bytes */
} nnrt__bpu_properties_1_18;

typedef struct nnrt__bpu_tensor_1_6 {
    nnrt__bpu_dnn_memory memory[NNRT__BPU_MAX_MEMORY];
    nnrt__bpu_properties_1_6 properties;
} nnrt__bpu_tensor_1_6;

typedef struct nnrt__bpu_tensor_1_9 {
    nnrt__bpu_dnn_memory memory[NNRT__BPU_MAX_MEMORY];
    nnrt__bpu_properties_1_9 properties;
} nnrt__bpu_tensor_1_9;

typedef struct nnrt__bpu_tensor_1_14 {
    nnrt__bpu_dnn_memory memory[NNRT__BPU_MAX_MEMORY];
    nnrt__bpu_properties_1_14 properties;
} nnrt__bpu_tensor_1_14;

typedef struct nnrt__bpu_tensor_1_18 {
    nnrt__bpu_dnn_memory memory[NNRT__BPU_MAX_MEMORY];
    nnrt__bpu_properties_1_18 properties;
} nnrt__bpu_tensor_1_18;

/* Control of a run, 1.6 to 1.13. All zero is what the vendor's macro makes. */
typedef struct nnrt__bpu_control_1_6 {
    int32_t core;
    int32_t dsp_core;
    int32_t priority;
    int32_t more; /* 1: other runs of the same task follow */
    int32_t reserved[4];
} nnrt__bpu_control_1_6;

/* From 1.14 on. */
typedef struct nnrt__bpu_control_1_14 {
    int32_t core;
    int32_t dsp_core;
    int32_t priority;
    int32_t more;
    int64_t custom_id; /* among runs of one priority the smaller goes first */
    int32_t reserved[2];
} nnrt__bpu_control_1_14;

/* All four sides are inside. */
typedef struct nnrt__bpu_region {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
} nnrt__bpu_region;

typedef struct nnrt__bpu_resize_control {
    int32_t core;
    int32_t priority;
    int32_t kind; /* 0: bilinear */
    int32_t reserved[4];
} nnrt__bpu_resize_control;

/* ------------------------------------------------------------------------------------------- structures, UCP */

typedef struct nnrt__bpu_ucp_memory {
    uint64_t physical;
    void *address;
    uint64_t size;
} nnrt__bpu_ucp_memory;

typedef struct nnrt__bpu_ucp_shape {
    int32_t size[NNRT__BPU_MAX_DIMS]; /* -1: the program's */
    int32_t count;
} nnrt__bpu_ucp_shape;

typedef struct nnrt__bpu_ucp_scale {
    int32_t length;
    float *data;
    int32_t zero_point_length;
    int32_t *zero_point;
} nnrt__bpu_ucp_scale;

typedef struct nnrt__bpu_properties_ucp {
    nnrt__bpu_ucp_shape valid;
    int32_t type;
    nnrt__bpu_ucp_scale scale;
    int32_t quantization;
    int32_t axis;
    int64_t byte_size;                  /* -1: comes from the program's shape */
    int64_t stride[NNRT__BPU_MAX_DIMS]; /* bytes; -1: the program's */
} nnrt__bpu_properties_ucp;

typedef struct nnrt__bpu_tensor_ucp {
    nnrt__bpu_ucp_memory memory;
    nnrt__bpu_properties_ucp properties;
} nnrt__bpu_tensor_ucp;

typedef struct nnrt__bpu_schedule {
    int32_t priority;
    int64_t custom_id;
    uint64_t cores;
    uint32_t device; /* 0 */
} nnrt__bpu_schedule;

/* ------------------------------------------------------------------------------------------------- layouts */

#define NNRT__BPU_ABSENT UINT16_MAX /* the structure has no such field */

/* Offsets in bytes of the fields of a version; for a shape, shift or scale of the structure. */
typedef struct nnrt__bpu_layout {
    uint16_t major, first_minor, last_minor; /* of hbDNNGetVersion */
    uint16_t is_ucp;
    uint16_t dims;        /* of a shape; its count follows them */
    uint16_t memories;    /* of a tensor, at its begin */
    uint16_t memory_size; /* of the structure of one */
    uint16_t tensor_size; /* from one element of an array to the next */
    uint16_t properties;  /* in a tensor */
    uint16_t properties_size;
    uint16_t valid; /* in properties, as all that follow */
    uint16_t aligned;
    uint16_t order;
    uint16_t type;
    uint16_t shift;
    uint16_t scale;
    uint16_t has_zero_points;
    uint16_t zero_point_size; /* bytes of an element */
    uint16_t quantization;
    uint16_t axis;
    uint16_t byte_size;
    uint16_t stride;
    uint16_t has_custom_id; /* which structure a run is controlled by */
} nnrt__bpu_layout;

#define NNRT__BPU_AT(version, field) (uint16_t) offsetof(nnrt__bpu_properties_##version, field)
#define NNRT__BPU_SIZES(version)                                                                              \
    (uint16_t)sizeof(nnrt__bpu_tensor_##version), (uint16_t)offsetof(nnrt__bpu_tensor_##version, properties), \
        (uint16_t)sizeof(nnrt__bpu_properties_##version)

/* The layout of library version MAJOR.MINOR; NULL: unknown, and the library is not used. */
NNRT__FN const nnrt__bpu_layout *nnrt__bpu_layout_find(uint32_t major, uint32_t minor) {
    /* clang-format off */
#define NNRT__BPU_DNN_ROW(first, last, version, zero_points, axis, stride, custom_id)                                  \
    {1, first, last, 0, NNRT__BPU_DNN_DIMS, NNRT__BPU_MAX_MEMORY, (uint16_t)sizeof(nnrt__bpu_dnn_memory),              \
     NNRT__BPU_SIZES(version), NNRT__BPU_AT(version, valid), NNRT__BPU_AT(version, aligned),                           \
     NNRT__BPU_AT(version, order), NNRT__BPU_AT(version, type), NNRT__BPU_AT(version, shift),                          \
     NNRT__BPU_AT(version, scale), zero_points, 1, NNRT__BPU_AT(version, quantization), axis,                          \
     NNRT__BPU_AT(version, byte_size), stride, custom_id}
    static const nnrt__bpu_layout layouts[] = {
        NNRT__BPU_DNN_ROW(6, 8, 1_6, 0, NNRT__BPU_ABSENT, NNRT__BPU_ABSENT, 0),
        NNRT__BPU_DNN_ROW(9, 13, 1_9, 1, NNRT__BPU_ABSENT, NNRT__BPU_ABSENT, 0),
        NNRT__BPU_DNN_ROW(14, 17, 1_14, 1, NNRT__BPU_AT(1_14, axis), NNRT__BPU_ABSENT, 1),
        NNRT__BPU_DNN_ROW(18, 22, 1_18, 1, NNRT__BPU_AT(1_18, axis), NNRT__BPU_AT(1_18, stride), 1),
        NNRT__BPU_DNN_ROW(23, UINT16_MAX, 1_18, 1, NNRT__BPU_AT(1_18, axis), NNRT__BPU_AT(1_18, stride), 1),
        {3, 6, UINT16_MAX, 1, NNRT__BPU_MAX_DIMS, 1, (uint16_t)sizeof(nnrt__bpu_ucp_memory),
         NNRT__BPU_SIZES(ucp), NNRT__BPU_AT(ucp, valid), NNRT__BPU_ABSENT,
         NNRT__BPU_ABSENT, NNRT__BPU_AT(ucp, type), NNRT__BPU_ABSENT,
         NNRT__BPU_AT(ucp, scale), 1, 4, NNRT__BPU_AT(ucp, quantization), NNRT__BPU_AT(ucp, axis),
         NNRT__BPU_AT(ucp, byte_size), NNRT__BPU_AT(ucp, stride), 1},
    };
#undef NNRT__BPU_DNN_ROW
    /* clang-format on */
    size_t i;
    for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
        if (layouts[i].major == major && layouts[i].first_minor <= minor && minor <= layouts[i].last_minor)
            return &layouts[i];
    return NULL;
}

/* Values from the headers compiled for AArch64, the only processor that the libraries exist for. */
#define NNRT__BPU_CHECK(name, condition) typedef char nnrt__bpu_check_##name[(condition) ? 1 : -1]
#define NNRT__BPU_SIZE(type, bytes) NNRT__BPU_CHECK(size_##type, sizeof(nnrt__bpu_##type) == (bytes))
#define NNRT__BPU_PLACE(type, field, bytes) \
    NNRT__BPU_CHECK(type##_##field, offsetof(nnrt__bpu_##type, field) == (bytes))

NNRT__BPU_SIZE(dnn_type, 4);
NNRT__BPU_SIZE(ucp_type, 4);
NNRT__BPU_SIZE(dnn_shape, 36);
NNRT__BPU_PLACE(dnn_shape, count, 32);
NNRT__BPU_SIZE(region, 16);
NNRT__BPU_PLACE(region, bottom, 12);
NNRT__BPU_SIZE(resize_control, 28);
NNRT__BPU_PLACE(resize_control, priority, 4);
NNRT__BPU_PLACE(resize_control, kind, 8);
NNRT__BPU_SIZE(control_1_6, 32);
NNRT__BPU_PLACE(control_1_6, priority, 8);
NNRT__BPU_PLACE(control_1_6, more, 12);
NNRT__BPU_SIZE(control_1_14, 32);
NNRT__BPU_PLACE(control_1_14, priority, 8);
NNRT__BPU_PLACE(control_1_14, more, 12);
NNRT__BPU_PLACE(control_1_14, custom_id, 16);
NNRT__BPU_SIZE(ucp_shape, 44);
NNRT__BPU_PLACE(ucp_shape, count, 40);

#if UINTPTR_MAX > UINT32_MAX
NNRT__BPU_SIZE(dnn_memory, 24);
NNRT__BPU_PLACE(dnn_memory, address, 8);
NNRT__BPU_PLACE(dnn_memory, size, 16);
NNRT__BPU_SIZE(shift, 16);
NNRT__BPU_PLACE(shift, data, 8);
NNRT__BPU_SIZE(scale_1_6, 16);
NNRT__BPU_PLACE(scale_1_6, data, 8);
NNRT__BPU_SIZE(scale_1_9, 32);
NNRT__BPU_PLACE(scale_1_9, data, 8);
NNRT__BPU_PLACE(scale_1_9, zero_point_length, 16);
NNRT__BPU_PLACE(scale_1_9, zero_point, 24);
NNRT__BPU_SIZE(properties_1_6, 120);
NNRT__BPU_PLACE(properties_1_6, aligned, 36);
NNRT__BPU_PLACE(properties_1_6, order, 72);
NNRT__BPU_PLACE(properties_1_6, type, 76);
NNRT__BPU_PLACE(properties_1_6, shift, 80);
NNRT__BPU_PLACE(properties_1_6, scale, 96);
NNRT__BPU_PLACE(properties_1_6, quantization, 112);
NNRT__BPU_PLACE(properties_1_6, byte_size, 116);
NNRT__BPU_SIZE(tensor_1_6, 216);
NNRT__BPU_PLACE(tensor_1_6, properties, 96);
NNRT__BPU_SIZE(properties_1_9, 136);
NNRT__BPU_PLACE(properties_1_9, scale, 96);
NNRT__BPU_PLACE(properties_1_9, quantization, 128);
NNRT__BPU_PLACE(properties_1_9, byte_size, 132);
NNRT__BPU_SIZE(tensor_1_9, 232);
NNRT__BPU_PLACE(tensor_1_9, properties, 96);
NNRT__BPU_SIZE(properties_1_14, 144);
NNRT__BPU_PLACE(properties_1_14, quantization, 128);
NNRT__BPU_PLACE(properties_1_14, axis, 132);
NNRT__BPU_PLACE(properties_1_14, byte_size, 136);
NNRT__BPU_SIZE(tensor_1_14, 240);
NNRT__BPU_PLACE(tensor_1_14, properties, 96);
NNRT__BPU_SIZE(properties_1_18, 176);
NNRT__BPU_PLACE(properties_1_18, aligned, 36);
NNRT__BPU_PLACE(properties_1_18, order, 72);
NNRT__BPU_PLACE(properties_1_18, type, 76);
NNRT__BPU_PLACE(properties_1_18, shift, 80);
NNRT__BPU_PLACE(properties_1_18, scale, 96);
NNRT__BPU_PLACE(properties_1_18, quantization, 128);
NNRT__BPU_PLACE(properties_1_18, axis, 132);
NNRT__BPU_PLACE(properties_1_18, byte_size, 136);
NNRT__BPU_PLACE(properties_1_18, stride, 140);
NNRT__BPU_SIZE(tensor_1_18, 272);
NNRT__BPU_PLACE(tensor_1_18, properties, 96);
NNRT__BPU_SIZE(ucp_memory, 24);
NNRT__BPU_PLACE(ucp_memory, address, 8);
NNRT__BPU_PLACE(ucp_memory, size, 16);
NNRT__BPU_SIZE(ucp_scale, 32);
NNRT__BPU_PLACE(ucp_scale, data, 8);
NNRT__BPU_PLACE(ucp_scale, zero_point_length, 16);
NNRT__BPU_PLACE(ucp_scale, zero_point, 24);
NNRT__BPU_SIZE(properties_ucp, 176);
NNRT__BPU_PLACE(properties_ucp, type, 44);
NNRT__BPU_PLACE(properties_ucp, scale, 48);
NNRT__BPU_PLACE(properties_ucp, quantization, 80);
NNRT__BPU_PLACE(properties_ucp, axis, 84);
NNRT__BPU_PLACE(properties_ucp, byte_size, 88);
NNRT__BPU_PLACE(properties_ucp, stride, 96);
NNRT__BPU_SIZE(tensor_ucp, 200);
NNRT__BPU_PLACE(tensor_ucp, properties, 24);
NNRT__BPU_SIZE(schedule, 32);
NNRT__BPU_PLACE(schedule, custom_id, 8);
NNRT__BPU_PLACE(schedule, cores, 16);
NNRT__BPU_PLACE(schedule, device, 24);
#endif

#endif /* NNRT_BPU_ABI_H */
