/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/kinds.h - the kinds of steps that this build has: those of its operators.   >>cpu_kinds

   What a plan needs to be checked and to run, and nothing that makes one: no operator's infer or lower is mentioned
   here. cpu/ops.h has those. A build that compiles models and has NNRT_STEPS, too, lowers to the listed kinds only: a
   lowering names a kind by NNRT__KIND.

   Which operator may lower to which kinds is said here, one row for each operator, an object of its own: what
   NNRT_OPS leaves out is mentioned nowhere, and the compiler drops it with all that only it uses. A kind is called
   nnrt__step_NAME, and NAME is what profiles call it. */
#ifndef NNRT_CPU_KINDS_H
#define NNRT_CPU_KINDS_H

#include "steps_conv_dw.h"
#include "steps_conv_hybrid.h"
#include "steps_conv_pool.h"
#include "steps_conv_s16.h"
#include "steps_detection.h"
#include "steps_elementwise.h"
#include "steps_files.h"
#include "steps_lookup.h"
#include "steps_lstm.h"
#include "steps_matmul.h"
#include "steps_movement.h"
#include "steps_sequence_lstm.h"
#include "steps_stripes.h"
#include "steps_svdf.h"

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
    X(ONE_HOT) X(SELECT) X(WHERE) X(FILL) X(CONSTANT_OF_SHAPE) X(RANGE) X(SHAPE) X(RANK) X(GATHER_ND) X(SCATTER_ND) \
    X(SPARSE_TO_DENSE) X(ASSERT) X(MATMUL) X(DETECTION_POST_PROCESS) X(LRN) X(LSTM) \
    X(SVDF) X(SEQUENCE_LSTM) X(CUMSUM) X(DYNAMIC_UPDATE_SLICE)
/* clang-format on */

/* The operators of this build, and whether one is among them, which is known while it is compiled. */
#ifdef NNRT_OPS
#define NNRT__CPU_OPS(X) NNRT_OPS(X)
#define NNRT__OP_IS(name) || op == OH_NN_OPS_##name
NNRT__INLINE bool nnrt__op_is_chosen(OH_NN_OperationType op) { return false NNRT_OPS(NNRT__OP_IS); }
#undef NNRT__OP_IS
#else
#define NNRT__CPU_OPS(X) NNRT__ALL_CPU_OPS(X)
NNRT__INLINE bool nnrt__op_is_chosen(OH_NN_OperationType op) {
    (void)op;
    return true;
}
#endif

#ifdef NNRT_STEPS
/* Why a plan's step is refused, and what an operator may lack. */
#define NNRT__NO_KIND "a step is not in NNRT_STEPS, or for another instruction set there"

/* Is the kind in the program? Known while it is compiled. */
#define NNRT__KIND_IS(name, level) || kind == &nnrt__step_##name
NNRT__INLINE bool nnrt__kind_is_listed(const nnrt__step_kind *kind) { return false NNRT_STEPS(NNRT__KIND_IS); }
#undef NNRT__KIND_IS

/* An error at a name here: NNRT_STEPS lists a kind that there is not. */
typedef struct nnrt__listed_kind {
    const nnrt__step_kind *kind;
    unsigned slots; /* NNRT__SLOT_* */
} nnrt__listed_kind;
#define NNRT__KIND_LISTED(name, level) {&nnrt__step_##name, NNRT__SLOTS_OF_##name},
static const nnrt__listed_kind nnrt__cpu_kinds[] = {NNRT_STEPS(NNRT__KIND_LISTED)};
#undef NNRT__KIND_LISTED

/* The kind of step with that id, which may come from a hostile plan; NULL: it is not in NNRT_STEPS, or the table lacks
   what it calls, as where NNRT_STEPS lists it for another instruction set. */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_in(const nnrt__cpu_table *table, uint32_t id) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(nnrt__cpu_kinds); i++)
        if (nnrt__cpu_kinds[i].kind->id == id)
            return (nnrt__cpu_kinds[i].slots & ~table->installed) == 0 ? nnrt__cpu_kinds[i].kind : NULL;
    return NULL;
}

