/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_blob.c - blobs of all kinds: their sizes, and elements between them and the tensors of a network.

   A tensor of four dimensions is NHWC and its channels are the planes of the blob; of fewer, its elements are those of
   the blob in the order of memory. Numbers of the kinds S32 are real * 4096, pixels what the tensor says (mean and
   std), else themselves. Of a YVU picture the channels are Y, U and V, chroma repeated. */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "sim_hisi.h"

uint32_t sim_hisi_element(nnrt__nnie_blob_type type) {
    return type == NNRT__NNIE_U8 || type == NNRT__NNIE_YVU420SP || type == NNRT__NNIE_YVU422SP ? 1 : 4;
}

static uint32_t sim_hisi_width(const nnrt__nnie_blob *blob) {
    return blob->type == NNRT__NNIE_SEQ_S32 ? blob->shape.sequence.dim : blob->shape.map.width;
}

uint64_t sim_hisi_row(const nnrt__nnie_blob *blob) {
    return (uint64_t)sim_hisi_width(blob) * sim_hisi_element(blob->type);
}

uint64_t sim_hisi_frame_rows(const nnrt__nnie_blob *blob) {
    const uint64_t height = blob->shape.map.height;
    switch (blob->type) {
    case NNRT__NNIE_SEQ_S32:
    case NNRT__NNIE_VEC_S32: return 1;
    case NNRT__NNIE_YVU420SP: return height + height / 2;
    case NNRT__NNIE_YVU422SP: return height * 2;
    default: return height * blob->shape.map.channels;
    }
}

uint64_t sim_hisi_steps(const uint32_t *steps, uint32_t count) {
    uint64_t sum = 0;
    uint32_t i;
    for (i = 0; i < count; i++) sum += steps[i];
    return sum;
}

uint64_t sim_hisi_blob_bytes(const nnrt__nnie_blob *blob, const uint32_t *steps) {
    const uint64_t frames = blob->type == NNRT__NNIE_SEQ_S32 ? sim_hisi_steps(steps, blob->count) : blob->count;
    return frames * sim_hisi_frame_rows(blob) * blob->stride;
}

/* -------------------------------------------------------------------------------------------------------- elements */

typedef struct sim_hisi_shape {
    uint32_t width, height, channels;
} sim_hisi_shape;

static sim_hisi_shape sim_hisi_shape_of(const nnrt__nnie_blob *blob) {
    sim_hisi_shape shape = {1, 1, 1};
    shape.width = sim_hisi_width(blob);
    if (blob->type != NNRT__NNIE_SEQ_S32 && blob->type != NNRT__NNIE_VEC_S32) {
        shape.height = blob->shape.map.height;
        shape.channels = blob->shape.map.channels;
    }
    return shape;
}

/* Element (c, h, w) in the tensor. */
static size_t sim_hisi_index(const sim_tensor *tensor, sim_hisi_shape s, uint32_t c, uint32_t h, uint32_t w) {
    if (tensor->rank == 4) return ((size_t)h * s.width + w) * s.channels + c;
    return ((size_t)c * s.height + h) * s.width + w;
}

static double sim_hisi_element_at(const nnrt__nnie_blob *blob, const uint8_t *bytes, uint32_t c, uint32_t h,
                                  uint32_t w) {
    const uint32_t height = blob->shape.map.height;
    int32_t number;
    switch (blob->type) {
    case NNRT__NNIE_U8: return bytes[((size_t)c * height + h) * blob->stride + w];
    case NNRT__NNIE_YVU420SP:
    case NNRT__NNIE_YVU422SP:
        if (c == 0) return bytes[(size_t)h * blob->stride + w];
        if (blob->type == NNRT__NNIE_YVU420SP) h /= 2;
        return bytes[((size_t)height + h) * blob->stride + (w & ~1u) + (c == 1 ? 1 : 0)]; /* V is the first */
    case NNRT__NNIE_S32: bytes += ((size_t)c * height + h) * blob->stride; break;
    default: break;
    }
    memcpy(&number, bytes + 4 * (size_t)w, 4);
    return number / 4096.0;
}

static double sim_hisi_clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* real becomes element i. */
static void sim_hisi_put(const sim_tensor *tensor, void *data, size_t i, double real) {
    if (tensor->type == SIM_INT8) {
        const double q = nearbyint(real / (double)tensor->scale) + tensor->zp;
        ((int8_t *)data)[i] = (int8_t)sim_hisi_clamp(q, -128, 127);
    } else if (tensor->type == SIM_FLOAT32) ((float *)data)[i] = (float)real;
}

static double sim_hisi_get(const sim_tensor *tensor, const void *data, size_t i) {
    if (tensor->type == SIM_INT8) return (((const int8_t *)data)[i] - tensor->zp) * (double)tensor->scale;
    return tensor->type == SIM_FLOAT32 ? (double)((const float *)data)[i] : 0;
}

void sim_hisi_to_tensor(const nnrt__nnie_blob *blob, const uint8_t *bytes, const sim_tensor *tensor, void *data) {
    const sim_hisi_shape shape = sim_hisi_shape_of(blob);
    const bool picture = sim_hisi_element(blob->type) == 1 && tensor->image;
    uint32_t c, h, w;
    for (c = 0; c < shape.channels; c++)
        for (h = 0; h < shape.height; h++)
            for (w = 0; w < shape.width; w++) {
                double real = sim_hisi_element_at(blob, bytes, c, h, w);
                if (picture) real = (real - (double)tensor->mean[c]) / (double)tensor->std[c];
                sim_hisi_put(tensor, data, sim_hisi_index(tensor, shape, c, h, w), real);
            }
}

void sim_hisi_from_tensor(const nnrt__nnie_blob *blob, const sim_tensor *tensor, const void *data, uint8_t *bytes) {
    const sim_hisi_shape shape = sim_hisi_shape_of(blob);
    uint32_t c, h, w;
    for (c = 0; c < shape.channels; c++)
        for (h = 0; h < shape.height; h++)
            for (w = 0; w < shape.width; w++) {
                const double real = sim_hisi_get(tensor, data, sim_hisi_index(tensor, shape, c, h, w)) * 4096;
                const int32_t number = (int32_t)sim_hisi_clamp(nearbyint(real), -2147483648.0, 2147483647.0);
                memcpy(bytes + ((size_t)c * shape.height + h) * blob->stride + 4 * (size_t)w, &number, 4);
            }
}
