/* SPDX-License-Identifier: Apache-2.0 */
/* test_heads.c - the heads of YOLOv5 and later give the detections that their definition in double gives, of any type
   and layout, cut and put together in any way; what lies between the elements of maps is never looked at. */
#include "linked.h"

#include <criterion/criterion.h>

#define SEED 20261124u
#include "noise.h"

#include "detection/maps.h"

#define REFUSED(call, words)                                                                      \
    do {                                                                                          \
        cr_assert_eq((call), OH_NN_INVALID_PARAMETER, #call);                                     \
        cr_assert_not_null(strstr(nnrt_last_error(), words), "%s: %s", #call, nnrt_last_error()); \
    } while (0)

/* ---------------------------------------------------------------------------------------------------- maps */

static nnrt_layout layout_of(nnrt_order order, OH_NN_DataType type, uint32_t channels, uint32_t height,
                             uint32_t width) {
    nnrt_layout layout;
    memset(&layout, 0, sizeof(layout));
    layout.order = order;
    layout.type = type;
    layout.batches = 1;
    layout.channels = channels;
    layout.height = height;
    layout.width = width;
    return layout;
}

static const OH_NN_DataType types[] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16, OH_NN_FLOAT16, OH_NN_FLOAT32};

/* A float16 that is x or next to it, and its value, of 2^-14 <= |x| < 2^15 or 0. */
static uint16_t half_of(double x, double *value) {
    int exponent;
    const double fraction = frexp(fabs(x), &exponent); /* 1/2 to 1 */
    const double digits = floor(fraction * 2048);
    *value = 0;
    if (fabs(x) < 1.0 / 16384) return 0;
    *value = ldexp(x < 0 ? -digits : digits, exponent - 11);
    return (uint16_t)((x < 0 ? 0x8000 : 0) + ((exponent + 14) << 10) + ((int)digits - 1024));
}

/* A tensor of real numbers from low to high, exactly as large as it has to be; rows may be apart. What is no element
   would be a detection of highest score. */
typedef struct tensor {
    void *data;
    size_t bytes;
    nnrt_map map;
} tensor;

static tensor new_tensor(OH_NN_DataType type, uint32_t channels, uint32_t height, uint32_t width, double low,
                         double high) {
    const bool whole = type == OH_NN_INT8 || type == OH_NN_UINT8 || type == OH_NN_INT16;
    const int32_t first = type == OH_NN_INT8 ? -128 : type == OH_NN_UINT8 ? 0 : -32768;
    const int32_t span = type == OH_NN_INT16 ? 65535 : 255;
    const double scale = (double)(float)((high - low) / span);
    const int32_t zero_point = whole ? first - (int32_t)floor(low / scale + 0.5) : 0;
    nnrt_layout layout = layout_of(noise() % 2 ? NNRT_ORDER_NCHW : NNRT_ORDER_NHWC, type, channels, height, width);
    tensor t;
    layout.row_stride = width + noise() % 3;
    cr_assert_eq(nnrt_layout_size(&layout, &t.bytes), OH_NN_SUCCESS);
    t.data = malloc(t.bytes);
    cr_assert_eq(nnrt_map_of(&layout, t.data, t.bytes, whole ? scale : 0, zero_point, &t.map), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    for (size_t i = 0; i < t.map.size; i++) {
        if (type == OH_NN_FLOAT32) ((float *)t.data)[i] = 9.0f;
        else if (type == OH_NN_FLOAT16) ((uint16_t *)t.data)[i] = 0x4880; /* 9 */
        else if (type == OH_NN_INT16) ((int16_t *)t.data)[i] = 32767;
        else ((uint8_t *)t.data)[i] = type == OH_NN_INT8 ? 127 : 255;
    }
    for (uint32_t c = 0; c < channels; c++) {
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x++) {
                const size_t at = c * t.map.channel_stride + y * t.map.row_stride + x * t.map.column_stride;
                const double real = noise_between(low, high);
                double unused;
                if (type == OH_NN_FLOAT32) ((float *)t.data)[at] = (float)real;
                else if (type == OH_NN_FLOAT16) ((uint16_t *)t.data)[at] = half_of(real, &unused);
                else if (type == OH_NN_INT16) ((int16_t *)t.data)[at] = (int16_t)noise_in(-32768, 32767);
                else ((uint8_t *)t.data)[at] = (uint8_t)noise();
            }
        }
    }
    return t;
}

