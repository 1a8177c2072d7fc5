/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_run.c - runs on every simulated Rockchip board: the right bytes, no copy and no sync too many.

   The meter model is compared with the CPU device; models whose output is their input say by themselves what is right;
   the other models are compared between paths that share little (zero-copy and general API, NPU memory, dma-bufs and
   plain memory). Inputs are drawn with fixed seeds. */
#include "linked.h"

#include <criterion/criterion.h>

#include <pthread.h>

#include "rknpu_board.h"

#define METER "examples/meter/meter.tflite"
enum {
    METER_HEIGHT = 32,
    METER_WIDTH = 20,
    METER_CLASSES = 10
};

static const char *const plain[] = {NULL};
static const char *const native[] = {"rknn.io_layout", "native", NULL};
static const char *const nhwc[] = {"rknn.io_layout", "nhwc", NULL};
static const char *const nchw[] = {"rknn.io_layout", "nchw", NULL};
static const char *const floats[] = {"rknn.io_float", "1", NULL};
static const char *const general[] = {"rknn.api", "general", NULL};
static const char *const general_nchw[] = {"rknn.api", "general", "rknn.io_layout", "nchw", NULL};
static const char *const general_float[] = {"rknn.api", "general", "rknn.io_float", "1", NULL};
static const char *const uncached[] = {"rknn.cacheable", "0", NULL};

/* Every way in and out; those of librknnrt alone last. */
static const char *const *const ways[] = {plain, native, nhwc, nchw, uncached, general, general_nchw};
static size_t way_count(const board *b) { return b->mini ? 4 : sizeof(ways) / sizeof(ways[0]); }

/* ------------------------------------------------------------------------------ the meter and its answers */

typedef struct meter {
    uint8_t input[METER_HEIGHT * METER_WIDTH];
    uint8_t answer[METER_CLASSES];
} meter;

static void meter_draw(const board *b, uint32_t seed, meter *m) {
    size_t k;
    for (k = 0; k < sizeof(m->input); k++) m->input[k] = rig_byte(seed, k);
    cpu_answer(b, METER, m->input, m->answer, sizeof(m->answer));
}

/* Columns that a row of the picture has in the tensor: the last but one of four dimensions, the padding included. */
static size_t stored_width(NN_Tensor *tensor) {
    int32_t *dims = NULL;
    size_t rank = 0;
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    MUST_WORK(OH_NNTensorDesc_GetShape(desc, &dims, &rank));
    MUST_WORK(OH_NNTensorDesc_GetFormat(desc, &format));
    MUST(rank == 4, "the meter's input has %zu dimensions", rank);
    return (size_t)(format == OH_NN_FORMAT_NCHW ? dims[3] : dims[2]);
}

/* The picture as the tensor stores it; returns its bytes. Padding holds what nobody may read. */
static size_t meter_store(const meter *m, NN_Tensor *tensor, uint8_t *into) {
    const size_t width = stored_width(tensor);
    size_t y;
    memset(into, 0x5a, METER_HEIGHT * width);
    for (y = 0; y < METER_HEIGHT; y++) memcpy(into + y * width, m->input + y * METER_WIDTH, METER_WIDTH);
    return METER_HEIGHT * width;
}

static void meter_put(const meter *m, NN_Tensor *tensor) {
    size_t size;
    uint8_t *data = bytes_of(tensor, &size);
    MUST(meter_store(m, tensor, data) <= size, "the tensor is too small");
}

/* Classes lie together in every layout, as height and width are 1. */
static void meter_check(const meter *m, NN_Tensor *tensor) {
    size_t size;
    const uint8_t *data = bytes_of(tensor, &size);
    MUST(size >= METER_CLASSES && memcmp(data, m->answer, METER_CLASSES) == 0, "not what the CPU device answers");
}

static void meter_run(rig *r, const meter *m) {
    size_t size;
    uint8_t *output = bytes_of(r->outputs[0], &size);
    memset(output, 0xd7, size);
    meter_put(m, r->inputs[0]);
    MUST_WORK(rig_run(r));
    meter_check(m, r->outputs[0]);
}

/* The same model with all its inputs drawn, run in one way; the outputs one behind the other. */
static size_t collect(const board *b, const char *model, const char *const *configs, size_t device, uint8_t *into) {
    size_t i, size, used = 0;
    rig r;
    rig_open(&r, b, model, configs);
    rig_tensors(&r, device);
    rig_fill(&r, 77);
    MUST_WORK(rig_run(&r));
    for (i = 0; i < r.output_count; i++) {
        const uint8_t *data = bytes_of(r.outputs[i], &size);
        memcpy(into + used, data, size);
        used += size;
    }
    rig_end(&r);
    return used;
}

/* ---------------------------------------------------------------------------------------- the right bytes */

static void life_meter(board *b, const void *user) {
    size_t way, n;
    (void)user;
    for (way = 0; way < way_count(b); way++) {
        const size_t devices[2] = {b->npu, b->cpu};
        for (n = 0; n < 2; n++) {
            rig r;
            meter m;
            uint32_t seed;
            rig_open(&r, b, "meter", ways[way]);
            rig_tensors(&r, devices[n]);
            for (seed = 1; seed <= 3; seed++) {
                meter_draw(b, seed, &m);
                meter_run(&r, &m);
            }
            rig_end(&r);
        }
    }
}

Test(rknpu_run, every_chip_gives_the_bytes_of_the_cpu_device_in_every_way, .timeout = 120) {
    board_each(board_all, life_meter, NULL);
}

/* Runtimes before 1.5.0 take only the first format of files. */
static void life_oldest(board *b, const void *user) {
    static uint8_t one[65536], other[65536];
    size_t size = collect(b, "version1", plain, b->npu, one);
    (void)user;
    MUST(size == collect(b, "version1", plain, b->cpu, other) && memcmp(one, other, size) == 0, "other bytes");
    if (b->mini) return;
    MUST(size == collect(b, "version1", general, b->npu, other) && memcmp(one, other, size) == 0, "other bytes");
}

static void life_older(board *b, const void *user) {
    rig r;
    meter m;
    (void)user;
    /* librknnmrt 1.6.0 takes no file from before, and none before takes its files. */
    rig_open(&r, b, b->mini && strcmp(b->version, "1.5.2") != 0 ? "meter" : "meter_v4", plain);
    rig_tensors(&r, b->npu);
    meter_draw(b, 4, &m);
    meter_run(&r, &m);
    meter_run(&r, &m);
    rig_end(&r);
}

static char heard[4096];

static void hear(void *user, nnrt_log_level level, const char *line) {
    const size_t used = strlen(heard);
    (void)user;
    (void)level;
    snprintf(heard + used, sizeof(heard) - used, "%s\n", line);
}

/* What the log says while a model is built and run; user: "" or a part of it. */
static void life_newer(board *b, const void *user) {
    rig r;
    meter m;
    nnrt_set_log(hear, NULL);
    rig_open(&r, b, "meter", plain);
    rig_tensors(&r, b->npu);
    meter_draw(b, 4, &m);
    meter_run(&r, &m);
    rig_end(&r);
    nnrt_set_log(NULL, NULL);
    MUST((strstr(heard, "newer than 2.3.2") != NULL) == *(const bool *)user, "%s", heard);
}

Test(rknpu_run, a_runtime_newer_than_any_that_was_seen_runs_and_the_log_says_so) {
    static const char *const chips[] = {"rv1106", "rk3588"};
    static const bool newer = true, known = false;
    for (size_t i = 0; i < 2; i++) {
        const int answer = board_try(chips[i], "2.5.0", life_newer, &newer);
        if (answer == BOARD_ABSENT) board_absent(0, chips[i], "2.5.0");
        else cr_assert(answer == BOARD_WORKS, "%s: %d", chips[i], answer);
        cr_assert_eq(board_try(chips[i], "", life_newer, &known), BOARD_WORKS);
    }
}

/* Maps that come out of an RV1106: NHWC costs less, and the log says what the other order costs where nobody has
   chosen and it is much. "maps" is small, and has rows that are padded in either. */
