/* SPDX-License-Identifier: Apache-2.0 */
/* detection/heads.h - detections of the YOLO networks from version 5 on.   >>detection_heads

   A cell is a candidate once for each class that is likely enough. Candidates are numbered class * cells + cell, so
   that equal scores have the order of classes, then of cells: head by head, row by row. Maps are searched in memory
   order: most cells of most pictures are below the threshold, and cost one comparison of integers. */
#ifndef NNRT_DETECTION_HEADS_H
#define NNRT_DETECTION_HEADS_H

#include "classes.h"
#include "map.h"

#define NNRT__HEADS_MOST 64

typedef struct nnrt__heads {
    const nnrt_heads_options *options;
    const nnrt_yolo_head *heads;
    uint32_t class_count, keypoint_count;
    uint32_t first[NNRT__HEADS_MOST + 1]; /* number of the first cell of each head, and of all */
    nnrt__best best;                      /* candidates */
    nnrt__rect *boxes;                    /* of each candidate, as the classes */
    uint32_t *classes;
    uint32_t *kept; /* places among the candidates */
} nnrt__heads;

/* One cell of a head. */
typedef struct nnrt__head_cell {
    const nnrt_yolo_head *head;
    uint32_t row, column;
    uint32_t number; /* among the cells of all heads */
} nnrt__head_cell;

/* -------------------------------------------------------------------------------------------------- checks */

NNRT__FN OH_NN_ReturnCode nnrt__heads_check_options(const nnrt_heads_options *options) {
    if (options == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "options is NULL");
    if (options->head_count == 0 || options->head_count > NNRT__HEADS_MOST || options->max_detections == 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u heads, %u detections: 1 to %u heads, at least 1 detection",
                          (unsigned)options->head_count, (unsigned)options->max_detections, NNRT__HEADS_MOST);
    return nnrt__check_thresholds(options->score_threshold, options->nms_threshold);
}

/* A part of a head, which has the height and width of its classes. */
NNRT__FN OH_NN_ReturnCode nnrt__head_check_part(const nnrt_yolo_head *head, const nnrt_map *part, const char *what) {
    const OH_NN_ReturnCode code = nnrt__map_check(part, what);
    if (code != OH_NN_SUCCESS) return code;
    if (part->height == head->classes.height && part->width == head->classes.width) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %u rows and %u columns, but those of classes are %u and %u", what,
                      (unsigned)part->height, (unsigned)part->width, (unsigned)head->classes.height,
                      (unsigned)head->classes.width);
}

NNRT__FN OH_NN_ReturnCode nnrt__head_check(const nnrt_heads_options *options, const nnrt_yolo_head *head) {
    const uint32_t channels = head->boxes.channels, values = options->keypoint_values;
    OH_NN_ReturnCode code = nnrt__head_check_part(head, &head->classes, "classes");
    if (code == OH_NN_SUCCESS) code = nnrt__head_check_part(head, &head->boxes, "boxes");
    if (code == OH_NN_SUCCESS && head->object.data != NULL) code = nnrt__head_check_part(head, &head->object, "object");
    if (code == OH_NN_SUCCESS && head->keypoints.data != NULL)
        code = nnrt__head_check_part(head, &head->keypoints, "keypoints");
    if (code != OH_NN_SUCCESS) return code;
    if ((unsigned)head->coding > NNRT_BOX_DECODED)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "there is no coding %d of boxes", (int)head->coding);
    if (head->coding == NNRT_BOX_DISTANCES ? channels % 4 != 0 : channels != 4)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "boxes: %u channels are not 4, nor 4 times a number of distances",
                          (unsigned)channels);
    if (head->object.data != NULL && head->object.channels != 1)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "object: %u channels", (unsigned)head->object.channels);
    if (head->keypoints.data != NULL && ((values != 2 && values != 3) || head->keypoints.channels % values != 0))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "keypoints: %u channels for points of %u values: 2 or 3",
                          (unsigned)head->keypoints.channels, (unsigned)values);
    if (!nnrt__positive(head->stride_x) || !nnrt__positive(head->stride_y))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "stride_x and stride_y are positive numbers of pixels");
    if (head->coding == NNRT_BOX_ANCHOR && !(nnrt__positive(head->anchor_width) && nnrt__positive(head->anchor_height)))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the anchor is not positive");
    return OH_NN_SUCCESS;
}

