/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_contracts.c - every kernel of the table, of every instruction set that this machine has, looks at its
   contract where it begins: a call that keeps it returns, and for each line of it there is one that does not and ends
   the process. A kernel that lost its assertion, or an instruction set that is added without one, fails here. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROOM = 1 << 14, /* bytes of an operand */
    ROWS = 4,
    NO_SUCH_BREACH = 3 /* exit status */
};

/* What a call is made of: no two share a byte. Weights are zeros, which every packing has. */
static uint8_t room[4 * ROOM + 64];
static struct {
    uint8_t *a, *w, *c, *scratch; /* 64-byte aligned, in room */
    int32_t words[64];
    float scales[64];
    const int8_t *s8[ROWS];
    const int16_t *s16[ROWS];
    const float *f32[ROWS];
} memory;

static void make_memory(void) {
    memory.a = room + (64 - (uintptr_t)room % 64);
    memory.w = memory.a + ROOM;
    memory.c = memory.w + ROOM;
    memory.scratch = memory.c + ROOM;
    for (size_t i = 0; i < ROWS; i++) {
        memory.s8[i] = (const int8_t *)memory.a + 64 * i;
        memory.s16[i] = (const int16_t *)(const void *)memory.a + 64 * i;
        memory.f32[i] = (const float *)(const void *)memory.a + 64 * i;
    }
}

/* Makes a call of one slot with a breach, 0: with none. false: the slot has no such breach. */
typedef bool (*call)(const nnrt__cpu_table *table, int breach);

static bool spread(const nnrt__cpu_table *table, int breach) {
    nnrt__spread_args args = {20, 1, 2, 4, memory.a, memory.c};
    switch (breach) {
    case 0: break;
    case 1: args.count = 0; break;
    case 2: args.step = 0; break;
    case 3: args.copies = 0; break;
    case 4: args.element = 3; break;
    case 5: args.from = NULL; break;
    case 6: args.to = NULL; break;
    case 7: args.to = memory.a + 79; break;
    default: return false;
    }
    table->spread(&args);
    return true;
}

static bool gemm_s8(const nnrt__cpu_table *table, size_t slot, int breach) {
    nnrt__gemm_s8_args args = {2, 3, 1,    20,  memory.s8,    memory.w, (int8_t *)memory.c,
                               3, 0, -128, 127, memory.words, NULL};
    void *scratch = memory.scratch;
    if (nnrt__packing_is_shared(table->gemm_s8[slot].packing)) args.factor = memory.w + ROOM - 8;
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.n = 0; break;
    case 3: args.pieces = 0; break;
    case 4: args.c_stride = 2; break;
    case 5: args.output_zero_point = 128; break;
    case 6: args.clamp_min = -129; break;
    case 7: args.clamp_max = 128; break;
    case 8: args.clamp_min = 1, args.clamp_max = 0; break;
    case 9: args.w = memory.w + 2; break;
    case 10: args.c = (int8_t *)memory.w; break;
    case 11: args.c = (int8_t *)memory.a + 19; break;
    case 12: memory.s8[1] = NULL; break;
    case 13: args.added = (const int32_t *)(const void *)memory.c; break;
    case 14: args.factor = memory.w + 2; break;
    case 15:
        if (table->gemm_s8[slot].packing->scratch_rows == 0) return false;
        scratch = memory.scratch + 32;
        break;
    case 16: scratch = memory.a; break;
    case 17: scratch = memory.c; break;
    default: return false;
    }
    table->gemm_s8[slot].run(&args, scratch);
    return true;
}

static bool gemm_s8_wide(const nnrt__cpu_table *table, int breach) { return gemm_s8(table, 0, breach); }
static bool gemm_s8_narrow(const nnrt__cpu_table *table, int breach) { return gemm_s8(table, 1, breach); }

static bool gemm_s8_flipped(const nnrt__cpu_table *table, int breach) {
    nnrt__gemm_s8_args args = {2, 3, 1, 20, memory.s8, memory.w, (int8_t *)memory.c, 3, 0, -128, 127, NULL, NULL};
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.c_stride = 2; break;
    case 3: args.clamp_min = 1, args.clamp_max = 0; break;
    case 4: args.w = memory.w + 2; break;
    case 5: args.c = (int8_t *)memory.a + 19; break;
    case 6: memory.s8[1] = NULL; break;
    default: return false;
    }
    table->gemm_s8_flipped.run(&args);
    return true;
}

