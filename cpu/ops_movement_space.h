/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_space.h - operators that move blocks of pixels into channels or batches, and back.
   >>cpu_ops_movement_space */
#ifndef NNRT_CPU_OPS_MOVEMENT_SPACE_H
#define NNRT_CPU_OPS_MOVEMENT_SPACE_H

#include "ops_movement_window.h"

/* --------------------------------------------------------------------------------- space, depth and batch */

/* The axes of height, width and channel: NCHW where the input says so. Batch is axis 0. */
typedef struct nnrt__block_layout {
    uint32_t height, width, channel;
} nnrt__block_layout;

NNRT__FN void nnrt__block_axes(const nnrt__ir_value *in, nnrt__block_layout *layout) {
    const bool channel_first = in->format == OH_NN_FORMAT_NCHW;
    layout->height = channel_first ? 2 : 1;
    layout->width = channel_first ? 3 : 2;
    layout->channel = channel_first ? 1 : 3;
}

typedef struct nnrt__block_spec {
    int64_t block;
    bool channel_major;
} nnrt__block_spec;

/* DEPTH_TO_SPACE and SPACE_TO_DEPTH. */
NNRT__FN OH_NN_ReturnCode nnrt__block_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const bool to_space = node->op == OH_NN_OPS_DEPTH_TO_SPACE;
    const int64_t block =
        nnrt__ir_int(node, to_space ? OH_NN_DEPTH_TO_SPACE_BLOCK_SIZE : OH_NN_SPACE_TO_DEPTH_BLOCK_SIZE, 0);
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__block_spec *spec = (nnrt__block_spec *)node->spec;
    nnrt__block_layout layout;
    int64_t dims[4];
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (in->rank != 4) return nnrt__movement_bad(ir, node, "the input does not have 4 dimensions");
    nnrt__block_axes(in, &layout);
    if (to_space && (block < 1 || block > 32768 || in->dims[layout.channel] % (block * block) != 0))
        return nnrt__movement_bad(ir, node, "the channels cannot be divided by the square of the block size");
    if (!to_space &&
        (block < 2 || block > 32768 || in->dims[layout.height] % block != 0 || in->dims[layout.width] % block != 0))
        return nnrt__movement_bad(ir, node, "height and width cannot be divided by the block size, or that is below 2");
    spec->block = block;
    spec->channel_major = to_space && nnrt__ir_int(node, OH_NN_DEPTH_TO_SPACE_MODE, 0) == 1;
    for (i = 0; i < 4; i++) dims[i] = in->dims[i];
    dims[layout.channel] = to_space ? dims[layout.channel] / (block * block) : dims[layout.channel] * block * block;
    dims[layout.height] = to_space ? dims[layout.height] * block : dims[layout.height] / block;
    dims[layout.width] = to_space ? dims[layout.width] * block : dims[layout.width] / block;
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

/* Six loops over n, y, x of the small image, i, j of the block and the channels of one block place. blocks: strides of
   i and j and of the channel in the deep value; deep and wide are the two values' dims. */
NNRT__FN OH_NN_ReturnCode nnrt__block_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const bool to_space = node->op == OH_NN_OPS_DEPTH_TO_SPACE;
    const bool channel_major = ((const nnrt__block_spec *)node->spec)->channel_major;
    const int64_t block = ((const nnrt__block_spec *)node->spec)->block;
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const nnrt__ir_value *deep = to_space ? in : out, *wide = to_space ? out : in;
    int64_t deep_strides[4], wide_strides[4], channels, depth;
    nnrt__block_layout layout;
    nnrt__movement_box box;
    int64_t loops[6][3]; /* count, stride in deep, stride in wide */
    uint32_t i;
    nnrt__block_axes(in, &layout);
    nnrt__movement_strides(4, deep->dims, deep_strides);
    nnrt__movement_strides(4, wide->dims, wide_strides);
    channels = wide->dims[layout.channel];
    depth = deep_strides[layout.channel];
    memset(loops, 0, sizeof(loops));
    loops[0][0] = deep->dims[0], loops[0][1] = deep_strides[0], loops[0][2] = wide_strides[0];
    loops[1][0] = deep->dims[layout.height], loops[1][1] = deep_strides[layout.height];
    loops[1][2] = block * wide_strides[layout.height];
    loops[2][0] = deep->dims[layout.width], loops[2][1] = deep_strides[layout.width];
    loops[2][2] = block * wide_strides[layout.width];
    loops[3][0] = block, loops[3][1] = channel_major ? block * depth : block * channels * depth;
    loops[3][2] = wide_strides[layout.height];
    loops[4][0] = block, loops[4][1] = channel_major ? depth : channels * depth,
    loops[4][2] = wide_strides[layout.width];
    loops[5][0] = channels, loops[5][1] = channel_major ? block * block * depth : depth;
    loops[5][2] = wide_strides[layout.channel];
    memset(&box, 0, sizeof(box));
    for (i = 0; i < 6; i++)
        nnrt__movement_loop(&box, loops[i][0], loops[i][to_space ? 1 : 2], loops[i][to_space ? 2 : 1]);
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

