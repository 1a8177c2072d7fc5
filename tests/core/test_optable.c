/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the operator table: that it says what OpenHarmony's documentation says, row by row, that a node
   is refused for every single thing that its row forbids, and that parameters are read back as they were
   given. */
#include "linked.h"

#include "optable_reference.h"
#include <criterion/criterion.h>

#define IP OH_NN_INVALID_PARAMETER
#define OPS 108
#define TYPES 163

/* ------------------------------------------------------------------------------------------- making nodes */

/* A store with 211 inputs and 211 outputs that suit op as far as its structure asks. */
enum {
    TENSORS = 211
};
static uint32_t inputs[TENSORS], outputs[TENSORS];

static nnrt__graph_store *store_for(int op) {
    static const int32_t dims[4] = {2, 3, 4, 5};
    static const int32_t cast_to = OH_NN_FLOAT32;
    nnrt__graph_store *store = nnrt__graph_store_new();
    nnrt_tensor_info info;
    uint32_t i;
    cr_assert_not_null(store);
    for (i = 0; i < 2 * TENSORS; i++) {
        memset(&info, 0, sizeof(info));
        info.dtype = OH_NN_FLOAT32;
        info.rank = 4;
        info.dims = dims;
        if (op == OH_NN_OPS_LAYER_NORM && (i == 1 || i == 2)) {
            info.rank = 3;
            info.dims = dims + 1;
        }
        if (op == OH_NN_OPS_CAST && i == 1) {
            info.dtype = OH_NN_INT32;
            info.rank = 0;
            info.data = &cast_to;
            info.data_size = sizeof(cast_to);
        }
        cr_assert_eq((int)nnrt__graph_add_tensor(store, &info, true, i < TENSORS ? &inputs[i] : &outputs[i - TENSORS]),
                     (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    }
    return store;
}

static OH_NN_ReturnCode add(nnrt__graph_store *store, int op, uint32_t in, uint32_t out, const nnrt_param *params,
                            uint32_t count) {
    return nnrt__graph_add_node(store, (OH_NN_OperationType)op, inputs, in, outputs, out, params, count);
}

static OH_NN_DataType dtype_named(const char *name) {
    return strcmp(name, "INT8") == 0    ? OH_NN_INT8
           : strcmp(name, "INT32") == 0 ? OH_NN_INT32
           : strcmp(name, "INT64") == 0 ? OH_NN_INT64
           : strcmp(name, "BOOL") == 0  ? OH_NN_BOOL
           : strcmp(name, "PAD") == 0   ? OH_NN_INT8
                                        : OH_NN_FLOAT32;
}

static bool count_allowed(const char *rule, uint32_t count) {
    return strcmp(rule, "any") == 0   ? true
           : strcmp(rule, "2r1") == 0 ? count == 2
           : strcmp(rule, "4r2") == 0 ? count == 4
           : strcmp(rule, ">=4") == 0 ? count >= 4
           : strcmp(rule, "1|4") == 0 ? count == 1 || count == 4
                                      : count == 1;
}

/* The contents are ones: within every range but that of LRN's region, and BEGIN_NORM_AXIS 1 is right for
   LayerNorm. */
static uint8_t ones[64];
static const uint8_t zeros[64];

static nnrt_param good_param(const reference_param *reference) {
    nnrt_param param;
    uint32_t i, size;
    param.type = (OH_NN_TensorType)reference->type;
    param.dtype = dtype_named(reference->dtype);
    for (param.count = 1; !count_allowed(reference->count, param.count); param.count++) {}
    size = (uint32_t)nnrt__element_size(param.dtype);
    memset(ones, 0, sizeof(ones));
    for (i = 0; i < sizeof(ones); i += size) ones[i] = 1;
    param.data = param.type == OH_NN_LRN_NORM_REGION ? zeros : ones;
    return param;
}

/* Whether op takes parameters of the type: its own, and a pooling operator those of the other one. */
static bool op_takes(int op, const reference_param *reference) {
    const bool pool = op == OH_NN_OPS_AVG_POOL || op == OH_NN_OPS_MAX_POOL;
    return reference->op == op ||
           (pool && (reference->op == OH_NN_OPS_AVG_POOL || reference->op == OH_NN_OPS_MAX_POOL));
}

/* Checks one parameter alone, as AddOperation does. */
static OH_NN_ReturnCode check(int op, nnrt_param param) { return nnrt__op_check_param(nnrt__op_find(op), &param); }

/* --------------------------------------------------------------------------------------- the table itself */

Test(optable, says_what_the_operator_index_says) {
    size_t i;
    cr_assert_eq((int)NNRT__OPS_OF_PROGRAMS, OPS);
    cr_assert_eq(NNRT__COUNT_OF(reference_ops), (size_t)OPS);
    for (i = 0; i < OPS; i++) {
        const reference_op *want = &reference_ops[i];
        const nnrt__op_row *row = nnrt__op_find(want->number);
        cr_assert_not_null(row);
        cr_assert_eq((int)row->op, want->number, "%s", want->name);
        cr_assert_str_eq(nnrt__op_name(want->number), want->name);
        cr_assert(row->inputs_min == want->inputs_min && row->inputs_max == want->inputs_max, "%s", want->name);
        cr_assert(row->outputs_min == want->outputs_min && row->outputs_max == want->outputs_max, "%s", want->name);
        cr_assert_eq(row->params_max, want->params_max, "%s", want->name);
        cr_assert_leq(row->params_max, NNRT__MAX_PARAMS, "%s", want->name);
    }
}

Test(optable, knows_no_other_operator) {
    static const int others[5] = {0, -1, (int)NNRT__COUNT_OF(nnrt__op_rows) + 1, INT32_MAX, INT32_MIN};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(others); i++) {
        nnrt_node node;
        memset(&node, 0, sizeof(node));
        cr_assert_null(nnrt__op_find(others[i]));
        cr_assert_str_eq(nnrt__op_name(others[i]), "unknown operator");
        cr_assert_eq((int)nnrt__op_check_node(NULL, &node, NULL), (int)IP);
    }
}

Test(optable, every_tensor_type_is_taken_by_exactly_the_operators_that_list_it) {
    int op, type;
    for (op = 1; op <= OPS; op++) {
        uint32_t taken = 0;
        for (type = 0; type < TYPES; type++) {
            const nnrt__param_row *row = nnrt__op_param(nnrt__op_find(op), (OH_NN_TensorType)type);
            const reference_param *want = NULL;
            size_t i;
            for (i = 0; i < NNRT__COUNT_OF(reference_params); i++) {
                if (reference_params[i].type == type && op_takes(op, &reference_params[i])) want = &reference_params[i];
            }
            cr_assert_eq(row != NULL, want != NULL, "operator %d, tensor type %d", op, type);
            if (row != NULL) cr_assert_str_eq(row->name + strlen("OH_NN_"), want->name);
            taken += row != NULL;
        }
        cr_assert_eq(taken, nnrt__op_find(op)->param_rows, "operator %d has a row twice, or one of no tensor type", op);
    }
}

/* --------------------------------------------------------------------------------------- what rows refuse */

Test(optable, every_operator_counts_its_inputs_and_outputs) {
    int op;
    for (op = 1; op <= OPS; op++) {
        const reference_op *want = &reference_ops[op - 1];
        nnrt__graph_store *store = store_for(op);
        cr_assert_eq((int)add(store, op, want->inputs_min, want->outputs_min, NULL, 0), (int)OH_NN_SUCCESS, "%s: %s",
                     want->name, nnrt_last_error());
        cr_assert_eq((int)add(store, op, want->inputs_max, want->outputs_max, NULL, 0), (int)OH_NN_SUCCESS, "%s: %s",
                     want->name, nnrt_last_error());
        cr_assert_eq((int)add(store, op, want->inputs_min - 1, want->outputs_min, NULL, 0), (int)IP, "%s", want->name);
        cr_assert_eq((int)add(store, op, want->inputs_max + 1, want->outputs_min, NULL, 0), (int)IP, "%s", want->name);
        cr_assert_eq((int)add(store, op, want->inputs_min, want->outputs_min - 1, NULL, 0), (int)IP, "%s", want->name);
        cr_assert_eq((int)add(store, op, want->inputs_min, want->outputs_max + 1, NULL, 0), (int)IP, "%s", want->name);
        cr_assert_eq(nnrt__graph_store_graph(store)->node_count, 2u, "%s: a refused node was added", want->name);
        nnrt__graph_store_release(store);
        cr_assert_eq(counting_live(), 0, "%s", want->name);
    }
}

Test(optable, every_operator_takes_all_its_parameters_and_not_one_more) {
    int op;
    for (op = 1; op <= OPS; op++) {
        const reference_op *want = &reference_ops[op - 1];
        nnrt__graph_store *store = store_for(op);
        uint8_t contents[NNRT__MAX_PARAMS + 1][64];
        nnrt_param params[NNRT__MAX_PARAMS + 1];
        uint32_t count = 0;
        size_t i;
        for (i = 0; i < NNRT__COUNT_OF(reference_params); i++) {
            if (reference_params[i].op != op) continue;
            params[count] = good_param(&reference_params[i]);
            memcpy(contents[count], params[count].data, sizeof(contents[count]));
            params[count].data = contents[count];
            count++;
        }
        cr_assert_eq(count, want->params_max, "%s", want->name);
        if (count == 0) { /* any parameter is one too many */
            params[0] = good_param(&reference_params[0]);
        } else {
            cr_assert_eq((int)add(store, op, want->inputs_min, want->outputs_min, params, count), (int)OH_NN_SUCCESS,
                         "%s: %s", want->name, nnrt_last_error());
            params[count] = params[0];
        }
        cr_assert_eq((int)add(store, op, want->inputs_min, want->outputs_min, params, count + 1), (int)IP, "%s",
                     want->name);
        nnrt__graph_store_release(store);
        cr_assert_eq(counting_live(), 0, "%s", want->name);
    }
}

Test(optable, every_parameter_has_one_type_and_its_number_of_elements) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(reference_params); i++) {
        const reference_param *want = &reference_params[i];
        const bool pad = strcmp(want->dtype, "PAD") == 0;
        nnrt_param param;
        uint32_t count;
        int dtype;
        for (count = 0; count <= 6; count++) {
            for (dtype = 0; dtype <= 13; dtype++) {
                bool fine = count != 0 && count_allowed(want->count, count);
                param = good_param(want);
                fine = fine && dtype == (int)(pad && count == 4 ? OH_NN_INT64 : param.dtype);
                param.count = count;
                param.dtype = (OH_NN_DataType)dtype;
                cr_assert_eq((int)check(want->op, param), (int)(fine ? OH_NN_SUCCESS : IP),
                             "%s of type %d, %u elements: %s", want->name, dtype, count, nnrt_last_error());
            }
        }
        param = good_param(want);
        param.data = NULL;
        cr_assert_eq((int)check(want->op, param), (int)IP, "%s without data", want->name);
    }
}

