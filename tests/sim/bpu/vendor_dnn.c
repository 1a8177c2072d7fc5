/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_dnn.c - libdnn.so of 1.x: the vendor's functions and structures around the board. NNRT_SIM_VERSION (0xMMmmpp)
   says which release; what it lacks is not there. */
#include <stdlib.h>
#include <string.h>

#include "sim_bpu.h"

#ifndef NNRT_SIM_VERSION
#define NNRT_SIM_VERSION 0x01170a
#endif

#if NNRT_SIM_VERSION < 0x010900
typedef vendor_properties_161 dnn_properties;
typedef vendor_tensor_161 dnn_tensor;
#define DNN_TEXT "1.6.1_(3.13.22 HBRT)"
#elif NNRT_SIM_VERSION < 0x010e00
typedef vendor_properties_197 dnn_properties;
typedef vendor_tensor_197 dnn_tensor;
#define DNN_TEXT "1.9.7_(3.14.5 HBRT)"
#elif NNRT_SIM_VERSION < 0x011200
typedef vendor_properties_1141 dnn_properties;
typedef vendor_tensor_1141 dnn_tensor;
#define DNN_TEXT "1.14.1_(3.15.6 HBRT)"
#else
typedef vendor_properties_1184 dnn_properties;
typedef vendor_tensor_1184 dnn_tensor;
#if NNRT_SIM_VERSION < 0x011206
#define DNN_TEXT "1.18.4_(3.15.25 HBRT)"
#elif NNRT_SIM_VERSION < 0x011700
#define DNN_TEXT "1.18.6_(3.15.25 HBRT)"
#elif NNRT_SIM_VERSION < 0x011800
#define DNN_TEXT "1.23.10_(3.15.54 HBRT)"
#elif NNRT_SIM_VERSION < 0x011900
#define DNN_TEXT "1.24.5_(3.15.55 HBRT)"
#else
#define DNN_TEXT "1.26.0_(3.15.60 HBRT)"
#endif
#endif

#if NNRT_SIM_VERSION < 0x010e00
typedef vendor_control_old dnn_control;
#define DNN_CUSTOM(control) 0
#else
typedef vendor_control dnn_control;
#define DNN_CUSTOM(control) ((control)->customId)
#endif

static const sim_bpu_release dnn_release = {NNRT_SIM_VERSION, false, DNN_TEXT};

static int32_t dnn_code(int32_t answer) {
    if (answer == SIM_BPU_FAILED || answer == SIM_BPU_LOST) return VENDOR_RUN_FAILED;
    return answer < 0 ? answer : answer > 0 ? -6000000 - answer : 0;
}

static int32_t dnn_sys_code(int32_t answer) {
    switch (answer) {
    case SIM_BPU_OK: return 0;
    case SIM_BPU_NO_MEMORY: return VENDOR_SYS_MEMORY;
    case SIM_BPU_REGISTER: return VENDOR_SYS_REGISTER;
    default: return answer < SIM_BPU_LOST ? answer : VENDOR_SYS_INVALID;
    }
}

#define DNN_CALL(name)                                                    \
    do {                                                                  \
        int32_t dnn_answer;                                               \
        if (sim_bpu_call(name, &dnn_answer)) return dnn_code(dnn_answer); \
    } while (0)

#define DNN_SYS_CALL(name)                                                    \
    do {                                                                      \
        int32_t dnn_answer;                                                   \
        if (sim_bpu_call(name, &dnn_answer)) return dnn_sys_code(dnn_answer); \
    } while (0)

/* ----------------------------------------------------------------------------------------------------- structures */

static void dnn_show_shape(const int32_t *dims, uint32_t rank, vendor_shape *shape) {
    uint32_t i;
    memset(shape, 0, sizeof(*shape));
    for (i = 0; i < rank && i < 8; i++) shape->dimensionSize[i] = dims[i];
    shape->numDimensions = (int32_t)rank;
}

#if NNRT_SIM_VERSION < 0x010900
static void dnn_show_zeros(const sim_bpu_port *port, dnn_properties *to) {
    (void)port;
    (void)to;
}
#else
static void dnn_show_zeros(const sim_bpu_port *port, dnn_properties *to) {
    to->scale.zeroPointLen = (int32_t)port->zeros;
    to->scale.zeroPointData = port->zeros ? port->zero : NULL;
}
#endif

