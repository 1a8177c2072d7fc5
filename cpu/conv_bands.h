/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/conv_bands.h - convolutions of several taps whose kernel takes flipped rows.   >>cpu_conv_bands

   A kernel for unsigned by signed products needs A plus 128 (a_offset of its packing). Where it takes such rows
   (nnrt__gemm_s8_flipped), the input rows under some whole rows of the output are copied so, once for all windows, with
   their padding at both sides: a band. Every window then lies in it, at the same places for each block, so that rows
   are listed once in a run, and none is copied for itself. Rows that are gathered are flipped once they are.

   What is in scratch, which is what such a step has without bands: the list | the lines of a band, one after another.
   A plan knows nothing of bands. */
#ifndef NNRT_CPU_CONV_BANDS_H
#define NNRT_CPU_CONV_BANDS_H

#include "conv_rows.h"

/* A band and its lines. Bytes; an element is one. */
typedef struct nnrt__conv_band {
    size_t rows, lines; /* of the output, and of the input under them */
    size_t line;
    size_t before, inside; /* padding, what lies in the input; behind them is padding, too */
} nnrt__conv_band;

NNRT__FN nnrt__conv_band nnrt__conv_band_of(const nnrt__conv_ready *r, size_t rows) {
    const nnrt__geometry *g = &r->geometry;
    const size_t width = (size_t)(r->shape.out_w - 1) * (size_t)g->stride_w + (size_t)g->kernel_w;
    const size_t before = (size_t)g->pad_left < width ? (size_t)g->pad_left : width, rest = width - before;
    const size_t inside = (size_t)r->shape.in_w < rest ? (size_t)r->shape.in_w : rest;
    nnrt__conv_band band;
    band.rows = rows;
    band.lines = (rows - 1) * (size_t)g->stride_h + (size_t)g->kernel_h;
    band.line = width * r->pixel;
    band.before = before * r->pixel;
    band.inside = inside * r->pixel;
    return band;
}

/* Whether a step that may be flipped is run by bands: others gather their rows, which are flipped where they are. */
NNRT__INLINE bool nnrt__conv_banded(const nnrt__conv_ready *r) { return r->flipped && !r->gathered; }

/* Has the rows of a ready flipped, where the kernel takes that: gathered ones, or bands if there is room for some in
   the scratch that the step has, with blocks of whole rows. */
NNRT__FN void nnrt__conv_choose_flipped(const nnrt__step_view *view, const nnrt__packing *packing,
                                        nnrt__conv_ready *r) {
    const nnrt__geometry *g = &r->geometry;
    const nnrt__conv_shape *s = &r->shape;
    size_t rows = NNRT__CONV_ADDRESSES / r->pieces / (size_t)s->out_w, list, lines;
    if (packing == NULL || view->kernels->gemm_s8_flipped.packing != packing) return;
    r->flipped = r->gathered;
    if (r->gathered || s->taps == 1 || r->span != (size_t)g->kernel_w || g->dilation_h != 1 || g->dilation_w != 1 ||
        s->group != 1 || s->batches != 1 || g->pad_left < 0 || r->piece != r->padded || view->step->turns != 0)
        return;
    if ((size_t)(s->out_w - 1) * (size_t)g->stride_w + (size_t)g->kernel_w > r->scratch / r->pixel) return;
    if (rows > (size_t)s->row_count) rows = (size_t)s->row_count;
    for (; rows > 0; rows--) {
        const nnrt__conv_band band = nnrt__conv_band_of(r, rows);
        list = (rows * (size_t)s->out_w * r->pieces * 8 + 63) & ~(size_t)63;
        if (list <= r->scratch && nnrt__mul_size(band.lines, band.line, &lines) && lines <= r->scratch - list) break;
    }
    if (rows == 0) return;
    r->flipped = true;
    r->block = rows * (size_t)s->out_w;
    r->zero_at = r->copy_at = list;
    nnrt__conv_split(r);
}

/* The first `lines` lines of the band whose upper edge is row `top` of the image. Their padding is there already. */
NNRT__FN void nnrt__conv_take_band(const nnrt__step_view *view, const nnrt__conv_ready *r, const nnrt__conv_band *band,
                                   const uint8_t *image, int32_t top, size_t lines, int fill, uint8_t *to) {
    for (to += band->before; lines > 0; lines--, top++, to += band->line) {
        if (top < 0 || top >= r->shape.in_h) memset(to, fill, band->inside);
        else view->kernels->gemm_s8_flipped.flip(to, (const int8_t *)image + (size_t)top * r->line, band->inside);
    }
}

/* nnrt__conv_run by bands. Not inlined: in a program whose only convolution this is, gcc 12 takes it into its caller
   before it sees which product that passes, and then cannot inline the product, which always is. */
NNRT__NOINLINE void nnrt__conv_run_bands(const nnrt__step_view *view, const nnrt__step_call *call,
                                         const nnrt__conv_ready *r, nnrt__conv_product product) {
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__geometry *g = &r->geometry;
    const size_t width = (size_t)s->out_w, height = (size_t)s->row_count;
    const nnrt__conv_band band = nnrt__conv_band_of(r, r->block / width);
    const void **list = (const void **)call->scratch;
    uint8_t *lines = (uint8_t *)call->scratch + r->zero_at;
    const int fill = (uint8_t)(r->fill + view->kernels->gemm_s8_flipped.packing->a_offset);
    nnrt__conv_piece piece;
    size_t unit = call->first, oy, i;
    memset(lines, fill, band.lines * band.line);
    for (oy = 0; oy < band.rows; oy++)
        for (i = 0; i < r->pieces; i++)
            nnrt__conv_list_column(list + oy * width * r->pieces + i, r->pieces,
                                   lines + (oy * (size_t)g->stride_h + i) * band.line, (size_t)g->stride_w * r->pixel,
                                   width);
    piece.a = list;
    piece.group = 0;
    piece.scatter = NULL;
    piece.c_stride = (size_t)s->out_c;
    piece.scratch = NULL;
    while (unit < call->last) {
        const size_t split = unit % r->splits, rest = height - unit / r->splits * band.rows;
        const size_t rows = rest < band.rows ? rest : band.rows;
        const int32_t first = s->first_row + (int32_t)(height - rest);
        size_t count = r->splits - split;
        if (count > call->last - unit) count = call->last - unit;
        piece.tile = r->tiles * split / r->splits;
        piece.first = piece.tile * r->tile;
        piece.last = r->tiles * (split + count) / r->splits * r->tile;
        if (piece.last > s->n) piece.last = s->n;
        piece.m = rows * width;
        piece.pixel = (size_t)first * width;
        piece.out = piece.pixel * piece.c_stride;
        nnrt__conv_take_band(view, r, &band, (const uint8_t *)call->data[0], first * g->stride_h - g->pad_top,
                             (rows - 1) * (size_t)g->stride_h + (size_t)g->kernel_h, fill, lines);
        product(view, call, r, &piece);
        unit += count;
    }
    nnrt__conv_forget_list(call, r);
}

#endif /* NNRT_CPU_CONV_BANDS_H */