/* The largest value of the small enumerations; -1: any byte will do. */
static int largest(int type) {
    static const int activations[] = {OH_NN_ADD_ACTIVATIONTYPE,
                                      OH_NN_AVG_POOL_ACTIVATION_TYPE,
                                      OH_NN_CONV2D_ACTIVATION_TYPE,
                                      OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE,
                                      OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE,
                                      OH_NN_DIV_ACTIVATIONTYPE,
                                      OH_NN_FULL_CONNECTION_ACTIVATIONTYPE,
                                      OH_NN_MATMUL_ACTIVATION_TYPE,
                                      OH_NN_MAX_POOL_ACTIVATION_TYPE,
                                      OH_NN_MUL_ACTIVATION_TYPE,
                                      OH_NN_SCALE_ACTIVATIONTYPE,
                                      OH_NN_SUB_ACTIVATIONTYPE,
                                      OH_NN_L2_NORMALIZE_ACTIVATION_TYPE};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(activations); i++) {
        if (type == activations[i]) return 2;
    }
    switch (type) {
    case OH_NN_ELTWISE_MODE:
    case OH_NN_PAD_PADDING_MODE: return 3;
    case OH_NN_AVG_POOL_ROUND_MODE:
    case OH_NN_MAX_POOL_ROUND_MODE:
    case OH_NN_DEPTH_TO_SPACE_MODE: return 1;
    case OH_NN_LRN_NORM_REGION: return 0;
    default: return -1;
    }
}

