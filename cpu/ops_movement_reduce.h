/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_reduce.h - operators that reduce, resize, look up, choose, or make tensors from nothing.
   >>cpu_ops_movement_reduce */
#ifndef NNRT_CPU_OPS_MOVEMENT_REDUCE_H
#define NNRT_CPU_OPS_MOVEMENT_REDUCE_H

#include "lower_elementwise.h"
#include "ops_movement_base.h"

/* --------------------------------------------------------------------------------------------- reductions */

/* The parameters of a reducing operator under one set of names. */
typedef struct nnrt__reduction {
    uint32_t op;                                /* NNRT__REDUCE_* */
    OH_NN_TensorType keep_dims, to_end, factor; /* OH_NN_TENSOR: there is none */
} nnrt__reduction;

NNRT__FN void nnrt__reduction_of(OH_NN_OperationType op, nnrt__reduction *reduction) {
    static const struct {
        OH_NN_OperationType op;
        nnrt__reduction reduction;
    } rows[] = {
        {OH_NN_OPS_REDUCE_MEAN,
         {NNRT__REDUCE_MEAN, OH_NN_REDUCE_MEAN_KEEP_DIMS, OH_NN_REDUCE_MEAN_REDUCE_TO_END, OH_NN_REDUCE_MEAN_COEFF}},
        {OH_NN_OPS_REDUCE_SUM,
         {NNRT__REDUCE_SUM, OH_NN_REDUCE_SUM_KEEP_DIMS, OH_NN_REDUCE_SUM_REDUCE_TO_END, OH_NN_REDUCE_SUM_COEFF}},
        {OH_NN_OPS_REDUCE_MAX,
         {NNRT__REDUCE_MAX, OH_NN_REDUCE_MAX_KEEP_DIMS, OH_NN_REDUCE_MAX_REDUCE_TO_END, OH_NN_REDUCE_MAX_COEFF}},
        {OH_NN_OPS_REDUCE_MIN,
         {NNRT__REDUCE_MIN, OH_NN_REDUCE_MIN_KEEP_DIMS, OH_NN_REDUCE_MIN_REDUCE_TO_END, OH_NN_REDUCE_MIN_COEFF}},
        {OH_NN_OPS_REDUCE_PROD,
         {NNRT__REDUCE_PROD, OH_NN_REDUCE_PROD_KEEP_DIMS, OH_NN_REDUCE_PROD_REDUCE_TO_END, OH_NN_REDUCE_PROD_COEFF}},
        {OH_NN_OPS_REDUCE_L2,
         {NNRT__REDUCE_L2, OH_NN_REDUCE_L2_KEEP_DIMS, OH_NN_REDUCE_L2_REDUCE_TO_END, OH_NN_REDUCE_L2_COEFF}},
        {OH_NN_OPS_REDUCE_ALL,
         {NNRT__REDUCE_ALL, OH_NN_REDUCE_ALL_KEEP_DIMS, OH_NN_REDUCE_ALL_REDUCE_TO_END, OH_NN_REDUCE_ALL_COEFF}},
        {OH_NN_OPS_ALL, {NNRT__REDUCE_ALL, OH_NN_ALL_KEEP_DIMS, OH_NN_TENSOR, OH_NN_TENSOR}}};
    size_t i;
    *reduction = rows[0].reduction;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        if (rows[i].op == op) *reduction = rows[i].reduction;
}

/* The axes that are reduced, and whether they stay as 1. */
NNRT__FN OH_NN_ReturnCode nnrt__reduce_axes(const nnrt__ir *ir, const nnrt__ir_node *node,
                                            const nnrt__reduction *reduction, uint32_t *mask, bool *keep,
                                            bool *to_end) {
    const uint32_t rank = nnrt__ir_in(ir, node, 0)->rank;
    int64_t axes[NNRT_MAX_RANK];
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, axes, NNRT_MAX_RANK, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axes(ir, node, axes, count, rank, mask);
    if (code != OH_NN_SUCCESS) return code;
    *to_end = reduction->to_end != OH_NN_TENSOR && nnrt__ir_int(node, reduction->to_end, 0) != 0;
    *keep = !*to_end && nnrt__ir_int(node, reduction->keep_dims, 0) != 0;
    if (!*to_end) return OH_NN_SUCCESS;
    if (count != 1) return nnrt__movement_bad(ir, node, "reducing to the end takes exactly one axis");
    *mask = ((1u << rank) - 1) & ~(*mask - 1);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__reduce_infer_type(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t op) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    double scale;
    int32_t zero;
    OH_NN_ReturnCode code;
    if (op == NNRT__REDUCE_ALL) {
        if (node->op == OH_NN_OPS_REDUCE_ALL && in->dtype != OH_NN_BOOL)
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the input must be bool");
        if (nnrt__element_size(in->dtype) == 0) return nnrt__movement_bad(ir, node, "the input has no data type");
        return out->dtype == OH_NN_BOOL ? OH_NN_SUCCESS : nnrt__movement_bad(ir, node, "the output must be bool");
    }
    code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS || in->dtype == OH_NN_FLOAT32 || (in->dtype == OH_NN_INT32 && op != NNRT__REDUCE_L2))
        return code;
    if ((in->dtype != OH_NN_INT8 && in->dtype != OH_NN_INT16) || op > NNRT__REDUCE_PROD)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (op == NNRT__REDUCE_MAX || op == NNRT__REDUCE_MIN) return nnrt__movement_need_same_quant(ir, node, 0);
    if (!nnrt__ir_quant(in, &scale, &zero) || !nnrt__ir_quant(out, &scale, &zero))
        return nnrt__movement_bad(
            ir, node, "sums, means and products of int8 and int16 need one scale for the input and one for the output");
    if (in->dtype == OH_NN_INT16 && (in->quant.zero_points[0] != 0 || out->quant.zero_points[0] != 0))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "sums, means and products of int16 need zero points of 0");
    return OH_NN_SUCCESS;
}

