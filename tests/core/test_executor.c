/* SPDX-License-Identifier: Apache-2.0 */
/* test_executor.c - OH_NNExecutor: descriptions, checks of a run in the documented order, shapes after a run, codes of
   the device, and the calls of API 9. */
#include "counting_alloc.h"
#include "counting_calls.h"
#define NNRT_NO_CPU /* not needed here; a quarter of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "mock_device.h"

static const int32_t four[1] = {4}, dynamic[2] = {-1, 2}, three_by_two[2] = {3, 2}, nine_by_two[2] = {9, 2},
                     four_by_two[2] = {4, 2}, eight_by_two[2] = {8, 2};

#define RUN(e, in, out) OH_NNExecutor_RunSync(e, &(in), 1, &(out), 1)

Test(executor, a_run_computes_and_allocates_nothing) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    NN_Tensor *in = mock_tensor(four, 1), *out = mock_tensor(four, 1);
    int i;
    for (i = 0; i < 4; i++) mock_floats(in)[i] = (float)i;
    counting_fail_at(0);
    OK(RUN(e, in, out));
    cr_assert_not(counting_failed());
    counting_fail_never();
    for (i = 0; i < 4; i++) cr_assert_eq(mock_floats(out)[i], (float)i + 1);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OH_NNExecutor_Destroy(&e);
    cr_assert_null(e);
    cr_assert_eq(counting_live(), 0);
}

Test(executor, descriptions_are_those_of_the_device) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    NN_TensorDesc *desc;
    const char *name = NULL;
    const nnrt_profile_step *steps = NULL;
    nnrt_memory memory;
    const nnrt_schedule *schedule = NULL;
    size_t count = 0, *low = NULL, *high = NULL;
    int32_t *shape = NULL, zero_point = 0;
    uint32_t length = 0, step_count = 0;
    double scale = 0;
    OK(OH_NNExecutor_GetInputCount(e, &count));
    cr_assert_eq(count, 1);
    OK(OH_NNExecutor_GetOutputCount(e, &count));
    cr_assert_eq(count, 1);
    desc = OH_NNExecutor_CreateInputTensorDesc(e, 0);
    OK(OH_NNTensorDesc_GetName(desc, &name));
    cr_assert_str_eq(name, "in");
    OK(OH_NNTensorDesc_Destroy(&desc));
    OK(OH_NNExecutor_GetOutputShape(e, 0, &shape, &length));
    cr_assert(length == 1 && shape[0] == 4);
    OK(OH_NNExecutor_GetInputDimRange(e, 0, &low, &high, &count));
    cr_assert(count == 1 && low[0] == 4 && high[0] == 4);
    OK(nnrt_executor_get_input_quant(e, 0, &scale, &zero_point));
    cr_assert(scale == 0.25 && zero_point == -3);
    OK(nnrt_executor_get_output_quant(e, 0, &scale, &zero_point));
    cr_assert(scale == 0.5 && zero_point == 3);
    OK(nnrt_executor_get_profile(e, &steps, &step_count));
    cr_assert(step_count == 1 && strcmp(steps[0].name, "step") == 0);
    OK(nnrt_executor_get_memory(e, &memory));
    cr_assert_eq(memory.device_bytes, 4096);
    /* refusals */
    REFUSED(OH_NNExecutor_GetInputCount(NULL, &count), IP);
    REFUSED(OH_NNExecutor_GetInputCount(e, NULL), IP);
    REFUSED(OH_NNExecutor_GetOutputCount(NULL, &count), IP);
    REFUSED(OH_NNExecutor_GetOutputCount(e, NULL), IP);
    REFUSED_NULL(OH_NNExecutor_CreateInputTensorDesc(NULL, 0));
    REFUSED_NULL(OH_NNExecutor_CreateInputTensorDesc(e, 1));
    REFUSED_NULL(OH_NNExecutor_CreateOutputTensorDesc(NULL, 0));
    REFUSED_NULL(OH_NNExecutor_CreateOutputTensorDesc(e, 1));
    REFUSED(OH_NNExecutor_GetOutputShape(e, 0, &shape, &length), IP); /* *shape is not NULL */
    shape = NULL;
    REFUSED(OH_NNExecutor_GetOutputShape(NULL, 0, &shape, &length), IP);
    REFUSED(OH_NNExecutor_GetOutputShape(e, 0, NULL, &length), IP);
    REFUSED(OH_NNExecutor_GetOutputShape(e, 0, &shape, NULL), IP);
    REFUSED(OH_NNExecutor_GetOutputShape(e, 1, &shape, &length), IP);
    REFUSED(OH_NNExecutor_GetInputDimRange(NULL, 0, &low, &high, &count), IP);
    REFUSED(OH_NNExecutor_GetInputDimRange(e, 0, NULL, &high, &count), IP);
    REFUSED(OH_NNExecutor_GetInputDimRange(e, 0, &low, NULL, &count), IP);
    REFUSED(OH_NNExecutor_GetInputDimRange(e, 0, &low, &high, NULL), IP);
    REFUSED(OH_NNExecutor_GetInputDimRange(e, 1, &low, &high, &count), IP);
    REFUSED(nnrt_executor_get_input_quant(NULL, 0, &scale, &zero_point), IP);
    REFUSED(nnrt_executor_get_input_quant(e, 1, &scale, &zero_point), IP);
    REFUSED(nnrt_executor_get_input_quant(e, 0, NULL, &zero_point), IP);
    REFUSED(nnrt_executor_get_output_quant(e, 0, &scale, NULL), IP);
    REFUSED(nnrt_executor_get_output_quant(e, 1, &scale, &zero_point), IP);
    REFUSED(nnrt_executor_get_profile(NULL, &steps, &step_count), IP);
    REFUSED(nnrt_executor_get_profile(e, NULL, &step_count), IP);
    REFUSED(nnrt_executor_get_profile(e, &steps, NULL), IP);
    REFUSED(nnrt_executor_get_memory(e, NULL), IP);
    REFUSED(nnrt_executor_get_schedule(NULL, &schedule), IP);
    REFUSED(nnrt_executor_get_schedule(e, NULL), IP);
    REFUSED(nnrt_executor_get_schedule(e, &schedule), OH_NN_UNSUPPORTED);
    mock_backend.profile = NULL;
    mock_backend.memory = NULL;
    REFUSED(nnrt_executor_get_profile(e, &steps, &step_count), OH_NN_UNSUPPORTED);
    REFUSED(nnrt_executor_get_memory(e, &memory), OH_NN_UNSUPPORTED);
    REFUSED_NULL(OH_NNExecutor_Construct(NULL));
    OH_NNExecutor_Destroy(NULL);
    OH_NNExecutor_Destroy(&e);
    mock_backend.input_range = NULL;
    e = mock_executor_of(four, 1);
    REFUSED(OH_NNExecutor_GetInputDimRange(e, 7, &low, &high, &count), FORBIDDEN);
    OH_NNExecutor_Destroy(&e);
}

