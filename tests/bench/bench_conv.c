/* SPDX-License-Identifier: Apache-2.0 */
/* bench_conv.c - what convolutions of every kind cost beside a dense one, in products per second.

       cc -std=c99 -O2 -I. tests/bench/bench_conv.c -o build/bench_conv -lm -lpthread && build/bench_conv [ISA]

   Prints, for int8, float32 and int16 on one thread, microseconds of a run, billions of products a second and their
   ratio to those of the dense convolution; the best of many rounds counts. Products are those that the operator asks
   for, whatever the library multiplies besides. For emulators that count instructions, `bench_conv ISA TYPE CASE RUNS`
   only runs case CASE, counted from 0, of type TYPE (0 int8, 1 float32, 2 int16): two counts of different RUNS,
   subtracted, are those of a run. ISA "" is the machine's. The file uses the public API alone, so that it measures
   older revisions, too. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 40
#define ROUND_SECONDS 0.004

enum {
    S8,
    F32,
    S16,
    TYPES
};

typedef struct layer {
    const char *name;
    OH_NN_OperationType op;
    int32_t size, in_c, out_c, kernel, stride, group;
} layer;

#define CONV OH_NN_OPS_CONV2D
#define DEPTHWISE OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE
#define TRANSPOSED OH_NN_OPS_CONV2D_TRANSPOSE

static const layer layers[] = {{"dense 3x3, 64 channels", CONV, 28, 64, 64, 3, 1, 1},
                               {"transposed 3x3 stride 2, 64 channels", TRANSPOSED, 14, 64, 64, 3, 2, 1},
                               {"transposed 2x2 stride 2, 64 channels", TRANSPOSED, 14, 64, 64, 2, 2, 1},
                               {"transposed 4x4 stride 2, 64 to 4 channels", TRANSPOSED, 14, 64, 4, 4, 2, 1},
                               {"depthwise 3x3, 64 channels", DEPTHWISE, 28, 64, 64, 3, 1, 64},
                               {"depthwise 3x3, 64 channels, multiplier 2", DEPTHWISE, 28, 64, 128, 3, 1, 64},
                               {"depthwise 3x3, 8 channels, multiplier 8", DEPTHWISE, 28, 8, 64, 3, 1, 8},
                               {"depthwise 3x3, 1 channel, multiplier 8", DEPTHWISE, 28, 1, 8, 3, 1, 1},
                               {"3x3, 64 channels, 32 groups", CONV, 28, 64, 64, 3, 1, 32},
                               {"3x3, 64 channels, 8 groups", CONV, 28, 64, 64, 3, 1, 8},
                               {"3x3, 64 channels, 2 groups", CONV, 28, 64, 64, 3, 1, 2},
                               {"1x1, 64 channels, 8 groups", CONV, 28, 64, 64, 1, 1, 8}};

#define LAYERS (sizeof layers / sizeof layers[0])

typedef struct model {
    OH_NNModel *model;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    NN_Tensor *in, *out;
    uint32_t tensors;
} model;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(OH_NN_ReturnCode code) {
    if (code == OH_NN_SUCCESS) return;
    fprintf(stderr, "bench_conv: %s\n", nnrt_last_error());
    exit(1);
}

static uint32_t add(model *m, OH_NN_DataType dtype, size_t rank, const int32_t *dims, double scale, const void *data,
                    size_t size) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    must(OH_NNTensorDesc_SetDataType(desc, dtype));
    must(OH_NNTensorDesc_SetFormat(desc, OH_NN_FORMAT_NHWC));
    must(OH_NNTensorDesc_SetShape(desc, dims, rank));
    must(OH_NNModel_AddTensorToModel(m->model, desc));
    must(OH_NNTensorDesc_Destroy(&desc));
    if (scale != 0) {
        NN_QuantParam *quant = OH_NNQuantParam_Create();
        const int32_t zero = 0;
        const uint32_t bits = dtype == OH_NN_INT16 ? 16 : 8;
        must(OH_NNQuantParam_SetScales(quant, &scale, 1));
        must(OH_NNQuantParam_SetZeroPoints(quant, &zero, 1));
        must(OH_NNQuantParam_SetNumBits(quant, &bits, 1));
        must(OH_NNModel_SetTensorQuantParams(m->model, m->tensors, quant));
        must(OH_NNQuantParam_Destroy(&quant));
    }
    if (data != NULL) must(OH_NNModel_SetTensorData(m->model, m->tensors, data, size));
    return m->tensors++;
}

static uint32_t param(model *m, OH_NN_TensorType type, OH_NN_DataType dtype, int32_t count, const void *data) {
    const uint32_t tensor = add(m, dtype, 1, &count, 0, NULL, 0);
    must(OH_NNModel_SetTensorType(m->model, tensor, type));
    must(OH_NNModel_SetTensorData(m->model, tensor, data, (size_t)count * (dtype == OH_NN_INT64 ? 8 : 1)));
    return tensor;
}

static OH_NN_UInt32Array array(uint32_t *data, uint32_t size) {
    OH_NN_UInt32Array a;
    a.data = data;
    a.size = size;
    return a;
}

/* The parameters of the three operators: strides, pad mode SAME and groups. */
static uint32_t window(model *m, const layer *l, uint32_t *params) {
    const int64_t strides[2] = {l->stride, l->stride}, group = l->group;
    const int8_t same = 0;
    uint32_t count = 0;
    params[count++] = param(m,
                            l->op == CONV        ? OH_NN_CONV2D_STRIDES
                            : l->op == DEPTHWISE ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES
                                                 : OH_NN_CONV2D_TRANSPOSE_STRIDES,
                            OH_NN_INT64, 2, strides);
    params[count++] = param(m,
                            l->op == CONV        ? OH_NN_CONV2D_PAD_MODE
                            : l->op == DEPTHWISE ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE
                                                 : OH_NN_CONV2D_TRANSPOSE_PAD_MODE,
                            OH_NN_INT8, 1, &same);
    if (l->op == CONV) params[count++] = param(m, OH_NN_CONV2D_GROUP, OH_NN_INT64, 1, &group);
    return count;
}

