/* SPDX-License-Identifier: Apache-2.0 */
/* Operators beside convolutions compiled for the open NPU, run on the NPU in software: what moves bytes, or looks them
   up, has the CPU device's bytes, what computes is the nearest to the real number and at most one from them. */
#define SEED 32002
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"
#include "noise.h"

#include "open_npu_run.h"

#include "open_npu_conv.h"

enum {
    MOST_ENDS = 4
};

static const nnrt__open_npu_chip chips[2] = {NNRT__OPEN_NPU_RV1106, NNRT__OPEN_NPU_RK3588};

/* A model under way, with bytes for its inputs and outputs. */
typedef struct model {
    gb_graph g;
    size_t in_sizes[MOST_ENDS], out_sizes[MOST_ENDS];
    int8_t *in[MOST_ENDS], *npu[MOST_ENDS], *cpu[MOST_ENDS];
    OH_NN_ReturnCode code; /* of compiling */
    uint32_t task_count;
} model;

static size_t count_of(size_t rank, const int32_t *dims) {
    size_t count = 1;
    for (size_t i = 0; i < rank; i++) count *= (size_t)dims[i];
    return count;
}

static uint32_t model_input(model *m, size_t rank, const int32_t *dims, double scale, int32_t zero) {
    const uint32_t i = m->g.input_count;
    m->in_sizes[i] = count_of(rank, dims);
    m->in[i] = (int8_t *)malloc(m->in_sizes[i]);
    for (size_t k = 0; k < m->in_sizes[i]; k++) m->in[i][k] = (int8_t)noise_in(-128, 127);
    return gb_input(&m->g, gb_tensor_s8(&m->g, rank, dims, scale, zero));
}

static uint32_t model_output(model *m, size_t rank, const int32_t *dims, double scale, int32_t zero) {
    const uint32_t i = m->g.output_count;
    m->out_sizes[i] = count_of(rank, dims);
    m->npu[i] = (int8_t *)malloc(m->out_sizes[i]);
    m->cpu[i] = (int8_t *)malloc(m->out_sizes[i]);
    return gb_output(&m->g, gb_tensor_s8(&m->g, rank, dims, scale, zero));
}

static void model_open(model *m) {
    memset(m, 0, sizeof *m);
    gb_open(&m->g);
}

