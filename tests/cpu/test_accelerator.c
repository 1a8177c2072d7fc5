/* SPDX-License-Identifier: Apache-2.0 */
/* test_accelerator.c - one compilation for the CPU and an accelerator: which operator goes where, in one plan, with the
   CPU's bytes; what happens if the accelerator fails to compile, to open, to run, or to be in time; and forged plans.
   */
#include "linked.h"

#include "graph_builder.h"
#include "offline_runner.h"
#include "part_accelerator.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    SIDE = 8,
    CHANNELS = 4,
    PIXELS = SIDE * SIDE,
    INPUT = PIXELS * CHANNELS,
    OUTPUT = PIXELS * CHANNELS
};

/* -------------------------------------------------------------------------------------------------- a model

   in -> conv -> RELU -> conv -> ADD(RELU) -> SOFTMAX -> out
                  |______________|                             side -1: height and width are open */

static uint32_t convolved(gb_graph *g, uint32_t in, int32_t side, double scale, uint32_t seed) {
    const int32_t dims[4] = {1, side, side, CHANNELS}, kernel[4] = {CHANNELS, 3, 3, CHANNELS}, channels = CHANNELS;
    const int64_t strides[2] = {1, 1};
    const double weight_scale = 0.01;
    int8_t weights[CHANNELS * 9 * CHANNELS];
    int32_t bias[CHANNELS];
    uint32_t operands[3], out;
    size_t i;
    for (i = 0; i < sizeof weights; i++) {
        seed = seed * 1664525u + 1013904223u;
        weights[i] = (int8_t)((int32_t)(seed >> 25) - 64);
    }
    for (i = 0; i < CHANNELS; i++) bias[i] = (int32_t)i * 50;
    operands[0] = in;
    operands[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 4, kernel, weights), 1, &weight_scale, NULL);
    operands[2] = gb_constant(g, OH_NN_INT32, 1, &channels, bias);
    out = gb_tensor_s8(g, 4, dims, scale, 3);
    gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i8(g, OH_NN_CONV2D_PAD_MODE, 0);
    IS(gb_op(g, OH_NN_OPS_CONV2D, 3, operands, 1, &out), OH_NN_SUCCESS);
    return out;
}

