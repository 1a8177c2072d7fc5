/* SPDX-License-Identifier: Apache-2.0 */
/* bench_slots.c - one kernel of one instruction set at one size, some times over: who counts instructions subtracts
   two runs. tests/bench/figures.md has what was counted for RISC-V, and how.

       bench_slots              the names of what there is
       bench_slots LEVEL NAME RUNS

   Data are the same in each run, and none of it is a special case of a kernel: scales are those of models. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nnrt_cpu_kernels.h"

enum {
    ROOM = 1 << 16 /* elements of an operand */
};

static int8_t bytes[ROOM], out_bytes[ROOM];
static int16_t halves[ROOM], out_halves[ROOM];
static int32_t out_words[ROOM];
static float floats[ROOM], out_floats[ROOM];
static const int8_t *rows_s8[1024];
static const int16_t *rows_s16[1024];
static const float *rows_f32[1024];
static int32_t multiplier[1024], shift[1024], zeros[1024];
static const nnrt__channels_s16 constants = {zeros, zeros, multiplier, shift};
static nnrt__cpu_table table;

static void make_material(void) {
    uint32_t x = 20261126u;
    size_t i;
    for (i = 0; i < ROOM; i++) {
        x = x * 1664525u + 1013904223u;
        bytes[i] = (int8_t)(x >> 24);
        halves[i] = (int16_t)(x >> 16);
        floats[i] = (float)(int32_t)x / 536870912.0f; /* -4..4 */
    }
    for (i = 0; i < 1024; i++) {
        rows_s8[i] = bytes + i * 32;
        rows_s16[i] = halves + i * 32;
        rows_f32[i] = floats + i * 32;
        multiplier[i] = 1518500250;
        shift[i] = -9;
    }
}

static nnrt__binary_s8_args factors(uint32_t kind, int32_t low, int32_t high) {
    nnrt__binary_s8_args args;
    memset(&args, 0, sizeof args);
    args.kind = kind;
    args.input_multiplier[0] = args.input_multiplier[1] = 1 << 30;
    args.input_shift[1] = -1;
    args.output_multiplier = 1518500250;
    args.output_shift = kind == NNRT__BINARY_ADD ? -18 : -6;
    args.clamp_min = low;
    args.clamp_max = high;
    return args;
}

static void two_s8(uint32_t kind, size_t n) {
    const nnrt__binary_s8_args args = factors(kind, -128, 127);
    (kind == NNRT__BINARY_ADD ? table.add_s8 : table.mul_s8)(&args, bytes, 1, bytes + n, 1, out_bytes, n);
}

static void two_s16(uint32_t kind, size_t n) {
    const nnrt__binary_s8_args args = factors(kind, -32768, 32767);
    table.binary_s16(&args, halves, 1, halves + n, 1, out_halves, n);
}

static void two_f32(uint32_t kind, size_t n) {
    nnrt__binary_f32_args args;
    memset(&args, 0, sizeof args);
    args.kind = kind;
    table.binary_f32(&args, floats, 1, floats + n, 1, out_floats, n);
}

static void gemm_s16(size_t m, size_t n, size_t k) {
    nnrt__gemm_s16_args args;
    args.m = m, args.n = n, args.k = k;
    args.a = rows_s16;
    args.w = bytes;
    args.w_stride = k;
    args.channels = constants;
    args.c = out_halves;
    args.c_stride = n;
    args.clamp_min = -32768, args.clamp_max = 32767;
    table.gemm_s16(&args);
}

static void dw_s16(size_t pixels, size_t channels, size_t taps) {
    nnrt__dw_s16_args args;
    args.pixels = pixels, args.channels = channels, args.tap_count = taps;
    args.taps = rows_s16;
    args.w = bytes;
    args.constants = constants;
    args.out = out_halves;
    args.clamp_min = -32768, args.clamp_max = 32767;
    table.dw_s16(&args);
}

