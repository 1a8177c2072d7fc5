/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_tasks.c - tasks of several executors on simulated Horizon boards: their order, the places that the library
   has for them, deadlines, and that nothing is lost or freed too early under load.

   customId tells tasks apart in the board's history: "b5 e5" is a task that began and ended. */
#include "linked.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpu_board.h"

/* ------------------------------------------------------------------------------------- runs in the background */

#define NOT_YET (-1)

/* An executor of the model "calls" or another, and what became of its run. */
typedef struct job {
    rig r;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int answer; /* OH_NN_ReturnCode, or NOT_YET */
} job;

static void on_done(void *user, OH_NN_ReturnCode code, void **outputs, int32_t count) {
    job *j = (job *)user;
    (void)outputs;
    (void)count;
    pthread_mutex_lock(&j->mutex);
    j->answer = (int)code;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->mutex);
}

/* priority and id of its tasks; more: another config, or NULL. */
static void job_open(job *j, const board *b, const char *model, const char *priority, const char *id, const char *more,
                     const char *value) {
    const char *configs[] = {"bpu.priority", priority, "bpu.custom_id", id, more, value, NULL};
    rig_open(&j->r, b, model, configs);
    rig_tensors(&j->r, b->npu);
    rig_fill(&j->r, (uint32_t)strtoul(id, NULL, 10));
    MUST(pthread_mutex_init(&j->mutex, NULL) == 0 && pthread_cond_init(&j->changed, NULL) == 0, "no mutex");
    j->answer = NOT_YET;
    MUST_WORK(OH_NNExecutor_SetOnRunDone(j->r.executor, on_done));
}

static void job_start(job *j, int32_t timeout_ms) {
    j->answer = NOT_YET;
    MUST_WORK(OH_NNExecutor_RunAsync(j->r.executor, j->r.inputs, j->r.input_count, j->r.outputs, j->r.output_count,
                                     timeout_ms, j));
}

static OH_NN_ReturnCode job_wait(job *j) {
    pthread_mutex_lock(&j->mutex);
    while (j->answer == NOT_YET) pthread_cond_wait(&j->changed, &j->mutex);
    pthread_mutex_unlock(&j->mutex);
    return (OH_NN_ReturnCode)j->answer;
}

static void job_end(job *j) {
    rig_end(&j->r);
    pthread_cond_destroy(&j->changed);
    pthread_mutex_destroy(&j->mutex);
}

static const char *infer_of(const board *b) { return b->chip[0] == 's' ? "hbDNNInferV2" : "hbDNNInfer"; }

/* Until the library has been asked for count tasks since the last fault; 2 seconds at most. */
static void until_tasks(const board *b, unsigned count) {
    int i;
    for (i = 0; i < 2000 && b->calls(infer_of(b)) < count; i++) (void)usleep(1000);
    MUST(b->calls(infer_of(b)) >= count, "%u tasks, not %u", b->calls(infer_of(b)), count);
    (void)usleep(5000);
}

/* Until a task has begun, as the history tells it; 2 seconds at most. */
static void until_begun(const bpu_controls *controls, const char *mark) {
    char text[600] = "";
    int i;
    for (i = 0; i < 2000 && strstr(text, mark) == NULL; i++) {
        (void)controls->history(text, sizeof(text));
        (void)usleep(1000);
    }
    MUST(strstr(text, mark) != NULL, "no \"%s\" in \"%s\"", mark, text);
}

static void history_is(const bpu_controls *controls, const char *expected) {
    char text[600];
    (void)controls->history(text, sizeof(text));
    MUST(strcmp(text, expected) == 0, "\"%s\", not \"%s\"", text, expected);
}

/* -------------------------------------------------------------------------------------------------- order */

static const char *const one_core[] = {"x5", "s100", NULL};

