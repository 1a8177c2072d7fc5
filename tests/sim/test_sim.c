/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the simulated Rockchip board works as the vendor's documents say, by the vendor's own call
   sequences, and that it catches the mistakes that users of real boards make. Nothing of nnrt is in here.

   The networks are identities where results are compared (what goes in as a logical tensor comes out), so
   that every expected byte is known without computing. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/rknpu/vendor.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* -------------------------------------------------------------------------------------------------- tools */

static void open_board(vendor_api *v, const char *chip, const char *version) {
    setenv("NNRT_SIM_REPORT", "0", 1);
    if (!vendor_open(v, chip, version)) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
}

/* The board is chosen when the library is loaded: a test for every chip. */
static void on_chip(const char *chip, void (*body)(const vendor_api *v, const char *chip)) {
    vendor_api v;
    nnrt_sim_live live;
    open_board(&v, chip, "");
    body(&v, chip);
    v.get_live(&live);
    cr_assert_eq(live.contexts + live.memories + live.fds, 0, "something is left alive");
}

#define ON_CHIP(suite, name, body, chip) \
    Test(suite, name##_on_##chip, .timeout = 60) { on_chip(#chip, body); }
#define ON_FULL(suite, name, body)     \
    ON_CHIP(suite, name, body, rk3562) \
    ON_CHIP(suite, name, body, rk3566) \
    ON_CHIP(suite, name, body, rk3568) \
    ON_CHIP(suite, name, body, rk3576) \
    ON_CHIP(suite, name, body, rk3588)
#define ON_MINI(suite, name, body)     \
    ON_CHIP(suite, name, body, rv1103) \
    ON_CHIP(suite, name, body, rv1106)
#define ON_ALL(suite, name, body) \
    ON_FULL(suite, name, body)    \
    ON_MINI(suite, name, body)

static void none_wrong(const vendor_api *v) { cr_assert_eq(v->mistakes(), 0, "%s", v->mistake(0)); }

static vendor_context load(const vendor_api *v, const char *name, const char *chip, uint32_t flags) {
    char path[512];
    vendor_context context = 0;
    cr_assert_eq(v->init(&context, (void *)vendor_model(path, sizeof(path), name, chip), 0, flags, NULL), 0, "%s",
                 path);
    cr_assert_neq(context, 0);
    return context;
}

/* Value of the logical element: all int8 values turn up. */
static int8_t element(uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
    return (int8_t)((n * 59 + c * 37 + h * 101 + w * 7) % 256 - 128);
}

typedef struct shape {
    uint32_t n, h, w, c;
} shape;

/* Index of an element in a tensor that attr describes; the rule of the vendor's documents. */
static size_t place(const vendor_attr *attr, uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
    const uint32_t *d = attr->dims;
    if (attr->fmt == NNRT_RKNN_NC1HWC2)
        return (((((size_t)n * d[1] + c / d[4]) * d[2] + h) * d[3] + w) * d[4]) + c % d[4];
    if (attr->fmt == NNRT_RKNN_NCHW) return (((size_t)n * d[1] + c) * d[2] + h) * d[3] + w;
    return (((size_t)n * d[1] + h) * (attr->w_stride ? attr->w_stride : d[2]) + w) * d[3] + c;
}

/* Both directions: fills data with the elements, or counts those that differ. */
static unsigned each_element(const vendor_attr *attr, const shape *s, int8_t *data, bool fill) {
    uint32_t n, c, h, w;
    unsigned wrong = 0;
    for (n = 0; n < s->n; ++n) {
        for (h = 0; h < s->h; ++h) {
            for (w = 0; w < s->w; ++w) {
                for (c = 0; c < s->c; ++c) {
                    int8_t *at = data + place(attr, n, c, h, w);
                    if (fill) *at = element(n, c, h, w);
                    else wrong += *at != element(n, c, h, w) ? 1u : 0u;
                }
            }
        }
    }
    return wrong;
}

/* One bound tensor. */
typedef struct tensor {
    vendor_attr attr;
    vendor_mem *mem;
} tensor;

static void bind(const vendor_api *v, vendor_context context, int query, uint8_t pass_through, tensor *t) {
    cr_assert_eq(vendor_query(v, context, query, 0, &t->attr), 0, "query %d", query);
    t->attr.pass_through = pass_through;
    t->mem = v->create_mem(context, t->attr.size_with_stride);
    cr_assert_not_null(t->mem);
    cr_assert_eq(v->set_io_mem(context, t->mem, &t->attr), 0);
}

/* An identity with input and output bound natively. */
typedef struct network {
    vendor_context context;
    tensor in, out;
} network;

static void open_native(const vendor_api *v, const char *name, const char *chip, network *net) {
    net->context = load(v, name, chip, 0);
    bind(v, net->context, NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 1, &net->in);
    bind(v, net->context, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &net->out);
}

static void close_native(const vendor_api *v, network *net) {
    cr_assert_eq(v->destroy_mem(net->context, net->in.mem), 0);
    cr_assert_eq(v->destroy_mem(net->context, net->out.mem), 0);
    cr_assert_eq(v->destroy(net->context), 0);
}

static const shape wide = {1, 2, 301, 3}, deep = {1, 3, 5, 40};

static size_t s_bytes(const shape *s) { return (size_t)s->n * s->h * s->w * s->c; }

/* --------------------------------------------------------------------------------- the vendor's sequences */

static void general(const vendor_api *v, const char *chip) {
    vendor_context context = load(v, "same_int8", chip, 0);
    nnrt_rknn_input_output_num count;
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    vendor_attr in, out;
    int8_t *data;
    uint32_t c, h, w;
    cr_assert_eq(v->query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), 0);
    cr_assert(count.n_input == 1 && count.n_output == 1);
    cr_assert_eq(vendor_query(v, context, NNRT_RKNN_QUERY_INPUT_ATTR, 0, &in), 0);
    cr_assert_eq(vendor_query(v, context, NNRT_RKNN_QUERY_OUTPUT_ATTR, 0, &out), 0);
    cr_assert(in.fmt == NNRT_RKNN_NHWC && in.dims[3] == 40 && out.fmt == NNRT_RKNN_NCHW && out.dims[1] == 40);
    data = (int8_t *)malloc(in.size);
    each_element(&in, &deep, data, true);
    memset(&input, 0, sizeof(input));
    input.buf = data;
    input.size = in.size;
    input.type = NNRT_RKNN_INT8;
    input.fmt = NNRT_RKNN_NHWC;
    cr_assert_eq(v->inputs_set(context, 1, &input), 0);
    memset(data, 0, in.size); /* it was copied */
    cr_assert_eq(v->run(context, NULL), 0);
    memset(&output, 0, sizeof(output));
    output.want_float = 1;
    cr_assert_eq(v->outputs_get(context, 1, &output, NULL), 0);
    cr_assert_eq(output.size, out.n_elems * 4);
    for (c = 0; c < 40; ++c) {
        for (h = 0; h < 3; ++h) {
            for (w = 0; w < 5; ++w) {
                float expected = (float)(element(0, c, h, w) - out.zp) * out.scale;
                cr_assert_eq(((float *)output.buf)[place(&out, 0, c, h, w)], expected);
            }
        }
    }
    cr_assert_eq(v->outputs_release(context, 1, &output), 0);
    output.want_float = 0;
    cr_assert_eq(v->outputs_get(context, 1, &output, NULL), 0);
    cr_assert_eq(each_element(&out, &deep, (int8_t *)output.buf, false), 0);
    cr_assert_eq(v->outputs_release(context, 1, &output), 0);
    cr_assert_eq(v->destroy(context), 0);
    free(data);
    none_wrong(v);
}

