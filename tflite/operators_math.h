/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_math.h - translators of arithmetic, reductions, functions, conversions.   >>tflite_operators_math */
#ifndef NNRT_TFLITE_OPERATORS_MATH_H
#define NNRT_TFLITE_OPERATORS_MATH_H

#include "translate.h"

/* Nothing to translate. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_plain(nnrt__tflite *t, nnrt__tflite_op *op) { return nnrt__tflite_add(t, op); }

/* ADD, SUB, MUL, DIV: options (activation, ...). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_arithmetic(nnrt__tflite *t, nnrt__tflite_op *op) {
    OH_NN_ReturnCode code = nnrt__tflite_fuse(t, op, 0, op->row->param);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* MEAN, SUM, REDUCE_MAX, REDUCE_MIN: options (keep dims). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reduce(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t keep = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &keep)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_byte(op, op->row->param, OH_NN_BOOL, keep != 0);
    return nnrt__tflite_add(t, op);
}

/* An operator whose first two options are flags: parameters of these types. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_flags(nnrt__tflite *t, nnrt__tflite_op *op, OH_NN_TensorType first,
                                             OH_NN_TensorType second) {
    int32_t flags[2] = {0, 0};
    if (!nnrt__tflite_option_byte(t, op, 0, &flags[0]) || !nnrt__tflite_option_byte(t, op, 1, &flags[1]))
        return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_byte(op, first, OH_NN_BOOL, flags[0] != 0);
    nnrt__tflite_param_byte(op, second, OH_NN_BOOL, flags[1] != 0);
    return nnrt__tflite_add(t, op);
}

/* CUMSUM: inputs (value, axis), options (exclusive, reverse). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_cumsum(nnrt__tflite *t, nnrt__tflite_op *op) {
    return nnrt__tflite_flags(t, op, NNRT__TENSOR_CUMSUM_EXCLUSIVE, NNRT__TENSOR_CUMSUM_REVERSE);
}

/* RESIZE_NEAREST_NEIGHBOR: inputs (image, [height, width]), options (align corners, half pixel centres). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_resize_nearest(nnrt__tflite *t, nnrt__tflite_op *op) {
    return nnrt__tflite_flags(t, op, NNRT__TENSOR_NEAREST_ALIGN_CORNERS, NNRT__TENSOR_NEAREST_HALF_PIXELS);
}

/* LEAKY_RELU: options (alpha). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_leaky_relu(nnrt__tflite *t, nnrt__tflite_op *op) {
    float alpha = 0.0f;
    if (!nnrt__tflite_option_f32(t, op, 0, &alpha)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_f32(op, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, alpha);
    return nnrt__tflite_add(t, op);
}

/* A cast to the type of the output, which is an input of OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_cast_node(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                 uint32_t output) {
    const int32_t dtype = (int32_t)nnrt__tflite_info(t, output)->dtype;
    uint32_t type = 0;
    OH_NN_ReturnCode code = nnrt__tflite_constant(t, op, OH_NN_INT32, 1, &dtype, &type);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_CAST, input, type, NNRT__TFLITE_ABSENT, output);
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_cast(nnrt__tflite *t, nnrt__tflite_op *op) {
    return nnrt__tflite_cast_node(t, op, op->inputs[0], op->outputs[0]);
}

/* Between bytes and floats. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_quant_node(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                  uint32_t output) {
    const int64_t from = (int64_t)nnrt__tflite_info(t, input)->dtype, to = (int64_t)nnrt__tflite_info(t, output)->dtype;
    nnrt_param params[2];
    memset(params, 0, sizeof(params));
    params[0].type = OH_NN_QUANT_DTYPE_CAST_SRC_T;
    params[0].data = &from;
    params[1].type = OH_NN_QUANT_DTYPE_CAST_DST_T;
    params[1].data = &to;
    params[0].dtype = params[1].dtype = OH_NN_INT64;
    params[0].count = params[1].count = 1;
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_QUANT_DTYPE_CAST, &input, 1, &output, 1,
                                                        params, NNRT__COUNT_OF(params)));
}

/* Bytes of a softmax with a beta: the same bytes with beta times the scale, by way of floats. Each byte comes back
   unchanged, because three roundings of floats are far too small to reach a tie. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_scaled_bytes(nnrt__tflite *t, nnrt__tflite_op *op, float beta, uint32_t real,
                                                    uint32_t factor) {
    nnrt_tensor_info info = *nnrt__tflite_info(t, op->inputs[0]);
    double scale = info.quant.count == 1 ? info.quant.scales[0] * (double)beta : 0.0;
    uint32_t floats = 0, scaled = 0;
    OH_NN_ReturnCode code;
    if (!(scale > 1e-30 && scale < 1e30)) return nnrt__tflite_op_unsupported(op, "its beta with these scales");
    info.name = "";
    info.quant.scales = &scale;
    code = nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, false, &scaled));
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_quant_node(t, op, op->inputs[0], real);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_MUL, real, factor, real, OH_NN_FLOAT32, &floats);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_quant_node(t, op, floats, scaled);
    op->inputs[0] = scaled;
    return code;
}

/* SOFTMAX: options (beta, a factor of the input), LOG_SOFTMAX: none. Both along the last axis. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_softmax(nnrt__tflite *t, nnrt__tflite_op *op) {
    const OH_NN_DataType dtype = nnrt__tflite_info(t, op->inputs[0])->dtype;
    float beta = op->row->options != 0 ? 0.0f : 1.0f;
    uint32_t factor = 0, floats = 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (op->row->options != 0 && !nnrt__tflite_option_f32(t, op, 0, &beta)) return nnrt__tflite_op_broken(t, op);
    if (!(beta >= -1e30f && beta <= 1e30f)) return nnrt__tflite_op_unsupported(op, "a beta that is not finite");
    if (!(beta >= 1.0f && beta <= 1.0f)) {
        code = nnrt__tflite_scalar(t, op, OH_NN_FLOAT32, &beta, &factor);
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_between(t, op, op->inputs[0], OH_NN_FLOAT32, &floats);
        if (code == OH_NN_SUCCESS && dtype != OH_NN_FLOAT32)
            code = nnrt__tflite_scaled_bytes(t, op, beta, floats, factor);
        if (code == OH_NN_SUCCESS && dtype == OH_NN_FLOAT32) {
            code = nnrt__tflite_node(t, op, OH_NN_OPS_MUL, op->inputs[0], factor, NNRT__TFLITE_ABSENT, floats);
            op->inputs[0] = floats;
        }
    }
    if (code != OH_NN_SUCCESS) return code;
    nnrt__tflite_param_i64(op, op->row->param, -1);
    return nnrt__tflite_add(t, op);
}

/* QUANTIZE, DEQUANTIZE. Files with float16 weights widen them with DEQUANTIZE, which is a cast. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_quantize(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *input = nnrt__tflite_info(t, op->inputs[0]);
    const nnrt_tensor_info *output = nnrt__tflite_info(t, op->outputs[0]);
    const nnrt_quant *quant = input->quant.count != 0 ? &input->quant : &output->quant;
    if (input->dtype == OH_NN_FLOAT16 && output->dtype == OH_NN_FLOAT32) return nnrt__tflite_cast(t, op);
    nnrt__tflite_param_i64(op, OH_NN_QUANT_DTYPE_CAST_SRC_T, (int64_t)input->dtype);
    nnrt__tflite_param_i64(op, OH_NN_QUANT_DTYPE_CAST_DST_T, (int64_t)output->dtype);
    if (quant->count > 1) nnrt__tflite_param_i64(op, OH_NN_QUANT_DTYPE_CAST_AXIS, quant->axis);
    return nnrt__tflite_add(t, op);
}

/* LOCAL_RESPONSE_NORMALIZATION: options (radius, bias, alpha, beta). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_lrn(nnrt__tflite *t, nnrt__tflite_op *op) {
    static const OH_NN_TensorType types[3] = {OH_NN_LRN_BIAS, OH_NN_LRN_ALPHA, OH_NN_LRN_BETA};
    int32_t radius = 0;
    unsigned i;
    if (!nnrt__tflite_option_i32(t, op, 0, &radius)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_i64(op, OH_NN_LRN_DEPTH_RADIUS, radius);
    for (i = 0; i < 3; i++) {
        float value = 0.0f;
        if (!nnrt__tflite_option_f32(t, op, 1 + i, &value)) return nnrt__tflite_op_broken(t, op);
        nnrt__tflite_param_f32(op, types[i], value);
    }
    return nnrt__tflite_add(t, op);
}

/* BATCH_MATMUL: options (transpose x, transpose y). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_matmul(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t x = 0, y = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &x) || !nnrt__tflite_option_byte(t, op, 1, &y)) {
        return nnrt__tflite_op_broken(t, op);
    }
    nnrt__tflite_param_byte(op, OH_NN_MATMUL_TRANSPOSE_A, OH_NN_BOOL, x != 0);
    nnrt__tflite_param_byte(op, OH_NN_MATMUL_TRANSPOSE_B, OH_NN_BOOL, y != 0);
    return nnrt__tflite_add(t, op);
}

/* RELU_N1_TO_1, RELU_0_TO_1: CLIP. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_relu_to_1(nnrt__tflite *t, nnrt__tflite_op *op) {
    return nnrt__tflite_clip(t, op, op->inputs[0], op->row->param == OH_NN_CLIP_MIN ? -1.0f : 0.0f, 1.0f,
                             op->outputs[0]);
}

/* REDUCE_ANY: not all are not. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reduce_any(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    OH_NN_ReturnCode code = nnrt__tflite_step(t, op, OH_NN_OPS_LOGICAL_NOT, op->inputs[0], NNRT__TFLITE_ABSENT,
                                              op->inputs[0], OH_NN_BOOL, &op->inputs[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_between(t, op, output, OH_NN_BOOL, &op->outputs[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_reduce(t, op);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_LOGICAL_NOT, op->outputs[0], NNRT__TFLITE_ABSENT, NNRT__TFLITE_ABSENT,
                             output);
}

/* L2_NORMALIZATION: along the last axis. TensorFlow Lite's norm is at least 1e-6, OpenHarmony's square of it at least
   epsilon. The activation of its options is ignored there. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_l2(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__tflite_param_i64(op, OH_NN_L2_NORMALIZE_AXIS, -1);
    nnrt__tflite_param_f32(op, OH_NN_L2_NORMALIZE_EPSILON, 1e-12f);
    return nnrt__tflite_add(t, op);
}

/* GELU: options (approximate). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_gelu(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t approximate = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &approximate)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_byte(op, OH_NN_GELU_APPROXIMATE, OH_NN_BOOL, approximate != 0);
    return nnrt__tflite_add(t, op);
}

/* SIGN: (x > 0) - (x < 0), and 0 for a NaN. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_sign(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t x = op->inputs[0], output = op->outputs[0];
    const OH_NN_DataType dtype = nnrt__tflite_info(t, x)->dtype;
    uint32_t zero = 0, is[2] = {0, 0}, as_number[2] = {0, 0}, i;
    OH_NN_ReturnCode code = nnrt__tflite_number(t, op, dtype, 0, &zero);
    for (i = 0; i < 2 && code == OH_NN_SUCCESS; i++) {
        code = nnrt__tflite_step(t, op, i == 0 ? OH_NN_OPS_GREATER : OH_NN_OPS_LESS, x, zero, x, OH_NN_BOOL, &is[i]);
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_between(t, op, output, dtype, &as_number[i]);
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_cast_node(t, op, is[i], as_number[i]);
    }
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_SUB, as_number[0], as_number[1], NNRT__TFLITE_ABSENT, output);
}

/* ELU, ATAN2, WHERE of a condition alone: operators that OpenHarmony lacks, as variants of one that it has. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_other_meaning(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
    return nnrt__tflite_add(t, op);
}

/* The difference between floor division and OpenHarmony's truncating division: *remainder has the sign of a; *moved is
   true where it is not 0 and its sign differs from that of b. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_floored(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t *remainder,
                                               uint32_t *moved) {
    const uint32_t a = op->inputs[0], b = op->inputs[1], output = op->outputs[0];
    const OH_NN_DataType dtype = nnrt__tflite_info(t, a)->dtype;
    uint32_t zero = 0, is[4] = {0, 0, 0, 0};
    OH_NN_ReturnCode code = nnrt__tflite_number(t, op, dtype, 0, &zero);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_step(t, op, OH_NN_OPS_MOD, a, b, output, dtype, remainder);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_LESS, *remainder, zero, output, OH_NN_BOOL, &is[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_step(t, op, OH_NN_OPS_LESS, b, zero, b, OH_NN_BOOL, &is[1]);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_NOT_EQUAL, is[0], is[1], output, OH_NN_BOOL, &is[2]);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_NOT_EQUAL, *remainder, zero, output, OH_NN_BOOL, &is[3]);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_step(t, op, OH_NN_OPS_LOGICAL_AND, is[2], is[3], output, OH_NN_BOOL, moved);
}

/* FLOOR_MOD: the remainder has the sign of b. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_floor_mod(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    uint32_t remainder = 0, moved = 0, sum = 0;
    OH_NN_ReturnCode code = nnrt__tflite_floored(t, op, &remainder, &moved);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_ADD, remainder, op->inputs[1], output,
                                 nnrt__tflite_info(t, output)->dtype, &sum);
    return code == OH_NN_SUCCESS ? nnrt__tflite_node(t, op, OH_NN_OPS_WHERE, moved, sum, remainder, output) : code;
}

/* FLOOR_DIV: for floats the floor of the quotient rounded to float; for integers it is exact. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_floor_div(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    const OH_NN_DataType dtype = nnrt__tflite_info(t, output)->dtype;
    uint32_t quotient = 0, remainder = 0, moved = 0, one = 0;
    OH_NN_ReturnCode code =
        nnrt__tflite_step(t, op, OH_NN_OPS_DIV, op->inputs[0], op->inputs[1], output, dtype, &quotient);
    if (code == OH_NN_SUCCESS && dtype == OH_NN_FLOAT32)
        return nnrt__tflite_node(t, op, OH_NN_OPS_FLOOR, quotient, NNRT__TFLITE_ABSENT, NNRT__TFLITE_ABSENT, output);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_floored(t, op, &remainder, &moved);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_between(t, op, output, dtype, &one);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_cast_node(t, op, moved, one);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_SUB, quotient, one, NNRT__TFLITE_ABSENT, output);
}

/* ADD_N: one sum after the other. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_add_n(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    const OH_NN_DataType dtype = nnrt__tflite_info(t, output)->dtype;
    uint32_t sum = op->inputs[0], i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (dtype != OH_NN_FLOAT32 && dtype != OH_NN_INT32)
        return nnrt__tflite_op_unsupported(op, "a data type other than float32 and int32");
    if (op->input_count == 1) return nnrt__tflite_reshaped(t, op, sum, output);
    for (i = 1; i + 1 < op->input_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_ADD, sum, op->inputs[i], output, dtype, &sum);
    return code == OH_NN_SUCCESS
               ? nnrt__tflite_node(t, op, OH_NN_OPS_ADD, sum, op->inputs[i], NNRT__TFLITE_ABSENT, output)
               : code;
}

#endif /* NNRT_TFLITE_OPERATORS_MATH_H */
