/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_f32_rvv.h - avg_pool_f32 and max_pool_f32 for RISC-V's vector extension. Contract: pool_f32_scalar.h.
   Each channel is worked on in the scalar order. */
#ifndef NNRT_KERNELS_POOL_F32_RVV_H
#define NNRT_KERNELS_POOL_F32_RVV_H

#include "f32_rvv.h"
#include "internal.h"
#include "pool_f32_scalar.h"

/* `average` is a constant at each place of use. vfmax passes over a NaN. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__pool_f32_rvv(const nnrt__pool_f32_args *args, bool average) {
    const float count = (float)(args->rows * args->columns);
    size_t channel, row, column, vl;
    NNRT_ASSERT(nnrt__pool_f32_is_right(args));
    for (channel = 0; channel < args->channels; channel += vl) {
        vfloat32m4_t all;
        vl = __riscv_vsetvl_e32m4(args->channels - channel);
        all = __riscv_vfmv_v_f_f32m4(average ? 0.0f : -INFINITY, vl);
        for (row = 0; row < args->rows; row++) {
            const float *in = args->in + row * args->row_stride + channel;
            for (column = args->columns; column != 0; column--, in += args->channels) {
                const vfloat32m4_t x = __riscv_vle32_v_f32m4(in, vl);
                all = average ? __riscv_vfadd_vv_f32m4(all, x, vl) : __riscv_vfmax_vv_f32m4(all, x, vl);
            }
        }
        if (average) all = __riscv_vfdiv_vf_f32m4(all, count, vl);
        nnrt__store_f32_rvv(args->out + channel, all, args->clamp_min, args->clamp_max, vl);
    }
}

NNRT__TARGET_RVV NNRT__FN void nnrt__avg_pool_f32_rvv(const nnrt__pool_f32_args *args) {
    nnrt__pool_f32_rvv(args, true);
}

NNRT__TARGET_RVV NNRT__FN void nnrt__max_pool_f32_rvv(const nnrt__pool_f32_args *args) {
    nnrt__pool_f32_rvv(args, false);
}

NNRT__FN void nnrt__pool_f32_rvv_install(nnrt__cpu_table *t) {
    t->avg_pool_f32 = nnrt__avg_pool_f32_rvv;
    t->max_pool_f32 = nnrt__max_pool_f32_rvv;
    t->avg_pool_f32_isa = t->max_pool_f32_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_POOL_F32_RVV_H */
