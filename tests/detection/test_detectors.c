/* SPDX-License-Identifier: Apache-2.0 */
/* test_detectors.c - prior boxes and detections of SSD are those of Caffe, detections of YOLO those of darknet: against
   references in double that are written another way, and whatever the maps hold. */
#include "linked.h"

#include <criterion/criterion.h>

#include <float.h>

#define SEED 20261123u
#include "noise.h"

#include "detection/maps.h"

#define REFUSED(call, words)                                                                      \
    do {                                                                                          \
        cr_assert_eq((call), OH_NN_INVALID_PARAMETER, #call);                                     \
        cr_assert_not_null(strstr(nnrt_last_error(), words), "%s: %s", #call, nnrt_last_error()); \
    } while (0)

/* ---------------------------------------------------------------------------------------------- prior boxes */

/* The prior boxes of one cell as sides in pixels, in Caffe's order; how many. */
static size_t prior_sides(const nnrt_prior_options *o, double sides[][2]) {
    double ratios[40];
    size_t ratio_count = 0, count = 0;
    for (uint32_t i = 0; i < o->ratio_count; i++) {
        const double ratio = (double)o->aspect_ratios[i];
        bool there = fabs(ratio - 1.0) < 1e-6;
        for (size_t k = 0; k < ratio_count; k++) there |= fabs(ratio - ratios[k]) < 1e-6;
        if (!there) ratios[ratio_count++] = ratio;
        if (!there && o->flip) ratios[ratio_count++] = 1.0 / ratio;
    }
    for (uint32_t s = 0; s < o->size_count; s++) {
        const double small = (double)o->min_sizes[s];
        sides[count][0] = sides[count][1] = small, count++;
        if (o->max_sizes != NULL) {
            sides[count][0] = sides[count][1] = sqrt(small * (double)o->max_sizes[s]), count++;
        }
        for (size_t k = 0; k < ratio_count; k++) {
            sides[count][0] = small * sqrt(ratios[k]), sides[count][1] = small / sqrt(ratios[k]), count++;
        }
    }
    return count;
}

/* Prior box (x, y) with these sides in 0..1. */
static void prior_corners(const nnrt_prior_options *o, const double image[2], const uint32_t cells[2], uint32_t x,
                          uint32_t y, const double sides[2], double corners[4]) {
    const uint32_t at[2] = {x, y};
    const double steps[2] = {(double)o->step_x, (double)o->step_y};
    for (int k = 0; k < 2; k++) {
        const double step = steps[k] != 0.0 ? steps[k] : image[k] / cells[k];
        const double centre = (at[k] + (double)o->offset) * step;
        corners[k] = (centre - sides[k] / 2) / image[k];
        corners[k + 2] = (centre + sides[k] / 2) / image[k];
    }
    for (int k = 0; o->clip && k < 4; k++) corners[k] = fmin(fmax(corners[k], 0.0), 1.0);
}

/* Options that stay within arrays of their own. */
typedef struct priors {
    float small[2], large[2], ratios[4];
    nnrt_prior_options o;
} priors;

static void draw_priors(priors *p) {
    const float ratios[4] = {2, 1, 0.5f, 3};
    memset(p, 0, sizeof(*p));
    for (int i = 0; i < 2; i++) {
        p->small[i] = (float)noise_in(8, 30);
        p->large[i] = p->small[i] + (float)noise_in(1, 40);
    }
    memcpy(p->ratios, ratios, sizeof(ratios));
    p->o.min_sizes = p->small;
    p->o.max_sizes = noise() % 2 != 0 ? p->large : NULL;
    p->o.size_count = 1 + noise() % 2;
    p->o.ratio_count = noise() % 5;
    p->o.aspect_ratios = p->o.ratio_count != 0 ? p->ratios : NULL;
    p->o.flip = noise() % 2 != 0;
    p->o.clip = noise() % 2 != 0;
    if (noise() % 2 != 0) p->o.step_x = (float)noise_in(8, 20), p->o.step_y = (float)noise_in(8, 20);
    p->o.offset = 0.5f;
}

Test(ssd, prior_boxes_are_caffes_in_caffes_order) {
    for (int round = 0; round < 100; round++) {
        const double image[2] = {(double)noise_in(50, 120), (double)noise_in(50, 120)};
        const uint32_t cells[2] = {1 + noise() % 5, 1 + noise() % 5};
        double sides[20][2], corners[4];
        priors p;
        size_t count = 0, again = 0, per_cell, at = 0;
        float *boxes;
        draw_priors(&p);
        per_cell = prior_sides(&p.o, sides);
        cr_assert_eq(nnrt_detection_priors(&p.o, (float)image[0], (float)image[1], cells[0], cells[1], NULL, 0, &count),
                     OH_NN_SUCCESS);
        cr_assert_eq(count, per_cell * cells[0] * cells[1], "%zu", count);
        boxes = malloc(count * 16);
        cr_assert_eq(
            nnrt_detection_priors(&p.o, (float)image[0], (float)image[1], cells[0], cells[1], boxes, count, &again),
            OH_NN_SUCCESS);
        cr_assert_eq(again, count);
        for (uint32_t y = 0; y < cells[1]; y++) {
            for (uint32_t x = 0; x < cells[0]; x++) {
                for (size_t k = 0; k < per_cell; k++) {
                    prior_corners(&p.o, image, cells, x, y, sides[k], corners);
                    for (int i = 0; i < 4; i++, at++) {
                        cr_assert(fabs((double)boxes[at] - corners[i]) < 1e-5, "round %d, float %zu", round, at);
                    }
                }
            }
        }
        REFUSED(
            nnrt_detection_priors(&p.o, (float)image[0], (float)image[1], cells[0], cells[1], boxes, count - 1, &again),
            "there is room for");
        free(boxes);
    }
}

/* SSD300 as its authors trained it for VOC. */
static const float ssd300_small[] = {30, 60, 111, 162, 213, 264}, ssd300_large[] = {60, 111, 162, 213, 264, 315};
static const float ssd300_steps[] = {8, 16, 32, 64, 100, 300}, ssd300_ratios[] = {2, 3};
static const uint32_t ssd300_maps[] = {38, 19, 10, 5, 3, 1}, ssd300_ratio_counts[] = {1, 2, 2, 2, 1, 1};

static void ssd300_priors(nnrt_prior_options maps[6]) {
    memset(maps, 0, 6 * sizeof(*maps));
    for (int i = 0; i < 6; i++) {
        maps[i].min_sizes = &ssd300_small[i], maps[i].max_sizes = &ssd300_large[i], maps[i].size_count = 1;
        maps[i].aspect_ratios = ssd300_ratios, maps[i].ratio_count = ssd300_ratio_counts[i];
        maps[i].flip = true;
        maps[i].step_x = maps[i].step_y = ssd300_steps[i];
        maps[i].offset = 0.5f;
    }
}

Test(ssd, ssd300_has_its_8732_prior_boxes) {
    /* of the first cell, in pixels: squares of 30 and sqrt(30 * 60), then 2:1 and 1:2, about (4, 4) */
    static const float want[4][4] = {{-11, -11, 19, 19},
                                     {-17.2132034f, -17.2132034f, 25.2132034f, 25.2132034f},
                                     {-17.2132034f, -6.60660172f, 25.2132034f, 14.6066017f},
                                     {-6.60660172f, -17.2132034f, 14.6066017f, 25.2132034f}};
    static float boxes[38 * 38 * 4 * 4];
    nnrt_prior_options maps[6];
    size_t count, total = 0;
    ssd300_priors(maps);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(nnrt_detection_priors(&maps[i], 300, 300, ssd300_maps[i], ssd300_maps[i], NULL, 0, &count),
                     OH_NN_SUCCESS);
        total += count;
    }
    cr_assert_eq(total, 8732);
    cr_assert_eq(nnrt_detection_priors(&maps[0], 300, 300, 38, 38, boxes, 38 * 38 * 4, &count), OH_NN_SUCCESS);
    for (int i = 0; i < 16; i++) cr_assert(fabsf(boxes[i] * 300 - want[i / 4][i % 4]) < 1e-4f, "%d", i);
}

Test(ssd, prior_boxes_refuse_options_that_make_none) {
    const float bad[] = {0, -1, NAN, INFINITY};
    float small[2] = {30, 40}, large[2] = {50, 60}, ratios[17] = {2, 3}, box[4];
    nnrt_prior_options o = {small, large, 2, ratios, 2, true, false, 8, 8, 0.5f};
    size_t count = 7;
#define CALL nnrt_detection_priors(&o, 100, 100, 2, 2, NULL, 0, &count)
    cr_assert_eq(CALL, OH_NN_SUCCESS);
    cr_assert_eq(count, 4 * 2 * 6);
    for (int i = 0; i < 4; i++) {
        small[1] = bad[i];
        REFUSED(CALL, "size 1");
        small[1] = 40, ratios[1] = bad[i];
        REFUSED(CALL, "aspect ratio 1");
        ratios[1] = 3, o.step_y = bad[i];
        REFUSED(CALL, "step_y");
        o.step_y = 8;
        REFUSED(nnrt_detection_priors(&o, bad[i], 100, 2, 2, NULL, 0, &count), "image_width");
    }
    large[0] = 30;
    REFUSED(CALL, "size 0");
    large[0] = INFINITY;
    REFUSED(CALL, "size 0");
    large[0] = 50, o.offset = NAN;
    REFUSED(CALL, "offset");
    o.offset = 0.5f, o.ratio_count = 17;
    REFUSED(CALL, "17 aspect ratios");
    o.ratio_count = 2, o.aspect_ratios = NULL;
    REFUSED(CALL, "2 aspect ratios");
    o.aspect_ratios = ratios, o.size_count = 0;
    REFUSED(CALL, "min_sizes");
    o.size_count = 2, o.min_sizes = NULL;
    REFUSED(CALL, "min_sizes");
    o.min_sizes = small;
    REFUSED(nnrt_detection_priors(&o, 100, 100, 65536, 65536, NULL, 0, &count), "too many");
    REFUSED(nnrt_detection_priors(&o, 100, 100, 65535, 65535, NULL, 0, &count), "too many");
    REFUSED(nnrt_detection_priors(&o, 100, 100, 0x80000000u, 0x80000000u, NULL, 0, &count), "too many");
    REFUSED(nnrt_detection_priors(NULL, 100, 100, 2, 2, NULL, 0, &count), "min_sizes");
    REFUSED(nnrt_detection_priors(&o, 100, 100, 2, 2, NULL, 0, NULL), "count");
    REFUSED(nnrt_detection_priors(&o, 100, 100, 2, 2, box, 1, &count), "there is room for 1");
#undef CALL
}

/* -------------------------------------------------------------------------------------------------------- SSD */

/* A drawn SSD: two maps. */
typedef struct ssd {
    priors p[2];
    nnrt_prior_options maps[2];
    nnrt_ssd_options o;
    map locations[2], confidences[2];
    nnrt_tensor_view location_views[2], confidence_views[2];
} ssd;

static void draw_ssd(ssd *s) {
    const nnrt_ssd_options o = {s->maps,
                                1 + noise() % 2,
                                100,
                                80,
                                {0.1f, 0.12f, 0.2f, 0.3f},
                                2 + noise() % 3,
                                noise() % 4,
                                noise() % 2 != 0,
                                noise() % 2 != 0,
                                (float)noise_between(0.0, 0.5),
                                (float)noise_between(0.1, 0.7),
                                noise() % 2 * (1 + noise() % 10),
                                1 + noise() % 40};
    s->o = o;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t height = 1 + noise() % 3, width = 1 + noise() % 3;
        double sides[20][2];
        uint32_t k;
        draw_priors(&s->p[i]);
        s->maps[i] = s->p[i].o;
        k = (uint32_t)prior_sides(&s->maps[i], sides);
        s->locations[i] = map_of(4 * k, height, width, -2, 2, 1.0 / 64);
        s->confidences[i] = map_of(o.class_count * k, height, width, 0, 1, 1.0 / 64);
        s->location_views[i] = s->locations[i].view;
        s->confidence_views[i] = s->confidences[i].view;
    }
}

