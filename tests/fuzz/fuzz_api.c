/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_api.c - bytes are a sequence of calls, over all 75 functions and nnrt's own. `make fuzz`.
   Properties  (1) no call reads or writes what it must not, whatever came before it; (2) every code is one of
               the enum; (3) a code but success, or a NULL object, comes with a sentence; (4) when all is
               destroyed nothing stays allocated; (5) a graph that builds for the portable kernels builds for
               every instruction set of the machine, for two threads, without passes, and with little memory
               and stripes, and the int8 results are the same bytes.
   Pointers    are live objects or NULL: that is the program's promise. Everything else comes from the bytes.
   Input       The first byte chooses: even, calls; odd, a random graph for (5). */
#include "linked.h"

#include "must.h"

#include <unistd.h>

enum {
    BUDGET = 8 << 20,
    SLOTS = 4,
    MOST_CALLS = 120,
    MOST_TENSORS = 24
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---------------------------------------------------------------------------------------------- the bytes */

typedef struct bytes {
    const uint8_t *at;
    size_t left;
} bytes;

static uint32_t next(bytes *b) {
    if (b->left == 0) return 0;
    b->left--;
    return *b->at++;
}

static uint32_t below(bytes *b, uint32_t n) { return next(b) % n; }

/* Small numbers mostly, and now and then an extreme one. */
static int64_t number(bytes *b) {
    static const int64_t extremes[8] = {-1, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 65536, 0x40000000, 4294967295};
    const uint32_t byte = next(b);
    return byte < 240 ? (int64_t)(byte % 12) : extremes[byte % 8];
}

/* -------------------------------------------------------------------------------------------- the objects */

typedef struct memory_slot {
    OH_NN_Memory *memory;
    uint32_t executor, index;
    bool output;
} memory_slot;

typedef struct world {
    NN_TensorDesc *desc[SLOTS];
    NN_QuantParam *quant[SLOTS];
    OH_NNModel *model[SLOTS];
    OH_NNCompilation *compilation[SLOTS];
    OH_NNExecutor *executor[SLOTS];
    NN_Tensor *tensor[SLOTS];
    memory_slot memory[SLOTS];
    NN_Tensor *given[2][8]; /* arrays of RunAsync, which outlive it */
    uint8_t plan[4096];     /* of ExportCacheToBuffer, lent to ImportCacheFromBuffer until the end */
    uint8_t model_bytes[4096];
    size_t model_size;
} world;

static void check(OH_NN_ReturnCode code) {
    MUST((unsigned)code <= (unsigned)OH_NN_UNAVAILABLE_DEVICE);
    MUST(code == OH_NN_SUCCESS || nnrt_last_error()[0] != '\0');
    MUST(nnrt_strerror(code) != NULL && strlen(nnrt_last_error()) < NNRT__SENTENCE_SIZE);
}

static void check_made(const void *object) { MUST(object != NULL || nnrt_last_error()[0] != '\0'); }

static void on_run_done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t count) {
    (void)user;
    (void)outputs;
    MUST((unsigned)code <= (unsigned)OH_NN_UNAVAILABLE_DEVICE && count >= 0);
}

static void on_service_died(void *user) { (void)user; }

static const char *text(bytes *b) {
    static const char *const texts[14] = {"",       "x",          "nnrt.isa", "nnrt.threads", "nnrt.passes",
                                          "scalar", "2",          "none",     "nnrt.profile", "ModelName",
                                          "avx2",   "/nowhere/x", "1",        "a long text"};
    const uint32_t which = below(b, 15);
    return which < 14 ? texts[which] : NULL;
}

static size_t device(bytes *b) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    if (next(b) % 8 == 7) return (size_t)next(b);
    check(OH_NNDevice_GetAllDevicesID(&ids, &count));
    return count != 0 ? ids[0] : 0;
}

static void indices(bytes *b, OH_NN_UInt32Array *array, uint32_t storage[8]) {
    uint32_t i;
    array->size = below(b, 5);
    array->data = next(b) % 16 == 15 ? NULL : storage;
    if (array->data == NULL) array->size = next(b) % 2; /* a promise: NULL only with size 0, or it is refused */
    for (i = 0; i < 8; i++) storage[i] = next(b) % 32;
}

static void shape(bytes *b, int32_t dims[10], size_t *rank) {
    size_t i;
    *rank = next(b) % 6;
    for (i = 0; i < 10; i++) dims[i] = (int32_t)number(b);
}

