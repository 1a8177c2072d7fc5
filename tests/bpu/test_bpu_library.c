/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_library.c - which library is taken for Horizon's, what its version decides, and who is refused with which
   sentence: versions that nobody has measured, functions that are missing, structures that are not those of the
   version. With libraries that are odd on purpose (tests/sim/bpu/odd_dnn.c). Each test is a process of its own: what is
   loaded stays. */
#include "linked.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[512];

/* NNRT_BPU_LIBRARY is that library, which says that version. Skips the test where it is not built. */
static void take(const char *library, const char *version) {
    const char *folder = getenv("NNRT_SIM_DIR");
    (void)snprintf(path, sizeof(path), "%s/odd/%s", folder != NULL ? folder : "build/sim", library);
    if (access(path, R_OK) != 0) cr_skip_test("skipped, no %s", path);
    (void)setenv("NNRT_BPU_LIBRARY", path, 1);
    (void)setenv("NNRT_ODD_VERSION", version, 1);
}

static void refused(const char *library, const char *version, const char *piece) {
    nnrt__bpu_library opened;
    take(library, version);
    cr_expect_eq(nnrt__bpu_library_open(&opened), OH_NN_UNAVAILABLE_DEVICE, "%s", version);
    cr_expect(strstr(nnrt__sentence(), piece) != NULL, "%s: %s", version, nnrt__sentence());
}

/* ------------------------------------------------------------------------------------------------- versions */

Test(bpu_library, the_number_before_the_underscore_is_the_version) {
    static const struct {
        const char *text;
        uint32_t major, minor;
    } good[] = {{"1.8.4_(3.13.27 HBRT)", 1, 8}, {"3.13.6_(4.7.5 HBRT)", 3, 13}, {"1.24.5", 1, 24}, {"1.24", 1, 24},
                {"10.0.1.2_", 10, 0},           {"0.65535.0_x", 0, 65535}};
    static const char *const bad[] = {
        "",       "1",     "1.",      ".18.4",         "v1.18.4", "1.x", "1.18.", "1.18.4 (3.15)",
        "1.18-4", "-1.18", "1.65536", "99999999999.1", "1.18.4.", "1..4"};
    uint32_t major, minor;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(good); i++) {
        cr_expect(nnrt__bpu_read_version(good[i].text, &major, &minor), "%s", good[i].text);
        cr_expect(major == good[i].major && minor == good[i].minor, "%s: %u.%u", good[i].text, major, minor);
    }
    for (i = 0; i < NNRT__COUNT_OF(bad); i++)
        cr_expect_not(nnrt__bpu_read_version(bad[i], &major, &minor), "\"%s\"", bad[i]);
}

Test(bpu_library, a_version_that_nobody_has_measured_is_refused_with_what_is_known) {
    refused("libdnn.so", "1.5.9_(3.12)", "is version 1.5.9_(3.12), whose structures nobody has measured");
    refused("libdnn.so", "2.0.1", "1.6 and later ones of 1");
    refused("libdnn.so", "3.5.9", "UCP 3.6 and later");
    refused("libdnn.so", "4.0.0", "nobody has measured");
    refused("libdnn.so", "the newest", "\"the newest\" where it should say its version");
    (void)unsetenv("NNRT_ODD_VERSION");
}

Test(bpu_library, a_library_without_a_version_is_refused) {
    nnrt__bpu_library opened;
    take("libdnn.so", "");
    (void)unsetenv("NNRT_ODD_VERSION");
    cr_expect_eq(nnrt__bpu_library_open(&opened), OH_NN_UNAVAILABLE_DEVICE);
    cr_expect(strstr(nnrt__sentence(), "where it should say its version") != NULL, "%s", nnrt__sentence());
}

Test(bpu_library, the_version_decides_the_sizes_of_structures) {
    static const struct {
        const char *version;
        uint16_t tensor, properties;
    } rows[] = {{"1.6.1", 216, 120},  {"1.8.4", 216, 120},  {"1.9.7", 232, 136},  {"1.13.0", 232, 136},
                {"1.14.1", 240, 144}, {"1.17.9", 240, 144}, {"1.18.4", 272, 176}, {"1.22.6", 272, 176},
                {"1.23.8", 272, 176}, {"1.24.5", 272, 176}, {"3.6.1", 200, 176},  {"3.13.6", 200, 176}};
    nnrt__bpu_library opened;
    size_t i;
    if (sizeof(void *) != 8) cr_skip_test("skipped, the libraries have 64 bits");
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        take("libdnn.so", rows[i].version);
        cr_assert_eq(nnrt__bpu_library_open(&opened), OH_NN_SUCCESS, "%s", nnrt__sentence());
        cr_expect_eq(opened.layout->tensor_size, rows[i].tensor, "%s", rows[i].version);
        cr_expect_eq(opened.layout->properties_size, rows[i].properties, "%s", rows[i].version);
        cr_expect_str_eq(opened.version, rows[i].version);
    }
}

