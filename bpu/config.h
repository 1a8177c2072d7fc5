/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/config.h - extension configs of the BPU device into options.   >>bpu_config

   docs/bpu.md explains each. */
#ifndef NNRT_BPU_CONFIG_H
#define NNRT_BPU_CONFIG_H

#include "types.h"

#define NNRT__BPU_HANG_GRACE_MS 1000u
#define NNRT__BPU_MAX_PITCH 65536u

typedef enum nnrt__bpu_setting_id {
    NNRT__BPU_SET_MODEL,
    NNRT__BPU_SET_IO_FLOAT,
    NNRT__BPU_SET_IO_RAW,
    NNRT__BPU_SET_NV12,
    NNRT__BPU_SET_PITCH,
    NNRT__BPU_SET_MEMORY,
    NNRT__BPU_SET_BATCH,
    NNRT__BPU_SET_PRIORITY,
    NNRT__BPU_SET_CUSTOM_ID,
    NNRT__BPU_SET_CORES,
    NNRT__BPU_SET_PROFILE,
    NNRT__BPU_SET_TIMEOUT_MS,
    NNRT__BPU_SET_HANG_GRACE_MS
} nnrt__bpu_setting_id;

/* All of them, *count. */
NNRT__FN const nnrt__setting *nnrt__bpu_settings(size_t *count) {
    static const nnrt__setting rows[] = {
        {"bpu.model", NNRT__BPU_SET_MODEL, NNRT__SETTING_BYTES, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"bpu.io_float", NNRT__BPU_SET_IO_FLOAT, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"bpu.io_raw", NNRT__BPU_SET_IO_RAW, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"bpu.nv12", NNRT__BPU_SET_NV12, NNRT__SETTING_WORD, "model|planes", 0, NNRT__SETTING_FOR_MODELS},
        {"bpu.pitch", NNRT__BPU_SET_PITCH, NNRT__SETTING_NUMBER, NULL, NNRT__BPU_MAX_PITCH, NNRT__SETTING_FOR_MODELS},
        {"bpu.memory", NNRT__BPU_SET_MEMORY, NNRT__SETTING_WORD, "cached|uncached", 0, NNRT__SETTING_FOR_MODELS},
        {"bpu.batch", NNRT__BPU_SET_BATCH, NNRT__SETTING_NUMBER, NULL, NNRT__BPU_MAX_BATCH, NNRT__SETTING_FOR_MODELS},
        {"bpu.priority", NNRT__BPU_SET_PRIORITY, NNRT__SETTING_NUMBER, NULL, NNRT__BPU_HIGHEST_PRIORITY,
         NNRT__SETTING_FOR_MODELS},
        {"bpu.custom_id", NNRT__BPU_SET_CUSTOM_ID, NNRT__SETTING_NAME, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"bpu.cores", NNRT__BPU_SET_CORES, NNRT__SETTING_WORD, "any|0|1|2|3|01|23|0123", 0, NNRT__SETTING_FOR_MODELS},
        {"nnrt.profile", NNRT__BPU_SET_PROFILE, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"bpu.timeout_ms", NNRT__BPU_SET_TIMEOUT_MS, NNRT__SETTING_NUMBER, NULL, INT32_MAX, NNRT__SETTING_FOR_MODELS},
        {"bpu.hang_grace_ms", NNRT__BPU_SET_HANG_GRACE_MS, NNRT__SETTING_NUMBER, NULL, INT32_MAX,
         NNRT__SETTING_FOR_MODELS}};
    *count = NNRT__COUNT_OF(rows);
    return rows;
}

/* A name of 1 to 255 bytes, with or without a terminating zero; false: it is none. */
NNRT__FN bool nnrt__bpu_parse_name(const nnrt__setting_value *value, char *name) {
    size_t length = value->length;
    if (length != 0 && value->text[length - 1] == '\0') length--;
    if (length == 0 || length >= NNRT__BPU_NAME_SIZE || memchr(value->text, '\0', length) != NULL) return false;
    memcpy(name, value->text, length);
    name[length] = '\0';
    return true;
}

/* "run" counts runs, anything else is a number. */
NNRT__FN bool nnrt__bpu_parse_custom_id(const nnrt__setting_value *value, nnrt__bpu_options *options) {
    options->has_custom_id = true;
    options->custom_id_counts = value->length == 3 && memcmp(value->text, "run", 3) == 0;
    return options->custom_id_counts ||
           nnrt__setting_parse_number(value->text, value->length, 10, INT32_MAX, &options->custom_id);
}

