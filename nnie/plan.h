/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/plan.h - which tensor goes where: segments, the program's layers between them, inputs and outputs.   >>nnie_plan

   Segments run in the order of the file. An input of a segment is, in this order: an output of an earlier segment of
   the same name, in place; an output of a layer of the same name; an input of the model, where the segment is the first
   that runs, or a picture, which no segment makes. Anything else comes from a layer that the mapper left out, and the
   program must supply it. */
#ifndef NNRT_NNIE_PLAN_H
#define NNRT_NNIE_PLAN_H

#include "config.h"
#include "inspect.h"
#include "types.h"

/* ----------------------------------------------------------------------------------------------- geometry */

NNRT__FN bool nnrt__nnie_is_picture(nnrt__nnie_blob_type type) {
    return type == NNRT__NNIE_U8 || type == NNRT__NNIE_YVU420SP || type == NNRT__NNIE_YVU422SP;
}

/* The rows of what the engine calls a frame; a step of a sequence is one row. */
NNRT__FN uint64_t nnrt__nnie_frame_rows(const nnrt__nnie_node *node) {
    const uint64_t height = node->height;
    if (node->type == NNRT__NNIE_YVU420SP) return height + height / 2;
    if (node->type == NNRT__NNIE_YVU422SP) return height * 2;
    return height * node->channels;
}

/* Lays out value in the engine's memory: node, with rows at multiples of the alignment. value->varies and is_boxes are
   set. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_shape_blob(const nnrt__nnie_prepared *model, const nnrt__nnie_node *node,
                                                nnrt__nnie_value *value) {
    const uint64_t row = (uint64_t)node->width * (nnrt__nnie_is_picture(node->type) ? 1 : 4);
    const uint64_t alignment = model->options.alignment, stride = (row + alignment - 1) / alignment * alignment;
    uint64_t frames = model->options.batch, bytes = nnrt__nnie_frame_rows(node); /* both at most 2^32 */
    NNRT_ASSERT(node->width != 0 && node->height != 0 && node->channels != 0 && frames != 0);
    NNRT_ASSERT(!value->varies || model->max_boxes != 0);
    NNRT_ASSERT(node->type != NNRT__NNIE_SEQ_S32 || model->max_steps != 0);
    if (value->varies) frames = value->is_boxes ? 1 : model->max_boxes;
    if (node->type == NNRT__NNIE_SEQ_S32) frames *= model->max_steps; /* of at most 1024 */
    if (stride > INT32_MAX || bytes > INT32_MAX || stride * bytes > INT32_MAX || stride * bytes * frames > INT32_MAX)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" of the model takes 2 GiB or more", value->name);
    value->has_blob = true;
    value->node = *node;
    value->stride = (uint32_t)stride;
    value->rows = value->is_boxes ? model->max_boxes : (uint32_t)frames;
    value->bytes = (uint32_t)(stride * bytes * frames);
    return OH_NN_SUCCESS;
}

/* Whether two descriptions mean the same bytes, as a vector and a feature map of one row do. */
NNRT__FN bool nnrt__nnie_same_bytes(const nnrt__nnie_node *a, const nnrt__nnie_node *b) {
    const bool pictures = nnrt__nnie_is_picture(a->type) || nnrt__nnie_is_picture(b->type);
    const bool sequences = a->type == NNRT__NNIE_SEQ_S32 || b->type == NNRT__NNIE_SEQ_S32;
    return a->width == b->width && a->height == b->height && a->channels == b->channels &&
           ((!pictures && !sequences) || a->type == b->type);
}

/* Describes an output of a segment for layers. */
NNRT__FN void nnrt__nnie_show_to_layers(const nnrt__nnie_prepared *model, nnrt__nnie_value *value) {
    const bool sequence = value->node.type == NNRT__NNIE_SEQ_S32;
    value->has_reals = true;
    value->n = value->varies ? model->max_boxes : model->options.batch;
    value->c = value->node.channels;
    value->h = sequence ? model->max_steps : value->node.height;
    value->w = value->node.width;
}

