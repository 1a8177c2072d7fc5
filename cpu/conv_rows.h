/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/conv_rows.h - a convolution seen as a matrix product: where the rows of A lie in the input.   >>cpu_conv_rows

   Every output pixel is a row of A: the window of the input under it. Nothing is copied that can be read where it is.
   A row is listed as the addresses of its pieces:

       a piece is      when                                              and lies
       the pixel       the kernel is 1x1                                 in the input
       a kernel row    its columns are neighbours and pad little         in the input; outside of it: in a row of zero
       one tap         they are not, and a tap pads little                points; across its side: copied to scratch
       the whole row   a piece would be mostly padding (first layers)    gathered in scratch

   args.span says which: taps of a piece. The kernels read a piece up to its end rounded up to kr; a piece at the end of
   the input is copied, too, so that they stay inside. */
#ifndef NNRT_CPU_CONV_ROWS_H
#define NNRT_CPU_CONV_ROWS_H

#include "geometry.h"

/* Inline where speed counts for more than size. */
#ifdef __OPTIMIZE_SIZE__
#define NNRT__CONV_FAST NNRT__FN
#else
#define NNRT__CONV_FAST NNRT__INLINE
#endif

/* Most products per output element: the kernels' bounds are stated for this. */
#define NNRT__CONV_K_MAX NNRT__GEMM_K_MAX
/* Addresses of a block, 8 bytes each on every machine, so that a plan for another machine has the same size. */
#define NNRT__CONV_ADDRESSES 192u
/* Bytes of copied pieces of a block, when that is enough for the rows that a kernel wants at once. */
#define NNRT__CONV_COPY_BYTES 2048u
/* The same for kernels whose tile is one channel, as small processors have them: there a call costs less beside its
   rows, and RAM counts. */
#define NNRT__CONV_NARROW_ADDRESSES 96u
#define NNRT__CONV_NARROW_COPY_BYTES 640u
/* Work units that a small convolution is split into, when its channels allow: enough for the cores of a board. */
#define NNRT__CONV_UNITS 8u
/* Raw kernels have no packing of their own: rows worth handing over at once, channels of the smallest split. */
#define NNRT__CONV_RAW_MR 4u
#define NNRT__CONV_RAW_NR 8u

/* Arguments of every convolution step, depthwise and transposed ones included. */
typedef struct nnrt__conv_args {
    nnrt__geometry geometry;
    int32_t columns; /* 0: input and output are NHWC; else a full connection of rows of so many features */
    int32_t group;
    uint32_t packing;             /* id; raw weights: 0 */
    uint32_t span;                /* taps of a piece: 1, kernel_w or all; depthwise and transposed: 0 */
    int32_t first_row, row_count; /* the step computes these rows of its output; all, or the batch is 1 */
    int32_t input_zero_point, output_zero_point;
    int32_t weight_zero_point; /* of conv_s8 and fc_s8, whose rows are summed if it is not 0; others: 0 */
    int32_t clamp_min, clamp_max;
    float clamp_low, clamp_high;
    uint32_t block; /* most pixels that are computed before the next are read (cpu/overlap.h); 0: any */
} nnrt__conv_args;

typedef struct nnrt__conv_shape {
    int32_t batches, in_h, in_w, in_c, out_h, out_w, out_c;
    int32_t first_row, row_count;
    size_t pixels; /* that are computed, all batches */
    size_t taps;
    size_t group, n, k; /* n output channels and k products of one group */
} nnrt__conv_shape;

/* ------------------------------------------------------------------------------------------------- checks */

NNRT__INLINE const nnrt__conv_args *nnrt__conv_args_of(const nnrt__step_view *view) {
    return (const nnrt__conv_args *)view->arguments;
}

/* Sizes from operands and arguments. They belong together if the step was checked; before that the operands have to be
   there, the group to be 1 or more and the columns not negative, and nnrt__conv_shape_of looks at what comes out.
   false: the rows of a full connection are not whole. */
NNRT__FN bool nnrt__conv_shape_take(const nnrt__step_view *view, nnrt__conv_shape *shape) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    bool whole = true;
    if (args->columns > 0) {
        const size_t columns = (size_t)args->columns, count = nnrt__value_count(in), results = nnrt__value_count(out);
        const size_t rows = count / columns, each = rows != 0 ? results / rows : 0;
        whole = rows != 0 && count == rows * columns && results == rows * each;
        shape->batches = (int32_t)rows;
        shape->in_h = shape->in_w = shape->out_h = shape->out_w = 1;
        shape->in_c = args->columns;
        shape->out_c = (int32_t)each;
    } else {
        shape->batches = in->dims[0];
        shape->in_h = in->dims[1];
        shape->in_w = in->dims[2];
        shape->in_c = in->dims[3];
        shape->out_h = out->dims[1];
        shape->out_w = out->dims[2];
        shape->out_c = out->dims[3];
    }
    shape->first_row = args->first_row;
    shape->row_count = args->row_count;
    shape->taps = (size_t)g->kernel_h * (size_t)g->kernel_w;
    shape->group = (size_t)args->group;
    shape->n = (size_t)(shape->out_c / args->group);
    shape->k = shape->taps * (size_t)(shape->in_c / args->group);
    shape->pixels = (size_t)shape->batches * (size_t)shape->row_count * (size_t)shape->out_w;
    return whole;
}

