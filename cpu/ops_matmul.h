/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_matmul.h - MATMUL: [..., m, k] x [..., k, n] -> [..., m, n].   >>cpu_ops_matmul

   Either input may have its last two dimensions transposed; those before them broadcast. Types: float32, and int8 or
   int16 with one scale and zero point per tensor, with the results of TensorFlow Lite's BATCH_MATMUL. If b is one
   constant matrix, the operator becomes a full connection without a bias, with weights packed at Build, and accepts the
   same types: int16 or float32 with int8 weights, too. Otherwise both a and b are multiplied as rows of k: an operand
   stored otherwise is transposed by a copy, a constant one at Build. */
#ifndef NNRT_CPU_OPS_MATMUL_H
#define NNRT_CPU_OPS_MATMUL_H

#include "lower_elementwise.h"
#include "ops_conv.h"
#include "ops_movement_base.h"
#include "steps_matmul.h"

/* What infer has read. */
typedef struct nnrt__matmul_spec {
    nnrt__conv_spec conv; /* if it is a full connection */
    bool is_fc, turned_a, turned_b;
    int32_t m, n, k;
    uint32_t rank; /* of the output */
    int32_t dims[NNRT_MAX_RANK];
} nnrt__matmul_spec;

/* How many matrices a value holds: the product of the dimensions before the last two. */
NNRT__FN size_t nnrt__matmul_count(const nnrt__ir_value *value) {
    size_t count = 1;
    uint32_t i;
    for (i = 0; i + 2 < value->rank; i++) count *= (size_t)value->dims[i];
    return count;
}

NNRT__FN OH_NN_ReturnCode nnrt__matmul_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__matmul_spec *spec) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, 1);
    uint32_t i;
    if (a->rank < 2 || b->rank < 2)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "an input has less than two dimensions");
    spec->turned_a = nnrt__ir_int(node, OH_NN_MATMUL_TRANSPOSE_A, 0) != 0;
    spec->turned_b = nnrt__ir_int(node, OH_NN_MATMUL_TRANSPOSE_B, 0) != 0;
    spec->m = a->dims[a->rank - (spec->turned_a ? 1 : 2)];
    spec->k = a->dims[a->rank - (spec->turned_a ? 2 : 1)];
    spec->n = b->dims[b->rank - (spec->turned_b ? 2 : 1)];
    if (b->dims[b->rank - (spec->turned_b ? 1 : 2)] != spec->k)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED,
                             "the columns of the first input are not as many as the rows of "
                             "the second one");
    spec->rank = a->rank > b->rank ? a->rank : b->rank;
    if (spec->rank - 2 > NNRT__MATMUL_RANK)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "an input has more than ten dimensions");
    for (i = 0; i + 2 < spec->rank; i++) {
        const uint32_t behind = spec->rank - i;
        const int32_t x = behind <= a->rank ? a->dims[a->rank - behind] : 1;
        const int32_t y = behind <= b->rank ? b->dims[b->rank - behind] : 1;
        if (x != y && x != 1 && y != 1)
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the shapes of the inputs cannot be broadcast");
        spec->dims[i] = x == 1 ? y : x;
    }
    spec->dims[spec->rank - 2] = spec->m;
    spec->dims[spec->rank - 1] = spec->n;
    return OH_NN_SUCCESS;
}

/* Is it a full connection? That is: b is one constant matrix, and the rows of a are stored as rows. */
NNRT__FN bool nnrt__matmul_is_fc(const nnrt__ir *ir, const nnrt__ir_node *node, const nnrt__matmul_spec *spec) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, 1);
    const uint32_t quants = b->quant.count;
    if (b->data == NULL || nnrt__matmul_count(b) != 1 || (spec->turned_a && spec->m != 1 && spec->k != 1)) return false;
    if (a->count / (size_t)spec->k > NNRT__COORDINATE_MAX) return false;
    return b->dtype == OH_NN_FLOAT32 || (b->dtype == OH_NN_INT8 && quants >= 1 && nnrt__quant_weights(b, spec->n));
}

NNRT__FN OH_NN_ReturnCode nnrt__matmul_read_fc(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__matmul_spec *spec) {
    nnrt__conv_spec *conv = &spec->conv;
    OH_NN_ReturnCode code;
    conv->channel_stride = spec->turned_b ? (ptrdiff_t)spec->k : 1;
    conv->k_stride = spec->turned_b ? 1 : (ptrdiff_t)spec->n;
    conv->out_rank = spec->rank;
    memcpy(conv->out_dims, spec->dims, sizeof(conv->out_dims));
    code = nnrt__conv_read_product(ir, node, spec->n, spec->k, conv);
    return code != OH_NN_SUCCESS ? code : nnrt__conv_check_scales(ir, node, conv);
}

