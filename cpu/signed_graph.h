/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/signed_graph.h - what int8 has kernels for is computed in int8 where a model says uint8.   >>cpu_signed_graph

   A byte of uint8 less 128 is the byte of int8 with the same scale and a zero point that is 128 less, so an operator of
   uint8 is compiled as casts around one of int8: QUANT_DTYPE_CAST in front, which one operator takes from the one
   before it, and behind it, which the passes drop when nobody reads it.

   Weights of int8 have zero point 0, those of uint8 seldom 128: what is to be multiplied, q - zero point, has 9 bits.
   It is the sum of two or three int8, and the sum of their products is one product of so many copies of the input: of
   its channels, side by side, or, where each filter has channels of its own, of its rows, one below the other, with
   kernel, stride and padding so many times as high; where the kernel is dilated, with rows of zeros between. It costs
   as many times the products; weights whose zero point is 128, and others that fit 8 bits, cost no more than those of
   int8.

   Results are those of TensorFlow Lite's reference kernels, which compute uint8 as int8 but for the ties of averages.
   What is not as expected here (weights that are not constant, shapes that are not known) is left as it is, and
   refused by the operator. */
#ifndef NNRT_CPU_SIGNED_GRAPH_H
#define NNRT_CPU_SIGNED_GRAPH_H

#include "geometry_read.h"
#include "ir_build.h"

enum {
    NNRT__SIGNED_COPIES = 3,  /* at most: 255 = 127 + 127 + 1 */
    NNRT__SIGNED_TENSORS = 8, /* that a node adds */
    NNRT__SIGNED_NODES = 5,
    NNRT__SIGNED_LINKS = 24
};

/* Where the copies of the input lie. */
typedef enum nnrt__signed_way {
    NNRT__SIGNED_CHANNELS,       /* the last dimension of weights [out, kh, kw, in] */
    NNRT__SIGNED_COLUMNS,        /* of FULL_CONNECTION: behind each row of channels of weights [out, columns] */
    NNRT__SIGNED_INPUT_CHANNELS, /* of CONV2D_TRANSPOSE: the first of [in, kh, kw, out] */
    NNRT__SIGNED_ROWS,           /* convolutions in groups: kernel rows of [.., kh, kw, ..] */
    NNRT__SIGNED_PLAIN           /* no product: its operands become int8, and nothing else changes */
} nnrt__signed_way;

/* What one node needs while it is compiled. */
typedef struct nnrt__signed_node {
    int8_t *weights;
    size_t weights_size;
    double weights_scale;
    int32_t weights_zero, output_zero;
    int32_t input_zero[3]; /* of up to so many inputs that become int8 */
    int32_t weights_dims[4], apart_dims[5], copied_dims[5], rows_dims[4];
    int64_t axis, strides[2], dilation[2], pads[4];
    nnrt_param concat, params[NNRT__MAX_PARAMS];
} nnrt__signed_node;

/* What is compiled: the graph itself, or one that refers to its tensors. */
typedef struct nnrt__signed_graph {
    nnrt_graph graph;
    nnrt_tensor_info *tensors; /* NULL: nothing is uint8 */
    nnrt_node *nodes;
    uint32_t *links, *link;  /* operands of what changed, and the next free one */
    uint32_t *read_as;       /* per tensor of the graph: its int8 form, or NNRT__NONE */
    nnrt__signed_node *made; /* one for each node that changes */
    uint32_t made_count;
} nnrt__signed_graph;

NNRT__FN void nnrt__signed_graph_close(nnrt__signed_graph *g) {
    uint32_t i;
    for (i = 0; i < g->made_count; i++) nnrt__free(g->made[i].weights);
    nnrt__free(g->tensors);
    nnrt__free(g->nodes);
    nnrt__free(g->links);
    nnrt__free(g->read_as);
    nnrt__free(g->made);
}

/* ------------------------------------------------------------------------------------- which, and how */

NNRT__FN bool nnrt__signed_is_u8(const nnrt_tensor_info *tensor) {
    return tensor->dtype == OH_NN_UINT8 && tensor->quant.count == 1 && tensor->quant.zero_points[0] >= 0 &&
           tensor->quant.zero_points[0] <= 255;
}

