/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/conv_bands.h - convolutions of several taps, by bands of their input.   >>cpu_conv_bands

   The input rows under some whole rows of the output are copied with their padding at both sides: a band. Every window
   then lies in it, at the same places for each block, so that rows are listed once in a run, and none at a side is
   copied for itself. Rows that are gathered are gathered from there, without a look at sides.

   A kernel for unsigned by signed products needs A plus 128 (a_offset of its packing). Where it takes such rows
   (nnrt__gemm_s8_flipped), a band is flipped while it is copied, once for all windows.

   What is in scratch, which is what such a step has without bands: the list | the lines of a band, one after another,
   and what kernels read behind them | gathered rows | the kernel's. A plan knows nothing of bands. */
#ifndef NNRT_CPU_CONV_BANDS_H
#define NNRT_CPU_CONV_BANDS_H

#include "conv_rows.h"

/* A band and its lines. */
typedef struct nnrt__conv_band {
    size_t rows, lines;    /* of the output, and of the input under them */
    size_t line;           /* bytes, as the next two */
    size_t before, inside; /* padding, what lies in the input; behind them is padding, too */
} nnrt__conv_band;

NNRT__FN nnrt__conv_band nnrt__conv_band_of(const nnrt__conv_ready *r, size_t rows) {
    const nnrt__geometry *g = r->geometry;
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

/* Bytes behind the lines that a kernel reads: the end of a piece that is rounded up to kr. */
NNRT__INLINE size_t nnrt__conv_band_end(const nnrt__conv_ready *r) {
    return r->gathered ? 0 : (r->padded - r->piece) * r->element;
}

/* May a step be run by bands? Its rows are kernel rows, and windows have sides that would be copied one by one, or
   what is copied is wanted flipped. */
NNRT__FN bool nnrt__conv_may_be_banded(const nnrt__step_view *view, const nnrt__conv_ready *r, bool flipped) {
    const nnrt__geometry *g = r->geometry;
    const nnrt__conv_shape *s = &r->shape;
    return s->taps != 1 && (r->gathered || r->span == (size_t)g->kernel_w) && g->dilation_h == 1 &&
           g->dilation_w == 1 && s->group == 1 && s->batches == 1 && g->pad_left >= 0 && view->step->turns == 0 &&
           (flipped || r->left > 0 || r->right < (size_t)s->out_w);
}

/* Has a ready of packed weights run by bands where that is faster and where there is room for one in the scratch that
   the step has, with blocks of whole rows. Where a kernel takes flipped rows, gathered ones are flipped without a band,
   too. */
NNRT__FN void nnrt__conv_choose_bands(const nnrt__step_view *view, const nnrt__packing *packing, nnrt__conv_ready *r) {
    const nnrt__geometry *g = r->geometry;
    const nnrt__conv_shape *s = &r->shape;
    const bool flipped = NNRT__HAVE_FLIPPED && view->kernels->gemm_s8_flipped.packing == packing;
    const size_t room = flipped ? r->scratch : r->kernel_at, limit = nnrt__conv_args_of(view)->block;
    const size_t most = r->gathered ? r->block : NNRT__CONV_ADDRESSES / r->pieces;
    size_t rows = (limit != 0 && limit < most ? limit : most) / (size_t)s->out_w, lines;
    r->flipped = flipped && r->gathered;
    if (!nnrt__conv_may_be_banded(view, r, flipped)) return;
    if ((size_t)(s->out_w - 1) * (size_t)g->stride_w + (size_t)g->kernel_w > room / r->pixel) return;
    if (rows > (size_t)s->row_count) rows = (size_t)s->row_count;
    for (; rows > 0; rows--) {
        const nnrt__conv_band band = nnrt__conv_band_of(r, rows);
        const size_t pixels = rows * (size_t)s->out_w, list = (pixels * r->pieces * 8 + 63) & ~(size_t)63;
        const size_t copies = r->gathered ? pixels * r->each : 0;
        const size_t missing = (packing->mr - pixels % packing->mr) % packing->mr;
        if (!flipped && 10 * missing > pixels) continue; /* the kernel loses more than is won */
        if (!nnrt__mul_size(band.lines, band.line, &lines) || lines > room) continue;
        lines = (lines + nnrt__conv_band_end(r) + 63) & ~(size_t)63;
        if (list + lines + copies > room) continue;
        r->banded = true;
        r->flipped = flipped;
        r->block = pixels;
        r->zero_at = list;
        r->copy_at = list + lines;
        nnrt__conv_split(r);
        return;
    }
}

/* The first `lines` lines of the band whose upper edge is row `top` of the image. Their padding is there already. */
NNRT__FN void nnrt__conv_take_band(const nnrt__step_view *view, const nnrt__conv_ready *r, const nnrt__conv_band *band,
                                   const uint8_t *image, int32_t top, size_t lines, int fill, uint8_t *to) {
    for (to += band->before; lines > 0; lines--, top++, to += band->line) {
        if (top < 0 || top >= r->shape.in_h) memset(to, fill, band->inside);
        else if (NNRT__HAVE_FLIPPED && r->flipped)
            view->kernels->gemm_s8_flipped.flip(to, (const int8_t *)image + (size_t)top * r->line, band->inside);
        else memcpy(to, image + (size_t)top * r->line, band->inside);
    }
}

/* Lists the rows of a band: they are the same for each of its places in the input. */
NNRT__FN void nnrt__conv_list_band(const nnrt__conv_ready *r, const nnrt__conv_band *band, const void **list,
                                   const uint8_t *lines, const uint8_t *copies) {
    const nnrt__geometry *g = r->geometry;
    const size_t width = (size_t)r->shape.out_w;
    size_t oy, i;
    if (r->gathered) {
        nnrt__conv_list_column(list, 1, copies, r->each, r->block);
        return;
    }
    for (oy = 0; oy < band->rows; oy++)
        for (i = 0; i < r->pieces; i++)
            nnrt__conv_list_column(list + oy * width * r->pieces + i, r->pieces,
                                   lines + (oy * (size_t)g->stride_h + i) * band->line, (size_t)g->stride_w * r->pixel,
                                   width);
}

/* Gathers the windows of one row of the output, whose first line is at `from`: in the fewer runs. */
NNRT__FN void nnrt__conv_gather_band(const nnrt__conv_ready *r, const nnrt__conv_band *band, const uint8_t *from,
                                     uint8_t *to) {
    const nnrt__geometry *g = r->geometry;
    const size_t width = (size_t)r->shape.out_w, each = r->each, step = (size_t)g->stride_w * r->pixel;
    const size_t run = (size_t)g->kernel_w * r->pixel, height = (size_t)g->kernel_h;
    size_t i;
    for (i = 0; width >= height && i < height; i++)
        nnrt__conv_copy_rows(to + i * run, each, from + i * band->line, step, run, width);
    for (i = 0; width < height && i < width; i++)
        nnrt__conv_copy_rows(to + i * each, run, from + i * step, band->line, run, height);
}

/* nnrt__conv_run by bands. Not inlined: in a program whose only convolution this is, gcc 12 takes it into its caller
   before it sees which product that passes, and then cannot inline the product, which always is. */
NNRT__NOINLINE void nnrt__conv_run_bands(const nnrt__step_view *view, const nnrt__step_call *call,
                                         const nnrt__conv_ready *r, nnrt__conv_product product) {
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__geometry *g = r->geometry;
    const size_t width = (size_t)s->out_w, height = (size_t)s->row_count;
    const nnrt__conv_band band = nnrt__conv_band_of(r, r->block / width);
    const void **list = (const void **)call->scratch;
    uint8_t *lines = (uint8_t *)call->scratch + r->zero_at;
    const int fill = r->flipped ? (uint8_t)(r->fill + view->kernels->gemm_s8_flipped.packing->a_offset) : r->fill;
    nnrt__conv_piece piece;
    uint8_t *copies = (uint8_t *)call->scratch + r->copy_at;
    const bool backwards = nnrt__runs_backwards(view);
    size_t unit = call->first, i;
    memset(lines, fill, band.lines * band.line + nnrt__conv_band_end(r));
    nnrt__conv_list_band(r, &band, list, lines, copies);
    piece.a = list;
    piece.group = piece.weights = 0;
    piece.c_stride = (size_t)s->out_c;
    piece.scratch = (uint8_t *)call->scratch + r->kernel_at;
    while (unit < call->last) {
        const size_t split = unit % r->splits, turn = unit / r->splits;
        const size_t rest = height - (backwards ? r->units / r->splits - 1 - turn : turn) * band.rows;
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
        for (i = 0; r->gathered && i < rows; i++)
            nnrt__conv_gather_band(r, &band, lines + i * (size_t)g->stride_h * band.line, copies + i * width * r->each);
        product(view, call, r, &piece);
        unit += count;
    }
    nnrt__conv_forget_list(call, r);
}

#endif /* NNRT_CPU_CONV_BANDS_H */
