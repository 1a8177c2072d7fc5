/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_parts.h - of a model for a processor and an accelerator: what goes where, and why an operator stays.

   The library tells the log which operators an accelerator does not get; what it gets are steps. */
#ifndef NNRT_TOOLS_TOOL_PARTS_H
#define NNRT_TOOLS_TOOL_PARTS_H

#include "tool_text.h"

enum {
    STAY_NAME = 48,
    STAY_REASON = 256
};

/* An operator that stays on the CPU. */
typedef struct stay {
    unsigned operator; /* its number in the model */
    char name[STAY_NAME], reason[STAY_REASON];
} stay;

typedef struct stays {
    stay *list; /* allocated */
    size_t count;
} stays;

static void stays_free(stays *s) {
    free(s->list);
    s->list = NULL;
    s->count = 0;
}

/* Takes a line of the log that says so; false: it says something else. */
static bool take_stay(stays *s, const char *line) {
    static const char middle[] = ") stays on the CPU, not on ";
    const char *open = strchr(line, '('), *close = strstr(line, middle), *reason;
    unsigned number;
    if (sscanf(line, "operator %u (", &number) != 1 || open == NULL || close == NULL || close < open) return false;
    reason = strstr(close, ": ");
    if (reason == NULL) return false;
    s->list = (stay *)reallocate(s->list, (s->count + 1) * sizeof(stay));
    size_t at = s->count++;
    for (; at > 0 && s->list[at - 1].operator> number; at--) s->list[at] = s->list[at - 1]; /* in the model's order */
    stay *made = &s->list[at];
    made->operator= number;
    snprintf(made->name, sizeof(made->name), "%.*s", (int)(close - open - 1), open + 1);
    snprintf(made->reason, sizeof(made->reason), "%s", reason + 2);
    clean(made->name);
    clean(made->reason);
    return true;
}

/* Is it one that an accelerator does? */
static bool is_part(const nnrt_profile_step *step) { return strcmp(step->kernel, "accelerated") == 0; }

/* What goes where; nothing where the model is for a processor alone. */
static void print_parts(const stays *s, const nnrt_profile_step *steps, uint32_t count) {
    unsigned long long all = 0, macs = 0;
    uint32_t parts = 0;
    const char *name = NULL;
    table t = table_begin("rll");
    for (uint32_t i = 0; i < count; i++) {
        all += steps[i].macs;
        if (!is_part(&steps[i])) continue;
        macs += steps[i].macs;
        name = steps[i].isa;
        parts++;
    }
    if (parts > 0)
        printf("\naccelerator\n  %s does %.1f %% of the MACs, in %lu of %lu steps\n", name,
               all > 0 ? 100.0 * (double)macs / (double)all : 0.0, (unsigned long)parts, (unsigned long)count);
    for (size_t i = 0; i < s->count; i++) {
        cell(&t, "%u", s->list[i].operator);
        cell(&t, "%s", s->list[i].name);
        cell(&t, "%s", s->list[i].reason);
    }
    if (s->count > 0) printf("\nstays on the CPU\n");
    table_end(&t);
}

#endif /* NNRT_TOOLS_TOOL_PARTS_H */
