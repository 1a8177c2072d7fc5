/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_groups.h - convolution in narrow groups by the depthwise kernels.   >>cpu_steps_conv_groups

   A group of a few channels leaves most of a GEMM's tile empty, and a depthwise convolution with a multiplier is one in
   groups of one input channel. Here every output channel is a channel of a depthwise convolution instead: rows of the
   input are spread in scratch, so that each output channel finds its input at the same index.

       input      a0 a1 | b0 b1            two groups of 2, each with 3 output channels
       plane 0    a0 a0 a0 | b0 b0 b0      the first input channel of each group
       plane 1    a1 a1 a1 | b1 b1 b1      the second

   A window of kernel_h rows is then kernel_h * (in_c / group) rows of planes, which the depthwise kernels multiply
   unchanged, without products from other groups. Each row is spread once for all output rows that use it; columns are
   processed in strips, so that the planes stay in the first-level cache.

   Operands   dw_groups_s8   input s8, packed tiles as INT32 | output s8
              dw_groups_f32  input f32, packed tiles as FLOAT32 | output f32
              dw_groups_s16  input s16, weights [taps][out_c] s8, channels | output s16
   Tiles are those of a depthwise convolution of out_c channels; taps are in the order of kernel rows, planes, kernel
   columns. The arguments are those of the convolution, span 0. */
#ifndef NNRT_CPU_STEPS_CONV_GROUPS_H
#define NNRT_CPU_STEPS_CONV_GROUPS_H

#include "../kernels/spread_scalar.h"
#include "steps_conv_s16.h"

/* Bytes of the planes of a strip; more when one pixel's window has more. */
#define NNRT__GROUPS_BYTES 32768u

typedef struct nnrt__groups_ready {
    nnrt__conv_shape shape; /* the first field: nnrt__conv_sizes */
    nnrt__dw_ready dw;      /* as callers of the kernels see it: out_c channels, all taps of all planes */
    nnrt__geometry geometry;
    size_t run;           /* channels of a group of the input: planes */
    size_t strip, strips; /* output columns of a strip, and how many strips */
    size_t columns;       /* input columns below a strip */
    size_t plane;         /* bytes of a plane of a row */
    size_t rows_of_at, tags_at, zero_at, band_at, scratch;
} nnrt__groups_ready;

/* ------------------------------------------------------------------------------------------------- checks */

/* Shape and arguments of any type; *taps: of all planes. */
NNRT__FN bool nnrt__groups_check(const nnrt__step_view *view, const nnrt__dw_traits *traits, nnrt__conv_shape *s) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    return args->columns == 0 && args->span == 0 && nnrt__conv_shape_of(view, s) && args->first_row == 0 &&
           args->row_count == s->out_h && s->group > 1 && nnrt__step_input(view, 0)->dtype == (uint32_t)traits->dtype &&
           nnrt__step_output(view, 0)->dtype == (uint32_t)traits->dtype;
}

/* int8 and float32. */
NNRT__FN bool nnrt__groups_packed_check(const nnrt__step_view *view, const nnrt__dw_traits *traits) {
    const nnrt__packing *packing;
    const char *isa;
    nnrt__conv_shape s;
    size_t size;
    return nnrt__dw_slot(view, traits, &packing, &isa) != NULL && nnrt__groups_check(view, traits, &s) &&
           nnrt__conv_range_check(nnrt__conv_args_of(view)) &&
           nnrt__packing_size(packing, (size_t)s.out_c, 1, s.k, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), traits->weights, size);
}

NNRT__FN bool nnrt__groups_wide_check(const nnrt__step_view *view, const nnrt__dw_traits *traits) {
    nnrt__conv_shape s;
    return nnrt__groups_check(view, traits, &s) && nnrt__conv_s16_operands(view, &s) &&
           nnrt__conv_s16_weights(view, &s);
}

/* -------------------------------------------------------------------------------------------------- ready */

