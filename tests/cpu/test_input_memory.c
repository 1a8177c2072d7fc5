/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of nnrt.inputs that an input which lies in the arena gives the bytes of one that does not, from a tensor there
   and from any other, that memory gets less by it, and that whatever cannot be done so is refused or left apart. */
#include "linked.h"

#define SEED 20261127u

#include "graph_builder.h"
#include "noise.h"
#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())
#define SAYS(part) cr_assert_not_null(strstr(nnrt_last_error(), part), "%s", nnrt_last_error())

enum {
    WINDOW = 640, /* bytes of the meter's input */
    DIGITS = 10
};

static OH_NNCompilation *meter_with(const char *isa, const char *stripes, const char *inputs) {
    static const off_settings none;
    static uint8_t *model; /* of all compilations */
    static size_t size;
    off_settings settings = none;
    OH_NNCompilation *compilation;
    if (model == NULL) model = off_read("examples/meter/meter.tflite", &size);
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
    settings.isa = isa;
    settings.stripes = stripes;
    off_config(compilation, "nnrt.inputs", inputs);
    IS(off_build(compilation, &settings), OH_NN_SUCCESS);
    return compilation;
}

static NN_Tensor *tensor_elsewhere(const OH_NNExecutor *executor, bool output, size_t index) {
    NN_TensorDesc *desc = output ? OH_NNExecutor_CreateOutputTensorDesc(executor, index)
                                 : OH_NNExecutor_CreateInputTensorDesc(executor, index);
    NN_Tensor *tensor = OH_NNTensor_Create(off_device(), desc);
    cr_assert_not_null(tensor, "%s", nnrt_last_error());
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    return tensor;
}

static void drop(NN_Tensor *tensor) { IS(OH_NNTensor_Destroy(&tensor), OH_NN_SUCCESS); }

static void fill(NN_Tensor *tensor, uint32_t number) {
    uint8_t *bytes = (uint8_t *)OH_NNTensor_GetDataBuffer(tensor);
    size_t size, i;
    IS(OH_NNTensor_GetSize(tensor, &size), OH_NN_SUCCESS);
    noise_state = SEED + number;
    for (i = 0; i < size; i++) bytes[i] = (uint8_t)noise();
}

/* What the meter says to window number `number`. */
static void run_meter(OH_NNExecutor *executor, NN_Tensor *in, NN_Tensor *out, uint32_t number, int8_t *scores) {
    fill(in, number);
    memset(OH_NNTensor_GetDataBuffer(out), 0x5a, DIGITS);
    IS(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1), OH_NN_SUCCESS);
    memcpy(scores, OH_NNTensor_GetDataBuffer(out), DIGITS);
}

static size_t arena_of(const OH_NNCompilation *compilation) {
    size_t bytes = 0;
    IS(nnrt_compilation_get_arena(compilation, &bytes), OH_NN_SUCCESS);
    return bytes;
}

