/* SPDX-License-Identifier: Apache-2.0 */
/* interrupts.c - runs inside runs: an interrupt takes the processor while a model runs, and runs one itself.

   The clock of the program is asked before and behind each step of a timed run. Each time in turn that makes SysTick
   pending, so that its handler comes at every such place, inside the run. There it runs the same executor, one that
   shares the arena, and one with an arena of its own. The first two have to get OH_NN_OPERATION_FORBIDDEN and touch
   nothing, the third the bytes of a PC; the run that was interrupted gets them in any case. Then the same with ticks as
   they come, in the middle of a step as likely as not. Prints as program.c does. */
#include "board.h"
#include "models.h"

static uint64_t now_ns(void);

#define NNRT_NO_THREADS
#define NNRT_NO_STDIO
#define NNRT_NOW_NS() now_ns()
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

enum {
    SAME,   /* the executor that is interrupted, outer */
    SHARED, /* another one in its arena */
    APART,  /* one with an arena of its own */
    RUNNERS,
    ARENA_BYTES = 48 * 1024,
    TICKS = 200 /* as they come */
};

typedef struct runner {
    OH_NNExecutor *executor;
    NN_Tensor *in, *out;
    unsigned ran, refused, wrong; /* inside the handler */
} runner;

static const bare_model *model = &bare_models[0];
static uint8_t arenas[2][ARENA_BYTES] __attribute__((aligned(NNRT_ARENA_ALIGNMENT)));
static runner runners[RUNNERS];
static unsigned failures;

static void promise(bool kept, const char *what) {
    if (!kept) failures++;
    board_print(kept ? "ok " : "FAILED ");
    board_print(what);
    board_print("\n");
}

/* --------------------------------------------------------------------------------------------- inside and outside */

static runner inside[RUNNERS];        /* the same executors with other tensors, for the handler */
static runner *outer;                 /* whose run may be interrupted; NULL: none */
static unsigned until_tick;           /* so many looks at the clock from now, the interrupt comes; 0: not by us */
static volatile bool ours;            /* the next interrupt is by us, and so inside a run */
static volatile bool any;             /* the next one counts, whoever it is by */
static volatile unsigned ticks;       /* that counted */
static bool other_calls_were_refused; /* of all that was tried on outer */

static uint64_t now_ns(void) {
    if (until_tick != 0 && --until_tick == 0) {
        ours = true;
        board_tick_now();
    }
    return board_now_ns();
}

static void put(const runner *self, size_t sample) {
    memcpy(OH_NNTensor_GetDataBuffer(self->in), model->inputs + sample * model->input_size, model->input_size);
    memset(OH_NNTensor_GetDataBuffer(self->out), 0x5a, model->output_size);
}

static bool has(const runner *self, size_t sample) {
    const uint8_t *wanted = model->outputs + sample * model->output_size;
    return memcmp(OH_NNTensor_GetDataBuffer(self->out), wanted, model->output_size) == 0;
}

static bool is_untouched(const runner *self) {
    const uint8_t *bytes = (const uint8_t *)OH_NNTensor_GetDataBuffer(self->out);
    size_t i;
    for (i = 0; i < model->output_size && bytes[i] == 0x5a; i++) {}
    return i == model->output_size;
}

static OH_NN_ReturnCode run(runner *self) { return OH_NNExecutor_RunSync(self->executor, &self->in, 1, &self->out, 1); }

/* What else waits for a run, where there are threads to wait. */
static void try_other_calls(OH_NNExecutor *running) {
    const nnrt_profile_step *steps = NULL;
    nnrt_memory memory;
    uint32_t count = 0;
    if (nnrt_executor_get_profile(running, &steps, &count) != OH_NN_OPERATION_FORBIDDEN ||
        nnrt_executor_get_memory(running, &memory) != OH_NN_OPERATION_FORBIDDEN ||
        nnrt_executor_reset(running) != OH_NN_OPERATION_FORBIDDEN)
        other_calls_were_refused = false;
    OH_NNExecutor_Destroy(&running);
    if (running == NULL) other_calls_were_refused = false;
}

/* The handler of SysTick. Its runs may take longer than a millisecond: the next tick is then pending already. */
static void tick(void) {
    const bool is_ours = ours, counts = outer != NULL && (ours || any);
    size_t i;
    ours = any = false;
    if (!counts) return;
    ticks++;
    for (i = 0; i < RUNNERS; i++) {
        OH_NN_ReturnCode code;
        put(&inside[i], 1);
        code = run(&inside[i]);
        if (code == OH_NN_SUCCESS) runners[i].ran++;
        if (code == OH_NN_OPERATION_FORBIDDEN) runners[i].refused++;
        if (code == OH_NN_SUCCESS ? !has(&inside[i], 1)
                                  : code != OH_NN_OPERATION_FORBIDDEN || !is_untouched(&inside[i]))
            runners[i].wrong++;
    }
    if (is_ours) try_other_calls(outer->executor);
}

