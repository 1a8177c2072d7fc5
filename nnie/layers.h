/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/layers.h - the layers of detection/ as functions that a run calls.   >>nnie_layers */
#ifndef NNRT_NNIE_LAYERS_H
#define NNRT_NNIE_LAYERS_H

#include "../nnrt_detection.h"
#include "layers_api.h"

/* A detection has the layout of a row of the output, except that the class is not a float yet. */
typedef char nnrt__nnie_detection_is_a_row[sizeof(nnrt_detection) == 6 * sizeof(float) ? 1 : -1];

/* Checks the counts of tensors, and required options. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_layer_begins(const nnrt_nnie_layer_call *call, const void *user, uint32_t inputs,
                                                  uint32_t values) {
    if (user == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "the layer has no options: its user is NULL");
    if (call->input_count != inputs || call->output_count != 1) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the layer has %u inputs and %u outputs: %u and 1 are right",
                          (unsigned)call->input_count, (unsigned)call->output_count, (unsigned)inputs);
    }
    if (call->outputs[0].c != 1 || call->outputs[0].h != 1 || call->outputs[0].w != values) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.40s\" is of %u values, and needs %u", call->outputs[0].name,
                          (unsigned)(call->outputs[0].c * call->outputs[0].h * call->outputs[0].w), (unsigned)values);
    }
    return OH_NN_SUCCESS;
}

/* One frame as a map. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_layer_map(const nnrt_nnie_view *from, nnrt_tensor_view *to) {
    if (from->n != 1) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.40s\" has %u frames, and the layer takes one", from->name,
                          (unsigned)from->n);
    }
    return nnrt_tensor_view_nchw(from->data, (size_t)from->c * from->h * from->w, from->c, from->h, from->w, 0, to);
}

/* One frame as a map whose channels come last. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_layer_permuted_map(const nnrt_nnie_view *from, nnrt_tensor_view *to) {
    nnrt_nnie_view turned = *from;
    turned.c = from->w, turned.h = from->c, turned.w = from->h;
    if (from->n != 1) return nnrt__nnie_layer_map(from, to);
    return nnrt_tensor_view_nhwc(from->data, (size_t)from->c * from->h * from->w, turned.c, turned.h, turned.w, 0, to);
}

/* Frames as rows. Without rows the view is empty and must not be read. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_layer_rows(const nnrt_nnie_view *from, nnrt_tensor_view *to) {
    const size_t columns = (size_t)from->c * from->h * from->w;
    memset(to, 0, sizeof(*to));
    if (from->n == 0) return OH_NN_SUCCESS;
    return nnrt_tensor_view_nchw(from->data, from->n * columns, 1, from->n, (uint32_t)columns, 0, to);
}

/* Converts the detections in the output to rows of floats. */
NNRT__FN void nnrt__nnie_layer_ends(const nnrt_nnie_layer_call *call, size_t count) {
    float *row = call->outputs[0].data;
    size_t i;
    for (i = 0; i < count; i++, row += 6) {
        uint32_t class_id;
        memcpy(&class_id, row, sizeof(class_id));
        row[0] = (float)class_id;
    }
    call->outputs[0].n = (uint32_t)count;
}

NNRT__FN nnrt_detection *nnrt__nnie_layer_detections(const nnrt_nnie_layer_call *call) {
    return (nnrt_detection *)(void *)call->outputs[0].data;
}

/* --------------------------------------------------------------------------------------------------- layers */

