/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_unary.h - operators of one operand, CAST and QUANT_DTYPE_CAST.   >>cpu_ops_unary */
#ifndef NNRT_CPU_OPS_UNARY_H
#define NNRT_CPU_OPS_UNARY_H

#include "lower_elementwise.h"

/* ---------------------------------------------------------------------------------------------- functions */

/* What a node computes; false: EXP with a base that is not positive. */
NNRT__FN bool nnrt__unary_read(const nnrt__ir_node *node, nnrt__unary_args *args) {
    static const struct {
        OH_NN_OperationType op;
        uint32_t kind;
    } rows[] = {
        {OH_NN_OPS_RELU, NNRT__UNARY_CLIP},       {OH_NN_OPS_RELU6, NNRT__UNARY_CLIP},
        {OH_NN_OPS_CLIP, NNRT__UNARY_CLIP},       {OH_NN_OPS_LEAKY_RELU, NNRT__UNARY_LEAKY_RELU},
        {OH_NN_OPS_HSWISH, NNRT__UNARY_HSWISH},   {OH_NN_OPS_HARD_SIGMOID, NNRT__UNARY_HARD_SIGMOID},
        {OH_NN_OPS_SIGMOID, NNRT__UNARY_SIGMOID}, {OH_NN_OPS_TANH, NNRT__UNARY_TANH},
        {OH_NN_OPS_SWISH, NNRT__UNARY_SWISH},     {OH_NN_OPS_GELU, NNRT__UNARY_GELU},
        {OH_NN_OPS_ABS, NNRT__UNARY_ABS},         {OH_NN_OPS_NEG, NNRT__UNARY_NEG},
        {OH_NN_OPS_SQUARE, NNRT__UNARY_SQUARE},   {OH_NN_OPS_SQRT, NNRT__UNARY_SQRT},
        {OH_NN_OPS_RSQRT, NNRT__UNARY_RSQRT},     {OH_NN_OPS_EXP, NNRT__UNARY_EXP},
        {OH_NN_OPS_LOG, NNRT__UNARY_LOG},         {OH_NN_OPS_SIN, NNRT__UNARY_SIN},
        {OH_NN_OPS_COS, NNRT__UNARY_COS},         {OH_NN_OPS_ERF, NNRT__UNARY_ERF},
        {OH_NN_OPS_CEIL, NNRT__UNARY_CEIL},       {OH_NN_OPS_FLOOR, NNRT__UNARY_FLOOR},
        {OH_NN_OPS_ROUND, NNRT__UNARY_ROUND},     {OH_NN_OPS_RECIPROCAL, NNRT__UNARY_RECIPROCAL},
    };
    float base;
    double logarithm;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        if (rows[i].op == node->op) args->kind = rows[i].kind;
    switch (node->op) {
    case OH_NN_OPS_RELU: args->beta = INFINITY; break;
    case OH_NN_OPS_RELU6: args->beta = 6.0f; break;
    case OH_NN_OPS_CLIP:
        args->alpha = nnrt__ir_float(node, OH_NN_CLIP_MIN, 0.0f);
        args->beta = nnrt__ir_float(node, OH_NN_CLIP_MAX, 0.0f);
        break;
    case OH_NN_OPS_LEAKY_RELU: args->alpha = nnrt__ir_float(node, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, 0.0f); break;
    case OH_NN_OPS_GELU:
        if (nnrt__ir_int(node, OH_NN_GELU_APPROXIMATE, 0) != 0) args->kind = NNRT__UNARY_GELU_TANH;
        break;
    case OH_NN_OPS_EXP:
        if (nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) != 0) { /* TensorFlow Lite's ELU is read as one */
            args->kind = NNRT__UNARY_ELU;
            break;
        }
        base = nnrt__ir_float(node, OH_NN_EXP_BASE, -1.0f);
        if (base != -1.0f && !(base > 0.0f)) return false;
        logarithm = base == -1.0f ? 1.0 : log((double)base);
        args->alpha = (float)(logarithm * (double)nnrt__ir_float(node, OH_NN_EXP_SCALE, 1.0f));
        args->beta = (float)(logarithm * (double)nnrt__ir_float(node, OH_NN_EXP_SHIFT, 0.0f));
        break;
    default: break;
    }
    return true;
}

/* Are the operator's results integers if its operands are? */
NNRT__FN bool nnrt__unary_keeps_integers(OH_NN_OperationType op) {
    return op == OH_NN_OPS_ABS || op == OH_NN_OPS_NEG || op == OH_NN_OPS_SQUARE;
}

