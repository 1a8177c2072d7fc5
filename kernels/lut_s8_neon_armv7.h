/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lut_s8_neon_armv7.h - lut_s8 for ARMv7 NEON: portable C. vtbl looks up in 32 bytes, and all registers
   together hold one table, so that it would be read again for every few bytes. */
#ifndef NNRT_KERNELS_LUT_S8_NEON_ARMV7_H
#define NNRT_KERNELS_LUT_S8_NEON_ARMV7_H

#include "lut_s8_scalar.h"

NNRT__FN void nnrt__lut_s8_neon_install(nnrt__cpu_table *t) { nnrt__lut_s8_scalar_install(t); }

#endif /* NNRT_KERNELS_LUT_S8_NEON_ARMV7_H */
