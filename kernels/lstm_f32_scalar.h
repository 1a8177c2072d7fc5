/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lstm_f32_scalar.h - what a step of an LSTM does with the sums of its four gates.

   gates  4 * n sums in the order input, output, forget, cell, each of n units; bias: 4 * n to add to them, or NULL
   cell'  sigmoid(forget) * cell + sigmoid(input) * tanh(gate of the cell)
   out    sigmoid(output) * tanh(cell')
   What goes to the next step is zoneout * before + (1 - zoneout) * new, of cell and hidden each; 0: the new one.

   pre    n >= 1; no two of gates, bias, cell, hidden and out overlap.
   post   float throughout: expf and tanhf of the C library. */
#ifndef NNRT_KERNELS_LSTM_F32_SCALAR_H
#define NNRT_KERNELS_LSTM_F32_SCALAR_H

#include "internal.h"
#include "unary_f32_scalar.h"

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__INLINE float nnrt__lstm_sigmoid(float x) { return nnrt__unary_f32_one(NNRT__UNARY_SIGMOID, x, 0.0f, 0.0f); }

NNRT__INLINE float nnrt__lstm_zoneout(float zoneout, float before, float after) {
    return zoneout == 0.0f ? after : zoneout * before + (1.0f - zoneout) * after;
}

NNRT__FN void nnrt__lstm_f32_scalar(const float *gates, const float *bias, size_t n, float zoneout_cell,
                                    float zoneout_hidden, float *cell, float *hidden, float *out) {
    size_t i, k;
    NNRT_ASSERT(n >= 1);
    NNRT_ASSERT(nnrt__is_apart(gates, 4 * n * sizeof(*gates), cell, n * sizeof(*cell)));
    NNRT_ASSERT(nnrt__is_apart(gates, 4 * n * sizeof(*gates), hidden, n * sizeof(*hidden)));
    NNRT_ASSERT(nnrt__is_apart(gates, 4 * n * sizeof(*gates), out, n * sizeof(*out)));
    NNRT_ASSERT(nnrt__is_apart(cell, n * sizeof(*cell), hidden, n * sizeof(*hidden)));
    NNRT_ASSERT(nnrt__is_apart(cell, n * sizeof(*cell), out, n * sizeof(*out)));
    NNRT_ASSERT(nnrt__is_apart(hidden, n * sizeof(*hidden), out, n * sizeof(*out)));
    for (i = 0; i < n; i++) {
        float gate[4], next;
        for (k = 0; k < 4; k++) gate[k] = gates[k * n + i] + (bias != NULL ? bias[k * n + i] : 0.0f);
        next = nnrt__lstm_sigmoid(gate[2]) * cell[i] + nnrt__lstm_sigmoid(gate[0]) * tanhf(gate[3]);
        out[i] = nnrt__lstm_sigmoid(gate[1]) * tanhf(next);
        cell[i] = nnrt__lstm_zoneout(zoneout_cell, cell[i], next);
        hidden[i] = nnrt__lstm_zoneout(zoneout_hidden, hidden[i], out[i]);
    }
}

NNRT__FP_CONTRACT_OFF_END

#endif /* NNRT_KERNELS_LSTM_F32_SCALAR_H */
