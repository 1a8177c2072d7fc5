/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_sequence_lstm.h - UNIDIRECTIONAL_SEQUENCE_LSTM of .tflite files.   >>cpu_ops_sequence_lstm

   Inputs TensorFlow Lite's, in its order, absent ones left out: NNRT__TENSOR_LSTM_PRESENT has a bit for each of the 24
   Outputs    [steps, batch, outputs] or [batch, steps, outputs], the next hidden state, the next cell
   Types      float32, with everything that the format has: no input gate, peepholes, norms of the gates, a projection,
              clipping; its weights float32 or int8. int8 or int16 with int8 weights, an int16 cell and int32 or int64
              biases: four gates, clipping of the cell
   Weights are constants. */
#ifndef NNRT_CPU_OPS_SEQUENCE_LSTM_H
#define NNRT_CPU_OPS_SEQUENCE_LSTM_H

#include "ops_conv_spec.h"
#include "ops_unary.h"
#include "steps_sequence_lstm.h"

/* Positions of TensorFlow Lite's inputs. Four of a kind are in the order input, forget, cell, output. */
enum {
    NNRT__SLSTM_X = 0,
    NNRT__SLSTM_X_WEIGHTS = 1,
    NNRT__SLSTM_H_WEIGHTS = 5,
    NNRT__SLSTM_PEEPHOLES = 9, /* three: input, forget, output */
    NNRT__SLSTM_BIASES = 12,
    NNRT__SLSTM_PROJECTION = 16,
    NNRT__SLSTM_PROJECTION_BIAS = 17,
    NNRT__SLSTM_H = 18,
    NNRT__SLSTM_CELL = 19,
    NNRT__SLSTM_NORMS = 20,
    NNRT__SLSTM_PLACES = 24
};

typedef struct nnrt__slstm_spec {
    nnrt__sequence_lstm_args args;
    uint32_t present; /* a bit for each position */
} nnrt__slstm_spec;

/* The IR value at a position; NNRT__NONE: absent. */
NNRT__FN uint32_t nnrt__slstm_value(const nnrt__ir_node *node, uint32_t place) {
    const uint32_t present = ((const nnrt__slstm_spec *)node->spec)->present;
    uint32_t i, before = 0;
    for (i = 0; i < place; i++) before += present >> i & 1;
    return (present >> place & 1) != 0 && before < node->input_count ? node->inputs[before] : NNRT__NONE;
}

NNRT__FN const nnrt__ir_value *nnrt__slstm_in(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t place) {
    const uint32_t value = nnrt__slstm_value(node, place);
    return value != NNRT__NONE ? &ir->values[value] : NULL;
}

/* The position, among four of a kind, of the kernels' gate `gate`. */
NNRT__FN uint32_t nnrt__slstm_place(uint32_t first, uint32_t gate) {
    static const uint8_t places[4] = {1, 2, 3, 0}; /* forget, cell, output, input */
    return first + places[gate];
}

NNRT__FN uint32_t nnrt__slstm_peephole_place(uint32_t gate) {
    static const uint8_t places[3] = {1, 2, 0}; /* forget, output, input */
    return (uint32_t)NNRT__SLSTM_PEEPHOLES + places[gate];
}

/* Is the value at the position a constant of that type and number of elements? */
NNRT__FN bool nnrt__slstm_constant(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t place, OH_NN_DataType dtype,
                                   uint64_t count) {
    const nnrt__ir_value *value = nnrt__slstm_in(ir, node, place);
    return value != NULL && value->data != NULL && value->dtype == dtype && value->count == count;
}

/* Of the count positions from `first` on, all must be present (except the input gate's if there is none) or all absent.
   *there: present. */
NNRT__FN bool nnrt__slstm_kind(const nnrt__ir *ir, const nnrt__ir_node *node, const nnrt__sequence_lstm_args *args,
                               uint32_t first, uint32_t count, bool *there) {
    uint32_t i;
    *there = nnrt__slstm_in(ir, node, first + 1) != NULL;
    for (i = 0; i < count; i++)
        if ((nnrt__slstm_in(ir, node, first + i) != NULL) != (*there && (i != 0 || args->gates == 4))) return false;
    return true;
}

