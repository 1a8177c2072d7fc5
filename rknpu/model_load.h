/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/model_load.h - makes contexts from a .rknn: its bytes, rknn_init, settings, outside memory,
   sharing.   >>rknpu_model_load

   A model in a file is loaded by its path, so that it is never in RAM twice; nnrt itself reads its first and last
   pages, and the names of its operators, through a mapping. Every context of a model gets the same settings in the same
   order: cores, weights, internal memory, custom operators; bound inputs and outputs come last, as librknnmrt
   requires. */
#ifndef NNRT_RKNPU_MODEL_LOAD_H
#define NNRT_RKNPU_MODEL_LOAD_H

#include "config.h"
#include "custom_op.h"
#include "device.h"
#include "errors.h"
#include "file.h"
#include "model_ports.h"
#include "types.h"

/* Memory from outside that a context of a model uses; in the model's list. */
typedef struct nnrt__rknpu_holding {
    struct nnrt__rknpu_holding *next;
    nnrt__rknpu_context *context; /* not counted */
    nnrt__rknpu_memory *weights;  /* NULL: inside the runtime; one reference each */
    nnrt__rknpu_memory *internal;
} nnrt__rknpu_holding;

/* ----------------------------------------------------------------------------------- the bytes of a model */

/* The part of total bytes given by rknn.model_offset and rknn.model_size. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_slice(const nnrt__rknpu_options *options, size_t total, size_t *offset,
                                            uint32_t *size) {
    uint64_t rest;
    *offset = options->model_offset;
    if (*offset >= total)
        return nnrt__fail(OH_NN_INVALID_FILE, "rknn.model_offset is %zu, but there are only %zu bytes", *offset, total);
    rest = total - *offset;
    if (options->model_size > rest)
        return nnrt__fail(OH_NN_INVALID_FILE, "rknn.model_size is %u, but only %zu bytes follow rknn.model_offset %zu",
                          (unsigned)options->model_size, total - *offset, *offset);
    if (options->model_size != 0) rest = options->model_size;
    if (rest > UINT32_MAX)
        return nnrt__fail(OH_NN_INVALID_FILE, "the model has %zu bytes; the runtime takes less than 4 GiB",
                          total - *offset);
    *size = (uint32_t)rest;
    return OH_NN_SUCCESS;
}

/* The model's bytes where they are: the buffer of the request, or the file, mapped or read. *mapping is to be
   unmapped. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_map_model(const nnrt__rknpu_model *model, nnrt__mapping *mapping,
                                                const uint8_t **bytes, uint32_t *size) {
    size_t offset;
    OH_NN_ReturnCode code;
    memset(mapping, 0, sizeof(*mapping));
    if (model->model_path != NULL) {
        code = nnrt__npu_map_file(model->model_path, model->read_files, mapping);
        if (code != OH_NN_SUCCESS) return code;
        code = nnrt__rknpu_slice(&model->options, mapping->size, &offset, size);
        *bytes = (const uint8_t *)mapping->data + offset;
    } else {
        code = nnrt__rknpu_slice(&model->options, model->model_bytes, &offset, size);
        *bytes = (const uint8_t *)model->model + offset;
    }
    if (code != OH_NN_SUCCESS) nnrt__unmap_file(mapping);
    return code;
}

/* Checks the outer format of the model and the names of its operators before the runtime does, whose refusals say
   little. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_look_at_file(nnrt__rknpu_model *model, nnrt__rknn_file_info *info) {
    nnrt__rknn_operators operators;
    nnrt__mapping mapping;
    const uint8_t *bytes;
    uint32_t size;
    OH_NN_ReturnCode code = nnrt__rknpu_map_model(model, &mapping, &bytes, &size);
    if (code != OH_NN_SUCCESS) return code;
    memset(info, 0, sizeof(*info));
    code = nnrt__rknn_file_read(bytes, size, info);
    if (code == OH_NN_SUCCESS) code = nnrt__rknn_file_check(info, &model->device->library);
    if (code == OH_NN_SUCCESS && model->options.custom_op_count == 0 && info->body != NULL &&
        nnrt__rknn_operators_read(info->format_version, info->body, info->body_size, &operators))
        nnrt__rknn_first_custom(&operators, model->custom);
    info->body = NULL;
    nnrt__unmap_file(&mapping);
    return code;
}

/* ---------------------------------------------------------------------------------------------- rknn_init */