static bool row_sums(const nnrt__cpu_table *table, int breach) {
    nnrt__row_sums_args args = {2, 1, 20, memory.s8, 0, 1, memory.words};
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.pieces = 0; break;
    case 3: memory.s8[1] = NULL; break;
    case 4: args.sums = (int32_t *)(void *)(memory.a + 16); break;
    case 5: args.sums = NULL; break;
    default: return false;
    }
    table->row_sums(&args);
    return true;
}

static bool gemm_f32(const nnrt__cpu_table *table, int breach) {
    nnrt__gemm_f32_args args = {2, 3, 1, 20, memory.f32, memory.w, (float *)(void *)memory.c, 3, -1, 1};
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.n = 0; break;
    case 3: args.pieces = 0; break;
    case 4: args.piece = (size_t)1 << 22; break;
    case 5: args.c_stride = 2; break;
    case 6: args.clamp_min = 2; break;
    case 7: args.w = memory.w + 2; break;
    case 8: args.c = (float *)(void *)memory.w; break;
    case 9: args.c = (float *)(void *)memory.a + 19; break;
    case 10: memory.f32[1] = NULL; break;
    default: return false;
    }
    table->gemm_f32[0].run(&args, memory.scratch);
    return true;
}

static bool gemm_raw_s8(const nnrt__cpu_table *table, int breach) {
    nnrt__gemm_raw_s8_args args = {2,
                                   3,
                                   20,
                                   memory.s8,
                                   (const int8_t *)memory.w,
                                   20,
                                   memory.words,
                                   memory.words,
                                   memory.words,
                                   (int8_t *)memory.c,
                                   3,
                                   0,
                                   -128,
                                   127};
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.n = 0; break;
    case 3: args.w_stride = 19; break;
    case 4: args.c_stride = 2; break;
    case 5: args.output_zero_point = -129; break;
    case 6: args.clamp_min = 1, args.clamp_max = 0; break;
    case 7: args.bias = NULL; break;
    case 8: args.shift = (const int32_t *)(const void *)(memory.w + 1); break;
    case 9: args.c = (int8_t *)memory.w + 59; break;
    case 10: args.c = (int8_t *)memory.a + 64; break;
    default: return false;
    }
    table->gemm_raw_s8(&args);
    return true;
}

static bool gemm_raw_f32(const nnrt__cpu_table *table, int breach) {
    nnrt__gemm_raw_f32_args args = {
        2, 3,  20, memory.f32, (const float *)(const void *)memory.w, 20, memory.scales, (float *)(void *)memory.c,
        3, -1, 1};
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.n = 0; break;
    case 3: args.k = (size_t)1 << 22; break;
    case 4: args.w_stride = 19; break;
    case 5: args.c_stride = 2; break;
    case 6: args.clamp_min = 2; break;
    case 7: args.bias = (const float *)(const void *)memory.c; break;
    case 8: args.c = (float *)(void *)memory.w + 59; break;
    case 9: args.c = (float *)(void *)memory.a + 64; break;
    default: return false;
    }
    table->gemm_raw_f32(&args);
    return true;
}

static bool gemm_hybrid(const nnrt__cpu_table *table, int breach) {
    nnrt__gemm_hybrid_args args = {ROWS,
                                   3,
                                   20,
                                   memory.s8,
                                   1,
                                   (const int8_t *)memory.w,
                                   20,
                                   memory.scales,
                                   1,
                                   memory.scales,
                                   (float *)(void *)memory.c,
                                   3,
                                   -1,
                                   1};
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.n = 0; break;
    case 3: args.k = args.w_stride = 131072; break;
    case 4: args.w_stride = 19; break;
    case 5: args.c_stride = 2; break;
    case 6: args.clamp_min = 2; break;
    case 7: args.w_scale_stride = 2; break;
    case 8: args.w_scale = NULL; break;
    case 9: args.c = (float *)(void *)memory.w; break;
    case 10: args.c = (float *)(void *)memory.a; break;
    default: return false;
    }
    table->gemm_hybrid(&args);
    return true;
}

static bool quantize_symmetric(const nnrt__cpu_table *table, int breach) {
    const float *in = (const float *)(const void *)memory.a;
    int8_t *out = (int8_t *)memory.c;
    float *scale = memory.scales;
    switch (breach) {
    case 0: break;
    case 1: in = NULL; break;
    case 2: out = (int8_t *)memory.a; break;
    case 3: scale = (float *)(void *)memory.a; break;
    default: return false;
    }
    table->quantize_symmetric_f32(in, 20, out, scale);
    return true;
}