/* Are the weights and biases of all gates present, as constants of these types? */
NNRT__FN bool nnrt__slstm_has_weights(const nnrt__ir *ir, const nnrt__ir_node *node,
                                      const nnrt__sequence_lstm_args *args, OH_NN_DataType weights,
                                      OH_NN_DataType bias) {
    uint32_t gate;
    for (gate = 0; gate < args->gates; gate++) {
        if (!nnrt__slstm_constant(ir, node, nnrt__slstm_place(NNRT__SLSTM_X_WEIGHTS, gate), weights,
                                  (uint64_t)args->units * args->inputs) ||
            !nnrt__slstm_constant(ir, node, nnrt__slstm_place(NNRT__SLSTM_H_WEIGHTS, gate), weights,
                                  (uint64_t)args->units * args->outputs) ||
            !nnrt__slstm_constant(ir, node, nnrt__slstm_place(NNRT__SLSTM_BIASES, gate), bias, args->units))
            return false;
    }
    return true;
}

/* Does every int8 weight have one scale and zero point 0? */
NNRT__FN bool nnrt__slstm_has_scales(const nnrt__ir *ir, const nnrt__ir_node *node) {
    uint32_t place;
    for (place = NNRT__SLSTM_X_WEIGHTS; place <= NNRT__SLSTM_PROJECTION; place++) {
        const nnrt__ir_value *value = nnrt__slstm_in(ir, node, place);
        if (value != NULL && value->dtype == OH_NN_INT8 &&
            (value->quant.count != 1 || value->quant.zero_points[0] != 0))
            return false;
    }
    return true;
}

