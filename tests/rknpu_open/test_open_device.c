/* SPDX-License-Identifier: Apache-2.0 */
/* test_open_device.c - models for the processor and the NPU of RV1106 and RK3588 in one plan: compiled by the rows of
   the devices, checked as on a board, and run on the NPU in software (tools/rkchip) in the place of a driver. Shares of
   the work on the NPU, outputs beside those of the CPU and of TensorFlow Lite, plans that lie, targets by name.

   The shared models lie in NNRT_MODELS (default ../shared/models) and are no part of this repository. */
#include "linked.h"

#include "graph_builder.h"
#include "offline_runner.h"

#define SEED 20261125u
#include "noise.h"

#include "open_npu_run.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

/* ----------------------------------------------------------------------------------- rows that run in software */

typedef struct soft_session {
    nnrt__accelerator_session base;
    const void *image;
    size_t size;
} soft_session;

static uint32_t soft_opened, soft_closed, soft_runs, soft_tasks, soft_outputs;

static OH_NN_ReturnCode soft_open(const nnrt__accelerator *self, const void *image, size_t size, uint32_t timeout_ms,
                                  nnrt__accelerator_session **session) {
    soft_session *made = (soft_session *)malloc(sizeof *made);
    cr_assert_not_null(made);
    cr_assert_gt(timeout_ms, 0u);
    made->base.accelerator = self;
    made->image = image;
    made->size = size;
    *session = &made->base;
    soft_opened++;
    return OH_NN_SUCCESS;
}

static OH_NN_ReturnCode soft_run(nnrt__accelerator_session *session, const void *const *inputs, void *const *outputs,
                                 int32_t *cancel) {
    const soft_session *self = (const soft_session *)(const void *)session;
    (void)cancel;
    image_run(self->image, self->size, (void *const *)inputs, outputs);
    soft_runs++;
    soft_tasks += image_header(self->image)->task_count;
    soft_outputs += image_header(self->image)->output_count;
    return OH_NN_SUCCESS;
}

static void soft_close(nnrt__accelerator_session *session) {
    free(session);
    soft_closed++;
}

static size_t soft_memory(const nnrt__accelerator_session *session) {
    return image_header(((const soft_session *)(const void *)session)->image)->memory_size;
}

static OH_NN_ReturnCode soft_device_open(void *user, void **device) {
    nnrt__cpu_device *self = (nnrt__cpu_device *)calloc(1, sizeof *self); /* as long as the process */
    cr_assert_not_null(self);
    *device = self;
    return nnrt__cpu_open_with(self, (const nnrt__accelerator *)user);
}

/* The device of a chip, which runs in software: the id. at_any_price: it gets all that it can do. */
static size_t soft_device_of(nnrt__open_npu_chip chip, bool at_any_price) {
    static nnrt__open_npu_chip_row rows[4];
    static nnrt_backend backends[4];
    static size_t ids[4];
    const size_t i = (chip == NNRT__OPEN_NPU_RK3588 ? 1u : 0u) + (at_any_price ? 2u : 0u);
    if (ids[i] != 0) return ids[i];
    rows[i] = i % 2 == 1 ? nnrt__open_npu_rk3588 : nnrt__open_npu_rv1106;
    if (at_any_price) rows[i].base.least_macs = rows[i].base.macs_per_byte = 0;
    rows[i].base.open = soft_open;
    rows[i].base.run = soft_run;
    rows[i].base.close = soft_close;
    rows[i].base.memory = soft_memory;
    backends[i] = i % 2 == 1 ? nnrt__open_npu_rk3588_backend : nnrt__open_npu_rv1106_backend;
    backends[i].name = at_any_price ? "soft_free" : "soft"; /* the board of the test may have the NPU itself */
    backends[i].open = soft_device_open;
    backends[i].user = &rows[i];
    IS(nnrt_register_backend(&backends[i], &ids[i]), OH_NN_SUCCESS);
    return ids[i];
}

static size_t soft_device(nnrt__open_npu_chip chip) { return soft_device_of(chip, false); }

/* ------------------------------------------------------------------------------------------------- real models */

/* Factors of 15 bits and ties to even are not TensorFlow Lite's rounding: steps differ by one here and there, and the
   layers behind make more of it. The residual net is the model of which TensorFlow Lite's own kernels give outputs that
   are 22 to 25 apart. */
typedef struct wanted {
    const char *name;
    double least_share[2]; /* of the multiply-accumulates: RV1106, RK3588, whose processor does little work itself */
    int most_apart;        /* steps between an output and that of the CPU */
} wanted;