/* A device that makes a list anew whenever it is asked, and frees the one before. */
static nnrt_profile_step *fresh_steps;
static int fresh_lists;

static OH_NN_ReturnCode fresh_profile(void *executor, const nnrt_profile_step **steps, uint32_t *count) {
    nnrt_profile_step *made = (nnrt_profile_step *)calloc(1, sizeof(*made));
    (void)executor;
    cr_assert_not_null(made);
    made->name = "fresh";
    made->runs = (uint32_t)++fresh_lists;
    free(fresh_steps);
    fresh_steps = made;
    *steps = made;
    *count = 1;
    return OH_NN_SUCCESS;
}

Test(executor, a_profile_that_was_told_stays_until_the_next_run_whatever_the_device_does_with_it) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    NN_Tensor *in = mock_tensor(four, 1), *out = mock_tensor(four, 1);
    const nnrt_profile_step *steps = NULL, *again = NULL;
    uint32_t count = 0;
    int run, i;
    mock_backend.profile = fresh_profile;
    for (run = 0; run < 3; run++) {
        OK(nnrt_executor_get_profile(e, &steps, &count));
        for (i = 0; i < 3; i++) {
            again = NULL;
            count = 0;
            OK(nnrt_executor_get_profile(e, &again, &count));
            cr_assert(again == steps && count == 1 && steps->runs == (uint32_t)run + 1);
        }
        REFUSED(OH_NNExecutor_RunSync(e, &in, 1, NULL, 1), IP); /* that was no run */
        OK(nnrt_executor_get_profile(e, &again, &count));
        cr_assert_eq(again, steps);
        OK(OH_NNExecutor_RunSync(e, &in, 1, &out, 1));
    }
    cr_assert_eq(fresh_lists, 3);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OH_NNExecutor_Destroy(&e);
    free(fresh_steps);
}

