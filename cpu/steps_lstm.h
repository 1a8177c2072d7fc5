/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_lstm.h - an LSTM over a whole sequence, with its state as input and output.   >>cpu_steps_lstm

   Operands   lstm_f32  x [seq][batch][inputs], w_x [directions][4 * hidden][inputs], w_h [directions][4 * hidden]
                        [hidden], bias [directions][8 * hidden] or absent, h, c [directions][batch][hidden]
                        | output, h, c [directions][batch][hidden]
   Gates are in the order of kernels/lstm_f32_scalar.h; the bias is that of x, then that of h. The output is
   [seq][directions][batch][hidden] or [seq][batch][directions * hidden]; direction 1 goes from the last step to the
   first. A unit is one row of the batch in one direction: time steps depend on each other, rows and directions do not.
   Nor do the contributions of x to the gates: they are computed for several time steps at once, so that w_x is read
   once for NNRT__LSTM_STEPS of them. Id: 0x1a0. */
#ifndef NNRT_CPU_STEPS_LSTM_H
#define NNRT_CPU_STEPS_LSTM_H

#include "../kernels/lstm_f32_scalar.h"
#include "conv_rows.h"
#include "steps_movement.h"

#define NNRT__LSTM_STEPS 8u /* time steps in one product */

typedef struct nnrt__lstm_args {
    uint32_t seq, batch, inputs, hidden;
    uint32_t directions;   /* 1 or 2 */
    uint32_t by_direction; /* 1: output [seq][directions][batch][hidden]; 0: [seq][batch][directions * hidden] */
    float zoneout_cell, zoneout_hidden;
} nnrt__lstm_args;

NNRT__FN bool nnrt__lstm_is(const nnrt__plan_value *value, uint64_t a, uint64_t b, uint64_t c) {
    return value != NULL && value->dtype == (uint32_t)OH_NN_FLOAT32 &&
           nnrt__movement_product(a, b, c) == nnrt__value_count(value);
}

NNRT__FN bool nnrt__lstm_check(const nnrt__step_view *view) {
    const nnrt__lstm_args *args = (const nnrt__lstm_args *)view->arguments;
    const uint64_t gates = 4 * (uint64_t)args->hidden, rows = (uint64_t)args->directions * args->batch;
    const nnrt__plan_value *bias = nnrt__step_input(view, 3);
    uint32_t i;
    if (args->directions < 1 || args->directions > 2 || args->by_direction > 1 || args->inputs > NNRT__CONV_K_MAX ||
        args->hidden > NNRT__CONV_K_MAX)
        return false;
    for (i = 0; i < 4; i++)
        if (!nnrt__lstm_is(i < 2 ? nnrt__step_input(view, 4 + i) : nnrt__step_output(view, i - 1), rows, args->hidden,
                           1))
            return false;
    return nnrt__lstm_is(nnrt__step_input(view, 0), args->seq, args->batch, args->inputs) &&
           nnrt__lstm_is(nnrt__step_input(view, 1), args->directions, gates, args->inputs) &&
           nnrt__lstm_is(nnrt__step_input(view, 2), args->directions, gates, args->hidden) &&
           (bias == NULL || nnrt__lstm_is(bias, args->directions, 2, gates)) &&
           nnrt__lstm_is(nnrt__step_output(view, 0), args->seq, rows, args->hidden);
}

/* Sums of several time steps, then those of one with the contribution of the hidden state. */
NNRT__FN bool nnrt__lstm_scratch(const nnrt__step_view *view, size_t *bytes) {
    const nnrt__lstm_args *args = (const nnrt__lstm_args *)view->arguments;
    return nnrt__mul_size(args->hidden, (NNRT__LSTM_STEPS + 1) * 4 * sizeof(float), bytes);
}

NNRT__FN uint32_t nnrt__lstm_units(const nnrt__step_view *view) {
    const nnrt__lstm_args *args = (const nnrt__lstm_args *)view->arguments;
    return args->directions * args->batch;
}

