/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/compile.h - from a part of a graph to an image.   >>rknpu_open_compile

   The part is one whose shapes are known (cpu/ir_cut.h), of operators that nnrt__open_npu_refusal does not refuse. */
#ifndef NNRT_RKNPU_OPEN_COMPILE_H
#define NNRT_RKNPU_OPEN_COMPILE_H

#include "op_binary.h"
#include "op_curve.h"
#include "op_move.h"
#include "op_pool.h"

/* An operator of the NPU; those of one byte have one row together, without op.
   refusal  why a node stays with the CPU, or NULL; exact: also when a byte may differ from the CPU device's.
   settle   has tensors lie in one another, or nowhere; NULL: it moves bytes
   write    adds tasks, of a node that is not refused; a sentence when it cannot, after all; NULL: nothing is to do */
typedef struct nnrt__open_npu_op {
    OH_NN_OperationType op;
    const char *(*refusal)(const nnrt__ir *ir, const nnrt__ir_node *node, const nnrt__open_npu_facts *facts,
                           bool exact);
    void (*settle)(nnrt__open_npu_compiler *m, const nnrt__ir_node *node);
    const char *(*write)(nnrt__open_npu_compiler *m, const nnrt__ir_node *node);
} nnrt__open_npu_op;

/* NULL: the NPU has none. */
NNRT__FN const nnrt__open_npu_op *nnrt__open_npu_op_find(OH_NN_OperationType op) {
    static const nnrt__open_npu_op rows[] = {
        {OH_NN_OPS_CONV2D, nnrt__open_npu_conv_op_refusal, nnrt__open_npu_curve_settle, nnrt__open_npu_curve_write},
        {OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, nnrt__open_npu_conv_op_refusal, nnrt__open_npu_curve_settle,
         nnrt__open_npu_curve_write},
        {OH_NN_OPS_FULL_CONNECTION, nnrt__open_npu_conv_op_refusal, nnrt__open_npu_curve_settle,
         nnrt__open_npu_curve_write},
        {OH_NN_OPS_CONV2D_TRANSPOSE, nnrt__open_npu_conv_op_refusal, nnrt__open_npu_curve_settle,
         nnrt__open_npu_curve_write},
        {OH_NN_OPS_ADD, nnrt__open_npu_binary_refusal, nnrt__open_npu_binary_settle, nnrt__open_npu_binary_write},
        {OH_NN_OPS_SUB, nnrt__open_npu_binary_refusal, nnrt__open_npu_binary_settle, nnrt__open_npu_binary_write},
        {OH_NN_OPS_MUL, nnrt__open_npu_binary_refusal, nnrt__open_npu_binary_settle, nnrt__open_npu_binary_write},
        {OH_NN_OPS_MAXIMUM, nnrt__open_npu_binary_refusal, nnrt__open_npu_binary_settle, nnrt__open_npu_binary_write},
        {OH_NN_OPS_ELTWISE, nnrt__open_npu_binary_refusal, nnrt__open_npu_binary_settle, nnrt__open_npu_binary_write},
        {OH_NN_OPS_MAX_POOL, nnrt__open_npu_max_pool_refusal, NULL, nnrt__open_npu_max_pool_write},
        {OH_NN_OPS_AVG_POOL, nnrt__open_npu_mean_refusal, nnrt__open_npu_depthwise_settle, nnrt__open_npu_mean_write},
        {OH_NN_OPS_REDUCE_MEAN, nnrt__open_npu_mean_refusal, nnrt__open_npu_depthwise_settle,
         nnrt__open_npu_mean_write},
        {OH_NN_OPS_RESHAPE, nnrt__open_npu_rename_refusal, nnrt__open_npu_rename_settle, NULL},
        {OH_NN_OPS_SQUEEZE, nnrt__open_npu_rename_refusal, nnrt__open_npu_rename_settle, NULL},
        {OH_NN_OPS_UNSQUEEZE, nnrt__open_npu_rename_refusal, nnrt__open_npu_rename_settle, NULL},
        {OH_NN_OPS_EXPAND_DIMS, nnrt__open_npu_rename_refusal, nnrt__open_npu_rename_settle, NULL},
        {OH_NN_OPS_FLATTEN, nnrt__open_npu_rename_refusal, nnrt__open_npu_rename_settle, NULL},
        {OH_NN_OPS_CONCAT, nnrt__open_npu_concat_refusal, nnrt__open_npu_concat_settle, nnrt__open_npu_concat_write},
        {OH_NN_OPS_PAD, nnrt__open_npu_pad_refusal, nnrt__open_npu_pad_settle, nnrt__open_npu_pad_write},
        {OH_NN_OPS_SLICE, nnrt__open_npu_slice_refusal, nnrt__open_npu_slice_settle, NULL},
        {OH_NN_OPS_STRIDED_SLICE, nnrt__open_npu_slice_refusal, nnrt__open_npu_slice_settle, NULL},
        {OH_NN_OPS_RESIZE_NEAREST, nnrt__open_npu_nearest_refusal, NULL, nnrt__open_npu_nearest_write},
    };
    static const nnrt__open_npu_op function = {(OH_NN_OperationType)0, nnrt__open_npu_unary_refusal,
                                               nnrt__open_npu_function_settle, nnrt__open_npu_function_write};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        if (rows[i].op == op) return &rows[i];
    return nnrt__open_npu_is_function(op) ? &function : NULL;
}

