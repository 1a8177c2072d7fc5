/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_run.c - models run on every simulated Horizon chip with every release of its libraries, and give the int8
   bytes of the CPU device: the source is that of the other devices' programs, and knows no chip.

   The board notices a missing or misplaced flush, an array of another layout, memory that is freed in use, and its
   report is part of each test. */
#include "linked.h"

#include <criterion/criterion.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bpu_board.h"
#include "sim/bpu/golden.h"

#define METER "examples/meter/meter.tflite"
#define PIXELS (32u * 20u)
#define CLASSES 10u

/* A picture of the meter, as pixels, and the int8 answer of the CPU device to it. */
static void meter_answer(const board *b, uint32_t seed, uint8_t *pixels, int8_t *classes) {
    int8_t window[PIXELS];
    size_t i;
    for (i = 0; i < PIXELS; i++) {
        pixels[i] = rig_byte(seed, i);
        window[i] = (int8_t)(pixels[i] - 128);
    }
    cpu_answer(b, METER, (const uint8_t *)window, (uint8_t *)classes, CLASSES);
}

/* One run of batch pictures with what the rig has for tensors. */
static void meter_runs(rig *r, uint32_t seed, uint32_t batch) {
    uint8_t pixels[PIXELS];
    int8_t classes[CLASSES];
    size_t size;
    uint32_t i;
    rig_fill(r, seed);
    for (i = 0; i < batch; i++) {
        meter_answer(r->b, seed + i, pixels, classes);
        memcpy(bytes_of(r->inputs[0], &size) + i * PIXELS, pixels, PIXELS);
        MUST(size == (size_t)batch * PIXELS, "%zu bytes", size);
    }
    MUST_WORK(rig_run(r));
    for (i = 0; i < batch; i++) {
        meter_answer(r->b, seed + i, pixels, classes);
        MUST(memcmp(bytes_of(r->outputs[0], &size) + i * CLASSES, classes, CLASSES) == 0, "picture %u of %u",
             (unsigned)i, (unsigned)batch);
        MUST(size == (size_t)batch * CLASSES, "%zu bytes", size);
    }
}

/* Tensors of the BPU and of the CPU, two runs each. */
static void meter_lives(board *b, const void *user) {
    static const char *const *none = NULL;
    const size_t devices[2] = {b->npu, b->cpu};
    size_t d;
    rig r;
    (void)user;
    for (d = 0; d < 2; d++) {
        rig_open(&r, b, "meter", none);
        rig_tensors(&r, devices[d]);
        meter_runs(&r, 11, 1);
        meter_runs(&r, 12, 1);
        rig_end(&r);
    }
}

Test(bpu_run, the_meter_gives_the_bytes_of_the_cpu_on_every_chip_with_every_release, .timeout = 120) {
    board_each_release(meter_lives, NULL);
}

/* ---------------------------------------------------------------------------------------------- other forms */

typedef struct meter_form {
    const char *configs[8];
    uint32_t batch;
} meter_form;

static void form_lives(board *b, const void *user) {
    const meter_form *form = (const meter_form *)user;
    const size_t devices[2] = {b->npu, b->cpu};
    size_t d;
    rig r;
    for (d = 0; d < 2; d++) {
        rig_open(&r, b, "meter", form->configs);
        rig_tensors(&r, devices[d]);
        meter_runs(&r, 31, form->batch);
        meter_runs(&r, 71, form->batch);
        rig_end(&r);
    }
}

Test(bpu_run, several_runs_are_one_task_in_every_release, .timeout = 120) {
    static const meter_form few = {{"bpu.batch", "3", NULL}, 3}, many = {{"bpu.batch", "40", NULL}, 40};
    board_each_release(form_lives, &few);
    board_each(board_all, form_lives, &many);
}

Test(bpu_run, own_memory_without_a_cache_gives_the_same) {
    static const meter_form form = {{"bpu.memory", "uncached", NULL}, 1};
    board_each(board_all, form_lives, &form);
}

Test(bpu_run, every_priority_core_and_number_of_the_program_is_taken) {
    static const meter_form first = {{"bpu.priority", "255", "bpu.cores", "0", NULL}, 1},
                            second = {{"bpu.priority", "254", "bpu.custom_id", "7", NULL}, 1},
                            third = {{"bpu.custom_id", "run", "bpu.timeout_ms", "20000", NULL}, 1};
    board_each(board_all, form_lives, &first);
    board_each(board_all, form_lives, &second);
    board_each(board_all, form_lives, &third);
}

