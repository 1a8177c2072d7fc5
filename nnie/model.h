/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/model.h - compilations of the NNIE device: checks, loads, plans and describes a .wk.   >>nnie_model

   file.h finds all faults of a file before the library sees it: the library has one code for all of them, prints on the
   console, and crashes on some. Its description of the file is compared with nnrt's. The file stays in MMZ while the
   model lives, because the engine reads weights and instructions there; LoadModel moves both addresses that it was
   given, so nnrt frees its own copy of them. */
#ifndef NNRT_NNIE_MODEL_H
#define NNRT_NNIE_MODEL_H

#include "config.h"
#include "device.h"
#include "ports.h"

/* ------------------------------------------------------------------------------------------------ release */

/* Bytes of NNRT_MALLOC that the model holds. */
NNRT__FN size_t nnrt__nnie_model_bytes(const nnrt__nnie_prepared *model) {
    size_t bytes = nnrt__block_bytes(model) + nnrt__block_bytes(model->loaded) + nnrt__block_bytes(model->layers) +
                   nnrt__block_bytes(model->values) + nnrt__block_bytes(model->ports) + nnrt__block_bytes(model->file);
    uint32_t i;
    for (i = 0; model->layers != NULL && i < model->layer_count; i++) bytes += nnrt__block_bytes(model->layers[i].name);
    return bytes;
}

NNRT__FN void nnrt__nnie_release(nnrt__npu_model *base) {
    nnrt__nnie_prepared *model = (nnrt__nnie_prepared *)base;
    uint32_t i;
    if (model->uses_temporary) nnrt__nnie_temporary_leave(model->device);
    if (model->loaded != NULL) (void)model->device->library.api.unload_model(model->loaded);
    nnrt__npu_block_release(model->file);
    if (model->uses_system) nnrt__nnie_system_leave(model->device);
    for (i = 0; model->layers != NULL && i < model->layer_count; i++) nnrt__free(model->layers[i].name);
    nnrt__free(model->layers);
    nnrt__free(model->values);
    nnrt__free(model->ports);
    nnrt__free(model->loaded);
    nnrt__free(model);
}

/* ------------------------------------------------------------------------------------------------- loading */

/* Every library refuses files of another family with its general code. The number of cores shows a library's family. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_check_chip(const nnrt__nnie_device *device, const nnrt__wk_file *file) {
    const uint32_t wanted = device->cores == 2 ? NNRT__WK_FOR_HI3559A : NNRT__WK_FOR_HI3516C;
    if (file->simulation)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file was made for the simulation on a PC (is_simulation 1): map it again for the "
                          "chip");
    if (file->architecture == wanted) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_FILE, "the .wk file was made for %s, and this board has %s: map it again for that",
                      nnrt__wk_chips(file->architecture), nnrt__wk_chips(wanted));
}

/* Compares the library's description of the file with nnrt's: everything that is relied on later. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_compare(const nnrt__nnie_model *loaded, const nnrt__wk_file *file) {
    uint32_t i, k;
    bool same = loaded->segments == file->segments && loaded->temporary_size != 0;
    for (i = 0; i < file->segments && same; i++) {
        const nnrt__wk_segment *told = &file->segment[i];
        const nnrt__nnie_segment *segment = &loaded->segment[i];
        same = segment->type == told->type && segment->inputs == told->inputs && segment->outputs == told->outputs &&
               (told->type != NNRT__NNIE_NET_RECURRENT || segment->max_steps == told->max_steps);
        for (k = 0; k < told->inputs + told->outputs && same; k++) {
            const nnrt__nnie_node *node = k < told->inputs ? &segment->input[k] : &segment->output[k - told->inputs];
            nnrt__nnie_node read;
            nnrt__wk_node(file, i, k, &read);
            same = node->type == read.type && node->width == read.width &&
                   strncmp(node->name, read.name, sizeof(read.name)) == 0 &&
                   (node->type == NNRT__NNIE_SEQ_S32 /* has no other dimension */ ||
                    (node->height == read.height && node->channels == read.channels));
        }
    }
    if (same) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED,
                      "HI_MPI_SVP_NNIE_LoadModel describes another model than the .wk file does: the library is of a "
                      "version that nnrt does not know");
}