static void gemm_raw_f32(size_t m, size_t n, size_t k) {
    nnrt__gemm_raw_f32_args args;
    args.m = m, args.n = n, args.k = k;
    args.a = rows_f32;
    args.w = floats;
    args.w_stride = k;
    args.bias = NULL;
    args.c = out_floats;
    args.c_stride = n;
    args.clamp_min = -INFINITY, args.clamp_max = INFINITY;
    table.gemm_raw_f32(&args);
}

static void gemm_raw_s8(size_t m, size_t n, size_t k) {
    nnrt__gemm_raw_s8_args args;
    args.m = m, args.n = n, args.k = k;
    args.a = rows_s8;
    args.w = bytes;
    args.w_stride = k;
    args.bias = zeros, args.multiplier = multiplier, args.shift = shift;
    args.c = out_bytes;
    args.c_stride = n;
    args.output_zero_point = 0;
    args.clamp_min = -128, args.clamp_max = 127;
    table.gemm_raw_s8(&args);
}

static void gemm_hybrid(size_t m, size_t n, size_t k) {
    nnrt__gemm_hybrid_args args;
    args.m = m, args.n = n, args.k = k;
    args.a = rows_s8;
    args.a_scale = 0.01f;
    args.w = bytes;
    args.w_stride = k;
    args.w_scale = floats;
    args.w_scale_stride = 1;
    args.bias = NULL;
    args.c = out_floats;
    args.c_stride = n;
    args.clamp_min = -INFINITY, args.clamp_max = INFINITY;
    table.gemm_hybrid(&args);
}

static void row_sums(size_t m, size_t n, size_t k) {
    nnrt__row_sums_args args;
    (void)n;
    args.m = m, args.pieces = 1, args.piece = k;
    args.a = rows_s8;
    args.origin = 0, args.factor = 3;
    args.sums = out_words;
    table.row_sums(&args);
}

static void pool_f32(size_t average, size_t channels, size_t side) {
    nnrt__pool_f32_args args;
    args.in = floats;
    args.row_stride = side * channels;
    args.rows = args.columns = side;
    args.channels = channels;
    args.out = out_floats;
    args.clamp_min = -INFINITY, args.clamp_max = INFINITY;
    (average != 0 ? table.avg_pool_f32 : table.max_pool_f32)(&args);
}

static void blend_s8(size_t n) {
    const nnrt__blend_s8_args args = {{bytes, bytes + n}, {bytes + 2 * n, bytes + 3 * n}, 300, 700, out_bytes, n};
    table.blend_s8(&args);
}

static void blend_f32(size_t n) {
    const nnrt__blend_f32_args args = {
        {floats, floats + n}, {floats + 2 * n, floats + 3 * n}, 0.3f, 0.7f, out_floats, n};
    table.blend_f32(&args);
}

static void spread(size_t count, size_t copies, size_t element) {
    nnrt__spread_args args;
    args.count = count, args.step = 1, args.copies = copies, args.element = element;
    args.from = (const uint8_t *)bytes;
    args.to = (uint8_t *)out_bytes;
    table.spread(&args);
}

