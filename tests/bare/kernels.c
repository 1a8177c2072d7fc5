/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - the kernels of a microcontroller's own against the portable ones, on the board: Helium runs nowhere else.

   Every slot of the table for every size around the kernels' tiles and vectors, with factors as models have them, with
   any others, and with sums that are small, and that wrap. An output has bytes around its rows that have to stay. */
#include "board.h"

#include <string.h>

#include "nnrt_cpu_kernels.h"

#define SEED 20261125u
#include "noise.h"

enum {
    ROWS = 9,
    CHANNELS = 19,
    DEPTH = 70,
    GAP = 0x5a,
    STRIDE = CHANNELS + 5
};

static int8_t input[4 * ROWS * (DEPTH + 32)], weights[CHANNELS * 3 * DEPTH], got[ROWS * STRIDE + 8],
    want[ROWS * STRIDE];
static int32_t bias[CHANNELS], multiplier[CHANNELS], shift[CHANNELS], added[ROWS + 3];
static const int8_t *list[ROWS * DEPTH];
static uint64_t packed[2][8192], scratch[1024];
static float floats[ROWS * (DEPTH + 32)], float_weights[CHANNELS * DEPTH], float_bias[CHANNELS];
static float float_got[ROWS * STRIDE + 2], float_want[ROWS * STRIDE];
static const float *float_list[ROWS * DEPTH];
static const float float_gap = 12345.0f;
static unsigned long failures, checks;

static void promise(bool kept, const char *what) {
    checks++;
    if (kept) return;
    if (failures++ < 10) {
        board_print("FAILED ");
        board_print(what);
        board_print(" differs from the portable kernel\n");
    }
}

static void fill(int8_t *to, size_t n) {
    const uint32_t how = noise() % 6;
    size_t i;
    for (i = 0; i < n; i++)
        to[i] = (int8_t)(how == 0 ? -128 : how == 1 ? 127 : how <= 3 ? noise_in(-1, 1) : noise_in(-128, 127));
}

typedef struct range {
    int32_t zero_point, low, high;
} range;

static range make_constants(size_t n) {
    const bool usual = noise() % 2 != 0, wraps = noise() % 4 == 0;
    const int32_t most = noise() % 2 != 0 ? 20000 : 20, turn = noise() % 2 != 0 ? 31 : 2;
    range r;
    size_t i;
    for (i = 0; i < n; i++) {
        bias[i] = wraps ? (noise() % 2 != 0 ? INT32_MAX : INT32_MIN) : noise_in(-most, most);
        multiplier[i] = !usual && noise() % 8 == 0 ? 0 : noise_in(1 << 30, INT32_MAX);
        shift[i] = usual ? noise_in(-12, -1) : noise_in(-turn, turn - 1);
    }
    r.zero_point = noise_in(-128, 127);
    r.low = noise() % 2 != 0 ? -128 : noise_in(-128, 0);
    r.high = noise() % 2 != 0 ? 127 : noise_in(r.low, 127);
    return r;
}

/* w: n channels of k products, or taps of channels. */
static void pack(void *to, const nnrt__packing *packing, size_t n, size_t pieces, size_t piece, bool taps) {
    nnrt__weights from;
    memset(&from, 0, sizeof from);
    from.w = weights;
    from.n = n;
    from.pieces = pieces;
    from.piece = piece;
    from.n_stride = taps ? 1 : (ptrdiff_t)(pieces * piece);
    from.k_stride = taps ? (ptrdiff_t)n : 1;
    from.bias = bias;
    from.multiplier = multiplier;
    from.shift = shift;
    nnrt__pack(to, packing, &from);
}

static bool same(size_t rows, size_t n) {
    size_t row, i;
    for (row = 0; row < rows; row++) {
        if (memcmp(got + row * STRIDE, want + row * STRIDE, n) != 0) return false;
        for (i = n; i < STRIDE && (row + 1 < rows || i < n + 8); i++)
            if (got[row * STRIDE + i] != GAP) return false;
    }
    return true;
}

static void check_gemm(const nnrt__gemm_s8_slot *slot, size_t m, size_t n, size_t pieces, size_t piece) {
    const range r = make_constants(n);
    const bool shared = nnrt__packing_is_shared(slot->packing);
    nnrt__gemm_s8_args args;
    size_t i;
    for (i = 1; shared && i < n; i++) {
        multiplier[i] = multiplier[0];
        shift[i] = shift[0];
    }
    fill(input, sizeof input);
    fill(weights, n * pieces * piece);
    for (i = 0; i < m * pieces; i++) list[i] = input + noise() % (sizeof input - DEPTH - 16);
    pack(packed[0], slot->packing, n, pieces, piece, false);
    pack(packed[1], &nnrt__packing_s8_1x1, n, pieces, piece, false);
    memset(&args, 0, sizeof args);
    args.m = m;
    args.n = n;
    args.pieces = pieces;
    args.piece = piece;
    args.a = list;
    args.factor = shared ? packed[0] : NULL;
    args.w = (const uint8_t *)(const void *)packed[0] + nnrt__packing_front(slot->packing);
    args.c = got;
    args.c_stride = STRIDE;
    args.output_zero_point = r.zero_point;
    args.clamp_min = r.low;
    args.clamp_max = r.high;
    for (i = 0; i < ROWS + 3; i++) added[i] = noise_in(-20000, 20000);
    args.added = noise() % 3 == 0 ? added : NULL;
    memset(got, GAP, sizeof got);
    slot->run(&args, scratch);
    args.c = want;
    args.w = packed[1];
    args.factor = NULL;
    nnrt__gemm_s8_any(&args, &nnrt__packing_s8_1x1);
    promise(same(m, n), "gemm_s8");
}

