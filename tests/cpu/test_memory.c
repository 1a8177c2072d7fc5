/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that reported memory is right: heap_bytes is, to the byte, what the allocator gave to an executor and its
   compilation, build_peak_bytes the most that was allocated at once during Build; that a graph is freed when nothing
   needs it any more; that weights left in place are not copied and the plan is packed all the same; that shapes that
   were prepared, and all static ones, run without an allocation; that only the address of a plan decides whether it is
   copied; and that an executor computes the same in an arena of the program's, takes no byte more than it said, and
   shares it; and that opening a plan takes little beyond the arena. */
#include "linked.h"

#include "graph_builder.h"
#include "mock_device.h"
#include "offline_runner.h"

#include <fcntl.h>
#include <sys/stat.h>

#define METER "examples/meter/meter.tflite"

enum {
    FEATURES = 512,
    WIDTH = 64
};

/* ------------------------------------------------------------------------------------------------- models */

/* y [-1, 512] = FULL_CONNECTION(x [-1, 64]), int8, 32 KiB of weights. rows -1: dynamic. */
static void wide_graph(gb_graph *g, int32_t rows) {
    static int8_t weights[FEATURES * WIDTH];
    static int32_t bias[FEATURES];
    const int32_t w_dims[2] = {FEATURES, WIDTH}, features = FEATURES;
    int32_t x_dims[2] = {0, WIDTH}, y_dims[2] = {0, FEATURES};
    const double scale = 0.01;
    uint32_t in[3], y, i;
    x_dims[0] = y_dims[0] = rows;
    for (i = 0; i < FEATURES * WIDTH; i++) weights[i] = (int8_t)(i * 37u % 251u);
    for (i = 0; i < FEATURES; i++) bias[i] = (int32_t)i - 200;
    gb_open(g);
    in[0] = gb_input(g, gb_tensor_s8(g, 2, x_dims, 0.05, -3));
    in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 2, w_dims, weights), 1, &scale, NULL);
    in[2] = gb_constant(g, OH_NN_INT32, 1, &features, bias);
    y = gb_output(g, gb_tensor_s8(g, 2, y_dims, 0.2, 11));
    OK(gb_op(g, OH_NN_OPS_FULL_CONNECTION, 3, in, 1, &y));
    OK(gb_finish(g));
}

/* A compilation of that graph, which nobody else holds. */
static OH_NNCompilation *wide_compilation(int32_t rows) {
    OH_NNCompilation *compilation;
    gb_graph g;
    wide_graph(&g, rows);
    compilation = OH_NNCompilation_Construct(g.model);
    cr_assert_not_null(compilation);
    gb_close(&g);
    return compilation;
}

static NN_Tensor *rows_tensor(size_t device, NN_TensorDesc *desc, int32_t rows, int32_t width) {
    int32_t dims[2];
    NN_Tensor *tensor;
    dims[0] = rows;
    dims[1] = width;
    cr_assert_not_null(desc);
    OK(OH_NNTensorDesc_SetShape(desc, dims, 2));
    tensor = OH_NNTensor_Create(device, desc);
    cr_assert_not_null(tensor, "%s", nnrt_last_error());
    OK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

/* One run of the wide graph with so many rows; the number of allocations in it. */
static size_t calls_of_rows(OH_NNExecutor *executor, int32_t rows) {
    NN_Tensor *in = rows_tensor(gb_device(), OH_NNExecutor_CreateInputTensorDesc(executor, 0), rows, WIDTH);
    NN_Tensor *out = rows_tensor(gb_device(), OH_NNExecutor_CreateOutputTensorDesc(executor, 0), rows, FEATURES);
    size_t calls = counting_calls();
    memset(OH_NNTensor_GetDataBuffer(in), rows, (size_t)rows * WIDTH);
    OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
    calls = counting_calls() - calls;
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    return calls;
}

static void prepare_rows(OH_NNExecutor *executor, int32_t rows, OH_NN_ReturnCode wanted) {
    NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    int32_t dims[2];
    dims[0] = rows;
    dims[1] = WIDTH;
    OK(OH_NNTensorDesc_SetShape(desc, dims, 2));
    cr_assert_eq((int)nnrt_executor_prepare(executor, &desc, 1), (int)wanted, "%d rows: %s", (int)rows,
                 nnrt_last_error());
    OK(OH_NNTensorDesc_Destroy(&desc));
}

/* ---------------------------------------------------------------------------------------------- the books */

/* Fills the registry, which is nobody's memory. */
static void warm_up(void) {
    (void)off_device();
    (void)mock_id();
}

static nnrt_memory memory_of(const OH_NNExecutor *executor) {
    nnrt_memory memory;
    OK(nnrt_executor_get_memory(executor, &memory));
    return memory;
}

/* What the CPU device has made of the model. */
static const nnrt__cpu_prepared *prepared_of(const OH_NNExecutor *executor) {
    return (const nnrt__cpu_prepared *)executor->prepared->object;
}

/* The executor reports everything that was allocated since `before`. */
static void is_told(const char *what, const OH_NNExecutor *executor, size_t before) {
    cr_assert_eq(memory_of(executor).heap_bytes, counting_bytes() - before, "%s: %zu told, %zu handed out", what,
                 memory_of(executor).heap_bytes, counting_bytes() - before);
}

/* Builds, and compares both figures with the books, which were opened before anything of the compilation was there. */
static void build_is_told(const char *what, OH_NNCompilation *compilation, const off_settings *settings,
                          size_t before) {
    OH_NNExecutor *executor;
    size_t peak;
    counting_peak_begin();
    cr_assert_eq((int)off_build(compilation, settings), (int)OH_NN_SUCCESS, "%s: %s", what, nnrt_last_error());
    peak = counting_peak() - before;
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    is_told(what, executor, before);
    cr_assert_eq(memory_of(executor).build_peak_bytes, peak, "%s: peak %zu told, %zu counted", what,
                 memory_of(executor).build_peak_bytes, peak);
    OH_NNCompilation_Destroy(&compilation);
    is_told("without the compilation", executor, before);
    OH_NNExecutor_Destroy(&executor);
    cr_assert_eq(counting_bytes(), before, "%s", what);
}

static off_settings settings_of(OH_NN_PerformanceMode performance, const char *threads, const char *profile) {
    off_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.performance = performance;
    settings.threads = threads;
    settings.profile = profile;
    return settings;
}

Test(memory, both_figures_are_what_the_allocator_counted_for_every_kind_of_model) {
    static const OH_NN_PerformanceMode modes[3] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW,
                                                   OH_NN_PERFORMANCE_EXTREME};
    size_t model_size, plan_size = 0, before, i, k;
    uint8_t *model = off_read(METER, &model_size), *plan = NULL;
    warm_up();
    cr_assert_not_null(model);
    for (i = 0; i < 3; i++) {
        for (k = 0; k < 2; k++) {
            off_settings settings = settings_of(modes[i], k != 0 ? "3" : NULL, k != 0 ? "1" : NULL);
            OH_NNCompilation *compilation;
            void *block;
            before = counting_bytes();
            build_is_told("graph", wide_compilation(1), &settings, before);
            build_is_told("dynamic graph", wide_compilation(-1), &settings, before);
            build_is_told(".tflite in a file", OH_NNCompilation_ConstructWithOfflineModelFile(METER), &settings,
                          before);
            compilation = OH_NNCompilation_ConstructWithOfflineModelFile(METER);
            off_config(compilation, "nnrt.map", "0");
            build_is_told(".tflite read from a file", compilation, &settings, before);
            build_is_told(".tflite in memory", OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size),
                          &settings, before);
            compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
            OK(off_build(compilation, &settings));
            free(plan);
            plan = off_export(compilation, &plan_size);
            OH_NNCompilation_Destroy(&compilation);
            build_is_told("plan in memory", OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, plan_size),
                          &settings, before);
            build_is_told(
                "plan that is copied",
                OH_NNCompilation_ConstructWithOfflineModelBuffer(off_copy(plan, plan_size, 1, &block), plan_size),
                &settings, before);
            free(block);
            compilation = OH_NNCompilation_ConstructForCache();
            OK(OH_NNCompilation_ImportCacheFromBuffer(compilation, plan, plan_size));
            build_is_told("cache in memory", compilation, &settings, before);
        }
    }
    free(plan);
    free(model);
}

