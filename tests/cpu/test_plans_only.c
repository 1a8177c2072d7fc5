/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of a build with NNRT_PLANS_ONLY, NNRT_STEPS and NNRT_NO_STATES that it runs the plans it was made for to the
   byte, and refuses with a code and a sentence what it leaves out: graphs, models, states, and steps that are not
   listed or for another instruction set. The plans are made by the tool (makefile). */
#include "counting_alloc.h"
#define NNRT_PLANS_ONLY
#define NNRT_NO_STATES
#define NNRT_STEPS(X)  \
    X(conv_s8, SCALAR) \
    X(dw_s8, SCALAR) X(avg_pool_s8, SCALAR) X(max_pool_s8, SCALAR) X(fc_s8, SCALAR) X(softmax_few_s8, SCALAR)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())
#define SAYS(part) cr_assert_not_null(strstr(nnrt_last_error(), part), "%s", nnrt_last_error())

/* How Build ends for a file, given as an offline model or as a cache. */
static OH_NN_ReturnCode built(const char *path, bool as_cache) {
    OH_NNCompilation *compilation;
    OH_NN_ReturnCode code;
    size_t size;
    uint8_t *bytes = off_read(path, &size);
    cr_assert_not_null(bytes, "%s", path);
    compilation =
        as_cache ? OH_NNCompilation_ConstructForCache() : OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    if (as_cache) IS(OH_NNCompilation_ImportCacheFromBuffer(compilation, bytes, size), OH_NN_SUCCESS);
    code = OH_NNCompilation_Build(compilation);
    OH_NNCompilation_Destroy(&compilation);
    free(bytes);
    return code;
}

Test(plans_only, a_plan_gives_the_golden_bytes) {
    size_t size;
    uint8_t *plan = off_read("build/plans/meter_scalar.plan", &size);
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
    OH_NNExecutor *executor;
    const nnrt_schedule *schedule = NULL;
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    OH_NNCompilation_Destroy(&compilation);
    IS(nnrt_executor_get_schedule(executor, &schedule), OH_NN_UNSUPPORTED); /* not in this flash */
    cr_assert_eq(off_run_samples(executor, "examples/meter/golden"), 6u);
    OH_NNExecutor_Destroy(&executor);
    free(plan);
    cr_assert_eq(counting_live(), 0);
}

Test(plans_only, a_model_that_is_no_plan_is_refused_and_the_sentence_says_how_to_make_one) {
    IS(built("examples/meter/meter.tflite", false), OH_NN_INVALID_FILE);
    SAYS("NNRT_PLANS_ONLY");
    SAYS("nnrt compile");
    IS(built("examples/meter/meter.tflite", true), OH_NN_INVALID_FILE);
    cr_assert_eq(counting_live(), 0);
}

Test(plans_only, a_step_that_is_not_listed_is_refused) {
    IS(built("build/plans/add_scalar.plan", false), OH_NN_INVALID_FILE);
    SAYS("a step is not in NNRT_STEPS");
    IS(built("build/plans/add_scalar.plan", true), OH_NN_INVALID_FILE);
    SAYS("a step is not in NNRT_STEPS");
    cr_assert_eq(counting_live(), 0);
}

Test(plans_only, a_plan_with_states_is_refused) {
    IS(built("build/plans/variable_scalar.plan", false), OH_NN_INVALID_FILE);
    SAYS("NNRT_NO_STATES");
    IS(built("build/plans/variable_scalar.plan", true), OH_NN_INVALID_FILE);
    SAYS("NNRT_NO_STATES");
    cr_assert_eq(counting_live(), 0);
}

Test(plans_only, a_part_for_an_accelerator_is_refused_where_the_build_has_none) {
    IS(built("build/plans/meter_npu.plan", false), OH_NN_INVALID_FILE);
    SAYS("a step is for an accelerator, and this build has none");
    cr_assert_eq(counting_live(), 0);
}

/* The kernels of other instruction sets are no part of the program, whatever the processor has. */
Test(plans_only, a_plan_that_is_packed_for_an_instruction_set_that_is_not_listed_is_refused) {
    if (nnrt__cpu_detect() == 0) cr_skip_test("skipped, no other instruction set here");
    IS(built("build/plans/meter_best.plan", false), OH_NN_INVALID_FILE);
    SAYS("this processor or this build has \"scalar\"");
    cr_assert_eq(counting_live(), 0);
}

Test(plans_only, the_table_of_kernels_has_what_the_listed_steps_call_and_nothing_else) {
    nnrt__cpu_table table;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    cr_assert_eq(table.installed,
                 (unsigned)(NNRT__SLOT_gemm_s8 | NNRT__SLOT_dw_s8 | NNRT__SLOT_avg_pool_s8 | NNRT__SLOT_max_pool_s8));
    cr_assert_str_eq(table.gemm_s8[0].isa, "scalar");
    cr_assert(table.gemm_f32[0].run == NULL && table.dw_f32[0].run == NULL && table.add_s8 == NULL);
}

Test(plans_only, every_call_that_makes_a_graph_or_asks_about_one_is_refused_with_a_sentence) {
    OH_NNModel *model = OH_NNModel_Construct();
    const bool *available = NULL;
    uint32_t count = 0;
    char text[8];
    cr_assert_null(model);
    SAYS("NNRT_PLANS_ONLY");
    IS(OH_NNModel_AddTensorToModel(model, NULL), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_AddTensor(model, NULL), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_SetTensorData(model, 0, text, sizeof text), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_SetTensorQuantParams(model, 0, NULL), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_SetTensorType(model, 0, OH_NN_TENSOR), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, NULL, NULL, NULL), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_SpecifyInputsAndOutputs(model, NULL, NULL), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_Finish(model), OH_NN_UNSUPPORTED);
    IS(OH_NNModel_GetAvailableOperations(model, 0, &available, &count), OH_NN_UNSUPPORTED);
    IS(nnrt_model_get_reason(model, 0, 0, text, sizeof text), OH_NN_UNSUPPORTED);
    SAYS("NNRT_PLANS_ONLY");
    cr_assert_null(OH_NNCompilation_Construct(model));
    OH_NNModel_Destroy(&model);
}

Test(plans_only, a_plan_is_inspected_and_a_model_is_not_known) {
    const char *device = NULL;
    size_t size;
    uint8_t *bytes = off_read("build/plans/meter_scalar.plan", &size);
    IS(nnrt_inspect_model(bytes, size, &device, NULL, NULL), OH_NN_SUCCESS);
    cr_assert_not_null(device);
    free(bytes);
    bytes = off_read("examples/meter/meter.tflite", &size);
    IS(nnrt_inspect_model(bytes, size, &device, NULL, NULL), OH_NN_UNSUPPORTED);
    free(bytes);
}
