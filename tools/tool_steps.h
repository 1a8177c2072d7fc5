/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_steps.h - how long each step takes: the median and the least over timed runs, those to warm up left out.

   The library adds up all runs of an executor, and the first ones, with cold caches and pages that are not there yet,
   are no part of what is asked for. So the tool looks at the last run of each step after every run that counts. Of very
   many runs it keeps some at even distances: memory does not grow with --runs. */
#ifndef NNRT_TOOLS_TOOL_STEPS_H
#define NNRT_TOOLS_TOOL_STEPS_H

#include "tool_model.h"

enum {
    STEP_SAMPLES = 1024 /* of each step, at most; even */
};

typedef struct step_times {
    uint32_t step_count;
    size_t runs;         /* noted or passed over */
    size_t every;        /* one run of so many is noted */
    size_t sample_count; /* of each step */
    double *samples;     /* [step_count][STEP_SAMPLES] microseconds; NULL: no run was noted */
    double *min_us;      /* [step_count], of all runs */
} step_times;

static void step_times_free(step_times *t) {
    free(t->samples);
    free(t->min_us);
    memset(t, 0, sizeof(*t));
}

/* Every other sample goes. */
static void step_times_thin(step_times *t) {
    for (uint32_t i = 0; i < t->step_count; i++) {
        double *samples = t->samples + (size_t)i * STEP_SAMPLES;
        for (size_t k = 0; k < STEP_SAMPLES / 2; k++) samples[k] = samples[2 * k];
    }
    t->sample_count = STEP_SAMPLES / 2;
    t->every *= 2;
}

/* Notes the run that has just ended. Where a device has other steps than before, as parts of an NPU's work that its
   runtime tells, it begins anew. */
static void step_times_note(step_times *t, const nnrt_profile_step *steps, uint32_t count) {
    if (count == 0) return;
    if (t->samples == NULL || t->step_count != count) {
        step_times_free(t);
        t->step_count = count;
        t->every = 1;
        t->samples = (double *)allocate((size_t)count * STEP_SAMPLES * sizeof(double));
        t->min_us = (double *)allocate((size_t)count * sizeof(double));
    }
    const bool noted = t->runs % t->every == 0;
    for (uint32_t i = 0; i < count; i++) {
        const double us = (double)steps[i].last_ns / 1e3;
        if (t->runs == 0 || us < t->min_us[i]) t->min_us[i] = us;
        if (noted) t->samples[(size_t)i * STEP_SAMPLES + t->sample_count] = us;
    }
    t->runs++;
    if (noted && ++t->sample_count == STEP_SAMPLES) step_times_thin(t);
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

/* Of sorted times. */
static double median_of(const double *times, size_t count) { return (times[(count - 1) / 2] + times[count / 2]) / 2.0; }

/* The runs are over: step_median_us may be asked. */
static void step_times_end(step_times *t) {
    for (uint32_t i = 0; i < t->step_count; i++)
        qsort(t->samples + (size_t)i * STEP_SAMPLES, t->sample_count, sizeof(double), compare_doubles);
}

/* Does t know the steps of a list of so many? NULL, or no run noted: no. */
static bool step_times_fit(const step_times *t, uint32_t count) {
    return t != NULL && t->samples != NULL && t->step_count == count;
}

/* Of step i of a list of count, in microseconds: of the last run, where no others were noted; 0: it was not timed. */
static double step_median_us(const step_times *t, const nnrt_profile_step *steps, uint32_t i, uint32_t count) {
    if (steps[i].runs == 0) return 0.0;
    if (step_times_fit(t, count)) return median_of(t->samples + (size_t)i * STEP_SAMPLES, t->sample_count);
    return (double)steps[i].last_ns / 1e3;
}

static double step_least_us(const step_times *t, const nnrt_profile_step *steps, uint32_t i, uint32_t count) {
    return step_times_fit(t, count) ? t->min_us[i] : (double)steps[i].min_ns / 1e3;
}

#endif /* NNRT_TOOLS_TOOL_STEPS_H */
