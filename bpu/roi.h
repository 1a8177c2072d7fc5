/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/roi.h - models with pictures from the resizer: one run is one picture with its regions.   >>bpu_roi

   In such a model of X3, J5 or X5 the program sees, after each picture NAME, an input NAME_roi, int32 [N,4]: left, top,
   right, bottom of each region, inclusive. The program chooses N for each run, the same for all of them; the picture
   may have any size; the first dimension of every other tensor is N times that of one region. All regions are one task
   (hbDNNRoiInfer), in which each region has its own tensors and outputs follow each other. Before version 1.14 one
   region applies to all pictures of a run. */
#ifndef NNRT_BPU_ROI_H
#define NNRT_BPU_ROI_H

#include "ports.h"
#include "resizer.h"

#define NNRT__BPU_RESIZER_SOURCE 1 /* what hbDNNGetInputSource says of them */

/* -------------------------------------------------------------------------------------------------- ports */

/* Marks the pictures of model that come through the resizer; of UCP none does. If the library cannot tell, the model is
   accepted, as it may have none. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_find_resized(nnrt__bpu_model *model) {
    const nnrt__bpu_api *api = &model->device->library.api;
    uint32_t i;
    for (i = 0; i < model->value_inputs && api->input_source != NULL; i++) {
        int32_t source = 0;
        const int32_t vendor_code = api->input_source(&source, model->handle, (int32_t)i);
        if (vendor_code != 0)
            nnrt__log(NNRT_LOG_WARNING,
                      "hbDNNGetInputSource does not tell where input %u comes from (code %d): regions of a picture "
                      "will not be possible for it",
                      (unsigned)i, (int)vendor_code);
        model->values[i].resized = vendor_code == 0 && source == NNRT__BPU_RESIZER_SOURCE;
        if (model->values[i].resized) model->resized++;
    }
    if (model->resized != 0 && api->infer_regions == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "the model takes regions of a picture, and this library has no "
                                             "hbDNNRoiInfer: compile it for a picture from the camera");
    if (model->resized != 0 && model->options.batch != 1)
        return nnrt__fail(OH_NN_FAILED,
                          "bpu.batch: the model takes regions of a picture, which are a batch of their own");
    return OH_NN_SUCCESS;
}

/* The axes of a picture's height and width; false: not a picture for the resizer. */
NNRT__FN bool nnrt__bpu_picture_axes(const nnrt__bpu_tensor *tensor, uint32_t *h) {
    *h = tensor->order == NNRT__BPU_NHWC ? 1 : 2;
    return tensor->rank == 4 && tensor->dims[0] == 1 &&
           (tensor->element == NNRT__BPU_Y || nnrt__bpu_is_nv12(tensor->element));
}

/* Axis of the height, followed by the width, as the program sees them: NV12 is rows, and gray pictures have their
   channel last whatever the order on the board. */
NNRT__INLINE uint32_t nnrt__bpu_seen_height(const nnrt_io_desc *desc) {
    return desc->format == OH_NN_FORMAT_NCHW ? 2 : 1;
}

/* The ports of a picture called name: any size of it, and its regions. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_add_resized(nnrt__bpu_model *model, uint32_t index, const char *name) {
    const nnrt__bpu_tensor *tensor = &model->values[index].tensor;
    nnrt__bpu_port *port;
    uint32_t h;
    OH_NN_ReturnCode code;
    if (!nnrt__bpu_picture_axes(tensor, &h) || model->options.planes)
        return nnrt__fail(OH_NN_UNSUPPORTED, "\"%.40s\" comes through the resizer: it takes Y and NV12 in one memory",
                          name);
    code = nnrt__bpu_check_target(nnrt__bpu_resizer_of(model->device->march), (uint32_t)tensor->dims[h + 1],
                                  (uint32_t)tensor->dims[h], name);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_new_port(model, index, name, "", NNRT__BPU_ALL, &port);
    if (code != OH_NN_SUCCESS) return code;
    port->form = NNRT__BPU_FORM_LOGICAL;
    nnrt__bpu_describe_form(tensor, port->form, &port->desc);
    h = nnrt__bpu_seen_height(&port->desc);
    port->desc.dims[h] = port->desc.dims[h + 1] = -1;
    code = nnrt__bpu_new_port(model, index, name, "_roi", NNRT__BPU_REGIONS, &port);
    if (code != OH_NN_SUCCESS) return code;
    port->desc.dtype = OH_NN_INT32;
    port->desc.format = OH_NN_FORMAT_NONE;
    port->desc.rank = 2;
    port->desc.dims[0] = -1;
    port->desc.dims[1] = 4;
    port->outside_size = sizeof(nnrt__bpu_region);
    return OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------------------------- a run */

