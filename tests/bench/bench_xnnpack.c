/* SPDX-License-Identifier: Apache-2.0 */
/* bench_xnnpack.c - a .tflite model run by XNNPACK's subgraphs, for bench.py beside bench_nnrt.c.

       bench_xnnpack MODEL LEVEL ISA THREADS             for bench.py, see serve.h
       bench_xnnpack MODEL LEVEL ISA THREADS runs N      N runs more than one, for what counts instructions
       bench_xnnpack MODEL LEVEL ISA THREADS layers N    of each operator: the name of its output, nanoseconds
       bench_xnnpack MODEL LEVEL ISA THREADS start       for bench.py, but a run is a start: from the .tflite in memory
                                                         to a runtime that is set up, and all of it given back

   LEVEL is the most that XNNPACK may see of the processor: sse41, avx2, or vnni for all that it has; ISA is what nnrt
   calls the same. nnrt's reader takes the model apart; an operator that this release of XNNPACK lacks is run by nnrt's
   own kernels, which the first line tells. Float operators with int8 weights are run with the weights made float: older
   releases have no dynamic quantization. A start is the reader's work and XNNPACK's; what this program adds, aligned
   copies of the constants, is made before. Neither nnrt nor its tests need XNNPACK; it builds with Debian's of 2022 and
   with releases of 2026. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <cpuinfo.h>
#include <pthreadpool.h>
#include <xnnpack.h>

#include <math.h>

#include "serve.h"

#define MOST 1024 /* tensors and operators of a model */

/* Later releases have lost the flag: the input of a full connection is reshaped in front of it. */
#ifndef XNN_FLAG_TENSORFLOW_RESHAPE_2D
#define XNN_FLAG_TENSORFLOW_RESHAPE_2D 0
#endif
/* What earlier releases did unasked. */
#ifdef XNN_FLAG_KEEP_DIMS
#define KEEP_DIMS XNN_FLAG_KEEP_DIMS
#else
#define KEEP_DIMS 0
#endif

/* cpuinfo's own table of the processor, which XNNPACK chooses its kernels by. */
#if defined(__x86_64__) || defined(__i386__)
extern struct cpuinfo_x86_isa cpuinfo_isa;

static void limit(const char *level) {
    const bool avx2 = strcmp(level, "avx2") == 0;
    if (strcmp(level, "vnni") == 0) return;
    serve_need(avx2 || strcmp(level, "sse41") == 0, "the level is sse41, avx2 or vnni");
    cpuinfo_isa.avx512f = cpuinfo_isa.avx512cd = cpuinfo_isa.avx512dq = false;
    cpuinfo_isa.avx512bw = cpuinfo_isa.avx512vl = cpuinfo_isa.avx512vbmi = cpuinfo_isa.avx512vnni = false;
    cpuinfo_isa.gfni = false; /* which its kernels for AVX-VNNI want as well */
    if (avx2) return;
    cpuinfo_isa.avx = cpuinfo_isa.avx2 = cpuinfo_isa.fma3 = cpuinfo_isa.fma4 = cpuinfo_isa.f16c = cpuinfo_isa.xop =
        false;
}
#else
static void limit(const char *level) { (void)level; }
#endif

/* A row of operators that one of the two libraries runs. */
typedef struct piece {
    uint32_t first, last; /* operators */
    bool ours;            /* nnrt runs it */
    xnn_runtime_t runtime;
    void *prepared, *executor; /* nnrt's */
    nnrt_io inputs[8], outputs[8];
    size_t input_count, output_count;
} piece;

static const void *model;
static size_t model_size;
static nnrt__graph_store *store;
static const nnrt_graph *graph;
static void *buffers[MOST]; /* of tensors; NULL: inside a piece */
static piece pieces[MOST];
static uint32_t piece_count;
static pthreadpool_t pool;
static void *device; /* of nnrt's pieces */
static bool widened; /* int8 weights were made float */

/* Of each tensor that is constant, made when it is met first: its bytes, aligned as XNNPACK wants them, and scales. */
static struct {
    void *data;
    float *scales;
} constants[MOST];

static void *need(size_t size) {
    void *bytes = calloc(1, size + 64);
    serve_need(bytes != NULL, "out of memory");
    return bytes;
}

static size_t count_of(const nnrt_tensor_info *tensor) {
    size_t count = 1;
    uint32_t i;
    for (i = 0; i < tensor->rank; i++) count *= (size_t)tensor->dims[i];
    return count;
}

static bool produces(const piece *p, uint32_t tensor) {
    uint32_t n, i;
    for (n = p->first; n < p->last; n++)
        for (i = 0; i < graph->nodes[n].output_count; i++)
            if (graph->nodes[n].outputs[i] == tensor) return true;
    return false;
}

/* Does an operator in [first, last) read it? */
static bool is_read(uint32_t first, uint32_t last, uint32_t tensor) {
    uint32_t n, i;
    for (n = first; n < last; n++)
        for (i = 0; i < graph->nodes[n].input_count; i++)
            if (graph->nodes[n].inputs[i] == tensor) return true;
    return false;
}

