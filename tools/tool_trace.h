/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_trace.h - runs and their steps as trace events, which chrome://tracing and ui.perfetto.dev show.

   The library tells how long each step of a run took, not when it began: steps stand one behind another from the start
   of their run, and what the run took besides them, as handing over and waiting, stands behind them. */
#ifndef NNRT_TOOLS_TOOL_TRACE_H
#define NNRT_TOOLS_TOOL_TRACE_H

#include "json_model.h"

enum {
    TRACE_RUNS = 1000 /* the first ones; a browser has enough of them */
};

/* One run, in microseconds from the beginning of the command. */
typedef struct traced_run {
    double start, duration;
    double *steps; /* how long each took */
} traced_run;

typedef struct trace {
    double origin_ms;
    double deadline_ms; /* 0: none */
    size_t run_count;
    uint32_t step_count;
    traced_run runs[TRACE_RUNS];
} trace;

static void trace_free(trace *t) {
    for (size_t i = 0; t != NULL && i < t->run_count; i++) free(t->runs[i].steps);
    free(t);
}

/* Notes the run that has just ended. */
static int trace_run(trace *t, const session *s, double start_ms, double duration_ms) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    if (t->run_count == TRACE_RUNS) return TOOL_OK;
    const OH_NN_ReturnCode code = nnrt_executor_get_profile(s->executor, &steps, &count);
    if (code != OH_NN_SUCCESS && code != OH_NN_UNSUPPORTED) return refused("ask for the profile", code);
    if (code != OH_NN_SUCCESS) count = 0;
    traced_run *run = &t->runs[t->run_count++];
    run->start = (start_ms - t->origin_ms) * 1e3;
    run->duration = duration_ms * 1e3;
    run->steps = (double *)allocate((count + 1) * sizeof(double));
    for (uint32_t i = 0; i < count; i++) run->steps[i] = (double)steps[i].last_ns / 1e3;
    t->step_count = count;
    return TOOL_OK;
}

/* A complete event of an executor up to its arguments. */
static void trace_begin(json *j, size_t executor, const char *name, const char *category, double start,
                        double duration) {
    json_open(j, NULL, '{');
    json_string(j, "name", name);
    json_string(j, "cat", category);
    json_string(j, "ph", "X");
    json_unsigned(j, "pid", 1);
    json_unsigned(j, "tid", executor + 1);
    json_time(j, "ts", start, 3);
    json_time(j, "dur", duration, 3);
    json_open(j, "args", '{');
}

static void trace_end(json *j) {
    json_close(j, '}');
    json_close(j, '}');
}

/* What the time of a step goes into. */
static const char *trace_category(const nnrt_profile_step *step) {
    if (strcmp(step->isa, "npu") == 0 || strcmp(step->isa, "NPU") == 0) return "npu";
    return step->copied_bytes > 0 ? "copy" : "cpu";
}

/* Steps of one run. Layers of an accelerator (isa "NPU") are parts of the step before them. */
static void trace_steps(json *j, size_t executor, const traced_run *run, const nnrt_profile_step *steps,
                        uint32_t count) {
    const double end = run->start + run->duration;
    double at = run->start, inside = at;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_part = strcmp(steps[i].isa, "NPU") == 0;
        double *from = is_part ? &inside : &at;
        const double last = is_part ? at : end;
        const double begin = *from < last ? *from : last;
        const double duration = run->steps[i] < last - begin ? run->steps[i] : last - begin;
        trace_begin(j, executor, steps[i].op != 0 ? operator_name(steps[i].op) : steps[i].name,
                    trace_category(&steps[i]), begin, duration);
        json_unsigned(j, "step", i);
        json_string(j, "output", steps[i].name);
        json_string(j, "kernel", steps[i].kernel);
        json_string(j, "isa", steps[i].isa);
        json_unsigned(j, "macs", steps[i].macs);
        json_unsigned(j, "copied_bytes", steps[i].copied_bytes);
        trace_end(j);
        if (!is_part) inside = begin;
        *from = begin + duration;
    }
    if (at >= end) return;
    trace_begin(j, executor, "besides its steps", "wait", at, end - at);
    trace_end(j);
}

/* A moment in a run: its deadline, when it passed before the run had ended. */
static void trace_deadline(json *j, size_t executor, const traced_run *run, double deadline_ms) {
    if (deadline_ms <= 0.0 || run->duration <= deadline_ms * 1e3) return;
    json_open(j, NULL, '{');
    json_string(j, "name", "deadline missed");
    json_string(j, "cat", "deadline");
    json_string(j, "ph", "i");
    json_string(j, "s", "t");
    json_unsigned(j, "pid", 1);
    json_unsigned(j, "tid", executor + 1);
    json_time(j, "ts", run->start + deadline_ms * 1e3, 3);
    json_close(j, '}');
}

static void trace_name(json *j, size_t executor, const char *what, const char *name) {
    json_open(j, NULL, '{');
    json_string(j, "name", what);
    json_string(j, "ph", "M");
    json_unsigned(j, "pid", 1);
    json_unsigned(j, "tid", executor + 1);
    json_open(j, "args", '{');
    json_string(j, "name", name);
    json_close(j, '}');
    json_close(j, '}');
}

/* Runs and steps of one executor. */
static void trace_executor(json *j, size_t executor, const trace *t, const session *s) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    char name[160];
    if (nnrt_executor_get_profile(s->executor, &steps, &count) != OH_NN_SUCCESS) count = 0;
    if (count > t->step_count) count = t->step_count;
    snprintf(name, sizeof(name), executor == 0 ? "%.128s" : "%.128s, executor %zu", s->device_name, executor);
    trace_name(j, executor, "thread_name", name);
    for (size_t i = 0; i < t->run_count; i++) {
        trace_begin(j, executor, "run", "run", t->runs[i].start, t->runs[i].duration);
        json_unsigned(j, "run", i);
        trace_end(j);
        trace_steps(j, executor, &t->runs[i], steps, count);
        trace_deadline(j, executor, &t->runs[i], t->deadline_ms);
    }
}

/* Everything in front of the first executor. */
static void trace_open(json *j, const arguments *a, const session *s) {
    memset(j, 0, sizeof(*j));
    json_open(j, NULL, '{');
    json_string(j, "displayTimeUnit", "ns");
    json_open(j, "traceEvents", '[');
    trace_name(j, 0, "process_name", a->build.model);
    trace_begin(j, 0, "load", "load", 0.0, s->load_ms * 1e3);
    trace_end(j);
}

/* Everything behind the last one; writes it to the file of --trace. */
static int trace_close(json *j, const arguments *a) {
    output_file file;
    json_close(j, ']');
    json_close(j, '}');
    json_raw(j, "\n");
    int result = output_write(&file, a->trace, j->text, j->used);
    if (result == TOOL_OK) result = output_commit(&file);
    json_free(j);
    return result;
}

#endif /* NNRT_TOOLS_TOOL_TRACE_H */
