/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_model.h - from a model file and options to an executor with its tensors.

   A session owns everything that the library gave; session_close() frees it in any state, so that every
   function here only returns its exit code, having printed what went wrong. */
#ifndef NNRT_TOOLS_TOOL_MODEL_H
#define NNRT_TOOLS_TOOL_MODEL_H

#include "tool_devices.h"
#include "tool_parts.h"
#include "tool_progress.h"

#include <time.h>

enum {
    MAX_TENSORS = 256,
    MAX_CONFIGS = 32,
    CONFIG_NAME = 64
};

typedef struct input_shape {
    size_t rank; /* 0: not given */
    int32_t dims[NNRT_MAX_RANK];
} input_shape;

/* One --config NAME=VALUE; value lies in the command line. */
typedef struct config_option {
    char name[CONFIG_NAME];
    const char *value;
} config_option;

/* How to build; NULL and 0 mean that the option was not given. */
typedef struct build_options {
    const char *model;
    const char *device;
    const char *isa, *target;
    const char *threads;
    bool profile;
    bool keep;        /* what a run computes stays in the arena, where the device can do that */
    size_t executors; /* more than 1: the compilation stays for session_another */
    OH_NN_PerformanceMode performance;
    config_option configs[MAX_CONFIGS];
    size_t config_count;
    input_shape shapes[MAX_TENSORS];
} build_options;

/* Is the config given by --config? */
static bool is_config(const build_options *b, const char *name) {
    for (size_t i = 0; i < b->config_count; i++)
        if (strcmp(b->configs[i].name, name) == 0) return true;
    return false;
}

typedef struct session {
    size_t device;
    const char *device_name; /* belongs to the library */
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    placings places; /* what an accelerator gets, and what it does not */
    double load_ms;  /* from the path to the ready executor */
    size_t input_count, output_count;
    NN_TensorDesc *input_descs[MAX_TENSORS]; /* with the shapes of --shape */
    NN_Tensor *inputs[MAX_TENSORS];
    NN_Tensor *outputs[MAX_TENSORS];
    bool shapes_known;          /* no input has an unknown dimension left */
    bool shapes_open;           /* the model leaves a dimension of an input open */
    bool resized;               /* --shape gave one another size than the model has by itself */
    unsigned open[MAX_TENSORS]; /* of each input: bits of the dimensions that have a size and may have another */
    bool dynamic;               /* an output has: its size is known only after a run */
} session;

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void session_close(session *s) {
    for (size_t i = 0; i < MAX_TENSORS; i++) {
        if (s->inputs[i] != NULL) OH_NNTensor_Destroy(&s->inputs[i]);
        if (s->outputs[i] != NULL) OH_NNTensor_Destroy(&s->outputs[i]);
        if (s->input_descs[i] != NULL) OH_NNTensorDesc_Destroy(&s->input_descs[i]);
    }
    if (s->executor != NULL) OH_NNExecutor_Destroy(&s->executor);
    if (s->compilation != NULL) OH_NNCompilation_Destroy(&s->compilation);
    placings_free(&s->places);
}

static int set_config(session *s, const char *name, const char *value) {
    if (value == NULL) return TOOL_OK;
    const OH_NN_ReturnCode code = OH_NNCompilation_AddExtensionConfig(s->compilation, name, value, strlen(value));
    return code == OH_NN_SUCCESS ? TOOL_OK : refused(name, code);
}

/* Devices of other kinds compute in memory of their own. */
static int keep_tensors(session *s) {
    OH_NN_DeviceType type = OH_NN_OTHERS;
    const OH_NN_ReturnCode code = OH_NNDevice_GetType(s->device, &type);
    if (code != OH_NN_SUCCESS) return refused("ask for the type of a device", code);
    return type == OH_NN_CPU ? set_config(s, "nnrt.keep", "1") : TOOL_OK;
}

/* Who listens while a model is built. */
typedef struct build_notes {
    device_notes notes;
    placings *places;
} build_notes;

static void note_build(void *user, nnrt_log_level level, const char *message) {
    build_notes *heard = (build_notes *)user;
    if (level == NNRT_LOG_INFO && take_place(heard->places, message)) return;
    add_note(&heard->notes, message);
}

