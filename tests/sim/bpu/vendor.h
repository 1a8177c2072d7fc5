/* SPDX-License-Identifier: Apache-2.0 */
/* vendor.h - Horizon's structures and numbers as programs for its boards see them: six layouts of six ages of the
   headers, each with names of its own, for the simulated libraries and for tests that call them. Written from the
   headers themselves and used by nothing of nnrt, so that a mistake here is not one there.

   Offsets and sizes are those of AArch64 and of every LP64 processor. */
#ifndef NNRT_TESTS_SIM_BPU_VENDOR_H
#define NNRT_TESTS_SIM_BPU_VENDOR_H

#include <stddef.h>
#include <stdint.h>

/* ----------------------------------------------------------------------------------------------- numbers, up to 1.x */

enum {
    VENDOR_NHWC = 0,
    VENDOR_NCHW = 2,
    VENDOR_NO_LAYOUT = 255
};

/* tensorType. Those of UCP begin at S4 with 0, have no images, and one more behind U64. */
enum {
    VENDOR_Y,
    VENDOR_NV12,
    VENDOR_NV12_SEPARATE,
    VENDOR_YUV444,
    VENDOR_RGB,
    VENDOR_BGR,
    VENDOR_S4,
    VENDOR_U4,
    VENDOR_S8,
    VENDOR_U8,
    VENDOR_F16,
    VENDOR_S16,
    VENDOR_U16,
    VENDOR_F32,
    VENDOR_S32,
    VENDOR_U32,
    VENDOR_F64,
    VENDOR_S64,
    VENDOR_U64
};

/* quantiType. UCP has no SHIFT, and its SCALE is 1. */
enum {
    VENDOR_NONE,
    VENDOR_SHIFT,
    VENDOR_SCALE
};

enum {
    VENDOR_INVALIDATE = 1,
    VENDOR_CLEAN = 2
};

/* hbDNNGetInputSource */
enum {
    VENDOR_FROM_DDR,
    VENDOR_FROM_RESIZER,
    VENDOR_FROM_PYRAMID
};

/* hbDNN* of 1.x: -6000000 minus one of these; hbSys*: the last three. */
enum {
    VENDOR_INVALID_ARGUMENT = -6000001,
    VENDOR_INVALID_MODEL = -6000002,
    VENDOR_MODEL_NUMBER = -6000003,
    VENDOR_PACKED_HANDLE = -6000004,
    VENDOR_MODEL_HANDLE = -6000005,
    VENDOR_CANNOT_OPEN = -6000006,
    VENDOR_OUT_OF_MEMORY = -6000007,
    VENDOR_TIMEOUT = -6000008,
    VENDOR_TASK_NUMBER = -6000009,
    VENDOR_BATCH_SIZE = -6000010,
    VENDOR_TASK_HANDLE = -6000011,
    VENDOR_RUN_FAILED = -6000012,
    VENDOR_MODEL_RUNNING = -6000013,
    VENDOR_INCOMPATIBLE = -6000014,
    VENDOR_API_USE = -6000015,
    VENDOR_MULTI_PROCESS = -6000016,
    VENDOR_SYS_INVALID = -6000129,
    VENDOR_SYS_MEMORY = -6000130,
    VENDOR_SYS_REGISTER = -6000131
};

/* UCP: one list for both libraries. */
enum {
    VENDOR_UCP_INVALID_ARGUMENT = -100001,
    VENDOR_UCP_API_USE = -100002,
    VENDOR_UCP_INIT_FAILED = -100003,
    VENDOR_UCP_UNKNOWN = -100004,
    VENDOR_UCP_TASK_NUMBER = -200001,
    VENDOR_UCP_TIMEOUT = -200002,
    VENDOR_UCP_RUN_FAILED = -200003,
    VENDOR_UCP_TASK_HANDLE = -200004,
    VENDOR_UCP_ALLOC = -400001,
    VENDOR_UCP_FREE = -400002,
    VENDOR_UCP_FLUSH = -400003,
    VENDOR_UCP_INVALIDATE = -400004,
    VENDOR_UCP_CANNOT_OPEN = -500001,
    VENDOR_UCP_MODEL_NUMBER = -600001,
    VENDOR_UCP_INVALID_MODEL = -600002,
    VENDOR_UCP_MODEL_IN_USE = -600003,
    VENDOR_UCP_INCOMPATIBLE = -600004
};

#define VENDOR_UCP_BPU_ANY ((uint64_t)1 << 7)
#define VENDOR_UCP_BPU_CORES ((uint64_t)0xf)
/* Every bit of hbUCPSchedParam.backend that 3.13.6 knows, and those of the BPU. */
#define VENDOR_UCP_BITS ((uint64_t)0x3dfbef1b838f)

/* ----------------------------------------------------------------------------------------------- what never changes */

