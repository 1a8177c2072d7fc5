/* SPDX-License-Identifier: Apache-2.0 */
/* detection/ssd.h - prior boxes, and the detections of a single shot detector.   >>detection_ssd

   Prior boxes are computed when needed, for the best boxes of each class only: there is no table. */
#ifndef NNRT_DETECTION_SSD_H
#define NNRT_DETECTION_SSD_H

#include "classes.h"

/* ---------------------------------------------------------------------------------------------- prior boxes */

#define NNRT__PRIOR_MAX_RATIOS 16

/* The aspect ratios besides 1, in Caffe's order; how many. */
NNRT__FN uint32_t nnrt__prior_ratios(const nnrt_prior_options *options, float ratios[2 * NNRT__PRIOR_MAX_RATIOS]) {
    uint32_t count = 0, i, j;
    for (i = 0; i < options->ratio_count; i++) {
        const float ratio = options->aspect_ratios[i];
        bool known = fabsf(ratio - 1.0f) < 1e-6f;
        for (j = 0; j < count; j++) known = known || fabsf(ratio - ratios[j]) < 1e-6f;
        if (known) continue;
        ratios[count++] = ratio;
        if (options->flip) ratios[count++] = 1.0f / ratio;
    }
    return count;
}

/* *per_size: prior boxes of one size in one cell. */
NNRT__FN OH_NN_ReturnCode nnrt__prior_check(const nnrt_prior_options *options, uint32_t *per_size) {
    float ratios[2 * NNRT__PRIOR_MAX_RATIOS];
    uint32_t i;
    if (options == NULL || options->min_sizes == NULL || options->size_count == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "prior boxes need min_sizes");
    }
    for (i = 0; i < options->size_count; i++) {
        if (!nnrt__positive(options->min_sizes[i]) ||
            (options->max_sizes != NULL &&
             !(options->max_sizes[i] > options->min_sizes[i] && nnrt__positive(options->max_sizes[i])))) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER,
                              "size %u of the prior boxes is not positive, or above its max_size", (unsigned)i);
        }
    }
    if (options->ratio_count > NNRT__PRIOR_MAX_RATIOS ||
        (options->ratio_count != 0 && options->aspect_ratios == NULL)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u aspect ratios: 16 at most, and where they are",
                          (unsigned)options->ratio_count);
    }
    for (i = 0; i < options->ratio_count; i++) {
        if (!nnrt__positive(options->aspect_ratios[i])) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "aspect ratio %u is not positive", (unsigned)i);
        }
    }
    if (!(options->step_x == 0.0f && options->step_y == 0.0f) &&
        !(nnrt__positive(options->step_x) && nnrt__positive(options->step_y))) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "step_x and step_y are positive, or both 0");
    }
    if (!nnrt__finite(options->offset)) return nnrt__fail(OH_NN_INVALID_PARAMETER, "offset is not finite");
    *per_size = 1 + (options->max_sizes != NULL ? 1u : 0u) + nnrt__prior_ratios(options, ratios);
    return OH_NN_SUCCESS;
}

/* Prior boxes of a whole map; more than UINT32_MAX are refused. */
NNRT__FN OH_NN_ReturnCode nnrt__prior_count(const nnrt_prior_options *options, uint32_t per_size, uint32_t width,
                                            uint32_t height, uint32_t *count) {
    const uint64_t cells = (uint64_t)width * height, per_cell = (uint64_t)per_size * options->size_count;
    if (cells > UINT32_MAX || per_cell > UINT32_MAX || cells * per_cell > UINT32_MAX) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the prior boxes of %u rows of %u cells are too many",
                          (unsigned)height, (unsigned)width);
    }
    *count = (uint32_t)(cells * per_cell);
    return OH_NN_SUCCESS;
}

/* A map of cells in a picture. */
typedef struct nnrt__prior_grid {
    uint32_t width, height;
    float image_width, image_height;
} nnrt__prior_grid;

