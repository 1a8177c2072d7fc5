/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_ucp_dnn.c - libdnn.so of UCP: models and runs, around the board. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vendor_ucp.h"

#define DNN_CALL(name)                                                    \
    do {                                                                  \
        int32_t dnn_answer;                                               \
        if (sim_bpu_call(name, &dnn_answer)) return ucp_code(dnn_answer); \
    } while (0)

/* Types of 1.x begin with six of pictures; what is behind U64 is BOOL8 in both. */
#define DNN_IMAGES VENDOR_S4

static void dnn_show(const sim_bpu_properties *from, vendor_ucp_properties *to) {
    const sim_bpu_port *port = from->port;
    uint32_t i;
    memset(to, 0, sizeof(*to));
    for (i = 0; i < from->rank && i < 10; i++) {
        to->validShape.dimensionSize[i] = from->valid[i];
        to->stride[i] = from->stride[i];
    }
    to->validShape.numDimensions = (int32_t)from->rank;
    to->tensorType = from->type - DNN_IMAGES;
    to->quantiType = from->quant == VENDOR_SCALE ? 1 : 0;
    to->quantizeAxis = from->axis;
    to->alignedByteSize = from->bytes;
    to->scale.scaleLen = (int32_t)port->scales;
    to->scale.scaleData = port->scales ? port->scale : NULL;
    to->scale.zeroPointLen = (int32_t)port->zeros;
    to->scale.zeroPointData = port->zeros ? port->wide_zero : NULL;
}

static void dnn_take(const vendor_ucp_tensor *from, sim_bpu_tensor *to) {
    const vendor_ucp_shape *shape = &from->properties.validShape;
    uint32_t i;
    memset(to, 0, sizeof(*to));
    to->memory[0].physical = from->sysMem.phyAddr;
    to->memory[0].address = from->sysMem.virAddr;
    to->memory[0].size = from->sysMem.memSize;
    to->properties.rank = shape->numDimensions > 0 && shape->numDimensions <= 10 ? (uint32_t)shape->numDimensions : 0;
    for (i = 0; i < to->properties.rank; i++) {
        to->properties.valid[i] = shape->dimensionSize[i];
        to->properties.stride[i] = from->properties.stride[i];
    }
    to->properties.type = from->properties.tensorType + DNN_IMAGES;
}

static sim_bpu_tensor *dnn_take_all(const vendor_ucp_tensor *from, uint32_t count) {
    sim_bpu_tensor *to = (sim_bpu_tensor *)calloc(count + 1, sizeof(*to));
    uint32_t i;
    for (i = 0; to && i < count; i++) dnn_take(&from[i], &to[i]);
    return to;
}

/* ----------------------------------------------------------------------------------------------------------- models */

SIM_EXPORT const char *hbDNNGetVersion(void);
SIM_EXPORT int32_t hbDNNInitializeFromFiles(vendor_handle *packed, const char **files, int32_t count);
SIM_EXPORT int32_t hbDNNInitializeFromDDR(vendor_handle *packed, const void **data, int32_t *lengths, int32_t count);
SIM_EXPORT int32_t hbDNNRelease(vendor_handle packed);
SIM_EXPORT int32_t hbDNNGetModelNameList(const char ***names, int32_t *count, vendor_handle packed);
SIM_EXPORT int32_t hbDNNGetModelHandle(vendor_handle *model, vendor_handle packed, const char *name);
SIM_EXPORT int32_t hbDNNGetInputCount(int32_t *count, vendor_handle model);
SIM_EXPORT int32_t hbDNNGetOutputCount(int32_t *count, vendor_handle model);
SIM_EXPORT int32_t hbDNNGetInputName(const char **name, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetOutputName(const char **name, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetInputTensorProperties(vendor_ucp_properties *properties, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetOutputTensorProperties(vendor_ucp_properties *properties, vendor_handle model,
                                                  int32_t index);
SIM_EXPORT int32_t hbDNNGetInputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model,
                                     int32_t index);
SIM_EXPORT int32_t hbDNNGetOutputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model,
                                      int32_t index);
SIM_EXPORT int32_t hbDNNGetModelDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model);
SIM_EXPORT int32_t hbDNNGetHBMDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle packed,
                                   int32_t index);
SIM_EXPORT const char *hbDNNGetErrorDesc(int32_t code);

extern const char *hbUCPGetErrorDesc(int32_t code);