/* Bytes of one plane of one input row for a strip of `strip` output columns. */
NNRT__FN uint64_t nnrt__groups_plane(const nnrt__groups_ready *r, size_t strip, size_t *columns) {
    const nnrt__geometry *g = &r->geometry;
    const uint64_t wide =
        (uint64_t)(strip - 1) * (uint64_t)g->stride_w + (uint64_t)(g->kernel_w - 1) * (uint64_t)g->dilation_w + 1;
    *columns = (size_t)wide;
    return (wide * (uint64_t)r->shape.out_c * r->dw.element + NNRT__SPREAD_SLACK + 63) & ~(uint64_t)63;
}

NNRT__FN void nnrt__groups_make_ready(const nnrt__step_view *view, const nnrt__dw_traits *traits,
                                      nnrt__groups_ready *r) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__packing *packing;
    const char *isa;
    size_t low = 1, high;
    uint64_t planes;
    memset(r, 0, sizeof(*r));
    (void)nnrt__conv_shape_take(view, &r->shape);
    r->geometry = *g;
    r->run = (size_t)s->in_c / s->group;
    r->dw.slot = nnrt__dw_slot(view, traits, &packing, &isa);
    r->dw.by_rows = traits->has_rows(r->dw.slot);
    r->dw.element = traits->element;
    r->dw.fill = traits->element == 1 ? args->input_zero_point : 0;
    r->dw.shape = *s;
    r->dw.shape.in_c = s->out_c;
    r->dw.shape.taps = s->k;
    r->dw.listed = s->k < NNRT__DW_ADDRESSES ? NNRT__DW_ADDRESSES / s->k : 1;
    /* the most columns whose planes, zero points included, fit */
    planes = (uint64_t)g->kernel_h * r->run + 1;
    high = (size_t)s->out_w;
    while (low < high) {
        const size_t middle = high - (high - low) / 2;
        if (nnrt__groups_plane(r, middle, &r->columns) > NNRT__GROUPS_BYTES / planes) high = middle - 1;
        else low = middle;
    }
    r->strip = low;
    r->strips = ((size_t)s->out_w + low - 1) / low;
    r->plane = (size_t)nnrt__groups_plane(r, low, &r->columns);
    /* lists as well, so that scratch is the same for every kernel of a packing */
    r->rows_of_at = (r->dw.listed * s->k * 8 + 63) & ~(size_t)63;
    r->dw.rows_at = r->rows_of_at;
    r->tags_at = r->rows_of_at + (((size_t)g->kernel_h * r->run * 8 + 63) & ~(size_t)63);
    r->zero_at = r->tags_at + (((size_t)g->kernel_h * 4 + 63) & ~(size_t)63);
    r->band_at = r->zero_at + r->plane;
    r->scratch = r->band_at + (size_t)(planes - 1) * r->plane;
}

/* Scratch of a step; false: the window (of a hostile plan) is so large that the size of one pixel's planes overflows.
   */
NNRT__FN bool nnrt__groups_scratch_of(const nnrt__step_view *view, const nnrt__dw_traits *traits, size_t *bytes) {
    nnrt__groups_ready r;
    size_t columns;
    nnrt__groups_make_ready(view, traits, &r);
    *bytes = r.scratch;
    return nnrt__groups_plane(&r, r.strip, &columns) <=
           SIZE_MAX / 4 / ((uint64_t)r.geometry.kernel_h * r.run + 1); /* a quarter: the lists need room, too */
}

/* ------------------------------------------------------------------------------------------------ one row */

/* Spreads the columns [x, x + columns) of the input row at `row` into planes of `band` bytes; columns outside the input
   get the padding byte. */
NNRT__FN void nnrt__groups_take(const nnrt__step_view *view, const nnrt__groups_ready *r, const uint8_t *row, int64_t x,
                                uint8_t *band) {
    const nnrt__conv_shape *s = &r->shape;
    const size_t pixel = (size_t)s->out_c * r->dw.element;
    const size_t before = x >= 0 ? 0 : (uint64_t)-x < r->columns ? (size_t)-x : r->columns;
    const int64_t left = (int64_t)s->in_w - x; /* columns from x to the end of the row */
    const size_t end = left < (int64_t)r->columns ? (left > (int64_t)before ? (size_t)left : before) : r->columns;
    nnrt__spread_args spread;
    size_t plane;
    spread.count = (end - before) * s->group; /* the groups of one pixel follow those of another */
    spread.step = r->run;
    spread.copies = s->n;
    spread.element = r->dw.element;
    for (plane = 0; plane < r->run; plane++, band += r->plane) {
        memset(band, r->dw.fill, before * pixel);
        if (end > before) {
            spread.from = row + ((size_t)(x + (int64_t)before) * (size_t)s->in_c + plane) * r->dw.element;
            spread.to = band + before * pixel;
            view->kernels->spread(&spread);
        }
        memset(band + end * pixel, r->dw.fill, (r->columns - end) * pixel);
    }
}

