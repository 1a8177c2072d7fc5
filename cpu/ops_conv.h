/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_conv.h - the steps of convolutions, full connection and pools; the rows.   >>cpu_ops_conv

   Which step a convolution or full connection becomes:
       float activations, int8 weights      hybrid
       int16 activations                    unpacked, depthwise or not
       one filter per channel               depthwise
       weights that may stay in the model   raw
       narrow groups                        planes, by price (cpu/ops_conv_groups.h)
       everything else                      packed GEMM, one block of tiles per group */
#ifndef NNRT_CPU_OPS_CONV_H
#define NNRT_CPU_OPS_CONV_H

#include "ops_conv_groups.h"
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
                                                  const nnrt__conv_spec *spec, const nnrt__step_kind *kind,
                                                  nnrt__step_info *info) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *weights = nnrt__ir_in(lower->ir, node, 1);
    const int32_t batches = spec->columns > 0 ? (int32_t)(in->count / (size_t)spec->columns) : in->dims[0];
    uint32_t outputs[2], inputs[5], source = nnrt__lower_value(lower, node->inputs[0]);
    nnrt__quantize_batches_args *quantize;
    nnrt__conv_args *args;
    if (!nnrt__lower_needs(lower, NNRT__KIND(quantize_batches), node)) return lower->status;
    inputs[0] = outputs[0] = nnrt__lower_temporary(lower, OH_NN_INT8, in->rank, in->dims);
    inputs[1] = outputs[1] = nnrt__lower_temporary(lower, OH_NN_FLOAT32, 1, &batches);
    quantize = (nnrt__quantize_batches_args *)nnrt__lower_step(lower, NNRT__KIND(quantize_batches), node, &source, 1,
                                                               outputs, 2, NULL);
    if (quantize == NULL) return lower->status;
    quantize->batches = batches;
    inputs[2] = nnrt__conv_rows(lower, node, spec);
    inputs[3] = nnrt__lower_constant(lower, node, OH_NN_FLOAT32, weights->quant.count, nnrt__fill_conv_scales, NULL, 0);
    inputs[4] = nnrt__conv_bias_f32(lower, node, spec);
    outputs[0] = nnrt__lower_value(lower, node->outputs[0]);
    info->weights_bytes = weights->size + 4 * (uint64_t)spec->out_c;
    args = (nnrt__conv_args *)nnrt__lower_step(lower, kind, node, inputs, 5, outputs, 1, info);
    if (args != NULL) nnrt__conv_fill_args(lower->ir, node, spec, NULL, args);
    return lower->status;
}

/* Weights for int16 in the layout of the depthwise kernels, [taps][channels]: one filter per channel is one plane. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_conv_taps(const nnrt__filling *filling, void *to) {
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)filling->context;
    const nnrt__ir_value *weights = nnrt__ir_in(filling->ir, filling->node, 1);
    const size_t channels = (size_t)spec->out_c;
    uint8_t *row = (uint8_t *)nnrt__alloc_zero(spec->k, 1);
    size_t t, o;
    if (row == NULL) return nnrt__fail_memory();
    for (o = 0; o < channels; o++) {
        nnrt__conv_take_planes(spec, weights, o, row);
        for (t = 0; t < spec->k; t++) ((uint8_t *)to)[t * channels + o] = row[t];
    }
    nnrt__free(row);
    return OH_NN_SUCCESS;
}

/* What a convolution of one type of activations may become; NULL: it cannot. */
typedef struct nnrt__conv_kinds {
    const nnrt__step_kind *tiles, *rows; /* a GEMM over packed weights, and over those as they are */
    const nnrt__step_kind *channels;     /* one filter per channel */
    const nnrt__step_kind *planes;       /* narrow groups */
} nnrt__conv_kinds;

/* fc: of full connection. */
NNRT__FN nnrt__conv_kinds nnrt__conv_kinds_of(nnrt__conv_type type, bool fc) {
    nnrt__conv_kinds kinds;
    memset(&kinds, 0, sizeof(kinds));
    if (type == NNRT__CONV_S8) {
        kinds.tiles = fc ? NNRT__KIND(fc_s8) : NNRT__KIND(conv_s8);
        kinds.rows = fc ? NNRT__KIND(fc_raw_s8) : NNRT__KIND(conv_raw_s8);
        kinds.channels = NNRT__KIND(dw_s8);
        kinds.planes = NNRT__HAVE_PLANES ? NNRT__KIND(dw_groups_s8) : NULL;
    } else if (type == NNRT__CONV_F32) {
        kinds.tiles = fc ? NNRT__KIND(fc_f32) : NNRT__KIND(conv_f32);
        kinds.rows = fc ? NNRT__KIND(fc_raw_f32) : NNRT__KIND(conv_raw_f32);
        kinds.channels = NNRT__KIND(dw_f32);
        kinds.planes = NNRT__HAVE_PLANES ? NNRT__KIND(dw_groups_f32) : NULL;
    } else if (type == NNRT__CONV_S16) {
        kinds.rows = fc ? NNRT__KIND(fc_s16) : NNRT__KIND(conv_s16);
        kinds.channels = NNRT__KIND(dw_s16);
        kinds.planes = NNRT__HAVE_PLANES ? NNRT__KIND(dw_groups_s16) : NULL;
    } else {
        kinds.rows = fc ? NNRT__KIND(fc_hybrid) : NNRT__KIND(conv_hybrid);
    }
    return kinds;
}