static bool gemm_s16(const nnrt__cpu_table *table, int breach) {
    nnrt__gemm_s16_args args = {2,
                                3,
                                20,
                                memory.s16,
                                (const int8_t *)memory.w,
                                20,
                                {memory.words, memory.words, memory.words, memory.words},
                                (int16_t *)(void *)memory.c,
                                3,
                                -32768,
                                32767};
    switch (breach) {
    case 0: break;
    case 1: args.m = 0; break;
    case 2: args.n = 0; break;
    case 3: args.k = args.w_stride = ((size_t)1 << 22) + 1; break;
    case 4: args.w_stride = 19; break;
    case 5: args.c_stride = 2; break;
    case 6: args.clamp_max = 32768; break;
    case 7: args.channels.bias = NULL; break;
    case 8: args.channels.multiplier = NULL; break;
    case 9: args.c = (int16_t *)(void *)memory.w; break;
    case 10: args.c = (int16_t *)(void *)memory.a; break;
    default: return false;
    }
    table->gemm_s16(&args);
    return true;
}

static bool dw_s16(const nnrt__cpu_table *table, int breach) {
    nnrt__dw_s16_args args = {2,
                              8,
                              2,
                              memory.s16,
                              (const int8_t *)memory.w,
                              {memory.words, NULL, memory.words, memory.words},
                              (int16_t *)(void *)memory.c,
                              -32768,
                              32767};
    switch (breach) {
    case 0: break;
    case 1: args.pixels = 0; break;
    case 2: args.channels = 0; break;
    case 3: args.clamp_min = -32769; break;
    case 4: args.constants.shift = NULL; break;
    case 5: args.out = (int16_t *)(void *)memory.w; break;
    case 6: args.out = (int16_t *)(void *)memory.a; break;
    case 7: memory.s16[3] = NULL; break;
    default: return false;
    }
    table->dw_s16(&args);
    return true;
}

static bool dw_s8(const nnrt__cpu_table *table, int breach) {
    nnrt__dw_s8_args args = {2, 9, 2, memory.s8, memory.w, (int8_t *)memory.c, 9, 0, -128, 127};
    switch (breach) {
    case 0: break;
    case 1: args.pixels = 0; break;
    case 2: args.channels = 0; break;
    case 3: args.out_stride = 8; break;
    case 4: args.output_zero_point = 128; break;
    case 5: args.clamp_min = 1, args.clamp_max = 0; break;
    case 6: args.w = memory.w + 1; break;
    case 7: args.out = (int8_t *)memory.w; break;
    case 8: args.out = (int8_t *)memory.a + 72; break;
    case 9: memory.s8[3] = NULL; break;
    default: return false;
    }
    table->dw_s8[0].run(&args);
    return true;
}

static bool dw_plane_s8(const nnrt__cpu_table *table, int breach) {
    nnrt__dw_plane_s8_args args = {2, 2, 9,        (const int8_t *)memory.a, 2,  2, -1,   -1,
                                   1, 0, memory.w, (int8_t *)memory.c,       18, 0, -128, 127};
    if (table->dw_s8[0].run_plane == NULL) return false;
    switch (breach) {
    case 0: break;
    case 1: args.rows = 0; break;
    case 2: args.pixels = 0; break;
    case 3: args.channels = 0; break;
    case 4: args.in = NULL; break;
    case 5: args.in_w = 0; break;
    case 6: args.out_line = 17; break;
    case 7: args.stride = 3; break;
    case 8: args.fill = 128; break;
    case 9: args.output_zero_point = -129; break;
    case 10: args.clamp_min = 1, args.clamp_max = 0; break;
    case 11: args.w = memory.w + 1; break;
    case 12: args.out = (int8_t *)memory.w; break;
    case 13: args.out = (int8_t *)memory.a + 35; break;
    default: return false;
    }
    table->dw_s8[0].run_plane(&args);
    return true;
}

