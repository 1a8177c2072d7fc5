/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/ports.h - inputs and outputs of a model as the program sees them, and where the bytes of a run come
   from.   >>bpu_ports

     the library's tensor        program, by default             by config
     any                         its shape without gaps, its     bpu.io_float: float32 where numbers are quantized
                                 type                            bpu.io_raw: the board's bytes
     NV12 of X3, J5, X5          uint8 [N,H*3/2,W], U first      bpu.nv12 planes: two inputs, NAME_y uint8 [1,H,W,1] and
                                                                 NAME_uv uint8 [1,H/2,W/2,2], as UCP has them
     pictures                                                    bpu.pitch P: rows of P bytes, W becomes P
   bpu.batch B: the first dimension is B times as large, and B runs are one task. roi.h: models that take regions. */
#ifndef NNRT_BPU_PORTS_H
#define NNRT_BPU_PORTS_H

#include "config.h"
#include "convert.h"

/* Alignment of the runs of a batch, so that separately flushed parts share no cache line. */
#define NNRT__BPU_PART 64u

/* Whether the value is a picture whose row stride the program can choose. With UCP open strides show it. */
NNRT__FN bool nnrt__bpu_is_picture(const nnrt__bpu_layout *layout, const nnrt__bpu_value *value) {
    const nnrt__bpu_tensor *tensor = &value->tensor;
    int64_t strides[NNRT__BPU_MAX_DIMS];
    if (!layout->is_ucp) return tensor->element == NNRT__BPU_Y || nnrt__bpu_is_nv12(tensor->element);
    if (tensor->element != NNRT__BPU_U8 || tensor->rank != 4 || tensor->is_dynamic) return false;
    nnrt__bpu_read_strides(layout, value->properties, strides);
    return (tensor->dims[3] == 1 || tensor->dims[3] == 2) && strides[1] == -1;
}

/* Rows of pitch bytes for the picture. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_set_pitch(const nnrt__bpu_device *device, uint32_t pitch, const char *name,
                                              nnrt__bpu_tensor *tensor) {
    const bool is_ucp = device->library.layout->is_ucp != 0;
    const uint32_t h = is_ucp || tensor->order == NNRT__BPU_NHWC ? 1 : 2;
    const uint32_t width = (uint32_t)(tensor->dims[h + 1] * (is_ucp ? tensor->dims[3] : 1));
    uint64_t size = (uint64_t)pitch * (uint32_t)tensor->dims[0];
    if (pitch < width || pitch % device->row_alignment != 0)
        return nnrt__fail(OH_NN_FAILED, "bpu.pitch is %u; \"%.40s\" needs %u or more, a multiple of %u",
                          (unsigned)pitch, name, (unsigned)width, (unsigned)device->row_alignment);
    if (!is_ucp) {
        tensor->aligned[h + 1] = (int32_t)pitch;
        nnrt__bpu_dense_strides(tensor, tensor->aligned, tensor->strides);
        size *= (uint32_t)tensor->aligned[h];
        if (tensor->element != NNRT__BPU_Y) size = size / 2 * 3;
    } else {
        tensor->strides[1] = pitch;
        tensor->strides[0] = (int64_t)pitch * tensor->dims[1];
        size *= (uint32_t)tensor->dims[1];
    }
    if (size > INT32_MAX) return nnrt__fail(OH_NN_FAILED, "\"%.40s\" takes 2 GiB or more", name);
    tensor->size = (int64_t)size;
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__bpu_set_dims(nnrt_io_desc *desc, int32_t n, int32_t h, int32_t w, int32_t c) {
    desc->dtype = OH_NN_UINT8;
    desc->format = OH_NN_FORMAT_NHWC;
    desc->rank = 4;
    desc->dims[0] = n;
    desc->dims[1] = h;
    desc->dims[2] = w;
    desc->dims[3] = c;
}

/* A plane of NV12 in a memory of its own. */
NNRT__FN void nnrt__bpu_describe_plane(const nnrt__bpu_tensor *tensor, bool pitched, nnrt__bpu_port *port) {
    nnrt__bpu_nv12 picture;
    int32_t width;
    nnrt__bpu_nv12_of(tensor, &picture);
    width = (int32_t)(pitched ? picture.pitch : picture.width);
    if (port->part == NNRT__BPU_LUMA) nnrt__bpu_set_dims(&port->desc, 1, (int32_t)picture.height, width, 1);
    else nnrt__bpu_set_dims(&port->desc, 1, (int32_t)picture.height / 2, width / 2, 2);
    port->direct = (uint32_t)width == picture.pitch && picture.rows == picture.height;
    port->outside_size = (uint32_t)width * picture.height / (port->part == NNRT__BPU_LUMA ? 1 : 2);
}

/* The whole tensor. */
NNRT__FN void nnrt__bpu_describe_port(const nnrt__bpu_tensor *tensor, bool pitched, nnrt__bpu_port *port) {
    nnrt__bpu_describe_form(tensor, port->form, &port->desc);
    if (tensor->is_dynamic) return;
    port->direct = nnrt__bpu_is_direct(tensor, port->form);
    port->outside_size = nnrt__bpu_form_size(tensor, port->form);
    if (pitched && tensor->is_ucp) /* rows of luma, or of pairs */
        nnrt__bpu_set_dims(&port->desc, tensor->dims[0], tensor->dims[1], (int32_t)tensor->strides[1] / tensor->dims[3],
                           tensor->dims[3]);
}

