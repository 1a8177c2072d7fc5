/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/config.h - turns extension configs into options, and options into flags that this library
   supports.   >>rknpu_config

   Everything possible is refused before rknn_init, because a runtime silently accepts unknown flags, and an impossible
   combination often shows only as a wrong result. There are two checks with the same table: before a model is loaded
   with the version that the library's symbols prove, and after rknn_init with the exact one. docs/rknpu.md explains
   each config. */
#ifndef NNRT_RKNPU_CONFIG_H
#define NNRT_RKNPU_CONFIG_H

#include "../npu/settings.h"
#include "types.h"

#define NNRT__RKNPU_HANG_GRACE_MS 1000u
#define NNRT__RKNPU_MAX_RETRY 1000u

/* ----------------------------------------------------------------------------------- the table of configs */

typedef enum nnrt__rknpu_setting_id {
    NNRT__RKNPU_SET_API,
    NNRT__RKNPU_SET_IO_LAYOUT,
    NNRT__RKNPU_SET_IO_FLOAT,
    NNRT__RKNPU_SET_INPUT_TYPE,
    NNRT__RKNPU_SET_CORE_MASK,
    NNRT__RKNPU_SET_BATCH_CORES,
    NNRT__RKNPU_SET_PROFILE,
    NNRT__RKNPU_SET_MEMORY,
    NNRT__RKNPU_SET_NAME,
    NNRT__RKNPU_SET_SHARE_INTERNAL,
    NNRT__RKNPU_SET_SHARE_WEIGHTS,
    NNRT__RKNPU_SET_SHARE_SRAM,
    NNRT__RKNPU_SET_FLAG,     /* the flag of the row is set by the word number 1 */
    NNRT__RKNPU_SET_NOT_FLAG, /* by the word number 0 */
    NNRT__RKNPU_SET_FLAGS,
    NNRT__RKNPU_SET_CACHEABLE,
    NNRT__RKNPU_SET_MODEL_OFFSET,
    NNRT__RKNPU_SET_MODEL_SIZE,
    NNRT__RKNPU_SET_CUSTOM_OP,
    NNRT__RKNPU_SET_TIMEOUT_MS,
    NNRT__RKNPU_SET_HANG_GRACE_MS,
    NNRT__RKNPU_SET_RETRY,
    NNRT__RKNPU_SET_MATMUL_WEIGHTS,
    NNRT__RKNPU_SET_OPEN
} nnrt__rknpu_setting_id;

