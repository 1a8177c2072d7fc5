/* SPDX-License-Identifier: Apache-2.0 */
/* test_tflite_recurrent.c - .tflite operators that keep state, over a hundred runs: each is compared with its
   definition, written here one number at a time, in double or with the integers of TensorFlow Lite's scheme. */
#include "linked.h"

#include <math.h>
#include <stdio.h>

#include <criterion/criterion.h>

#define SEED 20261123u

#include "graph_builder.h"
#include "int16_reference.h"
#include "offline_runner.h"

#include "make_tflite.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    FLOAT32 = 0,
    INT32 = 2,
    INT16 = 7,
    INT8 = 9,
    INT64 = 4,
    SVDF = 27,
    SEQUENCE_LSTM = 44
};

/* ------------------------------------------------------------------------------------- files and executors */

/* Adds a tensor; data NULL: it is computed, given or a variable. */
static int32_t add(spec *s, int type, uint32_t rank, const int32_t *dims, const void *data, float scale, int64_t zero) {
    tensor_spec *t = &s->tensors[s->tensor_count];
    size_t size = type == INT8 ? 1 : type == INT16 ? 2 : type == INT64 ? 8 : 4;
    uint32_t i;
    memset(t, 0, sizeof *t);
    t->type = type;
    t->rank = rank;
    for (i = 0; i < rank; i++) {
        t->dims[i] = dims[i];
        size *= (size_t)dims[i];
    }
    t->data = data;
    t->data_size = data != NULL ? (uint32_t)size : 0;
    t->scale = scale;
    t->zero = zero;
    return (int32_t)s->tensor_count++;
}

typedef struct loaded {
    bytes file;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
} loaded;

/* isa NULL: the best there is. */
static OH_NN_ReturnCode load(loaded *l, const spec *s, const char *isa) {
    off_settings settings;
    OH_NN_ReturnCode code;
    memset(&settings, 0, sizeof settings);
    settings.isa = isa;
    l->file = make(s);
    l->executor = NULL;
    l->compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(l->file.at, l->file.size);
    code = off_build(l->compilation, &settings);
    if (code == OH_NN_SUCCESS) {
        l->executor = OH_NNExecutor_Construct(l->compilation);
        cr_assert_not_null(l->executor);
    }
    return code;
}

static void unload(loaded *l) {
    if (l->executor != NULL) OH_NNExecutor_Destroy(&l->executor);
    OH_NNCompilation_Destroy(&l->compilation);
    free(l->file.at);
}

static void refused(const spec *s, const char *word) {
    loaded l;
    cr_assert_neq((int)load(&l, s, NULL), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), word), "no \"%s\" in \"%s\"", word, nnrt_last_error());
    unload(&l);
}

