/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_elementwise.h - operators of the elementwise family: shapes and lowering.   >>cpu:elementwise

   Types that a step takes go straight to it. What else is quantised to 8 bits is computed in float between
   two quantisations, so that every operator that has a float step has an 8-bit form. float16 and 16-bit
   quantities are reported as unsupported.

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

static const nnrt__cpu_op nnrt__elementwise_ops[] = {
    {OH_NN_OPS_ADD, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_SUB, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_MUL, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_DIV, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_MAXIMUM, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_MINIMUM, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_SQUARED_DIFFERENCE, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_ELTWISE, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_POW, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_MOD, false, nnrt__binary_infer, nnrt__binary_lower},
    {OH_NN_OPS_PRELU, false, nnrt__prelu_infer, nnrt__binary_lower},
    {OH_NN_OPS_EQUAL, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_NOT_EQUAL, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_LESS, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_LESS_EQUAL, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_GREATER, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_GREATER_EQUAL, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_LOGICAL_AND, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_LOGICAL_OR, false, nnrt__compare_infer, nnrt__compare_lower},
    {OH_NN_OPS_LOGICAL_NOT, false, nnrt__logical_not_infer, nnrt__logical_not_lower},
    {OH_NN_OPS_RELU, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_RELU6, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_LEAKY_RELU, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_CLIP, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_HSWISH, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_HARD_SIGMOID, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_SIGMOID, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_TANH, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_SWISH, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_GELU, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_ABS, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_NEG, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_SQUARE, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_SQRT, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_RSQRT, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_EXP, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_LOG, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_SIN, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_COS, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_ERF, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_CEIL, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_FLOOR, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_ROUND, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_RECIPROCAL, false, nnrt__unary_infer, nnrt__unary_lower},
    {OH_NN_OPS_CAST, false, nnrt__cast_infer, nnrt__cast_lower},
    {OH_NN_OPS_QUANT_DTYPE_CAST, false, nnrt__quant_cast_infer, nnrt__quant_cast_lower},
    {OH_NN_OPS_SOFTMAX, false, nnrt__softmax_infer, nnrt__softmax_lower},
    {OH_NN_OPS_LOG_SOFTMAX, false, nnrt__softmax_infer, nnrt__softmax_lower},
    {OH_NN_OPS_L2_NORMALIZE, false, nnrt__l2_infer, nnrt__l2_lower},
    {OH_NN_OPS_LAYER_NORM, false, nnrt__normalize_infer, nnrt__normalize_lower},
    {OH_NN_OPS_INSTANCE_NORM, false, nnrt__normalize_infer, nnrt__normalize_lower},
    {OH_NN_OPS_BATCH_NORM, false, nnrt__affine_infer, nnrt__affine_lower},
    {OH_NN_OPS_SCALE, false, nnrt__affine_infer, nnrt__affine_lower},
    {OH_NN_OPS_BIAS_ADD, false, nnrt__bias_add_infer, nnrt__bias_add_lower},
};

#endif /* NNRT_CPU_OPS_ELEMENTWISE_H */