/* The context of the model that was built as rknn.name name, retained. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_find_parent(nnrt__rknpu_device *device, const char *name,
                                                  nnrt__rknpu_context **context) {
    const nnrt__rknpu_model *model;
    bool found, ready = false;
    nnrt__mutex_lock(&device->mutex);
    for (model = device->models; model != NULL && strcmp(model->options.name, name) != 0; model = model->next) continue;
    found = model != NULL;
    if (found && model->context != NULL) {
        ready = true;
        *context = model->context;
        model->context->references++;
    }
    nnrt__mutex_unlock(&device->mutex);
    if (ready) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED, "no compilation with rknn.name \"%.60s\" is built and alive; build it first", name);
}

/* Copies the model into NPU memory, where the runtime reads it in place. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_memory(const nnrt__rknpu_model *model, nnrt_rknn_tensor_mem **memory,
                                                   uint32_t *size) {
    const nnrt__rknn_api *api = &model->device->library.api;
    nnrt__mapping mapping;
    const uint8_t *bytes;
    OH_NN_ReturnCode code = nnrt__rknpu_map_model(model, &mapping, &bytes, size);
    if (code != OH_NN_SUCCESS) return code;
    *memory = api->create_mem2(0, *size, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
    if (*memory != NULL && (*memory)->virt_addr == NULL) {
        (void)api->destroy_mem(0, *memory);
        *memory = NULL;
    }
    if (*memory != NULL) memcpy((*memory)->virt_addr, bytes, *size);
    else code = nnrt__rknpu_fail_memory(*size);
    nnrt__unmap_file(&mapping);
    return code;
}

/* Where rknn_init finds the model. */
typedef struct nnrt__rknpu_source {
    void *bytes; /* the model, or with size 0 its path */
    uint32_t size;
    void *copy;                   /* to be freed after rknn_init */
    nnrt_rknn_tensor_mem *memory; /* of rknn.model_zero_copy */
    bool extended;
    nnrt_rknn_init_extend extend; /* with extended */
} nnrt__rknpu_source;

/* Whether the runtime finds a model inside a file by real_model_offset. librknnmrt does since 1.6.0 if it also gets the
   size; librknnrt 1.4.0 to 1.6.0 read the file's beginning regardless. */
NNRT__FN bool nnrt__rknpu_takes_offset(const nnrt__rknpu_library *library) {
    return library->at_least >= (library->mini ? NNRT__RKNN_VERSION(1, 6, 0) : NNRT__RKNN_VERSION(2, 0, 0));
}

