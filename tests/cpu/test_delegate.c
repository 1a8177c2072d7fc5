/* SPDX-License-Identifier: Apache-2.0 */
/* test_delegate.c - OpenHarmony's TFLite delegate, call by call: each operator that it maps builds and runs.

   The facts are those of example/deep_learning_framework/tflite/delegates/nnrt_delegate in OpenHarmony's repository:
   tensors come from OH_NNModel_AddTensor; the parameters of an operator are added before its inputs; a parameter of one
   number is a scalar without quantization, one of several is [n] with one pair of scale 0.0, zero point 0 and 8 bits;
   int8 of a file is declared UINT8, uint8 and bool INT8; depthwise weights are transposed to [out, h, w, 1]; an
   executor is made for each run, bound by OH_NNExecutor_SetInput and SetOutput. */
#include "linked.h"

#include <criterion/criterion.h>

#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, "%s: " #call ": %s", d->name, nnrt_last_error())

enum {
    MOST = 12
};

typedef struct delegate {
    const char *name;
    OH_NNModel *model;
    OH_NNCompilation *compilation;
    bool dynamic; /* allowDynamicDimensions: every dimension of the inputs of the model is -1 */
    uint32_t count, param_count, in_count, out_count, given;
    uint32_t params[MOST], ins[MOST], outs[MOST];
    uint32_t inputs[MOST]; /* of the model */
    OH_NN_Tensor given_as[MOST];
    int32_t given_dims[MOST][4];
} delegate;

static void begin(delegate *d, const char *name) {
    memset(d, 0, sizeof *d);
    d->name = name;
    d->model = OH_NNModel_Construct();
    cr_assert_not_null(d->model);
}

static uint32_t add(delegate *d, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims,
                    const OH_NN_QuantParam *quant, OH_NN_TensorType type) {
    OH_NN_Tensor tensor;
    tensor.dataType = dtype;
    tensor.dimensionCount = rank;
    tensor.dimensions = rank != 0 ? dims : NULL;
    tensor.quantParam = quant;
    tensor.type = type;
    OK(OH_NNModel_AddTensor(d->model, &tensor));
    return d->count++;
}

/* A parameter of one number. */
static void scalar(delegate *d, OH_NN_DataType dtype, OH_NN_TensorType type, const void *value, size_t size) {
    const uint32_t index = add(d, dtype, 0, NULL, NULL, type);
    OK(OH_NNModel_SetTensorData(d->model, index, value, size));
    d->params[d->param_count++] = index;
}

static void scalar_i8(delegate *d, OH_NN_TensorType type, int8_t value) { scalar(d, OH_NN_INT8, type, &value, 1); }
static void scalar_i64(delegate *d, OH_NN_TensorType type, int64_t value) { scalar(d, OH_NN_INT64, type, &value, 8); }

/* A parameter of several: with the quantization that the delegate gives all of them. */
static void vector(delegate *d, OH_NN_TensorType type, int32_t count, const int64_t *values) {
    static const uint32_t bits = 8;
    static const double scale = 0.0;
    static const int32_t zero = 0;
    OH_NN_QuantParam quant;
    uint32_t index;
    quant.quantCount = 1;
    quant.numBits = &bits;
    quant.scale = &scale;
    quant.zeroPoint = &zero;
    index = add(d, OH_NN_INT64, 1, &count, &quant, type);
    OK(OH_NNModel_SetTensorData(d->model, index, values, (size_t)count * sizeof *values));
    d->params[d->param_count++] = index;
}

static void pair(delegate *d, OH_NN_TensorType type, int64_t a, int64_t b) {
    int64_t values[2];
    values[0] = a;
    values[1] = b;
    vector(d, type, 2, values);
}

/* Scale and zero point of a tensor of the file; scale 0: it has none. */
static uint32_t quantized(delegate *d, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims, double scale,
                          int32_t zero) {
    static const uint32_t bits = 8;
    OH_NN_QuantParam quant;
    quant.quantCount = 1;
    quant.numBits = &bits;
    quant.scale = &scale;
    quant.zeroPoint = &zero;
    return add(d, dtype, rank, dims, scale != 0 ? &quant : NULL, OH_NN_TENSOR);
}