/* May the sizes of a full connection be what they are? */
NNRT__FN bool nnrt__conv_rows_check(const nnrt__conv_shape *shape, const nnrt__geometry *g) {
    return shape->batches <= NNRT__COORDINATE_MAX && shape->out_c <= NNRT__COORDINATE_MAX && g->kernel_h == 1 &&
           g->kernel_w == 1 && g->pad_top == 0 && g->pad_left == 0;
}

/* The same of a step that was not checked; false when the sizes do not belong together. */
NNRT__FN bool nnrt__conv_shape_of(const nnrt__step_view *view, nnrt__conv_shape *shape) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    if (in == NULL || out == NULL || args->columns < 0 || args->group < 1) return false;
    if (args->columns == 0 && (in->rank != 4 || out->rank != 4 || in->dims[0] != out->dims[0])) return false;
    if (!nnrt__conv_shape_take(view, shape)) return false;
    if (args->columns > 0 && !nnrt__conv_rows_check(shape, g)) return false;
    if ((size_t)shape->out_c != shape->n * shape->group || shape->in_c % args->group != 0) return false;
    if (args->first_row < 0 || args->row_count < 1 || args->row_count > shape->out_h - args->first_row) return false;
    if (args->row_count != shape->out_h && shape->batches != 1) return false;
    if (!nnrt__geometry_check(g, shape->out_h, shape->out_w, NNRT__TAPS_MAX)) return false;
    return (uint64_t)shape->taps * (uint32_t)(shape->in_c / args->group) <= NNRT__CONV_K_MAX &&
           shape->pixels <= NNRT__COORDINATE_MAX;
}

/* Zero points and clamps are what the kernels take. */
NNRT__FN bool nnrt__conv_range_check(const nnrt__conv_args *args) {
    const uint32_t above = ((uint32_t)args->input_zero_point + 128u) | ((uint32_t)args->output_zero_point + 128u) |
                           ((uint32_t)args->weight_zero_point + 128u) | ((uint32_t)args->clamp_min + 128u) |
                           ((uint32_t)args->clamp_max + 128u); /* 256 or more: one of them is no int8 */
    return above < 256 && args->clamp_min <= args->clamp_max && args->clamp_low <= args->clamp_high;
}

/* The sizes of a step that was checked: those that what prepare made begins with; if it is not there, made in room. */
NNRT__FN const nnrt__conv_shape *nnrt__conv_sizes(const nnrt__step_view *view, nnrt__conv_shape *room) {
    if (view->ready != NULL) return (const nnrt__conv_shape *)view->ready;
    (void)nnrt__conv_shape_take(view, room);
    return room;
}

/* Products of the step: at most 2^30 results of 2^22 each, of a depthwise one of a product per tap. */
NNRT__FN uint64_t nnrt__conv_work(const nnrt__step_view *view) {
    nnrt__conv_shape room;
    const nnrt__conv_shape *s = nnrt__conv_sizes(view, &room);
    return (uint64_t)s->pixels * (uint64_t)s->out_c * s->k;
}

/* Input 0 and output 0 are of their types and belong together: their sizes, where prepare finds them if there is room
   for what it makes, else in *own; NULL: they do not. */
NNRT__FN const nnrt__conv_shape *nnrt__conv_check(const nnrt__step_view *view, OH_NN_DataType in, OH_NN_DataType out,
                                                  nnrt__conv_shape *own) {
    nnrt__conv_shape *shape = view->ready != NULL ? (nnrt__conv_shape *)(uintptr_t)view->ready : own;
    return nnrt__conv_shape_of(view, shape) && nnrt__step_input(view, 0)->dtype == (uint32_t)in &&
                   nnrt__step_output(view, 0)->dtype == (uint32_t)out &&
                   nnrt__conv_range_check(nnrt__conv_args_of(view))
               ? shape
               : NULL;
}

/* The sizes in what prepare makes at `shape`: check has left them there if it was room for that. */
NNRT__INLINE void nnrt__conv_shape_found(const nnrt__step_view *view, nnrt__conv_shape *shape) {
    if (view->ready != (const void *)shape) (void)nnrt__conv_shape_take(view, shape);
}

/* A constant of the plan that is exactly `size` bytes of dtype: packed weights, which kernels read as words. */
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

/* ------------------------------------------------------------------------------------------------- pieces */

/* How a row of taps * channels products is cut into pieces of `span` taps. */
NNRT__INLINE size_t nnrt__conv_pieces(size_t taps, uint32_t span) { return taps / span; }

/* May a step be cut so? */
NNRT__FN bool nnrt__conv_span_check(const nnrt__conv_args *args, const nnrt__conv_shape *s) {
    const nnrt__geometry *g = &args->geometry;
    if (args->span == s->taps) return true;
    return args->span == 1 || (args->span == (uint32_t)g->kernel_w && g->dilation_w == 1 && args->group == 1);
}

/* The span that a kernel with this kr is best given: in place when at most an eighth of what it reads is padding.
   several: it takes rows of more than one piece. channels: of one group. */
