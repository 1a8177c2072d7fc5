/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions compiled for the open NPU, run on the NPU in software: every byte is what the chip's arithmetic makes of
   the sums of the definition, near the real number, and at most one from the CPU device's. */
#define SEED 32001
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"
#include "noise.h"

#include "open_npu_run.h"

#include "open_npu_conv.h"

static const nnrt__open_npu_chip chips[2] = {NNRT__OPEN_NPU_RV1106, NNRT__OPEN_NPU_RK3588};

Test(open_compile_conv, channels_around_lanes_and_blocks) {
    static const int32_t counts[] = {1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j += 1 + i % 3) {
                conv_model c = conv_model_of(5, 7, counts[i], counts[j], noise() % 2 == 0 ? 1 : 3);
                conv_check(&c, chips[k], &d);
            }
        distance_print(&d, chip_name(chips[k]));
    }
}

Test(open_compile_conv, depthwise_around_blocks_of_32_and_64) {
    static const int32_t counts[] = {2, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80, 96, 127, 128, 129};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            for (int32_t stride = 1; stride <= 2; stride++) {
                conv_model c = conv_model_of(6, 5, counts[i], counts[i], 3);
                c.op = OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
                c.group = counts[i];
                c.stride_h = c.stride_w = stride;
                conv_check(&c, chips[k], &d);
            }
        distance_print(&d, chip_name(chips[k]));
    }
}

Test(open_compile_conv, strides_dilation_padding_and_kernels_of_any_side) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (int i = 0; i < 150; i++) {
            conv_model c = conv_model_of(noise_in(1, 20), noise_in(1, 20), noise_in(1, 20), noise_in(1, 20), 1);
            c.kernel_h = noise_in(1, 7);
            c.kernel_w = noise_in(1, 7);
            c.stride_h = noise_in(1, 4);
            c.stride_w = noise_in(1, 4);
            c.dilation_h = noise_in(1, 3);
            c.dilation_w = noise_in(1, 3);
            c.per_tensor = noise() % 4 == 0;
            c.activation = noise_in(0, 1);
            for (int j = 0; j < 4; j++)
                c.pads[j] = noise_in(0, (j < 2 ? (c.kernel_h - 1) * c.dilation_h : (c.kernel_w - 1) * c.dilation_w));
            for (int j = 0; j < 4; j++)
                if (c.pads[j] > 15) c.pads[j] = 15;
            if (c.pads[0] + c.pads[1] + c.height < (c.kernel_h - 1) * c.dilation_h + 1) continue;
            if (c.pads[2] + c.pads[3] + c.width < (c.kernel_w - 1) * c.dilation_w + 1) continue;
            /* no window of padding alone */
            if ((conv_out_h(&c) - 1) * c.stride_h >= c.height + c.pads[0]) continue;
            if ((conv_out_w(&c) - 1) * c.stride_w >= c.width + c.pads[2]) continue;
            conv_check(&c, chips[k], &d);
        }
        distance_print(&d, chip_name(chips[k]));
    }
}

/* The last row of a tile and the first of the next, with and without padding, at all strides. */
Test(open_compile_conv, inputs_larger_than_the_buffer_are_tiled_by_rows) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (int i = 0; i < 24; i++) {
            conv_model c = conv_model_of(noise_in(120, 150), noise_in(80, 120), noise_in(20, 70) * (int32_t)(k + 1),
                                         noise_in(1, 5), i % 2 == 0 ? 1 : 3);
            void *image;
            size_t size;
            gb_graph g;
            c.stride_h = 1 + i % 3;
            c.stride_w = 2;
            if (i % 4 == 1) {
                c.op = OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
                c.group = c.outputs = c.channels;
            }
            c.per_tensor = i % 5 == 0;
            conv_make(&c);
            conv_graph(&c, &g);
            cr_assert_eq((int)compile_whole(&g, chips[k], false, &image, &size), (int)OH_NN_SUCCESS);
            cr_assert_gt(image_header(image)->task_count, 1u);
            nnrt__free(image);
            gb_close(&g);
            conv_drop(&c);
            conv_check(&c, chips[k], &d);
        }
        distance_print(&d, chip_name(chips[k]));
    }
}

/* A row that the buffer does not hold with all channels: depthwise, groups of them come one after the other, also with
   a last one that is smaller; of 1 by 1, parts of rows do. */
Test(open_compile_conv, rows_longer_than_the_buffer) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (int i = 0; i < 6; i++) {
            const bool depthwise = i % 2 == 0;
            const int32_t channels = noise_in(860, 960);
            conv_model c =
                conv_model_of(3, depthwise ? 200 : 420, channels, depthwise ? channels : 5, depthwise ? 3 : 1);
            if (depthwise) {
                c.op = OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
                c.group = channels;
            }
            conv_check(&c, chips[k], &d);
        }
        distance_print(&d, chip_name(chips[k]));
    }
}

Test(open_compile_conv, pictures_come_as_they_are_where_rows_allow_it) {
    static const int32_t widths[] = {15, 16, 17, 32, 33, 48, 96};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (int32_t channels = 1; channels <= 4; channels++)
            for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
                conv_model c = conv_model_of(40, widths[i], channels, 8, 3);
                const bool whole = widths[i] % 16 == 0 || (chips[k] == NNRT__OPEN_NPU_RV1106 && channels != 4);
                void *image;
                size_t size;
                gb_graph g;
                c.stride_h = c.stride_w = 2;
                conv_make(&c);
                conv_graph(&c, &g);
                cr_assert_eq((int)compile_whole(&g, chips[k], false, &image, &size), (int)OH_NN_SUCCESS);
                cr_assert_eq(image_ports(image)[0].layout,
                             (uint32_t)(whole && channels != 2 ? NNRT__OPEN_NPU_PIXELS : NNRT__OPEN_NPU_PLANES));
                nnrt__free(image);
                gb_close(&g);
                conv_drop(&c);
                conv_check(&c, chips[k], &d);
            }
        distance_print(&d, chip_name(chips[k]));
    }
}