/* An input of the model and of the operator. */
static void input_of(delegate *d, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims, double scale,
                     int32_t zero) {
    static const int32_t unspecified[4] = {-1, -1, -1, -1};
    OH_NN_Tensor *given = &d->given_as[d->given];
    memcpy(d->given_dims[d->given], dims, rank * sizeof *dims);
    given->dataType = dtype;
    given->dimensionCount = rank;
    given->dimensions = d->given_dims[d->given];
    given->quantParam = NULL;
    given->type = OH_NN_TENSOR;
    d->ins[d->in_count++] = d->inputs[d->given++] =
        quantized(d, dtype, rank, d->dynamic ? unspecified : dims, scale, zero);
}

static void input(delegate *d, uint32_t rank, const int32_t *dims) { input_of(d, OH_NN_FLOAT32, rank, dims, 0, 0); }

static void constant(delegate *d, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims, const void *data,
                     size_t size) {
    const uint32_t index = add(d, dtype, rank, dims, NULL, OH_NN_TENSOR);
    OK(OH_NNModel_SetTensorData(d->model, index, data, size));
    d->ins[d->in_count++] = index;
}

static void ints(delegate *d, int32_t count, const int32_t *values) {
    constant(d, OH_NN_INT32, 1, &count, values, (size_t)count * sizeof *values);
}

static void floats(delegate *d, uint32_t rank, const int32_t *dims, const float *values, size_t count) {
    constant(d, OH_NN_FLOAT32, rank, dims, values, count * sizeof *values);
}

static void output_of(delegate *d, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims, double scale,
                      int32_t zero) {
    d->outs[d->out_count++] = quantized(d, dtype, rank, dims, scale, zero);
}

static void output(delegate *d, uint32_t rank, const int32_t *dims) { output_of(d, OH_NN_FLOAT32, rank, dims, 0, 0); }

static OH_NN_UInt32Array array(uint32_t *data, uint32_t size) {
    OH_NN_UInt32Array made;
    made.data = size != 0 ? data : NULL;
    made.size = size;
    return made;
}

static OH_NN_ReturnCode operation(delegate *d, OH_NN_OperationType op) {
    const OH_NN_UInt32Array params = array(d->params, d->param_count), ins = array(d->ins, d->in_count),
                            outs = array(d->outs, d->out_count);
    return OH_NNModel_AddOperation(d->model, op, &params, &ins, &outs);
}

static void drop(delegate *d) {
    if (d->compilation != NULL) OH_NNCompilation_Destroy(&d->compilation);
    OH_NNModel_Destroy(&d->model);
}

/* The same bytes; of SIGMOID, whose last bits are an instruction set's (kernels/vectors_f32.h), within 1e-6. */
static bool is_computed(OH_NN_OperationType op, const void *result, const void *wanted, size_t size) {
    size_t i;
    if (op != OH_NN_OPS_SIGMOID) return memcmp(result, wanted, size) == 0;
    for (i = 0; i < size; i += sizeof(float)) {
        float x, y;
        memcpy(&x, (const char *)result + i, sizeof x);
        memcpy(&y, (const char *)wanted + i, sizeof y);
        if (!(x - y <= 1e-6f && y - x <= 1e-6f)) return false;
    }
    return true;
}