NNRT__FN uint32_t nnrt__conv_span(const nnrt__geometry *g, size_t channels, int32_t group, uint32_t kr, bool several) {
    const size_t row = (size_t)g->kernel_w * channels, taps = (size_t)g->kernel_h * (size_t)g->kernel_w;
    const size_t row_rest = (kr - row % kr) % kr, tap_rest = (kr - channels % kr) % kr;
    if (several && g->dilation_w == 1 && group == 1 && 8 * row_rest <= row) return (uint32_t)g->kernel_w;
    if (several && channels >= (group != 1 ? 4 : 16) && 8 * tap_rest <= channels) return 1;
    return (uint32_t)taps;
}

/* -------------------------------------------------------------------------------------------------- ready */

/* How a step is cut. Work unit u does split u % splits of the channels for block u / splits of the pixels. All but
   `slot` follows from arguments and operands. */
typedef struct nnrt__conv_ready {
    nnrt__conv_shape shape;         /* the first field: nnrt__conv_sizes */
    const nnrt__geometry *geometry; /* the step's, or that of a part of it */
    size_t in_size;                 /* bytes of the input */
    size_t pixel, line;             /* bytes of a pixel of the input, and of a row */
    size_t run;                     /* bytes of the channels of a group in one pixel */
    size_t span, pieces;            /* taps of a piece, pieces of a row */
    size_t piece, padded;           /* elements of a piece, and rounded up to kr */
    size_t each;                    /* bytes of the latter */
    size_t block;                   /* pixels of a block */
    size_t tile, tiles;             /* channels of a tile, tiles of a group */
    size_t tile_size;               /* bytes of a packed tile; raw: 0 */
    size_t units;
    size_t copies;                               /* pieces that scratch has room for */
    size_t zero_at, copy_at, kernel_at, scratch; /* offsets in scratch behind the list; bytes of all of it */
    const void *slot;                            /* of the kernel table */
    size_t sums_at; /* in scratch, what the zero point of the weights adds to rows; 0: nothing */
    size_t element; /* bytes */
    size_t splits;
    size_t left, right; /* columns left <= x < right have all their taps inside */
    int fill;           /* byte of the padding */
    bool direct, gathered;
    bool one_row; /* direct, and there is but one row, of one group */
    bool banded;  /* it is run by bands (cpu/conv_bands.h) */
    bool flipped; /* the kernel is given what it takes flipped (ditto) */
} nnrt__conv_ready;

/* Columns from the first whose window begins inside to behind the last whose window ends inside. */
NNRT__FN void nnrt__conv_interior(const nnrt__geometry *g, int32_t in_w, int32_t out_w, size_t *left, size_t *right) {
    const int32_t stride = g->stride_w, reach = (g->kernel_w - 1) * g->dilation_w;
    int32_t first = g->pad_left > 0 ? (g->pad_left + stride - 1) / stride : 0;
    int32_t last = in_w - 1 - reach + g->pad_left; /* largest left edge, in strides; of in_w <= 2^30 */
    NNRT_ASSERT(stride >= 1 && g->kernel_w >= 1 && g->dilation_w >= 1);
    NNRT_ASSERT(in_w >= 1 && out_w >= 1);
    last = last < 0 ? 0 : last / stride + 1;
    if (last > out_w) last = out_w;
    if (first > last) first = last;
    *left = (size_t)first;
    *right = (size_t)last;
}

/* How units share the blocks. */
NNRT__FN void nnrt__conv_split(nnrt__conv_ready *r) {
    const nnrt__conv_shape *s = &r->shape;
    const size_t blocks = (s->pixels + r->block - 1) / r->block;
    const uint64_t work = (uint64_t)r->block * s->k * (size_t)s->out_c; /* of a block; below 2^30 * 2^22 */
    r->splits = 1;
    if (NNRT__HAS_THREADS && s->group == 1 && blocks < NNRT__CONV_UNITS)
        r->splits = (NNRT__CONV_UNITS + blocks - 1) / blocks;
    if (NNRT__HAS_THREADS &&
        work >= (4 * (uint64_t)NNRT__WORK_OF_A_CHUNK + 1) * r->splits) { /* work / splits is more than 4 chunks */
        const uint64_t wanted = work / NNRT__WORK_OF_A_CHUNK;
        r->splits = wanted < r->tiles ? (size_t)wanted : r->tiles;
    }
    if (NNRT__HAS_THREADS && r->splits > r->tiles) r->splits = r->tiles; /* of which there is one at least */
    r->units = blocks * r->splits;
}

/* Pixels of a block, and how units share it. mr, nr: of the packing. most: nnrt__conv_args.block. */
NNRT__NOINLINE void nnrt__conv_cut(nnrt__conv_ready *r, size_t mr, size_t nr, size_t most) {
    const nnrt__conv_shape *s = &r->shape;
    const size_t each = r->each; /* bytes of a copied piece */
    const size_t addresses = nr == 1 ? NNRT__CONV_NARROW_ADDRESSES : NNRT__CONV_ADDRESSES;
    const size_t copy_bytes = nr == 1 ? NNRT__CONV_NARROW_COPY_BYTES : NNRT__CONV_COPY_BYTES;
    NNRT_ASSERT(mr >= 1 && nr >= 1 && r->pieces >= 1 && each != 0);
    r->block = addresses / r->pieces;
    if (r->gathered && r->block > copy_bytes / each) r->block = copy_bytes / each;
    r->block = r->block / mr * mr;
    if (r->block < mr) r->block = mr;
    if (most != 0 && r->block > most) r->block = most;
    if (r->block > s->pixels) r->block = s->pixels;
    if (r->direct) r->copies = r->padded > r->piece ? 1 : 0; /* of the last row, which a kernel would leave */
    else r->copies = r->gathered ? r->block : copy_bytes / each / r->pieces * r->pieces;
    if (!r->direct && r->copies < (mr < r->block ? mr : r->block) * r->pieces)
        r->copies = (mr < r->block ? mr : r->block) * r->pieces;
    if (r->copies > r->block * r->pieces) r->copies = r->block * r->pieces;
    r->tile = nr;
    r->tiles = (s->n + nr - 1) / nr;
    nnrt__conv_split(r);
}

