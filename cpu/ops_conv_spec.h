/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_conv_spec.h - parameters and constants of convolutions and full connection.   >>cpu_ops_conv_spec

   All three become one nnrt__conv_spec: a grouped product of n channels over k values. infer fills it and derives the
   shape from it; lower (cpu/ops_conv.h) derives the step. Helpers that other operators of the family share are here,
   too. */
#ifndef NNRT_CPU_OPS_CONV_SPEC_H
#define NNRT_CPU_OPS_CONV_SPEC_H

#include "geometry_read.h"
#include "ir_helpers.h"
#include "kinds.h"
#include "steps_conv.h"
#include "steps_conv_hybrid.h"
#include "steps_conv_s16.h"

typedef enum nnrt__conv_type {
    NNRT__CONV_S8 = 0,
    NNRT__CONV_F32 = 1,
    NNRT__CONV_HYBRID = 2, /* float activations, int8 weights */
    NNRT__CONV_S16 = 3     /* int16 activations, int8 weights */
} nnrt__conv_type;

typedef struct nnrt__conv_spec {
    nnrt__conv_type type;
    nnrt__geometry geometry;
    uint32_t out_rank;
    int32_t out_dims[NNRT_MAX_RANK];
    int32_t in_c, out_c, group, columns; /* columns as in nnrt__conv_args */
    size_t n, k;                         /* channels and products of one group */
    int32_t weight_zero;                 /* zero point of the weights; 0 but for those of cpu/rewrite_uint8.h */
    /* product i of output channel o is weight[o * channel_stride + i * k_stride] */
    ptrdiff_t channel_stride, k_stride;
    bool pads_same;    /* its pads come from the sizes */
    bool inputs_first; /* weights of a transposed one are [in_c, kh, kw, out_c / group] */
} nnrt__conv_spec;

/* ------------------------------------------------------------------------------------- shared by the
   family */

/* An int8 value with one scale and zero point. */
NNRT__FN bool nnrt__quant_s8(const nnrt__ir_value *value, double *scale, int32_t *zero_point) {
    return value->dtype == OH_NN_INT8 && nnrt__ir_quant(value, scale, zero_point);
}

/* An int16 value with one scale and the zero point 0. */
NNRT__FN bool nnrt__quant_s16(const nnrt__ir_value *value, double *scale) {
    int32_t zero_point;
    return value->dtype == OH_NN_INT16 && nnrt__ir_quant(value, scale, &zero_point) && zero_point == 0;
}

/* Weights with one scale, or one per channel, and zero points 0. */
NNRT__FN bool nnrt__quant_weights(const nnrt__ir_value *weights, int32_t channels) {
    uint32_t i;
    if (weights->quant.count != 1 && weights->quant.count != (uint32_t)channels) return false;
    for (i = 0; i < weights->quant.count; i++)
        if (weights->quant.zero_points[i] != 0) return false;
    return true;
}

/* Is the bias of the type that sums have? */
NNRT__FN bool nnrt__conv_bias_fits(nnrt__conv_type type, OH_NN_DataType bias) {
    if (type == NNRT__CONV_S16) return bias == OH_NN_INT32 || bias == OH_NN_INT64;
    return bias == (type == NNRT__CONV_S8 ? OH_NN_INT32 : OH_NN_FLOAT32);
}

