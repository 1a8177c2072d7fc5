/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_transpose.h - transposed convolution: a convolution for each phase.   >>cpu_steps_conv_transpose

   Input row y and tap i add to output row y * stride_h - pad_top + i * dilation_h. Output rows that are stride_h apart
   use the same taps: they form a phase, and so do columns. The pixels of one phase of rows and one of columns are an
   ordinary convolution of the input, with stride 1 and the taps of both phases reversed. Its GEMM writes them in place,
   stride_w pixels apart: no zeros inserted by the stride are multiplied, and nothing is copied.

       stride 2, 3 taps     output  0 1 2 3 4 5      phase 0  taps 2, 0
                            taps    0 1 0 1 0 1      phase 1  tap 1
                                    2   2   2

   A phase without taps, possible if the stride is larger than the kernel, is bias alone.

   Operands   conv_transpose_s8   input s8, packed tiles as INT32 | output s8
              conv_transpose_f32  input f32, packed tiles as FLOAT32 | output f32
              conv_transpose_s16  input s16, rows [out_c][k of the phase] s8, channels | output s16
   Tiles (rows) of the phases of columns follow one another for each phase of rows, those of the groups inside a phase;
   where there are phases without taps, behind all of them those of one tap of zeros. Phases are in the order of their
   first taps. nnrt__conv_span decides how a phase is cut into pieces: a change there changes the layout.

   With span 0 the weights are as the model has them, [out_c][taps][in_c / group], and channels, or bias [out_c] f32,
   are the third input: INT32 [3][out_c], bias, multiplier, shift; of s16 as in cpu/steps_conv_s16.h. That is for
   weights left in place (OH_NN_PERFORMANCE_LOW): one plain loop, which also defines the result of the others. */
#ifndef NNRT_CPU_STEPS_CONV_TRANSPOSE_H
#define NNRT_CPU_STEPS_CONV_TRANSPOSE_H

#include "steps_conv_s16.h"

/* args.span of a transposed convolution. */
#define NNRT__TRANSPOSE_PLAIN 0u
#define NNRT__TRANSPOSE_PHASES 1u

/* ------------------------------------------------------------------------------------------------- phases */

/* The phases of one side: rows or columns. */
typedef struct nnrt__phases {
    int32_t kernel, stride, dilation, pad; /* of the scatter */
    int32_t out;                           /* positions of the output */
    int32_t common;                        /* greatest common divisor of dilation and stride */
    int32_t period;                        /* stride / common: distance between the taps of a phase */
    int32_t count;                         /* phases with taps: one begins at each tap of a period */
    int32_t inverse;                       /* dilation / common * inverse is 1 modulo the period */
} nnrt__phases;

/* One of them, as a convolution of stride 1. */
typedef struct nnrt__phase {
    int32_t first, outputs; /* positions first, first + stride ... */
    int32_t taps, dilation, pad;
} nnrt__phase;

/* value modulo m, 0 at least. */
NNRT__INLINE int32_t nnrt__modulo(int64_t value, int32_t m) {
    const int64_t rest = value % m;
    return (int32_t)(rest < 0 ? rest + m : rest);
}

/* The inverse of `value` modulo m, which is coprime to it; 0 if m is 1. */
NNRT__FN int32_t nnrt__inverse_modulo(int32_t value, int32_t m) {
    int32_t a = value % m, b = m;
    int64_t x = 1, y = 0; /* a is value * x, b is value * y, modulo m */
    while (a > 1) {
        const int32_t quotient = b / a, rest = b % a;
        const int64_t next = y - quotient * x;
        b = a;
        a = rest;
        y = x;
        x = next;
    }
    return nnrt__modulo(x, m);
}

