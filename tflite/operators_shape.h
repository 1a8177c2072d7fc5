/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_shape.h - translators of operators that move elements or change
   shapes.   >>tflite_operators_shape */
#ifndef NNRT_TFLITE_OPERATORS_SHAPE_H
#define NNRT_TFLITE_OPERATORS_SHAPE_H

#include "translate.h"

/* For operators that change at most the shape: RESHAPE. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_same_elements(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    uint32_t between = output;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (op->after != NNRT__TFL_ACTIVATION_NONE)
        code = nnrt__tflite_between(t, op, output, nnrt__tflite_info(t, output)->dtype, &between);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_reshaped(t, op, op->inputs[0], between);
    return code == OH_NN_SUCCESS ? nnrt__tflite_activate(t, op, between, output) : code;
}

/* RESHAPE: the shape is the second input or, in older files, an option (shape); without either, that of the
   output. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reshape(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__fb_vector shape;
    int32_t dims[NNRT_MAX_RANK];
    uint32_t i;
    OH_NN_ReturnCode code;
    if (op->input_count > 1 && op->inputs[1] != NNRT__TFLITE_ABSENT) return nnrt__tflite_add(t, op);
    memset(&shape, 0, sizeof(shape));
    if (op->has_options && !nnrt__fb_vector_field(&t->fb, &op->options, 0, 4, &shape)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (shape.count > NNRT_MAX_RANK) return nnrt__tflite_op_unsupported(op, "a shape of so many dimensions");
    for (i = 0; i < shape.count; i++) dims[i] = nnrt__fb_element_i32(&t->fb, &shape, i);
    if (shape.count == 0 && nnrt__tflite_info(t, op->outputs[0])->rank == 0)
        return nnrt__tflite_to_scalar(t, op, op->inputs[0], op->outputs[0]);
    op->input_count = 2;
    code = shape.count != 0 ? nnrt__tflite_constant(t, op, OH_NN_INT32, (int32_t)shape.count, dims, &op->inputs[1])
                            : nnrt__tflite_dims_constant(t, op, op->outputs[0], &op->inputs[1]);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* SQUEEZE: options (list of axes; none: every dimension of 1). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_squeeze(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__fb_vector axes;
    int64_t wide[NNRT_MAX_RANK];
    uint32_t i;
    memset(&axes, 0, sizeof(axes));
    if (op->has_options && !nnrt__fb_vector_field(&t->fb, &op->options, 0, 4, &axes)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (axes.count > NNRT_MAX_RANK) return nnrt__tflite_op_wrong(op, "it squeezes more axes than a tensor can have");
    for (i = 0; i < axes.count; i++) wide[i] = nnrt__fb_element_i32(&t->fb, &axes, i);
    if (axes.count != 0) nnrt__tflite_param(op, OH_NN_SQUEEZE_AXIS, OH_NN_INT64, axes.count, wide);
    return nnrt__tflite_add(t, op);
}

/* CONCATENATION: options (axis, activation). OpenHarmony's has at least two inputs and no activation, which becomes a
   node after it. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_concat(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t axis = 0;
    if (!nnrt__tflite_option_i32(t, op, 0, &axis) || !nnrt__tflite_option_byte(t, op, 1, &op->after))
        return nnrt__tflite_op_broken(t, op);
    if (op->after < 0 || op->after > NNRT__TFL_ACTIVATION_TANH)
        return nnrt__tflite_op_unsupported(op, "its fused activation");
    if (op->input_count == 1) return nnrt__tflite_same_elements(t, op);
    nnrt__tflite_param_i64(op, OH_NN_CONCAT_AXIS, axis);
    return nnrt__tflite_add(t, op);
}

/* PADV2: the value is the third input, a constant in the type of the first; OpenHarmony's is the real
   value. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_pad_value(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *value = nnrt__tflite_info(t, op->inputs[2]);
    const nnrt_quant *quant = &nnrt__tflite_info(t, op->inputs[0])->quant;
    double real;
    if (value->data == NULL) return nnrt__tflite_op_unsupported(op, "a padding value that is not constant");
    if (value->data_size != nnrt__element_size(value->dtype) ||
        value->dtype != nnrt__tflite_info(t, op->inputs[0])->dtype) {
        return nnrt__tflite_op_wrong(op, "the padding value is not one element of the type of the input");
    }
    if (value->dtype == OH_NN_FLOAT32) {
        real = (double)nnrt__read_f32(value->data);
    } else if (nnrt__is_integer(value->dtype)) {
        const int64_t integer = nnrt__read_integer(value->dtype, value->data, 0);
        if (integer > 16777216 || integer < -16777216) return nnrt__tflite_op_unsupported(op, "so large a value");
        real = quant->count != 0 ? (double)(integer - quant->zero_points[0]) * quant->scales[0] : (double)integer;
    } else {
        return nnrt__tflite_op_unsupported(op, "the type of the padding value");
    }
    if (!(real <= 3.402823466e+38 && real >= -3.402823466e+38)) {
        return nnrt__tflite_op_unsupported(op, "a padding value that is not finite");
    }
    op->input_count = 2;
    nnrt__tflite_param_f32(op, OH_NN_PAD_CONSTANT_VALUE, (float)real);
    return nnrt__tflite_add(t, op);
}

/* MIRROR_PAD: options (mode: 0 reflect, 1 symmetric). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_mirror_pad(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t mode = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &mode)) return nnrt__tflite_op_broken(t, op);
    if (mode != 0 && mode != 1) return nnrt__tflite_op_wrong(op, "its mode is neither REFLECT nor SYMMETRIC");
    mode++;
    nnrt__tflite_param(op, OH_NN_PAD_PADDING_MODE, OH_NN_INT32, 1, &mode);
    return nnrt__tflite_add(t, op);
}

/* One axis of a strided slice: where it begins, ends and steps. */
typedef struct nnrt__tflite_range {
    int64_t begin, end, stride;
    int32_t size;
    bool to_edge; /* it ends before element 0, an end that OpenHarmony cannot express */
} nnrt__tflite_range;

