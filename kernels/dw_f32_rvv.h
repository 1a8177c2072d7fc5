/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_rvv.h - dw_f32 for RISC-V's vector extension. Contract and bound: dw_f32_scalar.h.

   A vector is channels of a pixel, products are fused. Weights are loaded for each pixel: they stay in the first cache,
   and nine of them would take more registers than there are. */
#ifndef NNRT_KERNELS_DW_F32_RVV_H
#define NNRT_KERNELS_DW_F32_RVV_H

#include "dw_f32_scalar.h"
#include "f32_rvv.h"
#include "internal.h"
#include "packing.h"

/* sums + a tap. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__dw_f32_rvv_add(vfloat32m4_t sums, const float *tap, const float *w,
                                                                size_t vl) {
    return __riscv_vfmacc_vv_f32m4(sums, __riscv_vle32_v_f32m4(tap, vl), __riscv_vle32_v_f32m4(w, vl), vl);
}

/* Channels of a tile that a vector holds, of which there are `left` in the tensor. */
NNRT__TARGET_RVV NNRT__INLINE size_t nnrt__dw_f32_rvv_length(size_t nr, size_t channel, size_t left) {
    const size_t rest = nr - channel % nr;
    return __riscv_vsetvl_e32m4(rest < left ? rest : left);
}

NNRT__TARGET_RVV NNRT__FN void nnrt__dw_f32_rvv_lists(const nnrt__dw_f32_args *args, size_t nr) {
    const size_t step = nr * (1 + args->tap_count);
    size_t channel, pixel, tap, vl;
    for (channel = 0; channel < args->channels; channel += vl) {
        const float *tile = (const float *)args->w + channel / nr * step + channel % nr, *w;
        const float *const *taps = args->taps;
        float *out = args->out + channel;
        vl = nnrt__dw_f32_rvv_length(nr, channel, args->channels - channel);
        for (pixel = 0; pixel < args->pixels; pixel++, taps += args->tap_count, out += args->out_stride) {
            vfloat32m4_t sums = __riscv_vle32_v_f32m4(tile, vl);
            for (tap = 0, w = tile + nr; tap < args->tap_count; tap++, w += nr)
                sums = nnrt__dw_f32_rvv_add(sums, taps[tap] + channel, w, vl);
            nnrt__store_f32_rvv(out, sums, args->clamp_min, args->clamp_max, vl);
        }
    }
}

/* Two pixels share the loads of weights; an odd last one is done alone. */
NNRT__TARGET_RVV NNRT__FN void nnrt__dw_f32_rvv_rows(const nnrt__dw_rows_f32_args *args, size_t nr) {
    const size_t step = nr * (1 + args->kernel_h * args->kernel_w), far = args->pixel_step;
    size_t channel, i, j, vl, left;
    for (channel = 0; channel < args->channels; channel += vl) {
        const float *tile = (const float *)args->w + channel / nr * step + channel % nr, *w;
        float *out = args->out + channel;
        size_t at = channel;
        vl = nnrt__dw_f32_rvv_length(nr, channel, args->channels - channel);
        for (left = args->pixels; left >= 2; left -= 2, at += 2 * far, out += 2 * args->out_stride) {
            vfloat32m4_t sums = __riscv_vle32_v_f32m4(tile, vl), next = sums;
            for (i = 0, w = tile + nr; i < args->kernel_h; i++) {
                const float *tap = args->rows[i] + at;
                for (j = args->kernel_w; j != 0; j--, tap += args->tap_step, w += nr) {
                    const vfloat32m4_t x = __riscv_vle32_v_f32m4(w, vl);
                    sums = __riscv_vfmacc_vv_f32m4(sums, __riscv_vle32_v_f32m4(tap, vl), x, vl);
                    next = __riscv_vfmacc_vv_f32m4(next, __riscv_vle32_v_f32m4(tap + far, vl), x, vl);
                }
            }
            nnrt__store_f32_rvv(out, sums, args->clamp_min, args->clamp_max, vl);
            nnrt__store_f32_rvv(out + args->out_stride, next, args->clamp_min, args->clamp_max, vl);
        }
        if (left != 0) {
            vfloat32m4_t sums = __riscv_vle32_v_f32m4(tile, vl);
            for (i = 0, w = tile + nr; i < args->kernel_h; i++) {
                const float *tap = args->rows[i] + at;
                for (j = args->kernel_w; j != 0; j--, tap += args->tap_step, w += nr)
                    sums = nnrt__dw_f32_rvv_add(sums, tap, w, vl);
            }
            nnrt__store_f32_rvv(out, sums, args->clamp_min, args->clamp_max, vl);
        }
    }
}

NNRT__FN void nnrt__dw_f32_rvv(const nnrt__dw_f32_args *args) {
    NNRT_ASSERT(nnrt__dw_f32_is_right(args, &nnrt__packing_f32_32x1));
    nnrt__dw_f32_rvv_lists(args, 32);
}

NNRT__FN void nnrt__dw_f32_rvv_narrow(const nnrt__dw_f32_args *args) {
    NNRT_ASSERT(nnrt__dw_f32_is_right(args, &nnrt__packing_f32_16x1));
    nnrt__dw_f32_rvv_lists(args, 16);
}

NNRT__FN void nnrt__dw_rows_f32_rvv(const nnrt__dw_rows_f32_args *args) {
    NNRT_ASSERT(nnrt__dw_rows_f32_is_right(args, &nnrt__packing_f32_32x1));
    nnrt__dw_f32_rvv_rows(args, 32);
}

NNRT__FN void nnrt__dw_rows_f32_rvv_narrow(const nnrt__dw_rows_f32_args *args) {
    NNRT_ASSERT(nnrt__dw_rows_f32_is_right(args, &nnrt__packing_f32_16x1));
    nnrt__dw_f32_rvv_rows(args, 16);
}

NNRT__FN void nnrt__dw_f32_rvv_install(nnrt__cpu_table *table) {
    const nnrt__dw_f32_slot wide = {nnrt__dw_f32_rvv, nnrt__dw_rows_f32_rvv, &nnrt__packing_f32_32x1,
                                    nnrt__isa_name_RVV};
    const nnrt__dw_f32_slot narrow = {nnrt__dw_f32_rvv_narrow, nnrt__dw_rows_f32_rvv_narrow, &nnrt__packing_f32_16x1,
                                      nnrt__isa_name_RVV};
    table->dw_f32[0] = wide;
    table->dw_f32[1] = narrow;
}

#endif /* NNRT_KERNELS_DW_F32_RVV_H */
