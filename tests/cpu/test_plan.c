/* SPDX-License-Identifier: Apache-2.0 */
/* Proves what is promised of plans: damaged ones are refused with a sentence, forged ones are refused or run
   inside their memory, good ones are read where they lie; that a run allocates nothing, that running out of
   memory leaves nothing behind, that no two living values share memory, that dynamic shapes go back and
   forth; and that the figures are true. */
#include "linked.h"

#include "graph_builder.h"
#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

static uint32_t random_state = 20240607;
static uint32_t random_next(void) { return random_state = random_state * 1664525u + 1013904223u; }
static uint32_t random_below(uint32_t n) { return (uint32_t)(((uint64_t)random_next() * n) >> 32); }

static void random_bytes(void *to, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) ((uint8_t *)to)[i] = (uint8_t)(random_next() >> 24);
}

/* ------------------------------------------------------------------------------------------------- models */

/* x [1,6,6,4] -> 3x3 CONV2D to 8 -> 1x1 CONV2D to 4 -> ADD x -> FULL_CONNECTION to 5 -> SOFTMAX, all int8. */
static void small_graph(gb_graph *g) {
    static const int32_t x_dims[4] = {1, 6, 6, 4}, c_dims[4] = {1, 6, 6, 8}, w1_dims[4] = {8, 3, 3, 4};
    static const int32_t w2_dims[4] = {4, 1, 1, 8}, w3_dims[2] = {5, 144}, y_dims[2] = {1, 5};
    static const int32_t eight = 8, four = 4, five = 5;
    static const int64_t strides[2] = {1, 1};
    double scales[8];
    int8_t weights[720];
    int32_t bias[8];
    uint32_t x, c, d, a, f, y, in[3];
    int i;
    random_state = 1;
    gb_open(g);
    x = gb_input(g, gb_tensor_s8(g, 4, x_dims, 0.05, -3));
    c = gb_tensor_s8(g, 4, c_dims, 0.07, 5);
    d = gb_tensor_s8(g, 4, x_dims, 0.06, -7);
    a = gb_tensor_s8(g, 4, x_dims, 0.09, 2);
    f = gb_tensor_s8(g, 2, y_dims, 0.2, 11);
    y = gb_output(g, gb_tensor_s8(g, 2, y_dims, 1.0 / 256, -128));
    for (i = 0; i < 8; i++) {
        scales[i] = 0.004 + 0.001 * i;
        bias[i] = (int32_t)random_below(2000) - 1000;
    }
    random_bytes(weights, sizeof weights);
    in[0] = x;
    in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 4, w1_dims, weights), 8, scales, NULL);
    in[2] = gb_constant(g, OH_NN_INT32, 1, &eight, bias);
    gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i8(g, OH_NN_CONV2D_PAD_MODE, 0);
    IS(gb_op(g, OH_NN_OPS_CONV2D, 3, in, 1, &c), OH_NN_SUCCESS);
    in[0] = c;
    in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 4, w2_dims, weights), 4, scales, NULL);
    in[2] = gb_constant(g, OH_NN_INT32, 1, &four, bias);
    gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, strides);
    IS(gb_op(g, OH_NN_OPS_CONV2D, 3, in, 1, &d), OH_NN_SUCCESS);
    in[0] = d;
    in[1] = x;
    IS(gb_op(g, OH_NN_OPS_ADD, 2, in, 1, &a), OH_NN_SUCCESS);
    in[0] = a;
    in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 2, w3_dims, weights), 1, scales, NULL);
    in[2] = gb_constant(g, OH_NN_INT32, 1, &five, bias);
    gb_param_i64(g, OH_NN_FULL_CONNECTION_AXIS, 1);
    IS(gb_op(g, OH_NN_OPS_FULL_CONNECTION, 3, in, 1, &f), OH_NN_SUCCESS);
    gb_param_i64(g, OH_NN_SOFTMAX_AXIS, 1);
    IS(gb_op(g, OH_NN_OPS_SOFTMAX, 1, &f, 1, &y), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

/* One FULL_CONNECTION of 64 features to `features`. */
static void wide_graph(gb_graph *g, int32_t features) {
    static const int32_t x_dims[2] = {1, 64};
    const double scale = 0.01;
    int32_t w_dims[2], y_dims[2];
    int8_t *weights = (int8_t *)calloc((size_t)features, 64);
    int32_t *bias = (int32_t *)calloc((size_t)features, sizeof *bias);
    uint32_t in[3], y;
    w_dims[0] = y_dims[1] = features;
    w_dims[1] = 64;
    y_dims[0] = 1;
    cr_assert(weights != NULL && bias != NULL);
    gb_open(g);
    in[0] = gb_input(g, gb_tensor_s8(g, 2, x_dims, 0.1, 0));
    in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 2, w_dims, weights), 1, &scale, NULL);
    in[2] = gb_constant(g, OH_NN_INT32, 1, &features, bias);
    y = gb_output(g, gb_tensor_s8(g, 2, y_dims, 0.1, 0));
    IS(gb_op(g, OH_NN_OPS_FULL_CONNECTION, 3, in, 1, &y), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
    free(weights);
    free(bias);
}

/* The plan of a finished graph for one instruction set. */
static uint8_t *plan_of(gb_graph *g, const char *isa, size_t *size) {
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(g->model);
    off_settings settings;
    uint8_t *plan;
    memset(&settings, 0, sizeof settings);
    settings.isa = isa;
    IS(off_build(compilation, &settings), OH_NN_SUCCESS);
    plan = off_export(compilation, size);
    OH_NNCompilation_Destroy(&compilation);
    return plan;
}

static uint8_t *small_plan(const char *isa, size_t *size) {
    gb_graph g;
    uint8_t *plan;
    small_graph(&g);
    plan = plan_of(&g, isa, size);
    gb_close(&g);
    return plan;
}

static uint8_t *meter_plan(const char *isa, size_t *size) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile("examples/meter/meter.tflite");
    off_settings settings;
    uint8_t *plan;
    memset(&settings, 0, sizeof settings);
    settings.isa = isa;
    IS(off_build(compilation, &settings), OH_NN_SUCCESS);
    plan = off_export(compilation, size);
    OH_NNCompilation_Destroy(&compilation);
    return plan;
}

static const nnrt__plan_header *header_of(const uint8_t *plan) { return (const nnrt__plan_header *)(const void *)plan; }

/* ---------------------------------------------------------------------------------------------- restoring */

/* What a forged plan may ask for, as on a small board. */
#define FORGED_MEMORY ((size_t)16 << 20)

/* Restores size bytes at block for an instruction set, and runs them once when they are accepted. */
static OH_NN_ReturnCode restore_and_run(const uint8_t *block, size_t size, const char *isa, bool *ran,
                                        uint32_t *digest) {
    nnrt_config config;
    nnrt_request request;
    void *prepared = NULL;
    OH_NN_ReturnCode code;
    memset(&request, 0, sizeof request);
    config.name = "nnrt.isa";
    config.value = isa;
    config.size = strlen(isa);
    request.configs = &config;
    request.config_count = 1;
    counting_refuse_above(FORGED_MEMORY);
    (void)nnrt__fail(OH_NN_FAILED, "stale");
    code = nnrt__cpu_backend.restore(nnrt__device_find(off_device())->state, &request, block, size, &prepared);
    if (ran != NULL) *ran = code == OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS) {
        cr_assert(strcmp(nnrt_last_error(), "stale") != 0 && nnrt_last_error()[0] != '\0', "no sentence");
        return code;
    }
    code = off_raw_run(prepared, 7, digest);
    nnrt__cpu_backend.release(prepared);
    return code;
}

