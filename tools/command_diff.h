/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_diff.h - `nnrt diff`: two models, one model built in two ways, or dumps; how far they are apart, where
   that begins, and why that may be. */
#ifndef NNRT_TOOLS_COMMAND_DIFF_H
#define NNRT_TOOLS_COMMAND_DIFF_H

#include "command_run.h"
#include "diff_cause.h"
#include "dump_read.h"

/* One of the two. */
typedef struct diff_side {
    const char *name; /* model, plan or folder */
    bool folder;
    session s; /* of a model */
    dump d;
} diff_side;

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* ------------------------------------------------------------------------------------------------------ inputs */

/* Number `value` as element i of a tensor; rounded and cut off where that is an integer. */
static void store(OH_NN_DataType type, void *data, size_t i, double value) {
    const bool fits = isfinite(value);
    const double whole = fits ? round(value) : 0.0;
    const double low = type == OH_NN_INT8    ? -128.0
                       : type == OH_NN_INT16 ? -32768.0
                       : type == OH_NN_INT32 ? INT32_MIN
                                             : 0.0;
    const double high = type == OH_NN_INT8     ? 127.0
                        : type == OH_NN_UINT8  ? 255.0
                        : type == OH_NN_INT16  ? 32767.0
                        : type == OH_NN_UINT16 ? 65535.0
                        : type == OH_NN_INT32  ? INT32_MAX
                                               : 1.0;
    const double cut = whole < low ? low : whole > high ? high : whole;
    switch (type) {
    case OH_NN_FLOAT32: ((float *)data)[i] = (float)value; break;
    case OH_NN_FLOAT64: ((double *)data)[i] = value; break;
    case OH_NN_INT8: ((int8_t *)data)[i] = (int8_t)cut; break;
    case OH_NN_UINT8: ((uint8_t *)data)[i] = (uint8_t)cut; break;
    case OH_NN_INT16: ((int16_t *)data)[i] = (int16_t)cut; break;
    case OH_NN_UINT16: ((uint16_t *)data)[i] = (uint16_t)cut; break;
    case OH_NN_INT32: ((int32_t *)data)[i] = (int32_t)cut; break;
    case OH_NN_BOOL: ((uint8_t *)data)[i] = (uint8_t)cut; break;
    default: break;
    }
}

static bool can_store(OH_NN_DataType type) {
    return type == OH_NN_FLOAT32 || type == OH_NN_FLOAT64 || type == OH_NN_INT8 || type == OH_NN_UINT8 ||
           type == OH_NN_INT16 || type == OH_NN_UINT16 || type == OH_NN_INT32 || type == OH_NN_BOOL;
}

static const dump_tensor *dump_find(const dump *d, dump_role role, uint32_t index) {
    for (size_t i = 0; i < d->count; i++)
        if (d->tensors[i].role == role && d->tensors[i].index == index) return &d->tensors[i];
    return NULL;
}

static tensor_values values_of_tensor(const dump_tensor *t) {
    tensor_values v = values_of(t->form.type, t->data, t->elements);
    v.scale = t->scale;
    v.zero_point = t->zero_point;
    return v;
}

/* Fills input i of side as the other one had it: the same bytes where both have one type and quantization, else the
   same real values. */
