/* SPDX-License-Identifier: Apache-2.0 */
/* detection/softmax.h - softmax along an axis of a view, and of rows that are never written.   >>detection_softmax */
#ifndef NNRT_DETECTION_SOFTMAX_H
#define NNRT_DETECTION_SOFTMAX_H

#include "view.h"

/* What makes a softmax of one row: value i is expf(x - largest) / sum. */
typedef struct nnrt__softmax_row {
    float largest, sum;
} nnrt__softmax_row;

/* count >= 1 values, stride elements apart. A NaN among them makes the sum NaN. */
NNRT__FN nnrt__softmax_row nnrt__softmax_of(const float *values, size_t count, size_t stride) {
    nnrt__softmax_row row = {values[0], 0.0f};
    size_t i;
    NNRT_ASSERT(count >= 1);
    for (i = 1; i < count; i++) row.largest = values[i * stride] > row.largest ? values[i * stride] : row.largest;
    for (i = 0; i < count; i++) row.sum += expf(values[i * stride] - row.largest);
    return row;
}

NNRT__FN float nnrt__softmax_value(const nnrt__softmax_row *row, float x) { return expf(x - row->largest) / row->sum; }

NNRT_API OH_NN_ReturnCode nnrt_detection_softmax(const nnrt_tensor_view *from, nnrt_view_axis axis, float *to) {
    uint32_t counts[3];
    size_t strides[3], i, j, k;
    const OH_NN_ReturnCode code = nnrt__view_check(from, "from");
    if (code != OH_NN_SUCCESS) return code;
    if (to == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "to is NULL");
    if ((unsigned)axis > NNRT_AXIS_WIDTH) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "axis %u is none of the three", (unsigned)axis);
    }
    counts[0] = from->channels, counts[1] = from->height, counts[2] = from->width;
    strides[0] = from->channel_stride, strides[1] = from->row_stride, strides[2] = from->column_stride;
    /* the axis becomes the last one */
    k = (size_t)axis;
    i = counts[k], counts[k] = counts[2], counts[2] = (uint32_t)i;
    i = strides[k], strides[k] = strides[2], strides[2] = i;
    for (i = 0; i < counts[0]; i++) {
        for (j = 0; j < counts[1]; j++) {
            const size_t at = i * strides[0] + j * strides[1];
            const nnrt__softmax_row row = nnrt__softmax_of(from->data + at, counts[2], strides[2]);
            for (k = 0; k < counts[2]; k++) {
                to[at + k * strides[2]] = nnrt__softmax_value(&row, from->data[at + k * strides[2]]);
            }
        }
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_SOFTMAX_H */
