/* SPDX-License-Identifier: Apache-2.0 */
/* test_open_rknn.c - a .rknn of RV1103 or RV1106 without the vendor's library: what tools/rkchip computes from the file
   is what comes out of the imitated driver, byte for byte; whatever is changed in a file is refused or stays in its
   memory.

   tests/fuzz/seeds/rkchip_file/small.rknn is made by tests/sim/rknpu/make_stream.py. Real files are looked for in
   NNRT_MODELS (default ../shared/models) and in its folders; they are no part of this repository. */
#include "linked.h"

#include <dirent.h>

#include "graph_builder.h"
#include "offline_runner.h"

#include "../../tools/rkchip/job.h"
#include "../rknpu/rknpu_load.h"
#include "../sim/rknpu_open/sim_npu.h"

#define SEED 20261127u
#include "noise.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())
#define SMALL "tests/fuzz/seeds/rkchip_file/small.rknn"
#define DEVICE "rknn_open_rv1106_" NNRT_VERSION

/* Does everything take ten times as long? With sanitizers, and on 32 bits, which are below an emulator. */
#ifdef __SANITIZE_ADDRESS__
#define IS_SLOW true
#else
#define IS_SLOW (sizeof(size_t) == 4)
#endif

/* --------------------------------------------------------------------------------------------- what is expected */

/* A file as the engine reads it, and what it makes of inputs of noise. */
typedef struct reference {
    rkchip_model model;
    uint32_t count; /* of outputs */
    uint8_t *inputs[RKCHIP_MOST_PORTS], *outputs[RKCHIP_MOST_PORTS];
    size_t sizes[RKCHIP_MOST_PORTS]; /* of outputs */
} reference;

/* false: the engine refuses the file. */
static bool compute(reference *r, const uint8_t *file, size_t size, bool channels_last) {
    rkchip_job job;
    uint32_t i;
    bool done;
    memset(r, 0, sizeof *r);
    done = rkchip_model_read(&r->model, file, size) && rkchip_job_open(&job, &r->model);
    if (!done) return false;
    for (i = 0; i < r->model.input_count; i++) {
        const size_t bytes = (size_t)rkchip_tensor_values(&r->model.inputs[i]);
        r->inputs[i] = (uint8_t *)malloc(bytes);
        for (size_t k = 0; k < bytes; k++) r->inputs[i][k] = (uint8_t)noise();
        rkchip_job_put(&job, &r->model.inputs[i], r->inputs[i]);
    }
    r->count = r->model.output_count;
    for (i = 0; i < r->count; i++) {
        r->sizes[i] = (size_t)rkchip_tensor_values(&r->model.outputs[i]);
        r->outputs[i] = (uint8_t *)malloc(r->sizes[i]);
    }
    for (i = 0; i < r->model.operator_count && done; i++) {
        const rkchip_operator *o = &r->model.operators[i];
        if (o->is_output) rkchip_job_get(&job, &r->model.outputs[o->output], channels_last, r->outputs[o->output]);
        else done = rkchip_job_run(&job, o);
    }
    rkchip_job_close(&job);
    return done;
}

static void forget(reference *r) {
    for (uint32_t i = 0; i < RKCHIP_MOST_PORTS; i++) free(r->inputs[i]), free(r->outputs[i]);
    rkchip_model_free(&r->model);
}

/* ------------------------------------------------------------------------------------------------- the API */

static char heard[8192];

static void listen(void *user, nnrt_log_level level, const char *line) {
    const size_t used = strlen(heard);
    (void)user;
    (void)snprintf(heard + used, sizeof heard - used, "%s%s\n", level == NNRT_LOG_WARNING ? "warning: " : "", line);
}

/* The board from now on; the id of the device. */
static size_t begin(void) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    sim_begin(SIM_OWN, false);
    nnrt_set_log(listen, NULL);
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = NULL;
        IS(OH_NNDevice_GetName(ids[i], &name), OH_NN_SUCCESS);
        cr_assert(i > 0 || strcmp(name, DEVICE) != 0, "it is the default of graphs");
        if (strcmp(name, DEVICE) == 0) return ids[i];
    }
    cr_assert_fail("%s is not listed: %s", DEVICE, heard);
    return 0;
}