Test(memory, both_figures_are_true_when_a_cache_is_written_and_when_it_is_read) {
    const OH_NN_PerformanceMode modes[2] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW};
    char folder[] = "/tmp/nnrt-memory-XXXXXX", command[64];
    off_settings settings;
    size_t before, i, k;
    warm_up();
    cr_assert_not_null(mkdtemp(folder));
    before = counting_bytes();
    for (i = 0; i < 2; i++) {
        for (k = 0; k < 3; k++) { /* written, mapped, read */
            OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(METER);
            OK(OH_NNCompilation_SetCache(compilation, folder, 1));
            off_config(compilation, "ModelName", "meter");
            off_config(compilation, "nnrt.map", k == 2 ? "0" : NULL);
            settings = settings_of(modes[i], NULL, NULL);
            build_is_told(k == 0   ? "cache written"
                          : k == 1 ? "cache mapped"
                                   : "cache read",
                          compilation, &settings, before);
        }
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

Test(memory, each_executor_tells_itself_and_the_compilation) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *one, *two;
    size_t before, with_one, second;
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    warm_up();
    before = counting_bytes();
    compilation = wide_compilation(1);
    OK(off_build(compilation, &settings));
    one = OH_NNExecutor_Construct(compilation);
    with_one = counting_bytes();
    two = OH_NNExecutor_Construct(compilation);
    second = counting_bytes() - with_one;
    cr_assert_eq(memory_of(one).heap_bytes, with_one - before);
    cr_assert_eq(memory_of(two).heap_bytes, memory_of(one).heap_bytes);
    cr_assert_eq(memory_of(one).heap_bytes + second, counting_bytes() - before);
    OH_NNExecutor_Destroy(&one);
    is_told("the second alone", two, before);
    OH_NNExecutor_Destroy(&two);
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(counting_bytes(), before);
}

Test(memory, shapes_that_come_and_go_are_in_the_figure) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    size_t before;
    int32_t rows;
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    warm_up();
    before = counting_bytes();
    compilation = wide_compilation(-1);
    OK(off_build(compilation, &settings));
    executor = OH_NNExecutor_Construct(compilation);
    is_told("no shape yet", executor, before);
    for (rows = 1; rows < 8; rows++) {
        (void)calls_of_rows(executor, rows);
        is_told("after a run", executor, before);
        prepare_rows(executor, rows * 3, OH_NN_SUCCESS);
        is_told("after a preparation", executor, before);
    }
    OH_NNCompilation_Destroy(&compilation);
    is_told("without the compilation", executor, before);
    OH_NNExecutor_Destroy(&executor);
    cr_assert_eq(counting_bytes(), before);
}

/* Floats at an odd offset of a file are copied; the room for that stays, and grows with the shape. */
Test(memory, copies_of_tensors_that_are_not_aligned_are_in_the_figure) {
    static const int32_t dynamic[1] = {-1}, sizes[3] = {3, 8, 5};
    char path[] = "/tmp/nnrt-memory-XXXXXX";
    NN_TensorDesc *desc;
    gb_graph g;
    uint32_t x, y;
    size_t before, calls, i;
    int fd = mkstemp(path);
    warm_up();
    cr_assert(fd >= 0 && unlink(path) == 0 && ftruncate(fd, 64) == 0);
    before = counting_bytes();
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dynamic));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dynamic));
    OK(gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y));
    OK(gb_build(&g));
    OH_NNModel_Destroy(&g.model);
    desc = OH_NNExecutor_CreateInputTensorDesc(g.executor, 0);
    for (i = 0; i < 3; i++) {
        NN_Tensor *in, *out;
        OK(OH_NNTensorDesc_SetShape(desc, &sizes[i], 1));
        in = OH_NNTensor_CreateWithFd(gb_device(), desc, fd, 1 + 4 * (size_t)sizes[i], 1);
        out = OH_NNTensor_Create(gb_device(), desc);
        cr_assert(in != NULL && out != NULL, "%s", nnrt_last_error());
        OK(OH_NNExecutor_RunSync(g.executor, &in, 1, &out, 1));
        calls = counting_calls();
        OK(OH_NNExecutor_RunSync(g.executor, &in, 1, &out, 1));
        cr_assert_eq(counting_calls(), calls, "the second run allocates");
        OK(OH_NNTensor_Destroy(&in));
        OK(OH_NNTensor_Destroy(&out));
    }
    OK(OH_NNTensorDesc_Destroy(&desc));
    is_told("after the runs", g.executor, before);
    gb_close(&g);
    cr_assert_eq(counting_bytes(), before);
    close(fd);
}

