/* SPDX-License-Identifier: Apache-2.0 */
/* print_operators.c - docs/operators.md, from the tables that the library itself works with, from what tests/operators/
   says beyond them, and from trying each operator with each data type on the device, so that the page cannot say
   something else. White box: it includes the implementation.

       make docs      writes docs/operators.md with the output of this program
       make test      fails when the committed page is another */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "kernel_levels.h"
#include "operators/sample.h"

#include <ctype.h>

/* ------------------------------------------------------------------------------------------------- words */

/* "conv_2d-and-more" of a title, as a heading of that text is found by a link. */
static void print_anchor(const char *title) {
    for (; *title != '\0'; title++) {
        if (*title == ' ') putchar('-');
        else if (isalnum((unsigned char)*title) || *title == '_' || *title == '-')
            putchar(tolower((unsigned char)*title));
    }
}

static void print_cell(const char *text) { printf(" %s |", text != NULL ? text : ""); }

/* A parameter's name without that of its operator: all enumerators begin with it. */
static const char *suffix_of(const said_operator *said, const nnrt__param_row *row) {
    const size_t prefix = strlen("OH_NN_") + strlen(said->name) + 1;
    return strlen(row->name) > prefix ? row->name + prefix : row->name;
}

/* ----------------------------------------------------------------------------------- what the reader reads */

static void print_builtins(OH_NN_OperationType op) {
    const char *before = " ";
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(nnrt__tflite_rows); i++) {
        const nnrt__tflite_row *row = &nnrt__tflite_rows[i];
        if (row->op != op) continue;
        printf("%s`%s`", before, nnrt__tflite_operator_name(row->code));
        before = ", ";
    }
    if (nnrt__tflite_detection_row.op == op) printf("%s`%s`, a custom one", before, NNRT__TFLITE_DETECTION);
    printf(" |");
}

static void print_operators(const said_family *family) {
    unsigned i;
    printf("| `OH_NN_OPS_` | computes | of `.tflite` | definition |\n|---|---|---|---|\n");
    for (i = 0; i < family->count; i++) {
        const said_operator *said = &family->operators[i];
        printf("| `%s` | %s |", said->name, said->computes);
        print_builtins(said->op);
        print_cell(said->source);
        printf("\n");
    }
}

/* ---------------------------------------------------------------------------------------------- operands */

static bool same_operands(const said_operator *a, const said_operator *b) {
    return a->inputs == b->inputs && a->outputs == b->outputs;
}

/* "Operands of `A`, `B`:", those that have the operands of operator i, which are marked as printed. */
static void print_heading(const said_family *family, unsigned i, bool *printed) {
    unsigned k, alike = 0;
    for (k = i; k < family->count; k++)
        if (same_operands(&family->operators[i], &family->operators[k])) alike++;
    printf("\nOperands");
    for (k = i; k < family->count; k++) {
        if (!same_operands(&family->operators[i], &family->operators[k])) continue;
        printed[k] = true;
        if (alike != family->count) printf("%s `%s`", k == i ? " of" : ",", family->operators[k].name);
    }
    printf(":\n\n");
}

/* When may operand i be known? The sample is tried with it as a constant and as an input of the model. */
static const char *time_of(const said_operator *said, unsigned i) {
    bool works[2];
    sample_types types;
    int constant;
    if (said->op > NNRT__OPS_OF_PROGRAMS || !sample_first_types(said, OH_NN_UNKNOWN, &types))
        return said->inputs[i].time == SAID_AT_RUN ? "run" : "Build";
    for (constant = 0; constant < 2; constant++) {
        sample s;
        sample_answer answer;
        sample_make(&s, said, &types);
        s.inputs[i].constant = constant != 0;
        sample_try(&s, false, &answer);
        works[constant] = answer.call == SAID_NEVER;
    }
    return works[0] && works[1] ? "Build or run" : works[0] ? "run" : "Build";
}

static const char *type_of(said_role role) {
    switch (role) {
    case SAID_DATA: return "the data type";
    case SAID_WEIGHTS: return "see below";
    case SAID_BIAS: return "see below";
    case SAID_INTS: return "int32, int64";
    case SAID_TRUTH: return "bool";
    case SAID_REAL: return "float32";
    case SAID_OTHER: return "see below";
    default: return "any";
    }
}