/* Proposals are made at the start of scratch, before the layer's own part. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_proposals(const nnrt_nnie_layer_call *call, const void *user) {
    nnrt_tensor_view scores, deltas;
    nnrt_detection *proposals = (nnrt_detection *)call->scratch;
    size_t count = 0, own = 0, i;
    OH_NN_ReturnCode code = nnrt__nnie_layer_begins(call, user, 2, 4);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_layer_map(&call->inputs[0], &scores);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_layer_map(&call->inputs[1], &deltas);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__mul_size(call->outputs[0].n, sizeof(*proposals), &own) || own > call->scratch_size) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "scratch has %zu bytes, and needs %u for each box and more",
                          call->scratch_size, (unsigned)sizeof(*proposals));
    }
    code =
        nnrt_detection_proposals((const nnrt_proposal_options *)user, &scores, &deltas, (uint8_t *)call->scratch + own,
                                 call->scratch_size - own, proposals, call->outputs[0].n, &count);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < count; i++) memcpy(call->outputs[0].data + 4 * i, &proposals[i].x0, 4 * sizeof(float));
    call->outputs[0].n = (uint32_t)count;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_rcnn(const nnrt_nnie_layer_call *call, const void *user) {
    nnrt_tensor_view views[3];
    size_t count = 0, i;
    OH_NN_ReturnCode code = nnrt__nnie_layer_begins(call, user, 3, 6);
    for (i = 0; i < 3 && code == OH_NN_SUCCESS; i++) code = nnrt__nnie_layer_rows(&call->inputs[i], &views[i]);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt_detect_rcnn((const nnrt_rcnn_options *)user, &views[0], &views[1], &views[2], call->inputs[0].n,
                            call->scratch, call->scratch_size, nnrt__nnie_layer_detections(call), call->outputs[0].n,
                            &count);
    if (code == OH_NN_SUCCESS) nnrt__nnie_layer_ends(call, count);
    return code;
}

/* The maps of inputs first, first + step ... */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_layer_maps(const nnrt_nnie_view *inputs, uint32_t count, uint32_t step,
                                                bool permuted, nnrt_tensor_view *views) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < count && code == OH_NN_SUCCESS; i++) {
        code = permuted ? nnrt__nnie_layer_permuted_map(&inputs[i * step], &views[i])
                        : nnrt__nnie_layer_map(&inputs[i * step], &views[i]);
    }
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_layer_run_ssd(const nnrt_nnie_layer_call *call, const void *user, bool permuted) {
    const nnrt_ssd_options *options = (const nnrt_ssd_options *)user;
    nnrt_tensor_view locations[NNRT_NNIE_MAX_LAYER_TENSORS], confidences[NNRT_NNIE_MAX_LAYER_TENSORS];
    const uint32_t maps = options != NULL && options->map_count <= NNRT_NNIE_MAX_LAYER_TENSORS / 2
                              ? options->map_count
                              : NNRT_NNIE_MAX_LAYER_TENSORS;
    size_t count = 0;
    OH_NN_ReturnCode code = nnrt__nnie_layer_begins(call, user, 2 * maps, 6);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_layer_maps(call->inputs, maps, 2, permuted, locations);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_layer_maps(call->inputs + 1, maps, 2, permuted, confidences);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt_detect_ssd(options, locations, confidences, call->scratch, call->scratch_size,
                           nnrt__nnie_layer_detections(call), call->outputs[0].n, &count);
    if (code == OH_NN_SUCCESS) nnrt__nnie_layer_ends(call, count);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_ssd(const nnrt_nnie_layer_call *call, const void *user) {
    return nnrt__nnie_layer_run_ssd(call, user, false);
}

NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_ssd_permuted(const nnrt_nnie_layer_call *call, const void *user) {
    return nnrt__nnie_layer_run_ssd(call, user, true);
}

NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_yolo(const nnrt_nnie_layer_call *call, const void *user) {
    const nnrt_yolo_options *options = (const nnrt_yolo_options *)user;
    nnrt_tensor_view maps[NNRT_NNIE_MAX_LAYER_TENSORS];
    size_t count = 0;
    OH_NN_ReturnCode code = nnrt__nnie_layer_begins(call, user, options != NULL ? options->map_count : 0, 6);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_layer_maps(call->inputs, call->input_count, 1, false, maps);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt_detect_yolo(options, maps, call->scratch, call->scratch_size, nnrt__nnie_layer_detections(call),
                            call->outputs[0].n, &count);
    if (code == OH_NN_SUCCESS) nnrt__nnie_layer_ends(call, count);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_softmax(const nnrt_nnie_layer_call *call, const void *user) {
    const nnrt_view_axis axis = user != NULL ? *(const nnrt_view_axis *)user : NNRT_AXIS_WIDTH;
    const nnrt_nnie_view *from = call->inputs;
    nnrt_nnie_view *to = call->outputs;
    nnrt_tensor_view view;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    if (call->input_count != 1 || call->output_count != 1 || from->n > to->n || from->c != to->c || from->h != to->h ||
        from->w != to->w) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "softmax has one input, and one output of its shape");
    }
    for (i = 0; i < from->n && code == OH_NN_SUCCESS; i++) {
        const size_t size = (size_t)from->c * from->h * from->w;
        code = nnrt_tensor_view_nchw(from->data + i * size, size, from->c, from->h, from->w, 0, &view);
        if (code == OH_NN_SUCCESS) code = nnrt_detection_softmax(&view, axis, to->data + i * size);
    }
    to->n = from->n;
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_top_n(const nnrt_nnie_layer_call *call, const void *user) {
    const nnrt_nnie_view *from = call->inputs;
    float *row = call->outputs->data;
    size_t count = 0, i;
    OH_NN_ReturnCode code = nnrt__nnie_layer_begins(call, call, 1, 2);
    (void)user;
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt_detection_top_n(from->data, (size_t)from->n * from->c * from->h * from->w, 1,
                                (nnrt_ranked *)(void *)row, call->outputs->n, &count);
    for (i = 0; i < count; i++, row += 2) {
        nnrt_ranked one;
        memcpy(&one, row, sizeof(one));
        row[0] = (float)one.index, row[1] = one.score;
    }
    call->outputs->n = (uint32_t)count;
    return code;
}

/* -------------------------------------------------------------------------------------------------- scratch */

/* A layer of these functions. */
typedef struct nnrt__nnie_ready_layer {
    nnrt_nnie_layer_function run;
    uint32_t inputs;                       /* if its options do not say how many maps there are */
    uint32_t (*maps)(const void *options); /* NULL: inputs counts */
    uint32_t per_map;                      /* inputs per map; 0: they are no maps */
    bool permuted;                         /* the maps' channels come last */
    /* NULL: it needs none. Only the shapes of inputs and maps are read. */
    OH_NN_ReturnCode (*scratch)(const nnrt_nnie_layer *layer, const nnrt_nnie_view *inputs,
                                const nnrt_tensor_view *maps, size_t *bytes);
} nnrt__nnie_ready_layer;

NNRT__FN uint32_t nnrt__nnie_ssd_maps(const void *options) { return ((const nnrt_ssd_options *)options)->map_count; }

NNRT__FN uint32_t nnrt__nnie_yolo_maps(const void *options) { return ((const nnrt_yolo_options *)options)->map_count; }

NNRT__FN OH_NN_ReturnCode nnrt__nnie_scratch_proposals(const nnrt_nnie_layer *layer, const nnrt_nnie_view *inputs,
                                                       const nnrt_tensor_view *maps, size_t *bytes) {
    size_t own;
    const OH_NN_ReturnCode code =
        nnrt_detection_proposals_scratch((const nnrt_proposal_options *)layer->user, maps, bytes);
    (void)inputs;
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__mul_size(layer->outputs[0].n, sizeof(nnrt_detection), &own) || !nnrt__add_size(*bytes, own, bytes)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the scratch for %u boxes has no size that fits",
                          (unsigned)layer->outputs[0].n);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_scratch_rcnn(const nnrt_nnie_layer *layer, const nnrt_nnie_view *inputs,
                                                  const nnrt_tensor_view *maps, size_t *bytes) {
    (void)maps;
    return nnrt_detect_rcnn_scratch((const nnrt_rcnn_options *)layer->user, inputs[0].n, bytes);
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_scratch_ssd(const nnrt_nnie_layer *layer, const nnrt_nnie_view *inputs,
                                                 const nnrt_tensor_view *maps, size_t *bytes) {
    (void)inputs;
    return nnrt_detect_ssd_scratch((const nnrt_ssd_options *)layer->user, maps, bytes);
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_scratch_yolo(const nnrt_nnie_layer *layer, const nnrt_nnie_view *inputs,
                                                  const nnrt_tensor_view *maps, size_t *bytes) {
    (void)inputs;
    return nnrt_detect_yolo_scratch((const nnrt_yolo_options *)layer->user, maps, bytes);
}

/* NULL: run is the program's own. */
NNRT__FN const nnrt__nnie_ready_layer *nnrt__nnie_ready_find(nnrt_nnie_layer_function run) {
    static const nnrt__nnie_ready_layer rows[] = {
        {nnrt_nnie_layer_proposals, 2, NULL, 1, false, nnrt__nnie_scratch_proposals},
        {nnrt_nnie_layer_rcnn, 3, NULL, 0, false, nnrt__nnie_scratch_rcnn},
        {nnrt_nnie_layer_ssd, 0, nnrt__nnie_ssd_maps, 2, false, nnrt__nnie_scratch_ssd},
        {nnrt_nnie_layer_ssd_permuted, 0, nnrt__nnie_ssd_maps, 2, true, nnrt__nnie_scratch_ssd},
        {nnrt_nnie_layer_yolo, 0, nnrt__nnie_yolo_maps, 1, false, nnrt__nnie_scratch_yolo},
        {nnrt_nnie_layer_softmax, 1, NULL, 0, false, NULL},
        {nnrt_nnie_layer_top_n, 1, NULL, 0, false, NULL}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        if (rows[i].run == run) return &rows[i];
    return NULL;
}

/* The number of inputs of the layer with its options; 0: more than the limit. */
NNRT__FN uint32_t nnrt__nnie_ready_inputs(const nnrt__nnie_ready_layer *ready, const void *options) {
    const uint32_t maps = ready->maps != NULL ? ready->maps(options) : 0;
    if (ready->maps == NULL) return ready->inputs;
    return maps <= NNRT_NNIE_MAX_LAYER_TENSORS / ready->per_map ? maps * ready->per_map : 0;
}

NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_scratch(const nnrt_nnie_layer *layer, const nnrt_nnie_view *inputs,
                                                  size_t *bytes) {
    nnrt_nnie_view shapes[NNRT_NNIE_MAX_LAYER_TENSORS];
    nnrt_tensor_view maps[NNRT_NNIE_MAX_LAYER_TENSORS];
    const nnrt__nnie_ready_layer *ready;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    float nothing = 0.0f;
    uint32_t i;
    if (layer == NULL || inputs == NULL || bytes == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "layer, inputs and bytes may not be NULL");
    }
    ready = nnrt__nnie_ready_find(layer->run);
    if (ready != NULL && ready->scratch == NULL) {
        *bytes = 0;
        return OH_NN_SUCCESS;
    }
    if (ready == NULL || layer->user == NULL || layer->outputs == NULL || layer->output_count != 1 ||
        layer->input_count == 0 || layer->input_count != nnrt__nnie_ready_inputs(ready, layer->user)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "the layer is none of nnrt's, has no options, or not the tensors that they make it have");
    }
    for (i = 0; i < layer->input_count; i++) {
        shapes[i] = inputs[i];
        shapes[i].name = "";
        shapes[i].data = &nothing; /* is not read */
    }
    if (ready->per_map != 0)
        code =
            nnrt__nnie_layer_maps(shapes, layer->input_count / ready->per_map, ready->per_map, ready->permuted, maps);
    return code == OH_NN_SUCCESS ? ready->scratch(layer, shapes, maps, bytes) : code;
}

#endif /* NNRT_NNIE_LAYERS_H */
