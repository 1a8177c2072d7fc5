/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_run.c - memory bound to inputs and outputs, and the run. */
#define _GNU_SOURCE
#include "sim_rknn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---------------------------------------------------------------------- rknn_set_io_mem */

/* What a binding means: the layout of its bytes, how many there must be. */
typedef struct sim_rknn_choice {
    sim_rknn_layout layout;
    size_t needed;
    size_t exact;      /* librknnmrt: the only size that is accepted */
    bool strided;      /* attr->w_stride must say the pitch of the rows */
    const char *wrong; /* why it is refused; NULL: it is not */
} sim_rknn_choice;

static void sim_rknn_accept(sim_rknn_choice *choice) {
    choice->needed = choice->exact = sim_rknn_layout_bytes(&choice->layout);
}

static bool sim_rknn_same_dims(const sim_tensor *tensor, const sim_rknn_layout *layout,
                               const nnrt_rknn_tensor_attr *attr) {
    nnrt_rknn_tensor_attr native;
    memset(&native, 0, sizeof(native));
    sim_rknn_attr_native(tensor, layout, &native);
    return attr->n_dims == native.n_dims &&
           memcmp(attr->dims, native.dims, native.n_dims * sizeof(native.dims[0])) == 0;
}

/* The native layout under the name that attr uses. Images are NHWC and, on librknnmrt, NC1HWC2 with one
   block. */
static bool sim_rknn_native_as(const sim_rknn_chip *chip, const sim_tensor *tensor,
                               const nnrt_rknn_tensor_attr *attr, sim_rknn_layout *layout) {
    if (chip->mini && layout->order == NNRT_RKNN_NHWC && attr->fmt == NNRT_RKNN_NC1HWC2) {
        layout->order = NNRT_RKNN_NC1HWC2;
        layout->c1 = 1;
        layout->c2 = layout->c;
    }
    /* librknnmrt compares layouts; librknnrt believes the format. */
    return attr->fmt == layout->order && (!chip->mini || sim_rknn_same_dims(tensor, layout, attr));
}

static void sim_rknn_choose_input(const sim_rknn_chip *chip, const sim_tensor *tensor,
                                  const nnrt_rknn_tensor_attr *attr, sim_rknn_choice *choice) {
    sim_rknn_layout *layout = &choice->layout;
    const nnrt_rknn_format plain = tensor->rank == 4 ? NNRT_RKNN_NHWC : NNRT_RKNN_UNDEFINED;
    sim_rknn_tensor_native(chip, tensor, false, layout);
    if (attr->pass_through) {
        if (attr->type != sim_rknn_type(tensor->type))
            choice->wrong = "a type that is not the model's, with pass_through 1";
        else if (!sim_rknn_native_as(chip, tensor, attr, layout))
            choice->wrong = "a layout that is not the native one, with pass_through 1";
    } else if (chip->mini) {
        if (!tensor->image || attr->type != NNRT_RKNN_UINT8 || attr->fmt != NNRT_RKNN_NHWC)
            choice->wrong = "pass_through 0 with anything but uint8 NHWC pixels of 1, 3 or 4 channels";
        else
            layout->type = NNRT_RKNN_UINT8;
    } else {
        if (attr->fmt != plain)
            choice->wrong = "a format other than NHWC (UNDEFINED below 4 dimensions), with pass_through 0";
        else if (!sim_rknn_input_convertible(tensor, attr->type))
            choice->wrong = "a type that cannot be converted";
        if (layout->order != plain)
            sim_rknn_tensor_plain(tensor, layout);
        layout->type = attr->type;
    }
    choice->strided = layout->order == NNRT_RKNN_NHWC;
    if (attr->h_stride > layout->h && layout->n > 1 && layout->order == NNRT_RKNN_NHWC)
        layout->h_stride = attr->h_stride;
    sim_rknn_accept(choice);
}