/* Prior box number `number` of the cell (x, y), as fractions of the picture. */
NNRT__FN nnrt__rect nnrt__prior_box(const nnrt_prior_options *options, const nnrt__prior_grid *grid, uint32_t per_size,
                                    uint32_t x, uint32_t y, uint32_t number) {
    const bool given = options->step_x != 0.0f;
    const float step_x = given ? options->step_x : grid->image_width / (float)grid->width;
    const float step_y = given ? options->step_y : grid->image_height / (float)grid->height;
    const float center_x = ((float)x + options->offset) * step_x, center_y = ((float)y + options->offset) * step_y;
    const uint32_t size = number / per_size, squares = options->max_sizes != NULL ? 2 : 1;
    uint32_t shape = number % per_size;
    float width = options->min_sizes[size], height = width, ratios[2 * NNRT__PRIOR_MAX_RATIOS];
    nnrt__rect box;
    if (shape >= squares) {
        (void)nnrt__prior_ratios(options, ratios);
        width *= sqrtf(ratios[shape - squares]);
        height /= sqrtf(ratios[shape - squares]);
    } else if (shape == 1) {
        width = height = sqrtf(width * options->max_sizes[size]);
    }
    box.x0 = (center_x - 0.5f * width) / grid->image_width, box.x1 = (center_x + 0.5f * width) / grid->image_width;
    box.y0 = (center_y - 0.5f * height) / grid->image_height, box.y1 = (center_y + 0.5f * height) / grid->image_height;
    if (options->clip) nnrt__rect_clip(&box, 1.0f, 1.0f);
    return box;
}

NNRT_API OH_NN_ReturnCode nnrt_detection_priors(const nnrt_prior_options *options, float image_width,
                                                float image_height, uint32_t map_width, uint32_t map_height,
                                                float *boxes, size_t capacity, size_t *count) {
    const nnrt__prior_grid grid = {map_width, map_height, image_width, image_height};
    uint32_t per_size = 0, total = 0, i;
    OH_NN_ReturnCode code = nnrt__prior_check(options, &per_size);
    if (code == OH_NN_SUCCESS) code = nnrt__check_image(image_width, image_height);
    if (code == OH_NN_SUCCESS) code = nnrt__prior_count(options, per_size, map_width, map_height, &total);
    if (code != OH_NN_SUCCESS) return code;
    if (count == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "count is NULL");
    if (boxes != NULL && total > capacity) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "there is room for %zu prior boxes, and %u are made", capacity,
                          (unsigned)total);
    }
    for (i = 0; boxes != NULL && i < total; i++) {
        const uint32_t per_cell = per_size * options->size_count, cell = i / per_cell;
        const nnrt__rect box =
            nnrt__prior_box(options, &grid, per_size, cell % map_width, cell / map_width, i % per_cell);
        memcpy(boxes + 4 * (size_t)i, &box, sizeof(box));
    }
    *count = total;
    return OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------- detections */

#define NNRT__SSD_MAX_MAPS 16

/* Where a prior box is. */
typedef struct nnrt__ssd_place {
    uint32_t map, row, column, number;
} nnrt__ssd_place;

typedef struct nnrt__ssd {
    const nnrt_ssd_options *options;
    const nnrt_tensor_view *locations, *confidences;
    uint32_t first[NNRT__SSD_MAX_MAPS + 1]; /* number of the first prior box of each map, and of all */
    uint32_t per_size[NNRT__SSD_MAX_MAPS];
    nnrt__ssd_place cursor; /* of the box whose scores were read last */
} nnrt__ssd;

NNRT__FN uint32_t nnrt__ssd_per_cell(const nnrt__ssd *self, uint32_t map) {
    return self->per_size[map] * self->options->maps[map].size_count;
}