Test(optable, small_enumerations_end_where_they_end) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(reference_params); i++) {
        const reference_param *want = &reference_params[i];
        const int last = strcmp(want->dtype, "PAD") == 0 ? 2 : largest(want->type);
        int value;
        for (value = -128; value < 128; value++) {
            nnrt_param param = good_param(want);
            const bool fine = last < 0 || (value >= 0 && value <= last);
            int8_t byte = (int8_t)value;
            int32_t word = value;
            if (param.dtype == OH_NN_INT8) param.data = &byte;
            else if (param.dtype == OH_NN_INT32) param.data = &word;
            else continue;
            cr_assert_eq((int)check(want->op, param), (int)(fine ? OH_NN_SUCCESS : IP), "%s = %d", want->name, value);
        }
    }
}

Test(optable, a_pad_list_is_not_read_as_a_mode) {
    static const int64_t pads[4] = {-5, 900, 3, INT64_MIN};
    nnrt_param param = {OH_NN_CONV2D_PAD_MODE, OH_NN_INT64, 4, pads};
    cr_assert_eq((int)check(OH_NN_OPS_CONV2D, param), (int)OH_NN_SUCCESS);
}

/* ---------------------------------------------------------------------------------------------- structure */

static uint32_t add_shape(nnrt__graph_store *store, uint32_t rank, int32_t first) {
    int32_t dims[5] = {1, 3, 4, 5, 6};
    nnrt_tensor_info info;
    uint32_t index = 0;
    dims[0] = first;
    memset(&info, 0, sizeof(info));
    info.dtype = OH_NN_FLOAT32;
    info.rank = rank;
    info.dims = dims;
    cr_assert_eq((int)nnrt__graph_add_tensor(store, &info, true, &index), (int)OH_NN_SUCCESS);
    return index;
}

