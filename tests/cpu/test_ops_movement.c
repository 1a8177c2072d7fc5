/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_movement.c - operators that move, choose, resize and reduce elements, through the API, against index
   formulas written here from the definition of the operators.

   Where elements only move, the reference says for each output element which input element it is. Shapes are drawn
   from a fixed seed; every second run uses three threads. The last tests give hostile arguments to the checks of
   steps. */
#include "linked.h"

#include <math.h>

#define SEED 20240811u

#include "one_operator.h"

/* ------------------------------------------------------------------------------------------------- moving */

Test(movement, reshaping_keeps_the_bytes) {
    const int32_t dims[4] = {2, 1, 3, 4}, flat[2] = {2, 12}, wide[5] = {2, 1, 3, 4, 1}, narrow[3] = {2, 3, 4};
    const int32_t asked[3] = {0, -1, 4}, last = -1;
    tensor in = make(OH_NN_INT8, 4, dims), out = make(OH_NN_INT8, 3, narrow), two = make(OH_NN_INT8, 2, flat);
    tensor five = make(OH_NN_INT8, 5, wide);
    model m;
    start(&m), feed(&m, &in), ints(&m, 3, asked), expect(&m, &out), finish(&m, OH_NN_OPS_RESHAPE);
    cr_assert_eq(memcmp(in.data, out.data, 24), 0);
    start(&m), feed(&m, &in), expect(&m, &two), finish(&m, OH_NN_OPS_FLATTEN);
    cr_assert_eq(memcmp(in.data, two.data, 24), 0);
    start(&m), feed(&m, &in), ints(&m, 1, &last), expect(&m, &five), finish(&m, OH_NN_OPS_EXPAND_DIMS);
    cr_assert_eq(memcmp(in.data, five.data, 24), 0);
    memset(out.data, 0, 24), memset(five.data, 0, 24);
    start(&m), feed(&m, &in), expect(&m, &out), finish(&m, OH_NN_OPS_SQUEEZE);
    cr_assert_eq(memcmp(in.data, out.data, 24), 0);
    start(&m), feed(&m, &in), gb_param_i64(&m.g, OH_NN_UNSQUEEZE_AXIS, 4), expect(&m, &five);
    finish(&m, OH_NN_OPS_UNSQUEEZE);
    cr_assert_eq(memcmp(in.data, five.data, 24), 0);
    drop(&in), drop(&out), drop(&two), drop(&five);
}

Test(movement, transposition_permutes_axes_of_any_rank_and_type) {
    int round;
    for (round = 0; round < 120; round++) {
        int32_t dims[10], permuted[10], axes[10];
        size_t rank = shape(dims, 1, 8), i, k;
        tensor in, out;
        model m;
        if (round % 10 == 0) rank = 2, dims[0] = noise_in(60, 70), dims[1] = noise_in(30, 70);
        for (i = 0; i < rank; i++) axes[i] = (int32_t)i;
        for (i = rank; i-- > 1;) {
            int32_t other = noise_in(0, (int32_t)i), kept = axes[i];
            axes[i] = axes[other], axes[other] = kept;
        }
        for (i = 0; i < rank; i++) permuted[i] = dims[axes[i]];
        in = make(any_type(), rank, dims), out = make(in.dtype, rank, permuted);
        for (i = 0; i < rank; i++) axes[i] -= noise() % 2 != 0 ? (int32_t)rank : 0;
        start(&m), feed(&m, &in), ints(&m, (int32_t)rank, axes), expect(&m, &out), finish(&m, OH_NN_OPS_TRANSPOSE);
        for (k = 0; k < out.count; k++) {
            int64_t place[10], from[10];
            place_of(rank, permuted, k, place);
            for (i = 0; i < rank; i++) from[axes[i] < 0 ? axes[i] + (int32_t)rank : axes[i]] = place[i];
            same(&out, k, &in, index_of(rank, dims, from));
        }
        drop(&in), drop(&out);
    }
}

Test(movement, padding_fills_reflects_and_mirrors) {
    int round;
    for (round = 0; round < 120; round++) {
        const int mode = round % 3;
        int32_t dims[10], padded[10], pads[20], rows[2];
        size_t rank = shape(dims, 1, 8), i, k;
        const int32_t fill = noise_in(-100, 100);
        tensor in, out;
        model m;
        for (i = 0; i < rank; i++) {
            const int32_t most = mode == 0 ? 2 : dims[i] - (mode == 1 ? 1 : 0);
            pads[2 * i] = noise_in(0, most < 2 ? most : 2), pads[2 * i + 1] = noise_in(0, most < 2 ? most : 2);
            padded[i] = dims[i] + pads[2 * i] + pads[2 * i + 1];
        }
        in = make(noise() % 2 != 0 ? OH_NN_INT8 : OH_NN_FLOAT32, rank, dims), out = make(in.dtype, rank, padded);
        start(&m), feed(&m, &in);
        if (in.dtype == OH_NN_INT8) quantized(&m, true, 0.5, 7);
        rows[0] = (int32_t)rank, rows[1] = 2;
        m.ins[m.in_count++] = gb_constant(&m.g, OH_NN_INT32, 2, rows, pads);
        gb_param_f32(&m.g, OH_NN_PAD_CONSTANT_VALUE, (float)fill);
        gb_param_i32(&m.g, OH_NN_PAD_PADDING_MODE, mode);
        expect(&m, &out);
        if (in.dtype == OH_NN_INT8) quantized(&m, false, 0.5, 7);
        finish(&m, OH_NN_OPS_PAD);
        for (k = 0; k < out.count; k++) {
            int64_t place[10];
            bool outside = false;
            place_of(rank, padded, k, place);
            for (i = 0; i < rank; i++) {
                place[i] -= pads[2 * i];
                outside = outside || place[i] < 0 || place[i] >= dims[i];
                if (mode != 0 && place[i] < 0) place[i] = -place[i] - (mode == 2 ? 1 : 0);
                if (mode != 0 && place[i] >= dims[i]) place[i] = 2 * dims[i] - 2 - place[i] + (mode == 2 ? 1 : 0);
            }
            if (mode != 0 || !outside) {
                same(&out, k, &in, index_of(rank, dims, place));
            } else if (in.dtype == OH_NN_INT8) {
                const int32_t real = 2 * fill + 7;
                cr_assert_eq((int8_t)out.data[k], real < -128 ? -128 : real > 127 ? 127 : real);
            } else {
                cr_assert_eq(((float *)out.data)[k], (float)fill);
            }
        }
        drop(&in), drop(&out);
    }
}

Test(movement, slices_take_the_box_that_they_name) {
    int round;
    for (round = 0; round < 60; round++) {
        int32_t dims[10], begin[10], size[10], asked[10];
        size_t rank = shape(dims, 1, 8), i, k;
        tensor in, out;
        model m;
        for (i = 0; i < rank; i++) {
            begin[i] = noise_in(0, dims[i] - 1);
            size[i] = noise_in(1, dims[i] - begin[i]);
            asked[i] = size[i] == dims[i] - begin[i] && noise() % 2 != 0 ? -1 : size[i];
        }
        in = make(any_type(), rank, dims), out = make(in.dtype, rank, size);
        if (round % 2 == 0) {
            start(&m), feed(&m, &in), ints(&m, (int32_t)rank, begin), ints(&m, (int32_t)rank, asked);
            expect(&m, &out), finish(&m, OH_NN_OPS_SLICE);
        } else {
            int64_t offsets[10];
            tensor window = make(OH_NN_INT8, rank, size);
            for (i = 0; i < rank; i++) offsets[i] = begin[i];
            start(&m), feed(&m, &in), feed(&m, &window);
            gb_param_i64s(&m.g, OH_NN_CROP_OFFSET, (int32_t)rank, offsets);
            expect(&m, &out), finish(&m, OH_NN_OPS_CROP);
            drop(&window);
        }
        for (k = 0; k < out.count; k++) {
            int64_t place[10];
            place_of(rank, size, k, place);
            for (i = 0; i < rank; i++) place[i] += begin[i];
            same(&out, k, &in, index_of(rank, dims, place));
        }
        drop(&in), drop(&out);
    }
}

