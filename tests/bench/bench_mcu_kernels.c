/* SPDX-License-Identifier: Apache-2.0 */
/* bench_mcu_kernels.c - what kernels that models of figures_mcu.md do not run take on a microcontroller: instructions
   of the portable ones and of the board's own. `bench_mcu.py --kernels` builds it and runs it on a board of QEMU, whose
   clock then goes by instructions. Prints a row per kernel and shape. */
#include "board.h"

#include "nnrt_cpu_kernels.h"

#define SEED 20261125u
#include "noise.h"

enum {
    MOST = 16384, /* elements of an operand */
    CHANNELS = 64,
    PIXELS = 32,
    TAPS = 9,
    SPINS = 100000
};

static int16_t a[MOST], b[MOST], out[MOST];
static int8_t w[MOST];
static float floats[1000];
static int32_t exps[256];
static int32_t words[4][CHANNELS]; /* bias, its upper half, multiplier, shift */
static const int16_t *list[PIXELS * TAPS];
static nnrt__cpu_table tables[2];
static uint64_t unit; /* nanoseconds of 2 * SPINS instructions */

static void put(uint64_t number) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    board_print(at);
}

/* A row of the table; `run` is given the table to call. Rows are those of bench_mcu.py's page. */
static void row(const char *name, void (*run)(const nnrt__cpu_table *table, const size_t *shape), const size_t *shape) {
    size_t i;
    board_print("| ");
    board_print(name);
    for (i = 0; i < 2; i++) {
        const uint64_t before = board_now_ns();
        run(&tables[i], shape);
        board_print(" | ");
        put((board_now_ns() - before) * (2 * SPINS) / unit);
    }
    board_print(" |\n");
}

static nnrt__channels_s16 channels_of(bool wide) {
    const nnrt__channels_s16 channels = {words[0], wide ? words[1] : NULL, words[2], words[3]};
    return channels;
}

/* shape: m, n, k, biases of 64 bits? */
static void gemm_s16(const nnrt__cpu_table *table, const size_t *shape) {
    nnrt__gemm_s16_args args;
    size_t i;
    memset(&args, 0, sizeof args);
    args.m = shape[0];
    args.n = args.c_stride = shape[1];
    args.k = args.w_stride = shape[2];
    for (i = 0; i < args.m; i++) list[i] = a + i * args.k;
    args.a = list;
    args.w = w;
    args.channels = channels_of(shape[3] != 0);
    args.c = out;
    args.clamp_min = -32768;
    args.clamp_max = 32767;
    table->gemm_s16(&args);
}

/* shape: pixels, channels, taps */
static void dw_s16(const nnrt__cpu_table *table, const size_t *shape) {
    nnrt__dw_s16_args args;
    size_t i;
    memset(&args, 0, sizeof args);
    args.pixels = shape[0];
    args.channels = shape[1];
    args.tap_count = shape[2];
    for (i = 0; i < args.pixels * args.tap_count; i++) list[i] = a + i;
    args.taps = list;
    args.w = w;
    args.constants = channels_of(true);
    args.out = out;
    args.clamp_min = -32768;
    args.clamp_max = 32767;
    table->dw_s16(&args);
}

/* shape: elements, kind */
static void binary_s16(const nnrt__cpu_table *table, const size_t *shape) {
    nnrt__binary_s8_args args;
    memset(&args, 0, sizeof args);
    args.kind = (uint32_t)shape[1];
    nnrt__binary_s16_scales(&args, 0.001, 0.0007, args.kind == NNRT__BINARY_MUL ? 0.01 : 0.002);
    args.clamp_min = -32768;
    args.clamp_max = 32767;
    table->binary_s16(&args, a, 1, b, 1, out, shape[0]);
}

#if NNRT__HAVE_CORTEX_M55
#define OWN_SOFTMAX_S8 nnrt__softmax_s8_cortex_m55
#else
#define OWN_SOFTMAX_S8 nnrt__softmax_s8_scalar
#endif

/* No slot of the table. shape: elements, rows */
static void softmax_s8(const nnrt__cpu_table *table, const size_t *shape) {
    size_t i;
    for (i = 0; i < shape[1]; i++)
        (table == &tables[0] ? nnrt__softmax_s8_scalar : OWN_SOFTMAX_S8)(exps, w, (int8_t *)out, shape[0], 1, NULL);
}

/* shape: elements, rows */
static void softmax_f32(const nnrt__cpu_table *table, const size_t *shape) {
    size_t i;
    for (i = 0; i < shape[1]; i++) table->softmax_f32(floats + i * shape[0], floats + i * shape[0], shape[0], 1, NULL);
}

/* shape: elements, kind */
static void unary_f32(const nnrt__cpu_table *table, const size_t *shape) {
    table->unary_f32((uint32_t)shape[1], floats, 0.0f, 0.0f, floats, shape[0]);
}

int main(void) {
    static const size_t conv[4] = {32, 64, 144, 1}, narrow[4] = {32, 64, 144, 0}, full[4] = {1, 64, 250, 1};
    static const size_t deep[4] = {4, 16, 1000, 1}, dw[3] = {32, 64, 9}, few[3] = {32, 7, 9};
    static const size_t add[2] = {4096, NNRT__BINARY_ADD}, mul[2] = {4096, NNRT__BINARY_MUL};
    static const size_t small[2] = {10, 100}, large[2] = {1000, 1};
    static const size_t sigmoid[2] = {1000, NNRT__UNARY_SIGMOID}, tanh_of[2] = {1000, NNRT__UNARY_TANH};
    size_t i;
    nnrt__cpu_select(&tables[0], 0);
    nnrt__cpu_select(&tables[1], nnrt__cpu_detect());
    for (i = 0; i < MOST; i++) {
        a[i] = (int16_t)noise_in(-32768, 32767);
        b[i] = (int16_t)noise_in(-32768, 32767);
        w[i] = (int8_t)noise_in(-127, 127);
    }
    if (!nnrt__softmax_s8_table(0.1, exps)) return 1;
    for (i = 0; i < 1000; i++) floats[i] = (float)noise_between(-5, 5);
    for (i = 0; i < CHANNELS; i++) {
        words[0][i] = noise_in(-20000, 20000);
        words[1][i] = words[0][i] < 0 ? -1 : 0;
        words[2][i] = noise_in(1 << 30, INT32_MAX);
        words[3][i] = -9;
    }
    unit = board_now_ns();
    board_spin(SPINS);
    unit = board_now_ns() - unit;
    row("gemm_s16, 32 x 64, 144 products, int64 biases", gemm_s16, conv);
    row("gemm_s16, 32 x 64, 144 products, int32 biases", gemm_s16, narrow);
    row("gemm_s16, 1 x 64, 250 products, int64 biases", gemm_s16, full);
    row("gemm_s16, 4 x 16, 1000 products, int64 biases", gemm_s16, deep);
    row("dw_s16, 32 pixels, 64 channels, 9 taps", dw_s16, dw);
    row("dw_s16, 32 pixels, 7 channels, 9 taps", dw_s16, few);
    row("binary_s16, ADD of 4096", binary_s16, add);
    row("binary_s16, MUL of 4096", binary_s16, mul);
    row("softmax_s8, 100 rows of 10", softmax_s8, small);
    row("softmax_s8, 1 row of 1000", softmax_s8, large);
    row("softmax_f32, 100 rows of 10", softmax_f32, small);
    row("softmax_f32, 1 row of 1000", softmax_f32, large);
    row("unary_f32, SIGMOID of 1000", unary_f32, sigmoid);
    row("unary_f32, TANH of 1000", unary_f32, tanh_of);
    return 0;
}
