/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_strides.c - what libraries of six layouts say about tensors becomes one description that can be followed
   without leaving the memory: strides that real models report, rotated, missing, left to the program or wrong. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/log.h"
#include "bpu/tensor.h"

#include <criterion/criterion.h>

#include <stdio.h>

#include "bpu_properties.h"

#define SEED 20261122u
#include "noise.h"

#ifndef ROUNDS
#define ROUNDS 20000
#endif

enum {
    V1_6 = 0,
    V1_9 = 1,
    V1_14 = 2,
    V1_18 = 3,
    V1_24 = 4,
    UCP = 5,
    VERSIONS = 6
};

/* A dense int8 tensor of a version 1. */
static said plain(int32_t type, int32_t rank, int32_t a, int32_t b, int32_t c, int32_t d) {
    said s;
    const int32_t dims[4] = {a, b, c, d};
    memset(&s, 0, sizeof(s));
    s.type = type;
    s.order = rank == 4 ? NNRT__BPU_NHWC : NNRT__BPU_NO_ORDER;
    s.rank = rank;
    memcpy(s.dims, dims, sizeof(dims));
    memcpy(s.aligned, dims, sizeof(dims));
    return s;
}

static OH_NN_ReturnCode describe(nnrt__bpu_tensor *tensor, const said *what, size_t version, uint32_t alignment) {
    said_bytes bytes;
    const nnrt__bpu_layout *layout = say(what, version, &bytes);
    cr_assert_not_null(layout);
    return nnrt__bpu_describe(tensor, layout, &bytes, alignment, "prob");
}

static void accepted(nnrt__bpu_tensor *tensor, const said *what, size_t version) {
    const OH_NN_ReturnCode code = describe(tensor, what, version, 32);
    cr_assert_eq(code, OH_NN_SUCCESS, "%s", nnrt__sentence());
}

/* ---------------------------------------------------------------------------------------------- real models */

/* Seen in files for X3, J5 and X5. strides: reported; expected: NULL where they are followed. */
static const struct {
    const char *what;
    int32_t type, order, rank;
    int32_t dims[4], aligned[4];
    int64_t strides[4], expected[4];
    int64_t size;
} real[] = {
    {"X3 int32, channels to 24",
     NNRT__BPU_DNN_S32,
     NNRT__BPU_NHWC,
     4,
     {1, 256, 512, 19},
     {1, 256, 512, 24},
     {12582912, 49152, 96, 4},
     {12582912, 49152, 96, 4},
     12582912},
    {"X3 int8, columns to 32",
     NNRT__BPU_DNN_S8,
     NNRT__BPU_NHWC,
     4,
     {1, 20, 20, 128},
     {1, 20, 32, 128},
     {81920, 4096, 128, 1},
     {81920, 4096, 128, 1},
     81920},
    {"X3 int8, two channels of 4",
     NNRT__BPU_DNN_S8,
     NNRT__BPU_NHWC,
     4,
     {1, 80, 80, 2},
     {1, 80, 80, 4},
     {25600, 320, 4, 1},
     {25600, 320, 4, 1},
     25600},
    {"X3 classifier, 32 bytes for a value",
     NNRT__BPU_DNN_S32,
     NNRT__BPU_NCHW,
     4,
     {1, 1000, 1, 1},
     {1, 1000, 1, 8},
     {32000, 32, 32, 4},
     {32000, 32, 32, 4},
     32000},
    {"X3 int8, rows to 416",
     NNRT__BPU_DNN_S8,
     NNRT__BPU_NCHW,
     4,
     {1, 2, 400, 400},
     {1, 2, 400, 416},
     {332800, 166400, 416, 1},
     {332800, 166400, 416, 1},
     332800},
    {"X5 int32, a channel of 4",
     NNRT__BPU_DNN_S32,
     NNRT__BPU_NHWC,
     4,
     {1, 80, 80, 1},
     {1, 80, 80, 4},
     {102400, 1280, 16, 4},
     {102400, 1280, 16, 4},
     102400},
    {"X5 int16, three dimensions",
     NNRT__BPU_DNN_S16,
     NNRT__BPU_NO_ORDER,
     3,
     {1, 25200, 22, 0},
     {1, 25200, 32, 0},
     {1612800, 64, 2, 0},
     {1612800, 64, 2, 0},
     1612800},
    {"J5 classifier",
     NNRT__BPU_DNN_S32,
     NNRT__BPU_NHWC,
     4,
     {1, 1000, 1, 1},
     {1, 1000, 1, 4},
     {16000, 16, 16, 4},
     {16000, 16, 16, 4},
     16000},
    {"X5 classifier, rotated",
     NNRT__BPU_DNN_S32,
     NNRT__BPU_NHWC,
     4,
     {1, 1000, 1, 1},
     {1, 1000, 1, 4},
     {16000, 4, 16, 16},
     {16000, 16, 16, 4},
     16000},
    {"X5 argmax, rotated",
     NNRT__BPU_DNN_S8,
     NNRT__BPU_NCHW,
     4,
     {1, 1, 1024, 2048},
     {1, 1, 1024, 2048},
     {2097152, 1, 2097152, 2048},
     {2097152, 2097152, 2048, 1},
     2097152},
    {"X5 int32, rotated",
     NNRT__BPU_DNN_S32,
     NNRT__BPU_NCHW,
     4,
     {1, 2, 400, 400},
     {1, 2, 400, 400},
     {1280000, 4, 640000, 1600},
     {1280000, 640000, 1600, 4},
     1280000},
    {"X5, planes under the names of NHWC",
     NNRT__BPU_DNN_S32,
     NNRT__BPU_NHWC,
     4,
     {1, 80, 160, 4},
     {1, 80, 160, 4},
     {204800, 640, 4, 51200},
     {204800, 640, 4, 51200},
     204800},
};