static bool dw_rows_s8(const nnrt__cpu_table *table, int breach) {
    nnrt__dw_rows_s8_args args = {2, 9, 3, 3, memory.s8, 9, 9, memory.w, (int8_t *)memory.c, 9, 0, -128, 127};
    if (table->dw_s8[0].run_rows == NULL) return false;
    switch (breach) {
    case 0: break;
    case 1: args.pixels = 0; break;
    case 2: args.channels = 0; break;
    case 3: args.kernel_h = 0; break;
    case 4: args.kernel_w = 0; break;
    case 5: args.out_stride = 8; break;
    case 6: args.pixel_step = 8; break;
    case 7: args.tap_step = 8; break;
    case 8: args.output_zero_point = 128; break;
    case 9: args.clamp_max = 128; break;
    case 10: args.out = (int8_t *)memory.w; break;
    case 11: args.out = (int8_t *)memory.a + 35; break;
    case 12: memory.s8[2] = NULL; break;
    default: return false;
    }
    table->dw_s8[0].run_rows(&args);
    return true;
}

static bool dw_f32(const nnrt__cpu_table *table, int breach) {
    nnrt__dw_f32_args args = {2, 9, 2, memory.f32, memory.w, (float *)(void *)memory.c, 9, -1, 1};
    switch (breach) {
    case 0: break;
    case 1: args.pixels = 0; break;
    case 2: args.channels = 0; break;
    case 3: args.tap_count = (size_t)1 << 22; break;
    case 4: args.out_stride = 8; break;
    case 5: args.clamp_min = 2; break;
    case 6: args.out = (float *)(void *)memory.w; break;
    case 7: args.out = (float *)(void *)memory.a + 72; break;
    case 8: memory.f32[3] = NULL; break;
    default: return false;
    }
    table->dw_f32[0].run(&args);
    return true;
}

static bool dw_rows_f32(const nnrt__cpu_table *table, int breach) {
    nnrt__dw_rows_f32_args args = {2, 9, 3, 3, memory.f32, 9, 9, memory.w, (float *)(void *)memory.c, 9, -1, 1};
    if (table->dw_f32[0].run_rows == NULL) return false;
    switch (breach) {
    case 0: break;
    case 1: args.pixels = 0; break;
    case 2: args.channels = 0; break;
    case 3: args.kernel_h = 0; break;
    case 4: args.out_stride = 8; break;
    case 5: args.pixel_step = 8; break;
    case 6: args.tap_step = 8; break;
    case 7: args.clamp_min = 2; break;
    case 8: args.out = (float *)(void *)memory.w; break;
    case 9: args.out = (float *)(void *)memory.a + 35; break;
    case 10: memory.f32[2] = NULL; break;
    default: return false;
    }
    table->dw_f32[0].run_rows(&args);
    return true;
}

static bool pool_s8(nnrt__pool_s8_fn run, int breach) {
    nnrt__pool_s8_args args = {(const int8_t *)memory.a, 36, 3, 4, 9, (int8_t *)memory.c, -128, 127, 0};
    switch (breach) {
    case 0: break;
    case 1: args.rows = 0; break;
    case 2: args.columns = 0; break;
    case 3: args.channels = 0; break;
    case 4: args.rows = (size_t)1 << 12, args.columns = (size_t)1 << 12; break;
    case 5: args.clamp_min = 1, args.clamp_max = 0; break;
    case 6: args.clamp_max = 128; break;
    case 7: args.offset = 1; break;
    case 8: args.out = (int8_t *)memory.a + 107; break;
    case 9: args.in = NULL; break;
    default: return false;
    }
    run(&args);
    return true;
}

static bool avg_pool_s8(const nnrt__cpu_table *table, int breach) { return pool_s8(table->avg_pool_s8, breach); }
static bool max_pool_s8(const nnrt__cpu_table *table, int breach) { return pool_s8(table->max_pool_s8, breach); }

static bool pool_f32(nnrt__pool_f32_fn run, int breach) {
    nnrt__pool_f32_args args = {(const float *)(const void *)memory.a, 36, 3, 4, 9, (float *)(void *)memory.c, -1, 1};
    switch (breach) {
    case 0: break;
    case 1: args.rows = 0; break;
    case 2: args.columns = 0; break;
    case 3: args.channels = 0; break;
    case 4: args.rows = (size_t)1 << 12, args.columns = (size_t)1 << 12; break;
    case 5: args.clamp_min = 2; break;
    case 6: args.out = (float *)(void *)memory.a + 107; break;
    case 7: args.in = (const float *)(const void *)(memory.a + 2); break;
    default: return false;
    }
    run(&args);
    return true;
}

