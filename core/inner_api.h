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

/* Is there a cache of that version in the directory cacheDir, saved under that ModelName ("": none was set), by a
   device that is listed here? The names of the files and the info are looked at, not what the device saved: Build does
   that. Nothing is changed, though OpenHarmony removes an info that is damaged. false: no, an argument is NULL,
   modelName is longer than 200 bytes, or a build with NNRT_NO_STDIO. From any thread. API 11 */
NNRT_API bool OH_NNModel_HasCache(const char *cacheDir, const char *modelName, uint32_t version);

/* Writes what OpenHarmony's frameworks call the NPU of the board, and a 0, to nnrtDevice, which has len bytes: it is
   made of a system parameter of the vendor's, and without one, as here, always "default_v5_0". No id of
   OH_NNDevice_GetAllDevicesID. API 11
   OH_NN_INVALID_PARAMETER: nnrtDevice is NULL, or len is 0.
   OH_NN_FAILED: len is below 13; nothing is written. */
NNRT_API OH_NN_ReturnCode OH_NN_GetDeviceID(char *nnrtDevice, size_t len);

/* Does the NPU preprocess pictures by AIPP? Here none does. In C support is a pointer. API 11
   OH_NN_INVALID_PARAMETER: support is NULL.
   OH_NN_FAILED: no, and support is left as it is: OpenHarmony's answer on a board that cannot. */
NNRT_API OH_NN_ReturnCode OH_NN_IsSupportAIPP(NNRT__OUT_BOOL support);

/* OH_NNExecutor_RunSync with pictures that the NPU preprocesses as aippString says. It checks what it was given and
   refuses it: a run without the preprocessing, as some of OpenHarmony's devices do it, would be wrong numbers.
   nnrt_image_to_tensor does such things on the CPU. API 11
   OH_NN_INVALID_PARAMETER: an argument is NULL, aippString is "", or a count is not in 1..200.
   OH_NN_UNSUPPORTED: otherwise. */
NNRT_API OH_NN_ReturnCode OH_NNExecutor_RunSyncWithAipp(OH_NNExecutor *executor, NN_Tensor *inputTensor[],
                                                        size_t inputCount, NN_Tensor *outputTensor[],
                                                        size_t outputCount, const char *aippString);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_CORE_INNER_API_H */
