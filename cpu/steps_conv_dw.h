/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_dw.h - depthwise convolution, one filter per channel.   >>cpu_steps_conv_dw

   A unit is a chunk of an output row. Pixels with all taps inside the columns of the input are passed to the kernel as
   rows of the input; kernel rows above or below the input become a row of zero points in scratch. For pixels at the
   sides the addresses of all taps are listed, one column of many rows at a time. No pixel is copied.

   Operands   dw_s8   input s8, packed tiles as INT32 | output s8
              dw_f32  input f32, packed tiles as FLOAT32 | output f32 */
#ifndef NNRT_CPU_STEPS_CONV_DW_H
#define NNRT_CPU_STEPS_CONV_DW_H

#include "steps_conv.h"

/* Bytes of listed tap addresses, 8 per address on every machine; more if one pixel needs more. */
#define NNRT__DW_ADDRESSES 64u
/* Bytes of zero points; more if one window is wider. */
#define NNRT__DW_ZERO_BYTES 2048u
/* Does this build have the kernels of an instruction set? */
#define NNRT__DW_HAS(token) (NNRT__HAVE_##token && (NNRT__LEVELS_WANTED & (unsigned)NNRT__ISA_##token) != 0)
/* Do any of its kernels take rows? */
#define NNRT__DW_ROWS                                                                             \
    (NNRT__PORTABLE_DW_ROWS || NNRT__DW_HAS(SSE41) || NNRT__DW_HAS(AVX2) || NNRT__DW_HAS(NEON) || \
     NNRT__DW_HAS(CORTEX_M4) || NNRT__DW_HAS(RVV))
/* ... planes? */
#define NNRT__DW_PLANES (NNRT__FOR_SPEED && (NNRT__DW_HAS(AVX512VNNI) || NNRT__DW_HAS(ARMV8_DOT)))
/* Products of a unit that a long row is cut into. */
#define NNRT__DW_UNIT_WORK 1048576u

typedef struct nnrt__dw_ready {
    nnrt__conv_shape shape;         /* the first field: nnrt__conv_sizes */
    const nnrt__geometry *geometry; /* the step's, or that of a part of it */
    size_t element;
    size_t chunk, chunks; /* columns of a unit, units of an output row */
    size_t listed;        /* pixels whose taps are listed at once */
    size_t zeros;         /* pixels that the zero points are wide enough for */
    size_t zero_size;     /* bytes */
    size_t rows_at, zero_at, scratch;
    size_t left, right; /* columns left <= x < right have all their taps inside */
    bool by_rows;       /* the kernel takes rows */
    bool by_plane;      /* ... planes, and this is one */
    int fill;
    const void *slot;
} nnrt__dw_ready;

/* Traits of an element type. */
typedef struct nnrt__dw_traits {
    OH_NN_DataType dtype, weights;
    size_t element;
    const void *(*find)(const nnrt__cpu_table *kernels, uint32_t packing, const nnrt__packing **row, const char **isa);
    bool (*has_rows)(const void *slot);
    bool (*has_plane)(const void *slot); /* NULL: none has */
} nnrt__dw_traits;

NNRT__CONV_FIND(nnrt__dw_s8_find, dw_s8)
NNRT__CONV_FIND(nnrt__dw_f32_find, dw_f32)

NNRT__FN bool nnrt__dw_s8_has_rows(const void *slot) { return ((const nnrt__dw_s8_slot *)slot)->run_rows != NULL; }
NNRT__FN bool nnrt__dw_f32_has_rows(const void *slot) { return ((const nnrt__dw_f32_slot *)slot)->run_rows != NULL; }
NNRT__FN bool nnrt__dw_s8_has_plane(const void *slot) { return ((const nnrt__dw_s8_slot *)slot)->run_plane != NULL; }

static const nnrt__dw_traits nnrt__dw_traits_s8 = {
    OH_NN_INT8, OH_NN_INT32, 1, nnrt__dw_s8_find, nnrt__dw_s8_has_rows, NNRT__DW_PLANES ? nnrt__dw_s8_has_plane : NULL};
static const nnrt__dw_traits nnrt__dw_traits_f32 = {OH_NN_FLOAT32,     OH_NN_FLOAT32,         sizeof(float),
                                                    nnrt__dw_f32_find, nnrt__dw_f32_has_rows, NULL};

NNRT__FN const void *nnrt__dw_slot(const nnrt__step_view *view, const nnrt__dw_traits *traits,
                                   const nnrt__packing **packing, const char **isa) {
    return traits->find(view->kernels, nnrt__conv_args_of(view)->packing, packing, isa);
}

