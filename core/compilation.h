/* SPDX-License-Identifier: Apache-2.0 */
/* core/compilation.h - OH_NNCompilation: a bag of settings until Build, then a compiled model.   >>compilation

                        CONFIGURING      ATTEMPTED                       BUILT
     setters            stored           stored, performance and         FORBIDDEN
                                         priority checked; no effect
     Build              build            INVALID_PARAMETER               INVALID_PARAMETER
     ExportCache        INVALID_PARAM.   INVALID_PARAMETER               writes
     Executor_Construct NULL             NULL                            executor

   Build leads to BUILT, even if only the cache could not be saved, and to ATTEMPTED when it fails. It stays in
   CONFIGURING when the sources contradict each other or the device is unknown or absent: SetDevice and Build may then
   be tried again. BUILT has released the graph, unless the device needs it. */
#ifndef NNRT_CORE_COMPILATION_H
#define NNRT_CORE_COMPILATION_H

#include "amount.h"
#include "api.h"
#include "choice.h"
#include "desc.h"
#include "model.h"
#include "prepared.h"

#define NNRT__MAX_PREFIX 200 /* most bytes of ModelName; a file name may have 255 */

typedef enum nnrt__compilation_state {
    NNRT__COMPILATION_CONFIGURING = 0,
    NNRT__COMPILATION_ATTEMPTED = 1,
    NNRT__COMPILATION_BUILT = 2
} nnrt__compilation_state;

struct OH_NNCompilation {
    nnrt__compilation_state state;
    /* the source: one of these, or only the cache on disk */
    nnrt__graph_store *store;
    char *model_path;
    const void *model; /* the program's */
    size_t model_size;
    const void *cache; /* the program's */
    size_t cache_size;
    /* the settings */
    size_t device_id;
    char *cache_folder; /* NULL or "": no cache on disk */
    uint32_t cache_version;
    OH_NN_PerformanceMode performance;
    OH_NN_Priority priority;
    bool enable_float16;
    char *model_name; /* "ModelName": prefix of the cache files; NULL: none */
    bool read_files;  /* "nnrt.map" is 0 */
    bool no_fallback; /* "nnrt.fallback" is 0 */
    bool in_place;    /* model and cache outlive the executors */
    nnrt_config *configs;
    uint32_t config_count;
    /* nnrt__check_configs once a config was added: a program that adds none does not link the code that reads them */
    OH_NN_ReturnCode (*check_configs)(const OH_NNCompilation *compilation, const struct nnrt__device *device);
    /* the result */
    const nnrt__device *device; /* since Build found it */
    nnrt__prepared *prepared;   /* when BUILT */
};

/* ------------------------------------------------------------------------------------- construct, destroy */

NNRT__FN OH_NNCompilation *nnrt__compilation_new(void) {
    OH_NNCompilation *compilation = (OH_NNCompilation *)nnrt__alloc_zero(1, sizeof(*compilation));
    if (compilation == NULL) (void)nnrt__fail_memory();
    return compilation;
}

NNRT_API OH_NNCompilation *OH_NNCompilation_Construct(const OH_NNModel *model) {
    OH_NNCompilation *compilation;
    if (model == NULL) {
        (void)nnrt__fail_null("OH_NNCompilation_Construct", "model");
        return NULL;
    }
    compilation = nnrt__compilation_new();
    if (compilation == NULL) return NULL;
    nnrt__graph_store_retain(model->store);
    compilation->store = model->store;
    return compilation;
}

NNRT_API OH_NNCompilation *OH_NNCompilation_ConstructWithOfflineModelFile(const char *modelPath) {
    OH_NNCompilation *compilation;
    if (modelPath == NULL) {
        (void)nnrt__fail_null("OH_NNCompilation_ConstructWithOfflineModelFile", "modelPath");
        return NULL;
    }
    compilation = nnrt__compilation_new();
    if (compilation == NULL) return NULL;
    compilation->model_path = nnrt__copy_string(modelPath);
    if (compilation->model_path == NULL) {
        (void)nnrt__fail_memory();
        nnrt__free(compilation);
        return NULL;
    }
    return compilation;
}

NNRT_API OH_NNCompilation *OH_NNCompilation_ConstructWithOfflineModelBuffer(const void *modelBuffer, size_t modelSize) {
    OH_NNCompilation *compilation;
    if (modelBuffer == NULL || modelSize == 0) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNCompilation_ConstructWithOfflineModelBuffer: %s",
                         modelBuffer == NULL ? "modelBuffer is NULL" : "modelSize is 0");
        return NULL;
    }
    compilation = nnrt__compilation_new();
    if (compilation == NULL) return NULL;
    compilation->model = modelBuffer;
    compilation->model_size = modelSize;
    return compilation;
}

NNRT_API OH_NNCompilation *OH_NNCompilation_ConstructForCache(void) { return nnrt__compilation_new(); }

/* Bytes of NNRT_MALLOC that compilation holds, except its result. */
NNRT__FN size_t nnrt__compilation_bytes(const OH_NNCompilation *compilation) {
    size_t bytes = nnrt__block_bytes(compilation) + nnrt__graph_store_bytes(compilation->store) +
                   nnrt__block_bytes(compilation->model_path) + nnrt__block_bytes(compilation->cache_folder) +
                   nnrt__block_bytes(compilation->model_name) + nnrt__block_bytes(compilation->configs);
    uint32_t i;
    for (i = 0; i < compilation->config_count; i++)
        bytes += nnrt__block_bytes(compilation->configs[i].name) + nnrt__block_bytes(compilation->configs[i].value);
    return bytes;
}

