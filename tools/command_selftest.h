/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_selftest.h - `nnrt selftest`: does this machine compute what it should? With --npu, its NPU. */
#ifndef NNRT_TOOLS_COMMAND_SELFTEST_H
#define NNRT_TOOLS_COMMAND_SELFTEST_H

#include "arguments.h"
#include "tool_text.h"

static void print_selftest_line(void *user, const char *line) {
    (void)user;
    puts(line);
    (void)fflush(stdout); /* the next line may take seconds on a slow board */
}

/* ------------------------------------------------------------------- an NPU against the NPU in software */

enum {
    NPU_INPUTS = 4 /* that are tried with each file */
};

/* The NPU that a file is for, and the one in software, which knows those of RV1103, RV1106 and RK3588. */
typedef struct npu_pair {
    session npu, sim;
} npu_pair;

static int open_pair(const char *path, npu_pair *pair) {
    build_options *how = (build_options *)allocate(sizeof(*how));
    memset(how, 0, sizeof(*how));
    how->model = path;
    int result = session_open(&pair->npu, how);
    if (result == TOOL_OK) result = make_tensors(&pair->npu);
    how->device = RKCHIP_DEVICE;
    if (result == TOOL_OK) result = session_open(&pair->sim, how);
    if (result == TOOL_OK) result = make_tensors(&pair->sim);
    free(how);
    if (result != TOOL_OK) return result;
    if (pair->npu.input_count == pair->sim.input_count && pair->npu.output_count == pair->sim.output_count)
        return TOOL_OK;
    return complain(TOOL_REFUSED, "%s: the NPU and the one in software do not have the same inputs and outputs", path);
}

/* The bytes of two tensors; false: they are not of one size. */
static bool pair_bytes(const NN_Tensor *a, const NN_Tensor *b, size_t *bytes) {
    OH_NN_DataType type_a = OH_NN_UNKNOWN, type_b = OH_NN_UNKNOWN;
    size_t elements = 0, other = 0;
    return tensor_facts(a, &type_a, &elements, bytes) == TOOL_OK &&
           tensor_facts(b, &type_b, &elements, &other) == TOOL_OK && type_a == type_b && *bytes == other;
}

/* Runs both with input number n. *differing, *bytes: of all outputs so far; the first that differs is told. */
static int run_pair(const char *path, npu_pair *pair, unsigned n, size_t *differing, size_t *bytes) {
    uint64_t noise = 0x9e3779b97f4a7c15u + n;
    size_t size = 0;
    for (size_t i = 0; i < pair->npu.input_count; i++) {
        if (!pair_bytes(pair->npu.inputs[i], pair->sim.inputs[i], &size))
            return complain(TOOL_REFUSED, "%s: input %zu has another type or size on the NPU", path, i);
        uint8_t *data = (uint8_t *)OH_NNTensor_GetDataBuffer(pair->npu.inputs[i]);
        fill_random(OH_NN_INT8, data, size, &noise);
        memcpy(OH_NNTensor_GetDataBuffer(pair->sim.inputs[i]), data, size);
    }
    int result = run_once(&pair->npu);
    if (result == TOOL_OK) result = run_once(&pair->sim);
    for (size_t i = 0; i < pair->npu.output_count && result == TOOL_OK; i++) {
        if (!pair_bytes(pair->npu.outputs[i], pair->sim.outputs[i], &size))
            return complain(TOOL_REFUSED, "%s: output %zu has another type or size on the NPU", path, i);
        const int8_t *a = (const int8_t *)OH_NNTensor_GetDataBuffer(pair->npu.outputs[i]);
        const int8_t *b = (const int8_t *)OH_NNTensor_GetDataBuffer(pair->sim.outputs[i]);
        *bytes += size;
        for (size_t k = 0; k < size; k++) {
            if (a[k] == b[k]) continue;
            if ((*differing)++ == 0)
                printf("DIFFERS  %s: input %u, output %zu, byte %zu: the NPU has %d, the one in software %d\n", path, n,
                       i, k, a[k], b[k]);
        }
    }
    return result;
}

/* One file, one line or two. *differs is set where a byte differs. */
static int try_npu_file(const char *path, bool *differs) {
    npu_pair *pair = (npu_pair *)allocate(sizeof(*pair));
    size_t differing = 0, bytes = 0;
    memset(pair, 0, sizeof(*pair));
    int result = open_pair(path, pair);
    for (unsigned n = 0; n < NPU_INPUTS && result == TOOL_OK; n++) result = run_pair(path, pair, n, &differing, &bytes);
    if (result == TOOL_OK)
        printf("%s  %s: %zu of %zu bytes differ, %u inputs, %s\n", differing == 0 ? "ok     " : "DIFFERS", path,
               differing, bytes, NPU_INPUTS, pair->npu.device_name);
    (void)fflush(stdout);
    *differs = *differs || differing != 0;
    session_close(&pair->npu);
    session_close(&pair->sim);
    free(pair);
    return result;
}

static int try_npu(const arguments *a) {
    bool differs = false;
    int result = TOOL_OK;
    printf("nnrt %s\n", nnrt_version());
    for (size_t i = 0; i < a->input_count && result == TOOL_OK; i++) result = try_npu_file(a->inputs[i], &differs);
    if (result != TOOL_OK || !differs) return result;
    return complain(TOOL_REFUSED, "this NPU does not compute what the one in software does: please report this page");
}

static int command_selftest(const arguments *a) {
    if (a->input_count > 0) return try_npu(a);
    return nnrt_selftest(print_selftest_line, NULL) == OH_NN_SUCCESS ? TOOL_OK
                                                                     : complain(TOOL_REFUSED, "%s", nnrt_last_error());
}

#endif /* NNRT_TOOLS_COMMAND_SELFTEST_H */