/* Is there one filter per channel? */
NNRT__INLINE bool nnrt__conv_is_depthwise(const nnrt__conv_spec *spec) {
    return spec->group > 1 && spec->group == spec->in_c && spec->group == spec->out_c;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_lower_s16(nnrt__lower *lower, const nnrt__ir_node *node,
                                               const nnrt__conv_spec *spec, const nnrt__conv_kinds *kinds,
                                               nnrt__step_info *info) {
    const nnrt__ir_value *weights = nnrt__ir_in(lower->ir, node, 1);
    const bool depthwise = nnrt__conv_is_depthwise(spec);
    const bool planes = !depthwise && nnrt__conv_becomes_planes(lower, spec, kinds->planes, NULL, NULL);
    uint32_t inputs[3], output = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__conv_args *args;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    if (!depthwise && !planes) inputs[1] = nnrt__conv_rows(lower, node, spec);
    else if (depthwise && spec->channel_stride == 1) inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    else
        inputs[1] =
            nnrt__lower_constant(lower, node, OH_NN_INT8, weights->count, nnrt__fill_conv_taps, spec, sizeof(*spec));
    inputs[2] = nnrt__conv_channels_of_s16(lower, node, spec);
    info->weights_bytes = weights->size + 16 * (uint64_t)spec->out_c;
    args = (nnrt__conv_args *)nnrt__lower_step(lower,
                                               depthwise ? kinds->channels
                                               : planes  ? kinds->planes
                                                         : kinds->rows,
                                               node, inputs, 3, &output, 1, info);
    if (args == NULL) return lower->status;
    nnrt__conv_fill_args(lower->ir, node, spec, NULL, args);
    if (planes) args->span = 0;
    return lower->status;
}

/* Is it a full connection of one row with so few outputs that a packed tile would be mostly padding (micro_speech: 4 of
   16, 48 KB of zeros)? */
NNRT__FN bool nnrt__fc_is_narrow(const nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec) {
    const size_t rows = nnrt__ir_out(lower->ir, node, 0)->count / (size_t)spec->out_c;
    return spec->columns > 0 && rows == 1 &&
           2 * (uint32_t)spec->out_c <= nnrt__conv_packing(lower->kernels, spec, NNRT__CONV_TILES)->nr;
}

/* Should the weights stay as they are? If true, *weights is set to a value in the model, or to a copy of it. */
NNRT__FN bool nnrt__conv_stays_raw(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec,
                                   const nnrt__conv_kinds *kinds, uint32_t *weights) {
    if (spec->k_stride != 1 || spec->weight_zero != 0 || !nnrt__lower_has(lower, kinds->rows)) return false;
    if (lower->keep_weights && nnrt__lower_in_model(lower, node->inputs[1], weights)) return true;
    if (nnrt__lower_has(lower, kinds->tiles) && !nnrt__fc_is_narrow(lower, node, spec)) return false;
    *weights = nnrt__lower_value(lower, node->inputs[1]);
    return *weights != NNRT__NONE;
}

/* The weights as they are, and what goes with each channel. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_lower_raw(nnrt__lower *lower, const nnrt__ir_node *node,
                                               const nnrt__conv_spec *spec, const nnrt__step_kind *kind,
                                               uint32_t weights, nnrt__step_info *info) {
    const bool s8 = spec->type == NNRT__CONV_S8;
    uint32_t inputs[3], output;
    nnrt__conv_args *args;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = weights;
    inputs[2] = s8 ? nnrt__conv_channels_raw(lower, node, spec, true) : nnrt__conv_bias_f32(lower, node, spec);
    output = nnrt__lower_value(lower, node->outputs[0]);
    info->weights_bytes = nnrt__ir_in(lower->ir, node, 1)->size + (uint64_t)spec->out_c * (s8 ? 12 : 4);
    args = (nnrt__conv_args *)nnrt__lower_step(lower, kind, node, inputs, 3, &output, 1, info);
    if (args != NULL) nnrt__conv_fill_args(lower->ir, node, spec, NULL, args);
    return lower->status;
}

/* How the weights of a GEMM are packed. One row of results reads each weight once, and where all channels have one
   factor it is not repeated, if the target has such a packing: in flash a full connection of 128 products per channel
   is 6 % smaller. */
NNRT__FN const nnrt__packing *nnrt__conv_packing_of_tiles(const nnrt__lower *lower, const nnrt__ir_node *node,
                                                          const nnrt__conv_spec *spec) {
    const nnrt__packing *few = lower->kernels->gemm_s8[1].packing;
    const bool is_one = nnrt__ir_out(lower->ir, node, 0)->count == (size_t)spec->out_c;
    if (spec->type == NNRT__CONV_S8 && nnrt__packing_is_shared(few) && is_one && spec->group == 1 &&
        nnrt__ir_in(lower->ir, node, 1)->quant.count == 1)
        return few;
    return nnrt__conv_packing(lower->kernels, spec, NNRT__CONV_TILES);
}

/* int8 and float32: packed weights, in the layout that is fastest. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_lower_packed(nnrt__lower *lower, const nnrt__ir_node *node,
                                                  const nnrt__conv_spec *spec, const nnrt__conv_kinds *kinds,
                                                  nnrt__step_info *info) {
    const nnrt__packing *packing = nnrt__conv_packing_of_tiles(lower, node, spec);
    const nnrt__packing *planes = nnrt__conv_packing(lower->kernels, spec, NNRT__CONV_PLANES);
    const nnrt__step_kind *kind = kinds->tiles;
    nnrt__conv_layout layout = NNRT__CONV_TILES;
    uint32_t inputs[2], output;
    nnrt__conv_args *args;
    OH_NN_ReturnCode code;
    if (nnrt__conv_is_depthwise(spec)) {
        layout = NNRT__CONV_CHANNELS;
        kind = kinds->channels;
        packing = planes;
    } else if (nnrt__conv_becomes_planes(lower, spec, kinds->planes, packing, planes)) {
        layout = NNRT__CONV_PLANES;
        kind = kinds->planes;
        packing = planes;
    }
    if (!nnrt__lower_needs(lower, kind, node)) return lower->status;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    output = nnrt__lower_value(lower, node->outputs[0]);
    code = nnrt__conv_pack(lower, node, spec, packing, layout, &inputs[1], &info->weights_bytes);
    if (code != OH_NN_SUCCESS) return code;
    args = (nnrt__conv_args *)nnrt__lower_step(lower, kind, node, inputs, 2, &output, 1, info);
    if (args == NULL) return lower->status;
    nnrt__conv_fill_args(lower->ir, node, spec, packing, args);
    if (layout == NNRT__CONV_PLANES) args->span = 0;
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)node->spec;
    const nnrt__conv_kinds kinds = nnrt__conv_kinds_of(spec->type, spec->columns > 0);
    nnrt__step_info info;
    uint32_t weights;
    memset(&info, 0, sizeof(info));
    info.macs = (uint64_t)nnrt__ir_out(lower->ir, node, 0)->count * spec->k;
    info.weight_scales = spec->type == NNRT__CONV_F32 ? 0 : nnrt__ir_in(lower->ir, node, 1)->quant.count;
    if (spec->type == NNRT__CONV_S16) return nnrt__conv_lower_s16(lower, node, spec, &kinds, &info);
    if (spec->type == NNRT__CONV_HYBRID) return nnrt__conv_lower_hybrid(lower, node, spec, kinds.rows, &info);
    if (!nnrt__conv_is_depthwise(spec) && nnrt__conv_stays_raw(lower, node, spec, &kinds, &weights))
        return nnrt__conv_lower_raw(lower, node, spec, kinds.rows, weights, &info);
    return nnrt__conv_lower_packed(lower, node, spec, &kinds, &info);
}

/* ----------------------------------------------------------------------------------------------- the rows */

NNRT__CPU_OP_READ(CONV2D, nnrt__conv_spec, NNRT__CPU_CLAMPS | NNRT__CPU_HEAVY, nnrt__conv_infer, nnrt__conv_lower)
NNRT__CPU_OP_READ(DEPTHWISE_CONV2D_NATIVE, nnrt__conv_spec, NNRT__CPU_CLAMPS | NNRT__CPU_HEAVY, nnrt__conv_infer,
                  nnrt__conv_lower)
NNRT__CPU_OP_READ(FULL_CONNECTION, nnrt__conv_spec, NNRT__CPU_CLAMPS | NNRT__CPU_HEAVY, nnrt__conv_infer,
                  nnrt__conv_lower)
NNRT__CPU_OP_READ(AVG_POOL, nnrt__pool_args, NNRT__CPU_HEAVY, nnrt__pool_infer, nnrt__pool_lower)
NNRT__CPU_OP_READ(MAX_POOL, nnrt__pool_args, NNRT__CPU_HEAVY, nnrt__pool_infer, nnrt__pool_lower)
NNRT__CPU_OP_READ(CONV2D_TRANSPOSE, nnrt__conv_spec, NNRT__CPU_HEAVY | NNRT__CPU_VALUES(3), nnrt__conv_transpose_infer,
                  nnrt__conv_transpose_lower)

#endif /* NNRT_CPU_OPS_CONV_H */
