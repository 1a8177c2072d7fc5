/* SPDX-License-Identifier: Apache-2.0 */
/* mock_device.h - a device for tests that uses every slot of nnrt_backend and can be told to refuse, fail,
   hang or die.

   Include it after nnrt.h. Output i is input i % inputs plus 1, element by element, of the same shape. It takes graphs,
   and as offline model or cache the bytes that mock_save_bytes describes. It counts every object that it makes. Tests
   may change fields of mock and mock_backend at any time; fields shared by threads are accessed atomically. */
#ifndef NNRT_TESTS_MOCK_DEVICE_H
#define NNRT_TESTS_MOCK_DEVICE_H

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOCK_FN static __attribute__((unused))

enum {
    MOCK_MOST = 4,
    MOCK_MIN_DYNAMIC = 1,
    MOCK_MAX_DYNAMIC = 8
};

typedef struct mock_state {
    OH_NN_ReturnCode open_code, prepare_code, restore_code, save_code, executor_code, allocate_code;
    OH_NN_ReturnCode run_code; /* of run number run_code_at, counted from 1; 0: of every run */
    int run_code_at;
    OH_NN_OperationType refused;  /* supports refuses it */
    int hang;                     /* run waits until this is 0 */
    int heed_cancel;              /* cancel ends a hanging run */
    int late_look;                /* run starts to wait for a cancel, forgetting earlier ones */
    OH_NN_ReturnCode cancel_code; /* code of a cancelled run; success: OH_NN_TIMEOUT */
    uint32_t output_rank;         /* not 0: the rank that run gives its outputs */
    /* what happened */
    int opened, prepared, restored, runs, cancelled, running;
    int live_prepared, live_executors, live_memory;
    nnrt_request request; /* of the last prepare or restore */
    void *last_input_memory, *last_input_data;
    size_t last_input_offset;
    int last_declared;    /* of the last run: 1: the first input, 2: the first output */
    bool last_repeated;   /* of the last run: what the first input says */
    bool keep_no_request; /* for tests that build in several threads */
    size_t arena_bytes;   /* result of mock_arena_size */
    void *arena;          /* of the last executor that was given one */
} mock_state;

static mock_state mock;

#define MOCK_READ(field) __atomic_load_n(&mock.field, __ATOMIC_SEQ_CST)
#define MOCK_WRITE(field, value) __atomic_store_n(&mock.field, value, __ATOMIC_SEQ_CST)
#define MOCK_ADD(field, value) __atomic_add_fetch(&mock.field, value, __ATOMIC_SEQ_CST)

typedef struct mock_port {
    int32_t dtype, rank;
    int32_t dims[NNRT_MAX_RANK];
} mock_port;

typedef struct mock_prepared {
    char magic[8]; /* "mockmod" */
    uint32_t inputs, outputs;
    mock_port ports[2 * MOCK_MOST];
} mock_prepared;

typedef struct mock_executor {
    const mock_prepared *prepared;
    int cancelled;
    nnrt_profile_step step;
} mock_executor;

MOCK_FN OH_NN_ReturnCode mock_open(void *user, void **device) {
    cr_assert_eq(user, (void *)&mock);
    cr_assert_null(*device);
    if (mock.open_code != OH_NN_SUCCESS) return nnrt_backend_fail(mock.open_code, "mock: no board");
    mock.opened++;
    *device = &mock;
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    cr_assert_eq(device, (void *)&mock);
    if (graph->nodes[node].op == mock.refused) return nnrt_backend_fail(OH_NN_UNSUPPORTED, "mock: not this operator");
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_check_config(void *device, const nnrt_config *config) {
    (void)device;
    cr_assert_eq(((const char *)config->value)[config->size], 0);
    if (strcmp(config->name, "mock.mode") == 0 && strstr((const char *)config->value, "bad") == NULL)
        return OH_NN_SUCCESS;
    return nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "mock: cannot use it");
}

MOCK_FN void mock_take_port(mock_port *port, const nnrt_tensor_info *tensor) {
    port->dtype = (int32_t)tensor->dtype;
    port->rank = (int32_t)tensor->rank;
    if (tensor->rank != 0) memcpy(port->dims, tensor->dims, tensor->rank * sizeof(tensor->dims[0]));
}

