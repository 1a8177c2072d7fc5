/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/softmax_s16_scalar.h - int16 SOFTMAX with TensorFlow Lite's results.

   Two tables of 513 entries, which are made when a model is compiled: exp(x) for x in -10..0, and 1 / (1 + x) for x in
   0..1, both in 15 bits; between entries they are straight. Results have 15 bits, too. */
#ifndef NNRT_KERNELS_SOFTMAX_S16_SCALAR_H
#define NNRT_KERNELS_SOFTMAX_S16_SCALAR_H

#include "pack_scalar.h"
#include "s16_scalar.h"

#define NNRT__S16_TABLE 513
/* Rows whose sums stay within 32 bits. */
#define NNRT__SOFTMAX_S16_MAX 65536u

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__FN float nnrt__softmax_s16_function(bool reciprocal, float x) {
    return reciprocal ? 1.0f / (1.0f + x) : (float)exp((double)x);
}

/* Rounded, ties away from zero. */
NNRT__FN float nnrt__round_f32(float x) { return (float)(x < 0.0f ? ceil((double)x - 0.5) : floor((double)x + 0.5)); }

/* Entries at both ends and inside of 512 equal parts of the range, in float as the reference does it: half of what the
   straight line is off by in the middle of a part is taken off at its start. */
NNRT__FN void nnrt__softmax_s16_half_table(bool reciprocal, int16_t *table) {
    const float scale = (reciprocal ? 1.0f : 10.0f) / 65535.0f, out_scale = 2.0f / 65535.0f;
    const float least = scale * (float)(-32768 - (reciprocal ? -32768 : 32767));
    const float most = scale * (float)(32767 - (reciprocal ? -32768 : 32767));
    const float step = (most - least) / 512.0f, half = step / 2.0f;
    const float factor = 65536.0f / (out_scale * 32767.0f - out_scale * -32768.0f);
    int i;
    for (i = 0; i < 512; i++) {
        const float here = nnrt__softmax_s16_function(reciprocal, least + (float)i * step);
        const float middle = nnrt__softmax_s16_function(reciprocal, least + (float)i * step + half);
        const float next = nnrt__softmax_s16_function(reciprocal, least + (float)(i + 1) * step);
        const float sample = nnrt__round_f32(here * factor);
        const float straight = nnrt__round_f32((next * factor + sample) / 2.0f);
        const float error = straight - nnrt__round_f32(middle * factor);
        table[i] = (int16_t)nnrt__clamp_f32(sample - nnrt__round_f32(error / 2.0f), -32768.0f, 32767.0f);
    }
    table[512] = (int16_t)nnrt__clamp_f32(nnrt__round_f32(nnrt__softmax_s16_function(reciprocal, most) * factor),
                                          -32768.0f, 32767.0f);
}

NNRT__FP_CONTRACT_OFF_END

/* tables: 2 * NNRT__S16_TABLE entries, those of exp first. */
NNRT__FN void nnrt__softmax_s16_tables(int16_t *tables) {
    nnrt__softmax_s16_half_table(false, tables);
    nnrt__softmax_s16_half_table(true, tables + NNRT__S16_TABLE);
}

/* The upper 9 bits of x choose the entry, the lower 7 go on to the next. The slope has 16 bits, as there. */
NNRT__INLINE int16_t nnrt__s16_table_at(const int16_t *table, int32_t x) {
    const int32_t at = 256 + (x >> 7), base = table[at];
    const int32_t slope = (int16_t)(uint16_t)((uint32_t)(table[at + 1] - base) & 0xffff);
    return (int16_t)(uint16_t)((uint32_t)(base + ((slope * (x & 0x7f) + 64) >> 7)) & 0xffff);
}

/* pre   n elements, `step` apart, n <= NNRT__SOFTMAX_S16_MAX; multiplier and shift of nnrt__quantize_multiplier for
         scale * 65535 / 10. out may be the very memory of in.
   post  with e = exp(in - the largest in), out = e / (the sum of all e), in 15 bits. */
NNRT__FN void nnrt__softmax_s16_scalar(const int16_t *tables, int32_t multiplier, int32_t shift, const int16_t *in,
                                       int16_t *out, size_t n, size_t step) {
    int32_t most = -32768, sum = 0, reciprocal, shifted;
    int leading = 0;
    size_t i;
    NNRT_ASSERT(nnrt__row_is_right(in, sizeof(int16_t), out, sizeof(int16_t), n, step));
    NNRT_ASSERT(n <= NNRT__SOFTMAX_S16_MAX && nnrt__is_factor(multiplier, shift, 30));
    NNRT_ASSERT(nnrt__is_aligned(tables, 2));
    for (i = 0; i < n; i++) most = in[i * step] > most ? in[i * step] : most;
    for (i = 0; i < n; i++) {
        const int32_t x = nnrt__requantize_saturated(in[i * step] - most, multiplier, shift);
        out[i * step] = nnrt__s16_table_at(tables, nnrt__clamp_i32(x, -65535, 0) + 32767);
        sum = (int32_t)((uint32_t)sum + (uint32_t)(int32_t)out[i * step]);
    }
    if (sum < 2) sum = 2; /* a hostile plan's table; the largest element has 32767 */
    while (((uint32_t)sum << leading & 0x80000000u) == 0) leading++;
    shifted = (int32_t)((((int64_t)sum << (leading - 1)) + (1 << 13)) >> 14);
    reciprocal =
        nnrt__s16_table_at(tables + NNRT__S16_TABLE, nnrt__clamp_i32(shifted - (1 << 15) - (1 << 16), -32768, 32767));
    for (i = 0; i < n; i++) {
        const int32_t y = (int32_t)(((int64_t)out[i * step] * reciprocal + (1 << (30 - leading))) >> (31 - leading));
        out[i * step] = (int16_t)nnrt__clamp_i32(y, 0, 32767);
    }
}

#endif /* NNRT_KERNELS_SOFTMAX_S16_SCALAR_H */
