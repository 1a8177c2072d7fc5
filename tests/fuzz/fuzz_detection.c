/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_detection.c - what a detector's maps hold is untrusted, and so are the shapes that a device tells. `make fuzz`.
   The bytes are read as a layer, its options and shapes, then as the floats of the maps, bit for bit.
   Properties  (1) any shapes and options: refused with a sentence, or detections; (2) nothing outside the maps, the
               scratch and the room for detections is touched, all of which are exactly as large as they have to be;
               (3) each detection is finite, of a class that there is, above the threshold, and none is better than the
               one before; (4) what scratch holds does not matter; (5) a byte less of it is refused.
   Seeds       one for each layer, by name. */
#include "linked.h"

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---------------------------------------------------------------------------------------------------- input */

static const uint8_t *next;
static size_t left;

static uint8_t take(void) {
    if (left == 0) return 0;
    left--;
    return *next++;
}

static float take_float(void) {
    uint32_t bits = take();
    float value;
    bits |= (uint32_t)take() << 8;
    bits |= (uint32_t)take() << 16;
    bits |= (uint32_t)take() << 24;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* 1 to most, now and then anything. */
static uint32_t take_count(uint32_t most) {
    const uint8_t byte = take();
    return byte < 0xf8 ? 1 + byte % most : (uint32_t)take() << 24 | take();
}

/* A part of 64 from 0 to 4; now and then any float. */
static float take_number(void) {
    const uint8_t byte = take();
    return byte != 0xff ? (float)byte / 64.0f : take_float();
}

static void *fresh(size_t size) {
    void *block = malloc(size != 0 ? size : 1);
    MUST(block != NULL);
    return block;
}

/* ----------------------------------------------------------------------------------------------------- maps */

enum {
    MOST_MAPS = 4
};

static float *blocks[2 * MOST_MAPS];
static size_t block_count;

/* A view of what the layer expects, or nearly; its floats are the bytes that come next. */
static void take_view(nnrt_tensor_view *view, uint32_t channels, uint32_t height, uint32_t width) {
    const uint8_t kind = take();
    const size_t pad = kind & 3u;
    size_t i;
    memset(view, 0, sizeof(*view));
    if (channels > 64) channels = 64;
    if (height > 8) height = 8;
    if (width > 64) width = 64;
    view->channels = channels, view->height = height, view->width = width;
    if ((kind & 4u) != 0) {
        view->column_stride = channels + pad, view->row_stride = view->column_stride * width, view->channel_stride = 1;
        view->size = view->row_stride * height;
    } else {
        view->column_stride = 1, view->row_stride = width + pad, view->channel_stride = view->row_stride * height;
        view->size = view->channel_stride * channels;
    }
    MUST(view->size <= 64 * 8 * 68);
    blocks[block_count] = (float *)fresh(view->size * sizeof(float));
    for (i = 0; i < view->size; i++) {
        blocks[block_count][i] = (kind & 8u) != 0 ? (float)take() / 32.0f - 4.0f : take_float();
    }
    view->data = blocks[block_count++];
    if ((kind & 0xf0u) == 0xf0u) { /* a shape that is wrong, or a stride */
        view->channels = take_count(64), view->height = take_count(8), view->width = take_count(64);
        view->channel_stride = take_count(200), view->row_stride = take_count(200);
    }
}

/* --------------------------------------------------------------------------------------------------- layers */

/* What is tried: the options of one layer and its maps. */
static struct {
    uint8_t layer;
    float anchors[64];
    nnrt_proposal_options proposal;
    nnrt_rcnn_options rcnn;
    nnrt_prior_options priors[MOST_MAPS];
    nnrt_ssd_options ssd;
    nnrt_yolo_options yolo;
    nnrt_heads_options heads_options;
    nnrt_yolo_head heads[MOST_MAPS];
    nnrt_keypoint keypoints[32 * 64];
    nnrt_tensor_view views[2 * MOST_MAPS];
    uint32_t regions;
} now;

static OH_NN_ReturnCode measure(size_t *bytes) {
    if (now.layer == 0) return nnrt_detection_proposals_scratch(&now.proposal, &now.views[0], bytes);
    if (now.layer == 1) return nnrt_detect_rcnn_scratch(&now.rcnn, now.regions, bytes);
    if (now.layer == 2) return nnrt_detect_ssd_scratch(&now.ssd, now.views, bytes);
    if (now.layer == 6) return nnrt_detect_heads_scratch(&now.heads_options, now.heads, bytes);
    return nnrt_detect_yolo_scratch(&now.yolo, now.views, bytes);
}

static OH_NN_ReturnCode detect(void *scratch, size_t bytes, nnrt_detection *to, size_t capacity, size_t *count) {
    const nnrt_tensor_view *v = now.views;
    if (now.layer == 0) return nnrt_detection_proposals(&now.proposal, v, v + 1, scratch, bytes, to, capacity, count);
    if (now.layer == 1) {
        return nnrt_detect_rcnn(&now.rcnn, v, v + 1, v + 2, now.regions, scratch, bytes, to, capacity, count);
    }
    if (now.layer == 2) return nnrt_detect_ssd(&now.ssd, v, v + MOST_MAPS, scratch, bytes, to, capacity, count);
    if (now.layer == 6)
        return nnrt_detect_heads(&now.heads_options, now.heads, scratch, bytes, to, now.keypoints, capacity, count);
    return nnrt_detect_yolo(&now.yolo, v, scratch, bytes, to, capacity, count);
}

static void take_proposal(void) {
    nnrt_proposal_options *o = &now.proposal;
    const uint32_t height = take_count(6), width = take_count(6);
    size_t i;
    for (i = 0; i < 8; i++) now.anchors[i] = take_float();
    o->anchors = now.anchors;
    o->anchor_count = take_count(2);
    o->stride = 4 * take_number();
    o->image_width = 32 * take_number(), o->image_height = 32 * take_number();
    o->min_size = take_number();
    o->pre_nms_count = take(), o->post_nms_count = take();
    o->nms_threshold = take_number() / 4;
    o->softmax = take() % 2 != 0;
    take_view(&now.views[0], 2 * o->anchor_count, height, width);
    take_view(&now.views[1], 4 * o->anchor_count, height, width);
}

static void take_rcnn(void) {
    nnrt_rcnn_options *o = &now.rcnn;
    o->class_count = take_count(6);
    o->class_agnostic = take() % 2 != 0, o->softmax = take() % 2 != 0;
    o->scale = take_number();
    o->image_width = 32 * take_number(), o->image_height = 32 * take_number();
    o->score_threshold = take_number() / 4, o->nms_threshold = take_number() / 4;
    o->max_detections = take();
    now.regions = take() % 9;
    take_view(&now.views[0], 1, now.regions, 4);
    take_view(&now.views[1], 1, now.regions, o->class_count);
    take_view(&now.views[2], 1, now.regions, o->class_agnostic ? 8 : o->class_count > 16 ? 64 : 4 * o->class_count);
}

static void take_ssd(void) {
    nnrt_ssd_options *o = &now.ssd;
    uint32_t i, k;
    o->maps = now.priors;
    o->map_count = 1 + take() % MOST_MAPS;
    o->image_width = 32 * take_number(), o->image_height = 32 * take_number();
    for (i = 0; i < 4; i++) o->variances[i] = take_number() / 4;
    o->class_count = take_count(5);
    o->background_class = take() % 4;
    o->softmax = take() % 2 != 0, o->clip = take() % 2 != 0;
    o->score_threshold = take_number() / 4, o->nms_threshold = take_number() / 4;
    o->top_k = take(), o->max_detections = take();
    for (i = 0; i < 8; i++) now.anchors[i] = 8 * take_number();
    for (i = 0; i < o->map_count; i++) {
        nnrt_prior_options *p = &now.priors[i];
        const uint32_t height = take_count(4), width = take_count(4);
        uint32_t per_cell;
        p->min_sizes = now.anchors, p->size_count = take_count(2);
        p->max_sizes = take() % 2 != 0 ? now.anchors + 2 : NULL;
        p->aspect_ratios = now.anchors + 4, p->ratio_count = take() % 4;
        p->flip = take() % 2 != 0, p->clip = take() % 2 != 0;
        p->step_x = take_number(), p->step_y = take_number();
        p->offset = take_number();
        if (p->size_count > 2) p->size_count = 2; /* pointers are the program's */
        for (per_cell = 1 + (p->max_sizes != NULL ? 1 : 0), k = 0; k < p->ratio_count; k++) {
            per_cell += p->flip ? 2 : 1;
        }
        take_view(&now.views[i], 4 * per_cell * p->size_count, height, width);
        take_view(&now.views[MOST_MAPS + i], o->class_count > 16 ? 64 : o->class_count * per_cell * p->size_count,
                  height, width);
    }
}

static void take_yolo(void) {
    nnrt_yolo_options *o = &now.yolo;
    uint32_t i;
    o->version = (nnrt_yolo_version)(now.layer - 2);
    o->map_count = take_count(MOST_MAPS);
    o->class_count = take_count(4), o->boxes_per_cell = take_count(3);
    o->grid = take_count(3);
    for (i = 0; i < 24; i++) now.anchors[i] = 8 * take_number();
    o->anchors = now.anchors;
    o->input_width = 32 * take_number(), o->input_height = 32 * take_number(), o->scale_xy = take_number();
    o->square_root = take() % 2 != 0, o->activated = take() % 2 != 0, o->clip = take() % 2 != 0;
    o->best_class = take() % 2 != 0, o->class_agnostic = take() % 2 != 0;
    o->image_width = 32 * take_number(), o->image_height = 32 * take_number();
    o->score_threshold = take_number() / 4, o->nms_threshold = take_number() / 4;
    o->pre_nms_count = take(), o->max_detections = take();
    if (o->map_count > MOST_MAPS) o->map_count = MOST_MAPS; /* pointers are the program's */
    if (o->boxes_per_cell > 3) o->boxes_per_cell = 3;
    for (i = 0; i < o->map_count; i++) {
        const uint32_t per_box = o->class_count > 32 ? 37 : 5 + o->class_count;
        if (o->version == NNRT_YOLO_V1) {
            take_view(&now.views[i], 1, o->grid,
                      o->grid > 8 ? 64 : o->grid * (o->class_count % 64 + 5 * o->boxes_per_cell));
        } else {
            take_view(&now.views[i], o->boxes_per_cell * per_box, take_count(3), take_count(3));
        }
    }
}

/* A map of the bytes that come next, as a type of this size. */
static void take_map(nnrt_map *map, uint32_t channels, uint32_t height, uint32_t width) {
    static const OH_NN_DataType types[4] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16, OH_NN_FLOAT16};
    const uint8_t kind = take();
    nnrt_tensor_view view;
    take_view(&view, channels, height, width);
    map->type = (kind & 7u) < 4 ? types[kind & 7u] : (kind & 7u) == 7 ? (OH_NN_DataType)take() : OH_NN_FLOAT32;
    map->scale = take_number(), map->zero_point = (int8_t)take();
    map->data = view.data;
    map->size = view.size * sizeof(float) / (nnrt__element_size(map->type) != 0 ? nnrt__element_size(map->type) : 1);
    map->channels = view.channels, map->height = view.height, map->width = view.width;
    map->channel_stride = view.channel_stride, map->row_stride = view.row_stride;
    map->column_stride = view.column_stride;
}

