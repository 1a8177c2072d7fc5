/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_crc_words.h - CRC-32 by words of 64 bits, without a table.   >>platform_crc_words

   Adding a multiple of the CRC's polynomial to a message does not change its remainder. The multiple with five terms
   and the lowest degree is x^300 + x^155 + x^117 + x^89 + 1: a bit can be cleared by flipping the bits 145, 183, 211
   and 300 places after it. This moves a whole word at once into four of the next five words; in the end 40 bytes with
   the same sum remain. Words are little-endian: the first bit is the lowest. */
#ifndef NNRT_CORE_PLATFORM_CRC_WORDS_H
#define NNRT_CORE_PLATFORM_CRC_WORDS_H

#include "platform_crc_nibbles.h"

NNRT__INLINE uint64_t nnrt__crc32_word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* As nnrt__crc32_front. */
NNRT__FN size_t nnrt__crc32_words(uint32_t *sum, const uint8_t *bytes, size_t size) {
    uint64_t flips[5] = {0, 0, 0, 0, 0}; /* of this word and the next four */
    uint8_t left[40];
    size_t at, i;
    if (size < 64) return 0; /* the 40 bytes would cost more than this saves */
    flips[0] = *sum;
    for (at = 0; size - at >= 48; at += 8) {
        const uint64_t word = nnrt__crc32_word(bytes + at) ^ flips[0];
        flips[0] = flips[1];
        flips[1] = flips[2] ^ word << 17 ^ word << 55;
        flips[2] = flips[3] ^ word >> 47 ^ word >> 9 ^ word << 19;
        flips[3] = flips[4] ^ word >> 45 ^ word << 44;
        flips[4] = word >> 20;
    }
    for (i = 0; i < 5; i++) {
        const uint64_t word = nnrt__crc32_word(bytes + at + i * 8) ^ flips[i];
        memcpy(left + i * 8, &word, sizeof(word));
    }
    *sum = nnrt__crc32_nibbles(0, left, sizeof(left));
    return at + sizeof(left);
}

#endif /* NNRT_CORE_PLATFORM_CRC_WORDS_H */
