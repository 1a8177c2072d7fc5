/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/model.h - compilations of the Rockchip device: preparing, describing, a context for each
   executor.   >>rknpu_model

   Prepare does everything that can fail permanently: options, file, context, settings, memory, attributes. The first
   executor gets its context; further ones get a duplicate, which shares the weights, if the runtime and the model allow
   it, and otherwise load the model again.

   Rooms      model_load.h   bytes and contexts      model_ports.h   tensors and shapes */
#ifndef NNRT_RKNPU_MODEL_H
#define NNRT_RKNPU_MODEL_H

#include "matmul.h"
#include "model_load.h"
#include "model_ports.h"

/* ------------------------------------------------------------------------------------------------ release */

NNRT__FN void nnrt__rknpu_release(nnrt__npu_model *base) {
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)base;
    nnrt__rknpu_device *device = model->device;
    nnrt__rknpu_model **link = &device->models;
    nnrt__mutex_lock(&device->mutex);
    while (*link != NULL && *link != model) link = &(*link)->next;
    if (*link != NULL) *link = model->next;
    nnrt__mutex_unlock(&device->mutex);
    nnrt__rknpu_matmul_release(model);
    if (model->context != NULL) nnrt__rknpu_end_context(model, model->context);
    nnrt__rknpu_arena_release(device, model->arena);
    nnrt__rknpu_free_ranges(model);
    nnrt__free(model->ports);
    nnrt__free((void *)(uintptr_t)model->options.custom_ops);
    nnrt__free((void *)(uintptr_t)model->model_path);
    nnrt__free(model);
}

/* Bytes of NNRT_MALLOC that the model holds, without contexts, memory of the device and what belongs to those. */
NNRT__FN size_t nnrt__rknpu_model_bytes(const nnrt__rknpu_model *model) {
    return nnrt__block_bytes(model) + nnrt__block_bytes(model->ports) + nnrt__block_bytes(model->options.custom_ops) +
           nnrt__block_bytes(model->model_path) + nnrt__block_bytes(model->arena) + nnrt__rknpu_ranges_bytes(model) +
           (model->matmul != NULL ? nnrt__rknpu_mm_heap_bytes(model->matmul) : 0);
}

/* Slot release of the backend: frees the name for others, although the model may live on. */
NNRT__FN void nnrt__rknpu_release_when_idle(void *prepared) {
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)prepared;
    nnrt__mutex_lock(&model->device->mutex);
    model->options.name[0] = '\0';
    nnrt__mutex_unlock(&model->device->mutex);
    nnrt__npu_release(prepared);
}

/* ------------------------------------------------------------------------------------------------ prepare */

/* Whether the model's name is still free. device->mutex is held. */
NNRT__FN bool nnrt__rknpu_name_is_free(const nnrt__rknpu_device *device, const char *name) {
    const nnrt__rknpu_model *model;
    NNRT__ASSERT_HELD(&device->mutex);
    if (name[0] == '\0') return true;
    for (model = device->models; model != NULL; model = model->next)
        if (strcmp(model->options.name, name) == 0) return false;
    return true;
}

