/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_permute.h - operators that permute dimensions, or repeat along them.   >>cpu_ops_movement_permute */
#ifndef NNRT_CPU_OPS_MOVEMENT_PERMUTE_H
#define NNRT_CPU_OPS_MOVEMENT_PERMUTE_H

#include "ops_movement_base.h"

/* -------------------------------------------------------------------------------- permuting and repeating */

/* Which axis of the input each of the output is. */
typedef struct nnrt__permutation {
    uint32_t axes[NNRT_MAX_RANK];
} nnrt__permutation;

NNRT__FN OH_NN_ReturnCode nnrt__transpose_axes(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *axes) {
    const uint32_t rank = nnrt__ir_in(ir, node, 0)->rank;
    int64_t list[NNRT_MAX_RANK];
    uint32_t count = 0, mask = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, list, NNRT_MAX_RANK, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axes(ir, node, list, count, rank, &mask);
    if (code != OH_NN_SUCCESS) return code;
    if (count != rank) return nnrt__movement_bad(ir, node, "the permutation does not name every axis");
    for (i = 0; i < rank; i++) nnrt__ir_axis(list[i], rank, &axes[i]);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__permute_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    uint32_t *axes = ((nnrt__permutation *)node->spec)->axes, i;
    int64_t dims[NNRT_MAX_RANK];
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__transpose_axes(ir, node, axes);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < in->rank; i++) dims[i] = in->dims[axes[i]];
    return nnrt__movement_set_shape(ir, node, 0, in->rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__permute_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    const uint32_t *axes = ((const nnrt__permutation *)node->spec)->axes;
    int64_t strides[NNRT_MAX_RANK], out = 1;
    nnrt__movement_box box;
    uint32_t i;
    memset(&box, 0, sizeof(box));
    nnrt__movement_strides(in->rank, in->dims, strides);
    for (i = in->rank; i-- > 0;) {
        nnrt__movement_loop(&box, in->dims[axes[i]], strides[axes[i]], out);
        out *= in->dims[axes[i]];
    }
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

/* How often each axis of the output repeats; the last ones are the input's. */
typedef struct nnrt__repeat {
    uint32_t rank;
    int64_t times[NNRT_MAX_RANK];
} nnrt__repeat;

NNRT__FN OH_NN_ReturnCode nnrt__tile_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__repeat *repeat) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t *times = repeat->times;
    int64_t list[NNRT_MAX_RANK], axes[NNRT_MAX_RANK];
    uint32_t count = 0, listed = 0, mask = 0, axis = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, list, NNRT_MAX_RANK, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_param(ir, node, OH_NN_TILE_DIMS, axes, NNRT_MAX_RANK, &listed);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < count; i++)
        if (list[i] < 1 || list[i] > INT32_MAX)
            return nnrt__movement_bad(ir, node, "a multiple is below 1 or too large");
    repeat->rank = count > in->rank ? count : in->rank;
    for (i = 0; i < NNRT_MAX_RANK; i++) times[i] = 1;
    if (listed != 0 && !(listed == count && memcmp(axes, list, count * sizeof(list[0])) == 0)) {
        repeat->rank = in->rank;
        if (listed != count) return nnrt__movement_bad(ir, node, "there is not one axis per multiple");
        code = nnrt__movement_axes(ir, node, axes, count, in->rank, &mask);
        if (code != OH_NN_SUCCESS) return code;
        for (i = 0; i < count; i++) {
            nnrt__ir_axis(axes[i], in->rank, &axis);
            times[axis] = list[i];
        }
        return OH_NN_SUCCESS;
    }
    if (count < in->rank && !(count == 1 && listed == 0))
        return nnrt__movement_bad(ir, node, "there are fewer multiples than axes");
    for (i = 0; i < count; i++) times[i] = list[i];
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tile_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__repeat *repeat = (nnrt__repeat *)node->spec;
    int64_t dims[NNRT_MAX_RANK];
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__tile_read(ir, node, repeat);
    if (code != OH_NN_SUCCESS) return code;
    memcpy(dims, repeat->times, sizeof(dims));
    for (i = 0; i < in->rank; i++) dims[repeat->rank - in->rank + i] *= in->dims[i];
    return nnrt__movement_set_shape(ir, node, 0, repeat->rank, dims);
}

/* Output axis i repeats its input axis times[i] times: two loops. */
NNRT__FN OH_NN_ReturnCode nnrt__repeat_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    const nnrt__repeat *repeat = (const nnrt__repeat *)node->spec;
    int64_t src = 1, dst = 1;
    nnrt__movement_box box;
    uint32_t i;
    memset(&box, 0, sizeof(box));
    for (i = repeat->rank; i-- > 0;) {
        const int64_t dim = i + in->rank >= repeat->rank ? in->dims[i + in->rank - repeat->rank] : 1;
        nnrt__movement_loop(&box, dim, src, dst);
        nnrt__movement_loop(&box, repeat->times[i], 0, dst * dim);
        src *= dim;
        dst *= dim * repeat->times[i];
    }
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

/* A dim of 1 on either side yields the other; -1 keeps the input's. The shape is a parameter, or, in .tflite files, the
   second input. */
NNRT__FN OH_NN_ReturnCode nnrt__broadcast_to_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__repeat *repeat = (nnrt__repeat *)node->spec;
    int64_t list[NNRT_MAX_RANK], dims[NNRT_MAX_RANK];
    uint32_t count = 0, rank, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS)
        code = node->input_count > 1
                   ? nnrt__movement_ints(ir, node, 1, list, NNRT_MAX_RANK, &count)
                   : nnrt__movement_param(ir, node, OH_NN_BROADCAST_TO_SHAPE, list, NNRT_MAX_RANK, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (count == 0) return nnrt__movement_bad(ir, node, "there is no shape to broadcast to");
    rank = count > in->rank ? count : in->rank;
    for (i = 0; i < rank; i++) {
        const bool has_input = i + in->rank >= rank, has_target = i + count >= rank;
        const int64_t dim = has_input ? in->dims[i + in->rank - rank] : 1;
        const int64_t target = has_target ? list[i + count - rank] : 1;
        if (target == -1 && !has_input) return nnrt__movement_bad(ir, node, "a -1 stands where the input has no axis");
        if (target != -1 && target != 1 && dim != 1 && target != dim)
            return nnrt__movement_bad(ir, node, "the input does not broadcast to the shape");
        dims[i] = target == -1 || target == 1 ? dim : target;
        repeat->times[i] = dims[i] / dim;
    }
    repeat->rank = rank;
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

#endif /* NNRT_CPU_OPS_MOVEMENT_PERMUTE_H */
