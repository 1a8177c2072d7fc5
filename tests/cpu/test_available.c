/* SPDX-License-Identifier: Apache-2.0 */
/* test_available.c - OH_NNModel_GetAvailableOperations predicts the result of Build.

   Every sample of tests/operators/, in every combination of types, valid and damaged, alone and several in one model;
   chains of operators of mixed types and shapes with shapes left open, cycles and tensors that nobody gives; models
   that are refused as a whole; devices that take no graph. All operations are available exactly when Build succeeds,
   and one that would fail alone is not available beside others. */
#include "linked.h"

#define SEED 20261125u

#include "graph_builder.h"
#include "mock_device.h"
#include "noise.h"
#include "operators/sample.h"

#include <criterion/criterion.h>

#define OPS ((int)NNRT__OPS_OF_PROGRAMS)

enum {
    TOGETHER = 4, /* samples in one model */
    MODELS = 400,
    TENSORS = 40
};

/* How many of a finished model's operations are available on the CPU device; available: a copy of the flags. */
static uint32_t ask(OH_NNModel *model, bool *available) {
    const bool *flags = NULL;
    uint32_t count = 0, i, yes = 0;
    cr_assert_eq((int)OH_NNModel_GetAvailableOperations(model, gb_device(), &flags, &count), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    for (i = 0; i < count; i++) {
        char reason[256];
        available[i] = flags[i];
        yes += flags[i] ? 1 : 0;
        cr_assert_eq((int)nnrt_model_get_reason(model, gb_device(), i, reason, sizeof reason), (int)OH_NN_SUCCESS);
        cr_assert_eq(reason[0] == '\0', flags[i], "operation %u: %s", i, reason);
    }
    return yes;
}

static OH_NN_ReturnCode build(OH_NNModel *model) {
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(model);
    OH_NN_ReturnCode code;
    cr_assert_eq((int)OH_NNCompilation_SetDevice(compilation, gb_device()), (int)OH_NN_SUCCESS);
    code = OH_NNCompilation_Build(compilation);
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

/* ---------------------------------------------------------------------------------------------- the samples */

/* Puts a sample behind the `first` tensors of a model; false: an earlier call refuses it, as it should. Its inputs and
   outputs go behind those of the model. */
static bool put(OH_NNModel *model, const sample *s, gb_graph *ends) {
    const uint32_t first = model->store->graph.tensor_count;
    uint32_t inputs[256], outputs[256], params[SAMPLE_PARAMS], i;
    OH_NN_UInt32Array in, out, param;
    const uint32_t behind = s->input_tensors + s->output_tensors;
    if (s->input_count > 256 || s->output_count > 256) return false;
    for (i = 0; i < behind + s->param_count; i++) {
        const bool is_output = i >= s->input_tensors && i < behind;
        const sample_tensor *tensor = i < s->input_tensors ? &s->inputs[i]
                                      : is_output          ? &s->outputs[i - s->input_tensors]
                                                           : &s->params[i - behind];
        if (sample_add_tensor(model, tensor, !(is_output && s->open_outputs)) != OH_NN_SUCCESS) return false;
        if (sample_set_tensor(model, first + i, tensor) != OH_NN_SUCCESS) return false;
    }
    for (i = 0; i < s->input_count; i++) inputs[i] = first + (i < s->input_tensors ? i : s->input_tensors - 1);
    for (i = 0; i < s->output_count; i++)
        outputs[i] = first + s->input_tensors + (i < s->output_tensors ? i : s->output_tensors - 1);
    for (i = 0; i < s->param_count; i++) params[i] = first + behind + i;
    in.data = s->input_count != 0 ? inputs : NULL;
    in.size = s->input_count;
    out.data = s->output_count != 0 ? outputs : NULL;
    out.size = s->output_count;
    param.data = s->param_count != 0 ? params : NULL;
    param.size = s->param_count;
    if (OH_NNModel_AddOperation(model, s->op, &param, &in, &out) != OH_NN_SUCCESS) return false;
    for (i = 0; i < s->input_tensors && i < s->input_count; i++)
        if (!s->inputs[i].constant) (void)gb_input(ends, first + i);
    for (i = 0; i < s->output_tensors; i++) (void)gb_output(ends, first + s->input_tensors + i);
    return true;
}

/* The model of count samples; NULL: an earlier call refuses it. */
static OH_NNModel *model_of(const sample *samples, int count) {
    static const int32_t one = 1;
    gb_graph g;
    int i;
    gb_open(&g);
    for (i = 0; i < count; i++)
        if (!put(g.model, &samples[i], &g)) break;
    if (i == count) {
        g.tensor_count = g.model->store->graph.tensor_count;
        if (g.input_count == 0) (void)gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &one));
        if (gb_finish(&g) == OH_NN_SUCCESS) return g.model;
    }
    OH_NNModel_Destroy(&g.model);
    return NULL;
}