static bool leaves(const piece *p, uint32_t tensor) {
    uint32_t i;
    for (i = 0; i < graph->output_count; i++)
        if (graph->outputs[i] == tensor) return true;
    return is_read(0, p->first, tensor) || is_read(p->last, graph->node_count, tensor);
}

/* ------------------------------------------------------------------------------------------- XNNPACK's values */

static enum xnn_status define(xnn_subgraph_t subgraph, const nnrt_tensor_info *tensor, enum xnn_datatype type,
                              const float *scales, size_t channel_axis, const void *data, uint32_t external,
                              uint32_t flags, uint32_t *id) {
    const bool by_channel = type == xnn_datatype_qcint8 || type == xnn_datatype_qcint32;
    size_t dims[XNN_MAX_TENSOR_DIMS], i;
    if (tensor->rank > XNN_MAX_TENSOR_DIMS) return xnn_status_unsupported_parameter;
    for (i = 0; i < tensor->rank; i++) dims[i] = (size_t)tensor->dims[i];
    if (type == xnn_datatype_fp32)
        return xnn_define_tensor_value(subgraph, type, tensor->rank, dims, data, external, flags, id);
    if (by_channel)
        return xnn_define_channelwise_quantized_tensor_value(subgraph, type, scales, tensor->rank, channel_axis, dims,
                                                             data, external, flags, id);
    return xnn_define_quantized_tensor_value(subgraph, type,
                                             tensor->quant.count != 0 ? tensor->quant.zero_points[0] : 0, scales[0],
                                             tensor->rank, dims, data, external, flags, id);
}

/* Made float, as the int8 values of a tensor are. */
static float *widen(const nnrt_tensor_info *tensor, size_t channel_axis) {
    const nnrt_quant *quant = &tensor->quant;
    const size_t count = count_of(tensor);
    const size_t inner = tensor->rank == 0 || channel_axis + 1 == tensor->rank ? 1 : count / (size_t)tensor->dims[0];
    float *wide = (float *)need(sizeof(float) * count);
    size_t i;
    for (i = 0; i < count; i++) {
        const size_t channel = quant->count == 1 ? 0 : i / inner % quant->count;
        wide[i] = (float)(quant->scales[channel] * (((const int8_t *)tensor->data)[i] - quant->zero_points[channel]));
    }
    widened = true;
    return wide;
}

/* other_scales: of a bias, the input's times the weights'; else none. */
static enum xnn_status define_constant(xnn_subgraph_t subgraph, const nnrt_tensor_info *tensor, size_t channel_axis,
                                       bool to_float, const double *other_scales, size_t other_count, uint32_t *id) {
    const nnrt_quant *quant = &tensor->quant;
    const size_t channels = other_count > quant->count ? other_count : quant->count,
                 number = (size_t)(tensor - graph->tensors);
    const bool is_float = tensor->dtype == OH_NN_FLOAT32, widens = to_float && !is_float;
    const bool is_byte = tensor->dtype == OH_NN_INT8 || tensor->dtype == OH_NN_UINT8;
    float *scales = constants[number].scales;
    size_t i;
    if (widens ? tensor->dtype != OH_NN_INT8 || quant->count == 0
               : !is_float && !is_byte && tensor->dtype != OH_NN_INT32)
        return xnn_status_unsupported_parameter;
    if (constants[number].data == NULL && widens) constants[number].data = widen(tensor, channel_axis);
    if (constants[number].data == NULL)
        constants[number].data = memcpy(need(tensor->data_size), tensor->data, tensor->data_size);
    if (is_float || widens)
        return define(subgraph, tensor, xnn_datatype_fp32, NULL, 0, constants[number].data, XNN_INVALID_VALUE_ID, 0,
                      id);
    if (scales == NULL) {
        scales = constants[number].scales = (float *)need(sizeof(float) * (channels + 1));
        for (i = 0; i < channels; i++)
            scales[i] = (float)(other_count != 0 ? other_scales[i] : quant->scales[quant->count == 1 ? 0 : i]);
    }
    if (tensor->dtype == OH_NN_UINT8)
        return define(subgraph, tensor, xnn_datatype_quint8, scales, channel_axis, constants[number].data,
                      XNN_INVALID_VALUE_ID, 0, id);
    if (tensor->dtype == OH_NN_INT8)
        return define(subgraph, tensor, channels > 1 ? xnn_datatype_qcint8 : xnn_datatype_qint8, scales, channel_axis,
                      constants[number].data, XNN_INVALID_VALUE_ID, 0, id);
    return define(subgraph, tensor, channels > 1 ? xnn_datatype_qcint32 : xnn_datatype_qint32, scales, 0,
                  constants[number].data, XNN_INVALID_VALUE_ID, 0, id);
}

/* What XNNPACK calls the type of a tensor that is computed; xnn_datatype_invalid: nothing. */
static enum xnn_datatype datatype_of(const nnrt_tensor_info *info) {
    switch ((int)info->dtype) {
    case OH_NN_FLOAT32: return xnn_datatype_fp32;
    case OH_NN_INT8: return xnn_datatype_qint8;
    case OH_NN_UINT8: return xnn_datatype_quint8;
    default: return xnn_datatype_invalid;
    }
}