/* As nnrt__open_npu_refusal; exact: also for a node whose bytes may differ from the CPU device's. */
NNRT__FN const char *nnrt__open_npu_refusal_of(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__open_npu_chip chip,
                                               bool exact) {
    const nnrt__open_npu_op *row = nnrt__open_npu_op_find(node->op);
    const char *reason;
    if (row == NULL) return "the NPU has no such operator, as far as is known";
    if (node->output_count != 1) return "the NPU's operators have one output";
    reason = nnrt__open_npu_tensor_refusal(nnrt__ir_out(ir, node, 0));
    return reason != NULL ? reason : row->refusal(ir, node, nnrt__open_npu_facts_of(chip), exact);
}

/* Why the NPU does not do a node, in a sentence that lasts; NULL: it does. Its shapes are known. */
NNRT__FN const char *nnrt__open_npu_refusal(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__open_npu_chip chip) {
    return nnrt__open_npu_refusal_of(ir, node, chip, false);
}

/* A port of a value. */
NNRT__FN void nnrt__open_npu_port_of(const nnrt__open_npu_compiler *m, uint32_t value, uint32_t tensors,
                                     nnrt__open_npu_port *port) {
    const nnrt__open_npu_tensor *t = &m->tensors[value];
    const nnrt__open_npu_at at = nnrt__open_npu_place(m, t);
    memset(port, 0, sizeof(*port));
    port->layout = t->picture ? NNRT__OPEN_NPU_PIXELS : NNRT__OPEN_NPU_PLANES;
    port->height = t->shape.height;
    port->width = t->shape.width;
    port->channels = t->shape.channels;
    port->offset = tensors + at.offset;
    port->plane_bytes = t->picture ? 0 : at.plane_bytes;
    port->row_bytes = at.row_bytes;
    port->size = t->picture ? t->shape.height * at.row_bytes
                            : (nnrt__open_npu_planes(t->shape.channels) - 1) * at.plane_bytes +
                                  t->shape.height * t->shape.width * NNRT__OPEN_NPU_LANES;
}

/* What stands in front of the memory, and where it begins. */
NNRT__FN void nnrt__open_npu_header_of(const nnrt__open_npu_compiler *m, nnrt__open_npu_header *h) {
    const nnrt__open_npu_writer *w = &m->writer;
    const size_t words = nnrt__open_npu_up((uint32_t)(w->words.count * 8), NNRT__OPEN_NPU_ALIGNMENT);
    const size_t loaded = nnrt__open_npu_up((uint32_t)(words + w->constants.count), NNRT__OPEN_NPU_ALIGNMENT);
    size_t at = sizeof(*h);
    memset(h, 0, sizeof(*h));
    h->magic = NNRT__OPEN_NPU_MAGIC;
    h->version = NNRT__OPEN_NPU_VERSION;
    h->chip = (uint32_t)w->facts->chip;
    h->input_count = m->part->input_count;
    h->output_count = m->part->output_count;
    h->ports = (uint32_t)at;
    at += (h->input_count + h->output_count) * sizeof(nnrt__open_npu_port);
    h->tasks = (uint32_t)at;
    h->task_count = (uint32_t)w->tasks.count;
    at += w->tasks.count * sizeof(nnrt__open_npu_task);
    h->loaded = nnrt__open_npu_up((uint32_t)at, NNRT__OPEN_NPU_ALIGNMENT);
    h->loaded_size = (uint32_t)loaded;
    h->words_size = (uint32_t)words;
    h->memory_size = (uint32_t)(loaded + m->memory);
    h->size = h->loaded + h->loaded_size;
    h->macs = w->macs;
}

