/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lut_s8_neon_armv8.h - lut_s8 for AArch64, whose tbl looks up in 64 bytes: four of them, of which those past
   the index change nothing. 32 bytes at a time; what is left behind them goes to the portable loop. */
#ifndef NNRT_KERNELS_LUT_S8_NEON_ARMV8_H
#define NNRT_KERNELS_LUT_S8_NEON_ARMV8_H

#include "internal.h"
#include "lut_s8_scalar.h"

/* 16 bytes. */
NNRT__INLINE uint8x16_t nnrt__lut_s8_16_neon(const uint8x16x4_t table[4], uint8x16_t x) {
    const uint8x16_t step = vdupq_n_u8(64);
    const uint8x16_t x1 = vsubq_u8(x, step), x2 = vsubq_u8(x1, step), x3 = vsubq_u8(x2, step);
    const uint8x16_t low = vqtbx4q_u8(vqtbl4q_u8(table[0], x), table[1], x1);
    return vqtbx4q_u8(vqtbx4q_u8(low, table[2], x2), table[3], x3);
}

NNRT__FN void nnrt__lut_s8_neon(const uint8_t *table, const uint8_t *in, uint8_t *out, size_t n) {
    uint8x16x4_t pieces[4];
    size_t i = 0, k;
    NNRT_ASSERT(nnrt__lut_s8_is_right(table, in, out, n));
    for (k = 0; k < 4; k++) {
        pieces[k].val[0] = vld1q_u8(table + 64 * k);
        pieces[k].val[1] = vld1q_u8(table + 64 * k + 16);
        pieces[k].val[2] = vld1q_u8(table + 64 * k + 32);
        pieces[k].val[3] = vld1q_u8(table + 64 * k + 48);
    }
    for (; i + 32 <= n; i += 32) {
        const uint8x16_t x = vld1q_u8(in + i), y = vld1q_u8(in + i + 16);
        vst1q_u8(out + i, nnrt__lut_s8_16_neon(pieces, x));
        vst1q_u8(out + i + 16, nnrt__lut_s8_16_neon(pieces, y));
    }
    nnrt__lut_s8_scalar(table, in + i, out + i, n - i);
}

NNRT__FN void nnrt__lut_s8_neon_install(nnrt__cpu_table *t) {
    t->lut_s8 = nnrt__lut_s8_neon;
    t->lut_s8_isa = "neon";
}

#endif /* NNRT_KERNELS_LUT_S8_NEON_ARMV8_H */
