/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_run.h - `nnrt run`: files in, files or the largest values out. */
#ifndef NNRT_TOOLS_COMMAND_RUN_H
#define NNRT_TOOLS_COMMAND_RUN_H

#include "tool_dump.h"

/* What input i expects of an image. */
static int image_target_of(const session *s, size_t i, const char *path, image_target *target) {
    char text[SHAPE_TEXT];
    int32_t *dims = NULL;
    size_t rank = 0;
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    nnrt_layout *layout = &target->layout;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetDataType(s->input_descs[i], &layout->type);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(s->input_descs[i], &dims, &rank);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetFormat(s->input_descs[i], &format);
    if (code == OH_NN_SUCCESS)
        code = nnrt_executor_get_input_quant(s->executor, i, &target->scale, &target->zero_point);
    if (code != OH_NN_SUCCESS) return refused("describe an input", code);
    if (target->wishes->order != OH_NN_FORMAT_NONE) format = target->wishes->order;
    const size_t channels = format == OH_NN_FORMAT_NCHW ? 1 : 3, rows = format == OH_NN_FORMAT_NCHW ? 2 : 1;
    if (rank != 4 || dims[0] != 1 || (dims[channels] != 1 && dims[channels] != 3) || dims[rows] > PICTURE_SIDE ||
        dims[rows + 1] > PICTURE_SIDE)
        return complain(TOOL_FILE, "%s: input %zu (%s) takes no image; that needs 1 x height x width x 1 or 3", path, i,
                        shape_text(text, dims, rank));
    if (!is_byte(layout->type) && layout->type != OH_NN_INT16 && layout->type != OH_NN_FLOAT16 &&
        layout->type != OH_NN_FLOAT32)
        return complain(TOOL_FILE, "%s: an image cannot become %s, the type of input %zu", path,
                        type_name(layout->type), i);
    layout->order = format == OH_NN_FORMAT_NCHW ? NNRT_ORDER_NCHW : NNRT_ORDER_NHWC;
    layout->batches = 1;
    layout->channels = (uint32_t)dims[channels];
    layout->height = (uint32_t)dims[rows];
    layout->width = (uint32_t)dims[rows + 1];
    layout->block = 1;
    return TOOL_OK;
}

/* A file of numbers, raw or .npy, that has to fit a tensor. what: the tensor is, "input". */
static int load_tensor(const NN_Tensor *tensor, const char *path, const char *what, void *data, size_t bytes) {
    npy_form form;
    if (!is_npy(path)) return read_raw(path, what, data, bytes);
    const int result = tensor_form(tensor, &form);
    return result == TOOL_OK ? read_npy(path, &form, data) : result;
}

/* Is standard output for something else than words? */
static bool is_quiet(const arguments *a) {
    bool quiet = a->json;
    for (size_t i = 0; i < a->output_count; i++) quiet = quiet || is_standard(a->outputs[i]);
    return quiet;
}

static int load_image(const arguments *a, const session *s, size_t i, FILE *file, void *data, size_t bytes) {
    const char *path = a->inputs[i];
    image_target target;
    memset(&target, 0, sizeof(target));
    target.wishes = &a->image;
    int result = image_target_of(s, i, path, &target);
    if (result == TOOL_OK) result = read_image(path, file, &target, data, bytes);
    if (result == TOOL_OK && !is_quiet(a)) printf("input %zu  %s  pixels as %s\n", i, path, range_text(&target));
    return result;
}

/* Of `size` bytes that are not the tensor itself: what they begin as. */
static int load_bytes(const arguments *a, const session *s, size_t i, uint8_t *from, size_t size, void *data,
                      size_t bytes) {
    const char *path = a->inputs[i];
    const bool is_array = size >= 8 && memcmp(from, "\x93NUMPY", NPY_MAGIC) == 0;
    npy_form form;
    int result = TOOL_OK;
    if (!is_array && (size < 8 || !begins_as_image(from)))
        return size < bytes ? complain(TOOL_FILE, "%s: has %zu bytes, the input needs %zu", path, size, bytes)
                            : complain(TOOL_FILE, "%s: has more than the %zu bytes that the input needs", path, bytes);
    FILE *file = fmemopen(from, size, "rb");
    if (file == NULL) return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (is_array) result = tensor_form(s->inputs[i], &form);
    if (result == TOOL_OK)
        result = is_array ? read_npy_from(path, file, &form, data) : load_image(a, s, i, file, data, bytes);
    fclose(file);
    return result;
}

