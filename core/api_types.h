/* SPDX-License-Identifier: Apache-2.0 */
/* core/api_types.h - every type and enumerator of the OH_NN* API, with OpenHarmony's values.   >>api_types

   The names, values and spellings (OH_NN_UNAVALIDABLE_DEVICE included) are those of OpenHarmony's
   neural_network_runtime_type.h, so that a program written for it compiles unchanged. "API n" is the OpenHarmony API
   version that introduced a name. */
#ifndef NNRT_CORE_API_TYPES_H
#define NNRT_CORE_API_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A model under construction or finished. */
typedef struct OH_NNModel OH_NNModel;
/* The settings and the result of compiling one model for one device. */
typedef struct OH_NNCompilation OH_NNCompilation;
/* Runs a built compilation. */
typedef struct OH_NNExecutor OH_NNExecutor;
/* Quantization parameters: scales, zero points and bit widths, per tensor or per channel. API 11 */
typedef struct NN_QuantParam NN_QuantParam;
/* Description of a tensor: name, data type, shape, format. API 11 */
typedef struct NN_TensorDesc NN_TensorDesc;
/* A tensor: a description and shared memory. API 11 */
typedef struct NN_Tensor NN_Tensor;

/* What every call returns. For anything but success nnrt_last_error() says why. */
typedef enum OH_NN_ReturnCode {
    OH_NN_SUCCESS = 0,
    OH_NN_FAILED = 1,                /* generic failure; also: the device cannot do what the graph asks */
    OH_NN_INVALID_PARAMETER = 2,     /* an argument is wrong */
    OH_NN_MEMORY_ERROR = 3,          /* an allocation, a copy or a mapping failed */
    OH_NN_OPERATION_FORBIDDEN = 4,   /* not in this state, or not on this device */
    OH_NN_NULL_PTR = 5,              /* something that should exist inside the runtime does not */
    OH_NN_INVALID_FILE = 6,          /* a model or a cache is damaged or of another format */
    OH_NN_UNAVALIDABLE_DEVICE = 7,   /* misspelt; deprecated since API 11 in favour of value 14; never
                                        returned */
    OH_NN_INVALID_PATH = 8,          /* never returned */
    OH_NN_TIMEOUT = 9,               /* a run passed its deadline. API 11 */
    OH_NN_UNSUPPORTED = 10,          /* API 11 */
    OH_NN_CONNECTION_EXCEPTION = 11, /* the device died. API 11 */
    OH_NN_SAVE_CACHE_EXCEPTION = 12, /* writing the cache failed. API 11 */
    OH_NN_DYNAMIC_SHAPE = 13,        /* a size is not known because a dimension is not. API 11 */
    OH_NN_UNAVAILABLE_DEVICE = 14    /* the device failed, or refused the run. API 11 */
} OH_NN_ReturnCode;

/* Trades speed for memory or cores. On the CPU device LOW leaves weights where they are (least RAM), EXTREME uses every
   core, and the others pack the weights and use one thread. On an NPU with several cores LOW uses the first, HIGH two,
   EXTREME all, and the others an idle one. */
typedef enum OH_NN_PerformanceMode {
    OH_NN_PERFORMANCE_NONE = 0,
    OH_NN_PERFORMANCE_LOW = 1,
    OH_NN_PERFORMANCE_MEDIUM = 2,
    OH_NN_PERFORMANCE_HIGH = 3,
    OH_NN_PERFORMANCE_EXTREME = 4
} OH_NN_PerformanceMode;

/* Which of several models on one device goes first. On the CPU device, runs of a lower priority wait before each step
   while higher ones fill the cores (for milliseconds, so that none starves), and nnrt's threads change their system
   priority where that is allowed; NONE is MEDIUM, and runs of equal priority never wait for each other. On Rockchip's
   NPU it is the priority of the context; NONE is the runtime's default, which is HIGH. */
typedef enum OH_NN_Priority {
    OH_NN_PRIORITY_NONE = 0,
    OH_NN_PRIORITY_LOW = 1,
    OH_NN_PRIORITY_MEDIUM = 2,
    OH_NN_PRIORITY_HIGH = 3
} OH_NN_Priority;

