/* SPDX-License-Identifier: Apache-2.0 */
/* bench_mcu.c - what one inference of a plan in flash takes on a microcontroller. bench_mcu.py builds it for a model
   and runs it on a board of QEMU, whose clock then goes by instructions.

   bench_mcu_model.h is the script's: the plan as `nnrt compile --c` writes it, one input and the output that a PC
   computes. Prints a line of figures, and ends with 0 where the output is the same bytes. */
#include <stddef.h>
#include <stdint.h>

#include "board.h"

static void *pool_take(size_t size);

#include "bench_mcu_model.h"

#define NNRT_NO_THREADS
#define NNRT_NO_STDIO
#define NNRT_PLANS_ONLY
#define NNRT_STEPS(X) BENCH_PLAN_STEPS(X)
#define NNRT_NO_SENTENCES
#define NNRT_ONE_DEVICE
#define NNRT_MALLOC(size) pool_take(size)
#define NNRT_REALLOC(pointer, size) NULL
#define NNRT_FREE(pointer) (void)(pointer)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

enum {
    POOL_BYTES = 16384 + sizeof model_input + sizeof model_output,
    SPINS = 100000
};

static uint8_t arena[BENCH_PLAN_ARENA_BYTES] __attribute__((aligned(NNRT_ARENA_ALIGNMENT)));
static uint64_t pool[POOL_BYTES / sizeof(uint64_t)];
static size_t pool_used;

static void *pool_take(size_t size) {
    void *block = (uint8_t *)pool + pool_used;
    if (size > sizeof pool - pool_used) return NULL;
    pool_used += (size + 7) & ~(size_t)7;
    return block;
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

int main(void) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor = NULL;
    NN_Tensor *in, *out;
    const uint64_t unit = spin();
    uint64_t start = board_now_ns(), run;
    compilation = OH_NNCompilation_ConstructForCache();
    if (compilation == NULL ||
        OH_NNCompilation_ImportCacheFromBuffer(compilation, bench_plan, sizeof bench_plan) != OH_NN_SUCCESS ||
        nnrt_compilation_use_in_place(compilation) != OH_NN_SUCCESS ||
        OH_NNCompilation_Build(compilation) != OH_NN_SUCCESS ||
        nnrt_executor_construct_in(compilation, arena, sizeof arena, &executor) != OH_NN_SUCCESS)
        return board_print("the plan is refused\n"), 1;
    start = board_now_ns() - start;
    in = OH_NNTensor_Create(0, OH_NNExecutor_CreateInputTensorDesc(executor, 0));
    out = OH_NNTensor_Create(0, OH_NNExecutor_CreateOutputTensorDesc(executor, 0));
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
    figure(" handles=", pool_used - sizeof model_input - sizeof model_output);
    figure(" tensors=", sizeof model_input + sizeof model_output);
    board_print("\n");
    return 0;
}