/* Zero points and the multiplier of quantized sums, means and products, of args->op, to args; shapes are known. */
NNRT__FN OH_NN_ReturnCode nnrt__reduce_rescale(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__reduce_args *args) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const size_t count = in->count / out->count;
    double in_scale, out_scale;
    if ((in->dtype != OH_NN_INT8 && in->dtype != OH_NN_INT16) ||
        (args->op > NNRT__REDUCE_MEAN && args->op != NNRT__REDUCE_PROD) ||
        !nnrt__ir_quant(in, &in_scale, &args->input_zero_point) ||
        !nnrt__ir_quant(out, &out_scale, &args->output_zero_point))
        return OH_NN_SUCCESS;
    if (args->op == NNRT__REDUCE_PROD) {
        nnrt__quantize_multiplier(in_scale / pow(out_scale, 1.0 / (double)count), &args->multiplier, &args->shift);
        if (args->shift > 7) return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the scale of the output is too small");
        return OH_NN_SUCCESS;
    }
    nnrt__quantize_multiplier(in_scale / out_scale, &args->multiplier, &args->shift);
    if (args->op == NNRT__REDUCE_MEAN) nnrt__reduce_multiplier(count, &args->multiplier, &args->shift);
    return nnrt__ir_check_rescale(ir, node, in_scale, (uint64_t)count * (in->dtype == OH_NN_INT16 ? 32768u : 255u),
                                  args->shift);
}

NNRT__FN OH_NN_ReturnCode nnrt__reduce_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__reduction reduction;
    nnrt__reduce_args args;
    int64_t dims[NNRT_MAX_RANK];
    uint32_t mask = 0, rank = 0, i;
    bool keep = false, to_end = false;
    OH_NN_ReturnCode code;
    nnrt__reduction_of(node->op, &reduction);
    code = nnrt__reduce_infer_type(ir, node, reduction.op);
    if (code == OH_NN_SUCCESS) code = nnrt__reduce_axes(ir, node, &reduction, &mask, &keep, &to_end);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < in->rank; i++) {
        if ((mask >> i & 1) == 0) dims[rank++] = in->dims[i];
        else if (keep) dims[rank++] = 1;
    }
    code = nnrt__movement_set_shape(ir, node, 0, rank, dims);
    if (code != OH_NN_SUCCESS) return code;
    memset(&args, 0, sizeof(args));
    args.op = reduction.op;
    return nnrt__reduce_rescale(ir, node, &args);
}

/* Neighbouring axes of one kind become one. */
NNRT__FN void nnrt__reduce_collapse(const nnrt__ir_value *in, uint32_t mask, nnrt__reduce_args *args) {
    uint32_t i;
    args->rank = 0;
    args->mask = 0;
    for (i = 0; i < in->rank; i++) {
        const uint32_t reduced = mask >> i & 1;
        if (args->rank != 0 && (args->mask >> (args->rank - 1) & 1) == reduced) {
            args->dims[args->rank - 1] *= in->dims[i];
        } else {
            args->mask |= reduced << args->rank;
            args->dims[args->rank++] = in->dims[i];
        }
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__reduce_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]), dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__reduce_args *args =
        (nnrt__reduce_args *)nnrt__lower_step(lower, NNRT__KIND(reduce), node, &src, 1, &dst, 1, NULL);
    nnrt__reduction reduction;
    uint32_t mask = 0;
    bool keep = false, to_end = false;
    OH_NN_ReturnCode code;
    nnrt__reduction_of(node->op, &reduction);
    code = nnrt__reduce_axes(lower->ir, node, &reduction, &mask, &keep, &to_end);
    if (code != OH_NN_SUCCESS) return code;
    if (args == NULL) return lower->status;
    args->op = reduction.op;
    args->factor = 1.0f;
    if (to_end) {
        const float factor = nnrt__ir_float(node, reduction.factor, 0.0f);
        if (factor > 1e-5f || factor < -1e-5f) args->factor = factor;
    }
    nnrt__reduce_collapse(in, mask, args);
    if (args->rank == 0) { /* a rank-0 input reduces into itself */
        args->rank = 1;
        args->mask = 1;
        args->dims[0] = 1;
    }
    code = nnrt__reduce_rescale(lower->ir, node, args);
    return code != OH_NN_SUCCESS ? code : lower->status;
}

/* ----------------------------------------------------------------------------------------------- resizing */

