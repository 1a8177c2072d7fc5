/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement.h - the movement family: its operators and its kinds of steps.   >>cpu_ops_movement */
#ifndef NNRT_CPU_OPS_MOVEMENT_H
#define NNRT_CPU_OPS_MOVEMENT_H

#include "ops_movement_choose.h"
#include "ops_movement_copy.h"
#include "ops_movement_make.h"
#include "ops_movement_permute.h"
#include "ops_movement_reduce.h"
#include "ops_movement_resize.h"
#include "ops_movement_space.h"
#include "ops_movement_window.h"

NNRT__CPU_OP(RESHAPE, NNRT__CPU_RENAMES | NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__reshape_infer,
             nnrt__reshape_lower)
NNRT__CPU_OP(SQUEEZE, NNRT__CPU_RENAMES | NNRT__CPU_ANY_TYPE, nnrt__squeeze_infer, nnrt__reshape_lower)
NNRT__CPU_OP(EXPAND_DIMS, NNRT__CPU_RENAMES | NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__expand_dims_infer,
             nnrt__reshape_lower)
NNRT__CPU_OP(UNSQUEEZE, NNRT__CPU_RENAMES | NNRT__CPU_ANY_TYPE, nnrt__unsqueeze_infer, nnrt__reshape_lower)
NNRT__CPU_OP(FLATTEN, NNRT__CPU_RENAMES | NNRT__CPU_ANY_TYPE, nnrt__flatten_infer, nnrt__reshape_lower)
NNRT__CPU_OP(CONCAT, NNRT__CPU_ANY_TYPE, nnrt__concat_infer, nnrt__concat_lower)
NNRT__CPU_OP(STACK, NNRT__CPU_ANY_TYPE, nnrt__stack_infer, nnrt__stack_lower)
NNRT__CPU_OP(SPLIT, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2), nnrt__split_infer,
             nnrt__split_lower)
NNRT__CPU_OP(UNSTACK, NNRT__CPU_ANY_TYPE, nnrt__unstack_infer, nnrt__unstack_lower)
NNRT__CPU_OP(SLICE, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2), nnrt__slice_infer,
             nnrt__slice_lower)
NNRT__CPU_OP(STRIDED_SLICE, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2) | NNRT__CPU_VALUES(3),
             nnrt__strided_slice_infer, nnrt__strided_slice_lower)
NNRT__CPU_OP(CROP, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__crop_infer, nnrt__crop_lower)
NNRT__CPU_OP(TRANSPOSE, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__permute_infer, nnrt__permute_lower)
NNRT__CPU_OP(TILE, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__tile_infer, nnrt__tile_lower)
NNRT__CPU_OP(BROADCAST_TO, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__broadcast_to_infer, nnrt__broadcast_to_lower)
NNRT__CPU_OP(PAD, NNRT__CPU_VALUES(1), nnrt__pad_infer, nnrt__pad_lower)
NNRT__CPU_OP(DEPTH_TO_SPACE, NNRT__CPU_ANY_TYPE, nnrt__depth_to_space_infer, nnrt__depth_to_space_lower)
NNRT__CPU_OP(SPACE_TO_DEPTH, NNRT__CPU_ANY_TYPE, nnrt__space_to_depth_infer, nnrt__space_to_depth_lower)
NNRT__CPU_OP(SPACE_TO_BATCH_ND, NNRT__CPU_ANY_TYPE, nnrt__space_to_batch_infer, nnrt__space_to_batch_lower)
NNRT__CPU_OP(BATCH_TO_SPACE_ND, NNRT__CPU_ANY_TYPE, nnrt__batch_to_space_infer, nnrt__batch_to_space_lower)
NNRT__CPU_OP(REDUCE_MEAN, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(REDUCE_SUM, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(REDUCE_MAX, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(REDUCE_MIN, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(REDUCE_PROD, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(REDUCE_L2, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(REDUCE_ALL, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(ALL, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP(RESIZE_BILINEAR, NNRT__CPU_VALUES(1), nnrt__resize_infer, nnrt__resize_lower)
NNRT__CPU_OP(ARG_MAX, NNRT__CPU_VALUES(1), nnrt__arg_max_infer, nnrt__arg_max_lower)
NNRT__CPU_OP(TOP_K, NNRT__CPU_VALUES(1), nnrt__top_k_infer, nnrt__top_k_lower)
NNRT__CPU_OP(GATHER, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(2) | NNRT__CPU_VALUES(3), nnrt__gather_infer,
             nnrt__gather_lower)
NNRT__CPU_OP(ONE_HOT, NNRT__CPU_VALUES(1), nnrt__one_hot_infer, nnrt__one_hot_lower)
NNRT__CPU_OP(SELECT, NNRT__CPU_ANY_TYPE, nnrt__select_infer, nnrt__select_lower)
NNRT__CPU_OP(WHERE, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(0), nnrt__where_infer, nnrt__where_lower)
NNRT__CPU_OP(FILL, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__fill_infer, nnrt__fill_lower)
NNRT__CPU_OP(CONSTANT_OF_SHAPE, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(0), nnrt__constant_of_shape_infer,
             nnrt__constant_of_shape_lower)
NNRT__CPU_OP(RANGE, NNRT__CPU_VALUES(0) | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2), nnrt__range_infer,
             nnrt__range_lower)
NNRT__CPU_OP(SHAPE, NNRT__CPU_ANY_TYPE, nnrt__shape_infer, nnrt__shape_lower)
NNRT__CPU_OP(RANK, NNRT__CPU_ANY_TYPE, nnrt__rank_infer, nnrt__rank_lower)

#endif /* NNRT_CPU_OPS_MOVEMENT_H */
