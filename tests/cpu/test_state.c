/* SPDX-License-Identifier: Apache-2.0 */
/* test_state.c - what a model keeps from run to run: it begins with zeros or the contents that it was given, each
   executor has its own, only runs that succeed change it, a reset takes it back, plans keep it, and none of it lies in
   an arena that executors may share. */
#include "linked.h"

#include "graph_builder.h"
#include "mock_device.h"
#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

static const int32_t three = 3;

static void add_state(gb_graph *g, uint32_t tensor, uint32_t next) {
    IS(nnrt_model_add_state(g->model, tensor, next), OH_NN_SUCCESS);
}

/* sum = state + x, and the state of the next run; first: contents of the first run, NULL: zeros. */
static void sum_graph(gb_graph *g, const float *first) {
    uint32_t in[2], sum;
    gb_open(g);
    in[0] = first != NULL ? gb_constant(g, OH_NN_FLOAT32, 1, &three, first) : gb_tensor(g, OH_NN_FLOAT32, 1, &three);
    in[1] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 1, &three));
    sum = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 1, &three));
    IS(gb_op(g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    add_state(g, in[0], sum);
}

/* One run with these three numbers; the first number of the output. */
static float run(OH_NNExecutor *executor, float a, float b, float c) {
    float in[3], out[3];
    in[0] = a;
    in[1] = b;
    in[2] = c;
    IS(off_run(executor, in, sizeof in, out, sizeof out), OH_NN_SUCCESS);
    cr_assert_eq(out[1] - out[0], 0.0f);
    cr_assert_eq(out[2] - out[0], 0.0f);
    return out[0];
}
static float run_of(OH_NNExecutor *executor, float x) { return run(executor, x, x, x); }

Test(state, a_run_reads_what_the_one_before_left_and_a_reset_begins_anew) {
    static const float firsts[2][3] = {{0, 0, 0}, {10, 10, 10}};
    int with;
    for (with = 0; with < 2; with++) {
        const float first = firsts[with][0];
        gb_graph g;
        sum_graph(&g, with ? firsts[1] : NULL);
        IS(gb_build(&g), OH_NN_SUCCESS);
        cr_assert_eq(run_of(g.executor, 1), first + 1);
        cr_assert_eq(run_of(g.executor, 2), first + 3);
        cr_assert_eq(run_of(g.executor, 0), first + 3);
        IS(nnrt_executor_reset(g.executor), OH_NN_SUCCESS);
        cr_assert_eq(run_of(g.executor, 5), first + 5);
        IS(nnrt_executor_reset(g.executor), OH_NN_SUCCESS);
        IS(nnrt_executor_reset(g.executor), OH_NN_SUCCESS);
        cr_assert_eq(run_of(g.executor, 7), first + 7);
        gb_close(&g);
    }
}

Test(state, is_no_input_or_output_of_the_model) {
    gb_graph g;
    size_t count = 0;
    sum_graph(&g, NULL);
    IS(gb_build(&g), OH_NN_SUCCESS);
    IS(OH_NNExecutor_GetInputCount(g.executor, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 1);
    IS(OH_NNExecutor_GetOutputCount(g.executor, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 1);
    gb_close(&g);
}

Test(state, of_two_executors_is_two) {
    gb_graph g;
    OH_NNExecutor *other;
    sum_graph(&g, NULL);
    IS(gb_build(&g), OH_NN_SUCCESS);
    other = OH_NNExecutor_Construct(g.compilation);
    cr_assert_not_null(other);
    cr_assert_eq(run_of(g.executor, 1), 1);
    cr_assert_eq(run_of(other, 100), 100);
    cr_assert_eq(run_of(g.executor, 1), 2);
    IS(nnrt_executor_reset(other), OH_NN_SUCCESS);
    cr_assert_eq(run_of(g.executor, 1), 3);
    cr_assert_eq(run_of(other, 1), 1);
    OH_NNExecutor_Destroy(&other);
    gb_close(&g);
}

/* y = x of two runs ago: no operator computes a state, one is the input, the other the first one. */
Test(state, may_be_an_input_or_another_state) {
    gb_graph g;
    uint32_t x, first, second, in[2], y;
    int i;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    first = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    second = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    in[0] = second;
    in[1] = second;
    IS(gb_op(&g, OH_NN_OPS_MAXIMUM, 2, in, 1, &y), OH_NN_SUCCESS);
    add_state(&g, first, x);
    add_state(&g, second, first);
    IS(gb_build(&g), OH_NN_SUCCESS);
    for (i = 1; i < 9; i++) cr_assert_eq(run_of(g.executor, (float)i), i > 2 ? (float)(i - 2) : 0.0f, "run %d", i);
    gb_close(&g);
}

/* Two states that change places in every run, and one that stays as it is. */
Test(state, may_change_places_with_another_one) {
    static const float one[3] = {1, 1, 1}, two[3] = {2, 2, 2}, four[3] = {4, 4, 4};
    gb_graph g;
    uint32_t a, b, c, in[2], y;
    int i;
    gb_open(&g);
    a = gb_constant(&g, OH_NN_FLOAT32, 1, &three, one);
    b = gb_constant(&g, OH_NN_FLOAT32, 1, &three, two);
    c = gb_constant(&g, OH_NN_FLOAT32, 1, &three, four);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    in[1] = a;
    y = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &y), OH_NN_SUCCESS);
    in[0] = y;
    in[1] = c;
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &y), OH_NN_SUCCESS);
    add_state(&g, a, b);
    add_state(&g, b, a);
    add_state(&g, c, c);
    IS(gb_build(&g), OH_NN_SUCCESS);
    for (i = 0; i < 6; i++) cr_assert_eq(run_of(g.executor, 0), i % 2 == 0 ? 5.0f : 6.0f, "run %d", i);
    gb_close(&g);
}

