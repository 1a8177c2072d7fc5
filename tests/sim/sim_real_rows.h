/* SPDX-License-Identifier: Apache-2.0 */
/* sim_real_rows.h - for test_sim_real.c: what was asked of the vendor's libraries, and what they answered. A model here
   has the shapes of the one that was asked, or fewer rows of them: "faces" and "few_faces" are a RetinaFace, "objects"
   and "maps" a YOLO, "voice" a detector of speech, "number" a regression, "classes" a MobileNet, "two_pictures" the
   vendor's multiple_input_demo. */
#ifndef NNRT_TESTS_SIM_REAL_ROWS_H
#define NNRT_TESTS_SIM_REAL_ROWS_H

#include <signal.h>

#include "sim/rknpu/vendor.h"

enum {
    M160,
    M210,
    M232,
    R152,
    R160,
    RUNTIMES
};
enum {
    NOT_ASKED = -99,
    DIES = 1000
}; /* DIES + the signal */

static const char *const versions[RUNTIMES] = {"1.6.0", "2.1.0", "", "1.5.2", "1.6.0"};

enum {
    NCHW = NNRT_RKNN_NCHW,
    NHWC = NNRT_RKNN_NHWC,
    BLOCKS = NNRT_RKNN_NC1HWC2,
    PLAIN = NNRT_RKNN_UNDEFINED
};
enum {
    I8 = NNRT_RKNN_INT8,
    U8 = NNRT_RKNN_UINT8,
    I16 = NNRT_RKNN_INT16,
    U16 = NNRT_RKNN_UINT16,
    I32 = NNRT_RKNN_INT32,
    F16 = NNRT_RKNN_FLOAT16,
    F32 = NNRT_RKNN_FLOAT32,
    BOOL8 = NNRT_RKNN_BOOL
};

#define X NOT_ASKED

/* --------------------------------------------------------------------------------------------- attributes */

typedef struct attr_row {
    const char *model, *chip; /* chip NULL: of librknnmrt */
    int cmd;
    uint32_t index;
    unsigned runtimes; /* bits */
    uint32_t n_dims, dims[5], n_elems, size;
    int fmt;
    uint32_t w_stride, size_with_stride;
} attr_row;

#define ALL_M (1u << M160 | 1u << M210 | 1u << M232)
#define OLD_M (1u << M160 | 1u << M210)
#define ALL_R (1u << R152 | 1u << R160)
#define ON(runtime) (1u << (runtime))