Test(bpu_strides, real_models_are_read_where_their_elements_are) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(real); i++) {
        nnrt__bpu_tensor tensor;
        said s = plain(real[i].type, real[i].rank, 0, 0, 0, 0);
        const bool rotated = memcmp(real[i].strides, real[i].expected, sizeof(real[i].strides)) != 0;
        size_t version;
        s.order = real[i].order;
        memcpy(s.dims, real[i].dims, sizeof(real[i].dims));
        memcpy(s.aligned, real[i].aligned, sizeof(real[i].aligned));
        memcpy(s.strides, real[i].strides, sizeof(real[i].strides));
        s.size = real[i].size;
        for (version = V1_6; version <= V1_24; version++) {
            /* planes under other names cannot be told without strides: versions without them do not do that */
            if (version < V1_18 && i + 1 == NNRT__COUNT_OF(real)) continue;
            accepted(&tensor, &s, version);
            cr_expect(memcmp(tensor.strides, real[i].expected, sizeof(int64_t) * tensor.rank) == 0, "%s", real[i].what);
            cr_expect_eq(tensor.was_rotated, rotated && version >= V1_18, "%s", real[i].what);
            cr_expect_eq(tensor.size, real[i].size);
            cr_expect_eq(nnrt__bpu_extent(&tensor) <= (uint64_t)real[i].size, true);
        }
    }
}

Test(bpu_strides, every_version_says_the_same_about_a_tensor) {
    static const float scales[3] = {0.5f, 0.25f, 0.0f};
    static const int8_t zeros[3] = {-128, 0, 127};
    static const int32_t wide_zeros[3] = {-128, 0, 127};
    size_t version;
    for (version = V1_6; version < VERSIONS; version++) {
        nnrt__bpu_tensor tensor;
        said s = plain(version == UCP ? (int32_t)NNRT__BPU_UCP_U8 : (int32_t)NNRT__BPU_DNN_U8, 4, 1, 2, 5, 3);
        s.aligned[3] = 4;
        s.strides[0] = 40;
        s.strides[1] = 20;
        s.strides[2] = 4;
        s.strides[3] = 1;
        s.size = 64;
        s.quantization = version == UCP ? NNRT__BPU_UCP_SCALE : NNRT__BPU_DNN_SCALE;
        s.axis = 3;
        s.length = s.zero_point_length = 3;
        s.scales = scales;
        s.narrow_zero_points = zeros;
        s.zero_points = wide_zeros;
        accepted(&tensor, &s, version);
        cr_expect_eq(tensor.element, NNRT__BPU_U8);
        cr_expect_eq(tensor.rank, 4);
        cr_expect_arr_eq(tensor.dims, s.dims, sizeof(int32_t) * 4);
        cr_expect_arr_eq(tensor.strides, s.strides, sizeof(int64_t) * 4);
        cr_expect_eq(tensor.size, 64);
        cr_expect_eq(tensor.quant, NNRT__BPU_QUANT_SCALE);
        cr_expect_eq(tensor.quant_count, 3);
        cr_expect_eq(tensor.axis, 3);
        cr_expect_eq(nnrt__bpu_scale(&tensor, 1), 0.25f);
        cr_expect_eq(nnrt__bpu_zero_point(&tensor, 0), version == V1_6 ? 0 : -128);
        cr_expect_eq(nnrt__bpu_zero_point(&tensor, 2), version == V1_6 ? 0 : 127);
    }
}

Test(bpu_strides, every_type_number_is_the_element_of_its_version) {
    static const nnrt__bpu_element dnn[NNRT__BPU_DNN_TYPES] = {
        NNRT__BPU_Y,      NNRT__BPU_NV12, NNRT__BPU_NV12_SEPARATE,
        NNRT__BPU_YUV444, NNRT__BPU_RGB,  NNRT__BPU_BGR,
        NNRT__BPU_S4,     NNRT__BPU_U4,   NNRT__BPU_S8,
        NNRT__BPU_U8,     NNRT__BPU_F16,  NNRT__BPU_S16,
        NNRT__BPU_U16,    NNRT__BPU_F32,  NNRT__BPU_S32,
        NNRT__BPU_U32,    NNRT__BPU_F64,  NNRT__BPU_S64,
        NNRT__BPU_U64};
    static const nnrt__bpu_element ucp[NNRT__BPU_UCP_TYPES] = {
        NNRT__BPU_S4,  NNRT__BPU_U4,  NNRT__BPU_S8,  NNRT__BPU_U8,  NNRT__BPU_F16, NNRT__BPU_S16, NNRT__BPU_U16,
        NNRT__BPU_F32, NNRT__BPU_S32, NNRT__BPU_U32, NNRT__BPU_F64, NNRT__BPU_S64, NNRT__BPU_U64, NNRT__BPU_BOOL8};
    static const uint32_t bits[20] = {4, 4, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 8, 8, 8, 8, 8, 8, 8};
    nnrt__bpu_tensor tensor;
    int32_t type;
    for (type = -1; type <= NNRT__BPU_DNN_TYPES; type++) {
        said s = plain(type, 4, 1, 2, 4, 6);
        s.size = 384;
        if (type < 0 || type == NNRT__BPU_DNN_TYPES) {
            cr_expect_eq(describe(&tensor, &s, V1_18, 1), OH_NN_FAILED);
            cr_expect_str_eq(nnrt__sentence(), type < 0 ? "tensor \"prob\" has type -1, which nobody has described"
                                                        : "tensor \"prob\" has type 19, which nobody has described");
            continue;
        }
        accepted(&tensor, &s, V1_18);
        cr_expect_eq(tensor.element, dnn[type]);
        cr_expect_eq(nnrt__bpu_element_bits(tensor.element), bits[tensor.element]);
        cr_expect_eq(tensor.strides[3] * 8, bits[tensor.element] == 4 ? 8 : bits[tensor.element]);
        cr_expect_eq(tensor.strides[2] * 8, bits[tensor.element] * 6);
    }
    for (type = -1; type <= NNRT__BPU_UCP_TYPES; type++) {
        said s = plain(type, 4, 1, 2, 4, 6);
        s.size = 384;
        if (type < 0 || type == NNRT__BPU_UCP_TYPES) {
            cr_expect_eq(describe(&tensor, &s, UCP, 32), OH_NN_FAILED);
            continue;
        }
        accepted(&tensor, &s, UCP);
        cr_expect_eq(tensor.element, ucp[type]);
    }
}