/* A number or truth value without quantization, for a result of float32 or truth values: it is computed in float32. */
NNRT__FN bool nnrt__unary_casts(const nnrt__ir_value *in, const nnrt__ir_value *out) {
    return nnrt__is_integer(in->dtype) && in->quant.count == 0 &&
           (out->dtype == OH_NN_FLOAT32 || (out->dtype == OH_NN_BOOL && in->dtype == OH_NN_BOOL));
}

NNRT__FN OH_NN_ReturnCode nnrt__unary_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    const bool integers = nnrt__unary_keeps_integers(node->op) && in->quant.count == 0 &&
                          (in->dtype == OH_NN_INT32 || in->dtype == OH_NN_INT64);
    if (!nnrt__unary_read(node, (nnrt__unary_args *)node->spec))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the base is neither -1 nor positive");
    if (!(integers && out->dtype == in->dtype) && !nnrt__unary_casts(in, out))
        code = integers ? nnrt__ir_fail(ir, node, OH_NN_FAILED, "the data types of input and output differ")
                        : nnrt__infer_real(ir, node, 1);
    return code != OH_NN_SUCCESS ? code : nnrt__infer_same_shape(ir, node);
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_unary(const nnrt__filling *filling, void *to) {
    const nnrt__lut_quant in = nnrt__lut_quant_of(nnrt__ir_in(filling->ir, filling->node, 0));
    const nnrt__lut_quant out = nnrt__lut_quant_of(nnrt__ir_out(filling->ir, filling->node, 0));
    const OH_NN_OperationType op = filling->node->op;
    const nnrt__unary_args *args = (const nnrt__unary_args *)filling->node->spec;
    uint8_t *table = (uint8_t *)to;
    if (op == OH_NN_OPS_RELU || op == OH_NN_OPS_RELU6 || (op == OH_NN_OPS_CLIP && args->alpha <= args->beta))
        nnrt__lut_requantize(&in, &out, nnrt__lut_ratio_f32(&in, &out), args->alpha, args->beta, table);
    else if (op == OH_NN_OPS_LEAKY_RELU && fabsf(args->alpha) < INFINITY)
        nnrt__lut_leaky_relu(&in, &out, args->alpha, table);
    else if (op == OH_NN_OPS_ABS) nnrt__lut_abs(&in, &out, table);
    else if (op == OH_NN_OPS_RSQRT) nnrt__lut_rsqrt(&in, &out, table);
    else if (op != OH_NN_OPS_HSWISH || !nnrt__lut_hswish(&in, &out, table))
        nnrt__lut_unary(&in, &out, args->kind, args->alpha, args->beta, table);
    return OH_NN_SUCCESS;
}