static void take_heads(void) {
    nnrt_heads_options *o = &now.heads_options;
    const uint32_t classes = take_count(4), points = take() % 4, bins = take() % 4 == 0 ? 16 : 1;
    uint32_t i;
    o->head_count = take_count(MOST_MAPS);
    o->logits = take() % 2 != 0, o->best_class = take() % 2 != 0, o->class_agnostic = take() % 2 != 0;
    o->keypoints_decoded = take() % 2 != 0, o->keypoint_values = 2 + take() % 2;
    o->score_threshold = take_number() / 4, o->nms_threshold = take_number() / 4;
    o->pre_nms_count = take(), o->max_detections = take();
    if (o->head_count > MOST_MAPS) o->head_count = MOST_MAPS; /* pointers are the program's */
    for (i = 0; i < o->head_count; i++) {
        nnrt_yolo_head *head = &now.heads[i];
        const uint32_t height = take_count(3), width = take_count(3);
        const uint8_t parts = take();
        nnrt_map all;
        head->coding = (nnrt_box_coding)(take() % 5);
        head->stride_x = 8 * take_number(), head->stride_y = 8 * take_number();
        head->anchor_width = 8 * take_number(), head->anchor_height = 8 * take_number();
        memset(&all, 0, sizeof(all));
        if ((parts & 1u) != 0) { /* of one map */
            take_map(&all, 4 * bins + 1 + classes % 8 + points * o->keypoint_values, height, width);
            (void)nnrt_yolo_head_of(&all, take() % 2, take() % 4 == 0 ? 4 * bins : 4, (parts & 2u) != 0, classes,
                                    points * o->keypoint_values, head);
            continue;
        }
        take_map(&head->boxes, 4 * bins, height, width);
        take_map(&head->classes, classes, height, width);
    }
}