/* Lists the model, so that others find it by its name. Only its context is still missing: until Build ends, users of
   the name are refused with that reason. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_list_model(nnrt__rknpu_model *model) {
    nnrt__rknpu_device *device = model->device;
    bool is_free;
    nnrt__mutex_lock(&device->mutex);
    is_free = nnrt__rknpu_name_is_free(device, model->options.name);
    if (is_free) {
        model->next = device->models;
        device->models = model;
    }
    nnrt__mutex_unlock(&device->mutex);
    if (is_free) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED, "rknn.name \"%.60s\" belongs to another compilation that is alive",
                      model->options.name);
}

/* Copies what the request owns and executors may need after the compilation is gone. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_keep_request(nnrt__rknpu_model *model, const nnrt_request *request) {
    const size_t bytes = model->options.custom_op_count * sizeof(nnrt_rknn_custom_op);
    if (bytes != 0) {
        void *copy = nnrt__alloc(bytes);
        if (copy != NULL) memcpy(copy, model->options.custom_ops, bytes);
        model->options.custom_ops = (const nnrt_rknn_custom_op *)copy;
        if (copy == NULL) return nnrt__fail_memory();
    }
    model->model = request->model;
    model->model_bytes = request->model_size;
    model->read_files = request->read_files;
    if (request->model_path == NULL) return OH_NN_SUCCESS;
    model->model_path = nnrt__copy_string(request->model_path);
    return model->model_path != NULL ? OH_NN_SUCCESS : nnrt__fail_memory();
}

/* Reads counts, shapes and ports; none with rknn.info_only, where the runtime reports memory sizes only. The context is
   entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_read_tensors(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    nnrt_rknn_input_output_num number;
    OH_NN_ReturnCode code;
    int vendor_code;
    if ((model->options.flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0) return OH_NN_SUCCESS;
    memset(&number, 0, sizeof(number));
    vendor_code = model->device->library.api.query(context->handle, NNRT_RKNN_QUERY_IN_OUT_NUM, &number,
                                                   (uint32_t)sizeof(number));
    if (vendor_code != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(vendor_code, "rknn_query IN_OUT_NUM");
    if (number.n_input == 0 || number.n_input > NNRT__RKNPU_MAX_IO || number.n_output == 0 ||
        number.n_output > NNRT__RKNPU_MAX_IO)
        return nnrt__fail(OH_NN_FAILED, "the model has %u inputs and %u outputs; 1 to %u are possible",
                          (unsigned)number.n_input, (unsigned)number.n_output, NNRT__RKNPU_MAX_IO);
    model->npu.input_count = number.n_input;
    model->npu.output_count = number.n_output;
    code = nnrt__rknpu_load_ranges(model, context);
    return code == OH_NN_SUCCESS ? nnrt__rknpu_describe(model, context) : code;
}

/* Loads the model: its first context. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_load(nnrt__rknpu_model *model) {
    const nnrt__rknpu_options *options = &model->options;
    const char *share = options->share_weights[0] != '\0' ? options->share_weights : options->share_sram;
    nnrt__rknpu_context *context = NULL, *parent = NULL;
    nnrt__rknn_file_info info;
    OH_NN_ReturnCode code = nnrt__rknpu_look_at_file(model, &info);
    if (code != OH_NN_SUCCESS) return code;
    memcpy(model->platform, info.platform, sizeof(model->platform));
    memcpy(model->toolkit, info.toolkit, sizeof(model->toolkit));
    if (options->share_internal[0] != '\0') code = nnrt__rknpu_arena_join(model);
    if (code == OH_NN_SUCCESS && share[0] != '\0' && !model->device->library.mini)
        code = nnrt__rknpu_find_parent(model->device, share, &parent);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_init(model, parent, &context);
    nnrt__rknpu_context_release(parent); /* context has a reference of its own */
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__rknpu_settle(model, context, true);
    if (code == OH_NN_SUCCESS && !nnrt__rknpu_enter(context)) code = nnrt__rknpu_fail_stuck();
    else if (code == OH_NN_SUCCESS) {
        code = nnrt__rknpu_read_tensors(model, context);
        nnrt__rknpu_leave(context);
    }
    if (code != OH_NN_SUCCESS) {
        nnrt__rknpu_end_context(model, context);
        return code;
    }
    nnrt__mutex_lock(&model->device->mutex);
    model->context = context;
    nnrt__mutex_unlock(&model->device->mutex);
    return OH_NN_SUCCESS;
}

/* All of Build. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_prepare_model(nnrt__npu_model *base, const nnrt_request *request) {
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)base;
    OH_NN_ReturnCode code;
    model->device = (nnrt__rknpu_device *)base->device;
    base->options = &model->options.npu;
    base->step_count = NNRT__RKNPU_STEPS;
    code = nnrt__rknpu_take_request(&model->device->library, request, &model->options);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_keep_request(model, request);
    else model->options.custom_ops = NULL; /* the request's */
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_list_model(model);
    if (code == OH_NN_SUCCESS)
        code = request->graph != NULL ? nnrt__rknpu_matmul_prepare(model->device, request, model)
                                      : nnrt__rknpu_load(model);
    if (model->arena != NULL) base->group = &model->arena->group;
    return code;
}

/* -------------------------------------------------------------------------------------------- description */

NNRT__FN const nnrt_io_desc *nnrt__rknpu_desc(const nnrt__npu_model *base, uint32_t port) {
    return &((const nnrt__rknpu_model *)base)->ports[port].desc;
}