static void order_lives(board *b, const void *user) {
    job first, low, later, high;
    bpu_controls controls;
    (void)user;
    MUST(bpu_find_controls(b, &controls), "no controls");
    job_open(&first, b, "small", "0", "1", NULL, NULL);
    job_open(&low, b, "small", "10", "3", NULL, NULL);
    job_open(&later, b, "small", "10", "7", NULL, NULL);
    job_open(&high, b, "small", "200", "9", NULL, NULL);
    b->fault("");
    controls.task_time("300000"); /* so long the others have to be asked for, under sanitizers, too */
    job_start(&first, 20000);
    until_tasks(b, 1);
    job_start(&later, 20000);
    until_tasks(b, 2);
    job_start(&low, 20000);
    until_tasks(b, 3);
    job_start(&high, 20000);
    until_tasks(b, 4);
    controls.task_time("0");
    MUST_WORK(job_wait(&first));
    MUST_WORK(job_wait(&low));
    MUST_WORK(job_wait(&later));
    MUST_WORK(job_wait(&high));
    history_is(&controls, "b1 e1 b9 e9 b3 e3 b7 e7 ");
    job_end(&first);
    job_end(&low);
    job_end(&later);
    job_end(&high);
}

Test(bpu_tasks, the_higher_priority_goes_first_and_then_the_smaller_number) { board_each(one_core, order_lives, NULL); }

static void preempting_lives(board *b, const void *user) {
    job low, high;
    bpu_controls controls;
    (void)user;
    MUST(bpu_find_controls(b, &controls), "no controls");
    job_open(&low, b, "calls", "253", "1", NULL, NULL);
    job_open(&high, b, "small", "255", "2", NULL, NULL);
    b->fault("");
    controls.task_time("30000"); /* eight function calls */
    job_start(&low, 20000);
    until_begun(&controls, "b1 ");
    job_start(&high, 20000);
    MUST_WORK(job_wait(&high));
    MUST(low.answer == NOT_YET, "the interrupted run ended first");
    controls.task_time("0");
    MUST_WORK(job_wait(&low));
    history_is(&controls, "b1 b2 e2 e1 ");
    job_end(&low);
    job_end(&high);
}

Test(bpu_tasks, the_highest_priority_interrupts_a_run) { board_each(one_core, preempting_lives, NULL); }

/* --------------------------------------------------------------------------------------------------- places */

/* More executors at once than the library has tasks: none is refused. */
static void crowd_lives(board *b, const void *user) {
    enum {
        CROWD = 40
    };
    static job jobs[CROWD];
    bpu_controls controls;
    char id[16];
    int i;
    (void)user;
    MUST(bpu_find_controls(b, &controls), "no controls");
    for (i = 0; i < CROWD; i++) {
        (void)snprintf(id, sizeof(id), "%d", i + 1);
        job_open(&jobs[i], b, "small", "0", id, NULL, NULL);
    }
    b->fault("");
    controls.task_time("50000");
    for (i = 0; i < CROWD; i++) job_start(&jobs[i], 30000);
    until_tasks(b, 32);
    (void)usleep(10000);
    controls.task_time("0");
    for (i = 0; i < CROWD; i++) MUST_WORK(job_wait(&jobs[i]));
    MUST(b->calls(infer_of(b)) == CROWD, "%u tasks were asked for: some were refused", b->calls(infer_of(b)));
    for (i = 0; i < CROWD; i++) job_end(&jobs[i]);
}

Test(bpu_tasks, more_runs_than_the_library_has_tasks_wait_for_their_turn) {
    static const char *const chips[] = {"x3", "x5", "s100", NULL};
    board_each(chips, crowd_lives, NULL);
}

static bool plug_with_one_task(board *b, const char *chip, const char *version) {
    (void)setenv("HB_UCP_MAX_TASK_NUM", "1", 1);
    return board_plug(b, chip, version);
}