static void print_operand(const said_operand *operand, const char *kind, const char *time) {
    printf("| %s `%s` | %s | %s | %s | %s |\n", kind, operand->name, type_of(operand->role), operand->shape, time,
           operand->about != NULL ? operand->about : "");
}

static void print_operands(const said_family *family) {
    bool printed[64] = {false};
    unsigned i, k;
    for (i = 0; i < family->count; i++) {
        const said_operator *said = &family->operators[i];
        const nnrt__op_row *row = nnrt__op_find((int)said->op);
        if (printed[i]) continue;
        print_heading(family, i, printed);
        printf("| | type | shape | known at | |\n|---|---|---|---|---|\n");
        for (k = 0; k < said->input_count; k++) print_operand(&said->inputs[k], "input", time_of(said, k));
        for (k = 0; k < said->output_count; k++) print_operand(&said->outputs[k], "output", "");
        if (row->inputs_min != row->inputs_max)
            printf("\nThere may be %u to %u inputs%s.\n", row->inputs_min, row->inputs_max,
                   said->op == OH_NN_OPS_FULL_CONNECTION ? " when it is added, two or three when it is built" : "");
        if (row->outputs_min != row->outputs_max)
            printf("\nThere may be %u to %u outputs.\n", row->outputs_min, row->outputs_max);
    }
}

enum {
    ROWS = 512 /* of a table, before they are joined */
};

/* ---------------------------------------------------------------------------------- rows of several operators */

/* The cell that names operators of a family: none where it has one only. */
static void print_names(const said_family *family, uint64_t operators) {
    const char *before = " ";
    unsigned k;
    printf("|");
    if (family->count == 1) return;
    if (operators == ((uint64_t)1 << family->count) - 1) {
        printf(" all |");
        return;
    }
    for (k = 0; k < family->count; k++) {
        if ((operators >> k & 1) == 0) continue;
        printf("%s`%s`", before, family->operators[k].name);
        before = ", ";
    }
    printf(" |");
}

/* Rows of texts, one for all operators that have the very same one. */
typedef struct text_row {
    uint64_t operators;
    char text[512];
} text_row;

static void add_text(text_row *rows, unsigned *count, unsigned op, const char *text) {
    unsigned i;
    for (i = 0; i < *count && strcmp(rows[i].text, text) != 0;) i++;
    if (i == ROWS || strlen(text) >= sizeof rows[0].text)
        exit((fputs("print_operators: more rows, or a longer one, than there is room for\n", stderr), 1));
    if (i == *count) {
        memset(&rows[i], 0, sizeof rows[0]);
        memcpy(rows[i].text, text, strlen(text));
        ++*count;
    }
    rows[i].operators |= (uint64_t)1 << op;
}

static void print_texts(const said_family *family, const text_row *rows, unsigned count) {
    unsigned i;
    for (i = 0; i < count; i++) {
        print_names(family, rows[i].operators);
        printf("%s\n", rows[i].text);
    }
}

/* -------------------------------------------------------------------------------------------- parameters */

static void write_param(const said_operator *said, const said_param *param, char *text, size_t size) {
    static const char *const shapes[] = {
        "", ", 1 element", ", a scalar", ", 2 elements in one dimension", ", 2 x 2", ", 4 elements or more", ""};
    const nnrt__param_row *row = nnrt__op_param(nnrt__op_find((int)said->op), param->type);
    const bool pad = row->shape == NNRT__SHAPE_PAD, required = (row->flags & NNRT__PARAM_REQUIRED) != 0;
    char range[64];
    if (row->max == 0) (void)snprintf(range, sizeof range, "0");
    else if (row->max > 0) (void)snprintf(range, sizeof range, "%s0 to %d", pad ? "a mode: " : "", row->max);
    else (void)snprintf(range, sizeof range, row->dtype == OH_NN_BOOL ? "true, false" : "any");
    (void)snprintf(text, size, " `%s` | %s%s | %s | %s | %s |", suffix_of(said, row),
                   pad ? "1 int8, a mode, or 4 int64, a list" : nnrt__dtype_name(row->dtype), shapes[row->shape],
                   param->absent != NULL ? param->absent
                   : required            ? "refused by Finish"
                                         : "refused by Build",
                   param->range != NULL ? param->range : range, param->about);
}