/* Is one operator available exactly when it builds? false: it does neither. */
static bool alone(const sample *s, const char *what) {
    OH_NNModel *model = model_of(s, 1);
    bool available;
    OH_NN_ReturnCode code;
    if (model == NULL) return false;
    (void)ask(model, &available);
    code = build(model);
    cr_assert_eq(available, code == OH_NN_SUCCESS, "%s, %s: %s, but Build answers %d: %s", nnrt__op_name((int)s->op),
                 what, available ? "available" : "not available", (int)code, nnrt_last_error());
    OH_NNModel_Destroy(&model);
    return true;
}

Test(available, a_sample_in_every_type_is_available_when_it_builds) {
    int op, open;
    for (op = 1; op <= OPS; op++)
        for (open = 0; open < 2; open++) {
            sample_types types;
            int at = 0;
            while (sample_next_types(said_find(op), &at, &types)) {
                sample s;
                sample_make(&s, said_find(op), &types);
                s.open_outputs = open != 0;
                (void)alone(&s, nnrt__dtype_name(types.data));
            }
        }
    cr_assert_eq(counting_live(), 0);
}

/* The types that a change is about, or float32. */
static bool types_for(const said_operator *said, const said_wrong *wrong, sample_types *types) {
    return sample_first_types(said, sample_wanted(wrong), types);
}

Test(available, a_damaged_sample_is_available_when_it_builds) {
    int op;
    for (op = 1; op <= OPS; op++) {
        const said_operator *said = said_find(op);
        uint32_t i;
        for (i = 0; i < said->wrong_count; i++) {
            sample_types types;
            sample s;
            if (!types_for(said, &said->wrongs[i], &types)) continue;
            sample_make(&s, said, &types);
            sample_change(&s, &said->wrongs[i], &types);
            (void)alone(&s, said->wrongs[i].what);
        }
    }
    cr_assert_eq(counting_live(), 0);
}

/* A random change of a sample: a dimension, a type, a scale, a missing parameter. */
static void damage(sample *s) {
    sample_tensor *tensor =
        noise() % 2 != 0 ? &s->inputs[noise() % s->input_tensors] : &s->outputs[noise() % s->output_tensors];
    switch (noise() % 8) {
    case 0:
    case 1:
        if (tensor->rank != 0 && tensor->count < 200) {
            const uint32_t at = noise() % tensor->rank;
            tensor->count = tensor->count / (uint32_t)tensor->dims[at];
            tensor->dims[at] = noise_in(1, 6);
            tensor->count *= (uint32_t)tensor->dims[at];
        }
        break;
    case 2: tensor->dtype = (OH_NN_DataType)noise_in(OH_NN_BOOL, OH_NN_FLOAT64); break;
    case 3: tensor->quantized = !tensor->quantized; break;
    case 4: tensor->scale = tensor->quantized ? noise_in(0, 3) * 1e9 - 1e9 : 0.0; break;
    case 5: tensor->zero_point = noise_in(-300, 300); break;
    case 6:
        if (s->param_count != 0) sample_drop_param(s, s->params[noise() % s->param_count].type);
        break;
    default:
        if (s->param_count != 0) {
            sample_tensor *param = &s->params[noise() % s->param_count];
            if (param->numbers != 0) param->number[noise() % param->numbers] = noise_in(-3, 9);
        }
        break;
    }
}

/* A sample of any operator in types that are often right. */
static void any_sample(sample *s) {
    const said_operator *said = said_find(noise_in(1, OPS));
    static const OH_NN_DataType weights[3] = {OH_NN_FLOAT32, OH_NN_INT8, OH_NN_UINT8};
    static const OH_NN_DataType biases[3] = {OH_NN_FLOAT32, OH_NN_INT32, OH_NN_INT64};
    sample_types types;
    int i;
    sample_typing(noise_in(0, SAMPLE_TYPINGS - 1), &types.data, &types.quantized);
    sample_typing(noise_in(0, SAMPLE_TYPINGS - 1), &types.other, &types.other_quantized);
    if (noise() % 2 != 0) types.data = types.other = OH_NN_FLOAT32, types.quantized = types.other_quantized = false;
    types.weights = types.data == OH_NN_FLOAT32 ? OH_NN_FLOAT32 : weights[noise() % 3];
    types.bias = types.data == OH_NN_FLOAT32 ? OH_NN_FLOAT32 : biases[noise() % 3];
    types.ints = OH_NN_INT32;
    sample_make(s, said, &types);
    s->open_outputs = noise() % 3 == 0;
    for (i = (int)(noise() % 3); i > 0; i--) damage(s);
}

