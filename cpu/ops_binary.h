/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_binary.h - operators of two operands: arithmetic, comparisons, logic.   >>cpu_ops_binary

   Operands of different types without quantization are promoted to the later of bool, int8, uint8, int16,
   uint16, int32, uint32, int64, uint64, float16, float32, float64. */
#ifndef NNRT_CPU_OPS_BINARY_H
#define NNRT_CPU_OPS_BINARY_H

#include "lower_elementwise.h"

/* The type that two operands are promoted to. */
NNRT__FN OH_NN_DataType nnrt__promoted(OH_NN_DataType a, OH_NN_DataType b) {
    static const uint8_t place[13] = {0, 1, 2, 4, 6, 8, 3, 5, 7, 9, 10, 11, 12};
    return place[(unsigned)a] >= place[(unsigned)b] ? a : b;
}

/* --------------------------------------------------------------------------------------------- arithmetic */

/* The nnrt__binary_kind of a node; NNRT__BINARY_KINDS if it has none. A node's spec is its float step. */
NNRT__FN uint32_t nnrt__binary_read_kind(const nnrt__ir_node *node) {
    static const uint8_t eltwise[3] = {NNRT__BINARY_MUL, NNRT__BINARY_ADD, NNRT__BINARY_MAXIMUM};
    int64_t mode;
    switch (node->op) {
    case OH_NN_OPS_ADD: return NNRT__BINARY_ADD;
    case OH_NN_OPS_SUB: return NNRT__BINARY_SUB;
    case OH_NN_OPS_MUL: return NNRT__BINARY_MUL;
    case OH_NN_OPS_DIV: return NNRT__BINARY_DIV;
    case OH_NN_OPS_MAXIMUM: return NNRT__BINARY_MAXIMUM;
    case OH_NN_OPS_MINIMUM: return NNRT__BINARY_MINIMUM;
    case OH_NN_OPS_SQUARED_DIFFERENCE: return NNRT__BINARY_SQUARED_DIFFERENCE;
    case OH_NN_OPS_MOD: return NNRT__BINARY_MOD;
    case OH_NN_OPS_POW: /* TensorFlow Lite's ATAN2 is read as a special POW */
        return nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) != 0 ? NNRT__BINARY_ATAN2 : NNRT__BINARY_POW;
    case OH_NN_OPS_PRELU: return NNRT__BINARY_PRELU;
    default: break;
    }
    mode = nnrt__ir_int(node, OH_NN_ELTWISE_MODE, 0);
    return mode >= 0 && mode <= 2 ? eltwise[mode] : (uint32_t)NNRT__BINARY_KINDS;
}

/* Of truth values: ADD and MAXIMUM are "or", MINIMUM is "and". */
NNRT__FN bool nnrt__binary_takes_bool(OH_NN_OperationType op) {
    return op == OH_NN_OPS_ADD || op == OH_NN_OPS_MAXIMUM || op == OH_NN_OPS_MINIMUM;
}

NNRT__FN OH_NN_ReturnCode nnrt__binary_read(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, 1), *out = nnrt__ir_out(ir, node, 0);
    const uint32_t kind = nnrt__binary_read_kind(node);
    nnrt__binary_f32_args *spec = (nnrt__binary_f32_args *)node->spec;
    OH_NN_DataType dtype;
    spec->kind = kind;
    spec->scale = nnrt__ir_float(node, OH_NN_POW_SCALE, 1.0f);
    spec->shift = nnrt__ir_float(node, OH_NN_POW_SHIFT, 0.0f);
    if (kind == NNRT__BINARY_KINDS) return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the mode is none of 0, 1, 2");
    if (a->quant.count != 0 && b->quant.count != 0 && a->dtype != OH_NN_INT32) return nnrt__infer_real(ir, node, 2);
    dtype = nnrt__promoted(a->dtype, b->dtype);
    if (dtype == OH_NN_BOOL && (out->dtype == OH_NN_INT32 || out->dtype == OH_NN_INT64 || out->dtype == OH_NN_FLOAT32))
        dtype = out->dtype; /* two truth values as the numbers 0 and 1 */
    if (a->quant.count + b->quant.count != 0 && a->dtype != b->dtype)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "a quantized tensor and one of another type are not promoted");
    if (dtype != OH_NN_FLOAT32 && !((dtype == OH_NN_INT32 || dtype == OH_NN_INT64) && kind < NNRT__BINARY_POW) &&
        !(dtype == OH_NN_BOOL && nnrt__binary_takes_bool(node->op)))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "it takes float32, quantized int8, uint8 and int16, and, where it has integers, int32 and "
                             "int64");
    if (out->dtype != dtype)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the output has not the data type of the inputs");
    return OH_NN_SUCCESS;
}

