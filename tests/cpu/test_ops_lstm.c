/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_lstm.c - LSTM through the API, against its equations in double, one unit of one gate at a time; gates and
   layouts by hand; a hundred steps in one run, in a hundred runs, and on the portable kernels. */
#include "linked.h"

#include <math.h>

#define SEED 20261124u

#include "one_operator.h"

typedef struct lstm {
    int32_t seq, batch, inputs, hidden, directions;
    bool flat; /* output [seq][batch][directions * hidden] */
    bool constant_weights, biased, sizes_given;
    float zoneout_cell, zoneout_hidden;
    tensor x, w_x, w_h, bias, h, c, out, last_h, last_c;
} lstm;

static void fill(tensor *t, double most) {
    size_t i;
    for (i = 0; i < t->count; i++) ((float *)t->data)[i] = (float)noise_between(-most, most);
}

/* The tensors of an LSTM whose sizes are set. */
static void prepare(lstm *l) {
    const int32_t d = l->directions, x[3] = {l->seq, l->batch, l->inputs}, w_x[3] = {d, 4 * l->hidden, l->inputs};
    const int32_t w_h[3] = {d, 4 * l->hidden, l->hidden}, bias[2] = {d, 8 * l->hidden};
    const int32_t state[3] = {d, l->batch, l->hidden}, out[4] = {l->seq, d, l->batch, l->hidden};
    const int32_t flat[3] = {l->seq, l->batch, d * l->hidden};
    l->x = make(OH_NN_FLOAT32, 3, x), l->w_x = make(OH_NN_FLOAT32, 3, w_x), l->w_h = make(OH_NN_FLOAT32, 3, w_h);
    l->bias = make(OH_NN_FLOAT32, 2, bias), l->h = make(OH_NN_FLOAT32, 3, state), l->c = make(OH_NN_FLOAT32, 3, state);
    l->out = l->flat ? make(OH_NN_FLOAT32, 3, flat) : make(OH_NN_FLOAT32, 4, out);
    l->last_h = make(OH_NN_FLOAT32, 3, state), l->last_c = make(OH_NN_FLOAT32, 3, state);
    fill(&l->x, 1), fill(&l->w_x, 0.7), fill(&l->w_h, 0.5), fill(&l->bias, 0.5), fill(&l->h, 1), fill(&l->c, 2);
}

static void discard(lstm *l) {
    drop(&l->x), drop(&l->w_x), drop(&l->w_h), drop(&l->bias), drop(&l->h), drop(&l->c);
    drop(&l->out), drop(&l->last_h), drop(&l->last_c);
}

static void give(model *m, const tensor *t, bool constant) {
    if (constant) m->ins[m->in_count++] = gb_constant(&m->g, t->dtype, t->rank, t->dims, t->data);
    else feed(m, t);
}

static void describe(model *m, lstm *l, const char *isa) {
    start(m);
    m->g.isa = isa;
    feed(m, &l->x), give(m, &l->w_x, l->constant_weights), give(m, &l->w_h, l->constant_weights);
    give(m, &l->bias, l->constant_weights), feed(m, &l->h), feed(m, &l->c);
    if (l->directions == 2) gb_param_bool(&m->g, OH_NN_LSTM_BIDIRECTIONAL, true);
    if (!l->biased) gb_param_bool(&m->g, OH_NN_LSTM_HAS_BIAS, false);
    if (l->zoneout_cell > 0) gb_param_f32(&m->g, OH_NN_LSTM_ZONEOUT_CELL, l->zoneout_cell);
    if (l->zoneout_hidden > 0) gb_param_f32(&m->g, OH_NN_LSTM_ZONEOUT_HIDDEN, l->zoneout_hidden);
    if (l->sizes_given) {
        gb_param_i64(&m->g, OH_NN_LSTM_INPUT_SIZE, l->inputs), gb_param_i64(&m->g, OH_NN_LSTM_HIDDEN_SIZE, l->hidden);
        gb_param_i64(&m->g, OH_NN_LSTM_NUM_LAYERS, 1), gb_param_i64(&m->g, OH_NN_LSTM_NUM_DIRECTIONS, l->directions);
        gb_param_i64(&m->g, OH_NN_LSTM_PROJ_SIZE, 3);
    }
    expect(m, &l->out), expect(m, &l->last_h), expect(m, &l->last_c);
}

static void run(lstm *l, const char *isa) {
    model m;
    describe(&m, l, isa);
    finish(&m, OH_NN_OPS_LSTM);
}

