/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/softmax_s8_cortex_m55.h - softmax of int8 for Helium (Cortex-M55, M85). Contracts: softmax_s8_scalar.h.

   Four elements at a time, at the end as many as there are, by predicates, come from four addresses; so do their
   exponentials. vrshl adds half of the unit, and vqrdmulh of two numbers that are not negative is their product's upper
   half, rounded as there. */
#ifndef NNRT_KERNELS_SOFTMAX_S8_CORTEX_M55_H
#define NNRT_KERNELS_SOFTMAX_S8_CORTEX_M55_H

#include "internal.h"
#include "softmax_s8_scalar.h"

/* The table's entries for four elements at `in`. */
NNRT__INLINE int32x4_t nnrt__softmax_s8_cortex_m55_exps(const int32_t *table, const int8_t *in, uint32x4_t places,
                                                        int32_t most, mve_pred16_t are_left) {
    const int32x4_t x = __arm_vldrbq_gather_offset_z_s32(in, places, are_left);
    const uint32x4_t less = __arm_vreinterpretq_u32_s32(__arm_vsubq_s32(__arm_vdupq_n_s32(most), x));
    return __arm_vldrwq_gather_shifted_offset_z_s32(table, less, are_left);
}

/* The result has `bits` bits, 8 or 16, and is an int8_t or int16_t less half of them. */
NNRT__FN void nnrt__softmax_s8_cortex_m55_row(const int32_t *table, const int8_t *in, void *out, int bits, size_t n,
                                              size_t stride, const nnrt__stop *stop) {
    const uint32x4_t places = __arm_vmulq_n_u32(__arm_vidupq_n_u32(0, 1), (uint32_t)stride);
    const int32_t half = 1 << (bits - 1);
    nnrt__softmax_s8_total row;
    uint64_t all = 0;
    size_t i, end;
    row.most = -128;
    for (i = 0; i < n;) {
        for (end = nnrt__piece_end(i, n); i < end; i += 4) {
            const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(end - i));
            const int32x4_t x = __arm_vldrbq_gather_offset_z_s32(in + i * stride, places, are_left);
            row.most = __arm_vmaxvq_p_s32(row.most, x, are_left);
        }
        if (nnrt__is_stopped(stop)) return;
    }
    for (i = 0; i < n;) {
        for (end = nnrt__piece_end(i, n); i < end; i += 4) {
            const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(end - i));
            const int32x4_t x = nnrt__softmax_s8_cortex_m55_exps(table, in + i * stride, places, row.most, are_left);
            all = __arm_vaddlvaq_u32(all, __arm_vrshrq_n_u32(__arm_vreinterpretq_u32_s32(x), 12));
        }
        if (nnrt__is_stopped(stop)) return;
    }
    nnrt__softmax_s8_divide(all, bits, &row);
    for (i = 0; i < n && !nnrt__is_stopped(stop);)
        for (end = nnrt__piece_end(i, n); i < end; i += 4) {
            const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(end - i));
            int32x4_t x = nnrt__softmax_s8_cortex_m55_exps(table, in + i * stride, places, row.most, are_left);
            x = __arm_vrshlq_n_s32(__arm_vqrdmulhq_n_s32(x, (int32_t)row.reciprocal), -row.shift);
            x = __arm_vminq_s32(x, __arm_vdupq_n_s32(2 * half - 1));
            x = __arm_vsubq_n_s32(x, half);
            if (bits == 8) __arm_vstrbq_scatter_offset_p_s32((int8_t *)out + i * stride, places, x, are_left);
            else __arm_vstrhq_scatter_shifted_offset_p_s32((int16_t *)out + i * stride, places, x, are_left);
        }
}

NNRT__FN void nnrt__softmax_s8_cortex_m55(const int32_t *table, const int8_t *in, int8_t *out, size_t n, size_t stride,
                                          const nnrt__stop *stop) {
    NNRT_ASSERT(nnrt__row_is_right(in, 1, out, 1, n, stride) && nnrt__is_aligned(table, 4));
    nnrt__softmax_s8_cortex_m55_row(table, in, out, 8, n, stride, stop);
}

NNRT__FN void nnrt__softmax_s8_to_s16_cortex_m55(const int32_t *table, const int8_t *in, int16_t *out, size_t n,
                                                 size_t stride, const nnrt__stop *stop) {
    NNRT_ASSERT((const void *)in != out && nnrt__row_is_right(in, 1, out, 2, n, stride));
    NNRT_ASSERT(nnrt__is_aligned(table, 4));
    nnrt__softmax_s8_cortex_m55_row(table, in, out, 16, n, stride, stop);
}

#endif /* NNRT_KERNELS_SOFTMAX_S8_CORTEX_M55_H */
