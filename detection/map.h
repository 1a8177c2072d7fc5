/* SPDX-License-Identifier: Apache-2.0 */
/* detection/map.h - maps of any type: checks, parts, and the search for elements that may be above a
   threshold.   >>detection_map */
#ifndef NNRT_DETECTION_MAP_H
#define NNRT_DETECTION_MAP_H

#include "../data/reorder.h"
#include "../kernels/float16.h"
#include "../kernels/internal.h"
#include "heads_api.h"
#include "view.h"
#if NNRT__HAVE_NEON
#include "map_neon.h"
#endif

/* -------------------------------------------------------------------------------------------------- checks */

/* The range of an integer type; false: maps cannot have this type. */
NNRT__FN bool nnrt__map_range(OH_NN_DataType type, int32_t *low, int32_t *high) {
    *low = type == OH_NN_INT8 ? -128 : type == OH_NN_UINT8 ? 0 : -32768;
    *high = type == OH_NN_INT8 ? 127 : type == OH_NN_UINT8 ? 255 : 32767;
    return type == OH_NN_INT8 || type == OH_NN_UINT8 || type == OH_NN_INT16;
}

/* what: its name, for the sentence. */
NNRT__FN OH_NN_ReturnCode nnrt__map_check(const nnrt_map *map, const char *what) {
    nnrt_tensor_view view; /* the same shape, as the check reads no elements */
    int32_t low, high;
    if (map == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: no data", what);
    if (!nnrt__map_range(map->type, &low, &high)) {
        if (map->type != OH_NN_FLOAT16 && map->type != OH_NN_FLOAT32)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is not int8, uint8, int16, float16 or float32", what,
                              nnrt__dtype_name(map->type));
    } else if (!nnrt__positive(map->scale) || map->zero_point < low || map->zero_point > high) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the scale is not positive, or zero point %d is no %s", what,
                          (int)map->zero_point, nnrt__dtype_name(map->type));
    }
    view.data = (const float *)map->data;
    view.size = map->size;
    view.channels = map->channels;
    view.height = map->height;
    view.width = map->width;
    view.channel_stride = map->channel_stride;
    view.row_stride = map->row_stride;
    view.column_stride = map->column_stride;
    return nnrt__view_check(&view, what);
}

NNRT_API OH_NN_ReturnCode nnrt_map_of(const nnrt_layout *layout, const void *data, size_t data_size, double scale,
                                      int32_t zero_point, nnrt_map *map) {
    static const char function[] = "nnrt_map_of";
    nnrt__tensor_layout taken;
    nnrt_map made;
    uint32_t bytes = 0;
    OH_NN_ReturnCode code = nnrt__reorder_take(function, "layout", layout, &taken, &bytes);
    if (code != OH_NN_SUCCESS) return code;
    if (map == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: map is NULL", function);
    if (layout->batches != 1 || (layout->order != NNRT_ORDER_NCHW && layout->order != NNRT_ORDER_NHWC))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a map is one batch in NCHW or NHWC, not %u in order %d",
                          function, (unsigned)layout->batches, (int)layout->order);
    if (data_size < bytes)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: data has %zu bytes, its layout takes %u", function, data_size,
                          (unsigned)bytes);
    made.data = data;
    made.type = layout->type;
    made.scale = (float)scale;
    made.zero_point = zero_point;
    made.size = bytes / nnrt__element_size(layout->type);
    made.channels = layout->channels;
    made.height = layout->height;
    made.width = layout->width;
    made.column_stride = layout->order == NNRT_ORDER_NCHW ? 1 : layout->channels;
    made.row_stride = taken.w_stride * made.column_stride;
    made.channel_stride = layout->order == NNRT_ORDER_NCHW ? taken.h_stride * made.row_stride : 1;
    code = nnrt__map_check(&made, function);
    if (code == OH_NN_SUCCESS) *map = made;
    return code;
}

/* A part of a checked map, which begins skip elements after it and lies within it. */
NNRT__FN nnrt_map nnrt__map_from(const nnrt_map *map, size_t skip) {
    NNRT_ASSERT(skip < map->size);
    nnrt_map part = *map;
    part.data = (const uint8_t *)map->data + skip * nnrt__element_size(map->type);
    part.size -= skip;
    return part;
}

