/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/matmul_spec.h - reads MATMUL and FULL_CONNECTION of a graph into one description of
   products.   >>rknpu_matmul_spec

   Knows the graph but not the vendor's library. Refuses in a FULL_CONNECTION what the CPU device refuses, so that a
   model can move between the two devices. Every sentence names the operator and its output. */
#ifndef NNRT_RKNPU_MATMUL_SPEC_H
#define NNRT_RKNPU_MATMUL_SPEC_H

#include "../core/error.h"
#include "../core/graph.h"
#include "../core/platform.h"
#include "../kernels/internal.h"
#include "../kernels/pack_scalar.h"

#define NNRT__RKNPU_MM_NONE UINT32_MAX
/* The vendor's limits for every chip; the sizes of matrices are also limited to 31 bits. */
#define NNRT__RKNPU_MM_K_MAX 10240        /* of runtimes from 1.6.0 on */
#define NNRT__RKNPU_MM_K_MAX_F16_1_5 2048 /* of earlier ones, from their own message */
#define NNRT__RKNPU_MM_K_MAX_S8_1_5 4096

/* out[i] = finish(A[i] x B[i]) for i below batches; A[i] is m x k, B[i] is k x n, out[i] is m x n, row-major and dense.
   Strides and steps count elements. */
typedef struct nnrt__rknpu_mm_spec {
    const nnrt_node *node;
    uint32_t a, b, bias, out; /* tensors; bias: NNRT__RKNPU_MM_NONE when there is none */
    bool s8;                  /* int8, quantized; else float32 and float16 in any mixture */
    bool needs_float16;       /* a float32 tensor takes part: the program must have allowed float16 */
    bool a_transposed;        /* A is stored k x m */
    size_t m, k, n;
    size_t b_k_stride, b_n_stride;
    size_t batches;
    uint32_t batch_rank; /* dimensions of the batches, slowest first */
    int32_t batch_dims[NNRT_MAX_RANK];
    size_t a_step[NNRT_MAX_RANK], b_step[NNRT_MAX_RANK]; /* 0: this operand repeats along the dimension */
    uint32_t out_rank;
    int32_t out_dims[NNRT_MAX_RANK];
    float low, high; /* fused activation */
    int32_t a_zero, b_zero, out_zero;
    int32_t clamp_min, clamp_max;
} nnrt__rknpu_mm_spec;

/* ---------------------------------------------------------------------------------------------- sentences */

NNRT__FN const char *nnrt__rknpu_mm_output(const nnrt_graph *graph, const nnrt_node *node) {
    return node->output_count != 0 ? graph->tensors[node->outputs[0]].name : "";
}

/* Refuses what the NPU cannot do but another device may. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_refuse(const nnrt_graph *graph, const nnrt_node *node, const char *reason) {
    return nnrt__fail(OH_NN_UNSUPPORTED, "%s (output \"%.60s\"): %s; put it on the CPU device",
                      nnrt__op_name((int)node->op), nnrt__rknpu_mm_output(graph, node), reason);
}

/* No device can. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_impossible(const nnrt_graph *graph, const nnrt_node *node,
                                                    const char *reason) {
    return nnrt__fail(OH_NN_FAILED, "%s (output \"%.60s\"): %s", nnrt__op_name((int)node->op),
                      nnrt__rknpu_mm_output(graph, node), reason);
}

/* ------------------------------------------------------------------------------------------------- shapes */

/* Elements of a tensor whose dimensions are all known and at least 1; 0: they are not, or the product does not fit. */
NNRT__FN size_t nnrt__rknpu_mm_count(const nnrt_tensor_info *tensor) {
    size_t count = 1;
    uint32_t i;
    if (tensor->rank > NNRT_MAX_RANK) return 0;
    for (i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] < 1 || !nnrt__mul_size(count, (size_t)tensor->dims[i], &count)) return 0;
    return count <= INT32_MAX ? count : 0;
}

/* NULL, or why the inputs cannot be used: sizes, and the bytes of constants. */
NNRT__FN const char *nnrt__rknpu_mm_check_input(const nnrt_tensor_info *tensor) {
    const size_t count = nnrt__rknpu_mm_count(tensor), element = nnrt__element_size(tensor->dtype);
    uint32_t i;
    for (i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] == -1) return "graphs on the NPU have fixed shapes, and an input has a dynamic dimension";
    if (tensor->rank == 0) return "an input has no dimensions";
    if (count == 0) return "an input has too many dimensions or elements";
    if (tensor->data != NULL && (element == 0 || tensor->data_size != count * element))
        return "the data of a constant have another size than its shape";
    return NULL;
}

