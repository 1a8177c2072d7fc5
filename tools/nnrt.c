/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.c - the command line tool: lists devices, inspects, runs, times and compiles models.

       make tool
       build/nnrt help

   It uses the public API only (OH_NN*, NN_*, nnrt_*), so it is also the largest example of it, and everything
   it does an application can do. docs/tool.md shows each command. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "tool_text.h"

#include "tool_files.h"
#include "tool_model.h"

#include <sys/resource.h>

enum {
    FOR_DEVICES = 1,
    FOR_INSPECT = 2,
    FOR_RUN = 4,
    FOR_BENCH = 8,
    FOR_COMPILE = 16,
    FOR_MODELS = 30
};
enum {
    MAX_RUNS = 1000000,
    MAX_THREADS = 64, /* of the extension config nnrt.threads */
    MAX_TOP = 1000,
    DEFAULT_RUNS = 100,
    DEFAULT_WARMUP = 5,
    DEFAULT_TOP = 5
};

/* Everything that can stand on the command line. */
typedef struct arguments {
    build_options build;
    const char *inputs[MAX_TENSORS];
    const char *outputs[MAX_TENSORS];
    size_t input_count, output_count;
    const char *plan, *c_file;
    image_range range;
    size_t top; /* 0: not given */
    size_t runs, warmup;
    bool json;
} arguments;

/* ------------------------------------------------------------------------------------------------ devices */

static int command_devices(const arguments *a) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    nnrt_set_log(note_missing_device, &missing_devices);
    OH_NN_ReturnCode code = OH_NNDevice_GetAllDevicesID(&ids, &count);
    table t = table_begin("llll");
    (void)a;
    if (code != OH_NN_SUCCESS) return refused("list the devices", code);
    cell(&t, "id");
    cell(&t, "name");
    cell(&t, "type");
    cell(&t, "%s", "");
    for (uint32_t i = 0; i < count && code == OH_NN_SUCCESS; i++) {
        const char *name = NULL;
        OH_NN_DeviceType type = OH_NN_OTHERS;
        code = OH_NNDevice_GetName(ids[i], &name);
        if (code == OH_NN_SUCCESS) code = OH_NNDevice_GetType(ids[i], &type);
        cell(&t, "%zu", ids[i]);
        cell(&t, "%s", name == NULL ? "" : name);
        cell(&t, "%s", device_type_name(type));
        cell(&t, "%s", i == 0 ? "default" : "");
    }
    table_end(&t);
    for (size_t i = 0; i < missing_devices.count; i++) printf("%s  %s\n", i == 0 ? "\n" : "", missing_devices.lines[i]);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("describe a device", code);
}

/* ------------------------------------------------------------------------------------------------ inspect */

/* One row per tensor: number, name, type, shape, quantization, bytes. */
static int add_tensor_row(table *t, size_t index, const NN_TensorDesc *desc, double scale, int32_t zero_point) {
    char text[SHAPE_TEXT];
    const char *name = NULL;
    int32_t *dims = NULL;
    size_t rank = 0, bytes = 0;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetName(desc, &name);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetDataType(desc, &type);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(desc, &dims, &rank);
    if (code != OH_NN_SUCCESS) return refused("describe a tensor", code);
    cell(t, "%zu", index);
    cell(t, "%s", name == NULL ? "" : name);
    cell(t, "%s", type_name(type));
    cell(t, "%s", shape_text(text, dims, rank));
    if (scale > 0.0) cell(t, "scale %.9g, zero point %ld", scale, (long)zero_point);
    else cell(t, "not quantized");
    if (OH_NNTensorDesc_GetByteSize(desc, &bytes) == OH_NN_SUCCESS && bytes > 0) cell(t, "%zu B", bytes);
    else cell(t, "? B"); /* a dimension is unknown */
    return TOOL_OK;
}

static int print_inputs_and_outputs(const session *s) {
    table t = table_begin("rllllr");
    int result = TOOL_OK;
    printf("\ninputs\n");
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) {
        double scale = 0.0;
        int32_t zero_point = 0;
        const OH_NN_ReturnCode code = nnrt_executor_get_input_quant(s->executor, i, &scale, &zero_point);
        result = code == OH_NN_SUCCESS ? add_tensor_row(&t, i, s->input_descs[i], scale, zero_point)
                                       : refused("ask how an input is quantized", code);
    }
    table_end(&t);
    if (result != TOOL_OK) return result;
    printf("\noutputs\n");
    for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++) {
        double scale = 0.0;
        int32_t zero_point = 0;
        NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(s->executor, i);
        const OH_NN_ReturnCode code = nnrt_executor_get_output_quant(s->executor, i, &scale, &zero_point);
        result = desc == NULL            ? refused_object("describe an output")
                 : code == OH_NN_SUCCESS ? add_tensor_row(&t, i, desc, scale, zero_point)
                                         : refused("ask how an output is quantized", code);
        if (desc != NULL) OH_NNTensorDesc_Destroy(&desc);
    }
    table_end(&t);
    return result;
}

static void add_weights_kind(table *t, const nnrt_profile_step *step) {
    if (step->weight_scales == 0) cell(t, "-");
    else if (step->weight_scales == 1) cell(t, "per tensor");
    else cell(t, "per channel (%lu)", (unsigned long)step->weight_scales);
}

/* The operator that a step came from; the name of the step when the device does not tell one, as an NPU that runs a
   whole model at once. */
static const char *step_operator(const nnrt_profile_step *step) {
    return step->op != 0 ? operator_name(step->op) : step->name;
}

/* "-" for a layer of which the device does not tell the shape; a step of a graph always has one. */
static const char *step_shape(char text[SHAPE_TEXT], const nnrt_profile_step *step) {
    return step->op == 0 && step->rank == 0 ? "-" : shape_text(text, step->dims, step->rank);
}

