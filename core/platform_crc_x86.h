/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_crc_x86.h - CRC-32 with PCLMULQDQ, on processors that have it.   >>platform_crc_x86

   The state is 64 bytes with the same remainder as everything read so far. Multiplied by x^512 modulo the polynomial,
   each half of 16 bytes by itself, it can be added to the next 64 bytes. Each constant is x^n modulo the polynomial,
   bit-reversed and shifted left by one, because the product of two reversed numbers comes out one bit too low. Where
   one instruction multiplies two or four such halves, 128 or 256 bytes are kept. */
#ifndef NNRT_CORE_PLATFORM_CRC_X86_H
#define NNRT_CORE_PLATFORM_CRC_X86_H

#include <immintrin.h>

#define NNRT__TARGET_PCLMUL __attribute__((target("pclmul,sse2")))

/* The constants that advance the state by n bytes: x^(8n - 32) and x^(8n + 32). */
#define NNRT__CRC_BY_16 0x0ccaa009e, 0x1751997d0
#define NNRT__CRC_BY_64 0x1c6e41596, 0x154442bd4

/* state, advanced by the bytes of by, plus the 16 bytes there. */
NNRT__TARGET_PCLMUL NNRT__INLINE __m128i nnrt__crc32_fold(__m128i state, __m128i by, __m128i bytes) {
    const __m128i low = _mm_clmulepi64_si128(state, by, 0x00), high = _mm_clmulepi64_si128(state, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), bytes);
}

NNRT__TARGET_PCLMUL NNRT__INLINE __m128i nnrt__crc32_load(const uint8_t *bytes) {
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

/* kept stands for the first `at` bytes: adds the remaining whole 16 bytes. */
NNRT__TARGET_PCLMUL NNRT__INLINE size_t nnrt__crc32_last(uint32_t *sum, const uint8_t *bytes, size_t size, size_t at,
                                                         const __m128i kept[4]) {
    const __m128i by_16 = _mm_set_epi64x(NNRT__CRC_BY_16);
    __m128i last = nnrt__crc32_fold(kept[0], by_16, kept[1]);
    uint8_t left[16];
    last = nnrt__crc32_fold(nnrt__crc32_fold(last, by_16, kept[2]), by_16, kept[3]);
    for (; size - at >= 16; at += 16) last = nnrt__crc32_fold(last, by_16, nnrt__crc32_load(bytes + at));
    _mm_storeu_si128((__m128i *)(void *)left, last);
    *sum = nnrt__crc32_nibbles(0, left, sizeof(left));
    return at;
}

/* As nnrt__crc32_front, for 64 bytes and more. */
NNRT__TARGET_PCLMUL NNRT__FN size_t nnrt__crc32_pclmul(uint32_t *sum, const uint8_t *bytes, size_t size) {
    const __m128i by_64 = _mm_set_epi64x(NNRT__CRC_BY_64);
    __m128i kept[4];
    size_t at, i;
    for (i = 0; i < 4; i++) kept[i] = nnrt__crc32_load(bytes + i * 16);
    kept[0] = _mm_xor_si128(kept[0], _mm_cvtsi32_si128((int)*sum));
    for (at = 64; size - at >= 64; at += 64) {
        kept[0] = nnrt__crc32_fold(kept[0], by_64, nnrt__crc32_load(bytes + at));
        kept[1] = nnrt__crc32_fold(kept[1], by_64, nnrt__crc32_load(bytes + at + 16));
        kept[2] = nnrt__crc32_fold(kept[2], by_64, nnrt__crc32_load(bytes + at + 32));
        kept[3] = nnrt__crc32_fold(kept[3], by_64, nnrt__crc32_load(bytes + at + 48));
    }
    return nnrt__crc32_last(sum, bytes, size, at, kept);
}

#if defined(__clang__) ? __clang_major__ >= 9 : __GNUC__ >= 9
#include "platform_crc_x86_wide.h"
#else
NNRT__FN size_t nnrt__crc32_wide(uint32_t *sum, const uint8_t *bytes, size_t size) {
    (void)sum;
    (void)bytes;
    (void)size;
    return 0;
}
#endif

NNRT__FN size_t nnrt__crc32_front(uint32_t *sum, const uint8_t *bytes, size_t size) {
    size_t done;
    if (size < 64) return 0;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("pclmul")) return nnrt__crc32_words(sum, bytes, size);
    done = nnrt__crc32_wide(sum, bytes, size);
    return done != 0 ? done : nnrt__crc32_pclmul(sum, bytes, size);
}

#endif /* NNRT_CORE_PLATFORM_CRC_X86_H */
