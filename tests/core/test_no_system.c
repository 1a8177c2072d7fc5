/* SPDX-License-Identifier: Apache-2.0 */
/* test_no_system.c - NNRT_NO_STDIO and NNRT_NO_THREADS together: a program without an operating system. */
#include "counting_alloc.h"
#define NNRT_NO_STDIO
#define NNRT_NO_THREADS
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "one_profile.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())

Test(no_system, the_version_says_that_there_are_neither_threads_nor_files) {
    cr_assert_not_null(strstr(nnrt_version(), " no-threads no-files "), "%s", nnrt_version());
}

Test(no_system, without_a_clock_a_profile_counts_runs_and_has_no_times) {
    const nnrt_profile_step step = one_profile();
    cr_assert_eq(step.runs, 2u);
    cr_assert_eq(step.last_ns, 0u);
    cr_assert_eq(step.min_ns, 0u);
    cr_assert_eq(step.total_ns, 0u);
    cr_assert_eq(counting_live(), 0);
}

Test(no_system, a_model_in_a_file_is_refused_with_the_reason) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile("examples/meter/meter.tflite");
    if (compilation != NULL) cr_assert_neq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "this build has no files (NNRT_NO_STDIO)"), "%s", nnrt_last_error());
    if (compilation != NULL) OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(counting_live(), 0);
}

Test(no_system, a_folder_for_caches_is_refused_with_the_reason) {
    const int32_t dims[1] = {4};
    uint32_t x, y;
    gb_graph g;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    g.compilation = OH_NNCompilation_Construct(g.model);
    IS(OH_NNCompilation_SetCache(g.compilation, "/tmp", 1), OH_NN_SUCCESS);
    cr_assert_neq((int)OH_NNCompilation_Build(g.compilation), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "this build has no files (NNRT_NO_STDIO)"), "%s", nnrt_last_error());
    gb_close(&g);
    cr_assert_eq(counting_live(), 0);
}
