/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_tensor.c - tensors as they lie in memory, with strides of bytes, to and from those of a network. It knows
   neither memory nor tasks. */
#include "sim_bpu.h"

#include "../common/sim_network.h"

#include <math.h>
#include <string.h>

static const uint8_t sim_bpu_type_sizes[20] = {1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 1};

uint32_t sim_bpu_type_bytes(uint32_t type) { return type < 20 ? sim_bpu_type_sizes[type] : 0; }

/* Two elements in a byte, the first in its low half. */
static bool sim_bpu_is_half(uint32_t type) { return type == VENDOR_S4 || type == VENDOR_U4; }

int64_t sim_bpu_row(uint32_t type, int64_t count, int64_t stride) {
    return sim_bpu_is_half(type) ? (count + 1) / 2 : count * stride;
}

/* The network's type that has the same elements; SIM_BOOL + 1: none. */
static sim_type sim_bpu_same_type(uint32_t type) {
    switch (type) {
    case VENDOR_S8: return SIM_INT8;
    case VENDOR_Y:
    case VENDOR_YUV444:
    case VENDOR_RGB:
    case VENDOR_BGR:
    case VENDOR_U8: return SIM_UINT8;
    case VENDOR_F16: return SIM_FLOAT16;
    case VENDOR_S16: return SIM_INT16;
    case VENDOR_U16: return SIM_UINT16;
    case VENDOR_F32: return SIM_FLOAT32;
    case VENDOR_S32: return SIM_INT32;
    case VENDOR_U32: return SIM_UINT32;
    case VENDOR_S64: return SIM_INT64;
    case 19: return SIM_BOOL;
    default: return (sim_type)(SIM_BOOL + 1);
    }
}

static double sim_bpu_get(uint32_t type, const uint8_t *bytes) {
    uint64_t word = 0;
    double number;
    memcpy(&word, bytes, sim_bpu_type_bytes(type));
    if (type == VENDOR_U64) return (double)word;
    if (type != VENDOR_F64) return sim_read_number(&word, sim_bpu_same_type(type), 0);
    memcpy(&number, &word, sizeof(number));
    return number;
}

static void sim_bpu_put(uint32_t type, uint8_t *bytes, double number) {
    uint64_t word = 0;
    if (type == VENDOR_U64) word = number > 0 ? (uint64_t)number : 0;
    else if (type == VENDOR_F64) memcpy(&word, &number, sizeof(number));
    else sim_write_number(&word, sim_bpu_same_type(type), 0, number, 0);
    memcpy(bytes, &word, sim_bpu_type_bytes(type));
}

void sim_bpu_dense(const int32_t *dims, uint32_t rank, uint32_t element, int64_t *stride) {
    int64_t step = element;
    uint32_t i;
    for (i = rank; i-- > 0;) {
        stride[i] = step;
        step *= dims[i];
    }
}

int64_t sim_bpu_span(const int32_t *valid, const int64_t *stride, uint32_t rank, uint32_t type) {
    int64_t span = sim_bpu_row(type, valid[rank - 1], stride[rank - 1]);
    uint32_t i;
    for (i = 0; i + 1 < rank; i++) span += (valid[i] - 1) * stride[i];
    return span;
}

/* Where an element stands: its coordinates in the port, and the number of the network's element. */
typedef struct sim_bpu_walk {
    const sim_bpu_port *port;
    const int32_t *dims;
    int32_t at[SIM_BPU_MAX_RANK];
    bool turned; /* the port is NCHW and the network NHWC */
    size_t count;
} sim_bpu_walk;

static void sim_bpu_walk_begin(sim_bpu_walk *walk, const sim_bpu_port *port, const int32_t *dims,
                               const sim_tensor *tensor) {
    uint32_t i;
    memset(walk, 0, sizeof(*walk));
    walk->port = port;
    walk->dims = dims;
    walk->turned = port->layout == VENDOR_NCHW && port->rank == 4 && tensor->rank == 4;
    walk->count = 1;
    for (i = 0; i < port->rank; i++) walk->count *= (size_t)dims[i];
}

static void sim_bpu_walk_on(sim_bpu_walk *walk) {
    uint32_t i;
    for (i = walk->port->rank; i-- > 0;) {
        if (++walk->at[i] < walk->dims[i]) return;
        walk->at[i] = 0;
    }
}

static size_t sim_bpu_walk_offset(const sim_bpu_walk *walk, const int64_t *stride) {
    const uint32_t last = walk->port->rank - 1;
    int64_t offset = sim_bpu_is_half(walk->port->type) ? walk->at[last] / 2 : walk->at[last] * stride[last];
    uint32_t i;
    for (i = 0; i < last; i++) offset += walk->at[i] * stride[i];
    return (size_t)offset;
}

/* Of 4 bits: which half of its byte. */
static unsigned sim_bpu_walk_shift(const sim_bpu_walk *walk) { return walk->at[walk->port->rank - 1] % 2 != 0 ? 4 : 0; }

static double sim_bpu_get_half(uint32_t type, uint8_t byte, unsigned shift) {
    const int value = byte >> shift & 15;
    return type == VENDOR_S4 && value > 7 ? value - 16 : value;
}

static void sim_bpu_put_half(uint32_t type, uint8_t *byte, unsigned shift, double number) {
    const double low = type == VENDOR_S4 ? -8 : 0, high = low + 15;
    const unsigned value = (unsigned)(int)nearbyint(number < low ? low : number > high ? high : number) & 15u;
    *byte = (uint8_t)((*byte & (0xf0u >> shift)) | value << shift);
}