static void life_order(board *b, const void *user) {
    static const char *const models[] = {"objects", "maps", "heads"};
    static const char *const *const both[] = {plain, nhwc};
    size_t i, way;
    (void)user;
    for (i = 0; i < 3; i++) {
        uint64_t copied[2], said = 0;
        for (way = 0; way < 2; way++) {
            const char *line;
            rig r;
            heard[0] = '\0';
            nnrt_set_log(hear, NULL);
            rig_open(&r, b, models[i], both[way]);
            nnrt_set_log(NULL, NULL);
            rig_tensors(&r, b->npu);
            rig_fill(&r, 1);
            MUST_WORK(rig_run(&r));
            copied[way] = rig_number(&r, "rknn.copied_bytes");
            line = strstr(heard, "bytes are converted after every run; rknn.io_layout nhwc");
            MUST((line != NULL) == (way == 0 && i != 1), "%s, way %zu: %s", models[i], way, heard);
            if (line != NULL) said = strtoull(strstr(heard, "outputs of ") + 11, NULL, 10);
            rig_end(&r);
        }
        /* of a YOLOv8 on 640 x 640 the maps of one channel are left, whose pixels lie 16 bytes apart in the NPU */
        MUST(i != 2 || (copied[0] == 8400 * (64 + 80 + 1) && copied[1] == 8400), "copied %llu and %llu",
             (unsigned long long)copied[0], (unsigned long long)copied[1]);
        MUST(i == 1 || copied[0] == said, "%s: said %llu, copied %llu", models[i], (unsigned long long)said,
             (unsigned long long)copied[0]);
        MUST(copied[1] <= copied[0] && (i == 1 || copied[1] < copied[0]), "%s: copied %llu and %llu", models[i],
             (unsigned long long)copied[0], (unsigned long long)copied[1]);
    }
}

Test(rknpu_run, maps_of_an_rv1106_cost_a_copy_that_the_log_tells_and_nhwc_makes_smaller) {
    board_each(board_mini, life_order, NULL);
}

/* The NPU's own bytes hold more than elements where blocks of channels or rows are not full: the log says so to whoever
   asked for them, and nobody else. The meter's ten classes are 16 lanes on an RK3566. */
static void life_lanes(board *b, const void *user) {
    const bool padded = strcmp(b->chip, "rk3566") == 0 || strcmp(b->chip, "rk3568") == 0;
    rig r;
    (void)user;
    for (size_t way = 0; way < 4; way++) {
        heard[0] = '\0';
        nnrt_set_log(hear, NULL);
        rig_open(&r, b, way < 2 ? "meter" : "odd", way % 2 != 0 ? native : plain);
        nnrt_set_log(NULL, NULL);
        rig_end(&r);
        MUST((strstr(heard, "1 of the outputs has bytes of no element, which are undefined") != NULL) ==
                 (way % 2 != 0 && (padded || way >= 2)),
             "way %zu: %s", way, heard);
    }
}

Test(rknpu_run, native_outputs_with_bytes_of_no_element_are_told) { board_each(board_all, life_lanes, NULL); }

/* ------------------------------------------------------------------------------------------------------ retry */

/* The NPU gives up runs, as that of an RV1106 does while the ISP streams. */
static void life_retry(board *b, const void *user) {
    static const char *const twice[] = {"rknn.retry", "2", NULL};
    static const char *const twice_general[] = {"rknn.retry", "2", "rknn.api", "general", NULL};
    const char *const *const configs = user != NULL ? twice_general : twice;
    rig r;
    meter m;
    nnrt_set_log(hear, NULL);
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    meter_draw(b, 4, &m);
    b->fault("rknn_run@1=fail:-1,rknn_run@2=fail:-2");
    meter_run(&r, &m); /* right bytes at the third time */
    MUST(b->calls("rknn_run") == 3, "%u calls", b->calls("rknn_run"));
    MUST(strstr(heard, "gave up a run 2 times") != NULL, "%s", heard);
    b->fault("rknn_run@0=fail:-1");
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, rig_run(&r)); /* as every failure of a device in a run */
    MUST(b->calls("rknn_run") == 3, "%u calls", b->calls("rknn_run"));
    MUST(strstr(nnrt_last_error(), "rknn_run, 3 times: ") != NULL, "%s", nnrt_last_error());
    b->fault("rknn_run@1=fail:-5"); /* another code is no passing thing */
    MUST(rig_run(&r) != OH_NN_SUCCESS, "it ran");
    MUST(b->calls("rknn_run") == 1, "%u calls", b->calls("rknn_run"));
    b->fault("");
    meter_run(&r, &m);
    rig_end(&r);
    rig_open(&r, b, "meter", plain); /* no retry without being asked for */
    rig_tensors(&r, b->npu);
    b->fault("rknn_run@1=fail:-1");
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, rig_run(&r));
    MUST(b->calls("rknn_run") == 1, "%u calls", b->calls("rknn_run"));
    MUST(strstr(nnrt_last_error(), b->mini ? "let rknn.retry call it again" : "'failed to submit'") != NULL, "%s",
         nnrt_last_error());
    b->fault("");
    meter_run(&r, &m);
    rig_end(&r);
    nnrt_set_log(NULL, NULL);
}

Test(rknpu_run, runs_that_the_npu_gives_up_are_given_to_it_again_where_the_program_asks_for_it) {
    board_each(board_all, life_retry, NULL);
    board_each(board_full, life_retry, "general");
}

/* What the program gets of each of the runtime's codes, as the table of docs/rknpu.md has it. */
static void life_codes(board *b, const void *user) {
    static const OH_NN_ReturnCode codes[15] = {OH_NN_SUCCESS,
                                               OH_NN_UNAVAILABLE_DEVICE,
                                               OH_NN_TIMEOUT,
                                               OH_NN_CONNECTION_EXCEPTION,
                                               OH_NN_MEMORY_ERROR,
                                               OH_NN_INVALID_PARAMETER,
                                               OH_NN_UNAVAILABLE_DEVICE,
                                               OH_NN_UNAVAILABLE_DEVICE,
                                               OH_NN_INVALID_PARAMETER,
                                               OH_NN_INVALID_PARAMETER,
                                               OH_NN_UNAVAILABLE_DEVICE,
                                               OH_NN_UNAVAILABLE_DEVICE,
                                               OH_NN_UNAVAILABLE_DEVICE,
                                               OH_NN_UNAVAILABLE_DEVICE,
                                               OH_NN_UNAVAILABLE_DEVICE};
    int i;
    (void)user;
    for (i = 1; i < 15; i++) {
        char fault[48], tail[32];
        OH_NN_ReturnCode code;
        rig r;
        rig_open(&r, b, "meter", plain);
        rig_tensors(&r, b->npu);
        snprintf(fault, sizeof(fault), "rknn_run@1=fail:-%d", i);
        snprintf(tail, sizeof(tail), "(rknn code -%d)", i);
        b->fault(fault);
        code = rig_run(&r);
        MUST(code == codes[i], "-%d: %d, %s", i, (int)code, nnrt_last_error());
        MUST(strstr(nnrt_last_error(), tail) != NULL, "-%d: %s", i, nnrt_last_error());
        b->fault("");
        code = rig_run(&r);
        MUST((code == OH_NN_SUCCESS) == (i != 3), "-%d, the next run: %d", i, (int)code);
        rig_end(&r);
    }
}

Test(rknpu_run, each_code_of_the_runtime_is_the_one_that_the_table_has_for_runs) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_codes, NULL);
}

/* A deadline counts for all tries: the one that hangs ends the run. */
static void life_retry_late(board *b, const void *user) {
    static const char *const configs[] = {"rknn.retry", "1000", "rknn.timeout_ms", "300", "rknn.hang_grace_ms",
                                          "2000",       NULL};
    rig r;
    (void)user;
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    b->fault("rknn_run@1=fail:-1,rknn_run@2=hang:600");
    MUST_BE(OH_NN_TIMEOUT, rig_run(&r));
    MUST_WORK(nnrt_executor_wait_late(r.executor, 10000));
    MUST(b->calls("rknn_run") == 2, "%u calls", b->calls("rknn_run"));
    b->fault("");
    MUST_WORK(rig_run(&r));
    rig_end(&r);
}

Test(rknpu_run, a_deadline_ends_a_run_that_is_tried_again) { board_each(board_mini, life_retry_late, NULL); }

Test(rknpu_run, older_runtimes_give_the_same_bytes, .timeout = 120) {
    static const char *const versions[] = {"1.4.0", "1.5.2", "1.6.0", "2.0.0", "2.1.0"};
    static const char *const chips[] = {"rv1106", "rk3566", "rk3588"};
    unsigned tried = 0;
    size_t i, k;
    for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        for (k = 0; k < sizeof(chips) / sizeof(chips[0]); k++) {
            int answer = board_try(chips[k], versions[i], i == 0 ? life_oldest : life_older, NULL);
            if (answer == BOARD_ABSENT) board_absent(tried, chips[k], versions[i]);
            else cr_assert(answer == BOARD_WORKS, "%s, %s: %d", chips[k], versions[i], answer);
            tried += answer != BOARD_ABSENT;
        }
}