/* Runs on both. m->code says whether the NPU takes it. */
static void model_run(model *m, nnrt__open_npu_chip chip, bool exact) {
    gb_io ins[MOST_ENDS], outs[MOST_ENDS];
    void *image, *inputs[MOST_ENDS], *outputs[MOST_ENDS];
    size_t size;
    for (uint32_t i = 0; i < m->g.input_count; i++) {
        ins[i] = gb_buffer(m->in[i], m->in_sizes[i]);
        inputs[i] = m->in[i];
    }
    for (uint32_t i = 0; i < m->g.output_count; i++) {
        outs[i] = gb_buffer(m->cpu[i], m->out_sizes[i]);
        outputs[i] = m->npu[i];
    }
    cr_assert_eq((int)gb_build(&m->g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_run_many(&m->g, ins, outs), (int)OH_NN_SUCCESS);
    m->code = compile_whole(&m->g, chip, exact, &image, &size);
    if (m->code != OH_NN_SUCCESS) {
        cr_assert_eq((int)m->code, (int)OH_NN_UNSUPPORTED);
        return;
    }
    m->task_count = image_header(image)->task_count;
    image_run(image, size, inputs, outputs);
    nnrt__free(image);
}

static void model_close(model *m) {
    for (uint32_t i = 0; i < m->g.input_count; i++) free(m->in[i]);
    for (uint32_t i = 0; i < m->g.output_count; i++) {
        free(m->npu[i]);
        free(m->cpu[i]);
    }
    gb_close(&m->g);
}

static void is_taken(const model *m) { cr_assert_eq((int)m->code, (int)OH_NN_SUCCESS, "%s", nnrt_last_error()); }

/* All outputs are the CPU device's, or at most `most` from them. */
static void are_near(const model *m, distance *d, uint64_t most) {
    is_taken(m);
    for (uint32_t i = 0; i < m->g.output_count; i++) distance_add(d, m->npu[i], m->cpu[i], m->out_sizes[i]);
    cr_assert_leq(d->most, most);
}

static void op_of(model *m, OH_NN_OperationType op, uint32_t count, const uint32_t *in, uint32_t out) {
    cr_assert_eq((int)gb_op(&m->g, op, count, in, 1, &out), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
}

static void draw_dims(int32_t *dims) {
    dims[0] = 1;
    dims[1] = noise_in(1, 9);
    dims[2] = noise_in(1, 9);
    dims[3] = noise() % 3 == 0 ? 16 * noise_in(1, 3) : noise_in(1, 50);
}

/* ------------------------------------------------------------------------------------- two operands */

static double real_of(OH_NN_OperationType op, double a, double b) {
    return op == OH_NN_OPS_ADD ? a + b : op == OH_NN_OPS_SUB ? a - b : a * b;
}

static void check_two(OH_NN_OperationType op, nnrt__open_npu_chip chip, distance *d) {
    const double scales[3] = {noise_between(0.01, 0.1), noise_between(0.01, 0.1),
                              op == OH_NN_OPS_MUL ? noise_between(0.05, 0.5) : noise_between(0.02, 0.2)};
    const int32_t zeros[3] = {noise_in(-128, 127), noise_in(-128, 127), noise_in(-128, 127)};
    int32_t dims[4];
    uint32_t in[2], out;
    model m;
    model_open(&m);
    draw_dims(dims);
    in[0] = model_input(&m, 4, dims, scales[0], zeros[0]);
    in[1] = model_input(&m, 4, dims, scales[1], zeros[1]);
    out = model_output(&m, 4, dims, scales[2], zeros[2]);
    op_of(&m, op, 2, in, out);
    model_run(&m, chip, false);
    are_near(&m, d, 1);
    for (size_t i = 0; i < m.out_sizes[0]; i++) {
        double real =
            real_of(op, scales[0] * (m.in[0][i] - zeros[0]), scales[1] * (m.in[1][i] - zeros[1])) / scales[2] +
            zeros[2];
        real = real < -128 ? -128 : real > 127 ? 127 : real;
        cr_assert(fabs(m.npu[0][i] - real) <= 0.515, "%d is not %f", m.npu[0][i], real);
    }
    model_close(&m);
}

Test(open_compile_ops, sums_differences_and_products_are_the_nearest_byte) {
    static const OH_NN_OperationType ops[3] = {OH_NN_OPS_ADD, OH_NN_OPS_SUB, OH_NN_OPS_MUL};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < (chips[k] == NNRT__OPEN_NPU_RK3588 ? 2 : 3); i++) {
            distance d = {0, 0, 0};
            for (int n = 0; n < 60; n++) check_two(ops[i], chips[k], &d);
            distance_print(&d, chip_name(chips[k]));
        }
}

Test(open_compile_ops, relu_behind_two_operands) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        int refused = 0;
        for (int n = 0; n < 60; n++) {
            const bool product = n % 2 != 0 && chips[k] == NNRT__OPEN_NPU_RV1106;
            int32_t dims[4];
            uint32_t in[2], out;
            model m;
            model_open(&m);
            draw_dims(dims);
            in[0] = model_input(&m, 4, dims, 0.05, noise_in(-128, 127));
            in[1] = model_input(&m, 4, dims, 0.03, noise_in(-128, 127));
            out = model_output(&m, 4, dims, 0.09, n % 3 == 0 ? -128 : noise_in(-127, 50));
            gb_param_i8(&m.g, product ? OH_NN_MUL_ACTIVATION_TYPE : OH_NN_ADD_ACTIVATIONTYPE, 1);
            op_of(&m, product ? OH_NN_OPS_MUL : OH_NN_OPS_ADD, 2, in, out);
            model_run(&m, chips[k], false);
            if (m.code == OH_NN_SUCCESS) are_near(&m, &d, 1);
            else refused++;
            model_close(&m);
        }
        cr_assert_eq(refused, chips[k] == NNRT__OPEN_NPU_RV1106 ? 20 : 0);
    }
}

/* n says what: whether the other operand is a map, one value or one for each channel, and which comes first. */
static void check_constant(OH_NN_OperationType op, nnrt__open_npu_chip chip, int n) {
    const double scale = 0.05;
    const int32_t zero = 7;
    distance d = {0, 0, 0};
    int32_t dims[4], wide[1];
    int8_t *values;
    uint32_t in[2], out;
    model m;
    model_open(&m);
    draw_dims(dims);
    wide[0] = n % 2 == 0 ? 1 : dims[3];
    values = (int8_t *)malloc((size_t)wide[0]);
    /* below -120 a factor has 8 bits behind its zero point */
    for (int32_t i = 0; i < wide[0]; i++) values[i] = (int8_t)noise_in(n % 4 < 2 ? -128 : -120, 127);
    in[0] = model_input(&m, 4, dims, scale, zero);
    if (n % 5 == 0) in[1] = model_input(&m, 4, dims, scale, zero);
    else {
        in[1] = gb_constant(&m.g, OH_NN_INT8, 1, wide, values);
        gb_quantize(&m.g, in[1], 1, &scale, &zero);
    }
    if (n % 5 > 2) {
        const uint32_t other = in[0];
        in[0] = in[1];
        in[1] = other;
    }
    out = model_output(&m, 4, dims, scale, zero);
    op_of(&m, op, 2, in, out);
    model_run(&m, chip, false);
    if (chip == NNRT__OPEN_NPU_RK3588 && op == OH_NN_OPS_MUL && n % 5 == 0)
        cr_assert_eq((int)m.code, (int)OH_NN_UNSUPPORTED); /* products of two maps */
    else are_near(&m, &d, op == OH_NN_OPS_MAXIMUM ? 0 : 1);
    free(values);
    model_close(&m);
}

