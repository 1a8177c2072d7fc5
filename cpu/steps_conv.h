/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv.h - steps that are a matrix product: convolution, full connection.   >>cpu_steps_conv

   Every one of them walks the output in blocks of pixels. The rows of a block are gathered into scratch
   (im2row), or are the input itself when the kernel is one pixel; then the GEMM kernel multiplies them with
   the weights of one group. A full connection is the same with one pixel per batch and the features as
   channels.

   Operands   conv_s8, fc_s8          input s8, packed tiles as INT32 | output s8
              conv_raw_s8, fc_raw_s8  input s8, weights [out_c][k] s8, channels | output s8
              conv_f32, fc_f32        input f32, packed tiles as FLOAT32 | output f32
              conv_raw_f32, fc_raw_f32  input f32, weights [out_c][k] f32, bias [out_c] | output f32
   channels is INT32 [3][out_c]: bias with the input's zero point taken in, multiplier, shift.
   Packed tiles of the groups follow one another. */
#ifndef NNRT_CPU_STEPS_CONV_H
#define NNRT_CPU_STEPS_CONV_H

#include "geometry.h"

/* Most products of one output element: what the kernels' bounds are stated for. */
#define NNRT__CONV_K_MAX 4194303
/* Bytes of gathered rows of one block: they are read again for each tile of weights, so they stay in a
   small L1. */
#define NNRT__CONV_BLOCK_BYTES 8192u
/* Most rows of a block: what their addresses take of scratch. */
#define NNRT__CONV_BLOCK_ROWS 256u
/* Work units that a small convolution is split into, when its channels allow: enough for the cores of a
   board. */
#define NNRT__CONV_UNITS 8u
/* Raw kernels have no packing of their own: rows worth handing over at once, channels of the smallest
   split. */
#define NNRT__CONV_RAW_MR 4u
#define NNRT__CONV_RAW_NR 8u

/* Arguments of every convolution step, depthwise and transposed ones included. */
typedef struct nnrt__conv_args {
    nnrt__geometry geometry;
    int32_t columns; /* 0: input and output are NHWC; else a full connection of rows of so many features */
    int32_t group;
    uint32_t packing;  /* id; raw: 0 */
    uint32_t reserved; /* 0 */
    int32_t input_zero_point, output_zero_point;
    int32_t clamp_min, clamp_max;
    float clamp_low, clamp_high;
} nnrt__conv_args;

typedef struct nnrt__conv_shape {
    int32_t batches, in_h, in_w, in_c, out_h, out_w, out_c;
    size_t pixels; /* of the output, all batches */
    size_t taps;
    size_t group, n, k; /* n output channels and k products of one group */
} nnrt__conv_shape;

/* ------------------------------------------------------------------------------------------------- checks */

NNRT__INLINE const nnrt__conv_args *nnrt__conv_args_of(const nnrt__step_view *view) {
    return (const nnrt__conv_args *)view->arguments;
}

/* Sizes from operands and arguments; false when they do not belong together. After check this cannot be
   false. */