ON_FULL(sim_sequences, general_api_gives_what_was_put_in, general)

static void native(const vendor_api *v, const char *chip) {
    static const struct {
        const char *name;
        const shape *s;
    } models[] = {{"same_wide", &wide}, {"same_int8", &deep}};
    size_t i;
    for (i = 0; i < COUNT(models); ++i) {
        network net;
        uint8_t *before;
        open_native(v, models[i].name, chip, &net);
        each_element(&net.in.attr, models[i].s, (int8_t *)net.in.mem->virt_addr, true);
        cr_assert_eq(v->run(net.context, NULL), 0);
        cr_assert_eq(each_element(&net.out.attr, models[i].s, (int8_t *)net.out.mem->virt_addr, false), 0);
        before = (uint8_t *)malloc(net.out.attr.size_with_stride);
        memcpy(before, net.out.mem->virt_addr, net.out.attr.size_with_stride);
        cr_assert_eq(v->run(net.context, NULL), 0);
        cr_assert_eq(each_element(&net.out.attr, models[i].s, (int8_t *)net.out.mem->virt_addr, false), 0);
        /* Padding is noise that changes: nobody can rely on it. */
        cr_assert(net.out.attr.size_with_stride == s_bytes(models[i].s) ||
                  memcmp(before, net.out.mem->virt_addr, net.out.attr.size_with_stride) != 0);
        free(before);
        close_native(v, &net);
    }
    none_wrong(v);
}

ON_ALL(sim_sequences, native_zero_copy_gives_what_was_put_in_and_noise_as_padding, native)