/* All of them, *count. */
NNRT__FN const nnrt__setting *nnrt__rknpu_settings(size_t *count) {
    static const nnrt__setting rows[] = {
        {"rknn.api", NNRT__RKNPU_SET_API, NNRT__SETTING_WORD, "zero_copy|general", 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.io_layout", NNRT__RKNPU_SET_IO_LAYOUT, NNRT__SETTING_WORD, "model|nhwc|nchw|native", 0,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.io_float", NNRT__RKNPU_SET_IO_FLOAT, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.input_type", NNRT__RKNPU_SET_INPUT_TYPE, NNRT__SETTING_WORD, "model|uint8", 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.core_mask", NNRT__RKNPU_SET_CORE_MASK, NNRT__SETTING_WORD, "auto|0|1|2|0_1|0_1_2|all", 0,
         NNRT__SETTING_FOR_MODELS | NNRT__SETTING_FOR_GRAPHS},
        {"rknn.batch_cores", NNRT__RKNPU_SET_BATCH_CORES, NNRT__SETTING_NUMBER, NULL, 16, NNRT__SETTING_FOR_MODELS},
        {"nnrt.profile", NNRT__RKNPU_SET_PROFILE, NNRT__SETTING_WORD, "0|1", 0,
         NNRT__SETTING_FOR_MODELS | NNRT__SETTING_FOR_GRAPHS},
        {"rknn.profile", NNRT__RKNPU_SET_PROFILE, NNRT__SETTING_WORD, "0|1", 0,
         NNRT__SETTING_FOR_MODELS | NNRT__SETTING_FOR_GRAPHS},
        {"rknn.memory", NNRT__RKNPU_SET_MEMORY, NNRT__SETTING_WORD, "inside|internal_outside|outside", 0,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.name", NNRT__RKNPU_SET_NAME, NNRT__SETTING_NAME, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.share_internal", NNRT__RKNPU_SET_SHARE_INTERNAL, NNRT__SETTING_NAME, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.share_weights", NNRT__RKNPU_SET_SHARE_WEIGHTS, NNRT__SETTING_NAME, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.share_sram", NNRT__RKNPU_SET_SHARE_SRAM, NNRT__SETTING_NAME, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.sram", NNRT__RKNPU_SET_FLAG, NNRT__SETTING_WORD, "0|1", NNRT_RKNN_FLAG_ENABLE_SRAM,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.high_priority", NNRT__RKNPU_SET_NOT_FLAG, NNRT__SETTING_WORD, "0|1",
         NNRT_RKNN_FLAG_DISABLE_PROC_HIGH_PRIORITY, NNRT__SETTING_FOR_MODELS},
        {"rknn.flush_input", NNRT__RKNPU_SET_NOT_FLAG, NNRT__SETTING_WORD, "0|1",
         NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE, NNRT__SETTING_FOR_MODELS},
        {"rknn.flush_output", NNRT__RKNPU_SET_NOT_FLAG, NNRT__SETTING_WORD, "0|1",
         NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE, NNRT__SETTING_FOR_MODELS},
        {"rknn.fallback_gpu", NNRT__RKNPU_SET_FLAG, NNRT__SETTING_WORD, "0|1",
         NNRT_RKNN_FLAG_EXECUTE_FALLBACK_PRIOR_DEVICE_GPU, NNRT__SETTING_FOR_MODELS},
        {"rknn.async", NNRT__RKNPU_SET_FLAG, NNRT__SETTING_WORD, "0|1", NNRT_RKNN_FLAG_ASYNC_MASK,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.info_only", NNRT__RKNPU_SET_FLAG, NNRT__SETTING_WORD, "0|1", NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.model_zero_copy", NNRT__RKNPU_SET_FLAG, NNRT__SETTING_WORD, "0|1", NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.flags", NNRT__RKNPU_SET_FLAGS, NNRT__SETTING_HEX, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.cacheable", NNRT__RKNPU_SET_CACHEABLE, NNRT__SETTING_WORD, "0|1", 0,
         NNRT__SETTING_FOR_MODELS | NNRT__SETTING_FOR_GRAPHS},
        {"rknn.model_offset", NNRT__RKNPU_SET_MODEL_OFFSET, NNRT__SETTING_NUMBER, NULL, INT32_MAX,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.model_size", NNRT__RKNPU_SET_MODEL_SIZE, NNRT__SETTING_NUMBER, NULL, UINT32_MAX,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.custom_op", NNRT__RKNPU_SET_CUSTOM_OP, NNRT__SETTING_BYTES, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"rknn.timeout_ms", NNRT__RKNPU_SET_TIMEOUT_MS, NNRT__SETTING_NUMBER, NULL, INT32_MAX,
         NNRT__SETTING_FOR_MODELS | NNRT__SETTING_FOR_GRAPHS},
        {"rknn.hang_grace_ms", NNRT__RKNPU_SET_HANG_GRACE_MS, NNRT__SETTING_NUMBER, NULL, INT32_MAX,
         NNRT__SETTING_FOR_MODELS | NNRT__SETTING_FOR_GRAPHS},
        {"rknn.retry", NNRT__RKNPU_SET_RETRY, NNRT__SETTING_NUMBER, NULL, NNRT__RKNPU_MAX_RETRY,
         NNRT__SETTING_FOR_MODELS},
        {"rknn.matmul_weights", NNRT__RKNPU_SET_MATMUL_WEIGHTS, NNRT__SETTING_WORD, "int8|int4", 0,
         NNRT__SETTING_FOR_GRAPHS},
        {"rknn.open", NNRT__RKNPU_SET_OPEN, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS}};
    *count = NNRT__COUNT_OF(rows);
    return rows;
}