/* Builds the compilation. What the library logs meanwhile stands on stderr afterwards: what it does in another way than
   was asked, and what a run could do at less cost. */
static int build_and_tell(session *s, const char *model) {
    build_notes heard;
    progress watch;
    heard.notes.count = 0;
    heard.places = &s->places;
    nnrt_set_log(note_build, &heard);
    progress_begin(&watch, "compiling", 0, model);
    const OH_NN_ReturnCode code = OH_NNCompilation_Build(s->compilation);
    progress_end(&watch);
    nnrt_set_log(note_missing_device, &missing_devices);
    if (code != OH_NN_SUCCESS) return refused(model, code);
    for (size_t i = 0; i < heard.notes.count; i++) (void)complain(TOOL_OK, "note: %s", heard.notes.lines[i]);
    return TOOL_OK;
}

/* Sets the options on a new compilation and builds it. */
static int build(session *s, const build_options *options) {
    OH_NN_ReturnCode code = OH_NNCompilation_SetDevice(s->compilation, s->device);
    if (code != OH_NN_SUCCESS) return refused("choose the device", code);
    int result = set_config(s, "nnrt.threads", options->threads);
    if (result == TOOL_OK) result = set_config(s, "nnrt.isa", options->isa);
    if (result == TOOL_OK) result = set_config(s, "nnrt.target", options->target);
    if (result == TOOL_OK) result = set_config(s, "nnrt.profile", options->profile ? "1" : NULL);
    if (result == TOOL_OK && options->keep) result = keep_tensors(s);
    for (size_t i = 0; i < options->config_count && result == TOOL_OK; i++)
        result = set_config(s, options->configs[i].name, options->configs[i].value);
    if (result != TOOL_OK) return result;
    if (options->performance != OH_NN_PERFORMANCE_NONE) {
        code = OH_NNCompilation_SetPerformanceMode(s->compilation, options->performance);
        if (code != OH_NN_SUCCESS) return refused("set the performance mode", code);
    }
    return build_and_tell(s, options->model);
}

/* The first two steps: the device and a built compilation. Zeroes *s first. */
static int session_build(session *s, const build_options *options) {
    memset(s, 0, sizeof(*s));
    chosen_device device = {0, NULL};
    int result = check_readable(options->model);
    if (result == TOOL_OK) result = find_device(options->device, options->model, &device);
    if (result != TOOL_OK) return result;
    s->device = device.id;
    s->device_name = device.name;
    s->compilation = OH_NNCompilation_ConstructWithOfflineModelFile(options->model);
    return s->compilation == NULL ? refused_object(options->model) : build(s, options);
}

/* Does this input lie in the arena of the executor? */
static bool is_in_arena(const session *s, size_t input) {
    NN_Tensor *tensor = nnrt_tensor_create_in_arena(s->executor, input);
    const bool inside = tensor != NULL;
    if (inside) (void)OH_NNTensor_Destroy(&tensor);
    return inside;
}

/* Bytes of all inputs that do not lie in the arena, and of all outputs, of the executor; 0 for one whose shape is not
   known. */
static size_t bytes_of_tensors(const session *s) {
    size_t count[2] = {0, 0}, sum = 0;
    (void)OH_NNExecutor_GetInputCount(s->executor, &count[0]);
    (void)OH_NNExecutor_GetOutputCount(s->executor, &count[1]);
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < count[side]; i++) {
            NN_TensorDesc *desc = side == 0 ? OH_NNExecutor_CreateInputTensorDesc(s->executor, i)
                                            : OH_NNExecutor_CreateOutputTensorDesc(s->executor, i);
            size_t bytes = 0;
            if (desc == NULL) continue;
            if (OH_NNTensorDesc_GetByteSize(desc, &bytes) == OH_NN_SUCCESS && (side == 1 || !is_in_arena(s, i)))
                sum += bytes;
            (void)OH_NNTensorDesc_Destroy(&desc);
        }
    }
    return sum;
}

static int shape_of(const NN_TensorDesc *desc, int32_t **dims, size_t *rank) {
    *dims = NULL;
    *rank = 0;
    const OH_NN_ReturnCode code = OH_NNTensorDesc_GetShape(desc, dims, rank);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("ask for the shape of a tensor", code);
}

