/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_base.h - shared by the operators of the movement family: constant inputs, axes, boxes, tables.
   >>cpu_ops_movement_base

   Shapes are computed in int64: sums and products of declared sizes and hostile parameters fit, because every factor is
   below 2^31 and every value is at most 1 GiB. */
#ifndef NNRT_CPU_OPS_MOVEMENT_BASE_H
#define NNRT_CPU_OPS_MOVEMENT_BASE_H

#include "../kernels/float16.h"
#include "../kernels/fp_contract.h"
#include "ir_helpers.h"
#include "kinds.h"
#include "steps_movement.h"

/* ---------------------------------------------------------------------------------------------- for infer */

NNRT__FN OH_NN_ReturnCode nnrt__movement_bad(const nnrt__ir *ir, const nnrt__ir_node *node, const char *reason) {
    return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
}

/* The integers of input i, one of those that the flags of the operator name. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_ints(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i, int64_t *out,
                                              uint32_t capacity, uint32_t *count) {
    const nnrt__ir_value *value = nnrt__ir_in(ir, node, i);
    if (value->data == NULL)
        return nnrt__movement_bad(ir, node, "the input that gives the axes, shape or range is not computed yet");
    if (!nnrt__ir_constant_ints(value, out, capacity, count))
        return nnrt__movement_bad(ir, node,
                                  "the input that gives the axes, shape or range is no short list of whole numbers");
    return OH_NN_SUCCESS;
}

/* A parameter list of at most capacity integers. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_param(const nnrt__ir *ir, const nnrt__ir_node *node, OH_NN_TensorType type,
                                               int64_t *out, uint32_t capacity, uint32_t *count) {
    *count = nnrt__ir_ints(node, type, out, capacity);
    return *count <= capacity ? OH_NN_SUCCESS
                              : nnrt__movement_bad(ir, node, "a list has more entries than there can be axes");
}

/* The axis in a parameter, of so many dimensions; 0 if absent. It is the node's whole spec. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_axis(const nnrt__ir *ir, const nnrt__ir_node *node, OH_NN_TensorType type,
                                              uint32_t rank, uint32_t *axis) {
    if (!nnrt__ir_axis(nnrt__ir_int(node, type, 0), rank, axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    *(uint32_t *)node->spec = *axis;
    return OH_NN_SUCCESS;
}

/* An axis of the first input: a parameter, or the second input, which only nodes of .tflite files have. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_listed_axis(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                     OH_NN_TensorType type, int64_t absent, uint32_t *axis) {
    int64_t listed = nnrt__ir_int(node, type, absent);
    uint32_t count = 0;
    OH_NN_ReturnCode code =
        node->input_count > 1 ? nnrt__movement_ints(ir, node, 1, &listed, 1, &count) : OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(listed, nnrt__ir_in(ir, node, 0)->rank, axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    return OH_NN_SUCCESS;
}

/* count axes as a set of bits; each may be named once. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_axes(const nnrt__ir *ir, const nnrt__ir_node *node, const int64_t *axes,
                                              uint32_t count, uint32_t rank, uint32_t *mask) {
    uint32_t i, axis;
    *mask = 0;
    for (i = 0; i < count; i++) {
        if (!nnrt__ir_axis(axes[i], rank, &axis)) return nnrt__movement_bad(ir, node, "an axis is out of range");
        if ((*mask >> axis & 1) != 0) return nnrt__movement_bad(ir, node, "an axis is named twice");
        *mask |= 1u << axis;
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__movement_set_shape(nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i, uint32_t rank,
                                                   const int64_t *dims) {
    int32_t narrow[NNRT_MAX_RANK] = {0}; /* rank may be 0 */
    uint32_t axis;
    if (rank > NNRT_MAX_RANK) return nnrt__movement_bad(ir, node, "the result has more than 10 dimensions");
    for (axis = 0; axis < rank; axis++) {
        if (dims[axis] > INT32_MAX) return nnrt__movement_bad(ir, node, "the result is too large");
        if (dims[axis] < 1) return nnrt__movement_bad(ir, node, "the result is empty or a size is negative");
        narrow[axis] = (int32_t)dims[axis];
    }
    return nnrt__ir_set_shape(ir, node, i, rank, narrow);
}

NNRT__FN bool nnrt__movement_is_index(const nnrt__ir_value *value) {
    return value->dtype == OH_NN_INT32 || value->dtype == OH_NN_INT64;
}