/* Does the int8 step of this operator rescale? */
NNRT__INLINE bool nnrt__binary_rescales_s8(uint32_t kind) {
    return kind == NNRT__BINARY_ADD || kind == NNRT__BINARY_SUB || kind == NNRT__BINARY_MUL ||
           kind == NNRT__BINARY_SQUARED_DIFFERENCE || kind == NNRT__BINARY_PRELU;
}

/* Are all three quantized alike? */
NNRT__FN bool nnrt__binary_is_uniform(const nnrt__ir_value *a, const nnrt__ir_value *b, const nnrt__ir_value *out) {
    return a->quant.scales[0] == out->quant.scales[0] && b->quant.scales[0] == out->quant.scales[0] &&
           a->quant.zero_points[0] == out->quant.zero_points[0] && b->quant.zero_points[0] == out->quant.zero_points[0];
}

/* Can int16 numbers go straight to the int16 step? */
NNRT__FN bool nnrt__binary_takes_s16(uint32_t kind, const nnrt__ir_value *a, const nnrt__ir_value *b,
                                     const nnrt__ir_value *out) {
    if (!nnrt__ir_is_quant16(out)) return false;
    if (nnrt__binary_rescales_s8(kind)) return kind != NNRT__BINARY_PRELU;
    return (kind == NNRT__BINARY_MAXIMUM || kind == NNRT__BINARY_MINIMUM) && nnrt__binary_is_uniform(a, b, out);
}

/* Can int8 bytes go straight to the int8 step? */
NNRT__FN bool nnrt__binary_takes_s8(uint32_t kind, const nnrt__ir_value *a, const nnrt__ir_value *b,
                                    const nnrt__ir_value *out) {
    if (out->dtype != OH_NN_INT8 || !nnrt__ir_is_quant8(out)) return false;
    if (nnrt__binary_rescales_s8(kind)) return true;
    return (kind == NNRT__BINARY_MAXIMUM || kind == NNRT__BINARY_MINIMUM) && nnrt__binary_is_uniform(a, b, out);
}

/* Sums and products of int8 and int16 stay within 32 bits when they are rescaled to the output. */
NNRT__FN OH_NN_ReturnCode nnrt__binary_check_scales(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, 1), *out = nnrt__ir_out(ir, node, 0);
    const uint32_t kind = ((const nnrt__binary_f32_args *)node->spec)->kind;
    const bool product = kind == NNRT__BINARY_MUL || kind == NNRT__BINARY_PRELU;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__binary_s8_args args;
    double larger;
    args.kind = kind;
    if (nnrt__binary_takes_s16(kind, a, b, out) && nnrt__binary_rescales_s8(kind)) {
        nnrt__binary_s16_scales(&args, a->quant.scales[0], b->quant.scales[0], out->quant.scales[0]);
        return nnrt__ir_check_rescale(ir, node, a->quant.scales[0], (uint64_t)1 << 30, args.output_shift);
    }
    if (!nnrt__binary_takes_s8(kind, a, b, out) || !nnrt__binary_rescales_s8(kind)) return OH_NN_SUCCESS;
    larger = a->quant.scales[0] > b->quant.scales[0] ? a->quant.scales[0] : b->quant.scales[0];
    nnrt__binary_s8_scales(&args, a->quant.scales[0], b->quant.scales[0], out->quant.scales[0]);
    if (kind == NNRT__BINARY_PRELU)
        code = nnrt__ir_check_rescale(ir, node, a->quant.scales[0], 255, args.input_shift[0]);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__ir_check_rescale(ir, node, larger,
                                  product                                   ? 255u * 255u
                                  : kind == NNRT__BINARY_SQUARED_DIFFERENCE ? (uint64_t)255 * 255 << 14
                                                                            : (uint64_t)255 << NNRT__ADD_S8_LEFT_SHIFT,
                                  args.output_shift);
}