/* Standard input has no name to tell its form: just as many bytes as the tensor has are the tensor; anything else is
   what it begins as, and of what is neither an array nor a picture no more is read. */
static int load_standard(const arguments *a, const session *s, size_t i, FILE *file, void *data, size_t bytes) {
    const size_t first = bytes < 8 ? 8 : bytes + 1; /* the tensor exists: no overflow */
    uint8_t *from = (uint8_t *)allocate(first), *rest = NULL;
    size_t size = fread(from, 1, first, file), more = 0;
    int result = TOOL_OK;
    const bool known = size >= 8 && (memcmp(from, "\x93NUMPY", NPY_MAGIC) == 0 || begins_as_image(from));
    if (ferror(file)) result = complain(TOOL_FILE, "%s: cannot be read: %s", a->inputs[i], strerror(errno));
    else if (size == first && known) result = read_whole(a->inputs[i], file, PICTURE_FILE, &rest, &more);
    if (result == TOOL_OK && more > 0) {
        from = (uint8_t *)reallocate(from, size + more);
        memcpy(from + size, rest, more);
        size += more;
    }
    free(rest);
    if (result == TOOL_OK && size == bytes) memcpy(data, from, bytes);
    else if (result == TOOL_OK) result = load_bytes(a, s, i, from, size, data, bytes);
    free(from);
    return result;
}

static int load_input(const arguments *a, session *s, size_t i) {
    const char *path = a->inputs[i];
    void *data = OH_NNTensor_GetDataBuffer(s->inputs[i]);
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t elements = 0, bytes = 0;
    FILE *file = NULL;
    int result = tensor_facts(s->inputs[i], &type, &elements, &bytes);
    if (data == NULL) return refused_object("get at the memory of an input");
    if (result != TOOL_OK) return result;
    if (!is_standard(path) && !is_image(path)) return load_tensor(s->inputs[i], path, "input", data, bytes);
    result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    result = is_standard(path) ? load_standard(a, s, i, file, data, bytes) : load_image(a, s, i, file, data, bytes);
    fclose(file);
    return result;
}

/* Whether a stands before b in a list of the largest values; NaN comes last. */
static bool is_larger(double a, double b) { return a > b || (isnan(b) && !isnan(a)); }

/* The numbers of the `top` largest values, the largest first, equal ones by their number; *kept: how many they are. To
   be freed. */
static size_t *largest(OH_NN_DataType type, const void *data, size_t elements, size_t top, size_t *kept) {
    size_t *best = (size_t *)allocate((top + 1) * sizeof(size_t));
    *kept = 0;
    for (size_t e = 0; e < elements; e++) {
        size_t at = *kept;
        while (at > 0 && is_larger(element(type, data, e), element(type, data, best[at - 1]))) {
            best[at] = best[at - 1]; /* best[top] is the one that falls out */
            at--;
        }
        best[at] = e;
        if (*kept < top) ++*kept;
    }
    return best;
}

/* Names of classes: the lines of a file. */
typedef struct labels {
    const char *path; /* NULL: none were given */
    char *text;       /* to be freed */
    char **lines;     /* to be freed */
    size_t count;
} labels;

enum {
    LABELS_SIZE = 4 * 1024 * 1024
};

static void free_labels(labels *l) {
    free(l->text);
    free(l->lines);
}