NNRT__FN uint32_t nnrt__head_keypoints(const nnrt_heads_options *options, const nnrt_yolo_head *head) {
    return head->keypoints.data != NULL ? head->keypoints.channels / options->keypoint_values : 0;
}

/* Checks everything and begins self. */
NNRT__FN OH_NN_ReturnCode nnrt__heads_check(const nnrt_heads_options *options, const nnrt_yolo_head *heads,
                                            nnrt__heads *self) {
    uint64_t total = 0;
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__heads_check_options(options);
    if (code != OH_NN_SUCCESS) return code;
    if (heads == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "heads is NULL");
    memset(self, 0, sizeof(*self));
    self->options = options;
    self->heads = heads;
    for (i = 0; i < options->head_count; i++) {
        code = nnrt__head_check(options, &heads[i]);
        if (code != OH_NN_SUCCESS) return nnrt__fail(code, "head %u: %s", (unsigned)i, nnrt__sentence());
        if (heads[i].classes.channels != heads[0].classes.channels ||
            nnrt__head_keypoints(options, &heads[i]) != nnrt__head_keypoints(options, &heads[0]))
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "head %u has other numbers of classes or keypoints than head 0",
                              (unsigned)i);
        total += (uint64_t)heads[i].classes.height * heads[i].classes.width;
        code = nnrt__class_check(total, heads[0].classes.channels);
        if (code != OH_NN_SUCCESS) return code;
        self->first[i + 1] = (uint32_t)total;
    }
    self->class_count = heads[0].classes.channels;
    self->keypoint_count = nnrt__head_keypoints(options, &heads[0]);
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__heads_carve(nnrt__carver *carver, nnrt__heads *self) {
    const nnrt_heads_options *options = self->options;
    const uint32_t cells = self->first[options->head_count];
    const uint32_t all = options->best_class ? cells : cells * self->class_count;
    const size_t room = options->pre_nms_count != 0 && options->pre_nms_count < all ? options->pre_nms_count : all;
    self->best.list = (nnrt_ranked *)nnrt__carve(carver, room, sizeof(nnrt_ranked));
    self->best.room = room;
    self->boxes = (nnrt__rect *)nnrt__carve(carver, room, sizeof(nnrt__rect));
    self->classes = (uint32_t *)nnrt__carve(carver, room, sizeof(uint32_t));
    self->kept = (uint32_t *)nnrt__carve(carver, options->max_detections < room ? options->max_detections : room,
                                         sizeof(uint32_t));
}

/* -------------------------------------------------------------------------------------- what a cell says */

NNRT__FN float nnrt__head_value(const nnrt_map *map, const nnrt__head_cell *at, size_t channel) {
    return nnrt__map_at(map, channel, at->row, at->column);
}

/* The mean of 0..bins-1, weighted by a softmax over as many channels; of one bin the channel itself. */
NNRT__FN float nnrt__head_distance(const nnrt__head_cell *at, size_t first, size_t bins) {
    const nnrt_map *map = &at->head->boxes;
    float largest = nnrt__head_value(map, at, first), sum = 0.0f, weighted = 0.0f;
    size_t i;
    if (bins == 1) return largest;
    for (i = 1; i < bins; i++) {
        const float value = nnrt__head_value(map, at, first + i);
        largest = value > largest ? value : largest;
    }
    for (i = 0; i < bins; i++) {
        const float weight = expf(nnrt__head_value(map, at, first + i) - largest);
        sum += weight;
        weighted += weight * (float)i;
    }
    return weighted / sum;
}

