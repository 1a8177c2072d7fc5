/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_said.c - every line of what docs/operators.md says of operators: that the table behind the page has every
   operator with every parameter, that what is said to work is built and runs, and that everything that is said to be
   refused is refused, one thing at a time, by the call, with the code and with a sentence that are said.

   Operators come from the tables, not from a list here: a new one without its lines in tests/operators/ fails. */
#include "linked.h"

#include "operators/sample.h"

#include <criterion/criterion.h>

#define OPS ((int)NNRT__OPS_OF_PROGRAMS)

/* --------------------------------------------------------------------------------------------- completeness */

Test(ops_said, every_operator_is_said_once) {
    size_t f;
    unsigned i;
    int op, count = 0;
    for (f = 0; f < NNRT__COUNT_OF(said_families); f++) count += (int)said_families[f].count;
    for (op = 1; nnrt__op_find(op) != NULL; op++) {
        const nnrt__op_row *row = nnrt__op_find(op);
        const said_operator *said = said_find(op);
        cr_assert_not_null(said, "%s has no lines in tests/operators/", nnrt__op_name(op));
        cr_assert_str_eq(said->name, nnrt__op_name(op));
        cr_assert(said->computes[0] != '\0' && said->source[0] != '\0', "%s", said->name);
        for (i = 0; i < said->input_count; i++)
            cr_assert(said->inputs[i].name[0] != '\0' && said->inputs[i].shape[0] != '\0', "%s", said->name);
        if (op > OPS) continue;
        cr_assert(said->input_count >= row->inputs_min && said->input_count <= row->inputs_max, "%s", said->name);
        cr_assert(said->output_count >= row->outputs_min && said->output_count <= row->outputs_max, "%s", said->name);
    }
    cr_assert_eq(count, op - 1, "an operator is said twice, or one that is not there");
}

/* Does a parameter belong to the other one of the two pooling operators? */
static bool is_of_the_other_pool(int op, const nnrt__param_row *row) {
    return (op == OH_NN_OPS_AVG_POOL && strstr(row->name, "_MAX_POOL_") != NULL) ||
           (op == OH_NN_OPS_MAX_POOL && strstr(row->name, "_AVG_POOL_") != NULL);
}

Test(ops_said, every_parameter_is_said_once) {
    unsigned i, k;
    int op;
    for (op = 1; op <= OPS; op++) {
        const nnrt__op_row *row = nnrt__op_find(op);
        const said_operator *said = said_find(op);
        for (i = 0; i < row->param_rows; i++) {
            unsigned times = 0;
            for (k = 0; k < said->param_count; k++) times += said->params[k].type == row->params[i].type;
            cr_assert_eq(times, is_of_the_other_pool(op, &row->params[i]) ? 0u : 1u,
                         "%s is said %u times in tests/operators/", row->params[i].name, times);
        }
        for (k = 0; k < said->param_count; k++)
            cr_assert_not_null(nnrt__op_param(row, said->params[k].type), "%s takes no parameter %d", said->name,
                               (int)said->params[k].type);
    }
}

/* ---------------------------------------------------------------------------------------------- the samples */

/* The sample of an operator in the first types that the device takes, or the first with `wanted`. */
static void make(sample *s, int op, OH_NN_DataType wanted, sample_types *types) {
    cr_assert(sample_first_types(said_find(op), wanted, types), "%s: the device takes no type of its sample",
              nnrt__op_name(op));
    sample_make(s, said_find(op), types);
}