Test(movement, strided_slices_walk_both_ways) {
    int round;
    for (round = 0; round < 150; round++) {
        int32_t dims[10], first[10], begin[10], end[10], stride[10], size[10], kept[10];
        int64_t begins = 0, ends = 0, shrinks = 0;
        size_t rank = shape(dims, 1, 6), kept_rank = 0, i, k;
        tensor in, out;
        model m;
        for (i = 0; i < rank; i++) {
            const bool back = noise() % 3 == 0;
            int32_t last;
            stride[i] = noise_in(1, 3) * (back ? -1 : 1);
            first[i] = noise_in(0, dims[i] - 1);
            size[i] = 1 + noise_in(0, (back ? first[i] : dims[i] - 1 - first[i]) / abs(stride[i]));
            last = first[i] + (size[i] - 1) * stride[i];
            begin[i] = noise() % 2 != 0 ? first[i] : first[i] - dims[i];
            end[i] = back ? (last == 0 ? -dims[i] - 1 : last - 1) : last + 1;
            if (noise() % 4 == 0 && first[i] == (back ? dims[i] - 1 : 0)) begins |= (int64_t)1 << i, begin[i] = 99;
            if (noise() % 4 == 0 && (back ? last + stride[i] < 0 : last + stride[i] >= dims[i]))
                ends |= (int64_t)1 << i, end[i] = -99;
            if (noise() % 6 == 0 && (begins >> i & 1) == 0) {
                shrinks |= (int64_t)1 << i;
                size[i] = 1;
            } else {
                kept[kept_rank++] = size[i];
            }
        }
        if (kept_rank == 0) continue;
        in = make(any_type(), rank, dims), out = make(in.dtype, kept_rank, kept);
        start(&m), feed(&m, &in), ints(&m, (int32_t)rank, begin), ints(&m, (int32_t)rank, end);
        ints(&m, (int32_t)rank, stride);
        gb_param_i64(&m.g, OH_NN_STRIDED_SLICE_BEGIN_MASK, begins);
        gb_param_i64(&m.g, OH_NN_STRIDED_SLICE_END_MASK, ends);
        gb_param_i64(&m.g, OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK, shrinks);
        expect(&m, &out), finish(&m, OH_NN_OPS_STRIDED_SLICE);
        for (k = 0; k < out.count; k++) {
            int64_t place[10];
            place_of(rank, size, k, place);
            for (i = 0; i < rank; i++) place[i] = first[i] + place[i] * stride[i];
            same(&out, k, &in, index_of(rank, dims, place));
        }
        drop(&in), drop(&out);
    }
}

/* Joins pieces and cuts them again; a stack is a join of pieces of size 1 whose axis is not written down. */
Test(movement, joined_pieces_are_where_they_belong_and_come_apart_again) {
    int round;
    for (round = 0; round < 80; round++) {
        const bool stack = round % 2 != 0;
        int32_t dims[10], whole[10], place_dims[10];
        size_t rank = shape(dims, 1, 6), axis = noise() % (rank + (stack ? 1 : 0)), count = 2 + noise() % 4, i, k, n;
        const size_t out_rank = rank + (stack ? 1 : 0);
        const OH_NN_DataType dtype = any_type();
        int64_t sizes[5], before = 0;
        tensor in[5], parts[5], out;
        model m;
        memcpy(whole, dims, sizeof whole);
        if (stack) memmove(whole + axis + 1, whole + axis, (rank - axis) * sizeof whole[0]);
        whole[axis] = 0;
        for (n = 0; n < count; n++) {
            if (!stack) dims[axis] = noise_in(1, 4);
            sizes[n] = stack ? 1 : dims[axis];
            whole[axis] += (int32_t)sizes[n];
            in[n] = make(dtype, rank, dims), parts[n] = make(dtype, rank, dims);
        }
        out = make(dtype, out_rank, whole);
        start(&m);
        for (n = 0; n < count; n++) feed(&m, &in[n]);
        gb_param_i64(&m.g, stack ? OH_NN_STACK_AXIS : OH_NN_CONCAT_AXIS,
                     (int64_t)axis - (round % 4 < 2 ? 0 : (int64_t)out_rank));
        expect(&m, &out), finish(&m, stack ? OH_NN_OPS_STACK : OH_NN_OPS_CONCAT);
        for (n = 0; n < count; n++) {
            memcpy(place_dims, whole, sizeof place_dims);
            place_dims[axis] = (int32_t)sizes[n];
            for (k = 0; k < in[n].count; k++) {
                int64_t place[10];
                place_of(out_rank, place_dims, k, place);
                place[axis] += before;
                same(&out, index_of(out_rank, whole, place), &in[n], k);
            }
            before += sizes[n];
        }
        start(&m), feed(&m, &out);
        for (n = 0; n < count; n++) expect(&m, &parts[n]);
        gb_param_i64(&m.g, stack ? OH_NN_UNSTACK_AXIS : OH_NN_SPLIT_AXIS, (int64_t)axis);
        if (!stack) {
            sizes[count - 1] = round % 4 == 0 ? -1 : sizes[count - 1];
            gb_param_i64s(&m.g, OH_NN_SPLIT_SIZE_SPLITS, (int32_t)count, sizes);
            gb_param_i64(&m.g, OH_NN_SPLIT_OUTPUT_NUM, (int64_t)count);
        }
        finish(&m, stack ? OH_NN_OPS_UNSTACK : OH_NN_OPS_SPLIT);
        for (n = 0; n < count; n++)
            for (i = 0; i < in[n].count; i++) same(&parts[n], i, &in[n], i);
        for (n = 0; n < count; n++) drop(&in[n]), drop(&parts[n]);
        drop(&out);
    }
}

Test(movement, concatenation_brings_int8_to_the_scale_of_the_output) {
    const double scales[3] = {0.5, 0.25, 0.1}, out_scale = 0.25;
    const int32_t zeros[3] = {3, -5, 100}, out_zero = -5, all = 768;
    tensor in[3], out = make1(OH_NN_INT8, all);
    model m;
    int n, k;
    start(&m);
    for (n = 0; n < 3; n++) {
        in[n] = make1(OH_NN_INT8, 256);
        for (k = 0; k < 256; k++) in[n].data[k] = (uint8_t)k;
        feed(&m, &in[n]), quantized(&m, true, scales[n], zeros[n]);
    }
    expect(&m, &out), quantized(&m, false, out_scale, out_zero), finish(&m, OH_NN_OPS_CONCAT);
    for (n = 0; n < 3; n++)
        for (k = 0; k < 256; k++) {
            const double real = scales[n] * ((int8_t)k - zeros[n]) / out_scale;
            const double rounded = real < 0 ? -floor(0.5 - real) : floor(real + 0.5);
            const double byte = fmin(fmax(rounded + out_zero, -128), 127);
            const bool tie = fabs(fabs(real - trunc(real)) - 0.5) < 1e-4;
            cr_assert_leq(fabs((int8_t)out.data[256 * n + k] - byte), tie ? 1 : 0, "input %d, byte %d", n, k);
        }
    for (n = 0; n < 3; n++) drop(&in[n]);
    drop(&out);
}