/* Sizes from the shapes of x, the cell and the hidden state. */
NNRT__FN OH_NN_ReturnCode nnrt__slstm_sizes(const nnrt__ir *ir, const nnrt__ir_node *node,
                                            nnrt__sequence_lstm_args *args) {
    const nnrt__ir_value *x = nnrt__slstm_in(ir, node, NNRT__SLSTM_X), *h = nnrt__slstm_in(ir, node, NNRT__SLSTM_H);
    const nnrt__ir_value *cell = nnrt__slstm_in(ir, node, NNRT__SLSTM_CELL);
    if (x == NULL || h == NULL || cell == NULL || x->rank != 3)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the input has not three dimensions, or there is no state");
    args->time_major = nnrt__ir_int(node, NNRT__TENSOR_LSTM_TIME_MAJOR, 0) != 0 ? 1 : 0;
    args->steps = (uint32_t)x->dims[args->time_major != 0 ? 0 : 1];
    args->batch = (uint32_t)x->dims[args->time_major != 0 ? 1 : 0];
    args->inputs = (uint32_t)x->dims[2];
    if (h->count % args->batch != 0 || cell->count % args->batch != 0)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the batch of the state is not that of the input");
    args->outputs = (uint32_t)(h->count / args->batch);
    args->units = (uint32_t)(cell->count / args->batch);
    args->gates = nnrt__slstm_in(ir, node, NNRT__SLSTM_X_WEIGHTS) != NULL ? 4 : 3;
    args->cell_clip = nnrt__ir_float(node, NNRT__TENSOR_LSTM_CELL_CLIP, 0.0f);
    args->projection_clip = nnrt__ir_float(node, NNRT__TENSOR_LSTM_PROJECTION_CLIP, 0.0f);
    if (args->inputs > NNRT__HYBRID_K_MAX || args->units > NNRT__HYBRID_K_MAX || args->outputs > NNRT__HYBRID_K_MAX)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "a gate has more products than the kernels can add");
    if (!(args->cell_clip >= 0.0f) || !(args->projection_clip >= 0.0f))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "a bound of clipping is negative");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__slstm_read_f32(const nnrt__ir *ir, const nnrt__ir_node *node,
                                               const nnrt__sequence_lstm_args *args) {
    const nnrt__ir_value *forget = nnrt__slstm_in(ir, node, NNRT__SLSTM_X_WEIGHTS + 1);
    const nnrt__ir_value *projection = nnrt__slstm_in(ir, node, NNRT__SLSTM_PROJECTION);
    const nnrt__ir_value *projection_bias = nnrt__slstm_in(ir, node, NNRT__SLSTM_PROJECTION_BIAS);
    const OH_NN_DataType weights = forget != NULL && forget->dtype == OH_NN_INT8 ? OH_NN_INT8 : OH_NN_FLOAT32;
    bool peepholes, norms;
    uint32_t i;
    if (!nnrt__slstm_has_weights(ir, node, args, weights, OH_NN_FLOAT32) || !nnrt__slstm_has_scales(ir, node))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "weights and biases must be constants of float32, or weights of int8 with one scale");
    if (projection != NULL
            ? !nnrt__slstm_constant(ir, node, NNRT__SLSTM_PROJECTION, weights, (uint64_t)args->outputs * args->units)
            : args->outputs != args->units)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the projection does not fit the state");
    if (projection_bias != NULL && (projection == NULL || !nnrt__slstm_constant(ir, node, NNRT__SLSTM_PROJECTION_BIAS,
                                                                                OH_NN_FLOAT32, args->outputs)))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the bias of the projection does not fit it");
    if (!nnrt__slstm_kind(ir, node, args, NNRT__SLSTM_PEEPHOLES, 3, &peepholes) ||
        !nnrt__slstm_kind(ir, node, args, NNRT__SLSTM_NORMS, 4, &norms))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "some gates have peepholes or norms and others have none");
    for (i = 0; i < args->gates; i++) {
        if (norms &&
            !nnrt__slstm_constant(ir, node, nnrt__slstm_place(NNRT__SLSTM_NORMS, i), OH_NN_FLOAT32, args->units))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "norms must be constants of float32, one for each unit");
        if (peepholes && i < args->gates - 1 &&
            !nnrt__slstm_constant(ir, node, nnrt__slstm_peephole_place(i), weights, args->units))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "peepholes must be constants of the type of the weights, one for each unit");
    }
    return OH_NN_SUCCESS;
}

/* The factor for the sums of gate `gate`: of x (first is NNRT__SLSTM_X_WEIGHTS) or of h, in units of 2^-12. The scales
   are multiplied in float, as in TensorFlow Lite. */
NNRT__FN double nnrt__slstm_factor(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t first, uint32_t gate) {
    const nnrt__ir_value *row =
        nnrt__slstm_in(ir, node, first == (uint32_t)NNRT__SLSTM_X_WEIGHTS ? NNRT__SLSTM_X : NNRT__SLSTM_H);
    const float product =
        (float)row->quant.scales[0] * (float)nnrt__slstm_in(ir, node, nnrt__slstm_place(first, gate))->quant.scales[0];
    return (double)product * 4096.0;
}

/* The largest magnitude that the sum of k products of int8 and a bias of gate `gate` can have. */
NNRT__FN uint64_t nnrt__slstm_largest_sum(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t gate, uint64_t k) {
    const nnrt__ir_value *bias = nnrt__slstm_in(ir, node, nnrt__slstm_place(NNRT__SLSTM_BIASES, gate));
    uint64_t largest = 0;
    uint32_t i;
    for (i = 0; i < (uint32_t)bias->count; i++) {
        const int64_t value = nnrt__read_integer(bias->dtype, bias->data, i);
        const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
        if (size > largest) largest = size;
    }
    return largest + k * 255 * 128;
}