NNRT__FN OH_NN_ReturnCode nnrt__resize_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t mode = nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, 0);
    int64_t dims[4];
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (in->rank != 4) return nnrt__movement_bad(ir, node, "the input does not have 4 dimensions");
    if (in->dtype != OH_NN_FLOAT32 && in->dtype != OH_NN_INT8 &&
        !((in->dtype == OH_NN_UINT8 || in->dtype == OH_NN_INT16) && in->quant.count == 1 &&
          nnrt__ir_out(ir, node, 0)->quant.count == 1))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (mode < 0 || mode > 2) return nnrt__movement_bad(ir, node, "there is no such coordinate mode");
    if (nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_PRESERVE_ASPECT_RATIO, 0) != 0)
        return nnrt__movement_bad(ir, node, "the aspect ratio cannot be preserved");
    dims[0] = in->dims[0];
    dims[1] = nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, 0);
    dims[2] = nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, 0);
    dims[3] = in->dims[3];
    if (node->input_count > 1) { /* of a .tflite file */
        code = nnrt__movement_ints(ir, node, 1, dims + 1, 2, &count);
        if (code != OH_NN_SUCCESS) return code;
        if (count != 2) return nnrt__movement_bad(ir, node, "the new size is not a height and a width");
    }
    if (dims[1] < 1 || dims[2] < 1) return nnrt__movement_bad(ir, node, "the new height or width is below 1");
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

/* Is it resized in float? uint8, and int16 of two quantizations. */
NNRT__FN bool nnrt__resize_by_floats(const nnrt__ir_value *in, const nnrt__ir_value *out) {
    return in->dtype == OH_NN_UINT8 || (in->dtype == OH_NN_INT16 && !nnrt__ir_moves_unchanged(in, out));
}

/* As what the elements of value i are resized in float: as they are, which is TensorFlow Lite's way, or, where the
   output is quantized in another way, as the numbers that they stand for. */
NNRT__FN nnrt__ir_value nnrt__resize_bytes(const nnrt__lower *lower, const nnrt__ir_node *node, uint32_t i) {
    static const double one = 1.0;
    static const int32_t zero = 0;
    nnrt__ir_value bytes = lower->ir->values[i];
    if (nnrt__ir_moves_unchanged(nnrt__ir_in(lower->ir, node, 0), nnrt__ir_out(lower->ir, node, 0))) {
        bytes.quant.scales = &one;
        bytes.quant.zero_points = &zero;
    }
    return bytes;
}

NNRT__FN OH_NN_ReturnCode nnrt__resize_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const uint32_t given = nnrt__lower_value(lower, node->inputs[0]);
    const uint32_t wanted = nnrt__lower_value(lower, node->outputs[0]);
    const bool floats = nnrt__resize_by_floats(in, out);
    const uint32_t src = floats ? nnrt__lower_like(lower, OH_NN_FLOAT32, node->inputs[0]) : given;
    const uint32_t dst = floats ? nnrt__lower_like(lower, OH_NN_FLOAT32, node->outputs[0]) : wanted;
    nnrt__ir_value bytes = nnrt__resize_bytes(lower, node, node->inputs[0]);
    nnrt__step_resize_args *args;
    double in_scale, out_scale;
    if (floats) nnrt__lower_quantize(lower, node, &bytes, given, src);
    args = (nnrt__step_resize_args *)nnrt__lower_step(lower, NNRT__KIND(resize_bilinear), node, &src, 1, &dst, 1, NULL);
    if (args == NULL) return lower->status;
    args->resize.in_height = in->dims[1];
    args->resize.in_width = in->dims[2];
    args->resize.out_height = out->dims[1];
    args->resize.out_width = out->dims[2];
    args->resize.channels = in->dims[3];
    args->resize.mode = (uint32_t)nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, 0);
    if (in->dtype == OH_NN_INT8 && !nnrt__ir_moves_unchanged(in, out) &&
        nnrt__ir_quant(in, &in_scale, &args->resize.input_zero_point) &&
        nnrt__ir_quant(out, &out_scale, &args->resize.output_zero_point)) {
        args->resize.ratio = (float)(in_scale / out_scale);
        args->requantize = 1;
    }
    bytes = nnrt__resize_bytes(lower, node, node->outputs[0]);
    if (floats) nnrt__lower_quantize(lower, node, &bytes, dst, wanted);
    return lower->status;
}

/* --------------------------------------------------------------------------------------- largest elements */

