/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/vendor_check_ucp.h - the headers of UCP; a piece of vendor_check.h.   >>bpu_vendor_check_ucp

   Codes are not compared: hb_ucp_status.h closes a brace that it opens for C++ alone, and C cannot include it. */
#ifndef NNRT_BPU_VENDOR_CHECK_UCP_H
#define NNRT_BPU_VENDOR_CHECK_UCP_H

#include <hobot/dnn/hb_dnn.h>
#include <hobot/hb_ucp.h>
#include <hobot/hb_ucp_sys.h>

NNRT__BPU_SAME(max_dims, NNRT__BPU_MAX_DIMS, HB_DNN_TENSOR_MAX_DIMENSIONS);
NNRT__BPU_SAME(s4, NNRT__BPU_UCP_S4, HB_DNN_TENSOR_TYPE_S4);
NNRT__BPU_SAME(s8, NNRT__BPU_UCP_S8, HB_DNN_TENSOR_TYPE_S8);
NNRT__BPU_SAME(f32, NNRT__BPU_UCP_F32, HB_DNN_TENSOR_TYPE_F32);
NNRT__BPU_SAME(s32, NNRT__BPU_UCP_S32, HB_DNN_TENSOR_TYPE_S32);
NNRT__BPU_SAME(u64, NNRT__BPU_UCP_U64, HB_DNN_TENSOR_TYPE_U64);
NNRT__BPU_SAME(bool8, NNRT__BPU_UCP_BOOL8, HB_DNN_TENSOR_TYPE_BOOL8);
NNRT__BPU_SAME(types, NNRT__BPU_UCP_TYPES, HB_DNN_TENSOR_TYPE_MAX);
NNRT__BPU_SAME(none, NNRT__BPU_UCP_NONE, NONE);
NNRT__BPU_SAME(by_scale, NNRT__BPU_UCP_SCALE, SCALE);
NNRT__BPU_SAME(any_core, NNRT__UCP_ANY_CORE, HB_UCP_BPU_CORE_ANY);
NNRT__BPU_SAME(core_0, 1, HB_UCP_BPU_CORE_0);
NNRT__BPU_SAME(core_3, 8, HB_UCP_BPU_CORE_3);
NNRT__BPU_SAME(lowest, NNRT__BPU_LOWEST_PRIORITY, HB_UCP_PRIORITY_LOWEST);
NNRT__BPU_SAME(highest, NNRT__BPU_HIGHEST_PRIORITY, HB_UCP_PRIORITY_HIGHEST);

NNRT__BPU_SAME_SIZE(ucp_memory, hbUCPSysMem);
NNRT__BPU_SAME_PLACE(ucp_memory, physical, hbUCPSysMem, phyAddr);
NNRT__BPU_SAME_PLACE(ucp_memory, address, hbUCPSysMem, virAddr);
NNRT__BPU_SAME_PLACE(ucp_memory, size, hbUCPSysMem, memSize);
NNRT__BPU_SAME_SIZE(ucp_shape, hbDNNTensorShape);
NNRT__BPU_SAME_PLACE(ucp_shape, count, hbDNNTensorShape, numDimensions);
NNRT__BPU_SAME_SIZE(ucp_scale, hbDNNQuantiScale);
NNRT__BPU_SAME_PLACE(ucp_scale, data, hbDNNQuantiScale, scaleData);
NNRT__BPU_SAME_PLACE(ucp_scale, zero_point_length, hbDNNQuantiScale, zeroPointLen);
NNRT__BPU_SAME_PLACE(ucp_scale, zero_point, hbDNNQuantiScale, zeroPointData);
NNRT__BPU_SAME_SIZE(properties_ucp, hbDNNTensorProperties);
NNRT__BPU_SAME_PLACE(properties_ucp, type, hbDNNTensorProperties, tensorType);
NNRT__BPU_SAME_PLACE(properties_ucp, scale, hbDNNTensorProperties, scale);
NNRT__BPU_SAME_PLACE(properties_ucp, quantization, hbDNNTensorProperties, quantiType);
NNRT__BPU_SAME_PLACE(properties_ucp, axis, hbDNNTensorProperties, quantizeAxis);
NNRT__BPU_SAME_PLACE(properties_ucp, byte_size, hbDNNTensorProperties, alignedByteSize);
NNRT__BPU_SAME_PLACE(properties_ucp, stride, hbDNNTensorProperties, stride);
NNRT__BPU_SAME_SIZE(tensor_ucp, hbDNNTensor);
NNRT__BPU_SAME_PLACE(tensor_ucp, properties, hbDNNTensor, properties);
NNRT__BPU_SAME_SIZE(schedule, hbUCPSchedParam);
NNRT__BPU_SAME_PLACE(schedule, priority, hbUCPSchedParam, priority);
NNRT__BPU_SAME_PLACE(schedule, custom_id, hbUCPSchedParam, customId);
NNRT__BPU_SAME_PLACE(schedule, cores, hbUCPSchedParam, backend);
NNRT__BPU_SAME_PLACE(schedule, device, hbUCPSchedParam, deviceId);

#ifdef __cplusplus
extern "C" {
#endif

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
int32_t hbDNNInferV2(hbUCPTaskHandle_t *task, hbDNNTensor *outputs, hbDNNTensor const *inputs, hbDNNHandle_t model);
int32_t hbDNNGetTaskOutputTensorProperties(hbDNNTensorProperties *properties, hbUCPTaskHandle_t task, int32_t run,
                                           int32_t output);
int32_t hbUCPSubmitTask(hbUCPTaskHandle_t task, hbUCPSchedParam *schedule);
int32_t hbUCPWaitTaskDone(hbUCPTaskHandle_t task, int32_t milliseconds);
int32_t hbUCPReleaseTask(hbUCPTaskHandle_t task);
int32_t hbUCPMalloc(hbUCPSysMem *memory, uint64_t size, int32_t device);
int32_t hbUCPMallocCached(hbUCPSysMem *memory, uint64_t size, int32_t device);
int32_t hbUCPFree(hbUCPSysMem *memory);
int32_t hbUCPMemFlush(hbUCPSysMem const *memory, int32_t flag);

#ifdef __cplusplus
}
#endif

#endif /* NNRT_BPU_VENDOR_CHECK_UCP_H */