static void print_step_table(const nnrt_profile_step *steps, uint32_t count) {
    static const char *const titles[] = {"step",  "operator",   "kernel",        "isa",     "output", "shape",
                                         "scale", "zero point", "weight scales", "weights", "MACs"};
    unsigned long long macs = 0, weights = 0;
    table t = table_begin("rlllllrrlrr");
    for (size_t i = 0; i < t.columns; i++) cell(&t, "%s", titles[i]);
    for (uint32_t i = 0; i < count; i++) {
        const nnrt_profile_step *step = &steps[i];
        char text[SHAPE_TEXT];
        cell(&t, "%lu", (unsigned long)i);
        cell(&t, "%s", step_operator(step));
        cell(&t, "%s", step->kernel);
        cell(&t, "%s", step->isa);
        cell(&t, "%s", type_name(step->dtype));
        cell(&t, "%s", step_shape(text, step));
        if (step->output_scale > 0.0) {
            cell(&t, "%.6g", step->output_scale);
            cell(&t, "%ld", (long)step->output_zero_point);
        } else {
            cell(&t, "-");
            cell(&t, "-");
        }
        add_weights_kind(&t, step);
        cell(&t, "%llu B", (unsigned long long)step->weights_bytes);
        cell(&t, "%llu", (unsigned long long)step->macs);
        macs += step->macs;
        weights += step->weights_bytes;
    }
    cell(&t, "%s", "");
    cell(&t, "total");
    for (size_t i = 2; i < 9; i++) cell(&t, "%s", "");
    cell(&t, "%llu B", weights);
    cell(&t, "%llu", macs);
    table_end(&t);
}

/* The steps, which a model with open shapes has only after a run. A device without a profile is no
   failure. */
static int print_steps(session *s) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt_executor_get_profile(s->executor, &steps, &count);
    if (code == OH_NN_DYNAMIC_SHAPE && s->shapes_known) {
        int result = make_tensors(s);
        if (result == TOOL_OK) result = run_once(s);
        if (result != TOOL_OK) return result;
        code = nnrt_executor_get_profile(s->executor, &steps, &count);
    }
    printf("\nsteps\n");
    if (code == OH_NN_SUCCESS) print_step_table(steps, count);
    else if (code == OH_NN_UNSUPPORTED) printf("  the device keeps no list of steps\n");
    else if (code == OH_NN_DYNAMIC_SHAPE) printf("  known when the input shapes are: give --shape\n");
    else return refused("ask for the steps", code);
    return TOOL_OK;
}

static int print_memory(const session *s) {
    nnrt_memory memory;
    table t = table_begin("lrl");
    const OH_NN_ReturnCode code = nnrt_executor_get_memory(s->executor, &memory);
    printf("\nmemory\n");
    if (code == OH_NN_UNSUPPORTED) printf("  the device gives no figures\n");
    if (code == OH_NN_UNSUPPORTED) return TOOL_OK;
    if (code != OH_NN_SUCCESS) return refused("ask for memory figures", code);
    static const char *const names[] = {"arena",    "bound", "scratch", "weights", "plan",
                                        "borrowed", "heap",  "device",  "build",   "state"};
    static const char *const meanings[] = {"activations and scratch of one executor",
                                           "what its fullest step needs: no arena of these steps is smaller",
                                           "part of the arena that kernels use while they run",
                                           "constants in the plan: weights, biases, tables",
                                           "whole plan, weights included",
                                           "of plan and weights, what is read in place from the file",
                                           "all that is allocated, arena included",
                                           "memory of an accelerator",
                                           "the most that was allocated at once while the model was built",
                                           "kept from run to run, as it was and as it will be; not in the arena"};
    const size_t sizes[] = {memory.arena_bytes,      memory.bound_bytes,    memory.scratch_bytes, memory.weights_bytes,
                            memory.plan_bytes,       memory.borrowed_bytes, memory.heap_bytes,    memory.device_bytes,
                            memory.build_peak_bytes, memory.state_bytes};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        cell(&t, "%s", names[i]);
        cell(&t, "%zu B", sizes[i]);
        cell(&t, "%s", meanings[i]);
    }
    table_end(&t);
    return TOOL_OK;
}

/* One fact, number appended to its name if there is one, when the device tells it. */
static void add_device_fact(table *t, const session *s, const char *name, const char *number) {
    char whole[128], text[1024];
    snprintf(whole, sizeof(whole), "%s%s", name, number);
    if (nnrt_executor_get_info(s->executor, whole, text, sizeof(text)) != OH_NN_SUCCESS || text[0] == '\0') return;
    add_fact(t, whole, text);
}

/* What the device tells in words about itself, the model and its tensors; devices that tell nothing print nothing. */
static void print_facts(const session *s) {
    const nnrt_fact *fact = NULL;
    table t = table_begin("ll");
    if (nnrt_device_get_facts(s->device, &fact) != OH_NN_SUCCESS) return;
    for (; fact->name != NULL; fact++) {
        const size_t count = fact->kind == NNRT_FACT_INPUT    ? s->input_count
                             : fact->kind == NNRT_FACT_OUTPUT ? s->output_count
                                                              : 0;
        if (fact->kind == NNRT_FACT_MODEL) add_device_fact(&t, s, fact->name, "");
        for (size_t i = 0; i < count; i++) {
            char number[24];
            snprintf(number, sizeof(number), "%zu", i);
            add_device_fact(&t, s, fact->name, number);
        }
    }
    if (t.count > 0) printf("\nfacts\n");
    table_end(&t);
}

static void print_identity(const arguments *a, const session *s) {
    table t = table_begin("ll");
    cell(&t, "model");
    cell(&t, "%s", a->build.model);
    cell(&t, "device");
    cell(&t, "%s", s->device_name);
    cell(&t, "library");
    cell(&t, "%s", nnrt_version());
    if (a->build.isa != NULL) {
        cell(&t, "isa");
        cell(&t, "%s", a->build.isa);
    }
    if (a->build.threads != NULL) {
        cell(&t, "threads");
        cell(&t, "%s", a->build.threads);
    }
    table_end(&t);
}

/* The file tells about itself first, and where its device is not here that is all: no failure, but said. */
static int inspect_file(const arguments *a, bool *finished) {
    model_file model;
    chosen_device device = {0, NULL};
    bool found = false;
    int result = print_file(a->build.model, &model);
    *finished = result != TOOL_OK;
    if (result != TOOL_OK || model.device == NULL) return result;
    printf("\n");
    if (a->build.device != NULL) return TOOL_OK;
    result = look_for_exactly(model.device, &device, &found);
    *finished = !found;
    if (result == TOOL_OK && *finished)
        printf("The rest needs device %s, which is not here: %s\n", model.device, why_missing(model.device));
    return result;
}

static int command_inspect(const arguments *a) {
    session s;
    bool finished = false;
    int result = inspect_file(a, &finished);
    if (finished) return result;
    result = session_open(&s, &a->build);
    if (result == TOOL_OK) {
        print_identity(a, &s);
        result = print_inputs_and_outputs(&s);
    }
    if (result == TOOL_OK) result = print_steps(&s);
    if (result == TOOL_OK) result = print_memory(&s);
    if (result == TOOL_OK) print_facts(&s);
    session_close(&s);
    return result;
}