NNRT__FN uint64_t nnrt__lstm_work(const nnrt__step_view *view) {
    const nnrt__lstm_args *args = (const nnrt__lstm_args *)view->arguments;
    return (uint64_t)nnrt__value_count(nnrt__step_output(view, 0)) * 4 * ((uint64_t)args->inputs + args->hidden);
}

/* One row of the batch in one direction, for the whole sequence. */
NNRT__FN void nnrt__lstm_row(const nnrt__step_view *view, const nnrt__step_call *call, size_t direction, size_t row) {
    const nnrt__lstm_args *args = (const nnrt__lstm_args *)view->arguments;
    const size_t seq = args->seq, hidden = args->hidden, gates = 4 * hidden;
    const size_t state = (direction * args->batch + row) * hidden;
    const size_t step_size = (size_t)args->directions * args->batch * hidden;
    const size_t place =
        args->by_direction != 0 ? state : (row * args->directions + direction) * hidden; /* in a step of the output */
    const float *bias = call->data[3] == NULL ? NULL : (const float *)call->data[3] + direction * 2 * gates;
    float *h = (float *)call->data[7] + state, *c = (float *)call->data[8] + state;
    float *sums = (float *)call->scratch, *all = sums + NNRT__LSTM_STEPS * gates;
    const float *x[NNRT__LSTM_STEPS], *previous[1];
    nnrt__gemm_raw_f32_args product;
    size_t first, i;
    memcpy(h, (const float *)call->data[4] + state, hidden * sizeof(float));
    memcpy(c, (const float *)call->data[5] + state, hidden * sizeof(float));
    previous[0] = h;
    product.n = product.c_stride = gates;
    product.clamp_min = -INFINITY;
    product.clamp_max = INFINITY;
    for (first = 0; first < seq && !nnrt__atomic_load(call->cancel); first += NNRT__LSTM_STEPS) {
        const size_t steps = seq - first < NNRT__LSTM_STEPS ? seq - first : NNRT__LSTM_STEPS;
        for (i = 0; i < steps; i++) {
            const size_t t = direction == 0 ? first + i : seq - 1 - first - i;
            x[i] = (const float *)call->data[0] + (t * args->batch + row) * args->inputs;
        }
        product.m = steps;
        product.k = product.w_stride = args->inputs;
        product.a = x;
        product.w = (const float *)call->data[1] + direction * gates * args->inputs;
        product.bias = bias;
        product.c = sums;
        view->kernels->gemm_raw_f32(&product);
        product.m = 1;
        product.k = product.w_stride = hidden;
        product.a = previous;
        product.w = (const float *)call->data[2] + direction * gates * hidden;
        product.c = all;
        for (i = 0; i < steps; i++) {
            const size_t t = direction == 0 ? first + i : seq - 1 - first - i;
            product.bias = sums + i * gates;
            view->kernels->gemm_raw_f32(&product);
            nnrt__lstm_f32_scalar(all, bias == NULL ? NULL : bias + gates, hidden, args->zoneout_cell,
                                  args->zoneout_hidden, c, h, (float *)call->data[6] + t * step_size + place);
        }
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__lstm_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__lstm_args *args = (const nnrt__lstm_args *)view->arguments;
    uint32_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++)
        nnrt__lstm_row(view, call, unit / args->batch, unit % args->batch);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__lstm_isa(const nnrt__step_view *view) { return view->kernels->gemm_raw_f32_isa; }

NNRT__STEP_KIND(lstm_f32, INPUTS(6, 6), OUTPUTS(3, 3), ARGUMENTS(nnrt__lstm_args), CHECK(nnrt__lstm_check),
                SCRATCH(nnrt__lstm_scratch), UNITS(nnrt__lstm_units), ISA(nnrt__lstm_isa), RUN(nnrt__lstm_run),
                WORK(nnrt__lstm_work), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_LSTM_H */