NNRT__FN nnrt__rect nnrt__head_rect(float x, float y, float width, float height) {
    const nnrt__rect box = {x - 0.5f * width, y - 0.5f * height, x + 0.5f * width, y + 0.5f * height};
    return box;
}

/* In pixels of the input; false: it is not finite. */
NNRT__FN bool nnrt__head_box(const nnrt_heads_options *options, const nnrt__head_cell *at, nnrt__rect *box) {
    const nnrt_yolo_head *head = at->head;
    const float column = (float)at->column, row = (float)at->row, sx = head->stride_x, sy = head->stride_y;
    float value[4];
    size_t i;
    for (i = 0; i < 4; i++) {
        const size_t bins = head->boxes.channels / 4; /* 1, but for distances */
        value[i] = nnrt__head_distance(at, i * bins, bins);
        if (head->coding == NNRT_BOX_ANCHOR) value[i] = 2.0f * (options->logits ? nnrt__sigmoid(value[i]) : value[i]);
    }
    switch (head->coding) {
    case NNRT_BOX_DISTANCES:
        box->x0 = (column + 0.5f - value[0]) * sx, box->y0 = (row + 0.5f - value[1]) * sy;
        box->x1 = (column + 0.5f + value[2]) * sx, box->y1 = (row + 0.5f + value[3]) * sy;
        break;
    case NNRT_BOX_ANCHOR:
        *box = nnrt__head_rect((column + value[0] - 0.5f) * sx, (row + value[1] - 0.5f) * sy,
                               value[2] * value[2] * head->anchor_width, value[3] * value[3] * head->anchor_height);
        break;
    case NNRT_BOX_EXPONENTIAL:
        *box =
            nnrt__head_rect((column + value[0]) * sx, (row + value[1]) * sy, expf(value[2]) * sx, expf(value[3]) * sy);
        break;
    default: *box = nnrt__head_rect(value[0] * sx, value[1] * sy, value[2] * sx, value[3] * sy);
    }
    return nnrt__rect_finite(box);
}

NNRT__FN float nnrt__head_likely(const nnrt_heads_options *options, float value) {
    return options->logits ? nnrt__sigmoid(value) : value;
}

/* The class with the highest value, the lowest of equal ones. */
NNRT__FN uint32_t nnrt__head_best_class(const nnrt__head_cell *at) {
    const nnrt_map *classes = &at->head->classes;
    float best = nnrt__head_value(classes, at, 0);
    uint32_t best_class = 0, i;
    for (i = 1; i < classes->channels; i++) {
        const float value = nnrt__head_value(classes, at, i);
        if (value > best || (best != best && value == value)) best = value, best_class = i;
    }
    return best_class;
}

NNRT__FN void nnrt__head_keypoint(const nnrt_heads_options *options, const nnrt__head_cell *at, uint32_t number,
                                  nnrt_keypoint *to) {
    const nnrt_yolo_head *head = at->head;
    const size_t first = (size_t)number * options->keypoint_values;
    const bool decoded = options->keypoints_decoded;
    to->x = nnrt__head_value(&head->keypoints, at, first);
    to->y = nnrt__head_value(&head->keypoints, at, first + 1);
    to->score = options->keypoint_values == 3 ? nnrt__head_value(&head->keypoints, at, first + 2) : 1.0f;
    if (decoded) return;
    to->x = ((float)at->column + 2.0f * to->x) * head->stride_x;
    to->y = ((float)at->row + 2.0f * to->y) * head->stride_y;
    if (options->keypoint_values == 3) to->score = nnrt__sigmoid(to->score);
}

/* ----------------------------------------------------------------------------------------------- detections */

