/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the simulated librknnrt multiplies matrices as the reference of the vendor's interface says: every type
   and layout of every chip against sums written out here, what is refused, quantization, shapes, and the differences
   between runtime versions. Talks to the library as a program of the vendor's would; nothing of nnrt takes part. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <math.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/rknpu/vendor.h"

typedef nnrt_rknn_matmul_io_attr io_attr;
typedef nnrt_rknn_matmul_tensor_attr tensor_attr;

typedef struct matmul_api {
    vendor_api v;
    int (*create)(vendor_context *context, void *info, io_attr *io);
    int (*create_dynamic)(vendor_context *context, nnrt_rknn_matmul_info *info, int count,
                          nnrt_rknn_matmul_shape shapes[], io_attr io[]);
    int (*set_io_mem)(vendor_context context, vendor_mem *mem, tensor_attr *attr);
    int (*set_core_mask)(vendor_context context, nnrt_rknn_core_mask mask);
    int (*set_quant)(vendor_context context, nnrt_rknn_quant_params *params);
    int (*get_quant)(vendor_context context, nnrt_rknn_quant_params *params, float *scale);
    int (*set_shape)(vendor_context context, nnrt_rknn_matmul_shape *shape);
    int (*run)(vendor_context context);
    int (*destroy)(vendor_context context);
    int (*to_native)(void *from, void *to, int k, int n, nnrt_rknn_matmul_info *info);
    int (*to_native_20)(void *from, void *to, int k, int n, int sub_n, int sub_k, int type);
} matmul_api;

static matmul_api api;
static uint32_t seed = 1;

static int draw(int low, int high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (int)(seed >> 8) % (high - low + 1);
}

/* Skips the test when there is no simulated board. */
static void open_board(const char *chip, const char *version) {
    memset(&api, 0, sizeof api);
    (void)vendor_query; /* of no use here */
    (void)vendor_model;
    setenv("NNRT_SIM_REPORT", "0", 1);
    if (!vendor_open(&api.v, chip, version)) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    vendor_find(api.v.library, "rknn_matmul_create", &api.create);
    vendor_find(api.v.library, "rknn_matmul_create_dynamic_shape", &api.create_dynamic);
    vendor_find(api.v.library, "rknn_matmul_set_io_mem", &api.set_io_mem);
    vendor_find(api.v.library, "rknn_matmul_set_core_mask", &api.set_core_mask);
    vendor_find(api.v.library, "rknn_matmul_set_quant_params", &api.set_quant);
    vendor_find(api.v.library, "rknn_matmul_get_quant_params", &api.get_quant);
    vendor_find(api.v.library, "rknn_matmul_set_dynamic_shape", &api.set_shape);
    vendor_find(api.v.library, "rknn_matmul_run", &api.run);
    vendor_find(api.v.library, "rknn_matmul_destroy", &api.destroy);
    vendor_find(api.v.library, "rknn_B_normal_layout_to_native_layout", &api.to_native);
    vendor_find(api.v.library, "rknn_B_normal_layout_to_native_layout", &api.to_native_20);
}

static void nothing_is_left(void) {
    nnrt_sim_live live;
    api.v.get_live(&live);
    cr_assert(live.contexts == 0 && live.memories == 0, "%u contexts, %u memories", live.contexts, live.memories);
}

/* ------------------------------------------------------------------------------------------------ numbers */

static float from_half(uint16_t x) {
    int exponent = x >> 10 & 31, mantissa = x & 1023;
    double value = exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25);
    return (float)(x & 0x8000 ? -value : value);
}

/* Of n / 8 with |n| <= 1024: exact. */
static uint16_t to_half(float x) {
    int exponent = 0, sign = x < 0 ? 0x8000 : 0;
    double mantissa = fabs((double)x);
    if (mantissa == 0) return 0;
    while (mantissa < 1024) mantissa *= 2, exponent--;
    while (mantissa >= 2048) mantissa /= 2, exponent++;
    return (uint16_t)(sign | ((exponent + 25) << 10) | ((int)mantissa - 1024));
}

static double read_number(const uint8_t *bytes, nnrt_rknn_tensor_type type, size_t i) {
    uint32_t wide;
    uint16_t half;
    float f;
    if (type == NNRT_RKNN_INT8) return ((const int8_t *)bytes)[i];
    if (type == NNRT_RKNN_FLOAT32 || type == NNRT_RKNN_INT32) {
        memcpy(&wide, bytes + 4 * i, 4);
        memcpy(&f, &wide, 4);
        return type == NNRT_RKNN_INT32 ? (double)(int32_t)wide : (double)f;
    }
    memcpy(&half, bytes + 2 * i, 2);
    if (type == NNRT_RKNN_INT16) return (int16_t)half;
    if (type == NNRT_RKNN_FLOAT16) return (double)from_half(half);
    wide = (uint32_t)half << 16;
    memcpy(&f, &wide, 4);
    return (double)f;
}

