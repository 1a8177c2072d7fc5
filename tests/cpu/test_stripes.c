/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that convolutions run by stripes of rows give the bytes that they give whole, whatever their windows are, that
   the arena is smaller by it and the price is kept, and that a plan whose stripes were forged is refused or stays
   inside its memory. */
#include "linked.h"

#define SEED 20261123u

#include "graph_builder.h"
#include "noise.h"
#include "offline_runner.h"

#include <math.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    MOST_LAYERS = 7, /* of a chain that is drawn */
    LONGEST = 30
};

/* --------------------------------------------------------------------------------- chains of convolutions */

typedef struct layer {
    bool depthwise, same;
    int32_t channels, kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
    int64_t pads[4];
    int32_t groups;
} layer;

typedef struct chain {
    OH_NN_DataType dtype;
    int32_t height, width, channels, layers;
    layer layer[LONGEST];
    bool looks_back; /* the output of the first layer is one of the model, too, and may not be cut */
    uint8_t *model;  /* weights of all layers, as the bytes of a model would hold them */
    size_t model_size;
} chain;

static char *describe(const chain *c, char *text, size_t size) {
    int used = snprintf(text, size, "seed %u: %dx%dx%d %s", SEED, c->height, c->width, c->channels,
                        c->dtype == OH_NN_INT8 ? "int8" : "float");
    for (int32_t i = 0; i < c->layers; i++) {
        const layer *l = &c->layer[i];
        used += snprintf(text + used, size - (size_t)used, " | %s%dx%d to %d stride %d,%d dilation %d,%d %s%d,%d",
                         l->depthwise ? "dw " : "", l->kernel_h, l->kernel_w, l->channels, l->stride_h, l->stride_w,
                         l->dilation_h, l->dilation_w, l->same ? "same " : "pad ", (int)l->pads[0], (int)l->pads[1]);
    }
    return text;
}

static int32_t out_side(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, bool same, int64_t pads) {
    const int32_t room = in + (int32_t)pads - (kernel - 1) * dilation - 1;
    if (same) return (in + stride - 1) / stride;
    return room < 0 ? 0 : room / stride + 1;
}

static void draw_layer(layer *l, int32_t channels) {
    l->depthwise = noise_in(0, 2) == 0;
    l->channels = l->depthwise ? channels : noise_in(1, 20);
    l->kernel_h = noise_in(0, 2) == 0 ? 1 : noise_in(1, 5);
    l->kernel_w = l->kernel_h == 1 ? 1 : noise_in(1, 4);
    l->stride_h = noise_in(0, 2) == 0 ? noise_in(1, 3) : 1;
    l->stride_w = noise_in(0, 3) == 0 ? 2 : 1;
    l->dilation_h = noise_in(0, 4) == 0 ? 2 : 1;
    l->dilation_w = 1;
    l->same = noise_in(0, 1) == 0;
    for (int i = 0; i < 4; i++) l->pads[i] = noise_in(0, 3) == 0 ? noise_in(0, 3) : 0;
}

/* Makes a convolution one of narrow groups, which planes are for. */
static void draw_groups(layer *l, int32_t channels) {
    const int32_t each = noise_in(1, 3);
    if (l->depthwise || channels % 4 != 0) return;
    l->groups = channels / 4;
    l->channels = 4 * each * l->groups;
}

/* A chain of which every tensor has at least a row. in_groups: many of its convolutions are in groups of 4 channels. */
static void draw(chain *c, OH_NN_DataType dtype, bool in_groups) {
    int32_t h, w, channels;
    memset(c, 0, sizeof *c);
    c->dtype = dtype;
    h = c->height = noise_in(8, 40);
    w = c->width = noise_in(3, 12);
    channels = c->channels = in_groups ? 4 * noise_in(2, 4) : noise_in(1, 6);
    c->looks_back = noise_in(0, 7) == 0;
    const int32_t wanted = noise_in(2, MOST_LAYERS);
    while (c->layers < wanted) {
        layer *l = &c->layer[c->layers];
        draw_layer(l, channels);
        l->groups = 1;
        if (in_groups) draw_groups(l, channels);
        const int32_t next_h = out_side(h, l->kernel_h, l->stride_h, l->dilation_h, l->same, l->pads[0] + l->pads[1]);
        const int32_t next_w = out_side(w, l->kernel_w, l->stride_w, l->dilation_w, l->same, l->pads[2] + l->pads[3]);
        if (next_h < 1 || next_w < 1) {
            if (c->layers > 1) break;
            continue;
        }
        h = next_h;
        w = next_w;
        channels = l->channels;
        c->layers++;
    }
}