static bool shape_known(const int32_t *dims, size_t rank) {
    for (size_t i = 0; i < rank; i++)
        if (dims[i] < 1) return false;
    return true;
}

/* The dimensions of input i that are known and may be others, and whether wish, if there is one, can be. A device that
   tells no ranges has none. */
static bool wish_fits(session *s, size_t i, const int32_t *dims, size_t rank, const input_shape *wish) {
    size_t *least = NULL, *most = NULL, count = 0;
    const bool told =
        OH_NNExecutor_GetInputDimRange(s->executor, i, &least, &most, &count) == OH_NN_SUCCESS && count == rank;
    bool fits = wish->rank == 0 || wish->rank == rank;
    for (size_t d = 0; d < rank; d++) {
        if (told && dims[d] >= 1 && least[d] != most[d]) s->open[i] |= 1u << d;
        if (wish->rank != rank || dims[d] < 1 || dims[d] == wish->dims[d]) continue;
        if (told && (size_t)wish->dims[d] >= least[d] && (size_t)wish->dims[d] <= most[d]) s->resized = true;
        else fits = false;
    }
    return fits;
}

/* Describes input i; the shape of --shape, if any, takes the place of the dimensions that the model leaves
   open. */
static int describe_input(session *s, const build_options *options, size_t i) {
    const input_shape *wish = &options->shapes[i];
    char text[SHAPE_TEXT], wished[SHAPE_TEXT];
    int32_t *dims = NULL;
    size_t rank = 0;
    s->input_descs[i] = OH_NNExecutor_CreateInputTensorDesc(s->executor, i);
    if (s->input_descs[i] == NULL) return refused_object("describe an input");
    const int result = shape_of(s->input_descs[i], &dims, &rank);
    if (result != TOOL_OK) return result;
    s->shapes_open = s->shapes_open || !shape_known(dims, rank);
    if (!wish_fits(s, i, dims, rank, wish))
        return complain(TOOL_USAGE, "--shape %zu=%s: the model has %s there", i,
                        shape_text(wished, wish->dims, wish->rank), open_shape_text(text, dims, rank, s->open[i]));
    if (wish->rank == 0) {
        s->shapes_known = s->shapes_known && shape_known(dims, rank);
        return TOOL_OK;
    }
    const OH_NN_ReturnCode code = OH_NNTensorDesc_SetShape(s->input_descs[i], wish->dims, rank);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("set the shape of an input", code);
}

/* Counts and describes the inputs and outputs of the executor. */
static int describe(session *s, const build_options *options) {
    OH_NN_ReturnCode code = OH_NNExecutor_GetInputCount(s->executor, &s->input_count);
    if (code == OH_NN_SUCCESS) code = OH_NNExecutor_GetOutputCount(s->executor, &s->output_count);
    if (code != OH_NN_SUCCESS) return refused("count inputs and outputs", code);
    if (s->input_count > MAX_TENSORS || s->output_count > MAX_TENSORS)
        return complain(TOOL_REFUSED, "%s: more than %d inputs or outputs (OH_NN_UNSUPPORTED)", options->model,
                        (int)MAX_TENSORS);
    for (size_t i = s->input_count; i < MAX_TENSORS; i++)
        if (options->shapes[i].rank != 0)
            return complain(TOOL_USAGE, "--shape %zu=...: the model has %zu input(s), counted from 0", i,
                            s->input_count);
    s->shapes_known = true;
    int result = TOOL_OK;
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) result = describe_input(s, options, i);
    if (result != TOOL_OK || !s->resized || !s->shapes_known) return result;
    /* From here on outputs and steps are those of these shapes. Where values decide, too, a run has to come first. */
    code = nnrt_executor_prepare(s->executor, s->input_descs, s->input_count);
    return code == OH_NN_SUCCESS || code == OH_NN_UNSUPPORTED ? TOOL_OK : refused("make the shapes ready", code);
}

/* A built compilation, its executor and descriptions; no tensors yet. Zeroes *s first. */
static int session_open(session *s, const build_options *options) {
    const double start = now_ms();
    const int result = session_build(s, options);
    if (result != TOOL_OK) return result;
    s->executor = OH_NNExecutor_Construct(s->compilation);
    if (s->executor == NULL) return refused_object("make an executor");
    s->load_ms = now_ms() - start;
    if (options->executors <= 1) OH_NNCompilation_Destroy(&s->compilation); /* the executor keeps what it needs */
    return describe(s, options);
}