/* It must be refused there, with the code that the page has for that call, with a sentence, and with nothing left. */
static void refuse(const sample *s, said_call call, const char *what) {
    static const OH_NN_ReturnCode codes[4] = {OH_NN_INVALID_PARAMETER, OH_NN_FAILED, OH_NN_FAILED,
                                              OH_NN_UNAVAILABLE_DEVICE};
    const char *op = nnrt__op_name((int)s->op);
    sample_answer answer;
    sample_try(s, true, &answer);
    cr_assert_eq((int)answer.call, (int)call, "%s, %s: refused by call %d and not by %d: %s", op, what,
                 (int)answer.call, (int)call, answer.sentence);
    cr_assert_eq((int)answer.code, (int)codes[call], "%s, %s: code %d", op, what, (int)answer.code);
    cr_assert_neq(answer.sentence[0], '\0', "%s, %s: no sentence", op, what);
    if (call == SAID_BUILD || call == SAID_RUN)
        cr_assert_eq(strncmp(answer.sentence, op, strlen(op)), 0, "%s, %s: \"%s\"", op, what, answer.sentence);
    cr_assert_eq(counting_live(), 0, "%s, %s: something is left", op, what);
}

static void accept(const sample *s, const char *what, sample_answer *answer) {
    sample_try(s, true, answer);
    cr_assert_eq((int)answer->call, (int)SAID_NEVER, "%s, %s: refused by call %d: %s", nnrt__op_name((int)s->op), what,
                 (int)answer->call, answer->sentence);
    cr_assert_eq(counting_live(), 0, "%s, %s: something is left", nnrt__op_name((int)s->op), what);
}

/* The shapes of the outputs are declared as they are said, so that Build compares them. */
Test(ops_said, every_sample_runs_in_every_type_that_the_device_takes) {
    int op;
    for (op = 1; op <= OPS; op++) {
        sample_types types;
        int at = 0, taken = 0;
        while (sample_next_types(said_find(op), &at, &types)) {
            sample s;
            sample_answer answer;
            sample_make(&s, said_find(op), &types);
            sample_try(&s, false, &answer);
            if (answer.call == SAID_NEVER) {
                accept(&s, "its sample", &answer);
                taken++;
                continue;
            }
            refuse(&s, SAID_BUILD, nnrt__dtype_name(types.data));
        }
        cr_assert_gt(taken, 0, "%s", nnrt__op_name(op));
    }
}

/* ---------------------------------------------------------------------------- what every operator refuses */

Test(ops_said, every_operator_counts_its_inputs_and_outputs) {
    int op;
    for (op = 1; op <= OPS; op++) {
        const nnrt__op_row *row = nnrt__op_find(op);
        sample_types types;
        sample s;
        make(&s, op, OH_NN_UNKNOWN, &types);
        s.input_count = row->inputs_max + 1u;
        refuse(&s, SAID_ADD, "too many inputs");
        s.input_count = row->inputs_min - 1u;
        refuse(&s, SAID_ADD, "too few inputs");
        s.input_count = s.input_tensors;
        s.output_count = row->outputs_max + 1u;
        refuse(&s, SAID_ADD, "too many outputs");
        s.output_count = row->outputs_min - 1u;
        refuse(&s, SAID_ADD, "too few outputs");
    }
}

/* A parameter with what its own row allows, and nothing that the device has to understand. */
static void give(sample *s, const nnrt__param_row *row, const sample_types *types) {
    static const char *const values[] = {"1", "1", "1", "1 1", "1 1 1 1", "1 1 1 1", "1"};
    sample_set_param(s, row->type, row->max == 0 ? "0" : values[row->shape], types);
}

static sample_tensor *given(sample *s, OH_NN_TensorType type) {
    uint32_t i = 0;
    while (s->params[i].type != type) i++;
    return &s->params[i];
}

