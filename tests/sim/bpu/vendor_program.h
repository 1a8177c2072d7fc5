/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_program.h - for tests: a program as the vendor's samples are, for any of the releases. What the releases lay
   out differently it reads and writes by the offsets of a table, made of vendor.h. Behind criterion.h. */
#ifndef NNRT_TESTS_SIM_BPU_VENDOR_PROGRAM_H
#define NNRT_TESTS_SIM_BPU_VENDOR_PROGRAM_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/sim_control.h"
#include "sim_bpu_control.h"
#include "vendor.h"

#define PROGRAM_MAX 6

/* Of 0 there is no such field. */
typedef struct program_layout {
    const char *release;
    bool ucp;
    size_t tensor;                            /* bytes */
    size_t zeros, quant, axis, bytes, stride; /* in the properties */
} program_layout;

#define PROGRAM_AT(type, field) offsetof(vendor_properties_##type, field)
static const program_layout program_layouts[] = {
    {"1.6.1", false, sizeof(vendor_tensor_161), 0, PROGRAM_AT(161, quantiType), 0, PROGRAM_AT(161, alignedByteSize), 0},
    {"1.9.7", false, sizeof(vendor_tensor_197), PROGRAM_AT(197, scale.zeroPointLen), PROGRAM_AT(197, quantiType), 0,
     PROGRAM_AT(197, alignedByteSize), 0},
    {"1.14.1", false, sizeof(vendor_tensor_1141), PROGRAM_AT(1141, scale.zeroPointLen), PROGRAM_AT(1141, quantiType),
     PROGRAM_AT(1141, quantizeAxis), PROGRAM_AT(1141, alignedByteSize), 0},
    {"1.18.", false, sizeof(vendor_tensor_1184), PROGRAM_AT(1184, scale.zeroPointLen), PROGRAM_AT(1184, quantiType),
     PROGRAM_AT(1184, quantizeAxis), PROGRAM_AT(1184, alignedByteSize), PROGRAM_AT(1184, stride)},
    {"", false, sizeof(vendor_tensor_1184), PROGRAM_AT(1184, scale.zeroPointLen), PROGRAM_AT(1184, quantiType),
     PROGRAM_AT(1184, quantizeAxis), PROGRAM_AT(1184, alignedByteSize), PROGRAM_AT(1184, stride)},
    {"1.24.5", false, sizeof(vendor_tensor_1184), PROGRAM_AT(1184, scale.zeroPointLen), PROGRAM_AT(1184, quantiType),
     PROGRAM_AT(1184, quantizeAxis), PROGRAM_AT(1184, alignedByteSize), PROGRAM_AT(1184, stride)},
    {"3.", true, sizeof(vendor_ucp_tensor), offsetof(vendor_ucp_properties, scale.zeroPointLen),
     offsetof(vendor_ucp_properties, quantiType), offsetof(vendor_ucp_properties, quantizeAxis),
     offsetof(vendor_ucp_properties, alignedByteSize), offsetof(vendor_ucp_properties, stride)}};

/* Chips, and releases for each; "" is 1.23.10. */
typedef struct program_board {
    const char *chip;
    const char *releases[6];
} program_board;

static const program_board program_boards[] = {{"x3", {"1.6.1", "1.9.7", "1.14.1", "1.18.4", "1.18.6", ""}},
                                               {"j5", {"1.14.1", "1.24.5"}},
                                               {"x5", {""}},
                                               {"s100", {"3.6.1", "3.12.3"}},
                                               {"s600", {"3.13.6"}}};

/* What properties say, whatever the release; types are numbered as in 1.x. */
typedef struct program_properties {
    int32_t rank, valid[10], aligned[10]; /* UCP has no aligned: as valid */
    int64_t stride[10];                   /* 0: the release has none */
    int32_t layout, type, quant, axis;
    int64_t bytes;
    int32_t shifts, scales, zeros;
    const uint8_t *shift;
    const float *scale;
    const int8_t *zero;       /* of 1.x */
    const int32_t *wide_zero; /* of UCP */
} program_properties;

