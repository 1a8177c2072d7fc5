/* SPDX-License-Identifier: Apache-2.0 */
/* core/optable.h - the operators, one row each: what a node may look like.   >>optable

   The rows know what OpenHarmony checks when an operation is added: counts, parameters and a few ranks.
   Shapes and data types of inputs and outputs are checked by the device that compiles the graph. Everything that adds a
   node (the API, the .tflite reader) goes through nnrt__op_check_node, and everything that reads a parameter through
   nnrt__param_int and its relatives, so that no backend checks or decodes anything again. */
#ifndef NNRT_CORE_OPTABLE_H
#define NNRT_CORE_OPTABLE_H

#include "desc.h"
#include "log.h"
#include "optable_params.h"

#define NNRT__MAX_PARAMS 10u /* most parameters that any operator takes */

#define NNRT__OP_EFFECT 0x1u /* has side effects: kept even if its outputs are unused */
#define NNRT__OP_TFLITE 0x2u /* may have a parameter NNRT__TENSOR_TFLITE */

/* A BOOL parameter that no program can set: true in nodes of a .tflite file if TensorFlow Lite's operator differs from
   OpenHarmony's of the same name. Not counted in the operator's row. */
#define NNRT__TENSOR_TFLITE ((OH_NN_TensorType)255)

/* The last of OpenHarmony's operators; those after it come from .tflite files only. */
#define NNRT__OPS_OF_PROGRAMS OH_NN_OPS_GATHER_ND

typedef OH_NN_ReturnCode (*nnrt__op_check)(const nnrt_node *node, const nnrt_tensor_info *tensors);

typedef struct nnrt__op_row {
    const char *enumerator;         /* "OH_NN_OPS_CONV2D" */
    nnrt__op_check check;           /* NULL: nothing beyond this row */
    const nnrt__param_row *params;  /* that it accepts; NULL: none */
    uint8_t params_max, param_rows; /* most that a node may have, fewer are always allowed; number of rows */
    uint8_t op;                     /* OH_NN_OperationType */
    uint8_t inputs_min, inputs_max;
    uint8_t outputs_min, outputs_max;
    uint8_t flags; /* NNRT__OP_* */
} nnrt__op_row;

/* ------------------------------------------------------------------------------------- reading parameters */

/* (double)value. 32-bit processors have no instruction for it, and the compiler's function pulls in its whole software
   arithmetic for doubles: 4.5 KB of Thumb-2. Both halves are exact; their sum rounds once. */
NNRT__FN double nnrt__real_of_int(int64_t value) {
    return (double)(int32_t)((uint64_t)value >> 32) * 4294967296.0 + (double)(uint32_t)((uint64_t)value & 0xffffffffu);
}

/* (int64_t)real of what is below 2^53 in magnitude, for the same reason. */
NNRT__FN int64_t nnrt__int_of_real(double real) {
    const double magnitude = real < 0.0 ? -real : real;
    const uint32_t high = (uint32_t)(magnitude / 4294967296.0);
    const uint32_t low = (uint32_t)(magnitude - (double)high * 4294967296.0);
    const int64_t whole = (int64_t)((uint64_t)high << 32 | low);
    return real < 0.0 ? -whole : whole;
}

/* Element i of data as an integer; other types read as 0, BOOL as 0 or 1, and UINT64 above INT64_MAX wraps. */
NNRT__FN int64_t nnrt__read_integer(OH_NN_DataType dtype, const void *data, uint32_t i) {
    const uint8_t *from = (const uint8_t *)data + (size_t)i * nnrt__element_size(dtype);
    int64_t wide = 0;
    int32_t word = 0;
    int16_t half = 0;
    uint32_t unsigned_word = 0;
    uint16_t unsigned_half = 0;
    switch (dtype) {
    case OH_NN_BOOL: return from[0] != 0;
    case OH_NN_UINT8: return from[0];
    case OH_NN_INT8: return from[0] < 128 ? from[0] : (int64_t)from[0] - 256;
    case OH_NN_INT16: memcpy(&half, from, sizeof(half)); return half;
    case OH_NN_UINT16: memcpy(&unsigned_half, from, sizeof(unsigned_half)); return unsigned_half;
    case OH_NN_INT32: memcpy(&word, from, sizeof(word)); return word;
    case OH_NN_UINT32: memcpy(&unsigned_word, from, sizeof(unsigned_word)); return unsigned_word;
    case OH_NN_INT64:
    case OH_NN_UINT64: memcpy(&wide, from, sizeof(wide)); return wide;
    default: return 0;
    }
}