static void check_dw(const nnrt__dw_s8_slot *slot, size_t pixels, size_t n, size_t height, size_t width) {
    const range r = make_constants(n);
    const size_t taps = height * width;
    nnrt__dw_s8_args args;
    nnrt__dw_rows_s8_args rows;
    size_t i;
    fill(input, sizeof input);
    fill(weights, n * taps);
    for (i = 0; i < pixels * taps; i++) list[i] = input + noise() % (sizeof input - CHANNELS);
    pack(packed[0], slot->packing, n, 1, taps, true);
    pack(packed[1], &nnrt__packing_s8_1x1, n, 1, taps, true);
    memset(&args, 0, sizeof args);
    args.pixels = pixels;
    args.channels = n;
    args.tap_count = taps;
    args.taps = list;
    args.w = packed[0];
    args.out = got;
    args.out_stride = STRIDE;
    args.output_zero_point = r.zero_point;
    args.clamp_min = r.low;
    args.clamp_max = r.high;
    memset(got, GAP, sizeof got);
    slot->run(&args);
    args.out = want;
    args.w = packed[1];
    nnrt__dw_s8_any(&args, &nnrt__packing_s8_1x1);
    promise(same(pixels, n), "dw_s8");
    memset(&rows, 0, sizeof rows);
    rows.pixels = pixels;
    rows.channels = n;
    rows.kernel_h = height;
    rows.kernel_w = width;
    for (i = 0; i < height; i++) list[i] = input + noise() % 512;
    rows.rows = list;
    rows.pixel_step = n + noise() % 3;
    rows.tap_step = n;
    rows.w = packed[0];
    rows.out = got;
    rows.out_stride = STRIDE;
    rows.output_zero_point = r.zero_point;
    rows.clamp_min = r.low;
    rows.clamp_max = r.high;
    memset(got, GAP, sizeof got);
    if (slot->run_rows == NULL) return;
    slot->run_rows(&rows);
    rows.out = want;
    rows.w = packed[1];
    nnrt__dw_rows_s8_any(&rows, &nnrt__packing_s8_1x1);
    promise(same(pixels, n), "dw_s8 of rows");
}

/* Of any factors: ADD and SUB have inputs of at most 1, as their contract says. */
static nnrt__binary_s8_args make_binary(uint32_t kind) {
    nnrt__binary_s8_args args;
    const range r = make_constants(3);
    size_t i;
    fill(input, sizeof input);
    memset(&args, 0, sizeof args);
    args.kind = kind;
    for (i = 0; i < 2; i++) {
        args.input_zero_point[i] = noise_in(-128, 127);
        args.input_multiplier[i] = multiplier[i];
        args.input_shift[i] = noise() % 3 == 0 ? 0 : noise_in(-31, 0);
        if (noise() % 2 != 0) args.input_multiplier[i] = 1 << 30; /* 1/2, as one of two operands has it */
    }
    if (kind == NNRT__BINARY_PRELU) args.input_shift[0] = shift[0] > 30 ? 30 : shift[0];
    args.output_multiplier = multiplier[2];
    args.output_shift = noise() % 4 != 0 ? noise_in(-20, -1) : shift[2];
    args.output_zero_point = r.zero_point;
    args.clamp_min = r.low;
    args.clamp_max = r.high;
    return args;
}

static void check_binary(nnrt__add_s8_fn binary, nnrt__add_s8_fn portable, uint32_t kind, size_t n, size_t a_step,
                         size_t b_step, const char *what) {
    const nnrt__binary_s8_args args = make_binary(kind);
    memset(got, GAP, sizeof got);
    binary(&args, input, a_step, input + 200, b_step, got, n);
    portable(&args, input, a_step, input + 200, b_step, want, n);
    promise(memcmp(got, want, n) == 0 && got[n] == GAP, what);
}

static void check_lut(nnrt__lut_s8_fn lut, size_t n) {
    const uint8_t *table = (const uint8_t *)weights, *in = (const uint8_t *)input + noise() % 16;
    size_t i;
    for (i = 0; i < 256; i++) weights[i] = (int8_t)noise_in(-128, 127);
    for (i = 0; i < sizeof input; i++) input[i] = (int8_t)noise_in(-128, 127);
    memset(got, GAP, sizeof got);
    lut(table, in, (uint8_t *)got, n);
    nnrt__lut_s8_scalar(table, in, (uint8_t *)want, n);
    promise(memcmp(got, want, n) == 0 && got[n] == GAP, "lut_s8");
}