/* -------------------------------------------------------------------------------------------------- the try */

static uint32_t classes_of(void) {
    return now.layer == 0   ? 1
           : now.layer == 1 ? now.rcnn.class_count
           : now.layer == 2 ? now.ssd.class_count
           : now.layer == 6 ? now.heads[0].classes.channels
                            : now.yolo.class_count;
}

static bool likely(float score) {
    if (now.layer == 0) return score == score;
    return score > (now.layer == 1   ? now.rcnn.score_threshold
                    : now.layer == 2 ? now.ssd.score_threshold
                    : now.layer == 6 ? now.heads_options.score_threshold
                                     : now.yolo.score_threshold);
}

static void look_at(const nnrt_detection *found, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        MUST(found[i].class_id < classes_of() && likely(found[i].score));
        MUST(nnrt__finite(found[i].x0) && nnrt__finite(found[i].y0) && nnrt__finite(found[i].x1) &&
             nnrt__finite(found[i].y1));
        MUST(i == 0 || found[i - 1].score >= found[i].score);
    }
}

static void try_layer(size_t capacity) {
    nnrt_detection *found[2];
    size_t bytes = 0, counts[2] = {0, 0}, i;
    uint8_t *scratch;
    OH_NN_ReturnCode code;
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    code = measure(&bytes);
    MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_PARAMETER && nnrt_last_error()[0] != '\0'));
    if (code != OH_NN_SUCCESS || bytes > 1 << 20) return;
    scratch = (uint8_t *)fresh(bytes);
    for (i = 0; i < 2; i++) {
        found[i] = (nnrt_detection *)fresh(capacity * sizeof(nnrt_detection));
        memset(scratch, i == 0 ? 0 : 0xff, bytes);
        MUST(i == 0 || code == detect(scratch, bytes, found[1], capacity, &counts[1]));
        if (i == 0) code = detect(scratch, bytes, found[0], capacity, &counts[0]);
        MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_PARAMETER && nnrt_last_error()[0] != '\0'));
    }
    MUST(counts[0] == counts[1] && counts[0] <= capacity);
    if (counts[0] != 0) MUST(memcmp(found[0], found[1], counts[0] * sizeof(nnrt_detection)) == 0);
    look_at(found[0], counts[0]);
    if (!(now.layer == 1 && now.regions == 0)) {
        MUST(detect(scratch, bytes - 1, found[0], capacity, &counts[0]) == OH_NN_INVALID_PARAMETER);
    }
    free(scratch);
    free(found[0]);
    free(found[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    next = data;
    left = size;
    block_count = 0;
    memset(&now, 0, sizeof(now));
    now.layer = take() % 7;
    if (now.layer == 0) take_proposal();
    else if (now.layer == 1) take_rcnn();
    else if (now.layer == 2) take_ssd();
    else if (now.layer == 6) take_heads();
    else take_yolo();
    try_layer(take() % 32);
    while (block_count != 0) free(blocks[--block_count]);
    return 0;
}