Test(open_compile_ops, the_larger_of_two_maps_and_constants) {
    static const OH_NN_OperationType ops[3] = {OH_NN_OPS_ADD, OH_NN_OPS_MUL, OH_NN_OPS_MAXIMUM};
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 120; n++) check_constant(ops[n % 3], chips[k], n);
}

/* PReLU as converters write it: no map between the two leaves the NPU, on the chip without maxima, too. */
Test(open_compile_ops, the_larger_one_of_a_map_and_its_product_is_one_part) {
    for (size_t k = 0; k < 2; k++) {
        const double scale = 0.01;
        int32_t dims[4] = {1, 5, 6, 40}, wide[1] = {40};
        int8_t slopes[40];
        distance d = {0, 0, 0};
        uint32_t t[3];
        model m;
        model_open(&m);
        for (size_t i = 0; i < sizeof slopes; i++) slopes[i] = (int8_t)noise_in(-127, 127);
        t[0] = model_input(&m, 4, dims, 0.05, 9);
        t[1] = gb_constant(&m.g, OH_NN_INT8, 1, wide, slopes);
        gb_quantize(&m.g, t[1], 1, &scale, NULL);
        t[2] = gb_tensor_s8(&m.g, 4, dims, 0.05, 9);
        op_of(&m, OH_NN_OPS_MUL, 2, t, t[2]);
        t[1] = t[2];
        op_of(&m, OH_NN_OPS_MAXIMUM, 2, t, model_output(&m, 4, dims, 0.05, 9));
        model_run(&m, chips[k], false);
        are_near(&m, &d, 1);
        cr_assert_eq(m.task_count, chips[k] == NNRT__OPEN_NPU_RK3588 ? 3u : 2u);
        model_close(&m);
    }
}

/* ------------------------------------------------------------------------------------- functions */

Test(open_compile_ops, functions_of_a_byte_are_the_cpu_devices_byte_by_byte) {
    static const OH_NN_OperationType ops[] = {OH_NN_OPS_RELU,   OH_NN_OPS_RELU6, OH_NN_OPS_SIGMOID, OH_NN_OPS_TANH,
                                              OH_NN_OPS_HSWISH, OH_NN_OPS_GELU,  OH_NN_OPS_ABS,     OH_NN_OPS_SWISH};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        for (int n = 0; n < 64; n++) {
            const OH_NN_OperationType op = ops[n % 8];
            const int32_t zero = noise_in(-128, 127);
            const bool same = n % 3 == 0;
            int32_t dims[4] = {1, 16, 16, 1};
            uint32_t in, out;
            model m;
            model_open(&m);
            dims[3] = noise_in(1, 20);
            in = model_input(&m, 4, dims, 0.05, zero);
            for (size_t i = 0; i < 256; i++) m.in[0][i] = (int8_t)i; /* every byte */
            out = model_output(&m, 4, dims, same ? 0.05 : 0.031, same ? zero : -20);
            op_of(&m, op, 1, &in, out);
            model_run(&m, chips[k], true);
            are_near(&m, &d, 0);
            if (op == OH_NN_OPS_RELU && same) cr_assert_eq(m.task_count, 1u); /* a bound */
            model_close(&m);
        }
    }
}

/* The table is loaded once for both, again for another function, and stays in place beside a convolution. */
Test(open_compile_ops, tables_are_loaded_when_they_change) {
    const int32_t dims[4] = {1, 4, 4, 20};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        uint32_t t[4];
        model m;
        model_open(&m);
        t[0] = model_input(&m, 4, dims, 0.05, 3);
        t[1] = gb_tensor_s8(&m.g, 4, dims, 0.05, 3);
        t[2] = gb_tensor_s8(&m.g, 4, dims, 0.05, 3);
        t[3] = model_output(&m, 4, dims, 0.01, 0);
        op_of(&m, OH_NN_OPS_TANH, 1, &t[0], t[1]);
        op_of(&m, OH_NN_OPS_TANH, 1, &t[1], t[2]);
        op_of(&m, OH_NN_OPS_SIGMOID, 1, &t[2], t[3]);
        model_run(&m, chips[k], true);
        are_near(&m, &d, 0);
        cr_assert_eq(m.task_count, 5u);
        model_close(&m);
    }
}

/* ------------------------------------------------------------------------------------- pools and means */