/* Converts one axis from TensorFlow Lite, which clamps to the axis, to what OpenHarmony takes: all within the axis, and
   stride 1 for a single element. False: nothing is left. */
NNRT__FN bool nnrt__tflite_range_of(int64_t dim, bool whole_begin, bool whole_end, bool shrink, bool offset,
                                    nnrt__tflite_range *r) {
    const int64_t low = r->stride > 0 ? 0 : -1, high = r->stride > 0 ? dim : dim - 1;
    int64_t begin = r->begin, end = r->end, count;
    if (whole_begin) begin = r->stride > 0 ? low : high;
    else if (begin < 0) begin += dim;
    begin = begin < low ? low : begin > high ? high : begin;
    if (offset) end += begin;
    if (whole_end) end = r->stride > 0 ? high : low;
    else if (end < 0) end += dim;
    end = end < low ? low : end > high ? high : end;
    if (shrink) end = begin + (r->stride > 0 ? 1 : -1);
    count = r->stride > 0 ? (end - begin + r->stride - 1) / r->stride : (begin - end - r->stride - 1) / -r->stride;
    if (begin < 0 || begin >= dim || count < 1) return false;
    r->size = (int32_t)count;
    r->to_edge = count > 1 && end < 0;
    r->begin = begin;
    r->end = count == 1 ? begin + 1 : end;
    if (count == 1) r->stride = 1;
    return true;
}

/* Begin, end and strides of a slice, with an ellipsis and new axes: lists of one entry for each axis of the input. */
typedef struct nnrt__tflite_slice {
    int32_t lists[3][NNRT_MAX_RANK], sizes[NNRT_MAX_RANK];
    int64_t to_edge; /* bits: the mask of ends */
} nnrt__tflite_slice;

NNRT__FN OH_NN_ReturnCode nnrt__tflite_slice_entry(const nnrt__tflite_op *op, nnrt__tflite_slice *slice, int32_t dim,
                                                   uint32_t axis, uint32_t entry, const int32_t *masks, bool offset,
                                                   nnrt__tflite_range *range) {
    if (range->stride == 0) return nnrt__tflite_op_wrong(op, "a stride is 0");
    if (range->stride < INT32_MIN / 2 || range->stride > INT32_MAX / 2 || range->begin < INT32_MIN ||
        range->begin > INT32_MAX || range->end < INT32_MIN || range->end > INT32_MAX)
        return nnrt__tflite_op_unsupported(op, "so large a begin, end or stride");
    if (!nnrt__tflite_range_of(dim, (masks[0] >> entry & 1) != 0, (masks[1] >> entry & 1) != 0,
                               (masks[4] >> entry & 1) != 0, offset, range))
        return nnrt__tflite_op_unsupported(op, "a slice without elements");
    slice->lists[0][axis] = (int32_t)range->begin;
    slice->lists[1][axis] = (int32_t)range->end;
    slice->lists[2][axis] = (int32_t)range->stride;
    slice->sizes[axis] = range->size;
    if (range->to_edge) slice->to_edge |= (int64_t)1 << axis;
    return OH_NN_SUCCESS;
}