Test(ops_said, every_parameter_has_a_type_a_number_of_elements_data_and_a_range) {
    int op, type;
    unsigned i;
    for (op = 1; op <= OPS; op++) {
        const nnrt__op_row *row = nnrt__op_find(op);
        for (i = 0; i < row->param_rows; i++) {
            const nnrt__param_row *rule = &row->params[i];
            sample_types types;
            sample s;
            sample_tensor *param;
            make(&s, op, OH_NN_UNKNOWN, &types);
            give(&s, rule, &types);
            param = given(&s, rule->type);
            for (type = 1; type <= (int)OH_NN_FLOAT64; type++) {
                const OH_NN_DataType right = param->dtype;
                if (type == (int)right) continue;
                param->dtype = (OH_NN_DataType)type;
                refuse(&s, SAID_ADD, rule->name);
                param->dtype = right;
            }
            param->without_data = true;
            refuse(&s, SAID_ADD, rule->name);
            param->without_data = false;
            if (rule->shape != NNRT__SHAPE_ANY) {
                param->rank = 1;
                param->count = param->numbers = 3;
                param->dims[0] = 3;
                refuse(&s, SAID_ADD, rule->name);
            }
            if (rule->max >= 0) {
                char beyond[8];
                (void)snprintf(beyond, sizeof beyond, "%d", rule->max + 1);
                sample_set_param(&s, rule->type, beyond, &types);
                refuse(&s, SAID_ADD, rule->name);
                sample_set_param(&s, rule->type, "-1", &types);
                refuse(&s, SAID_ADD, rule->name);
            }
        }
    }
}

Test(ops_said, no_operator_takes_the_parameter_of_another_or_one_too_many) {
    int op;
    for (op = 1; op <= OPS; op++) {
        const nnrt__op_row *row = nnrt__op_find(op),
                           *other = nnrt__op_find(op == OH_NN_OPS_CONCAT ? OH_NN_OPS_STACK : OH_NN_OPS_CONCAT);
        sample_types types;
        sample s;
        make(&s, op, OH_NN_UNKNOWN, &types);
        sample_set_param(&s, other->params[0].type, "0", &types);
        refuse(&s, SAID_ADD, other->params[0].name);
        while (s.param_count <= row->params_max && row->param_rows != 0) {
            s.params[s.param_count - 1] = s.params[0];
            give(&s, &row->params[0], &types);
            s.params[s.param_count] = *given(&s, row->params[0].type);
            s.param_count++;
        }
        refuse(&s, SAID_ADD, "one parameter too many");
    }
}

Test(ops_said, an_output_that_is_declared_with_another_shape_is_refused) {
    int op;
    uint32_t i;
    for (op = 1; op <= OPS; op++) {
        sample_types types;
        sample s;
        make(&s, op, OH_NN_UNKNOWN, &types);
        for (i = 0; i < s.output_tensors; i++) {
            sample_tensor *output = &s.outputs[i];
            output->dims[output->rank - 1]++;
            refuse(&s, SAID_BUILD, "an output of another size");
            output->dims[output->rank - 1]--;
            output->dims[output->rank++] = 2;
            if (op != OH_NN_OPS_LSTM || i != 0) refuse(&s, SAID_BUILD, "an output of another rank");
            output->rank--;
        }
    }
}

/* Every input in every type: what is not taken is refused by Build, which says whose input it was. CAST looks at its
   type when it is added. */
Test(ops_said, an_input_of_any_other_type_is_taken_or_refused_with_a_sentence) {
    int op, type, refused = 0;
    uint32_t i;
    for (op = 1; op <= OPS; op++) {
        sample_types types;
        sample s;
        make(&s, op, OH_NN_UNKNOWN, &types);
        s.open_outputs = true;
        for (i = 0; i < s.input_tensors; i++) {
            const sample_tensor right = s.inputs[i];
            for (type = 1; type <= (int)OH_NN_FLOAT64; type++) {
                sample_answer answer;
                s.inputs[i].dtype = (OH_NN_DataType)type;
                s.inputs[i].quantized = false;
                sample_try(&s, true, &answer);
                if (answer.call == SAID_NEVER) continue;
                refuse(&s, op == OH_NN_OPS_CAST && answer.call == SAID_ADD ? SAID_ADD : SAID_BUILD,
                       nnrt__dtype_name((OH_NN_DataType)type));
                refused++;
            }
            s.inputs[i] = right;
        }
    }
    cr_assert_gt(refused, 1000);
}

/* ----------------------------------------------------------------------------- what each operator refuses */