/* The value of a tensor that is computed, made when it is met first; ids: [tensor]. */
static enum xnn_status define_computed(xnn_subgraph_t subgraph, const piece *p, uint32_t tensor, uint32_t *ids,
                                       uint32_t *id) {
    const nnrt_tensor_info *info = &graph->tensors[tensor];
    const float scale = info->quant.count != 0 ? (float)info->quant.scales[0] : 1.0f;
    uint32_t flags = 0, external = XNN_INVALID_VALUE_ID;
    enum xnn_status status;
    if (datatype_of(info) == xnn_datatype_invalid) return xnn_status_unsupported_parameter;
    if (!produces(p, tensor)) flags = XNN_VALUE_FLAG_EXTERNAL_INPUT;
    else if (leaves(p, tensor)) flags = XNN_VALUE_FLAG_EXTERNAL_OUTPUT;
    if (flags != 0) external = tensor;
    if (ids[tensor] != XNN_INVALID_VALUE_ID) {
        *id = ids[tensor];
        return xnn_status_success;
    }
    status = define(subgraph, info, datatype_of(info), &scale, 0, NULL, external, flags, id);
    ids[tensor] = *id;
    return status;
}

/* The value of an operand, which may be constant. */
static enum xnn_status define_operand(xnn_subgraph_t subgraph, const piece *p, uint32_t tensor, uint32_t *ids,
                                      uint32_t *id) {
    if (graph->tensors[tensor].data == NULL) return define_computed(subgraph, p, tensor, ids, id);
    return define_constant(subgraph, &graph->tensors[tensor], 0, false, NULL, 0, id);
}

/* ---------------------------------------------------------------------------------------- XNNPACK's operators */

static void bounds_of(const nnrt_node *node, OH_NN_TensorType type, float *low, float *high) {
    const int64_t fuse = nnrt__param_int(node, type, OH_NN_FUSED_NONE);
    *low = fuse == OH_NN_FUSED_NONE ? -INFINITY : 0.0f;
    *high = fuse == OH_NN_FUSED_RELU6 ? 6.0f : INFINITY;
}

static void pair_of(const nnrt_node *node, OH_NN_TensorType type, uint32_t pair[2]) {
    int64_t wide[2] = {1, 1};
    (void)nnrt__param_int_list(node, type, wide, 2);
    pair[0] = (uint32_t)wide[0];
    pair[1] = (uint32_t)wide[1];
}

/* pads: above, right, below, left, as XNNPACK orders them. */
typedef struct window {
    uint32_t strides[2], pads[4], flags;
} window;

static window window_of(const nnrt_node *node, OH_NN_TensorType strides, OH_NN_TensorType pad_mode,
                        OH_NN_TensorType pad) {
    int64_t pads[4] = {0, 0, 0, 0};
    window made;
    pair_of(node, strides, made.strides);
    made.flags = nnrt__param_int(node, pad_mode, 1) == 0 ? XNN_FLAG_TENSORFLOW_SAME_PADDING : 0;
    if (made.flags == 0) (void)nnrt__param_int_list(node, pad, pads, 4);
    made.pads[0] = (uint32_t)pads[0];
    made.pads[1] = (uint32_t)pads[3];
    made.pads[2] = (uint32_t)pads[1];
    made.pads[3] = (uint32_t)pads[2];
    return made;
}

/* Weights, and the bias, whose scales are those of the input times those of the weights. */
static enum xnn_status define_weights(xnn_subgraph_t subgraph, const nnrt_node *node, size_t channel_axis,
                                      uint32_t *weights, uint32_t *bias) {
    const nnrt_tensor_info *input = &graph->tensors[node->inputs[0]], *w = &graph->tensors[node->inputs[1]];
    double scales[4096];
    const bool to_float = input->dtype == OH_NN_FLOAT32;
    enum xnn_status status;
    uint32_t i;
    *bias = XNN_INVALID_VALUE_ID;
    if (w->data == NULL || w->quant.count > 4096) return xnn_status_unsupported_parameter;
    status = define_constant(subgraph, w, channel_axis, to_float, NULL, 0, weights);
    if (status != xnn_status_success || node->input_count < 3) return status;
    for (i = 0; i < w->quant.count && !to_float; i++) scales[i] = input->quant.scales[0] * w->quant.scales[i];
    return define_constant(subgraph, &graph->tensors[node->inputs[2]], 0, false, scales, to_float ? 0 : w->quant.count,
                           bias);
}

/* in, seen as rows of `columns` elements: a value of its own. */
static enum xnn_status define_rows(xnn_subgraph_t subgraph, const nnrt_tensor_info *input, size_t columns,
                                   uint32_t *in) {
    const float scale = input->quant.count != 0 ? (float)input->quant.scales[0] : 1.0f;
    const size_t dims[2] = {count_of(input) / columns, columns};
    const int32_t flat_dims[2] = {(int32_t)dims[0], (int32_t)columns};
    nnrt_tensor_info flat = *input;
    uint32_t rows;
    enum xnn_status status;
    flat.rank = 2;
    flat.dims = flat_dims;
    status = define(subgraph, &flat, datatype_of(input), &scale, 0, NULL, XNN_INVALID_VALUE_ID, 0, &rows);
    if (status == xnn_status_success) status = xnn_define_static_reshape(subgraph, 2, dims, *in, rows, 0);
    *in = rows;
    return status;
}