/* Are the scales present, and the factors within what the kernels can shift? */
NNRT__FN OH_NN_ReturnCode nnrt__slstm_check_s16(const nnrt__ir *ir, const nnrt__ir_node *node, bool wide,
                                                uint32_t inputs, uint32_t units) {
    uint32_t gate, kind;
    if (!nnrt__slstm_has_scales(ir, node))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "weights must have one scale and the zero point 0");
    for (gate = 0; gate < 4; gate++)
        for (kind = 0; kind < 2; kind++) {
            const uint32_t first = kind == 0 ? NNRT__SLSTM_X_WEIGHTS : NNRT__SLSTM_H_WEIGHTS;
            int32_t multiplier, shift;
            OH_NN_ReturnCode code = OH_NN_SUCCESS;
            nnrt__quantize_multiplier(nnrt__slstm_factor(ir, node, first, gate), &multiplier, &shift);
            if (wide && shift > 7)
                return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                     "the scales of input, state or weights are too large");
            if (!wide)
                code =
                    nnrt__ir_check_rescale(ir, node, nnrt__slstm_in(ir, node, NNRT__SLSTM_X)->quant.scales[0],
                                           nnrt__slstm_largest_sum(ir, node, gate, kind == 0 ? inputs : units), shift);
            if (code != OH_NN_SUCCESS) return code;
        }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__slstm_read_s16(const nnrt__ir *ir, const nnrt__ir_node *node,
                                               nnrt__sequence_lstm_args *args) {
    const nnrt__ir_value *x = nnrt__slstm_in(ir, node, NNRT__SLSTM_X), *h = nnrt__slstm_in(ir, node, NNRT__SLSTM_H);
    const nnrt__ir_value *cell = nnrt__slstm_in(ir, node, NNRT__SLSTM_CELL);
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    nnrt__lstm_s16_args *s16 = &args->s16;
    const bool wide = x->dtype == OH_NN_INT16;
    const double q15 = 1.0 / 32768.0;
    double cell_scale = 0, x_scale, h_scale = 0, out_scale = 0, clip;
    int32_t cell_zero, out_zero;
    int power;
    OH_NN_ReturnCode code;
    if (h->dtype != x->dtype || out->dtype != x->dtype || cell->dtype != OH_NN_INT16 || args->gates != 4 ||
        args->outputs != args->units ||
        !nnrt__slstm_has_weights(ir, node, args, OH_NN_INT8, wide ? OH_NN_INT64 : OH_NN_INT32) ||
        node->input_count != 1 + 4 + 4 + 4 + 2)
        return nnrt__ir_fail(
            ir, node, OH_NN_UNSUPPORTED,
            "int8 and int16 want constant int8 weights, biases, an int16 cell, and no peephole, norm or "
            "projection");
    if (!nnrt__ir_quant(x, &x_scale, &args->x_zero_point) || !nnrt__ir_quant(h, &h_scale, &s16->hidden_zero_point) ||
        !nnrt__ir_quant(cell, &cell_scale, &cell_zero) || !nnrt__ir_quant(out, &out_scale, &out_zero) ||
        cell_zero != 0 || (wide && (args->x_zero_point != 0 || s16->hidden_zero_point != 0)))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "a scale is missing, or a zero point of int16 is not 0");
    power = (int)floor(log(cell_scale) / log(2.0) + 0.5);
    if (power < -31 || power > -3 || fabs(cell_scale / ldexp(1.0, power) - 1.0) > 1e-3)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the scale of the cell is no power of two up to 1/8");
    code = nnrt__slstm_check_s16(ir, node, wide, args->inputs, args->units);
    if (code != OH_NN_SUCCESS) return code;
    power += 12; /* Q3.12 needs no shift */
    s16->tanh_multiplier = power < 0 ? 3 : 3 * (1 << power);
    s16->tanh_shift = power < 0 ? -power : 0;
    nnrt__quantize_multiplier(q15 * cell_scale / cell_scale, &s16->forget_multiplier, &s16->forget_shift);
    nnrt__quantize_multiplier(q15 * q15 / cell_scale, &s16->input_multiplier, &s16->input_shift);
    nnrt__quantize_multiplier(q15 * q15 / h_scale, &s16->hidden_multiplier, &s16->hidden_shift);
    s16->hidden_min = wide ? -32768 : -128;
    s16->hidden_max = wide ? 32767 : 127;
    clip = (double)args->cell_clip / cell_scale;
    s16->cell_clip = clip < 32767.0 ? (int32_t)clip : 32767;
    if (s16->hidden_shift > 0)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the scale of the hidden state is too small");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__slstm_read(const nnrt__ir *ir, const nnrt__ir_node *node,
                                           nnrt__sequence_lstm_args *args) {
    OH_NN_ReturnCode code = nnrt__slstm_sizes(ir, node, args);
    OH_NN_DataType dtype;
    if (code != OH_NN_SUCCESS) return code;
    dtype = nnrt__slstm_in(ir, node, NNRT__SLSTM_X)->dtype;
    if (dtype == OH_NN_INT8 || dtype == OH_NN_INT16) return nnrt__slstm_read_s16(ir, node, args);
    if (dtype != OH_NN_FLOAT32 || nnrt__slstm_in(ir, node, NNRT__SLSTM_H)->dtype != dtype ||
        nnrt__slstm_in(ir, node, NNRT__SLSTM_CELL)->dtype != dtype || nnrt__ir_out(ir, node, 0)->dtype != dtype)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "data types must be float32, int8 or int16");
    return nnrt__slstm_read_f32(ir, node, args);
}