/* A matrix is turned, which no step does where it stands: with a tensor for each, and with one for both, by turns. */
Test(memory, a_tensor_may_be_input_and_output_at_once) {
    enum {
        SIDE = 24,
        COUNT = SIDE * SIDE
    };
    static const int32_t dims[2] = {SIDE, SIDE}, two[1] = {2}, order[2] = {1, 0};
    NN_TensorDesc *desc;
    gb_graph g;
    uint32_t in[2], out;
    size_t before, calls, i;
    int way, again;
    warm_up();
    before = counting_bytes();
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    in[1] = gb_constant(&g, OH_NN_INT32, 1, two, order);
    out = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    OK(gb_op(&g, OH_NN_OPS_TRANSPOSE, 2, in, 1, &out));
    OK(gb_build(&g));
    OH_NNModel_Destroy(&g.model);
    desc = OH_NNExecutor_CreateInputTensorDesc(g.executor, 0);
    for (way = 0; way < 4; way++) {
        NN_Tensor *from = OH_NNTensor_Create(gb_device(), desc);
        NN_Tensor *to = way % 2 == 1 ? from : OH_NNTensor_Create(gb_device(), desc);
        cr_assert(from != NULL && to != NULL, "%s", nnrt_last_error());
        for (again = 0; again < 3; again++) {
            float *numbers = OH_NNTensor_GetDataBuffer(from);
            for (i = 0; i < COUNT; i++) numbers[i] = (float)i;
            calls = counting_calls();
            OK(OH_NNExecutor_RunSync(g.executor, &from, 1, &to, 1));
            cr_assert(again == 0 || counting_calls() == calls, "run %d allocates", again);
            numbers = OH_NNTensor_GetDataBuffer(to);
            for (i = 0; i < COUNT; i++)
                cr_assert_eq((size_t)numbers[i], i % SIDE * SIDE + i / SIDE, "way %d, number %zu: %g", way, i,
                             (double)numbers[i]);
        }
        OK(OH_NNTensor_Destroy(&from));
        if (way % 2 == 0) OK(OH_NNTensor_Destroy(&to));
    }
    OK(OH_NNTensorDesc_Destroy(&desc));
    is_told("after the runs", g.executor, before);
    gb_close(&g);
    cr_assert_eq(counting_bytes(), before);
}

Test(memory, what_the_deprecated_calls_have_bound_is_in_the_figure) {
    static const int32_t dims[2] = {1, WIDTH};
    static int8_t data[WIDTH], result[FEATURES];
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    OH_NN_Tensor tensor;
    size_t before;
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    warm_up();
    memset(&tensor, 0, sizeof tensor);
    tensor.dataType = OH_NN_INT8;
    tensor.dimensionCount = 2;
    tensor.dimensions = dims;
    tensor.type = OH_NN_TENSOR;
    before = counting_bytes();
    compilation = wide_compilation(1);
    OK(off_build(compilation, &settings));
    executor = OH_NNExecutor_Construct(compilation);
    OK(OH_NNExecutor_SetInput(executor, 0, &tensor, data, sizeof data));
    is_told("SetInput", executor, before);
    OK(OH_NNExecutor_SetOutput(executor, 0, result, sizeof result));
    is_told("SetOutput", executor, before);
    OK(OH_NNExecutor_Run(executor));
    is_told("Run", executor, before);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(counting_bytes(), before);
}

/* ------------------------------------------------------------------------------------------ a foreign device */

static void note_done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t count) {
    (void)code;
    (void)outputs;
    (void)count;
    (void)__atomic_add_fetch((int *)user, 1, __ATOMIC_SEQ_CST);
}

Test(memory, runs_that_wait_are_in_the_figure) {
    static const int32_t dims[2] = {2, 3};
    NN_Tensor *in, *out;
    OH_NNExecutor *executor;
    size_t before, idle;
    int done = 0, i;
    warm_up();
    in = mock_tensor(dims, 2);
    out = mock_tensor(dims, 2);
    before = counting_bytes();
    executor = mock_executor_of(dims, 2);
    is_told("idle", executor, before);
    idle = counting_bytes();
    OK(OH_NNExecutor_SetOnRunDone(executor, note_done));
    for (i = 0; i < 3; i++) OK(OH_NNExecutor_RunAsync(executor, &in, 1, &out, 1, 0, &done));
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) != 3) usleep(1000);
    while (counting_bytes() != idle) usleep(1000); /* the last one is freed behind its callback */
    is_told("all done", executor, before);
    nnrt__fast_mutex_lock(&executor->run_mutex); /* nobody runs: they stay in the queue */
    for (i = 0; i < 3; i++) OK(OH_NNExecutor_RunAsync(executor, &in, 1, &out, 1, 0, &done));
    cr_assert_gt(counting_bytes(), idle);
    cr_assert_eq(nnrt__executor_bytes(executor) + sizeof(mock_prepared) + sizeof(mock_executor),
                 counting_bytes() - before);
    nnrt__fast_mutex_unlock(&executor->run_mutex);
    OH_NNExecutor_Destroy(&executor);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
}

