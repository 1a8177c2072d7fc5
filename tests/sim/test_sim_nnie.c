/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_nnie.c - the simulated HiSilicon board computes what its models say, as a program sees it that was written
   with the vendor's manual: LoadModel, GetTskBufSize, memory of MMZ, Forward, Query. Nothing of nnrt is in here but the
   structures. What the libraries answer to what is wrong is in test_sim_nnie_calls.c. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include "nnie/nnie_golden.h"
#include "sim/nnie/vendor_program.h"

static const char *const chips[] = {"hi3516cv500", "hi3519av100", "hi3559av100"};

/* ------------------------------------------------------------------------------------------------------ the meter */

static void read_file(const char *name, unsigned number, void *bytes, size_t size) {
    char path[80];
    FILE *file;
    (void)snprintf(path, sizeof(path), "examples/meter/golden/%s%u.bin", name, number);
    file = fopen(path, "rb");
    cr_assert(file != NULL && fread(bytes, 1, size, file) == size, "%s: run me where README.md is", path);
    (void)fclose(file);
}

/* Window number of the meter's own files; the classes are those of the CPU device, times 16. */
static void meter_reads(program *p, unsigned number) {
    int8_t window[32][20], digit[10];
    uint32_t h, w, i;
    read_file("input", number, window, sizeof(window));
    read_file("expected", number, digit, sizeof(digit));
    for (h = 0; h < 32; h++)
        for (w = 0; w < 20; w++) *program_u8(&p->inputs[0], 0, 0, h, w) = (uint8_t)(window[h][w] + 128);
    program_flush_all(p);
    program_run(p, 0, 0);
    program_flush_all(p);
    for (i = 0; i < 10; i++)
        cr_expect_eq(*program_s32(&p->outputs[0], 0, 0, 0, i), (digit[i] + 128) * 16, "window %u, class %u", number, i);
}

static void meter_on(const char *chip) {
    program p;
    unsigned number;
    program_open(&p, chip, "");
    program_load(&p, "meter");
    program_blobs(&p, 0, 1, 0);
    for (number = 0; number < 6; number++) meter_reads(&p, number);
    program_close(&p);
}

Test(sim_nnie, the_meter_gives_the_classes_of_the_cpu_on_hi3516cv500) { meter_on(chips[0]); }
Test(sim_nnie, the_meter_gives_the_classes_of_the_cpu_on_hi3519av100) { meter_on(chips[1]); }
Test(sim_nnie, the_meter_gives_the_classes_of_the_cpu_on_hi3559av100) { meter_on(chips[2]); }

/* --------------------------------------------------------------------------------------------- every kind of model */

static uint32_t row_of_sequence(const golden_tensor *t, unsigned frame) { return t->kind[1] == 'E' ? frame : 0; }

/* Element (frame, c, h, w) of the golden file to its place in the blob. */
static void put_element(const vendor_blob *blob, const golden_tensor *t, unsigned n, unsigned c, unsigned h, unsigned w,
                        int32_t value) {
    if (t->kind[0] == 'U') *program_u8(blob, n, c, h, w) = (uint8_t)value;
    else if (t->kind[0] == 'Y') *program_yvu(blob, n, c, h, w) = (uint8_t)value;
    else if (row_of_sequence(t, 1) == 1) *program_step(blob, n, w) = value;
    else *program_s32(blob, n, c, h, w) = value;
}

static int32_t get_element(const vendor_blob *blob, const golden_tensor *t, unsigned n, unsigned c, unsigned h,
                           unsigned w) {
    return row_of_sequence(t, 1) == 1 ? *program_step(blob, n, w) : *program_s32(blob, n, c, h, w);
}

static void put_all(const vendor_blob *blob, const golden_tensor *t) {
    unsigned n, c, h, w;
    size_t i = 0;
    for (n = 0; n < t->frames; n++)
        for (c = 0; c < t->channels; c++)
            for (h = 0; h < t->height; h++)
                for (w = 0; w < t->width; w++) put_element(blob, t, n, c, h, w, golden_at(t, i++));
}

static void compare_all(const vendor_blob *blob, const golden_tensor *t, const char *name) {
    unsigned n, c, h, w, wrong = 0;
    size_t i = 0;
    for (n = 0; n < t->frames; n++)
        for (c = 0; c < t->channels; c++)
            for (h = 0; h < t->height; h++)
                for (w = 0; w < t->width; w++, i++) {
                    const long difference = (long)get_element(blob, t, n, c, h, w) - golden_at(t, i);
                    if (labs(difference) > t->within && wrong++ == 0)
                        cr_expect_fail("%s: segment %u output %u (%u, %u, %u, %u) is off by %ld", name, t->segment,
                                       t->index, n, c, h, w, difference);
                }
    cr_expect_eq(wrong, 0, "%s: %u elements", name, wrong);
}

static void segment_as_reference(program *p, const golden *g, const char *name, uint32_t segment, uint32_t core) {
    const golden_tensor *first = golden_find(g, segment, false, 0), *boxes = golden_boxes(g, segment);
    uint32_t i;
    if (first->sequences) program_steps(p, first->steps, first->sequences);
    program_blobs(p, segment, first->sequences ? first->sequences : first->frames, boxes ? boxes->height : 0);
    for (i = 0; i < p->input_count; i++) put_all(&p->inputs[i], golden_find(g, segment, false, i));
    if (boxes) put_all(&p->boxes, boxes);
    program_flush_all(p);
    program_run(p, segment, core);
    program_flush_all(p);
    for (i = 0; i < p->output_count; i++) compare_all(&p->outputs[i], golden_find(g, segment, true, i), name);
}

static void every_model(const char *chip, uint32_t core, bool cached) {
    static const char *const names[] = {"same_u8",     "same_gray", "same_yuv420", "same_yuv422", "same_s32",
                                        "same_vector", "picture",   "yuv420",      "yuv422",      "gray",
                                        "features",    "vector",    "two",         "equal_names", "three_segments",
                                        "cpu_between", "rcnn",      "ssd",         "yolo1",       "yolo2",
                                        "yolo3",       "lstm"};
    size_t i;
    program p;
    program_open(&p, chip, "");
    p.uncached = !cached;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        golden g;
        uint32_t segment;
        cr_assert(golden_read(&g, vendor_folder(), names[i]), "%s", names[i]);
        program_load(&p, names[i]);
        for (segment = 0; segment < p.model->segments; segment++) segment_as_reference(&p, &g, names[i], segment, core);
        program_unload(&p);
        golden_free(&g);
    }
    program_close(&p);
}

Test(sim_nnie, every_model_is_what_the_reference_computes_on_hi3516cv500) { every_model(chips[0], 0, true); }
Test(sim_nnie, every_model_is_what_the_reference_computes_on_hi3519av100) { every_model(chips[1], 0, false); }
Test(sim_nnie, every_model_is_what_the_reference_computes_on_the_second_core) { every_model(chips[2], 1, true); }