NNRT__FN OH_NN_ReturnCode nnrt__binary_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    OH_NN_ReturnCode code = nnrt__binary_read(ir, node);
    if (code == OH_NN_SUCCESS) code = nnrt__binary_check_scales(ir, node);
    return code != OH_NN_SUCCESS ? code : nnrt__infer_broadcast(ir, node);
}

/* PRELU: the weight has one element, or one for each index of the last axis. */
NNRT__FN OH_NN_ReturnCode nnrt__prelu_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weight = nnrt__ir_in(ir, node, 1);
    OH_NN_ReturnCode code = nnrt__binary_read(ir, node);
    if (code != OH_NN_SUCCESS) return code;
    if (weight->count != 1 &&
        (in->rank < 2 || weight->rank > in->rank || weight->dims[weight->rank - 1] != in->dims[in->rank - 1] ||
         weight->count != (size_t)in->dims[in->rank - 1]))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the weight has neither one element nor one for each channel");
    if (weight->rank > in->rank && weight->rank > 1)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the weight has more dimensions than the input");
    code = nnrt__binary_check_scales(ir, node);
    return code != OH_NN_SUCCESS ? code : nnrt__infer_same_shape(ir, node);
}

NNRT__FN void nnrt__binary_lower_s8(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__binary_f32_args *spec = (const nnrt__binary_f32_args *)node->spec;
    const nnrt__ir_value *a = nnrt__ir_in(lower->ir, node, 0), *b = nnrt__ir_in(lower->ir, node, 1);
    const nnrt__ir_value *out = nnrt__ir_out(lower->ir, node, 0);
    uint32_t inputs[2], output;
    nnrt__binary_s8_args *args;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    output = nnrt__lower_value(lower, node->outputs[0]);
    args = (nnrt__binary_s8_args *)nnrt__lower_step(lower, NNRT__KIND(binary_s8), node, inputs, 2, &output, 1, NULL);
    if (args == NULL) return;
    args->kind = spec->kind;
    args->input_zero_point[0] = a->quant.zero_points[0];
    args->input_zero_point[1] = b->quant.zero_points[0];
    args->output_zero_point = out->quant.zero_points[0];
    nnrt__clamp_range_to_quantized(spec->clamp_min, spec->clamp_max, (float)out->quant.scales[0],
                                   out->quant.zero_points[0], &args->clamp_min, &args->clamp_max);
    if (nnrt__binary_rescales_s8(spec->kind))
        nnrt__binary_s8_scales(args, a->quant.scales[0], b->quant.scales[0], out->quant.scales[0]);
}

NNRT__FN void nnrt__binary_lower_s16(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__binary_f32_args *spec = (const nnrt__binary_f32_args *)node->spec;
    const double scale_a = nnrt__ir_in(lower->ir, node, 0)->quant.scales[0];
    const double scale_b = nnrt__ir_in(lower->ir, node, 1)->quant.scales[0];
    const double scale = nnrt__ir_out(lower->ir, node, 0)->quant.scales[0];
    uint32_t inputs[2], output;
    nnrt__binary_s8_args *args;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    output = nnrt__lower_value(lower, node->outputs[0]);
    args = (nnrt__binary_s8_args *)nnrt__lower_step(lower, NNRT__KIND(binary_s16), node, inputs, 2, &output, 1, NULL);
    if (args == NULL) return;
    args->kind = spec->kind;
    nnrt__clamp_range_to_s16(spec->clamp_min, spec->clamp_max, (float)scale, &args->clamp_min, &args->clamp_max);
    if (nnrt__binary_rescales_s8(spec->kind)) nnrt__binary_s16_scales(args, scale_a, scale_b, scale);
}

