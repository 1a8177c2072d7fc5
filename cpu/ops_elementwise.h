/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_elementwise.h - operators of the elementwise family: shapes and lowering.   >>cpu_ops_elementwise

   Types that a step takes go straight to it. What else is quantized to 8 or 16 bits is computed in float between
   two quantizations, so that every operator that has a float step has an 8-bit and a 16-bit form. float16 is
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

NNRT__CPU_OP(ADD, NNRT__CPU_CLAMPS, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(SUB, NNRT__CPU_CLAMPS, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(MUL, NNRT__CPU_CLAMPS, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(DIV, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(MAXIMUM, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(MINIMUM, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(SQUARED_DIFFERENCE, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(ELTWISE, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(POW, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(MOD, 0, nnrt__binary_infer, nnrt__binary_lower)
NNRT__CPU_OP(PRELU, 0, nnrt__prelu_infer, nnrt__binary_lower)
NNRT__CPU_OP(EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(NOT_EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LESS, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LESS_EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(GREATER, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(GREATER_EQUAL, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LOGICAL_AND, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LOGICAL_OR, 0, nnrt__compare_infer, nnrt__compare_lower)
NNRT__CPU_OP(LOGICAL_NOT, 0, nnrt__logical_not_infer, nnrt__logical_not_lower)
NNRT__CPU_OP(RELU, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(RELU6, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(LEAKY_RELU, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(CLIP, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(HSWISH, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(HARD_SIGMOID, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(SIGMOID, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(TANH, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(SWISH, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(GELU, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(ABS, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(NEG, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(SQUARE, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(SQRT, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(RSQRT, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(EXP, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(LOG, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(SIN, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(COS, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(ERF, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(CEIL, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(FLOOR, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(ROUND, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(RECIPROCAL, 0, nnrt__unary_infer, nnrt__unary_lower)
NNRT__CPU_OP(CAST, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__cast_infer, nnrt__cast_lower)
NNRT__CPU_OP(QUANT_DTYPE_CAST, NNRT__CPU_ANY_TYPE, nnrt__quant_cast_infer, nnrt__quant_cast_lower)
NNRT__CPU_OP(SOFTMAX, 0, nnrt__softmax_infer, nnrt__softmax_lower)
NNRT__CPU_OP(LOG_SOFTMAX, 0, nnrt__softmax_infer, nnrt__softmax_lower)
NNRT__CPU_OP(L2_NORMALIZE, 0, nnrt__l2_infer, nnrt__l2_lower)
NNRT__CPU_OP(LRN, 0, nnrt__lrn_infer, nnrt__lrn_lower)
NNRT__CPU_OP(LAYER_NORM, 0, nnrt__normalize_infer, nnrt__normalize_lower)
NNRT__CPU_OP(INSTANCE_NORM, 0, nnrt__normalize_infer, nnrt__normalize_lower)
NNRT__CPU_OP(BATCH_NORM, 0, nnrt__affine_infer, nnrt__affine_lower)
NNRT__CPU_OP(SCALE, 0, nnrt__affine_infer, nnrt__affine_lower)
NNRT__CPU_OP(BIAS_ADD, 0, nnrt__bias_add_infer, nnrt__bias_add_lower)

#endif /* NNRT_CPU_OPS_ELEMENTWISE_H */