/* A part of a file: found by the runtime itself, else copied. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_source_part(const nnrt__rknpu_model *model, nnrt__rknpu_source *source) {
    nnrt__mapping mapping;
    const uint8_t *bytes;
    uint32_t size;
    OH_NN_ReturnCode code = nnrt__rknpu_map_model(model, &mapping, &bytes, &size);
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__rknpu_takes_offset(&model->device->library)) {
        source->extended = true;
        source->extend.real_model_offset = (int32_t)model->options.model_offset;
        source->extend.real_model_size = size;
    } else {
        source->copy = nnrt__alloc(size);
        if (source->copy != NULL) memcpy(source->copy, bytes, size);
        else code = nnrt__fail_memory();
        source->bytes = source->copy;
        source->size = size;
    }
    nnrt__unmap_file(&mapping);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_source_open(const nnrt__rknpu_model *model, nnrt__rknpu_source *source) {
    const nnrt__rknpu_options *options = &model->options;
    size_t offset;
    OH_NN_ReturnCode code;
    memset(source, 0, sizeof(*source));
    if ((options->flags & NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY) != 0) {
        code = nnrt__rknpu_model_memory(model, &source->memory, &source->size);
        if (code != OH_NN_SUCCESS) return code;
        source->bytes = source->memory->virt_addr;
        source->extended = true;
        source->extend.real_model_size = source->size;
        source->extend.model_buffer_fd = source->memory->fd;
        source->extend.model_buffer_flags = source->memory->flags;
        return OH_NN_SUCCESS;
    }
    if (model->model_path == NULL) {
        code = nnrt__rknpu_slice(options, model->model_bytes, &offset, &source->size);
        source->bytes = (void *)(uintptr_t)((const uint8_t *)model->model + offset);
        return code;
    }
    source->bytes = (void *)(uintptr_t)model->model_path;
    if (options->model_offset == 0 && options->model_size == 0) return OH_NN_SUCCESS;
    return nnrt__rknpu_source_part(model, source);
}

/* Writes the first operator of the model without a CPU form in the runtime to text; "": none found. */
NNRT__FN void nnrt__rknpu_find_missing(const nnrt__rknpu_model *model, char *text, size_t size) {
    nnrt__mapping mapping;
    nnrt__rknn_file_info info;
    nnrt__rknn_operators operators;
    const uint8_t *bytes;
    uint32_t length;
    text[0] = '\0';
    if (nnrt__rknpu_map_model(model, &mapping, &bytes, &length) != OH_NN_SUCCESS) return;
    if (nnrt__rknn_file_read(bytes, length, &info) == OH_NN_SUCCESS && info.body != NULL &&
        nnrt__rknn_operators_read(info.format_version, info.body, info.body_size, &operators))
        (void)nnrt__rknn_first_missing(&operators, model->device->library.mini, text, size);
    nnrt__unmap_file(&mapping);
}

/* rknn_init under the gate of the context whose weights or SRAM it uses, if any. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_init(const nnrt__rknpu_model *model, nnrt__rknpu_context *parent,
                                                nnrt__rknpu_source *source, nnrt_rknn_context *handle) {
    char missing[64];
    int code;
    *handle = 0;
    if (parent != NULL && !nnrt__rknpu_enter(parent)) return nnrt__rknpu_fail_stuck();
    code = model->device->library.api.init(handle, source->bytes, source->size, model->options.flags,
                                           source->extended ? &source->extend : NULL);
    if (parent != NULL) nnrt__rknpu_leave(parent);
    if (code == NNRT_RKNN_SUCC) return OH_NN_SUCCESS;
    nnrt__rknpu_find_missing(model, missing, sizeof(missing));
    return nnrt__rknpu_fail_init(&model->device->library, missing, code);
}

/* A context of the model without settings. parent may be NULL, and is on librknnmrt. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_init(const nnrt__rknpu_model *model, nnrt__rknpu_context *parent,
                                           nnrt__rknpu_context **context) {
    nnrt__rknpu_source source;
    nnrt_rknn_context handle = 0;
    OH_NN_ReturnCode code = nnrt__rknpu_source_open(model, &source);
    if (code != OH_NN_SUCCESS) return code;
    if (parent != NULL) {
        source.extended = true;
        source.extend.ctx = parent->handle;
    }
    code = nnrt__rknpu_call_init(model, parent, &source, &handle);
    nnrt__free(source.copy);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_context_new(model->device, handle, false, parent, context);
    if (code != OH_NN_SUCCESS) {
        if (source.memory != NULL) nnrt__rknpu_destroy_orphan(model->device, source.memory);
        return code;
    }
    (*context)->model_memory = source.memory;
    return OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------- shared internal memory */

/* The group of this name, NULL: there is none. device->mutex is held. */
NNRT__FN nnrt__rknpu_arena *nnrt__rknpu_arena_find(const nnrt__rknpu_device *device, const char *name) {
    nnrt__rknpu_arena *arena = device->arenas;
    NNRT__ASSERT_HELD(&device->mutex);
    while (arena != NULL && strcmp(arena->name, name) != 0) arena = arena->next;
    return arena;
}

/* Removes a model from the group; the last one ends it. NULL is allowed. */
NNRT__FN void nnrt__rknpu_arena_release(nnrt__rknpu_device *device, nnrt__rknpu_arena *arena) {
    nnrt__rknpu_arena **link = &device->arenas;
    bool over;
    if (arena == NULL) return;
    nnrt__mutex_lock(&device->mutex);
    over = --arena->references == 0;
    if (over) {
        while (*link != arena) link = &(*link)->next;
        *link = arena->next;
    }
    nnrt__mutex_unlock(&device->mutex);
    if (!over) return;
    if (arena->memory != NULL) nnrt__rknpu_memory_release(arena->memory);
    nnrt__mutex_destroy(&arena->group.mutex);
    nnrt__free(arena);
}

