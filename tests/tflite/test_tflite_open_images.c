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
    BYTES = 3, /* uint8 */
    ADD = 0,
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

/* --------------------------------------------------------------------------------------------- TRANSPOSE_CONV */

enum {
    OUT_DEPTH = 2,
    MOST_KERNEL = 5
};

typedef struct window {
    int32_t kernel[2], stride[2];
    bool same;
} window;

static float weights[OUT_DEPTH * MOST_KERNEL * MOST_KERNEL * DEPTH], bias[OUT_DEPTH];

/* What TensorFlow Lite's padding.h takes off before the first row or column: the padding of the convolution that makes
   the input's size of the output's, whatever size the input has. */
static int32_t pad_before(int32_t out, int32_t kernel, int32_t stride, bool same) {
    const int32_t back = same ? (out + stride - 1) / stride : (out + stride - kernel) / stride;
    const int32_t total = (back - 1) * stride + kernel - out;
    return total > 0 ? total / 2 : 0;
}

static void transposed(const window *w, const int32_t *in, const int32_t *out, const float *x, float *y) {
    const int32_t top = pad_before(out[1], w->kernel[0], w->stride[0], w->same);
    const int32_t left = pad_before(out[2], w->kernel[1], w->stride[1], w->same);
    int32_t b, row, column, i, j, c, o;
    for (i = 0; i < out[0] * out[1] * out[2] * OUT_DEPTH; i++) y[i] = bias[i % OUT_DEPTH];
    for (b = 0; b < in[0]; b++)
        for (row = 0; row < in[1]; row++)
            for (column = 0; column < in[2]; column++)
                for (i = 0; i < w->kernel[0]; i++)
                    for (j = 0; j < w->kernel[1]; j++) {
                        const int32_t to_row = row * w->stride[0] + i - top, to = column * w->stride[1] + j - left;
                        if (to_row < 0 || to_row >= out[1] || to < 0 || to >= out[2]) continue;
                        for (o = 0; o < OUT_DEPTH; o++)
                            for (c = 0; c < DEPTH; c++)
                                y[((b * out[1] + to_row) * out[2] + to) * OUT_DEPTH + o] +=
                                    x[((b * in[1] + row) * in[2] + column) * DEPTH + c] *
                                    weights[((o * w->kernel[0] + i) * w->kernel[1] + j) * DEPTH + c];
                    }
}

/* A file for images of 4 x 5 with the output shape of a constant, or of times * the image's shape + more. */
static net convolved(const window *w, const int32_t *shape, const int32_t *times, const int32_t *more, bool open) {
    const int64_t options[4] = {w->same ? 0 : 1, w->stride[1], w->stride[0], 0}, none[2] = {0, 0};
    const int32_t taps[4] = {OUT_DEPTH, w->kernel[0], w->kernel[1], DEPTH};
    const int32_t computed[4] = {1, 4 * (times != NULL ? times[1] : 0) + (more != NULL ? more[1] : 0),
                                 5 * (times != NULL ? times[2] : 0) + (more != NULL ? more[2] : 0), OUT_DEPTH};
    tensor_spec in = image(FLOAT32, 1, 4, 5, DEPTH), of_weights = tensor(FLOAT32, 4, taps);
    net n;
    int32_t at, wanted;
    memset(&n, 0, sizeof n);
    if (open) in.signature = open_image;
    at = net_input(&n, in);
    if (shape != NULL) {
        wanted = net_constant(&n, INT32, 4, shape);
    } else {
        wanted = net_add(&n, SHAPE, at, -1, -1, list(INT32, 4));
        wanted = net_add(&n, MUL, wanted, net_constant(&n, INT32, 4, times), -1, list(INT32, 4));
        net_options(&n, 21, 2, none);
        wanted = net_add(&n, ADD, wanted, net_constant(&n, INT32, 4, more), -1, list(INT32, 4));
        net_options(&n, 11, 2, none);
    }
    of_weights.data = weights;
    of_weights.data_size = (uint32_t)(OUT_DEPTH * w->kernel[0] * w->kernel[1] * DEPTH * 4);
    at = net_add(&n, TRANSPOSE_CONV, wanted, net_tensor(&n, of_weights), at,
                 tensor(FLOAT32, 4, shape != NULL ? shape : computed));
    net_also(&n, net_constant(&n, FLOAT32, OUT_DEPTH, bias));
    net_options(&n, 49, 4, options);
    net_output(&n, at);
    return n;
}

static const window windows[] = {{{3, 3}, {2, 2}, true},  {{3, 3}, {2, 2}, false}, {{2, 2}, {2, 2}, true},
                                 {{4, 5}, {2, 3}, true},  {{4, 5}, {2, 3}, false}, {{1, 1}, {1, 1}, true},
                                 {{5, 3}, {1, 2}, false}, {{2, 3}, {3, 3}, true}};

