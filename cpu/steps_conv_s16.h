/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_s16.h - products of int16 activations with int8 weights.   >>cpu_steps_conv_s16

   The blocks and lists are those of cpu/steps_conv.h and cpu/steps_conv_dw.h; weights stay unpacked. Padding is 0.

   Operands   conv_s16, fc_s16    input s16, weights [out_c][k] s8, channels | output s16
              dw_s16              input s16, weights [taps][channels] s8, channels | output s16
              conv_transpose_s16  input s16, weights [out_c][taps][in_c / group] s8, channels | output s16
   channels is INT32 [4][out_c]: bias, upper half of the bias, multiplier, shift; or INT32 [3][out_c] without the second
   where biases and sums have 32 bits (kernels/s16_scalar.h). */
#ifndef NNRT_CPU_STEPS_CONV_S16_H
#define NNRT_CPU_STEPS_CONV_S16_H

#include "../kernels/dw_s16_scalar.h"
#include "../kernels/gemm_s16_scalar.h"
#include "steps_conv_dw.h"
#include "steps_conv_hybrid.h"

/* --------------------------------------------------------------------------------------- what all have */

/* Types, clamps and the sizes of the constants; shape is that of the step. */
NNRT__FN bool nnrt__conv_s16_operands(const nnrt__step_view *view, const nnrt__conv_shape *s) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__plan_value *channels = nnrt__step_input(view, 2);
    return nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_INT16 &&
           nnrt__step_output(view, 0)->dtype == (uint32_t)OH_NN_INT16 && args->input_zero_point == 0 &&
           args->output_zero_point == 0 && nnrt__in_range(args->clamp_min, -32768, 32767) &&
           nnrt__in_range(args->clamp_max, args->clamp_min, 32767) &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), OH_NN_INT8, (size_t)s->out_c, s->k) &&
           (nnrt__conv_check_count(channels, OH_NN_INT32, (size_t)s->out_c, 3) ||
            nnrt__conv_check_count(channels, OH_NN_INT32, (size_t)s->out_c, 4));
}

/* The constants of the channels from `first` on. */
NNRT__INLINE nnrt__channels_s16 nnrt__conv_s16_channels(const nnrt__step_view *view, const nnrt__step_call *call,
                                                        size_t out_c, size_t first) {
    const bool wide = nnrt__value_count(nnrt__step_input(view, 2)) == 4 * out_c;
    nnrt__channels_s16 channels;
    channels.bias = (const int32_t *)call->data[2] + first;
    channels.bias_high = wide ? channels.bias + out_c : NULL;
    channels.multiplier = channels.bias + (wide ? 2 : 1) * out_c;
    channels.shift = channels.multiplier + out_c;
    return channels;
}

/* --------------------------------------------------------------------------------- conv_s16 and fc_s16 */

NNRT__FN bool nnrt__conv_wide_check(const nnrt__step_view *view, const nnrt__conv_traits *traits) {
    nnrt__conv_shape s;
    (void)traits;
    return nnrt__conv_shape_of(view, &s) && nnrt__conv_s16_operands(view, &s) &&
           nnrt__conv_args_of(view)->span == s.taps;
}

NNRT__CONV_FAST void nnrt__conv_s16_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                            const nnrt__conv_ready *r, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &r->shape;
    const size_t channel = piece->group * s->n + piece->first;
    nnrt__gemm_s16_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.k = s->k;
    gemm.a = (const int16_t *const *)piece->a;
    gemm.w = (const int8_t *)call->data[1] + channel * s->k;
    gemm.w_stride = s->k;
    gemm.channels = nnrt__conv_s16_channels(view, call, (size_t)s->out_c, channel);
    gemm.c = (int16_t *)call->data[view->input_count] + nnrt__conv_output(r, piece);
    gemm.c_stride = (size_t)s->out_c;
    gemm.clamp_min = args->clamp_min;
    gemm.clamp_max = args->clamp_max;
    view->kernels->gemm_s16(&gemm);
}

static const nnrt__conv_traits nnrt__conv_traits_s16 = {OH_NN_INT16,     OH_NN_INT8, OH_NN_INT32,           4,
                                                        sizeof(int16_t), NULL,       nnrt__conv_s16_product};

NNRT__CONV_KINDS_OF(s16, wide)

NNRT__FN const char *nnrt__conv_s16_isa(const nnrt__step_view *view) { return view->kernels->gemm_s16_isa; }

NNRT__CONV_STEP(conv_s16, s16, 3)
NNRT__CONV_STEP(fc_s16, s16, 3)

/* ------------------------------------------------------------------------------------------------ dw_s16 */

/* There is one kernel, without a packing: what stands for its slot is the table. */
NNRT__FN const void *nnrt__dw_s16_find(const nnrt__cpu_table *kernels, uint32_t packing, const nnrt__packing **row,
                                       const char **isa) {
    (void)packing;
    *row = NULL;
    *isa = kernels->dw_s16_isa;
    return kernels;
}

NNRT__FN bool nnrt__dw_s16_has_rows(const void *slot) {
    (void)slot;
    return false;
}

static const nnrt__dw_traits nnrt__dw_traits_s16 = {OH_NN_INT16, OH_NN_INT8, sizeof(int16_t), nnrt__dw_s16_find,
                                                    nnrt__dw_s16_has_rows};

NNRT__FN bool nnrt__dw_s16_check(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_args_of(view)->columns == 0 && nnrt__conv_shape_of(view, &s) && s.in_c == s.out_c &&
           s.group == (size_t)s.in_c && nnrt__conv_s16_operands(view, &s);
}

NNRT__FN void nnrt__dw_s16_listed(const nnrt__dw_part *part) {
    const size_t channels = (size_t)part->ready->shape.in_c;
    nnrt__dw_s16_args dw;
    dw.pixels = part->count;
    dw.channels = channels;
    dw.tap_count = part->ready->shape.taps;
    dw.taps = (const int16_t *const *)(void *)part->scratch;
    dw.w = (const int8_t *)part->weights;
    dw.constants = nnrt__conv_s16_channels(part->view, part->call, channels, 0);
    dw.out = (int16_t *)(void *)part->out + part->ox * channels;
    dw.clamp_min = part->args->clamp_min;
    dw.clamp_max = part->args->clamp_max;
    ((const nnrt__cpu_table *)part->ready->slot)->dw_s16(&dw);
}

NNRT__DW_STEP(s16, 3, nnrt__dw_s16_listed)

/* ----------------------------------------------------------------------------------- conv_transpose_s16 */

NNRT__FN bool nnrt__conv_transpose_s16_check(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_transpose_shape_of(view, &s) && nnrt__conv_s16_operands(view, &s);
}

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

NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    nnrt__channels_s16 channels;
    nnrt__conv_shape s;
    size_t unit, o;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
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
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(conv_transpose_s16, INPUTS(3, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args),
                CHECK(nnrt__conv_transpose_s16_check), SCRATCH(NULL), UNITS(nnrt__conv_transpose_units), ISA(NULL),
                RUN(nnrt__conv_transpose_s16_run), WORK(nnrt__conv_transpose_work), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_CONV_S16_H */
