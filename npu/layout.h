/* SPDX-License-Identifier: Apache-2.0 */
/* npu/layout.h - tensors from one memory layout into another: pure functions on bytes.   >>npu_layout

   A tensor is N images of C channels, H rows, W columns. Index of element (n,c,h,w), in elements:
     NCHW      ((n*C + c)*HS + h)*WS + w                       HS = h_stride, WS = w_stride
     NHWC      ((n*HS + h)*WS + w)*C + c
     NC1HWC2   ((((n*C1 + c/C2)*HS + h)*WS + w)*C2) + c%C2     C1*C2 >= C; lanes past C are padding
   Tensors of fewer dimensions are NCHW with ones: [a] is C=a; [a,b] is N=a, C=b; [a,b,c] is N=a, C=b, W=c. */
#ifndef NNRT_NPU_LAYOUT_H
#define NNRT_NPU_LAYOUT_H

#include "../core/api_types.h"
#include "../core/platform.h"

typedef enum nnrt__tensor_order {
    NNRT__ORDER_NCHW = 0,
    NNRT__ORDER_NHWC = 1,
    NNRT__ORDER_NC1HWC2 = 2
} nnrt__tensor_order;

/* What the integers of a tensor mean: real = (q - zp) * scale. */
typedef enum nnrt__tensor_quant {
    NNRT__QUANT_NONE = 0,
    NNRT__QUANT_FIXED_POINT = 1, /* by fraction_bits, without a zero point */
    NNRT__QUANT_AFFINE = 2       /* by scale and zp */
} nnrt__tensor_quant;

typedef struct nnrt__tensor_layout {
    nnrt__tensor_order order;
    OH_NN_DataType type;
    uint32_t n, c, h, w;      /* logical, each >= 1 */
    uint32_t w_stride;        /* stored columns, >= w */
    uint32_t h_stride;        /* stored rows, >= h */
    uint32_t c1, c2;          /* NC1HWC2 only, else 0 */
    nnrt__tensor_quant quant; /* of integers: what float32 on the other side means */
    int8_t fraction_bits;     /* FIXED_POINT: scale = 2^-fraction_bits */
    int32_t zp;
    float scale;
} nnrt__tensor_layout;

/* Bytes of the tensor, strides and padding lanes included. false: a field is impossible (zero, stride below
   width, C1*C2 < C, C2 0, a type without whole bytes, quantization without a positive finite scale or with a
   zero point beyond -32768..65535) or the size does not fit 31 bits; *size is then left alone. Fields that
   the order, the type or the quantization does not use may be anything. Every other function here takes only
   layouts that passed. */
NNRT__FN bool nnrt__layout_size(const nnrt__tensor_layout *layout, uint32_t *size);

/* Whether both describe the same bytes, with every element at the same place and the same size, whatever the order is
   called: then nothing needs converting and a tensor can be bound as it is. */
NNRT__FN bool nnrt__layout_same(const nnrt__tensor_layout *a, const nnrt__tensor_layout *b);

/* Whether there is a conversion: same n, c, h, w, and: the same type and quantization; or float32 on one side and
   float16, quantized int8, uint8 or int16, or fixed-point int32 on the other. */
NNRT__FN bool nnrt__layout_convertible(const nnrt__tensor_layout *from, const nnrt__tensor_layout *to);

/* Writes every logical element of from at its place in to. Row padding of to is left alone; lanes past C of
   NC1HWC2 become 0. Regions do not overlap; any alignment. Quantizing: clamp(round(x / scale) + zp), nearest
   of the exact quotient, ties to even, NaN gives zp; dequantizing: (q - zp) * scale in float32. Same bytes
   on every instruction set; layout_scalar.h defines them. Returns the bytes of elements written, lanes past
   C not counted. Thread-safe; 4 KB of stack. */
NNRT__FN uint64_t nnrt__layout_convert(const nnrt__tensor_layout *from, const void *source,
                                       const nnrt__tensor_layout *to, void *destination);

/* The same in two steps: what depends on the layouts only is done once for many tensors. */
struct nnrt__layout_job;
NNRT__FN void nnrt__layout_prepare(struct nnrt__layout_job *job, const nnrt__tensor_layout *from,
                                   const nnrt__tensor_layout *to);
NNRT__FN uint64_t nnrt__layout_do(const struct nnrt__layout_job *job, const void *source, void *destination);

/* --------------------------------------------------------------------------------------- instruction sets */

#include "../kernels/internal.h"
#include "layout_scalar.h"

