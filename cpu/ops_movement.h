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
NNRT__CPU_OP_READ(CONCAT, uint32_t, NNRT__CPU_ANY_TYPE, nnrt__concat_infer, nnrt__pieces_lower)
NNRT__CPU_OP_READ(STACK, uint32_t, NNRT__CPU_ANY_TYPE, nnrt__stack_infer, nnrt__pieces_lower)
NNRT__CPU_OP_READ(SPLIT, uint32_t, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2), nnrt__split_infer,
                  nnrt__pieces_lower)
NNRT__CPU_OP_READ(UNSTACK, uint32_t, NNRT__CPU_ANY_TYPE, nnrt__unstack_infer, nnrt__pieces_lower)
NNRT__CPU_OP_READ(SLICE, nnrt__copy_window, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2),
                  nnrt__window_infer, nnrt__window_lower)
NNRT__CPU_OP_READ(STRIDED_SLICE, nnrt__copy_window,
                  NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2) | NNRT__CPU_VALUES(3),
                  nnrt__strided_slice_infer, nnrt__window_lower)
NNRT__CPU_OP_READ(CROP, nnrt__copy_window, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__window_infer,
                  nnrt__window_lower)
NNRT__CPU_OP_READ(TRANSPOSE, nnrt__permutation, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__permute_infer,
                  nnrt__permute_lower)
NNRT__CPU_OP_READ(TILE, nnrt__repeat, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__tile_infer, nnrt__repeat_lower)
NNRT__CPU_OP_READ(BROADCAST_TO, nnrt__repeat, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__broadcast_to_infer,
                  nnrt__repeat_lower)
NNRT__CPU_OP_READ(PAD, nnrt__pad_spec, NNRT__CPU_VALUES(1), nnrt__pad_infer, nnrt__pad_lower)
NNRT__CPU_OP_READ(DEPTH_TO_SPACE, nnrt__block_spec, NNRT__CPU_ANY_TYPE, nnrt__block_infer, nnrt__block_lower)
NNRT__CPU_OP_READ(SPACE_TO_DEPTH, nnrt__block_spec, NNRT__CPU_ANY_TYPE, nnrt__block_infer, nnrt__block_lower)
NNRT__CPU_OP_READ(SPACE_TO_BATCH_ND, nnrt__batch_spec, NNRT__CPU_ANY_TYPE, nnrt__space_to_batch_infer,
                  nnrt__space_to_batch_lower)
NNRT__CPU_OP_READ(BATCH_TO_SPACE_ND, nnrt__batch_spec, NNRT__CPU_ANY_TYPE, nnrt__batch_to_space_infer,
                  nnrt__batch_to_space_lower)
NNRT__CPU_OP_READ(REDUCE_MEAN, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(REDUCE_SUM, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(REDUCE_MAX, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(REDUCE_MIN, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(REDUCE_PROD, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(REDUCE_L2, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(REDUCE_ALL, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(ALL, nnrt__reduce_args, NNRT__CPU_VALUES(1), nnrt__reduce_infer, nnrt__reduce_lower)
NNRT__CPU_OP_READ(RESIZE_BILINEAR, nnrt__step_resize_args, NNRT__CPU_VALUES(1), nnrt__resize_infer, nnrt__resize_lower)
NNRT__CPU_OP_READ(ARG_MAX, nnrt__step_top_args, NNRT__CPU_VALUES(1), nnrt__arg_max_infer, nnrt__top_lower)
NNRT__CPU_OP_READ(TOP_K, nnrt__step_top_args, NNRT__CPU_VALUES(1), nnrt__top_k_infer, nnrt__top_lower)
NNRT__CPU_OP_READ(GATHER, nnrt__gather_args, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(2) | NNRT__CPU_VALUES(3),
                  nnrt__gather_infer, nnrt__gather_lower)
NNRT__CPU_OP_READ(ONE_HOT, nnrt__one_hot_args, NNRT__CPU_VALUES(1), nnrt__one_hot_infer, nnrt__one_hot_lower)
NNRT__CPU_OP_READ(SELECT, nnrt__select_args, NNRT__CPU_ANY_TYPE, nnrt__select_infer, nnrt__select_lower)
NNRT__CPU_OP_READ(WHERE, nnrt__select_args, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(0), nnrt__where_infer,
                  nnrt__where_lower)
NNRT__CPU_OP(FILL, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(1), nnrt__fill_infer, nnrt__fill_lower)
NNRT__CPU_OP_READ(CONSTANT_OF_SHAPE, float, NNRT__CPU_ANY_TYPE | NNRT__CPU_VALUES(0), nnrt__constant_of_shape_infer,
                  nnrt__constant_of_shape_lower)
NNRT__CPU_OP_READ(RANGE, nnrt__movement_series, NNRT__CPU_VALUES(0) | NNRT__CPU_VALUES(1) | NNRT__CPU_VALUES(2),
                  nnrt__range_infer, nnrt__range_lower)
NNRT__CPU_OP(SHAPE, NNRT__CPU_ANY_TYPE, nnrt__shape_infer, nnrt__shape_lower)
NNRT__CPU_OP(RANK, NNRT__CPU_ANY_TYPE, nnrt__rank_infer, nnrt__rank_lower)

#endif /* NNRT_CPU_OPS_MOVEMENT_H */
