/* SPDX-License-Identifier: Apache-2.0 */
/* flash.c - firmware that reads one digit of a meter: a compiled model in flash, static memory, no heap.

   meter_plan.h is what `nnrt compile --c` made of examples/meter/meter.tflite on a PC; docs/bare_metal.md has the
   commands. The bytes of the model stay in flash and are used there. In RAM are the arena, whose size the header tells,
   with the picture in it (nnrt.inputs=arena), and a pool for handles and scores. The program knows the answer to its
   picture, as the self-test of a device does: it ends with 0 where it gets the very same bytes. The board brings
   board_print. */
#include <stddef.h>
#include <stdint.h>

void board_print(const char *text);
static void *pool_take(size_t size);
static void pool_give_back(void *block);

#include "meter_plan.h"

#define NNRT_NO_THREADS /* no system */
#define NNRT_NO_STDIO
#define NNRT_PLANS_ONLY /* nothing that makes plans */
#define NNRT_STEPS(X) METER_PLAN_STEPS(X)
#define NNRT_NO_SENTENCES
#define NNRT_ONE_DEVICE
#define NNRT_TRUST_CRC /* the plan is as intact as this code, which nobody checks either */
#define NNRT_MALLOC(size) pool_take(size)
#define NNRT_REALLOC(pointer, size) NULL /* nothing that lives as long as the program grows */
#define NNRT_FREE(pointer) pool_give_back(pointer)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#if defined(__GNUC__) || defined(__clang__)
#define ALIGNED __attribute__((aligned(NNRT_ARENA_ALIGNMENT)))
#else
#define ALIGNED /* some bytes more than METER_PLAN_ARENA_BYTES would do, too */
#endif

enum {
    DIGITS = 10,
    POOL_BYTES = 400 * sizeof(void *) /* the program says how much of it is used */
};

/* ------------------------------------------------------------------------------------------------- memory */

/* Several models may have one arena, the largest of theirs, and run one after another. */
static uint8_t arena[METER_PLAN_ARENA_BYTES] ALIGNED;
static uint64_t pool[POOL_BYTES / sizeof(uint64_t)];
static size_t pool_used, pool_most, pool_last; /* words, words, the word in front of the last block */

/* All handles are made once. What the check of the plan takes is given back, the last block first: no other is. In
   front of each block stands where the one before it begins. */
static void *pool_take(size_t size) {
    uint64_t *block = pool + pool_used;
    const size_t words = 1 + (size + 7) / 8;
    if (size > sizeof pool || words > sizeof pool / 8 - pool_used) return NULL;
    block[0] = pool_last;
    pool_last = pool_used;
    pool_used += words;
    if (pool_used > pool_most) pool_most = pool_used;
    return block + 1;
}

static void pool_give_back(void *block) {
    if (block != pool + pool_last + 1) return;
    pool_used = pool_last;
    pool_last = (size_t)pool[pool_last];
}

/* ------------------------------------------------------------------------------------------------ picture */