/* [outer, count, inner] of an axis. */
NNRT__FN OH_NN_ReturnCode nnrt__top_lower(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t axis, int64_t k,
                                          bool sorted, bool values) {
    /* TensorFlow Lite's ARG_MIN comes as an ARG_MAX of its own */
    const bool smallest = nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) != 0;
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]);
    nnrt__step_top_args *args;
    uint32_t outputs[2], i;
    for (i = 0; i < node->output_count && i < 2; i++) outputs[i] = nnrt__lower_value(lower, node->outputs[i]);
    args = (nnrt__step_top_args *)nnrt__lower_step(lower, NNRT__KIND(top), node, &src, 1, outputs, node->output_count,
                                                   NULL);
    if (args == NULL) return lower->status;
    nnrt__top_type((uint32_t)in->dtype, &args->top.type);
    args->top.outer = (uint32_t)nnrt__movement_size(in, 0, axis);
    args->top.count = in->rank == 0 ? 1 : (uint32_t)in->dims[axis];
    args->top.inner = in->rank == 0 ? 1 : (uint32_t)nnrt__movement_size(in, axis + 1, in->rank);
    args->top.k = (uint32_t)k;
    args->top.sorted = sorted ? 1 : 0;
    args->top.smallest = smallest ? 1 : 0;
    args->values = values ? 1 : 0;
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__arg_max_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const int64_t k = nnrt__ir_int(node, OH_NN_ARG_MAX_TOP_K, 1);
    const bool keep = k > 1 || nnrt__ir_int(node, OH_NN_ARG_MAX_KEEPDIMS, 0) != 0;
    int64_t dims[NNRT_MAX_RANK];
    uint32_t axis = 0, rank = 0, type, i;
    OH_NN_ReturnCode code;
    if (!nnrt__top_type((uint32_t)in->dtype, &type))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    code = nnrt__movement_axis(ir, node, OH_NN_ARG_MAX_AXIS, -1, &axis);
    if (code != OH_NN_SUCCESS) return code;
    if (k < 1 || k > in->dims[axis])
        return nnrt__movement_bad(ir, node, "the axis does not have as many elements as are asked for");
    if (nnrt__ir_int(node, OH_NN_ARG_MAX_OUT_MAX_VALUE, 0) != 0) {
        code = nnrt__movement_same_type(ir, node, 0);
        if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 0);
        if (code != OH_NN_SUCCESS) return code;
    } else if (out->dtype != OH_NN_INT32 && out->dtype != OH_NN_INT64) {
        return nnrt__movement_bad(ir, node, "the indices must be int32 or int64");
    }
    for (i = 0; i < in->rank; i++) {
        if (i != axis) dims[rank++] = in->dims[i];
        else if (keep) dims[rank++] = k;
    }
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__arg_max_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t axis = 0;
    const OH_NN_ReturnCode code = nnrt__movement_axis(lower->ir, node, OH_NN_ARG_MAX_AXIS, -1, &axis);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__top_lower(lower, node, axis, nnrt__ir_int(node, OH_NN_ARG_MAX_TOP_K, 1), true,
                           nnrt__ir_int(node, OH_NN_ARG_MAX_OUT_MAX_VALUE, 0) != 0);
}

