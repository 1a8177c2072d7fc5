/* SPDX-License-Identifier: Apache-2.0 */
/* graph_builder.h - models by API calls, for tests: a tensor, a parameter, an operator, a build, a run are
   one line each.

   Include it after nnrt.h. Steps that have to work in any test are asserted here; gb_op, gb_build and gb_run return the
   code, because tests often check what these refuse. An example, RELU on two floats:

       gb_graph g;
       const int32_t dims[1] = {2};
       float in[2] = {-1, 1}, out[2];
       uint32_t x, y;
       gb_open(&g);
       x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
       y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
       gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y);
       gb_build(&g);
       gb_run(&g, gb_buffer(in, sizeof in), gb_buffer(out, sizeof out));
       gb_close(&g); */
#ifndef NNRT_TESTS_GRAPH_BUILDER_H
#define NNRT_TESTS_GRAPH_BUILDER_H

#include <criterion/criterion.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define GB_FN static __attribute__((unused))

enum {
    GB_MOST = 200
};

typedef struct gb_graph {
    OH_NNModel *model;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    uint32_t tensor_count, input_count, output_count, param_count;
    uint32_t inputs[GB_MOST], outputs[GB_MOST], params[GB_MOST];
    OH_NN_PerformanceMode performance; /* set before gb_build; NONE after gb_open */
    const char *isa;                   /* extension config "nnrt.isa"; NULL: none */
    const char *threads;               /* extension config "nnrt.threads"; NULL: none */
    size_t run_rank[GB_MOST];          /* 0: the shape of model input i is the declared one, else: */
    int32_t run_dims[GB_MOST][10];
} gb_graph;

typedef struct gb_io {
    void *data;
    size_t size; /* exactly the bytes of the tensor */
} gb_io;

/* ------------------------------------------------------------------------------------------------ tensors */

GB_FN void gb_open(gb_graph *g) {
    memset(g, 0, sizeof *g);
    g->model = OH_NNModel_Construct();
    cr_assert_not_null(g->model, "%s", nnrt_last_error());
}

/* Frees everything. */
GB_FN void gb_close(gb_graph *g) {
    if (g->executor != NULL) OH_NNExecutor_Destroy(&g->executor);
    if (g->compilation != NULL) OH_NNCompilation_Destroy(&g->compilation);
    if (g->model != NULL) OH_NNModel_Destroy(&g->model);
}

/* A tensor that is computed or given at run time. rank 0: a scalar. -1: a dynamic dim. */
GB_FN uint32_t gb_tensor_format(gb_graph *g, OH_NN_DataType dtype, size_t rank, const int32_t *dims,
                                OH_NN_Format format) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    cr_assert_not_null(desc);
    cr_assert_eq(OH_NNTensorDesc_SetDataType(desc, dtype), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNTensorDesc_SetFormat(desc, format), OH_NN_SUCCESS);
    if (rank != 0) cr_assert_eq(OH_NNTensorDesc_SetShape(desc, dims, rank), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNModel_AddTensorToModel(g->model, desc), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    return g->tensor_count++;
}

GB_FN uint32_t gb_tensor(gb_graph *g, OH_NN_DataType dtype, size_t rank, const int32_t *dims) {
    return gb_tensor_format(g, dtype, rank, dims, OH_NN_FORMAT_NHWC);
}