/* One pair on one side only, or pairs for channels: what the bytes mean is the model's business. */
Test(movement, bytes_whose_scale_is_not_known_on_both_sides_are_moved_as_they_are) {
    const double one = 0.5, two[2] = {0.25, 0.125}, other[2] = {0.125, 0.5};
    const int32_t zeros[2] = {0, 0};
    int kind;
    for (kind = 0; kind < 3; kind++) {
        const int32_t dims[2] = {3, 2}, axes[2] = {1, 0}, turned[2] = {2, 3};
        tensor in = make(OH_NN_INT8, 2, dims), out = make(OH_NN_INT8, 2, turned);
        size_t i;
        model m;
        start(&m), feed(&m, &in);
        if (kind != 1) gb_quantize(&m.g, m.ins[0], kind == 0 ? 1 : 2, kind == 0 ? &one : two, zeros);
        ints(&m, 2, axes), expect(&m, &out);
        if (kind != 0) gb_quantize(&m.g, m.outs[0], kind == 1 ? 1 : 2, kind == 1 ? &one : other, zeros);
        finish(&m, OH_NN_OPS_TRANSPOSE);
        for (i = 0; i < 6; i++) same(&out, i, &in, i % 3 * 2 + i / 3);
        drop(&in), drop(&out);
    }
}

/* Multiples of the last axes; or the same said twice, as the header reads; or of axes that are listed, in any order and
   counted from either end. A single multiple for a single axis is all of these. */
static void tile_params(model *m, size_t rank, size_t out_rank, const int32_t *times) {
    const int32_t way = noise_in(0, 2);
    int32_t turned[10];
    int64_t list[10];
    size_t i;
    if (way != 2 || rank != out_rank) {
        for (i = 0; i < out_rank; i++) list[i] = times[i];
        ints(m, (int32_t)out_rank, times);
        if (way != 0) gb_param_i64s(&m->g, OH_NN_TILE_DIMS, (int32_t)out_rank, list);
        return;
    }
    for (i = 0; i < rank; i++) {
        const size_t axis = rank - 1 - i;
        turned[i] = times[axis];
        list[i] = i % 2 == 0 ? (int64_t)axis : (int64_t)axis - (int64_t)rank;
    }
    ints(m, (int32_t)rank, turned);
    gb_param_i64s(&m->g, OH_NN_TILE_DIMS, (int32_t)rank, list);
}

Test(movement, tiles_and_broadcasts_repeat) {
    int round;
    for (round = 0; round < 80; round++) {
        const bool tile = round % 2 == 0;
        int32_t dims[10], times[10], big[10];
        int64_t target[10];
        size_t rank = shape(dims, 1, 7), more = noise() % 3, i, k;
        const size_t out_rank = rank + more;
        tensor in, out;
        model m;
        for (i = 0; i < rank && !tile; i++)
            if (noise() % 2 != 0) dims[i] = 1;
        for (i = 0; i < out_rank; i++) {
            const int32_t dim = i < more ? 1 : dims[i - more];
            times[i] = tile || dim == 1 ? noise_in(1, 3) : 1;
            big[i] = dim * times[i];
            target[i] = i >= more && times[i] == 1 && noise() % 2 != 0 ? -1 : big[i];
        }
        in = make(any_type(), rank, dims), out = make(in.dtype, out_rank, big);
        start(&m), feed(&m, &in);
        if (tile) tile_params(&m, rank, out_rank, times);
        if (!tile) gb_param_i64s(&m.g, OH_NN_BROADCAST_TO_SHAPE, (int32_t)out_rank, target);
        expect(&m, &out);
        finish(&m, tile ? OH_NN_OPS_TILE : OH_NN_OPS_BROADCAST_TO);
        for (k = 0; k < out.count; k++) {
            int64_t place[10];
            place_of(out_rank, big, k, place);
            for (i = 0; i < rank; i++) place[more + i] %= dims[i];
            same(&out, k, &in, index_of(rank, dims, place + more));
        }
        drop(&in), drop(&out);
    }
}

Test(movement, depth_and_space_change_places) {
    int round;
    for (round = 0; round < 60; round++) {
        const int32_t b = noise_in(2, 3), n = noise_in(1, 2), h = noise_in(1, 3), w = noise_in(1, 3),
                      c = noise_in(1, 3);
        const bool first = round % 2 != 0, major = round % 4 >= 2;
        const int32_t deep[4] = {n, first ? c * b * b : h, first ? h : w, first ? w : c * b * b};
        const int32_t wide[4] = {n, first ? c : h * b, first ? h * b : w * b, first ? w * b : c};
        const OH_NN_Format format = first ? OH_NN_FORMAT_NCHW : OH_NN_FORMAT_NHWC;
        tensor in = make(any_type(), 4, deep), out = make(in.dtype, 4, wide), back = make(in.dtype, 4, deep);
        size_t k;
        model m;
        start(&m), m.in_data[m.fed++] = gb_buffer(in.data, in.count * in.element);
        m.ins[m.in_count++] = gb_input(&m.g, gb_tensor_format(&m.g, in.dtype, 4, deep, format));
        gb_param_i64(&m.g, OH_NN_DEPTH_TO_SPACE_BLOCK_SIZE, b), gb_param_i32(&m.g, OH_NN_DEPTH_TO_SPACE_MODE, major);
        expect(&m, &out), finish(&m, OH_NN_OPS_DEPTH_TO_SPACE);
        for (k = 0; k < out.count; k++) {
            int64_t p[4], y, x, channel, from[4];
            place_of(4, wide, k, p);
            channel = first ? p[1] : p[3], y = first ? p[2] : p[1], x = first ? p[3] : p[2];
            channel = major ? channel * b * b + y % b * b + x % b : (y % b * b + x % b) * c + channel;
            from[0] = p[0], from[1] = first ? channel : y / b, from[2] = first ? y / b : x / b;
            from[3] = first ? x / b : channel;
            same(&out, k, &in, index_of(4, deep, from));
        }
        if (!major) {
            start(&m), m.in_data[m.fed++] = gb_buffer(out.data, out.count * out.element);
            m.ins[m.in_count++] = gb_input(&m.g, gb_tensor_format(&m.g, in.dtype, 4, wide, format));
            gb_param_i64(&m.g, OH_NN_SPACE_TO_DEPTH_BLOCK_SIZE, b);
            expect(&m, &back), finish(&m, OH_NN_OPS_SPACE_TO_DEPTH);
            cr_assert_eq(memcmp(back.data, in.data, in.count * in.element), 0);
        }
        drop(&in), drop(&out), drop(&back);
    }
}