NNRT_API void OH_NNCompilation_Destroy(OH_NNCompilation **compilation) {
    OH_NNCompilation *gone;
    uint32_t i;
    if (compilation == NULL || *compilation == NULL) {
        nnrt__log(NNRT_LOG_WARNING, "OH_NNCompilation_Destroy: there is no compilation");
        return;
    }
    gone = *compilation;
    if (gone->prepared != NULL) nnrt__atomic_store(&gone->prepared->compilation_lives, 0);
    nnrt__prepared_release(gone->prepared);
    nnrt__graph_store_release(gone->store);
    nnrt__free(gone->model_path);
    nnrt__free(gone->cache_folder);
    nnrt__free(gone->model_name);
    for (i = 0; i < gone->config_count; i++) {
        nnrt__free((void *)(uintptr_t)gone->configs[i].name);
        nnrt__free((void *)(uintptr_t)gone->configs[i].value);
    }
    nnrt__free(gone->configs);
    nnrt__free(gone);
    *compilation = NULL;
}

/* ----------------------------------------------------------------------------------------------- settings */

/* Whether the device supports what was asked for; Build asks in this order. */
NNRT__FN OH_NN_ReturnCode nnrt__check_performance(const nnrt__device *device, OH_NN_PerformanceMode mode) {
    if ((nnrt__backend_of(device)->capabilities & NNRT_CAN_PERFORMANCE) == 0 && mode != OH_NN_PERFORMANCE_NONE)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "device %s has no performance modes", device->name);
    if ((unsigned)mode > (unsigned)OH_NN_PERFORMANCE_EXTREME)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%d is no OH_NN_PerformanceMode", (int)mode);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__check_priority(const nnrt__device *device, OH_NN_Priority priority) {
    if ((nnrt__backend_of(device)->capabilities & NNRT_CAN_PRIORITY) == 0 && priority != OH_NN_PRIORITY_NONE)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "device %s has no priorities", device->name);
    if ((unsigned)priority > (unsigned)OH_NN_PRIORITY_HIGH)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%d is no OH_NN_Priority", (int)priority);
    return OH_NN_SUCCESS;
}