static double real_of(const nnrt_map *m, size_t c, size_t y, size_t x) {
    const size_t at = c * m->channel_stride + y * m->row_stride + x * m->column_stride;
    const uint16_t half = m->type == OH_NN_FLOAT16 ? ((const uint16_t *)m->data)[at] : 0;
    const double whole = half >> 10 & 31 ? ldexp(1024 + (half & 1023), (half >> 10 & 31) - 25) : 0;
    if (m->type == OH_NN_FLOAT32) return (double)((const float *)m->data)[at];
    if (m->type == OH_NN_FLOAT16) return half & 0x8000 ? -whole : whole;
    if (m->type == OH_NN_INT16) return (double)m->scale * (((const int16_t *)m->data)[at] - m->zero_point);
    if (m->type == OH_NN_INT8) return (double)m->scale * (((const int8_t *)m->data)[at] - m->zero_point);
    return (double)m->scale * (((const uint8_t *)m->data)[at] - m->zero_point);
}

Test(heads, maps_are_found_in_tensors_and_parts_in_maps) {
    static int8_t data[2 * 3 * 8];
    nnrt_layout layout = layout_of(NNRT_ORDER_NCHW, OH_NN_INT8, 2, 3, 5);
    nnrt_map m, part;
    layout.row_stride = 8;
    cr_assert_eq(nnrt_map_of(&layout, data, sizeof(data), 0.5, -3, &m), OH_NN_SUCCESS);
    cr_assert(m.size == 48 && m.channel_stride == 24 && m.row_stride == 8 && m.column_stride == 1);
    cr_assert(m.scale == 0.5f && m.zero_point == -3 && m.channels == 2 && m.height == 3 && m.width == 5);
    cr_assert_eq(nnrt_map_channels(&m, 1, 1, &part), OH_NN_SUCCESS);
    cr_assert(part.data == data + 24 && part.size == 24 && part.channels == 1 && part.row_stride == 8);
    REFUSED(nnrt_map_channels(&m, 1, 2, &part), "2 channels from 1 on of a map of 2");
    REFUSED(nnrt_map_channels(&m, 2, 1, &part), "1 channels from 2");
    REFUSED(nnrt_map_channels(&m, 0, 0, &part), "0 channels");
    REFUSED(nnrt_map_channels(&m, UINT32_MAX, 1, &part), "of a map of 2");
    REFUSED(nnrt_map_channels(&m, 1, UINT32_MAX, &part), "of a map of 2");
    REFUSED(nnrt_map_channels(&m, 0, 1, NULL), "part is NULL");
    REFUSED(nnrt_map_channels(NULL, 0, 1, &part), "no data");
    REFUSED(nnrt_map_cells(&m, 0, 1, 2, &part), "of 3 rows of 5");
    layout = layout_of(NNRT_ORDER_NHWC, OH_NN_INT8, 3, 1, 14);
    cr_assert_eq(nnrt_map_of(&layout, data, sizeof(data), 0.5, -3, &m), OH_NN_SUCCESS);
    cr_assert(m.channel_stride == 1 && m.column_stride == 3 && m.size == 42);
    cr_assert_eq(nnrt_map_cells(&m, 8, 2, 3, &part), OH_NN_SUCCESS);
    cr_assert(part.data == data + 24 && part.size == 18 && part.height == 2 && part.width == 3);
    cr_assert(part.row_stride == 9 && part.column_stride == 3 && part.channel_stride == 1 && part.channels == 3);
    REFUSED(nnrt_map_cells(&m, 9, 2, 3, &part), "2 x 3 cells from 9");
    REFUSED(nnrt_map_cells(&m, 14, 1, 1, &part), "cells from 14");
    REFUSED(nnrt_map_cells(&m, 0, 0, 3, &part), "0 x 3");
    REFUSED(nnrt_map_cells(&m, 1, UINT32_MAX, UINT32_MAX, &part), "cells from 1");
    REFUSED(nnrt_map_cells(&m, 1, 1, 1, NULL), "part is NULL");
    REFUSED(nnrt_map_of(&layout, data, 41, 0.5, -3, &m), "data has 41 bytes, its layout takes 42");
    REFUSED(nnrt_map_of(&layout, NULL, 42, 0.5, -3, &m), "no data");
    REFUSED(nnrt_map_of(&layout, data, 42, 0, -3, &m), "scale");
    REFUSED(nnrt_map_of(&layout, data, 42, 0.5, 128, &m), "zero point 128 is no int8");
    REFUSED(nnrt_map_of(&layout, data, 42, 0.5, -129, &m), "zero point -129 is no int8");
    cr_assert_eq(nnrt_map_of(&layout, data, 42, 0.5, 127, &m), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_map_of(&layout, data, 42, 0.5, -128, &m), OH_NN_SUCCESS);
    REFUSED(nnrt_map_of(&layout, data, 42, 0.5, 0, NULL), "map is NULL");
    REFUSED(nnrt_map_of(NULL, data, 42, 0.5, 0, &m), "layout is NULL");
    layout.type = OH_NN_INT32, layout.width = 1;
    REFUSED(nnrt_map_of(&layout, data, 42, 0.5, 0, &m), "int32 is not int8");
    layout.type = OH_NN_INT8, layout.batches = 2;
    REFUSED(nnrt_map_of(&layout, data, 42, 0.5, 0, &m), "one batch");
}