NNRT__FN bool nnrt__conv_shape_of(const nnrt__step_view *view, nnrt__conv_shape *shape) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    int64_t k;
    if (in == NULL || out == NULL || args->columns < 0) return false;
    if (args->columns > 0) {
        const size_t columns = (size_t)args->columns, rows = nnrt__value_count(in) / columns;
        if (rows == 0 || nnrt__value_count(in) != rows * columns || rows > NNRT__COORDINATE_MAX) return false;
        if (nnrt__value_count(out) % rows != 0 || nnrt__value_count(out) / rows > NNRT__COORDINATE_MAX) return false;
        if (g->kernel_h != 1 || g->kernel_w != 1 || g->pad_top != 0 || g->pad_left != 0) return false;
        shape->batches = (int32_t)rows;
        shape->in_h = shape->in_w = shape->out_h = shape->out_w = 1;
        shape->in_c = args->columns;
        shape->out_c = (int32_t)(nnrt__value_count(out) / rows);
    } else {
        if (in->rank != 4 || out->rank != 4 || in->dims[0] != out->dims[0]) return false;
        shape->batches = in->dims[0];
        shape->in_h = in->dims[1];
        shape->in_w = in->dims[2];
        shape->in_c = in->dims[3];
        shape->out_h = out->dims[1];
        shape->out_w = out->dims[2];
        shape->out_c = out->dims[3];
    }
    if (args->group < 1 || shape->in_c % args->group != 0 || shape->out_c % args->group != 0) return false;
    if (!nnrt__geometry_check(g, shape->out_h, shape->out_w, NNRT__TAPS_MAX)) return false;
    k = (int64_t)g->kernel_h * g->kernel_w * (shape->in_c / args->group);
    if (k > NNRT__CONV_K_MAX) return false;
    shape->taps = (size_t)g->kernel_h * (size_t)g->kernel_w;
    shape->group = (size_t)args->group;
    shape->n = (size_t)(shape->out_c / args->group);
    shape->k = (size_t)k;
    shape->pixels = (size_t)shape->batches * (size_t)shape->out_h * (size_t)shape->out_w;
    return shape->pixels <= NNRT__COORDINATE_MAX;
}

/* Zero points and clamps are what the kernels take. */
NNRT__FN bool nnrt__conv_range_check(const nnrt__conv_args *args) {
    return nnrt__in_range(args->input_zero_point, -128, 127) && nnrt__in_range(args->output_zero_point, -128, 127) &&
           nnrt__in_range(args->clamp_min, -128, 127) && nnrt__in_range(args->clamp_max, args->clamp_min, 127) &&
           args->clamp_low <= args->clamp_high;
}

/* Products of the whole step: at most 2^30 results of 2^22 each. */
NNRT__FN uint64_t nnrt__conv_work(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_shape_of(view, &s) ? (uint64_t)nnrt__value_count(nnrt__step_output(view, 0)) * s.k : 0;
}

/* Input 0 and output 0 are of their types and belong together. */
NNRT__FN bool nnrt__conv_check(const nnrt__step_view *view, OH_NN_DataType in, OH_NN_DataType out,
                               nnrt__conv_shape *shape) {
    return nnrt__conv_shape_of(view, shape) && nnrt__step_input(view, 0)->dtype == (uint32_t)in &&
           nnrt__step_output(view, 0)->dtype == (uint32_t)out && nnrt__conv_range_check(nnrt__conv_args_of(view));
}

/* A constant of the plan that is exactly `size` bytes of dtype: packed weights, which kernels read as
   words. */
NNRT__FN bool nnrt__conv_check_packed(const nnrt__plan_value *value, OH_NN_DataType dtype, size_t size) {
    return value != NULL && value->dtype == (uint32_t)dtype && value->segment == NNRT__SEGMENT_CONSTANT &&
           value->size == size;
}

/* A value of exactly count elements, whatever its shape. */
NNRT__FN bool nnrt__conv_check_count(const nnrt__plan_value *value, OH_NN_DataType dtype, size_t a, size_t b) {
    size_t count;
    return value != NULL && value->dtype == (uint32_t)dtype && nnrt__mul_size(a, b, &count) &&
           nnrt__value_count(value) == count;
}

/* The slot of the packing, wide or narrow; after check there is one. */
NNRT__FN const nnrt__gemm_s8_slot *nnrt__conv_s8_slot(const nnrt__step_view *view) {
    const nnrt__gemm_s8_slot *slots = view->kernels->gemm_s8;
    return slots[1].packing->id == nnrt__conv_args_of(view)->packing ? &slots[1] : &slots[0];
}

NNRT__FN const nnrt__gemm_f32_slot *nnrt__conv_f32_slot(const nnrt__step_view *view) {
    const nnrt__gemm_f32_slot *slots = view->kernels->gemm_f32;
    return slots[1].packing->id == nnrt__conv_args_of(view)->packing ? &slots[1] : &slots[0];
}

