/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/config.h - extension configs of the NNIE device into options.   >>nnie_config

   docs/nnie.md explains each. */
#ifndef NNRT_NNIE_CONFIG_H
#define NNRT_NNIE_CONFIG_H

#include "types.h"

#define NNRT__NNIE_HANG_GRACE_MS 1000u
#define NNRT__NNIE_MAX_BATCH 256u  /* frames, or sequences, of a task */
#define NNRT__NNIE_MAX_BOXES 5000u /* of a task */

typedef enum nnrt__nnie_setting_id {
    NNRT__NNIE_SET_PIXELS,
    NNRT__NNIE_SET_IO_LAYOUT,
    NNRT__NNIE_SET_IO_FLOAT,
    NNRT__NNIE_SET_BATCH,
    NNRT__NNIE_SET_STEPS,
    NNRT__NNIE_SET_STEP_COUNTS,
    NNRT__NNIE_SET_MAX_BOXES,
    NNRT__NNIE_SET_SEGMENTS,
    NNRT__NNIE_SET_OUTPUTS,
    NNRT__NNIE_SET_ALIGNMENT,
    NNRT__NNIE_SET_INIT_SYS,
    NNRT__NNIE_SET_PROFILE,
    NNRT__NNIE_SET_TIMEOUT_MS,
    NNRT__NNIE_SET_HANG_GRACE_MS,
    NNRT__NNIE_SET_LAYERS
} nnrt__nnie_setting_id;

/* All of them, *count. */
NNRT__FN const nnrt__setting *nnrt__nnie_settings(size_t *count) {
    static const nnrt__setting rows[] = {
        {"nnie.pixels", NNRT__NNIE_SET_PIXELS, NNRT__SETTING_WORD, "model|bgr|rgb|planar|nv21|nv12", 0,
         NNRT__SETTING_FOR_MODELS},
        {"nnie.io_layout", NNRT__NNIE_SET_IO_LAYOUT, NNRT__SETTING_WORD, "nchw|nhwc|native", 0,
         NNRT__SETTING_FOR_MODELS},
        {"nnie.io_float", NNRT__NNIE_SET_IO_FLOAT, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"nnie.batch", NNRT__NNIE_SET_BATCH, NNRT__SETTING_NUMBER, NULL, NNRT__NNIE_MAX_BATCH,
         NNRT__SETTING_FOR_MODELS},
        {"nnie.steps", NNRT__NNIE_SET_STEPS, NNRT__SETTING_NUMBER, NULL, NNRT__NNIE_MAX_STEPS,
         NNRT__SETTING_FOR_MODELS},
        {"nnie.step_counts", NNRT__NNIE_SET_STEP_COUNTS, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"nnie.max_boxes", NNRT__NNIE_SET_MAX_BOXES, NNRT__SETTING_NUMBER, NULL, NNRT__NNIE_MAX_BOXES,
         NNRT__SETTING_FOR_MODELS},
        {"nnie.segments", NNRT__NNIE_SET_SEGMENTS, NNRT__SETTING_NAME, NULL, 0, NNRT__SETTING_FOR_MODELS},
        {"nnie.outputs", NNRT__NNIE_SET_OUTPUTS, NNRT__SETTING_WORD, "unused|all", 0, NNRT__SETTING_FOR_MODELS},
        {"nnie.alignment", NNRT__NNIE_SET_ALIGNMENT, NNRT__SETTING_WORD, "16|32|256", 0, NNRT__SETTING_FOR_MODELS},
        {"nnie.init_sys", NNRT__NNIE_SET_INIT_SYS, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"nnrt.profile", NNRT__NNIE_SET_PROFILE, NNRT__SETTING_WORD, "0|1", 0, NNRT__SETTING_FOR_MODELS},
        {"nnie.timeout_ms", NNRT__NNIE_SET_TIMEOUT_MS, NNRT__SETTING_NUMBER, NULL, INT32_MAX, NNRT__SETTING_FOR_MODELS},
        {"nnie.hang_grace_ms", NNRT__NNIE_SET_HANG_GRACE_MS, NNRT__SETTING_NUMBER, NULL, INT32_MAX,
         NNRT__SETTING_FOR_MODELS},
        {"nnie.layers", NNRT__NNIE_SET_LAYERS, NNRT__SETTING_BYTES, NULL, 0, NNRT__SETTING_FOR_MODELS}};
    *count = NNRT__COUNT_OF(rows);
    return rows;
}

/* "2" or "0-1" of length bytes. */
NNRT__FN bool nnrt__nnie_parse_segments(const char *text, size_t length, uint32_t *first, uint32_t *last) {
    const char *dash = (const char *)memchr(text, '-', length);
    const size_t before = dash != NULL ? (size_t)(dash - text) : length;
    if (!nnrt__setting_parse_number(text, before, 10, NNRT__NNIE_MAX_SEGMENTS - 1, first)) return false;
    *last = *first;
    if (dash == NULL) return true;
    return nnrt__setting_parse_number(dash + 1, length - before - 1, 10, NNRT__NNIE_MAX_SEGMENTS - 1, last) &&
           *last >= *first;
}