/* Whether the declared shape of the output is the inferred one; -1 matches anything. */
NNRT__FN bool nnrt__rknpu_mm_output_fits(const nnrt_tensor_info *out, const nnrt__rknpu_mm_spec *spec) {
    uint32_t i;
    if (out->rank != spec->out_rank) return false;
    for (i = 0; i < out->rank; i++)
        if (out->dims[i] != -1 && out->dims[i] != spec->out_dims[i]) return false;
    return true;
}

/* Shape of a FULL_CONNECTION: rows of weights->dims[1] values each. NULL, or what is wrong. */
NNRT__FN const char *nnrt__rknpu_mm_fc_shape(const nnrt_graph *graph, const nnrt_node *node,
                                             nnrt__rknpu_mm_spec *spec) {
    const nnrt_tensor_info *in = &graph->tensors[spec->a], *weights = &graph->tensors[spec->b];
    const int64_t axis = nnrt__param_int(node, OH_NN_FULL_CONNECTION_AXIS, 0);
    const bool use_axis = nnrt__node_param(node, OH_NN_FULL_CONNECTION_AXIS) != NULL ||
                          nnrt__param_int(node, OH_NN_FULL_CONNECTION_USE_AXIS, 0) != 0;
    const size_t count = nnrt__rknpu_mm_count(in);
    uint32_t i;
    if (weights->rank != 2) return "the weights must have two dimensions";
    spec->n = (size_t)weights->dims[0];
    spec->k = (size_t)weights->dims[1];
    spec->b_k_stride = 1;
    spec->b_n_stride = spec->k;
    spec->batches = 1;
    if (use_axis) {
        size_t features = 1;
        if (axis < 1 || axis > (int64_t)in->rank) return "the axis must be from 1 to the rank of the input";
        if (axis >= NNRT_MAX_RANK) return "the output has too many dimensions";
        for (i = (uint32_t)axis; i < in->rank; i++) features *= (size_t)in->dims[i]; /* divides count */
        if (features != spec->k) return "the dimensions from axis on must hold as many values as a row of weights";
        for (i = 0; i < (uint32_t)axis; i++) spec->out_dims[i] = in->dims[i];
        spec->out_dims[axis] = weights->dims[0];
        spec->out_rank = (uint32_t)axis + 1;
    } else {
        if (count % spec->k != 0) return "the input is not whole rows of as many values as a row of weights";
        spec->out_dims[0] = (int32_t)(count / spec->k);
        spec->out_dims[1] = weights->dims[0];
        spec->out_rank = 2;
    }
    spec->m = count / spec->k;
    return NULL;
}

/* Shape of a MATMUL: the last two dimensions are the matrix, those before them broadcast. NULL, or what is wrong. */
NNRT__FN const char *nnrt__rknpu_mm_shape(const nnrt_graph *graph, const nnrt_node *node, nnrt__rknpu_mm_spec *spec) {
    const nnrt_tensor_info *a = &graph->tensors[spec->a], *b = &graph->tensors[spec->b];
    const bool b_transposed = nnrt__param_int(node, OH_NN_MATMUL_TRANSPOSE_B, 0) != 0;
    size_t a_step, b_step, b_k;
    bool b_repeats = true;
    uint32_t rank, i;
    spec->a_transposed = nnrt__param_int(node, OH_NN_MATMUL_TRANSPOSE_A, 0) != 0;
    if (a->rank < 2 || b->rank < 2) return "both inputs must have at least two dimensions";
    spec->m = (size_t)a->dims[a->rank - (spec->a_transposed ? 1 : 2)];
    spec->k = (size_t)a->dims[a->rank - (spec->a_transposed ? 2 : 1)];
    spec->n = (size_t)b->dims[b->rank - (b_transposed ? 2 : 1)];
    b_k = (size_t)b->dims[b->rank - (b_transposed ? 1 : 2)];
    if (spec->k != b_k) return "the columns of the first matrix are not as many as the rows of the second";
    spec->b_k_stride = b_transposed ? 1 : spec->n;
    spec->b_n_stride = b_transposed ? spec->k : 1;
    rank = a->rank > b->rank ? a->rank : b->rank;
    spec->out_rank = rank;
    spec->out_dims[rank - 2] = (int32_t)spec->m;
    spec->out_dims[rank - 1] = (int32_t)spec->n;
    spec->batch_rank = rank - 2;
    spec->batches = 1;
    a_step = spec->m * spec->k;
    b_step = spec->k * spec->n;
    for (i = rank - 2; i-- > 0;) {
        const int32_t a_dim = i + a->rank >= rank ? a->dims[i + a->rank - rank] : 1;
        const int32_t b_dim = i + b->rank >= rank ? b->dims[i + b->rank - rank] : 1;
        const int32_t dim = a_dim > b_dim ? a_dim : b_dim;
        if ((a_dim != dim && a_dim != 1) || (b_dim != dim && b_dim != 1))
            return "the dimensions before the matrices do not broadcast";
        spec->batch_dims[i] = spec->out_dims[i] = dim;
        spec->a_step[i] = a_dim != 1 ? a_step : 0;
        spec->b_step[i] = b_dim != 1 ? b_step : 0;
        b_repeats = b_repeats && b_dim == 1;
        a_step *= (size_t)a_dim;
        b_step *= (size_t)b_dim;
        if (!nnrt__mul_size(spec->batches, (size_t)dim, &spec->batches) || spec->batches > INT32_MAX)
            return "the result has too many elements";
    }
    if (b_repeats && !spec->a_transposed) { /* one product of more rows */
        spec->m *= spec->batches;
        spec->batches = 1;
        spec->batch_rank = 0;
    }
    return NULL;
}