#if !defined(NNRT_NO_SIMD) && (defined(__ARM_NEON) || defined(__ARM_NEON__) || defined(__aarch64__)) && \
    !defined(__ARM_BIG_ENDIAN) && !defined(__AARCH64EB__)
#include "layout_neon.h"
NNRT__FN void nnrt__layout_select(nnrt__layout_kernels *kernels) {
    nnrt__layout_install_scalar(kernels);
    nnrt__layout_install_neon(kernels);
}
#elif NNRT__HAVE_RVV
#include "layout_rvv.h"
NNRT__FN void nnrt__layout_select(nnrt__layout_kernels *kernels) {
    nnrt__layout_install_scalar(kernels);
    if (nnrt__rvv_is_here()) nnrt__layout_install_rvv(kernels);
}
#else
NNRT__FN void nnrt__layout_select(nnrt__layout_kernels *kernels) { nnrt__layout_install_scalar(kernels); }
#endif

/* ---------------------------------------------------------------------------------------------- questions */

/* Bytes of an element; 0: unknown, or not whole bytes. */
NNRT__FN uint32_t nnrt__layout_element(OH_NN_DataType type) {
    switch ((int)type) {
    case OH_NN_BOOL:
    case OH_NN_INT8:
    case OH_NN_UINT8: return 1;
    case OH_NN_FLOAT16:
    case OH_NN_INT16:
    case OH_NN_UINT16: return 2;
    case OH_NN_FLOAT32:
    case OH_NN_INT32:
    case OH_NN_UINT32: return 4;
    case OH_NN_INT64: return 8;
    default: return 0;
    }
}

/* Whether quant, fraction_bits, zp and scale are used for the type; for others they may be anything. */
NNRT__FN bool nnrt__layout_is_integer(OH_NN_DataType type) {
    return type != OH_NN_FLOAT32 && type != OH_NN_FLOAT16 && type != OH_NN_BOOL;
}

/* real = (q - *zp) * *scale. false: quant says nothing of that kind, or something impossible. */
NNRT__FN bool nnrt__layout_quantization(const nnrt__tensor_layout *layout, float *scale, int32_t *zp) {
    uint32_t bits = nnrt__float32_bits(layout->scale);
    if (layout->quant == NNRT__QUANT_FIXED_POINT) { /* 2^128 is no float32, 2^-127 is subnormal */
        if (layout->fraction_bits == -128) return false;
        bits = layout->fraction_bits == 127 ? 0x00400000u : (uint32_t)(127 - layout->fraction_bits) << 23;
        *scale = nnrt__float32_of_bits(bits);
        *zp = 0;
        return true;
    }
    *scale = layout->scale;
    *zp = layout->zp;
    return layout->quant == NNRT__QUANT_AFFINE && bits != 0 && bits < 0x7f800000u && layout->zp >= -32768 &&
           layout->zp <= 65535;
}

NNRT__FN bool nnrt__layout_size(const nnrt__tensor_layout *layout, uint32_t *size) {
    uint64_t bytes = nnrt__layout_element(layout->type);
    uint32_t factors[5], i;
    float scale;
    int32_t zp;
    if (bytes == 0 || layout->n == 0 || layout->c == 0 || layout->h == 0 || layout->w == 0) return false;
    if (layout->w_stride < layout->w || layout->h_stride < layout->h) return false;
    factors[0] = layout->n;
    factors[1] = layout->h_stride;
    factors[2] = layout->w_stride;
    switch ((int)layout->order) {
    case NNRT__ORDER_NCHW:
    case NNRT__ORDER_NHWC:
        factors[3] = layout->c;
        factors[4] = 1;
        break;
    case NNRT__ORDER_NC1HWC2:
        if ((uint64_t)layout->c1 * layout->c2 < layout->c) return false;
        factors[3] = layout->c1;
        factors[4] = layout->c2;
        break;
    default: return false;
    }
    if (nnrt__layout_is_integer(layout->type) && layout->quant != NNRT__QUANT_NONE &&
        !nnrt__layout_quantization(layout, &scale, &zp))
        return false;
    for (i = 0; i < 5; i++) {
        bytes *= factors[i]; /* below 2^31 * 2^32 */
        if (bytes > INT32_MAX) return false;
    }
    *size = (uint32_t)bytes;
    return true;
}

/* The three orders as one: NCHW is NC1HWC2 with blocks of one channel, NHWC is one block of all of them.
   Strides are bytes from one to the next. */
