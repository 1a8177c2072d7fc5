/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_bench.h - `nnrt bench`: times of runs and of their steps, as text or JSON. */
#ifndef NNRT_TOOLS_COMMAND_BENCH_H
#define NNRT_TOOLS_COMMAND_BENCH_H

#include "command_inspect.h"
#include "tool_steps.h"
#include "tool_trace.h"

#include <pthread.h>
#include <sys/resource.h>

typedef struct bench_result {
    size_t runs;
    double min, median, mean, p50, p90, p95, p99, max, stddev; /* milliseconds */
    double wall_ms;                                            /* of all executors together */
    size_t missed;                                             /* runs that were longer than --deadline */
    nnrt_memory memory;
    bool has_memory;
    long peak_rss_kib;
    const nnrt_profile_step *steps; /* NULL without --profile */
    uint32_t step_count;
} bench_result;

/* The smallest of the sorted times that so many percent of the runs do not exceed. */
static double percentile(const double *times, size_t runs, size_t percent) {
    return times[(runs * percent + 99) / 100 - 1];
}

/* Sorts the times. The standard deviation is that of the runs themselves, not a guess at that of all others. */
static void summarise(double *times, size_t runs, bench_result *r) {
    double sum = 0.0, squares = 0.0;
    qsort(times, runs, sizeof(times[0]), compare_doubles);
    for (size_t i = 0; i < runs; i++) sum += times[i];
    r->runs = runs;
    r->min = times[0];
    r->max = times[runs - 1];
    r->median = median_of(times, runs);
    r->mean = sum / (double)runs;
    for (size_t i = 0; i < runs; i++) squares += (times[i] - r->mean) * (times[i] - r->mean);
    r->stddev = sqrt(squares / (double)runs);
    r->p50 = percentile(times, runs, 50);
    r->p90 = percentile(times, runs, 90);
    r->p95 = percentile(times, runs, 95);
    r->p99 = percentile(times, runs, 99);
}

/* One executor, its runs, and the thread that does them; the first one's is the tool's own. */
typedef struct worker {
    const arguments *a;
    session s;
    trace *t;      /* NULL: nobody wants one */
    double *times; /* of its runs, in milliseconds */
    size_t runs;
    step_times steps; /* of the first executor, with --profile */
    double end_ms;    /* no run begins after it */
    bool watched;     /* the first: it shows progress and notes steps */
    int result;
    pthread_t thread;
} worker;

/* Tensors with the same noise for every executor, and the runs to warm up. */
static int prepare(worker *w) {
    uint64_t random = 20240229u; /* the seed of all inputs */
    session *s = &w->s;
    int result = make_tensors(s);
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) {
        OH_NN_DataType type = OH_NN_UNKNOWN;
        size_t elements = 0, bytes = 0;
        result = tensor_facts(s->inputs[i], &type, &elements, &bytes);
        if (result == TOOL_OK) fill_random(type, OH_NNTensor_GetDataBuffer(s->inputs[i]), elements, &random);
    }
    for (size_t i = 0; i < w->a->warmup && result == TOOL_OK; i++) result = run_once(s);
    /* finds the size of the outputs */
    if (result == TOOL_OK && s->dynamic && w->a->warmup == 0) result = run_once(s);
    w->times = (double *)allocate(w->a->runs * sizeof(double));
    return result;
}

static int note_steps(worker *w) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    const OH_NN_ReturnCode code = nnrt_executor_get_profile(w->s.executor, &steps, &count);
    if (code != OH_NN_SUCCESS) return refused("ask for the profile", code);
    step_times_note(&w->steps, steps, count);
    return TOOL_OK;
}

static void *work(void *argument) {
    worker *w = (worker *)argument;
    const arguments *a = w->a;
    progress watch;
    if (w->watched) progress_begin(&watch, "run", a->seconds == 0 ? a->runs : 0, a->build.model);
    for (bool goes_on = true; goes_on && w->result == TOOL_OK;) {
        const double start = now_ms();
        w->result = run_once(&w->s);
        const double now = now_ms();
        w->times[w->runs] = now - start;
        if (w->t != NULL && w->result == TOOL_OK) w->result = trace_run(w->t, &w->s, start, w->times[w->runs]);
        if (w->watched && a->build.profile && w->result == TOOL_OK) w->result = note_steps(w);
        w->runs++;
        if (w->watched) progress_at(&watch, w->runs);
        goes_on = w->runs < a->runs && now < w->end_ms;
    }
    if (w->watched) progress_end(&watch);
    return NULL;
}