/* What restoring size bytes at block makes with nnrt.trust; NULL: refused with *code and a sentence. */
static nnrt__cpu_prepared *restore_trusting(const uint8_t *block, size_t size, const char *trust, bool is_mapped,
                                            OH_NN_ReturnCode *code) {
    nnrt_config config;
    nnrt_request request;
    void *prepared = NULL;
    memset(&request, 0, sizeof request);
    config.name = "nnrt.trust";
    config.value = trust;
    config.size = strlen(trust) + 1;
    request.configs = &config;
    request.config_count = 1;
    request.is_mapped = is_mapped;
    *code = nnrt__cpu_backend.restore(nnrt__device_find(off_device())->state, &request, block, size, &prepared);
    return *code == OH_NN_SUCCESS ? (nnrt__cpu_prepared *)prepared : NULL;
}

static void fix_crc(uint8_t *plan, size_t size) {
    uint32_t crc = nnrt__plan_crc(plan, size);
    memcpy(plan + offsetof(nnrt__plan_header, crc), &crc, sizeof crc);
}

/* A forged plan: refused as an invalid file, or run; when its sizes ask for more memory than there is, that
   is said. */
static void try_forged(const uint8_t *plan, size_t size, const char *isa, size_t at, size_t *runs) {
    long live = counting_live();
    bool ran = false;
    OH_NN_ReturnCode code = restore_and_run(plan, size, isa, &ran, NULL);
    if (ran) {
        cr_assert(code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR || code == OH_NN_UNAVAILABLE_DEVICE,
                  "byte %zu: a run answers %d", at, (int)code);
        ++*runs;
    } else {
        cr_assert(code == OH_NN_INVALID_FILE || code == OH_NN_MEMORY_ERROR, "byte %zu: restoring answers %d", at,
                  (int)code);
    }
    cr_assert_eq(counting_live(), live, "byte %zu: something stays allocated", at);
}

/* Plan 0 is the small graph's, plan 1 the meter's. */
static uint8_t *plan_number(int number, const char *isa, size_t *size) {
    return number == 0 ? small_plan(isa, size) : meter_plan(isa, size);
}

Test(plan, every_truncated_prefix_is_refused) {
    const char *isas[NNRT__TARGET_COUNT];
    size_t size, cut, live;
    int number;
    (void)off_isas(isas);
    for (number = 0; number < 2; number++) {
        uint8_t *plan = plan_number(number, isas[0], &size);
        live = (size_t)counting_live();
        for (cut = 0; cut < size; cut += cut < 4096 ? 1 : 61) {
            void *block;
            const uint8_t *prefix = off_copy(plan, cut, 0, &block);
            IS(restore_and_run(prefix, cut, isas[0], NULL, NULL), OH_NN_INVALID_FILE);
            free(block);
        }
        cr_assert_eq((size_t)counting_live(), live);
        free(plan);
    }
}

Test(plan, every_damaged_byte_is_refused) {
    const char *isas[NNRT__TARGET_COUNT];
    size_t size, at;
    int number;
    (void)off_isas(isas);
    for (number = 0; number < 2; number++) {
        uint8_t *plan = plan_number(number, isas[0], &size);
        for (at = 0; at < size; at += number == 0 ? 1 : 13) {
            plan[at] = (uint8_t)(plan[at] ^ (1u << random_below(8)));
            IS(restore_and_run(plan, size, isas[0], NULL, NULL), OH_NN_INVALID_FILE);
            plan[at] = (uint8_t)~plan[at];
            IS(restore_and_run(plan, size, isas[0], NULL, NULL), OH_NN_INVALID_FILE);
            free(plan);
            plan = plan_number(number, isas[0], &size);
        }
        free(plan);
    }
}

/* Every byte flipped in two ways, and every aligned word set to four values, with a checksum that fits. */
Test(plan, a_forged_plan_is_refused_or_runs_inside_its_memory) {
    static const uint32_t words[6] = {0, 1, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x40u};
    const char *isas[NNRT__TARGET_COUNT];
    size_t isa_count = off_isas(isas), i, k, size, at, runs = 0, tries = 0;
    int number;
    for (number = 0; number < 2; number++) {
        for (i = 0; i < isa_count; i++) {
            uint8_t *plan = plan_number(number, isas[i], &size);
            uint8_t *good = plan_number(number, isas[i], &size);
            const size_t constants = (size_t)header_of(plan)->constants;
            for (at = 0; at < size; at += at < constants ? (number == 0 ? 1u : 3u) : (number == 0 ? 5u : 97u)) {
                for (k = 0; k < 2; k++) {
                    plan[at] = (uint8_t)(good[at] ^ (k == 0 ? 1u << random_below(8) : 0xffu));
                    fix_crc(plan, size);
                    try_forged(plan, size, isas[i], at, &runs);
                    tries++;
                }
                plan[at] = good[at];
            }
            for (at = 0; at < size; at += at < constants ? 4u : (number == 0 ? 12u : 388u)) {
                for (k = 0; k < 6 && (number == 0 || at >= constants || k == (at / 4 + i) % 6); k++) {
                    memcpy(plan + at, &words[k], 4);
                    fix_crc(plan, size);
                    try_forged(plan, size, isas[i], at, &runs);
                    tries++;
                }
                memcpy(plan + at, good + at, 4);
            }
            free(plan);
            free(good);
        }
    }
    cr_assert(runs > 0 && runs < tries, "%zu of %zu forged plans ran", runs, tries);
}

/* -------------------------------------------------------------------------------------- forged on purpose */

/* The value that operand `number` of the plan is. */
static nnrt__plan_value *value_of_operand(uint8_t *plan, uint32_t number) {
    const nnrt__plan_header *header = header_of(plan);
    const uint32_t *operands = (const uint32_t *)(const void *)(plan + header->operands);
    return (nnrt__plan_value *)(void *)(plan + header->values) + operands[number];
}

Test(plan, a_value_in_an_input_has_the_type_of_the_input) {
    size_t size;
    uint8_t *plan = small_plan("scalar", &size);
    nnrt__plan_value *input = value_of_operand(plan, 0);
    nnrt__plan_value *output = value_of_operand(plan, header_of(plan)->input_count);
    nnrt__plan_value *values = (nnrt__plan_value *)(void *)(plan + header_of(plan)->values);
    uint32_t i;
    for (i = 0; i < header_of(plan)->value_count; i++) {
        nnrt__plan_value saved = values[i];
        if (&values[i] == input || &values[i] == output) continue;
        values[i] = *input;
        values[i].dtype = OH_NN_FLOAT32;
        values[i].dims[3] = 1;
        fix_crc(plan, size);
        IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_INVALID_FILE);
        values[i] = saved;
    }
    free(plan);
}