NNRT__FN int32_t nnrt__common_divisor(int32_t a, int32_t b) {
    while (b != 0) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

NNRT__FN nnrt__phases nnrt__phases_of(int32_t kernel, int32_t stride, int32_t dilation, int32_t pad, int32_t out) {
    nnrt__phases p;
    p.kernel = kernel;
    p.stride = stride;
    p.dilation = dilation;
    p.pad = pad;
    p.out = out;
    p.common = nnrt__common_divisor(dilation, stride);
    p.period = stride / p.common;
    p.count = kernel < p.period ? kernel : p.period;
    p.inverse = nnrt__inverse_modulo(dilation / p.common, p.period);
    return p;
}

/* The phase whose first tap is `tap`, which is below count. */
NNRT__FN nnrt__phase nnrt__phase_at(const nnrt__phases *p, int32_t tap) {
    const int64_t at = (int64_t)tap * p->dilation - p->pad; /* the output position of this tap for input 0 */
    nnrt__phase phase;
    int32_t reach;
    NNRT_ASSERT(tap >= 0 && tap < p->count);
    phase.first = nnrt__modulo(at, p->stride);
    phase.outputs = phase.first < p->out ? (p->out - 1 - phase.first) / p->stride + 1 : 0;
    phase.taps = (p->kernel - 1 - tap) / p->period + 1;
    phase.dilation = p->dilation / p->common;
    reach = (phase.taps - 1) * phase.dilation; /* of the last tap, which comes first in the input */
    phase.pad = (int32_t)(reach - (phase.first - at) / p->stride);
    return phase;
}

/* Does output position o use any tap? */
NNRT__FN bool nnrt__phase_has_taps(const nnrt__phases *p, int32_t o) {
    const int32_t at = nnrt__modulo((int64_t)o + p->pad, p->stride);
    return at % p->common == 0 && nnrt__modulo((int64_t)(at / p->common) * p->inverse, p->period) < p->count;
}

/* Rows and columns, and whatever else the layout of the weights depends on. */
typedef struct nnrt__phase_grid {
    nnrt__phases rows, columns;
    const nnrt__packing *packing; /* NULL: rows of weights */
    size_t run, group, n;         /* channels of a group: of the input, groups, of the output */
} nnrt__phase_grid;

NNRT__FN void nnrt__phase_grid_sides(nnrt__phase_grid *grid, const nnrt__geometry *g, int32_t out_h, int32_t out_w) {
    grid->rows = nnrt__phases_of(g->kernel_h, g->stride_h, g->dilation_h, g->pad_top, out_h);
    grid->columns = nnrt__phases_of(g->kernel_w, g->stride_w, g->dilation_w, g->pad_left, out_w);
}

/* Is there a phase without taps? */
NNRT__INLINE bool nnrt__phase_grid_has_gaps(const nnrt__phase_grid *grid) {
    return grid->rows.count < grid->rows.stride || grid->columns.count < grid->columns.stride;
}

NNRT__INLINE size_t nnrt__phase_grid_count(const nnrt__phase_grid *grid) {
    return (size_t)grid->rows.count * (size_t)grid->columns.count;
}

/* Phase i of the grid as a convolution. i = nnrt__phase_grid_count: the tap of zeros, outside every input. */
NNRT__FN void nnrt__phase_grid_at(const nnrt__phase_grid *grid, size_t i, nnrt__phase *rows, nnrt__phase *columns,
                                  nnrt__geometry *g) {
    const size_t columns_count = (size_t)grid->columns.count;
    if (i == nnrt__phase_grid_count(grid)) {
        rows->first = 0;
        rows->outputs = rows->taps = rows->dilation = rows->pad = 1;
        *columns = *rows;
    } else {
        *rows = nnrt__phase_at(&grid->rows, (int32_t)(i / columns_count));
        *columns = nnrt__phase_at(&grid->columns, (int32_t)(i % columns_count));
    }
    g->kernel_h = rows->taps;
    g->kernel_w = columns->taps;
    g->stride_h = g->stride_w = 1;
    g->dilation_h = rows->dilation;
    g->dilation_w = columns->dilation;
    g->pad_top = rows->pad;
    g->pad_left = columns->pad;
}

/* Taps of a piece of its rows. */
NNRT__FN uint32_t nnrt__phase_span(const nnrt__phase_grid *grid, const nnrt__geometry *g) {
    return grid->packing != NULL
               ? nnrt__conv_span(g, grid->run, (int32_t)grid->group, grid->packing->kr, grid->packing->pieces)
               : (uint32_t)(g->kernel_h * g->kernel_w);
}

/* Bytes of its weights, all groups; false: more than size_t holds. */
NNRT__FN bool nnrt__phase_size(const nnrt__phase_grid *grid, const nnrt__geometry *g, size_t *size) {
    const size_t taps = (size_t)g->kernel_h * (size_t)g->kernel_w, k = taps * grid->run;
    const size_t pieces = taps / nnrt__phase_span(grid, g);
    if (grid->packing == NULL ? !nnrt__mul_size(k, grid->n, size)
                              : !nnrt__packing_size(grid->packing, grid->n, pieces, k / pieces, size))
        return false;
    return nnrt__mul_size(*size, grid->group, size);
}

/* Bytes of all weights, the tap of zeros included. */
NNRT__FN bool nnrt__phase_grid_size(const nnrt__phase_grid *grid, size_t *size) {
    const size_t count = nnrt__phase_grid_count(grid) + (nnrt__phase_grid_has_gaps(grid) ? 1 : 0);
    nnrt__phase rows, columns;
    nnrt__geometry g;
    size_t i, each;
    *size = 0;
    for (i = 0; i < count; i++) {
        nnrt__phase_grid_at(grid, i, &rows, &columns, &g);
        if (!nnrt__phase_size(grid, &g, &each) || !nnrt__add_size(*size, each, size)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------- checks */

/* Shape with in_h, in_w the input's; nnrt__geometry_check wants the size of the side that steps by the stride. */
NNRT__FN bool nnrt__conv_transpose_shape_of(const nnrt__step_view *view, nnrt__conv_shape *s) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    int64_t k;
    memset(s, 0, sizeof(*s));
    if (in == NULL || in->rank != 4 || out->rank != 4 || in->dims[0] != out->dims[0]) return false;
    if (args->columns != 0 || args->group < 1) return false;
    s->batches = in->dims[0];
    s->in_h = in->dims[1];
    s->in_w = in->dims[2];
    s->in_c = in->dims[3];
    s->out_h = out->dims[1];
    s->out_w = out->dims[2];
    s->out_c = out->dims[3];
    if (s->in_c % args->group != 0 || s->out_c % args->group != 0) return false;
    if (args->first_row != 0 || args->row_count != s->out_h) return false;
    if (!nnrt__geometry_check(g, s->in_h, s->in_w, NNRT__TAPS_MAX)) return false;
    k = (int64_t)g->kernel_h * g->kernel_w * (s->in_c / args->group);
    if (k > NNRT__CONV_K_MAX) return false;
    s->row_count = s->out_h;
    s->taps = (size_t)g->kernel_h * (size_t)g->kernel_w;
    s->group = (size_t)args->group;
    s->n = (size_t)(s->out_c / args->group);
    s->k = (size_t)k;
    s->pixels = (size_t)s->batches * (size_t)s->out_h * (size_t)s->out_w;
    return s->pixels <= NNRT__COORDINATE_MAX;
}

/* No coordinate of a phase leaves int32: its pad is at most the kernel's reach plus the pad of the scatter. */
NNRT__FN bool nnrt__phases_check(int32_t kernel, int32_t dilation, int32_t pad) {
    return (int64_t)(kernel - 1) * dilation + (pad < 0 ? -(int64_t)pad : pad) < NNRT__COORDINATE_MAX;
}

/* The grid of a step whose shape is s; false: its coordinates are too large. */
NNRT__FN bool nnrt__conv_transpose_grid(const nnrt__step_view *view, const nnrt__conv_shape *s,
                                        const nnrt__packing *packing, nnrt__phase_grid *grid) {
    const nnrt__geometry *g = &nnrt__conv_args_of(view)->geometry;
    grid->packing = packing;
    grid->run = (size_t)s->in_c / s->group;
    grid->group = s->group;
    grid->n = s->n;
    nnrt__phase_grid_sides(grid, g, s->out_h, s->out_w);
    return nnrt__phases_check(g->kernel_h, g->dilation_h, g->pad_top) &&
           nnrt__phases_check(g->kernel_w, g->dilation_w, g->pad_left);
}

/* int8 and float32. */
NNRT__FN bool nnrt__conv_transpose_check(const nnrt__step_view *view, const nnrt__conv_traits *traits) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__packing *packing;
    nnrt__phase_grid grid;
    nnrt__conv_shape s;
    size_t size;
    if (!nnrt__conv_transpose_shape_of(view, &s) || nnrt__step_input(view, 0)->dtype != (uint32_t)traits->dtype ||
        nnrt__step_output(view, 0)->dtype != (uint32_t)traits->dtype || !nnrt__conv_range_check(args))
        return false;
    if (args->span == NNRT__TRANSPOSE_PLAIN)
        return args->packing == 0 &&
               nnrt__conv_check_count(nnrt__step_input(view, 1), traits->dtype, (size_t)s.out_c, s.k) &&
               nnrt__conv_check_count(nnrt__step_input(view, 2), traits->channel, (size_t)s.out_c, traits->per_channel);
    return args->span == NNRT__TRANSPOSE_PHASES && view->input_count == 2 &&
           nnrt__conv_slot(view, traits, &packing) != NULL && !nnrt__packing_is_shared(packing) &&
           nnrt__conv_transpose_grid(view, &s, packing, &grid) && nnrt__phase_grid_size(&grid, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), traits->weights, size);
}

NNRT__FN bool nnrt__conv_transpose_s16_check_of(const nnrt__step_view *view, const nnrt__conv_traits *traits) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    nnrt__phase_grid grid;
    nnrt__conv_shape s;
    size_t size;
    (void)traits;
    if (!nnrt__conv_transpose_shape_of(view, &s)) return false;
    if (args->span == NNRT__TRANSPOSE_PLAIN)
        return nnrt__conv_s16_operands(view, &s) && nnrt__conv_s16_weights(view, &s);
    return args->span == NNRT__TRANSPOSE_PHASES && nnrt__conv_transpose_grid(view, &s, NULL, &grid) &&
           nnrt__phase_grid_size(&grid, &size) && nnrt__conv_s16_operands(view, &s) &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), OH_NN_INT8, size, 1);
}

