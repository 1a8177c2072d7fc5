/* SPDX-License-Identifier: Apache-2.0 */
/* test_inner.c - what OpenHarmony's own frameworks call and ask for: the functions of its inner header, as C sees them
   (tests/hpp has C++), and the extension configs that mean something to its devices only. */
#include "linked.h"
#include "mock_device.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#define IP OH_NN_INVALID_PARAMETER
#define IS(call, code) cr_assert_eq((int)(call), (int)(code), #call ": %s", nnrt_last_error())

static mock_prepared model_bytes(void) {
    mock_prepared bytes;
    memset(&bytes, 0, sizeof bytes);
    memcpy(bytes.magic, "mockmod", 8);
    bytes.inputs = bytes.outputs = 1;
    bytes.ports[0].dtype = bytes.ports[1].dtype = OH_NN_FLOAT32;
    bytes.ports[0].rank = bytes.ports[1].rank = 1;
    bytes.ports[0].dims[0] = bytes.ports[1].dims[0] = 2;
    return bytes;
}

/* ------------------------------------------------------------------------------------------- HasCache */

static char folder[] = "/tmp/nnrt-inner-XXXXXX";
static char path[128];

static const char *file(const char *name) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A compilation that Build saves as that version, under that name. */
static void save(const char *name, uint32_t version) {
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof bytes);
    static size_t id;
    if (id == 0) IS(nnrt_register_backend(&mock_backend, &id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_SetDevice(compilation, id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_SetCache(compilation, folder, version), OH_NN_SUCCESS);
    if (name[0] != '\0')
        IS(OH_NNCompilation_AddExtensionConfig(compilation, "ModelName", name, strlen(name)), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    OH_NNCompilation_Destroy(&compilation);
}

Test(inner, a_cache_is_there_when_it_was_saved_with_that_version_under_that_name) {
    char long_name[NNRT__MAX_PREFIX + 2];
    memset(long_name, 'n', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    cr_assert_not_null(mkdtemp(folder));
    cr_assert(!OH_NNModel_HasCache(folder, "", 3));
    save("", 3);
    save("a/b", 4);
    (void)nnrt_backend_fail(OH_NN_FAILED, "old");
    cr_assert(OH_NNModel_HasCache(folder, "", 3));
    cr_assert(OH_NNModel_HasCache(folder, "a/b", 4), "as ModelName has it");
    cr_assert(!OH_NNModel_HasCache(folder, "", 2));
    cr_assert(!OH_NNModel_HasCache(folder, "", 4));
    cr_assert(!OH_NNModel_HasCache(folder, "a", 4));
    cr_assert(!OH_NNModel_HasCache(folder, long_name, 3));
    cr_assert(!OH_NNModel_HasCache(folder, "", 0xffffffffu));
    cr_assert(!OH_NNModel_HasCache(NULL, "", 3));
    cr_assert(!OH_NNModel_HasCache(folder, NULL, 3));
    cr_assert(!OH_NNModel_HasCache("/no/such/folder", "", 3));
    cr_assert_str_eq(nnrt_last_error(), "old", "it is a question");
    cr_assert_eq(unlink(file("0.nncache")), 0);
    cr_assert(!OH_NNModel_HasCache(folder, "", 3), "the device's file is gone");
    cr_assert_eq(access(file("cache_info.nncache"), F_OK), 0, "OpenHarmony would remove it");
    cr_assert_eq(unlink(file("cache_info.nncache")), 0);
    (void)unlink(file("a_b0.nncache"));
    (void)unlink(file("a_bcache_info.nncache"));
    cr_assert_eq(rmdir(folder), 0);
}

/* Every byte of the info counts, and every length of it. */
Test(inner, a_damaged_info_is_no_cache_and_stays) {
    unsigned char info[NNRT__CACHE_INFO_SIZE + 1];
    size_t i;
    FILE *f;
    cr_assert_not_null(mkdtemp(folder));
    save("", 3);
    f = fopen(file("cache_info.nncache"), "rb");
    cr_assert_eq(fread(info, 1, NNRT__CACHE_INFO_SIZE, f), (size_t)NNRT__CACHE_INFO_SIZE);
    cr_assert_eq(fclose(f), 0);
    for (i = 0; i <= 2 * NNRT__CACHE_INFO_SIZE + 1; i++) {
        const bool flip = i < NNRT__CACHE_INFO_SIZE;
        const size_t length = flip ? NNRT__CACHE_INFO_SIZE : i - NNRT__CACHE_INFO_SIZE;
        f = fopen(path, "wb");
        if (flip) info[i] ^= 0x10;
        cr_assert_eq(fwrite(info, 1, length, f), length);
        cr_assert_eq(fclose(f), 0);
        if (flip) info[i] ^= 0x10;
        cr_assert_eq(OH_NNModel_HasCache(folder, "", 3), !flip && length == NNRT__CACHE_INFO_SIZE, "%zu", i);
        cr_assert_eq(access(file("cache_info.nncache"), F_OK), 0);
    }
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(unlink(file("0.nncache")), 0);
    cr_assert_eq(rmdir(folder), 0);
}

Test(inner, a_cache_of_a_device_that_is_not_here_is_none) {
    unsigned char info[NNRT__CACHE_INFO_SIZE];
    FILE *f;
    cr_assert_not_null(mkdtemp(folder));
    save("", 3);
    f = fopen(file("cache_info.nncache"), "r+b");
    cr_assert_eq(fread(info, 1, sizeof info, f), sizeof info);
    info[16] ^= 1;
    nnrt__write_le(info + 44, nnrt__crc32(0, info, 44), 4);
    rewind(f);
    cr_assert_eq(fwrite(info, 1, sizeof info, f), sizeof info);
    cr_assert_eq(fclose(f), 0);
    cr_assert(!OH_NNModel_HasCache(folder, "", 3));
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(unlink(file("0.nncache")), 0);
    cr_assert_eq(rmdir(folder), 0);
}

Test(inner, without_memory_there_is_no_cache_and_nothing_is_left) {
    long n, live;
    cr_assert_not_null(mkdtemp(folder));
    save("", 3);
    live = counting_live();
    for (n = 0;; n++) {
        counting_fail_at(n);
        (void)OH_NNModel_HasCache(folder, "", 3);
        if (!counting_failed()) break;
        cr_assert_eq(counting_live(), live);
    }
    counting_fail_never();
    cr_assert_gt(n, 0L);
    cr_assert_eq(unlink(file("cache_info.nncache")), 0);
    cr_assert_eq(unlink(file("0.nncache")), 0);
    cr_assert_eq(rmdir(folder), 0);
}

/* ------------------------------------------------------------------------------------ the others */

/* A board on which the vendor has set no parameter, in OpenHarmony's words. */
Test(inner, the_npu_of_the_board_is_that_of_a_board_without_parameters) {
    char *exact = (char *)malloc(13), before[12];
    memset(before, 0x5a, sizeof before);
    IS(OH_NN_GetDeviceID(exact, 13), OH_NN_SUCCESS);
    cr_assert_str_eq(exact, "default_v5_0");
    free(exact);
    IS(OH_NN_GetDeviceID(before, sizeof before), OH_NN_FAILED);
    cr_assert_eq(before[0], 0x5a);
    IS(OH_NN_GetDeviceID(before, 0), IP);
    IS(OH_NN_GetDeviceID(NULL, 13), IP);
}

Test(inner, aipp_is_not_here) {
    bool support = true;
    IS(OH_NN_IsSupportAIPP(&support), OH_NN_FAILED);
    cr_assert(support, "it is left as it is");
    IS(OH_NN_IsSupportAIPP(NULL), IP);
}

Test(inner, a_run_with_aipp_is_refused_when_its_arguments_are_right) {
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof bytes);
    OH_NNExecutor *executor;
    NN_Tensor *one[1] = {NULL};
    size_t id;
    IS(nnrt_register_backend(&mock_backend, &id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_SetDevice(compilation, id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    IS(OH_NNExecutor_RunSyncWithAipp(NULL, one, 1, one, 1, "crop"), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, NULL, 1, one, 1, "crop"), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 0, one, 1, "crop"), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 201, one, 1, "crop"), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 1, NULL, 1, "crop"), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 1, one, 0, "crop"), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 1, one, 201, "crop"), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 1, one, 1, NULL), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 1, one, 1, ""), IP);
    IS(OH_NNExecutor_RunSyncWithAipp(executor, one, 1, one, 1, "crop"), OH_NN_UNSUPPORTED);
    cr_assert_not_null(strstr(nnrt_last_error(), "nnrt_image_to_tensor"), "%s", nnrt_last_error());
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}

