/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of nnrt.target that a model compiled for another processor is, byte for byte, what that processor would have
   compiled, that it is not run here, and that a target that there is not is refused. build/plans has the plans that the
   PC's tool made: on the boards' processors they are compared with those made there. */
#include "linked.h"

#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())

/* The plan of the meter with one config; to be freed. */
static uint8_t *plan_with(const char *name, const char *value, size_t *size) {
    size_t model_size, written;
    uint8_t nothing, *plan, *model = off_read("examples/meter/meter.tflite", &model_size);
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
    off_config(compilation, name, value);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    IS(OH_NNCompilation_ExportCacheToBuffer(compilation, &nothing, 1, size), OH_NN_INVALID_PARAMETER);
    plan = (uint8_t *)malloc(*size);
    cr_assert_not_null(plan);
    IS(OH_NNCompilation_ExportCacheToBuffer(compilation, plan, *size, &written), OH_NN_SUCCESS);
    OH_NNCompilation_Destroy(&compilation);
    free(model);
    return plan;
}

Test(targets, a_plan_for_a_target_is_the_same_bytes_on_every_machine_and_those_that_the_target_makes) {
    size_t i, compared = 0;
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        const nnrt__target *target = &nnrt__targets[i];
        size_t size, other_size;
        uint8_t *plan = plan_with("nnrt.target", target->name, &size), *other;
        char path[64];
        snprintf(path, sizeof path, "build/plans/meter_%s.plan", target->name);
        other = off_read(path, &other_size);
        cr_assert_not_null(other, "%s", path);
        cr_assert(size == other_size && memcmp(plan, other, size) == 0, "%s, made by the tool", target->name);
        free(other);
        if ((target->isa & ~nnrt__cpu_detect()) == 0) {
            other = plan_with("nnrt.isa", target->name, &other_size);
            cr_assert(size == other_size && memcmp(plan, other, size) == 0, "%s, made here", target->name);
            free(other);
            compared++;
        }
        free(plan);
    }
    cr_assert_geq(compared, 1u);
}

/* Flash: 8 bytes of each channel less than with a factor of its own. */
Test(targets, plans_for_small_processors_have_one_factor_for_all_channels_of_one_row) {
    static const char *const names[] = {"scalar", "cortex-m4", "cortex-m55"};
    size_t i, k, size, found = 0;
    for (i = 0; i < 3; i++) {
        const nnrt__target *target = nnrt__target_find(names[i]);
        uint8_t *plan = plan_with("nnrt.target", names[i], &size);
        const nnrt__plan_header *header = (const nnrt__plan_header *)(const void *)plan;
        const nnrt__plan_value *values = (const nnrt__plan_value *)(const void *)(plan + header->values);
        const nnrt__plan_step *steps = (const nnrt__plan_step *)(const void *)(plan + header->steps);
        const uint32_t *operands = (const uint32_t *)(const void *)(plan + header->operands);
        for (k = 0; k < header->step_count; k++) {
            const nnrt__conv_args *args =
                (const nnrt__conv_args *)(const void *)(plan + header->arguments + steps[k].arguments);
            const nnrt__plan_value *weights = &values[operands[steps[k].first_operand + 1]];
            const nnrt__plan_value *out = &values[operands[steps[k].first_operand + 2]];
            const size_t kr = target->gemm_s8[1]->kr;
            if (steps[k].kind != NNRT__ID_OF_fc_s8) continue;
            cr_expect_eq(args->packing, target->gemm_s8[1]->id);
            cr_expect_eq(weights->size, 8 + out->size * (4 + ((size_t)args->columns + kr - 1) / kr * kr));
            found++;
        }
        free(plan);
    }
    cr_expect_eq(found, 3u);
}

/* Flash again: nothing in a firmware asks for the names of tensors between steps. */
Test(targets, without_names_a_plan_has_those_of_inputs_and_outputs_and_is_else_the_same) {
    static const char *const wrong[] = {"2", "-1", "", "no"};
    size_t size, bare_size, model_size, i, k;
    uint8_t *plan = plan_with("nnrt.names", "1", &size), *bare = plan_with("nnrt.names", "0", &bare_size);
    uint8_t *model = off_read("examples/meter/meter.tflite", &model_size);
    const nnrt__plan_header *a = (const nnrt__plan_header *)(const void *)plan;
    const nnrt__plan_header *b = (const nnrt__plan_header *)(const void *)bare;
    cr_expect_lt(bare_size, size);
    cr_expect_lt(b->strings_size, 1 + sizeof "window" + sizeof "digit" + 1);
    cr_assert(a->value_count == b->value_count && a->constants_size == b->constants_size);
    cr_expect_eq(memcmp(plan + a->constants, bare + b->constants, (size_t)a->constants_size), 0);
    for (i = 0; i < a->value_count; i++) {
        nnrt__plan_value is = ((const nnrt__plan_value *)(const void *)(plan + a->values))[i];
        const nnrt__plan_value *without = &((const nnrt__plan_value *)(const void *)(bare + b->values))[i];
        const uint32_t *ends = (const uint32_t *)(const void *)(bare + b->operands);
        const char *name = (const char *)plan + a->strings + is.name,
                   *left = (const char *)bare + b->strings + without->name;
        bool end = false;
        for (k = 0; k < b->input_count + b->output_count; k++) end = end || ends[k] == i;
        cr_expect_str_eq(left, end ? name : "");
        is.name = without->name;
        cr_expect_eq(memcmp(&is, without, sizeof is), 0, "value %zu", i);
    }
    for (i = 0; i < 4; i++) {
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
        OH_NN_ReturnCode code =
            OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.names", wrong[i], strlen(wrong[i]));
        if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(compilation);
        IS(code, OH_NN_INVALID_PARAMETER);
        OH_NNCompilation_Destroy(&compilation);
    }
    free(plan);
    free(bare);
    free(model);
}

Test(targets, a_model_for_a_target_is_described_and_not_run) {
    size_t model_size;
    uint8_t *model = off_read("examples/meter/meter.tflite", &model_size), input[640] = {0}, output[10];
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
    OH_NNExecutor *executor;
    const nnrt_profile_step *steps;
    uint32_t count;
    off_config(compilation, "nnrt.target", "neon");
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    IS(nnrt_executor_get_profile(executor, &steps, &count), OH_NN_SUCCESS);
    cr_assert_gt(count, 0u);
    cr_assert_str_eq(steps[0].isa, "neon");
    IS(off_run(executor, input, sizeof input, output, sizeof output), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "compiled for neon (nnrt.target)"), "%s", nnrt_last_error());
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free(model);
}

Test(targets, a_target_that_there_is_not_is_refused_and_the_sentence_lists_those_that_there_are) {
    size_t model_size;
    uint8_t *model = off_read("examples/meter/meter.tflite", &model_size);
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
    off_config(compilation, "nnrt.target", "armv9");
    IS(OH_NNCompilation_Build(compilation), OH_NN_INVALID_PARAMETER);
    cr_assert_not_null(strstr(nnrt_last_error(), "neon"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    free(model);
}