static void random_s8(int8_t *to, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) to[i] = (int8_t)noise_in(-127, 127);
}
static void random_f32(float *to, size_t n, double most) {
    size_t i;
    for (i = 0; i < n; i++) to[i] = (float)noise_between(-most, most);
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static int64_t clamped(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* ---------------------------------------------------------------------------------------------------- SVDF */

enum {
    RUNS = 100,
    BATCH_MOST = 3,
    INPUT_MOST = 19,
    FILTERS_MOST = 24,
    MEMORY_MOST = 9
};

typedef struct svdf {
    int32_t batch, inputs, units, rank, memory;
    bool biased;
    int8_t feature_s8[FILTERS_MOST * INPUT_MOST], time_s8[FILTERS_MOST * MEMORY_MOST];
    int16_t time_s16[FILTERS_MOST * MEMORY_MOST];
    float feature_f32[FILTERS_MOST * INPUT_MOST], time_f32[FILTERS_MOST * MEMORY_MOST], bias_f32[FILTERS_MOST];
    int32_t bias_s32[FILTERS_MOST];
} svdf;

static void draw_svdf(svdf *v) {
    size_t i;
    v->batch = noise_in(1, BATCH_MOST);
    v->inputs = noise_in(1, INPUT_MOST);
    v->units = noise_in(1, 8);
    v->rank = noise_in(1, 3);
    v->memory = noise_in(1, MEMORY_MOST);
    v->biased = noise_in(0, 2) != 0;
    random_s8(v->feature_s8, sizeof v->feature_s8);
    random_s8(v->time_s8, sizeof v->time_s8);
    random_f32(v->feature_f32, FILTERS_MOST * INPUT_MOST, 1);
    random_f32(v->time_f32, FILTERS_MOST * MEMORY_MOST, 1);
    random_f32(v->bias_f32, FILTERS_MOST, 2);
    for (i = 0; i < FILTERS_MOST * MEMORY_MOST; i++)
        v->time_s16[i] = (int16_t)noise_in(-2000, 2000); /* sums stay within 32 bits */
    for (i = 0; i < FILTERS_MOST; i++) v->bias_s32[i] = noise_in(-1000000, 999999);
}

/* The file. type: of input and output; weights: of features, INT8 with an input of FLOAT32: hybrid; kept: of weights of
   time and of state. */
static spec svdf_file(const svdf *v, int type, int weights, int kept, int64_t activation) {
    const int32_t filters = v->units * v->rank, x[2] = {v->batch, v->inputs}, wf[2] = {filters, v->inputs};
    const int32_t wt[2] = {filters, v->memory}, state[2] = {v->batch, filters * v->memory}, y[2] = {v->batch, v->units};
    const bool quantized = type == INT8;
    spec s;
    memset(&s, 0, sizeof s);
    s.code = SVDF;
    s.inputs[0] = add(&s, type, 2, x, NULL, quantized ? 0.05f : 0, quantized ? 7 : 0);
    s.inputs[1] = add(&s, weights, 2, wf, weights == INT8 ? (const void *)v->feature_s8 : v->feature_f32,
                      weights == INT8 ? 0.01f : 0, 0);
    s.inputs[2] = kept == INT16  ? add(&s, INT16, 2, wt, v->time_s16, 0.00003f, 0)
                  : kept == INT8 ? add(&s, INT8, 2, wt, v->time_s8, 0.008f, 0)
                                 : add(&s, FLOAT32, 2, wt, v->time_f32, 0, 0);
    s.inputs[3] = !v->biased  ? -1
                  : quantized ? add(&s, INT32, 1, &v->units, v->bias_s32, 0.00001f, 0)
                              : add(&s, FLOAT32, 1, &v->units, v->bias_f32, 0, 0);
    s.inputs[4] = add(&s, quantized ? kept : FLOAT32, 2, state, NULL, quantized ? (kept == INT8 ? 0.1f : 0.0005f) : 0,
                      quantized && kept == INT8 ? -5 : 0);
    s.tensors[s.inputs[4]].variable = true;
    s.input_count = 5;
    s.outputs[0] = add(&s, type, 2, y, NULL, quantized ? 0.09f : 0, quantized ? -11 : 0);
    s.output_count = 1;
    s.options_type = 6;
    s.options[0] = v->rank;
    s.options[1] = activation;
    s.option_count = 2;
    return s;
}

/* One run in double: state is that before, and becomes that behind. */
static void svdf_reference_f32(const svdf *v, const float *x, const double *wf, const double *wt, double *state,
                               bool relu, double *y) {
    int b, u, r, t, i;
    for (b = 0; b < v->batch; b++)
        for (u = 0; u < v->units; u++) {
            double sum = v->biased ? (double)v->bias_f32[u] : 0;
            for (r = 0; r < v->rank; r++) {
                const int f = u * v->rank + r;
                double *kept = state + (b * v->units * v->rank + f) * v->memory, dot = 0;
                for (t = 0; t + 1 < v->memory; t++) kept[t] = kept[t + 1];
                for (i = 0; i < v->inputs; i++) dot += wf[f * v->inputs + i] * (double)x[b * v->inputs + i];
                kept[v->memory - 1] = dot;
                for (t = 0; t < v->memory; t++) sum += wt[f * v->memory + t] * kept[t];
            }
            y[b * v->units + u] = relu && sum < 0 ? 0 : sum;
        }
}

/* The same of int8, in integers. */
static void svdf_reference_s8(const svdf *v, const int8_t *x, bool narrow, int64_t *state, int8_t *y) {
    const float state_scale = narrow ? 0.1f : 0.0005f, time_scale = narrow ? 0.008f : 0.00003f;
    const float first = 0.05f * 0.01f, second = state_scale * time_scale;
    const float feature_factor = first / state_scale,
                out_factor = second / 0.09f; /* in float, as the kernels have it */
    const int64_t low = narrow ? -128 : -32768, high = narrow ? 127 : 32767;
    int b, u, r, t, i;
    for (b = 0; b < v->batch; b++)
        for (u = 0; u < v->units; u++) {
            int64_t sum = v->biased ? v->bias_s32[u] : 0;
            for (r = 0; r < v->rank; r++) {
                const int f = u * v->rank + r;
                int64_t *kept = state + (b * v->units * v->rank + f) * v->memory, dot = 0;
                for (t = 0; t + 1 < v->memory; t++) kept[t] = kept[t + 1];
                for (i = 0; i < v->inputs; i++)
                    dot += (int64_t)v->feature_s8[f * v->inputs + i] * (x[b * v->inputs + i] - 7);
                dot = clamped(rescale(dot, (double)feature_factor), low, high);
                kept[v->memory - 1] = narrow ? (int8_t)(uint8_t)((dot - 5) & 0xff) : dot;
                for (t = 0; t < v->memory; t++)
                    sum += (narrow ? v->time_s8[f * v->memory + t] : v->time_s16[f * v->memory + t]) *
                           (kept[t] + (narrow ? 5 : 0));
            }
            y[b * v->units + u] = (int8_t)clamped(rescale(sum, (double)out_factor) - 11, -128, 127);
        }
}

static void to_double(const svdf *v, const float *f32, const int8_t *s8, double scale, double *to, size_t n) {
    size_t i;
    (void)v;
    for (i = 0; i < n; i++) to[i] = s8 != NULL ? (double)(float)scale * s8[i] : (double)f32[i];
}

Test(tflite_recurrent, svdf_of_float32_over_a_hundred_runs) {
    const char *isas[NNRT__TARGET_COUNT];
    const size_t levels = off_isas(isas);
    int drawn;
    for (drawn = 0; drawn < 12; drawn++) {
        static double wf[FILTERS_MOST * INPUT_MOST], wt[FILTERS_MOST * MEMORY_MOST];
        static double state[BATCH_MOST * FILTERS_MOST * MEMORY_MOST];
        const bool relu = drawn % 3 == 0;
        svdf v;
        spec s;
        loaded l;
        int run, i;
        draw_svdf(&v);
        s = svdf_file(&v, FLOAT32, FLOAT32, FLOAT32, relu ? 1 : 0);
        IS(load(&l, &s, isas[(size_t)drawn % levels]), OH_NN_SUCCESS);
        to_double(&v, v.feature_f32, NULL, 0, wf, FILTERS_MOST * INPUT_MOST);
        to_double(&v, v.time_f32, NULL, 0, wt, FILTERS_MOST * MEMORY_MOST);
        memset(state, 0, sizeof state);
        for (run = 0; run < RUNS; run++) {
            float x[BATCH_MOST * INPUT_MOST], y[BATCH_MOST * FILTERS_MOST];
            double wanted[BATCH_MOST * FILTERS_MOST];
            if (run == 60) { /* and begins anew */
                IS(nnrt_executor_reset(l.executor), OH_NN_SUCCESS);
                memset(state, 0, sizeof state);
            }
            random_f32(x, sizeof x / sizeof x[0], 2);
            IS(off_run(l.executor, x, (size_t)(v.batch * v.inputs) * 4, y, (size_t)(v.batch * v.units) * 4),
               OH_NN_SUCCESS);
            svdf_reference_f32(&v, x, wf, wt, state, relu, wanted);
            for (i = 0; i < v.batch * v.units; i++)
                cr_assert(fabs((double)y[i] - wanted[i]) <= 1e-4, "drawn %d run %d: %g, not %g", drawn, run,
                          (double)y[i], wanted[i]);
        }
        unload(&l);
    }
}

/* Inputs are quantized anew in each run: their error stays within half a step of each of them. */
Test(tflite_recurrent, svdf_of_float32_with_weights_of_int8_over_a_hundred_runs) {
    const char *isas[NNRT__TARGET_COUNT];
    const size_t levels = off_isas(isas);
    int drawn;
    for (drawn = 0; drawn < 8; drawn++) {
        static double wf[FILTERS_MOST * INPUT_MOST], wt[FILTERS_MOST * MEMORY_MOST];
        static double state[BATCH_MOST * FILTERS_MOST * MEMORY_MOST];
        svdf v;
        spec s;
        loaded l;
        int run, i;
        draw_svdf(&v);
        s = svdf_file(&v, FLOAT32, INT8, INT8, 0);
        IS(load(&l, &s, isas[(size_t)drawn % levels]), OH_NN_SUCCESS);
        to_double(&v, NULL, v.feature_s8, 0.01, wf, FILTERS_MOST * INPUT_MOST);
        to_double(&v, NULL, v.time_s8, 0.008, wt, FILTERS_MOST * MEMORY_MOST);
        memset(state, 0, sizeof state);
        for (run = 0; run < RUNS; run++) {
            float x[BATCH_MOST * INPUT_MOST], y[BATCH_MOST * FILTERS_MOST];
            double wanted[BATCH_MOST * FILTERS_MOST];
            /* half of 2 / 127, times weights up to 1.27, times weights of time up to 1.02 */
            const double bound = 2.0 / 254 * 1.27 * v.inputs * 1.02 * v.memory * v.rank + 1e-3;
            random_f32(x, sizeof x / sizeof x[0], 2);
            IS(off_run(l.executor, x, (size_t)(v.batch * v.inputs) * 4, y, (size_t)(v.batch * v.units) * 4),
               OH_NN_SUCCESS);
            svdf_reference_f32(&v, x, wf, wt, state, false, wanted);
            for (i = 0; i < v.batch * v.units; i++)
                cr_assert(fabs((double)y[i] - wanted[i]) <= bound, "drawn %d run %d: %g, not %g", drawn, run,
                          (double)y[i], wanted[i]);
        }
        unload(&l);
    }
}

Test(tflite_recurrent, svdf_of_int8_has_its_bytes_on_every_instruction_set) {
    const char *isas[NNRT__TARGET_COUNT];
    const size_t levels = off_isas(isas);
    int drawn;
    for (drawn = 0; drawn < 16; drawn++) {
        const bool narrow = drawn % 2 != 0;
        static int64_t state[BATCH_MOST * FILTERS_MOST * MEMORY_MOST];
        static int8_t xs[RUNS][BATCH_MOST * INPUT_MOST], wanted[RUNS][BATCH_MOST * FILTERS_MOST];
        svdf v;
        spec s;
        size_t level;
        int run, i;
        draw_svdf(&v);
        s = svdf_file(&v, INT8, INT8, narrow ? INT8 : INT16, 1);
        for (i = 0; i < (int)NNRT__COUNT_OF(state); i++) state[i] = narrow ? -5 : 0; /* its zero point */
        for (run = 0; run < RUNS; run++) {
            random_s8(xs[run], sizeof xs[run]);
            svdf_reference_s8(&v, xs[run], narrow, state, wanted[run]);
        }
        for (level = 0; level < levels; level++) {
            loaded l;
            IS(load(&l, &s, isas[level]), OH_NN_SUCCESS);
            for (run = 0; run < RUNS; run++) {
                int8_t y[BATCH_MOST * FILTERS_MOST];
                IS(off_run(l.executor, xs[run], (size_t)(v.batch * v.inputs), y, (size_t)(v.batch * v.units)),
                   OH_NN_SUCCESS);
                cr_assert_eq(memcmp(y, wanted[run], (size_t)(v.batch * v.units)), 0, "drawn %d, %s, run %d: %d, not %d",
                             drawn, isas[level], run, y[0], wanted[run][0]);
            }
            unload(&l);
        }
    }
}

Test(tflite_recurrent, svdf_that_cannot_be_is_refused) {
    svdf v;
    spec s;
    draw_svdf(&v);
    v.units = 4, v.rank = 2, v.memory = 3, v.biased = true;
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[4]].variable = false;
    refused(&s, "used before it is computed");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.options[0] = 3;
    refused(&s, "rank");
    s.options[0] = 0;
    refused(&s, "rank");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[4]].dims[1]--;
    refused(&s, "do not agree");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[4]].scale = 0;
    refused(&s, "scale");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[3]].dims[0] = 3, s.tensors[s.inputs[3]].data_size = 12;
    refused(&s, "do not agree");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[2]].dims[0] = 7, s.tensors[s.inputs[2]].data_size = 7 * 3 * 2; /* filters of time alone */
    refused(&s, "rank");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[4]].dims[0]++; /* the state of one more batch */
    refused(&s, "do not agree");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.outputs[0]].dims[1] = 3; /* 8 filters are no multiple of 3 units */
    s.tensors[s.inputs[3]].dims[0] = 3, s.tensors[s.inputs[3]].data_size = 12;
    refused(&s, "rank");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[2]].zero = 1;
    refused(&s, "zero point");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.outputs[0] = s.inputs[4];
    refused(&s, "variable");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[4]].rank = 1, s.tensors[s.inputs[4]].dims[0] = v.batch * 8 * 3;
    refused(&s, "an operand has not two dimensions");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.outputs[0]].type = INT16, s.tensors[s.outputs[0]].zero = 0;
    refused(&s, "data types must be float32, or int8 with weights of time and state of int16 or int8");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.inputs[3]].type = FLOAT32, s.tensors[s.inputs[3]].scale = 0;
    refused(&s, "the bias has another data type than the sums");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.tensors[s.outputs[0]].scale = 1e-20f;
    refused(&s, "results would leave 32 bits");
    s = svdf_file(&v, INT8, INT8, INT8, 0);
    s.tensors[s.outputs[0]].scale = 1e-6f; /* 0.1 * 0.008 / 1e-6: a shift of 10; sums have 18 bits, biases 20 */
    v.bias_s32[0] = 1 << 22;
    refused(&s, "results would leave 32 bits");
}

