/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/vendor_check_dnn.h - the headers of version 1; a piece of vendor_check.h.   >>bpu_vendor_check_dnn */
#ifndef NNRT_BPU_VENDOR_CHECK_DNN_H
#define NNRT_BPU_VENDOR_CHECK_DNN_H

#include <stdbool.h>

#include <dnn/hb_dnn.h>
#include <dnn/hb_dnn_status.h>
#include <dnn/hb_sys.h>

NNRT__BPU_SAME(max_dims, NNRT__BPU_DNN_DIMS, HB_DNN_TENSOR_MAX_DIMENSIONS);
NNRT__BPU_SAME(nhwc, NNRT__BPU_NHWC, HB_DNN_LAYOUT_NHWC);
NNRT__BPU_SAME(nchw, NNRT__BPU_NCHW, HB_DNN_LAYOUT_NCHW);
NNRT__BPU_SAME(no_order, NNRT__BPU_NO_ORDER, HB_DNN_LAYOUT_NONE);
NNRT__BPU_SAME(y, NNRT__BPU_DNN_Y, HB_DNN_IMG_TYPE_Y);
NNRT__BPU_SAME(nv12, NNRT__BPU_DNN_NV12, HB_DNN_IMG_TYPE_NV12);
NNRT__BPU_SAME(separate, NNRT__BPU_DNN_NV12_SEPARATE, HB_DNN_IMG_TYPE_NV12_SEPARATE);
NNRT__BPU_SAME(yuv444, NNRT__BPU_DNN_YUV444, HB_DNN_IMG_TYPE_YUV444);
NNRT__BPU_SAME(rgb, NNRT__BPU_DNN_RGB, HB_DNN_IMG_TYPE_RGB);
NNRT__BPU_SAME(bgr, NNRT__BPU_DNN_BGR, HB_DNN_IMG_TYPE_BGR);
NNRT__BPU_SAME(s4, NNRT__BPU_DNN_S4, HB_DNN_TENSOR_TYPE_S4);
NNRT__BPU_SAME(s8, NNRT__BPU_DNN_S8, HB_DNN_TENSOR_TYPE_S8);
NNRT__BPU_SAME(f32, NNRT__BPU_DNN_F32, HB_DNN_TENSOR_TYPE_F32);
NNRT__BPU_SAME(s32, NNRT__BPU_DNN_S32, HB_DNN_TENSOR_TYPE_S32);
NNRT__BPU_SAME(u64, NNRT__BPU_DNN_U64, HB_DNN_TENSOR_TYPE_U64);
NNRT__BPU_SAME(types, NNRT__BPU_DNN_TYPES, HB_DNN_TENSOR_TYPE_MAX);
NNRT__BPU_SAME(none, NNRT__BPU_DNN_NONE, NONE);
NNRT__BPU_SAME(by_shift, NNRT__BPU_DNN_SHIFT, SHIFT);
NNRT__BPU_SAME(by_scale, NNRT__BPU_DNN_SCALE, SCALE);
NNRT__BPU_SAME(any_core, NNRT__BPU_ANY_CORE, HB_BPU_CORE_ANY);
NNRT__BPU_SAME(core_0, 1, HB_BPU_CORE_0);
NNRT__BPU_SAME(core_1, 2, HB_BPU_CORE_1);
NNRT__BPU_SAME(lowest, NNRT__BPU_LOWEST_PRIORITY, HB_DNN_PRIORITY_LOWEST);
NNRT__BPU_SAME(highest, NNRT__BPU_HIGHEST_PRIORITY, HB_DNN_PRIORITY_HIGHEST);
NNRT__BPU_SAME(invalid_argument, NNRT__BPU_INVALID_ARGUMENT, HB_DNN_INVALID_ARGUMENT);
NNRT__BPU_SAME(invalid_model, NNRT__BPU_INVALID_MODEL, HB_DNN_INVALID_MODEL);
NNRT__BPU_SAME(cannot_open, NNRT__BPU_CANNOT_OPEN, HB_DNN_CAN_NOT_OPEN_FILE);
NNRT__BPU_SAME(out_of_memory, NNRT__BPU_OUT_OF_MEMORY, HB_DNN_OUT_OF_MEMORY);
NNRT__BPU_SAME(timeout, NNRT__BPU_TIMEOUT, HB_DNN_TIMEOUT);
NNRT__BPU_SAME(task_limit, NNRT__BPU_TASK_LIMIT, HB_DNN_TASK_NUM_EXCEED_LIMIT);
NNRT__BPU_SAME(invalid_task, NNRT__BPU_INVALID_TASK, HB_DNN_INVALID_TASK_HANDLE);
NNRT__BPU_SAME(run_failed, NNRT__BPU_RUN_FAILED, HB_DNN_RUN_TASK_FAILED);
NNRT__BPU_SAME(incompatible, NNRT__BPU_INCOMPATIBLE, HB_DNN_INCOMPATIBLE_MODEL);
NNRT__BPU_SAME(misuse, NNRT__BPU_MISUSE, HB_DNN_API_USE_ERROR);
NNRT__BPU_SAME(sys_argument, NNRT__BPU_SYS_INVALID_ARGUMENT, HB_SYS_INVALID_ARGUMENT);
NNRT__BPU_SAME(sys_memory, NNRT__BPU_SYS_OUT_OF_MEMORY, HB_SYS_OUT_OF_MEMORY);