#if NNRT_SIM_VERSION < 0x010e00
static void dnn_show_axis(const sim_bpu_properties *from, dnn_properties *to) {
    (void)from;
    (void)to;
}
#else
static void dnn_show_axis(const sim_bpu_properties *from, dnn_properties *to) { to->quantizeAxis = from->axis; }
#endif

#if NNRT_SIM_VERSION < 0x011200
static void dnn_show_stride(const sim_bpu_properties *from, dnn_properties *to) {
    (void)from;
    (void)to;
}
#else
static void dnn_show_stride(const sim_bpu_properties *from, dnn_properties *to) {
    uint32_t i;
    for (i = 0; i < 8; i++) to->stride[i] = i < from->rank ? (int32_t)from->stride[i] : 0;
}
#endif

static void dnn_show(const sim_bpu_properties *from, dnn_properties *to) {
    const sim_bpu_port *port = from->port;
    memset(to, 0, sizeof(*to));
    dnn_show_shape(from->valid, from->rank, &to->validShape);
    dnn_show_shape(from->aligned, from->rank, &to->alignedShape);
    to->tensorLayout = from->layout;
    to->tensorType = from->type;
    to->quantiType = from->quant;
    to->alignedByteSize = (int32_t)from->bytes;
    to->shift.shiftLen = (int32_t)port->shifts;
    to->shift.shiftData = port->shifts ? port->shift : NULL;
    to->scale.scaleLen = (int32_t)port->scales;
    to->scale.scaleData = port->scales ? port->scale : NULL;
    dnn_show_zeros(port, to);
    dnn_show_axis(from, to);
    dnn_show_stride(from, to);
}

static sim_bpu_memory dnn_memory(const vendor_memory *from) {
    sim_bpu_memory memory;
    memory.physical = from->phyAddr;
    memory.address = from->virAddr;
    memory.size = from->memSize;
    return memory;
}

static void dnn_take(const dnn_tensor *from, sim_bpu_tensor *to) {
    const vendor_shape *valid = &from->properties.validShape, *aligned = &from->properties.alignedShape;
    uint32_t i;
    memset(to, 0, sizeof(*to));
    for (i = 0; i < 2; i++) to->memory[i] = dnn_memory(&from->sysMem[i]);
    to->properties.rank = valid->numDimensions > 0 && valid->numDimensions <= 8 ? (uint32_t)valid->numDimensions : 0;
    for (i = 0; i < to->properties.rank; i++) {
        to->properties.valid[i] = valid->dimensionSize[i];
        to->properties.aligned[i] = aligned->dimensionSize[i];
    }
    to->properties.type = from->properties.tensorType;
    to->properties.layout = from->properties.tensorLayout;
}

static sim_bpu_tensor *dnn_take_all(const dnn_tensor *from, uint32_t count) {
    sim_bpu_tensor *to = (sim_bpu_tensor *)calloc(count + 1, sizeof(*to));
    uint32_t i;
    for (i = 0; to && i < count; i++) dnn_take(&from[i], &to[i]);
    return to;
}

/* ----------------------------------------------------------------------------------------------------------- memory */

SIM_EXPORT int32_t hbSysAllocMem(vendor_memory *memory, uint32_t size);
SIM_EXPORT int32_t hbSysAllocCachedMem(vendor_memory *memory, uint32_t size);
SIM_EXPORT int32_t hbSysFlushMem(vendor_memory *memory, int32_t flag);
SIM_EXPORT int32_t hbSysFreeMem(vendor_memory *memory);
SIM_EXPORT int32_t hbSysWriteMem(vendor_memory *to, char *from, uint32_t size);
SIM_EXPORT int32_t hbSysReadMem(char *to, vendor_memory *from, uint32_t size);
SIM_EXPORT int32_t hbSysRegisterMem(vendor_memory *memory);
SIM_EXPORT int32_t hbSysUnregisterMem(vendor_memory *memory);

static int32_t dnn_allocate(vendor_memory *memory, uint32_t size, bool cached) {
    sim_bpu_memory made;
    int32_t answer;
    if (!memory) return VENDOR_SYS_INVALID;
    answer = sim_bpu_allocate(&dnn_release, &made, size, cached);
    if (answer == SIM_BPU_OK) {
        memory->phyAddr = made.physical;
        memory->virAddr = made.address;
        memory->memSize = size;
    } else if (answer == SIM_BPU_NO_MEMORY) memset(memory, 0, sizeof(*memory));
    return dnn_sys_code(answer);
}