NNRT__FN bool nnrt__conv_s8_check(const nnrt__step_view *view) {
    const nnrt__packing *packing = nnrt__conv_s8_slot(view)->packing;
    nnrt__conv_shape s;
    size_t size;
    return nnrt__conv_check(view, OH_NN_INT8, OH_NN_INT8, &s) && nnrt__conv_args_of(view)->packing == packing->id &&
           nnrt__packing_size(packing, s.n, 1, s.k, &size) && nnrt__mul_size(size, s.group, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), OH_NN_INT32, size);
}

NNRT__FN bool nnrt__conv_f32_check(const nnrt__step_view *view) {
    const nnrt__packing *packing = nnrt__conv_f32_slot(view)->packing;
    nnrt__conv_shape s;
    size_t size;
    return nnrt__conv_check(view, OH_NN_FLOAT32, OH_NN_FLOAT32, &s) &&
           nnrt__conv_args_of(view)->packing == packing->id && nnrt__packing_size(packing, s.n, 1, s.k, &size) &&
           nnrt__mul_size(size, s.group, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), OH_NN_FLOAT32, size);
}

NNRT__FN bool nnrt__conv_raw_s8_check(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_check(view, OH_NN_INT8, OH_NN_INT8, &s) &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), OH_NN_INT8, (size_t)s.out_c, s.k) &&
           nnrt__conv_check_count(nnrt__step_input(view, 2), OH_NN_INT32, (size_t)s.out_c, 3);
}

NNRT__FN bool nnrt__conv_raw_f32_check(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_check(view, OH_NN_FLOAT32, OH_NN_FLOAT32, &s) &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), OH_NN_FLOAT32, (size_t)s.out_c, s.k) &&
           nnrt__conv_check_count(nnrt__step_input(view, 2), OH_NN_FLOAT32, (size_t)s.out_c, 1);
}

/* ------------------------------------------------------------------------------------------------- blocks */

/* How a step is cut. Work unit u does split u % splits of the channels for block u / splits of the pixels. */
typedef struct nnrt__conv_layout {
    nnrt__conv_shape shape;
    size_t element;     /* bytes */
    size_t row;         /* elements of a gathered row: k rounded up to kr */
    size_t block;       /* pixels of a block */
    size_t tile, tiles; /* channels of a tile, tiles of a group */
    size_t splits;
    bool direct;        /* the rows are the input itself */
    size_t list_size;   /* bytes of the list of rows, a multiple of 64; gathered rows follow */
    size_t gather_size; /* bytes of gathered rows, a multiple of 64; the kernel's scratch follows */
} nnrt__conv_layout;

NNRT__FN void nnrt__conv_layout_of(const nnrt__step_view *view, size_t element, uint32_t mr, uint32_t nr, uint32_t kr,
                                   nnrt__conv_layout *layout) {
    const nnrt__geometry *g = &nnrt__conv_args_of(view)->geometry;
    nnrt__conv_shape *s = &layout->shape;
    size_t blocks;
    uint64_t work;
    memset(layout, 0, sizeof(*layout));
    (void)nnrt__conv_shape_of(view, s);
    layout->element = element;
    layout->row = (s->k + kr - 1) / kr * kr;
    layout->block = NNRT__CONV_BLOCK_BYTES / (layout->row * element) / mr * mr;
    if (layout->block < mr) layout->block = mr;
    if (layout->block > NNRT__CONV_BLOCK_ROWS) layout->block = NNRT__CONV_BLOCK_ROWS / mr * mr;
    if (layout->block > s->pixels) layout->block = s->pixels;
    layout->list_size = (layout->block * sizeof(void *) + 63) & ~(size_t)63;
    blocks = (s->pixels + layout->block - 1) / layout->block;
    layout->tile = nr;
    layout->tiles = (s->n + nr - 1) / nr;
    layout->splits = 1;
    if (s->group == 1 && blocks < NNRT__CONV_UNITS) layout->splits = (NNRT__CONV_UNITS + blocks - 1) / blocks;
    work = (uint64_t)layout->block * s->k * (size_t)s->out_c; /* of a block; below 2^30 * 2^22 */
    if (work / layout->splits > 4 * (uint64_t)NNRT__WORK_OF_A_CHUNK) {
        const uint64_t wanted = work / NNRT__WORK_OF_A_CHUNK;
        layout->splits = wanted < layout->tiles ? (size_t)wanted : layout->tiles;
    }
    if (layout->splits > layout->tiles) layout->splits = layout->tiles;
    layout->direct = s->taps == 1 && s->group == 1 && g->stride_h == 1 && g->stride_w == 1 && g->pad_top == 0 &&
                     g->pad_left == 0 && s->in_h == s->out_h && s->in_w == s->out_w;
    if (!layout->direct || layout->row != s->k)
        layout->gather_size = (layout->block * layout->row * element + 63) & ~(size_t)63;
}