NNRT__FN OH_NN_ReturnCode nnrt__slstm_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__slstm_spec *spec = (nnrt__slstm_spec *)node->spec;
    const nnrt__ir_value *x, *h, *cell;
    int32_t dims[3];
    OH_NN_ReturnCode code;
    spec->present = (uint32_t)nnrt__ir_int(node, NNRT__TENSOR_LSTM_PRESENT, 0);
    code = nnrt__slstm_read(ir, node, &spec->args);
    if (code != OH_NN_SUCCESS) return code;
    x = nnrt__slstm_in(ir, node, NNRT__SLSTM_X);
    h = nnrt__slstm_in(ir, node, NNRT__SLSTM_H);
    cell = nnrt__slstm_in(ir, node, NNRT__SLSTM_CELL);
    dims[0] = x->dims[0];
    dims[1] = x->dims[1];
    dims[2] = (int32_t)spec->args.outputs;
    code = nnrt__ir_set_shape(ir, node, 0, 3, dims);
    if (code == OH_NN_SUCCESS) code = nnrt__ir_set_shape(ir, node, 1, h->rank, h->dims);
    return code == OH_NN_SUCCESS ? nnrt__ir_set_shape(ir, node, 2, cell->rank, cell->dims) : code;
}

/* ------------------------------------------------------------------------------------------------- constants */

/* The bytes of one kind of input, gate by gate. context: the first place of the kind. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_slstm_gates(const nnrt__filling *filling, void *to) {
    const uint32_t first = *(const uint32_t *)filling->context;
    const uint32_t gates = nnrt__slstm_in(filling->ir, filling->node, NNRT__SLSTM_X_WEIGHTS) != NULL ? 4 : 3;
    uint8_t *at = (uint8_t *)to;
    uint32_t gate;
    for (gate = 0; gate < gates; gate++) {
        const nnrt__ir_value *value = nnrt__slstm_in(filling->ir, filling->node, nnrt__slstm_place(first, gate));
        memcpy(at, value->data, value->size);
        at += value->size;
    }
    return OH_NN_SUCCESS;
}

NNRT__FN uint32_t nnrt__slstm_lower_gates(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t first,
                                          OH_NN_DataType dtype, size_t count) {
    return nnrt__lower_constant(lower, node, dtype, count, nnrt__fill_slstm_gates, &first, sizeof(first));
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_slstm_peepholes(const nnrt__filling *filling, void *to) {
    const size_t units = filling->count / 3;
    float *at = (float *)to;
    uint32_t gate;
    for (gate = 0; gate < 3; gate++, at += units) {
        const nnrt__ir_value *value = nnrt__slstm_in(filling->ir, filling->node, nnrt__slstm_peephole_place(gate));
        if (value == NULL) continue; /* no input gate */
        if (value->dtype == OH_NN_FLOAT32) memcpy(at, value->data, value->size);
        else nnrt__dequantize_f32_scalar(value->data, (float)value->quant.scales[0], 0, true, at, units);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_slstm_scales(const nnrt__filling *filling, void *to) {
    const uint32_t gates = (uint32_t)(filling->count / 2);
    const nnrt__ir_value *projection = nnrt__slstm_in(filling->ir, filling->node, NNRT__SLSTM_PROJECTION);
    float *at = (float *)to;
    uint32_t i;
    for (i = 0; i < 2 * gates; i++) {
        const uint32_t first = i < gates ? NNRT__SLSTM_X_WEIGHTS : NNRT__SLSTM_H_WEIGHTS;
        at[i] = (float)nnrt__slstm_in(filling->ir, filling->node, nnrt__slstm_place(first, i % gates))->quant.scales[0];
    }
    at[i] = projection != NULL ? (float)projection->quant.scales[0] : 1.0f;
    return OH_NN_SUCCESS;
}