Test(open_compile_conv, groups_and_depth_multipliers_become_dense) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (int i = 0; i < 20; i++) {
            conv_model c = conv_model_of(5, 6, 4 * noise_in(1, 6), 4 * noise_in(1, 6), 3);
            c.group = i % 2 == 0 ? 2 : 4;
            conv_check(&c, chips[k], &d);
            c = conv_model_of(5, 6, noise_in(1, 9), 1, 3);
            c.outputs = c.channels * noise_in(2, 4);
            c.op = OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
            c.group = c.channels;
            conv_check(&c, chips[k], &d);
        }
        distance_print(&d, chip_name(chips[k]));
    }
}

/* RV1106 has one bound of sums for all channels: with several scales it is refused where int8 does not cut off itself.
   */
/* Outputs that channels of 1/250 of the largest scale fill: halved weights would lead too far, so the factors are those
   that the smallest channels need. */
Test(open_compile_conv, scales_that_are_far_apart_have_factors_that_fit_the_smallest) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (int n = 0; n < 12; n++) {
            conv_model c = conv_model_of(6, 5, 6, 6, 3);
            if (n % 2 == 1) {
                c.op = OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
                c.group = 6;
            }
            c.spread = 250;
            c.one_large = true;
            c.out_part = 1 / c.spread;
            conv_check(&c, chips[k], &d);
        }
        distance_print(&d, chip_name(chips[k]));
    }
}

Test(open_compile_conv, activations_are_bounds_of_sums) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            conv_model c = conv_model_of(6, 6, noise_in(1, 40), noise_in(1, 40), 3);
            void *image;
            size_t size;
            gb_graph g;
            OH_NN_ReturnCode code;
            c.activation = 1 + i % 2;
            c.per_tensor = i % 3 == 0;
            c.out_zero = i % 4 == 0 ? -128 : noise_in(-128, 40);
            conv_make(&c);
            c.out_scale = c.activation == 2 ? noise_between(6.0 / 400, 6.0 / 30) : c.out_scale;
            c.in_scale = c.out_scale * 127 / (0.01 * sqrt((double)conv_k(&c)) * 74 * 200);
            conv_graph(&c, &g);
            code = compile_whole(&g, chips[k], false, &image, &size);
            gb_close(&g);
            if (code == OH_NN_SUCCESS) {
                int8_t *got = (int8_t *)malloc(conv_out_count(&c));
                int8_t *cpu = (int8_t *)malloc(conv_out_count(&c));
                void *inputs[1], *outputs[1];
                inputs[0] = c.input;
                outputs[0] = got;
                image_run(image, size, inputs, outputs);
                conv_graph(&c, &g);
                cr_assert_eq((int)gb_run(&g, gb_buffer(c.input, conv_in_count(&c)), gb_buffer(cpu, conv_out_count(&c))),
                             (int)OH_NN_SUCCESS);
                gb_close(&g);
                distance_add(&d, got, cpu, conv_out_count(&c));
                cr_assert_leq(d.most, 1u);
                free(got);
                free(cpu);
                nnrt__free(image);
            } else {
                cr_assert_eq((int)code, (int)OH_NN_UNSUPPORTED);
                cr_assert(chips[k] == NNRT__OPEN_NPU_RV1106 && c.activation == 2 && !c.per_tensor, "%s",
                          nnrt_last_error());
                refused++;
            }
            conv_drop(&c);
        }
        cr_assert((refused != 0) == (chips[k] == NNRT__OPEN_NPU_RV1106));
        distance_print(&d, chip_name(chips[k]));
    }
}

/* Few products, one scale of two digits: what is compiled with `exact` has the CPU device's bytes. */
Test(open_compile_conv, exact_is_exact_or_refused) {
    for (size_t k = 0; k < 2; k++) {
        int exact = 0;
        for (int i = 0; i < 200; i++) {
            conv_model c = conv_model_of(8, 8, noise_in(1, 2), noise_in(1, 2), 1);
            int8_t *got = (int8_t *)malloc(conv_out_count(&c)), *cpu = (int8_t *)malloc(conv_out_count(&c));
            void *image, *inputs[1], *outputs[1];
            OH_NN_ReturnCode code;
            size_t size;
            gb_graph g;
            c.per_tensor = true;
            conv_make(&c);
            for (int32_t o = 0; o < c.outputs * c.channels; o++) c.weights[o] = (int8_t)noise_in(-2, 2);
            for (int32_t o = 0; o < c.outputs; o++) c.bias[o] = 0;
            c.out_scale = c.in_scale * 0.01 * noise_in(1, 3);
            conv_graph(&c, &g);
            code = compile_whole(&g, chips[k], true, &image, &size);
            if (code == OH_NN_SUCCESS) {
                distance d = {0, 0, 0};
                inputs[0] = c.input;
                outputs[0] = got;
                image_run(image, size, inputs, outputs);
                cr_assert_eq((int)gb_run(&g, gb_buffer(c.input, conv_in_count(&c)), gb_buffer(cpu, conv_out_count(&c))),
                             (int)OH_NN_SUCCESS);
                distance_add(&d, got, cpu, conv_out_count(&c));
                cr_assert_eq(d.most, 0u);
                nnrt__free(image);
                exact++;
            } else {
                cr_assert_eq((int)code, (int)OH_NN_UNSUPPORTED);
            }
            gb_close(&g);
            free(got);
            free(cpu);
            conv_drop(&c);
        }
        cr_assert(exact > 10 && exact < 200, "%d of 200", exact);
    }
}