/* Adds the model to the group that its options name, creating it if needed. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_arena_join(nnrt__rknpu_model *model) {
    nnrt__rknpu_device *device = model->device;
    nnrt__rknpu_arena *made = (nnrt__rknpu_arena *)nnrt__alloc_zero(1, sizeof(*made));
    nnrt__rknpu_arena *arena;
    if (made == NULL || !nnrt__mutex_init(&made->group.mutex)) {
        nnrt__free(made);
        return nnrt__fail_memory();
    }
    memcpy(made->name, model->options.share_internal, sizeof(made->name));
    nnrt__mutex_lock(&device->mutex);
    arena = nnrt__rknpu_arena_find(device, made->name);
    if (arena == NULL) {
        arena = made;
        arena->next = device->arenas;
        device->arenas = arena;
    }
    arena->references++;
    nnrt__mutex_unlock(&device->mutex);
    if (arena != made) {
        nnrt__mutex_destroy(&made->group.mutex);
        nnrt__free(made);
    }
    model->arena = arena;
    return OH_NN_SUCCESS;
}

/* Memory of the group for size bytes, retained. If the group's memory is too small, a larger one is made in context and
   used from now on; models built before keep theirs, because their inputs and outputs are bound after it. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_arena_memory(nnrt__rknpu_arena *arena, nnrt__rknpu_context *context, size_t size,
                                                   nnrt__rknpu_memory **memory) {
    nnrt__rknpu_device *device = context->device;
    nnrt__rknpu_memory *made = NULL, *old = NULL;
    bool enough;
    OH_NN_ReturnCode code;
    nnrt__mutex_lock(&device->mutex);
    enough = arena->memory != NULL && arena->memory->size >= size;
    if (enough) {
        *memory = arena->memory;
        arena->memory->references++;
    }
    nnrt__mutex_unlock(&device->mutex);
    if (enough) return OH_NN_SUCCESS;
    code = nnrt__rknpu_memory_new(context, size, NNRT_RKNN_MEMORY_DEFAULT, &made);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&device->mutex);
    made->references++; /* the group's; the first is the caller's */
    old = arena->memory;
    arena->memory = made;
    nnrt__mutex_unlock(&device->mutex);
    if (old != NULL) {
        nnrt__log(NNRT_LOG_WARNING,
                  "rknn.share_internal %s: %zu bytes were too small for this model, which needs %zu; build the largest "
                  "model of the group first",
                  arena->name, old->size, size);
        nnrt__rknpu_memory_release(old);
    }
    *memory = made;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------ memory from outside */

/* The weights of the model that options name, retained: librknnmrt has no other way to share them. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_foreign_weights(nnrt__rknpu_device *device, const char *name,
                                                      nnrt__rknpu_memory **weights) {
    const nnrt__rknpu_model *model;
    const nnrt__rknpu_holding *holding = NULL;
    bool found;
    nnrt__mutex_lock(&device->mutex);
    for (model = device->models; model != NULL && strcmp(model->options.name, name) != 0; model = model->next) continue;
    found = model != NULL;
    if (found)
        for (holding = model->holdings; holding != NULL && holding->weights == NULL; holding = holding->next) continue;
    if (holding != NULL) {
        *weights = holding->weights;
        holding->weights->references++;
    }
    nnrt__mutex_unlock(&device->mutex);
    if (holding != NULL) return OH_NN_SUCCESS;
    if (!found)
        return nnrt__fail(OH_NN_FAILED, "no compilation with rknn.name \"%.60s\" is built and alive; build it first",
                          name);
    return nnrt__fail(OH_NN_FAILED,
                      "rknn.share_weights: librknnmrt shares only weights that lie outside; build \"%.60s\" with "
                      "rknn.memory outside",
                      name);
}

/* Removes a holding from the model's list and releases its memory. */
NNRT__FN void nnrt__rknpu_drop_holding(nnrt__rknpu_model *model, const nnrt__rknpu_context *context) {
    nnrt__rknpu_holding **link, *gone;
    nnrt__mutex_lock(&model->device->mutex);
    for (link = &model->holdings; *link != NULL && (*link)->context != context; link = &(*link)->next) continue;
    gone = *link;
    if (gone != NULL) *link = gone->next;
    nnrt__mutex_unlock(&model->device->mutex);
    if (gone == NULL) return;
    if (gone->weights != NULL) nnrt__rknpu_memory_release(gone->weights);
    if (gone->internal != NULL) nnrt__rknpu_memory_release(gone->internal);
    nnrt__free(gone);
}