/* Every output has the data type of input i. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_same_type(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i) {
    const OH_NN_DataType dtype = nnrt__ir_in(ir, node, i)->dtype;
    uint32_t k;
    if (nnrt__element_size(dtype) == 0) return nnrt__movement_bad(ir, node, "the input has no data type");
    for (k = 0; k < node->output_count; k++)
        if (nnrt__ir_out(ir, node, k)->dtype != dtype)
            return nnrt__movement_bad(ir, node, "an output does not have the data type of the input");
    return OH_NN_SUCCESS;
}

/* The result of operators whose step does not rescale. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_need_same_quant(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i) {
    if (nnrt__ir_moves_unchanged(nnrt__ir_in(ir, node, i), nnrt__ir_out(ir, node, 0))) return OH_NN_SUCCESS;
    return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "input and output must have the same quantization");
}

/* dims[first] * ... * dims[last - 1]. */
NNRT__FN int64_t nnrt__movement_size(const nnrt__ir_value *value, uint32_t first, uint32_t last) {
    int64_t size = 1;
    for (; first < last; first++) size *= value->dims[first];
    return size;
}

/* ---------------------------------------------------------------------------------------------- for lower */

/* A box in elements of one value in another; strides of row-major values come from nnrt__movement_strides. */
typedef struct nnrt__movement_box {
    uint32_t rank; /* at most NNRT__BOX_RANK */
    int64_t src_offset, dst_offset;
    int64_t count[NNRT__BOX_RANK], src[NNRT__BOX_RANK], dst[NNRT__BOX_RANK];
} nnrt__movement_box;

NNRT__FN void nnrt__movement_loop(nnrt__movement_box *box, int64_t count, int64_t src, int64_t dst) {
    box->count[box->rank] = count;
    box->src[box->rank] = src;
    box->dst[box->rank++] = dst;
}

NNRT__FN void nnrt__movement_strides(uint32_t rank, const int32_t *dims, int64_t *strides) {
    int64_t stride = 1;
    uint32_t i;
    for (i = rank; i-- > 0;) {
        strides[i] = stride;
        stride *= dims[i];
    }
}

/* Orders the loops as the destination is laid out, drops those of one iteration, merges contiguous ones, and moves the
   loop that is contiguous in the source next to the innermost, where the kernel cuts a transposition into squares. */
NNRT__FN void nnrt__movement_pack_box(const nnrt__movement_box *from, uint32_t element_size, nnrt__box *to) {
    const int64_t size = element_size;
    uint32_t i, k, nearest;
    memset(to, 0, sizeof(*to));
    to->src_offset = (uint32_t)(from->src_offset * size);
    to->dst_offset = (uint32_t)(from->dst_offset * size);
    for (i = 0; i < from->rank; i++) {
        if (from->count[i] == 1) continue;
        for (k = to->rank++; k > 0 && to->dst_step[k - 1] < from->dst[i] * size; k--) {
            to->count[k] = to->count[k - 1];
            to->src_step[k] = to->src_step[k - 1];
            to->dst_step[k] = to->dst_step[k - 1];
        }
        to->count[k] = (int32_t)from->count[i];
        to->src_step[k] = (int32_t)(from->src[i] * size);
        to->dst_step[k] = (int32_t)(from->dst[i] * size);
    }
    for (i = 0; i + 1 < to->rank;) {
        if ((int64_t)to->src_step[i + 1] * to->count[i + 1] != to->src_step[i] ||
            (int64_t)to->dst_step[i + 1] * to->count[i + 1] != to->dst_step[i]) {
            i++;
            continue;
        }
        to->count[i] *= to->count[i + 1];
        to->src_step[i] = to->src_step[i + 1];
        to->dst_step[i] = to->dst_step[i + 1];
        to->rank--;
        for (k = i + 1; k < to->rank; k++) {
            to->count[k] = to->count[k + 1];
            to->src_step[k] = to->src_step[k + 1];
            to->dst_step[k] = to->dst_step[k + 1];
        }
        if (i > 0) i--;
    }
    to->run = element_size;
    if (to->rank != 0 && to->src_step[to->rank - 1] == to->dst_step[to->rank - 1] &&
        (uint32_t)to->dst_step[to->rank - 1] == to->run)
        to->run *= (uint32_t)to->count[--to->rank];
    for (nearest = 0; nearest + 2 < to->rank && (uint32_t)to->src_step[nearest] != to->run; nearest++) {}
    for (i = nearest; i + 2 < to->rank; i++) {
        const int32_t count = to->count[i], src = to->src_step[i], dst = to->dst_step[i];
        to->count[i] = to->count[i + 1];
        to->src_step[i] = to->src_step[i + 1];
        to->dst_step[i] = to->dst_step[i + 1];
        to->count[i + 1] = count;
        to->src_step[i + 1] = src;
        to->dst_step[i + 1] = dst;
    }
    for (i = to->rank; i < NNRT__BOX_RANK; i++) to->count[i] = to->src_step[i] = to->dst_step[i] = 0;
}

