/* SPDX-License-Identifier: Apache-2.0 */
/* tools/options.h - the commands and their options: tables, help, and from argv to arguments. */
#ifndef NNRT_TOOLS_OPTIONS_H
#define NNRT_TOOLS_OPTIONS_H

#include "command_bench.h"
#include "command_compile.h"
#include "command_devices.h"
#include "command_inspect.h"
#include "command_run.h"

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

#endif /* NNRT_TOOLS_OPTIONS_H */