static double at(const tensor *t, int64_t i) {
    cr_assert(i >= 0 && i < (int64_t)t->count);
    return (double)((const float *)t->data)[i];
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* What a gate of a unit adds up: gate k is input, output, forget, cell. */
static double gate(const lstm *l, int32_t k, int32_t d, int32_t t, int32_t b, int32_t unit, const double *h) {
    const int64_t row = (int64_t)(d * 4 + k) * l->hidden + unit;
    double sum = 0;
    int32_t i;
    for (i = 0; i < l->inputs; i++)
        sum += at(&l->w_x, row * l->inputs + i) * at(&l->x, (int64_t)(t * l->batch + b) * l->inputs + i);
    for (i = 0; i < l->hidden; i++) sum += at(&l->w_h, row * l->hidden + i) * h[i];
    if (!l->biased) return sum;
    return sum + at(&l->bias, (int64_t)(d * 8 + k) * l->hidden + unit) +
           at(&l->bias, (int64_t)(d * 8 + 4 + k) * l->hidden + unit);
}

/* The whole of a direction of a row of the batch, as the equations say it. */
static void compare(const lstm *l, int32_t d, int32_t b) {
    const int32_t hidden = l->hidden;
    double *h = malloc((size_t)hidden * 3 * sizeof *h), *c = h + hidden, *next = c + hidden;
    int32_t step, i;
    for (i = 0; i < hidden; i++) h[i] = at(&l->h, (int64_t)(d * l->batch + b) * hidden + i);
    for (i = 0; i < hidden; i++) c[i] = at(&l->c, (int64_t)(d * l->batch + b) * hidden + i);
    for (step = 0; step < l->seq; step++) {
        const int32_t t = d == 0 ? step : l->seq - 1 - step;
        for (i = 0; i < hidden; i++) {
            const double kept = sigmoid(gate(l, 2, d, t, b, i, h)), added = sigmoid(gate(l, 0, d, t, b, i, h));
            const double cell = kept * c[i] + added * tanh(gate(l, 3, d, t, b, i, h));
            const double y = sigmoid(gate(l, 1, d, t, b, i, h)) * tanh(cell);
            const int64_t place = l->flat ? ((int64_t)(t * l->batch + b) * l->directions + d) * hidden + i
                                          : ((int64_t)(t * l->directions + d) * l->batch + b) * hidden + i;
            cr_assert_float_eq(at(&l->out, place), y, 1e-5, "step %d, direction %d, row %d, unit %d: %g, not %g", t, d,
                               b, i, at(&l->out, place), y);
            c[i] = (double)l->zoneout_cell * c[i] + (1 - (double)l->zoneout_cell) * cell;
            next[i] = (double)l->zoneout_hidden * h[i] + (1 - (double)l->zoneout_hidden) * y;
        }
        memcpy(h, next, (size_t)hidden * sizeof *h);
    }
    for (i = 0; i < hidden; i++) {
        cr_assert_float_eq(at(&l->last_h, (int64_t)(d * l->batch + b) * hidden + i), h[i], 1e-5);
        cr_assert_float_eq(at(&l->last_c, (int64_t)(d * l->batch + b) * hidden + i), c[i], 1e-5);
    }
    free(h);
}

static lstm draw(void) {
    lstm l;
    memset(&l, 0, sizeof l);
    l.seq = noise_in(1, 20), l.batch = noise_in(1, 3), l.inputs = noise_in(1, 19), l.hidden = noise_in(1, 21);
    l.directions = noise_in(1, 2), l.flat = noise() % 2 != 0, l.constant_weights = noise() % 3 != 0;
    l.biased = noise() % 3 != 0, l.sizes_given = noise() % 2 != 0;
    l.zoneout_cell = noise() % 3 == 0 ? 0.25f : 0, l.zoneout_hidden = noise() % 3 == 0 ? 0.125f : 0;
    prepare(&l);
    return l;
}

Test(lstm, every_step_of_both_directions_is_what_the_equations_say) {
    int round;
    for (round = 0; round < 60; round++) {
        lstm l = draw();
        int32_t d, b;
        run(&l, noise() % 2 != 0 ? "scalar" : NULL);
        for (d = 0; d < l.directions; d++)
            for (b = 0; b < l.batch; b++) compare(&l, d, b);
        discard(&l);
    }
}

/* One unit without weights: the sums are the biases, half of each from the input and from the state. */
Test(lstm, gates_are_input_output_forget_cell_and_each_does_its_part) {
    static const struct {
        float gates[4];
        double c, h;                                               /* from a cell of 2 */
    } cases[] = {{{0, 0, 0, 0}, 1, 0.5 * 0.76159415595},           /* half of 2 is kept */
                 {{90, 90, -90, 1}, 0.76159415595, 0.64201500847}, /* forgotten: tanh(1), and tanh of that */
                 {{-90, 90, 90, 1}, 2, 0.96402758008},             /* nothing let in: tanh(2) */
                 {{90, -90, 90, -90}, 1, 0},                       /* 2 - 1, and nothing let out */
                 {{90, 90, 90, 90}, 3, 0.99505475369}};
    size_t i, k;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        lstm l;
        memset(&l, 0, sizeof l);
        l.seq = l.batch = l.inputs = l.hidden = l.directions = 1, l.biased = true;
        prepare(&l);
        memset(l.w_x.data, 0, 16), memset(l.w_h.data, 0, 16);
        for (k = 0; k < 8; k++) ((float *)l.bias.data)[k] = cases[i].gates[k % 4] / 2;
        *(float *)l.c.data = 2;
        run(&l, NULL);
        cr_assert_float_eq(at(&l.last_c, 0), cases[i].c, 1e-6, "case %zu", i);
        cr_assert_float_eq(at(&l.last_h, 0), cases[i].h, 1e-6, "case %zu", i);
        cr_assert_eq(at(&l.out, 0), at(&l.last_h, 0));
        discard(&l);
    }
}