int32_t hbSysAllocMem(vendor_memory *memory, uint32_t size) {
    DNN_SYS_CALL("hbSysAllocMem");
    return dnn_allocate(memory, size, false);
}

int32_t hbSysAllocCachedMem(vendor_memory *memory, uint32_t size) {
    DNN_SYS_CALL("hbSysAllocCachedMem");
    return dnn_allocate(memory, size, true);
}

int32_t hbSysFlushMem(vendor_memory *memory, int32_t flag) {
    sim_bpu_memory flushed;
    DNN_SYS_CALL("hbSysFlushMem");
    if (!memory) return VENDOR_SYS_INVALID;
    flushed = dnn_memory(memory);
    return dnn_sys_code(sim_bpu_flush(&dnn_release, &flushed, flag));
}

int32_t hbSysFreeMem(vendor_memory *memory) {
    sim_bpu_memory freed;
    int32_t answer;
    bool fails = sim_bpu_call("hbSysFreeMem", &answer);
    if (!memory) return fails ? dnn_sys_code(answer) : VENDOR_SYS_INVALID;
    freed = dnn_memory(memory);
    if (fails) {
        (void)sim_bpu_free(&dnn_release, &freed, true);
        return dnn_sys_code(answer);
    }
    answer = sim_bpu_free(&dnn_release, &freed, false);
    if (answer == SIM_BPU_OK) memset(memory, 0, sizeof(*memory));
    return dnn_sys_code(answer);
}

int32_t hbSysWriteMem(vendor_memory *to, char *from, uint32_t size) {
    sim_bpu_memory memory;
    DNN_SYS_CALL("hbSysWriteMem");
    if (!to || !from) return VENDOR_SYS_INVALID;
    memory = dnn_memory(to);
    return dnn_sys_code(sim_bpu_copy(&memory, from, NULL, size));
}

int32_t hbSysReadMem(char *to, vendor_memory *from, uint32_t size) {
    sim_bpu_memory memory;
    DNN_SYS_CALL("hbSysReadMem");
    if (!to || !from) return VENDOR_SYS_INVALID;
    memory = dnn_memory(from);
    return dnn_sys_code(sim_bpu_copy(&memory, NULL, to, size));
}

static int32_t dnn_register(const vendor_memory *memory) {
    sim_bpu_memory known;
    if (!memory) return VENDOR_SYS_INVALID;
    known = dnn_memory(memory);
    return dnn_sys_code(sim_bpu_register(&known));
}

int32_t hbSysRegisterMem(vendor_memory *memory) {
    DNN_SYS_CALL("hbSysRegisterMem");
    return dnn_register(memory);
}

int32_t hbSysUnregisterMem(vendor_memory *memory) {
    DNN_SYS_CALL("hbSysUnregisterMem");
    return dnn_register(memory);
}

/* ----------------------------------------------------------------------------------------------------------- models */