/* sum = state + table[i]: an index outside lets a run fail, after the sum before it was computed. */
Test(state, stays_as_it_was_when_a_run_fails) {
    static const float table[3] = {1, 2, 4};
    static const int32_t one = 1, zero = 0;
    const int32_t asked[6] = {0, 2, 9, 1, -7, 0}, sums[6] = {1, 5, 5, 7, 7, 8};
    gb_graph g;
    uint32_t in[3], index, sum, next, picked;
    size_t i;
    gb_open(&g);
    index = gb_input(&g, gb_tensor(&g, OH_NN_INT32, 1, &one));
    in[0] = gb_constant(&g, OH_NN_FLOAT32, 1, &three, table);
    in[1] = index;
    in[2] = gb_constant(&g, OH_NN_INT32, 0, NULL, &zero);
    picked = gb_tensor(&g, OH_NN_FLOAT32, 1, &one);
    IS(gb_op(&g, OH_NN_OPS_GATHER, 3, in, 1, &picked), OH_NN_SUCCESS);
    in[0] = gb_tensor(&g, OH_NN_FLOAT32, 1, &one);
    in[1] = picked;
    sum = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &one));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    next = gb_tensor(&g, OH_NN_INT32, 1, &one); /* is written before the run fails */
    in[1] = gb_tensor(&g, OH_NN_INT32, 1, &one);
    add_state(&g, in[0], sum);
    in[0] = index;
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &next), OH_NN_SUCCESS);
    add_state(&g, in[1], next);
    (void)gb_output(&g, next);
    IS(gb_build(&g), OH_NN_SUCCESS);
    for (i = 0; i < 6; i++) {
        const bool wrong = asked[i] < -3 || asked[i] > 2;
        float got = -1;
        int32_t indices = 0, wanted = 0;
        gb_io input = gb_buffer((void *)(uintptr_t)&asked[i], sizeof asked[i]), outputs[2];
        size_t k;
        outputs[0] = gb_buffer(&got, sizeof got);
        outputs[1] = gb_buffer(&indices, sizeof indices);
        IS(gb_run_many(&g, &input, outputs), wrong ? OH_NN_UNAVAILABLE_DEVICE : OH_NN_SUCCESS);
        for (k = 0; k <= i; k++) wanted += asked[k] < -3 || asked[k] > 2 ? 0 : asked[k];
        if (wrong) continue;
        cr_assert_eq(got, (float)sums[i], "run %zu", i);
        cr_assert_eq(indices, wanted, "run %zu", i);
    }
    gb_close(&g);
}