/* What the scale and zero point of the output say, as floats. */
static void float_lives(board *b, const void *user) {
    static const char *const configs[] = {"bpu.io_float", "1", NULL};
    uint8_t pixels[PIXELS];
    int8_t classes[CLASSES];
    double scale = 0;
    int32_t zero_point = 0;
    size_t size, i;
    rig exact, r;
    (void)user;
    meter_answer(b, 5, pixels, classes);
    rig_open(&exact, b, "meter", NULL);
    MUST_WORK(nnrt_executor_get_output_quant(exact.executor, 0, &scale, &zero_point));
    MUST(scale > 0, "the output is not quantized");
    rig_end(&exact);
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    memcpy(bytes_of(r.inputs[0], &size), pixels, PIXELS);
    MUST_WORK(rig_run(&r));
    for (i = 0; i < CLASSES; i++) {
        float is;
        memcpy(&is, bytes_of(r.outputs[0], &size) + 4 * i, 4);
        MUST(is == (float)(classes[i] - zero_point) * (float)scale, "class %zu is %f", i, (double)is);
    }
    MUST(size == 4 * CLASSES, "%zu bytes", size);
    rig_end(&r);
}

Test(bpu_run, floats_are_what_scales_and_zero_points_say) { board_each(board_all, float_lives, NULL); }

/* Rows of 64 bytes, as a camera has them: the program's tensor has that width, and is used where it lies. */
static void pitch_lives(board *b, const void *user) {
    static const char *const configs[] = {"bpu.pitch", "64", NULL};
    uint8_t pixels[PIXELS], *to;
    int8_t classes[CLASSES];
    size_t size, row;
    rig r;
    (void)user;
    meter_answer(b, 9, pixels, classes);
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    to = bytes_of(r.inputs[0], &size);
    MUST(size == 32 * 64, "%zu bytes", size);
    memset(to, 0x5a, size);
    for (row = 0; row < 32; row++) memcpy(to + 64 * row, pixels + 20 * row, 20);
    MUST_WORK(rig_run(&r));
    MUST(memcmp(bytes_of(r.outputs[0], &size), classes, CLASSES) == 0, "other classes");
    MUST(rig_number(&r, "bpu.copied_bytes") == 0, "something was copied");
    rig_end(&r);
}

Test(bpu_run, pictures_with_rows_of_a_camera_are_used_where_they_lie) { board_each(board_all, pitch_lives, NULL); }

/* ------------------------------------------------------------------------------------------------ raw bytes */

/* The program fills what the board has, padding included, and finds the classes at the beginning of the output. */
static void raw_lives(board *b, const void *user) {
    static const char *const configs[] = {"bpu.io_raw", "1", NULL};
    uint8_t pixels[PIXELS], *to;
    int8_t classes[CLASSES];
    size_t size, row, pitch;
    rig r;
    (void)user;
    meter_answer(b, 3, pixels, classes);
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    to = bytes_of(r.inputs[0], &size);
    pitch = size / 32;
    MUST(pitch >= 20 && size == 32 * pitch, "%zu bytes", size);
    memset(to, 0, size);
    for (row = 0; row < 32; row++) memcpy(to + pitch * row, pixels + 20 * row, 20);
    MUST_WORK(rig_run(&r));
    MUST(memcmp(bytes_of(r.outputs[0], &size), classes, CLASSES) == 0, "other classes");
    MUST(rig_number(&r, "bpu.copied_bytes") == 0, "raw bytes were copied");
    rig_end(&r);
}

Test(bpu_run, raw_bytes_are_those_of_the_board) { board_each_release(raw_lives, NULL); }

/* --------------------------------------------------------------------------------------- every kind of model */