Test(executor, wrong_runs_get_the_documented_codes_and_change_no_descriptor) {
    OH_NNExecutor *e = mock_executor_of(dynamic, 2);
    NN_Tensor *in = mock_tensor(three_by_two, 2), *out = mock_tensor(three_by_two, 2), *none = NULL;
    NN_Tensor *wide = mock_tensor(nine_by_two, 2), *flat = mock_tensor(four, 1), *two[2];
    const int32_t zero[2] = {0, 2}, minus[2] = {-1, 2}, larger[2] = {5, 2};
    two[0] = two[1] = in;
    REFUSED(OH_NNExecutor_RunSync(NULL, &in, 1, &out, 1), IP);
    REFUSED(OH_NNExecutor_RunSync(e, NULL, 1, &out, 1), IP);
    REFUSED(OH_NNExecutor_RunSync(e, &in, 0, &out, 1), IP);
    REFUSED(OH_NNExecutor_RunSync(e, &in, 201, &out, 1), IP);
    REFUSED(OH_NNExecutor_RunSync(e, &in, 1, NULL, 1), IP);
    REFUSED(OH_NNExecutor_RunSync(e, &in, 1, &out, 0), IP);
    REFUSED(OH_NNExecutor_RunSync(e, &in, 1, &out, 201), IP);
    REFUSED(OH_NNExecutor_RunSync(e, two, 2, &out, 1), IP);
    REFUSED(OH_NNExecutor_RunSync(e, &in, 1, two, 2), IP);
    REFUSED(RUN(e, none, out), IP);
    REFUSED(RUN(e, in, none), IP);
    REFUSED(RUN(e, wide, out), IP); /* past the range */
    cr_assert_not_null(strstr(nnrt_last_error(), "input 0 is [9,2]"), "%s", nnrt_last_error());
    REFUSED(RUN(e, flat, out), IP); /* another rank */
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), zero, 2));
    REFUSED(RUN(e, in, out), IP);
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), minus, 2));
    REFUSED(RUN(e, in, out), IP);
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), larger, 2)); /* more than its buffer holds */
    REFUSED(RUN(e, in, out), OH_NN_FAILED);
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), three_by_two, 2));
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(out), larger, 2));
    REFUSED(RUN(e, in, out), OH_NN_FAILED);
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(out), minus, 2)); /* outputs may be dynamic */
    OK(OH_NNTensorDesc_SetDataType(OH_NNTensor_GetTensorDesc(in), OH_NN_UNKNOWN));
    REFUSED(RUN(e, in, out), OH_NN_FAILED);
    OK(OH_NNTensorDesc_SetDataType(OH_NNTensor_GetTensorDesc(in), OH_NN_INT32));
    REFUSED(RUN(e, in, out), OH_NN_UNAVAILABLE_DEVICE); /* the device computes in float32 only */
    OK(OH_NNTensorDesc_SetDataType(OH_NNTensor_GetTensorDesc(in), OH_NN_FLOAT32));
    mock.output_rank = 11;
    REFUSED(RUN(e, in, out), IP);
    cr_assert_eq(OH_NNTensor_GetTensorDesc(out)->dims[0], -1);
    mock.output_rank = 0;
    OK(RUN(e, in, out));
    cr_assert_eq(OH_NNTensor_GetTensorDesc(out)->dims[0], 3);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OK(OH_NNTensor_Destroy(&wide));
    OK(OH_NNTensor_Destroy(&flat));
    OH_NNExecutor_Destroy(&e);
    cr_assert_eq(counting_live(), 0);
}

/* 1: of the first input, 2: of the first output. */
Test(executor, the_device_is_told_which_tensors_are_all_that_it_declared) {
    static const int32_t six[1] = {6};
    OH_NNExecutor *fixed = mock_executor_of(four, 1), *any = mock_executor_of(dynamic, 2);
    NN_Tensor *in = mock_tensor(four, 1), *out = mock_tensor(four, 1), *more = mock_tensor(six, 1);
    NN_Tensor *pair = mock_tensor(three_by_two, 2), *other = mock_tensor(three_by_two, 2);
    float data[4] = {0, 1, 2, 3}, result[4];
    OH_NN_Tensor port = {OH_NN_FLOAT32, 1, four, NULL, OH_NN_TENSOR};
    OK(RUN(fixed, in, out));
    cr_assert_eq(mock.last_declared, 3);
    OK(RUN(fixed, in, more)); /* takes the declared shape */
    cr_assert_eq(mock.last_declared, 0);
    OK(RUN(fixed, in, more));
    cr_assert_eq(mock.last_declared, 3);
    OK(RUN(any, pair, other));
    cr_assert_eq(mock.last_declared, 0);
    OK(OH_NNExecutor_SetInput(fixed, 0, &port, data, sizeof(data)));
    OK(OH_NNExecutor_SetOutput(fixed, 0, result, sizeof(result)));
    OK(OH_NNExecutor_Run(fixed));
    cr_assert_eq(mock.last_declared, 0);
    cr_assert_eq(result[3], 4.0f);
    OH_NNExecutor_Destroy(&fixed);
    OH_NNExecutor_Destroy(&any);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OK(OH_NNTensor_Destroy(&more));
    OK(OH_NNTensor_Destroy(&pair));
    OK(OH_NNTensor_Destroy(&other));
}

