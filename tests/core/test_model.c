/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the OH_NNModel_* functions: every return code in the documented order of the checks, the state
   machine cell by cell, what ends up in the graph, and that running out of memory at any point leaves the
   model as it was. */
#include "linked.h"

#include <criterion/criterion.h>

#define IP OH_NN_INVALID_PARAMETER
#define FORBIDDEN OH_NN_OPERATION_FORBIDDEN

#define REFUSED(call, code)                                                                        \
    do {                                                                                           \
        (void)nnrt__fail(OH_NN_FAILED, "stale");                                                   \
        cr_assert_eq((int)(call), (int)(code), #call ": %s", nnrt_last_error());                   \
        cr_assert(strcmp(nnrt_last_error(), "stale") != 0 && nnrt_last_error()[0] != '\0', #call); \
    } while (0)
#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, #call ": %s", nnrt_last_error())

/* ------------------------------------------------------------------------------------------ making models */

static OH_NN_UInt32Array array_of(uint32_t *data, uint32_t size) {
    OH_NN_UInt32Array array;
    array.data = data;
    array.size = size;
    return array;
}

/* Appends a tensor and returns its index. */
static uint32_t tensor(OH_NNModel *model, OH_NN_DataType dtype, const int32_t *dims, size_t rank) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    const uint32_t index = model->store->graph.tensor_count;
    OK(OH_NNTensorDesc_SetDataType(desc, dtype));
    if (rank != 0) OK(OH_NNTensorDesc_SetShape(desc, dims, rank));
    OK(OH_NNModel_AddTensorToModel(model, desc));
    OK(OH_NNTensorDesc_Destroy(&desc));
    cr_assert_eq(model->store->graph.tensor_count, index + 1);
    return index;
}

/* Tensors 0, 1 (inputs) and 2 (output) of [2,3] floats, and parameter 3, a fuse type. */
static OH_NNModel *small_model(void) {
    static const int32_t dims[2] = {2, 3};
    static const int8_t relu = OH_NN_FUSED_RELU;
    OH_NNModel *model = OH_NNModel_Construct();
    cr_assert_not_null(model);
    (void)tensor(model, OH_NN_FLOAT32, dims, 2);
    (void)tensor(model, OH_NN_FLOAT32, dims, 2);
    (void)tensor(model, OH_NN_FLOAT32, dims, 2);
    (void)tensor(model, OH_NN_INT8, NULL, 0);
    OK(OH_NNModel_SetTensorType(model, 3, OH_NN_ADD_ACTIVATIONTYPE));
    OK(OH_NNModel_SetTensorData(model, 3, &relu, 1));
    return model;
}

static OH_NN_ReturnCode add_op(OH_NNModel *model, int op, uint32_t *params, uint32_t param_count, uint32_t *in,
                               uint32_t in_count, uint32_t *out, uint32_t out_count) {
    const OH_NN_UInt32Array p = array_of(params, param_count), i = array_of(in, in_count), o = array_of(out, out_count);
    return OH_NNModel_AddOperation(model, (OH_NN_OperationType)op, &p, &i, &o);
}

static OH_NN_ReturnCode add_the_op(OH_NNModel *model) {
    uint32_t in[2] = {0, 1}, out[1] = {2}, params[1] = {3};
    return add_op(model, OH_NN_OPS_ADD, params, 1, in, 2, out, 1);
}

static OH_NN_ReturnCode specify(OH_NNModel *model) {
    uint32_t in[2] = {0, 1}, out[1] = {2};
    const OH_NN_UInt32Array i = array_of(in, 2), o = array_of(out, 1);
    return OH_NNModel_SpecifyInputsAndOutputs(model, &i, &o);
}

static OH_NNModel *model_in(nnrt__model_state state) {
    OH_NNModel *model = small_model();
    uint32_t in[1] = {0}, out[1] = {2};
    OK(add_the_op(model));
    if (state == NNRT__MODEL_INCOMPLETE) OK(add_op(model, OH_NN_OPS_QUANT_DTYPE_CAST, NULL, 0, in, 1, out, 1));
    if (state != NNRT__MODEL_BUILDING) OK(specify(model));
    if (state == NNRT__MODEL_FINISHED) OK(OH_NNModel_Finish(model));
    if (state == NNRT__MODEL_INCOMPLETE) REFUSED(OH_NNModel_Finish(model), OH_NN_FAILED);
    cr_assert_eq((int)model->state, (int)state);
    return model;
}

/* A device that runs additions only. */
static OH_NN_ReturnCode device_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    return graph->nodes[node].op == OH_NN_OPS_ADD ? OH_NN_SUCCESS
                                                  : nnrt_backend_fail(OH_NN_UNSUPPORTED, "additions only");
}
static OH_NN_ReturnCode device_prepare(void *device, const nnrt_request *request, void **prepared) {
    (void)device, (void)request, (void)prepared;
    return nnrt_backend_fail(OH_NN_FAILED, "prepares nothing");
}
static void device_release(void *prepared) { (void)prepared; }
static void device_io_count(void *prepared, size_t *in, size_t *out) { (void)prepared, *in = 0, *out = 0; }
static OH_NN_ReturnCode device_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    (void)prepared, (void)output, (void)index, (void)desc;
    return nnrt_backend_fail(OH_NN_FAILED, "describes nothing");
}
static OH_NN_ReturnCode device_open_executor(void *prepared, void **executor) {
    (void)prepared, (void)executor;
    return nnrt_backend_fail(OH_NN_FAILED, "executes nothing");
}
static void device_close_executor(void *executor) { (void)executor; }
static OH_NN_ReturnCode device_run(void *executor, const nnrt_io *in, size_t in_count, nnrt_io *out, size_t out_count) {
    (void)executor, (void)in, (void)in_count, (void)out, (void)out_count;
    return nnrt_backend_fail(OH_NN_FAILED, "runs nothing");
}