static void print_params(const said_family *family) {
    static text_row rows[ROWS];
    unsigned count = 0, i, k;
    for (i = 0; i < family->count; i++) {
        for (k = 0; k < family->operators[i].param_count; k++) {
            char text[512];
            write_param(&family->operators[i], &family->operators[i].params[k], text, sizeof text);
            add_text(rows, &count, i, text);
        }
    }
    if (count == 0) return;
    printf("\nParameters, each behind `OH_NN_%s_`:\n\n", family->count == 1 ? family->operators->name : "OPERATOR");
    printf(family->count > 1 ? "| operators | name | type | left out | range | |\n|---|---|---|---|---|---|\n"
                             : "| name | type | left out | range | |\n|---|---|---|---|---|\n");
    print_texts(family, rows, count);
}

/* -------------------------------------------------------------------------------------------- data types */

/* What a row of the table of types speaks of: sets of bits, and what is one for all of them. */
enum {
    SET_OPERATORS, /* of the family */
    SET_OTHER,     /* of the typings of sample_typing: the other end of a conversion */
    SET_BIAS,      /* of OH_NN_DataType */
    SET_WEIGHTS,   /* of OH_NN_DataType */
    SET_DATA,      /* of the typings of sample_typing */
    SETS
};
typedef struct type_row {
    uint64_t sets[SETS];
    bool weights_at_run;
    char steps[160];
    unsigned levels; /* bits of nnrt__targets */
} type_row;

/* Tries a sample at every level of this machine: steps have to be the same ones, and each on the instruction set that
   the headers have for its kind, or the next lower one, as a level may fill a part of a group, or, as that of a kind in
   which only some operators have own kernels, always portable. levels[i]: bits of nnrt__targets with own kernels for
   step i of *answer. */
static void try_levels(sample *s, sample_answer *answer, unsigned *levels) {
    sample_answer other;
    size_t level;
    uint32_t i;
    s->level = nnrt__targets[0].name;
    sample_try(s, false, answer);
    if (answer->call != SAID_NEVER) return;
    s->level = nnrt__target_of(nnrt__cpu_detect())->name;
    sample_try(s, false, &other);
    for (i = 0; i < answer->step_count; i++)
        levels[i] = strcmp(other.steps[i].level, "scalar") != 0 ? levels_of_kind(other.steps[i].kind) : 0;
    for (level = 0; level < NNRT__TARGET_COUNT; level++) {
        if ((nnrt__targets[level].isa & ~nnrt__cpu_detect()) != 0) continue;
        s->level = nnrt__targets[level].name;
        sample_try(s, false, &other);
        for (i = 0; i < answer->step_count; i++) {
            const bool same =
                other.step_count == answer->step_count && strcmp(other.steps[i].kind, answer->steps[i].kind) == 0;
            if (same && strcmp(other.steps[i].level, nnrt__targets[level].name) != 0)
                levels[i] &= ~(1u << level); /* it has kernels of the group, but not this one */
            if (same && strcmp(other.steps[i].level, best_level(levels[i], level)) == 0) continue;
            fprintf(stderr, "print_operators: %s of %s, %s: %s where the headers have %s\n", answer->steps[i].kind,
                    nnrt__op_name((int)s->op), s->level, other.steps[i].level, best_level(levels[i], level));
            exit(1);
        }
    }
}

/* Steps as they follow each other, each kind once, and the instruction sets that have kernels for one of them. */
static void note_steps(const sample_answer *answer, const unsigned *levels, type_row *row) {
    uint32_t i, k;
    for (i = 0; i < answer->step_count; i++) {
        const size_t used = strlen(row->steps);
        row->levels |= levels[i];
        for (k = 0; k < i && strcmp(answer->steps[k].kind, answer->steps[i].kind) != 0;) k++;
        if (k < i) continue;
        (void)snprintf(row->steps + used, sizeof row->steps - used, "%s`%s`", used == 0 ? "" : ", ",
                       answer->steps[i].kind);
    }
    if (answer->step_count == 0) (void)snprintf(row->steps, sizeof row->steps, "none");
}

