/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_move.h - what is done by addresses: other shapes, concatenation, slices of channels; and pictures of
   twice the size.   >>rknpu_open_op_move

   A tensor that is joined lies in the result from the start, planes behind planes; a slice lies in what it is cut from.
   So joints and cuts are at multiples of 16 channels, but for copies of one map (op_select.h). What lies somewhere else
   already is copied, and so is what is joined along another axis. Nearest neighbours:
   a task for each plane (seen, for twice the size alone). */
#ifndef NNRT_RKNPU_OPEN_OP_MOVE_H
#define NNRT_RKNPU_OPEN_OP_MOVE_H

#include "../cpu/ops_files.h"
#include "../cpu/ops_movement.h"
#include "dpu.h"
#include "op_select.h"

/* --------------------------------------------------------------------------------------------- other shapes */

NNRT__FN const char *nnrt__open_npu_rename_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   const nnrt__open_npu_facts *facts, bool exact) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const char *reason = nnrt__open_npu_tensor_refusal(in);
    (void)exact;
    if (reason != NULL) return reason;
    if (!nnrt__ir_moves_unchanged(in, out)) return "a new shape with a new scale";
    if (nnrt__open_npu_shape_of(in).channels == nnrt__open_npu_shape_of(out).channels) return NULL;
    return nnrt__open_npu_flattens(ir, node, facts)
               ? NULL
               : "the NPU keeps 16 channels together: a shape with other channels moves bytes";
}

/* One and the same memory. */
NNRT__FN void nnrt__open_npu_rename_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, 0);
    nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    if (in->shape.channels != out->shape.channels) out->shape = in->shape; /* for full connections */
    nnrt__open_npu_lie_in(m, out, in, 0);
}

/* --------------------------------------------------------------------------------------------- concatenation */

typedef enum nnrt__open_npu_join {
    NNRT__OPEN_NPU_JOIN_PLANES, /* channels, at multiples of 16 */
    NNRT__OPEN_NPU_JOIN_COPIES, /* channels of one map, several times: op_select.h */
    NNRT__OPEN_NPU_JOIN_PIXELS  /* another axis: pixels behind pixels in every plane */
} nnrt__open_npu_join;

NNRT__FN nnrt__open_npu_join nnrt__open_npu_concat_join(const nnrt__ir *ir, const nnrt__ir_node *node) {
    uint32_t k;
    if (*(const uint32_t *)node->spec + 1 != nnrt__ir_out(ir, node, 0)->rank) return NNRT__OPEN_NPU_JOIN_PIXELS;
    if (nnrt__open_npu_shape_of(nnrt__ir_in(ir, node, 0)).channels % NNRT__OPEN_NPU_LANES == 0)
        return NNRT__OPEN_NPU_JOIN_PLANES;
    for (k = 1; k < node->input_count; k++)
        if (node->inputs[k] != node->inputs[0]) return NNRT__OPEN_NPU_JOIN_PLANES;
    return node->input_count > 1 ? NNRT__OPEN_NPU_JOIN_COPIES : NNRT__OPEN_NPU_JOIN_PLANES;
}

/* JOIN_COPIES as a selection. */
NNRT__FN nnrt__open_npu_selection nnrt__open_npu_copies(const nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__open_npu_selection is;
    is.in = nnrt__ir_in(ir, node, 0);
    is.out = nnrt__ir_out(ir, node, 0);
    is.first = 0;
    is.count = nnrt__open_npu_shape_of(is.in).channels;
    return is;
}

NNRT__FN const char *nnrt__open_npu_concat_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   const nnrt__open_npu_facts *facts, bool exact) {
    const nnrt__open_npu_join join = nnrt__open_npu_concat_join(ir, node);
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    uint32_t k;
    (void)exact;
    for (k = 0; k < node->input_count; k++) {
        const nnrt__ir_value *in = nnrt__ir_in(ir, node, k);
        const char *reason = nnrt__open_npu_tensor_refusal(in);
        if (reason != NULL) return reason;
        if (!nnrt__ir_same_quant(in, out)) return "the NPU joins maps of one scale and zero point only";
        if (join == NNRT__OPEN_NPU_JOIN_PLANES && k + 1 < node->input_count &&
            nnrt__open_npu_shape_of(in).channels % NNRT__OPEN_NPU_LANES != 0)
            return "the NPU joins at multiples of 16 channels";
    }
    if (join == NNRT__OPEN_NPU_JOIN_COPIES) {
        const nnrt__open_npu_selection copies = nnrt__open_npu_copies(ir, node);
        return nnrt__open_npu_select_refusal(&copies, facts);
    }
    return NULL;
}

/* Whether input k may lie in the result: it is nowhere yet, nobody reads it before as something else, it stands there
   once, and those that write it write no plane of the next. */