/* Passes the first size bytes of memory to context with set. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_set_memory(nnrt__rknpu_context *context, nnrt__rknpu_memory *memory,
                                                 uint32_t size, int (*set)(nnrt_rknn_context, nnrt_rknn_tensor_mem *),
                                                 const char *what) {
    nnrt_rknn_tensor_mem *mem = NULL;
    bool flushed;
    int vendor_code;
    OH_NN_ReturnCode code;
    if (!nnrt__rknpu_enter(context)) return nnrt__rknpu_fail_stuck();
    code = nnrt__rknpu_memory_view(memory, context, size, &mem, &flushed);
    if (code == OH_NN_SUCCESS) {
        vendor_code = set(context->handle, mem);
        if (vendor_code != NNRT_RKNN_SUCC) code = nnrt__rknpu_fail(vendor_code, what);
    } else if (code == OH_NN_UNSUPPORTED) {
        code = nnrt__fail(OH_NN_FAILED, "%s: the runtime does not import memory of another context", what);
    }
    nnrt__rknpu_leave(context);
    return code;
}

/* Makes or finds the memory for holding. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fill_holding(nnrt__rknpu_model *model, nnrt__rknpu_context *context,
                                                   nnrt__rknpu_holding *holding) {
    const nnrt__rknpu_options *options = &model->options;
    const uint32_t weights = model->mem_size.total_weight_size, internal = model->mem_size.total_internal_size;
    const bool all = (options->flags & NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE) != 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (all && weights != 0 && model->device->library.mini && options->share_weights[0] != '\0') {
        code = nnrt__rknpu_foreign_weights(model->device, options->share_weights, &holding->weights);
        if (code == OH_NN_SUCCESS && holding->weights->size != weights)
            return nnrt__fail(OH_NN_FAILED, "rknn.share_weights: this model has %u bytes of weights, \"%.60s\" has %zu",
                              (unsigned)weights, options->share_weights, holding->weights->size);
    } else if (all && weights != 0) {
        code = nnrt__rknpu_memory_new(context, weights, NNRT_RKNN_MEMORY_DEFAULT, &holding->weights);
    }
    if (code != OH_NN_SUCCESS || internal == 0) return code;
    if (model->arena != NULL) return nnrt__rknpu_arena_memory(model->arena, context, internal, &holding->internal);
    return nnrt__rknpu_memory_new(context, internal, NNRT_RKNN_MEMORY_DEFAULT, &holding->internal);
}

/* Gives a context its weights and internal memory if its flags say that they come from outside. Undo with
   nnrt__rknpu_drop_holding. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_give_memory(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    const uint32_t outside = NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE;
    const nnrt__rknn_api *api = &model->device->library.api;
    nnrt__rknpu_holding *holding;
    OH_NN_ReturnCode code;
    if ((model->options.flags & outside) == 0 || (model->options.flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0)
        return OH_NN_SUCCESS;
    holding = (nnrt__rknpu_holding *)nnrt__alloc_zero(1, sizeof(*holding));
    if (holding == NULL) return nnrt__fail_memory();
    holding->context = context;
    nnrt__mutex_lock(&model->device->mutex);
    holding->next = model->holdings;
    model->holdings = holding;
    nnrt__mutex_unlock(&model->device->mutex);
    code = nnrt__rknpu_fill_holding(model, context, holding);
    if (code == OH_NN_SUCCESS && holding->weights != NULL)
        code = nnrt__rknpu_set_memory(context, holding->weights, model->mem_size.total_weight_size, api->set_weight_mem,
                                      "rknn_set_weight_mem");
    if (code == OH_NN_SUCCESS && holding->internal != NULL)
        code = nnrt__rknpu_set_memory(context, holding->internal, model->mem_size.total_internal_size,
                                      api->set_internal_mem, "rknn_set_internal_mem");
    return code;
}

/* ---------------------------------------------------------------------------------- settings of a context */

