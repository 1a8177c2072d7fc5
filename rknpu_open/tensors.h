/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/tensors.h - where the tensors of a part lie in the NPU's memory.   >>rknpu_open_tensors

   Each has its planes from its first writer to its last reader (cpu/arena.h). What only renames, joins or cuts apart
   moves nothing: its tensors lie in one another. A port lies where its operator reads or writes it. */
#ifndef NNRT_RKNPU_OPEN_TENSORS_H
#define NNRT_RKNPU_OPEN_TENSORS_H

#include "../cpu/arena.h"
#include "conv_task.h"

typedef struct nnrt__open_npu_tensor {
    nnrt__open_npu_shape shape;
    bool used;        /* it has bytes that change: no constant */
    bool picture;     /* its pixels lie as they come; else it has planes */
    uint32_t root;    /* tensor in whose memory it lies; itself */
    uint32_t first;   /* byte of that memory where it begins */
    uint32_t written; /* channels that its writers write, real ones and those that fill up */
    uint32_t plane_bytes, row_bytes;
} nnrt__open_npu_tensor;

/* A part that is being compiled. */
typedef struct nnrt__open_npu_compiler {
    nnrt__open_npu_writer writer;
    nnrt__ir *part;
    bool exact;                     /* every byte is to be the CPU device's */
    nnrt__open_npu_tensor *tensors; /* one a value of the part */
    nnrt__block *blocks;            /* the same */
    size_t memory;                  /* bytes of all tensors */
    bool table_is_loaded;           /* by a task before, from these bytes */
    int8_t table[256];
} nnrt__open_npu_compiler;

NNRT__INLINE nnrt__open_npu_tensor *nnrt__open_npu_in(nnrt__open_npu_compiler *m, const nnrt__ir_node *node,
                                                      uint32_t i) {
    return &m->tensors[node->inputs[i]];
}
NNRT__INLINE nnrt__open_npu_tensor *nnrt__open_npu_out(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    return &m->tensors[node->outputs[0]];
}

/* Where a tensor lies, once all have their places. */
NNRT__FN nnrt__open_npu_at nnrt__open_npu_place(const nnrt__open_npu_compiler *m, const nnrt__open_npu_tensor *t) {
    nnrt__open_npu_at at;
    at.offset = (uint32_t)m->blocks[t->root].offset + t->first;
    at.plane_bytes = t->plane_bytes;
    at.row_bytes = t->row_bytes;
    return at;
}

/* Bytes of a plane of so many pixels. */
NNRT__INLINE uint32_t nnrt__open_npu_plane_bytes(const nnrt__open_npu_shape *shape) {
    return nnrt__open_npu_up(shape->height * shape->width * NNRT__OPEN_NPU_LANES, NNRT__OPEN_NPU_ALIGNMENT);
}

/* Every value as a tensor of its own. Shapes are bounded: a plane has less than 2^27 bytes. */
NNRT__FN void nnrt__open_npu_describe(nnrt__open_npu_compiler *m) {
    uint32_t i;
    for (i = 0; i < m->part->value_count; i++) {
        const nnrt__ir_value *value = &m->part->values[i];
        nnrt__open_npu_tensor *t = &m->tensors[i];
        t->root = i;
        t->used = value->data == NULL && value->dtype == OH_NN_INT8;
        if (!t->used) continue;
        t->shape = nnrt__open_npu_shape_of(value);
        t->plane_bytes = nnrt__open_npu_plane_bytes(&t->shape);
        t->written = nnrt__open_npu_up(t->shape.channels, NNRT__OPEN_NPU_LANES);
    }
}

/* An input that one convolution of few channels reads and nobody else comes as it is. */
NNRT__FN void nnrt__open_npu_make_picture(nnrt__open_npu_compiler *m, nnrt__open_npu_tensor *t,
                                          const nnrt__ir_value *value) {
    const uint32_t channels = t->shape.channels;
    if (value->input == NNRT__NONE || value->output != NNRT__NONE || value->uses != 1) return;
    if (channels != 1 && channels != 3 && channels != 4) return;
    if (t->shape.width % 16 != 0 && (channels == 4 || m->writer.facts->picture_rows_whole)) return;
    t->picture = true;
    t->row_bytes = nnrt__open_npu_up(t->shape.width, 16) * channels;
}

