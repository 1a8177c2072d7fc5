/* SPDX-License-Identifier: Apache-2.0 */
/* test_detection.c - softmax, top-N, suppression, regions and what comes of them are what py-faster-rcnn defines:
   against references in double that are written another way, and whatever the maps hold. */
#include "linked.h"

#include <criterion/criterion.h>

#include <float.h>

#define SEED 20261122u
#include "noise.h"

#include "detection/maps.h"

#define REFUSED(call, words)                                                                      \
    do {                                                                                          \
        cr_assert_eq((call), OH_NN_INVALID_PARAMETER, #call);                                     \
        cr_assert_not_null(strstr(nnrt_last_error(), words), "%s: %s", #call, nnrt_last_error()); \
    } while (0)

/* --------------------------------------------------------------------------------------------------- views */

Test(detection, a_view_has_no_element_outside_its_size) {
    float data[24] = {0};
    nnrt_tensor_view v;
    cr_assert_eq(nnrt_tensor_view_nchw(data, 24, 2, 3, 4, 0, &v), OH_NN_SUCCESS);
    cr_assert(v.channel_stride == 12 && v.row_stride == 4 && v.column_stride == 1);
    REFUSED(nnrt_tensor_view_nchw(data, 23, 2, 3, 4, 0, &v), "reach past the 23");
    REFUSED(nnrt_tensor_view_nchw(data, 24, 2, 3, 4, 3, &v), "cannot be 3 apart");
    REFUSED(nnrt_tensor_view_nchw(data, 24, 2, 3, 4, SIZE_MAX / 2, &v), "apart");
    REFUSED(nnrt_tensor_view_nchw(data, 24, UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, &v), "");
    REFUSED(nnrt_tensor_view_nchw(NULL, 24, 2, 3, 4, 0, &v), "no data");
    REFUSED(nnrt_tensor_view_nchw(data, 24, 2, 0, 4, 0, &v), "empty");
    REFUSED(nnrt_tensor_view_nchw(data, 24, 2, 3, 4, 0, NULL), "view is NULL");
    cr_assert_eq(nnrt_tensor_view_nhwc(data, 23, 2, 2, 4, 3, &v), OH_NN_SUCCESS,
                 "nothing has to follow the last pixel");
    REFUSED(nnrt_tensor_view_nhwc(data, 23, 2, 2, 4, 4, &v), "reach past");
    cr_assert(v.channel_stride == 1 && v.row_stride == 12 && v.column_stride == 3 && v.channels == 2 && v.height == 2);
    cr_assert_eq(nnrt_tensor_view_nhwc(data, 24, 3, 2, 4, 0, &v), OH_NN_SUCCESS);
    cr_assert(v.column_stride == 3);
    REFUSED(nnrt_tensor_view_nhwc(data, 24, 3, 2, 4, 2, &v), "cannot be 2 apart");
    REFUSED(nnrt_tensor_view_nhwc(data, 24, 3, 2, 4, 0, NULL), "view is NULL");
}

Test(detection, the_corners_of_detections_are_rows_of_four) {
    const nnrt_detection d[2] = {{1, 0.5f, 1, 2, 3, 4}, {2, 0.25f, 5, 6, 7, 8}};
    nnrt_tensor_view v;
    cr_assert_eq(nnrt_detection_boxes(d, 2, &v), OH_NN_SUCCESS);
    cr_assert(v.channels == 1 && v.height == 2 && v.width == 4);
    cr_assert_eq((const void *)(v.data + v.size), (const void *)(d + 2), "the view ends where the detections do");
    for (size_t i = 0; i < 8; i++) {
        cr_assert_eq(v.data[i / 4 * v.row_stride + i % 4 * v.column_stride], (float)(i + 1));
    }
    REFUSED(nnrt_detection_boxes(d, 0, &v), "0 detections");
    REFUSED(nnrt_detection_boxes(NULL, 1, &v), "detections");
}

/* ---------------------------------------------------------------------------------------------------- pieces */

Test(detection, softmax_goes_along_any_axis_of_any_layout_in_place_or_not) {
    for (int round = 0; round < 60; round++) {
        const nnrt_view_axis axis = (nnrt_view_axis)(round % 3);
        map m = map_of(1 + noise() % 5, 1 + noise() % 5, 1 + noise() % 5, -20.0, 20.0, 1.0 / 64);
        const nnrt_tensor_view *v = &m.view;
        const size_t stride = axis == NNRT_AXIS_CHANNELS ? v->channel_stride
                              : axis == NNRT_AXIS_HEIGHT ? v->row_stride
                                                         : v->column_stride;
        const uint32_t count = axis == NNRT_AXIS_CHANNELS ? v->channels
                               : axis == NNRT_AXIS_HEIGHT ? v->height
                                                          : v->width;
        float *to = malloc(v->size * sizeof(float));
        cr_assert_not_null(to);
        for (size_t i = 0; i < v->size; i++) to[i] = 1000.0f;
        cr_assert_eq(nnrt_detection_softmax(v, axis, to), OH_NN_SUCCESS);
        size_t written = 0;
        for (uint32_t c = 0; c < v->channels; c++) {
            for (uint32_t y = 0; y < v->height; y++) {
                for (uint32_t x = 0; x < v->width; x++) {
                    const size_t at = c * v->channel_stride + y * v->row_stride + x * v->column_stride;
                    const uint32_t along[3] = {c, y, x};
                    const float *row = v->data + at - along[axis] * stride;
                    double sum = 0.0;
                    for (uint32_t k = 0; k < count; k++) sum += exp((double)row[k * stride] - (double)v->data[at]);
                    cr_assert(fabs((double)to[at] - 1.0 / sum) < 1e-6, "round %d", round);
                    written++;
                }
            }
        }
        for (size_t i = 0; i < v->size; i++) written += to[i] == 1000.0f;
        cr_assert_eq(written, v->size, "what is no element was written in round %d", round);
        cr_assert_eq(nnrt_detection_softmax(v, axis, m.data), OH_NN_SUCCESS);
        for (size_t i = 0; i < v->size; i++) cr_assert(m.data[i] == to[i] || m.data[i] != m.data[i]);
        free(to);
        free(m.data);
    }
}

Test(detection, softmax_keeps_its_head_with_huge_values_and_passes_nan_on) {
    float data[3][3] = {{FLT_MAX, -FLT_MAX, 0}, {-1e30f, -1e30f, -INFINITY}, {1, NAN, 2}};
    nnrt_tensor_view v;
    cr_assert_eq(nnrt_tensor_view_nchw(data[0], 9, 1, 3, 3, 0, &v), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_detection_softmax(&v, NNRT_AXIS_WIDTH, data[0]), OH_NN_SUCCESS);
    cr_assert(data[0][0] == 1.0f && data[0][1] == 0.0f && data[0][2] == 0.0f);
    cr_assert(data[1][0] == 0.5f && data[1][1] == 0.5f && data[1][2] == 0.0f);
    for (int i = 0; i < 3; i++) cr_assert(data[2][i] != data[2][i]);
    REFUSED(nnrt_detection_softmax(&v, (nnrt_view_axis)3, data[0]), "axis 3");
    REFUSED(nnrt_detection_softmax(&v, NNRT_AXIS_WIDTH, NULL), "to is NULL");
    REFUSED(nnrt_detection_softmax(NULL, NNRT_AXIS_WIDTH, data[0]), "no data");
}

Test(detection, top_n_are_the_highest_in_order_and_of_equal_ones_the_first) {
    for (int round = 0; round < 300; round++) {
        const size_t count = noise() % 40, stride = 1 + noise() % 3, capacity = noise() % 45;
        float *values = malloc((count * stride + 1) * sizeof(float));
        nnrt_ranked *best = malloc((capacity + 1) * sizeof(*best));
        bool taken[40] = {false};
        size_t found = 99;
        cr_assert(values != NULL && best != NULL);
        best[capacity].index = 12345;
        for (size_t i = 0; i < count * stride; i++) {
            values[i] = i % stride != 0 || noise() % 8 == 0 ? NAN : (float)noise_in(-6, 6);
        }
        cr_assert_eq(nnrt_detection_top_n(values, count, stride, best, capacity, &found), OH_NN_SUCCESS);
        for (size_t n = 0; n < capacity; n++) { /* the n-th best by looking at all that are left */
            size_t most = count;
            for (size_t i = 0; i < count; i++) {
                const float x = values[i * stride];
                if (taken[i] || x != x) continue;
                if (most == count || x > values[most * stride]) most = i;
            }
            if (most == count) {
                cr_assert_eq(found, n, "round %d", round);
                break;
            }
            taken[most] = true;
            cr_assert(n < found && best[n].index == most && best[n].score == values[most * stride], "round %d", round);
        }
        cr_assert(found <= capacity && best[capacity].index == 12345);
        free(values);
        free(best);
    }
}

Test(detection, top_n_refuses_what_it_could_not_count) {
    float value = 1;
    nnrt_ranked one;
    size_t found = 7;
    REFUSED(nnrt_detection_top_n(NULL, 1, 1, &one, 1, &found), "NULL");
    REFUSED(nnrt_detection_top_n(&value, 1, 1, NULL, 1, &found), "NULL");
    REFUSED(nnrt_detection_top_n(&value, 1, 1, &one, 1, NULL), "NULL");
    REFUSED(nnrt_detection_top_n(&value, 3, SIZE_MAX, &one, 1, &found), "too many");
    cr_assert_eq(found, 7);
}

/* ------------------------------------------------------------------------------------------------ suppression */

Test(detection, suppression_keeps_what_no_better_box_of_its_class_covers) {
    int tried = 0;
    for (int round = 0; round < 400; round++) {
        nnrt_nms_options o = {(float)noise_between(0.0, 0.5), (float)noise_between(0.05, 0.9), noise() % 30,
                              noise() % 2 != 0, noise() % 2 != 0};
        const size_t count = noise() % 40, capacity = noise() % 40;
        nnrt_detection *boxes = malloc((count + 1) * sizeof(*boxes)), got[40];
        candidate list[40];
        uint32_t *kept = malloc((capacity + 1) * sizeof(*kept));
        size_t bytes, found = 99, n = 0, want;
        void *block, *scratch;
        for (size_t i = 0; i < count; i++) {
            nnrt_detection *b = &boxes[i];
            b->class_id = noise() % 3;
            b->score = (float)noise_in(0, 64) / 64.0f;
            b->x0 = (float)noise_in(0, 80), b->y0 = (float)noise_in(0, 80);
            b->x1 = b->x0 + (float)noise_in(1, 60), b->y1 = b->y0 + (float)noise_in(1, 60);
        }
        undecided = false;
        for (size_t i = 0; i < count; i++) {
            const nnrt_detection *b = &boxes[i];
            const candidate one = {
                (double)b->score, (double)b->x0, (double)b->y0, (double)b->x1, (double)b->y1, 0, i, false};
            if (b->score > o.score_threshold) list[n++] = one;
        }
        /* of equal scores the lower index, whatever the class */
        sort_candidates(list, n);
        for (size_t i = 0; i < n; i++) {
            list[i].class_id = boxes[list[i].index].class_id;
            list[i].score = 1.0 - (double)i * 1e-3;
        }
        want = suppress(list, n, o.pre_nms_count != 0 ? o.pre_nms_count : SIZE_MAX, (double)o.nms_threshold,
                        o.count_pixels ? 1.0 : 0.0, o.class_agnostic, capacity);
        cr_assert_eq(nnrt_detection_nms_scratch(&o, count, &bytes), OH_NN_SUCCESS);
        scratch = scratch_of(bytes, &block);
        cr_assert_eq(nnrt_detection_nms(&o, boxes, count, scratch, bytes, kept, capacity, &found), OH_NN_SUCCESS);
        REFUSED(nnrt_detection_nms(&o, boxes, count, scratch, bytes - 1, kept, capacity, &found), "scratch has");
        if (!undecided) {
            tried++;
            for (size_t i = 0; i < found; i++) {
                cr_assert_lt(kept[i], count);
                got[i] = boxes[kept[i]];
                got[i].score = i < want ? (float)list[i].score : 0.0f;
            }
            equal_detections("suppression", got, found, list, want);
        }
        free(block);
        free(boxes);
        free(kept);
    }
    cr_assert_gt(tried, 300, "only %d of 400 rounds could be told apart", tried);
}

Test(detection, suppression_counts_pixels_or_measures) {
    /* 2 by 2 pixels that share one column: 2 of 6 pixels, but as measured 1 by 1 that only touch */
    const nnrt_detection boxes[2] = {{0, 0.9f, 0, 0, 1, 1}, {0, 0.8f, 1, 0, 2, 1}};
    nnrt_nms_options o = {0.0f, 0.33f, 0, true, false};
    uint32_t kept[2], scratch[64];
    size_t found;
    cr_assert_eq(nnrt_detection_nms(&o, boxes, 2, scratch, sizeof(scratch), kept, 2, &found), OH_NN_SUCCESS);
    cr_assert(found == 1 && kept[0] == 0);
    o.nms_threshold = 0.34f;
    cr_assert_eq(nnrt_detection_nms(&o, boxes, 2, scratch, sizeof(scratch), kept, 2, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 2);
    o.nms_threshold = 0.0f, o.count_pixels = false;
    cr_assert_eq(nnrt_detection_nms(&o, boxes, 2, scratch, sizeof(scratch), kept, 2, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 2);
}

Test(detection, an_overlap_that_is_the_threshold_is_kept) {
    const nnrt_detection boxes[2] = {{0, 0.9f, 0, 0, 4, 4}, {0, 0.8f, 0, 0, 2, 4}};
    nnrt_nms_options o = {0.8f, 0.5f, 0, false, false};
    uint32_t kept[2], scratch[64];
    size_t found;
    cr_assert_eq(nnrt_detection_nms(&o, boxes, 2, scratch, sizeof(scratch), kept, 2, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 1, "a score that is the threshold is not");
    o.score_threshold = 0.0f;
    cr_assert_eq(nnrt_detection_nms(&o, boxes, 2, scratch, sizeof(scratch), kept, 2, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 2);
}

Test(detection, boxes_that_are_no_boxes_are_left_out) {
    const nnrt_detection boxes[] = {{0, NAN, 0, 0, 4, 4},
                                    {0, 0.5f, NAN, 0, 4, 4},
                                    {0, 0.5f, 0, 0, INFINITY, 4},
                                    {0, 0.4f, 9, 9, 1, 1},
                                    {0, 0.3f, 9, 9, 1, 1},
                                    {1, 0.2f, 5, 5, 5, 5},
                                    {2, 0.1f, -1e30f, -1e30f, 1e30f, 1e30f},
                                    {2, 0.05f, -1e30f, -1e30f, 1e30f, 1e30f}};
    const nnrt_nms_options o = {-1.0f, 0.5f, 0, false, false};
    uint32_t kept[8], scratch[200];
    size_t found;
    cr_assert_eq(nnrt_detection_nms(&o, boxes, 8, scratch, sizeof(scratch), kept, 8, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 5);
    for (uint32_t i = 0; i < 5; i++) cr_assert_eq(kept[i], i + 3);
}

Test(detection, suppression_refuses_wrong_arguments_and_leaves_the_answer_alone) {
    nnrt_detection box = {0, 0.9f, 0, 0, 4, 4};
    nnrt_nms_options o = {0.0f, 0.5f, 0, false, false};
    uint32_t kept = 77, scratch[64];
    size_t found = 66, bytes = 55;
    const float wrong[] = {-0.01f, 1.01f, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        o.nms_threshold = wrong[i];
        REFUSED(nnrt_detection_nms(&o, &box, 1, scratch, sizeof(scratch), &kept, 1, &found), "nms_threshold");
        REFUSED(nnrt_detection_nms_scratch(&o, 1, &bytes), "nms_threshold");
    }
    o.nms_threshold = 0.5f, o.score_threshold = NAN;
    REFUSED(nnrt_detection_nms(&o, &box, 1, scratch, sizeof(scratch), &kept, 1, &found), "score_threshold");
    o.score_threshold = 0.0f;
    REFUSED(nnrt_detection_nms(NULL, &box, 1, scratch, sizeof(scratch), &kept, 1, &found), "options");
    REFUSED(nnrt_detection_nms(&o, NULL, 1, scratch, sizeof(scratch), &kept, 1, &found), "NULL");
    REFUSED(nnrt_detection_nms(&o, &box, 1, NULL, 100, &kept, 1, &found), "scratch is NULL");
    REFUSED(nnrt_detection_nms(&o, &box, 1, scratch, sizeof(scratch), NULL, 1, &found), "NULL");
    REFUSED(nnrt_detection_nms(&o, &box, 1, scratch, sizeof(scratch), &kept, 1, NULL), "NULL");
    REFUSED(nnrt_detection_nms_scratch(&o, 1, NULL), "bytes");
    cr_assert(kept == 77 && found == 66 && bytes == 55);
}

Test(detection, sizes_that_overflow_are_refused) {
    const nnrt_nms_options o = {0.0f, 0.5f, 0, false, false};
    const nnrt_detection box = {0, 0.9f, 0, 0, 4, 4};
    uint32_t kept, scratch[64];
    size_t bytes = 5, found = 6;
#if SIZE_MAX > UINT32_MAX
    REFUSED(nnrt_detection_nms_scratch(&o, (size_t)UINT32_MAX + 1, &bytes), "too many");
#else
    REFUSED(nnrt_detection_nms_scratch(&o, UINT32_MAX, &bytes), "no size that fits");
#endif
    REFUSED(nnrt_detection_nms(&o, &box, UINT32_MAX, scratch, sizeof(scratch), &kept, 1, &found), "scratch has 256");
    cr_assert(bytes == 5 && found == 6);
}

/* ---------------------------------------------------------------------------------------------------- anchors */

Test(detection, the_anchors_of_vgg16_are_those_that_are_published) {
    const float ratios[] = {0.5f, 1, 2}, scales[] = {8, 16, 32};
    const float want[36] = {-84, -40, 99, 55, -176, -88,  191, 103, -360, -184, 375, 199,
                            -56, -56, 71, 71, -120, -120, 135, 135, -248, -248, 263, 263,
                            -36, -80, 51, 95, -80,  -168, 95,  183, -168, -344, 183, 359};
    float anchors[36];
    cr_assert_eq(nnrt_detection_anchors(16, ratios, 3, scales, 3, anchors, 36), OH_NN_SUCCESS);
    for (int i = 0; i < 36; i++) cr_assert_eq(anchors[i], want[i], "%d: %g", i, (double)anchors[i]);
    REFUSED(nnrt_detection_anchors(16, ratios, 3, scales, 3, anchors, 35), "more anchors than 35");
    REFUSED(nnrt_detection_anchors(16, ratios, UINT32_MAX, scales, UINT32_MAX, anchors, 36), "more anchors");
    REFUSED(nnrt_detection_anchors(0, ratios, 3, scales, 3, anchors, 36), "ratio 0");
    REFUSED(nnrt_detection_anchors(NAN, ratios, 3, scales, 3, anchors, 36), "ratio 0");
    REFUSED(nnrt_detection_anchors(16, ratios, 0, scales, 3, anchors, 36), "need");
    const float bad[] = {1, -2};
    REFUSED(nnrt_detection_anchors(16, bad, 2, scales, 3, anchors, 36), "ratio 1");
    REFUSED(nnrt_detection_anchors(16, ratios, 3, bad, 2, anchors, 36), "scale 1");
}

Test(detection, anchors_round_halves_to_even_as_numpy_does) {
    /* 13 wide: sqrt(169 / 1) is whole; 13 * 1.5 is 19.5, so that the height of ratio 1.5 of a base whose width rounds
       to 13 is 20, and 11 * 1.5 = 16.5 becomes 16 */
    const float ratio = 1.5f, scale = 1;
    float a[4];
    cr_assert_eq(nnrt_detection_anchors(16, &ratio, 1, &scale, 1, a, 4), OH_NN_SUCCESS); /* sqrt(170.67) = 13.06 */
    cr_assert(a[2] - a[0] == 12 && a[3] - a[1] == 19, "%g by %g", (double)(a[2] - a[0]), (double)(a[3] - a[1]));
    cr_assert_eq(nnrt_detection_anchors(13.5f, &ratio, 1, &scale, 1, a, 4), OH_NN_SUCCESS); /* 11.02 */
    cr_assert(a[2] - a[0] == 10 && a[3] - a[1] == 15, "%g by %g", (double)(a[2] - a[0]), (double)(a[3] - a[1]));
}

/* -------------------------------------------------------------------------------------------------- proposals */

/* A box moved as in py-faster-rcnn, and clipped. */
static candidate moved(const double from[4], const double delta[4], double right, double bottom) {
    const double w = from[2] - from[0] + 1, h = from[3] - from[1] + 1;
    const double x = delta[0] * w + (from[0] + 0.5 * w), y = delta[1] * h + (from[1] + 0.5 * h);
    const double pw = exp(delta[2]) * w, ph = exp(delta[3]) * h;
    candidate c = {0};
    c.x0 = fmax(fmin(x - 0.5 * pw, right), 0), c.x1 = fmax(fmin(x + 0.5 * pw, right), 0);
    c.y0 = fmax(fmin(y - 0.5 * ph, bottom), 0), c.y1 = fmax(fmin(y + 0.5 * ph, bottom), 0);
    return c;
}

static size_t proposals_by_definition(const nnrt_proposal_options *o, const map *scores, const map *deltas,
                                      candidate *list, size_t most) {
    size_t count = 0, index = 0;
    for (uint32_t y = 0; y < scores->view.height; y++) {
        for (uint32_t x = 0; x < scores->view.width; x++) {
            for (uint32_t a = 0; a < o->anchor_count; a++, index++) {
                double from[4], delta[4];
                const double back = (double)*map_at(scores, a, y, x);
                const double object = (double)*map_at(scores, o->anchor_count + a, y, x);
                candidate c;
                for (uint32_t k = 0; k < 4; k++) {
                    from[k] = (double)o->anchors[4 * a + k] + (k % 2 != 0 ? y : x) * (double)o->stride;
                    delta[k] = (double)*map_at(deltas, 4 * a + k, y, x);
                }
                c = moved(from, delta, (double)o->image_width - 1, (double)o->image_height - 1);
                c.score = o->softmax ? 1.0 / (1.0 + exp(back - object)) : object;
                c.index = index;
                if (!greater((double)o->min_size, c.x1 - c.x0 + 1, 1e-3) &&
                    !greater((double)o->min_size, c.y1 - c.y0 + 1, 1e-3)) {
                    list[count++] = c;
                }
            }
        }
    }
    if (o->post_nms_count != 0 && o->post_nms_count < most) most = o->post_nms_count;
    return suppress(list, count, o->pre_nms_count != 0 ? o->pre_nms_count : SIZE_MAX, (double)o->nms_threshold, 1.0,
                    true, most);
}

Test(detection, proposals_are_those_of_the_definition_in_any_layout) {
    int tried = 0;
    for (int round = 0; round < 200; round++) {
        const uint32_t ratio_count = 1 + noise() % 3, scale_count = 1 + noise() % 2;
        const uint32_t height = 1 + noise() % 6, width = 1 + noise() % 6;
        const float ratios[] = {0.5f, 1, 2}, scales[] = {1, 2.3f};
        float anchors[24];
        nnrt_proposal_options o = {anchors,
                                   ratio_count * scale_count,
                                   16,
                                   (float)noise_in(40, 100),
                                   (float)noise_in(40, 100),
                                   noise() % 2 != 0 ? 12.0f : 0.0f,
                                   noise() % 3 != 0 ? 1 + noise() % 60 : 0,
                                   noise() % 2 * (1 + noise() % 20),
                                   (float)noise_between(0.2, 0.9),
                                   noise() % 2 != 0};
        const size_t capacity = 1 + noise() % 220;
        map scores = map_of(2 * o.anchor_count, height, width, -2, 2, 1.0 / 32);
        map deltas = map_of(4 * o.anchor_count, height, width, -0.7, 0.7, 1.0 / 256);
        candidate list[6 * 6 * 6];
        nnrt_detection *got = malloc(capacity * sizeof(*got));
        void *block, *scratch;
        size_t bytes, found, want;
        cr_assert_eq(nnrt_detection_anchors(16, ratios, ratio_count, scales, scale_count, anchors, 24), OH_NN_SUCCESS);
        undecided = false;
        want = proposals_by_definition(&o, &scores, &deltas, list, capacity);
        cr_assert_eq(nnrt_detection_proposals_scratch(&o, &scores.view, &bytes), OH_NN_SUCCESS);
        scratch = scratch_of(bytes, &block);
        cr_assert_eq(nnrt_detection_proposals(&o, &scores.view, &deltas.view, scratch, bytes, got, capacity, &found),
                     OH_NN_SUCCESS, "%s", nnrt_last_error());
        if (!undecided) {
            tried++;
            equal_detections("proposals", got, found, list, want);
        }
        REFUSED(nnrt_detection_proposals(&o, &scores.view, &deltas.view, scratch, bytes - 1, got, capacity, &found),
                "scratch has");
        free(block);
        free(got);
        free(scores.data);
        free(deltas.data);
    }
    cr_assert_gt(tried, 120, "only %d of 200 rounds could be told apart", tried);
}

/* One anchor in one cell, for what goes wrong. */
typedef struct one_anchor {
    float anchor[4], scores[2], deltas[4];
    nnrt_proposal_options o;
    nnrt_tensor_view scores_view, deltas_view;
    uint32_t scratch[64];
    nnrt_detection got[2];
    size_t found;
} one_anchor;

static void one_anchor_of(one_anchor *t) {
    static const float anchor[4] = {0, 0, 15, 15};
    memset(t, 0, sizeof(*t));
    memcpy(t->anchor, anchor, sizeof(anchor));
    t->scores[1] = 0.75f;
    t->o.anchors = t->anchor, t->o.anchor_count = 1;
    t->o.stride = 16, t->o.image_width = t->o.image_height = 100, t->o.nms_threshold = 0.7f;
    cr_assert_eq(nnrt_tensor_view_nchw(t->scores, 2, 2, 1, 1, 0, &t->scores_view), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_tensor_view_nchw(t->deltas, 4, 4, 1, 1, 0, &t->deltas_view), OH_NN_SUCCESS);
}

static OH_NN_ReturnCode propose(one_anchor *t) {
    return nnrt_detection_proposals(&t->o, &t->scores_view, &t->deltas_view, t->scratch, sizeof(t->scratch), t->got, 2,
                                    &t->found);
}

Test(detection, a_proposal_that_is_no_box_is_dropped_and_one_that_is_too_large_is_clipped) {
    static const float wild[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX};
    one_anchor t;
    one_anchor_of(&t);
    cr_assert_eq(propose(&t), OH_NN_SUCCESS);
    cr_assert(t.found == 1 && t.got[0].score == 0.75f && t.got[0].class_id == 0);
    cr_assert(t.got[0].x0 == 0 && t.got[0].x1 == 16, "the right corner is x0 + width, as the definition has it");
    for (size_t k = 0; k < 6; k++) {
        for (size_t i = 0; i < 5; i++) {
            float *at = k < 4 ? &t.deltas[k] : &t.scores[k - 4];
            const float was = *at;
            *at = wild[i];
            for (int softmax = 0; softmax < 2; softmax++) {
                t.o.softmax = softmax != 0;
                cr_assert_eq(propose(&t), OH_NN_SUCCESS);
                cr_assert_leq(t.found, 1);
                if (t.found == 1) {
                    cr_assert(t.got[0].score == t.got[0].score && t.got[0].x0 >= 0 && t.got[0].x1 <= 99 &&
                              t.got[0].y0 >= 0 && t.got[0].y1 <= 99 && t.got[0].x0 <= t.got[0].x1);
                }
                if (i == 0 && (k < 4 || (k == 4 ? softmax == 1 : true))) cr_assert_eq(t.found, 0, "%zu", k);
            }
            *at = was;
        }
    }
    t.o.softmax = false;
    t.deltas[2] = 1000.0f;
    cr_assert_eq(propose(&t), OH_NN_SUCCESS);
    cr_assert(t.found == 1 && t.got[0].x0 == 0 && t.got[0].x1 == 99);
    t.o.min_size = 17.5f;
    cr_assert_eq(propose(&t), OH_NN_SUCCESS);
    cr_assert_eq(t.found, 0, "17 high");
}

Test(detection, proposals_refuse_options_and_shapes_that_do_not_fit) {
    one_anchor t;
    size_t bytes;
#define WITH(change, words)           \
    do {                              \
        one_anchor_of(&t);            \
        change;                       \
        t.found = 12345;              \
        REFUSED(propose(&t), words);  \
        cr_assert_eq(t.found, 12345); \
    } while (0)
    WITH(t.o.anchors = NULL, "anchors");
    WITH(t.o.anchor_count = 0, "anchors");
    WITH(t.o.anchor_count = 2, "scores: 2 channels");
    WITH(t.o.anchor_count = 0x80000001u, "the options make it 4294967298");
    WITH(t.o.stride = 0, "stride");
    WITH(t.o.stride = INFINITY, "stride");
    WITH(t.o.image_width = 0, "image_width");
    WITH(t.o.image_height = NAN, "image_height");
    WITH(t.o.min_size = NAN, "min_size");
    WITH(t.o.min_size = -1, "min_size");
    WITH(t.o.nms_threshold = 2, "nms_threshold");
    WITH(t.scores_view.size = 1, "scores");
    WITH(t.scores_view.channel_stride = SIZE_MAX, "scores");
    WITH(t.deltas_view.channels = 3, "deltas: 3 channels");
    WITH(t.deltas_view.size = 3, "deltas");
    WITH((t.scores_view.height = 2, t.scores_view.row_stride = 0), "deltas");
    WITH((t.scores_view.height = t.scores_view.width = UINT32_MAX, t.scores_view.row_stride = 0,
          t.scores_view.column_stride = 0),
         "too many");
#undef WITH
    one_anchor_of(&t);
    REFUSED(nnrt_detection_proposals_scratch(&t.o, &t.scores_view, NULL), "bytes");
    REFUSED(nnrt_detection_proposals_scratch(NULL, &t.scores_view, &bytes), "options");
    REFUSED(nnrt_detection_proposals(&t.o, &t.scores_view, &t.deltas_view, t.scratch, 256, NULL, 2, &t.found), "NULL");
    REFUSED(nnrt_detection_proposals(&t.o, &t.scores_view, &t.deltas_view, t.scratch, 256, t.got, 2, NULL), "NULL");
    cr_assert_eq(nnrt_detection_proposals(&t.o, &t.scores_view, &t.deltas_view, t.scratch, 256, t.got, 0, &t.found),
                 OH_NN_SUCCESS);
    cr_assert_eq(t.found, 0, "no room, no proposals");
}

Test(detection, fixed_boxes_are_rounded_and_saturated_and_leave_the_gaps_alone) {
    const nnrt_detection boxes[3] = {{0, 0, 1.0f, -1.0f, 0.5f / 4096, -0.5f / 4096},
                                     {0, 0, 524287.97f, 1e9f, -524288.0f, -1e30f},
                                     {0, 0, NAN, INFINITY, 0.49999997f / 4096, 2048.0002f}};
    const int32_t want[3][4] = {
        {4096, -4096, 1, -1}, {2147483520, INT32_MAX, INT32_MIN, INT32_MIN}, {0, INT32_MAX, 0, 8388609}};
    uint8_t *rows = malloc(2 * 32 + 16 + 1), *at = rows + 1;
    memset(rows, 0x5a, 81);
    cr_assert_eq(nnrt_detection_fixed_boxes(boxes, 3, at, 32, 80), OH_NN_SUCCESS);
    for (size_t i = 0; i < 3; i++) {
        int32_t row[4];
        memcpy(row, at + 32 * i, 16);
        for (int k = 0; k < 4; k++) cr_assert_eq(row[k], want[i][k], "box %zu, %d: %d", i, k, (int)row[k]);
    }
    for (size_t i = 0; i < 32; i++) cr_assert_eq(at[16 + i % 16 + 32 * (i / 16)], 0x5a);
    REFUSED(nnrt_detection_fixed_boxes(boxes, 3, at, 32, 79), "do not fit into 79");
    REFUSED(nnrt_detection_fixed_boxes(boxes, 3, at, 15, 80), "15 apart");
    REFUSED(nnrt_detection_fixed_boxes(boxes, 3, at, SIZE_MAX / 2 + 1, SIZE_MAX), "do not fit");
    REFUSED(nnrt_detection_fixed_boxes(boxes, 1, at, 16, 15), "do not fit");
    REFUSED(nnrt_detection_fixed_boxes(NULL, 1, at, 16, 16), "NULL");
    cr_assert_eq(nnrt_detection_fixed_boxes(NULL, 0, NULL, 0, 0), OH_NN_SUCCESS);
    free(rows);
}

/* ------------------------------------------------------------------------------------------------ Faster R-CNN */

static size_t rcnn_by_definition(const nnrt_rcnn_options *o, const map *regions, const map *scores, const map *deltas,
                                 uint32_t count, candidate *all, size_t most) {
    const double scale = o->scale != 0.0f ? (double)o->scale : 1.0;
    size_t total = 0;
    for (uint32_t j = 1; j < o->class_count; j++) {
        candidate list[32];
        size_t n = 0;
        for (uint32_t i = 0; i < count; i++) {
            double from[4], delta[4], sum = 0.0;
            candidate c;
            for (uint32_t k = 0; k < 4; k++) {
                from[k] = (double)*map_at(regions, 0, i, k) / scale;
                delta[k] = (double)*map_at(deltas, 0, i, 4 * (o->class_agnostic ? 1 : j) + k);
            }
            c = moved(from, delta, (double)o->image_width - 1, (double)o->image_height - 1);
            for (uint32_t k = 0; k < o->class_count; k++) sum += exp((double)*map_at(scores, 0, i, k));
            c.score = (double)*map_at(scores, 0, i, j);
            if (o->softmax) c.score = exp(c.score) / sum;
            c.class_id = j;
            c.index = i;
            if (greater(c.score, (double)o->score_threshold, o->softmax ? 1e-5 : 0.0)) list[n++] = c;
        }
        n = suppress(list, n, SIZE_MAX, (double)o->nms_threshold, 1.0, true, SIZE_MAX);
        memcpy(all + total, list, n * sizeof(*list));
        total += n;
    }
    sort_candidates(all, total);
    if (o->max_detections < most) most = o->max_detections;
    return total < most ? total : most;
}

/* Regions, scores and deltas of `rows` regions; boxes of 20 to 60 pixels. */
static void rcnn_maps(const nnrt_rcnn_options *o, uint32_t rows, map m[3]) {
    m[0] = map_of(1, rows, 4, 0, 60, 0.25);
    for (uint32_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < 2; k++) *map_at(&m[0], 0, i, 2 + k) = *map_at(&m[0], 0, i, k) + (float)noise_in(20, 60);
    }
    m[1] = map_of(1, rows, o->class_count, 0, 1, 1.0 / 32);
    m[2] = map_of(1, rows, 4 * (o->class_agnostic ? 2 : o->class_count), -0.5, 0.5, 1.0 / 256);
}

Test(detection, detections_of_faster_rcnn_and_rfcn_are_those_of_the_definition) {
    int tried = 0;
    for (int round = 0; round < 200; round++) {
        nnrt_rcnn_options o = {2 + noise() % 4,
                               noise() % 2 != 0,
                               noise() % 2 != 0,
                               noise() % 2 != 0 ? 0.0f : 1.5f,
                               90,
                               80,
                               (float)noise_between(0.0, 0.6),
                               (float)noise_between(0.1, 0.7),
                               1 + noise() % 40};
        const uint32_t rows = 1 + noise() % 16, count = noise() % (rows + 1);
        const size_t capacity = 1 + noise() % 60;
        map m[3];
        candidate all[32 * 6];
        nnrt_detection *got = malloc(capacity * sizeof(*got));
        void *block, *scratch;
        size_t bytes, found = 99, want;
        rcnn_maps(&o, rows, m);
        undecided = false;
        want = rcnn_by_definition(&o, &m[0], &m[1], &m[2], count, all, capacity);
        cr_assert_eq(nnrt_detect_rcnn_scratch(&o, count, &bytes), OH_NN_SUCCESS);
        scratch = scratch_of(bytes, &block);
        cr_assert_eq(
            nnrt_detect_rcnn(&o, &m[0].view, &m[1].view, &m[2].view, count, scratch, bytes, got, capacity, &found),
            OH_NN_SUCCESS, "%s", nnrt_last_error());
        if (!undecided) {
            tried++;
            equal_detections("detections", got, found, all, want);
        }
        if (count != 0) {
            REFUSED(nnrt_detect_rcnn(&o, &m[0].view, &m[1].view, &m[2].view, count, scratch, bytes - 1, got, capacity,
                                     &found),
                    "scratch has");
        }
        free(block);
        free(got);
        for (int i = 0; i < 3; i++) free(m[i].data);
    }
    cr_assert_gt(tried, 120, "only %d of 200 rounds could be told apart", tried);
}

Test(detection, regions_go_from_proposals_into_the_second_half_without_a_copy) {
    const nnrt_detection regions[2] = {{0, 0.9f, 10, 10, 29, 29}, {0, 0.8f, 50, 50, 69, 69}};
    const float scores[6] = {0.1f, 0.9f, 0.0f, 0.2f, 0.1f, 0.7f}, deltas[24] = {0};
    nnrt_rcnn_options o = {3, false, false, 0, 100, 100, 0.5f, 0.3f, 10};
    nnrt_tensor_view r, s, d;
    nnrt_detection got[4];
    uint32_t scratch[64];
    size_t found;
    cr_assert_eq(nnrt_detection_boxes(regions, 2, &r), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_tensor_view_nchw(scores, 6, 1, 2, 3, 0, &s), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_tensor_view_nchw(deltas, 24, 1, 2, 12, 0, &d), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_detect_rcnn(&o, &r, &s, &d, 2, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS);
    cr_assert(found == 2 && got[0].class_id == 1 && got[0].score == 0.9f && got[0].x0 == 10 && got[0].x1 == 30 &&
              got[1].class_id == 2 && got[1].score == 0.7f && got[1].y0 == 50 && got[1].y1 == 70);
    o.score_threshold = 0.7f;
    cr_assert_eq(nnrt_detect_rcnn(&o, &r, &s, &d, 2, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 1, "a score that is the threshold is no detection");
}

Test(detection, faster_rcnn_refuses_what_does_not_fit_and_needs_no_views_for_no_regions) {
    nnrt_rcnn_options o = {3, false, false, 0, 90, 80, 0.1f, 0.3f, 10};
    map m[3];
    nnrt_detection got[4];
    uint32_t scratch[256];
    size_t found = 9, bytes;
    rcnn_maps(&o, 5, m);
#define CALL(rows) nnrt_detect_rcnn(&o, &m[0].view, &m[1].view, &m[2].view, rows, scratch, 1024, got, 4, &found)
#define WITH(change, back, words) \
    do {                          \
        change;                   \
        REFUSED(CALL(5), words);  \
        back;                     \
    } while (0)
    WITH(o.class_count = 1, o.class_count = 3, "classes");
    WITH(o.class_count = 4, o.class_count = 3, "scores");
    WITH(o.max_detections = 0, o.max_detections = 10, "detections");
    WITH(o.scale = -1, o.scale = 0, "scale");
    WITH(o.scale = NAN, o.scale = 0, "scale");
    WITH(o.image_width = 0, o.image_width = 90, "image_width");
    WITH(o.score_threshold = NAN, o.score_threshold = 0, "score_threshold");
    WITH(o.nms_threshold = -1, o.nms_threshold = 0.5f, "nms_threshold");
    WITH(m[0].view.width = 3, m[0].view.width = 4, "regions");
    WITH(m[2].view.width = 11, m[2].view.width = 12, "deltas");
    WITH(m[1].view.size = 2, m[1].view.size = 15, "scores");
    REFUSED(CALL(6), "regions: 1 channels, 5 rows");
    REFUSED(CALL(UINT32_MAX), "too many");
    REFUSED(nnrt_detect_rcnn(NULL, &m[0].view, &m[1].view, &m[2].view, 5, scratch, 1024, got, 4, &found), "options");
    REFUSED(nnrt_detect_rcnn(&o, &m[0].view, &m[1].view, &m[2].view, 5, scratch, 1024, NULL, 4, &found), "NULL");
    REFUSED(nnrt_detect_rcnn(&o, NULL, &m[1].view, &m[2].view, 5, scratch, 1024, got, 4, &found), "regions");
    REFUSED(nnrt_detect_rcnn_scratch(&o, 5, NULL), "bytes");
    REFUSED(nnrt_detect_rcnn_scratch(NULL, 5, &bytes), "options");
    cr_assert_eq(found, 9);
    cr_assert_eq(nnrt_detect_rcnn(&o, NULL, NULL, NULL, 0, NULL, 0, got, 4, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 0);
#undef WITH
#undef CALL
    for (int i = 0; i < 3; i++) free(m[i].data);
}

Test(detection, maps_of_nothing_but_nan_have_no_detections) {
    const nnrt_rcnn_options o = {3, false, false, 0, 90, 80, -1, 0.3f, 10};
    nnrt_rcnn_options softmax = o;
    map m[3];
    nnrt_detection got[16];
    uint32_t scratch[256];
    size_t found;
    softmax.softmax = true;
    rcnn_maps(&o, 5, m);
    for (int i = 2; i >= 0; i--) {
        for (size_t k = 0; k < m[i].view.size; k++) m[i].data[k] = NAN;
        cr_assert_eq(nnrt_detect_rcnn(&o, &m[0].view, &m[1].view, &m[2].view, 5, scratch, 1024, got, 16, &found),
                     OH_NN_SUCCESS);
        cr_assert_eq(found, 0);
        cr_assert_eq(nnrt_detect_rcnn(&softmax, &m[0].view, &m[1].view, &m[2].view, 5, scratch, 1024, got, 16, &found),
                     OH_NN_SUCCESS);
        cr_assert_eq(found, 0);
    }
    for (int i = 0; i < 3; i++) free(m[i].data);
}