/* Stands for the packing of raw weights, which have neither tiles nor scratch. */
static const nnrt__packing nnrt__conv_raw = {0, 0, 0, NNRT__CONV_RAW_NR, 1, NNRT__CONV_RAW_MR, 1, 0, 0, 0, 0, 0, 1};

/* The shape and the geometry of r are set. span: taps of a piece. packing, element: as below. */
NNRT__FN void nnrt__conv_ready_cut(const nnrt__step_view *view, const nnrt__packing *packing, size_t element,
                                   uint32_t span, nnrt__conv_ready *r) {
    const nnrt__packing *p = packing != NULL ? packing : &nnrt__conv_raw;
    const nnrt__geometry *g = r->geometry;
    const size_t kr = p->kr;
    const nnrt__conv_shape *s = &r->shape;
    r->element = element;
    r->in_size = (size_t)nnrt__step_input(view, 0)->size;
    r->pixel = (size_t)s->in_c * element;
    r->line = (size_t)s->in_w * r->pixel;
    r->run = r->pixel / s->group;
    r->span = span;
    r->pieces = nnrt__conv_pieces(s->taps, span);
    r->piece = s->k / r->pieces;
    r->padded = (r->piece + kr - 1) / kr * kr;
    r->each = r->padded * element;
    /* a stripe may begin at another row in the input than in the output */
    r->direct = view->step->turns == 0 && s->taps == 1 && g->stride_h == 1 && g->stride_w == 1 && g->pad_top == 0 &&
                g->pad_left == 0 && s->in_h == s->out_h && s->in_w == s->out_w;
    r->gathered = s->taps > 1 && r->pieces == 1 && (g->kernel_h > 1 || g->dilation_w != 1 || s->group != 1);
    r->banded = r->flipped = r->one_row = false;
    r->sums_at = 0;
    r->fill = element == 1 ? nnrt__conv_args_of(view)->input_zero_point : 0;
    r->left = 0;
    r->right = NNRT__FOR_SPEED ? (size_t)s->out_w : 0;
    if (NNRT__FOR_SPEED && !r->direct) nnrt__conv_interior(g, s->in_w, s->out_w, &r->left, &r->right);
    nnrt__conv_cut(r, p->mr, p->nr, nnrt__conv_args_of(view)->block);
    r->tile_size = nnrt__packing_tile_size(p, r->pieces * r->padded);
    r->slot = NULL;
    if (NNRT__FOR_SPEED) r->one_row = r->direct && s->pixels == 1 && s->group == 1 && s->first_row == 0;
    r->zero_at = (r->block * r->pieces * 8 + 63) & ~(size_t)63;
    r->copy_at = r->zero_at + (r->direct || r->gathered ? 0 : (r->each + 63) & ~(size_t)63);
    r->kernel_at = r->copy_at + ((r->copies * r->each + 63) & ~(size_t)63);
    r->scratch = r->kernel_at + nnrt__packing_scratch(p, r->block, r->pieces * r->padded);
}

/* packing: how the weights are packed; NULL: raw. element: bytes of an element of A. After check. */
NNRT__FN void nnrt__conv_ready_of(const nnrt__step_view *view, const nnrt__packing *packing, size_t element,
                                  nnrt__conv_ready *r) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    nnrt__conv_shape_found(view, &r->shape);
    r->geometry = &args->geometry;
    nnrt__conv_ready_cut(view, packing, element, args->span, r);
}

/* ------------------------------------------------------------------------------------------------- a block */

/* Coordinates are int32 throughout: nnrt__geometry_check has proved that none leaves it, and on 32 bits the wider ones
   were half of what a window at a side costs. */

/* The rows of a block while they are listed. */
typedef struct nnrt__conv_list {
    const nnrt__conv_ready *ready;
    const uint8_t *in;  /* of the group's first channel */
    const uint8_t *end; /* of the input */
    const void **list;
    const uint8_t *zero;
    uint8_t *copies;
    size_t copied; /* pieces */
    /* the window at hand, where it lies anywhere: its image and its corner */
    const uint8_t *image;
    int32_t top, left;
} nnrt__conv_list;

/* count bytes that do not overlap: runs of a few bytes, where a call would cost more than the copy. */
NNRT__CONV_FAST void nnrt__conv_copy(uint8_t *to, const uint8_t *from, size_t count) {
    if (!NNRT__FOR_SPEED || count > 16) {
        memcpy(to, from, count);
    } else if (count >= 8) {
        memcpy(to, from, 8);
        memcpy(to + count - 8, from + count - 8, 8);
    } else if (count >= 4) {
        memcpy(to, from, 4);
        memcpy(to + count - 4, from + count - 4, 4);
    } else {
        size_t i;
        for (i = 0; i < count; i++) to[i] = from[i];
    }
}