/* A sum over what has any number of rows. */
Test(state, outlives_a_change_of_shape) {
    static const int32_t rows[2] = {-1, 3}, row[2] = {1, 3}, axis[1] = {0};
    gb_graph g;
    uint32_t in[2], total, sum;
    int32_t count;
    float x[12], y[3], wanted = 100;
    static const float first[3] = {100, 100, 100};
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, rows));
    in[1] = gb_ints(&g, 1, axis);
    total = gb_tensor(&g, OH_NN_FLOAT32, 2, row);
    gb_param_bool(&g, OH_NN_REDUCE_SUM_KEEP_DIMS, true);
    IS(gb_op(&g, OH_NN_OPS_REDUCE_SUM, 2, in, 1, &total), OH_NN_SUCCESS);
    in[0] = gb_constant(&g, OH_NN_FLOAT32, 2, row, first);
    in[1] = total;
    sum = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, row));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    add_state(&g, in[0], sum);
    IS(gb_build(&g), OH_NN_SUCCESS);
    for (count = 0; count < 12; count++) x[count] = 1;
    for (count = 1; count < 14; count++) { /* more shapes than an executor keeps */
        const int32_t dims[2] = {count % 4 + 1, 3};
        gb_run_shape(&g, 0, 2, dims);
        IS(gb_run(&g, gb_buffer(x, (size_t)dims[0] * 12), gb_buffer(y, sizeof y)), OH_NN_SUCCESS);
        wanted += (float)dims[0];
        cr_assert_eq(y[0], wanted);
        cr_assert_eq(y[2], wanted);
    }
    IS(nnrt_executor_reset(g.executor), OH_NN_SUCCESS);
    IS(gb_run(&g, gb_buffer(x, 24), gb_buffer(y, sizeof y)), OH_NN_SUCCESS);
    cr_assert_eq(y[0], 102);
    gb_close(&g);
}

Test(state, of_float16_and_int8_is_kept_in_their_bytes) {
    gb_graph g;
    uint32_t in[2], sum;
    int i;
    uint16_t one = 0x3c00, got = 0;
    static const int32_t single = 1;
    gb_open(&g);
    in[0] = gb_tensor(&g, OH_NN_FLOAT16, 1, &single);
    in[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT16, 1, &single));
    sum = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT16, 1, &single));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    add_state(&g, in[0], sum);
    IS(gb_build(&g), OH_NN_SUCCESS);
    for (i = 0; i < 4; i++) IS(gb_run(&g, gb_buffer(&one, 2), gb_buffer(&got, 2)), OH_NN_SUCCESS);
    cr_assert_eq(got, 0x4400); /* 4 */
    gb_close(&g);
    gb_open(&g);
    in[0] = gb_tensor_s8(&g, 1, &three, 0.5, -1);
    in[1] = gb_input(&g, gb_tensor_s8(&g, 1, &three, 0.5, 0));
    sum = gb_output(&g, gb_tensor_s8(&g, 1, &three, 0.5, -1));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    add_state(&g, in[0], sum);
    IS(gb_build(&g), OH_NN_SUCCESS);
    for (i = 0; i < 3; i++) {
        const int8_t x[3] = {1, 2, 127};
        int8_t y[3];
        IS(gb_run(&g, gb_buffer((void *)(uintptr_t)x, 3), gb_buffer(y, 3)), OH_NN_SUCCESS);
        /* it begins with the zero point: real sums of 0.5, 1 and 63.5, the last one saturates */
        cr_assert_eq(y[0], i);
        cr_assert_eq(y[1], 2 * (i + 1) - 1);
        cr_assert_eq(y[2], i == 0 ? 126 : 127);
    }
    gb_close(&g);
}

/* ------------------------------------------------------------------------------------------------------ plans */

static uint8_t *sum_plan(const float *first, size_t *size) {
    gb_graph g;
    uint8_t *plan;
    sum_graph(&g, first);
    IS(gb_build(&g), OH_NN_SUCCESS);
    plan = off_export(g.compilation, size);
    gb_close(&g);
    return plan;
}

static OH_NN_ReturnCode open_plan(const uint8_t *plan, size_t size, OH_NNCompilation **compilation) {
    off_settings settings;
    memset(&settings, 0, sizeof settings);
    *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
    return off_build(*compilation, &settings);
}

Test(state, is_kept_in_a_plan_with_its_first_contents) {
    static const float first[3] = {3, 3, 3};
    size_t size;
    uint8_t *plan = sum_plan(first, &size);
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    IS(open_plan(plan, size, &compilation), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor);
    cr_assert_eq(run_of(executor, 1), 4);
    cr_assert_eq(run_of(executor, 1), 5);
    IS(nnrt_executor_reset(executor), OH_NN_SUCCESS);
    cr_assert_eq(run_of(executor, 1), 4);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free(plan);
}

