/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_inspect.c - a .rknn is known where no NPU is, and the facts that the device lists are those that it
   answers. */
#include "linked.h"

#include <criterion/criterion.h>

#include "rknpu_board.h"

typedef struct told {
    char text[4096]; /* "label: text\n" of each pair */
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

/* --------------------------------------------------------------------------------------------- its operators */

enum {
    FOR_OTHERS = 0,
    FOR_NPU = 2,
    MOST_BYTES = 8192
};

typedef struct node {
    const char *type, *name; /* name NULL: the field is not there */
    unsigned target;
} node;

typedef struct writer {
    uint8_t bytes[MOST_BYTES];
    size_t used;
} writer;

static void put(writer *w, uint32_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) w->bytes[w->used++] = (uint8_t)(i < 4 ? value >> 8 * i : 0);
}

/* The u32 at at becomes the way from there to the end. */
static void refer(writer *w, size_t at) {
    const uint32_t way = (uint32_t)(w->used - at);
    for (size_t i = 0; i < 4; i++) w->bytes[at + i] = (uint8_t)(way >> 8 * i);
}

/* A table whose only field, number, is an offset: where that offset is. */
static size_t put_table(writer *w, unsigned number) {
    const size_t vtable = w->used;
    put(w, 6 + 2 * number, 2);
    put(w, 8, 2);
    for (unsigned i = 0; i < number; i++) put(w, 0, 2);
    put(w, 4, 2);
    if (w->used % 4 != 0) put(w, 0, 2);
    return vtable;
}

static void put_string(writer *w, const char *text) {
    put(w, (uint32_t)strlen(text), 4);
    for (; *text != '\0'; text++) put(w, (uint8_t)*text, 1);
    do put(w, 0, 1);
    while (w->used % 4 != 0);
}

/* Graphs as a toolkit writes them, in front of header bytes; one graph of count nodes. */
static void put_graphs(writer *w, const node *nodes, size_t count) {
    size_t vtable, field, vector, k;
    put(w, 0, 4);
    for (k = 0; k < 4; k++) put(w, (uint8_t) "RKNN"[k], 1);
    vtable = put_table(w, 2);
    refer(w, vtable - 8);
    put(w, (uint32_t)(w->used - vtable), 4);
    field = w->used;
    put(w, 0, 4);
    refer(w, field);
    put(w, 1, 4);
    field = w->used;
    put(w, 0, 4);
    vtable = put_table(w, 1);
    refer(w, field);
    put(w, (uint32_t)(w->used - vtable), 4);
    field = w->used;
    put(w, 0, 4);
    refer(w, field);
    put(w, (uint32_t)count, 4);
    vector = w->used;
    for (k = 0; k < count; k++) put(w, 0, 4);
    for (k = 0; k < count; k++) {
        vtable = w->used;
        put(w, 12, 2);
        put(w, 16, 2);
        put(w, 0, 2);
        put(w, 4, 2);
        put(w, nodes[k].name != NULL ? 8 : 0, 2);
        put(w, nodes[k].target != FOR_OTHERS ? 12 : 0, 2);
        refer(w, vector + 4 * k);
        put(w, (uint32_t)(w->used - vtable), 4);
        field = w->used;
        put(w, 0, 8);
        put(w, nodes[k].target, 4);
        refer(w, field);
        put_string(w, nodes[k].type);
        if (nodes[k].name == NULL) continue;
        refer(w, field + 4);
        put_string(w, nodes[k].name);
    }
}

