/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/rknn_device.h - a device for .rknn files of RV1103 and RV1106, without the vendor's library.
   >>rknpu_open_rknn_device

   Build reads the file, makes its image and has it checked (rknn_image.h), so that a file that cannot run is refused
   there with the task or operator that is to blame; then it lets all of that go. An executor reads the file again and
   loads it, a session of its own (session.h). Inputs and outputs are int8 and copied: a picture comes with its channels
   last, outputs have the shape of the model, as the vendor's runtime has them. */
#ifndef NNRT_RKNPU_OPEN_RKNN_DEVICE_H
#define NNRT_RKNPU_OPEN_RKNN_DEVICE_H

#include "../core/log.h"
#include "../npu/settings.h"
#include "rknn_image.h"
#include "session.h"

#define NNRT__OPEN_RKNN_TIMEOUT_MS 1000u /* unless rknn.timeout_ms says otherwise */

typedef enum nnrt__open_rknn_setting {
    NNRT__OPEN_RKNN_SET_OPEN,
    NNRT__OPEN_RKNN_SET_LAYOUT,
    NNRT__OPEN_RKNN_SET_TIMEOUT
} nnrt__open_rknn_setting;

typedef struct nnrt__open_rknn_options {
    bool asked;         /* rknn.open is 1 */
    bool channels_last; /* of outputs, too */
    uint32_t timeout_ms;
} nnrt__open_rknn_options;

typedef struct nnrt__open_rknn_model {
    nnrt__open_rknn_options options;
    nnrt__open_rknn_ports ports;
    size_t memory, weights; /* bytes that an executor takes of the NPU's memory, and of them those of the file */
    const char *path;       /* NULL: bytes of the program's */
    bool read_it;
    const void *bytes;
    size_t size;
} nnrt__open_rknn_model;

typedef struct nnrt__open_rknn_executor {
    const nnrt__open_rknn_model *model;
    nnrt__open_npu_session *session;
} nnrt__open_rknn_executor;

/* --------------------------------------------------------------------------------------------------- configs */

NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_take_config(nnrt__open_rknn_options *options, const nnrt_config *config) {
    static const nnrt__setting rows[] = {
        {"rknn.open", NNRT__OPEN_RKNN_SET_OPEN, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.io_layout", NNRT__OPEN_RKNN_SET_LAYOUT, NNRT__SETTING_WORD, "model|nhwc", 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.timeout_ms", NNRT__OPEN_RKNN_SET_TIMEOUT, NNRT__SETTING_NUMBER, NULL, INT32_MAX,
         NNRT__SETTING_FOR_MODELS}};
    const nnrt__setting *row = nnrt__setting_find(rows, NNRT__COUNT_OF(rows), config->name);
    nnrt__setting_value value;
    OH_NN_ReturnCode code;
    if (row == NULL)
        return nnrt__setting_unknown(rows, NNRT__COUNT_OF(rows), config->name,
                                     "the device for a .rknn without the vendor's library");
    code = nnrt__setting_parse(row, config, &value);
    if (code != OH_NN_SUCCESS) return code;
    if (row->id == NNRT__OPEN_RKNN_SET_OPEN && value.number == 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "rknn.open 0 wants Rockchip's library, which this device does without");
    if (row->id == NNRT__OPEN_RKNN_SET_OPEN) options->asked = true;
    else if (row->id == NNRT__OPEN_RKNN_SET_LAYOUT) options->channels_last = value.number == 1;
    else options->timeout_ms = value.number != 0 ? value.number : NNRT__OPEN_RKNN_TIMEOUT_MS;
    return OH_NN_SUCCESS;
}

/* Slot check_config. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_check_config(void *device, const nnrt_config *config) {
    nnrt__open_rknn_options options;
    (void)device;
    return nnrt__open_rknn_take_config(&options, config);
}

/* ---------------------------------------------------------------------------------------------- the compilation */