static void end(void) {
    nnrt_set_log(NULL, NULL);
    cr_assert_eq(sim_alive(), 0u, "memory of the NPU is left");
    cr_assert_eq(sim.mistakes[0], '\0', "%s", sim.mistakes);
    sim_end();
}

static OH_NN_ReturnCode build(const uint8_t *file, size_t size, size_t device, const char *name, const char *value,
                              OH_NNCompilation **compilation) {
    OH_NN_ReturnCode code;
    *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(file, size);
    cr_assert_not_null(*compilation);
    IS(OH_NNCompilation_SetDevice(*compilation, device), OH_NN_SUCCESS);
    if (name != NULL) off_config(*compilation, name, value);
    code = OH_NNCompilation_Build(*compilation);
    if (code != OH_NN_SUCCESS) OH_NNCompilation_Destroy(compilation);
    return code;
}

static void runs_as_the_engine(const char *config, const char *value, size_t device, bool channels_last) {
    size_t size, bytes[1];
    uint8_t *file = off_read(SMALL, &size), *out;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    NN_TensorDesc *desc;
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    nnrt_memory memory;
    reference r;
    double scale = 0;
    int32_t zero_point = 0;
    cr_assert(compute(&r, file, size, channels_last), "%s", r.model.sentence);
    IS(build(file, size, device, config, value, &compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    desc = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    IS(OH_NNTensorDesc_GetFormat(desc, &format), OH_NN_SUCCESS);
    cr_assert_eq((int)format, (int)(channels_last ? OH_NN_FORMAT_NHWC : OH_NN_FORMAT_NCHW));
    IS(OH_NNTensorDesc_GetByteSize(desc, bytes), OH_NN_SUCCESS);
    cr_assert_eq(bytes[0], r.sizes[0]);
    OH_NNTensorDesc_Destroy(&desc);
    IS(nnrt_executor_get_output_quant(executor, 0, &scale, &zero_point), OH_NN_SUCCESS);
    cr_assert_float_eq(scale, r.model.outputs[0].scale, 0.0);
    cr_assert_eq(zero_point, r.model.outputs[0].zero_point);
    IS(nnrt_executor_get_memory(executor, &memory), OH_NN_SUCCESS);
    cr_assert_gt(memory.device_bytes, r.model.memory_bytes);
    out = (uint8_t *)malloc(r.sizes[0]);
    for (uint32_t round = 0; round < 2; round++) {
        memset(out, 0x5a, r.sizes[0]);
        IS(off_run(executor, r.inputs[0], (size_t)rkchip_tensor_values(&r.model.inputs[0]), out, r.sizes[0]),
           OH_NN_SUCCESS);
        cr_assert_eq(memcmp(out, r.outputs[0], r.sizes[0]), 0, "%s %s", config != NULL ? config : "", value);
    }
    OH_NNExecutor_Destroy(&executor);
    free(out);
    forget(&r);
    free(file);
}

Test(open_rknn, it_is_chosen_where_the_library_is_missing_and_says_so) {
    (void)begin();
    runs_as_the_engine(NULL, NULL, 0, false);
    cr_assert_not_null(strstr(heard, "warning: the .rknn runs through the kernel's driver, without Rockchip's library"),
                       "%s", heard);
    cr_assert_not_null(strstr(heard, "no silicon has run this yet"), "%s", heard);
    end();
}

Test(open_rknn, it_is_asked_for_by_config_and_by_name) {
    const size_t device = begin();
    runs_as_the_engine("rknn.open", "1", 0, false);
    cr_assert_null(strstr(heard, "warning: the .rknn"), "%s", heard);
    cr_assert_not_null(strstr(heard, "rknn.open is 1"), "%s", heard);
    runs_as_the_engine("rknn.io_layout", "nhwc", device, true);
    runs_as_the_engine("rknn.io_layout", "model", device, false);
    end();
}

Test(open_rknn, it_can_be_forbidden_and_takes_no_other_settings) {
    static const char *const refused[][3] = {{"rknn.open", "0", "wants Rockchip's library"},
                                             {"rknn.open", "2", "is none of 0|1"},
                                             {"rknn.io_layout", "native", "is none of model|nhwc"},
                                             {"rknn.core_mask", "0", "knows no extension config"},
                                             {"rknn.timeout_ms", "x", "is no number"}};
    const size_t device = begin();
    OH_NNCompilation *compilation;
    size_t size;
    uint8_t *file = off_read(SMALL, &size);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        for (uint32_t named = 0; named < 2; named++) {
            cr_assert_neq((int)build(file, size, named != 0 ? device : 0, refused[i][0], refused[i][1], &compilation),
                          (int)OH_NN_SUCCESS);
            cr_assert_not_null(strstr(nnrt_last_error(), refused[i][2]), "%s", nnrt_last_error());
        }
    free(file);
    end();
}

Test(open_rknn, a_run_that_hangs_ends) {
    const size_t device = begin();
    size_t size;
    uint8_t *file = off_read(SMALL, &size), out[64];
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    reference r;
    cr_assert(compute(&r, file, size, false));
    IS(build(file, size, device, "rknn.timeout_ms", "30", &compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    sim.behaviour = SIM_HANGS;
    IS(off_run(executor, r.inputs[0], (size_t)rkchip_tensor_values(&r.model.inputs[0]), out, r.sizes[0]),
       OH_NN_TIMEOUT);
    cr_assert_eq(sim.resets, 1);
    sim.behaviour = SIM_RUNS;
    IS(off_run(executor, r.inputs[0], (size_t)rkchip_tensor_values(&r.model.inputs[0]), out, r.sizes[0]),
       OH_NN_SUCCESS);
    cr_assert_eq(memcmp(out, r.outputs[0], r.sizes[0]), 0);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    forget(&r);
    free(file);
    end();
}

Test(open_rknn, a_file_that_is_exchanged_behind_builds_back_is_refused) {
    char path[] = "/tmp/nnrt_open_rknn_XXXXXX";
    const size_t device = begin();
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    size_t size, other_size;
    uint8_t *file = off_read(SMALL, &size), *other = off_read("examples/meter/meter.tflite", &other_size);
    const int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, file, size), (ssize_t)size);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    IS(OH_NNCompilation_SetDevice(compilation, device), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    OH_NNExecutor_Destroy(&executor);
    cr_assert_eq(pwrite(fd, other, other_size < size ? other_size : size, 0),
                 (ssize_t)(other_size < size ? other_size : size));
    cr_assert_null(OH_NNExecutor_Construct(compilation));
    cr_assert_not_null(strstr(nnrt_last_error(), "no .rknn file"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    close(fd);
    unlink(path);
    free(file);
    free(other);
    end();
}

/* Builds and runs the file on a board that has the library, too; the name of the device that did it. */
static const char *who_runs(const uint8_t *file, size_t size, const char *config, const reference *r,
                            NN_TensorDesc *ends[2], uint8_t *out) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    const char *name = NULL;
    size_t id = 0;
    IS(build(file, size, 0, config != NULL ? "rknn.open" : NULL, config, &compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    IS(nnrt_executor_get_device(executor, &id), OH_NN_SUCCESS);
    IS(OH_NNDevice_GetName(id, &name), OH_NN_SUCCESS);
    ends[0] = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    ends[1] = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    IS(off_run(executor, r->inputs[0], (size_t)rkchip_tensor_values(&r->model.inputs[0]), out, r->sizes[0]),
       OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    return name;
}

static void is_the_same_end(NN_TensorDesc *a, NN_TensorDesc *b) {
    int32_t *dims[2] = {NULL, NULL};
    size_t ranks[2];
    OH_NN_DataType types[2];
    IS(OH_NNTensorDesc_GetShape(a, &dims[0], &ranks[0]), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_GetShape(b, &dims[1], &ranks[1]), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_GetDataType(a, &types[0]), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_GetDataType(b, &types[1]), OH_NN_SUCCESS);
    cr_assert_eq(ranks[0], ranks[1]);
    cr_assert_eq(memcmp(dims[0], dims[1], ranks[0] * sizeof dims[0][0]), 0);
    cr_assert_eq((int)types[0], (int)types[1]);
    OH_NNTensorDesc_Destroy(&a);
    OH_NNTensorDesc_Destroy(&b);
}

/* The simulated library's runtime executes the same file. */
Test(open_rknn, beside_the_library_it_runs_what_asks_for_it_and_gives_the_same) {
    NN_TensorDesc *ends[3][2];
    uint8_t outs[3][64];
    size_t size;
    uint8_t *file = off_read(SMALL, &size);
    const char *name;
    reference r;
    board b;
    if (!rknpu_load(&b, "rv1106", "")) cr_skip_test("skipped, no simulated rv1106");
    (void)begin();
    cr_assert(compute(&r, file, size, false));
    cr_assert_leq(r.sizes[0], sizeof outs[0]);
    name = who_runs(file, size, NULL, &r, ends[0], outs[0]);
    cr_assert_not_null(strstr(name, "rknpu_rockchip_"), "%s", name);
    name = who_runs(file, size, "0", &r, ends[1], outs[1]);
    cr_assert_not_null(strstr(name, "rknpu_rockchip_"), "%s", name);
    cr_assert_null(strstr(heard, "kernel's driver, without"), "%s", heard);
    name = who_runs(file, size, "1", &r, ends[2], outs[2]);
    cr_assert_str_eq(name, DEVICE);
    cr_assert_not_null(strstr(heard, DEVICE " runs the model instead of rknpu_rockchip_"), "%s", heard);
    cr_assert_eq(memcmp(outs[0], r.outputs[0], r.sizes[0]), 0, "the library");
    cr_assert_eq(memcmp(outs[2], outs[0], r.sizes[0]), 0);
    is_the_same_end(ends[0][0], ends[2][0]);
    is_the_same_end(ends[0][1], ends[2][1]);
    OH_NNTensorDesc_Destroy(&ends[1][0]);
    OH_NNTensorDesc_Destroy(&ends[1][1]);
    forget(&r);
    free(file);
    end();
}

/* ----------------------------------------------------------------------------------------- files that are refused */

/* The image of the bytes, in a block of exactly their size. */
static OH_NN_ReturnCode make(const uint8_t *bytes, size_t size, uint8_t **image, size_t *image_size) {
    nnrt__open_rknn_ports ports;
    uint8_t *exact = (uint8_t *)malloc(size + (size == 0));
    OH_NN_ReturnCode code;
    memcpy(exact, bytes, size);
    code = nnrt__open_rknn_make(exact, size, image, image_size, &ports);
    free(exact);
    if (code == OH_NN_SUCCESS) nnrt__free(ports.ports);
    else {
        cr_assert_null(*image);
        cr_assert_null(ports.ports);
        cr_assert(code == OH_NN_INVALID_FILE || code == OH_NN_UNSUPPORTED, "%d", (int)code);
        cr_assert_gt(strlen(nnrt__sentence()), 15, "%s", nnrt__sentence());
    }
    return code;
}

static void is_refused(const uint8_t *bytes, size_t size, const char *says) {
    uint8_t *image;
    size_t image_size;
    cr_assert_neq((int)make(bytes, size, &image, &image_size), (int)OH_NN_SUCCESS, "%s", says);
    cr_assert_not_null(strstr(nnrt__sentence(), says), "%s, not %s", nnrt__sentence(), says);
}

Test(open_rknn, other_files_are_refused_by_what_they_are) {
    size_t size;
    uint8_t *file = off_read(SMALL, &size);
    for (size_t length = 0; length < size - 1000; length += length < 200 ? 1 : 97) {
        uint8_t *image;
        size_t image_size;
        cr_assert_neq((int)make(file, length, &image, &image_size), (int)OH_NN_SUCCESS, "%zu", length);
    }
    file[8] = 6, file[9] = 0;
    is_refused(file, size, "of RK3588's, whose commands get their addresses at load, not enough is known");
    memcpy(file, "CYPTRKNN", 8);
    is_refused(file, size, "encrypted");
    memcpy(file, "TFL3", 4);
    is_refused(file, size, "no .rknn file");
    free(file);
}

/* Where the file has the text for the first time behind its words. */
static uint8_t *text_in(uint8_t *file, size_t size, const char *text) {
    for (size_t i = 128; i + strlen(text) < size; i++)
        if (memcmp(file + i, text, strlen(text)) == 0) return file + i;
    cr_assert_fail("no %s", text);
    return NULL;
}

/* Word number w of task t of the file. */
static uint8_t *word_of(uint8_t *file, uint32_t t, uint32_t w) {
    const uint8_t *record = file + 128 + 40 * t;
    return file + 128 + nnrt__read_u32(file + 68) + nnrt__read_u32(record + 32) + 8 * (size_t)w;
}

/* The last word of the task that writes the register; NULL: it inherits it. */
static uint8_t *register_of(uint8_t *file, uint32_t t, uint32_t name) {
    for (uint32_t w = nnrt__read_u32(file + 128 + 40 * t + 24); w > 0; w--)
        if (nnrt__read_u16(word_of(file, t, w - 1)) == name) return word_of(file, t, w - 1);
    return NULL;
}

Test(open_rknn, an_address_that_leaves_the_memory_is_refused_with_its_register) {
    static const uint16_t addresses[] = {0x1070, 0x1110, 0x4020, 0x5018, 0x5020, 0x5038, 0x6070, 0x701c};
    size_t size;
    uint8_t *file = off_read(SMALL, &size);
    const uint32_t tasks = nnrt__read_u32(file + 72), words = nnrt__read_u32(file + 76);
    const uint32_t end = words + nnrt__read_u32(file + 80) + nnrt__read_u32(file + 84);
    uint32_t planted = 0;
    for (uint32_t t = 0; t < tasks; t++)
        for (size_t a = 0; a < sizeof addresses / sizeof addresses[0]; a++) {
            uint8_t *at = register_of(file, t, addresses[a]), kept[8];
            const uint32_t wrong[] = {end + 0x10000, 0x7ffffff0, 0xfffffff0u - 0x2000, 0x80000000u};
            if (at == NULL || nnrt__read_u32(at + 2) == 0) continue;
            memcpy(kept, at, 8);
            for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                memcpy(at + 2, &wrong[i], 4);
                is_refused(file, size, "it leads out of the memory of the job");
                planted++;
            }
            if (addresses[a] == 0x4020 || addresses[a] == 0x6070) {
                const uint32_t own[] = {16, words, words + 64};
                for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
                    memcpy(at + 2, &own[i], 4);
                    is_refused(file, size, "would write over words or weights");
                    planted++;
                }
            }
            memcpy(at, kept, 8);
        }
    cr_assert_gt(planted, 100, "%u", (unsigned)planted);
    free(file);
}

/* A processor other than the NPU: the byte is changed in every operator's table in turn, whichever of them has it. */
Test(open_rknn, an_operator_of_the_cpu_is_refused_by_its_name) {
    size_t size;
    uint8_t *file = off_read(SMALL, &size), *image;
    nnrt__open_rknn parts;
    size_t image_size;
    uint32_t named = 0;
    IS(nnrt__open_rknn_read(file, size, &parts), OH_NN_SUCCESS);
    for (uint32_t i = 0; i < nnrt__open_rknn_count(&parts, 1); i++) {
        const uint32_t node = nnrt__open_rknn_table(&parts.flat, parts.graph, 1, i);
        const uint32_t at = nnrt__flat_field(&parts.flat, node, 3, 1);
        nnrt__open_rknn_operator o;
        char name[64];
        uint8_t *byte;
        IS(nnrt__open_rknn_operator_read(&parts, i, &o), OH_NN_SUCCESS);
        if (!o.on_npu || o.is_output || o.is_input || at == 0) continue;
        byte = file + (parts.flat.bytes - file) + at;
        *byte = 0;
        nnrt__open_rknn_say(o.name, name, sizeof name);
        IS(make(file, size, &image, &image_size), OH_NN_UNSUPPORTED);
        cr_assert_not_null(strstr(nnrt__sentence(), name), "%s, not %s", nnrt__sentence(), name);
        cr_assert_not_null(strstr(nnrt__sentence(), "computes it on the CPU"), "%s", nnrt__sentence());
        *byte = 2;
        named++;
    }
    cr_assert_gt(named, 4, "%u", (unsigned)named);
    free(file);
}

Test(open_rknn, blocks_words_and_outputs_that_are_not_known_are_refused) {
    size_t size;
    uint8_t *file = off_read(SMALL, &size), *at;
    file[128 + 8] = 0x0d; /* a convolution without tables: no stream with it was ever executed */
    is_refused(file, size, "blocks 0xd together are not known");
    file[128 + 8] = 0x1d;
    at = register_of(file, 0, 0x1010);
    at[7] = 0x08; /* a word for another block */
    is_refused(file, size, "writes no register that is known");
    free(file);
    file = off_read(SMALL, &size);
    text_in(file, size, "OutputOperator:")[15] = '!';
    is_refused(file, size, "an OutputOperator is for none of its outputs");
    free(file);
    file = off_read(SMALL, &size);
    {
        const uint32_t few = 64;
        memcpy(file + 76, &few, 4); /* bytes of words: the weights are taken to lie behind so few */
        is_refused(file, size, "the .rknn");
    }
    free(file);
}

Test(open_rknn, an_output_that_is_written_over_is_refused) {
    static nnrt__open_rknn_maker maker;
    nnrt__open_rknn_port ports[2];
    nnrt__open_npu_range written[3] = {{100, 200}, {300, 400}, {200, 300}};
    nnrt__open_rknn_ports all = {1, 1, ports};
    memset(ports, 0, sizeof ports);
    ports[1].place.offset = 200;
    ports[1].place.size = 50;
    maker.task_count = 3;
    maker.last_task[0] = 3;
    IS(nnrt__open_rknn_check_outputs(&maker, &all, written), OH_NN_SUCCESS);
    maker.last_task[0] = 2;
    IS(nnrt__open_rknn_check_outputs(&maker, &all, written), OH_NN_UNSUPPORTED);
    written[2].from = 250;
    IS(nnrt__open_rknn_check_outputs(&maker, &all, written), OH_NN_SUCCESS);
}

/* ----------------------------------------------------------------------------------------------- any change */

/* The tasks of an image on the engine, whose memory has exactly the size that the image says. */
static bool stays_inside(const uint8_t *image, rkchip *chip, const char *what) {
    nnrt__open_npu_header h;
    rkchip_region region;
    uint8_t *memory;
    bool done = true;
    nnrt__open_npu_header_read(image, &h);
    memory = (uint8_t *)calloc(1, h.memory_size);
    memcpy(memory, image + h.loaded, h.loaded_size);
    region.address = 0;
    region.bytes = memory;
    region.size = h.memory_size;
    chip->memory.regions = &region;
    chip->memory.count = 1;
    for (uint32_t t = 0; t < h.task_count && done; t++) {
        nnrt__open_npu_task record;
        rkchip_task task;
        nnrt__open_npu_task_read(image, &h, t, &record);
        task.enable = record.enable;
        task.amount = record.amount;
        task.address = record.words;
        done = rkchip_run(chip, t, &task);
    }
    cr_assert(done || strstr(chip->sentence, "not memory of the job") == NULL, "%s: %s", what, chip->sentence);
    cr_assert(done || strstr(chip->sentence, "in front of the memory") == NULL, "%s: %s", what, chip->sentence);
    cr_assert_eq(memcmp(memory, image + h.loaded, h.loaded_size), 0, "%s: words or weights changed", what);
    free(memory);
    return done;
}

static void try_change(const uint8_t *file, size_t size, const char *what, uint32_t counts[2], rkchip *chip) {
    uint8_t *image;
    size_t image_size;
    if (make(file, size, &image, &image_size) == OH_NN_SUCCESS) {
        counts[0]++;
        if (chip != NULL) (void)stays_inside(image, chip, what);
        nnrt__free(image);
    } else counts[1]++;
}

Test(open_rknn, every_bit_of_a_file_may_be_wrong, .timeout = 300) {
    size_t size;
    uint8_t *file = off_read(SMALL, &size);
    uint32_t counts[2] = {0, 0};
    const size_t words = 128 + nnrt__read_u32(file + 68), weights = words + nnrt__read_u32(file + 76);
    const size_t graph = weights + nnrt__read_u32(file + 84), end = graph + nnrt__read_u32(file + 64);
    const size_t step = IS_SLOW ? 11 : 1;
    rkchip *chip = rkchip_create(RKCHIP_RV1106);
    for (size_t bit = 0; bit < end * 8; bit += step * (bit / 8 < words ? 1 : bit / 8 < graph ? 7 : 5)) {
        char what[48];
        if (bit / 8 >= weights && bit / 8 < graph) continue; /* weights may be anything */
        file[bit / 8] ^= (uint8_t)(1 << bit % 8);
        snprintf(what, sizeof what, "byte %zu, bit %u", bit / 8, (unsigned)(bit % 8));
        try_change(file, size, what, counts, chip);
        file[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    rkchip_destroy(chip);
    fprintf(stderr, "small.rknn, bits: %u accepted and inside, %u refused\n", (unsigned)counts[0], (unsigned)counts[1]);
    cr_assert_gt(counts[0], 1000 / step, "%u", (unsigned)counts[0]);
    cr_assert_gt(counts[1], 5000 / step, "%u", (unsigned)counts[1]);
    free(file);
}

/* Whole words: values that lead to the ends of the memory, other values, other registers. */
static void change_words(uint8_t *file, uint32_t tasks) {
    const uint32_t end = nnrt__read_u32(file + 76) + nnrt__read_u32(file + 80) + nnrt__read_u32(file + 84);
    for (uint32_t k = noise() % 3 + 1; k > 0; k--) {
        const uint32_t t = noise() % tasks;
        uint8_t *at = word_of(file, t, noise() % nnrt__read_u32(file + 128 + 40 * t + 24));
        uint32_t value = nnrt__read_u32(at + 2);
        switch (noise() % 7) {
        case 0: value ^= (uint32_t)1 << noise() % 32; break;
        case 1: value += (uint32_t)noise_in(-8, 8) * 16; break;
        case 2: value = end + (uint32_t)noise_in(-64, 64) * 16; break;
        case 3: value = (uint32_t)noise_in(0, 64) * 16; break;
        case 4: value = (value & 0xffff0000u) + (uint32_t)noise_in(0, 300); break;
        case 5: value = noise(); break;
        default: memcpy(at, word_of(file, t, 0), 8); continue;
        }
        memcpy(at + 2, &value, 4);
    }
}

Test(open_rknn, many_words_may_be_wrong_at_once, .timeout = 300) {
    size_t size;
    uint8_t *file = off_read(SMALL, &size), *changed = (uint8_t *)malloc(size);
    const uint32_t tasks = nnrt__read_u32(file + 72);
    uint32_t counts[2] = {0, 0};
    rkchip *chip = rkchip_create(RKCHIP_RV1106);
    for (uint32_t round = 0; round < 6000; round++) {
        char what[48];
        memcpy(changed, file, size);
        change_words(changed, tasks);
        snprintf(what, sizeof what, "round %u, seed %u", (unsigned)round, (unsigned)SEED);
        try_change(changed, size, what, counts, chip);
    }
    rkchip_destroy(chip);
    fprintf(stderr, "small.rknn, words: %u accepted and inside, %u refused\n", (unsigned)counts[0],
            (unsigned)counts[1]);
    cr_assert_gt(counts[0], 300, "%u", (unsigned)counts[0]);
    cr_assert_gt(counts[1], 2000, "%u", (unsigned)counts[1]);
    free(changed);
    free(file);
}

/* ------------------------------------------------------------------------------------------------ real files */

/* What the driver gives beside what the engine gives. Blocks may stand at either group of registers before a run: every
   task has all of its words. */
static uint32_t runs_on_the_driver(const char *name, const uint8_t *file, size_t size) {
    nnrt__open_npu_session *session;
    nnrt__open_rknn_ports ports;
    reference r;
    uint8_t *image;
    size_t image_size;
    void *outputs[RKCHIP_MOST_PORTS];
    cr_assert(compute(&r, file, size, true), "%s: %s", name, r.model.sentence);
    IS(nnrt__open_rknn_make(file, size, &image, &image_size, &ports), OH_NN_SUCCESS);
    sim_begin(SIM_OWN, false);
    IS(nnrt__open_npu_open(image, image_size, &session), OH_NN_SUCCESS);
    for (uint32_t i = 0; i < r.count; i++) outputs[i] = malloc(r.sizes[i]);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t b = 0; b < RKCHIP_BLOCKS; b++) sim.chip->group[b] = (uint8_t)(round == 0 ? 0 : noise() & 1);
        IS(nnrt__open_npu_run(session, (const void *const *)r.inputs, outputs, 60000), OH_NN_SUCCESS);
        for (uint32_t i = 0; i < r.count; i++) {
            size_t apart = 0;
            for (size_t k = 0; k < r.sizes[i]; k++) apart += ((uint8_t *)outputs[i])[k] != r.outputs[i][k];
            cr_assert_eq(apart, 0, "%s, output %u: %zu of %zu bytes differ", name, (unsigned)i, apart, r.sizes[i]);
            memset(outputs[i], 0x33, r.sizes[i]);
        }
    }
    cr_assert_eq(sim.jobs, 2, "all tasks of a run are one job");
    const uint32_t tasks = sim.tasks / 2;
    for (uint32_t i = 0; i < r.count; i++) free(outputs[i]);
    nnrt__open_npu_close(session);
    end();
    nnrt__free(ports.ports);
    nnrt__free(image);
    forget(&r);
    return tasks;
}

Test(open_rknn, a_made_file_gives_what_the_engine_gives) {
    size_t size;
    uint8_t *file = off_read(SMALL, &size);
    cr_assert_eq(runs_on_the_driver("small.rknn", file, size), 8);
    free(file);
}

/* Words of a real file: a few changes, each refused or inside; of large nets the engine sees one in forty. */
static void changes_of(const char *name, uint8_t *file, size_t size) {
    uint8_t *changed = (uint8_t *)malloc(size);
    const uint32_t tasks = nnrt__read_u32(file + 72), rounds = size < 200000 ? 1000 : 120;
    uint32_t counts[2] = {0, 0};
    rkchip *chip = rkchip_create(RKCHIP_RV1106);
    for (uint32_t round = 0; round < rounds; round++) {
        memcpy(changed, file, size);
        change_words(changed, tasks);
        try_change(changed, size, name, counts, size < 200000 || round % 40 == 0 ? chip : NULL);
    }
    fprintf(stderr, "%s: %u changes accepted, %u refused\n", name, (unsigned)counts[0], (unsigned)counts[1]);
    rkchip_destroy(chip);
    free(changed);
}

/* Runs every .rknn in a folder and its folders. */
static uint32_t run_folder(const char *folder, uint32_t depth) {
    DIR *dir = opendir(folder);
    uint32_t count = 0;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        const size_t length = strlen(e->d_name);
        char path[1024];
        uint8_t *file, *image;
        size_t size, image_size;
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (length < 6 || strcmp(e->d_name + length - 5, ".rknn") != 0) {
            if (depth > 0) count += run_folder(path, depth - 1);
            continue;
        }
        file = off_read(path, &size);
        if (file == NULL || size < 128 || nnrt__read_u32(file + 8) != 0x1004) {
            free(file);
            continue; /* another chip's */
        }
        if (make(file, size, &image, &image_size) == OH_NN_SUCCESS) {
            nnrt__free(image);
            fprintf(stderr, "%s: %u tasks, outputs equal\n", e->d_name,
                    (unsigned)runs_on_the_driver(e->d_name, file, size));
            changes_of(e->d_name, file, size);
            count++;
        } else {
            reference r;
            fprintf(stderr, "%s: refused: %s\n", e->d_name, nnrt__sentence());
            cr_assert_not(compute(&r, file, size, true), "%s: the engine runs it: %s", e->d_name, nnrt__sentence());
            forget(&r);
        }
        free(file);
    }
    if (dir != NULL) closedir(dir);
    return count;
}

Test(open_rknn, real_files_give_what_the_engine_gives, .timeout = 600) {
    if (run_folder(off_models_folder(), 2) == 0)
        cr_skip_test("skipped, no models: no .rknn of RV1103 or RV1106 in NNRT_MODELS");
}
