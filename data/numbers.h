/* SPDX-License-Identifier: Apache-2.0 */
/* data/numbers.h - nnrt_quantize() and the way back, by the kernels of the CPU device.   >>data_numbers */
#ifndef NNRT_DATA_NUMBERS_H
#define NNRT_DATA_NUMBERS_H

#include "../core/error.h"
#include "../kernels/float16.h"
#include "../kernels/quantize_scalar.h"
#include "../kernels/s16_scalar.h"
#include "api.h"

/* A tensor [outer, channels, inner]; per tensor: [1, 1, count]. */
typedef struct nnrt__numbers {
    const char *function;
    OH_NN_DataType type;
    size_t outer, channels, inner;
    const double *scales;
    const int32_t *zero_points; /* NULL: 0 */
} nnrt__numbers;

NNRT__FN bool nnrt__numbers_are_integers(OH_NN_DataType type) {
    return type == OH_NN_INT8 || type == OH_NN_UINT8 || type == OH_NN_INT16;
}

NNRT__FN int32_t nnrt__zero_point_at(const nnrt__numbers *numbers, size_t channel) {
    return numbers->zero_points != NULL ? numbers->zero_points[channel] : 0;
}

/* The pair of one channel of a type of integers. */
NNRT__FN OH_NN_ReturnCode nnrt__numbers_check_pair(const nnrt__numbers *numbers, size_t channel) {
    const int32_t zero_point = nnrt__zero_point_at(numbers, channel);
    const int32_t low = numbers->type == OH_NN_INT8 ? -128 : numbers->type == OH_NN_UINT8 ? 0 : -32768;
    const int32_t high = numbers->type == OH_NN_INT8 ? 127 : numbers->type == OH_NN_UINT8 ? 255 : 32767;
    const float scale = (float)numbers->scales[channel];
    if (!(scale > 0.0f) || scale - scale != 0.0f)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the scale of channel %zu is no float32 above 0",
                          numbers->function, channel);
    if (zero_point < low || zero_point > high)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: zero point %d of channel %zu is no %s", numbers->function,
                          (int)zero_point, channel, nnrt__dtype_name(numbers->type));
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__numbers_check(const nnrt__numbers *numbers, const void *from, const void *to) {
    const size_t element = nnrt__element_size(numbers->type);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t bytes, i;
    if (from == NULL || to == NULL || numbers->scales == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is NULL", numbers->function,
                          from == NULL ? "from"
                          : to == NULL ? "to"
                                       : "scales");
    if (!nnrt__numbers_are_integers(numbers->type) && numbers->type != OH_NN_FLOAT16 && numbers->type != OH_NN_FLOAT32)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is not int8, uint8, int16, float16 or float32",
                          numbers->function, nnrt__dtype_name(numbers->type));
    if (!nnrt__mul_size(numbers->outer, numbers->channels, &bytes) || !nnrt__mul_size(bytes, numbers->inner, &bytes) ||
        !nnrt__mul_size(bytes, element > sizeof(float) ? element : sizeof(float), &bytes))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %zu x %zu x %zu numbers are more than memory can have",
                          numbers->function, numbers->outer, numbers->channels, numbers->inner);
    if (!nnrt__numbers_are_integers(numbers->type)) return OH_NN_SUCCESS;
    for (i = 0; i < numbers->channels && code == OH_NN_SUCCESS; i++) code = nnrt__numbers_check_pair(numbers, i);
    return code;
}

/* count numbers of one channel. */
NNRT__FN void nnrt__numbers_quantize(const nnrt__numbers *numbers, size_t channel, const float *from, uint8_t *to,
                                     size_t count) {
    const float scale = (float)numbers->scales[channel];
    const int32_t zero_point = nnrt__zero_point_at(numbers, channel);
    size_t i;
    switch ((int)numbers->type) {
    case OH_NN_FLOAT32: memcpy(to, from, count * sizeof(float)); return;
    case OH_NN_FLOAT16:
        for (i = 0; i < count; i++) ((uint16_t *)(void *)to)[i] = nnrt__float16_from_float32(from[i]);
        return;
    case OH_NN_INT16: nnrt__quantize_s16_scalar(from, scale, zero_point, (int16_t *)(void *)to, count); return;
    default: nnrt__quantize_f32_scalar(from, scale, zero_point, numbers->type == OH_NN_INT8, to, count);
    }
}