SIM_EXPORT const char *hbDNNGetVersion(void);
SIM_EXPORT int32_t hbDNNInitializeFromFiles(vendor_handle *packed, const char **files, int32_t count);
SIM_EXPORT int32_t hbDNNInitializeFromDDR(vendor_handle *packed, const void **data, int32_t *lengths, int32_t count);
SIM_EXPORT int32_t hbDNNRelease(vendor_handle packed);
SIM_EXPORT int32_t hbDNNGetModelNameList(const char ***names, int32_t *count, vendor_handle packed);
SIM_EXPORT int32_t hbDNNGetModelHandle(vendor_handle *model, vendor_handle packed, const char *name);
SIM_EXPORT int32_t hbDNNGetInputCount(int32_t *count, vendor_handle model);
SIM_EXPORT int32_t hbDNNGetInputName(const char **name, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetInputTensorProperties(dnn_properties *properties, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetOutputCount(int32_t *count, vendor_handle model);
SIM_EXPORT int32_t hbDNNGetOutputName(const char **name, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetOutputTensorProperties(dnn_properties *properties, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetInputSource(int32_t *source, vendor_handle model, int32_t index);
SIM_EXPORT int32_t hbDNNGetModelTag(const char **tag, vendor_handle model);
SIM_EXPORT int32_t hbDNNGetEstimateLatency(int32_t *latency, vendor_handle model);

const char *hbDNNGetVersion(void) { return dnn_release.text; }

int32_t hbDNNInitializeFromFiles(vendor_handle *packed, const char **files, int32_t count) {
    DNN_CALL("hbDNNInitializeFromFiles");
    return dnn_code(sim_bpu_load_files(&dnn_release, packed, files, count));
}

int32_t hbDNNInitializeFromDDR(vendor_handle *packed, const void **data, int32_t *lengths, int32_t count) {
    DNN_CALL("hbDNNInitializeFromDDR");
    return dnn_code(sim_bpu_load_memory(&dnn_release, packed, data, lengths, count));
}

int32_t hbDNNRelease(vendor_handle packed) {
    int32_t answer;
    if (sim_bpu_call("hbDNNRelease", &answer)) {
        (void)sim_bpu_release_packed(packed, true);
        return dnn_code(answer);
    }
    return dnn_code(sim_bpu_release_packed(packed, false));
}

int32_t hbDNNGetModelNameList(const char ***names, int32_t *count, vendor_handle packed) {
    DNN_CALL("hbDNNGetModelNameList");
    return names && count ? dnn_code(sim_bpu_names(packed, names, count)) : VENDOR_INVALID_ARGUMENT;
}

int32_t hbDNNGetModelHandle(vendor_handle *model, vendor_handle packed, const char *name) {
    DNN_CALL("hbDNNGetModelHandle");
    return model && name ? dnn_code(sim_bpu_find(packed, name, model)) : VENDOR_INVALID_ARGUMENT;
}

/* The model, or NULL and what to answer. */
static const sim_bpu_model *dnn_model(vendor_handle handle, const void *out, int32_t *answer) {
    const sim_bpu_model *model = sim_bpu_model_of(handle);
    *answer = out ? VENDOR_MODEL_HANDLE : VENDOR_INVALID_ARGUMENT;
    return out ? model : NULL;
}

static const sim_bpu_port *dnn_port(vendor_handle handle, const void *out, uint32_t side, int32_t index,
                                    int32_t *answer) {
    const sim_bpu_model *model = dnn_model(handle, out, answer);
    if (!model) return NULL;
    *answer = VENDOR_INVALID_ARGUMENT;
    if (index < 0 || (uint32_t)index >= model->count[side]) return NULL;
    *answer = 0;
    return &model->ports[side][index];
}

static int32_t dnn_count(int32_t *count, vendor_handle handle, uint32_t side) {
    int32_t answer;
    const sim_bpu_model *model = dnn_model(handle, count, &answer);
    if (!model) return answer;
    *count = (int32_t)model->count[side];
    return 0;
}

static int32_t dnn_name(const char **name, vendor_handle handle, int32_t index, uint32_t side) {
    int32_t answer;
    const sim_bpu_port *port = dnn_port(handle, name, side, index, &answer);
    if (port) *name = port->name;
    return answer;
}

static int32_t dnn_describe(dnn_properties *properties, vendor_handle handle, int32_t index, uint32_t side) {
    int32_t answer;
    const sim_bpu_port *port = dnn_port(handle, properties, side, index, &answer);
    sim_bpu_properties found;
    if (!port) return answer;
    sim_bpu_describe(port, &found);
    dnn_show(&found, properties);
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

int32_t hbDNNGetInputTensorProperties(dnn_properties *properties, vendor_handle model, int32_t index) {
    DNN_CALL("hbDNNGetInputTensorProperties");
    return dnn_describe(properties, model, index, 0);
}

int32_t hbDNNGetOutputTensorProperties(dnn_properties *properties, vendor_handle model, int32_t index) {
    DNN_CALL("hbDNNGetOutputTensorProperties");
    return dnn_describe(properties, model, index, 1);
}

int32_t hbDNNGetInputSource(int32_t *source, vendor_handle model, int32_t index) {
    int32_t answer;
    const sim_bpu_port *port;
    DNN_CALL("hbDNNGetInputSource");
    port = dnn_port(model, source, 0, index, &answer);
    if (port) *source = (int32_t)port->source;
    return answer;
}

int32_t hbDNNGetModelTag(const char **tag, vendor_handle handle) {
    int32_t answer;
    const sim_bpu_model *model;
    DNN_CALL("hbDNNGetModelTag");
    model = dnn_model(handle, tag, &answer);
    if (!model) return answer;
    *tag = "";
    return 0;
}

int32_t hbDNNGetEstimateLatency(int32_t *latency, vendor_handle handle) {
    int32_t answer;
    const sim_bpu_model *model;
    DNN_CALL("hbDNNGetEstimateLatency");
    model = dnn_model(handle, latency, &answer);
    if (!model) return answer;
    *latency = (int32_t)model->latency;
    return 0;
}

#if NNRT_SIM_VERSION >= 0x011200
SIM_EXPORT int32_t hbDNNGetInputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model,
                                     int32_t index);
SIM_EXPORT int32_t hbDNNGetOutputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model,
                                      int32_t index);
SIM_EXPORT int32_t hbDNNGetModelDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model);

static int32_t dnn_text(const char *found, const char **text, uint32_t *size, int32_t *type) {
    if (!text || !size || !type) return VENDOR_INVALID_ARGUMENT;
    *text = found;
    *size = (uint32_t)strlen(found);
    *type = found[0] ? 1 : 0;
    return 0;
}

int32_t hbDNNGetInputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model, int32_t index) {
    int32_t answer;
    const sim_bpu_port *port;
    DNN_CALL("hbDNNGetInputDesc");
    port = dnn_port(model, text, 0, index, &answer);
    return port ? dnn_text(port->text, text, size, type) : answer;
}

int32_t hbDNNGetOutputDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle model, int32_t index) {
    int32_t answer;
    const sim_bpu_port *port;
    DNN_CALL("hbDNNGetOutputDesc");
    port = dnn_port(model, text, 1, index, &answer);
    return port ? dnn_text(port->text, text, size, type) : answer;
}