typedef struct nnrt__layout_view {
    uint32_t element;
    uint32_t block; /* channels side by side */
    uint32_t blocks;
    size_t pixel;
    size_t row;
    size_t plane; /* of blocks */
    size_t image;
} nnrt__layout_view;

NNRT__FN void nnrt__layout_view_of(nnrt__layout_view *view, const nnrt__tensor_layout *layout) {
    const bool native = layout->order == NNRT__ORDER_NC1HWC2, planar = layout->order == NNRT__ORDER_NCHW;
    view->element = nnrt__layout_element(layout->type);
    view->block = native ? layout->c2 : planar ? 1 : layout->c;
    view->blocks = native ? layout->c1 : planar ? layout->c : 1;
    view->pixel = (size_t)view->block * view->element;
    view->row = layout->w_stride * view->pixel;
    view->plane = layout->h_stride * view->row;
    view->image = view->blocks * view->plane;
    if (view->plane == view->pixel) { /* one pixel: the blocks are adjacent */
        view->block *= view->blocks;
        view->blocks = 1;
        view->pixel = view->row = view->plane = view->image;
    }
}

NNRT__FN bool nnrt__layout_same_numbers(const nnrt__tensor_layout *a, const nnrt__tensor_layout *b) {
    if (a->type != b->type) return false;
    if (!nnrt__layout_is_integer(a->type)) return true;
    if (a->quant != b->quant) return false;
    if (a->quant == NNRT__QUANT_FIXED_POINT) return a->fraction_bits == b->fraction_bits;
    return a->quant == NNRT__QUANT_NONE ||
           (a->zp == b->zp && nnrt__float32_bits(a->scale) == nnrt__float32_bits(b->scale));
}

NNRT__FN bool nnrt__layout_same_shape(const nnrt__tensor_layout *a, const nnrt__tensor_layout *b) {
    return a->n == b->n && a->c == b->c && a->h == b->h && a->w == b->w;
}

/* Whether every element has the same place, and both tensors end at the same byte. */
NNRT__FN bool nnrt__layout_same(const nnrt__tensor_layout *a, const nnrt__tensor_layout *b) {
    nnrt__layout_view x, y;
    uint32_t x_size = 0, y_size = 0;
    if (!nnrt__layout_same_shape(a, b) || !nnrt__layout_same_numbers(a, b)) return false;
    if (!nnrt__layout_size(a, &x_size) || !nnrt__layout_size(b, &y_size) || x_size != y_size) return false;
    nnrt__layout_view_of(&x, a);
    nnrt__layout_view_of(&y, b);
    if ((a->n > 1 && x.image != y.image) || (a->h > 1 && x.row != y.row) || (a->w > 1 && x.pixel != y.pixel))
        return false;
    /* channels: in one block on both sides, or in equal blocks */
    return (x.block >= a->c && y.block >= a->c) || (x.block == y.block && x.plane == y.plane);
}

NNRT__FN bool nnrt__layout_is_narrow(const nnrt__tensor_layout *layout) {
    float scale;
    int32_t zp;
    if (layout->type == OH_NN_INT32 && layout->quant != NNRT__QUANT_FIXED_POINT) return false;
    return layout->type == OH_NN_FLOAT16 || ((layout->type == OH_NN_INT32 || layout->type == OH_NN_INT8 ||
                                              layout->type == OH_NN_UINT8 || layout->type == OH_NN_INT16) &&
                                             nnrt__layout_quantization(layout, &scale, &zp));
}

NNRT__FN bool nnrt__layout_convertible(const nnrt__tensor_layout *from, const nnrt__tensor_layout *to) {
    if (!nnrt__layout_same_shape(from, to)) return false;
    return nnrt__layout_same_numbers(from, to) || (from->type == OH_NN_FLOAT32 && nnrt__layout_is_narrow(to)) ||
           (to->type == OH_NN_FLOAT32 && nnrt__layout_is_narrow(from));
}

/* ------------------------------------------------------------------------------------------ moving a tile */

/* One side of a tile: channels from channel on, which data and its strides count from 0; pixels one after
   the other. */
typedef struct nnrt__layout_part {
    uint32_t block;
    uint32_t channel;
    size_t pixel;
    size_t plane;
} nnrt__layout_part;

NNRT__FN void nnrt__layout_part_of(nnrt__layout_part *part, const nnrt__layout_view *view, uint32_t channel) {
    part->block = view->block;
    part->channel = channel;
    part->pixel = view->pixel;
    part->plane = view->plane;
}

