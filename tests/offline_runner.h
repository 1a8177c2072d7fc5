/* SPDX-License-Identifier: Apache-2.0 */
/* offline_runner.h - models, samples and plans as bytes, built with settings and run, for tests. Include it
   after nnrt.h.

   Files are read into blocks of exactly their size, so that AddressSanitizer sees every over-read. Two ways to run:
   off_run through the API, off_raw_run through the backend table, where inputs and outputs are such blocks, too (the
   API's tensors are whole pages of shared memory). */
#ifndef NNRT_TESTS_OFFLINE_RUNNER_H
#define NNRT_TESTS_OFFLINE_RUNNER_H

#include <criterion/criterion.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFF_FN static __attribute__((unused))

/* The bytes of a file in a block of exactly that size; NULL when there is none. */
OFF_FN uint8_t *off_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    long length;
    *size = 0;
    if (file == NULL) return NULL;
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    length = ftell(file);
    cr_assert_gt(length, 0, "%s is empty", path);
    cr_assert_eq(fseek(file, 0, SEEK_SET), 0);
    bytes = (uint8_t *)malloc((size_t)length);
    cr_assert_not_null(bytes);
    *size = (size_t)length;
    cr_assert_eq(fread(bytes, 1, *size, file), *size, "%s", path);
    fclose(file);
    return bytes;
}

/* A copy of size bytes that ends where its block ends and begins `shift` bytes into it. *block is to be
   freed. */
OFF_FN uint8_t *off_copy(const void *bytes, size_t size, size_t shift, void **block) {
    *block = malloc(size + shift);
    cr_assert_not_null(*block);
    if (size != 0) memcpy((uint8_t *)*block + shift, bytes, size);
    return (uint8_t *)*block + shift;
}

/* The instruction sets that this build and this machine have, the portable one first. */
OFF_FN size_t off_isas(const char *names[NNRT__TARGET_COUNT]) {
    size_t count = 0, i;
    for (i = 0; i < NNRT__TARGET_COUNT; i++)
        if ((nnrt__targets[i].isa & ~nnrt__cpu_detect()) == 0) names[count++] = nnrt__targets[i].name;
    return count;
}

/* ---------------------------------------------------------------------------------------- through the API */

typedef struct off_settings {
    const char *isa, *threads, *passes, *profile, *stripes; /* extension configs; NULL: not given */
    OH_NN_PerformanceMode performance;
} off_settings;

OFF_FN size_t off_device(void) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    cr_assert_eq((int)OH_NNDevice_GetAllDevicesID(&ids, &count), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_gt(count, 0u);
    return ids[0];
}

OFF_FN void off_config(OH_NNCompilation *compilation, const char *name, const char *value) {
    if (value == NULL) return;
    cr_assert_eq((int)OH_NNCompilation_AddExtensionConfig(compilation, name, value, strlen(value)), (int)OH_NN_SUCCESS);
}

/* Applies the settings and builds for that device: the code of Build. */
OFF_FN OH_NN_ReturnCode off_build_for(OH_NNCompilation *compilation, const off_settings *settings, size_t device) {
    cr_assert_not_null(compilation, "%s", nnrt_last_error());
    cr_assert_eq((int)OH_NNCompilation_SetDevice(compilation, device), (int)OH_NN_SUCCESS);
    off_config(compilation, "nnrt.isa", settings->isa);
    off_config(compilation, "nnrt.threads", settings->threads);
    off_config(compilation, "nnrt.passes", settings->passes);
    off_config(compilation, "nnrt.profile", settings->profile);
    off_config(compilation, "nnrt.stripes", settings->stripes);
    cr_assert_eq((int)OH_NNCompilation_SetPerformanceMode(compilation, settings->performance), (int)OH_NN_SUCCESS);
    return OH_NNCompilation_Build(compilation);
}

OFF_FN OH_NN_ReturnCode off_build(OH_NNCompilation *compilation, const off_settings *settings) {
    return off_build_for(compilation, settings, off_device());
}