/* ------------------------------------------------------------------------------------------- drawn strides */

static int64_t dense_of(const said *s, int64_t element, int64_t *strides) {
    int32_t i;
    int64_t next = element;
    for (i = s->rank - 1; i >= 0; i--) {
        strides[i] = next;
        next *= s->aligned[i];
    }
    return next;
}

static said drawn(void) {
    static const int32_t types[4] = {NNRT__BPU_DNN_S8, NNRT__BPU_DNN_S16, NNRT__BPU_DNN_F32, NNRT__BPU_DNN_S64};
    said s = plain(types[noise() % 4], (int32_t)(1 + noise() % 8), 0, 0, 0, 0);
    int32_t i;
    for (i = 0; i < s.rank; i++) {
        s.dims[i] = noise_in(1, s.rank > 5 ? 3 : 6);
        s.aligned[i] = s.dims[i] + (noise() % 3 == 0 ? noise_in(0, 4) : 0);
    }
    return s;
}

static int64_t width_of(const said *s) {
    return s->type == NNRT__BPU_DNN_S8 ? 1 : s->type == NNRT__BPU_DNN_S16 ? 2 : s->type == NNRT__BPU_DNN_F32 ? 4 : 8;
}

/* Does following the strides stay inside, and meet no byte twice? By looking at every byte. */
static bool can_be_followed(const nnrt__bpu_tensor *tensor) {
    static uint8_t seen[1 << 20];
    const int64_t width = (int64_t)nnrt__bpu_element_bits(tensor->element) / 8;
    int32_t index[NNRT__BPU_MAX_DIMS] = {0};
    uint32_t i;
    int64_t k;
    memset(seen, 0, (size_t)tensor->size);
    for (;;) {
        int64_t at = 0;
        for (i = 0; i < tensor->rank; i++) at += tensor->strides[i] * index[i];
        for (k = at; k < at + width; k++) {
            if (k < 0 || k >= tensor->size || seen[k] != 0) return false;
            seen[k] = 1;
        }
        for (i = tensor->rank; i != 0; i--) {
            if (++index[i - 1] < tensor->dims[i - 1]) break;
            index[i - 1] = 0;
        }
        if (i == 0) return true;
    }
}

Test(bpu_strides, whatever_is_accepted_can_be_followed) {
    uint32_t accepted_count = 0, rotated = 0, refused = 0;
    int round;
    for (round = 0; round < ROUNDS; round++) {
        said s = drawn();
        nnrt__bpu_tensor tensor;
        int64_t dense[10];
        const int64_t bytes = dense_of(&s, width_of(&s), dense);
        const uint32_t how = noise() % 6;
        bool right = true, computed = true;
        int32_t i;
        if (bytes > 100000) continue;
        s.size = bytes + (noise() % 3 == 0 ? noise_in(0, 64) : 0);
        memcpy(s.strides, dense, sizeof(dense));
        if (how == 0) { /* missing */
            memset(s.strides, 0, sizeof(s.strides));
        } else if (how == 1) {
            s.strides[s.rank - 1] = 0;
        } else if (how == 2) { /* rotated */
            for (i = s.rank - 1; i > 0; i--) {
                const int32_t k = noise_in(0, i);
                const int64_t other = s.strides[i];
                s.strides[i] = s.strides[k];
                s.strides[k] = other;
            }
        } else if (how == 3) { /* rows with room behind them */
            int64_t next = width_of(&s);
            for (i = s.rank - 1; i >= 0; i--) {
                s.strides[i] = next;
                next = next * s.dims[i] + noise_in(0, 3);
            }
            s.size = next;
            computed = false;
        } else if (how == 4) { /* the memory is too small */
            nnrt__bpu_tensor whole;
            accepted(&whole, &s, V1_18);
            s.size = (int64_t)nnrt__bpu_extent(&whole) - 1;
            right = false;
            if (s.size == 0) continue;
        } else { /* anything */
            for (i = 0; i < s.rank; i++) s.strides[i] = noise_in(-2, 40);
            right = false;
            computed = false;
        }
        if (describe(&tensor, &s, V1_18, 32) == OH_NN_SUCCESS) {
            cr_assert(how != 4, "seed %u round %d: a memory that is too small", SEED, round);
            cr_assert(can_be_followed(&tensor), "seed %u round %d", SEED, round);
            if (computed) cr_assert_arr_eq(tensor.strides, dense, sizeof(int64_t) * (size_t)s.rank);
            else if (!tensor.was_rotated && s.strides[s.rank - 1] != 0)
                cr_assert_arr_eq(tensor.strides, s.strides, sizeof(int64_t) * (size_t)s.rank);
            accepted_count++;
            rotated += tensor.was_rotated;
        } else {
            cr_assert(!right, "seed %u round %d: %s", SEED, round, nnrt__sentence());
            cr_assert_not_null(strstr(nnrt__sentence(), "the strides of tensor \"prob\" "));
            refused++;
        }
    }
    cr_expect_gt(accepted_count, ROUNDS / 3);
    cr_expect_gt(rotated, ROUNDS / 20);
    cr_expect_gt(refused, ROUNDS / 10);
}