Test(input_memory, an_input_in_the_arena_gives_the_same_bytes_from_a_tensor_there_and_from_any_other) {
    static const char *const stripes[] = {"0", "2", "1000"};
    const char *isas[NNRT__TARGET_COUNT];
    const size_t count = off_isas(isas);
    size_t level, s;
    for (level = 0; level < count; level++)
        for (s = 0; s < 3; s++) {
            OH_NNCompilation *apart = meter_with(isas[level], stripes[s], "apart");
            OH_NNCompilation *inside = meter_with(isas[level], stripes[s], "arena");
            const size_t bytes = arena_of(inside);
            OH_NNExecutor *right = OH_NNExecutor_Construct(apart), *own = OH_NNExecutor_Construct(inside),
                          *given = NULL;
            if (s == 2) cr_assert_lt(bytes, arena_of(apart) + WINDOW, "%s", isas[level]);
            void *block = malloc(bytes + 63);
            uint8_t *arena = (uint8_t *)(((uintptr_t)block + 63) & ~(uintptr_t)63);
            NN_Tensor *in, *out, *there, *in_own;
            uint32_t i;
            cr_assert_leq(bytes, arena_of(apart) + WINDOW, "%s, %s %%", isas[level], stripes[s]);
            memset(block, 0x33, bytes + 63);
            IS(nnrt_executor_construct_in(inside, arena, (size_t)((uint8_t *)block + bytes + 63 - arena), &given),
               OH_NN_SUCCESS);
            in = tensor_elsewhere(right, false, 0);
            out = tensor_elsewhere(right, true, 0);
            there = nnrt_tensor_create_in_arena(given, 0);
            in_own = nnrt_tensor_create_in_arena(own, 0);
            cr_assert(there != NULL && in_own != NULL, "%s", nnrt_last_error());
            cr_assert((uint8_t *)OH_NNTensor_GetDataBuffer(there) >= arena &&
                      (uint8_t *)OH_NNTensor_GetDataBuffer(there) + WINDOW <= arena + bytes);
            for (i = 0; i < 8; i++) {
                int8_t should[DIGITS], is[3][DIGITS];
                run_meter(right, in, out, i, should);
                run_meter(given, i % 3 == 2 ? in : there, out, i, is[0]); /* they take turns */
                run_meter(own, in_own, out, i, is[1]);
                run_meter(own, in, out, i, is[2]);
                for (size_t k = 0; k < 3; k++)
                    cr_assert_arr_eq(is[k], should, DIGITS, "seed %u, %s, %s %%, window %u, way %zu", SEED, isas[level],
                                     stripes[s], i, k);
            }
            drop(in);
            drop(out);
            drop(there);
            drop(in_own);
            OH_NNExecutor_Destroy(&right);
            OH_NNExecutor_Destroy(&own);
            OH_NNExecutor_Destroy(&given);
            OH_NNCompilation_Destroy(&apart);
            OH_NNCompilation_Destroy(&inside);
            free(block);
        }
}

/* Runs that repeat the last one are only its steps, but for the copy. */
Test(input_memory, the_same_tensor_elsewhere_is_copied_for_every_run) {
    OH_NNCompilation *apart = meter_with("scalar", "0", "apart"), *inside = meter_with("scalar", "0", "arena");
    OH_NNExecutor *right = OH_NNExecutor_Construct(apart), *own = OH_NNExecutor_Construct(inside);
    NN_Tensor *in = tensor_elsewhere(own, false, 0), *out = tensor_elsewhere(own, true, 0);
    NN_Tensor *other_in = tensor_elsewhere(right, false, 0), *other_out = tensor_elsewhere(right, true, 0);
    int8_t last[DIGITS] = {0};
    uint32_t i, differ = 0;
    for (i = 0; i < 8; i++) {
        int8_t should[DIGITS], is[DIGITS];
        run_meter(right, other_in, other_out, i, should);
        run_meter(own, in, out, i, is);
        cr_assert_arr_eq(is, should, DIGITS, "seed %u, window %u", SEED, i);
        differ += memcmp(is, last, DIGITS) != 0;
        memcpy(last, is, DIGITS);
    }
    cr_assert_gt(differ, 4u); /* or one copy would do */
    drop(in), drop(out), drop(other_in), drop(other_out);
    OH_NNExecutor_Destroy(&right);
    OH_NNExecutor_Destroy(&own);
    OH_NNCompilation_Destroy(&apart);
    OH_NNCompilation_Destroy(&inside);
}