/* Refuses NULL and a compilation whose settings cannot be changed any more. */
NNRT__FN OH_NN_ReturnCode nnrt__compilation_open(const OH_NNCompilation *compilation, const char *function) {
    if (compilation == NULL) return nnrt__fail_null(function, "compilation");
    NNRT_ASSERT(compilation->state != NNRT__COMPILATION_ATTEMPTED || compilation->device != NULL);
    if (compilation->state == NNRT__COMPILATION_BUILT)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the compilation is built and cannot be changed", function);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetDevice(OH_NNCompilation *compilation, size_t deviceID) {
    OH_NN_ReturnCode code = nnrt__compilation_open(compilation, "OH_NNCompilation_SetDevice");
    if (code == OH_NN_SUCCESS) compilation->device_id = deviceID;
    return code;
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetCache(OH_NNCompilation *compilation, const char *cachePath,
                                                    uint32_t version) {
    OH_NN_ReturnCode code;
    char *copy;
    if (compilation == NULL) return nnrt__fail_null("OH_NNCompilation_SetCache", "compilation");
    if (cachePath == NULL) return nnrt__fail_null("OH_NNCompilation_SetCache", "cachePath");
    code = nnrt__compilation_open(compilation, "OH_NNCompilation_SetCache");
    if (code != OH_NN_SUCCESS) return code;
    copy = nnrt__copy_string(cachePath);
    if (copy == NULL) return nnrt__fail_memory();
    nnrt__free(compilation->cache_folder);
    compilation->cache_folder = copy;
    compilation->cache_version = version;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetPerformanceMode(OH_NNCompilation *compilation,
                                                              OH_NN_PerformanceMode performanceMode) {
    OH_NN_ReturnCode code = nnrt__compilation_open(compilation, "OH_NNCompilation_SetPerformanceMode");
    if (code == OH_NN_SUCCESS && compilation->state == NNRT__COMPILATION_ATTEMPTED)
        code = nnrt__check_performance(compilation->device, performanceMode);
    if (code == OH_NN_SUCCESS) compilation->performance = performanceMode;
    return code;
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_SetPriority(OH_NNCompilation *compilation, OH_NN_Priority priority) {
    OH_NN_ReturnCode code = nnrt__compilation_open(compilation, "OH_NNCompilation_SetPriority");
    if (code == OH_NN_SUCCESS && compilation->state == NNRT__COMPILATION_ATTEMPTED)
        code = nnrt__check_priority(compilation->device, priority);
    if (code == OH_NN_SUCCESS) compilation->priority = priority;
    return code;
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_EnableFloat16(OH_NNCompilation *compilation, bool enableFloat16) {
    OH_NN_ReturnCode code = nnrt__compilation_open(compilation, "OH_NNCompilation_EnableFloat16");
    if (code == OH_NN_SUCCESS) compilation->enable_float16 = enableFloat16;
    return code;
}

/* old, '|' (if there is an old one) and value, 0-terminated, in a new block. NULL when out of memory. */
NNRT__FN char *nnrt__config_value(const void *old, size_t old_size, const void *value, size_t value_size,
                                  size_t *size) {
    size_t before = old != NULL ? old_size + 1 : 0, bytes;
    char *joined;
    if (!nnrt__add_size(before, value_size, size) || !nnrt__add_size(*size, 1, &bytes)) return NULL;
    joined = (char *)nnrt__alloc(bytes);
    if (joined == NULL) return NULL;
    if (old != NULL) {
        memcpy(joined, old, old_size);
        joined[old_size] = '|';
    }
    memcpy(joined + before, value, value_size);
    joined[*size] = '\0';
    return joined;
}

/* ModelName becomes part of file names, so a '/' in it becomes '_' and a 0 ends it. */
NNRT__FN OH_NN_ReturnCode nnrt__set_model_name(OH_NNCompilation *compilation, const void *value, size_t size) {
    const char *old = compilation->model_name;
    char *joined = nnrt__config_value(old, old != NULL ? strlen(old) : 0, value, size, &size);
    char *c;
    if (joined == NULL) return nnrt__fail_memory();
    for (c = joined; *c != '\0'; c++)
        if (*c == '/') *c = '_';
    nnrt__free(compilation->model_name);
    compilation->model_name = joined;
    return OH_NN_SUCCESS;
}

/* Whether the device accepts all extension configs. */
NNRT__FN OH_NN_ReturnCode nnrt__check_configs(const OH_NNCompilation *compilation, const nnrt__device *device) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    uint32_t i;
    for (i = 0; i < compilation->config_count; i++) {
        const nnrt_config *config = &compilation->configs[i];
        if (backend->check_config == NULL)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "device %s knows no extension config %.60s", device->name,
                              config->name);
        if (backend->check_config(device->state, config) != OH_NN_SUCCESS)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "extension config %.60s: %s", config->name, nnrt__sentence());
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__add_config(OH_NNCompilation *compilation, const char *name, const void *value,
                                           size_t size) {
    nnrt_config *config;
    char *joined, *copy;
    uint32_t i;
    for (i = 0; i < compilation->config_count; i++) {
        config = &compilation->configs[i];
        if (strcmp(config->name, name) != 0) continue;
        joined = nnrt__config_value(config->value, config->size, value, size, &size);
        if (joined == NULL) return nnrt__fail_memory();
        nnrt__free((void *)(uintptr_t)config->value);
        config->value = joined;
        config->size = size;
        return OH_NN_SUCCESS;
    }
    config = (nnrt_config *)nnrt__realloc(compilation->configs, (size_t)compilation->config_count + 1, sizeof(*config));
    if (config == NULL) return nnrt__fail_memory();
    compilation->configs = config;
    copy = nnrt__copy_string(name);
    joined = nnrt__config_value(NULL, 0, value, size, &size);
    if (copy == NULL || joined == NULL) {
        nnrt__free(copy);
        nnrt__free(joined);
        return nnrt__fail_memory();
    }
    config += compilation->config_count++;
    config->name = copy;
    config->value = joined;
    config->size = size;
    compilation->check_configs = nnrt__check_configs;
    return OH_NN_SUCCESS;
}

/* The core's own configs: nnrt.map, because it reads caches (devices find it in their requests), and nnrt.fallback.
   Both are 0 or 1; *off becomes true for 0. */
NNRT__FN OH_NN_ReturnCode nnrt__set_switch(const char *name, const void *value, size_t size, bool *off) {
    const char *text = (const char *)value;
    if (size == 2 && text[1] == '\0') size = 1;
    if (size != 1 || (text[0] != '0' && text[0] != '1'))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "extension config %s is neither 0 nor 1", name);
    *off = text[0] == '0';
    return OH_NN_SUCCESS;
}

/* Whether name is a setting for OpenHarmony's devices, which nnrt accepts and ignores: those of its built-in compiler,
   of OH_NNModel_BuildFromLiteGraph and OH_NNModel_BuildFromMetaGraph, and those that MindSpore Lite passes to a HiAI
   device. Like OpenHarmony, nnrt accepts any value. */
NNRT__FN bool nnrt__is_openharmony_config(const char *name) {
    static const char names[] = "NPU_FM_SHARED\0isExceedRamLimit\0isProfiling\0Profiling\0opLayout\0InputDims\0"
                                "DynamicDims\0AIPP\0QuantBuffer\0QuantConfigData\0BandMode\0CachePath\0CacheVersion\0";
    const char *at;
    for (at = names; *at != '\0'; at += strlen(at) + 1)
        if (strcmp(name, at) == 0) return true;
    return false;
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_AddExtensionConfig(OH_NNCompilation *compilation, const char *configName,
                                                              const void *configValue, const size_t configValueSize) {
    static const char function[] = "OH_NNCompilation_AddExtensionConfig";
    OH_NN_ReturnCode code;
    if (compilation == NULL) return nnrt__fail_null(function, "compilation");
    if (configName == NULL) return nnrt__fail_null(function, "configName");
    if (configValue == NULL) return nnrt__fail_null(function, "configValue");
    if (configValueSize == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: configValueSize is 0", function);
    if (configName[0] == '\0') return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: configName is empty", function);
    code = nnrt__compilation_open(compilation, function);
    if (code != OH_NN_SUCCESS) return code;
    if (strcmp(configName, "ModelName") == 0) return nnrt__set_model_name(compilation, configValue, configValueSize);
    if (strcmp(configName, "nnrt.map") == 0)
        return nnrt__set_switch(configName, configValue, configValueSize, &compilation->read_files);
    if (strcmp(configName, "nnrt.fallback") == 0)
        return nnrt__set_switch(configName, configValue, configValueSize, &compilation->no_fallback);
    if (nnrt__is_openharmony_config(configName)) {
        nnrt__log(NNRT_LOG_INFO, "extension config %.60s has no effect: it is for OpenHarmony's devices", configName);
        return OH_NN_SUCCESS;
    }
    return nnrt__add_config(compilation, configName, configValue, configValueSize);
}

NNRT_API OH_NN_ReturnCode nnrt_compilation_use_in_place(OH_NNCompilation *compilation) {
    static const char function[] = "nnrt_compilation_use_in_place";
    OH_NN_ReturnCode code = nnrt__compilation_open(compilation, function);
    if (code == OH_NN_SUCCESS) compilation->in_place = true;
    return code;
}

/* ---------------------------------------------------------------------------------------- cache in memory */

NNRT_API OH_NN_ReturnCode OH_NNCompilation_ImportCacheFromBuffer(OH_NNCompilation *compilation, const void *buffer,
                                                                 size_t modelSize) {
    static const char function[] = "OH_NNCompilation_ImportCacheFromBuffer";
    OH_NN_ReturnCode code;
    if (compilation == NULL) return nnrt__fail_null(function, "compilation");
    if (buffer == NULL) return nnrt__fail_null(function, "buffer");
    if (modelSize == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: modelSize is 0", function);
    code = nnrt__compilation_open(compilation, function);
    if (code != OH_NN_SUCCESS) return code;
    compilation->cache = buffer;
    compilation->cache_size = modelSize;
    return OH_NN_SUCCESS;
}

/* Asks the device for the compiled model as bytes. *size gets the size needed; if capacity is less, nothing is written
   and the result is still OH_NN_SUCCESS. OH_NN_UNSUPPORTED: this model has no cache. */
NNRT__FN OH_NN_ReturnCode nnrt__prepared_save(const nnrt__prepared *prepared, void *blob, size_t capacity,
                                              size_t *size) {
    OH_NN_ReturnCode code;
    NNRT_ASSERT((blob != NULL) == (capacity != 0) && nnrt__backend_of(prepared->device)->save != NULL);
    *size = 0;
    code = nnrt__backend_of(prepared->device)->save(prepared->object, blob, capacity, size);
    if (code == OH_NN_MEMORY_ERROR || code == OH_NN_UNSUPPORTED) return code;
    if (code != OH_NN_SUCCESS) return OH_NN_SAVE_CACHE_EXCEPTION;
    if (*size != 0) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_SAVE_CACHE_EXCEPTION, "device %s gives nothing to save", prepared->device->name);
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_ExportCacheToBuffer(OH_NNCompilation *compilation, const void *buffer,
                                                               size_t length, size_t *modelSize) {
    static const char function[] = "OH_NNCompilation_ExportCacheToBuffer";
    OH_NN_ReturnCode code;
    size_t size;
    if (compilation == NULL) return nnrt__fail_null(function, "compilation");
    if (buffer == NULL) return nnrt__fail_null(function, "buffer");
    if (length == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: length is 0", function);
    if (modelSize == NULL) return nnrt__fail_null(function, "modelSize");
    if (compilation->state != NNRT__COMPILATION_BUILT)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the compilation is not built", function);
    NNRT_ASSERT(compilation->prepared != NULL && compilation->prepared->device == compilation->device);
    if ((nnrt__backend_of(compilation->device)->capabilities & NNRT_CAN_CACHE) == 0)
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s: device %s cannot save", function, compilation->device->name);
    code = nnrt__prepared_save(compilation->prepared, (void *)(uintptr_t)buffer, length, &size);
    if (code == OH_NN_UNSUPPORTED) code = OH_NN_SAVE_CACHE_EXCEPTION;
    if (code != OH_NN_SUCCESS) return code;
    *modelSize = size;
    if (size <= length) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the buffer has %zu bytes, the model needs %zu", function, length,
                      size);
}

/* -------------------------------------------------------------------------------------------------- Build */

NNRT__FN bool nnrt__has_cache_folder(const OH_NNCompilation *compilation) {
    return compilation->cache_folder != NULL && compilation->cache_folder[0] != '\0' && compilation->cache == NULL;
}

NNRT__FN bool nnrt__has_model(const OH_NNCompilation *compilation) {
    return nnrt__graph_store_here(compilation->store) || compilation->model_path != NULL || compilation->model != NULL;
}

/* Whether a cache directory has no use because the device's models are compiled already: it is neither read nor
   written. Not if the cache is all there is, without a model. */
NNRT__FN bool nnrt__cache_is_needless(const OH_NNCompilation *compilation, const nnrt_backend *backend) {
    return nnrt__has_cache_folder(compilation) && nnrt__has_model(compilation) &&
           (backend->capabilities & (NNRT_CAN_CACHE | NNRT_NEEDS_NO_CACHE)) == NNRT_NEEDS_NO_CACHE;
}

/* Build's first checks: cache, float16, performance, priority, extension configs, in this order. */
NNRT__FN OH_NN_ReturnCode nnrt__build_check_settings(const OH_NNCompilation *compilation, const nnrt__device *device) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    OH_NN_ReturnCode code;
    if ((compilation->cache != NULL || nnrt__has_cache_folder(compilation)) &&
        (backend->capabilities & NNRT_CAN_CACHE) == 0 && !nnrt__cache_is_needless(compilation, backend))
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "device %s has no cache", device->name);
    if (compilation->enable_float16 && (backend->capabilities & NNRT_CAN_FLOAT16) == 0 &&
        device->id == compilation->device_id) /* a device that Build chose computes in float32 */
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "device %s does not compute in float16", device->name);
    code = nnrt__check_performance(device, compilation->performance);
    if (code == OH_NN_SUCCESS) code = nnrt__check_priority(device, compilation->priority);
    if (code != OH_NN_SUCCESS) return code;
    if (compilation->model_name != NULL && strlen(compilation->model_name) > NNRT__MAX_PREFIX)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "extension config ModelName is longer than %d bytes",
                          NNRT__MAX_PREFIX);
    return compilation->check_configs != NULL ? compilation->check_configs(compilation, device) : OH_NN_SUCCESS;
}

/* Next: whether there is something to compile. */
NNRT__FN OH_NN_ReturnCode nnrt__build_check_graph(const OH_NNCompilation *compilation) {
    if (!nnrt__graph_store_here(compilation->store)) return OH_NN_SUCCESS;
    if (!nnrt__graph_store_complete(compilation->store))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNCompilation_Build: the model is not finished");
    if (nnrt__graph_store_graph(compilation->store)->node_count == 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNCompilation_Build: the model has no operation");
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__build_request(const OH_NNCompilation *compilation, nnrt_request *request) {
    memset(request, 0, sizeof(*request));
    request->enable_float16 = compilation->enable_float16;
    request->performance = compilation->performance;
    request->priority = compilation->priority;
    request->configs = compilation->configs;
    request->config_count = compilation->config_count;
    request->read_files = compilation->read_files;
    request->model_path = compilation->model_path;
    request->model = compilation->model;
    request->model_size = compilation->model_size;
    request->bytes_go = request->model_goes = !compilation->in_place;
}

/* Called before a device gets the program's size bytes at *bytes: if they may be freed while the device still uses them
   and it does not copy them itself, they are copied to *copy, which the compiled model takes over. */
NNRT__FN OH_NN_ReturnCode nnrt__build_secure(const OH_NNCompilation *compilation, nnrt_request *request,
                                             const void **bytes, size_t size, nnrt__mapping *copy) {
    memset(copy, 0, sizeof(*copy));
    if (*bytes == NULL || !request->bytes_go ||
        (nnrt__backend_of(compilation->device)->capabilities & NNRT_COPIES_BYTES) != 0)
        return OH_NN_SUCCESS;
    NNRT_ASSERT(size != 0);
    copy->memory = nnrt__alloc(size);
    if (copy->memory == NULL)
        return nnrt__fail(
            OH_NN_MEMORY_ERROR,
            "out of memory for a copy of the model, %zu bytes: where it stays until its executors are gone, "
            "nnrt_compilation_use_in_place spares the copy",
            size);
    memcpy(copy->memory, *bytes, size);
    copy->data = *bytes = copy->memory;
    copy->size = size;
    request->bytes_go = false;
    return OH_NN_SUCCESS;
}

/* Continues hash with what the settings change in a cache. */
NNRT__FN OH_NN_ReturnCode nnrt__hash_settings(const OH_NNCompilation *compilation, uint64_t *hash) {
    const nnrt__device *device = compilation->device;
    nnrt_request request;
    OH_NN_ReturnCode code;
    uint64_t key = 0;
    uint32_t i;
    *hash = nnrt__hash_number(*hash, (uint64_t)compilation->performance << 1 | (compilation->enable_float16 ? 1u : 0u));
    if (nnrt__backend_of(device)->cache_key == NULL) {
        for (i = 0; i < compilation->config_count; i++) {
            const nnrt_config *config = &compilation->configs[i];
            *hash = nnrt__hash_bytes(*hash, config->name, strlen(config->name));
            *hash = nnrt__hash_bytes(*hash, config->value, config->size);
        }
        return OH_NN_SUCCESS;
    }
    nnrt__build_request(compilation, &request);
    code = nnrt__backend_of(device)->cache_key(device->state, &request, &key);
    if (code != OH_NN_SUCCESS) return code == OH_NN_MEMORY_ERROR ? code : OH_NN_FAILED;
    *hash = nnrt__hash_number(*hash, key);
    return OH_NN_SUCCESS;
}

/* Largest size of a model or cache that is read whole: nnrt.max_memory, as the CPU device reads it. */
NNRT__FN uint64_t nnrt__build_limit(const OH_NNCompilation *compilation) {
    uint64_t limit = NNRT__FILE_LIMIT, amount;
    uint32_t i;
    for (i = 0; i < compilation->config_count; i++)
        if (strcmp(compilation->configs[i].name, "nnrt.max_memory") == 0 &&
            nnrt__config_amount(&compilation->configs[i], 1024, &amount))
            limit = amount;
    return limit;
}

/* Continues hash with an offline model, unless the device does not know it or it is too large to be read twice: then
   *hashed is false, and compiling it will report the problem. */
NNRT__FN OH_NN_ReturnCode nnrt__hash_offline(const OH_NNCompilation *compilation, const void *bytes, size_t size,
                                             uint64_t *hash, bool *hashed) {
    const nnrt_backend *backend = nnrt__backend_of(compilation->device);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (size > nnrt__build_limit(compilation)) code = OH_NN_UNSUPPORTED;
    else if (backend->inspect != NULL) code = backend->inspect(bytes, size, NULL, NULL);
    *hashed = code == OH_NN_SUCCESS;
    if (*hashed) *hash = nnrt__hash_bytes(*hash, bytes, size);
    return code == OH_NN_MEMORY_ERROR ? code : OH_NN_SUCCESS;
}

/* Identifies model and settings in a cache: differs for another model and for every setting that changes the saved
   bytes. *hashed: as nnrt__hash_offline. */
NNRT__FN OH_NN_ReturnCode nnrt__build_hash(const OH_NNCompilation *compilation, uint64_t *hash, bool *hashed) {
    OH_NN_ReturnCode code;
    nnrt__mapping mapping;
    *hashed = true;
    *hash = 0xcbf29ce484222325u;
    code = nnrt__hash_settings(compilation, hash);
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__graph_store_here(compilation->store)) {
        *hash = nnrt__hash_graph(*hash, nnrt__graph_store_graph(compilation->store));
    } else if (compilation->model != NULL) {
        code = nnrt__hash_offline(compilation, compilation->model, compilation->model_size, hash, hashed);
    } else if (compilation->model_path != NULL) {
        *hashed = false;
        if (nnrt__take_file_within(compilation->model_path, NULL, compilation->read_files,
                                   nnrt__build_limit(compilation), &mapping) == NULL) {
            code = nnrt__hash_offline(compilation, mapping.data, mapping.size, hash, hashed);
            nnrt__unmap_file(&mapping);
        }
    }
    return code;
}

/* Compiles, or restores the size bytes at blob unless it is NULL. mapping: where these are; NULL: in the program's
   memory. Not inlined: a program has it twice. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__build_prepare(OH_NNCompilation *compilation, const void *blob, size_t size,
                                                    nnrt__mapping *mapping) {
    nnrt__graph_store *store = blob == NULL ? compilation->store : NULL;
    nnrt__mapping copy;
    nnrt_request request;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    NNRT_ASSERT(compilation->prepared == NULL);
    nnrt__build_request(compilation, &request);
    if (nnrt__graph_store_here(store)) request.graph = nnrt__graph_store_graph(store);
    if (mapping != NULL) {
        request.is_mapped = mapping->memory == NULL;
        request.bytes_go = false;
    } else {
        code = blob != NULL ? nnrt__build_secure(compilation, &request, &blob, size, &copy)
                            : nnrt__build_secure(compilation, &request, &request.model, request.model_size, &copy);
        mapping = &copy;
    }
    if (code == OH_NN_SUCCESS)
        code = nnrt__prepared_make(compilation->device, &request, blob, size, store, mapping, &compilation->prepared);
    if (mapping == &copy && copy.memory != NULL) nnrt__unmap_file(&copy); /* NULL when the compiled model has it */
    return code;
}

/* Restores bytes of a cache; any refusal by the device makes the file invalid. mapping: as nnrt__build_prepare. */
NNRT__FN OH_NN_ReturnCode nnrt__build_restore(OH_NNCompilation *compilation, const void *blob, size_t size,
                                              nnrt__mapping *mapping) {
    const OH_NN_ReturnCode code = nnrt__build_prepare(compilation, blob, size, mapping);
    return code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR ? code : OH_NN_INVALID_FILE;
}

/* Asks the device about every node, then compiles. */
NNRT__FN OH_NN_ReturnCode nnrt__build_compile(OH_NNCompilation *compilation) {
    const bool graph = nnrt__graph_store_here(compilation->store);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    NNRT_ASSERT(nnrt__has_model(compilation));
    if (graph) code = nnrt__device_takes_graph(compilation->device, nnrt__graph_store_graph(compilation->store));
    if (code != OH_NN_SUCCESS) /* the device has reported the node and the reason */
        return code == OH_NN_MEMORY_ERROR ? code : OH_NN_FAILED;
    code = nnrt__build_prepare(compilation, NULL, 0, NULL);
    if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR || code == OH_NN_UNAVAILABLE_DEVICE ||
        (code == OH_NN_INVALID_FILE && !graph))
        return code;
    return OH_NN_FAILED;
}

