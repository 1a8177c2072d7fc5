/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_sequence_lstm.h - TensorFlow Lite's LSTM over a sequence.   >>cpu_steps_sequence_lstm

   Operands   sequence_lstm_f32  x, w_x [gates][units][inputs], w_h [gates][units][outputs], bias [gates * units],
                                 scales, peephole [3 * units], norm [gates * units], projection [outputs][units], its
                                 bias [outputs], h [batch * outputs], c [batch * units] | y, h, c
              sequence_lstm_s16  x s8 or s16, w_x s8, w_h s8, channels of x, channels of h, sigmoid table UINT16 [256],
                                 h as x, c s16 | y, h as x, c s16
   Gates are in the order of kernels/sequence_lstm_scalar.h; all but x, weights, h and c may be absent in float. Hybrid:
   weights are s8, and scales f32 [2 * gates + 1]: of w_x, w_h, each per gate, and of the projection. channels: as
   cpu/steps_conv_s16.h has them, of gates * units. x and y are [steps][batch][...] or, time_major 0,
   [batch][steps][...].
   A unit is one element of the batch: time steps depend on each other. Ids: 0x1a3, 0x1a4. */
#ifndef NNRT_CPU_STEPS_SEQUENCE_LSTM_H
#define NNRT_CPU_STEPS_SEQUENCE_LSTM_H

#include "../kernels/gemm_s16_scalar.h"
#include "../kernels/hybrid_s8_scalar.h"
#include "../kernels/sequence_lstm_scalar.h"
#include "steps_conv_hybrid.h"
#include "steps_movement.h"

typedef struct nnrt__sequence_lstm_args {
    uint32_t steps, batch, inputs, units, outputs; /* outputs: of the projection, else units */
    uint32_t gates;                                /* 4, or 3: no input gate */
    uint32_t time_major;                           /* 0, 1 */
    float cell_clip, projection_clip;              /* float; 0: none */
    int32_t x_zero_point;                          /* int8 and int16 */
    nnrt__lstm_s16_args s16;
} nnrt__sequence_lstm_args;

NNRT__INLINE const nnrt__sequence_lstm_args *nnrt__slstm_args_of(const nnrt__step_view *view) {
    return (const nnrt__sequence_lstm_args *)view->arguments;
}

/* Is value of that type, with a * b * c elements? */
NNRT__FN bool nnrt__slstm_is(const nnrt__plan_value *value, OH_NN_DataType dtype, uint64_t a, uint64_t b, uint64_t c) {
    return value != NULL && value->dtype == (uint32_t)dtype &&
           nnrt__movement_product(a, b, c) == nnrt__value_count(value);
}

/* Is it absent, or as above? */
NNRT__FN bool nnrt__slstm_may(const nnrt__plan_value *value, OH_NN_DataType dtype, uint64_t a, uint64_t b) {
    return value == NULL || nnrt__slstm_is(value, dtype, a, b, 1);
}

/* Checks x, h, c and the outputs; h: number of that input. */
NNRT__FN bool nnrt__slstm_ends(const nnrt__step_view *view, uint32_t h, OH_NN_DataType dtype, OH_NN_DataType cell) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    if (args->inputs > NNRT__HYBRID_K_MAX || args->units > NNRT__HYBRID_K_MAX || args->outputs > NNRT__HYBRID_K_MAX ||
        args->inputs == 0 || args->units == 0 || args->outputs == 0 || args->time_major > 1 ||
        (args->gates != 4 && args->gates != 3))
        return false;
    return nnrt__slstm_is(nnrt__step_input(view, 0), dtype, args->steps, args->batch, args->inputs) &&
           nnrt__slstm_is(nnrt__step_input(view, h), dtype, args->batch, args->outputs, 1) &&
           nnrt__slstm_is(nnrt__step_input(view, h + 1), cell, args->batch, args->units, 1) &&
           nnrt__slstm_is(nnrt__step_output(view, 0), dtype, args->steps, args->batch, args->outputs) &&
           nnrt__slstm_is(nnrt__step_output(view, 1), dtype, args->batch, args->outputs, 1) &&
           nnrt__slstm_is(nnrt__step_output(view, 2), cell, args->batch, args->units, 1);
}

NNRT__FN bool nnrt__slstm_weights(const nnrt__step_view *view, OH_NN_DataType dtype) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    return nnrt__slstm_is(nnrt__step_input(view, 1), dtype, args->gates, args->units, args->inputs) &&
           nnrt__slstm_is(nnrt__step_input(view, 2), dtype, args->gates, args->units, args->outputs);
}

NNRT__FN uint32_t nnrt__slstm_units(const nnrt__step_view *view) { return nnrt__slstm_args_of(view)->batch; }