/* Number of adjacent channels from `channel` on; *offset: where they are. On a planar side it is all of them, one per
   plane. */
NNRT__FN uint32_t nnrt__layout_run(const nnrt__layout_part *part, uint32_t element, uint32_t channel, size_t *offset) {
    const uint32_t block = channel / part->block, lane = channel % part->block;
    *offset = block * part->plane + (size_t)lane * element;
    return part->block == 1 ? UINT32_MAX : part->block - lane;
}

/* channels x pixels elements, bytes unchanged. */
NNRT__FN void nnrt__layout_move(const nnrt__layout_kernels *kernels, uint32_t element, const nnrt__layout_part *from,
                                const uint8_t *source, const nnrt__layout_part *to, uint8_t *destination,
                                uint32_t channels, uint32_t pixels) {
    const nnrt__layout_transpose_call transpose = element == 1   ? kernels->transpose_1
                                                  : element == 2 ? kernels->transpose_2
                                                  : element == 4 ? kernels->transpose_4
                                                                 : kernels->transpose_8;
    uint32_t done = 0;
    while (done < channels) {
        size_t s, d;
        const uint32_t from_run = nnrt__layout_run(from, element, from->channel + done, &s);
        const uint32_t to_run = nnrt__layout_run(to, element, to->channel + done, &d);
        uint32_t run = channels - done;
        if (run > from_run) run = from_run;
        if (run > to_run) run = to_run;
        if (from->block == 1 && to->block == 1) {
            run = 1;
            memcpy(destination + d, source + s, pixels * from->pixel);
        } else if (from->block == 1) {
            transpose(source + s, from->plane, run, pixels, destination + d, to->pixel);
        } else if (to->block == 1) {
            transpose(source + s, from->pixel, pixels, run, destination + d, to->plane);
        } else if (from->pixel == to->pixel && (size_t)run * element == from->pixel) {
            memcpy(destination + d, source + s, pixels * from->pixel);
        } else {
            kernels->copy_pieces(source + s, from->pixel, destination + d, to->pixel, (size_t)run * element, pixels);
        }
        done += run;
    }
}

/* -------------------------------------------------------------------------------------- converting a tile */

/* Bytes on the stack, between a tensor of float32 and another order of elements. */
#define NNRT__LAYOUT_SCRATCH 2048u

/* A conversion, prepared: all that the two layouts say. 1.5 KB. */
typedef struct nnrt__layout_job {
    nnrt__layout_kernels kernels;
    nnrt__layout_view from, to;
    uint64_t bytes; /* of elements written, lanes past C not counted */
    uint32_t channels, rows, columns, images;
    uint32_t tile;                     /* pixels at a time */
    bool narrows;                      /* float32 to something smaller; else the other way */
    nnrt__layout_numbers_call convert; /* NULL: elements move unchanged */
    nnrt__layout_numbers numbers;
} nnrt__layout_job;

/* A tile as seen by the converter: count runs of length elements, contiguous on both sides. */
typedef struct nnrt__layout_runs {
    uint32_t count, length;
    size_t narrow_stride, wide_stride; /* bytes */
} nnrt__layout_runs;

NNRT__FN void nnrt__layout_convert_runs(const nnrt__layout_job *job, const nnrt__layout_runs *runs,
                                        const uint8_t *source, uint8_t *destination) {
    const size_t source_stride = job->narrows ? runs->wide_stride : runs->narrow_stride;
    const size_t destination_stride = job->narrows ? runs->narrow_stride : runs->wide_stride;
    uint32_t i;
    for (i = 0; i < runs->count; i++, source += source_stride, destination += destination_stride)
        job->convert(&job->numbers, source, destination, runs->length);
}

/* Channels channel to channel + count, within one block of the float32 side, of pixels pixels, as many as
   the scratch memory holds. source and destination are at pixel 0, channel 0. Elements are moved in the smaller type:
   in scratch memory they have the order of the float32 side, unless they have it already. */
