/* SPDX-License-Identifier: Apache-2.0 */
/* core/model.h - the OH_NNModel_* functions: a graph built call by call, and its state machine.   >>model

   The graph itself lives in a nnrt__graph_store, which compilations share: a model may be destroyed as
   soon as OH_NNCompilation_Construct has returned. Tensors are numbered in the order in which they are
   added. */
#ifndef NNRT_CORE_MODEL_H
#define NNRT_CORE_MODEL_H

#include "api.h"
#include "desc.h"
#include "graph.h"
#include "log.h"
#include "registry.h"

#ifndef NNRT_PLANS_ONLY

typedef enum nnrt__model_state {
    NNRT__MODEL_BUILDING = 0,
    NNRT__MODEL_SPECIFIED = 1, /* building, and the inputs and outputs are named */
    NNRT__MODEL_FINISHED = 2,
    NNRT__MODEL_INCOMPLETE = 3 /* Finish found an incomplete node: finished, but cannot be compiled */
} nnrt__model_state;

typedef enum nnrt__model_call {
    NNRT__CALL_ADD_TENSOR = 0, /* OH_NNModel_AddTensorToModel, OH_NNModel_AddTensor */
    NNRT__CALL_SET_TENSOR = 1, /* OH_NNModel_SetTensorData, ...QuantParams, ...Type */
    NNRT__CALL_ADD_OPERATION = 2,
    NNRT__CALL_SPECIFY = 3,
    NNRT__CALL_FINISH = 4,
    NNRT__CALL_AVAILABLE = 5
} nnrt__model_call;

struct OH_NNModel {
    nnrt__graph_store *store;
    nnrt__model_state state;
    bool *available; /* the last answer of GetAvailableOperations */
};

/* The state machine: NULL if a call is allowed, else why it is OH_NN_OPERATION_FORBIDDEN. Specify leads from BUILDING
   to SPECIFIED, Finish from SPECIFIED to FINISHED or INCOMPLETE; in BUILDING Finish itself reports what is missing. */
NNRT__FN const char *nnrt__model_forbids(nnrt__model_state state, nnrt__model_call call) {
    static const char finished[] = NNRT__WHY("the model is finished and cannot be changed");
    static const char named[] = NNRT__WHY("the inputs and outputs of the model are specified already");
    static const char building[] = NNRT__WHY("the model is not finished");
    static const char incomplete[] = NNRT__WHY("finishing the model failed");
    static const char *const table[4][6] = {
        /*               add tensor set tensor add operation specify   finish    available */
        /* BUILDING   */ {NULL, NULL, NULL, NULL, NULL, building},
        /* SPECIFIED  */ {NULL, NULL, NULL, named, NULL, building},
        /* FINISHED   */ {finished, finished, finished, finished, finished, NULL},
        /* INCOMPLETE */ {finished, finished, finished, finished, finished, incomplete}};
    NNRT_ASSERT((unsigned)state < NNRT__COUNT_OF(table) && (unsigned)call < NNRT__COUNT_OF(table[0]));
    return table[state][call];
}

NNRT__FN OH_NN_ReturnCode nnrt__model_allows(const OH_NNModel *model, nnrt__model_call call, const char *function) {
    const char *why = nnrt__model_forbids(model->state, call);
    return why == NULL ? OH_NN_SUCCESS : nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: %s", function, why);
}

NNRT__FN OH_NN_ReturnCode nnrt__model_has_tensor(const OH_NNModel *model, uint32_t index, const char *function) {
    if (index < model->store->graph.tensor_count) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no tensor %u, the model has %u", function, index,
                      model->store->graph.tensor_count);
}

NNRT__FN bool nnrt__is_tensor_type(OH_NN_TensorType type) { return (unsigned)type <= (unsigned)OH_NN_REDUCE_L2_COEFF; }

/* --------------------------------------------------------------------------------------------------- life */

NNRT_API OH_NNModel *OH_NNModel_Construct(void) {
    OH_NNModel *model = (OH_NNModel *)nnrt__alloc_zero(1, sizeof(*model));
    if (model != NULL) model->store = nnrt__graph_store_new();
    if (model == NULL || model->store == NULL) {
        nnrt__free(model);
        (void)nnrt__fail_memory();
        return NULL;
    }
    return model;
}

