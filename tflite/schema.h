/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/schema.h - the numbers of TensorFlow Lite's schema, version 3, and the state of one reading.   >>tflite_schema

   A field is named by its place in its table, counted from 0; a union takes two places, its type and its
   value. Values from tensorflow/lite/schema/schema.fbs. */
#ifndef NNRT_TFLITE_SCHEMA_H
#define NNRT_TFLITE_SCHEMA_H

#include "../core/graph_store.h"
#include "flatbuffer.h"

#define NNRT__TFLITE_SCHEMA 3u
#define NNRT__TFLITE_MAX_TENSORS 65535u
#define NNRT__TFLITE_MAX_OPERATORS 65535u

enum {
    NNRT__TFL_MODEL_VERSION = 0,
    NNRT__TFL_MODEL_CODES = 1,
    NNRT__TFL_MODEL_SUBGRAPHS = 2,
    NNRT__TFL_MODEL_BUFFERS = 4,
    NNRT__TFL_CODE_DEPRECATED = 0,
    NNRT__TFL_CODE_CUSTOM = 1,
    NNRT__TFL_CODE_BUILTIN = 3,
    NNRT__TFL_GRAPH_TENSORS = 0,
    NNRT__TFL_GRAPH_INPUTS = 1,
    NNRT__TFL_GRAPH_OUTPUTS = 2,
    NNRT__TFL_GRAPH_OPERATORS = 3,
    NNRT__TFL_BUFFER_DATA = 0,
    NNRT__TFL_BUFFER_OFFSET = 1,
    NNRT__TFL_BUFFER_SIZE = 2,
    NNRT__TFL_TENSOR_SHAPE = 0,
    NNRT__TFL_TENSOR_TYPE = 1,
    NNRT__TFL_TENSOR_BUFFER = 2,
    NNRT__TFL_TENSOR_NAME = 3,
    NNRT__TFL_TENSOR_QUANT = 4,
    NNRT__TFL_TENSOR_VARIABLE = 5,
    NNRT__TFL_TENSOR_SPARSITY = 6,
    NNRT__TFL_TENSOR_SIGNATURE = 7, /* the shape, with -1 where only a run knows it */
    NNRT__TFL_TENSOR_EXTERNAL = 10,
    NNRT__TFL_QUANT_SCALE = 2,
    NNRT__TFL_QUANT_ZERO_POINT = 3,
    NNRT__TFL_QUANT_DETAILS_TYPE = 4,
    NNRT__TFL_QUANT_DIMENSION = 6,
    NNRT__TFL_OPERATOR_CODE = 0,
    NNRT__TFL_OPERATOR_INPUTS = 1,
    NNRT__TFL_OPERATOR_OUTPUTS = 2,
    NNRT__TFL_OPERATOR_OPTIONS_TYPE = 3,
    NNRT__TFL_OPERATOR_OPTIONS = 4,
    NNRT__TFL_OPERATOR_CUSTOM = 5,
    NNRT__TFL_ACTIVATION_NONE = 0,
    NNRT__TFL_ACTIVATION_RELU = 1,
    NNRT__TFL_ACTIVATION_RELU_N1_TO_1 = 2,
    NNRT__TFL_ACTIVATION_RELU6 = 3,
    NNRT__TFL_ACTIVATION_TANH = 4
};

#define NNRT__TFL_RESOURCE 13 /* the data type of handles */
#define NNRT__TFL_INT4 17     /* two weights a byte, the first one in the lower half */
#define NNRT__TFL_CUSTOM 32   /* the code of custom operators */

/* A handle of a named variable; the first handle with a name holds the variable. */
typedef struct nnrt__tflite_variable {
    const char *container, *name; /* in the file */
    uint32_t graph, handle;       /* subgraph, and tensor of it */
    uint32_t same;                /* the first handle of the same names */
    uint32_t state, now;          /* the tensor that was read first, and the one that it holds at this operator */
    const uint8_t *data;          /* its initial contents, in the file; NULL: zeros */
    size_t data_size;
    OH_NN_DataType dtype; /* of data */
} nnrt__tflite_variable;

