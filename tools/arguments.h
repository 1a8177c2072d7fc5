/* SPDX-License-Identifier: Apache-2.0 */
/* tools/arguments.h - everything that can stand on the command line, as the commands get it. */
#ifndef NNRT_TOOLS_ARGUMENTS_H
#define NNRT_TOOLS_ARGUMENTS_H

#include "tool_image.h"
#include "tool_model.h"

enum {
    FOR_DEVICES = 1,
    FOR_INSPECT = 2,
    FOR_RUN = 4,
    FOR_BENCH = 8,
    FOR_COMPILE = 16,
    FOR_DIFF = 32,
    FOR_DOCTOR = 64,
    FOR_SELFTEST = 128,
    FOR_MODELS = 62
};
enum {
    MAX_OPERANDS = 2,
    MAX_RUNS = 1000000,
    MAX_THREADS = 64, /* of the extension config nnrt.threads */
    MAX_TOP = 1000,
    MAX_SECONDS = 86400,
    MAX_EXECUTORS = 64,
    DEFAULT_RUNS = 100,
    DEFAULT_WARMUP = 5,
    DEFAULT_TOP = 5
};

/* Everything that can stand on the command line. */
typedef struct arguments {
    const char *operands[MAX_OPERANDS]; /* what stands beside the options */
    size_t operand_count;
    build_options build;     /* its model is the first operand */
    const char *device_b;    /* diff: of B; NULL: not given */
    build_options configs_b; /* of which the configs are B's */
    const char *inputs[MAX_TENSORS];
    const char *outputs[MAX_TENSORS];
    size_t input_count, output_count;
    const char *expected[MAX_TENSORS];
    size_t expected_count;
    double tolerance;
    bool has_tolerance;
    const char *dump; /* folder; NULL: not given */
    const char *plan, *c_file;
    image_wishes image;
    const char *labels; /* file; NULL: not given */
    size_t top;         /* 0: not given */
    size_t runs, warmup;
    size_t seconds;     /* 0: not given */
    double deadline_ms; /* 0: not given */
    const char *trace;  /* NULL: not given */
    const char *root;   /* of /proc, /sys and /dev; NULL: the machine's own */
    const char *cache;  /* folder; NULL: not given */
    bool list_targets;  /* all that is asked for, as the next one */
    bool ops;           /* the line of NNRT_OPS is all that is asked for */
    bool json;
} arguments;

#endif /* NNRT_TOOLS_ARGUMENTS_H */
