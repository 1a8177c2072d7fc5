/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/model.h - compilations of the BPU device: checks and loads a file, chooses and describes one of its
   models.   >>bpu_model

   nnrt reads a file before the library does (file.h): libraries accept some that their BPU cannot run, and have one
   code for many faults. The size of the structures that describe tensors depends on the library's version: they are
   queried into memory with a canary after it, and a library that overwrites the canary, or does not fill in the size of
   a tensor, is not of the version that it claims. Nothing of it is trusted (tensor.h). */
#ifndef NNRT_BPU_MODEL_H
#define NNRT_BPU_MODEL_H

#include "device.h"
#include "file.h"
#include "roi.h"

/* ------------------------------------------------------------------------------------------------ release */

/* Bytes of NNRT_MALLOC that the model holds. */
NNRT__FN size_t nnrt__bpu_model_bytes(const nnrt__bpu_model *model) {
    size_t bytes = nnrt__block_bytes(model) + nnrt__block_bytes(model->values) + nnrt__block_bytes(model->properties) +
                   nnrt__block_bytes(model->ports) + nnrt__block_bytes(model->copy);
    uint32_t i;
    for (i = 0; i < model->npu.input_count + model->npu.output_count; i++)
        bytes += nnrt__block_bytes(model->ports[i].name);
    return bytes;
}

NNRT__FN void nnrt__bpu_release(nnrt__npu_model *base) {
    nnrt__bpu_model *model = (nnrt__bpu_model *)base;
    uint32_t i;
    if (model->packed != NULL) (void)model->device->library.api.release(model->packed);
    nnrt__free(model->copy);
    for (i = 0; i < base->input_count + base->output_count; i++) nnrt__free(model->ports[i].name);
    nnrt__free(model->ports);
    nnrt__free(model->values);
    nnrt__free(model->properties);
    nnrt__free(model);
}

/* --------------------------------------------------------------------------------------- a canary's memory */

#define NNRT__BPU_CANARY 64u  /* bytes behind a structure */
#define NNRT__BPU_UNSET 0xc5u /* marks unwritten bytes; impossible as a size */

/* Bytes that one query needs, a multiple of 8. */
NNRT__FN size_t nnrt__bpu_query_size(const nnrt__bpu_layout *layout) {
    return (size_t)layout->properties_size + NNRT__BPU_CANARY;
}

/* Fields that a library does not write are 0, as in the vendor's own programs; strides of pictures may be among
   them. */
NNRT__FN void nnrt__bpu_query_begin(const nnrt__bpu_layout *layout, uint8_t *properties) {
    memset(properties, 0, layout->properties_size);
    memset(properties + layout->byte_size, NNRT__BPU_UNSET, sizeof(int32_t));
    memset(properties + layout->properties_size, NNRT__BPU_UNSET, NNRT__BPU_CANARY);
}

/* Whether the size bytes at from are all unwritten. */
NNRT__FN bool nnrt__bpu_is_unset(const uint8_t *from, size_t size) {
    size_t i;
    for (i = 0; i < size && from[i] == NNRT__BPU_UNSET; i++) continue;
    return i == size;
}

/* Checks that the library wrote a structure of its version. The size is the last field that every tensor has. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_query_end(const nnrt__bpu_library *library, const uint8_t *properties) {
    const nnrt__bpu_layout *layout = library->layout;
    const bool beyond = !nnrt__bpu_is_unset(properties + layout->properties_size, NNRT__BPU_CANARY);
    const bool short_of = nnrt__bpu_is_unset(properties + layout->byte_size, sizeof(int32_t));
    if (!beyond && !short_of) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED,
                      "%.80s is version %.30s and %s its structures: it is not what it says, and nnrt cannot use it",
                      library->name, library->version, beyond ? "writes beyond" : "does not fill");
}

/* ------------------------------------------------------------------------------------------------- loading */