#define NNRT__TFLITE_MAX_HANDLES (2 * NNRT__MAX_IO)

/* One reading of one file. */
typedef struct nnrt__tflite {
    nnrt__fb fb;
    size_t budget; /* bytes of the file that may still be copied, see nnrt__tflite_charge */
    nnrt__graph_store *store;
    nnrt__fb_vector codes, buffers, graphs, tensors, operators;
    uint8_t *known; /* per tensor: constant, a model input, a variable, or computed by an operator before;
                       NNRT__TFLITE_* */
    double *scales; /* room for the quantization of one tensor */
    int32_t *zero_points;
    uint32_t quant_capacity;
    nnrt__tflite_variable *variables;
    uint32_t variable_count;
    bool opens;   /* every model input has a known shape: then other open shapes depend on values, and signatures
                     count */
    bool resizes; /* the graph is for any shapes of its inputs that their signatures allow (tflite/open_shapes.h) */
} nnrt__tflite;

enum {
    NNRT__TFLITE_UNKNOWN = 0,
    NNRT__TFLITE_GIVEN = 1,
    NNRT__TFLITE_CONSTANT = 2,
    NNRT__TFLITE_COMPUTED = 3,
    NNRT__TFLITE_VARIABLE = 4, /* state: as the previous run left it */
    NNRT__TFLITE_CHANGED = 5,  /* a variable that an operator before has changed */
    NNRT__TFLITE_EMPTY = 6,    /* no elements: the graph does without it (tflite/operators_empty.h) */
    NNRT__TFLITE_HANDLE = 7    /* of a variable that has a name: it has no contents */
};

/* Fails with the accessors' error, about "tensor 5" or the like. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_broken(const nnrt__tflite *t, const char *what, uint32_t index) {
    return nnrt__fail(OH_NN_INVALID_FILE, "%s %u: %s, at byte %zu of %zu%s", what, index, t->fb.what, t->fb.where,
                      t->fb.size, nnrt__fb_hint(&t->fb));
}

/* Copies from a file must stay a small multiple of its size, although many places can point at the same bytes. So every
   copied list is charged; honest files share a few small lists and stay far below twice their size. */
NNRT__FN bool nnrt__tflite_charge(nnrt__tflite *t, size_t count, size_t bytes) {
    NNRT_ASSERT(bytes != 0);
    if (count > t->budget / bytes) return nnrt__fb_bad(&t->fb, "the same bytes are used too many times", 0);
    t->budget -= count * bytes;
    return true;
}

/* OH_NN_UNKNOWN for the types that nnrt has no equivalent of. */
NNRT__FN OH_NN_DataType nnrt__tflite_dtype(int32_t type) {
    static const uint8_t types[17] = {11, 10, 4, 6, 5, 0, 1, 3, 0, 2, 12, 0, 9, 0, 0, 8, 7};
    if (type < 0 || type >= 17) return OH_NN_UNKNOWN;
    return (OH_NN_DataType)types[type];
}

/* The name of a builtin operator, "CONV_2D"; NULL for codes past those that nnrt knows by name, and
   with NNRT_NO_SENTENCES. The names lie
   one after another in the order of their codes: a table of pointers would cost every program relocations. */