/* Elements of a tensor whose dimensions are all known; 0: they are not. */
NNRT__FN size_t nnrt__signed_count(const nnrt_tensor_info *tensor) {
    size_t count = 1;
    uint32_t i;
    for (i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] < 1 || !nnrt__mul_size(count, (size_t)tensor->dims[i], &count)) return 0;
    return count;
}

/* Which of its two layouts transposed weights have: by the length of the bias, as cpu/ops_conv_transpose.h. */
NNRT__FN bool nnrt__signed_is_out_first(const nnrt_tensor_info *in, const nnrt_tensor_info *weights,
                                        const nnrt_tensor_info *bias) {
    return in->rank == 4 && weights->rank == 4 && (size_t)weights->dims[0] == nnrt__signed_count(bias) &&
           weights->dims[3] == in->dims[3];
}

/* Operators whose uint8 results in the reference are those of int8, and which have integer kernels. */
NNRT__FN bool nnrt__signed_is_plain(OH_NN_OperationType op) {
    return op == OH_NN_OPS_ADD || op == OH_NN_OPS_SUB || op == OH_NN_OPS_MUL || op == OH_NN_OPS_SQUARED_DIFFERENCE ||
           op == OH_NN_OPS_PRELU || op == OH_NN_OPS_AVG_POOL || op == OH_NN_OPS_MAX_POOL || op == OH_NN_OPS_MATMUL;
}

/* The same of reductions, whose second input is axes. */
NNRT__FN bool nnrt__signed_reduces(OH_NN_OperationType op) {
    return op == OH_NN_OPS_REDUCE_MEAN || op == OH_NN_OPS_REDUCE_SUM || op == OH_NN_OPS_REDUCE_MAX ||
           op == OH_NN_OPS_REDUCE_MIN || op == OH_NN_OPS_REDUCE_PROD;
}

/* Is node one that changes, and in which way? */
NNRT__FN bool nnrt__signed_takes(const nnrt_graph *graph, const nnrt_node *node, nnrt__signed_way *way) {
    const nnrt_tensor_info *in, *weights;
    uint32_t rank = 4, k;
    if (node->input_count < 1 || node->output_count != 1 || !nnrt__signed_is_u8(&graph->tensors[node->outputs[0]]))
        return false;
    in = &graph->tensors[node->inputs[0]];
    if (nnrt__signed_is_plain(node->op)) {
        *way = NNRT__SIGNED_PLAIN;
        for (k = 0; k < node->input_count && k < 3; k++)
            if (!nnrt__signed_is_u8(&graph->tensors[node->inputs[k]])) return false;
        return node->input_count <= 2;
    }
    if (nnrt__signed_reduces(node->op)) {
        *way = NNRT__SIGNED_PLAIN;
        return node->input_count == 2 && nnrt__signed_is_u8(in);
    }
    if (node->input_count < 2) return false;
    weights = &graph->tensors[node->inputs[1]];
    switch (node->op) {
    case OH_NN_OPS_CONV2D:
        *way = nnrt__param_int(node, OH_NN_CONV2D_GROUP, 1) == 1 ? NNRT__SIGNED_CHANNELS : NNRT__SIGNED_ROWS;
        break;
    case OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE: *way = NNRT__SIGNED_ROWS; break;
    case OH_NN_OPS_CONV2D_TRANSPOSE:
        if (node->input_count < 3 || nnrt__param_int(node, OH_NN_CONV2D_TRANSPOSE_GROUP, 1) != 1) return false;
        *way = nnrt__signed_is_out_first(in, weights, &graph->tensors[node->inputs[2]]) ? NNRT__SIGNED_CHANNELS
                                                                                        : NNRT__SIGNED_INPUT_CHANNELS;
        break;
    case OH_NN_OPS_FULL_CONNECTION:
        *way = NNRT__SIGNED_COLUMNS;
        rank = 2;
        break;
    default: return false;
    }
    if (!nnrt__signed_is_u8(in) || !nnrt__signed_is_u8(weights) || weights->data == NULL || weights->rank != rank ||
        weights->data_size != nnrt__signed_count(weights))
        return false;
    if (*way == NNRT__SIGNED_COLUMNS)
        return in->rank != 0 && in->dims[in->rank - 1] > 0 && weights->dims[1] % in->dims[in->rank - 1] == 0;
    return in->rank == 4 && in->dims[3] > 0 && (*way != NNRT__SIGNED_ROWS || nnrt__signed_count(in) != 0);
}