/* Synchronous runs with the same tensors, between which the executor meets others. */
Test(memory, a_repeated_run_computes_its_own_tensors_whatever_came_between) {
    static const int32_t any[1] = {-1}, four[1] = {4}, six[1] = {6};
    float *numbers;
    int fixed, way, done = 0;
    for (fixed = 0; fixed < 2; fixed++) {
        gb_graph g;
        NN_Tensor *in[2], *out[2];
        NN_TensorDesc *desc;
        uint32_t x, y;
        gb_open(&g);
        x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, fixed == 1 ? four : any));
        y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, fixed == 1 ? four : any));
        OK(gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y));
        OK(gb_build(&g));
        desc = OH_NNExecutor_CreateInputTensorDesc(g.executor, 0);
        for (way = 0; way < 2; way++) {
            OK(OH_NNTensorDesc_SetShape(desc, way == 1 && fixed == 0 ? six : four, 1));
            in[way] = OH_NNTensor_Create(gb_device(), desc);
            out[way] = OH_NNTensor_Create(gb_device(), desc);
        }
        OK(OH_NNExecutor_SetOnRunDone(g.executor, note_done));
        for (way = 0; way < 12; way++) {
            numbers = OH_NNTensor_GetDataBuffer(in[0]);
            numbers[3] = (float)way;
            ((float *)OH_NNTensor_GetDataBuffer(in[1]))[3] = 100;
            ((float *)OH_NNTensor_GetDataBuffer(out[0]))[3] = -1;
            OK(OH_NNExecutor_RunSync(g.executor, in, 1, out, 1));
            cr_assert_eq((int)((float *)OH_NNTensor_GetDataBuffer(out[0]))[3], way);
            if (way == 4) OK(OH_NNExecutor_RunSync(g.executor, in + 1, 1, out + 1, 1));
            if (way == 6) {
                OK(OH_NNExecutor_RunAsync(g.executor, in + 1, 1, out + 1, 1, 0, &done));
                while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) != fixed + 1) usleep(1000);
                cr_assert_eq((int)((float *)OH_NNTensor_GetDataBuffer(out[1]))[3], 100);
            }
            if (way == 8) OK(OH_NNExecutor_RunSync(g.executor, in, 1, out + 1, 1));
        }
        for (way = 0; way < 2; way++) {
            OK(OH_NNTensor_Destroy(&in[way]));
            OK(OH_NNTensor_Destroy(&out[way]));
        }
        OK(OH_NNTensorDesc_Destroy(&desc));
        gb_close(&g);
    }
}

static bool no_graph_needed(void *prepared) {
    (void)prepared;
    return false;
}

static bool graph_needed(void *prepared) {
    (void)prepared;
    return true;
}

Test(memory, a_graph_goes_only_when_the_device_needs_it_no_longer) {
    static const int32_t dims[2] = {2, 3};
    bool (*const answers[3])(void *) = {NULL, graph_needed, no_graph_needed};
    size_t before, heap[3], i;
    warm_up();
    before = counting_bytes();
    for (i = 0; i < 3; i++) {
        OH_NNExecutor *executor;
        mock_backend.needs_graph = answers[i];
        executor = mock_executor_of(dims, 2);
        is_told("mock", executor, before);
        heap[i] = memory_of(executor).heap_bytes;
        cr_assert_eq(executor->prepared->store != NULL, i < 2);
        OH_NNExecutor_Destroy(&executor);
        cr_assert_eq(counting_bytes(), before);
    }
    cr_assert_eq(heap[0], heap[1]);
    cr_assert_lt(heap[2] + sizeof(nnrt__graph_store), heap[1]);
}

/* ------------------------------------------------------------------------------------ nothing that is not needed */

Test(memory, a_static_graph_is_gone_after_build) {
    const size_t weights = (size_t)FEATURES * WIDTH;
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    nnrt_memory memory;
    size_t before;
    warm_up();
    before = counting_bytes();
    compilation = wide_compilation(1);
    cr_assert_gt(counting_bytes() - before, weights);
    OK(off_build(compilation, &settings));
    executor = OH_NNExecutor_Construct(compilation);
    memory = memory_of(executor);
    cr_assert_geq(memory.build_peak_bytes, 2 * weights); /* the graph and the plan */
    cr_assert_lt(memory.heap_bytes, memory.plan_bytes + memory.arena_bytes + 4608);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}

Test(memory, a_plan_with_weights_left_in_place_is_packed_after_the_graph_is_gone) {
    off_settings packed = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    off_settings low = settings_of(OH_NN_PERFORMANCE_LOW, NULL, NULL);
    size_t model_size, should_size, is_size, before, built;
    uint8_t *model = off_read(METER, &model_size), *should, *is;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    nnrt_memory memory;
    packed.stripes = "15"; /* what OH_NN_PERFORMANCE_LOW lets a small arena cost */
    warm_up();
    before = counting_bytes();
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
    OK(off_build(compilation, &packed));
    should = off_export(compilation, &should_size);
    OH_NNCompilation_Destroy(&compilation);
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
    OK(nnrt_compilation_use_in_place(compilation));
    OK(off_build(compilation, &low));
    built = counting_bytes();
    is = off_export(compilation, &is_size);
    cr_assert_eq(counting_bytes(), built);
    cr_assert_eq(is_size, should_size);
    cr_assert_arr_eq(is, should, is_size);
    executor = OH_NNExecutor_Construct(compilation);
    memory = memory_of(executor);
    cr_assert_gt(memory.borrowed_bytes, 0u);
    cr_assert_lt(memory.plan_bytes, should_size);
    cr_assert_null(prepared_of(executor)->store);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(counting_bytes(), before);
    free(is);
    free(should);
    free(model);
}

Test(memory, a_file_is_let_go_unless_its_weights_are_used_in_place) {
    const OH_NN_PerformanceMode modes[2] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW};
    int i;
    for (i = 0; i < 2; i++) {
        off_settings settings = settings_of(modes[i], NULL, NULL);
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(METER);
        OH_NNExecutor *executor;
        OK(off_build(compilation, &settings));
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_null(prepared_of(executor)->store);
        cr_assert_eq(prepared_of(executor)->file.data != NULL, i == 1);
        OH_NNExecutor_Destroy(&executor);
        OH_NNCompilation_Destroy(&compilation);
    }
}

/* ------------------------------------------------------------------------------------- shapes before their run */

