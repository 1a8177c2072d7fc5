/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement.h - the movement family: its operators and its kinds of steps.   >>ops_movement */
#ifndef NNRT_CPU_OPS_MOVEMENT_H
#define NNRT_CPU_OPS_MOVEMENT_H

#include "ops_movement_copy.h"
#include "ops_movement_reduce.h"

static const nnrt__cpu_op nnrt__movement_ops[] = {
    {OH_NN_OPS_RESHAPE, true, nnrt__reshape_infer, nnrt__reshape_lower},
    {OH_NN_OPS_SQUEEZE, true, nnrt__squeeze_infer, nnrt__reshape_lower},
    {OH_NN_OPS_EXPAND_DIMS, true, nnrt__expand_dims_infer, nnrt__reshape_lower},
    {OH_NN_OPS_UNSQUEEZE, true, nnrt__unsqueeze_infer, nnrt__reshape_lower},
    {OH_NN_OPS_FLATTEN, true, nnrt__flatten_infer, nnrt__reshape_lower},
    {OH_NN_OPS_CONCAT, false, nnrt__concat_infer, nnrt__concat_lower},
    {OH_NN_OPS_STACK, false, nnrt__stack_infer, nnrt__stack_lower},
    {OH_NN_OPS_SPLIT, false, nnrt__split_infer, nnrt__split_lower},
    {OH_NN_OPS_UNSTACK, false, nnrt__unstack_infer, nnrt__unstack_lower},
    {OH_NN_OPS_SLICE, false, nnrt__slice_infer, nnrt__slice_lower},
    {OH_NN_OPS_STRIDED_SLICE, false, nnrt__strided_slice_infer, nnrt__strided_slice_lower},
    {OH_NN_OPS_CROP, false, nnrt__crop_infer, nnrt__crop_lower},
    {OH_NN_OPS_TRANSPOSE, false, nnrt__permute_infer, nnrt__permute_lower},
    {OH_NN_OPS_TILE, false, nnrt__tile_infer, nnrt__tile_lower},
    {OH_NN_OPS_BROADCAST_TO, false, nnrt__broadcast_to_infer, nnrt__broadcast_to_lower},
    {OH_NN_OPS_PAD, false, nnrt__pad_infer, nnrt__pad_lower},
    {OH_NN_OPS_DEPTH_TO_SPACE, false, nnrt__depth_to_space_infer, nnrt__depth_to_space_lower},
    {OH_NN_OPS_SPACE_TO_DEPTH, false, nnrt__space_to_depth_infer, nnrt__space_to_depth_lower},
    {OH_NN_OPS_SPACE_TO_BATCH_ND, false, nnrt__space_to_batch_infer, nnrt__space_to_batch_lower},
    {OH_NN_OPS_BATCH_TO_SPACE_ND, false, nnrt__batch_to_space_infer, nnrt__batch_to_space_lower},
    {OH_NN_OPS_REDUCE_MEAN, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_REDUCE_SUM, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_REDUCE_MAX, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_REDUCE_MIN, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_REDUCE_PROD, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_REDUCE_L2, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_REDUCE_ALL, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_ALL, false, nnrt__reduce_infer, nnrt__reduce_lower},
    {OH_NN_OPS_RESIZE_BILINEAR, false, nnrt__resize_infer, nnrt__resize_lower},
    {OH_NN_OPS_ARG_MAX, false, nnrt__arg_max_infer, nnrt__arg_max_lower},
    {OH_NN_OPS_TOP_K, false, nnrt__top_k_infer, nnrt__top_k_lower},
    {OH_NN_OPS_GATHER, false, nnrt__gather_infer, nnrt__gather_lower},
    {OH_NN_OPS_ONE_HOT, false, nnrt__one_hot_infer, nnrt__one_hot_lower},
    {OH_NN_OPS_SELECT, false, nnrt__select_infer, nnrt__select_lower},
    {OH_NN_OPS_WHERE, false, nnrt__select_infer, nnrt__select_lower},
    {OH_NN_OPS_FILL, false, nnrt__fill_infer, nnrt__fill_lower},
    {OH_NN_OPS_CONSTANT_OF_SHAPE, false, nnrt__constant_of_shape_infer, nnrt__constant_of_shape_lower},
    {OH_NN_OPS_RANGE, false, nnrt__range_infer, nnrt__range_lower},
    {OH_NN_OPS_SHAPE, false, nnrt__shape_infer, nnrt__shape_lower},
    {OH_NN_OPS_RANK, false, nnrt__rank_infer, nnrt__rank_lower},
};

static const nnrt__step_kind *const nnrt__movement_steps[] = {
    &nnrt__step_copy,   &nnrt__step_mirror, &nnrt__step_reduce,  &nnrt__step_top,
    &nnrt__step_resize, &nnrt__step_gather, &nnrt__step_one_hot, &nnrt__step_select,
};

#endif /* NNRT_CPU_OPS_MOVEMENT_H */