static uint32_t add_constant(gb_graph *g, chain *c, size_t rank, const int32_t *dims) {
    const size_t bytes = gb_bytes(c->dtype, rank, dims);
    uint8_t *data = (uint8_t *)malloc(bytes);
    cr_assert_not_null(data);
    for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)noise();
    for (size_t i = 0; c->dtype == OH_NN_FLOAT32 && i < bytes; i += 4) {
        const float value = (float)noise_in(-8, 8) / 16;
        memcpy(data + i, &value, 4);
    }
    const uint32_t tensor = gb_constant(g, c->dtype, rank, dims, data);
    free(data);
    if (c->dtype == OH_NN_INT8) {
        const double scale = 1.0 / 256;
        (void)gb_quantize(g, tensor, 1, &scale, NULL);
    }
    return tensor;
}

static uint32_t add_tensor(gb_graph *g, const chain *c, int32_t h, int32_t w, int32_t channels) {
    const int32_t dims[4] = {1, h, w, channels};
    if (c->dtype == OH_NN_FLOAT32) return gb_tensor(g, OH_NN_FLOAT32, 4, dims);
    return gb_tensor_s8(g, 4, dims, 0.125, noise_in(-20, 20));
}

static void add_params(gb_graph *g, const layer *l) {
    const int64_t strides[2] = {l->stride_h, l->stride_w}, dilation[2] = {l->dilation_h, l->dilation_w};
    if (l->depthwise) {
        gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, 2, strides);
        gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION, 2, dilation);
        gb_param_i8(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, l->same ? 0 : 1);
        if (!l->same) gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD, 4, l->pads);
    } else {
        gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, strides);
        gb_param_i64s(g, OH_NN_CONV2D_DILATION, 2, dilation);
        gb_param_i8(g, OH_NN_CONV2D_PAD_MODE, l->same ? 0 : 1);
        if (l->groups > 1) gb_param_i64(g, OH_NN_CONV2D_GROUP, l->groups);
        if (!l->same) gb_param_i64s(g, OH_NN_CONV2D_PAD, 4, l->pads);
    }
}

static void make(gb_graph *g, chain *c) {
    int32_t h = c->height, w = c->width, channels = c->channels;
    uint32_t tensors[4];
    gb_open(g);
    tensors[0] = gb_input(g, add_tensor(g, c, h, w, channels));
    for (int32_t i = 0; i < c->layers; i++) {
        const layer *l = &c->layer[i];
        const int32_t weights[4] = {l->depthwise ? 1 : l->channels, l->kernel_h, l->kernel_w,
                                    l->groups > 1 ? channels / l->groups : channels};
        const int32_t bias = l->channels;
        int32_t *zeros = (int32_t *)calloc((size_t)bias, 4);
        h = out_side(h, l->kernel_h, l->stride_h, l->dilation_h, l->same, l->pads[0] + l->pads[1]);
        w = out_side(w, l->kernel_w, l->stride_w, l->dilation_w, l->same, l->pads[2] + l->pads[3]);
        channels = l->channels;
        tensors[1] = add_constant(g, c, 4, weights);
        tensors[2] = gb_constant(g, c->dtype == OH_NN_INT8 ? OH_NN_INT32 : OH_NN_FLOAT32, 1, &bias, zeros);
        free(zeros);
        tensors[3] = add_tensor(g, c, h, w, channels);
        if (i + 1 == c->layers || (i == 0 && c->looks_back)) (void)gb_output(g, tensors[3]);
        add_params(g, l);
        IS(gb_op(g, l->depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, tensors, 1, &tensors[3]),
           OH_NN_SUCCESS);
        tensors[0] = tensors[3];
    }
    IS(gb_finish(g), OH_NN_SUCCESS);
}

/* ------------------------------------------------------------------------------------------- past the API */

/* A plan, so that weights may stay where they are and every block ends where its data end. */
typedef struct compiled {
    nnrt__cpu_table kernels;
    void *memory;
    uint8_t *block;
    size_t size;
} compiled;

