/* SPDX-License-Identifier: Apache-2.0 */
/* maps.h - maps for the tests of detection/: drawn values in drawn layouts, and suppression by the definition.

   A map is malloc'd to its exact size, and what lies between its elements is NaN: whoever reads outside an element
   meets a sanitizer or gets a result that no reference has. Include it after noise.h. */
#ifndef NNRT_TESTS_DETECTION_MAPS_H
#define NNRT_TESTS_DETECTION_MAPS_H

#include <math.h>
#include <stdlib.h>

typedef struct map {
    float *data;
    nnrt_tensor_view view;
} map;

/* Of values low to high in steps of step; as planes with padded rows, or as pixels with padding. */
NOISE_FN map map_of(uint32_t channels, uint32_t height, uint32_t width, double low, double high, double step) {
    const bool planes = noise() % 2 != 0;
    const size_t unit = (planes ? width : channels) + noise() % 3;
    const size_t size = planes ? unit * height * channels - (unit - width) : unit * width * height - (unit - channels);
    map m;
    uint32_t c, y, x;
    m.data = malloc(size * sizeof(float));
    cr_assert_not_null(m.data);
    for (size_t i = 0; i < size; i++) m.data[i] = NAN;
    cr_assert_eq(planes ? nnrt_tensor_view_nchw(m.data, size, channels, height, width, unit, &m.view)
                        : nnrt_tensor_view_nhwc(m.data, size, channels, height, width, unit, &m.view),
                 OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (c = 0; c < channels; c++) {
        for (y = 0; y < height; y++) {
            for (x = 0; x < width; x++) {
                m.data[c * m.view.channel_stride + y * m.view.row_stride + x * m.view.column_stride] =
                    (float)(low + step * floor(noise_between(0.0, (high - low) / step + 1.0)));
            }
        }
    }
    return m;
}

NOISE_FN float *map_at(const map *m, size_t c, size_t y, size_t x) {
    return m->data + c * m->view.channel_stride + y * m->view.row_stride + x * m->view.column_stride;
}

/* ------------------------------------------------------------------------------------------------ reference

   In double. Two numbers that are closer than what float32 may be off by could be told apart either way: `undecided`
   says that this happened, and the test draws again. */

typedef struct candidate {
    double score, x0, y0, x1, y1;
    uint32_t class_id;
    size_t index; /* of equal scores the lower one is first */
    bool dropped;
} candidate;

static bool undecided;

NOISE_FN bool greater(double a, double b, double slack) {
    if (fabs(a - b) < slack) undecided = true;
    return a > b;
}

static int by_score(const void *left, const void *right) {
    const candidate *a = left, *b = right;
    if (a->score != b->score) return a->score > b->score ? -1 : 1;
    if (a->class_id != b->class_id) return a->class_id < b->class_id ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Best first. Scores that are neither equal nor apart could have any order in float32. */
static void sort_candidates(candidate *list, size_t count) {
    qsort(list, count, sizeof(*list), by_score);
    for (size_t i = 1; i < count; i++) {
        if (list[i - 1].score != list[i].score && list[i - 1].score - list[i].score < 1e-5) undecided = true;
    }
}

static double side(double low, double high, double edge) { return high - low + edge > 0.0 ? high - low + edge : 0.0; }

/* Sorts list, takes the first `look`, drops what a better one of its class (of any, when agnostic) covers, and moves
   what is left to the front: how many, at most `most`. */
NOISE_FN size_t suppress(candidate *list, size_t count, size_t look, double threshold, double edge, bool agnostic,
                         size_t most) {
    size_t left = 0;
    sort_candidates(list, count);
    if (look < count) count = look;
    for (size_t i = 0; i < count; i++) {
        const candidate *a = &list[i];
        if (a->dropped) continue;
        for (size_t j = i + 1; j < count; j++) {
            candidate *b = &list[j];
            const double shared =
                side(fmax(a->x0, b->x0), fmin(a->x1, b->x1), edge) * side(fmax(a->y0, b->y0), fmin(a->y1, b->y1), edge);
            const double all = side(a->x0, a->x1, edge) * side(a->y0, a->y1, edge) +
                               side(b->x0, b->x1, edge) * side(b->y0, b->y1, edge) - shared;
            if (agnostic || a->class_id == b->class_id) {
                if (shared > 0.0 && greater(shared / all, threshold, 1e-4)) b->dropped = true;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!list[i].dropped && left < most) list[left++] = list[i];
    }
    return left;
}

static void equal_detections(const char *what, const nnrt_detection *got, size_t got_count, const candidate *want,
                             size_t want_count) {
    cr_assert_eq(got_count, want_count, "%s: %zu, not %zu", what, got_count, want_count);
    for (size_t i = 0; i < got_count; i++) {
        const double slack = 1e-4 * (1.0 + fabs(want[i].x1) + fabs(want[i].y1));
        cr_assert(got[i].class_id == want[i].class_id && fabs((double)got[i].score - want[i].score) < 1e-5 &&
                      fabs((double)got[i].x0 - want[i].x0) < slack && fabs((double)got[i].y0 - want[i].y0) < slack &&
                      fabs((double)got[i].x1 - want[i].x1) < slack && fabs((double)got[i].y1 - want[i].y1) < slack,
                  "%s, %zu of %zu: class %u, %g, (%g, %g) (%g, %g), not class %u, %g, (%g, %g) (%g, %g)", what, i,
                  got_count, got[i].class_id, (double)got[i].score, (double)got[i].x0, (double)got[i].y0,
                  (double)got[i].x1, (double)got[i].y1, want[i].class_id, want[i].score, want[i].x0, want[i].y0,
                  want[i].x1, want[i].y1);
    }
}

/* bytes of scratch that begin at any address and end where the block of malloc does. */
static void *scratch_of(size_t bytes, void **block) {
    const size_t skew = noise() % 4;
    *block = malloc(bytes + skew);
    cr_assert_not_null(*block);
    memset(*block, 0xa5, bytes + skew);
    return (uint8_t *)*block + skew;
}

#endif /* NNRT_TESTS_DETECTION_MAPS_H */