/* Operators that share nothing: each is available exactly when it builds alone, and the model builds exactly when all
   do. */
Test(available, samples_side_by_side_are_available_as_they_are_alone) {
    int m, i, built = 0, refused = 0, mixed = 0;
    for (m = 0; m < MODELS; m++) {
        sample samples[TOGETHER];
        bool available[TOGETHER], wanted[TOGETHER];
        char why[TOGETHER][256];
        OH_NNModel *model;
        OH_NN_ReturnCode code;
        uint32_t yes = 0;
        for (i = 0; i < TOGETHER; i++) {
            OH_NNModel *one;
            do {
                any_sample(&samples[i]);
                one = model_of(&samples[i], 1);
            } while (one == NULL);
            wanted[i] = build(one) == OH_NN_SUCCESS;
            (void)snprintf(why[i], sizeof why[i], "%s", wanted[i] ? "builds" : nnrt_last_error());
            OH_NNModel_Destroy(&one);
        }
        model = model_of(samples, TOGETHER);
        if (model == NULL) continue;
        yes = ask(model, available);
        code = build(model);
        cr_assert_eq(code == OH_NN_SUCCESS, yes == TOGETHER, "model %d of seed %u: %u available, but Build: %d, %s", m,
                     SEED, yes, (int)code, nnrt_last_error());
        for (i = 0; i < TOGETHER; i++) {
            char reason[256];
            (void)nnrt_model_get_reason(model, gb_device(), (uint32_t)i, reason, sizeof reason);
            cr_assert_eq(available[i], wanted[i], "model %d of seed %u, %s is %savailable: %s. Alone: %s", m, SEED,
                         nnrt__op_name((int)samples[i].op), available[i] ? "" : "not ", reason, why[i]);
        }
        built += yes == TOGETHER;
        refused += yes == 0;
        mixed += yes != 0 && yes != TOGETHER;
        OH_NNModel_Destroy(&model);
    }
    cr_assert(built > 10 && refused > 10 && mixed > 100, "%d built, %d refused, %d mixed", built, refused, mixed);
    cr_assert_eq(counting_live(), 0);
}

/* ----------------------------------------------------------------------------------------- random graphs */

/* Operators over tensors that were there before, or come later, or never: shapes are right, wrong or left open. */
static void random_graph(gb_graph *g) {
    static const OH_NN_OperationType ops[10] = {OH_NN_OPS_RELU,    OH_NN_OPS_ADD,   OH_NN_OPS_MUL,     OH_NN_OPS_CONCAT,
                                                OH_NN_OPS_RESHAPE, OH_NN_OPS_SHAPE, OH_NN_OPS_SOFTMAX, OH_NN_OPS_EXP,
                                                OH_NN_OPS_MATMUL,  OH_NN_OPS_SQUARE};
    static const OH_NN_DataType types[4] = {OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_INT8, OH_NN_INT32};
    const OH_NN_DataType most = types[noise() % 4];
    const bool dynamic = noise() % 4 == 0;
    uint32_t tensors[TENSORS];
    int count = 0, made = noise_in(2, 8), i;
    gb_open(g);
    for (i = 0; i < 3; i++) {
        int32_t dims[2];
        dims[0] = 4;
        dims[1] = dynamic && noise() % 2 != 0 ? -1 : 4;
        tensors[count] = gb_tensor(g, noise() % 8 != 0 ? most : types[noise() % 4], 2, dims);
        if (noise() % 2 != 0) {
            const double scale = noise() % 8 != 0 ? 0.25 : 0.0;
            (void)gb_quantize(g, tensors[count], 1, &scale, NULL);
        }
        if (i == 0 || noise() % 8 != 0) (void)gb_input(g, tensors[count]);
        count++;
    }
    for (i = 0; i < made; i++) {
        const OH_NN_OperationType op = ops[noise() % 10];
        const bool open = noise() % 3 == 0,
                   two = op == OH_NN_OPS_ADD || op == OH_NN_OPS_MUL || op == OH_NN_OPS_CONCAT || op == OH_NN_OPS_MATMUL;
        static const int32_t shapes[4][2] = {{2, 8}, {16, 1}, {4, 4}, {3, 5}};
        int32_t dims[2] = {4, 4};
        uint32_t in[2], out;
        if (op == OH_NN_OPS_CONCAT) dims[0] = 8;
        if (noise() % 8 == 0) dims[noise() % 2] = noise_in(1, 9);
        if (noise() % 8 == 0) dims[noise() % 2] = -1;
        out = gb_tensor(g,
                        op == OH_NN_OPS_SHAPE ? OH_NN_INT32
                        : noise() % 12 != 0   ? most
                                              : types[noise() % 4],
                        open ? 0 : 2, dims);
        if (noise() % 2 != 0) {
            const double scale = noise() % 10 != 0 ? 0.5 : -1.0;
            (void)gb_quantize(g, out, 1, &scale, NULL);
        }
        in[0] = tensors[noise() % (uint32_t)count];
        if (op == OH_NN_OPS_RESHAPE) in[1] = gb_ints(g, 2, shapes[noise() % 4]);
        else if (two) in[1] = tensors[noise() % (uint32_t)count];
        if (noise() % 30 == 0) in[0] = out; /* what it writes itself */
        tensors[count++] = out;
        if (noise() % 20 == 0) out = tensors[noise() % (uint32_t)count]; /* written before, or given */
        if (in[0] == out) continue;
        (void)gb_op(g, op, two || op == OH_NN_OPS_RESHAPE ? 2 : 1, in, 1, &out);
    }
    (void)gb_output(g, tensors[count - 1]);
    if (noise() % 2 != 0) (void)gb_output(g, tensors[3 + noise() % (uint32_t)(count - 3)]);
}

