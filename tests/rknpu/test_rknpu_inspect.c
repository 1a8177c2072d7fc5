/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_inspect.c - a .rknn is known where no NPU is, and the facts that the device lists are those that it
   answers. */
#include "linked.h"

#include <criterion/criterion.h>

#include "rknpu_board.h"

typedef struct told {
    char text[512]; /* "label: text\n" of each pair */
} told;

static void keep_pair(void *user, const char *label, const char *text) {
    told *t = (told *)user;
    const size_t used = strlen(t->text);
    snprintf(t->text + used, sizeof(t->text) - used, "%s: %s\n", label, text);
}

/* format, a body of 40 bytes, the text; in a block of its size. */
static uint8_t *rknn_file(uint64_t format, const char *text, size_t *size) {
    const size_t length = strlen(text);
    uint8_t *file = (uint8_t *)calloc(1, *size = 64 + 40 + 8 + length);
    cr_assert_not_null(file);
    memcpy(file, "RKNN", 4);
    file[8] = (uint8_t)format;
    file[16] = 40;
    file[104] = (uint8_t)length;
    memcpy(file + 112, text, length);
    return file;
}

/* What the library says in a process without a runtime; *name is the device's. */
static OH_NN_ReturnCode ask(const void *bytes, size_t size, told *t, const char **name) {
    (void)setenv("NNRT_RKNPU_LIBRARY", "/nowhere/librknnrt.so", 1);
    memset(t, 0, sizeof(*t));
    *name = NULL;
    return nnrt_inspect_model(bytes, size, name, keep_pair, t);
}

Test(rknpu_inspect, a_file_is_known_where_the_device_is_not_listed) {
    size_t size;
    uint8_t *file = rknn_file(6, "{\"target_platform\":[\"rk3588\"],\"version\":\"2.3.2\"}", &size);
    const size_t *ids = NULL;
    const char *name;
    uint32_t count = 0;
    told t;
    cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_str_eq(name, "rknpu_rockchip_" NNRT_VERSION);
    cr_assert_str_eq(t.text, "kind: Rockchip .rknn, format 6\nmade for: rk3588\ntoolkit: 2.3.2\nruntime: 1.5.2\n");
    cr_assert_eq(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 1); /* the CPU */
    free(file);
}

Test(rknpu_inspect, what_a_file_does_not_tell_is_said) {
    size_t size;
    uint8_t *file = rknn_file(6, "{}", &size);
    const char *name;
    told t;
    cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS);
    cr_assert_str_eq(t.text, "kind: Rockchip .rknn, format 6\nmade for: not told\ntoolkit: not told\nruntime: 1.5.2\n");
    cr_assert_eq(ask("CYPTRKNN\1", 9, &t, &name), OH_NN_SUCCESS);
    cr_assert_str_eq(t.text, "kind: Rockchip .rknn, encrypted: only the runtime can read it\n");
    cr_assert_eq(nnrt_inspect_model(file, size, NULL, NULL, NULL), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_inspect_model("CYPTRKNN", 8, NULL, NULL, NULL), OH_NN_SUCCESS);
    free(file);
}

Test(rknpu_inspect, a_file_that_is_cut_off_is_damaged_and_what_begins_otherwise_is_not_its) {
    size_t size, cut;
    uint8_t *file = rknn_file(6, "{\"target_platform\":[\"rk3588\"]}", &size);
    const char *name;
    told t;
    for (cut = 0; cut <= size; cut++) {
        uint8_t *exact = (uint8_t *)malloc(cut != 0 ? cut : 1);
        memcpy(exact, file, cut);
        cr_assert_eq(ask(exact, cut, &t, &name),
                     cut < 8     ? OH_NN_UNSUPPORTED
                     : cut < 104 ? OH_NN_INVALID_FILE
                                 : OH_NN_SUCCESS,
                     "%zu bytes", cut);
        cr_assert_eq(name == NULL, cut < 8);
        cr_assert_eq(t.text[0] == '\0', cut < 104);
        if (cut >= 8 && cut < 64) cr_assert_not_null(strstr(nnrt_last_error(), "cut off"), "%s", nnrt_last_error());
        free(exact);
    }
    for (cut = 0; cut < 8; cut++) {
        file[cut] ^= 0x20;
        cr_assert_eq(ask(file, size, &t, &name), OH_NN_UNSUPPORTED, "byte %zu", cut);
        cr_assert_null(name);
        file[cut] ^= 0x20;
    }
    file[8] = 0; /* no format version */
    cr_assert_eq(ask(file, size, &t, &name), OH_NN_INVALID_FILE);
    cr_assert_str_eq(name, "rknpu_rockchip_" NNRT_VERSION);
    free(file);
}

