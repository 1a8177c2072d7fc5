/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of nnrt_executor_get_schedule that it tells the edges, places and lives that a small graph must have, that
   what it says of the arena of any model adds up to the byte with nnrt_memory and no two tensors meet there, and that
   it refuses what it does not know with a code and a sentence. */
#include "linked.h"

#include <math.h>

#define SEED 20261123u

#include "graph_builder.h"
#include "noise.h"
#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())
#define NONE NNRT_SCHEDULE_NONE

enum {
    UNIT = 64, /* what places in the arena are multiples of */
    MOST_BLOCKS = 2048
};

static const nnrt_schedule *schedule_of(const OH_NNExecutor *executor) {
    const nnrt_schedule *schedule = NULL;
    IS(nnrt_executor_get_schedule(executor, &schedule), OH_NN_SUCCESS);
    cr_assert_not_null(schedule);
    return schedule;
}

/* ------------------------------------------------------------------------------------- what the arena adds up to */

typedef struct block {
    size_t offset, end;
    uint32_t first, last;
    uint32_t tensor; /* NONE: scratch of step `first` */
} block;

static size_t rounded(size_t bytes) { return (bytes + UNIT - 1) / UNIT * UNIT; }

static size_t blocks_of(const nnrt_schedule *s, block *blocks) {
    size_t count = 0;
    for (uint32_t t = 0; t < s->tensor_count; t++) {
        const nnrt_schedule_tensor *tensor = &s->tensors[t];
        if (tensor->place != NNRT_PLACE_ARENA || tensor->first_step == NONE) continue;
        cr_assert_lt(count, (size_t)MOST_BLOCKS);
        cr_assert(tensor->first_step <= tensor->last_step && tensor->last_step < s->step_count);
        const block is = {tensor->offset, tensor->offset + rounded(tensor->bytes), tensor->first_step,
                          tensor->last_step, t};
        blocks[count++] = is;
    }
    for (uint32_t i = 0; i < s->step_count; i++) {
        const nnrt_schedule_step *step = &s->steps[i];
        const block is = {step->scratch_offset, step->scratch_offset + step->scratch_bytes, i, i, NONE};
        cr_assert_lt(count, (size_t)MOST_BLOCKS);
        if (step->scratch_bytes != 0) blocks[count++] = is;
    }
    return count;
}

static uint32_t root_of(const nnrt_schedule *s, uint32_t t) {
    return s->tensors[t].view_of != NONE ? root_of(s, s->tensors[t].view_of) : t;
}

static bool has(const uint32_t *list, uint32_t count, uint32_t t) {
    while (count > 0 && list[count - 1] != t) count--;
    return count != 0;
}

/* May a and b, which share bytes and steps? Views may, the input and the output of one step, and the first of them lie
   over one another. */
static bool may_meet(const nnrt_schedule *s, const block *a, const block *b) {
    const bool same = a->offset == b->offset && a->end == b->end;
    if (a->tensor == NONE || b->tensor == NONE) return false;
    if (same && root_of(s, a->tensor) == root_of(s, b->tensor)) return true;
    const block *later = a->first > b->first ? a : b, *earlier = later == a ? b : a;
    const nnrt_schedule_step *step = &s->steps[later->first];
    if (!same)
        return earlier->last == later->first && root_of(s, step->inputs[0]) == root_of(s, earlier->tensor) &&
               step->outputs[0] == root_of(s, later->tensor);
    return earlier->last == later->first && has(step->inputs, step->input_count, earlier->tensor) &&
           has(step->outputs, step->output_count, root_of(s, later->tensor));
}

