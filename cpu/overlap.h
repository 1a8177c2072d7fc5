/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/overlap.h - how far a step's output may lie over its input.   >>cpu_overlap

   A convolution or pool needs little of its input at a time: once the rows of a window have been read for the last
   time, what is computed next may be written there ("diagonal memory optimisation", Blacker et al., 2020). From the
   first pixel to the last, the output lies below the input; from the last to the first, above it:

       input             |----------------------|        a map, and a window or a block of pixels beside it,
       output     |----------------------|               instead of two maps
       or               |----------------------|

   Two directions are there because one alone would move a chain of such steps down through the arena. The direction
   follows from where the operands lie (nnrt__runs_backwards). cpu/stripes.h gives convolutions a block, without which
   nothing is promised about the order; cpu/arena.h places; cpu/plan_check.h checks with the function below, as a plan
   may come from anywhere. Steps run on one thread then, as units in order is what all of it stands on. */
#ifndef NNRT_CPU_OVERLAP_H
#define NNRT_CPU_OVERLAP_H

#include "conv_rows.h"

/* Most rows and padding of a map that may overlap, of up to a GB: no number here leaves int32. */
#define NNRT__OVERLAP_MOST 32768

/* Output 0 may begin at least `below` bytes before input 0, or at least `above`, which is 1 or more, behind its
   begin. */
typedef struct nnrt__overlap_bytes {
    size_t below, above;
} nnrt__overlap_bytes;

/* One direction of it. Rows are bytes; ahead: how far behind the begin of an output row is written before what is read
   for the next block. */
typedef struct nnrt__overlap_way {
    int32_t in_rows, out_rows, stride, pad;
    size_t in_row, out_row, ahead;
} nnrt__overlap_way;

/* Bytes of the output that are written with row y, less those of the input in front of its windows. */
NNRT__FN int32_t nnrt__overlap_at(const nnrt__overlap_way *way, int32_t y) {
    const size_t all = (size_t)way->out_rows * way->out_row, end = (size_t)y * way->out_row + way->ahead;
    const int32_t top = y * way->stride - way->pad;
    const int32_t gone = top < 0 ? 0 : top < way->in_rows ? top : way->in_rows;
    return (int32_t)(end < all ? end : all) - (int32_t)((size_t)gone * way->in_row);
}

/* The most of it, at least 0. Over the rows that read anything it is concave, so that only what is at its ends and
   beside its bends counts: where windows leave the padding, and where the output ends. */
NNRT__FN size_t nnrt__overlap_most(const nnrt__overlap_way *way) {
    const size_t all = (size_t)way->out_rows * way->out_row;
    const int32_t read = (way->in_rows - 1 + way->pad) / way->stride;
    const int32_t last = read < 0 ? 0 : read < way->out_rows ? read : way->out_rows - 1;
    int32_t rows[3], most = 0;
    size_t i;
    rows[0] = way->pad > 0 ? way->pad / way->stride : 0;
    rows[1] = (int32_t)((all - way->ahead) / way->out_row);
    rows[2] = last;
    for (i = 0; i < 5; i++) { /* those three, and what follows the first two */
        const int32_t y = rows[i / 2] + (int32_t)(i % 2), at = y <= last ? nnrt__overlap_at(way, y) : 0;
        if (at > most) most = at;
    }
    return (size_t)most;
}

/* One distance of nnrt__overlap_bytes, of a step that was checked: `below`, or `above`, where its output is computed
   backwards. false: its operands have to lie apart. */
NNRT__FN bool nnrt__overlap_distance(const nnrt__step_view *view, const nnrt__step_kind *kind, bool backwards,
                                     size_t *distance) {
    const nnrt__geometry *g = (const nnrt__geometry *)view->arguments; /* with which arguments of both sorts begin */
    const nnrt__conv_args *args = kind->by_blocks ? nnrt__conv_args_of(view) : NULL;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const size_t in_size = (size_t)in->size, out_size = (size_t)out->size;
    nnrt__overlap_way way;
    size_t pixel, block, columns;
    if (!kind->by_blocks && !kind->by_rows) return false;
    if (args != NULL && (args->block == 0 || args->columns != 0 || args->row_count != out->dims[1])) return false;
    way.in_rows = in->dims[1];
    way.out_rows = out->dims[1];
    way.stride = g->stride_h;
    way.pad = g->pad_top;
    if (in->dims[0] != 1 || way.in_rows > NNRT__OVERLAP_MOST || way.out_rows > NNRT__OVERLAP_MOST || way.pad < 0 ||
        way.pad > NNRT__OVERLAP_MOST || (in->size | out->size) > INT32_MAX / 2)
        return false;
    columns = (size_t)out->dims[2];
    way.out_row = out_size / (size_t)way.out_rows;
    pixel = way.out_row / columns;
    block = args != NULL ? args->block : 1;
    if (block > out_size / pixel) block = out_size / pixel;
    if (kind->by_rows) {
        way.ahead = (block < columns ? 1 : block / columns) * way.out_row;
    } else { /* from any pixel of a row on */
        if ((g->kernel_h | g->kernel_w | g->stride_h | g->stride_w) == 1 && in->dims[2] == out->dims[2] &&
            way.in_rows == way.out_rows && way.pad == 0 && g->pad_left == 0) {
            way.in_rows *= in->dims[2]; /* each is read for itself alone: a map of one column */
            way.out_rows = way.in_rows;
            way.out_row = pixel;
        }
        way.ahead = way.out_row + (block - 1) * pixel;
        if (way.ahead > out_size) way.ahead = out_size;
    }
    way.in_row = in_size / (size_t)way.in_rows;
    if (!backwards) {
        *distance = nnrt__overlap_most(&way);
        return true;
    }
    *distance = in_size;
    if (args == NULL) return true; /* pools go one way alone */
    way.pad = (way.out_rows - 1) * way.stride + (g->kernel_h - 1) * g->dilation_h + 1 - way.pad - way.in_rows;
    *distance += nnrt__overlap_most(&way);
    /* kernels read up to 15 bytes behind a row of A, for nothing */
    if (in_size / (size_t)in->dims[1] / (size_t)in->dims[2] % 16 != 0) *distance += 15;
    *distance = *distance > out_size ? *distance - out_size : 1;
    return true;
}

/* Both distances. */
NNRT__FN bool nnrt__overlap_of(const nnrt__step_view *view, const nnrt__step_kind *kind, nnrt__overlap_bytes *overlap) {
    return nnrt__overlap_distance(view, kind, false, &overlap->below) &&
           nnrt__overlap_distance(view, kind, true, &overlap->above);
}

#endif /* NNRT_CPU_OVERLAP_H */
