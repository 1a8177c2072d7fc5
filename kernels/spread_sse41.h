/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/spread_sse41.h - spread for SSE4.1. Contract: spread_scalar.h.

   One pshufb for 16 bytes: a fifth of the time of the portable loop for two copies of a float (Zen 4). */
#ifndef NNRT_KERNELS_SPREAD_SSE41_H
#define NNRT_KERNELS_SPREAD_SSE41_H

#include "spread_scalar.h"

NNRT__TARGET_SSE41 NNRT__FN void nnrt__spread_sse41(const nnrt__spread_args *args) {
    uint8_t place[16];
    const uint8_t *from = args->from;
    uint8_t *to = args->to;
    size_t each, whole, stride, i;
    NNRT_ASSERT(nnrt__spread_is_right(args));
    each = nnrt__spread_places(args, place);
    whole = each != 0 ? nnrt__spread_whole(args, each) : 0;
    stride = each * args->step * args->element;
    if (whole != 0) {
        const __m128i turn = _mm_loadu_si128((const __m128i *)(const void *)place);
        for (i = 0; i < whole; i += each, from += stride, to += 16)
            _mm_storeu_si128((__m128i *)(void *)to,
                             _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)from), turn));
    }
    nnrt__spread_from(args, whole);
}

NNRT__FN void nnrt__spread_sse41_install(nnrt__cpu_table *t) {
    t->spread = nnrt__spread_sse41;
    t->spread_isa = "sse41";
}

#endif /* NNRT_KERNELS_SPREAD_SSE41_H */