/* All constants are known: fills slice in. masks as in the options. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_slice_read(const nnrt__tflite *t, const nnrt__tflite_op *op,
                                                  const int32_t *masks, bool offset, nnrt__tflite_slice *slice) {
    const nnrt_tensor_info *in = nnrt__tflite_info(t, op->inputs[0]);
    int64_t lists[3][2 * NNRT_MAX_RANK];
    uint32_t counts[3] = {0, 0, 0}, axis = 0, entry, listed = 0, ellipses = 0, left, i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    for (i = 0; i < 3 && code == OH_NN_SUCCESS; i++)
        code = nnrt__tflite_integers(t, op, i + 1, lists[i], 2 * NNRT_MAX_RANK, &counts[i]);
    if (code != OH_NN_SUCCESS) return code;
    if (counts[0] != counts[1] || counts[0] != counts[2])
        return nnrt__tflite_op_wrong(op, "begin, end and strides do not have one length");
    for (entry = 0; entry < counts[0]; entry++) {
        if ((masks[2] >> entry & 1) != 0) ellipses++;
        else if ((masks[3] >> entry & 1) == 0) listed++;
    }
    if (ellipses > 1) return nnrt__tflite_op_wrong(op, "it has two ellipses");
    if (listed > in->rank) return nnrt__tflite_op_wrong(op, "begin has more entries than the input has axes");
    left = in->rank - listed; /* axes of the ellipsis, or after the last entry */
    for (entry = 0; entry <= counts[0] && code == OH_NN_SUCCESS; entry++) {
        const bool whole = entry == counts[0] || (masks[2] >> entry & 1) != 0;
        for (; whole && left > 0; left--, axis++) {
            slice->lists[0][axis] = 0;
            slice->lists[1][axis] = slice->sizes[axis] = in->dims[axis];
            slice->lists[2][axis] = 1;
        }
        if (!whole && (masks[3] >> entry & 1) == 0) {
            nnrt__tflite_range range;
            range.begin = lists[0][entry];
            range.end = lists[1][entry];
            range.stride = lists[2][entry];
            code = nnrt__tflite_slice_entry(op, slice, in->dims[axis], axis, entry, masks, offset, &range);
            axis++;
        }
    }
    return code;
}

