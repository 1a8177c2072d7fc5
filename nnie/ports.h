/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/ports.h - inputs and outputs of a model, as the program and as the engine see them.   >>nnie_ports

     engine                 program, by default                      and by config
     U8, 3 planes B G R     uint8 [N,H,W,3], B first                 nnie.pixels rgb, planar
     U8, 1 plane            uint8 [N,H,W,1]                          planar: [N,1,H,W]
     YVU420SP, YVU422SP     uint8 [N,H*3/2,W] or [N,H*2,W], V first  nnie.pixels nv12: U first
     S32                    float32 [N,C,H,W]                        nnie.io_layout nhwc, nnie.io_float 0: int32
     VEC_S32                float32 [N,W]                            the same
     SEQ_S32                float32 [N,T,D], T at each run           nnie.steps, nnie.step_counts
     boxes                  float32 [boxes,4]
     behind boxes           N is the number of boxes
   nnie.io_layout native: [N,C,H,stride] of what the engine has, rows with their padding; int32 has 12 fraction bits. */
#ifndef NNRT_NNIE_PORTS_H
#define NNRT_NNIE_PORTS_H

#include "plan.h"

/* The layout of the value for the engine. */
NNRT__FN void nnrt__nnie_inside(const nnrt__nnie_value *value, nnrt__tensor_layout *layout) {
    const nnrt__nnie_node *node = &value->node;
    const bool picture = nnrt__nnie_is_picture(node->type);
    memset(layout, 0, sizeof(*layout));
    layout->order = NNRT__ORDER_NCHW;
    layout->type = picture ? OH_NN_UINT8 : OH_NN_INT32;
    layout->quant = picture ? NNRT__QUANT_NONE : NNRT__QUANT_FIXED_POINT;
    layout->fraction_bits = 12;
    layout->n = value->is_boxes ? 1 : value->rows;
    layout->c = node->channels;
    layout->h = layout->h_stride = node->height;
    layout->w = node->width;
    layout->w_stride = picture ? value->stride : value->stride / 4;
}

NNRT__FN void nnrt__nnie_set_desc(nnrt_io_desc *desc, OH_NN_DataType dtype, OH_NN_Format format, uint32_t rank,
                                  const uint32_t *dims) {
    uint32_t i;
    desc->dtype = dtype;
    desc->format = format;
    desc->rank = rank;
    for (i = 0; i < rank; i++) desc->dims[i] = (int32_t)dims[i];
}

/* The engine's own bytes, rows with their padding. */
NNRT__FN void nnrt__nnie_describe_native(const nnrt__nnie_value *value, nnrt__nnie_port *port) {
    const nnrt__nnie_node *node = &value->node;
    uint32_t dims[4];
    nnrt__nnie_inside(value, &port->inside);
    dims[0] = port->inside.n;
    dims[1] = node->channels;
    dims[2] = node->height;
    dims[3] = port->inside.w_stride;
    if (node->type == NNRT__NNIE_YVU420SP || node->type == NNRT__NNIE_YVU422SP) {
        dims[1] = 1;
        dims[2] = (uint32_t)nnrt__nnie_frame_rows(node);
    }
    port->inside.c = dims[1];
    port->inside.h = port->inside.h_stride = dims[2];
    port->inside.w = dims[3];
    port->outside = port->inside;
    nnrt__nnie_set_desc(&port->desc, port->inside.type, OH_NN_FORMAT_NCHW, 4, dims);
    if (port->inside.type == OH_NN_INT32) port->desc.scale = 1.0 / NNRT__NNIE_ONE;
}

/* Pictures of chroma pairs: rows. */
NNRT__FN void nnrt__nnie_describe_chroma(const nnrt__nnie_options *options, const nnrt__nnie_value *value,
                                         nnrt__nnie_port *port) {
    uint32_t dims[3];
    dims[0] = value->rows;
    dims[1] = (uint32_t)nnrt__nnie_frame_rows(&value->node);
    dims[2] = value->node.width;
    port->kind = NNRT__NNIE_PORT_CHROMA;
    port->swap = options->pixels == NNRT__NNIE_PIXELS_NV12;
    nnrt__nnie_set_desc(&port->desc, OH_NN_UINT8, OH_NN_FORMAT_NONE, 3, dims);
    port->direct = !port->swap && value->stride == dims[2];
}

