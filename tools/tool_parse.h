/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_parse.h - from argv to arguments, by the tables of options.h. */
#ifndef NNRT_TOOLS_TOOL_PARSE_H
#define NNRT_TOOLS_TOOL_PARSE_H

#include "options.h"
#include "tool_hints.h"

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

static bool parse_fit(const char *text, image_fit *fit) {
    *fit = strcmp(text, "stretch") == 0     ? FIT_STRETCH
           : strcmp(text, "letterbox") == 0 ? FIT_LETTERBOX
           : strcmp(text, "crop") == 0      ? FIT_CROP
                                            : FIT_NONE;
    return *fit != FIT_NONE;
}

static bool parse_channels(const char *text, image_wishes *image) {
    image->grey = strcmp(text, "gray") == 0;
    image->channels = strcmp(text, "bgr") == 0 ? NNRT_CHANNELS_BGR : NNRT_CHANNELS_RGB;
    return image->grey || image->channels == NNRT_CHANNELS_BGR || strcmp(text, "rgb") == 0;
}

static bool parse_layout(const char *text, OH_NN_Format *order) {
    *order = strcmp(text, "nhwc") == 0   ? OH_NN_FORMAT_NHWC
             : strcmp(text, "nchw") == 0 ? OH_NN_FORMAT_NCHW
                                         : OH_NN_FORMAT_NONE;
    return *order != OH_NN_FORMAT_NONE;
}

/* One number for all channels, or three with commas: finite, not negative, and above 0 where positive. */
static bool parse_three(const char *text, bool positive, float *numbers) {
    for (size_t i = 0; i < 3; i++) {
        char *end = NULL;
        if (*text == '\0' || strchr("0123456789.", *text) == NULL) return false; /* as parse_real */
        numbers[i] = strtof(text, &end);
        if (!isfinite(numbers[i]) || (positive && !(numbers[i] > 0.0f))) return false;
        if (i == 0 && *end == '\0') {
            numbers[1] = numbers[2] = numbers[0];
            return true;
        }
        if (*end != (i < 2 ? ',' : '\0')) return false;
        text = end + 1;
    }
    return true;
}

/* A finite number that is not negative. */
static bool parse_real(const char *text, double *number) {
    char *end = NULL;
    if (*text == '\0' || strchr("0123456789.", *text) == NULL) return false; /* strtod takes more: blanks, nan */
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
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
    case OPTION_DEVICE_B: a->device_b = value; return *value != '\0';
    case OPTION_CONFIG_B: return parse_config(value, &a->configs_b);
    case OPTION_CONFIG: return parse_config(value, &a->build);
    case OPTION_INPUT:
    case OPTION_NPU:
        if (a->input_count == MAX_TENSORS) return false;
        a->inputs[a->input_count++] = value;
        return true;
    case OPTION_OUTPUT:
        if (a->output_count == MAX_TENSORS) return false;
        a->outputs[a->output_count++] = value;
        return true;
    case OPTION_EXPECT:
        if (a->expected_count == MAX_TENSORS) return false;
        a->expected[a->expected_count++] = value;
        return true;
    case OPTION_DUMP:
        a->dump = value;
        a->build.keep = true;
        return *value != '\0';
    case OPTION_TOLERANCE: a->has_tolerance = true; return parse_real(value, &a->tolerance);
    case OPTION_PLAN: a->plan = value; return true;
    case OPTION_C: a->c_file = value; return true;
    case OPTION_TARGET: a->build.target = target_of(value); return *value != '\0';
    case OPTION_TOP: return parse_number(value, 1, MAX_TOP, NULL, &a->top);
    case OPTION_RANGE: return parse_range(value, &a->image.range);
    case OPTION_RESIZE: return parse_fit(value, &a->image.fit);
    case OPTION_CHANNELS: return parse_channels(value, &a->image);
    case OPTION_LAYOUT: return parse_layout(value, &a->image.order);
    case OPTION_MEAN: a->image.has_mean = true; return parse_three(value, false, a->image.mean);
    case OPTION_STD: a->image.has_deviation = true; return parse_three(value, true, a->image.deviation);
    case OPTION_LABELS: a->labels = value; return *value != '\0';
    case OPTION_RUNS: return parse_number(value, 1, MAX_RUNS, NULL, &a->runs);
    case OPTION_SECONDS: return parse_number(value, 1, MAX_SECONDS, NULL, &a->seconds);
    case OPTION_EXECUTORS: return parse_number(value, 1, MAX_EXECUTORS, NULL, &a->build.executors);
    case OPTION_DEADLINE: return parse_real(value, &a->deadline_ms) && a->deadline_ms > 0.0;
    case OPTION_TRACE:
        a->trace = value;
        a->build.profile = true;
        return *value != '\0';
    case OPTION_WARMUP: return parse_number(value, 0, MAX_RUNS, NULL, &a->warmup);
    case OPTION_PROFILE: a->build.profile = true; return true;
    case OPTION_ROOT: a->root = value; return *value != '\0';
    case OPTION_CACHE: a->cache = value; return *value != '\0';
    case OPTION_OPS: a->ops = true; return true;
    case OPTION_JSON: a->json = true; return true;
    }
    return false;
}