Test(ops_said, a_parameter_that_must_be_given_is_missed) {
    int op, missed = 0;
    unsigned i;
    for (op = 1; op <= OPS; op++) {
        const said_operator *said = said_find(op);
        for (i = 0; i < said->param_count; i++) {
            const nnrt__param_row *row = nnrt__op_param(nnrt__op_find(op), said->params[i].type);
            sample_types types;
            sample s;
            if (said->params[i].absent != NULL) continue;
            make(&s, op, OH_NN_UNKNOWN, &types);
            sample_drop_param(&s, row->type);
            s.open_outputs = true;
            refuse(&s, (row->flags & NNRT__PARAM_REQUIRED) != 0 ? SAID_FINISH : SAID_BUILD, row->name);
            missed++;
        }
    }
    cr_assert_gt(missed, 20);
}

Test(ops_said, a_parameter_that_is_left_out_is_what_it_is_said_to_be) {
    int op;
    unsigned i;
    for (op = 1; op <= OPS; op++) {
        const said_operator *said = said_find(op);
        for (i = 0; i < said->param_count; i++) {
            const said_param *param = &said->params[i];
            static sample_answer without, with;
            sample_types types;
            sample s;
            if (param->same == NULL) continue;
            make(&s, op, OH_NN_UNKNOWN, &types);
            s.open_outputs = true;
            sample_drop_param(&s, param->type);
            accept(&s, "a parameter left out", &without);
            sample_set_param(&s, param->type, param->same, &types);
            accept(&s, "the same parameter given", &with);
            cr_assert(without.size == with.size && memcmp(without.bytes, with.bytes, with.size) == 0,
                      "%s: leaving out parameter %d is not %s", said->name, (int)param->type, param->same);
        }
    }
}

Test(ops_said, a_parameter_out_of_its_range_is_refused) {
    int op, refused = 0;
    unsigned i;
    for (op = 1; op <= OPS; op++) {
        const said_operator *said = said_find(op);
        for (i = 0; i < said->param_count; i++) {
            const char *values = said->params[i].refused;
            while (values != NULL) {
                sample_types types;
                sample s;
                make(&s, op, OH_NN_UNKNOWN, &types);
                s.open_outputs = true;
                sample_set_param(&s, said->params[i].type, values, &types);
                refuse(&s, SAID_BUILD, values);
                refused++;
                values = strchr(values, ';');
                if (values != NULL) values++;
            }
        }
    }
    cr_assert_gt(refused, 150);
}

Test(ops_said, what_is_said_to_be_refused_is_refused_and_nothing_else) {
    int op, refused = 0;
    unsigned i;
    for (op = 1; op <= OPS; op++) {
        const said_operator *said = said_find(op);
        for (i = 0; i < said->wrong_count; i++) {
            const said_wrong *wrong = &said->wrongs[i];
            sample_types types;
            sample_answer answer;
            sample s;
            make(&s, op, sample_wanted(wrong), &types);
            s.open_outputs = true;
            sample_change(&s, wrong, &types);
            if (wrong->call == SAID_NEVER) accept(&s, wrong->what, &answer);
            else refuse(&s, wrong->call, wrong->what);
            refused += wrong->call != SAID_NEVER;
        }
    }
    cr_assert_gt(refused, 200);
}

/* Numbers that are the right one where their low 32 bits are all that is looked at, and the ends of 64 bits. */
static double far_away(unsigned which, double right) {
    static const double numbers[4] = {4294967296.0, -4294967296.0, 9223372036854774784.0, -9223372036854775808.0};
    return numbers[which] + (which < 2 ? right : 0.0);
}

/* Is a number of any size one of those that are said to be taken? AXIS of QUANT_DTYPE_CAST is looked at where there are
   several scales, DETECTIONS_PER_CLASS with USE_REGULAR_NMS: the samples have neither. */
static bool takes_any_size(const said_param *param, double number) {
    return param->range == NULL || strcmp(param->range, "any") == 0 || param->type == OH_NN_QUANT_DTYPE_CAST_AXIS ||
           param->type == OH_NN_DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS ||
           (number > 0 && (param->type == OH_NN_LRN_DEPTH_RADIUS || param->type == OH_NN_RANGE_DELTA));
}