typedef struct program {
    const program_layout *layout;
    const char *chip, *release;
    void *library;
    vendor_handle packed, model, task;
    int32_t input_count, output_count;
    program_properties input[PROGRAM_MAX], output[PROGRAM_MAX];
    uint8_t inputs[PROGRAM_MAX * 272], outputs[PROGRAM_MAX * 272]; /* arrays of tensors */
} program;

static const char *program_folder(void) {
    const char *folder = getenv("NNRT_SIM_DIR");
    return folder ? folder : "build/sim";
}

/* The address of a function; NULL: the release lacks it. */
static void *program_find(const program *p, const char *name) { return dlsym(p->library, name); }

static uintptr_t program_need(const program *p, const char *name) {
    void *address = program_find(p, name);
    cr_assert_not_null(address, "%s %s has no %s", p->chip, p->release, name);
    return (uintptr_t)address;
}

/* PROGRAM_CALL(p, "name", (types), (arguments)): a function of the vendor's that returns a code. */
#define PROGRAM_CALL(p, name, types, arguments) (((int32_t(*) types)program_need(p, name))arguments)

#define PROGRAM_WORKS(call)                                      \
    do {                                                         \
        const int32_t works_ = (call);                           \
        cr_assert_eq(works_, 0, "%s is %d", #call, (int)works_); \
    } while (0)

/* ------------------------------------------------------------------------------------------------- the board itself */

static unsigned program_mistakes(const program *p) {
    return ((unsigned (*)(void))program_need(p, "nnrt_sim_mistakes"))();
}

static const char *program_mistake(const program *p, unsigned index) {
    return ((const char *(*)(unsigned))program_need(p, "nnrt_sim_mistake"))(index);
}

static void program_library(const char *release, char *path, size_t room) {
    snprintf(path, room, "%s/%s%slibdnn.so", program_folder(), release, release[0] ? "/" : "");
}

/* For a test that opens the board in a child: it is skipped where there is none. */
__attribute__((unused)) static void program_present(const char *release) {
    char path[400];
    FILE *file;
    program_library(release, path, sizeof(path));
    file = fopen(path, "rb");
    if (!file) cr_skip_test("skipped, no simulated board: %s", path);
    fclose(file);
}

static void program_open(program *p, const char *chip, const char *release) {
    char path[400];
    size_t i;
    memset(p, 0, sizeof(*p));
    p->chip = chip;
    p->release = release;
    setenv("NNRT_SIM_REPORT", "0", 0);
    setenv("NNRT_SIM_CHIP", chip, 1);
    for (i = 0; i < sizeof(program_layouts) / sizeof(program_layouts[0]); i++) {
        const char *prefix = program_layouts[i].release;
        if (prefix[0] ? strncmp(release, prefix, strlen(prefix)) == 0 : !release[0]) p->layout = &program_layouts[i];
    }
    cr_assert_not_null(p->layout, "%s is no release", release);
    program_library(release, path, sizeof(path));
    p->library = dlopen(path, RTLD_NOW);
    if (!p->library) cr_skip_test("skipped, no simulated board: %s", dlerror());
}

/* The next task begins, and stays there until it is let go. Calls are counted from here on. */
__attribute__((unused)) static void program_hold(const program *p) {
    ((void (*)(const char *))program_need(p, "nnrt_sim_fault"))("task@1=hang:60000");
}

/* Waits until so many calls of the function have begun; "task": until a core has begun so many. */
__attribute__((unused)) static void program_until(const program *p, const char *function, unsigned calls) {
    const struct timespec pause = {0, 1000000};
    int i;
    for (i = 0; i < 20000; i++) {
        if (((unsigned (*)(const char *))program_need(p, "nnrt_sim_calls"))(function) >= calls) return;
        nanosleep(&pause, NULL);
    }
    cr_assert_fail("%s %s: no call of %s came", p->chip, p->release, function);
}

__attribute__((unused)) static void program_let_go(const program *p) {
    ((void (*)(void))program_need(p, "nnrt_sim_release_hang"))();
}

/* ------------------------------------------------------------------------------------------------------ structures */

static int32_t program_i32(const void *at) {
    int32_t value;
    memcpy(&value, at, 4);
    return value;
}

static const void *program_pointer(const void *at) {
    const void *value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static void program_read_ucp(const vendor_ucp_properties *from, program_properties *to) {
    int32_t i;
    to->rank = from->validShape.numDimensions;
    for (i = 0; i < 10; i++) to->valid[i] = to->aligned[i] = from->validShape.dimensionSize[i];
    for (i = 0; i < 10; i++) to->stride[i] = from->stride[i];
    to->layout = VENDOR_NO_LAYOUT;
    to->type = from->tensorType + VENDOR_S4;
    to->quant = from->quantiType ? VENDOR_SCALE : VENDOR_NONE;
    to->axis = from->quantizeAxis;
    to->bytes = from->alignedByteSize;
    to->scales = from->scale.scaleLen;
    to->scale = from->scale.scaleData;
    to->zeros = from->scale.zeroPointLen;
    to->wide_zero = from->scale.zeroPointData;
}

static void program_read(const program *p, const void *properties, program_properties *to) {
    const program_layout *l = p->layout;
    const uint8_t *from = (const uint8_t *)properties;
    const vendor_properties_161 *common = (const vendor_properties_161 *)properties;
    int32_t i;
    memset(to, 0, sizeof(*to));
    if (l->ucp) {
        program_read_ucp((const vendor_ucp_properties *)properties, to);
        return;
    }
    to->rank = common->validShape.numDimensions;
    for (i = 0; i < 8; i++) to->valid[i] = common->validShape.dimensionSize[i];
    for (i = 0; i < 8; i++) to->aligned[i] = common->alignedShape.dimensionSize[i];
    for (i = 0; l->stride && i < 8; i++) to->stride[i] = program_i32(from + l->stride + 4 * (size_t)i);
    to->layout = common->tensorLayout;
    to->type = common->tensorType;
    to->shifts = common->shift.shiftLen;
    to->shift = common->shift.shiftData;
    to->scales = common->scale.scaleLen;
    to->scale = common->scale.scaleData;
    if (l->zeros) to->zeros = program_i32(from + l->zeros);
    if (l->zeros) to->zero = (const int8_t *)program_pointer(from + l->zeros + 8);
    to->quant = program_i32(from + l->quant);
    to->axis = l->axis ? program_i32(from + l->axis) : 0;
    to->bytes = program_i32(from + l->bytes);
}

static void *program_tensor(const program *p, bool output, int32_t index) {
    return (void *)(uintptr_t)((output ? p->outputs : p->inputs) + (size_t)index * p->layout->tensor);
}

/* hbSysMem and hbUCPSysMem differ in memSize alone. */
static vendor_memory *program_memory(const program *p, bool output, int32_t index) {
    return (vendor_memory *)program_tensor(p, output, index);
}

static uint8_t *program_bytes(const program *p, bool output, int32_t index) {
    return (uint8_t *)program_memory(p, output, index)->virAddr;
}

/* --------------------------------------------------------------------------------------------------------- memory */

static int32_t program_allocate(const program *p, void *memory, uint64_t size, bool cached) {
    if (p->layout->ucp)
        return PROGRAM_CALL(p, cached ? "hbUCPMallocCached" : "hbUCPMalloc", (void *, uint64_t, int32_t),
                            (memory, size, 0));
    return PROGRAM_CALL(p, cached ? "hbSysAllocCachedMem" : "hbSysAllocMem", (void *, uint32_t),
                        (memory, (uint32_t)size));
}

static int32_t program_free(const program *p, void *memory) {
    return PROGRAM_CALL(p, p->layout->ucp ? "hbUCPFree" : "hbSysFreeMem", (void *), (memory));
}

static int32_t program_flush(const program *p, void *memory, int32_t flag) {
    return PROGRAM_CALL(p, p->layout->ucp ? "hbUCPMemFlush" : "hbSysFlushMem", (void *, int32_t), (memory, flag));
}

/* --------------------------------------------------------------------------------------------------------- models */

static void program_path(const program *p, const char *name, char *path, size_t room) {
    snprintf(path, room, "%s/models/%s.%s.%s", program_folder(), name, p->chip, p->layout->ucp ? "hbm" : "bin");
}

static int32_t program_initialize(program *p, const char *name) {
    char path[400];
    const char *files[1];
    program_path(p, name, path, sizeof(path));
    files[0] = path;
    return PROGRAM_CALL(p, "hbDNNInitializeFromFiles", (vendor_handle *, const char **, int32_t),
                        (&p->packed, files, 1));
}

static void program_describe(const program *p, bool output, int32_t index, program_properties *properties) {
    union {
        uint8_t bytes[272];
        uint64_t aligned;
    } raw;
    PROGRAM_WORKS(PROGRAM_CALL(p, output ? "hbDNNGetOutputTensorProperties" : "hbDNNGetInputTensorProperties",
                               (void *, vendor_handle, int32_t), (raw.bytes, p->model, index)));
    program_read(p, raw.bytes, properties);
}

/* Takes the model of that name; NULL: the first. */
static void program_choose(program *p, const char *name) {
    const char **names = NULL;
    int32_t count = 0, i;
    PROGRAM_WORKS(PROGRAM_CALL(p, "hbDNNGetModelNameList", (const char ***, int32_t *, vendor_handle),
                               (&names, &count, p->packed)));
    cr_assert_gt(count, 0);
    PROGRAM_WORKS(PROGRAM_CALL(p, "hbDNNGetModelHandle", (vendor_handle *, vendor_handle, const char *),
                               (&p->model, p->packed, name ? name : names[0])));
    PROGRAM_WORKS(PROGRAM_CALL(p, "hbDNNGetInputCount", (int32_t *, vendor_handle), (&p->input_count, p->model)));
    PROGRAM_WORKS(PROGRAM_CALL(p, "hbDNNGetOutputCount", (int32_t *, vendor_handle), (&p->output_count, p->model)));
    cr_assert(p->input_count <= PROGRAM_MAX && p->output_count <= PROGRAM_MAX);
    for (i = 0; i < p->input_count; i++) program_describe(p, false, i, &p->input[i]);
    for (i = 0; i < p->output_count; i++) program_describe(p, true, i, &p->output[i]);
}

/* UCP: rows that the caller has to choose, and their bytes; unit: what rows are multiples of. */
static void program_fill_in(program_properties *properties, int64_t unit) {
    int64_t step = 1;
    int32_t i;
    for (i = properties->rank; i-- > 0;) {
        if (properties->stride[i] < 0) properties->stride[i] = (step + unit - 1) / unit * unit;
        step = properties->stride[i] * properties->valid[i];
    }
    if (properties->bytes < 0) properties->bytes = step;
}

/* Tensors with cached memory of alignedByteSize, and the queried properties. */
static void program_tensors(program *p) {
    int32_t side, i;
    for (side = 0; side < 2; side++) {
        for (i = 0; i < (side ? p->output_count : p->input_count); i++) {
            uint8_t *tensor = (uint8_t *)program_tensor(p, side != 0, i);
            program_properties *properties = side ? &p->output[i] : &p->input[i];
            memset(tensor, 0, p->layout->tensor);
            PROGRAM_WORKS(PROGRAM_CALL(p, side ? "hbDNNGetOutputTensorProperties" : "hbDNNGetInputTensorProperties",
                                       (void *, vendor_handle, int32_t),
                                       (tensor + (p->layout->ucp ? 24 : 96), p->model, i)));
            if (p->layout->ucp) {
                vendor_ucp_tensor *ucp = (vendor_ucp_tensor *)(void *)tensor;
                program_fill_in(properties, strcmp(p->chip, "s600") == 0 ? 64 : 32);
                memcpy(ucp->properties.stride, properties->stride, sizeof(properties->stride));
            }
            PROGRAM_WORKS(program_allocate(p, tensor, (uint64_t)properties->bytes, true));
        }
    }
}

static void program_load(program *p, const char *name, const char *model) {
    PROGRAM_WORKS(program_initialize(p, name));
    program_choose(p, model);
    program_tensors(p);
}

/* ---------------------------------------------------------------------------------------------------------- tasks */

static int32_t program_infer(program *p, vendor_handle *task, int32_t priority, int64_t custom, int32_t more) {
    vendor_control control;
    void *outputs = p->outputs;
    if (p->layout->ucp)
        return PROGRAM_CALL(p, "hbDNNInferV2", (vendor_handle *, void *, const void *, vendor_handle),
                            (task, p->outputs, p->inputs, p->model));
    memset(&control, 0, sizeof(control));
    control.priority = priority;
    control.customId = strncmp(p->release, "1.6", 3) && strncmp(p->release, "1.9", 3) ? custom : 0;
    control.more = more;
    return PROGRAM_CALL(p, "hbDNNInfer", (vendor_handle *, void **, const void *, vendor_handle, void *),
                        (task, &outputs, p->inputs, p->model, &control));
}

static int32_t program_submit(const program *p, vendor_handle task, int32_t priority, int64_t custom,
                              uint64_t backend) {
    vendor_ucp_sched sched;
    memset(&sched, 0, sizeof(sched));
    sched.priority = priority;
    sched.customId = custom;
    sched.backend = backend;
    return PROGRAM_CALL(p, "hbUCPSubmitTask", (vendor_handle, void *), (task, &sched));
}

static int32_t program_wait(const program *p, vendor_handle task, int32_t milliseconds) {
    return PROGRAM_CALL(p, p->layout->ucp ? "hbUCPWaitTaskDone" : "hbDNNWaitTaskDone", (vendor_handle, int32_t),
                        (task, milliseconds));
}

static int32_t program_release(const program *p, vendor_handle task) {
    return PROGRAM_CALL(p, p->layout->ucp ? "hbUCPReleaseTask" : "hbDNNReleaseTask", (vendor_handle), (task));
}

/* Into p->task. */
__attribute__((unused)) static int32_t program_roi_infer(program *p, const vendor_roi *rois, int32_t count) {
    vendor_control control;
    void *outputs = p->outputs;
    memset(&control, 0, sizeof(control));
    p->task = NULL;
    return PROGRAM_CALL(p, "hbDNNRoiInfer",
                        (vendor_handle *, void **, const void *, const vendor_roi *, int32_t, vendor_handle, void *),
                        (&p->task, &outputs, p->inputs, rois, count, p->model, &control));
}

/* A task that is at work or waits for a core. */
static void program_start(program *p, int32_t priority, int64_t custom) {
    p->task = NULL;
    PROGRAM_WORKS(program_infer(p, &p->task, priority, custom, 0));
    if (p->layout->ucp) PROGRAM_WORKS(program_submit(p, p->task, priority, custom, VENDOR_UCP_BPU_ANY));
}

/* CLEAN, run, wait, INVALIDATE, release. */
static void program_run(program *p) {
    int32_t i;
    for (i = 0; i < p->input_count; i++) PROGRAM_WORKS(program_flush(p, program_memory(p, false, i), VENDOR_CLEAN));
    program_start(p, 0, 0);
    PROGRAM_WORKS(program_wait(p, p->task, 0));
    for (i = 0; i < p->output_count; i++)
        PROGRAM_WORKS(program_flush(p, program_memory(p, true, i), VENDOR_INVALIDATE));
    PROGRAM_WORKS(program_release(p, p->task));
}

static void program_unload(program *p) {
    int32_t i;
    for (i = 0; i < p->input_count; i++) PROGRAM_WORKS(program_free(p, program_memory(p, false, i)));
    for (i = 0; i < p->output_count; i++) PROGRAM_WORKS(program_free(p, program_memory(p, true, i)));
    PROGRAM_WORKS(PROGRAM_CALL(p, "hbDNNRelease", (vendor_handle), (p->packed)));
    p->packed = NULL;
}

/* Nothing may be left, and nothing may have been done wrong. */
static void program_close(program *p) {
    nnrt_sim_live live;
    if (p->packed) program_unload(p);
    ((void (*)(nnrt_sim_live *))program_need(p, "nnrt_sim_get_live"))(&live);
    cr_expect_eq(live.contexts + live.memories + live.fds, 0, "%s %s: something is left alive", p->chip, p->release);
    cr_expect_eq(program_mistakes(p), 0, "%s %s: %s", p->chip, p->release,
                 program_mistakes(p) ? program_mistake(p, 0) : "");
}

#endif /* NNRT_TESTS_SIM_BPU_VENDOR_PROGRAM_H */