/* A device may leave out whatever it made of the tensors of the run before: so nothing must have come between. */
Test(executor, the_device_is_told_which_runs_repeat_the_last_one) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    NN_Tensor *in = mock_tensor(four, 1), *out = mock_tensor(four, 1), *other = mock_tensor(four, 1);
    float data[4] = {0, 1, 2, 3}, result[4];
    OH_NN_Tensor port = {OH_NN_FLOAT32, 1, four, NULL, OH_NN_TENSOR};
    int way;
    OK(OH_NNExecutor_SetInput(e, 0, &port, data, sizeof(data)));
    OK(OH_NNExecutor_SetOutput(e, 0, result, sizeof(result)));
    for (way = 0; way < 5; way++) {
        OK(RUN(e, in, out));
        cr_assert_not(mock.last_repeated, "way %d", way);
        OK(RUN(e, in, out));
        cr_assert_eq(mock.last_repeated, NNRT__REMEMBERS, "way %d", way);
        OK(RUN(e, in, out));
        cr_assert_eq(mock.last_repeated, NNRT__REMEMBERS, "way %d", way);
        if (way == 0) OK(RUN(e, in, other));
        if (way == 1) OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), four, 1));
        if (way == 2) {
            mock.run_code = OH_NN_UNAVAILABLE_DEVICE;
            REFUSED(RUN(e, in, out), OH_NN_UNAVAILABLE_DEVICE);
            mock.run_code = OH_NN_SUCCESS;
        }
        if (way == 3) OK(OH_NNExecutor_Run(e));
    }
    OH_NNExecutor_Destroy(&e);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OK(OH_NNTensor_Destroy(&other));
}

/* Whatever a program does to its tensors between two runs, the next run sees it. */
Test(executor, a_tensor_that_has_changed_since_the_last_run_is_looked_at_again) {
    static const int32_t two[1] = {2}, six[1] = {6};
    OH_NNExecutor *e = mock_executor_of(four, 1), *another = mock_executor_of(dynamic, 2);
    NN_Tensor *in = mock_tensor(four, 1), *out = mock_tensor(four, 1), *none = NULL, *pair;
    int32_t *shape = NULL;
    size_t length = 0;
    int round;
    for (round = 0; round < 2; round++) { /* the second time, shape has been shown */
        OK(RUN(e, in, out));
        OK(RUN(e, in, out));
        cr_assert_eq(mock.last_declared, 3);
        OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), two, 1));
        REFUSED(RUN(e, in, out), IP);
        OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), four, 1));
        OK(RUN(e, in, out));
        OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(out), six, 1)); /* more than its buffer holds */
        REFUSED(RUN(e, in, out), OH_NN_FAILED);
        OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(out), four, 1));
        OK(RUN(e, in, out));
        OK(OH_NNTensorDesc_SetDataType(OH_NNTensor_GetTensorDesc(in), OH_NN_INT32));
        REFUSED(RUN(e, in, out), OH_NN_UNAVAILABLE_DEVICE);
        OK(OH_NNTensorDesc_SetDataType(OH_NNTensor_GetTensorDesc(in), OH_NN_FLOAT32));
        OK(RUN(e, in, out));
        REFUSED(RUN(e, none, out), IP);
        OK(RUN(e, in, out));
        OK(OH_NNExecutor_RunSync(e, &in, 1, &out, 1));
        REFUSED(OH_NNExecutor_RunSync(e, &in, 2, &out, 1), IP);
        OK(RUN(e, in, out));
        shape = NULL;
        OK(OH_NNTensorDesc_GetShape(OH_NNTensor_GetTensorDesc(in), &shape, &length));
        OK(RUN(e, in, out));
        shape[0] = 2; /* without a call */
        REFUSED(RUN(e, in, out), IP);
        shape[0] = 4;
        OK(RUN(e, in, out));
    }
    OK(OH_NNTensor_Destroy(&in));
    in = mock_tensor(four, 1);
    OK(RUN(e, in, out));
    OK(OH_NNTensor_Destroy(&in));
    in = mock_tensor(two, 1); /* where the one before was, as allocators have it */
    REFUSED(RUN(e, in, out), IP);
    OK(OH_NNTensor_Destroy(&in));
    in = mock_tensor(four, 1);
    OK(RUN(e, in, out));
    OH_NNExecutor_Destroy(&e);
    e = mock_executor_of(two, 1); /* where the executor before was */
    REFUSED(RUN(e, in, out), IP);
    /* a run elsewhere gives a tensor another shape */
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(in), two, 1));
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(out), two, 1));
    OK(RUN(e, in, out));
    OK(RUN(e, out, in));
    pair = mock_tensor((const int32_t[2]){1, 2}, 2);
    OK(RUN(another, pair, out));
    REFUSED(RUN(e, out, in), IP);
    OH_NNExecutor_Destroy(&e);
    OH_NNExecutor_Destroy(&another);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OK(OH_NNTensor_Destroy(&pair));
    cr_assert_eq(counting_live(), 0);
}