/* Models whose output is their input, of every type, some as wide as to need padding everywhere. */
static void life_same(board *b, const void *user) {
    static const char *const models[] = {"same_int8",  "same_wide",  "same_half",   "same_float", "same_int16",
                                         "same_uint8", "same_int64", "same_vector", "same_rank1", "same_rank3"};
    static const char *const general_nhwc[] = {"rknn.api", "general", "rknn.io_layout", "nhwc", NULL};
    static const char *const *const same_ways[] = {nhwc, nchw, nhwc, general_nhwc, general_nchw};
    size_t i, way, size, output_size;
    (void)user;
    for (i = 0; i < (b->mini ? 6u : 10u); i++) { /* librknnmrt tells vectors as images of one pixel */
        for (way = 0; way < (b->mini ? 3u : 5u); way++) {
            rig r;
            uint8_t *input, *output;
            rig_open(&r, b, models[i], same_ways[way]);
            rig_tensors(&r, way % 2 == 0 ? b->npu : b->cpu);
            rig_fill(&r, (uint32_t)i);
            MUST_WORK(rig_run(&r));
            input = bytes_of(r.inputs[0], &size);
            output = bytes_of(r.outputs[0], &output_size);
            MUST(size == output_size && memcmp(input, output, size) == 0, "%s, way %zu", models[i], way);
            rig_end(&r);
        }
    }
}

Test(rknpu_run, a_model_that_changes_nothing_gives_its_input_in_every_type_and_layout, .timeout = 120) {
    board_each(board_all, life_same, NULL);
}

static void life_paths(board *b, const void *user) {
    static const char *const models[] = {"odd", "gray", "c5", "c40", "half", "int16", "dfp8", "float", "two", "chain"};
    static uint8_t one[65536], other[65536];
    size_t i, size;
    (void)user;
    for (i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        size = collect(b, models[i], plain, b->npu, one);
        MUST(size == collect(b, models[i], plain, b->cpu, other) && memcmp(one, other, size) == 0, "%s", models[i]);
        if (b->mini) continue;
        MUST(size == collect(b, models[i], general, b->npu, other) && memcmp(one, other, size) == 0, "%s", models[i]);
    }
}

Test(rknpu_run, zero_copy_and_general_api_give_the_same_bytes, .timeout = 120) {
    board_each(board_all, life_paths, NULL);
}

/* Real numbers that are exactly steps of the quantization come back as exactly what the integers mean. */
static void life_float(board *b, const void *user) {
    const char *const *configs = (const char *const *)user;
    double input_scale = 0, output_scale = 0;
    int32_t input_zero = 0, output_zero = 0;
    size_t size, k;
    float *data;
    meter m;
    rig r;
    rig_open(&r, b, "meter", plain);
    MUST_WORK(nnrt_executor_get_input_quant(r.executor, 0, &input_scale, &input_zero));
    MUST_WORK(nnrt_executor_get_output_quant(r.executor, 0, &output_scale, &output_zero));
    rig_end(&r);
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    meter_draw(b, 5, &m);
    data = (float *)(void *)bytes_of(r.inputs[0], &size);
    MUST(size == sizeof(m.input) * sizeof(float), "%zu bytes", size);
    for (k = 0; k < sizeof(m.input); k++) data[k] = (float)((int8_t)m.input[k] - input_zero) * (float)input_scale;
    MUST_WORK(rig_run(&r));
    data = (float *)(void *)bytes_of(r.outputs[0], &size);
    MUST(size == METER_CLASSES * sizeof(float), "%zu bytes", size);
    for (k = 0; k < METER_CLASSES; k++) {
        float expected = (float)((int8_t)m.answer[k] - output_zero) * (float)output_scale;
        MUST(memcmp(&data[k], &expected, sizeof(expected)) == 0, "class %zu: %g, not %g", k, (double)data[k],
             (double)expected);
    }
    rig_end(&r);
}

Test(rknpu_run, floats_go_in_and_come_out_as_what_the_integers_mean, .timeout = 60) {
    board_each(board_all, life_float, floats);
    board_each(board_full, life_float, general_float);
}

static void life_pixels(board *b, const void *user) {
    size_t size, k;
    uint8_t *data;
    meter m;
    rig r;
    rig_open(&r, b, "meter", (const char *const *)user);
    rig_tensors(&r, b->npu);
    meter_draw(b, 6, &m);
    data = bytes_of(r.inputs[0], &size);
    MUST(size == sizeof(m.input), "%zu bytes", size);
    for (k = 0; k < size; k++) data[k] = (uint8_t)(m.input[k] ^ 0x80); /* pixel - 128 is the stored value */
    MUST_WORK(rig_run(&r));
    meter_check(&m, r.outputs[0]);
    rig_end(&r);
}

Test(rknpu_run, pixels_are_normalised_by_the_npu, .timeout = 60) {
    static const char *const pixels[] = {"rknn.input_type", "uint8", NULL};
    static const char *const general_pixels[] = {"rknn.input_type", "uint8", "rknn.api", "general", NULL};
    board_each(board_all, life_pixels, pixels);
    board_each(board_full, life_pixels, general_pixels);
}

/* The result that comes out is that of the run before, from the second on. */
static void life_pipeline(board *b, const void *user) {
    static const char *const configs[] = {"rknn.api", "general", "rknn.async", "1", NULL};
    meter m[4];
    uint32_t k;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    for (k = 0; k < 4; k++) {
        meter_draw(b, 20 + k, &m[k]);
        meter_put(&m[k], r.inputs[0]);
        MUST_WORK(rig_run(&r));
        meter_check(&m[k == 0 ? 0 : k - 1], r.outputs[0]);
        MUST(rig_number(&r, "rknn.frame_id") != 0, "the runtime tells the frame");
    }
    rig_end(&r);
}

Test(rknpu_run, the_pipelined_mode_gives_the_frame_before) { board_each(board_full, life_pipeline, NULL); }

/* -------------------------------------------------------------------------------- copies, syncs, bindings */

static void life_native(board *b, const void *user) {
    unsigned to = 0, from = 0, bound, imported;
    uint32_t seed;
    meter m;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", native);
    bound = b->calls("rknn_set_io_mem");
    imported = b->calls("rknn_create_mem_from_fd");
    rig_tensors(&r, b->npu);
    for (seed = 30; seed < 34; seed++) {
        meter_draw(b, seed, &m);
        meter_run(&r, &m);
        MUST(rig_number(&r, "rknn.copied_bytes") == 0, "run %u copied", seed);
        MUST(rig_number(&r, "rknn.syncs") == 0, "the runtime does it");
    }
    b->get_syncs(&to, &from);
    MUST(to == 0 && from == 0, "%u syncs to the device, %u from it", to, from);
    MUST(b->calls("rknn_set_io_mem") == bound + 2, "bound %u times", b->calls("rknn_set_io_mem") - bound);
    MUST(b->calls("rknn_create_mem_from_fd") == imported, "its own memory is not imported");
    rig_end(&r);
}

Test(rknpu_run, tensors_in_the_npus_layout_are_never_copied_bound_once_and_not_synchronised) {
    board_each(board_all, life_native, NULL);
}

/* Two frames and two results in dma-bufs, used in turn, as a camera does. */
typedef struct sync_counts {
    unsigned own;      /* asked for by the device */
    unsigned to, from; /* in all, with those that the runtime makes itself */
} sync_counts;

static void count_syncs(const board *b, sync_counts *counts) {
    unsigned own_to = 0, own_from = 0, to = 0, from = 0;
    b->get_syncs(&own_to, &own_from);
    b->get_run_syncs(&to, &from);
    counts->own = own_to + own_from;
    counts->to = own_to + to;
    counts->from = own_from + from;
}

static void life_camera(board *b, const void *user) {
    enum {
        OFFSET = 4096
    };
    NN_Tensor *frames[2], *results[2];
    uint8_t *stored = NULL;
    size_t size = 0, result_size = 0, i;
    const sync_counts *want = (const sync_counts *)user;
    sync_counts syncs, now;
    unsigned bound = 0, imported, queries = 0;
    int frame_fds[2], result_fds[2];
    uint32_t run;
    meter m;
    rig r;
    rig_open(&r, b, "meter", native);
    rig_tensors(&r, b->cpu); /* only to know sizes */
    (void)bytes_of(r.inputs[0], &size);
    (void)bytes_of(r.outputs[0], &result_size);
    stored = (uint8_t *)malloc(size);
    for (i = 0; i < 2; i++) {
        frame_fds[i] = b->dma_alloc(size + OFFSET);
        result_fds[i] = b->dma_alloc(result_size);
        MUST(frame_fds[i] >= 0 && result_fds[i] >= 0, "no dma-buf");
        frames[i] = rig_tensor_fd(&r, false, 0, frame_fds[i], size + OFFSET, OFFSET);
        results[i] = rig_tensor_fd(&r, true, 0, result_fds[i], result_size, 0);
    }
    imported = b->calls("rknn_create_mem_from_fd");
    bound = b->calls("rknn_set_io_mem");
    for (run = 0; run < 12; run++) {
        uint8_t seen[METER_CLASSES];
        const size_t k = run / 2 % 2; /* each frame twice */
        meter_draw(b, 40 + run, &m);
        MUST(meter_store(&m, frames[k], stored) == size, "the tensor has the NPU's layout");
        MUST(b->dma_write(frame_fds[k], OFFSET, stored, size) == 0, "the camera cannot write");
        count_syncs(b, &syncs);
        MUST_WORK(OH_NNExecutor_RunSync(r.executor, &frames[k], 1, &results[k], 1));
        count_syncs(b, &now);
        MUST(now.own == syncs.own + want->own, "run %u: %u syncs of the device", run, now.own - syncs.own);
        MUST(now.to == syncs.to + want->to && now.from == syncs.from + want->from,
             "run %u: %u syncs to the device and %u from it in all", run, now.to - syncs.to, now.from - syncs.from);
        MUST(rig_number(&r, "rknn.copied_bytes") == 0, "run %u copied", run);
        MUST(rig_number(&r, "rknn.syncs") == want->own, "counted too");
        meter_check(&m, results[k]);
        MUST(b->dma_read(result_fds[k], 0, seen, sizeof(seen)) == 0 && memcmp(seen, m.answer, sizeof(seen)) == 0,
             "other devices see the result");
        if (run == 3) queries = b->calls("rknn_query");
    }
    MUST(b->calls("rknn_create_mem_from_fd") == imported + 4, "each descriptor is imported once");
    MUST(b->calls("rknn_set_io_mem") == bound + 12, "bound only when tensors change, not %u times",
         b->calls("rknn_set_io_mem") - bound);
    MUST(b->calls("rknn_query") == queries, "nothing is asked in a run");
    for (i = 0; i < 2; i++) {
        MUST_WORK(OH_NNTensor_Destroy(&frames[i]));
        MUST_WORK(OH_NNTensor_Destroy(&results[i]));
        (void)close(frame_fds[i]);
        (void)close(result_fds[i]);
    }
    free(stored);
    rig_end(&r);
}