/* The parts of an image into one block. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_assemble(nnrt__open_npu_compiler *m, void **image, size_t *size) {
    nnrt__open_npu_writer *w = &m->writer;
    nnrt__open_npu_header h;
    uint8_t *to;
    uint32_t i;
    if (w->tasks.count > NNRT__OPEN_NPU_MOST_TASKS)
        return nnrt__fail(OH_NN_FAILED, "a part becomes more tasks than the NPU takes at once");
    if (m->part->input_count + m->part->output_count > NNRT__OPEN_NPU_MOST_PORTS)
        return nnrt__fail(OH_NN_FAILED, "a part of the NPU has more than %u inputs and outputs",
                          NNRT__OPEN_NPU_MOST_PORTS);
    if ((w->words.count * 8 + w->constants.count) / 2 + m->memory / 2 > NNRT__OPEN_NPU_MOST_MEMORY / 2 - 1024)
        return nnrt__fail(OH_NN_FAILED, "a part is larger than the NPU's memory may be");
    nnrt__open_npu_header_of(m, &h);
    nnrt__open_npu_link(w);
    nnrt__open_npu_fix(w, h.words_size, h.loaded_size);
    to = (uint8_t *)nnrt__alloc_zero(h.size, 1);
    if (to == NULL) return nnrt__fail_memory();
    memcpy(to, &h, sizeof(h));
    for (i = 0; i < h.input_count + h.output_count; i++) {
        nnrt__open_npu_port port;
        nnrt__open_npu_port_of(m, i < h.input_count ? m->part->inputs[i] : m->part->outputs[i - h.input_count],
                               h.loaded_size, &port);
        memcpy(to + h.ports + i * sizeof(port), &port, sizeof(port));
    }
    if (w->tasks.count != 0) memcpy(to + h.tasks, w->tasks.items, w->tasks.count * sizeof(nnrt__open_npu_task));
    if (w->words.count != 0) memcpy(to + h.loaded, w->words.items, w->words.count * 8);
    if (w->constants.count != 0) memcpy(to + h.loaded + h.words_size, w->constants.items, w->constants.count);
    *image = to;
    *size = h.size;
    return OH_NN_SUCCESS;
}

/* Every node is one that the NPU does; every input and output a tensor of it. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_check_part(const nnrt__ir *part, nnrt__open_npu_chip chip, bool exact) {
    uint32_t i;
    for (i = part->first; i != NNRT__NONE; i = part->nodes[i].next) {
        const char *reason = nnrt__open_npu_refusal_of(part, &part->nodes[i], chip, exact);
        if (reason != NULL) return nnrt__ir_fail(part, &part->nodes[i], OH_NN_UNSUPPORTED, reason);
    }
    for (i = 0; i < part->input_count; i++)
        if (part->values[part->inputs[i]].dtype != OH_NN_INT8)
            return nnrt__fail(OH_NN_UNSUPPORTED, "a part of the NPU has no input of int8");
    return OH_NN_SUCCESS;
}

/* Tensors that lie in others first; then each has its place, and tasks are written. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_write(nnrt__open_npu_compiler *m) {
    const nnrt__ir *part = m->part;
    OH_NN_ReturnCode code;
    uint32_t i;
    nnrt__open_npu_describe(m);
    for (i = part->first; i != NNRT__NONE; i = part->nodes[i].next) {
        const nnrt__ir_node *node = &part->nodes[i];
        const nnrt__open_npu_op *row = nnrt__open_npu_op_find(node->op);
        if (row->settle != NULL) row->settle(m, node);
    }
    code = nnrt__open_npu_place_all(m);
    if (code != OH_NN_SUCCESS) return code;
    for (i = part->first; i != NNRT__NONE; i = part->nodes[i].next) {
        const nnrt__ir_node *node = &part->nodes[i];
        const nnrt__open_npu_op *row = nnrt__open_npu_op_find(node->op);
        const char *reason = row->write != NULL ? row->write(m, node) : NULL;
        if (reason != NULL) return nnrt__ir_fail(part, node, OH_NN_UNSUPPORTED, reason);
        if (m->writer.status != OH_NN_SUCCESS) return m->writer.status;
        m->writer.op++;
    }
    return OH_NN_SUCCESS;
}

/* Compiles a part. *image: *size bytes, to be freed with nnrt__free. OH_NN_UNSUPPORTED: a node is refused, with exact
   also one whose bytes may differ from the CPU device's. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_compile(nnrt__ir *part, nnrt__open_npu_chip chip, bool exact, void **image,
                                                 size_t *size) {
    nnrt__open_npu_compiler m;
    OH_NN_ReturnCode code = nnrt__open_npu_check_part(part, chip, exact);
    *image = NULL;
    *size = 0;
    if (code != OH_NN_SUCCESS) return code;
    memset(&m, 0, sizeof(m));
    m.part = part;
    m.exact = exact;
    m.writer.facts = nnrt__open_npu_facts_of(chip);
    m.writer.pointer = 0xe;
    m.tensors = (nnrt__open_npu_tensor *)nnrt__alloc_zero(part->value_count, sizeof(*m.tensors));
    m.blocks = (nnrt__block *)nnrt__alloc_zero(part->value_count, sizeof(*m.blocks));
    code = m.tensors == NULL || m.blocks == NULL ? nnrt__fail_memory() : nnrt__open_npu_write(&m);
    if (code == OH_NN_SUCCESS) code = nnrt__open_npu_assemble(&m, image, size);
    nnrt__open_npu_writer_free(&m.writer);
    nnrt__free(m.tensors);
    nnrt__free(m.blocks);
    return code;
}

#endif /* NNRT_RKNPU_OPEN_COMPILE_H */