static int input_as(const diff_side *side, size_t i, const diff_side *other) {
    const dump_tensor *from = dump_find(&other->d, DUMP_INPUT, (uint32_t)i);
    NN_Tensor *tensor = side->s.inputs[i];
    void *data = OH_NNTensor_GetDataBuffer(tensor);
    double scale = 0.0;
    int32_t zero_point = 0;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t elements = 0, bytes = 0;
    const int result = tensor_facts(tensor, &type, &elements, &bytes);
    if (result != TOOL_OK) return result;
    const OH_NN_ReturnCode code = nnrt_executor_get_input_quant(side->s.executor, i, &scale, &zero_point);
    if (code != OH_NN_SUCCESS) return refused("ask how an input is quantized", code);
    if (from == NULL || from->data == NULL || from->elements != elements)
        return complain(TOOL_FILE, "%s: input %zu of %s has another number of elements, or none", side->name, i,
                        other->name);
    const tensor_values v = values_of_tensor(from);
    const bool same = apart(scale, v.scale) <= 1e-9 * scale && zero_point == v.zero_point;
    if (type == v.type && same) memcpy(data, v.data, bytes);
    else if (!can_store(type))
        return complain(TOOL_FILE, "%s: input %zu is %s, which numbers of %s cannot become", side->name, i,
                        type_name(type), other->name);
    else
        for (size_t k = 0; k < elements; k++) {
            const double value = value_at(&v, k);
            store(type, data, k, scale > 0.0 ? value / scale + zero_point : value);
        }
    return TOOL_OK;
}

/* The files of --input, or noise that is the same every time. */
static int input_given(const arguments *a, diff_side *side, size_t i, uint64_t *noise) {
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t elements = 0, bytes = 0;
    if (a->input_count != 0) return load_input(a, &side->s, i);
    const int result = tensor_facts(side->s.inputs[i], &type, &elements, &bytes);
    if (result == TOOL_OK) fill_random(type, OH_NNTensor_GetDataBuffer(side->s.inputs[i]), elements, noise);
    return result;
}

static int side_open(const build_options *how, diff_side *side) {
    const int result = session_open(&side->s, how);
    return result == TOOL_OK ? make_tensors(&side->s) : result;
}

/* Fills the inputs and runs. other: whose inputs it gets; NULL: its own. */
static int side_run(const arguments *a, diff_side *side, const diff_side *other) {
    uint64_t noise = 1;
    int result = TOOL_OK;
    if (other == NULL && a->input_count != 0 && a->input_count != side->s.input_count)
        result = complain(TOOL_USAGE, "diff: the model has %zu input(s), --input names %zu file(s)",
                          side->s.input_count, a->input_count);
    for (size_t i = 0; i < side->s.input_count && result == TOOL_OK; i++)
        result = other != NULL ? input_as(side, i, other) : input_given(a, side, i, &noise);
    if (result == TOOL_OK) result = run_once(&side->s);
    return result == TOOL_OK ? dump_collect(&side->d, &side->s) : result;
}

/* Whether noise should be that of B: its inputs are quantized, and have ends, and those of A do not. */
static bool noise_of_b(const diff_side *sides) {
    double scale_a = 0.0, scale_b = 0.0;
    int32_t zero_point = 0;
    if (sides[0].folder || sides[1].folder || sides[0].s.input_count == 0 || sides[1].s.input_count == 0) return false;
    if (nnrt_executor_get_input_quant(sides[0].s.executor, 0, &scale_a, &zero_point) != OH_NN_SUCCESS) return false;
    if (nnrt_executor_get_input_quant(sides[1].s.executor, 0, &scale_b, &zero_point) != OH_NN_SUCCESS) return false;
    return scale_b > 0.0 && !(scale_a > 0.0);
}

/* -------------------------------------------------------------------------------------------------- comparisons */

/* Two tensors that are compared. */
typedef struct diff_row {
    const dump_tensor *a, *b;
    difference d;
    bool comparable; /* both have as many elements */
    diff_guess guess;
} diff_row;

typedef struct diff_rows_list {
    diff_row *rows; /* steps in the order of A, then outputs */
    size_t count;
    size_t alone_a, alone_b; /* steps of one without a counterpart */
} diff_rows_list;

static bool differs(const diff_row *row) { return !row->comparable || row->d.beyond > 0; }

/* The step of d whose tensor has that name and no other; NULL: none, or several. */
static const dump_tensor *step_of_name(const dump *d, const char *name) {
    const dump_tensor *found = NULL;
    for (size_t i = 0; i < d->count && *name != '\0'; i++) {
        const dump_tensor *t = &d->tensors[i];
        if (t->role != DUMP_STEP || strcmp(t->name, name) != 0) continue;
        if (found != NULL) return NULL;
        found = t;
    }
    return found;
}