/* Fused activation: the value of one INT8 element of a parameter tensor, so that a program may pass
   OH_NNModel_SetTensorData the address and sizeof of a variable of this type. It has one byte, like OpenHarmony's
   enumeration over int8_t. C++11 and later have the same enumeration, with its conversions and overloads. C99 has no
   such type and gets int8_t with separate constants, which work in any switch, parameter and assignment. */
#if defined(__cplusplus) && __cplusplus >= 201103L
typedef enum OH_NN_FuseType : int8_t {
    OH_NN_FUSED_NONE = 0,
    OH_NN_FUSED_RELU = 1,
    OH_NN_FUSED_RELU6 = 2
} OH_NN_FuseType;
#else
typedef int8_t OH_NN_FuseType;
enum {
    OH_NN_FUSED_NONE = 0,
    OH_NN_FUSED_RELU = 1,
    OH_NN_FUSED_RELU6 = 2
};
#endif

typedef enum OH_NN_Format {
    OH_NN_FORMAT_NONE = 0,
    OH_NN_FORMAT_NCHW = 1,
    OH_NN_FORMAT_NHWC = 2,
    OH_NN_FORMAT_ND = 3 /* API 11 */
} OH_NN_Format;

typedef enum OH_NN_DeviceType {
    OH_NN_OTHERS = 0,
    OH_NN_CPU = 1,
    OH_NN_GPU = 2,
    OH_NN_ACCELERATOR = 3
} OH_NN_DeviceType;

typedef enum OH_NN_DataType {
    OH_NN_UNKNOWN = 0, /* accepted as a type, but has no element size */
    OH_NN_BOOL = 1,    /* one byte, 0 or 1 */
    OH_NN_INT8 = 2,
    OH_NN_INT16 = 3,
    OH_NN_INT32 = 4,
    OH_NN_INT64 = 5,
    OH_NN_UINT8 = 6,
    OH_NN_UINT16 = 7,
    OH_NN_UINT32 = 8,
    OH_NN_UINT64 = 9,
    OH_NN_FLOAT16 = 10,
    OH_NN_FLOAT32 = 11,
    OH_NN_FLOAT64 = 12
} OH_NN_DataType;

/* The operators. docs/operators.md says which of them a device runs; the meaning of each, its inputs and its
   parameters are OpenHarmony's. Values 57 to 108 came with API 12. */
