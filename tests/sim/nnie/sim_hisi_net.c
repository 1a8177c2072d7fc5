/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_net.c - what make_model.py puts where a real .wk file has the instructions of a segment:

     "NSEG", number of ROI layers and 104 bytes for each (SVP_NNIE_ROIPOOL_INFO_S), number of pairs "output that becomes
     input of the next step" and the pairs, all in numbers of 32 bits; then a packed network of ../common/network.py

   A real file's ROI layers stand elsewhere, nobody knows where. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "sim_hisi.h"

static uint32_t sim_hisi_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The number of ROI layers; UINT32_MAX: it is none of make_model.py. */
static uint32_t sim_hisi_roi_count(const uint8_t *bytes, size_t size) {
    uint32_t count;
    if (size < 12 || memcmp(bytes, "NSEG", 4) != 0) return UINT32_MAX;
    count = sim_hisi_u32(bytes + 4);
    return count <= NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS && size - 12 >= count * sizeof(nnrt__nnie_roi_pool) ? count
                                                                                                          : UINT32_MAX;
}

bool sim_hisi_rois(const uint8_t *instructions, size_t size, nnrt__nnie_roi_pool *rois, uint32_t count) {
    if (sim_hisi_roi_count(instructions, size) != count) return false;
    memcpy(rois, instructions + 8, count * sizeof(*rois));
    return true;
}

static void sim_hisi_segment_read(sim_hisi_segment *segment, const uint8_t *bytes, size_t size) {
    const uint32_t rois = sim_hisi_roi_count(bytes, size);
    const char *error = NULL;
    size_t at;
    uint32_t i;
    if (rois == UINT32_MAX) return;
    segment->rois = rois;
    memcpy(segment->roi, bytes + 8, rois * sizeof(segment->roi[0]));
    at = 8 + rois * sizeof(segment->roi[0]);
    segment->feedbacks = sim_hisi_u32(bytes + at);
    at += 4;
    if (segment->feedbacks > SIM_HISI_MAX_FEEDBACK || (size - at) / 8 < segment->feedbacks) return;
    for (i = 0; i < segment->feedbacks; i++, at += 8) {
        segment->feedback[i][0] = sim_hisi_u32(bytes + at);
        segment->feedback[i][1] = sim_hisi_u32(bytes + at + 4);
    }
    segment->model = sim_model_load(bytes + at, size - at, &error);
    if (!segment->model) sim_log("a segment that cannot be computed: %s", error);
}

sim_hisi_net *sim_hisi_net_new(const nnrt__nnie_model *model, const uint8_t *payload, size_t size) {
    sim_hisi_net *net = (sim_hisi_net *)calloc(1, sizeof(*net));
    uint32_t i;
    if (!net) return NULL;
    net->references = 1;
    net->size = size;
    net->payload = (uint8_t *)malloc(size ? size : 1);
    if (!net->payload) {
        free(net);
        return NULL;
    }
    memcpy(net->payload, payload, size);
    net->segments = model->segments;
    for (i = 0; i < model->segments; i++) {
        const nnrt__nnie_segment *segment = &model->segment[i];
        if (segment->instructions <= size && segment->instructions_size <= size - segment->instructions)
            sim_hisi_segment_read(&net->segment[i], net->payload + segment->instructions, segment->instructions_size);
    }
    return net;
}

void sim_hisi_net_release(sim_hisi_net *net) {
    uint32_t i;
    if (!net || --net->references != 0) return;
    for (i = 0; i < NNRT__NNIE_MAX_SEGMENTS; i++) sim_model_free(net->segment[i].model);
    free(net->payload);
    free(net);
}

/* ---------------------------------------------------------------------------------------------- the board's book */

typedef struct sim_hisi_loaded_model {
    sim_context context;
    const nnrt__nnie_model *model; /* the caller's structure */
    nnrt__nnie_memory base;
    uint64_t file; /* physical address */
    sim_hisi_net *net;
} sim_hisi_loaded_model;

static const sim_kind sim_hisi_model_kind = {"model"};

static sim_hisi_loaded_model *sim_hisi_as_model(sim_context *context) {
    return context->kind == &sim_hisi_model_kind ? (sim_hisi_loaded_model *)context : NULL;
}

void sim_hisi_loaded(const nnrt__nnie_model *model, uint64_t file_physical, const uint8_t *payload) {
    sim_hisi_loaded_model *entry = (sim_hisi_loaded_model *)calloc(1, sizeof(*entry));
    if (!entry) return;
    entry->model = model;
    entry->base = model->base;
    entry->file = file_physical;
    entry->net = sim_hisi_net_new(model, payload, model->base.size);
    sim_lock();
    sim_context_add(&entry->context, &sim_hisi_model_kind);
    sim_unlock();
}

void sim_hisi_unloaded(const nnrt__nnie_model *model, bool fault) {
    sim_context *context;
    sim_hisi_loaded_model *found = NULL;
    sim_lock();
    for (context = sim_state.contexts; context && !found; context = context->next) {
        sim_hisi_loaded_model *entry = sim_hisi_as_model(context);
        if (entry && entry->model == model && entry->base.physical == model->base.physical) found = entry;
    }
    for (context = sim_state.contexts; context && !found; context = context->next) { /* a copy of the structure */
        sim_hisi_loaded_model *entry = sim_hisi_as_model(context);
        if (entry && model->base.physical && entry->base.physical == model->base.physical) found = entry;
    }
    if (found && fault) found->context.given_up = true;
    if (found && !fault) {
        if (sim_hisi_task_in(found->base.physical, found->base.size))
            sim_mistake_locked("unloaded in use: a model whose task may still run");
        sim_context_unlink(&found->context);
        sim_hisi_net_release(found->net);
        free(found);
    }
    sim_unlock();
}

sim_hisi_net *sim_hisi_net_of(const nnrt__nnie_model *model) {
    sim_context *context;
    for (context = sim_state.contexts; context; context = context->next) {
        const sim_hisi_loaded_model *entry = sim_hisi_as_model(context);
        if (entry && entry->base.physical == model->base.physical && entry->base.size == model->base.size)
            return entry->net;
    }
    return NULL;
}

bool sim_hisi_model_in(uint64_t physical, uint64_t size) {
    sim_context *context;
    for (context = sim_state.contexts; context; context = context->next) {
        const sim_hisi_loaded_model *entry = sim_hisi_as_model(context);
        if (entry && !context->given_up && entry->base.physical + entry->base.size > physical &&
            entry->file < physical + size)
            return true;
    }
    return false;
}