NNRT__FN void nnrt__numbers_dequantize(const nnrt__numbers *numbers, size_t channel, const uint8_t *from, float *to,
                                       size_t count) {
    const float scale = (float)numbers->scales[channel];
    const int32_t zero_point = nnrt__zero_point_at(numbers, channel);
    size_t i;
    switch ((int)numbers->type) {
    case OH_NN_FLOAT32: memcpy(to, from, count * sizeof(float)); return;
    case OH_NN_FLOAT16:
        for (i = 0; i < count; i++) to[i] = nnrt__float16_to_float32(((const uint16_t *)(const void *)from)[i]);
        return;
    case OH_NN_INT16:
        nnrt__dequantize_s16_scalar((const int16_t *)(const void *)from, scale, zero_point, to, count);
        return;
    default: nnrt__dequantize_f32_scalar(from, scale, zero_point, numbers->type == OH_NN_INT8, to, count);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__numbers_quantize_all(const nnrt__numbers *numbers, const float *from, void *to) {
    const size_t element = nnrt__element_size(numbers->type);
    const OH_NN_ReturnCode code = nnrt__numbers_check(numbers, from, to);
    uint8_t *at = (uint8_t *)to;
    size_t n, c;
    if (code != OH_NN_SUCCESS || numbers->inner == 0) return code;
    for (n = 0; n < numbers->outer; n++)
        for (c = 0; c < numbers->channels; c++, from += numbers->inner, at += numbers->inner * element)
            nnrt__numbers_quantize(numbers, c, from, at, numbers->inner);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__numbers_dequantize_all(const nnrt__numbers *numbers, const void *from, float *to) {
    const size_t element = nnrt__element_size(numbers->type);
    const OH_NN_ReturnCode code = nnrt__numbers_check(numbers, from, to);
    const uint8_t *at = (const uint8_t *)from;
    size_t n, c;
    if (code != OH_NN_SUCCESS || numbers->inner == 0) return code;
    for (n = 0; n < numbers->outer; n++)
        for (c = 0; c < numbers->channels; c++, at += numbers->inner * element, to += numbers->inner)
            nnrt__numbers_dequantize(numbers, c, at, to, numbers->inner);
    return OH_NN_SUCCESS;
}

NNRT__FN nnrt__numbers nnrt__numbers_of(const char *function, OH_NN_DataType type, size_t outer, size_t channels,
                                        size_t inner, const double *scales, const int32_t *zero_points) {
    nnrt__numbers numbers;
    numbers.function = function;
    numbers.type = type;
    numbers.outer = outer;
    numbers.channels = channels;
    numbers.inner = inner;
    numbers.scales = scales;
    numbers.zero_points = zero_points;
    return numbers;
}

NNRT_API OH_NN_ReturnCode nnrt_quantize(const float *from, size_t count, OH_NN_DataType type, double scale,
                                        int32_t zero_point, void *to) {
    const nnrt__numbers numbers = nnrt__numbers_of("nnrt_quantize", type, 1, 1, count, &scale, &zero_point);
    return nnrt__numbers_quantize_all(&numbers, from, to);
}

NNRT_API OH_NN_ReturnCode nnrt_dequantize(const void *from, size_t count, OH_NN_DataType type, double scale,
                                          int32_t zero_point, float *to) {
    const nnrt__numbers numbers = nnrt__numbers_of("nnrt_dequantize", type, 1, 1, count, &scale, &zero_point);
    return nnrt__numbers_dequantize_all(&numbers, from, to);
}

NNRT_API OH_NN_ReturnCode nnrt_quantize_channels(const float *from, size_t outer, size_t channels, size_t inner,
                                                 OH_NN_DataType type, const double *scales, const int32_t *zero_points,
                                                 void *to) {
    const nnrt__numbers numbers =
        nnrt__numbers_of("nnrt_quantize_channels", type, outer, channels, inner, scales, zero_points);
    return nnrt__numbers_quantize_all(&numbers, from, to);
}

NNRT_API OH_NN_ReturnCode nnrt_dequantize_channels(const void *from, size_t outer, size_t channels, size_t inner,
                                                   OH_NN_DataType type, const double *scales,
                                                   const int32_t *zero_points, float *to) {
    const nnrt__numbers numbers =
        nnrt__numbers_of("nnrt_dequantize_channels", type, outer, channels, inner, scales, zero_points);
    return nnrt__numbers_dequantize_all(&numbers, from, to);
}

#endif /* NNRT_DATA_NUMBERS_H */