/* One sync per tensor and run, by the runtime where it was seen to do so, else by the device. librknnmrt before 2.2.0
   cleans inputs twice by itself, librknnrt 1.6.0 invalidates NC1HWC2 outputs twice. */
Test(rknpu_run, camera_frames_are_imported_once_never_copied_and_synchronised_once_each_way, .timeout = 60) {
    static const struct {
        const char *chip, *version;
        sync_counts want;
    } cases[] = {{"rv1106", "1.6.0", {0, 2, 1}}, {"rv1106", "2.1.0", {0, 2, 1}}, {"rv1106", "", {0, 1, 1}},
                 {"rv1103", "", {0, 1, 1}},      {"rk3588", "1.6.0", {0, 1, 1}}, {"rk3566", "1.6.0", {0, 1, 2}},
                 {"rk3562", "", {2, 1, 1}},      {"rk3566", "", {2, 1, 1}},      {"rk3568", "", {2, 1, 1}},
                 {"rk3576", "", {2, 1, 1}},      {"rk3588", "", {2, 1, 1}}};
    unsigned tried = 0;
    size_t i;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int answer = board_try(cases[i].chip, cases[i].version, life_camera, &cases[i].want);
        if (answer == BOARD_ABSENT) board_absent(tried, cases[i].chip, cases[i].version);
        else cr_assert(answer == BOARD_WORKS, "%s %s: %d", cases[i].chip, cases[i].version, answer);
        tried += answer != BOARD_ABSENT;
    }
}

/* A dma-buf in another layout than the NPU's is converted, from what the camera wrote and for what others read. */
static void life_foreign(board *b, const void *user) {
    uint8_t seen[METER_CLASSES];
    uint32_t run;
    int frame, result;
    meter m;
    rig r;
    rig_open(&r, b, "meter", (const char *const *)user);
    frame = b->dma_alloc(sizeof(m.input));
    result = b->dma_alloc(METER_CLASSES);
    r.inputs[0] = rig_tensor_fd(&r, false, 0, frame, sizeof(m.input), 0);
    r.outputs[0] = rig_tensor_fd(&r, true, 0, result, METER_CLASSES, 0);
    for (run = 0; run < 3; run++) {
        meter_draw(b, 60 + run, &m);
        MUST(b->dma_write(frame, 0, m.input, sizeof(m.input)) == 0, "the camera cannot write");
        MUST_WORK(rig_run(&r));
        meter_check(&m, r.outputs[0]);
        MUST(b->dma_read(result, 0, seen, sizeof(seen)) == 0 && memcmp(seen, m.answer, sizeof(seen)) == 0,
             "other devices see the result");
        meter_draw(b, 70 + run, &m);
        meter_run(&r, &m); /* written by the CPU */
    }
    rig_end(&r);
    (void)close(frame);
    (void)close(result);
}

Test(rknpu_run, dma_bufs_that_have_to_be_converted_are_read_fresh_and_written_through, .timeout = 60) {
    board_each(board_all, life_foreign, plain);
    board_each(board_full, life_foreign, general);
}

/* With the runtime's own flushing off, what nnrt copies is synchronised by nnrt, and what the program promises not to
   touch is not. */
static void life_no_flush(board *b, const void *user) {
    static const char *const copies[] = {"rknn.flush_input", "0", "rknn.flush_output", "0", NULL};
    static const char *const binds[] = {"rknn.flush_input", "0", "rknn.flush_output", "0", "rknn.io_layout",
                                        "native",           NULL};
    unsigned to = 0, from = 0, to_now = 0, from_now = 0;
    uint8_t *stored, seen[METER_CLASSES];
    size_t size = 0, result_size = 0;
    int frame, result;
    meter m;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", copies);
    rig_tensors(&r, b->cpu);
    meter_draw(b, 80, &m);
    meter_run(&r, &m);
    b->get_syncs(&to, &from);
    MUST(to == 1 && from == 1, "%u syncs to the device, %u from it", to, from);
    rig_end(&r);

    rig_open(&r, b, "meter", binds);
    rig_tensors(&r, b->cpu); /* only to know sizes */
    (void)bytes_of(r.inputs[0], &size);
    (void)bytes_of(r.outputs[0], &result_size);
    rig_end(&r);
    rig_open(&r, b, "meter", binds);
    frame = b->dma_alloc(size);
    result = b->dma_alloc(result_size);
    r.inputs[0] = rig_tensor_fd(&r, false, 0, frame, size, 0);
    r.outputs[0] = rig_tensor_fd(&r, true, 0, result, result_size, 0);
    stored = (uint8_t *)malloc(size);
    (void)meter_store(&m, r.inputs[0], stored);
    MUST(b->dma_write(frame, 0, stored, size) == 0, "the camera cannot write");
    MUST_WORK(rig_run(&r));
    b->get_syncs(&to_now, &from_now);
    MUST(to_now == to && from_now == from, "the CPU touches nothing");
    MUST(b->dma_read(result, 0, seen, sizeof(seen)) == 0 && memcmp(seen, m.answer, sizeof(seen)) == 0, "the result");
    free(stored);
    rig_end(&r);
    (void)close(frame);
    (void)close(result);
}

Test(rknpu_run, without_the_runtimes_flushing_only_copies_are_synchronised) {
    board_each(board_full, life_no_flush, NULL);
}

/* A file that is no dma-buf cannot be imported by a real runtime; here it can, or is copied. Either works. */
static void life_memfd(board *b, const void *user) {
    char path[] = "/tmp/nnrt-test-XXXXXX";
    meter m;
    rig r;
    int fd = mkstemp(path);
    (void)user;
    MUST(fd >= 0 && unlink(path) == 0 && ftruncate(fd, 8192) == 0, "no file");
    rig_open(&r, b, "meter", plain);
    r.inputs[0] = rig_tensor_fd(&r, false, 0, fd, 4096, 100);
    r.outputs[0] = rig_tensor_fd(&r, true, 0, fd, 8192, 4099);
    meter_draw(b, 90, &m);
    meter_run(&r, &m);
    meter_run(&r, &m);
    rig_end(&r);
    (void)close(fd);
}

Test(rknpu_run, tensors_in_ordinary_files_work) { board_each(board_all, life_memfd, NULL); }

/* ----------------------------------------------------------------------------------- nothing is allocated */

static void life_no_allocation(board *b, const void *user) {
    static const char *const *const quiet[] = {plain, native, floats, nchw, general, general_float};
    size_t way, n;
    (void)user;
    for (way = 0; way < (b->mini ? 4u : 6u); way++) {
        const size_t devices[2] = {b->npu, b->cpu};
        for (n = 0; n < 2; n++) {
            uint32_t run;
            rig r;
            rig_open(&r, b, "meter", quiet[way]);
            rig_tensors(&r, devices[n]);
            rig_fill(&r, 1);
            MUST_WORK(rig_run(&r)); /* views of new tensors */
            counting_fail_at(0);
            for (run = 0; run < 5; run++) MUST_WORK(rig_run(&r));
            MUST(!counting_failed(), "way %zu allocates", way);
            counting_fail_never();
            rig_end(&r);
        }
    }
}

Test(rknpu_run, a_run_allocates_nothing) { board_each(board_all, life_no_allocation, NULL); }

