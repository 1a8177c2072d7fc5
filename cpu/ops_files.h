/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_files.h - CUMSUM, DYNAMIC_UPDATE_SLICE and RESIZE_NEAREST of .tflite files.   >>cpu_ops_files

   CUMSUM                 inputs value, axis; float32, int32, int64, or int8 as kernels/cumsum_scalar.h says. The output
                          has the shape of the value.
   DYNAMIC_UPDATE_SLICE   inputs whole, part, and where the part begins, a number for each axis, which the run may give:
                          a part that would reach out of the whole is moved back into it. Any data type.
   RESIZE_NEAREST         inputs image [batch, height, width, channels], its new height and width. Any data type. */
#ifndef NNRT_CPU_OPS_FILES_H
#define NNRT_CPU_OPS_FILES_H

#include "ops_movement_base.h"
#include "steps_cumsum.h"
#include "steps_movement.h"
#include "steps_update.h"

/* ------------------------------------------------------------------------------------------------------ CUMSUM */

NNRT__FN OH_NN_ReturnCode nnrt__cumsum_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    double in_scale = 1.0, out_scale = 1.0;
    nnrt__cumsum_args *args = (nnrt__cumsum_args *)node->spec;
    int64_t listed = 0;
    uint32_t count = 0, axis = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 1, &listed, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(listed, in->rank, &axis)) return nnrt__movement_bad(ir, node, "the axis is out of range");
    args->outer = (uint32_t)nnrt__movement_size(in, 0, axis);
    args->count = (uint32_t)in->dims[axis];
    args->inner = (uint32_t)nnrt__movement_size(in, axis + 1, in->rank);
    args->exclusive = nnrt__ir_int(node, NNRT__TENSOR_CUMSUM_EXCLUSIVE, 0) != 0 ? 1 : 0;
    args->reverse = nnrt__ir_int(node, NNRT__TENSOR_CUMSUM_REVERSE, 0) != 0 ? 1 : 0;
    if (in->dtype == OH_NN_FLOAT32 || in->dtype == OH_NN_INT32 || in->dtype == OH_NN_INT64)
        return nnrt__ir_set_shape(ir, node, 0, in->rank, in->dims);
    if (in->dtype != OH_NN_INT8)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (!nnrt__ir_quant(in, &in_scale, &args->input_zero_point) ||
        !nnrt__ir_quant(out, &out_scale, &args->output_zero_point))
        return nnrt__movement_bad(ir, node, "int8 sums need one scale for the input and one for the output");
    nnrt__quantize_multiplier(2.0 * in_scale / (1048576.0 * out_scale), &args->multiplier, &args->shift);
    if (args->shift > 0) return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the scale of the output is too small");
    return nnrt__ir_set_shape(ir, node, 0, in->rank, in->dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__cumsum_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]), dst = nnrt__lower_value(lower, node->outputs[0]);
    return nnrt__lower_spec(lower, NNRT__KIND(cumsum), node, &src, 1, &dst, 1, NULL);
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

/* --------------------------------------------------------------------------------------------- RESIZE_NEAREST

   A GATHER along the rows, which are whole pieces of memory, and one along the columns. */

/* Of one axis: which of `from` elements each of `to` is. */
typedef struct nnrt__nearest_side {
    int32_t from, to;
    bool align_corners, half_pixels;
} nnrt__nearest_side;

NNRT__FN OH_NN_ReturnCode nnrt__resize_nearest_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__nearest_side *side = (nnrt__nearest_side *)node->spec;
    int64_t dims[4], size[2] = {0, 0};
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 1, size, 2, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (in->rank != 4 || count != 2)
        return nnrt__movement_bad(ir, node, "the input is no image, or the size not its height and width");
    side->align_corners = nnrt__ir_int(node, NNRT__TENSOR_NEAREST_ALIGN_CORNERS, 0) != 0;
    side->half_pixels = nnrt__ir_int(node, NNRT__TENSOR_NEAREST_HALF_PIXELS, 0) != 0;
    dims[0] = in->dims[0];
    dims[1] = size[0];
    dims[2] = size[1];
    dims[3] = in->dims[3];
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

/* In float, as TensorFlow Lite has it. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_nearest(const nnrt__filling *filling, void *to) {
    const nnrt__nearest_side *side = (const nnrt__nearest_side *)filling->context;
    const float scale = side->align_corners && side->to > 1 ? (float)(side->from - 1) / (float)(side->to - 1)
                                                            : (float)side->from / (float)side->to;
    int32_t *indices = (int32_t *)to, i;
    for (i = 0; i < side->to; i++) {
        const float at = ((float)i + (side->half_pixels ? 0.5f : 0.0f)) * scale;
        const int32_t source = (int32_t)(side->align_corners ? at + 0.5f : at); /* it is not negative */
        indices[i] = source < side->from - 1 ? source : side->from - 1;
    }
    return OH_NN_SUCCESS;
}

/* Gathers plan value `from`, whose shape is dims, along axis 1 or 2 into `to`. */
NNRT__FN OH_NN_ReturnCode nnrt__resize_nearest_lower_side(nnrt__lower *lower, const nnrt__ir_node *node,
                                                          const nnrt__nearest_side *side, const int32_t *dims,
                                                          uint32_t axis, uint32_t from, uint32_t to) {
    nnrt__gather_args *args;
    uint32_t inputs[2];
    inputs[0] = from;
    inputs[1] =
        nnrt__lower_constant(lower, node, OH_NN_INT32, (size_t)side->to, nnrt__fill_nearest, side, sizeof(*side));
    args = (nnrt__gather_args *)nnrt__lower_step(lower, NNRT__KIND(gather), node, inputs, 2, &to, 1, NULL);
    if (args == NULL) return lower->status;
    args->outer = axis == 1 ? (uint32_t)dims[0] : (uint32_t)dims[0] * (uint32_t)dims[1];
    args->dim = (uint32_t)dims[axis];
    args->inner = axis == 1 ? (uint32_t)dims[2] * (uint32_t)dims[3] : (uint32_t)dims[3];
    args->batches = 1;
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__resize_nearest_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    uint32_t rows = nnrt__lower_value(lower, node->inputs[0]);
    int32_t dims[4];
    nnrt__nearest_side side = *(const nnrt__nearest_side *)node->spec;
    memcpy(dims, in->dims, sizeof(dims));
    side.from = in->dims[1];
    side.to = dims[1] = out->dims[1];
    if (side.from != side.to) {
        const uint32_t between = nnrt__lower_temporary(lower, in->dtype, 4, dims);
        (void)nnrt__resize_nearest_lower_side(lower, node, &side, in->dims, 1, rows, between);
        rows = between;
    }
    side.from = in->dims[2];
    side.to = out->dims[2];
    return nnrt__resize_nearest_lower_side(lower, node, &side, dims, 2, rows, dst);
}

NNRT__CPU_OP_READ(CUMSUM, nnrt__cumsum_args, NNRT__CPU_VALUES(1), nnrt__cumsum_infer, nnrt__cumsum_lower)
NNRT__CPU_OP(DYNAMIC_UPDATE_SLICE, NNRT__CPU_ANY_TYPE, nnrt__update_infer, nnrt__update_lower)
NNRT__CPU_OP_READ(RESIZE_NEAREST, nnrt__nearest_side, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1),
                  nnrt__resize_nearest_infer, nnrt__resize_nearest_lower)

#endif /* NNRT_CPU_OPS_FILES_H */
