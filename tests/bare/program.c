/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - a program without an operating system: every model of models.c in its flash, run in four ways on every
   sample, and the same bytes as on a PC each time.

   One line per promise, "ok" or "FAILED" in front; a line of figures per model and way, "figures" in front; run.py
   counts and compares them. */
#include "board.h"
#include "models.h"

#include <stdlib.h>

static void *counted_malloc(size_t size);
static void *counted_realloc(void *block, size_t size);
static void counted_free(void *block);

#define NNRT_NO_THREADS
#define NNRT_NO_STDIO
#define NNRT_NOW_NS() board_now_ns()
#define NNRT_MALLOC(size) counted_malloc(size)
#define NNRT_REALLOC(pointer, size) counted_realloc(pointer, size)
#define NNRT_FREE(pointer) counted_free(pointer)
#define NNRT_OPS(X) \
    X(CONV2D) X(DEPTHWISE_CONV2D_NATIVE) X(AVG_POOL) X(MAX_POOL) X(RESHAPE) X(FULL_CONNECTION) X(SOFTMAX)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

/* ------------------------------------------------------------------------------------------------- output */

static unsigned long failures;

static void print_number(size_t number) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    board_print(at);
}

/* One line. why, which may be NULL, only where the promise is broken. */
static void promise(bool kept, const bare_model *model, const char *what, const char *why) {
    if (!kept) failures++;
    board_print(kept ? "ok " : "FAILED ");
    board_print(model != NULL ? model->name : "board");
    board_print(", ");
    board_print(what);
    if (!kept && why != NULL) {
        board_print(": ");
        board_print(why);
    }
    board_print("\n");
}

/* ------------------------------------------------------------------------------------------------- memory */

/* In front of each block; its size keeps the alignment of malloc. */
typedef union counted {
    size_t size;
    double align[1];
} counted;

static size_t heap_now, heap_most, heap_calls, heap_limit = SIZE_MAX;

static void *counted_realloc(void *block, size_t size) {
    counted *old = block != NULL ? (counted *)block - 1 : NULL, *made;
    const size_t before = old != NULL ? old->size : 0;
    heap_calls++;
    if (size > SIZE_MAX - sizeof *made || heap_now - before > heap_limit || size > heap_limit - (heap_now - before))
        return NULL;
    made = (counted *)realloc(old, size + sizeof *made);
    if (made == NULL) return NULL;
    made->size = size;
    heap_now = heap_now - before + size;
    if (heap_now > heap_most) heap_most = heap_now;
    return made + 1;
}

static void *counted_malloc(size_t size) { return counted_realloc(NULL, size); }

static void counted_free(void *block) {
    if (block == NULL) return;
    heap_now -= ((counted *)block - 1)->size;
    free((counted *)block - 1);
}

/* --------------------------------------------------------------------------------------------- the models */

typedef enum way {
    PACKED, /* Build packs the weights into RAM */
    LOW,    /* the weights stay in flash, inside the model */
    PLAN,   /* so do the packed ones, inside a plan of the PC's */
    OWN     /* a plan that this board made, and has in RAM */
} way;

static const char *const ways[] = {"packed on the board", "weights left in flash", "the PC's plan in flash",
                                   "the board's own plan"};

/* Exports what PACKED would build; NULL, or a block to free. */
static uint8_t *own_plan(const bare_model *model, size_t *size) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model->tflite, model->tflite_size);
    uint8_t *plan = NULL, none = 0;
    *size = 0;
    if (compilation == NULL || nnrt_compilation_use_in_place(compilation) != OH_NN_SUCCESS ||
        OH_NNCompilation_Build(compilation) != OH_NN_SUCCESS)
        return NULL;
    (void)OH_NNCompilation_ExportCacheToBuffer(compilation, &none, 1, size);
    if (*size > 1) plan = (uint8_t *)counted_malloc(*size);
    if (plan != NULL && OH_NNCompilation_ExportCacheToBuffer(compilation, plan, *size, size) != OH_NN_SUCCESS) {
        counted_free(plan);
        plan = NULL;
    }
    OH_NNCompilation_Destroy(&compilation);
    return plan;
}

static OH_NNCompilation *construct(const bare_model *model, way how, const uint8_t *plan, size_t plan_size) {
    OH_NNCompilation *compilation;
    if (how == PACKED || how == LOW)
        return OH_NNCompilation_ConstructWithOfflineModelBuffer(model->tflite, model->tflite_size);
    compilation = OH_NNCompilation_ConstructForCache();
    if (compilation != NULL && OH_NNCompilation_ImportCacheFromBuffer(compilation, plan, plan_size) != OH_NN_SUCCESS)
        OH_NNCompilation_Destroy(&compilation);
    return compilation;
}