NNRT_API void OH_NNModel_Destroy(OH_NNModel **model) {
    if (model == NULL || *model == NULL) {
        (void)nnrt__fail_null("OH_NNModel_Destroy", model == NULL ? "model" : "*model");
        return;
    }
    nnrt__graph_store_release((*model)->store);
    nnrt__free((*model)->available);
    nnrt__free(*model);
    *model = NULL;
}

/* ------------------------------------------------------------------------------------------------ tensors */

NNRT_API OH_NN_ReturnCode OH_NNModel_AddTensorToModel(OH_NNModel *model, const NN_TensorDesc *tensorDesc) {
    nnrt_tensor_info info;
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null("OH_NNModel_AddTensorToModel", "model");
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNModel_AddTensorToModel", "tensorDesc");
    code = nnrt__model_allows(model, NNRT__CALL_ADD_TENSOR, "OH_NNModel_AddTensorToModel");
    if (code != OH_NN_SUCCESS) return code;
    memset(&info, 0, sizeof(info));
    info.name = tensorDesc->name;
    info.dtype = tensorDesc->dtype;
    info.format = tensorDesc->format;
    info.rank = tensorDesc->rank;
    info.dims = tensorDesc->dims;
    return nnrt__graph_add_tensor(model->store, &info, true, NULL);
}

