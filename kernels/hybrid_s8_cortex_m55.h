/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/hybrid_s8_cortex_m55.h - gemm_hybrid and quantize_symmetric_f32 for Helium with floats (Cortex-M55, M85).
   Contract: hybrid_s8_scalar.h. What is denormal is flushed.

   The products are those of gemm_s8, a channel of weights for four rows of A. vcvta rounds ties away from zero. */
#ifndef NNRT_KERNELS_HYBRID_S8_CORTEX_M55_H
#define NNRT_KERNELS_HYBRID_S8_CORTEX_M55_H

#include "dot_cortex_m55.h"
#include "f32_cortex_m55.h"
#include "hybrid_s8_scalar.h"
#include "internal.h"

/* Up to four rows from `row` on times all channels: what there is of further rows is the last. */
NNRT__FN void nnrt__gemm_hybrid_cortex_m55_rows(const nnrt__gemm_hybrid_args *args, size_t row, size_t rows) {
    const uint32x4_t places = __arm_vmulq_n_u32(__arm_vidupq_n_u32(0, 4), (uint32_t)args->c_stride);
    const float32x4_t low = __arm_vdupq_n_f32(args->clamp_min), high = __arm_vdupq_n_f32(args->clamp_max);
    const mve_pred16_t are_rows = __arm_vctp32q((uint32_t)rows);
    const int8_t *const *a = args->a + row;
    const int8_t *const b = a[rows > 1 ? 1 : 0], *const c = a[rows > 2 ? 2 : rows - 1], *const d = a[rows - 1];
    const int8_t *w = args->w;
    const float *w_scale = args->w_scale;
    float *out = args->c + row * args->c_stride;
    size_t j;
    for (j = 0; j < args->n; j++, w += args->w_stride, w_scale += args->w_scale_stride) {
        nnrt__gemm_s8_cortex_m55_sums sums = {0, 0, 0, 0};
        float32x4_t x;
        if (args->k != 0) nnrt__gemm_s8_cortex_m55_dot_bytes(&sums, w, a[0], b, c, d, args->k);
        x = __arm_vcvtq_f32_s32(nnrt__gemm_s8_cortex_m55_vector(&sums));
        x = __arm_vmulq_n_f32(x, args->a_scale * *w_scale);
        x = __arm_vaddq_n_f32(x, args->bias != NULL ? args->bias[j] : 0.0f);
        x = __arm_vminnmq_f32(__arm_vmaxnmq_f32(x, low), high);
        __arm_vstrwq_scatter_offset_p_f32(out++, places, x, are_rows);
    }
}

NNRT__FN void nnrt__gemm_hybrid_cortex_m55(const nnrt__gemm_hybrid_args *args) {
    size_t row;
    NNRT_ASSERT(nnrt__gemm_hybrid_is_right(args));
    for (row = 0; row < args->m; row += 4)
        nnrt__gemm_hybrid_cortex_m55_rows(args, row, args->m - row < 4 ? args->m - row : 4);
}

NNRT__FN void nnrt__quantize_symmetric_f32_cortex_m55(const float *in, size_t count, int8_t *out, float *scale) {
    uint32_t bits = 0;
    float range, inverse;
    size_t i;
    NNRT_ASSERT(nnrt__quantize_symmetric_is_right(in, count, out, scale));
    for (i = 0; i < count; i += 4) { /* floats of one sign are ordered as integers */
        const float32x4_t x = __arm_vldrwq_z_f32(in + i, __arm_vctp32q((uint32_t)(count - i)));
        bits = __arm_vmaxvq_u32(bits, __arm_vreinterpretq_u32_f32(__arm_vabsq_f32(x)));
    }
    if (!nnrt__quantize_symmetric_is_plain(bits)) {
        nnrt__quantize_symmetric_f32_scalar(in, count, out, scale);
        return;
    }
    memcpy(&range, &bits, sizeof range);
    *scale = range / 127.0f;
    inverse = 127.0f / range;
    for (i = 0; i < count; i += 4) {
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(count - i));
        const float32x4_t x = __arm_vmulq_n_f32(__arm_vldrwq_z_f32(in + i, are_left), inverse);
        __arm_vstrbq_p_s32(out + i, __arm_vcvtaq_s32_f32(x), are_left);
    }
}

NNRT__FN void nnrt__hybrid_s8_cortex_m55_install(nnrt__cpu_table *t) {
    t->gemm_hybrid = nnrt__gemm_hybrid_cortex_m55;
    t->quantize_symmetric_f32 = nnrt__quantize_symmetric_f32_cortex_m55;
    t->gemm_hybrid_isa = t->quantize_symmetric_f32_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_HYBRID_S8_CORTEX_M55_H */