/* Windows of one pixel, of a few, and of all that there is; bytes around the output stay. */
static void check_pool(nnrt__pool_s8_fn pool, nnrt__pool_s8_fn portable, size_t n, size_t height, size_t width,
                       const char *what) {
    const range r = make_constants(1);
    nnrt__pool_s8_args args;
    fill(input, sizeof input);
    memset(&args, 0, sizeof args);
    args.in = input + noise() % 4;
    args.rows = height;
    args.columns = width;
    args.channels = n;
    args.row_stride = width * n + noise() % 5;
    args.offset = noise() % 2 != 0 ? 128 : 0;
    args.clamp_min = r.low;
    args.clamp_max = r.high;
    args.out = got;
    memset(got, GAP, sizeof got);
    pool(&args);
    args.out = want;
    portable(&args);
    promise(same(1, n), what);
}

/* Small whole numbers, whose sums are exact in any order; now and then a NaN. */
static void fill_floats(float *to, size_t n) {
    const bool has_nan = noise() % 8 == 0;
    size_t i;
    for (i = 0; i < n; i++) to[i] = (float)noise_in(-9, 9);
    if (has_nan) to[noise() % n] = NAN;
}

/* Bytes, as of same(). */
static bool same_floats(const float *is, const float *shall, size_t rows, size_t n) {
    size_t row, i;
    for (row = 0; row < rows; row++) {
        if (memcmp(is + row * STRIDE, shall + row * STRIDE, n * sizeof *is) != 0) return false;
        for (i = n; i < STRIDE && (row + 1 < rows || i < n + 2); i++)
            if (memcmp(is + row * STRIDE + i, &float_gap, sizeof float_gap) != 0) return false;
    }
    return true;
}

static void pack_floats(const nnrt__packing *packing, size_t n, size_t pieces, size_t piece, bool taps) {
    nnrt__weights from;
    memset(&from, 0, sizeof from);
    from.w = float_weights;
    from.n = n;
    from.pieces = pieces;
    from.piece = piece;
    from.n_stride = taps ? 1 : (ptrdiff_t)(pieces * piece);
    from.k_stride = taps ? (ptrdiff_t)n : 1;
    from.bias = float_bias;
    nnrt__pack(packed[0], packing, &from);
}

/* Both ways read the same packing. */
static void check_gemm_f32(const nnrt__gemm_f32_slot *slot, size_t m, size_t n, size_t pieces, size_t piece) {
    nnrt__gemm_f32_args args;
    size_t i;
    if (slot->packing != &nnrt__packing_f32_4x1) return;
    fill_floats(floats, sizeof floats / sizeof *floats);
    for (i = 0; i < n; i++) float_bias[i] = (float)noise_in(-99, 99);
    for (i = 0; i < n * pieces * piece; i++) float_weights[i] = (float)noise_in(-9, 9);
    for (i = 0; i < m * pieces; i++) float_list[i] = floats + noise() % (sizeof floats / sizeof *floats - DEPTH);
    pack_floats(slot->packing, n, pieces, piece, false);
    memset(&args, 0, sizeof args);
    args.m = m;
    args.n = n;
    args.pieces = pieces;
    args.piece = piece;
    args.a = float_list;
    args.w = packed[0];
    args.c_stride = STRIDE;
    args.clamp_min = noise() % 2 != 0 ? -INFINITY : -150.0f;
    args.clamp_max = noise() % 2 != 0 ? INFINITY : 150.0f;
    for (i = 0; i < sizeof float_got / sizeof *float_got; i++) float_got[i] = float_gap;
    args.c = float_got;
    slot->run(&args, scratch);
    args.c = float_want;
    nnrt__gemm_f32_scalar(&args, scratch);
    promise(same_floats(float_got, float_want, m, n), "gemm_f32");
}