/* high: an even element is the high half of its byte. */
static void write_number(uint8_t *bytes, nnrt_rknn_tensor_type type, size_t i, double x, bool high) {
    uint16_t half;
    if (type == NNRT_RKNN_INT8) {
        ((int8_t *)bytes)[i] = (int8_t)x;
    } else if (type == NNRT_RKNN_INT4) {
        unsigned value = (unsigned)(int)x & 15u, shift = (i % 2 != 0) != high ? 4u : 0u;
        bytes[i / 2] = (uint8_t)((bytes[i / 2] & ~(15u << shift)) | value << shift);
    } else {
        half = to_half((float)x);
        memcpy(bytes + 2 * i, &half, 2);
    }
}

/* Element (row, column) by the formulas of the reference and the tiles that the library reported. Without segments. */
static size_t place(const tensor_attr *attr, char matrix, int layout, int rows, int columns, int row, int column) {
    size_t r = (size_t)row, c = (size_t)column, tile, k1, sk;
    if (layout == 0) return r * (size_t)columns + c;
    if (layout == 2) return c * (size_t)rows + r;
    if (matrix != 'B') {
        tile = attr->dims[2];
        return ((c / tile) * (size_t)rows + r) * tile + c % tile;
    }
    tile = attr->dims[2];
    sk = attr->dims[3];
    k1 = (size_t)rows / sk;
    return (((c / tile) * k1 + r / sk) * tile + c % tile) * sk + r % sk;
}

/* ---------------------------------------------------------------------------------------------- a product */

typedef struct product {
    nnrt_rknn_matmul_info info;
    vendor_context context;
    io_attr io;
    vendor_mem *mem[3];
    double *a, *b; /* M x K, K x N */
} product;

static tensor_attr *attr_of(product *p, int i) { return i == 0 ? &p->io.A : i == 1 ? &p->io.B : &p->io.C; }

static double drawn_number(nnrt_rknn_tensor_type type) {
    if (type == NNRT_RKNN_INT8) return draw(-128, 127);
    return type == NNRT_RKNN_INT4 ? draw(-8, 7) : draw(-16, 16) / 8.0;
}

static void fill(product *p, int which) {
    const tensor_attr *attr = attr_of(p, which);
    int rows = which == 0 ? p->info.M : p->info.K, columns = which == 0 ? p->info.K : p->info.N, r, c;
    int layout = which == 0 ? p->info.AC_layout : p->info.B_layout;
    double *values = which == 0 ? p->a : p->b;
    for (r = 0; r < rows; r++)
        for (c = 0; c < columns; c++) {
            double x = values[r * columns + c] = drawn_number(attr->type);
            size_t at = place(attr, which == 0 ? 'A' : 'B', layout, rows, columns, r, c);
            write_number((uint8_t *)p->mem[which]->virt_addr, attr->type, at, x, which == 1 && layout == 1);
        }
}

static void open_as(product *p, int type, int m, int k, int n, int b_layout, int ac_layout, int b_quant, int group) {
    int i;
    memset(p, 0, sizeof *p);
    p->info.B_quant_type = (int16_t)b_quant;
    p->info.group_size = (int16_t)group;
    p->info.M = m;
    p->info.K = k;
    p->info.N = n;
    p->info.type = (nnrt_rknn_matmul_type)type;
    p->info.B_layout = (int16_t)b_layout;
    p->info.AC_layout = (int16_t)ac_layout;
    cr_assert_eq(api.create(&p->context, &p->info, &p->io), 0, "type %d, layouts %d %d", type, b_layout, ac_layout);
    p->a = (double *)calloc((size_t)(m * k), sizeof *p->a);
    p->b = (double *)calloc((size_t)(k * n), sizeof *p->b);
    for (i = 0; i < 3; i++) {
        p->mem[i] = api.v.create_mem(p->context, attr_of(p, i)->size);
        cr_assert_not_null(p->mem[i]);
    }
    fill(p, 0);
    fill(p, 1);
}

static void open_product(product *p, int type, int m, int k, int n, int b_layout, int ac_layout) {
    open_as(p, type, m, k, n, b_layout, ac_layout, 0, 0);
}