static const nnrt__bounds no_bounds = {UINT64_MAX, UINT64_MAX, NULL, 0};

static OH_NN_ReturnCode try_compile(compiled *p, const gb_graph *g, unsigned isa, uint32_t stripes, bool in_place) {
    const nnrt_graph *graph = &g->model->store->graph;
    nnrt__compile_options options;
    memset(&options, 0, sizeof options);
    nnrt__cpu_select(&p->kernels, isa);
    options.kernels = &p->kernels;
    options.bounds = no_bounds;
    options.threads = 1;
    options.passes = NNRT__PASS_ALL;
    options.stripes = stripes;
    options.keep_weights = in_place;
    options.model = NULL;
    if (in_place) { /* all of the address space: every constant lies in it */
        options.model = (const uint8_t *)(uintptr_t)64;
        options.model_size = SIZE_MAX - 64;
    }
    return nnrt__compile(graph, NULL, &options, &p->memory, &p->block, &p->size);
}

static void compile(compiled *p, const gb_graph *g, unsigned isa, uint32_t stripes, bool in_place) {
    IS(try_compile(p, g, isa, stripes, in_place), OH_NN_SUCCESS);
}

static const nnrt__plan_header *header_of(const compiled *p) {
    return (const nnrt__plan_header *)(const void *)p->block;
}

static nnrt__plan_step *steps_of(const compiled *p) {
    return (nnrt__plan_step *)(void *)(p->block + header_of(p)->steps);
}

/* Runs the plan on bytes that follow from its input's size; false: it is refused. The outputs, one behind the other,
   are in *result, to be freed. */
static bool run(const compiled *p, uint8_t **result, size_t *size) {
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    void *inputs[2] = {NULL}, *outputs[2] = {NULL};
    int32_t cancel = 0;
    size_t at = 0;
    if (nnrt__plan_load(&plan, p->block, p->size, &p->kernels, (size_t)header_of(p)->model_size, &no_bounds,
                        NNRT__PLAN_OUTSIDE | NNRT__PLAN_TRUST_CRC) != OH_NN_SUCCESS)
        return false;
    IS(nnrt__instance_open(&instance, &plan, (const uint8_t *)(uintptr_t)64, NULL), OH_NN_SUCCESS);
    *size = 0;
    for (uint32_t i = 0; i < plan.header->input_count + plan.header->output_count; i++) {
        const nnrt__plan_value *value = plan.operand_values[i];
        void **to = i < plan.header->input_count ? &inputs[i] : &outputs[i - plan.header->input_count];
        *to = calloc((size_t)value->size, 1);
        cr_assert_not_null(*to);
        if (i >= plan.header->input_count) *size += (size_t)value->size;
        for (size_t k = 0; i == 0 && k < value->size; k++) ((uint8_t *)*to)[k] = (uint8_t)(k * 37 + k / 11);
        for (size_t k = 0; i == 0 && value->dtype == OH_NN_FLOAT32 && k < value->size; k += 4) {
            const float whole = (float)(k * 5 % 17) - 8;
            memcpy((uint8_t *)*to + k, &whole, 4);
        }
    }
    memset(instance.arena, 0x5a, (size_t)plan.header->arena_size);
    nnrt__instance_bind(&instance, inputs, outputs);
    for (int again = 0; again < 2; again++) /* windows of the run before do no harm */
        IS(nnrt__instance_run(&instance, NULL, outputs, false, &cancel, NULL), OH_NN_SUCCESS);
    *result = (uint8_t *)malloc(*size);
    cr_assert_not_null(*result);
    for (uint32_t i = 0; i < plan.header->output_count; i++) {
        const size_t bytes = (size_t)plan.operand_values[plan.header->input_count + i]->size;
        memcpy(*result + at, outputs[i], bytes);
        at += bytes;
        free(outputs[i]);
    }
    free(inputs[0]);
    nnrt__instance_close(&instance);
    nnrt__plan_unload(&plan);
    return true;
}

/* Steps that are in groups. */
static uint32_t grouped(const compiled *p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < header_of(p)->step_count; i++) count += steps_of(p)[i].turns != 0;
    return count;
}

/* --------------------------------------------------------------------------------------------- the proofs */