/* Stores the parsed value of row in its option; false: the value is invalid. */
NNRT__FN bool nnrt__bpu_apply(nnrt__bpu_options *options, const nnrt__setting *row, const nnrt__setting_value *value) {
    static const uint8_t cores[8] = {0, 1, 2, 4, 8, 3, 12, 15};
    const uint32_t number = value->number;
    switch (row->id) {
    case NNRT__BPU_SET_MODEL: return nnrt__bpu_parse_name(value, options->model);
    case NNRT__BPU_SET_IO_FLOAT: options->as_float = number == 1; break;
    case NNRT__BPU_SET_IO_RAW: options->raw = number == 1; break;
    case NNRT__BPU_SET_NV12: options->planes = number == 1; break;
    case NNRT__BPU_SET_PITCH: options->pitch = number; break;
    case NNRT__BPU_SET_MEMORY: options->uncached = number == 1; break;
    case NNRT__BPU_SET_BATCH: options->batch = number; return number != 0;
    case NNRT__BPU_SET_PRIORITY:
        options->priority = number;
        options->has_priority = true;
        break;
    case NNRT__BPU_SET_CUSTOM_ID: return nnrt__bpu_parse_custom_id(value, options);
    case NNRT__BPU_SET_CORES:
        NNRT_ASSERT(number < NNRT__COUNT_OF(cores));
        options->cores = cores[number];
        break;
    case NNRT__BPU_SET_PROFILE: options->npu.profile = number == 1; break;
    case NNRT__BPU_SET_TIMEOUT_MS: options->npu.timeout_ms = number; break;
    default: options->npu.hang_grace_ms = number; break;
    }
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_take_config(nnrt__bpu_options *options, const nnrt_config *config) {
    size_t count;
    const nnrt__setting *rows = nnrt__bpu_settings(&count), *row = nnrt__setting_find(rows, count, config->name);
    nnrt__setting_value value;
    OH_NN_ReturnCode code;
    if (row == NULL) return nnrt__setting_unknown(rows, count, config->name, "the BPU device");
    code = nnrt__setting_parse(row, config, &value);
    if (code != OH_NN_SUCCESS) return code;
    if (!NNRT__HAS_THREADS && row->id == NNRT__BPU_SET_TIMEOUT_MS && value.number != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "this build has no threads (NNRT_NO_THREADS) and cannot give up a run; 0 is possible");
    if (nnrt__bpu_apply(options, row, &value)) return OH_NN_SUCCESS;
    if (row->id == NNRT__BPU_SET_BATCH)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "a batch has 1 to %u runs", NNRT__BPU_MAX_BATCH);
    if (row->id == NNRT__BPU_SET_MODEL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the name of a model has 1 to %u bytes and no zero among them",
                          NNRT__BPU_NAME_SIZE - 1);
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is neither \"run\" nor a number from 0 to %d", value.text,
                      INT32_MAX);
}

/* Slot check_config. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_config(void *device, const nnrt_config *config) {
    nnrt__bpu_options options;
    (void)device;
    memset(&options, 0, sizeof(options));
    return nnrt__bpu_take_config(&options, config);
}

/* The library's number for OH_NNCompilation_SetPriority: ordinary priorities, none of which preempts another. */
NNRT__FN uint32_t nnrt__bpu_priority_of(OH_NN_Priority priority) {
    return priority == OH_NN_PRIORITY_HIGH ? 192 : priority == OH_NN_PRIORITY_MEDIUM ? 128 : NNRT__BPU_LOWEST_PRIORITY;
}

/* The options of a request: defaults, then its configs in order. Refuses what a library of this layout cannot do. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_take_request(const nnrt_request *request, const nnrt__bpu_layout *layout,
                                                 nnrt__bpu_options *options) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    memset(options, 0, sizeof(*options));
    options->npu.hang_grace_ms = NNRT__BPU_HANG_GRACE_MS;
    options->batch = 1;
    for (i = 0; i < request->config_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__bpu_take_config(options, &request->configs[i]);
    if (code != OH_NN_SUCCESS) return code;
    if (!options->has_priority) options->priority = nnrt__bpu_priority_of(request->priority);
    if (options->raw && options->as_float)
        return nnrt__fail(OH_NN_FAILED, "bpu.io_raw 1 shows the bytes of the board: bpu.io_float 1 cannot change them");
    if (options->has_custom_id && !layout->has_custom_id)
        return nnrt__fail(OH_NN_FAILED, "bpu.custom_id: libraries have it from version 1.14 on");
    if (!layout->is_ucp && options->cores > 2)
        return nnrt__fail(OH_NN_FAILED, "bpu.cores: X3, J5 and X5 take any, 0 or 1");
    return OH_NN_SUCCESS;
}

#endif /* NNRT_BPU_CONFIG_H */
