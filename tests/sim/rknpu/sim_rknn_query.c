/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_query.c - rknn_query, with the checks in the order of the real one, and the shapes of dynamic
   models. */
#include "sim_rknn.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* First value of rknn_query_cmd that this version does not know. */
static int sim_rknn_query_max(void) {
    return NNRT_SIM_VERSION >= 0x010502 ? 18 : NNRT_SIM_VERSION >= 0x010500 ? 16 : 13;
}

static size_t sim_rknn_query_size(int cmd) {
    switch (cmd) {
    case NNRT_RKNN_QUERY_IN_OUT_NUM: return sizeof(nnrt_rknn_input_output_num);
    case NNRT_RKNN_QUERY_PERF_DETAIL: return sizeof(nnrt_rknn_perf_detail);
    case NNRT_RKNN_QUERY_PERF_RUN: return sizeof(nnrt_rknn_perf_run);
    case NNRT_RKNN_QUERY_SDK_VERSION: return sizeof(nnrt_rknn_sdk_version);
    case NNRT_RKNN_QUERY_MEM_SIZE:
        return NNRT_SIM_MINI ? 8 : sizeof(nnrt_rknn_mem_size); /* librknnmrt takes the old structure too */
    case NNRT_RKNN_QUERY_CUSTOM_STRING: return sizeof(nnrt_rknn_custom_string);
    case NNRT_RKNN_QUERY_DEVICE_MEM_INFO: return sizeof(nnrt_rknn_tensor_mem);
    case NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE: return sizeof(nnrt_rknn_input_range);
    default: return sizeof(nnrt_rknn_tensor_attr);
    }
}

/* How many inputs (outputs) the caller is told of: none in a context of librknnrt that is for its sizes only. */
static uint32_t sim_rknn_shown(const sim_rknn_context *context, bool output) {
    if (NNRT_SIM_VERSION >= 0x010500 && (context->flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY)) return 0;
    return output ? context->n_output : context->n_input;
}

static bool sim_rknn_query_of_output(int cmd) {
    return cmd == NNRT_RKNN_QUERY_OUTPUT_ATTR || cmd == NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR ||
           cmd == NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR || cmd == NNRT_RKNN_QUERY_CURRENT_OUTPUT_ATTR ||
           cmd == NNRT_RKNN_QUERY_CURRENT_NATIVE_OUTPUT_ATTR;
}

/* The code of what a model without dynamic shapes does not have. */
static int sim_rknn_query_static(int cmd) {
    return cmd >= NNRT_RKNN_QUERY_CURRENT_NATIVE_INPUT_ATTR ? NNRT_RKNN_ERR_CTX_INVALID : NNRT_RKNN_ERR_MODEL_INVALID;
}

static int sim_rknn_query_attr(const sim_rknn_context *context, int cmd, nnrt_rknn_tensor_attr *attr) {
    const bool output = sim_rknn_query_of_output(cmd), dynamic = sim_model_shapes(context->shared->model) > 1;
    const sim_rknn_chip *chip = sim_rknn_board_chip();
    const sim_rknn_port *port = &context->ports[attr->index + (output ? context->n_input : 0)];
    sim_tensor tensor;
    sim_rknn_layout layout;
    if (cmd >= NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR && !dynamic) return sim_rknn_query_static(cmd);
    if (cmd >= NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR && !context->shape_set) return NNRT_RKNN_ERR_FAIL;
    sim_model_tensor(context->shared->model, output, attr->index,
                     cmd >= NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR ? context->shape : 0, &tensor);
    sim_rknn_tensor_native(chip, &tensor, output, &layout);
    switch (cmd) {
    case NNRT_RKNN_QUERY_INPUT_ATTR:
    case NNRT_RKNN_QUERY_OUTPUT_ATTR:
    case NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR:
    case NNRT_RKNN_QUERY_CURRENT_OUTPUT_ATTR:
        if (chip->mini && !output) /* librknnmrt has only native inputs */
            sim_rknn_attr_native(&tensor, &layout, attr);
        else sim_rknn_attr_logical(chip, &tensor, output, attr);
        return 0;
    case NNRT_RKNN_QUERY_NATIVE_NHWC_INPUT_ATTR:
    case NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR:
        if (tensor.rank < 4 && !output) /* as the native ones */
            break;
        if (!sim_rknn_tensor_native_nhwc(chip, &tensor, output, &layout) || (output && dynamic) ||
            (output && chip->mini && tensor.type == SIM_FLOAT16)) {
            sim_log("query %d is not supported for %s: use the native attributes", cmd, tensor.name);
            return NNRT_RKNN_ERR_PARAM_INVALID;
        }
        break;
    default: break;
    }
    if (cmd == NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR) sim_rknn_attr_dense(chip, &tensor, attr);
    else sim_rknn_attr_native(&tensor, &layout, attr);
    if (port->bound.memory && cmd != NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR &&
        cmd < NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR)
        sim_rknn_attr_bound(port, &tensor, output, attr);
    return 0;
}