static void sim_rknn_choose_output(const sim_rknn_chip *chip, const sim_tensor *tensor, bool dynamic,
                                   const nnrt_rknn_tensor_attr *attr, sim_rknn_choice *choice) {
    sim_rknn_layout *layout = &choice->layout;
    sim_rknn_layout native;
    const bool as_float = attr->type == NNRT_RKNN_FLOAT32 && tensor->type != SIM_FLOAT32;
    sim_rknn_tensor_native(chip, tensor, true, &native);
    *layout = native;
    if (!sim_rknn_output_convertible(tensor, attr->type))
        choice->wrong = "a type that cannot be converted";
    if (attr->fmt == native.order && attr->type == sim_rknn_type(tensor->type)) {
        if (!sim_rknn_native_as(chip, tensor, attr, layout))
            choice->wrong = "dimensions that are not those of the native attributes";
    } else if (attr->fmt == NNRT_RKNN_NHWC) {
        if (!sim_rknn_tensor_native_nhwc(chip, tensor, layout) || dynamic ||
            (chip->mini && tensor->type == SIM_FLOAT16))
            choice->wrong = "NHWC, which this output does not have";
        if (attr->type != sim_rknn_type(tensor->type)) /* converted values stand close together */
            layout->w_stride = layout->w;
        choice->strided = attr->type == sim_rknn_type(tensor->type);
    } else if (chip->mini) {
        choice->wrong = "a layout that is neither the native one nor NHWC";
    } else if (attr->fmt == NNRT_RKNN_NC1HWC2) {
        if (native.order != NNRT_RKNN_NC1HWC2 || as_float)
            choice->wrong = "NC1HWC2 of a type or an output that does not have it";
    } else {
        sim_rknn_tensor_plain(tensor, layout);
        if (tensor->rank == 4)
            layout->order = NNRT_RKNN_NCHW;
        if (attr->fmt != (tensor->rank == 4 ? NNRT_RKNN_NCHW : NNRT_RKNN_UNDEFINED))
            choice->wrong = "a format that this output does not have";
    }
    layout->type = attr->type;
    sim_rknn_accept(choice);
}

/* The tensor that attr means: librknnrt finds it by its name. */
static bool sim_rknn_find_port(const sim_rknn_context *context, const nnrt_rknn_tensor_attr *attr,
                               uint32_t *port) {
    sim_tensor tensor;
    uint32_t i;
    for (i = 0; i < context->n_input + context->n_output; ++i) {
        sim_rknn_port_tensor(context, i, &tensor);
        if (strncmp(attr->name, tensor.name, sizeof(attr->name)) == 0 &&
            attr->index == (i < context->n_input ? i : i - context->n_input)) {
            *port = i;
            return true;
        }
    }
    return false;
}

static const char *sim_rknn_port_name(const sim_rknn_context *context, uint32_t port, char *text,
                                      size_t room) {
    const bool output = port >= context->n_input;
    snprintf(text, room, "%s %lu", output ? "output" : "input",
             (unsigned long)(output ? port - context->n_input : port));
    return text;
}

/* Locked. 0, or -5 after a mistake that says which. */
static int sim_rknn_check_binding(const sim_rknn_context *context, uint32_t port, const sim_tensor *tensor,
                                  const nnrt_rknn_tensor_attr *attr, const sim_rknn_choice *choice,
                                  size_t size) {
    char what[32];
    const sim_rknn_layout *layout = &choice->layout;
    nnrt_rknn_tensor_attr logical;
    memset(&logical, 0, sizeof(logical));
    sim_rknn_attr_logical(sim_rknn_chip_locked(), tensor, port >= context->n_input, &logical);
    sim_rknn_port_name(context, port, what, sizeof(what));
    if (choice->wrong) {
        sim_mistake_locked("wrong attribute: %s is bound with %s", what, choice->wrong);
    } else if (choice->strided && layout->w_stride != layout->w &&
               (attr->w_stride == 0 || attr->w_stride == layout->w)) {
        sim_mistake_locked("stride taken as width: rows of %s have %lu columns, the attribute says %lu", what,
                           (unsigned long)layout->w_stride, (unsigned long)attr->w_stride);
    } else if (choice->strided && attr->w_stride != 0 && attr->w_stride != layout->w_stride) {
        sim_mistake_locked("wrong attribute: rows of %s have %lu columns, the attribute says %lu", what,
                           (unsigned long)layout->w_stride, (unsigned long)attr->w_stride);
    } else if (size < choice->needed && choice->needed != logical.size && size == logical.size) {
        sim_mistake_locked(
            "stride taken as width: size of %s (%lu) was asked for, size_with_stride (%lu) is needed", what,
            (unsigned long)size, (unsigned long)choice->needed);
    } else if (sim_rknn_chip_locked()->mini && size != choice->exact && size == logical.size_with_stride) {
        sim_mistake_locked(
            "wrong attribute: %s has the size of the logical attribute (%lu), the native one says %lu", what,
            (unsigned long)size, (unsigned long)choice->exact);
    } else if (size < choice->needed || (sim_rknn_chip_locked()->mini && size != choice->exact)) {
        sim_mistake_locked("wrong size: %s must have %lu bytes, its memory has %lu", what,
                           (unsigned long)choice->needed, (unsigned long)size);
    } else {
        return 0;
    }
    return NNRT_RKNN_ERR_PARAM_INVALID;
}