/* Share of the model's multiply-accumulates that the NPU does. */
static double share(OH_NNExecutor *executor, uint32_t *part_count, uint32_t *count) {
    const nnrt_profile_step *steps = NULL;
    double all = 0, npu = 0;
    uint32_t i;
    IS(nnrt_executor_get_profile(executor, &steps, count), OH_NN_SUCCESS);
    *part_count = 0;
    for (i = 0; i < *count; i++) {
        all += (double)steps[i].macs;
        if (strcmp(steps[i].kernel, "accelerated") != 0) continue;
        npu += (double)steps[i].macs;
        ++*part_count;
    }
    return all > 0 ? npu / all : 0;
}

static size_t top(const int8_t *scores, size_t count) {
    size_t best = 0, i;
    for (i = 1; i < count; i++)
        if (scores[i] > scores[best]) best = i;
    return best;
}

/* How far the best score is above the next. */
static int lead(const int8_t *scores, size_t count) {
    const size_t best = top(scores, count);
    int least = 256;
    size_t i;
    for (i = 0; i < count; i++)
        if (i != best && scores[best] - scores[i] < least) least = scores[best] - scores[i];
    return least;
}

static void try_model(const wanted *w, nnrt__open_npu_chip chip) {
    const off_settings settings = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
    OH_NNCompilation *both, *cpu;
    OH_NNExecutor *on_both, *on_cpu;
    char path[512];
    size_t size, in_size, out_size, sample, i;
    uint32_t part_count, count;
    double done;
    uint8_t *model;
    (void)snprintf(path, sizeof path, "%s/%s/%s.tflite", off_models_folder(), w->name, w->name);
    model = off_read(path, &size);
    if (model == NULL) cr_skip_test("skipped, no %s", path);
    both = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
    cpu = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
    IS(off_build_for(both, &settings, soft_device(chip)), OH_NN_SUCCESS);
    IS(off_build_for(cpu, &settings, gb_device()), OH_NN_SUCCESS);
    on_both = OH_NNExecutor_Construct(both);
    on_cpu = OH_NNExecutor_Construct(cpu);
    cr_assert(on_both != NULL && on_cpu != NULL, "%s", nnrt_last_error());
    done = share(on_both, &part_count, &count);
    cr_log_info("%s on %s: %.1f %% of the products in %u of %u steps\n", w->name, chip_name(chip), 100 * done,
                (unsigned)part_count, (unsigned)count);
    cr_assert_geq(done, w->least_share[chip == NNRT__OPEN_NPU_RK3588], "%s on %s: %.3f of the products", w->name,
                  chip_name(chip), done);
    for (sample = 0; sample < 4; sample++) {
        uint8_t *in, *expected;
        int8_t *one, *other;
        int apart = 0;
        (void)snprintf(path, sizeof path, "%s/%s/input%zu.bin", off_models_folder(), w->name, sample);
        in = off_read(path, &in_size);
        (void)snprintf(path, sizeof path, "%s/%s/expected%zu.bin", off_models_folder(), w->name, sample);
        expected = off_read(path, &out_size);
        cr_assert(in != NULL && expected != NULL);
        one = (int8_t *)malloc(out_size);
        other = (int8_t *)malloc(out_size);
        cr_assert(one != NULL && other != NULL);
        IS(off_run(on_both, in, in_size, one, out_size), OH_NN_SUCCESS);
        IS(off_run(on_cpu, in, in_size, other, out_size), OH_NN_SUCCESS);
        cr_assert_eq(memcmp(other, expected, out_size), 0);
        for (i = 0; i < out_size; i++)
            if (abs(one[i] - other[i]) > apart) apart = abs(one[i] - other[i]);
        cr_log_info("sample %zu: at most %d apart\n", sample, apart);
        cr_assert_leq(apart, w->most_apart, "%s on %s, sample %zu: %d apart", w->name, chip_name(chip), sample, apart);
        cr_assert(top(one, out_size) == top(other, out_size) || lead(other, out_size) <= 2 * w->most_apart,
                  "%s on %s, sample %zu: another class", w->name, chip_name(chip), sample);
        free(in);
        free(expected);
        free(one);
        free(other);
    }
    OH_NNExecutor_Destroy(&on_both);
    OH_NNExecutor_Destroy(&on_cpu);
    OH_NNCompilation_Destroy(&both);
    OH_NNCompilation_Destroy(&cpu);
    free(model);
}

