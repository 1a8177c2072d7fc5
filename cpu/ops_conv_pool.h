/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_conv_pool.h - AvgPool and MaxPool: what they accept, their shapes, their steps.   >>cpu_ops_conv_pool

   Both take the same parameters, stored under different types. */
#ifndef NNRT_CPU_OPS_CONV_POOL_H
#define NNRT_CPU_OPS_CONV_POOL_H

#include "ops_conv_spec.h"
#include "steps_conv_pool.h"

typedef struct nnrt__pool_params {
    nnrt__geometry_params geometry;
    OH_NN_TensorType kernel, round_mode, global;
} nnrt__pool_params;

NNRT__FN const nnrt__pool_params *nnrt__pool_params_of(OH_NN_OperationType op) {
    static const nnrt__pool_params average = {
        {OH_NN_AVG_POOL_STRIDE, OH_NN_TENSOR, OH_NN_AVG_POOL_PAD_MODE, OH_NN_AVG_POOL_PAD},
        OH_NN_AVG_POOL_KERNEL_SIZE,
        OH_NN_AVG_POOL_ROUND_MODE,
        OH_NN_AVG_POOL_GLOBAL};
    static const nnrt__pool_params maximum = {
        {OH_NN_MAX_POOL_STRIDE, OH_NN_TENSOR, OH_NN_MAX_POOL_PAD_MODE, OH_NN_MAX_POOL_PAD},
        OH_NN_MAX_POOL_KERNEL_SIZE,
        OH_NN_MAX_POOL_ROUND_MODE,
        OH_NN_MAX_POOL_GLOBAL};
    return op == OH_NN_OPS_AVG_POOL ? &average : &maximum;
}

/* Fills the fields that depend on the data type; geometry and clamps of args are set. */
NNRT__FN OH_NN_ReturnCode nnrt__pool_read_types(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__pool_args *args) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    args->clamp_min = -128;
    args->clamp_max = 127;
    if (in->dtype == OH_NN_INT8) {
        double in_scale = 1, out_scale = 1;
        const bool plain = in->quant.count == 0 && out->quant.count == 0; /* integers that are not quantized */
        /* uint8 in the model: its averages round differently (cpu/rewrite_uint8.h) */
        if (nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) != 0 && node->op == OH_NN_OPS_AVG_POOL) args->offset = 128;
        if (!plain && (!nnrt__quant_s8(in, &in_scale, &args->input_zero_point) ||
                       !nnrt__quant_s8(out, &out_scale, &args->output_zero_point)))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "input and output must both have one scale and one zero point, or none");
        args->rescale =
            in_scale < out_scale || in_scale > out_scale || args->input_zero_point != args->output_zero_point;
        nnrt__quantize_multiplier(in_scale / out_scale, &args->multiplier, &args->shift);
        nnrt__clamp_range_to_quantized(args->clamp_low, args->clamp_high, (float)out_scale, args->output_zero_point,
                                       &args->clamp_min, &args->clamp_max);
        return nnrt__ir_check_rescale(ir, node, in_scale, 255, args->shift);
    }
    if (in->dtype == OH_NN_INT16) {
        double in_scale = 1, out_scale = 1;
        if ((in->quant.count != 0 || out->quant.count != 0) &&
            (!nnrt__quant_s16(in, &in_scale) || !nnrt__quant_s16(out, &out_scale)))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "input and output must both have one scale and the zero point 0, or none");
        args->rescale = in_scale < out_scale || in_scale > out_scale;
        nnrt__quantize_multiplier(in_scale / out_scale, &args->multiplier, &args->shift);
        nnrt__clamp_range_to_s16(args->clamp_low, args->clamp_high, (float)out_scale, &args->clamp_min,
                                 &args->clamp_max);
        return nnrt__ir_check_rescale(ir, node, in_scale, 32768, args->shift);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__pool_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__pool_params *params = nnrt__pool_params_of(node->op);
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    nnrt__pool_args *args = (nnrt__pool_args *)node->spec;
    nnrt__geometry *g = &args->geometry;
    const char *reason = NULL;
    int32_t out_dims[4];
    OH_NN_ReturnCode code;
    if (in->rank != 4) return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the input must have four dimensions");
    if ((in->dtype != OH_NN_INT8 && in->dtype != OH_NN_INT16 && in->dtype != OH_NN_FLOAT32) || out->dtype != in->dtype)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "input and output must both be int8, both be int16 or both be float32, or both be "
                             "quantized uint8");
    out_dims[0] = in->dims[0];
    out_dims[3] = in->dims[3];
    if (nnrt__ir_int(node, params->global, 0) != 0) {
        g->kernel_h = in->dims[1];
        g->kernel_w = in->dims[2];
        g->stride_h = g->stride_w = g->dilation_h = g->dilation_w = 1;
        out_dims[1] = out_dims[2] = 1;
    } else {
        nnrt__conv_window window;
        if (!nnrt__ir_pair(node, params->kernel, &g->kernel_h, &g->kernel_w))
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the kernel size must be two values from 1 to 32768");
        reason = nnrt__conv_window_read(node, &params->geometry, &window);
        if (reason == NULL)
            reason = nnrt__geometry_pool(&window, nnrt__ir_int(node, params->round_mode, 0) == 1, in->dims[1],
                                         in->dims[2], g, &out_dims[1], &out_dims[2]);
    }
    if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    if ((int64_t)g->kernel_h * g->kernel_w > NNRT__POOL_TAPS_MAX)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the window has more cells than the kernels can add");
    (void)nnrt__activation_bounds(node, &args->clamp_low, &args->clamp_high);
    code = nnrt__pool_read_types(ir, node, args);
    return code != OH_NN_SUCCESS ? code : nnrt__ir_set_shape(ir, node, 0, 4, out_dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__pool_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const OH_NN_DataType dtype = nnrt__ir_in(lower->ir, node, 0)->dtype;
    const bool average = node->op == OH_NN_OPS_AVG_POOL;
    const nnrt__step_kind *kind = dtype == OH_NN_INT8 ? (average ? NNRT__KIND(avg_pool_s8) : NNRT__KIND(max_pool_s8))
                                  : dtype == OH_NN_INT16
                                      ? (average ? NNRT__KIND(avg_pool_s16) : NNRT__KIND(max_pool_s16))
                                      : (average ? NNRT__KIND(avg_pool_f32) : NNRT__KIND(max_pool_f32));
    const uint32_t input = nnrt__lower_value(lower, node->inputs[0]),
                   output = nnrt__lower_value(lower, node->outputs[0]);
    return nnrt__lower_spec(lower, kind, node, &input, 1, &output, 1, NULL);
}

#endif /* NNRT_CPU_OPS_CONV_POOL_H */
