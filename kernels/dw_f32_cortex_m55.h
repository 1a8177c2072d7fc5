/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_cortex_m55.h - dw_f32 for Helium with floats (Cortex-M55, M85). Contract and bound: dw_f32_scalar.h.

   A tile is one vector of four channels; of the last as many as there are, by predicates. */
#ifndef NNRT_KERNELS_DW_F32_CORTEX_M55_H
#define NNRT_KERNELS_DW_F32_CORTEX_M55_H

#include "dw_f32_scalar.h"
#include "f32_cortex_m55.h"
#include "internal.h"
#include "packing.h"

NNRT__FN void nnrt__dw_f32_cortex_m55(const nnrt__dw_f32_args *args) {
    const size_t step = nnrt__tile_size(4, 1, 0, 4, 64, args->tap_count) / sizeof(float);
    const float *tile = (const float *)args->w;
    size_t c, p, t;
    NNRT_ASSERT(nnrt__dw_f32_is_right(args, &nnrt__packing_f32_4x1));
    for (c = 0; c < args->channels; c += 4, tile += step) {
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(args->channels - c));
        const float *const *taps = args->taps;
        for (p = 0; p < args->pixels; p++) {
            float32x4_t sum = __arm_vldrwq_f32(tile);
            const float *w = tile;
            for (t = args->tap_count; t != 0; t--, taps++) {
                w += 4;
                sum = __arm_vfmaq_f32(sum, __arm_vldrwq_z_f32(*taps + c, are_left), __arm_vldrwq_f32(w));
            }
            nnrt__store_f32_cortex_m55(args->out + p * args->out_stride + c, sum, args->clamp_min, args->clamp_max,
                                       are_left);
        }
    }
}

NNRT__FN void nnrt__dw_rows_f32_cortex_m55(const nnrt__dw_rows_f32_args *args) {
    const size_t step = nnrt__tile_size(4, 1, 0, 4, 64, args->kernel_h * args->kernel_w) / sizeof(float);
    const float *tile = (const float *)args->w;
    size_t c, p, i, j;
    NNRT_ASSERT(nnrt__dw_rows_f32_is_right(args, &nnrt__packing_f32_4x1));
    for (c = 0; c < args->channels; c += 4, tile += step) {
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(args->channels - c));
        for (p = 0; p < args->pixels; p++) {
            float32x4_t sum = __arm_vldrwq_f32(tile);
            const float *w = tile;
            for (i = 0; i < args->kernel_h; i++) {
                const float *tap = args->rows[i] + p * args->pixel_step + c;
                for (j = args->kernel_w; j != 0; j--, tap += args->tap_step) {
                    w += 4;
                    sum = __arm_vfmaq_f32(sum, __arm_vldrwq_z_f32(tap, are_left), __arm_vldrwq_f32(w));
                }
            }
            nnrt__store_f32_cortex_m55(args->out + p * args->out_stride + c, sum, args->clamp_min, args->clamp_max,
                                       are_left);
        }
    }
}

NNRT__FN void nnrt__dw_f32_cortex_m55_install(nnrt__cpu_table *table) {
    const nnrt__dw_f32_slot slot = {nnrt__dw_f32_cortex_m55, nnrt__dw_rows_f32_cortex_m55, &nnrt__packing_f32_4x1,
                                    nnrt__isa_name_CORTEX_M55};
    table->dw_f32[0] = table->dw_f32[1] = slot;
}

#endif /* NNRT_KERNELS_DW_F32_CORTEX_M55_H */