/* Elements before product number batch in A and in B. */
NNRT__FN void nnrt__rknpu_mm_offsets(const nnrt__rknpu_mm_spec *spec, size_t batch, size_t *a, size_t *b) {
    uint32_t i;
    *a = *b = 0;
    for (i = spec->batch_rank; i-- > 0;) {
        const size_t at = batch % (size_t)spec->batch_dims[i];
        batch /= (size_t)spec->batch_dims[i];
        *a += at * spec->a_step[i];
        *b += at * spec->b_step[i];
    }
}

/* -------------------------------------------------------------------------------------------------- types */

NNRT__FN bool nnrt__rknpu_mm_is_float(OH_NN_DataType dtype) { return dtype == OH_NN_FLOAT32 || dtype == OH_NN_FLOAT16; }

/* One scale > 0, one zero point that int8 holds. */
NNRT__FN bool nnrt__rknpu_mm_quant(const nnrt_tensor_info *tensor, int32_t *zero_point) {
    const nnrt_quant *quant = &tensor->quant;
    if (quant->count != 1 || !(quant->scales[0] >= 1e-30) || !(quant->scales[0] <= 1e30)) return false;
    *zero_point = quant->zero_points[0];
    return *zero_point >= -128 && *zero_point <= 127;
}

/* B: as A, or one scale per column with zero points 0. The weights of a FULL_CONNECTION have zero points 0 always. */
NNRT__FN const char *nnrt__rknpu_mm_quant_b(const nnrt_tensor_info *b, nnrt__rknpu_mm_spec *spec) {
    const nnrt_quant *quant = &b->quant;
    uint32_t i;
    if (quant->count != 1 && quant->count != spec->n) return "int8 weights need one scale, or one per output channel";
    spec->b_zero = quant->count == 1 ? quant->zero_points[0] : 0;
    if (spec->b_zero < -128 || spec->b_zero > 127) return "a zero point is outside int8";
    for (i = 0; i < quant->count; i++) {
        if (!(quant->scales[i] >= 1e-30) || !(quant->scales[i] <= 1e30)) return "a scale is not a positive number";
        if (quant->zero_points[i] != 0 && (quant->count > 1 || spec->node->op == OH_NN_OPS_FULL_CONNECTION))
            return "the zero points of int8 weights must be 0";
    }
    return NULL;
}

/* Data types, quantization and bias; k and n are known. NULL, or why the NPU does not take them. */
NNRT__FN const char *nnrt__rknpu_mm_types(const nnrt_graph *graph, nnrt__rknpu_mm_spec *spec) {
    const nnrt_tensor_info *a = &graph->tensors[spec->a], *b = &graph->tensors[spec->b];
    const nnrt_tensor_info *out = &graph->tensors[spec->out];
    const nnrt_tensor_info *bias = spec->bias != NNRT__RKNPU_MM_NONE ? &graph->tensors[spec->bias] : NULL;
    spec->s8 = a->dtype == OH_NN_INT8;
    if (spec->s8 ? b->dtype != OH_NN_INT8 || out->dtype != OH_NN_INT8
                 : !nnrt__rknpu_mm_is_float(a->dtype) || !nnrt__rknpu_mm_is_float(b->dtype) ||
                       !nnrt__rknpu_mm_is_float(out->dtype))
        return "the data types must all be int8, or all float32 or float16";
    if (bias != NULL) {
        if (bias->data == NULL) return "the bias must be constant";
        if (spec->s8 ? bias->dtype != OH_NN_INT32 : !nnrt__rknpu_mm_is_float(bias->dtype))
            return "the bias must be int32 for int8 data and a float for floats";
    }
    if (spec->s8) {
        if (!nnrt__rknpu_mm_quant(a, &spec->a_zero) || !nnrt__rknpu_mm_quant(out, &spec->out_zero))
            return "int8 data need one scale and one zero point";
        return nnrt__rknpu_mm_quant_b(b, spec);
    }
    spec->needs_float16 = a->dtype == OH_NN_FLOAT32 || b->dtype == OH_NN_FLOAT32 || out->dtype == OH_NN_FLOAT32;
    return NULL;
}