typedef void *vendor_handle; /* packed models, a model, a task */

typedef struct vendor_memory { /* hbSysMem */
    uint64_t phyAddr;
    void *virAddr;
    uint32_t memSize;
} vendor_memory;

typedef struct vendor_shape { /* hbDNNTensorShape */
    int32_t dimensionSize[8];
    int32_t numDimensions;
} vendor_shape;

typedef struct vendor_shift {
    int32_t shiftLen;
    uint8_t *shiftData;
} vendor_shift;

typedef struct vendor_roi { /* right and bottom belong to it */
    int32_t left, top, right, bottom;
} vendor_roi;

typedef struct vendor_resize_control {
    int32_t bpuCoreId;
    int32_t priority;
    int32_t resizeType;
    int32_t reserved1, reserved2, reserved3, reserved4;
} vendor_resize_control;

typedef void (*vendor_done)(vendor_handle task, int32_t status, void *user);

/* ------------------------------------------------------------------------------------------ what is older than 1.14 */

typedef struct vendor_control_old { /* hbDNNInferCtrlParam of 1.6.1 and 1.9.7 */
    int32_t bpuCoreId;
    int32_t dspCoreId;
    int32_t priority;
    int32_t more;
    int32_t reserved1, reserved2, reserved3, reserved4;
} vendor_control_old;

typedef struct vendor_control { /* since 1.14.1 */
    int32_t bpuCoreId;
    int32_t dspCoreId;
    int32_t priority;
    int32_t more;
    int64_t customId;
    int32_t reserved1, reserved2;
} vendor_control;

typedef struct vendor_scale_161 {
    int32_t scaleLen;
    float *scaleData;
} vendor_scale_161;

typedef struct vendor_scale {
    int32_t scaleLen;
    float *scaleData;
    int32_t zeroPointLen;
    int8_t *zeroPointData;
} vendor_scale;

/* ------------------------------------------------------------------------------------- properties, by their release */

typedef struct vendor_properties_161 {
    vendor_shape validShape, alignedShape;
    int32_t tensorLayout;
    int32_t tensorType;
    vendor_shift shift;
    vendor_scale_161 scale;
    int32_t quantiType;
    int32_t alignedByteSize;
} vendor_properties_161;

typedef struct vendor_properties_197 {
    vendor_shape validShape, alignedShape;
    int32_t tensorLayout;
    int32_t tensorType;
    vendor_shift shift;
    vendor_scale scale;
    int32_t quantiType;
    int32_t alignedByteSize;
} vendor_properties_197;

typedef struct vendor_properties_1141 {
    vendor_shape validShape, alignedShape;
    int32_t tensorLayout;
    int32_t tensorType;
    vendor_shift shift;
    vendor_scale scale;
    int32_t quantiType;
    int32_t quantizeAxis;
    int32_t alignedByteSize;
} vendor_properties_1141;

typedef struct vendor_properties_1184 { /* and 1.23, 1.24 */
    vendor_shape validShape, alignedShape;
    int32_t tensorLayout;
    int32_t tensorType;
    vendor_shift shift;
    vendor_scale scale;
    int32_t quantiType;
    int32_t quantizeAxis;
    int32_t alignedByteSize;
    int32_t stride[8];
} vendor_properties_1184;

typedef struct vendor_tensor_161 {
    vendor_memory sysMem[4];
    vendor_properties_161 properties;
} vendor_tensor_161;

typedef struct vendor_tensor_197 {
    vendor_memory sysMem[4];
    vendor_properties_197 properties;
} vendor_tensor_197;

typedef struct vendor_tensor_1141 {
    vendor_memory sysMem[4];
    vendor_properties_1141 properties;
} vendor_tensor_1141;

typedef struct vendor_tensor_1184 {
    vendor_memory sysMem[4];
    vendor_properties_1184 properties;
} vendor_tensor_1184;

/* -------------------------------------------------------------------------------------------------------------- UCP */

typedef struct vendor_ucp_memory {
    uint64_t phyAddr;
    void *virAddr;
    uint64_t memSize;
} vendor_ucp_memory;

typedef struct vendor_ucp_shape {
    int32_t dimensionSize[10];
    int32_t numDimensions;
} vendor_ucp_shape;

typedef struct vendor_ucp_scale {
    int32_t scaleLen;
    float *scaleData;
    int32_t zeroPointLen;
    int32_t *zeroPointData;
} vendor_ucp_scale;

typedef struct vendor_ucp_properties {
    vendor_ucp_shape validShape;
    int32_t tensorType;
    vendor_ucp_scale scale;
    int32_t quantiType;
    int32_t quantizeAxis;
    int64_t alignedByteSize;
    int64_t stride[10];
} vendor_ucp_properties;