NNRT__FN bool nnrt__is_integer(OH_NN_DataType dtype) {
    return (unsigned)dtype >= (unsigned)OH_NN_BOOL && (unsigned)dtype <= (unsigned)OH_NN_UINT64;
}

/* The last parameter of that type; NULL when there is none. */
NNRT__FN const nnrt_param *nnrt__params_find(const nnrt_param *params, uint32_t count, OH_NN_TensorType type) {
    while (count > 0)
        if (params[--count].type == type) return &params[count];
    return NULL;
}
NNRT__INLINE const nnrt_param *nnrt__node_param(const nnrt_node *node, OH_NN_TensorType type) {
    return nnrt__params_find(node->params, node->param_count, type);
}

/* First element of a parameter; absent if there is none or it is no integer. */
NNRT__FN int64_t nnrt__param_first_int(const nnrt_param *param, int64_t absent) {
    if (param == NULL || param->count == 0 || !nnrt__is_integer(param->dtype)) return absent;
    return nnrt__read_integer(param->dtype, param->data, 0);
}
NNRT__INLINE int64_t nnrt__param_int(const nnrt_node *node, OH_NN_TensorType type, int64_t absent) {
    return nnrt__param_first_int(nnrt__node_param(node, type), absent);
}

/* The same of a FLOAT32, FLOAT64 or integer parameter. */
NNRT__FN float nnrt__param_first_float(const nnrt_param *param, float absent) {
    double wide;
    if (param == NULL || param->count == 0) return absent;
    if (param->dtype == OH_NN_FLOAT32) return nnrt__read_f32(param->data);
    if (param->dtype == OH_NN_FLOAT64) {
        memcpy(&wide, param->data, sizeof(wide));
        return (float)wide;
    }
    return nnrt__is_integer(param->dtype) ? (float)nnrt__real_of_int(nnrt__read_integer(param->dtype, param->data, 0))
                                          : absent;
}
NNRT__INLINE float nnrt__param_float(const nnrt_node *node, OH_NN_TensorType type, float absent) {
    return nnrt__param_first_float(nnrt__node_param(node, type), absent);
}

/* The row of a parameter type that row accepts; NULL if it does not. */
NNRT__FN const nnrt__param_row *nnrt__op_param(const nnrt__op_row *row, OH_NN_TensorType type) {
    uint32_t i;
    for (i = 0; i < row->param_rows; i++) {
        if (row->params[i].type == type) return &row->params[i];
    }
    return NULL;
}

NNRT__FN const nnrt__op_row *nnrt__op_find(int op);

/* All elements of the last list of that type, or, for the few types whose lists are joined (block sizes, squeezed axes,
   split sizes), of all lists in order. Writes at most capacity elements and returns how many there are: 0 when
   absent. */
NNRT__FN uint32_t nnrt__params_ints(OH_NN_OperationType op, const nnrt_param *params, uint32_t param_count,
                                    OH_NN_TensorType type, int64_t *out, uint32_t capacity) {
    const nnrt__op_row *row = nnrt__op_find((int)op);
    const nnrt__param_row *param_row = row != NULL ? nnrt__op_param(row, type) : NULL;
    const bool joins = param_row != NULL && (param_row->flags & NNRT__PARAM_APPENDS) != 0;
    const nnrt_param *last = nnrt__params_find(params, param_count, type);
    uint32_t i, k, count = 0;
    for (i = 0; i < param_count; i++) {
        const nnrt_param *param = &params[i];
        if (param->type != type || !nnrt__is_integer(param->dtype) || (!joins && param != last)) continue;
        for (k = 0; k < param->count; k++, count++) {
            if (count < capacity) out[count] = nnrt__read_integer(param->dtype, param->data, k);
        }
    }
    return count;
}

NNRT__INLINE uint32_t nnrt__param_int_list(const nnrt_node *node, OH_NN_TensorType type, int64_t *out,
                                           uint32_t capacity) {
    return nnrt__params_ints(node->op, node->params, node->param_count, type, out, capacity);
}