/* Approximate products of the phases: an output element uses the average number of taps. */
NNRT__FN uint64_t nnrt__conv_transpose_work(const nnrt__step_view *view) {
    const nnrt__geometry *g = &nnrt__conv_args_of(view)->geometry;
    nnrt__conv_shape s;
    uint64_t count, each;
    if (!nnrt__conv_transpose_shape_of(view, &s)) return 0;
    count = (uint64_t)nnrt__value_count(nnrt__step_output(view, 0));
    each = nnrt__conv_args_of(view)->span == NNRT__TRANSPOSE_PLAIN
               ? s.k /* the loop also visits taps outside the input */
               : (uint64_t)s.k / ((uint64_t)g->stride_h * (uint64_t)g->stride_w);
    return count * (each + 1);
}

/* ------------------------------------------------------------------------------------------- the phases run */

/* State of a walk through the phases of a step. */
typedef struct nnrt__phase_walk {
    nnrt__phase_grid grid;
    nnrt__conv_shape shape; /* of the step */
    size_t element;
    const void *slot;
    size_t next; /* phase */
    /* of the phase at hand */
    nnrt__geometry geometry;
    nnrt__conv_ready ready;
    nnrt__conv_scatter to; /* to.weights is that of the next one before the first */
    size_t weights;        /* bytes of its weights */
} nnrt__phase_walk;