/* Registers it at the first call: a name can be taken once. */
static size_t adding_device(void) {
    static nnrt_backend backend;
    static size_t id;
    if (backend.version != 0) return id;
    backend.version = NNRT_BACKEND_VERSION;
    backend.name = "adder";
    backend.vendor = "test";
    backend.device_version = "1";
    backend.type = OH_NN_ACCELERATOR;
    backend.supports = device_supports;
    backend.prepare = device_prepare;
    backend.release = device_release;
    backend.io_count = device_io_count;
    backend.io_desc = device_io_desc;
    backend.open_executor = device_open_executor;
    backend.close_executor = device_close_executor;
    backend.run = device_run;
    OK(nnrt_register_backend(&backend, &id));
    return id;
}

/* -------------------------------------------------------------------------------------- the state machine */

/* One call of each kind, right in itself, so that only the state can forbid it. */
static OH_NN_ReturnCode call_in_state(OH_NNModel *model, int call) {
    static const int32_t dims[1] = {4};
    const OH_NN_Tensor old = {OH_NN_FLOAT32, 1, dims, NULL, OH_NN_TENSOR};
    NN_TensorDesc *desc;
    NN_QuantParam *quant;
    const bool *supported = NULL;
    uint32_t count = 0;
    OH_NN_ReturnCode code;
    float data[6] = {0};
    switch (call) {
    case 0:
        desc = OH_NNTensorDesc_Create();
        code = OH_NNModel_AddTensorToModel(model, desc);
        OK(OH_NNTensorDesc_Destroy(&desc));
        return code;
    case 1: return OH_NNModel_AddTensor(model, &old);
    case 2: return OH_NNModel_SetTensorData(model, 1, data, sizeof(data));
    case 3:
        quant = OH_NNQuantParam_Create();
        code = OH_NNModel_SetTensorQuantParams(model, 1, quant);
        OK(OH_NNQuantParam_Destroy(&quant));
        return code;
    case 4: return OH_NNModel_SetTensorType(model, 1, OH_NN_TENSOR);
    case 5: return add_the_op(model);
    case 6: return specify(model);
    case 7: return OH_NNModel_Finish(model);
    default: return OH_NNModel_GetAvailableOperations(model, adding_device(), &supported, &count);
    }
}

Test(model, allows_in_each_state_what_the_table_allows) {
    /* AddTensorToModel AddTensor SetData SetQuant SetType AddOperation Specify Finish GetAvailable; Finish
       before Specify is forbidden by its own check. Rows: building, specified, finished, incomplete. */
    static const bool allowed[4][9] = {{1, 1, 1, 1, 1, 1, 1, 0, 0},
                                       {1, 1, 1, 1, 1, 1, 0, 1, 0},
                                       {0, 0, 0, 0, 0, 0, 0, 0, 1},
                                       {0, 0, 0, 0, 0, 0, 0, 0, 0}};
    int state, call;
    for (state = 0; state < 4; state++) {
        for (call = 0; call < 9; call++) {
            OH_NNModel *model;
            nnrt_graph before;
            OH_NN_ReturnCode code;
            model = model_in((nnrt__model_state)state);
            before = model->store->graph;
            code = call_in_state(model, call);
            cr_assert_eq((int)code, (int)(allowed[state][call] ? OH_NN_SUCCESS : FORBIDDEN), "state %d, call %d: %s",
                         state, call, nnrt_last_error());
            if (!allowed[state][call]) {
                cr_assert_eq((int)model->state, state);
                cr_assert_eq(memcmp(&before, &model->store->graph, sizeof(before)), 0, "state %d call %d", state, call);
            }
            OH_NNModel_Destroy(&model);
        }
    }
}