/* count 1: per tensor; more: per channel. zero_points NULL: zeros. Returns tensor. */
GB_FN uint32_t gb_quantize(gb_graph *g, uint32_t tensor, size_t count, const double *scales,
                           const int32_t *zero_points) {
    NN_QuantParam *quant = OH_NNQuantParam_Create();
    uint32_t *bits = (uint32_t *)malloc(count * sizeof *bits);
    int32_t *zeros = (int32_t *)calloc(count, sizeof *zeros);
    size_t i;
    cr_assert(quant != NULL && bits != NULL && zeros != NULL);
    for (i = 0; i < count; i++) bits[i] = 8;
    cr_assert_eq(OH_NNQuantParam_SetScales(quant, scales, count), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNQuantParam_SetZeroPoints(quant, zero_points != NULL ? zero_points : zeros, count), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNQuantParam_SetNumBits(quant, bits, count), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNModel_SetTensorQuantParams(g->model, tensor, quant), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(OH_NNQuantParam_Destroy(&quant), OH_NN_SUCCESS);
    free(bits);
    free(zeros);
    return tensor;
}

/* int8, quantized per tensor. */
GB_FN uint32_t gb_tensor_s8(gb_graph *g, size_t rank, const int32_t *dims, double scale, int32_t zero_point) {
    return gb_quantize(g, gb_tensor(g, OH_NN_INT8, rank, dims), 1, &scale, &zero_point);
}

/* Bytes of dims (all known) and dtype. */
GB_FN size_t gb_bytes(OH_NN_DataType dtype, size_t rank, const int32_t *dims) {
    static const size_t sizes[13] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
    size_t bytes = sizes[(unsigned)dtype], i;
    for (i = 0; i < rank; i++) bytes *= (size_t)dims[i];
    return bytes;
}

/* A constant. data: exactly the bytes of dims and dtype; copied. */
GB_FN uint32_t gb_constant(gb_graph *g, OH_NN_DataType dtype, size_t rank, const int32_t *dims, const void *data) {
    uint32_t tensor = gb_tensor(g, dtype, rank, dims);
    cr_assert_eq(OH_NNModel_SetTensorData(g->model, tensor, data, gb_bytes(dtype, rank, dims)), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    return tensor;
}

/* A list of int32, for inputs such as axes, shapes and paddings. */
GB_FN uint32_t gb_ints(gb_graph *g, int32_t count, const int32_t *values) {
    return gb_constant(g, OH_NN_INT32, 1, &count, values);
}

/* Marks tensor as the next model input (output). Returns tensor. */
GB_FN uint32_t gb_input(gb_graph *g, uint32_t tensor) {
    cr_assert_lt(g->input_count, (uint32_t)GB_MOST);
    return g->inputs[g->input_count++] = tensor;
}

GB_FN uint32_t gb_output(gb_graph *g, uint32_t tensor) {
    cr_assert_lt(g->output_count, (uint32_t)GB_MOST);
    return g->outputs[g->output_count++] = tensor;
}

/* ---------------------------------------------------------------------------------------------- operators */

/* A parameter of the next gb_op. rank 0 with count 1: a scalar, as LayerNorm wants it; else rank 1. */
GB_FN void gb_param_rank(gb_graph *g, OH_NN_TensorType type, OH_NN_DataType dtype, int32_t count, const void *data,
                         size_t rank) {
    uint32_t tensor = gb_tensor(g, dtype, rank, &count);
    cr_assert_eq(OH_NNModel_SetTensorType(g->model, tensor, type), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(OH_NNModel_SetTensorData(g->model, tensor, data, gb_bytes(dtype, 1, &count)), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_lt(g->param_count, (uint32_t)GB_MOST);
    g->params[g->param_count++] = tensor;
}

GB_FN void gb_param(gb_graph *g, OH_NN_TensorType type, OH_NN_DataType dtype, int32_t count, const void *data) {
    gb_param_rank(g, type, dtype, count, data, 1);
}

GB_FN void gb_param_i64s(gb_graph *g, OH_NN_TensorType type, int32_t count, const int64_t *values) {
    gb_param(g, type, OH_NN_INT64, count, values);
}

GB_FN void gb_param_i64(gb_graph *g, OH_NN_TensorType type, int64_t value) {
    gb_param(g, type, OH_NN_INT64, 1, &value);
}

GB_FN void gb_param_i32(gb_graph *g, OH_NN_TensorType type, int32_t value) {
    gb_param(g, type, OH_NN_INT32, 1, &value);
}

/* Activations, pad modes and other small enumerations. */
GB_FN void gb_param_i8(gb_graph *g, OH_NN_TensorType type, int value) {
    int8_t byte = (int8_t)value;
    gb_param(g, type, OH_NN_INT8, 1, &byte);
}

GB_FN void gb_param_bool(gb_graph *g, OH_NN_TensorType type, bool value) {
    uint8_t byte = value ? 1 : 0;
    gb_param(g, type, OH_NN_BOOL, 1, &byte);
}

GB_FN void gb_param_f32(gb_graph *g, OH_NN_TensorType type, float value) {
    gb_param(g, type, OH_NN_FLOAT32, 1, &value);
}

/* Adds the operator with the parameters added since the last one. Returns the code of AddOperation. */
GB_FN OH_NN_ReturnCode gb_op(gb_graph *g, OH_NN_OperationType op, uint32_t input_count, const uint32_t *inputs,
                             uint32_t output_count, const uint32_t *outputs) {
    uint32_t in[GB_MOST], out[GB_MOST];
    OH_NN_UInt32Array params, ins, outs;
    cr_assert(input_count <= GB_MOST && output_count <= GB_MOST);
    memcpy(in, inputs, input_count * sizeof in[0]);
    memcpy(out, outputs, output_count * sizeof out[0]);
    params.data = g->param_count != 0 ? g->params : NULL;
    params.size = g->param_count;
    ins.data = in;
    ins.size = input_count;
    outs.data = out;
    outs.size = output_count;
    g->param_count = 0;
    return OH_NNModel_AddOperation(g->model, op, &params, &ins, &outs);
}

/* ------------------------------------------------------------------------------------------ build and run */

/* The id of the CPU device. */
GB_FN size_t gb_device(void) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    cr_assert_eq(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (i = 0; i < count; i++) {
        OH_NN_DeviceType type;
        cr_assert_eq(OH_NNDevice_GetType(ids[i], &type), OH_NN_SUCCESS);
        if (type == OH_NN_CPU) return ids[i];
    }
    cr_assert_fail("no CPU device");
    return 0;
}

/* Finishes the model. Returns the first code that is not success, with its sentence in nnrt_last_error(). */
GB_FN OH_NN_ReturnCode gb_finish(gb_graph *g) {
    OH_NN_UInt32Array inputs, outputs;
    OH_NN_ReturnCode code;
    inputs.data = g->input_count != 0 ? g->inputs : NULL;
    inputs.size = g->input_count;
    outputs.data = g->output_count != 0 ? g->outputs : NULL;
    outputs.size = g->output_count;
    code = OH_NNModel_SpecifyInputsAndOutputs(g->model, &inputs, &outputs);
    return code != OH_NN_SUCCESS ? code : OH_NNModel_Finish(g->model);
}

/* Finishes, compiles for the CPU device and makes an executor. Returns the first code that is not success. */
GB_FN OH_NN_ReturnCode gb_build(gb_graph *g) {
    OH_NN_ReturnCode code = gb_finish(g);
    if (code != OH_NN_SUCCESS) return code;
    g->compilation = OH_NNCompilation_Construct(g->model);
    cr_assert_not_null(g->compilation, "%s", nnrt_last_error());
    cr_assert_eq(OH_NNCompilation_SetDevice(g->compilation, gb_device()), OH_NN_SUCCESS, "%s", nnrt_last_error());
    code = OH_NNCompilation_SetPerformanceMode(g->compilation, g->performance);
    if (code == OH_NN_SUCCESS && g->isa != NULL)
        code = OH_NNCompilation_AddExtensionConfig(g->compilation, "nnrt.isa", g->isa, strlen(g->isa));
    if (code == OH_NN_SUCCESS && g->threads != NULL)
        code = OH_NNCompilation_AddExtensionConfig(g->compilation, "nnrt.threads", g->threads, strlen(g->threads));
    if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(g->compilation);
    if (code != OH_NN_SUCCESS) return code;
    g->executor = OH_NNExecutor_Construct(g->compilation);
    cr_assert_not_null(g->executor, "%s", nnrt_last_error());
    return OH_NN_SUCCESS;
}

/* Sets the shape of model input i, declared with dynamic dims, for the next runs. */
GB_FN void gb_run_shape(gb_graph *g, size_t i, size_t rank, const int32_t *dims) {
    g->run_rank[i] = rank;
    memcpy(g->run_dims[i], dims, rank * sizeof dims[0]);
}

GB_FN gb_io gb_buffer(void *data, size_t size) {
    gb_io io;
    io.data = data;
    io.size = size;
    return io;
}

/* One synchronous run. inputs and outputs hold as many buffers as the model has. The code of RunSync. */
GB_FN OH_NN_ReturnCode gb_run_many(gb_graph *g, const gb_io *inputs, const gb_io *outputs) {
    NN_Tensor *in[GB_MOST], *out[GB_MOST];
    OH_NN_ReturnCode code;
    size_t device = gb_device(), i;
    for (i = 0; i < g->input_count; i++) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(g->executor, i);
        cr_assert_not_null(desc, "%s", nnrt_last_error());
        if (g->run_rank[i] != 0)
            cr_assert_eq(OH_NNTensorDesc_SetShape(desc, g->run_dims[i], g->run_rank[i]), OH_NN_SUCCESS);
        in[i] = OH_NNTensor_CreateWithSize(device, desc, inputs[i].size);
        cr_assert_not_null(in[i], "%s", nnrt_last_error());
        memcpy(OH_NNTensor_GetDataBuffer(in[i]), inputs[i].data, inputs[i].size);
        cr_assert_eq(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    }
    for (i = 0; i < g->output_count; i++) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(g->executor, i);
        cr_assert_not_null(desc, "%s", nnrt_last_error());
        out[i] = OH_NNTensor_CreateWithSize(device, desc, outputs[i].size);
        cr_assert_not_null(out[i], "%s", nnrt_last_error());
        memset(OH_NNTensor_GetDataBuffer(out[i]), 0x5a, outputs[i].size);
        cr_assert_eq(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    }
    code = OH_NNExecutor_RunSync(g->executor, in, g->input_count, out, g->output_count);
    for (i = 0; i < g->output_count; i++) {
        memcpy(outputs[i].data, OH_NNTensor_GetDataBuffer(out[i]), outputs[i].size);
        cr_assert_eq(OH_NNTensor_Destroy(&out[i]), OH_NN_SUCCESS);
    }
    for (i = 0; i < g->input_count; i++) cr_assert_eq(OH_NNTensor_Destroy(&in[i]), OH_NN_SUCCESS);
    return code;
}

/* The same for a model of one input and one output. */
GB_FN OH_NN_ReturnCode gb_run(gb_graph *g, gb_io input, gb_io output) {
    cr_assert(g->input_count == 1 && g->output_count == 1);
    return gb_run_many(g, &input, &output);
}

#endif /* NNRT_TESTS_GRAPH_BUILDER_H */