static void free_ssd(ssd *s) {
    for (int i = 0; i < 2; i++) {
        free(s->locations[i].data);
        free(s->confidences[i].data);
    }
}

static size_t ssd_by_definition(const ssd *s, candidate *all, size_t most) {
    const nnrt_ssd_options *o = &s->o;
    const double image[2] = {(double)o->image_width, (double)o->image_height};
    size_t total = 0;
    for (uint32_t j = 0; j < o->class_count; j++) {
        candidate list[400];
        size_t n = 0, index = 0;
        if (j == o->background_class) continue;
        for (uint32_t m = 0; m < o->map_count; m++) {
            const uint32_t size[2] = {s->locations[m].view.width, s->locations[m].view.height};
            double sides[20][2];
            const size_t per_cell = prior_sides(&o->maps[m], sides);
            for (size_t cell = 0; cell < (size_t)size[0] * size[1]; cell++) {
                const uint32_t x = (uint32_t)cell % size[0], y = (uint32_t)cell / size[0];
                for (size_t k = 0; k < per_cell; k++) {
                    double from[4], loc[4], to[4], sum = 0.0;
                    candidate c = {0};
                    prior_corners(&o->maps[m], image, size, x, y, sides[k], from);
                    for (size_t i = 0; i < 4; i++) {
                        loc[i] = (double)o->variances[i] * (double)*map_at(&s->locations[m], 4 * k + i, y, x);
                    }
                    for (size_t i = 0; i < 2; i++) {
                        const double width = from[i + 2] - from[i], half = exp(loc[i + 2]) * width / 2;
                        const double centre = (from[i] + from[i + 2]) / 2 + loc[i] * width;
                        to[i] = centre - half;
                        to[i + 2] = centre + half;
                    }
                    for (uint32_t i = 0; i < o->class_count; i++) {
                        sum += exp((double)*map_at(&s->confidences[m], k * o->class_count + i, y, x));
                    }
                    c.score = (double)*map_at(&s->confidences[m], k * o->class_count + j, y, x);
                    if (o->softmax) c.score = exp(c.score) / sum;
                    c.x0 = to[0], c.y0 = to[1], c.x1 = to[2], c.y1 = to[3];
                    c.class_id = j;
                    c.index = index++;
                    if (greater(c.score, (double)o->score_threshold, o->softmax ? 1e-5 : 0.0)) list[n++] = c;
                }
            }
        }
        n = suppress(list, n, o->top_k != 0 ? o->top_k : SIZE_MAX, (double)o->nms_threshold, 0.0, true, SIZE_MAX);
        memcpy(all + total, list, n * sizeof(*list));
        total += n;
    }
    sort_candidates(all, total);
    for (size_t i = 0; i < total; i++) {
        double *corners[4] = {&all[i].x0, &all[i].y0, &all[i].x1, &all[i].y1};
        for (int k = 0; k < 4; k++) {
            if (o->clip) *corners[k] = fmin(fmax(*corners[k], 0.0), 1.0);
            *corners[k] *= image[k % 2];
        }
    }
    if (o->max_detections < most) most = o->max_detections;
    return total < most ? total : most;
}

