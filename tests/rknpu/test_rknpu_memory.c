/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_memory.c - heap_bytes of the Rockchip device is to the byte what the allocator has handed out for an
   executor and its compilation: models and graphs, before a run and after it, alone and shared, and while a call hangs.

   What the program made itself, its tensors, is counted apart. The vendor's library allocates beside NNRT_MALLOC. */
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"
#include "rknpu_board.h"

static const char *const chips[] = {"rv1106", "rk3566", "rk3588", NULL};
static const char *const full_chips[] = {"rk3566", "rk3588", NULL};

/* Every way that needs memory of another kind; the last two are of librknnrt. */
static const char *const plain[] = {NULL};
static const char *const native[] = {"rknn.io_layout", "native", NULL};
static const char *const uncached[] = {"rknn.cacheable", "0", NULL};
static const char *const named[] = {"rknn.name", "meter", "nnrt.profile", "1", NULL};
static const char *const deadline[] = {"rknn.timeout_ms", "30000", NULL};
static const char *const profiled[] = {"nnrt.profile", "1", NULL};
static const char *const outside[] = {"rknn.memory", "outside", NULL};
static const char *const group[] = {"rknn.share_internal", "group", NULL};
static const char *const general[] = {"rknn.api", "general", NULL};
static const char *const general_floats[] = {"rknn.api", "general", "rknn.io_float", "1", NULL};
static const char *const *const ways[] = {plain,   native, uncached, named,         deadline,
                                          outside, group,  general,  general_floats};
static size_t way_count(const board *b) { return sizeof(ways) / sizeof(ways[0]) - (b->mini ? 2 : 0); }

/* ---------------------------------------------------------------------------------------------- the books */

static nnrt_memory memory_of(const OH_NNExecutor *executor) {
    nnrt_memory memory;
    MUST_WORK(nnrt_executor_get_memory(executor, &memory));
    return memory;
}

/* before: what was handed out when there was nothing of the executor, plus what is the program's by now. */
static void is_told(const char *what, const rig *r, size_t before) {
    const size_t told = memory_of(r->executor).heap_bytes, counted = counting_bytes() - before;
    MUST(told == counted, "%s: %zu bytes told, %zu counted", what, told, counted);
}

/* The tensors; what they take. */
static size_t tensors_of(rig *r, size_t device) {
    const size_t before = counting_bytes();
    rig_tensors(r, device);
    rig_fill(r, 1);
    return counting_bytes() - before;
}

static void destroy_tensors(rig *r) {
    size_t i;
    for (i = 0; i < r->input_count; i++) MUST_WORK(OH_NNTensor_Destroy(&r->inputs[i]));
    for (i = 0; i < r->output_count; i++) MUST_WORK(OH_NNTensor_Destroy(&r->outputs[i]));
}

/* Two products, [5,40] x [40,20] x [20,10], of int8. */
static void open_graph(rig *r, const board *b, const char *const *configs) {
    static const int32_t dims[3][2] = {{5, 40}, {5, 20}, {5, 10}}, weight_dims[2][2] = {{40, 20}, {20, 10}};
    const double scale = 0.05;
    int8_t weights[800];
    uint32_t from, k;
    gb_graph g;
    for (k = 0; k < 800; k++) weights[k] = (int8_t)rig_byte(3, k);
    gb_open(&g);
    from = gb_input(&g, gb_tensor_s8(&g, 2, dims[0], 0.02, 3));
    for (k = 0; k < 2; k++) {
        uint32_t inputs[2], to = gb_tensor_s8(&g, 2, dims[k + 1], 1.0, -2);
        inputs[0] = from;
        inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, weight_dims[k], weights), 1, &scale, NULL);
        MUST_WORK(gb_op(&g, OH_NN_OPS_MATMUL, 2, inputs, 1, &to));
        from = to;
    }
    (void)gb_output(&g, from);
    MUST_WORK(gb_finish(&g));
    memset(r, 0, sizeof(*r));
    r->b = b;
    r->compilation = OH_NNCompilation_Construct(g.model);
    MUST_WORK(OH_NNCompilation_SetDevice(r->compilation, b->npu));
    rig_configure(r->compilation, configs);
    MUST_WORK(OH_NNCompilation_Build(r->compilation));
    gb_close(&g);
    rig_execute(r);
}

/* A model, or with NULL the graph. */
static void open_any(rig *r, const board *b, const char *model, const char *const *configs) {
    if (model != NULL) rig_open(r, b, model, configs);
    else open_graph(r, b, configs);
}

/* --------------------------------------------------------------------------------------------- one at a time */

