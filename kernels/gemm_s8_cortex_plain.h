/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_cortex_plain.h - gemm_s8 for the packings of Cortex-M4 and M55 in a program that is compiled without
   optimization. Contract: gemm_s8_scalar.h.

   The loops of gemm_s8_cortex_m4.h and gemm_s8_cortex_m55.h are assembly of twelve registers and more, for which
   compilers find none without optimization, where they keep one for the frame and others for what they spill. Such a
   program is there to be looked at step by step: it runs the same plans, by the definition. */
#ifndef NNRT_KERNELS_GEMM_S8_CORTEX_PLAIN_H
#define NNRT_KERNELS_GEMM_S8_CORTEX_PLAIN_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"

NNRT__FN void nnrt__gemm_s8_cortex_m4(const nnrt__gemm_s8_args *args, void *scratch) {
    const nnrt__packing *packing = args->factor != NULL ? &nnrt__packing_s8_1x4_shared : &nnrt__packing_s8_1x4;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, packing, scratch));
    (void)scratch;
    nnrt__gemm_s8_any(args, packing);
}

NNRT__FN void nnrt__gemm_s8_cortex_m55(const nnrt__gemm_s8_args *args, void *scratch) {
    const nnrt__packing *packing = args->factor != NULL ? &nnrt__packing_s8_1x16_shared : &nnrt__packing_s8_1x16;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, packing, scratch));
    (void)scratch;
    nnrt__gemm_s8_any(args, packing);
}

NNRT__FN void nnrt__gemm_s8_cortex_m4_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_cortex_m4, &nnrt__packing_s8_1x4, nnrt__isa_name_CORTEX_M4};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
    table->gemm_s8[1].packing = &nnrt__packing_s8_1x4_shared;
}

NNRT__FN void nnrt__gemm_s8_cortex_m55_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_cortex_m55, &nnrt__packing_s8_1x16, nnrt__isa_name_CORTEX_M55};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
    table->gemm_s8[1].packing = &nnrt__packing_s8_1x16_shared;
}

#endif /* NNRT_KERNELS_GEMM_S8_CORTEX_PLAIN_H */