/* Copies the file to MMZ and lets the library load it. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_load(nnrt__nnie_prepared *model, const nnrt__wk_file *file) {
    nnrt__nnie_memory memory;
    nnrt__nnie_model *loaded;
    int32_t vendor_code;
    OH_NN_ReturnCode code;
    if (file->size > INT32_MAX)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .wk file says that it has %llu bytes; less than 2 GiB are possible",
                          (unsigned long long)file->size);
    code = nnrt__nnie_block_new(model->device, "nnrt model", false, (size_t)file->size, &model->file);
    if (code != OH_NN_SUCCESS) return code;
    memcpy(model->file->data, file->bytes, (size_t)file->size);
    loaded = (nnrt__nnie_model *)nnrt__alloc_zero(1, sizeof(*loaded));
    if (loaded == NULL) return nnrt__fail_memory();
    memset(&memory, 0, sizeof(memory));
    memory.physical = model->file->physical;
    memory.address = (uint64_t)(uintptr_t)model->file->data;
    memory.size = (uint32_t)model->file->size;
    vendor_code = model->device->library.api.load_model(&memory, loaded);
    if (vendor_code != 0) {
        nnrt__free(loaded);
        if ((uint32_t)vendor_code != NNRT__NNIE_ILLEGAL_PARAM)
            return nnrt__nnie_fail(vendor_code, "HI_MPI_SVP_NNIE_LoadModel");
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "HI_MPI_SVP_NNIE_LoadModel refused the .wk file, which is whole: it is for another chip than "
                          "this library, or of a mapper that the library does not know (code 0x%x)",
                          (unsigned)vendor_code);
    }
    model->loaded = loaded;
    model->temporary_size = loaded->temporary_size;
    return nnrt__nnie_compare(loaded, file);
}

/* The task buffer that the most demanding segment needs. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_size_task(nnrt__nnie_prepared *model) {
    uint32_t sizes[NNRT__NNIE_MAX_SEGMENTS], i, boxes = 0;
    int32_t vendor_code;
    for (i = 0; i < model->loaded->segments; i++)
        if (model->loaded->segment[i].type == NNRT__NNIE_NET_ROI) boxes = model->max_boxes != 0 ? model->max_boxes : 1;
    memset(sizes, 0, sizeof(sizes));
    vendor_code = model->device->library.api.task_sizes(model->options.batch, boxes, model->loaded, sizes,
                                                        model->loaded->segments);
    if (vendor_code != 0) return nnrt__nnie_fail(vendor_code, "HI_MPI_SVP_NNIE_GetTskBufSize");
    NNRT_ASSERT(model->options.last_segment < model->loaded->segments); /* nnrt__nnie_choose_segments */
    for (i = model->options.first_segment; i <= model->options.last_segment; i++)
        if (sizes[i] > model->task_size) model->task_size = sizes[i];
    if (model->task_size != 0 && model->task_size <= INT32_MAX) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED, "HI_MPI_SVP_NNIE_GetTskBufSize says %u bytes", (unsigned)model->task_size);
}