/* Asks the device for the bytes of the cache and writes them. */
NNRT__FN OH_NN_ReturnCode nnrt__build_write(const OH_NNCompilation *compilation, const nnrt__cache_key *key) {
    nnrt__device *device = nnrt__device_find(key->device_id);
    OH_NN_ReturnCode code;
    size_t capacity, size = 0;
    void *blob;
    NNRT_ASSERT(device == compilation->device && compilation->prepared != NULL);
    if (key->version == NNRT__CACHE_NO_VERSION)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "cache version 4294967295 is reserved");
    code = nnrt__prepared_save(compilation->prepared, NULL, 0, &capacity);
    if (code != OH_NN_SUCCESS) return code;
    blob = nnrt__alloc(capacity);
    if (blob == NULL) return nnrt__fail_memory();
    code = nnrt__prepared_save(compilation->prepared, blob, capacity, &size);
    if (code == OH_NN_SUCCESS && size > capacity)
        code = nnrt__fail(OH_NN_SAVE_CACHE_EXCEPTION, "device %s needs ever more room to save", device->name);
    if (code == OH_NN_SUCCESS) {
        nnrt__mutex_lock(&device->cache_mutex); /* so that the two files of a cache come from one Build */
        code = nnrt__cache_write(key, blob, size);
        nnrt__mutex_unlock(&device->cache_mutex);
    }
    nnrt__free(blob);
    return code;
}

