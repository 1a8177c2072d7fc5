/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_crc.h - CRC-32 for what comes from outside: files, caches, plans.   >>platform_crc

   Loading a plan reads it once more for its checksum, which is most of the time of loading. Measured over 260 KB on an
   x86-64 with AVX2, 2026-11-22, ns a byte: four bits at a time from a table 6.2, eight tables of 256 words 0.81, words
   without a table (platform_crc_words.h) 0.27 to 0.38, PCLMULQDQ 0.05, and less where it is wider. So no build has
   large tables; with -Os, for small code, it is four bits at a time, 150 bytes with the table. */
#ifndef NNRT_CORE_PLATFORM_CRC_H
#define NNRT_CORE_PLATFORM_CRC_H

#include "platform_crc_nibbles.h"

/* size_t nnrt__crc32_front(uint32_t *sum, const uint8_t *bytes, size_t size): adds as many leading bytes to *sum as it
   can do fast; returns how many. */

#if defined(__OPTIMIZE_SIZE__) || !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
NNRT__FN size_t nnrt__crc32_front(uint32_t *sum, const uint8_t *bytes, size_t size) {
    (void)sum;
    (void)bytes;
    (void)size;
    return 0;
}
#else
#include "platform_crc_words.h"
#if (defined(__x86_64__) || defined(__i386__)) && !defined(NNRT_NO_SIMD)
#include "platform_crc_x86.h"
#elif defined(__ARM_FEATURE_CRC32) && !defined(NNRT_NO_SIMD)
#include "platform_crc_arm.h"
#else
NNRT__FN size_t nnrt__crc32_front(uint32_t *sum, const uint8_t *bytes, size_t size) {
    return nnrt__crc32_words(sum, bytes, size);
}
#endif
#endif

/* CRC-32 (IEEE 802.3, reflected, polynomial 0xEDB88320) of size bytes, continuing from crc; start with 0. */
NNRT__FN uint32_t nnrt__crc32(uint32_t crc, const void *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *)data;
    uint32_t sum = ~crc;
    const size_t done = nnrt__crc32_front(&sum, bytes, size);
    return ~nnrt__crc32_nibbles(sum, bytes + done, size - done);
}

#endif /* NNRT_CORE_PLATFORM_CRC_H */