/* The row called name; NULL: there is none. */
NNRT__FN const nnrt__setting *nnrt__rknpu_setting_find(const char *name) {
    size_t count;
    const nnrt__setting *rows = nnrt__rknpu_settings(&count);
    return nnrt__setting_find(rows, count, name);
}

/* ------------------------------------------------------------------------------------------------- values */

NNRT__FN void nnrt__rknpu_set_flag(nnrt__rknpu_options *options, uint32_t flag, bool on) {
    if (on) options->flags |= flag;
    else options->flags &= ~flag;
}

/* Stores the parsed value of row in its option. */
NNRT__FN void nnrt__rknpu_apply(nnrt__rknpu_options *options, const nnrt__setting *row,
                                const nnrt__setting_value *value) {
    static const nnrt__rknpu_io_order orders[4] = {NNRT__RKNPU_IO_MODEL, NNRT__RKNPU_IO_NHWC, NNRT__RKNPU_IO_NCHW,
                                                   NNRT__RKNPU_IO_NATIVE};
    static const uint32_t masks[7] = {0, 1, 2, 4, 3, 7, 0xffff};
    static const uint32_t memories[3] = {0, NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE, NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE};
    const uint32_t number = value->number;
    switch (row->id) {
    case NNRT__RKNPU_SET_API: options->general_api = number == 1; break;
    case NNRT__RKNPU_SET_IO_LAYOUT: options->order = orders[number]; break;
    case NNRT__RKNPU_SET_IO_FLOAT: options->io_float = number == 1; break;
    case NNRT__RKNPU_SET_INPUT_TYPE: options->input_uint8 = number == 1; break;
    case NNRT__RKNPU_SET_CORE_MASK:
        options->chose_cores = true;
        options->has_core_mask = number != 0;
        options->core_mask = masks[number];
        break;
    case NNRT__RKNPU_SET_BATCH_CORES:
        options->chose_cores = true;
        options->batch_cores = number;
        break;
    case NNRT__RKNPU_SET_PROFILE: options->npu.profile = number == 1; break;
    case NNRT__RKNPU_SET_MEMORY:
        nnrt__rknpu_set_flag(options, memories[1] | memories[2], false);
        nnrt__rknpu_set_flag(options, memories[number], true);
        break;
    case NNRT__RKNPU_SET_NAME: nnrt__setting_copy_name(options->name, value); break;
    case NNRT__RKNPU_SET_SHARE_INTERNAL: nnrt__setting_copy_name(options->share_internal, value); break;
    case NNRT__RKNPU_SET_SHARE_WEIGHTS: nnrt__setting_copy_name(options->share_weights, value); break;
    case NNRT__RKNPU_SET_SHARE_SRAM: nnrt__setting_copy_name(options->share_sram, value); break;
    case NNRT__RKNPU_SET_FLAG: nnrt__rknpu_set_flag(options, row->number, number == 1); break;
    case NNRT__RKNPU_SET_NOT_FLAG: nnrt__rknpu_set_flag(options, row->number, number == 0); break;
    case NNRT__RKNPU_SET_FLAGS: options->flags |= number; break;
    case NNRT__RKNPU_SET_CACHEABLE: options->non_cacheable = number == 0; break;
    case NNRT__RKNPU_SET_MODEL_OFFSET: options->model_offset = number; break;
    case NNRT__RKNPU_SET_MODEL_SIZE: options->model_size = number; break;
    case NNRT__RKNPU_SET_CUSTOM_OP:
        options->custom_ops = (const nnrt_rknn_custom_op *)(const void *)value->text;
        options->custom_op_count = (uint32_t)(value->length / sizeof(nnrt_rknn_custom_op));
        break;
    case NNRT__RKNPU_SET_TIMEOUT_MS: options->npu.timeout_ms = number; break;
    case NNRT__RKNPU_SET_HANG_GRACE_MS: options->npu.hang_grace_ms = number; break;
    case NNRT__RKNPU_SET_RETRY: options->retry = number; break;
    case NNRT__RKNPU_SET_MATMUL_WEIGHTS: options->int4_weights = number == 1; break;
    }
}