Test(ssd, detections_are_those_of_the_definition_in_any_layout) {
    int tried = 0, found_some = 0;
    for (int round = 0; round < 200; round++) {
        static candidate all[2000];
        const size_t capacity = 1 + noise() % 60;
        nnrt_detection *got = malloc(capacity * sizeof(*got));
        void *block, *scratch;
        size_t bytes, found, want;
        ssd s;
        draw_ssd(&s);
        undecided = false;
        want = ssd_by_definition(&s, all, capacity);
        cr_assert_eq(nnrt_detect_ssd_scratch(&s.o, s.location_views, &bytes), OH_NN_SUCCESS, "%s", nnrt_last_error());
        scratch = scratch_of(bytes, &block);
        cr_assert_eq(nnrt_detect_ssd(&s.o, s.location_views, s.confidence_views, scratch, bytes, got, capacity, &found),
                     OH_NN_SUCCESS, "%s", nnrt_last_error());
        if (!undecided) {
            tried++;
            found_some += found > 1;
            equal_detections("SSD", got, found, all, want);
        }
        REFUSED(nnrt_detect_ssd(&s.o, s.location_views, s.confidence_views, scratch, bytes - 1, got, capacity, &found),
                "scratch has");
        free(block);
        free(got);
        free_ssd(&s);
    }
    cr_assert(tried > 100 && found_some > 50, "only %d of 200 rounds could be told apart, %d", tried, found_some);
}