static void sim_rknn_query_version(nnrt_rknn_sdk_version *version) {
    const unsigned v = NNRT_SIM_VERSION;
    memset(version, 0, sizeof(*version));
    snprintf(version->api_version, sizeof(version->api_version), "%u.%u.%u%s (5133000@2025-01-02T03:04:05)", v >> 16,
             v >> 8 & 255u, v & 255u, v == 0x020000 ? "b0" : "");
    snprintf(version->drv_version, sizeof(version->drv_version), "%s", v < 0x010600 ? "0.8.8" : "0.9.8");
}

static void sim_rknn_query_memory(const sim_rknn_context *context, nnrt_rknn_mem_size *size) {
    memset(size, 0, sizeof(*size));
    size->total_weight_size = sim_model_weight_bytes(context->shared->model);
    size->total_internal_size = sim_model_internal_bytes(context->shared->model);
    sim_lock();
    size->total_dma_allocated_size = context->base.bytes + context->shared->base.bytes;
    size->total_sram_size = sim_rknn_chip_locked()->sram;
    size->free_sram_size = (uint32_t)sim_rknn_sram_left();
    sim_unlock();
}

static int sim_rknn_query_range(const sim_rknn_context *context, nnrt_rknn_input_range *range) {
    const uint32_t index = range->index;
    sim_tensor tensor;
    uint32_t shape, i;
    if (sim_model_shapes(context->shared->model) < 2) return sim_rknn_query_static(NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE);
    memset(range, 0, sizeof(*range));
    range->index = index;
    range->shape_number = sim_model_shapes(context->shared->model);
    for (shape = 0; shape < range->shape_number; ++shape) {
        sim_model_tensor(context->shared->model, false, index, shape, &tensor);
        for (i = 0; i < tensor.rank; ++i) range->dyn_range[shape][i] = tensor.dims[i];
    }
    range->n_dims = tensor.rank;
    range->fmt = tensor.rank == 4 ? NNRT_RKNN_NHWC : NNRT_RKNN_UNDEFINED;
    memcpy(range->name, tensor.name, sizeof(range->name));
    return 0;
}

/* ------------------------------------------------------------------------------------------------ profile */

/* Text by lines, as librknnrt prints it: layers share the time of the run. */
static char *sim_rknn_perf_text(const sim_rknn_context *context) {
    const uint32_t layers = sim_model_layers(context->shared->model);
    const size_t room = 160u * ((size_t)layers + 10);
    const long each = (long)(layers ? context->run_us / (int64_t)layers : 0) + 1;
    char *text = (char *)malloc(room);
    char line[100];
    size_t at;
    uint32_t i;
    if (!text) return NULL;
    memset(line, '-', sizeof(line) - 1);
    line[sizeof(line) - 1] = 0;
    at = (size_t)snprintf(text, room, "%s\n%30sNetwork Layer Information Table\n%s\n", line, "", line);
    at += (size_t)snprintf(text + at, room - at, "%-5s%-16s%-10s%-8s%-26s%-10s%-10s%s\n%s\n", "ID", "OpType",
                           "DataType", "Target", "Cycles(DDR/NPU/Total)", "Time(us)", "RW(KB)", "FullName", line);
    for (i = 0; i < layers && room - at > 200; ++i)
        at +=
            (size_t)snprintf(text + at, room - at, "%-5lu%-16.15s%-10s%-8s%-26s%-10ld%-10s%.15s:%lu\n",
                             (unsigned long)i + 1, sim_model_layer_name(context->shared->model, i), "INT8", "NPU",
                             "0/0/0", each, "0.00", sim_model_layer_name(context->shared->model, i), (unsigned long)i);
    snprintf(text + at, room - at, "%s\nTotal Operator Elapsed Time(us): %ld\n%s\n", line, each * (long)layers, line);
    return text;
}

