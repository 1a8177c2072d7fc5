/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/spread_neon.h - spread for ARMv7 NEON and AArch64. Contract: spread_scalar.h.

   Two table look-ups of 8 bytes for 16. */
#ifndef NNRT_KERNELS_SPREAD_NEON_H
#define NNRT_KERNELS_SPREAD_NEON_H

#include "spread_scalar.h"

NNRT__FN void nnrt__spread_neon(const nnrt__spread_args *args) {
    uint8_t place[16];
    const uint8_t *from = args->from;
    uint8_t *to = args->to;
    size_t each, whole, stride, i;
    NNRT_ASSERT(nnrt__spread_is_right(args));
    each = nnrt__spread_places(args, place);
    whole = each != 0 ? nnrt__spread_whole(args, each) : 0;
    stride = each * args->step * args->element;
    if (whole != 0) {
        const uint8x8_t low = vld1_u8(place), high = vld1_u8(place + 8);
        for (i = 0; i < whole; i += each, from += stride, to += 16) {
            uint8x8x2_t x;
            x.val[0] = vld1_u8(from);
            x.val[1] = vld1_u8(from + 8);
            vst1_u8(to, vtbl2_u8(x, low));
            vst1_u8(to + 8, vtbl2_u8(x, high));
        }
    }
    nnrt__spread_from(args, whole);
}

NNRT__FN void nnrt__spread_neon_install(nnrt__cpu_table *t) {
    t->spread = nnrt__spread_neon;
    t->spread_isa = "neon";
}

#endif /* NNRT_KERNELS_SPREAD_NEON_H */