static void fill_numbers(float *x, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) x[i] = (float)noise_in(-8, 8);
    for (i = 0; i < NNRT__COUNT_OF(weights); i++) weights[i] = (float)noise_in(-8, 8);
    for (i = 0; i < OUT_DEPTH; i++) bias[i] = (float)noise_in(-8, 8);
}

static void is_transposed(const built *b, const window *w, const int32_t *in, const int32_t *want, const float *x,
                          const char *what) {
    static float y[2 * MOST_OUT * MOST_OUT * OUT_DEPTH], should[2 * MOST_OUT * MOST_OUT * OUT_DEPTH];
    int32_t out[4] = {0, 0, 0, 0};
    OK(run_image(b, in, x, 4, y, sizeof y, out));
    cr_assert_arr_eq(out, want, sizeof out, "%s: [%d,%d,%d,%d]", what, (int)out[0], (int)out[1], (int)out[2],
                     (int)out[3]);
    transposed(w, in, out, x, should);
    cr_assert_arr_eq(y, should, (size_t)(out[0] * out[1] * out[2] * out[3]) * 4,
                     "%s, seed %u, kernel %d x %d, stride %d x %d, %s: [%d,%d] to [%d,%d]", what, SEED,
                     (int)w->kernel[0], (int)w->kernel[1], (int)w->stride[0], (int)w->stride[1],
                     w->same ? "SAME" : "VALID", (int)in[1], (int)in[2], (int)out[1], (int)out[2]);
}

/* Images that are larger or smaller than what belongs to the output are cut off, or leave the bias. */
Test(tflite_open_images, transpose_conv_to_a_constant_shape) {
    float x[2 * MOST * MOST * DEPTH];
    size_t i;
    int drawn;
    fill_numbers(x, NNRT__COUNT_OF(x));
    for (i = 0; i < NNRT__COUNT_OF(windows); i++) {
        const window *w = &windows[i];
        const int32_t shape[4] = {1, 4 * w->stride[0] + (w->same ? 0 : w->kernel[0] - w->stride[0]),
                                  5 * w->stride[1] + (w->same ? 0 : w->kernel[1] - w->stride[1]), OUT_DEPTH};
        const net n = convolved(w, shape, NULL, NULL, true);
        built b;
        OK(build_net(&n, &b));
        for (drawn = 0; drawn < 12; drawn++) {
            const int32_t in[4] = {1, drawn == 0 ? 4 : noise_in(1, MOST), drawn == 0 ? 5 : noise_in(1, MOST), DEPTH};
            is_transposed(&b, w, in, shape, x, "constant");
        }
        destroy(&b);
    }
}

Test(tflite_open_images, transpose_conv_to_a_shape_that_is_computed) {
    float x[2 * MOST * MOST * DEPTH];
    size_t i;
    int drawn, open;
    fill_numbers(x, NNRT__COUNT_OF(x));
    for (i = 0; i < NNRT__COUNT_OF(windows); i++)
        for (open = 0; open < 2; open++) {
            const window *w = &windows[i];
            const int32_t times[4] = {1, w->stride[0], w->stride[1], 0};
            const int32_t more[4] = {0, w->same ? 0 : w->kernel[0] - w->stride[0],
                                     w->same ? 0 : w->kernel[1] - w->stride[1], OUT_DEPTH};
            const net n = convolved(w, NULL, times, more, open != 0);
            built b;
            OK(build_net(&n, &b));
            for (drawn = 0; drawn < (open != 0 ? 12 : 1); drawn++) {
                const int32_t in[4] = {drawn == 0 ? 1 : noise_in(1, 2), drawn == 0 ? 4 : noise_in(1, MOST),
                                       drawn == 0 ? 5 : noise_in(1, MOST), DEPTH};
                const int32_t want[4] = {in[0], in[1] * times[1] + more[1], in[2] * times[2] + more[2], OUT_DEPTH};
                is_transposed(&b, w, in, want, x, "computed");
            }
            destroy(&b);
        }
}

