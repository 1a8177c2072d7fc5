/* SPDX-License-Identifier: Apache-2.0 */
/* core/optable_params.h - every parameter of every operator, one row each.   >>optable_params

   An operator's parameters are an array of its own, nnrt__params_OPERATOR, which its row in optable.h points at. The
   two pooling operators share one, because each of the two accepts the parameters of both.
   OH_NN_LAYER_NORM_ELEMENTWISE_AFFINE has no row: no operator takes it. */
#ifndef NNRT_CORE_OPTABLE_PARAMS_H
#define NNRT_CORE_OPTABLE_PARAMS_H

#include "api_types.h"
#include "platform.h"

/* How many elements a parameter has, and the rank of its tensor. */
typedef enum nnrt__param_shape {
    NNRT__SHAPE_ANY,    /* not checked; a scalar reads the first */
    NNRT__SHAPE_ONE,    /* 1 element, of any rank */
    NNRT__SHAPE_SCALAR, /* 1 element, rank 0 */
    NNRT__SHAPE_PAIR,   /* 2 elements, rank 1 */
    NNRT__SHAPE_TABLE,  /* 4 elements, rank 2 */
    NNRT__SHAPE_FOUR,   /* 4 elements or more */
    NNRT__SHAPE_PAD     /* 1 INT8 element, a pad mode, or 4 INT64 elements, a pad list: whichever of the two
                           enumerators of the operator the tensor carries */
} nnrt__param_shape;

#define NNRT__PARAM_APPENDS 0x1u    /* repeated lists are joined; otherwise the last one counts */
#define NNRT__PARAM_REQUIRED 0x2u   /* without it the model cannot be finished */
#define NNRT__PARAM_ACTIVATION 0x4u /* an OH_NN_FuseType */

typedef struct nnrt__param_row {
    OH_NN_TensorType type;
    const char *name;     /* of the enumerator, for sentences */
    OH_NN_DataType dtype; /* that the tensor must have; OH_NN_UNKNOWN with NNRT__SHAPE_PAD */
    nnrt__param_shape shape;
    int8_t max;    /* the first element (of a pad: the mode) lies in 0..max; -1: not checked */
    uint8_t flags; /* NNRT__PARAM_* */
} nnrt__param_row;