NNRT__FN bool nnrt__dw_check(const nnrt__step_view *view, const nnrt__dw_traits *traits) {
    const nnrt__packing *packing;
    const char *isa;
    nnrt__conv_shape own;
    const nnrt__conv_shape *s;
    size_t size;
    if (nnrt__conv_args_of(view)->columns != 0 || nnrt__dw_slot(view, traits, &packing, &isa) == NULL) return false;
    s = nnrt__conv_check(view, traits->dtype, traits->dtype, &own);
    return s != NULL && s->in_c == s->out_c && s->group == (size_t)s->in_c &&
           nnrt__packing_size(packing, (size_t)s->in_c, 1, s->taps, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), traits->weights, size);
}

NNRT__FN void nnrt__dw_make_ready(const nnrt__step_view *view, const nnrt__dw_traits *traits, nnrt__dw_ready *r) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const nnrt__packing *packing;
    const char *isa;
    nnrt__conv_shape *s = &r->shape;
    size_t channels, window, step, work;
    nnrt__conv_shape_found(view, s);
    r->geometry = g;
    r->element = traits->element;
    r->slot = nnrt__dw_slot(view, traits, &packing, &isa);
    r->by_rows = NNRT__DW_ROWS && traits->has_rows(r->slot);
    r->by_plane = NNRT__DW_PLANES && traits->has_plane != NULL && traits->has_plane(r->slot) && g->kernel_h == 3 &&
                  g->kernel_w == 3 && g->dilation_h == 1 && g->dilation_w == 1 && g->stride_h == g->stride_w &&
                  g->stride_w <= 2 && args->block == 0;
    r->fill = traits->element == 1 ? args->input_zero_point : 0;
    channels = (size_t)s->in_c;
    r->left = r->right = 0;
    if (NNRT__DW_ROWS || NNRT__MAKES_PLANS) nnrt__conv_interior(g, s->in_w, s->out_w, &r->left, &r->right);
    work = channels * s->taps; /* of a pixel; below 2^30 * 2^20 on 64 bits, and no such input fits on 32 */
    r->chunk = work < NNRT__DW_UNIT_WORK ? NNRT__DW_UNIT_WORK / work : 1;
    if (!NNRT__HAS_THREADS || r->chunk > (size_t)s->out_w) r->chunk = (size_t)s->out_w;
    r->chunks = ((size_t)s->out_w + r->chunk - 1) / r->chunk;
    r->listed = s->taps < NNRT__DW_ADDRESSES ? NNRT__DW_ADDRESSES / s->taps : 1;
    if (r->listed > (size_t)s->out_w) r->listed = (size_t)s->out_w;
    /* zero points for one window, then for as many more pixels as fit; also without run_rows, so that scratch is the
       same for every kernel of a packing and a plan can be made on any machine */
    window = r->right > r->left ? ((size_t)(g->kernel_w - 1) * (size_t)g->dilation_w + 1) * channels : channels;
    step = (size_t)g->stride_w * channels;
    r->zeros = 1;
    if (r->right > r->left && window * r->element < NNRT__DW_ZERO_BYTES)
        r->zeros += (NNRT__DW_ZERO_BYTES / r->element - window) / step;
    if (r->right > r->left && r->zeros > r->right - r->left) r->zeros = r->right - r->left;
    r->zero_size = (window + (r->zeros - 1) * step) * r->element;
    r->rows_at = (r->listed * s->taps * 8 + 63) & ~(size_t)63;
    r->zero_at = r->rows_at + (((size_t)g->kernel_h * 8 + 63) & ~(size_t)63);
    r->scratch = r->zero_at + r->zero_size;
    if (!r->by_rows) r->right = r->left = 0;
}

/* One call of the kernel: `count` pixels from column ox on of an output row at `out`, whose windows begin at input row
   `top` of the image at `in`; or, of that column, as many rows. */
typedef struct nnrt__dw_part {
    const nnrt__step_view *view;
    const nnrt__step_call *call;
    const nnrt__dw_ready *ready;
    const nnrt__conv_args *args;
    const uint8_t *in;
    const void *weights;
    uint8_t *out; /* of column 0 */
    int32_t top;
    size_t ox, count;
    size_t out_stride; /* elements from pixel to pixel of the output */
    uint8_t *scratch;
} nnrt__dw_part;

/* Lists the taps of the pixels, each `right` columns and `down` rows of the input after the previous. No coordinate
   leaves int32 (nnrt__geometry_check). */