/* The largest difference of a byte from a zero point. */
NNRT__FN uint64_t nnrt__matmul_most(int32_t zero) { return (uint64_t)(zero < 0 ? 127 - zero : zero + 128); }

/* Checks types and scales of two operands that are both computed. */
NNRT__FN OH_NN_ReturnCode nnrt__matmul_check_types(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   const nnrt__matmul_spec *spec) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, 1), *out = nnrt__ir_out(ir, node, 0);
    const bool s16 = a->dtype == OH_NN_INT16;
    double scale_a, scale_b, scale_out;
    int32_t zero_a, zero_b, zero_out, multiplier, shift;
    if (a->dtype != b->dtype || a->dtype != out->dtype || (a->dtype != OH_NN_FLOAT32 && a->dtype != OH_NN_INT8 && !s16))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "both inputs and the output must be float32, int8 or int16, unless the second input is "
                             "one constant matrix");
    if (spec->k > (s16 ? NNRT__MATMUL_S16_K_MAX : a->dtype == OH_NN_INT8 ? NNRT__MATMUL_K_MAX : NNRT__CONV_K_MAX))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "an output value has more products than the kernels can add");
    if (a->dtype == OH_NN_FLOAT32) return OH_NN_SUCCESS;
    if (s16 && !(nnrt__ir_is_quant16(a) && nnrt__ir_is_quant16(b) && nnrt__ir_is_quant16(out)))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "int16 needs one scale, and zero point 0, for each tensor");
    if (!nnrt__ir_quant(a, &scale_a, &zero_a) || !nnrt__ir_quant(b, &scale_b, &zero_b) ||
        !nnrt__ir_quant(out, &scale_out, &zero_out))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "int8 needs one scale and one zero point for each tensor");
    nnrt__quantize_multiplier((double)((float)scale_a * (float)scale_b) / scale_out, &multiplier, &shift);
    if (s16)
        return shift <= 7 ? OH_NN_SUCCESS
                          : nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                          "the scale of the output is less than 1/128 of that of the products");
    return nnrt__ir_check_rescale(ir, node, scale_a * scale_b,
                                  (uint64_t)spec->k * nnrt__matmul_most(zero_a) * nnrt__matmul_most(zero_b), shift);
}

NNRT__FN OH_NN_ReturnCode nnrt__matmul_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__matmul_spec *spec = (nnrt__matmul_spec *)node->spec;
    OH_NN_ReturnCode code = nnrt__matmul_read(ir, node, spec);
    if (code != OH_NN_SUCCESS) return code;
    spec->is_fc = nnrt__matmul_is_fc(ir, node, spec);
    code = spec->is_fc ? nnrt__matmul_read_fc(ir, node, spec) : nnrt__matmul_check_types(ir, node, spec);
    return code != OH_NN_SUCCESS ? code : nnrt__ir_set_shape(ir, node, 0, spec->rank, spec->dims);
}

/* ----------------------------------------------------------------------------------------------- lowering */

NNRT__FN const nnrt__step_kind *nnrt__matmul_step(OH_NN_DataType dtype) {
    return dtype == OH_NN_INT8    ? NNRT__KIND(matmul_s8)
           : dtype == OH_NN_INT16 ? NNRT__KIND(matmul_s16)
                                  : NNRT__KIND(matmul_f32);
}