static size_t count_steps(const dump *d) {
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++) count += d->tensors[i].role == DUMP_STEP;
    return count;
}

/* Step number n, counted over all outputs of steps. */
static const dump_tensor *step_of_number(const dump *d, size_t n) {
    for (size_t i = 0; i < d->count; i++)
        if (d->tensors[i].role == DUMP_STEP && n-- == 0) return &d->tensors[i];
    return NULL;
}

/* What they may be apart when the user does not say: as `nnrt run --expect` has it where both are stored alike, else
   two steps of the coarser quantization. */
static double diff_tolerance(const arguments *a, const diff_row *row, const tensor_values *expected) {
    const double coarser = row->a->scale > row->b->scale ? row->a->scale : row->b->scale;
    if (a->has_tolerance) return a->tolerance;
    if (row->a->form.type == row->b->form.type && !(apart(row->a->scale, row->b->scale) > 1e-9 * coarser) &&
        row->a->zero_point == row->b->zero_point)
        return default_tolerance(expected);
    return coarser > 0.0 ? 2.0 * coarser : default_tolerance(expected);
}

/* The real values of a tensor; to be freed. */
static double *reals_of(const tensor_values *v) {
    double *reals = (double *)allocate(v->count * sizeof(double));
    for (size_t i = 0; i < v->count; i++) reals[i] = value_at(v, i);
    return reals;
}

static void guess_row(diff_row *row, const tensor_values *a, const tensor_values *b) {
    diff_pair pair;
    memset(&pair, 0, sizeof(pair));
    double *const real_a = reals_of(a), *const real_b = reals_of(b);
    pair.a = real_a;
    pair.b = real_b;
    pair.count = a->count;
    pair.dims = row->a->form.dims;
    pair.rank = row->a->form.rank;
    pair.unit = a->scale > b->scale ? a->scale : b->scale;
    pair.tolerance = row->d.tolerance;
    if (!(pair.unit > 0.0) && !is_float(a->type)) pair.unit = 1.0;
    row->guess = diff_guess_cause(&pair);
    free(real_a);
    free(real_b);
}

static void compare_row(const arguments *args, diff_row *row) {
    const tensor_values a = values_of_tensor(row->a), b = values_of_tensor(row->b);
    row->comparable = a.count == b.count && a.count > 0;
    if (!row->comparable) return;
    row->d = compare_values(&a, &b, diff_tolerance(args, row, &a));
    if (row->d.beyond > 0) guess_row(row, &a, &b);
}

/* Adds the pair, unless one of them has no numbers. */
static bool add_pair(const arguments *args, diff_rows_list *list, const dump_tensor *a, const dump_tensor *b) {
    if (a == NULL || b == NULL || a->data == NULL || b->data == NULL) return false;
    diff_row *row = &list->rows[list->count++];
    memset(row, 0, sizeof(*row));
    row->a = a;
    row->b = b;
    compare_row(args, row);
    return true;
}

/* Pairs steps by the names of their tensors; where no name is in both, by their order, if they are as many. */
static void compare_all(const arguments *args, const dump *a, const dump *b, diff_rows_list *list) {
    const size_t steps_a = count_steps(a), steps_b = count_steps(b);
    memset(list, 0, sizeof(*list));
    list->rows = (diff_row *)allocate((a->count + 1) * sizeof(diff_row));
    bool named = false;
    for (size_t i = 0; i < a->count && !named; i++)
        named = a->tensors[i].role == DUMP_STEP && step_of_name(b, a->tensors[i].name) != NULL;
    for (size_t i = 0, number = 0; i < a->count; i++) {
        const dump_tensor *t = &a->tensors[i];
        if (t->role != DUMP_STEP) continue;
        const dump_tensor *other = named                ? step_of_name(b, t->name)
                                   : steps_a == steps_b ? step_of_number(b, number)
                                                        : NULL;
        if (named && step_of_name(a, t->name) == NULL) other = NULL;
        (void)add_pair(args, list, t, other);
        number++;
    }
    list->alone_a = steps_a - list->count;
    list->alone_b = steps_b - list->count;
    for (size_t i = 0; i < a->count; i++)
        if (a->tensors[i].role == DUMP_OUTPUT)
            (void)add_pair(args, list, &a->tensors[i], dump_find(b, DUMP_OUTPUT, a->tensors[i].index));
}