/* `rows` runs of `count` bytes, `to_step` and `from_step` apart. The size is looked at once: most runs of a first layer
   are of 3 to 16 bytes, those at a side of 16 channels of 32: two words that overlap copy any of those. */
NNRT__NOINLINE void nnrt__conv_copy_rows(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step,
                                         size_t count, size_t rows) {
    if (!NNRT__FOR_SPEED || count > 32) {
        for (; rows > 0; rows--, to += to_step, from += from_step) memcpy(to, from, count);
    } else if (count > 16) {
        const size_t last = count - 16;
        for (; rows > 0; rows--, to += to_step, from += from_step) {
            memcpy(to, from, 16);
            memcpy(to + last, from + last, 16);
        }
    } else if (count > 8) {
        const size_t last = count - 8;
        for (; rows > 0; rows--, to += to_step, from += from_step) {
            memcpy(to, from, 8);
            memcpy(to + last, from + last, 8);
        }
    } else if (count == 8) {
        for (; rows > 0; rows--, to += to_step, from += from_step) memcpy(to, from, 8);
    } else if (count >= 4) {
        const size_t last = count - 4;
        for (; rows > 0; rows--, to += to_step, from += from_step) {
            memcpy(to, from, 4);
            memcpy(to + last, from + last, 4);
        }
    } else {
        for (; rows > 0; rows--, to += to_step, from += from_step) nnrt__conv_copy(to, from, count);
    }
}

/* The taps [first, first + count) of kernel row i of the window at hand to `to`: what lies outside gets the byte of the
   padding. Returns what follows. */
NNRT__FN uint8_t *nnrt__conv_take(const nnrt__conv_list *l, int32_t i, int32_t first, int32_t count, uint8_t *to) {
    const nnrt__conv_ready *r = l->ready;
    const nnrt__conv_shape *s = &r->shape;
    const int32_t dilation = r->geometry->dilation_w, y = l->top + i * r->geometry->dilation_h, left = l->left;
    const size_t bytes = (size_t)count * r->run;
    uint8_t *const end = to + bytes;
    const uint8_t *row;
    memset(to, r->fill, bytes);
    if (y < 0 || y >= s->in_h) return end;
    row = l->image + (size_t)y * r->line;
    if (dilation == 1 && s->group == 1) { /* one run: padding, input, padding */
        const int32_t start = left + first, over = start + count - s->in_w;
        const int32_t before = start < 0 ? -start : 0, taps = count - before - (over > 0 ? over : 0);
        if (taps > 0)
            nnrt__conv_copy(to + (size_t)before * r->run, row + (size_t)(start + before) * r->run,
                            (size_t)taps * r->run);
        return end;
    }
    for (; to != end; first++, to += r->run) {
        const int32_t x = left + first * dilation;
        if (x >= 0 && x < s->in_w) nnrt__conv_copy(to, row + (size_t)x * r->pixel, r->run);
    }
    return end;
}

/* A place for a copied piece; there is one. */
NNRT__INLINE uint8_t *nnrt__conv_place(nnrt__conv_list *l) { return l->copies + l->copied++ * l->ready->each; }

/* The window at hand, wherever its taps lie: pieces are in the input, zero points, or copied. */
NNRT__NOINLINE void nnrt__conv_list_any(nnrt__conv_list *l, const void **to) {
    const nnrt__conv_ready *r = l->ready;
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__geometry *g = r->geometry;
    const int32_t span = r->gathered ? g->kernel_w : (int32_t)r->span;
    uint8_t *copy = r->gathered ? nnrt__conv_place(l) : NULL;
    int32_t i, j;
    if (r->gathered) *to = copy;
    for (i = 0; i < g->kernel_h; i++) {
        const int32_t y = l->top + i * g->dilation_h;
        for (j = 0; j < g->kernel_w; j += span) {
            const int32_t x = l->left + j * g->dilation_w, last = x + (span - 1);
            if (r->gathered) {
                copy = nnrt__conv_take(l, i, j, span, copy);
            } else if (y < 0 || y >= s->in_h || last < 0 || x >= s->in_w) {
                *to++ = l->zero;
            } else {
                const uint8_t *from = NULL;
                if (x >= 0 && last < s->in_w) from = l->image + (size_t)y * r->line + (size_t)x * r->pixel;
                if (from == NULL || r->each > (size_t)(l->end - from)) {
                    copy = nnrt__conv_place(l);
                    (void)nnrt__conv_take(l, i, j, span, copy);
                    from = copy;
                }
                *to++ = from;
            }
        }
    }
}

/* count addresses, `step` bytes apart, into every stride-th place of a list. Out of line, where all of it is in
   registers: inside its callers the loop had two spills for each address. */
NNRT__NOINLINE void nnrt__conv_list_column(const void **to, size_t stride, const uint8_t *from, size_t step,
                                           size_t count) {
    for (; count >= 2; count -= 2, to += 2 * stride, from += 2 * step) {
        to[0] = from;
        to[stride] = from + step;
    }
    if (count != 0) to[0] = from;
}