/* Checks the file before the library sees it. bytes are valid during the call. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_look_at_bytes(nnrt__bpu_model *model, const void *bytes, size_t size,
                                                  uint32_t *models) {
    const nnrt__bpu_device *device = model->device;
    nnrt__bpu_file file;
    OH_NN_ReturnCode code = nnrt__bpu_file_read(bytes, size, &file);
    if (code == OH_NN_SUCCESS)
        code = nnrt__bpu_file_check_board(&file, device->library.layout->is_ucp != 0,
                                          device->march != NULL ? device->march->name : NULL);
    memcpy(model->march, file.march_text, sizeof(model->march));
    model->file_size = size;
    *models = file.models;
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_look_at_file(nnrt__bpu_model *model, const nnrt_request *request,
                                                 uint32_t *models) {
    nnrt__mapping mapping;
    OH_NN_ReturnCode code;
    if (request->model_path == NULL) return nnrt__bpu_look_at_bytes(model, request->model, request->model_size, models);
    code = nnrt__npu_map_file(request->model_path, request->read_files, &mapping);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__bpu_look_at_bytes(model, mapping.data, mapping.size, models);
    nnrt__unmap_file(&mapping);
    return code;
}

/* After the library refused an apparently intact file: checks its contents for damage. OH_NN_SUCCESS: none found. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_find_damage(const nnrt_request *request) {
    nnrt__mapping mapping;
    nnrt__bpu_file file;
    OH_NN_ReturnCode code;
    memset(&mapping, 0, sizeof(mapping));
    mapping.data = request->model;
    mapping.size = request->model_size;
    if (request->model_path != NULL && nnrt__npu_map_file(request->model_path, request->read_files, &mapping) != 0)
        return OH_NN_SUCCESS; /* it was there before */
    code = nnrt__bpu_file_read(mapping.data, mapping.size, &file);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_file_check_sums(&file);
    if (request->model_path != NULL) nnrt__unmap_file(&mapping);
    return code;
}

/* Gives the library a buffer that stays unchanged until release, as it may not copy it. The program's buffer is copied
   if it may be freed earlier. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_keep_bytes(nnrt__bpu_model *model, const nnrt_request *request) {
    if (!request->bytes_go) {
        model->bytes = request->model;
        return OH_NN_SUCCESS;
    }
    model->copy = nnrt__alloc(request->model_size);
    if (model->copy == NULL)
        return nnrt__fail(
            OH_NN_MEMORY_ERROR,
            "out of memory for a copy of the model, %zu bytes: give it as a file, or, where it stays until "
            "its executors are gone, call nnrt_compilation_use_in_place",
            request->model_size);
    memcpy(model->copy, request->model, request->model_size);
    model->bytes = model->copy;
    return OH_NN_SUCCESS;
}

/* The library loads the file. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_load_file(nnrt__bpu_model *model, const nnrt_request *request) {
    const nnrt__bpu_api *api = &model->device->library.api;
    nnrt__bpu_handle packed = NULL; /* after a failure it may be anything */
    int32_t vendor_code;
    if (request->model_path == NULL && request->model_size > INT32_MAX)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model has %zu bytes, and the library takes less than 2 GiB from memory: give it as a "
                          "file",
                          request->model_size);
    if (request->model_path != NULL) {
        vendor_code = api->load_files(&packed, &request->model_path, 1);
    } else {
        const int32_t size = (int32_t)request->model_size;
        const OH_NN_ReturnCode code = nnrt__bpu_keep_bytes(model, request);
        if (code != OH_NN_SUCCESS) return code;
        vendor_code = api->load_memory(&packed, &model->bytes, &size, 1);
    }
    if (vendor_code == 0 && packed != NULL) {
        model->packed = packed;
        return OH_NN_SUCCESS;
    }
    if (vendor_code == 0) return nnrt__fail(OH_NN_FAILED, "the library loads the model and gives no handle");
    if (vendor_code == NNRT__BPU_INVALID_MODEL && nnrt__bpu_find_damage(request) != OH_NN_SUCCESS)
        return OH_NN_INVALID_FILE;
    if (vendor_code != NNRT__UCP_INVALID_ARGUMENT)
        return nnrt__bpu_fail(vendor_code,
                              request->model_path != NULL ? "hbDNNInitializeFromFiles" : "hbDNNInitializeFromDDR");
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                      "the library loads no model at all: it finds no BPU that it knows; check that the driver is "
                      "loaded and that the library is of the board's release (code %d)",
                      (int)vendor_code);
}

/* Writes the names in a file, "a, b", to text, truncated. */
NNRT__FN void nnrt__bpu_list_names(const char *const *names, int32_t count, char *text, size_t size) {
    int32_t i;
    text[0] = '\0';
    for (i = 0; i < count; i++) {
        const size_t used = strlen(text);
        nnrt__format(text + used, size - used, "%s%s", i == 0 ? "" : ", ", names[i] != NULL ? names[i] : "?");
    }
}

