/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_files.h - CUMSUM and DYNAMIC_UPDATE_SLICE of .tflite files.   >>cpu_ops_files

   CUMSUM                 inputs value, axis; float32, int32, int64, or int8 as kernels/cumsum_scalar.h says. The output
                          has the shape of the value.
   DYNAMIC_UPDATE_SLICE   inputs whole, part, and where the part begins, a number for each axis, which the run may give:
                          a part that would reach out of the whole is moved back into it. Any data type. */
#ifndef NNRT_CPU_OPS_FILES_H
#define NNRT_CPU_OPS_FILES_H

#include "ops_movement_base.h"
#include "steps_files.h"

/* ------------------------------------------------------------------------------------------------------ CUMSUM */

/* Everything that the arguments say, and that the operands fit. */
NNRT__FN OH_NN_ReturnCode nnrt__cumsum_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__cumsum_args *args) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    double in_scale = 1.0, out_scale = 1.0;
    int64_t listed = 0;
    uint32_t count = 0, axis = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    memset(args, 0, sizeof(*args));
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 1, &listed, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(listed, in->rank, &axis)) return nnrt__movement_bad(ir, node, "the axis is out of range");
    args->outer = (uint32_t)nnrt__movement_size(in, 0, axis);
    args->count = (uint32_t)in->dims[axis];
    args->inner = (uint32_t)nnrt__movement_size(in, axis + 1, in->rank);
    args->exclusive = nnrt__ir_int(node, NNRT__TENSOR_CUMSUM_EXCLUSIVE, 0) != 0 ? 1 : 0;
    args->reverse = nnrt__ir_int(node, NNRT__TENSOR_CUMSUM_REVERSE, 0) != 0 ? 1 : 0;
    if (in->dtype == OH_NN_FLOAT32 || in->dtype == OH_NN_INT32 || in->dtype == OH_NN_INT64) return OH_NN_SUCCESS;
    if (in->dtype != OH_NN_INT8)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (!nnrt__ir_quant(in, &in_scale, &args->input_zero_point) ||
        !nnrt__ir_quant(out, &out_scale, &args->output_zero_point))
        return nnrt__movement_bad(ir, node, "int8 sums need one scale for the input and one for the output");
    nnrt__quantize_multiplier(2.0 * in_scale / (1048576.0 * out_scale), &args->multiplier, &args->shift);
    if (args->shift > 0) return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the scale of the output is too small");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cumsum_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__cumsum_args args;
    OH_NN_ReturnCode code = nnrt__cumsum_read(ir, node, &args);
    return code == OH_NN_SUCCESS ? nnrt__ir_set_shape(ir, node, 0, in->rank, in->dims) : code;
}

NNRT__FN OH_NN_ReturnCode nnrt__cumsum_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]), dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__cumsum_args read, *args;
    const OH_NN_ReturnCode code = nnrt__cumsum_read(lower->ir, node, &read);
    if (code != OH_NN_SUCCESS) return code;
    args = (nnrt__cumsum_args *)nnrt__lower_step(lower, NNRT__KIND(cumsum), node, &src, 1, &dst, 1, NULL);
    if (args != NULL) *args = read;
    return lower->status;
}

/* ---------------------------------------------------------------------------------------- DYNAMIC_UPDATE_SLICE */

NNRT__FN OH_NN_ReturnCode nnrt__update_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *whole = nnrt__ir_in(ir, node, 0), *part = nnrt__ir_in(ir, node, 1);
    const nnrt__ir_value *starts = nnrt__ir_in(ir, node, 2);
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_same_type(ir, node, 1);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 1);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__movement_is_index(starts) || starts->rank != 1 || starts->count != whole->rank)
        return nnrt__movement_bad(ir, node, "where the part begins is not an int32 or int64 for each axis");
    if (part->rank != whole->rank) return nnrt__movement_bad(ir, node, "the part has other axes than the whole");
    for (i = 0; i < whole->rank; i++)
        if (part->dims[i] > whole->dims[i]) return nnrt__movement_bad(ir, node, "the part is larger than the whole");
    return nnrt__ir_set_shape(ir, node, 0, whole->rank, whole->dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__update_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *whole = nnrt__ir_in(lower->ir, node, 0), *part = nnrt__ir_in(lower->ir, node, 1);
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__update_args *args;
    uint32_t inputs[3], i;
    for (i = 0; i < 3; i++) inputs[i] = nnrt__lower_value(lower, node->inputs[i]);
    args = (nnrt__update_args *)nnrt__lower_step(lower, NNRT__KIND(update), node, inputs, 3, &dst, 1, NULL);
    if (args == NULL) return lower->status;
    args->rank = whole->rank;
    args->element_size = (uint32_t)nnrt__element_size(whole->dtype);
    for (i = 0; i < whole->rank; i++) {
        args->dims[i] = whole->dims[i];
        args->sizes[i] = part->dims[i];
    }
    return lower->status;
}

NNRT__CPU_OP(CUMSUM, NNRT__CPU_VALUES(1), nnrt__cumsum_infer, nnrt__cumsum_lower)
NNRT__CPU_OP(DYNAMIC_UPDATE_SLICE, NNRT__CPU_ANY_TYPE, nnrt__update_infer, nnrt__update_lower)

#endif /* NNRT_CPU_OPS_FILES_H */