/* An old-style tensor description; its arrays are the caller's. */
static void old_tensor(bytes *b, OH_NN_Tensor *tensor, int32_t dims[10]) {
    size_t rank;
    shape(b, dims, &rank);
    tensor->dataType = (OH_NN_DataType)(next(b) % 14);
    tensor->dimensionCount = (uint32_t)rank;
    tensor->dimensions = rank != 0 ? dims : NULL;
    tensor->quantParam = NULL;
    tensor->type = (OH_NN_TensorType)(next(b) % 164);
}

static void free_memory(memory_slot *slot, world *w) {
    if (slot->memory == NULL || w->executor[slot->executor] == NULL) return;
    if (slot->output) OH_NNExecutor_DestroyOutputMemory(w->executor[slot->executor], slot->index, &slot->memory);
    else OH_NNExecutor_DestroyInputMemory(w->executor[slot->executor], slot->index, &slot->memory);
    MUST(slot->memory == NULL);
}

static void close_executor(world *w, uint32_t which) {
    uint32_t i;
    for (i = 0; i < SLOTS; i++)
        if (w->memory[i].executor == which) free_memory(&w->memory[i], w);
    OH_NNExecutor_Destroy(&w->executor[which]);
}

/* --------------------------------------------------------------------------------------- calls, by object */

static void call_desc(world *w, bytes *b) {
    NN_TensorDesc **slot = &w->desc[below(b, SLOTS)], *desc = *slot;
    int32_t dims[10], *shape_out = NULL;
    size_t rank = 0, figure = 0;
    const char *name = NULL;
    OH_NN_DataType dtype = OH_NN_UNKNOWN;
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    switch (below(b, 12)) {
    case 0:
    case 1:
        if (desc != NULL) check(OH_NNTensorDesc_Destroy(slot));
        *slot = OH_NNTensorDesc_Create();
        check_made(*slot);
        break;
    case 2: check(OH_NNTensorDesc_Destroy(slot)); break;
    case 3: check(OH_NNTensorDesc_SetName(desc, text(b))); break;
    case 4: check(OH_NNTensorDesc_GetName(desc, &name)); break;
    case 5: check(OH_NNTensorDesc_SetDataType(desc, (OH_NN_DataType)(next(b) % 14))); break;
    case 6: check(OH_NNTensorDesc_GetDataType(desc, &dtype)); break;
    case 7:
        shape(b, dims, &rank);
        check(OH_NNTensorDesc_SetShape(desc, next(b) % 16 == 0 ? NULL : dims, rank));
        break;
    case 8: check(OH_NNTensorDesc_GetShape(desc, &shape_out, &rank)); break;
    case 9: check(OH_NNTensorDesc_SetFormat(desc, (OH_NN_Format)(next(b) % 5))); break;
    case 10: check(OH_NNTensorDesc_GetFormat(desc, &format)); break;
    default:
        check(OH_NNTensorDesc_GetElementCount(desc, &figure));
        check(OH_NNTensorDesc_GetByteSize(desc, &figure));
        break;
    }
}

static void call_quant(world *w, bytes *b) {
    NN_QuantParam **slot = &w->quant[below(b, SLOTS)];
    double scales[8];
    int32_t zeros[8];
    uint32_t bits[8], i;
    const size_t count = next(b) % 9;
    for (i = 0; i < 8; i++) {
        scales[i] = (double)number(b) / 16;
        zeros[i] = (int32_t)number(b);
        bits[i] = next(b) % 8 == 0 ? next(b) : 8;
    }
    switch (below(b, 5)) {
    case 0:
        if (*slot != NULL) check(OH_NNQuantParam_Destroy(slot));
        *slot = OH_NNQuantParam_Create();
        check_made(*slot);
        break;
    case 1: check(OH_NNQuantParam_SetScales(*slot, scales, count)); break;
    case 2: check(OH_NNQuantParam_SetZeroPoints(*slot, zeros, count)); break;
    case 3: check(OH_NNQuantParam_SetNumBits(*slot, bits, count)); break;
    default: check(OH_NNQuantParam_Destroy(slot)); break;
    }
}