static void check_dw_f32(const nnrt__dw_f32_slot *slot, size_t pixels, size_t n, size_t height, size_t width) {
    nnrt__dw_f32_args args;
    nnrt__dw_rows_f32_args rows;
    size_t i;
    if (slot->packing != &nnrt__packing_f32_4x1) return;
    fill_floats(floats, sizeof floats / sizeof *floats);
    for (i = 0; i < n; i++) float_bias[i] = (float)noise_in(-99, 99);
    for (i = 0; i < n * height * width; i++) float_weights[i] = (float)noise_in(-9, 9);
    pack_floats(slot->packing, n, 1, height * width, true);
    for (i = 0; i < pixels * height * width; i++)
        float_list[i] = floats + noise() % (sizeof floats / sizeof *floats - CHANNELS);
    memset(&args, 0, sizeof args);
    args.pixels = pixels;
    args.channels = n;
    args.tap_count = height * width;
    args.taps = float_list;
    args.w = packed[0];
    args.out_stride = STRIDE;
    args.clamp_min = noise() % 2 != 0 ? -INFINITY : -150.0f;
    args.clamp_max = 150.0f;
    for (i = 0; i < sizeof float_got / sizeof *float_got; i++) float_got[i] = float_gap;
    args.out = float_got;
    slot->run(&args);
    args.out = float_want;
    nnrt__dw_f32_scalar(&args);
    promise(same_floats(float_got, float_want, pixels, n), "dw_f32");
    memset(&rows, 0, sizeof rows);
    rows.pixels = pixels;
    rows.channels = n;
    rows.kernel_h = height;
    rows.kernel_w = width;
    for (i = 0; i < height; i++) float_list[i] = floats + noise() % 128;
    rows.rows = float_list;
    rows.pixel_step = n + noise() % 3;
    rows.tap_step = n;
    rows.w = packed[0];
    rows.out_stride = STRIDE;
    rows.clamp_min = -150.0f;
    rows.clamp_max = INFINITY;
    if (slot->run_rows == NULL) return;
    for (i = 0; i < sizeof float_got / sizeof *float_got; i++) float_got[i] = float_gap;
    rows.out = float_got;
    slot->run_rows(&rows);
    rows.out = float_want;
    nnrt__dw_rows_f32_scalar(&rows);
    promise(same_floats(float_got, float_want, pixels, n), "dw_f32 of rows");
}

static void check_hybrid(nnrt__gemm_hybrid_fn gemm, size_t m, size_t n, size_t k) {
    nnrt__gemm_hybrid_args args;
    size_t i;
    fill(input, sizeof input);
    fill(weights, n * (k + 2));
    for (i = 0; i < n; i++) float_bias[i] = 0.37f * (float)noise_in(-999, 999);
    for (i = 0; i < n; i++) float_weights[i] = 0.0013f * (float)noise_in(1, 999);
    for (i = 0; i < m; i++) list[i] = input + noise() % (sizeof input - k);
    memset(&args, 0, sizeof args);
    args.m = m;
    args.n = n;
    args.k = k;
    args.a = list;
    args.a_scale = 0.017f;
    args.w = weights;
    args.w_stride = k + noise() % 3;
    args.w_scale = float_weights;
    args.w_scale_stride = noise() % 2;
    args.bias = noise() % 2 != 0 ? float_bias : NULL;
    args.c_stride = STRIDE;
    args.clamp_min = noise() % 2 != 0 ? -INFINITY : 0.0f;
    args.clamp_max = noise() % 2 != 0 ? INFINITY : 60.0f;
    for (i = 0; i < sizeof float_got / sizeof *float_got; i++) float_got[i] = float_gap;
    args.c = float_got;
    gemm(&args);
    args.c = float_want;
    nnrt__gemm_hybrid_scalar(&args);
    promise(same_floats(float_got, float_want, m, n), "gemm_hybrid");
}

static void check_quantize_symmetric(nnrt__quantize_symmetric_f32_fn quantize, size_t n) {
    static const float odd[6] = {0.0f, NAN, INFINITY, 1e-35f, 1e-42f, 3e38f};
    const float unit = noise() % 2 != 0 ? 0.5f : 0.0271f; /* halves of 127: ties */
    float scales[2];
    size_t i;
    for (i = 0; i < n; i++) floats[i] = unit * (float)noise_in(-254, 254);
    floats[noise() % n] = unit * 254.0f;
    for (i = noise() % 8; i < 6; i += 6) floats[noise() % n] = odd[i];
    memset(got, GAP, sizeof got);
    quantize(floats, n, got, &scales[0]);
    nnrt__quantize_symmetric_f32_scalar(floats, n, want, &scales[1]);
    promise(memcmp(got, want, n) == 0 && got[n] == GAP && memcmp(&scales[0], &scales[1], 4) == 0, "quantize_symmetric");
}

/* ---------------------------------------------------------------------------------------------------- int16

   What is read or written lies in turns at the end of the board's memory, where one byte more is a fault. */

enum {
    LONG = 1040, /* products of a row */
    PARTS = 5    /* of a call: what may lie there */
};

static int16_t inputs[ROWS * LONG], got_s16[ROWS * STRIDE + 8], want_s16[ROWS * STRIDE];
static int8_t long_weights[CHANNELS * LONG];
static int32_t constants[4 * CHANNELS];
static const int16_t *list_s16[ROWS * 90];

#ifdef __ARM_FEATURE_MVE
static uint8_t *volatile const edge = (uint8_t *)0x20080000u; /* of the memory beside the processor of mps3-an547 */
#else
static uint8_t last_bytes[CHANNELS * LONG + 8];
static uint8_t *volatile const edge = last_bytes + sizeof last_bytes;
#endif

/* `size` bytes, those at `from` if it is their turn to lie at the end of the memory. */
static void *at_edge(bool is_turn, void *from, size_t size) { return is_turn ? memcpy(edge - size, from, size) : from; }

