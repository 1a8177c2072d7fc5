/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that operators on images whose height and width only a run knows do what TensorFlow Lite does after
   ResizeInputTensor: RESIZE_NEAREST_NEIGHBOR and TRANSPOSE_CONV have the size that a constant says, whatever comes in,
   or the one that other operators compute from the image's shape. References are loops over the definition. */
#include "linked.h"

#include <criterion/criterion.h>

#define SEED 3405u

#include "noise.h"
#include "run_tflite.h"

#include "make_net.h"

enum {
    DEPTH = 3,
    MOST = 9,      /* rows and columns of an image */
    MOST_OUT = 33, /* of a result */
    STRIDED_SLICE = 45,
    MUL = 18,
    SHAPE = 77,
    PACK = 83,
    NEAREST = 97,
    TRANSPOSE_CONV = 67
};

#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, "%s", nnrt_last_error())

static const int32_t open_image[4] = {-1, -1, -1, DEPTH};

static tensor_spec image(int type, int32_t n, int32_t h, int32_t w, int32_t c) {
    const int32_t dims[4] = {n, h, w, c};
    tensor_spec t = tensor(type, 4, dims);
    if (type == INT8) t.scale = 0.5f, t.zero = 3;
    return t;
}

/* ------------------------------------------------------------------------------------------------- a run */

typedef struct built {
    bytes file;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
} built;

static OH_NN_ReturnCode build_net(const net *n, built *b) {
    static const off_settings settings = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
    OH_NN_ReturnCode code;
    b->file = make_net(n);
    b->executor = NULL;
    b->compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(b->file.at, b->file.size);
    code = off_build(b->compilation, &settings);
    if (code == OH_NN_SUCCESS) b->executor = OH_NNExecutor_Construct(b->compilation);
    return code;
}

static void destroy(built *b) {
    if (b->executor != NULL) OH_NNExecutor_Destroy(&b->executor);
    OH_NNCompilation_Destroy(&b->compilation);
    free(b->file.at);
}

/* One run with an image of dims; y has room for room bytes. dims_out: the shape of the result. */
static OH_NN_ReturnCode run_image(const built *b, const int32_t *dims, const void *x, size_t element, void *y,
                                  size_t room, int32_t *dims_out) {
    NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(b->executor, 0);
    NN_Tensor *in, *out;
    int32_t *shape = NULL;
    size_t rank = 0, size = 0;
    OH_NN_ReturnCode code;
    cr_assert_not_null(desc);
    OK(OH_NNTensorDesc_SetShape(desc, dims, 4));
    code = nnrt_executor_prepare(b->executor, &desc, 1);
    in = OH_NNTensor_Create(off_device(), desc);
    OK(OH_NNTensorDesc_Destroy(&desc));
    memcpy(OH_NNTensor_GetDataBuffer(in), x, (size_t)(dims[0] * dims[1] * dims[2] * dims[3]) * element);
    if (code == OH_NN_SUCCESS) {
        desc = OH_NNExecutor_CreateOutputTensorDesc(b->executor, 0);
        out = OH_NNTensor_Create(off_device(), desc);
        cr_assert_not_null(out, "%s", nnrt_last_error());
        OK(OH_NNTensorDesc_Destroy(&desc));
        code = OH_NNExecutor_RunSync(b->executor, &in, 1, &out, 1);
        OK(OH_NNTensorDesc_GetShape(OH_NNTensor_GetTensorDesc(out), &shape, &rank));
        cr_assert_eq(rank, 4u);
        memcpy(dims_out, shape, 4 * sizeof(shape[0]));
        OK(OH_NNTensorDesc_GetElementCount(OH_NNTensor_GetTensorDesc(out), &size));
        cr_assert(size * element <= room);
        memcpy(y, OH_NNTensor_GetDataBuffer(out), size * element);
        OK(OH_NNTensor_Destroy(&out));
    }
    OK(OH_NNTensor_Destroy(&in));
    return code;
}

/* -------------------------------------------------------------------------------- RESIZE_NEAREST_NEIGHBOR */

/* Each element is the one of the input that the coordinates fall on, in float: floor(i * in / out), the nearest with
   aligned corners, or floor((i + 1/2) * in / out). */
static int nearest(int i, int in, int out, int way) {
    const float scale = way == 1 && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
    const float at = (way == 2 ? (float)i + 0.5f : (float)i) * scale;
    const int source = way == 1 ? (int)roundf(at) : (int)floorf(at);
    return source < in - 1 ? source : in - 1;
}

static void is_nearest(const int32_t *in, const int32_t *out, const uint8_t *x, const uint8_t *y, size_t element,
                       int way, const char *what) {
    const size_t pixel = (size_t)in[3] * element;
    int b, row, column;
    for (b = 0; b < out[0]; b++)
        for (row = 0; row < out[1]; row++)
            for (column = 0; column < out[2]; column++) {
                const int y0 = nearest(row, in[1], out[1], way), x0 = nearest(column, in[2], out[2], way);
                cr_assert_eq(memcmp(x + (size_t)((b * in[1] + y0) * in[2] + x0) * pixel,
                                    y + (size_t)((b * out[1] + row) * out[2] + column) * pixel, pixel),
                             0, "%s, seed %u, way %d, [%d,%d] to [%d,%d]: pixel %d, %d", what, SEED, way, (int)in[1],
                             (int)in[2], (int)out[1], (int)out[2], row, column);
            }
}