/* ------------------------------------------------------------------------------------- a device to be chosen */

Test(rknpu_inspect, a_rknn_without_its_npu_is_refused_with_the_reason_and_may_be_given_to_another_device) {
    size_t size;
    uint8_t *file = rknn_file(6, "{}", &size);
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(file, size);
    const size_t *ids = NULL;
    uint32_t count = 0;
    (void)setenv("NNRT_RKNPU_LIBRARY", "/nowhere/librknnrt.so", 1);
    cr_assert_eq(OH_NNCompilation_Build(compilation), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(
        strstr(nnrt_last_error(), "the model is for device rknpu_rockchip_" NNRT_VERSION ", which is not here: "), "%s",
        nnrt_last_error());
    cr_assert_not_null(strstr(nnrt_last_error(), "/nowhere/librknnrt.so"), "%s", nnrt_last_error());
    cr_assert_eq(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNCompilation_SetDevice(compilation, ids[0]), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNCompilation_Build(compilation), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "a .rknn model"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    free(file);
}

/* The device of the model at path, none being named; and of the plan that it can be saved as. */
static size_t device_of(const char *path, bool saves) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    OH_NNExecutor *executor;
    size_t id = 0, again = 0, size = 0;
    uint8_t *plan;
    MUST_WORK(OH_NNCompilation_Build(compilation));
    executor = OH_NNExecutor_Construct(compilation);
    MUST_WORK(nnrt_executor_get_device(executor, &id));
    OH_NNExecutor_Destroy(&executor);
    if (saves) {
        plan = (uint8_t *)malloc(1u << 20);
        MUST_WORK(OH_NNCompilation_ExportCacheToBuffer(compilation, plan, 1u << 20, &size));
        OH_NNCompilation_Destroy(&compilation);
        compilation = OH_NNCompilation_ConstructForCache();
        MUST_WORK(OH_NNCompilation_ImportCacheFromBuffer(compilation, plan, size));
        MUST_WORK(OH_NNCompilation_Build(compilation));
        executor = OH_NNExecutor_Construct(compilation);
        MUST_WORK(nnrt_executor_get_device(executor, &again));
        MUST(again == id, "the plan went elsewhere");
        OH_NNExecutor_Destroy(&executor);
        free(plan);
    }
    OH_NNCompilation_Destroy(&compilation);
    return id;
}

static void life_choice(board *b, const void *user) {
    OH_NNCompilation *compilation;
    char path[400];
    (void)user;
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.rknn", b->folder, b->chip);
    MUST(device_of(path, false) == b->npu, "the .rknn is not for the NPU");
    MUST(device_of("examples/meter/meter.tflite", true) == b->cpu, "the .tflite is not for the CPU");
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile("examples/meter/pictures/reading_000000.pgm");
    MUST_BE(OH_NN_INVALID_FILE, OH_NNCompilation_Build(compilation));
    MUST(strstr(nnrt_last_error(), "no .rknn file: it looks like a PGM picture") != NULL, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
}

Test(rknpu_inspect, without_a_device_a_rknn_goes_to_the_npu_and_a_tflite_to_the_cpu) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_choice, NULL);
}

static char warning[256];

static void keep_warning(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    if (level == NNRT_LOG_WARNING) (void)snprintf(warning, sizeof(warning), "%s", message);
}