NNRT__FN void nnrt__binary_lower_int(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__binary_f32_args *spec = (const nnrt__binary_f32_args *)node->spec;
    const OH_NN_DataType dtype = nnrt__ir_out(lower->ir, node, 0)->dtype;
    uint32_t inputs[2], output;
    nnrt__binary_int_args *args;
    inputs[0] = nnrt__lower_as_dtype(lower, node, node->inputs[0], dtype);
    inputs[1] = nnrt__lower_as_dtype(lower, node, node->inputs[1], dtype);
    output = nnrt__lower_value(lower, node->outputs[0]);
    args = (nnrt__binary_int_args *)nnrt__lower_step(lower, NNRT__KIND(binary_int), node, inputs, 2, &output, 1, NULL);
    if (args == NULL) return;
    args->kind = spec->kind;
    args->type = nnrt__int_type_of(dtype);
    args->clamp_min = spec->clamp_min == 0.0f ? 0 : INT64_MIN;
    args->clamp_max = spec->clamp_max == 6.0f ? 6 : INT64_MAX;
}

NNRT__FN OH_NN_ReturnCode nnrt__binary_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *a = nnrt__ir_in(lower->ir, node, 0), *b = nnrt__ir_in(lower->ir, node, 1);
    const nnrt__ir_value *out = nnrt__ir_out(lower->ir, node, 0);
    nnrt__binary_f32_args *spec = (nnrt__binary_f32_args *)node->spec;
    uint32_t inputs[2], k;
    spec->clamps = nnrt__activation_bounds(node, &spec->clamp_min, &spec->clamp_max);
    if (out->dtype != OH_NN_FLOAT32 && !nnrt__ir_is_quantized(out)) {
        nnrt__binary_lower_int(lower, node);
        return lower->status;
    }
    if (nnrt__binary_takes_s8(spec->kind, a, b, out)) {
        nnrt__binary_lower_s8(lower, node);
        return lower->status;
    }
    if (nnrt__binary_takes_s16(spec->kind, a, b, out)) {
        nnrt__binary_lower_s16(lower, node);
        return lower->status;
    }
    for (k = 0; k < 2; k++)
        inputs[k] = out->dtype == OH_NN_FLOAT32 ? nnrt__lower_as_dtype(lower, node, node->inputs[k], OH_NN_FLOAT32)
                                                : nnrt__lower_as_f32(lower, node, node->inputs[k]);
    return nnrt__lower_spec_f32(lower, NNRT__KIND(binary_f32), node, inputs, 2);
}

/* ------------------------------------------------------------------------------------- comparisons and logic
 */

NNRT__FN uint32_t nnrt__compare_kind_of(OH_NN_OperationType op) {
    switch (op) {
    case OH_NN_OPS_EQUAL: return NNRT__COMPARE_EQUAL;
    case OH_NN_OPS_NOT_EQUAL: return NNRT__COMPARE_NOT_EQUAL;
    case OH_NN_OPS_LESS: return NNRT__COMPARE_LESS;
    case OH_NN_OPS_LESS_EQUAL: return NNRT__COMPARE_LESS_EQUAL;
    case OH_NN_OPS_GREATER: return NNRT__COMPARE_GREATER;
    case OH_NN_OPS_GREATER_EQUAL: return NNRT__COMPARE_GREATER_EQUAL;
    case OH_NN_OPS_LOGICAL_AND: return NNRT__COMPARE_AND;
    default: return NNRT__COMPARE_OR;
    }
}

/* A type that the comparing step takes. */
NNRT__INLINE bool nnrt__is_compared(OH_NN_DataType dtype) {
    return dtype == OH_NN_FLOAT32 || nnrt__int_type_of(dtype) != NNRT__INT_TYPES;
}

/* The number of inputs is that of the node: two, or one for LOGICAL_NOT. */
NNRT__FN OH_NN_ReturnCode nnrt__compare_types(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, node->input_count - 1);
    if (nnrt__ir_out(ir, node, 0)->dtype != OH_NN_BOOL)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the output is not declared as bool");
    if (nnrt__ir_is_quant8(a) && nnrt__ir_is_quant8(b)) return OH_NN_SUCCESS;
    if (nnrt__ir_is_quant16(a) && nnrt__ir_is_quant16(b) && node->op != OH_NN_OPS_LOGICAL_NOT) return OH_NN_SUCCESS;
    if (a->dtype != b->dtype && a->quant.count + b->quant.count != 0)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "a quantized tensor and one of another type are not promoted");
    if (!nnrt__is_compared(nnrt__promoted(a->dtype, b->dtype)) || a->quant.count > 1 || b->quant.count > 1)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "it takes float32, int32, int64, int8, uint8 and bool, quantized per tensor or not");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__compare_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    OH_NN_ReturnCode code = nnrt__compare_types(ir, node);
    return code != OH_NN_SUCCESS ? code : nnrt__infer_broadcast(ir, node);
}