Test(input_memory, a_tensor_in_the_arena_has_the_models_type_and_shape_and_no_descriptor) {
    OH_NNCompilation *compilation = meter_with("scalar", "2", "arena");
    OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
    NN_Tensor *tensor = nnrt_tensor_create_in_arena(executor, 0);
    const NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    OH_NN_DataType dtype;
    int32_t *dims = NULL;
    size_t rank = 0, size = 0;
    int fd = 0;
    IS(OH_NNTensorDesc_GetDataType(desc, &dtype), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_GetShape(desc, &dims, &rank), OH_NN_SUCCESS);
    IS(OH_NNTensor_GetSize(tensor, &size), OH_NN_SUCCESS);
    cr_assert(dtype == OH_NN_INT8 && rank == 4 && dims[1] == 32 && dims[2] == 20 && size == WINDOW);
    IS(OH_NNTensor_GetFd(tensor, &fd), OH_NN_SUCCESS);
    cr_assert_eq(fd, -1);
    IS(OH_NNTensor_Destroy(&tensor), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}

Test(input_memory, the_schedule_shows_the_input_in_the_arena_from_the_first_step_on) {
    OH_NNCompilation *compilation = meter_with("scalar", "2", "arena");
    OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
    NN_Tensor *tensor = nnrt_tensor_create_in_arena(executor, 0);
    const nnrt_schedule *schedule = NULL;
    const nnrt_schedule_tensor *input;
    IS(nnrt_executor_get_schedule(executor, &schedule), OH_NN_SUCCESS);
    input = &schedule->tensors[schedule->inputs[0]];
    cr_assert_eq((int)input->place, (int)NNRT_PLACE_ARENA);
    cr_assert_eq((const uint8_t *)schedule->arena + input->offset, (const uint8_t *)OH_NNTensor_GetDataBuffer(tensor));
    cr_assert_eq(input->first_step, 0u);
    IS(OH_NNTensor_Destroy(&tensor), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}

/* ----------------------------------------------------------------------------------------- graphs of their own */

static OH_NNExecutor *executor_with(gb_graph *g, const char *inputs) {
    static const off_settings none;
    IS(gb_finish(g), OH_NN_SUCCESS);
    g->compilation = OH_NNCompilation_Construct(g->model);
    off_config(g->compilation, "nnrt.inputs", inputs);
    IS(off_build(g->compilation, &none), OH_NN_SUCCESS);
    g->executor = OH_NNExecutor_Construct(g->compilation);
    cr_assert_not_null(g->executor, "%s", nnrt_last_error());
    return g->executor;
}

static const int32_t hundred[1] = {100};

/* Six transpositions of a, of which each takes the room of the one before the last, and b added to the last: a b that
   is alive no sooner than it is read would lie where they do. A third input is in another shape an output, a fourth is
   unused. */
static void make_late(gb_graph *g) {
    static const int32_t ten[2] = {10, 10}, swap[2] = {1, 0};
    uint32_t from[2], late, shown[2], end, i;
    gb_open(g);
    from[0] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 2, ten));
    late = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 2, ten));
    shown[0] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 1, hundred));
    shown[1] = gb_ints(g, 2, ten);
    end = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 2, ten));
    IS(gb_op(g, OH_NN_OPS_RESHAPE, 2, shown, 1, &end), OH_NN_SUCCESS);
    (void)gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 1, hundred));
    for (i = 0; i < 6; i++) {
        const uint32_t to = gb_tensor(g, OH_NN_FLOAT32, 2, ten);
        from[1] = gb_ints(g, 2, swap);
        IS(gb_op(g, OH_NN_OPS_TRANSPOSE, 2, from, 1, &to), OH_NN_SUCCESS);
        from[0] = to;
    }
    {
        const uint32_t both[2] = {from[0], late};
        end = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 2, ten));
        IS(gb_op(g, OH_NN_OPS_ADD, 2, both, 1, &end), OH_NN_SUCCESS);
    }
}

Test(input_memory, an_input_that_is_read_late_is_intact_until_then_and_one_that_is_an_output_or_unused_stays_apart) {
    static const char *const ways[2] = {"apart", "arena"};
    float results[2][2][100];
    size_t way, i, k;
    for (way = 0; way < 2; way++) {
        gb_graph g;
        NN_Tensor *in[4], *out[2];
        make_late(&g);
        OH_NNExecutor *executor = executor_with(&g, ways[way]);
        for (i = 0; i < 4; i++) {
            in[i] = nnrt_tensor_create_in_arena(executor, i);
            cr_assert_eq(in[i] != NULL, way == 1 && i < 2, "input %zu", i);
            if (in[i] != NULL) continue;
            SAYS("does not lie in the arena");
            in[i] = tensor_elsewhere(executor, false, i);
        }
        for (i = 0; i < 2; i++) out[i] = tensor_elsewhere(executor, true, i);
        for (int again = 0; again < 2; again++) {
            for (i = 0; i < 4; i++)
                for (k = 0; k < 100; k++) ((float *)OH_NNTensor_GetDataBuffer(in[i]))[k] = (float)(i * 100 + k) / 64;
            IS(OH_NNExecutor_RunSync(executor, in, 4, out, 2), OH_NN_SUCCESS);
        }
        for (i = 0; i < 2; i++) memcpy(results[way][i], OH_NNTensor_GetDataBuffer(out[i]), sizeof results[way][i]);
        for (i = 0; i < 4; i++) drop(in[i]);
        for (i = 0; i < 2; i++) drop(out[i]);
        gb_close(&g);
    }
    cr_assert_eq(memcmp(results[0], results[1], sizeof results[0]), 0);
}