/* --------------------------------------------------------------------------------------------- by definition */

enum {
    HEADS = 3,
    POINTS = 2
};

typedef struct network {
    nnrt_heads_options o;
    nnrt_yolo_head heads[HEADS];
    tensor tensors[HEADS][4];
    uint32_t points;
} network;

static void free_network(network *s) {
    for (int i = 0; i < HEADS; i++)
        for (int j = 0; j < 4; j++) free(s->tensors[i][j].data);
}

static void draw_network(network *s) {
    nnrt_heads_options *o = &s->o;
    const nnrt_box_coding coding = (nnrt_box_coding)(noise() % 4);
    const uint32_t classes = 1 + noise() % 4, bins = coding == NNRT_BOX_DISTANCES && noise() % 2 ? 16 : 1;
    const bool object = noise() % 2 != 0, joint = noise() % 2 != 0;
    memset(s, 0, sizeof(*s));
    s->points = noise() % 2 ? POINTS : 0;
    o->head_count = 1 + noise() % HEADS;
    o->logits = noise() % 2 != 0;
    o->best_class = noise() % 2 != 0;
    o->class_agnostic = noise() % 2 != 0;
    o->keypoints_decoded = noise() % 2 != 0;
    o->keypoint_values = 2 + noise() % 2;
    o->score_threshold = (float)noise_between(0.3, 0.8);
    o->nms_threshold = (float)noise_between(0.1, 0.7);
    o->pre_nms_count = noise() % 2 * (1 + noise() % 20);
    o->max_detections = 1 + noise() % 30;
    for (uint32_t i = 0; i < o->head_count; i++) {
        nnrt_yolo_head *head = &s->heads[i];
        const uint32_t height = 1 + noise() % 4, width = 1 + noise() % 5, first = joint ? noise() % 3 : 0;
        const uint32_t points = s->points * o->keypoint_values;
        const double low = o->logits ? -4 : 0, high = o->logits ? 4 : 1;
        head->coding = coding;
        head->stride_x = (float)noise_between(4, 32), head->stride_y = (float)noise_between(4, 32);
        head->anchor_width = (float)noise_between(10, 60), head->anchor_height = (float)noise_between(10, 60);
        if (joint) {
            tensor *t = &s->tensors[i][0];
            *t = new_tensor(types[noise() % 5], first + 4 * bins + object + classes + points, height, width, low, high);
            cr_assert_eq(nnrt_yolo_head_of(&t->map, first, 4 * bins, object, classes, points, head), OH_NN_SUCCESS,
                         "%s", nnrt_last_error());
            continue;
        }
        s->tensors[i][0] = new_tensor(types[noise() % 5], 4 * bins, height, width, 0, 2);
        head->boxes = s->tensors[i][0].map;
        s->tensors[i][1] = new_tensor(types[noise() % 5], classes, height, width, low, high);
        head->classes = s->tensors[i][1].map;
        if (object) {
            s->tensors[i][2] = new_tensor(types[noise() % 5], 1, height, width, low, high);
            head->object = s->tensors[i][2].map;
        }
        if (s->points != 0) {
            s->tensors[i][3] = new_tensor(types[noise() % 5], points, height, width, -3, 3);
            head->keypoints = s->tensors[i][3].map;
        }
    }
}

static double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

static double distance_of(const nnrt_map *boxes, int side_number, size_t y, size_t x) {
    const size_t bins = boxes->channels / 4, first = (size_t)side_number * bins;
    double sum = 0, weighted = 0;
    if (bins == 1) return real_of(boxes, first, y, x);
    for (size_t i = 0; i < bins; i++) {
        sum += exp(real_of(boxes, first + i, y, x));
        weighted += (double)i * exp(real_of(boxes, first + i, y, x));
    }
    return weighted / sum;
}

/* Where cell number `cell` of all is. */
static const nnrt_yolo_head *head_of(const network *s, size_t cell, size_t *y, size_t *x) {
    const nnrt_yolo_head *head = s->heads;
    for (; cell >= (size_t)head->boxes.height * head->boxes.width; head++)
        cell -= (size_t)head->boxes.height * head->boxes.width;
    *y = cell / head->boxes.width, *x = cell % head->boxes.width;
    return head;
}