int32_t hbDNNGetModelDesc(const char **text, uint32_t *size, int32_t *type, vendor_handle handle) {
    int32_t answer;
    const sim_bpu_model *model;
    DNN_CALL("hbDNNGetModelDesc");
    model = dnn_model(handle, text, &answer);
    return model ? dnn_text(model->text, text, size, type) : answer;
}
#endif

/* ------------------------------------------------------------------------------------------------------------ tasks */

SIM_EXPORT int32_t hbDNNInfer(vendor_handle *task, dnn_tensor **outputs, const dnn_tensor *inputs, vendor_handle model,
                              dnn_control *control);
SIM_EXPORT int32_t hbDNNRoiInfer(vendor_handle *task, dnn_tensor **outputs, const dnn_tensor *inputs, vendor_roi *rois,
                                 int32_t count, vendor_handle model, dnn_control *control);
SIM_EXPORT int32_t hbDNNWaitTaskDone(vendor_handle task, int32_t milliseconds);
SIM_EXPORT int32_t hbDNNReleaseTask(vendor_handle task);
SIM_EXPORT int32_t hbDNNGetTaskEstimateTime(int32_t *microseconds, vendor_handle task);

/* outputs is the address of a variable that holds the array's. */
static int32_t dnn_infer(vendor_handle *task, dnn_tensor **outputs, const dnn_tensor *inputs, const vendor_roi *rois,
                         int32_t roi_count, vendor_handle handle, const dnn_control *control) {
    const sim_bpu_model *model = sim_bpu_model_of(handle);
    sim_bpu_tensor *in, *out;
    sim_bpu_infer infer;
    sim_bpu_control how;
    int32_t answer = SIM_BPU_NO_MEMORY;
    if (!task || !outputs || !inputs || !control) return VENDOR_INVALID_ARGUMENT;
    if (!model) return VENDOR_MODEL_HANDLE;
    if (!sim_bpu_reachable(*outputs)) return VENDOR_INVALID_ARGUMENT;
    memset(&how, 0, sizeof(how));
    how.priority = control->priority;
    how.more = control->more;
    how.core = control->bpuCoreId;
    how.custom = DNN_CUSTOM(control);
    infer.model = handle;
    infer.rois = rois;
    infer.roi_count = (uint32_t)roi_count;
    infer.input_count = model->count[0] * sim_bpu_batch_of(&dnn_release, model, (uint32_t)roi_count);
    infer.output_count = model->count[1];
    infer.inputs = in = dnn_take_all(inputs, infer.input_count);
    infer.outputs = out = dnn_take_all(*outputs, infer.output_count);
    if (in && out) answer = sim_bpu_enqueue(&dnn_release, task, &infer, &how);
    free(in);
    free(out);
    return dnn_code(answer);
}

