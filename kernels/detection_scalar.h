/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/detection_scalar.h - the end of an SSD detector: boxes from anchors, non-maximum suppression, the output
   rows.

   As TensorFlow Lite's TFLite_Detection_PostProcess and MindSpore Lite's DetectionPostProcess have it. Where they leave
   order to the C++ library's sort, it is fixed here: ties in the score go to the lower box, then the lower class, then
   the earlier class. A NaN score is the best class of its box and below every threshold. */
#ifndef NNRT_KERNELS_DETECTION_SCALAR_H
#define NNRT_KERNELS_DETECTION_SCALAR_H

#include <math.h>

#include "boxes_scalar.h"
#include "fp_contract.h"
#include "reduce_top_scalar.h"

typedef struct nnrt__detect_args {
    uint32_t boxes, coordinates; /* encodings [boxes, coordinates], of which the first 4 are read; anchors [boxes, 4] */
    uint32_t columns, classes;   /* scores [boxes, columns], of which the last `classes` count */
    uint32_t most;               /* detections */
    uint32_t classes_each;       /* of a detection, fast suppression */
    uint32_t most_each;          /* detections of a class, regular suppression */
    uint32_t regular;            /* 1: class by class; 0: fast, a box is as good as its best class */
    uint32_t counts_boxes;       /* fast: 1: a detection takes classes_each rows, used or not, and detections are
                                    counted (TensorFlow Lite); 0: rows follow each other and are counted (MindSpore) */
    float y_scale, x_scale, h_scale, w_scale;
    float overlap, score; /* thresholds */
} nnrt__detect_args;

NNRT__ASSERT_FN bool nnrt__detect_is_right(const nnrt__detect_args *args) {
    NNRT_ASSERT(args->boxes >= 1 && args->coordinates >= 4);
    NNRT_ASSERT(args->classes >= 1 && args->classes <= args->columns);
    NNRT_ASSERT(args->most >= 1 && args->most_each >= 1 && args->classes_each >= 1);
    NNRT_ASSERT(args->regular <= 1 && args->counts_boxes <= 1);
    return true;
}

/* Rows of the outputs: boxes [rows][ymin, xmin, ymax, xmax], classes [rows], scores [rows]. */
typedef struct nnrt__detect_out {
    float *boxes, *classes, *scores;
} nnrt__detect_out;

NNRT__FP_CONTRACT_OFF_BEGIN

/* Boxes [first, last), in double, as TensorFlow Lite has it: encodings (y, x, h, w) move and stretch anchors (y, x, h,
   w) of centre and size. */
NNRT__FN void nnrt__detect_decode(const nnrt__detect_args *args, const float *encodings, const float *anchors,
                                  nnrt__rect *boxes, size_t first, size_t last) {
    NNRT_ASSERT(nnrt__detect_is_right(args) && first <= last && last <= args->boxes);
    for (; first < last; first++) {
        const float *e = encodings + first * args->coordinates, *a = anchors + first * 4;
        const float y = (float)((double)e[0] / (double)args->y_scale * (double)a[2] + (double)a[0]);
        const float x = (float)((double)e[1] / (double)args->x_scale * (double)a[3] + (double)a[1]);
        const float half_h = (float)(0.5 * exp((double)e[2] / (double)args->h_scale) * (double)a[2]);
        const float half_w = (float)(0.5 * exp((double)e[3] / (double)args->w_scale) * (double)a[3]);
        boxes[first].y0 = y - half_h;
        boxes[first].x0 = x - half_w;
        boxes[first].y1 = y + half_h;
        boxes[first].x1 = x + half_w;
    }
}

NNRT__FP_CONTRACT_OFF_END

/* The scores of one box, class by class, or of one class, box by box. */
NNRT__FN nnrt__top_lane nnrt__detect_lane(const nnrt__detect_args *args, const float *scores, uint32_t box,
                                          uint32_t class_index, bool of_box) {
    NNRT_ASSERT(box < args->boxes && class_index < args->classes);
    return nnrt__top_lane_f32(scores + (size_t)box * args->columns + (args->columns - args->classes) + class_index,
                              of_box ? 1 : (size_t)args->columns);
}

NNRT__INLINE float nnrt__detect_score(const nnrt__top_lane *lane, uint32_t i) {
    float score;
    memcpy(&score, lane->in + i * lane->step, sizeof(score));
    return score;
}

/* The class that follows `last` in the order of a box's scores; last == classes: the best one. */
NNRT__FN uint32_t nnrt__detect_next(const nnrt__top_lane *lane, uint32_t classes, uint32_t last) {
    uint32_t next = classes, i;
    NNRT_ASSERT(classes >= 1 && last <= classes);
    for (i = 0; i < classes; i++) {
        if (last != classes && !nnrt__top_before(lane, last, i)) continue;
        if (next == classes || nnrt__top_before(lane, i, next)) next = i;
    }
    return next;
}

/* The best score of boxes [first, last). */
NNRT__FN void nnrt__detect_best(const nnrt__detect_args *args, const float *scores, float *best, size_t first,
                                size_t last) {
    NNRT_ASSERT(nnrt__detect_is_right(args) && first <= last && last <= args->boxes);
    for (; first < last; first++) {
        const nnrt__top_lane lane = nnrt__detect_lane(args, scores, (uint32_t)first, 0, true);
        best[first] = nnrt__detect_score(&lane, nnrt__detect_next(&lane, args->classes, args->classes));
    }
}

