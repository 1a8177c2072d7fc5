/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/passes.h - optimisations of the IR before it becomes steps.   >>cpu_passes

   Each pass is one function on the IR and one bit of the extension config "nnrt.passes", so that a wrong result can be
   pinned to a pass. No pass changes a bit of any result, int8 or float, except NNRT__PASS_AFFINE, which rounds floats
   in another order. */
#ifndef NNRT_CPU_PASSES_H
#define NNRT_CPU_PASSES_H

#include "ir_build.h"
#include "ir_helpers.h"
#include "pass_affine.h"

#define NNRT__PASS_RENAME 0x1u     /* reshapes share memory instead of copying */
#define NNRT__PASS_ACTIVATION 0x2u /* RELU and RELU6 move into the operator before them */
#define NNRT__PASS_PADDING 0x4u    /* PAD moves into the convolution behind it */
#define NNRT__PASS_DEAD 0x8u       /* operators whose results nothing reads are removed */
#define NNRT__PASS_FOLD 0x10u      /* operators on constants are computed at Build (cpu/fold.h) */
#define NNRT__PASS_ORDER 0x20u     /* steps come in the order with the smallest arena (cpu/order.h) */
#define NNRT__PASS_AFFINE 0x40u    /* normalization moves into weights (cpu/pass_affine.h) */
#define NNRT__PASS_CASTS 0x80u     /* quantization that changes nothing is removed */
#define NNRT__PASS_OVERLAP 0x100u  /* outputs lie over inputs where stripes are allowed (cpu/stripes.h, overlap.h) */
#define NNRT__PASS_ALL 0x1ffu

/* Removes operators without readers, last to first, so that whole dead branches go. */
NNRT__FN void nnrt__pass_dead(nnrt__ir *ir) {
    uint32_t i, previous, k;
    for (i = ir->last; i != NNRT__NONE; i = previous) {
        const nnrt__ir_node *node = &ir->nodes[i];
        const nnrt__op_row *row = nnrt__op_find((int)node->op); /* a part done by an accelerator has none */
        bool read = row != NULL && (row->flags & NNRT__OP_EFFECT) != 0;
        previous = node->previous;
        for (k = 0; k < node->output_count; k++) read = read || nnrt__ir_out(ir, node, k)->uses != 0;
        if (!read) nnrt__ir_erase(ir, i);
    }
}

/* RESHAPE and its family: the output becomes another name of the input's memory. */
NNRT__FN void nnrt__pass_rename(nnrt__ir *ir) {
    uint32_t i, next;
    for (i = ir->first; i != NNRT__NONE; i = next) {
        const nnrt__ir_node *node = &ir->nodes[i];
        const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
        const uint32_t from = node->inputs[0];
        nnrt__ir_value *in, *out;
        next = node->next;
        if (row == NULL || (row->flags & NNRT__CPU_RENAMES) == 0) continue;
        in = nnrt__ir_in(ir, node, 0);
        out = nnrt__ir_out(ir, node, 0);
        if (in->size != out->size || in->dtype != out->dtype) continue;
        nnrt__ir_erase(ir, i);
        in->uses++;                                              /* it is read under its other name */
        out->alias = in->alias != NNRT__NONE ? in->alias : from; /* chains stay short */
        out->producer = in->producer;
    }
}

NNRT__FN bool nnrt__cpu_op_clamps(OH_NN_OperationType op) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(op);
    return row != NULL && (row->flags & NNRT__CPU_CLAMPS) != 0;
}

/* RELU or RELU6 after an operator that can clamp: the operator clamps and writes the RELU's output itself. int8 only if
   both sides have the same quantization, so that no rounding is lost or added. */
NNRT__FN void nnrt__pass_activation(nnrt__ir *ir) {
    uint32_t i, next;
    for (i = ir->first; i != NNRT__NONE; i = next) {
        const nnrt__ir_node *node = &ir->nodes[i];
        const OH_NN_OperationType op = node->op;
        const nnrt__ir_value *in, *out;
        uint32_t producer, result;
        next = node->next;
        if (op != OH_NN_OPS_RELU && op != OH_NN_OPS_RELU6) continue;
        in = nnrt__ir_in(ir, node, 0);
        out = nnrt__ir_out(ir, node, 0);
        if (nnrt__ir_only_producer(ir, in) == NULL) continue;
        producer = in->producer;
        if (!nnrt__cpu_op_clamps(ir->nodes[producer].op)) continue;
        if (!nnrt__ir_same_quant(in, out) || in->rank != out->rank || in->alias != NNRT__NONE) continue;
        if (in->dtype != OH_NN_FLOAT32 && in->dtype != OH_NN_INT8) continue;
        result = node->outputs[0];
        nnrt__ir_erase(ir, i);
        if (op == OH_NN_OPS_RELU6) ir->nodes[producer].activation = OH_NN_FUSED_RELU6;
        else if (ir->nodes[producer].activation == OH_NN_FUSED_NONE) ir->nodes[producer].activation = OH_NN_FUSED_RELU;
        nnrt__ir_set_output(ir, producer, 0, result);
    }
}