NNRT__FN const char *nnrt__tflite_operator_name(int32_t code) {
    static const char names[] =
        NNRT__WHY("ADD\0AVERAGE_POOL_2D\0CONCATENATION\0CONV_2D\0DEPTHWISE_CONV_2D\0DEPTH_TO_SPACE\0DEQUANTIZE\0"
                  "EMBEDDING_LOOKUP\0FLOOR\0FULLY_CONNECTED\0HASHTABLE_LOOKUP\0L2_NORMALIZATION\0L2_POOL_2D\0"
                  "LOCAL_RESPONSE_NORMALIZATION\0LOGISTIC\0LSH_PROJECTION\0LSTM\0MAX_POOL_2D\0MUL\0RELU\0"
                  "RELU_N1_TO_1\0RELU6\0RESHAPE\0RESIZE_BILINEAR\0RNN\0SOFTMAX\0SPACE_TO_DEPTH\0SVDF\0TANH\0"
                  "CONCAT_EMBEDDINGS\0SKIP_GRAM\0CALL\0CUSTOM\0EMBEDDING_LOOKUP_SPARSE\0PAD\0"
                  "UNIDIRECTIONAL_SEQUENCE_RNN\0GATHER\0BATCH_TO_SPACE_ND\0SPACE_TO_BATCH_ND\0TRANSPOSE\0MEAN\0SUB\0"
                  "DIV\0SQUEEZE\0UNIDIRECTIONAL_SEQUENCE_LSTM\0STRIDED_SLICE\0BIDIRECTIONAL_SEQUENCE_RNN\0EXP\0"
                  "TOPK_V2\0SPLIT\0LOG_SOFTMAX\0DELEGATE\0BIDIRECTIONAL_SEQUENCE_LSTM\0CAST\0PRELU\0MAXIMUM\0"
                  "ARG_MAX\0MINIMUM\0LESS\0NEG\0PADV2\0GREATER\0GREATER_EQUAL\0LESS_EQUAL\0SELECT\0SLICE\0SIN\0"
                  "TRANSPOSE_CONV\0SPARSE_TO_DENSE\0TILE\0EXPAND_DIMS\0EQUAL\0NOT_EQUAL\0LOG\0SUM\0SQRT\0RSQRT\0"
                  "SHAPE\0POW\0ARG_MIN\0FAKE_QUANT\0REDUCE_PROD\0REDUCE_MAX\0PACK\0LOGICAL_OR\0ONE_HOT\0"
                  "LOGICAL_AND\0LOGICAL_NOT\0UNPACK\0REDUCE_MIN\0FLOOR_DIV\0REDUCE_ANY\0SQUARE\0ZEROS_LIKE\0FILL\0"
                  "FLOOR_MOD\0RANGE\0RESIZE_NEAREST_NEIGHBOR\0LEAKY_RELU\0SQUARED_DIFFERENCE\0MIRROR_PAD\0ABS\0"
                  "SPLIT_V\0UNIQUE\0CEIL\0REVERSE_V2\0ADD_N\0GATHER_ND\0COS\0WHERE\0RANK\0ELU\0REVERSE_SEQUENCE\0"
                  "MATRIX_DIAG\0QUANTIZE\0MATRIX_SET_DIAG\0ROUND\0HARD_SWISH\0IF\0WHILE\0NON_MAX_SUPPRESSION_V4\0"
                  "NON_MAX_SUPPRESSION_V5\0SCATTER_ND\0SELECT_V2\0DENSIFY\0SEGMENT_SUM\0BATCH_MATMUL\0"
                  "PLACEHOLDER_FOR_GREATER_OP_CODES\0CUMSUM\0CALL_ONCE\0BROADCAST_TO\0RFFT2D\0CONV_3D\0IMAG\0REAL\0"
                  "COMPLEX_ABS\0HASHTABLE\0HASHTABLE_FIND\0HASHTABLE_IMPORT\0HASHTABLE_SIZE\0REDUCE_ALL\0"
                  "CONV_3D_TRANSPOSE\0VAR_HANDLE\0READ_VARIABLE\0ASSIGN_VARIABLE\0BROADCAST_ARGS\0"
                  "RANDOM_STANDARD_NORMAL\0BUCKETIZE\0RANDOM_UNIFORM\0MULTINOMIAL\0GELU\0DYNAMIC_UPDATE_SLICE\0"
                  "RELU_0_TO_1\0UNSORTED_SEGMENT_PROD\0UNSORTED_SEGMENT_MAX\0UNSORTED_SEGMENT_SUM\0ATAN2\0"
                  "UNSORTED_SEGMENT_MIN\0SIGN\0BITCAST\0BITWISE_XOR\0RIGHT_SHIFT\0");
    const char *name = names;
    if (code < 0) return NULL;
    while (code > 0 && *name != '\0') {
        name += strlen(name) + 1;
        code--;
    }
    return *name != '\0' ? name : NULL;
}

#endif /* NNRT_TFLITE_SCHEMA_H */
