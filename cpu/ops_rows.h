/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_rows.h - SOFTMAX, LOG_SOFTMAX, the normalisations, SCALE and BIAS_ADD.   >>cpu_ops_rows */
#ifndef NNRT_CPU_OPS_ROWS_H
#define NNRT_CPU_OPS_ROWS_H

#include "lower_elementwise.h"

/* ------------------------------------------------------------------------------------------------ softmax */

/* Does the output have the range built into the fixed-point form? For int16 within a thousandth. */
NNRT__FN bool nnrt__softmax_s8_range(const nnrt__ir_value *out) {
    if (out->quant.count != 1) return false;
    if (out->dtype == OH_NN_INT8)
        return (float)out->quant.scales[0] == 1.0f / 256.0f && out->quant.zero_points[0] == -128;
    return out->dtype == OH_NN_INT16 && fabs(out->quant.scales[0] * 65536.0 - 1.0) <= 0.001 &&
           out->quant.zero_points[0] == -32768;
}

NNRT__FN bool nnrt__softmax_takes_s8(const nnrt__ir_node *node, const nnrt__ir_value *in, const nnrt__ir_value *out) {
    nnrt__softmax_s8_scale scale;
    return node->op == OH_NN_OPS_SOFTMAX && in->dtype == OH_NN_INT8 && in->quant.count == 1 &&
           nnrt__softmax_s8_range(out) && nnrt__softmax_s8_scale_of(in->quant.scales[0], &scale);
}

NNRT__FN OH_NN_ReturnCode nnrt__softmax_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const bool log_softmax = node->op == OH_NN_OPS_LOG_SOFTMAX;
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    nnrt__row_args *row = (nnrt__row_args *)node->spec;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    const int64_t axis =
        log_softmax ? nnrt__ir_int(node, OH_NN_LOG_SOFTMAX_AXIS, 0) : nnrt__ir_int(node, OH_NN_SOFTMAX_AXIS, -1);
    /* int16 from an int8 input exists in fixed point only */
    if (out->dtype != OH_NN_INT16 || !nnrt__softmax_takes_s8(node, in, out)) code = nnrt__infer_real(ir, node, 1);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(axis, in->rank, &row->first))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the axis is none of the input");
    row->kind = log_softmax ? NNRT__ROW_LOG_SOFTMAX : NNRT__ROW_SOFTMAX;
    row->end = row->first + 1;
    return nnrt__infer_same_shape(ir, node);
}