static void bind(product *p, int which) {
    cr_assert_eq(api.set_io_mem(p->context, p->mem[which], attr_of(p, which)), 0, "%c", 'A' + which);
}

static void close_product(product *p) {
    int i;
    for (i = 0; i < 3; i++) cr_assert_eq(api.v.destroy_mem(p->context, p->mem[i]), 0);
    cr_assert_eq(api.destroy(p->context), 0);
    free(p->a);
    free(p->b);
}

static double got(product *p, int m, int n) {
    return read_number((const uint8_t *)p->mem[2]->virt_addr, p->io.C.type,
                       place(&p->io.C, 'C', p->info.AC_layout, p->info.M, p->info.N, m, n));
}

static double sum_of(const product *p, int m, int n, double a_zero, double b_zero) {
    double sum = 0;
    int k;
    for (k = 0; k < p->info.K; k++) sum += (p->a[m * p->info.K + k] - a_zero) * (p->b[k * p->info.N + n] - b_zero);
    return sum;
}

/* Half a unit in the last place of the result's type. */
static double rounding_of(nnrt_rknn_tensor_type type, double x) {
    if (type == NNRT_RKNN_FLOAT16) return fabs(x) / 2048;
    return type == NNRT_RKNN_BFLOAT16 ? fabs(x) / 256 : 0;
}

/* Runs and compares with sums: every value, as the type of C holds it. */
static void run_and_check(product *p) {
    int m, n;
    cr_assert_eq(api.run(p->context), 0);
    for (m = 0; m < p->info.M; m++)
        for (n = 0; n < p->info.N; n++) {
            double should = sum_of(p, m, n, 0, 0), is = got(p, m, n);
            if (p->io.C.type == NNRT_RKNN_INT8) should = should < -128 ? -128 : should > 127 ? 127 : should;
            if (p->io.C.type == NNRT_RKNN_INT16) should = should < -32768 ? -32768 : should > 32767 ? 32767 : should;
            if (p->io.C.type == NNRT_RKNN_FLOAT16 && fabs(should) > 65000) continue; /* infinite */
            cr_assert_leq(fabs(is - should), rounding_of(p->io.C.type, should),
                          "type %d, layouts %d %d: C[%d][%d] is %g and should be %g", (int)p->info.type,
                          p->info.B_layout, p->info.AC_layout, m, n, is, should);
        }
}

static void check_types(const char *chip, const int *types, size_t count) {
    int b_layout, ac_layout;
    size_t i;
    open_board(chip, "");
    for (i = 0; i < count; i++)
        for (b_layout = 0; b_layout < 3; b_layout++)
            for (ac_layout = 0; ac_layout < 2; ac_layout++) {
                product p;
                int which;
                open_product(&p, types[i], 5, 96, 128, b_layout, ac_layout);
                for (which = 0; which < 3; which++) bind(&p, which);
                run_and_check(&p);
                close_product(&p);
            }
    cr_assert_eq(api.v.mistakes(), 0u, "%s", api.v.mistake(0));
    nothing_is_left();
}

static const int all_types[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15};

Test(sim_matmul, rk3588_multiplies_every_type_in_every_layout) {
    check_types("rk3588", all_types, sizeof all_types / sizeof all_types[0]);
}

Test(sim_matmul, rk3576_multiplies_every_type_in_every_layout) {
    check_types("rk3576", all_types, sizeof all_types / sizeof all_types[0]);
}

Test(sim_matmul, rk3562_multiplies_its_types_in_every_layout) {
    static const int types[] = {1, 2, 5, 6};
    check_types("rk3562", types, 4);
}

Test(sim_matmul, rk3566_multiplies_its_types_in_every_layout) {
    static const int types[] = {1, 2};
    check_types("rk3566", types, 2);
}

/* ------------------------------------------------------------------------------------- tiles and refusals */

static void check_tiles(const char *chip, int type, uint32_t a, uint32_t b_columns, uint32_t b_rows, uint32_t c) {
    product p;
    open_product(&p, type, 3, 64, 128, 1, 1);
    cr_assert(p.io.A.n_dims == 3 && p.io.A.dims[0] == 64 / a && p.io.A.dims[1] == 3 && p.io.A.dims[2] == a, "%s", chip);
    cr_assert(p.io.B.n_dims == 4 && p.io.B.dims[0] == 128 / b_columns && p.io.B.dims[1] == 64 / b_rows &&
                  p.io.B.dims[2] == b_columns && p.io.B.dims[3] == b_rows,
              "%s", chip);
    cr_assert(p.io.C.n_dims == 3 && p.io.C.dims[0] == 128 / c && p.io.C.dims[1] == 3 && p.io.C.dims[2] == c, "%s",
              chip);
    close_product(&p);
}

