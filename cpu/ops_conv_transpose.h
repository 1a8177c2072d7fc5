/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_conv_transpose.h - Conv2DTranspose: what it accepts, its shape, its step.   >>cpu_ops_conv_transpose

   Weights come as [out_c, kh, kw, in_c / group] or, told apart by the length
   of the bias, as [in_c, kh, kw, out_c / group]; the step has one layout, [out_c][kh][kw][in_c / group]. */
#ifndef NNRT_CPU_OPS_CONV_TRANSPOSE_H
#define NNRT_CPU_OPS_CONV_TRANSPOSE_H

#include "ops_conv_spec.h"

/* The shape that a .tflite file gives as a fourth input, [batch, height, width, out]. The batch is the input's: of a
   constant that says another one, whose file is run with more images than it was made for, TensorFlow Lite computes
   the first. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_shape(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                     const nnrt__conv_window *window, nnrt__conv_spec *spec) {
    const nnrt__ir_value *value = nnrt__ir_in(ir, node, 3);
    int64_t shape[4];
    uint32_t count = 0;
    const char *reason;
    if (value->data == NULL)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the shape of the output is not computed yet");
    if (!nnrt__ir_constant_ints(value, shape, 4, &count) || count != 4 || shape[3] != spec->out_c)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED,
                             "the shape of the output is not four integers that end in its channels");
    reason = nnrt__geometry_transposed_to(window, shape[1], shape[2], &spec->geometry);
    if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    spec->out_dims[1] = (int32_t)shape[1];
    spec->out_dims[2] = (int32_t)shape[2];
    return OH_NN_SUCCESS;
}

/* inputs_first: the weights have the second layout. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_read(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__conv_spec *spec,
                                                    bool *inputs_first) {
    static const nnrt__geometry_params params = {OH_NN_CONV2D_TRANSPOSE_STRIDES, OH_NN_CONV2D_TRANSPOSE_DILATION,
                                                 OH_NN_CONV2D_TRANSPOSE_PAD_MODE, OH_NN_CONV2D_TRANSPOSE_PAD};
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const int64_t group = nnrt__ir_int(node, OH_NN_CONV2D_TRANSPOSE_GROUP, 1);
    const int32_t *w = weights->dims;
    int64_t extra[2] = {0, 0}, channels;
    uint32_t count;
    nnrt__conv_window window;
    const char *reason;
    OH_NN_ReturnCode code;
    memset(spec, 0, sizeof(*spec));
    if (in->rank != 4 || weights->rank != 4)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "input and weights must have four dimensions");
    spec->in_c = in->dims[3];
    channels = (int64_t)nnrt__ir_in(ir, node, 2)->count;
    if (group < 1 || group > spec->in_c)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the number of groups must be from 1 to the input channels");
    *inputs_first = !(w[0] == channels && (int64_t)w[3] * group == spec->in_c);
    if (*inputs_first && !(w[0] == spec->in_c && (int64_t)w[3] * group == channels))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "weights, bias and groups do not fit the input channels");
    spec->out_c = (int32_t)channels;
    spec->group = (int32_t)group;
    spec->geometry.kernel_h = w[1];
    spec->geometry.kernel_w = w[2];
    code = nnrt__conv_read_types(ir, node, spec);
    if (code == OH_NN_SUCCESS) code = nnrt__conv_read_groups(ir, node, spec);
    if (code != OH_NN_SUCCESS) return code;
    if (spec->type == NNRT__CONV_HYBRID)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "data types must be int8, float32, or int16 with int8 weights");
    reason = nnrt__conv_window_read(node, &params, &window);
    if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    count = nnrt__ir_ints(node, OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS, extra, 2);
    if (count == 1) extra[1] = extra[0];
    if (count > 2 || !nnrt__in_range(extra[0], 0, window.stride_h - 1) ||
        !nnrt__in_range(extra[1], 0, window.stride_w - 1))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "output paddings must be at least 0 and less than the stride");
    if (node->input_count > 3) {
        code = nnrt__conv_transpose_shape(ir, node, &window, spec);
        if (code != OH_NN_SUCCESS) return code;
    } else {
        reason = nnrt__geometry_transposed(&window, (int32_t)extra[0], (int32_t)extra[1], in->dims[1], in->dims[2],
                                           &spec->geometry, &spec->out_dims[1], &spec->out_dims[2]);
        if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    }
    spec->out_rank = 4;
    spec->out_dims[0] = in->dims[0];
    spec->out_dims[3] = spec->out_c;
    (void)nnrt__activation_bounds(node, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE, &spec->low, &spec->high);
    return OH_NN_SUCCESS;
}

/* As nnrt__conv_check_scales; weights of the second layout are summed up for each tap of each input channel of the
   group, where those of an output channel lie spec->n apart. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_check_scales(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                            const nnrt__conv_spec *spec, bool inputs_first) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t o;
    for (o = 0; code == OH_NN_SUCCESS && nnrt__conv_is_integer(spec) && o < (size_t)spec->out_c; o++) {
        const ptrdiff_t first =
            inputs_first ? (ptrdiff_t)(o / spec->n * spec->k * spec->n + o % spec->n) : (ptrdiff_t)(o * spec->k);
        code = nnrt__conv_check_channel(ir, node, o, first, inputs_first ? (ptrdiff_t)spec->n : 1, spec->k);
    }
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__conv_spec spec;
    bool inputs_first;
    OH_NN_ReturnCode code = nnrt__conv_transpose_read(ir, node, &spec, &inputs_first);
    if (code == OH_NN_SUCCESS) code = nnrt__conv_transpose_check_scales(ir, node, &spec, inputs_first);
    return code != OH_NN_SUCCESS ? code : nnrt__ir_set_shape(ir, node, 0, spec.out_rank, spec.out_dims);
}

/* Weights of the second layout as [out_c][taps][in_c / group]. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_transpose_rows(const nnrt__filling *filling, void *rows) {
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)filling->context;
    const nnrt__ir_value *weights = nnrt__ir_in(filling->ir, filling->node, 1);
    const size_t element = nnrt__element_size(weights->dtype), run = (size_t)(spec->in_c / spec->group);
    const size_t taps = spec->k / run;
    const uint8_t *from = (const uint8_t *)weights->data;
    uint8_t *to = (uint8_t *)rows;
    size_t o, t, c;
    for (o = 0; o < (size_t)spec->out_c; o++)
        for (t = 0; t < taps; t++)
            for (c = 0; c < run; c++, to += element) {
                const size_t in_channel = o / spec->n * run + c;
                memcpy(to, from + ((in_channel * taps + t) * spec->n + o % spec->n) * element, element);
            }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *weights = nnrt__ir_in(lower->ir, node, 1);
    nnrt__conv_spec spec;
    nnrt__step_info info;
    nnrt__conv_args *args;
    uint32_t inputs[3], output;
    bool inputs_first, s8;
    const nnrt__step_kind *kind;
    OH_NN_ReturnCode code = nnrt__conv_transpose_read(lower->ir, node, &spec, &inputs_first);
    if (code != OH_NN_SUCCESS) return code;
    s8 = spec.type == NNRT__CONV_S8;
    memset(&info, 0, sizeof(info));
    info.macs = (uint64_t)nnrt__ir_in(lower->ir, node, 0)->count * spec.n * (spec.k / (size_t)(spec.in_c / spec.group));
    info.weights_bytes = weights->size + (uint64_t)spec.out_c * (s8 ? 12 : spec.type == NNRT__CONV_S16 ? 16 : 4);
    info.weight_scales = nnrt__conv_is_integer(&spec) ? weights->quant.count : 0;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = inputs_first ? nnrt__lower_constant(lower, node, weights->dtype, weights->count,
                                                    nnrt__fill_conv_transpose_rows, &spec, sizeof(spec))
                             : nnrt__lower_value(lower, node->inputs[1]);
    inputs[2] = s8                            ? nnrt__conv_channels_raw(lower, node, &spec, false)
                : spec.type == NNRT__CONV_S16 ? nnrt__conv_channels_of_s16(lower, node, &spec)
                                              : nnrt__conv_bias_f32(lower, node, &spec);
    output = nnrt__lower_value(lower, node->outputs[0]);
    kind = s8                            ? NNRT__KIND(conv_transpose_s8)
           : spec.type == NNRT__CONV_S16 ? NNRT__KIND(conv_transpose_s16)
                                         : NNRT__KIND(conv_transpose_f32);
    args = (nnrt__conv_args *)nnrt__lower_step(lower, kind, node, inputs, 3, &output, 1, &info);
    if (args != NULL) nnrt__conv_fill_args(lower->ir, node, &spec, NULL, args);
    return lower->status;
}

#endif /* NNRT_CPU_OPS_CONV_TRANSPOSE_H */