static bool avg_pool_f32(const nnrt__cpu_table *table, int breach) { return pool_f32(table->avg_pool_f32, breach); }
static bool max_pool_f32(const nnrt__cpu_table *table, int breach) { return pool_f32(table->max_pool_f32, breach); }

/* kind: the operator of the call that keeps the contract; `other` is none of the kernel's. */
static bool two_s8(nnrt__add_s8_fn run, uint32_t kind, uint32_t other, int breach) {
    nnrt__binary_s8_args args = {kind, {0, 0}, 0, {1 << 30, 1 << 30}, {0, 0}, 1 << 30, -19, -128, 127};
    const int8_t *a = (const int8_t *)memory.a, *b = (const int8_t *)memory.w;
    int8_t *out = (int8_t *)memory.c;
    size_t a_step = 1;
    switch (breach) {
    case 0: break;
    case 1: args.kind = other; break;
    case 2: args.input_zero_point[0] = 128; break;
    case 3: args.input_zero_point[1] = -129; break;
    case 4: args.output_zero_point = 128; break;
    case 5: args.input_multiplier[0] = -1; break;
    case 6: args.input_shift[1] = 1; break;
    case 7: args.output_shift = 31; break;
    case 8: args.output_shift = -32; break;
    case 9: args.clamp_min = 1, args.clamp_max = 0; break;
    case 10: a_step = 2; break;
    case 11: out = (int8_t *)memory.a + 1; break;
    case 12: a_step = 0, out = (int8_t *)memory.a; break;
    default: return false;
    }
    run(&args, a, a_step, b, 1, out, 100);
    return true;
}

static bool add_s8(const nnrt__cpu_table *table, int breach) {
    return two_s8(table->add_s8, NNRT__BINARY_ADD, NNRT__BINARY_MUL, breach);
}
static bool mul_s8(const nnrt__cpu_table *table, int breach) {
    return two_s8(table->mul_s8, NNRT__BINARY_MUL, NNRT__BINARY_SUB, breach);
}

static bool binary_f32(const nnrt__cpu_table *table, int breach) {
    nnrt__binary_f32_args args = {NNRT__BINARY_ADD, 0, 0, 0, 1, 0};
    const float *a = (const float *)(const void *)memory.a, *b = (const float *)(const void *)memory.w;
    float *out = (float *)(void *)memory.c;
    size_t b_step = 1;
    switch (breach) {
    case 0: break;
    case 1: args.kind = NNRT__BINARY_KINDS; break;
    case 2: b_step = 2; break;
    case 3: a = NULL; break;
    case 4: out = (float *)(void *)memory.w + 99; break;
    case 5: b_step = 0, out = (float *)(void *)memory.w; break;
    default: return false;
    }
    table->binary_f32(&args, a, 1, b, b_step, out, 100);
    return true;
}

static bool quantize_f32(const nnrt__cpu_table *table, int breach) {
    const float *in = (const float *)(const void *)memory.a;
    int8_t *out = (int8_t *)memory.c;
    int32_t zero_point = 0;
    switch (breach) {
    case 0: break;
    case 1: zero_point = 256; break;
    case 2: zero_point = -129; break;
    case 3: in = NULL; break;
    case 4: in = (const float *)(const void *)(memory.a + 2); break;
    case 5: out = (int8_t *)memory.a + 399; break;
    default: return false;
    }
    table->quantize_f32(in, 0.5f, zero_point, true, out, 100);
    return true;
}

static bool dequantize_f32(const nnrt__cpu_table *table, int breach) {
    const int8_t *in = (const int8_t *)memory.a;
    float *out = (float *)(void *)memory.c;
    int32_t zero_point = 0;
    switch (breach) {
    case 0: break;
    case 1: zero_point = 256; break;
    case 2: zero_point = -129; break;
    case 3: in = NULL; break;
    case 4: out = (float *)(void *)(memory.c + 1); break;
    case 5: in = (const int8_t *)memory.c + 399; break;
    default: return false;
    }
    table->dequantize_f32(in, 0.5f, zero_point, true, out, 100);
    return true;
}