/* Joins rows that differ in one set only. Returns how many are left. */
static unsigned join_rows(type_row *rows, unsigned count, int set) {
    unsigned left = 0, i, k;
    int other;
    for (i = 0; i < count; i++) {
        for (k = 0; k < left; k++) {
            bool same = rows[k].weights_at_run == rows[i].weights_at_run && rows[k].levels == rows[i].levels &&
                        strcmp(rows[k].steps, rows[i].steps) == 0;
            for (other = 0; other < SETS; other++)
                same = same && (other == set || rows[k].sets[other] == rows[i].sets[other]);
            if (same) break;
        }
        if (k == left) rows[left++] = rows[i];
        else rows[k].sets[set] |= rows[i].sets[set];
    }
    return left;
}

static bool weights_may_wait(const said_operator *said, const sample_types *types) {
    sample s;
    sample_answer answer;
    unsigned i;
    sample_make(&s, said, types);
    for (i = 0; i < said->input_count; i++)
        if (said->inputs[i].role == SAID_WEIGHTS) s.inputs[i].constant = false;
    sample_try(&s, false, &answer);
    return answer.call == SAID_NEVER;
}

static uint64_t typing_bit(OH_NN_DataType dtype, bool quantized) {
    OH_NN_DataType tried;
    bool is_quantized;
    int i = 0;
    for (sample_typing(0, &tried, &is_quantized); tried != dtype || is_quantized != quantized;)
        sample_typing(++i, &tried, &is_quantized);
    return (uint64_t)1 << i;
}

static unsigned try_types(const said_family *family, type_row *rows) {
    unsigned count = 0, i;
    int set;
    for (i = 0; i < family->count; i++) {
        const said_operator *said = &family->operators[i];
        sample_types types;
        int at = 0;
        while (sample_next_types(said, &at, &types)) {
            type_row *row = &rows[count];
            sample s;
            sample_answer answer;
            unsigned levels[SAMPLE_STEPS];
            sample_make(&s, said, &types);
            try_levels(&s, &answer, levels);
            if (answer.call != SAID_NEVER) continue;
            if (++count == ROWS) exit((fputs("print_operators: more rows than there is room for\n", stderr), 1));
            memset(row, 0, sizeof *row);
            row->sets[SET_OPERATORS] = (uint64_t)1 << i;
            row->sets[SET_DATA] = typing_bit(types.data, types.quantized);
            if (said_has(said, SAID_OTHER)) row->sets[SET_OTHER] = typing_bit(types.other, types.other_quantized);
            if (said_has(said, SAID_BIAS)) row->sets[SET_BIAS] = (uint64_t)1 << types.bias;
            if (said_has(said, SAID_WEIGHTS)) row->sets[SET_WEIGHTS] = (uint64_t)1 << types.weights;
            row->weights_at_run = said_has(said, SAID_WEIGHTS) && weights_may_wait(said, &types);
            note_steps(&answer, levels, row);
        }
    }
    for (set = 0; set < SETS; set++) count = join_rows(rows, count, set);
    return count;
}

/* Names of types: "int8" where it may be quantized or not. */
static void print_typings(uint64_t mask) {
    static const uint8_t order[12] = {0, 1, 15, 2, 3, 4, 12, 5, 13, 6, 14, 7}; /* typings, one of each type */
    static const uint8_t twin[12] = {0, 0, 0, 8, 9, 10, 0, 11, 0, 0, 0, 0};    /* and the other one */
    const char *before = " ";
    size_t i;
    if (mask == (1u << SAMPLE_TYPINGS) - 1) {
        printf(" any |");
        return;
    }
    for (i = 0; i < 12; i++) {
        OH_NN_DataType dtype;
        bool quantized;
        const bool first = (mask >> order[i] & 1) != 0, second = twin[i] != 0 && (mask >> twin[i] & 1) != 0;
        sample_typing(order[i], &dtype, &quantized);
        if (!first && !second) continue;
        printf("%s%s%s", before,
               twin[i] == 0 || (first && second) ? ""
               : first == quantized              ? "quantized "
                                                 : "unquantized ",
               nnrt__dtype_name(dtype));
        before = ", ";
    }
    printf(" |");
}

