/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_matmul.c - graphs of MATMUL and FULL_CONNECTION on the simulated boards of every chip and runtime.

   int8 results of FULL_CONNECTION must be the bytes of the CPU device, those of MATMUL the bytes of a reference written
   here from the definition; floats must lie within what float16 loses. Shapes go around every alignment of the chips.
   Each test ends with the board's own opinion: nothing alive in the library, no mistake of the caller. */
#include "linked.h"

#include "graph_builder.h"
#include "rknpu_load.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define SEED 20240812u

#include "noise.h"

static void noise_s8(int8_t *to, size_t count, int32_t low, int32_t high) {
    for (size_t i = 0; i < count; i++) to[i] = (int8_t)noise_in(low, high);
}

static void noise_f32(float *to, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = (float)noise_in(-2048, 2047) / 1024.0f; /* exact in float16 */
}

/* ------------------------------------------------------------------------------------ the simulated board */

static board sim;

/* Plugs in a board of that chip with that runtime ("" for the newest). To be called before anything else of nnrt.
   Where the boards are not built, the test is skipped. */
static void plug_in(const char *chip, const char *version) {
    (void)setenv("NNRT_SIM_MEMORY", "268435456", 1);
    if (!rknpu_load(&sim, chip, version)) cr_skip_test("skipped, no simulated board in %s", sim.folder);
}

/* The board has nothing left of us and nothing to complain about. */
static void unplug(void) {
    const char *complaint = board_complaint(&sim);
    cr_expect(complaint == NULL, "%s", complaint != NULL ? complaint : "");
}

/* The device whose name begins so; 0: none. */
static size_t device_named(const char *beginning) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    cr_assert_eq(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    for (i = 0; i < count; i++) {
        const char *name = NULL;
        cr_assert_eq(OH_NNDevice_GetName(ids[i], &name), OH_NN_SUCCESS);
        if (strncmp(name, beginning, strlen(beginning)) == 0) return ids[i];
    }
    return 0;
}

static size_t npu(void) {
    const size_t id = device_named("rknpu_rockchip_");
    cr_assert_neq(id, 0u, "the Rockchip device is not listed");
    return id;
}

/* ------------------------------------------------------------------------------------------ build and run */

typedef struct built {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    OH_NN_ReturnCode code; /* of Build */
} built;

/* Compiles the finished model of g for a device. configs: name, value, ..., NULL; or NULL. */
static built build(const gb_graph *g, size_t device, bool float16, const char *const *configs) {
    built b;
    memset(&b, 0, sizeof b);
    b.compilation = OH_NNCompilation_Construct(g->model);
    cr_assert_not_null(b.compilation, "%s", nnrt_last_error());
    cr_assert_eq(OH_NNCompilation_SetDevice(b.compilation, device), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNCompilation_AddExtensionConfig(b.compilation, "nnrt.fallback", "0", 1), OH_NN_SUCCESS);
    if (float16) cr_assert_eq(OH_NNCompilation_EnableFloat16(b.compilation, true), OH_NN_SUCCESS);
    for (; configs != NULL && configs[0] != NULL; configs += 2)
        cr_assert_eq(OH_NNCompilation_AddExtensionConfig(b.compilation, configs[0], configs[1], strlen(configs[1])),
                     OH_NN_SUCCESS);
    b.code = OH_NNCompilation_Build(b.compilation);
    return b;
}

static void close_built(built *b) {
    if (b->executor != NULL) OH_NNExecutor_Destroy(&b->executor);
    if (b->compilation != NULL) OH_NNCompilation_Destroy(&b->compilation);
}

/* One synchronous run with tensors of `device`. */
static OH_NN_ReturnCode run(OH_NNExecutor *executor, size_t device, size_t input_count, const gb_io *inputs,
                            size_t output_count, const gb_io *outputs) {
    NN_Tensor *in[8], *out[8];
    OH_NN_ReturnCode code;
    size_t i;
    for (i = 0; i < input_count + output_count; i++) {
        const bool output = i >= input_count;
        const size_t number = output ? i - input_count : i;
        const gb_io *io = output ? &outputs[number] : &inputs[number];
        NN_Tensor **tensor = output ? &out[number] : &in[number];
        NN_TensorDesc *desc = output ? OH_NNExecutor_CreateOutputTensorDesc(executor, number)
                                     : OH_NNExecutor_CreateInputTensorDesc(executor, number);
        cr_assert_not_null(desc, "%s", nnrt_last_error());
        *tensor = OH_NNTensor_CreateWithSize(device, desc, io->size);
        cr_assert_not_null(*tensor, "%s", nnrt_last_error());
        if (output) memset(OH_NNTensor_GetDataBuffer(*tensor), 0x5a, io->size);
        else memcpy(OH_NNTensor_GetDataBuffer(*tensor), io->data, io->size);
        cr_assert_eq(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    }
    code = OH_NNExecutor_RunSync(executor, in, input_count, out, output_count);
    for (i = 0; i < output_count; i++) {
        memcpy(outputs[i].data, OH_NNTensor_GetDataBuffer(out[i]), outputs[i].size);
        cr_assert_eq(OH_NNTensor_Destroy(&out[i]), OH_NN_SUCCESS);
    }
    for (i = 0; i < input_count; i++) cr_assert_eq(OH_NNTensor_Destroy(&in[i]), OH_NN_SUCCESS);
    return code;
}

static OH_NN_ReturnCode run_one(OH_NNExecutor *executor, size_t device, void *in, size_t in_size, void *out,
                                size_t out_size) {
    const gb_io input = gb_buffer(in, in_size), output = gb_buffer(out, out_size);
    return run(executor, device, 1, &input, 1, &output);
}

/* Builds, runs once and checks that both worked. */
static void compute(const gb_graph *g, size_t device, bool float16, const char *const *configs, size_t input_count,
                    const gb_io *inputs, const gb_io *output, const char *what) {
    built b = build(g, device, float16, configs);
    cr_assert_eq(b.code, OH_NN_SUCCESS, "%s: %s", what, nnrt_last_error());
    b.executor = OH_NNExecutor_Construct(b.compilation);
    cr_assert_not_null(b.executor, "%s: %s", what, nnrt_last_error());
    cr_assert_eq(run(b.executor, device, input_count, inputs, 1, output), OH_NN_SUCCESS, "%s: %s", what,
                 nnrt_last_error());
    close_built(&b);
}

/* ---------------------------------------------------------------------------------- FULL_CONNECTION, int8 */

typedef struct fc {
    int32_t m, k, n;
    bool bias, per_channel;
    int activation;
    int32_t in_zero, out_zero;
    int8_t low, high; /* of weights */
} fc;

typedef struct fc_data {
    gb_graph g;
    int8_t *in, *weights, *expected, *out;
    int32_t *bias;
    double *scales;
} fc_data;

static const char *fc_name(const fc *f) {
    static char text[160];
    snprintf(text, sizeof text, "%s, seed %u: %dx%d by %dx%d%s%s activation %d zero points %d %d", context(), SEED,
             (int)f->m, (int)f->k, (int)f->k, (int)f->n, f->bias ? " bias" : "", f->per_channel ? " per channel" : "",
             f->activation, (int)f->in_zero, (int)f->out_zero);
    return text;
}

/* The model, finished, with random values. */
static void fc_open(fc_data *d, const fc *f) {
    const int32_t in_dims[2] = {f->m, f->k}, w_dims[2] = {f->n, f->k}, out_dims[2] = {f->m, f->n};
    const size_t in_count = (size_t)f->m * (size_t)f->k, w_count = (size_t)f->n * (size_t)f->k;
    const size_t out_count = (size_t)f->m * (size_t)f->n;
    uint32_t ids[3], y;
    memset(d, 0, sizeof *d);
    d->in = (int8_t *)malloc(in_count);
    d->weights = (int8_t *)malloc(w_count);
    d->expected = (int8_t *)malloc(out_count);
    d->out = (int8_t *)malloc(out_count);
    d->bias = (int32_t *)malloc((size_t)f->n * sizeof(int32_t));
    d->scales = (double *)malloc((size_t)f->n * sizeof(double));
    cr_assert(d->in && d->weights && d->expected && d->out && d->bias && d->scales);
    noise_s8(d->in, in_count, -128, 127);
    noise_s8(d->weights, w_count, f->low, f->high);
    for (int32_t i = 0; i < f->n; i++) {
        d->bias[i] = noise_in(-20000, 20000);
        d->scales[i] = 0.002 + 0.0001 * noise_in(0, 50);
    }
    gb_open(&d->g);
    ids[0] = gb_input(&d->g, gb_tensor_s8(&d->g, 2, in_dims, 0.05, f->in_zero));
    ids[1] = gb_constant(&d->g, OH_NN_INT8, 2, w_dims, d->weights);
    gb_quantize(&d->g, ids[1], f->per_channel ? (size_t)f->n : 1, d->scales, NULL);
    if (f->bias) ids[2] = gb_constant(&d->g, OH_NN_INT32, 1, &f->n, d->bias);
    y = gb_output(&d->g, gb_tensor_s8(&d->g, 2, out_dims, 0.0003 * (double)f->k + 0.01, f->out_zero));
    if (f->activation != 0) gb_param_i8(&d->g, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, f->activation);
    cr_assert_eq(gb_op(&d->g, OH_NN_OPS_FULL_CONNECTION, f->bias ? 3 : 2, ids, 1, &y), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_eq(gb_finish(&d->g), OH_NN_SUCCESS, "%s", nnrt_last_error());
}

static void fc_close(fc_data *d) {
    gb_close(&d->g);
    free(d->in);
    free(d->weights);
    free(d->expected);
    free(d->out);
    free(d->bias);
    free(d->scales);
}

/* What the CPU device computes. */
static void fc_expect(fc_data *d, const fc *f) {
    const gb_io in = gb_buffer(d->in, (size_t)f->m * (size_t)f->k);
    const gb_io out = gb_buffer(d->expected, (size_t)f->m * (size_t)f->n);
    compute(&d->g, device_named("cpu_"), false, NULL, 1, &in, &out, fc_name(f));
}

static void fc_check(const fc *f, const char *const *configs, size_t tensors) {
    const size_t in_size = (size_t)f->m * (size_t)f->k, out_size = (size_t)f->m * (size_t)f->n;
    fc_data d;
    gb_io in, out;
    fc_open(&d, f);
    fc_expect(&d, f);
    in = gb_buffer(d.in, in_size);
    out = gb_buffer(d.out, out_size);
    {
        built b = build(&d.g, npu(), false, configs);
        cr_assert_eq(b.code, OH_NN_SUCCESS, "%s: %s", fc_name(f), nnrt_last_error());
        b.executor = OH_NNExecutor_Construct(b.compilation);
        cr_assert_not_null(b.executor, "%s: %s", fc_name(f), nnrt_last_error());
        for (int times = 0; times < 2; times++) {
            memset(d.out, 0x77, out_size);
            cr_assert_eq(run(b.executor, tensors, 1, &in, 1, &out), OH_NN_SUCCESS, "%s: %s", fc_name(f),
                         nnrt_last_error());
            cr_assert_arr_eq(d.out, d.expected, out_size, "%s, run %d", fc_name(f), times + 1);
        }
        close_built(&b);
    }
    fc_close(&d);
}

/* K and N around the alignments of every chip, each M once with each. */
static void fc_shapes(const char *const *configs, int8_t low, int8_t high) {
    static const int32_t ks[] = {1, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100};
    static const int32_t ns[] = {1, 3, 4, 5, 15, 16, 17, 31, 32, 33, 64, 65};
    static const int32_t ms[] = {1, 2, 3, 7, 16};
    uint32_t drawn = 0;
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
        for (size_t j = 0; j < sizeof ns / sizeof ns[0]; j++, drawn++) {
            fc f;
            if ((i + j) % 3 != 0) continue;
            f.m = ms[drawn % 5];
            f.k = ks[i];
            f.n = ns[j];
            f.bias = drawn % 2 == 0;
            f.per_channel = drawn % 3 == 0;
            f.activation = (int)(drawn % 7 % 3);
            f.in_zero = noise_in(-128, 127);
            f.out_zero = noise_in(-128, 127);
            f.low = low;
            f.high = high;
            fc_check(&f, configs, drawn % 2 == 0 ? npu() : device_named("cpu_"));
        }
    }
}

static void fc_on(const char *chip, const char *version) {
    plug_in(chip, version);
    fc_shapes(NULL, -127, 127);
    unplug();
}

Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_on_rk3588) { fc_on("rk3588", ""); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_on_rk3576) { fc_on("rk3576", ""); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_on_rk3566) { fc_on("rk3566", ""); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_on_rk3568) { fc_on("rk3568", ""); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_on_rk3562) { fc_on("rk3562", ""); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_with_runtime_1_5) { fc_on("rk3588", "1.5.2"); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_with_runtime_1_6) { fc_on("rk3566", "1.6.0"); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_with_runtime_2_0) { fc_on("rk3588", "2.0.0"); }
Test(rknpu_matmul, int8_full_connection_is_the_cpu_device_with_runtime_2_1) { fc_on("rk3562", "2.1.0"); }