/* Restores what save wrote. The bytes are untrusted. */
MOCK_FN OH_NN_ReturnCode mock_from_bytes(const void *bytes, size_t size, mock_prepared *prepared) {
    if (size != sizeof(*prepared)) return nnrt_backend_fail(OH_NN_INVALID_FILE, "mock: wrong size");
    memcpy(prepared, bytes, size);
    if (memcmp(prepared->magic, "mockmod", 8) != 0 || prepared->inputs < 1 || prepared->inputs > MOCK_MOST ||
        prepared->outputs < 1 || prepared->outputs > MOCK_MOST)
        return nnrt_backend_fail(OH_NN_INVALID_FILE, "mock: no model of mine");
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_make(const nnrt_request *request, const void *bytes, size_t size, void **prepared) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    mock_prepared *made = (mock_prepared *)NNRT_MALLOC(sizeof(*made));
    uint32_t i;
    if (!mock.keep_no_request) mock.request = *request;
    if (made == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "mock: out of memory");
    memset(made, 0, sizeof(*made));
    if (bytes != NULL) {
        code = mock_from_bytes(bytes, size, made);
    } else {
        memcpy(made->magic, "mockmod", 8);
        made->inputs = request->graph->input_count;
        made->outputs = request->graph->output_count;
        for (i = 0; i < made->inputs; i++)
            mock_take_port(&made->ports[i], &request->graph->tensors[request->graph->inputs[i]]);
        for (i = 0; i < made->outputs; i++)
            mock_take_port(&made->ports[made->inputs + i], &request->graph->tensors[request->graph->outputs[i]]);
    }
    if (code != OH_NN_SUCCESS) {
        NNRT_FREE(made);
        return code;
    }
    (void)MOCK_ADD(live_prepared, 1);
    *prepared = made;
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_prepare(void *device, const nnrt_request *request, void **prepared) {
    cr_assert_eq(device, (void *)&mock);
    cr_assert_null(*prepared);
    cr_assert_eq((request->graph != NULL) + (request->model_path != NULL) + (request->model != NULL), 1);
    if (mock.prepare_code != OH_NN_SUCCESS) return nnrt_backend_fail(mock.prepare_code, "mock: cannot prepare");
    (void)MOCK_ADD(prepared, 1);
    if (request->model_path != NULL) {
        nnrt__mapping file;
        OH_NN_ReturnCode code;
        const char *reason = nnrt__take_file(request->model_path, request->read_files, &file);
        if (reason != NULL) return nnrt_backend_fail(OH_NN_INVALID_FILE, reason);
        code = mock_make(request, file.data, file.size, prepared);
        nnrt__unmap_file(&file);
        return code;
    }
    return mock_make(request, request->model, request->model_size, prepared);
}

MOCK_FN OH_NN_ReturnCode mock_restore(void *device, const nnrt_request *request, const void *blob, size_t size,
                                      void **prepared) {
    cr_assert_eq(device, (void *)&mock);
    cr_assert(request->graph == NULL && (request->model_path == NULL || request->model == NULL));
    if (mock.restore_code != OH_NN_SUCCESS) return nnrt_backend_fail(mock.restore_code, "mock: cannot restore");
    (void)MOCK_ADD(restored, 1);
    return mock_make(request, blob, size, prepared);
}

MOCK_FN OH_NN_ReturnCode mock_save(void *prepared, void *blob, size_t capacity, size_t *size) {
    if (mock.save_code != OH_NN_SUCCESS) return nnrt_backend_fail(mock.save_code, "mock: cannot save");
    *size = sizeof(mock_prepared);
    if (blob != NULL && capacity >= *size) memcpy(blob, prepared, *size);
    return OH_NN_SUCCESS;
}

MOCK_FN void mock_release(void *prepared) {
    (void)MOCK_ADD(live_prepared, -1);
    NNRT_FREE(prepared);
}

MOCK_FN void mock_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    *inputs = ((mock_prepared *)prepared)->inputs;
    *outputs = ((mock_prepared *)prepared)->outputs;
}