static void print_dtypes(uint64_t mask) {
    const char *before = " ";
    int i;
    for (i = 1; i <= (int)OH_NN_FLOAT64; i++) {
        if ((mask >> i & 1) == 0) continue;
        printf("%s%s", before, nnrt__dtype_name((OH_NN_DataType)i));
        before = ", ";
    }
    printf(" |");
}

static void print_types(const said_family *family) {
    static type_row rows[ROWS];
    const said_operator *said = family->operators;
    const bool weights = said_has(said, SAID_WEIGHTS), bias = said_has(said, SAID_BIAS),
               other = said_has(said, SAID_OTHER);
    const unsigned count = try_types(family, rows);
    unsigned i;
    printf("\nData types:\n\n|%s data type |", family->count > 1 ? " operators |" : "");
    if (other) printf(" output |");
    if (weights) printf(" `%s` |", said->inputs[1].name);
    if (bias) printf(" bias |");
    if (weights) printf(" `%s` known at |", said->inputs[1].name);
    printf(" steps | own kernels |\n|---|---|---|%s%s%s%s\n", family->count > 1 ? "---|" : "", other ? "---|" : "",
           weights ? "---|---|" : "", bias ? "---|" : "");
    for (i = 0; i < count; i++) {
        const type_row *row = &rows[i];
        print_names(family, row->sets[SET_OPERATORS]);
        print_typings(row->sets[SET_DATA]);
        if (other) print_typings(row->sets[SET_OTHER]);
        if (weights) print_dtypes(row->sets[SET_WEIGHTS]);
        if (bias) print_dtypes(row->sets[SET_BIAS]);
        if (weights) print_cell(row->weights_at_run ? "Build or run" : "Build");
        print_cell(row->steps);
        print_levels(row->levels);
        printf("\n");
    }
}

/* A family that no program can add is not tried: all kinds of steps that its operators may become. */
static void print_kinds(const said_family *family) {
    unsigned i, k;
    printf("\n| operator | steps |\n|---|---|\n");
    for (i = 0; i < family->count; i++) {
        const nnrt__step_kind *const *kinds = nnrt__kinds_of(family->operators[i].op);
        printf("| `%s` |", family->operators[i].name);
        for (k = 0; kinds[k] != NULL; k++) printf("%s `%s`", k == 0 ? "" : ",", kinds[k]->name);
        printf(" |\n");
    }
}

/* ---------------------------------------------------------------------------------------------- refusals */

/* "| by | sentence |" of an answer, without what is about this very sample. */
static void write_answer(const sample_answer *answer, char *text, size_t size) {
    static const char *const names[] = {"AddOperation", "Finish", "Build", "RunSync", "nobody", "nobody"};
    const char *from = strstr(answer->sentence, "\"): "), *end = strstr(answer->sentence, "; inputs: ");
    from = from != NULL ? from + strlen("\"): ") : answer->sentence;
    (void)snprintf(text, size, " %s | %.*s |", names[answer->call],
                   (int)(end != NULL ? (size_t)(end - from) : strlen(from)), from);
}

