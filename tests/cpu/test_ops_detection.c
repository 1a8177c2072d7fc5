/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_detection.c - DETECTION_POST_PROCESS through the API, against the definition written out with the slowest
   means: every choice looks at everything that is left. And a scene whose answer is worked out by hand. */
#include "linked.h"

#include <math.h>

#define SEED 20260915u

#include "one_operator.h"

enum {
    BOXES = 40,
    CLASSES = 6,
    MOST = 60
};

typedef struct scene {
    int32_t boxes, columns, classes, most, each, of_class;
    bool regular;
    float overlap, score, scale[4];
    float encodings[BOXES * 4], scores[BOXES * CLASSES], anchors[BOXES * 4];
} scene;

typedef struct answer {
    float boxes[MOST * 4], classes[MOST], scores[MOST], count;
} answer;

/* ----------------------------------------------------------------------------------------------- the definition */

typedef struct corner {
    float ymin, xmin, ymax, xmax;
} corner;

static corner corner_of(const scene *s, int32_t i) {
    const float *e = s->encodings + 4 * i, *a = s->anchors + 4 * i;
    const float y = (float)((double)e[0] / (double)s->scale[0] * (double)a[2] + (double)a[0]);
    const float x = (float)((double)e[1] / (double)s->scale[1] * (double)a[3] + (double)a[1]);
    const float h = (float)(exp((double)e[2] / (double)s->scale[2]) * (double)a[2] / 2);
    const float w = (float)(exp((double)e[3] / (double)s->scale[3]) * (double)a[3] / 2);
    corner c;
    c.ymin = y - h, c.xmin = x - w, c.ymax = y + h, c.xmax = x + w;
    return c;
}

static float shared_part(corner a, corner b) {
    const float area_a = (a.ymax - a.ymin) * (a.xmax - a.xmin), area_b = (b.ymax - b.ymin) * (b.xmax - b.xmin);
    const float h = fminf(a.ymax, b.ymax) - fmaxf(a.ymin, b.ymin), w = fminf(a.xmax, b.xmax) - fmaxf(a.xmin, b.xmin);
    const float both = fmaxf(h, 0) * fmaxf(w, 0);
    return area_a <= 0 || area_b <= 0 ? 0 : both / (area_a + area_b - both);
}

/* Boxes with these scores that stay, best first; how many. */
static int32_t suppressed(const scene *s, const float *scores, int32_t most, int32_t *kept) {
    bool gone[BOXES] = {false};
    int32_t count = 0, i;
    while (count < most) {
        int32_t best = -1;
        for (i = 0; i < s->boxes; i++)
            if (!gone[i] && scores[i] >= s->score && (best < 0 || scores[i] > scores[best])) best = i;
        if (best < 0) break;
        gone[best] = true;
        kept[count++] = best;
        for (i = 0; i < s->boxes; i++)
            if (shared_part(corner_of(s, best), corner_of(s, i)) > s->overlap) gone[i] = true;
    }
    return count;
}

static float score_of(const scene *s, int32_t box, int32_t class_index) {
    return s->scores[box * s->columns + s->columns - s->classes + class_index];
}

static void tell(answer *to, int32_t row, corner c, int32_t class_index, float score) {
    to->boxes[4 * row] = c.ymin, to->boxes[4 * row + 1] = c.xmin;
    to->boxes[4 * row + 2] = c.ymax, to->boxes[4 * row + 3] = c.xmax;
    to->classes[row] = (float)class_index, to->scores[row] = score;
}