/* What its kernels have in pieces is taken apart by the device, not by the reader. */
Test(tflite_recurrent, svdf_is_one_operator_of_the_graph) {
    static const int types[4][3] = {
        {FLOAT32, FLOAT32, FLOAT32}, {FLOAT32, INT8, INT8}, {INT8, INT8, INT16}, {INT8, INT8, INT8}};
    int i;
    for (i = 0; i < 8; i++) {
        nnrt__graph_store *store;
        const nnrt_graph *graph;
        svdf v;
        spec s;
        bytes file;
        draw_svdf(&v);
        v.biased = i < 4;
        s = svdf_file(&v, types[i % 4][0], types[i % 4][1], types[i % 4][2], 0);
        file = make(&s);
        IS(nnrt__tflite_read(file.at, file.size, &store), OH_NN_SUCCESS);
        graph = nnrt__graph_store_graph(store);
        cr_assert_eq(graph->node_count, 1u);
        cr_assert_eq((int)graph->nodes[0].op, (int)OH_NN_OPS_SVDF);
        cr_assert_eq(graph->nodes[0].input_count, v.biased ? 5u : 4u);
        nnrt__graph_store_release(store);
        free(file.at);
    }
}

/* ---------------------------------------------------------------------------------------------------- LSTM */

enum {
    X_MOST = 21,
    UNITS_MOST = 13,
    STEPS_MOST = 6,
    IN_MOST = BATCH_MOST * STEPS_MOST * X_MOST,
    OUT_MOST = BATCH_MOST * STEPS_MOST * UNITS_MOST
};