/* Takes the picture of this run, with the size of the program's tensor. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_take_picture(nnrt__bpu_executor *self, const nnrt__bpu_port *port,
                                                 const nnrt_io *io) {
    nnrt__bpu_tensor *shape = &self->shape[port->value];
    const bool nv12 = nnrt__bpu_is_nv12(shape->element);
    nnrt__bpu_frame source;
    const uint32_t seen = nnrt__bpu_seen_height(&port->desc), rows = (uint32_t)io->dims[seen];
    uint32_t h;
    uint64_t size;
    OH_NN_ReturnCode code;
    (void)nnrt__bpu_picture_axes(shape, &h);
    source.width = (uint32_t)io->dims[seen + 1];
    source.height = nv12 ? rows / 3 * 2 : rows;
    source.pitch = (uint32_t)nnrt__bpu_round_up(source.width, 16);
    size = (uint64_t)source.pitch * rows;
    if (nv12 && rows % 3 != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "picture \"%.40s\" has %u rows: NV12 has 3 for every 2 of the picture", port->name,
                          (unsigned)rows);
    if (size > INT32_MAX)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "picture \"%.40s\" takes 2 GiB or more", port->name);
    code = nnrt__bpu_check_frame(nnrt__bpu_resizer_of(self->model->device->march), &source, port->name);
    if (code != OH_NN_SUCCESS) return code;
    shape->dims[h] = shape->aligned[h] = (int32_t)source.height;
    shape->dims[h + 1] = (int32_t)source.width;
    shape->aligned[h + 1] = (int32_t)source.pitch;
    nnrt__bpu_dense_strides(shape, shape->aligned, shape->strides);
    shape->size = (int64_t)size;
    return OH_NN_SUCCESS;
}

/* Region number run of the picture that is number picture of those with regions. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_take_region(nnrt__bpu_executor *self, const nnrt__bpu_port *port, const nnrt_io *io,
                                                uint32_t run, uint32_t picture) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_tensor *shape = &self->shape[port->value], *target = &model->values[port->value].tensor;
    const bool shared = !model->device->library.layout->has_custom_id; /* by all pictures: before 1.14 */
    nnrt__bpu_region *to = &self->regions[shared ? run : run * model->resized + picture], region;
    nnrt__bpu_frame source;
    uint32_t h;
    OH_NN_ReturnCode code;
    NNRT_ASSERT(run < self->runs && picture < model->resized);
    (void)nnrt__bpu_picture_axes(shape, &h);
    source.width = (uint32_t)shape->dims[h + 1];
    source.height = (uint32_t)shape->dims[h];
    source.pitch = (uint32_t)shape->aligned[h + 1];
    memcpy(&region, (const uint8_t *)io->data + run * sizeof(region), sizeof(region));
    code = nnrt__bpu_check_region(nnrt__bpu_resizer_of(model->device->march), &source, &region, run,
                                  (uint32_t)target->dims[h + 1], (uint32_t)target->dims[h]);
    if (code != OH_NN_SUCCESS) return code;
    if (shared && picture != 0 && memcmp(to, &region, sizeof(region)) != 0)
        return nnrt__fail(
            OH_NN_INVALID_PARAMETER,
            "region %u of \"%.40s\" is not that of the first picture: a library before 1.14 has one for all",
            (unsigned)run, port->name);
    *to = region;
    return OH_NN_SUCCESS;
}

/* Counts the regions of this run, and checks that every tensor has as many. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_count_regions(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    uint32_t i;
    for (i = 0; i < model->npu.input_count && model->ports[i].part != NNRT__BPU_REGIONS; i++) continue;
    NNRT_ASSERT(i < model->npu.input_count);
    self->runs = (uint32_t)self->npu.io[i].dims[0];
    NNRT_ASSERT(self->runs >= 1 && self->runs <= NNRT__BPU_MAX_BATCH); /* the core looked at input_range */
    for (i = 0; i < model->npu.input_count; i++) {
        const nnrt__bpu_port *port = &model->ports[i];
        const int64_t wanted = (int64_t)self->runs * (port->part == NNRT__BPU_REGIONS ? 1 : port->unit);
        if (nnrt__bpu_is_shared(model, port) || self->npu.io[i].dims[0] == wanted) continue;
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "dimension 0 of \"%.40s\" is %d, and %u regions need %lld",
                          port->name, (int)self->npu.io[i].dims[0], (unsigned)self->runs, (long long)wanted);
    }
    return OH_NN_SUCCESS;
}

/* Pictures and regions of a run, all checked: self->runs, shapes, self->regions. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_take_regions(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    OH_NN_ReturnCode code = nnrt__bpu_count_regions(self);
    uint32_t i, run, picture = 0;
    for (i = 0; i < model->npu.input_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__bpu_port *port = &model->ports[i];
        if (nnrt__bpu_is_shared(model, port)) code = nnrt__bpu_take_picture(self, port, &self->npu.io[i]);
        if (port->part != NNRT__BPU_REGIONS) continue;
        if (self->npu.io[i].size < self->runs * sizeof(nnrt__bpu_region))
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor \"%.40s\" has %zu bytes, and %zu are there", port->name,
                              self->runs * sizeof(nnrt__bpu_region), self->npu.io[i].size);
        for (run = 0; run < self->runs && code == OH_NN_SUCCESS; run++)
            code = nnrt__bpu_take_region(self, port, &self->npu.io[i], run, picture);
        picture++;
    }
    return code;
}

/* An output is one memory for all regions: sets its properties in the vendor's tensor accordingly. */
NNRT__FN void nnrt__bpu_put_runs(const nnrt__bpu_layout *layout, uint32_t runs, uint8_t *properties) {
    const uint16_t at[3] = {layout->valid, layout->aligned, layout->byte_size};
    uint32_t i;
    for (i = 0; i < 3; i++) {
        const int32_t number = nnrt__read_i32(properties + at[i]) * (int32_t)runs; /* size_port checked the bytes */
        memcpy(properties + at[i], &number, sizeof(number));
    }
}

#endif /* NNRT_BPU_ROI_H */