/* --------------------------------------------------------------------------------------------------- UCP */

static said ucp_of(int32_t type, int32_t rank, int32_t a, int32_t b, int32_t c, int32_t d) {
    said s = plain(type, rank, a, b, c, d);
    int i;
    for (i = 0; i < 10; i++) s.strides[i] = -1;
    s.size = -1;
    return s;
}

Test(bpu_strides, strides_left_to_the_program_are_rounded_up_from_the_inside_out) {
    nnrt__bpu_tensor tensor;
    said y = ucp_of(NNRT__BPU_UCP_U8, 4, 1, 220, 220, 1), uv = ucp_of(NNRT__BPU_UCP_U8, 4, 1, 110, 110, 2);
    y.strides[2] = y.strides[3] = 1;
    uv.strides[2] = 2;
    uv.strides[3] = 1;
    cr_assert_eq(describe(&tensor, &y, UCP, 32), OH_NN_SUCCESS);
    cr_expect(tensor.strides[0] == 49280 && tensor.strides[1] == 224 && tensor.size == 49280 && !tensor.is_dynamic);
    cr_assert_eq(describe(&tensor, &uv, UCP, 32), OH_NN_SUCCESS);
    cr_expect(tensor.strides[0] == 24640 && tensor.strides[1] == 224 && tensor.size == 24640);
    cr_assert_eq(describe(&tensor, &y, UCP, 64), OH_NN_SUCCESS);
    cr_expect(tensor.strides[0] == 56320 && tensor.strides[1] == 256 && tensor.size == 56320);
    y.dims[0] = 3; /* three images, and an innermost stride that is the element's */
    y.strides[2] = y.strides[3] = -1;
    cr_assert_eq(describe(&tensor, &y, UCP, 32), OH_NN_SUCCESS);
    cr_expect(tensor.strides[3] == 1 && tensor.strides[2] == 32 && tensor.strides[1] == 7040);
    cr_expect(tensor.strides[0] == 1548800 && tensor.size == 4646400);
}

Test(bpu_strides, strides_of_a_ucp_library_are_followed_even_where_they_are_those_of_other_dimensions) {
    nnrt__bpu_tensor tensor;
    said s = ucp_of(NNRT__BPU_UCP_S8, 4, 1, 4, 4, 4);
    s.strides[0] = 64;
    s.strides[1] = 1;
    s.strides[2] = 16;
    s.strides[3] = 4;
    s.size = 64;
    accepted(&tensor, &s, UCP);
    cr_expect(!tensor.was_rotated && tensor.strides[1] == 1 && tensor.strides[3] == 4);
}

Test(bpu_strides, dimensions_left_to_the_program_are_set_before_a_run) {
    static const int32_t good[4] = {1, 100, 200, 3}, other[4] = {1, 100, 200, 4}, none[4] = {1, 0, 200, 3};
    static const int32_t huge[4] = {1, 65536, 65536, 3};
    nnrt__bpu_tensor tensor, concrete;
    nnrt_io_desc desc;
    said s = ucp_of(NNRT__BPU_UCP_F32, 4, 1, -1, -1, 3);
    int i;
    s.strides[2] = 12;
    s.strides[3] = 4;
    accepted(&tensor, &s, UCP);
    cr_assert(tensor.is_dynamic && tensor.size == -1);
    nnrt__bpu_describe_form(&tensor, NNRT__BPU_FORM_LOGICAL, &desc);
    cr_expect(desc.rank == 4 && desc.dims[1] == -1 && desc.dims[2] == -1 && desc.dims[3] == 3);
    for (i = 0; i < 2; i++) { /* the description stays: other dims may follow */
        cr_assert_eq(nnrt__bpu_set_shape(&tensor, good, "prob", &concrete), OH_NN_SUCCESS);
        cr_expect(!concrete.is_dynamic && concrete.strides[1] == 2400 && concrete.strides[0] == 240000);
        cr_expect(concrete.size == 240000 && tensor.is_dynamic);
        cr_assert_eq(nnrt__bpu_set_shape(&tensor, other, "prob", &concrete), OH_NN_INVALID_PARAMETER);
        cr_expect_str_eq(nnrt__sentence(), "dimension 3 of tensor \"prob\" cannot be 4");
        cr_assert_eq(nnrt__bpu_set_shape(&tensor, none, "prob", &concrete), OH_NN_INVALID_PARAMETER);
        cr_assert_eq(nnrt__bpu_set_shape(&tensor, huge, "prob", &concrete), OH_NN_INVALID_PARAMETER);
        cr_expect_str_eq(nnrt__sentence(), "tensor \"prob\" takes 2 GiB or more");
        cr_expect(concrete.size == 240000, "left alone");
    }
    {
        said_bytes bytes;
        const nnrt__bpu_layout *layout = say(&s, UCP, &bytes);
        cr_assert_eq(nnrt__bpu_set_shape(&tensor, good, "prob", &concrete), OH_NN_SUCCESS);
        nnrt__bpu_put(&concrete, layout, &bytes);
        cr_expect(bytes.ucp.valid.size[1] == 100 && bytes.ucp.stride[0] == 240000 && bytes.ucp.stride[3] == 4);
        cr_expect(bytes.ucp.byte_size == -1 && bytes.ucp.type == NNRT__BPU_UCP_F32, "and nothing else");
        cr_assert_eq(nnrt__bpu_describe(&tensor, layout, &bytes, 32, "prob"), OH_NN_SUCCESS);
        cr_expect(!tensor.is_dynamic && tensor.size == 240000);
    }
}