/* Bytes on the board of one run of port, with the shape of tensor. */
NNRT__FN size_t nnrt__bpu_part_size(const nnrt__bpu_port *port, const nnrt__bpu_tensor *tensor) {
    NNRT_ASSERT(!tensor->is_dynamic && tensor->size > 0 && port->part != NNRT__BPU_REGIONS);
    if (port->part == NNRT__BPU_ALL) return (size_t)tensor->size;
    return nnrt__bpu_luma_size(tensor) / (port->part == NNRT__BPU_LUMA ? 1 : 2);
}

/* From one run of a batch to the next. */
NNRT__FN size_t nnrt__bpu_part_step(const nnrt__bpu_port *port, const nnrt__bpu_tensor *tensor) {
    return (size_t)nnrt__bpu_round_up((int64_t)nnrt__bpu_part_size(port, tensor), NNRT__BPU_PART);
}

/* Whether all regions of a run share the port's memory: the picture that they are cut out of. */
NNRT__FN bool nnrt__bpu_is_shared(const nnrt__bpu_model *model, const nnrt__bpu_port *port) {
    return model->values[port->value].resized && port->part == NNRT__BPU_ALL;
}

/* Adds an undescribed port to model. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_new_port(nnrt__bpu_model *model, uint32_t value, const char *name,
                                             const char *suffix, nnrt__bpu_part part, nnrt__bpu_port **made) {
    nnrt__bpu_port *port = &model->ports[model->npu.input_count + model->npu.output_count];
    NNRT_ASSERT(value < model->value_inputs + model->value_outputs);
    NNRT_ASSERT(model->npu.input_count + model->npu.output_count < 2 * model->value_inputs + model->value_outputs);
    NNRT_ASSERT(value >= model->value_inputs || model->npu.output_count == 0); /* inputs come first */
    const size_t size = strlen(name) + strlen(suffix) + 1;
    port->name = (char *)nnrt__alloc(size);
    if (port->name == NULL) return nnrt__fail_memory();
    nnrt__format(port->name, size, "%s%s", name, suffix);
    port->desc.name = port->name;
    port->value = value;
    port->part = part;
    if (value < model->value_inputs) model->npu.input_count++;
    else model->npu.output_count++;
    *made = port;
    return OH_NN_SUCCESS;
}

/* The next port of model. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_add_port(nnrt__bpu_model *model, uint32_t value, const char *name,
                                             const char *suffix, nnrt__bpu_part part, bool pitched) {
    const nnrt__bpu_tensor *tensor = &model->values[value].tensor;
    const uint32_t batch = model->options.batch;
    nnrt__bpu_port *port;
    const OH_NN_ReturnCode code = nnrt__bpu_new_port(model, value, name, suffix, part, &port);
    if (code != OH_NN_SUCCESS) return code;
    port->form = pitched ? NNRT__BPU_FORM_RAW : model->form;
    if (part == NNRT__BPU_ALL) nnrt__bpu_describe_port(tensor, pitched, port);
    else nnrt__bpu_describe_plane(tensor, pitched, port);
    if (tensor->is_dynamic) return OH_NN_SUCCESS;
    if (port->outside_size == 0 || (uint64_t)port->outside_size * batch > INT32_MAX ||
        (uint64_t)nnrt__bpu_part_step(port, tensor) * batch > INT32_MAX)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" takes 2 GiB or more", port->name);
    port->unit = port->desc.dims[0];
    if (model->resized != 0) port->desc.dims[0] = -1;
    if (batch == 1) return OH_NN_SUCCESS;
    port->desc.dims[0] *= (int32_t)batch; /* below outside_size * batch */
    port->direct = port->direct && port->outside_size == nnrt__bpu_part_step(port, tensor);
    return OH_NN_SUCCESS;
}

/* All ports of a value called name. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_add_ports(nnrt__bpu_model *model, uint32_t index, const char *name) {
    const nnrt__bpu_layout *layout = model->device->library.layout;
    nnrt__bpu_value *value = &model->values[index];
    const bool input = index < model->value_inputs;
    const bool pitched = model->options.pitch != 0 && input && nnrt__bpu_is_picture(layout, value);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (value->tensor.is_dynamic) model->is_dynamic = true;
    if (value->tensor.is_dynamic && model->options.batch != 1)
        return nnrt__fail(OH_NN_FAILED, "bpu.batch: the model has dynamic shapes, which take a batch as their own");
    if (pitched) code = nnrt__bpu_set_pitch(model->device, model->options.pitch, name, &value->tensor);
    if (code != OH_NN_SUCCESS) return code;
    if (!model->options.planes || !input || !nnrt__bpu_is_nv12(value->tensor.element))
        return nnrt__bpu_add_port(model, index, name, "", NNRT__BPU_ALL, pitched);
    if (value->tensor.dims[0] != 1)
        return nnrt__fail(OH_NN_FAILED, "bpu.nv12 planes: \"%.40s\" has %d pictures, and planes of one are possible",
                          name, (int)value->tensor.dims[0]);
    value->tensor.element = NNRT__BPU_NV12_SEPARATE;
    code = nnrt__bpu_add_port(model, index, name, "_y", NNRT__BPU_LUMA, pitched);
    return code == OH_NN_SUCCESS ? nnrt__bpu_add_port(model, index, name, "_uv", NNRT__BPU_CHROMA, pitched) : code;
}

#endif /* NNRT_BPU_PORTS_H */
