/* SPDX-License-Identifier: Apache-2.0 */
/* detection/view.h - checks views before they are read, and measures scratch before it is
   divided.   >>detection_view */
#ifndef NNRT_DETECTION_VIEW_H
#define NNRT_DETECTION_VIEW_H

#include "../core/error.h"
#include "api.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------- numbers */

/* Neither infinite nor NaN. */
NNRT__FN bool nnrt__finite(float x) { return x - x == 0.0f; }

NNRT__FN bool nnrt__positive(float x) { return x > 0.0f && nnrt__finite(x); }

NNRT__FN float nnrt__sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

NNRT__FN OH_NN_ReturnCode nnrt__check_threshold(float nms_threshold) {
    if (nms_threshold >= 0.0f && nms_threshold <= 1.0f) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "nms_threshold is an overlap from 0 to 1");
}

NNRT__FN OH_NN_ReturnCode nnrt__check_thresholds(float score_threshold, float nms_threshold) {
    if (nnrt__finite(score_threshold)) return nnrt__check_threshold(nms_threshold);
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "score_threshold is not finite");
}

NNRT__FN OH_NN_ReturnCode nnrt__check_image(float width, float height) {
    if (nnrt__positive(width) && nnrt__positive(height)) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "image_width and image_height are positive numbers of pixels");
}

/* --------------------------------------------------------------------------------------------------- views */

/* Adds the distance of the last of count elements from the first. */
NNRT__FN bool nnrt__view_reach(uint32_t count, size_t stride, size_t *reach) {
    size_t away;
    return nnrt__mul_size((size_t)count - 1, stride, &away) && nnrt__add_size(*reach, away, reach);
}

/* Refuses a view with elements outside its size. what: its name, for the sentence. */
NNRT__FN OH_NN_ReturnCode nnrt__view_check(const nnrt_tensor_view *view, const char *what) {
    size_t last = 0;
    if (view == NULL || view->data == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: no data", what);
    if (view->channels == 0 || view->height == 0 || view->width == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a view of %u channels, %u rows and %u columns is empty", what,
                          (unsigned)view->channels, (unsigned)view->height, (unsigned)view->width);
    }
    if (!nnrt__view_reach(view->channels, view->channel_stride, &last) ||
        !nnrt__view_reach(view->height, view->row_stride, &last) ||
        !nnrt__view_reach(view->width, view->column_stride, &last) || last >= view->size) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "%s: %u channels, %u rows and %u columns with strides of %zu, %zu and %zu reach past the %zu "
                          "elements of the view",
                          what, (unsigned)view->channels, (unsigned)view->height, (unsigned)view->width,
                          view->channel_stride, view->row_stride, view->column_stride, view->size);
    }
    return OH_NN_SUCCESS;
}

/* The same, and its shape. */
NNRT__FN OH_NN_ReturnCode nnrt__view_check_shape(const nnrt_tensor_view *view, const char *what, uint64_t channels,
                                                 uint32_t height, uint32_t width) {
    const OH_NN_ReturnCode code = nnrt__view_check(view, what);
    if (code != OH_NN_SUCCESS) return code;
    if (view->channels == channels && view->height == height && view->width == width) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "%s: %u channels, %u rows, %u columns, but the options make it %llu, %u, %u", what,
                      (unsigned)view->channels, (unsigned)view->height, (unsigned)view->width,
                      (unsigned long long)channels, (unsigned)height, (unsigned)width);
}

/* An element of a view that was checked. */
NNRT__FN float nnrt__view_at(const nnrt_tensor_view *view, size_t channel, size_t row, size_t column) {
    NNRT_ASSERT(channel < view->channels && row < view->height && column < view->width);
    return view->data[channel * view->channel_stride + row * view->row_stride + column * view->column_stride];
}