NNRT__FN uint32_t nnrt__conv_layout_units(const nnrt__conv_layout *layout) {
    return (uint32_t)((layout->shape.pixels + layout->block - 1) / layout->block * layout->splits);
}

/* Rows of k elements for the pixels [pixel, pixel + m) of one group, row_bytes apart, into `to`. Cells in
   the padding get the byte `fill`; what lies behind k gets 0. */
NNRT__FN void nnrt__conv_gather(const nnrt__geometry *g, const nnrt__conv_layout *layout, const uint8_t *in, int fill,
                                size_t group, size_t pixel, size_t m, uint8_t *to) {
    const nnrt__conv_shape *s = &layout->shape;
    const size_t pixel_bytes = (size_t)s->in_c * layout->element;
    const size_t run = pixel_bytes / s->group; /* channels of the group, in bytes */
    const size_t tail = (layout->row - s->k) * layout->element;
    const bool whole = s->group == 1 && g->dilation_w == 1; /* a kernel row is one run of the input */
    size_t columns = (size_t)s->out_w, rows = (size_t)s->out_h;
    size_t ox = pixel % columns, oy = pixel / columns % rows, batch = pixel / columns / rows;
    for (; m > 0; m--) {
        const int32_t top = (int32_t)oy * g->stride_h - g->pad_top, left = (int32_t)ox * g->stride_w - g->pad_left;
        const int32_t first = nnrt__first_tap(left, g->dilation_w, g->kernel_w);
        const int32_t last = nnrt__last_tap(left, g->dilation_w, g->kernel_w, s->in_w);
        const size_t before = (size_t)first * run, inside = (size_t)(last - first) * run;
        const size_t after = (size_t)(g->kernel_w - last) * run;
        int32_t i, j;
        for (i = 0; i < g->kernel_h; i++) {
            const int64_t y = (int64_t)top + (int64_t)i * g->dilation_h;
            if (y < 0 || y >= s->in_h || inside == 0) {
                memset(to, fill, before + inside + after);
                to += before + inside + after;
                continue;
            }
            {
                const size_t x = (size_t)(left + first * g->dilation_w);
                const uint8_t *from = in + ((batch * (size_t)s->in_h + (size_t)y) * (size_t)s->in_w + x) * pixel_bytes;
                memset(to, fill, before);
                to += before;
                if (whole) {
                    memcpy(to, from, inside);
                    to += inside;
                } else {
                    from += group * run;
                    for (j = first; j < last; j++, to += run) {
                        memcpy(to, from, run);
                        if (j + 1 < last) from += (size_t)g->dilation_w * pixel_bytes;
                    }
                }
                memset(to, fill, after);
                to += after;
            }
        }
        memset(to, 0, tail);
        to += tail;
        if (++ox == columns) {
            ox = 0;
            if (++oy == rows) {
                oy = 0;
                batch++;
            }
        }
    }
}

