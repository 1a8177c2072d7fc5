/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/wanted.h - which kernels are part of the program: all, or those of NNRT_OPS or NNRT_STEPS.   >>kernels_wanted

   A kernel is in the program when its _install function is called, so what is not wanted is not called: the question is
   answered while the program is compiled (with -O1 or higher, -Os included). Each kind of step says here which kernels
   of the table it may call; one that says nothing runs portable code of its own. */
#ifndef NNRT_KERNELS_WANTED_H
#define NNRT_KERNELS_WANTED_H

#include "internal.h"

/* Groups of slots that are installed together. */
enum {
    NNRT__SLOT_gemm_s8 = 1 << 0,
    NNRT__SLOT_gemm_raw_s8 = 1 << 1,
    NNRT__SLOT_dw_s8 = 1 << 2,
    NNRT__SLOT_avg_pool_s8 = 1 << 3,
    NNRT__SLOT_add_s8 = 1 << 4,
    NNRT__SLOT_gemm_f32 = 1 << 5,
    NNRT__SLOT_gemm_raw_f32 = 1 << 6,
    NNRT__SLOT_dw_f32 = 1 << 7,
    NNRT__SLOT_pool_f32 = 1 << 8,
    NNRT__SLOT_binary_f32 = 1 << 9,
    NNRT__SLOT_hybrid_s8 = 1 << 10,
    NNRT__SLOT_gemm_s16 = 1 << 11,
    NNRT__SLOT_dw_s16 = 1 << 12,
    NNRT__SLOT_max_pool_s8 = 1 << 13
};

/* clang-format off */
#define NNRT__SLOTS_OF_binary_f32 NNRT__SLOT_binary_f32
#define NNRT__SLOTS_OF_binary_int 0
#define NNRT__SLOTS_OF_binary_s8 NNRT__SLOT_add_s8
#define NNRT__SLOTS_OF_compare 0
#define NNRT__SLOTS_OF_compare_s8 0
#define NNRT__SLOTS_OF_conv_s8 NNRT__SLOT_gemm_s8
#define NNRT__SLOTS_OF_fc_s8 NNRT__SLOT_gemm_s8
#define NNRT__SLOTS_OF_conv_raw_s8 NNRT__SLOT_gemm_raw_s8
#define NNRT__SLOTS_OF_fc_raw_s8 NNRT__SLOT_gemm_raw_s8
#define NNRT__SLOTS_OF_conv_f32 NNRT__SLOT_gemm_f32
#define NNRT__SLOTS_OF_fc_f32 NNRT__SLOT_gemm_f32
#define NNRT__SLOTS_OF_conv_raw_f32 NNRT__SLOT_gemm_raw_f32
#define NNRT__SLOTS_OF_fc_raw_f32 NNRT__SLOT_gemm_raw_f32
#define NNRT__SLOTS_OF_dw_s8 NNRT__SLOT_dw_s8
#define NNRT__SLOTS_OF_dw_f32 NNRT__SLOT_dw_f32
#define NNRT__SLOTS_OF_conv_s8_stripes NNRT__SLOT_gemm_s8
#define NNRT__SLOTS_OF_conv_raw_s8_stripes NNRT__SLOT_gemm_raw_s8
#define NNRT__SLOTS_OF_conv_f32_stripes NNRT__SLOT_gemm_f32
#define NNRT__SLOTS_OF_conv_raw_f32_stripes NNRT__SLOT_gemm_raw_f32
#define NNRT__SLOTS_OF_dw_s8_stripes NNRT__SLOT_dw_s8
#define NNRT__SLOTS_OF_dw_f32_stripes NNRT__SLOT_dw_f32
#define NNRT__SLOTS_OF_quantize_batches NNRT__SLOT_hybrid_s8
#define NNRT__SLOTS_OF_conv_hybrid NNRT__SLOT_hybrid_s8
#define NNRT__SLOTS_OF_fc_hybrid NNRT__SLOT_hybrid_s8
#define NNRT__SLOTS_OF_conv_transpose_s8 0
#define NNRT__SLOTS_OF_conv_transpose_f32 0
#define NNRT__SLOTS_OF_conv_s16 NNRT__SLOT_gemm_s16
#define NNRT__SLOTS_OF_fc_s16 NNRT__SLOT_gemm_s16
#define NNRT__SLOTS_OF_dw_s16 NNRT__SLOT_dw_s16
#define NNRT__SLOTS_OF_conv_transpose_s16 0
#define NNRT__SLOTS_OF_avg_pool_s8 NNRT__SLOT_avg_pool_s8
#define NNRT__SLOTS_OF_max_pool_s8 NNRT__SLOT_max_pool_s8
#define NNRT__SLOTS_OF_avg_pool_s16 0
#define NNRT__SLOTS_OF_max_pool_s16 0
#define NNRT__SLOTS_OF_avg_pool_f32 NNRT__SLOT_pool_f32
#define NNRT__SLOTS_OF_max_pool_f32 NNRT__SLOT_pool_f32
#define NNRT__SLOTS_OF_copy 0
#define NNRT__SLOTS_OF_pad_mirror 0
#define NNRT__SLOTS_OF_reduce 0
#define NNRT__SLOTS_OF_top 0
#define NNRT__SLOTS_OF_resize_bilinear 0
#define NNRT__SLOTS_OF_gather 0
#define NNRT__SLOTS_OF_one_hot 0
#define NNRT__SLOTS_OF_select 0
#define NNRT__SLOTS_OF_matmul_s8 0
#define NNRT__SLOTS_OF_matmul_s16 0
#define NNRT__SLOTS_OF_matmul_f32 NNRT__SLOT_gemm_raw_f32
#define NNRT__SLOTS_OF_detection 0
#define NNRT__SLOTS_OF_lrn_f32 0
#define NNRT__SLOTS_OF_lstm_f32 NNRT__SLOT_gemm_raw_f32
#define NNRT__SLOTS_OF_sequence_lstm_f32 (NNRT__SLOT_gemm_raw_f32 | NNRT__SLOT_hybrid_s8)
#define NNRT__SLOTS_OF_sequence_lstm_s16 NNRT__SLOT_gemm_s16
#define NNRT__SLOTS_OF_svdf_f32 0
#define NNRT__SLOTS_OF_svdf_int 0
#define NNRT__SLOTS_OF_gather_nd 0
#define NNRT__SLOTS_OF_scatter_nd 0
#define NNRT__SLOTS_OF_assert 0
#define NNRT__SLOTS_OF_cumsum 0
#define NNRT__SLOTS_OF_update 0
#define NNRT__SLOTS_OF_row_f32 0
#define NNRT__SLOTS_OF_l2_s8 0
#define NNRT__SLOTS_OF_softmax_s8 0
#define NNRT__SLOTS_OF_normalize_f32 0
#define NNRT__SLOTS_OF_affine_f32 0
#define NNRT__SLOTS_OF_unary 0
#define NNRT__SLOTS_OF_lut_s8 0
#define NNRT__SLOTS_OF_quantize 0
#define NNRT__SLOTS_OF_binary_s16 0
#define NNRT__SLOTS_OF_unary_s16 0
#define NNRT__SLOTS_OF_softmax_s16 0
#define NNRT__SLOTS_OF_requantize_ints 0
#define NNRT__SLOTS_OF_cast 0
/* clang-format on */