/* The option that an argument names, as "--name", "--name=VALUE" (*value is set), or "-o". */
static const option *find_option(const char *text, unsigned bit, const char **value) {
    const char *equals = strchr(text, '=');
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    *value = equals != NULL ? equals + 1 : NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option *o = &options[i];
        if ((o->commands & bit) == 0) continue;
        if (strlen(o->name) == length && strncmp(o->name, text, length) == 0) return o;
        if (o->letter != NULL && strlen(o->letter) == length && strncmp(o->letter, text, length) == 0) return o;
    }
    return NULL;
}

static int show_usage(const command *c) {
    fprintf(stderr, "usage: %s\n       nnrt help %s\n", c->synopsis, c->name);
    return TOOL_USAGE;
}

static int usage_error(const command *c, const char *what, const char *detail) {
    complain(TOOL_USAGE, "%s: %s%s", c->name, what, detail);
    return show_usage(c);
}

/* No option of this command: says which one may have been meant, or whose it is. */
static int unknown_option(const command *c, const char *text) {
    const option *near = NULL, *elsewhere = NULL;
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const bool here = (options[i].commands & c->bit) != 0;
        if (here && is_near(text, length, options[i].name)) near = &options[i];
        if (!here && strlen(options[i].name) == length && strncmp(text, options[i].name, length) == 0)
            elsewhere = &options[i];
    }
    if (elsewhere != NULL) {
        size_t i = 0;
        while ((commands[i].bit & elsewhere->commands) == 0) i++;
        complain(TOOL_USAGE, "%s: %s is an option of nnrt %s", c->name, elsewhere->name, commands[i].name);
    } else if (near != NULL) complain(TOOL_USAGE, "%s: unknown option %s; did you mean %s?", c->name, text, near->name);
    else complain(TOOL_USAGE, "%s: unknown option %s", c->name, text);
    return show_usage(c);
}

/* Whether an argument begins like an option; a lone "-" does not. */
static bool looks_like_option(const char *text) { return text[0] == '-' && text[1] != '\0'; }

/* Takes the option at argv[*at] and its values; *at is then the last argument used. */
static int parse_option(const command *c, int argc, char **argv, int *at, arguments *a) {
    const char *value = NULL;
    const option *o = find_option(argv[*at], c->bit, &value);
    if (o == NULL) return unknown_option(c, argv[*at]);
    const bool inside = value != NULL; /* the value stands behind '=' */
    const char *name = inside ? o->name : argv[*at];
    if (o->kind == 'f') return !inside && take_value(a, o->id, "") ? TOOL_OK : usage_error(c, name, " takes no value");
    if (!inside) {
        if (*at + 1 >= argc || (o->kind == 'l' && looks_like_option(argv[*at + 1])))
            return usage_error(c, name, " needs a value");
        value = argv[++*at];
    }
    for (;;) {
        if (!take_value(a, o->id, value)) {
            complain(TOOL_USAGE, "%s: %s wants %s, not \"%s\"", c->name, name, o->wants, value);
            return TOOL_USAGE;
        }
        if (inside || o->kind != 'l' || *at + 1 >= argc || looks_like_option(argv[*at + 1])) return TOOL_OK;
        value = argv[++*at];
    }
}