/* Slot input_range. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims) {
    const nnrt__rknpu_model *model = (const nnrt__rknpu_model *)prepared;
    const nnrt_io_desc *desc = &model->ports[index].desc;
    uint32_t shape, d;
    for (d = 0; d < desc->rank; d++) min_dims[d] = max_dims[d] = desc->dims[d] > 0 ? (size_t)desc->dims[d] : 0;
    for (shape = 0; shape < model->shapes.count; shape++) {
        int32_t dims[NNRT_MAX_RANK];
        nnrt__rknpu_shape_dims(model, (uint32_t)index, shape, dims);
        for (d = 0; d < desc->rank; d++) {
            const size_t dim = (size_t)dims[d];
            if (shape == 0 || dim < min_dims[d]) min_dims[d] = dim;
            if (shape == 0 || dim > max_dims[d]) max_dims[d] = dim;
        }
    }
    return OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------- contexts for executors */

/* Whether a context of the model may be duplicated: not if the duplicate would lack what nnrt gave the original. */
NNRT__FN bool nnrt__rknpu_can_duplicate(nnrt__rknpu_model *model) {
    const nnrt__rknpu_library *library = &model->device->library;
    const uint32_t hindered = NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE |
                              NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY;
    bool asked;
    nnrt__mutex_lock(&model->device->mutex);
    asked = model->mem_size_asked;
    nnrt__mutex_unlock(&model->device->mutex);
    if (asked && !nnrt__rknpu_mem_size_is_safe(library, model->runtime_version)) return false;
    return !library->mini && library->api.dup_context != NULL && model->shapes.count == 0 &&
           (model->options.flags & hindered) == 0 && model->options.custom_op_count == 0;
}

/* A duplicate of the model's first context, which it keeps alive. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_duplicate(nnrt__rknpu_model *model, nnrt__rknpu_context **context) {
    nnrt_rknn_context from = model->context->handle, to = 0;
    OH_NN_ReturnCode code;
    int vendor_code;
    if (!nnrt__rknpu_enter(model->context)) return nnrt__rknpu_fail_stuck();
    vendor_code = model->device->library.api.dup_context(&from, &to);
    nnrt__rknpu_leave(model->context);
    if (vendor_code != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(vendor_code, "rknn_dup_context");
    code = nnrt__rknpu_context_new(model->device, to, false, model->context, context);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__rknpu_settle(model, *context, false);
    if (code != OH_NN_SUCCESS) nnrt__rknpu_end_context(model, *context);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_load_again(nnrt__rknpu_model *model, nnrt__rknpu_context **context) {
    OH_NN_ReturnCode code = nnrt__rknpu_init(model, model->context->parent, context);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__rknpu_settle(model, *context, false);
    if (code != OH_NN_SUCCESS) nnrt__rknpu_end_context(model, *context);
    return code;
}

/* A context with the model's settings for another executor: the model's own if free, else a duplicate, else the model
   loaded again. One reference. Return it with nnrt__rknpu_model_give. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_take(nnrt__rknpu_model *model, nnrt__rknpu_context **context) {
    nnrt__rknpu_device *device = model->device;
    nnrt__rknpu_context *made = NULL;
    OH_NN_ReturnCode code;
    bool taken;
    nnrt__mutex_lock(&device->mutex);
    taken = !model->context_taken && !nnrt__gate_is_stuck(&model->context->gate);
    if (taken) {
        model->context_taken = true;
        model->context->references++;
    }
    nnrt__mutex_unlock(&device->mutex);
    if (taken) {
        *context = model->context;
        return OH_NN_SUCCESS;
    }
    code = OH_NN_UNSUPPORTED;
    if (nnrt__rknpu_can_duplicate(model)) {
        code = nnrt__rknpu_duplicate(model, &made);
        if (code != OH_NN_SUCCESS)
            nnrt__log(NNRT_LOG_WARNING, "the model is loaded once more for another executor: %s", nnrt__sentence());
    } else {
        nnrt__log(NNRT_LOG_INFO, "the model is loaded once more for another executor: %s cannot duplicate its context",
                  device->library.name);
    }
    if (code != OH_NN_SUCCESS) code = nnrt__rknpu_load_again(model, &made);
    if (code == OH_NN_SUCCESS) *context = made;
    return code;
}

NNRT__FN void nnrt__rknpu_model_give(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    nnrt__rknpu_device *device = model->device;
    bool own;
    nnrt__mutex_lock(&device->mutex);
    own = context == model->context;
    if (own) model->context_taken = false;
    nnrt__mutex_unlock(&device->mutex);
    if (own) nnrt__rknpu_context_release(context);
    else nnrt__rknpu_end_context(model, context);
}

#endif /* NNRT_RKNPU_MODEL_H */
