/* SPDX-License-Identifier: Apache-2.0 */
/* core/inner_api.h - functions of OpenHarmony's neural_network_runtime_inner.h, for its own frameworks.   >>inner_api

   OpenHarmony does not offer them to applications; MindSpore Lite and system services call them. Here are those that
   need no type of C++. Not here: OH_NNModel_BuildFromLiteGraph, OH_NNModel_SetInputsAndOutputsInfo and
   OH_NNModel_BuildFromMetaGraph, which take graphs of MindSpore Lite's classes, and CacheInfoGetCrc16, which
   OpenHarmony's library does not export either. */
#ifndef NNRT_CORE_INNER_API_H
#define NNRT_CORE_INNER_API_H

#include "api_types.h"

#ifndef NNRT_API
#define NNRT_API
#endif

#ifdef __cplusplus
extern "C" {
/* What OpenHarmony declares as a reference; in C it is a pointer, and the binary interface is the same. */
#define NNRT__OUT_BOOL bool &
#define NNRT__OUT_IS_NULL(name) ((void)(name), false)
#else
#define NNRT__OUT_BOOL bool *
#define NNRT__OUT_IS_NULL(name) ((name) == NULL)
#endif

/* Whether the directory cacheDir has a cache of that version, saved under that ModelName ("": none was set) by a device
   that is listed here. Checks the file names and the info, but not what the device saved, which Build does. Changes
   nothing, whereas OpenHarmony removes a damaged info. false: no, an argument is NULL, modelName is longer than 200
   bytes, or a build with NNRT_NO_STDIO. From any thread. API 11 */
NNRT_API bool OH_NNModel_HasCache(const char *cacheDir, const char *modelName, uint32_t version);

/* Writes OpenHarmony's name of the board's NPU, 0-terminated, to nnrtDevice, which has len bytes. OpenHarmony derives
   it from a system parameter of the vendor; without one, as here, it is always "default_v5_0". Not an id of
   OH_NNDevice_GetAllDevicesID. API 11
   OH_NN_INVALID_PARAMETER: nnrtDevice is NULL, or len is 0.
   OH_NN_FAILED: len is below 13; nothing is written. */
NNRT_API OH_NN_ReturnCode OH_NN_GetDeviceID(char *nnrtDevice, size_t len);

/* Whether the NPU preprocesses pictures by AIPP; none does here. In C support is a pointer. API 11
   OH_NN_INVALID_PARAMETER: support is NULL.
   OH_NN_FAILED: no, and support is unchanged, as in OpenHarmony on a board without it. */
NNRT_API OH_NN_ReturnCode OH_NN_IsSupportAIPP(NNRT__OUT_BOOL support);

/* OH_NNExecutor_RunSync with pictures that the NPU preprocesses as aippString says. Checks its arguments and then
   refuses: running without the preprocessing, as some of OpenHarmony's devices do, would give wrong results.
   nnrt_image_to_tensor preprocesses on the CPU. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL, aippString is "", or a count is not in 1..200.
   OH_NN_UNSUPPORTED: otherwise. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_RunSyncWithAipp(OH_NNExecutor *executor, NN_Tensor *inputTensor[],
                                                        size_t inputCount, NN_Tensor *outputTensor[],
                                                        size_t outputCount, const char *aippString);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_CORE_INNER_API_H */
