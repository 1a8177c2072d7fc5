/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/rewrite_uint8.h - computes uint8 operators in int8, which has the kernels.   >>cpu_rewrite_uint8

   A uint8 byte minus 128 is the int8 byte with the same scale and a zero point 128 lower. So a uint8 operator becomes
   an int8 one between QUANT_DTYPE_CASTs: the one in front is shared with the operator before it, and the passes drop
   the one behind if nothing reads it.

   int8 weights have zero point 0, but those of uint8 seldom have 128: the factor, q - zero point, has 9 bits. For
   convolutions of one group and full connections the weights are q - 128 and keep a zero point, for which the step
   takes the sum of each row (cpu/steps_conv.h): the work of int8 weights, and the sums. For all else, and beside an
   accelerator, the factor is the sum of two or three int8 numbers, and the sum of their products is one product with
   that many copies of the input. Its channels are copied side by side or, if each filter has channels of its own, its
   rows one below the other, with kernel, stride and padding that many times as high (and rows of zeros between if the
   kernel is dilated). That multiplies the work by the number of copies; weights that fit 8 bits, as with zero point
   128, cost no more than int8 weights.

   Results are those of TensorFlow Lite's reference kernels, which compute uint8 as int8 except for ties of averages.
   Anything unexpected (weights that are not constant) is left alone, and the operator refuses it. */
#ifndef NNRT_CPU_REWRITE_UINT8_H
#define NNRT_CPU_REWRITE_UINT8_H

#include "geometry_read.h"
#include "ir_build.h"

enum {
    NNRT__SIGNED_COPIES = 3,  /* at most: 255 = 127 + 127 + 1 */
    NNRT__SIGNED_VALUES = 10, /* added for one operator: forms of three operands, weights, two shapes, four others */
    NNRT__SIGNED_NODES = 7
};
/* IR memory for one operator. */
#define NNRT__SIGNED_BYTES                                                   \
    (NNRT__SIGNED_NODES * NNRT__IR_NODE_BYTES(3) + 3 * NNRT__IR_CAST_BYTES + \
     (NNRT__MAX_PARAMS + 1) * sizeof(nnrt_param) + 64 * sizeof(int64_t))

/* Where the copies of the input go. */
typedef enum nnrt__signed_way {
    NNRT__SIGNED_CHANNELS,       /* the last dimension of weights [out, kh, kw, in] */
    NNRT__SIGNED_COLUMNS,        /* of FULL_CONNECTION: after each row of channels of weights [out, columns] */
    NNRT__SIGNED_INPUT_CHANNELS, /* of CONV2D_TRANSPOSE: the first of [in, kh, kw, out] */
    NNRT__SIGNED_ROWS,           /* convolutions in groups: kernel rows of [.., kh, kw, ..] */
    NNRT__SIGNED_PLAIN,          /* no product: only its operands change, to int8 */
    NNRT__SIGNED_REDUCTION,      /* the same, first operand only; the second is axes */
    NNRT__SIGNED_NOT
} nnrt__signed_way;

/* ------------------------------------------------------------------------------------- which, and how */

/* The way of an operator, as far as its type decides it. Those that are not products give the same results for uint8 as
   for int8 in the reference. */