/* Beyond 4096 and 8192 native B comes in segments. */
static void fc_long(const char *chip, const char *version) {
    static const int32_t ks[] = {4096, 4097, 8192, 8200, 10240};
    plug_in(chip, version);
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
        fc f = {2, 0, 33, true, true, 0, 5, -3, -127, 127};
        f.k = ks[i];
        fc_check(&f, NULL, npu());
    }
    unplug();
}

/* librknnrt 1.5.2 refuses longer ones by its own message: those are another device's. */
Test(rknpu_matmul, rows_that_are_too_long_for_runtime_1_5_are_refused_before_it_is_asked) {
    const fc longest = {2, 4096, 33, true, true, 0, 5, -3, -127, 127};
    fc longer = longest;
    fc_data d;
    built b;
    plug_in("rk3566", "1.5.2");
    fc_check(&longest, NULL, npu());
    longer.k++;
    fc_open(&d, &longer);
    b = build(&d.g, npu(), false, NULL);
    cr_assert_neq(b.code, OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "4096 products of int8"), "%s", nnrt_last_error());
    close_built(&b);
    fc_close(&d);
    unplug();
}

Test(rknpu_matmul, rows_of_10240_values_come_out_right_on_rk3588) { fc_long("rk3588", ""); }
Test(rknpu_matmul, rows_of_10240_values_come_out_right_on_rk3576) { fc_long("rk3576", ""); }
Test(rknpu_matmul, rows_of_10240_values_come_out_right_without_the_librarys_converter) { fc_long("rk3588", "2.0.0"); }
Test(rknpu_matmul, rows_of_10240_values_come_out_right_with_runtime_1_6) { fc_long("rk3566", "1.6.0"); }

static const char *const int4_configs[] = {"rknn.matmul_weights", "int4", NULL};

static void int4_on(const char *chip, const char *version) {
    plug_in(chip, version);
    fc_shapes(int4_configs, -8, 7);
    unplug();
}

Test(rknpu_matmul, int4_weights_give_the_same_bytes_on_rk3588) { int4_on("rk3588", ""); }
Test(rknpu_matmul, int4_weights_give_the_same_bytes_on_rk3576_with_runtime_2_1) { int4_on("rk3576", "2.1.0"); }

Test(rknpu_matmul, full_connection_takes_an_axis_and_flattens_without_one) {
    const int32_t dims[4] = {2, 3, 4, 5}, w_axis[2] = {7, 20}, w_flat[2] = {7, 12};
    const int32_t out_axis[3] = {2, 3, 7}, out_flat[2] = {10, 7};
    int8_t in[120], weights[140], out[70], expected[70];
    const double scale = 0.01;
    plug_in("rk3588", "");
    noise_s8(in, sizeof in, -128, 127);
    noise_s8(weights, sizeof weights, -127, 127);
    for (int flat = 0; flat < 2; flat++) {
        gb_graph g;
        uint32_t ids[2], y;
        const size_t out_size = flat ? 70 : 42;
        const gb_io input = gb_buffer(in, sizeof in);
        gb_io output = gb_buffer(expected, out_size);
        gb_open(&g);
        ids[0] = gb_input(&g, gb_tensor_s8(&g, 4, dims, 0.05, 9));
        ids[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, flat ? w_flat : w_axis, weights), 1, &scale, NULL);
        y = gb_output(&g, gb_tensor_s8(&g, flat ? 2 : 3, flat ? out_flat : out_axis, 0.2, -4));
        if (!flat) gb_param_i64(&g, OH_NN_FULL_CONNECTION_AXIS, 2);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 2, ids, 1, &y), OH_NN_SUCCESS);
        cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS);
        compute(&g, device_named("cpu_"), false, NULL, 1, &input, &output, "cpu");
        output.data = out;
        compute(&g, npu(), false, NULL, 1, &input, &output, "npu");
        cr_assert_arr_eq(out, expected, out_size);
        gb_close(&g);
    }
    unplug();
}

/* ------------------------------------------------------------------------------------------------- MATMUL */

/* A shape of MATMUL: dimensions before the matrices of A and of B, slowest first, 0 where there are none. */
typedef struct mm {
    int32_t a_batch[3], b_batch[3];
    uint32_t a_batches, b_batches; /* dimensions in use */
    int32_t m, k, n;
    bool a_transposed, b_transposed, b_constant;
    int activation;
} mm;

static const mm mm_cases[] = {
    {{0, 0, 0}, {0, 0, 0}, 0, 0, 3, 33, 5, false, false, true, 0},
    {{0, 0, 0}, {0, 0, 0}, 0, 0, 3, 33, 5, false, false, false, 1},
    {{0, 0, 0}, {0, 0, 0}, 0, 0, 17, 64, 40, true, false, true, 2},
    {{0, 0, 0}, {0, 0, 0}, 0, 0, 5, 20, 32, true, true, false, 0},
    {{0, 0, 0}, {0, 0, 0}, 0, 0, 1, 1, 1, false, true, true, 0},
    {{2, 3, 0}, {0, 0, 0}, 2, 0, 4, 31, 9, false, false, true, 0},  /* B shared: one product */
    {{2, 3, 0}, {0, 0, 0}, 2, 0, 4, 31, 9, true, true, false, 1},   /* B shared, A transposed */
    {{2, 3, 0}, {2, 3, 0}, 2, 2, 2, 16, 33, false, true, false, 0}, /* a B for each */
    {{2, 1, 0}, {1, 3, 0}, 2, 2, 3, 40, 6, false, false, false, 2}, /* both repeat */
    {{3, 0, 0}, {2, 3, 0}, 1, 2, 2, 8, 4, true, false, true, 0},    /* B constant, with batches */
    {{1, 1, 1}, {1, 0, 0}, 3, 1, 6, 12, 3, false, false, true, 0},
};

static size_t mm_product(const int32_t *dims, uint32_t count) {
    size_t product = 1;
    for (uint32_t i = 0; i < count; i++) product *= (size_t)dims[i];
    return product;
}