/* What a program sees is the reference's bytes, as shapes have no gaps and types are the board's. */
static void golden_runs(rig *r, const golden *g) {
    size_t size;
    unsigned i;
    for (i = 0; i < g->count; i++) {
        const golden_tensor *t = &g->tensor[i];
        uint8_t *data = bytes_of((t->output ? r->outputs : r->inputs)[t->index], &size);
        MUST(size == t->bytes, "%s %u has %zu bytes, the reference %zu", t->output ? "output" : "input", t->index, size,
             t->bytes);
        if (t->output) memset(data, 0xd7, size);
        else memcpy(data, t->data, size);
    }
    MUST_WORK(rig_run(r));
    for (i = 0; i < g->count; i++) {
        const golden_tensor *t = &g->tensor[i];
        if (t->output)
            MUST(memcmp(bytes_of(r->outputs[t->index], &size), t->data, t->bytes) == 0, "output %u is another one",
                 t->index);
    }
}

static void golden_lives(board *b, const char *model, const char *const *configs) {
    const size_t devices[2] = {b->npu, b->cpu};
    size_t d;
    golden g;
    rig r;
    MUST(golden_read(&g, b->folder, model, b->chip), "no reference of %s", model);
    for (d = 0; d < 2; d++) {
        rig_open(&r, b, model, configs);
        rig_tensors(&r, devices[d]);
        golden_runs(&r, &g);
        golden_runs(&r, &g);
        rig_end(&r);
    }
    golden_free(&g);
}

static const char *const models[] = {"features", "shifted",  "detector", "camera",   "gray",     "padded",
                                     "rotated",  "rank3",    "batch",    "calls",    "small",    "rgb",
                                     "bgr",      "same_s8",  "same_u8",  "same_f16", "same_s16", "same_u16",
                                     "same_f32", "same_s32", "same_u32", "same_f64", "same_s64", "same_u64"};

static void all_models_live(board *b, const void *user) {
    size_t i;
    for (i = 0; i < sizeof(models) / sizeof(models[0]); i++) golden_lives(b, models[i], (const char *const *)user);
    if (b->chip[0] == 's') {
        golden_lives(b, "same_bool8", (const char *const *)user);
    } else {
        golden_lives(b, "old", (const char *const *)user);
        golden_lives(b, "yuv444", (const char *const *)user);
    }
}

Test(bpu_run, every_model_gives_the_bytes_of_the_reference_with_every_release, .timeout = 240) {
    board_each_release(all_models_live, NULL);
}

Test(bpu_run, every_model_gives_the_bytes_of_the_reference_through_uncached_memory, .timeout = 120) {
    static const char *const configs[] = {"bpu.memory", "uncached", NULL};
    board_each(board_all, all_models_live, configs);
}

/* ------------------------------------------------------------------------------------------------ two planes */

/* NV12 of X3, J5 and X5 as the two inputs that it is on S100 and S600: from here on the program is the same. */
static void planes_live(board *b, const void *user) {
    static const char *const configs[] = {"bpu.nv12", "planes", NULL};
    const char *const *asked = b->chip[0] == 's' ? NULL : configs;
    const char *const names[2] = {"camera", "detector"};
    const size_t devices[2] = {b->npu, b->cpu};
    size_t d, k, size;
    (void)user;
    for (k = 0; k < 2; k++)
        for (d = 0; d < 2; d++) {
            golden g;
            unsigned i, luma = 0;
            rig r;
            MUST(golden_read(&g, b->folder, names[k], "x3"), "no reference of %s", names[k]);
            rig_open(&r, b, names[k], asked);
            MUST(r.input_count == 2, "%zu inputs", r.input_count);
            rig_tensors(&r, devices[d]);
            for (i = 0; i < g.count; i++) {
                const golden_tensor *t = &g.tensor[i];
                if (t->output) continue;
                luma = (unsigned)t->bytes / 3 * 2;
                memcpy(bytes_of(r.inputs[0], &size), t->data, luma);
                MUST(size == luma, "%zu bytes of luma, not %u", size, luma);
                memcpy(bytes_of(r.inputs[1], &size), t->data + luma, luma / 2);
                MUST(size == luma / 2, "%zu bytes of chroma", size);
            }
            MUST_WORK(rig_run(&r));
            for (i = 0; i < g.count; i++)
                if (g.tensor[i].output)
                    MUST(memcmp(bytes_of(r.outputs[g.tensor[i].index], &size), g.tensor[i].data, g.tensor[i].bytes) ==
                             0,
                         "%s, output %u", names[k], g.tensor[i].index);
            rig_end(&r);
            golden_free(&g);
        }
}