/* Channels of int16 sums. context: the first place of the weights; those of x have the bias. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_slstm_channels(const nnrt__filling *filling, void *to) {
    const uint32_t first = *(const uint32_t *)filling->context;
    const nnrt__ir_value *bias = nnrt__slstm_in(filling->ir, filling->node, NNRT__SLSTM_BIASES);
    const bool wide = bias->dtype == OH_NN_INT64;
    const size_t n = filling->count / (wide ? 4 : 3), units = bias->count;
    int32_t *low = (int32_t *)to, *factors = low + (wide ? 2 : 1) * n;
    size_t i;
    for (i = 0; i < n; i++) {
        const uint32_t gate = (uint32_t)(i / units);
        bias = nnrt__slstm_in(filling->ir, filling->node, nnrt__slstm_place(NNRT__SLSTM_BIASES, gate));
        if (first == (uint32_t)NNRT__SLSTM_X_WEIGHTS) {
            const uint64_t value = (uint64_t)nnrt__read_integer(bias->dtype, bias->data, (uint32_t)(i % units));
            low[i] = (int32_t)(uint32_t)value;
            if (wide) low[n + i] = (int32_t)(uint32_t)(value >> 32);
        }
        nnrt__quantize_multiplier(nnrt__slstm_factor(filling->ir, filling->node, first, gate), &factors[i],
                                  &factors[n + i]);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN uint32_t nnrt__slstm_lower_channels(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t first,
                                             size_t count) {
    return nnrt__lower_constant(lower, node, OH_NN_INT32, count, nnrt__fill_slstm_channels, &first, sizeof(first));
}

/* -------------------------------------------------------------------------------------------------- lowering */

/* Inputs 3 to 8 of the step; what is absent stays NNRT__NONE. */
NNRT__FN void nnrt__slstm_lower_f32(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__sequence_lstm_args *args,
                                    uint32_t *inputs) {
    const nnrt__ir *ir = lower->ir;
    const size_t all = (size_t)args->gates * args->units;
    const bool hybrid = nnrt__slstm_in(ir, node, NNRT__SLSTM_X_WEIGHTS + 1)->dtype == OH_NN_INT8;
    inputs[3] = nnrt__slstm_lower_gates(lower, node, NNRT__SLSTM_BIASES, OH_NN_FLOAT32, all);
    if (hybrid)
        inputs[4] = nnrt__lower_constant(lower, node, OH_NN_FLOAT32, 2 * (size_t)args->gates + 1,
                                         nnrt__fill_slstm_scales, NULL, 0);
    if (nnrt__slstm_in(ir, node, NNRT__SLSTM_PEEPHOLES + 1) != NULL)
        inputs[5] = nnrt__lower_constant(lower, node, OH_NN_FLOAT32, 3 * (size_t)args->units,
                                         nnrt__fill_slstm_peepholes, NULL, 0);
    if (nnrt__slstm_in(ir, node, NNRT__SLSTM_NORMS + 1) != NULL)
        inputs[6] = nnrt__slstm_lower_gates(lower, node, NNRT__SLSTM_NORMS, OH_NN_FLOAT32, all);
    if (nnrt__slstm_in(ir, node, NNRT__SLSTM_PROJECTION) != NULL)
        inputs[7] = nnrt__lower_value(lower, nnrt__slstm_value(node, NNRT__SLSTM_PROJECTION));
    if (nnrt__slstm_in(ir, node, NNRT__SLSTM_PROJECTION_BIAS) != NULL)
        inputs[8] = nnrt__lower_value(lower, nnrt__slstm_value(node, NNRT__SLSTM_PROJECTION_BIAS));
}