/* The same bytes; of floats, which are added up in another order where a block of rows ends, the same within 1e-5. */
static bool same(const uint8_t *a, const uint8_t *b, size_t size, OH_NN_DataType dtype) {
    if (dtype == OH_NN_INT8) return memcmp(a, b, size) == 0;
    for (size_t i = 0; i < size; i += 4) {
        float x, y;
        memcpy(&x, a + i, 4);
        memcpy(&y, b + i, 4);
        if (!(fabsf(x - y) <= 1e-5f * (1 + fabsf(x)))) return false;
    }
    return true;
}

static const uint32_t prices[] = {2, 15, 60, 250, 1000, 1000000};

Test(stripes, rows_in_turns_give_the_bytes_of_whole_tensors) {
    uint32_t cut = 0, kinds[6] = {0};
    for (uint32_t i = 0; i < 160; i++) {
        chain c;
        gb_graph g;
        char text[1024];
        draw(&c, i % 3 == 0 ? OH_NN_FLOAT32 : OH_NN_INT8, false);
        make(&g, &c);
        for (int in_place = 0; in_place < 2; in_place++) {
            const unsigned isa = i % 2 == 0 ? 0 : nnrt__cpu_detect();
            const uint32_t price = prices[i % NNRT__COUNT_OF(prices)];
            compiled whole, parts;
            uint8_t *expected, *result;
            size_t size, result_size;
            compile(&whole, &g, isa, 0, in_place != 0);
            compile(&parts, &g, isa, price, in_place != 0);
            cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
            cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
            cr_assert_eq(size, result_size);
            cr_assert(same(expected, result, size, c.dtype), "%s, price %u, %s", describe(&c, text, sizeof text),
                      (unsigned)price, in_place != 0 ? "raw" : "packed");
            cr_assert_leq(header_of(&parts)->arena_size, header_of(&whole)->arena_size, "%s",
                          describe(&c, text, sizeof text));
            cut += grouped(&parts) != 0;
            for (uint32_t k = 0; k < header_of(&parts)->step_count; k++) {
                const uint32_t kind = steps_of(&parts)[k].kind;
                if (kind >= 0x180 && kind < 0x186) kinds[kind - 0x180]++;
            }
            free(expected);
            free(result);
            nnrt__free(whole.memory);
            nnrt__free(parts.memory);
        }
        gb_close(&g);
    }
    cr_assert_gt(cut, 100u, "only %u of 320 plans have stripes", (unsigned)cut);
    for (int k = 0; k < 6; k++) cr_assert_gt(kinds[k], 10u, "kind 0x18%d: %u steps", k, (unsigned)kinds[k]);
}

/* Planes of groups take no turns: they stand between stripes, have the same bytes, and the arena is never larger. */
Test(stripes, planes_of_groups_between_stripes_leave_the_arena_as_small) {
    const unsigned isa = nnrt__cpu_detect();
    uint32_t both = 0;
    if (isa == 0 || !NNRT__HAVE_PLANES) cr_skip_test("skipped, no planes without kernels for vectors");
    for (uint32_t i = 0; i < 80; i++) {
        uint8_t *expected, *result;
        size_t size, result_size;
        compiled whole, parts;
        uint32_t planes = 0;
        char text[1024];
        chain c;
        gb_graph g;
        draw(&c, i % 3 == 0 ? OH_NN_FLOAT32 : OH_NN_INT8, true);
        make(&g, &c);
        compile(&whole, &g, isa, 0, false);
        compile(&parts, &g, isa, prices[i % NNRT__COUNT_OF(prices)], false);
        cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
        cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
        cr_assert(size == result_size && same(expected, result, size, c.dtype), "%s", describe(&c, text, sizeof text));
        cr_assert_leq(header_of(&parts)->arena_size, header_of(&whole)->arena_size, "%s",
                      describe(&c, text, sizeof text));
        for (uint32_t k = 0; k < header_of(&parts)->step_count; k++) {
            const uint32_t kind = steps_of(&parts)[k].kind;
            planes += kind == 0x112 || kind == 0x113;
        }
        both += planes != 0 && grouped(&parts) != 0;
        free(expected);
        free(result);
        nnrt__free(whole.memory);
        nnrt__free(parts.memory);
        gb_close(&g);
    }
    cr_assert_gt(both, 5u, "only %u plans have planes and stripes", (unsigned)both);
}

/* The first turn needs a row of padding and two of three rows in between: a window of three, which is all of them. It
   then stays where it is, and the last row has to have room as well. */