/* Pixels ox .. ox + count - 1 of one output row whose taps all lie inside the columns of the input; none of their
   pieces is near its end. Gathered: kernel rows, which have no gaps then, are copied in one piece each. */
NNRT__FN void nnrt__conv_list_inside(nnrt__conv_list *l, const uint8_t *image, int32_t top, size_t ox, size_t count,
                                     const void **to) {
    const nnrt__conv_ready *r = l->ready;
    const nnrt__geometry *g = r->geometry;
    const size_t left = ox * (size_t)g->stride_w - (size_t)g->pad_left, step = (size_t)g->stride_w * r->pixel;
    const size_t run = (size_t)g->kernel_w * r->pixel, each = r->each;
    const int32_t spans = r->gathered ? 0 : r->span == 1 ? g->kernel_w : 1;
    uint8_t *const first = l->copies + l->copied * each, *copy = first;
    int32_t i, j;
    size_t p;
    for (i = 0; i < g->kernel_h; i++, copy += run) {
        const int32_t y = top + i * g->dilation_h;
        const bool inside = y >= 0 && y < r->shape.in_h;
        const uint8_t *from = inside ? image + (size_t)y * r->line + left * r->pixel : l->zero;
        for (j = 0; j < spans; j++, to++)
            nnrt__conv_list_column(to, r->pieces, inside ? from + (size_t)(j * g->dilation_w) * r->pixel : from,
                                   inside ? step : 0, count);
        if (r->gathered && inside) nnrt__conv_copy_rows(copy, each, from, step, run, count);
        for (p = 0; r->gathered && !inside && p < count; p++) memset(copy + p * each, r->fill, run);
    }
    if (!r->gathered) return;
    nnrt__conv_list_column(to, 1, first, each, count);
    l->copied += count;
}

/* The window at hand, of one group, whose taps of a kernel row are neighbours: what lies inside is copied, all kernel
   rows in one go. It is for windows at a side, and for those near the end of the input: nothing is read but what they
   see. */
NNRT__FN void nnrt__conv_list_copied(nnrt__conv_list *l, const void **to) {
    const nnrt__conv_ready *r = l->ready;
    const nnrt__geometry *g = r->geometry;
    const int32_t top = l->top, left = l->left;
    const int32_t over = left + g->kernel_w - r->shape.in_w, before = left < 0 ? -left : 0;
    const int32_t taps = g->kernel_w - before - (over > 0 ? over : 0);
    const int32_t first = top < 0 ? (g->dilation_h - 1 - top) / g->dilation_h : 0;
    const size_t run = (size_t)g->kernel_w * r->pixel, each = r->each, step = r->gathered ? run : each;
    uint8_t *const copy = l->copies + l->copied * each;
    size_t rows = 0, all = r->gathered ? (size_t)g->kernel_h : 0;
    int32_t i;
    for (i = first; taps > 0 && i < g->kernel_h && top + i * g->dilation_h < r->shape.in_h; i++) rows++;
    if (!r->gathered) all = rows;
    if (taps < g->kernel_w || rows < all) memset(copy, r->fill, all * step);
    if (rows != 0)
        nnrt__conv_copy_rows(copy + (r->gathered ? (size_t)first * step : 0) + (size_t)before * r->pixel, step,
                             l->image + (size_t)(top + first * g->dilation_h) * r->line +
                                 (size_t)(left + before) * r->pixel,
                             (size_t)g->dilation_h * r->line, (size_t)taps * r->pixel, rows);
    l->copied += r->gathered ? 1 : rows;
    if (r->gathered) {
        *to = copy;
        return;
    }
    for (i = 0; i < g->kernel_h; i++)
        to[i] = i >= first && (size_t)(i - first) < rows ? copy + (size_t)(i - first) * each : l->zero;
}

/* Are there fewer than `reach` bytes of the input behind the lowest row that the windows with this upper edge read? */
NNRT__FN bool nnrt__conv_near_end(const nnrt__conv_list *l, const uint8_t *image, int32_t top, size_t reach) {
    const nnrt__conv_ready *r = l->ready;
    const int32_t height = r->shape.in_h, last = top + (r->geometry->kernel_h - 1) * r->geometry->dilation_h;
    const int32_t low = last < 0 ? 0 : last < height ? last : height - 1;
    const size_t left = (size_t)(l->end - image), read = (size_t)(low + 1) * r->line;
    return left < read + reach; /* with several groups `left` is up to a pixel short */
}

/* Lists pixels from `pixel` on, at most `most`, until the places for copies are used up. Returns how many: at least
   one. */