/* Data types, quantization and bias of a product; sets spec->type. spec->out_c is known. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_read_types(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__conv_spec *spec) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const nnrt__ir_value *bias = node->input_count > 2 ? nnrt__ir_in(ir, node, 2) : NULL;
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    double scale;
    int32_t zero_point;
    if (in->dtype == OH_NN_INT8 && weights->dtype == OH_NN_INT8 && out->dtype == OH_NN_INT8) spec->type = NNRT__CONV_S8;
    else if (in->dtype == OH_NN_FLOAT32 && weights->dtype == OH_NN_FLOAT32 && out->dtype == OH_NN_FLOAT32)
        spec->type = NNRT__CONV_F32;
    else if (in->dtype == OH_NN_FLOAT32 && weights->dtype == OH_NN_INT8 && out->dtype == OH_NN_FLOAT32)
        spec->type = NNRT__CONV_HYBRID;
    else if (in->dtype == OH_NN_INT16 && weights->dtype == OH_NN_INT8 && out->dtype == OH_NN_INT16)
        spec->type = NNRT__CONV_S16;
    else
        return nnrt__ir_fail(
            ir, node, OH_NN_UNSUPPORTED,
            "data types must be int8, uint8 with one scale for each tensor, float32, or float32 or int16 with int8 "
            "weights");
    if (weights->data == NULL) return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the weights must be constant");
    if (bias != NULL) {
        if (bias->data == NULL) return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the bias must be constant");
        if (!nnrt__conv_bias_fits(spec->type, bias->dtype))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "the bias must be int32 for int8 activations, int64 or int32 for int16 ones and "
                                 "float32 for float32 ones");
        if (bias->count != (size_t)spec->out_c)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the bias must have one value per output channel");
    }
    if (spec->type == NNRT__CONV_S8 && weights->shifted) spec->weight_zero = weights->quant.zero_points[0];
    else if (spec->type != NNRT__CONV_F32 && !nnrt__quant_weights(weights, spec->out_c))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "int8 weights need one scale, or one per output channel, and zero points of 0");
    if (spec->type == NNRT__CONV_S8 &&
        (!nnrt__quant_s8(in, &scale, &zero_point) || !nnrt__quant_s8(out, &scale, &zero_point)))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "int8 activations need one scale and one zero point");
    if (spec->type == NNRT__CONV_S16 && (!nnrt__quant_s16(in, &scale) || !nnrt__quant_s16(out, &scale)))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "int16 activations need one scale and the zero point 0");
    return OH_NN_SUCCESS;
}

/* in_c, out_c, group and the kernel size are known: checks that they divide, sets n and k. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_read_groups(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__conv_spec *spec) {
    const int64_t taps = (int64_t)spec->geometry.kernel_h * spec->geometry.kernel_w;
    int64_t k;
    if (spec->group < 1 || spec->in_c % spec->group != 0 || spec->out_c % spec->group != 0)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "input and output channels must divide by the number of groups");
    k = taps > NNRT__TAPS_MAX ? INT64_MAX : taps * (spec->in_c / spec->group);
    if (k > (spec->type == NNRT__CONV_HYBRID ? (int64_t)NNRT__HYBRID_K_MAX : (int64_t)NNRT__CONV_K_MAX))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "an output value has more products than the kernels can add");
    spec->n = (size_t)(spec->out_c / spec->group);
    spec->k = (size_t)k;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------- reading the
   operators */

NNRT__FN OH_NN_ReturnCode nnrt__conv_read(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__conv_spec *spec) {
    static const nnrt__geometry_params conv_params = {OH_NN_CONV2D_STRIDES, OH_NN_CONV2D_DILATION,
                                                      OH_NN_CONV2D_PAD_MODE, OH_NN_CONV2D_PAD};
    static const nnrt__geometry_params dw_params = {
        OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION,
        OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD};
    const bool depthwise = node->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const int32_t *w = weights->dims;
    bool channels_last = false; /* depthwise weights [1, kh, kw, out_c] */
    int64_t group;
    nnrt__conv_window window;
    const char *reason;
    OH_NN_ReturnCode code;
    if (in->rank != 4 || weights->rank != 4)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "input and weights must have four dimensions");
    spec->in_c = in->dims[3];
    spec->out_c = w[0];
    if (depthwise) {
        const size_t bias = node->input_count > 2 ? nnrt__ir_in(ir, node, 2)->count : (size_t)w[3];
        channels_last = w[0] == 1 && (size_t)w[3] == bias && !(w[3] == 1 && bias == 1);
        if (channels_last) spec->out_c = w[3];
        if (!channels_last && w[3] != 1)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "depthwise weights must have one input channel");
        if (spec->out_c % spec->in_c != 0)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "output channels must be a multiple of the input channels");
        group = spec->in_c;
    } else {
        group = nnrt__ir_int(node, OH_NN_CONV2D_GROUP, 1);
        if (group < 1 || group > spec->in_c || (int64_t)w[3] * group != spec->in_c)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "weights and groups do not fit the input channels");
    }
    spec->group = (int32_t)group;
    spec->geometry.kernel_h = w[1];
    spec->geometry.kernel_w = w[2];
    code = nnrt__conv_read_types(ir, node, spec);
    if (code == OH_NN_SUCCESS) code = nnrt__conv_read_groups(ir, node, spec);
    if (code != OH_NN_SUCCESS) return code;
    spec->channel_stride = channels_last ? 1 : (ptrdiff_t)spec->k;
    spec->k_stride = channels_last ? spec->out_c : 1;
    reason = nnrt__conv_window_read(node, depthwise ? &dw_params : &conv_params, &window);
    if (reason == NULL)
        reason = nnrt__geometry_conv(&window, in->dims[1], in->dims[2], &spec->geometry, &spec->out_dims[1],
                                     &spec->out_dims[2]);
    if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    spec->pads_same = window.same;
    spec->out_rank = 4;
    spec->out_dims[0] = in->dims[0];
    spec->out_dims[3] = spec->out_c;
    return OH_NN_SUCCESS;
}