static void make_sum(gb_graph *g) {
    uint32_t in[2], out, i;
    gb_open(g);
    for (i = 0; i < 2; i++) in[i] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 1, hundred));
    out = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 1, hundred));
    IS(gb_op(g, OH_NN_OPS_SUB, 2, in, 1, &out), OH_NN_SUCCESS);
}

Test(input_memory, a_tensor_in_the_place_of_another_is_refused_and_no_output_is_written) {
    gb_graph g;
    NN_Tensor *in[2], *swapped[2], *out, *elsewhere;
    make_sum(&g);
    OH_NNExecutor *executor = executor_with(&g, "arena");
    size_t i;
    for (i = 0; i < 2; i++) in[i] = nnrt_tensor_create_in_arena(executor, i);
    out = tensor_elsewhere(executor, true, 0);
    elsewhere = tensor_elsewhere(executor, false, 0);
    for (i = 0; i < 100; i++) {
        ((float *)OH_NNTensor_GetDataBuffer(in[0]))[i] = (float)i;
        ((float *)OH_NNTensor_GetDataBuffer(in[1]))[i] = 3;
        ((float *)OH_NNTensor_GetDataBuffer(out))[i] = -1;
    }
    swapped[0] = in[1];
    swapped[1] = in[0];
    IS(OH_NNExecutor_RunSync(executor, swapped, 2, &out, 1), OH_NN_INVALID_PARAMETER);
    SAYS("input 0 is in the arena");
    swapped[0] = elsewhere;
    IS(OH_NNExecutor_RunSync(executor, swapped, 2, &out, 1), OH_NN_INVALID_PARAMETER);
    SAYS("input 1 is in the arena");
    IS(OH_NNExecutor_RunSync(executor, in, 2, &in[0], 1), OH_NN_INVALID_PARAMETER);
    SAYS("output 0 is in the arena");
    for (i = 0; i < 100; i++) cr_assert_eq(((float *)OH_NNTensor_GetDataBuffer(out))[i], -1);
    for (i = 0; i < 100; i++) ((float *)OH_NNTensor_GetDataBuffer(in[0]))[i] = (float)i; /* a copy came there */
    IS(OH_NNExecutor_RunSync(executor, in, 2, &out, 1), OH_NN_SUCCESS);
    for (i = 0; i < 100; i++) cr_assert_eq(((float *)OH_NNTensor_GetDataBuffer(out))[i], (float)i - 3);
    for (i = 0; i < 2; i++) drop(in[i]);
    drop(out);
    drop(elsewhere);
    gb_close(&g);
}

Test(input_memory, a_tensor_in_an_arena_that_two_executors_share_is_of_no_use_to_the_other) {
    OH_NNCompilation *inside = meter_with("scalar", "2", "arena"), *apart = meter_with("scalar", "2", "apart");
    const size_t bytes = arena_of(inside) > arena_of(apart) ? arena_of(inside) : arena_of(apart);
    void *block = malloc(bytes + 63);
    OH_NNExecutor *one = NULL, *other = NULL;
    NN_Tensor *in, *out;
    IS(nnrt_executor_construct_in(inside, block, bytes + 63, &one), OH_NN_SUCCESS);
    IS(nnrt_executor_construct_in(apart, block, bytes + 63, &other), OH_NN_SUCCESS);
    in = nnrt_tensor_create_in_arena(one, 0);
    out = tensor_elsewhere(one, true, 0);
    fill(in, 1);
    IS(OH_NNExecutor_RunSync(other, &in, 1, &out, 1), OH_NN_INVALID_PARAMETER);
    SAYS("input 0 is in the arena");
    IS(OH_NNExecutor_RunSync(one, &in, 1, &out, 1), OH_NN_SUCCESS);
    drop(in);
    drop(out);
    OH_NNExecutor_Destroy(&one);
    OH_NNExecutor_Destroy(&other);
    OH_NNCompilation_Destroy(&inside);
    OH_NNCompilation_Destroy(&apart);
    free(block);
}

