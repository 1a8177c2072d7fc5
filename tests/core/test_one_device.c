/* SPDX-License-Identifier: Apache-2.0 */
/* test_one_device.c - NNRT_ONE_DEVICE: the CPU device does all that it does elsewhere, and no other one comes. */
#include "counting_alloc.h"
#define NNRT_ONE_DEVICE
#define NNRT_OPS(X) X(RELU) /* a third of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "one_profile.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())
#define SAYS(part) cr_assert_not_null(strstr(nnrt_last_error(), part), "%s", nnrt_last_error())

static void the_cpu_is_alone(void) {
    const size_t *ids = NULL;
    const char *name = NULL;
    OH_NN_DeviceType type = OH_NN_OTHERS;
    uint32_t count = 0;
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 1u);
    IS(OH_NNDevice_GetName(ids[0], &name), OH_NN_SUCCESS);
    cr_assert_eq(strncmp(name, "cpu_nnrt_", 9), 0, "%s", name);
    IS(OH_NNDevice_GetType(ids[0], &type), OH_NN_SUCCESS);
    cr_assert_eq((int)type, (int)OH_NN_CPU);
    name = NULL;
    IS(OH_NNDevice_GetName(ids[0] + 1, &name), OH_NN_FAILED);
}

Test(one_device, the_list_has_the_cpu_and_takes_no_other) {
    nnrt_backend backend;
    size_t id = 7;
    memset(&backend, 0, sizeof backend);
    the_cpu_is_alone();
    IS(nnrt_register_backend(&backend, &id), OH_NN_UNSUPPORTED);
    SAYS("NNRT_ONE_DEVICE");
    cr_assert_eq(id, 7u);
    IS(nnrt_register_backend(NULL, NULL), OH_NN_UNSUPPORTED);
    the_cpu_is_alone();
    cr_assert_not_null(strstr(nnrt_version(), " cpu "), "%s", nnrt_version());
}

Test(one_device, a_model_runs_and_tells_its_profile) {
    const nnrt_profile_step step = one_profile();
    cr_assert_eq(step.runs, 2u);
    cr_assert_eq((int)step.op, (int)OH_NN_OPS_RELU);
    cr_assert_eq(counting_live(), 0);
}

Test(one_device, bytes_that_are_no_model_are_refused_by_the_cpu_with_and_without_a_choice) {
    static const char bytes[] = "neither a model nor a plan nor anything else that somebody could run";
    const size_t *ids = NULL;
    const char *name = "nobody";
    uint32_t count, chosen;
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    for (chosen = 0; chosen < 2; chosen++) {
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, sizeof bytes);
        if (chosen != 0) IS(OH_NNCompilation_SetDevice(compilation, ids[0]), OH_NN_SUCCESS);
        IS(OH_NNCompilation_Build(compilation), OH_NN_INVALID_FILE);
        OH_NNCompilation_Destroy(&compilation);
    }
    IS(nnrt_inspect_model(bytes, sizeof bytes, &name, NULL, NULL), OH_NN_UNSUPPORTED);
    cr_assert_null(name);
    cr_assert_eq(counting_live(), 0);
}

Test(one_device, an_id_that_nobody_has_builds_nothing) {
    static const char bytes[] = "whatever";
    const size_t *ids = NULL;
    uint32_t count;
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, sizeof bytes);
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    IS(OH_NNCompilation_SetDevice(compilation, ids[0] + 1), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_FAILED);
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(counting_live(), 0);
}