NNRT__FN void nnrt__rknpu_mm_activation(const nnrt_graph *graph, nnrt__rknpu_mm_spec *spec) {
    const OH_NN_TensorType type =
        spec->node->op == OH_NN_OPS_MATMUL ? OH_NN_MATMUL_ACTIVATION_TYPE : OH_NN_FULL_CONNECTION_ACTIVATIONTYPE;
    const int64_t activation = nnrt__param_int(spec->node, type, (int64_t)OH_NN_FUSED_NONE);
    spec->low = activation == (int64_t)OH_NN_FUSED_NONE ? -INFINITY : 0.0f;
    spec->high = activation == (int64_t)OH_NN_FUSED_RELU6 ? 6.0f : INFINITY;
    if (spec->s8)
        nnrt__clamp_range_to_quantized(spec->low, spec->high, (float)graph->tensors[spec->out].quant.scales[0],
                                       spec->out_zero, &spec->clamp_min, &spec->clamp_max);
}

/* ---------------------------------------------------------------------------------- int8 results in 32 bits */

/* The factor for the sums of column n. With a single scale the product of both is first rounded to float, as in
   TensorFlow Lite and the CPU device. */
NNRT__FN double nnrt__rknpu_mm_factor(const nnrt_quant *a, const nnrt_quant *b, const nnrt_quant *out, size_t n) {
    if (b->count == 1) {
        const float product = (float)a->scales[0] * (float)b->scales[0];
        return (double)product / out->scales[0];
    }
    return a->scales[0] * b->scales[n] / out->scales[0];
}

/* The byte farthest from a zero point. */
NNRT__FN uint64_t nnrt__rknpu_mm_farthest(int32_t zero_point) {
    return (uint64_t)(zero_point < 0 ? 127 - zero_point : zero_point + 128);
}

/* The largest possible sum of column n: its bias and k products with the byte of A farthest from the zero point. The
   actual B is used if it is one constant matrix; otherwise its farthest byte counts, too. */
NNRT__FN uint64_t nnrt__rknpu_mm_largest_sum(const nnrt_graph *graph, const nnrt__rknpu_mm_spec *spec, size_t n) {
    const int8_t *b = spec->batches == 1 ? (const int8_t *)graph->tensors[spec->b].data : NULL;
    const void *bias = spec->bias != NNRT__RKNPU_MM_NONE ? graph->tensors[spec->bias].data : NULL;
    const int64_t added = bias != NULL ? (int64_t)nnrt__read_i32((const uint8_t *)bias + 4 * n) : 0;
    uint64_t sum = 0;
    size_t i;
    for (i = 0; b != NULL && i < spec->k; i++) {
        const int32_t value = b[i * spec->b_k_stride + n * spec->b_n_stride] - spec->b_zero;
        sum += (uint64_t)(value < 0 ? -value : value);
    }
    if (b == NULL) sum = spec->k * nnrt__rknpu_mm_farthest(spec->b_zero);
    return sum * nnrt__rknpu_mm_farthest(spec->a_zero) + (uint64_t)(added < 0 ? -added : added);
}

/* OH_NN_UNSUPPORTED if a sum would overflow 32 bits in the left shift of nnrt__requantize: it would wrap, and a result
   that should saturate could be any byte. Only possible for columns with a factor of 1 or more. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_check_rescale(const nnrt_graph *graph, const nnrt__rknpu_mm_spec *spec) {
    const nnrt_quant *a = &graph->tensors[spec->a].quant, *b = &graph->tensors[spec->b].quant;
    const nnrt_quant *out = &graph->tensors[spec->out].quant;
    nnrt__real_text in_text, out_text;
    size_t n;
    for (n = 0; spec->s8 && n < spec->n; n++) {
        int32_t multiplier, shift;
        nnrt__quantize_multiplier(nnrt__rknpu_mm_factor(a, b, out, n), &multiplier, &shift);
        if (shift <= 0) continue;
        if (nnrt__rknpu_mm_largest_sum(graph, spec, n) <= ((uint64_t)INT32_MAX >> shift)) continue;
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "%s (output \"%.60s\"): the scale %s of the output is too small beside %s of the input: "
                          "results would leave 32 bits",
                          nnrt__op_name((int)spec->node->op), nnrt__rknpu_mm_output(graph, spec->node),
                          nnrt__real_print(&out_text, out->scales[0]), nnrt__real_print(&in_text, a->scales[0]));
    }
    return OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------- one node */

