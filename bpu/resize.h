/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/resize.h - the BPU scales pictures without a model; uses tensors, so it is above the core.   >>bpu_resize */
#ifndef NNRT_BPU_RESIZE_H
#define NNRT_BPU_RESIZE_H

#include "../core/tensor.h"
#include "../nnrt_backend_bpu.h"
#include "resize_api.h"

/* One side of a resize. */
typedef struct nnrt__bpu_side {
    const nnrt_bpu_picture *picture;
    nnrt__npu_block *block;
    size_t offset, bytes; /* bytes: of all planes */
    uint64_t tensor[40];  /* the vendor's, of version 1 */
} nnrt__bpu_side;

NNRT__FN OH_NN_ReturnCode nnrt__bpu_take_side(nnrt__bpu_side *side, const nnrt_bpu_picture *picture, bool nv12,
                                              const char *what) {
    const uint64_t luma = (uint64_t)picture->pitch * picture->height, bytes = nv12 ? luma / 2 * 3 : luma;
    const nnrt__buffer *buffer = picture->tensor != NULL ? picture->tensor->buffer : NULL;
    memset(side, 0, sizeof(*side));
    if (buffer == NULL || !buffer->from_device || buffer->device->backend != &nnrt__bpu_backend)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_bpu_resize: the %s is no tensor of the BPU device", what);
    side->picture = picture;
    side->block = (nnrt__npu_block *)buffer->memory->handle;
    side->offset = (size_t)((const uint8_t *)buffer->data - side->block->data);
    side->bytes = (size_t)bytes;
    if (bytes <= buffer->size && (side->block->physical + side->offset) % 16 == 0) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "nnrt_bpu_resize: the %s has %llu bytes, from a multiple of 16 on, and its tensor %zu", what,
                      (unsigned long long)bytes, buffer->size);
}

/* The vendor's tensor of a side. */
NNRT__FN void nnrt__bpu_make_side(nnrt__bpu_side *side, const nnrt__bpu_layout *layout, bool nv12) {
    uint8_t *tensor = (uint8_t *)side->tensor, *properties = tensor + layout->properties;
    const int32_t type = nv12 ? NNRT__BPU_DNN_NV12 : NNRT__BPU_DNN_Y, order = NNRT__BPU_NCHW;
    const int32_t bytes = (int32_t)side->bytes;
    int32_t shape[NNRT__BPU_DNN_DIMS + 1] = {1, 1, 0, 0, 0, 0, 0, 0, 4};
    NNRT_ASSERT(layout->tensor_size <= sizeof(side->tensor) && side->bytes <= INT32_MAX);
    shape[1] = nv12 ? 3 : 1;
    shape[2] = (int32_t)side->picture->height;
    shape[3] = (int32_t)side->picture->width;
    memcpy(properties + layout->valid, shape, sizeof(shape));
    shape[3] = (int32_t)side->picture->pitch;
    memcpy(properties + layout->aligned, shape, sizeof(shape));
    memcpy(properties + layout->type, &type, sizeof(type));
    memcpy(properties + layout->order, &order, sizeof(order));
    memcpy(properties + layout->byte_size, &bytes, sizeof(bytes));
    nnrt__bpu_put_memory(layout, tensor, 0, side->block->physical + side->offset, side->block->data + side->offset,
                         side->bytes);
}