/* Dimensions of an operand, and its batch dimensions aligned to the right of rank `batch_rank`. */
static uint32_t mm_dims(const int32_t *batch, uint32_t batches, int32_t rows, int32_t columns, int32_t *dims) {
    for (uint32_t i = 0; i < batches; i++) dims[i] = batch[i];
    dims[batches] = rows;
    dims[batches + 1] = columns;
    return batches + 2;
}

/* Number of the matrix of an operand that product number `at` uses. */
static size_t mm_matrix(const int32_t *batch, uint32_t batches, const int32_t *all, uint32_t rank, size_t at) {
    size_t number = 0, step = 1;
    for (uint32_t i = rank; i-- > 0;) {
        const size_t index = at % (size_t)all[i];
        at /= (size_t)all[i];
        if (i + batches < rank) continue;
        if (batch[i + batches - rank] != 1) number += index * step;
        step *= (size_t)batch[i + batches - rank];
    }
    return number;
}

typedef struct mm_layout {
    int32_t a_dims[5], b_dims[5], out_dims[5], all[3];
    uint32_t a_rank, b_rank, rank;
    size_t a_count, b_count, out_count, batches;
} mm_layout;

static mm_layout mm_resolve(const mm *c) {
    mm_layout l;
    l.rank = c->a_batches > c->b_batches ? c->a_batches : c->b_batches;
    for (uint32_t i = 0; i < l.rank; i++) {
        const int32_t a = i + c->a_batches >= l.rank ? c->a_batch[i + c->a_batches - l.rank] : 1;
        const int32_t b = i + c->b_batches >= l.rank ? c->b_batch[i + c->b_batches - l.rank] : 1;
        l.all[i] = a > b ? a : b;
    }
    l.a_rank =
        mm_dims(c->a_batch, c->a_batches, c->a_transposed ? c->k : c->m, c->a_transposed ? c->m : c->k, l.a_dims);
    l.b_rank =
        mm_dims(c->b_batch, c->b_batches, c->b_transposed ? c->n : c->k, c->b_transposed ? c->k : c->n, l.b_dims);
    (void)mm_dims(l.all, l.rank, c->m, c->n, l.out_dims);
    l.batches = mm_product(l.all, l.rank);
    l.a_count = mm_product(l.a_dims, l.a_rank);
    l.b_count = mm_product(l.b_dims, l.b_rank);
    l.out_count = mm_product(l.out_dims, l.rank + 2);
    return l;
}

/* Index of A[m][k] and B[k][n] of product number batch. */
static size_t mm_a(const mm *c, const mm_layout *l, size_t batch, int32_t m, int32_t k) {
    const size_t first = mm_matrix(c->a_batch, c->a_batches, l->all, l->rank, batch) * (size_t)c->m * (size_t)c->k;
    return first + (size_t)(c->a_transposed ? k * c->m + m : m * c->k + k);
}

static size_t mm_b(const mm *c, const mm_layout *l, size_t batch, int32_t k, int32_t n) {
    const size_t first = mm_matrix(c->b_batch, c->b_batches, l->all, l->rank, batch) * (size_t)c->k * (size_t)c->n;
    return first + (size_t)(c->b_transposed ? n * c->k + k : k * c->n + n);
}

/* Adds the node to g and finishes it. */
static void mm_finish(gb_graph *g, const mm *c, uint32_t a, uint32_t b, uint32_t y) {
    const uint32_t ids[2] = {a, b};
    if (c->a_transposed) gb_param_bool(g, OH_NN_MATMUL_TRANSPOSE_A, true);
    gb_param_bool(g, OH_NN_MATMUL_TRANSPOSE_B, c->b_transposed);
    if (c->activation != 0) gb_param_i8(g, OH_NN_MATMUL_ACTIVATION_TYPE, c->activation);
    cr_assert_eq(gb_op(g, OH_NN_OPS_MATMUL, 2, ids, 1, &y), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_finish(g), OH_NN_SUCCESS, "%s", nnrt_last_error());
}

/* round(x * factor), ties away from zero, in 64-bit integers as TensorFlow Lite does it. */
static int64_t rescale(int64_t x, double factor) {
    int exponent;
    const double fraction = frexp(factor, &exponent);
    int64_t multiplier = llround(fraction * 2147483648.0), product, half;
    if (multiplier == (int64_t)1 << 31) {
        multiplier /= 2;
        exponent++;
    }
    if (exponent > 0) x *= (int64_t)1 << exponent;
    product = x * multiplier;
    product = (product + (product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30))) / ((int64_t)1 << 31);
    if (exponent >= 0) return product;
    half = (int64_t)1 << (-exponent - 1);
    return product >= 0 ? (product + half) / (2 * half) : -((-product + half) / (2 * half));
}

static int64_t limit(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

static void mm_int8(const mm *c, int32_t a_zero, int32_t b_zero, bool per_channel) {
    const mm_layout l = mm_resolve(c);
    const double a_scale = 0.04, out_scale = 0.0004 * c->k + 0.02;
    const int32_t out_zero = 7;
    double *scales = (double *)malloc((size_t)c->n * sizeof(double));
    int8_t *a = (int8_t *)malloc(l.a_count), *b = (int8_t *)malloc(l.b_count), *out = (int8_t *)malloc(l.out_count);
    gb_io inputs[2], output = gb_buffer(out, l.out_count);
    uint32_t x, w, y;
    gb_graph g;
    char what[160];
    cr_assert(scales && a && b && out);
    for (int32_t i = 0; i < c->n; i++) scales[i] = 0.003 + 0.0002 * i;
    noise_s8(a, l.a_count, -128, 127);
    noise_s8(b, l.b_count, -128, 127);
    snprintf(what, sizeof what, "%s, seed %u, case %d, zero points %d %d", context(), SEED, (int)(c - mm_cases),
             (int)a_zero, (int)b_zero);
    gb_open(&g);
    x = gb_input(&g, gb_tensor_s8(&g, l.a_rank, l.a_dims, a_scale, a_zero));
    w = c->b_constant ? gb_constant(&g, OH_NN_INT8, l.b_rank, l.b_dims, b)
                      : gb_input(&g, gb_tensor(&g, OH_NN_INT8, l.b_rank, l.b_dims));
    gb_quantize(&g, w, per_channel ? (size_t)c->n : 1, scales, per_channel ? NULL : &b_zero);
    if (per_channel) b_zero = 0;
    y = gb_output(&g, gb_tensor_s8(&g, l.rank + 2, l.out_dims, out_scale, out_zero));
    mm_finish(&g, c, x, w, y);
    inputs[0] = gb_buffer(a, l.a_count);
    inputs[1] = gb_buffer(b, l.b_count);
    compute(&g, npu(), false, NULL, c->b_constant ? 1 : 2, inputs, &output, what);
    for (size_t i = 0; i < l.out_count; i++) {
        const int32_t n = (int32_t)(i % (size_t)c->n), m = (int32_t)(i / (size_t)c->n % (size_t)c->m);
        const size_t batch = i / (size_t)c->n / (size_t)c->m;
        const double factor = per_channel && c->n > 1 ? a_scale * scales[n] / out_scale
                                                      : (double)((float)a_scale * (float)scales[0]) / out_scale;
        int64_t sum = 0, low = -128, high = 127, expected;
        for (int32_t k = 0; k < c->k; k++)
            sum += (int64_t)(a[mm_a(c, &l, batch, m, k)] - a_zero) * (b[mm_b(c, &l, batch, k, n)] - b_zero);
        if (c->activation != 0) low = out_zero;
        if (c->activation == 2) high = limit(out_zero + llround((double)(6.0f / (float)out_scale)), -128, 127);
        expected = limit(rescale(sum, factor) + out_zero, low, high);
        cr_assert_eq((int64_t)out[i], expected, "%s: value %zu is %d, not %d", what, i, out[i], (int)expected);
    }
    gb_close(&g);
    free(scales);
    free(a);
    free(b);
    free(out);
}

static void mm_int8_on(const char *chip, const char *version) {
    plug_in(chip, version);
    for (size_t i = 0; i < sizeof mm_cases / sizeof mm_cases[0]; i++) {
        mm_int8(&mm_cases[i], 0, 0, false);
        mm_int8(&mm_cases[i], -128, 127, false);
        mm_int8(&mm_cases[i], 11, -5, false);
        mm_int8(&mm_cases[i], 3, 0, true);
    }
    unplug();
}

Test(rknpu_matmul, int8_matmul_is_its_definition_on_rk3588) { mm_int8_on("rk3588", ""); }
Test(rknpu_matmul, int8_matmul_is_its_definition_on_rk3566) { mm_int8_on("rk3566", ""); }
Test(rknpu_matmul, int8_matmul_is_its_definition_on_rk3562) { mm_int8_on("rk3562", ""); }
Test(rknpu_matmul, int8_matmul_is_its_definition_with_runtime_1_5) { mm_int8_on("rk3588", "1.5.2"); }
Test(rknpu_matmul, int8_matmul_is_its_definition_with_runtime_2_0) { mm_int8_on("rk3576", "2.0.0"); }

/* ------------------------------------------------------------------------------------------------- floats */

static uint16_t half_bits(float x) { return nnrt__float16_from_float32(x); }
static float half_value(uint16_t x) { return nnrt__float16_to_float32(x); }

/* Values are exact in float16 and sums exact in float32, so that only the order of nothing matters: the result is
   exact for a float32 output, and rounded once for a float16 one. */
static void mm_float(const mm *c, OH_NN_DataType a_type, OH_NN_DataType b_type, OH_NN_DataType out_type) {
    const mm_layout l = mm_resolve(c);
    float *a = (float *)malloc(l.a_count * 4), *b = (float *)malloc(l.b_count * 4);
    float *out = (float *)malloc(l.out_count * 4);
    void *a_raw = malloc(l.a_count * 4), *b_raw = malloc(l.b_count * 4);
    gb_io inputs[2], output;
    uint32_t x, w, y;
    gb_graph g;
    char what[160];
    cr_assert(a && b && out && a_raw && b_raw);
    noise_f32(a, l.a_count);
    noise_f32(b, l.b_count);
    for (size_t i = 0; i < l.a_count; i++) {
        if (a_type == OH_NN_FLOAT32) ((float *)a_raw)[i] = a[i];
        else ((uint16_t *)a_raw)[i] = half_bits(a[i]);
    }
    for (size_t i = 0; i < l.b_count; i++) {
        b[i] = (float)(int)b[i]; /* small integers keep sums exact */
        if (b_type == OH_NN_FLOAT32) ((float *)b_raw)[i] = b[i];
        else ((uint16_t *)b_raw)[i] = half_bits(b[i]);
    }
    snprintf(what, sizeof what, "%s, seed %u, case %d, types %d %d %d", context(), SEED, (int)(c - mm_cases),
             (int)a_type, (int)b_type, (int)out_type);
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, a_type, l.a_rank, l.a_dims));
    w = c->b_constant ? gb_constant(&g, b_type, l.b_rank, l.b_dims, b_raw)
                      : gb_input(&g, gb_tensor(&g, b_type, l.b_rank, l.b_dims));
    y = gb_output(&g, gb_tensor(&g, out_type, l.rank + 2, l.out_dims));
    mm_finish(&g, c, x, w, y);
    inputs[0] = gb_buffer(a_raw, l.a_count * (a_type == OH_NN_FLOAT32 ? 4 : 2));
    inputs[1] = gb_buffer(b_raw, l.b_count * (b_type == OH_NN_FLOAT32 ? 4 : 2));
    output = gb_buffer(out, l.out_count * (out_type == OH_NN_FLOAT32 ? 4 : 2));
    compute(&g, npu(), true, NULL, c->b_constant ? 1 : 2, inputs, &output, what);
    for (size_t i = 0; i < l.out_count; i++) {
        const int32_t n = (int32_t)(i % (size_t)c->n), m = (int32_t)(i / (size_t)c->n % (size_t)c->m);
        const size_t batch = i / (size_t)c->n / (size_t)c->m;
        const float value = out_type == OH_NN_FLOAT32 ? out[i] : half_value(((uint16_t *)out)[i]);
        double sum = 0;
        for (int32_t k = 0; k < c->k; k++)
            sum += (double)a[mm_a(c, &l, batch, m, k)] * (double)b[mm_b(c, &l, batch, k, n)];
        if (c->activation != 0 && sum < 0) sum = 0;
        if (c->activation == 2 && sum > 6) sum = 6;
        if (out_type == OH_NN_FLOAT16) sum = (double)half_value(half_bits((float)sum));
        cr_assert_eq((double)value, sum, "%s: value %zu is %g, not %g", what, i, (double)value, sum);
    }
    gb_close(&g);
    free(a);
    free(b);
    free(out);
    free(a_raw);
    free(b_raw);
}