/* One more executor of the same compilation. Zeroes *s first. */
static int session_another(const session *first, const build_options *options, session *s) {
    memset(s, 0, sizeof(*s));
    s->device = first->device;
    s->device_name = first->device_name;
    s->executor = OH_NNExecutor_Construct(first->compilation);
    return s->executor == NULL ? refused_object("make one more executor") : describe(s, options);
}

/* ------------------------------------------------------------------------------------------------ tensors */

/* Room for an output whose size is unknown before the first run, tried in turn until one is enough. */
enum {
    ROOM_FIRST = 1 << 20,
    ROOM_FACTOR = 16,
    ROOM_LAST = 1 << 28
};

/* Makes the outputs; `room` bytes for each whose shape is not known. false: *what could not be done. */
static bool make_outputs(session *s, size_t room, const char **what) {
    for (size_t i = 0; i < s->output_count; i++) {
        int32_t *dims = NULL;
        size_t rank = 0;
        NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(s->executor, i);
        *what = "describe an output";
        if (desc == NULL) return false;
        if (OH_NNTensorDesc_GetShape(desc, &dims, &rank) == OH_NN_SUCCESS) {
            const bool known = shape_known(dims, rank);
            s->dynamic = s->dynamic || !known;
            if (s->outputs[i] != NULL) OH_NNTensor_Destroy(&s->outputs[i]);
            *what = "make an output";
            s->outputs[i] =
                known ? OH_NNTensor_Create(s->device, desc) : OH_NNTensor_CreateWithSize(s->device, desc, room);
        }
        OH_NNTensorDesc_Destroy(&desc);
        if (s->outputs[i] == NULL) return false;
    }
    return true;
}

/* Makes all tensors; inputs are zeros. Every input shape must be known by now. */
static int make_tensors(session *s) {
    const char *what;
    for (size_t i = 0; i < s->input_count; i++) {
        char text[SHAPE_TEXT];
        int32_t *dims = NULL;
        size_t rank = 0;
        const int result = shape_of(s->input_descs[i], &dims, &rank);
        if (result != TOOL_OK) return result;
        if (!shape_known(dims, rank))
            return complain(TOOL_USAGE, "input %zu has the shape %s: give all of it with --shape %zu=...", i,
                            shape_text(text, dims, rank), i);
        s->inputs[i] = OH_NNTensor_Create(s->device, s->input_descs[i]);
        if (s->inputs[i] == NULL) return refused_object("make an input");
    }
    return make_outputs(s, ROOM_FIRST, &what) ? TOOL_OK : refused_object(what);
}

/* One run. Nothing tells a run for which outputs were too small from one that is refused for another reason: there is
   more room as long as there is memory, and the first reason is the one that is told. */
static int run_once(session *s) {
    char reason[256]; /* holds every sentence */
    OH_NN_ReturnCode first = OH_NN_SUCCESS;
    const char *what;
    size_t room = ROOM_FIRST;
    for (;;) {
        const OH_NN_ReturnCode code =
            OH_NNExecutor_RunSync(s->executor, s->inputs, s->input_count, s->outputs, s->output_count);
        if (code == OH_NN_SUCCESS) return TOOL_OK;
        if (!s->dynamic) return refused("run", code);
        if (first == OH_NN_SUCCESS) {
            first = code;
            snprintf(reason, sizeof(reason), "%s", nnrt_last_error());
        }
        if (room >= ROOM_LAST || !make_outputs(s, room *= ROOM_FACTOR, &what))
            return complain(TOOL_REFUSED, "run: %s (%s)", reason, nnrt_strerror(first));
    }
}

/* Dimensions, data type and bytes of a tensor that has its real shape. */
static int tensor_facts(const NN_Tensor *tensor, OH_NN_DataType *type, size_t *elements, size_t *bytes) {
    const NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetDataType(desc, type);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetElementCount(desc, elements);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetByteSize(desc, bytes);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("ask for the size of a tensor", code);
}