NNRT__FN nnrt__signed_way nnrt__signed_way_of(OH_NN_OperationType op) {
    static const struct {
        uint8_t op, way;
    } rows[] = {{OH_NN_OPS_CONV2D, NNRT__SIGNED_CHANNELS},
                {OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, NNRT__SIGNED_ROWS},
                {OH_NN_OPS_CONV2D_TRANSPOSE, NNRT__SIGNED_CHANNELS},
                {OH_NN_OPS_FULL_CONNECTION, NNRT__SIGNED_COLUMNS},
                {OH_NN_OPS_ADD, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_SUB, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_MUL, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_SQUARED_DIFFERENCE, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_PRELU, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_AVG_POOL, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_MAX_POOL, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_MATMUL, NNRT__SIGNED_PLAIN},
                {OH_NN_OPS_REDUCE_MEAN, NNRT__SIGNED_REDUCTION},
                {OH_NN_OPS_REDUCE_SUM, NNRT__SIGNED_REDUCTION},
                {OH_NN_OPS_REDUCE_MAX, NNRT__SIGNED_REDUCTION},
                {OH_NN_OPS_REDUCE_MIN, NNRT__SIGNED_REDUCTION},
                {OH_NN_OPS_REDUCE_PROD, NNRT__SIGNED_REDUCTION}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        if ((OH_NN_OperationType)rows[i].op == op) return (nnrt__signed_way)rows[i].way;
    return NNRT__SIGNED_NOT;
}

NNRT__FN bool nnrt__signed_is_u8(const nnrt__ir_value *value) {
    return value->dtype == OH_NN_UINT8 && value->quant.count == 1 && value->quant.zero_points[0] >= 0 &&
           value->quant.zero_points[0] <= 255;
}

/* A product of constant weights. Transposed weights have one of two layouts, told apart by the length of the bias
   (cpu/ops_conv_transpose.h). */
NNRT__FN nnrt__signed_way nnrt__signed_product_way(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   nnrt__signed_way way) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    if (!nnrt__signed_is_u8(in) || !nnrt__signed_is_u8(weights) || weights->data == NULL) return NNRT__SIGNED_NOT;
    if (way == NNRT__SIGNED_COLUMNS)
        return weights->rank == 2 && in->rank != 0 && weights->dims[1] % in->dims[in->rank - 1] == 0 ? way
                                                                                                     : NNRT__SIGNED_NOT;
    if (weights->rank != 4 || in->rank != 4) return NNRT__SIGNED_NOT;
    if (node->op == OH_NN_OPS_CONV2D && nnrt__ir_int(node, OH_NN_CONV2D_GROUP, 1) != 1) return NNRT__SIGNED_ROWS;
    if (node->op == OH_NN_OPS_CONV2D_TRANSPOSE) {
        if (node->input_count < 3 || nnrt__ir_int(node, OH_NN_CONV2D_TRANSPOSE_GROUP, 1) != 1) return NNRT__SIGNED_NOT;
        return (size_t)weights->dims[0] == nnrt__ir_in(ir, node, 2)->count && weights->dims[3] == in->dims[3]
                   ? way
                   : NNRT__SIGNED_INPUT_CHANNELS;
    }
    return way;
}

/* The way in which node changes. The shapes of its inputs are known. */
NNRT__FN nnrt__signed_way nnrt__signed_takes(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__signed_way way = nnrt__signed_way_of(node->op);
    uint32_t k, bytes = 0;
    if (way == NNRT__SIGNED_NOT || node->input_count < 1 || node->output_count != 1 ||
        !nnrt__signed_is_u8(nnrt__ir_out(ir, node, 0)))
        return NNRT__SIGNED_NOT;
    if (way < NNRT__SIGNED_PLAIN)
        return node->input_count >= 2 && node->input_count <= 4 ? nnrt__signed_product_way(ir, node, way)
                                                                : NNRT__SIGNED_NOT;
    for (k = 0; k < node->input_count; k++) bytes += nnrt__signed_is_u8(nnrt__ir_in(ir, node, k)) ? 1 : 0;
    if (way == NNRT__SIGNED_REDUCTION)
        return node->input_count == 2 && nnrt__signed_is_u8(nnrt__ir_in(ir, node, 0)) ? way : NNRT__SIGNED_NOT;
    return node->input_count <= 2 && bytes == node->input_count ? way : NNRT__SIGNED_NOT;
}

/* How many int8 numbers make up a weight. */
NNRT__FN int32_t nnrt__signed_copies(const nnrt__ir_value *weights) {
    const uint8_t *w = (const uint8_t *)weights->data;
    const int32_t zero = weights->quant.zero_points[0];
    int32_t low = 0, high = 0;
    size_t i;
    for (i = 0; i < weights->size; i++) {
        if (w[i] - zero < low) low = w[i] - zero;
        if (w[i] - zero > high) high = w[i] - zero;
    }
    return low >= -128 && high <= 127 ? 1 : low >= -256 && high <= 254 ? 2 : 3;
}

/* --------------------------------------------------------------------------------------------- weights */

/* The new layout of the weights: groups of `rows` blocks of elements, each repeated once per copy, with `apart` times
   that many from one block to the next. */
typedef struct nnrt__signed_layout {
    size_t block, rows, apart, copies;
} nnrt__signed_layout;

/* Blocks of a group in the new layout. */
NNRT__FN size_t nnrt__signed_height(const nnrt__signed_layout *layout) {
    return ((layout->rows - 1) * layout->apart + 1) * layout->copies;
}