/* Bytes of the memory that a tensor takes alone. false: more than the NPU may have. */
NNRT__FN bool nnrt__open_npu_tensor_bytes(const nnrt__open_npu_tensor *t, size_t *size) {
    const uint64_t bytes = t->picture ? (uint64_t)t->shape.height * t->row_bytes
                                      : (uint64_t)nnrt__open_npu_planes(t->written) * t->plane_bytes;
    if (bytes > NNRT__OPEN_NPU_MOST_MEMORY) return false;
    *size = nnrt__open_npu_up((uint32_t)bytes, NNRT__OPEN_NPU_ALIGNMENT);
    return true;
}

/* A tensor lies in another from now on, at a byte of it; both have one number of pixels. */
NNRT__FN void nnrt__open_npu_lie_in(nnrt__open_npu_compiler *m, nnrt__open_npu_tensor *t,
                                    const nnrt__open_npu_tensor *in, uint32_t at) {
    const uint32_t was = t->root;
    const nnrt__open_npu_tensor host = *in;
    uint32_t i;
    for (i = 0; i < m->part->value_count; i++) {
        if (!m->tensors[i].used || m->tensors[i].root != was) continue;
        m->tensors[i].root = host.root;
        m->tensors[i].first += host.first + at;
        m->tensors[i].plane_bytes = host.plane_bytes;
    }
}

NNRT__FN void nnrt__open_npu_live(nnrt__block *block, uint32_t step) {
    if (step < block->first) block->first = step;
    if (step > block->last) block->last = step;
}

/* From when to when each memory is needed. Step 0 brings the inputs, the last takes the outputs. */
NNRT__FN uint32_t nnrt__open_npu_lives(nnrt__open_npu_compiler *m) {
    const nnrt__ir *part = m->part;
    uint32_t i, k, step = 1;
    for (i = 0; i < part->value_count; i++) {
        m->blocks[i].first = UINT32_MAX;
        m->blocks[i].last = 0;
    }
    for (i = part->first; i != NNRT__NONE; i = part->nodes[i].next, step++) {
        const nnrt__ir_node *node = &part->nodes[i];
        for (k = 0; k < node->input_count; k++)
            if (nnrt__open_npu_in(m, node, k)->used)
                nnrt__open_npu_live(&m->blocks[nnrt__open_npu_in(m, node, k)->root], step);
        for (k = 0; k < node->output_count; k++)
            if (m->tensors[node->outputs[k]].used)
                nnrt__open_npu_live(&m->blocks[m->tensors[node->outputs[k]].root], step);
    }
    for (i = 0; i < part->value_count; i++) {
        if (!m->tensors[i].used) continue;
        if (part->values[i].input != NNRT__NONE) nnrt__open_npu_live(&m->blocks[m->tensors[i].root], 0);
        if (part->values[i].output != NNRT__NONE) nnrt__open_npu_live(&m->blocks[m->tensors[i].root], step);
    }
    return step + 1;
}

/* Gives every memory its place. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_place_all(nnrt__open_npu_compiler *m) {
    const uint32_t steps = nnrt__open_npu_lives(m);
    uint64_t bound;
    uint32_t i;
    for (i = 0; i < m->part->value_count; i++) {
        nnrt__block *block = &m->blocks[i];
        block->size = 0;
        if (m->tensors[i].used && m->tensors[i].root == i && block->first != UINT32_MAX &&
            !nnrt__open_npu_tensor_bytes(&m->tensors[i], &block->size))
            return nnrt__fail(OH_NN_FAILED, "a tensor is larger than the NPU's memory may be");
        if (block->size == 0) block->first = block->last = 0;
    }
    if (!nnrt__arena_plan(m->blocks, m->part->value_count, steps, &m->memory, &bound)) return nnrt__fail_memory();
    if (m->memory > NNRT__OPEN_NPU_MOST_MEMORY)
        return nnrt__fail(OH_NN_FAILED, "the tensors are larger than the NPU's memory may be");
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_OPEN_TENSORS_H */