static void call_model(world *w, bytes *b) {
    OH_NNModel **slot = &w->model[below(b, SLOTS)], *model = *slot;
    OH_NN_UInt32Array lists[3];
    OH_NN_Tensor old;
    uint32_t storage[3][8], index, count = 0, i;
    int32_t dims[10];
    uint8_t contents[64];
    const bool *supported = NULL;
    switch (below(b, 11)) {
    case 0:
        if (model != NULL) OH_NNModel_Destroy(slot);
        *slot = OH_NNModel_Construct();
        check_made(*slot);
        break;
    case 1:
    case 2: check(OH_NNModel_AddTensorToModel(model, w->desc[below(b, SLOTS)])); break;
    case 3:
        index = next(b) % 32;
        for (i = 0; i < sizeof(contents); i++) contents[i] = (uint8_t)next(b);
        check(OH_NNModel_SetTensorData(model, index, next(b) % 16 == 0 ? NULL : contents, next(b) % 65));
        break;
    case 4: check(OH_NNModel_SetTensorQuantParams(model, next(b) % 32, w->quant[below(b, SLOTS)])); break;
    case 5: check(OH_NNModel_SetTensorType(model, next(b) % 32, (OH_NN_TensorType)(next(b) % 164))); break;
    case 6:
        for (i = 0; i < 3; i++) indices(b, &lists[i], storage[i]);
        check(OH_NNModel_AddOperation(model, (OH_NN_OperationType)(next(b) % 110), &lists[0], &lists[1], &lists[2]));
        break;
    case 7:
        for (i = 0; i < 2; i++) indices(b, &lists[i], storage[i]);
        check(OH_NNModel_SpecifyInputsAndOutputs(model, &lists[0], &lists[1]));
        break;
    case 8: check(OH_NNModel_Finish(model)); break;
    case 9: check(OH_NNModel_GetAvailableOperations(model, device(b), &supported, &count)); break;
    default:
        old_tensor(b, &old, dims);
        if (next(b) % 2 != 0) check(OH_NNModel_AddTensor(model, &old));
        else OH_NNModel_Destroy(slot);
        break;
    }
}

static void call_compilation(world *w, bytes *b) {
    OH_NNCompilation **slot = &w->compilation[below(b, SLOTS)], *compilation = *slot;
    const char *name, *value;
    size_t size = 0;
    switch (below(b, 14)) {
    case 0:
    case 1:
    case 2:
        if (compilation != NULL) OH_NNCompilation_Destroy(slot);
        switch (below(b, 5)) {
        case 0: *slot = OH_NNCompilation_ConstructForCache(); break;
        case 1: *slot = OH_NNCompilation_ConstructWithOfflineModelFile(text(b)); break;
        case 2: *slot = OH_NNCompilation_ConstructWithOfflineModelBuffer(w->model_bytes, w->model_size); break;
        default: *slot = OH_NNCompilation_Construct(w->model[below(b, SLOTS)]); break;
        }
        check_made(*slot);
        break;
    case 3: check(OH_NNCompilation_ExportCacheToBuffer(compilation, w->plan, number(b) > 5 ? 64 : 4096, &size)); break;
    case 4: check(OH_NNCompilation_ImportCacheFromBuffer(compilation, w->plan, next(b) % 2 ? 4096 : next(b))); break;
    case 5:
    case 6:
        name = text(b);
        value = text(b);
        check(OH_NNCompilation_AddExtensionConfig(compilation, name, value, value != NULL ? strlen(value) : 0));
        break;
    case 7: check(OH_NNCompilation_SetDevice(compilation, device(b))); break;
    case 8: check(OH_NNCompilation_SetCache(compilation, next(b) % 2 ? "/nowhere" : text(b), next(b))); break;
    case 9: check(OH_NNCompilation_SetPerformanceMode(compilation, (OH_NN_PerformanceMode)(next(b) % 4))); break;
    case 10: check(OH_NNCompilation_SetPriority(compilation, (OH_NN_Priority)(next(b) % 5))); break;
    case 11: check(OH_NNCompilation_EnableFloat16(compilation, next(b) % 2 != 0)); break;
    case 12: check(OH_NNCompilation_Build(compilation)); break;
    default: OH_NNCompilation_Destroy(slot); break;
    }
}