/* A product of rows of `columns` values with weights of out_c channels. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_read_product(nnrt__ir *ir, const nnrt__ir_node *node, int32_t out_c,
                                                  int32_t columns, nnrt__conv_spec *spec) {
    OH_NN_ReturnCode code;
    spec->out_c = out_c;
    spec->in_c = spec->columns = columns;
    spec->group = 1;
    spec->geometry.kernel_h = spec->geometry.kernel_w = 1;
    spec->geometry.stride_h = spec->geometry.stride_w = 1;
    spec->geometry.dilation_h = spec->geometry.dilation_w = 1;
    code = nnrt__conv_read_types(ir, node, spec);
    return code != OH_NN_SUCCESS ? code : nnrt__conv_read_groups(ir, node, spec);
}

NNRT__FN OH_NN_ReturnCode nnrt__fc_read(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__conv_spec *spec) {
    const nnrt__ir_value *in, *weights;
    const nnrt_param *has_bias = nnrt__ir_param(node, OH_NN_FULL_CONNECTION_HAS_BIAS);
    const int64_t axis = nnrt__ir_int(node, OH_NN_FULL_CONNECTION_AXIS, 0);
    const bool use_axis = nnrt__ir_param(node, OH_NN_FULL_CONNECTION_AXIS) != NULL ||
                          nnrt__ir_int(node, OH_NN_FULL_CONNECTION_USE_AXIS, 0) != 0;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (node->input_count < 2 || node->input_count > 3)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "there must be two or three inputs");
    in = nnrt__ir_in(ir, node, 0);
    weights = nnrt__ir_in(ir, node, 1);
    if (has_bias != NULL && (nnrt__ir_int(node, OH_NN_FULL_CONNECTION_HAS_BIAS, 0) != 0) != (node->input_count == 3))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the number of inputs does not agree with has_bias");
    if (weights->rank != 2) return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the weights must have two dimensions");
    code = nnrt__conv_read_product(ir, node, weights->dims[0], weights->dims[1], spec);
    if (code != OH_NN_SUCCESS) return code;
    spec->channel_stride = (ptrdiff_t)spec->k;
    spec->k_stride = 1;
    if (use_axis) {
        int64_t features = 1;
        if (axis < 1 || axis > (int64_t)in->rank)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the axis must be from 1 to the rank of the input");
        for (i = (uint32_t)axis; i < in->rank; i++) features *= in->dims[i];
        if (features != spec->columns)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED,
                                 "the dimensions from axis on must hold as many values as a row of weights");
        if (axis + 1 > NNRT_MAX_RANK)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the output has too many dimensions");
        for (i = 0; i < (uint32_t)axis; i++) spec->out_dims[i] = in->dims[i];
        spec->out_dims[axis] = spec->out_c;
        spec->out_rank = (uint32_t)axis + 1;
    } else {
        if (in->count % (size_t)spec->columns != 0 || in->count / (size_t)spec->columns > NNRT__COORDINATE_MAX)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED,
                                 "the input is not whole rows of as many values as a row of weights");
        spec->out_dims[0] = (int32_t)(in->count / (size_t)spec->columns);
        spec->out_dims[1] = spec->out_c;
        spec->out_rank = 2;
    }
    return OH_NN_SUCCESS;
}

/* Scale of output channel o of quantized weights. */
NNRT__INLINE double nnrt__weight_scale(const nnrt__ir_value *weights, size_t o) {
    return weights->quant.scales[weights->quant.count == 1 ? 0 : o];
}

