/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s16_rvv.h - dw_s16 for RISC-V's vector extension. Contract: dw_s16_scalar.h. A vector is channels; a
   product of at most 2^22 is added to 32 bits, 511 times at most. */
#ifndef NNRT_KERNELS_DW_S16_RVV_H
#define NNRT_KERNELS_DW_S16_RVV_H

#include "dw_s16_scalar.h"
#include "internal.h"
#include "s16_rvv.h"

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__dw_s16_pixel_rvv(const nnrt__dw_s16_args *args, size_t pixel) {
    const int16_t *const *taps = args->taps + pixel * args->tap_count;
    int16_t *out = args->out + pixel * args->channels;
    size_t c, t, vl;
    for (c = 0; c < args->channels; c += vl) {
        const int8_t *w = args->w + c;
        vint32m4_t sums;
        vint16m2_t x;
        vl = __riscv_vsetvl_e32m4(args->channels - c);
        sums = __riscv_vmv_v_x_i32m4(0, vl);
        for (t = 0; t < args->tap_count; t++, w += args->channels) {
            x = __riscv_vle16_v_i16m2(taps[t] + c, vl);
            sums = __riscv_vwmacc_vv_i32m4(sums, x, __riscv_vsext_vf2_i16m2(__riscv_vle8_v_i8m1(w, vl), vl), vl);
        }
        if (args->constants.bias_high == NULL) x = nnrt__narrow_s16_rvv(&args->constants, c, sums, vl);
        else x = nnrt__wide_s16_rvv(&args->constants, c, __riscv_vwcvt_x_x_v_i64m8(sums, vl), vl);
        nnrt__store_s16_rvv(out + c, x, args->clamp_min, args->clamp_max, vl);
    }
}

NNRT__FN void nnrt__dw_s16_rvv(const nnrt__dw_s16_args *args) {
    size_t pixel;
    NNRT_ASSERT(nnrt__dw_s16_is_right(args));
    for (pixel = 0; pixel < args->pixels; pixel++) {
        if (args->tap_count <= NNRT__S16_PRODUCTS_MAX) nnrt__dw_s16_pixel_rvv(args, pixel);
        else nnrt__dw_s16_pixel(args, pixel, 0, args->channels);
    }
}

NNRT__FN void nnrt__dw_s16_rvv_install(nnrt__cpu_table *t) {
    t->dw_s16 = nnrt__dw_s16_rvv;
    t->dw_s16_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_DW_S16_RVV_H */