Test(memory, a_run_with_shapes_that_were_prepared_allocates_nothing) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    int32_t rows, *shape;
    uint32_t rank;
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    compilation = wide_compilation(-1);
    OK(off_build(compilation, &settings));
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_gt(calls_of_rows(executor, 99), 0u); /* the first run of a shape compiles it */
    for (rows = 1; rows <= 4; rows++) {
        prepare_rows(executor, rows, OH_NN_SUCCESS);
        shape = NULL;
        OK(OH_NNExecutor_GetOutputShape(executor, 0, &shape, &rank));
        cr_assert(rank == 2 && shape[0] == rows && shape[1] == FEATURES);
    }
    for (rows = 1; rows <= 4; rows++) cr_assert_eq(calls_of_rows(executor, rows), 0u, "%d rows", (int)rows);
    prepare_rows(executor, 5, OH_NN_SUCCESS); /* in the place of 1, which was used first */
    for (rows = 2; rows <= 5; rows++) cr_assert_eq(calls_of_rows(executor, rows), 0u, "%d rows", (int)rows);
    cr_assert_gt(calls_of_rows(executor, 1), 0u);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}

/* Running out of memory in a preparation leaves the executor usable, and the shapes that it has. */
Test(memory, a_preparation_that_fails_leaves_the_executor_as_it_was) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    long n;
    bool reached = true;
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    compilation = wide_compilation(-1);
    OK(off_build(compilation, &settings));
    executor = OH_NNExecutor_Construct(compilation);
    prepare_rows(executor, 2, OH_NN_SUCCESS);
    for (n = 0; reached; n++) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
        const int32_t dims[2] = {3, WIDTH};
        OH_NN_ReturnCode code;
        OK(OH_NNTensorDesc_SetShape(desc, dims, 2));
        counting_fail_at(n);
        code = nnrt_executor_prepare(executor, &desc, 1);
        reached = counting_failed();
        counting_fail_never();
        cr_assert_eq((int)code, (int)(reached ? OH_NN_MEMORY_ERROR : OH_NN_SUCCESS), "allocation %ld", n);
        OK(OH_NNTensorDesc_Destroy(&desc));
        cr_assert_eq(calls_of_rows(executor, 2), 0u, "allocation %ld", n);
    }
    cr_assert_gt(n, 5);
    cr_assert_eq(calls_of_rows(executor, 3), 0u);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}

Test(memory, what_cannot_be_prepared_is_refused) {
    static const int32_t dims[2] = {1, WIDTH}, dynamic[2] = {-1, 3};
    NN_TensorDesc *desc, *none = NULL;
    OH_NNCompilation *compilation = wide_compilation(-1);
    OH_NNExecutor *executor, *foreign;
    size_t calls;
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    OK(off_build(compilation, &settings));
    executor = OH_NNExecutor_Construct(compilation);
    desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    REFUSED(nnrt_executor_prepare(NULL, &desc, 1), IP);
    REFUSED(nnrt_executor_prepare(executor, NULL, 1), IP);
    REFUSED(nnrt_executor_prepare(executor, &desc, 2), IP);
    REFUSED(nnrt_executor_prepare(executor, &none, 1), IP);
    REFUSED(nnrt_executor_prepare(executor, &desc, 1), IP); /* -1 is no shape of a run */
    OK(OH_NNTensorDesc_SetShape(desc, dims, 1));
    REFUSED(nnrt_executor_prepare(executor, &desc, 1), IP);
    OK(OH_NNTensorDesc_SetShape(desc, dims, 2));
    OK(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32));
    REFUSED(nnrt_executor_prepare(executor, &desc, 1), IP);
    OK(OH_NNTensorDesc_SetDataType(desc, OH_NN_INT8));
    OK(nnrt_executor_prepare(executor, &desc, 1));
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    /* static: nothing to do */
    compilation = wide_compilation(1);
    OK(off_build(compilation, &settings));
    executor = OH_NNExecutor_Construct(compilation);
    calls = counting_calls();
    OK(nnrt_executor_prepare(executor, &desc, 1));
    cr_assert_eq(counting_calls(), calls);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    OK(OH_NNTensorDesc_Destroy(&desc));
    /* a device that prepares nothing before a run */
    foreign = mock_executor_of(dynamic, 2);
    desc = OH_NNExecutor_CreateInputTensorDesc(foreign, 0);
    OK(OH_NNTensorDesc_SetShape(desc, (const int32_t[2]){2, 3}, 2));
    REFUSED(nnrt_executor_prepare(foreign, &desc, 1), OH_NN_UNSUPPORTED);
    MOCK_WRITE(run_code, OH_NN_CONNECTION_EXCEPTION);
    OK(OH_NNTensorDesc_Destroy(&desc));
    OH_NNExecutor_Destroy(&foreign);
}

/* ------------------------------------------------------------------------------------------ where a plan lies */

static int copies_told;

static void note_copy(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    if (level == NNRT_LOG_WARNING && strstr(message, "is copied") != NULL) copies_told++;
}

