/* SPDX-License-Identifier: Apache-2.0 */
/* detection/classes.h - the best boxes of each class, suppressed class by class, and the best of all of them: what
   Faster R-CNN and SSD share.   >>detection_classes

   A network gives every box a score for every class. A layer provides functions to read scores and to make a box; boxes
   are made only for the best of a class. */
#ifndef NNRT_DETECTION_CLASSES_H
#define NNRT_DETECTION_CLASSES_H

#include "boxes.h"
#include "softmax.h"

typedef struct nnrt__class_source {
    void *layer; /* what the functions get */
    /* The values of one box for all classes, *stride elements apart. Asked for one box after another, always from box 0
       on. */
    const float *(*scores)(void *layer, uint32_t box, size_t *stride);
    /* The box for a class; false: it is not finite. */
    bool (*box)(const void *layer, uint32_t box, uint32_t class_id, nnrt__rect *to);
    uint32_t box_count; /* box_count * class_count <= UINT32_MAX */
    uint32_t class_count;
    uint32_t background; /* a class that is skipped; class_count or more: none */
    uint32_t top_k;      /* boxes of a class that are considered, at least 1 */
    uint32_t most;       /* detections of all classes, at least 1 */
    bool softmax;        /* over the classes of each box */
    float score_threshold, nms_threshold;
    float edge; /* 1 where boxes count pixels */
} nnrt__class_source;

/* The softmax of a box. */
typedef struct nnrt__class_row {
    nnrt__softmax_row row;
    float least; /* smaller values cannot be above the threshold, so they need no exp */
} nnrt__class_row;

typedef struct nnrt__class_scratch {
    nnrt__best one;        /* boxes of one class */
    nnrt__best all;        /* of all classes: class * box_count + box */
    nnrt__rect *boxes;     /* of those in `one` */
    uint32_t *kept;        /* places in `one` */
    nnrt__class_row *rows; /* one for each box, with softmax */
} nnrt__class_scratch;

NNRT__FN void nnrt__class_carve(nnrt__carver *carver, const nnrt__class_source *source, nnrt__class_scratch *s) {
    const size_t all = (size_t)source->box_count * source->class_count;
    const size_t room = source->top_k < source->box_count ? source->top_k : source->box_count;
    NNRT_ASSERT((uint64_t)source->box_count * source->class_count <= UINT32_MAX);
    NNRT_ASSERT(source->top_k >= 1 && source->most >= 1);
    memset(s, 0, sizeof(*s));
    s->one.room = room;
    s->one.list = (nnrt_ranked *)nnrt__carve(carver, room, sizeof(nnrt_ranked));
    s->all.room = source->most < all ? source->most : all;
    s->all.list = (nnrt_ranked *)nnrt__carve(carver, s->all.room, sizeof(nnrt_ranked));
    s->boxes = (nnrt__rect *)nnrt__carve(carver, room, sizeof(nnrt__rect));
    s->kept = (uint32_t *)nnrt__carve(carver, room, sizeof(uint32_t));
    if (source->softmax) {
        s->rows = (nnrt__class_row *)nnrt__carve(carver, source->box_count, sizeof(nnrt__class_row));
    }
}

/* The softmax of each box. The margin is far above the errors of expf and logf. */
NNRT__FN void nnrt__class_sum(const nnrt__class_source *source, nnrt__class_scratch *s) {
    uint32_t i;
    for (i = 0; i < source->box_count; i++) {
        size_t stride;
        const float *values = source->scores(source->layer, i, &stride);
        nnrt__class_row *row = &s->rows[i];
        row->row = nnrt__softmax_of(values, source->class_count, stride);
        row->least = source->score_threshold > 0.0f
                         ? row->row.largest + logf(source->score_threshold * row->row.sum) - 0.01f
                         : -INFINITY;
    }
}

/* The candidates of one class become one.list, best first. */
NNRT__FN void nnrt__class_rank(const nnrt__class_source *source, nnrt__class_scratch *s, uint32_t class_id) {
    uint32_t i;
    nnrt__rect box;
    NNRT_ASSERT(class_id < source->class_count);
    s->one.count = 0;
    for (i = 0; i < source->box_count; i++) {
        size_t stride;
        float score = source->scores(source->layer, i, &stride)[class_id * stride];
        if (source->softmax) {
            if (score < s->rows[i].least) continue;
            score = nnrt__softmax_value(&s->rows[i].row, score);
        }
        if (!(score > source->score_threshold) || !nnrt__best_takes(&s->one, score, i)) continue;
        if (source->box(source->layer, i, class_id, &box)) nnrt__best_add(&s->one, score, i);
    }
    nnrt__best_sort(&s->one);
}

NNRT__FN void nnrt__class_suppress(const nnrt__class_source *source, nnrt__class_scratch *s, uint32_t class_id) {
    size_t left, i;
    NNRT_ASSERT(class_id < source->class_count && s->one.count <= s->one.room);
    for (i = 0; i < s->one.count; i++) {
        (void)source->box(source->layer, s->one.list[i].index, class_id, &s->boxes[i]);
    }
    left = nnrt__suppress(s->boxes, NULL, s->one.count, source->nms_threshold, source->edge, s->kept, s->one.count);
    for (i = 0; i < left; i++) {
        const nnrt_ranked *kept = &s->one.list[s->kept[i]];
        const uint32_t index = class_id * source->box_count + kept->index;
        if (nnrt__best_takes(&s->all, kept->score, index)) nnrt__best_add(&s->all, kept->score, index);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__class_scratch_size(const nnrt__class_source *source, size_t *bytes) {
    nnrt__carver measured = nnrt__carver_measures();
    nnrt__class_scratch s;
    if (bytes == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "bytes is NULL");
    nnrt__class_carve(&measured, source, &s);
    return nnrt__carver_tell(&measured, bytes);
}

/* The best detections of all classes, at most capacity. */
NNRT__FN OH_NN_ReturnCode nnrt__class_detect(const nnrt__class_source *source, void *scratch, size_t scratch_size,
                                             nnrt_detection *detections, size_t capacity, size_t *count) {
    nnrt__carver measured = nnrt__carver_measures(), carver;
    nnrt__class_scratch s;
    uint32_t i;
    OH_NN_ReturnCode code;
    nnrt__class_carve(&measured, source, &s);
    code = nnrt__carver_begin(&measured, scratch, scratch_size, &carver);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__class_carve(&carver, source, &s);
    if (s.all.room > capacity) s.all.room = capacity;
    if (source->softmax) nnrt__class_sum(source, &s);
    for (i = 0; i < source->class_count; i++) {
        if (i == source->background) continue;
        nnrt__class_rank(source, &s, i);
        nnrt__class_suppress(source, &s, i);
    }
    nnrt__best_sort(&s.all);
    for (i = 0; i < s.all.count; i++) {
        const uint32_t class_id = s.all.list[i].index / source->box_count;
        nnrt__rect box;
        (void)source->box(source->layer, s.all.list[i].index % source->box_count, class_id, &box);
        detections[i] = nnrt__detection(class_id, s.all.list[i].score, &box);
    }
    *count = s.all.count;
    return OH_NN_SUCCESS;
}

/* Refuses more boxes times classes than can be numbered. */
NNRT__FN OH_NN_ReturnCode nnrt__class_check(uint64_t box_count, uint32_t class_count) {
    if (box_count <= UINT32_MAX && box_count * class_count <= UINT32_MAX) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%llu boxes of %u classes are too many", (unsigned long long)box_count,
                      (unsigned)class_count);
}

#endif /* NNRT_DETECTION_CLASSES_H */