static void specify(model *m, uint32_t in, uint32_t out) {
    OH_NN_UInt32Array ins = array(&in, 1), outs = array(&out, 1);
    must(OH_NNModel_SpecifyInputsAndOutputs(m->model, &ins, &outs));
    must(OH_NNModel_Finish(m->model));
}

static void build(model *m, const layer *l, int type, const char *isa) {
    const OH_NN_DataType dtypes[TYPES] = {OH_NN_INT8, OH_NN_FLOAT32, OH_NN_INT16};
    const OH_NN_DataType biases[TYPES] = {OH_NN_INT32, OH_NN_FLOAT32, OH_NN_INT64};
    const bool floats = type == F32;
    const int32_t out_size = l->op == TRANSPOSED ? l->size * l->stride : l->size;
    const int32_t in_dims[4] = {1, l->size, l->size, l->in_c}, out_dims[4] = {1, out_size, out_size, l->out_c};
    const int32_t each = l->op == DEPTHWISE ? 1 : l->in_c / l->group;
    const int32_t w_dims[4] = {l->out_c, l->kernel, l->kernel, each};
    const size_t count = (size_t)(l->out_c * l->kernel * l->kernel * each), *ids = NULL;
    int8_t *bytes = (int8_t *)calloc(count, 4);
    float *reals = (float *)calloc(count, 4);
    void *bias = calloc((size_t)l->out_c, 8);
    uint32_t inputs[3], params[4], output, devices = 0;
    OH_NN_UInt32Array p, ins, outs;
    NN_TensorDesc *desc;
    size_t i;
    memset(m, 0, sizeof *m);
    for (i = 0; i < count; i++) {
        bytes[i] = (int8_t)((int)(i * 37 % 255) - 127);
        reals[i] = (float)bytes[i] / 100.0f;
    }
    m->model = OH_NNModel_Construct();
    inputs[0] = add(m, dtypes[type], 4, in_dims, floats ? 0 : 0.02, NULL, 0);
    inputs[1] = add(m, floats ? OH_NN_FLOAT32 : OH_NN_INT8, 4, w_dims, floats ? 0 : 0.01,
                    floats ? (void *)reals : (void *)bytes, count * (floats ? 4 : 1));
    inputs[2] = add(m, biases[type], 1, &l->out_c, 0, bias, (size_t)l->out_c * (biases[type] == OH_NN_INT64 ? 8 : 4));
    output = add(m, dtypes[type], 4, out_dims, floats ? 0 : 0.5, NULL, 0);
    p = array(params, window(m, l, params));
    ins = array(inputs, 3);
    outs = array(&output, 1);
    must(OH_NNModel_AddOperation(m->model, l->op, &p, &ins, &outs));
    specify(m, inputs[0], output);
    free(bytes);
    free(reals);
    free(bias);
    m->compilation = OH_NNCompilation_Construct(m->model);
    must(OH_NNDevice_GetAllDevicesID(&ids, &devices));
    must(OH_NNCompilation_SetDevice(m->compilation, ids[0]));
    must(OH_NNCompilation_AddExtensionConfig(m->compilation, "nnrt.threads", "1", 1));
    if (isa[0] != '\0') must(OH_NNCompilation_AddExtensionConfig(m->compilation, "nnrt.isa", isa, strlen(isa)));
    must(OH_NNCompilation_Build(m->compilation));
    m->executor = OH_NNExecutor_Construct(m->compilation);
    desc = OH_NNExecutor_CreateInputTensorDesc(m->executor, 0);
    m->in = OH_NNTensor_Create(ids[0], desc);
    must(OH_NNTensorDesc_Destroy(&desc));
    desc = OH_NNExecutor_CreateOutputTensorDesc(m->executor, 0);
    m->out = OH_NNTensor_Create(ids[0], desc);
    must(OH_NNTensorDesc_Destroy(&desc));
    memset(OH_NNTensor_GetDataBuffer(m->in), 0,
           (size_t)(l->size * l->size * l->in_c) * (floats        ? 4
                                                    : type == S16 ? 2
                                                                  : 1));
}