/* The plan at every address: the same results; in place at every multiple of 8, else copied and told. */
Test(memory, a_plan_is_copied_only_because_of_its_address_and_the_log_says_so) {
    static const int8_t input[640] = {1, 2, 3};
    const char *isas[NNRT__TARGET_COUNT];
    size_t count = off_isas(isas), model_size, i, shift;
    uint8_t *model = off_read(METER, &model_size);
    nnrt_set_log(note_copy, NULL);
    for (i = 0; i < count; i++) {
        off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, model_size);
        uint8_t *plan, *block;
        size_t size;
        int8_t should[10], is[10];
        settings.isa = isas[i];
        OK(off_build(compilation, &settings));
        plan = off_export(compilation, &size);
        block = (uint8_t *)malloc(size + 128);
        for (shift = 0; shift <= 64; shift++) {
            uint8_t *at = (uint8_t *)(((uintptr_t)block + 63) & ~(uintptr_t)63) + shift;
            OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
            OK(off_run(executor, input, 640, should, 10));
            OH_NNExecutor_Destroy(&executor);
            OH_NNCompilation_Destroy(&compilation);
            memcpy(at, plan, size);
            compilation = shift % 2 != 0 ? OH_NNCompilation_ConstructWithOfflineModelBuffer(at, size)
                                         : OH_NNCompilation_ConstructForCache();
            if (shift % 2 == 0) OK(OH_NNCompilation_ImportCacheFromBuffer(compilation, at, size));
            OK(nnrt_compilation_use_in_place(compilation));
            copies_told = 0;
            OK(off_build(compilation, &settings));
            executor = OH_NNExecutor_Construct(compilation);
            OK(off_run(executor, input, 640, is, 10));
            cr_assert_arr_eq(is, should, 10, "%s, shifted by %zu", isas[i], shift);
            cr_assert_eq(copies_told, shift % 8 != 0, "%s, shifted by %zu", isas[i], shift);
            cr_assert_eq(memory_of(executor).borrowed_bytes != 0, shift % 8 == 0, "shifted by %zu", shift);
            OH_NNExecutor_Destroy(&executor);
        }
        OH_NNCompilation_Destroy(&compilation);
        free(block);
        free(plan);
    }
    nnrt_set_log(NULL, NULL);
    free(model);
}

/* ----------------------------------------------------------------------------- an arena of the program's */

/* bytes that begin `shift` behind a multiple of 64 and end where their block does. *block is to be freed. */
static uint8_t *arena_of(size_t bytes, size_t shift, void **block) {
    cr_assert_eq(posix_memalign(block, NNRT_ARENA_ALIGNMENT, bytes + shift + (bytes + shift == 0)), 0);
    return (uint8_t *)*block + shift;
}

static OH_NNCompilation *meter_compilation(const off_settings *settings) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(METER);
    OK(off_build(compilation, settings));
    return compilation;
}

/* One run of the meter on noise of that seed, in an arena that was filled with junk before (NULL: nnrt's). */
static void run_meter(OH_NNExecutor *executor, uint8_t seed, uint8_t *arena, size_t bytes, int8_t scores[10]) {
    int8_t input[640];
    size_t i;
    for (i = 0; i < sizeof input; i++) input[i] = (int8_t)(i * i * 31 + i * seed);
    if (arena != NULL) memset(arena, seed, bytes);
    OK(off_run(executor, input, sizeof input, scores, 10));
}

Test(memory, an_executor_computes_the_same_in_an_arena_of_the_programs_that_holds_exactly_what_it_said) {
    static const OH_NN_PerformanceMode modes[2] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW};
    static const uint8_t seeds[4] = {0x00, 0x7f, 0x80, 0xff};
    const char *isas[NNRT__TARGET_COUNT];
    const size_t count = off_isas(isas);
    size_t before, plan_size, i, k, m;
    warm_up();
    before = counting_bytes();
    for (i = 0; i < count * 4; i++) {
        off_settings settings = settings_of(modes[i % 2], i / 2 % 2 != 0 ? "3" : NULL, NULL);
        OH_NNCompilation *compilation, *restored = OH_NNCompilation_ConstructForCache();
        size_t bytes = 0, of_plan = 0;
        uint8_t *plan, *arena;
        OH_NNExecutor *own, *given = NULL;
        void *block;
        settings.isa = isas[i / 4];
        compilation = meter_compilation(&settings);
        OK(nnrt_compilation_get_arena(compilation, &bytes));
        plan = off_export(compilation, &plan_size);
        OK(OH_NNCompilation_ImportCacheFromBuffer(restored, plan, plan_size));
        OK(off_build(restored, &settings));
        OK(nnrt_compilation_get_arena(restored, &of_plan));
        own = OH_NNExecutor_Construct(restored);
        cr_assert_eq(memory_of(own).arena_bytes, of_plan);
        OH_NNExecutor_Destroy(&own);
        OH_NNCompilation_Destroy(&restored);
        free(plan);
        own = OH_NNExecutor_Construct(compilation);
        arena = arena_of(bytes, 0, &block);
        memset(arena, 0x5a, bytes);
        OK(nnrt_executor_construct_in(compilation, arena, bytes, &given));
        for (k = 0; k < bytes; k++) cr_assert_eq(arena[k], 0x5a, "byte %zu was written before a run", k);
        cr_assert_eq(memory_of(own).arena_bytes, bytes);
        cr_assert_eq(memory_of(given).arena_bytes, bytes);
        cr_assert_eq(memory_of(given).heap_bytes + bytes + NNRT_ARENA_ALIGNMENT + sizeof(nnrt__block_head),
                     memory_of(own).heap_bytes);
        for (m = 0; m < 4; m++) {
            int8_t should[10], is[10];
            run_meter(own, seeds[m], NULL, 0, should);
            run_meter(given, seeds[m], arena, bytes, is);
            cr_assert_arr_eq(is, should, 10, "%s, setting %zu, junk %u", isas[i / 4], i, (unsigned)seeds[m]);
        }
        OH_NNExecutor_Destroy(&own);
        OH_NNCompilation_Destroy(&compilation);
        is_told("the executor in the program's arena", given, before);
        OH_NNExecutor_Destroy(&given);
        cr_assert_eq(counting_bytes(), before);
        free(block);
    }
}

/* The plan of so many steps, one after the other. */
static uint8_t *chain_plan(uint32_t steps, const off_settings *settings, size_t *size) {
    const int32_t dims[1] = {100};
    uint32_t from, i;
    uint8_t *plan;
    gb_graph g;
    gb_open(&g);
    from = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    for (i = 0; i < steps; i++) {
        uint32_t to = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
        if (i + 1 == steps) (void)gb_output(&g, to);
        OK(gb_op(&g, i % 2 == 0 ? OH_NN_OPS_ABS : OH_NN_OPS_EXP, 1, &from, 1, &to));
        from = to;
    }
    OK(gb_finish(&g));
    g.compilation = OH_NNCompilation_Construct(g.model);
    OK(off_build(g.compilation, settings));
    plan = off_export(g.compilation, size);
    gb_close(&g);
    return plan;
}

/* What a program has to have for a plan that it holds in memory, beyond the arena. */
typedef struct opened {
    long blocks;
    size_t bytes;
} opened;