/* A slice with any ends becomes one within the input, and a reshape if the output has other axes. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_slice_constants(nnrt__tflite *t, nnrt__tflite_op *op, const int32_t *masks,
                                                       bool offset) {
    const uint32_t rank = nnrt__tflite_info(t, op->inputs[0])->rank, output = op->outputs[0];
    const bool reshapes = masks[3] != 0 || masks[4] != 0;
    nnrt__tflite_slice slice;
    uint32_t i;
    OH_NN_ReturnCode code;
    memset(&slice, 0, sizeof(slice));
    code = nnrt__tflite_slice_read(t, op, masks, offset, &slice);
    for (i = 0; i < 3 && code == OH_NN_SUCCESS; i++)
        code = nnrt__tflite_constant(t, op, OH_NN_INT32, (int32_t)rank, slice.lists[i], &op->inputs[i + 1]);
    if (code == OH_NN_SUCCESS && reshapes) {
        nnrt_tensor_info info = *nnrt__tflite_info(t, output);
        info.name = "";
        info.rank = rank;
        info.dims = slice.sizes;
        code = nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, false, &op->outputs[0]));
    }
    if (code != OH_NN_SUCCESS) return code;
    nnrt__tflite_param_i64(op, OH_NN_STRIDED_SLICE_END_MASK, slice.to_edge);
    code = nnrt__tflite_add(t, op);
    return code == OH_NN_SUCCESS && reshapes ? nnrt__tflite_reshaped(t, op, op->outputs[0], output) : code;
}

/* STRIDED_SLICE: options (masks of begin, end, ellipsis, new axis, shrink axis; offset: the end counts from begin). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_strided_slice(nnrt__tflite *t, nnrt__tflite_op *op) {
    static const OH_NN_TensorType types[5] = {OH_NN_STRIDED_SLICE_BEGIN_MASK, OH_NN_STRIDED_SLICE_END_MASK,
                                              OH_NN_STRIDED_SLICE_ELLIPSIS_MASK, OH_NN_STRIDED_SLICE_NEW_AXIS_MASK,
                                              OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK};
    int32_t offset = 0, masks[5] = {0, 0, 0, 0, 0};
    bool constant = nnrt__tflite_info(t, op->inputs[0])->rank != 0;
    unsigned i;
    for (i = 0; i < NNRT__COUNT_OF(types); i++)
        if (!nnrt__tflite_option_i32(t, op, i, &masks[i])) return nnrt__tflite_op_broken(t, op);
    if (!nnrt__tflite_option_byte(t, op, 5, &offset)) return nnrt__tflite_op_broken(t, op);
    for (i = 1; i < 4; i++) constant = constant && nnrt__tflite_info(t, op->inputs[i])->data != NULL;
    if (constant && !t->resizes) return nnrt__tflite_slice_constants(t, op, masks, offset != 0);
    if (offset != 0) return nnrt__tflite_op_unsupported(op, "an end that counts from the beginning");
    for (i = 0; i < NNRT__COUNT_OF(types); i++) nnrt__tflite_param_i64(op, types[i], masks[i]);
    nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
    return nnrt__tflite_add(t, op);
}

/* SPLIT: inputs (axis, value), options (number of parts). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_split(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t where = op->inputs[0];
    int64_t axis = 0;
    int32_t parts = 0;
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_option_i32(t, op, 0, &parts)) return nnrt__tflite_op_broken(t, op);
    if (parts < 0 || (uint32_t)parts != op->output_count) {
        return nnrt__tflite_op_wrong(op, "the number of parts is not that of the outputs");
    }
    if (nnrt__tflite_info(t, where)->data == NULL) { /* it is an input of the node, too */
        op->inputs[0] = op->inputs[1];
        op->inputs[1] = where;
        nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
        return nnrt__tflite_add(t, op);
    }
    code = nnrt__tflite_integer(t, op, 0, &axis);
    if (code != OH_NN_SUCCESS) return code;
    op->inputs[0] = op->inputs[1];
    op->input_count = 1;
    nnrt__tflite_param_i64(op, OH_NN_SPLIT_AXIS, axis);
    nnrt__tflite_param_i64(op, OH_NN_SPLIT_OUTPUT_NUM, parts);
    return nnrt__tflite_add(t, op);
}