static int sim_rknn_query_perf(sim_rknn_context *context, nnrt_rknn_perf_detail *detail) {
    if ((context->flags & NNRT_RKNN_FLAG_COLLECT_PERF_MASK) == 0 || context->frame == 0) return NNRT_RKNN_ERR_FAIL;
    free(context->perf);
    context->perf = sim_rknn_perf_text(context);
    if (!context->perf) return NNRT_RKNN_ERR_MALLOC_FAIL;
    detail->perf_data = context->perf;
    detail->data_len = strlen(context->perf) + 1;
    return 0;
}

/* --------------------------------------------------------------------------------------------- rknn_query */

static int sim_rknn_query(sim_rknn_context *context, int cmd, void *info, uint32_t size) {
    const bool mini = NNRT_SIM_MINI != 0;
    nnrt_rknn_mem_size memory;
    switch (cmd) {
    case NNRT_RKNN_QUERY_IN_OUT_NUM:
        ((nnrt_rknn_input_output_num *)info)->n_input = sim_rknn_shown(context, false);
        ((nnrt_rknn_input_output_num *)info)->n_output = sim_rknn_shown(context, true);
        return 0;
    case NNRT_RKNN_QUERY_PERF_DETAIL: return sim_rknn_query_perf(context, (nnrt_rknn_perf_detail *)info);
    case NNRT_RKNN_QUERY_PERF_RUN:
        if (context->frame == 0) return NNRT_RKNN_ERR_FAIL;
        ((nnrt_rknn_perf_run *)info)->run_duration = context->run_us;
        return 0;
    case NNRT_RKNN_QUERY_SDK_VERSION: sim_rknn_query_version((nnrt_rknn_sdk_version *)info); return 0;
    case NNRT_RKNN_QUERY_MEM_SIZE:
        sim_rknn_query_memory(context, &memory);
        memcpy(info, &memory, size < sizeof(memory) ? size : sizeof(memory));
        return 0;
    case NNRT_RKNN_QUERY_CUSTOM_STRING:
        memset(info, 0, sizeof(nnrt_rknn_custom_string));
        snprintf(((nnrt_rknn_custom_string *)info)->string, sizeof(nnrt_rknn_custom_string), "%s",
                 sim_model_custom_string(context->shared->model));
        return 0;
    case NNRT_RKNN_QUERY_DEVICE_MEM_INFO:
        if (!mini) return NNRT_RKNN_ERR_PARAM_INVALID;
        memset(info, 0, sizeof(nnrt_rknn_tensor_mem));
        ((nnrt_rknn_tensor_mem *)info)->fd = -1;
        ((nnrt_rknn_tensor_mem *)info)->size = (uint32_t)(context->base.bytes + context->shared->base.bytes);
        return 0;
    case NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE: return sim_rknn_query_range(context, (nnrt_rknn_input_range *)info);
    default: return sim_rknn_query_attr(context, cmd, (nnrt_rknn_tensor_attr *)info);
    }
}

/* librknnmrt knows these numbers and has nothing behind them. */
static bool sim_rknn_query_absent(int cmd) {
    return NNRT_SIM_MINI && (cmd == NNRT_RKNN_QUERY_PERF_DETAIL || cmd == NNRT_RKNN_QUERY_PERF_RUN ||
                             cmd >= NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE);
}