Test(ssd, options_and_shapes_that_do_not_fit_are_refused) {
    nnrt_detection got[2];
    size_t found = 9, bytes;
    uint32_t *scratch = malloc(1 << 16);
    ssd s;
    do {
        draw_ssd(&s);
        if (s.o.map_count != 2) free_ssd(&s);
    } while (s.o.map_count != 2);
#define CALL nnrt_detect_ssd(&s.o, s.location_views, s.confidence_views, scratch, 1 << 16, got, 2, &found)
#define WITH(member, value, words) \
    do {                           \
        const ssd was = s;         \
        s.member = value;          \
        REFUSED(CALL, words);      \
        s = was;                   \
    } while (0)
    WITH(o.maps, NULL, "maps");
    WITH(o.map_count, 0, "0 maps");
    WITH(o.map_count, 17, "17 maps");
    WITH(o.class_count, 0, "0 classes");
    WITH(o.class_count, s.o.class_count + 1, "map 0: confidences");
    WITH(o.class_count, UINT32_MAX, "too many");
    WITH(o.max_detections, 0, "0 detections");
    WITH(o.variances[3], 0, "variances");
    WITH(o.variances[0], NAN, "variances");
    WITH(o.image_width, -1, "image_width");
    WITH(o.score_threshold, INFINITY, "score_threshold");
    WITH(o.nms_threshold, 1.5f, "nms_threshold");
    WITH(maps[1].size_count, 0, "map 1: prior boxes");
    WITH(location_views[1].data, NULL, "map 1: locations: no data");
    WITH(location_views[1].size, 3, "map 1: locations");
    WITH(location_views[0].channels, s.location_views[0].channels + 4, "map 0: locations");
    WITH(confidence_views[1].height, 1 + s.confidence_views[1].height, "map 1: confidences");
    WITH(confidence_views[0].size, 1, "map 0: confidences");
#undef WITH
#undef CALL
    REFUSED(nnrt_detect_ssd(NULL, s.location_views, s.confidence_views, scratch, 1 << 16, got, 2, &found), "options");
    REFUSED(nnrt_detect_ssd(&s.o, NULL, s.confidence_views, scratch, 1 << 16, got, 2, &found), "locations");
    REFUSED(nnrt_detect_ssd(&s.o, s.location_views, NULL, scratch, 1 << 16, got, 2, &found), "confidences");
    REFUSED(nnrt_detect_ssd(&s.o, s.location_views, s.confidence_views, NULL, 1 << 16, got, 2, &found), "scratch");
    REFUSED(nnrt_detect_ssd(&s.o, s.location_views, s.confidence_views, scratch, 1 << 16, NULL, 2, &found), "NULL");
    REFUSED(nnrt_detect_ssd(&s.o, s.location_views, s.confidence_views, scratch, 1 << 16, got, 2, NULL), "NULL");
    REFUSED(nnrt_detect_ssd_scratch(&s.o, s.location_views, NULL), "bytes");
    REFUSED(nnrt_detect_ssd_scratch(NULL, s.location_views, &bytes), "options");
    cr_assert_eq(found, 9);
    free_ssd(&s);
    free(scratch);
}