/* uint8 pixels with the pitch of the rows; float32 on the full runtime in NCHW, on the mini one in NHWC. */
static void pixels(const vendor_api *v, const char *chip) {
    const bool mini = strncmp(chip, "rv", 2) == 0;
    vendor_context context = load(v, "same_wide", chip, 0);
    tensor in, out;
    vendor_attr dense;
    uint32_t c, h, w;
    cr_assert_eq(vendor_query(v, context, NNRT_RKNN_QUERY_INPUT_ATTR, 0, &in.attr), 0);
    cr_assert_eq(in.attr.fmt, NNRT_RKNN_NHWC);
    cr_assert_eq(in.attr.w_stride % 8, 0);
    cr_assert_gt(in.attr.w_stride, 301);
    cr_assert_eq(in.attr.size_with_stride, 2 * 3 * in.attr.w_stride);
    in.attr.type = NNRT_RKNN_UINT8;
    in.mem = v->create_mem(context, in.attr.size_with_stride);
    cr_assert_eq(v->set_io_mem(context, in.mem, &in.attr), 0);
    cr_assert_eq(vendor_query(v, context, mini ? NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR : NNRT_RKNN_QUERY_OUTPUT_ATTR,
                              0, &out.attr),
                 0);
    out.attr.type = NNRT_RKNN_FLOAT32;
    out.mem = v->create_mem(context, out.attr.n_elems * 4);
    cr_assert_eq(v->set_io_mem(context, out.mem, &out.attr), 0);
    for (h = 0; h < 2; ++h) {
        for (w = 0; w < 301; ++w) {
            for (c = 0; c < 3; ++c)
                ((uint8_t *)in.mem->virt_addr)[place(&in.attr, 0, c, h, w)] = (uint8_t)(element(0, c, h, w) + 128);
        }
    }
    cr_assert_eq(v->run(context, NULL), 0);
    dense = out.attr;
    dense.w_stride = 0;
    for (h = 0; h < 2; ++h) {
        for (w = 0; w < 301; ++w) {
            for (c = 0; c < 3; ++c) {
                float got = ((float *)out.mem->virt_addr)[place(&dense, 0, c, h, w)];
                cr_assert(fabsf(got - (float)(element(0, c, h, w) + 128) / 255.0f) < 1e-5f, "%s %u %u %u: %f", chip, c,
                          h, w, (double)got);
            }
        }
    }
    cr_assert_eq(v->destroy_mem(context, in.mem), 0);
    cr_assert_eq(v->destroy_mem(context, out.mem), 0);
    cr_assert_eq(v->destroy(context), 0);
    none_wrong(v);
}

ON_ALL(sim_sequences, pixels_go_in_and_floats_come_out, pixels)

Test(sim_sequences, dynamic_shapes_change_sizes_and_ask_for_binding_again) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_input_range *range = (nnrt_rknn_input_range *)malloc(2 * sizeof(*range));
    vendor_attr attr[2];
    tensor io[3];
    uint32_t k, i;
    open_board(&v, "rk3588", "");
    context = load(&v, "dynamic_rows", "rk3588", 0);
    for (i = 0; i < 2; ++i) {
        memset(&range[i], 0, sizeof(range[i]));
        range[i].index = i;
        cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE, &range[i], sizeof(range[i])), 0);
        cr_assert_eq(range[i].shape_number, 3);
    }
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR, 0, &attr[0]), -1);
    for (k = 0; k < 3; ++k) {
        for (i = 0; i < 2; ++i) {
            memset(&attr[i], 0, sizeof(attr[i]));
            attr[i].index = i;
            attr[i].n_dims = range[i].n_dims;
            attr[i].fmt = range[i].fmt;
            memcpy(attr[i].dims, range[i].dyn_range[k], sizeof(attr[i].dims));
            memcpy(attr[i].name, range[i].name, sizeof(attr[i].name));
        }
        cr_assert_eq(v.set_input_shapes(context, 2, attr), 0);
        if (k > 0) cr_assert_eq(v.run(context, NULL), -8, "memory of the shape before is no binding");
        for (i = 0; i < 3; ++i) {
            cr_assert_eq(vendor_query(&v, context,
                                      i < 2 ? NNRT_RKNN_QUERY_CURRENT_NATIVE_INPUT_ATTR
                                            : NNRT_RKNN_QUERY_CURRENT_NATIVE_OUTPUT_ATTR,
                                      i < 2 ? i : 0, &io[i].attr),
                         0);
            cr_assert_eq(io[i].attr.dims[0], range[0].dyn_range[k][0]);
            io[i].attr.pass_through = i < 2;
            io[i].mem = v.create_mem(context, io[i].attr.size_with_stride);
            cr_assert_eq(v.set_io_mem(context, io[i].mem, &io[i].attr), 0);
            memset(io[i].mem->virt_addr, 0, io[i].attr.size_with_stride);
        }
        cr_assert_eq(v.run(context, NULL), 0);
        for (i = 0; i < 3; ++i) cr_assert_eq(v.destroy_mem(context, io[i].mem), 0);
    }
    attr[0].dims[0] = 5;
    cr_assert_eq(v.set_input_shapes(context, 2, attr), -5);
    cr_assert_eq(v.dup_context(&context, &context), -1);
    cr_assert_eq(v.destroy(context), 0);
    free(range);
}