Test(executor, shapes_of_a_run_are_its_own) {
    OH_NNCompilation *c = mock_compilation(dynamic, 2);
    OH_NNExecutor *a, *b;
    NN_Tensor *in = mock_tensor(three_by_two, 2), *out = mock_tensor(three_by_two, 2);
    int32_t *shape = NULL;
    uint32_t length = 0;
    OK(OH_NNCompilation_Build(c));
    a = OH_NNExecutor_Construct(c);
    b = OH_NNExecutor_Construct(c);
    OH_NNCompilation_Destroy(&c);
    OK(RUN(a, in, out));
    OK(OH_NNExecutor_GetOutputShape(a, 0, &shape, &length));
    cr_assert(length == 2 && shape[0] == 3);
    shape = NULL;
    OK(OH_NNExecutor_GetOutputShape(b, 0, &shape, &length));
    cr_assert(length == 2 && shape[0] == -1);
    OH_NNExecutor_Destroy(&a);
    cr_assert_eq(mock.live_prepared, 1);
    OH_NNExecutor_Destroy(&b);
    cr_assert_eq(mock.live_prepared, 0);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
}

/* A device may answer another shape than it declared, and the next time the declared one again. */
Test(executor, the_last_run_decides_the_shape_that_outputs_and_their_tensors_have) {
    static const int32_t six[1] = {6};
    OH_NNCompilation *c = mock_compilation(three_by_two, 2);
    OH_NNExecutor *e;
    NN_Tensor *in = mock_tensor(three_by_two, 2), *outs[2];
    const uint32_t ranks[5] = {2, 1, 2, 1, 2};
    size_t i;
    outs[0] = mock_tensor(six, 1);
    outs[1] = mock_tensor(three_by_two, 2);
    OK(OH_NNCompilation_Build(c));
    e = OH_NNExecutor_Construct(c);
    OH_NNCompilation_Destroy(&c);
    for (i = 0; i < 5; i++) {
        NN_Tensor *out = outs[i % 2];
        int32_t *shape = NULL;
        size_t rank = 0;
        uint32_t length = 0;
        mock.output_rank = ranks[i];
        OK(RUN(e, in, out));
        OK(OH_NNExecutor_GetOutputShape(e, 0, &shape, &length));
        cr_assert(length == ranks[i] && shape[0] == 3, "run %zu: %u dimensions", i, (unsigned)length);
        shape = NULL;
        OK(OH_NNTensorDesc_GetShape(OH_NNTensor_GetTensorDesc(out), &shape, &rank));
        cr_assert(rank == ranks[i] && shape[0] == 3, "run %zu: %zu dimensions", i, rank);
    }
    OH_NNExecutor_Destroy(&e);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&outs[0]));
    OK(OH_NNTensor_Destroy(&outs[1]));
}

Test(executor, codes_of_the_device_become_those_of_the_run) {
    static const OH_NN_ReturnCode rows[][2] = {{OH_NN_FAILED, OH_NN_UNAVAILABLE_DEVICE},
                                               {OH_NN_UNSUPPORTED, OH_NN_UNAVAILABLE_DEVICE},
                                               {OH_NN_INVALID_PARAMETER, OH_NN_INVALID_PARAMETER},
                                               {OH_NN_MEMORY_ERROR, OH_NN_MEMORY_ERROR},
                                               {OH_NN_TIMEOUT, OH_NN_TIMEOUT},
                                               {OH_NN_CONNECTION_EXCEPTION, OH_NN_CONNECTION_EXCEPTION}};
    OH_NNExecutor *e = mock_executor_of(four, 1);
    NN_Tensor *in = mock_tensor(four, 1), *out = mock_tensor(four, 1);
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        mock.run_code = rows[i][0];
        REFUSED(RUN(e, in, out), rows[i][1]);
        cr_assert_not_null(strstr(nnrt_last_error(), "told to fail"));
    }
    mock.run_code = OH_NN_SUCCESS;
    REFUSED(RUN(e, in, out), OH_NN_UNAVAILABLE_DEVICE); /* it died in the last row */
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OH_NNExecutor_Destroy(&e);
}

Test(executor, memory_of_the_device_reaches_the_run) {
    OH_NNExecutor *e;
    NN_Tensor *in, *out;
    mock_own_memory();
    e = mock_executor_of(four, 1);
    in = mock_tensor(four, 1);
    out = mock_tensor(four, 1);
    memset(mock_floats(in), 0, 16);
    OK(RUN(e, in, out));
    cr_assert_eq(mock.last_input_memory, (void *)mock_floats(in));
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OH_NNExecutor_Destroy(&e);
    cr_assert_eq(mock.live_memory, 0);
}

