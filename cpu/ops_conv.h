/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_conv.h - the steps of convolutions, full connection and pools; the rows.   >>cpu_ops_conv

   Which step a convolution or full connection becomes:
       float activations, int8 weights      hybrid
       int16 activations                    unpacked, depthwise or not
       one filter per channel               depthwise
       weights that may stay in the model   raw
       everything else                      packed GEMM, one block of tiles per group */
#ifndef NNRT_CPU_OPS_CONV_H
#define NNRT_CPU_OPS_CONV_H

#include "ops_conv_pool.h"
#include "ops_conv_spec.h"
#include "ops_conv_transpose.h"
#include "steps_conv_dw.h"

/* ----------------------------------------------------------------------------------------------- lowering */

NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_scales(const nnrt__filling *filling, void *to) {
    const double *scales = nnrt__ir_in(filling->ir, filling->node, 1)->quant.scales;
    size_t i;
    for (i = 0; i < filling->count; i++) ((float *)to)[i] = (float)scales[i];
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_lower_hybrid(nnrt__lower *lower, const nnrt__ir_node *node,
                                                  const nnrt__conv_spec *spec, nnrt__step_info *info) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *weights = nnrt__ir_in(lower->ir, node, 1);
    const int32_t batches = spec->columns > 0 ? (int32_t)(in->count / (size_t)spec->columns) : in->dims[0];
    uint32_t outputs[2], inputs[5], source = nnrt__lower_value(lower, node->inputs[0]);
    nnrt__quantize_batches_args *quantize;
    nnrt__conv_args *args;
    inputs[0] = outputs[0] = nnrt__lower_temporary(lower, OH_NN_INT8, in->rank, in->dims);
    inputs[1] = outputs[1] = nnrt__lower_temporary(lower, OH_NN_FLOAT32, 1, &batches);
    quantize = (nnrt__quantize_batches_args *)nnrt__lower_step(lower, &nnrt__step_quantize_batches, node, &source, 1,
                                                               outputs, 2, NULL);
    if (quantize == NULL) return lower->status;
    quantize->batches = batches;
    inputs[2] = nnrt__conv_rows(lower, node, spec);
    inputs[3] = nnrt__lower_constant(lower, node, OH_NN_FLOAT32, weights->quant.count, nnrt__fill_conv_scales, NULL, 0);
    inputs[4] = nnrt__conv_bias_f32(lower, node, spec);
    outputs[0] = nnrt__lower_value(lower, node->outputs[0]);
    info->weights_bytes = weights->size + 4 * (uint64_t)spec->out_c;
    args = (nnrt__conv_args *)nnrt__lower_step(
        lower, spec->columns > 0 ? &nnrt__step_fc_hybrid : &nnrt__step_conv_hybrid, node, inputs, 5, outputs, 1, info);
    if (args != NULL) nnrt__conv_fill_args(lower->ir, node, spec, NULL, args);
    return lower->status;
}

/* Depthwise weights as the kernel has them: [taps][channels]. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_taps(const nnrt__filling *filling, void *to) {
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)filling->context;
    const int8_t *from = (const int8_t *)nnrt__ir_in(filling->ir, filling->node, 1)->data;
    const size_t channels = (size_t)spec->out_c;
    size_t t, o;
    for (t = 0; t < spec->k; t++)
        for (o = 0; o < channels; o++)
            ((int8_t *)to)[t * channels + o] =
                from[(ptrdiff_t)o * spec->channel_stride + (ptrdiff_t)t * spec->k_stride];
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_lower_s16(nnrt__lower *lower, const nnrt__ir_node *node,
                                               const nnrt__conv_spec *spec, bool depthwise, nnrt__step_info *info) {
    const nnrt__ir_value *weights = nnrt__ir_in(lower->ir, node, 1);
    uint32_t inputs[3], output = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__conv_args *args;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    if (!depthwise) inputs[1] = nnrt__conv_rows(lower, node, spec);
    else if (spec->channel_stride == 1) inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    else
        inputs[1] =
            nnrt__lower_constant(lower, node, OH_NN_INT8, weights->count, nnrt__fill_conv_taps, spec, sizeof(*spec));
    inputs[2] = nnrt__conv_channels_of_s16(lower, node, spec);
    info->weights_bytes = weights->size + 16 * (uint64_t)spec->out_c;
    args = (nnrt__conv_args *)nnrt__lower_step(lower,
                                               depthwise           ? &nnrt__step_dw_s16
                                               : spec->columns > 0 ? &nnrt__step_fc_s16
                                                                   : &nnrt__step_conv_s16,
                                               node, inputs, 3, &output, 1, info);
    if (args != NULL) nnrt__conv_fill_args(lower->ir, node, spec, NULL, args);
    return lower->status;
}

/* A full connection of one row with so few outputs that a packed tile would be mostly padding (micro_speech:
   4 of 16, 48 KB of zeros): its weights are copied into the plan as they are. true, and *weights set. */