NNRT__FN void nnrt__dw_list(const nnrt__dw_part *part, int32_t right, int32_t down) {
    const nnrt__dw_ready *r = part->ready;
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__geometry *g = r->geometry;
    const size_t pixel = (size_t)s->in_c * r->element, row = (size_t)s->in_w * pixel;
    const void *zero = part->scratch + r->zero_at;
    const int32_t left = (int32_t)((int64_t)part->ox * g->stride_w - g->pad_left);
    int32_t i, j;
    for (i = 0; i < g->kernel_h; i++) {
        const void **taps = (const void **)(void *)part->scratch + (size_t)i * (size_t)g->kernel_w;
        int32_t first = left, y = part->top + i * g->dilation_h;
        size_t p;
        for (p = 0; p < part->count; p++, first += right, y += down, taps += s->taps) {
            const bool inside = y >= 0 && y < s->in_h;
            const uint8_t *from = inside ? part->in + (size_t)y * row : part->in;
            const uint32_t width = inside ? (uint32_t)s->in_w : 0;
            int32_t x = first;
            for (j = 0; j < g->kernel_w; j++, x += g->dilation_w)
                taps[j] = (uint32_t)x < width ? from + (size_t)x * pixel : (const uint8_t *)zero;
        }
    }
}

/* Lists the kernel rows of the pixels, which are columns of the interior. false: one of them is zero points, and there
   are not enough for so many pixels. */
NNRT__FN bool nnrt__dw_rows(const nnrt__dw_part *part) {
    const nnrt__dw_ready *r = part->ready;
    const nnrt__conv_shape *s = &r->shape;
    const nnrt__geometry *g = r->geometry;
    const size_t left = (size_t)((int64_t)part->ox * g->stride_w - g->pad_left);
    const void **rows = (const void **)(void *)(part->scratch + r->rows_at);
    int32_t i;
    for (i = 0; i < g->kernel_h; i++) {
        const int64_t y = (int64_t)part->top + (int64_t)i * g->dilation_h;
        if (y >= 0 && y < s->in_h) {
            *rows++ = part->in + ((size_t)y * (size_t)s->in_w + left) * (size_t)s->in_c * r->element;
        } else {
            if (part->count > r->zeros) return false;
            *rows++ = part->scratch + r->zero_at;
        }
    }
    return true;
}

NNRT__FN void nnrt__dw_s8_listed(const nnrt__dw_part *part) {
    const nnrt__conv_args *args = part->args;
    const size_t channels = (size_t)part->ready->shape.in_c;
    nnrt__dw_s8_args dw;
    dw.pixels = part->count;
    dw.channels = channels;
    dw.tap_count = part->ready->shape.taps;
    dw.taps = (const int8_t *const *)(void *)part->scratch;
    dw.w = part->weights;
    dw.out = (int8_t *)part->out + part->ox * channels;
    dw.out_stride = part->out_stride;
    dw.output_zero_point = args->output_zero_point;
    dw.clamp_min = args->clamp_min;
    dw.clamp_max = args->clamp_max;
    ((const nnrt__dw_s8_slot *)part->ready->slot)->run(&dw);
}

NNRT__FN void nnrt__dw_s8_by_rows(const nnrt__dw_part *part) {
    const nnrt__conv_args *args = part->args;
    const nnrt__geometry *g = &args->geometry;
    const size_t channels = (size_t)part->ready->shape.in_c;
    nnrt__dw_rows_s8_args dw;
    dw.pixels = part->count;
    dw.channels = channels;
    dw.kernel_h = (size_t)g->kernel_h;
    dw.kernel_w = (size_t)g->kernel_w;
    dw.rows = (const int8_t *const *)(void *)(part->scratch + part->ready->rows_at);
    dw.pixel_step = (size_t)g->stride_w * channels;
    dw.tap_step = (size_t)g->dilation_w * channels;
    dw.w = part->weights;
    dw.out = (int8_t *)part->out + part->ox * channels;
    dw.out_stride = channels;
    dw.output_zero_point = args->output_zero_point;
    dw.clamp_min = args->clamp_min;
    dw.clamp_max = args->clamp_max;
    ((const nnrt__dw_s8_slot *)part->ready->slot)->run_rows(&dw);
}