/* ------------------------------------------------------------------------------------------------- values */

NNRT__FN nnrt__nnie_value *nnrt__nnie_add_value(nnrt__nnie_prepared *model, const char *name, uint32_t segment) {
    nnrt__nnie_value *value = &model->values[model->value_count++];
    NNRT_ASSERT(!value->has_blob && !value->has_reals);
    nnrt__format(value->name, sizeof(value->name), "%s", name);
    value->segment = segment;
    value->offset = NNRT__NNIE_NONE;
    return value;
}

/* Whether a segment or layer makes it, not the program. */
NNRT__FN bool nnrt__nnie_is_made(const nnrt__nnie_value *value) {
    return value->segment != NNRT__NNIE_NONE || value->has_reals;
}

/* The newest value called name, "NAME#2" included, that was made so far; NNRT__NNIE_NONE: none. */
NNRT__FN uint32_t nnrt__nnie_find_value(const nnrt__nnie_prepared *model, const char *name) {
    uint32_t i;
    for (i = model->value_count; i-- > 0;)
        if (nnrt__nnie_is_made(&model->values[i]) && strcmp(model->values[i].name, name) == 0) return i;
    return NNRT__NNIE_NONE;
}

/* The output of an earlier segment with the name of node, ignoring the number of equal names: the first one of the
   latest segment. */
NNRT__FN uint32_t nnrt__nnie_find_node(const nnrt__nnie_prepared *model, const nnrt__nnie_node *node) {
    uint32_t i, found = NNRT__NNIE_NONE;
    for (i = model->value_count; i-- > 0;) {
        const nnrt__nnie_value *value = &model->values[i];
        if (value->segment == NNRT__NNIE_NONE || strcmp(value->node.name, node->name) != 0) continue;
        if (found != NNRT__NNIE_NONE && model->values[found].segment != value->segment) break;
        found = i;
    }
    return found;
}

/* ----------------------------------------------------------------------------------------------- segments */

/* Connects value, of a layer, to the segment's input node. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_feed_from_layer(const nnrt__nnie_prepared *model, const nnrt__nnie_node *node,
                                                     nnrt__nnie_value *value) {
    const uint64_t elements = (uint64_t)value->c * value->h * value->w; /* at most 2^28, add_output */
    const bool row = node->height == 1 && node->channels == 1 && node->type != NNRT__NNIE_SEQ_S32;
    const bool same = value->w == node->width && value->h == node->height && value->c == node->channels;
    if (node->type != NNRT__NNIE_S32 && node->type != NNRT__NNIE_VEC_S32)
        return nnrt__fail(OH_NN_FAILED, "nnie.layers: input \"%.40s\" of a segment is no map or vector", value->name);
    if (value->varies)
        return nnrt__fail(OH_NN_FAILED, "nnie.layers: \"%.40s\" varies, and an input of a segment does not",
                          value->name);
    if (value->n != model->options.batch || !(same || (row && elements == node->width)))
        return nnrt__fail(
            OH_NN_FAILED, "nnie.layers: \"%.40s\" is %u x %u x %u x %u, and the segment takes %u x %u x %u x %u",
            value->name, (unsigned)value->n, (unsigned)value->c, (unsigned)value->h, (unsigned)value->w,
            (unsigned)model->options.batch, (unsigned)node->channels, (unsigned)node->height, (unsigned)node->width);
    return nnrt__nnie_shape_blob(model, node, value);
}