typedef enum OH_NN_OperationType {
    OH_NN_OPS_ADD = 1,
    OH_NN_OPS_AVG_POOL = 2,
    OH_NN_OPS_BATCH_NORM = 3,
    OH_NN_OPS_BATCH_TO_SPACE_ND = 4,
    OH_NN_OPS_BIAS_ADD = 5,
    OH_NN_OPS_CAST = 6,
    OH_NN_OPS_CONCAT = 7,
    OH_NN_OPS_CONV2D = 8,
    OH_NN_OPS_CONV2D_TRANSPOSE = 9,
    OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE = 10,
    OH_NN_OPS_DIV = 11,
    OH_NN_OPS_ELTWISE = 12,
    OH_NN_OPS_EXPAND_DIMS = 13,
    OH_NN_OPS_FILL = 14,
    OH_NN_OPS_FULL_CONNECTION = 15,
    OH_NN_OPS_GATHER = 16,
    OH_NN_OPS_HSWISH = 17,
    OH_NN_OPS_LESS_EQUAL = 18,
    OH_NN_OPS_MATMUL = 19,
    OH_NN_OPS_MAXIMUM = 20,
    OH_NN_OPS_MAX_POOL = 21,
    OH_NN_OPS_MUL = 22,
    OH_NN_OPS_ONE_HOT = 23,
    OH_NN_OPS_PAD = 24,
    OH_NN_OPS_POW = 25,
    OH_NN_OPS_SCALE = 26,
    OH_NN_OPS_SHAPE = 27,
    OH_NN_OPS_SIGMOID = 28,
    OH_NN_OPS_SLICE = 29,
    OH_NN_OPS_SOFTMAX = 30,
    OH_NN_OPS_SPACE_TO_BATCH_ND = 31,
    OH_NN_OPS_SPLIT = 32,
    OH_NN_OPS_SQRT = 33,
    OH_NN_OPS_SQUARED_DIFFERENCE = 34,
    OH_NN_OPS_SQUEEZE = 35,
    OH_NN_OPS_STACK = 36,
    OH_NN_OPS_STRIDED_SLICE = 37,
    OH_NN_OPS_SUB = 38,
    OH_NN_OPS_TANH = 39,
    OH_NN_OPS_TILE = 40,
    OH_NN_OPS_TRANSPOSE = 41,
    OH_NN_OPS_REDUCE_MEAN = 42,
    OH_NN_OPS_RESIZE_BILINEAR = 43,
    OH_NN_OPS_RSQRT = 44,
    OH_NN_OPS_RESHAPE = 45,
    OH_NN_OPS_PRELU = 46,
    OH_NN_OPS_RELU = 47,
    OH_NN_OPS_RELU6 = 48,
    OH_NN_OPS_LAYER_NORM = 49,
    OH_NN_OPS_REDUCE_PROD = 50,
    OH_NN_OPS_REDUCE_ALL = 51,
    OH_NN_OPS_QUANT_DTYPE_CAST = 52,
    OH_NN_OPS_TOP_K = 53,
    OH_NN_OPS_ARG_MAX = 54,
    OH_NN_OPS_UNSQUEEZE = 55,
    OH_NN_OPS_GELU = 56,
    OH_NN_OPS_UNSTACK = 57,
    OH_NN_OPS_ABS = 58,
    OH_NN_OPS_ERF = 59,
    OH_NN_OPS_EXP = 60,
    OH_NN_OPS_LESS = 61,
    OH_NN_OPS_SELECT = 62,
    OH_NN_OPS_SQUARE = 63,
    OH_NN_OPS_FLATTEN = 64,
    OH_NN_OPS_DEPTH_TO_SPACE = 65,
    OH_NN_OPS_RANGE = 66,
    OH_NN_OPS_INSTANCE_NORM = 67,
    OH_NN_OPS_CONSTANT_OF_SHAPE = 68,
    OH_NN_OPS_BROADCAST_TO = 69,
    OH_NN_OPS_EQUAL = 70,
    OH_NN_OPS_GREATER = 71,
    OH_NN_OPS_NOT_EQUAL = 72,
    OH_NN_OPS_GREATER_EQUAL = 73,
    OH_NN_OPS_LEAKY_RELU = 74,
    OH_NN_OPS_LSTM = 75,
    OH_NN_OPS_CLIP = 76,
    OH_NN_OPS_ALL = 77,
    OH_NN_OPS_ASSERT = 78,
    OH_NN_OPS_COS = 79,
    OH_NN_OPS_LOG = 80,
    OH_NN_OPS_LOGICAL_AND = 81,
    OH_NN_OPS_LOGICAL_NOT = 82,
    OH_NN_OPS_MOD = 83,
    OH_NN_OPS_NEG = 84,
    OH_NN_OPS_RECIPROCAL = 85,
    OH_NN_OPS_SIN = 86,
    OH_NN_OPS_WHERE = 87,
    OH_NN_OPS_SPARSE_TO_DENSE = 88,
    OH_NN_OPS_LOGICAL_OR = 89,
    OH_NN_OPS_CEIL = 90,
    OH_NN_OPS_CROP = 91,
    OH_NN_OPS_DETECTION_POST_PROCESS = 92,
    OH_NN_OPS_FLOOR = 93,
    OH_NN_OPS_L2_NORMALIZE = 94,
    OH_NN_OPS_LOG_SOFTMAX = 95,
    OH_NN_OPS_LRN = 96,
    OH_NN_OPS_MINIMUM = 97,
    OH_NN_OPS_RANK = 98,
    OH_NN_OPS_REDUCE_MAX = 99,
    OH_NN_OPS_REDUCE_MIN = 100,
    OH_NN_OPS_REDUCE_SUM = 101,
    OH_NN_OPS_ROUND = 102,
    OH_NN_OPS_SCATTER_ND = 103,
    OH_NN_OPS_SPACE_TO_DEPTH = 104,
    OH_NN_OPS_SWISH = 105,
    OH_NN_OPS_REDUCE_L2 = 106,
    OH_NN_OPS_HARD_SIGMOID = 107,
    OH_NN_OPS_GATHER_ND = 108
} OH_NN_OperationType;

/* Operators of .tflite files that OpenHarmony lacks. They are named like the others for NNRT_OPS; a program cannot add
   them to a model. */
