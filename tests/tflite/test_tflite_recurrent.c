/* SPDX-License-Identifier: Apache-2.0 */
/* test_tflite_recurrent.c - .tflite operators that keep state, over a hundred runs: each is compared with its
   definition, written here one number at a time, in double or with the integers of TensorFlow Lite's scheme. */
#include "linked.h"

#include <math.h>
#include <stdio.h>

#include <criterion/criterion.h>

#define SEED 20261123u

#include "noise.h"
#include "offline_runner.h"

#include "make_tflite.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    FLOAT32 = 0,
    INT32 = 2,
    INT16 = 7,
    INT8 = 9,
    SVDF = 27
};

/* ------------------------------------------------------------------------------------- files and executors */

/* Adds a tensor; data NULL: it is computed, given or a variable. */
static int32_t add(spec *s, int type, uint32_t rank, const int32_t *dims, const void *data, float scale, int64_t zero) {
    tensor_spec *t = &s->tensors[s->tensor_count];
    size_t size = type == INT8 ? 1 : type == INT16 ? 2 : 4;
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

/* x * factor, as TensorFlow Lite rescales: the factor in 31 bits, the product rounded to the nearest and away from zero
   at its upper half, then shifted right, to the nearest and away from zero. */
static int64_t rescaled(int64_t x, double factor) {
    int exponent;
    const double fraction = frexp(factor, &exponent);
    int64_t multiplier = (int64_t)floor(fraction * 2147483648.0 + 0.5), high, shift;
    if (multiplier == (int64_t)1 << 31) {
        multiplier /= 2;
        exponent++;
    }
    if (exponent > 0) x *= (int64_t)1 << exponent;
    high = (x * multiplier + ((x >= 0) == (multiplier >= 0) ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30))) /
           ((int64_t)1 << 31);
    for (shift = 1; exponent < 0 && shift < ((int64_t)1 << -exponent); shift *= 2) {}
    if (shift == 1) return high;
    return high >= 0 ? (high + shift / 2) / shift : -((-high + shift / 2) / shift);
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
                dot = clamped(rescaled(dot, (double)feature_factor), low, high);
                kept[v->memory - 1] = narrow ? (int8_t)(uint8_t)((dot - 5) & 0xff) : dot;
                for (t = 0; t < v->memory; t++)
                    sum += (narrow ? v->time_s8[f * v->memory + t] : v->time_s16[f * v->memory + t]) *
                           (kept[t] + (narrow ? 5 : 0));
            }
            y[b * v->units + u] = (int8_t)clamped(rescaled(sum, (double)out_factor) - 11, -128, 127);
        }
}

static void to_double(const svdf *v, const float *f32, const int8_t *s8, double scale, double *to, size_t n) {
    size_t i;
    (void)v;
    for (i = 0; i < n; i++) to[i] = s8 != NULL ? (double)(float)scale * s8[i] : (double)f32[i];
}

Test(tflite_recurrent, svdf_of_float32_over_a_hundred_runs) {
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
        IS(load(&l, &s, NULL), OH_NN_SUCCESS);
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
        IS(load(&l, &s, NULL), OH_NN_SUCCESS);
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
        int run;
        draw_svdf(&v);
        s = svdf_file(&v, INT8, INT8, narrow ? INT8 : INT16, 1);
        memset(state, 0, sizeof state);
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
    s.tensors[s.inputs[2]].zero = 1;
    refused(&s, "zero point");
    s = svdf_file(&v, INT8, INT8, INT16, 0);
    s.outputs[0] = s.inputs[4];
    refused(&s, "variable");
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