NNRT__FN uint64_t nnrt__slstm_work(const nnrt__step_view *view) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    return (uint64_t)args->steps * args->batch * args->units *
           ((uint64_t)args->gates * ((uint64_t)args->inputs + args->outputs) + args->outputs);
}

/* The element of x (width: inputs) or y (width: outputs) at which time step t of row b begins. */
NNRT__INLINE size_t nnrt__slstm_at(const nnrt__sequence_lstm_args *args, size_t t, size_t b, size_t width) {
    return (args->time_major != 0 ? t * args->batch + b : b * args->steps + t) * width;
}

/* ----------------------------------------------------------------------------------------------------- float */

NNRT__FN bool nnrt__sequence_lstm_f32_check(const nnrt__step_view *view) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    const nnrt__plan_value *projection = nnrt__step_input(view, 7);
    const bool hybrid = nnrt__step_input(view, 4) != NULL;
    const OH_NN_DataType weights = hybrid ? OH_NN_INT8 : OH_NN_FLOAT32;
    return nnrt__slstm_ends(view, 9, OH_NN_FLOAT32, OH_NN_FLOAT32) && nnrt__slstm_weights(view, weights) &&
           nnrt__slstm_may(nnrt__step_input(view, 3), OH_NN_FLOAT32, args->gates, args->units) &&
           nnrt__slstm_may(nnrt__step_input(view, 4), OH_NN_FLOAT32, 2 * args->gates + 1, 1) &&
           nnrt__slstm_may(nnrt__step_input(view, 5), OH_NN_FLOAT32, 3, args->units) &&
           nnrt__slstm_may(nnrt__step_input(view, 6), OH_NN_FLOAT32, args->gates, args->units) &&
           (projection != NULL ? nnrt__slstm_is(projection, weights, args->outputs, args->units, 1)
                               : args->outputs == args->units) &&
           nnrt__slstm_may(nnrt__step_input(view, 8), OH_NN_FLOAT32, args->outputs, 1) && args->cell_clip >= 0.0f &&
           args->projection_clip >= 0.0f;
}

/* Sums of x, those with h, the hidden units before their projection, and a quantized row: the longest of x, h and
   units. */
NNRT__FN bool nnrt__sequence_lstm_f32_scratch(const nnrt__step_view *view, size_t *bytes) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    size_t row = args->inputs > args->outputs ? args->inputs : args->outputs;
    if (args->units > row) row = args->units;
    return nnrt__mul_size(args->units, 9 * sizeof(float), bytes) && nnrt__add_size(*bytes, row, bytes);
}

/* c = w * a + bias for n rows of w: in float, or of int8 with the scales at w_scale, each for `each` rows. */
NNRT__FN void nnrt__slstm_product(const nnrt__step_view *view, const float *a, size_t k, const void *w, size_t n,
                                  const float *w_scale, size_t each, const float *bias, int8_t *row, float *c) {
    const int8_t *rows[1];
    size_t done;
    nnrt__gemm_hybrid_args hybrid;
    nnrt__gemm_raw_f32_args product;
    if (w_scale == NULL) {
        product.m = 1;
        product.n = product.c_stride = n;
        product.k = product.w_stride = k;
        product.a = &a;
        product.w = (const float *)w;
        product.bias = bias;
        product.c = c;
        product.clamp_min = -INFINITY;
        product.clamp_max = INFINITY;
        view->kernels->gemm_raw_f32(&product);
        return;
    }
    view->kernels->quantize_symmetric_f32(a, k, row, &hybrid.a_scale);
    rows[0] = row;
    hybrid.m = 1;
    hybrid.n = hybrid.c_stride = each;
    hybrid.k = hybrid.w_stride = k;
    hybrid.a = rows;
    hybrid.w_scale_stride = 0;
    hybrid.clamp_min = -INFINITY;
    hybrid.clamp_max = INFINITY;
    for (done = 0; done < n; done += each) {
        hybrid.w = (const int8_t *)w + done * k;
        hybrid.w_scale = w_scale++;
        hybrid.bias = bias != NULL ? bias + done : NULL;
        hybrid.c = c + done;
        view->kernels->gemm_hybrid(&hybrid);
    }
}