typedef struct nnrt__batch_spec {
    int64_t block[2]; /* of height and width */
    int64_t edges[4]; /* pads or crops: top, bottom, left, right */
} nnrt__batch_spec;

NNRT__FN OH_NN_ReturnCode nnrt__batch_read(const nnrt__ir *ir, const nnrt__ir_node *node, bool to_batch) {
    int64_t *block = ((nnrt__batch_spec *)node->spec)->block, *edges = ((nnrt__batch_spec *)node->spec)->edges;
    const OH_NN_TensorType block_type =
        to_batch ? OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE : OH_NN_BATCH_TO_SPACE_ND_BLOCKSIZE;
    const OH_NN_TensorType edge_type = to_batch ? OH_NN_SPACE_TO_BATCH_ND_PADDINGS : OH_NN_BATCH_TO_SPACE_ND_CROPS;
    uint32_t count, i;
    if (nnrt__ir_in(ir, node, 0)->rank != 4)
        return nnrt__movement_bad(ir, node, "the input does not have 4 dimensions");
    if (nnrt__ir_ints(node, block_type, block, 2) != 2)
        return nnrt__movement_bad(ir, node, "the block is not two numbers");
    count = nnrt__ir_ints(node, edge_type, edges, 4);
    if (count != 0 && count != 4) return nnrt__movement_bad(ir, node, "the paddings or crops are not four numbers");
    for (i = 0; i < 2; i++)
        if (block[i] < 1 || block[i] > INT32_MAX)
            return nnrt__movement_bad(ir, node, "a block size is below 1 or too large");
    for (i = 0; i < 4; i++)
        if (edges[i] < 0 || edges[i] > INT32_MAX)
            return nnrt__movement_bad(ir, node, "a padding or crop is negative or too large");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__space_to_batch_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t *block = ((const nnrt__batch_spec *)node->spec)->block;
    const int64_t *edges = ((const nnrt__batch_spec *)node->spec)->edges;
    int64_t dims[4];
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__batch_read(ir, node, true);
    if (code != OH_NN_SUCCESS) return code;
    dims[1] = in->dims[1] + edges[0] + edges[1];
    dims[2] = in->dims[2] + edges[2] + edges[3];
    if (dims[1] % block[0] != 0 || dims[2] % block[1] != 0)
        return nnrt__movement_bad(ir, node, "the padded image cannot be divided into blocks");
    if (block[0] * block[1] > INT32_MAX || dims[1] > INT32_MAX || dims[2] > INT32_MAX)
        return nnrt__movement_bad(ir, node, "the result is too large");
    dims[0] = in->dims[0] * (block[0] * block[1]);
    dims[1] /= block[0];
    dims[2] /= block[1];
    dims[3] = in->dims[3];
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__batch_to_space_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t *block = ((const nnrt__batch_spec *)node->spec)->block;
    const int64_t *edges = ((const nnrt__batch_spec *)node->spec)->edges;
    int64_t dims[4];
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__batch_read(ir, node, false);
    if (code != OH_NN_SUCCESS) return code;
    if (in->dims[0] % (block[0] * block[1]) != 0)
        return nnrt__movement_bad(ir, node, "the batch cannot be divided by the block");
    dims[0] = in->dims[0] / (block[0] * block[1]);
    dims[1] = in->dims[1] * block[0] - edges[0] - edges[1];
    dims[2] = in->dims[2] * block[1] - edges[2] - edges[3];
    dims[3] = in->dims[3];
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

/* The whole image [n, h * bh, w * bw, c] against the batches [bh, bw, n, h, w, c]. */
NNRT__FN void nnrt__batch_box(const int32_t *small, const int64_t *block, bool to_batch, nnrt__movement_box *box) {
    const int64_t n = small[0] / (block[0] * block[1]), h = small[1], w = small[2], c = small[3];
    const int64_t row = w * block[1] * c, image = h * block[0] * row;
    const int64_t counts[6] = {block[0], block[1], n, h, w, c};
    const int64_t batches[6] = {block[1] * n * h * w * c, n * h * w * c, h * w * c, w * c, c, 1};
    const int64_t whole[6] = {row, c, image, row * block[0], c * block[1], 1};
    uint32_t i;
    memset(box, 0, sizeof(*box));
    for (i = 0; i < 6; i++)
        nnrt__movement_loop(box, counts[i], to_batch ? whole[i] : batches[i], to_batch ? batches[i] : whole[i]);
}

/* By way of a padded image if there is padding. */
NNRT__FN OH_NN_ReturnCode nnrt__space_to_batch_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const int64_t *block = ((const nnrt__batch_spec *)node->spec)->block;
    const int64_t *edges = ((const nnrt__batch_spec *)node->spec)->edges;
    int64_t before[4];
    int32_t padded[4];
    uint32_t dst, table, src, image;
    nnrt__movement_box box;
    if (edges[0] + edges[1] + edges[2] + edges[3] == 0) {
        nnrt__batch_box(out->dims, block, true, &box);
        return nnrt__movement_lower_box(lower, node, 0, 0, &box);
    }
    memset(before, 0, sizeof(before));
    before[1] = edges[0];
    before[2] = edges[2];
    memcpy(padded, in->dims, sizeof(padded));
    padded[1] += (int32_t)(edges[0] + edges[1]);
    padded[2] += (int32_t)(edges[2] + edges[3]);
    table = nnrt__movement_table(lower, node, in, out);
    src = nnrt__lower_value(lower, node->inputs[0]);
    dst = nnrt__lower_value(lower, node->outputs[0]);
    image = nnrt__lower_temporary(lower, in->dtype, 4, padded);
    nnrt__movement_fill_number(lower, node, out, 0.0, image, out->count);
    nnrt__pad_box(4, in->dims, padded, before, &box);
    nnrt__movement_copy(lower, node, &box, in->dtype, src, image, table);
    nnrt__batch_box(out->dims, block, true, &box);
    nnrt__movement_copy(lower, node, &box, in->dtype, image, dst, NNRT__NONE);
    return lower->status;
}