/* Finds the source of input index of segment number. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_plan_input(nnrt__nnie_prepared *model, const nnrt__wk_file *file,
                                                nnrt__nnie_stage *stage, uint32_t index) {
    nnrt__nnie_node own;
    const nnrt__nnie_node *node = &own;
    char name[NNRT__WK_NAME_TEXT];
    nnrt__nnie_value *value;
    uint32_t found;
    nnrt__wk_node(file, stage->number, index, &own);
    nnrt__wk_name_text(file, stage->number, index, node, name);
    found = nnrt__nnie_find_value(model, name);
    if (found == NNRT__NNIE_NONE) found = nnrt__nnie_find_node(model, node);
    stage->inputs[index] = found != NNRT__NNIE_NONE ? found : model->value_count;
    if (found != NNRT__NNIE_NONE) {
        value = &model->values[found];
        value->used = true;
        if (!value->has_blob) return nnrt__nnie_feed_from_layer(model, node, value);
        if (value->varies)
            return nnrt__fail(OH_NN_FAILED, "\"%.40s\" has a row for each box, and segment %u does not take rows",
                              value->name, (unsigned)stage->number);
        if (nnrt__nnie_same_bytes(&value->node, node)) return OH_NN_SUCCESS;
        return nnrt__fail(OH_NN_FAILED,
                          "\"%.40s\" is made as %u x %u x %u and taken by segment %u as %u x %u x %u: a layer between "
                          "them is missing (nnie.layers)",
                          value->name, (unsigned)value->node.channels, (unsigned)value->node.height,
                          (unsigned)value->node.width, (unsigned)stage->number, (unsigned)node->channels,
                          (unsigned)node->height, (unsigned)node->width);
    }
    if (stage != model->stages && !nnrt__nnie_is_picture(node->type))
        return nnrt__fail(OH_NN_FAILED,
                          "input \"%.40s\" of segment %u comes from no segment before it: a layer that the engine does "
                          "not have makes it; supply it by nnie.layers, or run the parts with nnie.segments",
                          name, (unsigned)stage->number);
    return nnrt__nnie_shape_blob(model, node, nnrt__nnie_add_value(model, name, NNRT__NNIE_NONE));
}

/* The boxes of a ROI segment: of a layer, or an input of the model. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_plan_boxes(nnrt__nnie_prepared *model, nnrt__nnie_stage *stage) {
    nnrt__nnie_value *value;
    nnrt__nnie_node node;
    uint32_t i = model->value_count;
    while (i-- > 0 && strcmp(model->values[i].name, NNRT_NNIE_BOXES) != 0) continue;
    stage->boxes = i != NNRT__NNIE_NONE ? i : model->value_count;
    value = i != NNRT__NNIE_NONE ? &model->values[i] : nnrt__nnie_add_value(model, NNRT_NNIE_BOXES, NNRT__NNIE_NONE);
    value->used = true;
    if (value->has_blob && value->is_boxes) return OH_NN_SUCCESS;
    if (value->segment != NNRT__NNIE_NONE ||
        (value->has_reals && ((uint64_t)value->c * value->h * value->w != 4 || value->n > model->max_boxes)))
        return nnrt__fail(OH_NN_FAILED, "\"" NNRT_NNIE_BOXES "\" of segment %u are at most %u rows of 4 values",
                          (unsigned)stage->number, (unsigned)model->max_boxes);
    memset(&node, 0, sizeof(node));
    nnrt__wk_set_row(&node, NNRT__NNIE_S32, 4);
    node.height = model->max_boxes;
    value->is_boxes = true;
    value->varies = true;
    return nnrt__nnie_shape_blob(model, &node, value);
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_plan_segment(nnrt__nnie_prepared *model, const nnrt__wk_file *file,
                                                  uint32_t number) {
    const nnrt__nnie_segment *segment = &model->loaded->segment[number];
    nnrt__nnie_stage *stage = &model->stages[model->stage_count];
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    NNRT_ASSERT(model->stage_count < NNRT__NNIE_MAX_SEGMENTS);
    NNRT_ASSERT(segment->inputs <= NNRT__NNIE_MAX_IO && segment->outputs <= NNRT__NNIE_MAX_IO); /* as in the file */
    stage->number = number;
    stage->type = segment->type;
    stage->boxes = NNRT__NNIE_NONE;
    for (i = 0; i < segment->inputs && code == OH_NN_SUCCESS; i++) code = nnrt__nnie_plan_input(model, file, stage, i);
    stage->input_count = segment->inputs;
    if (code == OH_NN_SUCCESS && stage->type == NNRT__NNIE_NET_ROI) code = nnrt__nnie_plan_boxes(model, stage);
    for (i = 0; i < segment->outputs && code == OH_NN_SUCCESS; i++) {
        nnrt__nnie_value *value;
        nnrt__nnie_node node;
        char name[NNRT__WK_NAME_TEXT];
        nnrt__wk_node(file, number, segment->inputs + i, &node);
        nnrt__wk_name_text(file, number, segment->inputs + i, &node, name);
        stage->outputs[i] = model->value_count;
        value = nnrt__nnie_add_value(model, name, number);
        value->varies = stage->type == NNRT__NNIE_NET_ROI;
        code = nnrt__nnie_shape_blob(model, &node, value);
    }
    stage->output_count = segment->outputs;
    model->stage_count++;
    return code;
}