/* ------------------------------------------------------------------------------------------------ refusals */

static void refused(const said *what, size_t version, const char *sentence) {
    nnrt__bpu_tensor tensor;
    cr_expect_eq(describe(&tensor, what, version, 32), OH_NN_FAILED, "%s", sentence);
    cr_expect_str_eq(nnrt__sentence(), sentence);
}

Test(bpu_strides, what_cannot_be_is_refused_with_its_numbers) {
    static const float scales[4] = {1.0f, 0.5f, -0.5f, 1.0f};
    static const uint8_t shifts[4] = {0, 31, 32, 255};
    static const int8_t zeros[4] = {0, 0, 0, 0};
    static const int32_t wide_zeros[4] = {0, 0, 0, 0};
    const said good = plain(NNRT__BPU_DNN_S8, 4, 1, 2, 4, 4);
    said s = good;
    s.rank = 0;
    refused(&s, V1_18, "tensor \"prob\" has 0 dimensions, and 1 to 8 are possible");
    s.rank = 9;
    refused(&s, V1_9, "tensor \"prob\" has 9 dimensions, and 1 to 8 are possible");
    s.rank = 11;
    refused(&s, UCP, "tensor \"prob\" has 11 dimensions, and 1 to 10 are possible");
    s = good;
    s.dims[1] = 0;
    refused(&s, V1_18, "dimension 1 of tensor \"prob\" is 0");
    s.dims[1] = -1;
    refused(&s, V1_18, "dimension 1 of tensor \"prob\" is -1");
    s.dims[1] = -2;
    refused(&s, UCP, "dimension 1 of tensor \"prob\" is -2");
    s = good;
    s.aligned[3] = 3;
    refused(&s, V1_6, "dimension 3 of tensor \"prob\" is 4, and with its padding 3");
    s = good;
    s.dims[0] = s.dims[1] = s.aligned[0] = s.aligned[1] = 32768;
    refused(&s, V1_18, "tensor \"prob\" takes 2 GiB or more");
    s = good;
    s.order = 1;
    refused(&s, V1_18, "tensor \"prob\" has layout 1, and NHWC, NCHW and none are possible");
    s = good;
    refused(&s, V1_18, "tensor \"prob\" takes 0 bytes");
    s.size = -1;
    refused(&s, V1_18, "tensor \"prob\" takes -1 bytes");
    s.size = -2;
    refused(&s, UCP, "tensor \"prob\" takes -2 bytes");
    s.size = INT64_C(1) << 40;
    refused(&s, UCP, "tensor \"prob\" takes 2 GiB or more");
    s.size = 31;
    refused(&s, V1_14, "the strides of tensor \"prob\" leave its 31 bytes");
    s.size = -1; /* the library knows no size that would tell */
    s.strides[3] = 1;
    s.strides[2] = 4;
    s.strides[1] = 12;
    s.strides[0] = 32;
    refused(&s, UCP, "the strides of tensor \"prob\" overlap, or reach over 2 GiB");
    memset(s.strides, 0, sizeof(s.strides));
    s.size = 32;
    s.quantization = 3;
    refused(&s, V1_18, "tensor \"prob\" is quantized in way 3, which nobody has described");
    s.quantization = 2;
    refused(&s, UCP, "tensor \"prob\" is quantized in way 2, which nobody has described");

    s.quantization = NNRT__BPU_DNN_SCALE;
    refused(&s, V1_18, "tensor \"prob\" is quantized, and its library shows no scales");
    s.length = 4;
    refused(&s, V1_18, "tensor \"prob\" is quantized, and its library shows no scales");
    s.scales = scales;
    s.axis = 1;
    refused(&s, V1_18, "tensor \"prob\" has 4 scales, and its axis 1 has 2 indices");
    s.axis = -1;
    refused(&s, V1_18, "tensor \"prob\" has 4 scales, and its axis -1 has 0 indices");
    s.axis = 4;
    refused(&s, V1_18, "tensor \"prob\" has 4 scales, and its axis 4 has 0 indices");
    s.axis = 3;
    refused(&s, V1_18, "scale 2 of tensor \"prob\" is negative, infinite or not a number");
    s.zero_point_length = 3;
    s.narrow_zero_points = zeros;
    refused(&s, V1_18, "tensor \"prob\" has 4 scales and 3 zero points");
    s.zero_point_length = 4;
    s.narrow_zero_points = NULL;
    refused(&s, V1_18, "tensor \"prob\" has 4 scales and 0 zero points");
    s.quantization = NNRT__BPU_UCP_SCALE;
    s.zero_points = wide_zeros;
    s.length = 1;
    refused(&s, UCP, "tensor \"prob\" has 1 scales and 4 zero points");
    s = good;
    s.size = 32;
    s.quantization = NNRT__BPU_DNN_SHIFT;
    s.length = 4;
    s.axis = 2;
    refused(&s, V1_18, "tensor \"prob\" is quantized, and its library shows no shifts");
    s.shifts = shifts;
    refused(&s, V1_18, "shift 2 of tensor \"prob\" is 32, and 31 is the most");

    s = plain(NNRT__BPU_DNN_S4, 4, 1, 2, 4, 5);
    s.size = 100;
    refused(&s, V1_18, "tensor \"prob\" has rows of 5 elements of 4 bits: half a byte is left");
    s = plain(NNRT__BPU_DNN_NV12, 4, 1, 3, 4, 6);
    s.size = 36;
    refused(&s, V1_18, "tensor \"prob\" is NV12 of 4x3 pixels, stored as 4x3: all must be even");
    s.order = NNRT__BPU_NO_ORDER;
    refused(&s, V1_18, "tensor \"prob\" is NV12 without an order of four dimensions");
    s = plain(NNRT__BPU_DNN_NV12, 4, 1, 1, 40000, 40000);
    s.order = NNRT__BPU_NCHW;
    s.size = 1;
    refused(&s, V1_18, "tensor \"prob\" takes 2 GiB or more");
}

