/* SPDX-License-Identifier: Apache-2.0 */
/* bpu_properties.h - properties of a tensor as a library of a given version writes them, from one description: by the
   structures of bpu/abi.h, not by its table of offsets. */
#ifndef NNRT_TESTS_BPU_PROPERTIES_H
#define NNRT_TESTS_BPU_PROPERTIES_H

#include "bpu/abi.h"

#include <string.h>

#define PROPERTIES_FN static __attribute__((unused))

/* What a library says; fields that a version does not have are dropped. */
typedef struct said {
    int32_t type, order, rank;
    int32_t dims[10], aligned[10];
    int64_t strides[10];
    int64_t size;
    int32_t quantization, axis;
    int32_t length, zero_point_length; /* of shifts or scales */
    const uint8_t *shifts;
    const float *scales;
    const int32_t *zero_points; /* version 1 has room for 8 bits: take narrow_zero_points */
    const int8_t *narrow_zero_points;
} said;

static const uint32_t said_versions[6][2] = {{1, 6}, {1, 9}, {1, 14}, {1, 18}, {1, 24}, {3, 13}};

/* Room for those of every version. */
typedef union said_bytes {
    nnrt__bpu_properties_1_6 v1_6;
    nnrt__bpu_properties_1_9 v1_9;
    nnrt__bpu_properties_1_14 v1_14;
    nnrt__bpu_properties_1_18 v1_18;
    nnrt__bpu_properties_ucp ucp;
} said_bytes;

#define PUT_DNN(p)                                                                        \
    do {                                                                                  \
        memcpy((p)->valid.size, what->dims, sizeof((p)->valid.size));                     \
        memcpy((p)->aligned.size, what->aligned, sizeof((p)->aligned.size));              \
        (p)->valid.count = (p)->aligned.count = what->rank;                               \
        (p)->order = what->order;                                                         \
        (p)->type = what->type;                                                           \
        (p)->shift.length = what->quantization == NNRT__BPU_DNN_SHIFT ? what->length : 0; \
        (p)->shift.data = (uint8_t *)(uintptr_t)what->shifts;                             \
        (p)->scale.length = what->quantization == NNRT__BPU_DNN_SCALE ? what->length : 0; \
        (p)->scale.data = (float *)(uintptr_t)what->scales;                               \
        (p)->quantization = what->quantization;                                           \
        (p)->byte_size = (int32_t)what->size;                                             \
    } while (0)
#define PUT_ZERO_POINTS(p)                                                     \
    do {                                                                       \
        (p)->scale.zero_point_length = what->zero_point_length;                \
        (p)->scale.zero_point = (int8_t *)(uintptr_t)what->narrow_zero_points; \
    } while (0)

/* Version number of said_versions; its layout. */
PROPERTIES_FN const nnrt__bpu_layout *say(const said *what, size_t version, said_bytes *bytes) {
    int i;
    memset(bytes, 0xa5, sizeof(*bytes));
    switch (version) {
    case 0: PUT_DNN(&bytes->v1_6); break;
    case 1:
        PUT_DNN(&bytes->v1_9);
        PUT_ZERO_POINTS(&bytes->v1_9);
        break;
    case 2:
        PUT_DNN(&bytes->v1_14);
        PUT_ZERO_POINTS(&bytes->v1_14);
        bytes->v1_14.axis = what->axis;
        break;
    case 3:
    case 4:
        PUT_DNN(&bytes->v1_18);
        PUT_ZERO_POINTS(&bytes->v1_18);
        bytes->v1_18.axis = what->axis;
        for (i = 0; i < 8; i++) bytes->v1_18.stride[i] = (int32_t)what->strides[i];
        break;
    default:
        memcpy(bytes->ucp.valid.size, what->dims, sizeof(what->dims));
        bytes->ucp.valid.count = what->rank;
        bytes->ucp.type = what->type;
        bytes->ucp.scale.length = what->length;
        bytes->ucp.scale.data = (float *)(uintptr_t)what->scales;
        bytes->ucp.scale.zero_point_length = what->zero_point_length;
        bytes->ucp.scale.zero_point = (int32_t *)(uintptr_t)what->zero_points;
        bytes->ucp.quantization = what->quantization;
        bytes->ucp.axis = what->axis;
        bytes->ucp.byte_size = what->size;
        memcpy(bytes->ucp.stride, what->strides, sizeof(what->strides));
        break;
    }
    return nnrt__bpu_layout_find(said_versions[version][0], said_versions[version][1]);
}

#endif /* NNRT_TESTS_BPU_PROPERTIES_H */