/* The image of the model's file, as often as it is wanted; *image and ports->ports are to be freed. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_image_of(const nnrt__open_rknn_model *model, uint8_t **image, size_t *size,
                                                   nnrt__open_rknn_ports *ports) {
    nnrt__mapping file;
    OH_NN_ReturnCode code;
    const char *reason;
    if (model->path == NULL) return nnrt__open_rknn_make(model->bytes, model->size, image, size, ports);
    reason = nnrt__take_file(model->path, model->read_it, &file);
    if (reason != NULL)
        return nnrt__fail(reason == nnrt__file_no_memory ? OH_NN_MEMORY_ERROR : OH_NN_INVALID_FILE,
                          "model file \"%.100s\" %s", model->path, reason);
    code = nnrt__open_rknn_make(file.data, file.size, image, size, ports);
    nnrt__unmap_file(&file);
    return code;
}

/* Slot release. */
NNRT__FN void nnrt__open_rknn_release(void *prepared) {
    nnrt__open_rknn_model *model = (nnrt__open_rknn_model *)prepared;
    nnrt__free(model->ports.ports);
    nnrt__free((void *)(uintptr_t)model->path);
    nnrt__free(model);
}

/* Everything but the structure itself. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_prepare_model(nnrt__open_rknn_model *model, const nnrt_request *request) {
    nnrt__open_npu_header header;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint8_t *image;
    size_t size;
    uint32_t i;
    model->options.timeout_ms = NNRT__OPEN_RKNN_TIMEOUT_MS;
    for (i = 0; i < request->config_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__open_rknn_take_config(&model->options, &request->configs[i]);
    if (code != OH_NN_SUCCESS) return code;
    model->bytes = request->model;
    model->size = request->model_size;
    model->read_it = request->read_files;
    if (request->model_path != NULL) {
        model->path = nnrt__copy_string(request->model_path);
        if (model->path == NULL) return nnrt__fail_memory();
    }
    code = nnrt__open_rknn_image_of(model, &image, &size, &model->ports);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__open_npu_header_read(image, &header);
    model->memory = header.memory_size;
    model->weights = header.loaded_size;
    nnrt__free(image);
    nnrt__log(
        model->options.asked ? NNRT_LOG_INFO : NNRT_LOG_WARNING,
        "the .rknn runs through the kernel's driver, without Rockchip's library (%s): no silicon has run this yet, "
        "see docs/open_npu.md",
        model->options.asked ? "rknn.open is 1" : "which is not here, or not asked for; rknn.open 0 forbids it");
    return OH_NN_SUCCESS;
}

/* Slot prepare. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_prepare(void *device, const nnrt_request *request, void **prepared) {
    nnrt__open_rknn_model *model;
    OH_NN_ReturnCode code;
    (void)device;
    if (request->graph != NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "this device runs .rknn files; graphs are for rknpu_open_rv1106");
    model = (nnrt__open_rknn_model *)nnrt__alloc_zero(1, sizeof(*model));
    if (model == NULL) return nnrt__fail_memory();
    code = nnrt__open_rknn_prepare_model(model, request);
    if (code != OH_NN_SUCCESS) nnrt__open_rknn_release(model);
    else *prepared = model;
    return code == OH_NN_UNSUPPORTED ? OH_NN_FAILED : code;
}

/* Slot supports. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return nnrt__fail(OH_NN_UNSUPPORTED, "this device runs .rknn files; graphs are for rknpu_open_rv1106");
}

/* Slot io_count. */
NNRT__FN void nnrt__open_rknn_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    const nnrt__open_rknn_model *model = (const nnrt__open_rknn_model *)prepared;
    *inputs = model->ports.input_count;
    *outputs = model->ports.output_count;
}

