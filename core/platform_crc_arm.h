/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_crc_arm.h - CRC-32 by the instructions of Armv8, where the program is compiled for a processor that has
   them (-mcpu=cortex-a53, -march=armv8-a+crc): their polynomial is this one.   >>platform_crc_arm */
#ifndef NNRT_CORE_PLATFORM_CRC_ARM_H
#define NNRT_CORE_PLATFORM_CRC_ARM_H

#include <arm_acle.h>

NNRT__FN size_t nnrt__crc32_front(uint32_t *sum, const uint8_t *bytes, size_t size) {
    size_t at;
    for (at = 0; size - at >= 8; at += 8) *sum = __crc32d(*sum, nnrt__crc32_word(bytes + at));
    return at;
}

#endif /* NNRT_CORE_PLATFORM_CRC_ARM_H */