/* The operation, the model, its compilation; then a run: inputs hold bytes of 1.0 or of 1, the result is compared. */
static void expect(delegate *d, OH_NN_OperationType op, const void *wanted, size_t size) {
    const OH_NN_UInt32Array ins = array(d->inputs, d->given), outs = array(d->outs, d->out_count);
    const bool *available = NULL;
    float data[64];
    unsigned char result[256];
    OH_NNExecutor *executor;
    uint32_t count = 0, i, k;
    OK(operation(d, op));
    OK(OH_NNModel_SpecifyInputsAndOutputs(d->model, &ins, &outs));
    OK(OH_NNModel_Finish(d->model));
    OK(OH_NNModel_GetAvailableOperations(d->model, 0, &available, &count));
    cr_assert(count == 1 && available[0], "%s is not available", d->name);
    d->compilation = OH_NNCompilation_Construct(d->model);
    OK(OH_NNCompilation_SetPerformanceMode(d->compilation, OH_NN_PERFORMANCE_HIGH));
    OK(OH_NNCompilation_SetPriority(d->compilation, OH_NN_PRIORITY_HIGH));
    OK(OH_NNCompilation_EnableFloat16(d->compilation, false));
    OK(OH_NNCompilation_Build(d->compilation));
    executor = OH_NNExecutor_Construct(d->compilation);
    cr_assert_not_null(executor, "%s: %s", d->name, nnrt_last_error());
    for (i = 0; i < d->given; i++) {
        size_t elements = 1;
        for (k = 0; k < d->given_as[i].dimensionCount; k++) elements *= (size_t)d->given_dims[i][k];
        for (k = 0; k < elements && d->given_as[i].dataType == OH_NN_FLOAT32; k++) data[k] = 1.0f;
        if (d->given_as[i].dataType != OH_NN_FLOAT32) memset(data, 7, elements);
        OK(OH_NNExecutor_SetInput(executor, i, &d->given_as[i], data,
                                  elements * (d->given_as[i].dataType == OH_NN_FLOAT32 ? 4 : 1)));
    }
    memset(result, 0x5a, sizeof result);
    OK(OH_NNExecutor_SetOutput(executor, 0, result, size));
    OK(OH_NNExecutor_Run(executor));
    OH_NNExecutor_Destroy(&executor);
    cr_assert(is_computed(op, result, wanted, size), "%s has computed something else", d->name);
    drop(d);
    cr_assert_eq(counting_live(), 0, "%s leaves something", d->name);
}

/* count times the same number. */
static const float *all(float number, size_t count) {
    static float numbers[64];
    size_t i;
    for (i = 0; i < count; i++) numbers[i] = number;
    return numbers;
}

static const int32_t image[4] = {1, 4, 4, 2}, half_image[4] = {1, 2, 2, 2}, pixels[4] = {1, 4, 4, 3}, row[2] = {1, 8},
                     two_rows[2] = {2, 8};

/* ------------------------------------------------------------------------------------------- the operators */

Test(delegate, arithmetic_with_and_without_activation) {
    static const struct {
        const char *name;
        OH_NN_OperationType op;
        OH_NN_TensorType activation;
        float result;
    } ops[3] = {{"ADD", OH_NN_OPS_ADD, OH_NN_ADD_ACTIVATIONTYPE, 2.0f},
                {"SUB", OH_NN_OPS_SUB, OH_NN_SUB_ACTIVATIONTYPE, 0.0f},
                {"MUL", OH_NN_OPS_MUL, OH_NN_MUL_ACTIVATION_TYPE, 1.0f}};
    int i, fused, dynamic;
    for (i = 0; i < 3; i++)
        for (fused = OH_NN_FUSED_NONE; fused <= OH_NN_FUSED_RELU6; fused++)
            for (dynamic = 0; dynamic < 2; dynamic++) {
                delegate d;
                begin(&d, ops[i].name);
                d.dynamic = dynamic != 0;
                scalar_i8(&d, ops[i].activation, (int8_t)fused);
                input(&d, 4, image);
                input(&d, 4, image);
                output(&d, 4, image);
                expect(&d, ops[i].op, all(ops[i].result, 32), 32 * sizeof(float));
            }
}

Test(delegate, pools_with_lists_of_kernel_and_stride) {
    int i, valid, dynamic;
    for (i = 0; i < 2; i++)
        for (valid = 0; valid < 2; valid++)
            for (dynamic = 0; dynamic < 2; dynamic++) {
                delegate d;
                begin(&d, i == 0 ? "AVERAGE_POOL_2D" : "MAX_POOL_2D");
                d.dynamic = dynamic != 0;
                pair(&d, i == 0 ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, 2, 2);
                pair(&d, i == 0 ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, 2, 2);
                scalar_i8(&d, i == 0 ? OH_NN_AVG_POOL_PAD_MODE : OH_NN_MAX_POOL_PAD_MODE, (int8_t)valid);
                scalar_i8(&d, i == 0 ? OH_NN_AVG_POOL_ACTIVATION_TYPE : OH_NN_MAX_POOL_ACTIVATION_TYPE, 0);
                input(&d, 4, image);
                output(&d, 4, half_image);
                expect(&d, i == 0 ? OH_NN_OPS_AVG_POOL : OH_NN_OPS_MAX_POOL, all(1.0f, 8), 8 * sizeof(float));
            }
}