/* A digit window of 20 x 32 pixels, each less 128: here examples/meter/golden/input2.bin, on a device its camera. */
static const int8_t window[32 * 20] = {
    -44, -47, -49, -32, -6,  3,   -10, -34, -46, -53, -25, -22, -5,  -11, -47, -48, -38, -39, -35, -45, -45, -39, -48,
    -34, -1,  9,   -32, -48, -40, -38, -43, -9,  -9,  -5,  -40, -43, -44, -31, -53, -41, -34, -43, -25, -32, 7,   8,
    -18, -46, -36, -41, -36, -30, 10,  -12, -24, -44, -40, -32, -39, -34, -48, -47, -37, -16, 3,   4,   -9,  -32, -28,
    -28, -34, -30, -1,  13,  -25, -40, -32, -31, -39, -37, -42, -35, -42, -30, -3,  21,  -11, -29, -25, -20, -32, -18,
    11,  12,  -17, -50, -35, -23, -27, -15, -29, -22, -24, -22, -6,  10,  16,  -16, -9,  -3,  -2,  -5,  24,  15,  -17,
    -28, -33, -15, -21, -28, -23, -38, -34, -27, -22, 12,  10,  16,  29,  18,  13,  18,  29,  9,   -15, -37, -29, -22,
    -28, -23, -30, -21, -26, -18, 2,   33,  25,  25,  22,  22,  24,  27,  36,  26,  0,   -17, -29, -15, -14, -21, -22,
    -39, -7,  -12, 10,  33,  14,  -4,  -9,  -9,  -11, 1,   4,   20,  18,  13,  -22, -17, -22, -29, -25, -15, -17, -17,
    20,  23,  11,  -15, -15, -19, -17, -11, 7,   23,  29,  -14, -11, -12, -16, -20, -18, -17, -23, -7,  27,  29,  -8,
    -6,  -13, -19, -15, -17, -9,  17,  31,  10,  -11, -29, -13, -29, -19, -19, -15, -3,  38,  32,  8,   -9,  -23, -27,
    -21, -24, -13, 7,   33,  23,  -14, -11, -11, -16, -17, -3,  -8,  -4,  33,  40,  1,   -7,  -3,  -8,  -15, -15, -9,
    9,   33,  33,  3,   1,   -5,  -2,  3,   -13, -9,  -15, 22,  35,  7,   1,   -1,  -25, -27, -25, -6,  15,  40,  21,
    -11, -1,  -3,  -19, -9,  -21, -10, 1,   21,  37,  22,  -8,  -2,  1,   -3,  -17, 9,   26,  46,  21,  3,   -6,  2,
    -7,  -8,  -10, -15, -15, 13,  29,  50,  29,  21,  11,  17,  18,  20,  39,  35,  29,  -1,  4,   -13, -20, -4,  -6,
    -18, -24, -2,  16,  24,  46,  50,  34,  43,  52,  42,  46,  14,  0,   -2,  -14, -8,  -4,  11,  -3,  -7,  -10, -18,
    -1,  -1,  26,  32,  34,  36,  36,  50,  19,  -3,  -3,  4,   3,   -18, 11,  -6,  -8,  -2,  -1,  -6,  -9,  -1,  0,
    -2,  6,   8,   9,   8,   -7,  -1,  2,   6,   1,   -9,  12,  -1,  0,   -18, -12, -4,  -13, -14, -2,  3,   -3,  1,
    -2,  1,   -7,  -7,  10,  16,  7,   0,   0,   -2,  3,   0,   -1,  2,   4,   -12, 9,   9,   -4,  4,   11,  4,   -3,
    -2,  10,  -4,  0,   1,   -3,  0,   6,   -2,  -4,  13,  6,   11,  -2,  -4,  11,  -3,  5,   -2,  2,   1,   4,   -4,
    9,   -4,  1,   4,   -11, -9,  4,   -4,  3,   6,   7,   0,   -4,  -3,  11,  -5,  0,   4,   3,   -4,  7,   -10, 6,
    -4,  -3,  5,   -12, -3,  -6,  -9,  3,   0,   8,   1,   6,   4,   5,   2,   -2,  8,   25,  16,  10,  -10, 1,   5,
    -9,  2,   -17, -2,  12,  -5,  -1,  14,  -5,  2,   2,   8,   13,  7,   11,  20,  4,   2,   7,   -9,  10,  8,   9,
    9,   -8,  1,   9,   6,   14,  13,  5,   7,   13,  0,   5,   -1,  0,   0,   6,   -2,  5,   2,   2,   6,   8,   14,
    22,  8,   18,  10,  19,  1,   11,  4,   3,   -12, 6,   1,   4,   12,  -1,  -3,  1,   14,  16,  39,  64,  46,  40,
    38,  37,  27,  0,   -1,  12,  7,   7,   4,   -11, 2,   1,   -4,  11,  19,  43,  37,  58,  55,  54,  49,  51,  54,
    30,  18,  1,   -3,  15,  0,   13,  -6,  2,   5,   5,   39,  64,  49,  19,  17,  28,  32,  46,  51,  48,  23,  7,
    -2,  7,   -6,  18,  5,   8,   -1,  9,   38,  60,  29,  4,   -11, 14,  2,   32,  29,  57,  26,  12,  2,   -9,  2,
    -1,  8,   0,   6,   20,  39,  50,  9,   19,  -5,  -4,  1,   11,  17,  50,  50,  14,  10,  15,
};
static const int8_t expected[DIGITS] = {-128, -128, -128, -128, -128, -128, -127, -128, 125, -127};

/* -------------------------------------------------------------------------------------------------- model */

typedef struct meter {
    OH_NNExecutor *executor;
    NN_Tensor *input, *output;
} meter;

/* False: the plan is damaged, of another nnrt or without its input in the arena, or the pool is too small. */
static bool meter_open(meter *m) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
    NN_TensorDesc *out;
    m->executor = NULL;
    if (compilation == NULL ||
        OH_NNCompilation_ImportCacheFromBuffer(compilation, meter_plan, sizeof meter_plan) != OH_NN_SUCCESS ||
        nnrt_compilation_use_in_place(compilation) != OH_NN_SUCCESS || /* it stays in flash */
        OH_NNCompilation_Build(compilation) != OH_NN_SUCCESS ||
        nnrt_executor_construct_in(compilation, arena, sizeof arena, &m->executor) != OH_NN_SUCCESS)
        return false;
    out = OH_NNExecutor_CreateOutputTensorDesc(m->executor, 0);
    if (out == NULL) return false;
    m->input = nnrt_tensor_create_in_arena(m->executor, 0); /* later steps take its place: it is filled for each run */
    m->output = OH_NNTensor_Create(0, out);
    return m->input != NULL && m->output != NULL;
}

/* The scores of one window, DIGITS of them, -128 to 127; NULL: the run has failed. */
static const int8_t *meter_read(meter *m, const int8_t *pixels) {
    memcpy(OH_NNTensor_GetDataBuffer(m->input), pixels, sizeof window);
    if (OH_NNExecutor_RunSync(m->executor, &m->input, 1, &m->output, 1) != OH_NN_SUCCESS) return NULL;
    return (const int8_t *)OH_NNTensor_GetDataBuffer(m->output);
}

/* ------------------------------------------------------------------------------------------------ program */

static void print_number(const char *before, size_t number, const char *behind) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    board_print(before);
    board_print(at);
    board_print(behind);
}

int main(void) {
    meter m;
    const int8_t *scores;
    size_t best = 0, i, used;
    if (!meter_open(&m)) return board_print("the model cannot be opened\n"), 1;
    used = pool_used;
    scores = meter_read(&m, window);
    if (scores == NULL || pool_used != used) return board_print("the run has failed\n"), 1;
    for (i = 1; i < DIGITS; i++)
        if (scores[i] > scores[best]) best = i;
    print_number("digit ", best, ", ");
    print_number("", (size_t)(scores[best] + 128) * 100 / 256, " %\n");
    print_number("arena ", sizeof arena, ", ");
    print_number("pool ", pool_most * sizeof pool[0], "\n");
    if (memcmp(scores, expected, sizeof expected) != 0) return board_print("other scores than on a PC\n"), 1;
    return 0;
}