#define OH_NN_OPS_SVDF ((OH_NN_OperationType)109)
#define OH_NN_OPS_SEQUENCE_LSTM ((OH_NN_OperationType)110)
#define OH_NN_OPS_CUMSUM ((OH_NN_OperationType)111)
#define OH_NN_OPS_DYNAMIC_UPDATE_SLICE ((OH_NN_OperationType)112)
#define OH_NN_OPS_RESIZE_NEAREST ((OH_NN_OperationType)113)

/* What a tensor of a model is: graph data, or one named parameter of one operator. The comment is the data type that
   OH_NNModel_AddOperation requires of the parameter. */
typedef enum OH_NN_TensorType {
    OH_NN_TENSOR = 0,                                             /* data of the graph, not a parameter */
    OH_NN_ADD_ACTIVATIONTYPE = 1,                                 /* INT8 */
    OH_NN_AVG_POOL_KERNEL_SIZE = 2,                               /* INT64 */
    OH_NN_AVG_POOL_STRIDE = 3,                                    /* INT64 */
    OH_NN_AVG_POOL_PAD_MODE = 4,                                  /* INT8 mode or INT64 list */
    OH_NN_AVG_POOL_PAD = 5,                                       /* INT8 mode or INT64 list */
    OH_NN_AVG_POOL_ACTIVATION_TYPE = 6,                           /* INT8 */
    OH_NN_BATCH_NORM_EPSILON = 7,                                 /* FLOAT32 */
    OH_NN_BATCH_TO_SPACE_ND_BLOCKSIZE = 8,                        /* INT64 */
    OH_NN_BATCH_TO_SPACE_ND_CROPS = 9,                            /* INT64 */
    OH_NN_CONCAT_AXIS = 10,                                       /* INT64 */
    OH_NN_CONV2D_STRIDES = 11,                                    /* INT64 */
    OH_NN_CONV2D_PAD = 12,                                        /* INT8 mode or INT64 list */
    OH_NN_CONV2D_DILATION = 13,                                   /* INT64 */
    OH_NN_CONV2D_PAD_MODE = 14,                                   /* INT8 mode or INT64 list */
    OH_NN_CONV2D_ACTIVATION_TYPE = 15,                            /* INT8 */
    OH_NN_CONV2D_GROUP = 16,                                      /* INT64 */
    OH_NN_CONV2D_TRANSPOSE_STRIDES = 17,                          /* INT64 */
    OH_NN_CONV2D_TRANSPOSE_PAD = 18,                              /* INT8 mode or INT64 list */
    OH_NN_CONV2D_TRANSPOSE_DILATION = 19,                         /* INT64 */
    OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS = 20,                  /* INT64 */
    OH_NN_CONV2D_TRANSPOSE_PAD_MODE = 21,                         /* INT8 mode or INT64 list */
    OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE = 22,                  /* INT8 */
    OH_NN_CONV2D_TRANSPOSE_GROUP = 23,                            /* INT64 */
    OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES = 24,                   /* INT64 */
    OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD = 25,                       /* INT8 mode or INT64 list */
    OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION = 26,                  /* INT64 */
    OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE = 27,                  /* INT8 mode or INT64 list */
    OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE = 28,           /* INT8 */
    OH_NN_DIV_ACTIVATIONTYPE = 29,                                /* INT8 */
    OH_NN_ELTWISE_MODE = 30,                                      /* INT8 */
    OH_NN_FULL_CONNECTION_AXIS = 31,                              /* INT64 */
    OH_NN_FULL_CONNECTION_ACTIVATIONTYPE = 32,                    /* INT8 */
    OH_NN_MATMUL_TRANSPOSE_A = 33,                                /* BOOL */
    OH_NN_MATMUL_TRANSPOSE_B = 34,                                /* BOOL */
    OH_NN_MATMUL_ACTIVATION_TYPE = 35,                            /* INT8 */
    OH_NN_MAX_POOL_KERNEL_SIZE = 36,                              /* INT64 */
    OH_NN_MAX_POOL_STRIDE = 37,                                   /* INT64 */
    OH_NN_MAX_POOL_PAD_MODE = 38,                                 /* INT8 mode or INT64 list */
    OH_NN_MAX_POOL_PAD = 39,                                      /* INT8 mode or INT64 list */
    OH_NN_MAX_POOL_ACTIVATION_TYPE = 40,                          /* INT8 */
    OH_NN_MUL_ACTIVATION_TYPE = 41,                               /* INT8 */
    OH_NN_ONE_HOT_AXIS = 42,                                      /* INT64 */
    OH_NN_PAD_CONSTANT_VALUE = 43,                                /* FLOAT32 */
    OH_NN_SCALE_ACTIVATIONTYPE = 44,                              /* INT8 */
    OH_NN_SCALE_AXIS = 45,                                        /* INT64 */
    OH_NN_SOFTMAX_AXIS = 46,                                      /* INT64 */
    OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE = 47,                     /* INT64 */
    OH_NN_SPACE_TO_BATCH_ND_PADDINGS = 48,                        /* INT64 */
    OH_NN_SPLIT_AXIS = 49,                                        /* INT64 */
    OH_NN_SPLIT_OUTPUT_NUM = 50,                                  /* INT64 */
    OH_NN_SPLIT_SIZE_SPLITS = 51,                                 /* INT64 */
    OH_NN_SQUEEZE_AXIS = 52,                                      /* INT64 */
    OH_NN_STACK_AXIS = 53,                                        /* INT64 */
    OH_NN_STRIDED_SLICE_BEGIN_MASK = 54,                          /* INT64 */
    OH_NN_STRIDED_SLICE_END_MASK = 55,                            /* INT64 */
    OH_NN_STRIDED_SLICE_ELLIPSIS_MASK = 56,                       /* INT64 */
    OH_NN_STRIDED_SLICE_NEW_AXIS_MASK = 57,                       /* INT64 */
    OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK = 58,                    /* INT64 */
    OH_NN_SUB_ACTIVATIONTYPE = 59,                                /* INT8 */
    OH_NN_REDUCE_MEAN_KEEP_DIMS = 60,                             /* BOOL */
    OH_NN_RESIZE_BILINEAR_NEW_HEIGHT = 61,                        /* INT64 */
    OH_NN_RESIZE_BILINEAR_NEW_WIDTH = 62,                         /* INT64 */
    OH_NN_RESIZE_BILINEAR_PRESERVE_ASPECT_RATIO = 63,             /* BOOL */
    OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE = 64,         /* INT8 */
    OH_NN_RESIZE_BILINEAR_EXCLUDE_OUTSIDE = 65,                   /* INT64 */
    OH_NN_LAYER_NORM_BEGIN_NORM_AXIS = 66,                        /* INT64 */
    OH_NN_LAYER_NORM_EPSILON = 67,                                /* FLOAT32 */
    OH_NN_LAYER_NORM_BEGIN_PARAM_AXIS = 68,                       /* INT64 */
    OH_NN_LAYER_NORM_ELEMENTWISE_AFFINE = 69,                     /* not accepted by any operator */
    OH_NN_REDUCE_PROD_KEEP_DIMS = 70,                             /* BOOL */
    OH_NN_REDUCE_ALL_KEEP_DIMS = 71,                              /* BOOL */
    OH_NN_QUANT_DTYPE_CAST_SRC_T = 72,                            /* INT64 */
    OH_NN_QUANT_DTYPE_CAST_DST_T = 73,                            /* INT64 */
    OH_NN_TOP_K_SORTED = 74,                                      /* BOOL */
    OH_NN_ARG_MAX_AXIS = 75,                                      /* INT64 */
    OH_NN_ARG_MAX_KEEPDIMS = 76,                                  /* BOOL */
    OH_NN_UNSQUEEZE_AXIS = 77,                                    /* INT64 */
    OH_NN_UNSTACK_AXIS = 78,                                      /* INT64 */
    OH_NN_FLATTEN_AXIS = 79,                                      /* INT64 */
    OH_NN_DEPTH_TO_SPACE_BLOCK_SIZE = 80,                         /* INT64 */
    OH_NN_DEPTH_TO_SPACE_MODE = 81,                               /* INT32 */
    OH_NN_RANGE_START = 82,                                       /* INT64 */
    OH_NN_RANGE_LIMIT = 83,                                       /* INT64 */
    OH_NN_RANGE_DELTA = 84,                                       /* INT64 */
    OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE = 85,                       /* INT64 */
    OH_NN_CONSTANT_OF_SHAPE_VALUE = 86,                           /* FLOAT32 */
    OH_NN_BROADCAST_TO_SHAPE = 87,                                /* INT64 */
    OH_NN_INSTANCE_NORM_EPSILON = 88,                             /* FLOAT32 */
    OH_NN_EXP_BASE = 89,                                          /* FLOAT32 */
    OH_NN_EXP_SCALE = 90,                                         /* FLOAT32 */
    OH_NN_EXP_SHIFT = 91,                                         /* FLOAT32 */
    OH_NN_LEAKY_RELU_NEGATIVE_SLOPE = 92,                         /* FLOAT32 */
    OH_NN_LSTM_BIDIRECTIONAL = 93,                                /* BOOL */
    OH_NN_LSTM_HAS_BIAS = 94,                                     /* BOOL */
    OH_NN_LSTM_INPUT_SIZE = 95,                                   /* INT64 */
    OH_NN_LSTM_HIDDEN_SIZE = 96,                                  /* INT64 */
    OH_NN_LSTM_NUM_LAYERS = 97,                                   /* INT64 */
    OH_NN_LSTM_NUM_DIRECTIONS = 98,                               /* INT64 */
    OH_NN_LSTM_DROPOUT = 99,                                      /* FLOAT32 */
    OH_NN_LSTM_ZONEOUT_CELL = 100,                                /* FLOAT32 */
    OH_NN_LSTM_ZONEOUT_HIDDEN = 101,                              /* FLOAT32 */
    OH_NN_LSTM_PROJ_SIZE = 102,                                   /* INT64 */
    OH_NN_CLIP_MAX = 103,                                         /* FLOAT32 */
    OH_NN_CLIP_MIN = 104,                                         /* FLOAT32 */
    OH_NN_ALL_KEEP_DIMS = 105,                                    /* INT64 */
    OH_NN_ASSERT_SUMMARIZE = 106,                                 /* INT64 */
    OH_NN_POW_SCALE = 107,                                        /* FLOAT32 */
    OH_NN_POW_SHIFT = 108,                                        /* FLOAT32 */
    OH_NN_AVG_POOL_ROUND_MODE = 109,                              /* INT32 */
    OH_NN_AVG_POOL_GLOBAL = 110,                                  /* BOOL */
    OH_NN_FULL_CONNECTION_HAS_BIAS = 111,                         /* BOOL */
    OH_NN_FULL_CONNECTION_USE_AXIS = 112,                         /* BOOL */
    OH_NN_GELU_APPROXIMATE = 113,                                 /* BOOL */
    OH_NN_MAX_POOL_ROUND_MODE = 114,                              /* INT32 */
    OH_NN_MAX_POOL_GLOBAL = 115,                                  /* BOOL */
    OH_NN_PAD_PADDING_MODE = 116,                                 /* INT32 */
    OH_NN_REDUCE_MEAN_REDUCE_TO_END = 117,                        /* BOOL */
    OH_NN_REDUCE_MEAN_COEFF = 118,                                /* FLOAT32 */
    OH_NN_REDUCE_PROD_REDUCE_TO_END = 119,                        /* BOOL */
    OH_NN_REDUCE_PROD_COEFF = 120,                                /* FLOAT32 */
    OH_NN_REDUCE_ALL_REDUCE_TO_END = 121,                         /* BOOL */
    OH_NN_REDUCE_ALL_COEFF = 122,                                 /* FLOAT32 */
    OH_NN_TOP_K_AXIS = 123,                                       /* INT64 */
    OH_NN_ARG_MAX_TOP_K = 124,                                    /* INT64 */
    OH_NN_ARG_MAX_OUT_MAX_VALUE = 125,                            /* BOOL */
    OH_NN_QUANT_DTYPE_CAST_AXIS = 126,                            /* INT64 */
    OH_NN_SLICE_AXES = 127,                                       /* INT64 */
    OH_NN_TILE_DIMS = 128,                                        /* INT64 */
    OH_NN_CROP_AXIS = 129,                                        /* INT64 */
    OH_NN_CROP_OFFSET = 130,                                      /* INT64 */
    OH_NN_DETECTION_POST_PROCESS_INPUT_SIZE = 131,                /* INT64 */
    OH_NN_DETECTION_POST_PROCESS_SCALE = 132,                     /* FLOAT32 */
    OH_NN_DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD = 133,         /* FLOAT32 */
    OH_NN_DETECTION_POST_PROCESS_NMS_SCORE_THRESHOLD = 134,       /* FLOAT32 */
    OH_NN_DETECTION_POST_PROCESS_MAX_DETECTIONS = 135,            /* INT64 */
    OH_NN_DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS = 136,      /* INT64 */
    OH_NN_DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION = 137, /* INT64 */
    OH_NN_DETECTION_POST_PROCESS_NUM_CLASSES = 138,               /* INT64 */
    OH_NN_DETECTION_POST_PROCESS_USE_REGULAR_NMS = 139,           /* BOOL */
    OH_NN_DETECTION_POST_PROCESS_OUT_QUANTIZED = 140,             /* BOOL */
    OH_NN_L2_NORMALIZE_AXIS = 141,                                /* INT64 */
    OH_NN_L2_NORMALIZE_EPSILON = 142,                             /* FLOAT32 */
    OH_NN_L2_NORMALIZE_ACTIVATION_TYPE = 143,                     /* INT8 */
    OH_NN_LOG_SOFTMAX_AXIS = 144,                                 /* INT64 */
    OH_NN_LRN_DEPTH_RADIUS = 145,                                 /* INT64 */
    OH_NN_LRN_BIAS = 146,                                         /* FLOAT32 */
    OH_NN_LRN_ALPHA = 147,                                        /* FLOAT32 */
    OH_NN_LRN_BETA = 148,                                         /* FLOAT32 */
    OH_NN_LRN_NORM_REGION = 149,                                  /* INT32 */
    OH_NN_SPACE_TO_DEPTH_BLOCK_SIZE = 150,                        /* INT64 */
    OH_NN_REDUCE_MAX_KEEP_DIMS = 151,                             /* BOOL */
    OH_NN_REDUCE_MAX_REDUCE_TO_END = 152,                         /* BOOL */
    OH_NN_REDUCE_MAX_COEFF = 153,                                 /* FLOAT32 */
    OH_NN_REDUCE_MIN_KEEP_DIMS = 154,                             /* BOOL */
    OH_NN_REDUCE_MIN_REDUCE_TO_END = 155,                         /* BOOL */
    OH_NN_REDUCE_MIN_COEFF = 156,                                 /* FLOAT32 */
    OH_NN_REDUCE_SUM_KEEP_DIMS = 157,                             /* BOOL */
    OH_NN_REDUCE_SUM_REDUCE_TO_END = 158,                         /* BOOL */
    OH_NN_REDUCE_SUM_COEFF = 159,                                 /* FLOAT32 */
    OH_NN_REDUCE_L2_KEEP_DIMS = 160,                              /* BOOL */
    OH_NN_REDUCE_L2_REDUCE_TO_END = 161,                          /* BOOL */
    OH_NN_REDUCE_L2_COEFF = 162                                   /* FLOAT32 */
} OH_NN_TensorType;