#ifndef NNRT_NO_STDIO /* no descriptors */

/* What a device that knows descriptors needs to find the bytes in one. */
Test(executor, the_run_gets_the_offset_of_a_tensor_in_its_descriptor) {
    static const int32_t many[1] = {2000};
    const size_t offsets[] = {0, 64, 4096};
    OH_NNExecutor *e = mock_executor_of(four, 1);
    NN_Tensor *whole = mock_tensor(many, 1), *out = mock_tensor(four, 1);
    NN_TensorDesc *desc = mock_desc(four, 1);
    size_t i;
    int fd = -1;
    OK(OH_NNTensor_GetFd(whole, &fd));
    for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        NN_Tensor *in = OH_NNTensor_CreateWithFd(mock_id(), desc, fd, 8000, offsets[i]);
        cr_assert_not_null(in, "%s", nnrt_last_error());
        OK(RUN(e, in, out));
        cr_assert_eq(mock.last_input_offset, offsets[i]);
        OK(OH_NNTensor_Destroy(&in));
    }
    OK(OH_NNTensorDesc_Destroy(&desc));
    OK(OH_NNTensor_Destroy(&whole));
    OK(OH_NNTensor_Destroy(&out));
    OH_NNExecutor_Destroy(&e);
}

#endif

Test(executor, a_device_without_executor_gives_none) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OK(OH_NNCompilation_Build(c));
    mock.executor_code = OH_NN_FAILED;
    REFUSED_NULL(OH_NNExecutor_Construct(c));
    OH_NNCompilation_Destroy(&c);
    cr_assert_eq(counting_live(), 0);
}

/* -------------------------------------------------------------------------------------------------- API 9 */

static OH_NN_Tensor old_tensor(const int32_t *dims, uint32_t rank) {
    OH_NN_Tensor tensor;
    memset(&tensor, 0, sizeof(tensor));
    tensor.dataType = OH_NN_FLOAT32;
    tensor.dimensionCount = rank;
    tensor.dimensions = dims;
    return tensor;
}

Test(executor, old_calls_copy_in_and_out) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    OH_NN_Tensor tensor = old_tensor(four, 1);
    float in[4] = {1, 2, 3, 4}, out[4] = {0, 0, 0, 0};
    REFUSED(OH_NNExecutor_Run(NULL), IP);
    REFUSED(OH_NNExecutor_Run(e), IP);
    OK(OH_NNExecutor_SetInput(e, 0, &tensor, in, sizeof(in)));
    in[0] = 99; /* it was copied */
    REFUSED(OH_NNExecutor_Run(e), IP);
    OK(OH_NNExecutor_SetOutput(e, 0, out, sizeof(out)));
    OK(OH_NNExecutor_Run(e));
    cr_assert(out[0] == 2 && out[3] == 5);
    out[0] = 0;
    OK(OH_NNExecutor_Run(e)); /* bindings persist */
    cr_assert_eq(out[0], 2);
    OH_NNExecutor_Destroy(&e);
    cr_assert_eq(counting_live(), 0);
}

static int warnings;

static void count_warnings(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    if (level == NNRT_LOG_WARNING && strstr(message, "this memory was not allocated here") != NULL) warnings++;
}

Test(executor, what_an_old_run_lacks_is_named_and_wrong_memory_is_warned_of) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    OH_NN_Tensor tensor = old_tensor(four, 1);
    OH_NN_Memory *in = OH_NNExecutor_AllocateInputMemory(e, 0, 16), *same = in;
    float data[4] = {0};
    REFUSED(OH_NNExecutor_Run(e), IP);
    cr_assert_not_null(strstr(nnrt_last_error(), "input 0 is not set"), "%s", nnrt_last_error());
    OK(OH_NNExecutor_SetInput(e, 0, &tensor, data, sizeof(data)));
    REFUSED(OH_NNExecutor_Run(e), IP);
    cr_assert_not_null(strstr(nnrt_last_error(), "output 0 is not set"), "%s", nnrt_last_error());
    nnrt_set_log(count_warnings, NULL);
    OH_NNExecutor_DestroyOutputMemory(e, 0, &same); /* no memory of an output; the call answers nothing */
    nnrt_set_log(NULL, NULL);
    cr_assert(same == in && warnings == 1);
    OH_NNExecutor_DestroyInputMemory(e, 0, &in);
    OH_NNExecutor_Destroy(&e);
    cr_assert_eq(counting_live(), 0);
}

