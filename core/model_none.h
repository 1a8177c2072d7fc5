/* SPDX-License-Identifier: Apache-2.0 */
/* core/model_none.h - with NNRT_PLANS_ONLY: there are no graphs, and every call that makes one or asks about one is
   refused.   >>model_none */
#ifndef NNRT_CORE_MODEL_NONE_H
#define NNRT_CORE_MODEL_NONE_H

#include "api.h"
#include "graph.h"

struct OH_NNModel {
    nnrt__graph_store *store;
};

NNRT__FN OH_NN_ReturnCode nnrt__model_none(void) { return nnrt__fail(OH_NN_UNSUPPORTED, "%s", NNRT__PLANS_ONLY_TEXT); }

NNRT_API OH_NNModel *OH_NNModel_Construct(void) {
    (void)nnrt__model_none();
    return NULL;
}

NNRT_API void OH_NNModel_Destroy(OH_NNModel **model) {
    (void)model;
    (void)nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_AddTensorToModel(OH_NNModel *model, const NN_TensorDesc *tensorDesc) {
    (void)model;
    (void)tensorDesc;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_AddTensor(OH_NNModel *model, const OH_NN_Tensor *tensor) {
    (void)model;
    (void)tensor;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorData(OH_NNModel *model, uint32_t index, const void *dataBuffer,
                                                   size_t length) {
    (void)model;
    (void)index;
    (void)dataBuffer;
    (void)length;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorQuantParams(OH_NNModel *model, uint32_t index,
                                                          NN_QuantParam *quantParam) {
    (void)model;
    (void)index;
    (void)quantParam;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SetTensorType(OH_NNModel *model, uint32_t index, OH_NN_TensorType tensorType) {
    (void)model;
    (void)index;
    (void)tensorType;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_AddOperation(OH_NNModel *model, OH_NN_OperationType op,
                                                  const OH_NN_UInt32Array *paramIndices,
                                                  const OH_NN_UInt32Array *inputIndices,
                                                  const OH_NN_UInt32Array *outputIndices) {
    (void)model;
    (void)op;
    (void)paramIndices;
    (void)inputIndices;
    (void)outputIndices;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_SpecifyInputsAndOutputs(OH_NNModel *model, const OH_NN_UInt32Array *inputIndices,
                                                             const OH_NN_UInt32Array *outputIndices) {
    (void)model;
    (void)inputIndices;
    (void)outputIndices;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode nnrt_model_add_state(OH_NNModel *model, uint32_t tensor, uint32_t next) {
    (void)model;
    (void)tensor;
    (void)next;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_Finish(OH_NNModel *model) {
    (void)model;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode OH_NNModel_GetAvailableOperations(OH_NNModel *model, size_t deviceID,
                                                            const bool **isSupported, uint32_t *opCount) {
    (void)model;
    (void)deviceID;
    (void)isSupported;
    (void)opCount;
    return nnrt__model_none();
}

NNRT_API OH_NN_ReturnCode nnrt_model_get_reason(const OH_NNModel *model, size_t device_id, uint32_t operation,
                                                char *text, size_t size) {
    (void)model;
    (void)device_id;
    (void)operation;
    (void)text;
    (void)size;
    return nnrt__model_none();
}

#endif /* NNRT_CORE_MODEL_NONE_H */