/* One place: the others wait here, by priority, and one whose deadline comes leaves without ever being a task. */
static void one_place_lives(board *b, const void *user) {
    job first, low, high, late;
    bpu_controls controls;
    (void)user;
    MUST(bpu_find_controls(b, &controls), "no controls");
    job_open(&first, b, "small", "0", "1", NULL, NULL);
    job_open(&low, b, "small", "0", "2", NULL, NULL);
    job_open(&high, b, "small", "9", "3", NULL, NULL);
    job_open(&late, b, "small", "99", "4", NULL, NULL);
    b->fault("");
    controls.task_time("1500000");
    job_start(&first, 20000);
    until_tasks(b, 1);
    job_start(&low, 20000);
    (void)usleep(20000);
    job_start(&high, 20000);
    job_start(&late, 50);
    MUST_BE(OH_NN_TIMEOUT, job_wait(&late));
    MUST_WORK(nnrt_executor_wait_late(late.r.executor, 500));
    MUST(first.answer == NOT_YET && b->calls(infer_of(b)) == 1, "%u tasks", b->calls(infer_of(b)));
    controls.task_time("0");
    MUST_WORK(job_wait(&first));
    MUST_WORK(job_wait(&high));
    MUST_WORK(job_wait(&low));
    history_is(&controls, "b1 e1 b3 e3 b2 e2 ");
    job_start(&late, 20000);
    MUST_WORK(job_wait(&late));
    job_end(&first);
    job_end(&low);
    job_end(&high);
    job_end(&late);
}

Test(bpu_tasks, whoever_waits_for_a_place_leaves_at_its_deadline_and_goes_by_priority) {
    static const char *const chips[] = {"s100", "s600", NULL};
    board_on_each(plug_with_one_task, chips, one_place_lives, NULL);
}

/* Tasks that somebody else in the process has count, too: the library refuses, and is asked again. */
static void others_live(board *b, const void *user) {
    char faults[200], function[32];
    size_t used = 0;
    int i;
    rig r;
    (void)user;
    (void)snprintf(function, sizeof(function), "%s", infer_of(b));
    rig_open(&r, b, "small", NULL);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 1);
    for (i = 1; i <= 3; i++)
        used += (size_t)snprintf(faults + used, sizeof(faults) - used, "%s%s@%d=fail:%d", i == 1 ? "" : ",", function,
                                 i, b->chip[0] == 's' ? -200001 : -6000009);
    b->fault(faults);
    MUST_WORK(rig_run(&r));
    MUST(b->calls(function) == 4, "%u calls", b->calls(function));
    rig_end(&r);
}

Test(bpu_tasks, tasks_of_somebody_else_are_waited_for) {
    static const char *const chips[] = {"x3", "s100", NULL};
    board_each(chips, others_live, NULL);
}

/* ------------------------------------------------------------------------------------------------- deadlines */

/* A late run ends for the program, which destroys all that it has; the board would see memory freed in use. */
static void late_lives(board *b, const void *user) {
    static const char *const configs[] = {"bpu.timeout_ms", "300", "bpu.hang_grace_ms", "5000", NULL};
    bpu_controls controls;
    uint8_t right[64];
    size_t size;
    rig r;
    (void)user;
    MUST(bpu_find_controls(b, &controls), "no controls");
    rig_open(&r, b, "small", configs);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 2);
    MUST_WORK(rig_run(&r));
    memcpy(right, bytes_of(r.outputs[0], &size), 40);
    controls.task_time("600000");
    MUST_BE(OH_NN_TIMEOUT, rig_run(&r));
    MUST(strstr(nnrt_last_error(), "passed its deadline") != NULL, "%s", nnrt_last_error());
    MUST_BE(OH_NN_TIMEOUT, nnrt_executor_wait_late(r.executor, 1));
    MUST_WORK(nnrt_executor_wait_late(r.executor, 5000));
    controls.task_time("0");
    MUST_WORK(rig_run(&r));
    MUST(memcmp(right, bytes_of(r.outputs[0], &size), 40) == 0, "another result");
    controls.task_time("600000");
    MUST_BE(OH_NN_TIMEOUT, rig_run(&r)); /* and everything is destroyed while the task runs */
    rig_end(&r);
    (void)usleep(500000);
}