/* Writes the cache, last: the compiled model is kept whatever the result. A full disk is an error, as in OpenHarmony.
   Another user's file in the way is not: nobody else may decide whether this program starts. */
NNRT__FN OH_NN_ReturnCode nnrt__build_save(const OH_NNCompilation *compilation, const nnrt__cache_key *key) {
    const OH_NN_ReturnCode code = nnrt__build_write(compilation, key);
    if (code != OH_NN_UNSUPPORTED && code != OH_NN_OPERATION_FORBIDDEN) return code;
    nnrt__log(code == OH_NN_UNSUPPORTED ? NNRT_LOG_INFO : NNRT_LOG_WARNING, "no cache is kept in %.60s: %s",
              key->folder, nnrt__sentence());
    return OH_NN_SUCCESS;
}

/* Fills in where the cache on disk is, but neither its device nor its model. */
NNRT__FN void nnrt__build_key(const OH_NNCompilation *compilation, nnrt__cache_key *key) {
    memset(key, 0, sizeof(*key));
    key->folder = compilation->cache_folder;
    key->prefix = compilation->model_name != NULL ? compilation->model_name : "";
    key->version = compilation->cache_version;
    key->read_it = compilation->read_files;
    key->limit = nnrt__build_limit(compilation);
}

/* The cache on disk, before anything is compiled. key: filled. *found: compilation->prepared came from it. *hashed: the
   model could be hashed; otherwise there is no cache. */