Test(sim_matmul, tiles_of_rk3568_are_those_of_the_manual) {
    open_board("rk3568", "");
    check_tiles("rk3568", 1, 4, 8, 16, 4);
    check_tiles("rk3568", 2, 8, 16, 32, 4);
}

Test(sim_matmul, tiles_of_rk3562_are_those_of_the_manual) {
    open_board("rk3562", "");
    check_tiles("rk3562", 1, 8, 8, 32, 4);
    check_tiles("rk3562", 2, 16, 16, 32, 4);
}

Test(sim_matmul, tiles_of_rk3588_are_those_of_the_manual) {
    open_board("rk3588", "");
    check_tiles("rk3588", 1, 8, 16, 32, 4);
    check_tiles("rk3588", 2, 16, 32, 32, 4);
    check_tiles("rk3588", 10, 32, 64, 32, 8);
}

static int try_create(int type, int m, int k, int n, int b_layout, int ac_layout) {
    nnrt_rknn_matmul_info info;
    vendor_context context = 77;
    io_attr io;
    int result;
    memset(&info, 0, sizeof info);
    info.M = m;
    info.K = k;
    info.N = n;
    info.type = (nnrt_rknn_matmul_type)type;
    info.B_layout = (int16_t)b_layout;
    info.AC_layout = (int16_t)ac_layout;
    result = api.create(&context, &info, &io);
    if (result == 0) cr_assert_eq(api.destroy(context), 0);
    else cr_assert_eq(context, 77u, "a failed create leaves the handle alone");
    return result;
}

Test(sim_matmul, what_the_chip_cannot_do_is_refused) {
    open_board("rk3566", "");
    cr_assert_eq(try_create(1, 1, 16, 8, 0, 0), 0);
    cr_assert_eq(try_create(2, 1, 32, 16, 1, 1), 0);
    cr_assert_eq(try_create(2, 1, 10240, 16, 1, 1), 0);
    cr_assert_lt(try_create(2, 1, 10272, 16, 1, 1), 0, "K above 10240");
    cr_assert_lt(try_create(2, 1, 16, 16, 0, 0), 0, "K of int8");
    cr_assert_lt(try_create(2, 1, 32, 8, 0, 0), 0, "N of int8");
    cr_assert_lt(try_create(1, 1, 16, 4, 0, 0), 0, "N of float16");
    cr_assert_lt(try_create(1, 0, 16, 8, 0, 0), 0, "M");
    cr_assert_lt(try_create(1, 1, 16, 8, 3, 0), 0, "B_layout");
    cr_assert_lt(try_create(1, 1, 16, 8, 0, 2), 0, "AC_layout");
    cr_assert_lt(try_create(5, 1, 32, 32, 0, 0), 0, "type 5");
    cr_assert_lt(try_create(10, 1, 32, 64, 0, 0), 0, "type 10");
    cr_assert_lt(try_create(13, 1, 32, 64, 0, 0), 0, "type 13");
    cr_assert_lt(try_create(1, 2000000000, 64, 64, 0, 0), 0, "2 GiB");
    cr_assert_lt(api.create(NULL, NULL, NULL), 0);
    nothing_is_left();
}

Test(sim_matmul, unbound_matrices_and_wrong_descriptions_are_refused) {
    product p;
    tensor_attr wrong;
    open_board("rk3588", "");
    open_product(&p, 2, 4, 64, 64, 0, 0);
    cr_assert_eq(api.run(p.context), 0, "nothing is bound, and nothing is computed");
    cr_assert(vendor_has_mistake(&api.v, "unbound tensor: A"));
    api.v.strict(1);
    cr_assert_lt(api.run(p.context), 0, "nothing is bound");
    bind(&p, 0);
    cr_assert_lt(api.run(p.context), 0, "A is bound");
    bind(&p, 1);
    cr_assert_lt(api.run(p.context), 0, "A and B are bound");
    wrong = p.io.C;
    wrong.dims[0]++;
    cr_assert_lt(api.set_io_mem(p.context, p.mem[2], &wrong), 0, "other dimensions");
    wrong = p.io.C;
    wrong.name[0] = 'D';
    cr_assert_lt(api.set_io_mem(p.context, p.mem[2], &wrong), 0, "no such matrix");
    cr_assert_lt(api.set_io_mem(p.context, NULL, &p.io.C), 0);
    cr_assert_lt(api.set_io_mem(p.context + 1000, p.mem[2], &p.io.C), 0, "no such context");
    bind(&p, 2);
    run_and_check(&p);
    close_product(&p);
    cr_assert_lt(api.run(p.context), 0, "the context is gone");
    nothing_is_left();
}

