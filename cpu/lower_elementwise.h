/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/lower_elementwise.h - what the elementwise operators share: types, conversions between steps.
   >>cpu_lower_elementwise */
#ifndef NNRT_CPU_LOWER_ELEMENTWISE_H
#define NNRT_CPU_LOWER_ELEMENTWISE_H

#include "ir_helpers.h"
#include "kinds.h"
#include "steps_elementwise.h"

/* -------------------------------------------------------------------------------------------------- types */

/* int8 or uint8 with one scale and zero point. */
NNRT__INLINE bool nnrt__ir_is_quant8(const nnrt__ir_value *value) {
    return (value->dtype == OH_NN_INT8 || value->dtype == OH_NN_UINT8) && value->quant.count == 1;
}

/* int16 with one scale and the zero point 0. */
NNRT__INLINE bool nnrt__ir_is_quant16(const nnrt__ir_value *value) {
    return value->dtype == OH_NN_INT16 && value->quant.count == 1 && value->quant.zero_points[0] == 0;
}

/* Quantized to 8 or 16 bits. */
NNRT__INLINE bool nnrt__ir_is_quantized(const nnrt__ir_value *value) {
    return nnrt__ir_is_quant8(value) || nnrt__ir_is_quant16(value);
}

NNRT__INLINE bool nnrt__ir_is_real(const nnrt__ir_value *value) {
    return value->dtype == OH_NN_FLOAT32 || nnrt__ir_is_quantized(value);
}

/* The first `count` inputs and output 0 are real and of one type: then the step computes in float or integers. */
NNRT__FN OH_NN_ReturnCode nnrt__infer_real(nnrt__ir *ir, const nnrt__ir_node *node, uint32_t count) {
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    uint32_t i;
    for (i = 0; i <= count; i++) {
        const nnrt__ir_value *value = i < count ? nnrt__ir_in(ir, node, i) : out;
        if (!nnrt__ir_is_real(value))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "it takes float32, or int8 and uint8 with one scale and zero point, or int16 with one "
                                 "scale and the zero point 0");
        if (value->dtype != out->dtype)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the data types of inputs and output differ");
    }
    return OH_NN_SUCCESS;
}

/* The output has the shape of input 0. */
NNRT__FN OH_NN_ReturnCode nnrt__infer_same_shape(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    return nnrt__ir_set_shape(ir, node, 0, in->rank, in->dims);
}

/* The output has the broadcast shape of inputs 0 and 1. */
NNRT__FN OH_NN_ReturnCode nnrt__infer_broadcast(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, 1);
    const uint32_t rank = a->rank > b->rank ? a->rank : b->rank;
    int32_t dims[NNRT_MAX_RANK];
    uint32_t k;
    for (k = 0; k < rank; k++) { /* from the last axis to the first */
        const int32_t x = k < a->rank ? a->dims[a->rank - 1 - k] : 1;
        const int32_t y = k < b->rank ? b->dims[b->rank - 1 - k] : 1;
        if (x != y && x != 1 && y != 1)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the shapes of the inputs cannot be broadcast");
        dims[rank - 1 - k] = x == 1 ? y : x;
    }
    return nnrt__ir_set_shape(ir, node, 0, rank, dims);
}

/* -------------------------------------------------------------------------------------------- conversions */

NNRT__FN uint32_t nnrt__lower_like(nnrt__lower *lower, OH_NN_DataType dtype, uint32_t ir_value) {
    const nnrt__ir_value *value = &lower->ir->values[ir_value];
    return nnrt__lower_temporary(lower, dtype, value->rank, value->dims);
}

/* Element i of a constant as a real number; 0 for types that are not numbers. */
NNRT__FN double nnrt__constant_real(const nnrt__ir_value *value, size_t i) {
    const uint8_t *from = (const uint8_t *)value->data + i * nnrt__element_size(value->dtype);
    double scale = 1.0;
    int32_t zero_point = 0;
    if (value->dtype == OH_NN_FLOAT32) return (double)nnrt__read_f32(from);
    if (value->quant.count > 1) {
        scale = value->quant.scales[i % value->quant.count];
        zero_point = value->quant.zero_points[i % value->quant.count];
    } else {
        (void)nnrt__ir_quant(value, &scale, &zero_point);
    }
    return scale * (nnrt__real_of_int(nnrt__read_integer(value->dtype, from, 0)) - (double)zero_point);
}

/* Is it a constant whose elements are numbers? Quantized per channel only when there is one element per
   channel. */
NNRT__FN bool nnrt__is_constant_real(const nnrt__ir_value *value) {
    if (value->data == NULL || (value->quant.count > 1 && value->quant.count != value->count)) return false;
    return value->dtype == OH_NN_FLOAT32 || value->dtype == OH_NN_INT8 || value->dtype == OH_NN_UINT8 ||
           value->dtype == OH_NN_INT16 || value->dtype == OH_NN_INT32;
}