/* Are the kernels of these slots for this NNRT__ISA bit (0: portable) in the program? Only for constants. A step of a
   level has the kernels of all levels below it, as not every level has every kernel; only NEON has, so that no portable
   one stands beside it. */
#ifdef NNRT_STEPS
#define NNRT__WANTS(kind, level)                \
    || ((NNRT__SLOTS_OF_##kind & slots) != 0 && \
        (isa != 0 ? ((int)NNRT__ISA_LEVEL_##level & isa) != 0 : NNRT__ISA_LEVEL_##level == 0 || !NNRT__HAVE_NEON))
NNRT__INLINE bool nnrt__wanted(int slots, int isa) { return false NNRT_STEPS(NNRT__WANTS); }
#undef NNRT__WANTS

/* The NNRT__ISA bits that some kernel in the program is for. */
#define NNRT__LEVEL_WANTED(kind, level) | (unsigned)NNRT__ISA_LEVEL_##level
NNRT__INLINE unsigned nnrt__isas_wanted(void) { return 0u NNRT_STEPS(NNRT__LEVEL_WANTED); }
#undef NNRT__LEVEL_WANTED
#else
NNRT__INLINE unsigned nnrt__isas_wanted(void) { return ~0u; }

/* Kernels of two float operands are the one group that chosen operators often do without and that is large: POW needs
   powf. May op be lowered to a step binary_f32? */
#ifdef NNRT_OPS
NNRT__INLINE bool nnrt__op_is_binary(OH_NN_OperationType op) {
    return op == OH_NN_OPS_ADD || op == OH_NN_OPS_SUB || op == OH_NN_OPS_MUL || op == OH_NN_OPS_DIV ||
           op == OH_NN_OPS_MAXIMUM || op == OH_NN_OPS_MINIMUM || op == OH_NN_OPS_SQUARED_DIFFERENCE ||
           op == OH_NN_OPS_ELTWISE || op == OH_NN_OPS_POW || op == OH_NN_OPS_MOD || op == OH_NN_OPS_PRELU ||
           op == OH_NN_OPS_BIAS_ADD;
}
#define NNRT__IS_BINARY(name) || nnrt__op_is_binary(OH_NN_OPS_##name)
NNRT__INLINE bool nnrt__wanted(int slots, int isa) {
    (void)isa;
    return slots != NNRT__SLOT_binary_f32 NNRT_OPS(NNRT__IS_BINARY);
}
#undef NNRT__IS_BINARY
#else
NNRT__INLINE bool nnrt__wanted(int slots, int isa) {
    (void)slots;
    (void)isa;
    return true;
}
#endif
#endif

/* Installs a group of slots into *t, if it is wanted: nnrt__GROUP_LEVEL_install, for NNRT__ISA_ISA. */
#define NNRT__INSTALL(t, group, level, isa)                      \
    do {                                                         \
        if (nnrt__wanted(NNRT__SLOT_##group, NNRT__ISA_##isa)) { \
            nnrt__##group##_##level##_install(t);                \
            (t)->installed |= (unsigned)NNRT__SLOT_##group;      \
        }                                                        \
    } while (0)

#endif /* NNRT_KERNELS_WANTED_H */
