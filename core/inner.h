/* SPDX-License-Identifier: Apache-2.0 */
/* core/inner.h - what core/inner_api.h declares.   >>inner */
#ifndef NNRT_CORE_INNER_H
#define NNRT_CORE_INNER_H

#include "cache.h"
#include "executor.h"
#include "inner_api.h"

/* Is the info of key sound, of that version and of a listed device, and the other file there? */
NNRT__FN bool nnrt__cache_is_there(const nnrt__cache_key *key) {
    uint8_t info[NNRT__CACHE_INFO_SIZE];
    char *info_path = nnrt__cache_path(key, "cache_info.nncache", "");
    char *blob_path = nnrt__cache_path(key, "0.nncache", "");
    size_t size = 0;
    bool there = info_path != NULL && blob_path != NULL && nnrt__file_exists(blob_path) &&
                 nnrt__read_file(info_path, key->folder, info, sizeof(info), &size) == NULL &&
                 nnrt__cache_info_is_sound(info, size) && nnrt__read_u32(info + 12) == key->version;
    nnrt__free(info_path);
    nnrt__free(blob_path);
    if (!there) return false;
    size = (size_t)nnrt__read_u64(info + 16);
    return size != 0 && (uint64_t)size == nnrt__read_u64(info + 16) && nnrt__device_find(size) != NULL;
}

NNRT_API bool OH_NNModel_HasCache(const char *cacheDir, const char *modelName, uint32_t version) {
    char prefix[NNRT__MAX_PREFIX + 1];
    char sentence[NNRT__SENTENCE_SIZE];
    nnrt__cache_key key;
    bool there;
    size_t i;
    if (!NNRT__HAS_FILES || cacheDir == NULL || modelName == NULL || strlen(modelName) > NNRT__MAX_PREFIX) return false;
    for (i = 0; modelName[i] != '\0'; i++) prefix[i] = modelName[i] != '/' ? modelName[i] : '_'; /* as ModelName */
    prefix[i] = '\0';
    memset(&key, 0, sizeof(key));
    key.folder = cacheDir;
    key.prefix = prefix;
    key.version = version;
    nnrt__sentence_copy(sentence, nnrt__sentence()); /* a question, which cannot fail */
    there = version != NNRT__CACHE_NO_VERSION && nnrt__cache_is_there(&key);
    nnrt__sentence_copy(nnrt__sentence(), sentence);
    return there;
}

NNRT_API OH_NN_ReturnCode OH_NN_GetDeviceID(char *nnrtDevice, size_t len) {
    static const char name[] = "default_v5_0";
    if (nnrtDevice == NULL) return nnrt__fail_null("OH_NN_GetDeviceID", "nnrtDevice");
    if (len == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NN_GetDeviceID: len is 0");
    if (len < sizeof(name))
        return nnrt__fail(OH_NN_FAILED, "OH_NN_GetDeviceID: %zu bytes are needed, not %zu", sizeof(name), len);
    memcpy(nnrtDevice, name, sizeof(name));
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NN_IsSupportAIPP(NNRT__OUT_BOOL support) {
    if (NNRT__OUT_IS_NULL(support)) return nnrt__fail_null("OH_NN_IsSupportAIPP", "support");
    return nnrt__fail(OH_NN_FAILED, "OH_NN_IsSupportAIPP: no device preprocesses pictures by AIPP");
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_RunSyncWithAipp(OH_NNExecutor *executor, NN_Tensor *inputTensor[],
                                                        size_t inputCount, NN_Tensor *outputTensor[],
                                                        size_t outputCount, const char *aippString) {
    static const char function[] = "OH_NNExecutor_RunSyncWithAipp";
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (inputTensor == NULL) return nnrt__fail_null(function, "inputTensor");
    if (inputCount == 0 || inputCount > NNRT__MAX_IO)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: inputCount is not in 1..200", function);
    if (outputTensor == NULL) return nnrt__fail_null(function, "outputTensor");
    if (outputCount == 0 || outputCount > NNRT__MAX_IO)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: outputCount is not in 1..200", function);
    if (aippString == NULL || aippString[0] == '\0')
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: aippString is empty", function);
    return nnrt__fail(OH_NN_UNSUPPORTED,
                      "%s: device %s does not preprocess pictures by AIPP; nnrt_image_to_tensor does", function,
                      executor->prepared->device->name);
}

#endif /* NNRT_CORE_INNER_H */