static const attr_row attr_rows[] = {
    {"faces", NULL, 1, 0, ALL_M, 4, {1, 640, 640, 3}, 1228800, 1228800, NHWC, 640, 1228800},
    {"faces", NULL, 8, 0, ALL_M, 4, {1, 640, 640, 3}, 1228800, 1228800, NHWC, 640, 1228800},
    {"faces", NULL, 10, 0, ALL_M, 4, {1, 640, 640, 3}, 1228800, 1228800, NHWC, 640, 1228800},
    {"faces", NULL, 2, 0, ALL_M, 3, {1, 16800, 4}, 67200, 67200, PLAIN, 0, 67200},
    {"faces", NULL, 2, 1, ALL_M, 3, {1, 16800, 2}, 33600, 33600, PLAIN, 0, 33600},
    {"faces", NULL, 2, 2, ALL_M, 3, {1, 16800, 10}, 168000, 168000, PLAIN, 0, 168000},
    {"faces", NULL, 9, 0, ALL_M, 3, {1, 16800, 4}, 67200, 67200, PLAIN, 0, 67200},
    {"faces", NULL, 9, 1, OLD_M, 3, {1, 16800, 2}, 33600, 33600, PLAIN, 0, 33600},
    {"faces", NULL, 9, 1, ON(M232), 3, {1, 16800, 2}, 33600, 67200, PLAIN, 0, 67200},
    {"faces", NULL, 9, 2, OLD_M, 3, {1, 16800, 10}, 168000, 168000, PLAIN, 0, 168000},
    {"faces", NULL, 9, 2, ON(M232), 3, {1, 16800, 10}, 168000, 201600, PLAIN, 0, 201600},
    {"faces", NULL, 11, 1, ALL_M, 3, {1, 16800, 2}, 33600, 33600, PLAIN, 0, 33600},
    {"faces", NULL, 11, 2, ALL_M, 3, {1, 16800, 10}, 168000, 168000, PLAIN, 0, 168000},
    {"number", NULL, 1, 0, ALL_M, 2, {1, 2}, 2, 2, PLAIN, 0, 2},
    {"number", NULL, 2, 0, ALL_M, 2, {1, 1}, 1, 1, PLAIN, 0, 1},
    {"number", NULL, 9, 0, OLD_M, 2, {1, 1}, 1, 1, PLAIN, 0, 1},
    {"number", NULL, 9, 0, ON(M232), 2, {1, 1}, 1, 64, PLAIN, 0, 64},
    {"number", NULL, 11, 0, ALL_M, 2, {1, 1}, 1, 1, PLAIN, 0, 1},
    {"voice", NULL, 1, 0, ALL_M, 3, {1, 129, 4}, 516, 516, PLAIN, 0, 516},
    {"voice", NULL, 8, 0, ALL_M, 3, {1, 129, 4}, 516, 516, PLAIN, 0, 516},
    {"voice", NULL, 9, 0, ALL_M, 3, {1, 128, 1}, 128, 128, PLAIN, 0, 128},
    {"objects", NULL, 2, 0, ALL_M, 4, {1, 18, 80, 80}, 115200, 115200, NCHW, 0, 115200},
    {"objects", NULL, 9, 0, ALL_M, 5, {1, 2, 80, 80, 16}, 204800, 204800, BLOCKS, 80, 204800},
    {"objects", NULL, 11, 0, ALL_M, 4, {1, 80, 80, 18}, 115200, 115200, NHWC, 0, 204800},
    {"objects", NULL, 2, 5, ALL_M, 4, {1, 4, 20, 20}, 1600, 1600, NCHW, 0, 1600},
    {"objects", NULL, 9, 5, ALL_M, 5, {1, 1, 20, 20, 16}, 6400, 6400, BLOCKS, 20, 6400},
    {"objects", NULL, 11, 5, ALL_M, 4, {1, 20, 20, 4}, 1600, 1600, NHWC, 0, 6400},
    {"objects", NULL, 11, 6, ALL_M, 4, {1, 20, 20, 1}, 400, 400, NHWC, 0, 6400},
    {"objects", NULL, 9, 3, ALL_M, 5, {1, 4, 20, 20, 16}, 25600, 25600, BLOCKS, 20, 25600},
    {"two_pictures", "rk3588", 1, 0, ALL_R, 4, {1, 128, 128, 1}, 16384, 16384, NHWC, 128, 16384},
    {"two_pictures", "rk3588", 1, 1, ALL_R, 4, {1, 128, 128, 3}, 49152, 49152, NHWC, 128, 49152},
    {"two_pictures", "rk3588", 8, 1, ALL_R, 4, {1, 128, 128, 3}, 49152, 49152, NHWC, 128, 49152},
    {"two_pictures", "rk3588", 10, 1, ALL_R, 4, {1, 128, 128, 3}, 49152, 49152, NHWC, 128, 49152},
    {"two_pictures", "rk3588", 2, 0, ALL_R, 4, {1, 8, 128, 128}, 131072, 131072, NCHW, 0, 262144},
    {"two_pictures", "rk3588", 9, 0, ALL_R, 5, {1, 2, 128, 128, 16}, 524288, 524288, BLOCKS, 0, 524288},
    {"two_pictures", "rk3588", 11, 0, ALL_R, 4, {1, 128, 128, 8}, 131072, 131072, NHWC, 0, 131072},
    {"two_pictures", "rk3566", 2, 0, ALL_R, 4, {1, 8, 128, 128}, 131072, 131072, NCHW, 0, 131072},
    {"two_pictures", "rk3566", 9, 0, ALL_R, 5, {1, 2, 128, 128, 8}, 262144, 262144, BLOCKS, 0, 262144},
    {"two_pictures", "rk3566", 11, 0, ON(R152), 4, {1, 128, 128, 128}, 2097152, 2097152, NHWC, 0, 2097152},
    {"two_pictures", "rk3566", 11, 0, ON(R160), 4, {1, 128, 128, 8}, 131072, 131072, NHWC, 0, 131072},
    {"two_pictures", "rk3562", 2, 0, ALL_R, 4, {1, 8, 128, 128}, 131072, 131072, NCHW, 0, 262144},
    {"two_pictures", "rk3562", 9, 0, ALL_R, 5, {1, 1, 128, 128, 16}, 262144, 262144, BLOCKS, 0, 262144},
    {"objects", "rk3566", 2, 3, ALL_R, 4, {1, 64, 20, 20}, 25600, 25600, NCHW, 0, 30720},
    {"objects", "rk3566", 2, 4, ALL_R, 4, {1, 80, 20, 20}, 32000, 32000, NCHW, 0, 38400},
    {"objects", "rk3566", 9, 3, ALL_R, 5, {1, 8, 20, 20, 8}, 25600, 25600, BLOCKS, 0, 25600},
    {"objects", "rk3566", 9, 4, ALL_R, 5, {1, 10, 20, 20, 8}, 32000, 32000, BLOCKS, 0, 32000},
    {"objects", "rk3566", 11, 4, ALL_R, 4, {1, 20, 20, 80}, 32000, 32000, NHWC, 0, 32000},
    {"classes", "rk3588", 1, 0, ALL_R, 4, {1, 224, 224, 3}, 150528, 150528, NHWC, 224, 150528},
    {"classes", "rk3588", 2, 0, ALL_R, 2, {1, 1000}, 1000, 1000, PLAIN, 0, 1000},
    {"classes", "rk3588", 9, 0, ALL_R, 2, {1, 1000}, 1000, 1000, PLAIN, 0, 1000},
    {"classes", "rk3588", 11, 0, ALL_R, 2, {1, 1000}, 1000, 1000, PLAIN, 0, 1008},
    {"half10", "rk3588", 1, 0, ON(R160), 4, {1, 10, 10, 3}, 300, 600, NHWC, 16, 960},
    {"half10", "rk3588", 2, 0, ON(R160), 4, {1, 3, 10, 10}, 300, 600, NCHW, 0, 2560},
    {"half10", "rk3562", 1, 0, ON(R160), 4, {1, 10, 10, 3}, 300, 600, NHWC, 16, 960},
    {"half10", "rk3566", 1, 0, ON(R160), 4, {1, 10, 10, 3}, 300, 600, NHWC, 12, 720},
    {"half10", "rk3566", 2, 0, ON(R160), 4, {1, 3, 10, 10}, 300, 600, NCHW, 0, 960},
};