/* Chooses the model that bpu.model names, or the only one. file_models: number of models in the file, 0: unknown. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_choose_model(nnrt__bpu_model *model, uint32_t file_models) {
    const nnrt__bpu_api *api = &model->device->library.api;
    const char *wanted = model->options.model;
    const char *const *names = NULL;
    int32_t count = 0, found = -1, i, k;
    int32_t vendor_code = api->names(&names, &count, model->packed);
    if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, "hbDNNGetModelNameList");
    if (names == NULL || count < 1 || count > 65535)
        return nnrt__fail(OH_NN_FAILED, "the library finds %d models in the file", (int)count);
    nnrt__bpu_list_names(names, count, model->names, sizeof(model->names));
    for (i = 0; i < count; i++) {
        if (names[i] == NULL) return nnrt__fail(OH_NN_FAILED, "the library has a model without a name");
        for (k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0)
                nnrt__log(NNRT_LOG_WARNING,
                          "two models of the file are called \"%.80s\": which one runs is the "
                          "library's choice",
                          names[i]);
        if (found < 0 && strcmp(names[i], wanted) == 0) found = i;
    }
    if (file_models > (uint32_t)count)
        nnrt__log(NNRT_LOG_WARNING,
                  "the file has %u models, and the library shows %d: it drops those that have the "
                  "name of another",
                  (unsigned)file_models, (int)count);
    if (wanted[0] == '\0' && count == 1) found = 0;
    if (wanted[0] == '\0' && count > 1)
        return nnrt__fail(OH_NN_FAILED, "the file has %d models, choose one with bpu.model: %.150s", (int)count,
                          model->names);
    if (found < 0)
        return nnrt__fail(OH_NN_FAILED, "bpu.model \"%.60s\" is not in the file, which has %.120s", wanted,
                          model->names);
    nnrt__format(model->name, sizeof(model->name), "%s", names[found]);
    vendor_code = api->model(&model->handle, model->packed, names[found]);
    if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, "hbDNNGetModelHandle");
    if (model->handle == NULL) return nnrt__fail(OH_NN_FAILED, "the library gives no handle of its model");
    return OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------------------- description */

NNRT__FN OH_NN_ReturnCode nnrt__bpu_count(nnrt__bpu_model *model) {
    const nnrt__bpu_api *api = &model->device->library.api;
    int32_t inputs = 0, outputs = 0;
    int32_t vendor_code = api->input_count(&inputs, model->handle);
    if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, "hbDNNGetInputCount");
    vendor_code = api->output_count(&outputs, model->handle);
    if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, "hbDNNGetOutputCount");
    if (inputs < 1 || outputs < 1 || inputs > (int32_t)NNRT__BPU_MAX_IO || outputs > (int32_t)NNRT__BPU_MAX_IO)
        return nnrt__fail(OH_NN_FAILED, "the model has %d inputs and %d outputs; 1 to %u are possible", (int)inputs,
                          (int)outputs, NNRT__BPU_MAX_IO);
    model->value_inputs = (uint32_t)inputs;
    model->value_outputs = (uint32_t)outputs;
    return OH_NN_SUCCESS;
}

/* Makes a value and its ports from the library's description of an input or output. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_describe_value(nnrt__bpu_model *model, uint32_t index) {
    const nnrt__bpu_library *library = &model->device->library;
    const nnrt__bpu_api *api = &library->api;
    const bool input = index < model->value_inputs;
    const int32_t number = (int32_t)(input ? index : index - model->value_inputs);
    nnrt__bpu_value *value = &model->values[index];
    const char *name = NULL;
    int32_t vendor_code = (input ? api->input_name : api->output_name)(&name, model->handle, number);
    OH_NN_ReturnCode code;
    if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, input ? "hbDNNGetInputName" : "hbDNNGetOutputName");
    if (name == NULL) name = "";
    nnrt__bpu_query_begin(library->layout, value->properties);
    vendor_code = (input ? api->input_properties : api->output_properties)(value->properties, model->handle, number);
    if (vendor_code != 0)
        return nnrt__bpu_fail(vendor_code, input ? "hbDNNGetInputTensorProperties" : "hbDNNGetOutputTensorProperties");
    code = nnrt__bpu_query_end(library, value->properties);
    if (code == OH_NN_SUCCESS)
        code =
            nnrt__bpu_describe(&value->tensor, library->layout, value->properties, model->device->row_alignment, name);
    if (code != OH_NN_SUCCESS) return code;
    return value->resized ? nnrt__bpu_add_resized(model, index, name) : nnrt__bpu_add_ports(model, index, name);
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_describe_model(nnrt__bpu_model *model) {
    OH_NN_ReturnCode code = nnrt__bpu_count(model);
    uint32_t count, i;
    size_t size;
    if (code != OH_NN_SUCCESS) return code;
    count = model->value_inputs + model->value_outputs;
    size = nnrt__bpu_query_size(model->device->library.layout);
    model->values = (nnrt__bpu_value *)nnrt__alloc_zero(count, sizeof(model->values[0]));
    model->properties = (uint8_t *)nnrt__alloc_zero(count, size);
    model->ports = (nnrt__bpu_port *)nnrt__alloc_zero((size_t)count + model->value_inputs,
                                                      sizeof(model->ports[0])); /* planes, regions */
    if (model->values == NULL || model->properties == NULL || model->ports == NULL) return nnrt__fail_memory();
    for (i = 0; i < count; i++) model->values[i].properties = model->properties + i * size;
    code = nnrt__bpu_find_resized(model);
    for (i = 0; i < count && code == OH_NN_SUCCESS; i++) code = nnrt__bpu_describe_value(model, i);
    return code;
}