static int sim_rknn_bind(sim_rknn_context *context, const nnrt_rknn_tensor_mem *mem,
                         const nnrt_rknn_tensor_attr *attr) {
    char what[32];
    sim_rknn_choice choice;
    sim_tensor tensor;
    sim_memory *memory;
    uint32_t port;
    int answer;
    if (!sim_rknn_find_port(context, attr, &port)) {
        sim_mistake("wrong attribute: no input or output %lu is called \"%.60s\"", (unsigned long)attr->index,
                    attr->name);
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    sim_rknn_port_name(context, port, what, sizeof(what));
    if (sim_rknn_board_chip()->mini && sim_rknn_internal_outside(context) && !context->internal.memory) {
        sim_mistake("wrong order: %s is bound before the internal memory", what);
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (context->ports[port].given && !context->ports[port].bound.memory && port < context->n_input) {
        sim_mistake("mixing: rknn_set_io_mem and rknn_inputs_set of %s", what);
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    answer = sim_memory_check(&context->base, mem, 1, what);
    if (answer != 0)
        return answer;
    memset(&choice, 0, sizeof(choice));
    sim_rknn_port_tensor(context, port, &tensor);
    if (port < context->n_input)
        sim_rknn_choose_input(sim_rknn_board_chip(), &tensor, attr, &choice);
    else
        sim_rknn_choose_output(sim_rknn_board_chip(), &tensor, sim_model_shapes(context->shared->model) > 1,
                               attr, &choice);
    sim_lock();
    memory = sim_memory_find(mem);
    answer = memory ? sim_rknn_check_binding(context, port, &tensor, attr, &choice, memory->size)
                    : NNRT_RKNN_ERR_PARAM_INVALID;
    if (answer == 0) {
        sim_memory_refer(&context->ports[port].bound, memory);
        context->ports[port].stale = false;
        context->ports[port].layout = choice.layout;
        context->ports[port].needed = choice.needed;
    }
    sim_unlock();
    return answer;
}

SIM_EXPORT int rknn_set_io_mem(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem,
                               nnrt_rknn_tensor_attr *attr) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_set_io_mem", &context);
    if (answer != 0)
        return answer;
    answer = mem && attr ? sim_rknn_bind(context, mem, attr) : NNRT_RKNN_ERR_PARAM_INVALID;
    sim_rknn_end(context);
    return answer;
}

/* ---------------------------------------------------------------------- the run */

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
    if (!data)
        return NNRT_RKNN_ERR_MALLOC_FAIL;
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
    if (answer != 0)
        return answer;
    for (i = context->n_input; i < count; ++i)
        context->ports[i].given = true;
    context->previous_frame = context->frame++;
    return 0;
}

/* Everything that must be there before a run. */
static int sim_rknn_check_run(const sim_rknn_context *context) {
    const bool dynamic = sim_model_shapes(context->shared->model) > 1;
    bool zero_copy = false;
    char what[32];
    uint32_t i;
    if (context->flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) {
        sim_mistake("no run: the context was made for its sizes only");
        return NNRT_RKNN_ERR_FAIL;
    }
    if (dynamic && !context->shape_set) {
        sim_mistake("no shape: rknn_run before rknn_set_input_shapes");
        return NNRT_RKNN_ERR_FAIL;
    }
    if ((sim_rknn_internal_outside(context) && !context->internal.memory) ||
        (sim_rknn_weights_outside(context) && !context->weights.memory)) {
        sim_mistake("unbound tensor: %s memory was not set",
                    sim_rknn_internal_outside(context) && !context->internal.memory ? "internal" : "weight");
        return NNRT_RKNN_ERR_FAIL;
    }
    for (i = 0; i < context->n_input + context->n_output; ++i)
        zero_copy = zero_copy || context->ports[i].bound.memory;
    for (i = 0; i < context->n_input + context->n_output; ++i) {
        const sim_rknn_port *port = &context->ports[i];
        const bool output = i >= context->n_input;
        sim_rknn_port_name(context, i, what, sizeof(what));
        if (port->bound.memory && port->stale) {
            sim_mistake("unbound tensor: %s was bound before the shape changed", what);
            return output ? NNRT_RKNN_ERR_OUTPUT_INVALID : NNRT_RKNN_ERR_INPUT_INVALID;
        }
        if (port->bound.memory || (!output && port->given) || (output && !zero_copy && !NNRT_SIM_MINI))
            continue;
        sim_mistake("unbound tensor: %s has no %s", what, zero_copy || NNRT_SIM_MINI ? "memory" : "data");
        return output ? NNRT_RKNN_ERR_OUTPUT_INVALID : NNRT_RKNN_ERR_INPUT_INVALID;
    }
    return 0;
}

/* Locked: the memory behind a reference, or a mistake. */
static sim_memory *sim_rknn_alive(const sim_memory_ref *ref, const char *what) {
    sim_memory *memory = sim_memory_of(ref);
    if (!memory)
        sim_mistake_locked("use after destroy: rknn_run with %s in memory that was destroyed", what);
    return memory;
}

/* *arena: for sim_scratch_leave. Internal memory is in use, weights and a model that is read in place still
 * stand where they stood. */
static int sim_rknn_enter_arena(sim_rknn_context *context, sim_buffer **arena) {
    sim_memory *internal = NULL;
    const sim_memory *weights = NULL, *model = NULL;
    bool good = true;
    *arena = NULL;
    sim_lock();
    if (context->internal.memory)
        good = (internal = sim_rknn_alive(&context->internal, "internal tensors")) != NULL;
    if (good && context->weights.memory)
        good = (weights = sim_rknn_alive(&context->weights, "weights")) != NULL;
    if (good && context->model_memory.memory)
        good = (model = sim_rknn_alive(&context->model_memory, "the model")) != NULL;
    if (good && weights && !sim_rknn_weights_intact(context, sim_memory_device(weights))) {
        sim_mistake_locked("weights overwritten: somebody else uses the memory of rknn_set_weight_mem");
        good = false;
    }
    if (good && model &&
        memcmp(sim_memory_cpu(model) + context->model_offset, context->model_copy, context->model_size) !=
            0) {
        sim_mistake_locked("model overwritten: with MODEL_BUFFER_ZERO_COPY it is used in place");
        good = false;
    }
    if (good && internal)
        *arena = sim_scratch_enter(internal, sim_model_internal_bytes(context->shared->model));
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
        if (!port->bound.memory)
            continue;
        bytes = (uint8_t *)malloc(port->needed);
        if (!bytes)
            return NNRT_RKNN_ERR_MALLOC_FAIL;
        sim_rknn_port_tensor(context, i, &tensor);
        sim_rknn_port_name(context, i, what, sizeof(what));
        answer = sim_rknn_memory_take(&context->base, port->bound.memory->vendor, bytes, port->needed, what);
        if (answer == 0)
            sim_rknn_tensor_read(&tensor, &port->layout, bytes, port->data);
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
        if (!port->bound.memory)
            continue;
        bytes = (uint8_t *)malloc(port->needed);
        if (!bytes)
            return NNRT_RKNN_ERR_MALLOC_FAIL;
        sim_lock();
        for (at = 0; at < port->needed; ++at)
            bytes[at] = sim_poison_locked();
        sim_unlock();
        sim_rknn_port_tensor(context, i, &tensor);
        sim_rknn_port_name(context, i, what, sizeof(what));
        sim_rknn_tensor_write(&tensor, port->data, &port->layout, bytes);
        answer = sim_rknn_memory_give(&context->base, port->bound.memory->vendor, bytes, port->needed, what);
        free(bytes);
    }
    return answer;
}