NNRT__FN nnrt__signed_layout nnrt__signed_layout_of(const nnrt__ir_value *in, const nnrt__ir_value *weights,
                                                    nnrt__signed_way way, int32_t copies, int32_t dilation) {
    nnrt__signed_layout layout = {0, 1, 1, 0};
    layout.copies = (size_t)copies;
    switch (way) {
    case NNRT__SIGNED_CHANNELS: layout.block = (size_t)weights->dims[3]; break;
    case NNRT__SIGNED_COLUMNS: layout.block = (size_t)in->dims[in->rank - 1]; break;
    case NNRT__SIGNED_ROWS:
        layout.block = (size_t)weights->dims[2] * (size_t)weights->dims[3];
        layout.rows = (size_t)weights->dims[1];
        layout.apart = (size_t)dilation;
        break;
    default: layout.block = weights->size;
    }
    return layout;
}

/* Copy j of a weight minus `zero` takes as much of the remainder as 8 bits hold. Zeros go between the rows. */
NNRT__FN OH_NN_ReturnCode nnrt__signed_weights(const nnrt__ir_value *weights, const nnrt__signed_layout *layout,
                                               int32_t zero, int8_t **made, size_t *size) {
    const uint8_t *from = (const uint8_t *)weights->data;
    const size_t block = layout->block, each = block * layout->rows, step = layout->apart * layout->copies;
    size_t group, row, i, j;
    if (!nnrt__mul_size(weights->size / layout->rows, nnrt__signed_height(layout), size)) return nnrt__fail_memory();
    *made = (int8_t *)nnrt__alloc_zero(*size, 1);
    if (*made == NULL) return nnrt__fail_memory();
    for (group = 0; group < weights->size / each; group++)
        for (row = 0; row < layout->rows; row++)
            for (i = 0; i < block; i++) {
                int8_t *to = *made + (group * nnrt__signed_height(layout) + row * step) * block + i;
                int32_t left = from[(group * layout->rows + row) * block + i] - zero;
                for (j = 0; j < layout->copies; j++) {
                    const int32_t part = left < -128 ? -128 : left > 127 ? 127 : left;
                    to[j * block] = (int8_t)part;
                    left -= part;
                }
            }
    return OH_NN_SUCCESS;
}

/* The dimension of the weights along which they are copied. */
NNRT__FN uint32_t nnrt__signed_axis(nnrt__signed_way way) {
    static const uint8_t axes[4] = {3, 1, 0, 1};
    NNRT_ASSERT(way < NNRT__SIGNED_PLAIN);
    return axes[way];
}

/* Gives node i its weights in the new layout, as int8: data, of `size` bytes, now owned by the IR. zero: what had been
   taken from them. */
NNRT__FN uint32_t nnrt__signed_add_weights(nnrt__ir *ir, uint32_t i, nnrt__signed_way way, int32_t zero, int8_t *data,
                                           size_t size) {
    int32_t *left = (int32_t *)nnrt__ir_take(ir, 1, sizeof(int32_t));
    const uint32_t from = ir->nodes[i].inputs[1], to = nnrt__ir_add_value(ir, from, OH_NN_INT8);
    const uint32_t axis = nnrt__signed_axis(way);
    const double in_scale = ir->values[ir->nodes[i].inputs[0]].quant.scales[0];
    nnrt__ir_value *value = &ir->values[to];
    value->dims[axis] = (int32_t)(size / (ir->values[from].size / (size_t)value->dims[axis]));
    value->count = value->size = size;
    value->data = value->owned = data;
    value->known = true;
    *left = ir->values[from].quant.zero_points[0] - zero;
    value->quant.zero_points = left;
    value->shifted = *left != 0;
    if (way != NNRT__SIGNED_COLUMNS) {
        /* TensorFlow Lite multiplies the scales of uint8 convolutions in float, those of int8 ones in double */
        const float product = (float)in_scale * (float)ir->values[from].quant.scales[0];
        double *scale = (double *)nnrt__ir_take(ir, 1, sizeof(double));
        *scale = (double)product / in_scale;
        value->quant.scales = scale;
    }
    return to;
}

/* ------------------------------------------------------------------------------------- values and nodes */