NNRT__FN void nnrt__phase_walk_begin(const nnrt__step_view *view, const nnrt__conv_traits *traits,
                                     nnrt__phase_walk *walk) {
    const nnrt__packing *packing = NULL;
    memset(walk, 0, sizeof(*walk));
    if (traits->find != NULL) walk->slot = nnrt__conv_slot(view, traits, &packing);
    walk->element = traits->element;
    (void)nnrt__conv_transpose_shape_of(view, &walk->shape);
    (void)nnrt__conv_transpose_grid(view, &walk->shape, packing, &walk->grid);
}

/* Moves to the next phase; after the last with taps comes the one of bias alone, if there is one. false: no more. */
NNRT__FN bool nnrt__phase_walk_next(const nnrt__step_view *view, nnrt__phase_walk *walk) {
    const nnrt__phase_grid *grid = &walk->grid;
    const size_t count = nnrt__phase_grid_count(grid), pixel = (size_t)walk->shape.out_c;
    const size_t line = (size_t)walk->shape.out_w * pixel;
    nnrt__conv_ready *r = &walk->ready;
    nnrt__phase rows, columns;
    if (walk->next > count || (walk->next == count && !nnrt__phase_grid_has_gaps(grid))) return false;
    memset(r, 0, sizeof(*r));
    nnrt__phase_grid_at(grid, walk->next, &rows, &columns, &walk->geometry);
    r->geometry = &walk->geometry;
    r->shape = walk->shape;
    r->shape.taps = (size_t)rows.taps * (size_t)columns.taps;
    r->shape.k = r->shape.taps * grid->run;
    r->shape.out_h = r->shape.row_count = rows.outputs;
    r->shape.out_w = columns.outputs;
    if (walk->next == count) r->shape.batches = 1;
    r->shape.pixels = (size_t)r->shape.batches * (size_t)rows.outputs * (size_t)columns.outputs;
    walk->to.weights += walk->weights;
    walk->to.origin = (size_t)rows.first * line + (size_t)columns.first * pixel;
    walk->to.pixel = (size_t)grid->columns.stride * pixel;
    walk->to.line = (size_t)grid->rows.stride * line;
    walk->to.image = (size_t)walk->shape.out_h * line;
    (void)nnrt__phase_size(grid, r->geometry, &walk->weights);
    walk->next++;
    if (r->shape.pixels == 0) return true; /* a phase beyond the end of a small output */
    nnrt__conv_ready_cut(view, grid->packing, walk->element, nnrt__phase_span(grid, r->geometry), r);
    r->slot = walk->slot;
    return true;
}