Test(plan, a_value_has_a_scale_from_0_to_1e30) {
    static const double taken[] = {0.0, -0.0, 5e-324, 1.0, 1e30};
    static const double refused[] = {-5e-324, -1.0, 1.0000000000000002e30, 1e300};
    size_t size, i;
    uint8_t *plan = small_plan("scalar", &size);
    double *scale = &value_of_operand(plan, 0)->scale;
    for (i = 0; i < sizeof taken / sizeof *taken + sizeof refused / sizeof *refused + 4; i++) {
        const bool right = i < sizeof taken / sizeof *taken;
        const size_t k = right ? i : i - sizeof taken / sizeof *taken;
        static const uint64_t odd[4] = {0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u,
                                        0xfff8000000000001u}; /* infinite, and no numbers */
        if (right) *scale = taken[k];
        else if (k < sizeof refused / sizeof *refused) *scale = refused[k];
        else memcpy(scale, &odd[k - sizeof refused / sizeof *refused], sizeof *scale);
        fix_crc(plan, size);
        cr_assert_eq(restore_and_run(plan, size, "scalar", NULL, NULL), right ? OH_NN_SUCCESS : OH_NN_INVALID_FILE,
                     "%zu: %g", i, *scale);
    }
    free(plan);
}

/* A convolution of kernel_h x 8 on one channel, as keyword spotters begin: how its rows are cut, and its scratch. */
static void first_layer(const char *isa, int32_t kernel_h, uint32_t *span, uint64_t *scratch) {
    static const int32_t x_dims[4] = {1, 49, 40, 1}, y_dims[4] = {1, 25, 20, 8}, eight = 8;
    static const int64_t strides[2] = {2, 2};
    const int32_t w_dims[4] = {8, kernel_h, 8, 1};
    static const double scales[8] = {0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
    static int8_t weights[8 * 10 * 8];
    static int32_t bias[8];
    const nnrt__plan_header *header;
    const nnrt__plan_step *step;
    gb_graph g;
    uint32_t in[3], y;
    uint8_t *plan;
    size_t size;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor_s8(&g, 4, x_dims, 0.1, -128));
    in[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 4, w_dims, weights), 8, scales, NULL);
    in[2] = gb_constant(&g, OH_NN_INT32, 1, &eight, bias);
    y = gb_output(&g, gb_tensor_s8(&g, 4, y_dims, 0.1, 0));
    gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i8(&g, OH_NN_CONV2D_PAD_MODE, 0);
    IS(gb_op(&g, OH_NN_OPS_CONV2D, 3, in, 1, &y), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    plan = plan_of(&g, isa, &size);
    gb_close(&g);
    header = header_of(plan);
    step = (const nnrt__plan_step *)(const void *)(plan + header->steps);
    cr_assert_eq(header->step_count, 1u);
    *span = ((const nnrt__conv_args *)(const void *)(plan + header->arguments + step->arguments))->span;
    *scratch = step->scratch_size;
    free(plan);
}

/* Ten pieces of 8 bytes are ten addresses of as many. */
Test(plan, of_a_small_processor_has_rows_of_many_short_pieces_whole) {
    uint32_t span;
    uint64_t scratch;
    first_layer("scalar", 10, &span, &scratch);
    cr_assert_eq(span, 80u);
    cr_assert_leq(scratch, 64 + 640u, "%u bytes: the list of eight rows, and the rows", (unsigned)scratch);
    first_layer("scalar", 4, &span, &scratch);
    cr_assert_eq(span, 8u);
}

/* A program reads them to know how much of the arena its kernels use. */
Test(plan, whose_scratch_is_larger_than_its_arena_is_refused) {
    size_t size;
    uint8_t *plan = small_plan("scalar", &size);
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    header->scratch_size = header->arena_size;
    fix_crc(plan, size);
    IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_SUCCESS);
    header->scratch_size = header->arena_size + 1;
    fix_crc(plan, size);
    IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_INVALID_FILE);
    cr_assert(strstr(nnrt_last_error(), "bad arena size") != NULL, "%s", nnrt_last_error());
    free(plan);
}

/* On 32 bits a plan of 1.6 GB, where nnrt.max_memory allows it, has steps enough for that. */
Test(plan, whose_steps_prepare_more_than_there_is_memory_for_is_refused) {
    static const uint32_t sizes[3][2] = {{0x80000000u, 0x80000000u}, {0xfffffff8u, 0x10u}, {0xffffffffu, 0}};
    nnrt__step_kind kinds[2];
    const nnrt__step_kind *kind_of_step[2] = {&kinds[0], &kinds[1]};
    nnrt__step_view views[2];
    nnrt__plan_header header;
    nnrt__loaded_plan plan;
    size_t i;
    memset(kinds, 0, sizeof kinds); /* nothing is prepared */
    memset(views, 0, sizeof views);
    memset(&header, 0, sizeof header);
    memset(&plan, 0, sizeof plan);
    header.step_count = 2;
    plan.header = &header;
    plan.kinds = kind_of_step;
    plan.views = views;
    counting_refuse_above(FORGED_MEMORY);
    for (i = 0; i < 3; i++) {
        kinds[0].ready_size = sizes[i][0];
        kinds[1].ready_size = sizes[i][1];
        IS(nnrt__plan_make_ready(&plan), OH_NN_MEMORY_ERROR);
        cr_assert_null(plan.ready);
    }
}

/* Steps copy and multiply without a thought of overlap, but for those that may work in place. */
Test(plan, a_step_whose_output_overlaps_what_it_reads_is_refused) {
    size_t size, tries = 0;
    uint8_t *plan = small_plan("scalar", &size);
    const nnrt__plan_header *header = header_of(plan);
    nnrt__plan_step *steps = (nnrt__plan_step *)(void *)(plan + header->steps);
    uint32_t i;
    for (i = 0; i < header->step_count; i++) {
        const nnrt__step_kind *kind = nnrt__step_kind_find(steps[i].kind);
        nnrt__plan_value *input = value_of_operand(plan, steps[i].first_operand);
        nnrt__plan_value *output = value_of_operand(plan, steps[i].first_operand + steps[i].input_count);
        uint64_t saved = output->offset;
        cr_assert_not_null(kind);
        if (input->segment != NNRT__SEGMENT_ARENA || output->segment != NNRT__SEGMENT_ARENA) continue;
        if (kind->in_place && input->size == output->size) continue;
        output->offset = input->offset;
        fix_crc(plan, size);
        IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_INVALID_FILE);
        output->offset = saved;
        tries++;
    }
    cr_assert_gt(tries, 0u);
    fix_crc(plan, size);
    IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_SUCCESS);
    free(plan);
}

/* Is every set of the level `low` one of `high`? */
static bool contains(const char *high, const char *low) {
    unsigned sets[2] = {0, 0};
    cr_assert(nnrt__isa_from_name(high, &sets[0]) && nnrt__isa_from_name(low, &sets[1]));
    return (sets[1] & ~sets[0]) == 0;
}