/* Writes the parsed value of row where it belongs. */
NNRT__FN void nnrt__nnie_apply(nnrt__nnie_options *options, const nnrt__setting *row,
                               const nnrt__setting_value *value) {
    static const uint32_t alignments[3] = {16, 32, 256};
    const uint32_t number = value->number;
    switch (row->id) {
    case NNRT__NNIE_SET_PIXELS: options->pixels = (nnrt__nnie_pixels)number; break;
    case NNRT__NNIE_SET_IO_LAYOUT: options->order = (nnrt__nnie_order)number; break;
    case NNRT__NNIE_SET_IO_FLOAT: options->raw = number == 0; break;
    case NNRT__NNIE_SET_BATCH: options->batch = number; break;
    case NNRT__NNIE_SET_STEPS: options->steps = number; break;
    case NNRT__NNIE_SET_STEP_COUNTS: options->step_counts = number == 1; break;
    case NNRT__NNIE_SET_MAX_BOXES: options->max_boxes = number; break;
    case NNRT__NNIE_SET_SEGMENTS:
        options->chose_segments =
            nnrt__nnie_parse_segments(value->text, value->length, &options->first_segment, &options->last_segment);
        break;
    case NNRT__NNIE_SET_OUTPUTS: options->all_outputs = number == 1; break;
    case NNRT__NNIE_SET_ALIGNMENT:
        NNRT_ASSERT(number < NNRT__COUNT_OF(alignments));
        options->alignment = alignments[number];
        break;
    case NNRT__NNIE_SET_INIT_SYS: options->init_system = number == 1; break;
    case NNRT__NNIE_SET_PROFILE: options->npu.profile = number == 1; break;
    case NNRT__NNIE_SET_TIMEOUT_MS: options->npu.timeout_ms = number; break;
    case NNRT__NNIE_SET_HANG_GRACE_MS: options->npu.hang_grace_ms = number; break;
    case NNRT__NNIE_SET_LAYERS:
        options->layers = (const nnrt_nnie_layer *)(const void *)value->text;
        options->layer_count = (uint32_t)(value->length / sizeof(nnrt_nnie_layer));
        break;
    }
}

/* options NULL: only checks config. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_take_config(nnrt__nnie_options *options, const nnrt_config *config) {
    size_t count;
    const nnrt__setting *rows = nnrt__nnie_settings(&count), *row = nnrt__setting_find(rows, count, config->name);
    nnrt__setting_value value;
    uint32_t first, last;
    OH_NN_ReturnCode code;
    if (row == NULL) return nnrt__setting_unknown(rows, count, config->name, "the NNIE device");
    code = nnrt__setting_parse(row, config, &value);
    if (code != OH_NN_SUCCESS) return code;
    if (row->id == NNRT__NNIE_SET_LAYERS &&
        (value.length % sizeof(nnrt_nnie_layer) != 0 || value.length / sizeof(nnrt_nnie_layer) > NNRT__NNIE_MAX_LAYERS))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "%zu bytes are no array of 1 to %u nnrt_nnie_layer, which have %zu bytes each", value.length,
                          NNRT__NNIE_MAX_LAYERS, sizeof(nnrt_nnie_layer));
    if (row->id == NNRT__NNIE_SET_BATCH && value.number == 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "a batch has 1 to %u frames", NNRT__NNIE_MAX_BATCH);
    if (row->id == NNRT__NNIE_SET_SEGMENTS && !nnrt__nnie_parse_segments(value.text, value.length, &first, &last))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is no range of segments, as 1 or 0-2", value.text);
    if (!NNRT__HAS_THREADS && row->id == NNRT__NNIE_SET_TIMEOUT_MS && value.number != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "this build has no threads (NNRT_NO_THREADS) and cannot give up a run; 0 is possible");
    if (options != NULL) nnrt__nnie_apply(options, row, &value);
    return OH_NN_SUCCESS;
}

/* Slot check_config. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_check_config(void *device, const nnrt_config *config) {
    (void)device;
    return nnrt__nnie_take_config(NULL, config);
}

/* The options of a request: defaults, then its configs in order. layers points into the request. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_take_request(const nnrt_request *request, nnrt__nnie_options *options) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    memset(options, 0, sizeof(*options));
    options->npu.hang_grace_ms = NNRT__NNIE_HANG_GRACE_MS;
    options->batch = 1;
    options->alignment = 16;
    options->last_segment = NNRT__NNIE_MAX_SEGMENTS - 1;
    for (i = 0; i < request->config_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__nnie_take_config(options, &request->configs[i]);
    if (code == OH_NN_SUCCESS && options->order == NNRT__NNIE_ORDER_NATIVE &&
        options->pixels != NNRT__NNIE_PIXELS_MODEL)
        code = nnrt__fail(OH_NN_FAILED,
                          "nnie.io_layout native shows the engine's own bytes: nnie.pixels cannot change them");
    return code;
}

#endif /* NNRT_NNIE_CONFIG_H */