Test(optable, convolutions_want_weights_of_rank_4_and_depthwise_an_input_too) {
    static const int ops[3] = {OH_NN_OPS_CONV2D, OH_NN_OPS_CONV2D_TRANSPOSE, OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE};
    uint32_t k, in_rank, weight_rank;
    for (k = 0; k < 3; k++) {
        for (in_rank = 3; in_rank <= 5; in_rank++) {
            for (weight_rank = 3; weight_rank <= 5; weight_rank++) {
                nnrt__graph_store *store = store_for(ops[k]);
                const bool fine = weight_rank == 4 && (in_rank == 4 || k != 2);
                inputs[0] = add_shape(store, in_rank, 2);
                inputs[1] = add_shape(store, weight_rank, 2);
                cr_assert_eq((int)add(store, ops[k], 3, 1, NULL, 0), (int)(fine ? OH_NN_SUCCESS : IP));
                nnrt__graph_store_release(store);
            }
        }
    }
}

Test(optable, layer_norm_wants_affine_parts_of_the_normalised_shape) {
    nnrt__graph_store *store = store_for(OH_NN_OPS_LAYER_NORM);
    int64_t axis;
    nnrt_param param = {OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, OH_NN_INT64, 1, NULL};
    param.data = &axis;
    for (axis = -5; axis <= 5; axis++) { /* input [2,3,4,5], gamma and beta [3,4,5] */
        cr_assert_eq((int)add(store, OH_NN_OPS_LAYER_NORM, 3, 1, &param, 1), (int)(axis == 1 ? OH_NN_SUCCESS : IP),
                     "axis %d", (int)axis);
    }
    cr_assert_eq((int)add(store, OH_NN_OPS_LAYER_NORM, 3, 1, NULL, 0), (int)OH_NN_SUCCESS, "axis 1 is the default");
    inputs[2] = add_shape(store, 3, 3); /* [3,3,4] */
    cr_assert_eq((int)add(store, OH_NN_OPS_LAYER_NORM, 3, 1, NULL, 0), (int)IP, "beta of another shape");
    nnrt__graph_store_release(store);
}