/* CASE(name, call) */
#define CASES(CASE)                                                                                           \
    CASE("add_s8 1024", two_s8(NNRT__BINARY_ADD, 1024))                                                       \
    CASE("mul_s8 1024", two_s8(NNRT__BINARY_MUL, 1024))                                                       \
    CASE("mul_s8 1024, PRELU", two_s8(NNRT__BINARY_PRELU, 1024))                                              \
    CASE("lut_s8 1024",                                                                                       \
         table.lut_s8((const uint8_t *)bytes, (const uint8_t *)bytes + 256, (uint8_t *)out_bytes, 1024))      \
    CASE("gemm_s16 96 x 64 x 256", gemm_s16(96, 64, 256))                                                     \
    CASE("gemm_s16 1 x 64 x 256", gemm_s16(1, 64, 256))                                                       \
    CASE("gemm_s16 25 x 16 x 27", gemm_s16(25, 16, 27))                                                       \
    CASE("dw_s16 16 pixels, 64 channels, 9 taps", dw_s16(16, 64, 9))                                          \
    CASE("binary_s16 1024, ADD", two_s16(NNRT__BINARY_ADD, 1024))                                             \
    CASE("binary_s16 1024, MUL", two_s16(NNRT__BINARY_MUL, 1024))                                             \
    CASE("quantize_f32 1024", table.quantize_f32(floats, 0.03125f, 3, true, out_bytes, 1024))                 \
    CASE("dequantize_f32 1024", table.dequantize_f32(bytes, 0.03f, 3, true, out_floats, 1024))                \
    CASE("binary_f32 1024, ADD", two_f32(NNRT__BINARY_ADD, 1024))                                             \
    CASE("binary_f32 1024, MAXIMUM", two_f32(NNRT__BINARY_MAXIMUM, 1024))                                     \
    CASE("unary_f32 1024, CLIP", table.unary_f32(NNRT__UNARY_CLIP, floats, 0, 6, out_floats, 1024))           \
    CASE("unary_f32 1024, HSWISH", table.unary_f32(NNRT__UNARY_HSWISH, floats, 0, 0, out_floats, 1024))       \
    CASE("unary_f32 1024, SIGMOID", table.unary_f32(NNRT__UNARY_SIGMOID, floats, 0, 0, out_floats, 1024))     \
    CASE("unary_f32 1024, TANH", table.unary_f32(NNRT__UNARY_TANH, floats, 0, 0, out_floats, 1024))           \
    CASE("unary_f32 1024, GELU_TANH", table.unary_f32(NNRT__UNARY_GELU_TANH, floats, 0, 0, out_floats, 1024)) \
    CASE("softmax_f32 1001", table.softmax_f32(floats, out_floats, 1001, 1, NULL))                            \
    CASE("softmax_f32 21", table.softmax_f32(floats, out_floats, 21, 1, NULL))                                \
    CASE("avg_pool_f32 7 x 7, 64 channels", pool_f32(1, 64, 7))                                               \
    CASE("max_pool_f32 3 x 3, 64 channels", pool_f32(0, 64, 3))                                               \
    CASE("sums_s8 49 x 1280", table.sums_s8(bytes, 1280, 49, 1280, out_words))                                \
    CASE("sums_f32 49 x 1280", table.sums_f32(floats, 1280, 49, 1280, out_floats))                            \
    CASE("row_sums 96 x 256", row_sums(96, 1, 256))                                                           \
    CASE("gemm_raw_s8 96 x 64 x 256", gemm_raw_s8(96, 64, 256))                                               \
    CASE("gemm_raw_s8 1 x 64 x 256", gemm_raw_s8(1, 64, 256))                                                 \
    CASE("gemm_hybrid 1 x 64 x 256", gemm_hybrid(1, 64, 256))                                                 \
    CASE("gemm_raw_f32 1 x 64 x 256", gemm_raw_f32(1, 64, 256))                                               \
    CASE("gemm_raw_f32 96 x 64 x 256", gemm_raw_f32(96, 64, 256))                                             \
    CASE("blend_s8 64", blend_s8(64))                                                                         \
    CASE("blend_f32 64", blend_f32(64))                                                                       \
    CASE("spread 256 x 4 bytes", spread(256, 4, 1))                                                           \
    CASE("spread 256 x 2 floats", spread(256, 2, 4))

static void run(size_t which) {
    size_t i = 0;
#define RUN(name, call) \
    if (i++ == which) call;
    CASES(RUN)
}

#define NAME(name, call) name,
static const char *const names[] = {CASES(NAME)};

int main(int argc, char **argv) {
    size_t which = 0;
    unsigned cap = 0;
    long runs;
    if (argc != 4) {
        for (; which < NNRT__COUNT_OF(names); which++) puts(names[which]);
        return argc != 1;
    }
    if (!nnrt__isa_from_name(argv[1], &cap) || (cap & ~nnrt__cpu_detect()) != 0) {
        fprintf(stderr, "this processor has no %s\n", argv[1]);
        return 1;
    }
    while (which < NNRT__COUNT_OF(names) && strcmp(argv[2], names[which]) != 0) which++;
    make_material();
    nnrt__cpu_select(&table, cap);
    for (runs = strtol(argv[3], NULL, 10); runs > 0; runs--) run(which);
    return 0;
}
