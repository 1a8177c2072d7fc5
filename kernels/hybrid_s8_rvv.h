/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/hybrid_s8_rvv.h - gemm_hybrid and quantize_symmetric_f32 for RISC-V's vector extension.
   Contract: hybrid_s8_scalar.h. */
#ifndef NNRT_KERNELS_HYBRID_S8_RVV_H
#define NNRT_KERNELS_HYBRID_S8_RVV_H

#include "dots_rvv.h"
#include "f32_rvv.h"
#include "fp_contract.h"
#include "hybrid_s8_scalar.h"
#include "internal.h"

NNRT__FP_CONTRACT_OFF_BEGIN

/* The only row. */
NNRT__FN void nnrt__gemm_hybrid_rvv_row(const nnrt__gemm_hybrid_args *args) {
    size_t channel, i;
    for (channel = 0; channel < args->n; channel += 4) {
        const size_t count = args->n - channel < 4 ? args->n - channel : 4;
        int32_t sums[4];
        nnrt__dots_rvv_row(args->a[0], args->w + channel * args->w_stride, args->w_stride, count, args->k, sums);
        for (i = 0; i < count; i++) {
            const float scale = args->a_scale * args->w_scale[(channel + i) * args->w_scale_stride];
            const float bias = args->bias != NULL ? args->bias[channel + i] : 0.0f;
            args->c[channel + i] = nnrt__clamp_f32((float)sums[i] * scale + bias, args->clamp_min, args->clamp_max);
        }
    }
}

/* Of an odd last row or channel the sums are made twice, and written twice. */
NNRT__FN void nnrt__gemm_hybrid_rvv(const nnrt__gemm_hybrid_args *args) {
    size_t row, channel, i;
    NNRT_ASSERT(nnrt__gemm_hybrid_is_right(args));
    if (args->m == 1) {
        nnrt__gemm_hybrid_rvv_row(args);
        return;
    }
    for (channel = 0; channel < args->n; channel += 2) {
        const size_t next = channel + 1 < args->n ? 1 : 0;
        const int8_t *w = args->w + channel * args->w_stride;
        float scale[2], bias[2];
        for (i = 0; i < 2; i++) {
            scale[i] = args->a_scale * args->w_scale[(channel + (i & next)) * args->w_scale_stride];
            bias[i] = args->bias != NULL ? args->bias[channel + (i & next)] : 0.0f;
        }
        for (row = 0; row < args->m; row += 2) {
            const size_t below = row + 1 < args->m ? 1 : 0;
            float *c = args->c + row * args->c_stride + channel;
            int32_t sums[4];
            nnrt__dots_rvv(args->a[row], args->a[row + below], w, w + next * args->w_stride, args->k, sums);
            for (i = 0; i < 4; i++)
                c[(i / 2 & below) * args->c_stride + (i & next)] =
                    nnrt__clamp_f32((float)sums[i] * scale[i & 1] + bias[i & 1], args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FP_CONTRACT_OFF_END

/* Of the largest |in[i]|, which may be a NaN. */
NNRT__TARGET_RVV NNRT__NOINLINE uint32_t nnrt__largest_bits_rvv(const float *in, size_t count) {
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vuint32m4_t most = __riscv_vmv_v_x_u32m4(0, lanes);
    size_t vl;
    for (; count != 0; count -= vl, in += vl) {
        vuint32m4_t x;
        vl = __riscv_vsetvl_e32m4(count);
        x = __riscv_vreinterpret_v_f32m4_u32m4(__riscv_vle32_v_f32m4(in, vl));
        most = __riscv_vmaxu_vv_u32m4_tu(most, most, __riscv_vand_vx_u32m4(x, 0x7fffffff, vl), vl);
    }
    return __riscv_vmv_x_s_u32m1_u32(__riscv_vredmaxu_vs_u32m4_u32m1(most, __riscv_vmv_v_x_u32m1(0, 1), lanes));
}

/* Rounded products, which are within -127.5..127.5. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__quantize_plain_rvv(const float *in, size_t count, float inverse,
                                                              int8_t *out) {
    size_t vl;
    for (; count != 0; count -= vl, in += vl, out += vl) {
        vfloat32m4_t x;
        vl = __riscv_vsetvl_e32m4(count);
        x = __riscv_vfmul_vf_f32m4(__riscv_vle32_v_f32m4(in, vl), inverse, vl);
        __riscv_vse8_v_i8m1(out, __riscv_vncvt_x_x_w_i8m1(nnrt__round_f32_rvv(x, vl), vl), vl);
    }
}

NNRT__FN void nnrt__quantize_symmetric_f32_rvv(const float *in, size_t count, int8_t *out, float *scale) {
    uint32_t bits;
    float range;
    NNRT_ASSERT(nnrt__quantize_symmetric_is_right(in, count, out, scale));
    bits = nnrt__largest_bits_rvv(in, count);
    if (!nnrt__quantize_symmetric_is_plain(bits)) {
        nnrt__quantize_symmetric_f32_scalar(in, count, out, scale);
        return;
    }
    memcpy(&range, &bits, sizeof range);
    *scale = range / 127.0f;
    nnrt__quantize_plain_rvv(in, count, 127.0f / range, out);
}

NNRT__FN void nnrt__hybrid_s8_rvv_install(nnrt__cpu_table *t) {
    t->gemm_hybrid = nnrt__gemm_hybrid_rvv;
    t->gemm_hybrid_isa = nnrt__isa_name_RVV;
    t->quantize_symmetric_f32 = nnrt__quantize_symmetric_f32_rvv;
    t->quantize_symmetric_f32_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_HYBRID_S8_RVV_H */