static void fill_s16(int16_t *to, size_t n) {
    const uint32_t how = noise() % 6;
    size_t i;
    for (i = 0; i < n; i++)
        to[i] = (int16_t)(how == 0 ? -32768 : how == 1 ? 32767 : how <= 3 ? noise_in(-9, 9) : noise_in(-32768, 32767));
}

/* Of n channels for sums of k products; biases now and then as large as 32 bits leave room for, or 1 larger. */
static nnrt__channels_s16 make_channels(size_t n, size_t k, bool at_end) {
    const bool wide = noise() % 2 != 0, usual = noise() % 4 != 0;
    const int32_t most = k <= NNRT__S16_PRODUCTS_MAX ? (int32_t)(INT32_MAX - ((uint32_t)k << 22)) : 9;
    const int32_t shifts = noise() % 2 != 0 ? 31 : 2;
    int32_t *words = (int32_t *)at_edge(at_end, constants, n * (wide ? 16 : 12)), *factors = words + (wide ? 2 : 1) * n;
    nnrt__channels_s16 channels;
    size_t i;
    for (i = 0; i < n; i++) {
        words[i] = noise_in(-20000, 20000);
        if (noise() % 8 == 0) words[i] = (int32_t)((uint32_t)most + (usual ? 0 : noise() % 2));
        if (noise() % 8 == 0) words[i] = -words[i];
        if (!usual && noise() % 8 == 0) words[i] = noise() % 2 != 0 ? INT32_MIN : INT32_MAX;
        if (wide) words[n + i] = !usual && noise() % 8 == 0 ? noise_in(-2048, 2047) : words[i] < 0 ? -1 : 0;
        factors[i] = noise_in(1 << 30, INT32_MAX);
        if (noise() % 8 == 0)
            factors[i] = noise_in(0x7ffeff00, INT32_MAX); /* its upper 15 bits round to more or stay */
        if (!usual && noise() % 8 == 0) factors[i] = 0;
        factors[n + i] = usual ? noise_in(-20, -1) : noise_in(-shifts, shifts < 8 ? shifts : 7);
    }
    channels.bias = words;
    channels.bias_high = wide ? words + n : NULL;
    channels.multiplier = factors;
    channels.shift = factors + n;
    return channels;
}

static bool same_s16(const int16_t *is, size_t rows, size_t n, bool at_end) {
    const int16_t gap = GAP << 8 | GAP;
    size_t row, i;
    for (row = 0; row < rows; row++) {
        if (memcmp(is + row * STRIDE, want_s16 + row * STRIDE, n * 2) != 0) return false;
        for (i = n; i < STRIDE && (row + 1 < rows || (!at_end && i < n + 8)); i++)
            if (is[row * STRIDE + i] != gap) return false;
    }
    return true;
}

static void check_gemm_s16(nnrt__gemm_s16_fn gemm, size_t m, size_t n, size_t k) {
    const uint32_t turn = noise() % PARTS;
    const size_t out_size = ((m - 1) * STRIDE + n) * 2;
    nnrt__gemm_s16_args args;
    size_t i;
    memset(&args, 0, sizeof args);
    args.w_stride = k + noise() % 3;
    fill_s16(inputs, sizeof inputs / sizeof *inputs);
    fill(long_weights, (n - 1) * args.w_stride + k);
    for (i = 0; i < m; i++) list_s16[i] = inputs + noise() % (sizeof inputs / sizeof *inputs - k);
    list_s16[m - 1] = (const int16_t *)at_edge(turn == 0, inputs + 1, k * 2);
    args.m = m;
    args.n = n;
    args.k = k;
    args.a = list_s16;
    args.w = (const int8_t *)at_edge(turn == 1, long_weights, (n - 1) * args.w_stride + k);
    args.channels = make_channels(n, k, turn == 2);
    args.c_stride = STRIDE;
    args.clamp_min = noise() % 2 != 0 ? -32768 : noise_in(-32768, 0);
    args.clamp_max = noise() % 2 != 0 ? 32767 : noise_in(args.clamp_min, 32767);
    memset(got_s16, GAP, sizeof got_s16);
    args.c = (int16_t *)at_edge(turn == 3, got_s16, out_size);
    gemm(&args);
    memcpy(got_s16, args.c, out_size);
    args.c = want_s16;
    nnrt__gemm_s16_scalar(&args);
    promise(same_s16(got_s16, m, n, turn == 3), "gemm_s16");
}