NNRT__FN void nnrt__dw_f32_listed(const nnrt__dw_part *part) {
    const nnrt__conv_args *args = part->args;
    const size_t channels = (size_t)part->ready->shape.in_c;
    nnrt__dw_f32_args dw;
    dw.pixels = part->count;
    dw.channels = channels;
    dw.tap_count = part->ready->shape.taps;
    dw.taps = (const float *const *)(void *)part->scratch;
    dw.w = part->weights;
    dw.out = (float *)(void *)part->out + part->ox * channels;
    dw.out_stride = part->out_stride;
    dw.clamp_min = args->clamp_low;
    dw.clamp_max = args->clamp_high;
    ((const nnrt__dw_f32_slot *)part->ready->slot)->run(&dw);
}

NNRT__FN void nnrt__dw_f32_by_rows(const nnrt__dw_part *part) {
    const nnrt__conv_args *args = part->args;
    const nnrt__geometry *g = &args->geometry;
    const size_t channels = (size_t)part->ready->shape.in_c;
    nnrt__dw_rows_f32_args dw;
    dw.pixels = part->count;
    dw.channels = channels;
    dw.kernel_h = (size_t)g->kernel_h;
    dw.kernel_w = (size_t)g->kernel_w;
    dw.rows = (const float *const *)(void *)(part->scratch + part->ready->rows_at);
    dw.pixel_step = (size_t)g->stride_w * channels;
    dw.tap_step = (size_t)g->dilation_w * channels;
    dw.w = part->weights;
    dw.out = (float *)(void *)part->out + part->ox * channels;
    dw.out_stride = channels;
    dw.clamp_min = args->clamp_low;
    dw.clamp_max = args->clamp_high;
    ((const nnrt__dw_f32_slot *)part->ready->slot)->run_rows(&dw);
}

typedef void (*nnrt__dw_kernel)(const nnrt__dw_part *part);

/* Columns [first, last) of an output row by their lists. */
NNRT__FN void nnrt__dw_sides(nnrt__dw_part *part, size_t first, size_t last, nnrt__dw_kernel listed) {
    part->out_stride = (size_t)part->ready->shape.in_c;
    for (part->ox = first; part->ox < last; part->ox += part->count) {
        part->count = last - part->ox < part->ready->listed ? last - part->ox : part->ready->listed;
        nnrt__dw_list(part, part->ready->geometry->stride_w, 0);
        listed(part);
    }
}

/* Columns [first, last), all of the interior. */
NNRT__FN void nnrt__dw_middle(nnrt__dw_part *part, size_t first, size_t last, nnrt__dw_kernel by_rows) {
    for (part->ox = first; part->ox < last; part->ox += part->count) {
        part->count = last - part->ox;
        if (!nnrt__dw_rows(part)) {
            part->count = part->ready->zeros;
            (void)nnrt__dw_rows(part);
        }
        by_rows(part);
    }
}

/* Sets part to an output row, counted over all images. */
NNRT__FN void nnrt__dw_at_row(nnrt__dw_part *part, size_t row) {
    const nnrt__conv_shape *s = &part->ready->shape;
    const nnrt__geometry *g = part->ready->geometry;
    const size_t pixel = (size_t)s->in_c * part->ready->element;
    const size_t batch = row / (size_t)s->row_count, oy = (size_t)s->first_row + row % (size_t)s->row_count;
    part->in = (const uint8_t *)part->call->data[0] + batch * (size_t)s->in_h * (size_t)s->in_w * pixel;
    part->out = (uint8_t *)part->call->data[part->view->input_count] +
                (batch * (size_t)s->out_h + oy) * (size_t)s->out_w * pixel;
    part->top = (int32_t)((int64_t)oy * g->stride_h - g->pad_top);
}

/* Column ox of the output rows [first, last) by lists. The set-up of a kernel call costs as much as a few pixels: with
   a call for each side of each row, kws_ref_model took 1.18 times as long on SSE4.1 and 1.13 times on AVX2 (one core of
   a shared PC with AVX-512), and on a Cortex-A7 1.06 times the instructions (2026-11-23). */
NNRT__FN void nnrt__dw_column(nnrt__dw_part *part, size_t ox, size_t first, size_t last, nnrt__dw_kernel listed) {
    const nnrt__dw_ready *r = part->ready;
    const size_t rows = (size_t)r->shape.row_count;
    part->ox = ox;
    part->out_stride = (size_t)r->shape.out_w * (size_t)r->shape.in_c;
    for (; first < last; first += part->count) {
        const size_t end = (first / rows + 1) * rows; /* of the image */
        nnrt__dw_at_row(part, first);
        part->count = (last < end ? last : end) - first;
        if (part->count > r->listed) part->count = r->listed;
        nnrt__dw_list(part, 0, r->geometry->stride_h);
        listed(part);
    }
}

