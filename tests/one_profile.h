/* SPDX-License-Identifier: Apache-2.0 */
/* one_profile.h - a model of one step, built with nnrt.profile and run twice: its times by the build's clock. Include
   it after nnrt.h. */
#ifndef NNRT_TESTS_ONE_PROFILE_H
#define NNRT_TESTS_ONE_PROFILE_H

#include "graph_builder.h"

static nnrt_profile_step one_profile(void) {
    const int32_t dims[1] = {4};
    const float in[4] = {-1, 1, -2, 2}, wanted[4] = {0, 1, 0, 2};
    const nnrt_profile_step *steps = NULL;
    nnrt_profile_step step;
    float given[4], out[4];
    uint32_t count = 0, x, y, run;
    gb_graph g;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    g.compilation = OH_NNCompilation_Construct(g.model);
    cr_assert_eq((int)OH_NNCompilation_AddExtensionConfig(g.compilation, "nnrt.profile", "1", 1), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNCompilation_Build(g.compilation), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    g.executor = OH_NNExecutor_Construct(g.compilation);
    cr_assert_not_null(g.executor, "%s", nnrt_last_error());
    memcpy(given, in, sizeof given);
    for (run = 0; run < 2; run++) {
        cr_assert_eq((int)gb_run(&g, gb_buffer(given, sizeof given), gb_buffer(out, sizeof out)), (int)OH_NN_SUCCESS,
                     "%s", nnrt_last_error());
        cr_assert_arr_eq(out, wanted, sizeof out);
    }
    cr_assert_eq((int)nnrt_executor_get_profile(g.executor, &steps, &count), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_eq(count, 1u);
    step = steps[0];
    gb_close(&g);
    return step;
}

#endif /* NNRT_TESTS_ONE_PROFILE_H */