/* By way of the whole image if there is a crop. */
NNRT__FN OH_NN_ReturnCode nnrt__batch_to_space_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const int64_t *block = ((const nnrt__batch_spec *)node->spec)->block;
    const int64_t *edges = ((const nnrt__batch_spec *)node->spec)->edges;
    int64_t strides[4], step = 1;
    int32_t whole[4];
    uint32_t dst, table, src, image, i;
    nnrt__movement_box box;
    nnrt__batch_box(in->dims, block, false, &box);
    if (edges[0] + edges[1] + edges[2] + edges[3] == 0) return nnrt__movement_lower_box(lower, node, 0, 0, &box);
    whole[0] = out->dims[0];
    whole[1] = (int32_t)(in->dims[1] * block[0]);
    whole[2] = (int32_t)(in->dims[2] * block[1]);
    whole[3] = out->dims[3];
    table = nnrt__movement_table(lower, node, in, out);
    src = nnrt__lower_value(lower, node->inputs[0]);
    dst = nnrt__lower_value(lower, node->outputs[0]);
    image = nnrt__lower_temporary(lower, in->dtype, 4, whole);
    nnrt__movement_copy(lower, node, &box, in->dtype, src, image, table);
    nnrt__movement_strides(4, whole, strides);
    memset(&box, 0, sizeof(box));
    box.src_offset = edges[0] * strides[1] + edges[2] * strides[2];
    for (i = 4; i-- > 0;) {
        nnrt__movement_loop(&box, out->dims[i], strides[i], step);
        step *= out->dims[i];
    }
    nnrt__movement_copy(lower, node, &box, in->dtype, image, dst, NNRT__NONE);
    return lower->status;
}

#endif /* NNRT_CPU_OPS_MOVEMENT_SPACE_H */
