/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_attr.c - attributes: a tensor and its layout as rknn_query describes them. As in the real library only
   what belongs to the answer is written: dimensions behind n_dims, the rest of the name and pass_through stay the
   caller's. */
#include "sim_rknn.h"

#include <string.h>

static uint32_t sim_rknn_round_up(uint32_t value, uint32_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

static void sim_rknn_attr_common(const sim_tensor *tensor, nnrt_rknn_tensor_attr *attr) {
    const size_t length = strlen(tensor->name);
    const size_t kept = length < sizeof(attr->name) ? length : sizeof(attr->name) - 1;
    memcpy(attr->name, tensor->name, kept);
    attr->name[kept] = 0;
    attr->type = sim_rknn_type(tensor->type);
    attr->qnt_type = tensor->quant == SIM_QUANT_AFFINE ? NNRT_RKNN_QNT_AFFINE
                     : tensor->quant == SIM_QUANT_DFP  ? NNRT_RKNN_QNT_DFP
                                                       : NNRT_RKNN_QNT_NONE;
    attr->fl = tensor->fl;
    attr->zp = tensor->zp;
    attr->scale = tensor->quant == SIM_QUANT_AFFINE ? tensor->scale : 1.0f;
    attr->w_stride = attr->h_stride = 0;
}

static void sim_rknn_attr_dims(nnrt_rknn_tensor_attr *attr, const uint32_t *dims, uint32_t count) {
    uint32_t i;
    attr->n_dims = count;
    attr->n_elems = 1;
    for (i = 0; i < count; ++i) {
        attr->dims[i] = dims[i];
        attr->n_elems *= dims[i];
    }
    attr->size = attr->n_elems * sim_rknn_type_bytes(attr->type);
}

static void sim_rknn_attr_nchw(const sim_tensor *tensor, nnrt_rknn_tensor_attr *attr) {
    const uint32_t dims[4] = {tensor->dims[0], tensor->dims[3], tensor->dims[1], tensor->dims[2]};
    attr->fmt = NNRT_RKNN_NCHW;
    sim_rknn_attr_dims(attr, dims, 4);
}

/* What librknnrt says beside the size of an output: whole blocks of channels, rows as those of images. */
static uint32_t sim_rknn_output_stride_bytes(const sim_rknn_chip *chip, const sim_tensor *tensor,
                                             const nnrt_rknn_tensor_attr *attr) {
    const uint32_t bytes = sim_rknn_type_bytes(attr->type), c2 = bytes == 1 ? chip->c2_8 : chip->c2_16;
    if (chip->mini || NNRT_SIM_VERSION < 0x010500 || tensor->rank < 4 || bytes > 2) return attr->size;
    return tensor->dims[0] * sim_rknn_round_up(tensor->dims[3], c2) * tensor->dims[1] *
           sim_rknn_round_up(tensor->dims[2], sim_rknn_column_align(chip, tensor)) * bytes;
}

void sim_rknn_attr_logical(const sim_rknn_chip *chip, const sim_tensor *tensor, bool output,
                           nnrt_rknn_tensor_attr *attr) {
    sim_rknn_layout native;
    sim_rknn_attr_common(tensor, attr);
    if (tensor->rank == 4 && output) {
        sim_rknn_attr_nchw(tensor, attr);
    } else {
        attr->fmt = tensor->rank == 4 ? NNRT_RKNN_NHWC : NNRT_RKNN_UNDEFINED;
        sim_rknn_attr_dims(attr, tensor->dims, tensor->rank);
    }
    if (output) {
        attr->size_with_stride = sim_rknn_output_stride_bytes(chip, tensor, attr);
        return;
    }
    sim_rknn_tensor_native(chip, tensor, false, &native);
    if (tensor->rank == 4) attr->w_stride = native.order == NNRT_RKNN_NHWC ? native.w_stride : native.w;
    attr->size_with_stride = (uint32_t)sim_rknn_layout_bytes(&native);
}

/* librknnrt 1.4.0 has rows and columns of NC1HWC2 in one. Its w_stride is 0, librknnmrt's the columns. */
static void sim_rknn_attr_blocks(const sim_rknn_layout *layout, nnrt_rknn_tensor_attr *attr) {
    const bool flat = !NNRT_SIM_MINI && NNRT_SIM_VERSION < 0x010500;
    const uint32_t dims[5] = {layout->n, layout->c1, flat ? 1 : layout->h,
                              flat ? layout->h * layout->w_stride : layout->w_stride, layout->c2};
    sim_rknn_attr_dims(attr, dims, 5);
    if (NNRT_SIM_MINI || layout->w_stride != layout->w) attr->w_stride = layout->w_stride;
}

void sim_rknn_attr_native(const sim_tensor *tensor, const sim_rknn_layout *layout, nnrt_rknn_tensor_attr *attr) {
    sim_rknn_attr_common(tensor, attr);
    attr->fmt = layout->order;
    if (layout->order == NNRT_RKNN_NCHW) sim_rknn_attr_nchw(tensor, attr);
    else if (layout->order == NNRT_RKNN_NC1HWC2) sim_rknn_attr_blocks(layout, attr);
    else sim_rknn_attr_dims(attr, tensor->dims, tensor->rank);
    if (layout->order == NNRT_RKNN_NHWC) attr->w_stride = layout->w_stride;
    attr->size_with_stride = (uint32_t)sim_rknn_layout_bytes(layout);
    if (layout->unit) /* padded: of the memory, not of n_elems */
        attr->size = attr->size_with_stride;
}

void sim_rknn_attr_dense(const sim_rknn_chip *chip, const sim_tensor *tensor, nnrt_rknn_tensor_attr *attr) {
    sim_rknn_layout native;
    uint32_t dims[4];
    sim_rknn_tensor_native(chip, tensor, true, &native);
    sim_rknn_attr_common(tensor, attr);
    memcpy(dims, tensor->dims, sizeof(dims));
    attr->fmt = tensor->rank == 4 ? NNRT_RKNN_NHWC : NNRT_RKNN_UNDEFINED;
    /* A mistake of librknnrt 1.5 on these chips, where the tensor has a block more than it needs. */
    if (chip->swapped_nhwc && NNRT_SIM_VERSION >= 0x010500 && NNRT_SIM_VERSION < 0x010600 &&
        native.order == NNRT_RKNN_NC1HWC2 && native.c <= native.c2)
        dims[3] = dims[2];
    sim_rknn_attr_dims(attr, dims, tensor->rank);
    attr->size_with_stride = attr->size;
    if (chip->mini && tensor->rank == 4) attr->size_with_stride = (uint32_t)sim_rknn_layout_bytes(&native);
    else if (!chip->mini && tensor->rank < 4 && sim_rknn_type_bytes(attr->type) == 1)
        attr->size_with_stride = sim_rknn_round_up(attr->size, 16);
}

void sim_rknn_attr_bound(const sim_rknn_port *port, const sim_tensor *tensor, bool output,
                         nnrt_rknn_tensor_attr *attr) {
    const sim_rknn_layout *l = &port->layout;
    const uint32_t pixels[5] = {l->n, 1, l->h, l->w, l->c}, flat[5] = {l->n, 1, 1, l->h * l->w, 16};
    if (NNRT_SIM_MINI || tensor->rank != 4) return;
    if (!output) {
        if (l->order != NNRT_RKNN_NHWC || l->type != NNRT_RKNN_UINT8) return;
        attr->type = l->type;
        if (NNRT_SIM_VERSION >= 0x010502) sim_rknn_attr_dims(attr, pixels, 5);
        return;
    }
    if (l->order == NNRT_RKNN_NCHW) {
        sim_rknn_attr_nchw(tensor, attr);
        attr->size_with_stride = attr->size;
        attr->w_stride = 0;
    } else if (l->order == NNRT_RKNN_NHWC && attr->fmt == NNRT_RKNN_NC1HWC2 && NNRT_SIM_VERSION >= 0x010600 &&
               l->c <= 16) {
        sim_rknn_attr_dims(attr, flat, 5);
        attr->size_with_stride = attr->size;
    } else if (l->order == NNRT_RKNN_NC1HWC2 && NNRT_SIM_VERSION < 0x010600) {
        attr->w_stride = l->w_stride;
    }
}