/* Lists the rows of planes for output row `row`, counted over all images, from column x on. Rows not yet in the band
   are spread over rows that are no longer needed: kernel rows are dilation_h apart, so any kernel_h of them have
   different places. */
NNRT__FN void nnrt__groups_list(const nnrt__step_view *view, const nnrt__groups_ready *r, const uint8_t *in, size_t row,
                                int64_t x, uint8_t *scratch) {
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__geometry *g = &r->geometry;
    const size_t batch = row / (size_t)s->out_h, line = (size_t)s->in_w * (size_t)s->in_c * r->dw.element;
    const int64_t top = (int64_t)(row % (size_t)s->out_h) * g->stride_h - g->pad_top;
    const void **rows = (const void **)(void *)(scratch + r->rows_of_at);
    int32_t *tags = (int32_t *)(void *)(scratch + r->tags_at);
    size_t plane;
    int32_t i;
    for (i = 0; i < g->kernel_h; i++) {
        const int64_t y = top + (int64_t)i * g->dilation_h;
        const bool inside = y >= 0 && y < s->in_h;
        const int32_t place = inside ? (int32_t)(y / g->dilation_h % g->kernel_h) : 0;
        const int32_t tag = inside ? (int32_t)(batch * (size_t)s->in_h + (size_t)y) : 0;
        uint8_t *band = scratch + r->band_at + (size_t)place * r->run * r->plane;
        if (inside && tags[place] != tag) nnrt__groups_take(view, r, in + (size_t)tag * line, x, band);
        if (inside) tags[place] = tag;
        for (plane = 0; plane < r->run; plane++, band += r->plane) *rows++ = inside ? band : scratch + r->zero_at;
    }
}

/* ------------------------------------------------------------------------------------------------ the run */

/* The pixels of `part` by lists of their taps, for kernels that take no rows. */
NNRT__FN void nnrt__groups_by_lists(nnrt__dw_part *part, const nnrt__groups_ready *r, nnrt__dw_kernel listed) {
    const nnrt__geometry *g = &r->geometry;
    const size_t pixel = (size_t)r->shape.out_c * r->dw.element, rows_count = (size_t)g->kernel_h * r->run;
    const uint8_t *const *rows = (const uint8_t *const *)(void *)(part->scratch + r->rows_of_at);
    const size_t first = part->ox, all = part->count;
    size_t done, p, i;
    int32_t j;
    for (done = 0; done < all; done += part->count) {
        const void **taps = (const void **)(void *)part->scratch;
        part->ox = first + done;
        part->count = all - done < r->dw.listed ? all - done : r->dw.listed;
        for (p = done; p < done + part->count; p++)
            for (i = 0; i < rows_count; i++)
                for (j = 0; j < g->kernel_w; j++)
                    *taps++ = rows[i] + (p * (size_t)g->stride_w + (size_t)j * (size_t)g->dilation_w) * pixel;
        listed(part);
    }
}