/* One copy step between plan values. table: a plan value or NNRT__NONE. */
NNRT__FN void nnrt__movement_copy(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__movement_box *box,
                                  OH_NN_DataType dtype, uint32_t src, uint32_t dst, uint32_t table) {
    uint32_t inputs[2];
    nnrt__box *packed;
    inputs[0] = src;
    inputs[1] = table;
    packed = (nnrt__box *)nnrt__lower_step(lower, NNRT__KIND(copy), node, inputs, table == NNRT__NONE ? 1 : 2, &dst, 1,
                                           NULL);
    if (packed != NULL) nnrt__movement_pack_box(box, (uint32_t)nnrt__element_size(dtype), packed);
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* table[byte] is the byte of the same real value in the other quantization, rescaled as in TensorFlow Lite's
   concatenation: clamp(round(x * scale + bias) + zero point), in float, ties away from zero. */
NNRT__FN void nnrt__movement_fill_table(uint8_t *table, bool is_signed, double in_scale, int32_t in_zero,
                                        double out_scale, int32_t out_zero) {
    const float inverse = 1.0f / (float)out_scale, scale = (float)in_scale * inverse;
    const float bias = (float)-in_zero * scale;
    const int32_t low = is_signed ? -128 : 0, high = is_signed ? 127 : 255;
    int32_t byte;
    for (byte = 0; byte < 256; byte++) {
        const int32_t x = is_signed && byte >= 128 ? byte - 256 : byte;
        const float product = (float)x * scale;
        const double real = (double)nnrt__clamp_f32(product + bias, -1024.0f, 1024.0f);
        const int32_t rounded = (int32_t)(real < 0.0 ? real - 0.5 : real + 0.5);
        table[byte] = (uint8_t)(nnrt__clamp_i32(rounded + out_zero, low, high) & 255);
    }
}

NNRT__FP_CONTRACT_OFF_END

typedef struct nnrt__movement_quants {
    const nnrt__ir_value *in, *out;
} nnrt__movement_quants;

NNRT__FN OH_NN_ReturnCode nnrt__fill_movement_table(const nnrt__filling *filling, void *to) {
    const nnrt__movement_quants *quants = (const nnrt__movement_quants *)filling->context;
    double in_scale = 1.0, out_scale = 1.0;
    int32_t in_zero = 0, out_zero = 0;
    (void)nnrt__ir_quant(quants->in, &in_scale, &in_zero);
    (void)nnrt__ir_quant(quants->out, &out_scale, &out_zero);
    nnrt__movement_fill_table((uint8_t *)to, quants->in->dtype == OH_NN_INT8, in_scale, in_zero, out_scale, out_zero);
    return OH_NN_SUCCESS;
}

/* The table that takes bytes of IR value in to those of out, or NNRT__NONE when they are the same. */
NNRT__FN uint32_t nnrt__movement_table(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__ir_value *in,
                                       const nnrt__ir_value *out) {
    nnrt__movement_quants quants;
    quants.in = in;
    quants.out = out;
    if (in->dtype != OH_NN_INT8 && in->dtype != OH_NN_UINT8) return NNRT__NONE;
    if (in->quant.count != 1 || out->quant.count != 1 || nnrt__ir_moves_unchanged(in, out)) return NNRT__NONE;
    return nnrt__lower_constant(lower, node, OH_NN_UINT8, 256, nnrt__fill_movement_table, &quants, sizeof(quants));
}

/* One copy from input i to output k, rescaled when their quantizations differ. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_lower_box(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t i,
                                                   uint32_t k, const nnrt__movement_box *box) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, i);
    const uint32_t table = nnrt__movement_table(lower, node, in, nnrt__ir_out(lower->ir, node, k));
    const uint32_t src = nnrt__lower_value(lower, node->inputs[i]), dst = nnrt__lower_value(lower, node->outputs[k]);
    nnrt__movement_copy(lower, node, box, in->dtype, src, dst, table);
    return lower->status;
}

/* Every element of plan value dst, `count` of them, becomes the one element of src. */
NNRT__FN void nnrt__movement_fill(nnrt__lower *lower, const nnrt__ir_node *node, OH_NN_DataType dtype, uint32_t src,
                                  uint32_t dst, size_t count, uint32_t table) {
    nnrt__movement_box box;
    memset(&box, 0, sizeof(box));
    nnrt__movement_loop(&box, (int64_t)count, 0, 1);
    nnrt__movement_copy(lower, node, &box, dtype, src, dst, table);
}

/* ------------------------------------------------------------------------------------ numbers as elements */

/* value as an element of dtype: clamped to its range, truncated towards zero, NaN as integer 0. If quantized, value is
   real. */
NNRT__FN void nnrt__movement_encode(const nnrt__ir_value *as, double value, uint8_t *out) {
    static const double lows[9] = {0, 0, -128, -32768, -2147483648.0, -9223372036854775808.0, 0, 0, 0};
    static const double highs[9] = {0, 0, 127, 32767, 2147483647.0, 9223372036854775808.0, 255, 65535, 4294967295.0};
    double scale;
    int32_t zero;
    float narrow = (float)value;
    uint16_t half;
    int64_t integer;
    memset(out, 0, 8);
    switch (as->dtype) {
    case OH_NN_BOOL: out[0] = value != 0.0 ? 1 : 0; return;
    case OH_NN_FLOAT16:
        half = nnrt__float16_from_float32(narrow);
        memcpy(out, &half, 2);
        return;
    case OH_NN_FLOAT32: memcpy(out, &narrow, 4); return;
    case OH_NN_FLOAT64: memcpy(out, &value, 8); return;
    default: break;
    }
    if (nnrt__ir_quant(as, &scale, &zero)) {
        value = value / scale;
        value = (value < 0.0 ? ceil(value - 0.5) : floor(value + 0.5)) + zero;
    }
    if (value != value) value = 0.0;
    if (as->dtype == OH_NN_UINT64) {
        const uint64_t wide = value <= 0.0 ? 0 : value >= 18446744073709549568.0 ? UINT64_MAX : (uint64_t)value;
        memcpy(out, &wide, 8);
        return;
    }
    if ((unsigned)as->dtype > (unsigned)OH_NN_UINT32) return;
    if (value < lows[as->dtype]) value = lows[as->dtype];
    if (value > highs[as->dtype]) value = highs[as->dtype];
    integer = value < 9223372036854775808.0 ? (int64_t)value : INT64_MAX;
    if (as->dtype == OH_NN_INT64) {
        memcpy(out, &integer, 8);
    } else if (nnrt__element_size(as->dtype) == 4) {
        const uint32_t word = (uint32_t)(uint64_t)integer;
        memcpy(out, &word, 4);
    } else if (nnrt__element_size(as->dtype) == 2) {
        half = (uint16_t)((uint64_t)integer & 0xffff);
        memcpy(out, &half, 2);
    } else {
        out[0] = (uint8_t)((uint64_t)integer & 0xff);
    }
}

typedef struct nnrt__movement_number {
    const nnrt__ir_value *as;
    double value;
} nnrt__movement_number;

NNRT__FN OH_NN_ReturnCode nnrt__fill_movement_number(const nnrt__filling *filling, void *to) {
    const nnrt__movement_number *number = (const nnrt__movement_number *)filling->context;
    uint8_t element[8];
    nnrt__movement_encode(number->as, number->value, element);
    memcpy(to, element, nnrt__element_size(number->as->dtype));
    return OH_NN_SUCCESS;
}

/* Fills output 0 with a number. */
NNRT__FN void nnrt__movement_fill_number(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__ir_value *as,
                                         double value, uint32_t dst, size_t count) {
    nnrt__movement_number number;
    uint32_t constant;
    number.as = as;
    number.value = value;
    constant = nnrt__lower_constant(lower, node, as->dtype, 1, nnrt__fill_movement_number, &number, sizeof(number));
    nnrt__movement_fill(lower, node, as->dtype, constant, dst, count, NNRT__NONE);
}

#endif /* NNRT_CPU_OPS_MOVEMENT_BASE_H */