/* Is it the phase of bias alone? */
NNRT__INLINE bool nnrt__phase_walk_is_bias(const nnrt__phase_walk *walk) {
    return walk->next > nnrt__phase_grid_count(&walk->grid);
}

/* Work units of the present phase; for bias alone, a unit is an output row. */
NNRT__FN size_t nnrt__phase_walk_units(const nnrt__phase_walk *walk) {
    return nnrt__phase_walk_is_bias(walk) ? (size_t)walk->shape.batches * (size_t)walk->shape.out_h : walk->ready.units;
}

/* The pixels of an output row, counted over all images, that use no tap: the first is computed, the others are copies.
   */
NNRT__FN void nnrt__phase_bias_row(const nnrt__step_view *view, const nnrt__step_call *call, nnrt__phase_walk *walk,
                                   size_t row, nnrt__conv_product product) {
    const size_t size = (size_t)walk->shape.out_c * walk->element, width = (size_t)walk->shape.out_w;
    const bool met = nnrt__phase_has_taps(&walk->grid.rows, (int32_t)(row % (size_t)walk->shape.out_h));
    uint8_t *const out = (uint8_t *)call->data[view->input_count];
    const uint8_t *first = NULL;
    nnrt__step_call all = *call;
    size_t x;
    all.first = 0;
    all.last = (uint32_t)walk->ready.units;
    for (x = 0; x < width; x++) {
        const size_t pixel = row * width + x;
        if (met && nnrt__phase_has_taps(&walk->grid.columns, (int32_t)x)) continue;
        if (first != NULL) {
            memcpy(out + pixel * size, first, size);
            continue;
        }
        walk->to.origin = pixel * (size_t)walk->shape.out_c;
        nnrt__conv_run(view, &all, &walk->ready, &walk->to, product);
        first = out + pixel * size;
    }
}

/* Does the units of the call; units are numbered phase by phase. */
NNRT__FN void nnrt__phases_run(const nnrt__step_view *view, const nnrt__step_call *call,
                               const nnrt__conv_traits *traits) {
    nnrt__phase_walk walk;
    size_t before = 0; /* units of the phases before the present one */
    nnrt__phase_walk_begin(view, traits, &walk);
    while (before < call->last && nnrt__phase_walk_next(view, &walk)) {
        const size_t units = nnrt__phase_walk_units(&walk), end = before + units;
        nnrt__step_call part = *call;
        part.first = call->first > before ? call->first - (uint32_t)before : 0;
        part.last = (uint32_t)((call->last < end ? call->last : end) - before);
        if (part.first < part.last && !nnrt__phase_walk_is_bias(&walk))
            nnrt__conv_run(view, &part, &walk.ready, &walk.to, traits->product);
        for (; nnrt__phase_walk_is_bias(&walk) && part.first < part.last; part.first++)
            nnrt__phase_bias_row(view, call, &walk, part.first, traits->product);
        before = end;
    }
}

/* Scratch and units of a step; a unit of the loop is an output pixel. */
NNRT__FN void nnrt__conv_transpose_measure(const nnrt__step_view *view, const nnrt__conv_traits *traits,
                                           size_t *scratch, size_t *units) {
    nnrt__phase_walk walk;
    *scratch = 0;
    *units = 0;
    nnrt__phase_walk_begin(view, traits, &walk);
    if (nnrt__conv_args_of(view)->span == NNRT__TRANSPOSE_PLAIN) {
        *units = walk.shape.pixels;
        return;
    }
    while (nnrt__phase_walk_next(view, &walk)) {
        *units += nnrt__phase_walk_units(&walk);
        if (walk.ready.scratch > *scratch) *scratch = walk.ready.scratch;
    }
}

/* ------------------------------------------------------------------------------------------------ the loop */

