/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_custom.c - custom operators: callbacks of the program, called on the thread that registers, runs
   and destroys.

   Tensors reach a callback in NCHW order and at an offset inside their memory, so that a callback which
   reads neither attr.fmt nor mem.offset goes wrong. init sees the real shapes: the network is computed
   once on zeros for it. */
#include "sim_rknn.h"

#include <stdlib.h>
#include <string.h>

#define SIM_RKNN_MAX_CUSTOM_IO 8u
#define SIM_RKNN_CUSTOM_OFFSET 64

/* The tensors of one call, converted to NCHW. */
typedef struct sim_rknn_custom_io {
    nnrt_rknn_custom_op_tensor tensors[2 * SIM_RKNN_MAX_CUSTOM_IO];
    sim_rknn_layout layouts[2 * SIM_RKNN_MAX_CUSTOM_IO];
    void *blocks[2 * SIM_RKNN_MAX_CUSTOM_IO];
    uint32_t count;
} sim_rknn_custom_io;

static void sim_rknn_custom_io_end(sim_rknn_custom_io *io) {
    uint32_t i;
    for (i = 0; i < io->count; ++i) free(io->blocks[i]);
    free(io);
}

static bool sim_rknn_custom_io_add(sim_rknn_custom_io *io, const sim_tensor *tensor, const void *data, uint32_t index) {
    nnrt_rknn_custom_op_tensor *to = &io->tensors[io->count];
    sim_rknn_layout *layout = &io->layouts[io->count];
    size_t size;
    sim_rknn_tensor_plain(tensor, layout);
    if (tensor->rank == 4) layout->order = NNRT_RKNN_NCHW;
    size = sim_rknn_layout_bytes(layout);
    io->blocks[io->count] = calloc(1, size + SIM_RKNN_CUSTOM_OFFSET);
    if (!io->blocks[io->count]) return false;
    to->attr.index = index;
    sim_rknn_attr_native(tensor, layout, &to->attr);
    to->attr.size_with_stride = to->attr.size;
    to->mem.virt_addr = io->blocks[io->count];
    to->mem.offset = SIM_RKNN_CUSTOM_OFFSET;
    to->mem.fd = -1;
    to->mem.size = (uint32_t)size;
    if (data) sim_rknn_tensor_write(tensor, data, layout, (uint8_t *)to->mem.virt_addr + SIM_RKNN_CUSTOM_OFFSET);
    ++io->count;
    return true;
}

static sim_rknn_custom *sim_rknn_custom_find(const sim_rknn_context *context, const char *op_type) {
    uint32_t i;
    for (i = 0; i < context->custom_count; ++i) {
        if (strcmp(context->customs[i]->op.op_type, op_type) == 0) return context->customs[i];
    }
    return NULL;
}

/* Attribute values that a callback was given. */
static void sim_rknn_custom_take_back(sim_rknn_custom *custom) {
    while (custom->given) {
        sim_rknn_block *block = custom->given;
        custom->given = block->next;
        free(block->data);
        free(block);
    }
}

/* The callbacks of one node: init the first time, and prepare and compute when the node is really to be
   computed. */
static int sim_rknn_custom_call_node(sim_rknn_custom *custom, sim_rknn_custom_io *io, uint32_t n_inputs,
                                     bool registering) {
    nnrt_rknn_custom_op_tensor *outputs = io->tensors + n_inputs;
    const uint32_t n_outputs = io->count - n_inputs;
    int answer = 0;
    if (!custom->started) {
        custom->started = true;
        if (custom->op.init) answer = custom->op.init(&custom->context, io->tensors, n_inputs, outputs, n_outputs);
        custom->skip = answer == NNRT_RKNN_SKIP_CUSTOM_OP_COMPUTE;
        answer = custom->skip ? 0 : answer;
    }
    if (registering || answer < 0) return answer;
    if (custom->skip) {
        sim_log("%s was to be computed by the runtime, which does not know it", custom->op.op_type);
        return NNRT_RKNN_ERR_FAIL;
    }
    if (custom->op.prepare) answer = custom->op.prepare(&custom->context, io->tensors, n_inputs, outputs, n_outputs);
    if (answer >= 0) answer = custom->op.compute(&custom->context, io->tensors, n_inputs, outputs, n_outputs);
    return answer < 0 ? NNRT_RKNN_ERR_FAIL : 0;
}