NNRT__FN OH_NN_ReturnCode nnrt__slstm_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir *ir = lower->ir;
    const OH_NN_DataType dtype = nnrt__slstm_in(ir, node, NNRT__SLSTM_X)->dtype;
    const OH_NN_DataType weights = nnrt__slstm_in(ir, node, NNRT__SLSTM_X_WEIGHTS + 1)->dtype;
    const bool real = dtype == OH_NN_FLOAT32;
    const uint32_t states = real ? 9 : 6;
    const nnrt__sequence_lstm_args *args = &((const nnrt__slstm_spec *)node->spec)->args;
    const size_t all = (size_t)args->gates * args->units;
    nnrt__step_info info;
    uint32_t inputs[11], outputs[3], i;
    for (i = 0; i < 11; i++) inputs[i] = NNRT__NONE;
    memset(&info, 0, sizeof(info));
    info.macs = (uint64_t)args->steps * args->batch * all * (args->inputs + args->outputs);
    info.weights_bytes = (uint64_t)all * (args->inputs + args->outputs) * nnrt__element_size(weights);
    info.weight_scales = weights == OH_NN_INT8 ? 1 : 0;
    inputs[0] = nnrt__lower_value(lower, nnrt__slstm_value(node, NNRT__SLSTM_X));
    inputs[1] = nnrt__slstm_lower_gates(lower, node, NNRT__SLSTM_X_WEIGHTS, weights, all * args->inputs);
    inputs[2] = nnrt__slstm_lower_gates(lower, node, NNRT__SLSTM_H_WEIGHTS, weights, all * args->outputs);
    if (real) {
        nnrt__slstm_lower_f32(lower, node, args, inputs);
    } else {
        const size_t count = all * (dtype == OH_NN_INT16 ? 4 : 3);
        inputs[3] = nnrt__slstm_lower_channels(lower, node, NNRT__SLSTM_X_WEIGHTS, count);
        inputs[4] = nnrt__slstm_lower_channels(lower, node, NNRT__SLSTM_H_WEIGHTS, count);
        inputs[5] = nnrt__lower_constant(lower, node, OH_NN_UINT16, NNRT__SIGMOID_TABLE, nnrt__fill_sigmoid, NULL, 0);
    }
    inputs[states] = nnrt__lower_value(lower, nnrt__slstm_value(node, NNRT__SLSTM_H));
    inputs[states + 1] = nnrt__lower_value(lower, nnrt__slstm_value(node, NNRT__SLSTM_CELL));
    for (i = 0; i < 3; i++) outputs[i] = nnrt__lower_value(lower, node->outputs[i]);
    return nnrt__lower_spec(lower, real ? NNRT__KIND(sequence_lstm_f32) : NNRT__KIND(sequence_lstm_s16), node, inputs,
                            states + 2, outputs, 3, &info);
}

NNRT__CPU_OP_READ(SEQUENCE_LSTM, nnrt__slstm_spec, NNRT__CPU_HEAVY, nnrt__slstm_infer, nnrt__slstm_lower)

#endif /* NNRT_CPU_OPS_SEQUENCE_LSTM_H */