/* x * f(x), in either order, read elsewhere, too, or not: the CPU device's bytes also on the chip without products. */
Test(open_compile_ops, a_map_times_a_function_of_itself_is_one_table) {
    static const OH_NN_OperationType ops[3] = {OH_NN_OPS_SIGMOID, OH_NN_OPS_TANH, OH_NN_OPS_HARD_SIGMOID};
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 36; n++) {
            const bool alone = n / 6 % 2 == 0;
            const int32_t zero = noise_in(-128, 127);
            const double scale = noise_in(5, 200) / 1000.0;
            int32_t dims[4];
            distance d = {0, 0, 0};
            uint32_t t[2], gate;
            model m;
            draw_dims(dims);
            model_open(&m);
            t[0] = model_input(&m, 4, dims, scale, zero);
            gate = alone ? gb_tensor_s8(&m.g, 4, dims, 1.0 / 256, -128) : model_output(&m, 4, dims, 1.0 / 256, -128);
            op_of(&m, ops[n % 3], 1, t, gate);
            t[1] = gate;
            if (n % 2 == 1) {
                t[1] = t[0];
                t[0] = gate;
            }
            op_of(&m, OH_NN_OPS_MUL, 2, t, model_output(&m, 4, dims, scale * 0.9, noise_in(-128, 127)));
            model_run(&m, chips[k], true);
            are_near(&m, &d, 0);
            cr_assert_eq(m.task_count, alone ? 2u : 4u, "%u tasks", m.task_count); /* a table is loaded, and used */
            model_close(&m);
        }
}

/* Two functions are not one byte's: a product, which RK3588 has not. */
Test(open_compile_ops, a_map_times_a_function_of_another_is_a_product) {
    static const int32_t dims[4] = {1, 3, 4, 20};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        uint32_t t[2], other;
        model m;
        model_open(&m);
        t[0] = model_input(&m, 4, dims, 0.05, 3);
        other = model_input(&m, 4, dims, 0.05, 3);
        t[1] = gb_tensor_s8(&m.g, 4, dims, 1.0 / 256, -128);
        op_of(&m, OH_NN_OPS_SIGMOID, 1, &other, t[1]);
        op_of(&m, OH_NN_OPS_MUL, 2, t, model_output(&m, 4, dims, 0.05, 3));
        model_run(&m, chips[k], false);
        if (chips[k] == NNRT__OPEN_NPU_RK3588) cr_assert_eq((int)m.code, (int)OH_NN_UNSUPPORTED);
        else are_near(&m, &d, 1);
        model_close(&m);
    }
}

static void check_pool(bool average, nnrt__open_npu_chip chip, distance *d, int *refused) {
    const int64_t kernel[2] = {noise_in(1, 5), noise_in(1, 5)}, stride[2] = {noise_in(1, 3), noise_in(1, 3)};
    int64_t pads[4] = {0, 0, 0, 0};
    int32_t dims[4] = {1, noise_in(5, 30), noise_in(5, 70), noise_in(1, 40)}, to[4] = {1, 0, 0, 0};
    uint32_t in, out;
    model m;
    model_open(&m);
    for (int i = 0; i < 4; i++)
        if (!average) pads[i] = noise_in(0, (int32_t)kernel[i / 2] / 2);
    to[1] = (int32_t)((dims[1] + pads[0] + pads[1] - kernel[0]) / stride[0]) + 1;
    to[2] = (int32_t)((dims[2] + pads[2] + pads[3] - kernel[1]) / stride[1]) + 1;
    to[3] = dims[3];
    in = model_input(&m, 4, dims, 0.05, 4);
    out = model_output(&m, 4, to, 0.05, 4);
    gb_param_i64s(&m.g, average ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, 2, kernel);
    gb_param_i64s(&m.g, average ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, 2, stride);
    gb_param_i64s(&m.g, average ? OH_NN_AVG_POOL_PAD : OH_NN_MAX_POOL_PAD, 4, pads);
    op_of(&m, average ? OH_NN_OPS_AVG_POOL : OH_NN_OPS_MAX_POOL, 1, &in, out);
    model_run(&m, chip, true);
    if (m.code == OH_NN_SUCCESS) are_near(&m, d, 0);
    else ++*refused;
    model_close(&m);
}

Test(open_compile_ops, max_pools_have_the_cpu_devices_bytes) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        int refused = 0;
        for (int n = 0; n < 80; n++) check_pool(false, chips[k], &d, &refused);
        cr_assert_eq(refused, 0, "%s", nnrt_last_error());
    }
}