NNRT__FN bool nnrt__open_npu_may_lie(const nnrt__open_npu_compiler *m, const nnrt__ir_node *node, uint32_t k) {
    const uint32_t value = node->inputs[k];
    const nnrt__open_npu_tensor *t = &m->tensors[value];
    uint32_t i;
    if (t->root != value || t->picture || m->tensors[node->outputs[0]].root == value) return false;
    for (i = 0; i < node->input_count; i++)
        if (i != k && node->inputs[i] == value) return false;
    return k + 1 == node->input_count || t->written == t->shape.channels;
}

NNRT__FN void nnrt__open_npu_concat_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_join join = nnrt__open_npu_concat_join(m->part, node);
    nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    uint32_t planes = 0, k;
    if (join == NNRT__OPEN_NPU_JOIN_COPIES) {
        const nnrt__open_npu_selection copies = nnrt__open_npu_copies(m->part, node);
        nnrt__open_npu_select_settle(m, node, &copies);
    }
    if (join != NNRT__OPEN_NPU_JOIN_PLANES) return;
    for (k = 0; k < node->input_count; k++) {
        nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, k);
        const uint32_t written = planes * NNRT__OPEN_NPU_LANES + in->written;
        if (nnrt__open_npu_may_lie(m, node, k)) {
            if (written > out->written) out->written = written;
            nnrt__open_npu_lie_in(m, in, out, planes * out->plane_bytes);
        }
        planes += nnrt__open_npu_planes(in->shape.channels);
    }
}

NNRT__FN void nnrt__open_npu_join_planes(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    uint32_t planes = 0, k;
    for (k = 0; k < node->input_count; k++) {
        const nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, k);
        nnrt__open_npu_tensor to = *out;
        to.first += planes * out->plane_bytes;
        to.shape = in->shape;
        if (in->root != to.root || in->first != to.first) nnrt__open_npu_copy(m, in, &to);
        planes += nnrt__open_npu_planes(in->shape.channels);
    }
}

/* Blocks of pixels in every plane: `block` of one, and how far they are apart. */
typedef struct nnrt__open_npu_blocks_of {
    nnrt__open_npu_shape block;
    uint32_t count, in_step, out_first, out_step; /* in pixels */
} nnrt__open_npu_blocks_of;

/* A task for each block, which copies all planes; where there are more blocks than planes, one for each plane, to which
   a block is what a plane is to a copy. */
NNRT__FN void nnrt__open_npu_copy_blocks(nnrt__open_npu_compiler *m, const nnrt__open_npu_tensor *in,
                                         const nnrt__open_npu_tensor *out, const nnrt__open_npu_blocks_of *is) {
    const uint32_t planes = nnrt__open_npu_planes(in->shape.channels), most = NNRT__OPEN_NPU_MOST_OUTPUTS / 16;
    const bool by_plane = is->count > planes;
    uint32_t plane, block, blocks;
    for (plane = 0; plane < (by_plane ? planes : 1); plane++)
        for (block = 0; block < is->count; block += blocks) {
            nnrt__open_npu_tensor from = *in, to = *out;
            blocks = !by_plane ? 1 : is->count - block < most ? is->count - block : most;
            from.first += plane * in->plane_bytes + block * is->in_step * NNRT__OPEN_NPU_LANES;
            to.first += plane * out->plane_bytes + (is->out_first + block * is->out_step) * NNRT__OPEN_NPU_LANES;
            to.shape = is->block;
            to.shape.channels = by_plane ? blocks * NNRT__OPEN_NPU_LANES : in->shape.channels;
            if (by_plane) {
                from.plane_bytes = is->in_step * NNRT__OPEN_NPU_LANES;
                to.plane_bytes = is->out_step * NNRT__OPEN_NPU_LANES;
            }
            nnrt__open_npu_copy(m, &from, &to);
        }
}

NNRT__FN void nnrt__open_npu_join_pixels(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    const uint32_t axis = *(const uint32_t *)node->spec;
    nnrt__open_npu_blocks_of is;
    uint32_t i, k;
    is.count = 1;
    for (i = 0; i < axis; i++) is.count *= (uint32_t)nnrt__ir_out(m->part, node, 0)->dims[i];
    is.out_step = out->shape.height * out->shape.width / is.count;
    is.out_first = 0;
    for (k = 0; k < node->input_count; k++) {
        const nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, k);
        const bool rows = nnrt__ir_in(m->part, node, k)->rank < 3 || axis + 2 < nnrt__ir_in(m->part, node, k)->rank;
        is.in_step = in->shape.height * in->shape.width / is.count;
        is.block.width = rows ? in->shape.width : is.in_step;
        is.block.height = is.in_step / is.block.width;
        nnrt__open_npu_copy_blocks(m, in, out, &is);
        is.out_first += is.in_step;
    }
}