static enum xnn_status define_full_connection(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in,
                                              uint32_t out) {
    const nnrt_tensor_info *input = &graph->tensors[node->inputs[0]], *w = &graph->tensors[node->inputs[1]];
    const uint32_t flags = input->rank > 2 ? XNN_FLAG_TENSORFLOW_RESHAPE_2D : 0;
    uint32_t weights, bias;
    float low, high;
    enum xnn_status status = define_weights(subgraph, node, 0, &weights, &bias);
    bounds_of(node, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, &low, &high);
    if (status == xnn_status_success && input->rank > 2 && flags == 0)
        status = define_rows(subgraph, input, (size_t)w->dims[1], &in);
    if (status != xnn_status_success) return status;
    return xnn_define_fully_connected(subgraph, low, high, in, weights, bias, out, flags);
}

static enum xnn_status define_convolution(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in, uint32_t out) {
    const bool depthwise = node->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
    const nnrt_tensor_info *input = &graph->tensors[node->inputs[0]], *w = &graph->tensors[node->inputs[1]];
    const size_t channels = (size_t)input->dims[3], outputs = (size_t)graph->tensors[node->outputs[0]].dims[3];
    const uint32_t groups = (uint32_t)nnrt__param_int(node, OH_NN_CONV2D_GROUP, 1);
    const window by = depthwise ? window_of(node, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES,
                                            OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD)
                                : window_of(node, OH_NN_CONV2D_STRIDES, OH_NN_CONV2D_PAD_MODE, OH_NN_CONV2D_PAD);
    uint32_t dilations[2], weights, bias;
    enum xnn_status status = define_weights(subgraph, node, depthwise ? 3 : 0, &weights, &bias);
    float low, high;
    if (status != xnn_status_success) return status;
    pair_of(node, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION : OH_NN_CONV2D_DILATION, dilations);
    bounds_of(node, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE, &low,
              &high);
    if (depthwise)
        return xnn_define_depthwise_convolution_2d(
            subgraph, by.pads[0], by.pads[1], by.pads[2], by.pads[3], (uint32_t)w->dims[1], (uint32_t)w->dims[2],
            by.strides[0], by.strides[1], dilations[0], dilations[1], (uint32_t)(outputs / channels), channels, low,
            high, in, weights, bias, out, by.flags);
    return xnn_define_convolution_2d(subgraph, by.pads[0], by.pads[1], by.pads[2], by.pads[3], (uint32_t)w->dims[1],
                                     (uint32_t)w->dims[2], by.strides[0], by.strides[1], dilations[0], dilations[1],
                                     groups, channels / groups, outputs / groups, low, high, in, weights, bias, out,
                                     by.flags);
}

/* Weights [out, kh, kw, in], as a .tflite has them. */
static enum xnn_status define_transposed(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in, uint32_t out) {
    const nnrt_tensor_info *input = &graph->tensors[node->inputs[0]], *w = &graph->tensors[node->inputs[1]];
    const nnrt_tensor_info *output = &graph->tensors[node->outputs[0]];
    uint32_t strides[2], weights, bias, pads[2][2], adjusts[2], axis;
    enum xnn_status status;
    float low, high;
    if (w->dims[3] != input->dims[3] || w->dims[0] != output->dims[3]) return xnn_status_unsupported_parameter;
    status = define_weights(subgraph, node, 0, &weights, &bias);
    pair_of(node, OH_NN_CONV2D_TRANSPOSE_STRIDES, strides);
    for (axis = 0; axis < 2; axis++) {
        const int32_t over =
            (input->dims[axis + 1] - 1) * (int32_t)strides[axis] + w->dims[axis + 1] - output->dims[axis + 1];
        pads[axis][0] = over > 0 ? (uint32_t)over / 2 : 0;
        pads[axis][1] = over > 0 ? (uint32_t)over - pads[axis][0] : 0;
        adjusts[axis] = over < 0 ? (uint32_t)-over : 0;
    }
    bounds_of(node, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE, &low, &high);
    if (status != xnn_status_success) return status;
    return xnn_define_deconvolution_2d(subgraph, pads[0][0], pads[1][1], pads[0][1], pads[1][0], adjusts[0], adjusts[1],
                                       (uint32_t)w->dims[1], (uint32_t)w->dims[2], strides[0], strides[1], 1, 1, 1,
                                       (size_t)input->dims[3], (size_t)output->dims[3], low, high, in, weights, bias,
                                       out, 0);
}