/* One product: m rows at a times the channels [first, last) of a group. */
typedef struct nnrt__conv_piece {
    const void *const *a; /* [m] */
    size_t pixel, m;
    size_t group, first, last;
    void *scratch; /* of the kernel */
} nnrt__conv_piece;

typedef void (*nnrt__conv_product)(const nnrt__step_view *view, const nnrt__step_call *call,
                                   const nnrt__conv_layout *layout, const nnrt__conv_piece *piece);

/* Lists m rows, `stride` bytes apart. */
NNRT__FN void nnrt__conv_list(const uint8_t *row, size_t stride, size_t m, const void **list) {
    for (; m > 0; m--, row += stride) *list++ = row;
}

/* Does the units of the call. Rows of a block are gathered once for all its splits in the call. */
NNRT__FN void nnrt__conv_run(const nnrt__step_view *view, const nnrt__step_call *call, const nnrt__conv_layout *layout,
                             nnrt__conv_product product) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &layout->shape;
    const uint8_t *in = (const uint8_t *)call->data[0];
    const int fill = layout->element == 1 ? args->input_zero_point : 0;
    const void **list = (const void **)call->scratch;
    uint8_t *gathered = (uint8_t *)call->scratch + layout->list_size;
    size_t unit = call->first;
    while (unit < call->last) {
        const size_t split = unit % layout->splits;
        size_t count = layout->splits - split;
        nnrt__conv_piece piece;
        if (count > call->last - unit) count = call->last - unit;
        piece.pixel = unit / layout->splits * layout->block;
        piece.m = s->pixels - piece.pixel < layout->block ? s->pixels - piece.pixel : layout->block;
        piece.first = layout->tiles * split / layout->splits * layout->tile;
        piece.last = layout->tiles * (split + count) / layout->splits * layout->tile;
        if (piece.last > s->n) piece.last = s->n;
        piece.scratch = gathered + layout->gather_size;
        piece.a = list;
        for (piece.group = 0; piece.group < s->group; piece.group++) {
            /* a kernel reads each row up to `row`: the last rows of the input may end before that */
            if (layout->direct && (piece.pixel + piece.m) * s->k + (layout->row - s->k) <= s->pixels * s->k) {
                nnrt__conv_list(in + piece.pixel * s->k * layout->element, s->k * layout->element, piece.m, list);
            } else {
                nnrt__conv_gather(&args->geometry, layout, in, fill, piece.group, piece.pixel, piece.m, gathered);
                nnrt__conv_list(gathered, layout->row * layout->element, piece.m, list);
            }
            product(view, call, layout, &piece);
        }
        unit += count;
    }
}

/* ----------------------------------------------------------------------------------------- conv_s8, fc_s8 */

NNRT__FN void nnrt__conv_s8_layout(const nnrt__step_view *view, nnrt__conv_layout *layout) {
    const nnrt__packing *packing = nnrt__conv_s8_slot(view)->packing;
    nnrt__conv_layout_of(view, 1, packing->mr, packing->nr, packing->kr, layout);
}

NNRT__FN uint32_t nnrt__conv_s8_units(const nnrt__step_view *view) {
    nnrt__conv_layout layout;
    nnrt__conv_s8_layout(view, &layout);
    return nnrt__conv_layout_units(&layout);
}

NNRT__FN bool nnrt__conv_s8_scratch(const nnrt__step_view *view, size_t *bytes) {
    nnrt__conv_layout layout;
    nnrt__conv_s8_layout(view, &layout);
    return nnrt__add_size(layout.list_size + layout.gather_size,
                          nnrt__packing_scratch(nnrt__conv_s8_slot(view)->packing, layout.block, layout.row), bytes);
}

