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

/* LEAKY_RELU: options (alpha). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_leaky_relu(nnrt__tflite *t, nnrt__tflite_op *op) {
    float alpha = 0.0f;
    if (!nnrt__tflite_option_f32(t, op, 0, &alpha)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_f32(op, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, alpha);
    return nnrt__tflite_add(t, op);
}

/* SOFTMAX: options (beta), LOG_SOFTMAX: none. Both along the last axis. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_softmax(nnrt__tflite *t, nnrt__tflite_op *op) {
    float beta = op->row->options != 0 ? 0.0f : 1.0f;
    if (op->row->options != 0 && !nnrt__tflite_option_f32(t, op, 0, &beta)) return nnrt__tflite_op_broken(t, op);
    if (!(beta >= 1.0f && beta <= 1.0f)) return nnrt__tflite_op_unsupported(op, "a beta other than 1");
    nnrt__tflite_param_i64(op, op->row->param, -1);
    return nnrt__tflite_add(t, op);
}

/* CAST: the target type is an input of OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_cast(nnrt__tflite *t, nnrt__tflite_op *op) {
    const int32_t dtype = (int32_t)nnrt__tflite_info(t, op->outputs[0])->dtype;
    OH_NN_ReturnCode code = nnrt__tflite_constant(t, op, OH_NN_INT32, 1, &dtype, &op->inputs[1]);
    op->input_count = 2;
    return code != OH_NN_SUCCESS ? code
                                 : nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_CAST, op->inputs, 2,
                                                                                op->outputs, 1, NULL, 0));
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

#endif /* NNRT_TFLITE_OPERATORS_MATH_H */