NNRT__FN void nnrt__sequence_lstm_f32_row(const nnrt__step_view *view, const nnrt__step_call *call, size_t b) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    const size_t units = args->units, outputs = args->outputs, all = args->gates * units;
    const float *scales = (const float *)call->data[4];
    const float *h_scales = scales != NULL ? scales + args->gates : NULL;
    float *x_sums = (float *)call->scratch, *sums = x_sums + 4 * units, *hidden = sums + 4 * units;
    int8_t *row = (int8_t *)(hidden + units);
    float *h = (float *)call->data[12] + b * outputs, *c = (float *)call->data[13] + b * units;
    nnrt__gates_f32 gates;
    size_t t, i;
    gates.bias = (const float *)call->data[3];
    gates.peephole = (const float *)call->data[5];
    gates.norm = (const float *)call->data[6];
    memcpy(h, (const float *)call->data[9] + b * outputs, outputs * sizeof(float));
    memcpy(c, (const float *)call->data[10] + b * units, units * sizeof(float));
    for (t = 0; t < args->steps && !nnrt__atomic_load(call->cancel); t++) {
        const float *x = (const float *)call->data[0] + nnrt__slstm_at(args, t, b, args->inputs);
        float *y = (float *)call->data[11] + nnrt__slstm_at(args, t, b, outputs);
        nnrt__slstm_product(view, x, args->inputs, call->data[1], all, scales, units, NULL, row, x_sums);
        nnrt__slstm_product(view, h, outputs, call->data[2], all, h_scales, units, x_sums, row, sums);
        nnrt__sequence_lstm_f32_scalar(&gates, args->gates, units, args->cell_clip, sums, c, hidden);
        if (call->data[7] == NULL) {
            memcpy(h, hidden, units * sizeof(float));
        } else {
            nnrt__slstm_product(view, hidden, units, call->data[7], outputs,
                                scales != NULL ? scales + 2 * args->gates : NULL, outputs, (const float *)call->data[8],
                                row, h);
            for (i = 0; args->projection_clip > 0.0f && i < outputs; i++)
                h[i] = nnrt__clamp_f32(h[i], -args->projection_clip, args->projection_clip);
        }
        memcpy(y, h, outputs * sizeof(float));
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__sequence_lstm_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    uint32_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++) nnrt__sequence_lstm_f32_row(view, call, unit);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__sequence_lstm_f32_isa(const nnrt__step_view *view) {
    return nnrt__step_input(view, 4) != NULL ? view->kernels->gemm_hybrid_isa : view->kernels->gemm_raw_f32_isa;
}

/* ----------------------------------------------------------------------------------------------------- int16 */

/* Channels with biases of 64 bits or of 32. */
NNRT__FN bool nnrt__slstm_is_channels(const nnrt__plan_value *value, uint64_t count) {
    return nnrt__slstm_is(value, OH_NN_INT32, 3, count, 1) || nnrt__slstm_is(value, OH_NN_INT32, 4, count, 1);
}

NNRT__FN bool nnrt__slstm_is_factor(int32_t multiplier, int32_t shift) {
    return multiplier >= 0 && shift >= -31 && shift <= 30;
}

NNRT__FN bool nnrt__sequence_lstm_s16_check(const nnrt__step_view *view) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    const nnrt__lstm_s16_args *s16 = &args->s16;
    const uint64_t channels = (uint64_t)args->gates * args->units;
    const nnrt__plan_value *x = nnrt__step_input(view, 0), *table = nnrt__step_input(view, 5);
    const bool bytes = x != NULL && x->dtype == (uint32_t)OH_NN_INT8;
    const int32_t low = bytes ? -128 : -32768, high = bytes ? 127 : 32767;
    return nnrt__slstm_ends(view, 6, bytes ? OH_NN_INT8 : OH_NN_INT16, OH_NN_INT16) && args->gates == 4 &&
           args->outputs == args->units && nnrt__slstm_weights(view, OH_NN_INT8) &&
           nnrt__slstm_is_channels(nnrt__step_input(view, 3), channels) &&
           nnrt__slstm_is_channels(nnrt__step_input(view, 4), channels) && nnrt__value_is(table, OH_NN_UINT16, 1) &&
           table->dims[0] == NNRT__SIGMOID_TABLE && nnrt__in_range(args->x_zero_point, low, high) &&
           (bytes || (args->x_zero_point == 0 && s16->hidden_zero_point == 0)) &&
           nnrt__in_range(s16->hidden_zero_point, low, high) && s16->hidden_min == low && s16->hidden_max == high &&
           nnrt__slstm_is_factor(s16->forget_multiplier, s16->forget_shift) &&
           nnrt__slstm_is_factor(s16->input_multiplier, s16->input_shift) &&
           nnrt__slstm_is_factor(s16->hidden_multiplier, s16->hidden_shift) &&
           nnrt__in_range(s16->cell_clip, 0, 32767) && nnrt__in_range(s16->tanh_multiplier, 0, 32767) &&
           nnrt__in_range(s16->tanh_shift, 0, 31);
}

/* Sums of x and of h, a row of x, a row of h. */
NNRT__FN bool nnrt__sequence_lstm_s16_scratch(const nnrt__step_view *view, size_t *bytes) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    return nnrt__mul_size(args->units, 9 * sizeof(int16_t), bytes) &&
           nnrt__add_size(*bytes, args->inputs * sizeof(int16_t), bytes);
}

