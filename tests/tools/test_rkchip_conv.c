/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of convolutions in tools/rkchip that every byte is what the definition gives, in sizes around each constant of
   the layouts, with padding, strides, dilation, pictures and their conversion, each form of the table of channels, and
   each stage of the DPU behind them; that halves go to the even neighbour in every stage; and that nothing else is
   written. The reference is rkchip_conv.h. */
#include <criterion/criterion.h>

#define SEED 20261125u

#include "rkchip_check.h"

/* ------------------------------------------------------------------------------------------- layouts and shapes */

Test(rkchip_conv, channels_around_blocks_of_16_and_parts_of_32) {
    static const uint32_t counts[] = {1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65, 97};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t o = 0; o < sizeof counts / sizeof counts[0]; o++) {
            conv c = conv_of(2, 3, counts[i], counts[o]);
            c.kernel_width = 1 + (uint32_t)(i + o) % 2;
            c.dpu.factor = 0;
            conv_check(&c, "channels");
        }
}

Test(rkchip_conv, kernels_of_1_to_7_with_strides_and_padding) {
    for (uint32_t kernel = 1; kernel <= 7; kernel++)
        for (uint32_t step = 1; step <= 3; step++)
            for (uint32_t pad = 0; pad < kernel; pad += 1 + kernel / 3) {
                conv c = conv_of(8, 9, kernel < 4 ? 20 : 3, 5);
                c.kernel_height = kernel;
                c.kernel_width = 8 - kernel;
                c.step_y = step;
                c.step_x = 4 - step;
                c.pad_top = pad;
                c.pad_bottom = kernel - 1 - pad;
                c.pad_left = (7 - kernel) / 2;
                c.pad_right = 7 - kernel - c.pad_left;
                c.pad_value = noise_in(-128, 127);
                c.gap = step - 1;
                c.dpu.factor = 0;
                conv_check(&c, "kernel");
            }
}

Test(rkchip_conv, strides_of_1_to_7) {
    for (uint32_t step = 1; step <= 7; step++)
        for (uint32_t depthwise = 0; depthwise < 2; depthwise++) {
            conv c = conv_of(16, 17, 16, depthwise ? 16 : 3);
            c.depthwise = depthwise != 0;
            c.table = depthwise ? 0xa : 0xe;
            c.kernel_height = c.kernel_width = 2;
            c.step_y = step;
            c.step_x = 8 - step;
            c.dpu.factor = 0;
            conv_check(&c, "stride");
        }
}

Test(rkchip_conv, dilated_kernels_skip_pixels) {
    for (uint32_t dilation = 1; dilation <= 4; dilation++)
        for (uint32_t depthwise = 0; depthwise < 2; depthwise++) {
            conv c = conv_of(11, 12, 18, depthwise ? 18 : 6);
            c.depthwise = depthwise != 0;
            c.table = depthwise ? 0xa : 0xe;
            c.kernel_height = 3;
            c.kernel_width = 2;
            c.dilation_y = dilation;
            c.dilation_x = 5 - dilation;
            c.pad_top = c.pad_bottom = dilation;
            c.pad_left = 2;
            c.pad_value = -77;
            c.step_y = 2;
            c.dpu.factor = 0;
            conv_check(&c, "dilation");
        }
}

Test(rkchip_conv, padding_may_be_any_int8_and_31_wide) {
    static const int32_t values[] = {-128, -1, 0, 1, 127};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        conv c = conv_of(3, 2, 17, 3);
        c.kernel_height = 3;
        c.kernel_width = 3;
        c.pad_top = c.pad_left = 31;
        c.pad_bottom = c.pad_right = 4;
        c.step_y = c.step_x = 5;
        c.pad_value = values[i];
        c.dpu.factor = 0;
        conv_check(&c, "padding");
    }
}

/* Padding between pixels, as around them: what a transposed convolution of stride 2 is. */
Test(rkchip_conv, pixels_of_the_input_may_have_padding_between_them) {
    for (uint32_t round = 0; round < 48; round++) {
        const uint32_t kernel = 2 + round % 4;
        conv c = conv_of(1 + round % 5, 2 + round % 7, 1 + 5 * (round % 8), 1 + 3 * (round % 11));
        c.depthwise = round % 3 == 0;
        if (c.depthwise) c.outputs = c.channels;
        c.table = c.depthwise ? 0xa : 0xe;
        c.spread_y = 1 + round % 2 > 1 || round % 4 == 0;
        c.spread_x = round / 2 % 2;
        c.kernel_height = c.kernel_width = kernel;
        c.pad_top = (uint32_t)noise_in(0, (int32_t)kernel - 1);
        c.pad_left = (uint32_t)noise_in(0, (int32_t)kernel - 1);
        c.pad_bottom = c.pad_right = kernel - 1;
        c.pad_value = noise_in(-128, 127);
        c.dpu.factor = 0;
        conv_check(&c, "transposed");
    }
}

