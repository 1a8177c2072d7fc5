/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lut_s8_neon.h - lut_s8 for ARM: AArch64 can look up in 64 bytes, ARMv7 cannot. */
#ifndef NNRT_KERNELS_LUT_S8_NEON_H
#define NNRT_KERNELS_LUT_S8_NEON_H

#include "internal.h"

#if defined(__aarch64__)
#include "lut_s8_neon_armv8.h"
#else
#include "lut_s8_neon_armv7.h"
#endif

#endif /* NNRT_KERNELS_LUT_S8_NEON_H */