/* Memory out at any allocation of a life: a code, a sentence, nothing left, and the next life is whole. */
static void life_no_memory(board *b, const void *user) {
    const char *const *configs = (const char *const *)user;
    long n, before = counting_live();
    char path[400];
    meter m;
    meter_draw(b, 95, &m);
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.rknn", b->folder, b->chip);
    for (n = 0;; n++) {
        OH_NNCompilation *compilation;
        rig r;
        bool whole = false, failed;
        memset(&r, 0, sizeof(r));
        counting_fail_at(n);
        compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
        if (compilation != NULL && OH_NNCompilation_SetDevice(compilation, b->npu) == OH_NN_SUCCESS &&
            (configs[0] == NULL || OH_NNCompilation_AddExtensionConfig(compilation, configs[0], configs[1],
                                                                       strlen(configs[1])) == OH_NN_SUCCESS) &&
            OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS)
            r.executor = OH_NNExecutor_Construct(compilation);
        r.b = b;
        if (r.executor != NULL) {
            NN_TensorDesc *in = OH_NNExecutor_CreateInputTensorDesc(r.executor, 0);
            NN_TensorDesc *out = OH_NNExecutor_CreateOutputTensorDesc(r.executor, 0);
            if (in != NULL) r.inputs[0] = OH_NNTensor_Create(b->npu, in);
            if (out != NULL) r.outputs[0] = OH_NNTensor_Create(b->npu, out);
            if (in != NULL) (void)OH_NNTensorDesc_Destroy(&in);
            if (out != NULL) (void)OH_NNTensorDesc_Destroy(&out);
            r.input_count = r.output_count = 1;
            if (r.inputs[0] != NULL && r.outputs[0] != NULL) {
                const nnrt_profile_step *steps = NULL;
                uint32_t count = 0;
                meter_put(&m, r.inputs[0]);
                whole = rig_run(&r) == OH_NN_SUCCESS &&
                        nnrt_executor_get_profile(r.executor, &steps, &count) == OH_NN_SUCCESS;
            }
        }
        failed = counting_failed();
        counting_fail_never();
        MUST(whole || (failed && nnrt_last_error()[0] != '\0'), "allocation %ld", n);
        if (r.executor != NULL && r.inputs[0] != NULL && r.outputs[0] != NULL) meter_run(&r, &m);
        r.compilation = compilation;
        rig_end(&r);
        MUST(counting_live() == before, "allocation %ld leaves %ld blocks", n, counting_live() - before);
        if (!failed) break;
    }
}

Test(rknpu_run, running_out_of_memory_anywhere_leaves_nothing_behind, .timeout = 120) {
    static const char *const chips[] = {"rv1106", "rk3566", NULL};
    board_each(chips, life_no_memory, plain);
    board_each(chips + 1, life_no_memory, native);
    board_each(chips + 1, life_no_memory, general);
}

/* ----------------------------------------------------------------------------- tensors come, go and alias */

static void life_orders(board *b, const void *user) {
    static const char *const *const orders[] = {plain, native};
    size_t way;
    uint32_t k;
    meter m;
    (void)user;
    for (way = 0; way < 2; way++) {
        NN_Tensor *kept, *old;
        rig r;
        rig_open(&r, b, "meter", orders[way]);
        rig_tensors(&r, b->npu);
        for (k = 0; k < 6; k++) { /* new tensors in every run, often at the address of the old ones */
            meter_draw(b, 100 + k, &m);
            meter_run(&r, &m);
            MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
            if (k % 2 != 0) MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
            r.inputs[0] = rig_tensor(&r, b->npu, false, 0);
            if (k % 2 != 0) r.outputs[0] = rig_tensor(&r, b->npu, true, 0);
        }
        meter_run(&r, &m);
        kept = r.outputs[0]; /* lives longer than the executor and its compilation */
        r.outputs[0] = NULL;
        OH_NNCompilation_Destroy(&r.compilation);
        old = r.inputs[0];
        r.inputs[0] = rig_tensor(&r, b->npu, false, 0);
        r.outputs[0] = rig_tensor(&r, b->cpu, true, 0);
        meter_run(&r, &m);
        rig_end(&r);
        meter_check(&m, kept);
        MUST_WORK(OH_NNTensor_Destroy(&old));

        rig_open(&r, b, "meter", orders[way]); /* a tensor that another compilation's context has made */
        rig_tensors(&r, b->npu);
        MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
        r.outputs[0] = kept;
        meter_run(&r, &m);
        meter_run(&r, &m);
        rig_end(&r);
    }
}

Test(rknpu_run, tensors_may_be_destroyed_at_any_time_and_used_with_any_executor, .timeout = 60) {
    board_each(board_all, life_orders, NULL);
}

static void life_early(board *b, const void *user) {
    NN_Tensor *early;
    NN_TensorDesc *desc;
    meter m;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", native); /* only to know the descriptor */
    desc = rig_desc(&r, false, 0);
    rig_end(&r);
    early = OH_NNTensor_Create(b->npu, desc); /* there is no context now */
    MUST(early != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    rig_open(&r, b, "meter", native);
    rig_tensors(&r, b->npu);
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
    r.inputs[0] = early;
    meter_draw(b, 120, &m);
    meter_run(&r, &m);
    meter_run(&r, &m);
    rig_end(&r);
}

Test(rknpu_run, tensors_that_were_there_before_any_model_work) {
    static const char *const versions[] = {"", "1.6.0", "2.0.0", "2.1.0"};
    static const char *const chips[] = {"rv1106", "rk3588"};
    unsigned tried = 0;
    size_t i, k;
    for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        for (k = 0; k < 2; k++) {
            int answer = board_try(chips[k], versions[i], life_early, NULL);
            if (answer == BOARD_ABSENT) board_absent(tried, chips[k], versions[i]);
            else cr_assert(answer == BOARD_WORKS, "%s %s: %d", chips[k], versions[i], answer);
            tried += answer != BOARD_ABSENT;
        }
}

/* One tensor as input and output, and one at two inputs: the answers are those of separate tensors. */
static void life_alias(board *b, const void *user) {
    static const char *const models[] = {"same_int8", "same_uint8", "same_float", "same_vector", "same_rank1"};
    size_t i, way, size, k;
    (void)user;
    for (i = 0; i < (b->mini ? 3u : 5u); i++)
        for (way = 0; way < 2; way++) {
            rig r;
            uint8_t *data;
            rig_open(&r, b, models[i], way == 0 ? nhwc : nchw);
            rig_tensors(&r, b->npu);
            rig_fill(&r, 9);
            data = bytes_of(r.inputs[0], &size);
            MUST_WORK(OH_NNExecutor_RunSync(r.executor, r.inputs, 1, r.inputs, 1));
            MUST_WORK(OH_NNExecutor_RunSync(r.executor, r.inputs, 1, r.inputs, 1));
            MUST(rig_number(&r, "rknn.copied_bytes") != 0, "the NPU must not write what it reads");
            for (k = 0; k < size; k++) MUST(data[k] == rig_byte(9, k), "%s in place: byte %zu", models[i], k);
            rig_fill(&r, 9);
            MUST_WORK(rig_run(&r)); /* and apart again */
            MUST(memcmp(bytes_of(r.outputs[0], &size), data, size) == 0, "%s", models[i]);
            rig_end(&r);
        }
}

Test(rknpu_run, a_tensor_may_be_input_and_output_at_once) { board_each(board_all, life_alias, NULL); }

static NN_Tensor *rows_tensor(const rig *r, size_t device, bool output, size_t i, int32_t rows, int32_t columns) {
    const int32_t dims[2] = {rows, columns};
    NN_TensorDesc *desc = rig_desc(r, output, i);
    NN_Tensor *tensor;
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, dims, 2));
    tensor = OH_NNTensor_Create(device, desc);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

static void life_twice(board *b, const void *user) {
    NN_Tensor *apart[2], *same[2], *out[2], *inout[1];
    size_t size, k;
    rig r;
    rig_open(&r, b, "dynamic_rows", (const char *const *)user);
    for (k = 0; k < 2; k++) apart[k] = rows_tensor(&r, b->npu, false, k, 4, 20);
    for (k = 0; k < 2; k++) out[k] = rows_tensor(&r, b->npu, true, 0, 4, 20);
    for (k = 0; k < 2; k++) {
        size_t at;
        uint8_t *data = bytes_of(apart[k], &size);
        for (at = 0; at < size; at++) data[at] = rig_byte(3, at);
    }
    same[0] = same[1] = apart[0];
    MUST_WORK(OH_NNExecutor_RunSync(r.executor, apart, 2, &out[0], 1));
    MUST_WORK(OH_NNExecutor_RunSync(r.executor, same, 2, &out[1], 1));
    MUST(memcmp(bytes_of(out[0], &size), bytes_of(out[1], &size), 80) == 0, "one tensor at two inputs");
    inout[0] = apart[0];
    MUST_WORK(OH_NNExecutor_RunSync(r.executor, same, 2, inout, 1));
    MUST(memcmp(bytes_of(out[0], &size), bytes_of(inout[0], &size), 80) == 0, "and at the output, too");
    for (k = 0; k < 2; k++) {
        MUST_WORK(OH_NNTensor_Destroy(&apart[k]));
        MUST_WORK(OH_NNTensor_Destroy(&out[k]));
    }
    rig_end(&r);
}