NNRT__FN void nnrt__layout_convert_part(const nnrt__layout_job *job, const uint8_t *source, uint8_t *destination,
                                        uint32_t channel, uint32_t count, uint32_t pixels) {
    uint8_t scratch[NNRT__LAYOUT_SCRATCH];
    const nnrt__layout_view *narrow = job->narrows ? &job->to : &job->from;
    const nnrt__layout_view *wide = job->narrows ? &job->from : &job->to;
    nnrt__layout_part narrow_part, wide_part, scratch_part;
    nnrt__layout_runs runs;
    size_t narrow_offset, wide_offset;
    uint32_t narrow_run;
    bool direct;
    nnrt__layout_part_of(&narrow_part, narrow, channel);
    nnrt__layout_part_of(&wide_part, wide, channel);
    narrow_run = nnrt__layout_run(&narrow_part, narrow->element, channel, &narrow_offset);
    (void)nnrt__layout_run(&wide_part, wide->element, channel, &wide_offset);
    scratch_part.channel = 0;
    if (wide->block == 1) {
        runs.count = count;
        runs.length = pixels;
        runs.wide_stride = wide->plane;
        scratch_part.block = 1;
        scratch_part.pixel = narrow->element;
        scratch_part.plane = (size_t)pixels * narrow->element;
        runs.narrow_stride = scratch_part.plane;
        direct = narrow->block == 1;
        if (direct) runs.narrow_stride = narrow->plane;
    } else {
        runs.count = pixels;
        runs.length = count;
        runs.wide_stride = wide->pixel;
        scratch_part.block = count;
        scratch_part.pixel = (size_t)count * narrow->element;
        scratch_part.plane = 0;
        runs.narrow_stride = scratch_part.pixel;
        direct = narrow->block != 1 && narrow_run >= count;
        if (direct) runs.narrow_stride = narrow->pixel;
        if (runs.narrow_stride == (size_t)count * narrow->element &&
            runs.wide_stride == (size_t)count * wide->element) {
            runs.length = count * pixels;
            runs.count = 1;
        }
    }
    if (direct) {
        nnrt__layout_convert_runs(job, &runs, source + (job->narrows ? wide_offset : narrow_offset),
                                  destination + (job->narrows ? narrow_offset : wide_offset));
    } else if (job->narrows) {
        nnrt__layout_convert_runs(job, &runs, source + wide_offset, scratch);
        nnrt__layout_move(&job->kernels, narrow->element, &scratch_part, scratch, &narrow_part, destination, count,
                          pixels);
    } else {
        nnrt__layout_move(&job->kernels, narrow->element, &narrow_part, source, &scratch_part, scratch, count, pixels);
        nnrt__layout_convert_runs(job, &runs, scratch, destination + wide_offset);
    }
}

/* All channels of pixels pixels. */
NNRT__FN void nnrt__layout_convert_tile(const nnrt__layout_job *job, const uint8_t *source, uint8_t *destination,
                                        uint32_t pixels) {
    const nnrt__layout_view *wide = job->narrows ? &job->from : &job->to;
    const uint32_t most = NNRT__LAYOUT_SCRATCH / (job->narrows ? job->to.element : job->from.element);
    const uint32_t lanes = wide->block == 1 ? 16 : wide->block; /* 16 channels: a block of the NPU in int8, or two */
    uint32_t channel = 0;
    while (channel < job->channels) {
        uint32_t count = job->channels - channel, done = 0, at_once;
        if (count > lanes - channel % lanes) count = lanes - channel % lanes;
        if (count > most) count = most;
        at_once = most / count;
        while (done < pixels) {
            const uint32_t part = pixels - done < at_once ? pixels - done : at_once;
            nnrt__layout_convert_part(job, source + done * job->from.pixel, destination + done * job->to.pixel, channel,
                                      count, part);
            done += part;
        }
        channel += count;
    }
}

/* ------------------------------------------------------------------------------------------ whole tensors */

/* Lanes past C of the blocks of pixels pixels become 0, with the elements beside them, which are written
   next. */
NNRT__FN void nnrt__layout_clear_lanes(const nnrt__layout_view *to, uint8_t *destination, uint32_t channels,
                                       uint32_t pixels) {
    uint32_t block = channels / to->block;
    for (; block < to->blocks; block++) memset(destination + block * to->plane, 0, pixels * to->pixel);
}

/* Bytes of a tile that leave room in a first-level cache of 32 KB. */
#define NNRT__LAYOUT_TILE_BYTES 16384u

/* Pixels of a tile: a row if blocks are equal, because nothing is transposed; otherwise as many as fit, at least a few
   vectors. float32 is streamed and does not count. */
NNRT__FN uint32_t nnrt__layout_tile(const nnrt__layout_job *job) {
    const size_t from = job->from.blocks * job->from.pixel, to = job->to.blocks * job->to.pixel;
    const size_t all = job->convert == NULL ? from + to : job->narrows ? to : from;
    const size_t least = job->convert == NULL ? 32 : 64;
    size_t pixels;
    if (job->from.block == job->to.block) return job->columns;
    pixels = NNRT__LAYOUT_TILE_BYTES / all & ~(size_t)15;
    if (pixels < least) pixels = least;
    return pixels < job->columns ? (uint32_t)pixels : job->columns;
}

