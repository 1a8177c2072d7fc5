/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_nnie.c - libnnie.so: reads .wk files by itself, checks a little, and hands the rest to the driver, which is in
   libsim_hisilicon.so. */
#include <string.h>

#include "sim_hisi.h"

#define NNIE_ILLEGAL SIM_HISI_NNIE(ILLEGAL_PARAM)
#define NNIE_NULL SIM_HISI_NNIE(NULL_PTR)
#define NNIE_LOST SIM_HISI_NNIE(NOTREADY)

/* Of libraries that this one does not name as needed. */
extern int32_t memcpy_s(void *to, size_t size, const void *from, size_t length);
extern int32_t memset_s(void *to, size_t size, int32_t value, size_t count);
extern int32_t strncpy_s(char *to, size_t size, const char *from, size_t count);

#if NNRT_SIM_NEEDS_MPI
extern int32_t HI_MPI_SYS_MmzAlloc(uint64_t *physical, void **address, const char *name, const char *zone,
                                   uint32_t size);
extern int32_t HI_MPI_SYS_MmzAlloc_Cached(uint64_t *physical, void **address, const char *name, const char *zone,
                                          uint32_t size);
extern int32_t HI_MPI_SYS_MmzFree(uint64_t physical, void *address);
extern int32_t HI_MPI_SYS_MmzFlushCache(uint64_t physical, void *address, uint32_t size);

typedef void (*nnie_function)(void);

static nnie_function volatile nnie_needed[4];

/* Never called: that its functions are named here is what makes the library need libmpi. */
SIM_EXPORT void nnie_need(void);
void nnie_need(void) {
    nnie_needed[0] = (nnie_function)HI_MPI_SYS_MmzAlloc;
    nnie_needed[1] = (nnie_function)HI_MPI_SYS_MmzAlloc_Cached;
    nnie_needed[2] = (nnie_function)HI_MPI_SYS_MmzFree;
    nnie_needed[3] = (nnie_function)HI_MPI_SYS_MmzFlushCache;
}
#endif

SIM_EXPORT int32_t HI_MPI_SVP_NNIE_LoadModel(const nnrt__nnie_memory *file, nnrt__nnie_model *model);
SIM_EXPORT int32_t HI_MPI_SVP_NNIE_UnloadModel(nnrt__nnie_model *model);
SIM_EXPORT int32_t HI_MPI_SVP_NNIE_GetTskBufSize(uint32_t max_frames, uint32_t max_boxes, const nnrt__nnie_model *model,
                                                 uint32_t sizes[], uint32_t segments);
SIM_EXPORT int32_t HI_MPI_SVP_NNIE_Forward(int32_t *handle, const nnrt__nnie_blob inputs[],
                                           const nnrt__nnie_model *model, const nnrt__nnie_blob outputs[],
                                           const nnrt__nnie_forward *control, int32_t instant);
SIM_EXPORT int32_t HI_MPI_SVP_NNIE_ForwardWithBbox(int32_t *handle, const nnrt__nnie_blob inputs[],
                                                   const nnrt__nnie_blob boxes[], const nnrt__nnie_model *model,
                                                   const nnrt__nnie_blob outputs[],
                                                   const nnrt__nnie_forward_boxes *control, int32_t instant);
SIM_EXPORT int32_t HI_MPI_SVP_NNIE_Query(uint32_t core, int32_t handle, int32_t *finished, int32_t block);
SIM_EXPORT int32_t HI_MPI_SVP_NNIE_AddTskBuf(const nnrt__nnie_memory *task);
SIM_EXPORT int32_t HI_MPI_SVP_NNIE_RemoveTskBuf(const nnrt__nnie_memory *task);

/* --------------------------------------------------------------------------------------------------------- the file */

static uint32_t nnie_u16(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }

static uint32_t nnie_u32(const uint8_t *at) { return nnie_u16(at) | nnie_u16(at + 2) << 16; }