/* The type under which a parameter is stored, so that a backend finds each in one place: a pooling
   operator's under its own name, a pad mode under ..._PAD_MODE and a pad list under ..._PAD, whatever the
   program called them. */
NNRT__FN OH_NN_TensorType nnrt__param_canonical(OH_NN_OperationType op, OH_NN_TensorType type, uint32_t count) {
    static const OH_NN_TensorType pools[7][2] = {{OH_NN_AVG_POOL_KERNEL_SIZE, OH_NN_MAX_POOL_KERNEL_SIZE},
                                                 {OH_NN_AVG_POOL_STRIDE, OH_NN_MAX_POOL_STRIDE},
                                                 {OH_NN_AVG_POOL_PAD_MODE, OH_NN_MAX_POOL_PAD_MODE},
                                                 {OH_NN_AVG_POOL_PAD, OH_NN_MAX_POOL_PAD},
                                                 {OH_NN_AVG_POOL_ACTIVATION_TYPE, OH_NN_MAX_POOL_ACTIVATION_TYPE},
                                                 {OH_NN_AVG_POOL_ROUND_MODE, OH_NN_MAX_POOL_ROUND_MODE},
                                                 {OH_NN_AVG_POOL_GLOBAL, OH_NN_MAX_POOL_GLOBAL}};
    static const OH_NN_TensorType pads[5][2] = {
        {OH_NN_AVG_POOL_PAD_MODE, OH_NN_AVG_POOL_PAD},
        {OH_NN_MAX_POOL_PAD_MODE, OH_NN_MAX_POOL_PAD},
        {OH_NN_CONV2D_PAD_MODE, OH_NN_CONV2D_PAD},
        {OH_NN_CONV2D_TRANSPOSE_PAD_MODE, OH_NN_CONV2D_TRANSPOSE_PAD},
        {OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD}};
    uint32_t i;
    for (i = 0; i < NNRT__COUNT_OF(pools) && (op == OH_NN_OPS_AVG_POOL || op == OH_NN_OPS_MAX_POOL); i++) {
        if (type == pools[i][0] || type == pools[i][1]) {
            type = pools[i][op == OH_NN_OPS_MAX_POOL ? 1 : 0];
            break;
        }
    }
    for (i = 0; i < NNRT__COUNT_OF(pads); i++) {
        if (type == pads[i][0] || type == pads[i][1]) return pads[i][count == 1 ? 0 : 1];
    }
    return type;
}

/* ----------------------------------------------------------------------------- checks of single operators */

NNRT__FN OH_NN_ReturnCode nnrt__check_rank(const nnrt_node *node, const nnrt_tensor_info *tensors, uint32_t input,
                                           uint32_t rank) {
    const nnrt_tensor_info *tensor = &tensors[node->inputs[input]];
    if (tensor->rank == rank) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u, \"%.60s\", has %u dimensions and must have %u", input,
                      tensor->name, tensor->rank, rank);
}

NNRT__FN OH_NN_ReturnCode nnrt__check_conv(const nnrt_node *node, const nnrt_tensor_info *tensors) {
    return nnrt__check_rank(node, tensors, 1, 4);
}

NNRT__FN OH_NN_ReturnCode nnrt__check_depthwise(const nnrt_node *node, const nnrt_tensor_info *tensors) {
    OH_NN_ReturnCode code = nnrt__check_rank(node, tensors, 0, 4);
    return code != OH_NN_SUCCESS ? code : nnrt__check_rank(node, tensors, 1, 4);
}

/* The second input is the target type: constant, its first four bytes a data type whatever its own type
   is. */
NNRT__FN OH_NN_ReturnCode nnrt__check_cast(const nnrt_node *node, const nnrt_tensor_info *tensors) {
    const nnrt_tensor_info *type = &tensors[node->inputs[1]];
    if (type->data == NULL || type->data_size < 4) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the type of the cast, \"%.60s\", is not a constant of 4 bytes",
                          type->name);
    }
    if (nnrt__read_u32(type->data) > (uint32_t)OH_NN_FLOAT64) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the type of the cast is %u, which is no data type",
                          nnrt__read_u32(type->data));
    }
    return OH_NN_SUCCESS;
}

/* Gamma and beta have exactly the dimensions of the input from the first normalised axis on; -1 equals
   only -1. */