/* The operand with this number of those that the command has ("MODEL", "A B"), into name; false: it has fewer. */
static bool operand_name(const command *c, size_t number, char name[16]) {
    const char *p = c->operands;
    for (; number > 0 && *p != '\0'; p++) number -= *p == ' ';
    snprintf(name, 16, "%.*s", (int)strcspn(p, " "), p);
    return *p != '\0';
}

static size_t count_standard(const char *const *paths, size_t count) {
    size_t standard = 0;
    for (size_t i = 0; i < count; i++) standard += paths[i] != NULL && is_standard(paths[i]) ? 1 : 0;
    return standard;
}

/* What the values say together. */
static int check_arguments(const command *c, const arguments *a) {
    const char *const files[] = {a->plan, a->c_file, a->trace};
    const size_t read = count_standard(a->inputs, a->input_count) + count_standard(a->expected, a->expected_count) +
                        count_standard(&a->labels, 1);
    const size_t written = count_standard(a->outputs, a->output_count) + count_standard(files, 3);
    const bool words = a->json || a->top != 0 || a->expected_count != 0 || a->labels != NULL;
    if (a->json && a->trace != NULL && is_standard(a->trace))
        return usage_error(c, "--json and --trace - ", "both want standard output");
    if (read > 1) return usage_error(c, "- is standard input, which is read once", "");
    if (written > 1) return usage_error(c, "- is standard output, which takes one file", "");
    if (written == 1 && words)
        return usage_error(c, "- is standard output, which ",
                           a->json             ? "--json wants, too"
                           : a->top != 0       ? "--top wants, too"
                           : a->labels != NULL ? "--labels wants, too"
                                               : "--expect wants, too");
    if (a->image.range != RANGE_AUTO && (a->image.has_mean || a->image.has_deviation))
        return usage_error(c, "--image-range and ", "--mean or --std say the same in two ways");
    if (a->build.threads != NULL && is_config(&a->build, "nnrt.threads"))
        return usage_error(c, "--threads and ", "--config nnrt.threads say the same in two ways");
    if (a->build.isa != NULL && is_config(&a->build, "nnrt.isa"))
        return usage_error(c, "--isa and ", "--config nnrt.isa say the same in two ways");
    if (a->build.target != NULL && is_config(&a->build, "nnrt.target"))
        return usage_error(c, "--target and ", "--config nnrt.target say the same in two ways");
    return a->build.target != NULL ? check_target(a->build.target) : TOOL_OK;
}

/* Fills *a from the arguments behind the command. */
static int parse_arguments(const command *c, int argc, char **argv, arguments *a) {
    char name[16];
    memset(a, 0, sizeof(*a));
    a->build.performance = OH_NN_PERFORMANCE_NONE;
    a->image.range = RANGE_AUTO;
    for (size_t i = 0; i < 3; i++) a->image.deviation[i] = 1.0f;
    a->warmup = DEFAULT_WARMUP;
    for (int i = 2; i < argc; i++) {
        if (looks_like_option(argv[i])) {
            const int result = parse_option(c, argc, argv, &i, a);
            if (result != TOOL_OK) return result;
        } else if (a->operand_count < MAX_OPERANDS && operand_name(c, a->operand_count, name))
            a->operands[a->operand_count++] = argv[i];
        else return usage_error(c, "one argument too many: ", argv[i]);
    }
    a->list_targets = a->build.target != NULL && strcmp(a->build.target, "?") == 0;
    if (a->list_targets) return TOOL_OK;
    if (operand_name(c, a->operand_count, name)) return usage_error(c, name, " is missing");
    a->build.model = a->operands[0];
    if (a->runs == 0) a->runs = a->seconds != 0 ? (size_t)MAX_RUNS : (size_t)DEFAULT_RUNS;
    if (c->bit == FOR_COMPILE && a->plan == NULL && a->c_file == NULL) return usage_error(c, "-o PLAN is missing", "");
    return check_arguments(c, a);
}

#endif /* NNRT_TOOLS_TOOL_PARSE_H */