/* Slot io_desc. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    const nnrt__open_rknn_model *model = (const nnrt__open_rknn_model *)prepared;
    const nnrt__open_rknn_port *port = &model->ports.ports[index + (output ? model->ports.input_count : 0)];
    const bool planes = port->rank == 4 && port->place.layout != NNRT__OPEN_NPU_FLAT;
    const bool channels_last = planes && (!output || model->options.channels_last);
    uint32_t i;
    memset(desc, 0, sizeof(*desc));
    desc->name = port->name;
    desc->dtype = OH_NN_INT8;
    desc->format = !planes ? OH_NN_FORMAT_NONE : channels_last ? OH_NN_FORMAT_NHWC : OH_NN_FORMAT_NCHW;
    desc->rank = port->rank;
    for (i = 0; i < port->rank; i++) desc->dims[i] = (int32_t)port->dims[channels_last && i > 0 ? 1 + i % 3 : i];
    desc->scale = port->scale;
    desc->zero_point = port->zero_point;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ an executor */

/* Slot close_executor. */
NNRT__FN void nnrt__open_rknn_close_executor(void *executor) {
    nnrt__open_rknn_executor *self = (nnrt__open_rknn_executor *)executor;
    nnrt__open_npu_close(self->session);
    nnrt__free(self);
}

/* Are these the ends that Build has told? The file may be another one by now. */
NNRT__FN bool nnrt__open_rknn_is_same(const nnrt__open_rknn_ports *a, const nnrt__open_rknn_ports *b) {
    return a->input_count == b->input_count && a->output_count == b->output_count &&
           memcmp(a->ports, b->ports, ((size_t)a->input_count + a->output_count) * sizeof(a->ports[0])) == 0;
}

/* Slot open_executor. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_open_executor(void *prepared, void **executor) {
    const nnrt__open_rknn_model *model = (const nnrt__open_rknn_model *)prepared;
    nnrt__open_rknn_executor *self = (nnrt__open_rknn_executor *)nnrt__alloc_zero(1, sizeof(*self));
    nnrt__open_rknn_ports ports;
    OH_NN_ReturnCode code;
    uint8_t *image;
    size_t size;
    if (self == NULL) return nnrt__fail_memory();
    self->model = model;
    code = nnrt__open_rknn_image_of(model, &image, &size, &ports);
    if (code == OH_NN_SUCCESS) {
        code = nnrt__open_rknn_is_same(&model->ports, &ports)
                   ? nnrt__open_npu_open(image, size, &self->session)
                   : nnrt__fail(OH_NN_INVALID_FILE, "the .rknn has other inputs and outputs than when it was built");
        nnrt__free(ports.ports);
        nnrt__free(image);
    }
    if (code != OH_NN_SUCCESS) {
        nnrt__free(self);
        return code;
    }
    self->session->channels_first = !model->options.channels_last;
    *executor = self;
    return OH_NN_SUCCESS;
}

/* Type and shape of a tensor of a run. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_check_io(const nnrt__open_rknn_model *model, bool output, uint32_t index,
                                                   const nnrt_io *io) {
    nnrt__shape_text given, wanted;
    nnrt_io_desc desc;
    bool same;
    (void)given;
    (void)wanted;
    if (io->declared) return OH_NN_SUCCESS;
    (void)nnrt__open_rknn_io_desc((void *)(uintptr_t)model, output, index, &desc);
    if (io->dtype != desc.dtype)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is %s, the model has %s", output ? "output" : "input",
                          (unsigned)index, nnrt__dtype_name(io->dtype), nnrt__dtype_name(desc.dtype));
    same = output || (io->rank == desc.rank && memcmp(io->dims, desc.dims, desc.rank * sizeof(desc.dims[0])) == 0);
    if (!same)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u is %s, the model has %s", (unsigned)index,
                          nnrt__shape_print(&given, io->rank, io->dims),
                          nnrt__shape_print(&wanted, desc.rank, desc.dims));
    if (io->size < nnrt__open_rknn_values(&model->ports.ports[index + (output ? model->ports.input_count : 0)]))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is smaller than the model's", output ? "output" : "input",
                          (unsigned)index);
    return OH_NN_SUCCESS;
}

/* Slot run. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_run(void *executor, const nnrt_io *inputs, size_t input_count,
                                              nnrt_io *outputs, size_t output_count) {
    nnrt__open_rknn_executor *self = (nnrt__open_rknn_executor *)executor;
    const nnrt__open_rknn_model *model = self->model;
    const void *from[NNRT__OPEN_NPU_MOST_PORTS];
    void *to[NNRT__OPEN_NPU_MOST_PORTS];
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt_io_desc desc;
    uint32_t i;
    NNRT_ASSERT(input_count == model->ports.input_count && output_count == model->ports.output_count);
    memset(from, 0, sizeof(from));
    memset(to, 0, sizeof(to));
    for (i = 0; i < input_count && code == OH_NN_SUCCESS; i++) {
        code = nnrt__open_rknn_check_io(model, false, i, &inputs[i]);
        from[i] = inputs[i].data;
    }
    for (i = 0; i < output_count && code == OH_NN_SUCCESS; i++) {
        code = nnrt__open_rknn_check_io(model, true, i, &outputs[i]);
        to[i] = outputs[i].data;
    }
    if (code == OH_NN_SUCCESS) code = nnrt__open_npu_run(self->session, from, to, model->options.timeout_ms);
    for (i = 0; i < output_count && code == OH_NN_SUCCESS; i++) {
        (void)nnrt__open_rknn_io_desc((void *)(uintptr_t)model, true, i, &desc);
        outputs[i].rank = desc.rank;
        memcpy(outputs[i].dims, desc.dims, sizeof(desc.dims));
    }
    return code;
}

/* Slot memory. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_memory(void *executor, nnrt_memory *memory) {
    const nnrt__open_rknn_executor *self = (const nnrt__open_rknn_executor *)executor;
    const nnrt__open_rknn_model *model = self->model;
    memory->device_bytes = model->memory;
    memory->weights_bytes = model->weights;
    memory->heap_bytes = nnrt__block_bytes(self) + nnrt__block_bytes(self->session) +
                         nnrt__block_bytes(self->session->ports) + nnrt__block_bytes(self->session->job.records) +
                         nnrt__block_bytes(model) + nnrt__block_bytes(model->ports.ports) +
                         nnrt__block_bytes(model->path);
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------- the device */

