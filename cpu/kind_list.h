/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/kind_list.h - every kind of step in one row, and which operators lower to it.   >>cpu_kind_list

   The only list of them. A kind is called nnrt__step_NAME, and NAME stands for it in profiles, NNRT_STEPS and plans;
   its functions are in cpu/steps_*.h (NNRT__STEP_KIND of cpu/plan.h). This file has only numbers and names, so that
   everything made from the list is known at compile time. */
#ifndef NNRT_CPU_KIND_LIST_H
#define NNRT_CPU_KIND_LIST_H

#include "../kernels/internal.h"

/* Flags: true of every step of a kind. */
enum {
    NNRT__IN_PLACE = 1 << 0,    /* output 0 may use the memory of any input of equal size that dies here */
    NNRT__TAKES_TURNS = 1 << 1, /* only ever in a group of steps (cpu/steps_stripes.h) */
    NNRT__BY_BLOCKS = 1 << 2,   /* a convolution, which computes nnrt__conv_args.block at a time (cpu/overlap.h) */
    NNRT__BY_ROWS = 1 << 3,     /* it computes whole rows of the output at a time (ditto) */
    NNRT__IN_ORDER = NNRT__BY_BLOCKS | NNRT__BY_ROWS
};

/* X(name, id, revision, flags, slots)

   id what a plan says; it never changes, and none is given twice. 0x1xx: convolutions, products and what stands on
   them, 0x2xx: elements and rows, 0x3xx: movement, 0x38x: what another chip does. revision how often the meaning of the
   arguments changed without a change of their size
   flags     NNRT__IN_PLACE, NNRT__TAKES_TURNS, NNRT__BY_BLOCKS, NNRT__BY_ROWS, NNRT__IN_ORDER, 0
   slots the kernels that it may call: NNRT__SLOT of kernels/internal.h. 0: portable code of its own. Builds with
   NNRT_STEPS or NNRT_OPS have no other kernels (cpu/wanted.h). */
