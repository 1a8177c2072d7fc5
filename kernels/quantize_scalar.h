/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/quantize_scalar.h - float to and from int8 and uint8, and casts between all other types.

   Bytes are int8 when is_signed, else uint8. The first two overlap nowhere, and are slots; casts may have their out in
   the very memory of in, with elements of the same size. */
#ifndef NNRT_KERNELS_QUANTIZE_SCALAR_H
#define NNRT_KERNELS_QUANTIZE_SCALAR_H

#include "float16.h"
#include "fp_contract.h"
#include "internal.h"

NNRT__FP_CONTRACT_OFF_BEGIN

/* clamp(round(x / scale) + zero_point): the quotient in float, ties away from zero, as TensorFlow Lite's
   QUANTIZE. A NaN becomes the lowest value. zero_point lies within -128..255; any scale is harmless. */
NNRT__INLINE int32_t nnrt__quantize_one(float x, float scale, int32_t zero_point, bool is_signed) {
    const double quotient = (double)nnrt__clamp_f32(x / scale, -1024.0f, 1024.0f); /* in double, +- 0.5 is exact */
    const int32_t rounded = (int32_t)(quotient + copysign(0.5, quotient));
    return nnrt__clamp_i32(rounded + zero_point, is_signed ? -128 : 0, is_signed ? 127 : 255);
}

/* Contract of both ways, in memory of its own: n floats and n bytes. Which instruction set does it changes no byte. */
NNRT__ASSERT_FN bool nnrt__quantize_is_right(const void *in, size_t in_element, int32_t zero_point, const void *out,
                                             size_t out_element, size_t n) {
    NNRT_ASSERT(zero_point >= -128 && zero_point <= 255);
    NNRT_ASSERT(nnrt__is_aligned(in, in_element) && nnrt__is_aligned(out, out_element));
    NNRT_ASSERT(nnrt__is_apart(in, n * in_element, out, n * out_element));
    return true;
}

NNRT__FN void nnrt__quantize_f32_scalar(const float *in, float scale, int32_t zero_point, bool is_signed, void *out,
                                        size_t n) {
    uint8_t *to = (uint8_t *)out;
    size_t i;
    NNRT_ASSERT(nnrt__quantize_is_right(in, sizeof *in, zero_point, out, 1, n));
    for (i = 0; i < n; i++) to[i] = (uint8_t)nnrt__quantize_one(in[i], scale, zero_point, is_signed);
}

/* scale * (q - zero_point), one rounding. */
NNRT__FN void nnrt__dequantize_f32_scalar(const void *in, float scale, int32_t zero_point, bool is_signed, float *out,
                                          size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__quantize_is_right(in, 1, zero_point, out, sizeof *out, n));
    if (is_signed)
        for (i = 0; i < n; i++) out[i] = scale * (float)(((const int8_t *)in)[i] - zero_point);
    else
        for (i = 0; i < n; i++) out[i] = scale * (float)(((const uint8_t *)in)[i] - zero_point);
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__quantize_scalar_install(nnrt__cpu_table *t) {
    t->quantize_f32 = nnrt__quantize_f32_scalar;
    t->dequantize_f32 = nnrt__dequantize_f32_scalar;
    t->quantize_f32_isa = t->dequantize_f32_isa = "scalar";
}

/* ------------------------------------------------------------------------------------- casts

   Integers narrow modulo 2^bits; float to integer truncates toward zero and saturates, a NaN becomes 0;
   anything to bool is x != 0; integer to float rounds to nearest. To float16 a number goes through float32, as in
   TensorFlow Lite. */

/* The numbers are those of OH_NN_DataType, which the kernels do not know. */
typedef enum nnrt__cast_type {
    NNRT__CAST_BOOL = 1,
    NNRT__CAST_S8 = 2,
    NNRT__CAST_S16 = 3,
    NNRT__CAST_S32 = 4,
    NNRT__CAST_S64 = 5,
    NNRT__CAST_U8 = 6,
    NNRT__CAST_U16 = 7,
    NNRT__CAST_U32 = 8,
    NNRT__CAST_U64 = 9,
    NNRT__CAST_F16 = 10,
    NNRT__CAST_F32 = 11,
    NNRT__CAST_F64 = 12
} nnrt__cast_type;

NNRT__INLINE bool nnrt__cast_is_float(uint32_t type) { return type >= NNRT__CAST_F16; }

/* Element i of a float type. */
NNRT__INLINE double nnrt__cast_load_real(uint32_t type, const void *in, size_t i) {
    if (type == NNRT__CAST_F16) return (double)nnrt__float16_to_float32(((const uint16_t *)in)[i]);
    return type == NNRT__CAST_F32 ? (double)((const float *)in)[i] : ((const double *)in)[i];
}

