/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops.h - the operators of the CPU device, all of them or those of NNRT_OPS (cpu/kind_list.h).   >>cpu_ops */
#ifndef NNRT_CPU_OPS_H
#define NNRT_CPU_OPS_H

#include "kinds.h"
#include "ops_accelerator.h"
#include "ops_conv.h"
#include "ops_detection.h"
#include "ops_elementwise.h"
#include "ops_files.h"
#include "ops_lookup.h"
#include "ops_lstm.h"
#include "ops_matmul.h"
#include "ops_movement.h"
#include "ops_sequence_lstm.h"
#include "ops_svdf.h"

/* An error at a name here: NNRT_OPS lists an operator for which the CPU device has no kernels. */
#define NNRT__CPU_OP_ADDRESS(name) &nnrt__cpu_op_##name,
static const nnrt__cpu_op *const nnrt__cpu_ops[] = {NNRT__CPU_OPS(NNRT__CPU_OP_ADDRESS) NNRT__CPU_OP_OF_PARTS NULL};

NNRT__FN const nnrt__cpu_op *nnrt__cpu_op_find(OH_NN_OperationType op) {
    const nnrt__cpu_op *const *row = nnrt__cpu_ops;
    while (*row != NULL && (*row)->op != op) row++;
    return *row;
}

#endif /* NNRT_CPU_OPS_H */