/* --------------------------------------------------------------------------------------- codes of queries */

typedef struct query_row {
    int cmd;
    uint32_t index;
    int less; /* bytes of the structure that are missing; -1: no structure at all */
    int answers[RUNTIMES];
} query_row;

static const query_row query_rows[] = {
    {0, 0, 0, {0, 0, 0, 0, 0}},
    {1, 9, 0, {-5, -5, -5, -5, -5}},
    {2, 9, 0, {-5, -5, -5, -5, -5}},
    {8, 9, 0, {-5, -5, -5, -5, -5}},
    {9, 9, 0, {-5, -5, -5, DIES + SIGSEGV, DIES + SIGSEGV}},
    {10, 9, 0, {-5, -5, -5, X, X}},
    {11, 9, 0, {-5, -5, -5, X, X}},
    {1, 0, 4, {-5, -5, -5, X, X}},
    {1, 0, -1, {-5, -5, -5, -5, -5}},
    {3, 0, 0, {-1, -1, -1, X, X}},
    {4, 0, 0, {-1, -1, -1, X, X}},
    {5, 0, 0, {0, 0, 0, 0, 0}},
    {5, 0, 256, {-5, -5, -5, X, X}},
    {6, 0, 0, {0, 0, 0, 0, 0}},
    {6, 0, 56, {0, 0, 0, X, X}}, /* the structure of 1.3 */
    {7, 0, 0, {0, 0, 0, X, X}},
    {12, 0, 0, {0, 0, 0, X, X}},
    {13, 0, 0, {-1, -1, -1, -6, -6}},
    {14, 0, 0, {-1, -1, -1, -6, -6}},
    {15, 0, 0, {-1, -1, -1, -6, -6}},
    {16, 0, 0, {-1, -1, -1, -7, -7}},
    {17, 0, 0, {-1, -1, -1, -7, -7}},
    {18, 0, 0, {-5, -5, -5, -5, -5}},
    {-1, 0, 0, {-5, -5, -5, -5, -5}},
};

