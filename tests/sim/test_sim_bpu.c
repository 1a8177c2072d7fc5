/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_bpu.c - the simulated Horizon boards compute what their models say, in every release of the libraries, as a
   program sees it that was written like the vendor's samples. Nothing of nnrt is in here. What the libraries answer to
   what is wrong is in test_sim_bpu_calls.c. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include "sim/bpu/golden.h"
#include "sim/bpu/vendor_program.h"

/* ------------------------------------------------------------------------------------------------------ the meter */

static void read_file(const char *name, unsigned number, void *bytes, size_t size) {
    char path[80];
    FILE *file;
    (void)snprintf(path, sizeof(path), "examples/meter/golden/%s%u.bin", name, number);
    file = fopen(path, "rb");
    cr_assert(file != NULL && fread(bytes, 1, size, file) == size, "%s: run me where README.md is", path);
    (void)fclose(file);
}

/* Window number of the meter's own files; the classes are those of the CPU device. */
static void meter_reads(program *p, unsigned number) {
    const size_t pitch = p->layout->ucp ? (size_t)p->input[0].stride[1] : (size_t)p->input[0].aligned[3];
    int8_t window[32][20], digit[10];
    uint32_t h, w, i;
    read_file("input", number, window, sizeof(window));
    read_file("expected", number, digit, sizeof(digit));
    for (h = 0; h < 32; h++)
        for (w = 0; w < 20; w++) program_bytes(p, false, 0)[h * pitch + w] = (uint8_t)(window[h][w] + 128);
    program_run(p);
    for (i = 0; i < 10; i++)
        cr_expect_eq((int8_t)program_bytes(p, true, 0)[i], digit[i], "%s %s: window %u, class %u", p->chip, p->release,
                     number, i);
}