Test(rkchip_conv, planes_of_the_input_may_lie_apart) {
    for (uint32_t gap = 0; gap < 40; gap += 13) {
        conv c = conv_of(4, 5, 50, 20);
        c.gap = gap;
        c.dpu.factor = 0;
        conv_check(&c, "gap");
    }
}

/* A tile ends before the last rows of its input are needed. */
Test(rkchip_conv, rows_and_columns_that_no_kernel_reaches_do_not_matter) {
    conv c = conv_of(6, 6, 16, 4);
    c.kernel_height = 2;
    c.kernel_width = 2;
    c.step_y = c.step_x = 3;
    c.dpu.factor = 0;
    conv_check(&c, "tile");
}

Test(rkchip_conv, depthwise_channels_around_blocks_of_32) {
    static const uint32_t counts[] = {1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (uint32_t kernel = 1; kernel <= 5; kernel++) {
            conv c = conv_of(6, 5, counts[i], counts[i]);
            c.depthwise = true;
            c.table = 0xa;
            c.kernel_height = kernel;
            c.kernel_width = 1 + kernel % 4;
            c.pad_top = kernel / 2;
            c.pad_bottom = kernel - 1 - kernel / 2;
            c.pad_left = 1;
            c.pad_value = noise_in(-128, 127);
            c.step_x = 1 + kernel % 2;
            c.gap = kernel;
            c.dpu.factor = 0;
            conv_check(&c, "depthwise");
        }
}

/* The byte 0x80 beside a weight is +128. */
Test(rkchip_conv, a_depthwise_zero_point_may_be_minus_128) {
    conv c = conv_of(3, 3, 16, 16);
    c.depthwise = true;
    c.table = 0xa;
    c.kernel_height = c.kernel_width = 3;
    c.zero_points = (int32_t *)malloc(16 * sizeof *c.zero_points);
    cr_assert_not_null(c.zero_points);
    for (int32_t i = 0; i < 16; i++) c.zero_points[i] = i == 0 ? 127 : i == 1 ? -127 : -128;
    c.dpu.factor = 0;
    conv_check(&c, "zero point");
}

/* ------------------------------------------------------------------------------------------------- pictures */

Test(rkchip_conv, pictures_of_1_3_and_4_channels) {
    static const uint32_t channels[] = {1, 3, 4}, outputs[] = {1, 16, 17, 33};
    for (size_t i = 0; i < 3; i++)
        for (size_t o = 0; o < 4; o++) {
            conv c = conv_of(7, o % 2 == 0 ? 16 : 32, channels[i], outputs[o]);
            c.picture = true;
            c.kernel_height = 3;
            c.kernel_width = 1 + (uint32_t)o;
            c.step_y = 2;
            c.step_x = 1 + (uint32_t)i;
            c.pad_top = 1;
            c.pad_left = (uint32_t)o / 2;
            c.pad_right = 2;
            c.pad_value = noise_in(-128, 127);
            c.dpu.factor = 0;
            conv_check(&c, "picture");
        }
}

/* What lies between rows is no pixel: on the right there is padding. */
Test(rkchip_conv, rows_of_pictures_begin_at_every_16th_pixel) {
    for (uint32_t width = 1; width <= 40; width++) {
        conv c = conv_of(5, width, width % 2 == 0 ? 3 : 1, 3 + width % 16);
        c.picture = true;
        c.kernel_height = c.kernel_width = 3;
        c.step_x = 1 + width / 2 % 2;
        c.pad_top = c.pad_bottom = c.pad_left = c.pad_right = 1;
        c.pad_value = noise_in(-128, 127);
        c.dpu.factor = 0;
        conv_check(&c, "row of a picture");
    }
}

Test(rkchip_conv, pixels_are_scaled_shifted_and_cut_a_channel_each) {
    static const uint32_t channels[] = {1, 3, 4};
    for (uint32_t round = 0; round < 24; round++) {
        conv c = conv_of(5, 16, channels[round % 3], 7);
        c.picture = c.converts = true;
        c.is_signed = round % 2 != 0;
        c.kernel_height = 2;
        c.kernel_width = 3;
        c.pad_left = 1;
        c.pad_value = -12;
        for (uint32_t i = 0; i < 4; i++) {
            c.shift[i] = (uint32_t)noise_in(0, 20);
            c.scale[i] = noise_in(-32768, 32767);
            c.offset[i] = noise_in(-1000000, 1000000) * (c.shift[i] > 10 ? 8 : 1);
            if (c.shift[i] < 6) c.scale[i] %= 3;
            if (c.shift[i] < 6) c.offset[i] %= 150;
        }
        c.dpu.factor = 0;
        conv_check(&c, "conversion");
    }
}

/* Beyond 31 a pixel leaves nothing, or what the rounding makes of it. */
Test(rkchip_conv, shifts_of_pixels_have_6_bits) {
    static const uint32_t shifts[] = {31, 32, 33, 47, 61};
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        conv c = conv_of(2, 16, 4, 3);
        c.picture = c.converts = true;
        for (uint32_t k = 0; k < 4; k++) {
            c.scale[k] = k % 2 == 0 ? 32767 : -32768;
            c.offset[k] = k % 2 == 0 ? INT32_MAX : INT32_MIN;
            c.shift[k] = shifts[(i + k) % 5];
        }
        c.dpu.factor = 0;
        conv_check(&c, "shift of pixels");
    }
}