Test(stripes, a_window_that_is_as_high_as_its_tensor_has_room_for_the_last_row) {
    static const layer layers[3] = {{false, true, 8, 3, 3, 2, 2, 1, 1, {0, 0, 0, 0}, 1},
                                    {false, true, 8, 2, 2, 2, 2, 1, 1, {0, 0, 0, 0}, 1},
                                    {false, true, 6, 3, 3, 2, 1, 1, 1, {0, 0, 0, 0}, 1}};
    uint32_t cut = 0;
    for (int32_t i = 0; i < 32; i++) {
        const int32_t skipped = i / 2 % 2;
        chain c;
        gb_graph g;
        compiled whole, parts;
        uint8_t *expected, *result;
        size_t size, result_size;
        memset(&c, 0, sizeof c);
        c.dtype = i % 2 == 0 ? OH_NN_INT8 : OH_NN_FLOAT32;
        c.height = skipped != 0 ? 6 : 12;
        c.width = 8 + i / 4 * 4;
        c.channels = 3;
        c.layers = 3 - skipped;
        memcpy(c.layer, layers + skipped, (size_t)c.layers * sizeof layers[0]);
        make(&g, &c);
        compile(&whole, &g, 0, 0, false);
        compile(&parts, &g, 0, 1000000, false);
        cut += grouped(&parts) != 0;
        cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
        cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
        cr_assert(size == result_size && same(expected, result, size, c.dtype), "%d layers, %d wide", (int)c.layers,
                  (int)c.width);
        free(expected);
        free(result);
        nnrt__free(whole.memory);
        nnrt__free(parts.memory);
        gb_close(&g);
    }
    cr_assert_gt(cut, 4u, "only %u of 32", (unsigned)cut);
}

/* A chain that is worth cutting. */
static void make_sound(gb_graph *g, chain *c, OH_NN_DataType dtype, int32_t side) {
    static const layer layers[4] = {{false, true, 8, 3, 3, 2, 2, 1, 1, {0, 0, 0, 0}, 1},
                                    {true, true, 8, 3, 3, 1, 1, 1, 1, {0, 0, 0, 0}, 1},
                                    {false, true, 16, 1, 1, 1, 1, 1, 1, {0, 0, 0, 0}, 1},
                                    {true, true, 16, 3, 3, 2, 2, 1, 1, {0, 0, 0, 0}, 1}};
    memset(c, 0, sizeof *c);
    c->dtype = dtype;
    c->height = c->width = side;
    c->channels = 3;
    c->layers = 4;
    memcpy(c->layer, layers, sizeof layers);
    make(g, c);
}

Test(stripes, what_costs_more_than_was_allowed_is_not_cut) {
    uint64_t first = 0, last = UINT64_MAX;
    chain c;
    gb_graph g;
    make_sound(&g, &c, OH_NN_INT8, 64);
    for (size_t i = 0; i < NNRT__COUNT_OF(prices) + 1; i++) {
        compiled p;
        compile(&p, &g, 0, i == 0 ? 0 : prices[i - 1], false); /* scratch is the least for the portable kernels */
        cr_assert_leq(header_of(&p)->arena_size, last);
        last = header_of(&p)->arena_size;
        if (i == 0) first = last;
        cr_assert(i != 0 || grouped(&p) == 0);
        nnrt__free(p.memory);
    }
    cr_assert_lt(3 * last, 2 * first, "%u of %u", (unsigned)last, (unsigned)first);
    gb_close(&g);
}

/* Cuts as much as it can: steps of the largest group, and the number of the last step that is in one; the results are
   those of whole tensors. */
static void cut_most(chain *c, uint32_t *largest, uint32_t *last) {
    gb_graph g;
    compiled whole, parts;
    uint8_t *expected, *result;
    size_t size, result_size;
    make(&g, c);
    compile(&whole, &g, 0, 0, false);
    compile(&parts, &g, 0, 1000000, false);
    *largest = *last = 0;
    for (uint32_t i = 0; i < header_of(&parts)->step_count; i++) {
        if (steps_of(&parts)[i].turns != 0) *last = i;
        if (steps_of(&parts)[i].back > *largest) *largest = steps_of(&parts)[i].back;
    }
    cr_assert(run(&whole, &expected, &size), "%s", nnrt_last_error());
    cr_assert(run(&parts, &result, &result_size), "%s", nnrt_last_error());
    cr_assert(size == result_size && same(expected, result, size, c->dtype), "%d layers", (int)c->layers);
    free(expected);
    free(result);
    nnrt__free(whole.memory);
    nnrt__free(parts.memory);
    gb_close(&g);
}

