/* SPDX-License-Identifier: Apache-2.0 */
/* tools/options.h - the commands and their options, each as a row of a table. Help, the man page, the completion of
   shells (tool_help.h) and the reading of the command line (tool_parse.h) are made from these rows.

   A new option: its name in option_id, a row in options[], a case in take_value() of tool_parse.h. A new command: its
   bit in arguments.h, a room command_NAME.h, a row in commands[]. */
#ifndef NNRT_TOOLS_OPTIONS_H
#define NNRT_TOOLS_OPTIONS_H

#include "command_bench.h"
#include "command_compile.h"
#include "command_devices.h"
#include "command_diff.h"
#include "command_doctor.h"
#include "command_selftest.h"
#include "command_inspect.h"
#include "command_run.h"

typedef struct command {
    const char *name;
    unsigned bit; /* FOR_* */
    int (*run)(const arguments *a);
    const char *operands; /* what stands beside the options, in order: "MODEL", "A B", "" */
    const char *synopsis;
    const char *summary; /* one line, for lists */
    const char *about;   /* sentences; broken into lines where they are printed */
} command;

static const command commands[] = {
    {"devices", FOR_DEVICES, command_devices, "", "nnrt devices", "list the devices",
     "Lists the devices of this build on this machine, the default of the library first, and says why one that was "
     "built in is missing."},
    {"inspect", FOR_INSPECT, command_inspect, "MODEL", "nnrt inspect MODEL [OPTION...]",
     "print inputs, outputs, compiled steps and memory",
     "Prints inputs, outputs, the compiled steps with their weights and multiply-accumulates (MACs), memory, and what "
     "the device tells. What the file tells about itself comes first, and without the device it is for, too."},
    {"run", FOR_RUN, command_run, "MODEL", "nnrt run MODEL --input FILE... [--output FILE...] [OPTION...]",
     "run a model once",
     "Runs the model once. Files hold tensors in the order of the model's inputs and outputs: .npy of numpy, else raw "
     "(row-major, little-endian). An input 1 x height x width x 1 or 3 may be a picture: .pgm or .ppm (binary, 8 bit), "
     "and "
     ".png, .jpg or .bmp where the tool was built with libstb; grey and RGB are converted. - is standard input or "
     "output. Without --output, --expect and --dump the largest values of each output are printed."},
    {"bench", FOR_BENCH, command_bench, "MODEL", "nnrt bench MODEL [OPTION...]", "time a model",
     "Times runs on random inputs that are the same every time, and shows memory."},
    {"compile", FOR_COMPILE, command_compile, "MODEL", "nnrt compile MODEL [-o PLAN] [--c FILE] [OPTION...]",
     "write the compiled model",
     "Writes the plan: the model compiled for the device, which loads without being compiled again. A plan is accepted "
     "wherever a model is."},
    {"diff", FOR_DIFF, command_diff, "A B", "nnrt diff A B [--input FILE...] [OPTION...]",
     "say where and why two models give different results",
     "Runs two models, or one model built in two ways, on the same inputs and compares their outputs and what their "
     "steps have computed; A and B may also be folders that nnrt run --dump has written. Says how far each is apart, "
     "which is the first that differs, and what that looks like: layout, row stride, zero point, scale, saturation, "
     "channel order, rounding. Without --input the inputs are those of a dump, or random ones. The exit code is 1 when "
     "an output differs."},
    {"doctor", FOR_DOCTOR, command_doctor, "", "nnrt doctor [--cache FOLDER] [--json]",
     "say what of this machine keeps models from running, or from running fast",
     "Looks at the library, the devices, the nodes and drivers of NPUs and the rights of this user, memory and CMA, "
     "cores, "
     "governor, heat and a folder for caches, changes nothing, and says of each finding what to do. The exit code is 1 "
     "when "
     "one of them is a problem."},
    {"selftest", FOR_SELFTEST, command_selftest, "", "nnrt selftest [--npu FILE...]",
     "say whether this machine computes what it should",
     "Tries the main operators with every instruction set of the processor, plans and arenas, and times three "
     "products: a "
     "page for a bug report. With --npu, the NPU of this board instead, byte for byte against the one in software. The "
     "exit code is 1 when something fails."}};

enum {
    COMMAND_COUNT = sizeof(commands) / sizeof(commands[0])
};

typedef enum option_id {
    OPTION_DEVICE,
    OPTION_DEVICE_B,
    OPTION_CONFIG_B,
    OPTION_PERFORMANCE,
    OPTION_THREADS,
    OPTION_ISA,
    OPTION_SHAPE,
    OPTION_INPUT,
    OPTION_NPU,
    OPTION_OUTPUT,
    OPTION_EXPECT,
    OPTION_DUMP,
    OPTION_TOLERANCE,
    OPTION_PLAN,
    OPTION_C,
    OPTION_TARGET,
    OPTION_TOP,
    OPTION_RANGE,
    OPTION_RESIZE,
    OPTION_CHANNELS,
    OPTION_LAYOUT,
    OPTION_MEAN,
    OPTION_STD,
    OPTION_LABELS,
    OPTION_RUNS,
    OPTION_WARMUP,
    OPTION_SECONDS,
    OPTION_EXECUTORS,
    OPTION_DEADLINE,
    OPTION_TRACE,
    OPTION_PROFILE,
    OPTION_JSON,
    OPTION_CONFIG,
    OPTION_OPS,
    OPTION_ROOT,
    OPTION_CACHE
} option_id;