/* Reads one config into options, which may be NULL: check only. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_take_config(nnrt__rknpu_options *options, const nnrt_config *config) {
    size_t count;
    const nnrt__setting *rows = nnrt__rknpu_settings(&count), *row = nnrt__setting_find(rows, count, config->name);
    nnrt__setting_value value;
    OH_NN_ReturnCode code;
    if (row == NULL) return nnrt__setting_unknown(rows, count, config->name, "the Rockchip device");
    code = nnrt__setting_parse(row, config, &value);
    if (code != OH_NN_SUCCESS) return code;
    if (row->id == NNRT__RKNPU_SET_CUSTOM_OP &&
        (value.length % sizeof(nnrt_rknn_custom_op) != 0 || value.length / sizeof(nnrt_rknn_custom_op) > 64))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "%zu bytes are no array of 1 to 64 nnrt_rknn_custom_op, which have %zu bytes each",
                          value.length, sizeof(nnrt_rknn_custom_op));
    if (row->id == NNRT__RKNPU_SET_OPEN && value.number == 1)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "rknn.open 1 is for device rknn_open_rv1106 of builds with "
                                                   "NNRT_BACKEND_RKNPU_OPEN; this one runs Rockchip's library");
    if (!NNRT__HAS_THREADS && row->id == NNRT__RKNPU_SET_TIMEOUT_MS && value.number != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "this build has no threads (NNRT_NO_THREADS) and cannot give up a run; 0 is possible");
    if (options != NULL) nnrt__rknpu_apply(options, row, &value);
    return OH_NN_SUCCESS;
}

/* Slot check_config. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_config(void *device, const nnrt_config *config) {
    (void)device;
    return nnrt__rknpu_take_config(NULL, config);
}

/* ------------------------------------------------------------------------------------- what a runtime can */

/* What needs a version, or librknnrt. Rows apply to flags that are set. */
typedef struct nnrt__rknpu_need {
    uint32_t flag;
    uint32_t since;
    bool full;
    const char *what;
} nnrt__rknpu_need;

/* Row number index; false past the last. */
NNRT__FN bool nnrt__rknpu_need_at(size_t index, nnrt__rknpu_need *need) {
    static const nnrt__rknpu_need rows[] = {
        {NNRT_RKNN_FLAG_ASYNC_MASK, 0, true, "rknn.async"},
        {NNRT_RKNN_FLAG_COLLECT_PERF_MASK, 0, true, "flag 0x8, times of layers,"},
        {NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY, NNRT__RKNN_VERSION(1, 5, 0), false, "rknn.info_only"},
        {NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE, NNRT__RKNN_VERSION(1, 5, 2), false, "rknn.memory internal_outside"},
        {NNRT_RKNN_FLAG_EXECUTE_FALLBACK_PRIOR_DEVICE_GPU, NNRT__RKNN_VERSION(1, 5, 2), true, "rknn.fallback_gpu"},
        {NNRT_RKNN_FLAG_SHARE_SRAM, NNRT__RKNN_VERSION(1, 6, 0), true, "rknn.share_sram"},
        {NNRT_RKNN_FLAG_ENABLE_SRAM, NNRT__RKNN_VERSION(1, 6, 0), true, "rknn.sram"},
        {NNRT_RKNN_FLAG_DISABLE_PROC_HIGH_PRIORITY, NNRT__RKNN_VERSION(1, 6, 0), false, "rknn.high_priority 0"},
        {NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE, NNRT__RKNN_VERSION(2, 0, 0), false, "rknn.flush_input 0"},
        {NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE, NNRT__RKNN_VERSION(2, 0, 0), false, "rknn.flush_output 0"},
        {NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY, NNRT__RKNN_VERSION(2, 1, 0), true, "rknn.model_zero_copy"}};
    if (index >= NNRT__COUNT_OF(rows)) return false;
    *need = rows[index];
    return true;
}