/* A step over rows in float, between quantizations where the tensors are bytes. */
NNRT__FN OH_NN_ReturnCode nnrt__lower_row_f32(nnrt__lower *lower, const nnrt__step_kind *kind,
                                              const nnrt__ir_node *node) {
    const uint32_t input = nnrt__lower_as_f32(lower, node, node->inputs[0]);
    return nnrt__lower_spec_f32(lower, kind, node, &input, 1);
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_softmax_s8(const nnrt__filling *filling, void *to) {
    (void)nnrt__softmax_s8_table(nnrt__ir_in(filling->ir, filling->node, 0)->quant.scales[0], (int32_t *)to);
    return OH_NN_SUCCESS;
}

/* The same for int16: results have 15 bits. */
NNRT__FN bool nnrt__softmax_takes_s16(const nnrt__ir_node *node, const nnrt__ir_value *in, const nnrt__ir_value *out,
                                      uint32_t axis, nnrt__softmax_s16_args *args) {
    if (NNRT__KIND(softmax_s16) == NULL || node->op != OH_NN_OPS_SOFTMAX || !nnrt__ir_is_quant16(in) ||
        (uint32_t)in->dims[axis] > NNRT__SOFTMAX_S16_MAX || !(fabs(out->quant.scales[0] * 32768.0 - 1.0) <= 0.001))
        return false;
    args->axis = axis;
    args->reserved = 0;
    nnrt__quantize_multiplier(in->quant.scales[0] / (10.0 / 65535.0), &args->multiplier, &args->shift);
    return args->shift <= 30;
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_softmax_s16(const nnrt__filling *filling, void *to) {
    (void)filling;
    nnrt__softmax_s16_tables((int16_t *)to);
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__softmax_lower_s16(nnrt__lower *lower, const nnrt__ir_node *node,
                                      const nnrt__softmax_s16_args *args) {
    uint32_t inputs[2], output = nnrt__lower_value(lower, node->outputs[0]);
    void *to;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_constant(lower, node, OH_NN_INT16, 2 * NNRT__S16_TABLE, nnrt__fill_softmax_s16, NULL, 0);
    to = nnrt__lower_step(lower, NNRT__KIND(softmax_s16), node, inputs, 2, &output, 1, NULL);
    if (to != NULL) memcpy(to, args, sizeof(*args));
}

/* Is it a row of few elements, for a processor where flash counts? All axes behind the row's are 1. */
NNRT__FN bool nnrt__softmax_takes_few(const nnrt__lower *lower, const nnrt__ir_value *in, const nnrt__ir_value *out,
                                      uint32_t axis) {
    const unsigned small = (unsigned)NNRT__ISA_CORTEX_M4 | (unsigned)NNRT__ISA_CORTEX_M55; /* or scalar */
    uint32_t k;
    for (k = axis + 1; k < in->rank; k++)
        if (in->dims[k] != 1) return false;
    return (lower->kernels->isa & ~small) == 0 && out->dtype == OH_NN_INT8 && in->count <= NNRT__SOFTMAX_S8_FEW &&
           nnrt__lower_has(lower, NNRT__KIND(softmax_few_s8));
}

NNRT__FN void nnrt__softmax_lower_few(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__ir_value *in,
                                      uint32_t axis) {
    const uint32_t input = nnrt__lower_value(lower, node->inputs[0]),
                   output = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__softmax_few_s8_args *args = (nnrt__softmax_few_s8_args *)nnrt__lower_step(lower, NNRT__KIND(softmax_few_s8),
                                                                                    node, &input, 1, &output, 1, NULL);
    if (args == NULL) return;
    args->axis = axis;
    (void)nnrt__softmax_s8_scale_of(in->quant.scales[0], &args->scale);
}

NNRT__FN OH_NN_ReturnCode nnrt__softmax_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const uint32_t axis = ((const nnrt__row_args *)node->spec)->first;
    nnrt__softmax_s16_args s16;
    if (nnrt__softmax_takes_s16(node, in, out, axis, &s16)) {
        nnrt__softmax_lower_s16(lower, node, &s16);
    } else if (nnrt__softmax_takes_s8(node, in, out) && nnrt__softmax_takes_few(lower, in, out, axis)) {
        nnrt__softmax_lower_few(lower, node, in, axis);
    } else if (nnrt__softmax_takes_s8(node, in, out)) {
        uint32_t inputs[2], output;
        nnrt__softmax_s8_args *args;
        inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
        inputs[1] = nnrt__lower_constant(lower, node, OH_NN_INT32, 256, nnrt__fill_softmax_s8, NULL, 0);
        output = nnrt__lower_value(lower, node->outputs[0]);
        args =
            (nnrt__softmax_s8_args *)nnrt__lower_step(lower, NNRT__KIND(softmax_s8), node, inputs, 2, &output, 1, NULL);
        if (args != NULL) args->axis = axis;
    } else {
        (void)nnrt__lower_row_f32(lower, NNRT__KIND(row_f32), node);
    }
    return lower->status;
}

/* ------------------------------------------------------------------------------------------- L2_NORMALIZE */

/* The range first .. end-1 that covers the given axes and otherwise only axes of size 1; 0: a range with gaps, which
   has no kernel; -1: an invalid axis. */
NNRT__FN int nnrt__l2_axes(const nnrt__ir_node *node, const nnrt__ir_value *in, nnrt__row_args *row) {
    int64_t axes[NNRT_MAX_RANK];
    const uint32_t count = nnrt__ir_ints(node, OH_NN_L2_NORMALIZE_AXIS, axes, NNRT_MAX_RANK);
    bool given[NNRT_MAX_RANK] = {false};
    uint32_t k, axis;
    if (count > NNRT_MAX_RANK) return -1;
    row->first = 0;
    row->end = in->rank;
    if (count == 0) return 1;
    for (k = 0; k < count; k++) {
        if (!nnrt__ir_axis(axes[k], in->rank, &axis)) return -1;
        given[axis] = true;
    }
    while (row->first < row->end && !given[row->first]) row->first++;
    while (row->end > row->first && !given[row->end - 1]) row->end--;
    for (k = row->first; k < row->end; k++)
        if (!given[k] && in->dims[k] != 1) return 0;
    return 1;
}

NNRT__FN OH_NN_ReturnCode nnrt__l2_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    OH_NN_ReturnCode code = nnrt__infer_real(ir, node, 1);
    nnrt__row_args *row = (nnrt__row_args *)node->spec;
    int found;
    if (code != OH_NN_SUCCESS) return code;
    row->kind = NNRT__ROW_L2_NORMALIZE;
    row->epsilon = nnrt__ir_float(node, OH_NN_L2_NORMALIZE_EPSILON, 1e-6f);
    row->clamps = nnrt__activation_bounds(node, &row->clamp_min, &row->clamp_max);
    found = nnrt__l2_axes(node, nnrt__ir_in(ir, node, 0), row);
    if (found < 0) return nnrt__ir_fail(ir, node, OH_NN_FAILED, "an axis is none of the input");
    if (found == 0) return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "its axes must be neighbours");
    return nnrt__infer_same_shape(ir, node);
}