/* A finished graph of one operator: z = x op y. */
static OH_NNModel *graph_of(OH_NN_OperationType op) {
    const int32_t dims[2] = {32, 32};
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    OH_NNModel *model = OH_NNModel_Construct();
    uint32_t in[2] = {0, 1}, out[1] = {2}, i;
    OH_NN_UInt32Array none = {NULL, 0}, inputs, outputs;
    inputs.data = in, inputs.size = 2;
    outputs.data = out, outputs.size = 1;
    MUST_WORK(OH_NNTensorDesc_SetDataType(desc, op == OH_NN_OPS_MATMUL ? OH_NN_FLOAT16 : OH_NN_FLOAT32));
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, dims, 2));
    for (i = 0; i < 3; i++) MUST_WORK(OH_NNModel_AddTensorToModel(model, desc));
    MUST_WORK(OH_NNModel_AddOperation(model, op, &none, &inputs, &outputs));
    MUST_WORK(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &outputs));
    MUST_WORK(OH_NNModel_Finish(model));
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return model;
}

/* Builds a graph for device; expected: 0, or the device that runs it. */
static void graph_goes(OH_NN_OperationType op, size_t device, const char *config, bool float16, size_t expected) {
    OH_NNModel *model = graph_of(op);
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(model);
    OH_NNExecutor *executor;
    OH_NN_ReturnCode code;
    size_t id = 0;
    OH_NNModel_Destroy(&model);
    warning[0] = '\0';
    nnrt_set_log(keep_warning, NULL);
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, device));
    MUST_WORK(OH_NNCompilation_EnableFloat16(compilation, float16));
    if (config != NULL) MUST_WORK(OH_NNCompilation_AddExtensionConfig(compilation, config, "0", 1));
    code = OH_NNCompilation_Build(compilation);
    nnrt_set_log(NULL, NULL);
    MUST(code == (expected != 0 ? OH_NN_SUCCESS : OH_NN_FAILED), "%d: %s", (int)code, nnrt_last_error());
    if (expected == 0) {
        MUST(strstr(nnrt_last_error(), "ADD") != NULL, "not the NPU's reason: %s", nnrt_last_error());
    } else {
        executor = OH_NNExecutor_Construct(compilation);
        MUST_WORK(nnrt_executor_get_device(executor, &id));
        MUST(id == expected, "another device runs it");
        OH_NNExecutor_Destroy(&executor);
    }
    OH_NNCompilation_Destroy(&compilation);
}

static void life_fallback(board *b, const void *user) {
    OH_NNModel *model = graph_of(OH_NN_OPS_ADD);
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(model);
    const bool multiplies = strcmp(b->chip, "rk3588") == 0;
    (void)user;
    OH_NNModel_Destroy(&model);
    MUST_BE(OH_NN_INVALID_PARAMETER, OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.fallback", "no", 2));
    OH_NNCompilation_Destroy(&compilation);
    graph_goes(OH_NN_OPS_ADD, b->npu, NULL, false, b->cpu);
    MUST(strstr(warning, " runs the graph instead of rknpu_rockchip_") != NULL, "%s", warning);
    MUST(strstr(warning, "ADD") != NULL, "it lacks the reason: %s", warning);
    graph_goes(OH_NN_OPS_ADD, 0, NULL, false, b->cpu);
    graph_goes(OH_NN_OPS_ADD, b->cpu, NULL, false, b->cpu);
    MUST(warning[0] == '\0', "%s", warning);
    graph_goes(OH_NN_OPS_ADD, b->npu, "nnrt.fallback", false, 0);
    graph_goes(OH_NN_OPS_ADD, b->npu, "rknn.timeout_ms", false, 0); /* meant for the NPU: the CPU does not take it */
    graph_goes(OH_NN_OPS_ADD, b->npu, NULL, true, 0);
    if (multiplies) graph_goes(OH_NN_OPS_MATMUL, b->npu, NULL, false, b->npu);
    MUST(!multiplies || warning[0] == '\0', "%s", warning);
}

Test(rknpu_inspect, a_graph_that_the_npu_lacks_goes_to_the_cpu_unless_that_is_forbidden_or_cannot_be) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_fallback, NULL);
}