/* clang-format off */
#define NNRT__STEP_KINDS(X) \
    X(conv_s8,              0x100, 0, NNRT__BY_BLOCKS,   NNRT__SLOT_gemm_s8) \
    X(fc_s8,                0x101, 0, 0,                 NNRT__SLOT_gemm_s8) \
    X(conv_raw_s8,          0x102, 0, NNRT__BY_BLOCKS,   NNRT__SLOT_gemm_raw_s8) \
    X(fc_raw_s8,            0x103, 0, 0,                 NNRT__SLOT_gemm_raw_s8) \
    X(conv_f32,             0x104, 0, NNRT__BY_BLOCKS,   NNRT__SLOT_gemm_f32) \
    X(fc_f32,               0x105, 0, 0,                 NNRT__SLOT_gemm_f32) \
    X(conv_raw_f32,         0x106, 0, NNRT__BY_BLOCKS,   NNRT__SLOT_gemm_raw_f32) \
    X(fc_raw_f32,           0x107, 0, 0,                 NNRT__SLOT_gemm_raw_f32) \
    X(dw_s8,                0x110, 0, NNRT__IN_ORDER,    NNRT__SLOT_dw_s8) \
    X(dw_f32,               0x111, 0, NNRT__IN_ORDER,    NNRT__SLOT_dw_f32) \
    X(dw_groups_s8,         0x112, 0, 0,                 NNRT__SLOT_dw_s8 | NNRT__SLOT_spread) \
    X(dw_groups_f32,        0x113, 0, 0,                 NNRT__SLOT_dw_f32 | NNRT__SLOT_spread) \
    X(avg_pool_s8,          0x120, 0, NNRT__BY_ROWS,     NNRT__SLOT_avg_pool_s8) \
    X(max_pool_s8,          0x121, 0, NNRT__BY_ROWS,     NNRT__SLOT_max_pool_s8) \
    X(avg_pool_f32,         0x122, 0, NNRT__BY_ROWS,     NNRT__SLOT_pool_f32) \
    X(max_pool_f32,         0x123, 0, NNRT__BY_ROWS,     NNRT__SLOT_pool_f32) \
    X(avg_pool_s16,         0x124, 0, NNRT__BY_ROWS,     0) \
    X(max_pool_s16,         0x125, 0, NNRT__BY_ROWS,     0) \
    X(quantize_batches,     0x130, 0, 0,                 NNRT__SLOT_hybrid_s8) \
    X(conv_hybrid,          0x131, 0, 0,                 NNRT__SLOT_hybrid_s8) \
    X(fc_hybrid,            0x132, 0, 0,                 NNRT__SLOT_hybrid_s8) \
    X(conv_transpose_s8,    0x140, 1, 0,                 NNRT__SLOT_gemm_s8) \
    X(conv_transpose_f32,   0x141, 1, 0,                 NNRT__SLOT_gemm_f32) \
    X(conv_s16,             0x150, 0, NNRT__BY_BLOCKS,   NNRT__SLOT_gemm_s16) \
    X(fc_s16,               0x151, 0, 0,                 NNRT__SLOT_gemm_s16) \
    X(dw_s16,               0x152, 0, NNRT__IN_ORDER,    NNRT__SLOT_dw_s16) \
    X(conv_transpose_s16,   0x153, 1, 0,                 NNRT__SLOT_gemm_s16) \
    X(dw_groups_s16,        0x154, 0, 0,                 NNRT__SLOT_dw_s16 | NNRT__SLOT_spread) \
    X(matmul_s8,            0x170, 0, 0,                 0) \
    X(matmul_f32,           0x171, 0, 0,                 NNRT__SLOT_gemm_raw_f32) \
    X(matmul_s16,           0x172, 0, 0,                 0) \
    X(conv_s8_stripes,      0x180, 0, NNRT__TAKES_TURNS, NNRT__SLOT_gemm_s8) \
    X(conv_raw_s8_stripes,  0x181, 0, NNRT__TAKES_TURNS, NNRT__SLOT_gemm_raw_s8) \
    X(conv_f32_stripes,     0x182, 0, NNRT__TAKES_TURNS, NNRT__SLOT_gemm_f32) \
    X(conv_raw_f32_stripes, 0x183, 0, NNRT__TAKES_TURNS, NNRT__SLOT_gemm_raw_f32) \
    X(dw_s8_stripes,        0x184, 0, NNRT__TAKES_TURNS, NNRT__SLOT_dw_s8) \
    X(dw_f32_stripes,       0x185, 0, NNRT__TAKES_TURNS, NNRT__SLOT_dw_f32) \
    X(lstm_f32,             0x1a0, 0, 0,                 NNRT__SLOT_gemm_raw_f32) \
    X(svdf_f32,             0x1a1, 0, 0,                 0) \
    X(svdf_int,             0x1a2, 0, 0,                 0) \
    X(sequence_lstm_f32,    0x1a3, 0, 0,                 NNRT__SLOT_gemm_raw_f32 | NNRT__SLOT_hybrid_s8) \
    X(sequence_lstm_s16,    0x1a4, 0, 0,                 NNRT__SLOT_gemm_s16) \
    X(binary_f32,           0x200, 0, NNRT__IN_PLACE,    NNRT__SLOT_binary_f32) \
    X(binary_int,           0x201, 0, NNRT__IN_PLACE,    0) \
    X(binary_s8,            0x202, 0, NNRT__IN_PLACE,    NNRT__SLOT_add_s8 | NNRT__SLOT_mul_s8) \
    X(compare,              0x203, 0, 0,                 0) \
    X(compare_s8,           0x204, 0, NNRT__IN_PLACE,    0) \
    X(unary,                0x210, 0, NNRT__IN_PLACE,    NNRT__SLOT_unary_f32) \
    X(lut_s8,               0x211, 0, NNRT__IN_PLACE,    NNRT__SLOT_lut_s8) \
    X(quantize,             0x220, 0, 0,                 NNRT__SLOT_quantize) \
    X(cast,                 0x221, 0, NNRT__IN_PLACE,    0) \
    X(row_f32,              0x230, 0, NNRT__IN_PLACE,    NNRT__SLOT_softmax_f32) \
    X(softmax_s8,           0x231, 0, NNRT__IN_PLACE,    0) \
    X(softmax_few_s8,       0x234, 0, NNRT__IN_PLACE,    0) \
    X(normalize_f32,        0x232, 0, NNRT__IN_PLACE,    0) \
    X(affine_f32,           0x233, 0, NNRT__IN_PLACE,    0) \
    X(l2_s8,                0x238, 0, NNRT__IN_PLACE,    0) \
    X(lrn_f32,              0x23c, 0, 0,                 0) \
    X(binary_s16,           0x240, 0, NNRT__IN_PLACE,    NNRT__SLOT_binary_s16) \
    X(unary_s16,            0x241, 0, NNRT__IN_PLACE,    0) \
    X(softmax_s16,          0x242, 0, NNRT__IN_PLACE,    0) \
    X(requantize_ints,      0x243, 0, 0,                 0) \
    X(copy,                 0x300, 0, 0,                 0) \
    X(pad_mirror,           0x301, 0, 0,                 0) \
    X(reduce,               0x310, 0, 0,                 NNRT__SLOT_sums) \
    X(top,                  0x320, 0, 0,                 0) \
    X(resize_bilinear,      0x330, 0, 0,                 NNRT__SLOT_blend) \
    X(gather,               0x340, 1, 0,                 0) \
    X(one_hot,              0x341, 0, 0,                 0) \
    X(select,               0x342, 0, 0,                 0) \
    X(gather_nd,            0x350, 0, 0,                 0) \
    X(scatter_nd,           0x351, 0, 0,                 0) \
    X(assert,               0x352, 0, 0,                 0) \
    X(detection,            0x360, 0, 0,                 0) \
    X(cumsum,               0x370, 0, NNRT__IN_PLACE,    0) \
    X(update,               0x371, 0, NNRT__IN_PLACE,    0) \
    X(accelerated,          0x380, 0, 0,                 0)
