/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/executor_general.h - running through the general API (rknn.api = general): the runtime copies.
   >>rknpu_executor_general

   rknn_inputs_set, rknn_run, rknn_outputs_get: the first-generation path, kept for models and boards that need it, and
   for comparing. The runtime converts between its native layouts and the logical tensors; io_layout and io_float are
   done here, with the same functions as on the zero-copy path, so that both give the same bytes. Tensors pass through
   buffers of the executor's own, which a call that was given up may still use. */
#ifndef NNRT_RKNPU_EXECUTOR_GENERAL_H
#define NNRT_RKNPU_EXECUTOR_GENERAL_H

#include "binding.h"
#include "../npu/layout.h"
#include "model_ports.h"

/* The runtime's layout of a port: its logical tensor without padding, or pixels. */
NNRT__FN void nnrt__rknpu_general_layout(const nnrt__rknpu_port *port, nnrt__tensor_layout *layout) {
    const nnrt_rknn_tensor_attr *attr = &port->attr;
    *layout = port->outside;
    layout->w_stride = layout->w;
    layout->h_stride = layout->h;
    layout->c1 = 0;
    layout->c2 = 0;
    layout->order = attr->fmt == NNRT_RKNN_NHWC && attr->n_dims == 4 ? NNRT__ORDER_NHWC : NNRT__ORDER_NCHW;
    if (port->inside.quant == NNRT__QUANT_NONE && attr->qnt_type != NNRT_RKNN_QNT_NONE &&
        port->inside.type == OH_NN_UINT8)
        layout->order = NNRT__ORDER_NHWC; /* pixels, rknn.input_type: quantized by the runtime */
    else if (port->inside.type == nnrt__rknpu_dtype(attr->type)) nnrt__rknpu_copy_type(layout, &port->inside);
    else nnrt__rknpu_take_type(layout, attr);
}

/* Prepares port i of the present shape: its layout, and a buffer for it. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_stage(nnrt__rknpu_executor *self, uint32_t i) {
    nnrt__rknpu_slot *slot = &self->slots[i];
    const nnrt__rknpu_port *port = &self->ports[i];
    uint32_t size = 0;
    nnrt__rknpu_general_layout(port, &slot->general);
    if (!nnrt__layout_size(&slot->general, &size) || size < port->attr.size ||
        !nnrt__layout_convertible(&port->outside, &slot->general))
        return nnrt__fail(OH_NN_UNSUPPORTED, "tensor \"%.60s\" cannot be run through the general API", port->attr.name);
    slot->general_size = size;
    if (slot->staging_size >= size) return OH_NN_SUCCESS;
    nnrt__free(slot->staging);
    slot->staging_size = 0;
    slot->staging = nnrt__alloc(size);
    if (slot->staging == NULL) return nnrt__fail_memory();
    slot->staging_size = size;
    return OH_NN_SUCCESS;
}

/* All ports are copied: the views under which dma-bufs are synchronised. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_copy_all(nnrt__rknpu_executor *self) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < self->npu.io_count && code == OH_NN_SUCCESS; i++) {
        self->slots[i].copied = true;
        code = nnrt__rknpu_look_at_foreign(self, i);
    }
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_inputs_set(void *argument) {
    const nnrt__rknpu_executor *self = (const nnrt__rknpu_executor *)argument;
    const int result = self->model->device->library.api.inputs_set(self->context->handle, self->model->npu.input_count,
                                                                   self->general_inputs);
    return result == NNRT_RKNN_SUCC ? OH_NN_SUCCESS : nnrt__rknpu_fail(result, "rknn_inputs_set");
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_set_inputs(nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = 0; i < self->model->npu.input_count; i++) {
        const nnrt__rknpu_slot *slot = &self->slots[i];
        nnrt_rknn_input *input = &self->general_inputs[i];
        memset(input, 0, sizeof(*input));
        input->index = i;
        input->buf = slot->staging;
        input->size = slot->general_size;
        input->type = nnrt__rknpu_vendor_type(slot->general.type);
        input->fmt = self->ports[i].attr.fmt;
        if (self->ports[i].attr.n_dims == 4)
            input->fmt = slot->general.order == NNRT__ORDER_NHWC ? NNRT_RKNN_NHWC : NNRT_RKNN_NCHW;
        self->npu.copied_in += nnrt__rknpu_move(self, i, &slot->general, self->npu.io[i].data, slot->staging);
    }
    return nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_inputs_set, self);
}

/* Outputs that were obtained are always released, or the runtime would leak them. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_outputs_get(void *argument) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)argument;
    const nnrt__rknn_api *api = &self->model->device->library.api;
    const uint32_t outputs = self->model->npu.output_count;
    nnrt_rknn_output_extend extend;
    int result;
    memset(&extend, 0, sizeof(extend));
    result = api->outputs_get(self->context->handle, outputs, self->general_outputs, &extend);
    if (result != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(result, "rknn_outputs_get");
    self->frame_id = extend.frame_id;
    result = api->outputs_release(self->context->handle, outputs, self->general_outputs);
    return result == NNRT_RKNN_SUCC ? OH_NN_SUCCESS : nnrt__rknpu_fail(result, "rknn_outputs_release");
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_get_outputs(nnrt__rknpu_executor *self) {
    const uint32_t inputs = self->model->npu.input_count, outputs = self->model->npu.output_count;
    OH_NN_ReturnCode code;
    uint32_t i;
    for (i = 0; i < outputs; i++) {
        const nnrt__rknpu_slot *slot = &self->slots[inputs + i];
        nnrt_rknn_output *output = &self->general_outputs[i];
        memset(output, 0, sizeof(*output));
        output->index = i;
        output->is_prealloc = 1;
        output->buf = slot->staging;
        output->size = slot->general_size;
    }
    code = nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_outputs_get, self);
    for (i = inputs; i < self->npu.io_count && code == OH_NN_SUCCESS; i++)
        self->npu.copied_out +=
            nnrt__rknpu_move(self, i, &self->slots[i].general, self->slots[i].staging, self->npu.io[i].data);
    return code;
}

/* The context is entered and has the shape of the run. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run_general(nnrt__rknpu_executor *self) {
    const uint32_t inputs = self->model->npu.input_count;
    uint64_t start = nnrt__now_ns(), loaded, computed;
    OH_NN_ReturnCode code = nnrt__rknpu_copy_all(self);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_sync_foreign(self, 0, inputs, NNRT_RKNN_SYNC_BIDIRECTIONAL);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_set_inputs(self);
    loaded = nnrt__now_ns();
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_run_again(self);
    computed = nnrt__now_ns();
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_get_outputs(self);
    if (code == OH_NN_SUCCESS)
        code = nnrt__rknpu_sync_foreign(self, inputs, self->npu.io_count, NNRT_RKNN_SYNC_TO_DEVICE);
    self->npu.times[0] = loaded - start;
    self->npu.times[1] = computed - loaded;
    self->npu.times[2] = nnrt__now_ns() - computed;
    return code;
}

#endif /* NNRT_RKNPU_EXECUTOR_GENERAL_H */