Test(movement, batches_are_cut_from_images_and_put_together_again) {
    int round;
    for (round = 0; round < 40; round++) {
        const int64_t block[2] = {noise_in(1, 3), noise_in(1, 3)};
        int64_t edges[4] = {0, 0, 0, 0};
        int32_t image[4] = {noise_in(1, 2), 0, 0, noise_in(1, 4)}, batch[4];
        const int32_t blocks_high = noise_in(2, 3), blocks_wide = noise_in(2, 3);
        const int32_t pair[2] = {2, 2};
        tensor in, out, back;
        uint32_t paddings;
        size_t k;
        model m;
        if (round % 2 != 0)
            edges[0] = noise_in(0, 1), edges[1] = noise_in(0, 1), edges[2] = 1, edges[3] = noise_in(0, 1);
        image[1] = (int32_t)(blocks_high * block[0] - edges[0] - edges[1]);
        image[2] = (int32_t)(blocks_wide * block[1] - edges[2] - edges[3]);
        if (image[1] < 1 || image[2] < 1) continue;
        batch[0] = image[0] * (int32_t)(block[0] * block[1]), batch[1] = blocks_high, batch[2] = blocks_wide;
        batch[3] = image[3];
        in = make(OH_NN_INT8, 4, image), out = make(OH_NN_INT8, 4, batch), back = make(OH_NN_INT8, 4, image);
        start(&m), feed(&m, &in), quantized(&m, true, 0.5, 9);
        gb_param_i64s(&m.g, OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE, 2, block);
        paddings = gb_tensor(&m.g, OH_NN_INT64, 2, pair);
        cr_assert_eq(OH_NNModel_SetTensorType(m.g.model, paddings, OH_NN_SPACE_TO_BATCH_ND_PADDINGS), OH_NN_SUCCESS);
        cr_assert_eq(OH_NNModel_SetTensorData(m.g.model, paddings, edges, sizeof edges), OH_NN_SUCCESS);
        m.g.params[m.g.param_count++] = paddings;
        expect(&m, &out), quantized(&m, false, 0.5, 9), finish(&m, OH_NN_OPS_SPACE_TO_BATCH_ND);
        for (k = 0; k < out.count; k++) {
            int64_t p[4], from[4], place;
            place_of(4, batch, k, p);
            place = p[0] / image[0];
            from[0] = p[0] % image[0], from[1] = p[1] * block[0] + place / block[1] - edges[0];
            from[2] = p[2] * block[1] + place % block[1] - edges[2], from[3] = p[3];
            if (from[1] < 0 || from[1] >= image[1] || from[2] < 0 || from[2] >= image[2])
                cr_assert_eq((int8_t)out.data[k], 9);
            else same(&out, k, &in, index_of(4, image, from));
        }
        start(&m), feed(&m, &out);
        gb_param_i64s(&m.g, OH_NN_BATCH_TO_SPACE_ND_BLOCKSIZE, 2, block);
        gb_param_i64s(&m.g, OH_NN_BATCH_TO_SPACE_ND_CROPS, 4, edges);
        expect(&m, &back), finish(&m, OH_NN_OPS_BATCH_TO_SPACE_ND);
        cr_assert_eq(memcmp(back.data, in.data, in.count), 0);
        drop(&in), drop(&out), drop(&back);
    }
}

/* ----------------------------------------------------------------------------------------------- reducing */

static int64_t limit(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* TensorFlow Lite's rescale: multiplier * 2^(exponent - 31), rounded twice. */
static int64_t rescale(int64_t x, int64_t multiplier, int exponent) {
    int64_t product, half;
    if (exponent > 0) x *= (int64_t)1 << exponent;
    product = x * multiplier;
    product = (product + (product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30))) / ((int64_t)1 << 31);
    if (exponent >= 0) return product;
    half = (int64_t)1 << (-exponent - 1);
    return product >= 0 ? (product + half) >> -exponent : -((-product + half) >> -exponent);
}

/* Its quantized mean: the multiplier of the ratio of scales, shifted up as far as the count has bits, divided by it. */
static int8_t mean_s8(int64_t sum, int64_t count, bool mean, double ratio, int32_t in_zero, int32_t out_zero) {
    int exponent, bits = 0;
    int64_t multiplier = llround(frexp(ratio, &exponent) * 2147483648.0);
    if (multiplier == (int64_t)1 << 31) multiplier /= 2, exponent++;
    if (mean) {
        while (count >> (bits + 1) != 0) bits++;
        if (bits > 31 + exponent) bits = 31 + exponent;
        multiplier = (multiplier << bits) / count;
        exponent -= bits;
    }
    return (int8_t)limit(rescale(sum - count * in_zero, multiplier, exponent) + out_zero, -128, 127);
}

typedef struct reduction {
    OH_NN_OperationType op;
    OH_NN_TensorType keep;
} reduction;

static double reduced(OH_NN_OperationType op, double acc, double x, bool first) {
    switch (op) {
    case OH_NN_OPS_REDUCE_MAX: return first || x > acc ? x : acc;
    case OH_NN_OPS_REDUCE_MIN: return first || x < acc ? x : acc;
    case OH_NN_OPS_REDUCE_PROD: return first ? x : acc * x;
    case OH_NN_OPS_REDUCE_L2: return (first ? 0 : acc) + x * x;
    case OH_NN_OPS_ALL: return (first || acc != 0) && x != 0;
    default: return (first ? 0 : acc) + x;
    }
}

Test(reduction, every_kind_over_any_axes_is_what_a_loop_says) {
    static const reduction kinds[7] = {{OH_NN_OPS_REDUCE_MEAN, OH_NN_REDUCE_MEAN_KEEP_DIMS},
                                       {OH_NN_OPS_REDUCE_SUM, OH_NN_REDUCE_SUM_KEEP_DIMS},
                                       {OH_NN_OPS_REDUCE_MAX, OH_NN_REDUCE_MAX_KEEP_DIMS},
                                       {OH_NN_OPS_REDUCE_MIN, OH_NN_REDUCE_MIN_KEEP_DIMS},
                                       {OH_NN_OPS_REDUCE_PROD, OH_NN_REDUCE_PROD_KEEP_DIMS},
                                       {OH_NN_OPS_REDUCE_L2, OH_NN_REDUCE_L2_KEEP_DIMS},
                                       {OH_NN_OPS_ALL, OH_NN_ALL_KEEP_DIMS}};
    int round;
    for (round = 0; round < 210; round++) {
        const reduction *kind = &kinds[round % 7];
        const OH_NN_OperationType op = kind->op;
        const bool small = op == OH_NN_OPS_REDUCE_PROD, keep = noise() % 2 != 0;
        const uint32_t pick = noise() % 3;
        const OH_NN_DataType dtype = pick == 0 && !small && op != OH_NN_OPS_REDUCE_L2 ? OH_NN_INT8
                                     : pick == 1 && op != OH_NN_OPS_REDUCE_L2         ? OH_NN_INT32
                                                                                      : OH_NN_FLOAT32;
        const double in_scale = 0.1, out_scale = op == OH_NN_OPS_REDUCE_SUM ? 1.3 : 0.07;
        const bool scaled = dtype == OH_NN_INT8 && (op == OH_NN_OPS_REDUCE_MEAN || op == OH_NN_OPS_REDUCE_SUM);
        int32_t dims[10], kept[10], ones[10], axes[10];
        size_t rank = shape(dims, 1, 6), kept_rank = 0, i, k, n = 0;
        tensor in, out;
        double *sums;
        size_t *counts;
        model m;
        if (round < 7) rank = 4, dims[0] = 2, dims[1] = 7, dims[2] = 7, dims[3] = 40;
        for (i = 0; i < rank; i++) {
            const bool drop_it = round < 7 ? i == 1 || i == 2 : noise() % 2 != 0 || (n == 0 && i + 1 == rank);
            ones[i] = drop_it ? 1 : dims[i];
            if (drop_it) axes[n++] = (int32_t)i - (noise() % 2 != 0 ? (int32_t)rank : 0);
            if (!drop_it || keep) kept[kept_rank++] = ones[i];
        }
        if (kept_rank == 0) kept[kept_rank++] = 1;
        in = make(dtype, rank, dims), out = make(op == OH_NN_OPS_ALL ? OH_NN_BOOL : dtype, kept_rank, kept);
        if (dtype == OH_NN_FLOAT32) fill_f32(&in);
        for (i = 0; i < in.count; i++) {
            if (dtype == OH_NN_INT32) ((int32_t *)in.data)[i] = small ? noise_in(-2, 2) : noise_in(-100000, 100000);
            if (small && dtype == OH_NN_FLOAT32) ((float *)in.data)[i] = (float)noise_in(3, 6) / 4.0f;
            if (op == OH_NN_OPS_ALL && noise() % 20 == 0) memset(in.data + i * in.element, 0, in.element);
            if (op == OH_NN_OPS_ALL && noise() % 20 == 0 && dtype == OH_NN_FLOAT32) ((float *)in.data)[i] = -0.0f;
        }
        start(&m), feed(&m, &in);
        if (scaled) quantized(&m, true, in_scale, -7);
        ints(&m, (int32_t)n, axes), expect(&m, &out);
        if (scaled) quantized(&m, false, out_scale, 11);
        if (op == OH_NN_OPS_ALL) gb_param_i64(&m.g, kind->keep, keep);
        else gb_param_bool(&m.g, kind->keep, keep);
        finish(&m, op);
        sums = (double *)calloc(out.count, sizeof *sums), counts = (size_t *)calloc(out.count, sizeof *counts);
        for (i = 0; i < in.count; i++) {
            int64_t place[10];
            const double x = dtype == OH_NN_FLOAT32 ? (double)((float *)in.data)[i]
                             : dtype == OH_NN_INT32 ? ((int32_t *)in.data)[i]
                                                    : (int8_t)in.data[i];
            place_of(rank, dims, i, place);
            for (k = 0; k < rank; k++) place[k] = ones[k] == 1 ? 0 : place[k];
            k = index_of(rank, ones, place);
            sums[k] = reduced(op, sums[k], x, counts[k]++ == 0);
        }
        for (k = 0; k < out.count; k++) {
            double is, should = sums[k];
            if (op == OH_NN_OPS_REDUCE_L2) should = sqrt(should);
            if (op == OH_NN_OPS_REDUCE_MEAN && !scaled) should /= (double)counts[k];
            if (scaled)
                should = mean_s8((int64_t)should, (int64_t)counts[k], op == OH_NN_OPS_REDUCE_MEAN, in_scale / out_scale,
                                 -7, 11);
            if (dtype == OH_NN_INT32 && op != OH_NN_OPS_ALL)
                should = op == OH_NN_OPS_REDUCE_MEAN ? trunc(should) : (double)(int32_t)(uint32_t)(int64_t)should;
            is = op == OH_NN_OPS_ALL      ? out.data[k]
                 : dtype == OH_NN_FLOAT32 ? (double)((float *)out.data)[k]
                 : dtype == OH_NN_INT32   ? ((int32_t *)out.data)[k]
                                          : (int8_t)out.data[k];
            if (dtype == OH_NN_INT32 && small && fabs(sums[k]) > 9e15) continue; /* past what a double counts */
            cr_assert_leq(fabs(is - should), dtype == OH_NN_FLOAT32 ? 1e-4 * fabs(should) + 1e-3 : 0,
                          "round %d, operator %d, type %d, element %zu: %g, not %g", round, (int)op, (int)dtype, k, is,
                          should);
        }
        free(sums), free(counts), drop(&in), drop(&out);
    }
}