/* TensorFlow Lite's form: fixed output range, no epsilon. */
NNRT__FN bool nnrt__l2_takes_s8(const nnrt__ir_value *in, const nnrt__ir_value *out, const nnrt__row_args *row) {
    int64_t n = 1;
    uint32_t k;
    for (k = row->first; k < row->end; k++) n *= in->dims[k];
    return in->dtype == OH_NN_INT8 && out->dtype == OH_NN_INT8 && (float)out->quant.scales[0] == 1.0f / 128.0f &&
           out->quant.zero_points[0] == 0 && row->clamps == 0 && n <= (int64_t)NNRT__L2_S8_MOST;
}

NNRT__FN OH_NN_ReturnCode nnrt__l2_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const nnrt__row_args *row = (const nnrt__row_args *)node->spec;
    if (nnrt__l2_takes_s8(in, out, row)) {
        const uint32_t from = nnrt__lower_value(lower, node->inputs[0]);
        const uint32_t to = nnrt__lower_value(lower, node->outputs[0]);
        nnrt__l2_s8_args *args =
            (nnrt__l2_s8_args *)nnrt__lower_step(lower, NNRT__KIND(l2_s8), node, &from, 1, &to, 1, NULL);
        if (args == NULL) return lower->status;
        args->first = row->first;
        args->end = row->end;
        args->zero_point = in->quant.zero_points[0];
        return lower->status;
    }
    return nnrt__lower_row_f32(lower, NNRT__KIND(row_f32), node);
}

/* ----------------------------------------------------------------------------------------------------- LRN

   Across the last dimension. The window has DEPTH_RADIUS elements on both sides, as in TensorFlow, its Lite's fast
   kernel and MindSpore; TensorFlow Lite's reference kernel leaves the last one out. ALPHA is as it is given. */

NNRT__FN OH_NN_ReturnCode nnrt__lrn_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t radius = nnrt__ir_int(node, OH_NN_LRN_DEPTH_RADIUS, 0);
    const int64_t row = in->rank == 0 ? 1 : in->dims[in->rank - 1];
    nnrt__lrn_args *args = (nnrt__lrn_args *)node->spec;
    OH_NN_ReturnCode code = nnrt__infer_real(ir, node, 1);
    if (code != OH_NN_SUCCESS) return code;
    if (radius < 0) return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the radius is negative");
    args->radius = (uint32_t)(radius < row ? radius : row);
    args->bias = nnrt__ir_float(node, OH_NN_LRN_BIAS, 0.0f);
    args->alpha = nnrt__ir_float(node, OH_NN_LRN_ALPHA, 0.0f);
    args->beta = nnrt__ir_float(node, OH_NN_LRN_BETA, 0.0f);
    return nnrt__infer_same_shape(ir, node);
}