/* A file of this format with these nodes, in a block of its size. */
static uint8_t *file_of(uint64_t format, const char *chip, const node *nodes, size_t count, size_t *size) {
    writer *w = (writer *)calloc(1, sizeof(*w));
    char text[64];
    uint8_t *file;
    size_t body, length;
    snprintf(text, sizeof(text), "{\"target_platform\":[\"%s\"]}", chip);
    length = strlen(text);
    if (format >= 0x1000) put(w, 0, 32); /* the first four: bytes of the graphs */
    put_graphs(w, nodes, count);
    if (format >= 0x1000) {
        body = w->used - 32;
        memcpy(w->bytes, &(uint32_t){(uint32_t)body}, 4);
    }
    body = w->used;
    file = (uint8_t *)calloc(1, *size = 64 + body + 8 + length);
    memcpy(file, "RKNN", 4);
    file[8] = (uint8_t)format;
    file[9] = (uint8_t)(format >> 8);
    file[16] = (uint8_t)body;
    file[17] = (uint8_t)(body >> 8);
    memcpy(file + 64, w->bytes, body);
    file[64 + body] = (uint8_t)length;
    memcpy(file + 64 + body + 8, text, length);
    free(w);
    return file;
}

static const node attention[] = {{"InputOperator", "InputOperator:images", FOR_OTHERS},
                                 {"ConvExSwish", "Conv:/model.0/conv/Conv", FOR_NPU},
                                 {"Reshape", "Reshape:/attn/Reshape", FOR_OTHERS},
                                 {"MatMul", "MatMul:/attn/MatMul", FOR_NPU},
                                 {"exSoftmax13", "exSoftmax13:/attn/Softmax", FOR_OTHERS},
                                 {"MatMul", "MatMul:/attn/MatMul_1", FOR_OTHERS},
                                 {"ConvExSwish", NULL, FOR_NPU},
                                 {"OutputOperator", "OutputOperator:487", FOR_OTHERS}};

/* The yolov10 that a public project could not start on an RV1103 looks like this. */
Test(rknpu_inspect, operators_that_librknnmrt_has_no_form_of_are_told_before_rknn_init_answers) {
    size_t size;
    uint8_t *file = file_of(0x1004, "rv1103", attention, 8, &size);
    const char *name;
    told t;
    cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_str_eq(t.text,
                     "kind: Rockchip .rknn, format 0x1004\nmade for: rv1103\ntoolkit: not told\nruntime: 1.6.0\n"
                     "operators: 2 ConvExSwish, 1 Reshape, 2 MatMul, 1 exSoftmax13\n"
                     "not on the NPU: 1 Reshape, 1 MatMul, 1 exSoftmax13\n"
                     "runs nowhere: 1 MatMul: not for the NPU, and this chip's runtime has no CPU form, by "
                     "Rockchip's operator list 2.3.2: rknn_init will answer -1. Replace them or cut the model "
                     "before them; the first is MatMul:/attn/MatMul_1\n",
                     "%s", t.text);
    free(file);
}

/* Each of the list of RV1103 and RV1106, and each that people met "unsupport cpu ... op" with. */
Test(rknpu_inspect, the_operators_of_the_list_have_a_form_and_those_of_users_threads_have_none) {
    static const char *const has[] = {"Concat",  "DataConvert", "Div",       "exLayerNorm",  "Exp",
                                      "Gather",  "ReduceL2",    "ReduceMax", "Reshape",      "ScatterND",
                                      "Softmax", "exSoftmax13", "exNorm",    "exDataConvert"};
    static const char *const lacks[] = {"Min",    "Transpose", "AveragePool", "Resize",   "Pow",
                                        "ArgMax", "MatMul",    "Soft",        "Softmax1", "cstScale"};
    for (size_t i = 0; i < NNRT__COUNT_OF(has) + NNRT__COUNT_OF(lacks); i++) {
        const bool expected = i < NNRT__COUNT_OF(has);
        const node one = {expected ? has[i] : lacks[i - NNRT__COUNT_OF(has)], "x:y", FOR_OTHERS};
        size_t size;
        uint8_t *file = file_of(0x1004, "rv1106", &one, 1, &size);
        const char *name;
        told t;
        cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS);
        cr_assert_eq(strstr(t.text, "runs nowhere") == NULL, expected, "%s: %s", one.type, t.text);
        cr_assert_not_null(strstr(t.text, one.type));
        free(file);
    }
}