/* Compares bytes as they are, as TensorFlow Lite does, which assumes scales below 1. */
NNRT__FN bool nnrt__compare_takes_s8(const nnrt__ir_node *node, const nnrt__ir_value *a, const nnrt__ir_value *b) {
    return node->op != OH_NN_OPS_LOGICAL_AND && node->op != OH_NN_OPS_LOGICAL_OR && a->dtype == b->dtype &&
           nnrt__ir_is_quant8(a) && nnrt__ir_is_quant8(b) && a->quant.scales[0] < 1.0 && b->quant.scales[0] < 1.0;
}

NNRT__FN void nnrt__compare_lower_s8(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t inputs[2], output, k;
    nnrt__compare_s8_args *args;
    for (k = 0; k < 2; k++) inputs[k] = nnrt__lower_value(lower, node->inputs[k]);
    output = nnrt__lower_value(lower, node->outputs[0]);
    args = (nnrt__compare_s8_args *)nnrt__lower_step(lower, NNRT__KIND(compare_s8), node, inputs, 2, &output, 1, NULL);
    if (args == NULL) return;
    args->kind = nnrt__compare_kind_of(node->op);
    for (k = 0; k < 2; k++) {
        const nnrt_quant *quant = &nnrt__ir_in(lower->ir, node, k)->quant;
        args->input_zero_point[k] = quant->zero_points[0];
        nnrt__quantize_multiplier(quant->scales[0], &args->input_multiplier[k], &args->input_shift[k]);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__compare_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *a = nnrt__ir_in(lower->ir, node, 0), *b = nnrt__ir_in(lower->ir, node, 1);
    const bool quantized = nnrt__ir_is_quantized(a) && nnrt__ir_is_quantized(b);
    const OH_NN_DataType dtype = nnrt__promoted(a->dtype, b->dtype);
    uint32_t inputs[2], output, k;
    nnrt__compare_args *args;
    if (nnrt__compare_takes_s8(node, a, b)) {
        nnrt__compare_lower_s8(lower, node);
        return lower->status;
    }
    for (k = 0; k < 2; k++)
        inputs[k] = quantized ? nnrt__lower_as_f32(lower, node, node->inputs[k])
                              : nnrt__lower_as_dtype(lower, node, node->inputs[k], dtype);
    output = nnrt__lower_value(lower, node->outputs[0]);
    args = (nnrt__compare_args *)nnrt__lower_step(lower, NNRT__KIND(compare), node, inputs, 2, &output, 1, NULL);
    if (args == NULL) return lower->status;
    args->kind = nnrt__compare_kind_of(node->op);
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__logical_not_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    OH_NN_ReturnCode code = nnrt__compare_types(ir, node);
    return code != OH_NN_SUCCESS ? code : nnrt__infer_same_shape(ir, node);
}

/* The zero, or zero point, of input 0. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_zero(const nnrt__filling *filling, void *to) {
    const nnrt__ir_value *in = nnrt__ir_in(filling->ir, filling->node, 0);
    if (nnrt__ir_is_quant8(in)) *(uint8_t *)to = (uint8_t)in->quant.zero_points[0];
    return OH_NN_SUCCESS;
}

/* x == 0, with a constant zero (zero point) of the same type. */
NNRT__FN OH_NN_ReturnCode nnrt__logical_not_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    uint32_t inputs[2], output;
    nnrt__compare_args *args;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_constant(lower, node, in->dtype, 1, nnrt__fill_zero, NULL, 0);
    output = nnrt__lower_value(lower, node->outputs[0]);
    args = (nnrt__compare_args *)nnrt__lower_step(lower, NNRT__KIND(compare), node, inputs, 2, &output, 1, NULL);
    if (args == NULL) return lower->status;
    args->kind = NNRT__COMPARE_EQUAL;
    return lower->status;
}

#endif /* NNRT_CPU_OPS_BINARY_H */
