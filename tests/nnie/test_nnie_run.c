/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_run.c - models of every kind on simulated HiSilicon boards give what a slow reference computed, in every
   layout that the program can ask for, with tensors of the NNIE and of the CPU.

   Where an element of a tensor lies is worked out here from the shape that the executor describes, not from nnrt's own
   layouts. The board notices a stride in pixels, swapped addresses and a missing flush, and its report is part of each
   test. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "nnie_board.h"

#include "nnie_golden.h"

/* ------------------------------------------------------------------------------- elements and their places */

/* How the program has its tensors, as it asked for it. */
typedef struct form {
    const char *configs[11]; /* name, value, ... NULL */
    bool raw, planar, reversed, nhwc, native, first_u;
    size_t alignment;
} form;

static size_t row_of(const golden_tensor *item, const form *f) {
    const size_t element = golden_is_picture(item) ? 1 : 4;
    const size_t alignment = f->alignment != 0 ? f->alignment : 16;
    return (item->width * element + alignment - 1) / alignment * alignment / element;
}

/* Where element w of row y of plane c of frame n is, in elements. */
static size_t place(const golden_tensor *item, const form *f, size_t n, size_t c, size_t y, size_t w) {
    const size_t stride = f->native ? row_of(item, f) : item->width;
    if (item->kind[0] == 'Y') {
        const size_t half = strcmp(item->kind, "YVU420SP") == 0 ? 2 : 1, rows = item->height + item->height / half;
        if (c == 0) return (n * rows + y) * stride + w;
        return (n * rows + item->height + y / half) * stride + w / 2 * 2 + ((c == 2) == f->first_u);
    }
    if (golden_is_picture(item) && !f->planar && !f->native)
        return ((n * item->height + y) * item->width + w) * item->channels +
               (f->reversed && item->channels == 3 ? 2 - c : c);
    if (!golden_is_picture(item) && f->nhwc && strcmp(item->kind, "S32") == 0)
        return ((n * item->height + y) * item->width + w) * item->channels + c;
    return ((n * item->channels + c) * item->height + y) * stride + w;
}

static void write_element(uint8_t *data, size_t at, const golden_tensor *item, const form *f, size_t i) {
    const int32_t fixed = golden_at(item, i);
    const float real = (float)fixed / 4096.0f;
    if (golden_is_picture(item)) data[at] = (uint8_t)fixed;
    else if (f->raw) memcpy(data + 4 * at, &fixed, 4);
    else memcpy(data + 4 * at, &real, 4);
}

static int32_t read_element(const uint8_t *data, size_t at, const form *f) {
    int32_t fixed;
    float real;
    if (f->raw) {
        memcpy(&fixed, data + 4 * at, 4);
        return fixed;
    }
    memcpy(&real, data + 4 * at, 4);
    return (int32_t)lrintf(real * 4096.0f);
}

/* Visits every element of the item in the order of the file: writes, or compares. */
static void walk(const golden_tensor *item, const form *f, uint8_t *data, bool write) {
    size_t n, c, y, w, i = 0;
    for (n = 0; n < item->frames; n++)
        for (c = 0; c < item->channels; c++)
            for (y = 0; y < item->height; y++)
                for (w = 0; w < item->width; w++, i++) {
                    const size_t at = place(item, f, n, c, y, w);
                    if (write) {
                        write_element(data, at, item, f, i);
                    } else {
                        const int32_t is = read_element(data, at, f), should = golden_at(item, i);
                        MUST(abs(is - should) <= item->within,
                             "output %u of segment %u, frame %zu, channel %zu, row %zu, column %zu: %d, not %d",
                             item->index, item->segment, n, c, y, w, (int)is, (int)should);
                    }
                }
}

/* Sequences lie T steps apart, T that of the longest. */
static unsigned longest(const golden_tensor *item) {
    unsigned most = 0, i;
    for (i = 0; i < item->sequences; i++)
        if (item->steps[i] > most) most = item->steps[i];
    return most;
}