MOCK_FN OH_NN_ReturnCode mock_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    const mock_prepared *model = (const mock_prepared *)prepared;
    const mock_port *port = &model->ports[(output ? model->inputs : 0) + index];
    desc->name = output ? "out" : "in";
    desc->dtype = (OH_NN_DataType)port->dtype;
    desc->format = OH_NN_FORMAT_NHWC;
    desc->rank = (uint32_t)port->rank;
    if (desc->rank <= NNRT_MAX_RANK) memcpy(desc->dims, port->dims, desc->rank * sizeof(desc->dims[0]));
    desc->scale = output ? 0.5 : 0.25;
    desc->zero_point = output ? 3 : -3;
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims) {
    const mock_port *port = &((const mock_prepared *)prepared)->ports[index];
    int32_t i;
    for (i = 0; i < port->rank; i++) {
        min_dims[i] = port->dims[i] > 0 ? (size_t)port->dims[i] : (size_t)MOCK_MIN_DYNAMIC;
        max_dims[i] = port->dims[i] > 0 ? (size_t)port->dims[i] : (size_t)MOCK_MAX_DYNAMIC;
    }
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_open_executor(void *prepared, void **executor) {
    mock_executor *made;
    if (mock.executor_code != OH_NN_SUCCESS) return nnrt_backend_fail(mock.executor_code, "mock: no executor");
    made = (mock_executor *)NNRT_MALLOC(sizeof(*made));
    if (made == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "mock: out of memory");
    memset(made, 0, sizeof(*made));
    made->prepared = (const mock_prepared *)prepared;
    made->step.name = "step";
    (void)MOCK_ADD(live_executors, 1);
    *executor = made;
    return OH_NN_SUCCESS;
}

/* For the slots arena_size and open_executor_in, which tests fill. */
MOCK_FN OH_NN_ReturnCode mock_arena_size(void *prepared, size_t *bytes) {
    (void)prepared;
    *bytes = mock.arena_bytes;
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_open_executor_in(void *prepared, void *arena, void **executor) {
    mock.arena = arena;
    return mock_open_executor(prepared, executor);
}

MOCK_FN void mock_close_executor(void *executor) {
    (void)MOCK_ADD(live_executors, -1);
    NNRT_FREE(executor);
}

MOCK_FN OH_NN_ReturnCode mock_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                  size_t output_count) {
    mock_executor *self = (mock_executor *)executor;
    int number = MOCK_ADD(runs, 1);
    size_t i, k;
    cr_assert_eq(input_count, self->prepared->inputs);
    cr_assert_eq(output_count, self->prepared->outputs);
    MOCK_WRITE(last_input_memory, inputs[0].memory);
    MOCK_WRITE(last_input_data, inputs[0].data);
    MOCK_WRITE(last_input_offset, inputs[0].offset);
    MOCK_WRITE(last_declared, inputs[0].declared + 2 * outputs[0].declared);
    MOCK_WRITE(last_repeated, inputs[0].repeated);
    if (mock.run_code != OH_NN_SUCCESS && (mock.run_code_at == 0 || mock.run_code_at == number))
        return nnrt_backend_fail(mock.run_code, "mock: told to fail");
    (void)MOCK_ADD(running, 1);
    while (MOCK_READ(late_look) != 0 && __atomic_load_n(&self->cancelled, __ATOMIC_SEQ_CST) == 0) usleep(500);
    __atomic_store_n(&self->cancelled, 0, __ATOMIC_SEQ_CST);
    while (MOCK_READ(hang) != 0) {
        if (MOCK_READ(heed_cancel) != 0 && __atomic_load_n(&self->cancelled, __ATOMIC_SEQ_CST) != 0) {
            (void)MOCK_ADD(running, -1);
            return nnrt_backend_fail(mock.cancel_code != OH_NN_SUCCESS ? mock.cancel_code : OH_NN_TIMEOUT,
                                     "mock: cancelled");
        }
        usleep(500);
    }
    (void)MOCK_ADD(running, -1);
    for (i = 0; i < output_count; i++) {
        const nnrt_io *from = &inputs[i % input_count];
        size_t count = 1;
        if (from->dtype != OH_NN_FLOAT32 || outputs[i].dtype != OH_NN_FLOAT32)
            return nnrt_backend_fail(OH_NN_FAILED, "mock: only float32");
        for (k = 0; k < from->rank; k++) count *= (size_t)from->dims[k];
        if (outputs[i].size < count * sizeof(float))
            return nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "mock: the output is too small");
        for (k = 0; k < count; k++) ((float *)outputs[i].data)[k] = ((const float *)from->data)[k] + 1.0f;
        outputs[i].rank = mock.output_rank != 0 ? mock.output_rank : from->rank;
        memcpy(outputs[i].dims, from->dims, sizeof(from->dims));
    }
    return OH_NN_SUCCESS;
}

