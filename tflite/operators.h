/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators.h - each operator of a .tflite file becomes one of OpenHarmony's, or two.   >>tflite_operators

   nnrt__tflite_rows lists TensorFlow Lite's operators with their options and translators; tflite/translate.h says what
   a translator gets and returns. */
#ifndef NNRT_TFLITE_OPERATORS_H
#define NNRT_TFLITE_OPERATORS_H

#include "operators_custom.h"
#include "operators_empty.h"
#include "operators_lookup.h"
#include "operators_math.h"
#include "operators_recurrent.h"
#include "operators_shape.h"
#include "operators_variable.h"
#include "operators_window.h"
#include "schema.h"
#include "translate.h"

/* ---------------------------------------------------------------------------------------------- the table */

#define NNRT__ANY ((uint8_t)NNRT__MAX_IO)

/* With NNRT_OPS the translators of all other operators are left out: bit number % 30 of word number / 30 says
   that the operator of that number is chosen. */
#ifdef NNRT_OPS
#define NNRT__CHOSEN_BIT(op, word) | ((int)(op) / 30 == (word) ? 1 << ((int)(op) % 30) : 0)
#define NNRT__CHOSEN_0(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 0)
#define NNRT__CHOSEN_1(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 1)
#define NNRT__CHOSEN_2(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 2)
#define NNRT__CHOSEN_3(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 3)
enum {
    nnrt__chosen_0 = 0 NNRT_OPS(NNRT__CHOSEN_0),
    nnrt__chosen_1 = 0 NNRT_OPS(NNRT__CHOSEN_1),
    nnrt__chosen_2 = 0 NNRT_OPS(NNRT__CHOSEN_2),
    nnrt__chosen_3 = 0 NNRT_OPS(NNRT__CHOSEN_3)
};
#define NNRT__CHOSEN_WORD(op) \
    ((op) < 30 ? nnrt__chosen_0 : (op) < 60 ? nnrt__chosen_1 : (op) < 90 ? nnrt__chosen_2 : nnrt__chosen_3)
#define NNRT__CHOSEN(op) (NNRT__CHOSEN_WORD(op) >> (op) % 30 & 1)
#define NNRT__TFLITE_CHOSEN(op, translate) (NNRT__CHOSEN((int)OH_NN_OPS_##op) != 0 ? translate : NULL)
#else
#define NNRT__TFLITE_CHOSEN(op, translate) translate
#endif

#define NNRT__ROW(code, options, inputs_min, inputs_max, outputs_max, op, param, translate) \
    {                                                                                       \
        code, options, inputs_min, inputs_max, outputs_max, OH_NN_OPS_##op, OH_NN_##param,  \
            NNRT__TFLITE_CHOSEN(op, translate)                                              \
    }