/* Refuses what the runtime lacks. version: the exact one, or only what the symbols prove. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_version(const nnrt__rknpu_library *library,
                                                    const nnrt__rknpu_options *options, uint32_t version, bool exact) {
    nnrt__rknpu_need need;
    size_t i;
    for (i = 0; nnrt__rknpu_need_at(i, &need); i++) {
        /* Symbols distinguish these versions from earlier ones: what they do not prove is missing. */
        const bool told = exact || need.since == NNRT__RKNN_VERSION(1, 5, 2) ||
                          need.since == NNRT__RKNN_VERSION(1, 6, 0) || need.since == NNRT__RKNN_VERSION(2, 0, 0) ||
                          (need.since == NNRT__RKNN_VERSION(2, 1, 0) && !library->mini);
        if ((options->flags & need.flag) == 0) continue;
        if (need.full && library->mini)
            return nnrt__fail(OH_NN_FAILED, "%s needs librknnrt; librknnmrt of RV1103 and RV1106 does not have it",
                              need.what);
        if (told && version < need.since)
            return nnrt__fail(OH_NN_FAILED, "%s needs a runtime of version %u.%u.%u; %s is %s %u.%u.%u", need.what,
                              (unsigned)(need.since >> 16), (unsigned)(need.since >> 8 & 255),
                              (unsigned)(need.since & 255), library->name, exact ? "version" : "older, about",
                              (unsigned)(version >> 16), (unsigned)(version >> 8 & 255), (unsigned)(version & 255));
    }
    if (options->has_core_mask && options->core_mask == NNRT_RKNN_CORE_ALL && version < NNRT__RKNN_VERSION(2, 0, 0))
        return nnrt__fail(OH_NN_FAILED, "rknn.core_mask all needs a runtime of version 2.0.0; use 0_1 or 0_1_2");
    return OH_NN_SUCCESS;
}

/* Does rknn_run itself clean and invalidate imported memory, once per tensor, as it does the memory that it made? Seen
   with librknnmrt 1.6.0 to 2.3.2 and librknnrt 1.4.0 to 1.6.0; unknown for others, where an extra sync does no harm.
   version is the exact one. */
NNRT__FN bool nnrt__rknpu_syncs_imports(const nnrt__rknpu_library *library, uint32_t version) {
    if (library->mini) return version >= NNRT__RKNN_VERSION(1, 6, 0) && version <= NNRT__RKNN_VERSION(2, 3, 2);
    return version >= NNRT__RKNN_VERSION(1, 4, 0) && version <= NNRT__RKNN_VERSION(1, 6, 0);
}

/* Whether MEM_SIZE may be queried without need: librknnrt 1.5.2 and 1.6.0 crash in rknn_dup_context after it. */
NNRT__FN bool nnrt__rknpu_mem_size_is_safe(const nnrt__rknpu_library *library, uint32_t version) {
    return library->mini || version < NNRT__RKNN_VERSION(1, 5, 2) || version >= NNRT__RKNN_VERSION(2, 0, 0);
}

/* rknn_set_core_mask of a performance mode, on an NPU with so many cores. 0: the runtime takes an idle core, which
   gives the most throughput when several models run; HIGH and EXTREME split one run among cores, LOW never wakes a
   second one. */