NNRT__FN OH_NN_ReturnCode nnrt__top_k_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK], k = 0;
    uint32_t axis, count = 0, type, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, &k, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__top_type((uint32_t)in->dtype, &type))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (!nnrt__ir_axis(nnrt__ir_int(node, OH_NN_TOP_K_AXIS, 0), in->rank, &axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    if (k < 1 || k > in->dims[axis]) return nnrt__movement_bad(ir, node, "k is outside 1 to the size of the axis");
    if (node->output_count != 2 || nnrt__ir_out(ir, node, 0)->dtype != in->dtype)
        return nnrt__movement_bad(ir, node, "the values do not have the data type of the input");
    if (nnrt__ir_out(ir, node, 1)->dtype != OH_NN_INT32 && nnrt__ir_out(ir, node, 1)->dtype != OH_NN_INT64)
        return nnrt__movement_bad(ir, node, "the indices must be int32 or int64");
    code = nnrt__movement_need_same_quant(ir, node, 0);
    for (i = 0; i < in->rank; i++) dims[i] = i == axis ? k : in->dims[i];
    for (i = 0; i < 2 && code == OH_NN_SUCCESS; i++) code = nnrt__movement_set_shape(ir, node, i, in->rank, dims);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__top_k_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    int64_t k = 1;
    uint32_t axis = 0, count = 0;
    OH_NN_ReturnCode code = nnrt__movement_ints(lower->ir, node, 1, &k, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__ir_axis(nnrt__ir_int(node, OH_NN_TOP_K_AXIS, 0), nnrt__ir_in(lower->ir, node, 0)->rank, &axis);
    return nnrt__top_lower(lower, node, axis, k, nnrt__ir_int(node, OH_NN_TOP_K_SORTED, 1) != 0, true);
}

/* -------------------------------------------------------------------------------- looking up and choosing */

/* The axis, and how many axes in front of it are batches, which the indices have, too: the fourth input, which only
   nodes of .tflite files have. */
NNRT__FN OH_NN_ReturnCode nnrt__gather_axis(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *axis,
                                            uint32_t *batches) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *indices = nnrt__ir_in(ir, node, 1);
    int64_t listed = 0, shared = 0;
    uint32_t count = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 2, &listed, 1, &count);
    if (code == OH_NN_SUCCESS && node->input_count > 3) code = nnrt__movement_ints(ir, node, 3, &shared, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(listed, in->rank, axis)) return nnrt__movement_bad(ir, node, "the axis is out of range");
    if (shared < 0) shared += indices->rank;
    if (shared < 0 || shared > (int64_t)indices->rank || shared > (int64_t)*axis)
        return nnrt__movement_bad(ir, node, "there are more batches than axes in front of the one that is gathered");
    *batches = (uint32_t)shared;
    for (i = 0; i < *batches; i++)
        if (in->dims[i] != indices->dims[i])
            return nnrt__movement_bad(ir, node, "the indices do not have the batches of the input");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *indices = nnrt__ir_in(ir, node, 1);
    int64_t dims[2 * NNRT_MAX_RANK];
    uint32_t axis = 0, batches = 0, rank = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__gather_axis(ir, node, &axis, &batches);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__movement_is_index(indices)) return nnrt__movement_bad(ir, node, "the indices must be int32 or int64");
    for (i = 0; i < axis; i++) dims[rank++] = in->dims[i];
    for (i = batches; i < indices->rank; i++) dims[rank++] = indices->dims[i];
    for (i = axis + 1; i < in->rank; i++) dims[rank++] = in->dims[i];
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__gather_args *args;
    uint32_t inputs[2], axis = 0, batches = 0;
    OH_NN_ReturnCode code = nnrt__gather_axis(lower->ir, node, &axis, &batches);
    if (code != OH_NN_SUCCESS) return code;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    args = (nnrt__gather_args *)nnrt__lower_step(lower, NNRT__KIND(gather), node, inputs, 2, &dst, 1, NULL);
    if (args == NULL) return lower->status;
    args->outer = (uint32_t)nnrt__movement_size(in, 0, axis);
    args->dim = (uint32_t)in->dims[axis];
    args->inner = (uint32_t)nnrt__movement_size(in, axis + 1, in->rank);
    args->batches = (uint32_t)nnrt__movement_size(in, 0, batches);
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__one_hot_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *indices = nnrt__ir_in(ir, node, 0), *on = nnrt__ir_in(ir, node, 2);
    int64_t dims[NNRT_MAX_RANK + 1], depth = 0;
    const int64_t place = nnrt__ir_int(node, OH_NN_ONE_HOT_AXIS, -1);
    uint32_t axis, count = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 2);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 2);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 3);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 1, &depth, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__movement_is_index(indices)) return nnrt__movement_bad(ir, node, "the indices must be int32 or int64");
    if (nnrt__ir_in(ir, node, 3)->dtype != on->dtype || nnrt__ir_in(ir, node, 3)->count != 1 || on->count != 1)
        return nnrt__movement_bad(ir, node, "the values for on and off are not one element each, of one data type");
    if (depth < 1) return nnrt__movement_bad(ir, node, "the depth is below 1");
    if (place < -1 || place > (int64_t)indices->rank) return nnrt__movement_bad(ir, node, "the axis is out of range");
    axis = place == -1 ? indices->rank : (uint32_t)place;
    for (i = 0; i <= indices->rank; i++)
        dims[i] = i < axis ? indices->dims[i] : i == axis ? depth : indices->dims[i - 1];
    return nnrt__movement_set_shape(ir, node, 0, indices->rank + 1, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__one_hot_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *indices = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const int64_t place = nnrt__ir_int(node, OH_NN_ONE_HOT_AXIS, -1);
    const uint32_t axis = place == -1 ? indices->rank : (uint32_t)place;
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__one_hot_args *args;
    uint32_t inputs[3];
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[2]);
    inputs[2] = nnrt__lower_value(lower, node->inputs[3]);
    args = (nnrt__one_hot_args *)nnrt__lower_step(lower, NNRT__KIND(one_hot), node, inputs, 3, &dst, 1, NULL);
    if (args == NULL) return lower->status;
    args->outer = (uint32_t)nnrt__movement_size(indices, 0, axis);
    args->depth = (uint32_t)(out->count / indices->count);
    args->inner = (uint32_t)nnrt__movement_size(indices, axis, indices->rank);
    return lower->status;
}

/* Strides of a value in an output of that shape, 0 where it repeats; false when it does not broadcast. */
NNRT__FN bool nnrt__select_strides(const nnrt__ir_value *value, uint32_t rank, const int64_t *dims, int32_t *strides) {
    int64_t stride = 1;
    uint32_t i;
    if (value->rank > rank) return false;
    for (i = 0; i < rank; i++) strides[i] = 0;
    for (i = value->rank; i-- > 0;) {
        const uint32_t at = i + rank - value->rank;
        if (value->dims[i] != 1 && value->dims[i] != dims[at]) return false;
        if (value->dims[i] != 1) strides[at] = (int32_t)stride;
        stride *= value->dims[i];
    }
    return true;
}

/* Shape of the output and strides of condition, a and b. SELECT: equal shapes, or a condition of one element, or
   one per slice of axis 0; WHERE: any that broadcast. */