Test(input_memory, what_there_is_none_of_is_refused_with_a_sentence) {
    static const char *const wrong[] = {"1", "", "program", "Arena"};
    static const int32_t open[2] = {-1, 4}, once[2] = {3, 4};
    OH_NNCompilation *compilation = meter_with("scalar", "2", "apart");
    OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
    gb_graph g;
    size_t i;
    cr_assert_null(nnrt_tensor_create_in_arena(NULL, 0));
    SAYS("executor is NULL");
    cr_assert_null(nnrt_tensor_create_in_arena(executor, 1));
    SAYS("there is no input 1");
    cr_assert_null(nnrt_tensor_create_in_arena(executor, 0));
    SAYS("nnrt.inputs \"arena\"");
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    for (i = 0; i < 4; i++) {
        size_t size;
        uint8_t *model = off_read("examples/meter/meter.tflite", &size);
        OH_NN_ReturnCode code;
        compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
        code = OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.inputs", wrong[i], strlen(wrong[i]));
        if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(compilation);
        IS(code, OH_NN_INVALID_PARAMETER);
        OH_NNCompilation_Destroy(&compilation);
        free(model);
    }
    gb_open(&g);
    uint32_t in = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, open)), out = gb_tensor(&g, OH_NN_FLOAT32, 2, open);
    (void)gb_output(&g, out);
    IS(gb_op(&g, OH_NN_OPS_ABS, 1, &in, 1, &out), OH_NN_SUCCESS);
    executor = executor_with(&g, "arena");
    cr_assert_null(nnrt_tensor_create_in_arena(executor, 0));
    /* and runs as ever */
    float numbers[12], result[12];
    for (i = 0; i < 12; i++) numbers[i] = 5 - (float)i;
    gb_run_shape(&g, 0, 2, once);
    IS(gb_run(&g, gb_buffer(numbers, sizeof numbers), gb_buffer(result, sizeof result)), OH_NN_SUCCESS);
    for (i = 0; i < 12; i++) cr_assert_eq(result[i], numbers[i] < 0 ? -numbers[i] : numbers[i]);
    gb_close(&g);
}

/* ---------------------------------------------------------------------------------------------- hostile plans */

/* How Build ends for a plan whose checksum is believed. */
static OH_NN_ReturnCode load(const uint8_t *plan, size_t size) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
    OH_NN_ReturnCode code;
    off_config(compilation, "nnrt.trust", "crc");
    code = OH_NNCompilation_Build(compilation);
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

Test(input_memory, a_plan_whose_input_does_not_fit_the_arena_is_refused) {
    OH_NNCompilation *compilation = meter_with("scalar", "0", "arena");
    size_t size;
    uint8_t *plan = off_export(compilation, &size);
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    const uint32_t *operands = (const uint32_t *)(const void *)(plan + header->operands);
    nnrt__plan_value *input = (nnrt__plan_value *)(void *)(plan + header->values) + operands[0];
    const nnrt__plan_header is = *header;
    const nnrt__plan_value was = *input;
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(input->segment, (uint32_t)NNRT__SEGMENT_ARENA);
    IS(load(plan, size), OH_NN_SUCCESS);
    input->offset = header->arena_size;
    IS(load(plan, size), OH_NN_INVALID_FILE);
    SAYS("outside its segment");
    input->offset = was.offset + 4;
    IS(load(plan, size), OH_NN_INVALID_FILE);
    *input = was;
    header->arena_size += 1 << 20; /* which nothing lies in */
    IS(load(plan, size), OH_NN_INVALID_FILE);
    SAYS("larger than what lies in it");
    *header = is;
    input->segment = NNRT__SEGMENT_OUTPUT;
    IS(load(plan, size), OH_NN_INVALID_FILE);
    free(plan);
}