static void make(gb_graph *g, int32_t side) {
    const int32_t dims[4] = {1, side, side, CHANNELS};
    uint32_t in, first, bent, second, sum[2], added, out;
    gb_open(g);
    in = gb_input(g, gb_tensor_s8(g, 4, dims, 0.05, -2));
    first = convolved(g, in, side, 0.06, 1);
    bent = gb_tensor_s8(g, 4, dims, 0.06, 3);
    IS(gb_op(g, OH_NN_OPS_RELU, 1, &first, 1, &bent), OH_NN_SUCCESS);
    second = convolved(g, bent, side, 0.07, 2);
    sum[0] = bent, sum[1] = second;
    added = gb_tensor_s8(g, 4, dims, 0.1, 0);
    IS(gb_op(g, OH_NN_OPS_ADD, 2, sum, 1, &added), OH_NN_SUCCESS);
    out = gb_output(g, gb_tensor_s8(g, 4, dims, 1.0 / 256, -128));
    gb_param_i64(g, OH_NN_SOFTMAX_AXIS, -1);
    IS(gb_op(g, OH_NN_OPS_SOFTMAX, 1, &added, 1, &out), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

static bool takes_all(const nnrt__ir *ir, const nnrt__ir_node *node) {
    (void)ir;
    (void)node;
    return true;
}
static bool takes_none(const nnrt__ir *ir, const nnrt__ir_node *node) {
    (void)ir;
    (void)node;
    return false;
}
static bool takes_conv(const nnrt__ir *ir, const nnrt__ir_node *node) {
    (void)ir;
    return node->op == OH_NN_OPS_CONV2D;
}
static bool takes_others(const nnrt__ir *ir, const nnrt__ir_node *node) { return !takes_conv(ir, node); }
static bool takes_add(const nnrt__ir *ir, const nnrt__ir_node *node) {
    (void)ir;
    return node->op == OH_NN_OPS_ADD;
}
static bool takes_up_to_add(const nnrt__ir *ir, const nnrt__ir_node *node) {
    (void)ir;
    return node->op != OH_NN_OPS_SOFTMAX;
}

/* ---------------------------------------------------------------------------------------------------- builds */

typedef struct config {
    const char *name, *value;
} config;

/* Compiles the finished model of g for device, with configs up to one without a name. */
static OH_NN_ReturnCode build(gb_graph *g, size_t device, const config *configs) {
    if (g->executor != NULL) OH_NNExecutor_Destroy(&g->executor);
    if (g->compilation != NULL) OH_NNCompilation_Destroy(&g->compilation);
    g->compilation = OH_NNCompilation_Construct(g->model);
    cr_assert_not_null(g->compilation, "%s", nnrt_last_error());
    IS(OH_NNCompilation_SetDevice(g->compilation, device), OH_NN_SUCCESS);
    for (; configs != NULL && configs->name != NULL; configs++)
        off_config(g->compilation, configs->name, configs->value);
    return OH_NNCompilation_Build(g->compilation);
}

static OH_NN_ReturnCode build_and_open(gb_graph *g, size_t device, const config *configs) {
    const OH_NN_ReturnCode code = build(g, device, configs);
    if (code != OH_NN_SUCCESS) return code;
    g->executor = OH_NNExecutor_Construct(g->compilation);
    return g->executor != NULL ? OH_NN_SUCCESS : OH_NN_FAILED;
}

static void fill(int8_t *bytes, size_t size, uint32_t seed) {
    size_t i;
    for (i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (int8_t)(int32_t)(seed >> 24);
    }
}

/* What the CPU alone makes of the model. */
static void expect(int8_t *out, size_t side, uint32_t seed) {
    int8_t *in = (int8_t *)malloc(side * side * CHANNELS);
    gb_graph g;
    cr_assert_not_null(in);
    fill(in, side * side * CHANNELS, seed);
    make(&g, (int32_t)side);
    IS(build_and_open(&g, gb_device(), NULL), OH_NN_SUCCESS);
    IS(gb_run(&g, gb_buffer(in, side * side * CHANNELS), gb_buffer(out, side * side * CHANNELS)), OH_NN_SUCCESS);
    gb_close(&g);
    free(in);
}

/* Steps of the executor that the accelerator does, and all steps. */
static uint32_t accelerated(const gb_graph *g, uint32_t *all) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0, found = 0, i;
    IS(nnrt_executor_get_profile(g->executor, &steps, &count), OH_NN_SUCCESS);
    for (i = 0; i < count; i++) {
        if (strcmp(steps[i].kernel, "accelerated") != 0) continue;
        found++;
        cr_assert_str_eq(steps[i].isa, "second");
        cr_assert_eq((int)steps[i].op, 0);
    }
    *all = count;
    return found;
}

/* A run of the built model gives the CPU's bytes. */
static void run_as_cpu(gb_graph *g, uint32_t seed) {
    int8_t in[INPUT], out[OUTPUT], wanted[OUTPUT];
    expect(wanted, SIDE, seed);
    fill(in, INPUT, seed);
    IS(gb_run(g, gb_buffer(in, INPUT), gb_buffer(out, OUTPUT)), OH_NN_SUCCESS);
    cr_assert_eq(memcmp(out, wanted, OUTPUT), 0);
}

/* ----------------------------------------------------------------------------------------- what goes where */

Test(accelerator, takes_all_none_or_some_with_the_bytes_of_the_cpu) {
    static const struct {
        bool (*takes)(const nnrt__ir *ir, const nnrt__ir_node *node);
        uint32_t parts, rest;
    } ways[] = {
        {takes_all, 1, 0}, {takes_none, 0, 4}, {takes_conv, 2, 3}, {takes_others, 2, 2}, {takes_up_to_add, 1, 1}};
    const size_t device = part_device("all", &part_accelerator);
    uint32_t all = 0;
    gb_graph g;
    size_t i;
    make(&g, SIDE);
    for (i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        across.takes = ways[i].takes;
        across.opened = across.closed = across.runs = 0;
        IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
        cr_assert_eq(accelerated(&g, &all), ways[i].parts, "way %zu", i);
        cr_assert_eq(all, ways[i].parts + ways[i].rest, "way %zu: %u steps", i, (unsigned)all);
        run_as_cpu(&g, 5);
        run_as_cpu(&g, 6);
        cr_assert_eq(across.runs, 2 * ways[i].parts);
        cr_assert_eq(across.opened, ways[i].parts);
        OH_NNExecutor_Destroy(&g.executor);
        cr_assert_eq(across.closed, ways[i].parts);
    }
    gb_close(&g);
}

Test(accelerator, that_takes_nothing_changes_no_byte_of_a_plan) {
    const size_t device = part_device("none", &part_accelerator);
    uint8_t *with, *without;
    size_t size, other;
    gb_graph g;
    across.takes = takes_none;
    make(&g, SIDE);
    IS(build(&g, device, NULL), OH_NN_SUCCESS);
    with = off_export(g.compilation, &size);
    IS(build(&g, gb_device(), NULL), OH_NN_SUCCESS);
    without = off_export(g.compilation, &other);
    cr_assert_eq(size, other);
    cr_assert_eq(memcmp(with, without, size), 0);
    free(with);
    free(without);
    gb_close(&g);
}

/* Its 2304 products for each convolution, 256 bytes in and 256 out. */
Test(accelerator, is_not_asked_for_what_is_not_worth_the_way) {
    nnrt__accelerator dear = part_accelerator;
    size_t free_of_charge, by_products, by_bytes;
    uint32_t all;
    gb_graph g;
    free_of_charge = part_device("cheap", &part_accelerator);
    dear.least_macs = 9217; /* 64 pixels of 144 products */
    by_products = part_device("least", &dear);
    make(&g, SIDE);
    across.takes = takes_add;
    IS(build_and_open(&g, free_of_charge, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 1u);
    IS(build_and_open(&g, by_products, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 0u, "a lone ADD was sent across");
    across.takes = takes_conv;
    IS(build_and_open(&g, by_products, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 0u, "each convolution has one product less");
    across.takes = takes_up_to_add;
    IS(build_and_open(&g, by_products, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 1u, "both convolutions together have enough");
    OH_NNExecutor_Destroy(&g.executor);
    OH_NNCompilation_Destroy(&g.compilation);
    dear.least_macs = 0;
    dear.macs_per_byte = 18;
    by_bytes = part_device("bytes", &dear);
    across.takes = takes_conv;
    IS(build_and_open(&g, by_bytes, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 2u, "9216 products for 512 bytes are 18 each");
    OH_NNExecutor_Destroy(&g.executor);
    OH_NNCompilation_Destroy(&g.compilation);
    dear.macs_per_byte = 19;
    IS(build_and_open(&g, by_bytes, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 0u);
    gb_close(&g);
}

Test(accelerator, gets_parts_of_each_shape_of_an_open_model) {
    const size_t device = part_device("open", &part_accelerator);
    static const int32_t sides[] = {5, 8, 3, 5, 12, 2, 7, 5};
    int8_t in[12 * 12 * CHANNELS], out[sizeof in], wanted[sizeof in];
    uint32_t all;
    gb_graph g;
    size_t i;
    across.takes = takes_conv;
    make(&g, -1);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    for (i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        const int32_t dims[4] = {1, sides[i], sides[i], CHANNELS};
        const size_t size = (size_t)sides[i] * (size_t)sides[i] * CHANNELS;
        expect(wanted, (size_t)sides[i], 9);
        fill(in, size, 9);
        gb_run_shape(&g, 0, 4, dims);
        IS(gb_run(&g, gb_buffer(in, size), gb_buffer(out, sizeof out)), OH_NN_SUCCESS); /* a tensor may be larger */
        cr_assert_eq(memcmp(out, wanted, size), 0, "side %d", (int)sides[i]);
        cr_assert_eq(accelerated(&g, &all), 2u);
    }
    cr_assert_gt(across.closed, 0u, "a shape that is not kept leaves no session behind");
    gb_close(&g);
    cr_assert_eq(across.opened, across.closed);
}

Test(accelerator, is_told_whether_only_equal_bytes_count_and_how_long_a_run_may_take) {
    const config settings[] = {{"nnrt.exact", "1"}, {"nnrt.timeout_ms", "77"}, {NULL, NULL}};
    const config wrong[] = {{"nnrt.exact", "2"}, {NULL, NULL}}, never[] = {{"nnrt.timeout_ms", "0"}, {NULL, NULL}};
    const size_t device = part_device("exact", &part_accelerator);
    gb_graph g;
    make(&g, SIDE);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    cr_assert_not(across.exact);
    cr_assert_eq(across.timeout_ms, NNRT__PART_MS);
    IS(build_and_open(&g, device, settings), OH_NN_SUCCESS);
    cr_assert(across.exact);
    cr_assert_eq(across.timeout_ms, 77u);
    IS(build(&g, device, wrong), OH_NN_INVALID_PARAMETER);
    cr_assert_not_null(strstr(nnrt_last_error(), "nnrt.exact"), "%s", nnrt_last_error());
    IS(build(&g, device, never), OH_NN_INVALID_PARAMETER);
    cr_assert_not_null(strstr(nnrt_last_error(), "1 to 9999"), "%s", nnrt_last_error());
    gb_close(&g);
}

static bool takes_plain_weights(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt_quant *quant = node->input_count > 1 ? &nnrt__ir_in(ir, node, 1)->quant : NULL;
    return node->op == OH_NN_OPS_CONV2D && quant->count == 1 && quant->zero_points[0] == 0;
}

/* uint8 weights whose factors have 9 bits, of which the CPU keeps the zero point. The reference is the CPU's. */
Test(accelerator, is_given_no_zero_point_of_weights) {
    const int32_t dims[4] = {1, 2, 2, 3}, w_dims[4] = {2, 1, 1, 3}, out_dims[4] = {1, 2, 2, 2}, two = 2;
    const int32_t zeros[3] = {3, 200, 100}, bias[2] = {20, -30};
    const double scales[3] = {0.1, 0.1, 0.4};
    const uint8_t w[6] = {0, 1, 255, 200, 73, 12}, in[12] = {0, 255, 3, 7, 90, 100, 128, 127, 129, 200, 4, 77};
    const int64_t ones[2] = {1, 1};
    uint8_t bytes[2][8];
    uint32_t operands[3], out, all;
    gb_graph g;
    gb_open(&g);
    operands[0] = gb_input(&g, gb_quantize(&g, gb_tensor(&g, OH_NN_UINT8, 4, dims), 1, &scales[0], &zeros[0]));
    operands[1] = gb_quantize(&g, gb_constant(&g, OH_NN_UINT8, 4, w_dims, w), 1, &scales[1], &zeros[1]);
    operands[2] = gb_constant(&g, OH_NN_INT32, 1, &two, bias);
    out = gb_output(&g, gb_quantize(&g, gb_tensor(&g, OH_NN_UINT8, 4, out_dims), 1, &scales[2], &zeros[2]));
    gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, ones);
    IS(gb_op(&g, OH_NN_OPS_CONV2D, 3, operands, 1, &out), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    across.takes = takes_plain_weights;
    for (size_t i = 0; i < 2; i++) {
        IS(build_and_open(&g, i == 0 ? gb_device() : part_device("signed", &part_accelerator), NULL), OH_NN_SUCCESS);
        cr_assert_eq(accelerated(&g, &all), i);
        IS(gb_run(&g, gb_buffer((void *)(uintptr_t)in, sizeof in), gb_buffer(bytes[i], sizeof bytes[i])),
           OH_NN_SUCCESS);
    }
    cr_assert_eq(memcmp(bytes[0], bytes[1], sizeof bytes[0]), 0);
    gb_close(&g);
}

/* Every setting that has steps come, go or run in another way. */
Test(accelerator, goes_with_threads_stripes_passes_profiles_and_tensors_that_are_kept) {
    static const config ways[][3] = {{{"nnrt.threads", "4"}, {NULL, NULL}},
                                     {{"nnrt.stripes", "1000"}, {NULL, NULL}},
                                     {{"nnrt.passes", "none"}, {NULL, NULL}},
                                     {{"nnrt.profile", "1"}, {"nnrt.threads", "3"}, {NULL, NULL}},
                                     {{"nnrt.keep", "1"}, {NULL, NULL}}};
    const size_t device = part_device("ways", &part_accelerator);
    gb_graph g;
    size_t i, k;
    make(&g, SIDE);
    for (i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (k = 0; k < 3; k++) {
            static bool (*const takes[3])(const nnrt__ir *ir, const nnrt__ir_node *node) = {takes_conv, takes_others,
                                                                                            takes_all};
            const nnrt_schedule *schedule;
            uint32_t all;
            across.takes = takes[k];
            IS(build_and_open(&g, device, ways[i]), OH_NN_SUCCESS);
            cr_assert_gt(accelerated(&g, &all), 0u);
            run_as_cpu(&g, 3);
            IS(nnrt_executor_get_schedule(g.executor, &schedule), OH_NN_SUCCESS);
            cr_assert_eq(schedule->step_count, all);
        }
    gb_close(&g);
}

Test(accelerator, memory_is_told) {
    const size_t device = part_device("memory", &part_accelerator);
    nnrt_memory memory;
    gb_graph g;
    across.takes = takes_up_to_add;
    make(&g, SIDE);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    IS(nnrt_executor_get_memory(g.executor, &memory), OH_NN_SUCCESS);
    cr_assert_geq(memory.device_bytes, (size_t)INPUT);
    gb_close(&g);
}

/* ------------------------------------------------------------------------------------------- what goes wrong */

typedef struct heard {
    int warnings;
    char last[512];
} heard;

static void listen(void *user, nnrt_log_level level, const char *line) {
    heard *log = (heard *)user;
    if (level != NNRT_LOG_WARNING) return;
    log->warnings++;
    (void)snprintf(log->last, sizeof log->last, "%s", line);
}

/* Numbers that depend on the node. */
static void tell_work(const nnrt__accelerator *self, const void *image, uint32_t node, nnrt__part_work *work) {
    cr_assert(self != NULL && memcmp(image, "nnrtpart", 8) == 0);
    memset(work, 0, sizeof *work);
    work->tasks = node == NNRT__PART_ALL ? 7 : node + 1;
    work->tiles = 3;
    work->read = (uint64_t)1 << 40;
    work->written = 5;
    work->loaded = 6;
    work->memory = 8;
    work->run_us = 9;
}

typedef struct told {
    uint32_t done, stays;
    char lines[16][256]; /* of those that are done */
} told;

static void listen_for_places(void *user, nnrt_log_level level, const char *line) {
    told *log = (told *)user;
    if (strstr(line, " stays on the CPU, not on second: ") != NULL) log->stays++;
    if (strstr(line, " is done by second: ") == NULL) return;
    cr_assert_eq((int)level, (int)NNRT_LOG_INFO);
    cr_assert_lt(log->done, 16u);
    (void)snprintf(log->lines[log->done++], sizeof log->lines[0], "%s", line);
}

Test(accelerator, the_log_hears_where_every_operator_goes_and_what_it_costs) {
    nnrt__accelerator telling = part_accelerator;
    told log;
    gb_graph g;
    telling.work = tell_work;
    memset(&log, 0, sizeof log);
    nnrt_set_log(listen_for_places, &log);
    across.takes = takes_conv;
    make(&g, SIDE);
    IS(build_and_open(&g, part_device("log", &telling), NULL), OH_NN_SUCCESS);
    cr_assert_eq(log.done, 2u);
    cr_assert_eq(log.stays, 3u);
    cr_assert_str_eq(log.lines[0], "operator 0 (CONV2D) is done by second: tasks 1, tiles 3, MACs 9216, bytes read "
                                   "1099511627776, written 5");
    cr_assert_not_null(strstr(log.lines[1], "operator 2 (CONV2D) is done by second: tasks 1, "), "%s", log.lines[1]);
    memset(&log, 0, sizeof log); /* a part that is not compiled is the CPU's, operator by operator */
    across.compile_code = OH_NN_FAILED;
    IS(build_and_open(&g, part_device("log2", &telling), NULL), OH_NN_SUCCESS);
    cr_assert_eq(log.done, 0u);
    cr_assert_eq(log.stays, 5u);
    nnrt_set_log(NULL, NULL);
    gb_close(&g);
}

Test(accelerator, what_a_part_costs_is_a_fact_of_its_step) {
    static const char *const none[] = {"", "1", "9", "0x0", "0 ", "+0", "4294967296", "18446744073709551616"};
    nnrt__accelerator telling = part_accelerator;
    const nnrt_fact *facts = NULL;
    char text[256], name[64], exact[128];
    gb_graph g;
    size_t device, i;
    telling.work = tell_work;
    device = part_device("facts", &telling);
    across.takes = takes_conv;
    make(&g, SIDE);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    IS(nnrt_executor_get_info(g.executor, "accelerator.part.0", text, sizeof text), OH_NN_SUCCESS);
    cr_assert_str_eq(text, "tasks=7 tiles=3 read=1099511627776 written=5 loaded=6 memory=8 estimated_us=9");
    for (i = 0; i <= strlen(text); i++)
        IS(nnrt_executor_get_info(g.executor, "accelerator.part.0", exact, i), OH_NN_INVALID_PARAMETER);
    IS(nnrt_executor_get_info(g.executor, "accelerator.part.0", exact, strlen(text) + 1), OH_NN_SUCCESS);
    for (i = 0; i < sizeof none / sizeof none[0]; i++) {
        (void)snprintf(name, sizeof name, "accelerator.part.%s", none[i]);
        cr_assert_eq((int)nnrt_executor_get_info(g.executor, name, text, sizeof text), (int)OH_NN_INVALID_PARAMETER,
                     "%s", name);
    }
    IS(nnrt_device_get_facts(device, &facts), OH_NN_SUCCESS);
    cr_assert_str_eq(facts[1].name, "accelerator.part.");
    cr_assert_eq((int)facts[1].kind, (int)NNRT_FACT_STEP);
    IS(build_and_open(&g, part_device("silent", &part_accelerator), NULL), OH_NN_SUCCESS);
    IS(nnrt_executor_get_info(g.executor, "accelerator.part.0", text, sizeof text), OH_NN_UNSUPPORTED);
    gb_close(&g);
}

Test(accelerator, a_part_that_it_fails_to_compile_stays_on_the_cpu_and_the_log_hears_it) {
    const size_t device = part_device("compiler", &part_accelerator);
    uint32_t all;
    heard log;
    gb_graph g;
    memset(&log, 0, sizeof log);
    nnrt_set_log(listen, &log);
    across.takes = takes_conv;
    across.compile_code = OH_NN_FAILED;
    across.compile_code_at = 2;
    make(&g, SIDE);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 1u, "the first convolution is across, the second is not");
    cr_assert_eq(log.warnings, 1);
    cr_assert_not_null(strstr(log.last, "the test breaks the compiler"), "%s", log.last);
    cr_assert_not_null(strstr(log.last, "number 2"), "%s", log.last);
    run_as_cpu(&g, 4);
    across.compile_code_at = 0;
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    cr_assert_eq(accelerated(&g, &all), 0u);
    run_as_cpu(&g, 4);
    across.compile_code = OH_NN_MEMORY_ERROR;
    IS(build(&g, device, NULL), OH_NN_MEMORY_ERROR);
    nnrt_set_log(NULL, NULL);
    gb_close(&g);
}

Test(accelerator, that_does_not_open_leaves_no_executor_and_nothing_behind) {
    const size_t device = part_device("opener", &part_accelerator);
    const long before = counting_live();
    gb_graph g;
    across.takes = takes_conv;
    across.open_code = OH_NN_UNAVAILABLE_DEVICE;
    across.open_code_at = 2;
    make(&g, SIDE);
    IS(build(&g, device, NULL), OH_NN_SUCCESS);
    g.executor = OH_NNExecutor_Construct(g.compilation);
    cr_assert_null(g.executor);
    cr_assert_not_null(strstr(nnrt_last_error(), "the test breaks the chip"), "%s", nnrt_last_error());
    cr_assert_eq(across.opened, 1u);
    cr_assert_eq(across.closed, 1u, "what was open when the second failed is closed");
    across.open_code = OH_NN_SUCCESS;
    g.executor = OH_NNExecutor_Construct(g.compilation);
    cr_assert_not_null(g.executor);
    run_as_cpu(&g, 8);
    gb_close(&g);
    cr_assert_eq(counting_live(), before);
}

Test(accelerator, a_run_that_fails_has_its_code_and_sentence_and_the_next_one_works) {
    const size_t device = part_device("runner", &part_accelerator);
    int8_t in[INPUT], out[OUTPUT];
    gb_graph g;
    fill(in, INPUT, 1);
    across.takes = takes_conv;
    make(&g, SIDE);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    across.run_code = OH_NN_UNAVAILABLE_DEVICE;
    IS(gb_run(&g, gb_buffer(in, INPUT), gb_buffer(out, OUTPUT)), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "the test breaks the run"), "%s", nnrt_last_error());
    cr_assert_eq(across.runs, 1u, "no step runs behind one that failed");
    across.run_code = OH_NN_SUCCESS;
    run_as_cpu(&g, 1);
    gb_close(&g);
}

typedef struct ended {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int count;
    OH_NN_ReturnCode code;
} ended;

static void done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t count) {
    ended *end = (ended *)user;
    (void)outputs;
    (void)count;
    pthread_mutex_lock(&end->mutex);
    end->count++;
    end->code = code;
    pthread_cond_signal(&end->changed);
    pthread_mutex_unlock(&end->mutex);
}

Test(accelerator, a_deadline_stops_a_part_that_hangs) {
    const size_t device = part_device("late", &part_accelerator);
    static ended end = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, OH_NN_SUCCESS};
    NN_Tensor *in, *out;
    NN_TensorDesc *desc;
    gb_graph g;
    across.takes = takes_conv;
    make(&g, SIDE);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    desc = OH_NNExecutor_CreateInputTensorDesc(g.executor, 0);
    in = OH_NNTensor_Create(device, desc);
    out = OH_NNTensor_Create(device, desc);
    cr_assert(in != NULL && out != NULL);
    OH_NNTensorDesc_Destroy(&desc);
    PART_WRITE(hang, 1);
    IS(OH_NNExecutor_SetOnRunDone(g.executor, done), OH_NN_SUCCESS);
    IS(OH_NNExecutor_RunAsync(g.executor, &in, 1, &out, 1, 30, &end), OH_NN_SUCCESS);
    pthread_mutex_lock(&end.mutex);
    while (end.count == 0) pthread_cond_wait(&end.changed, &end.mutex);
    pthread_mutex_unlock(&end.mutex);
    cr_assert_eq((int)end.code, (int)OH_NN_TIMEOUT);
    PART_WRITE(hang, 0);
    run_as_cpu(&g, 2);
    OH_NNTensor_Destroy(&in);
    OH_NNTensor_Destroy(&out);
    gb_close(&g);
}

typedef struct worker {
    gb_graph *g;
    OH_NNExecutor *executor;
    const int8_t *in, *wanted;
    int wrong;
} worker;

static void *work(void *argument) {
    worker *self = (worker *)argument;
    gb_graph mine = *self->g; /* its own executor */
    int8_t out[OUTPUT];
    int i;
    mine.executor = self->executor;
    for (i = 0; i < 50; i++) {
        if (gb_run(&mine, gb_buffer((void *)(uintptr_t)self->in, INPUT), gb_buffer(out, OUTPUT)) != OH_NN_SUCCESS ||
            memcmp(out, self->wanted, OUTPUT) != 0)
            self->wrong++;
    }
    return NULL;
}

Test(accelerator, executors_of_several_threads_have_sessions_of_their_own) {
    const size_t device = part_device("many", &part_accelerator);
    int8_t in[3][INPUT], wanted[3][OUTPUT];
    pthread_t threads[3];
    worker workers[3];
    gb_graph g;
    size_t i;
    across.takes = takes_conv;
    make(&g, SIDE);
    IS(build(&g, device, NULL), OH_NN_SUCCESS);
    for (i = 0; i < 3; i++) {
        fill(in[i], INPUT, (uint32_t)i + 20);
        expect(wanted[i], SIDE, (uint32_t)i + 20);
        workers[i].g = &g;
        workers[i].in = in[i];
        workers[i].wanted = wanted[i];
        workers[i].wrong = 0;
        workers[i].executor = OH_NNExecutor_Construct(g.compilation);
        cr_assert_not_null(workers[i].executor, "%s", nnrt_last_error());
    }
    cr_assert_eq(across.opened, 6u);
    for (i = 0; i < 3; i++) cr_assert_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (i = 0; i < 3; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_assert_eq(workers[i].wrong, 0);
        OH_NNExecutor_Destroy(&workers[i].executor);
    }
    cr_assert_eq(across.closed, 6u);
    gb_close(&g);
}

Test(accelerator, memory_that_is_out_anywhere_leaves_nothing_behind) {
    const size_t device = part_device("hungry", &part_accelerator);
    int8_t in[INPUT], out[OUTPUT];
    long n, before;
    bool reached = true;
    int failures = 0;
    gb_graph g;
    across.takes = takes_conv;
    fill(in, INPUT, 1);
    make(&g, SIDE);
    IS(build_and_open(&g, device, NULL), OH_NN_SUCCESS);
    IS(gb_run(&g, gb_buffer(in, INPUT), gb_buffer(out, OUTPUT)), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&g.executor);
    OH_NNCompilation_Destroy(&g.compilation);
    before = counting_live();
    for (n = 0; reached; n++) {
        OH_NN_ReturnCode code;
        counting_fail_at(n);
        g.compilation = OH_NNCompilation_Construct(g.model);
        code = g.compilation == NULL ? OH_NN_MEMORY_ERROR : OH_NNCompilation_SetDevice(g.compilation, device);
        if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(g.compilation);
        if (code == OH_NN_SUCCESS) {
            g.executor = OH_NNExecutor_Construct(g.compilation);
            if (g.executor == NULL) code = OH_NN_MEMORY_ERROR;
        }
        reached = counting_failed();
        counting_fail_never();
        /* a query about a single operator may fail: Build asks again */
        cr_assert(code == OH_NN_SUCCESS || (reached && code == OH_NN_MEMORY_ERROR), "allocation %ld: %d, %s", n,
                  (int)code, nnrt_last_error());
        failures += code != OH_NN_SUCCESS;
        if (g.executor != NULL) OH_NNExecutor_Destroy(&g.executor);
        if (g.compilation != NULL) OH_NNCompilation_Destroy(&g.compilation);
        cr_assert_eq(counting_live(), before, "allocation %ld", n);
        cr_assert_eq(across.opened, across.closed, "allocation %ld", n);
    }
    cr_assert_gt(failures, 50);
    gb_close(&g);
}

/* ----------------------------------------------------------------------------------------------------- plans */

/* The plan of the model, convolutions across, in a block of exactly its size. */
static uint8_t *make_plan(size_t device, size_t *size) {
    uint8_t *plan;
    gb_graph g;
    across.takes = takes_conv;
    make(&g, SIDE);
    IS(build(&g, device, NULL), OH_NN_SUCCESS);
    plan = off_export(g.compilation, size);
    gb_close(&g);
    return plan;
}

static void seal(uint8_t *plan, size_t size) {
    const uint32_t crc = nnrt__plan_crc(plan, size);
    memcpy(plan + offsetof(nnrt__plan_header, crc), &crc, sizeof crc);
}

/* Builds bytes of a plan on device and runs it where that works. */
static OH_NN_ReturnCode try_plan(const uint8_t *plan, size_t size, size_t device, int8_t *out) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(plan, size);
    OH_NNExecutor *executor = NULL;
    OH_NN_ReturnCode code;
    int8_t in[INPUT];
    cr_assert_not_null(compilation, "%s", nnrt_last_error());
    IS(OH_NNCompilation_SetDevice(compilation, device), OH_NN_SUCCESS);
    code = OH_NNCompilation_Build(compilation);
    if (code == OH_NN_SUCCESS) {
        executor = OH_NNExecutor_Construct(compilation);
        if (executor == NULL) code = OH_NN_FAILED;
    }
    fill(in, INPUT, 7);
    if (code == OH_NN_SUCCESS && out != NULL) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
        NN_Tensor *ins = OH_NNTensor_Create(device, desc), *outs;
        OH_NNTensorDesc_Destroy(&desc);
        desc = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
        outs = OH_NNTensor_Create(device, desc);
        OH_NNTensorDesc_Destroy(&desc);
        memcpy(OH_NNTensor_GetDataBuffer(ins), in, INPUT);
        code = OH_NNExecutor_RunSync(executor, &ins, 1, &outs, 1);
        memcpy(out, OH_NNTensor_GetDataBuffer(outs), OUTPUT);
        OH_NNTensor_Destroy(&ins);
        OH_NNTensor_Destroy(&outs);
    }
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

Test(accelerator, a_plan_runs_on_its_device_and_is_refused_by_every_other) {
    static nnrt__accelerator other;
    const size_t device = part_device("right", &part_accelerator);
    int8_t out[OUTPUT], wanted[OUTPUT];
    size_t size, elsewhere;
    uint8_t *plan = make_plan(device, &size);
    other = part_accelerator;
    other.name = "third";
    elsewhere = part_device("wrong", &other);
    expect(wanted, SIDE, 7);
    IS(try_plan(plan, size, device, out), OH_NN_SUCCESS);
    cr_assert_eq(memcmp(out, wanted, OUTPUT), 0);
    IS(try_plan(plan, size, gb_device(), out), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "\"second\", this device has none"), "%s", nnrt_last_error());
    IS(try_plan(plan, size, elsewhere, out), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "\"second\", this device has another one, third"), "%s",
                       nnrt_last_error());
    free(plan);
}

/* The first accelerated step of a plan, its values and its arguments. */
typedef struct forged {
    uint8_t *plan;
    size_t size;
    nnrt__plan_header *header;
    nnrt__plan_step *step;
    nnrt__plan_value *values;
    uint32_t *operands;
    nnrt__accelerated_args *args;
} forged;

static forged forge(const uint8_t *plan, size_t size) {
    forged f;
    uint32_t i = 0;
    f.plan = (uint8_t *)malloc(size);
    cr_assert_not_null(f.plan);
    memcpy(f.plan, plan, size);
    f.size = size;
    f.header = (nnrt__plan_header *)(void *)f.plan;
    f.step = (nnrt__plan_step *)(void *)(f.plan + f.header->steps);
    f.values = (nnrt__plan_value *)(void *)(f.plan + f.header->values);
    while (f.step->kind != NNRT__ID_OF_accelerated) {
        cr_assert_lt(++i, f.header->step_count);
        f.step++;
    }
    f.operands = (uint32_t *)(void *)(f.plan + f.header->operands) + f.step->first_operand;
    f.args = (nnrt__accelerated_args *)(void *)(f.plan + f.header->arguments + f.step->arguments);
    return f;
}

static void lie_about_the_name(forged *f) { memset(f->args->accelerator, 'x', sizeof f->args->accelerator); }
static void lie_about_the_chip(forged *f) { f->args->accelerator[0] ^= 1; }
static void lie_about_the_type_of_the_image(forged *f) { f->values[f->operands[0]].dtype = OH_NN_INT8; }
static void lie_about_the_place_of_the_image(forged *f) {
    f->values[f->operands[0]].segment = NNRT__SEGMENT_ARENA;
    f->values[f->operands[0]].offset = 0;
}
static void leave_out_the_image(forged *f) { f->operands[0] = NNRT__NONE; }
static void leave_out_an_input(forged *f) { f->operands[1] = NNRT__NONE; }
static void give_no_input(forged *f) { f->step->input_count = 1; }
static void give_too_many_inputs(forged *f) { f->step->input_count = NNRT__PART_TENSORS + 2; }
static void give_too_few_bytes(forged *f) {
    f->values[f->operands[0]].dims[0] -= 64;
    f->values[f->operands[0]].size -= 64;
}
static void write_where_it_reads(forged *f) { f->operands[f->step->input_count] = f->operands[1]; }
static void break_the_image(forged *f) { f->plan[f->header->constants + f->values[f->operands[0]].offset] ^= 1; }
static void break_the_plan_in_the_image(forged *f) {
    f->plan[f->header->constants + f->values[f->operands[0]].offset + sizeof(part_image) +
            offsetof(nnrt__plan_header, arena_size)] ^= 0x80;
}
static void give_tensors_of_another_size(forged *f) {
    uint32_t i;
    for (i = 0; i < f->header->value_count; i++) { /* the whole plan agrees, and only the image does not */
        nnrt__plan_value *value = &f->values[i];
        if (value->rank != 4 || value->segment == NNRT__SEGMENT_CONSTANT) continue;
        value->size = value->size / SIDE * (SIDE - 1);
        value->dims[1] = SIDE - 1;
    }
}

Test(accelerator, a_plan_that_lies_is_refused) {
    static const struct {
        void (*lie)(forged *f);
        const char *says;
    } lies[] = {{lie_about_the_name, "contradicts itself"},
                {lie_about_the_chip, "this device has another one"},
                {lie_about_the_type_of_the_image, "contradicts itself"},
                {lie_about_the_place_of_the_image, "not a valid plan"},
                {leave_out_the_image, "contradicts itself"},
                {leave_out_an_input, "contradicts itself"},
                {give_no_input, "wrong number of operands"},
                {give_too_many_inputs, "wrong number of operands"},
                {give_too_few_bytes, "the part is none"},
                {write_where_it_reads, "not a valid plan"},
                {break_the_image, "the part is none"},
                {break_the_plan_in_the_image, "not a valid plan"},
                {give_tensors_of_another_size, ""}};
    const size_t device = part_device("liar", &part_accelerator);
    size_t size, i;
    uint8_t *plan = make_plan(device, &size);
    for (i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        forged f = forge(plan, size);
        const uint32_t opened = across.opened;
        lies[i].lie(&f);
        seal(f.plan, f.size);
        cr_assert_eq((int)try_plan(f.plan, f.size, device, NULL), (int)OH_NN_INVALID_FILE, "lie %zu is believed", i);
        cr_assert_not_null(strstr(nnrt_last_error(), lies[i].says), "lie %zu: %s", i, nnrt_last_error());
        cr_assert_eq(across.opened, opened, "lie %zu was opened", i);
        free(f.plan);
    }
    free(plan);
}

/* Whatever a bit of the tables makes of it: the plan is refused, or runs inside its memory. */
Test(accelerator, a_plan_of_which_a_bit_is_another_is_refused_or_runs, .timeout = 120) {
    const size_t device = part_device("bits", &part_accelerator);
    int8_t out[OUTPUT];
    size_t size, at, refused = 0, ran = 0;
    uint8_t *plan = make_plan(device, &size);
    const size_t end = (size_t)((const nnrt__plan_header *)(const void *)plan)->constants;
    for (at = 0; at < end; at++) {
        void *block;
        uint8_t *copy = off_copy(plan, size, 0, &block);
        copy[at] ^= (uint8_t)(1u << at % 8);
        seal(copy, size);
        if (try_plan(copy, size, device, out) == OH_NN_SUCCESS) ran++;
        else refused++;
        free(block);
    }
    cr_assert_gt(refused, end / 4);
    cr_assert_gt(ran, end / 100);
    cr_assert_eq(across.opened, across.closed);
    free(plan);
}

/* Another process may write the file of a plan at any time: what was checked is what is opened. */
Test(accelerator, the_image_of_a_mapped_plan_is_what_was_checked) {
    const size_t device = part_device("mapped", &part_accelerator);
    const char *path = "/tmp/nnrt_test_accelerator.plan";
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    size_t size;
    uint8_t *plan = make_plan(device, &size);
    forged f = forge(plan, size);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(plan, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    cr_assert_not_null(compilation);
    IS(OH_NNCompilation_SetDevice(compilation, device), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    break_the_image(&f);
    file = fopen(path, "r+b");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(f.plan, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    (void)remove(path);
    free(f.plan);
    free(plan);
}

Test(accelerator, a_plan_whose_parts_need_more_than_max_memory_is_refused) {
    const size_t device = part_device("bounds", &part_accelerator);
    const config enough[] = {{"nnrt.max_memory", "1M"}, {NULL, NULL}};
    config little[] = {{"nnrt.max_memory", NULL}, {NULL, NULL}};
    char text[32];
    uint64_t plan_and_arena;
    nnrt_memory memory;
    gb_graph g;
    across.takes = takes_all;
    make(&g, SIDE);
    IS(build_and_open(&g, device, enough), OH_NN_SUCCESS);
    IS(nnrt_executor_get_memory(g.executor, &memory), OH_NN_SUCCESS);
    plan_and_arena = memory.plan_bytes + memory.arena_bytes;
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)(plan_and_arena + memory.device_bytes));
    little[0].value = text;
    IS(build(&g, device, little), OH_NN_SUCCESS);
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)(plan_and_arena + memory.device_bytes - 1));
    IS(build(&g, device, little), OH_NN_FAILED);
    cr_assert_not_null(strstr(nnrt_last_error(), "for the accelerator; nnrt.max_memory"), "%s", nnrt_last_error());
    gb_close(&g);
}