Test(bpu_run, the_planes_of_a_picture_are_inputs_of_their_own_on_every_chip) {
    board_each(board_all, planes_live, NULL);
}

/* ------------------------------------------------------------------------------------------- a camera's memory */

#define CAMERA_ROWS 12u
#define CAMERA_WIDTH 20u
#define CAMERA_PITCH 64u

static NN_Tensor *camera_tensor(const rig *r, size_t i, uint64_t physical, void *address, size_t size) {
    NN_TensorDesc *desc = rig_desc(r, false, i);
    NN_Tensor *tensor = nnrt_tensor_create_physical(r->b->npu, desc, physical, address, size);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

/* The camera writes by physical addresses, and the program never touches the picture: rows of its pitch, luma, then
   chroma. planes: two tensors of one memory, as on S100 and S600. */
static void camera_runs(board *b, bool planes, int cached) {
    static const char *const whole[] = {"bpu.pitch", "64", NULL}, *const apart[] = {"bpu.pitch", "64", "bpu.nv12",
                                                                                    "planes", NULL};
    const size_t luma = CAMERA_ROWS * CAMERA_PITCH, size = luma / 2 * 3;
    bpu_controls controls;
    const golden_tensor *picture = NULL;
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    uint64_t physical = 0;
    void *address = NULL;
    unsigned i, row, turn;
    size_t bytes;
    golden g;
    rig r;
    MUST(bpu_find_controls(b, &controls), "no controls");
    MUST(golden_read(&g, b->folder, "camera", "x3"), "no reference");
    for (i = 0; i < g.count; i++)
        if (!g.tensor[i].output) picture = &g.tensor[i];
    rig_open(&r, b, "camera", planes ? apart : whole);
    MUST(controls.camera_alloc(size, cached, &physical, &address) == 0, "no camera");
    r.inputs[0] = camera_tensor(&r, 0, physical, address, planes ? luma : size);
    if (planes) r.inputs[1] = camera_tensor(&r, 1, physical + luma, (uint8_t *)address + luma, luma / 2);
    r.outputs[0] = rig_tensor(&r, b->npu, true, 0);
    for (turn = 0; turn < 2; turn++) {
        for (row = 0; row < CAMERA_ROWS / 2 * 3; row++)
            MUST(controls.memory_write(physical + row * CAMERA_PITCH, picture->data + row * CAMERA_WIDTH,
                                       CAMERA_WIDTH) == 0,
                 "the camera cannot write");
        MUST_WORK(rig_run(&r));
        MUST_WORK(nnrt_executor_get_profile(r.executor, &steps, &count));
        MUST(steps[0].copied_bytes == 0 && strcmp(steps[0].kernel, "bind") == 0, "the picture was copied");
        for (i = 0; i < g.count; i++)
            if (g.tensor[i].output)
                MUST(memcmp(bytes_of(r.outputs[0], &bytes), g.tensor[i].data, g.tensor[i].bytes) == 0,
                     "turn %u: another result", turn);
    }
    rig_end(&r);
    controls.camera_free(physical);
    golden_free(&g);
}

static void camera_lives(board *b, const void *user) {
    int cached;
    (void)user;
    for (cached = 0; cached < 2; cached++) {
        if (b->chip[0] != 's') camera_runs(b, false, cached);
        camera_runs(b, true, cached);
    }
}

Test(bpu_run, a_picture_in_the_memory_of_a_camera_is_used_where_it_lies) { board_each(board_all, camera_lives, NULL); }

static void physical_refused(const rig *r, size_t device, NN_TensorDesc *desc, uint64_t physical, void *address,
                             size_t size, const char *piece) {
    (void)r;
    MUST(nnrt_tensor_create_physical(device, desc, physical, address, size) == NULL, "%s", piece);
    MUST(strstr(nnrt_last_error(), piece) != NULL, "\"%s\": %s", piece, nnrt_last_error());
}

static void impossible_lives(board *b, const void *user) {
    NN_TensorDesc *desc;
    uint8_t bytes[16];
    rig r;
    (void)user;
    rig_open(&r, b, "small", NULL);
    desc = rig_desc(&r, false, 0);
    physical_refused(&r, b->npu, NULL, 4096, bytes, 16, "desc is NULL");
    physical_refused(&r, b->npu, desc, 4096, NULL, 16, "address is NULL");
    physical_refused(&r, b->npu, desc, 0, bytes, 16, "physical is 0");
    physical_refused(&r, b->npu, desc, 4096, bytes, 0, "size 0");
    physical_refused(&r, b->npu, desc, 4096, bytes, 15, "size is 15, the descriptor needs 16");
    physical_refused(&r, b->cpu, desc, 4096, bytes, 16, "knows no physical addresses");
    physical_refused(&r, 77, desc, 4096, bytes, 16, "no device has the id 77");
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    rig_end(&r);
}

Test(bpu_run, memory_by_physical_address_that_cannot_be_is_refused) {
    static const char *const one[] = {"x5", NULL};
    board_each(one, impossible_lives, NULL);
}

/* -------------------------------------------------------------------------------------------- dynamic shapes */

static void dynamic_lives(board *b, const void *user) {
    static const int32_t sizes[3][4] = {{1, 8, 12, 4}, {1, 5, 7, 4}, {1, 16, 3, 4}};
    const size_t devices[2] = {b->npu, b->cpu};
    unsigned turn, i;
    size_t d, size;
    rig r;
    (void)user;
    rig_open(&r, b, "dynamic", NULL);
    for (turn = 0; turn < 6; turn++) {
        const unsigned number = turn % 3;
        char name[16];
        golden g;
        (void)snprintf(name, sizeof(name), "dynamic.%u", number);
        MUST(golden_read(&g, b->folder, name, b->chip), "no reference of %s", name);
        for (d = 0; d < 2; d++) {
            int32_t *shape = NULL;
            uint32_t rank = 0;
            for (i = 0; i < g.count; i++) {
                const golden_tensor *t = &g.tensor[i];
                NN_TensorDesc *desc = rig_desc(&r, t->output, 0);
                NN_Tensor **tensor = t->output ? &r.outputs[0] : &r.inputs[0];
                int32_t roomy[4] = {1, 1, 1, (int32_t)t->bytes / 2 + 40};
                MUST_WORK(OH_NNTensorDesc_SetShape(desc, t->output ? roomy : sizes[number], 4));
                *tensor = OH_NNTensor_Create(devices[d], desc);
                MUST(*tensor != NULL, "%s", nnrt_last_error());
                MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
                if (!t->output) memcpy(bytes_of(*tensor, &size), t->data, t->bytes);
            }
            MUST_WORK(rig_run(&r));
            MUST_WORK(OH_NNExecutor_GetOutputShape(r.executor, 0, &shape, &rank));
            MUST(rank == 4 && shape[1] == sizes[number][1] && shape[2] == sizes[number][2] && shape[3] == 5,
                 "[%d,%d,%d,%d]", (int)shape[0], (int)shape[1], (int)shape[2], (int)shape[3]);
            for (i = 0; i < g.count; i++)
                if (g.tensor[i].output)
                    MUST(memcmp(bytes_of(r.outputs[0], &size), g.tensor[i].data, g.tensor[i].bytes) == 0, "turn %u",
                         turn);
            MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
            MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
        }
        golden_free(&g);
    }
    rig_end(&r);
}

Test(bpu_run, sizes_that_the_program_chooses_are_told_after_each_run) {
    static const char *const ucp[] = {"s100", "s600", NULL};
    board_each(ucp, dynamic_lives, NULL);
}

/* ------------------------------------------------------------------------------------------------ many cores */

static void two_cores_live(board *b, const void *user) {
    static const char *const both[] = {"bpu.cores", "23", NULL};
    (void)user;
    golden_lives(b, "two_cores", NULL);
    golden_lives(b, "two_cores", both);
}

Test(bpu_run, a_model_for_two_cores_gets_two) {
    static const char *const wide[] = {"s600", NULL};
    board_each(wide, two_cores_live, NULL);
}

/* ------------------------------------------------------------------------------------------- what is told of it */

static void told_lives(board *b, const void *user) {
    (void)user;
    rig_life_profile(b, "meter", bpu_suffix(b->chip));
}

Test(bpu_run, steps_that_were_told_stay_until_the_next_run) { board_each(board_all, told_lives, NULL); }

static void gone_lives(board *b, const void *user) {
    (void)user;
    rig_life_gone(b, "meter", bpu_suffix(b->chip), NULL);
}

Test(bpu_run, a_model_in_memory_may_go_with_its_compilation) { board_each_release(gone_lives, NULL); }

/* Bytes of NNRT_MALLOC that a model in memory takes; *size: of the file. */
static size_t heap_of(board *b, bool in_place, size_t *size) {
    nnrt_memory memory;
    char path[400];
    FILE *file;
    uint8_t *bytes;
    rig r;
    memset(&r, 0, sizeof(r));
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.%s", b->folder, b->chip, bpu_suffix(b->chip));
    file = fopen(path, "rb");
    MUST(file != NULL && fseek(file, 0, SEEK_END) == 0, "%s", path);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = (uint8_t *)malloc(*size);
    MUST(bytes != NULL && fread(bytes, 1, *size, file) == *size && fclose(file) == 0, "%s", path);
    r.b = b;
    r.compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, *size);
    MUST_WORK(OH_NNCompilation_SetDevice(r.compilation, b->npu));
    if (in_place) MUST_WORK(nnrt_compilation_use_in_place(r.compilation));
    MUST_WORK(OH_NNCompilation_Build(r.compilation));
    rig_execute(&r);
    MUST_WORK(nnrt_executor_get_memory(r.executor, &memory));
    rig_end(&r);
    free(bytes);
    return memory.heap_bytes;
}