Test(sim_sequences, models_that_run_in_turn_share_internal_memory_and_weights_come_by_themselves) {
    vendor_api v;
    vendor_context context[2];
    nnrt_rknn_mem_size size[2];
    vendor_mem *big, *internal[2], *weights[2];
    network net[2];
    uint32_t i, most;
    open_board(&v, "rk3566", "");
    for (i = 0; i < 2; ++i) {
        context[i] = load(&v, i ? "same_wide" : "same_int8", "rk3566", NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE);
        cr_assert_eq(v.query(context[i], NNRT_RKNN_QUERY_MEM_SIZE, &size[i], sizeof(size[i])), 0);
    }
    most = size[0].total_internal_size > size[1].total_internal_size ? size[0].total_internal_size
                                                                     : size[1].total_internal_size;
    big = v.create_mem(context[0], most + 64);
    v.strict(1);
    cr_assert_eq(v.run(context[0], NULL), -1, "internal memory is missing");
    v.strict(0);
    for (i = 0; i < 2; ++i) {
        internal[i] = v.create_mem_from_fd(context[i], big->fd, big->virt_addr, most, 0);
        cr_assert_not_null(internal[i]);
        cr_assert_eq(v.set_internal_mem(context[i], internal[i]), 0);
        weights[i] = v.create_mem(context[i], size[i].total_weight_size + 64);
        cr_assert_eq(v.set_weight_mem(context[i], weights[i]), 0);
        net[i].context = context[i];
        bind(&v, context[i], NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 1, &net[i].in);
        bind(&v, context[i], NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &net[i].out);
        each_element(&net[i].in.attr, i ? &wide : &deep, (int8_t *)net[i].in.mem->virt_addr, true);
    }
    for (i = 0; i < 4; ++i) {
        network *n = &net[i % 2];
        cr_assert_eq(v.run(n->context, NULL), 0);
        cr_assert_eq(each_element(&n->out.attr, i % 2 ? &wide : &deep, (int8_t *)n->out.mem->virt_addr, false), 0);
    }
    for (i = 0; i < 2; ++i) {
        cr_assert_eq(v.destroy_mem(context[i], internal[i]), 0);
        cr_assert_eq(v.destroy_mem(context[i], weights[i]), 0);
    }
    cr_assert_eq(v.destroy_mem(context[0], big), 0);
    close_native(&v, &net[0]);
    close_native(&v, &net[1]);
    cr_assert_eq(v.mistakes(), 1, "only the run without internal memory");
}

static void duplicates(const vendor_api *v, const char *chip) {
    vendor_context context = load(v, "same_int8", chip, 0), copy = 0;
    nnrt_rknn_mem_size size;
    nnrt_sim_live one, two;
    v->get_live(&one);
    cr_assert_eq(v->dup_context(&context, &copy), 0);
    v->get_live(&two);
    cr_assert_eq(v->query(context, NNRT_RKNN_QUERY_MEM_SIZE, &size, sizeof(size)), 0);
    cr_assert_eq(two.bytes - one.bytes, size.total_internal_size, "weights are shared");
    cr_assert_eq(v->destroy(context), 0);
    {
        network net;
        net.context = copy;
        bind(v, copy, NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 1, &net.in);
        bind(v, copy, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &net.out);
        each_element(&net.in.attr, &deep, (int8_t *)net.in.mem->virt_addr, true);
        cr_assert_eq(v->run(copy, NULL), 0);
        cr_assert_eq(each_element(&net.out.attr, &deep, (int8_t *)net.out.mem->virt_addr, false), 0);
        close_native(v, &net);
    }
    none_wrong(v);
}

ON_FULL(sim_sequences, duplicates_live_on_without_the_first, duplicates)

/* --------------------------------------------------------------------------------------- custom operators */

static unsigned custom_calls[4]; /* init, prepare, compute, destroy */

static int custom_init(nnrt_rknn_custom_op_context *op, nnrt_rknn_custom_op_tensor *in, uint32_t n_in,
                       nnrt_rknn_custom_op_tensor *out, uint32_t n_out) {
    (void)op;
    ++custom_calls[0];
    return n_in == 1 && n_out == 1 && in->attr.n_elems == 240 && out->attr.n_elems == 240 ? 0 : -1;
}

static int custom_prepare(nnrt_rknn_custom_op_context *op, nnrt_rknn_custom_op_tensor *in, uint32_t n_in,
                          nnrt_rknn_custom_op_tensor *out, uint32_t n_out) {
    (void)op, (void)in, (void)n_in, (void)out, (void)n_out;
    ++custom_calls[1];
    return 0;
}

static vendor_api custom_board; /* callbacks get no pointer of the program before the first call */

static int custom_compute(nnrt_rknn_custom_op_context *op, nnrt_rknn_custom_op_tensor *in, uint32_t n_in,
                          nnrt_rknn_custom_op_tensor *out, uint32_t n_out) {
    const float *x = (const float *)((uint8_t *)in->mem.virt_addr + in->mem.offset);
    float *y = (float *)((uint8_t *)out->mem.virt_addr + out->mem.offset);
    nnrt_rknn_custom_op_attr factor, offset, nothing;
    uint32_t i, plane = in->attr.dims[2] * in->attr.dims[3];
    ++custom_calls[2];
    memset(&factor, 0, sizeof(factor));
    offset = nothing = factor;
    custom_board.custom_op_get_op_attr(op, "factor", &factor);
    custom_board.custom_op_get_op_attr(op, "offset", &offset);
    custom_board.custom_op_get_op_attr(op, "nothing", &nothing);
    if (n_in != 1 || n_out != 1 || in->attr.fmt != NNRT_RKNN_NCHW || factor.n_elems != 1 || offset.n_elems != 8 ||
        nothing.n_elems != 0)
        return -1;
    for (i = 0; i < in->attr.n_elems; ++i)
        y[i] = x[i] * *(float *)factor.data + (float)((int32_t *)offset.data)[i / plane];
    return 0;
}

static int custom_destroy(nnrt_rknn_custom_op_context *op) {
    (void)op;
    ++custom_calls[3];
    return 0;
}

