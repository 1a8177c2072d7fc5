/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_run.c - the run. */
#define _GNU_SOURCE
#include "sim_rknn.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ------------------------------------------------------------------------------------------------ the run */

static int64_t sim_rknn_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int sim_rknn_run_model(sim_rknn_context *context) {
    const uint32_t count = context->n_input + context->n_output;
    const int64_t start = sim_rknn_now_us();
    void **data = (void **)calloc(count ? count : 1, sizeof(*data));
    uint32_t i;
    int answer;
    if (!data) return NNRT_RKNN_ERR_MALLOC_FAIL;
    for (i = 0; i < count; ++i) {
        sim_rknn_port *port = &context->ports[i];
        if (i >= context->n_input) { /* the result before stays for the pipelined mode */
            void *swap = port->previous;
            port->previous = port->data;
            port->data = swap;
            port->given_before = port->given;
        }
        data[i] = port->data;
    }
    answer = sim_rknn_code(sim_model_run(context->shared->model, context->shape, (const void *const *)data,
                                         data + context->n_input, sim_rknn_custom_node, context));
    free(data);
    context->run_us = sim_rknn_now_us() - start + 1;
    for (i = context->n_input; answer != 0 && i < count; ++i) {
        void *swap = context->ports[i].previous;
        context->ports[i].previous = context->ports[i].data;
        context->ports[i].data = swap;
        context->ports[i].given_before = false;
    }
    if (answer != 0) return answer;
    for (i = context->n_input; i < count; ++i) context->ports[i].given = true;
    context->previous_frame = context->frame++;
    return 0;
}

/* A tensor without memory or data: the runtime uses memory of its own, unless it was told to have none. */
static int sim_rknn_check_port(const sim_rknn_context *context, uint32_t port, bool zero_copy) {
    const sim_rknn_port *p = &context->ports[port];
    const bool output = port >= context->n_input;
    char what[32];
    if (p->bound.memory || (!output && p->given) || (output && !zero_copy && !NNRT_SIM_MINI)) return 0;
    sim_rknn_port_name(context, port, what, sizeof(what));
    sim_mistake("unbound tensor: %s has no %s", what, zero_copy || NNRT_SIM_MINI ? "memory" : "data");
    if (NNRT_SIM_MINI && sim_rknn_internal_outside(context)) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (sim_lets_pass()) return 0;
    return output ? NNRT_RKNN_ERR_OUTPUT_INVALID : NNRT_RKNN_ERR_INPUT_INVALID;
}

/* Memory from outside that never came: librknnmrt does not look, librknnrt dies without internal memory. */
static int sim_rknn_check_arena(const sim_rknn_context *context, bool zero_copy) {
    const bool internal = sim_rknn_internal_outside(context) && !context->internal.memory;
    const bool weights = sim_rknn_weights_outside(context) && !context->weights.memory;
    if (!internal && !weights) return 0;
    sim_mistake("unbound tensor: %s memory was not set", internal ? "internal" : "weight");
    if (!NNRT_SIM_MINI && internal && zero_copy) sim_crash(SIGSEGV, "rknn_run of librknnrt without internal memory");
    return sim_lets_pass() ? 0 : NNRT_RKNN_ERR_FAIL;
}

/* Everything that must be there before a run. */
static int sim_rknn_check_run(const sim_rknn_context *context) {
    const bool dynamic = sim_model_shapes(context->shared->model) > 1;
    bool zero_copy = false;
    char what[32];
    uint32_t i;
    int answer;
    if (context->flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) {
        sim_mistake("no run: the context was made for its sizes only");
        return NNRT_RKNN_ERR_FAIL;
    }
    if (dynamic && !context->shape_set) {
        sim_mistake("no shape: rknn_run before rknn_set_input_shapes");
        return NNRT_RKNN_ERR_FAIL;
    }
    for (i = 0; i < context->n_input + context->n_output; ++i) zero_copy = zero_copy || context->ports[i].bound.memory;
    answer = sim_rknn_check_arena(context, zero_copy);
    for (i = 0; answer == 0 && i < context->n_input + context->n_output; ++i) {
        const sim_rknn_port *port = &context->ports[i];
        if (port->bound.memory && port->stale) {
            sim_rknn_port_name(context, i, what, sizeof(what));
            sim_mistake("unbound tensor: %s was bound before the shape changed", what);
            return i < context->n_input ? NNRT_RKNN_ERR_INPUT_INVALID : NNRT_RKNN_ERR_OUTPUT_INVALID;
        }
        if (port->fate == SIM_RKNN_FAILS) return NNRT_RKNN_ERR_FAIL;
        answer = sim_rknn_check_port(context, i, zero_copy);
    }
    return answer;
}

/* Locked: the memory behind a reference, or a mistake. */
static sim_memory *sim_rknn_alive(const sim_memory_ref *ref, const char *what) {
    sim_memory *memory = sim_memory_of(ref);
    if (!memory) sim_mistake_locked("use after destroy: rknn_run with %s in memory that was destroyed", what);
    return memory;
}

static size_t sim_rknn_smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Bytes of a bound port that its memory has. */
static size_t sim_rknn_there(const sim_rknn_port *port) {
    return sim_rknn_smaller(port->needed, port->bound.memory->size);
}

/* *arena: for sim_scratch_leave. Internal memory is in use, weights and a model that is read in place still
 * stand where they stood. */