NNRT__FN bool nnrt__fc_is_narrow(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec, bool s8,
                                 uint32_t *weights) {
    const size_t rows = nnrt__ir_out(lower->ir, node, 0)->count / (size_t)spec->out_c;
    const uint32_t nr = nnrt__conv_packing(lower->kernels, spec, s8, false)->nr;
    if (spec->columns <= 0 || rows != 1 || 2 * (uint32_t)spec->out_c > nr) return false;
    *weights = nnrt__lower_value(lower, node->inputs[1]);
    return *weights != NNRT__NONE;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_lower_spec(nnrt__lower *lower, const nnrt__ir_node *node,
                                                const nnrt__conv_spec *spec) {
    nnrt__ir *ir = lower->ir;
    const nnrt__step_kind *kind;
    nnrt__step_info info;
    nnrt__conv_args *args;
    uint32_t inputs[3], input_count = 2, output;
    const nnrt__packing *packing = NULL;
    bool depthwise, s8, fc;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    s8 = spec->type == NNRT__CONV_S8;
    fc = spec->columns > 0;
    depthwise = spec->group > 1 && spec->group == spec->in_c && spec->group == spec->out_c;
    memset(&info, 0, sizeof(info));
    info.macs = (uint64_t)nnrt__ir_out(ir, node, 0)->count * spec->k;
    info.weight_scales = spec->type == NNRT__CONV_F32 ? 0 : nnrt__ir_in(ir, node, 1)->quant.count;
    if (spec->type == NNRT__CONV_S16) return nnrt__conv_lower_s16(lower, node, spec, depthwise, &info);
    if (spec->type == NNRT__CONV_HYBRID) return nnrt__conv_lower_hybrid(lower, node, spec, &info);
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    output = nnrt__lower_value(lower, node->outputs[0]);
    if (!depthwise && spec->k_stride == 1 &&
        ((lower->keep_weights && nnrt__lower_in_model(lower, node->inputs[1], &inputs[1])) ||
         nnrt__fc_is_narrow(lower, node, spec, s8, &inputs[1]))) {
        input_count = 3;
        info.weights_bytes = nnrt__ir_in(ir, node, 1)->size + (uint64_t)spec->out_c * (s8 ? 12 : 4);
        inputs[2] = s8 ? nnrt__conv_channels_raw(lower, node, spec, true) : nnrt__conv_bias_f32(lower, node, spec);
        kind = s8 ? (fc ? &nnrt__step_fc_raw_s8 : &nnrt__step_conv_raw_s8)
                  : (fc ? &nnrt__step_fc_raw_f32 : &nnrt__step_conv_raw_f32);
    } else if (s8) {
        code = nnrt__conv_pack(lower, node, spec, true, depthwise, &inputs[1], &info.weights_bytes);
        kind = depthwise ? &nnrt__step_dw_s8 : fc ? &nnrt__step_fc_s8 : &nnrt__step_conv_s8;
        packing = nnrt__conv_packing(lower->kernels, spec, s8, depthwise);
    } else {
        code = nnrt__conv_pack(lower, node, spec, false, depthwise, &inputs[1], &info.weights_bytes);
        kind = depthwise ? &nnrt__step_dw_f32 : fc ? &nnrt__step_fc_f32 : &nnrt__step_conv_f32;
        packing = nnrt__conv_packing(lower->kernels, spec, s8, depthwise);
    }
    if (code != OH_NN_SUCCESS) return code;
    args = (nnrt__conv_args *)nnrt__lower_step(lower, kind, node, inputs, input_count, &output, 1, &info);
    if (args != NULL) nnrt__conv_fill_args(ir, node, spec, packing, args);
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    nnrt__conv_spec spec;
    const OH_NN_ReturnCode code = nnrt__conv_read_any(lower->ir, node, &spec);
    return code != OH_NN_SUCCESS ? code : nnrt__conv_lower_spec(lower, node, &spec);
}

/* ----------------------------------------------------------------------------------------------- the rows */

NNRT__CPU_OP(CONV2D, NNRT__CPU_CLAMPS | NNRT__CPU_HEAVY, nnrt__conv_infer, nnrt__conv_lower)
NNRT__CPU_OP(DEPTHWISE_CONV2D_NATIVE, NNRT__CPU_CLAMPS | NNRT__CPU_HEAVY, nnrt__conv_infer, nnrt__conv_lower)
NNRT__CPU_OP(FULL_CONNECTION, NNRT__CPU_CLAMPS | NNRT__CPU_HEAVY, nnrt__conv_infer, nnrt__conv_lower)
NNRT__CPU_OP(AVG_POOL, NNRT__CPU_HEAVY, nnrt__pool_infer, nnrt__pool_lower)
NNRT__CPU_OP(MAX_POOL, NNRT__CPU_HEAVY, nnrt__pool_infer, nnrt__pool_lower)
NNRT__CPU_OP(CONV2D_TRANSPOSE, NNRT__CPU_HEAVY, nnrt__conv_transpose_infer, nnrt__conv_transpose_lower)

#endif /* NNRT_CPU_OPS_CONV_H */