static void print_wrongs(const said_family *family) {
    static text_row rows[ROWS];
    unsigned count = 0, i, k;
    for (i = 0; i < family->count; i++) {
        const said_operator *said = &family->operators[i];
        for (k = 0; k < said->wrong_count; k++) {
            char text[512];
            sample_types types;
            sample s;
            sample_answer answer;
            if (said->wrongs[k].call == SAID_NEVER) continue;
            (void)sample_first_types(said, sample_wanted(&said->wrongs[k]), &types);
            sample_make(&s, said, &types);
            s.open_outputs = true;
            sample_change(&s, &said->wrongs[k], &types);
            sample_try(&s, true, &answer);
            (void)snprintf(text, sizeof text, " %s |", said->wrongs[k].what);
            write_answer(&answer, text + strlen(text), sizeof text - strlen(text));
            add_text(rows, &count, i, text);
        }
    }
    if (count == 0) return;
    printf("\nRefused, beyond what is refused of every operator:\n\n");
    printf(family->count > 1 ? "| operators | what | by | sentence |\n|---|---|---|---|\n"
                             : "| what | by | sentence |\n|---|---|---|\n");
    print_texts(family, rows, count);
}

static void print_section(const said_family *family) {
    printf("\n## %s\n\n", family->title);
    if (family->about != NULL) printf("%s\n\n", family->about);
    print_operators(family);
    print_operands(family);
    if (family->operators->op > NNRT__OPS_OF_PROGRAMS) {
        print_kinds(family);
        return;
    }
    print_params(family);
    print_types(family);
    print_wrongs(family);
}

/* -------------------------------------------------------------------------------------- the page as a whole */

static void print_contents(void) {
    size_t f;
    unsigned i;
    printf("## Contents\n\n- [What holds for every operator](#what-holds-for-every-operator)\n");
    for (f = 0; f < NNRT__COUNT_OF(said_families); f++) {
        const said_family *family = &said_families[f];
        printf("- [%s](#", family->title);
        print_anchor(family->title);
        printf(")");
        for (i = 0; i < family->count; i++)
            if (strcmp(family->title, family->operators[i].name) != 0)
                printf("%s `%s`", i == 0 ? ":" : ",", family->operators[i].name);
        printf("\n");
    }
    printf("- [Operators by number](#operators-by-number)\n- [Kernels and instruction sets]"
           "(#kernels-and-instruction-sets)\n");
}

/* What is wrong with an operator whichever it is, tried with CONV2D. */
static void print_everywhere(void) {
    static const struct {
        const char *what;
        said_change change;
        int which;
        const char *to;
    } rows[] = {{"too few inputs", SAID_INPUTS, 0, "2"},
                {"too many inputs", SAID_INPUTS, 0, "4"},
                {"too many outputs", SAID_OUTPUTS, 0, "2"},
                {"a parameter of another operator", SAID_PARAM, OH_NN_CONCAT_AXIS, "1"},
                {"a parameter with the wrong number of elements", SAID_PARAM, OH_NN_CONV2D_GROUP, "1 1"},
                {"a parameter that is out of the range of its type", SAID_PARAM, OH_NN_CONV2D_ACTIVATION_TYPE, "3"},
                {"a parameter that is out of its range otherwise", SAID_PARAM, OH_NN_CONV2D_GROUP, "0"},
                {"a type that the operator does not take", SAID_INPUT_TYPE, 0, "bool"}};
    const said_operator *said = said_find(OH_NN_OPS_CONV2D);
    sample_types types;
    sample s;
    sample_answer answer;
    size_t i;
    (void)sample_first_types(said, OH_NN_UNKNOWN, &types);
    printf("| what is wrong | refused by | with the sentence |\n|---|---|---|\n");
    for (i = 0; i < NNRT__COUNT_OF(rows) + 4; i++) {
        const char *what = i < NNRT__COUNT_OF(rows) ? rows[i].what : "";
        char text[512];
        sample_make(&s, said, &types);
        if (i < NNRT__COUNT_OF(rows)) {
            said_wrong wrong = {"", SAID_INPUTS, 0, "", SAID_ADD};
            wrong.change = rows[i].change;
            wrong.which = rows[i].which;
            wrong.to = rows[i].to;
            sample_change(&s, &wrong, &types);
        } else if (i == NNRT__COUNT_OF(rows)) {
            what = "a parameter of another data type";
            s.params[0].dtype = OH_NN_INT32;
        } else if (i == NNRT__COUNT_OF(rows) + 1) {
            what = "a parameter without data";
            s.params[0].without_data = true;
        } else if (i == NNRT__COUNT_OF(rows) + 2) {
            what = "a parameter that must be given is not";
            s.param_count = 0;
        } else {
            what = "an output that is declared with another shape";
            s.outputs[0].dims[1]++;
        }
        sample_try(&s, true, &answer);
        write_answer(&answer, text, sizeof text);
        printf("| %s |%s\n", what, text);
    }
}