Test(rknpu_run, a_tensor_may_be_two_inputs_at_once) {
    board_each(board_full, life_twice, plain);
    board_each(board_full, life_twice, general);
}

static void life_wrong(board *b, const void *user) {
    const int32_t turned[4] = {1, METER_WIDTH, METER_HEIGHT, 1};
    NN_TensorDesc *desc;
    NN_Tensor *wrong;
    meter m;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", nhwc);
    rig_tensors(&r, b->npu);
    meter_draw(b, 130, &m);
    meter_run(&r, &m);
    desc = rig_desc(&r, false, 0);
    MUST_WORK(OH_NNTensorDesc_SetDataType(desc, OH_NN_UINT8));
    wrong = OH_NNTensor_Create(b->npu, desc);
    MUST_BE(OH_NN_INVALID_PARAMETER, OH_NNExecutor_RunSync(r.executor, &wrong, 1, r.outputs, 1));
    MUST(strstr(nnrt_last_error(), "uint8") != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensor_Destroy(&wrong));
    MUST_WORK(OH_NNTensorDesc_SetDataType(desc, OH_NN_INT8));
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, turned, 4));
    wrong = OH_NNTensor_Create(b->npu, desc);
    MUST_BE(OH_NN_INVALID_PARAMETER, OH_NNExecutor_RunSync(r.executor, &wrong, 1, r.outputs, 1));
    MUST_WORK(OH_NNTensor_Destroy(&wrong));
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    desc = rig_desc(&r, true, 0);
    MUST_WORK(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32));
    wrong = OH_NNTensor_Create(b->npu, desc);
    MUST_BE(OH_NN_INVALID_PARAMETER, OH_NNExecutor_RunSync(r.executor, r.inputs, 1, &wrong, 1));
    MUST_WORK(OH_NNTensor_Destroy(&wrong));
    MUST_WORK(OH_NNTensorDesc_SetDataType(desc, OH_NN_INT8));
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, turned, 1)); /* [1]: a byte */
    wrong = OH_NNTensor_Create(b->npu, desc);
    MUST_BE(OH_NN_INVALID_PARAMETER, OH_NNExecutor_RunSync(r.executor, r.inputs, 1, &wrong, 1));
    MUST(strstr(nnrt_last_error(), "needs 10") != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensor_Destroy(&wrong));
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    meter_run(&r, &m);
    rig_end(&r);
}

Test(rknpu_run, tensors_of_a_wrong_type_shape_or_size_are_refused_and_the_executor_goes_on) {
    board_each(board_all, life_wrong, NULL);
}

/* ----------------------------------------------------------------------------------------- dynamic shapes */

static const int32_t dynamic_sizes[3][2] = {{12, 20}, {8, 9}, {16, 33}};

/* A run of model "dynamic" in a shape of its list, tensors of device; the output's bytes. */
static size_t dynamic_run(rig *r, size_t device, uint32_t shape, bool first_channels, uint8_t *into) {
    const int32_t h = dynamic_sizes[shape][0], w = dynamic_sizes[shape][1];
    size_t i, k, size = 0, rank = 0;
    int32_t *dims = NULL;
    for (i = 0; i < 3; i++) {
        const int32_t c = i == 0 ? 3 : 24;
        const int32_t last[4] = {1, h, w, c}, second[4] = {1, c, h, w};
        NN_TensorDesc *desc = rig_desc(r, i == 2, i == 2 ? 0 : i);
        NN_Tensor *tensor;
        MUST_WORK(OH_NNTensorDesc_SetShape(desc, first_channels ? second : last, 4));
        tensor = OH_NNTensor_Create(device, desc);
        MUST(tensor != NULL, "%s", nnrt_last_error());
        MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
        if (i == 2) r->outputs[0] = tensor;
        else r->inputs[i] = tensor;
    }
    for (i = 0; i < 2; i++) {
        uint8_t *data = bytes_of(r->inputs[i], &size);
        const size_t c = i == 0 ? 3 : 24, plane = (size_t)(h * w);
        for (k = 0; k < size; k++) { /* the same pixels in both orders */
            const size_t from = first_channels ? k : k % c * plane + k / c;
            data[k] = rig_byte(200 + (uint32_t)i, from);
        }
    }
    MUST_WORK(rig_run(r));
    MUST_WORK(OH_NNTensorDesc_GetShape(OH_NNTensor_GetTensorDesc(r->outputs[0]), &dims, &rank));
    MUST(rank == 4 && dims[first_channels ? 2 : 1] == h && dims[first_channels ? 3 : 2] == w, "its shape");
    memcpy(into, bytes_of(r->outputs[0], &size), (size_t)(24 * h * w));
    for (i = 0; i < 2; i++) MUST_WORK(OH_NNTensor_Destroy(&r->inputs[i]));
    MUST_WORK(OH_NNTensor_Destroy(&r->outputs[0]));
    return (size_t)(24 * h * w);
}

static void life_dynamic(board *b, const void *user) {
    static const char *const general_nhwc[] = {"rknn.api", "general", "rknn.io_layout", "nhwc", NULL};
    static uint8_t answer[3][24 * 16 * 33], now[24 * 16 * 33];
    static const uint32_t order[] = {0, 1, 2, 2, 0, 1, 1, 0};
    const int32_t none[4] = {1, 12, 21, 3};
    const char *const *const dynamic_ways[] = {nhwc, general_nhwc};
    NN_TensorDesc *desc;
    size_t way, k;
    rig r;
    (void)user;
    for (way = 0; way < 2; way++) {
        const nnrt_profile_step *steps = NULL;
        unsigned changes = 0;
        uint32_t count = 0;
        rig_open(&r, b, "dynamic", dynamic_ways[way]);
        MUST_BE(OH_NN_DYNAMIC_SHAPE, nnrt_executor_get_profile(r.executor, &steps, &count));
        changes = b->calls("rknn_set_input_shapes");
        for (k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
            const uint32_t shape = order[k];
            size_t size = dynamic_run(&r, k % 3 == 2 ? b->cpu : b->npu, shape, false, now);
            if (way == 0 && k < 3) memcpy(answer[shape], now, size);
            else MUST(memcmp(answer[shape], now, size) == 0, "way %zu, run %zu, shape %u", way, k, shape);
        }
        MUST(b->calls("rknn_set_input_shapes") == changes + 6, "set only when the shape changes, not %u times",
             b->calls("rknn_set_input_shapes") - changes);
        MUST_WORK(nnrt_executor_get_profile(r.executor, &steps, &count));
        MUST(count == 3 && steps[0].rank == 4 && steps[0].dims[1] == 12, "the steps of the last shape");
        rig_end(&r);
    }
    rig_open(&r, b, "dynamic", nchw);
    for (k = 0; k < 3; k++) {
        const size_t plane = (size_t)(dynamic_sizes[k][0] * dynamic_sizes[k][1]);
        size_t c, at;
        (void)dynamic_run(&r, b->npu, (uint32_t)k, true, now);
        for (c = 0; c < 24; c++)
            for (at = 0; at < plane; at++) MUST(now[c * plane + at] == answer[k][at * 24 + c], "NCHW, shape %zu", k);
    }
    rig_end(&r);

    rig_open(&r, b, "dynamic", nhwc);
    desc = rig_desc(&r, false, 0);
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, none, 4));
    r.inputs[0] = OH_NNTensor_Create(b->npu, desc);
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    r.inputs[1] = r.inputs[0];
    r.outputs[0] = r.inputs[0];
    MUST_BE(OH_NN_INVALID_PARAMETER, rig_run(&r));
    MUST(nnrt_last_error()[0] != '\0', "no sentence");
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
    (void)dynamic_run(&r, b->npu, 2, false, now);
    r.inputs[1] = r.outputs[0] = NULL;
    rig_end(&r);
}

/* A tensor of port i, the output behind the two inputs, as shape needs it. */
static NN_Tensor *dynamic_tensor(rig *r, size_t device, uint32_t shape, size_t i) {
    const int32_t dims[4] = {1, dynamic_sizes[shape][0], dynamic_sizes[shape][1], i == 0 ? 3 : 24};
    NN_TensorDesc *desc = rig_desc(r, i == 2, i == 2 ? 0 : i);
    NN_Tensor *tensor;
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, dims, 4));
    tensor = OH_NNTensor_Create(device, desc);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

/* Both ways to run: an output that the new shape would overflow, and a runtime that refuses the shape, end the run
   before the NPU begins; the next one is as if nothing had been. */