/* --------------------------------------------------------------------------------------------------- what is said */

static void row_title(const diff_row *row, char title[80]) {
    if (row->a->role == DUMP_STEP) snprintf(title, 80, "step %lu  %.40s", (unsigned long)row->a->step, row->a->name);
    else snprintf(title, 80, "output %lu  %.40s", (unsigned long)row->a->index, row->a->name);
}

static void print_guess(const char *title, const diff_row *row) {
    char line[DIFF_SENTENCE + 96], has[SHAPE_TEXT], other[SHAPE_TEXT];
    if (row->comparable) snprintf(line, sizeof(line), "%s", row->guess.sentence);
    else
        snprintf(line, sizeof(line), "shape: A has %s, B has %s", shape_text(has, row->a->form.dims, row->a->form.rank),
                 shape_text(other, row->b->form.dims, row->b->form.rank));
    table t = table_begin("ll");
    cell(&t, "%s", title);
    cell(&t, "%s", line);
    table_end(&t);
}

static const diff_row *first_that_differs(const diff_rows_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (differs(&list->rows[i])) return &list->rows[i];
    return NULL;
}

static void print_rows(const diff_rows_list *list) {
    table t = table_begin("lrrrrlrr");
    char title[80];
    add_difference_row(&t, NULL, NULL, NULL);
    for (size_t i = 0; i < list->count; i++) {
        if (!list->rows[i].comparable) continue;
        row_title(&list->rows[i], title);
        add_difference_row(&t, title, &list->rows[i].a->form, &list->rows[i].d);
    }
    table_end(&t);
    if (list->alone_a + list->alone_b > 0)
        printf("\n%zu steps of A and %zu of B have no counterpart of the same name with numbers\n", list->alone_a,
               list->alone_b);
    const diff_row *first = first_that_differs(list);
    if (first == NULL) return;
    row_title(first, title);
    printf("\nfirst that differs\n");
    print_guess(title, first);
    printf("\noutputs that differ\n");
    for (size_t i = 0; i < list->count; i++) {
        if (list->rows[i].a->role != DUMP_OUTPUT || !differs(&list->rows[i])) continue;
        row_title(&list->rows[i], title);
        print_guess(title, &list->rows[i]);
    }
}

static void json_row(json *j, const diff_row *row) {
    json_open(j, NULL, '{');
    json_string(j, "role", role_name(row->a->role));
    if (row->a->role == DUMP_STEP) json_unsigned(j, "step", row->a->step);
    else json_null(j, "step");
    json_unsigned(j, "index", row->a->index);
    json_string(j, "name", row->a->name);
    json_string(j, "operator", row->a->role == DUMP_STEP ? row->a->operation : NULL);
    json_string(j, "type", type_name(row->a->form.type));
    json_string(j, "other_type", type_name(row->b->form.type));
    json_boolean(j, "comparable", row->comparable);
    json_difference(j, &row->a->form, &row->d);
    json_string(j, "cause", cause_name(row->comparable ? row->guess.cause : CAUSE_UNKNOWN));
    json_string(j, "guess", row->comparable && row->d.beyond > 0 ? row->guess.sentence : NULL);
    json_close(j, '}');
}

