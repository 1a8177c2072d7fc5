/* SPDX-License-Identifier: Apache-2.0 */
/* bench_mcu.c - what one inference of a plan in flash takes on a microcontroller. bench_mcu.py builds it for a model
   and runs it on a board of QEMU, whose clock then goes by instructions.

   bench_mcu_model.h is the script's: the plan as `nnrt compile --c` writes it, one input and the output that a PC
   computes. Prints a line of figures, and ends with 0 where the output is the same bytes. It is a firmware as
   docs/bare_metal.md has it; with BENCH_CHECKSUM it reads the plan's checksum when it starts. */
#include <stddef.h>
#include <stdint.h>

#include "board.h"

static void *pool_take(size_t size);
static void pool_give_back(void *block);

#include "bench_mcu_model.h"

#define NNRT_NO_THREADS
#define NNRT_NO_STDIO
#define NNRT_PLANS_ONLY
#define NNRT_STEPS(X) BENCH_PLAN_STEPS(X)
#define NNRT_NO_SENTENCES
#define NNRT_ONE_DEVICE
#ifndef BENCH_CHECKSUM
#define NNRT_TRUST_CRC
#endif
#define NNRT_MALLOC(size) pool_take(size)
#define NNRT_REALLOC(pointer, size) NULL
#define NNRT_FREE(pointer) pool_give_back(pointer)

/* Kernels are made as the command line says, for speed, and all else for size. The other way round, with kernels under
   "O2" and -Os on the command line, they do not become what -O2 makes of them. */
#include "kernels/compiler.h"
#pragma GCC push_options
#pragma GCC optimize("Os")
#include "nnrt.h"

#include "core/platform.h"
#include "cpu/wanted.h"
#pragma GCC pop_options
#include "nnrt_cpu_kernels.h"
#pragma GCC push_options
#pragma GCC optimize("Os")
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

enum {
    POOL_BYTES = 16384 + sizeof model_output,
    SPINS = 100000
};

static uint8_t arena[BENCH_PLAN_ARENA_BYTES] __attribute__((aligned(NNRT_ARENA_ALIGNMENT)));
static uint64_t pool[POOL_BYTES / sizeof(uint64_t)];
static size_t pool_end, pool_most; /* words: where the blocks end, and where they have ended at most */

/* A block is a word, which says how many words it has and whether it is taken, and what the caller asked for. The first
   free one that is large enough is taken; those free in a row are one. */
typedef struct pool_head {
    uint32_t words, taken;
} pool_head;

static pool_head *pool_at(size_t at) { return (pool_head *)(void *)(pool + at); }

static void *pool_take(size_t size) {
    const size_t words = 1 + (size + 7) / 8;
    size_t at = 0;
    if (size > sizeof pool) return NULL;
    for (; at < pool_end; at += pool_at(at)->words) {
        pool_head *head = pool_at(at);
        if (head->taken) continue;
        while (at + head->words < pool_end && !pool_at(at + head->words)->taken)
            head->words += pool_at(at + head->words)->words;
        if (at + head->words == pool_end) break; /* nothing is behind it */
        if (head->words < words) continue;
        if (head->words > words) {
            pool_at(at + words)->words = head->words - (uint32_t)words;
            pool_at(at + words)->taken = 0;
            head->words = (uint32_t)words;
        }
        head->taken = 1;
        return head + 1;
    }
    if (words > sizeof pool / 8 - at) return NULL;
    pool_at(at)->words = (uint32_t)words;
    pool_at(at)->taken = 1;
    pool_end = at + words;
    if (pool_end > pool_most) pool_most = pool_end;
    return pool_at(at) + 1;
}

static void pool_give_back(void *block) {
    if (block != NULL) ((pool_head *)block - 1)->taken = 0;
}

static void figure(const char *name, uint64_t number) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    board_print(name);
    board_print(at);
}

/* Nanoseconds of 2 * SPINS instructions: boards differ in how fast their clocks are. */
static uint64_t spin(void) {
    const uint64_t before = board_now_ns();
    board_spin(SPINS);
    return board_now_ns() - before;
}

static OH_NNExecutor *open_plan(void) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
    OH_NNExecutor *executor = NULL;
    if (compilation != NULL &&
        OH_NNCompilation_ImportCacheFromBuffer(compilation, bench_plan, sizeof bench_plan) == OH_NN_SUCCESS &&
        nnrt_compilation_use_in_place(compilation) == OH_NN_SUCCESS &&
        OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS)
        (void)nnrt_executor_construct_in(compilation, arena, sizeof arena, &executor);
    OH_NNCompilation_Destroy(&compilation);
    return executor;
}

static NN_Tensor *tensor_of(NN_TensorDesc *desc) {
    NN_Tensor *tensor = desc != NULL ? OH_NNTensor_Create(0, desc) : NULL;
    if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    return tensor;
}

int main(void) {
    OH_NNExecutor *executor;
    NN_Tensor *in, *out;
    const uint64_t unit = spin();
    uint64_t start = board_now_ns(), run;
    executor = open_plan();
    if (executor == NULL) return board_print("the plan is refused\n"), 1;
    start = board_now_ns() - start;
    in = nnrt_tensor_create_in_arena(executor, 0);
    out = tensor_of(OH_NNExecutor_CreateOutputTensorDesc(executor, 0));
    if (in == NULL || out == NULL) return board_print("no tensors\n"), 1;
    memcpy(OH_NNTensor_GetDataBuffer(in), model_input, sizeof model_input);
    run = board_now_ns();
    if (OH_NNExecutor_RunSync(executor, &in, 1, &out, 1) != OH_NN_SUCCESS) return board_print("no run\n"), 1;
    run = board_now_ns() - run;
    if (memcmp(OH_NNTensor_GetDataBuffer(out), model_output, sizeof model_output) != 0)
        return board_print("other bytes than on a PC\n"), 1;
    figure("run=", run * (2 * SPINS) / unit);
    figure(" start=", start * (2 * SPINS) / unit);
    figure(" arena=", sizeof arena);
    figure(" pool=", pool_most * sizeof *pool);
    board_print("\n");
    return 0;
}

#pragma GCC pop_options