/* ---------------------------------------------------------------------------------------------------- run */

/* What input i expects of an image. */
static int image_target_of(const session *s, size_t i, const char *path, image_target *target) {
    char text[SHAPE_TEXT];
    int32_t *dims = NULL;
    size_t rank = 0;
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetDataType(s->input_descs[i], &target->type);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(s->input_descs[i], &dims, &rank);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetFormat(s->input_descs[i], &format);
    if (code == OH_NN_SUCCESS)
        code = nnrt_executor_get_input_quant(s->executor, i, &target->scale, &target->zero_point);
    if (code != OH_NN_SUCCESS) return refused("describe an input", code);
    if (rank != 4 || dims[0] != 1 || (dims[3] != 1 && dims[3] != 3) || format == OH_NN_FORMAT_NCHW)
        return complain(TOOL_FILE, "%s: input %zu (%s) takes no image; that needs 1 x height x width x 1 or 3", path, i,
                        shape_text(text, dims, rank));
    if (target->type != OH_NN_INT8 && target->type != OH_NN_UINT8 && target->type != OH_NN_FLOAT32)
        return complain(TOOL_FILE, "%s: an image cannot become %s, the type of input %zu", path,
                        type_name(target->type), i);
    target->height = (size_t)dims[1];
    target->width = (size_t)dims[2];
    target->channels = (size_t)dims[3];
    return TOOL_OK;
}

static int load_input(const arguments *a, session *s, size_t i) {
    const char *path = a->inputs[i];
    void *data = OH_NNTensor_GetDataBuffer(s->inputs[i]);
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t elements = 0, bytes = 0;
    int result = tensor_facts(s->inputs[i], &type, &elements, &bytes);
    if (data == NULL) return refused_object("get at the memory of an input");
    if (result != TOOL_OK) return result;
    if (!is_image(path)) return read_raw(path, data, bytes);
    image_target target;
    memset(&target, 0, sizeof(target));
    target.range = a->range;
    result = image_target_of(s, i, path, &target);
    if (result == TOOL_OK) result = read_image(path, &target, data);
    if (result == TOOL_OK) printf("input %zu  %s  pixels as %s\n", i, path, range_text(&target));
    return result;
}

/* Whether a stands before b in a list of the largest values; NaN comes last. */
static bool is_larger(double a, double b) { return a > b || (isnan(b) && !isnan(a)); }

/* Prints the `top` largest values of output i, the largest first, equal ones by their number. */
static int print_top(const session *s, size_t i, size_t top) {
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
    size_t *best = (size_t *)allocate((top + 1) * sizeof(size_t));
    for (size_t e = 0; e < elements; e++) {
        size_t at = kept;
        while (at > 0 && is_larger(element(type, data, e), element(type, data, best[at - 1]))) {
            best[at] = best[at - 1]; /* best[top] is the one that falls out */
            at--;
        }
        best[at] = e;
        if (kept < top) kept++;
    }
    table t = table_begin("rrr");
    char *heading = (char *)allocate(strlen(name) + 1);
    strcpy(heading, name);
    clean(heading);
    printf("output %zu  %s  %s %s\n", i, heading, type_name(type), shape_text(text, dims, rank));
    cell(&t, "class");
    cell(&t, "value");
    cell(&t, "%s", scale > 0.0 ? "stored" : "");
    for (size_t k = 0; k < kept; k++) {
        const double stored = element(type, data, best[k]);
        cell(&t, "%zu", best[k]);
        cell(&t, "%.6g", scale > 0.0 ? scale * (stored - zero_point) : stored);
        if (scale > 0.0) cell(&t, "%.0f", stored);
        else cell(&t, "%s", "");
    }
    table_end(&t);
    free(heading);
    free(best);
    return TOOL_OK;
}

/* Writes every output beside its destination first, then moves them all: a failure leaves the old files. */
static int write_outputs(const arguments *a, const session *s) {
    output_file files[MAX_TENSORS];
    int result = TOOL_OK;
    size_t written = 0;
    while (written < a->output_count && result == TOOL_OK) {
        OH_NN_DataType type = OH_NN_UNKNOWN;
        size_t elements = 0, bytes = 0;
        result = tensor_facts(s->outputs[written], &type, &elements, &bytes);
        if (result == TOOL_OK)
            result = output_write(&files[written], a->outputs[written], OH_NNTensor_GetDataBuffer(s->outputs[written]),
                                  bytes);
        if (result == TOOL_OK) written++;
    }
    for (size_t i = 0; i < written; i++) {
        if (result == TOOL_OK) result = output_commit(&files[i]);
        else output_discard(&files[i]);
    }
    return result;
}

static int run_files(const arguments *a, session *s) {
    int result = make_tensors(s);
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) result = load_input(a, s, i);
    if (result == TOOL_OK) result = run_once(s);
    if (result == TOOL_OK && a->output_count > 0) result = write_outputs(a, s);
    if (a->top == 0 && a->output_count > 0) return result;
    for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++)
        result = print_top(s, i, a->top == 0 ? (size_t)DEFAULT_TOP : a->top);
    return result;
}

static int command_run(const arguments *a) {
    session s;
    int result = session_open(&s, &a->build);
    if (result == TOOL_OK && a->input_count != s.input_count)
        result = complain(TOOL_USAGE, "run: the model has %zu input(s), --input names %zu file(s)", s.input_count,
                          a->input_count);
    else if (result == TOOL_OK && a->output_count != 0 && a->output_count != s.output_count)
        result = complain(TOOL_USAGE, "run: the model has %zu output(s), --output names %zu file(s)", s.output_count,
                          a->output_count);
    if (result == TOOL_OK) result = run_files(a, &s);
    session_close(&s);
    return result;
}

/* -------------------------------------------------------------------------------------------------- bench */

typedef struct bench_result {
    double min, median, mean, p99; /* milliseconds */
    nnrt_memory memory;
    bool has_memory;
    long peak_rss_kib;
    const nnrt_profile_step *steps; /* NULL without --profile */
    uint32_t step_count;
} bench_result;

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