/* l is to be freed, whatever comes back. */
static int read_labels(const char *path, labels *l) {
    FILE *file = NULL;
    memset(l, 0, sizeof(*l));
    l->path = path;
    if (path == NULL) return TOOL_OK;
    int result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    l->text = (char *)allocate(LABELS_SIZE + 1);
    const size_t size = fread(l->text, 1, LABELS_SIZE, file);
    if (ferror(file)) result = complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
    else if (getc(file) != EOF) result = complain(TOOL_FILE, "%s: is larger than 4 MiB, no list of names", path);
    fclose(file);
    if (result != TOOL_OK) return result;
    for (size_t i = 0; i < size; i++) l->count += l->text[i] == '\n' ? 1 : 0;
    l->lines = (char **)allocate((l->count + 1) * sizeof(char *));
    l->count = 0;
    for (char *line = l->text; line < l->text + size;) {
        char *end = (char *)memchr(line, '\n', (size_t)(l->text + size - line));
        if (end == NULL) end = l->text + size;
        l->lines[l->count++] = line;
        *end = '\0';
        if (end > line && end[-1] == '\r') end[-1] = '\0';
        clean(line);
        line = end + 1;
    }
    return TOOL_OK;
}

/* Says when there are fewer names than classes: they are likely to be those of another model. */
static void compare_labels(const labels *l, size_t output, size_t elements) {
    if (l->path != NULL && l->count < elements)
        complain(TOOL_OK, "%s: has %zu name%s, output %zu has %zu values", l->path, l->count, l->count == 1 ? "" : "s",
                 output, elements);
}

/* The name of class i; NULL: it has none. */
static const char *label_of(const labels *l, size_t i) { return i < l->count ? l->lines[i] : NULL; }

/* Prints the `top` largest values of output i. */
static int print_top(const session *s, size_t i, size_t top, const labels *names) {
    const void *data = OH_NNTensor_GetDataBuffer(s->outputs[i]);
    const NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(s->outputs[i]);
    char text[SHAPE_TEXT];
    const char *name = NULL;
    int32_t *dims = NULL;
    size_t rank = 0, elements = 0, bytes = 0, kept = 0;
    double scale = 0.0;
    int32_t zero_point = 0;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    const int result = tensor_facts(s->outputs[i], &type, &elements, &bytes);
    if (result != TOOL_OK) return result;
    OH_NN_ReturnCode code = nnrt_executor_get_output_quant(s->executor, i, &scale, &zero_point);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetName(desc, &name);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(desc, &dims, &rank);
    if (code != OH_NN_SUCCESS) return refused("describe an output", code);
    compare_labels(names, i, elements);
    size_t *best = largest(type, data, elements, top, &kept);
    table t = table_begin("rrrl");
    char *heading = (char *)allocate(strlen(name) + 1);
    strcpy(heading, name);
    clean(heading);
    printf("output %zu  %s  %s %s\n", i, heading, type_name(type), shape_text(text, dims, rank));
    cell(&t, "class");
    cell(&t, "value");
    cell(&t, "%s", scale > 0.0 ? "stored" : "");
    cell(&t, "%s", names->count > 0 ? "name" : "");
    for (size_t k = 0; k < kept; k++) {
        const double stored = element(type, data, best[k]);
        cell(&t, "%zu", best[k]);
        cell(&t, "%.6g", scale > 0.0 ? scale * (stored - zero_point) : stored);
        if (scale > 0.0) cell(&t, "%.0f", stored);
        else cell(&t, "%s", "");
        cell(&t, "%s", label_of(names, best[k]) != NULL ? label_of(names, best[k]) : "");
    }
    table_end(&t);
    free(heading);
    free(best);
    return TOOL_OK;
}

/* The `top` largest values of output i; a value that is no number is null. */
static int json_top(json *j, const session *s, size_t i, size_t top, const labels *names) {
    const void *data = OH_NNTensor_GetDataBuffer(s->outputs[i]);
    size_t elements = 0, bytes = 0, kept = 0;
    double scale = 0.0;
    int32_t zero_point = 0;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    const int result = tensor_facts(s->outputs[i], &type, &elements, &bytes);
    if (result != TOOL_OK) return result;
    const OH_NN_ReturnCode code = nnrt_executor_get_output_quant(s->executor, i, &scale, &zero_point);
    if (code != OH_NN_SUCCESS) return refused("ask how an output is quantized", code);
    compare_labels(names, i, elements);
    size_t *best = largest(type, data, elements, top, &kept);
    json_open(j, NULL, '[');
    for (size_t k = 0; k < kept; k++) {
        const double stored = element(type, data, best[k]);
        json_open(j, NULL, '{');
        json_unsigned(j, "class", best[k]);
        json_number(j, "value", scale > 0.0 ? scale * (stored - zero_point) : stored);
        json_number(j, "stored", stored);
        if (names->count == 0) json_null(j, "label");
        else json_string(j, "label", label_of(names, best[k]) != NULL ? label_of(names, best[k]) : "");
        json_close(j, '}');
    }
    json_close(j, ']');
    free(best);
    return TOOL_OK;
}

