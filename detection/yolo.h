/* SPDX-License-Identifier: Apache-2.0 */
/* detection/yolo.h - detections of YOLO v1, v2 and v3 as darknet's layers make them.   >>detection_yolo

   A box of a cell is a candidate once for each class that is likely enough. Candidates are numbered class * boxes +
   box, so that equal scores have the order of classes, then of boxes: map by map, row by row, cell by cell. */
#ifndef NNRT_DETECTION_YOLO_H
#define NNRT_DETECTION_YOLO_H

#include "classes.h"

#define NNRT__YOLO_MAX_MAPS 16

typedef struct nnrt__yolo {
    const nnrt_yolo_options *options;
    const nnrt_tensor_view *maps;
    uint32_t first[NNRT__YOLO_MAX_MAPS + 1]; /* number of the first box of each map, and of all */
    nnrt__best best;                         /* candidates */
    nnrt__rect *boxes;                       /* of each candidate, as the classes */
    uint32_t *classes;
    uint32_t *kept; /* places among the candidates */
} nnrt__yolo;

/* One box of a map. */
typedef struct nnrt__yolo_place {
    uint32_t map, row, column, number;
} nnrt__yolo_place;

/* ------------------------------------------------------------------------------------------------- options */

NNRT__FN uint32_t nnrt__yolo_rows(const nnrt__yolo *self, uint32_t map) {
    return self->options->version == NNRT_YOLO_V1 ? self->options->grid : self->maps[map].height;
}

NNRT__FN uint32_t nnrt__yolo_columns(const nnrt__yolo *self, uint32_t map) {
    return self->options->version == NNRT_YOLO_V1 ? self->options->grid : self->maps[map].width;
}

NNRT__FN OH_NN_ReturnCode nnrt__yolo_check_options(const nnrt_yolo_options *options) {
    OH_NN_ReturnCode code;
    if (options == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "options is NULL");
    if ((unsigned)options->version < NNRT_YOLO_V1 || (unsigned)options->version > NNRT_YOLO_V3) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "version %u of YOLO: 1 to 3", (unsigned)options->version);
    }
    if (options->map_count == 0 || options->map_count > (options->version == NNRT_YOLO_V3 ? NNRT__YOLO_MAX_MAPS : 1)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u maps: 1, version 3 up to 16", (unsigned)options->map_count);
    }
    if (options->class_count == 0 || options->class_count > UINT32_MAX - 5 || options->boxes_per_cell == 0 ||
        options->max_detections == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u classes, %u boxes in a cell and %u detections: at least 1",
                          (unsigned)options->class_count, (unsigned)options->boxes_per_cell,
                          (unsigned)options->max_detections);
    }
    if (options->version == NNRT_YOLO_V1 && options->grid == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "grid is the number of cells in a row");
    }
    if (options->version != NNRT_YOLO_V1 && options->anchors == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "anchors is NULL");
    }
    if (options->version == NNRT_YOLO_V3 &&
        !(nnrt__positive(options->input_width) && nnrt__positive(options->input_height) &&
          nnrt__finite(options->scale_xy) && options->scale_xy >= 0.0f)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "input_width and input_height are positive, and scale_xy, or 0 for 1");
    }
    code = nnrt__check_image(options->image_width, options->image_height);
    return code == OH_NN_SUCCESS ? nnrt__check_thresholds(options->score_threshold, options->nms_threshold) : code;
}

/* Version 1: one view with as many elements as the network's vector. A product can only wrap with more boxes or classes
   than nnrt__yolo_check allows. */
NNRT__FN OH_NN_ReturnCode nnrt__yolo_check_vector(const nnrt_yolo_options *options, const nnrt_tensor_view *view) {
    const uint64_t cells = (uint64_t)options->grid * options->grid;
    const uint64_t per_cell = options->class_count + 5 * (uint64_t)options->boxes_per_cell;
    const uint64_t area = (uint64_t)view->height * view->width;
    const OH_NN_ReturnCode code = nnrt__view_check(view, "maps");
    if (code != OH_NN_SUCCESS) return code;
    if (area <= UINT32_MAX && cells * per_cell == area * view->channels) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "maps: %u channels, %u rows, %u columns are not the vector of %u by %u cells",
                      (unsigned)view->channels, (unsigned)view->height, (unsigned)view->width, (unsigned)options->grid,
                      (unsigned)options->grid);
}