OFF_FN NN_Tensor *off_tensor(NN_TensorDesc *desc, size_t size) {
    NN_Tensor *tensor;
    size_t bytes = 0;
    cr_assert_not_null(desc, "%s", nnrt_last_error());
    cr_assert_eq((int)OH_NNTensorDesc_GetByteSize(desc, &bytes), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(bytes, size, "a tensor has %zu bytes, the sample %zu", bytes, size);
    tensor = OH_NNTensor_Create(off_device(), desc);
    cr_assert_not_null(tensor, "%s", nnrt_last_error());
    cr_assert_eq((int)OH_NNTensorDesc_Destroy(&desc), (int)OH_NN_SUCCESS);
    return tensor;
}

/* One run of a model with one input and one output: the code of RunSync. */
OFF_FN OH_NN_ReturnCode off_run(OH_NNExecutor *executor, const void *input, size_t input_size, void *output,
                                size_t output_size) {
    NN_Tensor *in = off_tensor(OH_NNExecutor_CreateInputTensorDesc(executor, 0), input_size);
    NN_Tensor *out = off_tensor(OH_NNExecutor_CreateOutputTensorDesc(executor, 0), output_size);
    OH_NN_ReturnCode code;
    memcpy(OH_NNTensor_GetDataBuffer(in), input, input_size);
    memset(OH_NNTensor_GetDataBuffer(out), 0x5a, output_size);
    code = OH_NNExecutor_RunSync(executor, &in, 1, &out, 1);
    memcpy(output, OH_NNTensor_GetDataBuffer(out), output_size);
    cr_assert_eq((int)OH_NNTensor_Destroy(&in), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNTensor_Destroy(&out), (int)OH_NN_SUCCESS);
    return code;
}

/* Where the shared models are that some tests need. */
OFF_FN const char *off_models_folder(void) {
    const char *folder = getenv("NNRT_MODELS");
    return folder != NULL && *folder != '\0' ? folder : "../shared/models";
}

/* Runs the samples of a folder, input0.bin and on: each gives the bytes of its expected0.bin. How many there are. */
OFF_FN size_t off_run_samples(OH_NNExecutor *executor, const char *folder) {
    size_t i;
    for (i = 0;; i++) {
        char path[512];
        size_t input_size, expected_size;
        uint8_t *input, *expected, *output;
        snprintf(path, sizeof path, "%s/input%zu.bin", folder, i);
        input = off_read(path, &input_size);
        if (input == NULL) break;
        snprintf(path, sizeof path, "%s/expected%zu.bin", folder, i);
        expected = off_read(path, &expected_size);
        cr_assert_not_null(expected, "%s", path);
        output = (uint8_t *)malloc(expected_size);
        cr_assert_not_null(output);
        cr_assert_eq((int)off_run(executor, input, input_size, output, expected_size), (int)OH_NN_SUCCESS, "%s",
                     nnrt_last_error());
        cr_assert_eq(memcmp(output, expected, expected_size), 0, "%s", path);
        free(output);
        free(expected);
        free(input);
    }
    cr_assert_gt(i, 0u, "%s has no samples", folder);
    return i;
}

/* Compiles a model file in one mode and runs the samples of a folder. false: there is no such file. */
OFF_FN bool off_gives_samples(const char *model, const char *folder, OH_NN_PerformanceMode mode) {
    const off_settings settings = {NULL, NULL, NULL, NULL, NULL, mode};
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    size_t size;
    uint8_t *bytes = off_read(model, &size);
    if (bytes == NULL) return false;
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    cr_assert_eq((int)off_build(compilation, &settings), (int)OH_NN_SUCCESS, "%s: %s", model, nnrt_last_error());
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    (void)off_run_samples(executor, folder);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free(bytes);
    return true;
}

/* The plan of a built compilation, in a block of exactly its size. */
OFF_FN uint8_t *off_export(OH_NNCompilation *compilation, size_t *size) {
    uint8_t byte = 0, *plan;
    size_t written = 0;
    *size = 0;
    cr_assert_eq((int)OH_NNCompilation_ExportCacheToBuffer(compilation, &byte, 1, size), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_gt(*size, 1u, "%s", nnrt_last_error());
    plan = (uint8_t *)malloc(*size);
    cr_assert_not_null(plan);
    cr_assert_eq((int)OH_NNCompilation_ExportCacheToBuffer(compilation, plan, *size, &written), (int)OH_NN_SUCCESS,
                 "%s", nnrt_last_error());
    cr_assert_eq(written, *size);
    return plan;
}

/* ------------------------------------------------------------------------------ through the backend table */

enum {
    OFF_MOST = 200
};

/* Runs a prepared model once with input bytes from seed, every tensor in a block of exactly its size. *digest
   (may be NULL) gets the CRC of all outputs. The first code that is not success. */
OFF_FN OH_NN_ReturnCode off_raw_run(void *prepared, uint32_t seed, uint32_t *digest) {
    nnrt_io io[2 * OFF_MOST];
    void *executor = NULL;
    size_t inputs, outputs, i, k;
    OH_NN_ReturnCode code = nnrt__cpu_backend.open_executor(prepared, &executor);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__cpu_backend.io_count(prepared, &inputs, &outputs);
    cr_assert(inputs <= OFF_MOST && outputs <= OFF_MOST);
    memset(io, 0, sizeof io);
    for (i = 0; i < inputs + outputs; i++) {
        nnrt_io_desc desc;
        bool output = i >= inputs;
        cr_assert_eq((int)nnrt__cpu_backend.io_desc(prepared, output, output ? i - inputs : i, &desc),
                     (int)OH_NN_SUCCESS);
        io[i].dtype = desc.dtype;
        io[i].rank = desc.rank;
        io[i].fd = -1;
        io[i].size = nnrt__element_size(desc.dtype);
        for (k = 0; k < desc.rank; k++) {
            io[i].dims[k] = desc.dims[k];
            io[i].size *= (size_t)desc.dims[k];
        }
        io[i].data = malloc(io[i].size);
        cr_assert_not_null(io[i].data);
        for (k = 0; k < io[i].size; k++) {
            seed = seed * 1664525u + 1013904223u;
            ((uint8_t *)io[i].data)[k] = (uint8_t)(seed >> 24);
        }
    }
    code = nnrt__cpu_backend.run(executor, io, inputs, io + inputs, outputs);
    if (digest != NULL) *digest = 0;
    for (i = 0; i < inputs + outputs; i++) {
        if (digest != NULL && i >= inputs) *digest = nnrt__crc32(*digest, io[i].data, io[i].size);
        free(io[i].data);
    }
    nnrt__cpu_backend.close_executor(executor);
    return code;
}

#endif /* NNRT_TESTS_OFFLINE_RUNNER_H */