static bool counts_are(const runner *self, unsigned ran, unsigned refused) {
    return self->ran == ran && self->refused == refused && self->wrong == 0;
}

static void forget(void) {
    size_t i;
    for (i = 0; i < RUNNERS; i++) runners[i].ran = runners[i].refused = runners[i].wrong = 0;
    ticks = 0;
    other_calls_were_refused = true;
}

/* The interrupt at each place of a run of self. */
static bool interrupt_everywhere(runner *self) {
    unsigned place;
    bool right = true, more = true;
    forget();
    for (place = 1; more && place < 1000; place++) {
        put(self, 0);
        until_tick = place;
        outer = self;
        right = run(self) == OH_NN_SUCCESS && has(self, 0) && right;
        outer = NULL;
        more = until_tick == 0;
        until_tick = 0;
    }
    return right && ticks == place - 2 && ticks > 10 && other_calls_were_refused;
}

/* -------------------------------------------------------------------------------------------------------- program */

static bool make_tensors(runner *self) {
    NN_TensorDesc *in = OH_NNExecutor_CreateInputTensorDesc(self->executor, 0);
    NN_TensorDesc *out = OH_NNExecutor_CreateOutputTensorDesc(self->executor, 0);
    self->in = OH_NNTensor_Create(0, in);
    self->out = OH_NNTensor_Create(0, out);
    return self->in != NULL && self->out != NULL;
}

static bool open_runner(size_t i, OH_NNCompilation *compilation, uint8_t *arena) {
    if (nnrt_executor_construct_in(compilation, arena, ARENA_BYTES, &runners[i].executor) != OH_NN_SUCCESS)
        return false;
    inside[i].executor = runners[i].executor;
    return make_tensors(&runners[i]) && make_tensors(&inside[i]);
}

int main(void) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
    bool right;
    unsigned i;
    if (compilation == NULL ||
        OH_NNCompilation_ImportCacheFromBuffer(compilation, model->plan, model->plan_size) != OH_NN_SUCCESS ||
        nnrt_compilation_use_in_place(compilation) != OH_NN_SUCCESS ||
        OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.profile", "1", 1) != OH_NN_SUCCESS ||
        OH_NNCompilation_Build(compilation) != OH_NN_SUCCESS || !open_runner(SAME, compilation, arenas[0]) ||
        !open_runner(SHARED, compilation, arenas[0]) || !open_runner(APART, compilation, arenas[1]))
        return board_print("FAILED the model cannot be opened\n"), 1;
    OH_NNCompilation_Destroy(&compilation);
    board_on_tick(tick);
    right = interrupt_everywhere(&runners[SAME]);
    promise(right, "a run that is interrupted gives its bytes");
    promise(counts_are(&runners[SAME], 0, ticks), "the executor that runs is forbidden to an interrupt");
    promise(counts_are(&runners[SHARED], 0, ticks), "and so is one that shares its arena");
    promise(counts_are(&runners[APART], ticks, 0), "one with an arena of its own runs inside");
    right = interrupt_everywhere(&runners[APART]);
    promise(right, "a run with an arena of its own gives its bytes, interrupted");
    promise(counts_are(&runners[SAME], ticks, 0) && counts_are(&runners[SHARED], ticks, 0),
            "both that share the other arena run inside");
    promise(counts_are(&runners[APART], 0, ticks), "and it is forbidden itself");
    forget();
    right = true;
    for (i = 0; ticks < TICKS; i++) {
        put(&runners[i % RUNNERS], 0);
        outer = &runners[i % RUNNERS];
        any = true;
        right = run(outer) == OH_NN_SUCCESS && has(outer, 0) && right;
        outer = NULL;
    }
    promise(right, "runs give their bytes, wherever a tick comes");
    promise(runners[SAME].wrong + runners[SHARED].wrong + runners[APART].wrong == 0,
            "and so do those inside, or are refused");
    for (i = 0; i < RUNNERS; i++) {
        put(&runners[i], 2);
        promise(run(&runners[i]) == OH_NN_SUCCESS && has(&runners[i], 2), "each runs afterwards");
        OH_NNExecutor_Destroy(&runners[i].executor);
    }
    return failures != 0;
}