/* ------------------------------------------------------------------------------------------------------- YOLO */

typedef struct yolo {
    float anchors[2 * 2 * 3];
    nnrt_yolo_options o;
    map maps[2];
    nnrt_tensor_view views[2];
} yolo;

static void draw_yolo(yolo *s, nnrt_yolo_version version) {
    nnrt_yolo_options *o = &s->o;
    memset(s, 0, sizeof(*s));
    o->version = version;
    o->map_count = version == NNRT_YOLO_V3 ? 2 : 1;
    o->class_count = 1 + noise() % 3;
    o->boxes_per_cell = 1 + noise() % 3;
    o->grid = version == NNRT_YOLO_V1 ? 1 + noise() % 3 : 0;
    o->square_root = noise() % 2 != 0;
    o->anchors = version == NNRT_YOLO_V1 ? NULL : s->anchors;
    if (version == NNRT_YOLO_V3) {
        o->input_width = 64, o->input_height = 96;
        o->scale_xy = noise() % 2 != 0 ? 1.2f : 0.0f;
    }
    o->activated = noise() % 4 == 0;
    o->image_width = 120, o->image_height = 90;
    o->clip = noise() % 2 != 0;
    o->best_class = noise() % 2 != 0;
    o->class_agnostic = noise() % 2 != 0;
    o->score_threshold = (float)noise_between(0.1, 0.4);
    o->nms_threshold = (float)noise_between(0.1, 0.7);
    o->pre_nms_count = noise() % 2 * (1 + noise() % 20);
    o->max_detections = 1 + noise() % 30;
    for (size_t i = 0; i < 12; i++) {
        s->anchors[i] = (float)noise_between(0.5, 2.0) * (version == NNRT_YOLO_V3 ? 20.0f : 1.0f);
    }
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t channels = o->boxes_per_cell * (5 + o->class_count), height = 1 + noise() % 4, width = 1 + noise() % 4;
        if (version == NNRT_YOLO_V1) { /* the vector in any shape */
            const uint32_t length = o->grid * o->grid * (o->class_count + 5 * o->boxes_per_cell);
            channels = noise() % 2 != 0 ? length : 1;
            height = channels == 1 && length % 2 == 0 && noise() % 2 != 0 ? 2 : 1;
            width = length / channels / height;
        }
        s->maps[i] = version == NNRT_YOLO_V1 || o->activated ? map_of(channels, height, width, 0, 1, 1.0 / 256)
                                                             : map_of(channels, height, width, -2, 2, 1.0 / 64);
        s->views[i] = s->maps[i].view;
    }
}

static void free_yolo(yolo *s) {
    for (int i = 0; i < 2; i++) free(s->maps[i].data);
}

static double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

/* Element number i of a map that is a vector. */
static double element(const map *m, size_t i) {
    const size_t width = m->view.width, height = m->view.height;
    return (double)*map_at(m, i / width / height, i / width % height, i % width);
}