Test(open_compile_ops, averages_have_the_cpu_devices_bytes_and_means_are_near) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        int refused = 0;
        for (int n = 0; n < 60; n++) check_pool(true, chips[k], &d, &refused);
        cr_assert_eq(refused, 0, "%s", nnrt_last_error());
        memset(&d, 0, sizeof d);
        for (int n = 0; n < 40; n++) {
            const int32_t dims[4] = {1, noise_in(1, 12), noise_in(1, 12), noise_in(1, 70)}, axes[2] = {1, 2};
            const int32_t to[4] = {1, 1, 1, dims[3]};
            uint32_t in[2], out;
            model m;
            model_open(&m);
            in[0] = model_input(&m, 4, dims, 0.05, noise_in(-128, 127));
            in[1] = gb_ints(&m.g, 2, axes);
            out = model_output(&m, 4, to, 0.05 + 0.02 * (n % 2), noise_in(-128, 127));
            gb_param_bool(&m.g, OH_NN_REDUCE_MEAN_KEEP_DIMS, true);
            op_of(&m, OH_NN_OPS_REDUCE_MEAN, 2, in, out);
            model_run(&m, chips[k], false);
            are_near(&m, &d, 1);
            model_close(&m);
        }
        distance_print(&d, chip_name(chips[k]));
    }
}

/* ------------------------------------------------------------------------------------- moves */

/* Three maps of 16, 32 and any channels: made here, an input, one that is used twice. */
Test(open_compile_ops, channels_are_joined_and_cut_apart_by_addresses) {
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 20; n++) {
            const int32_t last = noise_in(1, 40);
            const int32_t a[4] = {1, 3, 5, 16}, b[4] = {1, 3, 5, 32}, c[4] = {1, 3, 5, last};
            const int32_t all[4] = {1, 3, 5, 16 + 32 + 16 + last}, part[4] = {1, 3, 5, 32};
            const int32_t begin[4] = {0, 0, 0, 16}, size[4] = {1, 3, 5, 32};
            const int64_t axis = 3;
            distance d = {0, 0, 0};
            uint32_t t[4], cut[3], joined, made;
            model m;
            model_open(&m);
            made = model_input(&m, 4, a, 0.05, 3);
            t[0] = gb_tensor_s8(&m.g, 4, a, 0.05, 3);
            op_of(&m, OH_NN_OPS_RELU, 1, &made, t[0]);
            t[1] = model_input(&m, 4, b, 0.05, 3);
            t[2] = t[0];
            t[3] = model_input(&m, 4, c, 0.05, 3);
            joined = model_output(&m, 4, all, 0.05, 3);
            gb_param_i64(&m.g, OH_NN_CONCAT_AXIS, axis);
            op_of(&m, OH_NN_OPS_CONCAT, 4, t, joined);
            cut[0] = joined;
            cut[1] = gb_ints(&m.g, 4, begin);
            cut[2] = gb_ints(&m.g, 4, size);
            op_of(&m, OH_NN_OPS_SLICE, 3, cut, model_output(&m, 4, part, 0.05, 3));
            model_run(&m, chips[k], true);
            are_near(&m, &d, 0);
            model_close(&m);
        }
}

/* Maps of any channels along rows, columns, and an axis between, as uint8 models want each row several times: more
   blocks than planes, and fewer. */
Test(open_compile_ops, maps_are_joined_along_every_axis) {
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 60; n++) {
            const int32_t rank = noise_in(2, 5), axis = noise_in(0, rank - 2);
            int32_t first[5], second[5], all[5];
            distance d = {0, 0, 0};
            uint32_t t[3], made;
            model m;
            for (int32_t i = 0; i < rank; i++) first[i] = second[i] = all[i] = noise_in(1, i + 1 == rank ? 70 : 5);
            second[axis] = noise_in(1, 5);
            all[axis] = 2 * first[axis] + second[axis];
            model_open(&m);
            made = model_input(&m, (size_t)rank, first, 0.05, 3);
            t[0] = t[2] = gb_tensor_s8(&m.g, (size_t)rank, first, 0.05, 3);
            op_of(&m, OH_NN_OPS_RELU, 1, &made, t[0]);
            t[1] = model_input(&m, (size_t)rank, second, 0.05, 3);
            gb_param_i64(&m.g, OH_NN_CONCAT_AXIS, axis);
            op_of(&m, OH_NN_OPS_CONCAT, 3, t, model_output(&m, (size_t)rank, all, 0.05, 3));
            model_run(&m, chips[k], true);
            are_near(&m, &d, 0);
            model_close(&m);
        }
}

/* Twice the size: the CPU device's bytes, plane by plane, in tasks with the words that the vendor's have for the same
   size (detectors; toolkit 1.6 for RV1106, 2.3 for RK3588). */
