/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of an image costs (rknpu_open/work.h): bytes are those of the shapes, tiles those that the buffer makes,
   nodes add up to the whole, and more work never takes less time. */
#define SEED 32006
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"
#include "noise.h"

#include "open_npu_run.h"

#include "open_npu_conv.h"

static const nnrt__open_npu_chip chips[2] = {NNRT__OPEN_NPU_RV1106, NNRT__OPEN_NPU_RK3588};

static uint64_t up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

/* What all tasks of a convolution cost. *image: to be freed. */
static nnrt__part_work work_of(conv_model *c, nnrt__open_npu_chip chip, void **image) {
    nnrt__part_work work;
    size_t size;
    gb_graph g;
    conv_make(c);
    conv_graph(c, &g);
    cr_assert_eq((int)compile_whole(&g, chip, false, image, &size), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    nnrt__open_npu_work(*image, NNRT__PART_ALL, &work);
    gb_close(&g);
    conv_drop(c);
    return work;
}

static uint64_t bytes_of_words(const void *image) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < image_header(image)->task_count; i++) bytes += (image_tasks(image)[i].amount + 4u) * 8u;
    return bytes;
}

Test(open_work, bytes_of_a_convolution_are_those_of_its_tensors_and_weights) {
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 60; i++) {
            const bool large = chips[k] == NNRT__OPEN_NPU_RK3588, depthwise = i % 3 == 0;
            conv_model c = conv_model_of(noise_in(3, 12), noise_in(3, 12), noise_in(17, 80), noise_in(1, 80), 3);
            nnrt__part_work work;
            uint64_t lanes, kernels, written, weights;
            void *image;
            if (depthwise) {
                c.op = OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
                c.group = c.outputs = c.channels;
            }
            lanes = up((uint64_t)c.channels, 16);
            written = up((uint64_t)c.outputs, depthwise == large ? (large ? 64 : 16) : 32); /* channels */
            kernels = depthwise ? (large ? 1 : 2) : large ? up((uint64_t)c.outputs, 2) : (uint64_t)c.outputs;
            weights = kernels * 9 * lanes;
            work = work_of(&c, chips[k], &image);
            cr_assert_eq(work.tasks, 1u);
            cr_assert_eq(work.tiles, 1u);
            cr_assert_eq(work.written, (uint64_t)(conv_out_h(&c) * conv_out_w(&c)) * written);
            cr_assert_eq(work.read,
                         (uint64_t)(c.height * c.width) * lanes + weights + written * (depthwise && !large ? 6 : 8) +
                             bytes_of_words(image),
                         "%s: %llu", chip_name(chips[k]), (unsigned long long)work.read);
            cr_assert_eq(work.loaded, image_header(image)->loaded_size);
            cr_assert_eq(work.memory, image_header(image)->memory_size);
            nnrt__free(image);
        }
}

/* Weights that stay are read once; what is written does not depend on tiles; rows that two tiles read count twice. */
Test(open_work, tiles_are_counted_and_read_what_they_share_again) {
    for (size_t k = 0; k < 2; k++) {
        conv_model c = conv_model_of(200, 120, 64, 32, 3);
        const uint64_t input = 200 * 120 * 64;
        nnrt__part_work work;
        void *image;
        work = work_of(&c, chips[k], &image);
        cr_assert_gt(work.tiles, 4u);
        cr_assert_eq(work.tiles, image_header(image)->task_count);
        cr_assert_eq(work.written, (uint64_t)200 * 120 * 32);
        cr_assert_gt(work.read, input);
        cr_assert_lt(work.read, input + (work.tiles - 1) * 2u * 120 * 64 + 2u * 32 * 9 * 64 + work.tiles * 2000u);
        nnrt__free(image);
    }
}