static enum xnn_status define_pool(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in, uint32_t out) {
    const nnrt_tensor_info *input = &graph->tensors[node->inputs[0]];
    uint32_t kernel[2], strides[2];
    float low, high;
    pair_of(node, OH_NN_AVG_POOL_KERNEL_SIZE, kernel);
    pair_of(node, OH_NN_AVG_POOL_STRIDE, strides);
    bounds_of(node, OH_NN_AVG_POOL_ACTIVATION_TYPE, &low, &high);
    /* Over the whole map; the other has no int8. */
    if (kernel[0] == (uint32_t)input->dims[1] && kernel[1] == (uint32_t)input->dims[2] &&
        nnrt__param_int(node, OH_NN_AVG_POOL_PAD_MODE, 0) == 1)
        return xnn_define_global_average_pooling_2d(subgraph, low, high, in, out, KEEP_DIMS);
    return xnn_define_average_pooling_2d(
        subgraph, 0, 0, 0, 0, kernel[0], kernel[1], strides[0], strides[1], low, high, in, out,
        nnrt__param_int(node, OH_NN_AVG_POOL_PAD_MODE, 1) == 0 ? XNN_FLAG_TENSORFLOW_SAME_PADDING : 0);
}

static enum xnn_status define_max_pool(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in, uint32_t out) {
    const window by = window_of(node, OH_NN_MAX_POOL_STRIDE, OH_NN_MAX_POOL_PAD_MODE, OH_NN_MAX_POOL_PAD);
    uint32_t kernel[2];
    float low, high;
    pair_of(node, OH_NN_MAX_POOL_KERNEL_SIZE, kernel);
    bounds_of(node, OH_NN_MAX_POOL_ACTIVATION_TYPE, &low, &high);
    return xnn_define_max_pooling_2d(subgraph, by.pads[0], by.pads[1], by.pads[2], by.pads[3], kernel[0], kernel[1],
                                     by.strides[0], by.strides[1], 1, 1, low, high, in, out, by.flags);
}

static enum xnn_status define_pad(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in, uint32_t out) {
    const nnrt_tensor_info *pads = &graph->tensors[node->inputs[1]];
    size_t before[XNN_MAX_TENSOR_DIMS], after[XNN_MAX_TENSOR_DIMS], i;
    if (pads->data == NULL || pads->dtype != OH_NN_INT32 || count_of(pads) > 2 * XNN_MAX_TENSOR_DIMS)
        return xnn_status_unsupported_parameter;
    for (i = 0; i < count_of(pads) / 2; i++) {
        before[i] = (size_t)((const int32_t *)pads->data)[2 * i];
        after[i] = (size_t)((const int32_t *)pads->data)[2 * i + 1];
    }
    return xnn_define_static_constant_pad(subgraph, before, after, 0.0f, in, out, 0);
}

/* Half pixels, as XNNPACK has them without a flag, or corners on corners. */
static enum xnn_status define_resize(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in, uint32_t out) {
    const nnrt_tensor_info *output = &graph->tensors[node->outputs[0]];
    const int64_t mode = nnrt__param_int(node, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, 0);
    return xnn_define_static_resize_bilinear_2d(subgraph, (size_t)output->dims[1], (size_t)output->dims[2], in, out,
                                                mode == 1   ? XNN_FLAG_ALIGN_CORNERS
                                                : mode == 0 ? XNN_FLAG_TENSORFLOW_LEGACY_MODE
                                                            : 0);
}

#ifdef XNN_FLAG_KEEP_DIMS
static enum xnn_status define_mean(xnn_subgraph_t subgraph, const nnrt_node *node, uint32_t in, uint32_t out) {
    const nnrt_tensor_info *axes = &graph->tensors[node->inputs[1]], *input = &graph->tensors[node->inputs[0]];
    size_t which[XNN_MAX_TENSOR_DIMS], i;
    if (axes->data == NULL || axes->dtype != OH_NN_INT32 || count_of(axes) > XNN_MAX_TENSOR_DIMS)
        return xnn_status_unsupported_parameter;
    for (i = 0; i < count_of(axes); i++) {
        const int32_t axis = ((const int32_t *)axes->data)[i];
        which[i] = (size_t)(axis < 0 ? axis + (int32_t)input->rank : axis);
    }
    return xnn_define_static_mean(subgraph, i, which, in, out,
                                  graph->tensors[node->outputs[0]].rank == input->rank ? KEEP_DIMS : 0);
}

static enum xnn_status define_concat(xnn_subgraph_t subgraph, const piece *p, const nnrt_node *node, uint32_t *ids,
                                     uint32_t out) {
    const int32_t axis = (int32_t)nnrt__param_int(node, OH_NN_CONCAT_AXIS, 0);
    uint32_t in[4], i;
    enum xnn_status status = xnn_status_success;
    if (node->input_count < 2 || node->input_count > 4) return xnn_status_unsupported_parameter;
    for (i = 0; i < node->input_count && status == xnn_status_success; i++)
        status = define_operand(subgraph, p, node->inputs[i], ids, &in[i]);
    if (status != xnn_status_success) return status;
    if (i == 2) return xnn_define_concatenate2(subgraph, axis, in[0], in[1], out, 0);
    if (i == 3) return xnn_define_concatenate3(subgraph, axis, in[0], in[1], in[2], out, 0);
    return xnn_define_concatenate4(subgraph, axis, in[0], in[1], in[2], in[3], out, 0);
}