NNRT__FN void nnrt__nnie_describe_picture(const nnrt__nnie_options *options, const nnrt__nnie_value *value,
                                          nnrt__nnie_port *port) {
    const bool planar = options->pixels == NNRT__NNIE_PIXELS_PLANAR;
    nnrt__tensor_layout *outside = &port->outside;
    uint32_t dims[4];
    nnrt__nnie_inside(value, &port->inside);
    *outside = port->inside;
    outside->order = planar ? NNRT__ORDER_NCHW : NNRT__ORDER_NHWC;
    outside->w_stride = outside->w;
    dims[0] = outside->n;
    dims[1] = planar ? outside->c : outside->h;
    dims[2] = planar ? outside->h : outside->w;
    dims[3] = planar ? outside->w : outside->c;
    if (options->pixels == NNRT__NNIE_PIXELS_RGB && outside->c == 3) port->kind = NNRT__NNIE_PORT_RGB;
    nnrt__nnie_set_desc(&port->desc, OH_NN_UINT8, planar ? OH_NN_FORMAT_NCHW : OH_NN_FORMAT_NHWC, 4, dims);
    port->direct = port->kind == NNRT__NNIE_PORT_TENSOR && nnrt__layout_same(outside, &port->inside);
}

/* Maps, vectors, boxes and sequences, which are numbers. */
NNRT__FN void nnrt__nnie_describe_numbers(const nnrt__nnie_prepared *model, const nnrt__nnie_value *value,
                                          nnrt__nnie_port *port) {
    const nnrt__nnie_options *options = &model->options;
    const OH_NN_DataType dtype = options->raw ? OH_NN_INT32 : OH_NN_FLOAT32;
    const bool nhwc = options->order == NNRT__NNIE_ORDER_NHWC;
    nnrt__tensor_layout *outside = &port->outside;
    uint32_t dims[4];
    nnrt__nnie_inside(value, &port->inside);
    *outside = port->inside;
    outside->type = dtype;
    outside->w_stride = outside->w;
    dims[0] = outside->n;
    if (value->is_boxes) {
        dims[0] = outside->h;
        dims[1] = 4;
        nnrt__nnie_set_desc(&port->desc, dtype, OH_NN_FORMAT_NONE, 2, dims);
    } else if (value->node.type == NNRT__NNIE_SEQ_S32) {
        port->kind = NNRT__NNIE_PORT_SEQUENCE;
        dims[0] = options->batch;
        dims[1] = model->max_steps;
        dims[2] = outside->w;
        nnrt__nnie_set_desc(&port->desc, dtype, OH_NN_FORMAT_NONE, 3, dims);
        if (options->steps == 0 && model->max_steps > 1) port->desc.dims[1] = -1;
    } else if (value->node.type == NNRT__NNIE_VEC_S32) {
        dims[1] = outside->w;
        nnrt__nnie_set_desc(&port->desc, dtype, OH_NN_FORMAT_NONE, 2, dims);
    } else {
        outside->order = nhwc ? NNRT__ORDER_NHWC : NNRT__ORDER_NCHW;
        dims[1] = nhwc ? outside->h : outside->c;
        dims[2] = nhwc ? outside->w : outside->h;
        dims[3] = nhwc ? outside->c : outside->w;
        nnrt__nnie_set_desc(&port->desc, dtype, nhwc ? OH_NN_FORMAT_NHWC : OH_NN_FORMAT_NCHW, 4, dims);
    }
    if (options->raw) port->desc.scale = 1.0 / NNRT__NNIE_ONE;
    port->direct = port->kind == NNRT__NNIE_PORT_TENSOR && nnrt__layout_same(outside, &port->inside);
}

/* What a layer made. */
NNRT__FN void nnrt__nnie_describe_reals(const nnrt__nnie_value *value, nnrt__nnie_port *port) {
    uint32_t dims[4];
    port->kind = NNRT__NNIE_PORT_REALS;
    dims[0] = value->n;
    dims[1] = value->c;
    dims[2] = value->h;
    dims[3] = value->w;
    if (value->c == 1 && value->h == 1) {
        dims[1] = value->w;
        nnrt__nnie_set_desc(&port->desc, OH_NN_FLOAT32, OH_NN_FORMAT_NONE, 2, dims);
    } else {
        nnrt__nnie_set_desc(&port->desc, OH_NN_FLOAT32, OH_NN_FORMAT_NCHW, 4, dims);
    }
}

/* Bytes of the program's tensor, with the most rows; 0: it takes 2 GiB or more. */
NNRT__FN uint32_t nnrt__nnie_outside_size(const nnrt_io_desc *desc) {
    uint64_t bytes = nnrt__element_size(desc->dtype);
    uint32_t i;
    for (i = 0; i < desc->rank && bytes <= INT32_MAX; i++) bytes *= (uint32_t)desc->dims[i];
    return bytes <= INT32_MAX ? (uint32_t)bytes : 0;
}