int sim_rknn_custom_node(void *user, const char *op_type, const sim_tensor *inputs, void *const *input_data,
                         uint32_t n_inputs, const sim_tensor *outputs, void *const *output_data, uint32_t n_outputs,
                         const uint8_t *attributes, size_t attribute_bytes) {
    sim_rknn_context *context = (sim_rknn_context *)user;
    const bool registering = strcmp(context->base.inside, "rknn_register_custom_ops") == 0;
    sim_rknn_custom *custom = sim_rknn_custom_find(context, op_type);
    sim_rknn_custom_io *io;
    uint32_t i;
    bool good = true;
    int answer = NNRT_RKNN_ERR_MALLOC_FAIL;
    if (!custom || n_inputs > SIM_RKNN_MAX_CUSTOM_IO || n_outputs > SIM_RKNN_MAX_CUSTOM_IO) {
        if (!registering) sim_mistake("custom operator %s is not registered", op_type);
        return registering ? 0 : NNRT_RKNN_ERR_FAIL;
    }
    io = (sim_rknn_custom_io *)calloc(1, sizeof(*io));
    if (!io) return NNRT_RKNN_ERR_MALLOC_FAIL;
    for (i = 0; good && i < n_inputs; ++i) good = sim_rknn_custom_io_add(io, &inputs[i], input_data[i], i);
    for (i = 0; good && i < n_outputs; ++i) good = sim_rknn_custom_io_add(io, &outputs[i], NULL, i);
    if (good) {
        custom->attributes = attributes;
        custom->attribute_bytes = attribute_bytes;
        answer = sim_rknn_custom_call_node(custom, io, n_inputs, registering);
        custom->attributes = NULL;
        sim_rknn_custom_take_back(custom);
    }
    for (i = 0; answer == 0 && i < n_outputs; ++i)
        sim_rknn_tensor_read(&outputs[i], &io->layouts[n_inputs + i],
                             (const uint8_t *)io->blocks[n_inputs + i] + SIM_RKNN_CUSTOM_OFFSET, output_data[i]);
    sim_rknn_custom_io_end(io);
    return answer;
}

void sim_rknn_custom_end(sim_rknn_context *context) {
    uint32_t i;
    for (i = 0; i < context->custom_count; ++i) {
        sim_rknn_custom *custom = context->customs[i];
        if (custom->started && custom->op.destroy) custom->op.destroy(&custom->context);
        sim_rknn_custom_take_back(custom);
        free(custom);
    }
    free(context->customs);
    context->customs = NULL;
    context->custom_count = 0;
}

#if NNRT_SIM_VERSION >= 0x010600 && !NNRT_SIM_MINI

static bool sim_rknn_custom_good(const sim_rknn_context *context, const nnrt_rknn_custom_op *op) {
    return op->version == 1 && op->op_type[0] && memchr(op->op_type, 0, sizeof(op->op_type)) && op->compute &&
           !op->compute_native && (op->target == NNRT_RKNN_TARGET_CPU || op->target == NNRT_RKNN_TARGET_GPU) &&
           !sim_rknn_custom_find(context, op->op_type);
}

/* The network once on zeros, so that init sees the tensors of its node. */
static int sim_rknn_rehearse(sim_rknn_context *context) {
    void **data = (void **)calloc((size_t)context->n_input + context->n_output, sizeof(*data));
    int answer = NNRT_RKNN_ERR_MALLOC_FAIL;
    uint32_t i;
    for (i = 0; data && i < context->n_input + context->n_output; ++i) data[i] = context->ports[i].data;
    if (data)
        answer = sim_rknn_code(sim_model_run(context->shared->model, context->shape, (const void *const *)data,
                                             data + context->n_input, sim_rknn_custom_node, context));
    free(data);
    return answer;
}