/* The matrices of IR value *context, each transposed. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_matmul_turned(const nnrt__filling *filling, void *to) {
    const nnrt__ir_value *value = &filling->ir->values[*(const uint32_t *)filling->context];
    const size_t rows = (size_t)value->dims[value->rank - 2], columns = (size_t)value->dims[value->rank - 1];
    const size_t size = nnrt__element_size(value->dtype), each = rows * columns;
    size_t i, row, column;
    for (i = 0; i < filling->count; i += each)
        for (row = 0; row < rows; row++)
            for (column = 0; column < columns; column++)
                memcpy((uint8_t *)to + (i + column * rows + row) * size,
                       (const uint8_t *)value->data + (i + row * columns + column) * size, size);
    return OH_NN_SUCCESS;
}

/* The plan value of input i as rows of k. turned: its last two dimensions have to be swapped for that. */
NNRT__FN uint32_t nnrt__matmul_rows(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t i, bool turned) {
    const nnrt__ir_value *value = nnrt__ir_in(lower->ir, node, i);
    const int32_t rows = value->dims[value->rank - 2], columns = value->dims[value->rank - 1];
    const int64_t each = (int64_t)rows * columns;
    int32_t dims[NNRT_MAX_RANK];
    nnrt__movement_box box;
    uint32_t from, to;
    if (!turned || rows == 1 || columns == 1) return nnrt__lower_value(lower, node->inputs[i]);
    if (value->data != NULL)
        return nnrt__lower_constant(lower, node, value->dtype, value->count, nnrt__fill_matmul_turned, &node->inputs[i],
                                    sizeof(node->inputs[i]));
    memcpy(dims, value->dims, sizeof(dims));
    dims[value->rank - 2] = columns;
    dims[value->rank - 1] = rows;
    from = nnrt__lower_value(lower, node->inputs[i]);
    to = nnrt__lower_temporary(lower, value->dtype, value->rank, dims);
    memset(&box, 0, sizeof(box));
    nnrt__movement_loop(&box, (int64_t)nnrt__matmul_count(value), each, each);
    nnrt__movement_loop(&box, columns, 1, rows);
    nnrt__movement_loop(&box, rows, columns, 1);
    nnrt__movement_copy(lower, node, &box, value->dtype, from, to, NNRT__NONE);
    return to;
}

/* Strides through the matrices of value, for each dimension of the output before its last two. */
NNRT__FN void nnrt__matmul_steps(const nnrt__ir_value *value, const nnrt__matmul_spec *spec, int32_t *steps) {
    int32_t step = 1;
    uint32_t i;
    for (i = spec->rank - 2; i-- > 0;) {
        const uint32_t behind = spec->rank - i;
        const int32_t dim = behind <= value->rank ? value->dims[value->rank - behind] : 1;
        steps[i] = dim == 1 ? 0 : step;
        step *= dim;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__matmul_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir *ir = lower->ir;
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, 0), *b = nnrt__ir_in(ir, node, 1), *out = nnrt__ir_out(ir, node, 0);
    const nnrt__matmul_spec *spec = (const nnrt__matmul_spec *)node->spec;
    nnrt__step_info info;
    nnrt__matmul_args *args;
    double scale_a = 1, scale_b = 1, scale_out = 1;
    uint32_t inputs[2], output;
    if (spec->is_fc) return nnrt__conv_lower(lower, node);
    inputs[0] = nnrt__matmul_rows(lower, node, 0, spec->turned_a);
    inputs[1] = nnrt__matmul_rows(lower, node, 1, !spec->turned_b);
    output = nnrt__lower_value(lower, node->outputs[0]);
    memset(&info, 0, sizeof(info));
    info.macs = (uint64_t)out->count * (uint64_t)spec->k;
    args =
        (nnrt__matmul_args *)nnrt__lower_step(lower, nnrt__matmul_step(a->dtype), node, inputs, 2, &output, 1, &info);
    if (args == NULL) return lower->status;
    args->m = (uint32_t)spec->m;
    args->n = (uint32_t)spec->n;
    args->k = (uint32_t)spec->k;
    args->rank = spec->rank - 2;
    memcpy(args->dims, spec->dims, args->rank * sizeof(args->dims[0]));
    nnrt__matmul_steps(a, spec, args->a_step);
    nnrt__matmul_steps(b, spec, args->b_step);
    (void)nnrt__activation_bounds(node, &args->clamp_low, &args->clamp_high);
    args->clamp_min = -128;
    args->clamp_max = 127;
    if (a->dtype != OH_NN_FLOAT32 && nnrt__ir_quant(a, &scale_a, &args->a_zero) &&
        nnrt__ir_quant(b, &scale_b, &args->b_zero) && nnrt__ir_quant(out, &scale_out, &args->output_zero_point)) {
        /* TensorFlow Lite multiplies the scales in float */
        nnrt__quantize_multiplier((double)((float)scale_a * (float)scale_b) / scale_out, &args->multiplier,
                                  &args->shift);
        nnrt__clamp_range_to_quantized(args->clamp_low, args->clamp_high, (float)scale_out, args->output_zero_point,
                                       &args->clamp_min, &args->clamp_max);
    }
    if (a->dtype == OH_NN_INT16)
        nnrt__clamp_range_to_s16(args->clamp_low, args->clamp_high, (float)scale_out, &args->clamp_min,
                                 &args->clamp_max);
    return lower->status;
}

NNRT__CPU_OP_READ(MATMUL, nnrt__matmul_spec, NNRT__CPU_CLAMPS | NNRT__CPU_HEAVY, nnrt__matmul_infer, nnrt__matmul_lower)

#endif /* NNRT_CPU_OPS_MATMUL_H */