/* -------------------------------------------------------------------------------- extension configs */

static char logged[512];

static void note(void *user, nnrt_log_level level, const char *line) {
    (void)user;
    (void)level;
    (void)snprintf(logged, sizeof logged, "%s", line);
}

/* OpenHarmony's built-in compiler takes any value of them, bytes that are no text included. */
Test(inner, configs_of_openharmonys_devices_are_taken_with_any_value_and_a_line_in_the_log) {
    static const char *const names[] = {
        "NPU_FM_SHARED", "isExceedRamLimit", "isProfiling",     "Profiling", "opLayout",  "InputDims",   "DynamicDims",
        "AIPP",          "QuantBuffer",      "QuantConfigData", "BandMode",  "CachePath", "CacheVersion"};
    static const unsigned char values[3][4] = {"1", "x\xff", {0, 0, 0, 0}};
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof bytes);
    size_t i, k, id;
    nnrt_set_log(note, NULL);
    IS(nnrt_register_backend(&mock_backend, &id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_SetDevice(compilation, id), OH_NN_SUCCESS);
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        for (k = 0; k < 3; k++) {
            logged[0] = '\0';
            IS(OH_NNCompilation_AddExtensionConfig(compilation, names[i], values[k], sizeof values[k]), OH_NN_SUCCESS);
            cr_assert(strstr(logged, names[i]) != NULL && strstr(logged, "no effect") != NULL, "%s: \"%s\"", names[i],
                      logged);
        }
    IS(OH_NNCompilation_AddExtensionConfig(compilation, "BandMode", "1", 0), IP);
    IS(OH_NNCompilation_AddExtensionConfig(compilation, "BandMode", NULL, 1), IP);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    cr_assert_eq(mock.request.config_count, 0u);
    IS(OH_NNCompilation_AddExtensionConfig(compilation, "BandMode", "1", 1), OH_NN_OPERATION_FORBIDDEN);
    OH_NNCompilation_Destroy(&compilation);
    nnrt_set_log(NULL, NULL);
}