/* number: of the element in the port. */
static size_t sim_bpu_walk_network(const sim_bpu_walk *walk, size_t number) {
    const int32_t *d = walk->dims, *at = walk->at;
    if (!walk->turned) return number;
    return (((size_t)at[0] * (size_t)d[2] + (size_t)at[2]) * (size_t)d[3] + (size_t)at[3]) * (size_t)d[1] +
           (size_t)at[1];
}

/* What stands for coordinate at[axis] in a list: for all of them if it has one entry. */
static uint32_t sim_bpu_along(const sim_bpu_walk *walk, uint32_t count) {
    const int32_t axis = walk->port->axis;
    if (count <= 1 || axis < 0 || axis >= (int32_t)walk->port->rank) return 0;
    return (uint32_t)walk->at[axis] % count;
}

static bool sim_bpu_is_float(uint32_t type) { return type == VENDOR_F16 || type == VENDOR_F32 || type == VENDOR_F64; }

/* The port's number of a network's. A quantized network: the same scale times a factor, another zero point; a float is
   what it means. A float network: the port is quantized by what its properties say. */
static double sim_bpu_stored(const sim_bpu_walk *walk, const sim_tensor *tensor, double number) {
    const sim_bpu_port *port = walk->port;
    const double zero = port->zeros ? port->wide_zero[sim_bpu_along(walk, port->zeros)] : 0;
    if (tensor->quant == SIM_QUANT_AFFINE) {
        if (sim_bpu_is_float(port->type)) return (double)((float)(number - tensor->zp) * tensor->scale);
        return (number - tensor->zp) * (port->factors ? port->factor[sim_bpu_along(walk, port->factors)] : 1) + zero;
    }
    if (port->quant == VENDOR_SHIFT) return ldexp(number, port->shift[sim_bpu_along(walk, port->shifts)]);
    if (port->quant == VENDOR_SCALE) return number / (double)port->scale[sim_bpu_along(walk, port->scales)] + zero;
    return number;
}

/* And back. */
static double sim_bpu_meant(const sim_bpu_walk *walk, const sim_tensor *tensor, double number) {
    const sim_bpu_port *port = walk->port;
    const double zero = port->zeros ? port->wide_zero[sim_bpu_along(walk, port->zeros)] : 0;
    if (tensor->quant == SIM_QUANT_AFFINE) {
        if (sim_bpu_is_float(port->type)) return (double)((float)number / tensor->scale) + tensor->zp;
        return (number - zero) / (port->factors ? port->factor[sim_bpu_along(walk, port->factors)] : 1) + tensor->zp;
    }
    if (port->quant == VENDOR_SHIFT) return ldexp(number, -port->shift[sim_bpu_along(walk, port->shifts)]);
    if (port->quant == VENDOR_SCALE) return (number - zero) * (double)port->scale[sim_bpu_along(walk, port->scales)];
    return number;
}

static bool sim_bpu_is_same(const sim_bpu_port *port, const sim_tensor *tensor) {
    return sim_bpu_same_type(port->type) == tensor->type && port->factors == 0;
}

void sim_bpu_to_network(const sim_bpu_port *port, const int32_t *dims, const int64_t *stride, const uint8_t *bytes,
                        const sim_tensor *tensor, void *data) {
    const size_t size = sim_type_size(tensor->type);
    sim_bpu_walk walk;
    size_t i;
    sim_bpu_walk_begin(&walk, port, dims, tensor);
    for (i = 0; i < walk.count; i++, sim_bpu_walk_on(&walk)) {
        const uint8_t *from = bytes + sim_bpu_walk_offset(&walk, stride);
        const size_t to = sim_bpu_walk_network(&walk, i);
        const bool half = sim_bpu_is_half(port->type);
        if (sim_bpu_is_same(port, tensor)) memcpy((uint8_t *)data + to * size, from, size);
        else {
            const double number =
                half ? sim_bpu_get_half(port->type, *from, sim_bpu_walk_shift(&walk)) : sim_bpu_get(port->type, from);
            sim_write_number(data, tensor->type, to, sim_bpu_meant(&walk, tensor, number), tensor->zp);
        }
    }
}

void sim_bpu_from_network(const sim_bpu_port *port, const int32_t *dims, const int64_t *stride, uint8_t *bytes,
                          const sim_tensor *tensor, const void *data) {
    const size_t size = sim_type_size(tensor->type);
    sim_bpu_walk walk;
    size_t i;
    sim_bpu_walk_begin(&walk, port, dims, tensor);
    for (i = 0; i < walk.count; i++, sim_bpu_walk_on(&walk)) {
        uint8_t *to = bytes + sim_bpu_walk_offset(&walk, stride);
        const size_t from = sim_bpu_walk_network(&walk, i);
        if (sim_bpu_is_same(port, tensor)) memcpy(to, (const uint8_t *)data + from * size, size);
        else {
            const double number = sim_bpu_stored(&walk, tensor, sim_read_number(data, tensor->type, from));
            if (sim_bpu_is_half(port->type)) sim_bpu_put_half(port->type, to, sim_bpu_walk_shift(&walk), number);
            else sim_bpu_put(port->type, to, number);
        }
    }
}

void sim_bpu_put_pixel(const sim_tensor *tensor, void *data, size_t at, uint32_t c, uint8_t pixel) {
    const uint32_t channels = tensor->dims[tensor->rank - 1];
    double number = pixel;
    if (tensor->image) {
        number = (double)(((float)pixel - tensor->mean[c]) / tensor->std[c]);
        if (tensor->quant == SIM_QUANT_AFFINE) number = nearbyint(number / (double)tensor->scale) + tensor->zp;
    }
    sim_write_number(data, tensor->type, at * channels + c, number, tensor->zp);
}