NNRT__FN void nnrt__conv_s8_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                    const nnrt__conv_layout *layout, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &layout->shape;
    const nnrt__gemm_s8_slot *slot = nnrt__conv_s8_slot(view);
    const size_t tile_size = nnrt__packing_tile_size(slot->packing, layout->row);
    nnrt__gemm_s8_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.pieces = 1;
    gemm.piece = s->k;
    gemm.a = (const int8_t *const *)piece->a;
    gemm.w = (const uint8_t *)call->data[1] + (piece->group * layout->tiles + piece->first / layout->tile) * tile_size;
    gemm.c_stride = (size_t)s->out_c;
    gemm.c =
        (int8_t *)call->data[view->input_count] + piece->pixel * gemm.c_stride + piece->group * s->n + piece->first;
    gemm.output_zero_point = args->output_zero_point;
    gemm.clamp_min = args->clamp_min;
    gemm.clamp_max = args->clamp_max;
    slot->run(&gemm, piece->scratch);
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    nnrt__conv_layout layout;
    nnrt__conv_s8_layout(view, &layout);
    nnrt__conv_run(view, call, &layout, nnrt__conv_s8_product);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__conv_s8_isa(const nnrt__step_view *view) { return nnrt__conv_s8_slot(view)->isa; }

/* --------------------------------------------------------------------------------------- conv_f32, fc_f32 */

NNRT__FN void nnrt__conv_f32_layout(const nnrt__step_view *view, nnrt__conv_layout *layout) {
    const nnrt__packing *packing = nnrt__conv_f32_slot(view)->packing;
    nnrt__conv_layout_of(view, sizeof(float), packing->mr, packing->nr, packing->kr, layout);
}

NNRT__FN uint32_t nnrt__conv_f32_units(const nnrt__step_view *view) {
    nnrt__conv_layout layout;
    nnrt__conv_f32_layout(view, &layout);
    return nnrt__conv_layout_units(&layout);
}

NNRT__FN bool nnrt__conv_f32_scratch(const nnrt__step_view *view, size_t *bytes) {
    nnrt__conv_layout layout;
    nnrt__conv_f32_layout(view, &layout);
    return nnrt__add_size(layout.list_size + layout.gather_size,
                          nnrt__packing_scratch(nnrt__conv_f32_slot(view)->packing, layout.block, layout.row), bytes);
}

NNRT__FN void nnrt__conv_f32_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                     const nnrt__conv_layout *layout, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &layout->shape;
    const nnrt__gemm_f32_slot *slot = nnrt__conv_f32_slot(view);
    const size_t tile_size = nnrt__packing_tile_size(slot->packing, layout->row);
    nnrt__gemm_f32_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.pieces = 1;
    gemm.piece = s->k;
    gemm.a = (const float *const *)piece->a;
    gemm.w = (const uint8_t *)call->data[1] + (piece->group * layout->tiles + piece->first / layout->tile) * tile_size;
    gemm.c_stride = (size_t)s->out_c;
    gemm.c = (float *)call->data[view->input_count] + piece->pixel * gemm.c_stride + piece->group * s->n + piece->first;
    gemm.clamp_min = args->clamp_low;
    gemm.clamp_max = args->clamp_high;
    slot->run(&gemm, piece->scratch);
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    nnrt__conv_layout layout;
    nnrt__conv_f32_layout(view, &layout);
    nnrt__conv_run(view, call, &layout, nnrt__conv_f32_product);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__conv_f32_isa(const nnrt__step_view *view) { return nnrt__conv_f32_slot(view)->isa; }

/* ------------------------------------------------------------------------------------- the same over raw
   weights */

/* Raw kernels, the hybrid one included: element is that of the rows. */
NNRT__FN void nnrt__conv_raw_layout(const nnrt__step_view *view, nnrt__conv_layout *layout) {
    const size_t element = nnrt__element_size((OH_NN_DataType)nnrt__step_input(view, 0)->dtype);
    nnrt__conv_layout_of(view, element, NNRT__CONV_RAW_MR, NNRT__CONV_RAW_NR, 1, layout);
}

