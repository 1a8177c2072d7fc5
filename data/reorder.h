/* SPDX-License-Identifier: Apache-2.0 */
/* data/reorder.h - nnrt_convert_layout(), by what converts a program's tensors to an NPU's.   >>data_reorder */
#ifndef NNRT_DATA_REORDER_H
#define NNRT_DATA_REORDER_H

#include "../core/error.h"
#include "../npu/layout.h"
#include "api.h"

/* layout as npu/layout.h has it. name: "from" or "to", for the sentence. */
NNRT__FN OH_NN_ReturnCode nnrt__reorder_take(const char *function, const char *name, const nnrt_layout *layout,
                                             nnrt__tensor_layout *taken, uint32_t *bytes) {
    if (layout == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is NULL", function, name);
    memset(taken, 0, sizeof(*taken));
    taken->order = (nnrt__tensor_order)layout->order;
    taken->type = layout->type;
    taken->n = layout->batches;
    taken->c = layout->channels;
    taken->h = layout->height;
    taken->w = layout->width;
    taken->w_stride = layout->row_stride != 0 ? layout->row_stride : layout->width;
    taken->h_stride = layout->row_count != 0 ? layout->row_count : layout->height;
    if (layout->order == NNRT_ORDER_NC1HWC2 && layout->block != 0) {
        taken->c2 = layout->block;
        taken->c1 = layout->channels / layout->block + (layout->channels % layout->block != 0 ? 1 : 0);
    }
    if (nnrt__layout_size(taken, bytes)) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "%s: %s is no layout: order %d, %s, %u x %u channels x %u x %u, rows of %u, %u of them, block %u",
                      function, name, (int)layout->order, nnrt__dtype_name(layout->type), (unsigned)layout->batches,
                      (unsigned)layout->channels, (unsigned)layout->height, (unsigned)layout->width,
                      (unsigned)taken->w_stride, (unsigned)taken->h_stride, (unsigned)layout->block);
}

NNRT_API OH_NN_ReturnCode nnrt_layout_size(const nnrt_layout *layout, size_t *bytes) {
    nnrt__tensor_layout taken;
    uint32_t size = 0;
    OH_NN_ReturnCode code;
    if (bytes == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_layout_size: bytes is NULL");
    code = nnrt__reorder_take("nnrt_layout_size", "layout", layout, &taken, &size);
    if (code == OH_NN_SUCCESS) *bytes = size;
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_convert_layout(const nnrt_layout *from_layout, const void *from, size_t from_size,
                                              const nnrt_layout *to_layout, void *to, size_t to_size) {
    static const char function[] = "nnrt_convert_layout";
    nnrt__tensor_layout source, destination;
    uint32_t from_bytes = 0, to_bytes = 0;
    OH_NN_ReturnCode code = nnrt__reorder_take(function, "from_layout", from_layout, &source, &from_bytes);
    if (code == OH_NN_SUCCESS) code = nnrt__reorder_take(function, "to_layout", to_layout, &destination, &to_bytes);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__layout_convertible(&source, &destination) || source.type != destination.type)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the layouts differ in type, batches, channels, height or width",
                          function);
    if (from == NULL || to == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is NULL", function, from == NULL ? "from" : "to");
    if (from_size < from_bytes || to_size < to_bytes)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s has %zu bytes, its layout takes %u", function,
                          from_size < from_bytes ? "from" : "to", from_size < from_bytes ? from_size : to_size,
                          (unsigned)(from_size < from_bytes ? from_bytes : to_bytes));
    (void)nnrt__layout_convert(&source, from, &destination, to);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DATA_REORDER_H */