static void call_tensor(world *w, bytes *b) {
    NN_Tensor **slot = &w->tensor[below(b, SLOTS)], *tensor = *slot;
    NN_TensorDesc *desc = w->desc[below(b, SLOTS)];
    size_t size = 0, offset = 0;
    int fd = -1;
    switch (below(b, 6)) {
    case 0:
        if (tensor == NULL) *slot = OH_NNTensor_Create(device(b), desc);
        check_made(*slot);
        break;
    case 1:
        if (tensor == NULL) *slot = OH_NNTensor_CreateWithSize(device(b), desc, (size_t)next(b) * 4);
        check_made(*slot);
        break;
    case 2:
        if (tensor != NULL) break;
        if (w->tensor[0] != NULL) check(OH_NNTensor_GetFd(w->tensor[0], &fd));
        size = (size_t)number(b);
        offset = next(b);
        *slot = OH_NNTensor_CreateWithFd(device(b), desc, fd, size, offset);
        check_made(*slot);
        break;
    case 3: check(OH_NNTensor_Destroy(slot)); break;
    default:
        check_made(OH_NNTensor_GetTensorDesc(tensor));
        check_made(OH_NNTensor_GetDataBuffer(tensor));
        check(OH_NNTensor_GetFd(tensor, &fd));
        check(OH_NNTensor_GetSize(tensor, &size));
        check(OH_NNTensor_GetOffset(tensor, &offset));
        if (tensor != NULL && OH_NNTensor_GetDataBuffer(tensor) != NULL) {
            uint8_t *data = (uint8_t *)OH_NNTensor_GetDataBuffer(tensor);
            MUST(size > offset);
            data[0] = data[size - offset - 1] = (uint8_t)next(b);
        }
        break;
    }
}

static void call_run(world *w, bytes *b, OH_NNExecutor *executor) {
    const uint32_t inputs = below(b, 4), outputs = below(b, 4), how = next(b);
    uint32_t i;
    /* tensors of runs that are not done yet stay: the executor is waited for in Destroy */
    for (i = 0; i < 8; i++) w->given[0][i] = w->given[1][i] = NULL;
    for (i = 0; i < inputs; i++) w->given[0][i] = w->tensor[below(b, SLOTS)];
    for (i = 0; i < outputs; i++) w->given[1][i] = w->tensor[below(b, SLOTS)];
    if (how % 4 != 0) check(OH_NNExecutor_RunSync(executor, w->given[0], inputs, w->given[1], outputs));
    else check(OH_NNExecutor_RunAsync(executor, w->given[0], inputs, w->given[1], outputs, (int32_t)(how / 4), NULL));
}

static void call_executor(world *w, bytes *b) {
    const uint32_t which = below(b, SLOTS);
    OH_NNExecutor *executor = w->executor[which];
    size_t count = 0, *low = NULL, *high = NULL;
    int32_t *shape_out = NULL;
    uint32_t rank = 0, steps = 0, index = next(b) % 3;
    const nnrt_profile_step *profile = NULL;
    nnrt_memory figures;
    double scale = 0;
    int32_t zero = 0;
    NN_TensorDesc **desc = &w->desc[below(b, SLOTS)];
    switch (below(b, 13)) {
    case 0:
    case 1:
        if (executor != NULL) close_executor(w, which);
        w->executor[which] = OH_NNExecutor_Construct(w->compilation[below(b, SLOTS)]);
        check_made(w->executor[which]);
        break;
    case 2: check(OH_NNExecutor_GetOutputShape(executor, index, &shape_out, &rank)); break;
    case 3:
        check(OH_NNExecutor_GetInputCount(executor, &count));
        check(OH_NNExecutor_GetOutputCount(executor, &count));
        break;
    case 4:
        if (*desc != NULL) check(OH_NNTensorDesc_Destroy(desc));
        *desc = next(b) % 2 ? OH_NNExecutor_CreateInputTensorDesc(executor, index)
                            : OH_NNExecutor_CreateOutputTensorDesc(executor, index);
        check_made(*desc);
        break;
    case 5: check(OH_NNExecutor_GetInputDimRange(executor, index, &low, &high, &count)); break;
    case 6: check(OH_NNExecutor_SetOnRunDone(executor, on_run_done)); break;
    case 7: check(OH_NNExecutor_SetOnServiceDied(executor, on_service_died)); break;
    case 8:
    case 9: call_run(w, b, executor); break;
    case 10:
        check(nnrt_executor_get_profile(executor, &profile, &steps));
        check(nnrt_executor_get_memory(executor, &figures));
        check(nnrt_executor_get_input_quant(executor, index, &scale, &zero));
        check(nnrt_executor_get_output_quant(executor, index, &scale, &zero));
        check(nnrt_executor_wait_late(executor, 0));
        break;
    default:
        if (next(b) % 4 == 0) close_executor(w, which);
        break;
    }
}