/* code, options; inputs min, max; outputs max; operator, parameter, translator (NULL: not in NNRT_OPS) */
static const nnrt__tflite_row nnrt__tflite_rows[] = {
    NNRT__ROW(0, 11, 2, 2, 1, ADD, ADD_ACTIVATIONTYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(1, 5, 1, 1, 1, AVG_POOL, TENSOR, nnrt__tflite_pool),
    NNRT__ROW(2, 10, 1, NNRT__ANY, 1, CONCAT, TENSOR, nnrt__tflite_concat),
    NNRT__ROW(3, 1, 2, 3, 1, CONV2D, TENSOR, nnrt__tflite_conv),
    NNRT__ROW(4, 2, 2, 3, 1, DEPTHWISE_CONV2D_NATIVE, TENSOR, nnrt__tflite_depthwise),
    NNRT__ROW(5, 94, 1, 1, 1, DEPTH_TO_SPACE, DEPTH_TO_SPACE_BLOCK_SIZE, nnrt__tflite_block),
    NNRT__ROW(6, 0, 1, 1, 1, QUANT_DTYPE_CAST, TENSOR, nnrt__tflite_quantize),
    NNRT__ROW(7, 0, 2, 2, 1, GATHER, TENSOR, nnrt__tflite_embedding),
    NNRT__ROW(8, 0, 1, 1, 1, FLOOR, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(9, 8, 2, 3, 1, FULL_CONNECTION, TENSOR, nnrt__tflite_fully_connected),
    NNRT__ROW(11, 0, 1, 1, 1, L2_NORMALIZE, TENSOR, nnrt__tflite_l2),
    NNRT__ROW(12, 5, 1, 1, 1, AVG_POOL, TENSOR, nnrt__tflite_l2_pool),
    NNRT__ROW(13, 13, 1, 1, 1, LRN, TENSOR, nnrt__tflite_lrn),
    NNRT__ROW(14, 0, 1, 1, 1, SIGMOID, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(17, 5, 1, 1, 1, MAX_POOL, TENSOR, nnrt__tflite_pool),
    NNRT__ROW(18, 21, 2, 2, 1, MUL, MUL_ACTIVATION_TYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(19, 0, 1, 1, 1, RELU, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(20, 0, 1, 1, 1, CLIP, CLIP_MIN, nnrt__tflite_relu_to_1),
    NNRT__ROW(21, 0, 1, 1, 1, RELU6, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(22, 17, 1, 2, 1, RESHAPE, TENSOR, nnrt__tflite_reshape),
    NNRT__ROW(23, 15, 2, 2, 1, RESIZE_BILINEAR, TENSOR, nnrt__tflite_resize),
    NNRT__ROW(25, 9, 1, 1, 1, SOFTMAX, SOFTMAX_AXIS, nnrt__tflite_softmax),
    NNRT__ROW(26, 19, 1, 1, 1, SPACE_TO_DEPTH, SPACE_TO_DEPTH_BLOCK_SIZE, nnrt__tflite_block),
    NNRT__ROW(27, 6, 5, 5, 1, SVDF, TENSOR, nnrt__tflite_svdf),
    NNRT__ROW(28, 0, 1, 1, 1, TANH, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(34, 0, 2, 2, 1, PAD, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(36, 23, 2, 2, 1, GATHER, TENSOR, nnrt__tflite_gather),
    NNRT__ROW(37, 0, 3, 3, 1, BATCH_TO_SPACE_ND, TENSOR, nnrt__tflite_batches),
    NNRT__ROW(38, 0, 3, 3, 1, SPACE_TO_BATCH_ND, TENSOR, nnrt__tflite_batches),
    NNRT__ROW(39, 0, 2, 2, 1, TRANSPOSE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(40, 27, 2, 2, 1, REDUCE_MEAN, REDUCE_MEAN_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(41, 28, 2, 2, 1, SUB, SUB_ACTIVATIONTYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(42, 29, 2, 2, 1, DIV, DIV_ACTIVATIONTYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(43, 30, 1, 1, 1, SQUEEZE, TENSOR, nnrt__tflite_squeeze),
    NNRT__ROW(44, 71, 20, 24, 1, SEQUENCE_LSTM, TENSOR, nnrt__tflite_sequence_lstm),
    NNRT__ROW(45, 32, 4, 4, 1, STRIDED_SLICE, TENSOR, nnrt__tflite_strided_slice),
    NNRT__ROW(47, 0, 1, 1, 1, EXP, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(48, 0, 2, 2, 2, TOP_K, TENSOR, nnrt__tflite_top_k),
    NNRT__ROW(49, 35, 2, 2, NNRT__ANY, SPLIT, TENSOR, nnrt__tflite_split),
    NNRT__ROW(50, 0, 1, 1, 1, LOG_SOFTMAX, LOG_SOFTMAX_AXIS, nnrt__tflite_softmax),
    NNRT__ROW(53, 0, 1, 1, 1, CAST, TENSOR, nnrt__tflite_cast),
    NNRT__ROW(54, 0, 2, 2, 1, PRELU, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(55, 0, 2, 2, 1, MAXIMUM, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(56, 0, 2, 2, 1, ARG_MAX, TENSOR, nnrt__tflite_arg_max),
    NNRT__ROW(57, 0, 2, 2, 1, MINIMUM, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(58, 0, 2, 2, 1, LESS, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(59, 0, 1, 1, 1, NEG, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(60, 0, 3, 3, 1, PAD, TENSOR, nnrt__tflite_pad_value),
    NNRT__ROW(61, 0, 2, 2, 1, GREATER, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(62, 0, 2, 2, 1, GREATER_EQUAL, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(63, 0, 2, 2, 1, LESS_EQUAL, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(64, 0, 3, 3, 1, SELECT, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(65, 0, 3, 3, 1, SLICE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(66, 0, 1, 1, 1, SIN, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(67, 49, 3, 4, 1, CONV2D_TRANSPOSE, TENSOR, nnrt__tflite_transpose_conv),
    NNRT__ROW(68, 0, 4, 4, 1, SPARSE_TO_DENSE, TENSOR, nnrt__tflite_sparse_to_dense),
    NNRT__ROW(69, 0, 2, 2, 1, TILE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(70, 0, 2, 2, 1, EXPAND_DIMS, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(71, 0, 2, 2, 1, EQUAL, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(72, 0, 2, 2, 1, NOT_EQUAL, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(73, 0, 1, 1, 1, LOG, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(74, 27, 2, 2, 1, REDUCE_SUM, REDUCE_SUM_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(75, 0, 1, 1, 1, SQRT, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(76, 0, 1, 1, 1, RSQRT, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(77, 0, 1, 1, 1, SHAPE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(78, 0, 2, 2, 1, POW, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(79, 0, 2, 2, 1, ARG_MAX, TENSOR, nnrt__tflite_arg_min),
    NNRT__ROW(81, 27, 2, 2, 1, REDUCE_PROD, REDUCE_PROD_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(82, 27, 2, 2, 1, REDUCE_MAX, REDUCE_MAX_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(83, 59, 1, NNRT__ANY, 1, STACK, TENSOR, nnrt__tflite_pack),
    NNRT__ROW(84, 0, 2, 2, 1, LOGICAL_OR, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(85, 61, 4, 4, 1, ONE_HOT, TENSOR, nnrt__tflite_one_hot),
    NNRT__ROW(86, 0, 2, 2, 1, LOGICAL_AND, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(87, 0, 1, 1, 1, LOGICAL_NOT, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(88, 64, 1, 1, NNRT__ANY, UNSTACK, TENSOR, nnrt__tflite_unpack),
    NNRT__ROW(89, 27, 2, 2, 1, REDUCE_MIN, REDUCE_MIN_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(90, 0, 2, 2, 1, DIV, TENSOR, nnrt__tflite_floor_div),
    NNRT__ROW(91, 27, 2, 2, 1, REDUCE_ALL, REDUCE_ALL_KEEP_DIMS, nnrt__tflite_reduce_any),
    NNRT__ROW(92, 0, 1, 1, 1, SQUARE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(93, 0, 1, 1, 1, CONSTANT_OF_SHAPE, TENSOR, nnrt__tflite_zeros_like),
    NNRT__ROW(94, 0, 2, 2, 1, FILL, TENSOR, nnrt__tflite_fill),
    NNRT__ROW(95, 0, 2, 2, 1, MOD, TENSOR, nnrt__tflite_floor_mod),
    NNRT__ROW(96, 0, 3, 3, 1, RANGE, TENSOR, nnrt__tflite_series),
    NNRT__ROW(97, 74, 2, 2, 1, RESIZE_NEAREST, TENSOR, nnrt__tflite_resize_nearest),
    NNRT__ROW(98, 75, 1, 1, 1, LEAKY_RELU, TENSOR, nnrt__tflite_leaky_relu),
    NNRT__ROW(99, 0, 2, 2, 1, SQUARED_DIFFERENCE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(100, 77, 2, 2, 1, PAD, TENSOR, nnrt__tflite_mirror_pad),
    NNRT__ROW(101, 0, 1, 1, 1, ABS, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(102, 79, 3, 3, NNRT__ANY, SPLIT, TENSOR, nnrt__tflite_split_v),
    NNRT__ROW(104, 0, 1, 1, 1, CEIL, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(105, 0, 2, 2, 1, STRIDED_SLICE, TENSOR, nnrt__tflite_reverse),
    NNRT__ROW(106, 0, 1, NNRT__ANY, 1, ADD, TENSOR, nnrt__tflite_add_n),
    NNRT__ROW(107, 0, 2, 2, 1, GATHER_ND, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(108, 0, 1, 1, 1, COS, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(109, 0, 1, 1, 1, WHERE, TENSOR, nnrt__tflite_other_meaning),
    NNRT__ROW(110, 0, 1, 1, 1, RANK, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(111, 0, 1, 1, 1, EXP, TENSOR, nnrt__tflite_other_meaning),
    NNRT__ROW(114, 0, 1, 1, 1, QUANT_DTYPE_CAST, TENSOR, nnrt__tflite_quantize),
    NNRT__ROW(116, 0, 1, 1, 1, ROUND, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(117, 0, 1, 1, 1, HSWISH, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(122, 0, 3, 3, 1, SCATTER_ND, TENSOR, nnrt__tflite_scatter_nd),
    NNRT__ROW(123, 0, 3, 3, 1, WHERE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(126, 101, 2, 2, 1, MATMUL, TENSOR, nnrt__tflite_matmul),
    NNRT__ROW(128, 102, 2, 2, 1, CUMSUM, TENSOR, nnrt__tflite_cumsum),
    NNRT__ROW(129, 103, 0, 0, 0, RESHAPE, TENSOR, nnrt__tflite_call_once),
    NNRT__ROW(130, 0, 2, 2, 1, BROADCAST_TO, TENSOR, nnrt__tflite_broadcast_to),
    NNRT__ROW(140, 27, 2, 2, 1, REDUCE_ALL, REDUCE_ALL_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(142, 111, 0, 0, 1, RESHAPE, TENSOR, nnrt__tflite_var_handle),
    NNRT__ROW(143, 112, 1, 1, 1, RESHAPE, TENSOR, nnrt__tflite_read_variable),
    NNRT__ROW(144, 113, 2, 2, 0, RESHAPE, TENSOR, nnrt__tflite_assign_variable),
    NNRT__ROW(145, 0, 2, 2, 1, WHERE, TENSOR, nnrt__tflite_broadcast_args),
    NNRT__ROW(150, 116, 1, 1, 1, GELU, TENSOR, nnrt__tflite_gelu),
    NNRT__ROW(151, 0, 3, 3, 1, DYNAMIC_UPDATE_SLICE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(152, 0, 1, 1, 1, CLIP, CLIP_MAX, nnrt__tflite_relu_to_1),
    NNRT__ROW(156, 0, 2, 2, 1, POW, TENSOR, nnrt__tflite_other_meaning),
    NNRT__ROW(158, 0, 1, 1, 1, SUB, TENSOR, nnrt__tflite_sign)};

/* The custom operator that ends an SSD. */
#define NNRT__TFLITE_DETECTION "TFLite_Detection_PostProcess"
static const nnrt__tflite_row nnrt__tflite_detection_row =
    NNRT__ROW(NNRT__TFL_CUSTOM, 0, 3, 3, 4, DETECTION_POST_PROCESS, TENSOR, nnrt__tflite_detection);

#undef NNRT__ANY
#undef NNRT__ROW

NNRT__FN const nnrt__tflite_row *nnrt__tflite_find(int32_t code) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(nnrt__tflite_rows); i++) {
        if (nnrt__tflite_rows[i].code == code) return &nnrt__tflite_rows[i];
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------ from the file */

/* Whether input i may be missing in the middle of the list: after the required ones, if the operator has few inputs;
   and certain ones of SVDF and LSTM. */
NNRT__FN bool nnrt__tflite_may_lack(const nnrt__tflite_row *row, uint32_t i) {
    if (row->op == OH_NN_OPS_SVDF) return i == 3;
    if (row->op == OH_NN_OPS_SEQUENCE_LSTM) return nnrt__tflite_lstm_may_lack(i);
    return i >= row->inputs_min && row->inputs_max <= 4;
}

/* The operators of a file are in execution order: what one reads, an earlier one has written. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_inputs(nnrt__tflite *t, nnrt__tflite_op *op, const nnrt__fb_vector *inputs) {
    uint32_t i;
    NNRT_ASSERT(inputs->count <= op->row->inputs_max && inputs->count <= NNRT__MAX_IO);
    for (i = 0; i < inputs->count; i++) {
        const int32_t tensor = nnrt__fb_element_i32(&t->fb, inputs, i);
        if (tensor == -1 && nnrt__tflite_may_lack(op->row, i)) {
            op->inputs[i] = NNRT__TFLITE_ABSENT;
            continue;
        }
        if (tensor < 0 || (uint32_t)tensor >= t->tensors.count) {
            return nnrt__fail(OH_NN_INVALID_FILE,
                              "operator %u, %s: input %u is tensor %d, which does not exist, at "
                              "byte %zu",
                              op->index, op->name, i, (int)tensor, inputs->at + 4 * (size_t)i);
        }
        if (t->known[tensor] == NNRT__TFLITE_UNKNOWN) {
            return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: input %u, tensor %d, is used before it is computed",
                              op->index, op->name, i, (int)tensor);
        }
        if (t->known[tensor] == NNRT__TFLITE_EMPTY) op->empty_inputs++;
        if (t->known[tensor] == NNRT__TFLITE_HANDLE && op->row->translate != nnrt__tflite_read_variable &&
            op->row->translate != nnrt__tflite_assign_variable) {
            return nnrt__fail(
                OH_NN_UNSUPPORTED,
                "operator %u, %s: input %u, tensor %d, is the handle of a variable, which is not supported", op->index,
                op->name, i, (int)tensor);
        }
        if (t->known[tensor] == NNRT__TFLITE_CHANGED) {
            return nnrt__fail(OH_NN_UNSUPPORTED,
                              "operator %u, %s: input %u, tensor %d, is a variable that an operator before has "
                              "changed, which is not supported",
                              op->index, op->name, i, (int)tensor);
        }
        op->inputs[i] = (uint32_t)tensor;
    }
    op->input_count = inputs->count;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_outputs(nnrt__tflite *t, nnrt__tflite_op *op,
                                                  const nnrt__fb_vector *outputs) {
    uint32_t i;
    NNRT_ASSERT(outputs->count <= op->row->outputs_max && outputs->count <= NNRT__MAX_IO);
    for (i = 0; i < outputs->count; i++) {
        const int32_t tensor = nnrt__fb_element_i32(&t->fb, outputs, i);
        if (tensor < 0 || (uint32_t)tensor >= t->tensors.count) {
            return nnrt__fail(OH_NN_INVALID_FILE,
                              "operator %u, %s: output %u is tensor %d, which does not exist, at "
                              "byte %zu",
                              op->index, op->name, i, (int)tensor, outputs->at + 4 * (size_t)i);
        }
        if (t->known[tensor] == NNRT__TFLITE_EMPTY) {
            op->outputs[i] = (uint32_t)tensor;
            op->empty_outputs++;
            continue;
        }
        if (t->known[tensor] == NNRT__TFLITE_HANDLE && op->row->translate == nnrt__tflite_var_handle) {
            op->outputs[i] = (uint32_t)tensor;
            continue;
        }
        if (t->known[tensor] != NNRT__TFLITE_UNKNOWN) {
            return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: output %u, tensor %d, is %s already", op->index,
                              op->name, i, (int)tensor,
                              t->known[tensor] == NNRT__TFLITE_GIVEN      ? "a model input"
                              : t->known[tensor] == NNRT__TFLITE_CONSTANT ? "a constant"
                              : t->known[tensor] == NNRT__TFLITE_COMPUTED ? "computed"
                              : t->known[tensor] == NNRT__TFLITE_HANDLE   ? "the handle of a variable"
                                                                          : "a variable");
        }
        t->known[tensor] = (uint8_t)NNRT__TFLITE_COMPUTED;
        op->outputs[i] = (uint32_t)tensor;
    }
    op->output_count = outputs->count;
    return OH_NN_SUCCESS;
}

#define NNRT__TFLITE_LABEL_SIZE 72 /* of an operator's name with its quotes */

/* Finds the operator's row, and its name for sentences. label (NNRT__TFLITE_LABEL_SIZE bytes) gets its name if it is
   OH_NN_UNSUPPORTED. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_code(nnrt__tflite *t, nnrt__tflite_op *op, uint32_t code_index, char *label) {
    nnrt__fb_table table;
    const char *custom;
    size_t length;
    int32_t deprecated = 0, code = 0;
    if (code_index >= t->codes.count) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u has operator code %u of %u", op->index, code_index,
                          t->codes.count);
    }
    if (!nnrt__fb_element_table(&t->fb, &t->codes, code_index, &table) ||
        !nnrt__fb_i8(&t->fb, &table, NNRT__TFL_CODE_DEPRECATED, &deprecated) ||
        !nnrt__fb_string_field(&t->fb, &table, NNRT__TFL_CODE_CUSTOM, &custom, &length) ||
        !nnrt__fb_i32(&t->fb, &table, NNRT__TFL_CODE_BUILTIN, &code)) {
        return nnrt__tflite_broken(t, "operator code", code_index);
    }
    if (deprecated > code)
        code = deprecated; /* files up to 2020 have only the byte, later ones a number
                                                 above it */
    op->row = nnrt__tflite_find(code);
    op->name = nnrt__tflite_operator_name(code);
    if (code == NNRT__TFL_CUSTOM && strcmp(custom, NNRT__TFLITE_DETECTION) == 0) {
        op->row = &nnrt__tflite_detection_row;
        op->name = NNRT__TFLITE_DETECTION;
    } else if (code == NNRT__TFL_CUSTOM) {
        nnrt__say(label, NNRT__TFLITE_LABEL_SIZE, "\"%.60s\"", custom);
        return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u is the custom operator \"%.60s\", which is not supported",
                          op->index, custom);
    }
    if (code < 0) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator code %u is %d, at byte %zu", code_index, (int)code, table.at);
    }
    if (op->row != NULL && op->row->translate != NULL) return OH_NN_SUCCESS;
    if (op->name != NULL) nnrt__say(label, NNRT__TFLITE_LABEL_SIZE, "%s", op->name);
    else nnrt__say(label, NNRT__TFLITE_LABEL_SIZE, "builtin operator %d", (int)code);
    if (op->row != NULL) {
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "operator %u, %s: this build leaves the operator out: it is not "
                          "in its NNRT_OPS",
                          op->index, op->name);
    }
    if (op->name == NULL) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u is builtin operator %d, which is not supported", op->index,
                          (int)code);
    }
    return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u, %s, is not supported", op->index, op->name);
}

/* Whether list, in which each label follows ", ", contains label. */
NNRT__FN bool nnrt__tflite_listed(const char *list, const char *label) {
    const size_t length = strlen(label);
    for (; (list = strchr(list, ',')) != NULL; list++)
        if (list[1] == ' ' && strlen(list) >= 2 + length && memcmp(list + 2, label, length) == 0 &&
            (list[2 + length] == ',' || list[2 + length] == '\0'))
            return true;
    return false;
}

/* Checks all operators before the first tensor: an unsupported operator is the more useful message, as tensors of such
   models are often odd, too. The sentence is about the first one and names the others. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_check_codes(nnrt__tflite *t) {
    char sentence[NNRT__SENTENCE_SIZE], label[NNRT__TFLITE_LABEL_SIZE], list[NNRT__SENTENCE_SIZE];
    size_t first = 0;  /* bytes of list that the first label takes; 0: all are supported so far */
    bool more = false; /* one had no room */
    uint32_t i;
    list[0] = '\0';
    for (i = 0; i < t->operators.count; i++) {
        const size_t used = strlen(list);
        nnrt__tflite_op op;
        nnrt__fb_table table;
        uint32_t code_index = 0;
        OH_NN_ReturnCode code;
        op.index = i;
        if (!nnrt__fb_element_table(&t->fb, &t->operators, i, &table) ||
            !nnrt__fb_u32(&t->fb, &table, NNRT__TFL_OPERATOR_CODE, &code_index))
            return nnrt__tflite_broken(t, "operator", i);
        code = nnrt__tflite_op_code(t, &op, code_index, label);
        if (code == OH_NN_SUCCESS || (code == OH_NN_UNSUPPORTED && nnrt__tflite_listed(list, label))) continue;
        if (code != OH_NN_UNSUPPORTED || NNRT__SENTENCE_SIZE == 1) return code;
        if (first == 0) {
            memcpy(sentence, nnrt__sentence(), sizeof(sentence));
            nnrt__say(list, sizeof(list), ", %s", label);
            first = strlen(list);
        } else if (strlen(sentence) + strlen("; nor ") + used - first + strlen(label) + strlen(", ...") <
                   sizeof(sentence)) {
            nnrt__say(list + used, sizeof(list) - used, ", %s", label);
        } else {
            more = true;
        }
    }
    if (first == 0) return OH_NN_SUCCESS;
    if (list[first] == '\0') return nnrt__fail(OH_NN_UNSUPPORTED, "%s", sentence);
    return nnrt__fail(OH_NN_UNSUPPORTED, "%s; nor %s%s", sentence, list + first + 2, more ? ", ..." : "");
}

/* The operator at table, whose index is set: its row, counted inputs and outputs, and options. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_open(nnrt__tflite *t, nnrt__tflite_op *op, const nnrt__fb_table *table,
                                            nnrt__fb_vector *inputs, nnrt__fb_vector *outputs) {
    char label[NNRT__TFLITE_LABEL_SIZE];
    uint32_t code_index = 0, options_type = 0;
    bool has_table = false;
    OH_NN_ReturnCode code;
    if (!nnrt__fb_u32(&t->fb, table, NNRT__TFL_OPERATOR_CODE, &code_index))
        return nnrt__tflite_broken(t, "operator", op->index);
    code = nnrt__tflite_op_code(t, op, code_index, label);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__fb_vector_field(&t->fb, table, NNRT__TFL_OPERATOR_INPUTS, 4, inputs) ||
        !nnrt__fb_vector_field(&t->fb, table, NNRT__TFL_OPERATOR_OUTPUTS, 4, outputs) ||
        !nnrt__fb_u8(&t->fb, table, NNRT__TFL_OPERATOR_OPTIONS_TYPE, &options_type) ||
        !nnrt__fb_vector_field(&t->fb, table, NNRT__TFL_OPERATOR_CUSTOM, 1, &op->custom) ||
        !nnrt__tflite_charge(t, inputs->count, 4) || !nnrt__tflite_charge(t, outputs->count, 4)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (inputs->count < op->row->inputs_min || inputs->count > op->row->inputs_max) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s, takes %u to %u inputs, not %u", op->index, op->name,
                          (unsigned)op->row->inputs_min, (unsigned)op->row->inputs_max, inputs->count);
    }
    if (outputs->count < (op->row->outputs_max != 0 ? 1u : 0u) || outputs->count > op->row->outputs_max) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s, has %u to %u outputs, not %u", op->index, op->name,
                          op->row->outputs_max != 0 ? 1u : 0u, (unsigned)op->row->outputs_max, outputs->count);
    }
    if (op->row->options == 0 || options_type == 0) return OH_NN_SUCCESS;
    if (options_type != op->row->options) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s, has options of type %u, not %u, at byte %zu", op->index,
                          op->name, options_type, (unsigned)op->row->options, table->at);
    }
    if (!nnrt__fb_table_field(&t->fb, table, NNRT__TFL_OPERATOR_OPTIONS, &op->options, &has_table)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (!has_table) return nnrt__tflite_op_wrong(op, "its options have a type and no contents");
    op->has_options = true;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_operator(nnrt__tflite *t, uint32_t index) {
    nnrt__tflite_op op;
    nnrt__fb_table table;
    nnrt__fb_vector inputs, outputs;
    OH_NN_ReturnCode code;
    memset(&op, 0, sizeof(op));
    op.index = index;
    if (!nnrt__tflite_charge(t, 1, 32) || !nnrt__fb_element_table(&t->fb, &t->operators, index, &table))
        return nnrt__tflite_broken(t, "operator", index);
    code = nnrt__tflite_open(t, &op, &table, &inputs, &outputs);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_op_inputs(t, &op, &inputs);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_op_outputs(t, &op, &outputs);
    if (code != OH_NN_SUCCESS) return code;
    if (op.empty_inputs != 0 || op.empty_outputs != 0) return nnrt__tflite_with_empty(t, &op);
    return op.row->translate(t, &op);
}

#endif /* NNRT_TFLITE_OPERATORS_H */