Test(optable, layer_norm_takes_a_dynamic_dimension_for_itself_only) {
    nnrt__graph_store *store = store_for(OH_NN_OPS_LAYER_NORM);
    int32_t dims[2] = {4, -1};
    nnrt_tensor_info info;
    memset(&info, 0, sizeof(info));
    info.dtype = OH_NN_FLOAT32;
    info.rank = 2;
    info.dims = dims;
    (void)nnrt__graph_add_tensor(store, &info, true, &inputs[0]);
    info.rank = 1;
    info.dims = dims + 1;
    (void)nnrt__graph_add_tensor(store, &info, true, &inputs[1]);
    inputs[2] = inputs[1];
    cr_assert_eq((int)add(store, OH_NN_OPS_LAYER_NORM, 3, 1, NULL, 0), (int)OH_NN_SUCCESS);
    inputs[2] = add_shape(store, 1, 8);
    cr_assert_eq((int)add(store, OH_NN_OPS_LAYER_NORM, 3, 1, NULL, 0), (int)IP);
    nnrt__graph_store_release(store);
}

Test(optable, cast_wants_a_constant_data_type) {
    nnrt__graph_store *store = store_for(OH_NN_OPS_CAST);
    const uint32_t none = inputs[2]; /* no data */
    nnrt_tensor_info info;
    int32_t value;
    memset(&info, 0, sizeof(info));
    info.dtype = OH_NN_INT32;
    info.data = &value;
    info.data_size = 4;
    for (value = -2; value <= 14; value++) {
        (void)nnrt__graph_add_tensor(store, &info, true, &inputs[1]);
        cr_assert_eq((int)add(store, OH_NN_OPS_CAST, 2, 1, NULL, 0),
                     (int)(value >= 0 && value <= 12 ? OH_NN_SUCCESS : IP), "type %d", (int)value);
    }
    inputs[1] = none;
    cr_assert_eq((int)add(store, OH_NN_OPS_CAST, 2, 1, NULL, 0), (int)IP, "no data");
    info.dtype = OH_NN_INT16;
    info.data_size = 2;
    (void)nnrt__graph_add_tensor(store, &info, true, &inputs[1]);
    cr_assert_eq((int)add(store, OH_NN_OPS_CAST, 2, 1, NULL, 0), (int)IP, "two bytes only");
    nnrt__graph_store_release(store);
}

Test(optable, full_connection_with_an_axis_cannot_be_told_not_to_use_it) {
    static const int64_t axis = 1;
    static const uint8_t yes = 1, no = 0;
    nnrt__graph_store *store = store_for(OH_NN_OPS_FULL_CONNECTION);
    nnrt_param params[2] = {{OH_NN_FULL_CONNECTION_AXIS, OH_NN_INT64, 1, NULL},
                            {OH_NN_FULL_CONNECTION_USE_AXIS, OH_NN_BOOL, 1, NULL}};
    nnrt_param swapped[2];
    params[0].data = &axis;
    params[1].data = &no;
    swapped[0] = params[1];
    swapped[1] = params[0];
    cr_assert_eq((int)add(store, OH_NN_OPS_FULL_CONNECTION, 3, 1, params, 2), (int)IP);
    cr_assert_eq((int)add(store, OH_NN_OPS_FULL_CONNECTION, 3, 1, swapped, 2), (int)IP);
    cr_assert_eq((int)add(store, OH_NN_OPS_FULL_CONNECTION, 3, 1, swapped, 1), (int)OH_NN_SUCCESS, "no axis given");
    params[1].data = &yes;
    cr_assert_eq((int)add(store, OH_NN_OPS_FULL_CONNECTION, 3, 1, params, 2), (int)OH_NN_SUCCESS);
    nnrt__graph_store_release(store);
}