Test(ops_said, a_parameter_of_64_bits_is_not_cut_to_32) {
    int op, refused = 0;
    unsigned i, k, which;
    for (op = 1; op <= OPS; op++) {
        const said_operator *said = said_find(op);
        for (i = 0; i < said->param_count; i++) {
            const said_param *param = &said->params[i];
            const nnrt__param_row *row = nnrt__op_param(nnrt__op_find(op), param->type);
            const char *values = param->sample != NULL ? param->sample : param->same != NULL ? param->same : "1";
            for (k = 0; row->dtype == OH_NN_INT64; k++) {
                sample_types types;
                sample_tensor *tensor;
                sample s;
                double right;
                make(&s, op, OH_NN_UNKNOWN, &types);
                s.open_outputs = true;
                sample_set_param(&s, param->type, values, &types);
                tensor = given(&s, param->type);
                if (k == tensor->numbers) break;
                right = tensor->number[k];
                for (which = 0; which < 4; which++) {
                    sample_answer answer;
                    tensor->number[k] = far_away(which, right);
                    if (takes_any_size(param, tensor->number[k])) sample_try(&s, true, &answer);
                    else refuse(&s, op == OH_NN_OPS_LAYER_NORM ? SAID_ADD : SAID_BUILD, row->name), refused++;
                }
            }
        }
    }
    cr_assert_gt(refused, 150);
}

/* Outside of its depth ONE_HOT has nothing but offValue; a stride may be longer than its axis. */
static bool is_taken_from_afar(int op, unsigned input, double number) {
    return (op == OH_NN_OPS_ONE_HOT && input == 0) || (op == OH_NN_OPS_STRIDED_SLICE && input == 3 && number > 0);
}

Test(ops_said, an_input_of_int64_is_not_cut_to_32) {
    int op, refused = 0;
    unsigned i, k, which, constant;
    for (op = 1; op <= OPS; op++) {
        const said_operator *said = said_find(op);
        for (i = 0; i < said->input_count; i++) {
            for (constant = 0; constant < 2 && said->inputs[i].role == SAID_INTS; constant++) {
                for (k = 0;; k++) {
                    sample_types types;
                    sample_tensor *tensor;
                    sample_answer answer;
                    sample s;
                    double right;
                    cr_assert(sample_first_types(said, OH_NN_UNKNOWN, &types));
                    types.ints = OH_NN_INT64;
                    sample_make(&s, said, &types);
                    s.open_outputs = true;
                    tensor = &s.inputs[i];
                    tensor->constant = constant != 0;
                    if (k == tensor->numbers) break;
                    right = tensor->number[k];
                    for (which = 0; which < 4; which++) {
                        tensor->number[k] = far_away(which, right);
                        sample_try(&s, true, &answer);
                        if (is_taken_from_afar(op, i, tensor->number[k])) continue;
                        cr_assert(answer.call == SAID_BUILD || answer.call == SAID_RUN, "%s, %s %.0f: call %d: %s",
                                  nnrt__op_name(op), said->inputs[i].name, tensor->number[k], (int)answer.call,
                                  answer.sentence);
                        refuse(&s, answer.call, said->inputs[i].name);
                        refused++;
                    }
                }
            }
        }
    }
    cr_assert_gt(refused, 300);
}

/* -------------------------------------------------------------------------------- what must not be refused */