static void meter_on(const program_board *board) {
    unsigned release, number;
    for (release = 0; release < 6 && board->releases[release]; release++) {
        program p;
        program_open(&p, board->chip, board->releases[release]);
        program_load(&p, "meter", "meter");
        for (number = 0; number < 6; number++) meter_reads(&p, number);
        program_close(&p);
    }
}

Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_x3_in_all_releases) { meter_on(&program_boards[0]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_j5_in_all_releases) { meter_on(&program_boards[1]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_x5) { meter_on(&program_boards[2]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_s100_in_all_releases) { meter_on(&program_boards[3]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_s600) { meter_on(&program_boards[4]); }

/* --------------------------------------------------------------------------------------------- every kind of model */

/* Where element number i of the golden tensor stands: strides of UCP, else those of alignedShape. */
static size_t place(const program_properties *p, bool ucp, size_t element, size_t i) {
    int64_t step = (int64_t)element, offset = 0;
    int32_t k;
    for (k = p->rank; k-- > 0;) {
        const int64_t at = (int64_t)(i % (size_t)p->valid[k]);
        offset += at * (ucp ? p->stride[k] : step);
        step *= p->aligned[k];
        i /= (size_t)p->valid[k];
    }
    return (size_t)offset;
}

/* A picture of planes in rows of the pitch. */
static void put_picture(const program_properties *p, uint8_t *to, const golden_tensor *t) {
    const size_t pitch = (size_t)p->aligned[3], width = (size_t)p->valid[3];
    size_t row;
    for (row = 0; row < t->bytes / width; row++) memcpy(to + row * pitch, t->data + row * width, width);
}

/* Of 4 bits: where the byte of element number i is, and which half of it. */
static size_t half_place(const program_properties *p, bool ucp, size_t i, unsigned *shift) {
    const size_t width = (size_t)p->valid[p->rank - 1], row = i / width;
    *shift = i % width % 2 ? 4 : 0;
    return row * (ucp ? (size_t)p->stride[p->rank - 2] : (width + 1) / 2) + i % width / 2;
}

static void put_halves(program *p, const golden_tensor *t) {
    uint8_t *to = program_bytes(p, false, (int32_t)t->index);
    unsigned shift;
    size_t i;
    memset(to, 0, (size_t)p->input[t->index].bytes);
    for (i = 0; i < t->bytes; i++) {
        const size_t at = half_place(&p->input[t->index], p->layout->ucp, i, &shift);
        to[at] = (uint8_t)(to[at] | (t->data[i] & 15) << shift);
    }
}

static unsigned wrong_halves(program *p, const golden_tensor *t) {
    const uint8_t *from = program_bytes(p, true, (int32_t)t->index);
    unsigned shift, wrong = 0;
    size_t i;
    for (i = 0; i < t->bytes; i++) {
        const size_t at = half_place(&p->output[t->index], p->layout->ucp, i, &shift);
        wrong += (from[at] >> shift & 15) != (t->data[i] & 15);
    }
    return wrong;
}

static bool is_half(const program_properties *p) { return p->type == VENDOR_S4 || p->type == VENDOR_U4; }

static void put_input(program *p, const golden_tensor *t) {
    const program_properties *properties = &p->input[t->index];
    uint8_t *to = program_bytes(p, false, (int32_t)t->index);
    size_t i;
    if (is_half(properties)) put_halves(p, t);
    else if (!p->layout->ucp && properties->type <= VENDOR_NV12) put_picture(properties, to, t);
    else
        for (i = 0; i < t->bytes / t->element; i++)
            memcpy(to + place(properties, p->layout->ucp, t->element, i), t->data + i * t->element, t->element);
}

static void look_at_output(program *p, const char *model, const golden_tensor *t) {
    const program_properties *properties = &p->output[t->index];
    const uint8_t *from = program_bytes(p, true, (int32_t)t->index);
    unsigned wrong = is_half(properties) ? wrong_halves(p, t) : 0;
    size_t i;
    for (i = 0; i < t->bytes / t->element && !is_half(properties); i++)
        wrong +=
            memcmp(from + place(properties, p->layout->ucp, t->element, i), t->data + i * t->element, t->element) != 0;
    cr_expect_eq(wrong, 0, "%s %s, %s: %u of %zu elements of output %u are not the reference's", p->chip, p->release,
                 model, wrong, t->bytes / t->element, t->index);
}

/* All of each picture, as one ROI. */
static void run_rois(program *p, int32_t count) {
    static const vendor_roi whole[2] = {{0, 0, 23, 15}, {0, 0, 23, 15}};
    int32_t i;
    for (i = 0; i < p->input_count; i++) PROGRAM_WORKS(program_flush(p, program_memory(p, false, i), VENDOR_CLEAN));
    PROGRAM_WORKS(program_roi_infer(p, whole, count));
    PROGRAM_WORKS(program_wait(p, p->task, 0));
    for (i = 0; i < p->output_count; i++)
        PROGRAM_WORKS(program_flush(p, program_memory(p, true, i), VENDOR_INVALIDATE));
    PROGRAM_WORKS(program_release(p, p->task));
}

/* rois: 0: it is an Infer. */
static void model_on(const program_board *board, const char *release, const char *model, int32_t rois) {
    program p;
    golden g;
    unsigned i;
    program_open(&p, board->chip, release);
    cr_assert(golden_read(&g, program_folder(), model, board->chip), "no golden file of %s on %s", model, board->chip);
    program_load(&p, model, NULL);
    for (i = 0; i < g.count; i++)
        if (!g.tensor[i].output) put_input(&p, &g.tensor[i]);
    if (rois) run_rois(&p, rois);
    else program_run(&p);
    for (i = 0; i < g.count; i++)
        if (g.tensor[i].output) look_at_output(&p, model, &g.tensor[i]);
    golden_free(&g);
    program_close(&p);
}

static const char *const models[] = {"features", "shifted",  "detector", "camera",   "gray",     "padded",   "rotated",
                                     "rank3",    "batch",    "calls",    "small",    "rgb",      "bgr",      "same_s8",
                                     "same_u8",  "same_f16", "same_s16", "same_u16", "same_f32", "same_s32", "same_u32",
                                     "same_f64", "same_s64", "same_u64", "same_s4",  "same_u4"};

/* One ROI is one run then, for all inputs of the resizer. */
static bool before_1_14(const char *release) { return strcmp(release, "1.6.1") == 0 || strcmp(release, "1.9.7") == 0; }

static void models_on(const program_board *board) {
    unsigned release, i;
    for (release = 0; release < 6 && board->releases[release]; release++) {
        for (i = 0; i < sizeof(models) / sizeof(models[0]); i++)
            model_on(board, board->releases[release], models[i], 0);
        if (board->chip[0] == 's') {
            model_on(board, board->releases[release], "same_bool8", 0);
        } else {
            model_on(board, board->releases[release], "old", 0);
            model_on(board, board->releases[release], "yuv444", 0);
            model_on(board, board->releases[release], "resizer", 1);
            model_on(board, board->releases[release], "resizers", before_1_14(board->releases[release]) ? 1 : 2);
        }
    }
}

Test(sim_bpu, every_model_gives_the_bytes_of_the_reference_on_x3) { models_on(&program_boards[0]); }
Test(sim_bpu, every_model_gives_the_bytes_of_the_reference_on_j5) { models_on(&program_boards[1]); }
Test(sim_bpu, every_model_gives_the_bytes_of_the_reference_on_x5) { models_on(&program_boards[2]); }
Test(sim_bpu, every_model_gives_the_bytes_of_the_reference_on_s100) { models_on(&program_boards[3]); }
Test(sim_bpu, every_model_gives_the_bytes_of_the_reference_on_s600) { models_on(&program_boards[4]); }

/* Dynamic sizes: the caller chooses those of the input, and asks the task for those of the output. */
static void dynamic_on(const program_board *board, const char *release, const char *model) {
    program p;
    golden g;
    vendor_ucp_tensor *in;
    vendor_ucp_properties told;
    unsigned i;
    program_open(&p, board->chip, release);
    cr_assert(golden_read(&g, program_folder(), model, board->chip), "no golden file of %s", model);
    cr_assert_eq(g.count, 2);
    PROGRAM_WORKS(program_initialize(&p, "dynamic"));
    program_choose(&p, NULL);
    for (i = 1; i < 3; i++) p.input[0].valid[i] = (int32_t)g.tensor[0].dims[i];
    p.output[0].bytes = 16384;
    program_tensors(&p);
    in = (vendor_ucp_tensor *)program_tensor(&p, false, 0);
    for (i = 1; i < 3; i++) in->properties.validShape.dimensionSize[i] = p.input[0].valid[i];
    put_input(&p, &g.tensor[0]);
    PROGRAM_WORKS(program_flush(&p, program_memory(&p, false, 0), VENDOR_CLEAN));
    program_start(&p, 0, 0);
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNGetTaskOutputTensorProperties", (void *, vendor_handle, int32_t, int32_t),
                               (&told, p.task, 0, 0)));
    program_read(&p, &told, &p.output[0]);
    PROGRAM_WORKS(program_flush(&p, program_memory(&p, true, 0), VENDOR_INVALIDATE));
    PROGRAM_WORKS(program_release(&p, p.task));
    look_at_output(&p, model, &g.tensor[1]);
    golden_free(&g);
    program_close(&p);
}

static void sizes_on(const program_board *board) {
    static const char *const sizes[] = {"dynamic.0", "dynamic.1", "dynamic.2"};
    unsigned i;
    for (i = 0; i < 3; i++) dynamic_on(board, board->releases[0], sizes[i]);
}

Test(sim_bpu, every_size_gives_the_bytes_of_the_reference_on_s100) { sizes_on(&program_boards[3]); }
Test(sim_bpu, every_size_gives_the_bytes_of_the_reference_on_s600) { sizes_on(&program_boards[4]); }