/* Sorts the times. p99 is the smallest time that 99 % of the runs do not exceed. */
static void summarise(double *times, size_t runs, bench_result *r) {
    double sum = 0.0;
    qsort(times, runs, sizeof(times[0]), compare_doubles);
    for (size_t i = 0; i < runs; i++) sum += times[i];
    r->min = times[0];
    r->median = (times[(runs - 1) / 2] + times[runs / 2]) / 2.0;
    r->mean = sum / (double)runs;
    r->p99 = times[(runs * 99 + 99) / 100 - 1];
}

static int measure(const arguments *a, session *s, bench_result *r) {
    uint64_t random = 20240229u; /* the seed of all inputs */
    int result = make_tensors(s);
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) {
        OH_NN_DataType type = OH_NN_UNKNOWN;
        size_t elements = 0, bytes = 0;
        result = tensor_facts(s->inputs[i], &type, &elements, &bytes);
        if (result == TOOL_OK) fill_random(type, OH_NNTensor_GetDataBuffer(s->inputs[i]), elements, &random);
    }
    for (size_t i = 0; i < a->warmup && result == TOOL_OK; i++) result = run_once(s);
    /* finds the size of the outputs */
    if (result == TOOL_OK && s->dynamic && a->warmup == 0) result = run_once(s);
    double *times = (double *)allocate(a->runs * sizeof(double));
    for (size_t i = 0; i < a->runs && result == TOOL_OK; i++) {
        const double start = now_ms();
        result = run_once(s);
        times[i] = now_ms() - start;
    }
    if (result == TOOL_OK) summarise(times, a->runs, r);
    free(times);
    return result;
}

/* Figures that are asked for after the runs. */
static int collect(const arguments *a, const session *s, bench_result *r) {
    struct rusage usage;
    OH_NN_ReturnCode code = nnrt_executor_get_memory(s->executor, &r->memory);
    r->has_memory = code == OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS && code != OH_NN_UNSUPPORTED) return refused("ask for memory figures", code);
    if (getrusage(RUSAGE_SELF, &usage) == 0) r->peak_rss_kib = usage.ru_maxrss;
    if (!a->build.profile) return TOOL_OK;
    code = nnrt_executor_get_profile(s->executor, &r->steps, &r->step_count);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("ask for the profile", code);
}

/* Mean time of a step in microseconds. The warm-up runs are in it. */
static double step_mean_us(const nnrt_profile_step *step) {
    return step->runs == 0 ? 0.0 : (double)step->total_ns / step->runs / 1e3;
}

static void print_profile(const bench_result *r, size_t device) {
    static const char *const titles[] = {"step", "operator", "kernel", "isa",   "output", "shape",
                                         "MACs", "min",      "mean",   "share", "GMAC/s", "copied"};
    double total = 0.0;
    OH_NN_DeviceType type = OH_NN_OTHERS;
    const bool copies = OH_NNDevice_GetType(device, &type) != OH_NN_SUCCESS || type != OH_NN_CPU;
    table t = table_begin(copies ? "rlllllrrrrrr" : "rlllllrrrrr"); /* a CPU works on the tensors themselves */
    for (uint32_t i = 0; i < r->step_count; i++) total += step_mean_us(&r->steps[i]);
    for (size_t i = 0; i < t.columns; i++) cell(&t, "%s", titles[i]);
    for (uint32_t i = 0; i < r->step_count; i++) {
        const nnrt_profile_step *step = &r->steps[i];
        const double mean = step_mean_us(step);
        char text[SHAPE_TEXT];
        cell(&t, "%lu", (unsigned long)i);
        cell(&t, "%s", step_operator(step));
        cell(&t, "%s", step->kernel);
        cell(&t, "%s", step->isa);
        cell(&t, "%s", type_name(step->dtype));
        cell(&t, "%s", step_shape(text, step));
        cell(&t, "%llu", (unsigned long long)step->macs);
        cell(&t, "%.1f us", (double)step->min_ns / 1e3);
        cell(&t, "%.1f us", mean);
        cell(&t, "%.1f %%", total > 0.0 ? 100.0 * mean / total : 0.0);
        if (step->macs > 0 && mean > 0.0) cell(&t, "%.2f", (double)step->macs / mean / 1e3);
        else cell(&t, "-");
        if (copies) cell(&t, "%llu B", (unsigned long long)step->copied_bytes);
    }
    printf("\nsteps (means over all runs, those to warm up included)\n");
    table_end(&t);
}

static void print_bench(const arguments *a, const session *s, const bench_result *r) {
    static const char *const names[] = {"load", "run, min", "run, median", "run, mean", "run, p99"};
    const double times[] = {s->load_ms, r->min, r->median, r->mean, r->p99};
    table t = table_begin("lrl");
    print_identity(a, s);
    printf("\n");
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        cell(&t, "%s", names[i]);
        cell(&t, "%.4f ms", times[i]);
        if (i == 0) cell(&t, "from the file to the ready executor");
        else if (i == 1) cell(&t, "%zu runs after %zu to warm up", a->runs, a->warmup);
        else cell(&t, "%s", "");
    }
    if (r->has_memory) {
        cell(&t, "arena");
        cell(&t, "%zu B", r->memory.arena_bytes);
        cell(&t, "activations and scratch of one executor");
        cell(&t, "weights");
        cell(&t, "%zu B", r->memory.weights_bytes);
        cell(&t, "constants in the plan");
        if (r->memory.device_bytes > 0) {
            cell(&t, "device");
            cell(&t, "%zu B", r->memory.device_bytes);
            cell(&t, "memory of the accelerator");
        }
    }
    cell(&t, "peak RSS");
    cell(&t, "%ld KiB", r->peak_rss_kib);
    cell(&t, "whole process, this tool included");
    table_end(&t);
    if (r->steps != NULL) print_profile(r, s->device);
}

static void print_json_step(const nnrt_profile_step *step) {
    printf("    {\"name\": ");
    print_json(step->name);
    printf(", \"operator\": ");
    print_json(operator_name(step->op));
    printf(", \"kernel\": ");
    print_json(step->kernel);
    printf(", \"isa\": ");
    print_json(step->isa);
    printf(", \"type\": \"%s\", \"shape\": [", type_name(step->dtype));
    for (uint32_t d = 0; d < step->rank && d < NNRT_MAX_RANK; d++)
        printf("%s%ld", d == 0 ? "" : ", ", (long)step->dims[d]);
    printf("], \"macs\": %llu, \"weights_bytes\": %llu, \"runs\": %lu, \"min_us\": %.3f, \"mean_us\": %.3f, "
           "\"copied_bytes\": %llu}",
           (unsigned long long)step->macs, (unsigned long long)step->weights_bytes, (unsigned long)step->runs,
           (double)step->min_ns / 1e3, step_mean_us(step), (unsigned long long)step->copied_bytes);
}

