/* SPDX-License-Identifier: Apache-2.0 */
/* npu_faults.h - for tests on simulated boards of any vendor: every fault at every call of the vendor's library.

   One life of a program (build, executor, tensors, two asynchronous runs with a deadline, everything destroyed) first
   runs without a fault, while the calls of each vendor function are counted. Then it runs once for every single call
   and every kind of fault: the call fails with a code, hangs for ever, hangs for a while, or the device is gone from
   then on; and once for every allocation of nnrt, which is refused. Each life is its own process, with an alarm: a
   program that waits for a dead NPU fails the test. Every life must keep these promises: a refusal has a code and a
   sentence; each accepted run ends in exactly one callback, soon after its deadline; a run that succeeds has the right
   bytes; after a fault that passes the next run works, after one that does not the program is told once that the device
   died; at the end nothing is alive in the library or in nnrt, and the library saw no mistake.

   Stands behind linked.h and the header that loads the vendor's board. */
#ifndef NNRT_TESTS_NPU_FAULTS_H
#define NNRT_TESTS_NPU_FAULTS_H

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HANG_MS 300      /* deadline of a run that hangs for ever: the test waits for it */
#define DEADLINE_MS 3000 /* deadline of other runs, never reached: generous, for emulators and a busy machine */
#define LIFE_SECONDS 20

enum {
    LIVED = 0,
    SKIPPED = 77,
    NOT_MET = 78
};

/* ----------------------------------------------------------------------------------------------- one life */

/* Whose board it is. */
typedef struct fault_vendor {
    bool (*load)(board *b, const char *chip, const char *version);
    const char *device;           /* its name begins so */
    const char *suffix;           /* of models/NAME.CHIP.SUFFIX */
    const char *const *functions; /* that faults come at: count of them, at most FAULT_FUNCTIONS */
    size_t count;
    const char *run;        /* the one without which no run succeeds */
    const char *passes;     /* "fail:CODE" that passes */
    const char *lasts;      /* "fail:CODE" that says that the device is gone; NULL: none does */
    const char *gives_back; /* parts of the names, "A|B", of those that leave something alive where they fail */
    const char *polls;      /* the function that a run calls as often as it takes; NULL: none */
    const char *excused;    /* part of a mistake that a fault may bring about; NULL: none */
    bool may_recover;       /* a device that reports it is gone may come back: no death need be reported */
} fault_vendor;

typedef struct plan {
    const fault_vendor *vendor;
    const char *title;
    const char *chip;
    const char *model;      /* NAME of models/NAME.CHIP.SUFFIX */
    const char *configs[8]; /* name, value, ... NULL */
    const char *blind;      /* a refused call of it may leave a model whose runs all fail; NULL: none */
} plan;

/* What happened, written by the callbacks. */
typedef struct events {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int done, died;
    OH_NN_ReturnCode code[2];
    char sentence[2][256];
} events;

static void on_run_done(void *user, OH_NN_ReturnCode code, void **outputs, int32_t count) {
    events *e = (events *)user;
    (void)outputs;
    (void)count;
    pthread_mutex_lock(&e->mutex);
    if (e->done < 2) {
        e->code[e->done] = code;
        (void)snprintf(e->sentence[e->done], sizeof e->sentence[0], "%s", nnrt_last_error());
    }
    e->done++;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->mutex);
}

static void on_died(void *user) {
    events *e = (events *)user;
    pthread_mutex_lock(&e->mutex);
    e->died++;
    pthread_mutex_unlock(&e->mutex);
}