static void check_dw_s16(nnrt__dw_s16_fn dw, size_t pixels, size_t n, size_t taps) {
    const uint32_t turn = noise() % PARTS;
    const size_t out_size = pixels * n * 2;
    nnrt__dw_s16_args args;
    size_t i;
    memset(&args, 0, sizeof args);
    fill_s16(inputs, sizeof inputs / sizeof *inputs);
    fill(long_weights, n * taps);
    for (i = 0; i < pixels * taps; i++) list_s16[i] = inputs + noise() % (sizeof inputs / sizeof *inputs - CHANNELS);
    if (turn == 0 && taps != 0) list_s16[noise() % (pixels * taps)] = (const int16_t *)at_edge(true, inputs, n * 2);
    args.pixels = pixels;
    args.channels = n;
    args.tap_count = taps;
    args.taps = list_s16;
    args.w = (const int8_t *)at_edge(turn == 1, long_weights, n * taps);
    args.constants = make_channels(n, taps, turn == 2);
    args.clamp_min = noise() % 2 != 0 ? -32768 : noise_in(-32768, 0);
    args.clamp_max = noise() % 2 != 0 ? 32767 : noise_in(args.clamp_min, 32767);
    memset(got_s16, GAP, sizeof got_s16);
    args.out = (int16_t *)at_edge(turn == 3, got_s16, out_size);
    dw(&args);
    memcpy(got_s16, args.out, out_size);
    args.out = want_s16;
    nnrt__dw_s16_scalar(&args);
    promise(memcmp(got_s16, want_s16, out_size) == 0 && (got_s16[pixels * n] & 255) == GAP, "dw_s16");
}

/* In place now and then. */
static void check_binary_s16(nnrt__binary_s16_fn binary, uint32_t kind, size_t n, size_t a_step, size_t b_step) {
    const uint32_t turn = noise() % PARTS;
    nnrt__binary_s8_args args = make_binary(kind);
    const int16_t *a, *b;
    fill_s16(inputs, n);
    fill_s16(inputs + n, n);
    args.input_zero_point[0] = args.input_zero_point[1] = args.output_zero_point = 0;
    args.clamp_min = noise() % 2 != 0 ? -32768 : noise_in(-32768, 0);
    args.clamp_max = noise() % 2 != 0 ? 32767 : noise_in(args.clamp_min, 32767);
    a = (const int16_t *)at_edge(turn == 0, inputs, (a_step != 0 ? n : 1) * 2);
    b = (const int16_t *)at_edge(turn == 1, inputs + n, (b_step != 0 ? n : 1) * 2);
    nnrt__binary_s16_scalar(&args, a, a_step, b, b_step, want_s16, n);
    memset(got_s16, GAP, sizeof got_s16);
    if (turn == 4 && a_step != 0) {
        memcpy(got_s16, a, n * 2);
        binary(&args, got_s16, 1, b, b_step, got_s16, n);
    } else {
        int16_t *out = (int16_t *)at_edge(turn == 3, got_s16, n * 2);
        binary(&args, a, a_step, b, b_step, out, n);
        memcpy(got_s16, out, n * 2);
    }
    promise(memcmp(got_s16, want_s16, n * 2) == 0 && (got_s16[n] & 255) == GAP, "binary_s16");
}

static void check_s16(const nnrt__cpu_table *table) {
    static const uint32_t kinds[6] = {NNRT__BINARY_ADD, NNRT__BINARY_SUB,     NNRT__BINARY_MUL,
                                      NNRT__BINARY_ADD, NNRT__BINARY_MAXIMUM, NNRT__BINARY_SQUARED_DIFFERENCE};
    size_t m, n, k, i;
    for (m = 1; m <= ROWS; m++)
        for (n = 1; n <= 9; n++) check_gemm_s16(table->gemm_s16, m, n, (size_t)noise_in(0, 40));
    for (k = 0; k <= DEPTH; k++)
        for (i = 0; i < 4; i++) check_gemm_s16(table->gemm_s16, (size_t)noise_in(1, ROWS), (size_t)noise_in(1, 9), k);
    for (k = 500; k <= LONG - 10; k += k < 520 || k > 1016 ? 1 : 71)
        for (i = 0; i < 2; i++) check_gemm_s16(table->gemm_s16, (size_t)noise_in(1, 3), (size_t)noise_in(1, 5), k);
    for (n = 1; n <= CHANNELS; n++)
        for (k = 0; k <= 10; k++) check_dw_s16(table->dw_s16, (size_t)noise_in(1, ROWS), n, k);
    for (k = 505; k <= 515; k++) check_dw_s16(table->dw_s16, 1, (size_t)noise_in(1, CHANNELS), k);
    for (n = 1; n <= 140; n += n < 40 ? 1 : 13)
        for (i = 0; i < 48; i++) check_binary_s16(table->binary_s16, kinds[i / 4 % 6], n, i % 4 != 1, i % 4 != 2);
}

/* ------------------------------------------------------------------------------------------ functions of floats

   Vectors are as near to portable C as the bounds of vectors_f32.h and its library's errors allow, and the same of what
   is no number; the tests of the PC's vectors compare with formulas. */