Test(delegate, convolution_with_lists_of_strides_and_dilation) {
    static const int32_t weights[4] = {3, 1, 1, 2}, channels = 3;
    int dynamic;
    for (dynamic = 0; dynamic < 2; dynamic++) {
        delegate d;
        begin(&d, "CONV_2D");
        d.dynamic = dynamic != 0;
        pair(&d, OH_NN_CONV2D_STRIDES, 1, 1);
        pair(&d, OH_NN_CONV2D_DILATION, 1, 1);
        scalar_i8(&d, OH_NN_CONV2D_PAD_MODE, 0);
        scalar_i64(&d, OH_NN_CONV2D_GROUP, 1);
        scalar_i8(&d, OH_NN_CONV2D_ACTIVATION_TYPE, OH_NN_FUSED_RELU6);
        input(&d, 4, image);
        floats(&d, 4, weights, all(1.0f, 6), 6);
        floats(&d, 1, &channels, all(1.0f, 3), 3);
        output(&d, 4, pixels);
        expect(&d, OH_NN_OPS_CONV2D, all(3.0f, 48), 48 * sizeof(float));
    }
}

Test(delegate, depthwise_convolution_with_its_pad_mode_under_the_name_of_the_list) {
    static const int32_t weights[4] = {2, 1, 1, 1}, channels = 2;
    int dynamic;
    for (dynamic = 0; dynamic < 2; dynamic++) {
        delegate d;
        begin(&d, "DEPTHWISE_CONV_2D");
        d.dynamic = dynamic != 0;
        pair(&d, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, 1, 1);
        pair(&d, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION, 1, 1);
        scalar_i8(&d, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD, 1);
        scalar_i8(&d, OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE, OH_NN_FUSED_RELU);
        input(&d, 4, image);
        floats(&d, 4, weights, all(2.0f, 2), 2);
        floats(&d, 1, &channels, all(0.5f, 2), 2);
        output(&d, 4, image);
        expect(&d, OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, all(2.5f, 32), 32 * sizeof(float));
    }
}

Test(delegate, fully_connected_with_and_without_a_bias) {
    static const int32_t weights[2] = {3, 8}, units = 3, result[2] = {1, 3};
    int bias;
    for (bias = 0; bias < 2; bias++) {
        delegate d;
        begin(&d, "FULLY_CONNECTED");
        scalar_i8(&d, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, 0);
        input(&d, 2, row);
        floats(&d, 2, weights, all(1.0f, 24), 24);
        if (bias != 0) floats(&d, 1, &units, all(1.0f, 3), 3);
        output(&d, 2, result);
        expect(&d, OH_NN_OPS_FULL_CONNECTION, all(bias != 0 ? 9.0f : 8.0f, 3), 3 * sizeof(float));
    }
}

Test(delegate, concatenation_and_pack) {
    static const int32_t long_row[2] = {1, 16}, stacked[3] = {2, 1, 8};
    int i, dynamic;
    for (i = 0; i < 2; i++)
        for (dynamic = 0; dynamic < 2; dynamic++) {
            delegate d;
            begin(&d, i == 0 ? "CONCATENATION" : "PACK");
            d.dynamic = dynamic != 0;
            scalar_i64(&d, i == 0 ? OH_NN_CONCAT_AXIS : OH_NN_STACK_AXIS, i == 0 ? 1 : 0);
            input(&d, 2, row);
            input(&d, 2, row);
            if (i == 0) output(&d, 2, long_row);
            else output(&d, 3, stacked);
            expect(&d, i == 0 ? OH_NN_OPS_CONCAT : OH_NN_OPS_STACK, all(1.0f, 16), 16 * sizeof(float));
        }
}

/* The delegate gives beta as the axis. */
Test(delegate, softmax) {
    delegate d;
    begin(&d, "SOFTMAX");
    scalar_i64(&d, OH_NN_SOFTMAX_AXIS, 1);
    input(&d, 2, row);
    output(&d, 2, row);
    expect(&d, OH_NN_OPS_SOFTMAX, all(0.125f, 8), 8 * sizeof(float));
}