NNRT__FN OH_NN_ReturnCode nnrt__yolo_check_map(const nnrt_yolo_options *options, const nnrt_tensor_view *view,
                                               uint32_t map) {
    const float *anchors = options->anchors + 2 * (size_t)map * options->boxes_per_cell;
    size_t i;
    const OH_NN_ReturnCode code = nnrt__view_check_shape(
        view, "maps", (uint64_t)options->boxes_per_cell * (options->class_count + 5), view->height, view->width);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < 2 * (size_t)options->boxes_per_cell; i++) {
        if (!nnrt__positive(anchors[i])) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "anchor %zu of map %u is not positive", i / 2, (unsigned)map);
        }
    }
    return OH_NN_SUCCESS;
}

/* Checks everything and begins self. */
NNRT__FN OH_NN_ReturnCode nnrt__yolo_check(const nnrt_yolo_options *options, const nnrt_tensor_view *maps,
                                           nnrt__yolo *self) {
    uint64_t total = 0;
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__yolo_check_options(options);
    if (code != OH_NN_SUCCESS) return code;
    if (maps == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "maps is NULL");
    memset(self, 0, sizeof(*self));
    self->options = options;
    self->maps = maps;
    for (i = 0; i < options->map_count; i++) {
        uint64_t cells;
        code = options->version == NNRT_YOLO_V1 ? nnrt__yolo_check_vector(options, &maps[i])
                                                : nnrt__yolo_check_map(options, &maps[i], i);
        if (code != OH_NN_SUCCESS) return code;
        cells = (uint64_t)nnrt__yolo_rows(self, i) * nnrt__yolo_columns(self, i);
        code = nnrt__class_check(cells, options->boxes_per_cell);
        if (code == OH_NN_SUCCESS) total += cells * options->boxes_per_cell;
        if (code == OH_NN_SUCCESS) code = nnrt__class_check(total, options->class_count);
        if (code != OH_NN_SUCCESS) return code;
        self->first[i + 1] = (uint32_t)total;
    }
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__yolo_carve(nnrt__carver *carver, nnrt__yolo *self) {
    const nnrt_yolo_options *options = self->options;
    const uint32_t boxes = self->first[options->map_count];
    const uint32_t all = options->best_class ? boxes : boxes * options->class_count;
    const size_t room = options->pre_nms_count != 0 && options->pre_nms_count < all ? options->pre_nms_count : all;
    self->best.list = (nnrt_ranked *)nnrt__carve(carver, room, sizeof(nnrt_ranked));
    self->best.room = room;
    self->boxes = (nnrt__rect *)nnrt__carve(carver, room, sizeof(nnrt__rect));
    self->classes = (uint32_t *)nnrt__carve(carver, room, sizeof(uint32_t));
    self->kept = (uint32_t *)nnrt__carve(carver, options->max_detections < room ? options->max_detections : room,
                                         sizeof(uint32_t));
}

/* -------------------------------------------------------------------------------------- what a map says */

/* Value number index of the vector of version 1. */
NNRT__FN float nnrt__yolo_element(const nnrt_tensor_view *view, size_t index) {
    const size_t area = (size_t)view->height * view->width;
    return nnrt__view_at(view, index / area, index % area / view->width, index % view->width);
}

/* Value number `entry` of a box: x, y, w, h, object, then the classes. */
NNRT__FN float nnrt__yolo_value(const nnrt__yolo *self, const nnrt__yolo_place *at, size_t entry) {
    const nnrt_yolo_options *options = self->options;
    const size_t cells = (size_t)options->grid * options->grid, per_cell = options->boxes_per_cell;
    const size_t cell = (size_t)at->row * options->grid + at->column, box = cell * per_cell + at->number;
    const size_t classes = options->class_count;
    if (options->version != NNRT_YOLO_V1) {
        return nnrt__view_at(&self->maps[at->map], at->number * (classes + 5) + entry, at->row, at->column);
    }
    if (entry >= 5) return nnrt__yolo_element(&self->maps[0], cell * classes + entry - 5);
    if (entry == 4) return nnrt__yolo_element(&self->maps[0], cells * classes + box);
    return nnrt__yolo_element(&self->maps[0], cells * (classes + per_cell) + 4 * box + entry);
}

/* In pixels of the picture; false: it is not finite. */
NNRT__FN bool nnrt__yolo_box(const nnrt__yolo *self, const nnrt__yolo_place *at, nnrt__rect *box) {
    const nnrt_yolo_options *options = self->options;
    const float columns = (float)nnrt__yolo_columns(self, at->map), rows = (float)nnrt__yolo_rows(self, at->map);
    float x = nnrt__yolo_value(self, at, 0), y = nnrt__yolo_value(self, at, 1);
    float width = nnrt__yolo_value(self, at, 2), height = nnrt__yolo_value(self, at, 3);
    if (options->version == NNRT_YOLO_V1) {
        width = options->square_root ? width * width : width;
        height = options->square_root ? height * height : height;
    } else {
        const float *anchor = options->anchors + 2 * ((size_t)at->map * options->boxes_per_cell + at->number);
        const float scale = options->version == NNRT_YOLO_V3 && options->scale_xy != 0.0f ? options->scale_xy : 1.0f;
        x = (options->activated ? x : nnrt__sigmoid(x)) * scale - 0.5f * (scale - 1.0f);
        y = (options->activated ? y : nnrt__sigmoid(y)) * scale - 0.5f * (scale - 1.0f);
        width = expf(width) * anchor[0] / (options->version == NNRT_YOLO_V3 ? options->input_width : columns);
        height = expf(height) * anchor[1] / (options->version == NNRT_YOLO_V3 ? options->input_height : rows);
    }
    x = (x + (float)at->column) / columns * options->image_width;
    y = (y + (float)at->row) / rows * options->image_height;
    width *= options->image_width, height *= options->image_height;
    box->x0 = x - 0.5f * width, box->x1 = x + 0.5f * width;
    box->y0 = y - 0.5f * height, box->y1 = y + 0.5f * height;
    return nnrt__rect_finite(box);
}

/* The score for an object of any class. */
NNRT__FN float nnrt__yolo_object(const nnrt__yolo *self, const nnrt__yolo_place *at) {
    const float object = nnrt__yolo_value(self, at, 4);
    return self->options->version == NNRT_YOLO_V1 || self->options->activated ? object : nnrt__sigmoid(object);
}

/* The score for this class. row: of the classes of the box, for version 2. */
NNRT__FN float nnrt__yolo_class(const nnrt__yolo *self, const nnrt__yolo_place *at, const nnrt__softmax_row *row,
                                uint32_t class_id) {
    const float value = nnrt__yolo_value(self, at, 5 + (size_t)class_id);
    if (self->options->version == NNRT_YOLO_V1 || self->options->activated) return value;
    return self->options->version == NNRT_YOLO_V2 ? nnrt__softmax_value(row, value) : nnrt__sigmoid(value);
}

/* ----------------------------------------------------------------------------------------------- detections */

/* The candidates of one box, number `index`. Except in version 1, darknet considers the classes only of boxes whose
   object is likely enough. */
NNRT__FN void nnrt__yolo_offer(nnrt__yolo *self, const nnrt__yolo_place *at, uint32_t index) {
    const nnrt_yolo_options *options = self->options;
    const uint32_t boxes = self->first[options->map_count];
    const float object = nnrt__yolo_object(self, at);
    nnrt__softmax_row row = {0.0f, 1.0f};
    nnrt_ranked likely = {0.0f, UINT32_MAX};
    nnrt__rect box;
    uint32_t i;
    if (options->version != NNRT_YOLO_V1 && !(object > options->score_threshold)) return;
    if (options->version == NNRT_YOLO_V2 && !options->activated) {
        const nnrt_tensor_view *view = &self->maps[at->map];
        const size_t first = at->number * ((size_t)options->class_count + 5) + 5;
        row = nnrt__softmax_of(view->data + first * view->channel_stride + at->row * view->row_stride +
                                   at->column * view->column_stride,
                               options->class_count, view->channel_stride);
    }
    for (i = 0; i < options->class_count; i++) {
        const nnrt_ranked one = {object * nnrt__yolo_class(self, at, &row, i), i * boxes + index};
        if (!(one.score > options->score_threshold)) continue;
        if (options->best_class) {
            if (likely.index == UINT32_MAX || nnrt__ranked_before(&one, &likely)) likely = one;
        } else if (nnrt__best_takes(&self->best, one.score, one.index) && nnrt__yolo_box(self, at, &box)) {
            nnrt__best_add(&self->best, one.score, one.index);
        }
    }
    if (likely.index != UINT32_MAX && nnrt__best_takes(&self->best, likely.score, likely.index) &&
        nnrt__yolo_box(self, at, &box)) {
        nnrt__best_add(&self->best, likely.score, likely.index);
    }
}

NNRT__FN void nnrt__yolo_collect(nnrt__yolo *self) {
    uint32_t index = 0;
    nnrt__yolo_place at;
    for (at.map = 0; at.map < self->options->map_count; at.map++) {
        for (at.row = 0; at.row < nnrt__yolo_rows(self, at.map); at.row++) {
            for (at.column = 0; at.column < nnrt__yolo_columns(self, at.map); at.column++) {
                for (at.number = 0; at.number < self->options->boxes_per_cell; at.number++, index++) {
                    nnrt__yolo_offer(self, &at, index);
                }
            }
        }
    }
    nnrt__best_sort(&self->best);
}

NNRT__FN nnrt__yolo_place nnrt__yolo_at(const nnrt__yolo *self, uint32_t box) {
    nnrt__yolo_place at = {0, 0, 0, 0};
    uint32_t cell;
    while (box >= self->first[at.map + 1]) at.map++;
    cell = (box - self->first[at.map]) / self->options->boxes_per_cell;
    at.number = (box - self->first[at.map]) % self->options->boxes_per_cell;
    at.row = cell / nnrt__yolo_columns(self, at.map);
    at.column = cell % nnrt__yolo_columns(self, at.map);
    return at;
}

NNRT_API OH_NN_ReturnCode nnrt_detect_yolo_scratch(const nnrt_yolo_options *options, const nnrt_tensor_view *maps,
                                                   size_t *bytes) {
    nnrt__carver measured = nnrt__carver_measures();
    nnrt__yolo self;
    const OH_NN_ReturnCode code = nnrt__yolo_check(options, maps, &self);
    if (code != OH_NN_SUCCESS) return code;
    if (bytes == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "bytes is NULL");
    nnrt__yolo_carve(&measured, &self);
    return nnrt__carver_tell(&measured, bytes);
}

NNRT_API OH_NN_ReturnCode nnrt_detect_yolo(const nnrt_yolo_options *options, const nnrt_tensor_view *maps,
                                           void *scratch, size_t scratch_size, nnrt_detection *detections,
                                           size_t capacity, size_t *count) {
    nnrt__carver measured = nnrt__carver_measures(), carver;
    nnrt__yolo self;
    size_t left, most, i;
    uint32_t boxes;
    OH_NN_ReturnCode code = nnrt__yolo_check(options, maps, &self);
    if (code != OH_NN_SUCCESS) return code;
    if (detections == NULL || count == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "detections and count may not be NULL");
    }
    nnrt__yolo_carve(&measured, &self);
    code = nnrt__carver_begin(&measured, scratch, scratch_size, &carver);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__yolo_carve(&carver, &self);
    nnrt__yolo_collect(&self);
    boxes = self.first[options->map_count];
    for (i = 0; i < self.best.count; i++) {
        const nnrt__yolo_place at = nnrt__yolo_at(&self, self.best.list[i].index % boxes);
        (void)nnrt__yolo_box(&self, &at, &self.boxes[i]);
        self.classes[i] = self.best.list[i].index / boxes;
    }
    most = options->max_detections < capacity ? options->max_detections : capacity;
    left = nnrt__suppress(self.boxes, options->class_agnostic ? NULL : self.classes, self.best.count,
                          options->nms_threshold, 0.0f, self.kept, most);
    for (i = 0; i < left; i++) {
        nnrt__rect box = self.boxes[self.kept[i]];
        if (options->clip) nnrt__rect_clip(&box, options->image_width, options->image_height);
        detections[i] = nnrt__detection(self.classes[self.kept[i]], self.best.list[self.kept[i]].score, &box);
    }
    *count = left;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_YOLO_H */