static void copies_live(board *b, const void *user) {
    size_t size, in_place = heap_of(b, true, &size), safe = heap_of(b, false, &size);
    (void)user;
    MUST(safe >= in_place + size && safe <= in_place + size + 128, "%zu and %zu bytes", safe, in_place);
}

/* Whether the library copies what it is given, nobody says. */
Test(bpu_run, a_model_in_memory_is_copied_unless_the_program_keeps_it) { board_each(board_all, copies_live, NULL); }

/* ------------------------------------------------------------------------------------------ tensors of a run */

/* Every dimension counts, the first one, too, and an open one has an element at least. */
Test(bpu_run, an_input_has_the_models_shape_in_every_dimension) {
    static const struct {
        int32_t dims[3];
        uint32_t rank;
        OH_NN_DataType dtype;
        bool taken;
    } rows[] = {{{2, 5, 3}, 3, OH_NN_INT8, true},   {{2, 1, 3}, 3, OH_NN_INT8, true},
                {{1, 5, 3}, 3, OH_NN_INT8, false},  {{3, 5, 3}, 3, OH_NN_INT8, false},
                {{2, 0, 3}, 3, OH_NN_INT8, false},  {{2, -1, 3}, 3, OH_NN_INT8, false},
                {{2, 5, 4}, 3, OH_NN_INT8, false},  {{2, 5, 3}, 2, OH_NN_INT8, false},
                {{2, 5, 3}, 3, OH_NN_UINT8, false}, {{2, INT32_MAX, 3}, 3, OH_NN_INT8, true}};
    nnrt__bpu_model model;
    nnrt__bpu_port ports[2];
    nnrt_io input, output;
    size_t i;
    memset(&model, 0, sizeof(model));
    memset(ports, 0, sizeof(ports));
    memset(&output, 0, sizeof(output));
    model.ports = ports;
    model.npu.vendor = &nnrt__bpu_vendor;
    model.npu.input_count = model.npu.output_count = 1;
    ports[0].desc.dtype = OH_NN_INT8;
    ports[0].desc.rank = 3;
    ports[0].desc.dims[0] = 2, ports[0].desc.dims[1] = -1, ports[0].desc.dims[2] = 3;
    ports[1].desc.dtype = output.dtype = OH_NN_FLOAT32;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        memset(&input, 0, sizeof(input));
        input.dtype = rows[i].dtype;
        input.rank = rows[i].rank;
        memcpy(input.dims, rows[i].dims, sizeof(rows[i].dims));
        cr_expect_eq(nnrt__npu_check_tensors(&model.npu, false, &input),
                     rows[i].taken ? OH_NN_SUCCESS : OH_NN_INVALID_PARAMETER, "row %zu", i);
    }
    cr_expect_eq(nnrt__npu_check_tensors(&model.npu, true, &output), OH_NN_SUCCESS);
    output.dtype = OH_NN_INT32;
    cr_expect_eq(nnrt__npu_check_tensors(&model.npu, true, &output), OH_NN_INVALID_PARAMETER);
}