/* Which segments run. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_choose_segments(nnrt__nnie_prepared *model, const nnrt__wk_file *file) {
    nnrt__nnie_options *options = &model->options;
    if (!options->chose_segments) options->last_segment = file->segments - 1;
    if (options->last_segment < file->segments) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED, "nnie.segments: the model has %u, 0 to %u", (unsigned)file->segments,
                      (unsigned)file->segments - 1);
}

/* All of Build, from the bytes of the file. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_prepare_bytes(nnrt__nnie_prepared *model, const void *bytes, size_t size) {
    nnrt__wk_file file;
    OH_NN_ReturnCode code = nnrt__wk_read(bytes, size, &file);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_check_chip(model->device, &file);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_choose_segments(model, &file);
    if (code != OH_NN_SUCCESS) return code;
    model->architecture = file.architecture;
    memcpy(model->mapper, file.mapper, sizeof(model->mapper));
    if (model->options.init_system) {
        code = nnrt__nnie_system_use(model->device);
        model->uses_system = code == OH_NN_SUCCESS;
    }
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_load(model, &file);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_plan(model, &file);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_size_task(model);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_plan_ports(model);
    if (code == OH_NN_SUCCESS) {
        code = nnrt__nnie_temporary_use(model->device, model->temporary_size);
        model->uses_temporary = code == OH_NN_SUCCESS;
    }
    return code;
}

/* The bytes of the request, for as long as Build takes. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_prepare_file(nnrt__nnie_prepared *model, const nnrt_request *request) {
    nnrt__mapping mapping;
    OH_NN_ReturnCode code;
    if (request->model_path == NULL) return nnrt__nnie_prepare_bytes(model, request->model, request->model_size);
    code = nnrt__npu_map_file(request->model_path, request->read_files, &mapping);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__nnie_prepare_bytes(model, mapping.data, mapping.size);
    nnrt__unmap_file(&mapping);
    return code;
}

/* All of Build. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_prepare_model(nnrt__npu_model *base, const nnrt_request *request) {
    nnrt__nnie_prepared *model = (nnrt__nnie_prepared *)base;
    OH_NN_ReturnCode code;
    if (request->graph != NULL)
        return nnrt__fail(OH_NN_FAILED, "the NNIE runs .wk files, which the vendor's mapper makes, and no graphs");
    model->device = (nnrt__nnie_device *)base->device;
    base->options = &model->options.npu;
    code = nnrt__nnie_take_request(request, &model->options);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_prepare_file(model, request);
    model->options.layers = NULL; /* the request's */
    base->step_count = 2u + model->stage_count + model->layer_count;
    return code;
}

/* Slot supports. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return nnrt__fail(OH_NN_UNSUPPORTED, "the NNIE runs .wk files, which the vendor's mapper makes, and no graphs");
}

/* ------------------------------------------------------------------------------------------ task buffers */

/* Registers the task buffer at the beginning of block, so that the driver does not map it for every task. If the
   driver's short list is full, tasks are only a little slower. */
NNRT__FN bool nnrt__nnie_register(const nnrt__nnie_prepared *model, const nnrt__npu_block *block) {
    nnrt__nnie_memory memory;
    int32_t vendor_code;
    memset(&memory, 0, sizeof(memory));
    memory.physical = block->physical;
    memory.address = (uint64_t)(uintptr_t)block->data;
    memory.size = model->task_size;
    vendor_code = model->device->library.api.add_task_memory(&memory);
    if (vendor_code == 0) return true;
    (void)nnrt__nnie_fail(vendor_code, "HI_MPI_SVP_NNIE_AddTskBuf");
    nnrt__log(NNRT_LOG_INFO, "the task buffer is mapped for every run: %s", nnrt__sentence());
    return false;
}

NNRT__FN void nnrt__nnie_unregister(const nnrt__nnie_prepared *model, const nnrt__npu_block *block) {
    nnrt__nnie_memory memory;
    memset(&memory, 0, sizeof(memory));
    memory.physical = block->physical;
    memory.address = (uint64_t)(uintptr_t)block->data;
    memory.size = model->task_size;
    (void)model->device->library.api.remove_task_memory(&memory);
}

/* -------------------------------------------------------------------------------------------- description */

NNRT__FN const nnrt_io_desc *nnrt__nnie_desc(const nnrt__npu_model *base, uint32_t port) {
    return &((const nnrt__nnie_prepared *)base)->ports[port].desc;
}

/* Slot input_range. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims) {
    const nnrt__nnie_prepared *model = (const nnrt__nnie_prepared *)prepared;
    const nnrt_io_desc *desc = &model->ports[index].desc;
    uint32_t d;
    NNRT_ASSERT(index < model->npu.input_count);
    for (d = 0; d < desc->rank; d++) {
        min_dims[d] = 1;
        max_dims[d] = d == 0 ? model->max_boxes : model->max_steps;
        if (desc->dims[d] > 0) min_dims[d] = max_dims[d] = (size_t)desc->dims[d];
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_NNIE_MODEL_H */