NNRT__FN OH_NN_ReturnCode nnrt__lrn_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    return nnrt__lower_row_f32(lower, NNRT__KIND(lrn_f32), node);
}

/* ------------------------------------------------------------------------------------- LAYER_NORM,
   INSTANCE_NORM */

/* The channels of INSTANCE_NORM are dimension 1 of an input whose format is NCHW or ND, as OpenHarmony's header has it,
   and else the last one. */
NNRT__FN bool nnrt__normalize_read(const nnrt__ir_node *node, const nnrt__ir_value *in, nnrt__normalize_args *args) {
    if (node->op == OH_NN_OPS_LAYER_NORM) {
        args->epsilon = nnrt__ir_float(node, OH_NN_LAYER_NORM_EPSILON, 1e-7f);
        return nnrt__ir_axis(nnrt__ir_int(node, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, 1), in->rank, &args->axis);
    }
    args->instance = 1;
    args->epsilon = nnrt__ir_float(node, OH_NN_INSTANCE_NORM_EPSILON, 0.0f);
    args->axis = in->format == OH_NN_FORMAT_NCHW || in->format == OH_NN_FORMAT_ND ? 1 : in->rank - 1;
    return in->rank >= 2;
}

NNRT__FN OH_NN_ReturnCode nnrt__normalize_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__normalize_args *args = (nnrt__normalize_args *)node->spec;
    OH_NN_ReturnCode code = nnrt__infer_real(ir, node, 1);
    size_t scales = 1;
    uint32_t i;
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__normalize_read(node, in, args))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the axis is none of the input");
    for (i = args->axis; i < (args->instance == 0 ? in->rank : args->axis + 1); i++) scales *= (size_t)in->dims[i];
    for (i = 1; i < 3; i++) {
        const nnrt__ir_value *value = nnrt__ir_in(ir, node, i);
        if (value->dtype != OH_NN_FLOAT32 && !nnrt__is_constant_real(value))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "scale and bias are neither float32 nor constants");
        if (value->count != scales)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "scale or bias has not the size of what is normalised");
    }
    return nnrt__infer_same_shape(ir, node);
}

/* The plan value of a float tensor, or of a constant of numbers. */
NNRT__FN uint32_t nnrt__lower_numbers(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t ir_value) {
    return lower->ir->values[ir_value].dtype == OH_NN_FLOAT32 ? nnrt__lower_value(lower, ir_value)
                                                              : nnrt__lower_constant_f32(lower, node, ir_value);
}

NNRT__FN OH_NN_ReturnCode nnrt__normalize_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t inputs[3];
    inputs[0] = nnrt__lower_as_f32(lower, node, node->inputs[0]);
    inputs[1] = nnrt__lower_numbers(lower, node, node->inputs[1]);
    inputs[2] = nnrt__lower_numbers(lower, node, node->inputs[2]);
    return nnrt__lower_spec_f32(lower, NNRT__KIND(normalize_f32), node, inputs, 3);
}

/* -------------------------------------------------------------------------------------- BATCH_NORM, SCALE */

typedef struct nnrt__affine_spec {
    nnrt__affine_args args;
    float epsilon; /* of BATCH_NORM */
} nnrt__affine_spec;

/* The axes of the channels. BATCH_NORM: the last one, whatever the format. OpenHarmony's header puts it there, and its
   runtime drops the format of all tensors: honouring it would change the results of programs that say NCHW. */
