/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_accelerator.h - a part of a graph that an accelerator does, as one node of the IR.   >>cpu_ops_accelerator

   cpu/accelerate.h makes such nodes when shapes are known; their operator is NNRT__OPS_PART, which no graph of the
   program's can have. Inputs: the image, a constant, then what the part reads; outputs: what others read of it. */
#ifndef NNRT_CPU_OPS_ACCELERATOR_H
#define NNRT_CPU_OPS_ACCELERATOR_H

#include "ir.h"
#include "kinds.h"

#ifdef NNRT__HAS_ACCELERATOR
NNRT__FN OH_NN_ReturnCode nnrt__part_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t operands[2 * NNRT__PART_TENSORS + 1], i;
    const nnrt__ir_accelerated *part = (const nnrt__ir_accelerated *)node->spec;
    nnrt__accelerated_args *args;
    nnrt__step_info info;
    NNRT_ASSERT(part != NULL && node->input_count + node->output_count <= NNRT__COUNT_OF(operands));
    for (i = 0; i < node->input_count; i++) operands[i] = nnrt__lower_value(lower, node->inputs[i]);
    for (i = 0; i < node->output_count; i++)
        operands[node->input_count + i] = nnrt__lower_value(lower, node->outputs[i]);
    memset(&info, 0, sizeof(info));
    info.macs = part->macs;
    info.weights_bytes = nnrt__ir_in(lower->ir, node, 0)->size;
    args = (nnrt__accelerated_args *)nnrt__lower_step(lower, NNRT__KIND(accelerated), node, operands, node->input_count,
                                                      operands + node->input_count, node->output_count, &info);
    if (args != NULL) memcpy(args->accelerator, part->accelerator, sizeof(args->accelerator));
    return lower->status;
}

static const nnrt__cpu_op nnrt__cpu_op_of_parts = {NNRT__OPS_PART, 0, 0, NULL, nnrt__part_lower};
#define NNRT__CPU_OP_OF_PARTS &nnrt__cpu_op_of_parts,
#else
#define NNRT__CPU_OP_OF_PARTS
#endif

#endif /* NNRT_CPU_OPS_ACCELERATOR_H */