NNRT__FN uint32_t nnrt__conv_raw_units(const nnrt__step_view *view) {
    nnrt__conv_layout layout;
    nnrt__conv_raw_layout(view, &layout);
    return nnrt__conv_layout_units(&layout);
}

NNRT__FN bool nnrt__conv_raw_scratch(const nnrt__step_view *view, size_t *bytes) {
    nnrt__conv_layout layout;
    nnrt__conv_raw_layout(view, &layout);
    *bytes = layout.list_size + layout.gather_size;
    return true;
}

NNRT__FN void nnrt__conv_raw_s8_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                        const nnrt__conv_layout *layout, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &layout->shape;
    const size_t channel = piece->group * s->n + piece->first;
    const int32_t *constants = (const int32_t *)call->data[2];
    nnrt__gemm_raw_s8_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.k = s->k;
    gemm.a = (const int8_t *const *)piece->a;
    gemm.w = (const int8_t *)call->data[1] + channel * s->k;
    gemm.w_stride = s->k;
    gemm.bias = constants + channel;
    gemm.multiplier = gemm.bias + s->out_c;
    gemm.shift = gemm.multiplier + s->out_c;
    gemm.c_stride = (size_t)s->out_c;
    gemm.c = (int8_t *)call->data[view->input_count] + piece->pixel * gemm.c_stride + channel;
    gemm.output_zero_point = args->output_zero_point;
    gemm.clamp_min = args->clamp_min;
    gemm.clamp_max = args->clamp_max;
    view->kernels->gemm_raw_s8(&gemm);
}

NNRT__FN void nnrt__conv_raw_f32_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                         const nnrt__conv_layout *layout, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &layout->shape;
    const size_t channel = piece->group * s->n + piece->first;
    nnrt__gemm_raw_f32_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.k = s->k;
    gemm.a = (const float *const *)piece->a;
    gemm.w = (const float *)call->data[1] + channel * s->k;
    gemm.w_stride = s->k;
    gemm.bias = (const float *)call->data[2] + channel;
    gemm.c_stride = (size_t)s->out_c;
    gemm.c = (float *)call->data[view->input_count] + piece->pixel * gemm.c_stride + channel;
    gemm.clamp_min = args->clamp_low;
    gemm.clamp_max = args->clamp_high;
    view->kernels->gemm_raw_f32(&gemm);
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_raw_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    nnrt__conv_layout layout;
    nnrt__conv_raw_layout(view, &layout);
    nnrt__conv_run(view, call, &layout, nnrt__conv_raw_s8_product);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_raw_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    nnrt__conv_layout layout;
    nnrt__conv_raw_layout(view, &layout);
    nnrt__conv_run(view, call, &layout, nnrt__conv_raw_f32_product);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__conv_raw_s8_isa(const nnrt__step_view *view) { return view->kernels->gemm_raw_s8_isa; }
NNRT__FN const char *nnrt__conv_raw_f32_isa(const nnrt__step_view *view) { return view->kernels->gemm_raw_f32_isa; }

/* ---------------------------------------------------------------------------------------------- the kinds */

static const nnrt__step_kind nnrt__step_conv_s8 = {0x100,
                                                   "conv_s8",
                                                   sizeof(nnrt__conv_args),
                                                   2,
                                                   2,
                                                   1,
                                                   1,
                                                   false,
                                                   nnrt__conv_s8_check,
                                                   nnrt__conv_s8_scratch,
                                                   nnrt__conv_s8_units,
                                                   nnrt__conv_s8_isa,
                                                   nnrt__conv_s8_run,
                                                   nnrt__conv_work,
                                                   0,
                                                   NULL};