Test(bpu_strides, an_axis_that_no_field_names_is_that_of_the_channels) {
    static const float scales[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const struct {
        int32_t order, rank, dims[4], length;
        int32_t axis; /* -1: refused */
    } rows[] = {{NNRT__BPU_NHWC, 4, {1, 4, 4, 4}, 4, 3},       {NNRT__BPU_NCHW, 4, {1, 4, 4, 4}, 4, 1},
                {NNRT__BPU_NO_ORDER, 2, {1, 10, 0, 0}, 10, 1}, {NNRT__BPU_NHWC, 4, {1, 7, 4, 5}, 7, 1},
                {NNRT__BPU_NHWC, 4, {1, 7, 7, 5}, 7, -1},      {NNRT__BPU_NHWC, 4, {1, 7, 7, 5}, 6, -1},
                {NNRT__BPU_NCHW, 1, {8, 0, 0, 0}, 8, 0}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        nnrt__bpu_tensor tensor;
        said s =
            plain(NNRT__BPU_DNN_S8, rows[i].rank, rows[i].dims[0], rows[i].dims[1], rows[i].dims[2], rows[i].dims[3]);
        OH_NN_ReturnCode code;
        s.order = rows[i].order;
        s.size = 1000;
        s.quantization = NNRT__BPU_DNN_SCALE;
        s.length = rows[i].length;
        s.scales = scales;
        code = describe(&tensor, &s, V1_9, 32);
        cr_expect_eq(code == OH_NN_SUCCESS, rows[i].axis >= 0, "row %zu: %s", i, nnrt__sentence());
        if (code == OH_NN_SUCCESS) cr_expect_eq((int32_t)tensor.axis, rows[i].axis, "row %zu", i);
    }
}

Test(bpu_strides, properties_of_noise_are_refused_or_can_be_followed) {
    int round;
    for (round = 0; round < ROUNDS; round++) {
        const size_t version = noise() % VERSIONS;
        nnrt__bpu_tensor tensor;
        said_bytes bytes;
        said s = drawn();
        int64_t dense[10];
        const nnrt__bpu_layout *layout;
        uint32_t changes;
        s.size = dense_of(&s, width_of(&s), dense);
        layout = say(&s, version, &bytes);
        if (version == UCP) {
            bytes.ucp.scale.data = NULL;
            bytes.ucp.scale.zero_point = NULL;
            memcpy(bytes.ucp.stride, dense, sizeof(dense));
        }
        for (changes = noise() % 4; changes != 0; changes--) { /* any number but a pointer */
            const uint32_t at = noise() % (layout->properties_size / 4u) * 4;
            const int32_t word = noise() % 2 == 0 ? noise_in(-3, 12) : (int32_t)noise();
            if (at >= layout->scale && at < layout->scale + 32u) continue;
            if (layout->shift != NNRT__BPU_ABSENT && at >= layout->shift && at < layout->shift + 16u) continue;
            memcpy((uint8_t *)&bytes + at, &word, 4);
        }
        if (nnrt__bpu_describe(&tensor, layout, &bytes, 32, "prob") != OH_NN_SUCCESS) continue;
        if (tensor.is_dynamic || nnrt__bpu_is_nv12(tensor.element) || tensor.size > 1 << 20) continue;
        if (nnrt__bpu_element_bits(tensor.element) == 4) continue;
        cr_assert(can_be_followed(&tensor), "seed %u round %d", SEED, round);
    }
}

/* ------------------------------------------------------------------------------------------- for programs */

/* dtype, format, dims and what is in place, by form. */
static void looks(const nnrt__bpu_tensor *tensor, nnrt__bpu_form form, OH_NN_DataType dtype, OH_NN_Format format,
                  const char *dims, bool direct) {
    nnrt_io_desc desc;
    char text[100] = "";
    uint32_t i;
    uint64_t bytes;
    memset(&desc, 0, sizeof(desc));
    nnrt__bpu_describe_form(tensor, form, &desc);
    bytes = nnrt__element_size(desc.dtype);
    for (i = 0; i < desc.rank; i++) {
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d", i == 0 ? "" : " ", (int)desc.dims[i]);
        bytes *= (uint64_t)desc.dims[i];
    }
    cr_expect_eq(desc.dtype, dtype, "dtype %d", (int)desc.dtype);
    cr_expect_eq(desc.format, format, "format %d", (int)desc.format);
    cr_expect_str_eq(text, dims);
    cr_expect_eq(nnrt__bpu_form_size(tensor, form), bytes);
    cr_expect_eq(nnrt__bpu_is_direct(tensor, form), direct, "%s", dims);
}

Test(bpu_strides, a_program_sees_the_tensor_without_its_padding) {
    static const float scale = 0.25f;
    static const int8_t zero = -3;
    nnrt__bpu_tensor tensor;
    nnrt_io_desc desc;
    said s = plain(NNRT__BPU_DNN_S8, 4, 1, 2, 5, 3);
    s.quantization = NNRT__BPU_DNN_SCALE;
    s.length = s.zero_point_length = 1;
    s.scales = &scale;
    s.narrow_zero_points = &zero;
    s.size = 30;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_INT8, OH_NN_FORMAT_NHWC, "1 2 5 3", true);
    looks(&tensor, NNRT__BPU_FORM_FLOAT, OH_NN_FLOAT32, OH_NN_FORMAT_NHWC, "1 2 5 3", false);
    looks(&tensor, NNRT__BPU_FORM_RAW, OH_NN_INT8, OH_NN_FORMAT_NHWC, "1 2 5 3", true);
    memset(&desc, 0, sizeof(desc));
    nnrt__bpu_describe_form(&tensor, NNRT__BPU_FORM_LOGICAL, &desc);
    cr_expect(desc.scale == 0.25 && desc.zero_point == -3);
    memset(&desc, 0, sizeof(desc));
    nnrt__bpu_describe_form(&tensor, NNRT__BPU_FORM_FLOAT, &desc);
    cr_expect(desc.scale == 0 && desc.zero_point == 0);

    s.strides[0] = 1000; /* which nothing follows: there is one image */
    s.strides[1] = 15;
    s.strides[2] = 3;
    s.strides[3] = 1;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_INT8, OH_NN_FORMAT_NHWC, "1 2 5 3", true);
    memset(s.strides, 0, sizeof(s.strides));
    s.aligned[3] = 4;
    s.size = 40;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_INT8, OH_NN_FORMAT_NHWC, "1 2 5 3", false);
    looks(&tensor, NNRT__BPU_FORM_RAW, OH_NN_INT8, OH_NN_FORMAT_NHWC, "1 2 5 4", true);
    s.size = 64; /* bytes that belong to no shape */
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_RAW, OH_NN_UINT8, OH_NN_FORMAT_NONE, "64", true);

    s = plain(NNRT__BPU_DNN_S32, 4, 1, 2, 5, 3); /* an index is no quantized number */
    s.order = NNRT__BPU_NCHW;
    s.size = 120;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_FLOAT, OH_NN_INT32, OH_NN_FORMAT_NCHW, "1 2 5 3", true);
    s.type = NNRT__BPU_DNN_F16;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_FLOAT16, OH_NN_FORMAT_NCHW, "1 2 5 3", true);
    looks(&tensor, NNRT__BPU_FORM_FLOAT, OH_NN_FLOAT32, OH_NN_FORMAT_NCHW, "1 2 5 3", false);
    s.type = NNRT__BPU_DNN_U4;
    s.dims[3] = s.aligned[3] = 2;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_UINT8, OH_NN_FORMAT_NCHW, "1 2 5 2", false);
    s.type = NNRT__BPU_DNN_BGR;
    s.rank = 3;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_FLOAT, OH_NN_UINT8, OH_NN_FORMAT_NONE, "1 2 5", true);
    s.rank = 10;
    memset(s.strides, 0, sizeof(s.strides));
    for (s.rank = 4; s.rank < 10; s.rank++) s.dims[s.rank] = 1;
    s.type = NNRT__BPU_UCP_BOOL8;
    accepted(&tensor, &s, UCP);
    looks(&tensor, NNRT__BPU_FORM_FLOAT, OH_NN_BOOL, OH_NN_FORMAT_NONE, "1 2 5 2 1 1 1 1 1 1", true);
}

