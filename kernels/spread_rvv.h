/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/spread_rvv.h - spread for RISC-V's vector extension. Contract: spread_scalar.h.

   What the copies of some values fit in a register of bytes, those values, with what lies between them, are loaded at
   once, and one vrgather makes the copies. Where values lie further apart than their copies, or the copies of one are
   more than a register, the portable loop is as good. Bytes, as addresses have any alignment. */
#ifndef NNRT_KERNELS_SPREAD_RVV_H
#define NNRT_KERNELS_SPREAD_RVV_H

#include "internal.h"
#include "spread_scalar.h"

/* Of a register, and of the 256 that a place of 8 bits can tell. */
NNRT__TARGET_RVV NNRT__NOINLINE size_t nnrt__spread_lanes_rvv(void) { return __riscv_vsetvl_e8m1(128); }

/* `each` values at a time, whose copies have `lanes` bytes at most. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__spread_some_rvv(const nnrt__spread_args *args, size_t each, size_t lanes) {
    const size_t step = args->step * args->element, bytes = args->copies * args->element;
    const vuint8m1_t to_place = __riscv_vid_v_u8m1(lanes);
    const vuint8m1_t value = __riscv_vdivu_vx_u8m1(to_place, (uint8_t)bytes, lanes);
    const vuint8m1_t byte = __riscv_vand_vx_u8m1(to_place, (uint8_t)(args->element - 1), lanes);
    const vuint8m1_t place = __riscv_vmacc_vx_u8m1(byte, (uint8_t)step, value, lanes);
    const uint8_t *from = args->from;
    uint8_t *to = args->to;
    size_t left, count;
    for (left = args->count; left != 0; left -= count, from += count * step, to += count * bytes) {
        vuint8m1_t x;
        count = left < each ? left : each;
        x = __riscv_vle8_v_u8m1(from, (count - 1) * step + args->element);
        __riscv_vse8_v_u8m1(to, __riscv_vrgather_vv_u8m1(x, place, count * bytes), count * bytes);
    }
}

NNRT__FN void nnrt__spread_rvv(const nnrt__spread_args *args) {
    const size_t lanes = nnrt__spread_lanes_rvv(), bytes = args->copies * args->element;
    NNRT_ASSERT(nnrt__spread_is_right(args));
    if (args->step <= args->copies && bytes <= lanes) nnrt__spread_some_rvv(args, lanes / bytes, lanes);
    else nnrt__spread_from(args, 0);
}

NNRT__FN void nnrt__spread_rvv_install(nnrt__cpu_table *t) {
    t->spread = nnrt__spread_rvv;
    t->spread_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_SPREAD_RVV_H */