NNRT__FN OH_NN_ReturnCode nnrt__build_lookup(OH_NNCompilation *compilation, nnrt__cache_key *key, bool *found,
                                             bool *hashed) {
    nnrt__mapping blob = {NULL, 0, NULL};
    nnrt__cache_verdict verdict;
    OH_NN_ReturnCode code;
    const char *problem = nnrt__folder_problem(compilation->cache_folder, false);
    *found = *hashed = false;
    if (problem != NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the cache directory %.100s %s", compilation->cache_folder, problem);
    if (!NNRT__HAS_FILES) return OH_NN_INVALID_PARAMETER; /* and the compiler knows it */
    nnrt__build_key(compilation, key);
    key->device_id = compilation->device->id;
    key->has_model = nnrt__has_model(compilation);
    code = nnrt__build_hash(compilation, &key->model_hash, hashed);
    if (code != OH_NN_SUCCESS || !*hashed) return code;
    if (key->version != NNRT__CACHE_NO_VERSION) {
        verdict = nnrt__cache_lookup(key, &blob);
    } else {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "cache version 4294967295 is reserved");
        verdict = NNRT__CACHE_MISSING;
    }
    if (verdict == NNRT__CACHE_NO_MEMORY) return OH_NN_MEMORY_ERROR;
    if (verdict == NNRT__CACHE_NEWER) return OH_NN_OPERATION_FORBIDDEN;
    if (verdict == NNRT__CACHE_HIT) {
        code = nnrt__build_restore(compilation, blob.data, blob.size, &blob);
        nnrt__unmap_file(&blob); /* empty when the compiled model has taken it */
        *found = code == OH_NN_SUCCESS;
        if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR) return code;
        verdict = NNRT__CACHE_CORRUPT;
    }
    if (!key->has_model) return verdict == NNRT__CACHE_CORRUPT ? OH_NN_INVALID_FILE : OH_NN_INVALID_PARAMETER;
    if (verdict == NNRT__CACHE_CORRUPT)
        nnrt__log(NNRT_LOG_WARNING, "the model is compiled again: %s", nnrt__sentence());
    else if (verdict == NNRT__CACHE_OTHER)
        nnrt__log(NNRT_LOG_WARNING, "%s; models in one folder need a ModelName each", nnrt__sentence());
    problem = nnrt__folder_problem(key->folder, true);
    if (problem != NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the cache directory %.100s %s", key->folder, problem);
    return OH_NN_SUCCESS;
}