static void mm_float_on(const char *chip, const char *version) {
    plug_in(chip, version);
    for (size_t i = 0; i < sizeof mm_cases / sizeof mm_cases[0]; i++) {
        mm_float(&mm_cases[i], OH_NN_FLOAT32, OH_NN_FLOAT32, OH_NN_FLOAT32);
        mm_float(&mm_cases[i], OH_NN_FLOAT16, OH_NN_FLOAT16, OH_NN_FLOAT16);
        mm_float(&mm_cases[i], OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_FLOAT32);
    }
    unplug();
}

Test(rknpu_matmul, float_matmul_is_its_definition_on_rk3588) { mm_float_on("rk3588", ""); }
Test(rknpu_matmul, float_matmul_is_its_definition_on_rk3566) { mm_float_on("rk3566", ""); }
Test(rknpu_matmul, float_matmul_is_its_definition_on_rk3562_with_runtime_1_6) { mm_float_on("rk3562", "1.6.0"); }

/* A float32 model on both devices: what float16 loses of |a| and |b| is at most 2^-11 of each product. */
Test(rknpu_matmul, float32_full_connection_stays_within_float16_of_the_cpu_device) {
    const int32_t in_dims[2] = {5, 70}, w_dims[2] = {37, 70}, n = 37, out_dims[2] = {5, 37};
    float in[350], weights[2590], bias[37], expected[185], out[185];
    const gb_io input = gb_buffer(in, sizeof in);
    gb_io output = gb_buffer(expected, sizeof expected);
    uint32_t ids[3], y;
    gb_graph g;
    plug_in("rk3588", "");
    for (size_t i = 0; i < 350; i++) in[i] = (float)noise_in(-100000, 100000) / 30000.0f;
    for (size_t i = 0; i < 2590; i++) weights[i] = (float)noise_in(-100000, 100000) / 70000.0f;
    for (size_t i = 0; i < 37; i++) bias[i] = (float)noise_in(-100000, 100000) / 50000.0f;
    gb_open(&g);
    ids[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, in_dims));
    ids[1] = gb_constant(&g, OH_NN_FLOAT32, 2, w_dims, weights);
    ids[2] = gb_constant(&g, OH_NN_FLOAT32, 1, &n, bias);
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, out_dims));
    gb_param_i8(&g, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, OH_NN_FUSED_RELU);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 3, ids, 1, &y), OH_NN_SUCCESS);
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS);
    compute(&g, device_named("cpu_"), false, NULL, 1, &input, &output, "cpu");
    output.data = out;
    compute(&g, npu(), true, NULL, 1, &input, &output, "npu");
    for (size_t i = 0; i < 185; i++) {
        double bound = 1e-5;
        for (size_t k = 0; k < 70; k++)
            bound += fabs((double)in[i / 37 * 70 + k] * (double)weights[i % 37 * 70 + k]) / 1024.0;
        cr_assert_lt(fabs((double)out[i] - (double)expected[i]), bound, "seed %u, value %zu: %g, cpu %g", SEED, i,
                     (double)out[i], (double)expected[i]);
    }
    gb_close(&g);
    unplug();
}

/* ------------------------------------------------------------------------------------------ several nodes */

/* y = relu(x W1 + b1) W2, and z = (x W1 + b1) too: the tensor between is an output as well when asked. */
static void chain_check(bool keep) {
    const int32_t x_dims[2] = {3, 20}, w1_dims[2] = {33, 20}, w2_dims[2] = {6, 33}, h_dims[2] = {3, 33},
                  y_dims[2] = {3, 6};
    int8_t x[60], w1[660], w2[198], out[2][99], expected[2][99];
    const double scale = 0.01;
    const gb_io input = gb_buffer(x, sizeof x);
    gb_io outputs[2];
    uint32_t ids[2], second[2], h, y;
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    gb_graph g;
    noise_s8(x, sizeof x, -128, 127);
    noise_s8(w1, sizeof w1, -127, 127);
    noise_s8(w2, sizeof w2, -127, 127);
    gb_open(&g);
    ids[0] = gb_input(&g, gb_tensor_s8(&g, 2, x_dims, 0.05, 3));
    ids[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w1_dims, w1), 1, &scale, NULL);
    h = gb_tensor_s8(&g, 2, h_dims, 0.07, -12);
    second[0] = h;
    second[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w2_dims, w2), 1, &scale, NULL);
    y = gb_output(&g, gb_tensor_s8(&g, 2, y_dims, 0.3, 1));
    if (keep) gb_output(&g, h);
    /* in the wrong order: the device has to find the right one */
    cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 2, second, 1, &y), OH_NN_SUCCESS);
    gb_param_i8(&g, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, OH_NN_FUSED_RELU);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 2, ids, 1, &h), OH_NN_SUCCESS);
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (int device = 0; device < 2; device++) {
        const size_t id = device == 0 ? device_named("cpu_") : npu();
        built b = build(&g, id, false, NULL);
        cr_assert_eq(b.code, OH_NN_SUCCESS, "%s", nnrt_last_error());
        b.executor = OH_NNExecutor_Construct(b.compilation);
        outputs[0] = gb_buffer(device == 0 ? expected[0] : out[0], 18);
        outputs[1] = gb_buffer(device == 0 ? expected[1] : out[1], 99);
        cr_assert_eq(run(b.executor, id, 1, &input, keep ? 2 : 1, outputs), OH_NN_SUCCESS, "%s", nnrt_last_error());
        if (device == 1) {
            cr_assert_eq(nnrt_executor_get_profile(b.executor, &steps, &count), OH_NN_SUCCESS);
            cr_assert_eq(count, 2u);
            cr_assert_str_eq(steps[0].kernel, "matmul_s8");
            cr_assert_eq(steps[0].macs, 3u * 20 * 33);
            cr_assert_eq(steps[1].macs, 3u * 33 * 6);
        }
        close_built(&b);
    }
    cr_assert_arr_eq(out[0], expected[0], 18);
    if (keep) cr_assert_arr_eq(out[1], expected[1], 99);
    gb_close(&g);
}

Test(rknpu_matmul, nodes_that_follow_each_other_run_in_their_order) {
    plug_in("rk3588", "");
    chain_check(false);
    chain_check(true);
    unplug();
}

/* ---------------------------------------------------------------------------------------------- executors */

static const fc small = {3, 40, 20, true, true, 1, 4, -9, -127, 127};