/* Names are exact: what is nearly one of them is refused by Build, as ever. */
Test(inner, a_config_that_is_nearly_one_of_them_is_refused) {
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof bytes);
    size_t id;
    IS(nnrt_register_backend(&mock_backend, &id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_SetDevice(compilation, id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_AddExtensionConfig(compilation, "bandMode", "1", 1), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), IP);
    OH_NNCompilation_Destroy(&compilation);
}

/* --------------------------------------------------------------------------------------------- float16 */

static OH_NN_ReturnCode build_relu(size_t device, bool *float16_is_off) {
    static const int32_t four = 4;
    uint32_t in[1] = {0}, out[1] = {1};
    OH_NN_UInt32Array ins, outs, none;
    OH_NNModel *model = OH_NNModel_Construct();
    OH_NNCompilation *compilation;
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    OH_NN_ReturnCode code;
    ins.data = in, ins.size = 1;
    outs.data = out, outs.size = 1;
    none.data = NULL, none.size = 0;
    IS(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetShape(desc, &four, 1), OH_NN_SUCCESS);
    IS(OH_NNModel_AddTensorToModel(model, desc), OH_NN_SUCCESS);
    IS(OH_NNModel_AddTensorToModel(model, desc), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    IS(OH_NNModel_AddOperation(model, OH_NN_OPS_RELU, &none, &ins, &outs), OH_NN_SUCCESS);
    IS(OH_NNModel_SpecifyInputsAndOutputs(model, &ins, &outs), OH_NN_SUCCESS);
    IS(OH_NNModel_Finish(model), OH_NN_SUCCESS);
    compilation = OH_NNCompilation_Construct(model);
    OH_NNModel_Destroy(&model);
    IS(OH_NNCompilation_SetDevice(compilation, device), OH_NN_SUCCESS);
    IS(OH_NNCompilation_EnableFloat16(compilation, true), OH_NN_SUCCESS);
    logged[0] = '\0';
    code = OH_NNCompilation_Build(compilation);
    *float16_is_off = strstr(logged, "computes in float32") != NULL;
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

/* OpenHarmony's code for a device that a program has named; where nnrt chooses it, what is allowed need not be done. */
Test(inner, float16_is_refused_by_a_named_device_and_left_out_by_one_that_build_chooses) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    bool off;
    nnrt_set_log(note, NULL);
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    IS(build_relu(ids[0], &off), OH_NN_OPERATION_FORBIDDEN);
    IS(build_relu(0, &off), OH_NN_SUCCESS);
    cr_assert(off, "the log says that it is float32");
    nnrt_set_log(NULL, NULL);
}