NNRT__FN nnrt__ssd_place nnrt__ssd_at(const nnrt__ssd *self, uint32_t box) {
    nnrt__ssd_place at = {0, 0, 0, 0};
    uint32_t cell;
    while (box >= self->first[at.map + 1]) at.map++;
    cell = (box - self->first[at.map]) / nnrt__ssd_per_cell(self, at.map);
    at.number = (box - self->first[at.map]) % nnrt__ssd_per_cell(self, at.map);
    at.row = cell / self->locations[at.map].width;
    at.column = cell % self->locations[at.map].width;
    return at;
}

/* The place of the next box, without a division. */
NNRT__FN void nnrt__ssd_advance(const nnrt__ssd *self, nnrt__ssd_place *at) {
    if (++at->number < nnrt__ssd_per_cell(self, at->map)) return;
    at->number = 0;
    if (++at->column < self->locations[at->map].width) return;
    at->column = 0;
    if (++at->row < self->locations[at->map].height) return;
    at->row = 0;
    at->map++;
}

NNRT__FN const float *nnrt__ssd_scores(void *layer, uint32_t box, size_t *stride) {
    nnrt__ssd *self = (nnrt__ssd *)layer;
    const nnrt__ssd_place begin = {0, 0, 0, 0};
    nnrt__ssd_place *at = &self->cursor;
    const nnrt_tensor_view *view;
    if (box == 0) *at = begin;
    else nnrt__ssd_advance(self, at);
    view = &self->confidences[at->map];
    *stride = view->channel_stride;
    return view->data + (size_t)at->number * self->options->class_count * view->channel_stride +
           at->row * view->row_stride + at->column * view->column_stride;
}

/* As fractions of the picture. */
NNRT__FN bool nnrt__ssd_box(const void *layer, uint32_t box, uint32_t class_id, nnrt__rect *to) {
    const nnrt__ssd *self = (const nnrt__ssd *)layer;
    const nnrt_ssd_options *options = self->options;
    const nnrt__ssd_place at = nnrt__ssd_at(self, box);
    const nnrt_tensor_view *view = &self->locations[at.map];
    const nnrt__prior_grid grid = {view->width, view->height, options->image_width, options->image_height};
    const nnrt__rect prior =
        nnrt__prior_box(&options->maps[at.map], &grid, self->per_size[at.map], at.column, at.row, at.number);
    float delta[4];
    size_t k;
    (void)class_id;
    for (k = 0; k < 4; k++) {
        delta[k] = options->variances[k] * nnrt__view_at(view, 4 * (size_t)at.number + k, at.row, at.column);
    }
    *to = nnrt__rect_moved(&prior, delta, 0.0f);
    return nnrt__finite(to->x0 * options->image_width) && nnrt__finite(to->x1 * options->image_width) &&
           nnrt__finite(to->y0 * options->image_height) && nnrt__finite(to->y1 * options->image_height);
}

NNRT__FN OH_NN_ReturnCode nnrt__ssd_check_options(const nnrt_ssd_options *options) {
    size_t k;
    OH_NN_ReturnCode code;
    if (options == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "options is NULL");
    if (options->maps == NULL || options->map_count == 0 || options->map_count > NNRT__SSD_MAX_MAPS) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u maps: 1 to 16", (unsigned)options->map_count);
    }
    if (options->class_count == 0 || options->max_detections == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u classes and %u detections: at least 1",
                          (unsigned)options->class_count, (unsigned)options->max_detections);
    }
    for (k = 0; k < 4; k++) {
        if (!nnrt__positive(options->variances[k])) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "the variances are four positive numbers");
        }
    }
    code = nnrt__check_image(options->image_width, options->image_height);
    return code == OH_NN_SUCCESS ? nnrt__check_thresholds(options->score_threshold, options->nms_threshold) : code;
}

