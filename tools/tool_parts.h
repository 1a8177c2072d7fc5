/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_parts.h - of a model for a processor and an accelerator: what goes where, what a part costs, and why an
   operator stays.

   The library tells the log where an operator goes while a model is compiled; what a part costs is a fact of its step,
   of a plan, too. */
#ifndef NNRT_TOOLS_TOOL_PARTS_H
#define NNRT_TOOLS_TOOL_PARTS_H

#include "tool_text.h"

enum {
    PLACE_NAME = 48,
    PLACE_REASON = 256
};

/* Where an operator goes. */
typedef struct placing {
    unsigned number; /* its number in the model */
    char name[PLACE_NAME];
    char reason[PLACE_REASON]; /* why it stays on the CPU; "": the accelerator does it */
    unsigned tasks, tiles;     /* of the accelerator, and what follows */
    unsigned long long macs, read, written;
} placing;

typedef struct placings {
    placing *list; /* allocated; in the model's order */
    size_t count;
} placings;

static void placings_free(placings *p) {
    free(p->list);
    p->list = NULL;
    p->count = 0;
}

/* Room for one more, in its place; an operator that became several of the accelerator's is one. */
static placing *add_place(placings *p, unsigned number, bool stays) {
    size_t at = p->count;
    for (; at > 0 && p->list[at - 1].number >= number; at--)
        if (!stays && p->list[at - 1].number == number && p->list[at - 1].reason[0] == '\0') return &p->list[at - 1];
    p->list = (placing *)reallocate(p->list, (p->count + 1) * sizeof(placing));
    for (at = p->count++; at > 0 && p->list[at - 1].number > number; at--) p->list[at] = p->list[at - 1];
    memset(&p->list[at], 0, sizeof(p->list[at]));
    p->list[at].number = number;
    return &p->list[at];
}

/* Takes a line of the log that says where an operator goes; false: it says something else. */
static bool take_place(placings *p, const char *line) {
    static const char stays[] = ") stays on the CPU, not on ", done[] = ") is done by ";
    const char *open = strchr(line, '('), *close = strstr(line, stays), *said;
    unsigned number, tasks = 0, tiles = 0;
    unsigned long long macs = 0, read = 0, written = 0;
    const bool is_stay = close != NULL;
    if (!is_stay) close = strstr(line, done);
    if (sscanf(line, "operator %u (", &number) != 1 || open == NULL || close == NULL || close < open) return false;
    said = strstr(close, ": ");
    if (said == NULL) return false;
    if (!is_stay && sscanf(said, ": tasks %u, tiles %u, MACs %llu, bytes read %llu, written %llu", &tasks, &tiles,
                           &macs, &read, &written) != 5)
        return false;
    placing *made = add_place(p, number, is_stay);
    snprintf(made->name, sizeof(made->name), "%.*s", (int)(close - open - 1), open + 1);
    if (is_stay) snprintf(made->reason, sizeof(made->reason), "%s", said + 2);
    made->tasks += tasks;
    made->tiles += tiles;
    made->macs += macs;
    made->read += read;
    made->written += written;
    clean(made->name);
    clean(made->reason);
    return true;
}

/* Is it one that an accelerator does? */
static bool is_part(const nnrt_profile_step *step) { return strcmp(step->kernel, "accelerated") == 0; }

/* What a run of a part costs. */
typedef struct part_cost {
    unsigned tasks, tiles;
    unsigned long long read, written, loaded, memory, estimated_us;
} part_cost;

/* Of step number i, which is a part; false: the accelerator does not tell it. */
static bool ask_part(const OH_NNExecutor *executor, uint32_t i, part_cost *cost) {
    char name[48], text[256];
    snprintf(name, sizeof(name), "accelerator.part.%lu", (unsigned long)i);
    return nnrt_executor_get_info(executor, name, text, sizeof(text)) == OH_NN_SUCCESS &&
           sscanf(text, "tasks=%u tiles=%u read=%llu written=%llu loaded=%llu memory=%llu estimated_us=%llu",
                  &cost->tasks, &cost->tiles, &cost->read, &cost->written, &cost->loaded, &cost->memory,
                  &cost->estimated_us) == 7;
}

static void print_heads(table *t, const char *const *heads) {
    for (; *heads != NULL; heads++) cell(t, "%s", *heads);
}

static void print_part_costs(const OH_NNExecutor *executor, const nnrt_profile_step *steps, uint32_t count) {
    static const char *const heads[] = {"step",    "tasks",  "tiles",  "MACs",      "read",
                                        "written", "loaded", "memory", "estimated", NULL};
    table t = table_begin("rrrrrrrrr");
    part_cost cost;
    bool told = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_part(&steps[i]) || !ask_part(executor, i, &cost)) continue;
        if (!told) print_heads(&t, heads);
        told = true;
        cell(&t, "%lu", (unsigned long)i);
        cell(&t, "%u", cost.tasks);
        cell(&t, "%u", cost.tiles);
        cell(&t, "%llu", (unsigned long long)steps[i].macs);
        cell(&t, "%llu B", cost.read);
        cell(&t, "%llu B", cost.written);
        cell(&t, "%llu B", cost.loaded);
        cell(&t, "%llu B", cost.memory);
        cell(&t, "%.3f ms", (double)cost.estimated_us / 1e3);
    }
    table_end(&t);
    if (told) printf("  the times are made of assumed prices: no silicon has been timed\n");
}

static void print_places(const placings *p) {
    static const char *const heads[] = {"operator", "", "tasks", "tiles", "MACs", "read", "written", NULL};
    table done = table_begin("rlrrrrr"), stay = table_begin("rll");
    for (size_t i = 0; i < p->count; i++) {
        const placing *one = &p->list[i];
        table *t = one->reason[0] != '\0' ? &stay : &done;
        if (t == &done && done.count == 0) print_heads(&done, heads);
        cell(t, "%u", one->number);
        cell(t, "%s", one->name);
        if (t == &stay) cell(t, "%s", one->reason);
        else {
            cell(t, "%u", one->tasks);
            cell(t, "%u", one->tiles);
            cell(t, "%llu", one->macs);
            cell(t, "%llu B", one->read);
            cell(t, "%llu B", one->written);
        }
    }
    if (done.count > 0) printf("\ndone by the accelerator\n");
    table_end(&done);
    if (stay.count > 0) printf("\nstays on the CPU\n");
    table_end(&stay);
}

/* What goes where; nothing where the model is for a processor alone. */
static void print_parts(const placings *p, const OH_NNExecutor *executor, const nnrt_profile_step *steps,
                        uint32_t count) {
    unsigned long long all = 0, macs = 0;
    uint32_t parts = 0;
    const char *name = NULL;
    for (uint32_t i = 0; i < count; i++) {
        all += steps[i].macs;
        if (!is_part(&steps[i])) continue;
        macs += steps[i].macs;
        name = steps[i].isa;
        parts++;
    }
    if (parts > 0) {
        printf("\naccelerator\n  %s does %.1f %% of the MACs, in %lu of %lu steps\n", name,
               all > 0 ? 100.0 * (double)macs / (double)all : 0.0, (unsigned long)parts, (unsigned long)count);
        print_part_costs(executor, steps, count);
    }
    print_places(p);
}

#endif /* NNRT_TOOLS_TOOL_PARTS_H */