Test(plan, runs_at_the_level_it_was_packed_for_and_is_refused_by_name_below_it) {
    const char *isas[NNRT__TARGET_COUNT];
    size_t count = off_isas(isas), size, i, k;
    uint32_t should = 0;
    for (i = 0; i < count; i++) {
        uint8_t *plan = small_plan(isas[i], &size);
        for (k = 0; k < count; k++) {
            uint32_t is = 0;
            if (contains(isas[k], isas[i])) {
                IS(restore_and_run(plan, size, isas[k], NULL, &is), OH_NN_SUCCESS);
                if (i == 0 && k == 0) should = is;
                cr_assert_eq(is, should, "packed for %s, allowed %s", isas[i], isas[k]);
                continue;
            }
            IS(restore_and_run(plan, size, isas[k], NULL, NULL), OH_NN_INVALID_FILE);
            cr_assert(strstr(nnrt_last_error(), isas[i]) != NULL && strstr(nnrt_last_error(), isas[k]) != NULL, "%s",
                      nnrt_last_error());
        }
        free(plan);
    }
}

/* With a checksum that fits: nothing but the processor's own instruction sets decides. */
Test(plan, a_level_that_there_is_not_or_this_machine_lacks_is_refused) {
    const unsigned here = nnrt__cpu_detect();
    uint32_t isa;
    size_t size;
    uint8_t *plan = small_plan("scalar", &size);
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    for (isa = 1; isa != 0; isa <<= 1) {
        const unsigned foreign[2] = {isa, here | isa};
        unsigned level = 0;
        int i;
        for (i = 0; i < 2; i++) {
            if (nnrt__isa_from_name(nnrt__isa_name(foreign[i]), &level) && level == foreign[i] &&
                (foreign[i] & ~here) == 0)
                continue;
            header->isa = foreign[i];
            fix_crc(plan, size);
            IS(restore_and_run(plan, size, nnrt__isa_name(here), NULL, NULL), OH_NN_INVALID_FILE);
            cr_assert(strstr(nnrt_last_error(), "packed for") != NULL, "%s", nnrt_last_error());
        }
    }
    free(plan);
}

/* A hypervisor takes longer to answer for the processor than a small plan to load: the device has asked when it was
   opened. */
Test(plan, what_the_processor_has_is_what_the_device_knows) {
    nnrt__cpu_device *device = (nnrt__cpu_device *)nnrt__device_find(off_device())->state;
    const char *isas[NNRT__TARGET_COUNT];
    const size_t count = off_isas(isas);
    size_t size;
    uint8_t *plan = small_plan(isas[count - 1], &size);
    cr_assert_eq(device->levels, nnrt__cpu_levels());
    IS(restore_and_run(plan, size, isas[count - 1], NULL, NULL), OH_NN_SUCCESS);
    device->levels = 0;
    if (count > 1) {
        IS(restore_and_run(plan, size, isas[count - 1], NULL, NULL), OH_NN_INVALID_PARAMETER);
        IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_INVALID_FILE);
        cr_assert(strstr(nnrt_last_error(), "this processor or this build has \"scalar\"") != NULL, "%s",
                  nnrt_last_error());
    }
    device->levels = nnrt__cpu_levels();
    free(plan);
}

Test(plan, the_number_of_its_shape_is_the_checksum_of_the_sizes_of_its_structures) {
    const uint32_t sizes[4] = {sizeof(nnrt__plan_header), sizeof(nnrt__plan_value), sizeof(nnrt__plan_step),
                               NNRT__PLAN_ALIGNMENT};
    uint8_t bytes[16];
    size_t i;
    for (i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(sizes[i / 4] >> i % 4 * 8);
    cr_assert_eq(nnrt__crc32(0, bytes, sizeof bytes), NNRT__PLAN_SHAPE);
}

Test(plan, a_scale_is_from_0_to_1e30) {
    const double right[] = {0.0, -0.0, 5e-324, 2.3e-308, 0.004, 1.0, 9.9e29, nextafter(1e30, 0), 1e30};
    const double wrong[] = {nextafter(1e30, 2e30), 1.1e30, 1e300, HUGE_VAL, -5e-324, -1.0, -1e30, -HUGE_VAL, NAN, -NAN};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(right); i++) cr_assert(nnrt__plan_scale_is_right(&right[i]), "%g", right[i]);
    for (i = 0; i < NNRT__COUNT_OF(wrong); i++) cr_assert(!nnrt__plan_scale_is_right(&wrong[i]), "%g", wrong[i]);
}

Test(plan, another_shape_of_its_structures_or_arguments_is_refused_with_a_sentence) {
    size_t size;
    uint8_t *plan = small_plan("scalar", &size);
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    nnrt__plan_step *steps = (nnrt__plan_step *)(void *)(plan + header->steps);
    uint32_t i, k;
    for (i = 0; i < header->step_count; i++) {
        const uint32_t before = steps[i].arguments_shape;
        const uint32_t others[4] = {before + 8, before - 8, before + NNRT__REVISION(1), 0};
        cr_assert_eq(before & 0xffffu, nnrt__kind_arguments_size(nnrt__step_kind_find(steps[i].kind)));
        for (k = 0; k < 4; k++) {
            steps[i].arguments_shape = others[k];
            fix_crc(plan, size);
            IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_INVALID_FILE);
            cr_assert(strstr(nnrt_last_error(), nnrt__step_kind_find(steps[i].kind)->name) != NULL &&
                          strstr(nnrt_last_error(), "compile it again") != NULL,
                      "%s", nnrt_last_error());
        }
        steps[i].arguments_shape = before;
    }
    fix_crc(plan, size);
    IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_SUCCESS);
    header->shape ^= 1;
    fix_crc(plan, size);
    IS(restore_and_run(plan, size, "scalar", NULL, NULL), OH_NN_INVALID_FILE);
    cr_assert(strstr(nnrt_last_error(), "structures") != NULL && strstr(nnrt_last_error(), "compile it again") != NULL,
              "%s", nnrt_last_error());
    free(plan);
}

/* Flash is such memory. Of a mapped file the tables are copied: another process may change them. */
Test(plan, in_memory_of_the_program_is_used_where_it_lies_and_nothing_is_copied) {
    size_t size, i;
    uint8_t *plan = meter_plan("scalar", &size);
    const uint8_t *constants = plan + header_of(plan)->constants;
    for (i = 0; i < 4; i++) {
        const bool is_mapped = i % 2 != 0;
        OH_NN_ReturnCode code;
        nnrt__cpu_prepared *prepared = restore_trusting(plan, size, i < 2 ? "none" : "crc", is_mapped, &code);
        uint32_t digest;
        IS(code, OH_NN_SUCCESS);
        cr_assert_eq(prepared->plan.block == plan, !is_mapped);
        cr_assert_eq(prepared->plan.copy == NULL, !is_mapped);
        cr_assert_null(prepared->memory);
        cr_assert_eq(prepared->plan.constants, constants);
        IS(off_raw_run(prepared, 7, &digest), OH_NN_SUCCESS);
        nnrt__cpu_backend.release(prepared);
    }
    free(plan);
}