/* The input row (column) that tap i sends to output position o, or -1. */
NNRT__INLINE int32_t nnrt__conv_transpose_source(int32_t o, int32_t pad, int32_t i, int32_t dilation, int32_t stride,
                                                 int32_t size) {
    const int64_t at = (int64_t)o + pad - (int64_t)i * dilation;
    return at >= 0 && at % stride == 0 && at / stride < size ? (int32_t)(at / stride) : -1;
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* int8 and float32. */
NNRT__FN void nnrt__conv_transpose_loop(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const bool is_s8 = nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_INT8;
    nnrt__conv_shape s;
    size_t unit, o, c, run;
    int32_t i, j;
    (void)nnrt__conv_transpose_shape_of(view, &s);
    run = (size_t)s.in_c / s.group;
    for (unit = call->first; unit < call->last; unit++) {
        const size_t row = unit / (size_t)s.out_w, batch = row / (size_t)s.out_h, to = unit * (size_t)s.out_c;
        const int32_t oy = (int32_t)(row % (size_t)s.out_h), ox = (int32_t)(unit % (size_t)s.out_w);
        for (o = 0; o < (size_t)s.out_c; o++) {
            const size_t first = o / s.n * run; /* channel of the input */
            uint32_t sum = is_s8 ? (uint32_t)((const int32_t *)call->data[2])[o] : 0;
            float real = is_s8 ? 0.0f : ((const float *)call->data[2])[o];
            for (i = 0; i < g->kernel_h; i++) {
                const int32_t y = nnrt__conv_transpose_source(oy, g->pad_top, i, g->dilation_h, g->stride_h, s.in_h);
                for (j = 0; y >= 0 && j < g->kernel_w; j++) {
                    const int32_t x =
                        nnrt__conv_transpose_source(ox, g->pad_left, j, g->dilation_w, g->stride_w, s.in_w);
                    const size_t w = o * s.k + ((size_t)i * (size_t)g->kernel_w + (size_t)j) * run;
                    size_t from;
                    if (x < 0) continue;
                    from = ((batch * (size_t)s.in_h + (size_t)y) * (size_t)s.in_w + (size_t)x) * (size_t)s.in_c + first;
                    for (c = 0; is_s8 && c < run; c++)
                        sum += (uint32_t)((((const int8_t *)call->data[0])[from + c] - args->input_zero_point) *
                                          ((const int8_t *)call->data[1])[w + c]);
                    for (c = 0; !is_s8 && c < run; c++)
                        real += ((const float *)call->data[0])[from + c] * ((const float *)call->data[1])[w + c];
                }
            }
            if (is_s8)
                ((int8_t *)call->data[view->input_count])[to + o] =
                    nnrt__requantize_s8(sum, ((const int32_t *)call->data[2])[(size_t)s.out_c + o],
                                        ((const int32_t *)call->data[2])[2 * (size_t)s.out_c + o],
                                        args->output_zero_point, args->clamp_min, args->clamp_max);
            else
                ((float *)call->data[view->input_count])[to + o] =
                    nnrt__clamp_f32(real, args->clamp_low, args->clamp_high);
        }
    }
}

NNRT__FP_CONTRACT_OFF_END

/* The sum of channel o of the output pixel (batch, oy, ox). */
NNRT__FN int64_t nnrt__conv_transpose_s16_sum(const nnrt__step_call *call, const nnrt__geometry *g,
                                              const nnrt__conv_shape *s, size_t batch, int32_t oy, int32_t ox,
                                              size_t o) {
    const size_t run = (size_t)s->in_c / s->group;
    const int16_t *in = (const int16_t *)call->data[0] + o / s->n * run;
    const int8_t *w = (const int8_t *)call->data[1] + o * s->k;
    int64_t sum = 0;
    int32_t i, j;
    size_t c;
    for (i = 0; i < g->kernel_h; i++) {
        const int32_t y = nnrt__conv_transpose_source(oy, g->pad_top, i, g->dilation_h, g->stride_h, s->in_h);
        for (j = 0; j < g->kernel_w; j++, w += run) {
            const int32_t x = nnrt__conv_transpose_source(ox, g->pad_left, j, g->dilation_w, g->stride_w, s->in_w);
            if (y >= 0 && x >= 0) {
                const size_t pixel = (batch * (size_t)s->in_h + (size_t)y) * (size_t)s->in_w + (size_t)x;
                for (c = 0; c < run; c++) sum += (int32_t)in[pixel * (size_t)s->in_c + c] * w[c];
            }
        }
    }
    return sum;
}

NNRT__FN void nnrt__conv_transpose_s16_loop(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    nnrt__channels_s16 channels;
    nnrt__conv_shape s;
    size_t unit, o;
    (void)nnrt__conv_transpose_shape_of(view, &s);
    channels = nnrt__conv_s16_channels(view, call, (size_t)s.out_c, 0);
    for (unit = call->first; unit < call->last; unit++) {
        const size_t row = unit / (size_t)s.out_w, batch = row / (size_t)s.out_h;
        const int32_t oy = (int32_t)(row % (size_t)s.out_h), ox = (int32_t)(unit % (size_t)s.out_w);
        int16_t *to = (int16_t *)call->data[view->input_count] + unit * (size_t)s.out_c;
        for (o = 0; o < (size_t)s.out_c; o++)
            to[o] = nnrt__finish_s16(&channels, o,
                                     nnrt__conv_transpose_s16_sum(call, &args->geometry, &s, batch, oy, ox, o),
                                     args->clamp_min, args->clamp_max);
    }
}

/* ---------------------------------------------------------------------------------------------- the kinds */

NNRT__FN const char *nnrt__conv_transpose_isa(const nnrt__step_view *view, const nnrt__conv_traits *traits) {
    if (nnrt__conv_args_of(view)->span == NNRT__TRANSPOSE_PLAIN) return "scalar";
    return traits->find != NULL ? nnrt__conv_packed_isa(view, traits) : view->kernels->gemm_s16_isa;
}

/* clang-format off */
#define NNRT__TRANSPOSE_STEP(type, inputs, check_of, loop)                                                \
    NNRT__FN bool nnrt__conv_transpose_##type##_check(const nnrt__step_view *view) {                              \
        return check_of(view, &nnrt__conv_traits_##type);                                                    \
    }                                                                                                             \
    NNRT__FN bool nnrt__conv_transpose_##type##_scratch(const nnrt__step_view *view, size_t *bytes) {             \
        size_t units;                                                                                             \
        nnrt__conv_transpose_measure(view, &nnrt__conv_traits_##type, bytes, &units);                        \
        return true;                                                                                              \
    }                                                                                                             \
    NNRT__FN uint32_t nnrt__conv_transpose_##type##_units(const nnrt__step_view *view) {                          \
        size_t scratch, units;                                                                                    \
        nnrt__conv_transpose_measure(view, &nnrt__conv_traits_##type, &scratch, &units);                     \
        return (uint32_t)units;                                                                                   \
    }                                                                                                             \
    NNRT__FN const char *nnrt__conv_transpose_##type##_isa(const nnrt__step_view *view) {                         \
        return nnrt__conv_transpose_isa(view, &nnrt__conv_traits_##type);                                    \
    }                                                                                                             \
    NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_##type##_run(const nnrt__step_view *view,                      \
                                                                const nnrt__step_call *call) {                    \
        NNRT_ASSERT(nnrt__call_is_right(view, call));                                                             \
        if (nnrt__conv_args_of(view)->span == NNRT__TRANSPOSE_PLAIN) loop(view, call);                            \
        else nnrt__phases_run(view, call, &nnrt__conv_traits_##type);                                        \
        return OH_NN_SUCCESS;                                                                                     \
    }                                                                                                             \
    NNRT__STEP_KIND(conv_transpose_##type, INPUTS(inputs, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args),             \
                    CHECK(nnrt__conv_transpose_##type##_check), SCRATCH(nnrt__conv_transpose_##type##_scratch),       \
                    UNITS(nnrt__conv_transpose_##type##_units), ISA(nnrt__conv_transpose_##type##_isa),               \
                    RUN(nnrt__conv_transpose_##type##_run), WORK(nnrt__conv_transpose_work), NOTHING_READY)
/* clang-format on */

NNRT__TRANSPOSE_STEP(s8, 2, nnrt__conv_transpose_check, nnrt__conv_transpose_loop)
NNRT__TRANSPOSE_STEP(f32, 2, nnrt__conv_transpose_check, nnrt__conv_transpose_loop)
NNRT__TRANSPOSE_STEP(s16, 3, nnrt__conv_transpose_s16_check_of, nnrt__conv_transpose_s16_loop)

#endif /* NNRT_CPU_STEPS_CONV_TRANSPOSE_H */