Test(available, all_operations_of_a_random_graph_are_available_when_it_builds) {
    int m, built = 0, refused = 0;
    for (m = 0; m < 10 * MODELS; m++) {
        gb_graph g;
        bool available[TENSORS];
        random_graph(&g);
        if (gb_finish(&g) == OH_NN_SUCCESS) {
            const uint32_t count = g.model->store->graph.node_count, yes = ask(g.model, available);
            const OH_NN_ReturnCode code = build(g.model);
            cr_assert_eq(code == OH_NN_SUCCESS, yes == count,
                         "model %d of seed %u: %u of %u are available, but Build answers %d: %s", m, SEED, yes, count,
                         (int)code, nnrt_last_error());
            built += code == OH_NN_SUCCESS;
            refused += code != OH_NN_SUCCESS;
        }
        gb_close(&g);
    }
    cr_assert(built > 300 && refused > 300, "%d built, %d refused", built, refused);
    cr_assert_eq(counting_live(), 0);
}

/* ------------------------------------------------------------------------------------------- named ones */

/* A wrong operator behind a wrong one: both are told, with their own reasons. */
Test(available, what_is_behind_a_refused_operation_is_looked_at) {
    static const int32_t four[2] = {4, 4}, five[2] = {5, 5}, other[2] = {7, 3};
    gb_graph g;
    bool available[3];
    char reason[256];
    uint32_t x, y, z, w;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, four));
    y = gb_tensor(&g, OH_NN_FLOAT32, 2, five);
    z = gb_tensor(&g, OH_NN_FLOAT32, 2, other);
    w = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, other));
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_RELU, 1, &y, 1, &z), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_RELU, 1, &z, 1, &w), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    cr_assert_eq(ask(g.model, available), 1u);
    cr_assert(!available[0] && !available[1] && available[2]);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, gb_device(), 1, reason, sizeof reason), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(reason, "[5,5]"), "%s", reason);
    gb_close(&g);
}

/* What is wrong with the graph and with no operation of it makes all of them unavailable, with that reason. */
Test(available, a_graph_that_cannot_be_has_no_available_operation) {
    static const int32_t small[1] = {4}, large[2] = {40000, 20000};
    int kind;
    for (kind = 0; kind < 3; kind++) {
        static const char *const said[3] = {"cycle", "which nothing produces", "1 GiB"};
        gb_graph g;
        bool available[2];
        char reason[256];
        uint32_t x, y, z;
        const int32_t *dims = kind == 2 ? large : small;
        const size_t rank = kind == 2 ? 2 : 1;
        uint32_t pair[2];
        gb_open(&g);
        x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, rank, dims));
        y = gb_tensor(&g, OH_NN_FLOAT32, rank, dims);
        z = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, rank, dims));
        pair[0] = x;
        pair[1] = kind == 0 ? z : x;
        cr_assert_eq((int)gb_op(&g, OH_NN_OPS_ADD, 2, pair, 1, &y), (int)OH_NN_SUCCESS);
        pair[0] = y;
        pair[1] = kind == 1 ? gb_tensor(&g, OH_NN_FLOAT32, rank, dims) : y;
        cr_assert_eq((int)gb_op(&g, OH_NN_OPS_ADD, 2, pair, 1, &z), (int)OH_NN_SUCCESS);
        cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
        cr_assert_eq(ask(g.model, available), 0u, "%s", said[kind]);
        cr_assert_eq((int)nnrt_model_get_reason(g.model, gb_device(), 0, reason, sizeof reason), (int)OH_NN_SUCCESS);
        cr_assert_not_null(strstr(reason, said[kind]), "%s", reason);
        cr_assert_neq((int)build(g.model), (int)OH_NN_SUCCESS);
        gb_close(&g);
    }
}