Test(plan, whose_checksum_is_trusted_is_checked_for_all_but_damage_of_its_weights) {
    size_t size, at;
    uint8_t *plan = small_plan("scalar", &size), *good = small_plan("scalar", &size);
    const size_t constants = (size_t)header_of(plan)->constants;
    nnrt_config config = {"nnrt.trust", "all", 4};
    nnrt__cpu_prepared *prepared;
    OH_NN_ReturnCode code;
    uint32_t digest;
    plan[size - 65] ^= 1;
    prepared = restore_trusting(plan, size, "none", false, &code);
    IS(code, OH_NN_INVALID_FILE);
    cr_assert(strstr(nnrt_last_error(), "checksum") != NULL, "%s", nnrt_last_error());
    prepared = restore_trusting(plan, size, "crc", false, &code);
    IS(code, OH_NN_SUCCESS);
    IS(off_raw_run(prepared, 7, &digest), OH_NN_SUCCESS);
    nnrt__cpu_backend.release(prepared);
    /* Any damage of a table is found, or the plan runs inside its memory all the same. */
    for (at = 0; at < constants; at++) {
        memcpy(plan, good, size);
        plan[at] ^= 0x80;
        prepared = restore_trusting(plan, size, "crc", at % 2 != 0, &code);
        if (prepared == NULL) {
            cr_assert(code == OH_NN_INVALID_FILE || code == OH_NN_MEMORY_ERROR, "byte %zu: %d", at, (int)code);
            continue;
        }
        (void)off_raw_run(prepared, 7, &digest);
        nnrt__cpu_backend.release(prepared);
    }
    IS(nnrt__cpu_backend.check_config(nnrt__device_find(off_device())->state, &config), OH_NN_INVALID_PARAMETER);
    cr_assert(strstr(nnrt_last_error(), "all") != NULL && strstr(nnrt_last_error(), "crc") != NULL, "%s",
              nnrt_last_error());
    free(plan);
    free(good);
}

Test(plan, any_address_will_do) {
    const char *isas[NNRT__TARGET_COUNT];
    size_t count = off_isas(isas), size, i, shift;
    for (i = 0; i < count; i++) {
        uint8_t *plan = small_plan(isas[i], &size);
        uint32_t should, is;
        IS(restore_and_run(plan, size, isas[i], NULL, &should), OH_NN_SUCCESS);
        for (shift = 0; shift < 16; shift++) {
            void *block;
            const uint8_t *moved = off_copy(plan, size, shift, &block);
            IS(restore_and_run(moved, size, isas[i], NULL, &is), OH_NN_SUCCESS);
            cr_assert_eq(is, should, "shifted by %zu", shift);
            free(block);
        }
        free(plan);
    }
}

/* ------------------------------------------------------------------------------------------------- memory */

typedef struct cost {
    size_t bytes, plan_size;
    nnrt_memory memory;
} cost;

/* What restoring a plan and making an executor costs. shift: of the plan's address. */
static cost cost_of_plan(const uint8_t *plan, size_t size, size_t shift) {
    off_settings settings;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    void *block;
    const uint8_t *at = off_copy(plan, size, shift, &block);
    cost it;
    memset(&settings, 0, sizeof settings);
    it.plan_size = size;
    it.bytes = counting_total();
    compilation = OH_NNCompilation_ConstructForCache();
    IS(OH_NNCompilation_ImportCacheFromBuffer(compilation, at, size), OH_NN_SUCCESS);
    IS(nnrt_compilation_use_in_place(compilation), OH_NN_SUCCESS);
    IS(off_build(compilation, &settings), OH_NN_SUCCESS);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor);
    it.bytes = counting_total() - it.bytes;
    IS(nnrt_executor_get_memory(executor, &it.memory), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free(block);
    return it;
}

static cost cost_of_wide(int32_t features, size_t shift) {
    gb_graph g;
    uint8_t *plan;
    size_t size;
    cost it;
    wide_graph(&g, features);
    plan = plan_of(&g, NULL, &size);
    gb_close(&g);
    it = cost_of_plan(plan, size, shift);
    free(plan);
    return it;
}

Test(plan, weights_of_a_plan_that_is_used_in_place_are_not_copied) {
    cost small = cost_of_wide(160, 0), large = cost_of_wide(1600, 0), copied = cost_of_wide(1600, 4);
    cr_assert_geq(large.plan_size, small.plan_size + 1440u * 64);
    cr_assert_leq(large.bytes, small.bytes, "%zu bytes for 160 features, %zu for 1600", small.bytes, large.bytes);
    cr_assert_eq(small.memory.borrowed_bytes, small.plan_size);
    cr_assert_eq(large.memory.borrowed_bytes, large.plan_size);
    cr_assert_eq(large.memory.plan_bytes, large.plan_size);
    cr_assert_geq(large.memory.weights_bytes, 1600u * 64);
    cr_assert_eq(copied.memory.borrowed_bytes, 0u);
    cr_assert_geq(copied.bytes, large.bytes + large.plan_size);
    cr_assert_geq(copied.memory.heap_bytes, large.memory.heap_bytes + large.plan_size);
}

/* heap_bytes is what the allocator was asked for, but for the objects of the API in front of it; arena_bytes
   is where the last value or scratch ends. */
Test(plan, memory_figures_are_those_of_the_allocator) {
    int number;
    for (number = 0; number < 2; number++) {
        size_t size, end = 0;
        uint8_t *plan = plan_number(number, NULL, &size);
        const nnrt__plan_header *header = header_of(plan);
        const nnrt__plan_value *values = (const nnrt__plan_value *)(const void *)(plan + header->values);
        const nnrt__plan_step *steps = (const nnrt__plan_step *)(const void *)(plan + header->steps);
        cost it = cost_of_plan(plan, size, 0);
        uint32_t i;
        for (i = 0; i < header->value_count; i++)
            if (values[i].segment == NNRT__SEGMENT_ARENA && values[i].offset + values[i].size > end)
                end = (size_t)(values[i].offset + values[i].size);
        for (i = 0; i < header->step_count; i++)
            if (steps[i].scratch_size != 0 && steps[i].scratch_offset + steps[i].scratch_size * header->threads > end)
                end = (size_t)(steps[i].scratch_offset + steps[i].scratch_size * header->threads);
        cr_assert_eq(it.memory.arena_bytes, (end + 63) / 64 * 64);
        cr_assert_leq(it.memory.heap_bytes, it.bytes);
        cr_assert_geq(it.memory.heap_bytes + 4096, it.bytes, "%zu of %zu", it.memory.heap_bytes, it.bytes);
        cr_assert_leq(it.memory.scratch_bytes, it.memory.bound_bytes);
        cr_assert_leq(it.memory.bound_bytes, it.memory.arena_bytes);
        free(plan);
    }
}