NNRT__FN OH_NN_ReturnCode nnrt__select_shape(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *rank,
                                             int64_t *dims, int32_t strides[3][NNRT_MAX_RANK]) {
    const nnrt__ir_value *condition = nnrt__ir_in(ir, node, 0), *a = nnrt__ir_in(ir, node, 1);
    uint32_t i, k;
    *rank = 0;
    for (k = 0; k < 3; k++) {
        const uint32_t other = nnrt__ir_in(ir, node, k)->rank;
        if (other > *rank && (k != 0 || node->op == OH_NN_OPS_WHERE)) *rank = other;
    }
    for (i = 0; i < *rank; i++) {
        dims[i] = 1;
        for (k = node->op == OH_NN_OPS_WHERE ? 0 : 1; k < 3; k++) {
            const nnrt__ir_value *value = nnrt__ir_in(ir, node, k);
            if (i + value->rank < *rank) continue;
            if (dims[i] == 1) dims[i] = value->dims[i + value->rank - *rank];
        }
    }
    for (k = 0; k < 3; k++) {
        const nnrt__ir_value *value = nnrt__ir_in(ir, node, k);
        const bool equal = value->rank == *rank && value->count == nnrt__ir_in(ir, node, 1)->count;
        bool fits = nnrt__select_strides(value, *rank, dims, strides[k]);
        if (node->op == OH_NN_OPS_SELECT && k != 0) fits = fits && equal;
        if (node->op == OH_NN_OPS_SELECT && k == 0 && !(fits && equal)) {
            fits = condition->count == 1 || (condition->rank == 1 && a->rank > 1 && condition->dims[0] == a->dims[0]);
            for (i = 0; i < *rank; i++) strides[0][i] = 0;
            if (condition->count != 1 && *rank != 0) strides[0][0] = 1;
        }
        if (!fits) return nnrt__movement_bad(ir, node, "the shapes of the inputs do not go together");
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__select_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    int32_t strides[3][NNRT_MAX_RANK];
    int64_t dims[NNRT_MAX_RANK];
    uint32_t rank = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 1);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_same_type(ir, node, 2);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 1);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 2);
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__ir_in(ir, node, 0)->dtype != OH_NN_BOOL)
        return nnrt__movement_bad(ir, node, "the condition must be bool");
    code = nnrt__select_shape(ir, node, &rank, dims, strides);
    return code != OH_NN_SUCCESS ? code : nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__select_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    int32_t strides[3][NNRT_MAX_RANK];
    int64_t dims[NNRT_MAX_RANK];
    nnrt__select_args *args;
    uint32_t inputs[3], rank = 0, i;
    OH_NN_ReturnCode code = nnrt__select_shape(lower->ir, node, &rank, dims, strides);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < 3; i++) inputs[i] = nnrt__lower_value(lower, node->inputs[i]);
    args = (nnrt__select_args *)nnrt__lower_step(lower, NNRT__KIND(select), node, inputs, 3, &dst, 1, NULL);
    if (args == NULL) return lower->status;
    args->rank = rank;
    args->element_size = (uint32_t)nnrt__element_size(nnrt__ir_out(lower->ir, node, 0)->dtype);
    for (i = 0; i < rank; i++) {
        args->dims[i] = (int32_t)dims[i];
        args->condition[i] = strides[0][i];
        args->a[i] = strides[1][i];
        args->b[i] = strides[2][i];
    }
    return lower->status;
}

/* ----------------------------------------------------------------------------------- tensors from nothing */

NNRT__FN OH_NN_ReturnCode nnrt__fill_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    int64_t dims[NNRT_MAX_RANK];
    uint32_t rank = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 1, dims, NNRT_MAX_RANK, &rank);
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__ir_in(ir, node, 0)->count != 1) return nnrt__movement_bad(ir, node, "the value is not one element");
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const uint32_t table = nnrt__movement_table(lower, node, in, out);
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]), dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__movement_fill(lower, node, in->dtype, src, dst, out->count, table);
    return lower->status;
}

/* A data type as a number of this API or of MindSpore; OH_NN_UNKNOWN when it is neither. */
NNRT__FN OH_NN_DataType nnrt__movement_type_id(int64_t id) {
    static const uint8_t types[15] = {1, 0, 2, 3, 4, 5, 0, 6, 7, 8, 9, 0, 10, 11, 12};
    if (id >= 30 && id <= 44) id = types[id - 30];
    return id >= 1 && id <= 12 ? (OH_NN_DataType)id : OH_NN_UNKNOWN;
}

NNRT__FN OH_NN_ReturnCode nnrt__constant_of_shape_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    const int64_t type = nnrt__ir_int(node, OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE, 0);
    int64_t dims[NNRT_MAX_RANK];
    uint32_t rank = 0;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 0, dims, NNRT_MAX_RANK, &rank);
    if (code != OH_NN_SUCCESS) return code;
    if (type != 0 && nnrt__movement_type_id(type) != out->dtype)
        return nnrt__movement_bad(ir, node, "the output is declared with another data type");
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__constant_of_shape_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *out = nnrt__ir_out(lower->ir, node, 0);
    nnrt__movement_fill_number(lower, node, out, (double)nnrt__ir_float(node, OH_NN_CONSTANT_OF_SHAPE_VALUE, 0.0f),
                               nnrt__lower_value(lower, node->outputs[0]), out->count);
    return lower->status;
}

/* Elements of output 0 at Build: those of list, or first + i * step, where real one sum of floats after the other. */
typedef struct nnrt__movement_series {
    bool listed, real;
    int64_t first, step;
    float real_first, real_step;
    int64_t list[NNRT_MAX_RANK];
} nnrt__movement_series;