static double element(const tensor *t, size_t i) {
    return t->dtype == OH_NN_FLOAT32 ? (double)((float *)t->data)[i]
           : t->dtype == OH_NN_INT32 ? ((int32_t *)t->data)[i]
           : t->dtype == OH_NN_INT64 ? (double)((int64_t *)t->data)[i]
           : t->dtype == OH_NN_INT16 ? ((int16_t *)t->data)[i]
                                     : (int8_t)t->data[i];
}

/* TensorFlow Lite's way: behind each factor in_scale / out_scale^(1 / n), as 15 bits, rounded with ties up. */
static int64_t scaled_product(int64_t x, double factor) {
    int exponent;
    int64_t multiplier = llround(frexp(factor, &exponent) * 2147483648.0), unit;
    if (multiplier == (int64_t)1 << 31) multiplier /= 2, exponent++;
    unit = (int64_t)1 << (15 - exponent);
    x = x * (multiplier >= 0x7fff0000 ? 0x7fff : (multiplier + 32768) / 65536) + unit / 2;
    return limit(x / unit - (x % unit < 0 ? 1 : 0), INT32_MIN, INT32_MAX);
}

Test(reduction, products_of_integers_are_scaled_behind_each_factor) {
    int round;
    for (round = 0; round < 80; round++) {
        const bool wide = round % 2 != 0;
        const int32_t dims[3] = {noise_in(1, 4), noise_in(1, 6), noise_in(1, 4)}, axes[2] = {0, -1};
        const int32_t kept[1] = {dims[1]}, n = dims[0] * dims[2];
        const int32_t zero = wide ? 0 : noise_in(-128, 127), out_zero = wide ? 0 : noise_in(-128, 127);
        const double in_scale = noise_between(wide ? 0.00002 : 0.005, wide ? 0.0001 : 0.03);
        const double out_scale = noise_between(wide ? 0.00001 : 0.002, 0.05);
        const double factor = in_scale / pow(out_scale, 1.0 / n);
        tensor in = make(wide ? OH_NN_INT16 : OH_NN_INT8, 3, dims), out = make(in.dtype, 1, kept);
        int32_t i, k, column;
        model m;
        for (i = 0; i < (int32_t)in.count; i++) {
            if (wide) ((int16_t *)in.data)[i] = (int16_t)noise_in(-32768, 32767);
            else in.data[i] = (uint8_t)noise_in(0, 255);
        }
        start(&m), feed(&m, &in), quantized(&m, true, in_scale, zero), ints(&m, 2, axes);
        expect(&m, &out), quantized(&m, false, out_scale, out_zero), finish(&m, OH_NN_OPS_REDUCE_PROD);
        for (column = 0; column < dims[1]; column++) {
            int64_t product = 0;
            for (i = 0; i < dims[0]; i++)
                for (k = 0; k < dims[2]; k++) {
                    const size_t at = (size_t)((i * dims[1] + column) * dims[2] + k);
                    const int64_t x = (int64_t)element(&in, at) - zero;
                    product = i + k == 0 ? x : scaled_product(product * x, factor);
                }
            product = limit(scaled_product(product, factor) + out_zero, wide ? -32768 : -128, wide ? 32767 : 127);
            cr_assert_eq((int64_t)element(&out, (size_t)column), product, "round %d, column %d: %g, not %d", round,
                         (int)column, element(&out, (size_t)column), (int)product);
        }
        drop(&in), drop(&out);
    }
}

Test(reduction, to_the_end_multiplies_by_its_factor) {
    const int32_t dims[3] = {2, 3, 4}, axis = 1, two = 2;
    tensor in = make(OH_NN_FLOAT32, 3, dims), out = make1(OH_NN_FLOAT32, two);
    model m;
    int i, k;
    fill_f32(&in);
    start(&m), feed(&m, &in), ints(&m, 1, &axis), expect(&m, &out);
    gb_param_bool(&m.g, OH_NN_REDUCE_SUM_REDUCE_TO_END, true), gb_param_bool(&m.g, OH_NN_REDUCE_SUM_KEEP_DIMS, true);
    gb_param_f32(&m.g, OH_NN_REDUCE_SUM_COEFF, 0.5f);
    finish(&m, OH_NN_OPS_REDUCE_SUM);
    for (i = 0; i < 2; i++) {
        double sum = 0;
        for (k = 0; k < 12; k++) sum += (double)((float *)in.data)[12 * i + k];
        cr_assert_leq(fabs((double)((float *)out.data)[i] - sum / 2), 1e-4);
    }
    drop(&in), drop(&out);
}

/* ----------------------------------------------------------------------------------------------- resizing */

static double source(int o, int in, int out, int mode) {
    if (mode == 1 && out > 1) return (double)o * (in - 1) / (out - 1);
    if (mode == 2) return fmax((o + 0.5) * in / out - 0.5, 0);
    return (double)o * in / out;
}

/* TensorFlow Lite's position with 10 bits of fraction: low, high and the fraction of high. */
static void source_10(int o, int in, int out, int mode, int64_t *low, int64_t *high, int64_t *at) {
    int64_t scale = (1024 * (int64_t)in + out / 2) / out;
    if (mode == 1 && out > 1) scale = (1024 * (int64_t)(in - 1) + (out - 1) / 2) / (out - 1);
    *at = mode == 2 ? o * scale + scale / 2 - 512 : o * scale;
    *low = *at / 1024 > 0 ? *at / 1024 : 0;
    *high = (*at + 1023) / 1024 < in - 1 ? (*at + 1023) / 1024 : in - 1;
}