static size_t by_definition(const network *s, candidate *list, size_t most) {
    const nnrt_heads_options *o = &s->o;
    size_t n = 0, cells = 0;
    for (uint32_t i = 0; i < o->head_count; i++) cells += (size_t)s->heads[i].boxes.height * s->heads[i].boxes.width;
    for (size_t cell = 0; cell < cells; cell++) {
        size_t y, x;
        const nnrt_yolo_head *head = head_of(s, cell, &y, &x);
        const double sx = (double)head->stride_x, sy = (double)head->stride_y;
        double v[4], object = 1, best = -1e30, middle_x, middle_y, wide, high;
        candidate c = {0};
        for (int i = 0; i < 4; i++) v[i] = distance_of(&head->boxes, i, y, x);
        c.index = cell;
        if (head->coding == NNRT_BOX_DISTANCES) {
            c.x0 = ((double)x + 0.5 - v[0]) * sx, c.x1 = ((double)x + 0.5 + v[2]) * sx;
            c.y0 = ((double)y + 0.5 - v[1]) * sy, c.y1 = ((double)y + 0.5 + v[3]) * sy;
        } else {
            if (head->coding == NNRT_BOX_ANCHOR) {
                for (int i = 0; o->logits && i < 4; i++) v[i] = logistic(v[i]);
                middle_x = (2 * v[0] - 0.5 + (double)x) * sx, middle_y = (2 * v[1] - 0.5 + (double)y) * sy;
                wide = pow(2 * v[2], 2) * (double)head->anchor_width;
                high = pow(2 * v[3], 2) * (double)head->anchor_height;
            } else if (head->coding == NNRT_BOX_EXPONENTIAL) {
                middle_x = (v[0] + (double)x) * sx, middle_y = (v[1] + (double)y) * sy;
                wide = exp(v[2]) * sx, high = exp(v[3]) * sy;
            } else {
                middle_x = v[0] * sx, middle_y = v[1] * sy, wide = v[2] * sx, high = v[3] * sy;
            }
            c.x0 = middle_x - wide / 2, c.x1 = middle_x + wide / 2;
            c.y0 = middle_y - high / 2, c.y1 = middle_y + high / 2;
        }
        if (head->object.data != NULL) {
            object = real_of(&head->object, 0, y, x);
            object = o->logits ? logistic(object) : object;
            if (!greater(object, (double)o->score_threshold, 1e-5)) continue;
        }
        for (uint32_t i = 0; i < head->classes.channels; i++) best = fmax(best, real_of(&head->classes, i, y, x));
        for (uint32_t i = 0; i < head->classes.channels; i++) {
            const double value = real_of(&head->classes, i, y, x);
            c.class_id = i;
            c.score = object * (o->logits ? logistic(value) : value);
            if (o->best_class && value != best) {
                if (best - value < 1e-5) undecided = true;
                continue;
            }
            if (greater(c.score, (double)o->score_threshold, 1e-5)) list[n++] = c;
            if (o->best_class) break;
        }
    }
    return suppress(list, n, o->pre_nms_count != 0 ? o->pre_nms_count : SIZE_MAX, (double)o->nms_threshold, 0.0,
                    o->class_agnostic, o->max_detections < most ? o->max_detections : most);
}

static void compare_keypoints(const network *s, const candidate *c, const nnrt_keypoint *got) {
    const size_t values = s->o.keypoint_values;
    size_t y, x;
    const nnrt_yolo_head *head = head_of(s, c->index, &y, &x);
    for (size_t k = 0; k < s->points; k++) {
        double px = real_of(&head->keypoints, k * values, y, x), py = real_of(&head->keypoints, k * values + 1, y, x);
        double score = values == 3 ? real_of(&head->keypoints, k * values + 2, y, x) : 1;
        if (!s->o.keypoints_decoded) {
            px = (2 * px + (double)x) * (double)head->stride_x, py = (2 * py + (double)y) * (double)head->stride_y;
            if (values == 3) score = logistic(score);
        }
        cr_assert(fabs((double)got[k].x - px) < 1e-3 && fabs((double)got[k].y - py) < 1e-3 &&
                      fabs((double)got[k].score - score) < 1e-5,
                  "seed %u: point %zu: %g, %g, %g, not %g, %g, %g", SEED, k, (double)got[k].x, (double)got[k].y,
                  (double)got[k].score, px, py, score);
    }
}