Test(model, finish_asks_for_a_tensor_an_operation_and_inputs_in_this_order_and_may_be_repeated) {
    OH_NNModel *model = OH_NNModel_Construct();
    static const int32_t dims[1] = {4};
    uint32_t in[1] = {0}, out[1] = {1};
    const OH_NN_UInt32Array i = array_of(in, 1), o = array_of(out, 1);
    REFUSED(OH_NNModel_Finish(NULL), IP);
    REFUSED(OH_NNModel_Finish(model), FORBIDDEN);
    cr_assert_not_null(strstr(nnrt_last_error(), "tensor"));
    (void)tensor(model, OH_NN_FLOAT32, dims, 1);
    (void)tensor(model, OH_NN_FLOAT32, dims, 1);
    REFUSED(OH_NNModel_Finish(model), FORBIDDEN);
    cr_assert_not_null(strstr(nnrt_last_error(), "operation"));
    OK(add_op(model, OH_NN_OPS_RELU, NULL, 0, in, 1, out, 1));
    REFUSED(OH_NNModel_Finish(model), FORBIDDEN);
    cr_assert_not_null(strstr(nnrt_last_error(), "inputs"));
    cr_assert_not(nnrt__graph_store_complete(model->store));
    OK(OH_NNModel_SpecifyInputsAndOutputs(model, &i, &o));
    OK(OH_NNModel_Finish(model));
    cr_assert(nnrt__graph_store_complete(model->store));
    REFUSED(OH_NNModel_Finish(model), FORBIDDEN);
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

Test(model, finish_fails_for_good_when_an_operation_lacks_what_it_needs) {
    int op;
    for (op = 0; op < 2; op++) {
        OH_NNModel *model = small_model();
        uint32_t in[3] = {0, 1, 1}, out[1] = {2};
        OK(add_op(model, op ? OH_NN_OPS_SCALE : OH_NN_OPS_QUANT_DTYPE_CAST, NULL, 0, in, op ? 3 : 1, out, 1));
        OK(specify(model));
        REFUSED(OH_NNModel_Finish(model), OH_NN_FAILED);
        REFUSED(OH_NNModel_Finish(model), FORBIDDEN);
        cr_assert_not(nnrt__graph_store_complete(model->store), "an incomplete model must not be compiled");
        OH_NNModel_Destroy(&model);
    }
    cr_assert_eq(counting_live(), 0);
}

/* --------------------------------------------------------------------------------------------------- life */

Test(model, destroying_nothing_does_nothing) {
    OH_NNModel *none = NULL;
    OH_NNModel_Destroy(NULL);
    OH_NNModel_Destroy(&none);
    none = OH_NNModel_Construct();
    OH_NNModel_Destroy(&none);
    cr_assert_null(none);
    cr_assert_eq(counting_live(), 0);
}

Test(model, a_retained_graph_outlives_the_model) {
    OH_NNModel *model = model_in(NNRT__MODEL_FINISHED);
    nnrt__graph_store *store = model->store;
    const nnrt_graph *graph = nnrt__graph_store_graph(store);
    nnrt__graph_store_retain(store);
    OH_NNModel_Destroy(&model);
    cr_assert(graph->tensor_count == 4 && graph->node_count == 1 && graph->input_count == 2 &&
              graph->output_count == 1);
    cr_assert_str_eq(graph->tensors[3].name, "Tensor: 3");
    cr_assert_eq(nnrt__param_int(&graph->nodes[0], OH_NN_ADD_ACTIVATIONTYPE, 0), OH_NN_FUSED_RELU);
    nnrt__graph_store_release(store);
    nnrt__graph_store_release(NULL);
    cr_assert_eq(counting_live(), 0);
}

/* ------------------------------------------------------------------------------------------------ tensors */

Test(model, add_tensor_to_model_checks_and_copies) {
    static const int32_t dims[3] = {2, -1, 4}, zero[1] = {0}, below[1] = {-2}, big[2] = {65536, 65536};
    static const int32_t just[2] = {65535, 65537}; /* 2^32 - 1 */
    OH_NNModel *model = OH_NNModel_Construct();
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    const nnrt_tensor_info *info;
    REFUSED(OH_NNModel_AddTensorToModel(NULL, NULL), IP);
    REFUSED(OH_NNModel_AddTensorToModel(NULL, desc), IP);
    REFUSED(OH_NNModel_AddTensorToModel(model, NULL), IP);
    OK(OH_NNTensorDesc_SetDataType(desc, OH_NN_INT8));
    OK(OH_NNTensorDesc_SetShape(desc, zero, 1));
    REFUSED(OH_NNModel_AddTensorToModel(model, desc), IP);
    OK(OH_NNTensorDesc_SetShape(desc, below, 1));
    REFUSED(OH_NNModel_AddTensorToModel(model, desc), IP);
    OK(OH_NNTensorDesc_SetShape(desc, big, 2));
    REFUSED(OH_NNModel_AddTensorToModel(model, desc), IP);
    OK(OH_NNTensorDesc_SetShape(desc, just, 2));
    OK(OH_NNModel_AddTensorToModel(model, desc));
    OK(OH_NNTensorDesc_SetDataType(desc, OH_NN_INT16));
    REFUSED(OH_NNModel_AddTensorToModel(model, desc), IP);
    desc->dtype = (OH_NN_DataType)13;
    REFUSED(OH_NNModel_AddTensorToModel(model, desc), IP);
    OK(OH_NNTensorDesc_SetDataType(desc, OH_NN_UNKNOWN));
    OK(OH_NNTensorDesc_SetShape(desc, dims, 3));
    OK(OH_NNTensorDesc_SetName(desc, "named"));
    OK(OH_NNTensorDesc_SetFormat(desc, OH_NN_FORMAT_NCHW));
    OK(OH_NNModel_AddTensorToModel(model, desc));
    OK(OH_NNTensorDesc_Destroy(&desc));
    desc = OH_NNTensorDesc_Create();
    OK(OH_NNModel_AddTensorToModel(model, desc));
    OK(OH_NNTensorDesc_Destroy(&desc));
    cr_assert_eq(model->store->graph.tensor_count, 3u, "a refused tensor was added");
    info = &model->store->graph.tensors[1];
    cr_assert_str_eq(info->name, "named");
    cr_assert(info->dtype == OH_NN_UNKNOWN && info->format == OH_NN_FORMAT_NCHW && info->type == OH_NN_TENSOR);
    cr_assert(info->rank == 3 && memcmp(info->dims, dims, sizeof(dims)) == 0 && info->quant.count == 0);
    cr_assert(info->data == NULL && info->data_size == 0);
    info = &model->store->graph.tensors[2];
    cr_assert_str_eq(info->name, "Tensor: 2");
    cr_assert(info->format == OH_NN_FORMAT_NHWC && info->rank == 0 && info->dims == NULL, "a scalar, NHWC");
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

Test(model, add_tensor_checks_in_order) {
    static const int32_t dims[2] = {3, 4}, bad[1] = {0};
    static const double scale[2] = {0.5, 0.25};
    static const int32_t zero[2] = {1, 2};
    static const uint32_t bits[2] = {8, 16}, odd_bits[1] = {7};
    int32_t many[201];
    OH_NN_QuantParam quant = {2, bits, scale, zero};
    OH_NN_Tensor t = {OH_NN_INT8, 2, dims, NULL, OH_NN_TENSOR};
    OH_NNModel *model = OH_NNModel_Construct();
    const nnrt_tensor_info *info;
    uint32_t i;
    for (i = 0; i < 201; i++) many[i] = 1;
    REFUSED(OH_NNModel_AddTensor(NULL, NULL), IP);
    REFUSED(OH_NNModel_AddTensor(NULL, &t), IP);
    REFUSED(OH_NNModel_AddTensor(model, NULL), IP);
    t.dataType = (OH_NN_DataType)13;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    t.dataType = OH_NN_INT8;
    t.type = (OH_NN_TensorType)163;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    t.type = OH_NN_TENSOR;
    t.dimensions = NULL;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    t.dimensions = dims;
    t.dimensionCount = 0;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    t.dimensions = bad;
    t.dimensionCount = 1;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    t.dimensions = many;
    t.dimensionCount = 201;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    t.dimensionCount = 200;
    OK(OH_NNModel_AddTensor(model, &t));
    t.dimensions = dims;
    t.dimensionCount = 2;
    t.quantParam = &quant;
    quant.numBits = NULL;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    quant.numBits = bits;
    quant.scale = NULL;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    quant.scale = scale;
    quant.zeroPoint = NULL;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    quant.zeroPoint = zero;
    quant.numBits = odd_bits;
    quant.quantCount = 1;
    REFUSED(OH_NNModel_AddTensor(model, &t), IP);
    quant.quantCount = 0;
    OK(OH_NNModel_AddTensor(model, &t)); /* not quantized, so the bits do not matter */
    quant.numBits = bits;
    quant.quantCount = 2;
    OK(OH_NNModel_AddTensor(model, &t));
    cr_assert_eq(model->store->graph.tensor_count, 3u);
    cr_assert(model->store->tensors[0].rank == 200 && model->store->tensors[1].quant.count == 0);
    info = &model->store->tensors[2];
    cr_assert(info->quant.count == 2 && info->quant.scales[1] == 0.25 && info->quant.zero_points[0] == 1);
    cr_assert(info->quant.num_bits[1] == 16 && info->format == OH_NN_FORMAT_NHWC);
    cr_assert_str_eq(info->name, "Tensor: 2");
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

Test(model, set_tensor_data_checks_in_order_and_copies) {
    static const int32_t dynamic[2] = {2, -1};
    OH_NNModel *model = small_model();
    float data[6] = {1, 2, 3, 4, 5, 6};
    const uint32_t moving = tensor(model, OH_NN_FLOAT32, dynamic, 2), untyped = tensor(model, OH_NN_UNKNOWN, NULL, 0);
    REFUSED(OH_NNModel_SetTensorData(NULL, 0, NULL, 0), IP);
    REFUSED(OH_NNModel_SetTensorData(model, 0, NULL, 24), IP);
    REFUSED(OH_NNModel_SetTensorData(model, 0, data, 0), IP);
    REFUSED(OH_NNModel_SetTensorData(model, 6, data, 24), IP);
    REFUSED(OH_NNModel_SetTensorData(model, UINT32_MAX, data, 24), IP);
    REFUSED(OH_NNModel_SetTensorData(model, moving, data, 24), FORBIDDEN);
    REFUSED(OH_NNModel_SetTensorData(model, untyped, data, 1), IP);
    REFUSED(OH_NNModel_SetTensorData(model, 0, data, 23), IP);
    REFUSED(OH_NNModel_SetTensorData(model, 0, data, 25), IP);
    counting_fail_at(0);
    REFUSED(OH_NNModel_SetTensorData(model, 0, data, 24), OH_NN_MEMORY_ERROR);
    counting_fail_never();
    OK(OH_NNModel_SetTensorData(model, 0, data, 24));
    data[0] = -1;
    cr_assert(((const float *)model->store->tensors[0].data)[0] == 1.0f && model->store->tensors[0].data_size == 24);
    REFUSED(OH_NNModel_SetTensorData(model, 0, data, 24), IP);
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

Test(model, set_quant_params_checks_in_order_copies_and_clears_on_refusal) {
    static const double scales[2] = {0.5, 0.25};
    static const int32_t zeros[2] = {1, 2};
    static const uint32_t bits[2] = {16, 8}, odd[2] = {8, 32};
    OH_NNModel *model = small_model();
    NN_QuantParam *quant = OH_NNQuantParam_Create();
    const nnrt_quant *got = &model->store->tensors[1].quant;
    REFUSED(OH_NNModel_SetTensorQuantParams(NULL, 0, NULL), IP);
    REFUSED(OH_NNModel_SetTensorQuantParams(model, 99, NULL), IP);
    REFUSED(OH_NNModel_SetTensorQuantParams(model, 4, quant), IP);
    OK(OH_NNQuantParam_SetScales(quant, scales, 2));
    OK(OH_NNQuantParam_SetZeroPoints(quant, zeros, 2));
    OK(OH_NNQuantParam_SetNumBits(quant, bits, 2));
    OK(OH_NNModel_SetTensorQuantParams(model, 1, quant));
    cr_assert(got->count == 2 && got->scales[1] == 0.25 && got->zero_points[1] == 2 && got->num_bits[0] == 16);
    counting_fail_at(0);
    REFUSED(OH_NNModel_SetTensorQuantParams(model, 1, quant), OH_NN_MEMORY_ERROR);
    counting_fail_never();
    cr_assert_eq(got->count, 2u, "out of memory keeps the old ones");
    OK(OH_NNQuantParam_SetZeroPoints(quant, zeros, 1));
    REFUSED(OH_NNModel_SetTensorQuantParams(model, 1, quant), IP);
    cr_assert_eq(got->count, 0u, "lists of different length clear");
    OK(OH_NNQuantParam_SetZeroPoints(quant, zeros, 2));
    OK(OH_NNModel_SetTensorQuantParams(model, 1, quant));
    OK(OH_NNQuantParam_SetNumBits(quant, odd, 2));
    REFUSED(OH_NNModel_SetTensorQuantParams(model, 1, quant), IP);
    cr_assert_eq(got->count, 0u, "bits other than 8 and 16 clear");
    OK(OH_NNQuantParam_SetNumBits(quant, bits, 2));
    OK(OH_NNModel_SetTensorQuantParams(model, 1, quant));
    OK(OH_NNQuantParam_Destroy(&quant));
    quant = OH_NNQuantParam_Create();
    OK(OH_NNModel_SetTensorQuantParams(model, 1, quant));
    cr_assert_eq(got->count, 0u, "an empty one clears");
    OK(OH_NNQuantParam_Destroy(&quant));
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

Test(model, set_tensor_type_looks_at_the_type_before_the_state) {
    OH_NNModel *model = model_in(NNRT__MODEL_FINISHED);
    int type;
    REFUSED(OH_NNModel_SetTensorType(NULL, 0, OH_NN_TENSOR), IP);
    REFUSED(OH_NNModel_SetTensorType(model, 0, (OH_NN_TensorType)163), IP);
    REFUSED(OH_NNModel_SetTensorType(model, 0, (OH_NN_TensorType)-1), IP);
    REFUSED(OH_NNModel_SetTensorType(model, 99, OH_NN_TENSOR), FORBIDDEN);
    OH_NNModel_Destroy(&model);
    model = small_model();
    REFUSED(OH_NNModel_SetTensorType(model, 4, OH_NN_TENSOR), IP);
    for (type = 0; type <= 162; type++) {
        OK(OH_NNModel_SetTensorType(model, 0, (OH_NN_TensorType)type));
        cr_assert_eq((int)model->store->tensors[0].type, type);
    }
    OH_NNModel_Destroy(&model);
}

/* --------------------------------------------------------------------------------------------- operations */

Test(model, add_operation_checks_its_arguments_in_order) {
    OH_NNModel *model = small_model();
    uint32_t in[201], out[201], params[11], bad[1] = {4}, i;
    const OH_NN_UInt32Array none = array_of(NULL, 0);
    for (i = 0; i < 201; i++) {
        in[i] = i % 2;
        out[i] = 2;
        if (i < 11) params[i] = 3;
    }
    REFUSED(OH_NNModel_AddOperation(NULL, OH_NN_OPS_ADD, &none, &none, &none), IP);
    REFUSED(OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, NULL, &none, &none), IP);
    cr_assert_not_null(strstr(nnrt_last_error(), "paramIndices"));
    REFUSED(OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, &none, NULL, &none), IP);
    REFUSED(OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, &none, &none, NULL), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, NULL, 0, NULL, 0, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_SVDF, NULL, 0, in, 4, out, 1), IP); /* of .tflite files only */
    cr_assert_not_null(strstr(nnrt_last_error(), "no operator 109"));
    REFUSED(add_op(model, OH_NN_OPS_CONCAT, NULL, 0, in, 201, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, NULL, 0, in, 2, NULL, 0), IP);
    REFUSED(add_op(model, OH_NN_OPS_SPLIT, NULL, 0, in, 1, out, 201), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, NULL, 0, NULL, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, NULL, 0, in, 2, NULL, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, NULL, 0, in, 0, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_RELU, NULL, 0, bad, 1, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_RELU, NULL, 0, in, 1, bad, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_RELU, NULL, 0, params, 1, out, 1), IP); /* 3 is a parameter */
    REFUSED(add_op(model, OH_NN_OPS_RELU, NULL, 0, in, 1, params, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_RELU, NULL, 0, in, 1, in, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, params, 0, in, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, NULL, 1, in, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, bad, 1, in, 2, out, 1), IP);
    REFUSED(add_op(model, 0, NULL, 0, in, 2, out, 1), IP);
    REFUSED(add_op(model, 109, NULL, 0, in, 2, out, 1), IP);
    REFUSED(add_op(model, -1, params, 1, in, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, params, 2, in, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_ADD, params, 11, in, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_SUB, params, 1, in, 2, out, 1), IP); /* a parameter of Add */
    REFUSED(add_op(model, OH_NN_OPS_ADD, in, 1, in, 2, out, 1), IP);     /* a tensor is no parameter */
    cr_assert_eq(model->store->graph.node_count, 0u);
    OK(add_op(model, OH_NN_OPS_ADD, params, 1, in, 2, out, 1));
    OK(add_op(model, OH_NN_OPS_CONCAT, NULL, 0, in, 200, out, 1)); /* repeated indices are fine */
    OK(add_op(model, OH_NN_OPS_SPLIT, NULL, 0, in, 1, out, 200));
    cr_assert_eq(model->store->graph.node_count, 3u);
    in[0] = 99;
    cr_assert_eq(model->store->graph.nodes[0].inputs[0], 0u, "the indices are copied");
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

/* A parameter of shape dims with contents of its size; data NULL leaves it without. */
static uint32_t parameter(OH_NNModel *model, OH_NN_TensorType type, OH_NN_DataType dtype, const int32_t *dims,
                          size_t rank, const void *data, size_t size) {
    const uint32_t index = tensor(model, dtype, dims, rank);
    OK(OH_NNModel_SetTensorType(model, index, type));
    if (data != NULL) OK(OH_NNModel_SetTensorData(model, index, data, size));
    return index;
}

Test(model, parameters_need_data_and_a_static_shape) {
    static const int32_t one[1] = {1}, moving[1] = {-1}, eleven[2] = {1, 1};
    static const int64_t axis = 1;
    OH_NNModel *model = small_model();
    uint32_t in[2] = {0, 1}, out[1] = {2}, p[4];
    p[0] = parameter(model, OH_NN_CONCAT_AXIS, OH_NN_INT64, one, 1, NULL, 0);
    p[1] = parameter(model, OH_NN_CONCAT_AXIS, OH_NN_INT64, moving, 1, NULL, 0);
    p[2] = parameter(model, OH_NN_CONCAT_AXIS, OH_NN_INT64, eleven, 2, &axis, 8);
    p[3] = parameter(model, OH_NN_SPLIT_OUTPUT_NUM, OH_NN_INT64, one, 1, NULL, 0);
    REFUSED(add_op(model, OH_NN_OPS_CONCAT, p, 1, in, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_CONCAT, p + 1, 1, in, 2, out, 1), IP);
    REFUSED(add_op(model, OH_NN_OPS_SPLIT, p + 3, 1, in, 1, out, 1), IP);
    OK(add_op(model, OH_NN_OPS_CONCAT, p + 2, 1, in, 2, out, 1));
    OK(OH_NNModel_SetTensorData(model, p[0], &axis, 8));
    OK(add_op(model, OH_NN_OPS_CONCAT, p, 1, in, 2, out, 1));
    OH_NNModel_Destroy(&model);
}

Test(model, layer_norm_parameters_are_scalars_and_space_to_batch_lists_have_their_rank) {
    static const int32_t one[1] = {1}, two[1] = {2}, row[2] = {1, 2}, four[1] = {4}, square[2] = {2, 2}, dims[1] = {3};
    static const int64_t list[4] = {1, 1, 1, 1};
    static const float epsilon = 0.5f;
    OH_NNModel *model = small_model();
    uint32_t in[3] = {0, 0, 0}, out[1] = {2}, p;
    in[1] = in[2] = tensor(model, OH_NN_FLOAT32, dims, 1);
    p = parameter(model, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, OH_NN_INT64, one, 1, list, 8);
    REFUSED(add_op(model, OH_NN_OPS_LAYER_NORM, &p, 1, in, 3, out, 1), IP);
    p = parameter(model, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, OH_NN_INT64, NULL, 0, list, 8);
    OK(add_op(model, OH_NN_OPS_LAYER_NORM, &p, 1, in, 3, out, 1));
    p = parameter(model, OH_NN_LAYER_NORM_EPSILON, OH_NN_FLOAT32, one, 1, &epsilon, 4);
    REFUSED(add_op(model, OH_NN_OPS_LAYER_NORM, &p, 1, in, 3, out, 1), IP);
    p = parameter(model, OH_NN_LAYER_NORM_EPSILON, OH_NN_FLOAT32, NULL, 0, &epsilon, 4);
    OK(add_op(model, OH_NN_OPS_LAYER_NORM, &p, 1, in, 3, out, 1));
    p = parameter(model, OH_NN_LAYER_NORM_BEGIN_PARAM_AXIS, OH_NN_INT64, one, 1, list, 8);
    REFUSED(add_op(model, OH_NN_OPS_LAYER_NORM, &p, 1, in, 3, out, 1), IP);
    p = parameter(model, OH_NN_LAYER_NORM_ELEMENTWISE_AFFINE, OH_NN_BOOL, NULL, 0, list, 1);
    REFUSED(add_op(model, OH_NN_OPS_LAYER_NORM, &p, 1, in, 3, out, 1), IP);
    p = parameter(model, OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE, OH_NN_INT64, row, 2, list, 16);
    REFUSED(add_op(model, OH_NN_OPS_SPACE_TO_BATCH_ND, &p, 1, in, 1, out, 1), IP);
    p = parameter(model, OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE, OH_NN_INT64, two, 1, list, 16);
    OK(add_op(model, OH_NN_OPS_SPACE_TO_BATCH_ND, &p, 1, in, 1, out, 1));
    p = parameter(model, OH_NN_SPACE_TO_BATCH_ND_PADDINGS, OH_NN_INT64, four, 1, list, 32);
    REFUSED(add_op(model, OH_NN_OPS_SPACE_TO_BATCH_ND, &p, 1, in, 1, out, 1), IP);
    p = parameter(model, OH_NN_SPACE_TO_BATCH_ND_PADDINGS, OH_NN_INT64, square, 2, list, 32);
    OK(add_op(model, OH_NN_OPS_SPACE_TO_BATCH_ND, &p, 1, in, 1, out, 1));
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

Test(model, specify_checks_in_order) {
    OH_NNModel *model = small_model();
    uint32_t in[201], out[1] = {2}, bad[1] = {4}, param[1] = {3}, i;
    OH_NN_UInt32Array inputs, outputs = array_of(out, 1), empty = array_of(NULL, 0), wrong;
    for (i = 0; i < 201; i++) in[i] = 0;
    inputs = array_of(in, 200);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(NULL, &inputs, &outputs), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, NULL, &outputs), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, NULL), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &empty, &outputs), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &empty), IP);
    wrong = array_of(in, 201);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &wrong, &outputs), IP);
    wrong = array_of(NULL, 1);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &wrong, &outputs), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &wrong), IP);
    wrong = array_of(bad, 1);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &wrong, &outputs), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &wrong), IP);
    wrong = array_of(param, 1);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &wrong, &outputs), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &wrong), IP);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &inputs), IP);
    cr_assert_eq((int)model->state, (int)NNRT__MODEL_BUILDING);
    OK(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &outputs));
    cr_assert(model->store->graph.input_count == 200 && model->store->graph.outputs[0] == 2);
    REFUSED(OH_NNModel_SpecifyInputsAndOutputs(model, &wrong, &outputs), FORBIDDEN);
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