static void call_old(world *w, bytes *b) {
    const uint32_t which = below(b, SLOTS), index = next(b) % 3;
    OH_NNExecutor *executor = w->executor[which];
    memory_slot *slot = &w->memory[below(b, SLOTS)];
    const size_t length = (size_t)next(b) * 4;
    uint8_t contents[1024];
    OH_NN_Tensor old;
    int32_t dims[10];
    memset(contents, (int)next(b), sizeof(contents));
    switch (below(b, 9)) {
    case 0:
        old_tensor(b, &old, dims);
        check(OH_NNExecutor_SetInput(executor, index, &old, contents, length));
        break;
    case 1: check(OH_NNExecutor_SetOutput(executor, index, w->plan, length)); break;
    case 2: check(OH_NNExecutor_Run(executor)); break;
    case 3:
    case 4:
        if (slot->memory != NULL) break;
        slot->executor = which;
        slot->index = index;
        slot->output = next(b) % 2 != 0;
        slot->memory = slot->output ? OH_NNExecutor_AllocateOutputMemory(executor, index, length)
                                    : OH_NNExecutor_AllocateInputMemory(executor, index, length);
        check_made(slot->memory);
        break;
    case 5: free_memory(slot, w); break;
    case 6:
        old_tensor(b, &old, dims);
        check(OH_NNExecutor_SetInputWithMemory(executor, index, &old, slot->memory));
        break;
    case 7: check(OH_NNExecutor_SetOutputWithMemory(executor, index, slot->memory)); break;
    default:
        OH_NNExecutor_DestroyInputMemory(executor, index, NULL);
        OH_NNExecutor_DestroyOutputMemory(executor, index, NULL);
        break;
    }
}

static void call_device(bytes *b) {
    const size_t id = device(b);
    const char *name = NULL;
    OH_NN_DeviceType type = OH_NN_OTHERS;
    check(OH_NNDevice_GetName(id, &name));
    check(OH_NNDevice_GetType(id, &type));
    MUST(nnrt_version()[0] != '\0');
    check(nnrt_register_backend(NULL, NULL));
}

static void calls(bytes *b) {
    world *w = (world *)calloc(1, sizeof(world));
    uint32_t i, count;
    MUST(w != NULL);
    w->model_size = b->left < sizeof(w->model_bytes) ? b->left : sizeof(w->model_bytes);
    memcpy(w->model_bytes, b->at, w->model_size);
    for (count = 0; count < MOST_CALLS && b->left != 0; count++) {
        switch (below(b, 8)) {
        case 0: call_desc(w, b); break;
        case 1: call_quant(w, b); break;
        case 2: call_model(w, b); break;
        case 3: call_compilation(w, b); break;
        case 4: call_tensor(w, b); break;
        case 5: call_executor(w, b); break;
        case 6: call_old(w, b); break;
        default: call_device(b); break;
        }
    }
    for (i = 0; i < SLOTS; i++)
        if (w->executor[i] != NULL) close_executor(w, i);
    for (i = 0; i < SLOTS; i++) {
        if (w->tensor[i] != NULL) check(OH_NNTensor_Destroy(&w->tensor[i]));
        if (w->desc[i] != NULL) check(OH_NNTensorDesc_Destroy(&w->desc[i]));
        if (w->quant[i] != NULL) check(OH_NNQuantParam_Destroy(&w->quant[i]));
        if (w->compilation[i] != NULL) OH_NNCompilation_Destroy(&w->compilation[i]);
        if (w->model[i] != NULL) OH_NNModel_Destroy(&w->model[i]);
    }
    free(w);
}

/* ------------------------------------------------------------------------------------- a random int8 graph
 */

typedef struct graph {
    OH_NNModel *model;
    uint32_t count;                /* tensors of the model */
    uint32_t values[MOST_TENSORS]; /* NHWC images */
    int32_t dims[MOST_TENSORS][4];
    double scale[MOST_TENSORS];
    int32_t zero[MOST_TENSORS];
    uint32_t value_count;
    uint32_t params[8], param_count;
} graph;

static uint32_t add_tensor(graph *g, OH_NN_DataType dtype, size_t rank, const int32_t *dims, const void *data,
                           size_t size) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    MUST(desc != NULL);
    MUST(OH_NNTensorDesc_SetDataType(desc, dtype) == OH_NN_SUCCESS);
    MUST(OH_NNTensorDesc_SetFormat(desc, OH_NN_FORMAT_NHWC) == OH_NN_SUCCESS);
    MUST(OH_NNTensorDesc_SetShape(desc, dims, rank) == OH_NN_SUCCESS);
    MUST(OH_NNModel_AddTensorToModel(g->model, desc) == OH_NN_SUCCESS);
    MUST(OH_NNTensorDesc_Destroy(&desc) == OH_NN_SUCCESS);
    if (data != NULL) MUST(OH_NNModel_SetTensorData(g->model, g->count, data, size) == OH_NN_SUCCESS);
    return g->count++;
}