Test(accelerator, a_cache_is_for_one_accelerator_and_one_answer_to_exact) {
    const size_t device = part_device("cached", &part_accelerator);
    const config exact[] = {{"nnrt.exact", "1"}, {NULL, NULL}};
    char folder[] = "/tmp/nnrt_test_accelerator_XXXXXX", command[64];
    uint32_t compiled = 0, i;
    gb_graph g;
    across.takes = takes_conv;
    cr_assert_not_null(mkdtemp(folder));
    make(&g, SIDE);
    for (i = 0; i < 4; i++) {
        const config *settings = i < 2 ? NULL : exact;
        if (g.compilation != NULL) OH_NNCompilation_Destroy(&g.compilation);
        g.compilation = OH_NNCompilation_Construct(g.model);
        IS(OH_NNCompilation_SetDevice(g.compilation, device), OH_NN_SUCCESS);
        IS(OH_NNCompilation_SetCache(g.compilation, folder, 1), OH_NN_SUCCESS);
        if (settings != NULL) off_config(g.compilation, settings->name, settings->value);
        across.compiled = 0;
        IS(OH_NNCompilation_Build(g.compilation), OH_NN_SUCCESS);
        cr_assert_eq(across.compiled, i % 2 == 0 ? 2u : 0u, "build %u", (unsigned)i);
        compiled += across.compiled;
        g.executor = OH_NNExecutor_Construct(g.compilation);
        cr_assert_not_null(g.executor, "%s", nnrt_last_error());
        run_as_cpu(&g, i);
        OH_NNExecutor_Destroy(&g.executor);
    }
    cr_assert_eq(compiled, 4u);
    gb_close(&g);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}