/* The int16 step of a node; false: it has none, and is computed in float. */
NNRT__FN bool nnrt__unary_s16_of(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__unary_s16_args *args) {
    const float in = (float)nnrt__ir_in(ir, node, 0)->quant.scales[0];
    const float out = (float)nnrt__ir_out(ir, node, 0)->quant.scales[0];
    const bool is_tanh = node->op == OH_NN_OPS_TANH;
    const nnrt__unary_args *real = (const nnrt__unary_args *)node->spec;
    memset(args, 0, sizeof(*args));
    if (is_tanh || node->op == OH_NN_OPS_SIGMOID) {
        args->kind = is_tanh ? NNRT__S16_TANH : NNRT__S16_LOGISTIC;
        return fabs(log((double)out) / log(2.0) + 15.0) < 1e-3 &&
               nnrt__sigmoid_scale((double)in, is_tanh, &args->multiplier, &args->shift);
    }
    args->clamp_min = -32768;
    args->clamp_max = 32767;
    if (node->op == OH_NN_OPS_ABS) {
        args->kind = NNRT__S16_ABS;
        nnrt__unary_s16_slopes(args, in, out, 0.0f);
        return true;
    }
    if (node->op != OH_NN_OPS_RELU && node->op != OH_NN_OPS_RELU6 && node->op != OH_NN_OPS_LEAKY_RELU) return false;
    if (!(fabsf(real->alpha) < INFINITY)) return false;
    args->kind = NNRT__S16_RELU;
    args->slope_sign = real->alpha < 0.0f ? -1 : 1;
    if (node->op != OH_NN_OPS_LEAKY_RELU)
        nnrt__clamp_range_to_s16(0.0f, real->beta, out, &args->clamp_min, &args->clamp_max);
    nnrt__unary_s16_slopes(args, in, out, real->alpha);
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_sigmoid(const nnrt__filling *filling, void *to) {
    (void)filling;
    nnrt__sigmoid_table((uint16_t *)to);
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__unary_lower_s16(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__unary_s16_args *args) {
    const bool table = args->kind == NNRT__S16_LOGISTIC || args->kind == NNRT__S16_TANH;
    uint32_t inputs[2], output = nnrt__lower_value(lower, node->outputs[0]);
    void *to;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    if (table)
        inputs[1] = nnrt__lower_constant(lower, node, OH_NN_UINT16, NNRT__SIGMOID_TABLE, nnrt__fill_sigmoid, NULL, 0);
    to = nnrt__lower_step(lower, NNRT__KIND(unary_s16), node, inputs, table ? 2 : 1, &output, 1, NULL);
    if (to != NULL) memcpy(to, args, sizeof(*args));
}

/* Casts operands to float32; a bool result says which numbers are not 0. */
NNRT__FN void nnrt__unary_lower_cast(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *out = nnrt__ir_out(lower->ir, node, 0);
    const uint32_t from = nnrt__lower_as_dtype(lower, node, node->inputs[0], OH_NN_FLOAT32);
    uint32_t to = nnrt__lower_value(lower, node->outputs[0]), real = to;
    if (out->dtype != OH_NN_FLOAT32) real = nnrt__lower_like(lower, OH_NN_FLOAT32, node->outputs[0]);
    (void)nnrt__lower_spec(lower, NNRT__KIND(unary), node, &from, 1, &real, 1, NULL);
    if (real != to) (void)nnrt__lower_step(lower, NNRT__KIND(cast), node, &real, 1, &to, 1, NULL);
}

NNRT__FN void nnrt__unary_lower_binary(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t kind, uint32_t a,
                                       uint32_t b, uint32_t to) {
    uint32_t inputs[2];
    nnrt__binary_int_args *args;
    inputs[0] = a;
    inputs[1] = b;
    args = (nnrt__binary_int_args *)nnrt__lower_step(lower, NNRT__KIND(binary_int), node, inputs, 2, &to, 1, NULL);
    if (args == NULL) return;
    args->kind = kind;
    args->type = NNRT__INT_S64;
    args->clamp_min = INT64_MIN;
    args->clamp_max = INT64_MAX;
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_unary_zero(const nnrt__filling *filling, void *to) {
    (void)filling;
    (void)to; /* it is zeroed */
    return OH_NN_SUCCESS;
}

/* NEG, ABS and SQUARE of int64, modulo 2^64: 0 - x, the larger of x and 0 - x, and x * x. */
NNRT__FN void nnrt__unary_lower_s64(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t from = nnrt__lower_value(lower, node->inputs[0]), to = nnrt__lower_value(lower, node->outputs[0]);
    uint32_t zero, negative = to;
    if (node->op == OH_NN_OPS_SQUARE) {
        nnrt__unary_lower_binary(lower, node, NNRT__BINARY_MUL, from, from, to);
        return;
    }
    zero = nnrt__lower_constant(lower, node, OH_NN_INT64, 1, nnrt__fill_unary_zero, NULL, 0);
    if (node->op == OH_NN_OPS_ABS) negative = nnrt__lower_like(lower, OH_NN_INT64, node->outputs[0]);
    nnrt__unary_lower_binary(lower, node, NNRT__BINARY_SUB, zero, from, negative);
    if (negative != to) nnrt__unary_lower_binary(lower, node, NNRT__BINARY_MAXIMUM, from, negative, to);
}

NNRT__FN OH_NN_ReturnCode nnrt__unary_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    nnrt__unary_s16_args s16;
    if (nnrt__unary_casts(in, nnrt__ir_out(lower->ir, node, 0))) {
        nnrt__unary_lower_cast(lower, node);
        return lower->status;
    }
    if (in->dtype == OH_NN_INT64) {
        nnrt__unary_lower_s64(lower, node);
        return lower->status;
    }
    if (nnrt__ir_is_quant16(nnrt__ir_in(lower->ir, node, 0)) && nnrt__unary_s16_of(lower->ir, node, &s16)) {
        nnrt__unary_lower_s16(lower, node, &s16);
    } else if (nnrt__ir_is_quant8(nnrt__ir_in(lower->ir, node, 0))) {
        nnrt__lower_lut(lower, node, nnrt__fill_unary);
    } else {
        const bool wide = nnrt__ir_is_quant16(nnrt__ir_in(lower->ir, node, 0));
        uint32_t input =
            wide ? nnrt__lower_as_f32(lower, node, node->inputs[0]) : nnrt__lower_value(lower, node->inputs[0]);
        uint32_t output =
            wide ? nnrt__lower_f32_result(lower, node->outputs[0]) : nnrt__lower_value(lower, node->outputs[0]);
        (void)nnrt__lower_spec(lower, NNRT__KIND(unary), node, &input, 1, &output, 1, NULL);
        if (wide) nnrt__lower_from_f32(lower, node, output, node->outputs[0]);
    }
    return lower->status;
}

/* --------------------------------------------------------------------------------------------------- CAST */

NNRT__FN OH_NN_ReturnCode nnrt__cast_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *type = nnrt__ir_in(ir, node, 1);
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    int32_t wanted;
    if (type->data == NULL || type->size < sizeof(wanted))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the type is no constant of 4 bytes");
    wanted = nnrt__read_i32(type->data);
    if (wanted != 0 && wanted != (int32_t)out->dtype)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the type differs from the declared data type of the output");
    if (!nnrt__is_cast_type((uint32_t)in->dtype) || !nnrt__is_cast_type((uint32_t)out->dtype))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "it takes bool, integers and floats");
    return nnrt__infer_same_shape(ir, node);
}