/* Integers of 8 bits: an open image gives what a file of its shape gives. */
static net convolved_bytes(int type, int32_t h, int32_t w, bool open) {
    static const int64_t options[4] = {0, 2, 2, 0}, none[2] = {0, 0};
    static const int32_t times[4] = {1, 2, 2, 0}, more[4] = {0, 0, 0, OUT_DEPTH}, zeros[OUT_DEPTH] = {40, -90};
    static const int32_t taps[4] = {OUT_DEPTH, 3, 3, DEPTH};
    static uint8_t bytes_of_weights[OUT_DEPTH * 3 * 3 * DEPTH];
    tensor_spec in = image(type, 1, h, w, DEPTH), out = image(type, 1, 2 * h, 2 * w, OUT_DEPTH);
    tensor_spec of_weights = tensor(type, 4, taps), of_bias;
    net n;
    int32_t at, wanted;
    memset(&n, 0, sizeof n);
    for (at = 0; at < (int32_t)sizeof bytes_of_weights; at++) bytes_of_weights[at] = (uint8_t)(29 * at + 7);
    in.scale = 0.5f;
    out.scale = 8.0f;
    in.zero = out.zero = type == INT8 ? 3 : 131;
    of_weights.scale = 0.25f;
    of_weights.zero = type == INT8 ? 0 : 128;
    of_weights.data = bytes_of_weights;
    of_weights.data_size = sizeof bytes_of_weights;
    if (open) in.signature = open_image;
    at = net_input(&n, in);
    wanted = net_add(&n, SHAPE, at, -1, -1, list(INT32, 4));
    wanted = net_add(&n, MUL, wanted, net_constant(&n, INT32, 4, times), -1, list(INT32, 4));
    net_options(&n, 21, 2, none);
    wanted = net_add(&n, ADD, wanted, net_constant(&n, INT32, 4, more), -1, list(INT32, 4));
    net_options(&n, 11, 2, none);
    at = net_add(&n, TRANSPOSE_CONV, wanted, net_tensor(&n, of_weights), at, out);
    of_bias = list(INT32, OUT_DEPTH);
    of_bias.scale = 0.125f;
    of_bias.data = zeros;
    of_bias.data_size = sizeof zeros;
    net_also(&n, net_tensor(&n, of_bias));
    net_options(&n, 49, 4, options);
    net_output(&n, at);
    return n;
}

Test(tflite_open_images, transpose_conv_of_bytes_gives_what_a_file_of_the_shape_gives) {
    static const int types[2] = {INT8, BYTES};
    uint8_t x[MOST * MOST * DEPTH], y[MOST_OUT * MOST_OUT], should[MOST_OUT * MOST_OUT];
    size_t i;
    int drawn;
    for (i = 0; i < sizeof x; i++) x[i] = (uint8_t)noise_in(0, 255);
    for (i = 0; i < 2; i++) {
        const net n = convolved_bytes(types[i], 4, 5, true);
        built b;
        OK(build_net(&n, &b));
        for (drawn = 0; drawn < 8; drawn++) {
            const int32_t in[4] = {1, noise_in(1, MOST), noise_in(1, MOST), DEPTH};
            const net fixed = convolved_bytes(types[i], in[1], in[2], false);
            int32_t out[4] = {0, 0, 0, 0}, same[4] = {0, 0, 0, 0};
            size_t k, different = 0;
            built file;
            OK(build_net(&fixed, &file));
            OK(run_image(&b, in, x, 1, y, sizeof y, out));
            OK(run_image(&file, in, x, 1, should, sizeof should, same));
            cr_assert_arr_eq(out, same, sizeof out);
            cr_assert_arr_eq(y, should, (size_t)(out[1] * out[2] * OUT_DEPTH), "type %d, [%d,%d]", types[i], (int)in[1],
                             (int)in[2]);
            for (k = 1; k < (size_t)(out[1] * out[2] * OUT_DEPTH); k++) different += y[k] != y[0];
            cr_assert(different != 0, "one number everywhere");
            destroy(&file);
        }
        destroy(&b);
    }
}

/* A shape that is none of an output is refused in the run, with a sentence, and the next run is whole. */
Test(tflite_open_images, transpose_conv_to_a_shape_that_cannot_be) {
    static const struct {
        int32_t times[4], more[4];
    } rows[] = {{{1, 0, 2, 0}, {0, 8, 0, 3}},  /* channels */
                {{1, 1, 2, 0}, {0, -4, 0, 2}}, /* no rows where the image has four */
                {{1, 2, 0, 0}, {0, 0, -1, 2}}};
    static const int32_t in[4] = {1, 4, 5, DEPTH};
    float x[4 * 5 * DEPTH], y[64];
    int32_t out[4];
    size_t i;
    fill_numbers(x, NNRT__COUNT_OF(x));
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        net n = convolved(&windows[0], NULL, rows[i].times, rows[i].more, true);
        built b;
        OH_NN_ReturnCode code;
        n.tensors[n.outputs[0]].dims[1] = n.tensors[n.outputs[0]].dims[2] = 8; /* a file says what it likes */
        code = build_net(&n, &b);
        if (code == OH_NN_SUCCESS) code = run_image(&b, in, x, 4, y, sizeof y, out);
        cr_assert_neq((int)code, (int)OH_NN_SUCCESS, "row %zu", i);
        cr_assert(strstr(nnrt_last_error(), "CONV2D_TRANSPOSE") != NULL ||
                      strstr(nnrt_last_error(), "TRANSPOSE_CONV") != NULL,
                  "%s", nnrt_last_error());
        destroy(&b);
    }
}
