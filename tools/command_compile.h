/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_compile.h - `nnrt compile`: a plan, or a C file that holds one. */
#ifndef NNRT_TOOLS_COMMAND_COMPILE_H
#define NNRT_TOOLS_COMMAND_COMPILE_H

#include "arguments.h"

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
        capitals(is_part(&steps[i]) ? "scalar" : steps[i].isa, level); /* its isa is the accelerator's name */
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
    text_add(
        &text,
        "/* %s: the plan of a model, made by `nnrt compile --c`. Do not edit.\n\n"
        "   Before nnrt.h in the file that has NNRT_IMPLEMENTATION, with NNRT_PLANS_ONLY:\n"
        "       #define NNRT_STEPS(X) %s_STEPS(X)\n"
        "   %s is for OH_NNCompilation_ImportCacheFromBuffer and stays where it is, in flash, with\n"
        "   nnrt_compilation_use_in_place: without that call Build makes a copy in RAM;\n"
        "   %s_ARENA_BYTES bytes at a multiple of 64 are an arena for nnrt_executor_construct_in.%s\n\n"
        "   Build reads the plan once for its checksum, about as long as a run takes. Where the image of the firmware\n"
        "   is checked as a whole, or that was done in the factory, NNRT_TRUST_CRC before nnrt.h spares it: what "
        "keeps\n"
        "   a run inside its memory is checked all the same. */\n"
        "#ifndef %s_INCLUDED\n#define %s_INCLUDED\n\n"
        "#define %s_BYTES %zuu\n"
        "#define %s_ARENA_BYTES %zuu\n\n",
        name, upper, name, upper,
        is_in_arena(s, 0) ? "\n   The input lies in it: its tensor is that of nnrt_tensor_create_in_arena." : "", upper,
        upper, upper, size, upper, memory.arena_bytes);
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

/* Percent of a run that a smaller arena may cost where the plan is C, for firmware; --config nnrt.stripes says
   another. */
#define FIRMWARE_STRIPES "2"

static size_t arena_of(const session *s) {
    size_t bytes = 0;
    return nnrt_compilation_get_arena(s->compilation, &bytes) == OH_NN_SUCCESS ? bytes : 0;
}

/* Arena, inputs and outputs; of a session that has an executor. */
static size_t ram_of(const session *s) { return arena_of(s) + bytes_of_tensors(s); }

/* One config more; there is room. */
static void add_config(build_options *build, const char *name, const char *value) {
    config_option *config = &build->configs[build->config_count++];
    memset(config, 0, sizeof(*config));
    snprintf(config->name, sizeof(config->name), "%s", name);
    config->value = value;
}

/* The same without the names of tensors that firmware does not see. */
static int leave_names(build_options *build, session *s) {
    add_config(build, "nnrt.names", "0");
    session_close(s);
    return session_build(s, build);
}

/* Takes the same model run by stripes, and with outputs over inputs, into s where its arena is smaller so. The reason
   for what is chosen to text. */
static int choose_stripes(build_options *build, session *s, char *text, size_t size) {
    const size_t plain = arena_of(s);
    session striped;
    add_config(build, "nnrt.stripes", FIRMWARE_STRIPES);
    int result = session_build(&striped, build);
    if (result == TOOL_OK && arena_of(&striped) < plain) {
        session unused = *s;
        *s = striped;
        striped = unused;
        snprintf(text, size,
                 "outputs over inputs or stripes, for " FIRMWARE_STRIPES " %% of a run; without (nnrt.stripes=0) %zu B",
                 plain);
    } else {
        snprintf(text, size, "nothing makes it smaller for " FIRMWARE_STRIPES " %% of a run");
    }
    session_close(&striped);
    return result;
}

/* What the same model takes with its inputs in the arena; 0: no less, or that was not to be found out. */
static size_t ram_with_inputs(const build_options *asked, const session *s) {
    build_options build = *asked;
    session inside;
    size_t ram = 0;
    if (build.config_count == MAX_CONFIGS || is_config(&build, "nnrt.inputs")) return 0;
    add_config(&build, "nnrt.inputs", "arena");
    if (session_build(&inside, &build) == TOOL_OK) {
        inside.executor = OH_NNExecutor_Construct(inside.compilation);
        if (inside.executor != NULL) ram = ram_of(&inside);
    }
    session_close(&inside);
    return ram < ram_of(s) ? ram : 0;
}

static void add_row(table *t, const char *name, const char *format, ...) {
    char text[256];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    cell(t, "%s", name);
    cell(t, "%s", text);
}

/* What is printed of a plan, made as `build` says; why: the reason for its arena, "" for none. */
static void print_plan(const arguments *a, const build_options *build, const session *s, size_t size, const char *why) {
    table t = table_begin("ll");
    add_row(&t, "plan", "%s", a->plan != NULL ? a->plan : a->c_file);
    add_row(&t, "size", "%zu B", size);
    add_row(&t, "device", "%s", s->device_name);
    if (a->c_file != NULL) {
        const size_t inside = ram_with_inputs(build, s);
        char less[64] = "";
        if (inside != 0) snprintf(less, sizeof(less), "; %zu B with nnrt.inputs=arena", inside);
        add_row(&t, "arena", "%zu B%s%s", arena_of(s), why[0] != '\0' ? ": " : "", why);
        add_row(&t, "RAM", "%zu B: arena, inputs and outputs; and 1 KB of handles%s", ram_of(s), less);
    }
    table_end(&t);
}

static int command_compile(const arguments *a) {
    session s;
    output_file file;
    uint8_t *plan = NULL;
    char why[128] = "";
    size_t size = 0;
    build_options build = a->build;
    int result = session_build(&s, &build);
    const bool firmware = result == TOOL_OK && a->c_file != NULL && arena_of(&s) != 0;
    if (firmware && build.config_count < MAX_CONFIGS && !is_config(&build, "nnrt.names"))
        result = leave_names(&build, &s);
    if (firmware && result == TOOL_OK && build.config_count < MAX_CONFIGS && !is_config(&build, "nnrt.stripes"))
        result = choose_stripes(&build, &s, why, sizeof(why));
    if (result == TOOL_OK) result = export_plan(&s, a->build.model, &plan, &size);
    if (result == TOOL_OK && a->plan != NULL) {
        result = output_write(&file, a->plan, plan, size);
        if (result == TOOL_OK) result = output_commit(&file);
    }
    if (result == TOOL_OK && a->c_file != NULL) result = write_c_file(a, &s, plan, size);
    if (result == TOOL_OK && !(a->plan != NULL && is_standard(a->plan)) &&
        !(a->c_file != NULL && is_standard(a->c_file)))
        print_plan(a, &build, &s, size, why);
    free(plan);
    session_close(&s);
    return result;
}

#endif /* NNRT_TOOLS_COMMAND_COMPILE_H */