static enum xnn_status define_later(xnn_subgraph_t subgraph, const piece *p, const nnrt_node *node, uint32_t *ids,
                                    uint32_t in, uint32_t out) {
    switch ((int)node->op) {
    case OH_NN_OPS_CONCAT: return define_concat(subgraph, p, node, ids, out);
    case OH_NN_OPS_REDUCE_MEAN: return define_mean(subgraph, node, in, out);
    case OH_NN_OPS_TANH: return xnn_define_tanh(subgraph, in, out, 0);
    case OH_NN_OPS_EXP: return xnn_define_exp(subgraph, in, out, 0);
    default: return xnn_status_unsupported_parameter;
    }
}
#else
/* Debian's release has none of them, or only in its header. */
static enum xnn_status define_later(xnn_subgraph_t subgraph, const piece *p, const nnrt_node *node, uint32_t *ids,
                                    uint32_t in, uint32_t out) {
    (void)subgraph;
    (void)p;
    (void)ids;
    (void)node;
    (void)in;
    (void)out;
    return xnn_status_unsupported_parameter;
}
#endif

/* Of two operands, of which either may be constant. */
static enum xnn_status define_binary(xnn_subgraph_t subgraph, const piece *p, const nnrt_node *node, uint32_t *ids,
                                     uint32_t out) {
    uint32_t in, other;
    float low, high;
    enum xnn_status status = define_operand(subgraph, p, node->inputs[0], ids, &in);
    if (status == xnn_status_success) status = define_operand(subgraph, p, node->inputs[1], ids, &other);
    if (status != xnn_status_success) return status;
    switch ((int)node->op) {
    case OH_NN_OPS_ADD:
        bounds_of(node, OH_NN_ADD_ACTIVATIONTYPE, &low, &high);
        return xnn_define_add2(subgraph, low, high, in, other, out, 0);
    case OH_NN_OPS_SUB:
        bounds_of(node, OH_NN_SUB_ACTIVATIONTYPE, &low, &high);
        return xnn_define_subtract(subgraph, low, high, in, other, out, 0);
    case OH_NN_OPS_MUL:
        bounds_of(node, OH_NN_MUL_ACTIVATION_TYPE, &low, &high);
        return xnn_define_multiply2(subgraph, low, high, in, other, out, 0);
    case OH_NN_OPS_PRELU: return xnn_define_prelu(subgraph, in, other, out, 0);
    case OH_NN_OPS_MAXIMUM: return xnn_define_maximum2(subgraph, in, other, out, 0);
    default: return xnn_status_unsupported_parameter;
    }
}

static enum xnn_status define_node(xnn_subgraph_t subgraph, const piece *p, const nnrt_node *node, uint32_t *ids) {
    const nnrt_tensor_info *output = &graph->tensors[node->outputs[0]];
    uint32_t in, out, i;
    size_t dims[XNN_MAX_TENSOR_DIMS];
    enum xnn_status status = define_computed(subgraph, p, node->outputs[0], ids, &out);
    if (status != xnn_status_success) return status;
    switch ((int)node->op) {
    case OH_NN_OPS_ADD:
    case OH_NN_OPS_SUB:
    case OH_NN_OPS_MUL:
    case OH_NN_OPS_PRELU:
    case OH_NN_OPS_MAXIMUM: return define_binary(subgraph, p, node, ids, out);
    default: status = define_computed(subgraph, p, node->inputs[0], ids, &in);
    }
    if (status != xnn_status_success) return status;
    switch ((int)node->op) {
    case OH_NN_OPS_CONV2D:
    case OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE: return define_convolution(subgraph, node, in, out);
    case OH_NN_OPS_FULL_CONNECTION: return define_full_connection(subgraph, node, in, out);
    case OH_NN_OPS_CONV2D_TRANSPOSE: return define_transposed(subgraph, node, in, out);
    case OH_NN_OPS_AVG_POOL: return define_pool(subgraph, node, in, out);
    case OH_NN_OPS_MAX_POOL: return define_max_pool(subgraph, node, in, out);
    case OH_NN_OPS_PAD: return define_pad(subgraph, node, in, out);
    case OH_NN_OPS_RESIZE_BILINEAR: return define_resize(subgraph, node, in, out);
    case OH_NN_OPS_QUANT_DTYPE_CAST: return xnn_define_convert(subgraph, in, out, 0);
    case OH_NN_OPS_SIGMOID: return xnn_define_sigmoid(subgraph, in, out, 0);
    case OH_NN_OPS_HSWISH: return xnn_define_hardswish(subgraph, in, out, 0);
    case OH_NN_OPS_RELU: return xnn_define_clamp(subgraph, 0.0f, INFINITY, in, out, 0);
    case OH_NN_OPS_RESHAPE:
        if (output->rank > XNN_MAX_TENSOR_DIMS) return xnn_status_unsupported_parameter;
        for (i = 0; i < output->rank; i++) dims[i] = (size_t)output->dims[i];
        return xnn_define_static_reshape(subgraph, output->rank, dims, in, out, 0);
    case OH_NN_OPS_SOFTMAX: return xnn_define_softmax(subgraph, in, out, 0);
    default: return define_later(subgraph, p, node, ids, in, out);
    }
}