int32_t hbDNNInfer(vendor_handle *task, dnn_tensor **outputs, const dnn_tensor *inputs, vendor_handle model,
                   dnn_control *control) {
    DNN_CALL("hbDNNInfer");
    return dnn_infer(task, outputs, inputs, NULL, 0, model, control);
}

int32_t hbDNNRoiInfer(vendor_handle *task, dnn_tensor **outputs, const dnn_tensor *inputs, vendor_roi *rois,
                      int32_t count, vendor_handle model, dnn_control *control) {
    DNN_CALL("hbDNNRoiInfer");
    if (!rois || count <= 0) return VENDOR_INVALID_ARGUMENT;
    return dnn_infer(task, outputs, inputs, rois, count, model, control);
}

int32_t hbDNNWaitTaskDone(vendor_handle task, int32_t milliseconds) {
    DNN_CALL("hbDNNWaitTaskDone");
    return dnn_code(sim_bpu_wait(&dnn_release, task, milliseconds));
}

int32_t hbDNNReleaseTask(vendor_handle task) {
    int32_t answer;
    if (sim_bpu_call("hbDNNReleaseTask", &answer)) {
        (void)sim_bpu_release_task(&dnn_release, task, true);
        return dnn_code(answer);
    }
    return dnn_code(sim_bpu_release_task(&dnn_release, task, false));
}

int32_t hbDNNGetTaskEstimateTime(int32_t *microseconds, vendor_handle task) {
    DNN_CALL("hbDNNGetTaskEstimateTime");
    return microseconds ? dnn_code(sim_bpu_task_latency(task, microseconds)) : VENDOR_INVALID_ARGUMENT;
}

#if NNRT_SIM_VERSION >= 0x011200
SIM_EXPORT int32_t hbDNNSetTaskDoneCb(vendor_handle task, vendor_done done, void *user);
int32_t hbDNNSetTaskDoneCb(vendor_handle task, vendor_done done, void *user) {
    DNN_CALL("hbDNNSetTaskDoneCb");
    return dnn_code(sim_bpu_on_done(&dnn_release, task, done, user, dnn_code));
}
#endif

#if NNRT_SIM_VERSION < 0x011700
SIM_EXPORT int32_t hbDNNResize(vendor_handle *task, dnn_tensor *output, const dnn_tensor *input, const vendor_roi *roi,
                               vendor_resize_control *control);
/* Other than hbDNNInfer it takes the address of the tensor itself. */
int32_t hbDNNResize(vendor_handle *task, dnn_tensor *output, const dnn_tensor *input, const vendor_roi *roi,
                    vendor_resize_control *control) {
    sim_bpu_tensor from, to;
    sim_bpu_control how;
    DNN_CALL("hbDNNResize");
    if (!task || !output || !input || !control || control->resizeType != 0) return VENDOR_INVALID_ARGUMENT;
    memset(&how, 0, sizeof(how));
    how.priority = control->priority;
    how.core = control->bpuCoreId;
    dnn_take(output, &to);
    dnn_take(input, &from);
    return dnn_code(sim_bpu_resize(&dnn_release, task, &to, &from, roi, &how));
}
#endif

#if NNRT_SIM_VERSION >= 0x011700
SIM_EXPORT const char *hbDNNGetErrorDesc(int32_t code);
const char *hbDNNGetErrorDesc(int32_t code) {
    static const char *const texts[] = {"success",
                                        "invalid argument",
                                        "invalid model",
                                        "too many models",
                                        "invalid packed handle",
                                        "invalid model handle",
                                        "can not open file",
                                        "out of memory",
                                        "timeout",
                                        "too many tasks",
                                        "too many runs in a task",
                                        "invalid task handle",
                                        "the task failed",
                                        "the model is running",
                                        "incompatible model",
                                        "wrong use of the interface",
                                        "several processes"};
    return code <= 0 && code >= -16               ? texts[-code]
           : code <= -6000000 && code >= -6000016 ? texts[-6000000 - code]
                                                  : "?";
}
#endif