static int sim_rknn_enter_arena(sim_rknn_context *context, sim_buffer **arena) {
    sim_memory *internal = NULL;
    const sim_memory *weights = NULL, *model = NULL;
    bool good = true;
    *arena = NULL;
    sim_lock();
    if (context->internal.memory) good = (internal = sim_rknn_alive(&context->internal, "internal tensors")) != NULL;
    if (good && context->weights.memory) good = (weights = sim_rknn_alive(&context->weights, "weights")) != NULL;
    if (good && context->model_memory.memory)
        good = (model = sim_rknn_alive(&context->model_memory, "the model")) != NULL;
    if (good && weights && !sim_rknn_weights_intact(context, sim_memory_device(weights), weights->size)) {
        sim_mistake_locked("weights overwritten: somebody else uses the memory of rknn_set_weight_mem");
        good = false;
    }
    if (good && model &&
        memcmp(sim_memory_cpu(model) + context->model_offset, context->model_copy, context->model_size) != 0) {
        sim_mistake_locked("model overwritten: with MODEL_BUFFER_ZERO_COPY it is used in place");
        good = false;
    }
    if (good && internal)
        *arena = sim_scratch_enter(internal,
                                   sim_rknn_smaller(internal->size, sim_model_internal_bytes(context->shared->model)));
    sim_unlock();
    return good ? 0 : NNRT_RKNN_ERR_PARAM_INVALID;
}

/* Bound inputs into the logical tensors. */
static int sim_rknn_take_inputs(sim_rknn_context *context) {
    uint32_t i;
    int answer = 0;
    for (i = 0; answer == 0 && i < context->n_input; ++i) {
        sim_rknn_port *port = &context->ports[i];
        char what[32];
        sim_tensor tensor;
        uint8_t *bytes;
        if (!port->bound.memory || port->fate == SIM_RKNN_SKIPS) continue;
        bytes = (uint8_t *)calloc(1, port->needed);
        if (!bytes) return NNRT_RKNN_ERR_MALLOC_FAIL;
        sim_rknn_port_tensor(context, i, &tensor);
        sim_rknn_port_name(context, i, what, sizeof(what));
        answer = sim_rknn_memory_take(&context->base, port->bound.memory->vendor, bytes, sim_rknn_there(port),
                                      port->by_npu, what);
        if (answer == 0) sim_rknn_tensor_read(&tensor, &port->layout, bytes, port->data);
        free(bytes);
    }
    return answer;
}

/* Logical results into the bound outputs; whatever is padding there becomes noise. */
static int sim_rknn_give_outputs(sim_rknn_context *context) {
    uint32_t i;
    int answer = 0;
    for (i = context->n_input; answer == 0 && i < context->n_input + context->n_output; ++i) {
        sim_rknn_port *port = &context->ports[i];
        char what[32];
        sim_tensor tensor;
        uint8_t *bytes;
        size_t at;
        if (!port->bound.memory || port->fate == SIM_RKNN_SKIPS) continue;
        bytes = (uint8_t *)malloc(port->needed);
        if (!bytes) return NNRT_RKNN_ERR_MALLOC_FAIL;
        sim_lock();
        for (at = 0; at < port->needed; ++at) bytes[at] = sim_poison_locked();
        sim_unlock();
        sim_rknn_port_tensor(context, i, &tensor);
        sim_rknn_port_name(context, i, what, sizeof(what));
        sim_rknn_tensor_write(&tensor, port->data, &port->layout, bytes);
        answer = sim_rknn_memory_give(&context->base, port->bound.memory->vendor, bytes, sim_rknn_there(port),
                                      port->by_npu, what);
        free(bytes);
    }
    return answer;
}

/* Bound memory that was destroyed: librknnmrt sees it, librknnrt dies of it. */
static int sim_rknn_check_alive(const sim_rknn_context *context) {
    bool alive = true;
    uint32_t i;
    sim_lock();
    for (i = 0; alive && i < context->n_input + context->n_output; ++i)
        alive = !context->ports[i].bound.memory || sim_rknn_alive(&context->ports[i].bound, "a tensor");
    sim_unlock();
    if (!alive && !NNRT_SIM_MINI) sim_crash(SIGSEGV, "rknn_run of librknnrt with memory that was destroyed");
    return alive ? 0 : NNRT_RKNN_ERR_PARAM_INVALID;
}

static int sim_rknn_run(sim_rknn_context *context) {
    sim_buffer *arena;
    int answer = sim_rknn_check_run(context);
    if (answer == 0) answer = sim_rknn_check_alive(context);
    if (answer == 0) answer = sim_rknn_enter_arena(context, &arena);
    if (answer != 0) return answer;
    answer = sim_rknn_take_inputs(context);
    if (answer == 0) answer = sim_rknn_run_model(context);
    if (answer == 0) answer = sim_rknn_give_outputs(context);
    sim_scratch_leave(arena);
    return answer;
}

/* extend is left alone, the number of the frame included. */
SIM_EXPORT int rknn_run(nnrt_rknn_context handle, nnrt_rknn_run_extend *extend) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_run", &context);
    (void)extend;
    if (answer != 0) return answer;
    answer = sim_rknn_run(context);
    sim_rknn_end(context);
    return answer;
}

/* Documented as unsupported on every chip. */
SIM_EXPORT int rknn_wait(nnrt_rknn_context handle, nnrt_rknn_run_extend *extend) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_wait", &context);
    (void)extend;
    if (answer != 0) return answer;
    sim_rknn_end(context);
    return NNRT_RKNN_ERR_FAIL;
}