static size_t yolo_by_definition(const yolo *s, candidate *list, size_t most) {
    const nnrt_yolo_options *o = &s->o;
    const size_t classes = o->class_count, per_cell = o->boxes_per_cell;
    size_t n = 0, index = 0;
    for (uint32_t m = 0; m < o->map_count; m++) {
        const map *in = &s->maps[m];
        const uint32_t width = o->version == NNRT_YOLO_V1 ? o->grid : in->view.width;
        const uint32_t height = o->version == NNRT_YOLO_V1 ? o->grid : in->view.height;
        for (size_t cell = 0; cell < (size_t)width * height; cell++) {
            const uint32_t x = (uint32_t)cell % width, y = (uint32_t)cell / width;
            for (size_t b = 0; b < per_cell; b++, index++) {
                double v[8], sum = 0.0, best = -1.0, w, h;
                candidate c = {0};
                for (size_t e = 0; e < 5 + classes; e++) {
                    if (o->version == NNRT_YOLO_V1) {
                        const size_t cells = (size_t)width * height;
                        v[e] =
                            element(in, e >= 5   ? cell * classes + e - 5
                                        : e == 4 ? cells * classes + cell * per_cell + b
                                                 : cells * classes + cells * per_cell + (cell * per_cell + b) * 4 + e);
                        continue;
                    }
                    v[e] = (double)*map_at(in, b * (5 + classes) + e, y, x);
                    if (e >= 5) sum += exp(v[e]);
                    if (e == 2 || e == 3) v[e] = exp(v[e]);
                    else if (!o->activated && (e < 5 || o->version == NNRT_YOLO_V3)) v[e] = logistic(v[e]);
                }
                for (size_t e = 5; o->version == NNRT_YOLO_V2 && !o->activated && e < 5 + classes; e++) {
                    v[e] = exp(v[e]) / sum;
                }
                if (o->version == NNRT_YOLO_V1) {
                    w = o->square_root ? v[2] * v[2] : v[2], h = o->square_root ? v[3] * v[3] : v[3];
                } else if (o->version == NNRT_YOLO_V2) {
                    w = v[2] * (double)o->anchors[2 * b] / width, h = v[3] * (double)o->anchors[2 * b + 1] / height;
                } else {
                    const double scale = o->scale_xy != 0.0f ? (double)o->scale_xy : 1.0;
                    w = v[2] * (double)o->anchors[2 * (m * per_cell + b)] / (double)o->input_width;
                    h = v[3] * (double)o->anchors[2 * (m * per_cell + b) + 1] / (double)o->input_height;
                    v[0] = v[0] * scale - (scale - 1.0) / 2.0, v[1] = v[1] * scale - (scale - 1.0) / 2.0;
                }
                c.x0 = ((x + v[0]) / width - w / 2) * (double)o->image_width;
                c.x1 = ((x + v[0]) / width + w / 2) * (double)o->image_width;
                c.y0 = ((y + v[1]) / height - h / 2) * (double)o->image_height;
                c.y1 = ((y + v[1]) / height + h / 2) * (double)o->image_height;
                c.index = index;
                if (o->version != NNRT_YOLO_V1 && !greater(v[4], (double)o->score_threshold, 1e-5)) continue;
                for (size_t e = 5; e < 5 + classes; e++) best = fmax(best, v[e]);
                for (size_t e = 5; e < 5 + classes; e++) {
                    c.class_id = (uint32_t)e - 5;
                    c.score = v[4] * v[e];
                    if (o->best_class && v[e] != best) {
                        if (best - v[e] < 1e-5) undecided = true;
                        continue;
                    }
                    if (greater(c.score, (double)o->score_threshold, 1e-5)) list[n++] = c;
                    if (o->best_class) break;
                }
            }
        }
    }
    n = suppress(list, n, o->pre_nms_count != 0 ? o->pre_nms_count : SIZE_MAX, (double)o->nms_threshold, 0.0,
                 o->class_agnostic, o->max_detections < most ? o->max_detections : most);
    for (size_t i = 0; o->clip && i < n; i++) {
        list[i].x0 = fmin(fmax(list[i].x0, 0), (double)o->image_width);
        list[i].x1 = fmin(fmax(list[i].x1, 0), (double)o->image_width);
        list[i].y0 = fmin(fmax(list[i].y0, 0), (double)o->image_height);
        list[i].y1 = fmin(fmax(list[i].y1, 0), (double)o->image_height);
    }
    return n;
}

Test(yolo, detections_of_every_version_are_those_of_the_definition_in_any_layout) {
    int tried[4] = {0}, found_some[4] = {0};
    for (int round = 0; round < 450; round++) {
        static candidate all[2000];
        const nnrt_yolo_version version = (nnrt_yolo_version)(1 + round % 3);
        const size_t capacity = 1 + noise() % 40;
        nnrt_detection *got = malloc(capacity * sizeof(*got));
        void *block, *scratch;
        size_t bytes, found, want;
        yolo s;
        draw_yolo(&s, version);
        undecided = false;
        want = yolo_by_definition(&s, all, capacity);
        cr_assert_eq(nnrt_detect_yolo_scratch(&s.o, s.views, &bytes), OH_NN_SUCCESS, "%s", nnrt_last_error());
        scratch = scratch_of(bytes, &block);
        cr_assert_eq(nnrt_detect_yolo(&s.o, s.views, scratch, bytes, got, capacity, &found), OH_NN_SUCCESS, "%s",
                     nnrt_last_error());
        if (!undecided) {
            tried[version]++;
            found_some[version] += found > 1;
            equal_detections(version == 1 ? "YOLO v1" : version == 2 ? "YOLO v2" : "YOLO v3", got, found, all, want);
        }
        REFUSED(nnrt_detect_yolo(&s.o, s.views, scratch, bytes - 1, got, capacity, &found), "scratch has");
        free(block);
        free(got);
        free_yolo(&s);
    }
    for (int i = 1; i <= 3; i++) {
        cr_assert(tried[i] > 75 && found_some[i] > 40, "version %d: only %d of 150 could be told apart, %d", i,
                  tried[i], found_some[i]);
    }
}