/* ------------------------------------------------------------------------------------------ binding again */

Test(sim_matmul, matrices_in_normal_layout_are_converted_when_they_are_bound) {
    product p;
    double before;
    int which;
    open_board("rk3588", "");
    open_product(&p, 2, 4, 64, 64, 0, 1);
    for (which = 0; which < 3; which++) bind(&p, which);
    run_and_check(&p);
    before = got(&p, 0, 0);
    fill(&p, 1);
    cr_assert_neq(sum_of(&p, 0, 0, 0, 0), before);
    cr_assert_eq(api.run(p.context), 0);
    cr_assert_eq(got(&p, 0, 0), before, "the old B is used");
    cr_assert(vendor_has_mistake(&api.v, "stale matrix: B"), "and that is a mistake");
    bind(&p, 1);
    run_and_check(&p);
    fill(&p, 0); /* A lies in native layout: nothing has to be converted */
    run_and_check(&p);
    cr_assert_eq(api.v.mistakes(), 1u);
    close_product(&p);
}

/* ------------------------------------------------------------------------------------------ the converter */

/* The product with B through the converter into native layout is the product with B in normal layout. */
static void check_converter(int type, int k, int n) {
    product normal, native;
    int which, m, c;
    open_product(&normal, type, 2, k, n, 0, 0);
    open_product(&native, type, 2, k, n, 1, 0);
    memcpy(native.mem[0]->virt_addr, normal.mem[0]->virt_addr, normal.io.A.size);
    cr_assert_eq(api.to_native(normal.mem[1]->virt_addr, native.mem[1]->virt_addr, k, n, &native.info), 0);
    for (which = 0; which < 3; which++) {
        bind(&normal, which);
        bind(&native, which);
    }
    run_and_check(&normal);
    cr_assert_eq(api.run(native.context), 0);
    for (m = 0; m < 2; m++)
        for (c = 0; c < n; c++) cr_assert_eq(got(&normal, m, c), got(&native, m, c), "type %d, C[%d][%d]", type, m, c);
    close_product(&normal);
    close_product(&native);
}

Test(sim_matmul, the_converter_makes_the_native_layout_that_products_use) {
    open_board("rk3576", "");
    check_converter(1, 64, 32);
    check_converter(2, 96, 64);
    check_converter(7, 64, 128);
    check_converter(10, 64, 128);
    check_converter(2, 4096 + 64, 32); /* a second segment */
    nothing_is_left();
}

Test(sim_matmul, a_large_native_b_of_rk3576_lies_in_segments_of_4096_rows) {
    const int k_all = 4096 + 64, n_all = 64;
    int8_t *from = (int8_t *)malloc((size_t)(k_all * n_all)), *to = (int8_t *)malloc((size_t)(k_all * n_all));
    nnrt_rknn_matmul_info info;
    int k, n;
    open_board("rk3576", "");
    memset(&info, 0, sizeof info);
    info.type = NNRT_RKNN_INT8_MM_INT8_TO_INT32;
    for (k = 0; k < k_all * n_all; k++) from[k] = (int8_t)draw(-128, 127);
    cr_assert_eq(api.to_native(from, to, k_all, n_all, &info), 0);
    for (k = 0; k < k_all; k++)
        for (n = 0; n < n_all; n++) {
            int first = k < 4096 ? 0 : 4096, blocks = k < 4096 ? 128 : 2;
            int at = first * n_all + (((n / 32) * blocks + (k - first) / 32) * 32 + n % 32) * 32 + k % 32;
            cr_assert_eq(to[at], from[k * n_all + n], "%d %d", k, n);
        }
    free(from);
    free(to);
}

Test(sim_matmul, native_int4_has_the_even_element_in_the_high_half) {
    uint8_t from[32 * 64 / 2], to[32 * 64 / 2];
    nnrt_rknn_matmul_info info;
    open_board("rk3588", "");
    memset(&info, 0, sizeof info);
    memset(from, 0, sizeof from);
    info.type = NNRT_RKNN_INT4_MM_INT4_TO_INT16;
    from[0] = 0x53;  /* (k 0, n 0) is 3, (0, 1) is 5 */
    from[32] = 0x07; /* (1, 0) is 7 */
    cr_assert_eq(api.to_native(from, to, 32, 64, &info), 0);
    cr_assert_eq(to[0], 0x37, "column 0, k 0 and 1");
    cr_assert_eq(to[16], 0x50, "column 1, k 0");
    cr_assert_lt(api.to_native(from, to, 31, 64, &info), 0);
    cr_assert_lt(api.to_native(NULL, to, 32, 64, &info), 0);
}