/* NULL, or why the number of inputs is wrong. */
NNRT__FN const char *nnrt__rknpu_mm_inputs(const nnrt_node *node, nnrt__rknpu_mm_spec *spec) {
    const nnrt_param *has_bias = nnrt__node_param(node, OH_NN_FULL_CONNECTION_HAS_BIAS);
    const bool fc = node->op == OH_NN_OPS_FULL_CONNECTION;
    if (node->input_count < 2 || node->input_count > (fc ? 3u : 2u) || node->output_count != 1)
        return fc ? "there must be two or three inputs" : "there must be two inputs";
    if (fc && has_bias != NULL &&
        (nnrt__param_int(node, OH_NN_FULL_CONNECTION_HAS_BIAS, 0) != 0) != (node->input_count == 3))
        return "the number of inputs does not agree with has_bias";
    spec->a = node->inputs[0];
    spec->b = node->inputs[1];
    spec->bias = node->input_count == 3 ? node->inputs[2] : NNRT__RKNPU_MM_NONE;
    spec->out = node->outputs[0];
    return NULL;
}

/* Reads node number at. OH_NN_UNSUPPORTED: the NPU cannot do it, another device may; OH_NN_FAILED: no device can. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_read(const nnrt_graph *graph, uint32_t at, nnrt__rknpu_mm_spec *spec) {
    const nnrt_node *node = &graph->nodes[at];
    const bool fc = node->op == OH_NN_OPS_FULL_CONNECTION;
    const char *reason;
    size_t results;
    uint32_t i;
    memset(spec, 0, sizeof(*spec));
    spec->node = node;
    if (!fc && node->op != OH_NN_OPS_MATMUL)
        return nnrt__rknpu_mm_refuse(graph, node,
                                     "of graphs built by calls the Rockchip device runs MATMUL and FULL_CONNECTION; "
                                     "convert the model to a .rknn file");
    reason = nnrt__rknpu_mm_inputs(node, spec);
    if (reason != NULL) return nnrt__rknpu_mm_impossible(graph, node, reason);
    for (i = 0; i < node->input_count; i++) {
        reason = nnrt__rknpu_mm_check_input(&graph->tensors[node->inputs[i]]);
        if (reason != NULL) return nnrt__rknpu_mm_refuse(graph, node, reason);
    }
    reason = fc ? nnrt__rknpu_mm_fc_shape(graph, node, spec) : nnrt__rknpu_mm_shape(graph, node, spec);
    if (reason == NULL && spec->bias != NNRT__RKNPU_MM_NONE &&
        nnrt__rknpu_mm_count(&graph->tensors[spec->bias]) != spec->n)
        reason = "the bias must have one value per output channel";
    if (reason == NULL && !nnrt__rknpu_mm_output_fits(&graph->tensors[spec->out], spec))
        reason = "the shape of the result differs from the declared one";
    if (reason != NULL) return nnrt__rknpu_mm_impossible(graph, node, reason);
    reason = nnrt__rknpu_mm_types(graph, spec);
    if (reason == NULL && fc && graph->tensors[spec->b].data == NULL) reason = "the weights must be constant";
    if (reason == NULL && spec->k > NNRT__RKNPU_MM_K_MAX)
        reason = "a value of the result has more than 10240 products, the most that the NPU adds";
    if (reason == NULL && (!nnrt__mul_size(spec->m, spec->n, &results) ||
                           !nnrt__mul_size(results, spec->batches, &results) || results > INT32_MAX / 8))
        reason = "the result is too large for the NPU";
    if (reason == NULL && (spec->m * spec->k > INT32_MAX / 8 || spec->k * spec->n > INT32_MAX / 8))
        reason = "a matrix is too large for the NPU";
    if (reason != NULL) return nnrt__rknpu_mm_refuse(graph, node, reason);
    nnrt__rknpu_mm_activation(graph, spec);
    return nnrt__rknpu_mm_check_rescale(graph, spec);
}

#endif /* NNRT_RKNPU_MATMUL_SPEC_H */