/* ------------------------------------------------------------------------------------------------- pieces */

/* false: XNNPACK lacks an operator of it. */
static bool make_runtime(piece *p) {
    xnn_subgraph_t subgraph = NULL;
    uint32_t ids[MOST], n, i;
    enum xnn_status status = xnn_create_subgraph(graph->tensor_count, 0, &subgraph);
    for (i = 0; i < MOST; i++) ids[i] = XNN_INVALID_VALUE_ID;
    for (n = p->first; n < p->last && status == xnn_status_success; n++)
        status = define_node(subgraph, p, &graph->nodes[n], ids);
    if (status == xnn_status_success) status = xnn_create_runtime_v2(subgraph, pool, 0, &p->runtime);
    if (subgraph != NULL) (void)xnn_delete_subgraph(subgraph);
    return status == xnn_status_success;
}

static void need_buffer(uint32_t tensor) {
    const nnrt_tensor_info *info = &graph->tensors[tensor];
    if (buffers[tensor] == NULL) buffers[tensor] = need(count_of(info) * nnrt__element_size(info->dtype));
}

/* The tensors that a piece reads from others and that others read from it. */
static void ends_of(const piece *p, uint32_t *inputs, uint32_t *input_count, uint32_t *outputs,
                    uint32_t *output_count) {
    uint32_t tensor;
    *input_count = *output_count = 0;
    for (tensor = 0; tensor < graph->tensor_count; tensor++) {
        if (graph->tensors[tensor].data != NULL) continue;
        if (produces(p, tensor)) {
            if (leaves(p, tensor)) outputs[(*output_count)++] = tensor;
        } else if (is_read(p->first, p->last, tensor)) {
            inputs[(*input_count)++] = tensor;
        }
    }
    serve_need(*input_count <= 8 && *output_count <= 8, "a piece with more than 8 inputs or outputs");
    for (tensor = 0; tensor < *input_count; tensor++) need_buffer(inputs[tensor]);
    for (tensor = 0; tensor < *output_count; tensor++) need_buffer(outputs[tensor]);
}

static void set_up(piece *p) {
    uint32_t inputs[MOST], outputs[MOST], input_count, output_count, i;
    struct xnn_external_value values[16];
    ends_of(p, inputs, &input_count, outputs, &output_count);
    for (i = 0; i < input_count + output_count; i++) {
        values[i].id = i < input_count ? inputs[i] : outputs[i - input_count];
        values[i].data = buffers[values[i].id];
    }
    serve_need(xnn_setup_runtime(p->runtime, i, values) == xnn_status_success, "xnn_setup_runtime");
}

static nnrt_io io_of(uint32_t tensor) {
    const nnrt_tensor_info *info = &graph->tensors[tensor];
    nnrt_io io;
    uint32_t i;
    memset(&io, 0, sizeof io);
    io.data = buffers[tensor];
    io.size = count_of(info) * nnrt__element_size(info->dtype);
    io.fd = -1;
    io.dtype = info->dtype;
    io.rank = info->rank;
    for (i = 0; i < info->rank; i++) io.dims[i] = info->dims[i];
    return io;
}

static void make_executor(piece *p, const char *isa) {
    uint32_t inputs[MOST], outputs[MOST], i;
    nnrt_graph part = *graph;
    nnrt_request request;
    nnrt_config config;
    ends_of(p, inputs, &part.input_count, outputs, &part.output_count);
    part.nodes = graph->nodes + p->first;
    part.node_count = p->last - p->first;
    part.inputs = inputs;
    part.outputs = outputs;
    memset(&request, 0, sizeof request);
    memset(&config, 0, sizeof config);
    config.name = "nnrt.isa";
    config.value = isa;
    config.size = strlen(isa);
    request.graph = &part;
    request.configs = &config;
    request.config_count = 1;
    serve_need((device != NULL || nnrt__cpu_backend.open(nnrt__cpu_backend.user, &device) == OH_NN_SUCCESS) &&
                   nnrt__cpu_backend.prepare(device, &request, &p->prepared) == OH_NN_SUCCESS &&
                   nnrt__cpu_backend.open_executor(p->prepared, &p->executor) == OH_NN_SUCCESS,
               nnrt_last_error());
    p->input_count = part.input_count;
    p->output_count = part.output_count;
    for (i = 0; i < part.input_count; i++) p->inputs[i] = io_of(inputs[i]);
    for (i = 0; i < part.output_count; i++) p->outputs[i] = io_of(outputs[i]);
}

static void run_piece(void *which) {
    piece *p = (piece *)which;
    if (!p->ours) {
        serve_need(xnn_invoke_runtime(p->runtime) == xnn_status_success, "xnn_invoke_runtime");
        return;
    }
    serve_need(nnrt__cpu_backend.run(p->executor, p->inputs, p->input_count, p->outputs, p->output_count) ==
                   OH_NN_SUCCESS,
               nnrt_last_error());
}