/* A row in 16 bits, without its zero point: where it is, or in `to`. */
NNRT__INLINE const int16_t *nnrt__slstm_wide_row(const void *row, bool bytes, int32_t zero_point, size_t n,
                                                 int16_t *to) {
    size_t i;
    if (!bytes) return (const int16_t *)row;
    for (i = 0; i < n; i++) to[i] = (int16_t)(((const int8_t *)row)[i] - zero_point);
    return to;
}

/* The sums of all gates: w * a. which: 1 of x, 2 of h. */
NNRT__FN void nnrt__slstm_gates_s16(const nnrt__step_view *view, const nnrt__step_call *call, uint32_t which,
                                    const int16_t *a, size_t k, int16_t *c) {
    const size_t n = (size_t)4 * nnrt__slstm_args_of(view)->units;
    const int32_t *channels = (const int32_t *)call->data[which + 2];
    const bool wide = nnrt__value_count(nnrt__step_input(view, which + 2)) == 4 * n;
    nnrt__gemm_s16_args gemm;
    gemm.m = 1;
    gemm.n = gemm.c_stride = n;
    gemm.k = gemm.w_stride = k;
    gemm.a = &a;
    gemm.w = (const int8_t *)call->data[which];
    gemm.channels.bias = channels;
    gemm.channels.bias_high = wide ? channels + n : NULL;
    gemm.channels.multiplier = channels + (wide ? 2 : 1) * n;
    gemm.channels.shift = gemm.channels.multiplier + n;
    gemm.c = c;
    gemm.clamp_min = -32768;
    gemm.clamp_max = 32767;
    view->kernels->gemm_s16(&gemm);
}

NNRT__FN void nnrt__sequence_lstm_s16_row(const nnrt__step_view *view, const nnrt__step_call *call, size_t b) {
    const nnrt__sequence_lstm_args *args = nnrt__slstm_args_of(view);
    const size_t units = args->units;
    const bool bytes = nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_INT8;
    const size_t width = bytes ? 1 : sizeof(int16_t);
    int16_t *x_sums = (int16_t *)call->scratch, *h_sums = x_sums + 4 * units, *h_row = h_sums + 4 * units;
    int16_t *x_row = h_row + units, *c = (int16_t *)call->data[10] + b * units;
    uint8_t *h = (uint8_t *)call->data[9] + b * units * width;
    size_t t, i;
    memcpy(h, (const uint8_t *)call->data[6] + b * units * width, units * width);
    memcpy(c, (const int16_t *)call->data[7] + b * units, units * sizeof(int16_t));
    for (t = 0; t < args->steps && !nnrt__atomic_load(call->cancel); t++) {
        const uint8_t *x = (const uint8_t *)call->data[0] + nnrt__slstm_at(args, t, b, args->inputs) * width;
        uint8_t *y = (uint8_t *)call->data[8] + nnrt__slstm_at(args, t, b, units) * width;
        nnrt__slstm_gates_s16(view, call, 1, nnrt__slstm_wide_row(x, bytes, args->x_zero_point, args->inputs, x_row),
                              args->inputs, x_sums);
        nnrt__slstm_gates_s16(view, call, 2, nnrt__slstm_wide_row(h, bytes, args->s16.hidden_zero_point, units, h_row),
                              units, h_sums);
        for (i = 0; i < units; i++) {
            const int32_t hidden =
                nnrt__sequence_lstm_s16_one(&args->s16, (const uint16_t *)call->data[5], x_sums, h_sums, units, i, c);
            if (bytes) ((int8_t *)(void *)h)[i] = (int8_t)hidden;
            else ((int16_t *)(void *)h)[i] = (int16_t)hidden;
        }
        memcpy(y, h, units * width);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__sequence_lstm_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    uint32_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++) nnrt__sequence_lstm_s16_row(view, call, unit);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__sequence_lstm_s16_isa(const nnrt__step_view *view) { return view->kernels->gemm_s16_isa; }

#define NNRT__SEQUENCE_LSTM_STEP(type, inputs)                                                                        \
    NNRT__STEP_KIND(sequence_lstm_##type, INPUTS(inputs, inputs), OUTPUTS(3, 3), ARGUMENTS(nnrt__sequence_lstm_args), \
                    CHECK(nnrt__sequence_lstm_##type##_check), SCRATCH(nnrt__sequence_lstm_##type##_scratch),         \
                    UNITS(nnrt__slstm_units), ISA(nnrt__sequence_lstm_##type##_isa),                                  \
                    RUN(nnrt__sequence_lstm_##type##_run), WORK(nnrt__slstm_work), NOTHING_READY)

NNRT__SEQUENCE_LSTM_STEP(f32, 11)
NNRT__SEQUENCE_LSTM_STEP(s16, 8)
#undef NNRT__SEQUENCE_LSTM_STEP

#endif /* NNRT_CPU_STEPS_SEQUENCE_LSTM_H */