/* Build to end, with tensors of the NPU, of the CPU device and of a dma-buf. */
static void check_life(const board *b, const char *model, const char *const *configs) {
    const size_t before = counting_bytes();
    const size_t devices[3] = {b->npu, b->cpu, b->npu};
    const nnrt_profile_step *steps;
    uint32_t count;
    size_t i, theirs;
    rig r;
    open_any(&r, b, model, configs);
    is_told("before a run", &r, before);
    for (i = 0; i < 3; i++) {
        theirs = tensors_of(&r, devices[i]);
        MUST_WORK(rig_run(&r));
        is_told("after a run", &r, before + theirs);
        MUST_WORK(rig_run(&r));
        is_told("after the second run", &r, before + theirs);
        destroy_tensors(&r);
        is_told("with tensors that are gone and bound", &r, before);
    }
    MUST_WORK(nnrt_executor_get_profile(r.executor, &steps, &count));
    is_told("with a profile", &r, before);
    OH_NNCompilation_Destroy(&r.compilation);
    is_told("without the compilation", &r, before);
    OH_NNExecutor_Destroy(&r.executor);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

static void life_models(board *b, const void *user) {
    size_t way;
    (void)user;
    for (way = 0; way < way_count(b); way++) {
        check_life(b, "meter", ways[way]);
        check_life(b, "two", ways[way]);
    }
}

Test(rknpu_memory, every_byte_of_a_model_is_told_in_every_way, .timeout = 120) { board_each(chips, life_models, NULL); }

static void life_graphs(board *b, const void *user) {
    (void)user;
    check_life(b, NULL, plain);
    check_life(b, NULL, uncached);
    check_life(b, NULL, profiled);
    check_life(b, NULL, deadline);
}

Test(rknpu_memory, every_byte_of_a_graph_is_told, .timeout = 120) { board_each(full_chips, life_graphs, NULL); }

static void life_buffer(board *b, const void *user) {
    char path[400];
    static uint8_t bytes[1 << 20];
    size_t before, size, theirs;
    FILE *file;
    rig r;
    (void)user;
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.rknn", b->folder, b->chip);
    file = fopen(path, "rb");
    MUST(file != NULL, "%s", path);
    size = fread(bytes, 1, sizeof(bytes), file);
    (void)fclose(file);
    before = counting_bytes();
    memset(&r, 0, sizeof(r));
    r.b = b;
    r.compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    MUST_WORK(OH_NNCompilation_SetDevice(r.compilation, b->npu));
    MUST_WORK(OH_NNCompilation_Build(r.compilation));
    rig_execute(&r);
    is_told("before a run", &r, before);
    theirs = tensors_of(&r, b->npu);
    MUST_WORK(rig_run(&r));
    is_told("after a run", &r, before + theirs);
    rig_end(&r);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

Test(rknpu_memory, every_byte_of_a_model_in_memory_is_told) { board_each(chips, life_buffer, NULL); }

static void life_dynamic(board *b, const void *user) {
    const size_t before = counting_bytes();
    rig r;
    (void)user;
    rig_open(&r, b, "dynamic", plain);
    is_told("before a run", &r, before);
    rig_end(&r);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

Test(rknpu_memory, every_shape_of_a_dynamic_model_is_told) { board_each(full_chips, life_dynamic, NULL); }

/* The camera's memory stays the camera's; how the context knows it is told. */
static void life_dma_buf(board *b, const void *user) {
    const size_t before = counting_bytes();
    size_t theirs, size;
    rig r;
    int fd;
    (void)user;
    rig_open(&r, b, "meter", native);
    theirs = tensors_of(&r, b->npu);
    (void)bytes_of(r.inputs[0], &size);
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
    fd = b->dma_alloc(size);
    MUST(fd >= 0, "a dma-buf");
    r.inputs[0] = rig_tensor_fd(&r, false, 0, fd, size, 0);
    theirs = counting_bytes() - before - memory_of(r.executor).heap_bytes;
    MUST_WORK(rig_run(&r));
    is_told("after a run", &r, before + theirs);
    rig_end(&r);
    (void)close(fd);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

Test(rknpu_memory, how_a_context_knows_a_dma_buf_is_told) { board_each(chips, life_dma_buf, NULL); }

static void life_deprecated(board *b, const void *user) {
    static const int32_t dims[2] = {5, 40};
    static int8_t data[200], result[50];
    const size_t before = counting_bytes();
    OH_NN_Tensor tensor;
    rig r;
    (void)user;
    memset(&tensor, 0, sizeof(tensor));
    tensor.dataType = OH_NN_INT8;
    tensor.dimensionCount = 2;
    tensor.dimensions = dims;
    tensor.type = OH_NN_TENSOR;
    open_graph(&r, b, plain);
    MUST_WORK(OH_NNExecutor_SetInput(r.executor, 0, &tensor, data, sizeof(data)));
    is_told("SetInput", &r, before);
    MUST_WORK(OH_NNExecutor_SetOutput(r.executor, 0, result, sizeof(result)));
    is_told("SetOutput", &r, before);
    MUST_WORK(OH_NNExecutor_Run(r.executor));
    is_told("Run", &r, before);
    rig_end(&r);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

Test(rknpu_memory, what_the_deprecated_calls_have_bound_is_told) { board_each(full_chips, life_deprecated, NULL); }

/* ------------------------------------------------------------------------------------------------------- several */

/* Each executor tells itself and the compilation; the contexts of the others are theirs. */
static void check_two(const board *b, const char *model, const char *const *configs) {
    const size_t before = counting_bytes();
    size_t with_one, second, theirs;
    rig r, two;
    open_any(&r, b, model, configs);
    is_told("one", &r, before);
    with_one = counting_bytes();
    two = r;
    rig_execute(&two);
    second = counting_bytes() - with_one;
    MUST(memory_of(r.executor).heap_bytes == with_one - before, "the second one is in the figure of the first");
    if (model != NULL) { /* of a graph the second one makes contexts, while the first one's are the compilation's */
        theirs = tensors_of(&two, b->cpu);
        MUST_WORK(rig_run(&two));
        MUST(memory_of(r.executor).heap_bytes == with_one - before, "after a run of the second");
        destroy_tensors(&two);
    }
    MUST(memory_of(two.executor).heap_bytes >= second, "the second one tells itself");
    (void)theirs;
    OH_NNExecutor_Destroy(&r.executor);
    is_told("the second alone", &two, before);
    OH_NNExecutor_Destroy(&two.executor);
    OH_NNCompilation_Destroy(&r.compilation);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

static void life_two(board *b, const void *user) {
    size_t way;
    (void)user;
    for (way = 0; way < way_count(b); way++) check_two(b, "meter", ways[way]);
    if (!b->mini) check_two(b, NULL, plain);
}

Test(rknpu_memory, each_executor_tells_itself_and_the_compilation, .timeout = 120) {
    board_each(chips, life_two, NULL);
}

/* What both use is in the figure of each, and in that of the one that is left. */
static void check_shared(const board *b, const char *const *first, const char *const *second) {
    const size_t before = counting_bytes();
    rig one, two;
    rig_open(&one, b, "meter", first);
    is_told("alone", &one, before);
    rig_open(&two, b, "meter", second);
    MUST(memory_of(one.executor).heap_bytes + memory_of(two.executor).heap_bytes > counting_bytes() - before,
         "what is shared is in both");
    rig_end(&one);
    is_told("the other is gone", &two, before);
    rig_end(&two);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

static void life_shared(board *b, const void *user) {
    static const char *const giver[] = {"rknn.name", "giver", NULL};
    static const char *const giver_outside[] = {"rknn.name", "giver", "rknn.memory", "outside", NULL};
    static const char *const taker[] = {"rknn.share_weights", "giver", NULL};
    static const char *const taker_outside[] = {"rknn.share_weights", "giver", "rknn.memory", "outside", NULL};
    (void)user;
    check_shared(b, group, group);
    check_shared(b, b->mini ? giver_outside : giver, b->mini ? taker_outside : taker);
}

Test(rknpu_memory, what_compilations_share_is_in_the_figure_of_each) { board_each(chips, life_shared, NULL); }

/* ---------------------------------------------------------------------------------------------- a call hangs */

/* user: the call. Tensors are destroyed while it hangs: what it may use stays, and is told. */
static void life_hang(board *b, const void *user) {
    static const char *const configs[] = {"rknn.timeout_ms", "100", "rknn.hang_grace_ms", "20000", NULL};
    const bool graph = strstr((const char *)user, "matmul") != NULL;
    const size_t before = counting_bytes();
    size_t theirs;
    rig r;
    open_any(&r, b, graph ? NULL : "meter", configs);
    theirs = tensors_of(&r, b->npu);
    b->fault((const char *)user);
    MUST_BE(OH_NN_TIMEOUT, rig_run(&r));
    is_told("while the call hangs", &r, before + theirs);
    destroy_tensors(&r);
    is_told("without tensors", &r, before);
    b->release_hang();
    MUST_WORK(nnrt_executor_wait_late(r.executor, 20000));
    is_told("it has come back", &r, before);
    b->fault(NULL);
    theirs = tensors_of(&r, b->npu);
    MUST_WORK(rig_run(&r));
    is_told("the next run", &r, before + theirs);
    rig_end(&r);
    MUST(counting_bytes() == before, "%zu bytes are left", counting_bytes() - before);
}

Test(rknpu_memory, every_byte_is_told_while_a_call_hangs, .timeout = 120) {
    static const char *const calls[] = {"rknn_run@1=hang", "rknn_set_io_mem@1=hang", "rknn_set_io_mem@2=hang"};
    size_t i;
    for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) board_each(chips, life_hang, calls[i]);
    board_each(full_chips, life_hang, "rknn_matmul_run@2=hang");
}
