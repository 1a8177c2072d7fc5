/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_reduce.h - operators that reduce, or find the largest elements.   >>cpu_ops_movement_reduce */
#ifndef NNRT_CPU_OPS_MOVEMENT_REDUCE_H
#define NNRT_CPU_OPS_MOVEMENT_REDUCE_H

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

NNRT__FN OH_NN_ReturnCode nnrt__reduce_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__reduce_args *args = (nnrt__reduce_args *)node->spec;
    nnrt__reduction reduction;
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
    return nnrt__reduce_rescale(ir, node, args);
}

NNRT__FN OH_NN_ReturnCode nnrt__reduce_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]), dst = nnrt__lower_value(lower, node->outputs[0]);
    return nnrt__lower_spec(lower, NNRT__KIND(reduce), node, &src, 1, &dst, 1, NULL);
}

/* --------------------------------------------------------------------------------------- largest elements */

/* The k largest elements along an axis, of [outer, count, inner]. */
NNRT__FN void nnrt__top_read(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t axis, int64_t k, bool sorted,
                             bool values) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__step_top_args *args = (nnrt__step_top_args *)node->spec;
    args->top.outer = (uint32_t)nnrt__movement_size(in, 0, axis);
    args->top.count = in->rank == 0 ? 1 : (uint32_t)in->dims[axis];
    args->top.inner = in->rank == 0 ? 1 : (uint32_t)nnrt__movement_size(in, axis + 1, in->rank);
    args->top.k = (uint32_t)k;
    args->top.sorted = sorted ? 1 : 0;
    /* TensorFlow Lite's ARG_MIN is read as a special ARG_MAX */
    args->top.smallest = nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) != 0 ? 1 : 0;
    args->values = values ? 1 : 0;
}

NNRT__FN OH_NN_ReturnCode nnrt__top_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]);
    uint32_t outputs[2], i;
    for (i = 0; i < node->output_count && i < 2; i++) outputs[i] = nnrt__lower_value(lower, node->outputs[i]);
    return nnrt__lower_spec(lower, NNRT__KIND(top), node, &src, 1, outputs, node->output_count, NULL);
}

NNRT__FN OH_NN_ReturnCode nnrt__arg_max_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const int64_t k = nnrt__ir_int(node, OH_NN_ARG_MAX_TOP_K, 1);
    const bool keep = k > 1 || nnrt__ir_int(node, OH_NN_ARG_MAX_KEEPDIMS, 0) != 0;
    const bool values = nnrt__ir_int(node, OH_NN_ARG_MAX_OUT_MAX_VALUE, 0) != 0;
    int64_t dims[NNRT_MAX_RANK];
    uint32_t axis = 0, rank = 0, i;
    OH_NN_ReturnCode code;
    if (!nnrt__top_type((uint32_t)in->dtype, &((nnrt__step_top_args *)node->spec)->top.type))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    code = nnrt__movement_listed_axis(ir, node, OH_NN_ARG_MAX_AXIS, -1, &axis);
    if (code != OH_NN_SUCCESS) return code;
    if (k < 1 || k > in->dims[axis])
        return nnrt__movement_bad(ir, node, "the axis does not have as many elements as are asked for");
    if (values) {
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
    nnrt__top_read(ir, node, axis, k, true, values);
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__top_k_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK], k = 0;
    uint32_t axis, count = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, &k, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__top_type((uint32_t)in->dtype, &((nnrt__step_top_args *)node->spec)->top.type))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (!nnrt__ir_axis(nnrt__ir_int(node, OH_NN_TOP_K_AXIS, 0), in->rank, &axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    if (k < 1 || k > in->dims[axis]) return nnrt__movement_bad(ir, node, "k is outside 1 to the size of the axis");
    if (node->output_count != 2 || nnrt__ir_out(ir, node, 0)->dtype != in->dtype)
        return nnrt__movement_bad(ir, node, "the values do not have the data type of the input");
    if (nnrt__ir_out(ir, node, 1)->dtype != OH_NN_INT32 && nnrt__ir_out(ir, node, 1)->dtype != OH_NN_INT64)
        return nnrt__movement_bad(ir, node, "the indices must be int32 or int64");
    nnrt__top_read(ir, node, axis, k, nnrt__ir_int(node, OH_NN_TOP_K_SORTED, 1) != 0, true);
    code = nnrt__movement_need_same_quant(ir, node, 0);
    for (i = 0; i < in->rank; i++) dims[i] = i == axis ? k : in->dims[i];
    for (i = 0; i < 2 && code == OH_NN_SUCCESS; i++) code = nnrt__movement_set_shape(ir, node, i, in->rank, dims);
    return code;
}

#endif /* NNRT_CPU_OPS_MOVEMENT_REDUCE_H */