/* Several executors of one compilation, destroyed in both orders, share the memory of B. */
static void executors_on(const char *version, bool compilation_first) {
    nnrt_sim_live live;
    OH_NNExecutor *executors[3];
    fc_data d;
    built b;
    plug_in("rk3588", version);
    fc_open(&d, &small);
    fc_expect(&d, &small);
    b = build(&d.g, npu(), false, NULL);
    cr_assert_eq(b.code, OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (int i = 0; i < 3; i++) {
        executors[i] = OH_NNExecutor_Construct(b.compilation);
        cr_assert_not_null(executors[i], "%s", nnrt_last_error());
    }
    if (compilation_first) close_built(&b);
    sim.get_live(&live);
    cr_expect_eq(live.contexts, 3u);
    for (int times = 0; times < 2; times++)
        for (int i = 0; i < 3; i++) {
            memset(d.out, 0, 60);
            cr_assert_eq(run_one(executors[i], npu(), d.in, 120, d.out, 60), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_arr_eq(d.out, d.expected, 60, "executor %d", i);
        }
    for (int i = 0; i < 3; i++) OH_NNExecutor_Destroy(&executors[compilation_first ? i : 2 - i]);
    if (!compilation_first) {
        /* the contexts of Build serve again */
        b.executor = OH_NNExecutor_Construct(b.compilation);
        cr_assert_eq(run_one(b.executor, npu(), d.in, 120, d.out, 60), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_arr_eq(d.out, d.expected, 60);
    }
    close_built(&b);
    fc_close(&d);
    unplug();
}

Test(rknpu_matmul, executors_of_one_compilation_share_weights) { executors_on("", false); }
Test(rknpu_matmul, executors_outlive_their_compilation) { executors_on("", true); }
Test(rknpu_matmul, executors_of_one_compilation_share_weights_with_runtime_1_5) { executors_on("1.5.2", false); }

Test(rknpu_matmul, a_run_allocates_nothing) {
    NN_Tensor *in, *out;
    NN_TensorDesc *desc;
    fc_data d;
    built b;
    long before;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    fc_expect(&d, &small);
    b = build(&d.g, npu(), false, NULL);
    b.executor = OH_NNExecutor_Construct(b.compilation);
    cr_assert_not_null(b.executor, "%s", nnrt_last_error());
    desc = OH_NNExecutor_CreateInputTensorDesc(b.executor, 0);
    in = OH_NNTensor_Create(npu(), desc);
    OH_NNTensorDesc_Destroy(&desc);
    desc = OH_NNExecutor_CreateOutputTensorDesc(b.executor, 0);
    out = OH_NNTensor_Create(npu(), desc);
    OH_NNTensorDesc_Destroy(&desc);
    memcpy(OH_NNTensor_GetDataBuffer(in), d.in, 120);
    before = counting_live();
    counting_fail_at(0);
    cr_assert_eq(OH_NNExecutor_RunSync(b.executor, &in, 1, &out, 1), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert(!counting_failed());
    counting_fail_never();
    cr_assert_eq(counting_live(), before);
    cr_assert_arr_eq((int8_t *)OH_NNTensor_GetDataBuffer(out), d.expected, 60);
    OH_NNTensor_Destroy(&in);
    OH_NNTensor_Destroy(&out);
    close_built(&b);
    fc_close(&d);
    unplug();
}

Test(rknpu_matmul, memory_profile_and_counters_tell_what_a_run_moved) {
    static const char *const configs[] = {"nnrt.profile", "1", NULL};
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    nnrt_memory memory;
    char text[64];
    fc_data d;
    built b;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    b = build(&d.g, npu(), false, configs);
    cr_assert_eq(b.code, OH_NN_SUCCESS, "%s", nnrt_last_error());
    b.executor = OH_NNExecutor_Construct(b.compilation);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(run_one(b.executor, npu(), d.in, 120, d.out, 60), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(nnrt_executor_get_profile(b.executor, &steps, &count), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(count, 1u);
    cr_assert_eq(steps[0].op, OH_NN_OPS_FULL_CONNECTION);
    cr_assert_str_eq(steps[0].isa, "npu");
    cr_assert_eq(steps[0].macs, 3u * 40 * 20);
    cr_assert_eq(steps[0].runs, 3u);
    cr_assert_eq(steps[0].weight_scales, 20u);
    cr_assert_eq(steps[0].copied_bytes, 120u + 60u);
    cr_assert_leq(steps[0].min_ns, steps[0].last_ns);
    cr_assert_geq(steps[0].total_ns, 3 * steps[0].min_ns);
    cr_assert_eq(nnrt_executor_get_memory(b.executor, &memory), OH_NN_SUCCESS);
    cr_assert_geq(memory.device_bytes, 3u * 64 + 64 * 32 + 3 * 32 * 4); /* A, B, C, padded */
    cr_assert_geq(memory.weights_bytes, 40u * 20);
    cr_assert_eq(nnrt_executor_get_info(b.executor, "rknn.copied_bytes", text, sizeof text), OH_NN_SUCCESS);
    cr_assert_str_eq(text, "180");
    cr_assert_eq(nnrt_executor_get_info(b.executor, "rknn.syncs", text, sizeof text), OH_NN_SUCCESS);
    cr_assert_str_eq(text, "2"); /* A to the NPU, C from it */
    close_built(&b);
    fc_close(&d);
    unplug();
}

/* A camera writes A into a dma-buf; the result goes into another one, which another device reads. */
Test(rknpu_matmul, dma_bufs_are_read_and_written_coherently) {
    int in_fd, out_fd;
    NN_TensorDesc *desc;
    NN_Tensor *in, *out;
    fc_data d;
    built b;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    fc_expect(&d, &small);
    b = build(&d.g, npu(), false, NULL);
    b.executor = OH_NNExecutor_Construct(b.compilation);
    cr_assert_not_null(b.executor, "%s", nnrt_last_error());
    in_fd = sim.dma_alloc(120);
    out_fd = sim.dma_alloc(60);
    cr_assert(in_fd >= 0 && out_fd >= 0);
    desc = OH_NNExecutor_CreateInputTensorDesc(b.executor, 0);
    in = OH_NNTensor_CreateWithFd(npu(), desc, in_fd, 120, 0);
    OH_NNTensorDesc_Destroy(&desc);
    desc = OH_NNExecutor_CreateOutputTensorDesc(b.executor, 0);
    out = OH_NNTensor_CreateWithFd(npu(), desc, out_fd, 60, 0);
    OH_NNTensorDesc_Destroy(&desc);
    cr_assert(in != NULL && out != NULL, "%s", nnrt_last_error());
    cr_assert_eq(sim.dma_write(in_fd, 0, d.in, 120), 0);
    cr_assert_eq(OH_NNExecutor_RunSync(b.executor, &in, 1, &out, 1), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(sim.dma_read(out_fd, 0, d.out, 60), 0);
    cr_assert_arr_eq(d.out, d.expected, 60);
    OH_NNTensor_Destroy(&in);
    OH_NNTensor_Destroy(&out);
    (void)close(in_fd);
    (void)close(out_fd);
    close_built(&b);
    fc_close(&d);
    unplug();
}

/* ----------------------------------------------------------------------------------------------- refusals */

/* Build answers code, and the sentence holds all of the parts. */
static void refused(const gb_graph *g, bool float16, const char *const *configs, const char *first,
                    const char *second) {
    built b = build(g, npu(), float16, configs);
    cr_assert_eq(b.code, OH_NN_FAILED, "Build answered %d: %s", (int)b.code, nnrt_last_error());
    cr_assert(strstr(nnrt_last_error(), first) != NULL, "\"%s\" lacks \"%s\"", nnrt_last_error(), first);
    cr_assert(strstr(nnrt_last_error(), second) != NULL, "\"%s\" lacks \"%s\"", nnrt_last_error(), second);
    close_built(&b);
    if (configs == NULL && float16) { /* no setting is to blame: GetAvailableOperations says so, too */
        const bool *available = NULL;
        uint32_t count = 0;
        cr_assert_eq(OH_NNModel_GetAvailableOperations(g->model, npu(), &available, &count), OH_NN_SUCCESS);
        cr_assert_not_null(memchr(available, 0, count), "all are available, but: %s", first);
    }
}

static void fc_refused(const fc *f, const char *const *configs, const char *first, const char *second) {
    fc_data d;
    fc_open(&d, f);
    refused(&d.g, false, configs, first, second);
    fc_close(&d);
}

Test(rknpu_matmul, librknnmrt_refuses_graphs_with_a_reason) {
    plug_in("rv1106", "");
    fc_refused(&small, NULL, "FULL_CONNECTION", "put it on the CPU device");
    unplug();
}

Test(rknpu_matmul, runtime_1_4_refuses_graphs_with_a_reason) {
    plug_in("rk3588", "1.4.0");
    fc_refused(&small, NULL, "1.5.0", "put it on the CPU device");
    unplug();
}

Test(rknpu_matmul, int4_is_refused_where_the_chip_lacks_it) {
    fc f = small;
    plug_in("rk3566", "");
    f.low = -8;
    f.high = 7;
    fc_refused(&f, int4_configs, "int8 by int4", "leave rknn.matmul_weights int4 out");
    unplug();
}

Test(rknpu_matmul, int4_is_refused_for_weights_that_it_cannot_hold) {
    plug_in("rk3588", "");
    fc_refused(&small, int4_configs, "outside -8..7", "FULL_CONNECTION");
    unplug();
}

/* A node of two inputs, given by their types and shapes; constant B when its data are given. */
static void two_inputs(gb_graph *g, OH_NN_OperationType op, OH_NN_DataType type, uint32_t a_rank, const int32_t *a_dims,
                       uint32_t b_rank, const int32_t *b_dims, const void *b, uint32_t out_rank,
                       const int32_t *out_dims) {
    uint32_t ids[2], y;
    gb_open(g);
    ids[0] = gb_input(g, gb_tensor(g, type, a_rank, a_dims));
    ids[1] = b != NULL ? gb_constant(g, type, b_rank, b_dims, b) : gb_input(g, gb_tensor(g, type, b_rank, b_dims));
    y = gb_output(g, gb_tensor(g, type, out_rank, out_dims));
    cr_assert_eq(gb_op(g, op, 2, ids, 1, &y), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_finish(g), OH_NN_SUCCESS, "%s", nnrt_last_error());
}

/* Results are right for scales from 2^6 on, also where they saturate, or Build refuses. B of the last kind changes. */
Test(rknpu_matmul, a_scale_that_results_cannot_be_rescaled_to_is_refused) {
    static const int32_t row[2] = {1, 16}, column[2] = {16, 1}, one[2] = {1, 1};
    const double scale = 1;
    int8_t x[16], w[16], out;
    gb_io inputs[2] = {{x, 16}, {w, 16}}, output = gb_buffer(&out, 1);
    memset(w, 100, 16);
    plug_in("rk3588", "");
    for (int kind = 0; kind < 3; kind++)
        for (int e = -6; e <= 40; e++) {
            uint32_t ids[2], y;
            gb_graph g;
            gb_open(&g);
            ids[0] = gb_input(&g, gb_tensor_s8(&g, 2, row, scale, -3));
            ids[1] = kind == 2 ? gb_tensor(&g, OH_NN_INT8, 2, column)
                               : gb_constant(&g, OH_NN_INT8, 2, kind == 0 ? row : column, w);
            gb_quantize(&g, kind == 2 ? gb_input(&g, ids[1]) : ids[1], 1, &scale, NULL);
            y = gb_output(&g, gb_tensor_s8(&g, 2, one, ldexp(1.0, -e), 5));
            gb_op(&g, kind == 0 ? OH_NN_OPS_FULL_CONNECTION : OH_NN_OPS_MATMUL, 2, ids, 1, &y);
            cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
            if (e >= (kind == 2 ? 12 : 13)) /* 16 products of 128 or 100 by 130, shifted left by e + 1, reach 2^31 */
                refused(&g, false, NULL, kind == 0 ? "FULL_CONNECTION" : "MATMUL", "beside 1 of the input");
            for (int value = -128; value <= 127 && e < (kind == 2 ? 12 : 13); value += 51) {
                memset(x, value, 16);
                compute(&g, npu(), false, NULL, kind == 2 ? 2 : 1, inputs, &output, context());
                cr_assert_eq(out, limit(rescale(1600 * (value + 3), ldexp(1.0, e)) + 5, -128, 127), "2^-%d", e);
            }
            gb_close(&g);
        }
    unplug();
}

/* "2x3": dimensions at *text, which moves behind them. */
static uint32_t read_shape(const char **text, int32_t *dims) {
    uint32_t rank = 0;
    char *end = NULL;
    do {
        dims[rank++] = (int32_t)strtol(*text, &end, 10);
        *text = end + 1;
    } while (*end == 'x');
    return rank;
}

Test(rknpu_matmul, refusals_name_the_node_and_what_to_do) {
    enum {
        ADD = OH_NN_OPS_ADD,
        MATMUL = OH_NN_OPS_MATMUL,
        FC = OH_NN_OPS_FULL_CONNECTION,
        F32 = OH_NN_FLOAT32
    };
    static const char *const elsewhere = "put it on the CPU device", *const matmul = "MATMUL (output ";
    static const float zeros[12] = {0};
    const struct {
        int op, type;
        const char *shapes; /* A, B, result */
        const void *b;      /* NULL: an input */
        bool float16;
        const char *const *configs;
        const char *first, *second;
    } cases[] = {
        {ADD, F32, "2x3 2x3 2x3", NULL, true, NULL, "ADD (output ", "convert the model to a .rknn file; put it on the"},
        {MATMUL, F32, "2x3 3x4 2x4", NULL, false, NULL, "OH_NNCompilation_EnableFloat16", matmul},
        {MATMUL, F32, "2x3 3x4 2x4", NULL, true, int4_configs, "int4 needs int8 data and constant weights", "MATMUL"},
        {MATMUL, F32, "2x3 4x4 2x4", NULL, true, NULL, "not as many as the rows", matmul},
        {MATMUL, F32, "2x3 3x4 4x4", NULL, true, NULL, "differs from the declared one", matmul},
        {MATMUL, F32, "2x2x3 3x3x4 3x2x4", NULL, true, NULL, "do not broadcast", matmul},
        {MATMUL, F32, "-1x3 3x4 2x4", NULL, true, NULL, "dynamic dimension", elsewhere},
        {MATMUL, OH_NN_FLOAT16, "1x10241 10241x1 1x1", NULL, true, NULL, "10240", elsewhere},
        {MATMUL, OH_NN_INT32, "2x3 3x4 2x4", NULL, true, NULL, "must all be int8", elsewhere},
        {MATMUL, OH_NN_INT8, "2x3 3x4 2x4", NULL, true, NULL, "one scale and one zero point", elsewhere},
        {FC, F32, "2x3 4x3 2x4", NULL, true, NULL, "weights must be constant", elsewhere},
        {FC, F32, "2x4 4x3 2x4", zeros, true, NULL, "whole rows", "FULL_CONNECTION"}};
    size_t i;
    plug_in("rk3588", "");
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i].shapes;
        int32_t a[3], b[3], out[3];
        const uint32_t a_rank = read_shape(&text, a), b_rank = read_shape(&text, b), rank = read_shape(&text, out);
        gb_graph g;
        two_inputs(&g, (OH_NN_OperationType)cases[i].op, (OH_NN_DataType)cases[i].type, a_rank, a, b_rank, b,
                   cases[i].b, rank, out);
        refused(&g, cases[i].float16, cases[i].configs, cases[i].first, cases[i].second);
        gb_close(&g);
    }
    unplug();
}

/* Of two products and what they write: each tensor comes from one place. */
Test(rknpu_matmul, tensors_that_come_from_two_places_or_from_none_are_refused_by_name) {
    static const struct {
        const char *reason;
        int second_writes, extra_output; /* 0: tensor y, 1: tensor z; -1: there is none */
    } cases[] = {{"is computed twice, or given and computed", 0, -1},
                 {"is a model output twice", 1, 0},
                 {"is a model output that no node computes", -1, 1}};
    static const int32_t d22[2] = {2, 2};
    size_t i;
    plug_in("rk3588", "");
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t ids[2], made[2];
        gb_graph g;
        gb_open(&g);
        ids[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, d22));
        ids[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, d22));
        made[0] = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, d22));
        made[1] = gb_tensor(&g, OH_NN_FLOAT32, 2, d22);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &made[0]), OH_NN_SUCCESS, "%s", nnrt_last_error());
        if (cases[i].second_writes >= 0)
            cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &made[cases[i].second_writes]), OH_NN_SUCCESS, "%s",
                         nnrt_last_error());
        if (cases[i].extra_output >= 0) gb_output(&g, made[cases[i].extra_output]);
        cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
        refused(&g, true, NULL, cases[i].reason, "tensor \"");
        gb_close(&g);
    }
    unplug();
}