NNRT__FN size_t nnrt__conv_list_rows(nnrt__conv_list *l, size_t pixel, size_t most) {
    const nnrt__conv_ready *r = l->ready;
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__geometry *g = r->geometry;
    const size_t width = (size_t)s->out_w, rows = (size_t)s->row_count, each = r->gathered ? 1 : r->pieces;
    const bool runs = s->group == 1 && g->dilation_w == 1;
    const bool whole_rows = NNRT__FOR_SPEED && runs && (r->gathered || r->span == (size_t)g->kernel_w);
    const size_t reach = r->gathered ? 0 : (r->padded - r->piece) * r->element; /* bytes read behind a piece */
    const size_t whole = (size_t)s->in_h * r->line;
    size_t ox = pixel % width, oy = pixel / width % rows, done = 0;
    const uint8_t *image = l->in + pixel / width / rows * whole;
    l->copied = 0;
    while (done < most) {
        const int32_t top = (s->first_row + (int32_t)oy) * g->stride_h - g->pad_top;
        const void **to = l->list + done * r->pieces;
        size_t count = 1;
        if (NNRT__FOR_SPEED && ox >= r->left && ox < r->right && (runs || !r->gathered) &&
            (!r->gathered || r->right - ox >= (size_t)g->kernel_h) &&
            (reach == 0 || !nnrt__conv_near_end(l, image, top, reach))) {
            count = r->right - ox;
            if (count > most - done) count = most - done;
            if (r->gathered && count > r->copies - l->copied) count = r->copies - l->copied;
            if (count == 0) break;
            nnrt__conv_list_inside(l, image, top, ox, count, to);
        } else {
            if (r->copies != 0 && r->copies - l->copied < each) break; /* 0: none ever is */
            l->image = image;
            l->top = top;
            l->left = (int32_t)ox * g->stride_w - g->pad_left;
            if (whole_rows) nnrt__conv_list_copied(l, to);
            else nnrt__conv_list_any(l, to);
        }
        done += count;
        ox += count;
        if (ox == width) {
            ox = 0;
            if (++oy == rows) {
                oy = 0;
                image += whole;
            }
        }
    }
    return done;
}

/* The same where rows are the input itself. */
NNRT__FN size_t nnrt__conv_list_direct(nnrt__conv_list *l, size_t pixel, size_t most) {
    const nnrt__conv_ready *r = l->ready;
    const nnrt__conv_shape *s = &r->shape;
    const size_t step = (size_t)s->in_c * r->element;
    const uint8_t *from = l->in + ((size_t)s->first_row * (size_t)s->in_w + pixel) * step;
    size_t i;
    nnrt__conv_list_column(l->list, 1, from, step, most);
    i = most;
    /* rows from i on end before a kernel does: one is copied, the others come with the next calls */
    while (i > 0 && r->each > (size_t)(l->end - (const uint8_t *)l->list[i - 1])) i--;
    if (i == most || (i > 0 && i + 1 < most)) return i;
    memcpy(l->copies, l->list[i], r->piece * r->element);
    l->list[i] = l->copies;
    return i + 1;
}

/* Where the pixels of a ready lie in the output when they do not follow one another: those of one phase of a transposed
   convolution (cpu/steps_conv_transpose.h). In elements, all of it. */
typedef struct nnrt__conv_scatter {
    size_t origin;             /* of the first pixel */
    size_t pixel, line, image; /* from one to the next */
    size_t weights;            /* bytes of the constant in front of the phase's own */
} nnrt__conv_scatter;

/* One product: m rows listed at a times the channels [first, last) of a group. */
typedef struct nnrt__conv_piece {
    const void *const *a; /* [m][pieces] */
    size_t m;
    size_t pixel;         /* of the output, counted from that of its first image; scattered: of the ready */
    size_t out, c_stride; /* elements of the output: in front of the group's first channel, from row to row */
    size_t group, first, last;
    size_t tile;    /* of the group, that begins with first */
    size_t weights; /* bytes of the constant in front of those of the ready */
    void *scratch;  /* of the kernel */
} nnrt__conv_piece;

typedef void (*nnrt__conv_product)(const nnrt__step_view *view, const nnrt__step_call *call,
                                   const nnrt__conv_ready *ready, const nnrt__conv_piece *piece);

/* The product of `piece`, whose pixels lie where `to` says: a call for each of the rows that they lie in. */
NNRT__FN void nnrt__conv_scatter_block(const nnrt__step_view *view, const nnrt__step_call *call,
                                       const nnrt__conv_ready *r, const nnrt__conv_piece *piece,
                                       const nnrt__conv_scatter *to, nnrt__conv_product product) {
    const size_t width = (size_t)r->shape.out_w, height = (size_t)r->shape.out_h;
    nnrt__conv_piece part = *piece;
    size_t done;
    for (done = 0; done < piece->m; done += part.m) {
        const size_t pixel = piece->pixel + done, x = pixel % width, row = pixel / width;
        part.pixel = pixel;
        part.m = width - x < piece->m - done ? width - x : piece->m - done;
        part.a = piece->a + done * r->pieces;
        part.out =
            to->origin + row / height * to->image + row % height * to->line + x * to->pixel + piece->group * r->shape.n;
        product(view, call, r, &part);
    }
}