/* Gates stand in the order of the file: input, forget, cell, output. */
typedef struct lstm {
    int32_t batch, steps, inputs, units, outputs;
    bool time_major, coupled, peephole, projection, projection_bias, norm; /* coupled: no input gate */
    float cell_clip, projection_clip;
    float wx[4][UNITS_MOST * X_MOST], wh[4][UNITS_MOST * UNITS_MOST], bias[4][UNITS_MOST], peepholes[3][UNITS_MOST];
    float norms[4][UNITS_MOST], project[UNITS_MOST * UNITS_MOST], project_bias[UNITS_MOST];
    int8_t wx_s8[4][UNITS_MOST * X_MOST], wh_s8[4][UNITS_MOST * UNITS_MOST], project_s8[UNITS_MOST * UNITS_MOST];
    int8_t peepholes_s8[3][UNITS_MOST];
    int32_t bias_s32[4][UNITS_MOST];
    int64_t bias_s64[4][UNITS_MOST];
} lstm;

static const float wx_scales[4] = {0.004f, 0.005f, 0.006f, 0.0045f}, wh_scales[4] = {0.007f, 0.0065f, 0.003f, 0.005f};
static const float project_scale = 0.008f, peephole_scales[3] = {0.003f, 0.004f, 0.002f};

static bool coin(void) { return noise_in(0, 1) != 0; }