Test(rknpu_matmul, the_device_says_which_nodes_it_runs) {
    static const int32_t d22[2] = {2, 2};
    uint32_t ids[3], between, y, count = 0;
    const bool *supported = NULL;
    char reason[256];
    gb_graph g;
    plug_in("rk3588", "");
    gb_open(&g);
    ids[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, d22));
    ids[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, d22));
    between = gb_tensor(&g, OH_NN_FLOAT32, 2, d22);
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, d22));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &between), OH_NN_SUCCESS);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_RELU, 1, &between, 1, &y), OH_NN_SUCCESS);
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNModel_GetAvailableOperations(g.model, npu(), &supported, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, 2u);
    cr_assert(supported[0] && !supported[1]);
    cr_assert_eq(nnrt_model_get_reason(g.model, npu(), 0, reason, sizeof(reason)), OH_NN_SUCCESS);
    cr_assert_str_eq(reason, "");
    cr_assert_eq(nnrt_model_get_reason(g.model, npu(), 1, reason, sizeof(reason)), OH_NN_SUCCESS);
    cr_assert(strstr(reason, "RELU (output ") != NULL && strstr(reason, "put it on the CPU device") != NULL, "%s",
              reason);
    refused(&g, true, NULL, "RELU (output ", "put it on the CPU device");
    gb_close(&g);
    unplug();
}

Test(rknpu_matmul, tensors_of_another_shape_or_type_are_refused_at_the_run) {
    static const int32_t wrong[2] = {40, 3};
    NN_TensorDesc *desc;
    NN_Tensor *in, *out;
    fc_data d;
    built b;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    b = build(&d.g, npu(), false, NULL);
    b.executor = OH_NNExecutor_Construct(b.compilation);
    cr_assert_not_null(b.executor, "%s", nnrt_last_error());
    desc = OH_NNExecutor_CreateOutputTensorDesc(b.executor, 0);
    out = OH_NNTensor_Create(npu(), desc);
    OH_NNTensorDesc_Destroy(&desc);
    for (int i = 0; i < 2; i++) {
        desc = OH_NNExecutor_CreateInputTensorDesc(b.executor, 0);
        if (i == 0) cr_assert_eq(OH_NNTensorDesc_SetShape(desc, wrong, 2), OH_NN_SUCCESS);
        else cr_assert_eq(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32), OH_NN_SUCCESS);
        in = OH_NNTensor_Create(npu(), desc);
        OH_NNTensorDesc_Destroy(&desc);
        cr_assert_eq(OH_NNExecutor_RunSync(b.executor, &in, 1, &out, 1), OH_NN_INVALID_PARAMETER);
        OH_NNTensor_Destroy(&in);
    }
    OH_NNTensor_Destroy(&out);
    cr_assert_eq(run_one(b.executor, npu(), d.in, 120, d.out, 60), OH_NN_SUCCESS, "%s", nnrt_last_error());
    close_built(&b);
    fc_close(&d);
    unplug();
}