NNRT__BPU_SAME_SIZE(dnn_memory, hbSysMem);
NNRT__BPU_SAME_PLACE(dnn_memory, physical, hbSysMem, phyAddr);
NNRT__BPU_SAME_PLACE(dnn_memory, address, hbSysMem, virAddr);
NNRT__BPU_SAME_PLACE(dnn_memory, size, hbSysMem, memSize);
NNRT__BPU_SAME_SIZE(dnn_shape, hbDNNTensorShape);
NNRT__BPU_SAME_PLACE(dnn_shape, count, hbDNNTensorShape, numDimensions);
NNRT__BPU_SAME_SIZE(shift, hbDNNQuantiShift);
NNRT__BPU_SAME_PLACE(shift, data, hbDNNQuantiShift, shiftData);
NNRT__BPU_SAME_SIZE(region, hbDNNRoi);
NNRT__BPU_SAME_PLACE(region, bottom, hbDNNRoi, bottom);

/* What grew from one version to the next. */
#define NNRT__BPU_SAME_PROPERTIES(version, scale_version)                                          \
    NNRT__BPU_SAME_SIZE(tensor_##version, hbDNNTensor);                                            \
    NNRT__BPU_SAME_PLACE(tensor_##version, properties, hbDNNTensor, properties);                   \
    NNRT__BPU_SAME_SIZE(properties_##version, hbDNNTensorProperties);                              \
    NNRT__BPU_SAME_PLACE(properties_##version, aligned, hbDNNTensorProperties, alignedShape);      \
    NNRT__BPU_SAME_PLACE(properties_##version, order, hbDNNTensorProperties, tensorLayout);        \
    NNRT__BPU_SAME_PLACE(properties_##version, type, hbDNNTensorProperties, tensorType);           \
    NNRT__BPU_SAME_PLACE(properties_##version, shift, hbDNNTensorProperties, shift);               \
    NNRT__BPU_SAME_PLACE(properties_##version, scale, hbDNNTensorProperties, scale);               \
    NNRT__BPU_SAME_PLACE(properties_##version, quantization, hbDNNTensorProperties, quantiType);   \
    NNRT__BPU_SAME_PLACE(properties_##version, byte_size, hbDNNTensorProperties, alignedByteSize); \
    NNRT__BPU_SAME_SIZE(scale_##scale_version, hbDNNQuantiScale);                                  \
    NNRT__BPU_SAME_PLACE(scale_##scale_version, data, hbDNNQuantiScale, scaleData)

#if HB_DNN_VERSION_MINOR >= 18
NNRT__BPU_SAME_PROPERTIES(1_18, 1_9);
NNRT__BPU_SAME_PLACE(properties_1_18, stride, hbDNNTensorProperties, stride);
#elif HB_DNN_VERSION_MINOR >= 14
NNRT__BPU_SAME_PROPERTIES(1_14, 1_9);
#elif HB_DNN_VERSION_MINOR >= 9
NNRT__BPU_SAME_PROPERTIES(1_9, 1_9);
#else
NNRT__BPU_SAME_PROPERTIES(1_6, 1_6);
#endif
#if HB_DNN_VERSION_MINOR >= 14
NNRT__BPU_SAME_SIZE(control_1_14, hbDNNInferCtrlParam);
NNRT__BPU_SAME_PLACE(control_1_14, priority, hbDNNInferCtrlParam, priority);
NNRT__BPU_SAME_PLACE(control_1_14, more, hbDNNInferCtrlParam, more);
NNRT__BPU_SAME_PLACE(control_1_14, custom_id, hbDNNInferCtrlParam, customId);
#else
NNRT__BPU_SAME_SIZE(control_1_6, hbDNNInferCtrlParam);
NNRT__BPU_SAME_PLACE(control_1_6, priority, hbDNNInferCtrlParam, priority);
NNRT__BPU_SAME_PLACE(control_1_6, more, hbDNNInferCtrlParam, more);
#endif
#undef NNRT__BPU_SAME_PROPERTIES

#ifdef __cplusplus
extern "C" {
#endif

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
int32_t hbDNNInfer(hbDNNTaskHandle_t *task, hbDNNTensor **outputs, hbDNNTensor const *inputs, hbDNNHandle_t model,
                   hbDNNInferCtrlParam *control);
int32_t hbDNNRoiInfer(hbDNNTaskHandle_t *task, hbDNNTensor **outputs, hbDNNTensor const *inputs, hbDNNRoi *regions,
                      int32_t count, hbDNNHandle_t model, hbDNNInferCtrlParam *control);
int32_t hbDNNWaitTaskDone(hbDNNTaskHandle_t task, int32_t milliseconds);
int32_t hbDNNReleaseTask(hbDNNTaskHandle_t task);
int32_t hbSysAllocMem(hbSysMem *memory, uint32_t size);
int32_t hbSysAllocCachedMem(hbSysMem *memory, uint32_t size);
int32_t hbSysFreeMem(hbSysMem *memory);
int32_t hbSysFlushMem(hbSysMem *memory, int32_t flag);

#ifdef __cplusplus
}
#endif

#endif /* NNRT_BPU_VENDOR_CHECK_DNN_H */