/* Suppression of boxes, best first: a box is kept unless a box kept earlier overlaps it by more than the threshold. */
typedef struct nnrt__detect_nms {
    nnrt__top_lane lane;
    uint32_t *heap;       /* candidates; its first is the best one */
    uint32_t *kept;       /* boxes that stay; room for `most` */
    uint32_t count, left; /* of heap, of kept */
    uint32_t most;
} nnrt__detect_nms;

/* nms->lane, heap with room for all boxes, kept and most are set. Candidates are scores of args->score or more. */
NNRT__FN void nnrt__detect_nms_begin(const nnrt__detect_args *args, nnrt__detect_nms *nms) {
    uint32_t i;
    NNRT_ASSERT(nnrt__detect_is_right(args) && nms->heap != NULL && nms->kept != NULL);
    nms->count = nms->left = 0;
    for (i = 0; i < args->boxes; i++)
        if (nnrt__detect_score(&nms->lane, i) >= args->score) nms->heap[nms->count++] = i;
    for (i = nms->count / 2; i-- > 0;) nnrt__top_sink(&nms->lane, nms->heap, i, nms->count);
}

/* Handles up to `turns` more candidates; false: there are none, or enough are kept. */
NNRT__FN bool nnrt__detect_nms_go_on(const nnrt__detect_args *args, nnrt__detect_nms *nms, const nnrt__rect *boxes,
                                     uint32_t turns) {
    NNRT_ASSERT(nms->count <= args->boxes && nms->left <= nms->most);
    for (; turns > 0 && nms->count > 0 && nms->left < nms->most; turns--) {
        const uint32_t box = nms->heap[0];
        uint32_t j;
        nms->heap[0] = nms->heap[--nms->count];
        if (nms->count > 1) nnrt__top_sink(&nms->lane, nms->heap, 0, nms->count);
        for (j = 0; j < nms->left; j++)
            if (nnrt__rect_overlap(&boxes[nms->kept[j]], &boxes[box], 0.0f) > args->overlap) break;
        if (j == nms->left) nms->kept[nms->left++] = box;
    }
    return nms->count > 0 && nms->left < nms->most;
}

NNRT__FN void nnrt__detect_row(const nnrt__detect_out *out, size_t row, const nnrt__rect *box, uint32_t class_index,
                               float score) {
    out->boxes[4 * row] = box->y0;
    out->boxes[4 * row + 1] = box->x0;
    out->boxes[4 * row + 2] = box->y1;
    out->boxes[4 * row + 3] = box->x1;
    out->classes[row] = (float)class_index;
    out->scores[row] = score;
}

/* Fast suppression: each box that was kept with its best classes. out: zeros before. The result is what is counted. */
NNRT__FN uint32_t nnrt__detect_tell_boxes(const nnrt__detect_args *args, const float *scores, const nnrt__rect *boxes,
                                          const nnrt__detect_nms *nms, const nnrt__detect_out *out) {
    const uint32_t each = args->classes_each < args->classes ? args->classes_each : args->classes;
    const uint32_t apart = args->counts_boxes != 0 ? args->classes_each : each;
    uint32_t i, k;
    NNRT_ASSERT(args->regular == 0 && nms->left <= args->most);
    for (i = 0; i < nms->left; i++) {
        const nnrt__top_lane lane = nnrt__detect_lane(args, scores, nms->kept[i], 0, true);
        uint32_t next = args->classes;
        for (k = 0; k < each; k++) {
            next = nnrt__detect_next(&lane, args->classes, next);
            nnrt__detect_row(out, (size_t)i * apart + k, &boxes[nms->kept[i]], next, nnrt__detect_score(&lane, next));
        }
    }
    return args->counts_boxes != 0 ? nms->left : nms->left * each;
}

/* Regular suppression: merges the kept boxes of one class into the rows, best first, at most args->most. Returns the
   number of rows. Earlier rows stay before equal ones. */
NNRT__FN uint32_t nnrt__detect_merge(const nnrt__detect_args *args, const nnrt__rect *boxes,
                                     const nnrt__detect_nms *nms, uint32_t class_index, const nnrt__detect_out *out,
                                     uint32_t rows) {
    uint32_t i, at = 0;
    NNRT_ASSERT(args->regular == 1 && class_index < args->classes && rows <= args->most);
    for (i = 0; i < nms->left; i++) {
        const float score = nnrt__detect_score(&nms->lane, nms->kept[i]);
        while (at < rows && out->scores[at] >= score) at++; /* what comes here goes behind what came before it */
        if (at == args->most) break;
        if (rows == args->most) rows--;
        memmove(out->boxes + 4 * (size_t)(at + 1), out->boxes + 4 * (size_t)at,
                (size_t)(rows - at) * 4 * sizeof(float));
        memmove(out->classes + at + 1, out->classes + at, (size_t)(rows - at) * sizeof(float));
        memmove(out->scores + at + 1, out->scores + at, (size_t)(rows - at) * sizeof(float));
        nnrt__detect_row(out, at++, &boxes[nms->kept[i]], class_index, score);
        rows++;
    }
    return rows;
}

#endif /* NNRT_KERNELS_DETECTION_SCALAR_H */