/* --------------------------------------------------------------------------------- GetAvailableOperations */

Test(model, available_operations_come_from_the_device_in_order) {
    const size_t device = adding_device();
    OH_NNModel *model = small_model();
    uint32_t in[2] = {0, 1}, out[1] = {2}, count = 0;
    const bool *supported = NULL, *again = NULL, taken = false, *not_null = &taken;
    OK(add_op(model, OH_NN_OPS_MUL, NULL, 0, in, 2, out, 1));
    OK(add_the_op(model));
    OK(add_op(model, OH_NN_OPS_RELU, NULL, 0, in, 1, out, 1));
    OK(specify(model));
    REFUSED(OH_NNModel_GetAvailableOperations(model, device, &supported, &count), FORBIDDEN);
    OK(OH_NNModel_Finish(model));
    REFUSED(OH_NNModel_GetAvailableOperations(NULL, device, &supported, &count), IP);
    REFUSED(OH_NNModel_GetAvailableOperations(model, device, NULL, &count), IP);
    REFUSED(OH_NNModel_GetAvailableOperations(model, device, &not_null, &count), IP);
    REFUSED(OH_NNModel_GetAvailableOperations(model, device, &supported, NULL), IP);
    REFUSED(OH_NNModel_GetAvailableOperations(model, device + 12345, &supported, &count), OH_NN_FAILED);
    cr_assert(supported == NULL && count == 0);
    OK(OH_NNModel_GetAvailableOperations(model, device, &supported, &count));
    cr_assert(count == 3 && !supported[0] && supported[1] && !supported[2]);
    counting_fail_at(0);
    REFUSED(OH_NNModel_GetAvailableOperations(model, device, &again, &count), OH_NN_MEMORY_ERROR);
    counting_fail_never();
    cr_assert(supported[1], "a failure keeps the last answer");
    OK(OH_NNModel_GetAvailableOperations(model, device, &again, &count));
    OH_NNModel_Destroy(&model);
}

