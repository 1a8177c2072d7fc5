/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_crc_nibbles.h - CRC-32 by four bits at a time.   >>platform_crc_nibbles */
#ifndef NNRT_CORE_PLATFORM_CRC_NIBBLES_H
#define NNRT_CORE_PLATFORM_CRC_NIBBLES_H

/* The sum itself, without the two complements of nnrt__crc32. */
NNRT__FN uint32_t nnrt__crc32_nibbles(uint32_t sum, const uint8_t *bytes, size_t size) {
    static const uint32_t nibble[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
                                        0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                        0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    size_t i;
    for (i = 0; i < size; i++) {
        sum ^= bytes[i];
        sum = (sum >> 4) ^ nibble[sum & 15];
        sum = (sum >> 4) ^ nibble[sum & 15];
    }
    return sum;
}

#endif /* NNRT_CORE_PLATFORM_CRC_NIBBLES_H */