Test(yolo, one_cell_of_version_3_is_what_darknet_says) {
    /* a map of 2 by 2 cells of a network for 416 pixels, anchor 116 by 90, the object in cell (1, 0) */
    float map_values[7][4] = {{0}};
    const float anchors[2] = {116, 90};
    nnrt_yolo_options o = {NNRT_YOLO_V3, 1,   2,   1,     0,     false, anchors, 416,   416, 0,
                           false,        832, 416, false, false, false, 0.24f,   0.45f, 0,   10};
    nnrt_tensor_view v;
    nnrt_detection got[4];
    uint32_t scratch[200];
    size_t found;
    for (int i = 0; i < 4; i++) map_values[4][i] = -20;
    map_values[4][1] = 20;                          /* an object for certain */
    map_values[5][1] = 1, map_values[6][1] = -0.5f; /* 0.731 and 0.378 */
    map_values[2][1] = 0.5f;                        /* 1.6487 * 116 / 416 of the width */
    cr_assert_eq(nnrt_tensor_view_nchw(map_values[0], 28, 7, 2, 2, 0, &v), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_detect_yolo(&o, &v, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_eq(found, 2, "classes do not suppress each other, and both are likely enough");
    cr_assert(got[0].class_id == 0 && fabsf(got[0].score - 0.7310586f) < 1e-5f);
    cr_assert(got[1].class_id == 1 && fabsf(got[1].score - 0.3775407f) < 1e-5f);
    cr_assert(fabsf(got[0].x0 - (624 - 191.25167f)) < 1e-3f && fabsf(got[0].x1 - (624 + 191.25167f)) < 1e-3f);
    cr_assert(fabsf(got[0].y0 - 59) < 1e-3f && fabsf(got[0].y1 - 149) < 1e-3f);
    o.best_class = true;
    cr_assert_eq(nnrt_detect_yolo(&o, &v, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS);
    cr_assert(found == 1 && got[0].class_id == 0);
    o.best_class = false, o.class_agnostic = true;
    cr_assert_eq(nnrt_detect_yolo(&o, &v, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS);
    cr_assert(found == 1 && got[0].class_id == 0);
    o.activated = true;
    map_values[4][1] = 0.2f, map_values[5][1] = 5;
    cr_assert_eq(nnrt_detect_yolo(&o, &v, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 0, "classes of what is no object are not looked at");
}

Test(yolo, equal_scores_have_the_order_of_classes_then_of_boxes) {
    float values[7][2];
    const float anchors[2] = {1, 1};
    nnrt_yolo_options o = {0};
    nnrt_tensor_view v;
    nnrt_detection got[4];
    uint32_t scratch[200];
    size_t found;
    o.version = NNRT_YOLO_V2, o.map_count = 1, o.class_count = 2, o.boxes_per_cell = 1, o.anchors = anchors;
    o.image_width = o.image_height = 10, o.nms_threshold = 1, o.max_detections = 4;
    for (int i = 0; i < 14; i++) values[i / 2][i % 2] = 0;
    cr_assert_eq(nnrt_tensor_view_nchw(values[0], 14, 7, 1, 2, 0, &v), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_detect_yolo(&o, &v, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS);
    cr_assert_eq(found, 4);
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(got[i].class_id == i / 2 && got[i].score == 0.25f && (got[i].x0 > 2.0f) == (i % 2 != 0));
    }
    o.best_class = true;
    cr_assert_eq(nnrt_detect_yolo(&o, &v, scratch, sizeof(scratch), got, 4, &found), OH_NN_SUCCESS);
    cr_assert(found == 2 && got[0].class_id == 0 && got[1].class_id == 0, "of equal classes the lower one");
}

Test(yolo, options_and_shapes_that_do_not_fit_are_refused) {
    nnrt_detection got[2];
    size_t found = 9, bytes;
    uint32_t *scratch = malloc(1 << 16);
    yolo s;
#define CALL nnrt_detect_yolo(&s.o, s.views, scratch, 1 << 16, got, 2, &found)
#define WITH(member, value, words) \
    do {                           \
        const yolo was = s;        \
        s.member = value;          \
        REFUSED(CALL, words);      \
        s = was;                   \
    } while (0)
    draw_yolo(&s, NNRT_YOLO_V3);
    s.o.anchors = s.anchors;
    WITH(o.version, (nnrt_yolo_version)0, "version 0");
    WITH(o.version, (nnrt_yolo_version)4, "version 4");
    WITH(o.version, NNRT_YOLO_V2, "2 maps");
    WITH(o.map_count, 0, "0 maps");
    WITH(o.map_count, 17, "17 maps");
    WITH(o.class_count, 0, "0 classes");
    WITH(o.class_count, UINT32_MAX, "classes");
    WITH(o.class_count, s.o.class_count + 1, "maps");
    WITH(o.boxes_per_cell, 0, "0 boxes");
    WITH(o.boxes_per_cell, 9, "maps");
    WITH(o.max_detections, 0, "0 detections");
    WITH(o.anchors, NULL, "anchors");
    WITH(anchors[0], 0, "anchor 0 of map 0");
    WITH(anchors[2 * s.o.boxes_per_cell + 1], NAN, "anchor 0 of map 1");
    WITH(o.input_width, 0, "input_width");
    WITH(o.input_height, INFINITY, "input_height");
    WITH(o.scale_xy, -1, "scale_xy");
    WITH(o.image_height, 0, "image_height");
    WITH(o.score_threshold, NAN, "score_threshold");
    WITH(o.nms_threshold, NAN, "nms_threshold");
    WITH(views[1].size, 2, "maps");
    WITH(views[1].data, NULL, "no data");
    WITH(views[0].channels, 1, "maps");
    REFUSED(nnrt_detect_yolo(NULL, s.views, scratch, 1 << 16, got, 2, &found), "options");
    REFUSED(nnrt_detect_yolo(&s.o, NULL, scratch, 1 << 16, got, 2, &found), "maps");
    REFUSED(nnrt_detect_yolo(&s.o, s.views, NULL, 1 << 16, got, 2, &found), "scratch");
    REFUSED(nnrt_detect_yolo(&s.o, s.views, scratch, 1 << 16, NULL, 2, &found), "NULL");
    REFUSED(nnrt_detect_yolo(&s.o, s.views, scratch, 1 << 16, got, 2, NULL), "NULL");
    REFUSED(nnrt_detect_yolo_scratch(&s.o, s.views, NULL), "bytes");
    REFUSED(nnrt_detect_yolo_scratch(NULL, s.views, &bytes), "options");
    s.views[0].height = s.views[0].width = 65535, s.views[0].row_stride = s.views[0].column_stride = 0;
    REFUSED(CALL, "too many");
    s.views[0].height = s.views[0].width = UINT32_MAX;
    REFUSED(CALL, "too many");
    free_yolo(&s);
    draw_yolo(&s, NNRT_YOLO_V1);
    WITH(o.grid, 0, "grid");
    WITH(o.grid, s.o.grid + 1, "are not the vector");
    WITH(o.grid, UINT32_MAX, "are not the vector");
    WITH(o.boxes_per_cell, UINT32_MAX, "are not the vector");
    WITH(views[0].size, 1, "maps");
    WITH(o.map_count, 2, "2 maps");
    s.o.grid = 256, s.o.boxes_per_cell = 1, s.o.class_count = 65531; /* 2^32 elements, as this view claims to have */
    s.views[0].channels = 1, s.views[0].height = s.views[0].width = 65536;
    s.views[0].row_stride = s.views[0].column_stride = 0;
    REFUSED(CALL, "are not the vector");
#undef WITH
#undef CALL
    cr_assert_eq(found, 9);
    free_yolo(&s);
    free(scratch);
}

/* ------------------------------------------------------------------------------------------------ any floats */

/* Bits that are any float: denormal, infinite, NaN. Or plain ones, with such among them. */
static void wild(map *m, int kind) {
    for (size_t i = 0; i < m->view.size; i++) {
        const uint32_t bits = kind == 0 ? 0x7fc00000u : noise();
        if (kind == 2 && noise() % 8 != 0) continue;
        memcpy(&m->data[i], &bits, sizeof(bits));
    }
}

static void sound(const nnrt_detection *got, size_t found, uint32_t classes, float threshold, int kind) {
    cr_assert(kind != 0 || found == 0, "NaN is no detection");
    for (size_t i = 0; i < found; i++) {
        cr_assert(got[i].class_id < classes && got[i].score > threshold);
        cr_assert(got[i].x0 - got[i].x0 == 0 && got[i].y0 - got[i].y0 == 0 && got[i].x1 - got[i].x1 == 0 &&
                  got[i].y1 - got[i].y1 == 0);
        cr_assert(i == 0 || got[i - 1].score >= got[i].score);
    }
}

Test(detectors, whatever_the_maps_hold_detections_are_finite_and_in_order) {
    for (int round = 0; round < 600; round++) {
        nnrt_detection got[40];
        const int kind = round / 3 % 3;
        void *block, *scratch;
        size_t bytes, found = 99;
        if (round % 4 == 0) {
            ssd s;
            draw_ssd(&s);
            for (int i = 0; i < 2; i++) {
                wild(&s.locations[i], kind);
                wild(&s.confidences[i], kind);
            }
            cr_assert_eq(nnrt_detect_ssd_scratch(&s.o, s.location_views, &bytes), OH_NN_SUCCESS);
            scratch = scratch_of(bytes, &block);
            cr_assert_eq(nnrt_detect_ssd(&s.o, s.location_views, s.confidence_views, scratch, bytes, got, 40, &found),
                         OH_NN_SUCCESS);
            sound(got, found, s.o.class_count, s.o.score_threshold, kind);
            free_ssd(&s);
        } else {
            yolo s;
            draw_yolo(&s, (nnrt_yolo_version)(round % 4));
            for (int i = 0; i < 2; i++) wild(&s.maps[i], kind);
            cr_assert_eq(nnrt_detect_yolo_scratch(&s.o, s.views, &bytes), OH_NN_SUCCESS);
            scratch = scratch_of(bytes, &block);
            cr_assert_eq(nnrt_detect_yolo(&s.o, s.views, scratch, bytes, got, 40, &found), OH_NN_SUCCESS);
            sound(got, found, s.o.class_count, s.o.score_threshold, kind);
            free_yolo(&s);
        }
        free(block);
    }
}