static void check_arena(const OH_NNExecutor *executor, const char *what) {
    static block blocks[MOST_BLOCKS];
    const nnrt_schedule *s = schedule_of(executor);
    nnrt_memory memory;
    size_t end = 0, fullest = 0;
    const size_t count = blocks_of(s, blocks);
    IS(nnrt_executor_get_memory(executor, &memory), OH_NN_SUCCESS);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(blocks[i].offset % UNIT, 0, "%s", what);
        if (blocks[i].end > end) end = blocks[i].end;
        for (size_t k = 0; k < i; k++) {
            const block *a = &blocks[i], *b = &blocks[k];
            if (a->end <= b->offset || b->end <= a->offset || a->last < b->first || b->last < a->first) continue;
            cr_assert(may_meet(s, a, b), "%s: tensors %d and %d meet at %zu", what, (int)a->tensor, (int)b->tensor,
                      a->offset);
        }
    }
    cr_assert_eq(end, memory.arena_bytes, "%s: %zu, not %zu", what, end, memory.arena_bytes);
    uint8_t *used = (uint8_t *)malloc(end / UNIT + 1);
    for (uint32_t step = 0; step < s->step_count; step++) {
        size_t units = 0;
        memset(used, 0, end / UNIT + 1);
        for (size_t i = 0; i < count; i++)
            if (blocks[i].first <= step && step <= blocks[i].last)
                memset(used + blocks[i].offset / UNIT, 1, (blocks[i].end - blocks[i].offset) / UNIT);
        for (size_t u = 0; u < end / UNIT; u++) units += used[u];
        if (units * UNIT > fullest) fullest = units * UNIT;
    }
    free(used);
    /* what may lie over one another may also lie further apart than it has to */
    cr_assert_geq(fullest, memory.bound_bytes, "%s: %zu, not %zu", what, fullest, memory.bound_bytes);
}

/* Every input of a step was given, is a constant, or was written by an earlier step. */
static void check_edges(const nnrt_schedule *s, const char *what) {
    for (uint32_t i = 0; i < s->step_count; i++)
        for (uint32_t k = 0; k < s->steps[i].input_count; k++) {
            if (s->steps[i].inputs[k] == NONE) continue;
            cr_assert_lt(s->steps[i].inputs[k], s->tensor_count);
            const uint32_t root = root_of(s, s->steps[i].inputs[k]);
            bool written = s->tensors[root].place != NNRT_PLACE_ARENA && s->tensors[root].place != NNRT_PLACE_OUTPUT;
            for (uint32_t before = 0; before < i && !written; before++)
                written = has(s->steps[before].outputs, s->steps[before].output_count, root);
            cr_assert(written, "%s: nobody writes input %u of step %u", what, k, i);
        }
}

Test(schedule, of_the_meter_adds_up_with_its_memory_in_every_mode_and_with_threads) {
    static const OH_NN_PerformanceMode modes[3] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW,
                                                   OH_NN_PERFORMANCE_EXTREME};
    static const char *const threads[3] = {"1", "2", "3"};
    size_t size;
    uint8_t *model = off_read("examples/meter/meter.tflite", &size);
    cr_assert_not_null(model);
    for (int mode = 0; mode < 3; mode++)
        for (int t = 0; t < 3; t++) {
            OH_NNCompilation *c = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
            IS(OH_NNCompilation_SetPerformanceMode(c, modes[mode]), OH_NN_SUCCESS);
            IS(OH_NNCompilation_AddExtensionConfig(c, "nnrt.threads", threads[t], 1), OH_NN_SUCCESS);
            IS(OH_NNCompilation_Build(c), OH_NN_SUCCESS);
            OH_NNExecutor *executor = OH_NNExecutor_Construct(c);
            cr_assert_not_null(executor);
            check_arena(executor, "the meter");
            check_edges(schedule_of(executor), "the meter");
            OH_NNExecutor_Destroy(&executor);
            OH_NNCompilation_Destroy(&c);
        }
    free(model);
}

/* ---------------------------------------------------------------------------------------------- drawn graphs */

static uint32_t add_conv(gb_graph *g, uint32_t x, int32_t in_c, int32_t out_c, int32_t kernel, uint32_t y) {
    const int32_t dims[4] = {out_c, kernel, kernel, in_c}, bias_dims[1] = {out_c};
    const int64_t one[2] = {1, 1}, pads[4] = {kernel / 2, kernel / 2, kernel / 2, kernel / 2};
    float *weights = (float *)calloc((size_t)(out_c * kernel * kernel * in_c), sizeof(float));
    float *bias = (float *)calloc((size_t)out_c, sizeof(float));
    uint32_t in[3];
    in[0] = x;
    in[1] = gb_constant(g, OH_NN_FLOAT32, 4, dims, weights);
    in[2] = gb_constant(g, OH_NN_FLOAT32, 1, bias_dims, bias);
    gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, one);
    gb_param_i64s(g, OH_NN_CONV2D_DILATION, 2, one);
    gb_param_i64s(g, OH_NN_CONV2D_PAD, 4, pads);
    IS(gb_op(g, OH_NN_OPS_CONV2D, 3, in, 1, &y), OH_NN_SUCCESS);
    free(weights);
    free(bias);
    return y;
}