/* Does the units of the call where the kernel takes planes: of each image the rows, or, where a row has several units,
   each alone. */
NNRT__FN void nnrt__dw_s8_by_planes(const nnrt__step_view *view, const nnrt__step_call *call, const nnrt__dw_ready *r) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &r->shape;
    const size_t channels = (size_t)s->in_c, rows = (size_t)s->row_count, width = (size_t)s->out_w;
    nnrt__dw_plane_s8_args dw;
    size_t unit;
    dw.channels = channels;
    dw.in_h = s->in_h > 0 ? (size_t)s->in_h : 0; /* a stripe's may be less */
    dw.in_w = (size_t)s->in_w;
    dw.stride = (size_t)r->geometry->stride_w;
    dw.fill = r->fill;
    dw.w = call->data[1];
    dw.out_line = width * channels;
    dw.output_zero_point = args->output_zero_point;
    dw.clamp_min = args->clamp_min;
    dw.clamp_max = args->clamp_max;
    for (unit = call->first; unit < call->last; unit += r->chunks == 1 ? dw.rows : 1) {
        const size_t row = unit / r->chunks, ox = unit % r->chunks * r->chunk, image = row / rows;
        const size_t oy = (size_t)s->first_row + row % rows, left = rows - row % rows;
        dw.rows = r->chunks != 1 ? 1 : left < call->last - unit ? left : call->last - unit;
        dw.pixels = width - ox < r->chunk ? width - ox : r->chunk;
        dw.in = (const int8_t *)call->data[0] + image * dw.in_h * dw.in_w * channels;
        dw.top = (int32_t)((int64_t)oy * r->geometry->stride_h - r->geometry->pad_top);
        dw.left = (int32_t)((int64_t)ox * r->geometry->stride_w - r->geometry->pad_left);
        dw.out = (int8_t *)call->data[view->input_count] + ((image * (size_t)s->out_h + oy) * width + ox) * channels;
        ((const nnrt__dw_s8_slot *)r->slot)->run_plane(&dw);
    }
}

/* Does the units of the call in any order. */
NNRT__FN void nnrt__dw_units_run(const nnrt__step_view *view, const nnrt__step_call *call, const nnrt__dw_ready *r,
                                 nnrt__dw_kernel listed, nnrt__dw_kernel by_rows) {
    const nnrt__conv_shape *s = &r->shape;
    const size_t width = (size_t)s->out_w;
    const size_t chunks = NNRT__HAS_THREADS ? r->chunks : 1;
    /* units are rows; only their sides are listed */
    const bool columns = NNRT__FOR_SPEED && chunks == 1 && r->left < r->right;
    nnrt__dw_part part;
    size_t unit, ox;
    if (NNRT__DW_PLANES && r->by_plane) {
        nnrt__dw_s8_by_planes(view, call, r);
        return;
    }
    part.view = view;
    part.call = call;
    part.ready = r;
    part.args = nnrt__conv_args_of(view);
    part.weights = call->data[1];
    part.scratch = (uint8_t *)call->scratch;
    memset(part.scratch + r->zero_at, r->fill, r->zero_size);
    for (unit = call->first; unit < call->last; unit++) {
        const size_t first = unit % chunks * r->chunk;
        const size_t last = width - first < r->chunk ? width : first + r->chunk;
        const size_t inner = r->left < first ? first : r->left > last ? last : r->left;
        const size_t left = NNRT__DW_ROWS ? inner : last;
        const size_t right = r->right < left ? left : r->right > last ? last : r->right;
        nnrt__dw_at_row(&part, unit / chunks);
        if (!columns) nnrt__dw_sides(&part, first, left, listed);
        if (NNRT__DW_ROWS) nnrt__dw_middle(&part, left, right, by_rows);
        if (NNRT__DW_ROWS && !columns) nnrt__dw_sides(&part, right, last, listed);
    }
    for (ox = 0; columns && ox < r->left; ox++) nnrt__dw_column(&part, ox, call->first, call->last, listed);
    for (ox = r->right; columns && ox < width; ox++) nnrt__dw_column(&part, ox, call->first, call->last, listed);
    memset(part.scratch, 0, r->zero_at); /* no address stays in the arena: nnrt__conv_forget_list */
}