/* The header is forged and its checksum put right: whatever it says of states is refused or stays inside. */
Test(state, of_a_forged_plan_is_refused) {
    static const float first[3] = {3, 3, 3};
    size_t size, i;
    uint8_t *plan = sum_plan(first, &size);
    static const uint32_t counts[6] = {2, 3, 200, 201, 0x80000000u, UINT32_MAX};
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    nnrt__plan_value *values = (nnrt__plan_value *)(void *)(plan + header->values);
    uint32_t *operands = (uint32_t *)(void *)(plan + header->operands), was;
    OH_NNCompilation *compilation;
    cr_assert_eq(header->state_count, 1);
    for (i = 0; i < 6; i++) {
        header->state_count = counts[i];
        header->crc = nnrt__plan_crc(plan, size);
        IS(open_plan(plan, size, &compilation), OH_NN_INVALID_FILE);
        OH_NNCompilation_Destroy(&compilation);
    }
    header->state_count = 1;
    was = operands[4]; /* inputs x and state, outputs sum and state, first contents */
    operands[4] = operands[0];
    header->crc = nnrt__plan_crc(plan, size);
    IS(open_plan(plan, size, &compilation), OH_NN_INVALID_FILE); /* they are no constant */
    OH_NNCompilation_Destroy(&compilation);
    operands[4] = was;
    was = operands[1];
    operands[1] = operands[0];
    header->crc = nnrt__plan_crc(plan, size);
    IS(open_plan(plan, size, &compilation), OH_NN_INVALID_FILE); /* the state is the input */
    OH_NNCompilation_Destroy(&compilation);
    operands[1] = operands[4];
    header->crc = nnrt__plan_crc(plan, size);
    IS(open_plan(plan, size, &compilation), OH_NN_INVALID_FILE); /* the state is a constant */
    OH_NNCompilation_Destroy(&compilation);
    operands[1] = was;
    values[operands[4]].dims[0] = 2;
    values[operands[4]].size = 8;
    header->crc = nnrt__plan_crc(plan, size);
    IS(open_plan(plan, size, &compilation), OH_NN_INVALID_FILE); /* too short */
    OH_NNCompilation_Destroy(&compilation);
    free(plan);
}

/* The step of this plan reads the next state, which nothing has written yet, in place of the present one. */
Test(state, that_no_step_has_written_is_zero_and_not_what_memory_held) {
    static const float first[3] = {3, 3, 3};
    size_t size, i;
    uint8_t *plan = sum_plan(first, &size);
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    nnrt__plan_value *values = (nnrt__plan_value *)(void *)(plan + header->values);
    nnrt__plan_step *step = (nnrt__plan_step *)(void *)(plan + header->steps);
    uint32_t *operands = (uint32_t *)(void *)(plan + header->operands);
    const uint32_t state = operands[1], sum = operands[2];
    cr_assert_eq(header->step_count, 1);
    values[sum].index = 1;
    for (i = 0; i < step->input_count; i++)
        if (operands[step->first_operand + i] == state) operands[step->first_operand + i] = sum;
    header->crc = nnrt__plan_crc(plan, size);
    for (i = 0; i < 3; i++) {
        OH_NNCompilation *compilation;
        OH_NNExecutor *executor;
        IS(open_plan(plan, size, &compilation), OH_NN_SUCCESS);
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(executor);
        cr_assert_eq(run_of(executor, 1), 1);
        OH_NNExecutor_Destroy(&executor);
        OH_NNCompilation_Destroy(&compilation);
    }
    free(plan);
}

/* ----------------------------------------------------------------------------------------------------- memory */

Test(state, is_not_in_an_arena_that_executors_share) {
    gb_graph g;
    OH_NNExecutor *one, *two;
    nnrt_memory memory;
    size_t bytes;
    void *arena;
    sum_graph(&g, NULL);
    IS(gb_build(&g), OH_NN_SUCCESS);
    IS(nnrt_executor_get_memory(g.executor, &memory), OH_NN_SUCCESS);
    cr_assert_eq(memory.state_bytes, 64); /* two times 12, rounded up */
    IS(nnrt_compilation_get_arena(g.compilation, &bytes), OH_NN_SUCCESS);
    cr_assert_eq(bytes, memory.arena_bytes);
    arena = malloc(bytes + 64);
    IS(nnrt_executor_construct_in(g.compilation, arena, bytes + 64, &one), OH_NN_SUCCESS);
    IS(nnrt_executor_construct_in(g.compilation, arena, bytes + 64, &two), OH_NN_SUCCESS);
    cr_assert_eq(run_of(one, 1), 1);
    cr_assert_eq(run_of(two, 10), 10);
    memset(arena, 0xff, bytes + 64);
    cr_assert_eq(run_of(one, 1), 2);
    cr_assert_eq(run_of(two, 10), 20);
    OH_NNExecutor_Destroy(&one);
    OH_NNExecutor_Destroy(&two);
    free(arena);
    gb_close(&g);
}