Test(bpu_strides, a_program_sees_an_nv12_picture_as_rows) {
    int32_t order, separate;
    for (order = NNRT__BPU_NHWC; order <= NNRT__BPU_NCHW; order += NNRT__BPU_NCHW - NNRT__BPU_NHWC)
        for (separate = 0; separate < 2; separate++) {
            const int h = order == NNRT__BPU_NHWC ? 1 : 2;
            nnrt__bpu_tensor tensor;
            nnrt__bpu_nv12 picture;
            said_bytes bytes;
            said s = plain(separate ? NNRT__BPU_DNN_NV12_SEPARATE : NNRT__BPU_DNN_NV12, 4, 2, 3, 3, 3);
            s.order = order;
            s.dims[h] = s.aligned[h] = 6;
            s.dims[h + 1] = s.aligned[h + 1] = 28;
            s.size = 2 * 6 * 28 / 2 * 3;
            accepted(&tensor, &s, V1_18);
            looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_UINT8, OH_NN_FORMAT_NONE, "2 9 28", true);
            s.aligned[h + 1] = 32;
            s.aligned[h] = 8;
            s.size = 2 * 8 * 32 / 2 * 3;
            accepted(&tensor, &s, V1_18);
            nnrt__bpu_nv12_of(&tensor, &picture);
            cr_expect(picture.images == 2 && picture.width == 28 && picture.height == 6);
            cr_expect(picture.pitch == 32 && picture.rows == 8);
            looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_UINT8, OH_NN_FORMAT_NONE, "2 9 28", false);
            looks(&tensor, NNRT__BPU_FORM_FLOAT, OH_NN_UINT8, OH_NN_FORMAT_NONE, "2 9 28", false);
            looks(&tensor, NNRT__BPU_FORM_RAW, OH_NN_UINT8, OH_NN_FORMAT_NONE, "2 12 32", true);
            tensor.element = separate ? NNRT__BPU_NV12 : NNRT__BPU_NV12_SEPARATE;
            tensor.aligned[h + 1] = 48;
            nnrt__bpu_put(&tensor, say(&s, V1_24, &bytes), &bytes);
            cr_expect_eq(bytes.v1_18.type, separate ? NNRT__BPU_DNN_NV12 : NNRT__BPU_DNN_NV12_SEPARATE);
            cr_expect_eq(bytes.v1_18.aligned.size[h + 1], 48);
            cr_expect(bytes.v1_18.valid.size[h + 1] == 28 && bytes.v1_18.byte_size == s.size, "and nothing else");
            s.size = 2 * 6 * 28 / 2 * 3;
            accepted(&tensor, &s, V1_18);
            cr_expect_eq(tensor.size, 2 * 8 * 32 / 2 * 3, "both planes have room whatever the library says");
        }
}