static void try_on_both(const wanted *w) {
    try_model(w, NNRT__OPEN_NPU_RV1106);
    try_model(w, NNRT__OPEN_NPU_RK3588);
    cr_assert_gt(soft_runs, 0u);
    cr_assert_eq(soft_opened, soft_closed);
}

Test(open_device, the_residual_net_runs_on_both_chips, .timeout = 120) {
    static const wanted w = {"pretrainedResnet_quant", {0.95, 0.95}, 40};
    try_on_both(&w);
}
Test(open_device, keywords_run_on_both_chips, .timeout = 120) {
    static const wanted w = {"kws_ref_model", {0.95, 0.95}, 1};
    try_on_both(&w);
}
Test(open_device, visual_wake_words_run_on_both_chips, .timeout = 120) {
    static const wanted w = {"vww_96_int8", {0.95, 0.95}, 5};
    try_on_both(&w);
}
Test(open_device, person_detection_runs_on_both_chips, .timeout = 120) {
    static const wanted w = {"person_detect", {0.95, 0.95}, 3};
    try_on_both(&w);
}
Test(open_device, anomaly_detection_runs_on_both_chips, .timeout = 120) {
    static const wanted w = {"ad01_int8", {0.95, 0.0}, 3};
    try_on_both(&w);
}

/* ------------------------------------------------------------------------------------------ exact, targets, lies */

enum {
    SIDE = 16,
    CHANNELS = 16,
    BYTES = SIDE * SIDE * CHANNELS
};

/* A convolution of 3x3 that is worth the way, the largest of 2x2, SOFTMAX. */
static void make(gb_graph *g, double out_scale) {
    static int8_t weights[CHANNELS * 9 * CHANNELS];
    const int32_t dims[4] = {1, SIDE, SIDE, CHANNELS}, kernel[4] = {CHANNELS, 3, 3, CHANNELS}, channels = CHANNELS;
    const int64_t strides[2] = {1, 1};
    const double weight_scale = 1.0 / 128;
    const int32_t bias[CHANNELS] = {0};
    const int32_t halves[4] = {1, SIDE / 2, SIDE / 2, CHANNELS};
    const int64_t two[2] = {2, 2};
    uint32_t operands[3], convolved, largest, out;
    size_t i;
    for (i = 0; i < sizeof weights; i++) weights[i] = (int8_t)noise_in(-20, 20);
    gb_open(g);
    operands[0] = gb_input(g, gb_tensor_s8(g, 4, dims, 1.0 / 16, 0));
    operands[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 4, kernel, weights), 1, &weight_scale, NULL);
    operands[2] = gb_constant(g, OH_NN_INT32, 1, &channels, bias);
    convolved = gb_tensor_s8(g, 4, dims, out_scale, 0);
    gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i8(g, OH_NN_CONV2D_PAD_MODE, 0);
    IS(gb_op(g, OH_NN_OPS_CONV2D, 3, operands, 1, &convolved), OH_NN_SUCCESS);
    largest = gb_tensor_s8(g, 4, halves, out_scale, 0);
    gb_param_i64s(g, OH_NN_MAX_POOL_KERNEL_SIZE, 2, two);
    gb_param_i64s(g, OH_NN_MAX_POOL_STRIDE, 2, two);
    IS(gb_op(g, OH_NN_OPS_MAX_POOL, 1, &convolved, 1, &largest), OH_NN_SUCCESS);
    out = gb_output(g, gb_tensor_s8(g, 4, halves, 1.0 / 256, -128));
    gb_param_i64(g, OH_NN_SOFTMAX_AXIS, -1);
    IS(gb_op(g, OH_NN_OPS_SOFTMAX, 1, &largest, 1, &out), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

static OH_NN_ReturnCode build(gb_graph *g, size_t device, const char *name, const char *value) {
    if (g->executor != NULL) OH_NNExecutor_Destroy(&g->executor);
    if (g->compilation != NULL) OH_NNCompilation_Destroy(&g->compilation);
    g->compilation = OH_NNCompilation_Construct(g->model);
    cr_assert_not_null(g->compilation);
    IS(OH_NNCompilation_SetDevice(g->compilation, device), OH_NN_SUCCESS);
    off_config(g->compilation, name, value);
    return OH_NNCompilation_Build(g->compilation);
}

static uint32_t count_parts(gb_graph *g) {
    uint32_t part_count, count;
    g->executor = OH_NNExecutor_Construct(g->compilation);
    cr_assert_not_null(g->executor, "%s", nnrt_last_error());
    (void)share(g->executor, &part_count, &count);
    return part_count;
}

/* What goes to the NPU with nnrt.exact has the CPU's bytes. A convolution rounds in another way, a maximum in none. */
Test(open_device, exact_is_equal) {
    static const nnrt__open_npu_chip chips[2] = {NNRT__OPEN_NPU_RV1106, NNRT__OPEN_NPU_RK3588};
    static int8_t in[BYTES], out[BYTES], cpu[BYTES];
    static const double scales[3] = {0.25, 0.0817, 0.1373};
    size_t i, k, n;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 2; k++) {
            gb_graph g;
            make(&g, scales[i]);
            for (n = 0; n < BYTES; n++) in[n] = (int8_t)noise_in(-128, 127);
            IS(build(&g, gb_device(), "nnrt.exact", "1"), OH_NN_SUCCESS);
            cr_assert_eq(count_parts(&g), 0u, "the CPU device alone has no NPU");
            IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(cpu, BYTES)), OH_NN_SUCCESS);
            IS(build(&g, soft_device_of(chips[k], true), "nnrt.exact", "1"), OH_NN_SUCCESS);
            cr_assert_eq(count_parts(&g), 1u);
            IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(out, BYTES)), OH_NN_SUCCESS);
            cr_assert_eq(memcmp(out, cpu, BYTES), 0, "scale %zu on %s", i, chip_name(chips[k]));
            gb_close(&g);
        }
    cr_assert_gt(soft_runs, 0u);
}

