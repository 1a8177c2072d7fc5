/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_elementwise.h - operators of the elementwise family: shapes and lowering.   >>cpu_ops_elementwise

   Types that a step takes go straight to it. Other types quantized to 8 or 16 bits are computed in float between a
   dequantize and a quantize step, so every operator with a float step has an 8-bit and a 16-bit form. float16 is
   reported as unsupported.

   Rooms   cpu/lower_elementwise.h  types, conversions, shapes: what all rows share
           cpu/ops_binary.h         two operands
           cpu/ops_unary.h          one operand, casts
           cpu/ops_rows.h           softmax, normalisations, scaling per channel */
#ifndef NNRT_CPU_OPS_ELEMENTWISE_H
#define NNRT_CPU_OPS_ELEMENTWISE_H

#include "ops_binary.h"
#include "ops_rows.h"
#include "ops_unary.h"
#include "steps_elementwise.h"

NNRT__CPU_OP_READ(ADD, nnrt__binary_f32_args, NNRT__CPU_CLAMPS, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(SUB, nnrt__binary_f32_args, NNRT__CPU_CLAMPS, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(MUL, nnrt__binary_f32_args, NNRT__CPU_CLAMPS, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(DIV, nnrt__binary_f32_args, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(MAXIMUM, nnrt__binary_f32_args, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(MINIMUM, nnrt__binary_f32_args, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(SQUARED_DIFFERENCE, nnrt__binary_f32_args, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(ELTWISE, nnrt__binary_f32_args, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(POW, nnrt__binary_f32_args, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(MOD, nnrt__binary_f32_args, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP_READ(PRELU, nnrt__binary_f32_args, 0, nnrt__prelu_infer, nnrt__binary_lower)
NNRT__CPU_OP(EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(NOT_EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LESS, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LESS_EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(GREATER, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(GREATER_EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LOGICAL_AND, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LOGICAL_OR, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LOGICAL_NOT, 0, nnrt__logical_not_infer, nnrt__logical_not_lower)
NNRT__CPU_OP_READ(RELU, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(RELU6, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(LEAKY_RELU, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(CLIP, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(HSWISH, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(HARD_SIGMOID, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(SIGMOID, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(TANH, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(SWISH, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(GELU, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(ABS, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(NEG, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(SQUARE, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(SQRT, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(RSQRT, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(EXP, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(LOG, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(SIN, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(COS, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(ERF, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(CEIL, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(FLOOR, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(ROUND, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP_READ(RECIPROCAL, nnrt__unary_args, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(CAST, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__cast_infer, nnrt__cast_lower)
NNRT__CPU_OP_READ(QUANT_DTYPE_CAST, int64_t, NNRT__CPU_ANY_TYPE, nnrt__quant_cast_infer, nnrt__quant_cast_lower)
NNRT__CPU_OP_READ(SOFTMAX, nnrt__row_args, 0, nnrt__softmax_infer, nnrt__softmax_lower)
NNRT__CPU_OP_READ(LOG_SOFTMAX, nnrt__row_args, 0, nnrt__softmax_infer, nnrt__softmax_lower)
NNRT__CPU_OP_READ(L2_NORMALIZE, nnrt__row_args, 0, nnrt__l2_infer, nnrt__l2_lower)
NNRT__CPU_OP_READ(LRN, nnrt__lrn_args, 0, nnrt__lrn_infer, nnrt__lrn_lower)
NNRT__CPU_OP_READ(LAYER_NORM, nnrt__normalize_args, 0, nnrt__normalize_infer, nnrt__normalize_lower)
NNRT__CPU_OP_READ(INSTANCE_NORM, nnrt__normalize_args, 0, nnrt__normalize_infer, nnrt__normalize_lower)
NNRT__CPU_OP_READ(BATCH_NORM, nnrt__affine_spec, 0, nnrt__affine_infer, nnrt__affine_lower)
NNRT__CPU_OP_READ(SCALE, nnrt__affine_spec, 0, nnrt__affine_infer, nnrt__affine_lower)
NNRT__CPU_OP_READ(BIAS_ADD, nnrt__binary_f32_args, 0, nnrt__bias_add_infer, nnrt__bias_add_lower)

#endif /* NNRT_CPU_OPS_ELEMENTWISE_H */