/* Says so once, and then answers what the other library does. */
const char *hbDNNGetErrorDesc(int32_t code) {
    sim_bpu_note("hbDNNGetErrorDesc is deprecated");
    return hbUCPGetErrorDesc(code);
}

const char *hbDNNGetVersion(void) { return ucp_release.text; }

static void say_first_model(void) {
    const char *text = getenv("NNRT_SIM_CHATTER");
    if (text && text[0] == '1') printf("[DNN]: libdnn %s loads its first model\n", ucp_release.text);
}

/* The first model that is loaded makes the library say so. */
static void dnn_chatter(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, say_first_model);
}

int32_t hbDNNInitializeFromFiles(vendor_handle *packed, const char **files, int32_t count) {
    DNN_CALL("hbDNNInitializeFromFiles");
    dnn_chatter();
    return ucp_code(sim_bpu_load_files(&ucp_release, packed, files, count));
}

int32_t hbDNNInitializeFromDDR(vendor_handle *packed, const void **data, int32_t *lengths, int32_t count) {
    DNN_CALL("hbDNNInitializeFromDDR");
    dnn_chatter();
    return ucp_code(sim_bpu_load_memory(&ucp_release, packed, data, lengths, count));
}

int32_t hbDNNRelease(vendor_handle packed) {
    int32_t answer;
    if (sim_bpu_call("hbDNNRelease", &answer)) {
        (void)sim_bpu_release_packed(packed, true);
        return ucp_code(answer);
    }
    return ucp_code(sim_bpu_release_packed(packed, false));
}

int32_t hbDNNGetModelNameList(const char ***names, int32_t *count, vendor_handle packed) {
    DNN_CALL("hbDNNGetModelNameList");
    return names && count ? ucp_code(sim_bpu_names(packed, names, count)) : VENDOR_UCP_INVALID_ARGUMENT;
}

int32_t hbDNNGetModelHandle(vendor_handle *model, vendor_handle packed, const char *name) {
    DNN_CALL("hbDNNGetModelHandle");
    return model && name ? ucp_code(sim_bpu_find(packed, name, model)) : VENDOR_UCP_INVALID_ARGUMENT;
}

/* NULL: the answer is INVALID_ARGUMENT, whatever is wrong. */
static const sim_bpu_port *dnn_port(vendor_handle handle, const void *out, uint32_t side, int32_t index) {
    const sim_bpu_model *model = out ? sim_bpu_model_of(handle) : NULL;
    return model && index >= 0 && (uint32_t)index < model->count[side] ? &model->ports[side][index] : NULL;
}

static int32_t dnn_count(int32_t *count, vendor_handle handle, uint32_t side) {
    const sim_bpu_model *model = count ? sim_bpu_model_of(handle) : NULL;
    if (!model) return VENDOR_UCP_INVALID_ARGUMENT;
    *count = (int32_t)model->count[side];
    return 0;
}

static int32_t dnn_name(const char **name, vendor_handle model, int32_t index, uint32_t side) {
    const sim_bpu_port *port = dnn_port(model, name, side, index);
    if (!port) return VENDOR_UCP_INVALID_ARGUMENT;
    *name = port->name;
    return 0;
}

static int32_t dnn_describe(vendor_ucp_properties *properties, vendor_handle model, int32_t index, uint32_t side) {
    const sim_bpu_port *port = dnn_port(model, properties, side, index);
    sim_bpu_properties found;
    if (!port) return VENDOR_UCP_INVALID_ARGUMENT;
    sim_bpu_describe(port, &found);
    dnn_show(&found, properties);
    return 0;
}

static int32_t dnn_text(const char *found, const char **text, uint32_t *size, int32_t *type) {
    if (!text || !size || !type || !found) return VENDOR_UCP_INVALID_ARGUMENT;
    *text = found;
    *size = (uint32_t)strlen(found);
    *type = found[0] ? 1 : 0;
    return 0;
}

int32_t hbDNNGetInputCount(int32_t *count, vendor_handle model) {
    DNN_CALL("hbDNNGetInputCount");
    return dnn_count(count, model, 0);
}

int32_t hbDNNGetOutputCount(int32_t *count, vendor_handle model) {
    DNN_CALL("hbDNNGetOutputCount");
    return dnn_count(count, model, 1);
}

int32_t hbDNNGetInputName(const char **name, vendor_handle model, int32_t index) {
    DNN_CALL("hbDNNGetInputName");
    return dnn_name(name, model, index, 0);
}