Test(open_compile_ops, nearest_neighbours_have_the_vendors_words) {
    static const int32_t dims[4] = {1, 20, 20, 33}, twice[4] = {1, 40, 40, 33}, two = 2, size[2] = {40, 40};
    static const uint32_t words[][3] = {{0x400c, 0x1e5, 0x1e5},
                                        {0x4010, 0x1000000, 0x4000000},
                                        {0x4024, 0x280, 0x280},
                                        {0x4030, 0x27, 0x27},
                                        {0x4034, 0x13, 0x13},
                                        {0x4038, 0x280028, 0x280028},
                                        {0x403c, 0xf000f, 0xf000f},
                                        {0x4040, 0x53, 0x53},
                                        {0x4050, 0x126, 0x126},
                                        {0x4058, 0, 0xf},
                                        {0x405c, 0x130027, 0x130027},
                                        {0x4060, 0x13, 0x53},
                                        {0x4070, 0x10041c1, 0x383},
                                        {0x4084, 0x10001, 1},
                                        {0x40c0, 0x6400, 0x6400},
                                        {0x500c, 0x13, 0x13},
                                        {0x5010, 0x13, 0x13},
                                        {0x5014, 3, 7},
                                        {0x5034, 1, 1},
                                        {0x5044, 0x927809, 0xf801},
                                        {0x5048, 0x1249, 0x1249}};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        uint32_t in[2], out;
        void *image;
        size_t bytes;
        model m;
        model_open(&m);
        in[0] = model_input(&m, 4, dims, 0.05, 3);
        in[1] = gb_constant(&m.g, OH_NN_INT32, 1, &two, size);
        out = model_output(&m, 4, twice, 0.05, 3);
        cr_assert_eq((int)nnrt__graph_add_node(m.g.model->store, OH_NN_OPS_RESIZE_NEAREST, in, 2, &out, 1, NULL, 0),
                     (int)OH_NN_SUCCESS);
        model_run(&m, chips[k], true);
        are_near(&m, &d, 0);
        cr_assert_eq(m.task_count, 3u);
        cr_assert_eq((int)compile_whole(&m.g, chips[k], true, &image, &bytes), (int)OH_NN_SUCCESS);
        for (uint32_t plane = 0; plane < 3; plane++)
            for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
                cr_assert_eq(image_word(image, plane, words[i][0]), words[i][chips[k] == NNRT__OPEN_NPU_RK3588 ? 2 : 1],
                             "%s: 0x%04x", chip_name(chips[k]), words[i][0]);
        nnrt__free(image);
        model_close(&m);
    }
}

/* A sum of two maps of 20 x 20 x 32, but for what follows from its factors: as in 42 tasks of the vendor's for RV1103
   and RV1106 and 47 for RK3588, where 788 of the DPU alone have the same in 0x40c0 as in 0x4024. */
Test(open_compile_ops, sums_have_the_vendors_words) {
    static const int32_t dims[4] = {1, 20, 20, 32};
    static const uint32_t words[][3] = {{0x400c, 0x1e5, 0x1e5},
                                        {0x4024, 0x1900, 0x1900},
                                        {0x4030, 0x13, 0x13},
                                        {0x4034, 0x13, 0x13},
                                        {0x403c, 0x1f001f, 0x1f001f},
                                        {0x4050, 0x30000000, 2},
                                        {0x4058, 0x10003, 0x1f},
                                        {0x405c, 0x130013, 0x130013},
                                        {0x4060, 0x13, 0x53},
                                        {0x4070, 0x8002c0c0, 0x904202c0},
                                        {0x40c0, 0x1900, 0x1900},
                                        {0x500c, 0x13, 0x13},
                                        {0x5010, 0x13, 0x13},
                                        {0x5014, 0x1f, 0x1f},
                                        {0x5034, 0x40000004, 0x40000004},
                                        {0x5040, 0x1900, 0x1900},
                                        {0x5044, 0x907809, 0x7801}};
    for (size_t k = 0; k < 2; k++) {
        uint32_t in[2];
        void *image;
        size_t bytes;
        model m;
        model_open(&m);
        in[0] = model_input(&m, 4, dims, 0.05, 3);
        in[1] = model_input(&m, 4, dims, 0.03, -7);
        op_of(&m, OH_NN_OPS_ADD, 2, in, model_output(&m, 4, dims, 0.09, 5));
        model_run(&m, chips[k], false);
        is_taken(&m);
        cr_assert_eq((int)compile_whole(&m.g, chips[k], false, &image, &bytes), (int)OH_NN_SUCCESS);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            cr_assert_eq(image_word(image, 0, words[i][0]), words[i][chips[k] == NNRT__OPEN_NPU_RK3588 ? 2 : 1],
                         "%s: 0x%04x", chip_name(chips[k]), words[i][0]);
        nnrt__free(image);
        model_close(&m);
    }
}