/* ------------------------------------------------------------------------------------------- quantization */

static int set_quant(product *p, char name, float *scales, int count, int32_t *zps) {
    nnrt_rknn_quant_params params;
    memset(&params, 0, sizeof params);
    params.name[0] = name;
    params.scale = scales;
    params.scale_len = count;
    params.zp = zps;
    params.zp_len = zps != NULL ? count : 0;
    return api.set_quant(p->context, &params);
}

static void open_quantized(product *p, int type, int b_quant, int group) {
    int which;
    open_as(p, type, 3, 64, 64, 0, 0, b_quant, group);
    for (which = 0; which < 3; which++) bind(p, which);
}

Test(sim_matmul, int8_results_use_the_scales_and_zero_points_of_all_three) {
    float a = 0.02f, b = 0.01f, c = 0.5f;
    int32_t a_zero = 3, b_zero = -2, c_zero = 10;
    product p;
    int m, n;
    open_board("rk3588", "");
    open_quantized(&p, 3, NNRT_RKNN_QUANT_PER_LAYER_ASYM, 0);
    cr_assert_eq(set_quant(&p, 'A', &a, 1, &a_zero), 0);
    cr_assert_eq(set_quant(&p, 'B', &b, 1, &b_zero), 0);
    cr_assert_eq(set_quant(&p, 'C', &c, 1, &c_zero), 0);
    cr_assert_lt(set_quant(&p, 'B', &b, 2, NULL), 0, "two scales for one layer");
    cr_assert_lt(set_quant(&p, 'X', &b, 1, NULL), 0);
    cr_assert_eq(api.run(p.context), 0);
    for (m = 0; m < 3; m++)
        for (n = 0; n < 64; n++) {
            double real = sum_of(&p, m, n, a_zero, b_zero) * 0.02 * 0.01 / 0.5 + c_zero;
            real = real < -128 ? -128 : real > 127 ? 127 : real;
            cr_assert_leq(fabs(got(&p, m, n) - real), 0.501, "C[%d][%d] is %g and should be %g", m, n, got(&p, m, n),
                          real);
        }
    close_product(&p);
}

Test(sim_matmul, scales_per_channel_and_per_group_are_used) {
    float channel[64], group[4 * 64], a = 0.5f, largest = 0, scale = 0;
    nnrt_rknn_quant_params asked;
    product p;
    int m, n, k;
    open_board("rk3588", "");
    for (n = 0; n < 64; n++) channel[n] = (float)draw(1, 100) / 64;
    for (n = 0; n < 4 * 64; n++) group[n] = (float)draw(1, 100) / 64;

    open_quantized(&p, 9, NNRT_RKNN_QUANT_PER_CHANNEL_SYM, 0);
    cr_assert_eq(set_quant(&p, 'A', &a, 1, NULL), 0);
    cr_assert_eq(set_quant(&p, 'B', channel, 64, NULL), 0);
    cr_assert_eq(api.run(p.context), 0);
    for (n = 0; n < 64; n++) cr_assert_eq(got(&p, 1, n), sum_of(&p, 1, n, 0, 0) * 0.5 * (double)channel[n], "%d", n);
    close_product(&p);

    open_quantized(&p, 7, NNRT_RKNN_QUANT_PER_GROUP_SYM, 16);
    cr_assert_eq(set_quant(&p, 'B', group, 4 * 64, NULL), 0);
    cr_assert_eq(api.run(p.context), 0);
    for (m = 0; m < 3; m++)
        for (n = 0; n < 64; n++) {
            double sum = 0;
            for (k = 0; k < 64; k++) sum += p.a[m * 64 + k] * p.b[k * 64 + n] * (double)group[k / 16 * 64 + n];
            cr_assert_leq(fabs(got(&p, m, n) - sum), fabs(sum) / (1 << 23), "C[%d][%d]", m, n);
        }
    close_product(&p);

    /* int32 out of channels of different scales: in units of the largest. */
    open_quantized(&p, 2, NNRT_RKNN_QUANT_PER_CHANNEL_SYM, 0);
    memset(&asked, 0, sizeof asked);
    asked.name[0] = 'B';
    cr_assert_lt(api.get_quant(p.context, &asked, &scale), 0, "nothing was set");
    cr_assert_eq(set_quant(&p, 'B', channel, 64, NULL), 0);
    cr_assert_eq(api.get_quant(p.context, &asked, &scale), 0);
    for (n = 0; n < 64; n++) largest = channel[n] > largest ? channel[n] : largest;
    cr_assert_eq(scale, largest);
    cr_assert_eq(api.run(p.context), 0);
    for (n = 0; n < 64; n++) {
        double should = sum_of(&p, 2, n, 0, 0) * (double)channel[n] / (double)largest;
        cr_assert_leq(fabs(got(&p, 2, n) - should), 0.5, "column %d", n);
    }
    close_product(&p);

    open_product(&p, 1, 1, 32, 32, 0, 0);
    cr_assert_lt(set_quant(&p, 'B', channel, 1, NULL), 0, "float16 has no quantization");
    close_product(&p);
    nothing_is_left();
}

