/* SPDX-License-Identifier: Apache-2.0 */
/* test_cache_settings.c - settings given to a Build that finds a cache: those that change the plan make a new one, the
   others apply to the cached plan. */
#include "linked.h"

#include "graph_builder.h"
#include "mock_device.h"

#include <stdio.h>

static char folder[] = "/tmp/nnrt-settings-XXXXXX";

static int warnings; /* a cache that was found and refused is one */

static void count_warning(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    warnings += level == NNRT_LOG_WARNING && strstr(message, "compiled again") != NULL;
}

typedef struct settings {
    OH_NN_PerformanceMode performance;
    OH_NN_Priority priority;
    const char *configs[6]; /* name, value ..., NULL */
} settings;

/* Builds relu(x + x) with a cache; *hit tells whether the plan came out of it. */
static OH_NNCompilation *build(const settings *s, bool *hit) {
    const int32_t dims[2] = {64, 64};
    uint32_t xx[2], sum, y;
    const char *const *config;
    OH_NNCompilation *compilation;
    gb_graph g;
    gb_open(&g);
    xx[0] = xx[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    sum = gb_tensor(&g, OH_NN_FLOAT32, 2, dims);
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    OK(gb_op(&g, OH_NN_OPS_ADD, 2, xx, 1, &sum));
    OK(gb_op(&g, OH_NN_OPS_RELU, 1, &sum, 1, &y));
    OK(gb_finish(&g));
    compilation = OH_NNCompilation_Construct(g.model);
    gb_close(&g);
    OK(OH_NNCompilation_SetCache(compilation, folder, 1));
    OK(OH_NNCompilation_SetPerformanceMode(compilation, s->performance));
    OK(OH_NNCompilation_SetPriority(compilation, s->priority));
    for (config = s->configs; *config != NULL; config += 2)
        OK(OH_NNCompilation_AddExtensionConfig(compilation, config[0], config[1], strlen(config[1])));
    nnrt_set_log(count_warning, NULL);
    OK(OH_NNCompilation_Build(compilation));
    *hit = compilation->prepared->mapping.data != NULL;
    return compilation;
}

static void remove_cache(void) {
    char path[64];
    cr_assert_eq(warnings, 0);
    (void)snprintf(path, sizeof(path), "%s/0.nncache", folder);
    cr_assert_eq(unlink(path), 0);
    (void)snprintf(path, sizeof(path), "%s/cache_info.nncache", folder);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(rmdir(folder), 0);
}

static const nnrt__cpu_prepared *inside(const OH_NNCompilation *compilation) {
    return (const nnrt__cpu_prepared *)compilation->prepared->object;
}

Test(cache_settings, what_changes_the_plan_is_compiled_again_and_then_found) {
    static const settings rows[] = {{OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.threads", "3", NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.threads", "2", NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.passes", "none", NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.isa", "scalar", NULL}},
                                    {OH_NN_PERFORMANCE_EXTREME, OH_NN_PRIORITY_NONE, {NULL}},
                                    {OH_NN_PERFORMANCE_EXTREME, OH_NN_PRIORITY_NONE, {"nnrt.threads", "5", NULL}},
                                    {OH_NN_PERFORMANCE_LOW, OH_NN_PRIORITY_NONE, {NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.stripes", "20", NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.stripes", "30", NULL}},
                                    {OH_NN_PERFORMANCE_LOW, OH_NN_PRIORITY_NONE, {"nnrt.stripes", "0", NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.keep", "1", NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.names", "0", NULL}},
                                    {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {"nnrt.inputs", "arena", NULL}}};
    size_t i;
    cr_assert_not_null(mkdtemp(folder));
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool hit = false, scalar;
        int round;
        OH_NNCompilation *compilation = build(&rows[0], &hit); /* so that a row differs by its own setting alone */
        if (i < 2) cr_assert_eq(hit, i == 1);
        scalar = inside(compilation)->plan.header->isa == 0;
        OH_NNCompilation_Destroy(&compilation);
        for (round = 0; round < 2; round++) {
            const bool same = i == 0 || (i == 4 && scalar);
            const nnrt__plan_header *plan;
            compilation = build(&rows[i], &hit);
            plan = inside(compilation)->plan.header;
            cr_assert_eq(hit, same || round == 1, "row %zu, round %d", i, round);
            if (i == 1 || i == 2 || i == 6) cr_assert_eq(plan->threads, (uint32_t)atoi(rows[i].configs[1]));
            if (i == 5) cr_assert_eq(plan->threads, (uint32_t)nnrt__core_count());
            cr_assert_eq(plan->step_count, i == 3 ? 2u : 1u, "row %zu", i);
            if (i == 4) cr_assert_eq(plan->isa, 0u);
            OH_NNCompilation_Destroy(&compilation);
        }
    }
    remove_cache();
}

Test(cache_settings, what_does_not_change_the_plan_is_honoured_by_the_one_that_is_there) {
    static const settings plain = {OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_NONE, {NULL}};
    static const settings other = {
        OH_NN_PERFORMANCE_NONE, OH_NN_PRIORITY_LOW, {"nnrt.profile", "1", "nnrt.max_memory", "1M", NULL}};
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    NN_TensorDesc *desc;
    NN_Tensor *in, *out;
    bool hit;
    cr_assert_not_null(mkdtemp(folder));
    compilation = build(&plain, &hit);
    cr_assert(!hit);
    OH_NNCompilation_Destroy(&compilation);
    compilation = build(&other, &hit);
    cr_assert(hit);
    cr_assert_eq(inside(compilation)->priority, OH_NN_PRIORITY_LOW);
    executor = OH_NNExecutor_Construct(compilation);
    desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    in = OH_NNTensor_Create(0, desc);
    out = OH_NNTensor_Create(0, desc);
    OK(OH_NNTensorDesc_Destroy(&desc));
    OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
    OK(nnrt_executor_get_profile(executor, &steps, &count));
    cr_assert(count == 1 && steps[0].runs == 1);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    compilation = build(&plain, &hit);
    cr_assert(hit);
    OH_NNCompilation_Destroy(&compilation);
    remove_cache();
}