static int sim_rknn_register(sim_rknn_context *context, const nnrt_rknn_custom_op *ops, uint32_t count) {
    uint32_t i;
    void *grown;
    sim_rknn_custom *custom;
    if (context->frame > 0) {
        sim_mistake("wrong order: rknn_register_custom_ops after a run");
        return NNRT_RKNN_ERR_FAIL;
    }
    for (i = 0; i < count; ++i) {
        if (!sim_rknn_custom_good(context, &ops[i])) return NNRT_RKNN_ERR_PARAM_INVALID;
        grown = realloc(context->customs, (context->custom_count + 1) * sizeof(*context->customs));
        if (!grown) return NNRT_RKNN_ERR_MALLOC_FAIL;
        context->customs = (sim_rknn_custom **)grown;
        custom = (sim_rknn_custom *)calloc(1, sizeof(*custom));
        if (!custom) return NNRT_RKNN_ERR_MALLOC_FAIL;
        custom->op = ops[i];
        custom->context.target = ops[i].target;
        custom->context.internal_ctx = (nnrt_rknn_context)context->base.handle;
        context->customs[context->custom_count++] = custom;
    }
    return sim_rknn_rehearse(context);
}

SIM_EXPORT int rknn_register_custom_ops(nnrt_rknn_context handle, nnrt_rknn_custom_op *ops, uint32_t count) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_register_custom_ops", &context);
    if (answer != 0) return answer;
    answer = ops && count > 0 ? sim_rknn_register(context, ops, count) : NNRT_RKNN_ERR_PARAM_INVALID;
    sim_rknn_end(context);
    return answer;
}

/* The operator that is being called: the context of a callback is one of ours. */
static sim_rknn_custom *sim_rknn_custom_of(const nnrt_rknn_custom_op_context *op) {
    const sim_context *each;
    sim_rknn_custom *found = NULL;
    uint32_t i;
    sim_lock();
    for (each = sim_state.contexts; each; each = each->next) {
        const sim_rknn_context *context = (const sim_rknn_context *)each;
        for (i = 0; each->kind == &sim_rknn_kind_model && i < context->custom_count; ++i)
            found = &context->customs[i]->context == op ? context->customs[i] : found;
    }
    sim_unlock();
    return found;
}

SIM_EXPORT void rknn_custom_op_get_op_attr(nnrt_rknn_custom_op_context *op, const char *name,
                                           nnrt_rknn_custom_op_attr *attr) {
    sim_rknn_custom *custom;
    sim_rknn_block *block;
    const void *data = NULL;
    sim_type type = SIM_FLOAT32;
    uint32_t count = 0;
    int answer;
    if (sim_enter("rknn_custom_op_get_op_attr", &answer) || !op || !name || !attr) return;
    custom = sim_rknn_custom_of(op);
    memset(attr, 0, sizeof(*attr));
    strncpy(attr->name, name, sizeof(attr->name) - 1);
    if (!custom || !custom->attributes) {
        sim_mistake("rknn_custom_op_get_op_attr outside a callback");
        return;
    }
    if (!sim_model_attribute(custom->attributes, custom->attribute_bytes, name, &type, &count, &data) || count == 0)
        return;
    block = (sim_rknn_block *)malloc(sizeof(*block));
    if (block) block->data = malloc((size_t)count * sim_type_size(type));
    if (!block || !block->data) {
        free(block);
        return;
    }
    memcpy(block->data, data, (size_t)count * sim_type_size(type));
    block->next = custom->given; /* until the end of the call */
    custom->given = block;
    attr->dtype = sim_rknn_type(type);
    attr->n_elems = count;
    attr->data = block->data;
}

#endif
