/* SPDX-License-Identifier: Apache-2.0 */
/* test_registry.c - the device list: ids, names, every check of nnrt_register_backend, the log and the error names. */
#include "linked.h"

#include "mock_device.h"

#include <stdio.h>

static char logged[256];
static int log_lines;

static void keep_line(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    (void)level;
    log_lines++;
    snprintf(logged, sizeof(logged), "%s", message);
}

Test(registry, a_registered_device_is_listed_last_and_found_by_its_id) {
    const size_t *ids = NULL;
    const char *name = NULL;
    uint32_t before = 0, count = 0;
    OH_NN_DeviceType type = OH_NN_OTHERS;
    size_t id;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &before));
    id = mock_id();
    ids = NULL;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    cr_assert_eq(count, before + 1);
    cr_assert_eq(ids[before], id);
    cr_assert_neq(id, 0);
    OK(OH_NNDevice_GetName(id, &name));
    cr_assert_str_eq(name, "mock_tests_1");
    OK(OH_NNDevice_GetType(id, &type));
    cr_assert_eq(type, OH_NN_ACCELERATOR);
    cr_assert_eq(mock.opened, 1);
}

Test(registry, device_0_is_the_first_of_the_list) {
    const size_t *ids = NULL;
    const char *first = NULL, *zero = NULL;
    uint32_t count = 0;
    (void)mock_id();
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    OK(OH_NNDevice_GetName(ids[0], &first));
    OK(OH_NNDevice_GetName(0, &zero));
    cr_assert_eq(first, zero);
}

Test(registry, wrong_arguments_get_the_documented_codes) {
    const size_t *ids = NULL;
    const char *name = NULL;
    uint32_t count = 0;
    size_t some = 1;
    OH_NN_DeviceType type;
    (void)mock_id();
    REFUSED(OH_NNDevice_GetAllDevicesID(NULL, &count), IP);
    REFUSED(OH_NNDevice_GetAllDevicesID(&ids, NULL), IP);
    ids = &some;
    REFUSED(OH_NNDevice_GetAllDevicesID(&ids, &count), IP);
    REFUSED(OH_NNDevice_GetName(0, NULL), IP);
    name = "x";
    REFUSED(OH_NNDevice_GetName(0, &name), IP);
    name = NULL;
    REFUSED(OH_NNDevice_GetName(12345, &name), OH_NN_FAILED);
    cr_assert_null(name);
    REFUSED(OH_NNDevice_GetType(12345, &type), IP);
    REFUSED(OH_NNDevice_GetType(0, NULL), IP);
}

Test(registry, a_backend_that_lacks_something_is_refused) {
    static const nnrt_fact some_facts[] = {{"mock.mood", NNRT_FACT_MODEL}, {NULL, NNRT_FACT_END}};
    nnrt_backend b;
    size_t id = 77;
#define WITHOUT(change)                              \
    do {                                             \
        b = mock_backend;                            \
        change;                                      \
        REFUSED(nnrt_register_backend(&b, &id), IP); \
        cr_assert_eq(id, 77);                        \
    } while (0)
    REFUSED(nnrt_register_backend(NULL, &id), IP);
    WITHOUT(b.version = NNRT_BACKEND_VERSION - 1);
    WITHOUT(b.version = NNRT_BACKEND_VERSION + 1);
    WITHOUT(b.name = NULL);
    WITHOUT(b.name = "");
    WITHOUT(b.vendor = NULL);
    WITHOUT(b.device_version = NULL);
    WITHOUT(b.prepare = NULL);
    WITHOUT(b.restore = NULL);
    WITHOUT(b.save = NULL);
    WITHOUT(b.release = NULL);
    WITHOUT(b.io_count = NULL);
    WITHOUT(b.io_desc = NULL);
    WITHOUT(b.open_executor = NULL);
    WITHOUT(b.close_executor = NULL);
    WITHOUT(b.run = NULL);
    WITHOUT(b.allocate = mock_allocate);
    WITHOUT(b.import = mock_import);
    WITHOUT(b.facts = some_facts);
    WITHOUT(b.arena_size = mock_arena_size);
    WITHOUT(b.open_executor_in = mock_open_executor_in);
    WITHOUT(b.type = (OH_NN_DeviceType)9);
    (void)mock_id();
    REFUSED(nnrt_register_backend(&mock_backend, &id), IP); /* the name is taken */
}

Test(registry, a_device_that_does_not_open_is_not_listed_and_the_log_says_why) {
    const size_t *ids = NULL;
    uint32_t before = 0, after = 0;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &before));
    nnrt_set_log(keep_line, NULL);
    mock.open_code = OH_NN_UNAVAILABLE_DEVICE;
    REFUSED(nnrt_register_backend(&mock_backend, NULL), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_eq(log_lines, 1);
    cr_assert_not_null(strstr(logged, "no board"));
    ids = NULL;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &after));
    cr_assert_eq(before, after);
}

Test(registry, the_list_ends_at_sixteen) {
    static nnrt_backend many[17];
    static char names[17][8];
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    for (i = 0; i < 17; i++) {
        many[i] = mock_backend;
        snprintf(names[i], sizeof(names[i]), "m%u", (unsigned)i);
        many[i].name = names[i];
        if (count + i < 16) OK(nnrt_register_backend(&many[i], NULL));
        else REFUSED(nnrt_register_backend(&many[i], NULL), OH_NN_MEMORY_ERROR);
    }
}

Test(registry, every_code_has_a_name) {
    int code;
    for (code = 0; code <= 14; code++) cr_assert_eq(strncmp(nnrt_strerror((OH_NN_ReturnCode)code), "OH_NN_", 6), 0);
    cr_assert_str_eq(nnrt_strerror(OH_NN_DYNAMIC_SHAPE), "OH_NN_DYNAMIC_SHAPE");
    cr_assert_str_eq(nnrt_strerror((OH_NN_ReturnCode)15), "unknown return code");
    cr_assert_str_eq(nnrt_strerror((OH_NN_ReturnCode)-1), "unknown return code");
}

Test(registry, the_version_says_what_was_built) {
    char number[32];
    snprintf(number, sizeof(number), "%d.%d.%d", NNRT_VERSION_NUMBER / 10000, NNRT_VERSION_NUMBER / 100 % 100,
             NNRT_VERSION_NUMBER % 100);
    cr_assert_str_eq(number, NNRT_VERSION);
    cr_assert_eq(strncmp(nnrt_version(), NNRT_VERSION " ", strlen(NNRT_VERSION) + 1), 0);
    cr_assert_not_null(strstr(nnrt_version(), " threads"));
    cr_assert_not_null(strstr(nnrt_version(), " isa="));
}

Test(registry, the_version_names_a_backend_of_two_chips_once) {
    const char *const first = strstr(nnrt_version(), " rknpu_open ");
    if (first == NULL) cr_skip_test("skipped, built without the open NPU");
    cr_assert_null(strstr(first + 1, " rknpu_open "), "%s", nnrt_version());
}

Test(registry, a_sentence_is_cut_and_a_log_line_is_one_line) {
    char text[400];
    memset(text, 'x', sizeof(text));
    text[399] = '\0';
    cr_assert_eq(nnrt_backend_fail(OH_NN_TIMEOUT, text), OH_NN_TIMEOUT);
    cr_assert_eq(strlen(nnrt_last_error()), 255);
    nnrt__log(NNRT_LOG_ERROR, "nobody listens");
    nnrt_set_log(keep_line, NULL);
    nnrt__log(NNRT_LOG_ERROR, "%s", "two\nlines");
    cr_assert_str_eq(logged, "two lines");
}