/* Sizes and weights. hybrid: the floats are the int8 ones times their scales. */
static void draw_lstm(lstm *l, bool variants, bool hybrid) {
    size_t i, g;
    memset(l, 0, sizeof *l);
    l->batch = noise_in(1, BATCH_MOST), l->steps = noise_in(1, STEPS_MOST), l->inputs = noise_in(1, X_MOST);
    l->units = l->outputs = noise_in(1, UNITS_MOST);
    l->time_major = coin();
    if (variants) {
        l->coupled = coin(), l->peephole = coin(), l->projection = coin(), l->norm = coin();
        l->projection_bias = l->projection && coin();
        if (l->projection) l->outputs = noise_in(1, UNITS_MOST);
        if (coin()) l->cell_clip = 0.4f;
        if (l->projection && coin()) l->projection_clip = 0.3f;
    } else if (coin()) {
        l->cell_clip = 0.7f;
    }
    for (g = 0; g < 4; g++) {
        random_f32(l->wx[g], UNITS_MOST * X_MOST, 0.6), random_f32(l->wh[g], UNITS_MOST * UNITS_MOST, 0.6);
        random_f32(l->bias[g], UNITS_MOST, 1), random_f32(l->norms[g], UNITS_MOST, 1.5);
        random_s8(l->wx_s8[g], UNITS_MOST * X_MOST), random_s8(l->wh_s8[g], UNITS_MOST * UNITS_MOST);
        for (i = 0; i < UNITS_MOST; i++) l->bias_s64[g][i] = l->bias_s32[g][i] = noise_in(-9000, 9000);
        for (i = 0; hybrid && i < UNITS_MOST * X_MOST; i++) l->wx[g][i] = wx_scales[g] * l->wx_s8[g][i];
        for (i = 0; hybrid && i < UNITS_MOST * UNITS_MOST; i++) l->wh[g][i] = wh_scales[g] * l->wh_s8[g][i];
    }
    for (g = 0; g < 3; g++) {
        random_f32(l->peepholes[g], UNITS_MOST, 0.8), random_s8(l->peepholes_s8[g], UNITS_MOST);
        for (i = 0; hybrid && i < UNITS_MOST; i++) l->peepholes[g][i] = peephole_scales[g] * l->peepholes_s8[g][i];
    }
    random_f32(l->project, UNITS_MOST * UNITS_MOST, 0.7), random_f32(l->project_bias, UNITS_MOST, 0.3);
    random_s8(l->project_s8, UNITS_MOST * UNITS_MOST);
    for (i = 0; hybrid && i < UNITS_MOST * UNITS_MOST; i++) l->project[i] = project_scale * l->project_s8[i];
}

typedef struct lstm_types {
    int io, weights, bias, cell;
    float x_scale, h_scale, cell_scale;
    int64_t x_zero, h_zero;
} lstm_types;

static int64_t float_bits(float x) { return (int64_t)bits_of(x); }

static spec lstm_file(const lstm *l, const lstm_types *t) {
    const int32_t x[3] = {l->time_major ? l->steps : l->batch, l->time_major ? l->batch : l->steps, l->inputs};
    const int32_t y[3] = {x[0], x[1], l->outputs}, wx[2] = {l->units, l->inputs}, wh[2] = {l->units, l->outputs};
    const int32_t h[2] = {l->batch, l->outputs}, c[2] = {l->batch, l->units}, project[2] = {l->outputs, l->units};
    const bool narrow = t->weights == INT8;
    spec s;
    int g;
    memset(&s, 0, sizeof s);
    s.code = SEQUENCE_LSTM;
    for (g = 0; g < 24; g++) s.inputs[g] = -1;
    s.input_count = l->norm ? 24 : 20;
    s.inputs[0] = add(&s, t->io, 3, x, NULL, t->x_scale, t->x_zero);
    for (g = 0; g < 4; g++) {
        if (g == 0 && l->coupled) continue;
        s.inputs[1 + g] =
            add(&s, t->weights, 2, wx, narrow ? (const void *)l->wx_s8[g] : l->wx[g], narrow ? wx_scales[g] : 0, 0);
        s.inputs[5 + g] =
            add(&s, t->weights, 2, wh, narrow ? (const void *)l->wh_s8[g] : l->wh[g], narrow ? wh_scales[g] : 0, 0);
        s.inputs[12 + g] = add(&s, t->bias, 1, &l->units,
                               t->bias == INT64   ? (const void *)l->bias_s64[g]
                               : t->bias == INT32 ? (const void *)l->bias_s32[g]
                                                  : l->bias[g],
                               0, 0);
        if (l->norm) s.inputs[20 + g] = add(&s, FLOAT32, 1, &l->units, l->norms[g], 0, 0);
    }
    for (g = l->coupled ? 1 : 0; l->peephole && g < 3; g++)
        s.inputs[9 + g] = add(&s, t->weights, 1, &l->units, narrow ? (const void *)l->peepholes_s8[g] : l->peepholes[g],
                              narrow ? peephole_scales[g] : 0, 0);
    if (l->projection)
        s.inputs[16] = add(&s, t->weights, 2, project, narrow ? (const void *)l->project_s8 : l->project,
                           narrow ? project_scale : 0, 0);
    if (l->projection_bias) s.inputs[17] = add(&s, FLOAT32, 1, &l->outputs, l->project_bias, 0, 0);
    s.inputs[18] = add(&s, t->io, 2, h, NULL, t->h_scale, t->h_zero);
    s.inputs[19] = add(&s, t->cell, 2, c, NULL, t->cell_scale, 0);
    s.tensors[s.inputs[18]].variable = s.tensors[s.inputs[19]].variable = true;
    s.outputs[0] = add(&s, t->io, 3, y, NULL, t->h_scale, t->h_zero);
    s.output_count = 1;
    s.options_type = 71;
    s.options[0] = 4; /* TANH */
    s.options[1] = float_bits(l->cell_clip);
    s.options[2] = float_bits(l->projection_clip);
    s.options[3] = l->time_major;
    s.option_count = 4;
    return s;
}

static double logistic(double x) { return 1 / (1 + exp(-x)); }

/* Where step t of row b begins in the input or the output. */
static int lstm_at(const lstm *l, int t, int b, int width) {
    return (l->time_major ? t * l->batch + b : b * l->steps + t) * width;
}