static void define(const scene *s, answer *to) {
    int32_t kept[BOXES], count, i, k, c, rows = 0;
    float scores[BOXES];
    memset(to, 0, sizeof *to);
    if (s->regular) {
        struct {
            int32_t box, class_index;
            float score;
            bool told;
        } all[BOXES * CLASSES];
        int32_t found = 0;
        for (c = 0; c < s->classes; c++) {
            for (i = 0; i < s->boxes; i++) scores[i] = score_of(s, i, c);
            count = suppressed(s, scores, s->of_class, kept);
            for (i = 0; i < count; i++, found++) {
                all[found].box = kept[i], all[found].class_index = c;
                all[found].score = scores[kept[i]], all[found].told = false;
            }
        }
        for (; rows < s->most; rows++) {
            int32_t best = -1;
            for (i = 0; i < found; i++)
                if (!all[i].told && (best < 0 || all[i].score > all[best].score)) best = i;
            if (best < 0) break;
            all[best].told = true;
            tell(to, rows, corner_of(s, all[best].box), all[best].class_index, all[best].score);
        }
    } else {
        for (i = 0; i < s->boxes; i++)
            for (scores[i] = score_of(s, i, 0), c = 1; c < s->classes; c++)
                scores[i] = fmaxf(scores[i], score_of(s, i, c));
        count = suppressed(s, scores, s->most, kept);
        for (i = 0; i < count; i++) {
            bool told[CLASSES] = {false};
            for (k = 0; k < s->each && k < s->classes; k++) {
                int32_t best = -1;
                for (c = 0; c < s->classes; c++)
                    if (!told[c] && (best < 0 || score_of(s, kept[i], c) > score_of(s, kept[i], best))) best = c;
                told[best] = true;
                tell(to, rows++, corner_of(s, kept[i]), best, score_of(s, kept[i], best));
            }
        }
    }
    to->count = (float)rows;
}

/* -------------------------------------------------------------------------------------------------- the operator */

static void give(model *m, const scene *s) {
    gb_param(&m->g, OH_NN_DETECTION_POST_PROCESS_SCALE, OH_NN_FLOAT32, 4, s->scale);
    gb_param_f32(&m->g, OH_NN_DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD, s->overlap);
    gb_param_f32(&m->g, OH_NN_DETECTION_POST_PROCESS_NMS_SCORE_THRESHOLD, s->score);
    gb_param_i64(&m->g, OH_NN_DETECTION_POST_PROCESS_MAX_DETECTIONS, s->most);
    gb_param_i64(&m->g, OH_NN_DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS, s->of_class);
    gb_param_i64(&m->g, OH_NN_DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION, s->each);
    gb_param_i64(&m->g, OH_NN_DETECTION_POST_PROCESS_NUM_CLASSES, s->classes);
    gb_param_bool(&m->g, OH_NN_DETECTION_POST_PROCESS_USE_REGULAR_NMS, s->regular);
    gb_param_bool(&m->g, OH_NN_DETECTION_POST_PROCESS_OUT_QUANTIZED, true);
    gb_param_i64(&m->g, OH_NN_DETECTION_POST_PROCESS_INPUT_SIZE, 300);
}

/* bytes: the type of the inputs, whose numbers are then eighths; FLOAT32: as they are. */
static void detect(const scene *s, OH_NN_DataType type, answer *to) {
    const int32_t encodings[3] = {1, s->boxes, 4}, scores[3] = {1, s->boxes, s->columns}, anchors[2] = {s->boxes, 4};
    const int32_t rows = s->most * s->each, out[3] = {1, rows, 4}, one = 1;
    const float *from[3];
    tensor in[3], outs[4];
    int32_t zero = type == OH_NN_UINT8 ? 100 : -20;
    size_t i, k;
    model m;
    from[0] = s->encodings, from[1] = s->scores, from[2] = s->anchors;
    in[0] = make(type, 3, encodings), in[1] = make(type, 3, scores), in[2] = make(type, 2, anchors);
    outs[0] = make(OH_NN_FLOAT32, 3, out), outs[1] = make(OH_NN_FLOAT32, 2, out), outs[2] = make(OH_NN_FLOAT32, 2, out);
    outs[3] = make1(OH_NN_FLOAT32, one);
    start(&m);
    for (i = 0; i < 3; i++) {
        for (k = 0; k < in[i].count; k++) {
            if (type == OH_NN_FLOAT32) memcpy(in[i].data + 4 * k, from[i] + k, 4);
            else in[i].data[k] = (uint8_t)(int)lroundf(from[i][k] * 8 + (float)zero);
        }
        if (i == 2 && noise() % 2 != 0) {
            m.ins[m.in_count++] = gb_constant(&m.g, in[i].dtype, in[i].rank, in[i].dims, in[i].data);
        } else {
            feed(&m, &in[i]);
        }
        if (type != OH_NN_FLOAT32) quantized(&m, true, 0.125, zero);
    }
    give(&m, s);
    for (i = 0; i < 4; i++) expect(&m, &outs[i]);
    finish(&m, OH_NN_OPS_DETECTION_POST_PROCESS);
    memset(to, 0, sizeof *to);
    memcpy(to->boxes, outs[0].data, 16 * (size_t)rows), memcpy(to->classes, outs[1].data, 4 * (size_t)rows);
    memcpy(to->scores, outs[2].data, 4 * (size_t)rows), memcpy(&to->count, outs[3].data, 4);
    for (i = 0; i < 3; i++) drop(&in[i]);
    for (i = 0; i < 4; i++) drop(&outs[i]);
}