/* May a step be in a group? Known while the program is compiled. */
#define NNRT__KIND_TURNS(name, level) || nnrt__kind_takes_turns(&nnrt__step_##name)
NNRT__INLINE bool nnrt__kinds_take_turns(void) { return false NNRT_STEPS(NNRT__KIND_TURNS); }
#undef NNRT__KIND_TURNS

/* Any operator may lower to what is listed: the build with every kind knows which do. */
NNRT__INLINE bool nnrt__op_may_lower_to(OH_NN_OperationType op, const nnrt__step_kind *kind) {
    (void)op;
    (void)kind;
    return true;
}
#else
#define NNRT__NO_KIND "a step is of no known kind"

NNRT__INLINE bool nnrt__kind_is_listed(const nnrt__step_kind *kind) {
    (void)kind;
    return true;
}

/* Every kind that a family of operators may lower to, NULL at the end; nnrt__lower_step refuses every other. */
static const nnrt__step_kind *const nnrt__kinds_of_conv[] = {&nnrt__step_conv_s8,
                                                             &nnrt__step_conv_raw_s8,
                                                             &nnrt__step_conv_f32,
                                                             &nnrt__step_conv_raw_f32,
                                                             &nnrt__step_dw_s8,
                                                             &nnrt__step_dw_f32,
                                                             &nnrt__step_conv_s8_stripes,
                                                             &nnrt__step_conv_raw_s8_stripes,
                                                             &nnrt__step_conv_f32_stripes,
                                                             &nnrt__step_conv_raw_f32_stripes,
                                                             &nnrt__step_dw_s8_stripes,
                                                             &nnrt__step_dw_f32_stripes,
                                                             &nnrt__step_quantize_batches,
                                                             &nnrt__step_conv_hybrid,
                                                             &nnrt__step_conv_s16,
                                                             &nnrt__step_dw_s16,
                                                             NULL};
static const nnrt__step_kind *const nnrt__kinds_of_fc[] = {&nnrt__step_fc_s8,
                                                           &nnrt__step_fc_raw_s8,
                                                           &nnrt__step_fc_f32,
                                                           &nnrt__step_fc_raw_f32,
                                                           &nnrt__step_quantize_batches,
                                                           &nnrt__step_fc_hybrid,
                                                           &nnrt__step_fc_s16,
                                                           NULL};