static void add_quant(graph *g, uint32_t tensor, size_t count, const double *scales, const int32_t *zeros) {
    static const uint32_t bits[8] = {8, 8, 8, 8, 8, 8, 8, 8};
    NN_QuantParam *quant = OH_NNQuantParam_Create();
    MUST(quant != NULL);
    MUST(OH_NNQuantParam_SetScales(quant, scales, count) == OH_NN_SUCCESS);
    MUST(OH_NNQuantParam_SetZeroPoints(quant, zeros, count) == OH_NN_SUCCESS);
    MUST(OH_NNQuantParam_SetNumBits(quant, bits, count) == OH_NN_SUCCESS);
    MUST(OH_NNModel_SetTensorQuantParams(g->model, tensor, quant) == OH_NN_SUCCESS);
    MUST(OH_NNQuantParam_Destroy(&quant) == OH_NN_SUCCESS);
}

/* A new image; its number among the values. */
static uint32_t add_image(graph *g, bytes *b, const int32_t dims[4]) {
    const uint32_t value = g->value_count++;
    memcpy(g->dims[value], dims, sizeof(g->dims[value]));
    g->scale[value] = (double)(1 + next(b)) / 512;
    g->zero[value] = (int32_t)next(b) - 128;
    g->values[value] = add_tensor(g, OH_NN_INT8, 4, dims, NULL, 0);
    add_quant(g, g->values[value], 1, &g->scale[value], &g->zero[value]);
    return value;
}

static void add_param(graph *g, OH_NN_TensorType type, OH_NN_DataType dtype, int32_t count, const void *data) {
    const uint32_t tensor = add_tensor(g, dtype, 1, &count, data, (size_t)count * nnrt__element_size(dtype));
    MUST(OH_NNModel_SetTensorType(g->model, tensor, type) == OH_NN_SUCCESS);
    g->params[g->param_count++] = tensor;
}

static bool add_op(graph *g, OH_NN_OperationType op, uint32_t *inputs, uint32_t input_count, uint32_t output) {
    OH_NN_UInt32Array params, ins, outs;
    params.data = g->params;
    params.size = g->param_count;
    ins.data = inputs;
    ins.size = input_count;
    outs.data = &output;
    outs.size = 1;
    g->param_count = 0;
    return OH_NNModel_AddOperation(g->model, op, &params, &ins, &outs) == OH_NN_SUCCESS;
}