Test(open_work, more_work_never_takes_less_time) {
    for (size_t k = 0; k < 2; k++)
        for (int i = 0; i < 20; i++) {
            conv_model c = conv_model_of(noise_in(4, 30), noise_in(4, 30), noise_in(16, 64), noise_in(1, 64), 1);
            conv_model more = c;
            nnrt__part_work less_work, more_work;
            void *images[2];
            more.outputs *= 2;
            more.kernel_h = more.kernel_w = 3;
            for (int j = 0; j < 4; j++) more.pads[j] = 1;
            less_work = work_of(&c, chips[k], &images[0]);
            more_work = work_of(&more, chips[k], &images[1]);
            cr_assert_geq(more_work.run_us, less_work.run_us);
            cr_assert_geq(less_work.run_us, 200u, "no run is faster than its submission");
            nnrt__free(images[0]);
            nnrt__free(images[1]);
        }
}

/* A graph of a convolution, a pool and a sum. */
Test(open_work, nodes_add_up_to_the_whole) {
    for (size_t k = 0; k < 2; k++) {
        const int32_t dims[4] = {1, 12, 16, 32}, half[4] = {1, 6, 8, 32}, w_dims[4] = {32, 3, 3, 32}, outputs = 32;
        const int64_t ones[2] = {1, 1}, twos[2] = {2, 2};
        const double scale = 0.01;
        static int8_t weights[32 * 9 * 32];
        static int32_t bias[32];
        nnrt__part_work whole, one;
        uint64_t read = 0, written = 0, us = 0;
        uint32_t in[3], made[3], tasks = 0, tiles = 0, sum[2];
        void *image;
        size_t size;
        gb_graph g;
        for (size_t i = 0; i < sizeof weights; i++) weights[i] = (int8_t)noise_in(-127, 127);
        gb_open(&g);
        in[0] = gb_input(&g, gb_tensor_s8(&g, 4, dims, 0.05, -2));
        in[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 4, w_dims, weights), 1, &scale, NULL);
        in[2] = gb_constant(&g, OH_NN_INT32, 1, &outputs, bias);
        made[0] = gb_tensor_s8(&g, 4, dims, 0.6, 3);
        gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, ones);
        gb_param_i8(&g, OH_NN_CONV2D_PAD_MODE, 0);
        cr_assert_eq((int)gb_op(&g, OH_NN_OPS_CONV2D, 3, in, 1, &made[0]), 0, "%s", nnrt_last_error());
        made[1] = gb_tensor_s8(&g, 4, half, 0.6, 3);
        gb_param_i64s(&g, OH_NN_MAX_POOL_KERNEL_SIZE, 2, twos);
        gb_param_i64s(&g, OH_NN_MAX_POOL_STRIDE, 2, twos);
        gb_param_i8(&g, OH_NN_MAX_POOL_PAD_MODE, 1);
        cr_assert_eq((int)gb_op(&g, OH_NN_OPS_MAX_POOL, 1, &made[0], 1, &made[1]), 0, "%s", nnrt_last_error());
        made[2] = gb_output(&g, gb_tensor_s8(&g, 4, half, 0.6, 3));
        sum[0] = sum[1] = made[1];
        cr_assert_eq((int)gb_op(&g, OH_NN_OPS_ADD, 2, sum, 1, &made[2]), 0, "%s", nnrt_last_error());
        cr_assert_eq((int)gb_build(&g), 0, "%s", nnrt_last_error());
        cr_assert_eq((int)compile_whole(&g, chips[k], false, &image, &size), 0, "%s", nnrt_last_error());
        nnrt__open_npu_work(image, NNRT__PART_ALL, &whole);
        for (uint32_t node = 0; node < 3; node++) {
            nnrt__open_npu_work(image, node, &one);
            cr_assert_gt(one.tasks, 0u);
            cr_assert_eq(one.tiles > 0, node == 0);
            cr_assert(one.loaded == 0 && one.memory == 0);
            tasks += one.tasks;
            tiles += one.tiles;
            read += one.read;
            written += one.written;
            us += one.run_us;
        }
        cr_assert_eq(tasks, whole.tasks);
        cr_assert_eq(tiles, whole.tiles);
        cr_assert_eq(read, whole.read);
        cr_assert_eq(written, whole.written);
        cr_assert_lt(us, whole.run_us - 190, "submission and ports are of the whole alone");
        nnrt__open_npu_work(image, 3, &one); /* there is none */
        cr_assert_eq(one.tasks, 0u);
        nnrt__free(image);
        gb_close(&g);
    }
}