/* The state that one run hands back is what the next one begins with. */
Test(lstm, a_hundred_steps_drift_neither_between_runs_nor_between_instruction_sets) {
    lstm whole, step;
    int32_t t;
    size_t i;
    memset(&whole, 0, sizeof whole);
    whole.seq = 100, whole.batch = 1, whole.inputs = 13, whole.hidden = 24, whole.directions = 1;
    whole.biased = whole.constant_weights = true;
    step = whole, step.seq = 1;
    prepare(&whole), prepare(&step);
    memcpy(step.w_x.data, whole.w_x.data, whole.w_x.count * 4),
        memcpy(step.w_h.data, whole.w_h.data, whole.w_h.count * 4);
    memcpy(step.bias.data, whole.bias.data, whole.bias.count * 4);
    memcpy(step.h.data, whole.h.data, whole.h.count * 4), memcpy(step.c.data, whole.c.data, whole.c.count * 4);
    run(&whole, NULL);
    for (t = 0; t < 100; t++) {
        memcpy(step.x.data, whole.x.data + (size_t)t * 13 * 4, 13 * 4);
        run(&step, "scalar");
        for (i = 0; i < 24; i++)
            cr_assert_float_eq(at(&step.out, (int64_t)i), at(&whole.out, t * 24 + (int64_t)i), 1e-5);
        memcpy(step.h.data, step.last_h.data, 24 * 4), memcpy(step.c.data, step.last_c.data, 24 * 4);
    }
    discard(&whole), discard(&step);
}

Test(lstm, what_does_not_fit_together_is_refused_with_its_reason) {
    static const struct {
        OH_NN_TensorType type;
        int64_t value;
        const char *sentence;
    } sizes[] = {{OH_NN_LSTM_INPUT_SIZE, 4, "a size among the parameters"},
                 {OH_NN_LSTM_HIDDEN_SIZE, 4, "a size among the parameters"},
                 {OH_NN_LSTM_NUM_DIRECTIONS, 2, "a size among the parameters"},
                 {OH_NN_LSTM_NUM_LAYERS, 2, "one layer only"}};
    static const int32_t wrong[3] = {1, 3, 7};
    size_t i;
    for (i = 0; i < 9; i++) {
        lstm l;
        model m;
        memset(&l, 0, sizeof l);
        l.seq = 5, l.batch = 2, l.inputs = 3, l.hidden = 6, l.directions = 1, l.biased = true;
        prepare(&l);
        if (i >= 4) {
            tensor *t = i == 4 ? &l.w_x : i == 5 ? &l.w_h : i == 6 ? &l.bias : i == 7 ? &l.h : &l.c;
            drop(t);
            *t = make(OH_NN_FLOAT32, 3, wrong);
        }
        describe(&m, &l, NULL);
        if (i < 4) gb_param_i64(&m.g, sizes[i].type, sizes[i].value);
        refused(&m, OH_NN_OPS_LSTM,
                i < 4    ? sizes[i].sentence
                : i == 6 ? "the bias is not"
                : i < 6  ? "the weights are not"
                         : "the");
        discard(&l);
    }
}