/* The second output lies in memory that is large enough still, but the program has less room for it. */
Test(executor, old_calls_copy_no_output_when_one_has_no_room) {
    const uint32_t in = 0, out[2] = {1, 2};
    const OH_NN_UInt32Array none = {NULL, 0}, inputs = {(uint32_t *)&in, 1}, outputs = {(uint32_t *)out, 2};
    OH_NNModel *model = OH_NNModel_Construct();
    NN_TensorDesc *desc = mock_desc(dynamic, 2);
    OH_NNCompilation *c;
    OH_NNExecutor *e;
    OH_NN_Tensor tensor = old_tensor(four_by_two, 2);
    float data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, first[8] = {0}, second[8] = {0};
    int i;
    for (i = 0; i < 3; i++) OK(OH_NNModel_AddTensorToModel(model, desc));
    for (i = 0; i < 2; i++) {
        const OH_NN_UInt32Array one = {(uint32_t *)&out[i], 1};
        OK(OH_NNModel_AddOperation(model, OH_NN_OPS_RELU, &none, &inputs, &one));
    }
    OK(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &outputs));
    OK(OH_NNModel_Finish(model));
    c = OH_NNCompilation_Construct(model);
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_Build(c));
    e = OH_NNExecutor_Construct(c);
    OK(OH_NNExecutor_SetInput(e, 0, &tensor, data, sizeof(data)));
    OK(OH_NNExecutor_SetOutput(e, 0, first, sizeof(first)));
    OK(OH_NNExecutor_SetOutput(e, 1, second, sizeof(second)));
    OK(OH_NNExecutor_SetOutput(e, 1, second, 16));
    REFUSED(OH_NNExecutor_Run(e), IP);
    cr_assert_not_null(strstr(nnrt_last_error(), "output 1 has 32 bytes, room is for 16"), "%s", nnrt_last_error());
    for (i = 0; i < 8; i++) cr_assert(first[i] == 0 && second[i] == 0);
    OK(OH_NNExecutor_SetOutput(e, 1, second, sizeof(second)));
    OK(OH_NNExecutor_Run(e));
    cr_assert(first[7] == 9 && second[7] == 9);
    OH_NNExecutor_Destroy(&e);
    OH_NNCompilation_Destroy(&c);
    OH_NNModel_Destroy(&model);
    OK(OH_NNTensorDesc_Destroy(&desc));
    cr_assert_eq(counting_live(), 0);
}

Test(executor, old_calls_copy_into_memory_that_is_kept_without_a_system_call) {
    OH_NNExecutor *e = mock_executor_of(dynamic, 2);
    OH_NN_Tensor small = old_tensor(four_by_two, 2), large = old_tensor(eight_by_two, 2);
    float in[16] = {1, 2, 3, 4}, out[16];
    const long before = calls_made();
    int i;
    OK(OH_NNExecutor_SetInput(e, 0, &small, in, 32));
    OK(OH_NNExecutor_SetOutput(e, 0, out, sizeof(out)));
    OK(OH_NNExecutor_Run(e));
    cr_assert_eq((uintptr_t)mock.last_input_data % 64, 0);
    counting_fail_at(0);
    for (i = 0; i < 3; i++) {
        in[0] = (float)i;
        OK(OH_NNExecutor_SetInput(e, 0, &small, in, 32));
        OK(OH_NNExecutor_SetOutput(e, 0, out, sizeof(out)));
        OK(OH_NNExecutor_Run(e));
        cr_assert(out[0] == (float)i + 1 && out[3] == 5);
    }
    cr_assert_not(counting_failed(), "memory that is large enough was made anew");
    REFUSED(OH_NNExecutor_SetInput(e, 0, &large, in, sizeof(in)), OH_NN_MEMORY_ERROR); /* it has to grow */
    counting_fail_never();
    OK(OH_NNExecutor_Run(e)); /* with what was bound before */
    cr_assert_eq(out[0], 3);
    OK(OH_NNExecutor_SetInput(e, 0, &large, in, sizeof(in)));
    OK(OH_NNExecutor_Run(e));
    cr_assert_eq(calls_made(), before, "%ld system calls", calls_made() - before);
    OH_NNExecutor_Destroy(&e);
    cr_assert_eq(counting_live(), 0);
}