/* The int8 form of a value; nothing computes it yet. */
NNRT__FN uint32_t nnrt__signed_add_form(nnrt__ir *ir, uint32_t value) {
    const uint32_t form = nnrt__ir_add_value(ir, value, OH_NN_INT8);
    int32_t *zero = (int32_t *)nnrt__ir_take(ir, 1, sizeof(int32_t));
    *zero = ir->values[value].quant.zero_points[0] - 128;
    ir->values[form].quant.zero_points = zero;
    ir->values[value].form = form;
    return form;
}

/* Makes node i read the int8 form of its input k. */
NNRT__FN void nnrt__signed_read(nnrt__ir *ir, uint32_t i, uint32_t k) {
    const uint32_t value = ir->nodes[i].inputs[k];
    if (ir->values[value].form == NNRT__NONE) {
        const uint32_t form = nnrt__signed_add_form(ir, value);
        nnrt__ir_add_cast(ir, i, ir->nodes[i].origin, value, form);
    }
    nnrt__ir_set_input(ir, i, k, ir->values[value].form);
}

/* Makes node i write the int8 form of its output, followed by a cast back. */
NNRT__FN void nnrt__signed_write(nnrt__ir *ir, uint32_t i) {
    const uint32_t value = ir->nodes[i].outputs[0], form = nnrt__signed_add_form(ir, value);
    nnrt__ir_set_output(ir, i, 0, form);
    nnrt__ir_add_cast(ir, ir->nodes[i].next, ir->nodes[i].origin, form, value);
}

NNRT__FN void nnrt__signed_param(nnrt_param *param, OH_NN_TensorType type, const int64_t *data, uint32_t count) {
    param->type = type;
    param->dtype = OH_NN_INT64;
    param->count = count;
    param->data = data;
}

/* `copies` of a value, which is int8, along an axis, for node i. */
NNRT__FN uint32_t nnrt__signed_copy(nnrt__ir *ir, uint32_t i, uint32_t value, int32_t copies, uint32_t axis) {
    const uint32_t inputs[NNRT__SIGNED_COPIES] = {value, value, value};
    const uint32_t to = nnrt__ir_add_value(ir, value, OH_NN_INT8);
    const uint32_t concat =
        nnrt__ir_add_node(ir, i, OH_NN_OPS_CONCAT, ir->nodes[i].origin, inputs, (uint32_t)copies, to);
    int64_t *along = (int64_t *)nnrt__ir_take(ir, 1, sizeof(int64_t));
    nnrt_param *param = (nnrt_param *)nnrt__ir_take(ir, 1, sizeof(nnrt_param));
    *along = (int64_t)axis;
    nnrt__signed_param(param, OH_NN_CONCAT_AXIS, along, 1);
    ir->nodes[concat].params = param;
    ir->nodes[concat].param_count = 1;
    ir->values[to].dims[axis] *= copies;
    return to;
}

/* A value with other dimensions, for node i. */
NNRT__FN uint32_t nnrt__signed_reshape(nnrt__ir *ir, uint32_t i, uint32_t value, uint32_t rank, const int32_t *dims) {
    const uint32_t to = nnrt__ir_add_value(ir, value, OH_NN_INT8);
    int32_t *shape = (int32_t *)nnrt__ir_take(ir, rank, sizeof(int32_t));
    uint32_t inputs[2];
    memcpy(shape, dims, rank * sizeof(*dims));
    memcpy(ir->values[to].dims, dims, rank * sizeof(*dims));
    ir->values[to].rank = rank;
    inputs[0] = value;
    inputs[1] = nnrt__ir_add_ints(ir, shape, rank);
    (void)nnrt__ir_add_node(ir, i, OH_NN_OPS_RESHAPE, ir->nodes[i].origin, inputs, 2, to);
    return to;
}

/* [n, h, w, c] -> [n, h, copies, w, c] -> [n, h * copies, w, c]: renamed, copied by rows, renamed. */
NNRT__FN uint32_t nnrt__signed_copy_rows(nnrt__ir *ir, uint32_t i, uint32_t value, int32_t copies) {
    const int32_t *dims = ir->values[value].dims;
    int32_t apart[5], rows[4];
    uint32_t copied;
    apart[0] = rows[0] = dims[0];
    apart[1] = dims[1];
    apart[2] = 1;
    apart[3] = rows[2] = dims[2];
    apart[4] = rows[3] = dims[3];
    rows[1] = dims[1] * copies;
    copied = nnrt__signed_copy(ir, i, nnrt__signed_reshape(ir, i, value, 5, apart), copies, 2);
    return nnrt__signed_reshape(ir, i, copied, 4, rows);
}