static void life_dynamic_refused(board *b, const void *user) {
    static const char *const general_nhwc[] = {"rknn.api", "general", "rknn.io_layout", "nhwc", NULL};
    const char *const *const dynamic_ways[] = {nhwc, general_nhwc};
    static uint8_t first[24 * 16 * 33], again[24 * 16 * 33];
    size_t way, i;
    (void)user;
    for (way = 0; way < 2; way++) {
        size_t size;
        unsigned runs;
        rig r;
        rig_open(&r, b, "dynamic", dynamic_ways[way]);
        size = dynamic_run(&r, b->npu, 1, false, first);
        runs = b->calls("rknn_run");
        for (i = 0; i < 2; i++) r.inputs[i] = dynamic_tensor(&r, b->npu, 2, i);
        r.outputs[0] = dynamic_tensor(&r, b->npu, 1, 2);
        MUST_BE(OH_NN_INVALID_PARAMETER, rig_run(&r));
        MUST(strstr(nnrt_last_error(), "output 0") != NULL, "way %zu: %s", way, nnrt_last_error());
        MUST(b->calls("rknn_run") == runs, "way %zu: it ran", way);
        MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
        r.outputs[0] = dynamic_tensor(&r, b->npu, 2, 2);
        MUST_WORK(rig_run(&r));
        for (i = 0; i < 2; i++) MUST_WORK(OH_NNTensor_Destroy(&r.inputs[i]));
        MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));

        for (i = 0; i < 2; i++) r.inputs[i] = dynamic_tensor(&r, b->npu, 0, i);
        r.outputs[0] = dynamic_tensor(&r, b->npu, 0, 2);
        b->fault("rknn_set_input_shapes@0=fail:-1"); /* counts calls anew, too */
        runs = b->calls("rknn_run");
        MUST_BE(OH_NN_UNAVAILABLE_DEVICE, rig_run(&r));
        MUST(strstr(nnrt_last_error(), "rknn_set_input_shapes") != NULL, "way %zu: %s", way, nnrt_last_error());
        MUST(b->calls("rknn_run") == runs, "way %zu: it ran in a shape that was refused", way);
        b->fault("");
        MUST_WORK(rig_run(&r));
        for (i = 0; i < 2; i++) MUST_WORK(OH_NNTensor_Destroy(&r.inputs[i]));
        MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
        MUST(dynamic_run(&r, b->npu, 1, false, again) == size && memcmp(first, again, size) == 0,
             "way %zu: other bytes", way);
        r.inputs[0] = r.inputs[1] = r.outputs[0] = NULL;
        rig_end(&r);
    }
}

Test(rknpu_run, a_change_of_shape_that_does_not_fit_or_fails_ends_the_run_before_it_begins, .timeout = 60) {
    board_each(board_full, life_dynamic_refused, NULL);
}

Test(rknpu_run, dynamic_shapes_change_from_run_to_run_and_give_the_same_bytes_again, .timeout = 60) {
    board_each(board_full, life_dynamic, NULL);
}

static void life_dynamic_quiet(board *b, const void *user) {
    rig r;
    size_t k, i;
    NN_Tensor *in[3][2], *out[3];
    static const int32_t rows[3] = {1, 4, 7};
    rig_open(&r, b, "dynamic_rows", (const char *const *)user);
    for (k = 0; k < 3; k++) {
        for (i = 0; i < 2; i++) in[k][i] = rows_tensor(&r, b->npu, false, i, rows[k], 20);
        out[k] = rows_tensor(&r, b->npu, true, 0, rows[k], 20);
        MUST_WORK(OH_NNExecutor_RunSync(r.executor, in[k], 2, &out[k], 1));
    }
    counting_fail_at(0);
    for (k = 0; k < 9; k++) MUST_WORK(OH_NNExecutor_RunSync(r.executor, in[k % 3], 2, &out[k % 3], 1));
    MUST(!counting_failed(), "a run of a shape that was there before allocates");
    counting_fail_never();
    for (k = 0; k < 3; k++) {
        for (i = 0; i < 2; i++) MUST_WORK(OH_NNTensor_Destroy(&in[k][i]));
        MUST_WORK(OH_NNTensor_Destroy(&out[k]));
    }
    rig_end(&r);
}

Test(rknpu_run, a_shape_that_was_there_before_allocates_nothing) {
    board_each(board_full, life_dynamic_quiet, plain);
    board_each(board_full, life_dynamic_quiet, general);
}

/* -------------------------------------------------------------------------------------- several executors */

typedef struct worker {
    pthread_t thread;
    rig r;
    meter m[4];
    const board *b;
} worker;

static void *work(void *argument) {
    worker *w = (worker *)argument;
    size_t k;
    for (k = 0; k < 24; k++) {
        meter_run(&w->r, &w->m[k % 4]);
        if (k % 5 == 4) { /* tensors come and go while others run */
            MUST_WORK(OH_NNTensor_Destroy(&w->r.inputs[0]));
            w->r.inputs[0] = rig_tensor(&w->r, w->b->npu, false, 0);
        }
    }
    return NULL;
}

static void life_threads(board *b, const void *user) {
    worker workers[4];
    OH_NNCompilation *compilation;
    size_t i, k;
    memset(workers, 0, sizeof(workers));
    for (i = 0; i < 4; i++) {
        worker *w = &workers[i];
        w->b = b;
        if (i % 3 == 0) { /* two of the first compilation, one of the second */
            rig_open(&w->r, b, "meter", (const char *const *)user);
        } else {
            w->r.b = b;
            w->r.compilation = workers[0].r.compilation;
            rig_execute(&w->r);
            w->r.compilation = NULL;
        }
        rig_tensors(&w->r, b->npu);
        for (k = 0; k < 4; k++) meter_draw(b, (uint32_t)(300 + 4 * i + k), &w->m[k]);
    }
    compilation = workers[0].r.compilation;
    workers[0].r.compilation = NULL;
    OH_NNCompilation_Destroy(&compilation); /* executors live on */
    for (i = 0; i < 4; i++) MUST(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "no thread");
    for (i = 0; i < 4; i++) (void)pthread_join(workers[i].thread, NULL);
    for (i = 0; i < 4; i++) rig_end(&workers[(i + 2) % 4].r);
}

Test(rknpu_run, executors_run_in_threads_of_their_own, .timeout = 120) {
    static const char *const mini[] = {"rv1106", NULL};
    static const char *const full[] = {"rk3566", "rk3588", NULL};
    static const char *const group[] = {"rknn.memory", "internal_outside", "rknn.share_internal", "g", NULL};
    static const char *const group_mini[] = {"rknn.memory", "outside", "rknn.share_internal", "g", NULL};
    board_each(mini, life_threads, plain);
    board_each(full, life_threads, plain);
    board_each(full, life_threads, native);
    board_each(full, life_threads, general);
    board_each(full, life_threads, group);
    board_each(mini, life_threads, group_mini);
}

/* --------------------------------------------------------------------------------- what an executor tells */

static void life_told(board *b, const void *user) {
    (void)user;
    rig_life_profile(b, "meter", "rknn");
}

Test(rknpu_run, steps_that_were_told_stay_until_the_next_run, .timeout = 120) {
    board_each(board_all, life_told, NULL);
}

static void life_gone(board *b, const void *user) { rig_life_gone(b, "meter", "rknn", (const char *const *)user); }

Test(rknpu_run, a_model_in_memory_may_go_with_its_compilation, .timeout = 120) {
    board_each(board_all, life_gone, NULL);
    board_each(board_full, life_gone, general);
}

static void life_profile(board *b, const void *user) {
    const char *const profiled[] = {"nnrt.profile", "1", "rknn.io_layout", (const char *)user, NULL};
    const bool bound = strcmp((const char *)user, "native") == 0;
    const nnrt_profile_step *steps = NULL;
    nnrt_memory memory;
    uint32_t count = 0, i, round;
    uint64_t layers = 0;
    meter m;
    rig r;
    rig_open(&r, b, "meter", profiled);
    rig_tensors(&r, b->npu);
    meter_draw(b, 140, &m);
    MUST_WORK(nnrt_executor_get_profile(r.executor, &steps, &count));
    MUST(count == 3 && steps[0].runs == 0, "before the first run");
    MUST(strcmp(steps[0].kernel, bound ? "bind" : "convert") == 0, "%s", steps[0].kernel);
    for (round = 1; round <= 3; round++) {
        meter_run(&r, &m);
        MUST_WORK(nnrt_executor_get_profile(r.executor, &steps, &count));
        MUST(b->mini ? count == 3 : count > 3, "%u steps", count);
        MUST(strcmp(steps[0].name, "inputs") == 0 && strcmp(steps[1].name, "rknn_run") == 0 &&
                 strcmp(steps[count - 1].name, "outputs") == 0,
             "the steps");
        MUST(steps[0].runs == round && steps[1].runs == round && steps[count - 1].runs == round, "runs");
        MUST(steps[1].last_ns != 0 && steps[1].min_ns <= steps[1].last_ns && steps[1].total_ns >= steps[1].last_ns,
             "times");
        MUST(strcmp(steps[0].kernel, bound ? "bind" : "convert") == 0, "%s", steps[0].kernel);
        MUST((steps[0].copied_bytes == 0) == bound, "%llu bytes", (unsigned long long)steps[0].copied_bytes);
        for (i = 2; i + 1 < count; i++) {
            MUST(steps[i].name[0] != '\0' && steps[i].kernel[0] != '\0' && steps[i].runs == 1, "layer %u", i);
            layers += steps[i].last_ns;
        }
    }
    MUST(b->mini || layers != 0, "layers take time");
    MUST_WORK(nnrt_executor_get_memory(r.executor, &memory));
    MUST(memory.device_bytes >= memory.weights_bytes + memory.arena_bytes && memory.heap_bytes != 0 &&
             memory.weights_bytes == rig_number(&r, "rknn.weight_bytes"),
         "memory");
    rig_end(&r);
}