/* --------------------------------------------------------------------------------------- shapes and cores */

Test(sim_matmul, a_product_of_several_shapes_runs_the_one_that_is_set_and_bound) {
    nnrt_rknn_matmul_shape shapes[3] = {{2, 64, 32}, {9, 64, 32}, {5, 64, 32}}, other = {3, 64, 32};
    io_attr io[3];
    product p;
    int i, which;
    open_board("rk3588", "");
    memset(&p, 0, sizeof p);
    p.info.type = NNRT_RKNN_INT8_MM_INT8_TO_INT32;
    p.info.AC_layout = NNRT_RKNN_MM_LAYOUT_NATIVE;
    p.info.K = 64;
    p.info.N = 32;
    cr_assert_eq(api.create_dynamic(&p.context, &p.info, 3, shapes, io), 0);
    p.a = (double *)calloc(9 * 64, sizeof *p.a);
    p.b = (double *)calloc(64 * 32, sizeof *p.b);
    p.io = io[1];
    for (which = 0; which < 3; which++) p.mem[which] = api.v.create_mem(p.context, attr_of(&p, which)->size);
    fill(&p, 1);
    bind(&p, 1);
    for (i = 0; i < 3; i++) {
        cr_assert_eq(api.set_shape(p.context, &shapes[i]), 0);
        p.io = io[i];
        p.info.M = shapes[i].M;
        fill(&p, 0);
        if (i != 0) {
            cr_assert_lt(api.run(p.context), 0, "A and C are still bound for the shape before");
            cr_assert(vendor_has_mistake(&api.v, "stale binding"));
        }
        bind(&p, 0);
        bind(&p, 2);
        run_and_check(&p);
    }
    cr_assert_lt(api.set_shape(p.context, &other), 0, "a shape that was not created");
    close_product(&p);
    shapes[1].K = 32;
    cr_assert_lt(api.create_dynamic(&p.context, &p.info, 3, shapes, io), 0, "only M may vary");
    cr_assert_lt(api.create_dynamic(&p.context, &p.info, 0, shapes, io), 0);
    nothing_is_left();
}

Test(sim_matmul, one_core_at_a_time) {
    product p;
    open_board("rk3588", "");
    open_product(&p, 1, 1, 32, 32, 0, 0);
    cr_assert_eq(api.set_core_mask(p.context, NNRT_RKNN_CORE_AUTO), 0);
    cr_assert_eq(api.set_core_mask(p.context, NNRT_RKNN_CORE_2), 0);
    cr_assert_lt(api.set_core_mask(p.context, NNRT_RKNN_CORE_0_1), 0);
    cr_assert_lt(api.set_core_mask(p.context, (nnrt_rknn_core_mask)8), 0);
    close_product(&p);
}

/* ----------------------------------------------------------------------------------------------- versions */