/* ARG_MAX, or, where it looks for the smallest, ARG_MIN: inputs (value, axis). The axis is a parameter of
   OpenHarmony's; one that is not constant stays an input. The type of the output is its tensor's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_arg(nnrt__tflite *t, nnrt__tflite_op *op, bool smallest) {
    const bool constant = nnrt__tflite_info(t, op->inputs[1])->data != NULL;
    int64_t axis = 0;
    OH_NN_ReturnCode code;
    if (smallest || !constant) nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, smallest);
    if (!constant) return nnrt__tflite_add(t, op);
    code = nnrt__tflite_integer(t, op, 1, &axis);
    if (code != OH_NN_SUCCESS) return code;
    op->input_count = 1;
    nnrt__tflite_param_i64(op, OH_NN_ARG_MAX_AXIS, axis);
    return nnrt__tflite_add(t, op);
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_arg_max(nnrt__tflite *t, nnrt__tflite_op *op) {
    return nnrt__tflite_arg(t, op, false);
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_arg_min(nnrt__tflite *t, nnrt__tflite_op *op) {
    return nnrt__tflite_arg(t, op, true);
}

/* SPACE_TO_DEPTH, DEPTH_TO_SPACE: options (block size). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_block(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t block = 0;
    if (!nnrt__tflite_option_i32(t, op, 0, &block)) return nnrt__tflite_op_broken(t, op);
    if (block < 1) return nnrt__tflite_op_wrong(op, "its block size is below 1");
    if (block == 1) return nnrt__tflite_same_elements(t, op);
    nnrt__tflite_param_i64(op, op->row->param, block);
    return nnrt__tflite_add(t, op);
}

/* GATHER: options (axis, batch dims). The axis is an input of OpenHarmony's, which has no batches. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_gather(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t axis = 0, batches = 0;
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_option_i32(t, op, 0, &axis) || !nnrt__tflite_option_i32(t, op, 1, &batches)) {
        return nnrt__tflite_op_broken(t, op);
    }
    op->input_count = 3;
    code = nnrt__tflite_constant(t, op, OH_NN_INT32, 1, &axis, &op->inputs[2]);
    if (batches != 0 && code == OH_NN_SUCCESS) {
        op->input_count = 4;
        nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
        code = nnrt__tflite_constant(t, op, OH_NN_INT32, 1, &batches, &op->inputs[3]);
    }
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* EMBEDDING_LOOKUP: inputs (indices, rows). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_embedding(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t indices = op->inputs[0];
    const int32_t axis = 0;
    OH_NN_ReturnCode code;
    op->inputs[0] = op->inputs[1];
    op->inputs[1] = indices;
    op->input_count = 3;
    code = nnrt__tflite_constant(t, op, OH_NN_INT32, 1, &axis, &op->inputs[2]);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* PACK: options (number of values, axis). OpenHarmony's stack has two inputs at least; one is an
   unsqueeze. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_pack(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t values = 0, axis = 0;
    if (!nnrt__tflite_option_i32(t, op, 0, &values) || !nnrt__tflite_option_i32(t, op, 1, &axis)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (values < 0 || (uint32_t)values != op->input_count) {
        return nnrt__tflite_op_wrong(op, "the number of values is not that of the inputs");
    }
    nnrt__tflite_param_i64(op, values > 1 ? OH_NN_STACK_AXIS : OH_NN_UNSQUEEZE_AXIS, axis);
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, values > 1 ? OH_NN_OPS_STACK : OH_NN_OPS_UNSQUEEZE,
                                                        op->inputs, op->input_count, op->outputs, op->output_count,
                                                        op->params, op->param_count));
}

/* UNPACK: options (number of parts, axis). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_unpack(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t parts = 0, axis = 0;
    if (!nnrt__tflite_option_i32(t, op, 0, &parts) || !nnrt__tflite_option_i32(t, op, 1, &axis))
        return nnrt__tflite_op_broken(t, op);
    if (parts < 0 || (uint32_t)parts != op->output_count)
        return nnrt__tflite_op_wrong(op, "the number of parts is not that of the outputs");
    nnrt__tflite_param_i64(op, OH_NN_UNSTACK_AXIS, axis);
    return nnrt__tflite_add(t, op);
}

#define NNRT__TFLITE_MOST_PARTS 16 /* of SPLIT_V: the room for the numbers of a parameter */

/* SPLIT_V: inputs (value, sizes, axis), options (number of parts). A size of -1 takes what the others leave. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_split_v(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *value = nnrt__tflite_info(t, op->inputs[0]);
    int64_t sizes[NNRT__TFLITE_MOST_PARTS], axis = 0, sum = 0;
    uint32_t count = 0, kept = 0, i, rest = NNRT__TFLITE_MOST_PARTS;
    OH_NN_ReturnCode code;
    if (op->empty_outputs == 0 && (t->resizes || nnrt__tflite_info(t, op->inputs[1])->data == NULL ||
                                   nnrt__tflite_info(t, op->inputs[2])->data == NULL)) {
        const uint32_t list = op->inputs[1]; /* inputs of the node, too: value, axis, sizes */
        op->inputs[1] = op->inputs[2];
        op->inputs[2] = list;
        nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
        return nnrt__tflite_add(t, op);
    }
    code = nnrt__tflite_integer(t, op, 2, &axis);
    if (op->output_count > NNRT__TFLITE_MOST_PARTS) return nnrt__tflite_op_unsupported(op, "more than 16 parts");
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_integers(t, op, 1, sizes, NNRT__TFLITE_MOST_PARTS, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (count != op->output_count) return nnrt__tflite_op_wrong(op, "the number of sizes is not that of the outputs");
    if (axis < 0) axis += value->rank;
    if (axis < 0 || axis >= (int64_t)value->rank) return nnrt__tflite_op_wrong(op, "its axis is none of the value");
    for (i = 0; i < count; i++) {
        if (sizes[i] < -1 || sizes[i] > INT32_MAX || (sizes[i] == -1 && rest != NNRT__TFLITE_MOST_PARTS))
            return nnrt__tflite_op_wrong(op, "a size is below 0, too large, or two are left open");
        if (sizes[i] == -1) rest = i;
        else sum += sizes[i];
    }
    if (rest != NNRT__TFLITE_MOST_PARTS) sizes[rest] = value->dims[axis] - sum;
    for (i = 0; i < count; i++) { /* empty parts are dropped */
        if (sizes[i] == 0 && t->known[op->outputs[i]] == NNRT__TFLITE_EMPTY) continue;
        sizes[kept] = sizes[i];
        op->outputs[kept++] = op->outputs[i];
    }
    op->input_count = 1;
    op->output_count = kept;
    nnrt__tflite_param_i64(op, OH_NN_SPLIT_AXIS, axis);
    nnrt__tflite_param_i64(op, OH_NN_SPLIT_OUTPUT_NUM, kept);
    nnrt__tflite_param(op, OH_NN_SPLIT_SIZE_SPLITS, OH_NN_INT64, kept, sizes);
    return nnrt__tflite_add(t, op);
}