static void print_bench_json(const arguments *a, const session *s, const bench_result *r) {
    printf("{\n  \"model\": ");
    print_json(a->build.model);
    printf(",\n  \"device\": ");
    print_json(s->device_name);
    printf(",\n  \"library\": ");
    print_json(nnrt_version());
    printf(",\n  \"isa\": ");
    if (a->build.isa != NULL) print_json(a->build.isa);
    else printf("null"); /* left to the library */
    printf(",\n  \"threads\": ");
    if (a->build.threads != NULL) printf("%lu", strtoul(a->build.threads, NULL, 10)); /* JSON has no 02 */
    else printf("null");
    printf(",\n  \"runs\": %zu,\n  \"warmup\": %zu,\n  \"load_ms\": %.6f", a->runs, a->warmup, s->load_ms);
    printf(",\n  \"run_ms\": {\"min\": %.6f, \"median\": %.6f, \"mean\": %.6f, \"p99\": %.6f}", r->min, r->median,
           r->mean, r->p99);
    if (r->has_memory)
        printf(",\n  \"memory\": {\"arena_bytes\": %zu, \"bound_bytes\": %zu, \"scratch_bytes\": %zu, "
               "\"weights_bytes\": %zu, "
               "\"plan_bytes\": %zu, \"borrowed_bytes\": %zu, \"heap_bytes\": %zu, \"device_bytes\": %zu, "
               "\"build_peak_bytes\": %zu, \"state_bytes\": %zu}",
               r->memory.arena_bytes, r->memory.bound_bytes, r->memory.scratch_bytes, r->memory.weights_bytes,
               r->memory.plan_bytes, r->memory.borrowed_bytes, r->memory.heap_bytes, r->memory.device_bytes,
               r->memory.build_peak_bytes, r->memory.state_bytes);
    printf(",\n  \"peak_rss_bytes\": %lld", (long long)r->peak_rss_kib * 1024);
    if (r->steps != NULL) {
        printf(",\n  \"steps\": [\n");
        for (uint32_t i = 0; i < r->step_count; i++) {
            print_json_step(&r->steps[i]);
            printf(i + 1 < r->step_count ? ",\n" : "\n");
        }
        printf("  ]");
    }
    printf("\n}\n");
}

static int command_bench(const arguments *a) {
    session s;
    bench_result r;
    memset(&r, 0, sizeof(r));
    int result = session_open(&s, &a->build);
    if (result == TOOL_OK) result = measure(a, &s, &r);
    if (result == TOOL_OK) result = collect(a, &s, &r);
    if (result == TOOL_OK && a->json) print_bench_json(a, &s, &r);
    else if (result == TOOL_OK) print_bench(a, &s, &r);
    session_close(&s);
    return result;
}

/* ------------------------------------------------------------------------------------------------ compile */

/* The plan of a built compilation, to be freed. */
static int export_plan(session *s, const char *model, uint8_t **plan, size_t *size) {
    uint8_t nothing = 0; /* the library wants a buffer even when only the size is asked for */
    size_t written = 0;
    *size = 0;
    OH_NN_ReturnCode code = OH_NNCompilation_ExportCacheToBuffer(s->compilation, &nothing, 1, size);
    if (*size <= 1 || (code != OH_NN_SUCCESS && code != OH_NN_INVALID_PARAMETER)) return refused(model, code);
    *plan = (uint8_t *)allocate(*size);
    code = OH_NNCompilation_ExportCacheToBuffer(s->compilation, *plan, *size, &written);
    if (code == OH_NN_SUCCESS && written <= *size) {
        *size = written;
        return TOOL_OK;
    }
    free(*plan);
    *plan = NULL;
    return refused(model, code);
}

/* A text that grows; never without its ending 0. */
typedef struct text_buffer {
    char *data;
    size_t size, capacity;
} text_buffer;

static void text_add(text_buffer *text, const char *format, ...) {
    va_list values;
    size_t added;
    if (text->capacity - text->size < 4096) {
        char *data = (char *)allocate(2 * text->capacity + 8192);
        if (text->data != NULL) memcpy(data, text->data, text->size + 1);
        free(text->data);
        text->data = data;
        text->capacity = 2 * text->capacity + 8192;
    }
    va_start(values, format);
    added = (size_t)vsnprintf(text->data + text->size, text->capacity - text->size, format, values);
    va_end(values);
    text->size += added; /* names and numbers: far below 4096 */
}

/* What a C file is called without folder and ending, as an identifier: at most 63 characters. */
static void c_name(const char *path, char name[64]) {
    const char *base = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    size_t i;
    for (i = 0; i < 63 && base[i] != '\0' && base[i] != '.'; i++) {
        const bool letter = (base[i] >= 'a' && base[i] <= 'z') || (base[i] >= 'A' && base[i] <= 'Z');
        name[i] = letter || (i > 0 && base[i] >= '0' && base[i] <= '9') ? base[i] : '_';
    }
    name[i] = '\0';
}

/* "armv8-dot" as NNRT_STEPS wants it: ARMV8_DOT. */
static void capitals(const char *from, char to[64]) {
    size_t i;
    for (i = 0; i < 63 && from[i] != '\0'; i++)
        to[i] = from[i] >= 'a' && from[i] <= 'z' ? (char)(from[i] - 'a' + 'A') : from[i] == '-' ? '_' : from[i];
    to[i] = '\0';
}

/* X(kind, LEVEL) of every step, each pair once, in the order in which they come first. */
static void add_steps(text_buffer *text, const char *upper, const nnrt_profile_step *steps, uint32_t count) {
    text_add(text, "#define %s_STEPS(X)", upper);
    for (uint32_t i = 0; i < count; i++) {
        char level[64];
        uint32_t k = 0;
        while (k < i && (strcmp(steps[k].kernel, steps[i].kernel) != 0 || strcmp(steps[k].isa, steps[i].isa) != 0)) k++;
        capitals(steps[i].isa, level);
        if (k == i) text_add(text, " \\\n    X(%s, %s)", steps[i].kernel, level);
    }
    text_add(text, "\n\n");
}