/* All executors at once. */
static int measure(worker *workers, size_t count, bench_result *r) {
    const arguments *a = workers[0].a;
    const double start = now_ms();
    size_t started = 1, runs = 0;
    int result = TOOL_OK;
    for (size_t i = 0; i < count; i++) {
        workers[i].end_ms = a->seconds != 0 ? start + 1e3 * (double)a->seconds : (double)INFINITY;
        workers[i].watched = i == 0;
    }
    for (; started < count && result == TOOL_OK; started += result == TOOL_OK ? 1 : 0)
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            result = complain(TOOL_REFUSED, "no thread for executor %zu", started);
    if (result == TOOL_OK) work(&workers[0]);
    for (size_t i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
    r->wall_ms = now_ms() - start;
    for (size_t i = 0; i < count && result == TOOL_OK; i++) result = workers[i].result;
    if (result != TOOL_OK) return result;
    for (size_t i = 0; i < count; i++) runs += workers[i].runs;
    double *times = (double *)allocate(runs * sizeof(double));
    runs = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(times + runs, workers[i].times, workers[i].runs * sizeof(double));
        runs += workers[i].runs;
        qsort(workers[i].times, workers[i].runs, sizeof(double), compare_doubles);
    }
    for (size_t i = 0; i < runs; i++) r->missed += a->deadline_ms > 0.0 && times[i] > a->deadline_ms ? 1 : 0;
    summarise(times, runs, r);
    free(times);
    return TOOL_OK;
}

/* Figures that are asked for after the runs. */
static int collect(const arguments *a, const session *s, bench_result *r) {
    struct rusage usage;
    OH_NN_ReturnCode code = nnrt_executor_get_memory(s->executor, &r->memory);
    r->has_memory = code == OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS && code != OH_NN_UNSUPPORTED) return refused("ask for memory figures", code);
    if (getrusage(RUSAGE_SELF, &usage) == 0) r->peak_rss_kib = usage.ru_maxrss;
    if (!a->build.profile) return TOOL_OK;
    code = nnrt_executor_get_profile(s->executor, &r->steps, &r->step_count);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("ask for the profile", code);
}

static void print_profile(const bench_result *r, const step_times *times, size_t device) {
    static const char *const titles[] = {"step", "operator", "kernel", "isa",   "output", "shape",
                                         "MACs", "min",      "median", "share", "GMAC/s", "copied"};
    double total = 0.0;
    OH_NN_DeviceType type = OH_NN_OTHERS;
    const bool copies = OH_NNDevice_GetType(device, &type) != OH_NN_SUCCESS || type != OH_NN_CPU;
    table t = table_begin(copies ? "rlllllrrrrrr" : "rlllllrrrrr"); /* a CPU works on the tensors themselves */
    for (uint32_t i = 0; i < r->step_count; i++) total += step_median_us(times, r->steps, i, r->step_count);
    for (size_t i = 0; i < t.columns; i++) cell(&t, "%s", titles[i]);
    for (uint32_t i = 0; i < r->step_count; i++) {
        const nnrt_profile_step *step = &r->steps[i];
        const double median = step_median_us(times, r->steps, i, r->step_count);
        char text[SHAPE_TEXT];
        cell(&t, "%lu", (unsigned long)i);
        cell(&t, "%s", step_operator(step));
        cell(&t, "%s", step->kernel);
        cell(&t, "%s", step->isa);
        cell(&t, "%s", type_name(step->dtype));
        cell(&t, "%s", step_shape(text, step));
        cell(&t, "%llu", (unsigned long long)step->macs);
        cell(&t, "%.1f us", step_least_us(times, r->steps, i, r->step_count));
        cell(&t, "%.1f us", median);
        cell(&t, "%.1f %%", total > 0.0 ? 100.0 * median / total : 0.0);
        if (step->macs > 0 && median > 0.0) cell(&t, "%.2f", (double)step->macs / median / 1e3);
        else cell(&t, "-");
        if (copies) cell(&t, "%llu B", (unsigned long long)step->copied_bytes);
    }
    printf("\nsteps (of the runs without those to warm up)\n");
    table_end(&t);
}

static void print_bench(const arguments *a, const worker *first, size_t count, const bench_result *r) {
    static const char *const names[] = {"load",     "run, min", "run, median", "run, mean", "run, stddev",
                                        "run, p90", "run, p95", "run, p99",    "run, max"};
    const session *s = &first->s;
    const double times[] = {s->load_ms, r->min, r->median, r->mean, r->stddev, r->p90, r->p95, r->p99, r->max};
    table t = table_begin("lrl");
    print_identity(a, s);
    printf("\n");
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        cell(&t, "%s", names[i]);
        cell(&t, "%.4f ms", times[i]);
        if (i == 0) cell(&t, "from the file to the ready executor");
        else if (i == 1) cell(&t, "%zu runs after %zu to warm up", r->runs, a->warmup * count);
        else cell(&t, "%s", "");
    }
    if (count > 1) {
        cell(&t, "executors");
        cell(&t, "%zu", count);
        cell(&t, "at once, a thread each; the times are of all of them");
    }
    cell(&t, "together");
    cell(&t, "%.1f /s", 1e3 * (double)r->runs / r->wall_ms);
    cell(&t, "runs a second");
    if (a->deadline_ms > 0.0) {
        cell(&t, "missed");
        cell(&t, "%zu", r->missed);
        cell(&t, "runs longer than the %g ms of --deadline", a->deadline_ms);
    }
    if (r->has_memory) {
        cell(&t, "arena");
        cell(&t, "%zu B", r->memory.arena_bytes);
        cell(&t, "activations and scratch of one executor");
        cell(&t, "weights");
        cell(&t, "%zu B", r->memory.weights_bytes);
        cell(&t, "constants in the plan");
        if (r->memory.device_bytes > 0) {
            cell(&t, "device");
            cell(&t, "%zu B", r->memory.device_bytes);
            cell(&t, "memory of the accelerator");
        }
    }
    cell(&t, "peak RSS");
    cell(&t, "%ld KiB", r->peak_rss_kib);
    cell(&t, "whole process, this tool included");
    table_end(&t);
    if (r->steps != NULL) print_profile(r, &first->steps, s->device);
}

