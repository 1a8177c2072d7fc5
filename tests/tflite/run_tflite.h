/* SPDX-License-Identifier: Apache-2.0 */
/* run_tflite.h - runs .tflite files of one operator on the CPU, for tests. Include it after nnrt.h and noise.h. */
#ifndef NNRT_TESTS_RUN_TFLITE_H
#define NNRT_TESTS_RUN_TFLITE_H

#include "offline_runner.h"

#include "make_tflite.h"

enum {
    FLOAT32 = 0,
    INT32 = 2,
    INT16 = 7,
    INT8 = 9,
    BOOL = 6,
    INT4 = 17,
    FLOAT64 = 10,
    INT64 = 4
};

/* ------------------------------------------------------------------------------------- running a model */

MAKE_FN tensor_spec tensor(int type, uint32_t rank, const int32_t *dims) {
    tensor_spec t;
    memset(&t, 0, sizeof t);
    t.type = type;
    t.rank = rank;
    memcpy(t.dims, dims, rank * sizeof dims[0]);
    return t;
}

MAKE_FN tensor_spec list(int type, int32_t count) { return tensor(type, 1, &count); }

/* An operator that reads tensors 0 ... inputs - 1, all of them inputs of the model, and writes the one behind. */
MAKE_FN spec operator_of(int code, uint32_t inputs, const tensor_spec *in, tensor_spec out) {
    spec s;
    uint32_t i;
    memset(&s, 0, sizeof s);
    for (i = 0; i < inputs; i++) {
        s.tensors[i] = in[i];
        s.inputs[i] = (int32_t)i;
    }
    s.tensors[inputs] = out;
    s.tensor_count = inputs + 1;
    s.more_inputs = inputs - 1;
    s.input_count = inputs;
    s.outputs[0] = (int32_t)inputs;
    s.output_count = 1;
    s.code = code;
    return s;
}

MAKE_FN void option(spec *s, int type, uint32_t count, const int64_t *fields) {
    uint32_t i;
    s->options_type = type;
    s->option_count = count;
    for (i = 0; i < count; i++) s->options[i] = fields[i];
}

MAKE_FN uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

typedef struct memory {
    void *data;
    size_t size;
} memory;

/* A tensor for an output, which may be of any size where the run decides about its shape. */
MAKE_FN NN_Tensor *result_tensor(NN_TensorDesc *desc, size_t size) {
    NN_Tensor *made;
    size_t known = 0;
    cr_assert_not_null(desc, "%s", nnrt_last_error());
    if (OH_NNTensorDesc_GetByteSize(desc, &known) != OH_NN_DYNAMIC_SHAPE) return off_tensor(desc, size);
    made = OH_NNTensor_CreateWithSize(off_device(), desc, size);
    cr_assert_not_null(made, "%s", nnrt_last_error());
    cr_assert_eq((int)OH_NNTensorDesc_Destroy(&desc), (int)OH_NN_SUCCESS);
    return made;
}

/* Builds the model and runs it once: inputs and outputs in the order of the model. The first code that is not
   OH_NN_SUCCESS. */
MAKE_FN OH_NN_ReturnCode try_run(const spec *s, const memory *in, size_t in_count, const memory *out,
                                 size_t out_count) {
    static const off_settings settings = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
    bytes file = make(s);
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(file.at, file.size);
    OH_NNExecutor *executor = NULL;
    NN_Tensor *tensors[8];
    OH_NN_ReturnCode code = off_build(compilation, &settings);
    size_t i;
    if (code == OH_NN_SUCCESS) {
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(executor, "%s", nnrt_last_error());
        for (i = 0; i < in_count; i++) {
            tensors[i] = off_tensor(OH_NNExecutor_CreateInputTensorDesc(executor, i), in[i].size);
            memcpy(OH_NNTensor_GetDataBuffer(tensors[i]), in[i].data, in[i].size);
        }
        for (i = 0; i < out_count; i++)
            tensors[in_count + i] = result_tensor(OH_NNExecutor_CreateOutputTensorDesc(executor, i), out[i].size);
        code = OH_NNExecutor_RunSync(executor, tensors, in_count, tensors + in_count, out_count);
        for (i = 0; i < out_count; i++)
            memcpy(out[i].data, OH_NNTensor_GetDataBuffer(tensors[in_count + i]), out[i].size);
        for (i = 0; i < in_count + out_count; i++)
            cr_assert_eq((int)OH_NNTensor_Destroy(&tensors[i]), (int)OH_NN_SUCCESS);
        OH_NNExecutor_Destroy(&executor);
    }
    OH_NNCompilation_Destroy(&compilation);
    free(file.at);
    return code;
}

MAKE_FN void run(const spec *s, const memory *in, size_t in_count, const memory *out, size_t out_count) {
    const OH_NN_ReturnCode code = try_run(s, in, in_count, out, out_count);
    cr_assert_eq((int)code, (int)OH_NN_SUCCESS, "operator %d: %s", s->code, nnrt_last_error());
}

MAKE_FN void refused(const spec *s, const char *word) {
    cr_assert_neq((int)try_run(s, NULL, 0, NULL, 0), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), word), "no \"%s\" in \"%s\"", word, nnrt_last_error());
}

MAKE_FN memory mem(void *data, size_t size) {
    memory m;
    m.data = data;
    m.size = size;
    return m;
}

#endif /* NNRT_TESTS_RUN_TFLITE_H */