/* The plan as C. */
static int write_c_file(const arguments *a, session *s, const uint8_t *plan, size_t size) {
    text_buffer text = {NULL, 0, 0};
    output_file file;
    char name[64], upper[64];
    const nnrt_profile_step *steps = NULL;
    uint32_t step_count = 0;
    nnrt_memory memory;
    OH_NN_ReturnCode code;
    int result;
    s->executor = OH_NNExecutor_Construct(s->compilation);
    if (s->executor == NULL) return refused(a->build.model, OH_NN_FAILED);
    code = nnrt_executor_get_memory(s->executor, &memory);
    if (code == OH_NN_SUCCESS) code = nnrt_executor_get_profile(s->executor, &steps, &step_count);
    if (code != OH_NN_SUCCESS) return refused(a->build.model, code);
    c_name(a->c_file, name);
    capitals(name, upper);
    text_add(&text,
             "/* %s: the plan of a model, made by `nnrt compile --c`. Do not edit.\n\n"
             "   Before nnrt.h in the file that has NNRT_IMPLEMENTATION, with NNRT_PLANS_ONLY:\n"
             "       #define NNRT_STEPS(X) %s_STEPS(X)\n"
             "   %s is for OH_NNCompilation_ImportCacheFromBuffer and stays where it is, in flash;\n"
             "   %s_ARENA_BYTES bytes at a multiple of 64 are an arena for nnrt_executor_construct_in. */\n"
             "#ifndef %s_INCLUDED\n#define %s_INCLUDED\n\n"
             "#define %s_BYTES %zuu\n"
             "#define %s_ARENA_BYTES %zuu\n\n",
             name, upper, name, upper, upper, upper, upper, size, upper, memory.arena_bytes);
    add_steps(&text, upper, steps, step_count);
    text_add(&text,
             "#if defined(__GNUC__) || defined(__clang__)\n__attribute__((aligned(64)))\n#endif\n"
             "static const unsigned char %s[%s_BYTES] = {",
             name, upper);
    for (size_t i = 0; i < size; i++) text_add(&text, "%s%u,", i % 24 == 0 ? "\n    " : "", (unsigned)plan[i]);
    text_add(&text, "\n};\n\n#endif\n");
    result = output_write(&file, a->c_file, text.data, text.size);
    if (result == TOOL_OK) result = output_commit(&file);
    free(text.data);
    return result;
}

static int command_compile(const arguments *a) {
    session s;
    output_file file;
    uint8_t *plan = NULL;
    size_t size = 0;
    int result = session_build(&s, &a->build);
    if (result == TOOL_OK) result = export_plan(&s, a->build.model, &plan, &size);
    if (result == TOOL_OK && a->plan != NULL) {
        result = output_write(&file, a->plan, plan, size);
        if (result == TOOL_OK) result = output_commit(&file);
    }
    if (result == TOOL_OK && a->c_file != NULL) result = write_c_file(a, &s, plan, size);
    if (result == TOOL_OK) {
        table t = table_begin("ll");
        cell(&t, "plan");
        cell(&t, "%s", a->plan != NULL ? a->plan : a->c_file);
        cell(&t, "size");
        cell(&t, "%zu B", size);
        cell(&t, "device");
        cell(&t, "%s", s.device_name);
        table_end(&t);
    }
    free(plan);
    session_close(&s);
    return result;
}

/* --------------------------------------------------------------------------------------- the command line */

typedef struct command {
    const char *name;
    unsigned bit; /* FOR_* */
    int (*run)(const arguments *a);
    const char *synopsis;
    const char *help; /* below the synopsis */
} command;

#define BUILD_HELP                                                                                        \
    "  --device NAME       device to build for: its name or a beginning that only it has. Default: the\n" \
    "                      one that the file is for, by what the file begins with\n"                      \
    "  --performance MODE  low, medium, high or extreme\n"                                                \
    "  --threads N         threads of the CPU device\n"                                                   \
    "  --isa LEVEL         instruction set of the CPU device: scalar, neon, sse41, avx2 ...\n"            \
    "  --config NAME=VALUE extension config of the device, nnrt.passes=none for example; may be repeated\n"

#define SHAPE_HELP "  --shape I=1x96x96x3 shape of input I (counted from 0) where the model leaves it open\n"

static const command commands[] = {
    {"devices", FOR_DEVICES, command_devices, "nnrt devices",
     "Lists the devices of this build on this machine, the default of the library first, and says why one that was\n"
     "built in is missing.\n"},
    {"inspect", FOR_INSPECT, command_inspect, "nnrt inspect MODEL [OPTION...]",
     "Prints inputs, outputs, the compiled steps with their weights and multiply-accumulates (MACs), memory, and\n"
     "what the device tells. What the file tells about itself comes first, and without the device it is for, "
     "too.\n\n" BUILD_HELP SHAPE_HELP},
    {"run", FOR_RUN, command_run, "nnrt run MODEL --input FILE... [--output FILE...] [OPTION...]",
     "Runs the model once. Files hold raw tensors (row-major, little-endian) in the order of the model's "
     "inputs\n"
     "and outputs. An input may be an 8-bit binary .pgm or .ppm of the size of an input 1 x height x width x "
     "1\n"
     "or 3; grey and RGB are converted. Without --output the largest values of each output are printed.\n\n"
     "  --input FILE...     one file per input\n"
     "  --output FILE...    one file per output; replaced only when all of them could be written\n"
     "  --top K             print the K largest values of each output, dequantized (default 5)\n"
     "  --image-range R     real values of black and white: 0..1, -1..1 or 0..255. Default: what the scale\n"
     "                      and zero point of the input cover, 0..1 for float; uint8 inputs get them as "
     "stored\n" BUILD_HELP SHAPE_HELP},
    {"bench", FOR_BENCH, command_bench, "nnrt bench MODEL [OPTION...]",
     "Times runs on random inputs that are the same every time, and shows memory.\n\n"
     "  --runs N            timed runs (default 100)\n"
     "  --warmup N          runs before them (default 5)\n"
     "  --profile           time each step, too; costs a little time itself\n"
     "  --json              print one JSON object\n" BUILD_HELP SHAPE_HELP},
    {"compile", FOR_COMPILE, command_compile, "nnrt compile MODEL [-o PLAN] [--c FILE] [OPTION...]",
     "Writes the plan: the model compiled for the device, which loads without being compiled again. A plan "
     "is\n"
     "accepted wherever a model is.\n\n"
     "  -o, --output PLAN   file to write; replaced only when the plan is whole\n"
     "  --c FILE            C file to write: the plan as a constant array, its arena's size, the steps that it needs\n"
     "                      (NNRT_STEPS), named after the file\n"
     "  --target NAME       compile for this instruction set of any processor; ? lists them\n" BUILD_HELP}};

