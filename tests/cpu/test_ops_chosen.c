/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of a build with NNRT_OPS that it runs models of the chosen operators to the byte, and refuses, with a
   sentence that says why, what it leaves out: from calls and from a .tflite. */
#define NNRT_OPS(X) \
    X(CONV2D) X(DEPTHWISE_CONV2D_NATIVE) X(AVG_POOL) X(MAX_POOL) X(RESHAPE) X(FULL_CONNECTION) X(SOFTMAX)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "graph_builder.h"
#include "offline_runner.h"

Test(ops_chosen, the_meter_model_of_the_chosen_operators_gives_the_golden_bytes) {
    cr_assert(off_gives_samples("examples/meter/meter.tflite", "examples/meter/golden", OH_NN_PERFORMANCE_NONE),
              "run me where README.md is");
}

Test(ops_chosen, the_keyword_model_of_the_chosen_operators_gives_the_golden_bytes) {
    char model[512], samples[400];
    snprintf(samples, sizeof samples, "%s/kws_ref_model", off_models_folder());
    snprintf(model, sizeof model, "%s/kws_ref_model.tflite", samples);
    if (!off_gives_samples(model, samples, OH_NN_PERFORMANCE_NONE)) cr_skip_test("skipped, no models");
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
                 (unsigned)(NNRT__SLOT_ALL &
                            ~(NNRT__SLOT_add_s8 | NNRT__SLOT_mul_s8 | NNRT__SLOT_binary_f32 | NNRT__SLOT_lut_s8 |
                              NNRT__SLOT_binary_s16 | NNRT__SLOT_blend | NNRT__SLOT_unary_f32 | NNRT__SLOT_sums)));
    cr_assert_null(table.add_s8);
    cr_assert_null(table.binary_f32);
}