/* The arena of these chains is smallest when all that is wide is one group. */
Test(stripes, a_group_has_at_most_16_steps_wherever_it_is_in_a_chain) {
    static const layer narrow = {true, true, 1, 3, 3, 1, 1, 1, 1, {0, 0, 0, 0}, 1};
    static const layer wide = {true, true, 4, 3, 3, 1, 1, 1, 1, {0, 0, 0, 0}, 1};
    static const layer widen = {false, true, 4, 1, 1, 1, 1, 1, 1, {0, 0, 0, 0}, 1};
    uint32_t largest, last;
    chain c;
    memset(&c, 0, sizeof c);
    c.dtype = OH_NN_INT8;
    c.height = 400;
    c.width = 8;
    c.channels = 4;
    for (c.layers = 15; c.layers <= 17; c.layers++) {
        for (int32_t i = 0; i < c.layers; i++) c.layer[i] = wide;
        cut_most(&c, &largest, &last);
        cr_assert_eq(last, (uint32_t)c.layers - 1, "%d layers: %u", (int)c.layers, (unsigned)last);
        if (c.layers <= 16) cr_assert_eq(largest, (uint32_t)c.layers, "%u", (unsigned)largest);
        else cr_assert_leq(largest, 16u, "%u", (unsigned)largest);
    }
    c.channels = 1;
    c.layers = LONGEST;
    for (int32_t i = 0; i < LONGEST; i++) c.layer[i] = i < 20 ? narrow : i == 20 ? widen : wide;
    cut_most(&c, &largest, &last);
    cr_assert_eq(last, (uint32_t)LONGEST - 1, "%u", (unsigned)last);
    cr_assert(largest > 2 && largest <= 16, "%u", (unsigned)largest);
}

Test(stripes, every_allocation_may_be_refused_and_nothing_is_left_behind) {
    chain c;
    gb_graph g;
    compiled p;
    OH_NN_ReturnCode code = OH_NN_MEMORY_ERROR;
    long refused = 0;
    make_sound(&g, &c, OH_NN_INT8, 24);
    for (long n = 0; code != OH_NN_SUCCESS; n++) {
        const long live = counting_live();
        counting_fail_at(n);
        code = try_compile(&p, &g, 0, 1000000, false);
        counting_fail_never();
        if (code == OH_NN_SUCCESS) {
            cr_assert_eq(grouped(&p), 4u);
            nnrt__free(p.memory);
        } else {
            IS(code, OH_NN_MEMORY_ERROR);
            refused++;
        }
        cr_assert_eq(counting_live(), live, "allocation %ld", n);
    }
    cr_assert_gt(refused, 20, "%ld", refused);
    gb_close(&g);
}

/* Every word of the arguments, of the turns and of the windows' heights. */
Test(stripes, a_forged_group_is_refused_or_stays_inside_its_memory) {
    static const int32_t values[] = {0, 1, 2, 5, -1, -5, 24, 127, 32768, 65536, 0x40000000, INT32_MAX, INT32_MIN};
    for (int type = 0; type < 2; type++) {
        uint32_t refused = 0, ran = 0;
        chain c;
        gb_graph g;
        compiled p;
        make_sound(&g, &c, type == 0 ? OH_NN_INT8 : OH_NN_FLOAT32, 24);
        compile(&p, &g, nnrt__cpu_detect(), 1000000, false);
        cr_assert_eq(grouped(&p), 4u);
        const nnrt__plan_header *header = header_of(&p);
        uint8_t *const sections[2] = {p.block + header->arguments, p.block + header->steps};
        const size_t sizes[2] = {(size_t)header->arguments_size, header->step_count * sizeof(nnrt__plan_step)};
        for (int section = 0; section < 2; section++) {
            for (size_t at = 0; at + 4 <= sizes[section]; at += 4) {
                if (section == 1 && at % sizeof(nnrt__plan_step) != offsetof(nnrt__plan_step, turns)) continue;
                for (size_t i = 0; i < NNRT__COUNT_OF(values); i++) {
                    uint8_t *word = sections[section] + at, *result;
                    int32_t kept, forged = values[i];
                    size_t size;
                    memcpy(&kept, word, 4);
                    if (i >= 6 && i < 8) forged = kept + (i == 6 ? 1 : -1);
                    memcpy(word, &forged, 4);
                    if (run(&p, &result, &size)) {
                        free(result);
                        ran++;
                    } else {
                        refused++;
                    }
                    memcpy(word, &kept, 4);
                }
            }
        }
        cr_assert(refused > 500 && ran > 500, "%u refused, %u ran", (unsigned)refused, (unsigned)ran);
        nnrt__free(p.memory);
        gb_close(&g);
    }
}