/* ------------------------------------------------------------------------------------------ expected outputs */

/* What was expected of each output, and how far it is from that. */
typedef struct expectation {
    npy_form form;
    difference d;
} expectation;

/* Reads the file of --expect for output i and compares. */
static int expect_output(const arguments *a, const session *s, size_t i, expectation *e) {
    const void *data = OH_NNTensor_GetDataBuffer(s->outputs[i]);
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t elements = 0, bytes = 0;
    int result = tensor_form(s->outputs[i], &e->form);
    if (result == TOOL_OK) result = tensor_facts(s->outputs[i], &type, &elements, &bytes);
    if (result != TOOL_OK) return result;
    void *wanted = allocate(bytes);
    result = load_tensor(s->outputs[i], a->expected[i], "output", wanted, bytes);
    if (result == TOOL_OK) {
        const tensor_values expected = values_of(type, wanted, elements), got = values_of(type, data, elements);
        e->d = compare_values(&expected, &got, a->has_tolerance ? a->tolerance : default_tolerance(&expected));
    }
    free(wanted);
    return result;
}

/* Of every output; to be freed. NULL: nothing is expected, or *result says what went wrong. */
static expectation *expect_outputs(const arguments *a, const session *s, int *result) {
    if (a->expected_count == 0) return NULL;
    expectation *all = (expectation *)allocate(s->output_count * sizeof(*all));
    for (size_t i = 0; i < s->output_count && *result == TOOL_OK; i++) *result = expect_output(a, s, i, &all[i]);
    if (*result == TOOL_OK) return all;
    free(all);
    return NULL;
}

static void print_expectations(const session *s, const expectation *all) {
    table t = table_begin("lrrrrlrr");
    add_difference_row(&t, NULL, NULL, NULL);
    for (size_t i = 0; i < s->output_count; i++) {
        char title[64];
        snprintf(title, sizeof(title), "output %zu", i);
        add_difference_row(&t, title, &all[i].form, &all[i].d);
    }
    table_end(&t);
}

static void json_expectations(json *j, const arguments *a, const session *s, const expectation *all) {
    if (all == NULL) {
        json_null(j, "compared");
        return;
    }
    json_open(j, "compared", '[');
    for (size_t i = 0; i < s->output_count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "file", a->expected[i]);
        json_difference(j, &all[i].form, &all[i].d);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* TOOL_REFUSED, with a sentence for the first that is not, unless all outputs are as expected. */
static int as_expected(const arguments *a, const session *s, const expectation *all) {
    for (size_t i = 0; all != NULL && i < s->output_count; i++)
        if (all[i].d.beyond > 0)
            return complain(TOOL_REFUSED,
                            "output %zu: %zu of %zu elements differ from %s by more than %.6g, at most by %.6g", i,
                            all[i].d.beyond, all[i].d.elements, a->expected[i], all[i].d.tolerance, all[i].d.max_error);
    return TOOL_OK;
}

static int run_json(const arguments *a, session *s, double run_ms, const expectation *expected, const labels *names) {
    json j;
    int result = TOOL_OK;
    json_begin(&j, "run");
    json_identity(&j, a, s);
    json_time(&j, "load_ms", s->load_ms, 6);
    json_open(&j, "run_ms", '{');
    json_time(&j, "only", run_ms, 6);
    json_close(&j, '}');
    json_open(&j, "top", '[');
    for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++)
        result = json_top(&j, s, i, a->top == 0 ? (size_t)DEFAULT_TOP : a->top, names);
    json_close(&j, ']');
    json_expectations(&j, a, s, expected);
    return json_end(&j, result == TOOL_OK ? json_session(&j, s, NULL) : result);
}

