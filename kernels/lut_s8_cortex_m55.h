/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lut_s8_cortex_m55.h - lut_s8 for Helium (Cortex-M55, M85): 16 bytes by a load from 16 addresses. Contract:
   lut_s8_scalar.h. */
#ifndef NNRT_KERNELS_LUT_S8_CORTEX_M55_H
#define NNRT_KERNELS_LUT_S8_CORTEX_M55_H

#include "internal.h"
#include "lut_s8_scalar.h"

NNRT__FN void nnrt__lut_s8_cortex_m55(const uint8_t *table, const uint8_t *in, uint8_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__lut_s8_is_right(table, in, out, n));
    for (i = 0; i < n; i += 16) {
        const mve_pred16_t are_left = __arm_vctp8q((uint32_t)(n - i));
        const uint8x16_t x = __arm_vldrbq_z_u8(in + i, are_left);
        __arm_vstrbq_p_u8(out + i, __arm_vldrbq_gather_offset_z_u8(table, x, are_left), are_left);
    }
}

NNRT__FN void nnrt__lut_s8_cortex_m55_install(nnrt__cpu_table *t) {
    t->lut_s8 = nnrt__lut_s8_cortex_m55;
    t->lut_s8_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_LUT_S8_CORTEX_M55_H */