Test(delegate, quantize_and_dequantize_name_both_types) {
    static const OH_NN_DataType types[2] = {OH_NN_INT8, OH_NN_UINT8};
    unsigned char bytes[8];
    int i;
    memset(bytes, 5, sizeof bytes);
    for (i = 0; i < 2; i++) {
        delegate d;
        begin(&d, "QUANTIZE");
        scalar_i64(&d, OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_FLOAT32);
        scalar_i64(&d, OH_NN_QUANT_DTYPE_CAST_DST_T, types[i]);
        input(&d, 2, row);
        output_of(&d, types[i], 2, row, 0.5, 3);
        expect(&d, OH_NN_OPS_QUANT_DTYPE_CAST, bytes, sizeof bytes);
        begin(&d, "DEQUANTIZE");
        scalar_i64(&d, OH_NN_QUANT_DTYPE_CAST_SRC_T, types[i]);
        scalar_i64(&d, OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_FLOAT32);
        input_of(&d, types[i], 2, row, 0.5, 3);
        output(&d, 2, row);
        expect(&d, OH_NN_OPS_QUANT_DTYPE_CAST, all(2.0f, 8), 8 * sizeof(float));
    }
}

Test(delegate, pad_mean_reshape_and_strided_slice_take_constants_of_int32) {
    static const int32_t paddings[4] = {0, 1, 0, 0}, paddings_dims[2] = {2, 2}, axis = 1, mean[2] = {1, 1};
    static const int32_t square[2] = {4, 2}, begins[2] = {0, 2}, ends[2] = {1, 6}, strides[2] = {1, 2};
    static const int32_t sliced[2] = {1, 2};
    static const uint8_t keep = 1;
    static const float zero = 0.0f;
    float padded[16];
    delegate d;
    memcpy(padded, all(1.0f, 8), sizeof padded / 2);
    memset(padded + 8, 0, sizeof padded / 2);
    begin(&d, "PAD");
    scalar(&d, OH_NN_FLOAT32, OH_NN_PAD_CONSTANT_VALUE, &zero, sizeof zero);
    input(&d, 2, row);
    constant(&d, OH_NN_INT32, 2, paddings_dims, paddings, sizeof paddings);
    output(&d, 2, two_rows);
    expect(&d, OH_NN_OPS_PAD, padded, sizeof padded);
    begin(&d, "MEAN");
    scalar(&d, OH_NN_BOOL, OH_NN_REDUCE_MEAN_KEEP_DIMS, &keep, 1);
    input(&d, 2, row);
    ints(&d, 1, &axis);
    output(&d, 2, mean);
    expect(&d, OH_NN_OPS_REDUCE_MEAN, all(1.0f, 1), sizeof(float));
    begin(&d, "RESHAPE");
    input(&d, 2, row);
    ints(&d, 2, square);
    output(&d, 2, square);
    expect(&d, OH_NN_OPS_RESHAPE, all(1.0f, 8), 8 * sizeof(float));
    begin(&d, "STRIDED_SLICE");
    scalar_i64(&d, OH_NN_STRIDED_SLICE_BEGIN_MASK, 0);
    scalar_i64(&d, OH_NN_STRIDED_SLICE_END_MASK, 0);
    scalar_i64(&d, OH_NN_STRIDED_SLICE_ELLIPSIS_MASK, 0);
    scalar_i64(&d, OH_NN_STRIDED_SLICE_NEW_AXIS_MASK, 0);
    scalar_i64(&d, OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK, 0);
    input(&d, 2, row);
    ints(&d, 2, begins);
    ints(&d, 2, ends);
    ints(&d, 2, strides);
    output(&d, 2, sliced);
    expect(&d, OH_NN_OPS_STRIDED_SLICE, all(1.0f, 2), 2 * sizeof(float));
}

Test(delegate, operators_without_parameters) {
    static const int32_t two = 2;
    float hswish = 4.0f / 6.0f;
    int32_t shape[2] = {1, 8};
    delegate d;
    begin(&d, "HARD_SWISH");
    input(&d, 2, row);
    output(&d, 2, row);
    expect(&d, OH_NN_OPS_HSWISH, all(hswish, 8), 8 * sizeof(float));
    begin(&d, "SHAPE");
    input(&d, 2, row);
    output_of(&d, OH_NN_INT32, 1, &two, 0, 0);
    expect(&d, OH_NN_OPS_SHAPE, shape, sizeof shape);
    begin(&d, "LOGISTIC");
    input(&d, 2, row);
    output(&d, 2, row);
    expect(&d, OH_NN_OPS_SIGMOID, all(0.7310585786f, 8), 8 * sizeof(float));
}

