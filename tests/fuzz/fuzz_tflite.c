/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_tflite.c - a .tflite file is untrusted bytes. `make fuzz`.
   Properties  (1) any bytes: the reader returns and never reads outside them; (2) nothing stays allocated; (3) what is
               allocated at once is bounded by a multiple of the input; (4) a refusal has a sentence; (5) the verdict is
               the same at another address, and with little memory it is that or MEMORY_ERROR; (6) constants of a graph
               lie in the input; (7) what was read can be built and run through the API, or is refused with a
               sentence, within a budget of memory that may be too small. Models that honestly ask for much work are
               built but not run. */
#include "linked.h"

#include "must.h"

/* Whether a run is over soon: its products, what its steps write, and windows over all that may be under them. */
static bool is_small(const OH_NNExecutor *executor) {
    const nnrt_profile_step *steps;
    uint32_t count, i, k;
    uint64_t work = 0, largest = 1u << 20;
    if (nnrt_executor_get_profile(executor, &steps, &count) != OH_NN_SUCCESS) return true; /* compiled at its run */
    for (i = 0; i < count; i++) {
        uint64_t written = 1;
        for (k = 0; k < steps[i].rank; k++) written *= (uint64_t)steps[i].dims[k];
        if (steps[i].macs > 1u << 26 || written > 1u << 22) return false;
        work += steps[i].macs + 4 * written;
        if (strstr(steps[i].kernel, "pool") != NULL) work += written * largest >> 4;
        if (strstr(steps[i].kernel, "transpose") != NULL) work += written * steps[i].weights_bytes;
        if (written > largest) largest = written;
    }
    return work <= 1u << 26;
}

/* Makes ready what the signatures of the inputs leave open, two of each dimension, and descs of the inputs, NULL where
   memory is out. False: there is nothing open, or the model cannot have that shape, of which there is a sentence. */
static bool resize(OH_NNExecutor *executor, size_t count, NN_TensorDesc **descs) {
    bool resized = false;
    size_t i, k;
    for (i = 0; i < count; i++) {
        size_t *least = NULL, *most = NULL, rank = 0;
        int32_t *dims = NULL;
        descs[i] = OH_NNExecutor_CreateInputTensorDesc(executor, i);
        if (descs[i] == NULL || OH_NNTensorDesc_GetShape(descs[i], &dims, &rank) != OH_NN_SUCCESS ||
            OH_NNExecutor_GetInputDimRange(executor, i, &least, &most, &rank) != OH_NN_SUCCESS)
            break;
        for (k = 0; k < rank; k++) {
            if (least[k] == most[k] || dims[k] < 1) continue;
            dims[k] = 2;
            resized = true;
        }
    }
    if (resized && i == count) {
        resized = nnrt_executor_prepare(executor, descs, count) == OH_NN_SUCCESS;
        MUST(resized || nnrt_last_error()[0] != '\0');
    }
    return resized && i == count;
}

/* Builds and runs once with zeros; every answer but success has a sentence. With resizes, in another shape. */
static void run(const uint8_t *data, size_t size, bool resizes) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(data, size);
    OH_NNExecutor *executor = NULL;
    const size_t *ids = NULL;
    uint32_t devices = 0;
    if (compilation != NULL && OH_NNDevice_GetAllDevicesID(&ids, &devices) == OH_NN_SUCCESS && devices != 0 &&
        OH_NNCompilation_SetDevice(compilation, ids[0]) == OH_NN_SUCCESS &&
        OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS) {
        executor = OH_NNExecutor_Construct(compilation);
    }
    MUST(executor != NULL || nnrt_last_error()[0] != '\0');
    if (executor != NULL) {
        NN_Tensor *tensors[2][NNRT__MAX_IO];
        NN_TensorDesc *others[NNRT__MAX_IO];
        size_t counts[2] = {0, 0}, side, i;
        bool whole = is_small(executor) && OH_NNExecutor_GetInputCount(executor, &counts[0]) == OH_NN_SUCCESS &&
                     OH_NNExecutor_GetOutputCount(executor, &counts[1]) == OH_NN_SUCCESS;
        memset(tensors, 0, sizeof(tensors));
        memset(others, 0, sizeof(others));
        if (resizes) whole = whole && resize(executor, counts[0], others) && is_small(executor);
        for (side = 0; side < 2; side++) {
            for (i = 0; i < counts[side] && whole; i++) {
                NN_TensorDesc *desc = side != 0           ? OH_NNExecutor_CreateOutputTensorDesc(executor, i)
                                      : others[i] != NULL ? others[i]
                                                          : OH_NNExecutor_CreateInputTensorDesc(executor, i);
                if (side == 0) others[i] = NULL;
                size_t bytes = 0;
                whole =
                    desc != NULL && OH_NNTensorDesc_GetByteSize(desc, &bytes) == OH_NN_SUCCESS && bytes <= (1u << 22);
                if (whole) tensors[side][i] = OH_NNTensor_Create(ids[0], desc);
                whole = tensors[side][i] != NULL;
                if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
            }
        }
        if (whole && OH_NNExecutor_RunSync(executor, tensors[0], counts[0], tensors[1], counts[1]) != OH_NN_SUCCESS) {
            MUST(nnrt_last_error()[0] != '\0');
        }
        for (side = 0; side < 2; side++) {
            for (i = 0; i < counts[side]; i++) {
                if (tensors[side][i] != NULL) (void)OH_NNTensor_Destroy(&tensors[side][i]);
            }
        }
        for (i = 0; i < counts[0]; i++)
            if (others[i] != NULL) (void)OH_NNTensorDesc_Destroy(&others[i]);
        OH_NNExecutor_Destroy(&executor);
    }
    if (compilation != NULL) OH_NNCompilation_Destroy(&compilation);
}