/* The types that OpenHarmony's reference driver has for each group of operators: at least those are taken. */
Test(ops_said, types_that_openharmony_has_are_taken) {
    static const struct {
        OH_NN_DataType types[4];
        int ops[32];
    } groups[] = {
        {{OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_INT8, OH_NN_UNKNOWN},
         {OH_NN_OPS_RELU, OH_NN_OPS_RELU6, OH_NN_OPS_SIGMOID, OH_NN_OPS_TANH, OH_NN_OPS_HSWISH, OH_NN_OPS_LEAKY_RELU,
          OH_NN_OPS_CONV2D, OH_NN_OPS_CONV2D_TRANSPOSE, OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, OH_NN_OPS_MATMUL,
          OH_NN_OPS_FULL_CONNECTION, OH_NN_OPS_AVG_POOL, OH_NN_OPS_MAX_POOL, OH_NN_OPS_RESIZE_BILINEAR,
          OH_NN_OPS_SOFTMAX, OH_NN_OPS_LAYER_NORM, OH_NN_OPS_SCALE, OH_NN_OPS_BIAS_ADD}},
        {{OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_UNKNOWN, OH_NN_UNKNOWN},
         {OH_NN_OPS_HARD_SIGMOID,
          OH_NN_OPS_SWISH,
          OH_NN_OPS_GELU,
          OH_NN_OPS_CLIP,
          OH_NN_OPS_PRELU,
          OH_NN_OPS_SQRT,
          OH_NN_OPS_RSQRT,
          OH_NN_OPS_RECIPROCAL,
          OH_NN_OPS_EXP,
          OH_NN_OPS_LOG,
          OH_NN_OPS_SIN,
          OH_NN_OPS_COS,
          OH_NN_OPS_ERF,
          OH_NN_OPS_CEIL,
          OH_NN_OPS_FLOOR,
          OH_NN_OPS_ROUND,
          OH_NN_OPS_SQUARED_DIFFERENCE,
          OH_NN_OPS_ELTWISE,
          OH_NN_OPS_POW,
          OH_NN_OPS_LOG_SOFTMAX,
          OH_NN_OPS_BATCH_NORM,
          OH_NN_OPS_INSTANCE_NORM,
          OH_NN_OPS_L2_NORMALIZE,
          OH_NN_OPS_LRN,
          OH_NN_OPS_REDUCE_L2}},
        {{OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_INT32, OH_NN_UNKNOWN},
         {OH_NN_OPS_ABS, OH_NN_OPS_NEG, OH_NN_OPS_SQUARE, OH_NN_OPS_MAXIMUM, OH_NN_OPS_MINIMUM, OH_NN_OPS_MOD,
          OH_NN_OPS_REDUCE_MEAN, OH_NN_OPS_REDUCE_SUM, OH_NN_OPS_REDUCE_PROD, OH_NN_OPS_REDUCE_MAX,
          OH_NN_OPS_REDUCE_MIN, OH_NN_OPS_ARG_MAX, OH_NN_OPS_TOP_K}},
        {{OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_INT32, OH_NN_INT8},
         {OH_NN_OPS_ADD, OH_NN_OPS_SUB, OH_NN_OPS_MUL, OH_NN_OPS_DIV}},
        {{OH_NN_FLOAT32, OH_NN_INT32, OH_NN_INT64, OH_NN_BOOL},
         {OH_NN_OPS_EQUAL,         OH_NN_OPS_NOT_EQUAL,     OH_NN_OPS_LESS,        OH_NN_OPS_LESS_EQUAL,
          OH_NN_OPS_GREATER,       OH_NN_OPS_GREATER_EQUAL, OH_NN_OPS_LOGICAL_AND, OH_NN_OPS_LOGICAL_OR,
          OH_NN_OPS_LOGICAL_NOT,   OH_NN_OPS_ALL,           OH_NN_OPS_SELECT,      OH_NN_OPS_WHERE,
          OH_NN_OPS_RESHAPE,       OH_NN_OPS_TRANSPOSE,     OH_NN_OPS_CONCAT,      OH_NN_OPS_SLICE,
          OH_NN_OPS_STRIDED_SLICE, OH_NN_OPS_GATHER,        OH_NN_OPS_TILE,        OH_NN_OPS_FILL,
          OH_NN_OPS_CAST}},
    };
    size_t g, k, t;
    for (g = 0; g < NNRT__COUNT_OF(groups); g++) {
        for (k = 0; k < 32 && groups[g].ops[k] != 0; k++) {
            for (t = 0; t < 4 && groups[g].types[t] != OH_NN_UNKNOWN; t++) {
                sample_types types;
                cr_assert(sample_first_types(said_find(groups[g].ops[k]), groups[g].types[t], &types), "%s of %s",
                          nnrt__op_name(groups[g].ops[k]), nnrt__dtype_name(groups[g].types[t]));
            }
        }
    }
}