Test(sim_sequences, custom_operators_are_called_back_with_tensors_and_attributes) {
    vendor_api *v = &custom_board;
    vendor_context context;
    nnrt_rknn_custom_op *op = (nnrt_rknn_custom_op *)calloc(1, sizeof(*op));
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    float *data = (float *)malloc(240 * sizeof(float)), *got;
    uint32_t i;
    open_board(v, "rk3588", "");
    context = load(v, "custom", "rk3588", 0);
    memset(&input, 0, sizeof(input));
    for (i = 0; i < 240; ++i) data[i] = (float)i;
    input.buf = data;
    input.size = 240 * sizeof(float);
    input.type = NNRT_RKNN_FLOAT32;
    input.fmt = NNRT_RKNN_NHWC;
    cr_assert_eq(v->inputs_set(context, 1, &input), 0);
    cr_assert_eq(v->run(context, NULL), -1, "nobody computes the operator");
    op->version = 1;
    op->target = NNRT_RKNN_TARGET_CPU;
    op->init = custom_init;
    op->prepare = custom_prepare;
    op->destroy = custom_destroy;
    strcpy(op->op_type, "nnrtScale");
    cr_assert_eq(v->register_custom_ops(context, op, 1), -5, "compute is missing");
    op->compute = custom_compute;
    cr_assert_eq(v->register_custom_ops(context, op, 1), 0);
    free(op);
    cr_assert_eq(custom_calls[0], 1);
    for (i = 0; i < 2; ++i) cr_assert_eq(v->run(context, NULL), 0);
    memset(&output, 0, sizeof(output));
    output.want_float = 1;
    cr_assert_eq(v->outputs_get(context, 1, &output, NULL), 0);
    got = (float *)output.buf; /* NCHW; input NHWC [1,5,6,8] */
    for (i = 0; i < 240; ++i) cr_assert_eq(got[i % 8 * 30 + i / 8], (float)(2 * i + i % 8) - 3.0f);
    cr_assert_eq(v->outputs_release(context, 1, &output), 0);
    cr_assert_eq(v->destroy(context), 0);
    cr_assert(custom_calls[1] == 2 && custom_calls[2] == 2 && custom_calls[3] == 1);
    free(data);
}

/* --------------------------------------------------------------------------------------- planted mistakes */

/* An identity whose input is a dma-buf of somebody else, mapped by this program. */
typedef struct camera {
    network net;
    int fd;
    int8_t *map;
    size_t size;
} camera;

static void open_camera(const vendor_api *v, camera *cam) {
    vendor_attr attr;
    cam->net.context = load(v, "same_wide", "rk3588", 0);
    cr_assert_eq(vendor_query(v, cam->net.context, NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 0, &attr), 0);
    cam->size = attr.size_with_stride;
    cam->fd = v->dma_alloc(cam->size);
    cr_assert_geq(cam->fd, 0);
    cam->map = (int8_t *)mmap(NULL, cam->size, PROT_READ | PROT_WRITE, MAP_SHARED, cam->fd, 0);
    attr.pass_through = 1;
    cam->net.in.attr = attr;
    cam->net.in.mem = v->create_mem_from_fd(cam->net.context, cam->fd, cam->map, (uint32_t)cam->size, 0);
    cr_assert_not_null(cam->net.in.mem);
    cr_assert_eq(v->set_io_mem(cam->net.context, cam->net.in.mem, &cam->net.in.attr), 0);
    bind(v, cam->net.context, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &cam->net.out);
}

static unsigned wrong_bytes(const vendor_api *v, const camera *cam) {
    cr_assert_eq(v->run(cam->net.context, NULL), 0);
    return each_element(&cam->net.out.attr, &wide, (int8_t *)cam->net.out.mem->virt_addr, false);
}

Test(sim_mistakes, missing_sync_gives_a_wrong_answer_and_is_told) {
    vendor_api v;
    camera cam;
    open_board(&v, "rk3588", "");
    open_camera(&v, &cam);
    each_element(&cam.net.in.attr, &wide, cam.map, true);
    cr_assert_gt(wrong_bytes(&v, &cam), 1000);
    cr_assert(vendor_has_mistake(&v, "missing sync: "));
    cr_assert_eq(v.mem_sync(cam.net.context, cam.net.in.mem, NNRT_RKNN_SYNC_TO_DEVICE), 0);
    cr_assert_eq(wrong_bytes(&v, &cam), 0);
    cr_assert_eq(v.mistakes(), 1);
    close_native(&v, &cam.net);
}

Test(sim_mistakes, a_camera_needs_no_sync_and_a_clean_leaves_its_picture_alone) {
    vendor_api v;
    camera cam;
    int8_t *frame;
    open_board(&v, "rk3588", "");
    open_camera(&v, &cam);
    frame = (int8_t *)calloc(1, cam.size);
    each_element(&cam.net.in.attr, &wide, frame, true);
    cr_assert_eq(v.dma_write(cam.fd, 0, frame, cam.size), 0);
    cr_assert_neq(memcmp(cam.map, frame, cam.size), 0, "the CPU has not looked yet");
    cr_assert_eq(wrong_bytes(&v, &cam), 0);
    cr_assert_eq(v.mem_sync(cam.net.context, cam.net.in.mem, NNRT_RKNN_SYNC_TO_DEVICE), 0);
    cr_assert_eq(wrong_bytes(&v, &cam), 0);
    cr_assert_eq(v.mem_sync(cam.net.context, cam.net.in.mem, NNRT_RKNN_SYNC_FROM_DEVICE), 0);
    cr_assert_eq(memcmp(cam.map, frame, cam.size), 0);
    free(frame);
    none_wrong(&v);
    close_native(&v, &cam.net);
}