Test(rknpu_matmul, graphs_that_cannot_be_are_refused) {
    static const int32_t d22[2] = {2, 2}, unknown[2] = {-1, 2};
    uint32_t h, y, ids[2];
    gb_graph g;
    plug_in("rk3588", "");

    gb_open(&g); /* h = x y, y = x h */
    ids[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, d22));
    h = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, d22));
    ids[1] = y = gb_tensor(&g, OH_NN_FLOAT16, 2, d22);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &h), OH_NN_SUCCESS, "%s", nnrt_last_error());
    ids[1] = h;
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &y), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    refused(&g, false, NULL, "circle", "");
    gb_close(&g);

    gb_open(&g); /* an output that nothing computes */
    ids[0] = ids[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, d22));
    h = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, d22));
    (void)gb_output(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, d22));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &h), OH_NN_SUCCESS);
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    refused(&g, false, NULL, "no node computes", "");
    gb_close(&g);

    gb_open(&g); /* x x, the shape of the result left open: it is inferred */
    ids[0] = ids[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, d22));
    h = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, unknown));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &h), OH_NN_SUCCESS);
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS);
    {
        uint16_t in[4] = {0x3c00, 0x4000, 0x4200, 0x4400}, out[4];   /* 1 2 3 4 */
        const uint16_t square[4] = {0x4700, 0x4900, 0x4b80, 0x4d80}; /* 7 10 15 22 */
        const gb_io input = gb_buffer(in, sizeof in), output = gb_buffer(out, sizeof out);
        compute(&g, npu(), false, NULL, 1, &input, &output, "a square");
        cr_assert_arr_eq(out, square, sizeof out);
    }
    gb_close(&g);
    unplug();
}

/* ----------------------------------------------------------------------------------------------- settings */

Test(rknpu_matmul, graphs_take_a_core_and_memory_without_cache) {
    static const char *const core[] = {"rknn.core_mask", "1", "rknn.cacheable", "0", NULL};
    plug_in("rk3588", "");
    fc_check(&small, core, npu());
    unplug();
}

Test(rknpu_matmul, a_core_that_is_not_there_is_refused) {
    static const char *const core[] = {"rknn.core_mask", "1", NULL};
    plug_in("rk3566", "");
    fc_refused(&small, core, "core_mask", "");
    unplug();
}

/* What the library says of its matrices is not believed: indices computed from it must lie inside its sizes. */
Test(rknpu_matmul, matrices_that_do_not_hold_the_product_are_refused) {
    nnrt__rknpu_mm_step good, step;
    memset(&good, 0, sizeof good);
    good.spec.s8 = true;
    good.spec.m = 3;
    good.spec.k = 40;
    good.spec.n = 20;
    good.element = NNRT__RKNPU_MM_S8;
    good.info.B_layout = NNRT_RKNN_MM_LAYOUT_NATIVE;
    good.io.A.n_dims = good.io.C.n_dims = 3;
    good.io.B.n_dims = 4;
    good.io.A.dims[0] = 4, good.io.A.dims[1] = 3, good.io.A.dims[2] = 16;
    good.io.B.dims[0] = 1, good.io.B.dims[1] = 2, good.io.B.dims[2] = 32, good.io.B.dims[3] = 32;
    good.io.C.dims[0] = 8, good.io.C.dims[1] = 3, good.io.C.dims[2] = 4;
    good.io.A.size = 4 * 3 * 16;
    good.io.B.size = 2 * 32 * 32;
    good.io.C.size = 8 * 3 * 4 * 4;
    cr_assert(nnrt__rknpu_mm_attrs_fit(&good));
    for (int matrix = 0; matrix < 3; matrix++) {
        nnrt_rknn_matmul_tensor_attr *attr = matrix == 0 ? &step.io.A : matrix == 1 ? &step.io.B : &step.io.C;
        step = good;
        attr->size--;
        cr_assert(!nnrt__rknpu_mm_attrs_fit(&step), "matrix %d, a byte too few", matrix);
        step = good;
        attr->size = 0x80000000u;
        cr_assert(!nnrt__rknpu_mm_attrs_fit(&step), "matrix %d, 2 GiB", matrix);
        step = good;
        attr->n_dims = 2;
        cr_assert(!nnrt__rknpu_mm_attrs_fit(&step), "matrix %d, two dimensions", matrix);
        step = good;
        attr->size = 1 << 20;
        attr->dims[1] = 1;
        cr_assert(!nnrt__rknpu_mm_attrs_fit(&step), "matrix %d, too small", matrix);
        for (uint32_t i = 0; i < (matrix == 1 ? 4u : 3u); i++) {
            step = good;
            attr->dims[i] = 0;
            cr_assert(!nnrt__rknpu_mm_attrs_fit(&step), "matrix %d, dimension %u is 0", matrix, i);
            step = good;
            attr->dims[i] = 0xffffffffu;
            cr_assert(!nnrt__rknpu_mm_attrs_fit(&step), "matrix %d, dimension %u is huge", matrix, i);
        }
    }
}

/* ------------------------------------------------------------------------------------------------ threads */

typedef struct worker {
    pthread_t thread;
    OH_NNCompilation *compilation;
    fc_data *d;
    int wrong;
} worker;

static void *work(void *argument) {
    worker *w = (worker *)argument;
    OH_NNExecutor *executor = OH_NNExecutor_Construct(w->compilation);
    int8_t out[60];
    if (executor == NULL) w->wrong++;
    for (int i = 0; i < 20 && executor != NULL; i++) {
        memset(out, 0, sizeof out);
        if (run_one(executor, device_named("cpu_"), w->d->in, 120, out, 60) != OH_NN_SUCCESS ||
            memcmp(out, w->d->expected, 60) != 0)
            w->wrong++;
    }
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
    return NULL;
}

Test(rknpu_matmul, executors_come_run_and_go_in_several_threads_at_once) {
    worker workers[4];
    fc_data d;
    built b;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    fc_expect(&d, &small);
    b = build(&d.g, npu(), false, NULL);
    cr_assert_eq(b.code, OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (int i = 0; i < 4; i++) {
        workers[i].compilation = b.compilation;
        workers[i].d = &d;
        workers[i].wrong = 0;
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(pthread_join(workers[i].thread, NULL), 0);
        cr_assert_eq(workers[i].wrong, 0, "thread %d", i);
    }
    close_built(&b);
    fc_close(&d);
    unplug();
}

/* ------------------------------------------------------------------------------------------------- faults */

/* Build, executor, two runs and one more after a run that failed. Every failure has a code and a sentence. Returns
   whether all of it worked. */
static bool life(fc_data *d, const char *fault) {
    built b = build(&d->g, npu(), false, NULL);
    bool good = b.code == OH_NN_SUCCESS;
    if (!good) cr_assert_neq(nnrt_last_error()[0], '\0', "%s: Build left no sentence", fault);
    if (good) {
        b.executor = OH_NNExecutor_Construct(b.compilation);
        good = b.executor != NULL;
        if (!good) cr_assert_neq(nnrt_last_error()[0], '\0', "%s: Construct left no sentence", fault);
    }
    for (int i = 0; i < (good ? 2 : 3) && b.executor != NULL; i++) {
        OH_NN_ReturnCode code = run_one(b.executor, device_named("cpu_"), d->in, 120, d->out, 60);
        if (code == OH_NN_SUCCESS) {
            cr_assert_arr_eq(d->out, d->expected, 60, "%s: run %d", fault, i + 1);
        } else {
            cr_assert_neq(nnrt_last_error()[0], '\0', "%s: run %d left no sentence", fault, i + 1);
            cr_assert(good, "%s: the run after the one that failed fails, too: %s", fault, nnrt_last_error());
            good = false;
        }
    }
    close_built(&b);
    return good;
}

Test(rknpu_matmul, any_call_that_fails_leaves_a_sentence_and_no_leak, .timeout = 120) {
    static const char *const functions[] = {"rknn_matmul_create",
                                            "rknn_matmul_set_io_mem",
                                            "rknn_matmul_run",
                                            "rknn_create_mem",
                                            "rknn_create_mem2",
                                            "rknn_mem_sync",
                                            "rknn_B_normal_layout_to_native_layout"};
    static const int codes[] = {-1, -4, -5, -9};
    fc_data d;
    unsigned faults = 0;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    fc_expect(&d, &small);
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        unsigned calls;
        sim.fault("");
        cr_assert(life(&d, "no fault"), "%s", nnrt_last_error());
        calls = sim.calls(functions[f]);
        for (unsigned n = 1; n <= calls; n++) {
            for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++) {
                nnrt_sim_live live;
                char fault[96];
                snprintf(fault, sizeof fault, "%s@%u=fail:%d", functions[f], n, codes[c]);
                sim.fault(fault);
                cr_expect(!life(&d, fault), "%s went unnoticed", fault);
                sim.fault("");
                sim.get_live(&live);
                cr_assert(live.contexts == 0 && live.memories == 0, "%s: %u contexts and %u memories are left", fault,
                          live.contexts, live.memories);
                faults++;
            }
        }
    }
    cr_assert_gt(faults, 30u, "the fault is never reached");
    fc_close(&d);
    unplug();
}

