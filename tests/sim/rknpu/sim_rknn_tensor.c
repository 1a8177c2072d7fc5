/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_tensor.c - how the chips store tensors, and values on their way from one layout into another. Pure
   functions, written for reading, not for speed, and independently of rknpu/layout.h, which the tests
   compare with them. */
#include "../common/sim_network.h"
#include "sim_rknn.h"

#include <math.h>
#include <string.h>

nnrt_rknn_tensor_type sim_rknn_type(sim_type type) {
    static const nnrt_rknn_tensor_type types[] = {
        NNRT_RKNN_FLOAT32, NNRT_RKNN_FLOAT16, NNRT_RKNN_INT8,   NNRT_RKNN_UINT8, NNRT_RKNN_INT16,
        NNRT_RKNN_UINT16,  NNRT_RKNN_INT32,   NNRT_RKNN_UINT32, NNRT_RKNN_INT64, NNRT_RKNN_BOOL};
    return types[type]; /* sim_model_load knows no other */
}

int sim_rknn_code(int answer) {
    return answer == SIM_NO_MEMORY ? NNRT_RKNN_ERR_MALLOC_FAIL : answer == 0 ? 0 : NNRT_RKNN_ERR_FAIL;
}

uint32_t sim_rknn_type_bytes(nnrt_rknn_tensor_type type) {
    switch (type) {
    case NNRT_RKNN_INT8:
    case NNRT_RKNN_UINT8:
    case NNRT_RKNN_BOOL: return 1;
    case NNRT_RKNN_FLOAT16:
    case NNRT_RKNN_INT16:
    case NNRT_RKNN_UINT16:
    case NNRT_RKNN_BFLOAT16: return 2;
    case NNRT_RKNN_INT64: return 8;
    case NNRT_RKNN_INT4: return 0;
    default: return 4;
    }
}

/* ------------------------------------------------------------------------------------------------ layouts */

