/* SPDX-License-Identifier: Apache-2.0 */
/* test_open_plans_only.c - a firmware without a compiler (NNRT_PLANS_ONLY) and with the two steps of its plan
   (NNRT_STEPS) runs the meter on the NPU of an RV1106, behind the driver that tests/sim/rknpu_open imitates. The plan
   is made by the tool (makefile), its half for the processor in portable C. */
#include "counting_alloc.h"
#define NNRT_PLANS_ONLY
#define NNRT_STEPS(X) X(accelerated, SCALAR) X(softmax_few_s8, SCALAR)
#define NNRT_BACKEND_RKNPU_OPEN
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "offline_runner.h"

#include "../sim/rknpu_open/sim_npu.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())

static size_t top(const int8_t *scores, size_t count) {
    size_t best = 0, i;
    for (i = 1; i < count; i++)
        if (scores[i] > scores[best]) best = i;
    return best;
}

static OH_NNCompilation *plan_of(const uint8_t *plan, size_t size, size_t device) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
    cr_assert_not_null(compilation);
    IS(OH_NNCompilation_SetDevice(compilation, device), OH_NN_SUCCESS);
    return compilation;
}

Test(open_plans_only, a_firmware_of_two_steps_reads_the_meter, .timeout = 120) {
    const size_t *ids = NULL;
    size_t size, device = 0, n;
    uint32_t count = 0, i;
    uint8_t *plan = off_read("build/plans/meter_npu.plan", &size);
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    cr_assert_not_null(plan);
    sim_begin(SIM_OWN, false);
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    for (i = 0; i < count; i++) {
        const char *name = NULL;
        IS(OH_NNDevice_GetName(ids[i], &name), OH_NN_SUCCESS);
        if (strncmp(name, "rknpu_open_rv1106", 17) == 0) device = ids[i];
    }
    cr_assert_neq(device, 0u, "the device is not listed");
    compilation = plan_of(plan, size, device);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    for (n = 0; n < 6; n++) {
        char path[64];
        size_t input_size, expected_size;
        uint8_t *input, *expected;
        int8_t output[64];
        (void)snprintf(path, sizeof path, "examples/meter/golden/input%zu.bin", n);
        input = off_read(path, &input_size);
        (void)snprintf(path, sizeof path, "examples/meter/golden/expected%zu.bin", n);
        expected = off_read(path, &expected_size);
        cr_assert(input != NULL && expected != NULL && expected_size <= sizeof output, "%s", path);
        IS(off_run(executor, input, input_size, output, expected_size), OH_NN_SUCCESS);
        cr_assert_eq(top(output, expected_size), top((const int8_t *)expected, expected_size), "%s", path);
        free(expected);
        free(input);
    }
    cr_assert_eq(sim.jobs, 6u);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(sim_alive(), 0u);
    cr_assert_eq(sim.mistakes[0], '\0', "%s", sim.mistakes);
    cr_assert_eq(counting_live(), 0);
    compilation = plan_of(plan, size, ids[0]);
    IS(OH_NNCompilation_Build(compilation), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "this device has none"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    free(plan);
    sim_end();
}