/* ------------------------------------------------------------------------------------- reading parameters */

Test(optable, integers_of_every_width_are_read_at_any_address) {
    static const OH_NN_DataType types[9] = {OH_NN_BOOL,  OH_NN_INT8,   OH_NN_INT16,  OH_NN_INT32, OH_NN_INT64,
                                            OH_NN_UINT8, OH_NN_UINT16, OH_NN_UINT32, OH_NN_UINT64};
    static const int64_t all_ones[9] = {1, -1, -1, -1, -1, 255, 65535, 4294967295, -1};
    size_t k, skew;
    for (k = 0; k < 9; k++) {
        const size_t size = nnrt__element_size(types[k]);
        for (skew = 0; skew < 8; skew++) {
            uint8_t *block = (uint8_t *)malloc(skew + 2 * size); /* an over-read ends behind it */
            nnrt_param param;
            nnrt_node node;
            int64_t list[3] = {7, 7, 7};
            cr_assert_not_null(block);
            memset(block, 0, skew + size);
            block[skew] = 1; /* element 0 is 1 */
            memset(block + skew + size, 0xff, size);
            param.type = OH_NN_SLICE_AXES;
            param.dtype = types[k];
            param.count = 2;
            param.data = block + skew;
            memset(&node, 0, sizeof(node));
            node.op = OH_NN_OPS_SLICE;
            node.params = &param;
            node.param_count = 1;
            cr_assert_eq(nnrt__param_int(&node, OH_NN_SLICE_AXES, -9), 1);
            cr_assert_eq(nnrt__param_int_list(&node, OH_NN_SLICE_AXES, list, 2), 2u);
            cr_assert(list[0] == 1 && list[1] == all_ones[k] && list[2] == 7, "type %d skew %zu", (int)types[k], skew);
            cr_assert_eq(nnrt__param_int_list(&node, OH_NN_SLICE_AXES, NULL, 0), 2u, "the full count, nothing written");
            cr_assert(nnrt__param_float(&node, OH_NN_SLICE_AXES, 5.0f) == 1.0f);
            cr_assert_eq(nnrt__param_int(&node, OH_NN_TILE_DIMS, -9), -9, "absent");
            cr_assert_eq(nnrt__param_int_list(&node, OH_NN_TILE_DIMS, list, 2), 0u);
            free(block);
        }
    }
}

Test(optable, floats_are_read_and_are_no_integers) {
    static const float single = 1.5f;
    static const double wide = -2.25;
    nnrt_param params[2] = {{OH_NN_CLIP_MAX, OH_NN_FLOAT32, 1, NULL}, {OH_NN_CLIP_MIN, OH_NN_FLOAT64, 1, NULL}};
    nnrt_node node;
    params[0].data = &single;
    params[1].data = &wide;
    memset(&node, 0, sizeof(node));
    node.op = OH_NN_OPS_CLIP;
    node.params = params;
    node.param_count = 2;
    cr_assert(nnrt__param_float(&node, OH_NN_CLIP_MAX, 0.0f) == 1.5f);
    cr_assert(nnrt__param_float(&node, OH_NN_CLIP_MIN, 0.0f) == -2.25f);
    cr_assert(nnrt__param_float(&node, OH_NN_EXP_BASE, -1.0f) == -1.0f, "absent");
    cr_assert_eq(nnrt__param_int(&node, OH_NN_CLIP_MAX, -9), -9);
}