/* The next port of model, for its value; NNRT__NNIE_NONE: the numbers of steps. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_add_port(nnrt__nnie_prepared *model, nnrt__nnie_port *port, uint32_t index) {
    nnrt__nnie_value *value = index != NNRT__NNIE_NONE ? &model->values[index] : NULL;
    const nnrt__nnie_options *options = &model->options;
    NNRT_ASSERT(index == NNRT__NNIE_NONE || index < model->value_count);
    port->value = index;
    nnrt__format(port->name, sizeof(port->name), "%s", value != NULL ? value->name : "steps");
    port->desc.name = port->name;
    if (value == NULL) {
        port->kind = NNRT__NNIE_PORT_STEPS;
        nnrt__nnie_set_desc(&port->desc, OH_NN_INT32, OH_NN_FORMAT_NONE, 1, &options->batch);
    } else if (!value->has_blob) {
        nnrt__nnie_describe_reals(value, port);
    } else if (options->order == NNRT__NNIE_ORDER_NATIVE && !value->is_boxes &&
               value->node.type != NNRT__NNIE_SEQ_S32) {
        nnrt__nnie_describe_native(value, port);
        port->direct = true;
    } else if (value->node.type == NNRT__NNIE_U8) {
        nnrt__nnie_describe_picture(options, value, port);
    } else if (nnrt__nnie_is_picture(value->node.type)) {
        nnrt__nnie_describe_chroma(options, value, port);
    } else {
        nnrt__nnie_describe_numbers(model, value, port);
    }
    if (port->kind == NNRT__NNIE_PORT_SEQUENCE && port->desc.dims[1] < 0) {
        port->desc.dims[1] = (int32_t)model->max_steps;
        port->outside_size = nnrt__nnie_outside_size(&port->desc);
        port->desc.dims[1] = -1;
    } else {
        port->outside_size = nnrt__nnie_outside_size(&port->desc);
    }
    if (port->outside_size == 0)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" of the model takes 2 GiB or more", port->name);
    if (value != NULL && value->varies) port->desc.dims[0] = -1;
    if (value == NULL || !value->has_blob) return OH_NN_SUCCESS;
    if (value->offset != NNRT__NNIE_NONE) port->direct = false; /* others read it where it is */
    else if (!port->direct) value->offset = 0;
    return OH_NN_SUCCESS;
}

NNRT__FN bool nnrt__nnie_is_output(const nnrt__nnie_prepared *model, const nnrt__nnie_value *value) {
    if (!nnrt__nnie_is_made(value)) return false;
    return !value->used || (model->options.all_outputs && value->segment != NNRT__NNIE_NONE);
}

/* Refuses a config about pictures for a model without any. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_check_pixels(const nnrt__nnie_prepared *model) {
    static const char *const words[6] = {"model", "bgr", "rgb", "planar", "nv21", "nv12"};
    const nnrt__nnie_pixels pixels = model->options.pixels;
    const bool chroma = pixels == NNRT__NNIE_PIXELS_NV21 || pixels == NNRT__NNIE_PIXELS_NV12;
    uint32_t i;
    if (pixels == NNRT__NNIE_PIXELS_MODEL) return OH_NN_SUCCESS;
    for (i = 0; i < model->value_count; i++) {
        const nnrt__nnie_value *value = &model->values[i];
        const nnrt__nnie_blob_type type = value->node.type;
        if (!value->has_blob || !nnrt__nnie_is_picture(type)) continue;
        if ((type != NNRT__NNIE_U8) == chroma) return OH_NN_SUCCESS;
    }
    return nnrt__fail(OH_NN_FAILED, "nnie.pixels %s: the model has no input of %s pixels", words[(int)pixels],
                      chroma ? "YVU" : "U8");
}

/* Makes inputs and outputs of a planned model, and then places its values. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_plan_ports(nnrt__nnie_prepared *model) {
    uint32_t i, count = model->options.step_counts ? 1 : 0;
    OH_NN_ReturnCode code = nnrt__nnie_check_pixels(model);
    for (i = 0; i < model->value_count; i++)
        if (!nnrt__nnie_is_made(&model->values[i]) || nnrt__nnie_is_output(model, &model->values[i])) count++;
    model->ports = (nnrt__nnie_port *)nnrt__alloc_zero(count, sizeof(model->ports[0]));
    if (code == OH_NN_SUCCESS && model->ports == NULL) code = nnrt__fail_memory();
    for (i = 0; i < model->value_count && code == OH_NN_SUCCESS; i++)
        if (!nnrt__nnie_is_made(&model->values[i]))
            code = nnrt__nnie_add_port(model, &model->ports[model->npu.input_count++], i);
    if (model->options.step_counts && code == OH_NN_SUCCESS)
        code = nnrt__nnie_add_port(model, &model->ports[model->npu.input_count++], NNRT__NNIE_NONE);
    for (i = 0; i < model->value_count && code == OH_NN_SUCCESS; i++)
        if (nnrt__nnie_is_output(model, &model->values[i]))
            code = nnrt__nnie_add_port(model, &model->ports[model->npu.input_count + model->npu.output_count++], i);
    NNRT_ASSERT(model->npu.input_count + model->npu.output_count <= count);
    NNRT_ASSERT(code != OH_NN_SUCCESS || (model->npu.input_count != 0 && model->npu.output_count != 0));
    return code == OH_NN_SUCCESS ? nnrt__nnie_lay_out(model) : code;
}

#endif /* NNRT_NNIE_PORTS_H */