Test(heads, detections_of_every_coding_and_type_are_those_of_the_definition) {
    int tried[4] = {0}, found_some[4] = {0};
    for (int round = 0; round < 1200; round++) {
        static candidate all[HEADS * 20 * 4];
        const size_t capacity = 1 + noise() % 40;
        nnrt_detection *got = malloc(capacity * sizeof(*got));
        nnrt_keypoint *points;
        void *block, *scratch;
        size_t bytes, found, want;
        network s;
        draw_network(&s);
        points = s.points != 0 ? malloc(capacity * s.points * sizeof(*points)) : NULL;
        undecided = false;
        want = by_definition(&s, all, capacity);
        cr_assert_eq(nnrt_detect_heads_scratch(&s.o, s.heads, &bytes), OH_NN_SUCCESS, "%s", nnrt_last_error());
        scratch = scratch_of(bytes, &block);
        cr_assert_eq(nnrt_detect_heads(&s.o, s.heads, scratch, bytes, got, points, capacity, &found), OH_NN_SUCCESS,
                     "%s", nnrt_last_error());
        if (!undecided) {
            const int coding = (int)s.heads[0].coding;
            tried[coding]++;
            found_some[coding] += found > 1;
            equal_detections("heads", got, found, all, want);
            for (size_t i = 0; i < found && points != NULL; i++) compare_keypoints(&s, &all[i], points + i * s.points);
        }
        REFUSED(nnrt_detect_heads(&s.o, s.heads, scratch, bytes - 1, got, points, capacity, &found), "scratch has");
        free(block), free(got), free(points);
        free_network(&s);
    }
    for (int i = 0; i < 4; i++)
        cr_assert(tried[i] > 100 && found_some[i] > 50, "coding %d: only %d could be told apart, %d", i, tried[i],
                  found_some[i]);
}

/* --------------------------------------------------------------------------------------------------- by hand */

/* One cell, column 1 of row 0, of int8: real = value / 16. */
static int8_t cells[2 * 70];

static nnrt_yolo_head one_head(nnrt_box_coding coding, uint32_t box_channels, bool object, uint32_t classes,
                               uint32_t keypoint_channels) {
    const nnrt_layout layout =
        layout_of(NNRT_ORDER_NHWC, OH_NN_INT8, box_channels + object + classes + keypoint_channels, 1, 2);
    nnrt_yolo_head head;
    nnrt_map whole;
    memset(&head, 0, sizeof(head));
    cr_assert_eq(nnrt_map_of(&layout, cells, sizeof(cells), 1 / 16.0, 0, &whole), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_yolo_head_of(&whole, 0, box_channels, object, classes, keypoint_channels, &head), OH_NN_SUCCESS);
    head.coding = coding;
    head.stride_x = 8, head.stride_y = 16;
    head.anchor_width = 10, head.anchor_height = 20;
    return head;
}