/* Whichever allocation fails, the result is MEMORY_ERROR, nothing leaks, and the previous result stays valid. */
Test(available, without_memory_there_is_no_answer) {
    static const int32_t four[2] = {4, 4};
    gb_graph g;
    uint32_t in[2], out;
    const bool *first = NULL;
    uint32_t count = 0;
    long n, live;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, four));
    in[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, four));
    out = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, four));
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &out), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNModel_GetAvailableOperations(g.model, gb_device(), &first, &count), (int)OH_NN_SUCCESS);
    live = counting_live();
    for (n = 0;; n++) {
        const bool *again = NULL;
        OH_NN_ReturnCode code;
        counting_fail_at(n);
        code = OH_NNModel_GetAvailableOperations(g.model, gb_device(), &again, &count);
        if (!counting_failed()) break;
        counting_fail_never();
        if (code == OH_NN_SUCCESS) { /* it did without that memory */
            cr_assert(again != NULL && again[0], "allocation %ld", n);
            first = again;
        } else {
            cr_assert_eq((int)code, (int)OH_NN_MEMORY_ERROR, "allocation %ld: %d", n, (int)code);
            cr_assert(again == NULL && first[0], "allocation %ld", n);
        }
        cr_assert_eq(counting_live(), live, "allocation %ld", n);
    }
    counting_fail_never();
    cr_assert_gt(n, 10L, "%ld allocations", n);
    gb_close(&g);
}

static void count_refused(void *user, uint32_t node, const char *sentence) {
    cr_assert_neq(sentence[0], '\0');
    ((uint32_t *)user)[node]++;
}

/* A graph of RELU, RELU. */
static void two_relus(gb_graph *g, uint32_t *between) {
    static const int32_t four = 4;
    uint32_t x, y;
    gb_open(g);
    x = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 1, &four));
    *between = gb_tensor(g, OH_NN_FLOAT32, 1, &four);
    y = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 1, &four));
    cr_assert_eq((int)gb_op(g, OH_NN_OPS_RELU, 1, &x, 1, between), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)gb_op(g, OH_NN_OPS_RELU, 1, between, 1, &y), (int)OH_NN_SUCCESS);
}

#ifdef NNRT__HAS_NPU
Test(available, a_device_that_takes_no_graph_refuses_every_operation) {
    const nnrt_backend *const backends[] = {&nnrt__nnie_backend, &nnrt__nnie_second_backend, &nnrt__bpu_backend,
                                            &nnrt__dsp_backend};
    uint32_t between;
    gb_graph g;
    size_t i;
    two_relus(&g, &between);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    for (i = 0; i < NNRT__COUNT_OF(backends); i++) {
        uint32_t refused[2] = {0, 0};
        nnrt__device device;
        memset(&device, 0, sizeof device);
        device.backend = backends[i];
        (void)nnrt__device_check_graph(&device, &g.model->store->graph, count_refused, refused);
        cr_assert(refused[0] != 0 && refused[1] != 0, "%s", backends[i]->name);
    }
    gb_close(&g);
}
#endif

/* Build refuses it before it asks about any operator. */
Test(available, a_device_without_state_refuses_every_operation_of_a_model_that_has_one) {
    static nnrt_backend stateless;
    const bool *flags = NULL;
    uint32_t count = 0, between;
    size_t id = 0;
    char reason[256];
    gb_graph g;
    stateless = mock_backend;
    stateless.name = "stateless";
    stateless.supports = NULL;
    stateless.reset = NULL;
    cr_assert_eq((int)nnrt_register_backend(&stateless, &id), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    two_relus(&g, &between);
    {
        static const int32_t four = 4;
        const uint32_t state = gb_tensor(&g, OH_NN_FLOAT32, 1, &four);
        cr_assert_eq((int)nnrt_model_add_state(g.model, state, between), (int)OH_NN_SUCCESS);
    }
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNModel_GetAvailableOperations(g.model, id, &flags, &count), (int)OH_NN_SUCCESS);
    cr_assert(count == 2 && !flags[0] && !flags[1]);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, id, 1, reason, sizeof reason), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(reason, "keeps no state"), "%s", reason);
    gb_close(&g);
}
