/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops.h - the operators and the kinds of steps of the CPU device, joined from the families.   >>cpu:ops */
#ifndef NNRT_CPU_OPS_H
#define NNRT_CPU_OPS_H

#include "ops_conv.h"
#include "ops_elementwise.h"
#include "ops_movement.h"

/* The row of an operator; NULL: the device has no kernel for it. */
NNRT__FN const nnrt__cpu_op *nnrt__cpu_op_find(OH_NN_OperationType op) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(nnrt__conv_ops); i++)
        if (nnrt__conv_ops[i].op == op) return &nnrt__conv_ops[i];
    for (i = 0; i < NNRT__COUNT_OF(nnrt__elementwise_ops); i++)
        if (nnrt__elementwise_ops[i].op == op) return &nnrt__elementwise_ops[i];
    for (i = 0; i < NNRT__COUNT_OF(nnrt__movement_ops); i++)
        if (nnrt__movement_ops[i].op == op) return &nnrt__movement_ops[i];
    return NULL;
}

/* The kind of step with that id, which may come from a hostile plan; NULL: there is none. */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_find(uint32_t id) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(nnrt__conv_steps); i++)
        if (nnrt__conv_steps[i]->id == id) return nnrt__conv_steps[i];
    for (i = 0; i < NNRT__COUNT_OF(nnrt__elementwise_steps); i++)
        if (nnrt__elementwise_steps[i]->id == id) return nnrt__elementwise_steps[i];
    for (i = 0; i < NNRT__COUNT_OF(nnrt__movement_steps); i++)
        if (nnrt__movement_steps[i]->id == id) return nnrt__movement_steps[i];
    return NULL;
}

#endif /* NNRT_CPU_OPS_H */