static int sim_rknn_run(sim_rknn_context *context) {
    sim_buffer *arena;
    uint32_t i;
    int answer = sim_rknn_check_run(context);
    sim_lock();
    for (i = 0; answer == 0 && i < context->n_input + context->n_output; ++i) {
        if (context->ports[i].bound.memory && !sim_rknn_alive(&context->ports[i].bound, "a tensor"))
            answer = NNRT_RKNN_ERR_PARAM_INVALID;
    }
    sim_unlock();
    if (answer == 0)
        answer = sim_rknn_enter_arena(context, &arena);
    if (answer != 0)
        return answer;
    answer = sim_rknn_take_inputs(context);
    if (answer == 0)
        answer = sim_rknn_run_model(context);
    if (answer == 0)
        answer = sim_rknn_give_outputs(context);
    sim_scratch_leave(arena);
    return answer;
}

SIM_EXPORT int rknn_run(nnrt_rknn_context handle, nnrt_rknn_run_extend *extend) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_run", &context);
    if (answer != 0)
        return answer;
    if (NNRT_SIM_MINI && extend) {
        sim_mistake("not on librknnmrt: rknn_run with an extend structure");
        answer = NNRT_RKNN_ERR_PARAM_INVALID;
    } else {
        answer = sim_rknn_run(context);
    }
    if (answer == 0 && extend)
        extend->frame_id = context->frame;
    sim_rknn_end(context);
    return answer;
}

/* Documented as unsupported on every chip; 2.3.2 answers -1 for an invalid fence. */
SIM_EXPORT int rknn_wait(nnrt_rknn_context handle, nnrt_rknn_run_extend *extend) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_wait", &context);
    (void)extend;
    if (answer != 0)
        return answer;
    sim_rknn_end(context);
    return NNRT_RKNN_ERR_FAIL;
}