/* Convolutions, joins and views between tensors of one size: branches, in-place steps, renamings. */
static void draw_graph(gb_graph *g, OH_NN_PerformanceMode mode) {
    const int32_t side = noise_in(4, 40), dims[4] = {1, side, side, 4}, flat[2] = {1, side * side * 4};
    const int32_t to_flat[2] = {1, -1}, to_image[4] = {1, side, side, 4};
    uint32_t made[32], count = 0;
    gb_open(g);
    g->performance = mode;
    made[count++] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 4, dims));
    for (int steps = noise_in(3, 14); steps > 0; steps--) {
        uint32_t in[2] = {made[noise_in(0, (int32_t)count - 1)], made[noise_in(0, (int32_t)count - 1)]};
        uint32_t y = gb_tensor(g, OH_NN_FLOAT32, 4, dims);
        const int32_t what = noise_in(0, 4);
        if (what == 0) IS(gb_op(g, OH_NN_OPS_ADD, 2, in, 1, &y), OH_NN_SUCCESS);
        if (what == 1) IS(gb_op(g, OH_NN_OPS_TANH, 1, in, 1, &y), OH_NN_SUCCESS);
        if (what == 2 || what == 3) add_conv(g, in[0], 4, 4, 2 * noise_in(0, 1) + 1, y);
        if (what == 4) { /* through another shape and back */
            uint32_t view = gb_tensor(g, OH_NN_FLOAT32, 2, flat), next = gb_tensor(g, OH_NN_FLOAT32, 2, flat);
            in[1] = gb_ints(g, 2, to_flat);
            IS(gb_op(g, OH_NN_OPS_RESHAPE, 2, in, 1, &view), OH_NN_SUCCESS);
            IS(gb_op(g, OH_NN_OPS_SIGMOID, 1, &view, 1, &next), OH_NN_SUCCESS);
            in[0] = next;
            in[1] = gb_ints(g, 4, to_image);
            IS(gb_op(g, OH_NN_OPS_RESHAPE, 2, in, 1, &y), OH_NN_SUCCESS);
        }
        made[count++] = y;
    }
    gb_output(g, made[count - 1]);
    if (noise_in(0, 1) != 0 && count > 2) gb_output(g, made[count - 2]);
    IS(gb_build(g), OH_NN_SUCCESS);
}

Test(schedule, of_drawn_graphs_adds_up_whole_and_in_stripes) {
    uint32_t grouped = 0, windows = 0, views = 0, in_place = 0;
    for (int round = 0; round < 400; round++) {
        gb_graph g;
        char what[64];
        snprintf(what, sizeof what, "seed %u, graph %d", SEED, round);
        draw_graph(&g, round % 2 == 0 ? OH_NN_PERFORMANCE_LOW : OH_NN_PERFORMANCE_NONE);
        check_arena(g.executor, what);
        const nnrt_schedule *s = schedule_of(g.executor);
        check_edges(s, what);
        for (uint32_t i = 0; i < s->step_count; i++) {
            const nnrt_schedule_step *step = &s->steps[i];
            grouped += step->turns != 0;
            for (uint32_t side = 0; side < 4 && step->window.kernel[0] != 0; side++) /* of the whole, not of a turn */
                cr_assert_eq(step->window.padding[side], step->window.kernel[0] / 2, "%s", what);
            windows += step->turns != 0 && step->window.kernel[0] != 0;
            cr_assert(step->turns == 0 ? step->group == i : step->group <= i && step->turns > 1, "%s", what);
            for (uint32_t k = 0; k < step->input_count; k++)
                in_place += s->tensors[step->inputs[k]].place == NNRT_PLACE_ARENA &&
                            s->tensors[step->outputs[0]].place == NNRT_PLACE_ARENA &&
                            s->tensors[step->inputs[k]].offset == s->tensors[step->outputs[0]].offset;
        }
        for (uint32_t t = 0; t < s->tensor_count; t++) views += s->tensors[t].view_of != NONE;
        gb_close(&g);
    }
    cr_assert(grouped > 10 && windows == grouped && views > 10 && in_place > 10, "drawn too tame: %u, %u, %u", grouped,
              views, in_place);
}