/* All samples on one executor. Returns what went wrong, NULL: nothing. *run_calls: allocations of the runs. */
static const char *run_samples(const bare_model *model, OH_NNExecutor *executor, size_t *run_calls) {
    NN_TensorDesc *in_desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    NN_TensorDesc *out_desc = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    NN_Tensor *in = OH_NNTensor_Create(0, in_desc), *out = OH_NNTensor_Create(0, out_desc);
    const char *wrong = in == NULL || out == NULL ? nnrt_last_error() : NULL;
    size_t i, bytes[2] = {0, 0};
    if (wrong == NULL && (OH_NNTensor_GetSize(in, &bytes[0]) != OH_NN_SUCCESS || bytes[0] != model->input_size ||
                          OH_NNTensor_GetSize(out, &bytes[1]) != OH_NN_SUCCESS || bytes[1] != model->output_size))
        wrong = "the tensors have other sizes than the samples";
    *run_calls = heap_calls;
    for (i = 0; wrong == NULL && i < model->samples; i++) {
        const uint8_t *wanted = model->outputs + i * model->output_size;
        memcpy(OH_NNTensor_GetDataBuffer(in), model->inputs + i * model->input_size, model->input_size);
        memset(OH_NNTensor_GetDataBuffer(out), 0x5a, model->output_size);
        if (OH_NNExecutor_RunSync(executor, &in, 1, &out, 1) != OH_NN_SUCCESS) wrong = nnrt_last_error();
        else if (memcmp(OH_NNTensor_GetDataBuffer(out), wanted, model->output_size) != 0) wrong = "other bytes";
    }
    *run_calls = heap_calls - *run_calls;
    if (in != NULL) (void)OH_NNTensor_Destroy(&in);
    if (out != NULL) (void)OH_NNTensor_Destroy(&out);
    if (in_desc != NULL) (void)OH_NNTensorDesc_Destroy(&in_desc);
    if (out_desc != NULL) (void)OH_NNTensorDesc_Destroy(&out_desc);
    return wrong;
}

/* Do the times of all steps come from the board's clock? */
static bool is_timed(const OH_NNExecutor *executor) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0, i;
    uint64_t spent = 0;
    if (nnrt_executor_get_profile(executor, &steps, &count) != OH_NN_SUCCESS) return false;
    for (i = 0; i < count; i++) spent += steps[i].total_ns;
    return count != 0 && spent != 0;
}

static void figure(const char *name, size_t number) {
    board_print(" ");
    board_print(name);
    board_print("=");
    print_number(number);
}

static void try_model(const bare_model *model, way how) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor = NULL;
    nnrt_memory memory;
    uint8_t *own = NULL;
    size_t plan_size = model->plan_size, run_calls = 0, build_heap, run_heap = 0, stack;
    const char *wrong = NULL;
    bool timed = false;
    memset(&memory, 0, sizeof memory);
    if (how == OWN) own = own_plan(model, &plan_size);
    heap_most = heap_now;
    board_stack_paint();
    compilation = construct(model, how, how == OWN ? own : model->plan, plan_size);
    if (compilation == NULL || nnrt_compilation_use_in_place(compilation) != OH_NN_SUCCESS ||
        OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.profile", "1", 1) != OH_NN_SUCCESS ||
        OH_NNCompilation_SetPerformanceMode(compilation, how == LOW ? OH_NN_PERFORMANCE_LOW : OH_NN_PERFORMANCE_NONE) !=
            OH_NN_SUCCESS ||
        OH_NNCompilation_Build(compilation) != OH_NN_SUCCESS)
        wrong = nnrt_last_error();
    build_heap = heap_most;
    if (wrong == NULL) executor = OH_NNExecutor_Construct(compilation);
    if (wrong == NULL && executor == NULL) wrong = nnrt_last_error();
    if (compilation != NULL) OH_NNCompilation_Destroy(&compilation);
    if (wrong == NULL) {
        heap_most = heap_now;
        wrong = run_samples(model, executor, &run_calls);
        run_heap = heap_most;
        timed = is_timed(executor);
        (void)nnrt_executor_get_memory(executor, &memory);
    }
    stack = board_stack_used();
    promise(wrong == NULL, model, ways[how], wrong);
    promise(run_calls == 0, model, "runs allocate nothing", NULL);
    promise(timed, model, "a profile has the times of the board's clock", NULL);
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
    counted_free(own);
    promise(heap_now == 0, model, "all memory is given back", NULL);
    board_print("figures");
    figure("model", (size_t)(model - bare_models));
    figure("way", (size_t)how);
    figure("arena", memory.arena_bytes);
    figure("heap_build", build_heap);
    figure("heap_run", run_heap);
    figure("stack", stack);
    board_print("\n");
}

/* The code of Build for the first size bytes of the model. */
static OH_NN_ReturnCode build(const bare_model *model, size_t size) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model->tflite, size);
    OH_NN_ReturnCode code = compilation != NULL ? OH_NNCompilation_Build(compilation) : OH_NN_FAILED;
    if (compilation != NULL) OH_NNCompilation_Destroy(&compilation);
    return code;
}

static void try_misfortunes(const bare_model *model) {
    bool refused = build(model, model->tflite_size / 2) != OH_NN_SUCCESS && nnrt_last_error()[0] != '\0';
    promise(refused && heap_now == 0, model, "half a model is refused with a sentence", NULL);
    heap_limit = 8192;
    refused = build(model, model->tflite_size) == OH_NN_MEMORY_ERROR;
    heap_limit = SIZE_MAX;
    promise(refused && heap_now == 0, model, "too little memory is a code, and nothing is lost", nnrt_last_error());
}

int main(void) {
    size_t i, how;
    promise(strstr(nnrt_version(), " no-threads no-files isa=" BARE_ISA) != NULL, NULL,
            "the version says no threads, no files, the kernels of the board", nnrt_version());
    for (i = 0; i < bare_model_count; i++) {
        for (how = PACKED; how <= OWN; how++) try_model(&bare_models[i], (way)how);
        try_misfortunes(&bare_models[i]);
    }
    return failures != 0;
}