/* ------------------------------------------------------------------------------------------------- layers */

NNRT__FN OH_NN_ReturnCode nnrt__nnie_layer_fault(uint32_t index, const char *fault) {
    return nnrt__fail(OH_NN_FAILED, "nnie.layers: layer %u %s", (unsigned)index, fault);
}

/* Is text a name that fits? */
NNRT__FN bool nnrt__nnie_is_name(const char *text) {
    size_t length = 0;
    if (text == NULL) return false;
    while (length < NNRT__WK_NAME_TEXT && text[length] != '\0') length++;
    return length != 0 && length < NNRT__WK_NAME_TEXT;
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_check_layer(const nnrt__nnie_prepared *model, const nnrt_nnie_layer *layer,
                                                 uint32_t index) {
    uint32_t i;
    if (layer->size != sizeof(*layer)) return nnrt__nnie_layer_fault(index, "is of another version: its size is wrong");
    if (!nnrt__nnie_is_name(layer->name)) return nnrt__nnie_layer_fault(index, "has no name, or one above 35 bytes");
    if (layer->run == NULL) return nnrt__nnie_layer_fault(index, "has no function run");
    if (layer->input_count > NNRT_NNIE_MAX_LAYER_TENSORS || (layer->input_count != 0 && layer->inputs == NULL))
        return nnrt__nnie_layer_fault(index, "has more than 16 inputs, or no list of them");
    if (layer->output_count == 0 || layer->output_count > NNRT_NNIE_MAX_LAYER_TENSORS || layer->outputs == NULL)
        return nnrt__nnie_layer_fault(index, "has not 1 to 16 outputs, or no list of them");
    if (layer->after < model->options.first_segment || layer->after > model->options.last_segment)
        return nnrt__nnie_layer_fault(index, "runs after a segment that does not run");
    for (i = 0; i < layer->input_count; i++)
        if (!nnrt__nnie_is_name(layer->inputs[i]))
            return nnrt__nnie_layer_fault(index, "has an input without name, or of one above 35 bytes");
    for (i = 0; i < layer->output_count; i++) {
        const nnrt_nnie_layer_output *output = &layer->outputs[i];
        const uint64_t most = (uint64_t)1 << 28;
        if (!nnrt__nnie_is_name(output->name))
            return nnrt__nnie_layer_fault(index, "has an output without name, or of one above 35 bytes");
        if (output->n == 0 || output->c == 0 || output->h == 0 || output->w == 0 || output->n > most ||
            (uint64_t)output->n * output->c > most || (uint64_t)output->n * output->c * output->h > most ||
            (uint64_t)output->n * output->c * output->h > most / output->w)
            return nnrt__nnie_layer_fault(index, "has an output of 0, or of more than 2^28 values");
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_plan_layer(nnrt__nnie_prepared *model, const nnrt_nnie_layer *from,
                                                uint32_t index) {
    nnrt__nnie_layer *layer = &model->layers[index];
    uint32_t i;
    NNRT_ASSERT(index < model->options.layer_count && from->input_count <= NNRT_NNIE_MAX_LAYER_TENSORS &&
                from->output_count <= NNRT_NNIE_MAX_LAYER_TENSORS);
    layer->name = nnrt__copy_string(from->name);
    if (layer->name == NULL) return nnrt__fail_memory();
    layer->after = from->after;
    layer->run = from->run;
    layer->user = from->user;
    layer->scratch_size = from->scratch_size;
    for (i = 0; i < from->input_count; i++) {
        const uint32_t found = nnrt__nnie_find_value(model, from->inputs[i]);
        if (found == NNRT__NNIE_NONE)
            return nnrt__fail(OH_NN_FAILED,
                              "nnie.layers: input \"%.40s\" of layer \"%.40s\" is no output of a segment or layer "
                              "before it; `nnrt inspect` lists the names",
                              from->inputs[i], layer->name);
        layer->inputs[layer->input_count++] = found;
        model->values[found].used = true;
        if (!model->values[found].has_reals) nnrt__nnie_show_to_layers(model, &model->values[found]);
    }
    for (i = 0; i < from->output_count; i++) {
        const nnrt_nnie_layer_output *output = &from->outputs[i];
        nnrt__nnie_value *value;
        if (nnrt__nnie_find_value(model, output->name) != NNRT__NNIE_NONE)
            return nnrt__fail(OH_NN_FAILED, "nnie.layers: layer \"%.40s\" makes \"%.40s\", which is made already",
                              layer->name, output->name);
        layer->outputs[layer->output_count++] = model->value_count;
        value = nnrt__nnie_add_value(model, output->name, NNRT__NNIE_NONE);
        value->has_reals = true;
        value->varies = output->varies != 0;
        value->n = output->n;
        value->c = output->c;
        value->h = output->h;
        value->w = output->w;
    }
    return OH_NN_SUCCESS;
}

/* Layer index of the options, which may lie at any address. */
NNRT__FN nnrt_nnie_layer nnrt__nnie_given_layer(const nnrt__nnie_prepared *model, uint32_t index) {
    nnrt_nnie_layer layer;
    memcpy(&layer, (const uint8_t *)(const void *)model->options.layers + index * sizeof(layer), sizeof(layer));
    return layer;
}

/* The layers that run after the segment, in the order of the array. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_plan_layers(nnrt__nnie_prepared *model, uint32_t segment) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < model->options.layer_count && code == OH_NN_SUCCESS; i++) {
        const nnrt_nnie_layer given = nnrt__nnie_given_layer(model, i);
        if (given.after == segment) code = nnrt__nnie_plan_layer(model, &given, model->layer_count++);
    }
    return code;
}

/* --------------------------------------------------------------------------------------------- the layout */

/* Places the values that are no tensors of the program, after the task buffer; also reals and scratch of layers. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_lay_out(nnrt__nnie_prepared *model) {
    uint64_t end = model->task_size;
    uint64_t reals = 0;
    uint32_t i;
    for (i = 0; i < model->value_count; i++) {
        nnrt__nnie_value *value = &model->values[i];
        NNRT_ASSERT(value->has_blob || value->has_reals);
        if (value->has_blob && value->offset != NNRT__NNIE_NONE) {
            end = (end + NNRT__NNIE_PART - 1) / NNRT__NNIE_PART * NNRT__NNIE_PART;
            value->offset = (uint32_t)end;
            end += value->bytes;
        }
        if (value->has_reals) {
            const uint64_t elements = (uint64_t)value->n * value->c; /* at most 2^28 both, and the product 2^31 */
            value->reals = (size_t)reals;
            reals += elements * value->h * value->w;
        }
        if (end > INT32_MAX || reals > INT32_MAX / sizeof(float))
            return nnrt__fail(OH_NN_FAILED, "the tensors between the segments take 2 GiB or more");
    }
    model->block_size = (uint32_t)end;
    model->reals = (size_t)reals;
    for (i = 0; i < model->layer_count; i++)
        if (model->layers[i].scratch_size > model->scratch) model->scratch = model->layers[i].scratch_size;
    return OH_NN_SUCCESS;
}