NNRT_API OH_NN_ReturnCode nnrt_map_channels(const nnrt_map *map, uint32_t first, uint32_t count, nnrt_map *part) {
    static const char function[] = "nnrt_map_channels";
    nnrt_map made;
    const OH_NN_ReturnCode code = nnrt__map_check(map, function);
    if (code != OH_NN_SUCCESS) return code;
    if (part == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: part is NULL", function);
    if (count == 0 || first >= map->channels || count > map->channels - first)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %u channels from %u on of a map of %u", function,
                          (unsigned)count, (unsigned)first, (unsigned)map->channels);
    made = nnrt__map_from(map, first * map->channel_stride);
    made.channels = count;
    *part = made;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_map_cells(const nnrt_map *map, uint32_t first, uint32_t height, uint32_t width,
                                         nnrt_map *part) {
    static const char function[] = "nnrt_map_cells";
    const uint64_t count = (uint64_t)height * width;
    nnrt_map made;
    const OH_NN_ReturnCode code = nnrt__map_check(map, function);
    if (code != OH_NN_SUCCESS) return code;
    if (part == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: part is NULL", function);
    if (map->height != 1 || count == 0 || first >= map->width || count > map->width - first)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %u x %u cells from %u on of %u rows of %u", function,
                          (unsigned)height, (unsigned)width, (unsigned)first, (unsigned)map->height,
                          (unsigned)map->width);
    made = nnrt__map_from(map, first * map->column_stride);
    made.height = height;
    made.width = width;
    made.row_stride = width * map->column_stride;
    *part = made;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------- elements */

NNRT__FN size_t nnrt__map_place(const nnrt_map *map, size_t channel, size_t row, size_t column) {
    NNRT_ASSERT(channel < map->channels && row < map->height && column < map->width);
    return channel * map->channel_stride + row * map->row_stride + column * map->column_stride;
}

/* Element number `at` as a real number. */
NNRT__FN float nnrt__map_real(const nnrt_map *map, size_t at) {
    switch ((int)map->type) {
    case OH_NN_INT8: return map->scale * (float)(((const int8_t *)map->data)[at] - map->zero_point);
    case OH_NN_UINT8: return map->scale * (float)(((const uint8_t *)map->data)[at] - map->zero_point);
    case OH_NN_INT16: return map->scale * (float)(((const int16_t *)map->data)[at] - map->zero_point);
    case OH_NN_FLOAT16: return nnrt__float16_to_float32(((const uint16_t *)map->data)[at]);
    default: return ((const float *)map->data)[at];
    }
}

NNRT__FN float nnrt__map_at(const nnrt_map *map, size_t channel, size_t row, size_t column) {
    return nnrt__map_real(map, nnrt__map_place(map, channel, row, column));
}

/* ---------------------------------------------------------------------------------------- above a threshold */

/* The least element of a map whose real number (for logits, its sigmoid) may be above a threshold: smaller ones are
   not, the others are checked exactly. */
typedef struct nnrt__map_least {
    int32_t integer; /* for integer types; the highest value + 1: none is above */
    float real;      /* of the others */
} nnrt__map_least;

NNRT__FN nnrt__map_least nnrt__map_least_of(const nnrt_map *map, bool logits, float threshold) {
    nnrt__map_least least = {0, threshold};
    int32_t low, high;
    if (logits && threshold >= 1.0f) least.real = INFINITY;
    if (logits && threshold <= 0.0f) least.real = -INFINITY;
    if (logits && threshold > 0.0f && threshold < 1.0f) {
        const float exact = logf(threshold / (1.0f - threshold));
        least.real = exact - 1e-3f * (1.0f + fabsf(exact)); /* far more than the errors of logf and expf */
    }
    if (!nnrt__map_range(map->type, &low, &high)) return least;
    high++;
    while (low < high) { /* the first one whose real number is not below */
        const int32_t middle = low + (high - low) / 2;
        if (map->scale * (float)(middle - map->zero_point) >= least.real) high = middle;
        else low = middle + 1;
    }
    least.integer = low;
    return least;
}

/* How many of count adjacent bytes can be skipped because they are below least. */
#if NNRT__HAVE_NEON
NNRT__FN uint32_t nnrt__map_skip(const uint8_t *data, uint32_t count, bool is_signed, int32_t least) {
    return nnrt__map_skip_neon(data, count, is_signed ? 0 : 0x80, (int8_t)(is_signed ? least : least - 128));
}
#else
NNRT__FN uint32_t nnrt__map_skip(const uint8_t *data, uint32_t count, bool is_signed, int32_t least) {
    (void)data;
    (void)count;
    (void)is_signed;
    (void)least;
    return 0;
}
#endif

/* Of bytes, which any stride may lead to. */
NNRT__FN uint32_t nnrt__map_next_byte(const uint8_t *data, bool is_signed, size_t stride, uint32_t i, uint32_t count,
                                      int32_t least) {
    const int8_t *as_signed = (const int8_t *)data;
    if (least > (is_signed ? 127 : 255)) return count;
    if (stride == 1) i += nnrt__map_skip(data + i, count - i, is_signed, least);
    if (is_signed)
        while (i < count && as_signed[i * stride] < least) i++;
    else
        while (i < count && data[i * stride] < least) i++;
    return i;
}

/* The first i below count whose element, number `at` + i * stride, reaches the least; count: none. */
NNRT__FN uint32_t nnrt__map_next(const nnrt_map *map, size_t at, size_t stride, uint32_t i, uint32_t count,
                                 const nnrt__map_least *least) {
    const int32_t integer = least->integer;
    const float real = least->real;
    NNRT_ASSERT(i <= count && (count == 0 || at + (count - 1) * stride < map->size));
    if (map->type == OH_NN_INT8 || map->type == OH_NN_UINT8) {
        i = nnrt__map_next_byte((const uint8_t *)map->data + at, map->type == OH_NN_INT8, stride, i, count, integer);
    } else if (map->type == OH_NN_INT16) {
        const int16_t *data = (const int16_t *)map->data + at;
        while (i < count && data[i * stride] < integer) i++;
    } else if (map->type == OH_NN_FLOAT16) {
        const uint16_t *data = (const uint16_t *)map->data + at;
        while (i < count && !(nnrt__float16_to_float32(data[i * stride]) >= real)) i++;
    } else {
        const float *data = (const float *)map->data + at;
        while (i < count && !(data[i * stride] >= real)) i++;
    }
    return i;
}

#endif /* NNRT_DETECTION_MAP_H */