/* Reflected, polynomial 0xedb88320, begun with 0. */
static uint32_t nnie_crc(const uint8_t *bytes, size_t size) {
    uint32_t crc = 0, k;
    size_t i;
    for (i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void nnie_zero(nnrt__nnie_model *model) { (void)memset_s(model, sizeof(*model), 0, sizeof(*model)); }

/* Does a name of 32 bytes with everything of node at at; a vector is kept as channels. */
static bool nnie_read_node(const uint8_t *at, nnrt__nnie_node *node, bool output, nnrt__nnie_net_type net,
                           uint32_t index) {
    static const int kinds[8] = {
        NNRT__NNIE_S32, NNRT__NNIE_U8, -1, NNRT__NNIE_YVU420SP, -1, NNRT__NNIE_YVU422SP, -1, -1};
    const uint32_t mode = nnie_u16(at + 12), image = nnie_u16(at + 14);
    char name[NNRT__NNIE_MAX_NAME + 1];
    bool vector = mode == (output ? 0 : 1);
    int kind = NNRT__NNIE_S32;
    node->height = nnie_u32(at);
    node->width = nnie_u32(at + 4);
    node->channels = nnie_u32(at + 8);
    (void)memcpy_s(name, sizeof(name), at + 16, NNRT__NNIE_MAX_NAME);
    name[NNRT__NNIE_MAX_NAME] = '\0';
    (void)strncpy_s(node->name, sizeof(node->name), name, sizeof(node->name) - 1);
    if (net == NNRT__NNIE_NET_RECURRENT && (output || index == 0)) {
        const uint32_t elements = output ? node->height : node->channels;
        if (output && mode != 1) return false;
        node->type = !output || image == 1 ? NNRT__NNIE_SEQ_S32 : NNRT__NNIE_VEC_S32;
        node->width = elements;
        if (output) node->height = node->channels = node->type == NNRT__NNIE_VEC_S32 ? 1 : 0;
        return true;
    }
    if (output && mode > 1) return false;
    if (!output && (image > 7 || kinds[image] < 0)) return false;
    if (!output) kind = kinds[image];
    if (!output && image != 0) vector = false;
    node->type = vector ? NNRT__NNIE_VEC_S32 : (nnrt__nnie_blob_type)kind;
    if (vector) {
        const uint32_t width = node->width;
        node->width = node->channels;
        node->channels = width;
    }
    return true;
}

/* The number of the layer that an output reports: of the k-th record that is of one; false: there is none. */
static bool nnie_layer_id(const uint8_t *file, uint32_t header, uint32_t size, uint32_t output, uint32_t *id) {
    const uint64_t begin = (uint64_t)header + nnie_u32(file + 0xb0), length = nnie_u32(file + 0xb4);
    uint64_t at;
    uint32_t seen = 0;
    for (at = 0; at + 48 <= length && begin + at + 48 <= size; at += 48) {
        const uint8_t *record = file + begin + at;
        if (record[17] == 1 && seen++ == output) {
            *id = nnie_u16(record + 26);
            return true;
        }
    }
    return false;
}

typedef struct nnie_reader {
    const uint8_t *file;
    uint32_t size, header, payload;
    uint32_t outputs, rois; /* so far */
    bool strict;
} nnie_reader;

static bool nnie_read_rois(nnie_reader *reader, nnrt__nnie_segment *segment, nnrt__nnie_model *model) {
    uint32_t i;
    if (segment->instructions > reader->payload ||
        segment->instructions_size > reader->payload - segment->instructions ||
        reader->rois + segment->roi_layers > NNRT__NNIE_MAX_ROI_LAYERS ||
        segment->roi_layers > NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS ||
        !sim_hisi_rois(reader->file + reader->header + segment->instructions, segment->instructions_size,
                       &model->roi_pool[reader->rois], segment->roi_layers))
        return !reader->strict;
    for (i = 0; i < segment->roi_layers; i++) segment->roi_layer[i] = reader->rois++;
    return true;
}

static bool nnie_read_segment(nnie_reader *reader, uint32_t *at, nnrt__nnie_segment *segment, nnrt__nnie_model *model) {
    const uint8_t *from = reader->file + *at;
    uint32_t i;
    if (*at > reader->header || reader->header - *at < 16) return false;
    segment->type = (nnrt__nnie_net_type)from[0];
    segment->inputs = from[1];
    segment->outputs = from[2];
    segment->roi_layers = from[3];
    segment->max_steps = (uint16_t)nnie_u16(from + 4);
    segment->instructions = nnie_u32(from + 8);
    segment->instructions_size = nnie_u32(from + 12);
    *at += 16;
    if (segment->inputs > NNRT__NNIE_MAX_IO || segment->outputs > NNRT__NNIE_MAX_IO ||
        segment->roi_layers > NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS)
        return false;
    if (reader->header - *at < (uint32_t)(segment->inputs + segment->outputs) * 64) return false;
    for (i = 0; i < segment->inputs; i++, *at += 64)
        if (!nnie_read_node(reader->file + *at, &segment->input[i], false, segment->type, i)) return false;
    for (i = 0; i < segment->outputs; i++, *at += 64) {
        if (!nnie_read_node(reader->file + *at, &segment->output[i], true, segment->type, i)) return false;
        if (!nnie_layer_id(reader->file, reader->header, reader->size, reader->outputs++, &segment->output[i].id))
            return false;
    }
    return segment->type == NNRT__NNIE_NET_ROI ? nnie_read_rois(reader, segment, model) : true;
}

/* ------------------------------------------------------------------------------------- what a model may look like */

static bool nnie_check_node(const nnrt__nnie_node *node, bool strict) {
    if (node->width == 0) return false;
    if (node->type == NNRT__NNIE_SEQ_S32) return true;
    if (node->height == 0 || node->channels == 0) return false;
    if (node->type == NNRT__NNIE_VEC_S32) return node->height == 1 && node->channels == 1;
    if (sim_hisi_element(node->type) == 1 &&
        (node->width < 8 || node->width > 4096 || node->height < 8 || node->height > 4096))
        return false;
    if (node->type == NNRT__NNIE_YVU420SP && node->height % 2 != 0) return false;
    if ((node->type == NNRT__NNIE_YVU420SP || node->type == NNRT__NNIE_YVU422SP) && node->width % 2 != 0) return false;
    if (strict && node->type == NNRT__NNIE_U8 && node->channels != 1 && node->channels != 3) return false;
    return !strict || (node->type != NNRT__NNIE_YVU420SP && node->type != NNRT__NNIE_YVU422SP) || node->channels == 3;
}

static bool nnie_check_segment(const nnrt__nnie_segment *segment, uint32_t payload, bool strict) {
    uint32_t i;
    if (segment->type > NNRT__NNIE_NET_RECURRENT || segment->inputs == 0 || segment->outputs == 0 ||
        segment->inputs > NNRT__NNIE_MAX_IO || segment->outputs > NNRT__NNIE_MAX_IO)
        return false;
    if (segment->instructions == 0 || segment->instructions_size == 0 ||
        (strict && (segment->instructions > payload || segment->instructions_size > payload - segment->instructions)))
        return false;
    if (segment->type == NNRT__NNIE_NET_ROI &&
        (segment->roi_layers == 0 || segment->roi_layers > NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS))
        return false;
    if (segment->type == NNRT__NNIE_NET_RECURRENT &&
        (segment->max_steps == 0 || segment->max_steps > NNRT__NNIE_MAX_STEPS))
        return false;
    for (i = 0; i < segment->inputs; i++)
        if (!nnie_check_node(&segment->input[i], strict)) return false;
    for (i = 0; i < segment->outputs; i++)
        if (!nnie_check_node(&segment->output[i], strict)) return false;
    return true;
}

static bool nnie_check_model(const nnrt__nnie_model *model, bool strict) {
    uint32_t i;
    if (model->run_mode != NNRT__NNIE_RUN_CHIP || model->temporary_size == 0 || model->segments == 0 ||
        model->segments > NNRT__NNIE_MAX_SEGMENTS || model->base.size == 0)
        return false;
    for (i = 0; i < model->segments; i++)
        if (!nnie_check_segment(&model->segment[i], model->base.size, strict)) return false;
    return true;
}

/* The file's bytes are those of the virtual address. false: refused; what was read so far stands in the model. */
static bool nnie_read_file(nnie_reader *reader, nnrt__nnie_model *model) {
    const uint8_t *file = reader->file;
    uint32_t at = nnie_u32(file + 8), i; /* 192 in all real files */
    model->run_mode = (nnrt__nnie_run_mode)file[0x30];
    model->temporary_size = nnie_u32(file + 0x0c);
    model->segments = file[0x31];
    if (file[0x30] != NNRT__NNIE_RUN_CHIP || model->segments == 0 || model->segments > NNRT__NNIE_MAX_SEGMENTS ||
        model->temporary_size == 0)
        return false;
    for (i = 0; i < model->segments; i++)
        if (!nnie_read_segment(reader, &at, &model->segment[i], model)) return false;
    return !reader->strict || nnie_check_model(model, true);
}

static int32_t nnie_load(const nnrt__nnie_memory *file, nnrt__nnie_model *model) {
    const sim_hisi_chip *chip = sim_hisi_the_chip();
    nnie_reader reader = {NULL, 0, 0, 0, 0, 0, false};
    uint64_t end;
    if (file->address == 0 || file->physical == 0 || file->physical % 16 != 0 || file->size <= 192) return NNIE_ILLEGAL;
    reader.file = (const uint8_t *)(uintptr_t)file->address;
    reader.size = file->size;
    reader.header = nnie_u32(reader.file + 0x34);
    reader.payload = nnie_u32(reader.file + 0x38);
    reader.strict = chip->strict_model;
    end = (uint64_t)reader.header + reader.payload;
    if (chip->strict_model) end = (uint64_t)reader.header + nnie_u32(reader.file + 0xb0) + nnie_u32(reader.file + 0xb4);
    if (reader.header < 192 || end > file->size || (uint64_t)reader.header + reader.payload > file->size ||
        nnie_u32(reader.file) != nnie_crc(reader.file + 4, reader.header + (size_t)reader.payload - 4))
        return NNIE_ILLEGAL;
    nnie_zero(model);
    if (reader.file[0x10] != 1 || reader.file[0x11] != 1 || memcmp(reader.file + 0x12, chip->arch, 2) != 0)
        return NNIE_ILLEGAL;
    model->base.physical = file->physical + reader.header;
    model->base.address = file->address + reader.header;
    model->base.size = reader.payload;
    if (!nnie_read_file(&reader, model)) return NNIE_ILLEGAL;
    sim_hisi_loaded(model, file->physical, reader.file + reader.header);
    return SIM_HISI_OK;
}

int32_t HI_MPI_SVP_NNIE_LoadModel(const nnrt__nnie_memory *file, nnrt__nnie_model *model) {
    int32_t answer;
    if (sim_hisi_call_here("HI_MPI_SVP_NNIE_LoadModel", NNIE_LOST, &answer)) return answer;
    return file && model ? nnie_load(file, model) : NNIE_NULL;
}

int32_t HI_MPI_SVP_NNIE_UnloadModel(nnrt__nnie_model *model) {
    int32_t answer;
    const bool fault = sim_hisi_call_here("HI_MPI_SVP_NNIE_UnloadModel", NNIE_LOST, &answer);
    if (model) sim_hisi_unloaded(model, fault);
    if (fault) return answer;
    if (!model) return NNIE_NULL;
    nnie_zero(model);
    return SIM_HISI_OK;
}

/* U8 of neither 1 nor 3 channels, which earlier releases load: then they write no size, and say that all is well. */
static bool nnie_has_odd_picture(const nnrt__nnie_segment *segment) {
    uint32_t i;
    for (i = 0; i < segment->inputs; i++) {
        const nnrt__nnie_node *node = &segment->input[i];
        if (node->type == NNRT__NNIE_U8 && node->channels != 1 && node->channels != 3) return true;
    }
    return false;
}

int32_t HI_MPI_SVP_NNIE_GetTskBufSize(uint32_t max_frames, uint32_t max_boxes, const nnrt__nnie_model *model,
                                      uint32_t sizes[], uint32_t segments) {
    uint32_t i, most_boxes = UINT32_MAX;
    bool rois = false;
    int32_t answer;
    if (sim_hisi_call_here("HI_MPI_SVP_NNIE_GetTskBufSize", NNIE_LOST, &answer)) return answer;
    if (!model || !sizes) return NNIE_NULL;
    if (max_frames == 0 || max_frames > 256 || !nnie_check_model(model, sim_hisi_the_chip()->strict_model) ||
        segments != model->segments)
        return NNIE_ILLEGAL;
    for (i = 0; i < segments; i++) {
        uint32_t k;
        for (k = 0; k < model->segment[i].roi_layers && model->segment[i].type == NNRT__NNIE_NET_ROI; k++) {
            const uint32_t index = model->segment[i].roi_layer[k];
            if (index >= NNRT__NNIE_MAX_ROI_LAYERS) return NNIE_ILLEGAL;
            rois = true;
            if (model->roi_pool[index].max_boxes < most_boxes) most_boxes = model->roi_pool[index].max_boxes;
        }
    }
    if (rois ? max_boxes == 0 || max_boxes > most_boxes : max_boxes != 0) return NNIE_ILLEGAL;
    for (i = 0; i < segments && !nnie_has_odd_picture(&model->segment[i]); i++)
        sizes[i] = sim_hisi_task_bytes(model, i, max_frames, max_boxes);
    return SIM_HISI_OK;
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

static bool nnie_sequences_without_steps(const nnrt__nnie_blob *blobs, uint32_t count) {
    uint32_t i;
    for (i = 0; i < count; i++)
        if (blobs[i].type == NNRT__NNIE_SEQ_S32 && blobs[i].shape.sequence.steps == 0) return true;
    return false;
}

static int32_t nnie_enqueue(const sim_hisi_forward *call, int32_t *handle, int32_t instant) {
    if (call->input_count == 0 || call->input_count > NNRT__NNIE_MAX_IO || call->output_count == 0 ||
        call->output_count > NNRT__NNIE_MAX_IO || (instant != 0 && instant != 1) ||
        nnie_sequences_without_steps(call->inputs, call->input_count) ||
        nnie_sequences_without_steps(call->outputs, call->output_count))
        return NNIE_ILLEGAL;
    return sim_hisi_enqueue(call, handle);
}

int32_t HI_MPI_SVP_NNIE_Forward(int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_model *model,
                                const nnrt__nnie_blob outputs[], const nnrt__nnie_forward *control, int32_t instant) {
    sim_hisi_forward call;
    int32_t answer;
    if (sim_hisi_call("HI_MPI_SVP_NNIE_Forward", NNIE_LOST, &answer)) return answer;
    if (!handle || !inputs || !model || !outputs || !control) return NNIE_NULL;
    memset(&call, 0, sizeof(call));
    call.inputs = inputs;
    call.outputs = outputs;
    call.model = model;
    call.input_count = control->inputs;
    call.output_count = control->outputs;
    call.segment = control->segment;
    call.core = control->core;
    call.temporary = control->temporary;
    call.task = control->task;
    call.instant = instant == 1;
    return nnie_enqueue(&call, handle, instant);
}

int32_t HI_MPI_SVP_NNIE_ForwardWithBbox(int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_blob boxes[],
                                        const nnrt__nnie_model *model, const nnrt__nnie_blob outputs[],
                                        const nnrt__nnie_forward_boxes *control, int32_t instant) {
    sim_hisi_forward call;
    int32_t answer;
    if (sim_hisi_call("HI_MPI_SVP_NNIE_ForwardWithBbox", NNIE_LOST, &answer)) return answer;
    if (!handle || !inputs || !boxes || !model || !outputs || !control) return NNIE_NULL;
    if (control->proposals == 0 || control->proposals > 2) return NNIE_ILLEGAL;
    memset(&call, 0, sizeof(call));
    call.inputs = inputs;
    call.outputs = outputs;
    call.boxes = boxes;
    call.model = model;
    call.input_count = control->inputs;
    call.output_count = control->outputs;
    call.proposals = control->proposals;
    call.segment = control->segment;
    call.core = control->core;
    call.temporary = control->temporary;
    call.task = control->task;
    call.instant = instant == 1;
    return nnie_enqueue(&call, handle, instant);
}

int32_t HI_MPI_SVP_NNIE_Query(uint32_t core, int32_t handle, int32_t *finished, int32_t block) {
    int32_t answer;
    if (sim_hisi_call("HI_MPI_SVP_NNIE_Query", NNIE_LOST, &answer)) return answer;
    if (!finished) return NNIE_NULL;
    if (core >= sim_hisi_the_chip()->cores || handle < 0 || handle > 0x0ffffffe || (block != 0 && block != 1))
        return NNIE_ILLEGAL;
    return sim_hisi_query(core, handle, finished, block == 1);
}

int32_t HI_MPI_SVP_NNIE_AddTskBuf(const nnrt__nnie_memory *task) {
    int32_t answer;
    if (sim_hisi_call("HI_MPI_SVP_NNIE_AddTskBuf", NNIE_LOST, &answer)) return answer;
    return task ? sim_hisi_add_task_buffer(task) : NNIE_NULL;
}

int32_t HI_MPI_SVP_NNIE_RemoveTskBuf(const nnrt__nnie_memory *task) {
    int32_t answer;
    const bool fault = sim_hisi_call("HI_MPI_SVP_NNIE_RemoveTskBuf", NNIE_LOST, &answer);
    if (task && fault) (void)sim_hisi_remove_task_buffer(task, true);
    if (fault) return answer;
    return task ? sim_hisi_remove_task_buffer(task, false) : NNIE_NULL;
}

/* For nnrt: the device node of the board that this plays. */
SIM_EXPORT const char *nnrt_nnie_node(void) {
    return sim_hisi_has_driver() ? "/dev/null"
                                 : "/dev/nnie (the simulated board has none: NNRT_SIM_DEVICE or NNRT_SIM_CHIP)";
}
