/* SPDX-License-Identifier: Apache-2.0 */
/* group_devices.h - devices for tests of groups: several of them, with times, faults and a hand on each.

   Include it after nnrt.h. Output element i of a model is element i % n of its input number 0, which has n, plus what
   the device adds; types are float32. A device takes any graph. Fields are read and written atomically. */
#ifndef NNRT_TESTS_GROUP_DEVICES_H
#define NNRT_TESTS_GROUP_DEVICES_H

#include <criterion/criterion.h>

#include <string.h>
#include <unistd.h>

#define GD_FN static __attribute__((unused))

enum {
    GD_MOST = 3,  /* devices */
    GD_PORTS = 4, /* inputs, and outputs, of a model */
    GD_LOG = 64
};

typedef struct gd_device {
    int adds;     /* to every element */
    int least_us; /* a run takes at least so long, and up to */
    int more_us;  /* so much longer */
    int one_in;   /* not 0: one run in so many ends in */
    int fault;    /* this OH_NN_ReturnCode; one_in 1: every run */
    int held;     /* runs wait until this is 0 */
    int late;     /* nnrt_executor_wait_late answers OH_NN_TIMEOUT */
    int waits;    /* runs that are held now */
    int running, most_running, runs;
    int live_prepared, live_executors;
    unsigned noise;
    float log[GD_LOG]; /* element 0 of the first runs, in the order in which they began */
} gd_device;

static gd_device gd_devices[GD_MOST];

#define GD_READ(field) __atomic_load_n(&(field), __ATOMIC_SEQ_CST)
#define GD_WRITE(field, value) __atomic_store_n(&(field), value, __ATOMIC_SEQ_CST)
#define GD_ADD(field, value) __atomic_add_fetch(&(field), value, __ATOMIC_SEQ_CST)

/* A number below most, another one each time. */
GD_FN unsigned gd_noise(gd_device *device, unsigned most) {
    unsigned value = GD_ADD(device->noise, 0x9e3779b9u);
    value = (value ^ (value >> 16)) * 0x45d9f3bu;
    value = (value ^ (value >> 16)) * 0x45d9f3bu;
    return (value ^ (value >> 16)) % most;
}

typedef struct gd_model {
    gd_device *device;
    uint32_t inputs, outputs;
    nnrt_tensor_info ports[2 * GD_PORTS];
    int32_t dims[2 * GD_PORTS][NNRT_MAX_RANK];
} gd_model;

GD_FN OH_NN_ReturnCode gd_open(void *user, void **device) {
    *device = user;
    return OH_NN_SUCCESS;
}

GD_FN void gd_take_port(gd_model *model, uint32_t port, const nnrt_tensor_info *from) {
    model->ports[port].dtype = from->dtype;
    model->ports[port].rank = from->rank;
    memcpy(model->dims[port], from->dims, from->rank * sizeof(from->dims[0]));
}

GD_FN OH_NN_ReturnCode gd_prepare(void *device, const nnrt_request *request, void **prepared) {
    const nnrt_graph *graph = request->graph;
    gd_model *model = (gd_model *)NNRT_MALLOC(sizeof(*model));
    uint32_t i;
    if (model == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "gd: out of memory");
    memset(model, 0, sizeof(*model));
    model->device = (gd_device *)device;
    model->inputs = graph->input_count;
    model->outputs = graph->output_count;
    for (i = 0; i < model->inputs; i++) gd_take_port(model, i, &graph->tensors[graph->inputs[i]]);
    for (i = 0; i < model->outputs; i++) gd_take_port(model, model->inputs + i, &graph->tensors[graph->outputs[i]]);
    (void)GD_ADD(model->device->live_prepared, 1);
    *prepared = model;
    return OH_NN_SUCCESS;
}

GD_FN void gd_release(void *prepared) {
    (void)GD_ADD(((gd_model *)prepared)->device->live_prepared, -1);
    NNRT_FREE(prepared);
}

GD_FN void gd_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    *inputs = ((gd_model *)prepared)->inputs;
    *outputs = ((gd_model *)prepared)->outputs;
}

GD_FN OH_NN_ReturnCode gd_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    static const char *const names[2][GD_PORTS] = {{"in", "side", "side", "in.3"}, {"out", "more", "more", "out.3"}};
    const gd_model *model = (const gd_model *)prepared;
    const size_t port = (output ? model->inputs : 0) + index;
    desc->name = names[output][index];
    desc->dtype = model->ports[port].dtype;
    desc->format = OH_NN_FORMAT_NHWC;
    desc->rank = model->ports[port].rank;
    memcpy(desc->dims, model->dims[port], sizeof(model->dims[port]));
    desc->scale = 0.0;
    desc->zero_point = 0;
    return OH_NN_SUCCESS;
}