/* A block of size bytes whose end is the end of the readable memory. */
static uint8_t *at_the_end(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = (uint8_t *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq((void *)pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
    return pages + page - size;
}

Test(sim_matmul, runtime_1_6_takes_the_description_of_24_bytes) {
    nnrt_rknn_matmul_info_v1 old;
    uint8_t *info = at_the_end(sizeof old);
    vendor_context context;
    io_attr io;
    open_board("rk3588", "1.6.0");
    cr_assert(api.set_quant == NULL && api.to_native == NULL && api.create_dynamic == NULL && api.set_shape == NULL);
    memset(&old, 0, sizeof old);
    old.M = 2;
    old.K = 64;
    old.N = 32;
    old.type = 2;
    old.B_layout = NNRT_RKNN_MM_LAYOUT_NATIVE;
    memcpy(info, &old, sizeof old);
    cr_assert_eq(api.create(&context, info, &io), 0);
    cr_assert(io.A.n_dims == 2 && io.B.n_dims == 4 && io.C.n_dims == 2 && io.C.size == 2 * 32 * 4);
    cr_assert_eq(api.destroy(context), 0);
    old.AC_layout = 0x10000; /* zero for who reads 16 bits */
    memcpy(info, &old, sizeof old);
    cr_assert_eq(api.create(&context, info, &io), 0);
    cr_assert_eq(io.A.n_dims, 3, "whatever is not 0 is native");
    cr_assert_eq(api.destroy(context), 0);
    old.AC_layout = 0;
    old.type = 5;
    memcpy(info, &old, sizeof old);
    cr_assert_lt(api.create(&context, info, &io), 0, "type 5 came later");
}

Test(sim_matmul, runtime_2_0_converts_with_seven_arguments) {
    int8_t from[64 * 32], to[64 * 32];
    int k, n;
    open_board("rk3588", "2.0.0");
    cr_assert_null((void *)dlsym(api.v.library, "rknn_matmul_create_dynamic_shape"));
    cr_assert_not_null((void *)dlsym(api.v.library, "rknn_matmul_create_dyn_shape"));
    for (k = 0; k < 64 * 32; k++) from[k] = (int8_t)draw(-128, 127);
    cr_assert_eq(api.to_native_20(from, to, 64, 32, 32, 32, 2), 0);
    for (k = 0; k < 64; k++)
        for (n = 0; n < 32; n++) cr_assert_eq(to[((k / 32) * 32 + n) * 32 + k % 32], from[k * 32 + n]);
    cr_assert_lt(api.to_native_20(from, to, 64, 32, 16, 32, 2), 0, "other tiles than the chip's");
}

/* What the real ones were seen to take and refuse. */
Test(sim_matmul, products_of_old_runtimes_have_their_limits) {
    static const struct {
        const char *chip, *version;
        int type, m, k, n, answer;
    } cases[] = {{"rk3588", "1.5.2", 1, 1, 2048, 32, 0},   {"rk3588", "1.5.2", 1, 1, 2080, 32, -5},
                 {"rk3588", "1.5.2", 2, 1, 4096, 32, 0},   {"rk3588", "1.5.2", 2, 1, 4128, 32, -5},
                 {"rk3588", "1.5.2", 1, 4, 32, 16, 0},     {"rk3588", "1.5.2", 2, 4, 32, 16, -5},
                 {"rk3588", "1.5.2", 10, 4, 64, 64, -5},   {"rk3588", "1.6.0", 10, 4, 64, 64, 0},
                 {"rk3588", "1.6.0", 1, 1, 10272, 32, 0},  {"rk3588", "1.6.0", 1, 1, 11264, 32, -5},
                 {"rk3588", "1.6.0", 1, 1, 2064, 32, -5},  {"rk3566", "1.6.0", 1, 1, 2064, 32, 0},
                 {"rk3566", "1.6.0", 1, 4, 16, 8, 0},      {"rk3566", "1.6.0", 2, 4, 32, 16, 0},
                 {"rk3566", "1.6.0", 10, 4, 64, 64, -5},   {"rk3566", "1.6.0", 2, 1, 14336, 32, 0},
                 {"rk3566", "1.6.0", 2, 1, 15360, 32, -5}, {"rk3588", "1.4.0", 2, 4, 64, 64, 0},
                 {"rk3588", "1.6.0", 4, 4, 64, 64, -5},    {"rk3588", "1.6.0", 1, 4, 33, 32, -5}};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int status = 0;
        pid_t child; /* a chip is for the life of a process */
        fflush(NULL);
        child = fork();
        if (child == 0) {
            nnrt_rknn_matmul_info_v1 info;
            vendor_context context = 0;
            io_attr io;
            open_board(cases[i].chip, cases[i].version);
            memset(&info, 0, sizeof info);
            info.M = cases[i].m;
            info.K = cases[i].k;
            info.N = cases[i].n;
            info.type = cases[i].type;
            _exit(api.create(&context, &info, &io) == cases[i].answer ? 0 : 1);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert_eq(status, 0, "case %zu", i);
    }
}

Test(sim_matmul, the_mini_runtime_has_no_products) {
    open_board("rv1106", "");
    cr_assert(api.create == NULL && api.run == NULL && api.to_native == NULL);
}
