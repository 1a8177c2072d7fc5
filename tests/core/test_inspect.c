/* SPDX-License-Identifier: Apache-2.0 */
/* test_inspect.c - whose a file is and what it tells, which facts a device lists: the questions that need no vendor.

   Files are malloc'd to their exact size, so that a sanitizer sees the first byte behind them. */
#include "linked.h"

#include "mock_device.h"
#include "offline_runner.h"

#include <stdio.h>

#define METER "examples/meter/meter.tflite"

/* ------------------------------------------------------------------------------ backends that know "MOCK" */

enum {
    MOST_PAIRS = 8
};

typedef struct told {
    size_t count;
    char labels[MOST_PAIRS][32], texts[MOST_PAIRS][64];
} told;

static void keep_pair(void *user, const char *label, const char *text) {
    told *t = (told *)user;
    cr_assert_lt(t->count, MOST_PAIRS);
    snprintf(t->labels[t->count], sizeof(t->labels[0]), "%s", label);
    snprintf(t->texts[t->count], sizeof(t->texts[0]), "%s", text);
    t->count++;
}

static int asked; /* how often a mock was */

/* "MOCK" and what follows: 'd' damaged, 'm' no memory, anything else is told. */
static OH_NN_ReturnCode mock_inspect(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    const char *text = (const char *)bytes;
    asked++;
    if (size < 5 || memcmp(text, "MOCK", 4) != 0) return OH_NN_UNSUPPORTED;
    if (text[4] == 'd') return nnrt_backend_fail(OH_NN_INVALID_FILE, "the mock is torn");
    if (text[4] == 'm') return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "out of memory");
    if (tell != NULL) tell(user, "kind", "mock model");
    if (tell != NULL) tell(user, "mood", "calm");
    return OH_NN_SUCCESS;
}

static OH_NN_ReturnCode mock_info(void *executor, const char *name, char *text, size_t size) {
    (void)executor;
    (void)name;
    (void)text;
    (void)size;
    return OH_NN_UNSUPPORTED;
}

static const nnrt_fact mock_facts[] = {
    {"mock.mood", NNRT_FACT_MODEL}, {"mock.input.", NNRT_FACT_INPUT}, {NULL, NNRT_FACT_END}};

/* Registers one more device; it lives as long as the process of a test. */
static size_t add(const char *name,
                  OH_NN_ReturnCode (*inspect)(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user)) {
    static nnrt_backend backends[8];
    static size_t count;
    size_t id = 0;
    backends[count] = mock_backend;
    backends[count].name = name;
    backends[count].inspect = inspect;
    OK(nnrt_register_backend(&backends[count++], &id));
    return id;
}

Test(inspect, the_backend_that_knows_the_format_tells_about_the_file) {
    const char *name = "stale";
    told t;
    memset(&t, 0, sizeof(t));
    (void)add("one", mock_inspect);
    OK(nnrt_inspect_model("MOCK!", 5, &name, keep_pair, &t));
    cr_assert_str_eq(name, "one_tests_1");
    cr_assert_eq(t.count, 2);
    cr_assert_str_eq(t.labels[0], "kind");
    cr_assert_str_eq(t.texts[0], "mock model");
    cr_assert_str_eq(t.labels[1], "mood");
    cr_assert_str_eq(t.texts[1], "calm");
}

Test(inspect, only_the_question_may_be_asked_and_success_leaves_the_last_sentence) {
    const char *name = NULL;
    (void)add("one", mock_inspect);
    (void)nnrt_backend_fail(OH_NN_FAILED, "old");
    OK(nnrt_inspect_model("MOCK!", 5, &name, NULL, NULL));
    cr_assert_str_eq(name, "one_tests_1");
    OK(nnrt_inspect_model("MOCK!", 5, NULL, NULL, NULL));
    cr_assert_str_eq(nnrt_last_error(), "old");
}