/* major.minor.patch from "2.3.2 (429f97ae6b@2025-04-09T09:09:27)"; 0: it is not there. */
NNRT__FN uint32_t nnrt__rknpu_parse_version(const char *text) {
    uint32_t parts[3] = {0, 0, 0}, i;
    while (*text != '\0' && (*text < '0' || *text > '9')) text++;
    for (i = 0; i < 3; i++) {
        if (*text < '0' || *text > '9') break;
        for (; *text >= '0' && *text <= '9'; text++)
            if (parts[i] < 256) parts[i] = parts[i] * 10 + (uint32_t)(*text - '0');
        if (*text != '.') break;
        text++;
    }
    for (i = 0; i < 3; i++)
        if (parts[i] > 255) return 0;
    return NNRT__RKNN_VERSION(parts[0], parts[1], parts[2]);
}

/* Fills model->mem_size, with zeros on failure; returns the vendor's code. The context is entered. */
NNRT__FN int nnrt__rknpu_ask_mem_size(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    const int code = model->device->library.api.query(context->handle, NNRT_RKNN_QUERY_MEM_SIZE, &model->mem_size,
                                                      (uint32_t)sizeof(model->mem_size));
    if (code != NNRT_RKNN_SUCC) memset(&model->mem_size, 0, sizeof(model->mem_size));
    nnrt__mutex_lock(&model->device->mutex);
    model->mem_size_asked = true;
    nnrt__mutex_unlock(&model->device->mutex);
    return code;
}

/* Versions, sizes and the text of the model: once per model. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_read_facts(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    const nnrt__rknpu_library *library = &model->device->library;
    const uint32_t outside = NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE;
    int code =
        library->api.query(context->handle, NNRT_RKNN_QUERY_SDK_VERSION, &model->sdk, (uint32_t)sizeof(model->sdk));
    bool needs_size;
    OH_NN_ReturnCode result;
    if (code != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(code, "rknn_query SDK_VERSION");
    model->sdk.api_version[sizeof(model->sdk.api_version) - 1] = '\0';
    model->sdk.drv_version[sizeof(model->sdk.drv_version) - 1] = '\0';
    model->runtime_version = nnrt__rknpu_parse_version(model->sdk.api_version);
    result = nnrt__rknpu_check_version(library, &model->options, model->runtime_version, model->runtime_version != 0);
    if (result != OH_NN_SUCCESS) return result;
    if (model->runtime_version > NNRT__RKNN_LAST_VERSION)
        nnrt__log(NNRT_LOG_WARNING,
                  "%s is version %.32s, newer than 2.3.2, the last that nnrt was made with: it is used as that one",
                  library->name, model->sdk.api_version);
    model->syncs_imports = nnrt__rknpu_syncs_imports(library, model->runtime_version);
    if (model->runtime_version < library->at_least) model->runtime_version = library->at_least;
    needs_size = (model->options.flags & (outside | NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY)) != 0;
    if (needs_size || nnrt__rknpu_mem_size_is_safe(library, model->runtime_version)) {
        code = nnrt__rknpu_ask_mem_size(model, context);
        if (code != NNRT_RKNN_SUCC && needs_size) return nnrt__rknpu_fail(code, "rknn_query MEM_SIZE");
    }
    code = library->api.query(context->handle, NNRT_RKNN_QUERY_CUSTOM_STRING, &model->custom_string,
                              (uint32_t)sizeof(model->custom_string));
    if (code != NNRT_RKNN_SUCC) memset(&model->custom_string, 0, sizeof(model->custom_string));
    model->custom_string.string[sizeof(model->custom_string.string) - 1] = '\0';
    return OH_NN_SUCCESS;
}

/* Cores of the NPU: of the board's chip if known, otherwise of the model's, which runs on no other kind. */
NNRT__FN uint32_t nnrt__rknpu_cores(const nnrt__rknpu_model *model) {
    const char *chip = model->device->library.chip[0] != '\0' ? model->device->library.chip : model->platform;
    const nnrt__rknn_chip *found = nnrt__rknn_chip_find(chip);
    return found != NULL ? found->cores : 1;
}