NNRT__INLINE void nnrt__cast_store_real(uint32_t type, void *out, size_t i, double x) {
    if (type == NNRT__CAST_F16) ((uint16_t *)out)[i] = nnrt__float16_from_float32((float)x);
    else if (type == NNRT__CAST_F32) ((float *)out)[i] = (float)x;
    else ((double *)out)[i] = x;
}

/* Element i of an integer type, sign- or zero-extended. */
NNRT__INLINE uint64_t nnrt__cast_load_int(uint32_t type, const void *in, size_t i) {
    switch (type) {
    case NNRT__CAST_BOOL: return ((const uint8_t *)in)[i] != 0;
    case NNRT__CAST_S8: return (uint64_t)(int64_t)((const int8_t *)in)[i];
    case NNRT__CAST_S16: return (uint64_t)(int64_t)((const int16_t *)in)[i];
    case NNRT__CAST_S32: return (uint64_t)(int64_t)((const int32_t *)in)[i];
    case NNRT__CAST_U8: return ((const uint8_t *)in)[i];
    case NNRT__CAST_U16: return ((const uint16_t *)in)[i];
    case NNRT__CAST_U32: return ((const uint32_t *)in)[i];
    default: return ((const uint64_t *)in)[i];
    }
}

NNRT__INLINE void nnrt__cast_store_int(uint32_t type, void *out, size_t i, uint64_t x) {
    switch (type) {
    case NNRT__CAST_BOOL: ((uint8_t *)out)[i] = x != 0 ? 1 : 0; break;
    case NNRT__CAST_S8:
    case NNRT__CAST_U8: ((uint8_t *)out)[i] = (uint8_t)x; break;
    case NNRT__CAST_S16:
    case NNRT__CAST_U16: ((uint16_t *)out)[i] = (uint16_t)x; break;
    case NNRT__CAST_S32:
    case NNRT__CAST_U32: ((uint32_t *)out)[i] = (uint32_t)x; break;
    default: ((uint64_t *)out)[i] = x;
    }
}

/* Bits of the integer type that x saturates to. */
NNRT__INLINE uint64_t nnrt__saturate_f64(uint32_t type, double x) {
    static const uint8_t widths[13] = {0, 0, 8, 16, 32, 64, 8, 16, 32, 64, 0, 0, 0};
    const unsigned bits = widths[type];
    if (type == NNRT__CAST_BOOL) return x != 0;
    if (x != x) return 0;
    if (type >= NNRT__CAST_U8) {
        const uint64_t most = ~(uint64_t)0 >> (64 - bits);
        return x <= 0 ? 0 : x >= ldexp(1.0, (int)bits) ? most : (uint64_t)x;
    } else {
        const uint64_t most = ~(uint64_t)0 >> (65 - bits);
        return x >= ldexp(1.0, (int)bits - 1) ? most : x < -ldexp(1.0, (int)bits - 1) ? ~most : (uint64_t)(int64_t)x;
    }
}

/* Bytes of an element; 0: there is no such type. */
NNRT__ASSERT_FN size_t nnrt__cast_size(uint32_t type) {
    static const uint8_t sizes[13] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
    return type <= NNRT__CAST_F64 ? sizes[type] : 0;
}

NNRT__FN void nnrt__cast_scalar(uint32_t from, const void *in, uint32_t to, void *out, size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__cast_size(from) != 0 && nnrt__cast_size(to) != 0);
    NNRT_ASSERT(nnrt__elements_are_right(in, nnrt__cast_size(from), out, nnrt__cast_size(to), n));
    for (i = 0; i < n; i++) {
        if (nnrt__cast_is_float(from)) {
            const double x = nnrt__cast_load_real(from, in, i);
            if (nnrt__cast_is_float(to)) nnrt__cast_store_real(to, out, i, x);
            else nnrt__cast_store_int(to, out, i, nnrt__saturate_f64(to, x));
        } else {
            const uint64_t x = nnrt__cast_load_int(from, in, i);
            if (to == NNRT__CAST_F64) ((double *)out)[i] = from == NNRT__CAST_U64 ? (double)x : (double)(int64_t)x;
            else if (nnrt__cast_is_float(to))
                nnrt__cast_store_real(to, out, i, (double)(from == NNRT__CAST_U64 ? (float)x : (float)(int64_t)x));
            else nnrt__cast_store_int(to, out, i, x);
        }
    }
}

#endif /* NNRT_KERNELS_QUANTIZE_SCALAR_H */