/* The words of real streams: uint8 minus 128 times 1, as 16384 / 2^14, and a normalization. */
Test(rkchip_conv, conversions_of_vendors_streams) {
    for (uint32_t kind = 0; kind < 2; kind++) {
        conv c = conv_of(4, 64, 3, 16);
        c.picture = c.converts = true;
        for (uint32_t i = 0; i < 3; i++) {
            c.scale[i] = kind == 0 ? 0x4000 : 0x7e83;
            c.offset[i] = kind == 0 ? -128 * 16384 : i == 0 ? -0x430000 : i == 1 ? -0x398000 : -0x400000;
            c.shift[i] = kind == 0 ? 14 : 15;
        }
        c.dpu.factor = 0;
        conv_check(&c, "vendor's conversion");
    }
}

/* Every byte as a pixel: what comes out is the byte minus 128. */
Test(rkchip_conv, halves_of_converted_pixels_go_to_the_even_neighbour) {
    static const int8_t wanted[8] = {0, 0, 1, 2, 2, 2, 3, 4}; /* 0, 1/2, 1 ... 7/2 */
    conv c = conv_of(1, 16, 1, 1);
    c.picture = c.converts = true;
    c.table = 2;
    c.input = noise_bytes(16);
    for (int8_t i = 0; i < 16; i++) c.input[i] = i;
    c.weights = noise_bytes(1);
    c.weights[0] = 1;
    c.biases = (int32_t *)calloc(1, sizeof *c.biases);
    c.scale[0] = 1;
    c.shift[0] = 1;
    c.offset[0] = 0;
    c.dpu.shift = c.dpu.shift_negative = 0;
    c.dpu.factor = 1;
    c.dpu.out_shift = 0;
    conv_values(&c);
    int8_t *out = conv_reference(&c);
    for (int i = 0; i < 8; i++) cr_assert_eq(out[i], wanted[i]);
    free(out);
    conv_check(&c, "halves");
}

/* -------------------------------------------------------------------------------------- the table of channels */

Test(rkchip_conv, tables_with_and_without_zero_points_and_scales) {
    static const uint32_t outputs[] = {1, 3, 4, 5, 8, 16, 17};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        for (uint32_t table = 0; table < 4; table++) {
            static const uint32_t parts[] = {0xe, 2, 2, 2};
            conv c = conv_of(3, 3, 19, outputs[i]);
            c.table = parts[table];
            c.common = table == 1 ? -128 : table == 2 ? -1 : 0;
            if (table > 0) c.dpu.shift = c.dpu.shift_negative = 0;
            c.dpu.factor = 0;
            conv_check(&c, "table");
        }
        conv c = conv_of(3, 3, outputs[i], outputs[i]);
        c.depthwise = true;
        c.table = 0xa;
        c.kernel_width = 2;
        c.dpu.factor = 0;
        conv_check(&c, "depthwise table");
    }
}

/* ------------------------------------------------------------------------------------------------ the stages */