Test(sim_mistakes, an_output_without_sync_shows_the_cpu_old_bytes_and_is_told) {
    vendor_api v;
    network net;
    vendor_mem *import;
    vendor_attr attr;
    int8_t *map;
    int fd;
    open_board(&v, "rk3588", "");
    open_native(&v, "same_wide", "rk3588", &net);
    attr = net.out.attr;
    fd = v.dma_alloc(attr.size_with_stride);
    map = (int8_t *)mmap(NULL, attr.size_with_stride, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    import = v.create_mem_from_fd(net.context, fd, map, attr.size_with_stride, 0);
    cr_assert_eq(v.set_io_mem(net.context, import, &attr), 0);
    each_element(&net.in.attr, &wide, (int8_t *)net.in.mem->virt_addr, true);
    cr_assert_eq(v.run(net.context, NULL), 0);
    cr_assert_gt(each_element(&attr, &wide, map, false), 1000);
    cr_assert_eq(v.mem_sync(net.context, import, NNRT_RKNN_SYNC_FROM_DEVICE), 0);
    cr_assert_eq(each_element(&attr, &wide, map, false), 0);
    none_wrong(&v);
    cr_assert_eq(v.run(net.context, NULL), 0);
    cr_assert_eq(v.destroy_mem(net.context, import), 0);
    cr_assert(vendor_has_mistake(&v, "missing sync: "), "nobody could have read the second run");
    close_native(&v, &net);
}

static void strides(const vendor_api *v, const char *chip) {
    network net;
    vendor_mem *small;
    vendor_attr attr;
    uint32_t h;
    int8_t *rows = (int8_t *)malloc(2 * 301 * 3);
    const bool mini = strncmp(chip, "rv", 2) == 0;
    open_native(v, "same_wide", chip, &net);
    attr = net.in.attr;
    small = v->create_mem(net.context, attr.size == attr.size_with_stride ? attr.size - 1 : 2 * 301 * 3);
    cr_assert_eq(v->set_io_mem(net.context, small, &attr), mini ? -5 : -1);
    if (attr.fmt == NNRT_RKNN_NHWC) cr_assert(vendor_has_mistake(v, "stride taken as width: "));
    if (attr.fmt == NNRT_RKNN_NHWC) {
        attr.w_stride = 301;
        cr_assert_eq(v->set_io_mem(net.context, net.in.mem, &attr), 0, "it is not read");
        cr_assert(vendor_has_mistake(v, "stride taken as width: rows"));
        v->strict(1);
        cr_assert_eq(v->set_io_mem(net.context, net.in.mem, &attr), -5);
        v->strict(0);
        cr_assert_eq(v->set_io_mem(net.context, net.in.mem, &net.in.attr), 0);
    }
    cr_assert_eq(v->destroy_mem(net.context, small), 0);
    /* Rows one behind the other: sheared. */
    attr = net.in.attr;
    attr.fmt = NNRT_RKNN_NHWC;
    attr.dims[1] = 2;
    attr.dims[2] = 301;
    attr.dims[3] = 3;
    attr.w_stride = 0;
    each_element(&attr, &wide, rows, true);
    for (h = 0; h < 2; ++h) memcpy((int8_t *)net.in.mem->virt_addr + h * 903, rows + h * 903, 903);
    cr_assert_eq(v->run(net.context, NULL), 0);
    cr_assert_gt(each_element(&net.out.attr, &wide, (int8_t *)net.out.mem->virt_addr, false), 500);
    close_native(v, &net);
    free(rows);
}

ON_ALL(sim_mistakes, a_stride_taken_as_width_is_refused_or_sheared, strides)

/* What librknnmrt lets pass is told all the same, and a strict board refuses it. */
static void wrong_attribute(const vendor_api *v, const char *chip) {
    vendor_context context = load(v, "same_int8", chip, 0);
    tensor in, out;
    vendor_attr native_attr, other;
    int strict;
    bind(v, context, NNRT_RKNN_QUERY_INPUT_ATTR, 1, &in);
    cr_assert_eq(vendor_query(v, context, NNRT_RKNN_QUERY_OUTPUT_ATTR, 0, &out.attr), 0);
    cr_assert_eq(vendor_query(v, context, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &native_attr), 0);
    cr_assert_neq(out.attr.size_with_stride, native_attr.size_with_stride);
    out.mem = v->create_mem(context, out.attr.size_with_stride);
    cr_assert_eq(v->set_io_mem(context, out.mem, &out.attr), 0, "NCHW, from 2.2.0 on");
    none_wrong(v);
    for (strict = 1; strict >= 0; --strict) {
        const unsigned before = v->mistakes();
        v->strict(strict);
        cr_assert_eq(v->set_io_mem(context, out.mem, &native_attr), strict ? -5 : 0, "too small by its blocks");
        other = native_attr;
        strcpy(other.name, "somebody else");
        cr_assert_eq(v->set_io_mem(context, out.mem, &other), strict ? -5 : 0);
        other = out.attr;
        other.index = 7;
        cr_assert_eq(v->set_io_mem(context, out.mem, &other), strict ? -5 : 0);
        cr_assert_eq(v->mistakes() - before, 3);
    }
    cr_assert(vendor_has_mistake(v, "wrong attribute: no input or output is called"));
    cr_assert(vendor_has_mistake(v, "wrong attribute: index 7"));
    cr_assert(vendor_has_mistake(v, "stride taken as width: "));
    cr_assert_eq(v->destroy_mem(context, out.mem), 0);
    out.mem = v->create_mem(context, native_attr.size_with_stride + 16);
    cr_assert_eq(v->set_io_mem(context, out.mem, &native_attr), 0, "more than needed");
    native_attr.type = NNRT_RKNN_FLOAT32;
    cr_assert_eq(v->set_io_mem(context, out.mem, &native_attr), -5);
    cr_assert_eq(v->destroy_mem(context, out.mem), 0);
    cr_assert_eq(v->destroy_mem(context, in.mem), 0);
    cr_assert_eq(v->destroy(context), 0);
}

ON_MINI(sim_mistakes, a_wrong_attribute_queried_on_the_mini_runtime_is_told, wrong_attribute)

Test(sim_mistakes, blocks_beyond_the_channels_are_there_on_rk3568) {
    vendor_api v;
    network net;
    open_board(&v, "rk3568", "");
    open_native(&v, "same_wide", "rk3568", &net); /* 3 channels */
    cr_assert_eq(net.out.attr.dims[4], 8);
    cr_assert_eq(net.out.attr.dims[1], 2);
    close_native(&v, &net);
}

static void unbound(const vendor_api *v, const char *chip) {
    vendor_context context = load(v, "same_int8", chip, 0);
    tensor in, out;
    cr_assert_eq(v->run(context, NULL), 0, "the runtime has memory of its own");
    cr_assert(vendor_has_mistake(v, "unbound tensor: input 0"));
    v->strict(1);
    cr_assert_eq(v->run(context, NULL), -8);
    bind(v, context, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &out);
    cr_assert_eq(v->run(context, NULL), -8);
    cr_assert_eq(v->destroy(context), 0); /* a leak: the memory is still there */
    cr_assert(vendor_has_mistake(v, "leak: "));
    context = load(v, "same_int8", chip, 0);
    bind(v, context, NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 1, &in);
    cr_assert_eq(v->run(context, NULL), -9);
    cr_assert(vendor_has_mistake(v, "unbound tensor: output 0"));
    v->strict(0);
    cr_assert_eq(v->run(context, NULL), 0);
    v->strict(1);
    cr_assert_eq(v->destroy_mem(context, in.mem), 0);
    cr_assert_eq(v->run(context, NULL), -9);
    cr_assert_eq(v->destroy_mem(context, out.mem), 0, "any living context frees what another left behind");
    cr_assert_eq(v->destroy(context), 0);
}

ON_ALL(sim_mistakes, an_unbound_tensor_is_told, unbound)

Test(sim_mistakes, double_frees_and_uses_after_destroy_are_refused_and_told) {
    vendor_api v;
    network net;
    vendor_context other;
    vendor_mem stranger;
    tensor gone;
    open_board(&v, "rk3588", "");
    v.strict(1); /* else the process would end with the first of them: the next test */
    open_native(&v, "same_int8", "rk3588", &net);
    other = load(&v, "same_int8", "rk3588", 0);
    gone = net.out;
    cr_assert_eq(v.destroy_mem(other, net.in.mem), -5, "of another context");
    cr_assert(vendor_has_mistake(&v, "foreign memory: "));
    cr_assert_eq(v.set_io_mem(other, net.in.mem, &net.in.attr), -5);
    cr_assert_eq(v.destroy_mem(net.context, net.out.mem), 0);
    cr_assert_eq(v.destroy_mem(net.context, gone.mem), -5);
    cr_assert(vendor_has_mistake(&v, "double free: "));
    cr_assert_eq(v.run(net.context, NULL), -5);
    cr_assert(vendor_has_mistake(&v, "use after destroy: "));
    cr_assert_eq(v.mem_sync(net.context, gone.mem, NNRT_RKNN_SYNC_TO_DEVICE), -5);
    cr_assert_eq(v.mem_sync(0, net.in.mem, NNRT_RKNN_SYNC_TO_DEVICE), -7);
    memset(&stranger, 0x5a, sizeof(stranger));
    cr_assert_eq(v.destroy_mem(net.context, &stranger), -5);
    cr_assert_eq(v.set_io_mem(net.context, &stranger, &gone.attr), -5);
    cr_assert_eq(v.destroy(net.context), 0);
    cr_assert_eq(v.destroy_mem(net.context, net.in.mem), -7);
    cr_assert_eq(v.destroy(net.context), -7);
    cr_assert(vendor_has_mistake(&v, "double free: rknn_destroy"));
    cr_assert_eq(v.run(net.context, NULL), -7);
    cr_assert_eq(v.query(0x1234, NNRT_RKNN_QUERY_IN_OUT_NUM, &stranger, 8), -7);
    cr_assert_eq(v.destroy(other), 0);
}

/* In a child, not strict: the signal that ends one of these, 0: none. */
static int dies(const char *chip, int kind) {
    int status = 0;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        vendor_api v;
        network net;
        vendor_mem *mem;
        int numbers[] = {SIGSEGV, SIGABRT}, i;
        for (i = 0; i < 2; ++i) signal(numbers[i], SIG_DFL); /* no shim's or sanitizer's */
        open_board(&v, chip, "");
        open_native(&v, "same_int8", chip, &net);
        mem = v.create_mem(net.context, 64);
        if (kind == 0 && v.destroy_mem(net.context, mem) == 0) v.destroy_mem(net.context, mem);
        if (kind == 1 && v.destroy(net.context) == 0) v.destroy(net.context);
        if (kind == 2 && v.destroy(net.context) == 0) v.destroy_mem(net.context, mem);
        if (kind == 3) v.run((vendor_context)0x1234, NULL);
        if (kind == 4) v.run(0, NULL);
        if (kind == 5 && v.destroy_mem(net.context, net.in.mem) == 0) _exit(v.run(net.context, NULL) == -5 ? 0 : 1);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

Test(sim_mistakes, what_the_libraries_die_of_ends_the_process) {
    cr_assert_eq(dies("rk3588", 0), SIGABRT, "a memory twice");
    cr_assert_eq(dies("rv1106", 0), SIGABRT);
    cr_assert_eq(dies("rk3588", 1), SIGSEGV, "a context twice");
    cr_assert_eq(dies("rv1106", 1), SIGABRT);
    cr_assert_eq(dies("rv1106", 2), SIGSEGV, "a memory after its context");
    cr_assert_eq(dies("rk3588", 3), SIGSEGV, "no context");
    cr_assert_eq(dies("rk3588", 4), 0, "0 is looked for");
    cr_assert_eq(dies("rk3588", 5), SIGSEGV, "bound memory that was destroyed");
    cr_assert_eq(dies("rv1106", 5), 0, "librknnmrt looks for it");
}

Test(sim_mistakes, mixing_the_two_ways_is_told) {
    vendor_api v;
    network net;
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    int8_t data[600] = {0};
    open_board(&v, "rk3566", "");
    open_native(&v, "same_int8", "rk3566", &net);
    memset(&input, 0, sizeof(input));
    memset(&output, 0, sizeof(output));
    input.buf = data;
    input.size = sizeof(data);
    input.type = NNRT_RKNN_INT8;
    input.fmt = NNRT_RKNN_NHWC;
    cr_assert_lt(v.inputs_set(net.context, 1, &input), 0);
    cr_assert_eq(v.run(net.context, NULL), 0);
    cr_assert_lt(v.outputs_get(net.context, 1, &output, NULL), 0);
    cr_assert_eq(v.mistakes(), 2);
    cr_assert(vendor_has_mistake(&v, "mixing: "));
    close_native(&v, &net);
}

Test(sim_mistakes, writing_past_the_end_is_told) {
    vendor_api v;
    network net;
    open_board(&v, "rk3588", "");
    open_native(&v, "same_int8", "rk3588", &net);
    ((uint8_t *)net.in.mem->virt_addr)[net.in.mem->size] = 1;
    close_native(&v, &net);
    cr_assert(vendor_has_mistake(&v, "write past the end: "));
}

typedef struct in_thread {
    const vendor_api *v;
    vendor_context context;
    int answer;
} in_thread;

static void *run_there(void *argument) {
    in_thread *t = (in_thread *)argument;
    t->answer = t->v->run(t->context, NULL);
    return NULL;
}

static void wait_for_call(const vendor_api *v, const char *function, unsigned count) {
    while (v->calls(function) < count) usleep(1000);
}

Test(sim_mistakes, two_threads_in_one_context_are_told, .timeout = 60) {
    vendor_api v;
    network net;
    in_thread there;
    nnrt_rknn_input_output_num count;
    pthread_t thread;
    open_board(&v, "rk3588", "");
    open_native(&v, "same_int8", "rk3588", &net);
    v.fault("rknn_run@1=hang:300");
    there.v = &v;
    there.context = net.context;
    cr_assert_eq(pthread_create(&thread, NULL, run_there, &there), 0);
    wait_for_call(&v, "rknn_run", 1);
    cr_assert_eq(v.query(net.context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), -1);
    cr_assert(vendor_has_mistake(&v, "two threads in one context: "));
    pthread_join(thread, NULL);
    cr_assert_eq(there.answer, 0);
    cr_assert_eq(v.query(net.context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), 0);
    close_native(&v, &net);
}

Test(sim_mistakes, leaks_and_mistakes_end_a_strict_process_with_97) {
    int kind;
    for (kind = 0; kind < 5; ++kind) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            vendor_api v;
            vendor_context context, other;
            vendor_mem *mem;
            setenv("NNRT_SIM_STRICT", "1", 1);
            open_board(&v, "rk3588", "");
            context = load(&v, "same_int8", "rk3588", 0);
            other = load(&v, "same_int8", "rk3588", 0);
            mem = v.create_mem2(0, 100, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
            if (kind != 1) /* kind 1: a memory, and with it its descriptor, is never freed */
                v.destroy_mem(kind == 2 ? 0 : context, mem); /* kind 2: the descriptor leaks */
            if (kind != 3)                                   /* kind 3: a context is never destroyed */
                v.destroy(context);
            if (kind == 4) v.destroy(context);
            v.destroy(other);
            exit(0);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFEXITED(status));
        cr_assert_eq(WEXITSTATUS(status), kind == 0 ? 0 : 97, "kind %d", kind);
    }
}