GD_FN OH_NN_ReturnCode gd_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims) {
    const gd_model *model = (const gd_model *)prepared;
    uint32_t i;
    for (i = 0; i < model->ports[index].rank; i++) {
        min_dims[i] = model->dims[index][i] > 0 ? (size_t)model->dims[index][i] : 1;
        max_dims[i] = model->dims[index][i] > 0 ? (size_t)model->dims[index][i] : 64;
    }
    return OH_NN_SUCCESS;
}

GD_FN OH_NN_ReturnCode gd_open_executor(void *prepared, void **executor) {
    gd_model **made = (gd_model **)NNRT_MALLOC(sizeof(*made));
    if (made == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "gd: out of memory");
    *made = (gd_model *)prepared;
    (void)GD_ADD((*made)->device->live_executors, 1);
    *executor = made;
    return OH_NN_SUCCESS;
}

GD_FN void gd_close_executor(void *executor) {
    (void)GD_ADD((*(gd_model **)executor)->device->live_executors, -1);
    NNRT_FREE(executor);
}

/* Shapes of outputs: as declared; a dynamic one is that of input 0. */
GD_FN void gd_shape(const gd_model *model, const nnrt_io *inputs, nnrt_io *outputs) {
    uint32_t i, k;
    for (i = 0; i < model->outputs; i++) {
        outputs[i].rank = model->ports[model->inputs + i].rank;
        for (k = 0; k < outputs[i].rank; k++) {
            const int32_t dim = model->dims[model->inputs + i][k];
            outputs[i].dims[k] = dim > 0 ? dim : inputs[0].dims[k];
        }
    }
}

GD_FN size_t gd_elements(const nnrt_io *io) {
    size_t elements = 1, i;
    for (i = 0; i < io->rank; i++) elements *= (size_t)io->dims[i];
    return elements;
}

