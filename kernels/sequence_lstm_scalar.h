/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/sequence_lstm_scalar.h - what a step of time does with the gates of TensorFlow Lite's sequence LSTM.

   Gates stand one behind the other, n units each, in the order forget, cell, output, input; without an input gate it is
   1 - forget.
   cell'   clip(forget * cell + input * gate of the cell)
   hidden  output * tanh(cell')

   float   gate = function(norm(x and h sums + peephole * cell) * norm weights + bias), where what is absent counts for
           nothing; the peephole of the output gate looks at cell'. norm makes mean 0 and variance 1 over the n units.
   int16   gates are Q3.12, their functions Q0.15; the scale of the cell is a power of two. Sums and products saturate
           at 16 bits, as in TensorFlow Lite's kernels for microcontrollers; no peephole, no norm, always four gates. */
#ifndef NNRT_KERNELS_SEQUENCE_LSTM_SCALAR_H
#define NNRT_KERNELS_SEQUENCE_LSTM_SCALAR_H

#include "lstm_f32_scalar.h"
#include "unary_s16_scalar.h"

enum {
    NNRT__GATE_FORGET = 0,
    NNRT__GATE_CELL = 1,
    NNRT__GATE_OUTPUT = 2,
    NNRT__GATE_INPUT = 3
};

/* ----------------------------------------------------------------------------------------------------- float */

/* What goes with the gates, n numbers for each of them; each may be NULL. */
typedef struct nnrt__gates_f32 {
    const float *bias, *norm; /* forget, cell, output, input */
    const float *peephole;    /* forget, output, input */
} nnrt__gates_f32;

NNRT__FP_CONTRACT_OFF_BEGIN

/* Mean 0 and variance 1, in float, then times weights. */
NNRT__FN void nnrt__gate_norm_f32(float *gate, size_t n, const float *weights) {
    float mean = 0.0f, variance = 0.0f, factor;
    size_t i;
    for (i = 0; i < n; i++) mean += gate[i];
    mean /= (float)n;
    for (i = 0; i < n; i++) variance += (gate[i] - mean) * (gate[i] - mean);
    factor = 1.0f / sqrtf(variance / (float)n + 1e-8f);
    for (i = 0; i < n; i++) gate[i] = (gate[i] - mean) * factor * weights[i];
}

/* The sums of one gate become its function. peephole: n weights of the cell, or NULL. */
NNRT__FN void nnrt__gate_f32(const nnrt__gates_f32 *gates, uint32_t which, const float *peephole, const float *cell,
                             float *gate, size_t n) {
    size_t i;
    for (i = 0; peephole != NULL && i < n; i++) gate[i] += peephole[i] * cell[i];
    if (gates->norm != NULL) nnrt__gate_norm_f32(gate, n, gates->norm + which * n);
    for (i = 0; i < n; i++) {
        const float x = gate[i] + (gates->bias != NULL ? gates->bias[which * n + i] : 0.0f);
        gate[i] = which == NNRT__GATE_CELL ? tanhf(x) : nnrt__lstm_sigmoid(x);
    }
}

/* sums: gate_count * n, 3 or 4 gates, which are overwritten; cell_clip 0: none. Writes cell and hidden, n each. */
NNRT__FN void nnrt__sequence_lstm_f32_scalar(const nnrt__gates_f32 *gates, uint32_t gate_count, size_t n,
                                             float cell_clip, float *sums, float *cell, float *hidden) {
    const float *peephole = gates->peephole, *input = sums + NNRT__GATE_INPUT * n, *gate = sums + NNRT__GATE_CELL * n;
    float *output = sums + NNRT__GATE_OUTPUT * n;
    size_t i;
    NNRT_ASSERT(n >= 1 && (gate_count == 3 || gate_count == 4));
    NNRT_ASSERT(cell_clip >= 0.0f);
    NNRT_ASSERT(nnrt__is_apart(sums, gate_count * n * sizeof(*sums), cell, n * sizeof(*cell)));
    NNRT_ASSERT(nnrt__is_apart(sums, gate_count * n * sizeof(*sums), hidden, n * sizeof(*hidden)));
    NNRT_ASSERT(nnrt__is_apart(cell, n * sizeof(*cell), hidden, n * sizeof(*hidden)));
    nnrt__gate_f32(gates, NNRT__GATE_FORGET, peephole, cell, sums, n);
    nnrt__gate_f32(gates, NNRT__GATE_CELL, NULL, cell, sums + n, n);
    if (gate_count == 4)
        nnrt__gate_f32(gates, NNRT__GATE_INPUT, peephole != NULL ? peephole + 2 * n : NULL, cell, sums + 3 * n, n);
    for (i = 0; i < n; i++) {
        const float next = sums[i] * cell[i] + (gate_count == 4 ? input[i] : 1.0f - sums[i]) * gate[i];
        cell[i] = cell_clip > 0.0f ? nnrt__clamp_f32(next, -cell_clip, cell_clip) : next;
    }
    nnrt__gate_f32(gates, NNRT__GATE_OUTPUT, peephole != NULL ? peephole + n : NULL, cell, output, n);
    for (i = 0; i < n; i++) hidden[i] = output[i] * tanhf(cell[i]);
}

NNRT__FP_CONTRACT_OFF_END

/* ----------------------------------------------------------------------------------------------------- int16 */

typedef struct nnrt__lstm_s16_args {
    int32_t forget_multiplier, forget_shift; /* forget * cell, in units of the cell */
    int32_t input_multiplier, input_shift;   /* input * gate of the cell */
    int32_t hidden_multiplier, hidden_shift; /* output * tanh(cell), in units of the hidden state */
    int32_t hidden_zero_point;
    int32_t hidden_min, hidden_max;      /* of its type: int8 or int16 */
    int32_t cell_clip;                   /* in units of the cell, 1..32767; 0: none */
    int32_t tanh_multiplier, tanh_shift; /* of the cell, as nnrt__unary_s16_args has them */
} nnrt__lstm_s16_args;

NNRT__INLINE int32_t nnrt__saturate_s16(int32_t x) { return nnrt__clamp_i32(x, -32768, 32767); }

/* Unit i of n: x_sums and h_sums are of the four gates. Writes cell[i]; the answer is the hidden state. table: of
   sigmoid. Shifts lie in -31..30. */
NNRT__INLINE int32_t nnrt__sequence_lstm_s16_one(const nnrt__lstm_s16_args *args, const uint16_t *table,
                                                 const int16_t *x_sums, const int16_t *h_sums, size_t n, size_t i,
                                                 int16_t *cell) {
    nnrt__unary_s16_args gate_args, cell_args;
    int32_t gate[4], next, hidden;
    uint32_t k;
    memset(&gate_args, 0, sizeof(gate_args));
    memset(&cell_args, 0, sizeof(cell_args));
    gate_args.multiplier = 3; /* Q3.12 */
    cell_args.multiplier = args->tanh_multiplier;
    cell_args.shift = args->tanh_shift;
    for (k = 0; k < 4; k++) {
        const int16_t sum = (int16_t)nnrt__saturate_s16((int32_t)x_sums[k * n + i] + h_sums[k * n + i]);
        gate[k] = k == NNRT__GATE_CELL ? nnrt__tanh_s16_one(&gate_args, table, sum)
                                       : nnrt__logistic_s16_one(&gate_args, table, sum);
    }
    next = nnrt__requantize_s16((uint32_t)(gate[NNRT__GATE_FORGET] * cell[i]), args->forget_multiplier,
                                args->forget_shift, -32768, 32767);
    next += nnrt__requantize_s16((uint32_t)(gate[NNRT__GATE_INPUT] * gate[NNRT__GATE_CELL]), args->input_multiplier,
                                 args->input_shift, -32768, 32767);
    next = nnrt__saturate_s16(next);
    if (args->cell_clip != 0) next = nnrt__clamp_i32(next, -args->cell_clip, args->cell_clip);
    cell[i] = (int16_t)next;
    hidden = nnrt__tanh_s16_one(&cell_args, table, cell[i]) * gate[NNRT__GATE_OUTPUT];
    hidden = nnrt__requantize(hidden, args->hidden_multiplier, args->hidden_shift);
    hidden =
        nnrt__clamp_i32(hidden, args->hidden_min - args->hidden_zero_point, args->hidden_max - args->hidden_zero_point);
    return hidden + args->hidden_zero_point;
}

#endif /* NNRT_KERNELS_SEQUENCE_LSTM_SCALAR_H */