static void walk_sequences(const golden_tensor *item, const form *f, uint8_t *data, bool write) {
    const unsigned distance = longest(item);
    size_t n, t, w, i = 0;
    for (n = 0; n < item->sequences; n++)
        for (t = 0; t < distance; t++)
            for (w = 0; w < item->width; w++) {
                const size_t at = (n * distance + t) * item->width + w;
                const int32_t should = t < item->steps[n] ? golden_at(item, i) : 0;
                if (write && t < item->steps[n]) write_element(data, at, item, f, i);
                if (!write) {
                    const int32_t is = read_element(data, at, f);
                    MUST(abs(is - should) <= item->within, "sequence %zu, step %zu, value %zu: %d, not %d", n, t, w,
                         (int)is, (int)should);
                }
                i += t < item->steps[n];
            }
}

static void walk_any(const golden_tensor *item, const form *f, uint8_t *data, bool write) {
    if (strcmp(item->kind, "SEQ_S32") == 0) walk_sequences(item, f, data, write);
    else walk(item, f, data, write);
}

/* --------------------------------------------------------------------------------------------- whole models */

typedef struct trial {
    const char *model;
    const form *f;
    const char *batch;
} trial;

static void read_golden(golden *g, const board *b, const char *model) {
    MUST(golden_read(g, b->folder, model), "the reference of %s cannot be read", model);
}

/* Fixed point is told as a scale; floats and pictures have none. */
static void scale_is(const rig *r, const golden_tensor *item, const form *f, size_t i) {
    const double expected = f->raw && !golden_is_picture(item) ? 1.0 / 4096 : 0.0;
    double scale = -1.0;
    int32_t zero_point = -1;
    if (item->output) MUST_WORK(nnrt_executor_get_output_quant(r->executor, i, &scale, &zero_point));
    else MUST_WORK(nnrt_executor_get_input_quant(r->executor, i, &scale, &zero_point));
    MUST(!(scale < expected) && !(scale > expected) && zero_point == 0, "%s %zu: scale %g, zero point %d",
         item->output ? "output" : "input", i, scale, (int)zero_point);
}

/* The run under way gives what the reference gave; last is the number of the last segment. */
static void run_and_compare(rig *r, const golden *g, const form *f, unsigned last) {
    size_t i, size;
    for (i = 0; i < r->input_count; i++) {
        const golden_tensor *item = golden_find(g, 0, false, (unsigned)i);
        uint8_t *data = bytes_of(r->inputs[i], &size);
        MUST(item != NULL, "the reference has no input %zu", i);
        scale_is(r, item, f, i);
        memset(data, 0x5a, size);
        walk_any(item, f, data, true);
    }
    for (i = 0; i < r->output_count; i++) {
        uint8_t *data = bytes_of(r->outputs[i], &size);
        memset(data, 0xd7, size);
    }
    MUST_WORK(rig_run(r));
    for (i = 0; i < r->output_count; i++) {
        const golden_tensor *item = golden_find(g, last, true, (unsigned)i);
        MUST(item != NULL, "the reference has no output %zu", i);
        scale_is(r, item, f, i);
        walk_any(item, f, bytes_of(r->outputs[i], &size), false);
    }
}

/* Tensors of both devices, two runs each. */
static void live(board *b, const void *user) {
    const trial *t = (const trial *)user;
    const char *configs[16];
    const size_t devices[2] = {b->npu, b->cpu};
    unsigned last = 0, i;
    size_t d, count = 0;
    golden g;
    rig r;
    read_golden(&g, b, t->model);
    for (i = 0; i < g.count; i++)
        if (g.tensor[i].segment > last) last = g.tensor[i].segment;
    for (; t->f->configs[count] != NULL; count++) configs[count] = t->f->configs[count];
    configs[count++] = "nnie.batch";
    configs[count++] = t->batch;
    configs[count] = NULL;
    for (d = 0; d < 2; d++) {
        rig_open(&r, b, t->model, configs);
        rig_tensors(&r, devices[d]);
        run_and_compare(&r, &g, t->f, last);
        run_and_compare(&r, &g, t->f, last);
        if (t->f->native)
            MUST((rig_number(&r, "nnie.copied_bytes") == 0) == (d == 0), "native tensors of device %zu", d);
        rig_end(&r);
    }
    golden_free(&g);
}