/* How many int8 a weight is the sum of. */
NNRT__FN int32_t nnrt__signed_copies(const nnrt_tensor_info *weights) {
    const uint8_t *w = (const uint8_t *)weights->data;
    const int32_t zero = weights->quant.zero_points[0];
    int32_t low = 0, high = 0;
    size_t i;
    for (i = 0; i < weights->data_size; i++) {
        if (w[i] - zero < low) low = w[i] - zero;
        if (w[i] - zero > high) high = w[i] - zero;
    }
    return low >= -128 && high <= 127 ? 1 : low >= -256 && high <= 254 ? 2 : 3;
}

/* --------------------------------------------------------------------------------------------- weights */

/* How the weights are laid out anew: groups of `rows` blocks of so many elements, each of which stands there once for
   every copy, and the next one `apart` times as many further. */
typedef struct nnrt__signed_layout {
    size_t block, rows, apart, copies;
} nnrt__signed_layout;

/* Blocks of a group in the new layout. */
NNRT__FN size_t nnrt__signed_height(const nnrt__signed_layout *layout) {
    return ((layout->rows - 1) * layout->apart + 1) * layout->copies;
}

NNRT__FN nnrt__signed_layout nnrt__signed_layout_of(const nnrt_tensor_info *in, const nnrt_tensor_info *weights,
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
    default: layout.block = weights->data_size;
    }
    return layout;
}