typedef struct option {
    option_id id;
    unsigned commands;   /* FOR_* that know it */
    char kind;           /* 'f' flag, 'v' one value, 'l' a list of values up to the next option */
    const char *name;    /* "--output" */
    const char *letter;  /* "-o"; NULL: it has none */
    const char *value;   /* what help calls the value: "NAME"; with FILE, PLAN or FOLDER in it shells complete paths */
    const char *choices; /* the values, parted by blanks, where there are few; NULL */
    const char *wants;   /* "a number from 1 to 64": said of a value that is none of those */
    const char *help;    /* phrases; the first one up to ". " or ";" is what shells show */
} option;

/* In the order of the help: first what is special to a command, then what all have. */
static const option options[] = {
    {OPTION_INPUT, FOR_RUN | FOR_DIFF, 'l', "--input", NULL, "FILE...", NULL, "at most 256 files",
     "one file per input"},
    {OPTION_NPU, FOR_SELFTEST, 'l', "--npu", NULL, "FILE...", NULL, "at most 256 files",
     "models that the NPU of this board is tried with; those of RV1103, RV1106 and RK3588 are known"},
    {OPTION_OUTPUT, FOR_RUN, 'l', "--output", NULL, "FILE...", NULL, "at most 256 files",
     "one file per output; replaced only when all of them could be written"},
    {OPTION_EXPECT, FOR_RUN, 'l', "--expect", NULL, "FILE...", NULL, "at most 256 files",
     "one file per output, of what it should be. Prints how far it is from that; the exit code is 1 where that is more "
     "than the tolerance"},
    {OPTION_TOLERANCE, FOR_RUN | FOR_DIFF, 'v', "--tolerance", NULL, "X", NULL, "a number from 0 on",
     "how far an element may be from the expected one: in run as both are stored, in diff as real values. Default: 0 "
     "for integers; for floats 0.00001 of the largest expected one, or of 1 where that is smaller; 0.002 for float16; "
     "in diff two steps of the coarser quantization where A and B differ in it"},
    {OPTION_DEVICE_B, FOR_DIFF, 'v', "--device-b", NULL, "NAME", NULL, "a value",
     "device of B. Without this and --config-b, B is built as A is; with either, B has these two options alone"},
    {OPTION_CONFIG_B, FOR_DIFF, 'v', "--config-b", NULL, "NAME=VALUE", NULL,
     "NAME=VALUE with a name below 64 bytes, at most 32 times",
     "extension config of the device of B, nnrt.isa=scalar for example; may be repeated"},
    {OPTION_DUMP, FOR_RUN, 'v', "--dump", NULL, "FOLDER", NULL, "a folder",
     "write the inputs, the outputs and what every step has computed as .npy, with an index.json. The model is "
     "compiled "
     "so that all of it stays in memory (nnrt.keep); of a device that shows no more, inputs and outputs"},
    {OPTION_TOP, FOR_RUN, 'v', "--top", NULL, "K", NULL, "a number from 1 to 1000",
     "print the K largest values of each output, dequantized (default 5)"},
    {OPTION_RANGE, FOR_RUN | FOR_DIFF, 'v', "--image-range", NULL, "R", "0..1 -1..1 0..255", "0..1, -1..1 or 0..255",
     "real values of black and white: 0..1, -1..1 or 0..255. Default: what the scale and zero point of the input "
     "cover, 0..1 for float; uint8 inputs get them as stored"},
    {OPTION_RESIZE, FOR_RUN | FOR_DIFF, 'v', "--resize", NULL, "HOW", "stretch letterbox crop",
     "stretch, letterbox or crop",
     "how a picture gets the size of the input, bilinear: stretch; letterbox, grey 114 around it; crop, its middle. "
     "Default: another size is refused"},
    {OPTION_CHANNELS, FOR_RUN | FOR_DIFF, 'v', "--channels", NULL, "ORDER", "rgb bgr gray", "rgb, bgr or gray",
     "order of the channels of the input (default rgb); gray: colours become luma, in every channel"},
    {OPTION_LAYOUT, FOR_RUN | FOR_DIFF, 'v', "--layout", NULL, "ORDER", "nhwc nchw", "nhwc or nchw",
     "order of the dimensions of an input that gets a picture. Default: as the model says, nhwc where it says nothing"},
    {OPTION_MEAN, FOR_RUN | FOR_DIFF, 'v', "--mean", NULL, "R,G,B", NULL, "one number from 0 on, or three with commas",
     "what the model wants taken off pixels of 0 to 255, in the order of the channels; in place of --image-range"},
    {OPTION_STD, FOR_RUN | FOR_DIFF, 'v', "--std", NULL, "R,G,B", NULL, "one number above 0, or three with commas",
     "what they are then divided by (default 1)"},
    {OPTION_LABELS, FOR_RUN, 'v', "--labels", NULL, "FILE", NULL, "a file",
     "names of the classes, one a line, printed beside the largest values"},
    {OPTION_CACHE, FOR_DOCTOR, 'v', "--cache", NULL, "FOLDER", NULL, "a folder",
     "the folder that the program gives to OH_NNCompilation_SetCache: can this user write there, and is there room"},
    {OPTION_ROOT, FOR_DOCTOR, 'v', "--root", NULL, "FOLDER", NULL, "a folder",
     "look at /proc, /sys and /dev below it, a copy from another machine; the library is asked here all the same"},
    {OPTION_OPS, FOR_INSPECT, 'f', "--ops", NULL, "", NULL, "",
     "print only the line of NNRT_OPS that the smallest build needs which runs the model"},
    {OPTION_RUNS, FOR_BENCH, 'v', "--runs", NULL, "N", NULL, "a number from 1 to 1000000", "timed runs (default 100)"},
    {OPTION_SECONDS, FOR_BENCH, 'v', "--seconds", NULL, "S", NULL, "a number from 1 to 86400",
     "end with the run that is under way when S seconds have passed; with --runs, whichever comes first"},
    {OPTION_EXECUTORS, FOR_BENCH, 'v', "--executors", NULL, "N", NULL, "a number from 1 to 64",
     "run N executors of the model at once, each in a thread of its own and for all the runs"},
    {OPTION_DEADLINE, FOR_BENCH, 'v', "--deadline", NULL, "MS", NULL, "milliseconds above 0",
     "count the runs that are longer; --trace marks them"},
    {OPTION_TRACE, FOR_BENCH, 'v', "--trace", NULL, "FILE", NULL, "a file",
     "write the first 1000 runs and their steps as trace events, for chrome://tracing; - is standard output, alone. "
     "Times each step"},
    {OPTION_WARMUP, FOR_BENCH, 'v', "--warmup", NULL, "N", NULL, "a number from 0 to 1000000",
     "runs before the timed ones (default 5)"},
    {OPTION_PROFILE, FOR_BENCH, 'f', "--profile", NULL, "", NULL, "",
     "time each step, too; costs a little time itself"},
    {OPTION_JSON, FOR_DEVICES | FOR_INSPECT | FOR_RUN | FOR_BENCH | FOR_DIFF | FOR_DOCTOR, 'f', "--json", NULL, "",
     NULL, "", "print one JSON object, whose fields docs/json.md explains"},
    {OPTION_PLAN, FOR_COMPILE, 'v', "--output", "-o", "PLAN", NULL, "a value",
     "file to write; replaced only when the plan is whole"},
    {OPTION_C, FOR_COMPILE, 'v', "--c", NULL, "FILE", NULL, "a value",
     "C file to write: the plan as a constant array, its arena's size, the steps that it needs (NNRT_STEPS), named "
     "after the file"},
    {OPTION_TARGET, FOR_INSPECT | FOR_COMPILE, 'v', "--target", NULL, "NAME", NULL, "a value",
     "compile for this instruction set of any processor, or for this chip; ? lists them"},
    {OPTION_DEVICE, FOR_MODELS, 'v', "--device", NULL, "NAME", NULL, "a value",
     "device to build for: its name or a beginning that only it has. Default: the one that the file is for, by what "
     "the file begins with"},
    {OPTION_PERFORMANCE, FOR_MODELS, 'v', "--performance", NULL, "MODE", "low medium high extreme",
     "low, medium, high or extreme", "low, medium, high or extreme"},
    {OPTION_THREADS, FOR_MODELS, 'v', "--threads", NULL, "N", NULL, "a number from 1 to 64",
     "threads of the CPU device"},
    {OPTION_ISA, FOR_MODELS, 'v', "--isa", NULL, "LEVEL", NULL, "a value",
     "instruction set of the CPU device: scalar, neon, sse41, avx2 ..."},
    {OPTION_CONFIG, FOR_MODELS, 'v', "--config", NULL, "NAME=VALUE", NULL,
     "NAME=VALUE with a name below 64 bytes, at most 32 times",
     "extension config of the device, nnrt.passes=none for example; may be repeated"},
    {OPTION_SHAPE, FOR_INSPECT | FOR_RUN | FOR_BENCH | FOR_DIFF, 'v', "--shape", NULL, "I=1x96x96x3", NULL,
     "INDEX=1x96x96x3, each dimension at least 1", "shape of input I (counted from 0) where the model leaves it open"}};

enum {
    OPTION_COUNT = sizeof(options) / sizeof(options[0])
};

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

#endif /* NNRT_TOOLS_OPTIONS_H */
