/* SPDX-License-Identifier: Apache-2.0 */
/* detection/proposal.h - anchors, the regions of a region proposal network, and regions in an engine's
   format.   >>detection_proposal

   An anchor is decoded when its score may be among the best, and again when it is: cheaper than keeping all boxes,
   22,113 for a map of 39 by 63 cells. */
#ifndef NNRT_DETECTION_PROPOSAL_H
#define NNRT_DETECTION_PROPOSAL_H

#include "boxes.h"
#include "softmax.h"

/* ------------------------------------------------------------------------------------------------- anchors */

/* To the nearest whole number, halves to the even one, as numpy rounds; 0 <= x < 2^23. */
NNRT__FN float nnrt__round_even(float x) {
    const float down = floorf(x), rest = x - down;
    const bool odd = fmodf(down, 2.0f) != 0.0f;
    NNRT_ASSERT(x >= 0.0f && x < 8388608.0f);
    return rest > 0.5f || (rest == 0.5f && odd) ? down + 1.0f : down;
}

NNRT_API OH_NN_ReturnCode nnrt_detection_anchors(float base_size, const float *ratios, uint32_t ratio_count,
                                                 const float *scales, uint32_t scale_count, float *anchors,
                                                 size_t capacity) {
    const float limit = 4194304.0f; /* whole numbers and halves are exact in float32 up to here */
    const uint64_t floats = (uint64_t)ratio_count * scale_count; /* times 4 */
    const float centre = 0.5f * (base_size - 1.0f);
    uint32_t i, j;
    if (ratios == NULL || scales == NULL || anchors == NULL || ratio_count == 0 || scale_count == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "anchors need ratios, scales and room");
    }
    if (floats > capacity / 4) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u ratios and %u scales make more anchors than %zu floats hold",
                          (unsigned)ratio_count, (unsigned)scale_count, capacity);
    }
    for (i = 0; i < ratio_count; i++) {
        const float width = sqrtf(base_size * base_size / ratios[i]), height = width * ratios[i];
        if (!(base_size > 0.0f && ratios[i] > 0.0f && width < limit && height < limit)) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "ratio %u, or the size of the base, makes no anchor",
                              (unsigned)i);
        }
    }
    for (j = 0; j < scale_count; j++) {
        if (!nnrt__positive(scales[j])) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "scale %u is not positive", (unsigned)j);
        }
    }
    for (i = 0; i < ratio_count; i++) {
        const float width = nnrt__round_even(sqrtf(base_size * base_size / ratios[i]));
        const float height = nnrt__round_even(width * ratios[i]);
        for (j = 0; j < scale_count; j++, anchors += 4) {
            const float half_width = 0.5f * (width * scales[j] - 1.0f),
                        half_height = 0.5f * (height * scales[j] - 1.0f);
            anchors[0] = centre - half_width, anchors[1] = centre - half_height;
            anchors[2] = centre + half_width, anchors[3] = centre + half_height;
        }
    }
    return OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------- proposals */

typedef struct nnrt__proposal_scratch {
    nnrt__best best;
    nnrt__rect *boxes;
    uint32_t *kept;
} nnrt__proposal_scratch;

/* count: anchors of the whole map. */
NNRT__FN void nnrt__proposal_carve(nnrt__carver *carver, const nnrt_proposal_options *options, uint32_t count,
                                   nnrt__proposal_scratch *s) {
    const uint32_t pre = options->pre_nms_count, post = options->post_nms_count;
    const size_t room = pre != 0 && pre < count ? pre : count;
    s->best.list = (nnrt_ranked *)nnrt__carve(carver, room, sizeof(nnrt_ranked));
    s->best.room = room;
    s->best.count = 0;
    s->boxes = (nnrt__rect *)nnrt__carve(carver, room, sizeof(nnrt__rect));
    s->kept = (uint32_t *)nnrt__carve(carver, post != 0 && post < room ? post : room, sizeof(uint32_t));
}