/* Weights [n][kernel][kernel][c] per channel and a bias, as inputs 1 and 2. */
static void add_weights(graph *g, bytes *b, const int32_t dims[4], int32_t n, uint32_t in[3]) {
    static const int32_t zeros[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    const size_t count = (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2] * (size_t)dims[3];
    int8_t *weights = (int8_t *)malloc(count);
    double scales[8];
    int32_t bias[8], i;
    uint32_t seed = next(b);
    size_t k;
    MUST(weights != NULL);
    for (k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        weights[k] = (int8_t)(seed >> 24);
    }
    for (i = 0; i < 8; i++) {
        scales[i] = (double)(1 + next(b)) / 8192;
        bias[i] = ((int32_t)next(b) - 128) * 64;
    }
    in[1] = add_tensor(g, OH_NN_INT8, 4, dims, weights, count);
    add_quant(g, in[1], (size_t)n, scales, zeros);
    in[2] = add_tensor(g, OH_NN_INT32, 1, &n, bias, (size_t)n * sizeof(bias[0]));
    free(weights);
}

static bool add_convolution(graph *g, bytes *b, uint32_t from, bool depthwise) {
    const int64_t stride[2] = {1 + (int64_t)below(b, 2), 1 + (int64_t)below(b, 2)};
    const int8_t same = 0, activation = (int8_t)below(b, 3);
    const int32_t *in_dims = g->dims[from];
    const int32_t n = depthwise ? in_dims[3] : 1 + (int32_t)below(b, 8);
    int32_t w_dims[4], dims[4];
    uint32_t in[3];
    w_dims[0] = n;
    w_dims[1] = w_dims[2] = 1 + (int32_t)below(b, 3);
    w_dims[3] = depthwise ? 1 : in_dims[3];
    dims[0] = in_dims[0];
    dims[1] = (in_dims[1] + (int32_t)stride[0] - 1) / (int32_t)stride[0];
    dims[2] = (in_dims[2] + (int32_t)stride[1] - 1) / (int32_t)stride[1];
    dims[3] = n;
    in[0] = g->values[from];
    add_weights(g, b, w_dims, n, in);
    add_param(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, OH_NN_INT64, 2, stride);
    add_param(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE : OH_NN_CONV2D_PAD_MODE, OH_NN_INT8, 1, &same);
    add_param(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE, OH_NN_INT8,
              1, &activation);
    return add_op(g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, in, 3,
                  g->values[add_image(g, b, dims)]);
}

static bool add_pool(graph *g, bytes *b, uint32_t from, bool max) {
    const int64_t kernel[2] = {1 + (int64_t)below(b, 3), 1 + (int64_t)below(b, 3)}, stride[2] = {1, 1};
    const int8_t same = 0;
    uint32_t in = g->values[from];
    const uint32_t to = add_image(g, b, g->dims[from]);
    g->param_count = 0;
    add_param(g, max ? OH_NN_MAX_POOL_KERNEL_SIZE : OH_NN_AVG_POOL_KERNEL_SIZE, OH_NN_INT64, 2, kernel);
    add_param(g, max ? OH_NN_MAX_POOL_STRIDE : OH_NN_AVG_POOL_STRIDE, OH_NN_INT64, 2, stride);
    add_param(g, max ? OH_NN_MAX_POOL_PAD_MODE : OH_NN_AVG_POOL_PAD_MODE, OH_NN_INT8, 1, &same);
    return add_op(g, max ? OH_NN_OPS_MAX_POOL : OH_NN_OPS_AVG_POOL, &in, 1, g->values[to]);
}

/* One more operator behind a value that is there. */
static bool add_any(graph *g, bytes *b) {
    static const OH_NN_OperationType unary[5] = {OH_NN_OPS_RELU, OH_NN_OPS_RELU6, OH_NN_OPS_SIGMOID, OH_NN_OPS_TANH,
                                                 OH_NN_OPS_HSWISH};
    static const OH_NN_OperationType binary[4] = {OH_NN_OPS_ADD, OH_NN_OPS_SUB, OH_NN_OPS_MUL, OH_NN_OPS_MAXIMUM};
    const uint32_t from = below(b, g->value_count), other = below(b, g->value_count), what = below(b, 8);
    uint32_t in[2];
    int64_t axis = 3;
    int32_t dims[4];
    in[0] = g->values[from];
    in[1] = g->values[other];
    memcpy(dims, g->dims[from], sizeof(dims));
    switch (what) {
    case 0:
    case 1: return add_convolution(g, b, from, false);
    case 2: return add_convolution(g, b, from, true);
    case 3: return add_pool(g, b, from, next(b) % 2 != 0);
    case 4: return add_op(g, unary[below(b, 5)], in, 1, g->values[add_image(g, b, dims)]);
    case 5:
        add_param(g, OH_NN_SOFTMAX_AXIS, OH_NN_INT64, 1, &axis);
        return add_op(g, OH_NN_OPS_SOFTMAX, in, 1, g->values[add_image(g, b, dims)]);
    case 6:
        if (g->dims[other][1] != dims[1] || g->dims[other][2] != dims[2]) return true;
        dims[3] += g->dims[other][3];
        if (dims[3] > 8) return true;
        add_param(g, OH_NN_CONCAT_AXIS, OH_NN_INT64, 1, &axis);
        return add_op(g, OH_NN_OPS_CONCAT, in, 2, g->values[add_image(g, b, dims)]);
    default:
        if (memcmp(dims, g->dims[other], sizeof(dims)) != 0) return true;
        return add_op(g, binary[below(b, 4)], in, 2, g->values[add_image(g, b, dims)]);
    }
}

/* Builds for one setting and runs on fixed bytes. stripes: for little memory, the input in the arena, too; NULL: for
   speed. The code of Build; *digest: of the output. */
static OH_NN_ReturnCode build_and_run(const graph *g, const char *isa, const char *threads, const char *passes,
                                      const char *stripes, uint32_t *digest) {
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(g->model);
    OH_NNExecutor *executor;
    NN_TensorDesc *descs[2];
    NN_Tensor *tensors[2];
    OH_NN_ReturnCode code;
    size_t sizes[2], i;
    MUST(compilation != NULL);
    MUST(OH_NNCompilation_SetDevice(compilation, 0) == OH_NN_SUCCESS);
    MUST(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.isa", isa, strlen(isa)) == OH_NN_SUCCESS);
    MUST(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.threads", threads, 1) == OH_NN_SUCCESS);
    if (passes != NULL)
        MUST(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.passes", passes, strlen(passes)) == OH_NN_SUCCESS);
    if (stripes != NULL) {
        MUST(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.stripes", stripes, strlen(stripes)) ==
             OH_NN_SUCCESS);
        MUST(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.inputs", "arena", 5) == OH_NN_SUCCESS);
        MUST(OH_NNCompilation_SetPerformanceMode(compilation, OH_NN_PERFORMANCE_LOW) == OH_NN_SUCCESS);
    }
    code = OH_NNCompilation_Build(compilation);
    check(code);
    if (code == OH_NN_SUCCESS) {
        executor = OH_NNExecutor_Construct(compilation);
        MUST(executor != NULL);
        descs[0] = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
        descs[1] = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
        for (i = 0; i < 2; i++) {
            MUST(OH_NNTensorDesc_GetByteSize(descs[i], &sizes[i]) == OH_NN_SUCCESS);
            tensors[i] = i == 0 && stripes != NULL ? nnrt_tensor_create_in_arena(executor, 0) : NULL;
            if (tensors[i] == NULL) tensors[i] = OH_NNTensor_Create(0, descs[i]); /* it is an output, too, or unused */
            MUST(tensors[i] != NULL && OH_NNTensorDesc_Destroy(&descs[i]) == OH_NN_SUCCESS);
        }
        for (i = 0; i < sizes[0]; i++) ((uint8_t *)OH_NNTensor_GetDataBuffer(tensors[0]))[i] = (uint8_t)(i * 151 + 17);
        MUST(OH_NNExecutor_RunSync(executor, &tensors[0], 1, &tensors[1], 1) == OH_NN_SUCCESS);
        *digest = nnrt__crc32(0, OH_NNTensor_GetDataBuffer(tensors[1]), sizes[1]);
        for (i = 0; i < 2; i++) MUST(OH_NNTensor_Destroy(&tensors[i]) == OH_NN_SUCCESS);
        OH_NNExecutor_Destroy(&executor);
    }
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

static void differential(bytes *b) {
    uint32_t digest = 0, other = 0, i, operators = 1 + below(b, 6);
    OH_NN_UInt32Array input, output;
    OH_NN_ReturnCode code;
    int32_t dims[4];
    bool ok = true;
    graph *g = (graph *)calloc(1, sizeof(graph));
    MUST(g != NULL);
    g->model = OH_NNModel_Construct();
    MUST(g->model != NULL);
    dims[0] = 1;
    for (i = 1; i < 4; i++) dims[i] = 1 + (int32_t)below(b, i == 3 ? 8 : 10);
    (void)add_image(g, b, dims);
    for (i = 0; ok && i < operators; i++) ok = add_any(g, b);
    input.data = &g->values[0];
    output.data = &g->values[g->value_count - 1];
    input.size = output.size = 1;
    if (ok && g->value_count > 1 && OH_NNModel_SpecifyInputsAndOutputs(g->model, &input, &output) == OH_NN_SUCCESS &&
        OH_NNModel_Finish(g->model) == OH_NN_SUCCESS) {
        code = build_and_run(g, "scalar", "1", NULL, NULL, &digest);
        for (i = 0; i < NNRT__TARGET_COUNT; i++) {
            const char *isa = nnrt__targets[i].name;
            if ((nnrt__targets[i].isa & ~nnrt__cpu_detect()) != 0) continue;
            MUST(build_and_run(g, isa, "2", i % 2 == 0 ? "none" : NULL, NULL, &other) == code);
            MUST(code != OH_NN_SUCCESS || other == digest);
            MUST(build_and_run(g, isa, "1", NULL, NULL, &other) == code);
            MUST(code != OH_NN_SUCCESS || other == digest);
            MUST(build_and_run(g, isa, "1", NULL, i % 2 == 0 ? "1000" : "8", &other) == code);
            MUST(code != OH_NN_SUCCESS || other == digest);
        }
    }
    OH_NNModel_Destroy(&g->model);
    free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes b;
    if (size == 0) return 0;
    b.at = data + 1;
    b.left = size - 1;
    counting_budget(BUDGET);
    if (data[0] % 2 == 0) calls(&b);
    else differential(&b);
    MUST(counting_bytes() == 0);
    return 0;
}