/* Two executors, and B that comes at run time: whatever fails, what works is right and nothing is left behind. */
Test(rknpu_matmul, any_call_that_fails_for_two_executors_leaves_no_leak, .timeout = 120) {
    static const char *const functions[] = {
        "rknn_matmul_create", "rknn_matmul_set_io_mem",  "rknn_matmul_run",          "rknn_create_mem",
        "rknn_mem_sync",      "rknn_create_mem_from_fd", "rknn_matmul_set_core_mask"};
    static const char *const configs[] = {"rknn.core_mask", "0", NULL};
    const int32_t x_dims[2] = {2, 5}, y_dims[2] = {5, 3}, w_dims[2] = {6, 3}, h_dims[2] = {2, 3}, out_dims[2] = {2, 6};
    const double scale = 0.03;
    const int32_t zero = 2;
    int8_t x[10], y[15], w[18], out[12], expected[12];
    gb_io inputs[2], output = gb_buffer(out, sizeof out);
    uint32_t ids[2], second[2], result;
    unsigned faults = 0;
    gb_graph g;
    plug_in("rk3588", "");
    noise_s8(x, sizeof x, -128, 127);
    noise_s8(y, sizeof y, -128, 127);
    noise_s8(w, sizeof w, -128, 127);
    gb_open(&g);
    ids[0] = gb_input(&g, gb_tensor_s8(&g, 2, x_dims, 0.05, 3));
    ids[1] = gb_input(&g, gb_quantize(&g, gb_tensor(&g, OH_NN_INT8, 2, y_dims), 1, &scale, &zero));
    second[0] = gb_tensor_s8(&g, 2, h_dims, 0.4, 0);
    second[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, w), 1, &scale, NULL);
    result = gb_output(&g, gb_tensor_s8(&g, 2, out_dims, 0.9, 0));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, ids, 1, &second[0]), OH_NN_SUCCESS);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 2, second, 1, &result), OH_NN_SUCCESS);
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS);
    inputs[0] = gb_buffer(x, sizeof x);
    inputs[1] = gb_buffer(y, sizeof y);
    compute(&g, npu(), false, configs, 2, inputs, &output, "without a fault");
    memcpy(expected, out, sizeof out);
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        for (unsigned n = 1;; n++) {
            OH_NNExecutor *executors[2] = {NULL, NULL};
            nnrt_sim_live live;
            unsigned calls;
            char fault[96];
            built b;
            snprintf(fault, sizeof fault, "%s@%u=fail:-1", functions[f], n);
            sim.fault(fault);
            b = build(&g, npu(), false, configs);
            for (int i = 0; i < 2 && b.code == OH_NN_SUCCESS; i++) {
                executors[i] = OH_NNExecutor_Construct(b.compilation);
                if (executors[i] == NULL) cr_assert_neq(nnrt_last_error()[0], '\0', "%s", fault);
            }
            for (int i = 0; i < 4; i++) {
                OH_NN_ReturnCode code;
                if (executors[i % 2] == NULL) continue;
                code = run(executors[i % 2], device_named("cpu_"), 2, inputs, 1, &output);
                if (code == OH_NN_SUCCESS) cr_assert_arr_eq(out, expected, sizeof out, "%s", fault);
                else cr_assert_neq(nnrt_last_error()[0], '\0', "%s", fault);
            }
            calls = sim.calls(functions[f]);
            sim.fault("");
            for (int i = 0; i < 2; i++)
                if (executors[i] != NULL) OH_NNExecutor_Destroy(&executors[i]);
            close_built(&b);
            sim.get_live(&live);
            cr_assert(live.contexts == 0 && live.memories == 0 && live.fds == 0, "%s: %u contexts, %u memories", fault,
                      live.contexts, live.memories);
            if (calls < n) break;
            faults++;
        }
    }
    cr_assert_gt(faults, 30u, "only %u faults were reached", faults);
    gb_close(&g);
    unplug();
}

/* The device is lost at the n-th call of anything: the program is told, and nothing hangs or leaks memory of ours. */
Test(rknpu_matmul, a_lost_device_is_told, .timeout = 120) {
    static const char *const functions[] = {"rknn_matmul_create", "rknn_matmul_set_io_mem", "rknn_matmul_run"};
    fc_data d;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    fc_expect(&d, &small);
    for (size_t f = 0; f < 3; f++) {
        built b;
        char fault[96];
        OH_NN_ReturnCode code;
        snprintf(fault, sizeof fault, "%s@%d=die", functions[f], f == 1 ? 3 : 1);
        sim.fault(fault);
        b = build(&d.g, npu(), false, NULL);
        if (b.code == OH_NN_SUCCESS) b.executor = OH_NNExecutor_Construct(b.compilation);
        if (b.executor != NULL) {
            code = run_one(b.executor, device_named("cpu_"), d.in, 120, d.out, 60);
            cr_assert_eq(code, OH_NN_CONNECTION_EXCEPTION, "%s: %d, %s", fault, (int)code, nnrt_last_error());
            code = run_one(b.executor, device_named("cpu_"), d.in, 120, d.out, 60);
            cr_assert_eq(code, OH_NN_UNAVAILABLE_DEVICE, "%s: %d, %s", fault, (int)code, nnrt_last_error());
        } else {
            cr_assert_neq(nnrt_last_error()[0], '\0');
            cr_assert_eq(f, 0u, "%s", nnrt_last_error());
        }
        sim.fault("");
        close_built(&b);
    }
    fc_close(&d);
}

/* A product that hangs is left behind at the deadline; once it has come back, runs go on. */
Test(rknpu_matmul, a_product_that_hangs_is_given_up_at_the_deadline, .timeout = 60) {
    static const char *const configs[] = {"rknn.timeout_ms", "200", "rknn.hang_grace_ms", "5000", NULL};
    fc_data d;
    built b;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    fc_expect(&d, &small);
    b = build(&d.g, npu(), false, configs);
    cr_assert_eq(b.code, OH_NN_SUCCESS, "%s", nnrt_last_error());
    b.executor = OH_NNExecutor_Construct(b.compilation);
    cr_assert_not_null(b.executor, "%s", nnrt_last_error());
    cr_assert_eq(run_one(b.executor, npu(), d.in, 120, d.out, 60), OH_NN_SUCCESS, "%s", nnrt_last_error());
    sim.fault("rknn_matmul_run@1=hang:600");
    cr_assert_eq(run_one(b.executor, device_named("cpu_"), d.in, 120, d.out, 60), OH_NN_TIMEOUT);
    sim.fault("");
    (void)usleep(700000);
    memset(d.out, 0, 60);
    cr_assert_eq(run_one(b.executor, device_named("cpu_"), d.in, 120, d.out, 60), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_arr_eq(d.out, d.expected, 60);
    close_built(&b);
    fc_close(&d);
    unplug();
}

/* One that never comes back: the next run says so after the grace, and closing does not wait. */
Test(rknpu_matmul, a_product_that_never_comes_back_is_reported, .timeout = 60) {
    static const char *const configs[] = {"rknn.timeout_ms", "400", "rknn.hang_grace_ms", "100", NULL};
    fc_data d;
    built b;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    b = build(&d.g, npu(), false, configs);
    cr_assert_eq(b.code, OH_NN_SUCCESS, "%s", nnrt_last_error());
    b.executor = OH_NNExecutor_Construct(b.compilation);
    sim.fault("rknn_matmul_run@1=hang");
    cr_assert_eq(run_one(b.executor, device_named("cpu_"), d.in, 120, d.out, 60), OH_NN_TIMEOUT);
    cr_assert_eq(run_one(b.executor, device_named("cpu_"), d.in, 120, d.out, 60), OH_NN_CONNECTION_EXCEPTION, "%s",
                 nnrt_last_error());
    cr_assert_eq(run_one(b.executor, device_named("cpu_"), d.in, 120, d.out, 60), OH_NN_UNAVAILABLE_DEVICE);
    close_built(&b);
    gb_close(&d.g);
    memset(&d.g, 0, sizeof d.g);
    sim.release_hang();
    for (int i = 0; i < 200; i++) { /* whoever was left behind cleans up */
        nnrt_sim_live live;
        sim.get_live(&live);
        if (live.contexts == 0 && live.memories == 0) break;
        (void)usleep(10000);
    }
    fc_close(&d);
    unplug();
}

Test(rknpu_matmul, out_of_memory_anywhere_leaves_nothing_behind, .timeout = 120) {
    fc_data d;
    long n, before;
    plug_in("rk3588", "");
    fc_open(&d, &small);
    fc_expect(&d, &small);
    cr_assert(life(&d, "before"));
    before = counting_live();
    for (n = 0;; n++) {
        nnrt_sim_live live;
        built b;
        bool failed;
        memset(&b, 0, sizeof b);
        b.compilation = OH_NNCompilation_Construct(d.g.model);
        cr_assert_not_null(b.compilation);
        cr_assert_eq(OH_NNCompilation_SetDevice(b.compilation, npu()), OH_NN_SUCCESS);
        counting_fail_at(n);
        b.code = OH_NNCompilation_Build(b.compilation);
        if (b.code == OH_NN_SUCCESS) b.executor = OH_NNExecutor_Construct(b.compilation);
        failed = counting_failed();
        counting_fail_never();
        if (b.code != OH_NN_SUCCESS) cr_assert_eq(b.code, OH_NN_MEMORY_ERROR, "allocation %ld: %d", n, (int)b.code);
        cr_assert(failed || b.executor != NULL, "allocation %ld: %s", n, nnrt_last_error());
        close_built(&b);
        sim.get_live(&live);
        cr_assert(live.contexts == 0 && live.memories == 0, "allocation %ld leaves something in the library", n);
        cr_assert_eq(counting_live(), before, "allocation %ld", n);
        if (!failed) break;
    }
    cr_assert_gt(n, 10);
    fc_close(&d);
    unplug();
}
