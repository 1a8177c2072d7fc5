/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_s8_rvv.h - avg_pool_s8 and max_pool_s8 for RISC-V's vector extension. Contract: pool_s8_scalar.h. */
#ifndef NNRT_KERNELS_POOL_S8_RVV_H
#define NNRT_KERNELS_POOL_S8_RVV_H

#include "internal.h"
#include "pool_s8_scalar.h"

/* vdiv rounds toward zero, as C does. */
NNRT__TARGET_RVV NNRT__FN void nnrt__avg_pool_s8_rvv(const nnrt__pool_s8_args *args) {
    const int32_t count = (int32_t)(args->rows * args->columns);
    size_t channel, row, column, vl;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (channel = 0; channel < args->channels; channel += vl) {
        vint32m4_t sum;
        vbool8_t negative;
        vl = __riscv_vsetvl_e32m4(args->channels - channel);
        sum = __riscv_vmv_v_x_i32m4(count * args->offset, vl);
        for (row = 0; row < args->rows; row++) {
            const int8_t *in = args->in + row * args->row_stride + channel;
            for (column = args->columns; column != 0; column--, in += args->channels)
                sum = __riscv_vadd_vv_i32m4(sum, __riscv_vsext_vf4_i32m4(__riscv_vle8_v_i8m1(in, vl), vl), vl);
        }
        negative = __riscv_vmslt_vx_i32m4_b8(sum, 0, vl);
        sum = __riscv_vadd_vv_i32m4(
            sum, __riscv_vmerge_vxm_i32m4(__riscv_vmv_v_x_i32m4(count / 2, vl), -(count / 2), negative, vl), vl);
        sum = __riscv_vsub_vx_i32m4(__riscv_vdiv_vx_i32m4(sum, count, vl), args->offset, vl);
        sum = __riscv_vmin_vx_i32m4(__riscv_vmax_vx_i32m4(sum, args->clamp_min, vl), args->clamp_max, vl);
        __riscv_vse8_v_i8m1(args->out + channel, __riscv_vncvt_x_x_w_i8m1(__riscv_vncvt_x_x_w_i16m2(sum, vl), vl), vl);
    }
}

NNRT__TARGET_RVV NNRT__FN void nnrt__max_pool_s8_rvv(const nnrt__pool_s8_args *args) {
    size_t channel, row, column, vl;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (channel = 0; channel < args->channels; channel += vl) {
        vint8m4_t most;
        vl = __riscv_vsetvl_e8m4(args->channels - channel);
        most = __riscv_vmv_v_x_i8m4(-128, vl);
        for (row = 0; row < args->rows; row++) {
            const int8_t *in = args->in + row * args->row_stride + channel;
            for (column = args->columns; column != 0; column--, in += args->channels)
                most = __riscv_vmax_vv_i8m4(most, __riscv_vle8_v_i8m4(in, vl), vl);
        }
        most =
            __riscv_vmin_vx_i8m4(__riscv_vmax_vx_i8m4(most, (int8_t)args->clamp_min, vl), (int8_t)args->clamp_max, vl);
        __riscv_vse8_v_i8m4(args->out + channel, most, vl);
    }
}

NNRT__FN void nnrt__avg_pool_s8_rvv_install(nnrt__cpu_table *t) {
    t->avg_pool_s8 = nnrt__avg_pool_s8_rvv;
    t->avg_pool_s8_isa = nnrt__isa_name_RVV;
}

NNRT__FN void nnrt__max_pool_s8_rvv_install(nnrt__cpu_table *t) {
    t->max_pool_s8 = nnrt__max_pool_s8_rvv;
    t->max_pool_s8_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_POOL_S8_RVV_H */