/* A list of tensor indices. data may be NULL only when size is 0. */
typedef struct OH_NN_UInt32Array {
    uint32_t *data;
    uint32_t size;
} OH_NN_UInt32Array;

/* Deprecated since API 11, see NN_QuantParam. Three arrays of quantCount elements: 1 per tensor, or one per
   channel. */
typedef struct OH_NN_QuantParam {
    uint32_t quantCount;
    const uint32_t *numBits;
    const double *scale;
    const int32_t *zeroPoint;
} OH_NN_QuantParam;

/* Deprecated since API 11, see NN_TensorDesc. dimensionCount 0 is a scalar, and dimensions must then be NULL; a
   dimension of -1 is dynamic; quantParam NULL means not quantized. */
typedef struct OH_NN_Tensor {
    OH_NN_DataType dataType;
    uint32_t dimensionCount;
    const int32_t *dimensions;
    const OH_NN_QuantParam *quantParam;
    OH_NN_TensorType type;
} OH_NN_Tensor;

/* Deprecated since API 11, see NN_Tensor. Memory from OH_NNExecutor_Allocate{Input,Output}Memory. */
typedef struct OH_NN_Memory {
    void *const data;
    const size_t length;
} OH_NN_Memory;

/* End of an asynchronous run. userData, outputTensor and outputCount are those given to
   OH_NNExecutor_RunAsync. API 11 */
typedef void (*NN_OnRunDone)(void *userData, OH_NN_ReturnCode errCode, void *outputTensor[], int32_t outputCount);
/* The device died during an asynchronous run; the model must be compiled again. API 11 */
typedef void (*NN_OnServiceDied)(void *userData);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_CORE_API_TYPES_H */