Test(plan, a_run_allocates_nothing) {
    static const char *const thread_counts[3] = {"1", "2", "3"};
    const char *isas[NNRT__TARGET_COUNT];
    size_t count = off_isas(isas), i, k, n;
    gb_graph g;
    small_graph(&g);
    for (i = 0; i < count; i++) {
        for (k = 0; k < 3; k++) {
            OH_NNCompilation *compilation = OH_NNCompilation_Construct(g.model);
            OH_NNExecutor *executor;
            NN_Tensor *in, *out;
            off_settings settings;
            size_t calls;
            memset(&settings, 0, sizeof settings);
            settings.isa = isas[i];
            settings.threads = thread_counts[k];
            IS(off_build(compilation, &settings), OH_NN_SUCCESS);
            executor = OH_NNExecutor_Construct(compilation);
            in = off_tensor(OH_NNExecutor_CreateInputTensorDesc(executor, 0), 144);
            out = off_tensor(OH_NNExecutor_CreateOutputTensorDesc(executor, 0), 5);
            calls = counting_calls();
            for (n = 0; n < 3; n++) IS(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1), OH_NN_SUCCESS);
            cr_assert_eq(counting_calls(), calls, "%s, %s threads", isas[i], thread_counts[k]);
            IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
            IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
            OH_NNExecutor_Destroy(&executor);
            OH_NNCompilation_Destroy(&compilation);
        }
    }
    gb_close(&g);
}

/* ------------------------------------------------------------------------------------- running out of memory
 */

typedef struct source {
    const gb_graph *graph; /* or */
    const uint8_t *model;  /* a .tflite, or */
    size_t model_size;
    const uint8_t *plan; /* a plan in the cache */
    size_t plan_size;
    const char *threads;
    size_t rank; /* of the shape to run a dynamic model with, else 0 */
    int32_t dims[4];
    size_t input_size, output_size;
} source;

static NN_Tensor *tensor_for(const source *from, NN_TensorDesc *desc, size_t size, bool input, OH_NN_ReturnCode *code) {
    NN_Tensor *tensor = NULL;
    *code = OH_NN_MEMORY_ERROR;
    if (desc == NULL) return NULL;
    if (input && from->rank != 0) *code = OH_NNTensorDesc_SetShape(desc, from->dims, from->rank);
    else *code = OH_NN_SUCCESS;
    if (*code == OH_NN_SUCCESS) {
        tensor = OH_NNTensor_CreateWithSize(0, desc, size);
        if (tensor == NULL) *code = OH_NN_MEMORY_ERROR;
        else memset(OH_NNTensor_GetDataBuffer(tensor), input ? 3 : 0, size);
    }
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    return tensor;
}

static OH_NN_ReturnCode run_once(const source *from, OH_NNExecutor *executor, uint32_t *digest) {
    OH_NN_ReturnCode code;
    NN_Tensor *out = NULL,
              *in = tensor_for(from, OH_NNExecutor_CreateInputTensorDesc(executor, 0), from->input_size, true, &code);
    if (code == OH_NN_SUCCESS)
        out = tensor_for(from, OH_NNExecutor_CreateOutputTensorDesc(executor, 0), from->output_size, false, &code);
    if (code == OH_NN_SUCCESS) code = OH_NNExecutor_RunSync(executor, &in, 1, &out, 1);
    if (code == OH_NN_SUCCESS) *digest = nnrt__crc32(0, OH_NNTensor_GetDataBuffer(out), from->output_size);
    if (in != NULL) IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    if (out != NULL) IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
    return code;
}

/* From construction to one run. A missing object counts as OH_NN_MEMORY_ERROR: it is what the caller must
   assume. */
static OH_NN_ReturnCode build_and_run(const source *from, uint32_t *digest) {
    OH_NNCompilation *compilation =
        from->graph != NULL   ? OH_NNCompilation_Construct(from->graph->model)
        : from->model != NULL ? OH_NNCompilation_ConstructWithOfflineModelBuffer(from->model, from->model_size)
                              : OH_NNCompilation_ConstructForCache();
    OH_NNExecutor *executor = NULL;
    OH_NN_ReturnCode code = OH_NN_MEMORY_ERROR;
    if (compilation == NULL) return code;
    code = OH_NNCompilation_SetDevice(compilation, 0);
    if (code == OH_NN_SUCCESS && from->plan != NULL)
        code = OH_NNCompilation_ImportCacheFromBuffer(compilation, from->plan, from->plan_size);
    if (code == OH_NN_SUCCESS && from->threads != NULL)
        code = OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.threads", from->threads, strlen(from->threads));
    if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(compilation);
    if (code == OH_NN_SUCCESS) {
        executor = OH_NNExecutor_Construct(compilation);
        code = executor != NULL ? run_once(from, executor, digest) : OH_NN_MEMORY_ERROR;
    }
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

/* Each allocation fails once: the calls say so, or do without and compute the same. Nothing stays behind. */
static void fail_each_allocation(const source *from, const char *what) {
    const long live = counting_live();
    uint32_t should = 0, is = 0;
    long n;
    counting_fail_never();
    IS(build_and_run(from, &should), OH_NN_SUCCESS);
    for (n = 0;; n++) {
        OH_NN_ReturnCode code;
        bool failed;
        (void)nnrt__fail(OH_NN_FAILED, "stale");
        counting_fail_at(n);
        code = build_and_run(from, &is);
        failed = counting_failed();
        counting_fail_never();
        cr_assert_eq(counting_live(), live, "%s: allocation %ld leaves something behind", what, n);
        if (!failed) break;
        if (code == OH_NN_SUCCESS) {
            cr_assert_eq(is, should, "%s: allocation %ld changes the result", what, n);
            continue;
        }
        cr_assert_eq((int)code, (int)OH_NN_MEMORY_ERROR, "%s: allocation %ld: %s", what, n, nnrt_last_error());
        cr_assert_str_neq(nnrt_last_error(), "stale", "%s: allocation %ld", what, n);
    }
    cr_assert_gt(n, 5, "%s", what);
    cr_assert_eq(is, should);
}

/* y = RELU(x + 1), x [1, -1, -1, 2]. */
static void dynamic_graph(gb_graph *g) {
    static const int32_t dims[4] = {1, -1, -1, 2}, two = 2;
    static const float ones[2] = {1, 1};
    uint32_t in[2], middle, y;
    gb_open(g);
    in[0] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 4, dims));
    in[1] = gb_constant(g, OH_NN_FLOAT32, 1, &two, ones);
    middle = gb_tensor(g, OH_NN_FLOAT32, 4, dims);
    y = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 4, dims));
    IS(gb_op(g, OH_NN_OPS_ADD, 2, in, 1, &middle), OH_NN_SUCCESS);
    IS(gb_op(g, OH_NN_OPS_RELU, 1, &middle, 1, &y), OH_NN_SUCCESS);
}

Test(plan, every_failed_allocation_is_reported_and_leaves_nothing) {
    gb_graph small, dynamic;
    size_t model_size, plan_size;
    uint8_t *model = off_read("examples/meter/meter.tflite", &model_size), *plan = small_plan(NULL, &plan_size);
    source from;
    cr_assert_not_null(model);
    small_graph(&small);
    dynamic_graph(&dynamic);
    IS(gb_finish(&dynamic), OH_NN_SUCCESS);
    memset(&from, 0, sizeof from);
    from.graph = &small;
    from.input_size = 144;
    from.output_size = 5;
    fail_each_allocation(&from, "graph");
    from.threads = "3";
    fail_each_allocation(&from, "graph, 3 threads");
    from.threads = NULL;
    from.graph = NULL;
    from.plan = plan;
    from.plan_size = plan_size;
    fail_each_allocation(&from, "plan");
    from.plan = NULL;
    from.graph = &dynamic;
    from.rank = 4;
    from.dims[0] = 1;
    from.dims[1] = 3;
    from.dims[2] = 5;
    from.dims[3] = 2;
    from.input_size = from.output_size = 30 * sizeof(float);
    fail_each_allocation(&from, "dynamic graph");
    memset(&from, 0, sizeof from);
    from.model = model;
    from.model_size = model_size;
    from.input_size = 640;
    from.output_size = 10;
    fail_each_allocation(&from, "meter.tflite");
    gb_close(&small);
    gb_close(&dynamic);
    free(model);
    free(plan);
    cr_assert_eq(counting_live(), 0);
}