MOCK_FN void mock_cancel(void *executor) {
    (void)MOCK_ADD(cancelled, 1);
    __atomic_store_n(&((mock_executor *)executor)->cancelled, 1, __ATOMIC_SEQ_CST);
}

MOCK_FN OH_NN_ReturnCode mock_profile(void *executor, const nnrt_profile_step **steps, uint32_t *count) {
    *steps = &((mock_executor *)executor)->step;
    *count = 1;
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_memory(void *executor, nnrt_memory *memory) {
    (void)executor;
    memory->device_bytes = 4096;
    memory->heap_bytes = sizeof(mock_prepared) + sizeof(mock_executor);
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_allocate(void *device, size_t size, nnrt_device_memory *memory) {
    (void)device;
    if (mock.allocate_code != OH_NN_SUCCESS) return nnrt_backend_fail(mock.allocate_code, "mock: no memory left");
    memory->data = NNRT_MALLOC(size);
    if (memory->data == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "mock: out of memory");
    memory->fd = -1;
    memory->handle = memory->data;
    (void)MOCK_ADD(live_memory, 1);
    return OH_NN_SUCCESS;
}

MOCK_FN OH_NN_ReturnCode mock_import(void *device, int fd, size_t size, size_t offset, nnrt_device_memory *memory) {
    (void)device;
    (void)fd;
    if (mock.allocate_code != OH_NN_SUCCESS) return nnrt_backend_fail(mock.allocate_code, "mock: cannot import");
    memory->data = NNRT_MALLOC(size - offset);
    if (memory->data == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "mock: out of memory");
    memory->fd = -1;
    memory->handle = memory->data;
    (void)MOCK_ADD(live_memory, 1);
    return OH_NN_SUCCESS;
}

MOCK_FN void mock_free_memory(void *device, nnrt_device_memory *memory) {
    (void)device;
    (void)MOCK_ADD(live_memory, -1);
    NNRT_FREE(memory->data);
}

/* Without memory of its own; mock_own_memory gives it some. */
static nnrt_backend mock_backend = {NNRT_BACKEND_VERSION,
                                    "mock",
                                    "tests",
                                    "1",
                                    OH_NN_ACCELERATOR,
                                    NNRT_CAN_FLOAT16 | NNRT_CAN_PERFORMANCE | NNRT_CAN_PRIORITY |
                                        NNRT_CAN_DYNAMIC_SHAPE | NNRT_CAN_CACHE,
                                    &mock,
                                    mock_open,
                                    mock_supports,
                                    mock_check_config,
                                    mock_prepare,
                                    mock_restore,
                                    mock_save,
                                    mock_release,
                                    mock_io_count,
                                    mock_io_desc,
                                    mock_input_range,
                                    mock_open_executor,
                                    mock_close_executor,
                                    mock_run,
                                    mock_cancel,
                                    mock_profile,
                                    mock_memory,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL};

MOCK_FN void mock_own_memory(void) {
    mock_backend.allocate = mock_allocate;
    mock_backend.import = mock_import;
    mock_backend.free_memory = mock_free_memory;
}

/* ------------------------------------------------------------------------------- what tests build with it */

/* Registers the device once per process and returns its id. */
MOCK_FN size_t mock_id(void) {
    static size_t id;
    if (id == 0) cr_assert_eq(nnrt_register_backend(&mock_backend, &id), OH_NN_SUCCESS, "%s", nnrt_last_error());
    return id;
}

MOCK_FN NN_TensorDesc *mock_desc(const int32_t *dims, size_t rank) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    if (desc == NULL) return NULL;
    (void)OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32);
    (void)OH_NNTensorDesc_SetShape(desc, dims, rank);
    return desc;
}

