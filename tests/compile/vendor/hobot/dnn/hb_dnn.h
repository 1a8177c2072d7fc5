/* SPDX-License-Identifier: Apache-2.0 */
/* hb_dnn.h - a stand-in for Horizon's header of this name for S100 and S600, with the parts that nnrt compares. */
#ifndef NNRT_TESTS_HOBOT_HB_DNN_H
#define NNRT_TESTS_HOBOT_HB_DNN_H

#include "hobot/hb_ucp.h"
#include "hobot/hb_ucp_sys.h"

#define HB_DNN_TENSOR_MAX_DIMENSIONS 10

#ifdef __cplusplus
extern "C" {
#endif

typedef void *hbDNNPackedHandle_t;
typedef void *hbDNNHandle_t;

typedef enum {
    HB_DNN_TENSOR_TYPE_S4,
    HB_DNN_TENSOR_TYPE_U4,
    HB_DNN_TENSOR_TYPE_S8,
    HB_DNN_TENSOR_TYPE_U8,
    HB_DNN_TENSOR_TYPE_F16,
    HB_DNN_TENSOR_TYPE_S16,
    HB_DNN_TENSOR_TYPE_U16,
    HB_DNN_TENSOR_TYPE_F32,
    HB_DNN_TENSOR_TYPE_S32,
    HB_DNN_TENSOR_TYPE_U32,
    HB_DNN_TENSOR_TYPE_F64,
    HB_DNN_TENSOR_TYPE_S64,
    HB_DNN_TENSOR_TYPE_U64,
    HB_DNN_TENSOR_TYPE_BOOL8,
    HB_DNN_TENSOR_TYPE_MAX
} hbDNNDataType;

typedef enum {
    NONE,
    SCALE
} hbDNNQuantiType;

typedef struct hbDNNTensorShape {
    int32_t dimensionSize[HB_DNN_TENSOR_MAX_DIMENSIONS];
    int32_t numDimensions;
} hbDNNTensorShape;

typedef struct hbDNNQuantiScale {
    int32_t scaleLen;
    float *scaleData;
    int32_t zeroPointLen;
    int32_t *zeroPointData;
} hbDNNQuantiScale;

typedef struct hbDNNTensorProperties {
    hbDNNTensorShape validShape;
    int32_t tensorType;
    hbDNNQuantiScale scale;
    hbDNNQuantiType quantiType;
    int32_t quantizeAxis;
    int64_t alignedByteSize;
    int64_t stride[HB_DNN_TENSOR_MAX_DIMENSIONS];
} hbDNNTensorProperties;

typedef struct hbDNNTensor {
    hbUCPSysMem sysMem;
    hbDNNTensorProperties properties;
} hbDNNTensor;

char const *hbDNNGetVersion(void);
int32_t hbDNNInitializeFromFiles(hbDNNPackedHandle_t *packed, char const **files, int32_t count);
int32_t hbDNNInitializeFromDDR(hbDNNPackedHandle_t *packed, const void **data, int32_t *sizes, int32_t count);
int32_t hbDNNRelease(hbDNNPackedHandle_t packed);
int32_t hbDNNGetModelNameList(char const ***names, int32_t *count, hbDNNPackedHandle_t packed);
int32_t hbDNNGetModelHandle(hbDNNHandle_t *model, hbDNNPackedHandle_t packed, char const *name);
int32_t hbDNNGetInputCount(int32_t *count, hbDNNHandle_t model);
int32_t hbDNNGetInputName(char const **name, hbDNNHandle_t model, int32_t index);
int32_t hbDNNGetInputTensorProperties(hbDNNTensorProperties *properties, hbDNNHandle_t model, int32_t index);
int32_t hbDNNGetOutputCount(int32_t *count, hbDNNHandle_t model);
int32_t hbDNNGetOutputName(char const **name, hbDNNHandle_t model, int32_t index);
int32_t hbDNNGetOutputTensorProperties(hbDNNTensorProperties *properties, hbDNNHandle_t model, int32_t index);
int32_t hbDNNInferV2(hbUCPTaskHandle_t *task, hbDNNTensor *output, hbDNNTensor const *input, hbDNNHandle_t model);
int32_t hbDNNGetTaskOutputTensorProperties(hbDNNTensorProperties *properties, hbUCPTaskHandle_t task, int32_t run,
                                           int32_t output);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_HOBOT_HB_DNN_H */