/* Every parameter of every operator, given twice. */
Test(optable, the_last_of_a_kind_counts_and_only_four_lists_are_joined) {
    static const int64_t first[2] = {1, 2}, second[2] = {3, 4};
    static const OH_NN_TensorType joined[4] = {OH_NN_BATCH_TO_SPACE_ND_BLOCKSIZE, OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE,
                                               OH_NN_SQUEEZE_AXIS, OH_NN_SPLIT_SIZE_SPLITS};
    int op;
    uint32_t tried = 0, row;
    size_t k;
    for (op = 1; op <= OPS; op++) {
        const nnrt__op_row *found = nnrt__op_find(op);
        for (row = 0; row < found->param_rows; row++) {
            const OH_NN_TensorType type = found->params[row].type;
            nnrt_param params[2];
            nnrt_node node;
            int64_t list[5] = {9, 9, 9, 9, 9};
            bool joins = false;
            for (k = 0; k < NNRT__COUNT_OF(joined); k++) joins = joins || type == joined[k];
            params[0].type = params[1].type = type;
            params[0].dtype = params[1].dtype = OH_NN_INT64;
            params[0].count = params[1].count = 2;
            params[0].data = first;
            params[1].data = second;
            memset(&node, 0, sizeof(node));
            node.op = (OH_NN_OperationType)op;
            node.params = params;
            node.param_count = 2;
            cr_assert(nnrt__node_param(&node, type) == &params[1]);
            cr_assert_eq(nnrt__param_int(&node, type, 0), 3);
            cr_assert_eq(nnrt__param_int_list(&node, type, list, 3), joins ? 4u : 2u, "%s", found->params[row].name);
            if (joins) cr_assert(list[0] == 1 && list[1] == 2 && list[2] == 3 && list[3] == 9);
            else cr_assert(list[0] == 3 && list[1] == 4 && list[2] == 9);
            tried++;
        }
    }
    cr_assert_gt(tried, 150u);
}

Test(optable, a_stored_pad_and_a_stored_pooling_parameter_have_one_name) {
    static const int8_t mode = 1;
    static const int64_t list[4] = {1, 2, 3, 4}, pair[2] = {3, 3};
    nnrt__graph_store *store = store_for(OH_NN_OPS_AVG_POOL);
    const nnrt_node *node;
    nnrt_param params[4] = {{OH_NN_MAX_POOL_KERNEL_SIZE, OH_NN_INT64, 2, NULL},
                            {OH_NN_AVG_POOL_STRIDE, OH_NN_INT64, 2, NULL},
                            {OH_NN_MAX_POOL_PAD, OH_NN_INT8, 1, NULL},
                            {OH_NN_AVG_POOL_PAD_MODE, OH_NN_INT64, 4, NULL}};
    params[0].data = params[1].data = pair;
    params[2].data = &mode;
    params[3].data = list;
    cr_assert_eq((int)add(store, OH_NN_OPS_AVG_POOL, 1, 1, params, 4), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)add(store, OH_NN_OPS_MAX_POOL, 1, 1, params, 4), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    node = nnrt__graph_store_graph(store)->nodes;
    cr_assert(node[0].params[0].type == OH_NN_AVG_POOL_KERNEL_SIZE && node[0].params[1].type == OH_NN_AVG_POOL_STRIDE);
    cr_assert(node[0].params[2].type == OH_NN_AVG_POOL_PAD_MODE && node[0].params[3].type == OH_NN_AVG_POOL_PAD);
    cr_assert(node[1].params[0].type == OH_NN_MAX_POOL_KERNEL_SIZE && node[1].params[1].type == OH_NN_MAX_POOL_STRIDE);
    cr_assert(node[1].params[2].type == OH_NN_MAX_POOL_PAD_MODE && node[1].params[3].type == OH_NN_MAX_POOL_PAD);
    nnrt__graph_store_release(store);
}

/* -------------------------------------------------------------------------------------------------- flags */

Test(optable, only_scale_and_quant_dtype_cast_cannot_do_without_a_parameter) {
    int op;
    for (op = 1; op <= OPS; op++) {
        nnrt_node node;
        const bool needs = op == OH_NN_OPS_SCALE || op == OH_NN_OPS_QUANT_DTYPE_CAST;
        memset(&node, 0, sizeof(node));
        node.op = (OH_NN_OperationType)op;
        cr_assert_eq((int)nnrt__op_check_complete(&node), (int)(needs ? OH_NN_FAILED : OH_NN_SUCCESS), "%d", op);
    }
}
