/* SPDX-License-Identifier: Apache-2.0 */
/* detection/rcnn.h - detections from regions: the end of Faster R-CNN, PVANET and R-FCN.   >>detection_rcnn */
#ifndef NNRT_DETECTION_RCNN_H
#define NNRT_DETECTION_RCNN_H

#include "classes.h"

typedef struct nnrt__rcnn {
    const nnrt_rcnn_options *options;
    const nnrt_tensor_view *regions, *scores, *deltas;
    float scale;
} nnrt__rcnn;

NNRT__FN const float *nnrt__rcnn_scores(void *layer, uint32_t box, size_t *stride) {
    const nnrt__rcnn *self = (const nnrt__rcnn *)layer;
    *stride = self->scores->column_stride;
    return self->scores->data + box * self->scores->row_stride;
}

NNRT__FN bool nnrt__rcnn_box(const void *layer, uint32_t box, uint32_t class_id, nnrt__rect *to) {
    const nnrt__rcnn *self = (const nnrt__rcnn *)layer;
    const size_t first = 4 * (size_t)(self->options->class_agnostic ? 1 : class_id);
    nnrt__rect from;
    float delta[4];
    size_t k;
    from.x0 = nnrt__view_at(self->regions, 0, box, 0) / self->scale;
    from.y0 = nnrt__view_at(self->regions, 0, box, 1) / self->scale;
    from.x1 = nnrt__view_at(self->regions, 0, box, 2) / self->scale;
    from.y1 = nnrt__view_at(self->regions, 0, box, 3) / self->scale;
    for (k = 0; k < 4; k++) delta[k] = nnrt__view_at(self->deltas, 0, box, first + k);
    *to = nnrt__rect_moved(&from, delta, 1.0f);
    nnrt__rect_clip(to, self->options->image_width - 1.0f, self->options->image_height - 1.0f);
    return nnrt__rect_finite(to);
}

NNRT__FN OH_NN_ReturnCode nnrt__rcnn_check(const nnrt_rcnn_options *options, uint32_t region_count,
                                           nnrt__class_source *source) {
    OH_NN_ReturnCode code;
    if (options == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "options is NULL");
    if (options->class_count < 2 || options->max_detections == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u classes with the background and %u detections: at least 2 and 1",
                          (unsigned)options->class_count, (unsigned)options->max_detections);
    }
    if (options->scale != 0.0f && !nnrt__positive(options->scale)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "scale is positive, or 0 for 1");
    }
    code = nnrt__check_image(options->image_width, options->image_height);
    if (code == OH_NN_SUCCESS) code = nnrt__check_thresholds(options->score_threshold, options->nms_threshold);
    if (code == OH_NN_SUCCESS) code = nnrt__class_check(region_count, options->class_count);
    if (code != OH_NN_SUCCESS) return code;
    memset(source, 0, sizeof(*source));
    source->scores = nnrt__rcnn_scores;
    source->box = nnrt__rcnn_box;
    source->box_count = region_count;
    source->class_count = options->class_count;
    source->background = 0;
    source->top_k = UINT32_MAX;
    source->most = options->max_detections;
    source->softmax = options->softmax;
    source->score_threshold = options->score_threshold;
    source->nms_threshold = options->nms_threshold;
    source->edge = 1.0f;
    return OH_NN_SUCCESS;
}

/* A view of one channel with a row for each region, and at least `columns` columns. */
NNRT__FN OH_NN_ReturnCode nnrt__rcnn_check_rows(const nnrt_tensor_view *view, const char *what, uint32_t rows,
                                                uint64_t columns) {
    const OH_NN_ReturnCode code = nnrt__view_check(view, what);
    if (code != OH_NN_SUCCESS) return code;
    if (view->channels == 1 && view->height >= rows && view->width >= columns) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "%s: %u channels, %u rows, %u columns, but 1 channel, %u rows and %llu columns are needed", what,
                      (unsigned)view->channels, (unsigned)view->height, (unsigned)view->width, (unsigned)rows,
                      (unsigned long long)columns);
}

NNRT_API OH_NN_ReturnCode nnrt_detect_rcnn_scratch(const nnrt_rcnn_options *options, uint32_t region_count,
                                                   size_t *bytes) {
    nnrt__class_source source;
    const OH_NN_ReturnCode code = nnrt__rcnn_check(options, region_count, &source);
    return code == OH_NN_SUCCESS ? nnrt__class_scratch_size(&source, bytes) : code;
}

NNRT_API OH_NN_ReturnCode nnrt_detect_rcnn(const nnrt_rcnn_options *options, const nnrt_tensor_view *regions,
                                           const nnrt_tensor_view *scores, const nnrt_tensor_view *deltas,
                                           uint32_t region_count, void *scratch, size_t scratch_size,
                                           nnrt_detection *detections, size_t capacity, size_t *count) {
    nnrt__class_source source;
    nnrt__rcnn self = {options, regions, scores, deltas, 1.0f};
    OH_NN_ReturnCode code = nnrt__rcnn_check(options, region_count, &source);
    if (code != OH_NN_SUCCESS) return code;
    if (detections == NULL || count == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "detections and count may not be NULL");
    }
    if (region_count == 0) {
        *count = 0;
        return OH_NN_SUCCESS;
    }
    code = nnrt__rcnn_check_rows(regions, "regions", region_count, 4);
    if (code == OH_NN_SUCCESS) code = nnrt__rcnn_check_rows(scores, "scores", region_count, options->class_count);
    if (code == OH_NN_SUCCESS) {
        code = nnrt__rcnn_check_rows(deltas, "deltas", region_count,
                                     4 * (uint64_t)(options->class_agnostic ? 2 : options->class_count));
    }
    if (code != OH_NN_SUCCESS) return code;
    if (options->scale != 0.0f) self.scale = options->scale;
    source.layer = &self;
    return nnrt__class_detect(&source, scratch, scratch_size, detections, capacity, count);
}

#endif /* NNRT_DETECTION_RCNN_H */