/* librknnrt has about ninety; what it has not either is told, and what a conversion for the small chips would lack. */
Test(rknpu_inspect, a_file_for_the_larger_runtime_tells_what_the_program_has_to_give_and_what_rv1106_would_lack) {
    static const node nodes[] = {{"ConvRelu", "Conv:a", FOR_NPU},
                                 {"ArgMax", "ArgMax:b", FOR_OTHERS},
                                 {"Softmax", "Softmax:c", FOR_OTHERS},
                                 {"cstScale", "cstScale:d", FOR_OTHERS},
                                 {"NonZero", "NonZero:e", FOR_OTHERS}};
    size_t size;
    uint8_t *file = file_of(6, "rk3588", nodes, 5, &size);
    const char *name;
    told t;
    cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_not_null(strstr(t.text, "operators: 1 ConvRelu, 1 ArgMax, 1 Softmax, 1 cstScale, 1 NonZero\n"));
    cr_assert_not_null(strstr(t.text, "of the program: 1 cstScale: to be given by rknn.custom_op"));
    cr_assert_not_null(strstr(t.text, "runs nowhere: 1 NonZero: "), "%s", t.text);
    cr_assert_not_null(strstr(t.text, "the first is NonZero:e\n"), "%s", t.text);
    cr_assert_not_null(strstr(t.text, "on rv1103, rv1106: 1 ArgMax, 1 cstScale, 1 NonZero: no CPU form there"), "%s",
                       t.text);
    free(file);
}

/* More types than there is room for, more text, many operators: counted, cut at a word, and never more than that. */
Test(rknpu_inspect, a_list_that_is_too_long_ends_with_dots_between_two_words) {
    static char names[50][32];
    node nodes[50];
    size_t size, i;
    uint8_t *file;
    const char *name;
    told t;
    for (i = 0; i < 50; i++) {
        snprintf(names[i], sizeof(names[i]), "AnOperatorWithALongName%zu", i);
        nodes[i].type = names[i];
        nodes[i].name = NULL;
        nodes[i].target = FOR_NPU;
    }
    file = file_of(6, "rk3588", nodes, 50, &size);
    cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS);
    cr_assert_not_null(strstr(t.text, "operators: 1 AnOperatorWithALongName0, 1 AnOperator"));
    cr_assert_not_null(strstr(t.text, ", ...\n"), "%s", t.text);
    cr_assert_null(strstr(t.text, "AnOperatorWithALongName49"));
    free(file);
}

/* Every prefix of the body, and every byte of it changed: the file is told as before but for its operators, of which
   nothing is read outside the block. */
Test(rknpu_inspect, operators_of_damaged_graphs_are_left_out_and_nothing_else) {
    size_t size, cut, at, body;
    uint8_t *file = file_of(6, "rk3588", attention, 8, &size), *short_one;
    const char *name;
    unsigned told_all = 0, told_none = 0;
    told t;
    body = (size_t)file[16] + ((size_t)file[17] << 8);
    for (cut = 0; cut < body; cut++) {
        short_one = (uint8_t *)malloc(64 + cut);
        memcpy(short_one, file, 64 + cut);
        short_one[16] = (uint8_t)cut;
        short_one[17] = (uint8_t)(cut >> 8);
        cr_assert_eq(ask(short_one, 64 + cut, &t, &name), OH_NN_SUCCESS, "%zu bytes", cut);
        cr_assert_not_null(strstr(t.text, "kind: Rockchip .rknn, format 6\n"));
        free(short_one);
    }
    for (at = 64; at < 64 + body; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            file[at] ^= (uint8_t)(1u << bit);
            cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS, "byte %zu", at);
            for (const char *c = t.text; *c != '\0'; c++) cr_assert((*c >= ' ' && *c < 0x7f) || *c == '\n');
            if (strstr(t.text, "operators: ") != NULL) told_all++;
            else told_none++;
            file[at] ^= (uint8_t)(1u << bit);
        }
    }
    cr_assert(told_all > 100 && told_none > 100, "%u, %u", told_all, told_none);
    free(file);
}

