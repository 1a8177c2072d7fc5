/* SPDX-License-Identifier: Apache-2.0 */
/* test_answers.c - what the CPU device answers before a run: the ranges of dynamic dimensions, and which operators it
   has, with the reason for each that it lacks. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "graph_builder.h"
#include "mock_device.h"

#define FLOAT32 OH_NN_FLOAT32

enum {
    GIB = 1 << 30
};

/* --------------------------------------------------------------------------------------------------- ranges */

typedef struct range_row {
    OH_NN_DataType dtype;
    size_t rank;
    int32_t dims[4], most[4];
} range_row;

static const range_row range_rows[] = {{FLOAT32, 1, {-1}, {GIB / 4}},
                                       {OH_NN_UINT8, 1, {-1}, {GIB}},
                                       {FLOAT32, 2, {-1, 1000}, {GIB / 4000, 1000}},
                                       {FLOAT32, 4, {-1, 1024, 1024, 3}, {GIB / 4 / 1024 / 1024 / 3, 1024, 1024, 3}},
                                       {OH_NN_INT8, 4, {-1, -1, -1, 3}, {GIB / 3, GIB / 3, GIB / 3, 3}},
                                       {OH_NN_FLOAT64, 4, {1, -1, -1, 16}, {1, GIB / 128, GIB / 128, 16}},
                                       {FLOAT32, 2, {-1, GIB / 4}, {1, GIB / 4}},
                                       {FLOAT32, 2, {-1, GIB / 2}, {1, GIB / 2}}};