/* ------------------------------------------------------------------------------------- what a run leaves behind */

static OH_NNExecutor *executor_of(const OH_NNModel *model, const char *keep) {
    OH_NNCompilation *c = OH_NNCompilation_Construct(model);
    IS(OH_NNCompilation_SetPerformanceMode(c, OH_NN_PERFORMANCE_LOW), OH_NN_SUCCESS);
    if (keep != NULL) IS(OH_NNCompilation_AddExtensionConfig(c, "nnrt.keep", keep, strlen(keep)), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(c), OH_NN_SUCCESS);
    OH_NNExecutor *executor = OH_NNExecutor_Construct(c);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&c);
    return executor;
}

/* How many of the results of a chain of steps, wanted, still lie in the arena after a run. */
static uint32_t left_behind(const OH_NNExecutor *executor, double (*const wanted[])(double), const float *x,
                            uint32_t count) {
    const nnrt_schedule *s = schedule_of(executor);
    uint32_t whole = 0;
    cr_assert_not_null(s->arena);
    for (uint32_t i = 0; i + 1 < s->step_count; i++) {
        const nnrt_schedule_tensor *tensor = &s->tensors[s->steps[i].outputs[0]];
        const float *got = (const float *)(const void *)((const uint8_t *)s->arena + tensor->offset);
        bool same = tensor->bytes == count * sizeof(float);
        for (uint32_t k = 0; k < count && same; k++) {
            double value = x[k];
            for (uint32_t step = 0; step <= i; step++) value = wanted[step](value);
            same = fabs(got[k] - value) < 1e-5;
        }
        whole += same;
    }
    return whole;
}

static double plus_one(double x) { return x + 1.0; }

Test(schedule, leads_to_all_that_a_run_has_computed_where_it_was_kept) {
    static double (*const wanted[])(double) = {tanh, plus_one, exp, plus_one, tanh};
    const int32_t dims[1] = {24};
    float x[24], y[24], plain[24], ones[24];
    gb_graph g;
    uint32_t in[2];
    for (int i = 0; i < 24; i++) {
        x[i] = 0.1f * (float)i - 1.2f;
        ones[i] = 1.0f;
    }
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    for (int i = 0; i < 5; i++) {
        static const OH_NN_OperationType ops[5] = {OH_NN_OPS_TANH, OH_NN_OPS_ADD, OH_NN_OPS_EXP, OH_NN_OPS_ADD,
                                                   OH_NN_OPS_TANH};
        uint32_t next = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
        if (i == 4) gb_output(&g, next);
        in[1] = gb_constant(&g, OH_NN_FLOAT32, 1, dims, ones);
        IS(gb_op(&g, ops[i], ops[i] == OH_NN_OPS_ADD ? 2 : 1, in, 1, &next), OH_NN_SUCCESS);
        in[0] = next;
    }
    IS(gb_build(&g), OH_NN_SUCCESS);
    OH_NNExecutor *kept = executor_of(g.model, "1"), *usual = executor_of(g.model, "0");
    IS(off_run(kept, x, sizeof x, y, sizeof y), OH_NN_SUCCESS);
    IS(off_run(usual, x, sizeof x, plain, sizeof plain), OH_NN_SUCCESS);
    cr_assert_arr_eq(y, plain, sizeof y);
    cr_assert_eq(left_behind(kept, wanted, x, 24), 4);
    cr_assert_lt(left_behind(usual, wanted, x, 24), 4u, "nothing took another one's place: the test shows nothing");
    OH_NNExecutor_Destroy(&kept);
    OH_NNExecutor_Destroy(&usual);
    gb_close(&g);
}