NNRT__FN OH_NN_ReturnCode nnrt__check_layer_norm(const nnrt_node *node, const nnrt_tensor_info *tensors) {
    const nnrt_tensor_info *input = &tensors[node->inputs[0]];
    const int64_t axis = nnrt__param_int(node, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, 1);
    uint32_t i, first;
    if (axis < 1 || axis >= (int64_t)input->rank) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the first normalised axis is not in 1..rank-1 of input \"%.60s\"",
                          input->name);
    }
    first = (uint32_t)axis;
    for (i = 1; i < 3; i++) {
        const nnrt_tensor_info *affine = &tensors[node->inputs[i]];
        OH_NN_ReturnCode code = nnrt__check_rank(node, tensors, i, input->rank - first);
        if (code != OH_NN_SUCCESS) return code;
        if (memcmp(affine->dims, input->dims + first, affine->rank * sizeof(affine->dims[0])) != 0) {
            nnrt__shape_text given, wanted;
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is %s, the normalised part of \"%.60s\" is %s",
                              affine->name, nnrt__shape_print(&given, affine->rank, affine->dims), input->name,
                              nnrt__shape_print(&wanted, affine->rank, input->dims + first));
        }
    }
    return OH_NN_SUCCESS;
}

/* An axis and a flag not to use it, in any order, contradict each other. */
NNRT__FN OH_NN_ReturnCode nnrt__check_full_connection(const nnrt_node *node, const nnrt_tensor_info *tensors) {
    uint32_t i;
    (void)tensors;
    if (nnrt__node_param(node, OH_NN_FULL_CONNECTION_AXIS) == NULL) return OH_NN_SUCCESS;
    for (i = 0; i < node->param_count; i++) {
        const nnrt_param *param = &node->params[i];
        if (param->type == OH_NN_FULL_CONNECTION_USE_AXIS && nnrt__read_integer(param->dtype, param->data, 0) == 0) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NN_FULL_CONNECTION_AXIS is given and USE_AXIS is false");
        }
    }
    return OH_NN_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------- the table */