/* One gate of one step, up to its function, from x, h and the cell. */
static void gate_reference(const lstm *l, int g, const float *x, const double *h, const double *c, double *gate) {
    const int peephole = g == 0 ? 0 : g == 1 ? 1 : 2;
    double mean = 0, variance = 0;
    int u, i;
    for (u = 0; u < l->units; u++) {
        gate[u] = l->norm ? 0 : (double)l->bias[g][u];
        for (i = 0; i < l->inputs; i++) gate[u] += (double)l->wx[g][u * l->inputs + i] * (double)x[i];
        for (i = 0; i < l->outputs; i++) gate[u] += (double)l->wh[g][u * l->outputs + i] * h[i];
        if (l->peephole && g != 2) gate[u] += (double)l->peepholes[peephole][u] * c[u];
    }
    for (u = 0; l->norm && u < l->units; u++) mean += gate[u] / l->units;
    for (u = 0; l->norm && u < l->units; u++) variance += (gate[u] - mean) * (gate[u] - mean) / l->units;
    for (u = 0; u < l->units; u++) {
        if (l->norm)
            gate[u] = (gate[u] - mean) / sqrt(variance + 1e-8) * (double)l->norms[g][u] + (double)l->bias[g][u];
        gate[u] = g == 2 ? tanh(gate[u]) : logistic(gate[u]);
    }
}

static double within(double x, double most) { return most > 0 && x > most ? most : most > 0 && x < -most ? -most : x; }

/* One run in double. */
static void lstm_reference_f32(const lstm *l, const float *x, double *h, double *c, double *y) {
    int b, t, u, i;
    for (b = 0; b < l->batch; b++)
        for (t = 0; t < l->steps; t++) {
            double gates[4][UNITS_MOST], *hidden = h + b * l->outputs, *cell = c + b * l->units;
            const float *row = x + lstm_at(l, t, b, l->inputs);
            gate_reference(l, 1, row, hidden, cell, gates[1]);
            gate_reference(l, 2, row, hidden, cell, gates[2]);
            if (!l->coupled) gate_reference(l, 0, row, hidden, cell, gates[0]);
            for (u = 0; u < l->units; u++)
                cell[u] = within(gates[1][u] * cell[u] + (l->coupled ? 1 - gates[1][u] : gates[0][u]) * gates[2][u],
                                 (double)l->cell_clip);
            gate_reference(l, 3, row, hidden, cell, gates[3]);
            for (u = 0; u < l->outputs; u++) {
                double sum = l->projection_bias ? (double)l->project_bias[u] : 0;
                for (i = 0; l->projection && i < l->units; i++)
                    sum += (double)l->project[u * l->units + i] * gates[3][i] * tanh(cell[i]);
                hidden[u] = l->projection ? within(sum, (double)l->projection_clip) : gates[3][u] * tanh(cell[u]);
            }
            for (u = 0; u < l->outputs; u++) y[lstm_at(l, t, b, l->outputs) + u] = hidden[u];
        }
}

static void run_lstm_f32(bool hybrid, int draws, double bound) {
    const lstm_types types = {FLOAT32, hybrid ? INT8 : FLOAT32, FLOAT32, FLOAT32, 0, 0, 0, 0, 0};
    const char *isas[NNRT__TARGET_COUNT];
    const size_t levels = off_isas(isas);
    int drawn, run, i;
    for (drawn = 0; drawn < draws; drawn++) {
        double h[BATCH_MOST * UNITS_MOST] = {0}, c[BATCH_MOST * UNITS_MOST] = {0}, wanted[OUT_MOST];
        static lstm l;
        spec s;
        loaded model;
        draw_lstm(&l, true, hybrid);
        if (hybrid) l.norm = false; /* makes differences of any size of small ones */
        s = lstm_file(&l, &types);
        IS(load(&model, &s, isas[(size_t)drawn % levels]), OH_NN_SUCCESS);
        for (run = 0; run < RUNS; run++) {
            const size_t in = (size_t)(l.batch * l.steps * l.inputs), out = (size_t)(l.batch * l.steps * l.outputs);
            float x[IN_MOST], y[OUT_MOST];
            random_f32(x, in, 1);
            if (run == 60) { /* and begins anew */
                IS(nnrt_executor_reset(model.executor), OH_NN_SUCCESS);
                memset(h, 0, sizeof h), memset(c, 0, sizeof c);
            }
            IS(off_run(model.executor, x, in * 4, y, out * 4), OH_NN_SUCCESS);
            lstm_reference_f32(&l, x, h, c, wanted);
            for (i = 0; i < (int)out; i++)
                cr_assert(fabs((double)y[i] - wanted[i]) <= bound, "drawn %d run %d, %d units%s%s%s%s: %g, not %g",
                          drawn, run, (int)l.units, l.coupled ? ", coupled" : "", l.peephole ? ", peepholes" : "",
                          l.projection ? ", projection" : "", l.norm ? ", norm" : "", (double)y[i], wanted[i]);
        }
        unload(&model);
    }
}

Test(tflite_recurrent, lstm_of_float32_with_all_that_it_may_have) { run_lstm_f32(false, 40, 2e-3); }

/* x and h are rounded to 1/127 of the largest of them, in each step anew. */
Test(tflite_recurrent, lstm_of_float32_with_weights_of_int8) { run_lstm_f32(true, 20, 0.06); }