/* ---------------------------------------------------------------------------------------- operators */

/* New parameters of a convolution in groups whose rows are `copies` times as many. */
typedef struct nnrt__signed_window {
    const nnrt__geometry_params *types;
    int64_t strides[2], dilation[2], pads[4];
    int32_t row_dilation; /* input rows between kernel rows, made up for by zeros */
} nnrt__signed_window;

/* false: impossible. */
NNRT__FN bool nnrt__signed_window_of(const nnrt__ir *ir, const nnrt__ir_node *node, int32_t copies,
                                     nnrt__signed_window *made) {
    static const nnrt__geometry_params types[2] = {
        {OH_NN_CONV2D_STRIDES, OH_NN_CONV2D_DILATION, OH_NN_CONV2D_PAD_MODE, OH_NN_CONV2D_PAD},
        {OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION,
         OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD}};
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    nnrt__conv_window window;
    nnrt__geometry geometry;
    int32_t out_h = 0, out_w = 0;
    int64_t below, right;
    memset(&geometry, 0, sizeof(geometry));
    made->types = &types[node->op == OH_NN_OPS_CONV2D ? 0 : 1];
    geometry.kernel_h = weights->dims[1];
    geometry.kernel_w = weights->dims[2];
    if (in->dims[1] > INT32_MAX / copies || nnrt__conv_window_read(node, made->types, &window) != NULL ||
        nnrt__geometry_conv(&window, in->dims[1], in->dims[2], &geometry, &out_h, &out_w) != NULL)
        return false;
    below = (int64_t)(out_h - 1) * geometry.stride_h + (int64_t)(geometry.kernel_h - 1) * geometry.dilation_h + 1 -
            in->dims[1] - geometry.pad_top;
    right = (int64_t)(out_w - 1) * geometry.stride_w + (int64_t)(geometry.kernel_w - 1) * geometry.dilation_w + 1 -
            in->dims[2] - geometry.pad_left;
    made->strides[0] = (int64_t)geometry.stride_h * copies;
    made->strides[1] = geometry.stride_w;
    made->dilation[0] = 1;
    made->dilation[1] = geometry.dilation_w;
    made->pads[0] = (int64_t)geometry.pad_top * copies;
    made->pads[1] = below > 0 ? below * copies : 0;
    made->pads[2] = geometry.pad_left;
    made->pads[3] = right > 0 ? right : 0;
    made->row_dilation = geometry.dilation_h;
    return true;
}

/* Replaces the window parameters of node i by these. */
NNRT__FN void nnrt__signed_set_window(nnrt__ir *ir, uint32_t i, const nnrt__signed_window *window) {
    nnrt__signed_window *kept = (nnrt__signed_window *)nnrt__ir_take(ir, 1, sizeof(*kept));
    nnrt_param *params = (nnrt_param *)nnrt__ir_take(ir, NNRT__MAX_PARAMS, sizeof(nnrt_param));
    nnrt__ir_node *node = &ir->nodes[i];
    const nnrt__geometry_params *types = window->types;
    uint32_t count = 0, k;
    *kept = *window;
    for (k = 0; k < node->param_count && count + 3 < NNRT__MAX_PARAMS; k++) {
        const OH_NN_TensorType type = node->params[k].type;
        if (type != types->strides && type != types->dilation && type != types->pad_mode && type != types->pad)
            params[count++] = node->params[k];
    }
    nnrt__signed_param(&params[count++], types->strides, kept->strides, 2);
    nnrt__signed_param(&params[count++], types->dilation, kept->dilation, 2);
    nnrt__signed_param(&params[count++], types->pad, kept->pads, 4);
    node->params = params;
    node->param_count = count;
}