NNRT__FN void nnrt__fill_movement_reals(float first, float step, size_t count, float *to) {
    size_t i;
    for (i = 0; i < count; i++) {
        to[i] = first;
        first += step;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_movement_series(const nnrt__filling *filling, void *to) {
    const nnrt__movement_series *series = (const nnrt__movement_series *)filling->context;
    const nnrt__ir_value *out = nnrt__ir_out(filling->ir, filling->node, 0);
    const size_t size = nnrt__element_size(out->dtype);
    size_t i;
    if (series->real) {
        nnrt__fill_movement_reals(series->real_first, series->real_step, filling->count, (float *)to);
        return OH_NN_SUCCESS;
    }
    for (i = 0; i < filling->count; i++) {
        const uint64_t value = series->listed
                                   ? (uint64_t)series->list[i]
                                   : (uint64_t)series->first + (uint64_t)i * (uint64_t)series->step; /* wraps */
        uint8_t element[8];
        memset(element, 0, sizeof(element));
        if (out->dtype == OH_NN_INT64 || out->dtype == OH_NN_UINT64) memcpy(element, &value, 8);
        else nnrt__movement_encode(out, (double)(int64_t)value, element);
        memcpy((uint8_t *)to + i * size, element, size);
    }
    return OH_NN_SUCCESS;
}

/* A constant of the output's type and size, made at Build, becomes output 0. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_write_filled(nnrt__lower *lower, const nnrt__ir_node *node, nnrt__fill fill,
                                                      const void *context, size_t context_size) {
    const nnrt__ir_value *out = nnrt__ir_out(lower->ir, node, 0);
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    const uint32_t constant = nnrt__lower_constant(lower, node, out->dtype, out->count, fill, context, context_size);
    nnrt__movement_box box;
    memset(&box, 0, sizeof(box));
    nnrt__movement_loop(&box, (int64_t)out->count, 1, 1);
    nnrt__movement_copy(lower, node, &box, out->dtype, constant, dst, NNRT__NONE);
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__movement_write(nnrt__lower *lower, const nnrt__ir_node *node,
                                               const nnrt__movement_series *series) {
    return nnrt__movement_write_filled(lower, node, nnrt__fill_movement_series, series, sizeof(*series));
}

/* First, limit and step: parameters, or, in .tflite files, the three inputs. */
typedef struct nnrt__range {
    bool real; /* floats */
    int64_t numbers[3];
    float reals[3];
} nnrt__range;

NNRT__FN OH_NN_ReturnCode nnrt__range_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__range *range) {
    uint32_t count = 0, i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    memset(range, 0, sizeof(*range));
    range->numbers[0] = nnrt__ir_int(node, OH_NN_RANGE_START, 0);
    range->numbers[1] = nnrt__ir_int(node, OH_NN_RANGE_LIMIT, 0);
    range->numbers[2] = nnrt__ir_int(node, OH_NN_RANGE_DELTA, 1);
    if (node->input_count != 3) return OH_NN_SUCCESS;
    range->real = nnrt__ir_out(ir, node, 0)->dtype == OH_NN_FLOAT32;
    for (i = 0; i < 3 && code == OH_NN_SUCCESS; i++) {
        const nnrt__ir_value *value = nnrt__ir_in(ir, node, i);
        if (value->dtype != nnrt__ir_out(ir, node, 0)->dtype || value->count != 1)
            return nnrt__movement_bad(ir, node, "first, limit and step are not one element each, of the output's type");
        if (!range->real) code = nnrt__movement_ints(ir, node, i, &range->numbers[i], 1, &count);
        else if (value->data == NULL) code = nnrt__movement_bad(ir, node, "an input is not computed yet");
        else range->reals[i] = nnrt__read_f32(value->data);
    }
    return code;
}

/* Elements of a range; 0: none, and above INT32_MAX too many. Of floats the quotient is rounded to float. */
NNRT__FN int64_t nnrt__range_count(const nnrt__range *range) {
    const int64_t first = range->numbers[0], limit = range->numbers[1], step = range->numbers[2];
    uint64_t distance, width, count;
    if (range->real) {
        const float quotient = (range->reals[1] - range->reals[0]) / range->reals[2];
        return quotient > 0.0f ? quotient < 2147483648.0f ? (int64_t)ceil((double)quotient) : (int64_t)INT32_MAX + 1
                               : 0;
    }
    if (step > 0 ? limit <= first : limit >= first) return 0;
    distance = step > 0 ? (uint64_t)limit - (uint64_t)first : (uint64_t)first - (uint64_t)limit;
    width = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    count = (distance - 1) / width + 1;
    return count > INT32_MAX ? (int64_t)INT32_MAX + 1 : (int64_t)count;
}

NNRT__FN OH_NN_ReturnCode nnrt__range_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const OH_NN_DataType dtype = nnrt__ir_out(ir, node, 0)->dtype;
    nnrt__range range;
    OH_NN_ReturnCode code;
    int64_t dim;
    if (nnrt__element_size(dtype) == 0 || dtype == OH_NN_BOOL || dtype == OH_NN_FLOAT16)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    code = nnrt__range_read(ir, node, &range);
    if (code != OH_NN_SUCCESS) return code;
    if (range.real ? range.reals[2] == 0.0f : range.numbers[2] == 0)
        return nnrt__movement_bad(ir, node, "the step is 0");
    dim = nnrt__range_count(&range);
    if (dim == 0) return nnrt__movement_bad(ir, node, "the range is empty");
    return nnrt__movement_set_shape(ir, node, 0, 1, &dim);
}