/* ---------------------------------------------------------------------------------------------- the arena */

Test(plan, blocks_that_live_at_the_same_time_never_overlap) {
    enum {
        MOST = 60,
        STEPS = 30,
        ROUNDS = 2000
    };
    nnrt__block blocks[MOST];
    size_t over = 0, all = 0;
    int round;
    printf("seed %u\n", (unsigned)random_state);
    for (round = 0; round < ROUNDS; round++) {
        uint32_t count = 1 + random_below(MOST), i, k;
        size_t total = 0, end = 0, fullest = 0;
        uint64_t bound = 0;
        memset(blocks, 0, sizeof blocks);
        for (i = 0; i < count; i++) {
            blocks[i].size = random_below(8) == 0 ? 0 : 64 * (1 + (size_t)random_below(round % 2 == 0 ? 4 : 500));
            blocks[i].first = random_below(STEPS);
            blocks[i].last = blocks[i].first + random_below(STEPS - blocks[i].first);
        }
        cr_assert(nnrt__arena_plan(blocks, count, STEPS, &total, &bound));
        for (i = 0; i < count; i++) {
            if (blocks[i].size == 0) continue;
            cr_assert_eq(blocks[i].offset % 64, 0u);
            if (blocks[i].offset + blocks[i].size > end) end = blocks[i].offset + blocks[i].size;
            for (k = 0; k < i; k++) {
                bool together = blocks[k].first <= blocks[i].last && blocks[i].first <= blocks[k].last;
                bool overlap = blocks[k].offset < blocks[i].offset + blocks[i].size &&
                               blocks[i].offset < blocks[k].offset + blocks[k].size && blocks[k].size != 0;
                cr_assert(!(together && overlap), "round %d: blocks %u and %u", round, (unsigned)k, (unsigned)i);
            }
        }
        cr_assert_eq(total, end, "round %d", round);
        for (i = 0; i < STEPS; i++) {
            size_t alive = 0;
            for (k = 0; k < count; k++)
                if (blocks[k].first <= i && i <= blocks[k].last) alive += blocks[k].size;
            cr_assert_geq(total, alive, "round %d", round);
            if (alive > fullest) fullest = alive;
        }
        cr_assert_eq(bound, fullest, "round %d", round);
        over += total - fullest;
        all += fullest;
    }
    /* 0.8 % above the bound; with the largest first alone 3.3 % */
    cr_assert_lt(over * 1000, all * 15, "%zu of %zu", over, all);
}

/* Blocks that are alone at their step fit into the largest of them. */
Test(plan, blocks_that_never_meet_share_the_same_place) {
    nnrt__block blocks[20];
    size_t total = 0;
    uint64_t bound = 0;
    uint32_t i;
    memset(blocks, 0, sizeof blocks);
    for (i = 0; i < 20; i++) {
        blocks[i].size = 64 * (size_t)(1 + (i * 7) % 20);
        blocks[i].first = blocks[i].last = i;
    }
    cr_assert(nnrt__arena_plan(blocks, 20, 20, &total, &bound));
    cr_assert_eq(total, 64u * 20);
}

/* What serves when there are too many blocks to look at all pairs, here called by itself. */
Test(plan, blocks_of_one_size_take_as_many_places_as_live_at_the_same_time) {
    enum {
        MOST = 60,
        STEPS = 40,
        ROUNDS = 500
    };
    int round;
    for (round = 0; round < ROUNDS; round++) {
        const uint32_t count = 1 + random_below(MOST);
        nnrt__block blocks[MOST];
        uint32_t order[MOST], ends[MOST], i, k;
        size_t total = 0, most = 0;
        memset(blocks, 0, sizeof blocks);
        for (i = 0; i < count; i++) {
            blocks[i].size = 64;
            blocks[i].first = random_below(STEPS);
            blocks[i].last = blocks[i].first + random_below(STEPS - blocks[i].first);
        }
        for (k = 0; k < STEPS; k++) {
            size_t alive = 0;
            for (i = 0; i < count; i++) alive += blocks[i].first <= k && k <= blocks[i].last;
            if (alive > most) most = alive;
        }
        nnrt__arena_sort(blocks, order, count, nnrt__arena_larger);
        cr_assert(nnrt__arena_by_life(blocks, order, ends, count, &total));
        cr_assert_eq(total, 64 * most, "round %d: %zu bytes for %zu blocks", round, total, most);
    }
}

/* Three halves of all addresses, by either way of planning. */
Test(plan, blocks_that_no_address_space_holds_are_refused) {
    nnrt__block blocks[3];
    uint32_t order[3], ends[3], i;
    size_t total = 0;
    uint64_t bound = 0;
    memset(blocks, 0, sizeof blocks);
    for (i = 0; i < 3; i++) blocks[i].size = SIZE_MAX / 2 + 1;
    cr_assert_not(nnrt__arena_plan(blocks, 3, 1, &total, &bound));
    nnrt__arena_sort(blocks, order, 3, nnrt__arena_larger);
    cr_assert_not(nnrt__arena_by_life(blocks, order, ends, 3, &total));
}

/* ----------------------------------------------------------------------------------------- dynamic shapes */

/* Runs g on one shape, given to both descriptors: after a run that of the output has the shape of that run.
 */
static void run_shape(gb_graph *g, const int32_t dims[4], const float *input, float *output, size_t bytes) {
    NN_TensorDesc *in_desc = OH_NNExecutor_CreateInputTensorDesc(g->executor, 0);
    NN_TensorDesc *out_desc = OH_NNExecutor_CreateOutputTensorDesc(g->executor, 0);
    NN_Tensor *in, *out;
    IS(OH_NNTensorDesc_SetShape(in_desc, dims, 4), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetShape(out_desc, dims, 4), OH_NN_SUCCESS);
    in = off_tensor(in_desc, bytes);
    out = off_tensor(out_desc, bytes);
    memcpy(OH_NNTensor_GetDataBuffer(in), input, bytes);
    IS(OH_NNExecutor_RunSync(g->executor, &in, 1, &out, 1), OH_NN_SUCCESS);
    memcpy(output, OH_NNTensor_GetDataBuffer(out), bytes);
    IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
}