/* The parameters of an operator: params, params_max, param_rows. */
#define NNRT__NO_PARAMS NULL, 0, 0
#define NNRT__PARAMS(name) nnrt__params_##name, NNRT__COUNT_OF(nnrt__params_##name), NNRT__COUNT_OF(nnrt__params_##name)
#define NNRT__POOL_PARAMS nnrt__params_POOL, NNRT__COUNT_OF(nnrt__params_POOL) / 2, NNRT__COUNT_OF(nnrt__params_POOL)
#define NNRT__OP(name, in_min, in_max, out_min, out_max, params, flags, check) \
    { "OH_NN_OPS_" #name, check, params, OH_NN_OPS_##name, in_min, in_max, out_min, out_max, flags }

/* inputs min, max; outputs min, max; parameters; flags; check. Row i is operator i + 1. */
static const nnrt__op_row nnrt__op_rows[] = {
    NNRT__OP(ADD, 2, 2, 1, 1, NNRT__PARAMS(ADD), 0, NULL),
    NNRT__OP(AVG_POOL, 1, 1, 1, 1, NNRT__POOL_PARAMS, 0, NULL),
    NNRT__OP(BATCH_NORM, 5, 5, 1, 1, NNRT__PARAMS(BATCH_NORM), 0, NULL),
    NNRT__OP(BATCH_TO_SPACE_ND, 1, 1, 1, 1, NNRT__PARAMS(BATCH_TO_SPACE_ND), 0, NULL),
    NNRT__OP(BIAS_ADD, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(CAST, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, nnrt__check_cast),
    NNRT__OP(CONCAT, 2, NNRT__MAX_IO, 1, 1, NNRT__PARAMS(CONCAT), 0, NULL),
    NNRT__OP(CONV2D, 3, 3, 1, 1, NNRT__PARAMS(CONV2D), 0, nnrt__check_conv),
    NNRT__OP(CONV2D_TRANSPOSE, 3, 3, 1, 1, NNRT__PARAMS(CONV2D_TRANSPOSE), NNRT__OP_TFLITE, nnrt__check_conv),
    NNRT__OP(DEPTHWISE_CONV2D_NATIVE, 3, 3, 1, 1, NNRT__PARAMS(DEPTHWISE_CONV2D_NATIVE), 0, nnrt__check_depthwise),
    NNRT__OP(DIV, 2, 2, 1, 1, NNRT__PARAMS(DIV), 0, NULL),
    NNRT__OP(ELTWISE, 2, 2, 1, 1, NNRT__PARAMS(ELTWISE), 0, NULL),
    NNRT__OP(EXPAND_DIMS, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(FILL, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(FULL_CONNECTION, 1, NNRT__MAX_IO, 1, 1, NNRT__PARAMS(FULL_CONNECTION), 0, nnrt__check_full_connection),
    NNRT__OP(GATHER, 3, 3, 1, 1, NNRT__NO_PARAMS, NNRT__OP_TFLITE, NULL),
    NNRT__OP(HSWISH, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(LESS_EQUAL, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(MATMUL, 2, 2, 1, 1, NNRT__PARAMS(MATMUL), 0, NULL),
    NNRT__OP(MAXIMUM, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(MAX_POOL, 1, 1, 1, 1, NNRT__POOL_PARAMS, 0, NULL),
    NNRT__OP(MUL, 2, 2, 1, 1, NNRT__PARAMS(MUL), 0, NULL),
    NNRT__OP(ONE_HOT, 4, 4, 1, 1, NNRT__PARAMS(ONE_HOT), 0, NULL),
    NNRT__OP(PAD, 2, 2, 1, 1, NNRT__PARAMS(PAD), 0, NULL),
    NNRT__OP(POW, 2, 2, 1, 1, NNRT__PARAMS(POW), NNRT__OP_TFLITE, NULL),
    NNRT__OP(SCALE, 3, 3, 1, 1, NNRT__PARAMS(SCALE), 0, NULL),
    NNRT__OP(SHAPE, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SIGMOID, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SLICE, 3, 3, 1, 1, NNRT__PARAMS(SLICE), 0, NULL),
    NNRT__OP(SOFTMAX, 1, 1, 1, 1, NNRT__PARAMS(SOFTMAX), 0, NULL),
    NNRT__OP(SPACE_TO_BATCH_ND, 1, 1, 1, 1, NNRT__PARAMS(SPACE_TO_BATCH_ND), 0, NULL),
    NNRT__OP(SPLIT, 1, 1, 1, NNRT__MAX_IO, NNRT__PARAMS(SPLIT), NNRT__OP_TFLITE, NULL),
    NNRT__OP(SQRT, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SQUARED_DIFFERENCE, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SQUEEZE, 1, 1, 1, 1, NNRT__PARAMS(SQUEEZE), 0, NULL),
    NNRT__OP(STACK, 2, NNRT__MAX_IO, 1, 1, NNRT__PARAMS(STACK), 0, NULL),
    NNRT__OP(STRIDED_SLICE, 4, 4, 1, 1, NNRT__PARAMS(STRIDED_SLICE), NNRT__OP_TFLITE, NULL),
    NNRT__OP(SUB, 2, 2, 1, 1, NNRT__PARAMS(SUB), 0, NULL),
    NNRT__OP(TANH, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(TILE, 2, 2, 1, 1, NNRT__PARAMS(TILE), 0, NULL),
    NNRT__OP(TRANSPOSE, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(REDUCE_MEAN, 2, 2, 1, 1, NNRT__PARAMS(REDUCE_MEAN), 0, NULL),
    NNRT__OP(RESIZE_BILINEAR, 1, 1, 1, 1, NNRT__PARAMS(RESIZE_BILINEAR), NNRT__OP_TFLITE, NULL),
    NNRT__OP(RSQRT, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(RESHAPE, 2, 2, 1, 1, NNRT__NO_PARAMS, NNRT__OP_TFLITE, NULL),
    NNRT__OP(PRELU, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(RELU, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(RELU6, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(LAYER_NORM, 3, 3, 1, 1, NNRT__PARAMS(LAYER_NORM), 0, nnrt__check_layer_norm),
    NNRT__OP(REDUCE_PROD, 2, 2, 1, 1, NNRT__PARAMS(REDUCE_PROD), 0, NULL),
    NNRT__OP(REDUCE_ALL, 2, 2, 1, 1, NNRT__PARAMS(REDUCE_ALL), 0, NULL),
    NNRT__OP(QUANT_DTYPE_CAST, 1, 1, 1, 1, NNRT__PARAMS(QUANT_DTYPE_CAST), 0, NULL),
    NNRT__OP(TOP_K, 2, 2, 2, 2, NNRT__PARAMS(TOP_K), 0, NULL),
    NNRT__OP(ARG_MAX, 1, 1, 1, 1, NNRT__PARAMS(ARG_MAX), NNRT__OP_TFLITE, NULL),
    NNRT__OP(UNSQUEEZE, 1, 1, 1, 1, NNRT__PARAMS(UNSQUEEZE), 0, NULL),
    NNRT__OP(GELU, 1, 1, 1, 1, NNRT__PARAMS(GELU), 0, NULL),
    NNRT__OP(UNSTACK, 1, 1, 1, NNRT__MAX_IO, NNRT__PARAMS(UNSTACK), 0, NULL),
    NNRT__OP(ABS, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(ERF, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(EXP, 1, 1, 1, 1, NNRT__PARAMS(EXP), NNRT__OP_TFLITE, NULL),
    NNRT__OP(LESS, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SELECT, 3, 3, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SQUARE, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(FLATTEN, 1, 1, 1, 1, NNRT__PARAMS(FLATTEN), 0, NULL),
    NNRT__OP(DEPTH_TO_SPACE, 1, 1, 1, 1, NNRT__PARAMS(DEPTH_TO_SPACE), 0, NULL),
    NNRT__OP(RANGE, 1, 1, 1, 1, NNRT__PARAMS(RANGE), NNRT__OP_TFLITE, NULL),
    NNRT__OP(INSTANCE_NORM, 3, 3, 1, 1, NNRT__PARAMS(INSTANCE_NORM), 0, NULL),
    NNRT__OP(CONSTANT_OF_SHAPE, 1, 1, 1, 1, NNRT__PARAMS(CONSTANT_OF_SHAPE), 0, NULL),
    NNRT__OP(BROADCAST_TO, 1, 1, 1, 1, NNRT__PARAMS(BROADCAST_TO), NNRT__OP_TFLITE, NULL),
    NNRT__OP(EQUAL, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(GREATER, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(NOT_EQUAL, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(GREATER_EQUAL, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(LEAKY_RELU, 1, 1, 1, 1, NNRT__PARAMS(LEAKY_RELU), 0, NULL),
    NNRT__OP(LSTM, 6, 6, 3, 3, NNRT__PARAMS(LSTM), 0, NULL),
    NNRT__OP(CLIP, 1, 1, 1, 1, NNRT__PARAMS(CLIP), 0, NULL),
    NNRT__OP(ALL, 2, 2, 1, 1, NNRT__PARAMS(ALL), 0, NULL),
    NNRT__OP(ASSERT, 2, 2, 1, 1, NNRT__PARAMS(ASSERT), NNRT__OP_EFFECT, NULL),
    NNRT__OP(COS, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(LOG, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(LOGICAL_AND, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(LOGICAL_NOT, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(MOD, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(NEG, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(RECIPROCAL, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SIN, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(WHERE, 3, 3, 1, 1, NNRT__NO_PARAMS, NNRT__OP_TFLITE, NULL),
    NNRT__OP(SPARSE_TO_DENSE, 3, 3, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(LOGICAL_OR, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(CEIL, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(CROP, 2, 2, 1, 1, NNRT__PARAMS(CROP), 0, NULL),
    NNRT__OP(DETECTION_POST_PROCESS, 3, 3, 4, 4, NNRT__PARAMS(DETECTION_POST_PROCESS), NNRT__OP_TFLITE, NULL),
    NNRT__OP(FLOOR, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(L2_NORMALIZE, 1, 1, 1, 1, NNRT__PARAMS(L2_NORMALIZE), 0, NULL),
    NNRT__OP(LOG_SOFTMAX, 1, 1, 1, 1, NNRT__PARAMS(LOG_SOFTMAX), 0, NULL),
    NNRT__OP(LRN, 1, 1, 1, 1, NNRT__PARAMS(LRN), 0, NULL),
    NNRT__OP(MINIMUM, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(RANK, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(REDUCE_MAX, 2, 2, 1, 1, NNRT__PARAMS(REDUCE_MAX), 0, NULL),
    NNRT__OP(REDUCE_MIN, 2, 2, 1, 1, NNRT__PARAMS(REDUCE_MIN), 0, NULL),
    NNRT__OP(REDUCE_SUM, 2, 2, 1, 1, NNRT__PARAMS(REDUCE_SUM), 0, NULL),
    NNRT__OP(ROUND, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SCATTER_ND, 3, 3, 1, 1, NNRT__NO_PARAMS, NNRT__OP_TFLITE, NULL),
    NNRT__OP(SPACE_TO_DEPTH, 1, 1, 1, 1, NNRT__PARAMS(SPACE_TO_DEPTH), 0, NULL),
    NNRT__OP(SWISH, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(REDUCE_L2, 2, 2, 1, 1, NNRT__PARAMS(REDUCE_L2), 0, NULL),
    NNRT__OP(HARD_SIGMOID, 1, 1, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(GATHER_ND, 2, 2, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(SVDF, 4, 5, 2, 2, NNRT__PARAMS(SVDF), 0, NULL),
    NNRT__OP(SEQUENCE_LSTM, 12, 24, 3, 3, NNRT__PARAMS(SEQUENCE_LSTM), 0, NULL),
    NNRT__OP(CUMSUM, 2, 2, 1, 1, NNRT__PARAMS(CUMSUM), 0, NULL),
    NNRT__OP(DYNAMIC_UPDATE_SLICE, 3, 3, 1, 1, NNRT__NO_PARAMS, 0, NULL),
    NNRT__OP(RESIZE_NEAREST, 2, 2, 1, 1, NNRT__PARAMS(RESIZE_NEAREST), 0, NULL),
};

#undef NNRT__OP
#undef NNRT__POOL_PARAMS
#undef NNRT__PARAMS
#undef NNRT__NO_PARAMS

/* NULL for a number that is no operator. */
NNRT__FN const nnrt__op_row *nnrt__op_find(int op) {
    return op >= 1 && (size_t)op <= NNRT__COUNT_OF(nnrt__op_rows) ? &nnrt__op_rows[op - 1] : NULL;
}

/* "CONV2D"; never NULL. */
NNRT__FN const char *nnrt__op_name(int op) {
    const nnrt__op_row *row = nnrt__op_find(op);
    return row != NULL ? row->enumerator + sizeof("OH_NN_OPS_") - 1 : "unknown operator";
}

/* ------------------------------------------------------------------------------------ the check of a node */

/* Rank that the tensor of a parameter must have, -1 when any will do. Known only if there is a tensor: a parameter from
   a model file has none. */
NNRT__FN int nnrt__param_rank(const nnrt__param_row *row) {
    return row->shape == NNRT__SHAPE_SCALAR  ? 0
           : row->shape == NNRT__SHAPE_PAIR  ? 1
           : row->shape == NNRT__SHAPE_TABLE ? 2
                                             : -1;
}

NNRT__FN bool nnrt__param_count_fits(const nnrt__param_row *row, uint32_t count) {
    switch (row->shape) {
    case NNRT__SHAPE_ONE:
    case NNRT__SHAPE_SCALAR: return count == 1;
    case NNRT__SHAPE_PAIR: return count == 2;
    case NNRT__SHAPE_TABLE: return count == 4;
    case NNRT__SHAPE_FOUR: return count >= 4;
    case NNRT__SHAPE_PAD: return count == 1 || count == 4;
    default: return true;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__op_check_param(const nnrt__op_row *row, const nnrt_param *param) {
    const nnrt__param_row *rule = nnrt__op_param(row, param->type);
    const char *op = nnrt__op_name((int)row->op);
    OH_NN_DataType dtype;
    if (rule == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s takes no parameter of tensor type %d", op, (int)param->type);
    }
    dtype = rule->shape != NNRT__SHAPE_PAD ? rule->dtype : param->count == 1 ? OH_NN_INT8 : OH_NN_INT64;
    if (param->dtype != dtype) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s of %s is %s and must be %s", rule->name, op,
                          nnrt__dtype_name(param->dtype), nnrt__dtype_name(dtype));
    }
    if (!nnrt__param_count_fits(rule, param->count)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s of %s has the wrong number of elements, %u", rule->name, op,
                          param->count);
    }
    if (param->data == NULL || param->count == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s of %s has no data", rule->name, op);
    }
    if (rule->max >= 0 && dtype != OH_NN_INT64) {
        int64_t value = nnrt__read_integer(dtype, param->data, 0);
        if (value < 0 || value > rule->max) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s of %s is %d and must be in 0..%d", rule->name, op,
                              (int)value, (int)rule->max);
        }
    }
    return OH_NN_SUCCESS;
}

/* How many inputs a node may have. TensorFlow Lite's operators may differ from OpenHarmony's: RANGE has start, limit
   and step; WHERE only a condition; BROADCAST_TO the shape; GATHER, after the axis, the number of batch axes; ARG_MAX
   the axis; SPLIT the axis, then the sizes; RESIZE_BILINEAR height and width; CONV2D_TRANSPOSE, after the bias, the
   shape of the output; RESHAPE no shape if its output is a scalar, because no tensor is an empty list. */
NNRT__FN void nnrt__op_input_counts(const nnrt__op_row *row, bool of_file, uint32_t *least, uint32_t *most) {
    *least = row->inputs_min;
    *most = row->inputs_max;
    if (!of_file) return;
    if (row->op == OH_NN_OPS_WHERE || row->op == OH_NN_OPS_RESHAPE) *least = *most = 1;
    if (row->op == OH_NN_OPS_BROADCAST_TO || row->op == OH_NN_OPS_RESIZE_BILINEAR) *least = *most = 2;
    if (row->op == OH_NN_OPS_ARG_MAX) *most = 2;
    if (row->op == OH_NN_OPS_SPLIT) *least = 2, *most = 3;
    if (row->op == OH_NN_OPS_RANGE) *least = *most = 3;
    if (row->op == OH_NN_OPS_GATHER || row->op == OH_NN_OPS_CONV2D_TRANSPOSE) *least = *most = 4;
}

/* Checks a node against its row: numbers of tensors, parameters, and the ranks that a few operators require. The
   indices of node are valid. Always OH_NN_INVALID_PARAMETER on failure. */
NNRT__FN OH_NN_ReturnCode nnrt__op_check_node(const nnrt__op_row *row, const nnrt_node *node,
                                              const nnrt_tensor_info *tensors) {
    const char *op;
    uint32_t i, least, most, uncounted = 0;
    if (row == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "there is no operator %d", (int)node->op);
    op = nnrt__op_name((int)row->op);
    for (i = 0; i < node->param_count; i++)
        if ((row->flags & NNRT__OP_TFLITE) != 0 && node->params[i].type == NNRT__TENSOR_TFLITE) uncounted++;
    nnrt__op_input_counts(row, uncounted != 0, &least, &most);
    if (node->input_count < least || node->input_count > most) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s takes %u to %u inputs, not %u", op, (unsigned)least,
                          (unsigned)most, node->input_count);
    }
    if (node->output_count < row->outputs_min || node->output_count > row->outputs_max) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s has %u to %u outputs, not %u", op, (unsigned)row->outputs_min,
                          (unsigned)row->outputs_max, node->output_count);
    }
    if (node->param_count - uncounted > row->params_max) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s takes at most %u parameters, not %u", op,
                          (unsigned)row->params_max, node->param_count);
    }
    for (i = 0; i < node->param_count; i++) {
        OH_NN_ReturnCode code = OH_NN_SUCCESS;
        if (uncounted == 0 || node->params[i].type != NNRT__TENSOR_TFLITE)
            code = nnrt__op_check_param(row, &node->params[i]);
        if (code != OH_NN_SUCCESS) return code;
    }
    return row->check != NULL ? row->check(node, tensors) : OH_NN_SUCCESS;
}

/* OH_NN_FAILED when a parameter is missing without which the operator has no meaning. */
NNRT__FN OH_NN_ReturnCode nnrt__op_check_complete(const nnrt_node *node) {
    const nnrt__op_row *row = nnrt__op_find((int)node->op);
    uint32_t i;
    for (i = 0; i < row->param_rows; i++) {
        const nnrt__param_row *rule = &row->params[i];
        if ((rule->flags & NNRT__PARAM_REQUIRED) != 0 && nnrt__node_param(node, rule->type) == NULL) {
            return nnrt__fail(OH_NN_FAILED, "%s needs %s", nnrt__op_name((int)node->op), rule->name);
        }
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CORE_OPTABLE_H */