NNRT__FN uint32_t nnrt__rknpu_mode_mask(OH_NN_PerformanceMode mode, uint32_t cores) {
    if (cores < 2) return NNRT_RKNN_CORE_AUTO;
    if (mode == OH_NN_PERFORMANCE_LOW) return NNRT_RKNN_CORE_0;
    if (mode == OH_NN_PERFORMANCE_HIGH) return NNRT_RKNN_CORE_0_1;
    if (mode != OH_NN_PERFORMANCE_EXTREME) return NNRT_RKNN_CORE_AUTO;
    return cores == 2 ? NNRT_RKNN_CORE_0_1 : NNRT_RKNN_CORE_0_1_2;
}

/* Functions that the library must have for what is asked. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_functions(const nnrt__rknpu_library *library,
                                                      const nnrt__rknpu_options *options) {
    const nnrt__rknn_api *api = &library->api;
    if (options->has_core_mask && (library->mini || api->set_core_mask == NULL))
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.core_mask: %s has no rknn_set_core_mask; only RK3588 and RK3576 have several "
                          "cores",
                          library->name);
    if (options->non_cacheable && api->create_mem2 == NULL)
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.cacheable 0: %s has no rknn_create_mem2, which came with version 2.0.0: its memory is "
                          "always cacheable",
                          library->name);
    if (library->mini && (options->flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0)
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.info_only saves nothing on librknnmrt, which allocates everything all the same: leave "
                          "it out, a normal Build tells the same facts");
    if (options->batch_cores != 0 && (library->mini || api->set_batch_core_num == NULL))
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.batch_cores: %s has no rknn_set_batch_core_num; only RK3588 and RK3576 have "
                          "several cores",
                          library->name);
    if (options->custom_op_count != 0 && (library->mini || api->register_custom_ops == NULL))
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.custom_op: %s has no rknn_register_custom_ops; librknnrt has it since version "
                          "1.6.0",
                          library->name);
    if (options->general_api &&
        (library->mini || api->inputs_set == NULL || api->outputs_get == NULL || api->outputs_release == NULL))
        return nnrt__fail(OH_NN_FAILED, "rknn.api general: %s binds memory only; use zero_copy", library->name);
    if ((options->flags & (NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE)) != 0 &&
        (api->set_internal_mem == NULL || api->set_weight_mem == NULL))
        return nnrt__fail(OH_NN_FAILED, "rknn.memory: %s has no rknn_set_internal_mem or rknn_set_weight_mem",
                          library->name);
    return OH_NN_SUCCESS;
}

/* Combinations that cannot work, whatever the runtime. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_combination(const nnrt__rknpu_options *options) {
    const uint32_t flags = options->flags;
    const uint32_t flush = NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE | NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE;
    const uint32_t outside = NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE;
    const char *why = NULL;
    if ((flags & NNRT_RKNN_FLAG_ASYNC_MASK) != 0 && !options->general_api)
        why = "rknn.async needs rknn.api general: only rknn_outputs_get hands out an earlier frame";
    else if ((flags & flush) != 0 && options->general_api)
        why = "rknn.flush_input and rknn.flush_output 0 need rknn.api zero_copy: the general API relies on the flush";
    else if ((flags & NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE) != 0 && options->general_api)
        why = "memory outside needs rknn.api zero_copy: the general API keeps inputs and outputs inside";
    else if ((flags & outside) == outside)
        why = "rknn.flags holds both MEM_ALLOC_OUTSIDE (0x10) and INTERNAL_ALLOC_OUTSIDE (0x200); 0x10 includes "
              "0x200";
    else if (options->order == NNRT__RKNPU_IO_NATIVE && options->general_api)
        why = "rknn.io_layout native needs rknn.api zero_copy: the general API takes tensors without padding";
    else if (options->order == NNRT__RKNPU_IO_NATIVE && (options->io_float || options->input_uint8))
        why = "rknn.io_layout native shows the NPU's own bytes: rknn.io_float and rknn.input_type cannot change them";
    else if ((flags & NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM) != 0 && options->share_weights[0] == '\0')
        why = "flag 0x20 needs rknn.share_weights, which names the compilation that has the weights";
    else if ((flags & NNRT_RKNN_FLAG_SHARE_SRAM) != 0 && options->share_sram[0] == '\0')
        why = "flag 0x1000 needs rknn.share_sram, which names the compilation that has the SRAM";
    else if (options->share_weights[0] != '\0' && options->share_sram[0] != '\0' &&
             strcmp(options->share_weights, options->share_sram) != 0)
        why = "rknn.share_weights and rknn.share_sram name different compilations; the runtime takes one";
    else if (options->name[0] != '\0' &&
             (strcmp(options->name, options->share_weights) == 0 || strcmp(options->name, options->share_sram) == 0))
        why = "a compilation cannot share with itself: rknn.name is its own name, the other one is somebody else's";
    else if ((flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0 &&
             (options->share_internal[0] != '\0' || options->share_weights[0] != '\0' ||
              options->share_sram[0] != '\0' || options->custom_op_count != 0))
        why = "rknn.info_only never runs: nothing can be shared with it, and it takes no custom operators";
    else if ((flags & NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT) != 0)
        why = "flag 0x20000 belongs to rknn_create_mem2 and is none of rknn_init";
    return why == NULL ? OH_NN_SUCCESS : nnrt__fail(OH_NN_FAILED, "%s", why);
}

/* Sets options that follow from others. library decides if there are several ways. */
NNRT__FN void nnrt__rknpu_complete_options(const nnrt__rknpu_library *library, nnrt__rknpu_options *options) {
    const uint32_t outside = NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE;
    if (options->npu.profile && !library->mini) options->flags |= NNRT_RKNN_FLAG_COLLECT_PERF_MASK;
    if (options->share_sram[0] != '\0') options->flags |= NNRT_RKNN_FLAG_SHARE_SRAM;
    if ((options->flags & NNRT_RKNN_FLAG_SHARE_SRAM) != 0) options->flags |= NNRT_RKNN_FLAG_ENABLE_SRAM;
    /* librknnmrt has no SHARE_WEIGHT_MEM: there one buffer of weights is given to both contexts. */
    if (options->share_weights[0] != '\0')
        options->flags |= library->mini ? NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE : NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM;
    /* librknnmrt takes internal memory only together with weights; so do runtimes before 1.5.2. */
    if (options->share_internal[0] != '\0' && (options->flags & outside) == 0)
        options->flags |= library->mini || library->at_least < NNRT__RKNN_VERSION(1, 5, 2)
                              ? NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE
                              : NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE;
}