NNRT__FN OH_NN_ReturnCode nnrt__cast_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t input = nnrt__lower_value(lower, node->inputs[0]), output = nnrt__lower_value(lower, node->outputs[0]);
    (void)nnrt__lower_step(lower, NNRT__KIND(cast), node, &input, 1, &output, 1, NULL);
    return lower->status;
}

/* --------------------------------------------------------------------------------------- QUANT_DTYPE_CAST */

/* A type parameter as OH_NN_DataType: 1..12 as they are, 30..44 as MindSpore's type numbers; 0 for all
   others. */
NNRT__FN uint32_t nnrt__quant_cast_type(const nnrt__ir_node *node, OH_NN_TensorType type) {
    static const uint8_t from_type_id[15] = {1, 0, 2, 3, 4, 5, 0, 6, 7, 8, 9, 0, 10, 11, 12};
    const int64_t number = nnrt__ir_int(node, type, 0);
    return number >= 1 && number <= 12    ? (uint32_t)number
           : number >= 30 && number <= 44 ? from_type_id[number - 30]
                                          : 0;
}

/* One pair, or one for each index of the axis. */
NNRT__FN bool nnrt__quant_fits_axis(const nnrt__ir_value *value, const nnrt__ir_value *shape, int64_t axis) {
    uint32_t k;
    return value->quant.count == 1 || (value->quant.count > 1 && nnrt__ir_axis(axis, shape->rank, &k) &&
                                       value->quant.count == (uint32_t)shape->dims[k]);
}

NNRT__INLINE bool nnrt__is_quant_cast_type(const nnrt__ir_value *value) {
    return value->dtype == OH_NN_INT8 || value->dtype == OH_NN_UINT8 || value->dtype == OH_NN_INT16 ||
           value->dtype == OH_NN_INT32;
}

/* Does one of them have more than 8 bits, floats aside? */
NNRT__INLINE bool nnrt__quant_cast_is_wide(const nnrt__ir_value *in, const nnrt__ir_value *out) {
    return in->dtype == OH_NN_INT16 || in->dtype == OH_NN_INT32 || out->dtype == OH_NN_INT16 ||
           out->dtype == OH_NN_INT32;
}

NNRT__FN OH_NN_ReturnCode nnrt__quant_cast_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const int64_t axis = nnrt__ir_int(node, OH_NN_QUANT_DTYPE_CAST_AXIS, 0);
    const bool in_real = in->dtype == OH_NN_FLOAT32, out_real = out->dtype == OH_NN_FLOAT32;
    const bool in_int = nnrt__is_quant_cast_type(in), out_int = nnrt__is_quant_cast_type(out);
    if (nnrt__quant_cast_type(node, OH_NN_QUANT_DTYPE_CAST_SRC_T) != (uint32_t)in->dtype ||
        nnrt__quant_cast_type(node, OH_NN_QUANT_DTYPE_CAST_DST_T) != (uint32_t)out->dtype)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the source or destination type is not that of the tensor");
    if (!(in_int || in_real) || !(out_int || out_real) || (in_real && out_real))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "it converts between float32, int8, uint8, int16 and quantized int32");
    *(int64_t *)node->spec = axis;
    if ((in_int && !nnrt__quant_fits_axis(in, in, axis)) || (out_int && !nnrt__quant_fits_axis(out, in, axis)))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED,
                             "scales and zero points are missing, or not as many as the axis is long");
    if (nnrt__quant_cast_is_wide(in, out)) {
        if ((in_real || out_real) ? in->dtype == OH_NN_INT32 || out->dtype == OH_NN_INT32
                                  : in->quant.count != 1 || out->quant.count != 1)
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "int16 and int32 convert to other integers per tensor, and int32 not to float32");
        if (!in_real && !out_real && in->quant.scales[0] / out->quant.scales[0] >= 1073741824.0)
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the ratio of the scales is 2^30 or more");
    }
    return nnrt__infer_same_shape(ir, node);
}

