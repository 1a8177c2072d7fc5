/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/f32_cortex_m55.h - what the float kernels for Helium share. Its vectors read a denormal as 0 and give 0 for
   one, as those of ARMv7 NEON do. */
#ifndef NNRT_KERNELS_F32_CORTEX_M55_H
#define NNRT_KERNELS_F32_CORTEX_M55_H

#include "internal.h"

/* nnrt__clamp_f32 of four numbers, to where the predicate has them: of a NaN and a number, vmaxnm is the number. */
NNRT__INLINE void nnrt__store_f32_cortex_m55(float *out, float32x4_t x, float low, float high, mve_pred16_t are_left) {
    x = __arm_vminnmq_f32(__arm_vmaxnmq_f32(x, __arm_vdupq_n_f32(low)), __arm_vdupq_n_f32(high));
    __arm_vstrwq_p_f32(out, x, are_left);
}

#endif /* NNRT_KERNELS_F32_CORTEX_M55_H */