/* Copy j of a weight has of it what 8 bits hold of what the copies before it left. Zeros are between the rows. */
NNRT__FN OH_NN_ReturnCode nnrt__signed_weights(nnrt__signed_node *made, const nnrt_tensor_info *weights,
                                               const nnrt__signed_layout *layout) {
    const uint8_t *from = (const uint8_t *)weights->data;
    const int32_t zero = weights->quant.zero_points[0];
    const size_t block = layout->block, each = block * layout->rows, step = layout->apart * layout->copies;
    size_t size, group, row, i, j;
    if (!nnrt__mul_size(weights->data_size / layout->rows, nnrt__signed_height(layout), &size))
        return nnrt__fail_memory();
    made->weights = (int8_t *)nnrt__alloc_zero(size, 1);
    if (made->weights == NULL) return nnrt__fail_memory();
    made->weights_size = size;
    for (group = 0; group < weights->data_size / each; group++)
        for (row = 0; row < layout->rows; row++)
            for (i = 0; i < block; i++) {
                int8_t *to = made->weights + (group * nnrt__signed_height(layout) + row * step) * block + i;
                int32_t left = from[(group * layout->rows + row) * block + i] - zero;
                for (j = 0; j < layout->copies; j++) {
                    const int32_t part = left < -128 ? -128 : left > 127 ? 127 : left;
                    to[j * block] = (int8_t)part;
                    left -= part;
                }
            }
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------- tensors and nodes */

NNRT__FN uint32_t nnrt__signed_add_tensor(nnrt__signed_graph *g, uint32_t like, OH_NN_DataType dtype) {
    nnrt_tensor_info *tensor = &g->tensors[g->graph.tensor_count];
    *tensor = g->tensors[like];
    tensor->dtype = dtype;
    tensor->data = NULL;
    tensor->data_size = 0;
    return g->graph.tensor_count++;
}

/* The int8 form of tensor i; zero: room for its zero point. */
NNRT__FN uint32_t nnrt__signed_add_form(nnrt__signed_graph *g, uint32_t i, int32_t *zero) {
    const uint32_t form = nnrt__signed_add_tensor(g, i, OH_NN_INT8);
    *zero = g->tensors[i].quant.zero_points[0] - 128;
    g->tensors[form].quant.zero_points = zero;
    return form;
}

/* A node of up to three inputs and one output. */
NNRT__FN nnrt_node *nnrt__signed_add_node(nnrt__signed_graph *g, OH_NN_OperationType op, uint32_t a, uint32_t b,
                                          uint32_t c, uint32_t output) {
    nnrt_node *node = &g->nodes[g->graph.node_count++];
    memset(node, 0, sizeof(*node));
    node->op = op;
    node->inputs = g->link;
    *g->link++ = a;
    if (b != NNRT__NONE) *g->link++ = b;
    if (c != NNRT__NONE) *g->link++ = c;
    node->input_count = (uint32_t)(g->link - node->inputs);
    node->outputs = g->link;
    *g->link++ = output;
    node->output_count = 1;
    return node;
}

NNRT__FN void nnrt__signed_add_cast(nnrt__signed_graph *g, uint32_t from, uint32_t to) {
    static const int64_t u8 = (int64_t)OH_NN_UINT8, s8 = (int64_t)OH_NN_INT8;
    static const nnrt_param to_s8[2] = {{OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_INT64, 1, &u8},
                                        {OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_INT64, 1, &s8}};
    static const nnrt_param to_u8[2] = {{OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_INT64, 1, &s8},
                                        {OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_INT64, 1, &u8}};
    nnrt_node *cast = nnrt__signed_add_node(g, OH_NN_OPS_QUANT_DTYPE_CAST, from, NNRT__NONE, NNRT__NONE, to);
    cast->params = g->tensors[to].dtype == OH_NN_INT8 ? to_s8 : to_u8;
    cast->param_count = 2;
}

/* `copies` of tensor i, which is int8, along an axis; dims: of the result. */
NNRT__FN uint32_t nnrt__signed_add_copies(nnrt__signed_graph *g, nnrt__signed_node *made, uint32_t i, int32_t copies,
                                          uint32_t axis, const int32_t *dims) {
    const uint32_t to = nnrt__signed_add_tensor(g, i, OH_NN_INT8);
    nnrt_node *concat = nnrt__signed_add_node(g, OH_NN_OPS_CONCAT, i, i, copies > 2 ? i : NNRT__NONE, to);
    g->tensors[to].dims = dims;
    made->axis = (int64_t)axis;
    made->concat.type = OH_NN_CONCAT_AXIS;
    made->concat.dtype = OH_NN_INT64;
    made->concat.count = 1;
    made->concat.data = &made->axis;
    concat->params = &made->concat;
    concat->param_count = 1;
    return to;
}

/* Tensor i with other dimensions. */
NNRT__FN uint32_t nnrt__signed_add_reshape(nnrt__signed_graph *g, uint32_t i, uint32_t rank, const int32_t *dims) {
    static const int32_t ranks[6] = {0, 1, 2, 3, 4, 5};
    const uint32_t to = nnrt__signed_add_tensor(g, i, OH_NN_INT8);
    uint32_t shape;
    g->tensors[to].rank = rank;
    g->tensors[to].dims = dims;
    shape = nnrt__signed_add_tensor(g, i, OH_NN_INT32);
    g->tensors[shape].rank = 1;
    g->tensors[shape].dims = &ranks[rank];
    g->tensors[shape].data = dims;
    g->tensors[shape].data_size = rank * sizeof(*dims);
    memset(&g->tensors[shape].quant, 0, sizeof(g->tensors[shape].quant));
    (void)nnrt__signed_add_node(g, OH_NN_OPS_RESHAPE, i, shape, NNRT__NONE, to);
    return to;
}

/* ------------------------------------------------------------------------------------------ rows */

/* A node whose rows are so many times as many: parameters with strides, dilations and padding of their own. *dilation:
   rows of the input from one row of the kernel to the next, which zeros make up for. Returns false when they cannot
   be. */
NNRT__FN bool nnrt__signed_rows_params(nnrt__signed_node *made, const nnrt_node *source, const nnrt_tensor_info *in,
                                       const nnrt_tensor_info *weights, int32_t copies, nnrt_node *node,
                                       int32_t *dilation) {
    static const nnrt__geometry_params types[2] = {
        {OH_NN_CONV2D_STRIDES, OH_NN_CONV2D_DILATION, OH_NN_CONV2D_PAD_MODE, OH_NN_CONV2D_PAD},
        {OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION,
         OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD}};
    const nnrt__geometry_params *type = &types[source->op == OH_NN_OPS_CONV2D ? 0 : 1];
    nnrt__conv_window window;
    nnrt__geometry geometry;
    int32_t out_h = 0, out_w = 0;
    int64_t below, right;
    uint32_t i, count = 0;
    memset(&geometry, 0, sizeof(geometry));
    geometry.kernel_h = weights->dims[1];
    geometry.kernel_w = weights->dims[2];
    if (nnrt__conv_window_read(source, type, &window) != NULL ||
        nnrt__geometry_conv(&window, NULL, in->dims[1], in->dims[2], &geometry, &out_h, &out_w) != NULL)
        return false;
    *dilation = geometry.dilation_h;
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
    for (i = 0; i < source->param_count; i++) {
        const OH_NN_TensorType t = source->params[i].type;
        if (t != type->strides && t != type->dilation && t != type->pad_mode && t != type->pad)
            made->params[count++] = source->params[i];
    }
    for (i = 0; i < 3; i++) {
        nnrt_param *param = &made->params[count++];
        param->type = i == 0 ? type->strides : i == 1 ? type->dilation : type->pad;
        param->dtype = OH_NN_INT64;
        param->count = i == 2 ? 4 : 2;
        param->data = i == 0 ? made->strides : i == 1 ? made->dilation : made->pads;
    }
    node->params = made->params;
    node->param_count = count;
    return true;
}

/* [n, h, w, c] -> [n, h, copies, w, c] -> [n, h * copies, w, c]: renamed, copied by rows, renamed. */
NNRT__FN uint32_t nnrt__signed_rows(nnrt__signed_graph *g, nnrt__signed_node *made, uint32_t i, int32_t copies) {
    const int32_t *dims = g->tensors[i].dims;
    uint32_t apart, copied;
    made->apart_dims[0] = made->copied_dims[0] = made->rows_dims[0] = dims[0];
    made->apart_dims[1] = made->copied_dims[1] = dims[1];
    made->apart_dims[2] = 1;
    made->copied_dims[2] = copies;
    made->apart_dims[3] = made->copied_dims[3] = made->rows_dims[2] = dims[2];
    made->apart_dims[4] = made->copied_dims[4] = made->rows_dims[3] = dims[3];
    made->rows_dims[1] = dims[1] * copies;
    apart = nnrt__signed_add_reshape(g, i, 5, made->apart_dims);
    copied = nnrt__signed_add_copies(g, made, apart, copies, 2, made->copied_dims);
    return nnrt__signed_add_reshape(g, copied, 4, made->rows_dims);
}

/* Channels side by side. */
NNRT__FN uint32_t nnrt__signed_channels(nnrt__signed_graph *g, nnrt__signed_node *made, uint32_t i, int32_t copies) {
    const uint32_t last = g->tensors[i].rank - 1;
    int32_t *dims = made->copied_dims;
    memcpy(dims, g->tensors[i].dims, (last + 1) * sizeof(*dims));
    dims[last] *= copies;
    return nnrt__signed_add_copies(g, made, i, copies, last, dims);
}

/* ----------------------------------------------------------------------------------------- the graph */

/* The int8 form that tensor i is read as; zero: room for its zero point if it is the first reader's. */
NNRT__FN uint32_t nnrt__signed_read(nnrt__signed_graph *g, uint32_t i, int32_t *zero) {
    if (g->read_as[i] == NNRT__NONE) {
        g->read_as[i] = nnrt__signed_add_form(g, i, zero);
        nnrt__signed_add_cast(g, i, g->read_as[i]);
    }
    return g->read_as[i];
}

/* Gives node these inputs, count of them, and an int8 form of its output, which is cast back. */
NNRT__FN void nnrt__signed_link(nnrt__signed_graph *g, nnrt__signed_node *made, nnrt_node *node,
                                const uint32_t *inputs) {
    const uint32_t output = node->outputs[0], form = nnrt__signed_add_form(g, output, &made->output_zero);
    memcpy(g->link, inputs, node->input_count * sizeof(*inputs));
    node->inputs = g->link;
    g->link += node->input_count;
    node->outputs = g->link;
    *g->link++ = form;
    if (g->read_as[output] == NNRT__NONE) g->read_as[output] = form; /* else a reader was looked at before */
    nnrt__signed_add_cast(g, form, output);
}

/* A node of NNRT__SIGNED_PLAIN. */
NNRT__FN void nnrt__signed_take_plain(nnrt__signed_graph *g, nnrt_node *node) {
    static const uint8_t yes = 1;
    nnrt__signed_node *made = &g->made[g->made_count++];
    uint32_t inputs[3], k;
    for (k = 0; k < node->input_count; k++)
        inputs[k] = k == 0 || !nnrt__signed_reduces(node->op)
                        ? nnrt__signed_read(g, node->inputs[k], &made->input_zero[k])
                        : node->inputs[k];
    if (node->op == OH_NN_OPS_AVG_POOL && node->param_count < NNRT__MAX_PARAMS) {
        memcpy(made->params, node->params, node->param_count * sizeof(made->params[0]));
        made->params[node->param_count].type = NNRT__TENSOR_TFLITE; /* averages of uint8 */
        made->params[node->param_count].dtype = OH_NN_BOOL;
        made->params[node->param_count].count = 1;
        made->params[node->param_count].data = &yes;
        node->params = made->params;
        node->param_count++;
    }
    nnrt__signed_link(g, made, node, inputs);
}

/* The dimension of the weights that has the copies. */
NNRT__FN uint32_t nnrt__signed_axis(nnrt__signed_way way) {
    static const uint8_t axes[4] = {3, 1, 0, 1};
    return axes[way];
}

/* The tensor of the weights as int8, which have been laid out anew. */
NNRT__FN uint32_t nnrt__signed_add_weights(nnrt__signed_graph *g, nnrt__signed_node *made, uint32_t weights,
                                           double in_scale, nnrt__signed_way way) {
    const uint32_t axis = nnrt__signed_axis(way), to = nnrt__signed_add_tensor(g, weights, OH_NN_INT8);
    const nnrt_tensor_info *from = &g->tensors[weights];
    nnrt_tensor_info *tensor = &g->tensors[to];
    memcpy(made->weights_dims, from->dims, from->rank * sizeof(made->weights_dims[0]));
    made->weights_dims[axis] =
        (int32_t)(made->weights_size / (from->data_size / (size_t)from->dims[axis])); /* a copy at least */
    tensor->dims = made->weights_dims;
    tensor->data = made->weights;
    tensor->data_size = made->weights_size;
    tensor->quant.zero_points = &made->weights_zero; /* 0 */
    if (way != NNRT__SIGNED_COLUMNS) {
        /* TensorFlow Lite multiplies the scales of uint8 convolutions in float, those of int8 ones in double */
        const float product = (float)in_scale * (float)from->quant.scales[0];
        made->weights_scale = (double)product / in_scale;
        tensor->quant.scales = &made->weights_scale;
    }
    return to;
}

/* Rewrites a product. One that cannot be in the end stays as it was. */
NNRT__FN OH_NN_ReturnCode nnrt__signed_take_product(nnrt__signed_graph *g, nnrt_node *node, nnrt__signed_way way) {
    const uint32_t in = node->inputs[0], weights = node->inputs[1];
    const nnrt_tensor_info *from = &g->tensors[weights];
    const int32_t copies = nnrt__signed_copies(from);
    const uint32_t axis = nnrt__signed_axis(way);
    nnrt__signed_node *made = &g->made[g->made_count];
    nnrt__signed_layout layout;
    uint32_t inputs[4];
    int32_t dilation = 1;
    OH_NN_ReturnCode code;
    if (node->input_count > 4) return OH_NN_SUCCESS;
    if (way == NNRT__SIGNED_ROWS && copies > 1) {
        if (g->tensors[in].dims[1] > INT32_MAX / copies ||
            !nnrt__signed_rows_params(made, node, &g->tensors[in], from, copies, node, &dilation))
            return OH_NN_SUCCESS;
    } else if (copies > 1 && (g->tensors[in].rank > NNRT__COUNT_OF(made->copied_dims) ||
                              g->tensors[in].dims[g->tensors[in].rank - 1] > INT32_MAX / copies)) {
        return OH_NN_SUCCESS;
    }
    layout = nnrt__signed_layout_of(&g->tensors[in], from, way, copies, dilation);
    if ((uint64_t)nnrt__signed_height(&layout) * (uint64_t)from->dims[axis] > INT32_MAX) return OH_NN_SUCCESS;
    code = nnrt__signed_weights(made, from, &layout);
    if (code != OH_NN_SUCCESS) return code;
    g->made_count++;
    inputs[0] = nnrt__signed_read(g, in, &made->input_zero[0]);
    if (copies > 1)
        inputs[0] = way == NNRT__SIGNED_ROWS ? nnrt__signed_rows(g, made, inputs[0], copies)
                                             : nnrt__signed_channels(g, made, inputs[0], copies);
    inputs[1] = nnrt__signed_add_weights(g, made, weights, g->tensors[in].quant.scales[0], way);
    inputs[2] = node->input_count > 2 ? node->inputs[2] : NNRT__NONE;
    inputs[3] = node->input_count > 3 ? node->inputs[3] : NNRT__NONE; /* the shape of a transposed convolution */
    nnrt__signed_link(g, made, node, inputs);
    return OH_NN_SUCCESS;
}

/* To be closed after OH_NN_SUCCESS only; graph has to live as long. */
NNRT__FN OH_NN_ReturnCode nnrt__signed_graph_open(nnrt__signed_graph *g, const nnrt_graph *graph) {
    nnrt__signed_way way = NNRT__SIGNED_CHANNELS;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t nodes = 0, links = 0;
    uint32_t i;
    memset(g, 0, sizeof(*g));
    g->graph = *graph;
    /* Without casts in the program nothing here is. */
    if (!nnrt__op_is_chosen(OH_NN_OPS_QUANT_DTYPE_CAST) || graph->node_count > NNRT__IR_MAX_NODES ||
        graph->tensor_count > NNRT__IR_MAX_VALUES)
        return OH_NN_SUCCESS;
    for (i = 0; i < graph->node_count; i++) {
        if (!nnrt__signed_takes(graph, &graph->nodes[i], &way)) continue;
        nodes++;
        links += NNRT__SIGNED_LINKS + graph->nodes[i].input_count;
    }
    if (nodes == 0) return OH_NN_SUCCESS;
    g->tensors = (nnrt_tensor_info *)nnrt__alloc_zero(graph->tensor_count + nodes * NNRT__SIGNED_TENSORS,
                                                      sizeof(nnrt_tensor_info));
    g->nodes = (nnrt_node *)nnrt__alloc_zero(graph->node_count + nodes * NNRT__SIGNED_NODES, sizeof(nnrt_node));
    g->links = g->link = (uint32_t *)nnrt__alloc_zero(links, sizeof(uint32_t));
    g->read_as = (uint32_t *)nnrt__alloc_zero(graph->tensor_count, sizeof(uint32_t));
    g->made = (nnrt__signed_node *)nnrt__alloc_zero(nodes, sizeof(nnrt__signed_node));
    if (g->tensors == NULL || g->nodes == NULL || g->links == NULL || g->read_as == NULL || g->made == NULL)
        code = nnrt__fail_memory();
    for (i = 0; code == OH_NN_SUCCESS && i < graph->tensor_count; i++) {
        g->tensors[i] = graph->tensors[i];
        g->read_as[i] = NNRT__NONE;
    }
    for (i = 0; code == OH_NN_SUCCESS && i < graph->node_count; i++) g->nodes[i] = graph->nodes[i];
    for (i = 0; code == OH_NN_SUCCESS && i < graph->node_count; i++)
        if (nnrt__signed_takes(graph, &graph->nodes[i], &way)) {
            if (way == NNRT__SIGNED_PLAIN) nnrt__signed_take_plain(g, &g->nodes[i]);
            else code = nnrt__signed_take_product(g, &g->nodes[i], way);
        }
    if (code != OH_NN_SUCCESS) {
        nnrt__signed_graph_close(g);
        return code;
    }
    g->graph.tensors = g->tensors;
    g->graph.nodes = g->nodes;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_SIGNED_GRAPH_H */