/* ---------------------------------------------------------------------------------------- rknn_set_io_mem */

enum {
    AS_IT_IS,
    INDEX,
    NAME,
    NO_NAME,
    NO_DIMS,
    NO_SIZE,
    NO_MEM,
    NO_ATTR,
    DIMS,
    NO_ADDRESS,
    SIZE_FIELD,
    BARE,
    NO_QUANT,
    STRIDE,
    ROWS
};

/* One tensor is bound, and the model runs. */
typedef struct bind_row {
    const char *model;
    bool output;
    int cmd, type, fmt, pass_through;
    uint32_t size; /* of the memory; 0: size_with_stride */
    int odd;
    struct {
        int set, run;
    } answers[RUNTIMES];
} bind_row;

#define SAME(s, r)                               \
    {                                            \
        {s, r}, {s, r}, {s, r}, {X, X}, { X, X } \
    }
#define NEWER(s, r, t, u)                        \
    {                                            \
        {s, r}, {s, r}, {t, u}, {X, X}, { X, X } \
    }
#define FULL(s, r)                               \
    {                                            \
        {X, X}, {X, X}, {X, X}, {s, r}, { s, r } \
    }
#define FULLS(s, r, t, u)                        \
    {                                            \
        {X, X}, {X, X}, {X, X}, {s, r}, { t, u } \
    }