static int sim_rknn_query_checked(sim_rknn_context *context, int cmd, void *info, uint32_t size) {
    const bool indexed =
        cmd == NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE || sim_rknn_query_size(cmd) == sizeof(nnrt_rknn_tensor_attr);
    if (cmd < 0 || cmd >= sim_rknn_query_max() || !info) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (sim_rknn_query_absent(cmd)) return NNRT_RKNN_ERR_FAIL;
    if (size < sim_rknn_query_size(cmd)) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (indexed && *(const uint32_t *)info >= sim_rknn_shown(context, sim_rknn_query_of_output(cmd))) {
        if (!NNRT_SIM_MINI && cmd == NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR)
            sim_crash(SIGSEGV, "librknnrt dies of NATIVE_OUTPUT_ATTR with an index that is too large");
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    return sim_rknn_query(context, cmd, info, size);
}

SIM_EXPORT int rknn_query(nnrt_rknn_context handle, nnrt_rknn_query_cmd cmd, void *info, uint32_t size) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_query", &context);
    if (answer != 0) return answer;
    answer = sim_rknn_query_checked(context, (int)cmd, info, size);
    if (answer != 0) sim_log("rknn_query %d = %d", (int)cmd, answer);
    sim_rknn_end(context);
    return answer;
}

/* ----------------------------------------------------------------------------------------- dynamic shapes */

#if NNRT_SIM_VERSION >= 0x010500
static bool sim_rknn_shape_is(const sim_rknn_context *context, uint32_t shape, const nnrt_rknn_tensor_attr *attr) {
    sim_tensor tensor;
    uint32_t i = 0;
    sim_model_tensor(context->shared->model, false, attr->index, shape, &tensor);
    while (i < tensor.rank && attr->n_dims == tensor.rank && attr->dims[i] == tensor.dims[i]) ++i;
    return i == tensor.rank && attr->n_dims == tensor.rank && strcmp(attr->name, tensor.name) == 0 &&
           attr->fmt == (tensor.rank == 4 ? NNRT_RKNN_NHWC : NNRT_RKNN_UNDEFINED);
}

static int sim_rknn_set_shapes(nnrt_rknn_context handle, uint32_t count, const nnrt_rknn_tensor_attr *attrs,
                               const char *function) {
    sim_rknn_context *context;
    uint32_t shape, shapes, i, matching;
    int answer = sim_rknn_begin(handle, function, &context);
    if (answer != 0) return answer;
    shapes = sim_model_shapes(context->shared->model);
    if (NNRT_SIM_MINI || shapes < 2) {
        sim_log("%s is not supported: %s", function, NNRT_SIM_MINI ? "librknnmrt" : "the model is static");
        sim_rknn_end(context);
        return NNRT_SIM_MINI ? NNRT_RKNN_ERR_FAIL : NNRT_RKNN_ERR_MODEL_INVALID;
    }
    answer = attrs && count >= 1 && count <= context->n_input ? 0 : NNRT_RKNN_ERR_PARAM_INVALID;
    for (i = 0; answer == 0 && i < count; ++i)
        answer = attrs[i].index < context->n_input ? 0 : NNRT_RKNN_ERR_PARAM_INVALID;
    for (shape = 0; answer == 0 && shape < shapes; ++shape) {
        for (matching = 0; matching < count && sim_rknn_shape_is(context, shape, &attrs[matching]);) ++matching;
        if (matching == count) break;
    }
    if (answer == 0 && shape == shapes) {
        sim_log("%s: no such shape", function);
        answer = NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (answer == 0) {
        for (i = 0; shape != context->shape && i < context->n_input + context->n_output; ++i) {
            context->ports[i].stale = true;
            context->ports[i].given = context->ports[i].given_before = false;
        }
        context->shape = shape;
        context->shape_set = true;
    }
    sim_rknn_end(context);
    return answer;
}

SIM_EXPORT int rknn_set_input_shape(nnrt_rknn_context handle, nnrt_rknn_tensor_attr *attr) {
    return sim_rknn_set_shapes(handle, 1, attr, "rknn_set_input_shape");
}
#endif

#if NNRT_SIM_VERSION >= 0x010502
SIM_EXPORT int rknn_set_input_shapes(nnrt_rknn_context handle, uint32_t count, nnrt_rknn_tensor_attr attrs[]) {
    return sim_rknn_set_shapes(handle, count, attrs, "rknn_set_input_shapes");
}
#endif