/* Six anchors of size 1: three about (0.5, 0.5), two about (0.5, 10.5), one at (0.5, 100.5); a tenth apart. */
static scene by_hand(void) {
    static const float encodings[24] = {0, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    static const float scores[18] = {0, 0.9f,  0.8f,  0, 0.75f, 0.72f, 0, 0.6f, 0.5f,
                                     0, 0.93f, 0.95f, 0, 0.5f,  0.4f,  0, 0.3f, 0.2f};
    scene s;
    int32_t i;
    memset(&s, 0, sizeof s);
    s.boxes = 6, s.columns = 3, s.classes = 2, s.most = 3, s.each = 1, s.of_class = 100, s.overlap = 0.5f;
    s.scale[0] = s.scale[1] = 10, s.scale[2] = s.scale[3] = 5;
    memcpy(s.encodings, encodings, sizeof encodings), memcpy(s.scores, scores, sizeof scores);
    for (i = 0; i < 6; i++) {
        s.anchors[4 * i] = 0.5f, s.anchors[4 * i + 1] = i < 3 ? 0.5f : i < 5 ? 10.5f : 100.5f;
        s.anchors[4 * i + 2] = s.anchors[4 * i + 3] = 1;
    }
    return s;
}

Test(detection, a_scene_by_hand_fast_and_class_by_class) {
    static const float fast_boxes[12] = {0, 10, 1, 11, 0, 0, 1, 1, 0, 100, 1, 101}, fast_classes[3] = {1, 0, 0};
    static const float fast_scores[3] = {0.95f, 0.9f, 0.3f}, regular_scores[3] = {0.95f, 0.93f, 0.9f};
    static const float regular_boxes[12] = {0, 10, 1, 11, 0, 10, 1, 11, 0, 0, 1, 1}, regular_classes[3] = {1, 0, 0};
    static const float both_classes[6] = {1, 0, 0, 1, 0, 1}, both_scores[6] = {0.95f, 0.93f, 0.9f, 0.8f, 0.3f, 0.2f};
    scene s = by_hand();
    answer got;
    detect(&s, OH_NN_FLOAT32, &got);
    cr_assert_eq(memcmp(got.boxes, fast_boxes, sizeof fast_boxes), 0);
    cr_assert_eq(memcmp(got.classes, fast_classes, sizeof fast_classes), 0);
    cr_assert_eq(memcmp(got.scores, fast_scores, sizeof fast_scores), 0);
    cr_assert(got.count >= 3 && got.count <= 3);
    s.regular = true;
    detect(&s, OH_NN_FLOAT32, &got);
    cr_assert_eq(memcmp(got.boxes, regular_boxes, sizeof regular_boxes), 0);
    cr_assert_eq(memcmp(got.classes, regular_classes, sizeof regular_classes), 0);
    cr_assert_eq(memcmp(got.scores, regular_scores, sizeof regular_scores), 0);
    s.regular = false, s.each = 4; /* of two classes: rows follow each other, and the last six stay 0 */
    detect(&s, OH_NN_FLOAT32, &got);
    cr_assert_eq(memcmp(got.classes, both_classes, sizeof both_classes), 0);
    cr_assert_eq(memcmp(got.scores, both_scores, sizeof both_scores), 0);
    cr_assert(got.count >= 6 && got.count <= 6 && got.boxes[24] >= 0 && got.boxes[24] <= 0);
    s.score = 0.92f;
    detect(&s, OH_NN_FLOAT32, &got);
    cr_assert(got.count >= 2 && got.count <= 2 && got.scores[2] <= 0);
    s.score = 2; /* nothing at all */
    detect(&s, OH_NN_FLOAT32, &got);
    cr_assert(got.count >= 0 && got.count <= 0 && got.scores[0] <= 0);
}

/* As the nodes of .tflite files have it: a detection has as many rows as it may have classes, and detections count. */
Test(detection, tensorflow_lite_counts_detections_and_leaves_rows_free) {
    const scene s = by_hand();
    const uint32_t kept[2] = {3, 0};
    nnrt__rect boxes[6];
    float rows[8 * 6] = {0};
    nnrt__detect_nms nms;
    nnrt__detect_args args;
    nnrt__detect_out out;
    memset(&args, 0, sizeof args), memset(&nms, 0, sizeof nms), memset(boxes, 0, sizeof boxes);
    args.boxes = 6, args.columns = 3, args.classes = 2, args.classes_each = 4, args.counts_boxes = 1, args.most = 2;
    nms.kept = (uint32_t *)(uintptr_t)kept, nms.left = 2;
    out.boxes = rows, out.classes = rows + 32, out.scores = rows + 40;
    cr_assert_eq(nnrt__detect_tell_boxes(&args, s.scores, boxes, &nms, &out), 2u);
    cr_assert_eq(memcmp(out.scores, (const float[8]){0.95f, 0.93f, 0, 0, 0.9f, 0.8f, 0, 0}, 32), 0);
    cr_assert_eq(memcmp(out.classes, (const float[8]){1, 0, 0, 0, 0, 1, 0, 0}, 32), 0);
}

Test(detection, scenes_of_any_kind_are_what_the_definition_says) {
    static const OH_NN_DataType types[3] = {OH_NN_FLOAT32, OH_NN_UINT8, OH_NN_INT8};
    int round;
    for (round = 0; round < 150; round++) {
        const OH_NN_DataType type = types[noise() % 3];
        answer got, want;
        int32_t i;
        scene s;
        memset(&s, 0, sizeof s);
        s.boxes = noise_in(1, BOXES), s.classes = noise_in(1, CLASSES - 1), s.columns = s.classes + noise_in(0, 1);
        s.regular = noise() % 2 != 0, s.most = noise_in(1, 15), s.each = noise_in(1, 4), s.of_class = noise_in(1, 9);
        s.overlap = (float)noise_in(0, 10) / 10.0f, s.score = (float)noise_in(-2, 8) / 8.0f;
        for (i = 0; i < 4; i++) s.scale[i] = (float)noise_in(1, 10);
        /* few values: ties, boxes on boxes; eighths, which bytes hold exactly */
        for (i = 0; i < 4 * s.boxes; i++) s.encodings[i] = (float)noise_in(-8, 8) / 8.0f;
        for (i = 0; i < 4 * s.boxes; i++) s.anchors[i] = (float)noise_in(i % 4 < 2 ? -16 : 0, 16) / 8.0f;
        for (i = 0; i < s.boxes * s.columns; i++) s.scores[i] = (float)noise_in(-1, 9) / 8.0f;
        detect(&s, type, &got), define(&s, &want);
        cr_assert_eq(memcmp(&got.count, &want.count, 4), 0, "round %d: %g, not %g", round, (double)got.count,
                     (double)want.count);
        cr_assert_eq(memcmp(got.classes, want.classes, sizeof want.classes), 0, "round %d", round);
        cr_assert_eq(memcmp(got.scores, want.scores, sizeof want.scores), 0, "round %d", round);
        for (i = 0; i < 4 * MOST; i++)
            cr_assert_float_eq((double)got.boxes[i], (double)want.boxes[i], 1e-6 * fabs((double)want.boxes[i]) + 1e-30,
                               "round %d, number %d", round, (int)i);
    }
}

Test(detection, a_score_that_is_no_number_is_never_told) {
    scene s = by_hand();
    answer got;
    int32_t i, way;
    for (way = 0; way < 2; way++) {
        s.regular = way != 0;
        for (i = 0; i < 18; i++) s.scores[i] = NAN;
        detect(&s, OH_NN_FLOAT32, &got);
        cr_assert(got.count <= 0);
        for (i = 0; i < 24; i++) s.encodings[i] = NAN; /* boxes that are none overlap nothing */
        for (i = 0; i < 18; i++) s.scores[i] = 0.5f;
        detect(&s, OH_NN_FLOAT32, &got);
        cr_assert(got.count >= 3 && got.count <= 3);
        s = by_hand();
    }
}

Test(detection, parameters_and_shapes_that_make_no_sense_are_refused) {
    static const int32_t shapes[][10] = {/* boxes, scores, anchors */
                                         {1, 6, 4, 1, 6, 3, 6, 4}, {2, 3, 4, 1, 3, 3, 3, 4}, {1, 6, 3, 1, 6, 3, 6, 4},
                                         {1, 6, 4, 2, 3, 3, 6, 4}, {1, 6, 4, 1, 5, 3, 6, 4}, {1, 6, 4, 1, 6, 3, 5, 4},
                                         {1, 6, 4, 1, 6, 3, 6, 5}};
    static const char *const of_shapes[] = {NULL,
                                            "boxes are not",
                                            "boxes are not",
                                            "scores are not",
                                            "scores are not",
                                            "anchors are not",
                                            "anchors are not"};
    static const char *const of_numbers[] = {"scale is not positive",
                                             "number of detections is below 1",
                                             "classes of a detection is below 1",
                                             "number of classes is below 1",
                                             "number of classes is below 1, or the scores",
                                             "detections of a class is below 1",
                                             "threshold is not a number",
                                             "threshold is not a number",
                                             "scale is not four numbers",
                                             "the result is",
                                             "must be float32",
                                             "it takes float32, or int8"};
    size_t round, i;
    for (round = 1; round < sizeof of_shapes / sizeof of_shapes[0] + sizeof of_numbers / sizeof of_numbers[0];
         round++) {
        const bool shape_round = round < sizeof of_shapes / sizeof of_shapes[0];
        const size_t wrong = shape_round ? 99 : round - sizeof of_shapes / sizeof of_shapes[0];
        const int32_t *dims = shapes[shape_round ? round : 0], rows[3] = {1, 3, 4}, one = 1;
        scene s = by_hand();
        tensor t[7];
        model m;
        t[0] = make(wrong == 11 ? OH_NN_INT32 : OH_NN_FLOAT32, 3, dims), t[1] = make(OH_NN_FLOAT32, 3, dims + 3);
        t[2] = make(OH_NN_FLOAT32, 2, dims + 6), t[3] = make(OH_NN_FLOAT32, 3, rows);
        t[4] = make(wrong == 10 ? OH_NN_INT32 : OH_NN_FLOAT32, 2, rows), t[5] = make(OH_NN_FLOAT32, 2, rows);
        t[6] = make1(OH_NN_FLOAT32, one);
        if (wrong == 0) s.scale[2] = 0;
        if (wrong == 1) s.most = 0;
        if (wrong == 2) s.each = 0;
        if (wrong == 3) s.classes = 0;
        if (wrong == 4) s.classes = 4;
        if (wrong == 5) s.of_class = 0, s.regular = true;
        if (wrong == 6) s.score = NAN;
        if (wrong == 7) s.overlap = NAN;
        if (wrong == 9) s.most = 1 << 30;
        start(&m);
        for (i = 0; i < 3; i++) feed(&m, &t[i]);
        for (i = 3; i < 7; i++) {
            if (wrong == 9) m.outs[m.out_count++] = gb_output(&m.g, gb_tensor(&m.g, OH_NN_FLOAT32, 0, NULL));
            else expect(&m, &t[i]);
        }
        if (wrong != 8) give(&m, &s);
        refused(&m, OH_NN_OPS_DETECTION_POST_PROCESS, shape_round ? of_shapes[round] : of_numbers[wrong]);
        for (i = 0; i < 7; i++) drop(&t[i]);
    }
}