NNRT__FN bool nnrt__affine_axes(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *first, uint32_t *end) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *scale = nnrt__ir_in(ir, node, 1);
    uint32_t k;
    if (in->rank == 0) return false;
    *first = in->rank - 1;
    *end = in->rank;
    if (node->op == OH_NN_OPS_BATCH_NORM) return scale->count == (size_t)in->dims[in->rank - 1];
    if (!nnrt__ir_axis(nnrt__ir_int(node, OH_NN_SCALE_AXIS, -1), in->rank, first)) return false;
    if (scale->rank > in->rank - *first) return false;
    *end = *first + scale->rank;
    for (k = 0; k < scale->rank; k++)
        if (scale->dims[k] != in->dims[*first + k]) return false;
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__affine_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__affine_spec *spec = (nnrt__affine_spec *)node->spec;
    OH_NN_ReturnCode code = nnrt__infer_real(ir, node, 1);
    uint32_t i;
    if (code != OH_NN_SUCCESS) return code;
    spec->epsilon = nnrt__ir_float(node, OH_NN_BATCH_NORM_EPSILON, 0.0001f);
    spec->args.clamps = nnrt__activation_bounds(node, &spec->args.clamp_min, &spec->args.clamp_max);
    if (!nnrt__affine_axes(ir, node, &spec->args.first, &spec->args.end))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the scale does not fit the input");
    for (i = 1; i < node->input_count; i++) {
        if (nnrt__ir_in(ir, node, i)->count != nnrt__ir_in(ir, node, 1)->count)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the inputs beside the first differ in size");
        if (!nnrt__is_constant_real(nnrt__ir_in(ir, node, i)))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "an input beside the first is no constant of numbers");
    }
    return nnrt__infer_same_shape(ir, node);
}

/* context: the number of the constant among the step's inputs; 1: what is subtracted, 2: factors, 3: what is added. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_affine(const nnrt__filling *filling, void *to) {
    const nnrt__ir_node *node = filling->node;
    const bool batch = node->op == OH_NN_OPS_BATCH_NORM;
    const uint32_t which = *(const uint32_t *)filling->context;
    const nnrt__ir_value *scale = nnrt__ir_in(filling->ir, node, 1), *bias = nnrt__ir_in(filling->ir, node, 2);
    const nnrt__ir_value *mean = batch ? nnrt__ir_in(filling->ir, node, 3) : NULL;
    const nnrt__ir_value *variance = batch ? nnrt__ir_in(filling->ir, node, 4) : NULL;
    const double epsilon = (double)((const nnrt__affine_spec *)node->spec)->epsilon;
    size_t i;
    for (i = 0; i < filling->count; i++) {
        double x = which == 1 ? 0.0 : nnrt__constant_real(which == 2 ? scale : bias, i);
        if (which == 1 && mean != NULL) x = nnrt__constant_real(mean, i);
        if (which == 2 && variance != NULL) x /= sqrt(nnrt__constant_real(variance, i) + epsilon);
        ((float *)to)[i] = (float)x;
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__affine_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const size_t count = nnrt__ir_in(lower->ir, node, 1)->count;
    uint32_t inputs[4], k;
    inputs[0] = nnrt__lower_as_f32(lower, node, node->inputs[0]);
    for (k = 1; k < 4; k++)
        inputs[k] = nnrt__lower_constant(lower, node, OH_NN_FLOAT32, count, nnrt__fill_affine, &k, sizeof(k));
    return nnrt__lower_spec_f32(lower, NNRT__KIND(affine_f32), node, inputs, 4);
}

/* ----------------------------------------------------------------------------------------------- BIAS_ADD */

NNRT__FN OH_NN_ReturnCode nnrt__bias_add_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *bias = nnrt__ir_in(ir, node, 1);
    OH_NN_ReturnCode code = nnrt__infer_real(ir, node, 1);
    if (code != OH_NN_SUCCESS) return code;
    if (bias->dtype != OH_NN_FLOAT32 && !nnrt__is_constant_real(bias))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the bias is neither float32 nor a constant");
    if (in->rank < 2 || bias->rank != 1 || bias->dims[0] != in->dims[in->rank - 1])
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the bias has not one element for each index of the last axis");
    ((nnrt__binary_f32_args *)node->spec)->kind = NNRT__BINARY_ADD;
    return nnrt__infer_same_shape(ir, node);
}

NNRT__FN OH_NN_ReturnCode nnrt__bias_add_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t inputs[2];
    inputs[0] = nnrt__lower_as_f32(lower, node, node->inputs[0]);
    inputs[1] = nnrt__lower_numbers(lower, node, node->inputs[1]);
    return nnrt__lower_spec_f32(lower, NNRT__KIND(binary_f32), node, inputs, 2);
}

#endif /* NNRT_CPU_OPS_ROWS_H */