#define NNRT__FUSES(name, shape) NNRT__PARAM(name, INT8, shape, 2, NNRT__PARAM_ACTIVATION)
#define NNRT__PARAM(name, dtype, shape, max, flags) \
    { OH_NN_##name, NNRT__WHY("OH_NN_" #name), OH_NN_##dtype, NNRT__SHAPE_##shape, max, flags }

static const nnrt__param_row nnrt__params_ADD[] = {
    NNRT__FUSES(ADD_ACTIVATIONTYPE, ANY),
};

static const nnrt__param_row nnrt__params_POOL[] = {
    NNRT__PARAM(AVG_POOL_KERNEL_SIZE, INT64, ANY, -1, 0), NNRT__PARAM(AVG_POOL_STRIDE, INT64, ANY, -1, 0),
    NNRT__PARAM(AVG_POOL_PAD_MODE, UNKNOWN, PAD, 2, 0),   NNRT__PARAM(AVG_POOL_PAD, UNKNOWN, PAD, 2, 0),
    NNRT__FUSES(AVG_POOL_ACTIVATION_TYPE, ONE),           NNRT__PARAM(AVG_POOL_ROUND_MODE, INT32, ONE, 1, 0),
    NNRT__PARAM(AVG_POOL_GLOBAL, BOOL, ONE, -1, 0),       NNRT__PARAM(MAX_POOL_KERNEL_SIZE, INT64, ANY, -1, 0),
    NNRT__PARAM(MAX_POOL_STRIDE, INT64, ANY, -1, 0),      NNRT__PARAM(MAX_POOL_PAD_MODE, UNKNOWN, PAD, 2, 0),
    NNRT__PARAM(MAX_POOL_PAD, UNKNOWN, PAD, 2, 0),        NNRT__FUSES(MAX_POOL_ACTIVATION_TYPE, ONE),
    NNRT__PARAM(MAX_POOL_ROUND_MODE, INT32, ONE, 1, 0),   NNRT__PARAM(MAX_POOL_GLOBAL, BOOL, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_BATCH_NORM[] = {
    NNRT__PARAM(BATCH_NORM_EPSILON, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_BATCH_TO_SPACE_ND[] = {
    NNRT__PARAM(BATCH_TO_SPACE_ND_BLOCKSIZE, INT64, ANY, -1, NNRT__PARAM_APPENDS),
    NNRT__PARAM(BATCH_TO_SPACE_ND_CROPS, INT64, FOUR, -1, 0),
};

static const nnrt__param_row nnrt__params_CONCAT[] = {
    NNRT__PARAM(CONCAT_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_CONV2D[] = {
    NNRT__PARAM(CONV2D_STRIDES, INT64, ANY, -1, 0),  NNRT__PARAM(CONV2D_PAD, UNKNOWN, PAD, 2, 0),
    NNRT__PARAM(CONV2D_DILATION, INT64, ANY, -1, 0), NNRT__PARAM(CONV2D_PAD_MODE, UNKNOWN, PAD, 2, 0),
    NNRT__FUSES(CONV2D_ACTIVATION_TYPE, ONE),        NNRT__PARAM(CONV2D_GROUP, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_CONV2D_TRANSPOSE[] = {
    NNRT__PARAM(CONV2D_TRANSPOSE_STRIDES, INT64, ANY, -1, 0),
    NNRT__PARAM(CONV2D_TRANSPOSE_PAD, UNKNOWN, PAD, 2, 0),
    NNRT__PARAM(CONV2D_TRANSPOSE_DILATION, INT64, ANY, -1, 0),
    NNRT__PARAM(CONV2D_TRANSPOSE_PAD_MODE, UNKNOWN, PAD, 2, 0),
    NNRT__FUSES(CONV2D_TRANSPOSE_ACTIVATION_TYPE, ONE),
    NNRT__PARAM(CONV2D_TRANSPOSE_GROUP, INT64, ONE, -1, 0),
    NNRT__PARAM(CONV2D_TRANSPOSE_OUTPUT_PADDINGS, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_DEPTHWISE_CONV2D_NATIVE[] = {
    NNRT__PARAM(DEPTHWISE_CONV2D_NATIVE_STRIDES, INT64, ANY, -1, 0),
    NNRT__PARAM(DEPTHWISE_CONV2D_NATIVE_PAD, UNKNOWN, PAD, 2, 0),
    NNRT__PARAM(DEPTHWISE_CONV2D_NATIVE_DILATION, INT64, ANY, -1, 0),
    NNRT__PARAM(DEPTHWISE_CONV2D_NATIVE_PAD_MODE, UNKNOWN, PAD, 2, 0),
    NNRT__FUSES(DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE, ONE),
};

static const nnrt__param_row nnrt__params_DIV[] = {
    NNRT__FUSES(DIV_ACTIVATIONTYPE, ONE),
};

static const nnrt__param_row nnrt__params_ELTWISE[] = {
    NNRT__PARAM(ELTWISE_MODE, INT8, ONE, 3, 0),
};

static const nnrt__param_row nnrt__params_FULL_CONNECTION[] = {
    NNRT__PARAM(FULL_CONNECTION_AXIS, INT64, ONE, -1, 0),
    NNRT__FUSES(FULL_CONNECTION_ACTIVATIONTYPE, ONE),
    NNRT__PARAM(FULL_CONNECTION_HAS_BIAS, BOOL, ONE, -1, 0),
    NNRT__PARAM(FULL_CONNECTION_USE_AXIS, BOOL, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_MATMUL[] = {
    NNRT__PARAM(MATMUL_TRANSPOSE_A, BOOL, ONE, -1, 0),
    NNRT__PARAM(MATMUL_TRANSPOSE_B, BOOL, ONE, -1, 0),
    NNRT__FUSES(MATMUL_ACTIVATION_TYPE, ONE),
};

static const nnrt__param_row nnrt__params_MUL[] = {
    NNRT__FUSES(MUL_ACTIVATION_TYPE, ONE),
};

static const nnrt__param_row nnrt__params_ONE_HOT[] = {
    NNRT__PARAM(ONE_HOT_AXIS, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_PAD[] = {
    NNRT__PARAM(PAD_CONSTANT_VALUE, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(PAD_PADDING_MODE, INT32, ONE, 3, 0),
};

static const nnrt__param_row nnrt__params_POW[] = {
    NNRT__PARAM(POW_SCALE, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(POW_SHIFT, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_SCALE[] = {
    NNRT__FUSES(SCALE_ACTIVATIONTYPE, ONE),
    NNRT__PARAM(SCALE_AXIS, INT64, ONE, -1, NNRT__PARAM_REQUIRED),
};

static const nnrt__param_row nnrt__params_SLICE[] = {
    NNRT__PARAM(SLICE_AXES, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_SOFTMAX[] = {
    NNRT__PARAM(SOFTMAX_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_SPACE_TO_BATCH_ND[] = {
    NNRT__PARAM(SPACE_TO_BATCH_ND_BLOCK_SHAPE, INT64, PAIR, -1, NNRT__PARAM_APPENDS),
    NNRT__PARAM(SPACE_TO_BATCH_ND_PADDINGS, INT64, TABLE, -1, 0),
};

static const nnrt__param_row nnrt__params_SPLIT[] = {
    NNRT__PARAM(SPLIT_AXIS, INT64, ONE, -1, 0),
    NNRT__PARAM(SPLIT_OUTPUT_NUM, INT64, ONE, -1, 0),
    NNRT__PARAM(SPLIT_SIZE_SPLITS, INT64, ANY, -1, NNRT__PARAM_APPENDS),
};

static const nnrt__param_row nnrt__params_SQUEEZE[] = {
    NNRT__PARAM(SQUEEZE_AXIS, INT64, ANY, -1, NNRT__PARAM_APPENDS),
};

static const nnrt__param_row nnrt__params_STACK[] = {
    NNRT__PARAM(STACK_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_STRIDED_SLICE[] = {
    NNRT__PARAM(STRIDED_SLICE_BEGIN_MASK, INT64, ANY, -1, 0),
    NNRT__PARAM(STRIDED_SLICE_END_MASK, INT64, ANY, -1, 0),
    NNRT__PARAM(STRIDED_SLICE_ELLIPSIS_MASK, INT64, ANY, -1, 0),
    NNRT__PARAM(STRIDED_SLICE_NEW_AXIS_MASK, INT64, ANY, -1, 0),
    NNRT__PARAM(STRIDED_SLICE_SHRINK_AXIS_MASK, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_SUB[] = {
    NNRT__FUSES(SUB_ACTIVATIONTYPE, ONE),
};

static const nnrt__param_row nnrt__params_TILE[] = {
    NNRT__PARAM(TILE_DIMS, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_REDUCE_MEAN[] = {
    NNRT__PARAM(REDUCE_MEAN_KEEP_DIMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_MEAN_REDUCE_TO_END, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_MEAN_COEFF, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_RESIZE_BILINEAR[] = {
    NNRT__PARAM(RESIZE_BILINEAR_NEW_HEIGHT, INT64, ONE, -1, 0),
    NNRT__PARAM(RESIZE_BILINEAR_NEW_WIDTH, INT64, ONE, -1, 0),
    NNRT__PARAM(RESIZE_BILINEAR_PRESERVE_ASPECT_RATIO, BOOL, ONE, -1, 0),
    NNRT__PARAM(RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, INT8, ONE, -1, 0),
    NNRT__PARAM(RESIZE_BILINEAR_EXCLUDE_OUTSIDE, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_LAYER_NORM[] = {
    NNRT__PARAM(LAYER_NORM_BEGIN_NORM_AXIS, INT64, SCALAR, -1, 0),
    NNRT__PARAM(LAYER_NORM_EPSILON, FLOAT32, SCALAR, -1, 0),
    NNRT__PARAM(LAYER_NORM_BEGIN_PARAM_AXIS, INT64, SCALAR, -1, 0),
};

static const nnrt__param_row nnrt__params_REDUCE_PROD[] = {
    NNRT__PARAM(REDUCE_PROD_KEEP_DIMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_PROD_REDUCE_TO_END, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_PROD_COEFF, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_REDUCE_ALL[] = {
    NNRT__PARAM(REDUCE_ALL_KEEP_DIMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_ALL_REDUCE_TO_END, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_ALL_COEFF, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_QUANT_DTYPE_CAST[] = {
    NNRT__PARAM(QUANT_DTYPE_CAST_SRC_T, INT64, ANY, -1, NNRT__PARAM_REQUIRED),
    NNRT__PARAM(QUANT_DTYPE_CAST_DST_T, INT64, ANY, -1, NNRT__PARAM_REQUIRED),
    NNRT__PARAM(QUANT_DTYPE_CAST_AXIS, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_TOP_K[] = {
    NNRT__PARAM(TOP_K_SORTED, BOOL, ANY, -1, 0),
    NNRT__PARAM(TOP_K_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_ARG_MAX[] = {
    NNRT__PARAM(ARG_MAX_AXIS, INT64, ANY, -1, 0),
    NNRT__PARAM(ARG_MAX_KEEPDIMS, BOOL, ANY, -1, 0),
    NNRT__PARAM(ARG_MAX_TOP_K, INT64, ANY, -1, 0),
    NNRT__PARAM(ARG_MAX_OUT_MAX_VALUE, BOOL, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_UNSQUEEZE[] = {
    NNRT__PARAM(UNSQUEEZE_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_GELU[] = {
    NNRT__PARAM(GELU_APPROXIMATE, BOOL, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_UNSTACK[] = {
    NNRT__PARAM(UNSTACK_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_EXP[] = {
    NNRT__PARAM(EXP_BASE, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(EXP_SCALE, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(EXP_SHIFT, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_FLATTEN[] = {
    NNRT__PARAM(FLATTEN_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_DEPTH_TO_SPACE[] = {
    NNRT__PARAM(DEPTH_TO_SPACE_BLOCK_SIZE, INT64, ONE, -1, 0),
    NNRT__PARAM(DEPTH_TO_SPACE_MODE, INT32, ANY, 1, 0),
};

static const nnrt__param_row nnrt__params_RANGE[] = {
    NNRT__PARAM(RANGE_START, INT64, ONE, -1, 0),
    NNRT__PARAM(RANGE_LIMIT, INT64, ONE, -1, 0),
    NNRT__PARAM(RANGE_DELTA, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_INSTANCE_NORM[] = {
    NNRT__PARAM(INSTANCE_NORM_EPSILON, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_CONSTANT_OF_SHAPE[] = {
    NNRT__PARAM(CONSTANT_OF_SHAPE_DATA_TYPE, INT64, ONE, -1, 0),
    NNRT__PARAM(CONSTANT_OF_SHAPE_VALUE, FLOAT32, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_BROADCAST_TO[] = {
    NNRT__PARAM(BROADCAST_TO_SHAPE, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_LEAKY_RELU[] = {
    NNRT__PARAM(LEAKY_RELU_NEGATIVE_SLOPE, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_LSTM[] = {
    NNRT__PARAM(LSTM_BIDIRECTIONAL, BOOL, ONE, -1, 0),     NNRT__PARAM(LSTM_HAS_BIAS, BOOL, ONE, -1, 0),
    NNRT__PARAM(LSTM_INPUT_SIZE, INT64, ONE, -1, 0),       NNRT__PARAM(LSTM_HIDDEN_SIZE, INT64, ONE, -1, 0),
    NNRT__PARAM(LSTM_NUM_LAYERS, INT64, ONE, -1, 0),       NNRT__PARAM(LSTM_NUM_DIRECTIONS, INT64, ONE, -1, 0),
    NNRT__PARAM(LSTM_DROPOUT, FLOAT32, ONE, -1, 0),        NNRT__PARAM(LSTM_ZONEOUT_CELL, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(LSTM_ZONEOUT_HIDDEN, FLOAT32, ONE, -1, 0), NNRT__PARAM(LSTM_PROJ_SIZE, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_CLIP[] = {
    NNRT__PARAM(CLIP_MAX, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(CLIP_MIN, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_ALL[] = {
    NNRT__PARAM(ALL_KEEP_DIMS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_ASSERT[] = {
    NNRT__PARAM(ASSERT_SUMMARIZE, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_CROP[] = {
    NNRT__PARAM(CROP_AXIS, INT64, ONE, -1, 0),
    NNRT__PARAM(CROP_OFFSET, INT64, ANY, -1, 0),
};

static const nnrt__param_row nnrt__params_DETECTION_POST_PROCESS[] = {
    NNRT__PARAM(DETECTION_POST_PROCESS_INPUT_SIZE, INT64, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_SCALE, FLOAT32, ANY, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_NMS_SCORE_THRESHOLD, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_MAX_DETECTIONS, INT64, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS, INT64, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION, INT64, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_NUM_CLASSES, INT64, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_USE_REGULAR_NMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(DETECTION_POST_PROCESS_OUT_QUANTIZED, BOOL, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_L2_NORMALIZE[] = {
    NNRT__PARAM(L2_NORMALIZE_AXIS, INT64, ANY, -1, 0),
    NNRT__PARAM(L2_NORMALIZE_EPSILON, FLOAT32, ONE, -1, 0),
    NNRT__FUSES(L2_NORMALIZE_ACTIVATION_TYPE, ONE),
};

static const nnrt__param_row nnrt__params_LOG_SOFTMAX[] = {
    NNRT__PARAM(LOG_SOFTMAX_AXIS, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_LRN[] = {
    NNRT__PARAM(LRN_DEPTH_RADIUS, INT64, ONE, -1, 0), NNRT__PARAM(LRN_BIAS, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(LRN_ALPHA, FLOAT32, ONE, -1, 0),      NNRT__PARAM(LRN_BETA, FLOAT32, ONE, -1, 0),
    NNRT__PARAM(LRN_NORM_REGION, INT32, ONE, 0, 0),
};

static const nnrt__param_row nnrt__params_REDUCE_MAX[] = {
    NNRT__PARAM(REDUCE_MAX_KEEP_DIMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_MAX_REDUCE_TO_END, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_MAX_COEFF, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_REDUCE_MIN[] = {
    NNRT__PARAM(REDUCE_MIN_KEEP_DIMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_MIN_REDUCE_TO_END, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_MIN_COEFF, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_REDUCE_SUM[] = {
    NNRT__PARAM(REDUCE_SUM_KEEP_DIMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_SUM_REDUCE_TO_END, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_SUM_COEFF, FLOAT32, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_SPACE_TO_DEPTH[] = {
    NNRT__PARAM(SPACE_TO_DEPTH_BLOCK_SIZE, INT64, ONE, -1, 0),
};

static const nnrt__param_row nnrt__params_REDUCE_L2[] = {
    NNRT__PARAM(REDUCE_L2_KEEP_DIMS, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_L2_REDUCE_TO_END, BOOL, ONE, -1, 0),
    NNRT__PARAM(REDUCE_L2_COEFF, FLOAT32, ONE, -1, 0),
};

/* Parameters of operators that only .tflite files have: no tensor of a program can have these types. */
#define NNRT__TENSOR_SVDF_ACTIVATION ((OH_NN_TensorType)254)
#define NNRT__TENSOR_LSTM_PRESENT \
    ((OH_NN_TensorType)253) /* a bit for each of TensorFlow Lite's inputs that is
                                                             present */
#define NNRT__TENSOR_LSTM_TIME_MAJOR ((OH_NN_TensorType)252)
#define NNRT__TENSOR_LSTM_CELL_CLIP ((OH_NN_TensorType)251)
#define NNRT__TENSOR_LSTM_PROJECTION_CLIP ((OH_NN_TensorType)250)
#define NNRT__TENSOR_CUMSUM_EXCLUSIVE ((OH_NN_TensorType)249)
#define NNRT__TENSOR_CUMSUM_REVERSE ((OH_NN_TensorType)248)
#define NNRT__TENSOR_NEAREST_ALIGN_CORNERS ((OH_NN_TensorType)247)
#define NNRT__TENSOR_NEAREST_HALF_PIXELS ((OH_NN_TensorType)246)

static const nnrt__param_row nnrt__params_SVDF[] = {
    {NNRT__TENSOR_SVDF_ACTIVATION, NNRT__WHY("its activation"), OH_NN_INT8, NNRT__SHAPE_ONE, 2, NNRT__PARAM_ACTIVATION},
};

static const nnrt__param_row nnrt__params_SEQUENCE_LSTM[] = {
    {NNRT__TENSOR_LSTM_PRESENT, NNRT__WHY("the inputs that are there"), OH_NN_INT64, NNRT__SHAPE_ONE, -1,
     NNRT__PARAM_REQUIRED},
    {NNRT__TENSOR_LSTM_TIME_MAJOR, NNRT__WHY("time_major"), OH_NN_BOOL, NNRT__SHAPE_ONE, -1, 0},
    {NNRT__TENSOR_LSTM_CELL_CLIP, NNRT__WHY("cell_clip"), OH_NN_FLOAT32, NNRT__SHAPE_ONE, -1, 0},
    {NNRT__TENSOR_LSTM_PROJECTION_CLIP, NNRT__WHY("proj_clip"), OH_NN_FLOAT32, NNRT__SHAPE_ONE, -1, 0},
};

static const nnrt__param_row nnrt__params_CUMSUM[] = {
    {NNRT__TENSOR_CUMSUM_EXCLUSIVE, NNRT__WHY("exclusive"), OH_NN_BOOL, NNRT__SHAPE_ONE, -1, 0},
    {NNRT__TENSOR_CUMSUM_REVERSE, NNRT__WHY("reverse"), OH_NN_BOOL, NNRT__SHAPE_ONE, -1, 0},
};

static const nnrt__param_row nnrt__params_RESIZE_NEAREST[] = {
    {NNRT__TENSOR_NEAREST_ALIGN_CORNERS, NNRT__WHY("align_corners"), OH_NN_BOOL, NNRT__SHAPE_ONE, -1, 0},
    {NNRT__TENSOR_NEAREST_HALF_PIXELS, NNRT__WHY("half_pixel_centers"), OH_NN_BOOL, NNRT__SHAPE_ONE, -1, 0},
};

#undef NNRT__FUSES
#undef NNRT__PARAM

#endif /* NNRT_CORE_OPTABLE_PARAMS_H */