/* Finds the numbers that sizes depend on: boxes and steps. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_measure(nnrt__nnie_prepared *model) {
    nnrt__nnie_options *options = &model->options;
    const nnrt__nnie_model *loaded = model->loaded;
    uint32_t i, k;
    for (i = options->first_segment; i <= options->last_segment; i++) {
        const nnrt__nnie_segment *segment = &loaded->segment[i];
        if (segment->type == NNRT__NNIE_NET_RECURRENT && segment->max_steps > model->max_steps)
            model->max_steps = segment->max_steps;
        if (segment->type != NNRT__NNIE_NET_ROI) continue;
        if (segment->roi_layers == 0)
            return nnrt__fail(OH_NN_FAILED,
                              "HI_MPI_SVP_NNIE_LoadModel tells of no ROI layer in segment %u, which has boxes",
                              (unsigned)i);
        for (k = 0; k < segment->roi_layers && k < NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS; k++) {
            const uint32_t pool = segment->roi_layer[k];
            const uint32_t most = pool < NNRT__NNIE_MAX_ROI_LAYERS ? loaded->roi_pool[pool].max_boxes : 0;
            if (most == 0 || most > NNRT__NNIE_MAX_BOXES)
                return nnrt__fail(OH_NN_FAILED, "ROI layer %u of segment %u takes %u boxes", (unsigned)k, (unsigned)i,
                                  (unsigned)most);
            if (model->max_boxes == 0 || most < model->max_boxes) model->max_boxes = most;
        }
    }
    if (options->max_boxes > model->max_boxes)
        return nnrt__fail(OH_NN_FAILED, "nnie.max_boxes is %u, and the model takes %u", (unsigned)options->max_boxes,
                          (unsigned)model->max_boxes);
    if (options->max_boxes != 0) model->max_boxes = options->max_boxes;
    if (model->max_boxes != 0 && options->batch != 1)
        return nnrt__fail(OH_NN_FAILED, "nnie.batch is %u, and segments with boxes take one frame",
                          (unsigned)options->batch);
    if (options->steps > model->max_steps)
        return nnrt__fail(OH_NN_FAILED, "nnie.steps is %u, and sequences of the model have at most %u",
                          (unsigned)options->steps, (unsigned)model->max_steps);
    if (options->step_counts && model->max_steps == 0)
        return nnrt__fail(OH_NN_FAILED, "nnie.step_counts: the model has no sequences");
    if (options->steps != 0) model->max_steps = options->steps;
    return OH_NN_SUCCESS;
}

/* Plans a loaded model; file is its parsed file. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_plan(nnrt__nnie_prepared *model, const nnrt__wk_file *file) {
    const nnrt__nnie_options *options = &model->options;
    OH_NN_ReturnCode code = nnrt__nnie_measure(model);
    uint32_t i, k, values = 0;
    if (code != OH_NN_SUCCESS) return code;
    for (i = options->first_segment; i <= options->last_segment; i++)
        values += 1u + model->loaded->segment[i].inputs + model->loaded->segment[i].outputs;
    for (i = 0; i < options->layer_count && code == OH_NN_SUCCESS; i++) {
        const nnrt_nnie_layer given = nnrt__nnie_given_layer(model, i);
        code = nnrt__nnie_check_layer(model, &given, i);
        values += given.output_count;
    }
    if (code != OH_NN_SUCCESS) return code;
    model->values = (nnrt__nnie_value *)nnrt__alloc_zero(values, sizeof(model->values[0]));
    model->layers = (nnrt__nnie_layer *)nnrt__alloc_zero(options->layer_count + 1u, sizeof(model->layers[0]));
    if (model->values == NULL || model->layers == NULL) return nnrt__fail_memory();
    for (i = options->first_segment; i <= options->last_segment && code == OH_NN_SUCCESS; i++) {
        code = nnrt__nnie_plan_segment(model, file, i);
        if (code == OH_NN_SUCCESS) code = nnrt__nnie_plan_layers(model, i);
    }
    NNRT_ASSERT(model->value_count <= values);
    for (k = 0; k < model->value_count; k++)
        if (model->values[k].has_blob && model->values[k].used && nnrt__nnie_is_made(&model->values[k]))
            model->values[k].offset = 0; /* has a place, lay_out */
    return code;
}

#endif /* NNRT_NNIE_PLAN_H */