Test(bpu_strides, only_gray_pictures_of_one_channel_in_front_are_told_with_it_last) {
    nnrt__bpu_tensor tensor;
    memset(&tensor, 0, sizeof(tensor));
    tensor.element = NNRT__BPU_Y;
    tensor.order = NNRT__BPU_NCHW;
    tensor.rank = 4;
    tensor.dims[0] = 2, tensor.dims[1] = 1, tensor.dims[2] = 6, tensor.dims[3] = 28;
    cr_expect(nnrt__bpu_is_plane(&tensor));
    tensor.dims[1] = 2;
    cr_expect_not(nnrt__bpu_is_plane(&tensor));
    tensor.dims[1] = 0;
    cr_expect_not(nnrt__bpu_is_plane(&tensor));
    tensor.dims[1] = 1, tensor.rank = 3;
    cr_expect_not(nnrt__bpu_is_plane(&tensor));
    tensor.rank = 5;
    cr_expect_not(nnrt__bpu_is_plane(&tensor));
    tensor.rank = 4, tensor.order = NNRT__BPU_NHWC;
    cr_expect_not(nnrt__bpu_is_plane(&tensor));
    tensor.order = NNRT__BPU_NCHW, tensor.element = NNRT__BPU_S8;
    cr_expect_not(nnrt__bpu_is_plane(&tensor));
}

Test(bpu_strides, a_program_sees_a_gray_picture_with_its_channel_last) {
    nnrt__bpu_tensor tensor;
    said s = plain(NNRT__BPU_DNN_Y, 4, 2, 1, 6, 28);
    s.order = NNRT__BPU_NCHW;
    s.size = 2 * 6 * 28;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_UINT8, OH_NN_FORMAT_NHWC, "2 6 28 1", true);
    s.aligned[3] = 32;
    s.size = 2 * 6 * 32;
    accepted(&tensor, &s, V1_18);
    looks(&tensor, NNRT__BPU_FORM_LOGICAL, OH_NN_UINT8, OH_NN_FORMAT_NHWC, "2 6 28 1", false);
    looks(&tensor, NNRT__BPU_FORM_RAW, OH_NN_UINT8, OH_NN_FORMAT_NHWC, "2 6 32 1", true);
}

/* A pointer beside a length of 0 is none: nobody says what is there. */
Test(bpu_strides, zero_points_of_length_0_are_not_read) {
    static const int8_t narrow[1] = {7};
    static const int32_t wide[1] = {7};
    static const float scales[1] = {0.5f};
    size_t version;
    for (version = V1_9; version < VERSIONS; version++) {
        nnrt__bpu_tensor tensor;
        said s = plain(version == UCP ? (int32_t)NNRT__BPU_UCP_S8 : (int32_t)NNRT__BPU_DNN_S8, 4, 1, 4, 8, 32);
        int length;
        s.size = 1024;
        s.strides[0] = 1024, s.strides[1] = 256, s.strides[2] = 32, s.strides[3] = 1;
        s.quantization = version == UCP ? NNRT__BPU_UCP_SCALE : NNRT__BPU_DNN_SCALE;
        s.length = 1;
        s.scales = scales;
        s.zero_points = wide;
        s.narrow_zero_points = narrow;
        for (length = 0; length < 2; length++) {
            s.zero_point_length = length;
            accepted(&tensor, &s, version);
            cr_expect_eq(nnrt__bpu_zero_point(&tensor, 0), 7 * length, "version %zu", version);
        }
    }
}