/* One run of int8 or int16 in integers. */
static void lstm_reference_int(const lstm *l, const lstm_types *types, const int32_t *x, int64_t *h, int64_t *c,
                               int32_t *y) {
    const bool wide = types->io == INT16;
    const double q15 = ldexp(1, -15), cell_scale = (double)types->cell_scale;
    const int64_t low = wide ? -32768 : -128, high = wide ? 32767 : 127;
    const int64_t clip = (int64_t)((double)l->cell_clip / cell_scale);
    int b, t, u, g, i;
    for (b = 0; b < l->batch; b++)
        for (t = 0; t < l->steps; t++) {
            int64_t gates[4][UNITS_MOST], *hidden = h + b * l->units, *cell = c + b * l->units;
            for (u = 0; u < l->units; u++)
                for (g = 0; g < 4; g++) {
                    const float x_factor = types->x_scale * wx_scales[g], h_factor = types->h_scale * wh_scales[g];
                    int64_t of_x = l->bias_s64[g][u], of_h = 0, sum;
                    for (i = 0; i < l->inputs; i++)
                        of_x += l->wx_s8[g][u * l->inputs + i] * (x[lstm_at(l, t, b, l->inputs) + i] - types->x_zero);
                    for (i = 0; i < l->units; i++) of_h += l->wh_s8[g][u * l->units + i] * (hidden[i] - types->h_zero);
                    of_x = wide ? rescale_wide(of_x, (double)x_factor * 4096) : rescale(of_x, (double)x_factor * 4096);
                    of_h = wide ? rescale_wide(of_h, (double)h_factor * 4096) : rescale(of_h, (double)h_factor * 4096);
                    sum = clamped(clamped(of_x, -32768, 32767) + clamped(of_h, -32768, 32767), -32768, 32767);
                    gates[g][u] = sigmoid_at(g == 2, 3.0 * (double)sum);
                }
            for (u = 0; u < l->units; u++) {
                const int64_t kept = clamped(rescale(gates[1][u] * cell[u], q15), -32768, 32767);
                const int64_t added =
                    clamped(rescale(gates[0][u] * gates[2][u], q15 * q15 / cell_scale), -32768, 32767);
                double scaled;
                cell[u] = clamped(kept + added, -32768, 32767);
                if (l->cell_clip > 0) cell[u] = clamped(cell[u], -clip, clip);
                scaled = 3.0 * (double)cell[u] * ldexp(cell_scale, 12);
                hidden[u] =
                    rescale(sigmoid_at(true, floor(scaled + 0.5)) * gates[3][u], q15 * q15 / (double)types->h_scale) +
                    types->h_zero;
                hidden[u] = clamped(hidden[u], low, high);
                y[lstm_at(l, t, b, l->units) + u] = (int32_t)hidden[u];
            }
        }
}

/* Runs of one model on one instruction set, against what was computed before. */
static void run_lstm_int(const lstm *l, const spec *s, bool wide, const char *isa, int32_t x[][IN_MOST],
                         int32_t wanted[][OUT_MOST], int runs) {
    const size_t in = (size_t)(l->batch * l->steps * l->inputs), out = (size_t)(l->batch * l->steps * l->units);
    loaded model;
    int run;
    size_t i;
    IS(load(&model, s, isa), OH_NN_SUCCESS);
    for (run = 0; run < runs; run++) {
        int8_t x8[IN_MOST], y8[OUT_MOST];
        int16_t x16[IN_MOST], y16[OUT_MOST];
        for (i = 0; i < in; i++) x8[i] = (int8_t)x[run][i], x16[i] = (int16_t)x[run][i];
        if (wide) IS(off_run(model.executor, x16, 2 * in, y16, 2 * out), OH_NN_SUCCESS);
        else IS(off_run(model.executor, x8, in, y8, out), OH_NN_SUCCESS);
        for (i = 0; i < out; i++)
            cr_assert_eq(wide ? y16[i] : y8[i], wanted[run][i], "%s, %s, run %d [%zu]: %d, not %d",
                         wide ? "int16" : "int8", isa, run, i, wide ? y16[i] : y8[i], (int)wanted[run][i]);
    }
    unload(&model);
}

Test(tflite_recurrent, lstm_of_int8_and_int16_has_its_bytes_on_every_instruction_set) {
    static int32_t x[RUNS][IN_MOST], wanted[RUNS][OUT_MOST];
    const char *isas[NNRT__TARGET_COUNT];
    const size_t levels = off_isas(isas);
    int drawn, run, i;
    for (drawn = 0; drawn < 24; drawn++) {
        const bool wide = drawn % 2 != 0;
        const int cell_power = -9 - drawn % 7;
        const lstm_types types = {wide ? INT16 : INT8,
                                  INT8,
                                  wide ? INT64 : INT32,
                                  INT16,
                                  wide ? 0.00005f : 0.02f,
                                  wide ? 0.00003f : 0.0078f,
                                  ldexpf(1, cell_power),
                                  wide ? 0 : -4,
                                  wide ? 0 : 3};
        int64_t h[BATCH_MOST * UNITS_MOST], c[BATCH_MOST * UNITS_MOST] = {0};
        static lstm l;
        size_t level;
        spec s;
        draw_lstm(&l, false, false);
        s = lstm_file(&l, &types);
        for (i = 0; i < BATCH_MOST * UNITS_MOST; i++) h[i] = types.h_zero;
        for (run = 0; run < RUNS; run++) {
            for (i = 0; i < IN_MOST; i++) x[run][i] = wide ? number() : noise_in(-128, 127);
            lstm_reference_int(&l, &types, x[run], h, c, wanted[run]);
        }
        for (level = 0; level < levels; level++) run_lstm_int(&l, &s, wide, isas[level], x, wanted, RUNS);
    }
}