static const nnrt__step_kind *const nnrt__kinds_of_lstm[] = {&nnrt__step_lstm_f32, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_sequence_lstm[] = {&nnrt__step_sequence_lstm_f32,
                                                                      &nnrt__step_sequence_lstm_s16, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_svdf[] = {&nnrt__step_svdf_f32, &nnrt__step_svdf_int, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_matmul[] = {&nnrt__step_fc_s8,
                                                               &nnrt__step_fc_raw_s8,
                                                               &nnrt__step_fc_f32,
                                                               &nnrt__step_fc_raw_f32,
                                                               &nnrt__step_quantize_batches,
                                                               &nnrt__step_fc_hybrid,
                                                               &nnrt__step_fc_s16,
                                                               &nnrt__step_matmul_s8,
                                                               &nnrt__step_matmul_s16,
                                                               &nnrt__step_matmul_f32,
                                                               &nnrt__step_copy,
                                                               NULL};
static const nnrt__step_kind *const nnrt__kinds_of_pool[] = {&nnrt__step_avg_pool_s8,
                                                             &nnrt__step_max_pool_s8,
                                                             &nnrt__step_avg_pool_s16,
                                                             &nnrt__step_max_pool_s16,
                                                             &nnrt__step_avg_pool_f32,
                                                             &nnrt__step_max_pool_f32,
                                                             NULL};
static const nnrt__step_kind *const nnrt__kinds_of_conv_transpose[] = {
    &nnrt__step_conv_transpose_s8, &nnrt__step_conv_transpose_f32, &nnrt__step_conv_transpose_s16, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_binary[] = {&nnrt__step_binary_f32,
                                                               &nnrt__step_binary_int,
                                                               &nnrt__step_binary_s8,
                                                               &nnrt__step_binary_s16,
                                                               &nnrt__step_quantize,
                                                               &nnrt__step_cast,
                                                               NULL};
static const nnrt__step_kind *const nnrt__kinds_of_compare[] = {&nnrt__step_compare, &nnrt__step_compare_s8,
                                                                &nnrt__step_quantize, &nnrt__step_cast, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_unary[] = {&nnrt__step_unary,
                                                              &nnrt__step_lut_s8,
                                                              &nnrt__step_unary_s16,
                                                              &nnrt__step_quantize,
                                                              &nnrt__step_cast,
                                                              &nnrt__step_binary_int,
                                                              NULL};
static const nnrt__step_kind *const nnrt__kinds_of_cast[] = {&nnrt__step_cast, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_quant_cast[] = {&nnrt__step_quantize, &nnrt__step_lut_s8,
                                                                   &nnrt__step_requantize_ints, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_softmax[] = {&nnrt__step_softmax_s8, &nnrt__step_softmax_s16,
                                                                &nnrt__step_row_f32, &nnrt__step_quantize, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_l2[] = {&nnrt__step_l2_s8, &nnrt__step_row_f32, &nnrt__step_quantize,
                                                           NULL};
static const nnrt__step_kind *const nnrt__kinds_of_normalize[] = {&nnrt__step_normalize_f32, &nnrt__step_quantize,
                                                                  NULL};
static const nnrt__step_kind *const nnrt__kinds_of_affine[] = {&nnrt__step_affine_f32, &nnrt__step_quantize, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_bias_add[] = {&nnrt__step_binary_f32, &nnrt__step_quantize, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_copy[] = {&nnrt__step_copy, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_pad[] = {&nnrt__step_copy, &nnrt__step_pad_mirror, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_reduce[] = {&nnrt__step_reduce, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_resize[] = {&nnrt__step_resize_bilinear, &nnrt__step_quantize, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_top[] = {&nnrt__step_top, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_gather[] = {&nnrt__step_gather, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_one_hot[] = {&nnrt__step_one_hot, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_select[] = {&nnrt__step_select, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_where[] = {&nnrt__step_select, &nnrt__step_copy, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_gather_nd[] = {&nnrt__step_gather_nd, &nnrt__step_cast, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_scatter[] = {&nnrt__step_scatter_nd, &nnrt__step_cast, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_detection[] = {&nnrt__step_detection, &nnrt__step_quantize, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_lrn[] = {&nnrt__step_lrn_f32, &nnrt__step_quantize, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_cumsum[] = {&nnrt__step_cumsum, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_update[] = {&nnrt__step_update, NULL};
static const nnrt__step_kind *const nnrt__kinds_of_assert[] = {&nnrt__step_assert, NULL};

typedef struct nnrt__op_kinds {
    OH_NN_OperationType op;
    const nnrt__step_kind *const *kinds;
} nnrt__op_kinds;

#define NNRT__LOWERS_TO(name, family) \
    static const nnrt__op_kinds nnrt__kinds_##name = {OH_NN_OPS_##name, nnrt__kinds_of_##family};
/* clang-format off */
NNRT__LOWERS_TO(CONV2D, conv) NNRT__LOWERS_TO(DEPTHWISE_CONV2D_NATIVE, conv) NNRT__LOWERS_TO(FULL_CONNECTION, fc)
NNRT__LOWERS_TO(AVG_POOL, pool) NNRT__LOWERS_TO(MAX_POOL, pool) NNRT__LOWERS_TO(CONV2D_TRANSPOSE, conv_transpose)
NNRT__LOWERS_TO(ADD, binary) NNRT__LOWERS_TO(SUB, binary) NNRT__LOWERS_TO(MUL, binary) NNRT__LOWERS_TO(DIV, binary)
NNRT__LOWERS_TO(MAXIMUM, binary) NNRT__LOWERS_TO(MINIMUM, binary) NNRT__LOWERS_TO(SQUARED_DIFFERENCE, binary)
NNRT__LOWERS_TO(ELTWISE, binary) NNRT__LOWERS_TO(POW, binary) NNRT__LOWERS_TO(MOD, binary)
NNRT__LOWERS_TO(PRELU, binary) NNRT__LOWERS_TO(EQUAL, compare) NNRT__LOWERS_TO(NOT_EQUAL, compare)
NNRT__LOWERS_TO(LESS, compare) NNRT__LOWERS_TO(LESS_EQUAL, compare) NNRT__LOWERS_TO(GREATER, compare)
NNRT__LOWERS_TO(GREATER_EQUAL, compare) NNRT__LOWERS_TO(LOGICAL_AND, compare) NNRT__LOWERS_TO(LOGICAL_OR, compare)
NNRT__LOWERS_TO(LOGICAL_NOT, compare) NNRT__LOWERS_TO(RELU, unary) NNRT__LOWERS_TO(RELU6, unary)
NNRT__LOWERS_TO(LEAKY_RELU, unary) NNRT__LOWERS_TO(CLIP, unary) NNRT__LOWERS_TO(HSWISH, unary)
NNRT__LOWERS_TO(HARD_SIGMOID, unary) NNRT__LOWERS_TO(SIGMOID, unary) NNRT__LOWERS_TO(TANH, unary)
NNRT__LOWERS_TO(SWISH, unary) NNRT__LOWERS_TO(GELU, unary) NNRT__LOWERS_TO(ABS, unary) NNRT__LOWERS_TO(NEG, unary)
NNRT__LOWERS_TO(SQUARE, unary) NNRT__LOWERS_TO(SQRT, unary) NNRT__LOWERS_TO(RSQRT, unary) NNRT__LOWERS_TO(EXP, unary)
NNRT__LOWERS_TO(LOG, unary) NNRT__LOWERS_TO(SIN, unary) NNRT__LOWERS_TO(COS, unary) NNRT__LOWERS_TO(ERF, unary)
NNRT__LOWERS_TO(CEIL, unary) NNRT__LOWERS_TO(FLOOR, unary) NNRT__LOWERS_TO(ROUND, unary)
NNRT__LOWERS_TO(RECIPROCAL, unary) NNRT__LOWERS_TO(CAST, cast) NNRT__LOWERS_TO(QUANT_DTYPE_CAST, quant_cast)
NNRT__LOWERS_TO(SOFTMAX, softmax) NNRT__LOWERS_TO(LOG_SOFTMAX, softmax) NNRT__LOWERS_TO(L2_NORMALIZE, l2)
NNRT__LOWERS_TO(LAYER_NORM, normalize) NNRT__LOWERS_TO(INSTANCE_NORM, normalize) NNRT__LOWERS_TO(BATCH_NORM, affine)
NNRT__LOWERS_TO(SCALE, affine) NNRT__LOWERS_TO(BIAS_ADD, bias_add) NNRT__LOWERS_TO(RESHAPE, copy)
NNRT__LOWERS_TO(SQUEEZE, copy) NNRT__LOWERS_TO(EXPAND_DIMS, copy) NNRT__LOWERS_TO(UNSQUEEZE, copy)
NNRT__LOWERS_TO(FLATTEN, copy) NNRT__LOWERS_TO(CONCAT, copy) NNRT__LOWERS_TO(STACK, copy) NNRT__LOWERS_TO(SPLIT, copy)
NNRT__LOWERS_TO(UNSTACK, copy) NNRT__LOWERS_TO(SLICE, copy) NNRT__LOWERS_TO(STRIDED_SLICE, copy)
NNRT__LOWERS_TO(CROP, copy) NNRT__LOWERS_TO(TRANSPOSE, copy) NNRT__LOWERS_TO(TILE, copy)
NNRT__LOWERS_TO(BROADCAST_TO, copy) NNRT__LOWERS_TO(PAD, pad) NNRT__LOWERS_TO(DEPTH_TO_SPACE, copy)
NNRT__LOWERS_TO(SPACE_TO_DEPTH, copy) NNRT__LOWERS_TO(SPACE_TO_BATCH_ND, copy) NNRT__LOWERS_TO(BATCH_TO_SPACE_ND, copy)
NNRT__LOWERS_TO(REDUCE_MEAN, reduce) NNRT__LOWERS_TO(REDUCE_SUM, reduce) NNRT__LOWERS_TO(REDUCE_MAX, reduce)
NNRT__LOWERS_TO(REDUCE_MIN, reduce) NNRT__LOWERS_TO(REDUCE_PROD, reduce) NNRT__LOWERS_TO(REDUCE_L2, reduce)
NNRT__LOWERS_TO(REDUCE_ALL, reduce) NNRT__LOWERS_TO(ALL, reduce) NNRT__LOWERS_TO(RESIZE_BILINEAR, resize)
NNRT__LOWERS_TO(ARG_MAX, top) NNRT__LOWERS_TO(TOP_K, top) NNRT__LOWERS_TO(GATHER, gather)
NNRT__LOWERS_TO(ONE_HOT, one_hot) NNRT__LOWERS_TO(SELECT, select) NNRT__LOWERS_TO(WHERE, where)
NNRT__LOWERS_TO(FILL, copy) NNRT__LOWERS_TO(CONSTANT_OF_SHAPE, copy) NNRT__LOWERS_TO(RANGE, copy)
NNRT__LOWERS_TO(SHAPE, copy) NNRT__LOWERS_TO(RANK, copy) NNRT__LOWERS_TO(GATHER_ND, gather_nd)
NNRT__LOWERS_TO(SCATTER_ND, scatter) NNRT__LOWERS_TO(SPARSE_TO_DENSE, scatter) NNRT__LOWERS_TO(ASSERT, assert)
NNRT__LOWERS_TO(MATMUL, matmul) NNRT__LOWERS_TO(DETECTION_POST_PROCESS, detection)
NNRT__LOWERS_TO(LRN, lrn) NNRT__LOWERS_TO(LSTM, lstm) NNRT__LOWERS_TO(SVDF, svdf)
NNRT__LOWERS_TO(SEQUENCE_LSTM, sequence_lstm) NNRT__LOWERS_TO(CUMSUM, cumsum)
NNRT__LOWERS_TO(DYNAMIC_UPDATE_SLICE, update)
#undef NNRT__LOWERS_TO

/* An error at a name here: NNRT_OPS lists an operator for which the CPU device has no kernels. */
#define NNRT__KINDS_ADDRESS(name) &nnrt__kinds_##name,
static const nnrt__op_kinds *const nnrt__cpu_kinds[] = {NNRT__CPU_OPS(NNRT__KINDS_ADDRESS) NULL};
#undef NNRT__KINDS_ADDRESS
/* clang-format on */

/* The kind of step with that id, which may come from a hostile plan; NULL: no operator here has it. */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_find(uint32_t id) {
    const nnrt__op_kinds *const *row;
    const nnrt__step_kind *const *seen = NULL; /* neighbours share a list */
    for (row = nnrt__cpu_kinds; *row != NULL; row++) {
        const nnrt__step_kind *const *kind = (*row)->kinds;
        if (kind == seen) continue;
        for (seen = kind; *kind != NULL; kind++)
            if ((*kind)->id == id) return *kind;
    }
    return NULL;
}

/* The kinds that op may lower to, NULL at the end; NULL: this build has no such operator. */
NNRT__FN const nnrt__step_kind *const *nnrt__kinds_of(OH_NN_OperationType op) {
    const nnrt__op_kinds *const *row = nnrt__cpu_kinds;
    while (*row != NULL && (*row)->op != op) row++;
    return *row != NULL ? (*row)->kinds : NULL;
}

/* Is kind among those of op? One that is not would be missing from builds with NNRT_OPS. */
NNRT__FN bool nnrt__op_may_lower_to(OH_NN_OperationType op, const nnrt__step_kind *kind) {
    const nnrt__step_kind *const *listed = nnrt__kinds_of(op);
    while (listed != NULL && *listed != NULL && *listed != kind) listed++;
    return listed != NULL && *listed == kind;
}

/* A build without NNRT_STEPS has every kernel, and groups of steps. */
/*@ assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_in(const nnrt__cpu_table *table, uint32_t id) {
    (void)table;
    return nnrt__step_kind_find(id);
}
/*@ assigns \nothing; */
NNRT__INLINE bool nnrt__kinds_take_turns(void) { return true; }
#endif

/* The row of a kind for a lowering; NULL in a build that leaves it out, which then mentions it nowhere. */
#define NNRT__KIND(name) (nnrt__kind_is_listed(&nnrt__step_##name) ? &nnrt__step_##name : NULL)

#endif /* NNRT_CPU_KINDS_H */