Test(executor, old_memory_is_used_in_place) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    OH_NN_Tensor tensor = old_tensor(four, 1);
    OH_NN_Memory *in = OH_NNExecutor_AllocateInputMemory(e, 0, 16);
    OH_NN_Memory *out = OH_NNExecutor_AllocateOutputMemory(e, 0, 16), *same = out;
    float elsewhere[4];
    OH_NN_Memory foreign = {elsewhere, sizeof(elsewhere)};
    cr_assert(in != NULL && out != NULL && in->length == 16);
    ((float *)in->data)[2] = 7;
    OK(OH_NNExecutor_SetInputWithMemory(e, 0, &tensor, in));
    OK(OH_NNExecutor_SetOutputWithMemory(e, 0, out));
    OK(OH_NNExecutor_Run(e));
    cr_assert_eq(((float *)out->data)[2], 8);
    OK(OH_NNExecutor_SetOutputWithMemory(e, 0, &foreign));
    REFUSED(OH_NNExecutor_Run(e), IP);
    REFUSED_NULL(OH_NNExecutor_AllocateInputMemory(NULL, 0, 16));
    REFUSED_NULL(OH_NNExecutor_AllocateInputMemory(e, 1, 16));
    REFUSED_NULL(OH_NNExecutor_AllocateInputMemory(e, 0, 0));
    REFUSED_NULL(OH_NNExecutor_AllocateOutputMemory(NULL, 0, 16));
    REFUSED_NULL(OH_NNExecutor_AllocateOutputMemory(e, 1, 16));
    REFUSED_NULL(OH_NNExecutor_AllocateOutputMemory(e, 0, ((size_t)1 << 30) + 1));
    REFUSED(OH_NNExecutor_SetInputWithMemory(NULL, 0, &tensor, in), IP);
    REFUSED(OH_NNExecutor_SetInputWithMemory(e, 0, NULL, in), IP);
    REFUSED(OH_NNExecutor_SetInputWithMemory(e, 0, &tensor, NULL), IP);
    REFUSED(OH_NNExecutor_SetOutputWithMemory(NULL, 0, out), IP);
    REFUSED(OH_NNExecutor_SetOutputWithMemory(e, 0, NULL), IP);
    REFUSED(OH_NNExecutor_SetOutputWithMemory(e, 1, out), IP);
    OH_NNExecutor_DestroyInputMemory(e, 0, &same); /* an output is not in the book of inputs */
    cr_assert_eq(same, out);
    OH_NNExecutor_DestroyOutputMemory(e, 1, &same);
    cr_assert_eq(same, out);
    OH_NNExecutor_DestroyOutputMemory(NULL, 0, &same);
    OH_NNExecutor_DestroyOutputMemory(e, 0, NULL);
    OH_NNExecutor_DestroyOutputMemory(e, 0, &out);
    cr_assert_null(out);
    OH_NNExecutor_DestroyInputMemory(e, 0, &in);
    cr_assert_null(in);
    OH_NNExecutor_Destroy(&e);
    cr_assert_eq(counting_live(), 0);
}

Test(executor, old_calls_refuse_what_does_not_fit) {
    OH_NNExecutor *e = mock_executor_of(four, 1);
    OH_NN_Tensor tensor = old_tensor(four, 1), other;
    const int32_t five[1] = {5}, minus[1] = {-1};
    float data[8] = {0};
    REFUSED(OH_NNExecutor_SetInput(NULL, 0, &tensor, data, 16), IP);
    REFUSED(OH_NNExecutor_SetInput(e, 0, NULL, data, 16), IP);
    REFUSED(OH_NNExecutor_SetInput(e, 0, &tensor, NULL, 16), IP);
    REFUSED(OH_NNExecutor_SetInput(e, 0, &tensor, data, 0), IP);
    REFUSED(OH_NNExecutor_SetInput(e, 1, &tensor, data, 16), IP);
    REFUSED(OH_NNExecutor_SetInput(e, 0, &tensor, data, 15), IP);
    other = old_tensor(five, 1);
    REFUSED(OH_NNExecutor_SetInput(e, 0, &other, data, 32), IP);
    other = old_tensor(minus, 1);
    REFUSED(OH_NNExecutor_SetInput(e, 0, &other, data, 32), IP);
    other = old_tensor(NULL, 1);
    REFUSED(OH_NNExecutor_SetInput(e, 0, &other, data, 32), IP);
    other = old_tensor(four, 0);
    REFUSED(OH_NNExecutor_SetInput(e, 0, &other, data, 32), IP);
    other = tensor;
    other.dataType = OH_NN_INT32;
    REFUSED(OH_NNExecutor_SetInput(e, 0, &other, data, 16), IP);
    other = tensor;
    other.type = OH_NN_ADD_ACTIVATIONTYPE;
    REFUSED(OH_NNExecutor_SetInput(e, 0, &other, data, 16), IP);
    REFUSED(OH_NNExecutor_SetOutput(NULL, 0, data, 16), IP);
    REFUSED(OH_NNExecutor_SetOutput(e, 0, NULL, 16), IP);
    REFUSED(OH_NNExecutor_SetOutput(e, 0, data, 0), IP);
    REFUSED(OH_NNExecutor_SetOutput(e, 1, data, 16), IP);
    REFUSED(OH_NNExecutor_SetOutput(e, 0, data, 15), IP);
    OH_NNExecutor_Destroy(&e);
}