/* Offers a cell as an object of a class; object: the score for an object. */
NNRT__FN void nnrt__heads_offer(nnrt__heads *self, const nnrt__head_cell *at, uint32_t class_id, float object) {
    const nnrt_heads_options *options = self->options;
    const uint32_t index = class_id * self->first[options->head_count] + at->number;
    const float score = object * nnrt__head_likely(options, nnrt__head_value(&at->head->classes, at, class_id));
    nnrt__rect box;
    if (!(score > options->score_threshold) || !nnrt__best_takes(&self->best, score, index)) return;
    if (options->best_class && nnrt__head_best_class(at) != class_id) return;
    if (nnrt__head_box(options, at, &box)) nnrt__best_add(&self->best, score, index);
}

/* Searches a head by its objects: classes are read only where there may be one. */
NNRT__FN void nnrt__heads_collect_objects(nnrt__heads *self, nnrt__head_cell at) {
    const nnrt_heads_options *options = self->options;
    const nnrt_map *map = &at.head->object;
    const nnrt__map_least least = nnrt__map_least_of(map, options->logits, options->score_threshold);
    const uint32_t first = at.number;
    uint32_t i;
    for (at.row = 0; at.row < map->height; at.row++) {
        const size_t row = nnrt__map_place(map, 0, at.row, 0);
        for (at.column = 0;; at.column++) {
            float object;
            at.column = nnrt__map_next(map, row, map->column_stride, at.column, map->width, &least);
            if (at.column == map->width) break;
            object = nnrt__head_likely(options, nnrt__head_value(map, &at, 0));
            if (!(object > options->score_threshold)) continue;
            at.number = first + at.row * map->width + at.column;
            for (i = 0; i < self->class_count; i++) nnrt__heads_offer(self, &at, i, object);
        }
    }
}

/* Searches a head by its classes, plane by plane. */
NNRT__FN void nnrt__heads_collect_planes(nnrt__heads *self, nnrt__head_cell at, const nnrt__map_least *least) {
    const nnrt_map *map = &at.head->classes;
    const uint32_t first = at.number;
    uint32_t i;
    for (i = 0; i < self->class_count; i++) {
        for (at.row = 0; at.row < map->height; at.row++) {
            const size_t row = nnrt__map_place(map, i, at.row, 0);
            for (at.column = 0;; at.column++) {
                at.column = nnrt__map_next(map, row, map->column_stride, at.column, map->width, least);
                if (at.column == map->width) break;
                at.number = first + at.row * map->width + at.column;
                nnrt__heads_offer(self, &at, i, 1.0f);
            }
        }
    }
}

/* Searches a head by its classes, cell by cell. */
NNRT__FN void nnrt__heads_collect_cells(nnrt__heads *self, nnrt__head_cell at, const nnrt__map_least *least) {
    const nnrt_map *map = &at.head->classes;
    uint32_t i;
    for (at.row = 0; at.row < map->height; at.row++) {
        for (at.column = 0; at.column < map->width; at.column++, at.number++) {
            const size_t cell = nnrt__map_place(map, 0, at.row, at.column);
            for (i = 0;; i++) {
                i = nnrt__map_next(map, cell, map->channel_stride, i, self->class_count, least);
                if (i == self->class_count) break;
                nnrt__heads_offer(self, &at, i, 1.0f);
            }
        }
    }
}

NNRT__FN void nnrt__heads_collect(nnrt__heads *self) {
    const nnrt_heads_options *options = self->options;
    uint32_t i;
    for (i = 0; i < options->head_count; i++) {
        const nnrt_yolo_head *head = &self->heads[i];
        nnrt__head_cell at;
        nnrt__map_least least;
        at.head = head;
        at.row = at.column = 0;
        at.number = self->first[i];
        if (head->object.data != NULL) {
            nnrt__heads_collect_objects(self, at);
            continue;
        }
        least = nnrt__map_least_of(&head->classes, options->logits, options->score_threshold);
        if (head->classes.channel_stride < head->classes.column_stride) nnrt__heads_collect_cells(self, at, &least);
        else nnrt__heads_collect_planes(self, at, &least);
    }
    nnrt__best_sort(&self->best);
}