/* The factor for the sum of products of channel o. */
NNRT__FN double nnrt__conv_factor(const nnrt__ir *ir, const nnrt__ir_node *node, size_t o) {
    const nnrt__ir_value *weights = nnrt__ir_in(ir, node, 1);
    const double scale = nnrt__weight_scale(weights, o);
    double in_scale = 1, out_scale = 1;
    int32_t zero_point;
    (void)nnrt__ir_quant(nnrt__ir_in(ir, node, 0), &in_scale, &zero_point);
    (void)nnrt__ir_quant(nnrt__ir_out(ir, node, 0), &out_scale, &zero_point);
    /* TensorFlow Lite multiplies the scales of a per-tensor full connection or matrix product in float */
    if ((node->op == OH_NN_OPS_FULL_CONNECTION || node->op == OH_NN_OPS_MATMUL) && weights->quant.count == 1) {
        const float product = (float)in_scale * (float)scale;
        return (double)product / out_scale;
    }
    return in_scale * scale / out_scale;
}

/* Bias o of a node; 0 when it has none. */
NNRT__FN int64_t nnrt__conv_bias(const nnrt__ir *ir, const nnrt__ir_node *node, size_t o) {
    const nnrt__ir_value *bias = node->input_count > 2 ? nnrt__ir_in(ir, node, 2) : NULL;
    return bias != NULL ? nnrt__read_integer(bias->dtype, bias->data, (uint32_t)o) : 0;
}

/* Are sums kept in 64 bits? With int16 activations they are, unless the bias has 32. */
NNRT__FN bool nnrt__conv_is_wide(const nnrt__ir *ir, const nnrt__ir_node *node) {
    return nnrt__ir_in(ir, node, 0)->dtype == OH_NN_INT16 &&
           (node->input_count < 3 || nnrt__ir_in(ir, node, 2)->dtype == OH_NN_INT64);
}

/* The largest sum that channel o can have: its bias and every product with the input farthest from the zero point.
   Weight i of the channel is at first + i * stride. */
NNRT__FN uint64_t nnrt__conv_largest_sum(const nnrt__ir *ir, const nnrt__ir_node *node, size_t o, ptrdiff_t first,
                                         ptrdiff_t stride, size_t k) {
    const int8_t *w = (const int8_t *)nnrt__ir_in(ir, node, 1)->data;
    const int32_t zero_point = nnrt__ir_in(ir, node, 0)->quant.zero_points[0];
    const int32_t weight_zero = nnrt__ir_in(ir, node, 1)->quant.zero_points[0];
    const int64_t added = nnrt__conv_bias(ir, node, o);
    const uint64_t most = nnrt__ir_in(ir, node, 0)->dtype == OH_NN_INT16 ? 32768u
                          : zero_point < 0                               ? (uint64_t)(127 - zero_point)
                                                                         : (uint64_t)(zero_point + 128);
    uint64_t sum = 0;
    size_t i;
    for (i = 0; i < k; i++) {
        const int32_t weight = w[first + (ptrdiff_t)i * stride] - weight_zero;
        sum += (uint64_t)(weight < 0 ? -weight : weight);
    }
    return sum * most + (uint64_t)(added < 0 ? -added : added);
}

NNRT__INLINE bool nnrt__conv_is_integer(const nnrt__conv_spec *spec) {
    return spec->type == NNRT__CONV_S8 || spec->type == NNRT__CONV_S16;
}