static bool binary_s16(const nnrt__cpu_table *table, int breach) {
    nnrt__binary_s8_args args = {NNRT__BINARY_ADD, {0, 0}, 0, {1 << 30, 1 << 30}, {0, 0}, 1 << 30, -14, -32768, 32767};
    const int16_t *a = (const int16_t *)(const void *)memory.a, *b = (const int16_t *)(const void *)memory.w;
    int16_t *out = (int16_t *)(void *)memory.c;
    size_t b_step = 1;
    switch (breach) {
    case 0: break;
    case 1: args.kind = NNRT__BINARY_DIV; break;
    case 2: args.input_zero_point[0] = 1; break;
    case 3: args.output_zero_point = -1; break;
    case 4: args.input_multiplier[1] = -1; break;
    case 5: args.input_shift[0] = 1; break;
    case 6: args.output_shift = 31; break;
    case 7: args.clamp_max = 32768; break;
    case 8: b_step = 2; break;
    case 9: a = (const int16_t *)(const void *)(memory.a + 1); break;
    case 10: out = (int16_t *)(void *)memory.w + 99; break;
    default: return false;
    }
    table->binary_s16(&args, a, 1, b, b_step, out, 100);
    return true;
}

static bool lut_s8(const nnrt__cpu_table *table, int breach) {
    const uint8_t *bytes = memory.w, *in = memory.a;
    uint8_t *out = memory.c;
    switch (breach) {
    case 0: break;
    case 1: bytes = NULL; break;
    case 2: in = NULL; break;
    case 3: out = memory.a + 1; break;
    case 4: out = memory.w + 255; break;
    case 5: out = NULL; break;
    default: return false;
    }
    table->lut_s8(bytes, in, out, 100);
    return true;
}

static bool blend_s8(const nnrt__cpu_table *table, int breach) {
    const int8_t *from = (const int8_t *)memory.a;
    nnrt__blend_s8_args args = {{from, from + 9}, {from + 18, from + 27}, 512, 1024, (int8_t *)memory.c, 9};
    switch (breach) {
    case 0: break;
    case 1: args.n = 0; break;
    case 2: args.to = NULL; break;
    case 3: args.right = 1025; break;
    case 4: args.right = -1; break;
    case 5: args.down = 1025; break;
    case 6: args.down = -1; break;
    case 7: args.upper[1] = NULL; break;
    case 8: args.lower[0] = NULL; break;
    case 9: args.upper[0] = args.to + 8; break;
    case 10: args.lower[1] = args.to - 8; break;
    default: return false;
    }
    table->blend_s8(&args);
    return true;
}

static bool blend_f32(const nnrt__cpu_table *table, int breach) {
    const float *from = (const float *)(const void *)memory.a;
    nnrt__blend_f32_args args = {{from, from + 9}, {from + 18, from + 27}, 0.5f, 1.0f, (float *)(void *)memory.c, 9};
    switch (breach) {
    case 0: break;
    case 1: args.n = 0; break;
    case 2: args.to = NULL; break;
    case 3: args.upper[1] = NULL; break;
    case 4: args.lower[0] = (const float *)(const void *)(memory.a + 1); break;
    case 5: args.upper[0] = args.to + 8; break;
    case 6: args.lower[1] = args.to - 8; break;
    default: return false;
    }
    table->blend_f32(&args);
    return true;
}

static bool unary_f32(const nnrt__cpu_table *table, int breach) {
    const float *in = (const float *)(const void *)memory.a;
    float *out = (float *)(void *)memory.c;
    uint32_t kind = NNRT__UNARY_SIGMOID;
    switch (breach) {
    case 0: break;
    case 1: in = NULL; break;
    case 2: out = NULL; break;
    case 3: kind = NNRT__UNARY_KINDS; break;
    case 4: out = (float *)(void *)memory.a + 1; break;
    case 5: in = (const float *)(const void *)(memory.a + 1); break;
    default: return false;
    }
    table->unary_f32(kind, in, 1, 0, out, 9);
    return true;
}

static bool softmax_f32(const nnrt__cpu_table *table, int breach) {
    const float *in = (const float *)(const void *)memory.a;
    float *out = (float *)(void *)memory.c;
    size_t n = 9, stride = 1;
    switch (breach) {
    case 0: break;
    case 1: in = NULL; break;
    case 2: out = NULL; break;
    case 3: n = 0; break;
    case 4: stride = 0; break;
    case 5: out = (float *)(void *)memory.a + 1; break;
    case 6: in = (const float *)(const void *)(memory.a + 1); break;
    default: return false;
    }
    table->softmax_f32(in, out, n, stride, NULL);
    return true;
}

