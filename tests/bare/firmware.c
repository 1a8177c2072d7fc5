/* SPDX-License-Identifier: Apache-2.0 */
/* firmware.c - the smallest way to run a plan: in flash, in an arena of the program's, with handles that keep nothing
   that a run can compute again (NNRT__FOR_RAM). Proves that each model of models.c gives the bytes of a PC so, that its
   handles are 1 KB at most, and that a run allocates nothing. Prints as program.c does. */
#include "board.h"
#include "models.h"
#include "models_steps.h"

#include <stdlib.h>

static void *counted_malloc(size_t size);
static void counted_free(void *block);

#define NNRT_NO_THREADS
#define NNRT_NO_STDIO
#define NNRT_PLANS_ONLY
#define NNRT_STEPS(X) MODELS_STEPS(X)
#define NNRT_NO_SENTENCES
#define NNRT_ONE_DEVICE
#define NNRT_TRUST_CRC
#define NNRT_MALLOC(size) counted_malloc(size)
#define NNRT_REALLOC(pointer, size) NULL
#define NNRT_FREE(pointer) counted_free(pointer)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

enum {
    ARENA_BYTES = 64 * 1024,
    MOST_HANDLES = 1024
};

static uint8_t arena[ARENA_BYTES] __attribute__((aligned(NNRT_ARENA_ALIGNMENT)));
static size_t heap_now, heap_calls;
static unsigned failures;

/* In front of each block; its size keeps the alignment of malloc. */
typedef union counted {
    size_t size;
    double align[1];
} counted;

static void *counted_malloc(size_t size) {
    counted *block = (counted *)malloc(size + sizeof *block);
    heap_calls++;
    if (block == NULL) return NULL;
    block->size = size;
    heap_now += size;
    return block + 1;
}

static void counted_free(void *block) {
    if (block == NULL) return;
    heap_now -= ((counted *)block - 1)->size;
    free((counted *)block - 1);
}

static void print_number(const char *before, size_t number) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    board_print(before);
    board_print(at);
}

static void promise(bool kept, const bare_model *model, const char *what) {
    if (!kept) failures++;
    board_print(kept ? "ok " : "FAILED ");
    board_print(model->name);
    board_print(", firmware: ");
    board_print(what);
    board_print("\n");
}

static OH_NNExecutor *open_plan(const bare_model *model, size_t *arena_bytes) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
    OH_NNExecutor *executor = NULL;
    if (compilation == NULL) return NULL;
    if (OH_NNCompilation_ImportCacheFromBuffer(compilation, model->plan, model->plan_size) == OH_NN_SUCCESS &&
        nnrt_compilation_use_in_place(compilation) == OH_NN_SUCCESS &&
        OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS &&
        nnrt_compilation_get_arena(compilation, arena_bytes) == OH_NN_SUCCESS)
        (void)nnrt_executor_construct_in(compilation, arena, sizeof arena, &executor);
    OH_NNCompilation_Destroy(&compilation);
    return executor;
}

static NN_Tensor *tensor_of(NN_TensorDesc *desc) {
    NN_Tensor *tensor = desc != NULL ? OH_NNTensor_Create(0, desc) : NULL;
    if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    return tensor;
}

static bool gives_the_bytes_of_a_pc(const bare_model *model, OH_NNExecutor *executor, NN_Tensor *in, NN_Tensor *out) {
    size_t i;
    for (i = 0; i < model->samples; i++) {
        memcpy(OH_NNTensor_GetDataBuffer(in), model->inputs + i * model->input_size, model->input_size);
        if (OH_NNExecutor_RunSync(executor, &in, 1, &out, 1) != OH_NN_SUCCESS ||
            memcmp(OH_NNTensor_GetDataBuffer(out), model->outputs + i * model->output_size, model->output_size) != 0)
            return false;
    }
    return true;
}

static void try_model(const bare_model *model) {
    size_t arena_bytes = 0, handles = 0, calls;
    OH_NNExecutor *executor;
    NN_Tensor *in, *out;
    board_stack_paint();
    executor = open_plan(model, &arena_bytes);
    promise(executor != NULL, model, "the plan is opened");
    if (executor == NULL) return;
    in = nnrt_tensor_create_in_arena(executor, 0);
    out = tensor_of(OH_NNExecutor_CreateOutputTensorDesc(executor, 0));
    promise(in != NULL && out != NULL, model, "the tensors are made");
    if (in == NULL || out == NULL) return;
    handles = heap_now - model->output_size;
    promise(handles <= MOST_HANDLES, model, "an executor with its tensors is 1 KB");
    calls = heap_calls;
    promise(gives_the_bytes_of_a_pc(model, executor, in, out), model, "the bytes of a PC");
    promise(heap_calls == calls, model, "runs allocate nothing");
    (void)OH_NNTensor_Destroy(&in);
    in = tensor_of(OH_NNExecutor_CreateInputTensorDesc(executor, 0));
    promise(in != NULL && gives_the_bytes_of_a_pc(model, executor, in, out), model, "and from a tensor elsewhere");
    (void)OH_NNTensor_Destroy(&in);
    (void)OH_NNTensor_Destroy(&out);
    OH_NNExecutor_Destroy(&executor);
    promise(heap_now == 0, model, "all memory is given back");
    print_number("figures model=", (size_t)(model - bare_models));
    print_number(" arena=", arena_bytes);
    print_number(" output=", model->output_size);
    print_number(" handles=", handles);
    print_number(" stack=", board_stack_used());
    board_print("\n");
}

int main(void) {
    size_t i;
    for (i = 0; i < bare_model_count; i++) try_model(&bare_models[i]);
    return failures != 0;
}