static const nnrt__step_kind nnrt__step_fc_s8 = {0x101,
                                                 "fc_s8",
                                                 sizeof(nnrt__conv_args),
                                                 2,
                                                 2,
                                                 1,
                                                 1,
                                                 false,
                                                 nnrt__conv_s8_check,
                                                 nnrt__conv_s8_scratch,
                                                 nnrt__conv_s8_units,
                                                 nnrt__conv_s8_isa,
                                                 nnrt__conv_s8_run,
                                                 nnrt__conv_work,
                                                 0,
                                                 NULL};
static const nnrt__step_kind nnrt__step_conv_raw_s8 = {0x102,
                                                       "conv_raw_s8",
                                                       sizeof(nnrt__conv_args),
                                                       3,
                                                       3,
                                                       1,
                                                       1,
                                                       false,
                                                       nnrt__conv_raw_s8_check,
                                                       nnrt__conv_raw_scratch,
                                                       nnrt__conv_raw_units,
                                                       nnrt__conv_raw_s8_isa,
                                                       nnrt__conv_raw_s8_run,
                                                       nnrt__conv_work,
                                                       0,
                                                       NULL};
static const nnrt__step_kind nnrt__step_fc_raw_s8 = {0x103,
                                                     "fc_raw_s8",
                                                     sizeof(nnrt__conv_args),
                                                     3,
                                                     3,
                                                     1,
                                                     1,
                                                     false,
                                                     nnrt__conv_raw_s8_check,
                                                     nnrt__conv_raw_scratch,
                                                     nnrt__conv_raw_units,
                                                     nnrt__conv_raw_s8_isa,
                                                     nnrt__conv_raw_s8_run,
                                                     nnrt__conv_work,
                                                     0,
                                                     NULL};
static const nnrt__step_kind nnrt__step_conv_f32 = {0x104,
                                                    "conv_f32",
                                                    sizeof(nnrt__conv_args),
                                                    2,
                                                    2,
                                                    1,
                                                    1,
                                                    false,
                                                    nnrt__conv_f32_check,
                                                    nnrt__conv_f32_scratch,
                                                    nnrt__conv_f32_units,
                                                    nnrt__conv_f32_isa,
                                                    nnrt__conv_f32_run,
                                                    nnrt__conv_work,
                                                    0,
                                                    NULL};
static const nnrt__step_kind nnrt__step_fc_f32 = {0x105,
                                                  "fc_f32",
                                                  sizeof(nnrt__conv_args),
                                                  2,
                                                  2,
                                                  1,
                                                  1,
                                                  false,
                                                  nnrt__conv_f32_check,
                                                  nnrt__conv_f32_scratch,
                                                  nnrt__conv_f32_units,
                                                  nnrt__conv_f32_isa,
                                                  nnrt__conv_f32_run,
                                                  nnrt__conv_work,
                                                  0,
                                                  NULL};
static const nnrt__step_kind nnrt__step_conv_raw_f32 = {0x106,
                                                        "conv_raw_f32",
                                                        sizeof(nnrt__conv_args),
                                                        3,
                                                        3,
                                                        1,
                                                        1,
                                                        false,
                                                        nnrt__conv_raw_f32_check,
                                                        nnrt__conv_raw_scratch,
                                                        nnrt__conv_raw_units,
                                                        nnrt__conv_raw_f32_isa,
                                                        nnrt__conv_raw_f32_run,
                                                        nnrt__conv_work,
                                                        0,
                                                        NULL};
static const nnrt__step_kind nnrt__step_fc_raw_f32 = {0x107,
                                                      "fc_raw_f32",
                                                      sizeof(nnrt__conv_args),
                                                      3,
                                                      3,
                                                      1,
                                                      1,
                                                      false,
                                                      nnrt__conv_raw_f32_check,
                                                      nnrt__conv_raw_scratch,
                                                      nnrt__conv_raw_units,
                                                      nnrt__conv_raw_f32_isa,
                                                      nnrt__conv_raw_f32_run,
                                                      nnrt__conv_work,
                                                      0,
                                                      NULL};

#endif /* NNRT_CPU_STEPS_CONV_H */