static const bind_row bind_rows[] = {
    /* librknnmrt, three dimensions */
    {"voice", false, 1, F32, PLAIN, 0, 2064, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, F32, PLAIN, 1, 2064, 0, SAME(-5, 0)},
    {"voice", false, 1, F16, PLAIN, 0, 1032, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 1, 516, 0, SAME(0, 0)},
    {"voice", false, 1, U8, PLAIN, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, U8, PLAIN, 1, 516, 0, NEWER(0, 0, -5, 0)},
    {"voice", false, 1, I16, PLAIN, 0, 1032, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, I16, PLAIN, 1, 1032, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, U16, PLAIN, 1, 516, 0, SAME(-5, 0)},
    {"voice", false, 1, I32, PLAIN, 0, 516, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, BOOL8, PLAIN, 0, 516, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, I8, NCHW, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, U8, NHWC, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, I8, BLOCKS, 1, 516, 0, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 515, 0, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 1, 0, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 2064, 0, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, INDEX, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NAME, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_NAME, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_DIMS, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_SIZE, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_MEM, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_ATTR, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, DIMS, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_ADDRESS, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, SIZE_FIELD, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, BARE, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_QUANT, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, STRIDE, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, ROWS, SAME(0, 0)},
    {"voice", true, 2, F32, PLAIN, 0, 512, 0, SAME(-5, 0)},
    {"voice", true, 2, I8, PLAIN, 0, 128, 0, SAME(0, 0)},
    {"voice", true, 2, U8, PLAIN, 0, 128, 0, SAME(-5, 0)},
    {"voice", true, 2, I8, NCHW, 0, 128, 0, NEWER(-5, 0, 0, 0)},
    {"voice", true, 2, U8, NHWC, 0, 128, 0, NEWER(-5, 0, 0, 0)},
    {"voice", true, 2, I8, BLOCKS, 0, 128, 0, SAME(-5, 0)},
    {"voice", true, 2, I8, PLAIN, 0, 1, 0, SAME(0, 0)},
    {"voice", true, 9, I8, PLAIN, 0, 512, 0, SAME(0, 0)},
    {"voice", true, 9, I8, PLAIN, 0, 128, NAME, SAME(0, 0)},
    {"voice", true, 9, I8, PLAIN, 0, 128, NO_MEM, SAME(-5, 0)},
    /* librknnmrt, four dimensions; 2.1.0 was not asked */
    {"maps", false, 1, F32, NHWC, 0, 49152, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 1, F32, NHWC, 1, 49152, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NHWC, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NHWC, 1, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, U8, NHWC, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, U8, NHWC, 1, 0, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"maps", false, 8, I16, NHWC, 1, 24576, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, I32, NHWC, 1, 0, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NCHW, 0, 0, 0, {{0, 0}, {X, X}, {0, -1}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NCHW, 1, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, U8, BLOCKS, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, U8, PLAIN, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NHWC, 0, 12287, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NHWC, 0, 49152, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NHWC, 0, 0, SIZE_FIELD, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"maps", false, 8, I8, NHWC, 0, 0, NO_MEM, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, F32, NCHW, 0, 4608, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, F16, NCHW, 0, 2304, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, I8, NCHW, 0, 1152, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, I8, NCHW, 0, 1, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, I8, NCHW, 0, 1152, NAME, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, I8, NHWC, 0, 1152, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, U8, NHWC, 0, 1152, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, I8, BLOCKS, 0, 1152, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, U8, BLOCKS, 0, 1152, 0, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"maps", true, 2, I8, PLAIN, 0, 1152, 0, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"maps", true, 9, I8, BLOCKS, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 9, I8, BLOCKS, 0, 1, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 9, F32, BLOCKS, 0, 8192, 0, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"maps", true, 11, I8, NHWC, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 11, F32, NHWC, 0, 4608, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"maps", true, 11, F16, NHWC, 0, 2304, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    /* librknnrt */
    {"two_pictures", false, 1, F32, NHWC, 0, 65536, 0, FULL(0, 0)},
    {"two_pictures", false, 1, F32, NHWC, 1, 65536, 0, FULL(0, 0)},
    {"two_pictures", false, 1, F16, NHWC, 0, 32768, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, U8, NHWC, 0, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, U8, NHWC, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I16, NHWC, 0, 32768, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, I16, NHWC, 1, 32768, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I32, NHWC, 0, 16384, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, BOOL8, NHWC, 0, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NCHW, 0, 16384, 0, FULLS(0, 0, DIES + SIGSEGV, X)},
    {"two_pictures", false, 1, I8, NCHW, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, BLOCKS, 0, 16384, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, BLOCKS, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, PLAIN, 0, 16384, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", false, 1, I8, PLAIN, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16383, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 65536, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, INDEX, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NAME, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_NAME, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_DIMS, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_MEM, FULL(-5, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_ATTR, FULL(-5, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_ADDRESS, FULL(-4, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, SIZE_FIELD, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, BARE, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, STRIDE, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, ROWS, FULL(-1, 0)},
    {"two_pictures", true, 2, F32, NCHW, 0, 524288, 0, FULL(0, 0)},
    {"two_pictures", true, 2, F16, NCHW, 0, 262144, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, U8, NCHW, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I16, NCHW, 0, 262144, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 2, BOOL8, NCHW, 0, 131072, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 2, I8, NHWC, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, U8, NHWC, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, BLOCKS, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, U8, BLOCKS, 0, 131072, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 2, I8, PLAIN, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 1, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 524288, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 131072, NAME, FULL(-1, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 131072, INDEX, FULL(0, 0)},
    {"two_pictures", true, 9, F32, BLOCKS, 0, 1048576, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 9, F16, BLOCKS, 0, 524288, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 9, I8, BLOCKS, 0, 0, 0, FULL(0, 0)},
    {"two_pictures", true, 9, I8, BLOCKS, 0, 1, 0, FULL(0, 0)},
};

/* --------------------------------------------------------------------------------------------------- runs */

typedef struct run_row {
    uint32_t flags;
    int in, out; /* queries whose attributes are bound; 0: nothing is */
    bool imported;
    int pixels; /* inputs are bound as uint8 */
    struct {
        int run;
        int to, from; /* syncs of the second run, which the runtime makes itself for what is bound; X: not counted */
    } answers[RUNTIMES];
} run_row;

#define NOT_R \
    {X, X, X}, { X, X, X }
#define NOT_M \
    {X, X, X}, {X, X, X}, { X, X, X }

static const run_row run_rows[] = {
    {0, 0, 0, false, 0, {{0, X, X}, {0, X, X}, {0, X, X}, {0, X, X}, {0, X, X}}},
    {0x10, 0, 0, false, 0, {{-5, X, X}, {-5, X, X}, {-5, X, X}, {0, X, X}, {0, X, X}}},
    {0x200, 0, 0, false, 0, {{-5, X, X}, {-5, X, X}, {-5, X, X}, {0, X, X}, {0, X, X}}},
    {0x100, 0, 0, false, 0, {{0, X, X}, {0, X, X}, {0, X, X}, {-1, X, X}, {-1, X, X}}},
    {0x10, 8, 9, false, 0, {{0, X, X}, {0, X, X}, {0, X, X}, {DIES + SIGSEGV, X, X}, {DIES + SIGSEGV, X, X}}},
    /* few_faces: one input, three outputs */
    {0, 1, 2, false, 1, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 1, 2, true, 1, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 8, 9, false, 0, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 8, 9, true, 0, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 10, 11, true, 0, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0x4000, 8, 9, true, 0, {{0, 2, 3}, {0, 1, 3}, {0, 0, 3}, NOT_R}},
    {0x8000, 8, 9, true, 0, {{0, 2, 3}, {0, 2, 0}, {0, 1, 0}, NOT_R}},
    {0xc000, 8, 9, true, 0, {{0, 2, 3}, {0, 1, 0}, {0, 0, 0}, NOT_R}},
    {0xc000, 8, 9, false, 0, {{0, 2, 3}, {0, 1, 0}, {0, 0, 0}, NOT_R}},
    /* two_pictures: two inputs, one output */
    {0, 1, 2, false, 1, {NOT_M, {0, 2, 1}, {0, 2, 1}}},
    {0, 1, 2, true, 1, {NOT_M, {0, 2, 1}, {0, 2, 1}}},
    {0, 8, 9, false, 0, {NOT_M, {0, 0, 2}, {0, 0, 2}}},
    {0, 8, 9, true, 0, {NOT_M, {0, 0, 2}, {0, 0, 2}}},
    {0xc000, 1, 2, true, 1, {NOT_M, {0, 2, 1}, {0, 2, 1}}},
    {0xc000, 8, 9, false, 0, {NOT_M, {0, 0, 2}, {0, 0, 2}}},
};

#endif /* NNRT_TESTS_SIM_REAL_ROWS_H */
