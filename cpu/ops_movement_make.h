/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_make.h - operators that make a tensor from a few numbers: filled, ranges, places, shapes.
   >>cpu_ops_movement_make */
#ifndef NNRT_CPU_OPS_MOVEMENT_MAKE_H
#define NNRT_CPU_OPS_MOVEMENT_MAKE_H

#include "ops_movement_choose.h"

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
    static const uint8_t types[] = {OH_NN_BOOL,   OH_NN_UNKNOWN, OH_NN_INT8,    OH_NN_INT16,   OH_NN_INT32,
                                    OH_NN_INT64,  OH_NN_UNKNOWN, OH_NN_UINT8,   OH_NN_UINT16,  OH_NN_UINT32,
                                    OH_NN_UINT64, OH_NN_UNKNOWN, OH_NN_FLOAT16, OH_NN_FLOAT32, OH_NN_FLOAT64};
    const int64_t first = 30; /* of MindSpore's numbers; "int", "uint" and "float" of no width are none of ours */
    if (id >= first && id < first + (int64_t)NNRT__COUNT_OF(types)) id = types[id - first];
    return id >= OH_NN_BOOL && id <= OH_NN_FLOAT64 ? (OH_NN_DataType)id : OH_NN_UNKNOWN;
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
    *(float *)node->spec = nnrt__ir_float(node, OH_NN_CONSTANT_OF_SHAPE_VALUE, 0.0f);
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__constant_of_shape_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *out = nnrt__ir_out(lower->ir, node, 0);
    nnrt__movement_fill_number(lower, node, out, (double)*(const float *)node->spec,
                               nnrt__lower_value(lower, node->outputs[0]), out->count);
    return lower->status;
}

/* Elements of output 0 at Build: those of list, or first + i * step; if real, by repeated float addition. */
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

/* Makes output 0 a constant, filled at Build. */
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

/* Elements of a range; 0: none, above INT32_MAX: too many. For floats the quotient is rounded to float. */
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
    nnrt__movement_series *series = (nnrt__movement_series *)node->spec;
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
    series->real = range.real;
    series->first = range.numbers[0];
    series->step = range.numbers[2];
    series->real_first = range.reals[0];
    series->real_step = range.reals[2];
    return nnrt__movement_set_shape(ir, node, 0, 1, &dim);
}

NNRT__FN OH_NN_ReturnCode nnrt__range_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    return nnrt__movement_write(lower, node, (const nnrt__movement_series *)node->spec);
}

/* ------------------------------------------------------------------------------------------ where it is true

   WHERE of .tflite files with only a condition: the indices of nonzero elements in order, a row with one number per
   axis. Their count is known once the condition is. */

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

#endif /* NNRT_CPU_OPS_MOVEMENT_MAKE_H */