/* A vector of graphs, and of operators, that says it has 2^30 entries, all of them the same: work is bounded. */
Test(rknpu_inspect, counts_that_no_file_has_are_refused_without_counting) {
    size_t size, at;
    uint8_t *file = file_of(6, "rk3588", attention, 8, &size);
    const char *name;
    told t;
    for (at = 64; at + 4 < size; at += 4) {
        uint8_t kept[4];
        memcpy(kept, file + at, 4);
        memcpy(file + at, "\0\0\0\x40", 4);
        cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS);
        memcpy(file + at, kept, 4);
    }
    free(file);
}

Test(rknpu_inspect, a_file_of_the_first_generation_says_so_whether_it_names_its_chip_or_not) {
    static const char *const texts[] = {"{\"target_platform\":[\"RV1126\"],\"version\":\"1.7.5b1\"}", "{}"};
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        uint8_t *file = rknn_file(6, texts[i], &size);
        const char *name;
        told t;
        memcpy(file + 64, "VPMN\x0e\0\1\0", 8);
        cr_assert_eq(ask(file, size, &t, &name), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_not_null(strstr(t.text, "of the first generation (rknn-toolkit 1)"), "%s", t.text);
        cr_assert_not_null(strstr(t.text, "convert the original model with rknn-toolkit2"), "%s", t.text);
        free(file);
    }
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
    graph_goes(OH_NN_OPS_ADD, b->npu, NULL, true, b->cpu);          /* float16 is allowed, and float32 does it */
    graph_goes(OH_NN_OPS_ADD, 0, NULL, true, b->cpu);
    if (multiplies) graph_goes(OH_NN_OPS_MATMUL, b->npu, NULL, false, b->npu);
    MUST(!multiplies || warning[0] == '\0', "%s", warning);
}

Test(rknpu_inspect, a_graph_that_the_npu_lacks_goes_to_the_cpu_unless_that_is_forbidden_or_cannot_be) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_fallback, NULL);
}

/* The device that has built compilation, with a cache in folder; ends compilation. */
static size_t built_on(OH_NNCompilation *compilation, size_t device, const char *folder) {
    OH_NNExecutor *executor;
    size_t id = 0;
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, device));
    MUST_WORK(OH_NNCompilation_SetCache(compilation, folder, 1));
    MUST_WORK(OH_NNCompilation_Build(compilation));
    executor = OH_NNExecutor_Construct(compilation);
    MUST_WORK(nnrt_executor_get_device(executor, &id));
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    return id;
}

static void life_cache(board *b, const void *user) {
    char folder[] = "/tmp/nnrt-npu-cache-XXXXXX", path[64];
    OH_NNModel *model = graph_of(OH_NN_OPS_ADD);
    (void)user;
    MUST(mkdtemp(folder) != NULL, "no folder");
    MUST(built_on(OH_NNCompilation_Construct(model), b->npu, folder) == b->cpu, "another device runs it");
    MUST(built_on(OH_NNCompilation_Construct(model), b->npu, folder) == b->cpu, "another device runs it");
    MUST(built_on(OH_NNCompilation_ConstructForCache(), b->npu, folder) == b->cpu, "another device runs it");
    MUST(built_on(OH_NNCompilation_ConstructForCache(), 0, folder) == b->cpu, "another device runs it");
    OH_NNModel_Destroy(&model);
    (void)snprintf(path, sizeof(path), "%s/0.nncache", folder);
    (void)unlink(path);
    (void)snprintf(path, sizeof(path), "%s/cache_info.nncache", folder);
    (void)unlink(path);
    MUST(rmdir(folder) == 0, "something stays behind");
}

Test(rknpu_inspect, a_cache_of_such_a_graph_is_found_through_the_npu) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_cache, NULL);
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