/* Opens a plan, to an executor in an arena of nnrt's or of the program's: nothing is taken that is not kept. */
static opened open_plan(const uint8_t *plan, size_t size, const off_settings *settings, bool given) {
    const size_t before = counting_bytes(), calls = counting_calls(), total = counting_total();
    const long live = counting_live();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
    OH_NNExecutor *executor = NULL;
    size_t arena = 0;
    void *block;
    opened is;
    OK(nnrt_compilation_use_in_place(compilation));
    OK(off_build(compilation, settings));
    OK(nnrt_compilation_get_arena(compilation, &arena));
    if (given) OK(nnrt_executor_construct_in(compilation, arena_of(arena, 0, &block), arena, &executor));
    else executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    is.blocks = counting_live() - live;
    is.bytes = counting_bytes() - before;
    cr_assert_eq((size_t)is.blocks, counting_calls() - calls, "blocks that were given back or grew");
    cr_assert_eq(is.bytes, counting_total() - total);
    is_told("a plan", executor, before);
    OH_NNCompilation_Destroy(&compilation);
    OH_NNExecutor_Destroy(&executor);
    cr_assert_eq(counting_live(), live);
    if (given) free(block);
    if (given) return is;
    is.blocks -= 1;
    is.bytes -= arena + NNRT_ARENA_ALIGNMENT + sizeof(nnrt__block_head);
    return is;
}

/* 12 of the 20 blocks are handles and copies of settings; the others are tables with so much for each step, and none
   holds weights or activations. */
Test(memory, opening_a_plan_takes_a_few_blocks_however_long_it_is_and_the_arena) {
    enum {
        MOST_BLOCKS = 24,
        MOST_BYTES = 4096,
        MOST_OF_A_STEP = 320
    };
    static const OH_NN_PerformanceMode modes[2] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW};
    static const uint32_t steps[4] = {1, 10, 100, 1000};
    size_t size, i, k;
    uint8_t *plan;
    warm_up();
    for (k = 0; k < 2; k++) {
        const off_settings settings = settings_of(modes[k], NULL, NULL);
        opened first = {0, 0}, is;
        for (i = 0; i < 4; i++) {
            plan = chain_plan(steps[i], &settings, &size);
            is = open_plan(plan, size, &settings, false);
            if (i == 0) first = is;
            cr_assert_eq(is.blocks, first.blocks, "%u steps: %ld blocks", (unsigned)steps[i], is.blocks);
            cr_assert_leq(is.bytes, MOST_BYTES + MOST_OF_A_STEP * (size_t)steps[i], "%u steps: %zu bytes",
                          (unsigned)steps[i], is.bytes);
            cr_assert_leq(is.blocks, (long)MOST_BLOCKS);
            is = open_plan(plan, size, &settings, true);
            cr_assert_eq(is.blocks, first.blocks, "in an arena of the program's: %ld", is.blocks);
            free(plan);
        }
    }
}

/* The same for a network with weights, on every instruction set: 17 KB of them stay where they are. */
Test(memory, opening_a_plan_copies_no_weights) {
    const char *isas[NNRT__TARGET_COUNT];
    const size_t count = off_isas(isas);
    size_t size, i;
    warm_up();
    for (i = 0; i < count * 2; i++) {
        off_settings settings = settings_of(i % 2 != 0 ? OH_NN_PERFORMANCE_LOW : OH_NN_PERFORMANCE_NONE, NULL, NULL);
        OH_NNCompilation *compilation;
        uint8_t *plan;
        settings.isa = isas[i / 2];
        compilation = meter_compilation(&settings);
        plan = off_export(compilation, &size);
        OH_NNCompilation_Destroy(&compilation);
        cr_assert_leq(open_plan(plan, size, &settings, false).bytes, 8192u, "%s", isas[i / 2]);
        free(plan);
    }
}

Test(memory, an_arena_with_a_byte_too_few_is_refused_wherever_it_begins_and_the_sentence_has_both_sizes) {
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    OH_NNCompilation *compilation = meter_compilation(&settings);
    OH_NNExecutor *executor = NULL, *own = OH_NNExecutor_Construct(compilation);
    int8_t should[10], is[10];
    size_t needed = 0, before, shift;
    OK(nnrt_compilation_get_arena(compilation, &needed));
    before = counting_bytes();
    run_meter(own, 7, NULL, 0, should);
    for (shift = 0; shift <= 64; shift++) {
        const size_t bytes = needed + (0 - shift) % 64;
        char has[32], needs[32];
        void *block;
        uint8_t *arena = arena_of(bytes, shift, &block);
        REFUSED(nnrt_executor_construct_in(compilation, arena, bytes - 1, &executor), IP);
        snprintf(has, sizeof has, "has %zu bytes", bytes - 1);
        snprintf(needs, sizeof needs, "needs %zu ", needed);
        cr_assert(strstr(nnrt_last_error(), has) != NULL && strstr(nnrt_last_error(), needs) != NULL, "%s",
                  nnrt_last_error());
        REFUSED(nnrt_executor_construct_in(compilation, arena, 0, &executor), IP);
        REFUSED(nnrt_executor_construct_in(compilation, arena, (0 - shift) % 64, &executor), IP);
        cr_assert_null(executor);
        cr_assert_eq(counting_bytes(), before);
        OK(nnrt_executor_construct_in(compilation, arena, bytes, &executor));
        run_meter(executor, 7, arena, bytes, is);
        cr_assert_arr_eq(is, should, 10, "shifted by %zu", shift);
        OH_NNExecutor_Destroy(&executor);
        cr_assert_eq(counting_bytes(), before);
        free(block);
    }
    OH_NNExecutor_Destroy(&own);
    OH_NNCompilation_Destroy(&compilation);
}