static int rows_json(const diff_side *sides, const diff_rows_list *list) {
    const diff_row *first = first_that_differs(list);
    json j;
    json_begin(&j, "diff");
    json_string(&j, "a", sides[0].name);
    json_string(&j, "b", sides[1].name);
    json_string(&j, "device_a", sides[0].s.device_name);
    json_string(&j, "device_b", sides[1].s.device_name);
    json_unsigned(&j, "alone_a", list->alone_a);
    json_unsigned(&j, "alone_b", list->alone_b);
    if (first != NULL) json_unsigned(&j, "first", (unsigned long long)(first - list->rows));
    else json_null(&j, "first");
    json_open(&j, "differences", '[');
    for (size_t i = 0; i < list->count; i++) json_row(&j, &list->rows[i]);
    json_close(&j, ']');
    return json_end(&j, TOOL_OK);
}

/* The exit code: an output differs, or nothing could be compared. */
static int judge(const diff_side *sides, const diff_rows_list *list) {
    size_t differing = 0;
    if (list->count == 0)
        return complain(TOOL_REFUSED, "%s and %s: have nothing that could be compared", sides[0].name, sides[1].name);
    for (size_t i = 0; i < list->count; i++)
        differing += list->rows[i].a->role == DUMP_OUTPUT && differs(&list->rows[i]);
    if (differing == 0) return TOOL_OK;
    return complain(TOOL_REFUSED, "%s and %s: %zu output(s) differ", sides[0].name, sides[1].name, differing);
}

/* How B is built: as A is, or, where --device-b or --config-b stand, as those say. */
static void options_of_b(const arguments *a, build_options *b) {
    *b = a->build;
    b->model = a->operands[1];
    if (a->device_b == NULL && a->configs_b.config_count == 0) return;
    b->device = a->device_b;
    b->isa = b->threads = NULL;
    b->performance = OH_NN_PERFORMANCE_NONE;
    b->config_count = a->configs_b.config_count;
    memcpy(b->configs, a->configs_b.configs, sizeof(b->configs));
}

static int diff_sides(const arguments *a, diff_side *sides) {
    build_options *how = (build_options *)allocate(2 * sizeof(build_options));
    int result = TOOL_OK;
    how[0] = a->build;
    options_of_b(a, &how[1]);
    how[0].keep = how[1].keep = true;
    for (size_t i = 0; i < 2; i++) {
        sides[i].name = a->operands[i];
        sides[i].folder = is_folder(a->operands[i]);
    }
    if (a->input_count != 0 && sides[0].folder && sides[1].folder)
        result = complain(TOOL_USAGE, "diff: --input is for models, and both are dumps");
    for (size_t i = 0; i < 2 && result == TOOL_OK; i++)
        if (sides[i].folder) result = dump_read(&sides[i].d, sides[i].name);
    for (size_t i = 0; i < 2 && result == TOOL_OK; i++)
        if (!sides[i].folder) result = side_open(&how[i], &sides[i]);
    const size_t first = result == TOOL_OK && a->input_count == 0 && noise_of_b(sides) ? 1 : 0;
    for (size_t k = 0; k < 2 && result == TOOL_OK; k++) {
        const size_t i = k == 0 ? first : 1 - first;
        const bool has_other = sides[1 - i].folder ? a->input_count == 0 : k == 1;
        if (!sides[i].folder) result = side_run(a, &sides[i], has_other ? &sides[1 - i] : NULL);
    }
    free(how);
    return result;
}

static int command_diff(const arguments *a) {
    diff_side *sides = (diff_side *)allocate(2 * sizeof(diff_side));
    diff_rows_list list;
    memset(sides, 0, 2 * sizeof(diff_side));
    int result = diff_sides(a, sides);
    if (result == TOOL_OK) {
        compare_all(a, &sides[0].d, &sides[1].d, &list);
        if (a->json) result = rows_json(sides, &list);
        else print_rows(&list);
        if (result == TOOL_OK) result = judge(sides, &list);
        free(list.rows);
    }
    for (size_t i = 0; i < 2; i++) {
        dump_free(&sides[i].d);
        session_close(&sides[i].s);
    }
    free(sides);
    return result;
}

#endif /* NNRT_TOOLS_COMMAND_DIFF_H */