/* The channels of `piece` for the pixels [pixel, pixel + m). scatter: NULL: pixels follow one another. */
NNRT__FN void nnrt__conv_block(const nnrt__step_view *view, const nnrt__step_call *call, const nnrt__conv_ready *r,
                               nnrt__conv_piece *piece, size_t pixel, size_t m, const nnrt__conv_scatter *scatter,
                               nnrt__conv_product product) {
    const nnrt__conv_shape *s = &r->shape;
    const uint8_t *in = (const uint8_t *)call->data[0];
    nnrt__conv_list l;
    size_t done;
    l.ready = r;
    l.end = in + r->in_size;
    l.list = (const void **)call->scratch;
    l.zero = (const uint8_t *)call->scratch + r->zero_at;
    l.copies = (uint8_t *)call->scratch + r->copy_at;
    l.copied = 0;
    piece->a = l.list;
    for (piece->group = 0; piece->group < s->group; piece->group++) {
        l.in = in + piece->group * r->run;
        for (done = 0; done < m; done += piece->m) {
            piece->m = NNRT__FOR_SPEED && r->direct ? nnrt__conv_list_direct(&l, pixel + done, m - done)
                                                    : nnrt__conv_list_rows(&l, pixel + done, m - done);
            if (NNRT__HAVE_FLIPPED && r->flipped) /* gathered, so that all of it is copied */
                view->kernels->gemm_s8_flipped.flip(l.copies, (const int8_t *)l.copies, l.copied * r->padded);
            piece->pixel = (size_t)s->first_row * (size_t)s->out_w + pixel + done;
            if (scatter != NULL) {
                nnrt__conv_scatter_block(view, call, r, piece, scatter, product);
                continue;
            }
            piece->out = piece->pixel * piece->c_stride + piece->group * s->n;
            product(view, call, r, piece);
        }
    }
}

/* Leaves no address in the arena: a hostile plan may place a value where a step's list was, and outputs must not reveal
   where the process has its memory. */
NNRT__INLINE void nnrt__conv_forget_list(const nnrt__step_call *call, const nnrt__conv_ready *r) {
    memset(call->scratch, 0, r->zero_at);
}

/* Does the units of the call. Rows of a block are listed once for all its splits in the call. */
NNRT__FN void nnrt__conv_run(const nnrt__step_view *view, const nnrt__step_call *call, const nnrt__conv_ready *r,
                             const nnrt__conv_scatter *scatter, nnrt__conv_product product) {
    const nnrt__conv_shape *s = &r->shape;
    const size_t splits = NNRT__HAS_THREADS ? r->splits : 1;
    const bool backwards = nnrt__runs_backwards(view);
    nnrt__conv_piece piece;
    size_t unit = call->first;
    piece.weights = scatter != NULL ? scatter->weights : 0;
    piece.c_stride = scatter != NULL ? scatter->pixel : (size_t)s->out_c;
    piece.scratch = (uint8_t *)call->scratch + r->kernel_at;
    if (NNRT__FOR_SPEED && r->direct && r->splits == r->units && call->last - call->first == r->units) {
        /* all of it at once, as small models have it on one thread */
        piece.first = piece.tile = 0;
        piece.last = s->n;
        nnrt__conv_block(view, call, r, &piece, 0, s->pixels, scatter, product);
        nnrt__conv_forget_list(call, r);
        return;
    }
    if (!r->direct && !r->gathered) memset((uint8_t *)call->scratch + r->zero_at, r->fill, r->each);
    while (unit < call->last) {
        const size_t split = unit % splits, turn = unit / splits;
        const size_t pixel = (backwards ? r->units / splits - 1 - turn : turn) * r->block;
        size_t count = splits - split;
        if (count > call->last - unit) count = call->last - unit;
        piece.tile = r->tiles * split / splits;
        piece.first = piece.tile * r->tile;
        piece.last = r->tiles * (split + count) / splits * r->tile;
        if (piece.last > s->n) piece.last = s->n;
        nnrt__conv_block(view, call, r, &piece, pixel, s->pixels - pixel < r->block ? s->pixels - pixel : r->block,
                         scatter, product);
        unit += count;
    }
    nnrt__conv_forget_list(call, r);
}

/* count bytes to scratch, where there is room for 8. Up to 8 are stored as the word that a kernel loads next: a word of
   which a part was stored before it arrives later, as it has to wait for the cache. */
#if NNRT__FOR_SPEED && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
NNRT__CONV_FAST void nnrt__conv_copy_only_row(uint8_t *to, const void *from, size_t count) {
    if (count <= 8) {
        const uint64_t word = nnrt__load_up_to_8(from, count);
        memcpy(to, &word, sizeof word);
    } else {
        memcpy(to, from, count);
    }
}
#else
NNRT__FN void nnrt__conv_copy_only_row(uint8_t *to, const void *from, size_t count) { memcpy(to, from, count); }
#endif

/* A step of one row, as a full connection of a single input is, goes to its kernel with nothing between that could be
   known before: product is a constant at each place of use. False: it is no such step, or only some of it is wanted. */
NNRT__CONV_FAST bool nnrt__conv_one_row(const nnrt__step_view *view, const nnrt__step_call *call,
                                        const nnrt__conv_ready *r, nnrt__conv_product product) {
    const void *row = call->data[0];
    nnrt__conv_piece piece;
    if (!NNRT__FOR_SPEED || !r->one_row || call->last - call->first != r->units) return false;
    if (r->copies != 0) { /* the kernel would read behind it */
        uint8_t *copy = (uint8_t *)call->scratch + r->copy_at;
        nnrt__conv_copy_only_row(copy, row, r->piece * r->element);
        row = copy;
    }
    piece.a = &row;
    piece.m = 1;
    piece.pixel = piece.out = piece.group = piece.first = piece.tile = piece.weights = 0;
    piece.c_stride = (size_t)r->shape.out_c;
    piece.last = r->shape.n;
    piece.scratch = (uint8_t *)call->scratch + r->kernel_at;
    product(view, call, r, &piece);
    return true;
}

#endif /* NNRT_CPU_CONV_ROWS_H */