/* *count: anchors of the whole map. */
NNRT__FN OH_NN_ReturnCode nnrt__proposal_check(const nnrt_proposal_options *options, const nnrt_tensor_view *scores,
                                               uint32_t *count) {
    OH_NN_ReturnCode code;
    size_t cells, total;
    if (options == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "options is NULL");
    if (options->anchors == NULL || options->anchor_count == 0 || !nnrt__positive(options->stride)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the options need anchors and a positive stride");
    }
    if (!(options->min_size >= 0.0f)) return nnrt__fail(OH_NN_INVALID_PARAMETER, "min_size is 0 or more");
    code = nnrt__check_image(options->image_width, options->image_height);
    if (code == OH_NN_SUCCESS) code = nnrt__check_threshold(options->nms_threshold);
    if (code == OH_NN_SUCCESS) code = nnrt__view_check(scores, "scores");
    if (code == OH_NN_SUCCESS) {
        code = nnrt__view_check_shape(scores, "scores", 2 * (uint64_t)options->anchor_count, scores->height,
                                      scores->width);
    }
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__mul_size(scores->height, scores->width, &cells) ||
        !nnrt__mul_size(cells, options->anchor_count, &total) || total > UINT32_MAX) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u anchors in %u rows of %u cells are too many",
                          (unsigned)options->anchor_count, (unsigned)scores->height, (unsigned)scores->width);
    }
    *count = (uint32_t)total;
    return OH_NN_SUCCESS;
}

/* The place of one anchor; anchors are numbered cell by cell, row by row. */
typedef struct nnrt__anchor_place {
    uint32_t anchor, row, column;
} nnrt__anchor_place;

NNRT__FN nnrt__anchor_place nnrt__anchor_at(const nnrt_proposal_options *options, const nnrt_tensor_view *scores,
                                            uint32_t index) {
    const uint32_t cell = index / options->anchor_count;
    const nnrt__anchor_place place = {index % options->anchor_count, cell / scores->width, cell % scores->width};
    NNRT_ASSERT(place.row < scores->height);
    return place;
}

/* The score for an object, from 0 to 1. */
NNRT__FN float nnrt__proposal_score(const nnrt_proposal_options *options, const nnrt_tensor_view *scores,
                                    const nnrt__anchor_place *at) {
    float pair[2];
    nnrt__softmax_row row;
    pair[1] = nnrt__view_at(scores, (size_t)options->anchor_count + at->anchor, at->row, at->column);
    if (!options->softmax) return pair[1];
    pair[0] = nnrt__view_at(scores, at->anchor, at->row, at->column);
    row = nnrt__softmax_of(pair, 2, 1);
    return nnrt__softmax_value(&row, pair[1]);
}

/* The box of an anchor, moved and clipped; false: a side is not a number, or smaller than it may be. */
NNRT__FN bool nnrt__proposal_box(const nnrt_proposal_options *options, const nnrt_tensor_view *deltas,
                                 const nnrt__anchor_place *at, nnrt__rect *box) {
    const float *anchor = options->anchors + 4 * (size_t)at->anchor;
    const float right = (float)at->column * options->stride, down = (float)at->row * options->stride;
    const nnrt__rect from = {anchor[0] + right, anchor[1] + down, anchor[2] + right, anchor[3] + down};
    float delta[4];
    size_t k;
    for (k = 0; k < 4; k++) delta[k] = nnrt__view_at(deltas, 4 * (size_t)at->anchor + k, at->row, at->column);
    *box = nnrt__rect_moved(&from, delta, 1.0f);
    nnrt__rect_clip(box, options->image_width - 1.0f, options->image_height - 1.0f);
    return box->x1 - box->x0 + 1.0f >= options->min_size && box->y1 - box->y0 + 1.0f >= options->min_size;
}

NNRT_API OH_NN_ReturnCode nnrt_detection_proposals_scratch(const nnrt_proposal_options *options,
                                                           const nnrt_tensor_view *scores, size_t *bytes) {
    nnrt__carver measured = nnrt__carver_measures();
    nnrt__proposal_scratch s;
    uint32_t total = 0;
    const OH_NN_ReturnCode code = nnrt__proposal_check(options, scores, &total);
    if (code != OH_NN_SUCCESS) return code;
    if (bytes == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "bytes is NULL");
    nnrt__proposal_carve(&measured, options, total, &s);
    return nnrt__carver_tell(&measured, bytes);
}

