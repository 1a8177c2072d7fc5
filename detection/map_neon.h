/* SPDX-License-Identifier: Apache-2.0 */
/* detection/map_neon.h - the search of map.h for NEON, 32 bytes at a time: the same places.   >>detection_map_neon */
#ifndef NNRT_DETECTION_MAP_NEON_H
#define NNRT_DETECTION_MAP_NEON_H

#include "../kernels/internal.h"

/* How many leading bytes of count are below least, a multiple of 32; those after them must be checked. XOR with flip, 0
   or 0x80, makes the bytes int8. */
NNRT__FN uint32_t nnrt__map_skip_neon(const uint8_t *data, uint32_t count, uint8_t flip, int8_t least) {
    const uint8x16_t turn = vdupq_n_u8(flip);
    const int8x16_t bound = vdupq_n_s8(least);
    uint32_t i = 0;
    for (; count - i >= 32; i += 32) {
        const int8x16_t a = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(data + i), turn));
        const int8x16_t b = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(data + i + 16), turn));
        const uint8x16_t reached = vcgeq_s8(vmaxq_s8(a, b), bound);
        const uint8x8_t any = vorr_u8(vget_low_u8(reached), vget_high_u8(reached));
        if (vget_lane_u64(vreinterpret_u64_u8(any), 0) != 0) break;
    }
    return i;
}

#endif /* NNRT_DETECTION_MAP_NEON_H */