Test(state, counts_for_the_memory_that_a_model_may_have) {
    static const int32_t million = 1000000;
    gb_graph g;
    uint32_t in[2], sum;
    OH_NNCompilation *compilation;
    gb_open(&g);
    in[0] = gb_tensor(&g, OH_NN_FLOAT32, 1, &million);
    in[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &million));
    sum = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &million));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    add_state(&g, in[0], sum);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    compilation = OH_NNCompilation_Construct(g.model);
    IS(OH_NNCompilation_SetDevice(compilation, gb_device()), OH_NN_SUCCESS);
    IS(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.max_memory", "7M", 2), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_FAILED);
    cr_assert_not_null(strstr(nnrt_last_error(), "activations and state"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    gb_close(&g);
}

/* --------------------------------------------------------------------------------------------------- refusals */

Test(state, that_cannot_be_is_refused_and_the_model_stays_as_it_was) {
    static const int32_t four = 4, dynamic = -1;
    gb_graph g;
    uint32_t x, y, longer, whole, open, param;
    int32_t i;
    gb_open(&g);
    x = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    y = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    longer = gb_tensor(&g, OH_NN_FLOAT32, 1, &four);
    whole = gb_tensor(&g, OH_NN_INT32, 1, &three);
    open = gb_tensor(&g, OH_NN_FLOAT32, 1, &dynamic);
    param = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    IS(OH_NNModel_SetTensorType(g.model, param, OH_NN_ADD_ACTIVATIONTYPE), OH_NN_SUCCESS);
    IS(nnrt_model_add_state(NULL, x, y), OH_NN_INVALID_PARAMETER);
    IS(nnrt_model_add_state(g.model, x, 6), OH_NN_INVALID_PARAMETER);
    IS(nnrt_model_add_state(g.model, UINT32_MAX, x), OH_NN_INVALID_PARAMETER);
    IS(nnrt_model_add_state(g.model, x, longer), OH_NN_INVALID_PARAMETER);
    IS(nnrt_model_add_state(g.model, x, whole), OH_NN_INVALID_PARAMETER);
    IS(nnrt_model_add_state(g.model, open, open), OH_NN_INVALID_PARAMETER);
    IS(nnrt_model_add_state(g.model, x, param), OH_NN_INVALID_PARAMETER);
    cr_assert_eq(g.model->store->graph.state_count, 0);
    IS(nnrt_model_add_state(g.model, x, y), OH_NN_SUCCESS);
    IS(nnrt_model_add_state(g.model, x, y), OH_NN_INVALID_PARAMETER);
    for (i = 1; i < 200; i++)
        IS(nnrt_model_add_state(g.model, gb_tensor(&g, OH_NN_FLOAT32, 1, &three), y), OH_NN_SUCCESS);
    IS(nnrt_model_add_state(g.model, gb_tensor(&g, OH_NN_FLOAT32, 1, &three), y), OH_NN_INVALID_PARAMETER);
    cr_assert_eq(g.model->store->graph.state_count, 200);
    gb_close(&g);
}

Test(state, is_no_input_and_comes_before_the_end) {
    gb_graph g;
    sum_graph(&g, NULL);
    g.inputs[0] = 0; /* the state */
    IS(gb_finish(&g), OH_NN_FAILED);
    IS(nnrt_model_add_state(g.model, 1, 2), OH_NN_OPERATION_FORBIDDEN);
    gb_close(&g);
}

Test(state, without_an_executor_is_refused_and_without_state_a_reset_is_nothing) {
    gb_graph g;
    uint32_t in[2], sum;
    IS(nnrt_executor_reset(NULL), OH_NN_INVALID_PARAMETER);
    gb_open(&g);
    in[0] = in[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    sum = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    IS(gb_build(&g), OH_NN_SUCCESS);
    IS(nnrt_executor_reset(g.executor), OH_NN_SUCCESS);
    cr_assert_eq(run_of(g.executor, 2), 4);
    gb_close(&g);
}

Test(state, is_refused_for_a_device_that_keeps_none) {
    gb_graph g;
    OH_NNCompilation *compilation;
    const size_t id = mock_id();
    sum_graph(&g, NULL);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    compilation = OH_NNCompilation_Construct(g.model);
    IS(OH_NNCompilation_SetDevice(compilation, id), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_FAILED);
    cr_assert_not_null(strstr(nnrt_last_error(), "no state"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    gb_close(&g);
}