/* ------------------------------------------------------------------------------------------------ functions */

Test(bpu_library, every_slot_has_the_function_of_its_name) {
    nnrt__bpu_library opened;
    const nnrt__bpu_api *api = &opened.api;
    take("libdnn.so", "1.18.4");
    cr_assert_eq(nnrt__bpu_library_open(&opened), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_expect_eq(api->load_files(NULL, NULL, 0), 2);
    cr_expect_eq(api->load_memory(NULL, NULL, NULL, 0), 3);
    cr_expect_eq(api->release(NULL), 4);
    cr_expect_eq(api->names(NULL, NULL, NULL), 5);
    cr_expect_eq(api->model(NULL, NULL, NULL), 6);
    cr_expect_eq(api->input_count(NULL, NULL), 7);
    cr_expect_eq(api->input_name(NULL, NULL, 0), 8);
    cr_expect_eq(api->input_properties(NULL, NULL, 0), 9);
    cr_expect_eq(api->output_count(NULL, NULL), 10);
    cr_expect_eq(api->output_name(NULL, NULL, 0), 11);
    cr_expect_eq(api->output_properties(NULL, NULL, 0), 12);
    cr_expect_eq(api->infer(NULL, NULL, NULL, NULL, NULL), 13);
    cr_expect_eq(api->infer_regions(NULL, NULL, NULL, NULL, 0, NULL, NULL), 14);
    cr_expect_eq(api->wait(NULL, 0), 15);
    cr_expect_eq(api->release_task(NULL), 16);
    cr_expect_eq(api->allocate(NULL, 0), 17);
    cr_expect_eq(api->allocate_cached(NULL, 0), 18);
    cr_expect_eq(api->free_memory(NULL), 19);
    cr_expect_eq(api->flush(NULL, 0), 20);
    cr_expect_eq(api->resize(NULL, NULL, NULL, NULL, NULL), 21);
    cr_expect_eq(api->input_source(NULL, NULL, 0), 22);
    cr_expect(api->ucp_infer == NULL && api->submit == NULL && api->core_count == NULL);
}

Test(bpu_library, every_slot_of_ucp_has_the_function_of_its_name) {
    nnrt__bpu_library opened;
    const nnrt__bpu_api *api = &opened.api;
    take("libdnn.so", "3.13.6_(4.7.5 HBRT)");
    cr_assert_eq(nnrt__bpu_library_open(&opened), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_expect_eq(api->load_files(NULL, NULL, 0), 2);
    cr_expect_eq(api->ucp_infer(NULL, NULL, NULL, NULL), 23);
    cr_expect_eq(api->task_output(NULL, NULL, 0, 0), 24);
    cr_expect_eq(api->submit(NULL, NULL), 25);
    cr_expect_eq(api->wait(NULL, 0), 26);
    cr_expect_eq(api->release_task(NULL), 27);
    cr_expect_eq(api->ucp_allocate(NULL, 0, 0), 28);
    cr_expect_eq(api->ucp_allocate_cached(NULL, 0, 0), 29);
    cr_expect_eq(api->ucp_free(NULL), 30);
    cr_expect_eq(api->ucp_flush(NULL, 0), 31);
    cr_expect_eq(api->core_count(NULL, NULL), 32);
    cr_expect(api->infer == NULL && api->allocate == NULL && api->soc_name == NULL);
}

Test(bpu_library, what_is_missing_is_named_and_what_may_be_missing_is_not_missed) {
    nnrt__bpu_library opened;
    refused("libdnn_short.so", "1.18.4", "hbDNNInfer is not there: it is not as its version says");
    refused("libdnn_short.so", "3.13.6", "hbUCPSubmitTask is not there: libhbucp.so has to be beside it");
    take("libdnn_least.so", "3.6.1");
    cr_assert_eq(nnrt__bpu_library_open(&opened), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_expect(opened.api.core_count == NULL && opened.api.soc_name == NULL);
    take("libdnn_least.so", "1.23.8");
    cr_assert_eq(nnrt__bpu_library_open(&opened), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_expect(opened.api.resize == NULL && opened.api.input_source == NULL && opened.api.infer_regions == NULL);
}

static int32_t from_the_resizer(int32_t *source, nnrt__bpu_handle model, int32_t index) {
    (void)model;
    (void)index;
    *source = NNRT__BPU_RESIZER_SOURCE;
    return 0;
}

Test(bpu_library, regions_need_a_function_that_the_library_has) {
    nnrt__bpu_device device;
    nnrt__bpu_model model;
    nnrt__bpu_value value;
    memset(&device, 0, sizeof(device));
    memset(&model, 0, sizeof(model));
    memset(&value, 0, sizeof(value));
    device.library.api.input_source = from_the_resizer;
    model.device = &device;
    model.values = &value;
    model.value_inputs = 1;
    model.options.batch = 1;
    cr_assert_eq(nnrt__bpu_find_resized(&model), OH_NN_UNSUPPORTED);
    cr_expect(strstr(nnrt__sentence(), "has no hbDNNRoiInfer") != NULL, "%s", nnrt__sentence());
}

Test(bpu_library, another_library_is_told_as_such) {
    refused("libother.so", "", "hbDNNGetVersion is not: it is no libdnn.so of Horizon");
    (void)unsetenv("NNRT_BPU_LIBRARY");
}

Test(bpu_library, none_at_all_is_told_with_where_it_was_looked_for) {
    nnrt__bpu_library opened;
    (void)unsetenv("NNRT_BPU_LIBRARY");
    (void)unsetenv("LD_LIBRARY_PATH");
    if (access("/usr/lib/hbbpu/libdnn.so", F_OK) == 0 || access("/usr/hobot/lib/libdnn.so", F_OK) == 0)
        cr_skip_test("skipped, this is a board");
    if (nnrt__bpu_library_open(&opened) == OH_NN_SUCCESS) cr_skip_test("skipped, the loader finds a libdnn.so");
    cr_expect(strstr(nnrt__sentence(), "/usr/hobot/lib, and NNRT_BPU_LIBRARY names none") != NULL, "%s",
              nnrt__sentence());
}

/* ----------------------------------------------------------------------------------------------- structures */

/* A Build on a library of version that describes tensors in so many bytes; its sentence. */
static const char *built(const char *version, unsigned bytes) {
    const nnrt_backend *backend = &nnrt__bpu_backend;
    const char *folder = getenv("NNRT_SIM_DIR");
    char number[16], model[512];
    void *device = NULL, *prepared = NULL;
    nnrt_request request;
    take("libdnn.so", version);
    (void)snprintf(number, sizeof(number), "%u", bytes);
    (void)setenv("NNRT_ODD_BYTES", number, 1);
    (void)snprintf(model, sizeof(model), "%s/models/meter.%s", folder != NULL ? folder : "build/sim",
                   version[0] == '3' ? "s100.hbm" : "x3.bin");
    memset(&request, 0, sizeof(request));
    request.model_path = model;
    cr_assert_eq(backend->open(NULL, &device), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_assert_eq(backend->prepare(device, &request, &prepared), OH_NN_FAILED, "%s", nnrt__sentence());
    nnrt__free(device); /* a device has no close */
    return nnrt__sentence();
}

Test(bpu_library, structures_of_another_version_are_noticed_and_nothing_is_guessed) {
    static const struct {
        const char *version;
        unsigned bytes;
        const char *piece; /* "": the size is right, and what it says is impossible for another reason */
    } rows[] = {{"1.6.1", 120, ""},
                {"1.6.1", 136, "writes beyond its structures"},
                {"1.6.1", 116, "does not fill its structures"},
                {"1.9.7", 136, ""},
                {"1.9.7", 144, "writes beyond"},
                {"1.9.7", 120, "does not fill"},
                {"1.14.1", 144, ""},
                {"1.14.1", 176, "writes beyond"},
                {"1.14.1", 136, "does not fill"},
                {"1.18.4", 176, ""},
                {"1.18.4", 177, "writes beyond"},
                {"1.18.4", 140, ""}, /* strides are left alone */
                {"1.18.4", 136, "does not fill"},
                {"1.24.5", 136, "does not fill"},
                {"3.13.6", 176, ""},
                {"3.13.6", 240, "writes beyond"},
                {"3.13.6", 96, ""},
                {"3.13.6", 88, "does not fill"}};
    size_t i;
    if (sizeof(void *) != 8) cr_skip_test("skipped, the libraries have 64 bits");
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const char *sentence = built(rows[i].version, rows[i].bytes);
        const bool about_size = strstr(sentence, "its structures: it is not what it says") != NULL;
        cr_expect(rows[i].piece[0] != '\0' ? strstr(sentence, rows[i].piece) != NULL && about_size : !about_size,
                  "%s, %u bytes: %s", rows[i].version, rows[i].bytes, sentence);
    }
    (void)unsetenv("NNRT_ODD_BYTES");
}

/* --------------------------------------------------------------------------------------------------- codes */

/* The longest name of a call that a sentence has room for. */
#define CALL "hbDNNGetTaskOutputTensorProperties"

Test(bpu_library, every_code_of_both_versions_has_a_code_and_a_cause) {
    static const struct {
        int32_t dnn, ucp; /* 0: that version has none */
        OH_NN_ReturnCode code;
        const char *cause;
    } rows[] = {{-6000001, -100001, OH_NN_INVALID_PARAMETER, "pitch"},
                {-6000002, -600002, OH_NN_INVALID_FILE, "too little BPU memory"},
                {-6000003, -600001, OH_NN_UNAVAILABLE_DEVICE, "release some"},
                {-6000004, 0, OH_NN_FAILED, "no such model"},
                {-6000005, 0, OH_NN_FAILED, "no such model"},
                {-6000006, -500001, OH_NN_INVALID_FILE, "cannot open the file"},
                {-6000007, -400001, OH_NN_MEMORY_ERROR, "file descriptor"},
                {-6000008, -200002, OH_NN_TIMEOUT, "in time"},
                {-6000009, -200001, OH_NN_UNAVAILABLE_DEVICE, "HB_UCP_MAX_TASK_NUM"},
                {-6000010, 0, OH_NN_INVALID_PARAMETER, "255"},
                {-6000011, -200004, OH_NN_FAILED, "no such task"},
                {-6000012, -200003, OH_NN_FAILED, "another BPU"},
                {-6000013, -600003, OH_NN_FAILED, "still alive"},
                {-6000014, -600004, OH_NN_INVALID_FILE, "compile it again"},
                {-6000015, -100002, OH_NN_FAILED, "order"},
                {-6000016, 0, OH_NN_UNAVAILABLE_DEVICE, "another process"},
                {-6000129, 0, OH_NN_INVALID_PARAMETER, "was freed"},
                {-6000130, 0, OH_NN_MEMORY_ERROR, "file descriptor"},
                {-6000131, 0, OH_NN_MEMORY_ERROR, "registered"},
                {0, -100003, OH_NN_UNAVAILABLE_DEVICE, "driver"},
                {0, -100004, OH_NN_FAILED, "does not know why"},
                {0, -400002, OH_NN_FAILED, "was freed"},
                {0, -400003, OH_NN_FAILED, "written back"},
                {0, -400004, OH_NN_FAILED, "emptied"},
                {0, -400005, OH_NN_INVALID_PARAMETER, "reaches"},
                {0, -400006, OH_NN_MEMORY_ERROR, "mapped"},
                {0, -400007, OH_NN_FAILED, "unmapped"}};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        for (k = 0; k < 2; k++) {
            const int32_t vendor_code = k == 0 ? rows[i].dnn : rows[i].ucp;
            char end[32];
            if (vendor_code == 0) continue;
            (void)snprintf(end, sizeof(end), " (code %d)", (int)vendor_code);
            cr_expect_eq(nnrt__bpu_fail(vendor_code, CALL), rows[i].code, "%d", (int)vendor_code);
            cr_expect(strncmp(nnrt__sentence(), CALL ": ", sizeof(CALL) + 1) == 0, "%s", nnrt__sentence());
            cr_expect(strstr(nnrt__sentence(), rows[i].cause) != NULL, "%s", nnrt__sentence());
            cr_expect(strstr(nnrt__sentence(), end) != NULL, "the sentence is cut: %s", nnrt__sentence());
        }
    cr_expect_eq(nnrt__bpu_fail(-4711, CALL), OH_NN_FAILED);
    cr_expect(strstr(nnrt__sentence(), "a reason that nnrt does not know") != NULL, "%s", nnrt__sentence());
    cr_expect(nnrt__bpu_error_find(0) == NULL && nnrt__bpu_error_find(1) == NULL);
}

/* Whatever the call is called: the sentence of each code is whole, and the code stands at its end. */
Test(bpu_library, no_sentence_of_a_code_is_cut) {
    static const int32_t bases[] = {-6000000, -6000128, -100000, -200000, -400000, -500000, -600000};
    static const char *const calls[] = {
        "hbDNNInfer", "hbDNNGetTaskOutputTensorProperties", "hbSysAllocMem of 18446744073709551615 bytes",
        "a call of the library's with a name that is longer than any that it has, or than there is room for at all"};
    size_t b, c;
    int32_t i;
    for (b = 0; b < NNRT__COUNT_OF(bases); b++) {
        for (i = 1; i < 20; i++) {
            for (c = 0; c < NNRT__COUNT_OF(calls); c++) {
                const nnrt__bpu_error *error = nnrt__bpu_error_find(bases[b] - i);
                char end[32];
                snprintf(end, sizeof(end), " (code %d)", (int)(bases[b] - i));
                (void)nnrt__bpu_fail(bases[b] - i, calls[c]);
                cr_expect_null(strstr(nnrt_last_error(), " ... "), "%s", nnrt_last_error());
                cr_expect(error == NULL || strstr(nnrt_last_error(), error->sentence) != NULL, "%s", nnrt_last_error());
                cr_expect_str_eq(nnrt_last_error() + strlen(nnrt_last_error()) - strlen(end), end);
            }
        }
    }
}

/* -------------------------------------------------------------------------------------------------- boards */

Test(bpu_library, a_board_is_known_by_a_word_of_its_name) {
    static const struct {
        const char *text, *march;
    } rows[] = {{"x3", "bernoulli2"},
                {"Hobot X3 PI V2.1 (Board 8)", "bernoulli2"},
                {"hobot,xj3", "bernoulli2"},
                {"x5u", "bayes-e"},
                {"X5H\n", "bayes-e"},
                {"D-Robotics RDK X5 V1.0", "bayes-e"},
                {"RDK Ultra", "bayes"},
                {"J5", "bayes"},
                {"D-Robotics RDK S100 V0P5", "nash-e"},
                {"D-Robotics RDK S100P V1P0", "nash-m"},
                {"s100p", "nash-m"},
                {"D-Robotics RDK S600 MCB V0p2", "nash-p"}};
    static const char *const none[] = {"", "(null)", "x", "x50", "ax5", "x5uu", "s1000", "Raspberry Pi 4", "x3x5"};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const nnrt__bpu_march *march = nnrt__bpu_march_of_board(rows[i].text);
        cr_assert(march != NULL, "%s", rows[i].text);
        cr_expect_str_eq(march->name, rows[i].march, "%s", rows[i].text);
    }
    for (i = 0; i < NNRT__COUNT_OF(none); i++) cr_expect_null(nnrt__bpu_march_of_board(none[i]), "%s", none[i]);
    cr_expect_null(nnrt__bpu_march_of_board(NULL));
}

static const char *an_s100(void) { return "s100"; }

/* What UCP says stands, whatever the system says or does not say; what plays a chip is not asked for the system's. */
Test(bpu_library, the_bpu_is_the_one_that_the_library_names) {
    nnrt__bpu_device device;
    memset(&device, 0, sizeof(device));
    device.library.layout = nnrt__bpu_layout_find(3, 13);
    cr_assert_not_null(device.library.layout);
    device.library.api.soc_name = an_s100;
    nnrt__bpu_find_march(&device);
    cr_assert_not_null(device.march);
    cr_expect_str_eq(device.march->name, "nash-e");
    cr_expect_eq(device.row_alignment, 32);
    (void)snprintf(device.library.stand_in, sizeof(device.library.stand_in), "s600");
    nnrt__bpu_find_march(&device);
    cr_assert_not_null(device.march);
    cr_expect_str_eq(device.march->name, "nash-p");
    cr_expect_eq(device.row_alignment, 64);
    (void)snprintf(device.library.stand_in, sizeof(device.library.stand_in), "x5");
    nnrt__bpu_find_march(&device);
    cr_expect_null(device.march, "UCP does not drive that one");
}