/* The verdict on a copy that ends where its block ends. */
static OH_NN_ReturnCode read_at(const uint8_t *data, size_t size, size_t skew, size_t budget) {
    uint8_t *block = (uint8_t *)malloc(size + skew + 1), *at = block + skew + 1;
    nnrt__graph_store *store = NULL;
    OH_NN_ReturnCode code;
    uint32_t i;
    MUST(block != NULL);
    memcpy(at, data, size);
    counting_budget(budget);
    counting_peak_begin();
    (void)nnrt__fail(OH_NN_FAILED, "%s", "");
    code = nnrt__tflite_read(at, size, &store);
    MUST((code == OH_NN_SUCCESS) == (store != NULL));
    MUST((code == OH_NN_SUCCESS) == (nnrt_last_error()[0] == '\0'));
    MUST(code == OH_NN_SUCCESS || code == OH_NN_INVALID_FILE || code == OH_NN_UNSUPPORTED ||
         code == OH_NN_MEMORY_ERROR);
    MUST(counting_peak() <= 64 * size + 65536);
    if (code == OH_NN_SUCCESS) MUST(nnrt_inspect_model(at, size, NULL, NULL, NULL) == OH_NN_SUCCESS);
    else (void)nnrt_inspect_model(at, size, NULL, NULL, NULL);
    for (i = 0; store != NULL && i < store->graph.tensor_count; i++) {
        const nnrt_tensor_info *t = &store->graph.tensors[i];
        const uintptr_t from = (uintptr_t)t->data, start = (uintptr_t)at;
        if (t->data == NULL || store->owners[i].data != NULL) continue;
        MUST(from >= start && t->data_size <= size && from - start <= size - t->data_size);
    }
    nnrt__graph_store_release(store);
    MUST(counting_bytes() == 0);
    free(block);
    return code;
}

/* libFuzzer's own mutation; absent in a replay. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Mostly changes words that look like a dimension, a stride, an index or an option into other such words: the
   file stays one, and what it says becomes strange. Every third time libFuzzer's own mutation. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    static const int32_t numbers[] = {0,    1,    2,     3,     4,     5,       6,       7,         8,
                                      9,    13,   16,    31,    33,    127,     128,     255,       256,
                                      1000, 4096, 32767, 32768, 65536, 1 << 20, 1 << 24, -1,        -2,
                                      -3,   -4,   -128,  -129,  -1000, 46341,   1 << 30, INT32_MAX, INT32_MIN};
    unsigned tries, changes = 1 + seed / 3 % 3;
    if (seed % 3 == 0 || size < 8) return LLVMFuzzerMutate(data, size, max_size);
    for (tries = 0; tries < 1000 && changes != 0; tries++) {
        size_t at;
        int32_t word;
        seed = seed * 1664525u + 1013904223u;
        at = (seed >> 8) % (size / 4) * 4;
        memcpy(&word, data + at, sizeof(word));
        if (word < -16 || word > 64) continue;
        seed = seed * 1664525u + 1013904223u;
        word = numbers[(seed >> 8) % (seed >> 31 != 0 ? 16 : sizeof(numbers) / sizeof(numbers[0]))];
        memcpy(data + at, &word, sizeof(word));
        changes--;
    }
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const OH_NN_ReturnCode first = read_at(data, size, 0, SIZE_MAX), second = read_at(data, size, 3, SIZE_MAX);
    const OH_NN_ReturnCode poor = read_at(data, size, 0, 600);
    MUST(first == second && (poor == first || poor == OH_NN_MEMORY_ERROR));
    if (first == OH_NN_SUCCESS) {
        const size_t any = (size_t)nnrt__crc32(0, data, size) % 24576; /* every allocation fails for some input */
        int resizes;
        for (resizes = 0; resizes < 2; resizes++) {
            counting_budget((size_t)1 << 25);
            run(data, size, resizes != 0);
            MUST(counting_bytes() == 0);
            counting_budget(any);
            run(data, size, resizes != 0);
            MUST(counting_bytes() == 0);
        }
    }
    return 0;
}