/* clang-format on */

enum {
#define NNRT__KIND_NUMBERS(name, id, revision, flags, slots)                                     \
    NNRT__ID_OF_##name = id, NNRT__REVISION_OF_##name = revision, NNRT__FLAGS_OF_##name = flags, \
    NNRT__SLOTS_OF_##name = slots,
    NNRT__STEP_KINDS(NNRT__KIND_NUMBERS)
#undef NNRT__KIND_NUMBERS
    NNRT__KIND_NUMBERS_END
};

/* Narrow groups on planes: only in programs with vector kernels. */
#if NNRT__HAVE_SSE41 || NNRT__HAVE_AVX2 || NNRT__HAVE_NEON
#define NNRT__HAVE_PLANES 1
#define NNRT__KINDS_OF_GROUPS(X) X(dw_groups_s8) X(dw_groups_f32) X(dw_groups_s16)
#else
#define NNRT__HAVE_PLANES 0
#define NNRT__KINDS_OF_GROUPS(X)
#endif

/* The kinds that a family of operators may lower to: nnrt__lower_step refuses every other. */
/* clang-format off */
#define NNRT__KINDS_OF_conv(X) \
    X(conv_s8) X(conv_raw_s8) X(conv_f32) X(conv_raw_f32) X(dw_s8) X(dw_f32) X(conv_s8_stripes) \
    X(conv_raw_s8_stripes) X(conv_f32_stripes) X(conv_raw_f32_stripes) X(dw_s8_stripes) X(dw_f32_stripes) \
    X(quantize_batches) X(conv_hybrid) X(conv_s16) X(dw_s16) NNRT__KINDS_OF_GROUPS(X)
#define NNRT__KINDS_OF_fc(X) X(fc_s8) X(fc_raw_s8) X(fc_f32) X(fc_raw_f32) X(quantize_batches) X(fc_hybrid) X(fc_s16)
#define NNRT__KINDS_OF_lstm(X) X(lstm_f32)
#define NNRT__KINDS_OF_sequence_lstm(X) X(sequence_lstm_f32) X(sequence_lstm_s16)
#define NNRT__KINDS_OF_svdf(X) X(svdf_f32) X(svdf_int)
#define NNRT__KINDS_OF_matmul(X) \
    X(fc_s8) X(fc_raw_s8) X(fc_f32) X(fc_raw_f32) X(quantize_batches) X(fc_hybrid) X(fc_s16) X(matmul_s8) \
    X(matmul_s16) X(matmul_f32) X(copy)
#define NNRT__KINDS_OF_pool(X) \
    X(avg_pool_s8) X(max_pool_s8) X(avg_pool_s16) X(max_pool_s16) X(avg_pool_f32) X(max_pool_f32)
