/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of a build with NNRT_OPS that it runs models of the chosen operators to the byte, and refuses, with a
   sentence that says why, what it leaves out: from calls and from a .tflite. */
#define NNRT_OPS(X) \
    X(CONV2D) X(DEPTHWISE_CONV2D_NATIVE) X(AVG_POOL) X(MAX_POOL) X(RESHAPE) X(FULL_CONNECTION) X(SOFTMAX)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "graph_builder.h"
#include "offline_runner.h"

/* Runs every sample of a folder; false when there is no such model. */
static bool model_gives_the_golden_bytes(const char *model, const char *samples) {
    const off_settings plain = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    size_t size, i;
    uint8_t *bytes = off_read(model, &size);
    if (bytes == NULL) return false;
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    cr_assert_eq((int)off_build(compilation, &plain), (int)OH_NN_SUCCESS, "%s: %s", model, nnrt_last_error());
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    for (i = 0; i < 8; i++) {
        char path[512];
        size_t input_size, expected_size;
        uint8_t *input, *expected, *output;
        snprintf(path, sizeof path, "%s/input%zu.bin", samples, i);
        input = off_read(path, &input_size);
        if (input == NULL) break;
        snprintf(path, sizeof path, "%s/expected%zu.bin", samples, i);
        expected = off_read(path, &expected_size);
        cr_assert_not_null(expected, "%s", path);
        output = (uint8_t *)malloc(expected_size);
        cr_assert_not_null(output);
        cr_assert_eq((int)off_run(executor, input, input_size, output, expected_size), (int)OH_NN_SUCCESS, "%s",
                     nnrt_last_error());
        cr_assert_eq(memcmp(output, expected, expected_size), 0, "%s", path);
        free(output);
        free(expected);
        free(input);
    }
    cr_assert_gt(i, 0u, "%s has no samples", samples);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free(bytes);
    return true;
}

Test(ops_chosen, the_meter_model_of_the_chosen_operators_gives_the_golden_bytes) {
    cr_assert(model_gives_the_golden_bytes("examples/meter/meter.tflite", "examples/meter/golden"),
              "run me where README.md is");
}

Test(ops_chosen, the_keyword_model_of_the_chosen_operators_gives_the_golden_bytes) {
    char model[512], samples[400];
    const char *folder = getenv("NNRT_MODELS");
    snprintf(samples, sizeof samples, "%s/kws_ref_model",
             folder != NULL && *folder != '\0' ? folder : "../shared/models");
    snprintf(model, sizeof model, "%s/kws_ref_model.tflite", samples);
    if (!model_gives_the_golden_bytes(model, samples)) cr_skip_test("skipped, no models");
}

Test(ops_chosen, an_operator_that_is_left_out_is_refused_and_the_sentence_says_why) {
    const int32_t dims[1] = {2};
    uint32_t x, y;
    gb_graph g;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_neq((int)gb_build(&g), (int)OH_NN_SUCCESS);
    cr_assert(strstr(nnrt_last_error(), "RELU") != NULL, "%s", nnrt_last_error());
    cr_assert(strstr(nnrt_last_error(), "NNRT_OPS") != NULL, "%s", nnrt_last_error());
    gb_close(&g);
}

Test(ops_chosen, a_model_file_with_an_operator_that_is_left_out_is_refused_and_the_sentence_says_why) {
    size_t size;
    uint8_t *bytes = off_read("tests/fuzz/seeds/tflite/add.tflite", &size);
    OH_NNCompilation *compilation;
    cr_assert_not_null(bytes, "run me where README.md is");
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    cr_assert_not_null(compilation);
    cr_assert_neq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_SUCCESS);
    cr_assert(strstr(nnrt_last_error(), "ADD") != NULL, "%s", nnrt_last_error());
    cr_assert(strstr(nnrt_last_error(), "NNRT_OPS") != NULL, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    free(bytes);
}

Test(ops_chosen, kinds_of_steps_of_operators_that_are_left_out_are_unknown_to_plans) {
    cr_assert_not_null(nnrt__step_kind_find(nnrt__step_softmax_s8.id));
    cr_assert_null(nnrt__step_kind_find(nnrt__step_unary.id));
    cr_assert_null(nnrt__step_kind_find(nnrt__step_reduce.id));
}

Test(ops_chosen, kernels_that_no_chosen_operator_calls_are_left_out) {
    nnrt__cpu_table table;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    cr_assert_eq(table.installed,
                 (unsigned)(NNRT__SLOT_ALL & ~(NNRT__SLOT_add_s8 | NNRT__SLOT_mul_s8 | NNRT__SLOT_binary_f32 |
                                               NNRT__SLOT_lut_s8 | NNRT__SLOT_binary_s16)));
    cr_assert_null(table.add_s8);
    cr_assert_null(table.binary_f32);
}