/* A PAD that a convolution can do itself is no step, nor a task: with it there are two parts of the NPU. */
static void make_padded(gb_graph *g, bool depthwise) {
    static int8_t weights[CHANNELS * 9 * CHANNELS];
    const int32_t dims[4] = {1, SIDE, SIDE, CHANNELS}, padded[4] = {1, SIDE + 1, SIDE + 2, CHANNELS};
    const int32_t kernel[4] = {CHANNELS, 3, 3, depthwise ? 1 : CHANNELS}, channels = CHANNELS, pairs[2] = {4, 2};
    const int32_t halves[4] = {1, SIDE / 2, SIDE / 2, CHANNELS};
    const int64_t strides[2] = {2, 2}, amounts[8] = {0, 0, 0, 1, 1, 1, 0, 0};
    const double weight_scale = 1.0 / 128;
    const int32_t bias[CHANNELS] = {0};
    uint32_t operands[3], out;
    size_t i;
    for (i = 0; i < sizeof weights; i++) weights[i] = (int8_t)noise_in(-20, 20);
    gb_open(g);
    operands[0] = gb_input(g, gb_tensor_s8(g, 4, dims, 1.0 / 16, 3));
    operands[1] = gb_constant(g, OH_NN_INT64, 2, pairs, amounts);
    out = gb_tensor_s8(g, 4, padded, 1.0 / 16, 3);
    IS(gb_op(g, OH_NN_OPS_PAD, 2, operands, 1, &out), OH_NN_SUCCESS);
    operands[0] = out;
    operands[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 4, kernel, weights), 1, &weight_scale, NULL);
    operands[2] = gb_constant(g, OH_NN_INT32, 1, &channels, bias);
    out = gb_output(g, gb_tensor_s8(g, 4, halves, 0.25, 0));
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE : OH_NN_CONV2D_PAD_MODE, 1);
    IS(gb_op(g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, operands, 1, &out), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

Test(open_device, padding_in_front_of_a_convolution_is_its_own) {
    static const nnrt__open_npu_chip chips[2] = {NNRT__OPEN_NPU_RV1106, NNRT__OPEN_NPU_RK3588};
    static int8_t in[BYTES], out[BYTES / 4], cpu[BYTES / 4];
    size_t i, n;
    for (i = 0; i < 4; i++) {
        uint32_t part_count, count;
        gb_graph g;
        make_padded(&g, i / 2 == 1);
        for (n = 0; n < BYTES; n++) in[n] = (int8_t)noise_in(-128, 127);
        IS(build(&g, gb_device(), NULL, NULL), OH_NN_SUCCESS);
        cr_assert_eq(count_parts(&g), 0u);
        IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(cpu, sizeof cpu)), OH_NN_SUCCESS);
        IS(build(&g, soft_device_of(chips[i % 2], true), NULL, NULL), OH_NN_SUCCESS);
        g.executor = OH_NNExecutor_Construct(g.compilation);
        cr_assert_not_null(g.executor, "%s", nnrt_last_error());
        (void)share(g.executor, &part_count, &count);
        cr_assert(part_count == 1 && count == 1, "%u parts in %u steps on %s", (unsigned)part_count, (unsigned)count,
                  chip_name(chips[i % 2]));
        soft_tasks = 0;
        IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(out, sizeof out)), OH_NN_SUCCESS);
        cr_assert_eq(soft_tasks, 1u, "%u tasks", (unsigned)soft_tasks);
        for (n = 0; n < sizeof out; n++)
            cr_assert_leq(abs(out[n] - cpu[n]), 1, "value %zu on %s", n, chip_name(chips[i % 2]));
        gb_close(&g);
    }
}