/* ------------------------------------------------------------------------------------------------- memory */

/* Builds a model with every kind of part; stops at the first failure, which must be of memory. */
static OH_NNModel *whole_model(void) {
    static const int32_t dims[2] = {2, 3};
    static const double scale[1] = {0.5};
    static const int32_t zero[1] = {0};
    static const uint32_t bits[1] = {8};
    static const int8_t relu = 1;
    const OH_NN_QuantParam quant = {1, bits, scale, zero};
    const OH_NN_Tensor old = {OH_NN_INT8, 2, dims, &quant, OH_NN_TENSOR};
    OH_NNModel *model = OH_NNModel_Construct();
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t in[2] = {0, 1}, out[1] = {2}, params[1] = {10}, i;
    const OH_NN_UInt32Array input = array_of(in, 2), output = array_of(out, 1), param = array_of(params, 1);
    NN_TensorDesc *desc;
    if (model == NULL) return NULL;
    for (i = 0; i < 10 && code == OH_NN_SUCCESS; i++) {
        code = OH_NNModel_AddTensor(model, &old);
        cr_assert_eq(model->store->graph.tensor_count, i + (code == OH_NN_SUCCESS ? 1u : 0u));
    }
    if (code == OH_NN_SUCCESS) {
        desc = OH_NNTensorDesc_Create();
        code = desc == NULL ? OH_NN_MEMORY_ERROR : OH_NNTensorDesc_SetDataType(desc, OH_NN_INT8);
        if (code == OH_NN_SUCCESS) code = OH_NNModel_AddTensorToModel(model, desc);
        if (desc != NULL) OK(OH_NNTensorDesc_Destroy(&desc));
    }
    if (code == OH_NN_SUCCESS) code = OH_NNModel_SetTensorType(model, 10, OH_NN_ADD_ACTIVATIONTYPE);
    if (code == OH_NN_SUCCESS) code = OH_NNModel_SetTensorData(model, 10, &relu, 1);
    for (i = 0; i < 10 && code == OH_NN_SUCCESS; i++) {
        code = OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, &param, &input, &output);
        cr_assert_eq(model->store->graph.node_count, i + (code == OH_NN_SUCCESS ? 1u : 0u));
    }
    if (code == OH_NN_SUCCESS) code = OH_NNModel_SpecifyInputsAndOutputs(model, &input, &output);
    if (code == OH_NN_SUCCESS) code = OH_NNModel_Finish(model);
    if (code == OH_NN_SUCCESS) return model;
    cr_assert_eq((int)code, (int)OH_NN_MEMORY_ERROR, "%s", nnrt_last_error());
    OH_NNModel_Destroy(&model);
    return NULL;
}