/* A finished model with one RELU; NULL when out of memory. */
MOCK_FN OH_NNModel *mock_model(const int32_t *dims, size_t rank) {
    uint32_t in[1] = {0}, out[1] = {1};
    OH_NN_UInt32Array none = {NULL, 0}, inputs, outputs;
    NN_TensorDesc *desc = mock_desc(dims, rank);
    OH_NNModel *model = desc != NULL ? OH_NNModel_Construct() : NULL;
    inputs.data = in;
    outputs.data = out;
    inputs.size = outputs.size = 1;
    if (model != NULL && (OH_NNModel_AddTensorToModel(model, desc) != OH_NN_SUCCESS ||
                          OH_NNModel_AddTensorToModel(model, desc) != OH_NN_SUCCESS ||
                          OH_NNModel_AddOperation(model, OH_NN_OPS_RELU, &none, &inputs, &outputs) != OH_NN_SUCCESS ||
                          OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &outputs) != OH_NN_SUCCESS ||
                          OH_NNModel_Finish(model) != OH_NN_SUCCESS))
        OH_NNModel_Destroy(&model);
    if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    return model;
}

/* A compilation of that model for the mock, not built. */
MOCK_FN OH_NNCompilation *mock_compilation(const int32_t *dims, size_t rank) {
    OH_NNModel *model = mock_model(dims, rank);
    OH_NNCompilation *compilation;
    cr_assert_not_null(model, "%s", nnrt_last_error());
    compilation = OH_NNCompilation_Construct(model);
    cr_assert_not_null(compilation);
    OH_NNModel_Destroy(&model);
    cr_assert_eq(OH_NNCompilation_SetDevice(compilation, mock_id()), OH_NN_SUCCESS);
    return compilation;
}

MOCK_FN OH_NNExecutor *mock_executor_of(const int32_t *dims, size_t rank) {
    OH_NNCompilation *compilation = mock_compilation(dims, rank);
    OH_NNExecutor *executor;
    cr_assert_eq(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS, "%s", nnrt_last_error());
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    return executor;
}

MOCK_FN NN_Tensor *mock_tensor(const int32_t *dims, size_t rank) {
    NN_TensorDesc *desc = mock_desc(dims, rank);
    NN_Tensor *tensor = OH_NNTensor_Create(mock_id(), desc);
    cr_assert_not_null(tensor, "%s", nnrt_last_error());
    (void)OH_NNTensorDesc_Destroy(&desc);
    return tensor;
}

MOCK_FN float *mock_floats(NN_Tensor *tensor) { return (float *)OH_NNTensor_GetDataBuffer(tensor); }

#define IP OH_NN_INVALID_PARAMETER
#define FORBIDDEN OH_NN_OPERATION_FORBIDDEN
#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, "%s: %s", #call, nnrt_last_error())
/* Checks that the call returns code and leaves a new sentence. */
#define REFUSED(call, code)                                                                              \
    do {                                                                                                 \
        (void)nnrt_backend_fail(OH_NN_FAILED, "stale");                                                  \
        cr_assert_eq((int)(call), (int)(code), "%s: %s", #call, nnrt_last_error());                      \
        cr_assert(strcmp(nnrt_last_error(), "stale") != 0 && nnrt_last_error()[0] != '\0', "%s", #call); \
    } while (0)
#define REFUSED_NULL(call)                                                                               \
    do {                                                                                                 \
        (void)nnrt_backend_fail(OH_NN_FAILED, "stale");                                                  \
        cr_assert_null(call, "%s", #call);                                                               \
        cr_assert(strcmp(nnrt_last_error(), "stale") != 0 && nnrt_last_error()[0] != '\0', "%s", #call); \
    } while (0)

#endif /* NNRT_TESTS_MOCK_DEVICE_H */
