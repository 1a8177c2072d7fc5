/* SPDX-License-Identifier: Apache-2.0 */
/* sim_result.c - NNRT_SIM_RESULT: a fault of a driver or a converter that nobody reports and every result has. */
#include <stdlib.h>
#include <string.h>

#include "sim_network.h"

/* Elements of one byte, or of several, are moved; only int8 changes its values. */
typedef struct sim_result {
    uint8_t *data;
    const uint8_t *from; /* a copy of data */
    size_t count, size;  /* elements, and bytes of one */
    const uint32_t *dims;
    uint32_t rank;
} sim_result;

static void sim_result_take(const sim_result *r, size_t to, size_t from) {
    if (from < r->count) memcpy(r->data + to * r->size, r->from + from * r->size, r->size);
    else memset(r->data + to * r->size, 0, r->size);
}

/* NCHW where NHWC is meant. */
static void sim_result_nchw(const sim_result *r) {
    const size_t channels = r->dims[r->rank - 1], inside = r->count / r->dims[0], pixels = inside / channels;
    size_t i;
    for (i = 0; i < r->count; i++) {
        const size_t at = i % inside;
        sim_result_take(r, i, i - at + at % pixels * channels + at / pixels);
    }
}

/* Rows lie a multiple of 64 bytes apart. */
static void sim_result_stride(const sim_result *r) {
    const size_t row = r->dims[r->rank - 1] * (size_t)r->dims[r->rank - 2];
    const size_t apart = (row * r->size + 64) / 64 * 64 / r->size;
    size_t i;
    for (i = 0; i < r->count; i++) sim_result_take(r, i, i % apart < row ? i / apart * row + i % apart : r->count);
}

/* The last channel first. */
static void sim_result_channels(const sim_result *r) {
    const size_t channels = r->dims[r->rank - 1];
    size_t i;
    for (i = 0; i < r->count; i++) sim_result_take(r, i, i / channels * channels + channels - 1 - i % channels);
}

static void sim_result_values(const sim_result *r, const char *kind, int32_t zp) {
    int8_t *data = (int8_t *)r->data;
    size_t i;
    for (i = 0; i < r->count; i++) {
        int value = data[i];
        if (strcmp(kind, "zero_point") == 0) value += 5;
        if (strcmp(kind, "scale") == 0) value = zp + (value - zp) * 3 / 5;
        if (strcmp(kind, "saturation") == 0) value = value < -20 ? -20 : value > 24 ? 24 : value;
        if (strcmp(kind, "rounding") == 0) value += i % 3 == 0;
        data[i] = (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
    }
}

void sim_result_spoil(void *data, const uint32_t *dims, const sim_tensor *tensor) {
    const char *kind = getenv("NNRT_SIM_RESULT");
    sim_result r;
    uint8_t *copy;
    if (kind == NULL || *kind == '\0') return;
    r.size = sim_type_size(tensor->type);
    r.count = sim_elements(dims, tensor->rank);
    r.dims = dims;
    r.rank = tensor->rank;
    r.data = (uint8_t *)data;
    copy = (uint8_t *)malloc(r.count * r.size + 1);
    if (copy == NULL) return;
    memcpy(copy, data, r.count * r.size);
    r.from = copy;
    if (strcmp(kind, "layout") == 0) sim_result_nchw(&r);
    else if (strcmp(kind, "stride") == 0 && r.rank > 1) sim_result_stride(&r);
    else if (strcmp(kind, "channels") == 0) sim_result_channels(&r);
    else if (tensor->type == SIM_INT8) sim_result_values(&r, kind, tensor->zp);
    free(copy);
}