/* Refuses widths that kernels do not know. */
NNRT__FN OH_NN_ReturnCode nnrt__check_num_bits(const uint32_t *num_bits, size_t count, const char *function) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (num_bits[i] != 8 && num_bits[i] != 16) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %u quantization bits; 8 and 16 are possible", function,
                              num_bits[i]);
        }
    }
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNModel_AddTensor(OH_NNModel *model, const OH_NN_Tensor *tensor) {
    static const char function[] = "OH_NNModel_AddTensor";
    const OH_NN_QuantParam *quant;
    nnrt_tensor_info info;
    size_t size;
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (tensor == NULL) return nnrt__fail_null(function, "tensor");
    code = nnrt__model_allows(model, NNRT__CALL_ADD_TENSOR, function);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__is_dtype(tensor->dataType)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %d is no data type", function, (int)tensor->dataType);
    }
    if (!nnrt__is_tensor_type(tensor->type)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %d is no tensor type", function, (int)tensor->type);
    }
    if ((tensor->dimensions == NULL) != (tensor->dimensionCount == 0)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: dimensions must be NULL exactly when dimensionCount is 0",
                          function);
    }
    code = nnrt__check_shape(tensor->dataType, tensor->dimensionCount, tensor->dimensions, &size);
    if (code != OH_NN_SUCCESS) return code;
    memset(&info, 0, sizeof(info));
    quant = tensor->quantParam;
    if (quant != NULL) {
        if (quant->numBits == NULL || quant->scale == NULL || quant->zeroPoint == NULL) {
            return nnrt__fail_null(function, "a list of quantParam");
        }
        code = nnrt__check_num_bits(quant->numBits, quant->quantCount, function);
        if (code != OH_NN_SUCCESS) return code;
        info.quant.count = quant->quantCount;
        info.quant.scales = quant->scale;
        info.quant.zero_points = quant->zeroPoint;
        info.quant.num_bits = quant->numBits;
    }
    info.dtype = tensor->dataType;
    info.type = tensor->type;
    info.rank = tensor->dimensionCount;
    info.dims = tensor->dimensions;
    return nnrt__graph_add_tensor(model->store, &info, true, NULL);
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorData(OH_NNModel *model, uint32_t index, const void *dataBuffer,
                                                   size_t length) {
    static const char function[] = "OH_NNModel_SetTensorData";
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (dataBuffer == NULL) return nnrt__fail_null(function, "dataBuffer");
    if (length == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: length is 0", function);
    code = nnrt__model_allows(model, NNRT__CALL_SET_TENSOR, function);
    if (code == OH_NN_SUCCESS) code = nnrt__model_has_tensor(model, index, function);
    return code != OH_NN_SUCCESS ? code : nnrt__graph_set_data(model->store, index, dataBuffer, length);
}

/* Refused parameters also remove the tensor's earlier ones, as in OpenHarmony. */
NNRT__FN OH_NN_ReturnCode nnrt__clear_quant(OH_NNModel *model, uint32_t index, OH_NN_ReturnCode code) {
    nnrt_quant none;
    memset(&none, 0, sizeof(none));
    (void)nnrt__graph_set_quant(model->store, index, &none);
    return code;
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorQuantParams(OH_NNModel *model, uint32_t index,
                                                          NN_QuantParam *quantParam) {
    static const char function[] = "OH_NNModel_SetTensorQuantParams";
    nnrt_quant quant;
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (quantParam == NULL) return nnrt__fail_null(function, "quantParam");
    code = nnrt__model_allows(model, NNRT__CALL_SET_TENSOR, function);
    if (code == OH_NN_SUCCESS) code = nnrt__model_has_tensor(model, index, function);
    if (code != OH_NN_SUCCESS) return code;
    if (quantParam->scale_count != quantParam->zero_point_count ||
        quantParam->scale_count != quantParam->num_bits_count || quantParam->scale_count > UINT32_MAX) {
        code = nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %zu scales, %zu zero points, %zu bit widths", function,
                          quantParam->scale_count, quantParam->zero_point_count, quantParam->num_bits_count);
        return nnrt__clear_quant(model, index, code);
    }
    code = nnrt__check_num_bits(quantParam->num_bits, quantParam->num_bits_count, function);
    if (code != OH_NN_SUCCESS) return nnrt__clear_quant(model, index, code);
    quant.count = (uint32_t)quantParam->scale_count;
    quant.axis = 0;
    quant.scales = quantParam->scales;
    quant.zero_points = quantParam->zero_points;
    quant.num_bits = quantParam->num_bits;
    return nnrt__graph_set_quant(model->store, index, &quant);
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorType(OH_NNModel *model, uint32_t index, OH_NN_TensorType tensorType) {
    static const char function[] = "OH_NNModel_SetTensorType";
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (!nnrt__is_tensor_type(tensorType)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %d is no tensor type", function, (int)tensorType);
    }
    code = nnrt__model_allows(model, NNRT__CALL_SET_TENSOR, function);
    if (code == OH_NN_SUCCESS) code = nnrt__model_has_tensor(model, index, function);
    if (code == OH_NN_SUCCESS) model->store->tensors[index].type = tensorType;
    return code;
}

/* --------------------------------------------------------------------------------------------- operations */

/* data must be NULL exactly when size is 0. */
NNRT__FN OH_NN_ReturnCode nnrt__check_array(const OH_NN_UInt32Array *array, const char *function, const char *name) {
    if ((array->data == NULL) == (array->size == 0)) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s has %s", function, name,
                      array->data == NULL ? "a size and no data" : "data and size 0");
}

/* The parameter in tensor index, for op. Only here is the rank of its tensor known. */
NNRT__FN OH_NN_ReturnCode nnrt__param_of_tensor(const OH_NNModel *model, OH_NN_OperationType op, uint32_t index,
                                                nnrt_param *param) {
    const nnrt__op_row *row = nnrt__op_find((int)op);
    const nnrt_tensor_info *tensor;
    const nnrt__param_row *rule;
    OH_NN_ReturnCode code = nnrt__model_has_tensor(model, index, "OH_NNModel_AddOperation");
    uint32_t i, count = 1;
    if (code != OH_NN_SUCCESS) return code;
    tensor = &model->store->tensors[index];
    rule = row != NULL ? nnrt__op_param(row, tensor->type) : NULL;
    if (rule != NULL && nnrt__param_rank(rule) >= 0 && (int)tensor->rank != nnrt__param_rank(rule)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s has %u dimensions and must have %d", rule->name, tensor->rank,
                          nnrt__param_rank(rule));
    }
    for (i = 0; i < tensor->rank; i++) count = tensor->dims[i] == -1 ? 0 : count * (uint32_t)tensor->dims[i];
    param->type = tensor->type;
    param->dtype = tensor->dtype;
    param->count = count;
    param->data = tensor->data;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNModel_AddOperation(OH_NNModel *model, OH_NN_OperationType op,
                                                  const OH_NN_UInt32Array *paramIndices,
                                                  const OH_NN_UInt32Array *inputIndices,
                                                  const OH_NN_UInt32Array *outputIndices) {
    static const char function[] = "OH_NNModel_AddOperation";
    nnrt_param params[NNRT__MAX_PARAMS];
    OH_NN_ReturnCode code;
    uint32_t i;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (paramIndices == NULL) return nnrt__fail_null(function, "paramIndices");
    if (inputIndices == NULL) return nnrt__fail_null(function, "inputIndices");
    if (outputIndices == NULL) return nnrt__fail_null(function, "outputIndices");
    code = nnrt__model_allows(model, NNRT__CALL_ADD_OPERATION, function);
    if (code == OH_NN_SUCCESS && (int)op > (int)NNRT__OPS_OF_PROGRAMS)
        code = nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no operator %d", function, (int)op);
    if (code == OH_NN_SUCCESS) code = nnrt__check_array(inputIndices, function, "inputIndices");
    if (code == OH_NN_SUCCESS) code = nnrt__check_array(outputIndices, function, "outputIndices");
    if (code == OH_NN_SUCCESS) {
        code = nnrt__check_io(model->store, inputIndices->data, inputIndices->size, outputIndices->data,
                              outputIndices->size);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__check_array(paramIndices, function, "paramIndices");
    if (code != OH_NN_SUCCESS) return code;
    if (paramIndices->size > NNRT__MAX_PARAMS) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %u parameters; no operator takes more than %u", function,
                          paramIndices->size, NNRT__MAX_PARAMS);
    }
    for (i = 0; i < paramIndices->size; i++) {
        code = nnrt__param_of_tensor(model, op, paramIndices->data[i], &params[i]);
        if (code != OH_NN_SUCCESS) return code;
    }
    return nnrt__graph_add_node(model->store, op, inputIndices->data, inputIndices->size, outputIndices->data,
                                outputIndices->size, params, paramIndices->size);
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SpecifyInputsAndOutputs(OH_NNModel *model, const OH_NN_UInt32Array *inputIndices,
                                                             const OH_NN_UInt32Array *outputIndices) {
    static const char function[] = "OH_NNModel_SpecifyInputsAndOutputs";
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (inputIndices == NULL) return nnrt__fail_null(function, "inputIndices");
    if (outputIndices == NULL) return nnrt__fail_null(function, "outputIndices");
    code = nnrt__model_allows(model, NNRT__CALL_SPECIFY, function);
    if (code == OH_NN_SUCCESS) code = nnrt__check_array(inputIndices, function, "inputIndices");
    if (code == OH_NN_SUCCESS) code = nnrt__check_array(outputIndices, function, "outputIndices");
    if (code == OH_NN_SUCCESS) {
        code = nnrt__graph_set_io(model->store, inputIndices->data, inputIndices->size, outputIndices->data,
                                  outputIndices->size);
    }
    NNRT_ASSERT(code != OH_NN_SUCCESS || model->state == NNRT__MODEL_BUILDING);
    if (code == OH_NN_SUCCESS) model->state = NNRT__MODEL_SPECIFIED;
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_model_add_state(OH_NNModel *model, uint32_t tensor, uint32_t next) {
    static const char function[] = "nnrt_model_add_state";
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null(function, "model");
    code = nnrt__model_allows(model, NNRT__CALL_SET_TENSOR, function);
    return code != OH_NN_SUCCESS ? code : nnrt__graph_add_state(model->store, tensor, next);
}

NNRT_API OH_NN_ReturnCode OH_NNModel_Finish(OH_NNModel *model) {
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null("OH_NNModel_Finish", "model");
    code = nnrt__model_allows(model, NNRT__CALL_FINISH, "OH_NNModel_Finish");
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__graph_finish(model->store);
    NNRT_ASSERT(code != OH_NN_SUCCESS || model->state == NNRT__MODEL_SPECIFIED); /* the store says what is missing */
    NNRT_ASSERT((code == OH_NN_SUCCESS) == nnrt__graph_store_complete(model->store));
    if (code == OH_NN_SUCCESS) model->state = NNRT__MODEL_FINISHED;
    if (code == OH_NN_FAILED) model->state = NNRT__MODEL_INCOMPLETE;
    return code;
}

/* nnrt_refuse_callback of the flags of all operations. */
NNRT__FN void nnrt__note_refused(void *user, uint32_t node, const char *sentence) {
    (void)sentence;
    ((bool *)user)[node] = false;
}

NNRT_API OH_NN_ReturnCode OH_NNModel_GetAvailableOperations(OH_NNModel *model, size_t deviceID,
                                                            const bool **isSupported, uint32_t *opCount) {
    static const char function[] = "OH_NNModel_GetAvailableOperations";
    const nnrt__device *device;
    const nnrt_graph *graph;
    bool *available;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (isSupported == NULL) return nnrt__fail_null(function, "isSupported");
    if (*isSupported != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: *isSupported is not NULL", function);
    if (opCount == NULL) return nnrt__fail_null(function, "opCount");
    code = nnrt__model_allows(model, NNRT__CALL_AVAILABLE, function);
    if (code != OH_NN_SUCCESS) return code;
    graph = &model->store->graph;
    device = nnrt__device_for(deviceID, graph);
    if (device == NULL) return OH_NN_FAILED;
    available = (bool *)nnrt__alloc(graph->node_count);
    if (available == NULL) return nnrt__fail_memory();
    for (i = 0; i < graph->node_count; i++) available[i] = true;
    if (nnrt__device_check_graph(device, graph, nnrt__note_refused, available) == OH_NN_MEMORY_ERROR) {
        nnrt__free(available);
        return nnrt__fail_memory();
    }
    nnrt__free(model->available);
    model->available = available;
    *isSupported = available;
    *opCount = graph->node_count;
    return OH_NN_SUCCESS;
}

/* The reason for one operation. */
typedef struct nnrt__reason {
    char *text;
    size_t size;
    uint32_t operation;
} nnrt__reason;

/* nnrt_refuse_callback: the first sentence about the operation. */
NNRT__FN void nnrt__note_reason(void *user, uint32_t node, const char *sentence) {
    const nnrt__reason *reason = (const nnrt__reason *)user;
    NNRT_ASSERT(reason->size != 0);
    if (node == reason->operation && reason->text[0] == '\0') nnrt__format(reason->text, reason->size, "%s", sentence);
}

NNRT_API OH_NN_ReturnCode nnrt_model_get_reason(const OH_NNModel *model, size_t device_id, uint32_t operation,
                                                char *text, size_t size) {
    static const char function[] = "nnrt_model_get_reason";
    const nnrt__device *device;
    char sentence[NNRT__SENTENCE_SIZE];
    nnrt__reason reason;
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_null(function, "model");
    if (text == NULL) return nnrt__fail_null(function, "text");
    if (size == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: size is 0", function);
    code = nnrt__model_allows(model, NNRT__CALL_AVAILABLE, function);
    if (code != OH_NN_SUCCESS) return code;
    if (operation >= model->store->graph.node_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no operation %u, the model has %u", function,
                          (unsigned)operation, (unsigned)model->store->graph.node_count);
    nnrt__sentence_copy(sentence, nnrt__sentence());
    device = nnrt__device_for(device_id, &model->store->graph);
    if (device == NULL) return OH_NN_FAILED;
    reason.text = text;
    reason.size = size;
    reason.operation = operation;
    text[0] = '\0';
    code = nnrt__device_check_graph(device, &model->store->graph, nnrt__note_reason, &reason);
    if (code == OH_NN_MEMORY_ERROR) return code;
    nnrt__sentence_copy(nnrt__sentence(), sentence);
    return OH_NN_SUCCESS;
}

#else
#include "model_none.h"
#endif

#endif /* NNRT_CORE_MODEL_H */