/* A constant PAD of zeros in height and width in front of a convolution becomes padding of the
   convolution. */
NNRT__FN void nnrt__pass_padding(nnrt__ir *ir) {
    uint32_t i, k;
    for (i = ir->first; i != NNRT__NONE; i = ir->nodes[i].next) {
        nnrt__ir_node *node = &ir->nodes[i];
        const nnrt__ir_node *pad;
        const nnrt__ir_value *middle;
        const nnrt__pad_spec *spec;
        bool fits;
        if (node->op != OH_NN_OPS_CONV2D && node->op != OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE) continue;
        if (node->has_padding || ((const nnrt__conv_spec *)node->spec)->pads_same) continue;
        middle = nnrt__ir_in(ir, node, 0);
        pad = nnrt__ir_only_producer(ir, middle);
        if (pad == NULL || pad->op != OH_NN_OPS_PAD || middle->rank != 4 || middle->alias != NNRT__NONE) continue;
        if (!nnrt__ir_same_quant(nnrt__ir_in(ir, pad, 0), middle)) continue;
        spec = (const nnrt__pad_spec *)pad->spec;
        fits = spec->mode == 0 && spec->value == 0.0f;
        for (k = 0; k < 8; k++) fits = fits && spec->pads[k] <= (k / 2 == 1 || k / 2 == 2 ? 64 : 0);
        if (!fits) continue;
        node->has_padding = true;
        node->pad_top = (int32_t)spec->pads[2];
        node->pad_left = (int32_t)spec->pads[4];
        nnrt__ir_set_input(ir, i, 0, pad->inputs[0]);
        nnrt__ir_erase(ir, (uint32_t)(pad - ir->nodes));
    }
}

/* Can middle hold every number of an integer value exactly? */
NNRT__FN bool nnrt__casts_lose_nothing(const nnrt__ir_value *value, const nnrt__ir_value *middle) {
    const bool bytes = value->dtype == OH_NN_INT8 || value->dtype == OH_NN_UINT8;
    const int32_t shift = value->dtype == OH_NN_UINT8 ? -128 : 128;
    if (value->quant.count != 1 || (!bytes && value->dtype != OH_NN_INT16)) return false;
    if (middle->dtype == OH_NN_FLOAT32) return middle->quant.count == 0;
    return bytes && middle->dtype == (value->dtype == OH_NN_UINT8 ? OH_NN_INT8 : OH_NN_UINT8) &&
           middle->quant.count == 1 && middle->quant.scales[0] == value->quant.scales[0] &&
           middle->quant.zero_points[0] == value->quant.zero_points[0] + shift;
}

/* A QUANT_DTYPE_CAST that loses nothing, then one back to the same quantization, restores the original bytes. Readers
   of the result read the first value instead. */
NNRT__FN void nnrt__pass_casts(nnrt__ir *ir) {
    uint32_t i, next, k;
    for (i = ir->first; i != NNRT__NONE; i = next) {
        const nnrt__ir_node *node = &ir->nodes[i], *there;
        nnrt__ir_value *first, *out;
        next = node->next;
        for (k = 0; k < node->input_count; k++)
            if (nnrt__ir_in(ir, node, k)->alias != NNRT__NONE)
                nnrt__ir_set_input(ir, i, k, nnrt__ir_in(ir, node, k)->alias);
        if (node->op != OH_NN_OPS_QUANT_DTYPE_CAST || nnrt__ir_in(ir, node, 0)->producer == NNRT__NONE) continue;
        there = &ir->nodes[nnrt__ir_in(ir, node, 0)->producer];
        if (there->op != OH_NN_OPS_QUANT_DTYPE_CAST) continue;
        first = nnrt__ir_in(ir, there, 0);
        out = nnrt__ir_out(ir, node, 0);
        if (!nnrt__ir_same_quant(first, out) || !nnrt__casts_lose_nothing(first, nnrt__ir_in(ir, node, 0))) continue;
        nnrt__ir_erase(ir, i);
        out->alias = there->inputs[0];
        if (out->output != NNRT__NONE) first->uses++; /* it is read under its other name */
    }
}

/* low: weights stay in the model. */
NNRT__FN OH_NN_ReturnCode nnrt__run_passes(nnrt__ir *ir, uint32_t passes, bool low) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (passes & NNRT__PASS_CASTS) nnrt__pass_casts(ir);
    if (passes & NNRT__PASS_DEAD) nnrt__pass_dead(ir);
    if ((passes & NNRT__PASS_AFFINE) && !low) code = nnrt__pass_affine(ir);
    if (passes & NNRT__PASS_PADDING) nnrt__pass_padding(ir);
    if (passes & NNRT__PASS_ACTIVATION) nnrt__pass_activation(ir);
    if (passes & NNRT__PASS_RENAME) nnrt__pass_rename(ir);
    return code;
}

#endif /* NNRT_CPU_PASSES_H */