int32_t hbDNNGetOutputName(const char **name, vendor_handle model, int32_t index) {
    DNN_CALL("hbDNNGetOutputName");
    return dnn_name(name, model, index, 1);
}

int32_t hbDNNGetInputTensorProperties(vendor_ucp_properties *properties, vendor_handle model, int32_t index) {
    DNN_CALL("hbDNNGetInputTensorProperties");
    return dnn_describe(properties, model, index, 0);
}

int32_t hbDNNGetOutputTensorProperties(vendor_ucp_properties *properties, vendor_handle model, int32_t index) {
    DNN_CALL("hbDNNGetOutputTensorProperties");
    return dnn_describe(properties, model, index, 1);
}

int32_t hbDNNGetInputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model, int32_t index) {
    const sim_bpu_port *port = dnn_port(model, text, 0, index);
    DNN_CALL("hbDNNGetInputDesc");
    return dnn_text(port ? port->text : NULL, text, size, type);
}

int32_t hbDNNGetOutputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model, int32_t index) {
    const sim_bpu_port *port = dnn_port(model, text, 1, index);
    DNN_CALL("hbDNNGetOutputDesc");
    return dnn_text(port ? port->text : NULL, text, size, type);
}

int32_t hbDNNGetModelDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle handle) {
    const sim_bpu_model *model = sim_bpu_model_of(handle);
    DNN_CALL("hbDNNGetModelDesc");
    return dnn_text(model ? model->text : NULL, text, size, type);
}

int32_t hbDNNGetHBMDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle packed, int32_t index) {
    int32_t count = 0;
    DNN_CALL("hbDNNGetHBMDesc");
    if (sim_bpu_files(packed, &count) != SIM_BPU_OK || index < 0 || index >= count) return VENDOR_UCP_INVALID_ARGUMENT;
    return dnn_text("", text, size, type);
}

#if NNRT_SIM_VERSION >= 0x030c00
SIM_EXPORT int32_t hbDNNGetCompileBpuCoreNum(int32_t *cores, vendor_handle model);
int32_t hbDNNGetCompileBpuCoreNum(int32_t *cores, vendor_handle handle) {
    const sim_bpu_model *model = cores ? sim_bpu_model_of(handle) : NULL;
    DNN_CALL("hbDNNGetCompileBpuCoreNum");
    if (!model) return VENDOR_UCP_INVALID_ARGUMENT;
    *cores = (int32_t)model->cores;
    return 0;
}
#endif

/* ------------------------------------------------------------------------------------------------------------- runs */

SIM_EXPORT int32_t hbDNNInferV2(vendor_handle *task, vendor_ucp_tensor *outputs, const vendor_ucp_tensor *inputs,
                                vendor_handle model);
SIM_EXPORT int32_t hbDNNGetTaskOutputTensorProperties(vendor_ucp_properties *properties, vendor_handle task,
                                                      int32_t run, int32_t output);

int32_t hbDNNInferV2(vendor_handle *task, vendor_ucp_tensor *outputs, const vendor_ucp_tensor *inputs,
                     vendor_handle handle) {
    const sim_bpu_model *model = sim_bpu_model_of(handle);
    sim_bpu_tensor *in, *out;
    sim_bpu_infer infer;
    int32_t answer = SIM_BPU_NO_MEMORY;
    DNN_CALL("hbDNNInferV2");
    if (!outputs || !inputs || !model) return VENDOR_UCP_INVALID_ARGUMENT;
    memset(&infer, 0, sizeof(infer));
    infer.model = handle;
    infer.input_count = model->count[0];
    infer.output_count = model->count[1];
    infer.inputs = in = dnn_take_all(inputs, infer.input_count);
    infer.outputs = out = dnn_take_all(outputs, infer.output_count);
    if (in && out)
        answer = task ? sim_bpu_enqueue(&ucp_release, task, &infer, NULL) : sim_bpu_infer_now(&ucp_release, &infer);
    free(in);
    free(out);
    return ucp_code(answer);
}

int32_t hbDNNGetTaskOutputTensorProperties(vendor_ucp_properties *properties, vendor_handle task, int32_t run,
                                           int32_t output) {
    sim_bpu_properties found;
    int32_t answer;
    DNN_CALL("hbDNNGetTaskOutputTensorProperties");
    if (!properties) return VENDOR_UCP_INVALID_ARGUMENT;
    answer = sim_bpu_task_output(task, run, output, &found);
    if (answer == SIM_BPU_OK) dnn_show(&found, properties);
    return ucp_code(answer);
}