/* In a child process a failure is printed and ends it. */
#define MUST(condition, ...)                                    \
    do {                                                        \
        if (!(condition)) {                                     \
            fprintf(stderr, "%s, %s: ", context(), #condition); \
            fprintf(stderr, __VA_ARGS__);                       \
            fprintf(stderr, "\n");                              \
            _exit(1);                                           \
        }                                                       \
    } while (0)

static bool device_named(const char *beginning, size_t *id) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    MUST(OH_NNDevice_GetAllDevicesID(&ids, &count) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (i = 0; i < count; i++) {
        const char *name = NULL;
        MUST(OH_NNDevice_GetName(ids[i], &name) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        if (strncmp(name, beginning, strlen(beginning)) != 0) continue;
        *id = ids[i];
        return true;
    }
    return false;
}

typedef struct life {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    NN_Tensor *inputs[8], *outputs[8];
    size_t input_count, output_count;
} life;

static void end(life *l) {
    size_t i;
    for (i = 0; i < l->input_count; i++)
        if (l->inputs[i] != NULL) (void)OH_NNTensor_Destroy(&l->inputs[i]);
    for (i = 0; i < l->output_count; i++)
        if (l->outputs[i] != NULL) (void)OH_NNTensor_Destroy(&l->outputs[i]);
    if (l->executor != NULL) OH_NNExecutor_Destroy(&l->executor);
    if (l->compilation != NULL) OH_NNCompilation_Destroy(&l->compilation);
}

/* Refuses one allocation from Build on: what comes before is the core's, tested elsewhere. */
static bool build(const plan *p, const board *b, size_t device, long refused, life *l) {
    char path[512];
    size_t i;
    OH_NN_ReturnCode code;
    (void)snprintf(path, sizeof path, "%s/models/%s.%s.%s", b->folder, p->model, p->chip, p->vendor->suffix);
    l->compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST(l->compilation != NULL, "%s", nnrt_last_error());
    MUST(OH_NNCompilation_SetDevice(l->compilation, device) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (i = 0; p->configs[i] != NULL; i += 2)
        MUST(OH_NNCompilation_AddExtensionConfig(l->compilation, p->configs[i], p->configs[i + 1],
                                                 strlen(p->configs[i + 1])) == OH_NN_SUCCESS,
             "%s", nnrt_last_error());
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    counting_fail_at(refused);
    code = OH_NNCompilation_Build(l->compilation);
    MUST(code == OH_NN_SUCCESS || nnrt_last_error()[0] != '\0', "Build answered %d without a sentence", (int)code);
    return code == OH_NN_SUCCESS;
}

/* Dimensions that the model leaves open get their least value. */
static OH_NN_ReturnCode close_shape(const life *l, size_t i, NN_TensorDesc *desc) {
    size_t *least = NULL, *most = NULL, rank = 0, k;
    int32_t dims[NNRT_MAX_RANK];
    OH_NN_ReturnCode code = OH_NNExecutor_GetInputDimRange(l->executor, i, &least, &most, &rank);
    if (code != OH_NN_SUCCESS) return code;
    for (k = 0; k < rank; k++) dims[k] = (int32_t)least[k];
    return OH_NNTensorDesc_SetShape(desc, dims, rank);
}

/* A tensor for input (output) i with contents that depend on i only. Outputs have room for any shape. */
static NN_Tensor *tensor(const life *l, size_t device, bool output, size_t i) {
    NN_TensorDesc *desc;
    NN_Tensor *made = NULL;
    size_t size = 0, k;
    uint8_t *data;
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    desc = output ? OH_NNExecutor_CreateOutputTensorDesc(l->executor, i)
                  : OH_NNExecutor_CreateInputTensorDesc(l->executor, i);
    if (desc != NULL) {
        if (output && OH_NNTensorDesc_GetByteSize(desc, &size) != OH_NN_SUCCESS)
            made = OH_NNTensor_CreateWithSize(device, desc, 65536);
        else if (output || OH_NNTensorDesc_GetByteSize(desc, &size) == OH_NN_SUCCESS ||
                 close_shape(l, i, desc) == OH_NN_SUCCESS)
            made = OH_NNTensor_Create(device, desc);
        (void)OH_NNTensorDesc_Destroy(&desc);
    }
    MUST(made != NULL || nnrt_last_error()[0] != '\0', "no tensor and no sentence");
    if (made == NULL) return NULL;
    MUST(OH_NNTensor_GetSize(made, &size) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    data = (uint8_t *)OH_NNTensor_GetDataBuffer(made);
    for (k = 0; k < size; k++) data[k] = output ? 0xee : (uint8_t)((k * 31 + i * 7 + (k >> 8)) & 0x3f);
    return made;
}

static uint32_t outputs_hash(const life *l) {
    uint32_t hash = 2166136261u;
    size_t i, k, size = 0;
    for (i = 0; i < l->output_count; i++) {
        const uint8_t *data = (const uint8_t *)OH_NNTensor_GetDataBuffer(l->outputs[i]);
        MUST(OH_NNTensor_GetSize(l->outputs[i], &size) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        for (k = 0; k < size; k++) hash = (hash ^ data[k]) * 16777619u;
    }
    return hash;
}

/* One run, waited for. What the call or its callback answered. */
static OH_NN_ReturnCode run(life *l, events *e, int32_t deadline_ms, int number, char *sentence) {
    struct timespec until;
    OH_NN_ReturnCode code;
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    code = OH_NNExecutor_RunAsync(l->executor, l->inputs, l->input_count, l->outputs, l->output_count, deadline_ms, e);
    if (code != OH_NN_SUCCESS) {
        (void)snprintf(sentence, 256, "%s", nnrt_last_error());
        return code;
    }
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += deadline_ms / 1000 + 4;
    pthread_mutex_lock(&e->mutex);
    while (e->done <= number)
        MUST(pthread_cond_timedwait(&e->changed, &e->mutex, &until) == 0, "no callback 4 s after a deadline of %d ms",
             (int)deadline_ms);
    code = e->code[number];
    (void)snprintf(sentence, 256, "%s", e->sentence[number]);
    pthread_mutex_unlock(&e->mutex);
    return code;
}

static bool all_gone(const board *b) {
    nnrt_sim_live alive;
    b->get_live(&alive);
    return alive.contexts == 0 && alive.memories == 0 && alive.fds == 0;
}

/* The record of a life without a fault: the right bytes, and the calls of each function up to the first run and up to
   the last. */
enum {
    FAULT_FUNCTIONS = 24
};

typedef struct record {
    uint32_t hash;
    unsigned before_runs[FAULT_FUNCTIONS], after_runs[FAULT_FUNCTIONS], at_end[FAULT_FUNCTIONS];
} record;

static void count_calls(const plan *p, const board *b, unsigned *counts) {
    size_t i;
    for (i = 0; i < p->vendor->count; i++) counts[i] = b->calls(p->vendor->functions[i]);
}

typedef struct fault {
    char text[96];        /* of nnrt_sim_fault; "": none */
    const char *function; /* that it comes at */
    unsigned call;
    long allocation; /* of nnrt that is refused, counted from 0; -1: none */
    bool lasting;    /* it does not pass: the device never works again */
    bool may_leave;  /* what was refused to be destroyed stays */
} fault;

/* How often each of the two runs calls the function without which none succeeds. */
static unsigned calls_of_a_run(const plan *p, const record *r) {
    size_t i = 0;
    while (strcmp(p->vendor->functions[i], p->vendor->run) != 0) i++;
    return r->after_runs[i] / 2;
}

/* The whole of it, in a process of its own. The record is filled without a fault, and the outputs are compared with it
   with one. */
static void live(const plan *p, const board *b, const fault *f, record *r) {
    events e = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {OH_NN_SUCCESS, OH_NN_SUCCESS}, {"", ""}};
    OH_NN_ReturnCode code[2] = {OH_NN_SUCCESS, OH_NN_SUCCESS};
    char sentence[2][256] = {"", ""};
    const bool faultless = f->text[0] == '\0' && f->allocation < 0;
    bool opened, blind = false, gone; /* gone: reported by every run, but for one that saw a reset first */
    long blocks;
    size_t device = 0, i;
    life l;
    memset(&l, 0, sizeof l);
    MUST(device_named(p->vendor->device, &device), "no NPU is listed");
    blocks = counting_live();
    b->fault(f->text);
    opened = build(p, b, device, f->allocation, &l);
    if (opened) {
        (void)nnrt_backend_fail(OH_NN_FAILED, "");
        l.executor = OH_NNExecutor_Construct(l.compilation);
        MUST(l.executor != NULL || nnrt_last_error()[0] != '\0', "no executor and no sentence");
        opened = l.executor != NULL;
    }
    if (opened) {
        MUST(OH_NNExecutor_SetOnRunDone(l.executor, on_run_done) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        MUST(OH_NNExecutor_SetOnServiceDied(l.executor, on_died) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        MUST(OH_NNExecutor_GetInputCount(l.executor, &l.input_count) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        MUST(OH_NNExecutor_GetOutputCount(l.executor, &l.output_count) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        MUST(l.input_count <= 8 && l.output_count <= 8, "more tensors than this test has room for");
        for (i = 0; i < l.input_count; i++) opened = (l.inputs[i] = tensor(&l, device, false, i)) != NULL && opened;
        for (i = 0; i < l.output_count; i++) opened = (l.outputs[i] = tensor(&l, device, true, i)) != NULL && opened;
    }
    MUST(opened || !faultless, "without a fault: %s", nnrt_last_error());
    if (faultless) count_calls(p, b, r->before_runs);
    for (i = 0; opened && i < 2; i++) {
        code[i] =
            run(&l, &e, f->lasting && strstr(f->text, "=hang") != NULL ? HANG_MS : DEADLINE_MS, e.done, sentence[i]);
        MUST(code[i] == OH_NN_SUCCESS || sentence[i][0] != '\0', "run %zu answered %d without a sentence", i,
             (int)code[i]);
        MUST(code[i] == OH_NN_SUCCESS || !faultless, "without a fault: %s", sentence[i]);
        if (code[i] != OH_NN_SUCCESS) continue;
        if (faultless) r->hash = outputs_hash(&l);
        MUST(outputs_hash(&l) == r->hash, "run %zu succeeded with other bytes", i);
    }
    if (faultless) count_calls(p, b, r->after_runs);
    if (f->text[0] != '\0' && strcmp(f->function, p->vendor->run) == 0 && strstr(f->text, "hang:") == NULL)
        MUST(code[(f->call - 1) / calls_of_a_run(p, r)] != OH_NN_SUCCESS, "call %u made its run succeed", f->call);
    if (opened && p->blind != NULL && strcmp(f->function, p->blind) == 0 && code[0] == OH_NN_UNAVAILABLE_DEVICE &&
        code[1] == code[0])
        blind = true;
    if (opened && !f->lasting && !blind)
        MUST(code[0] == OH_NN_SUCCESS || code[1] == OH_NN_SUCCESS,
             "a fault that passes: the runs answered %s (%s), %s (%s)", nnrt_strerror(code[0]), sentence[0],
             nnrt_strerror(code[1]), sentence[1]);
    gone = p->vendor->may_recover && code[1] == OH_NN_UNAVAILABLE_DEVICE &&
           (code[0] == code[1] || (code[0] == OH_NN_TIMEOUT && strstr(f->text, "=die") != NULL));
    if (opened && !blind && !gone && code[0] != OH_NN_SUCCESS && code[1] != OH_NN_SUCCESS)
        MUST(e.died == 1, "two runs failed (%s; %s) and the program was told %d times that the device died",
             sentence[0], sentence[1], e.died);
    MUST(e.died <= 1, "told %d times that the device died", e.died);
    end(&l);
    MUST(f->text[0] == '\0' || b->calls(f->function) >= f->call, "the fault was not met");
    if (faultless) count_calls(p, b, r->at_end);
    b->release_hang();
    for (i = 0; i < 100 && ((!f->may_leave && !all_gone(b)) || counting_live() != blocks); i++) (void)usleep(10000);
    MUST(f->may_leave || all_gone(b), "something is still alive in the library");
    MUST(counting_live() == blocks, "%ld blocks of nnrt are still alive", counting_live() - blocks);
    for (i = 0; i < b->mistakes() && !blind; i++)
        MUST(!faultless && p->vendor->excused != NULL && strstr(b->mistake((unsigned)i), p->vendor->excused) != NULL,
             "the library saw a mistake: %s", b->mistake((unsigned)i));
}

/* ------------------------------------------------------------------------------------ all lives of a plan */

/* Lives in a process of its own. LIVED: every promise was kept. */
static int live_apart(const plan *p, const fault *f, record *r) {
    int ends[2], status = 0;
    pid_t child;
    cr_assert_eq(pipe(ends), 0);
    (void)fflush(NULL);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        board b;
        (void)alarm(LIFE_SECONDS);
        if (!p->vendor->load(&b, p->chip, "")) _exit(SKIPPED);
        live(p, &b, f, r);
        if (f->allocation >= 0 && !counting_failed()) _exit(NOT_MET);
        _exit(write(ends[1], r, sizeof *r) == (ssize_t)sizeof *r ? LIVED : 1);
    }
    (void)close(ends[1]);
    if (f->text[0] == '\0' && f->allocation < 0) (void)!read(ends[0], r, sizeof *r);
    (void)close(ends[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Is function one of those that the list gives_back names, "A|B"? */
static bool gives_back(const fault_vendor *vendor, const char *function) {
    const char *part = vendor->gives_back;
    for (;;) {
        const size_t length = strcspn(part, "|");
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)length, part);
        if (strstr(function, name) != NULL) return true;
        if (part[length] == '\0') return false;
        part += length + 1;
    }
}

static void live_with(const plan *p, record *r, const char *function, unsigned call, const char *kind, bool lasting,
                      unsigned *lives, unsigned *broken) {
    fault f;
    int status;
    (void)snprintf(f.text, sizeof f.text, "%s@%u=%s", function, call, kind);
    f.allocation = -1;
    f.function = function;
    f.call = call;
    f.lasting = lasting;
    f.may_leave = strcmp(kind, "die") == 0 || (strncmp(kind, "fail", 4) == 0 && gives_back(p->vendor, function));
    status = live_apart(p, &f, r);
    (*lives)++;
    if (status == LIVED) return;
    (*broken)++;
    fprintf(stderr, "%s, %s: %s %d\n", p->title, f.text, status >= 1000 ? "ended by signal" : "ended with",
            status >= 1000 ? status - 1000 : status);
}

static void every_fault(const plan *p) {
    fault none = {"", "", 0, -1, false, false};
    record r;
    unsigned lives = 0, broken = 0, call;
    size_t i;
    int status;
    memset(&r, 0, sizeof r);
    status = live_apart(p, &none, &r);
    if (status == SKIPPED) cr_skip_test("skipped, no simulated %s", p->chip);
    cr_assert_eq(status, LIVED, "%s: the life without a fault ended with %d", p->title, status);
    for (i = 0; i < p->vendor->count; i++) {
        const char *function = p->vendor->functions[i];
        for (call = 1; call <= r.at_end[i]; call++) {
            if (p->vendor->polls != NULL && strcmp(function, p->vendor->polls) == 0 && call > r.before_runs[i] + 1)
                break;
            live_with(p, &r, function, call, p->vendor->passes, false, &lives, &broken);
            if (p->vendor->lasts != NULL) live_with(p, &r, function, call, p->vendor->lasts, true, &lives, &broken);
            live_with(p, &r, function, call, "die", true, &lives, &broken);
            live_with(p, &r, function, call, "hang:40", false, &lives, &broken);
            if (call > r.before_runs[i] && call <= r.after_runs[i])
                live_with(p, &r, function, call, "hang", true, &lives, &broken);
        }
    }
    for (status = LIVED; status != NOT_MET && broken < 20; none.allocation++) {
        if (none.allocation < 0) continue;
        status = live_apart(p, &none, &r);
        lives += status != NOT_MET;
        if (status == LIVED || status == NOT_MET) continue;
        broken++;
        fprintf(stderr, "%s, allocation %ld refused: ended with %d\n", p->title, none.allocation, status);
    }
    printf("%s: %u lives, each with one fault\n", p->title, lives);
    cr_assert_gt(calls_of_a_run(p, &r), 0u, "two runs were made");
    cr_assert_eq(broken, 0u, "%s: %u of %u lives broke a promise, see above", p->title, broken, lives);
}

#endif /* NNRT_TESTS_NPU_FAULTS_H */
