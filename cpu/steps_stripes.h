/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_stripes.h - convolutions that compute a few rows of their output in each turn.   >>cpu_steps_stripes

   The first layers of an image net have large outputs that are needed for one step only. A group of steps (cpu/plan.h)
   never holds them whole. In each turn every step computes just the rows that the next step needs, into a window:
   memory for a few rows of the output. Rows that the next turn needs again move to the front of the window; none is
   computed twice.

       rows 0 ..            base            end of the turn before      end              height of the whole
       |  gone, overwritten  |  kept          |  computed in this turn   |  not yet there  |
                             |<------------------ window ----------------------->|

   end and base move by a fixed number of rows per turn; a tensor that is not cut (the first step's input, the last
   step's output) always has base 0. cpu/stripes.h chooses these numbers. A step does not trust them: it clips rows to
   the windows, as every step clips taps to its input.

   Operands and arguments are those of the step without turns; a window is a tensor of as many rows as it has room for.
   The batch is 1, and a turn is one unit. */
#ifndef NNRT_CPU_STEPS_STRIPES_H
#define NNRT_CPU_STEPS_STRIPES_H

#include "steps_conv_dw.h"

/* Most rows of a cut tensor. */
#define NNRT__STRIPE_MAX 32768

/* The rows of a tensor in its window in turn t: from base + t * slide (at least 0, and 0 in the first turn) up to end +
   t * step (at most height). */
typedef struct nnrt__stripe {
    int32_t height; /* rows of the whole tensor */
    int32_t base, slide;
    int32_t end, step; /* of an input: not used, 0 */
} nnrt__stripe;

typedef struct nnrt__stripes_args {
    nnrt__conv_args conv; /* first_row 0, row_count that of the window */
    nnrt__stripe in, out;
} nnrt__stripes_args;

NNRT__INLINE const nnrt__stripes_args *nnrt__stripes_args_of(const nnrt__step_view *view) {
    return (const nnrt__stripes_args *)view->arguments;
}

/* The first row in the window in turn t. */
NNRT__FN int32_t nnrt__stripe_base(const nnrt__stripe *stripe, uint32_t t) {
    const int64_t base = t == 0 ? 0 : stripe->base + (int64_t)stripe->slide * t;
    return (int32_t)(base < 0 ? 0 : base > stripe->height ? stripe->height : base);
}

/* One past the last row present at the end of turn t; t may be -1. */
NNRT__FN int32_t nnrt__stripe_end(const nnrt__stripe *stripe, int64_t t) {
    const int64_t end = t < 0 ? 0 : stripe->end + stripe->step * t;
    return (int32_t)(end < stripe->height ? end : stripe->height);
}

/* Does a turn need rows of the previous one? */
NNRT__INLINE bool nnrt__stripe_keeps(const nnrt__stripe *stripe) { return stripe->end - stripe->step > stripe->base; }

/* ------------------------------------------------------------------------------------------------- checks */

NNRT__FN bool nnrt__stripe_check(const nnrt__stripe *stripe) {
    return nnrt__in_range(stripe->height, 1, NNRT__STRIPE_MAX) &&
           nnrt__in_range(stripe->base, -NNRT__STRIPE_MAX, NNRT__STRIPE_MAX) &&
           nnrt__in_range(stripe->slide, 0, NNRT__STRIPE_MAX) && nnrt__in_range(stripe->end, 0, NNRT__STRIPE_MAX) &&
           nnrt__in_range(stripe->step, 0, NNRT__STRIPE_MAX);
}

/* Checks what a kind with turns adds; the check of the kind without turns has passed. No coordinate leaves int32: both
   windows count rows from their base. */
NNRT__FN bool nnrt__stripes_check(const nnrt__step_view *view) {
    const nnrt__stripes_args *args = nnrt__stripes_args_of(view);
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    return view->step->turns != 0 && args->conv.columns == 0 && in->dims[0] == 1 && nnrt__stripe_check(&args->in) &&
           nnrt__stripe_check(&args->out) && in->dims[1] <= args->in.height && out->dims[1] <= args->out.height &&
           args->conv.row_count == out->dims[1] &&
           nnrt__geometry_check(&args->conv.geometry, 2 * args->out.height, out->dims[2], NNRT__TAPS_MAX);
}

/* Products of all turns, which compute each row at most once, plus the cost of a call per turn. */
NNRT__FN uint64_t nnrt__stripes_work(const nnrt__step_view *view) {
    const nnrt__stripes_args *args = nnrt__stripes_args_of(view);
    nnrt__conv_shape room;
    const nnrt__conv_shape *s = nnrt__conv_sizes(view, &room);
    return (uint64_t)args->out.height * (uint64_t)s->out_w * (uint64_t)s->out_c * s->k + view->step->turns;
}

/* ------------------------------------------------------------------------------------------------- a turn */

/* Moves the rows that are kept to the front of the window. row: bytes. */
NNRT__FN void nnrt__stripe_slide(const nnrt__stripe *stripe, uint32_t t, uint8_t *window, int32_t rows, size_t row) {
    const int32_t base = nnrt__stripe_base(stripe, t), from = base - nnrt__stripe_base(stripe, t == 0 ? 0 : t - 1);
    int32_t count = nnrt__stripe_end(stripe, (int64_t)t - 1) - base;
    if (from <= 0 || from >= rows || count <= 0) return;
    if (count > rows - from) count = rows - from;
    memmove(window, window + (size_t)from * row, (size_t)count * row);
}

/* Converts the shape and geometry of the windows to those of turn t: its output rows, and the input rows present.
   false: it computes none. */
NNRT__FN bool nnrt__stripes_turn(const nnrt__stripes_args *args, uint32_t t, nnrt__conv_shape *s, nnrt__geometry *g) {
    const int32_t in_base = nnrt__stripe_base(&args->in, t), out_base = nnrt__stripe_base(&args->out, t);
    int32_t first = nnrt__stripe_end(&args->out, (int64_t)t - 1) - out_base;
    int32_t last = nnrt__stripe_end(&args->out, t) - out_base;
    const int32_t there = args->in.height - in_base;
    if (first < 0) first = 0;
    if (last > s->out_h) last = s->out_h;
    if (last <= first) return false;
    if (there < s->in_h) s->in_h = there;
    s->first_row = first;
    s->row_count = last - first;
    s->pixels = (size_t)s->row_count * (size_t)s->out_w;
    g->pad_top += in_base - out_base * g->stride_h;
    return true;
}

/* The output's window and its rows, and the turn. */
NNRT__FN bool nnrt__stripes_begin(const nnrt__step_view *view, const nnrt__step_call *call, nnrt__conv_shape *s,
                                  nnrt__geometry *g) {
    const nnrt__stripes_args *args = nnrt__stripes_args_of(view);
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    nnrt__stripe_slide(&args->out, call->turn, (uint8_t *)call->data[view->input_count], out->dims[1],
                       (size_t)(out->size / (uint64_t)out->dims[1]));
    return nnrt__stripes_turn(args, call->turn, s, g);
}

NNRT__FN void nnrt__conv_stripes_run(const nnrt__step_view *view, const nnrt__step_call *call,
                                     nnrt__conv_product product) {
    nnrt__conv_ready ready = *(const nnrt__conv_ready *)view->ready;
    nnrt__geometry geometry = *ready.geometry;
    nnrt__step_call all = *call;
    if (!nnrt__stripes_begin(view, call, &ready.shape, &geometry)) return;
    ready.geometry = &geometry;
    ready.splits = 1;
    ready.units = (ready.shape.pixels + ready.block - 1) / ready.block;
    all.first = 0;
    all.last = (uint32_t)ready.units;
    nnrt__conv_run(view, &all, &ready, NULL, product);
}

NNRT__FN void nnrt__dw_stripes_run(const nnrt__step_view *view, const nnrt__step_call *call, nnrt__dw_kernel listed,
                                   nnrt__dw_kernel by_rows) {
    nnrt__dw_ready ready = *(const nnrt__dw_ready *)view->ready;
    nnrt__geometry geometry = *ready.geometry;
    nnrt__step_call all = *call;
    if (!nnrt__stripes_begin(view, call, &ready.shape, &geometry)) return;
    ready.geometry = &geometry;
    all.first = 0;
    all.last = (uint32_t)((size_t)ready.shape.row_count * ready.chunks);
    nnrt__dw_rows_run(view, &all, &ready, listed, by_rows);
}

/* ---------------------------------------------------------------------------------------------- the kinds */

/* clang-format off */
#define NNRT__STRIPES_STEP(type, inputs)                                                        \
    NNRT__FN bool nnrt__##type##_stripes_check(const nnrt__step_view *view) {                           \
        return nnrt__##type##_check(view) && nnrt__stripes_check(view);                                 \
    }                                                                                                   \
    NNRT__STEP_KIND(type##_stripes, INPUTS(inputs, inputs), OUTPUTS(1, 1), ARGUMENTS(nnrt__stripes_args), \
                    CHECK(nnrt__##type##_stripes_check), SCRATCH(nnrt__##type##_scratch), UNITS(NULL), \
                    ISA(nnrt__##type##_isa), RUN(nnrt__##type##_stripes_run), WORK(nnrt__stripes_work), \
                    READY(nnrt__##type##_ready, nnrt__##type##_prepare))
#define NNRT__CONV_STRIPES(type, inputs)                                                        \
    typedef nnrt__conv_ready nnrt__conv_##type##_ready;                                                 \
    NNRT__FN OH_NN_ReturnCode nnrt__conv_##type##_stripes_run(const nnrt__step_view *view,              \
                                                              const nnrt__step_call *call) {            \
        nnrt__conv_stripes_run(view, call, nnrt__conv_##type##_product);                                \
        return OH_NN_SUCCESS;                                                                           \
    }                                                                                                   \
    NNRT__STRIPES_STEP(conv_##type, inputs)
#define NNRT__DW_STRIPES(type)                                                                  \
    typedef nnrt__dw_ready nnrt__dw_##type##_ready;                                                     \
    NNRT__FN OH_NN_ReturnCode nnrt__dw_##type##_stripes_run(const nnrt__step_view *view,                \
                                                            const nnrt__step_call *call) {              \
        nnrt__dw_stripes_run(view, call, nnrt__dw_##type##_listed, nnrt__dw_##type##_by_rows);          \
        return OH_NN_SUCCESS;                                                                           \
    }                                                                                                   \
    NNRT__STRIPES_STEP(dw_##type, 2)
/* clang-format on */

NNRT__CONV_STRIPES(s8, 2)
NNRT__CONV_STRIPES(raw_s8, 3)
NNRT__CONV_STRIPES(f32, 2)
NNRT__CONV_STRIPES(raw_f32, 3)
NNRT__DW_STRIPES(s8)
NNRT__DW_STRIPES(f32)

#endif /* NNRT_CPU_STEPS_STRIPES_H */