Test(schedule, of_a_kept_meter_has_no_two_tensors_in_one_place_and_gives_its_golden) {
    size_t size, input_size, expected_size;
    uint8_t *model = off_read("examples/meter/meter.tflite", &size);
    uint8_t *input = off_read("examples/meter/golden/input0.bin", &input_size);
    uint8_t *expected = off_read("examples/meter/golden/expected0.bin", &expected_size);
    uint8_t *output = (uint8_t *)malloc(expected_size);
    OH_NNCompilation *c = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
    IS(OH_NNCompilation_SetPerformanceMode(c, OH_NN_PERFORMANCE_LOW), OH_NN_SUCCESS);
    IS(OH_NNCompilation_AddExtensionConfig(c, "nnrt.keep", "1", 1), OH_NN_SUCCESS);
    IS(OH_NNCompilation_AddExtensionConfig(c, "nnrt.stripes", "100", 3), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(c), OH_NN_SUCCESS);
    OH_NNExecutor *executor = OH_NNExecutor_Construct(c);
    IS(off_run(executor, input, input_size, output, expected_size), OH_NN_SUCCESS);
    cr_assert_arr_eq(output, expected, expected_size);
    const nnrt_schedule *s = schedule_of(executor);
    for (uint32_t i = 0; i < s->step_count; i++) cr_assert_eq(s->steps[i].turns, 0);
    for (uint32_t a = 0; a < s->tensor_count; a++)
        for (uint32_t b = 0; b < a; b++) {
            const nnrt_schedule_tensor *first = &s->tensors[a], *second = &s->tensors[b];
            if (first->place != NNRT_PLACE_ARENA || second->place != NNRT_PLACE_ARENA) continue;
            cr_assert(root_of(s, a) == root_of(s, b) || first->offset + first->bytes <= second->offset ||
                      second->offset + second->bytes <= first->offset);
        }
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&c);
    free(output);
    free(expected);
    free(input);
    free(model);
}

Test(schedule, keep_is_0_or_1) {
    static const char *const wrong[] = {"2", "-1", "yes", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        OH_NNCompilation *c = OH_NNCompilation_ConstructWithOfflineModelFile("examples/meter/meter.tflite");
        IS(OH_NNCompilation_SetDevice(c, off_device()), OH_NN_SUCCESS);
        OH_NN_ReturnCode code = OH_NNCompilation_AddExtensionConfig(c, "nnrt.keep", wrong[i], strlen(wrong[i]));
        if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(c);
        IS(code, OH_NN_INVALID_PARAMETER);
        OH_NNCompilation_Destroy(&c);
    }
}

/* -------------------------------------------------------------------------------------------------- by hand */