static void print_index(void) {
    int op;
    printf("\n## Operators by number\n\n| number | operator | section | inputs | outputs |\n|---|---|---|---|---|\n");
    for (op = 1; nnrt__op_find(op) != NULL; op++) {
        const nnrt__op_row *row = nnrt__op_find(op);
        const said_operator *said = said_find(op);
        size_t f = 0;
        while (said < said_families[f].operators || said >= said_families[f].operators + said_families[f].count) f++;
        printf("| %d | `%s` | [%s](#", op, said->name, said_families[f].title);
        print_anchor(said_families[f].title);
        printf(row->inputs_min == row->inputs_max ? ") | %u |" : ") | %u to %u |", row->inputs_min, row->inputs_max);
        printf(row->outputs_min == row->outputs_max ? " %u |\n" : " %u to %u |\n", row->outputs_min, row->outputs_max);
    }
}

int main(void) {
    size_t f;
    printf("# Operators\n\n"
           "Written by `make docs`; do not edit. What an operator takes, what it leaves and what it refuses: from the\n"
           "tables of the library (`core/optable.h`, `core/optable_params.h`, `tflite/operators.h`), from\n"
           "`tests/operators/`, and from trying it on the CPU device with every data type.\n\n");
    print_contents();
    printf(
        "\n## What holds for every operator\n\n"
        "**Tables.** *Known at*: Build is a constant, `OH_NNModel_SetTensorData`; run is an input of the model or "
        "what\n"
        "another operator has computed. An axis is -rank to rank - 1, a negative one counts from the end. Of\n"
        "parameters only those beneath the table's name exist, once each; of two of a kind the last one counts.\n"
        "Where a parameter has no number of elements, the first ones count that have a meaning.\n\n"
        "**Data types.** Quantized is: one scale and one zero point; int16 with a zero point of 0. Outputs have the\n"
        "data type of the operator where nothing else is said. *Steps* are what `nnrt inspect MODEL` shows. *Own\n"
        "kernels* are instruction sets that have faster code than portable C for one of the steps; a set without has\n"
        "that of the next lower one. float16 is widened, computed in float32 and rounded, but for operators that only\n"
        "move elements. Products and pools of floats end in the bounds of their activation, infinite ones where there\n"
        "is none: a NaN becomes the lower bound.\n\n"
        "**Definitions.** OpenHarmony is its header, `neural_network_runtime_type.h`; MindSpore Lite is what\n"
        "OpenHarmony's runtime computes with, where the header is silent or means something else; TensorFlow Lite are\n"
        "its reference kernels, whose bytes quantized results have; nnrt is decided here. The kernels' own contracts\n"
        "stand in `kernels/*_scalar.h`. A `.tflite` builtin stands at the operator that it becomes, or ends in.\n\n"
        "**Errors.** `OH_NNModel_AddOperation` answers `OH_NN_INVALID_PARAMETER` and adds nothing;\n"
        "`OH_NNModel_Finish` and `OH_NNCompilation_Build` answer `OH_NN_FAILED`; `OH_NNExecutor_RunSync` answers\n"
        "`OH_NN_UNAVAILABLE_DEVICE`. `nnrt_last_error()` is the sentence. Build names the operator, its output and "
        "its\n"
        "inputs around what stands here. Of CONV2D, for example:\n\n");
    print_everywhere();
    printf("\nNo tensor has more than 10 dimensions, no elements, or more than 1 GiB.\n");
    for (f = 0; f < NNRT__COUNT_OF(said_families); f++) print_section(&said_families[f]);
    print_index();
    printf("\n## Kernels and instruction sets\n\n"
           "Groups of kernels that an instruction set has of its own; an empty field means that the next lower one, in "
           "the\n"
           "end portable C, does it. Everything else is portable C on all of them.\n\n");
    print_level_table();
    return 0;
}