static const int32_t from_one[1] = {1}, to_three[1] = {3}, by_one[1] = {1};

/* Height and width of tensor at, times factors. */
static int32_t scaled_size(net *n, int32_t at, const int32_t *factors) {
    static const int64_t none[2] = {0, 0}, plain[5] = {0, 0, 0, 0, 0};
    int32_t size = net_add(n, SHAPE, at, -1, -1, list(INT32, 4)), from, to;
    from = net_constant(n, INT32, 1, from_one);
    to = net_constant(n, INT32, 1, to_three);
    size = net_add(n, STRIDED_SLICE, size, from, to, list(INT32, 2));
    net_also(n, net_constant(n, INT32, 1, by_one));
    net_options(n, 32, 5, plain);
    size = net_add(n, MUL, size, net_constant(n, INT32, 2, factors), -1, list(INT32, 2));
    net_options(n, 21, 2, none);
    return size;
}

/* A file for images of 4 x 5: to the size of a constant, or to factors times its own. */
static net resized(int type, int way, const int32_t *size, const int32_t *factors, bool open) {
    const int64_t options[2] = {way == 1, way == 2};
    tensor_spec t = image(type, 1, 4, 5, DEPTH);
    net n;
    int32_t at, wanted;
    memset(&n, 0, sizeof n);
    if (open) t.signature = open_image;
    at = net_input(&n, t);
    wanted = size != NULL ? net_constant(&n, INT32, 2, size) : scaled_size(&n, at, factors);
    at = net_add(&n, NEAREST, at, wanted, -1,
                 size != NULL ? image(type, 1, size[0], size[1], DEPTH)
                              : image(type, 1, 4 * factors[0], 5 * factors[1], DEPTH));
    net_options(&n, 74, 2, options);
    net_output(&n, at);
    return n;
}

Test(tflite_open_images, resize_nearest_neighbor_to_a_constant_size) {
    static const int32_t sizes[][2] = {{6, 7}, {1, 1}, {4, 5}, {2, 13}, {1, 9}};
    uint8_t x[2 * MOST * MOST * DEPTH * 4], y[2 * MOST_OUT * MOST_OUT * DEPTH * 4];
    size_t i;
    int drawn, way;
    for (i = 0; i < sizeof x; i++) x[i] = (uint8_t)noise_in(0, 127);
    for (i = 0; i < NNRT__COUNT_OF(sizes); i++)
        for (way = 0; way < 3; way++) {
            const int type = (i + (size_t)way) % 2 == 0 ? FLOAT32 : INT8;
            const size_t element = type == INT8 ? 1 : 4;
            const net n = resized(type, way, sizes[i], NULL, true);
            built b;
            OK(build_net(&n, &b));
            for (drawn = 0; drawn < 12; drawn++) {
                const int32_t in[4] = {drawn == 0 ? 1 : noise_in(1, 2), drawn == 0 ? 4 : noise_in(1, MOST),
                                       drawn == 0 ? 5 : noise_in(1, MOST), DEPTH};
                int32_t out[4] = {0, 0, 0, 0};
                OK(run_image(&b, in, x, element, y, sizeof y, out));
                cr_assert(out[0] == in[0] && out[1] == sizes[i][0] && out[2] == sizes[i][1] && out[3] == DEPTH);
                is_nearest(in, out, x, y, element, way, "constant");
            }
            destroy(&b);
        }
}

Test(tflite_open_images, resize_nearest_neighbor_to_a_size_that_the_shape_gives) {
    static const int32_t factors[][2] = {{2, 2}, {1, 3}, {3, 1}};
    uint8_t x[2 * MOST * MOST * DEPTH * 4], y[2 * MOST_OUT * MOST_OUT * DEPTH * 4];
    size_t i;
    int drawn, way;
    for (i = 0; i < sizeof x; i++) x[i] = (uint8_t)noise_in(0, 127);
    for (i = 0; i < NNRT__COUNT_OF(factors); i++)
        for (way = 0; way < 6; way++) { /* from 3 on without a signature: the file's shape alone */
            const net n = resized(INT8, way % 3, NULL, factors[i], way < 3);
            built b;
            OK(build_net(&n, &b));
            for (drawn = 0; drawn < (way < 3 ? 12 : 1); drawn++) {
                const int32_t in[4] = {drawn == 0 ? 1 : noise_in(1, 2), drawn == 0 ? 4 : noise_in(1, MOST),
                                       drawn == 0 ? 5 : noise_in(1, MOST), DEPTH};
                int32_t out[4] = {0, 0, 0, 0};
                OK(run_image(&b, in, x, 1, y, sizeof y, out));
                cr_assert(out[0] == in[0] && out[1] == factors[i][0] * in[1] && out[2] == factors[i][1] * in[2]);
                is_nearest(in, out, x, y, 1, way % 3, "computed");
            }
            destroy(&b);
        }
}