static uint32_t tensor_u8(gb_graph *g, const int32_t *dims, double scale, int32_t zero) {
    return gb_quantize(g, gb_tensor(g, OH_NN_UINT8, 4, dims), 1, &scale, &zero);
}

/* Weights of uint8 need their input twice, rows or channels: the NPU copies it. Casts that nobody reads are gone. Each
   of the layers may round a value to the next byte, and they add up. */
Test(open_device, a_uint8_net_is_one_part_with_one_output) {
    static const nnrt__open_npu_chip chips[2] = {NNRT__OPEN_NPU_RV1106, NNRT__OPEN_NPU_RK3588};
    enum {
        LAYERS = 40
    };
    static const int32_t dims[4] = {1, SIDE, SIDE, CHANNELS}, channels = CHANNELS;
    static const int64_t ones[2] = {1, 1};
    static const int32_t bias[CHANNELS] = {0};
    static uint8_t weights[LAYERS][CHANNELS * 9 * CHANNELS], in[BYTES], out[BYTES], cpu[BYTES];
    size_t i, k, n;
    for (k = 0; k < 2; k++) {
        const double weight_scale = 1.0 / 256;
        const int32_t weight_zero = 100; /* 255 - 100 is more than 8 bits hold */
        uint32_t tensor, part_count, count, operands[3];
        gb_graph g;
        gb_open(&g);
        tensor = gb_input(&g, tensor_u8(&g, dims, 1.0 / 16, 120));
        for (i = 0; i < LAYERS; i++) {
            const bool depthwise = i % 2 == 1;
            const int32_t kernel[4] = {CHANNELS, 3, 3, depthwise ? 1 : CHANNELS};
            for (n = 0; n < sizeof weights[i]; n++)
                weights[i][n] = (uint8_t)(n == 0 ? 255 : noise_in(depthwise ? 0 : 60, depthwise ? 255 : 140));
            operands[0] = tensor;
            operands[1] =
                gb_quantize(&g, gb_constant(&g, OH_NN_UINT8, 4, kernel, weights[i]), 1, &weight_scale, &weight_zero);
            operands[2] = gb_constant(&g, OH_NN_INT32, 1, &channels, bias);
            tensor = tensor_u8(&g, dims, 1.0 / 16, 120);
            if (i + 1 == LAYERS) tensor = gb_output(&g, tensor);
            gb_param_i64s(&g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, ones);
            gb_param_i8(&g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE : OH_NN_CONV2D_PAD_MODE, 0);
            IS(gb_op(&g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, operands, 1, &tensor),
               OH_NN_SUCCESS);
        }
        IS(gb_finish(&g), OH_NN_SUCCESS);
        for (n = 0; n < BYTES; n++) in[n] = (uint8_t)noise_in(0, 255);
        IS(build(&g, gb_device(), NULL, NULL), OH_NN_SUCCESS);
        cr_assert_eq(count_parts(&g), 0u);
        IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(cpu, BYTES)), OH_NN_SUCCESS);
        cr_assert_neq(memcmp(cpu, cpu + 1, BYTES - 1), 0, "all values are one");
        IS(build(&g, soft_device(chips[k]), NULL, NULL), OH_NN_SUCCESS);
        g.executor = OH_NNExecutor_Construct(g.compilation);
        cr_assert_not_null(g.executor, "%s", nnrt_last_error());
        (void)share(g.executor, &part_count, &count);
        cr_assert(part_count == 1 && count == 3, "%u parts in %u steps on %s", (unsigned)part_count, (unsigned)count,
                  chip_name(chips[k]));
        soft_outputs = 0;
        IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(out, BYTES)), OH_NN_SUCCESS);
        cr_assert_eq(soft_outputs, 1u, "%u outputs", (unsigned)soft_outputs);
        for (n = 0; n < BYTES; n++)
            cr_assert_leq(abs(out[n] - cpu[n]), 24, "value %zu on %s: %d, %d", n, chip_name(chips[k]), out[n], cpu[n]);
        gb_close(&g);
    }
}