/* uint8 averages round ties differently. */
NNRT__FN void nnrt__signed_set_average(nnrt__ir *ir, uint32_t i) {
    static const uint8_t yes = 1;
    nnrt_param *params = (nnrt_param *)nnrt__ir_take(ir, NNRT__MAX_PARAMS, sizeof(nnrt_param));
    nnrt__ir_node *node = &ir->nodes[i];
    if (node->param_count >= NNRT__MAX_PARAMS) return;
    memcpy(params, node->params, node->param_count * sizeof(params[0]));
    params[node->param_count].type = NNRT__TENSOR_TFLITE;
    params[node->param_count].dtype = OH_NN_BOOL;
    params[node->param_count].count = 1;
    params[node->param_count].data = &yes;
    node->params = params;
    node->param_count++;
}

/* Rewrites a product; one that turns out impossible stays as it was. sums: weights may keep a zero point. */
NNRT__FN OH_NN_ReturnCode nnrt__signed_product(nnrt__ir *ir, uint32_t i, nnrt__signed_way way, bool sums,
                                               bool *changed) {
    const nnrt__ir_node *node = &ir->nodes[i];
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const bool keeps = sums && nnrt__signed_copies(weights) > 1 &&
                       (way == NNRT__SIGNED_COLUMNS || (way == NNRT__SIGNED_CHANNELS && node->op == OH_NN_OPS_CONV2D));
    const int32_t copies = keeps ? 1 : nnrt__signed_copies(weights);
    const int32_t zero = keeps ? 128 : weights->quant.zero_points[0];
    const bool by_rows = way == NNRT__SIGNED_ROWS && copies > 1;
    nnrt__signed_window window = {NULL, {0, 0}, {0, 0}, {0, 0, 0, 0}, 1};
    nnrt__signed_layout layout;
    OH_NN_ReturnCode code;
    int8_t *data = NULL;
    size_t size = 0;
    if (by_rows && !nnrt__signed_window_of(ir, node, copies, &window)) return OH_NN_SUCCESS;
    if (!by_rows && in->dims[in->rank - 1] > INT32_MAX / copies) return OH_NN_SUCCESS;
    layout = nnrt__signed_layout_of(in, weights, way, copies, window.row_dilation);
    if ((uint64_t)nnrt__signed_height(&layout) * (uint64_t)weights->dims[nnrt__signed_axis(way)] > INT32_MAX)
        return OH_NN_SUCCESS;
    code = nnrt__signed_weights(weights, &layout, zero, &data, &size);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__ir_set_input(ir, i, 1, nnrt__signed_add_weights(ir, i, way, zero, data, size));
    nnrt__signed_read(ir, i, 0);
    if (by_rows) {
        nnrt__signed_set_window(ir, i, &window);
        nnrt__ir_set_input(ir, i, 0, nnrt__signed_copy_rows(ir, i, ir->nodes[i].inputs[0], copies));
    } else if (copies > 1) {
        const uint32_t form = ir->nodes[i].inputs[0];
        nnrt__ir_set_input(ir, i, 0, nnrt__signed_copy(ir, i, form, copies, ir->values[form].rank - 1));
    }
    nnrt__signed_write(ir, i);
    *changed = true;
    return OH_NN_SUCCESS;
}

/* Rewrites node i, if it is a uint8 operator. The shapes of its inputs are known. sums: as above. */
NNRT__FN OH_NN_ReturnCode nnrt__rewrite_uint8(nnrt__ir *ir, uint32_t i, bool sums, bool *changed) {
    /* A program without casts has none of this. */
    const nnrt__signed_way way =
        nnrt__op_is_chosen(OH_NN_OPS_QUANT_DTYPE_CAST) ? nnrt__signed_takes(ir, &ir->nodes[i]) : NNRT__SIGNED_NOT;
    OH_NN_ReturnCode code;
    if (way == NNRT__SIGNED_NOT) return OH_NN_SUCCESS;
    code = nnrt__ir_reserve(ir, NNRT__SIGNED_VALUES, NNRT__SIGNED_NODES, NNRT__SIGNED_BYTES);
    if (code != OH_NN_SUCCESS) return code;
    if (way < NNRT__SIGNED_PLAIN) return nnrt__signed_product(ir, i, way, sums, changed);
    nnrt__signed_read(ir, i, 0);
    if (way == NNRT__SIGNED_PLAIN && ir->nodes[i].input_count == 2) nnrt__signed_read(ir, i, 1);
    if (ir->nodes[i].op == OH_NN_OPS_AVG_POOL) nnrt__signed_set_average(ir, i);
    nnrt__signed_write(ir, i);
    *changed = true;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_REWRITE_UINT8_H */