static bool is_near(uint32_t kind, float x, float is, float shall) {
    const double size = fabs((double)shall), step = 1e-6 * size + 3e-38 * (1 + fabs((double)x));
    if (isnan(shall) || isinf(shall)) return isnan(shall) ? isnan(is) : is == shall || is > 3.4e38f;
    if (isnan(x) || isinf(x)) return is == shall;
    if (kind == NNRT__UNARY_CLIP || kind == NNRT__UNARY_LEAKY_RELU || kind == NNRT__UNARY_ABS) return is == shall;
    if (kind == NNRT__UNARY_GELU_TANH || kind == NNRT__UNARY_HSWISH) /* sums near 0, and rounded exponents */
        return fabs((double)is - (double)shall) <= step + 5e-7 * (1 + fabs((double)x));
    return fabs((double)is - (double)shall) <= step + (kind == NNRT__UNARY_HARD_SIGMOID ? 5e-7 : 0);
}

static void check_unary(nnrt__unary_f32_fn unary, uint32_t kind, size_t n, float most) {
    static const float odd[8] = {NAN, INFINITY, -INFINITY, 0.0f, 3e38f, -3e38f, 88.5f, -87.0f};
    const uint32_t turn = noise() % PARTS;
    const float alpha = kind == NNRT__UNARY_CLIP ? -1.0f : kind == NNRT__UNARY_LEAKY_RELU ? 0.25f : 1.0f;
    const float beta = kind == NNRT__UNARY_CLIP ? 1.0f : 0.0f;
    const float *in;
    float *out;
    bool kept = true;
    size_t i;
    for (i = 0; i < n; i++) floats[i] = most * (float)noise_between(-1, 1);
    if (noise() % 3 == 0) floats[noise() % n] = odd[noise() % 8];
    for (i = 0; i <= n; i++) float_got[i] = float_gap;
    if (turn == 2) memcpy(float_got, floats, n * sizeof *floats);
    in = turn == 2 ? float_got : (const float *)at_edge(turn == 0, floats, n * sizeof *floats);
    out = turn == 2 ? float_got : (float *)at_edge(turn == 1, float_got, n * sizeof *floats);
    unary(kind, in, alpha, beta, out, n);
    if (out != float_got) memcpy(float_got, out, n * sizeof *out);
    nnrt__unary_f32_scalar(kind, floats, alpha, beta, float_want, n);
    for (i = 0; i < n; i++) kept = kept && is_near(kind, floats[i], float_got[i], float_want[i]);
    promise(kept && memcmp(&float_got[n], &float_gap, sizeof float_gap) == 0, "unary_f32");
}

static void check_softmax_f32(nnrt__softmax_f32_fn softmax, size_t n, size_t stride) {
    const uint32_t turn = noise() % PARTS;
    const size_t all = (n - 1) * stride + 1;
    float *out;
    bool kept = true;
    size_t i;
    for (i = 0; i < all; i++) floats[i] = (float)noise_between(-20, 20);
    if (noise() % 4 == 0) floats[noise() % n * stride] = noise() % 2 != 0 ? NAN : -INFINITY;
    for (i = 0; i <= all; i++) float_got[i] = float_gap;
    if (turn == 2) memcpy(float_got, floats, all * sizeof *floats);
    out = turn == 2 ? float_got : (float *)at_edge(turn == 1, float_got, all * sizeof *floats);
    softmax(turn == 2 ? out : (const float *)at_edge(turn == 0, floats, all * sizeof *floats), out, n, stride, NULL);
    if (out != float_got) memcpy(float_got, out, all * sizeof *out);
    nnrt__softmax_f32_scalar(floats, float_want, n, stride, NULL);
    for (i = 0; i < n; i++) {
        const float is = float_got[i * stride], shall = float_want[i * stride];
        kept = kept && (isnan(shall) ? isnan(is) : fabsf(is - shall) <= 2e-6f * shall + 3e-38f);
    }
    promise(kept && memcmp(&float_got[all], &float_gap, sizeof float_gap) == 0, "softmax_f32");
}

#if NNRT__HAVE_CORTEX_M55
static int32_t exps[256];

/* No slot of the table. */
static void check_softmax_s8(size_t n, size_t stride) {
    const double scale = noise() % 4 == 0 ? 1e-9 : 0.003 * (double)noise_in(1, 300);
    const uint32_t turn = noise() % PARTS;
    const size_t all = (n - 1) * stride + 1;
    int32_t *table = (int32_t *)at_edge(turn == 0, exps, sizeof exps);
    int8_t *out;
    if (!nnrt__softmax_s8_table(scale, table)) table[0] = table[1] = INT32_MAX;
    fill(input, all);
    memset(got, GAP, sizeof got);
    memset(want, GAP, sizeof want);
    out = (int8_t *)at_edge(turn == 1, got, all);
    nnrt__softmax_s8_scalar(table, input, want, n, stride, NULL);
    nnrt__softmax_s8_cortex_m55(table, turn == 2 ? (int8_t *)at_edge(true, input, all) : input, out, n, stride, NULL);
    memcpy(got, out, all);
    promise(memcmp(got, want, all) == 0 && got[all] == GAP, "softmax_s8");
    memcpy(got, input, all);
    nnrt__softmax_s8_cortex_m55(table, got, got, n, 1, NULL);
    nnrt__softmax_s8_scalar(table, input, want, n, 1, NULL);
    promise(memcmp(got, want, n) == 0, "softmax_s8 in place");
    memset(got_s16, GAP, sizeof got_s16);
    memset(want_s16, GAP, sizeof want_s16);
    nnrt__softmax_s8_to_s16_cortex_m55(table, input, got_s16, n, stride, NULL);
    nnrt__softmax_s8_to_s16_scalar(table, input, want_s16, n, stride, NULL);
    promise(memcmp(got_s16, want_s16, sizeof want_s16) == 0, "softmax_s8 to int16");
}
#else
static void check_softmax_s8(size_t n, size_t stride) {
    (void)n;
    (void)stride;
}
#endif