static int bench_json(const arguments *a, const worker *workers, size_t count, session *s, const bench_result *r) {
    json j;
    json_begin(&j, "bench");
    json_identity(&j, a, s);
    json_unsigned(&j, "runs", r->runs);
    json_unsigned(&j, "warmup", a->warmup);
    json_time(&j, "load_ms", s->load_ms, 6);
    json_open(&j, "run_ms", '{');
    json_time(&j, "min", r->min, 6);
    json_time(&j, "median", r->median, 6);
    json_time(&j, "mean", r->mean, 6);
    json_time(&j, "stddev", r->stddev, 6);
    json_time(&j, "p50", r->p50, 6);
    json_time(&j, "p90", r->p90, 6);
    json_time(&j, "p95", r->p95, 6);
    json_time(&j, "p99", r->p99, 6);
    json_time(&j, "max", r->max, 6);
    json_close(&j, '}');
    json_open(&j, "executors", '[');
    for (size_t i = 0; i < count; i++) {
        const double *times = workers[i].times;
        json_open(&j, NULL, '{');
        json_unsigned(&j, "runs", workers[i].runs);
        json_time(&j, "p50", percentile(times, workers[i].runs, 50), 6);
        json_time(&j, "p99", percentile(times, workers[i].runs, 99), 6);
        json_time(&j, "max", times[workers[i].runs - 1], 6);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_number(&j, "runs_per_second", 1e3 * (double)r->runs / r->wall_ms);
    if (a->deadline_ms > 0.0) {
        json_open(&j, "deadline", '{');
        json_number(&j, "ms", a->deadline_ms);
        json_unsigned(&j, "missed", r->missed);
        json_close(&j, '}');
    } else {
        json_null(&j, "deadline");
    }
    json_unsigned(&j, "peak_rss_bytes", (unsigned long long)r->peak_rss_kib * 1024);
    return json_end(&j, json_session(&j, s, &workers[0].steps));
}

/* Opens all executors and warms them up, one after another. */
static int open_workers(const arguments *a, worker *workers, size_t count) {
    const double origin = now_ms();
    int result = session_open(&workers[0].s, &a->build);
    for (size_t i = 1; i < count && result == TOOL_OK; i++)
        result = session_another(&workers[0].s, &a->build, &workers[i].s);
    for (size_t i = 0; i < count && result == TOOL_OK; i++) {
        workers[i].a = a;
        if (a->trace != NULL) {
            workers[i].t = (trace *)allocate(sizeof(trace));
            memset(workers[i].t, 0, sizeof(trace));
            workers[i].t->origin_ms = origin;
            workers[i].t->deadline_ms = a->deadline_ms;
        }
        result = prepare(&workers[i]);
    }
    return result;
}

static int write_trace(const arguments *a, const worker *workers, size_t count) {
    json j;
    trace_open(&j, a, &workers[0].s);
    for (size_t i = 0; i < count; i++) trace_executor(&j, i, workers[i].t, &workers[i].s);
    return trace_close(&j, a);
}

static int command_bench(const arguments *a) {
    const size_t count = a->build.executors > 1 ? a->build.executors : 1;
    worker *workers = (worker *)allocate(count * sizeof(*workers));
    bench_result r;
    memset(workers, 0, count * sizeof(*workers));
    memset(&r, 0, sizeof(r));
    int result = open_workers(a, workers, count);
    if (result == TOOL_OK) result = measure(workers, count, &r);
    if (result == TOOL_OK) result = collect(a, &workers[0].s, &r);
    step_times_end(&workers[0].steps);
    if (result == TOOL_OK && a->trace != NULL) result = write_trace(a, workers, count);
    if (result == TOOL_OK && a->json) result = bench_json(a, workers, count, &workers[0].s, &r);
    else if (result == TOOL_OK && (a->trace == NULL || !is_standard(a->trace))) print_bench(a, &workers[0], count, &r);
    for (size_t i = 0; i < count; i++) {
        trace_free(workers[i].t);
        free(workers[i].times);
        step_times_free(&workers[i].steps);
        session_close(&workers[i].s);
    }
    free(workers);
    return result;
}

#endif /* NNRT_TOOLS_COMMAND_BENCH_H */
