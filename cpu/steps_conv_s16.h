/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_s16.h - products of int16 activations with int8 weights.   >>cpu_steps_conv_s16

   The blocks and lists are those of cpu/steps_conv.h and cpu/steps_conv_dw.h; weights stay unpacked. Padding is 0.

   Operands   conv_s16, fc_s16    input s16, weights [out_c][k] s8, channels | output s16
              dw_s16              input s16, weights [taps][channels] s8, channels | output s16
   channels is INT32 [4][out_c]: bias, upper half of the bias, multiplier, shift; or INT32 [3][out_c] without the second
   where biases and sums have 32 bits (kernels/s16_scalar.h). */
#ifndef NNRT_CPU_STEPS_CONV_S16_H
#define NNRT_CPU_STEPS_CONV_S16_H

#include "../kernels/dw_s16_scalar.h"
#include "../kernels/gemm_s16_scalar.h"
#include "steps_conv_dw.h"

/* --------------------------------------------------------------------------------------- what all have */

/* Types, clamps and the sizes of the constants but the weights; shape is that of the step. */
NNRT__FN bool nnrt__conv_s16_operands(const nnrt__step_view *view, const nnrt__conv_shape *s) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__plan_value *channels = nnrt__step_input(view, 2);
    return nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_INT16 &&
           nnrt__step_output(view, 0)->dtype == (uint32_t)OH_NN_INT16 && args->input_zero_point == 0 &&
           args->output_zero_point == 0 && nnrt__in_range(args->clamp_min, -32768, 32767) &&
           nnrt__in_range(args->clamp_max, args->clamp_min, 32767) &&
           (nnrt__conv_check_count(channels, OH_NN_INT32, (size_t)s->out_c, 3) ||
            nnrt__conv_check_count(channels, OH_NN_INT32, (size_t)s->out_c, 4));
}

/* Are there k weights for each channel? */
NNRT__FN bool nnrt__conv_s16_weights(const nnrt__step_view *view, const nnrt__conv_shape *s) {
    return nnrt__conv_check_count(nnrt__step_input(view, 1), OH_NN_INT8, (size_t)s->out_c, s->k);
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
    return nnrt__conv_shape_of(view, &s) && nnrt__conv_s16_operands(view, &s) && nnrt__conv_s16_weights(view, &s) &&
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
    gemm.w = (const int8_t *)call->data[1] + piece->weights + channel * s->k;
    gemm.w_stride = s->k;
    gemm.channels = nnrt__conv_s16_channels(view, call, (size_t)s->out_c, channel);
    gemm.c = (int16_t *)call->data[view->input_count] + piece->out + piece->first;
    gemm.c_stride = piece->c_stride;
    gemm.clamp_min = args->clamp_min;
    gemm.clamp_max = args->clamp_max;
    view->kernels->gemm_s16(&gemm);
}

/*                type dtype  weights channel per_channel element find */
NNRT__CONV_TRAITS(s16, INT16, INT8, INT32, 4, int16_t, NULL)
NNRT__CONV_KINDS_OF(s16, wide)

NNRT__FN const char *nnrt__conv_s16_isa(const nnrt__step_view *view) { return view->kernels->gemm_s16_isa; }

NNRT__CONV_STEP(conv_s16, s16, 3)
NNRT__CONV_STEP(fc_s16, s16, 3)

/* ------------------------------------------------------------------------------------------------ dw_s16 */

/* There is one kernel, without a packing: the table itself serves as its slot. */
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

static const nnrt__dw_traits nnrt__dw_traits_s16 = {
    OH_NN_INT16, OH_NN_INT8, sizeof(int16_t), nnrt__dw_s16_find, nnrt__dw_s16_has_rows, NULL};

NNRT__FN bool nnrt__dw_s16_check(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_args_of(view)->columns == 0 && nnrt__conv_shape_of(view, &s) && s.in_c == s.out_c &&
           s.group == (size_t)s.in_c && nnrt__conv_s16_operands(view, &s) && nnrt__conv_s16_weights(view, &s);
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

#endif /* NNRT_CPU_STEPS_CONV_S16_H */