/* A cache without a model goes to the device that compiled its graph, which then becomes compilation->device: not the
   first one if that passed the graph on (nnrt__build_pass_on). */
NNRT__FN void nnrt__build_follow(OH_NNCompilation *compilation) {
    nnrt__device_table *table = nnrt__devices_lock(); /* let go before backends are called */
    const uint32_t built_in = table->compiled_in;
    nnrt__cache_key key;
    size_t id = 0;
    uint32_t i;
    nnrt__devices_unlock();
    if (compilation->no_fallback || built_in < 2 || compilation->device != &table->devices[0] ||
        nnrt__has_model(compilation))
        return;
    if (NNRT__HAS_FILES && nnrt__has_cache_folder(compilation)) {
        nnrt__build_key(compilation, &key);
        id = nnrt__cache_device_id(&key);
    } else if (compilation->cache == NULL || nnrt__backend_knows(nnrt__backend_of(compilation->device),
                                                                 compilation->cache, compilation->cache_size)) {
        return;
    }
    for (i = 1; i < built_in; i++) {
        const nnrt__device *next = &table->devices[i];
        if (compilation->cache != NULL
                ? !nnrt__backend_knows(nnrt__backend_of(next), compilation->cache, compilation->cache_size)
                : next->id != id)
            continue;
        if (nnrt__build_check_settings(compilation, next) == OH_NN_SUCCESS) compilation->device = next;
        return;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__build_check_choice(const void *compilation, const nnrt__device *device) {
    return nnrt__build_check_settings((const OH_NNCompilation *)compilation, device);
}

/* Sets compilation->device, named or chosen. */
NNRT__FN OH_NN_ReturnCode nnrt__build_choose(OH_NNCompilation *compilation) {
    const nnrt__device **device = &compilation->device;
    nnrt__choice_settings settings;
    nnrt__cache_key key;
    settings.check = nnrt__build_check_choice;
    settings.compilation = compilation->no_fallback ? NULL : compilation;
    if (compilation->device_id == 0) {
        if (compilation->model_path != NULL)
            return nnrt__choose_by_file(compilation->model_path, compilation->read_files, &settings, device);
        if (compilation->model != NULL)
            return nnrt__choose_by_bytes("the model", compilation->model, compilation->model_size, &settings, device);
        if (compilation->cache != NULL)
            return nnrt__choose_by_bytes("the cache", compilation->cache, compilation->cache_size, &settings, device);
        if (NNRT__HAS_FILES && !nnrt__graph_store_here(compilation->store) && nnrt__has_cache_folder(compilation)) {
            nnrt__build_key(compilation, &key);
            return nnrt__choose_by_cache(&key, device);
        }
    }
    *device = nnrt__device_find(compilation->device_id);
    if (*device == NULL) return OH_NN_FAILED;
    if (NNRT__HAS_ALTERNATIVES) nnrt__build_follow(compilation);
    return OH_NN_SUCCESS;
}

/* Programs that do not choose get the first device of the list. If it lacks an operator of the graph, the next built-in
   device that has all of them and accepts the settings becomes compilation->device, and why is logged. Registered
   devices neither pass a graph on nor receive one. */
NNRT__FN void nnrt__build_pass_on(OH_NNCompilation *compilation) {
    nnrt__device_table *table = nnrt__devices_lock(); /* let go before backends are called */
    const uint32_t built_in = table->compiled_in;
    char reason[NNRT__SENTENCE_SIZE];
    const nnrt_graph *graph;
    OH_NN_ReturnCode code;
    uint32_t i;
    nnrt__devices_unlock();
    if (!nnrt__graph_store_here(compilation->store) || compilation->no_fallback || built_in < 2 ||
        compilation->device != &table->devices[0])
        return;
    graph = nnrt__graph_store_graph(compilation->store);
    code = nnrt__device_takes_graph(compilation->device, graph);
    if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR) return;
    memcpy(reason, nnrt__sentence(), sizeof(reason));
    for (i = 1; i < built_in; i++) {
        const nnrt__device *next = &table->devices[i];
        if (nnrt__build_check_settings(compilation, next) != OH_NN_SUCCESS ||
            nnrt__device_takes_graph(next, graph) != OH_NN_SUCCESS)
            continue;
        nnrt__log(NNRT_LOG_WARNING, "device %.60s runs the graph instead of %.60s: %s", next->name,
                  compilation->device->name, reason);
        compilation->device = next;
        return;
    }
}

/* Float16 is a permission: if Build chose a device without it, float32 is used. */
NNRT__FN void nnrt__build_take_float16(OH_NNCompilation *compilation) {
    if (!compilation->enable_float16 || (nnrt__backend_of(compilation->device)->capabilities & NNRT_CAN_FLOAT16) != 0)
        return;
    nnrt__log(NNRT_LOG_INFO, "device %.60s computes in float32: it has no float16", compilation->device->name);
    compilation->enable_float16 = false;
}

/* All that follows the choice of the device. */
NNRT__FN OH_NN_ReturnCode nnrt__build(OH_NNCompilation *compilation) {
    nnrt__cache_key key;
    bool found = false, hashed = true;
    OH_NN_ReturnCode code, graph = nnrt__build_check_graph(compilation);
    NNRT_ASSERT(compilation->device != NULL && compilation->prepared == NULL);
    if (NNRT__HAS_ALTERNATIVES && graph == OH_NN_SUCCESS)
        nnrt__build_pass_on(compilation); /* it does not matter what the first device lacks */
    code = nnrt__build_check_settings(compilation, compilation->device);
    if (code == OH_NN_SUCCESS && graph != OH_NN_SUCCESS) code = nnrt__build_check_graph(compilation);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__build_take_float16(compilation);
    if (compilation->cache != NULL)
        return nnrt__build_restore(compilation, compilation->cache, compilation->cache_size, NULL);
    if (nnrt__cache_is_needless(compilation, nnrt__backend_of(compilation->device))) {
        nnrt__log(NNRT_LOG_INFO, "device %s takes models that are compiled already: the cache in %s is not used",
                  compilation->device->name, compilation->cache_folder);
        return nnrt__build_compile(compilation);
    }
    if (!nnrt__has_cache_folder(compilation)) {
        if (nnrt__has_model(compilation)) return nnrt__build_compile(compilation);
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNCompilation_Build: neither a model nor a cache was given");
    }
    memset(&key, 0, sizeof(key));
    code = nnrt__build_lookup(compilation, &key, &found, &hashed);
    if (code != OH_NN_SUCCESS || found) return code;
    code = nnrt__build_compile(compilation);
    if (code == OH_NN_SUCCESS && !hashed)
        nnrt__log(NNRT_LOG_INFO,
                  "no cache is kept in %.100s: the model is larger than nnrt.max_memory, or of no format of "
                  "device %.60s",
                  compilation->cache_folder, compilation->device->name);
    return code == OH_NN_SUCCESS && hashed ? nnrt__build_save(compilation, &key) : code;
}

/* After a successful Build: records its memory, and releases the graph unless the device needs it. peak: above what the
   compilation held before. */
NNRT__FN void nnrt__build_settle(OH_NNCompilation *compilation, size_t peak) {
    nnrt__prepared *prepared = compilation->prepared;
    const size_t bytes = nnrt__compilation_bytes(compilation);
    NNRT_ASSERT(prepared->device == compilation->device);
    prepared->build_peak_bytes = bytes + peak;
    nnrt__prepared_settle(prepared);
    prepared->compilation_bytes = bytes - nnrt__graph_store_bytes(compilation->store);
    nnrt__graph_store_release(compilation->store);
    compilation->store = NULL;
    nnrt__atomic_store(&prepared->compilation_lives, 1);
}

NNRT_API OH_NN_ReturnCode OH_NNCompilation_Build(OH_NNCompilation *compilation) {
    char sentence[NNRT__SENTENCE_SIZE];
    OH_NN_ReturnCode code;
    nnrt__tally outer;
    size_t peak;
    bool chosen;
    int sources;
    if (compilation == NULL) return nnrt__fail_null("OH_NNCompilation_Build", "compilation");
    sources = (nnrt__graph_store_here(compilation->store)) + (compilation->model_path != NULL) +
              (compilation->model != NULL) + (compilation->cache != NULL);
    if (sources > 1)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "OH_NNCompilation_Build: there is more than one model or cache buffer");
    if (compilation->state != NNRT__COMPILATION_CONFIGURING)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNCompilation_Build: Build was called before");
    nnrt__sentence_copy(sentence, nnrt__sentence());
    outer = nnrt__tally_begin();
    code = nnrt__build_choose(compilation);
    chosen = code == OH_NN_SUCCESS;
    if (chosen) code = nnrt__build(compilation);
    peak = nnrt__tally_end(&outer);
    if (!chosen) return code;
    NNRT_ASSERT(code != OH_NN_SUCCESS || compilation->prepared != NULL);
    if (compilation->prepared != NULL) nnrt__build_settle(compilation, peak);
    if (code == OH_NN_SUCCESS) nnrt__sentence_copy(nnrt__sentence(), sentence); /* not that of a cache not used */
    compilation->state = compilation->prepared != NULL ? NNRT__COMPILATION_BUILT : NNRT__COMPILATION_ATTEMPTED;
    return code;
}

#endif /* NNRT_CORE_COMPILATION_H */