/* context: the number of the IR value. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_constant_f32(const nnrt__filling *filling, void *to) {
    const nnrt__ir_value *value = &filling->ir->values[*(const uint32_t *)filling->context];
    float *out = (float *)to;
    size_t i;
    for (i = 0; i < filling->count; i++) out[i] = (float)nnrt__constant_real(value, i);
    return OH_NN_SUCCESS;
}

/* A constant of numbers as float32, rank 1. */
NNRT__FN uint32_t nnrt__lower_constant_f32(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t ir_value) {
    return nnrt__lower_constant(lower, node, OH_NN_FLOAT32, lower->ir->values[ir_value].count, nnrt__fill_constant_f32,
                                &ir_value, sizeof(ir_value));
}

/* A quantization step from one plan value to another, with the scale and zero point of the quantized IR value. */
NNRT__FN void nnrt__lower_quantize(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__ir_value *bytes,
                                   uint32_t from, uint32_t to) {
    nnrt__quantize_args *args =
        (nnrt__quantize_args *)nnrt__lower_step(lower, NNRT__KIND(quantize), node, &from, 1, &to, 1, NULL);
    if (args == NULL) return;
    args->scale = (float)bytes->quant.scales[0];
    args->zero_point = bytes->quant.zero_points[0];
}

/* The plan value of a real IR value, in float. */
NNRT__FN uint32_t nnrt__lower_as_f32(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t ir_value) {
    const nnrt__ir_value *value = &lower->ir->values[ir_value];
    uint32_t from = nnrt__lower_value(lower, ir_value), to;
    if (value->dtype == OH_NN_FLOAT32) return from;
    to = nnrt__lower_like(lower, OH_NN_FLOAT32, ir_value);
    nnrt__lower_quantize(lower, node, value, from, to);
    return to;
}

/* Where a float step writes an IR value: the value itself, or a temporary that nnrt__lower_from_f32 quantizes. */
NNRT__FN uint32_t nnrt__lower_f32_result(nnrt__lower *lower, uint32_t ir_value) {
    if (lower->ir->values[ir_value].dtype == OH_NN_FLOAT32) return nnrt__lower_value(lower, ir_value);
    return nnrt__lower_like(lower, OH_NN_FLOAT32, ir_value);
}

NNRT__FN void nnrt__lower_from_f32(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t result, uint32_t ir_value) {
    const nnrt__ir_value *value = &lower->ir->values[ir_value];
    if (value->dtype == OH_NN_FLOAT32) return;
    nnrt__lower_quantize(lower, node, value, result, nnrt__lower_value(lower, ir_value));
}

/* nnrt__lower_spec of a float step, which writes output 0, or what is quantized to it. */
NNRT__FN OH_NN_ReturnCode nnrt__lower_spec_f32(nnrt__lower *lower, const nnrt__step_kind *kind,
                                               const nnrt__ir_node *node, const uint32_t *inputs,
                                               uint32_t input_count) {
    const uint32_t output = nnrt__lower_f32_result(lower, node->outputs[0]);
    (void)nnrt__lower_spec(lower, kind, node, inputs, input_count, &output, 1, NULL);
    nnrt__lower_from_f32(lower, node, output, node->outputs[0]);
    return lower->status;
}

/* The plan value of an IR value, cast to dtype when it has another. */
NNRT__FN uint32_t nnrt__lower_as_dtype(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t ir_value,
                                       OH_NN_DataType dtype) {
    uint32_t from = nnrt__lower_value(lower, ir_value), to;
    if (lower->ir->values[ir_value].dtype == dtype) return from;
    to = nnrt__lower_like(lower, dtype, ir_value);
    (void)nnrt__lower_step(lower, NNRT__KIND(cast), node, &from, 1, &to, 1, NULL);
    return to;
}

/* A byte table step from input 0 of node to its output 0; fill makes the table. */
NNRT__FN void nnrt__lower_lut(nnrt__lower *lower, const nnrt__ir_node *node, nnrt__fill fill) {
    uint32_t inputs[2], output = nnrt__lower_value(lower, node->outputs[0]);
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_constant(lower, node, OH_NN_UINT8, 256, fill, NULL, 0);
    (void)nnrt__lower_step(lower, NNRT__KIND(lut_s8), node, inputs, 2, &output, 1, NULL);
}

NNRT__FN nnrt__lut_quant nnrt__lut_quant_of(const nnrt__ir_value *value) {
    nnrt__lut_quant quant;
    quant.scale = value->quant.scales[0];
    quant.zero_point = value->quant.zero_points[0];
    quant.is_signed = value->dtype == OH_NN_INT8;
    return quant;
}

#endif /* NNRT_CPU_LOWER_ELEMENTWISE_H */