/* A convolution that hands its biases on: one pixel, weights of 0. Their sums go into stages as they are. */
static conv sums_of(const int32_t *sums, uint32_t count) {
    conv c = conv_of(1, 1, 1, count);
    c.weights = (int8_t *)calloc(count, 1);
    c.zero_points = (int32_t *)calloc(count, sizeof *c.zero_points);
    c.biases = (int32_t *)malloc(count * sizeof *c.biases);
    c.scales = (uint32_t *)malloc(count * sizeof *c.scales);
    cr_assert(c.weights != NULL && c.zero_points != NULL && c.biases != NULL && c.scales != NULL);
    for (uint32_t i = 0; i < count; i++) {
        c.biases[i] = sums[i];
        c.scales[i] = 1;
    }
    c.dpu.shift = c.dpu.shift_negative = 0;
    c.dpu.factor = 1;
    c.dpu.out_shift = 0;
    return c;
}

/* The same, and what comes out is known beforehand. */
static void sums_give(conv *c, const int8_t *wanted) {
    int8_t *out;
    conv_values(c);
    out = conv_reference(c);
    for (uint32_t i = 0; i < c->outputs; i++) cr_assert_eq(out[i], wanted[i], "%u: %d, not %d", i, out[i], wanted[i]);
    free(out);
    conv_check(c, "sums");
}

static const int32_t halves[16] = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};
static const int8_t halves_even[16] = {-4, -4, -3, -2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2, 3, 4};

Test(rkchip_conv, halves_of_the_scaled_sum_go_to_the_even_neighbour) {
    conv c = sums_of(halves, 16);
    c.dpu.shift = c.dpu.shift_negative = 1;
    sums_give(&c, halves_even);
}

Test(rkchip_conv, halves_of_bn_go_to_the_even_neighbour) {
    conv c = sums_of(halves, 16);
    c.dpu.bn = BN_EACH;
    c.dpu.bn_factor = 1;
    c.dpu.bn_shift = c.dpu.bn_shift_negative = 1;
    sums_give(&c, halves_even);
    c = sums_of(halves, 16);
    c.dpu.bn = BN_EACH;
    c.dpu.bn_factor = 1 << 13;
    c.dpu.bn_shift = c.dpu.bn_shift_negative = 14;
    sums_give(&c, halves_even);
}

Test(rkchip_conv, halves_of_the_output_go_to_the_even_neighbour) {
    conv c = sums_of(halves, 16);
    c.dpu.out_shift = 1;
    sums_give(&c, halves_even);
    c = sums_of(halves, 16);
    c.dpu.factor = 16384;
    c.dpu.out_shift = 15;
    sums_give(&c, halves_even);
}

/* The zero point is added before the output is rounded: an odd one moves the halves to its own neighbours. */
Test(rkchip_conv, the_zero_point_is_part_of_what_is_rounded) {
    static const int8_t wanted[16] = {-3, -2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 4};
    conv c = sums_of(halves, 16);
    c.dpu.out_shift = 1;
    c.dpu.zero_point = 1;
    sums_give(&c, wanted);
}

Test(rkchip_conv, halves_of_the_second_operand_go_to_the_even_neighbour) {
    static const int32_t zeros[16] = {0};
    conv c = sums_of(zeros, 16);
    c.dpu.adds = true;
    c.dpu.operand_factor = 1;
    c.dpu.operand_shift = 1;
    c.operand = noise_bytes(16);
    for (int i = 0; i < 16; i++) c.operand[i] = (int8_t)halves[i];
    sums_give(&c, halves_even);
}

Test(rkchip_conv, negative_sums_have_a_shift_of_their_own) {
    static const int32_t sums[8] = {-1024, -513, -64, -1, 0, 64, 513, 1024};
    static const int8_t wanted[8] = {-128, -64, -8, 0, 0, 4, 32, 64};
    conv c = sums_of(sums, 8);
    c.dpu.shift = 4;
    c.dpu.shift_negative = 3;
    sums_give(&c, wanted);
}