Test(resize, interpolates_floats_and_integers_in_every_mode) {
    int round;
    for (round = 0; round < 150; round++) {
        const int mode = round % 3, wide = round / 3 % 5 > 2;
        const int kind = wide ? round / 3 % 5 - 2 : round / 3 % 5; /* float, integers of one scale, of two */
        const int32_t dims[4] = {noise_in(1, 2), noise_in(1, 9), noise_in(1, 9), noise_in(1, 5)};
        const int32_t big[4] = {dims[0], noise_in(1, 20), noise_in(1, 20), dims[3]};
        const OH_NN_DataType dtype = kind == 0 ? OH_NN_FLOAT32 : wide ? OH_NN_INT16 : OH_NN_INT8;
        const double least = wide ? -32768 : -128, most = wide ? 32767 : 127;
        tensor in = make(dtype, 4, dims), out = make(dtype, 4, big);
        size_t k;
        model m;
        if (kind == 0) fill_f32(&in);
        start(&m), feed(&m, &in);
        if (kind != 0) quantized(&m, true, 0.5, wide ? 0 : 5);
        expect(&m, &out);
        if (kind != 0) quantized(&m, false, kind == 1 ? 0.5 : 0.75, wide ? 0 : kind == 1 ? 5 : -20);
        gb_param_i64(&m.g, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, big[1]);
        gb_param_i64(&m.g, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, big[2]);
        gb_param_i8(&m.g, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, mode);
        finish(&m, OH_NN_OPS_RESIZE_BILINEAR);
        for (k = 0; k < out.count; k++) {
            int64_t p[4], corner[4];
            double y, x, real = 0;
            int64_t low[2], high[2], at[2], sum = 0;
            int i;
            place_of(4, big, k, p);
            corner[0] = p[0], corner[3] = p[3];
            y = fmin(source((int)p[1], dims[1], big[1], mode), dims[1] - 1);
            x = fmin(source((int)p[2], dims[2], big[2], mode), dims[2] - 1);
            source_10((int)p[1], dims[1], big[1], mode, &low[0], &high[0], &at[0]);
            source_10((int)p[2], dims[2], big[2], mode, &low[1], &high[1], &at[1]);
            for (i = 0; i < 4; i++) {
                const double wy = i / 2 != 0 ? y - floor(y) : 1 - (y - floor(y));
                const double wx = i % 2 != 0 ? x - floor(x) : 1 - (x - floor(x));
                const int64_t iy = i / 2 != 0 ? at[0] - 1024 * low[0] : 1024 - (at[0] - 1024 * low[0]);
                const int64_t ix = i % 2 != 0 ? at[1] - 1024 * low[1] : 1024 - (at[1] - 1024 * low[1]);
                size_t from;
                corner[1] = (int64_t)fmin(floor(y) + i / 2, dims[1] - 1);
                corner[2] = (int64_t)fmin(floor(x) + i % 2, dims[2] - 1);
                from = index_of(4, dims, corner);
                real += wy * wx * element(&in, from);
                corner[1] = i / 2 != 0 ? high[0] : low[0], corner[2] = i % 2 != 0 ? high[1] : low[1];
                if (kind == 1) sum += iy * ix * (int64_t)element(&in, index_of(4, dims, corner));
            }
            if (kind == 0)
                cr_assert_leq(fabs((double)((float *)out.data)[k] - real), 1e-3, "mode %d, element %zu", mode, k);
            if (kind == 1)
                cr_assert_eq((int64_t)element(&out, k), (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20),
                             "mode %d, element %zu", mode, k);
            real = (real - (wide ? 0 : 5)) * 0.5 / 0.75 - (wide ? 0 : 20);
            real = fmin(fmax(real, least), most);
            if (kind == 2)
                cr_assert_leq(fabs(element(&out, k) - real), wide ? 0.6 : 0.501, "mode %d, element %zu", mode, k);
        }
        drop(&in), drop(&out);
    }
}

/* ----------------------------------------------------------------------------------------------- choosing */

Test(choice, the_largest_elements_come_in_order_with_ties_by_index) {
    static const OH_NN_DataType types[4] = {OH_NN_FLOAT32, OH_NN_INT32, OH_NN_INT8, OH_NN_INT16};
    int round;
    for (round = 0; round < 120; round++) {
        const bool arg_max = round % 3 == 0, sorted = round % 2 != 0;
        int32_t dims[10], small[10], k;
        size_t rank = shape(dims, 1, 4), axis = noise() % rank, i, n;
        tensor in, values, indices;
        model m;
        memcpy(small, dims, sizeof small);
        if (round % 5 == 0) dims[axis] = 40;
        k = arg_max ? 1 : noise_in(1, dims[axis]);
        small[axis] = k;
        in = make(types[noise() % 4], rank, dims), values = make(in.dtype, rank, small);
        indices = make(round % 4 < 2 ? OH_NN_INT32 : OH_NN_INT64, rank, small);
        for (i = 0; i < in.count; i++) {
            if (in.dtype == OH_NN_FLOAT32) ((float *)in.data)[i] = (float)noise_in(-5, 5) / 2.0f;
            if (in.dtype == OH_NN_INT32) ((int32_t *)in.data)[i] = noise_in(-4, 4);
            if (in.dtype == OH_NN_INT16) ((int16_t *)in.data)[i] = (int16_t)(300 * noise_in(-4, 4));
        }
        start(&m), feed(&m, &in);
        if (arg_max) {
            expect(&m, &indices);
            gb_param_i64(&m.g, OH_NN_ARG_MAX_AXIS, (int64_t)axis), gb_param_bool(&m.g, OH_NN_ARG_MAX_KEEPDIMS, true);
        } else {
            ints(&m, 1, &k), expect(&m, &values), expect(&m, &indices);
            gb_param_i64(&m.g, OH_NN_TOP_K_AXIS, (int64_t)axis), gb_param_bool(&m.g, OH_NN_TOP_K_SORTED, sorted);
        }
        finish(&m, arg_max ? OH_NN_OPS_ARG_MAX : OH_NN_OPS_TOP_K);
        for (n = 0; n < indices.count; n++) {
            const int32_t index = (int32_t)element(&indices, n);
            int64_t place[10], at;
            int32_t ahead = 0, chosen_before = 0;
            double mine;
            place_of(rank, small, n, place);
            at = place[axis], place[axis] = index;
            mine = element(&in, index_of(rank, dims, place));
            if (!arg_max) same(&values, n, &in, index_of(rank, dims, place));
            for (i = 0; i < (size_t)dims[axis]; i++) {
                double other;
                place[axis] = (int64_t)i;
                other = element(&in, index_of(rank, dims, place));
                if (other > mine || (other == mine && (int32_t)i < index)) ahead++;
            }
            if (arg_max || sorted) {
                cr_assert_eq(ahead, at, "index %d comes as number %d", (int)index, (int)at);
            } else {
                cr_assert_lt(ahead, k);
                place[axis] = at - 1;
                if (at > 0) chosen_before = (int32_t)element(&indices, index_of(rank, small, place));
                cr_assert(at == 0 || chosen_before < index, "not by rising index");
            }
        }
        drop(&in), drop(&values), drop(&indices);
    }
}

Test(choice, a_nan_is_the_largest) {
    const int32_t five = 5, one = 1;
    tensor in = make1(OH_NN_FLOAT32, five), out = make1(OH_NN_INT64, one);
    const float data[5] = {1.0f, INFINITY, NAN, -2.0f, NAN};
    model m;
    memcpy(in.data, data, sizeof data);
    start(&m), feed(&m, &in), expect(&m, &out), finish(&m, OH_NN_OPS_ARG_MAX);
    cr_assert_eq(((int64_t *)out.data)[0], 2);
    drop(&in), drop(&out);
}