/* Slot inspect. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_inspect(const void *bytes, size_t size, nnrt_inspect_callback tell,
                                                  void *user) {
    nnrt__open_npu_header header;
    nnrt__open_rknn_ports ports;
    OH_NN_ReturnCode code;
    char text[96];
    uint8_t *image;
    size_t image_size;
    if (!nnrt__open_rknn_is(bytes, size)) return OH_NN_UNSUPPORTED;
    if (tell == NULL) return OH_NN_SUCCESS;
    code = nnrt__open_rknn_make(bytes, size, &image, &image_size, &ports);
    if (code == OH_NN_MEMORY_ERROR || code == OH_NN_INVALID_FILE) return code;
    tell(user, "kind", "Rockchip .rknn");
    if (code != OH_NN_SUCCESS) {
        tell(user, "without the library", nnrt__sentence());
        return OH_NN_SUCCESS;
    }
    nnrt__open_npu_header_read(image, &header);
    nnrt__free(image);
    nnrt__free(ports.ports);
    nnrt__format(text, sizeof(text), "%u tasks, %u bytes of the NPU's memory", (unsigned)header.task_count,
                 (unsigned)header.memory_size);
    tell(user, "without the library", text);
    return OH_NN_SUCCESS;
}

/* Slot open. OH_NN_UNSUPPORTED: this is no such board. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_open(void *user, void **device) {
    nnrt__open_npu_chip chip = NNRT__OPEN_NPU_RK3588;
    char sentence[NNRT__SENTENCE_SIZE];
    bool pools;
    (void)user;
    if (!nnrt__open_npu_find(&chip, &pools, sentence, sizeof(sentence)))
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s", sentence);
    if (chip != NNRT__OPEN_NPU_RV1106)
        return nnrt__fail(OH_NN_UNSUPPORTED, "a .rknn runs without Rockchip's library on RV1103 and RV1106 alone: %s",
                          sentence);
    *device = NULL;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_OPEN_RKNN_DEVICE_H */