/* context: the IR value. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_scales(const nnrt__filling *filling, void *to) {
    const nnrt__ir_value *value = *(const nnrt__ir_value *const *)filling->context;
    size_t i;
    for (i = 0; i < filling->count; i++) ((float *)to)[i] = (float)value->quant.scales[i];
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_zero_points(const nnrt__filling *filling, void *to) {
    const nnrt__ir_value *value = *(const nnrt__ir_value *const *)filling->context;
    memcpy(to, value->quant.zero_points, filling->count * sizeof(int32_t));
    return OH_NN_SUCCESS;
}

/* Between float and the bytes of `value`, per tensor or per channel of its axis. */
NNRT__FN void nnrt__lower_quant_cast(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__ir_value *value,
                                     uint32_t from, uint32_t to) {
    const uint32_t count = value->quant.count;
    uint32_t inputs[3], axis = 0;
    nnrt__quantize_args *args;
    if (count == 1) {
        nnrt__lower_quantize(lower, node, value, from, to);
        return;
    }
    inputs[0] = from;
    inputs[1] = nnrt__lower_constant(lower, node, OH_NN_FLOAT32, count, nnrt__fill_scales, &value, sizeof(value));
    inputs[2] = nnrt__lower_constant(lower, node, OH_NN_INT32, count, nnrt__fill_zero_points, &value, sizeof(value));
    (void)nnrt__ir_axis(*(const int64_t *)node->spec, value->rank, &axis);
    args = (nnrt__quantize_args *)nnrt__lower_step(lower, NNRT__KIND(quantize), node, inputs, 3, &to, 1, NULL);
    if (args != NULL) args->axis = axis;
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_quant_cast(const nnrt__filling *filling, void *to) {
    const nnrt__lut_quant in = nnrt__lut_quant_of(nnrt__ir_in(filling->ir, filling->node, 0));
    const nnrt__lut_quant out = nnrt__lut_quant_of(nnrt__ir_out(filling->ir, filling->node, 0));
    nnrt__lut_requantize(&in, &out, in.scale / out.scale, -INFINITY, INFINITY, (uint8_t *)to);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__quant_cast_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    uint32_t from, to, middle;
    if (nnrt__ir_is_quant8(in) && nnrt__ir_is_quant8(out)) {
        nnrt__lower_lut(lower, node, nnrt__fill_quant_cast);
        return lower->status;
    }
    from = nnrt__lower_value(lower, node->inputs[0]);
    to = nnrt__lower_value(lower, node->outputs[0]);
    if (in->dtype != OH_NN_FLOAT32 && out->dtype != OH_NN_FLOAT32 && nnrt__quant_cast_is_wide(in, out)) {
        nnrt__requantize_ints_args *args = (nnrt__requantize_ints_args *)nnrt__lower_step(
            lower, NNRT__KIND(requantize_ints), node, &from, 1, &to, 1, NULL);
        if (args == NULL) return lower->status;
        nnrt__quantize_multiplier(in->quant.scales[0] / out->quant.scales[0], &args->multiplier, &args->shift);
        args->input_zero_point = in->quant.zero_points[0];
        args->output_zero_point = out->quant.zero_points[0];
    } else if (in->dtype == OH_NN_FLOAT32) {
        nnrt__lower_quant_cast(lower, node, out, from, to);
    } else if (out->dtype == OH_NN_FLOAT32) {
        nnrt__lower_quant_cast(lower, node, in, from, to);
    } else {
        middle = nnrt__lower_like(lower, OH_NN_FLOAT32, node->inputs[0]);
        nnrt__lower_quant_cast(lower, node, in, from, middle);
        nnrt__lower_quant_cast(lower, node, out, middle, to);
    }
    return lower->status;
}

#endif /* NNRT_CPU_OPS_UNARY_H */