Test(model, every_failed_allocation_leaves_nothing_behind) {
    OH_NNModel *model = NULL;
    long n;
    for (n = 0; model == NULL; n++) {
        counting_fail_at(n);
        model = whole_model();
        cr_assert_eq(model == NULL, counting_failed(), "allocation %ld", n);
        if (model == NULL) cr_assert_eq(counting_live(), 0, "allocation %ld", n);
        cr_assert_lt(n, 200);
    }
    cr_assert_gt(n, 40);
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

Test(model, a_failed_allocation_can_be_repeated) {
    OH_NNModel *model = small_model();
    long n;
    OH_NN_ReturnCode code = OH_NN_MEMORY_ERROR;
    for (n = 0; code != OH_NN_SUCCESS; n++) {
        counting_fail_at(n);
        code = add_the_op(model);
        cr_assert(code == OH_NN_SUCCESS || (code == OH_NN_MEMORY_ERROR && model->store->graph.node_count == 0));
    }
    counting_fail_at(0);
    REFUSED(specify(model), OH_NN_MEMORY_ERROR);
    counting_fail_never();
    OK(specify(model));
    OK(OH_NNModel_Finish(model));
    OH_NNModel_Destroy(&model);
    cr_assert_eq(counting_live(), 0);
}

/* ------------------------------------------------------------------------ the store, for readers of files */

Test(graph_store, borrowed_data_stay_where_they_are_and_copied_data_do_not) {
    static const int32_t dims[1] = {4};
    int8_t data[4] = {1, 2, 3, 4};
    nnrt__graph_store *store = nnrt__graph_store_new();
    nnrt_tensor_info info;
    uint32_t index = 99;
    memset(&info, 0, sizeof(info));
    info.dtype = OH_NN_INT8;
    info.rank = 1;
    info.dims = dims;
    info.data = data;
    info.data_size = 4;
    OK(nnrt__graph_add_tensor(store, &info, false, &index));
    cr_assert(index == 0 && store->tensors[0].data == data);
    OK(nnrt__graph_add_tensor(store, &info, true, &index));
    cr_assert(index == 1 && store->tensors[1].data != data && memcmp(store->tensors[1].data, data, 4) == 0);
    info.data_size = 3;
    REFUSED(nnrt__graph_add_tensor(store, &info, false, NULL), IP);
    info.data_size = 5;
    REFUSED(nnrt__graph_add_tensor(store, &info, false, NULL), IP);
    info.data_size = 0;
    info.dtype = OH_NN_UNKNOWN;
    REFUSED(nnrt__graph_add_tensor(store, &info, false, NULL), IP);
    info.data = NULL;
    OK(nnrt__graph_add_tensor(store, &info, false, NULL));
    info.type = (OH_NN_TensorType)163;
    REFUSED(nnrt__graph_add_tensor(store, &info, false, NULL), IP);
    info.type = OH_NN_TENSOR;
    info.format = (OH_NN_Format)4;
    REFUSED(nnrt__graph_add_tensor(store, &info, false, NULL), IP);
    nnrt__graph_store_release(store);
    cr_assert_eq(counting_live(), 0);
}

Test(graph_store, quantization_lists_that_are_missing_are_filled_in_or_refused) {
    static const double scales[3] = {1.0, 2.0, 3.0};
    static const int32_t dims[2] = {2, 3};
    nnrt__graph_store *store = nnrt__graph_store_new();
    nnrt_tensor_info info;
    memset(&info, 0, sizeof(info));
    info.dtype = OH_NN_INT16;
    info.rank = 2;
    info.dims = dims;
    info.quant.count = 3;
    info.quant.axis = 1;
    REFUSED(nnrt__graph_add_tensor(store, &info, true, NULL), IP);
    info.quant.scales = scales;
    OK(nnrt__graph_add_tensor(store, &info, true, NULL));
    cr_assert(store->tensors[0].quant.axis == 1 && store->tensors[0].quant.scales[2] == 3.0);
    cr_assert(store->tensors[0].quant.zero_points[2] == 0 && store->tensors[0].quant.num_bits[2] == 16);
    nnrt__graph_store_release(store);
    cr_assert_eq(counting_live(), 0);
}