/* x -> PAD -> CONV2D -> RELU6 -> (reshaped) -> TANH -> SOFTMAX -> y: three steps. */
Test(schedule, of_a_small_graph_is_what_was_worked_out_by_hand) {
    const int32_t small[4] = {1, 4, 4, 1}, padded[4] = {1, 6, 6, 1}, wide[4] = {1, 4, 4, 8}, flat[2] = {1, 128};
    const int32_t amounts[8] = {0, 0, 1, 1, 1, 1, 0, 0}, to_flat[2] = {1, 128}, four_by_two[2] = {4, 2};
    const int32_t dims[4] = {8, 3, 3, 1}, bias_dims[1] = {8};
    const int64_t one[2] = {1, 1}, none[4] = {0, 0, 0, 0};
    float zeros[72] = {0};
    gb_graph g;
    uint32_t x, in[3], before, conv, relu, view, tanh, y;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 4, small));
    before = gb_tensor(&g, OH_NN_FLOAT32, 4, padded);
    in[0] = x;
    in[1] = gb_constant(&g, OH_NN_INT32, 2, four_by_two, amounts);
    IS(gb_op(&g, OH_NN_OPS_PAD, 2, in, 1, &before), OH_NN_SUCCESS);
    conv = gb_tensor(&g, OH_NN_FLOAT32, 4, wide);
    in[0] = before;
    in[1] = gb_constant(&g, OH_NN_FLOAT32, 4, dims, zeros);
    in[2] = gb_constant(&g, OH_NN_FLOAT32, 1, bias_dims, zeros);
    gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, one);
    gb_param_i64s(&g, OH_NN_CONV2D_DILATION, 2, one);
    gb_param_i64s(&g, OH_NN_CONV2D_PAD, 4, none);
    IS(gb_op(&g, OH_NN_OPS_CONV2D, 3, in, 1, &conv), OH_NN_SUCCESS);
    relu = gb_tensor(&g, OH_NN_FLOAT32, 4, wide);
    IS(gb_op(&g, OH_NN_OPS_RELU6, 1, &conv, 1, &relu), OH_NN_SUCCESS);
    view = gb_tensor(&g, OH_NN_FLOAT32, 2, flat);
    in[0] = relu;
    in[1] = gb_ints(&g, 2, to_flat);
    IS(gb_op(&g, OH_NN_OPS_RESHAPE, 2, in, 1, &view), OH_NN_SUCCESS);
    tanh = gb_tensor(&g, OH_NN_FLOAT32, 2, flat);
    IS(gb_op(&g, OH_NN_OPS_TANH, 1, &view, 1, &tanh), OH_NN_SUCCESS);
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, flat));
    IS(gb_op(&g, OH_NN_OPS_SOFTMAX, 1, &tanh, 1, &y), OH_NN_SUCCESS);
    IS(gb_build(&g), OH_NN_SUCCESS);

    const nnrt_schedule *s = schedule_of(g.executor);
    cr_assert_eq(s->step_count, 3);
    cr_assert(s->input_count == 1 && s->output_count == 1);
    const nnrt_schedule_tensor *input = &s->tensors[s->inputs[0]], *output = &s->tensors[s->outputs[0]];
    cr_assert(input->place == NNRT_PLACE_INPUT && input->index == 0 && input->bytes == 64 && input->rank == 4);
    cr_assert(input->first_step == 0 && input->last_step == 0);
    cr_assert(output->place == NNRT_PLACE_OUTPUT && output->index == 0 && output->bytes == 512);
    cr_assert(output->first_step == 2 && output->last_step == 2 && output->view_of == NONE);
    /* the convolution */
    cr_assert_eq(s->steps[0].fused, NNRT_FUSED_PAD | NNRT_FUSED_RELU6);
    cr_assert_eq(s->steps[0].inputs[0], s->inputs[0]);
    for (uint32_t k = 1; k < s->steps[0].input_count; k++)
        cr_assert(s->steps[0].inputs[k] == NONE || s->tensors[s->steps[0].inputs[k]].place == NNRT_PLACE_PLAN);
    cr_assert(s->steps[0].turns == 0 && s->steps[0].group == 0 && s->steps[0].output_count == 1);
    /* 3 x 3 over 4 x 4, with the padding of PAD */
    const nnrt_window window = {{3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}},
                      none_at_all = {{0, 0}, {0, 0}, {0, 0}, {0, 0, 0, 0}};
    cr_assert_arr_eq(&s->steps[0].window, &window, sizeof window);
    cr_assert_arr_eq(&s->steps[1].window, &none_at_all, sizeof window);
    const uint32_t of_conv = s->steps[0].outputs[0], of_view = s->steps[1].inputs[0], of_tanh = s->steps[1].outputs[0];
    cr_assert(s->tensors[of_conv].first_step == 0 && s->tensors[of_conv].last_step == 0);
    /* the same bytes in another shape, until TANH has read them */
    cr_assert_neq(of_view, of_conv);
    cr_assert(s->tensors[of_view].view_of == of_conv && s->tensors[of_view].rank == 2);
    cr_assert(s->tensors[of_view].first_step == 0 && s->tensors[of_view].last_step == 1);
    cr_assert(s->tensors[of_view].offset == s->tensors[of_conv].offset && s->tensors[of_view].bytes == 512);
    /* TANH, in their place */
    cr_assert(s->steps[1].input_count == 1 && s->steps[1].fused == 0);
    cr_assert_eq(s->tensors[of_tanh].offset, s->tensors[of_conv].offset);
    cr_assert(s->tensors[of_tanh].first_step == 1 && s->tensors[of_tanh].last_step == 2);
    cr_assert(s->tensors[of_tanh].view_of == NONE && s->tensors[of_tanh].place == NNRT_PLACE_ARENA);
    cr_assert_eq(s->steps[2].inputs[0], of_tanh);
    cr_assert_eq(s->steps[2].outputs[0], s->outputs[0]);
    gb_close(&g);
}