/* On this machine: for a board that is not here. */
Test(open_device, nnrt_target_makes_the_plan_that_the_board_runs) {
    static const struct {
        const char *target, *isa;
        nnrt__open_npu_chip chip;
    } targets[3] = {{"rv1106", "neon", NNRT__OPEN_NPU_RV1106},
                    {"rk3588", "armv8-dot", NNRT__OPEN_NPU_RK3588},
                    {"rk3588+neon", "neon", NNRT__OPEN_NPU_RK3588}};
    static int8_t in[BYTES], out[BYTES];
    size_t i;
    for (i = 0; i < 3; i++) {
        nnrt__plan_header header;
        uint8_t *plan;
        size_t size;
        gb_graph g;
        make(&g, 0.1);
        IS(build(&g, gb_device(), "nnrt.target", targets[i].target), OH_NN_SUCCESS);
        cr_assert_eq(count_parts(&g), targets[i].chip == NNRT__OPEN_NPU_RV1106 ? 1u : 0u, "RK3588 does it itself");
        IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(out, BYTES)), OH_NN_UNAVAILABLE_DEVICE);
        cr_assert_not_null(strstr(nnrt_last_error(), targets[i].isa), "%s", nnrt_last_error());
        plan = off_export(g.compilation, &size);
        memcpy(&header, plan, sizeof header);
        cr_assert_str_eq(nnrt__isa_name(header.isa), targets[i].isa);
        free(plan);
        gb_close(&g);
    }
}

Test(open_device, a_target_that_there_is_not_lists_the_chips) {
    gb_graph g;
    make(&g, 0.1);
    IS(build(&g, gb_device(), "nnrt.target", "rv1106+dot"), OH_NN_INVALID_PARAMETER);
    IS(build(&g, gb_device(), "nnrt.target", "rv1106+"), OH_NN_INVALID_PARAMETER);
    IS(build(&g, gb_device(), "nnrt.target", "neon+rv1106"), OH_NN_INVALID_PARAMETER);
    IS(build(&g, gb_device(), "nnrt.target", "rv1109"), OH_NN_INVALID_PARAMETER);
    cr_assert_not_null(strstr(nnrt_last_error(), "rv1106, rk3588"), "%s", nnrt_last_error());
    gb_close(&g);
}

static OH_NN_ReturnCode try_plan(const uint8_t *plan, size_t size, size_t device) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
    OH_NN_ReturnCode code;
    cr_assert_not_null(compilation);
    IS(OH_NNCompilation_SetDevice(compilation, device), OH_NN_SUCCESS);
    code = OH_NNCompilation_Build(compilation);
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

Test(open_device, a_plan_for_one_chip_is_refused_by_the_other_and_by_the_cpu) {
    const size_t device = soft_device(NNRT__OPEN_NPU_RV1106), other = soft_device(NNRT__OPEN_NPU_RK3588);
    uint8_t *plan;
    size_t size;
    gb_graph g;
    make(&g, 0.1);
    IS(build(&g, device, NULL, NULL), OH_NN_SUCCESS);
    cr_assert_eq(count_parts(&g), 1u);
    plan = off_export(g.compilation, &size);
    IS(try_plan(plan, size, device), OH_NN_SUCCESS);
    IS(try_plan(plan, size, gb_device()), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "\"rv1106\", this device has none"), "%s", nnrt_last_error());
    IS(try_plan(plan, size, other), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "\"rv1106\", this device has another one, rk3588"), "%s",
                       nnrt_last_error());
    free(plan);
    gb_close(&g);
}

/* RK3588 behind mainline's driver. */
static size_t soft_rocket(void) {
    static nnrt__open_npu_chip_row row;
    static nnrt_backend backend;
    size_t id = 0;
    row = nnrt__open_npu_rk3588_rocket;
    row.base.least_macs = row.base.macs_per_byte = 0;
    row.base.open = soft_open;
    row.base.run = soft_run;
    row.base.close = soft_close;
    row.base.memory = soft_memory;
    backend = nnrt__open_npu_rk3588_backend;
    backend.name = "soft_rocket";
    backend.open = soft_device_open;
    backend.user = &row;
    IS(nnrt_register_backend(&backend, &id), OH_NN_SUCCESS);
    return id;
}