NNRT__FN void nnrt__layout_choose(nnrt__layout_job *job, const nnrt__tensor_layout *from,
                                  const nnrt__tensor_layout *to) {
    const nnrt__layout_kernels *k = &job->kernels;
    const nnrt__tensor_layout *narrow = to->type == OH_NN_FLOAT32 ? from : to;
    float scale;
    int32_t zp;
    job->narrows = from->type == OH_NN_FLOAT32;
    job->convert = NULL;
    if (from->type == to->type) return;
    if (narrow->type == OH_NN_FLOAT16) {
        job->convert = job->narrows ? k->float16_from_float32 : k->float32_from_float16;
    } else if (narrow->type == OH_NN_INT32) {
        (void)nnrt__layout_quantization(narrow, &job->numbers.scale, &zp);
        job->convert = job->narrows ? k->quantize_32 : k->dequantize_32;
    } else if (nnrt__layout_quantization(narrow, &scale, &zp)) {
        const int bits = narrow->type == OH_NN_INT16 ? 16 : 8;
        nnrt__layout_numbers_set(&job->numbers, scale, zp, bits, narrow->type != OH_NN_UINT8, !job->narrows);
        if (bits == 8) job->convert = job->narrows ? k->quantize_8 : k->dequantize_8;
        else job->convert = job->narrows ? k->quantize_16 : k->dequantize_16;
    }
}

/* nnrt__layout_prepare with other kernels, for tests. */
NNRT__FN void nnrt__layout_prepare_with(nnrt__layout_job *job, const nnrt__layout_kernels *kernels,
                                        const nnrt__tensor_layout *from, const nnrt__tensor_layout *to) {
    job->kernels = *kernels;
    nnrt__layout_view_of(&job->from, from);
    nnrt__layout_view_of(&job->to, to);
    nnrt__layout_choose(job, from, to);
    job->bytes = (uint64_t)from->n * from->c * from->h * from->w * job->to.element;
    job->channels = from->c;
    job->images = from->n;
    job->rows = from->h;
    job->columns = from->w;
    if (job->from.row == job->columns * job->from.pixel && job->to.row == job->columns * job->to.pixel) {
        job->columns *= job->rows; /* no gap between rows: one long row */
        job->rows = 1;
    }
    job->tile = nnrt__layout_tile(job);
}

NNRT__FN void nnrt__layout_prepare(nnrt__layout_job *job, const nnrt__tensor_layout *from,
                                   const nnrt__tensor_layout *to) {
    nnrt__layout_kernels kernels;
    nnrt__layout_select(&kernels);
    nnrt__layout_prepare_with(job, &kernels, from, to);
}

NNRT__FN uint64_t nnrt__layout_do(const nnrt__layout_job *job, const void *source, void *destination) {
    nnrt__layout_part from_part, to_part;
    uint32_t image, row, column;
    nnrt__layout_part_of(&from_part, &job->from, 0);
    nnrt__layout_part_of(&to_part, &job->to, 0);
    for (image = 0; image < job->images; image++) {
        for (row = 0; row < job->rows; row++) {
            const uint8_t *s = (const uint8_t *)source + image * job->from.image + row * job->from.row;
            uint8_t *d = (uint8_t *)destination + image * job->to.image + row * job->to.row;
            for (column = 0; column < job->columns;) {
                const uint32_t left = job->columns - column, pixels = left < job->tile ? left : job->tile;
                nnrt__layout_clear_lanes(&job->to, d, job->channels, pixels);
                if (job->convert == NULL)
                    nnrt__layout_move(&job->kernels, job->from.element, &from_part, s, &to_part, d, job->channels,
                                      pixels);
                else nnrt__layout_convert_tile(job, s, d, pixels);
                s += pixels * job->from.pixel;
                d += pixels * job->to.pixel;
                column += pixels;
            }
        }
    }
    return job->bytes;
}

NNRT__FN uint64_t nnrt__layout_convert(const nnrt__tensor_layout *from, const void *source,
                                       const nnrt__tensor_layout *to, void *destination) {
    nnrt__layout_job job;
    nnrt__layout_prepare(&job, from, to);
    return nnrt__layout_do(&job, source, destination);
}

#endif /* NNRT_NPU_LAYOUT_H */