Test(plan, dynamic_shapes_go_back_and_forth) {
    static const int32_t sizes[12][2] = {{1, 1}, {3, 5}, {5, 3},  {1, 1},  {7, 2}, {9, 9},
                                         {2, 7}, {3, 5}, {16, 1}, {1, 16}, {5, 3}, {1, 1}};
    gb_graph g;
    int i, k;
    dynamic_graph(&g);
    IS(gb_build(&g), OH_NN_SUCCESS);
    for (i = 0; i < 12; i++) {
        int32_t dims[4] = {1, 0, 0, 2}, *shape = NULL;
        uint32_t rank = 0;
        const int count = sizes[i][0] * sizes[i][1] * 2;
        const size_t bytes = (size_t)count * sizeof(float);
        float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes);
        cr_assert(in != NULL && out != NULL);
        dims[1] = sizes[i][0];
        dims[2] = sizes[i][1];
        for (k = 0; k < count; k++) in[k] = (float)((int32_t)random_below(17) - 8);
        run_shape(&g, dims, in, out, bytes);
        for (k = 0; k < count; k++) cr_assert_eq(out[k], in[k] + 1 > 0 ? in[k] + 1 : 0, "run %d, element %d", i, k);
        IS(OH_NNExecutor_GetOutputShape(g.executor, 0, &shape, &rank), OH_NN_SUCCESS);
        cr_assert_eq(rank, 4u);
        cr_assert_eq(memcmp(shape, dims, sizeof dims), 0, "run %d", i);
        free(in);
        free(out);
    }
    gb_close(&g);
}

Test(plan, the_range_of_an_input_is_open_where_it_is_dynamic) {
    gb_graph g;
    size_t *low = NULL, *high = NULL, rank = 0, i;
    dynamic_graph(&g);
    IS(gb_build(&g), OH_NN_SUCCESS);
    IS(OH_NNExecutor_GetInputDimRange(g.executor, 0, &low, &high, &rank), OH_NN_SUCCESS);
    cr_assert_eq(rank, 4u);
    for (i = 0; i < 4; i++) {
        const size_t fixed = i == 0 ? 1 : i == 3 ? 2 : 0;
        cr_assert_eq(low[i], fixed != 0 ? fixed : 1);
        if (fixed != 0) cr_assert_eq(high[i], fixed);
        else cr_assert_gt(high[i], 1000u);
    }
    gb_close(&g);
}

/* One descriptor, scale and zero point of the executor, which answers for a model of any rank. */
static void is_described(NN_TensorDesc *desc, const int32_t *dims, size_t rank, const char *what) {
    OH_NN_DataType dtype = OH_NN_UNKNOWN;
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    int32_t *shape = NULL;
    size_t count = 0;
    cr_assert_not_null(desc, "%s", what);
    IS(OH_NNTensorDesc_GetDataType(desc, &dtype), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_GetFormat(desc, &format), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_GetShape(desc, &shape, &count), OH_NN_SUCCESS);
    cr_assert_eq((int)dtype, (int)OH_NN_INT8, "%s", what);
    cr_assert_eq((int)format, (int)OH_NN_FORMAT_NHWC, "%s", what);
    cr_assert_eq(count, rank, "%s: %zu", what, count);
    cr_assert_eq(memcmp(shape, dims, rank * sizeof(dims[0])), 0, "%s", what);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
}

Test(plan, inputs_and_outputs_are_described_alike_whether_shapes_are_known_or_not) {
    static const size_t ranks[3] = {1, 4, NNRT_MAX_RANK};
    size_t i, k;
    for (i = 0; i < 6; i++) {
        const size_t rank = ranks[i / 2];
        int32_t dims[NNRT_MAX_RANK], zero_point = 0;
        double scale = 0;
        gb_graph g;
        uint32_t x, y;
        for (k = 0; k < rank; k++) dims[k] = 1 + (int32_t)(k % 2);
        if (i % 2 != 0) dims[0] = -1;
        gb_open(&g);
        x = gb_input(&g, gb_tensor_s8(&g, rank, dims, 0.25, -3));
        y = gb_output(&g, gb_tensor_s8(&g, rank, dims, 0.5, 7));
        IS(gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y), OH_NN_SUCCESS);
        IS(gb_build(&g), OH_NN_SUCCESS);
        is_described(OH_NNExecutor_CreateInputTensorDesc(g.executor, 0), dims, rank, "input");
        is_described(OH_NNExecutor_CreateOutputTensorDesc(g.executor, 0), dims, rank, "output");
        IS(nnrt_executor_get_input_quant(g.executor, 0, &scale, &zero_point), OH_NN_SUCCESS);
        cr_assert(scale == 0.25 && zero_point == -3, "rank %zu: %g, %d", rank, scale, (int)zero_point);
        IS(nnrt_executor_get_output_quant(g.executor, 0, &scale, &zero_point), OH_NN_SUCCESS);
        cr_assert(scale == 0.5 && zero_point == 7, "rank %zu: %g, %d", rank, scale, (int)zero_point);
        gb_close(&g);
    }
}

/* ------------------------------------------------------------------------------------------------ figures */

Test(plan, a_profile_tells_the_work_of_every_step) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0, i, convs = 0;
    off_settings settings;
    gb_graph g;
    int8_t x[144], y[5];
    memset(&settings, 0, sizeof settings);
    memset(x, 1, sizeof x);
    settings.profile = "1";
    small_graph(&g);
    g.compilation = OH_NNCompilation_Construct(g.model);
    IS(off_build(g.compilation, &settings), OH_NN_SUCCESS);
    g.executor = OH_NNExecutor_Construct(g.compilation);
    IS(gb_run(&g, gb_buffer(x, sizeof x), gb_buffer(y, sizeof y)), OH_NN_SUCCESS);
    IS(gb_run(&g, gb_buffer(x, sizeof x), gb_buffer(y, sizeof y)), OH_NN_SUCCESS);
    IS(nnrt_executor_get_profile(g.executor, &steps, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 5u);
    for (i = 0; i < count; i++) {
        const nnrt_profile_step *step = &steps[i];
        cr_assert_eq(step->runs, 2u);
        cr_assert_leq(step->min_ns, step->last_ns);
        cr_assert_geq(step->total_ns, step->last_ns + step->min_ns);
        cr_assert(step->name[0] != '\0' && step->kernel[0] != '\0' && step->isa[0] != '\0');
        cr_assert_eq((int)step->dtype, (int)OH_NN_INT8);
        if (step->op == OH_NN_OPS_CONV2D) {
            cr_assert_eq(step->macs, convs == 0 ? 6u * 6 * 8 * 3 * 3 * 4 : 6u * 6 * 4 * 8);
            cr_assert_eq(step->weight_scales, convs == 0 ? 8u : 4u);
            cr_assert_eq(step->dims[3], convs == 0 ? 8 : 4);
            cr_assert_float_eq(step->output_scale, convs == 0 ? 0.07 : 0.06, 1e-12);
            cr_assert_eq(step->output_zero_point, convs == 0 ? 5 : -7);
            convs++;
        } else if (step->op == OH_NN_OPS_FULL_CONNECTION) {
            cr_assert_eq(step->macs, 144u * 5);
            cr_assert_geq(step->weights_bytes, 144u * 5);
            cr_assert_eq(step->weight_scales, 1u);
        } else {
            cr_assert(step->op == OH_NN_OPS_ADD || step->op == OH_NN_OPS_SOFTMAX);
            cr_assert_eq(step->macs, 0u);
        }
    }
    cr_assert_eq(convs, 2u);
    gb_close(&g);
}