/* The first form on every chip, the others on one: layouts are the program's, and every chip has the same blobs. */
static void in_every_form(const char *model, const form *const *forms, size_t count) {
    static const char *const one[] = {"hi3516cv500", NULL};
    trial t;
    size_t i;
    t.model = model;
    t.batch = "2";
    for (i = 0; i < count; i++) {
        t.f = forms[i];
        board_each(i == 0 ? board_all : one, live, &t);
    }
}

static const form plain = {{NULL}, false, false, false, false, false, false, 0};
static const form raw = {{"nnie.io_float", "0", NULL}, true, false, false, false, false, false, 0};
static const form nhwc = {{"nnie.io_layout", "nhwc", NULL}, false, false, false, true, false, false, 0};
static const form planar = {{"nnie.pixels", "planar", NULL}, false, true, false, false, false, false, 0};
static const form rgb = {{"nnie.pixels", "rgb", NULL}, false, false, true, false, false, false, 0};
static const form nv12 = {{"nnie.pixels", "nv12", NULL}, false, false, false, false, false, true, 0};
static const form native = {{"nnie.io_layout", "native", NULL}, true, false, false, false, true, false, 0};
static const form wide = {
    {"nnie.io_layout", "native", "nnie.alignment", "32", NULL}, true, false, false, false, true, false, 32};
static const form widest = {{"nnie.alignment", "256", NULL}, false, false, false, false, false, false, 256};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

Test(nnie_run, feature_maps_go_in_and_out_in_every_layout) {
    const form *const forms[] = {&plain, &raw, &nhwc, &native, &wide, &widest};
    in_every_form("same_s32", forms, COUNT(forms));
    in_every_form("features", forms, COUNT(forms));
}

Test(nnie_run, vectors_go_in_and_out) {
    const form *const forms[] = {&plain, &raw, &native, &widest};
    in_every_form("same_vector", forms, COUNT(forms));
    in_every_form("vector", forms, COUNT(forms));
}

Test(nnie_run, colour_pictures_are_interleaved_in_both_orders_or_planar) {
    const form *const forms[] = {&plain, &rgb, &planar, &native, &wide, &widest};
    in_every_form("same_u8", forms, COUNT(forms));
    in_every_form("picture", forms, COUNT(forms));
}

Test(nnie_run, grey_pictures_have_one_plane) {
    const form *const forms[] = {&plain, &planar, &native, &widest};
    in_every_form("same_gray", forms, COUNT(forms));
    in_every_form("gray", forms, COUNT(forms));
}

Test(nnie_run, pictures_of_cameras_have_v_first_or_u_first) {
    const form *const forms[] = {&plain, &nv12, &native, &wide};
    static const char *const models[] = {"same_yuv420", "yuv420", "same_yuv422", "yuv422"};
    size_t k;
    for (k = 0; k < COUNT(models); k++) in_every_form(models[k], forms, COUNT(forms));
}

Test(nnie_run, several_inputs_and_outputs_and_segments) {
    const form *const forms[] = {&plain, &raw};
    static const char *const models[] = {"two", "equal_names", "three_segments", "ssd", "yolo1", "yolo2", "yolo3"};
    size_t k;
    for (k = 0; k < COUNT(models); k++) in_every_form(models[k], forms, COUNT(forms));
}

static void life_told(board *b, const void *user) {
    (void)user;
    rig_life_profile(b, "three_segments", "wk");
}

Test(nnie_run, steps_that_were_told_stay_until_the_next_run) { board_each(board_all, life_told, NULL); }

static void life_gone(board *b, const void *user) { rig_life_gone(b, (const char *)user, "wk", NULL); }

Test(nnie_run, a_model_in_memory_may_go_with_its_compilation) {
    board_each(board_all, life_gone, "meter");
    board_each(board_all, life_gone, "three_segments");
}