NNRT_API OH_NN_ReturnCode nnrt_tensor_view_nchw(const float *data, size_t size, uint32_t channels, uint32_t height,
                                                uint32_t width, size_t row_stride, nnrt_tensor_view *view) {
    nnrt_tensor_view made = {data, size, channels, height, width, 0, row_stride != 0 ? row_stride : width, 1};
    OH_NN_ReturnCode code;
    if (view == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "view is NULL");
    if (made.row_stride < width || !nnrt__mul_size(made.row_stride, height, &made.channel_stride)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "rows of %u elements cannot be %zu apart", (unsigned)width,
                          made.row_stride);
    }
    code = nnrt__view_check(&made, "view");
    if (code == OH_NN_SUCCESS) *view = made;
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_tensor_view_nhwc(const float *data, size_t size, uint32_t channels, uint32_t height,
                                                uint32_t width, size_t pixel_stride, nnrt_tensor_view *view) {
    nnrt_tensor_view made = {data, size, channels, height, width, 1, 0, pixel_stride != 0 ? pixel_stride : channels};
    OH_NN_ReturnCode code;
    if (view == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "view is NULL");
    if (made.column_stride < channels || !nnrt__mul_size(made.column_stride, width, &made.row_stride)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "pixels of %u elements cannot be %zu apart", (unsigned)channels,
                          made.column_stride);
    }
    code = nnrt__view_check(&made, "view");
    if (code == OH_NN_SUCCESS) *view = made;
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_detection_boxes(const nnrt_detection *detections, size_t count, nnrt_tensor_view *view) {
    const size_t floats = sizeof(nnrt_detection) / sizeof(float), first = offsetof(nnrt_detection, x0);
    if (detections == NULL || view == NULL || count == 0 || count > UINT32_MAX) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "a view of the corners of %zu detections", count);
    }
    view->data = (const float *)(const void *)((const uint8_t *)detections + first);
    view->size = count * floats - first / sizeof(float); /* the detections are in memory: their size fits */
    view->channels = 1;
    view->height = (uint32_t)count;
    view->width = 4;
    view->channel_stride = 0;
    view->row_stride = floats;
    view->column_stride = 1;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------- scratch

   One function of each layer divides its scratch into arrays. It is called twice: the first time without memory, only
   to measure. All arrays are of floats or 32-bit numbers, so one alignment fits all. */

typedef struct nnrt__carver {
    uint8_t *at; /* NULL: only measures */
    size_t used;
    bool fits; /* the size could be counted */
} nnrt__carver;

/* Room for count elements of size bytes, a multiple of 4. */
NNRT__FN void *nnrt__carve(nnrt__carver *carver, size_t count, size_t size) {
    uint8_t *here = carver->at;
    size_t bytes = 0;
    NNRT_ASSERT(size != 0 && size % sizeof(uint32_t) == 0);
    carver->fits =
        carver->fits && nnrt__mul_size(count, size, &bytes) && nnrt__add_size(carver->used, bytes, &carver->used);
    if (here == NULL || !carver->fits) return NULL;
    carver->at = here + bytes;
    return here;
}

/* For measuring; the result fits at any address. */
NNRT__FN nnrt__carver nnrt__carver_measures(void) {
    const nnrt__carver carver = {NULL, sizeof(uint32_t) - 1, true};
    return carver;
}

/* What was measured, for a ..._scratch function. */
NNRT__FN OH_NN_ReturnCode nnrt__carver_tell(const nnrt__carver *measured, size_t *bytes) {
    if (!measured->fits) return nnrt__fail(OH_NN_INVALID_PARAMETER, "the scratch for this shape has no size that fits");
    *bytes = measured->used;
    return OH_NN_SUCCESS;
}

/* For dividing size bytes at scratch from the first aligned address, if they are enough. */
NNRT__FN OH_NN_ReturnCode nnrt__carver_begin(const nnrt__carver *measured, void *scratch, size_t size,
                                             nnrt__carver *carver) {
    const size_t unit = sizeof(uint32_t);
    if (scratch == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "scratch is NULL");
    if (!measured->fits || size < measured->used) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "scratch has %zu bytes and needs %zu", size,
                          measured->fits ? measured->used : SIZE_MAX);
    }
    carver->at = (uint8_t *)scratch + (unit - (uintptr_t)scratch % unit) % unit;
    carver->used = 0;
    carver->fits = true;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_VIEW_H */