/* Does the units of the call: all output rows of one strip, then of the next. */
NNRT__FN void nnrt__groups_run(const nnrt__step_view *view, const nnrt__step_call *call, const nnrt__groups_ready *r,
                               nnrt__dw_kernel listed, nnrt__dw_kernel by_rows) {
    const nnrt__conv_shape *s = &r->shape;
    const size_t rows = (size_t)s->batches * (size_t)s->out_h, width = (size_t)s->out_w;
    uint8_t *scratch = (uint8_t *)call->scratch;
    nnrt__conv_args args = *nnrt__conv_args_of(view);
    nnrt__dw_part part;
    size_t unit, strip = SIZE_MAX;
    args.geometry.kernel_h *= (int32_t)r->run; /* planes are rows to the kernels */
    memset(&part, 0, sizeof(part));
    part.view = view;
    part.call = call;
    part.ready = &r->dw;
    part.args = &args;
    part.weights = call->data[1];
    part.scratch = scratch;
    part.out_stride = (size_t)s->out_c;
    memset(scratch + r->zero_at, r->dw.fill, r->plane);
    for (unit = call->first; unit < call->last; unit++) {
        const size_t row = unit % rows;
        if (unit / rows != strip) memset(scratch + r->tags_at, 0xff, (size_t)r->geometry.kernel_h * 4);
        strip = unit / rows;
        part.ox = strip * r->strip;
        part.count = width - part.ox < r->strip ? width - part.ox : r->strip;
        part.out = (uint8_t *)call->data[view->input_count] + row * width * (size_t)s->out_c * r->dw.element;
        nnrt__groups_list(view, r, (const uint8_t *)call->data[0], row,
                          (int64_t)part.ox * r->geometry.stride_w - r->geometry.pad_left, scratch);
        if (r->dw.by_rows) by_rows(&part);
        else nnrt__groups_by_lists(&part, r, listed);
    }
    memset(scratch, 0, r->tags_at); /* no address stays in the arena: nnrt__conv_forget_list */
}

/* clang-format off */
#define NNRT__GROUPS_STEP(type, inputs, check_of, by_rows)                                                 \
    NNRT__FN bool nnrt__dw_groups_##type##_check(const nnrt__step_view *view) {                                    \
        size_t bytes;                                                                                              \
        return check_of(view, &nnrt__dw_traits_##type) &&                                                          \
               nnrt__groups_scratch_of(view, &nnrt__dw_traits_##type, &bytes);                                     \
    }                                                                                                              \
    NNRT__FN bool nnrt__dw_groups_##type##_scratch(const nnrt__step_view *view, size_t *bytes) {                   \
        return nnrt__groups_scratch_of(view, &nnrt__dw_traits_##type, bytes);                                      \
    }                                                                                                              \
    NNRT__FN uint32_t nnrt__dw_groups_##type##_units(const nnrt__step_view *view) {                                \
        nnrt__groups_ready ready;                                                                                  \
        nnrt__groups_make_ready(view, &nnrt__dw_traits_##type, &ready);                                            \
        return (uint32_t)((size_t)ready.shape.batches * (size_t)ready.shape.out_h * ready.strips);                 \
    }                                                                                                              \
    NNRT__FN OH_NN_ReturnCode nnrt__dw_groups_##type##_run(const nnrt__step_view *view,                            \
                                                           const nnrt__step_call *call) {                          \
        NNRT_ASSERT(nnrt__call_is_right(view, call));                                                              \
        nnrt__groups_run(view, call, (const nnrt__groups_ready *)view->ready, nnrt__dw_##type##_listed, by_rows);  \
        return OH_NN_SUCCESS;                                                                                      \
    }                                                                                                              \
    NNRT__FN void nnrt__dw_groups_##type##_prepare(const nnrt__step_view *view, void *ready) {                     \
        nnrt__groups_make_ready(view, &nnrt__dw_traits_##type, (nnrt__groups_ready *)ready);                       \
    }                                                                                                              \
    NNRT__STEP_KIND(dw_groups_##type, INPUTS(inputs, inputs), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args),           \
                    CHECK(nnrt__dw_groups_##type##_check), SCRATCH(nnrt__dw_groups_##type##_scratch),               \
                    UNITS(nnrt__dw_groups_##type##_units), ISA(nnrt__dw_##type##_isa),                              \
                    RUN(nnrt__dw_groups_##type##_run), WORK(nnrt__conv_work),                                       \
                    READY(nnrt__groups_ready, nnrt__dw_groups_##type##_prepare))
/* clang-format on */

NNRT__GROUPS_STEP(s8, 2, nnrt__groups_packed_check, nnrt__dw_s8_by_rows)
NNRT__GROUPS_STEP(f32, 2, nnrt__groups_packed_check, nnrt__dw_f32_by_rows)
NNRT__GROUPS_STEP(s16, 3, nnrt__groups_wide_check, nnrt__dw_s16_listed)

#endif /* NNRT_CPU_STEPS_CONV_GROUPS_H */