GD_FN OH_NN_ReturnCode gd_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                              size_t output_count) {
    const gd_model *model = *(gd_model **)executor;
    gd_device *device = model->device;
    const int number = GD_ADD(device->runs, 1), running = GD_ADD(device->running, 1);
    const int least = GD_READ(device->least_us), more = GD_READ(device->more_us), one_in = GD_READ(device->one_in);
    const float *from = (const float *)inputs[0].data;
    size_t i, k;
    (void)input_count;
    if (number <= GD_LOG) device->log[number - 1] = from[0];
    for (;;) {
        int most = GD_READ(device->most_running);
        if (running <= most ||
            __atomic_compare_exchange_n(&device->most_running, &most, running, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            break;
    }
    (void)GD_ADD(device->waits, 1);
    while (GD_READ(device->held) != 0) usleep(200);
    (void)GD_ADD(device->waits, -1);
    if (least + more > 0) usleep((useconds_t)(least + (more > 0 ? (int)gd_noise(device, (unsigned)more) : 0)));
    (void)GD_ADD(device->running, -1);
    if (one_in != 0 && gd_noise(device, (unsigned)one_in) == 0)
        return nnrt_backend_fail((OH_NN_ReturnCode)GD_READ(device->fault), "gd: told to fail");
    gd_shape(model, inputs, outputs);
    for (i = 0; i < output_count; i++)
        for (k = 0; k < gd_elements(&outputs[i]); k++)
            ((float *)outputs[i].data)[k] = from[k % gd_elements(&inputs[0])] + (float)GD_READ(device->adds);
    return OH_NN_SUCCESS;
}

GD_FN OH_NN_ReturnCode gd_wait_late(void *executor, uint32_t timeout_ms) {
    (void)timeout_ms;
    if (GD_READ((*(gd_model **)executor)->device->late) == 0) return OH_NN_SUCCESS;
    return nnrt_backend_fail(OH_NN_TIMEOUT, "gd: still at it");
}

GD_FN OH_NN_ReturnCode gd_prepare_shapes(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                         size_t output_count) {
    (void)input_count;
    (void)output_count;
    gd_shape(*(gd_model **)executor, inputs, outputs);
    return OH_NN_SUCCESS;
}

/* Registers device number i once per process; its id. */
GD_FN size_t gd_id(int i) {
    static const char *const names[GD_MOST] = {"alpha", "beta", "gamma"};
    static nnrt_backend tables[GD_MOST];
    static size_t ids[GD_MOST];
    nnrt_backend *table = &tables[i];
    if (ids[i] != 0) return ids[i];
    table->version = NNRT_BACKEND_VERSION;
    table->name = names[i];
    table->vendor = "tests";
    table->device_version = "1";
    table->type = OH_NN_ACCELERATOR;
    table->capabilities = NNRT_CAN_DYNAMIC_SHAPE;
    table->user = &gd_devices[i];
    table->open = gd_open;
    table->prepare = gd_prepare;
    table->release = gd_release;
    table->io_count = gd_io_count;
    table->io_desc = gd_io_desc;
    table->input_range = gd_input_range;
    table->open_executor = gd_open_executor;
    table->close_executor = gd_close_executor;
    table->run = gd_run;
    table->wait_late = gd_wait_late;
    table->prepare_shapes = gd_prepare_shapes;
    gd_devices[i].adds = 1;
    gd_devices[i].fault = OH_NN_FAILED;
    cr_assert_eq(nnrt_register_backend(table, &ids[i]), OH_NN_SUCCESS, "%s", nnrt_last_error());
    return ids[i];
}

/* A model of `inputs` inputs [from] and `outputs` outputs [to] for device number i, built; NULL when out of memory. */
GD_FN OH_NNCompilation *gd_model_of(int i, uint32_t inputs, int32_t from, uint32_t outputs, int32_t to) {
    uint32_t in[GD_PORTS] = {0, 1, 2, 3}, out[GD_PORTS], k;
    OH_NN_UInt32Array none = {NULL, 0}, ins, outs;
    OH_NNModel *model = OH_NNModel_Construct();
    OH_NNCompilation *compilation = NULL;
    bool ok = model != NULL;
    ins.data = in;
    ins.size = inputs;
    outs.data = out;
    outs.size = outputs;
    for (k = 0; ok && k < inputs + outputs; k++) {
        NN_TensorDesc *desc = OH_NNTensorDesc_Create();
        const int32_t dims[1] = {k < inputs ? from : to};
        ok = desc != NULL && OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32) == OH_NN_SUCCESS &&
             OH_NNTensorDesc_SetShape(desc, dims, 1) == OH_NN_SUCCESS &&
             OH_NNModel_AddTensorToModel(model, desc) == OH_NN_SUCCESS;
        if (k >= inputs) out[k - inputs] = k;
        if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    }
    /* One operation with all of them: that is what this device takes a graph to be. */
    for (k = 0; ok && k < outputs; k++) {
        OH_NN_UInt32Array one_in = {in, 1}, one_out = {&out[k], 1};
        one_in.data = &in[k % inputs];
        ok = OH_NNModel_AddOperation(model, OH_NN_OPS_RELU, &none, &one_in, &one_out) == OH_NN_SUCCESS;
    }
    ok = ok && OH_NNModel_SpecifyInputsAndOutputs(model, &ins, &outs) == OH_NN_SUCCESS &&
         OH_NNModel_Finish(model) == OH_NN_SUCCESS;
    if (ok) compilation = OH_NNCompilation_Construct(model);
    if (compilation != NULL && (OH_NNCompilation_SetDevice(compilation, gd_id(i)) != OH_NN_SUCCESS ||
                                OH_NNCompilation_Build(compilation) != OH_NN_SUCCESS))
        OH_NNCompilation_Destroy(&compilation);
    if (model != NULL) OH_NNModel_Destroy(&model);
    return compilation;
}

/* The same with one input and one output. */
GD_FN OH_NNCompilation *gd_model_1(int i, int32_t from, int32_t to) { return gd_model_of(i, 1, from, 1, to); }

/* Nothing is alive, in no device and on no heap. */
GD_FN void gd_all_gone(void) {
    int i;
    for (i = 0; i < GD_MOST; i++)
        cr_assert_eq(GD_READ(gd_devices[i].live_prepared) + GD_READ(gd_devices[i].live_executors), 0);
    cr_assert_eq(counting_live(), 0);
}

#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, "%s: %s", #call, nnrt_last_error())
/* The call answers code with a sentence that has text in it. */
#define REFUSED(call, code, text)                                                                    \
    do {                                                                                             \
        (void)nnrt_backend_fail(OH_NN_FAILED, "stale");                                              \
        cr_assert_eq((int)(call), (int)(code), "%s: %s", #call, nnrt_last_error());                  \
        cr_assert_not_null(strstr(nnrt_last_error(), text), "%s: \"%s\"", #call, nnrt_last_error()); \
    } while (0)
#define REFUSED_NULL(call, text)                                                                     \
    do {                                                                                             \
        (void)nnrt_backend_fail(OH_NN_FAILED, "stale");                                              \
        cr_assert_null(call, "%s", #call);                                                           \
        cr_assert_not_null(strstr(nnrt_last_error(), text), "%s: \"%s\"", #call, nnrt_last_error()); \
    } while (0)

#define IP OH_NN_INVALID_PARAMETER
#define FORBIDDEN OH_NN_OPERATION_FORBIDDEN

#endif /* NNRT_TESTS_GROUP_DEVICES_H */