enum {
    COMMAND_COUNT = sizeof(commands) / sizeof(commands[0])
};

typedef enum option_id {
    OPTION_DEVICE,
    OPTION_PERFORMANCE,
    OPTION_THREADS,
    OPTION_ISA,
    OPTION_SHAPE,
    OPTION_INPUT,
    OPTION_OUTPUT,
    OPTION_PLAN,
    OPTION_C,
    OPTION_TARGET,
    OPTION_TOP,
    OPTION_RANGE,
    OPTION_RUNS,
    OPTION_WARMUP,
    OPTION_PROFILE,
    OPTION_JSON,
    OPTION_CONFIG
} option_id;

typedef struct option {
    const char *name;
    option_id id;
    unsigned commands; /* FOR_* that know it */
    char kind;         /* 'f' flag, 'v' one value, 'l' a list of values up to the next option */
} option;

static const option options[] = {{"--device", OPTION_DEVICE, FOR_MODELS, 'v'},
                                 {"--performance", OPTION_PERFORMANCE, FOR_MODELS, 'v'},
                                 {"--threads", OPTION_THREADS, FOR_MODELS, 'v'},
                                 {"--isa", OPTION_ISA, FOR_MODELS, 'v'},
                                 {"--config", OPTION_CONFIG, FOR_MODELS, 'v'},
                                 {"--shape", OPTION_SHAPE, FOR_INSPECT | FOR_RUN | FOR_BENCH, 'v'},
                                 {"--input", OPTION_INPUT, FOR_RUN, 'l'},
                                 {"--output", OPTION_OUTPUT, FOR_RUN, 'l'},
                                 {"--output", OPTION_PLAN, FOR_COMPILE, 'v'},
                                 {"-o", OPTION_PLAN, FOR_COMPILE, 'v'},
                                 {"--c", OPTION_C, FOR_COMPILE, 'v'},
                                 {"--target", OPTION_TARGET, FOR_COMPILE, 'v'},
                                 {"--top", OPTION_TOP, FOR_RUN, 'v'},
                                 {"--image-range", OPTION_RANGE, FOR_RUN, 'v'},
                                 {"--runs", OPTION_RUNS, FOR_BENCH, 'v'},
                                 {"--warmup", OPTION_WARMUP, FOR_BENCH, 'v'},
                                 {"--profile", OPTION_PROFILE, FOR_BENCH, 'f'},
                                 {"--json", OPTION_JSON, FOR_BENCH, 'f'}};

static void print_help(FILE *file) {
    fprintf(file, "nnrt: runs neural networks through OpenHarmony's OH_NN* API.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(file, "  %s\n", commands[i].synopsis);
    fprintf(
        file,
        "  nnrt help [COMMAND]\n  nnrt --version\n\n"
        "MODEL is a model file that a device of this build knows (.tflite for the CPU, what the vendor's converter\n"
        "writes for an NPU) or a plan made by compile.\n"
        "Exit codes: 0 success, 1 the library refused, 2 wrong usage, 3 a file cannot be read or\n"
        "written, or does not have the size that the model needs.\n");
}

static int print_command_help(const command *c) {
    printf("usage: %s\n\n%s", c->synopsis, c->help);
    return TOOL_OK;
}

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

/* A decimal number from low to high with nothing behind it; *end (when not NULL) takes what is behind it
   instead. */
static bool parse_number(const char *text, size_t low, size_t high, const char **end, size_t *number) {
    size_t value = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9' && value <= high; p++) {
        if (value > (SIZE_MAX - 9) / 10) return false;
        value = 10 * value + (size_t)(*p - '0');
    }
    if (p == text || value < low || value > high || (end == NULL && *p != '\0')) return false;
    if (end != NULL) *end = p;
    *number = value;
    return true;
}

/* "INDEX=1x96x96x3" */
static bool parse_shape(const char *text, build_options *build_to) {
    input_shape shape;
    size_t index = 0, dim = 0;
    const char *p = text;
    shape.rank = 0;
    if (!parse_number(p, 0, MAX_TENSORS - 1, &p, &index) || *p != '=') return false;
    do {
        if (shape.rank == NNRT_MAX_RANK || !parse_number(p + 1, 1, INT32_MAX, &p, &dim)) return false;
        shape.dims[shape.rank++] = (int32_t)dim;
    } while (*p == 'x');
    build_to->shapes[index] = shape;
    return *p == '\0';
}

/* "NAME=VALUE" */
static bool parse_config(const char *text, build_options *build_to) {
    const char *equals = strchr(text, '=');
    config_option *config = &build_to->configs[build_to->config_count];
    if (equals == NULL || equals == text || equals - text >= CONFIG_NAME || build_to->config_count == MAX_CONFIGS)
        return false;
    memset(config->name, 0, sizeof(config->name));
    memcpy(config->name, text, (size_t)(equals - text));
    config->value = equals + 1;
    build_to->config_count++;
    return true;
}

static bool parse_performance(const char *text, OH_NN_PerformanceMode *mode) {
    static const char *const names[] = {"low", "medium", "high", "extreme"};
    static const OH_NN_PerformanceMode modes[] = {OH_NN_PERFORMANCE_LOW, OH_NN_PERFORMANCE_MEDIUM,
                                                  OH_NN_PERFORMANCE_HIGH, OH_NN_PERFORMANCE_EXTREME};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *mode = modes[i];
        return true;
    }
    return false;
}

static bool parse_range(const char *text, image_range *range) {
    *range = strcmp(text, "0..1") == 0     ? RANGE_0_1
             : strcmp(text, "-1..1") == 0  ? RANGE_M1_1
             : strcmp(text, "0..255") == 0 ? RANGE_0_255
                                           : RANGE_AUTO;
    return *range != RANGE_AUTO;
}

