/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_crc_x86.h - CRC-32 with PCLMULQDQ, on processors that have it.   >>platform_crc_x86

   64 bytes are kept that have the same remainder as all that was read. Multiplied by x^512 modulo the polynomial, half
   by half of each 16 bytes, they can be added to the 64 bytes that follow. Each constant is x^n modulo the polynomial,
   its bits reversed and one to the left, as the product of two reversed numbers comes out one too low. */
#ifndef NNRT_CORE_PLATFORM_CRC_X86_H
#define NNRT_CORE_PLATFORM_CRC_X86_H

#include <immintrin.h>

#define NNRT__TARGET_PCLMUL __attribute__((target("pclmul,sse2")))

/* state, moved on by what by was made for, and the 16 bytes there. */
NNRT__TARGET_PCLMUL NNRT__INLINE __m128i nnrt__crc32_fold(__m128i state, __m128i by, __m128i bytes) {
    const __m128i low = _mm_clmulepi64_si128(state, by, 0x00), high = _mm_clmulepi64_si128(state, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), bytes);
}

NNRT__INLINE const __m128i *nnrt__crc32_at(const uint8_t *bytes, size_t i) {
    return (const __m128i *)(const void *)(bytes + i * 16);
}

/* As nnrt__crc32_front, for 64 bytes and more. */
NNRT__TARGET_PCLMUL NNRT__FN size_t nnrt__crc32_pclmul(uint32_t *sum, const uint8_t *bytes, size_t size) {
    const __m128i by_64 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4); /* x^480, x^544 */
    const __m128i by_16 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0); /* x^96, x^160 */
    __m128i a = _mm_xor_si128(_mm_loadu_si128(nnrt__crc32_at(bytes, 0)), _mm_cvtsi32_si128((int)*sum));
    __m128i b = _mm_loadu_si128(nnrt__crc32_at(bytes, 1)), c = _mm_loadu_si128(nnrt__crc32_at(bytes, 2));
    __m128i d = _mm_loadu_si128(nnrt__crc32_at(bytes, 3));
    uint8_t left[16];
    size_t at;
    for (at = 64; size - at >= 64; at += 64) {
        a = nnrt__crc32_fold(a, by_64, _mm_loadu_si128(nnrt__crc32_at(bytes + at, 0)));
        b = nnrt__crc32_fold(b, by_64, _mm_loadu_si128(nnrt__crc32_at(bytes + at, 1)));
        c = nnrt__crc32_fold(c, by_64, _mm_loadu_si128(nnrt__crc32_at(bytes + at, 2)));
        d = nnrt__crc32_fold(d, by_64, _mm_loadu_si128(nnrt__crc32_at(bytes + at, 3)));
    }
    d = nnrt__crc32_fold(nnrt__crc32_fold(nnrt__crc32_fold(a, by_16, b), by_16, c), by_16, d);
    for (; size - at >= 16; at += 16) d = nnrt__crc32_fold(d, by_16, _mm_loadu_si128(nnrt__crc32_at(bytes + at, 0)));
    _mm_storeu_si128((__m128i *)(void *)left, d);
    *sum = nnrt__crc32_nibbles(0, left, sizeof(left));
    return at;
}

NNRT__FN size_t nnrt__crc32_front(uint32_t *sum, const uint8_t *bytes, size_t size) {
    if (size < 64) return 0;
    __builtin_cpu_init();
    return __builtin_cpu_supports("pclmul") ? nnrt__crc32_pclmul(sum, bytes, size)
                                            : nnrt__crc32_words(sum, bytes, size);
}

#endif /* NNRT_CORE_PLATFORM_CRC_X86_H */