/* Chooses the cores for tasks of the model; a multi-core model needs as many as it was compiled for. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_choose_cores(nnrt__bpu_model *model) {
    const nnrt__bpu_api *api = &model->device->library.api;
    uint32_t named = 0, bits;
    int32_t cores = 1;
    if (api->core_count != NULL) {
        const int32_t vendor_code = api->core_count(&cores, model->handle);
        if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, "hbDNNGetCompileBpuCoreNum");
    }
    if (cores < 1) cores = 1;
    if (cores > 4) return nnrt__fail(OH_NN_FAILED, "the model is for %d cores, and 4 are the most", (int)cores);
    model->cores = (uint32_t)cores;
    model->schedule = model->options.cores;
    if (model->options.cores == 0) model->schedule = cores > 1 ? ((uint64_t)1 << cores) - 1 : NNRT__UCP_ANY_CORE;
    for (bits = model->options.cores; bits != 0; bits >>= 1) named += bits & 1u;
    if (named == 0 || cores == 1 || named == model->cores) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED, "bpu.cores names %u, and the model was compiled for %u", (unsigned)named,
                      (unsigned)model->cores);
}

/* ------------------------------------------------------------------------------------------------- prepare */

/* All of Build. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_prepare_model(nnrt__npu_model *base, const nnrt_request *request) {
    nnrt__bpu_model *model = (nnrt__bpu_model *)base;
    uint32_t models = 0;
    OH_NN_ReturnCode code;
    if (request->graph != NULL)
        return nnrt__fail(OH_NN_FAILED, "the BPU runs .bin and .hbm files, which Horizon's tools make, and no graphs");
    model->device = (nnrt__bpu_device *)base->device;
    base->options = &model->options.npu;
    base->step_count = NNRT__BPU_STEPS;
    code = nnrt__bpu_take_request(request, model->device->library.layout, &model->options);
    model->form = model->options.raw        ? NNRT__BPU_FORM_RAW
                  : model->options.as_float ? NNRT__BPU_FORM_FLOAT
                                            : NNRT__BPU_FORM_LOGICAL;
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_look_at_file(model, request, &models);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_load_file(model, request);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_choose_model(model, models);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_describe_model(model);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_choose_cores(model);
    return code;
}

/* Slot supports. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return nnrt__fail(OH_NN_UNSUPPORTED, "the BPU runs .bin and .hbm files, which Horizon's tools make, and no graphs");
}

NNRT__FN const nnrt_io_desc *nnrt__bpu_desc(const nnrt__npu_model *base, uint32_t port) {
    return &((const nnrt__bpu_model *)base)->ports[port].desc;
}

/* Slot input_range. The limits of a dynamic model are unknown before it runs. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims) {
    const nnrt__bpu_model *model = (const nnrt__bpu_model *)prepared;
    const nnrt__bpu_port *port = &model->ports[index];
    const nnrt_io_desc *desc = &port->desc;
    const size_t most = (size_t)NNRT__BPU_MAX_BATCH * (port->part == NNRT__BPU_REGIONS ? 1u : (uint32_t)port->unit);
    uint32_t d;
    NNRT_ASSERT(index < model->npu.input_count);
    for (d = 0; d < desc->rank; d++) {
        min_dims[d] = 1;
        max_dims[d] = d == 0 && model->resized != 0 ? most : INT32_MAX;
        if (desc->dims[d] > 0) min_dims[d] = max_dims[d] = (size_t)desc->dims[d];
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_BPU_MODEL_H */