static void run_all(void *unused) {
    uint32_t i;
    (void)unused;
    for (i = 0; i < piece_count; i++) run_piece(&pieces[i]);
}

static void do_nothing(void *context, size_t i) {
    (void)context;
    (void)i;
}

/* The workers would look out for work for a tenth of a second, on the cores that the other program then needs. */
static void rest(void) {
    if (pool != NULL) pthreadpool_parallelize_1d(pool, do_nothing, NULL, 64, PTHREADPOOL_FLAG_YIELD_WORKERS);
}

/* Cuts the operators into pieces, as long as can be or of one operator each. */
static void cut(bool single) {
    bool lacks[MOST];
    uint32_t n;
    for (n = 0; n < graph->node_count; n++) {
        piece alone;
        memset(&alone, 0, sizeof alone);
        alone.first = n;
        alone.last = n + 1;
        lacks[n] = !make_runtime(&alone);
        if (!lacks[n]) (void)xnn_delete_runtime(alone.runtime);
    }
    for (n = 0; n < graph->node_count;) {
        piece *p = &pieces[piece_count++];
        p->first = n++;
        while (!single && n < graph->node_count && lacks[n] == lacks[p->first]) n++;
        p->last = n;
        p->ours = lacks[p->first];
    }
}

static void make_pieces(const char *isa) {
    uint32_t i;
    for (i = 0; i < piece_count; i++) {
        piece *p = &pieces[i];
        if (p->ours) {
            make_executor(p, isa);
        } else {
            serve_need(make_runtime(p), "XNNPACK refuses operators together that it takes one by one");
            set_up(p);
        }
    }
}

static void free_pieces(void) {
    uint32_t i;
    for (i = 0; i < piece_count; i++) {
        piece *p = &pieces[i];
        if (p->ours) {
            nnrt__cpu_backend.close_executor(p->executor);
            nnrt__cpu_backend.release(p->prepared);
        } else {
            (void)xnn_delete_runtime(p->runtime);
        }
    }
}

static void read_model(void) {
    serve_need(nnrt__tflite_read(model, model_size, &store) == OH_NN_SUCCESS, nnrt_last_error());
    graph = nnrt__graph_store_graph(store);
}

static void start(void *isa) {
    read_model();
    make_pieces((const char *)isa);
    free_pieces();
    nnrt__graph_store_release(store);
}

static void print_notes(void) {
    uint32_t i, n;
    if (widened) printf(" int8 weights made float;");
    for (i = 0; i < piece_count; i++)
        for (n = pieces[i].first; pieces[i].ours && n < pieces[i].last; n++)
            printf(" %s by nnrt;", nnrt__op_name((int)graph->nodes[n].op));
}

int main(int argc, char **argv) {
    const bool layers = argc == 7 && strcmp(argv[5], "layers") == 0;
    const bool starts = argc == 6 && strcmp(argv[5], "start") == 0, runs = argc == 7 && strcmp(argv[5], "runs") == 0;
    const nnrt_tensor_info *info;
    uint32_t i;
    serve_need(argc == 5 || layers || starts || runs,
               "usage: bench_xnnpack MODEL LEVEL ISA THREADS [runs N | layers N | start]");
    serve_keep_memory();
    model = serve_read(argv[1], &model_size);
    serve_need(cpuinfo_initialize(), "cpuinfo_initialize");
    limit(argv[2]);
    serve_need(xnn_initialize(NULL) == xnn_status_success, "xnn_initialize");
    if (atoi(argv[4]) > 1) pool = pthreadpool_create((size_t)atoi(argv[4]));
    read_model();
    serve_need(graph->tensor_count <= MOST && graph->node_count <= MOST, "a model of more than 1024 tensors");
    cut(layers);
    make_pieces(argv[3]);
    for (i = 0; i < graph->input_count; i++) {
        info = &graph->tensors[graph->inputs[i]];
        need_buffer(graph->inputs[i]);
        serve_fill(buffers[graph->inputs[i]], count_of(info) * nnrt__element_size(info->dtype),
                   info->dtype == OH_NN_FLOAT32);
    }
    run_all(NULL);
    if (runs) {
        int left;
        for (left = atoi(argv[6]); left > 0; left--) run_all(NULL);
        return 0;
    }
    if (layers) {
        for (i = 0; i < piece_count; i++) {
            double least = 1e30, turn;
            int left;
            for (left = atoi(argv[6]); left > 0; left--)
                if ((turn = serve_turn(run_piece, &pieces[i])) < least) least = turn;
            printf("%s\t%.0f\n", graph->tensors[graph->nodes[pieces[i].first].outputs[0]].name, least);
        }
        return 0;
    }
    print_notes();
    info = &graph->tensors[graph->outputs[0]];
    serve_output(buffers[graph->outputs[0]], count_of(info) * nnrt__element_size(info->dtype),
                 info->dtype == OH_NN_FLOAT32);
    if (starts) {
        free_pieces();
        nnrt__graph_store_release(store);
        serve(start, rest, argv[3]);
    } else {
        serve(run_all, rest, NULL);
    }
    return 0;
}