/* The options of a request: defaults, then its configs in order, then what follows from them; checked as far as that is
   possible without a context. custom_ops points into the request. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_take_request(const nnrt__rknpu_library *library, const nnrt_request *request,
                                                   nnrt__rknpu_options *options) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    memset(options, 0, sizeof(*options));
    options->npu.hang_grace_ms = NNRT__RKNPU_HANG_GRACE_MS;
    for (i = 0; i < request->config_count && code == OH_NN_SUCCESS; i++) {
        code = nnrt__rknpu_take_config(options, &request->configs[i]);
        if (code == OH_NN_SUCCESS)
            code = nnrt__setting_check_use(nnrt__rknpu_setting_find(request->configs[i].name), request->graph != NULL,
                                           ".rknn");
    }
    if (code != OH_NN_SUCCESS) return code;
    options->performance = request->performance;
    if (request->priority == OH_NN_PRIORITY_MEDIUM) options->flags |= NNRT_RKNN_FLAG_PRIOR_MEDIUM;
    if (request->priority == OH_NN_PRIORITY_LOW) options->flags |= NNRT_RKNN_FLAG_PRIOR_LOW;
    if (library->mini && (options->flags & NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE) != 0)
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.memory internal_outside: librknnmrt takes internal memory only together with "
                          "the weights; use rknn.memory outside");
    nnrt__rknpu_complete_options(library, options);
    code = nnrt__rknpu_check_combination(options);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_check_functions(library, options);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_check_version(library, options, library->at_least, false);
    return code;
}

#endif /* NNRT_RKNPU_CONFIG_H */
