/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_general.c - the general API: inputs that are copied in, outputs that are copied out. librknnmrt
   has the functions and refuses to work. */
#include "sim_rknn.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The layout of what the caller supplies or gets: order is NCHW, NHWC or UNDEFINED, without padding. */
static bool sim_rknn_general_layout(const sim_tensor *tensor, nnrt_rknn_format order, nnrt_rknn_tensor_type type,
                                    sim_rknn_layout *layout) {
    sim_rknn_tensor_plain(tensor, layout);
    layout->type = type;
    if (tensor->rank == 4) layout->order = order;
    return sim_rknn_type_bytes(type) > 0 && (tensor->rank < 4 || order == NNRT_RKNN_NHWC || order == NNRT_RKNN_NCHW);
}

/* What becomes of an input: 0 and *convert, or the code. Only what is too short is refused: what librknnrt cannot
   convert it leaves, and answers 0. NCHW is seen to be left up to 1.6.0. */
static int sim_rknn_check_input(const sim_rknn_context *context, const nnrt_rknn_input *input, sim_rknn_layout *layout,
                                bool *convert) {
    sim_tensor tensor;
    bool good;
    sim_rknn_port_tensor(context, input->index, &tensor);
    if (input->pass_through) {
        sim_rknn_tensor_native(sim_rknn_board_chip(), &tensor, false, layout);
        good = input->type == sim_rknn_type(tensor.type) && input->fmt == layout->order;
    } else {
        good = sim_rknn_general_layout(&tensor, input->fmt, input->type, layout) &&
               sim_rknn_input_convertible(&tensor, input->type) &&
               (NNRT_SIM_VERSION >= 0x020000 || tensor.rank < 4 || input->fmt == NNRT_RKNN_NHWC);
    }
    *convert = good;
    if (good && input->buf && input->size >= sim_rknn_layout_bytes(layout)) return 0;
    sim_mistake("wrong input: input %lu with type %d, format %d, pass_through %d, %lu bytes (%lu are needed)",
                (unsigned long)input->index, (int)input->type, (int)input->fmt, (int)input->pass_through,
                (unsigned long)input->size, (unsigned long)sim_rknn_layout_bytes(layout));
    if (!sim_lets_pass()) return NNRT_RKNN_ERR_INPUT_INVALID;
    if (!input->buf) sim_crash(SIGSEGV, "rknn_inputs_set without data");
    return input->size < sim_rknn_layout_bytes(layout) || sim_rknn_type_bytes(input->type) == 0
               ? NNRT_RKNN_ERR_PARAM_INVALID
               : 0;
}

static int sim_rknn_inputs_set(sim_rknn_context *context, uint32_t count, const nnrt_rknn_input *inputs) {
    uint32_t i;
    sim_rknn_layout layout;
    sim_tensor tensor;
    bool convert;
    int answer;
    if (NNRT_SIM_MINI) {
        sim_mistake("not on librknnmrt: rknn_inputs_set (context config invalid)");
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (!inputs || count > context->n_input) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (context->flags & (NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE | NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE)) {
        sim_mistake("mixing: rknn_inputs_set in a context whose inputs are the caller's (its flags say so)");
        return NNRT_RKNN_ERR_FAIL;
    }
    if (sim_model_shapes(context->shared->model) > 1 && !context->shape_set) {
        sim_mistake("no shape: rknn_inputs_set before rknn_set_input_shapes");
        return NNRT_RKNN_ERR_FAIL;
    }
    for (i = 0; i < count; ++i) {
        sim_rknn_port *port = &context->ports[inputs[i].index < context->n_input ? inputs[i].index : 0];
        if (inputs[i].index >= context->n_input) {
            sim_mistake("wrong input: there is no input %lu", (unsigned long)inputs[i].index);
            if (!sim_lets_pass()) return NNRT_RKNN_ERR_PARAM_INVALID;
            continue;
        }
        if (port->bound.memory) {
            sim_mistake("mixing: rknn_inputs_set and rknn_set_io_mem of input %lu", (unsigned long)inputs[i].index);
            return NNRT_RKNN_ERR_FAIL;
        }
        answer = sim_rknn_check_input(context, &inputs[i], &layout, &convert);
        if (answer != 0) return answer;
        sim_rknn_port_tensor(context, inputs[i].index, &tensor);
        if (convert) sim_rknn_tensor_read(&tensor, &layout, inputs[i].buf, port->data);
        port->given = true;
    }
    if (count < context->n_input)
        sim_log("rknn_inputs_set of %lu of %lu inputs", (unsigned long)count, (unsigned long)context->n_input);
    return 0;
}

SIM_EXPORT int rknn_inputs_set(nnrt_rknn_context handle, uint32_t count, nnrt_rknn_input inputs[]) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_inputs_set", &context);
    if (answer != 0) return answer;
    answer = sim_rknn_inputs_set(context, count, inputs);
    sim_rknn_end(context);
    return answer;
}

/* ------------------------------------------------------------------------------------------------ outputs */