/* TOPK_V2: inputs (value, k): along the last axis, the largest first. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_top_k(nnrt__tflite *t, nnrt__tflite_op *op) {
    if (op->output_count != 2) return nnrt__tflite_op_wrong(op, "it does not have 2 outputs");
    nnrt__tflite_param_byte(op, OH_NN_TOP_K_SORTED, OH_NN_BOOL, 1);
    nnrt__tflite_param_i64(op, OH_NN_TOP_K_AXIS, -1);
    return nnrt__tflite_add(t, op);
}

/* BROADCAST_TO: inputs (value, shape). The shape is a parameter of OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_broadcast_to(nnrt__tflite *t, nnrt__tflite_op *op) {
    int64_t shape[NNRT_MAX_RANK];
    uint32_t count = 0;
    OH_NN_ReturnCode code;
    if (nnrt__tflite_info(t, op->inputs[1])->data == NULL) {
        nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
        return nnrt__tflite_add(t, op);
    }
    code = nnrt__tflite_integers(t, op, 1, shape, NNRT_MAX_RANK, &count);
    if (code != OH_NN_SUCCESS) return code;
    op->input_count = 1;
    nnrt__tflite_param(op, OH_NN_BROADCAST_TO_SHAPE, OH_NN_INT64, count, shape);
    return nnrt__tflite_add(t, op);
}

/* REVERSE_V2: inputs (value, axes). A slice of everything, backwards along these axes: with both masks set it goes from
   end to end. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reverse(nnrt__tflite *t, nnrt__tflite_op *op) {
    const int32_t rank = (int32_t)nnrt__tflite_info(t, op->inputs[0])->rank;
    int32_t zeros[NNRT_MAX_RANK] = {0}, strides[NNRT_MAX_RANK];
    int64_t axes[NNRT_MAX_RANK];
    uint32_t count = 0, i;
    OH_NN_ReturnCode code = nnrt__tflite_integers(t, op, 1, axes, NNRT_MAX_RANK, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (rank == 0) return nnrt__tflite_op_wrong(op, "its value has no axes");
    for (i = 0; i < NNRT_MAX_RANK; i++) strides[i] = 1;
    for (i = 0; i < count; i++) {
        const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (axis < 0 || axis >= rank) return nnrt__tflite_op_wrong(op, "an axis is none of the value");
        if (strides[axis] < 0) return nnrt__tflite_op_wrong(op, "an axis is named twice");
        strides[axis] = -1;
    }
    op->input_count = 4;
    code = nnrt__tflite_constant(t, op, OH_NN_INT32, rank, zeros, &op->inputs[1]);
    op->inputs[2] = op->inputs[1];
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_constant(t, op, OH_NN_INT32, rank, strides, &op->inputs[3]);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__tflite_param_i64(op, OH_NN_STRIDED_SLICE_BEGIN_MASK, ((int64_t)1 << rank) - 1);
    nnrt__tflite_param_i64(op, OH_NN_STRIDED_SLICE_END_MASK, ((int64_t)1 << rank) - 1);
    return nnrt__tflite_add(t, op);
}

/* ZEROS_LIKE: of the shape of a tensor, which may be dynamic. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_zeros_like(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *in = nnrt__tflite_info(t, op->inputs[0]);
    uint32_t shape = 0;
    OH_NN_ReturnCode code;
    if (in->quant.count != 0) return nnrt__tflite_op_unsupported(op, "a quantized tensor");
    if (in->rank == 0) {
        static const uint8_t zero[8] = {0};
        code = nnrt__tflite_scalar(t, op, in->dtype, zero, &shape);
        return code == OH_NN_SUCCESS ? nnrt__tflite_to_scalar(t, op, shape, op->outputs[0]) : code;
    }
    code = t->resizes || nnrt__shape_is_dynamic(in->rank, in->dims)
               ? nnrt__tflite_shape_of(t, op, op->inputs[0], OH_NN_INT32, &shape)
               : nnrt__tflite_dims_constant(t, op, op->inputs[0], &shape);
    op->inputs[0] = shape;
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* RANGE: inputs (first, limit, step). Integers that are constant are parameters of OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_series(nnrt__tflite *t, nnrt__tflite_op *op) {
    bool constant = nnrt__is_integer(nnrt__tflite_info(t, op->outputs[0])->dtype);
    int64_t first = 0, limit = 0, step = 1;
    uint32_t i;
    OH_NN_ReturnCode code;
    for (i = 0; i < 3; i++) constant = constant && nnrt__tflite_info(t, op->inputs[i])->data != NULL;
    if (!constant) {
        nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
        return nnrt__tflite_add(t, op);
    }
    code = nnrt__tflite_integer(t, op, 0, &first);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_integer(t, op, 1, &limit);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_integer(t, op, 2, &step);
    if (code != OH_NN_SUCCESS) return code;
    op->input_count = 1;
    nnrt__tflite_param_i64(op, OH_NN_RANGE_START, first);
    nnrt__tflite_param_i64(op, OH_NN_RANGE_LIMIT, limit);
    nnrt__tflite_param_i64(op, OH_NN_RANGE_DELTA, step);
    return nnrt__tflite_add(t, op);
}

/* FILL: inputs (shape, value), in OpenHarmony the other way round. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_fill(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t shape = op->inputs[0];
    op->inputs[0] = op->inputs[1];
    op->inputs[1] = shape;
    return nnrt__tflite_add(t, op);
}

/* ONE_HOT: inputs (indices, depth, on, off), options (axis). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_one_hot(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t axis = 0;
    if (!nnrt__tflite_option_i32(t, op, 0, &axis)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_i64(op, OH_NN_ONE_HOT_AXIS, axis);
    return nnrt__tflite_add(t, op);
}

/* SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND: inputs (image, block, [[top, bottom], [left, right]]), which are parameters of
   OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_batches(nnrt__tflite *t, nnrt__tflite_op *op) {
    const bool to_batch = op->row->op == OH_NN_OPS_SPACE_TO_BATCH_ND;
    int64_t block[2], edges[4];
    uint32_t count = 0, edge_count = 0;
    OH_NN_ReturnCode code;
    if (nnrt__tflite_info(t, op->inputs[0])->rank != 4)
        return nnrt__tflite_op_unsupported(op, "an image of other than 4 dimensions");
    code = nnrt__tflite_integers(t, op, 1, block, 2, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_integers(t, op, 2, edges, 4, &edge_count);
    if (code != OH_NN_SUCCESS) return code;
    if (count != 2 || edge_count != 4) return nnrt__tflite_op_wrong(op, "its block or edges are not 2 and 4 numbers");
    op->input_count = 1;
    nnrt__tflite_param(op, to_batch ? OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE : OH_NN_BATCH_TO_SPACE_ND_BLOCKSIZE,
                       OH_NN_INT64, 2, block);
    nnrt__tflite_param(op, to_batch ? OH_NN_SPACE_TO_BATCH_ND_PADDINGS : OH_NN_BATCH_TO_SPACE_ND_CROPS, OH_NN_INT64, 4,
                       edges);
    return nnrt__tflite_add(t, op);
}

#endif /* NNRT_TFLITE_OPERATORS_SHAPE_H */