#define NNRT__KINDS_OF_conv_transpose(X) X(conv_transpose_s8) X(conv_transpose_f32) X(conv_transpose_s16)
#define NNRT__KINDS_OF_binary(X) X(binary_f32) X(binary_int) X(binary_s8) X(binary_s16) X(quantize) X(cast)
#define NNRT__KINDS_OF_compare(X) X(compare) X(compare_s8) X(quantize) X(cast)
#define NNRT__KINDS_OF_unary(X) X(unary) X(lut_s8) X(unary_s16) X(quantize) X(cast) X(binary_int)
#define NNRT__KINDS_OF_cast(X) X(cast)
#define NNRT__KINDS_OF_quant_cast(X) X(quantize) X(lut_s8) X(requantize_ints)
#define NNRT__KINDS_OF_softmax(X) X(softmax_s8) X(softmax_few_s8) X(softmax_s16) X(row_f32) X(quantize)
#define NNRT__KINDS_OF_l2(X) X(l2_s8) X(row_f32) X(quantize)
#define NNRT__KINDS_OF_normalize(X) X(normalize_f32) X(quantize)
#define NNRT__KINDS_OF_affine(X) X(affine_f32) X(quantize)
#define NNRT__KINDS_OF_bias_add(X) X(binary_f32) X(quantize)
#define NNRT__KINDS_OF_copy(X) X(copy)
#define NNRT__KINDS_OF_pad(X) X(copy) X(pad_mirror)
#define NNRT__KINDS_OF_reduce(X) X(reduce)
#define NNRT__KINDS_OF_resize(X) X(resize_bilinear) X(quantize)
#define NNRT__KINDS_OF_top(X) X(top)
#define NNRT__KINDS_OF_gather(X) X(gather)
#define NNRT__KINDS_OF_one_hot(X) X(one_hot)
#define NNRT__KINDS_OF_select(X) X(select)
#define NNRT__KINDS_OF_where(X) X(select) X(copy)
#define NNRT__KINDS_OF_gather_nd(X) X(gather_nd) X(cast)
#define NNRT__KINDS_OF_scatter(X) X(scatter_nd) X(cast)
#define NNRT__KINDS_OF_detection(X) X(detection) X(quantize)
#define NNRT__KINDS_OF_lrn(X) X(lrn_f32) X(quantize)
#define NNRT__KINDS_OF_cumsum(X) X(cumsum)
#define NNRT__KINDS_OF_update(X) X(update)
#define NNRT__KINDS_OF_assert(X) X(assert)

#define NNRT__FAMILIES(X) \
    X(conv) X(fc) X(lstm) X(sequence_lstm) X(svdf) X(matmul) X(pool) X(conv_transpose) X(binary) X(compare) X(unary) \
    X(cast) X(quant_cast) X(softmax) X(l2) X(normalize) X(affine) X(bias_add) X(copy) X(pad) X(reduce) X(resize) \
    X(top) X(gather) X(one_hot) X(select) X(where) X(gather_nd) X(scatter) X(detection) X(lrn) X(cumsum) X(update) \
    X(assert)