/* *skip: the buffer is too small; librknnrt logs it, leaves it and answers 0. */
static int sim_rknn_check_output(const sim_rknn_context *context, const nnrt_rknn_output *output,
                                 sim_rknn_layout *layout, bool *skip, bool told) {
    sim_tensor tensor;
    *skip = false;
    uint32_t port = context->n_input + output->index;
    if (output->index >= context->n_output) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (context->ports[port].bound.memory) {
        sim_mistake("mixing: rknn_outputs_get and rknn_set_io_mem of output %lu", (unsigned long)output->index);
        return NNRT_RKNN_ERR_FAIL;
    }
    sim_rknn_port_tensor(context, port, &tensor);
    sim_rknn_general_layout(&tensor, NNRT_RKNN_NCHW,
                            output->want_float ? NNRT_RKNN_FLOAT32 : sim_rknn_type(tensor.type), layout);
    if (output->want_float && !sim_rknn_output_convertible(&tensor, NNRT_RKNN_FLOAT32))
        return NNRT_RKNN_ERR_OUTPUT_INVALID;
    if (output->is_prealloc && (!output->buf || output->size < sim_rknn_layout_bytes(layout))) {
        if (told)
            sim_mistake("wrong output: output %lu needs %lu bytes, %lu were given", (unsigned long)output->index,
                        (unsigned long)sim_rknn_layout_bytes(layout), (unsigned long)output->size);
        *skip = true;
        return sim_lets_pass() ? 0 : NNRT_RKNN_ERR_OUTPUT_INVALID;
    }
    return 0;
}

/* A block for one output, in the context's list. NULL: no memory. */
static void *sim_rknn_block_new(sim_rknn_context *context, size_t size) {
    sim_rknn_block *block = (sim_rknn_block *)malloc(sizeof(*block));
    void *data = malloc(size ? size : 1);
    if (!block || !data) {
        free(block);
        free(data);
        return NULL;
    }
    block->data = data;
    block->size = size;
    block->next = context->blocks;
    context->blocks = block;
    return data;
}

static int sim_rknn_outputs_get(sim_rknn_context *context, uint32_t count, nnrt_rknn_output *outputs) {
    const bool pipelined = (context->flags & NNRT_RKNN_FLAG_ASYNC_MASK) != 0 && context->frame > 1 && context->fetched;
    sim_rknn_layout layout;
    sim_tensor tensor;
    uint32_t i;
    bool skip;
    int answer = 0;
    if (NNRT_SIM_MINI) {
        sim_mistake("not on librknnmrt: rknn_outputs_get (context config invalid)");
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (!outputs || count == 0 || count > context->n_output) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (context->flags & NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE) {
        sim_mistake("mixing: rknn_outputs_get in a context whose outputs are the caller's (its flags say so)");
        return NNRT_RKNN_ERR_FAIL;
    }
    for (i = 0; answer == 0 && i < count; ++i) {
        answer = sim_rknn_check_output(context, &outputs[i], &layout, &skip, true);
        if (answer == 0 && !context->ports[context->n_input + outputs[i].index].given) answer = NNRT_RKNN_ERR_FAIL;
    }
    for (i = 0; answer == 0 && i < count; ++i) {
        const sim_rknn_port *port = &context->ports[context->n_input + outputs[i].index];
        const bool before = pipelined && port->given_before;
        sim_rknn_check_output(context, &outputs[i], &layout, &skip, false);
        if (skip) continue;
        sim_rknn_port_tensor(context, context->n_input + outputs[i].index, &tensor);
        if (!outputs[i].is_prealloc) {
            outputs[i].buf = sim_rknn_block_new(context, sim_rknn_layout_bytes(&layout));
            outputs[i].size = (uint32_t)sim_rknn_layout_bytes(&layout);
        }
        if (outputs[i].buf)
            sim_rknn_tensor_write(&tensor, before ? port->previous : port->data, &layout, outputs[i].buf);
        else answer = NNRT_RKNN_ERR_MALLOC_FAIL;
    }
    context->fetched = context->fetched || answer == 0;
    return answer;
}

SIM_EXPORT int rknn_outputs_get(nnrt_rknn_context handle, uint32_t count, nnrt_rknn_output outputs[],
                                nnrt_rknn_output_extend *extend) {
    sim_rknn_context *context;
    bool pipelined;
    int answer = sim_rknn_begin(handle, "rknn_outputs_get", &context);
    if (answer != 0) return answer;
    pipelined = (context->flags & NNRT_RKNN_FLAG_ASYNC_MASK) != 0 && context->frame > 1 && context->fetched;
    answer = sim_rknn_outputs_get(context, count, outputs);
    if (answer == 0 && extend) extend->frame_id = pipelined ? context->previous_frame : context->frame;
    sim_rknn_end(context);
    return answer;
}

/* Frees one block of the context; what is not one of them is a mistake. */
static bool sim_rknn_block_end(sim_rknn_context *context, const void *data) {
    sim_rknn_block **place = &context->blocks, *block;
    while (*place && (*place)->data != data) place = &(*place)->next;
    if (!*place) return false;
    block = *place;
    *place = block->next;
    memset(block->data, 0xdb, block->size);
    free(block->data);
    free(block);
    return true;
}

SIM_EXPORT int rknn_outputs_release(nnrt_rknn_context handle, uint32_t count, nnrt_rknn_output outputs[]) {
    sim_rknn_context *context;
    uint32_t i;
    int answer = sim_rknn_begin(handle, "rknn_outputs_release", &context);
    if (answer != 0) return answer;
    if (NNRT_SIM_MINI) count = 0; /* 0, whatever it is */
    else if (!outputs || count > context->n_output) answer = NNRT_RKNN_ERR_PARAM_INVALID;
    for (i = 0; answer == 0 && i < count; ++i) {
        if (!outputs[i].is_prealloc && !sim_rknn_block_end(context, outputs[i].buf)) {
            sim_mistake("double free: rknn_outputs_release of an output that is not given out");
            answer = NNRT_RKNN_ERR_PARAM_INVALID;
        }
    }
    sim_rknn_end(context);
    return answer;
}