/* Sets the cores of the performance mode: a hint, so if the runtime refuses them, it chooses. The context is
   entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_follow_mode(const nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    const nnrt__rknn_api *api = &model->device->library.api;
    const uint32_t mask = nnrt__rknpu_mode_mask(model->options.performance, nnrt__rknpu_cores(model));
    int code;
    if (mask == 0 || api->set_core_mask == NULL) return OH_NN_SUCCESS;
    code = api->set_core_mask(context->handle, (nnrt_rknn_core_mask)mask);
    if (code == NNRT_RKNN_SUCC) return OH_NN_SUCCESS;
    if (!nnrt__rknpu_is_refusal(code)) return nnrt__rknpu_fail(code, "rknn_set_core_mask");
    nnrt__log(NNRT_LOG_INFO,
              "the runtime chooses the core: rknn_set_core_mask 0x%x of the performance mode failed "
              "(rknn code %d)",
              (unsigned)mask, code);
    return OH_NN_SUCCESS;
}

/* Cores, as asked. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_set_cores(const nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    const nnrt__rknn_api *api = &model->device->library.api;
    const nnrt__rknpu_options *options = &model->options;
    const char *chip = model->device->library.chip[0] != '\0' ? model->device->library.chip : "this chip";
    int code;
    if (options->has_core_mask) {
        code = api->set_core_mask(context->handle, (nnrt_rknn_core_mask)options->core_mask);
        if (code != NNRT_RKNN_SUCC && nnrt__rknpu_is_refusal(code))
            return nnrt__fail(OH_NN_FAILED,
                              "rknn.core_mask: rknn_set_core_mask 0x%x failed on %s; RK3588 has cores 0 to 2, "
                              "RK3576 0 and 1, all others one that takes no mask (rknn code %d)",
                              (unsigned)options->core_mask, chip, code);
        if (code != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(code, "rknn_set_core_mask");
    }
    if (!options->chose_cores) return nnrt__rknpu_follow_mode(model, context);
    if (options->batch_cores != 0) {
        code = api->set_batch_core_num(context->handle, (int)options->batch_cores);
        if (code != NNRT_RKNN_SUCC && nnrt__rknpu_is_refusal(code))
            return nnrt__fail(OH_NN_FAILED,
                              "rknn.batch_cores: rknn_set_batch_core_num %u failed on %s; it takes a model "
                              "converted with rknn_batch_size, on RK3588 and RK3576 (rknn code %d)",
                              (unsigned)options->batch_cores, chip, code);
        if (code != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(code, "rknn_set_batch_core_num");
    }
    return OH_NN_SUCCESS;
}

/* Gives a new context everything that the model's options ask for. first: also reads the model's facts. On failure end
   the context with nnrt__rknpu_end_context. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_settle(nnrt__rknpu_model *model, nnrt__rknpu_context *context, bool first) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (!nnrt__rknpu_enter(context)) return nnrt__rknpu_fail_stuck();
    if (first) code = nnrt__rknpu_read_facts(model, context);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_set_cores(model, context);
    nnrt__rknpu_leave(context);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_give_memory(model, context);
    if (code != OH_NN_SUCCESS || model->options.custom_op_count == 0) return code;
    if (!nnrt__rknpu_enter(context)) return nnrt__rknpu_fail_stuck();
    code = nnrt__rknpu_register_custom_ops(&model->device->library, context, &model->options);
    nnrt__rknpu_leave(context);
    return code;
}

/* Ends a context of the model and what it was given. */
NNRT__FN void nnrt__rknpu_end_context(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    nnrt__rknpu_drop_holding(model, context);
    nnrt__rknpu_context_release(context);
}

#endif /* NNRT_RKNPU_MODEL_LOAD_H */