static void run(model *m) { must(OH_NNExecutor_RunSync(m->executor, &m->in, 1, &m->out, 1)); }

static void close_all(model *m) {
    must(OH_NNTensor_Destroy(&m->in));
    must(OH_NNTensor_Destroy(&m->out));
    OH_NNExecutor_Destroy(&m->executor);
    OH_NNCompilation_Destroy(&m->compilation);
    OH_NNModel_Destroy(&m->model);
}

/* Seconds of a run, the best round. */
static double measure(model *m) {
    double best = 1e9;
    int round;
    for (round = 0; round < ROUNDS; round++) {
        const double start = seconds();
        double now = start;
        int runs = 0;
        for (; runs == 0 || now - start < ROUND_SECONDS; runs++, now = seconds()) run(m);
        if ((now - start) / runs < best) best = (now - start) / runs;
    }
    return best;
}

int main(int argc, char **argv) {
    static const char *const types[TYPES] = {"int8", "float32", "int16"};
    const char *isa = argc > 1 ? argv[1] : "";
    model m;
    int type, runs;
    size_t i;
    if (argc == 5) {
        build(&m, &layers[(size_t)atoi(argv[3]) % LAYERS], atoi(argv[2]) % TYPES, isa);
        for (runs = atoi(argv[4]); runs > 0; runs--) run(&m);
        close_all(&m);
        return 0;
    }
    printf("%-8s %-42s %10s %10s %9s\n", isa[0] != '\0' ? isa : "", "", "us", "G/s", "of dense");
    for (type = 0; type < TYPES; type++) {
        double dense = 0;
        for (i = 0; i < LAYERS; i++) {
            const layer *l = &layers[i];
            const double products = (double)l->size * l->size * l->out_c * l->kernel * l->kernel *
                                    (l->op == DEPTHWISE ? 1 : l->in_c / l->group);
            double time;
            build(&m, l, type, isa);
            time = measure(&m);
            close_all(&m);
            if (i == 0) dense = products / time;
            printf("%-8s %-42s %10.2f %10.2f %9.3f\n", types[type], l->name, time * 1e6, products / time * 1e-9,
                   products / time / dense);
        }
    }
    return 0;
}
