/* SPDX-License-Identifier: Apache-2.0 */
/* hb_dnn.h - a stand-in for Horizon's header of this name, with the parts of it that nnrt compares.

   HB_DNN_VERSION_MINOR, which the command line may give, says which of the four layouts it has: 6, 9, 14, 18 and up. */
#ifndef NNRT_TESTS_HB_DNN_H
#define NNRT_TESTS_HB_DNN_H

#include "hb_sys.h"

#define HB_DNN_VERSION_MAJOR 1U
#ifndef HB_DNN_VERSION_MINOR
#define HB_DNN_VERSION_MINOR 23U
#endif
#define HB_DNN_TENSOR_MAX_DIMENSIONS 8

#ifdef __cplusplus
extern "C" {
#endif

typedef void *hbPackedDNNHandle_t;
typedef void *hbDNNHandle_t;
typedef void *hbDNNTaskHandle_t;

typedef enum {
    HB_DNN_LAYOUT_NHWC = 0,
    HB_DNN_LAYOUT_NCHW = 2,
    HB_DNN_LAYOUT_NONE = 255
} hbDNNTensorLayout;

typedef enum {
    HB_DNN_IMG_TYPE_Y,
    HB_DNN_IMG_TYPE_NV12,
    HB_DNN_IMG_TYPE_NV12_SEPARATE,
    HB_DNN_IMG_TYPE_YUV444,
    HB_DNN_IMG_TYPE_RGB,
    HB_DNN_IMG_TYPE_BGR,
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
    HB_DNN_TENSOR_TYPE_MAX
} hbDNNDataType;

typedef enum {
    NONE,
    SHIFT,
    SCALE
} hbDNNQuantiType;
typedef enum {
    HB_DNN_PRIORITY_LOWEST = 0,
    HB_DNN_PRIORITY_HIGHEST = 255
} hbDNNTaskPriority;

typedef struct {
    int32_t dimensionSize[HB_DNN_TENSOR_MAX_DIMENSIONS];
    int32_t numDimensions;
} hbDNNTensorShape;

typedef struct {
    int32_t shiftLen;
    uint8_t *shiftData;
} hbDNNQuantiShift;

typedef struct {
    int32_t scaleLen;
    float *scaleData;
#if HB_DNN_VERSION_MINOR >= 9
    int32_t zeroPointLen;
    int8_t *zeroPointData;
#endif
} hbDNNQuantiScale;

typedef struct {
    hbDNNTensorShape validShape;
    hbDNNTensorShape alignedShape;
    int32_t tensorLayout;
    int32_t tensorType;
    hbDNNQuantiShift shift;
    hbDNNQuantiScale scale;
    hbDNNQuantiType quantiType;
#if HB_DNN_VERSION_MINOR >= 14
    int32_t quantizeAxis;
#endif
    int32_t alignedByteSize;
#if HB_DNN_VERSION_MINOR >= 18
    int32_t stride[HB_DNN_TENSOR_MAX_DIMENSIONS];
#endif
} hbDNNTensorProperties;

typedef struct {
    hbSysMem sysMem[4];
    hbDNNTensorProperties properties;
} hbDNNTensor;

typedef struct {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
} hbDNNRoi;

typedef struct {
    int32_t bpuCoreId;
    int32_t dspCoreId;
    int32_t priority;
    int32_t more;
#if HB_DNN_VERSION_MINOR >= 14
    int64_t customId;
    int32_t reserved1;
    int32_t reserved2;
#else
    int32_t reserved1;
    int32_t reserved2;
    int32_t reserved3;
    int32_t reserved4;
#endif
} hbDNNInferCtrlParam;

char const *hbDNNGetVersion(void);
int32_t hbDNNInitializeFromFiles(hbPackedDNNHandle_t *packed, char const **files, int32_t count);
int32_t hbDNNInitializeFromDDR(hbPackedDNNHandle_t *packed, const void **data, int32_t *sizes, int32_t count);
int32_t hbDNNRelease(hbPackedDNNHandle_t packed);
int32_t hbDNNGetModelNameList(char const ***names, int32_t *count, hbPackedDNNHandle_t packed);
int32_t hbDNNGetModelHandle(hbDNNHandle_t *model, hbPackedDNNHandle_t packed, char const *name);
int32_t hbDNNGetInputCount(int32_t *count, hbDNNHandle_t model);
int32_t hbDNNGetInputName(char const **name, hbDNNHandle_t model, int32_t index);
int32_t hbDNNGetInputTensorProperties(hbDNNTensorProperties *properties, hbDNNHandle_t model, int32_t index);
int32_t hbDNNGetOutputCount(int32_t *count, hbDNNHandle_t model);
int32_t hbDNNGetOutputName(char const **name, hbDNNHandle_t model, int32_t index);
int32_t hbDNNGetOutputTensorProperties(hbDNNTensorProperties *properties, hbDNNHandle_t model, int32_t index);
int32_t hbDNNInfer(hbDNNTaskHandle_t *task, hbDNNTensor **output, hbDNNTensor const *input, hbDNNHandle_t model,
                   hbDNNInferCtrlParam *control);
int32_t hbDNNRoiInfer(hbDNNTaskHandle_t *task, hbDNNTensor **output, hbDNNTensor const *input, hbDNNRoi *rois,
                      int32_t count, hbDNNHandle_t model, hbDNNInferCtrlParam *control);
int32_t hbDNNWaitTaskDone(hbDNNTaskHandle_t task, int32_t timeout);
int32_t hbDNNReleaseTask(hbDNNTaskHandle_t task);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_HB_DNN_H */
