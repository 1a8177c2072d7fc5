/* SPDX-License-Identifier: Apache-2.0 */
/* detection/boxes.h - overlap, suppression, and moving a box by a network's deltas.   >>detection_boxes */
#ifndef NNRT_DETECTION_BOXES_H
#define NNRT_DETECTION_BOXES_H

#include "../kernels/boxes_scalar.h"
#include "rank.h"

NNRT__FN bool nnrt__rect_finite(const nnrt__rect *box) {
    return nnrt__finite(box->x0) && nnrt__finite(box->y0) && nnrt__finite(box->x1) && nnrt__finite(box->y1);
}

/* Corners in 0..right and 0..bottom. A NaN stays one. */
NNRT__FN float nnrt__clip(float x, float most) { return x < 0.0f ? 0.0f : x > most ? most : x; }

NNRT__FN void nnrt__rect_clip(nnrt__rect *box, float right, float bottom) {
    box->x0 = nnrt__clip(box->x0, right), box->x1 = nnrt__clip(box->x1, right);
    box->y0 = nnrt__clip(box->y0, bottom), box->y1 = nnrt__clip(box->y1, bottom);
}

/* Greedy suppression of count boxes, best first: kept gets the indices of the remaining ones, at most `most`; returns
   their number. classes: only boxes of equal classes suppress each other; NULL: all do. */
NNRT__FN size_t nnrt__suppress(const nnrt__rect *boxes, const uint32_t *classes, size_t count, float threshold,
                               float edge, uint32_t *kept, size_t most) {
    size_t left = 0, i, j;
    NNRT_ASSERT(threshold >= 0.0f && threshold <= 1.0f);
    for (i = 0; i < count && left < most; i++) {
        for (j = 0; j < left; j++) {
            if (classes != NULL && classes[i] != classes[kept[j]]) continue;
            if (nnrt__rect_overlap(&boxes[kept[j]], &boxes[i], edge) > threshold) break;
        }
        if (j == left) kept[left++] = (uint32_t)i;
    }
    return left;
}

/* A box moved by (dx, dy) times its sides, with sides multiplied by exp(dw) and exp(dh), as in Faster R-CNN and SSD.
   edge: 1 if boxes count pixels; the right corner is then computed without it, as in py-faster-rcnn. */
NNRT__FN nnrt__rect nnrt__rect_moved(const nnrt__rect *from, const float delta[4], float edge) {
    const float width = from->x1 - from->x0 + edge, height = from->y1 - from->y0 + edge;
    const float x = from->x0 + 0.5f * width + delta[0] * width, half_width = 0.5f * expf(delta[2]) * width;
    const float y = from->y0 + 0.5f * height + delta[1] * height, half_height = 0.5f * expf(delta[3]) * height;
    const nnrt__rect to = {x - half_width, y - half_height, x + half_width, y + half_height};
    return to;
}

NNRT__FN nnrt_detection nnrt__detection(uint32_t class_id, float score, const nnrt__rect *box) {
    const nnrt_detection made = {class_id, score, box->x0, box->y0, box->x1, box->y1};
    return made;
}

/* ----------------------------------------------------------------------------- suppression for everybody */

typedef struct nnrt__nms_scratch {
    nnrt__best best;
    nnrt__rect *boxes;
    uint32_t *classes;
} nnrt__nms_scratch;

NNRT__FN void nnrt__nms_carve(nnrt__carver *carver, const nnrt_nms_options *options, size_t count,
                              nnrt__nms_scratch *s) {
    const size_t room = options->pre_nms_count != 0 && options->pre_nms_count < count ? options->pre_nms_count : count;
    s->best.list = (nnrt_ranked *)nnrt__carve(carver, room, sizeof(nnrt_ranked));
    s->best.room = room;
    s->best.count = 0;
    s->boxes = (nnrt__rect *)nnrt__carve(carver, room, sizeof(nnrt__rect));
    s->classes = (uint32_t *)nnrt__carve(carver, room, sizeof(uint32_t));
}

NNRT__FN OH_NN_ReturnCode nnrt__nms_check(const nnrt_nms_options *options, size_t count) {
    if (options == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "options is NULL");
    if (count > UINT32_MAX) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%zu boxes are too many", count);
    return nnrt__check_thresholds(options->score_threshold, options->nms_threshold);
}

NNRT_API OH_NN_ReturnCode nnrt_detection_nms_scratch(const nnrt_nms_options *options, size_t count, size_t *bytes) {
    nnrt__carver measured = nnrt__carver_measures();
    nnrt__nms_scratch s;
    const OH_NN_ReturnCode code = nnrt__nms_check(options, count);
    if (code != OH_NN_SUCCESS) return code;
    if (bytes == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "bytes is NULL");
    nnrt__nms_carve(&measured, options, count, &s);
    return nnrt__carver_tell(&measured, bytes);
}

NNRT_API OH_NN_ReturnCode nnrt_detection_nms(const nnrt_nms_options *options, const nnrt_detection *boxes, size_t count,
                                             void *scratch, size_t scratch_size, uint32_t *kept, size_t capacity,
                                             size_t *kept_count) {
    nnrt__carver measured = nnrt__carver_measures(), carver;
    nnrt__nms_scratch s;
    size_t i;
    OH_NN_ReturnCode code = nnrt__nms_check(options, count);
    if (code != OH_NN_SUCCESS) return code;
    if (boxes == NULL || kept == NULL || kept_count == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "boxes, kept and kept_count may not be NULL");
    }
    nnrt__nms_carve(&measured, options, count, &s);
    code = nnrt__carver_begin(&measured, scratch, scratch_size, &carver);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__nms_carve(&carver, options, count, &s);
    for (i = 0; i < count; i++) {
        const nnrt__rect box = {boxes[i].x0, boxes[i].y0, boxes[i].x1, boxes[i].y1};
        const float score = boxes[i].score;
        if (!(score > options->score_threshold) || !nnrt__best_takes(&s.best, score, (uint32_t)i)) continue;
        if (nnrt__rect_finite(&box)) nnrt__best_add(&s.best, score, (uint32_t)i);
    }
    nnrt__best_sort(&s.best);
    for (i = 0; i < s.best.count; i++) {
        const nnrt_detection *one = &boxes[s.best.list[i].index];
        const nnrt__rect box = {one->x0, one->y0, one->x1, one->y1};
        s.boxes[i] = box;
        s.classes[i] = one->class_id;
    }
    *kept_count = nnrt__suppress(s.boxes, options->class_agnostic ? NULL : s.classes, s.best.count,
                                 options->nms_threshold, options->count_pixels ? 1.0f : 0.0f, kept, capacity);
    for (i = 0; i < *kept_count; i++) kept[i] = s.best.list[kept[i]].index;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_BOXES_H */