/* ------------------------------------------------------------------------------------------ what is read when */

/* The plan of a sample, *size bytes, *memory to be freed; NULL: it is refused. blind: the parameters are gone as soon
   as shapes are known. */
static uint8_t *plan_of(const sample *s, bool blind, void **memory, size_t *size) {
    OH_NNModel *model = OH_NNModel_Construct();
    uint32_t ends[SAMPLE_TENSORS], end_count, i;
    nnrt__cpu_table kernels;
    nnrt__compile_options options;
    nnrt__ir ir;
    uint64_t whole;
    uint8_t *plan = NULL;
    *memory = NULL;
    cr_assert_eq((int)sample_add_tensors(model, s), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)sample_add_operation(model, s), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)sample_finish(model, s, ends, &end_count), (int)OH_NN_SUCCESS);
    memset(&options, 0, sizeof options);
    nnrt__cpu_select(&kernels, 0);
    options.kernels = &kernels;
    options.threads = 1;
    options.passes = NNRT__PASS_ALL & ~NNRT__PASS_FOLD;
    options.bounds.memory = NNRT__BOUNDS_MEMORY;
    options.bounds.work = NNRT__BOUNDS_WORK;
    cr_assert_eq((int)nnrt__ir_build(&ir, nnrt__graph_store_graph(model->store), NULL), (int)OH_NN_SUCCESS);
    if (nnrt__infer_and_fold(&ir, &options) == OH_NN_SUCCESS) {
        for (i = 0; blind && i < ir.node_count; i++) ir.nodes[i].params = NULL, ir.nodes[i].param_count = 0;
        if (nnrt__write_ir(&ir, &options, memory, &plan, size, &whole) != OH_NN_SUCCESS) plan = NULL;
    }
    nnrt__ir_free(&ir);
    OH_NNModel_Destroy(&model);
    return plan;
}

/* Returns whether the device takes the sample. */
static bool same_plan(const sample *s, const char *what) {
    void *memory[2];
    size_t size[2];
    uint8_t *plan = plan_of(s, false, &memory[0], &size[0]), *again = plan_of(s, true, &memory[1], &size[1]);
    cr_assert((plan != NULL) == (again != NULL), "%s, %s", nnrt__op_name((int)s->op), what);
    if (plan != NULL)
        cr_assert(size[0] == size[1] && memcmp(plan, again, size[0]) == 0, "%s, %s", nnrt__op_name((int)s->op), what);
    nnrt__free(memory[0]);
    nnrt__free(memory[1]);
    return plan != NULL;
}

/* Parameters are given and left out, so that one that is read again, and then missed, changes the steps. */
Test(ops_said, no_parameter_is_read_behind_the_shapes) {
    unsigned i;
    int op;
    for (op = 1; op <= OPS; op++) {
        const nnrt__op_row *row = nnrt__op_find(op);
        sample_types types;
        int at = 0, taken = 0;
        while (sample_next_types(said_find(op), &at, &types)) {
            sample s;
            sample_make(&s, said_find(op), &types);
            taken += same_plan(&s, "its sample");
            for (i = 0; i < row->param_rows; i++) {
                sample_make(&s, said_find(op), &types);
                if (is_of_the_other_pool(op, &row->params[i]) || s.param_count == row->params_max) continue;
                give(&s, &row->params[i], &types);
                (void)same_plan(&s, row->params[i].name);
            }
        }
        cr_assert_gt(taken, 0, "%s", nnrt__op_name(op));
    }
}