Test(memory, what_is_no_use_for_an_arena_is_refused_and_nothing_is_kept) {
    static const int32_t dims[2] = {2, 3};
    static uint8_t arena[64];
    off_settings settings = settings_of(OH_NN_PERFORMANCE_NONE, NULL, NULL);
    OH_NNCompilation *unbuilt, *dynamic, *other;
    OH_NNExecutor *executor = NULL;
    size_t before, bytes = 77;
    long n;
    warm_up();
    before = counting_bytes();
    unbuilt = OH_NNCompilation_ConstructWithOfflineModelFile(METER);
    dynamic = wide_compilation(-1);
    other = mock_compilation(dims, 2);
    OK(off_build(dynamic, &settings));
    OK(OH_NNCompilation_Build(other));
    REFUSED(nnrt_compilation_get_arena(NULL, &bytes), IP);
    REFUSED(nnrt_compilation_get_arena(unbuilt, &bytes), IP);
    REFUSED(nnrt_compilation_get_arena(dynamic, NULL), IP);
    REFUSED(nnrt_compilation_get_arena(dynamic, &bytes), OH_NN_DYNAMIC_SHAPE);
    REFUSED(nnrt_compilation_get_arena(other, &bytes), OH_NN_UNSUPPORTED);
    cr_assert_eq(bytes, 77u);
    REFUSED(nnrt_executor_construct_in(NULL, arena, 64, &executor), IP);
    REFUSED(nnrt_executor_construct_in(unbuilt, arena, 64, &executor), IP);
    REFUSED(nnrt_executor_construct_in(dynamic, NULL, 64, &executor), IP);
    REFUSED(nnrt_executor_construct_in(dynamic, arena, 64, NULL), IP);
    REFUSED(nnrt_executor_construct_in(dynamic, arena, 64, &executor), OH_NN_DYNAMIC_SHAPE);
    REFUSED(nnrt_executor_construct_in(other, arena, 64, &executor), OH_NN_UNSUPPORTED);
    OH_NNCompilation_Destroy(&dynamic);
    OH_NNCompilation_Destroy(&other);
    OK(off_build(unbuilt, &settings));
    OK(nnrt_compilation_get_arena(unbuilt, &bytes));
    for (n = 0, counting_fail_at(0); executor == NULL; counting_fail_at(++n)) { /* each allocation fails once */
        void *block;
        const size_t held = counting_bytes();
        const OH_NN_ReturnCode code = nnrt_executor_construct_in(unbuilt, arena_of(bytes, 0, &block), bytes, &executor);
        cr_assert_eq((int)code, (int)(counting_failed() ? OH_NN_MEMORY_ERROR : OH_NN_SUCCESS));
        cr_assert(executor != NULL || counting_bytes() == held);
        free(block);
    }
    counting_fail_never();
    cr_assert_gt(n, 4);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&unbuilt);
    cr_assert_eq(counting_bytes(), before);
}

/* ------------------------------------------------------------------------------ executors that share an arena */

/* An executor of the mock device, which wants so many bytes, in that arena. */
static OH_NNExecutor *mock_executor_in(void *arena, size_t bytes) {
    static const int32_t dims[2] = {2, 3};
    OH_NNCompilation *compilation = mock_compilation(dims, 2);
    OH_NNExecutor *executor = NULL;
    mock.arena_bytes = bytes;
    OK(OH_NNCompilation_Build(compilation));
    OK(nnrt_executor_construct_in(compilation, arena, bytes + 63, &executor));
    OH_NNCompilation_Destroy(&compilation);
    return executor;
}

Test(memory, a_run_in_memory_where_another_one_is_under_way_is_refused_and_every_other_one_is_not) {
    static const int32_t dims[2] = {2, 3};
    OH_NNExecutor *all[5];
    NN_Tensor *in, *out, *beside; /* two runs at once write to a tensor each */
    uint8_t *arena;
    void *block;
    int done = 0, i;
    mock_backend.arena_size = mock_arena_size;
    mock_backend.open_executor_in = mock_open_executor_in;
    in = mock_tensor(dims, 2);
    out = mock_tensor(dims, 2);
    beside = mock_tensor(dims, 2);
    arena = arena_of(512, 0, &block);
    all[0] = mock_executor_in(arena + 64, 256);
    cr_assert_eq(mock.arena, (void *)(arena + 64));
    all[1] = mock_executor_in(arena + 64, 64);      /* the same first byte */
    all[2] = mock_executor_in(arena + 1, 1);        /* moved up to it */
    all[3] = mock_executor_in(arena + 256, 192);    /* begins in its last 64 bytes */
    all[4] = mock_executor_in(arena + 256 + 64, 1); /* begins behind it */
    OK(OH_NNExecutor_SetOnRunDone(all[0], note_done));
    MOCK_WRITE(hang, 1);
    OK(OH_NNExecutor_RunAsync(all[0], &in, 1, &out, 1, 0, &done));
    while (MOCK_READ(running) != 1) usleep(1000);
    mock.run_code = OH_NN_FAILED; /* of those that begin, which are to be none */
    for (i = 1; i < 4; i++) {
        const int runs = MOCK_READ(runs);
        REFUSED(OH_NNExecutor_RunSync(all[i], &in, 1, &out, 1), FORBIDDEN);
        cr_assert_not_null(strstr(nnrt_last_error(), "arena"));
        cr_assert_eq(MOCK_READ(runs), runs);
    }
    mock.run_code = OH_NN_SUCCESS;
    OK(OH_NNExecutor_SetOnRunDone(all[4], note_done));
    OK(OH_NNExecutor_RunAsync(all[4], &in, 1, &beside, 1, 0, &done));
    while (MOCK_READ(running) != 2) usleep(1000);
    MOCK_WRITE(hang, 0);
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) != 2) usleep(1000);
    mock.run_code = OH_NN_FAILED; /* what failed is over, too */
    for (i = 0; i < 5; i++) REFUSED(OH_NNExecutor_RunSync(all[i], &in, 1, &out, 1), OH_NN_UNAVAILABLE_DEVICE);
    mock.run_code = OH_NN_SUCCESS;
    for (i = 0; i < 5; i++) OK(OH_NNExecutor_RunSync(all[i], &in, 1, &out, 1));
    for (i = 0; i < 5; i++) OH_NNExecutor_Destroy(&all[i]);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&beside));
    OK(OH_NNTensor_Destroy(&out));
    free(block);
}