/* Writes output i beside its destination: raw, or as .npy where the name says so. */
static int write_output(output_file *file, const char *path, const session *s, size_t i) {
    const void *data = OH_NNTensor_GetDataBuffer(s->outputs[i]);
    npy_form form;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t elements = 0, bytes = 0;
    int result = tensor_facts(s->outputs[i], &type, &elements, &bytes);
    if (result != TOOL_OK || !is_npy(path)) return result == TOOL_OK ? output_write(file, path, data, bytes) : result;
    result = tensor_form(s->outputs[i], &form);
    return result == TOOL_OK ? write_npy(file, path, &form, data, bytes) : result;
}

/* Writes every output beside its destination first, then moves them all: a failure leaves the old files. */
static int write_outputs(const arguments *a, const session *s) {
    output_file files[MAX_TENSORS];
    int result = TOOL_OK;
    size_t written = 0;
    while (written < a->output_count && result == TOOL_OK) {
        result = write_output(&files[written], a->outputs[written], s, written);
        if (result == TOOL_OK) written++;
    }
    for (size_t i = 0; i < written; i++) {
        if (result == TOOL_OK) result = output_commit(&files[i]);
        else output_discard(&files[i]);
    }
    return result;
}

/* What is printed of the outputs: all of it as JSON, or how far they are from what was expected, or their largest
   values. */
static int tell_outputs(const arguments *a, session *s, double run_ms, const expectation *expected,
                        const labels *names) {
    int result = TOOL_OK;
    if (a->json) return run_json(a, s, run_ms, expected, names);
    if (is_quiet(a)) return result;
    if (expected != NULL) print_expectations(s, expected);
    if (a->top == 0 && names->count == 0 && (a->output_count > 0 || a->dump != NULL || expected != NULL)) return result;
    for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++)
        result = print_top(s, i, a->top == 0 ? (size_t)DEFAULT_TOP : a->top, names);
    return result;
}

static int dump_files(const arguments *a, session *s) {
    dump d;
    int result = dump_collect(&d, s);
    if (result == TOOL_OK) result = dump_write(&d, a, s, a->dump);
    dump_free(&d);
    return result;
}

static int run_files(const arguments *a, session *s, const labels *names) {
    int result = make_tensors(s);
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) result = load_input(a, s, i);
    const double start = now_ms();
    if (result == TOOL_OK) result = run_once(s);
    const double run_ms = now_ms() - start;
    if (result == TOOL_OK && a->output_count > 0) result = write_outputs(a, s);
    if (result == TOOL_OK && a->dump != NULL) result = dump_files(a, s);
    if (result != TOOL_OK) return result;
    expectation *expected = expect_outputs(a, s, &result);
    if (result == TOOL_OK) result = tell_outputs(a, s, run_ms, expected, names);
    if (result == TOOL_OK) result = as_expected(a, s, expected);
    free(expected);
    return result;
}

/* That the files are as many as the tensors. */
static int check_counts(const arguments *a, const session *s) {
    if (a->input_count != s->input_count)
        return complain(TOOL_USAGE, "run: the model has %zu input(s), --input names %zu file(s)", s->input_count,
                        a->input_count);
    if (a->output_count != 0 && a->output_count != s->output_count)
        return complain(TOOL_USAGE, "run: the model has %zu output(s), --output names %zu file(s)", s->output_count,
                        a->output_count);
    if (a->expected_count != 0 && a->expected_count != s->output_count)
        return complain(TOOL_USAGE, "run: the model has %zu output(s), --expect names %zu file(s)", s->output_count,
                        a->expected_count);
    return TOOL_OK;
}

static int command_run(const arguments *a) {
    session s;
    labels names;
    int result = read_labels(a->labels, &names);
    if (result == TOOL_OK) {
        result = session_open(&s, &a->build);
        if (result == TOOL_OK) result = check_counts(a, &s);
        if (result == TOOL_OK) result = run_files(a, &s, &names);
        session_close(&s);
    }
    free_labels(&names);
    return result;
}

#endif /* NNRT_TOOLS_COMMAND_RUN_H */