Test(rknpu_run, the_profile_has_inputs_run_layers_and_outputs) {
    board_each(board_all, life_profile, "native");
    board_each(board_all, life_profile, "model");
}

static void life_facts(board *b, const void *user) {
    static const char *const known[] = {
        "rknn.library",   "rknn.sdk_version", "rknn.driver_version",  "rknn.weight_bytes",   "rknn.internal_bytes",
        "rknn.dma_bytes", "rknn.sram_bytes",  "rknn.sram_free_bytes", "rknn.cores",          "rknn.input.0",
        "rknn.output.0",  "rknn.syncs",       "rknn.copied_bytes",    "rknn.model_platform", "rknn.model_toolkit"};
    static const char *const unknown[] = {"rknn.input.1",
                                          "rknn.output.1",
                                          "rknn.input.",
                                          "rknn.input.x",
                                          "rknn.input.00000000001",
                                          "rknn.input.4294967296",
                                          "rknn",
                                          "",
                                          "cpu.isa"};
    char text[512];
    size_t i;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", plain);
    for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        MUST_WORK(nnrt_executor_get_info(r.executor, known[i], text, sizeof(text)));
        MUST(text[0] != '\0', "%s", known[i]);
        MUST_BE(OH_NN_INVALID_PARAMETER, nnrt_executor_get_info(r.executor, known[i], text, strlen(text)));
    }
    for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        MUST_BE(OH_NN_INVALID_PARAMETER, nnrt_executor_get_info(r.executor, unknown[i], text, sizeof(text)));
    MUST_WORK(nnrt_executor_get_info(r.executor, "rknn.model_platform", text, sizeof(text)));
    MUST(strcmp(text, b->chip) == 0, "%s", text);
    MUST_BE(OH_NN_UNSUPPORTED, nnrt_executor_get_info(r.executor, "rknn.frame_id", text, sizeof(text)));
    MUST_BE(OH_NN_UNSUPPORTED, nnrt_executor_get_info(r.executor, "rknn.perf_detail", text, sizeof(text)));
    rig_end(&r);
}

Test(rknpu_run, facts_are_told_by_name) { board_each(board_all, life_facts, NULL); }

static void life_info_only(board *b, const void *user) {
    static const char *const configs[] = {"rknn.info_only", "1", NULL};
    rig r;
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    nnrt_memory memory;
    char text[64];
    (void)user;
    rig_open(&r, b, "meter", configs);
    MUST(r.input_count == 0 && r.output_count == 0, "the runtime tells no tensors, so none are invented");
    MUST(rig_number(&r, "rknn.weight_bytes") != 0 && rig_number(&r, "rknn.internal_bytes") != 0, "facts");
    MUST_WORK(nnrt_executor_get_memory(r.executor, &memory));
    MUST(memory.weights_bytes == rig_number(&r, "rknn.weight_bytes"), "the same in the memory figures");
    MUST_BE(OH_NN_INVALID_PARAMETER, rig_run(&r));
    MUST_BE(OH_NN_UNSUPPORTED, nnrt_executor_get_profile(r.executor, &steps, &count));
    MUST(strstr(nnrt_last_error(), "info_only") != NULL, "%s", nnrt_last_error());
    MUST_BE(OH_NN_INVALID_PARAMETER, nnrt_executor_get_info(r.executor, "rknn.input.0", text, sizeof(text)));
    rig_end(&r);
}

static void life_no_info_only(board *b, const void *user) {
    char path[400];
    OH_NNCompilation *compilation;
    (void)user;
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.rknn", b->folder, b->chip);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, b->npu));
    MUST_WORK(OH_NNCompilation_AddExtensionConfig(compilation, "rknn.info_only", "1", 1));
    MUST_BE(OH_NN_FAILED, OH_NNCompilation_Build(compilation));
    MUST(strstr(nnrt_last_error(), "saves nothing on librknnmrt") != NULL, "%s", nnrt_last_error());
    MUST(b->calls("rknn_init") == 0, "told before anything is loaded");
    OH_NNCompilation_Destroy(&compilation);
}

Test(rknpu_run, a_model_built_for_its_facts_has_sizes_and_no_tensors) {
    board_each(board_full, life_info_only, NULL);
    board_each(board_mini, life_no_info_only, NULL);
}

/* --------------------------------------------------------------------------------------- tables of layers */

static const char table[] =
    "=====\n                 Network Layer Information Table\n-----\n"
    "ID   OpType     DataType Target InputShape   OutputShape   Cycles(DDR/NPU/Total) Time(us) MacUsage(%) RW(KB) "
    "FullName\n-----\n"
    "1    InputOperator INT8 CPU    \\             (1,3,4,5)     0/0/0                 7       \\            0.17   "
    "InputOperator:in\r\n"
    "2    ConvRelu   UINT8    NPU    (1,3,4,5),(8,3,3,3) (1,8,4,5) 10/20/20         123.5    12.5        1.0    "
    "Conv:first\n"
    "x    ConvRelu   INT8     NPU    a             b             c                     1        2           3      d\n"
    "3    Conv       INT8     NPU    a             (1,2          c                     9999999999999999999999 1 2 d\n"
    "Total Operator Elapsed Per Frame Time(us): 130\n"
    "4    OutputOperator FLOAT16 CPU (1,8,4,5)     \\             0/0/0                 5";

static const char old_table[] = "ID OpType DataType Target InputShape OutputShape DDR Cycles NPU Cycles Total Cycles "
                                "Time(us) MacUsage(%) RW(KB) FullName\n"
                                "0 Conv INT8 NPU a (2,2) 1 2 3 44 5 6 Conv:c\n";

Test(rknpu_run, the_runtimes_table_of_layers_is_read) {
    nnrt_profile_step steps[16];
    char text[sizeof(table)];
    memcpy(text, table, sizeof(table));
    cr_assert_eq(nnrt__rknpu_read_table(text, steps), 3);
    cr_assert_str_eq(steps[0].name, "InputOperator:in");
    cr_assert_eq(steps[0].last_ns, 7000);
    cr_assert_str_eq(steps[1].name, "Conv:first");
    cr_assert_str_eq(steps[1].kernel, "ConvRelu");
    cr_assert_str_eq(steps[1].isa, "NPU");
    cr_assert_eq(steps[1].dtype, OH_NN_UINT8);
    cr_assert_eq(steps[1].last_ns, 123500);
    cr_assert(steps[1].rank == 4 && steps[1].dims[1] == 8 && steps[1].dims[3] == 5);
    cr_assert_str_eq(steps[2].name, "OutputOperator");
    cr_assert_eq(steps[2].rank, 0);
    memcpy(text, old_table, sizeof(old_table));
    cr_assert_eq(nnrt__rknpu_read_table(text, steps), 1);
    cr_assert_eq(steps[0].last_ns, 44000);
    cr_assert_str_eq(steps[0].name, "Conv:c");
}

/* Every beginning of a table, and tables with bytes changed: nothing is read or written outside. */
Test(rknpu_run, a_spoiled_table_of_layers_is_harmless) {
    uint32_t round;
    size_t length, k;
    for (length = 0; length < sizeof(table); length++)
        for (round = 0; round < 4; round++) {
            char *text = (char *)malloc(length + 1);
            nnrt_profile_step *steps;
            size_t lines = 1;
            memcpy(text, table, length);
            text[length] = '\0';
            for (k = 0; k < length * round / 3; k += 1 + rig_byte(round, k) % 7)
                text[k] = (char)("\n (),09.\\~"[rig_byte(round + 9, k) % 10]);
            for (k = 0; k < length; k++) lines += text[k] == '\n';
            steps = (nnrt_profile_step *)malloc(lines * sizeof(*steps));
            cr_assert_leq(nnrt__rknpu_read_table(text, steps), lines);
            free(steps);
            free(text);
        }
}