/* Of channel o: no sum leaves 32 bits when it is rescaled; one that is kept in 64 bits stays below 2^47, with a factor
   below 2^7, which is what the reference kernels assume. Weights as in nnrt__conv_largest_sum. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_check_channel(const nnrt__ir *ir, const nnrt__ir_node *node, size_t o,
                                                   ptrdiff_t first, ptrdiff_t stride, size_t k) {
    int32_t multiplier, shift;
    nnrt__quantize_multiplier(nnrt__conv_factor(ir, node, o), &multiplier, &shift);
    if (nnrt__conv_is_wide(ir, node)) {
        const int64_t bias = nnrt__conv_bias(ir, node, o), most = (int64_t)1 << 46;
        if (shift > 7)
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "the scale of the output is less than 1/128 of that of the products");
        if (bias < -most || bias > most)
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "a bias of 64 bits is outside -2^46..2^46");
        return OH_NN_SUCCESS;
    }
    if (shift <= 0) return OH_NN_SUCCESS;
    return nnrt__ir_check_rescale(ir, node, nnrt__ir_in(ir, node, 0)->quant.scales[0],
                                  nnrt__conv_largest_sum(ir, node, o, first, stride, k), shift);
}

/* Checks that no sum of an integer convolution leaves 32 bits when it is rescaled. Only channels with a factor of 1 or
   more can, and real models have none: their outputs would always saturate. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_check_scales(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                  const nnrt__conv_spec *spec) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t o;
    for (o = 0; code == OH_NN_SUCCESS && nnrt__conv_is_integer(spec) && o < (size_t)spec->out_c; o++)
        code = nnrt__conv_check_channel(ir, node, o, (ptrdiff_t)o * spec->channel_stride, spec->k_stride, spec->k);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__conv_spec *spec = (nnrt__conv_spec *)node->spec;
    OH_NN_ReturnCode code =
        node->op == OH_NN_OPS_FULL_CONNECTION ? nnrt__fc_read(ir, node, spec) : nnrt__conv_read(ir, node, spec);
    if (code == OH_NN_SUCCESS) code = nnrt__conv_check_scales(ir, node, spec);
    return code != OH_NN_SUCCESS ? code : nnrt__ir_set_shape(ir, node, 0, spec->out_rank, spec->out_dims);
}

/* ---------------------------------------------------------------------------------------------- constants */

/* Writes bias, multiplier and shift of every output channel: constants[3][out_c]. corrected: the bias includes the
   input's zero point and the kernel's offset of every element, bias - (zero_point + offset) * sum(weights), modulo
   2^32. */
NNRT__FN void nnrt__conv_channels(const nnrt__ir *ir, const nnrt__ir_node *node, const nnrt__conv_spec *spec,
                                  bool corrected, int32_t offset, int32_t *constants) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const uint8_t *bias = node->input_count > 2 ? (const uint8_t *)nnrt__ir_in(ir, node, 2)->data : NULL;
    const int8_t *w = (const int8_t *)weights->data;
    const size_t channels = (size_t)spec->out_c;
    double in_scale = 1;
    int32_t in_zero = 0;
    size_t o, i;
    (void)nnrt__ir_quant(in, &in_scale, &in_zero);
    in_zero = corrected ? in_zero + offset : 0;
    for (o = 0; o < channels; o++) {
        const int8_t *of_channel = w + (ptrdiff_t)o * spec->channel_stride;
        uint32_t sum = 0, value = bias != NULL ? (uint32_t)nnrt__read_i32(bias + 4 * o) : 0;
        if (in_zero != 0 && spec->k_stride == 1) sum = nnrt__sum_s8(of_channel, spec->k);
        else
            for (i = 0; in_zero != 0 && i < spec->k; i++) {
                const int32_t weight = of_channel[(ptrdiff_t)i * spec->k_stride];
                sum += (uint32_t)weight;
            }
        value -= sum * (uint32_t)in_zero;
        memcpy(&constants[o], &value, sizeof(value));
        nnrt__quantize_multiplier(nnrt__conv_factor(ir, node, o), &constants[channels + o],
                                  &constants[2 * channels + o]);
    }
}

/* The constants of int16 activations: biases of 64 bits in halves, or of 32, then multipliers and shifts. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_channels_s16(const nnrt__filling *filling, void *to) {
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)filling->context;
    const size_t channels = (size_t)spec->out_c;
    int32_t *bias = (int32_t *)to, *factors = bias + filling->count - 2 * channels;
    size_t o;
    for (o = 0; o < channels; o++) {
        const uint64_t value = (uint64_t)nnrt__conv_bias(filling->ir, filling->node, o);
        bias[o] = (int32_t)(uint32_t)value;
        if (factors != bias + channels) bias[channels + o] = (int32_t)(uint32_t)(value >> 32);
        nnrt__quantize_multiplier(nnrt__conv_factor(filling->ir, filling->node, o), &factors[o],
                                  &factors[channels + o]);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN uint32_t nnrt__conv_channels_of_s16(nnrt__lower *lower, const nnrt__ir_node *node,
                                             const nnrt__conv_spec *spec) {
    const size_t each = nnrt__conv_is_wide(lower->ir, node) ? 4 : 3;
    return nnrt__lower_constant(lower, node, OH_NN_INT32, (size_t)spec->out_c * each, nnrt__fill_conv_channels_s16,
                                spec, sizeof(*spec));
}

NNRT__INLINE size_t nnrt__conv_taps(const nnrt__conv_spec *spec) {
    return (size_t)spec->geometry.kernel_h * (size_t)spec->geometry.kernel_w;
}

/* Taps of a piece of a row. Small processors, whose tiles are one channel, get a row of many short pieces whole: taken
   piece by piece for each channel it would last longer than one copy, and the list would be larger than the copies. */