static void check_functions(const nnrt__cpu_table *table) {
    static const float ranges[4] = {0.01f, 4, 20, 100};
    uint32_t kind;
    size_t n, i;
    for (kind = 0; kind < NNRT__UNARY_KINDS; kind++)
        for (n = 1; n <= 40 && (table->unary_f32_kinds >> kind & 1) != 0; n += n < 14 ? 1 : 5)
            for (i = 0; i < 8; i++) check_unary(table->unary_f32, kind, n, ranges[i % 4]);
    for (n = 1; n <= 100; n += n < 14 ? 1 : 7)
        for (i = 0; i < 6; i++) {
            check_softmax_s8(n, i < 4 ? 1 : 2);
            check_softmax_f32(table->softmax_f32, n, i < 4 ? 1 : 2);
        }
}

int main(void) {
    nnrt__cpu_table table;
    size_t m, n, k, i;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    for (m = 1; m <= ROWS; m++)
        for (n = 1; n <= 9; n++)
            for (i = 1; i <= 6; i++)
                check_gemm(&table.gemm_s8[i % 2], m, n, (i + 1) / 2, (size_t)noise_in(0, DEPTH / 3));
    for (k = 0; k <= DEPTH; k++)
        for (i = 1; i <= 3; i++) check_gemm(&table.gemm_s8[0], (size_t)noise_in(1, ROWS), (size_t)noise_in(1, 9), i, k);
    for (k = 0; k <= DEPTH; k++)
        for (n = 1; n <= 9; n++) check_gemm(&table.gemm_s8[1], 1, n, 1, k);
    for (i = 4; i <= 16; i++)
        for (m = 1; m <= ROWS; m++)
            check_gemm(&table.gemm_s8[0], m, (size_t)noise_in(1, 9), i, (size_t)noise_in(0, 13));
    for (n = 1; n <= CHANNELS; n++)
        for (m = 1; m <= 4; m++)
            for (k = 1; k <= 9; k++) {
                check_dw(&table.dw_s8[0], m, n, 1 + k % 3, 1 + k / 3);
                check_dw_f32(&table.dw_f32[0], m, n, 1 + k % 3, 1 + k / 3);
            }
    for (n = 1; n <= CHANNELS; n++)
        for (m = 1; m <= ROWS; m++)
            for (i = 1; i <= 3; i++) check_gemm_f32(&table.gemm_f32[0], m, n, i, (size_t)noise_in(0, DEPTH / 3));
    for (n = 1; n <= 2 * CHANNELS; n++)
        for (i = 0; i < 20; i++) {
            const size_t height = 1 + i / 4, width = i < 16 ? 1 + i % 4 : sizeof input / n / height - 4;
            check_pool(table.avg_pool_s8, nnrt__avg_pool_s8_scalar, n, height, width, "avg_pool_s8");
            check_pool(table.max_pool_s8, nnrt__max_pool_s8_scalar, n, height, width, "max_pool_s8");
        }
    for (n = 1; n <= 140; n += n < 40 ? 1 : 13)
        for (i = 0; i < 40; i++) {
            const size_t a_step = i % 4 != 1, b_step = i % 4 != 2;
            check_binary(table.add_s8, nnrt__add_s8_scalar, i / 4 % 2 != 0 ? NNRT__BINARY_ADD : NNRT__BINARY_SUB, n,
                         a_step, b_step, "add_s8");
            check_binary(table.mul_s8, nnrt__mul_s8_scalar, i / 4 % 2 != 0 ? NNRT__BINARY_MUL : NNRT__BINARY_PRELU, n,
                         a_step, b_step, "mul_s8");
        }
    for (n = 1; n <= 70; n++) check_lut(table.lut_s8, n);
    for (k = 0; k <= DEPTH; k++)
        for (m = 1; m <= ROWS; m += 2) check_hybrid(table.gemm_hybrid, m, (size_t)noise_in(1, CHANNELS), k);
    for (n = 1; n <= 40; n++)
        for (i = 0; i < 20; i++) check_quantize_symmetric(table.quantize_symmetric_f32, n);
    check_s16(&table);
    check_functions(&table);
    if (failures == 0) board_print("ok the kernels of the board give the bytes of the portable ones\n");
    return failures != 0;
}