Test(inspect, the_name_is_the_one_in_the_list_and_stays) {
    const char *claimed = NULL, *other = NULL, *listed = NULL;
    size_t id = add("one", mock_inspect);
    OK(nnrt_inspect_model("MOCK!", 5, &claimed, NULL, NULL));
    (void)add("two", mock_inspect);
    REFUSED(nnrt_inspect_model("nobody", 6, &other, NULL, NULL), OH_NN_UNSUPPORTED);
    OK(OH_NNDevice_GetName(id, &listed));
    cr_assert_str_eq(claimed, listed);
}

Test(inspect, the_first_registered_backend_that_knows_the_format_answers) {
    const char *name = NULL;
    (void)add("silent", NULL);
    (void)add("first", mock_inspect);
    (void)add("second", mock_inspect);
    OK(nnrt_inspect_model("MOCK!", 5, &name, NULL, NULL));
    cr_assert_str_eq(name, "first_tests_1");
    cr_assert_eq(asked, 1);
    REFUSED(nnrt_inspect_model("OTHER", 5, &name, NULL, NULL), OH_NN_UNSUPPORTED);
    cr_assert_eq(asked, 3);
}

static OH_NN_ReturnCode take_everything(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    (void)bytes;
    (void)size;
    (void)tell;
    (void)user;
    asked++;
    return OH_NN_SUCCESS;
}

Test(inspect, backends_that_are_compiled_in_are_asked_before_registered_ones) {
    const char *name = NULL;
    size_t size;
    uint8_t *file = off_read(METER, &size);
    (void)add("greedy", take_everything);
    OK(nnrt_inspect_model(file, size, &name, NULL, NULL));
    cr_assert_eq(strncmp(name, "cpu_nnrt_", 9), 0, "%s", name);
    cr_assert_eq(asked, 0);
    OK(nnrt_inspect_model("", 0, &name, NULL, NULL));
    cr_assert_str_eq(name, "greedy_tests_1");
    free(file);
}

Test(inspect, a_damaged_file_has_an_owner_and_tells_nothing) {
    const char *name = NULL;
    told t;
    memset(&t, 0, sizeof(t));
    (void)add("one", mock_inspect);
    REFUSED(nnrt_inspect_model("MOCKd", 5, &name, keep_pair, &t), OH_NN_INVALID_FILE);
    cr_assert_str_eq(name, "one_tests_1");
    cr_assert_str_eq(nnrt_last_error(), "the mock is torn");
    REFUSED(nnrt_inspect_model("MOCKm", 5, &name, keep_pair, &t), OH_NN_MEMORY_ERROR);
    cr_assert_str_eq(name, "one_tests_1");
    REFUSED(nnrt_inspect_model("MOCKd", 5, NULL, NULL, NULL), OH_NN_INVALID_FILE);
    cr_assert_eq(t.count, 0);
}

Test(inspect, a_file_that_nobody_knows_has_no_owner) {
    static const char *const files[] = {"", "x", "MOCK", "TFL3", "\x1c\0\0\0TFL2", "a text of some length, no model"};
    size_t i;
    (void)add("one", mock_inspect);
    for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        const char *name = "stale";
        void *block;
        size_t size = i == 4 ? 8 : strlen(files[i]);
        const uint8_t *bytes = off_copy(files[i], size, 3, &block);
        REFUSED(nnrt_inspect_model(bytes, size, &name, NULL, NULL), OH_NN_UNSUPPORTED);
        cr_assert_null(name);
        free(block);
    }
}

Test(inspect, without_bytes_the_parameter_is_named) {
    const char *name = "stale";
    REFUSED(nnrt_inspect_model(NULL, 5, &name, NULL, NULL), IP);
    cr_assert_null(name);
    cr_assert_not_null(strstr(nnrt_last_error(), "bytes"));
    REFUSED(nnrt_inspect_model(NULL, 0, NULL, NULL, NULL), IP);
}

static void ask_back(void *user, const char *label, const char *text) {
    const char *name = NULL;
    (void)label;
    (void)text;
    OK(OH_NNDevice_GetName(*(size_t *)user, &name));
    OK(nnrt_inspect_model("MOCK!", 5, NULL, NULL, NULL));
}