typedef struct vendor_ucp_tensor {
    vendor_ucp_memory sysMem;
    vendor_ucp_properties properties;
} vendor_ucp_tensor;

typedef struct vendor_ucp_sched {
    int32_t priority;
    int64_t customId;
    uint64_t backend;
    uint32_t deviceId;
} vendor_ucp_sched;

/* ----------------------------------------------------------------------------------------------------------- checks */

#if UINTPTR_MAX > 0xffffffffu
#define VENDOR_IS(name, condition) typedef char vendor_is_##name[(condition) ? 1 : -1]
#define VENDOR_AT(type, field, offset, name) VENDOR_IS(name, offsetof(type, field) == (offset))

VENDOR_IS(memory, sizeof(vendor_memory) == 24);
VENDOR_IS(shape, sizeof(vendor_shape) == 36);
VENDOR_IS(shift, sizeof(vendor_shift) == 16);
VENDOR_IS(scale_161, sizeof(vendor_scale_161) == 16);
VENDOR_IS(scale, sizeof(vendor_scale) == 32);
VENDOR_IS(control_old, sizeof(vendor_control_old) == 32);
VENDOR_IS(control, sizeof(vendor_control) == 32);
VENDOR_IS(resize, sizeof(vendor_resize_control) == 28);
VENDOR_IS(roi, sizeof(vendor_roi) == 16);
VENDOR_AT(vendor_control, customId, 16, control_id);

VENDOR_IS(properties_161, sizeof(vendor_properties_161) == 120);
VENDOR_IS(properties_197, sizeof(vendor_properties_197) == 136);
VENDOR_IS(properties_1141, sizeof(vendor_properties_1141) == 144);
VENDOR_IS(properties_1184, sizeof(vendor_properties_1184) == 176);
VENDOR_IS(tensor_161, sizeof(vendor_tensor_161) == 216);
VENDOR_IS(tensor_197, sizeof(vendor_tensor_197) == 232);
VENDOR_IS(tensor_1141, sizeof(vendor_tensor_1141) == 240);
VENDOR_IS(tensor_1184, sizeof(vendor_tensor_1184) == 272);
VENDOR_AT(vendor_tensor_161, properties, 96, in_tensor_161);
VENDOR_AT(vendor_tensor_1184, properties, 96, in_tensor_1184);
VENDOR_AT(vendor_properties_161, alignedShape, 36, aligned_161);
VENDOR_AT(vendor_properties_161, tensorLayout, 72, layout_161);
VENDOR_AT(vendor_properties_161, tensorType, 76, type_161);
VENDOR_AT(vendor_properties_161, shift, 80, shift_161);
VENDOR_AT(vendor_properties_161, scale, 96, scales_161);
VENDOR_AT(vendor_properties_161, quantiType, 112, quant_161);
VENDOR_AT(vendor_properties_161, alignedByteSize, 116, bytes_161);
VENDOR_AT(vendor_properties_197, quantiType, 128, quant_197);
VENDOR_AT(vendor_properties_197, alignedByteSize, 132, bytes_197);
VENDOR_AT(vendor_properties_1141, quantizeAxis, 132, axis_1141);
VENDOR_AT(vendor_properties_1141, alignedByteSize, 136, bytes_1141);
VENDOR_AT(vendor_properties_1184, quantizeAxis, 132, axis_1184);
VENDOR_AT(vendor_properties_1184, alignedByteSize, 136, bytes_1184);
VENDOR_AT(vendor_properties_1184, stride, 140, stride_1184);

VENDOR_IS(ucp_memory, sizeof(vendor_ucp_memory) == 24);
VENDOR_IS(ucp_shape, sizeof(vendor_ucp_shape) == 44);
VENDOR_IS(ucp_properties, sizeof(vendor_ucp_properties) == 176);
VENDOR_IS(ucp_tensor, sizeof(vendor_ucp_tensor) == 200);
VENDOR_IS(ucp_sched, sizeof(vendor_ucp_sched) == 32);
VENDOR_AT(vendor_ucp_properties, tensorType, 44, ucp_type);
VENDOR_AT(vendor_ucp_properties, scale, 48, ucp_scale);
VENDOR_AT(vendor_ucp_properties, quantiType, 80, ucp_quant);
VENDOR_AT(vendor_ucp_properties, quantizeAxis, 84, ucp_axis);
VENDOR_AT(vendor_ucp_properties, alignedByteSize, 88, ucp_bytes);
VENDOR_AT(vendor_ucp_properties, stride, 96, ucp_stride);
VENDOR_AT(vendor_ucp_sched, customId, 8, ucp_id);
VENDOR_AT(vendor_ucp_sched, backend, 16, ucp_backend);
VENDOR_AT(vendor_ucp_sched, deviceId, 24, ucp_device);
#endif

#endif /* NNRT_TESTS_SIM_BPU_VENDOR_H */