Test(schedule, shows_state_and_outputs_that_are_views) {
    const int32_t three = 3, one_by_three[2] = {1, 3};
    gb_graph g;
    uint32_t in[2], sum, flat;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    in[1] = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    sum = gb_tensor(&g, OH_NN_FLOAT32, 1, &three);
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &sum), OH_NN_SUCCESS);
    IS(nnrt_model_add_state(g.model, in[1], sum), OH_NN_SUCCESS);
    in[0] = sum;
    in[1] = gb_ints(&g, 2, one_by_three);
    flat = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, one_by_three));
    IS(gb_op(&g, OH_NN_OPS_RESHAPE, 2, in, 1, &flat), OH_NN_SUCCESS);
    IS(gb_build(&g), OH_NN_SUCCESS);
    const nnrt_schedule *s = schedule_of(g.executor);
    cr_assert(s->input_count == 1 && s->output_count == 1 && s->step_count == 1);
    const nnrt_schedule_tensor *state = &s->tensors[s->steps[0].inputs[1]];
    cr_assert(state->place == NNRT_PLACE_STATE && state->index == 0);
    const uint32_t written = s->steps[0].outputs[0];
    cr_assert(s->tensors[s->outputs[0]].view_of == written && s->tensors[s->outputs[0]].rank == 2);
    cr_assert_eq((int)s->tensors[written].place, (int)NNRT_PLACE_OUTPUT);
    gb_close(&g);
}

/* ------------------------------------------------------------------------------------------------- refusals */

Test(schedule, of_a_dynamic_model_is_that_of_the_last_run) {
    const int32_t open[2] = {1, -1};
    gb_graph g;
    uint32_t x, y;
    float in[5] = {0}, out[5];
    const nnrt_schedule *s = NULL;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, open));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, open));
    IS(gb_op(&g, OH_NN_OPS_TANH, 1, &x, 1, &y), OH_NN_SUCCESS);
    IS(gb_build(&g), OH_NN_SUCCESS);
    IS(nnrt_executor_get_schedule(g.executor, &s), OH_NN_DYNAMIC_SHAPE);
    cr_assert(s == NULL && nnrt_last_error()[0] != '\0');
    for (int32_t width = 3; width < 6; width++) {
        const int32_t dims[2] = {1, width};
        gb_run_shape(&g, 0, 2, dims);
        IS(gb_run(&g, gb_buffer(in, (size_t)width * 4), gb_buffer(out, (size_t)width * 4)), OH_NN_SUCCESS);
        s = schedule_of(g.executor);
        cr_assert_eq(s->tensors[s->inputs[0]].dims[1], width);
    }
    gb_close(&g);
}

Test(schedule, is_counted_as_memory_of_the_executor_once) {
    const int32_t three = 3;
    gb_graph g;
    uint32_t x, y;
    nnrt_memory before, after, again;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    IS(gb_op(&g, OH_NN_OPS_TANH, 1, &x, 1, &y), OH_NN_SUCCESS);
    IS(gb_build(&g), OH_NN_SUCCESS);
    IS(nnrt_executor_get_memory(g.executor, &before), OH_NN_SUCCESS);
    (void)schedule_of(g.executor);
    IS(nnrt_executor_get_memory(g.executor, &after), OH_NN_SUCCESS);
    (void)schedule_of(g.executor);
    IS(nnrt_executor_get_memory(g.executor, &again), OH_NN_SUCCESS);
    cr_assert_gt(after.heap_bytes, before.heap_bytes);
    cr_assert_eq(again.heap_bytes, after.heap_bytes);
    IS(nnrt_executor_get_schedule(NULL, NULL), OH_NN_INVALID_PARAMETER);
    IS(nnrt_executor_get_schedule(g.executor, NULL), OH_NN_INVALID_PARAMETER);
    gb_close(&g);
}