/* Does the units of the call: so many rows at a time as the step's block has, and no fewer than one. */
NNRT__FN void nnrt__dw_rows_run(const nnrt__step_view *view, const nnrt__step_call *call, const nnrt__dw_ready *r,
                                nnrt__dw_kernel listed, nnrt__dw_kernel by_rows) {
    const uint32_t block = nnrt__conv_args_of(view)->block, width = (uint32_t)r->shape.out_w;
    const uint32_t most = block == 0 ? UINT32_MAX : (block < width ? 1 : block / width) * (uint32_t)r->chunks;
    const bool backwards = nnrt__runs_backwards(view);
    const uint32_t begin = backwards ? view->units - call->last : call->first;
    nnrt__step_call part = *call;
    uint32_t left = call->last - call->first, done = 0;
    while (left != 0) {
        const uint32_t count = left < most ? left : most;
        left -= count;
        part.first = begin + (backwards ? left : done);
        part.last = part.first + count;
        nnrt__dw_units_run(view, &part, r, listed, by_rows);
        done += count;
    }
}

NNRT__FN bool nnrt__dw_s8_check(const nnrt__step_view *view) { return nnrt__dw_check(view, &nnrt__dw_traits_s8); }
NNRT__FN bool nnrt__dw_f32_check(const nnrt__step_view *view) { return nnrt__dw_check(view, &nnrt__dw_traits_f32); }

/* The ready of a step that was checked; if it is not there, made in room. */
NNRT__FN const nnrt__dw_ready *nnrt__dw_made(const nnrt__step_view *view, const nnrt__dw_traits *traits,
                                             nnrt__dw_ready *room) {
    if (view->ready != NULL) return (const nnrt__dw_ready *)view->ready;
    nnrt__dw_make_ready(view, traits, room);
    return room;
}

/* The kind of one row of traits. by_rows: the function for the interior; that of the lists where there is none. */
/* clang-format off */
#define NNRT__DW_STEP(type, inputs, by_rows)                                                        \
    NNRT__FN bool nnrt__dw_##type##_scratch(const nnrt__step_view *view, size_t *bytes) {                   \
        nnrt__dw_ready room;                                                                                \
        *bytes = nnrt__dw_made(view, &nnrt__dw_traits_##type, &room)->scratch;                              \
        return true;                                                                                        \
    }                                                                                                       \
    /* Chunks of all rows: at most the pixels, 2^30. */                                                     \
    NNRT__FN uint32_t nnrt__dw_##type##_units(const nnrt__step_view *view) {                                \
        nnrt__dw_ready room;                                                                                \
        const nnrt__dw_ready *made = nnrt__dw_made(view, &nnrt__dw_traits_##type, &room);                   \
        return (uint32_t)((size_t)made->shape.batches * (size_t)made->shape.row_count * made->chunks);      \
    }                                                                                                       \
    NNRT__FN const char *nnrt__dw_##type##_isa(const nnrt__step_view *view) {                               \
        const nnrt__packing *packing;                                                                       \
        const char *isa = NULL;                                                                             \
        (void)nnrt__dw_slot(view, &nnrt__dw_traits_##type, &packing, &isa);                                 \
        return isa;                                                                                         \
    }                                                                                                       \
    NNRT__FN OH_NN_ReturnCode nnrt__dw_##type##_run(const nnrt__step_view *view, const nnrt__step_call *call) { \
        nnrt__dw_rows_run(view, call, (const nnrt__dw_ready *)view->ready, nnrt__dw_##type##_listed,        \
                          by_rows);                                                                         \
        return OH_NN_SUCCESS;                                                                               \
    }                                                                                                       \
    NNRT__FN void nnrt__dw_##type##_prepare(const nnrt__step_view *view, void *ready) {                     \
        nnrt__dw_make_ready(view, &nnrt__dw_traits_##type, (nnrt__dw_ready *)ready);                        \
    }                                                                                                       \
    NNRT__STEP_KIND(dw_##type, INPUTS(inputs, inputs), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args), \
                    CHECK(nnrt__dw_##type##_check), SCRATCH(nnrt__dw_##type##_scratch), \
                    UNITS(nnrt__dw_##type##_units), ISA(nnrt__dw_##type##_isa), RUN(nnrt__dw_##type##_run), \
                    WORK(nnrt__conv_work), READY(nnrt__dw_ready, nnrt__dw_##type##_prepare))
/* clang-format on */

NNRT__DW_STEP(s8, 2, nnrt__dw_s8_by_rows)
NNRT__DW_STEP(f32, 2, nnrt__dw_f32_by_rows)

#endif /* NNRT_CPU_STEPS_CONV_DW_H */