Test(tflite_recurrent, lstm_that_cannot_be_is_refused) {
    const lstm_types real = {FLOAT32, FLOAT32, FLOAT32, FLOAT32, 0, 0, 0, 0, 0};
    const lstm_types whole = {INT8, INT8, INT32, INT16, 0.02f, 0.0078f, 0.00048828125f, -4, 3};
    static lstm l;
    lstm_types wrong;
    spec s;
    draw_lstm(&l, false, false);
    l.inputs = 5, l.units = l.outputs = 4, l.batch = 2;
    s = lstm_file(&l, &real);
    s.inputs[6] = -1;
    refused(&s, "input 6 is tensor -1");
    s = lstm_file(&l, &real);
    s.options[0] = 1;
    refused(&s, "activation");
    s = lstm_file(&l, &real);
    s.options[5] = 1, s.option_count = 6;
    refused(&s, "diagonal");
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[18]].variable = false;
    refused(&s, "used before it is computed");
    s = lstm_file(&l, &real);
    s.inputs[18] = s.inputs[19];
    refused(&s, "no variable");
    s = lstm_file(&l, &real);
    s.inputs[9] = s.inputs[12];
    refused(&s, "some gates");
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[2]].dims[1]--, s.tensors[s.inputs[2]].data_size -= 16;
    refused(&s, "weights and biases must be constants");
    s = lstm_file(&l, &real);
    s.options[1] = float_bits(-1);
    refused(&s, "negative");
    s = lstm_file(&l, &whole);
    s.inputs[16] = s.inputs[5];
    refused(&s, "no peephole, norm or projection");
    wrong = whole;
    wrong.cell_scale = 0.0005f;
    s = lstm_file(&l, &wrong);
    refused(&s, "power of two");
    wrong = whole;
    wrong.x_scale = 1e6f;
    s = lstm_file(&l, &wrong);
    refused(&s, "would leave 32 bits");
    wrong = whole;
    wrong.bias = FLOAT32;
    s = lstm_file(&l, &wrong);
    refused(&s, "int8 and int16 want");
    s = lstm_file(&l, &whole);
    s.tensors[s.inputs[3]].zero = 1;
    refused(&s, "weights must have one scale and the zero point 0");
    wrong = whole;
    wrong.io = INT16, wrong.bias = INT64, wrong.h_zero = 0, wrong.x_zero = 2;
    s = lstm_file(&l, &wrong);
    refused(&s, "a scale is missing, or a zero point of int16 is not 0");
    wrong.x_zero = 0, wrong.x_scale = 60;
    s = lstm_file(&l, &wrong);
    refused(&s, "the scales of input, state or weights are too large");
    wrong = whole;
    wrong.h_scale = 1e-10f;
    s = lstm_file(&l, &wrong);
    refused(&s, "the scale of the hidden state is too small");
    wrong = real;
    wrong.cell = INT16, wrong.cell_scale = 0.00048828125f;
    s = lstm_file(&l, &wrong);
    refused(&s, "data types must be float32, int8 or int16");
}

/* What float32 has that int8 and int16 have not: a projection, norms and peepholes. */
Test(tflite_recurrent, lstm_whose_projection_norms_or_peepholes_do_not_fit_is_refused) {
    const lstm_types real = {FLOAT32, FLOAT32, FLOAT32, FLOAT32, 0, 0, 0, 0, 0};
    lstm l;
    spec s;
    draw_lstm(&l, false, false);
    l.batch = 2, l.steps = 3, l.inputs = 4, l.units = 6, l.outputs = 5;
    l.projection = l.projection_bias = l.norm = l.peephole = true;
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[16]].dims[1] = 5, s.tensors[s.inputs[16]].data_size = 100;
    refused(&s, "the projection does not fit the state");
    s = lstm_file(&l, &real);
    s.inputs[16] = s.inputs[17] = -1;
    refused(&s, "the projection does not fit the state");
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[17]].dims[0] = 4, s.tensors[s.inputs[17]].data_size = 16;
    refused(&s, "the bias of the projection does not fit it");
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[21]].dims[0] = 5, s.tensors[s.inputs[21]].data_size = 20;
    refused(&s, "norms must be constants of float32, one for each unit");
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[10]].dims[0] = 5, s.tensors[s.inputs[10]].data_size = 20;
    refused(&s, "peepholes must be constants of the type of the weights, one for each unit");
}

Test(tflite_recurrent, lstm_whose_input_and_states_do_not_agree_is_refused) {
    const lstm_types real = {FLOAT32, FLOAT32, FLOAT32, FLOAT32, 0, 0, 0, 0, 0};
    lstm l;
    spec s;
    draw_lstm(&l, false, false);
    l.time_major = false, l.batch = 2, l.steps = 3, l.inputs = 4, l.units = l.outputs = 6;
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[0]].rank = 2;
    refused(&s, "the input has not three dimensions, or there is no state");
    s = lstm_file(&l, &real);
    s.tensors[s.inputs[18]].dims[0] = 3, s.tensors[s.inputs[18]].dims[1] = 5;
    refused(&s, "the batch of the state is not that of the input");
}

/* A variable that nobody changes is zeros for ever: a RELU of it. */
Test(tflite_recurrent, a_variable_that_no_operator_changes_stays_as_it_is) {
    static const int32_t dims[1] = {3};
    spec s;
    loaded l;
    int run;
    memset(&s, 0, sizeof s);
    s.code = 0; /* ADD */
    s.inputs[0] = add(&s, FLOAT32, 1, dims, NULL, 0, 0);
    s.inputs[1] = add(&s, FLOAT32, 1, dims, NULL, 0, 0);
    s.tensors[1].variable = true;
    s.input_count = 2;
    s.outputs[0] = add(&s, FLOAT32, 1, dims, NULL, 0, 0);
    s.output_count = 1;
    IS(load(&l, &s, NULL), OH_NN_SUCCESS);
    for (run = 0; run < 3; run++) {
        const float x[3] = {1, -2, 3};
        float y[3];
        IS(off_run(l.executor, x, sizeof x, y, sizeof y), OH_NN_SUCCESS);
        cr_assert(y[0] == 1 && y[1] == -2 && y[2] == 3);
    }
    unload(&l);
}