/* Checks options and the maps of locations, and fills self and source. */
NNRT__FN OH_NN_ReturnCode nnrt__ssd_check(const nnrt_ssd_options *options, const nnrt_tensor_view *locations,
                                          nnrt__ssd *self, nnrt__class_source *source) {
    uint64_t total = 0;
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__ssd_check_options(options);
    if (code != OH_NN_SUCCESS) return code;
    if (locations == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "locations is NULL");
    memset(self, 0, sizeof(*self));
    for (i = 0; i < options->map_count; i++) {
        const nnrt_tensor_view *view = &locations[i];
        uint32_t count = 0;
        code = nnrt__prior_check(&options->maps[i], &self->per_size[i]);
        if (code == OH_NN_SUCCESS) {
            code = nnrt__prior_count(&options->maps[i], self->per_size[i], view->width, view->height, &count);
        }
        if (code == OH_NN_SUCCESS) {
            code =
                nnrt__view_check_shape(view, "locations", 4 * (uint64_t)self->per_size[i] * options->maps[i].size_count,
                                       view->height, view->width);
        }
        if (code == OH_NN_SUCCESS) code = nnrt__class_check(total + count, options->class_count);
        if (code != OH_NN_SUCCESS) return nnrt__fail(code, "map %u: %s", (unsigned)i, nnrt__sentence());
        total += count;
        self->first[i + 1] = (uint32_t)total;
    }
    self->options = options;
    self->locations = locations;
    memset(source, 0, sizeof(*source));
    source->layer = self;
    source->scores = nnrt__ssd_scores;
    source->box = nnrt__ssd_box;
    source->box_count = (uint32_t)total;
    source->class_count = options->class_count;
    source->background = options->background_class;
    source->top_k = options->top_k != 0 ? options->top_k : UINT32_MAX;
    source->most = options->max_detections;
    source->softmax = options->softmax;
    source->score_threshold = options->score_threshold;
    source->nms_threshold = options->nms_threshold;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_detect_ssd_scratch(const nnrt_ssd_options *options, const nnrt_tensor_view *locations,
                                                  size_t *bytes) {
    nnrt__ssd self;
    nnrt__class_source source;
    const OH_NN_ReturnCode code = nnrt__ssd_check(options, locations, &self, &source);
    return code == OH_NN_SUCCESS ? nnrt__class_scratch_size(&source, bytes) : code;
}

NNRT_API OH_NN_ReturnCode nnrt_detect_ssd(const nnrt_ssd_options *options, const nnrt_tensor_view *locations,
                                          const nnrt_tensor_view *confidences, void *scratch, size_t scratch_size,
                                          nnrt_detection *detections, size_t capacity, size_t *count) {
    nnrt__ssd self;
    nnrt__class_source source;
    size_t k;
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__ssd_check(options, locations, &self, &source);
    if (code != OH_NN_SUCCESS) return code;
    if (confidences == NULL || detections == NULL || count == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "confidences, detections and count may not be NULL");
    }
    for (i = 0; i < options->map_count; i++) {
        code = nnrt__view_check_shape(&confidences[i], "confidences",
                                      (uint64_t)(locations[i].channels / 4) * options->class_count, locations[i].height,
                                      locations[i].width);
        if (code != OH_NN_SUCCESS) return nnrt__fail(code, "map %u: %s", (unsigned)i, nnrt__sentence());
    }
    self.confidences = confidences;
    code = nnrt__class_detect(&source, scratch, scratch_size, detections, capacity, count);
    if (code != OH_NN_SUCCESS) return code;
    for (k = 0; k < *count; k++) {
        nnrt_detection *one = &detections[k];
        nnrt__rect box = {one->x0, one->y0, one->x1, one->y1};
        if (options->clip) nnrt__rect_clip(&box, 1.0f, 1.0f);
        one->x0 = box.x0 * options->image_width, one->x1 = box.x1 * options->image_width;
        one->y0 = box.y0 * options->image_height, one->y1 = box.y1 * options->image_height;
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_SSD_H */
