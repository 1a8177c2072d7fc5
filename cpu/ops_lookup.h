/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_lookup.h - GATHER_ND, SCATTER_ND, SPARSE_TO_DENSE and ASSERT.   >>cpu_ops_lookup

   Shapes are known at Build, indices only in the run: one out of range fails the run. Negative indices are out of
   range, as in TensorFlow Lite and MindSpore Lite. Elements that SCATTER_ND and SPARSE_TO_DENSE do not write are bytes
   of 0, whatever the quantization. If two rows of indices name one place, the last one wins, as in MindSpore Lite;
   TensorFlow Lite's SCATTER_ND adds them up, which nodes of .tflite files ask for (NNRT__TENSOR_TFLITE). */
#ifndef NNRT_CPU_OPS_LOOKUP_H
#define NNRT_CPU_OPS_LOOKUP_H

#include "lower_elementwise.h"
#include "ops_movement_base.h"
#include "steps_lookup.h"

/* -------------------------------------------------------------------------------------------------- GATHER_ND */

/* OpenHarmony's own tests give indices as float32, too: they are cast, cut off towards zero. */
NNRT__FN bool nnrt__nd_is_index(const nnrt__ir_value *indices) {
    return nnrt__movement_is_index(indices) || indices->dtype == OH_NN_FLOAT32;
}

NNRT__FN uint32_t nnrt__nd_lower_indices(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t ir_value) {
    if (lower->ir->values[ir_value].dtype != OH_NN_FLOAT32) return nnrt__lower_value(lower, ir_value);
    return nnrt__lower_as_dtype(lower, node, ir_value, OH_NN_INT32);
}

/* Checks indices of so many dimensions: the last is how many axes a row names, and data must have that many. */
NNRT__FN OH_NN_ReturnCode nnrt__nd_infer_indices(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                 const nnrt__ir_value *indices, uint32_t least, uint32_t axes) {
    if (!nnrt__nd_is_index(indices)) return nnrt__movement_bad(ir, node, "the indices must be int32, int64 or float32");
    if (indices->rank < least) return nnrt__movement_bad(ir, node, "the indices have too few dimensions");
    if (indices->dims[indices->rank - 1] > (int64_t)axes)
        return nnrt__movement_bad(ir, node, "a row of indices names more axes than there are");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_nd_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *indices = nnrt__ir_in(ir, node, 1);
    int64_t dims[2 * NNRT_MAX_RANK];
    uint32_t rank = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__nd_infer_indices(ir, node, indices, 1, in->rank);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i + 1 < indices->rank; i++) dims[rank++] = indices->dims[i];
    for (i = (uint32_t)indices->dims[indices->rank - 1]; i < in->rank; i++) dims[rank++] = in->dims[i];
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_nd_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *indices = nnrt__ir_in(lower->ir, node, 1);
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__nd_args *args;
    uint32_t inputs[2], i;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__nd_lower_indices(lower, node, node->inputs[1]);
    args = (nnrt__nd_args *)nnrt__lower_step(lower, NNRT__KIND(gather_nd), node, inputs, 2, &dst, 1, NULL);
    if (args == NULL) return lower->status;
    args->depth = (uint32_t)indices->dims[indices->rank - 1];
    for (i = 0; i < args->depth; i++) args->dims[i] = in->dims[i];
    return lower->status;
}

/* --------------------------------------------------------------------------------- SCATTER_ND, SPARSE_TO_DENSE

   Inputs of both: indices, updates, shape. SPARSE_TO_DENSE: a row names all axes; indices without a last dimension for
   them address a list; a single value serves all rows. */

/* How many axes a row of indices names, in an output of so many dimensions. */
NNRT__FN uint32_t nnrt__scatter_depth(const nnrt__ir_node *node, const nnrt__ir_value *indices) {
    if (node->op == OH_NN_OPS_SPARSE_TO_DENSE && indices->rank < 2) return 1;
    return (uint32_t)indices->dims[indices->rank - 1];
}

/* How duplicates combine; NNRT__ND_COPY: the last one wins. false: that type cannot be summed. */
NNRT__FN bool nnrt__scatter_way(const nnrt__ir_node *node, OH_NN_DataType dtype, uint32_t *way) {
    *way = NNRT__ND_COPY;
    if (node->op != OH_NN_OPS_SCATTER_ND || nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) == 0) return true;
    switch (dtype) {
    case OH_NN_BOOL: *way = NNRT__ND_OR; return true;
    case OH_NN_INT8:
    case OH_NN_UINT8: *way = NNRT__ND_ADD_8; return true;
    case OH_NN_INT16:
    case OH_NN_UINT16: *way = NNRT__ND_ADD_16; return true;
    case OH_NN_INT32:
    case OH_NN_UINT32: *way = NNRT__ND_ADD_32; return true;
    case OH_NN_INT64:
    case OH_NN_UINT64: *way = NNRT__ND_ADD_64; return true;
    case OH_NN_FLOAT32: *way = NNRT__ND_ADD_F32; return true;
    default: return false;
    }
}

