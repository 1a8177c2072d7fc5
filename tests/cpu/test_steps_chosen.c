/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of a build with NNRT_OPS and NNRT_STEPS that it compiles and runs models of the listed steps to the byte, in
   every performance mode, and refuses others with a code and a sentence: before and at Build. */
#include "counting_alloc.h"
#define NNRT_OPS(X) \
    X(CONV2D) X(DEPTHWISE_CONV2D_NATIVE) X(AVG_POOL) X(MAX_POOL) X(RESHAPE) X(FULL_CONNECTION) X(SOFTMAX)
#define NNRT_STEPS(X)  \
    X(conv_s8, SCALAR) \
    X(dw_s8, SCALAR) X(avg_pool_s8, SCALAR) X(max_pool_s8, SCALAR) X(fc_s8, SCALAR) X(softmax_few_s8, SCALAR)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "graph_builder.h"
#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())
#define SAYS(part) cr_assert_not_null(strstr(nnrt_last_error(), part), "%s", nnrt_last_error())

/* Does the model give the bytes of its samples, and then all memory back? false: there is no such model. */
static bool gives_the_golden_bytes(const char *model, const char *samples, OH_NN_PerformanceMode mode) {
    const bool there = off_gives_samples(model, samples, mode);
    cr_assert_eq(counting_live(), 0);
    return there;
}

static const OH_NN_PerformanceMode modes[] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW, OH_NN_PERFORMANCE_HIGH};

/* The mode LOW would keep weights as the model has them, and run convolutions by rows: these steps are not listed, and
   the listed ones take their place. */
Test(steps_chosen, a_model_of_the_listed_steps_gives_the_golden_bytes_in_every_mode) {
    size_t m;
    for (m = 0; m < sizeof modes / sizeof *modes; m++)
        cr_assert(gives_the_golden_bytes("examples/meter/meter.tflite", "examples/meter/golden", modes[m]),
                  "run me where README.md is");
}

Test(steps_chosen, image_and_keyword_models_give_the_golden_bytes_in_every_mode) {
    static const char *const names[] = {"kws_ref_model", "vww_96_int8"};
    size_t i, m;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        for (m = 0; m < sizeof modes / sizeof *modes; m++) {
            char model[512], samples[400];
            snprintf(samples, sizeof samples, "%s/%s", off_models_folder(), names[i]);
            snprintf(model, sizeof model, "%s/%s.tflite", samples, names[i]);
            if (!gives_the_golden_bytes(model, samples, modes[m])) cr_skip_test("skipped, no models");
        }
    }
}

/* Builds SOFTMAX over 4 elements of that type. */
static OH_NN_ReturnCode softmax(OH_NN_DataType dtype, double scale, double out_scale, int32_t out_zero) {
    const int32_t dims[2] = {1, 4}, zero = 0;
    OH_NN_ReturnCode code;
    uint32_t x, y;
    gb_graph g;
    gb_open(&g);
    x = gb_tensor(&g, dtype, 2, dims);
    y = gb_tensor(&g, dtype, 2, dims);
    if (dtype != OH_NN_FLOAT32) {
        gb_quantize(&g, x, 1, &scale, &zero);
        gb_quantize(&g, y, 1, &out_scale, &out_zero);
    }
    gb_input(&g, x);
    gb_output(&g, y);
    IS(gb_op(&g, OH_NN_OPS_SOFTMAX, 1, &x, 1, &y), OH_NN_SUCCESS);
    code = gb_build(&g);
    gb_close(&g);
    return code;
}

Test(steps_chosen, an_operator_of_types_whose_step_is_not_listed_is_refused_and_the_sentence_names_both) {
    IS(softmax(OH_NN_INT8, 0.1, 1.0 / 256, -128), OH_NN_SUCCESS);
    cr_assert_neq((int)softmax(OH_NN_FLOAT32, 0, 0, 0), (int)OH_NN_SUCCESS);
    SAYS("SOFTMAX");
    SAYS("NNRT_STEPS");
    cr_assert_neq((int)softmax(OH_NN_INT16, 0.001, 1.0 / 32768, 0), (int)OH_NN_SUCCESS);
    SAYS("SOFTMAX");
    SAYS("NNRT_STEPS");
    cr_assert_eq(counting_live(), 0);
}

Test(steps_chosen, the_kinds_of_steps_and_their_kernels_are_the_listed_ones) {
    nnrt__cpu_table table;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    cr_assert_eq(table.installed,
                 (unsigned)(NNRT__SLOT_gemm_s8 | NNRT__SLOT_dw_s8 | NNRT__SLOT_avg_pool_s8 | NNRT__SLOT_max_pool_s8));
    cr_assert_eq(NNRT__KIND(conv_s8), &nnrt__step_conv_s8);
    cr_assert_null(NNRT__KIND(conv_f32));
    cr_assert_null(nnrt__step_kind_in(&table, nnrt__step_conv_f32.id));
    cr_assert_null(nnrt__step_kind_in(&table, nnrt__step_conv_raw_s8.id));
    cr_assert_not(nnrt__kinds_take_turns());
}