/* Puts one value in its place; false when it is none of those that the option takes. */
static bool take_value(arguments *a, option_id id, const char *value) {
    size_t number = 0;
    switch (id) {
    case OPTION_DEVICE: a->build.device = value; return true;
    case OPTION_PERFORMANCE: return parse_performance(value, &a->build.performance);
    case OPTION_THREADS: a->build.threads = value; return parse_number(value, 1, MAX_THREADS, NULL, &number);
    case OPTION_ISA: a->build.isa = value; return *value != '\0';
    case OPTION_SHAPE: return parse_shape(value, &a->build);
    case OPTION_CONFIG: return parse_config(value, &a->build);
    case OPTION_INPUT:
        if (a->input_count == MAX_TENSORS) return false;
        a->inputs[a->input_count++] = value;
        return true;
    case OPTION_OUTPUT:
        if (a->output_count == MAX_TENSORS) return false;
        a->outputs[a->output_count++] = value;
        return true;
    case OPTION_PLAN: a->plan = value; return true;
    case OPTION_C: a->c_file = value; return true;
    case OPTION_TARGET: a->build.target = value; return *value != '\0';
    case OPTION_TOP: return parse_number(value, 1, MAX_TOP, NULL, &a->top);
    case OPTION_RANGE: return parse_range(value, &a->range);
    case OPTION_RUNS: return parse_number(value, 1, MAX_RUNS, NULL, &a->runs);
    case OPTION_WARMUP: return parse_number(value, 0, MAX_RUNS, NULL, &a->warmup);
    case OPTION_PROFILE: a->build.profile = true; return true;
    case OPTION_JSON: a->json = true; return true;
    }
    return false;
}

static const char *wanted(option_id id) {
    switch (id) {
    case OPTION_PERFORMANCE: return "low, medium, high or extreme";
    case OPTION_THREADS: return "a number from 1 to 64";
    case OPTION_SHAPE: return "INDEX=1x96x96x3, each dimension at least 1";
    case OPTION_CONFIG: return "NAME=VALUE with a name below 64 bytes, at most 32 times";
    case OPTION_TOP: return "a number from 1 to 1000";
    case OPTION_RANGE: return "0..1, -1..1 or 0..255";
    case OPTION_RUNS: return "a number from 1 to 1000000";
    case OPTION_WARMUP: return "a number from 0 to 1000000";
    case OPTION_INPUT:
    case OPTION_OUTPUT: return "at most 256 files";
    default: return "a value";
    }
}

/* The option that an argument names, as "--name", "--name=VALUE" (*value is set), or "-o". */
static const option *find_option(const char *text, unsigned bit, const char **value) {
    const char *equals = strchr(text, '=');
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    *value = equals != NULL ? equals + 1 : NULL;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if ((options[i].commands & bit) != 0 && strlen(options[i].name) == length &&
            strncmp(options[i].name, text, length) == 0)
            return &options[i];
    return NULL;
}

static int usage_error(const command *c, const char *what, const char *detail) {
    complain(TOOL_USAGE, "%s: %s%s", c->name, what, detail);
    fprintf(stderr, "usage: %s\n       nnrt help %s\n", c->synopsis, c->name);
    return TOOL_USAGE;
}

/* Whether an argument begins like an option; a lone "-" does not. */
static bool looks_like_option(const char *text) { return text[0] == '-' && text[1] != '\0'; }

/* Takes the option at argv[*at] and its values; *at is then the last argument used. */
static int parse_option(const command *c, int argc, char **argv, int *at, arguments *a) {
    const char *value = NULL;
    const char *name = argv[*at];
    const option *o = find_option(name, c->bit, &value);
    if (o == NULL) return usage_error(c, "unknown option ", name);
    if (o->kind == 'f')
        return value == NULL && take_value(a, o->id, "") ? TOOL_OK : usage_error(c, o->name, " takes no value");
    const bool inside = value != NULL; /* the value stands behind '=' */
    if (!inside) {
        if (*at + 1 >= argc || (o->kind == 'l' && looks_like_option(argv[*at + 1])))
            return usage_error(c, o->name, " needs a value");
        value = argv[++*at];
    }
    for (;;) {
        if (!take_value(a, o->id, value)) {
            complain(TOOL_USAGE, "%s: %s wants %s, not \"%s\"", c->name, o->name, wanted(o->id), value);
            return TOOL_USAGE;
        }
        if (inside || o->kind != 'l' || *at + 1 >= argc || looks_like_option(argv[*at + 1])) return TOOL_OK;
        value = argv[++*at];
    }
}

/* Fills *a from the arguments behind the command. */
static int parse_arguments(const command *c, int argc, char **argv, arguments *a) {
    memset(a, 0, sizeof(*a));
    a->build.performance = OH_NN_PERFORMANCE_NONE;
    a->range = RANGE_AUTO;
    a->runs = DEFAULT_RUNS;
    a->warmup = DEFAULT_WARMUP;
    for (int i = 2; i < argc; i++) {
        if (looks_like_option(argv[i])) {
            const int result = parse_option(c, argc, argv, &i, a);
            if (result != TOOL_OK) return result;
        } else if (a->build.model == NULL && c->bit != FOR_DEVICES) a->build.model = argv[i];
        else return usage_error(c, "one argument too many: ", argv[i]);
    }
    if (a->build.model == NULL && c->bit != FOR_DEVICES) return usage_error(c, "MODEL is missing", "");
    if (c->bit == FOR_COMPILE && a->plan == NULL && a->c_file == NULL) return usage_error(c, "-o PLAN is missing", "");
    return TOOL_OK;
}

static int run_command(const command *c, int argc, char **argv) {
    arguments *a = NULL;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return print_command_help(c);
    a = (arguments *)allocate(sizeof(*a));
    int result = parse_arguments(c, argc, argv, a);
    if (result == TOOL_OK) result = c->run(a);
    free(a);
    return result;
}

static int dispatch(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    const command *c = find_command(name);
    if (argc < 2) {
        print_help(stderr);
        return TOOL_USAGE;
    }
    if (c != NULL) return run_command(c, argc, argv);
    if (strcmp(name, "--version") == 0) {
        printf("nnrt %s\n", nnrt_version());
        return TOOL_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        if (argc > 2 && (c = find_command(argv[2])) != NULL) return print_command_help(c);
        if (argc > 2) return complain(TOOL_USAGE, "help: there is no command %s; see: nnrt help", argv[2]);
        print_help(stdout);
        return TOOL_OK;
    }
    return complain(TOOL_USAGE, "there is no command %s; see: nnrt help", name);
}

int main(int argc, char **argv) {
    const int result = dispatch(argc, argv);
    const bool printed = fflush(stdout) == 0 && !ferror(stdout); /* a full disk or a closed pipe may be behind
                                                                    it */
    if (printed || result != TOOL_OK) return result;
    return complain(TOOL_FILE, "standard output: cannot be written: %s", strerror(errno));
}