NNRT__FN uint32_t nnrt__conv_spec_span(const nnrt__packing *packing, const nnrt__conv_spec *spec) {
    const nnrt__geometry *g = &spec->geometry;
    const size_t channels = spec->k / nnrt__conv_taps(spec);
    if (packing->nr == 1 && g->kernel_h > 4 && (size_t)g->kernel_w * channels < 16)
        return (uint32_t)nnrt__conv_taps(spec);
    return nnrt__conv_span(g, channels, spec->group, packing->kr, packing->pieces);
}

/* Zero points, clamps and geometry into the arguments of a step. */
NNRT__FN void nnrt__conv_fill_args(const nnrt__ir *ir, const nnrt__ir_node *node, const nnrt__conv_spec *spec,
                                   const nnrt__packing *packing, nnrt__conv_args *args) {
    args->geometry = spec->geometry;
    args->geometry.pad_top += node->pad_top;
    args->geometry.pad_left += node->pad_left;
    args->columns = spec->columns;
    args->group = spec->group;
    args->weight_zero_point = spec->weight_zero;
    args->packing = packing != NULL ? packing->id : 0;
    args->span = packing != NULL ? nnrt__conv_spec_span(packing, spec) : (uint32_t)nnrt__conv_taps(spec);
    args->row_count = spec->columns > 0 ? 1 : spec->out_dims[1];
    (void)nnrt__activation_bounds(node, &args->clamp_low, &args->clamp_high);
    args->clamp_min = -128;
    args->clamp_max = 127;
    if (spec->type == NNRT__CONV_S8) {
        double scale = 1;
        (void)nnrt__ir_quant(nnrt__ir_in(ir, node, 0), &scale, &args->input_zero_point);
        (void)nnrt__ir_quant(nnrt__ir_out(ir, node, 0), &scale, &args->output_zero_point);
        nnrt__clamp_range_to_quantized(args->clamp_low, args->clamp_high, (float)scale, args->output_zero_point,
                                       &args->clamp_min, &args->clamp_max);
    } else if (spec->type == NNRT__CONV_S16) {
        nnrt__clamp_range_to_s16(args->clamp_low, args->clamp_high, (float)nnrt__ir_out(ir, node, 0)->quant.scales[0],
                                 &args->clamp_min, &args->clamp_max);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_bias_f32(const nnrt__filling *filling, void *to) {
    if (filling->node->input_count > 2)
        memcpy(to, nnrt__ir_in(filling->ir, filling->node, 2)->data, filling->count * sizeof(float));
    return OH_NN_SUCCESS;
}

/* The bias as a constant of floats, zeros when there is none. */
NNRT__FN uint32_t nnrt__conv_bias_f32(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec) {
    return nnrt__lower_constant(lower, node, OH_NN_FLOAT32, (size_t)spec->out_c, nnrt__fill_conv_bias_f32, NULL, 0);
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_rows(const nnrt__filling *filling, void *rows) {
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)filling->context;
    const int8_t *from = (const int8_t *)nnrt__ir_in(filling->ir, filling->node, 1)->data;
    int8_t *to = (int8_t *)rows;
    size_t o, i;
    for (o = 0; o < (size_t)spec->out_c; o++)
        for (i = 0; i < spec->k; i++)
            to[o * spec->k + i] = from[(ptrdiff_t)o * spec->channel_stride + (ptrdiff_t)i * spec->k_stride];
    return OH_NN_SUCCESS;
}

/* The weights as rows [out_c][k]: in the model's bytes, or copied into the plan. */
NNRT__FN uint32_t nnrt__conv_rows(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec) {
    if (spec->k_stride == 1) return nnrt__lower_value(lower, node->inputs[1]);
    return nnrt__lower_constant(lower, node, OH_NN_INT8, (size_t)spec->out_c * spec->k, nnrt__fill_conv_rows, spec,
                                sizeof(*spec));
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_channels(const nnrt__filling *filling, void *to) {
    nnrt__conv_channels(filling->ir, filling->node, (const nnrt__conv_spec *)filling->context, true, 0, (int32_t *)to);
    return OH_NN_SUCCESS;
}

/* As nnrt__fill_conv_channels, with the biases as they are. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_channels_plain(const nnrt__filling *filling, void *to) {
    nnrt__conv_channels(filling->ir, filling->node, (const nnrt__conv_spec *)filling->context, false, 0, (int32_t *)to);
    return OH_NN_SUCCESS;
}

NNRT__FN uint32_t nnrt__conv_channels_raw(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec,
                                          bool corrected) {
    return nnrt__lower_constant(lower, node, OH_NN_INT32, (size_t)spec->out_c * 3,
                                corrected ? nnrt__fill_conv_channels : nnrt__fill_conv_channels_plain, spec,
                                sizeof(*spec));
}

/* How packed weights are arranged. */
typedef enum nnrt__conv_layout {
    NNRT__CONV_TILES,    /* one group after the other */
    NNRT__CONV_CHANNELS, /* of depthwise kernels: all output channels, taps in the order of the model */
    NNRT__CONV_PLANES    /* the same, taps in the order of cpu/steps_conv_groups.h */
} nnrt__conv_layout;

/* Channels of a block of packed weights: those of a group, or all of a depthwise convolution. (Written as a conditional
   expression, it makes GCC 9 and 10 warn of a change of sign.) */
NNRT__FN size_t nnrt__conv_packed_channels(const nnrt__conv_spec *spec, nnrt__conv_layout layout) {
    if (layout != NNRT__CONV_TILES) return (size_t)spec->out_c;
    return spec->n;
}

/* How this machine, or the compilation's target, wants the weights. */
NNRT__FN const nnrt__packing *nnrt__conv_packing(const nnrt__cpu_table *kernels, const nnrt__conv_spec *spec,
                                                 nnrt__conv_layout layout) {
    const size_t n = nnrt__conv_packed_channels(spec, layout);
    const bool s8 = spec->type == NNRT__CONV_S8, tiles = layout == NNRT__CONV_TILES;
    const nnrt__packing *two[2];
    uint32_t i;
    for (i = 0; i < 2; i++)
        two[i] = tiles ? (s8 ? kernels->gemm_s8[i].packing : kernels->gemm_f32[i].packing)
                       : (s8 ? kernels->dw_s8[i].packing : kernels->dw_f32[i].packing);
    return nnrt__packing_pick(two, n);
}

/* What packed weights are made from. */
typedef struct nnrt__conv_packed {
    nnrt__conv_spec spec;
    const nnrt__packing *packing;
    nnrt__conv_layout layout;
    size_t blocks, n, pieces; /* blocks of n channels, and the pieces of their products */
    size_t size;              /* bytes of a block */
} nnrt__conv_packed;

/* The weights of channel o for PLANES: k elements. */
NNRT__FN void nnrt__conv_take_planes(const nnrt__conv_spec *spec, const nnrt__ir_value *weights, size_t o,
                                     uint8_t *to) {
    const size_t element = nnrt__element_size(weights->dtype), taps = nnrt__conv_taps(spec), run = spec->k / taps;
    const size_t width = (size_t)spec->geometry.kernel_w;
    const uint8_t *w = (const uint8_t *)weights->data + (ptrdiff_t)o * spec->channel_stride * (ptrdiff_t)element;
    size_t t, c;
    for (t = 0; t < taps; t++)
        for (c = 0; c < run; c++, w += spec->k_stride * (ptrdiff_t)element)
            memcpy(to + ((t / width * run + c) * width + t % width) * element, w, element);
}

/* The weights of block b, without the per-channel constants. rows: for PLANES, room for all of them. */
NNRT__FN nnrt__weights nnrt__conv_weights(const nnrt__ir_value *weights, const nnrt__conv_packed *packed, size_t b,
                                          uint8_t *rows) {
    const nnrt__conv_spec *spec = &packed->spec;
    const ptrdiff_t first = (ptrdiff_t)(b * packed->n) * spec->channel_stride;
    const size_t element = nnrt__element_size(weights->dtype);
    nnrt__weights from;
    size_t o;
    memset(&from, 0, sizeof(from));
    from.w = rows != NULL ? rows : (const uint8_t *)weights->data + first * (ptrdiff_t)element;
    from.n = packed->n;
    from.pieces = packed->pieces;
    from.piece = spec->k / packed->pieces;
    from.n_stride = rows != NULL ? (ptrdiff_t)spec->k : spec->channel_stride;
    from.k_stride = rows != NULL ? 1 : spec->k_stride;
    for (o = 0; rows != NULL && o < packed->n; o++)
        nnrt__conv_take_planes(spec, weights, o, rows + o * spec->k * element);
    return from;
}

/* int8 and float32. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_packed(const nnrt__filling *filling, void *to) {
    const nnrt__conv_packed *packed = (const nnrt__conv_packed *)filling->context;
    const nnrt__conv_spec *spec = &packed->spec;
    const nnrt__ir_node *node = filling->node;
    const nnrt__ir_value *weights = nnrt__ir_in(filling->ir, node, 1);
    const size_t channels = (size_t)spec->out_c;
    const bool s8 = spec->type == NNRT__CONV_S8, planes = packed->layout == NNRT__CONV_PLANES;
    int32_t *constants = s8 ? (int32_t *)nnrt__alloc_zero(channels, 3 * sizeof(int32_t)) : NULL;
    uint8_t *rows = planes ? (uint8_t *)nnrt__alloc_zero(weights->size, 1) : NULL;
    const uint8_t *bias = node->input_count > 2 ? (const uint8_t *)nnrt__ir_in(filling->ir, node, 2)->data : NULL;
    const bool has_memory = (constants != NULL || !s8) && (rows != NULL || !planes);
    size_t b;
    if (has_memory && s8) nnrt__conv_channels(filling->ir, node, spec, true, packed->packing->a_offset, constants);
    if (s8) bias = (const uint8_t *)(const void *)constants;
    for (b = 0; has_memory && b < packed->blocks; b++) {
        nnrt__weights from = nnrt__conv_weights(weights, packed, b, rows);
        from.bias = bias != NULL ? bias + b * packed->n * 4 : NULL;
        from.multiplier = s8 ? constants + channels + b * packed->n : NULL;
        from.shift = s8 ? constants + 2 * channels + b * packed->n : NULL;
        from.taken = filling->taken;
        nnrt__pack((uint8_t *)to + b * packed->size, packed->packing, &from);
    }
    nnrt__free(rows);
    nnrt__free(constants);
    return has_memory ? OH_NN_SUCCESS : nnrt__fail_memory();
}

/* Packed weights, int8 or float32. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_pack(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec,
                                          const nnrt__packing *packing, nnrt__conv_layout layout, uint32_t *value,
                                          uint64_t *bytes) {
    const bool tiles = layout == NNRT__CONV_TILES;
    nnrt__conv_packed packed;
    size_t total;
    memset(&packed, 0, sizeof(packed));
    packed.spec = *spec;
    packed.packing = packing;
    packed.layout = layout;
    packed.blocks = tiles ? (size_t)spec->group : 1;
    packed.n = nnrt__conv_packed_channels(spec, layout);
    packed.pieces = tiles ? nnrt__conv_pieces(nnrt__conv_taps(spec), nnrt__conv_spec_span(packing, spec)) : 1;
    if (!nnrt__packing_size(packing, packed.n, packed.pieces, spec->k / packed.pieces, &packed.size) ||
        !nnrt__mul_size(packed.size, packed.blocks, &total) || total > INT32_MAX)
        return nnrt__ir_fail(lower->ir, node, OH_NN_FAILED, "the packed weights are too large");
    *bytes = total;
    *value = nnrt__lower_constant(lower, node, spec->type == NNRT__CONV_S8 ? OH_NN_INT32 : OH_NN_FLOAT32, total / 4,
                                  nnrt__fill_conv_packed, &packed, sizeof(packed));
    return lower->status;
}

#endif /* NNRT_CPU_OPS_CONV_SPEC_H */