static void life_config(board *b, const void *user) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile("examples/meter/meter.tflite");
    (void)user;
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, b->npu));
    MUST_WORK(OH_NNCompilation_AddExtensionConfig(compilation, "rknn.coremask", "auto", 4));
    MUST_BE(OH_NN_INVALID_PARAMETER, OH_NNCompilation_Build(compilation));
    MUST(strstr(nnrt_last_error(), "; did you mean rknn.core_mask?") != NULL, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
}

Test(rknpu_inspect, a_misspelt_config_names_the_one_that_was_meant) {
    static const char *const chips[] = {"rk3566", NULL};
    board_each(chips, life_config, NULL);
}

/* -------------------------------------------------------------------------------------------------- facts */

static void life_facts(board *b, const void *user) {
    const nnrt_fact *facts = NULL, *fact;
    char name[64], text[4096];
    uint32_t seen[NNRT_FACT_OUTPUT + 1] = {0};
    int kind;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", NULL);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 1);
    MUST_WORK(rig_run(&r));
    MUST_WORK(nnrt_device_get_facts(b->npu, &facts));
    for (fact = facts; fact->name != NULL; fact++) {
        const bool numbered = fact->kind == NNRT_FACT_INPUT || fact->kind == NNRT_FACT_OUTPUT;
        OH_NN_ReturnCode code;
        MUST(fact->kind >= NNRT_FACT_MODEL && fact->kind <= NNRT_FACT_OUTPUT, "%s", fact->name);
        seen[fact->kind]++;
        (void)snprintf(name, sizeof(name), "%s%s", fact->name, numbered ? "0" : "");
        code = nnrt_executor_get_info(r.executor, name, text, sizeof(text));
        MUST(code == OH_NN_SUCCESS || code == OH_NN_UNSUPPORTED, "%s: %s", name, nnrt_last_error());
        if (code == OH_NN_SUCCESS) MUST(text[0] != '\0', "%s", name);
        (void)snprintf(name, sizeof(name), "%s%s", fact->name, numbered ? "1" : "0"); /* the meter has one of each */
        MUST_BE(OH_NN_INVALID_PARAMETER, nnrt_executor_get_info(r.executor, name, text, sizeof(text)));
    }
    MUST(fact->kind == NNRT_FACT_END, "the end");
    for (kind = NNRT_FACT_MODEL; kind <= NNRT_FACT_OUTPUT; kind++) MUST(seen[kind] > 0, "kind %d", kind);
    MUST_WORK(nnrt_device_get_facts(b->cpu, &fact));
    MUST(fact != facts && strncmp(fact->name, "cpu.", 4) == 0, "%s", fact->name); /* every device has its own */
    rig_end(&r);
}

Test(rknpu_inspect, the_device_answers_every_fact_that_it_lists) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_facts, NULL);
}

static void life_file(board *b, const void *user) {
    char path[400], content[16];
    const char *name = NULL, *listed = NULL;
    FILE *file;
    (void)user;
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.rknn", b->folder, b->chip);
    file = fopen(path, "rb");
    MUST(file != NULL && fread(content, 1, sizeof(content), file) == sizeof(content), "%s", path);
    (void)fclose(file);
    MUST_BE(OH_NN_INVALID_FILE, nnrt_inspect_model(content, sizeof(content), &name, NULL, NULL));
    MUST_WORK(OH_NNDevice_GetName(b->npu, &listed));
    MUST(strcmp(name, listed) == 0, "%s is not %s", name, listed);
}

Test(rknpu_inspect, the_name_is_the_one_that_the_device_has_in_the_list) {
    static const char *const chips[] = {"rk3566", NULL};
    board_each(chips, life_file, NULL);
}