/* Waits until the task is over (*over), the deadline, or an unexpected code. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_wait_resize(nnrt__bpu_device *device, nnrt__bpu_handle task, uint32_t timeout_ms,
                                                bool *over) {
    const uint64_t begin = nnrt__now_ns();
    for (;;) {
        const uint64_t passed = (nnrt__now_ns() - begin) / 1000000u;
        int32_t vendor_code, patience = NNRT__BPU_WAIT_MS;
        if (timeout_ms != 0 && passed >= timeout_ms)
            return nnrt__fail(OH_NN_TIMEOUT, "nnrt_bpu_resize: the BPU did not finish in %u ms", (unsigned)timeout_ms);
        if (timeout_ms != 0 && timeout_ms - passed < (uint32_t)patience) patience = (int32_t)(timeout_ms - passed);
        vendor_code = device->library.api.wait(task, patience);
        *over = vendor_code == 0 || vendor_code == NNRT__BPU_RUN_FAILED;
        if (vendor_code == 0) return OH_NN_SUCCESS;
        if (vendor_code != NNRT__BPU_TIMEOUT) return nnrt__bpu_fail(vendor_code, "hbDNNWaitTaskDone");
    }
}

/* With a place. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_resize_task(nnrt__bpu_device *device, nnrt__bpu_side *source,
                                                const nnrt__bpu_region *region, nnrt__bpu_side *target,
                                                uint32_t timeout_ms) {
    nnrt__bpu_resize_control control;
    nnrt__bpu_handle task = NULL;
    int32_t vendor_code;
    bool over = false;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    memset(&control, 0, sizeof(control));
    if (source->block->cached) code = nnrt__bpu_flush(source->block, source->offset, source->bytes, NNRT__BPU_CLEAN);
    if (code == OH_NN_SUCCESS && target->block->cached)
        code = nnrt__bpu_flush(target->block, target->offset, target->bytes, NNRT__BPU_CLEAN);
    if (code != OH_NN_SUCCESS) return code;
    vendor_code = device->library.api.resize(&task, target->tensor, source->tensor, region, &control);
    if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, "hbDNNResize");
    code = nnrt__bpu_wait_resize(device, task, timeout_ms, &over);
    if (!over) { /* there is no way to learn when the memory is free */
        nnrt__bpu_lose(source->block);
        nnrt__bpu_lose(target->block);
    } else if (code == OH_NN_SUCCESS && target->block->cached) {
        code = nnrt__bpu_flush(target->block, target->offset, target->bytes, NNRT__BPU_INVALIDATE);
    }
    (void)device->library.api.release_task(task);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_bpu_resize(nnrt_bpu_pixels pixels, const nnrt_bpu_picture *source,
                                          const nnrt_bpu_region *region, const nnrt_bpu_picture *target,
                                          uint32_t timeout_ms) {
    const bool nv12 = pixels == NNRT_BPU_PIXELS_NV12;
    nnrt__bpu_side from, to;
    nnrt__bpu_frame from_frame, to_frame;
    nnrt__bpu_region part;
    nnrt__bpu_device *device;
    nnrt__bpu_waiting turn;
    OH_NN_ReturnCode code;
    if (source == NULL || target == NULL || (!nv12 && pixels != NNRT_BPU_PIXELS_Y))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_bpu_resize: %s",
                          source == NULL || target == NULL ? "a picture is NULL" : "pixels are Y or NV12");
    from_frame.width = source->width;
    from_frame.height = source->height;
    from_frame.pitch = source->pitch;
    to_frame.width = target->width;
    to_frame.height = target->height;
    to_frame.pitch = target->pitch;
    part.left = region != NULL ? region->left : 0;
    part.top = region != NULL ? region->top : 0;
    part.right = region != NULL ? region->right : (int32_t)source->width - 1;
    part.bottom = region != NULL ? region->bottom : (int32_t)source->height - 1;
    code = nnrt__bpu_check_resize(nv12, &from_frame, &part, &to_frame);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_take_side(&from, source, nv12, "source");
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_take_side(&to, target, nv12, "target");
    if (code == OH_NN_SUCCESS && from.block == to.block)
        code = nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_bpu_resize: source and target are one tensor");
    if (code != OH_NN_SUCCESS) return code;
    device = (nnrt__bpu_device *)from.block->device;
    if (device->library.layout->is_ucp || device->library.api.resize == NULL)
        return nnrt__fail(
            OH_NN_UNSUPPORTED,
            "%.80s is version %.30s and has no hbDNNResize, which 1.6 to 1.22 have: give regions to a model "
            "with a resizer",
            device->library.name, device->library.version);
    nnrt__bpu_make_side(&from, device->library.layout, nv12);
    nnrt__bpu_make_side(&to, device->library.layout, nv12);
    memset(&turn, 0, sizeof(turn));
    (void)nnrt__bpu_take_place(device, &turn); /* nobody gives it up */
    code = nnrt__bpu_resize_task(device, &from, &part, &to, timeout_ms);
    nnrt__bpu_give_place(device);
    return code;
}

#endif /* NNRT_BPU_RESIZE_H */