NNRT_API OH_NN_ReturnCode nnrt_detection_proposals(const nnrt_proposal_options *options, const nnrt_tensor_view *scores,
                                                   const nnrt_tensor_view *deltas, void *scratch, size_t scratch_size,
                                                   nnrt_detection *proposals, size_t capacity, size_t *count) {
    nnrt__carver measured = nnrt__carver_measures(), carver;
    nnrt__proposal_scratch s;
    nnrt__anchor_place at;
    nnrt__rect box;
    uint32_t total = 0, i;
    size_t most, left, k;
    OH_NN_ReturnCode code = nnrt__proposal_check(options, scores, &total);
    if (code == OH_NN_SUCCESS) {
        code = nnrt__view_check_shape(deltas, "deltas", 4 * (uint64_t)options->anchor_count, scores->height,
                                      scores->width);
    }
    if (code != OH_NN_SUCCESS) return code;
    if (proposals == NULL || count == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "proposals and count may not be NULL");
    }
    nnrt__proposal_carve(&measured, options, total, &s);
    code = nnrt__carver_begin(&measured, scratch, scratch_size, &carver);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__proposal_carve(&carver, options, total, &s);
    for (i = 0; i < total; i++) {
        float score;
        at = nnrt__anchor_at(options, scores, i);
        score = nnrt__proposal_score(options, scores, &at);
        if (!nnrt__best_takes(&s.best, score, i) || !nnrt__proposal_box(options, deltas, &at, &box)) continue;
        nnrt__best_add(&s.best, score, i);
    }
    nnrt__best_sort(&s.best);
    for (k = 0; k < s.best.count; k++) {
        at = nnrt__anchor_at(options, scores, s.best.list[k].index);
        (void)nnrt__proposal_box(options, deltas, &at, &s.boxes[k]);
    }
    most = options->post_nms_count != 0 && options->post_nms_count < capacity ? options->post_nms_count : capacity;
    left = nnrt__suppress(s.boxes, NULL, s.best.count, options->nms_threshold, 1.0f, s.kept, most);
    for (k = 0; k < left; k++) proposals[k] = nnrt__detection(0, s.best.list[s.kept[k]].score, &s.boxes[s.kept[k]]);
    *count = left;
    return OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------- for the engine to read */

/* x * 4096 to the nearest, halves away from zero, saturating; NaN gives 0. */
NNRT__FN int32_t nnrt__fixed_q12(float x) {
    const double scaled = (double)x * 4096.0; /* exact, and so is the sum below */
    if (scaled != scaled) return 0;
    if (scaled >= 2147483647.0) return INT32_MAX;
    if (scaled <= -2147483648.0) return INT32_MIN;
    return (int32_t)(scaled + (scaled < 0.0 ? -0.5 : 0.5));
}

NNRT_API OH_NN_ReturnCode nnrt_detection_fixed_boxes(const nnrt_detection *boxes, size_t count, void *rows,
                                                     size_t row_bytes, size_t size) {
    size_t i, last = 0;
    if ((boxes == NULL || rows == NULL) && count != 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "boxes and rows may not be NULL");
    }
    if (count == 0) return OH_NN_SUCCESS;
    if (row_bytes < 16 || !nnrt__mul_size(count - 1, row_bytes, &last) || size < 16 || last > size - 16) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%zu rows of 16 bytes, %zu apart, do not fit into %zu bytes", count,
                          row_bytes, size);
    }
    for (i = 0; i < count; i++) {
        int32_t row[4];
        row[0] = nnrt__fixed_q12(boxes[i].x0), row[1] = nnrt__fixed_q12(boxes[i].y0);
        row[2] = nnrt__fixed_q12(boxes[i].x1), row[3] = nnrt__fixed_q12(boxes[i].y1);
        memcpy((uint8_t *)rows + i * row_bytes, row, sizeof(row));
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_DETECTION_PROPOSAL_H */