static bool sums_s8(const nnrt__cpu_table *table, int breach) {
    const int8_t *in = (const int8_t *)memory.a;
    int32_t *sums = (int32_t *)(void *)memory.c;
    size_t stride = 9, rows = 3, n = 9;
    switch (breach) {
    case 0: break;
    case 1: in = NULL; break;
    case 2: sums = NULL; break;
    case 3: stride = 8; break;
    case 4: rows = 0; break;
    case 5: rows = 257, n = 1, stride = 1; break;
    case 6: n = 0; break;
    case 7: sums = (int32_t *)(void *)memory.a; break;
    default: return false;
    }
    table->sums_s8(in, stride, rows, n, sums);
    return true;
}

static bool sums_f32(const nnrt__cpu_table *table, int breach) {
    const float *in = (const float *)(const void *)memory.a;
    float *sums = (float *)(void *)memory.c;
    size_t stride = 9, rows = 3, n = 9;
    switch (breach) {
    case 0: break;
    case 1: in = NULL; break;
    case 2: sums = NULL; break;
    case 3: stride = 8; break;
    case 4: rows = 0; break;
    case 5: in = (const float *)(const void *)(memory.a + 2); break;
    case 6: n = 0; break;
    case 7: sums = (float *)(void *)memory.a + 26; break;
    default: return false;
    }
    table->sums_f32(in, stride, rows, n, sums);
    return true;
}

/* The end of a call in a process of its own, as waitpid tells it. */
static int end_of(call slot, const nnrt__cpu_table *table, int breach) {
    int status = 0;
    pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)close(2); /* the sentence is expected */
        (void)signal(SIGABRT, SIG_DFL);
        make_memory();
        _exit(slot(table, breach) ? 0 : NO_SUCH_BREACH);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

static void check_slot(const char *name, call slot, const nnrt__cpu_table *table) {
    const char *level = nnrt__isa_name(table->isa);
    int status = end_of(slot, table, 0), breach = 1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_SUCH_BREACH) return; /* the level has no such kernel */
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s, %s: a call that keeps the contract ends with %x",
              name, level, (unsigned)status);
    for (;; breach++) {
        status = end_of(slot, table, breach);
        if (WIFEXITED(status) && WEXITSTATUS(status) == NO_SUCH_BREACH) break;
        cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s, %s: nothing looks at breach %d: status %x",
                  name, level, breach, (unsigned)status);
    }
    cr_assert(breach > 3, "%s, %s: %d breaches", name, level, breach - 1);
}

#define CHECK_SLOT(name) check_slot(#name, name, &table)

Test(contracts, every_kernel_of_every_instruction_set_looks_at_its_contract) {
    for (size_t i = 0; i < NNRT__TARGET_COUNT; i++) {
        nnrt__cpu_table table;
        if ((nnrt__targets[i].isa & ~nnrt__cpu_detect()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[i].isa);
        CHECK_SLOT(gemm_s8_wide);
        CHECK_SLOT(gemm_s8_narrow);
        if (table.gemm_s8_flipped.packing != NULL) CHECK_SLOT(gemm_s8_flipped);
        CHECK_SLOT(row_sums);
        CHECK_SLOT(gemm_f32);
        CHECK_SLOT(gemm_raw_s8);
        CHECK_SLOT(gemm_raw_f32);
        CHECK_SLOT(gemm_hybrid);
        CHECK_SLOT(quantize_symmetric);
        CHECK_SLOT(gemm_s16);
        CHECK_SLOT(dw_s16);
        CHECK_SLOT(spread);
        CHECK_SLOT(dw_s8);
        CHECK_SLOT(dw_rows_s8);
        CHECK_SLOT(dw_plane_s8);
        CHECK_SLOT(dw_f32);
        CHECK_SLOT(dw_rows_f32);
        CHECK_SLOT(avg_pool_s8);
        CHECK_SLOT(max_pool_s8);
        CHECK_SLOT(avg_pool_f32);
        CHECK_SLOT(max_pool_f32);
        CHECK_SLOT(add_s8);
        CHECK_SLOT(mul_s8);
        CHECK_SLOT(binary_f32);
        CHECK_SLOT(quantize_f32);
        CHECK_SLOT(dequantize_f32);
        CHECK_SLOT(lut_s8);
        CHECK_SLOT(blend_s8);
        CHECK_SLOT(blend_f32);
        CHECK_SLOT(binary_s16);
        CHECK_SLOT(unary_f32);
        CHECK_SLOT(softmax_f32);
        CHECK_SLOT(sums_s8);
        CHECK_SLOT(sums_f32);
    }
}