/* The largest of 5 x 5 in a map of 20 x 20 x 128, in two parts: as in 18 tasks of the vendor's and in 30. */
Test(open_compile_ops, pools_have_the_vendors_words) {
    static const int32_t dims[4] = {1, 20, 20, 128};
    static const int64_t kernel[2] = {5, 5}, stride[2] = {1, 1}, pads[4] = {2, 2, 2, 2};
    static const uint16_t names[] = {0x600c, 0x6010, 0x6014, 0x6018, 0x601c, 0x6020, 0x6024, 0x6034, 0x607c, 0x6084,
                                     0x60dc, 0x700c, 0x7010, 0x7014, 0x7024, 0x7028, 0x6040, 0x6044, 0x7030};
    static const uint32_t words[] = {0xb,    0x13,   0x7f, 0x9, 0x13, 0x7f, 0xa0011, 0x404,
                                     0x1900, 0x1900, 3,    0xb, 0x13, 0x7f, 0x140,   0x1900};
    for (size_t k = 0; k < 2; k++) {
        const bool rk3588 = chips[k] == NNRT__OPEN_NPU_RK3588;
        uint32_t in;
        void *image;
        size_t bytes;
        model m;
        model_open(&m);
        in = model_input(&m, 4, dims, 0.05, 3);
        gb_param_i64s(&m.g, OH_NN_MAX_POOL_KERNEL_SIZE, 2, kernel);
        gb_param_i64s(&m.g, OH_NN_MAX_POOL_STRIDE, 2, stride);
        gb_param_i64s(&m.g, OH_NN_MAX_POOL_PAD, 4, pads);
        op_of(&m, OH_NN_OPS_MAX_POOL, 1, &in, model_output(&m, 4, dims, 0.05, 3));
        model_run(&m, chips[k], true);
        is_taken(&m);
        cr_assert_eq((int)compile_whole(&m.g, chips[k], true, &image, &bytes), (int)OH_NN_SUCCESS);
        cr_assert_eq(image_header(image)->task_count, 2u);
        for (uint32_t task = 0; task < 2; task++)
            for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                const uint32_t theirs = names[i] == 0x6040   ? (task == 0 ? 0x2022 : 0x2220) /* padding */
                                        : names[i] == 0x7030 ? (rk3588 ? 1 : 0x40)
                                        : names[i] == 0x6044 ? (rk3588 ? 0 : 0x7ff80)
                                                             : words[i];
                cr_assert_eq(image_word(image, task, names[i]), theirs, "%s: task %u, 0x%04x", chip_name(chips[k]),
                             task, names[i]);
            }
        nnrt__free(image);
        model_close(&m);
    }
}

/* More blocks than one task of the DPU has channels for. */
Test(open_compile_ops, a_thousand_rows_stand_there_twice) {
    static const int32_t dims[5] = {1, 1000, 1, 2, 20}, twice[5] = {1, 1000, 2, 2, 20};
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        uint32_t t[2];
        model m;
        model_open(&m);
        t[0] = t[1] = model_input(&m, 5, dims, 0.05, 3);
        gb_param_i64(&m.g, OH_NN_CONCAT_AXIS, 2);
        op_of(&m, OH_NN_OPS_CONCAT, 2, t, model_output(&m, 5, twice, 0.05, 3));
        model_run(&m, chips[k], true);
        are_near(&m, &d, 0);
        cr_assert_eq(m.task_count, 8u); /* two planes, two copies, 512 and 488 rows */
        model_close(&m);
    }
}

/* What is no multiple of 16: a map several times, and zero points in front of channels and behind them. */
Test(open_compile_ops, channels_are_moved_by_any_number) {
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 40; n++) {
            const int32_t rank = noise_in(1, 4), copies = noise_in(2, 3), channels = noise_in(1, 60);
            const int64_t before = noise_in(0, 40), after = noise_in(0, 40);
            const int32_t zero = noise_in(-128, 127), pairs[2] = {rank, 2};
            int32_t dims[4], wide[4], padded[4];
            int64_t amounts[8] = {0};
            distance d = {0, 0, 0};
            uint32_t t[3], operands[2];
            model m;
            for (int32_t i = 0; i < rank; i++) dims[i] = wide[i] = padded[i] = noise_in(1, 6);
            dims[rank - 1] = channels;
            wide[rank - 1] = channels * copies;
            padded[rank - 1] = channels + (int32_t)(before + after);
            amounts[2 * rank - 2] = before;
            amounts[2 * rank - 1] = after;
            model_open(&m);
            t[0] = t[1] = t[2] = model_input(&m, (size_t)rank, dims, 0.05, zero);
            gb_param_i64(&m.g, OH_NN_CONCAT_AXIS, rank - 1);
            op_of(&m, OH_NN_OPS_CONCAT, (uint32_t)copies, t, model_output(&m, (size_t)rank, wide, 0.05, zero));
            operands[0] = t[0];
            operands[1] = gb_constant(&m.g, OH_NN_INT64, 2, pairs, amounts);
            op_of(&m, OH_NN_OPS_PAD, 2, operands, model_output(&m, (size_t)rank, padded, 0.05, zero));
            model_run(&m, chips[k], true);
            are_near(&m, &d, 0);
            model_close(&m);
        }
}

