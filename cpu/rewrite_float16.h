/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/rewrite_float16.h - float16 is for storage only: operators compute in float32.   >>cpu_rewrite_float16

   An operator that computes reads a float32 form of each float16 operand, and its result is rounded to float16
   afterwards. Operators that only move elements (NNRT__CPU_ANY_TYPE) are left alone. Constants are widened at Build
   (cpu/fold.h). */
#ifndef NNRT_CPU_REWRITE_FLOAT16_H
#define NNRT_CPU_REWRITE_FLOAT16_H

#include "ir_build.h"

/* Are operators with operands of these types widened from float16 to float32? */
NNRT__FN bool nnrt__widens(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
    uint32_t k;
    if (row == NULL || (row->flags & NNRT__CPU_ANY_TYPE) != 0) return false;
    for (k = 0; k < node->input_count; k++)
        if (nnrt__ir_in(ir, node, k)->dtype == OH_NN_FLOAT16) return true;
    for (k = 0; k < node->output_count; k++)
        if (nnrt__ir_out(ir, node, k)->dtype == OH_NN_FLOAT16) return true;
    return false;
}

/* Gives node i, for which nnrt__widens is true, its operands in float32. */
NNRT__FN OH_NN_ReturnCode nnrt__widen(nnrt__ir *ir, uint32_t i) {
    static const int32_t declared = 0; /* CAST: to the declared type of its output */
    const uint32_t inputs = ir->nodes[i].input_count, operands = inputs + ir->nodes[i].output_count;
    const uint32_t origin = ir->nodes[i].origin, next = ir->nodes[i].next;
    OH_NN_ReturnCode code;
    uint32_t cast[2], k;
    if (!nnrt__op_is_chosen(OH_NN_OPS_CAST))
        return nnrt__fail(OH_NN_UNSUPPORTED, "the model has float16 tensors: its NNRT_OPS needs CAST, too");
    code = nnrt__ir_reserve(ir, operands + 1, operands, operands * NNRT__IR_NODE_BYTES(2));
    if (code != OH_NN_SUCCESS) return code;
    cast[1] = nnrt__ir_add_ints(ir, &declared, 1);
    for (k = 0; k < operands; k++) {
        const bool reads = k < inputs;
        const uint32_t value = reads ? ir->nodes[i].inputs[k] : ir->nodes[i].outputs[k - inputs];
        uint32_t form = ir->values[value].form;
        if (ir->values[value].dtype != OH_NN_FLOAT16) continue;
        if (!reads || form == NNRT__NONE) form = nnrt__ir_add_value(ir, value, OH_NN_FLOAT32);
        cast[0] = reads ? value : form;
        if (!reads) {
            nnrt__ir_set_output(ir, i, k - inputs, form);
            (void)nnrt__ir_add_node(ir, next, OH_NN_OPS_CAST, origin, cast, 2, value);
        } else {
            if (ir->values[value].form == NNRT__NONE)
                (void)nnrt__ir_add_node(ir, i, OH_NN_OPS_CAST, origin, cast, 2, form);
            ir->values[value].form = form;
            nnrt__ir_set_input(ir, i, k, form);
        }
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_REWRITE_FLOAT16_H */