Test(inspect, who_is_told_may_ask_the_library) {
    size_t id = add("one", mock_inspect);
    OK(nnrt_inspect_model("MOCK!", 5, NULL, ask_back, &id));
}

Test(inspect, a_registered_backend_that_does_not_open_is_not_asked) {
    static nnrt_backend closed;
    closed = mock_backend;
    closed.inspect = mock_inspect;
    mock.open_code = OH_NN_UNAVAILABLE_DEVICE;
    REFUSED(nnrt_register_backend(&closed, NULL), OH_NN_UNAVAILABLE_DEVICE);
    REFUSED(nnrt_inspect_model("MOCK!", 5, NULL, NULL, NULL), OH_NN_UNSUPPORTED);
    cr_assert_eq(asked, 0);
}

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
Test(inspect, a_table_that_names_fewer_members_has_no_format_and_no_facts) {
    static const nnrt_backend few = {NNRT_BACKEND_VERSION,
                                     "few",
                                     "tests",
                                     "1",
                                     OH_NN_OTHERS,
                                     0,
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL,
                                     mock_prepare,
                                     NULL,
                                     NULL,
                                     mock_release,
                                     mock_io_count,
                                     mock_io_desc,
                                     NULL,
                                     mock_open_executor,
                                     mock_close_executor,
                                     mock_run};
    const nnrt_fact *facts = mock_facts;
    size_t id = 0;
    OK(nnrt_register_backend(&few, &id));
    REFUSED(nnrt_inspect_model("MOCK!", 5, NULL, NULL, NULL), OH_NN_UNSUPPORTED);
    REFUSED(nnrt_device_get_facts(id, &facts), OH_NN_UNSUPPORTED);
    cr_assert_eq(facts, mock_facts);
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* -------------------------------------------------------------------------------------------------- facts */

Test(inspect, a_device_lists_its_facts) {
    static nnrt_backend telling;
    const nnrt_fact *facts = NULL;
    size_t id = 0, silent = add("silent", NULL);
    telling = mock_backend;
    telling.name = "telling";
    telling.info = mock_info;
    telling.facts = mock_facts;
    OK(nnrt_register_backend(&telling, &id));
    OK(nnrt_device_get_facts(id, &facts));
    cr_assert_eq(facts, mock_facts);
    REFUSED(nnrt_device_get_facts(id, NULL), IP);
    facts = NULL;
    REFUSED(nnrt_device_get_facts(12345, &facts), OH_NN_FAILED);
    REFUSED(nnrt_device_get_facts(silent, &facts), OH_NN_UNSUPPORTED);
    cr_assert_null(facts);
    OK(nnrt_device_get_facts(0, &facts)); /* the CPU */
    cr_assert_str_eq(facts[0].name, "cpu.operators");
    facts += NNRT__ACCELERATES && strcmp(facts[1].name, "accelerator.part.") == 0 ? 2 : 1;
    cr_assert(facts->name == NULL && facts->kind == NNRT_FACT_END);
}

/* --------------------------------------------------------------------------------- the CPU device's files */

/* The plan of the meter, in a block of its size. */
static uint8_t *meter_plan(size_t *size) {
    size_t meter_size;
    uint8_t *meter = off_read(METER, &meter_size), *plan;
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(meter, meter_size);
    cr_assert_not_null(compilation);
    OK(OH_NNCompilation_SetDevice(compilation, off_device()));
    OK(OH_NNCompilation_Build(compilation));
    plan = off_export(compilation, size);
    OH_NNCompilation_Destroy(&compilation);
    free(meter);
    return plan;
}

/* Any bytes get one of three answers; a claim comes with the CPU's name, and a refusal with nothing told. */
static OH_NN_ReturnCode answer(const uint8_t *bytes, size_t size) {
    const char *name = NULL;
    told t;
    OH_NN_ReturnCode code;
    memset(&t, 0, sizeof(t));
    code = nnrt_inspect_model(bytes, size, &name, keep_pair, &t);
    cr_assert(code == OH_NN_SUCCESS || code == OH_NN_INVALID_FILE || code == OH_NN_UNSUPPORTED, "%d", (int)code);
    cr_assert_eq(code == OH_NN_UNSUPPORTED, name == NULL);
    if (name != NULL) cr_assert_eq(strncmp(name, "cpu_nnrt_", 9), 0, "%s", name);
    cr_assert_eq(code == OH_NN_SUCCESS, t.count > 0);
    return code;
}

/* Every beginning of the file, then every value of its first bytes one at a time; for sanitizers, too. Beginnings below
   owned bytes are nobody's, those below whole bytes damaged. */
static void attack(const uint8_t *file, size_t size, size_t owned, size_t whole) {
    size_t cut, at;
    unsigned value;
    for (cut = 0; cut <= size; cut += cut < 1024 || cut + 64 > size ? 1 : 61) {
        void *block;
        const uint8_t *bytes = off_copy(file, cut, cut % 5 != 0 ? cut % 5 : 8, &block);
        const OH_NN_ReturnCode code = answer(bytes, cut);
        if (cut < owned) cr_assert_eq(code, OH_NN_UNSUPPORTED, "%zu bytes", cut);
        else if (cut < whole) cr_assert_eq(code, OH_NN_INVALID_FILE, "%zu bytes", cut);
        free(block);
    }
    for (at = 0; at < 200; at++) {
        for (value = 0; value < 256; value += at < 16 ? 1 : 51) {
            void *block;
            uint8_t *bytes = off_copy(file, size, 0, &block);
            bytes[at] = (uint8_t)value;
            (void)answer(bytes, size);
            free(block);
        }
    }
}

Test(inspect, the_cpu_knows_a_tflite_by_its_identifier) {
    size_t size;
    uint8_t *file = off_read(METER, &size);
    told t;
    memset(&t, 0, sizeof(t));
    OK(nnrt_inspect_model(file, size, NULL, keep_pair, &t));
    cr_assert_eq(t.count, 1);
    cr_assert_str_eq(t.labels[0], "kind");
    cr_assert_str_eq(t.texts[0], "TensorFlow Lite .tflite, schema 3");
    attack(file, size, 8, 9);
    free(file);
}

Test(inspect, the_cpu_knows_a_plan_and_tells_what_it_is_packed_for) {
    size_t size;
    uint8_t *plan = meter_plan(&size);
    const char *isa = strstr(nnrt_version(), "isa=");
    told t;
    memset(&t, 0, sizeof(t));
    OK(nnrt_inspect_model(plan, size, NULL, keep_pair, &t));
    cr_assert_eq(t.count, 3);
    cr_assert_str_eq(t.labels[0], "kind");
    cr_assert_eq(strncmp(t.texts[0], "plan of nnrt, format ", 21), 0, "%s", t.texts[0]);
    cr_assert_str_eq(t.labels[1], "packed for");
    if (getenv("NNRT_ISA") == NULL) cr_assert_str_eq(t.texts[1], isa + 4);
    cr_assert_str_eq(t.labels[2], "threads");
    cr_assert_str_eq(t.texts[2], "1");
    attack(plan, size, 8, size);
    free(plan);
}

Test(inspect, a_plan_of_another_format_version_tells_only_that) {
    size_t size;
    uint8_t *plan = meter_plan(&size);
    const char *name = NULL;
    told t;
    memset(&t, 0, sizeof(t));
    plan[11] = 1; /* the highest byte of the version, or the lowest where the machine is big-endian */
    OK(nnrt_inspect_model(plan, size, &name, keep_pair, &t));
    cr_assert_eq(t.count, 1);
    cr_assert_eq(strncmp(t.texts[0], "plan of nnrt, format ", 21), 0, "%s", t.texts[0]);
    free(plan);
}
