/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_select.h - channels that come to stand elsewhere, by a convolution.   >>rknpu_open_op_select

   The NPU keeps 16 channels together, and moves planes of them by addresses (op_move.h). Where channels are moved by
   another number, a convolution of 1 by 1 does it, whose weights are 0 and 1: each output is one channel of the input,
   or none. Its bytes are those of the input, since scale and zero point are one; an output that is no channel has the
   zero point. */
#ifndef NNRT_RKNPU_OPEN_OP_SELECT_H
#define NNRT_RKNPU_OPEN_OP_SELECT_H

#include "../cpu/ops_movement_window.h"
#include "op_conv.h"

/* Which channel of `in` an output of `out` is: first + output % count. Both have one number of pixels. */
typedef struct nnrt__open_npu_selection {
    const nnrt__ir_value *in, *out;
    int32_t first;
    uint32_t count;
} nnrt__open_npu_selection;

NNRT__FN void nnrt__open_npu_select_describe(const nnrt__open_npu_selection *is, nnrt__open_npu_conv *c) {
    const nnrt__open_npu_shape shape = nnrt__open_npu_shape_of(is->in);
    memset(c, 0, sizeof(*c));
    c->height = c->out_height = shape.height;
    c->width = c->out_width = shape.width;
    c->channels = c->group_channels = shape.channels;
    c->outputs = c->group_outputs = nnrt__open_npu_shape_of(is->out).channels;
    c->kernel_h = c->kernel_w = c->stride_h = c->stride_w = c->dilation_h = c->dilation_w = 1;
    c->spread_h = c->spread_w = 1;
    c->low = -128;
    c->high = 127;
    c->selects = true;
    c->first_selected = is->first;
    c->selected = is->count;
}

/* p is to be freed in any case. */
NNRT__FN const char *nnrt__open_npu_select_plan_of(const nnrt__open_npu_selection *is,
                                                   const nnrt__open_npu_facts *facts, nnrt__open_npu_conv_plan *p) {
    const char *reason;
    uint32_t o;
    memset(p, 0, sizeof(*p));
    reason = nnrt__open_npu_tensor_refusal(is->in);
    if (reason == NULL && !nnrt__ir_same_quant(is->in, is->out)) reason = "channels are moved with one scale only";
    if (reason != NULL) return reason;
    nnrt__open_npu_select_describe(is, &p->c);
    reason = nnrt__open_npu_conv_refusal(&p->c, facts);
    if (reason == NULL) reason = nnrt__open_npu_tiles_of(&p->c, facts, false, &p->tiles);
    if (reason != NULL) return reason;
    if (!nnrt__open_npu_conv_plan_room(p)) return "out of memory";
    p->in_zero = p->out_zero = is->in->quant.zero_points[0];
    p->whole = true;
    for (o = 0; o < p->c.outputs; o++) {
        p->ratios[o] = 1.0;
        if (!nnrt__open_npu_conv_sum(p, o, 0)) return "a sum may leave the NPU's 32 bits";
    }
    return nnrt__open_npu_conv_finish(p, NULL, facts);
}

NNRT__FN const char *nnrt__open_npu_select_refusal(const nnrt__open_npu_selection *is,
                                                   const nnrt__open_npu_facts *facts) {
    nnrt__open_npu_conv_plan p;
    const char *reason = nnrt__open_npu_select_plan_of(is, facts, &p);
    nnrt__open_npu_conv_plan_free(&p);
    return reason;
}

/* The output has room for all channels that are written together. */
NNRT__FN void nnrt__open_npu_select_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node,
                                           const nnrt__open_npu_selection *is) {
    nnrt__open_npu_conv c;
    nnrt__open_npu_select_describe(is, &c);
    nnrt__open_npu_out(m, node)->written = nnrt__open_npu_written(&c, m->writer.facts);
}

NNRT__FN const char *nnrt__open_npu_select_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node,
                                                 const nnrt__open_npu_selection *is) {
    nnrt__open_npu_conv_plan p;
    const char *reason = nnrt__open_npu_select_plan_of(is, m->writer.facts, &p);
    if (reason == NULL) nnrt__open_npu_conv_emit(m, nnrt__open_npu_in(m, node, 0), nnrt__open_npu_out(m, node), &p);
    nnrt__open_npu_conv_plan_free(&p);
    return reason;
}

/* -------------------------------------------------------------------------------------------- more channels */

/* PAD of channels. */
NNRT__FN const char *nnrt__open_npu_pad_read(const nnrt__ir *ir, const nnrt__ir_node *node,
                                             nnrt__open_npu_selection *is) {
    const nnrt__pad_spec *spec = (const nnrt__pad_spec *)node->spec;
    uint32_t i;
    is->in = nnrt__ir_in(ir, node, 0);
    is->out = nnrt__ir_out(ir, node, 0);
    if (spec->mode != 0 || spec->value != 0.0f) return "the NPU pads with the zero point only";
    for (i = 0; i + 2 < 2 * is->in->rank; i++)
        if (spec->pads[i] != 0) return "the NPU pads channels, and what a convolution reads";
    if (is->in->rank == 0) return "the tensor has no channels";
    is->first = -(int32_t)spec->pads[i];
    is->count = nnrt__open_npu_shape_of(is->out).channels;
    return NULL;
}

NNRT__FN const char *nnrt__open_npu_pad_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                const nnrt__open_npu_facts *facts, bool exact) {
    nnrt__open_npu_selection is;
    const char *reason = nnrt__open_npu_pad_read(ir, node, &is);
    (void)exact;
    return reason != NULL ? reason : nnrt__open_npu_select_refusal(&is, facts);
}

NNRT__FN void nnrt__open_npu_pad_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_selection is;
    if (nnrt__open_npu_pad_read(m->part, node, &is) == NULL) nnrt__open_npu_select_settle(m, node, &is);
}

NNRT__FN const char *nnrt__open_npu_pad_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_selection is;
    const char *reason = nnrt__open_npu_pad_read(m->part, node, &is);
    return reason != NULL ? reason : nnrt__open_npu_select_write(m, node, &is);
}

#endif /* NNRT_RKNPU_OPEN_OP_SELECT_H */