/* A mean over windows of 2x2 and an average of what is left. */
static void make_averages(gb_graph *g) {
    const int32_t dims[4] = {1, SIDE, SIDE, CHANNELS}, halves[4] = {1, SIDE / 2, SIDE / 2, CHANNELS};
    const int64_t two[2] = {2, 2};
    uint32_t in, out;
    gb_open(g);
    in = gb_input(g, gb_tensor_s8(g, 4, dims, 1.0 / 16, 0));
    out = gb_output(g, gb_tensor_s8(g, 4, halves, 1.0 / 16, 0));
    gb_param_i64s(g, OH_NN_AVG_POOL_KERNEL_SIZE, 2, two);
    gb_param_i64s(g, OH_NN_AVG_POOL_STRIDE, 2, two);
    IS(gb_op(g, OH_NN_OPS_AVG_POOL, 1, &in, 1, &out), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

static uint8_t *plan_for(gb_graph *g, const char *target, size_t *size) {
    IS(build(g, gb_device(), "nnrt.target", target), OH_NN_SUCCESS);
    return off_export(g->compilation, size);
}

/* Of a driver that does not notice the end of a pool only what needs the block for pools stays on the CPU. */
Test(open_device, behind_mainline_s_driver_averages_are_the_npu_s_and_maxima_are_not) {
    const size_t rocket = soft_rocket();
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    gb_graph g;
    make_averages(&g);
    IS(build(&g, rocket, NULL, NULL), OH_NN_SUCCESS);
    cr_assert_eq(count_parts(&g), 1u);
    gb_close(&g);
    make(&g, 0.1);
    IS(build(&g, rocket, NULL, NULL), OH_NN_SUCCESS);
    cr_assert_eq(count_parts(&g), 1u);
    IS(nnrt_executor_get_profile(g.executor, &steps, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 3u);
    cr_assert_eq((int)steps[1].op, (int)OH_NN_OPS_MAX_POOL);
    gb_close(&g);
}

Test(open_device, a_plan_for_mainline_s_driver_is_made_anywhere_and_runs_with_both) {
    static int8_t in[BYTES], out[BYTES / 4], first[BYTES / 4];
    const size_t rocket = soft_rocket(), other = soft_device_of(NNRT__OPEN_NPU_RK3588, true);
    const size_t devices[2] = {rocket, other};
    uint8_t *plan;
    size_t size, i;
    gb_graph g;
    for (i = 0; i < BYTES; i++) in[i] = (int8_t)noise_in(-128, 127);
    make(&g, 0.1);
    IS(build(&g, other, NULL, NULL), OH_NN_SUCCESS); /* convolution and pool in one part */
    plan = off_export(g.compilation, &size);
    IS(try_plan(plan, size, rocket), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "rk3588-rocket"), "%s", nnrt_last_error());
    IS(try_plan(plan, size, other), OH_NN_SUCCESS);
    free(plan);
    IS(build(&g, rocket, NULL, NULL), OH_NN_SUCCESS);
    plan = off_export(g.compilation, &size);
    for (i = 0; i < 2; i++) {
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
        cr_assert_not_null(compilation);
        IS(OH_NNCompilation_SetDevice(compilation, devices[i]), OH_NN_SUCCESS);
        IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
        OH_NNExecutor_Destroy(&g.executor);
        g.executor = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(g.executor, "%s", nnrt_last_error());
        IS(gb_run(&g, gb_buffer(in, BYTES), gb_buffer(out, sizeof out)), OH_NN_SUCCESS);
        if (i == 0) memcpy(first, out, sizeof out);
        cr_assert_eq(memcmp(first, out, sizeof out), 0);
        OH_NNExecutor_Destroy(&g.executor);
        OH_NNCompilation_Destroy(&compilation);
    }
    IS(try_plan(plan, size, soft_device_of(NNRT__OPEN_NPU_RV1106, true)), OH_NN_INVALID_FILE);
    free(plan);
    gb_close(&g);
    make_averages(&g); /* too little to do: there is no part, and both take it */
    plan = plan_for(&g, "rk3588-rocket+scalar", &size);
    IS(try_plan(plan, size, rocket), OH_NN_SUCCESS);
    IS(try_plan(plan, size, other), OH_NN_SUCCESS);
    free(plan);
    gb_close(&g);
}

/* The image of a plan for RV1106, at its place in a copy of the plan. */
static uint8_t *find_image(uint8_t *plan, size_t size) {
    const nnrt__plan_header *header = (const nnrt__plan_header *)(const void *)plan;
    size_t at;
    for (at = (size_t)header->constants; at + sizeof(nnrt__open_npu_header) <= size; at += 64)
        if (nnrt__read_u32(plan + at) == NNRT__OPEN_NPU_MAGIC) return plan + at;
    cr_assert_fail("the plan has no image");
    return NULL;
}

static void lie_about_the_chip(nnrt__open_npu_header *h) { h->chip = NNRT__OPEN_NPU_RK3588; }
static void lie_about_an_output(nnrt__open_npu_header *h) { h->output_count = 0, h->input_count++; }
static void lie_about_the_memory(nnrt__open_npu_header *h) { h->memory_size -= 64; }
static void lie_about_a_port(nnrt__open_npu_header *h) {
    ((nnrt__open_npu_port *)(void *)((uint8_t *)h + h->ports))->channels--;
}
static void lie_about_a_task(nnrt__open_npu_header *h) {
    ((nnrt__open_npu_task *)(void *)((uint8_t *)h + h->tasks))->words += 16;
}
static void write_behind_the_memory(nnrt__open_npu_header *h) {
    const nnrt__open_npu_task *task = (const nnrt__open_npu_task *)(const void *)((uint8_t *)h + h->tasks);
    uint8_t *words = (uint8_t *)h + h->loaded + task->words;
    const uint32_t outside = h->memory_size;
    uint32_t i;
    for (i = 0; i < task->amount; i++)
        if ((nnrt__read_u32(words + 8 * (size_t)i) & 0xffff) == 0x4020) memcpy(words + 8 * (size_t)i + 2, &outside, 4);
}

Test(open_device, an_image_that_lies_is_refused_with_the_plan) {
    static void (*const lies[])(nnrt__open_npu_header * h) = {lie_about_the_chip,   lie_about_an_output,
                                                              lie_about_the_memory, lie_about_a_port,
                                                              lie_about_a_task,     write_behind_the_memory};
    const size_t device = soft_device(NNRT__OPEN_NPU_RV1106);
    uint8_t *plan;
    size_t size, i;
    gb_graph g;
    make(&g, 0.1);
    IS(build(&g, device, NULL, NULL), OH_NN_SUCCESS);
    plan = off_export(g.compilation, &size);
    for (i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        void *block;
        uint8_t *copy = off_copy(plan, size, 0, &block);
        uint32_t crc;
        lies[i]((nnrt__open_npu_header *)(void *)find_image(copy, size));
        crc = nnrt__plan_crc(copy, size);
        memcpy(copy + offsetof(nnrt__plan_header, crc), &crc, sizeof crc);
        cr_assert_eq((int)try_plan(copy, size, device), (int)OH_NN_INVALID_FILE, "lie %zu", i);
        free(block);
    }
    cr_assert_eq(soft_opened, 0u);
    free(plan);
    gb_close(&g);
}

static char heard[4096];

static void listen(void *user, nnrt_log_level level, const char *line) {
    const size_t used = strlen(heard);
    (void)user;
    (void)level;
    (void)snprintf(heard + used, sizeof heard - used, "%s\n", line);
}

/* Chosen by name, never by surprise: behind the CPU, where it is listed at all. */
Test(open_device, the_cpu_stays_before_it_and_a_board_without_the_npu_says_why) {
    static const char *const names[2] = {"rknpu_open_rv1106_" NNRT_VERSION, "rknpu_open_rk3588_" NNRT_VERSION};
    const size_t *ids = NULL;
    uint32_t count = 0, i, k;
    nnrt_set_log(listen, NULL);
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    for (i = 0; i < 2; i++) {
        bool listed = false;
        char why[128];
        for (k = 0; k < count; k++) {
            const char *name = NULL;
            IS(OH_NNDevice_GetName(ids[k], &name), OH_NN_SUCCESS);
            if (strcmp(name, names[i]) != 0) continue;
            listed = true;
            cr_assert(k > 0);
        }
        (void)snprintf(why, sizeof why, "device %s is not listed: ", names[i]);
        cr_assert(listed || strstr(heard, why) != NULL, "%s: %s", names[i], heard);
    }
    nnrt_set_log(NULL, NULL);
}

Test(open_device, takes_every_operator_that_the_cpu_takes) {
    const bool *available = NULL;
    uint32_t count = 0, i;
    gb_graph g;
    make(&g, 0.1);
    IS(OH_NNModel_GetAvailableOperations(g.model, soft_device(NNRT__OPEN_NPU_RV1106), &available, &count),
       OH_NN_SUCCESS);
    cr_assert_eq(count, 3u);
    for (i = 0; i < count; i++) cr_assert(available[i], "operator %u", (unsigned)i);
    gb_close(&g);
}