NNRT__FN OH_NN_ReturnCode nnrt__range_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    nnrt__movement_series series;
    nnrt__range range;
    OH_NN_ReturnCode code = nnrt__range_read(lower->ir, node, &range);
    if (code != OH_NN_SUCCESS) return code;
    memset(&series, 0, sizeof(series));
    series.real = range.real;
    series.first = range.numbers[0];
    series.step = range.numbers[2];
    series.real_first = range.reals[0];
    series.real_step = range.reals[2];
    return nnrt__movement_write(lower, node, &series);
}

/* ------------------------------------------------------------------------------------------ where it is true

   WHERE of .tflite files with a condition alone: the places of what is not 0, in their order, a row of one number for
   each axis. How many there are is known when the condition is. */

NNRT__FN bool nnrt__places_is_true(const nnrt__ir_value *condition, size_t i) {
    const uint8_t *at = (const uint8_t *)condition->data + i * nnrt__element_size(condition->dtype);
    if (condition->dtype == OH_NN_FLOAT32) return nnrt__read_f32(at) != 0.0f;
    return nnrt__read_integer(condition->dtype, at, 0) != 0;
}

NNRT__FN OH_NN_ReturnCode nnrt__places_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *condition = nnrt__ir_in(ir, node, 0);
    int64_t dims[2];
    size_t i;
    if (condition->dtype != OH_NN_FLOAT32 && !nnrt__is_integer(condition->dtype))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (!nnrt__movement_is_index(nnrt__ir_out(ir, node, 0)))
        return nnrt__movement_bad(ir, node, "the output must be int32 or int64");
    if (condition->data == NULL) return nnrt__movement_bad(ir, node, "the condition is not computed yet");
    if (condition->rank == 0) return nnrt__movement_bad(ir, node, "the condition has no axes");
    dims[0] = 0;
    dims[1] = condition->rank;
    for (i = 0; i < condition->count; i++) dims[0] += nnrt__places_is_true(condition, i) ? 1 : 0;
    return nnrt__movement_set_shape(ir, node, 0, 2, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__fill_places(const nnrt__filling *filling, void *to) {
    const nnrt__ir_value *condition = nnrt__ir_in(filling->ir, filling->node, 0);
    const bool wide = nnrt__ir_out(filling->ir, filling->node, 0)->dtype == OH_NN_INT64;
    size_t at = 0, i;
    for (i = 0; i < condition->count && filling->count - at >= condition->rank; i++) {
        size_t rest = i;
        uint32_t axis;
        if (!nnrt__places_is_true(condition, i)) continue;
        for (axis = condition->rank; axis-- > 0;) {
            const size_t place = rest % (size_t)condition->dims[axis];
            rest /= (size_t)condition->dims[axis];
            if (wide) ((int64_t *)to)[at + axis] = (int64_t)place;
            else ((int32_t *)to)[at + axis] = (int32_t)place;
        }
        at += condition->rank;
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__where_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    return node->input_count == 1 ? nnrt__places_infer(ir, node) : nnrt__select_infer(ir, node);
}

NNRT__FN OH_NN_ReturnCode nnrt__where_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    if (node->input_count == 1) return nnrt__movement_write_filled(lower, node, nnrt__fill_places, NULL, 0);
    return nnrt__select_lower(lower, node);
}

/* The output holds integers. */
NNRT__FN OH_NN_ReturnCode nnrt__count_type(const nnrt__ir *ir, const nnrt__ir_node *node) {
    if (nnrt__movement_is_index(nnrt__ir_out(ir, node, 0))) return OH_NN_SUCCESS;
    return nnrt__movement_bad(ir, node, "the output must be int32 or int64");
}

NNRT__FN OH_NN_ReturnCode nnrt__shape_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const int64_t dim = nnrt__ir_in(ir, node, 0)->rank;
    OH_NN_ReturnCode code = nnrt__count_type(ir, node);
    return code != OH_NN_SUCCESS ? code : nnrt__movement_set_shape(ir, node, 0, 1, &dim);
}

NNRT__FN OH_NN_ReturnCode nnrt__shape_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    nnrt__movement_series series;
    uint32_t i;
    memset(&series, 0, sizeof(series));
    series.listed = true;
    for (i = 0; i < in->rank; i++) series.list[i] = in->dims[i];
    return nnrt__movement_write(lower, node, &series);
}

NNRT__FN OH_NN_ReturnCode nnrt__rank_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (nnrt__ir_out(ir, node, 0)->dtype != OH_NN_FLOAT32) code = nnrt__count_type(ir, node);
    return code != OH_NN_SUCCESS ? code : nnrt__movement_set_shape(ir, node, 0, 0, NULL);
}

NNRT__FN OH_NN_ReturnCode nnrt__rank_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    nnrt__movement_series series;
    memset(&series, 0, sizeof(series));
    series.first = nnrt__ir_in(lower->ir, node, 0)->rank;
    return nnrt__movement_write(lower, node, &series);
}

#endif /* NNRT_CPU_OPS_MOVEMENT_REDUCE_H */