Test(bpu_tasks, a_late_run_keeps_its_memory_until_its_task_is_back) {
    static const char *const chips[] = {"x3", "s100", NULL};
    board_each(chips, late_lives, NULL);
}

/* ------------------------------------------------------------------------------------------------------ load */

#define LOAD_THREADS 6

#ifndef LOAD_RUNS
#define LOAD_RUNS 25
#endif

typedef struct load {
    const board *b;
    pthread_t thread;
    unsigned number, done, late;
} load;

/* Runs with deadlines that some keep and others do not, of tensors of its own; each result is right, or the run is
   late. */
static void *load_runs(void *argument) {
    static const char *const priorities[3] = {"0", "100", "255"};
    load *l = (load *)argument;
    uint8_t right[64];
    char id[16];
    size_t size;
    unsigned i;
    job j;
    (void)snprintf(id, sizeof(id), "%u", l->number);
    job_open(&j, l->b, "small", priorities[l->number % 3], id, l->number % 2 ? "bpu.batch" : "bpu.memory",
             l->number % 2 ? "2" : "cached");
    job_start(&j, 20000);
    MUST_WORK(job_wait(&j));
    memcpy(right, bytes_of(j.r.outputs[0], &size), 40);
    for (i = 0; i < LOAD_RUNS; i++) {
        OH_NN_ReturnCode code;
        memset(bytes_of(j.r.outputs[0], &size), 0xd7, size);
        job_start(&j, i % 3 == 2 ? 1 : 20000);
        code = job_wait(&j);
        l->done += code == OH_NN_SUCCESS;
        l->late += code == OH_NN_TIMEOUT;
        MUST(code == OH_NN_SUCCESS || code == OH_NN_TIMEOUT, "%s", nnrt_strerror(code));
        MUST(code == OH_NN_TIMEOUT || memcmp(right, bytes_of(j.r.outputs[0], &size), 40) == 0, "another result");
        MUST_WORK(nnrt_executor_wait_late(j.r.executor, 10000));
    }
    job_end(&j);
    return NULL;
}

static void load_lives(board *b, const void *user) {
    load loads[LOAD_THREADS];
    bpu_controls controls;
    unsigned i, done = 0, late = 0;
    (void)user;
    MUST(bpu_find_controls(b, &controls), "no controls");
    controls.task_time("300");
    memset(loads, 0, sizeof(loads));
    for (i = 0; i < LOAD_THREADS; i++) {
        loads[i].b = b;
        loads[i].number = i + 1;
        MUST(pthread_create(&loads[i].thread, NULL, load_runs, &loads[i]) == 0, "no thread");
    }
    for (i = 0; i < LOAD_THREADS; i++) {
        MUST(pthread_join(loads[i].thread, NULL) == 0, "no end");
        done += loads[i].done;
        late += loads[i].late;
    }
    MUST(done + late == LOAD_THREADS * LOAD_RUNS && done >= LOAD_THREADS * LOAD_RUNS / 2, "%u done, %u late", done,
         late);
}

Test(bpu_tasks, under_load_every_run_is_right_or_late_and_nothing_is_lost) {
    static const char *const chips[] = {"x3", "x5", "s600", NULL};
    board_each(chips, load_lives, NULL);
}

static bool plug_with_two_tasks(board *b, const char *chip, const char *version) {
    (void)setenv("HB_UCP_MAX_TASK_NUM", "2", 1);
    return board_plug(b, chip, version);
}

Test(bpu_tasks, under_load_two_places_are_enough_for_everybody) {
    static const char *const chips[] = {"s100", NULL};
    board_on_each(plug_with_two_tasks, chips, load_lives, NULL);
}