NNRT__FN nnrt__head_cell nnrt__heads_at(const nnrt__heads *self, uint32_t number) {
    nnrt__head_cell at;
    uint32_t i = 0, cell;
    while (number >= self->first[i + 1]) i++;
    cell = number - self->first[i];
    at.head = &self->heads[i];
    at.row = cell / at.head->classes.width;
    at.column = cell % at.head->classes.width;
    at.number = number;
    return at;
}

NNRT_API OH_NN_ReturnCode nnrt_yolo_head_of(const nnrt_map *map, uint32_t first, uint32_t box_channels, bool object,
                                            uint32_t class_count, uint32_t keypoint_channels, nnrt_yolo_head *head) {
    const uint32_t counts[4] = {box_channels, object ? 1u : 0u, class_count, keypoint_channels};
    nnrt_map parts[4];
    size_t i;
    if (head == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "head is NULL");
    memset(parts, 0, sizeof(parts));
    for (i = 0; i < 4; i++) {
        const bool left_out = (i == 1 || i == 3) && counts[i] == 0;
        const OH_NN_ReturnCode code = left_out ? OH_NN_SUCCESS : nnrt_map_channels(map, first, counts[i], &parts[i]);
        if (code != OH_NN_SUCCESS) return code;
        first += counts[i]; /* if it wraps there are not enough channels anyway */
    }
    head->boxes = parts[0];
    head->object = parts[1];
    head->classes = parts[2];
    head->keypoints = parts[3];
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_detect_heads_scratch(const nnrt_heads_options *options, const nnrt_yolo_head *heads,
                                                    size_t *bytes) {
    nnrt__carver measured = nnrt__carver_measures();
    nnrt__heads self;
    const OH_NN_ReturnCode code = nnrt__heads_check(options, heads, &self);
    if (code != OH_NN_SUCCESS) return code;
    if (bytes == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "bytes is NULL");
    nnrt__heads_carve(&measured, &self);
    return nnrt__carver_tell(&measured, bytes);
}

NNRT_API OH_NN_ReturnCode nnrt_detect_heads(const nnrt_heads_options *options, const nnrt_yolo_head *heads,
                                            void *scratch, size_t scratch_size, nnrt_detection *detections,
                                            nnrt_keypoint *keypoints, size_t capacity, size_t *count) {
    nnrt__carver measured = nnrt__carver_measures(), carver;
    nnrt__heads self;
    nnrt__head_cell at;
    size_t left, most, i;
    uint32_t cells, k;
    OH_NN_ReturnCode code = nnrt__heads_check(options, heads, &self);
    if (code != OH_NN_SUCCESS) return code;
    if (detections == NULL || count == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "detections and count may not be NULL");
    nnrt__heads_carve(&measured, &self);
    code = nnrt__carver_begin(&measured, scratch, scratch_size, &carver);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__heads_carve(&carver, &self);
    nnrt__heads_collect(&self);
    cells = self.first[options->head_count];
    for (i = 0; i < self.best.count; i++) {
        at = nnrt__heads_at(&self, self.best.list[i].index % cells);
        (void)nnrt__head_box(options, &at, &self.boxes[i]);
        self.classes[i] = self.best.list[i].index / cells;
    }
    most = options->max_detections < capacity ? options->max_detections : capacity;
    left = nnrt__suppress(self.boxes, options->class_agnostic ? NULL : self.classes, self.best.count,
                          options->nms_threshold, 0.0f, self.kept, most);
    for (i = 0; i < left; i++) {
        const size_t one = self.kept[i];
        detections[i] = nnrt__detection(self.classes[one], self.best.list[one].score, &self.boxes[one]);
        at = nnrt__heads_at(&self, self.best.list[one].index % cells);
        for (k = 0; keypoints != NULL && k < self.keypoint_count; k++)
            nnrt__head_keypoint(options, &at, k, &keypoints[i * self.keypoint_count + k]);
    }
    *count = left;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_HEADS_H */