/* An executor of ABS of one such tensor. */
static OH_NNExecutor *abs_of(gb_graph *g, const range_row *row) {
    uint32_t x, y;
    gb_open(g);
    x = gb_input(g, gb_tensor(g, row->dtype, row->rank, row->dims));
    y = gb_output(g, gb_tensor(g, row->dtype, row->rank, row->dims));
    cr_assert_eq((int)gb_op(g, OH_NN_OPS_ABS, 1, &x, 1, &y), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_build(g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    return g->executor;
}

Test(answers, a_dynamic_dimension_can_be_as_large_as_a_tensor_of_1_gib_allows) {
    size_t i, k;
    for (i = 0; i < sizeof(range_rows) / sizeof(range_rows[0]); i++) {
        const range_row *row = &range_rows[i];
        size_t *least = NULL, *most = NULL, rank = 0;
        gb_graph g;
        OH_NNExecutor *executor = abs_of(&g, row);
        cr_assert_eq((int)OH_NNExecutor_GetInputDimRange(executor, 0, &least, &most, &rank), (int)OH_NN_SUCCESS);
        cr_assert_eq(rank, row->rank);
        for (k = 0; k < rank; k++) {
            cr_assert_eq(least[k], row->dims[k] == -1 ? 1u : (size_t)row->dims[k], "row %zu", i);
            cr_assert_eq(most[k], (size_t)row->most[k], "row %zu: %zu", i, most[k]);
        }
        gb_close(&g);
    }
}

/* Each maximum with the others at their minimum; one more is refused by the tensor and by the run. */
Test(answers, the_largest_value_of_a_dimension_can_be_allocated_and_one_more_cannot) {
    size_t i, k;
    for (i = 0; i + 1 < sizeof(range_rows) / sizeof(range_rows[0]); i++) {
        const range_row *row = &range_rows[i];
        size_t *least = NULL, *most = NULL, rank = 0, n;
        int32_t dims[4];
        gb_graph g;
        OH_NNExecutor *executor = abs_of(&g, row);
        cr_assert_eq((int)OH_NNExecutor_GetInputDimRange(executor, 0, &least, &most, &rank), (int)OH_NN_SUCCESS);
        for (k = 0; k < rank; k++) {
            NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
            NN_Tensor *tensor;
            if (row->dims[k] != -1) {
                OH_NNTensorDesc_Destroy(&desc);
                continue;
            }
            for (n = 0; n < rank; n++) dims[n] = (int32_t)(n == k ? most[n] : least[n]);
            cr_assert_eq((int)OH_NNTensorDesc_SetShape(desc, dims, rank), (int)OH_NN_SUCCESS);
            tensor = OH_NNTensor_Create(gb_device(), desc);
            cr_assert_not_null(tensor, "row %zu: %s", i, nnrt_last_error());
            cr_assert_eq((int)OH_NNTensor_Destroy(&tensor), (int)OH_NN_SUCCESS);
            cr_assert_eq((int)nnrt__check_input_shape(executor, 0, (uint32_t)rank, dims), (int)OH_NN_SUCCESS);
            dims[k]++;
            cr_assert_eq((int)nnrt__check_input_shape(executor, 0, (uint32_t)rank, dims), (int)OH_NN_INVALID_PARAMETER);
            cr_assert_eq((int)OH_NNTensorDesc_SetShape(desc, dims, rank), (int)OH_NN_SUCCESS);
            cr_assert_null(OH_NNTensor_Create(gb_device(), desc), "row %zu", i);
            OH_NNTensorDesc_Destroy(&desc);
        }
        gb_close(&g);
    }
}

/* ---------------------------------------------------------------------------------------------- reasons */

/* ABS of float32, of float16 and of bool one behind another, and FLOOR: two that the CPU device lacks. */
static void four_operators(gb_graph *g) {
    static const OH_NN_DataType types[4] = {FLOAT32, OH_NN_FLOAT16, OH_NN_BOOL, FLOAT32};
    static const int32_t dims[2] = {2, 3};
    uint32_t x, y, i;
    gb_open(g);
    for (i = 0; i < 4; i++) {
        x = gb_input(g, gb_tensor(g, types[i], 2, dims));
        y = gb_output(g, gb_tensor(g, types[i], 2, dims));
        cr_assert_eq((int)gb_op(g, i == 3 ? OH_NN_OPS_FLOOR : OH_NN_OPS_ABS, 1, &x, 1, &y), (int)OH_NN_SUCCESS);
    }
}

Test(answers, each_operator_that_the_device_lacks_has_a_reason_of_its_own) {
    const bool *can = NULL;
    uint32_t count = 0, i;
    char text[256];
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNModel_GetAvailableOperations(g.model, gb_device(), &can, &count), (int)OH_NN_SUCCESS);
    cr_assert_eq(count, 4u);
    for (i = 0; i < count; i++) {
        (void)nnrt_backend_fail(OH_NN_FAILED, "old");
        cr_assert_eq((int)nnrt_model_get_reason(g.model, gb_device(), i, text, sizeof(text)), (int)OH_NN_SUCCESS);
        cr_assert_str_eq(nnrt_last_error(), "old");
        cr_assert_eq(can[i], i == 0 || i == 3, "operator %u", i);
        cr_assert_eq(text[0] == '\0', can[i], "operator %u: %s", i, text);
        if (i == 1) cr_assert_not_null(strstr(text, "inputs: float16 [2,3]"), "%s", text);
        if (i == 2) cr_assert_not_null(strstr(text, "inputs: bool [2,3]"), "%s", text);
    }
    gb_close(&g);
}

Test(answers, a_reason_is_what_the_device_says_and_fits_any_room) {
    char *text;
    size_t size, id = 0;
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    mock.refused = OH_NN_OPS_FLOOR;
    cr_assert_eq((int)nnrt_register_backend(&mock_backend, &id), (int)OH_NN_SUCCESS);
    for (size = 1; size < 40; size++) {
        static const char said[] = "mock: not this operator";
        text = (char *)malloc(size);
        cr_assert_eq((int)nnrt_model_get_reason(g.model, id, 3, text, size), (int)OH_NN_SUCCESS);
        cr_assert_eq(strlen(text), size - 1 < sizeof(said) - 1 ? size - 1 : sizeof(said) - 1);
        cr_assert_eq(strncmp(text, said, strlen(text)), 0, "%s", text);
        cr_assert_eq((int)nnrt_model_get_reason(g.model, id, 0, text, size), (int)OH_NN_SUCCESS);
        cr_assert_str_eq(text, "");
        free(text);
    }
    gb_close(&g);
}

static OH_NN_ReturnCode say_nothing(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return OH_NN_UNSUPPORTED;
}

Test(answers, a_device_that_gives_no_reason_is_said_to_give_none) {
    static nnrt_backend silent, open_to_all;
    size_t silent_id = 0, open_id = 0;
    char text[256];
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    silent = open_to_all = mock_backend;
    silent.name = "silent";
    silent.supports = say_nothing;
    open_to_all.name = "open";
    open_to_all.supports = NULL;
    cr_assert_eq((int)nnrt_register_backend(&silent, &silent_id), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)nnrt_register_backend(&open_to_all, &open_id), (int)OH_NN_SUCCESS);
    (void)nnrt_backend_fail(OH_NN_FAILED, "of something else");
    cr_assert_eq((int)nnrt_model_get_reason(g.model, silent_id, 0, text, sizeof(text)), (int)OH_NN_SUCCESS);
    cr_assert_str_eq(text, "device silent_tests_1 gave no reason");
    cr_assert_eq((int)nnrt_model_get_reason(g.model, open_id, 0, text, sizeof(text)), (int)OH_NN_SUCCESS);
    cr_assert_str_eq(text, "");
    gb_close(&g);
}

Test(answers, a_reason_cannot_be_asked_for_nothing) {
    char text[8] = "before";
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 0, text, 8), (int)OH_NN_OPERATION_FORBIDDEN);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)nnrt_model_get_reason(NULL, 0, 0, text, 8), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 0, NULL, 8), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 0, text, 0), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 4, text, 8), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_not_null(strstr(nnrt_last_error(), "there is no operation 4, the model has 4"));
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 12345, 0, text, 8), (int)OH_NN_FAILED);
    cr_assert_str_eq(text, "before");
    gb_close(&g);
}