static void refused(const compiled *p, const char *sentence) {
    uint8_t *result;
    size_t size;
    cr_assert_not(run(p, &result, &size));
    cr_assert_not_null(strstr(nnrt_last_error(), sentence), "%s", nnrt_last_error());
}

Test(stripes, a_group_has_one_number_of_turns_and_an_end) {
    chain c;
    gb_graph g;
    compiled p;
    make_sound(&g, &c, OH_NN_INT8, 24);
    compile(&p, &g, nnrt__cpu_detect(), 1000000, false);
    nnrt__plan_step *steps = steps_of(&p);
    const uint16_t turns = steps[0].turns, back = steps[3].back;
    cr_assert(turns > 1 && back == 4 && header_of(&p)->step_count == 4);
    steps[1].turns++;
    refused(&p, "a group of steps does not agree");
    steps[1].turns = 1;
    refused(&p, "a step takes no turns");
    steps[1].turns = 0;
    refused(&p, "contradicts itself");
    steps[1].turns = turns;
    steps[3].back = 0;
    refused(&p, "a group of steps has no end");
    steps[3].back = 3;
    refused(&p, "a group of steps has another size");
    steps[3].back = 5;
    refused(&p, "a group of steps has another size");
    steps[3].back = back;
    steps[1].back = steps[3].back = 2; /* two groups: sound, if not what was meant */
    uint8_t *result;
    size_t size;
    cr_assert(run(&p, &result, &size), "%s", nnrt_last_error());
    free(result);
    nnrt__free(p.memory);
    gb_close(&g);
}

/* ---------------------------------------------------------------------------------------- through the API */

Test(stripes, a_profile_counts_a_step_once_for_all_its_turns) {
    off_settings settings;
    const nnrt_profile_step *steps = NULL;
    uint8_t input[24 * 24 * 3] = {0}, output[6 * 6 * 16];
    uint32_t count = 0;
    chain c;
    gb_graph g;
    make_sound(&g, &c, OH_NN_INT8, 24);
    memset(&settings, 0, sizeof settings);
    settings.profile = "1";
    settings.stripes = "1000";
    g.compilation = OH_NNCompilation_Construct(g.model);
    IS(off_build(g.compilation, &settings), OH_NN_SUCCESS);
    g.executor = OH_NNExecutor_Construct(g.compilation);
    for (int i = 0; i < 3; i++) IS(off_run(g.executor, input, sizeof input, output, sizeof output), OH_NN_SUCCESS);
    IS(nnrt_executor_get_profile(g.executor, &steps, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 4u);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_str_eq(steps[i].kernel, i % 2 == 0 ? "conv_s8_stripes" : "dw_s8_stripes");
        cr_assert_eq(steps[i].runs, 3u);
        cr_assert(steps[i].min_ns <= steps[i].last_ns && steps[i].total_ns >= 3 * steps[i].min_ns);
    }
    gb_close(&g);
}

Test(stripes, the_price_is_a_number_from_0_to_1000) {
    static const char *const wrong[] = {"1001", "-1", "many"};
    chain c;
    gb_graph g;
    make_sound(&g, &c, OH_NN_INT8, 24);
    for (size_t i = 0; i < NNRT__COUNT_OF(wrong); i++) {
        off_settings settings;
        memset(&settings, 0, sizeof settings);
        settings.stripes = wrong[i];
        g.compilation = OH_NNCompilation_Construct(g.model);
        IS(off_build(g.compilation, &settings), OH_NN_INVALID_PARAMETER);
        cr_assert_not_null(strstr(nnrt_last_error(), "nnrt.stripes"), "%s", nnrt_last_error());
        OH_NNCompilation_Destroy(&g.compilation);
    }
    gb_close(&g);
}