NNRT__FN const char *nnrt__open_npu_concat_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_join join = nnrt__open_npu_concat_join(m->part, node);
    if (join == NNRT__OPEN_NPU_JOIN_COPIES) {
        const nnrt__open_npu_selection copies = nnrt__open_npu_copies(m->part, node);
        return nnrt__open_npu_select_write(m, node, &copies);
    }
    if (join == NNRT__OPEN_NPU_JOIN_PIXELS) nnrt__open_npu_join_pixels(m, node);
    else nnrt__open_npu_join_planes(m, node);
    return NULL;
}

/* -------------------------------------------------------------------------------------------------- slices */

/* Which channels a slice takes; all else is whole. */
NNRT__FN const char *nnrt__open_npu_slice_read(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *begin) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const nnrt__copy_window window = *(const nnrt__copy_window *)node->spec;
    const char *reason = nnrt__open_npu_tensor_refusal(in);
    uint32_t i;
    if (reason != NULL) return reason;
    for (i = 0; i < in->rank; i++)
        if (window.stride[i] != 1 || (i + 1 < in->rank && (window.begin[i] != 0 || window.size[i] != in->dims[i])))
            return "the NPU cuts channels apart only";
    if (window.begin[in->rank - 1] % NNRT__OPEN_NPU_LANES != 0) return "the NPU cuts at multiples of 16 channels";
    if (!nnrt__ir_moves_unchanged(in, nnrt__ir_out(ir, node, 0))) return "a slice with a new scale";
    *begin = (uint32_t)window.begin[in->rank - 1];
    return NULL;
}

NNRT__FN const char *nnrt__open_npu_slice_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                  const nnrt__open_npu_facts *facts, bool exact) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const nnrt__open_npu_shape a = nnrt__open_npu_shape_of(in), b = nnrt__open_npu_shape_of(out);
    uint32_t begin;
    const char *reason = nnrt__open_npu_slice_read(ir, node, &begin);
    (void)facts;
    (void)exact;
    if (reason == NULL && (a.height * a.width != b.height * b.width || begin + b.channels > a.channels))
        reason = "a slice that is a row of another shape";
    return reason;
}

NNRT__FN void nnrt__open_npu_slice_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, 0);
    uint32_t begin = 0;
    (void)nnrt__open_npu_slice_read(m->part, node, &begin);
    nnrt__open_npu_lie_in(m, nnrt__open_npu_out(m, node), in, begin / NNRT__OPEN_NPU_LANES * in->plane_bytes);
}

/* -------------------------------------------------------------------------------------------- twice the size */

NNRT__FN const char *nnrt__open_npu_nearest_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                    const nnrt__open_npu_facts *facts, bool exact) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const char *reason = nnrt__open_npu_tensor_refusal(in);
    (void)facts;
    (void)exact;
    if (reason != NULL) return reason;
    if (in->rank != 4 || in->dims[0] != 1 || out->dims[1] != 2 * in->dims[1] || out->dims[2] != 2 * in->dims[2] ||
        ((const nnrt__nearest_side *)node->spec)->align_corners)
        return "the NPU's nearest neighbours are for twice the size of one image";
    return NULL;
}

NNRT__FN const char *nnrt__open_npu_nearest_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_facts *facts = m->writer.facts;
    const bool rk3588 = facts->chip == NNRT__OPEN_NPU_RK3588;
    const nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, 0), *out = nnrt__open_npu_out(m, node);
    const uint32_t wide = 2 * in->shape.width;
    uint32_t plane;
    for (plane = 0; plane < nnrt__open_npu_planes(in->shape.channels); plane++) {
        nnrt__open_npu_tensor from = *in, to = *out;
        nnrt__open_npu_draft d;
        from.first += plane * in->plane_bytes;
        to.first += plane * out->plane_bytes;
        to.shape = in->shape;
        to.shape.channels = NNRT__OPEN_NPU_LANES;
        nnrt__open_npu_dpu_begin(m, &from, &to, &d);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_DATA_FORMAT, rk3588 ? 0x04000000 : 0x01000000);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_BS_OW_CFG, 0x126);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, rk3588 ? 0xf801 : 0x927809);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG, 0x1249);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, 0);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, wide * 0x10001);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE, wide * NNRT__OPEN_NPU_LANES);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, wide - 1);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, rk3588 ? 15 : 0);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, (in->shape.height - 1) << 16 | (wide - 1));
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_SURFACE_ADD, in->shape.height * 2 * wide * NNRT__OPEN_NPU_LANES);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL, rk3588 ? 7 : 3); /* words of 2 bytes; of 4 */
        nnrt__open_npu_draft_end(&m->writer, &d);
    }
    return NULL;
}

#endif /* NNRT_RKNPU_OPEN_OP_MOVE_H */