Test(rkchip_conv, shifts_may_be_as_wide_as_their_registers) {
    static const int32_t sums[4] = {INT32_MIN, -65536, 65536, INT32_MAX};
    for (uint32_t shift = 1; shift < 32; shift++) {
        conv c = sums_of(sums, 4);
        c.dpu.shift = shift;
        c.dpu.shift_negative = 32 - shift;
        c.dpu.factor = 0;
        conv_check(&c, "BS");
        c = sums_of(sums, 4);
        c.dpu.bn = BN_EACH;
        c.dpu.bn_factor = 1;
        c.dpu.bn_shift = 2 * shift - 1;
        c.dpu.bn_shift_negative = 63 - 2 * shift;
        c.dpu.factor = 0;
        conv_check(&c, "BN");
        c = sums_of(sums, 4);
        c.dpu.adds = true;
        c.dpu.operand_factor = 32767;
        c.dpu.operand_offset = 100000;
        c.dpu.operand_shift = shift + 2;
        c.biases[0] = c.biases[3] = 0;
        c.dpu.factor = 0;
        conv_check(&c, "EW");
    }
}

Test(rkchip_conv, without_a_shift_for_negative_sums_they_have_the_other) {
    static const int32_t sums[4] = {-1024, -8, 8, 1024};
    static const int8_t wanted[4] = {-64, 0, 0, 64};
    conv c = sums_of(sums, 4);
    c.dpu.shift = 4;
    c.dpu.shift_negative = 0;
    sums_give(&c, wanted);
}

Test(rkchip_conv, sums_are_cut_to_their_bounds_before_they_are_scaled) {
    static const int32_t sums[10] = {INT32_MIN, -101, -100, -99, 0, 1, 59, 60, 61, INT32_MAX};
    static const int8_t wanted[10] = {-50, -50, -50, -50, 0, 0, 30, 30, 30, 30};
    conv c = sums_of(sums, 10);
    c.dpu.bounded = true;
    c.dpu.lower = -100;
    c.dpu.upper = 60;
    c.dpu.shift = c.dpu.shift_negative = 1;
    sums_give(&c, wanted);
}

/* relu: a lower bound of 0; relu6: and one above. */
Test(rkchip_conv, relu_and_relu6_are_bounds) {
    for (uint32_t kind = 0; kind < 2; kind++)
        for (uint32_t depthwise = 0; depthwise < 2; depthwise++) {
            conv c = conv_of(5, 4, 33, 33);
            c.depthwise = depthwise != 0;
            c.table = depthwise ? 0xa : 0xe;
            c.kernel_height = c.kernel_width = 3;
            c.pad_top = c.pad_left = 1;
            c.dpu.bounded = true;
            c.dpu.upper = kind == 0 ? INT32_MAX : 100000;
            c.dpu.zero_point = -128;
            c.dpu.factor = 0;
            conv_check(&c, "relu");
        }
}

Test(rkchip_conv, leaky_shrinks_negative_values_alone) {
    static const int32_t sums[8] = {-100, -75, -10, -5, -1, 0, 3, 100};
    static const int8_t wanted[8] = {-10, -7, -1, 0, 0, 0, 3, 100}; /* 0.1 in 14 bits is a little less */
    conv c = sums_of(sums, 8);
    c.dpu.bn = BN_NEGATIVE;
    c.dpu.bn_factor = 0x666;
    c.dpu.bn_shift_negative = 14;
    conv_values(&c);
    int8_t *out = conv_reference(&c);
    cr_assert_arr_eq(out, wanted, 8);
    free(out);
    conv_check(&c, "leaky");
    for (uint32_t round = 0; round < 8; round++) {
        c = conv_of(4, 4, 20, 20);
        c.depthwise = round % 2 != 0;
        c.table = c.depthwise ? 0xa : 0xe;
        c.dpu.bn = BN_NEGATIVE;
        c.dpu.bn_factor = noise_in(0, 32767);
        c.dpu.bn_shift = round / 2; /* values that are not negative are shifted, too */
        c.dpu.bn_shift_negative = 15;
        c.dpu.factor = 0;
        conv_check(&c, "leaky");
    }
}

/* PReLU: values that are not negative keep all their bits, the others are shifted by 14 and have 14 bits again behind
   the slope. */
Test(rkchip_conv, every_channel_may_shrink_negative_values_by_its_own_slope) {
    static const uint32_t outputs[] = {1, 2, 3, 4, 5, 8, 9, 15, 16};
    for (uint32_t round = 0; round < 36; round++) {
        conv c = conv_of(4, 16, round % 2 == 0 ? 3 : 20, outputs[round % 9]);
        uint16_t slopes[16];
        uint32_t scales[16];
        c.picture = c.converts = round % 2 == 0;
        for (uint32_t i = 0; i < 4; i++) c.scale[i] = 1, c.offset[i] = -128;
        for (uint32_t i = 0; i < 16; i++) {
            slopes[i] = (uint16_t)(i % 5 == 0 ? 0 : i % 5 == 1 ? 16384 : i % 5 == 2 ? 32767 : noise_in(1, 16384));
            scales[i] = (uint32_t)noise_in(1, 2000);
        }
        c.slopes = slopes;
        c.scales = (uint32_t *)malloc(c.outputs * sizeof *c.scales);
        cr_assert_not_null(c.scales);
        memcpy(c.scales, scales, c.outputs * sizeof *c.scales);
        c.dpu.shift = 0;
        c.dpu.shift_negative = 14;
        c.dpu.bn = BN_NEGATIVE;
        c.dpu.zero_point = noise_in(-128, 127);
        c.dpu.factor = 0;
        conv_check(&c, "PReLU");
    }
}