static uint32_t sim_rknn_round_up(uint32_t value, uint32_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* Tensors of fewer than four dimensions: [a] is C=a; [a,b] is N=a, C=b; [a,b,c] is N=a, C=b, W=c. */
void sim_rknn_tensor_plain(const sim_tensor *tensor, sim_rknn_layout *layout) {
    const uint32_t *d = tensor->dims;
    memset(layout, 0, sizeof(*layout));
    layout->type = sim_rknn_type(tensor->type);
    layout->n = layout->c = layout->h = layout->w = 1;
    if (tensor->rank == 1) {
        layout->c = d[0];
    } else {
        layout->n = d[0];
        layout->c = d[tensor->rank == 4 ? 3 : 1];
    }
    if (tensor->rank == 3) layout->w = d[2];
    if (tensor->rank == 4) {
        layout->h = d[1];
        layout->w = d[2];
    }
    layout->order = tensor->rank == 4 ? NNRT_RKNN_NHWC : NNRT_RKNN_UNDEFINED;
    layout->w_stride = layout->w;
    layout->h_stride = layout->h;
}

/* Columns of an image in memory are a multiple of this: seen of 1 and 2 bytes, the rest is assumed. */
uint32_t sim_rknn_column_align(const sim_rknn_chip *chip, const sim_tensor *tensor) {
    return sim_type_size(tensor->type) == 1 ? chip->w_align : chip->w_align_16;
}

static uint32_t sim_rknn_c2(const sim_rknn_chip *chip, const sim_tensor *tensor) {
    const uint32_t bytes = (uint32_t)sim_type_size(tensor->type);
    return bytes == 1 ? chip->c2_8 : bytes == 2 ? chip->c2_16 : 4;
}

/* librknnmrt from 2.2.0 on: the model's own memory of an output below four dimensions. One rule gives all sizes that
   were seen ([1,16800,2]: 67200, [1,16800,10]: 201600, [1,1]: 64, [1,128,1]: 128): rows of the last of three dimensions
   are a multiple of 4 elements unless they have one, and the whole is a multiple of 64 bytes. */
static void sim_rknn_tensor_pad(const sim_tensor *tensor, sim_rknn_layout *layout) {
    if (tensor->rank == 3 && layout->w > 1) layout->w_stride = sim_rknn_round_up(layout->w, 4);
    layout->unit = 64;
}

void sim_rknn_tensor_native(const sim_rknn_chip *chip, const sim_tensor *tensor, bool output, sim_rknn_layout *layout) {
    const uint32_t bytes = (uint32_t)sim_type_size(tensor->type);
    sim_rknn_tensor_plain(tensor, layout);
    if (bytes == 8 || tensor->type == SIM_BOOL || (tensor->rank < 4 && chip->flat_vectors)) {
        if (tensor->rank == 4) layout->order = NNRT_RKNN_NCHW;
        else if (output && NNRT_SIM_MINI && NNRT_SIM_VERSION >= 0x020200) sim_rknn_tensor_pad(tensor, layout);
        return;
    }
    if (!output && tensor->image && tensor->rank == 4) {
        layout->w_stride = sim_rknn_round_up(layout->w, sim_rknn_column_align(chip, tensor));
        return;
    }
    layout->order = NNRT_RKNN_NC1HWC2;
    layout->c2 = sim_rknn_c2(chip, tensor);
    layout->c1 = (layout->c + layout->c2 - 1) / layout->c2;
    if (output && layout->c <= layout->c2 && NNRT_SIM_VERSION >= chip->extra_since) layout->c1 += chip->extra_c1;
    if (tensor->rank == 4) layout->w_stride = sim_rknn_round_up(layout->w, chip->map_align);
}

bool sim_rknn_tensor_native_nhwc(const sim_rknn_chip *chip, const sim_tensor *tensor, bool output,
                                 sim_rknn_layout *layout) {
    sim_rknn_tensor_plain(tensor, layout);
    if (tensor->rank == 4 && !output)
        layout->w_stride = sim_rknn_round_up(layout->w, sim_rknn_column_align(chip, tensor));
    return tensor->rank < 4 || ((uint32_t)sim_type_size(tensor->type) <= 2 && tensor->type != SIM_BOOL);
}

size_t sim_rknn_layout_bytes(const sim_rknn_layout *layout) {
    const size_t channels = layout->order == NNRT_RKNN_NC1HWC2 ? (size_t)layout->c1 * layout->c2 : layout->c;
    const size_t bytes = channels * layout->n * layout->h_stride * layout->w_stride * sim_rknn_type_bytes(layout->type);
    return layout->unit ? (bytes + layout->unit - 1) / layout->unit * layout->unit : bytes;
}

/* ------------------------------------------------------------------------------------------------- values */

static float sim_rknn_load(nnrt_rknn_tensor_type type, const uint8_t *at) {
    uint16_t half;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    int64_t i64;
    float f32;
    switch (type) {
    case NNRT_RKNN_FLOAT32: memcpy(&f32, at, 4); return f32;
    case NNRT_RKNN_FLOAT16: memcpy(&half, at, 2); return sim_from_half(half);
    case NNRT_RKNN_INT8: return (float)(at[0] < 128 ? at[0] : at[0] - 256);
    case NNRT_RKNN_INT16: memcpy(&i16, at, 2); return (float)i16;
    case NNRT_RKNN_UINT16: memcpy(&u16, at, 2); return (float)u16;
    case NNRT_RKNN_INT32: memcpy(&i32, at, 4); return (float)i32;
    case NNRT_RKNN_INT64: memcpy(&i64, at, 8); return (float)i64;
    default: return (float)at[0];
    }
}

static void sim_rknn_store(nnrt_rknn_tensor_type type, float value, uint8_t *at) {
    const float low = type == NNRT_RKNN_INT8 ? -128.0f : type == NNRT_RKNN_INT16 ? -32768.0f : 0.0f;
    const float high = type == NNRT_RKNN_INT8 ? 127.0f : type == NNRT_RKNN_INT16 ? 32767.0f : 255.0f;
    uint16_t half;
    int16_t i16;
    if (type == NNRT_RKNN_FLOAT32) {
        memcpy(at, &value, 4);
    } else if (type == NNRT_RKNN_FLOAT16) {
        half = sim_half(value);
        memcpy(at, &half, 2);
    } else {
        value = value < low ? low : value > high ? high : value;
        if (type == NNRT_RKNN_INT16) {
            i16 = (int16_t)value;
            memcpy(at, &i16, 2);
        } else {
            at[0] = (uint8_t)(int)value;
        }
    }
}

/* Stored value of the model's type to real number and back. */
static float sim_rknn_real(const sim_tensor *tensor, float stored) {
    if (tensor->quant == SIM_QUANT_AFFINE) return (stored - (float)tensor->zp) * tensor->scale;
    if (tensor->quant == SIM_QUANT_DFP) return ldexpf(stored, -tensor->fl);
    return stored;
}

static float sim_rknn_stored(const sim_tensor *tensor, float real) {
    if (tensor->quant == SIM_QUANT_AFFINE)
        return isnan(real) ? (float)tensor->zp : rintf(real / tensor->scale) + (float)tensor->zp;
    if (tensor->quant == SIM_QUANT_DFP) return isnan(real) ? 0.0f : rintf(ldexpf(real, tensor->fl));
    return real;
}

static bool sim_rknn_is_quantized(const sim_tensor *tensor) {
    return tensor->quant != SIM_QUANT_NONE && (uint32_t)sim_type_size(tensor->type) <= 2 &&
           tensor->type != SIM_FLOAT16 && tensor->type != SIM_UINT16;
}

bool sim_rknn_input_convertible(const sim_tensor *tensor, nnrt_rknn_tensor_type from) {
    if (from == sim_rknn_type(tensor->type)) return true;
    if (sim_rknn_is_quantized(tensor)) return from == NNRT_RKNN_UINT8 || from == NNRT_RKNN_FLOAT32;
    if (tensor->type == SIM_FLOAT16) return from == NNRT_RKNN_UINT8 || from == NNRT_RKNN_FLOAT32;
    return tensor->type == SIM_FLOAT32 && (from == NNRT_RKNN_UINT8 || from == NNRT_RKNN_FLOAT16);
}

bool sim_rknn_output_convertible(const sim_tensor *tensor, nnrt_rknn_tensor_type to) {
    if (to == sim_rknn_type(tensor->type)) return true;
    if (to == NNRT_RKNN_FLOAT32) return sim_rknn_is_quantized(tensor) || tensor->type == SIM_FLOAT16;
    if (to == NNRT_RKNN_UINT8) return sim_rknn_is_quantized(tensor) && tensor->type == SIM_INT8;
    return to == NNRT_RKNN_FLOAT16 && (sim_rknn_is_quantized(tensor) || tensor->type == SIM_FLOAT32);
}

static size_t sim_rknn_place(const sim_rknn_layout *l, uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
    const size_t width = l->w_stride, height = l->h_stride;
    switch (l->order) {
    case NNRT_RKNN_NHWC: return ((n * height + h) * width + w) * l->c + c;
    case NNRT_RKNN_NC1HWC2: return ((((size_t)n * l->c1 + c / l->c2) * height + h) * width + w) * l->c2 + c % l->c2;
    default: return (((size_t)n * l->c + c) * height + h) * width + w;
    }
}

static void sim_rknn_element(const sim_tensor *tensor, const sim_rknn_layout *from, const uint8_t *source,
                             const sim_rknn_layout *to, uint8_t *destination, bool reading, uint32_t channel) {
    const bool pixel = reading && tensor->image && from->type == NNRT_RKNN_UINT8;
    float value;
    if (from->type == to->type) {
        memcpy(destination, source, sim_rknn_type_bytes(from->type));
        return;
    }
    value = sim_rknn_load(from->type, source);
    if (reading) {
        if (pixel) value = (value - tensor->mean[channel < 4 ? channel : 3]) / tensor->std[channel < 4 ? channel : 3];
        sim_rknn_store(to->type, sim_rknn_stored(tensor, value), destination);
    } else if (to->type == NNRT_RKNN_UINT8) { /* assumed: taken, but what stands there was not seen */
        sim_rknn_store(to->type, value + 128.0f, destination);
    } else {
        sim_rknn_store(to->type, sim_rknn_real(tensor, value), destination);
    }
}

static void sim_rknn_convert(const sim_tensor *tensor, const sim_rknn_layout *from, const uint8_t *source,
                             const sim_rknn_layout *to, uint8_t *destination, bool reading) {
    const size_t in = sim_rknn_type_bytes(from->type), out = sim_rknn_type_bytes(to->type);
    uint32_t n, c, h, w;
    for (n = 0; n < from->n; ++n) {
        for (h = 0; h < from->h; ++h) {
            for (w = 0; w < from->w; ++w) {
                for (c = 0; c < from->c; ++c)
                    sim_rknn_element(tensor, from, source + in * sim_rknn_place(from, n, c, h, w), to,
                                     destination + out * sim_rknn_place(to, n, c, h, w), reading, c);
            }
        }
    }
}

void sim_rknn_tensor_read(const sim_tensor *tensor, const sim_rknn_layout *from, const void *source, void *logical) {
    sim_rknn_layout plain;
    sim_rknn_tensor_plain(tensor, &plain);
    sim_rknn_convert(tensor, from, (const uint8_t *)source, &plain, (uint8_t *)logical, true);
}

void sim_rknn_tensor_write(const sim_tensor *tensor, const void *logical, const sim_rknn_layout *to,
                           void *destination) {
    sim_rknn_layout plain;
    sim_rknn_tensor_plain(tensor, &plain);
    sim_rknn_convert(tensor, &plain, (const uint8_t *)logical, to, (uint8_t *)destination, false);
}
