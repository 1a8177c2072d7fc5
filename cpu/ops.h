/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops.h - the operators of the CPU device, all of them or those of NNRT_OPS.   >>cpu_ops */
#ifndef NNRT_CPU_OPS_H
#define NNRT_CPU_OPS_H

#include "ops_conv.h"
#include "ops_elementwise.h"
#include "ops_movement.h"

/* clang-format off */
#define NNRT__ALL_CPU_OPS(X) \
    X(CONV2D) X(DEPTHWISE_CONV2D_NATIVE) X(FULL_CONNECTION) X(AVG_POOL) X(MAX_POOL) X(CONV2D_TRANSPOSE) X(ADD) X(SUB) \
    X(MUL) X(DIV) X(MAXIMUM) X(MINIMUM) X(SQUARED_DIFFERENCE) X(ELTWISE) X(POW) X(MOD) X(PRELU) X(EQUAL) X(NOT_EQUAL) \
    X(LESS) X(LESS_EQUAL) X(GREATER) X(GREATER_EQUAL) X(LOGICAL_AND) X(LOGICAL_OR) X(LOGICAL_NOT) X(RELU) X(RELU6) \
    X(LEAKY_RELU) X(CLIP) X(HSWISH) X(HARD_SIGMOID) X(SIGMOID) X(TANH) X(SWISH) X(GELU) X(ABS) X(NEG) X(SQUARE) \
    X(SQRT) X(RSQRT) X(EXP) X(LOG) X(SIN) X(COS) X(ERF) X(CEIL) X(FLOOR) X(ROUND) X(RECIPROCAL) X(CAST) \
    X(QUANT_DTYPE_CAST) X(SOFTMAX) X(LOG_SOFTMAX) X(L2_NORMALIZE) X(LAYER_NORM) X(INSTANCE_NORM) X(BATCH_NORM) \
    X(SCALE) X(BIAS_ADD) X(RESHAPE) X(SQUEEZE) X(EXPAND_DIMS) X(UNSQUEEZE) X(FLATTEN) X(CONCAT) X(STACK) X(SPLIT) \
    X(UNSTACK) X(SLICE) X(STRIDED_SLICE) X(CROP) X(TRANSPOSE) X(TILE) X(BROADCAST_TO) X(PAD) X(DEPTH_TO_SPACE) \
    X(SPACE_TO_DEPTH) X(SPACE_TO_BATCH_ND) X(BATCH_TO_SPACE_ND) X(REDUCE_MEAN) X(REDUCE_SUM) X(REDUCE_MAX) \
    X(REDUCE_MIN) X(REDUCE_PROD) X(REDUCE_L2) X(REDUCE_ALL) X(ALL) X(RESIZE_BILINEAR) X(ARG_MAX) X(TOP_K) X(GATHER) \
    X(ONE_HOT) X(SELECT) X(WHERE) X(FILL) X(CONSTANT_OF_SHAPE) X(RANGE) X(SHAPE) X(RANK)
/* clang-format on */

#ifdef NNRT_OPS
#define NNRT__CPU_OPS(X) NNRT_OPS(X)
#else
#define NNRT__CPU_OPS(X) NNRT__ALL_CPU_OPS(X)
#endif

/* An error at a name here: NNRT_OPS lists an operator for which the CPU device has no kernels. */
#define NNRT__CPU_OP_ADDRESS(name) &nnrt__cpu_op_##name,
static const nnrt__cpu_op *const nnrt__cpu_ops[] = {NNRT__CPU_OPS(NNRT__CPU_OP_ADDRESS) NULL};

NNRT__FN const nnrt__cpu_op *nnrt__cpu_op_find(OH_NN_OperationType op) {
    const nnrt__cpu_op *const *row = nnrt__cpu_ops;
    while (*row != NULL && (*row)->op != op) row++;
    return *row;
}

/* The kind of step with that id, which may come from a hostile plan; NULL: no operator here has it. */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_find(uint32_t id) {
    const nnrt__cpu_op *const *row;
    for (row = nnrt__cpu_ops; *row != NULL; row++) {
        const nnrt__step_kind *const *kind = (*row)->steps;
        for (; *kind != NULL; kind++)
            if ((*kind)->id == id) return *kind;
    }
    return NULL;
}

#endif /* NNRT_CPU_OPS_H */