/* Every operator of the CPU device, and its family. */
#define NNRT__OPS_BY_FAMILY(X, LOWERS_TO) \
    X(CONV2D) LOWERS_TO(conv) X(DEPTHWISE_CONV2D_NATIVE) LOWERS_TO(conv) X(FULL_CONNECTION) LOWERS_TO(fc) \
    X(AVG_POOL) LOWERS_TO(pool) X(MAX_POOL) LOWERS_TO(pool) X(CONV2D_TRANSPOSE) LOWERS_TO(conv_transpose) \
    X(ADD) LOWERS_TO(binary) X(SUB) LOWERS_TO(binary) X(MUL) LOWERS_TO(binary) X(DIV) LOWERS_TO(binary) \
    X(MAXIMUM) LOWERS_TO(binary) X(MINIMUM) LOWERS_TO(binary) X(SQUARED_DIFFERENCE) LOWERS_TO(binary) \
    X(ELTWISE) LOWERS_TO(binary) X(POW) LOWERS_TO(binary) X(MOD) LOWERS_TO(binary) X(PRELU) LOWERS_TO(binary) \
    X(EQUAL) LOWERS_TO(compare) X(NOT_EQUAL) LOWERS_TO(compare) X(LESS) LOWERS_TO(compare) \
    X(LESS_EQUAL) LOWERS_TO(compare) X(GREATER) LOWERS_TO(compare) X(GREATER_EQUAL) LOWERS_TO(compare) \
    X(LOGICAL_AND) LOWERS_TO(compare) X(LOGICAL_OR) LOWERS_TO(compare) X(LOGICAL_NOT) LOWERS_TO(compare) \
    X(RELU) LOWERS_TO(unary) X(RELU6) LOWERS_TO(unary) X(LEAKY_RELU) LOWERS_TO(unary) X(CLIP) LOWERS_TO(unary) \
    X(HSWISH) LOWERS_TO(unary) X(HARD_SIGMOID) LOWERS_TO(unary) X(SIGMOID) LOWERS_TO(unary) X(TANH) LOWERS_TO(unary) \
    X(SWISH) LOWERS_TO(unary) X(GELU) LOWERS_TO(unary) X(ABS) LOWERS_TO(unary) X(NEG) LOWERS_TO(unary) \
    X(SQUARE) LOWERS_TO(unary) X(SQRT) LOWERS_TO(unary) X(RSQRT) LOWERS_TO(unary) X(EXP) LOWERS_TO(unary) \
    X(LOG) LOWERS_TO(unary) X(SIN) LOWERS_TO(unary) X(COS) LOWERS_TO(unary) X(ERF) LOWERS_TO(unary) \
    X(CEIL) LOWERS_TO(unary) X(FLOOR) LOWERS_TO(unary) X(ROUND) LOWERS_TO(unary) X(RECIPROCAL) LOWERS_TO(unary) \
    X(CAST) LOWERS_TO(cast) X(QUANT_DTYPE_CAST) LOWERS_TO(quant_cast) X(SOFTMAX) LOWERS_TO(softmax) \
    X(LOG_SOFTMAX) LOWERS_TO(softmax) X(L2_NORMALIZE) LOWERS_TO(l2) X(LAYER_NORM) LOWERS_TO(normalize) \
    X(INSTANCE_NORM) LOWERS_TO(normalize) X(BATCH_NORM) LOWERS_TO(affine) X(SCALE) LOWERS_TO(affine) \
    X(BIAS_ADD) LOWERS_TO(bias_add) X(RESHAPE) LOWERS_TO(copy) X(SQUEEZE) LOWERS_TO(copy) \
    X(EXPAND_DIMS) LOWERS_TO(copy) X(UNSQUEEZE) LOWERS_TO(copy) X(FLATTEN) LOWERS_TO(copy) X(CONCAT) LOWERS_TO(copy) \
    X(STACK) LOWERS_TO(copy) X(SPLIT) LOWERS_TO(copy) X(UNSTACK) LOWERS_TO(copy) X(SLICE) LOWERS_TO(copy) \
    X(STRIDED_SLICE) LOWERS_TO(copy) X(CROP) LOWERS_TO(copy) X(TRANSPOSE) LOWERS_TO(copy) X(TILE) LOWERS_TO(copy) \
    X(BROADCAST_TO) LOWERS_TO(copy) X(PAD) LOWERS_TO(pad) X(DEPTH_TO_SPACE) LOWERS_TO(copy) \
    X(SPACE_TO_DEPTH) LOWERS_TO(copy) X(SPACE_TO_BATCH_ND) LOWERS_TO(copy) X(BATCH_TO_SPACE_ND) LOWERS_TO(copy) \
    X(REDUCE_MEAN) LOWERS_TO(reduce) X(REDUCE_SUM) LOWERS_TO(reduce) X(REDUCE_MAX) LOWERS_TO(reduce) \
    X(REDUCE_MIN) LOWERS_TO(reduce) X(REDUCE_PROD) LOWERS_TO(reduce) X(REDUCE_L2) LOWERS_TO(reduce) \
    X(REDUCE_ALL) LOWERS_TO(reduce) X(ALL) LOWERS_TO(reduce) X(RESIZE_BILINEAR) LOWERS_TO(resize) \
    X(ARG_MAX) LOWERS_TO(top) X(TOP_K) LOWERS_TO(top) X(GATHER) LOWERS_TO(gather) X(ONE_HOT) LOWERS_TO(one_hot) \
    X(SELECT) LOWERS_TO(select) X(WHERE) LOWERS_TO(where) X(FILL) LOWERS_TO(copy) \
    X(CONSTANT_OF_SHAPE) LOWERS_TO(copy) X(RANGE) LOWERS_TO(copy) X(SHAPE) LOWERS_TO(copy) X(RANK) LOWERS_TO(copy) \
    X(GATHER_ND) LOWERS_TO(gather_nd) X(SCATTER_ND) LOWERS_TO(scatter) X(SPARSE_TO_DENSE) LOWERS_TO(scatter) \
    X(ASSERT) LOWERS_TO(assert) X(MATMUL) LOWERS_TO(matmul) X(DETECTION_POST_PROCESS) LOWERS_TO(detection) \
    X(LRN) LOWERS_TO(lrn) X(LSTM) LOWERS_TO(lstm) X(SVDF) LOWERS_TO(svdf) X(SEQUENCE_LSTM) LOWERS_TO(sequence_lstm) \
    X(CUMSUM) LOWERS_TO(cumsum) X(DYNAMIC_UPDATE_SLICE) LOWERS_TO(update) \
    X(RESIZE_NEAREST) LOWERS_TO(gather)

#define NNRT__NO_FAMILY(family)
#define NNRT__ALL_CPU_OPS(X) NNRT__OPS_BY_FAMILY(X, NNRT__NO_FAMILY)
/* clang-format on */

/* The operators of this build. */
#ifdef NNRT_OPS
#define NNRT__CPU_OPS(X) NNRT_OPS(X)
#else
#define NNRT__CPU_OPS(X) NNRT__ALL_CPU_OPS(X)
#endif

#endif /* NNRT_CPU_KIND_LIST_H */