/* Type and shape of a tensor, as a .npy file tells them. */
static int tensor_form(const NN_Tensor *tensor, npy_form *form) {
    const NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    int32_t *dims = NULL;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetDataType(desc, &form->type);
    form->rank = 0;
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(desc, &dims, &form->rank);
    if (code != OH_NN_SUCCESS) return refused("describe a tensor", code);
    if (form->rank > NNRT_MAX_RANK)
        return complain(TOOL_REFUSED, "a tensor has more than %d dimensions (OH_NN_UNSUPPORTED)", NNRT_MAX_RANK);
    if (form->rank > 0) memcpy(form->dims, dims, form->rank * sizeof(form->dims[0]));
    return TOOL_OK;
}

/* 1 or 2 bytes of IEEE half precision as a number. */
static double half_value(uint16_t bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const double size = exponent == 31  ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(fraction + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

/* Element i of tensor data as a number. */
static double element(OH_NN_DataType type, const void *data, size_t i) {
    switch (type) {
    case OH_NN_BOOL:
    case OH_NN_UINT8: return ((const uint8_t *)data)[i];
    case OH_NN_INT8: return ((const int8_t *)data)[i];
    case OH_NN_INT16: return ((const int16_t *)data)[i];
    case OH_NN_UINT16: return ((const uint16_t *)data)[i];
    case OH_NN_INT32: return ((const int32_t *)data)[i];
    case OH_NN_UINT32: return ((const uint32_t *)data)[i];
    case OH_NN_INT64: return (double)((const int64_t *)data)[i];
    case OH_NN_UINT64: return (double)((const uint64_t *)data)[i];
    case OH_NN_FLOAT16: return half_value(((const uint16_t *)data)[i]);
    case OH_NN_FLOAT32: return (double)((const float *)data)[i];
    case OH_NN_FLOAT64: return ((const double *)data)[i];
    case OH_NN_UNKNOWN: break;
    }
    return 0.0;
}

/* xorshift64*: the same numbers on every machine. */
static uint32_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * 0x2545f4914f6cdd1dull) >> 32);
}

/* Fills an input with noise that every model can take: all values of 8 and 16 bit types, floats from -1 to 1,
   and 0 or 1 for the wider integers, which are indices and lengths. */
static void fill_random(OH_NN_DataType type, void *data, size_t elements, uint64_t *state) {
    for (size_t i = 0; i < elements; i++) {
        const uint32_t bits = next_random(state);
        const double real = bits / 2147483648.0 - 1.0;
        if (type == OH_NN_BOOL) ((uint8_t *)data)[i] = (uint8_t)(bits & 1);
        else if (type == OH_NN_INT8 || type == OH_NN_UINT8) ((uint8_t *)data)[i] = (uint8_t)(bits & 255);
        else if (type == OH_NN_INT16 || type == OH_NN_UINT16) ((uint16_t *)data)[i] = (uint16_t)(bits & 65535);
        else if (type == OH_NN_INT32 || type == OH_NN_UINT32) ((uint32_t *)data)[i] = bits & 1;
        else if (type == OH_NN_INT64 || type == OH_NN_UINT64) ((uint64_t *)data)[i] = bits & 1;
        /* magnitude below 1 */
        else if (type == OH_NN_FLOAT16) ((uint16_t *)data)[i] = (uint16_t)(bits & 0xbbff);
        else if (type == OH_NN_FLOAT32) ((float *)data)[i] = (float)real;
        else if (type == OH_NN_FLOAT64) ((double *)data)[i] = real;
    }
}

/* The steps, for which a model with open shapes is run where --shape has said what they are. Where inputs hold axes or
   sizes, zeros would not do. *code: of the library. */
static int ask_profile(session *s, const nnrt_profile_step **steps, uint32_t *count, OH_NN_ReturnCode *code) {
    *code = nnrt_executor_get_profile(s->executor, steps, count);
    if (*code != OH_NN_DYNAMIC_SHAPE || !s->shapes_known || !s->shapes_open) return TOOL_OK;
    int result = make_tensors(s);
    if (result == TOOL_OK) result = run_once(s);
    if (result == TOOL_OK) *code = nnrt_executor_get_profile(s->executor, steps, count);
    return result;
}

#endif /* NNRT_TOOLS_TOOL_MODEL_H */