/* Rows and columns are padded by what reads them, and by zero points alone. */
Test(open_compile_ops, other_padding_is_refused) {
    for (int n = 0; n < 3; n++) {
        static const int32_t dims[4] = {1, 3, 4, 16}, pairs[2] = {4, 2};
        const int32_t to[4] = {1, 3, n == 0 ? 5 : 4, n == 0 ? 16 : 18};
        const int64_t amounts[8] = {0, 0, 0, 0, 0, n == 0, 0, n == 0 ? 0 : 2};
        uint32_t t[2];
        model m;
        model_open(&m);
        t[0] = model_input(&m, 4, dims, 0.05, 3);
        t[1] = gb_constant(&m.g, OH_NN_INT64, 2, pairs, amounts);
        if (n == 1) gb_param_f32(&m.g, OH_NN_PAD_CONSTANT_VALUE, 1.0f);
        if (n == 2) gb_param_i32(&m.g, OH_NN_PAD_PADDING_MODE, 1);
        op_of(&m, OH_NN_OPS_PAD, 2, t, model_output(&m, 4, to, 0.05, 3));
        model_run(&m, chips[0], false);
        cr_assert_eq((int)m.code, (int)OH_NN_UNSUPPORTED);
        model_close(&m);
    }
}

/* Weights as [out][kh][kw][in], padding that the kernel covers. */
static void check_transposed(nnrt__open_npu_chip chip, int32_t stride, bool depthwise, distance *d, int *refused) {
    const int32_t kernel = noise_in(stride > 2 ? stride : 1, 4), pad = noise_in(0, kernel - 1) / 2;
    const int32_t dims[4] = {1, noise_in(2, 9), noise_in(2, 9), noise_in(depthwise ? 2 : 1, 40)};
    const int32_t outputs = depthwise ? dims[3] : noise_in(1, 40);
    const int32_t to[4] = {1, (dims[1] - 1) * stride + kernel - 2 * pad, (dims[2] - 1) * stride + kernel - 2 * pad,
                           outputs};
    const int32_t depth = depthwise ? 1 : dims[3], w_dims[4] = {outputs, kernel, kernel, depth};
    const size_t count = count_of(4, w_dims);
    const int64_t strides[2] = {stride, stride}, pads[4] = {pad, pad, pad, pad}, dilation[2] = {1, 1};
    const double scale = 0.01;
    int8_t *weights = (int8_t *)malloc(count);
    int32_t *bias = (int32_t *)calloc((size_t)outputs, sizeof *bias);
    uint32_t in[3], out;
    model m;
    model_open(&m);
    for (size_t i = 0; i < count; i++) weights[i] = (int8_t)noise_in(-127, 127);
    for (int32_t i = 0; i < outputs; i++) bias[i] = noise_in(-2000, 2000);
    in[0] = model_input(&m, 4, dims, 0.03, noise_in(-128, 127));
    in[1] = gb_constant(&m.g, OH_NN_INT8, 4, w_dims, weights);
    gb_quantize(&m.g, in[1], 1, &scale, NULL);
    in[2] = gb_constant(&m.g, OH_NN_INT32, 1, &outputs, bias);
    out = model_output(&m, 4, to, 0.03 * 0.01 * 74 * 74 * 2 * sqrt((double)(kernel * kernel * depth)) / 127,
                       noise_in(-128, 127));
    gb_param_i64s(&m.g, OH_NN_CONV2D_TRANSPOSE_STRIDES, 2, strides);
    gb_param_i64s(&m.g, OH_NN_CONV2D_TRANSPOSE_DILATION, 2, dilation);
    gb_param_i64s(&m.g, OH_NN_CONV2D_TRANSPOSE_PAD, 4, pads);
    if (depthwise) gb_param_i64(&m.g, OH_NN_CONV2D_TRANSPOSE_GROUP, outputs);
    op_of(&m, OH_NN_OPS_CONV2D_TRANSPOSE, 3, in, out);
    model_run(&m, chip, false);
    if (m.code == OH_NN_SUCCESS) are_near(&m, d, 1);
    else ++*refused;
    free(weights);
    free(bias);
    model_close(&m);
}

/* RK3588 makes each row and column within the strides by itself, RV1106 where the strides are more than 2, and both do
   where each channel has a kernel. What is refused has a stride of 2 and a kernel of 1: its taps leave pixels out. */
Test(open_compile_ops, transposed_convolutions) {
    for (size_t k = 0; k < 2; k++)
        for (int32_t stride = 1; stride <= 4; stride++) {
            distance d = {0, 0, 0};
            int refused = 0;
            for (int n = 0; n < 30; n++) check_transposed(chips[k], stride, n % 3 == 0, &d, &refused);
            distance_print(&d, "transposed");
            cr_assert_leq(refused, stride == 2 ? 15 : 0, "%s, stride %d: %d", chip_name(chips[k]), stride, refused);
        }
}