Test(rkchip_conv, bn_may_scale_every_value_and_shift_either_sign_by_its_own) {
    for (uint32_t round = 0; round < 12; round++) {
        conv c = conv_of(4, 4, 20, 20);
        c.depthwise = round % 2 != 0;
        c.table = c.depthwise ? 0xa : 0xe;
        c.dpu.bn = BN_EACH;
        c.dpu.bn_factor = noise_in(0, 32767);
        c.dpu.bn_shift = (uint32_t)noise_in(13, 18);
        c.dpu.bn_shift_negative = (uint32_t)noise_in(13, 18);
        c.dpu.zero_point = noise_in(-128, 127);
        c.dpu.factor = 0;
        conv_check(&c, "BN");
    }
}

Test(rkchip_conv, every_second_operand_is_moved_scaled_and_added) {
    static const uint32_t outputs[] = {1, 16, 17, 40};
    for (uint32_t round = 0; round < 24; round++) {
        conv c = conv_of(3, 5, 17, outputs[round % 4]);
        c.kernel_height = 2;
        c.table = round % 3 == 0 ? 2 : 0xe;
        if (round % 3 == 0) c.dpu.shift = c.dpu.shift_negative = 0;
        c.dpu.bn = round % 2 == 0 ? BN_NEGATIVE : BN_NONE;
        c.dpu.bn_factor = 0x666;
        c.dpu.bn_shift_negative = 14;
        c.dpu.adds = true;
        c.dpu.operand_offset = noise_in(-300, 300);
        c.dpu.operand_factor = noise_in(-32768, 32767);
        c.dpu.operand_shift = (uint32_t)noise_in(0, 16);
        c.dpu.zero_point = noise_in(-128, 127);
        c.dpu.factor = 0;
        conv_check(&c, "second operand");
    }
}

Test(rkchip_conv, the_output_is_cut_to_int8_on_both_sides) {
    static const int32_t sums[8] = {INT32_MIN, -140, -134, -133, 121, 122, 123, INT32_MAX};
    static const int8_t wanted[8] = {-128, -128, -128, -128, 126, 127, 127, 127};
    conv c = sums_of(sums, 8);
    c.dpu.zero_point = 5;
    sums_give(&c, wanted);
    c = sums_of(sums, 8);
    c.dpu.zero_point = -5;
    c.dpu.factor = -1;
    const int8_t turned[8] = {127, 127, 127, 127, -126, -127, -128, -128};
    sums_give(&c, turned);
}

Test(rkchip_conv, factors_are_int16_and_scales_uint16) {
    static const int32_t sums[6] = {-3, -2, -1, 1, 2, 3};
    static const int8_t wanted[6] = {3, 2, 1, -1, -2, -3};
    conv c = sums_of(sums, 6);
    c.dpu.factor = -32768;
    c.dpu.out_shift = 15;
    sums_give(&c, wanted);
    c = sums_of(sums, 6);
    for (uint32_t i = 0; i < 6; i++) c.scales[i] = 32768;
    c.dpu.shift = c.dpu.shift_negative = 15;
    c.dpu.factor = -1;
    sums_give(&c, wanted);
}

Test(rkchip_conv, sums_are_counted_in_products) {
    conv c = conv_of(5, 6, 33, 7);
    job j;
    stream s;
    c.kernel_height = 2;
    c.kernel_width = 3;
    conv_values(&c);
    job_begin(&j);
    (void)conv_memory(&c, &j);
    conv_words(&c, &s);
    cr_assert(job_run(&j, &s, STREAM_CONV));
    cr_assert(job_run(&j, &s, STREAM_CONV));
    cr_assert_eq(j.chip->macs, 2u * (4 * 4) * 7 * 6 * 48);
    job_end(&j);
    conv_free(&c);
}