Test(choice, gather_takes_slices_and_refuses_indices_that_are_not_there) {
    int round;
    for (round = 0; round < 60; round++) {
        int32_t dims[10], list[4], out_dims[10], axis_list;
        size_t rank = shape(dims, 1, 5), axis = noise() % rank, i, k;
        tensor in, out, indices = make1(OH_NN_INT32, 4);
        model m;
        memcpy(out_dims, dims, sizeof out_dims);
        out_dims[axis] = 4;
        for (i = 0; i < 4; i++) list[i] = noise_in(-dims[axis], dims[axis] - 1);
        if (round % 6 == 5) list[2] = round % 12 == 5 ? dims[axis] : -dims[axis] - 1;
        memcpy(indices.data, list, sizeof list);
        in = make(any_type(), rank, dims), out = make(in.dtype, rank, out_dims);
        axis_list = (int32_t)axis - (int32_t)rank;
        start(&m), feed(&m, &in), feed(&m, &indices), ints(&m, 1, &axis_list), expect(&m, &out);
        if (round % 6 == 5) {
            cr_assert_eq(gb_op(&m.g, OH_NN_OPS_GATHER, 3, m.ins, 1, m.outs), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(gb_build(&m.g), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(gb_run_many(&m.g, m.in_data, m.out_data), OH_NN_UNAVAILABLE_DEVICE);
            cr_assert_not_null(strstr(nnrt_last_error(), "index"), "%s", nnrt_last_error());
            gb_close(&m.g);
        } else {
            finish(&m, OH_NN_OPS_GATHER);
            for (k = 0; k < out.count; k++) {
                int64_t place[10];
                place_of(rank, out_dims, k, place);
                place[axis] = list[place[axis]] + (list[place[axis]] < 0 ? dims[axis] : 0);
                same(&out, k, &in, index_of(rank, dims, place));
            }
        }
        drop(&in), drop(&out), drop(&indices);
    }
}

Test(choice, select_and_where_take_from_one_or_the_other) {
    int round;
    for (round = 0; round < 60; round++) {
        const bool where = round % 2 != 0;
        int32_t dims[10], own[3][10];
        size_t rank = shape(dims, 1, 4), ranks[3] = {rank, rank, rank}, i, k, n;
        tensor in[3], out;
        model m;
        for (n = 0; n < 3; n++) memcpy(own[n], dims, sizeof dims);
        if (!where && round % 6 == 0) ranks[0] = 1, own[0][0] = 1;
        if (!where && round % 6 == 2 && rank > 1) ranks[0] = 1;
        for (n = 0; n < 3 && where; n++)
            for (i = 0; i < rank; i++)
                if (noise() % 4 == 0 && (n != i % 3)) own[n][i] = 1;
        out = make(any_type(), rank, dims);
        for (n = 0; n < 3; n++) {
            in[n] = make(n == 0 ? OH_NN_BOOL : out.dtype, ranks[n], own[n]);
            for (i = 0; i < in[n].count && n == 0; i++) in[n].data[i] &= 1;
        }
        start(&m), feed(&m, &in[0]), feed(&m, &in[1]), feed(&m, &in[2]), expect(&m, &out);
        finish(&m, where ? OH_NN_OPS_WHERE : OH_NN_OPS_SELECT);
        for (k = 0; k < out.count; k++) {
            size_t at[3];
            for (n = 0; n < 3; n++) {
                int64_t place[10];
                place_of(rank, dims, k, place);
                for (i = 0; i < ranks[n]; i++) place[i] = own[n][i] == 1 ? 0 : place[i];
                at[n] = index_of(ranks[n], own[n], place);
            }
            n = in[0].data[at[0]] != 0 ? 1 : 2;
            same(&out, k, &in[n], at[n]);
        }
        for (n = 0; n < 3; n++) drop(&in[n]);
        drop(&out);
    }
}

Test(choice, one_hot_is_on_in_one_place) {
    int32_t axis;
    for (axis = -1; axis <= 2; axis++) {
        const int32_t dims[2] = {3, 4}, depth = 5, one = 1;
        int32_t out_dims[3];
        const size_t place_of_depth = axis < 0 ? 2 : (size_t)axis;
        tensor in = make(OH_NN_INT32, 2, dims), on = make1(OH_NN_FLOAT32, one), off = make1(OH_NN_FLOAT32, one), out;
        size_t k, i, n = 0;
        model m;
        for (k = 0; k < 12; k++) ((int32_t *)in.data)[k] = noise_in(-2, 6);
        for (i = 0; i < 3; i++) out_dims[i] = i == place_of_depth ? depth : dims[n++];
        out = make(OH_NN_FLOAT32, 3, out_dims);
        start(&m), feed(&m, &in), ints(&m, 1, &depth), feed(&m, &on), feed(&m, &off), expect(&m, &out);
        gb_param_i64(&m.g, OH_NN_ONE_HOT_AXIS, axis), finish(&m, OH_NN_OPS_ONE_HOT);
        for (k = 0; k < out.count; k++) {
            int64_t p[3], from[2];
            place_of(3, out_dims, k, p);
            for (i = 0, n = 0; i < 3; i++)
                if (i != place_of_depth) from[n++] = p[i];
            same(&out, k, ((int32_t *)in.data)[index_of(2, dims, from)] == p[place_of_depth] ? &on : &off, 0);
        }
        drop(&in), drop(&on), drop(&off), drop(&out);
    }
}

Test(choice, tensors_are_made_from_shapes_and_ranges) {
    const int32_t dims[2] = {2, 3}, seven = 7, two = 2, one = 1;
    tensor in = make(OH_NN_INT8, 2, dims), range = make1(OH_NN_FLOAT32, seven), full = make(OH_NN_INT16, 2, dims);
    tensor shape_out = make1(OH_NN_INT32, two), rank_out = make1(OH_NN_INT32, one), value = make1(OH_NN_INT16, one);
    const int32_t ten[10] = {1, 2, 1, 2, 1, 3, 1, 2, 1, 2}, count = 10;
    tensor again = make1(OH_NN_INT16, one), deep = make(OH_NN_INT8, 10, ten), deep_out = make1(OH_NN_INT32, count);
    model m;
    int i;
    start(&m), feed(&m, &in), expect(&m, &range), gb_param_i64(&m.g, OH_NN_RANGE_START, 10);
    gb_param_i64(&m.g, OH_NN_RANGE_LIMIT, -9), gb_param_i64(&m.g, OH_NN_RANGE_DELTA, -3), finish(&m, OH_NN_OPS_RANGE);
    for (i = 0; i < 7; i++) cr_assert_eq(((float *)range.data)[i], (float)(10 - 3 * i));
    start(&m), feed(&m, &in), expect(&m, &shape_out), finish(&m, OH_NN_OPS_SHAPE);
    cr_assert_eq(memcmp(shape_out.data, dims, sizeof dims), 0);
    start(&m), feed(&m, &in), expect(&m, &rank_out), finish(&m, OH_NN_OPS_RANK);
    cr_assert_eq(((int32_t *)rank_out.data)[0], 2);
    start(&m), feed(&m, &deep), expect(&m, &deep_out), finish(&m, OH_NN_OPS_SHAPE);
    cr_assert_eq(memcmp(deep_out.data, ten, sizeof ten), 0);
    start(&m), feed(&m, &value), ints(&m, 2, dims), expect(&m, &full), finish(&m, OH_NN_OPS_FILL);
    for (i = 0; i < 6; i++) same(&full, (size_t)i, &value, 0);
    /* a model has an input, so another operator reads one */
    start(&m), feed(&m, &value), ints(&m, 1, &one), expect(&m, &again);
    cr_assert_eq(gb_op(&m.g, OH_NN_OPS_RESHAPE, 2, m.ins, 1, m.outs), OH_NN_SUCCESS, "%s", nnrt_last_error());
    m.in_count = m.out_count = 0, ints(&m, 2, dims);
    m.outs[0] = gb_output(&m.g, gb_tensor(&m.g, OH_NN_INT16, 2, dims)), m.out_count = 1;
    m.out_data[1] = gb_buffer(full.data, full.count * full.element);
    gb_param_f32(&m.g, OH_NN_CONSTANT_OF_SHAPE_VALUE, -2.5f);
    gb_param_i64(&m.g, OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE, 33), finish(&m, OH_NN_OPS_CONSTANT_OF_SHAPE);
    same(&again, 0, &value, 0);
    for (i = 0; i < 6; i++) cr_assert_eq(((int16_t *)full.data)[i], -2);
    drop(&in), drop(&range), drop(&full), drop(&shape_out), drop(&rank_out), drop(&value), drop(&again);
    drop(&deep), drop(&deep_out);
}

/* ----------------------------------------------------------------------------------------------- refusals */

Test(refusal, says_what_is_wrong) {
    const int32_t dims[2] = {4, 6}, turned[2] = {6, 4}, axes[2] = {1, 1}, past[2] = {0, 2}, shape_list[2] = {5, -1};
    const int32_t begin[2] = {0, 3}, size[2] = {4, 4}, pads[2] = {0, 0}, many = 257;
    tensor in = make(OH_NN_FLOAT32, 2, dims), out = make(OH_NN_FLOAT32, 2, turned), list = make1(OH_NN_INT32, many);
    model m;
    start(&m), feed(&m, &in), feed(&m, &list), expect(&m, &out), refused(&m, OH_NN_OPS_TRANSPOSE, "1 KiB");
    start(&m), feed(&m, &in), ints(&m, 2, axes), expect(&m, &out), refused(&m, OH_NN_OPS_TRANSPOSE, "twice");
    start(&m), feed(&m, &in), ints(&m, 2, past), expect(&m, &out), refused(&m, OH_NN_OPS_TRANSPOSE, "range");
    start(&m), feed(&m, &in), ints(&m, 2, shape_list), expect(&m, &out), refused(&m, OH_NN_OPS_RESHAPE, "elements");
    start(&m), feed(&m, &in), ints(&m, 2, begin), ints(&m, 2, size), expect(&m, &out);
    refused(&m, OH_NN_OPS_SLICE, "leaves");
    start(&m), feed(&m, &in), ints(&m, 2, pads), expect(&m, &out), refused(&m, OH_NN_OPS_PAD, "two per axis");
    start(&m), feed(&m, &in), expect(&m, &out), gb_param_i64(&m.g, OH_NN_SPLIT_AXIS, 2);
    refused(&m, OH_NN_OPS_SPLIT, "axis");
    drop(&in), drop(&out), drop(&list);
}

/* A box is inside when every one of its runs is: tried out by walking. It must not be larger than its output, or
   loops that stay where they are would turn 2^31 times. */
Test(refusal, scales_and_zero_points_are_looked_at_whatever_the_operator) {
    static const double scales[] = {0, -0.5, NAN, INFINITY, 1e31, 1e-31, 1e30, 1e-30};
    static const struct {
        OH_NN_DataType dtype;
        int32_t zero;
        bool fits;
    } zeros[] = {{OH_NN_INT8, -129, false},   {OH_NN_INT8, -128, true},   {OH_NN_INT8, 127, true},
                 {OH_NN_INT8, 128, false},    {OH_NN_UINT8, -1, false},   {OH_NN_UINT8, 0, true},
                 {OH_NN_UINT8, 255, true},    {OH_NN_UINT8, 256, false},  {OH_NN_INT16, -32769, false},
                 {OH_NN_INT16, -32768, true}, {OH_NN_INT16, 32768, false}};
    tensor in = make1(OH_NN_INT8, 4), out = make1(OH_NN_INT8, 4);
    size_t i;
    model m;
    for (i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        const int32_t axis = 0;
        start(&m), feed(&m, &in), quantized(&m, true, scales[i], 0), ints(&m, 1, &axis), expect(&m, &out);
        if (i < 6) refused(&m, OH_NN_OPS_TRANSPOSE, "scale is not a positive number");
        else finish(&m, OH_NN_OPS_TRANSPOSE);
    }
    for (i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        const int32_t axis = 0;
        tensor from = make1(zeros[i].dtype, 4), to = make1(zeros[i].dtype, 4);
        start(&m), feed(&m, &from), ints(&m, 1, &axis), expect(&m, &to), quantized(&m, false, 0.5, zeros[i].zero);
        if (!zeros[i].fits) refused(&m, OH_NN_OPS_TRANSPOSE, "zero point is outside its data type");
        else finish(&m, OH_NN_OPS_TRANSPOSE);
        drop(&from), drop(&to);
    }
    drop(&in), drop(&out);
}

Test(hostile_step, a_copy_is_accepted_exactly_when_its_box_is_inside) {
    int round, accepted = 0;
    for (round = 0; round < 200000; round++) {
        nnrt__plan_value values[2];
        const nnrt__plan_value *operands[2];
        nnrt__step_view view;
        nnrt__box box;
        double low[2], high[2], written;
        bool inside;
        uint32_t i;
        int k;
        memset(&values, 0, sizeof values), memset(&view, 0, sizeof view), memset(&box, 0, sizeof box);
        for (k = 0; k < 2; k++) {
            values[k].dtype = OH_NN_INT8, values[k].rank = 1, values[k].size = (uint64_t)noise_in(1, 64);
            values[k].dims[0] = (int32_t)values[k].size, operands[k] = &values[k];
        }
        box.rank = noise() % 4, box.run = noise() % 9, box.src_offset = noise() % 40, box.dst_offset = noise() % 20;
        for (i = 0; i < box.rank; i++) {
            box.count[i] = noise_in(0, 4), box.src_step[i] = noise_in(-6, 8), box.dst_step[i] = noise_in(-2, 8);
            if (noise() % 50 == 0) box.count[i] = INT32_MAX, box.src_step[i] = noise() % 2 != 0 ? INT32_MIN : INT32_MAX;
            if (noise() % 50 == 0) box.count[i] = INT32_MAX, box.src_step[i] = box.dst_step[i] = 0;
        }
        low[0] = high[0] = box.src_offset, low[1] = high[1] = box.dst_offset;
        inside = box.run > 0;
        written = box.run;
        for (i = 0; i < box.rank; i++) {
            inside = inside && box.count[i] > 0;
            written *= box.count[i];
            for (k = 0; k < 2; k++) {
                /* doubles: exact where it matters, and they do not overflow */
                const double reach = (double)(k == 0 ? box.src_step[i] : box.dst_step[i]) * (box.count[i] - 1.0);
                if (reach < 0) low[k] += reach;
                else high[k] += reach;
            }
        }
        inside = inside && written <= (double)values[1].size;
        for (k = 0; k < 2; k++) inside = inside && low[k] >= 0 && high[k] + box.run <= (double)values[k].size;
        view.arguments = &box, view.operands = operands, view.input_count = 1, view.output_count = 1;
        cr_assert_eq(nnrt__copy_check(&view), inside, "round %d", round);
        if (inside) {
            uint8_t *src = (uint8_t *)calloc(1, (size_t)values[0].size),
                    *dst = (uint8_t *)calloc(1, (size_t)values[1].size);
            void *data[2];
            int32_t cancel = 0;
            nnrt__step_call call;
            data[0] = src, data[1] = dst;
            call.data = data, call.scratch = NULL, call.cancel = &cancel, call.first = 0,
            call.last = view.units = nnrt__copy_units(&view);
            cr_assert_eq(nnrt__copy_step_run(&view, &call), OH_NN_SUCCESS);
            free(src), free(dst), accepted++;
        }
    }
    cr_assert_gt(accepted, 1000);
}