/* updates are indices.shape[:-1] + shape[depth:]. */
NNRT__FN bool nnrt__scatter_nd_fits(const nnrt__ir_value *indices, const nnrt__ir_value *updates, uint32_t depth,
                                    uint32_t rank, const int64_t *dims) {
    const uint32_t rows = indices->rank - 1;
    uint32_t i;
    if (updates->rank != rows + rank - depth) return rows + rank == depth && updates->count == 1;
    for (i = 0; i < updates->rank; i++)
        if (updates->dims[i] != (i < rows ? indices->dims[i] : dims[depth + i - rows])) return false;
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__scatter_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *indices = nnrt__ir_in(ir, node, 0), *updates = nnrt__ir_in(ir, node, 1);
    const bool sparse = node->op == OH_NN_OPS_SPARSE_TO_DENSE;
    int64_t dims[NNRT_MAX_RANK];
    nnrt__nd_args *args = (nnrt__nd_args *)node->spec;
    uint32_t rank = 0, depth, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 1);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 1);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 2, dims, NNRT_MAX_RANK, &rank);
    if (code == OH_NN_SUCCESS && (!sparse || indices->rank > 1))
        code = nnrt__nd_infer_indices(ir, node, indices, 2, rank);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__nd_is_index(indices)) return nnrt__movement_bad(ir, node, "the indices must be int32, int64 or float32");
    if (sparse && indices->rank > 2) return nnrt__movement_bad(ir, node, "the indices have more than two dimensions");
    depth = nnrt__scatter_depth(node, indices);
    if (sparse && depth != rank) return nnrt__movement_bad(ir, node, "a row of indices does not name every axis");
    if (sparse ? updates->count != 1 && updates->count != indices->count / depth
               : !nnrt__scatter_nd_fits(indices, updates, depth, rank, dims))
        return nnrt__movement_bad(ir, node, "there is not one update for each row of indices");
    if (!nnrt__scatter_way(node, updates->dtype, &args->way))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    args->depth = depth;
    code = nnrt__movement_set_shape(ir, node, 0, rank, dims);
    for (i = 0; code == OH_NN_SUCCESS && i < depth; i++) args->dims[i] = (int32_t)dims[i];
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__scatter_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    uint32_t inputs[2];
    inputs[0] = nnrt__nd_lower_indices(lower, node, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    return nnrt__lower_spec(lower, NNRT__KIND(scatter_nd), node, inputs, 2, &dst, 1, NULL);
}

/* ------------------------------------------------------------------------------------------------------ ASSERT */

NNRT__FN OH_NN_ReturnCode nnrt__assert_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *condition = nnrt__ir_in(ir, node, 0);
    const int64_t shown = nnrt__ir_int(node, OH_NN_ASSERT_SUMMARIZE, 0);
    ((nnrt__assert_args *)node->spec)->shown = shown < 0 ? 0 : shown > 64 ? 64 : (uint32_t)shown;
    if (condition->dtype != OH_NN_BOOL) return nnrt__movement_bad(ir, node, "the condition must be bool");
    if (nnrt__ir_out(ir, node, 0)->dtype != OH_NN_BOOL) return nnrt__movement_bad(ir, node, "the output must be bool");
    return nnrt__ir_set_shape(ir, node, 0, condition->rank, condition->dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__assert_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    uint32_t inputs[2];
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    return nnrt__lower_spec(lower, NNRT__KIND(assert), node, inputs, 2, &dst, 1, NULL);
}

NNRT__CPU_OP(GATHER_ND, NNRT__CPU_ANY_TYPE, nnrt__gather_nd_infer, nnrt__gather_nd_lower)
NNRT__CPU_OP_READ(SCATTER_ND, nnrt__nd_args, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(2), nnrt__scatter_infer,
                  nnrt__scatter_lower)
NNRT__CPU_OP_READ(SPARSE_TO_DENSE, nnrt__nd_args, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(2), nnrt__scatter_infer,
                  nnrt__scatter_lower)
NNRT__CPU_OP_READ(ASSERT, nnrt__assert_args, NNRT__CPU_ANY_TYPE, nnrt__assert_infer, nnrt__assert_lower)

#endif /* NNRT_CPU_OPS_LOOKUP_H */