static void finds(nnrt_heads_options *o, const nnrt_yolo_head *head, nnrt_detection want, const nnrt_keypoint *point) {
    nnrt_detection got;
    nnrt_keypoint got_point;
    uint8_t scratch[400];
    size_t found = 0;
    o->head_count = 1;
    o->max_detections = 4;
    o->score_threshold = 0.25f;
    o->nms_threshold = 0.5f;
    cr_assert_eq(
        nnrt_detect_heads(o, head, scratch, sizeof(scratch), &got, point != NULL ? &got_point : NULL, 1, &found),
        OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(found, 1);
    cr_assert(got.class_id == want.class_id && fabsf(got.score - want.score) < 1e-6f &&
                  fabsf(got.x0 - want.x0) < 1e-4f && fabsf(got.y0 - want.y0) < 1e-4f &&
                  fabsf(got.x1 - want.x1) < 1e-4f && fabsf(got.y1 - want.y1) < 1e-4f,
              "class %u, %f: %f, %f, %f, %f", got.class_id, (double)got.score, (double)got.x0, (double)got.y0,
              (double)got.x1, (double)got.y1);
    if (point != NULL)
        cr_assert(got_point.x == point->x && got_point.y == point->y && fabsf(got_point.score - point->score) < 1e-6f,
                  "%f, %f, %f", (double)got_point.x, (double)got_point.y, (double)got_point.score);
}

Test(heads, one_cell_of_every_network) {
    nnrt_heads_options o;
    nnrt_yolo_head head;
    int8_t *cell;
    memset(&o, 0, sizeof(o));
    { /* v8: bins 0..15; side 0 all at bin 2, side 1 half at 0 and 2, side 2 at 3, side 3 spread evenly: 7.5 */
        const nnrt_detection want = {1, 0.75f, (1.5f - 2) * 8, (0.5f - 1) * 16, (1.5f + 3) * 8, (0.5f + 7.5f) * 16};
        memset(cells, 0, sizeof(cells));
        cell = cells + 66;
        memset(cell, -128, 48);
        cell[2] = 127, cell[16] = cell[18] = 127, cell[32 + 3] = 127;
        cell[64] = 8, cell[65] = 12;
        head = one_head(NNRT_BOX_DISTANCES, 64, false, 2, 0);
        head.boxes.scale = 1; /* so that exp() of the others is nothing */
        o.best_class = true;
        finds(&o, &head, want, NULL);
    }
    { /* v6: distances as they are, and a keypoint of v8-pose: ((1 + 2 * 0.5) * 8, (0 - 2 * 1) * 16), logit 0 */
        const nnrt_detection want = {0, 1.0f, 4, -8, 28, 40};
        const nnrt_keypoint point = {16, -32, 0.5f};
        static const int8_t values[8] = {16, 16, 32, 32, 16, 8, -16, 0};
        memset(cells, 0, sizeof(cells));
        memcpy(cells + 8, values, 8);
        head = one_head(NNRT_BOX_DISTANCES, 4, false, 1, 3);
        o.keypoint_values = 3;
        finds(&o, &head, want, &point);
    }
    { /* v5, logits: sigmoid(0) = 1/2: the middle of the cell, the anchor as it is; 1/2 * sigmoid(1) */
        const nnrt_detection want = {0, 0.5f * 0.7310586f, 12 - 5, 8 - 10, 12 + 5, 8 + 10};
        memset(cells, -128, sizeof(cells));
        cell = cells + 6;
        memset(cell, 0, 6);
        cell[5] = 16;
        head = one_head(NNRT_BOX_ANCHOR, 4, true, 1, 0);
        o.logits = true;
        finds(&o, &head, want, NULL);
    }
    { /* v5 after its sigmoids, as Rockchip's model zoo has it: s = 1/4, 3/4, 1, 1/2 */
        const nnrt_detection want = {0, 0.75f, 8 - 20, 16 - 10, 8 + 20, 16 + 10};
        static const int8_t values[6] = {4, 12, 16, 8, 12, 16};
        memset(cells, 0, sizeof(cells));
        memcpy(cells + 6, values, 6);
        head = one_head(NNRT_BOX_ANCHOR, 4, true, 1, 0);
        o.logits = false;
        finds(&o, &head, want, NULL);
    }
    { /* YOLOX: centre (1 + 1/2) * 8, (0 + 1/4) * 16, sides exp(0) */
        const nnrt_detection want = {0, 0.5f, 12 - 4, 4 - 8, 12 + 4, 4 + 8};
        static const int8_t values[6] = {8, 4, 0, 0, 8, 16};
        memset(cells, 0, sizeof(cells));
        memcpy(cells + 6, values, 6);
        head = one_head(NNRT_BOX_EXPONENTIAL, 4, true, 1, 0);
        finds(&o, &head, want, NULL);
    }
    { /* a .tflite of v8: parts of an input of 320 x 160 */
        const nnrt_detection want = {0, 0.5f, 160 - 40, 40 - 20, 160 + 40, 40 + 20};
        static const int8_t values[5] = {8, 4, 4, 4, 8};
        memset(cells, 0, sizeof(cells));
        memcpy(cells + 5, values, 5);
        head = one_head(NNRT_BOX_DECODED, 4, false, 1, 0);
        head.stride_x = 320, head.stride_y = 160;
        finds(&o, &head, want, NULL);
    }
}

Test(heads, a_score_that_is_the_threshold_is_no_detection_and_the_next_integer_is) {
    nnrt_heads_options o;
    memset(&o, 0, sizeof(o));
    o.head_count = 1, o.max_detections = 9, o.nms_threshold = 1;
    for (int t = 0; t < 5; t++) {
        for (int logits = 0; logits < 2; logits++) {
            for (int value = -100; value < 100; value += 7) {
                const OH_NN_DataType type = types[t];
                float data[2][10];
                uint8_t scratch[200];
                nnrt_detection got[2];
                nnrt_layout layout = layout_of(NNRT_ORDER_NCHW, type, 5, 1, 2);
                nnrt_yolo_head head;
                nnrt_map whole;
                size_t found = 9;
                const int32_t zero_point = type == OH_NN_UINT8 ? 110 : 0;
                double unused;
                memset(data, 0, sizeof(data));
                memset(&head, 0, sizeof(head));
                for (int i = 0; i < 2; i++) {
                    const int now = value + i;
                    if (type == OH_NN_FLOAT32) data[0][8 + i] = (float)now / 32;
                    else if (type == OH_NN_FLOAT16) ((uint16_t *)data)[8 + i] = half_of(now / 32.0, &unused);
                    else if (type == OH_NN_INT16) ((int16_t *)data)[8 + i] = (int16_t)now;
                    else ((uint8_t *)data)[8 + i] = (uint8_t)(now + zero_point);
                }
                cr_assert_eq(nnrt_map_of(&layout, data, sizeof(data), 1 / 32.0, zero_point, &whole), OH_NN_SUCCESS);
                cr_assert_eq(nnrt_yolo_head_of(&whole, 0, 4, false, 1, 0, &head), OH_NN_SUCCESS);
                head.coding = NNRT_BOX_DECODED;
                head.stride_x = head.stride_y = 1;
                o.logits = logits != 0;
                o.score_threshold = logits ? 1.0f / (1.0f + expf(-(float)value / 32)) : (float)value / 32;
                cr_assert_eq(nnrt_detect_heads(&o, &head, scratch, sizeof(scratch), got, NULL, 2, &found),
                             OH_NN_SUCCESS, "%s", nnrt_last_error());
                cr_assert(found == 1 && got[0].score > o.score_threshold, "type %d, %d: %zu", (int)type, value, found);
            }
        }
    }
}

Test(heads, a_likely_cell_is_found_wherever_it_is) {
    for (int t = 0; t < 2; t++) {
        for (uint32_t width = 1; width <= 100; width += width < 40 ? 1 : 9) {
            nnrt_layout layout = layout_of(NNRT_ORDER_NCHW, types[t], 6, 1, width);
            uint8_t *data = calloc(6, width);
            nnrt_heads_options o;
            nnrt_yolo_head head;
            nnrt_map whole;
            memset(&o, 0, sizeof(o));
            memset(&head, 0, sizeof(head));
            o.head_count = 1, o.max_detections = 9, o.nms_threshold = 1, o.score_threshold = 0.5f;
            cr_assert_eq(nnrt_map_of(&layout, data, 6 * width, 1 / 64.0, t == 0 ? -128 : 0, &whole), OH_NN_SUCCESS);
            cr_assert_eq(nnrt_yolo_head_of(&whole, 0, 4, false, 2, 0, &head), OH_NN_SUCCESS);
            head.coding = NNRT_BOX_DECODED;
            head.stride_x = head.stride_y = 1;
            memset(data, t == 0 ? -128 : 0, 6 * width);
            for (uint32_t at = 0; at < width; at++) { /* real: 33 and 34 / 64 */
                nnrt_detection got[3];
                uint8_t scratch[200 * 40];
                size_t found = 9;
                data[4 * width + at] = (uint8_t)(33 + (t == 0 ? -128 : 0));
                data[5 * width + width - 1 - at] = (uint8_t)(34 + (t == 0 ? -128 : 0));
                data[at] = data[4 * width + at];
                cr_assert_eq(nnrt_detect_heads(&o, &head, scratch, sizeof(scratch), got, NULL, 3, &found),
                             OH_NN_SUCCESS, "%s", nnrt_last_error());
                cr_assert(found == 2 && got[0].class_id == 1 && got[1].class_id == 0, "%u of %u: %zu", at, width,
                          found);
                cr_assert_eq(got[1].x0, 33.0f / 64, "%u of %u is another cell", at, width);
                data[at] = data[4 * width + at] = data[5 * width + width - 1 - at] = t == 0 ? 0x80 : 0;
            }
            free(data);
        }
    }
}

Test(heads, numbers_that_are_none_are_no_detections) {
    static const float values[5][5] = {
        {1, 1, 1, 1, NAN}, {NAN, 1, 1, 1, 1}, {1, 1, INFINITY, 1, 1}, {1, 1, 1, 1, 0.9f}, {1, 1, 1, 1, 0}};
    for (int object = 0; object < 2; object++) {
        const nnrt_layout layout = layout_of(NNRT_ORDER_NHWC, OH_NN_FLOAT32, 5, 1, 5);
        nnrt_heads_options o;
        nnrt_yolo_head head;
        nnrt_detection got[5];
        uint8_t scratch[400];
        nnrt_map whole;
        size_t found = 9;
        memset(&o, 0, sizeof(o));
        memset(&head, 0, sizeof(head));
        o.head_count = 1, o.max_detections = 9, o.best_class = true;
        cr_assert_eq(nnrt_map_of(&layout, values, sizeof(values), 0, 0, &whole), OH_NN_SUCCESS);
        cr_assert_eq(nnrt_yolo_head_of(&whole, 0, 4, false, 1, 0, &head), OH_NN_SUCCESS);
        if (object) head.object = head.classes;
        head.coding = NNRT_BOX_DECODED;
        head.stride_x = head.stride_y = 1;
        cr_assert_eq(nnrt_detect_heads(&o, &head, scratch, sizeof(scratch), got, NULL, 5, &found), OH_NN_SUCCESS);
        cr_assert(found == 1 && got[0].score > 0.8f && got[0].x0 == 0.5f);
    }
}

Test(heads, options_and_parts_that_do_not_fit_are_refused) {
    nnrt_detection got[2];
    uint8_t scratch[1 << 12];
    size_t found = 0, bytes;
    network s, was;
    do {
        draw_network(&s);
        if (s.heads[0].object.data != NULL && s.points != 0 && s.o.head_count == 2 &&
            s.heads[0].coding == NNRT_BOX_ANCHOR && s.o.keypoint_values == 3 && s.heads[1].classes.channels > 1 &&
            s.heads[1].classes.type == OH_NN_INT8)
            break;
        free_network(&s);
    } while (true);
    was = s;
    cr_assert_eq(nnrt_detect_heads(&s.o, s.heads, scratch, sizeof(scratch), got, NULL, 2, &found), OH_NN_SUCCESS);
#define CALL nnrt_detect_heads(&s.o, s.heads, scratch, sizeof(scratch), got, NULL, 2, &found)
#define WITH(field, value, words)                                         \
    do {                                                                  \
        s.field = value;                                                  \
        REFUSED(CALL, words);                                             \
        REFUSED(nnrt_detect_heads_scratch(&s.o, s.heads, &bytes), words); \
        s = was;                                                          \
    } while (0)
    WITH(o.head_count, 0, "0 heads");
    WITH(o.head_count, 65, "65 heads");
    WITH(o.max_detections, 0, "0 detections");
    WITH(o.score_threshold, NAN, "score_threshold");
    WITH(o.nms_threshold, 1.5f, "nms_threshold");
    WITH(o.keypoint_values, 4, "points of 4 values");
    WITH(o.keypoint_values, 0, "points of 0 values");
    WITH(heads[0].coding, (nnrt_box_coding)4, "head 0: there is no coding 4");
    WITH(heads[1].stride_x, 0, "head 1: stride_x");
    WITH(heads[1].stride_y, INFINITY, "stride_y");
    WITH(heads[1].anchor_width, 0, "anchor");
    WITH(heads[1].boxes.channels, 3, "boxes: 3 channels");
    WITH(heads[1].boxes.data, NULL, "boxes: no data");
    WITH(heads[1].boxes.type, OH_NN_INT32, "boxes: int32");
    WITH(heads[1].boxes.size, 1, "reach past the 1");
    WITH(heads[1].classes.data, NULL, "classes: no data");
    WITH(heads[1].classes.channel_stride, SIZE_MAX, "classes");
    WITH(heads[1].classes.scale, -1, "classes");
    WITH(heads[1].object.channels, 2, "object: ");
    WITH(heads[1].object.width, s.heads[1].object.width + 1, "object");
    WITH(heads[1].keypoints.height, 0, "keypoints");
    WITH(heads[1].keypoints.channels, 5, "keypoints: 5 channels");
    WITH(heads[1].keypoints.data, NULL, "head 1 has other numbers");
    REFUSED(nnrt_detect_heads(NULL, s.heads, scratch, sizeof(scratch), got, NULL, 2, &found), "options is NULL");
    REFUSED(nnrt_detect_heads(&s.o, NULL, scratch, sizeof(scratch), got, NULL, 2, &found), "heads is NULL");
    REFUSED(nnrt_detect_heads(&s.o, s.heads, NULL, sizeof(scratch), got, NULL, 2, &found), "scratch is NULL");
    REFUSED(nnrt_detect_heads(&s.o, s.heads, scratch, sizeof(scratch), NULL, NULL, 2, &found), "detections");
    REFUSED(nnrt_detect_heads(&s.o, s.heads, scratch, sizeof(scratch), got, NULL, 2, NULL), "count");
    REFUSED(nnrt_detect_heads_scratch(&s.o, s.heads, NULL), "bytes is NULL");
    REFUSED(nnrt_yolo_head_of(&s.heads[0].boxes, 0, 4, true, 1, 0, &s.heads[1]), "from 4 on of a map of 4");
    REFUSED(nnrt_yolo_head_of(&s.heads[0].boxes, 0, 0, false, 1, 0, &s.heads[1]), "0 channels");
    REFUSED(nnrt_yolo_head_of(&s.heads[0].boxes, 0, 4, false, 0, 0, &s.heads[1]), "0 channels");
    REFUSED(nnrt_yolo_head_of(&s.heads[0].boxes, 0, 4, false, 1, 0, NULL), "head is NULL");
    free_network(&was);
}
