/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_crc_words.h - CRC-32 by words of 64 bits, without a table.   >>platform_crc_words

   A message keeps its remainder when a multiple of the CRC's polynomial is added to it. The one with five terms and the
   lowest degree is x^300 + x^155 + x^117 + x^89 + 1: a bit can be taken away when the bits 145, 183, 211 and 300
   behind it are flipped. A whole word goes that way at once, into four of the five words behind it, and what is left in
   the end is 40 bytes with the sum of all. Words are little-endian: the first bit is the lowest. */
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
    uint64_t flips[5] = {0, 0, 0, 0, 0}; /* of this word and the four behind it */
    uint8_t left[40];
    size_t at, i;
    if (size < 64) return 0; /* the 40 bytes would cost more than is won */
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