/* OpenHarmony refuses a parameter that is OH_NN_TENSOR, too: RESHAPE of a file that has the shape in its options only,
   and the zeros that a C library with Annex K adds for a bias. */
Test(delegate, a_parameter_that_is_no_parameter_is_refused) {
    static const int32_t two = 2;
    static const uint32_t square[2] = {4, 2};
    static const int32_t square_dims[2] = {4, 2};
    delegate d, *const at = &d;
    begin(&d, "RESHAPE without a second input");
    d.params[d.param_count++] = add(&d, OH_NN_UINT32, 1, &two, NULL, OH_NN_TENSOR);
    cr_assert_eq((int)OH_NNModel_SetTensorData(at->model, d.params[0], square, sizeof square), (int)OH_NN_SUCCESS);
    input(&d, 2, row);
    output(&d, 2, square_dims);
    cr_assert_eq((int)operation(&d, OH_NN_OPS_RESHAPE), (int)OH_NN_INVALID_PARAMETER);
    drop(&d);
}

/* ------------------------------------------------------------------------ quantization that means nothing */

/* A tensor that is read and whose type has no steps: scale 0.0 says that there is none, as in TensorFlow Lite. */
Test(delegate, a_scale_of_zero_is_none_for_what_is_never_quantized) {
    static const int32_t square[2] = {4, 2}, two = 2;
    static const uint32_t bits = 8;
    static const double scale = 0.0;
    static const int32_t zero = 0;
    OH_NN_QuantParam quant;
    delegate d_, *d = &d_;
    quant.quantCount = 1;
    quant.numBits = &bits;
    quant.scale = &scale;
    quant.zeroPoint = &zero;
    begin(d, "RESHAPE, scale 0.0 everywhere");
    d->ins[d->in_count++] = d->inputs[d->given++] = add(d, OH_NN_FLOAT32, 2, row, &quant, OH_NN_TENSOR);
    d->given_as[0].dataType = OH_NN_FLOAT32;
    d->given_as[0].dimensionCount = 2;
    d->given_as[0].dimensions = memcpy(d->given_dims[0], row, sizeof row);
    d->ins[d->in_count++] = add(d, OH_NN_INT32, 1, &two, &quant, OH_NN_TENSOR);
    OK(OH_NNModel_SetTensorData(d->model, 1, square, sizeof square));
    d->outs[d->out_count++] = add(d, OH_NN_FLOAT32, 2, square, &quant, OH_NN_TENSOR);
    expect(d, OH_NN_OPS_RESHAPE, all(1.0f, 8), 8 * sizeof(float));
}

/* Numbers of 8 and 16 bits have a scale or none at all. */
Test(delegate, a_scale_of_zero_is_refused_where_numbers_are_quantized) {
    static const OH_NN_DataType types[3] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16};
    static const uint32_t bits = 8;
    static const double scale = 0.0;
    static const int32_t zero = 0;
    int i;
    for (i = 0; i < 3; i++) {
        OH_NN_QuantParam quant;
        OH_NN_UInt32Array ins, outs;
        delegate d_, *d = &d_;
        quant.quantCount = 1;
        quant.numBits = &bits;
        quant.scale = &scale;
        quant.zeroPoint = &zero;
        begin(d, "RELU, scale 0.0");
        d->ins[d->in_count++] = add(d, types[i], 2, row, &quant, OH_NN_TENSOR);
        d->outs[d->out_count++] = add(d, types[i], 2, row, &quant, OH_NN_TENSOR);
        ins = array(d->ins, 1);
        outs = array(d->outs, 1);
        OK(operation(d, OH_NN_OPS_RELU));
        OK(OH_NNModel_SpecifyInputsAndOutputs(d->model, &ins, &outs));
        OK(OH_NNModel_Finish(d->model));
        d->compilation = OH_NNCompilation_Construct(d->model);
        cr_assert_eq((int)OH_NNCompilation_Build(d->compilation), (int)OH_NN_FAILED);
        cr_assert_not_null(strstr(nnrt_last_error(), "scale"), "%s", nnrt_last_error());
        drop(d);
    }
}
