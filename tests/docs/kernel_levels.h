/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_levels.h - which instruction sets have kernels of their own for which kind of step, read from two headers.

   kernels/wanted.h says which groups of kernels a kind of step calls, nnrt_cpu_kernels.h which groups an instruction
   set installs. Both are read as text, because the tables of this machine know its own instruction sets only. */
#ifndef NNRT_TESTS_DOCS_KERNEL_LEVELS_H
#define NNRT_TESTS_DOCS_KERNEL_LEVELS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVEL_GROUPS = 32,
    LEVEL_KINDS = 160
};

static struct {
    char name[32];
    unsigned levels; /* bits of nnrt__targets that install it */
} level_groups[LEVEL_GROUPS];
static struct {
    char name[40];
    unsigned groups; /* bits of level_groups */
} level_kinds[LEVEL_KINDS];
static unsigned level_group_count, level_kind_count;

/* The number of a group, which is added when it is new. */
static unsigned level_group(const char *name, size_t length) {
    unsigned i;
    for (i = 0; i < level_group_count; i++)
        if (strlen(level_groups[i].name) == length && memcmp(level_groups[i].name, name, length) == 0) return i;
    if (i == LEVEL_GROUPS || length >= sizeof level_groups[0].name) exit(1);
    memcpy(level_groups[i].name, name, length);
    level_group_count++;
    return i;
}

/* "gemm_s8, sse41, SSE41" of an installation: a dash of a level's name is an underscore there. */
static void read_install(const char *text) {
    const size_t group = strcspn(text, ","), length = strcspn(text + group + 2, ",");
    const char *level = text + group + 2;
    size_t i, k;
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        const char *name = nnrt__targets[i].name;
        for (k = 0; k < length && (name[k] == level[k] || (name[k] == '-' && level[k] == '_'));) k++;
        if (k == length && name[k] == '\0') level_groups[level_group(text, group)].levels |= 1u << i;
    }
}

/* "NAME NNRT__SLOT_a | NNRT__SLOT_b" or "NAME 0" of a kind. */
static void read_kind(const char *text) {
    const size_t length = strcspn(text, " ");
    if (level_kind_count == LEVEL_KINDS || length >= sizeof level_kinds[0].name) exit(1);
    memcpy(level_kinds[level_kind_count].name, text, length);
    while ((text = strstr(text, "NNRT__SLOT_")) != NULL) {
        text += strlen("NNRT__SLOT_");
        level_kinds[level_kind_count].groups |= 1u << level_group(text, strcspn(text, " )\n"));
    }
    level_kind_count++;
}

static bool read_lines(const char *path, const char *mark, void (*read)(const char *text)) {
    char line[512];
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    while (fgets(line, sizeof line, file) != NULL) {
        const char *found = strstr(line, mark);
        if (found != NULL && strstr(line, "##") == NULL) read(found + strlen(mark));
    }
    return fclose(file) == 0;
}

static bool read_levels(void) {
    return read_lines("nnrt_cpu_kernels.h", "NNRT__INSTALL(t, ", read_install) &&
           read_lines("kernels/wanted.h", "#define NNRT__SLOTS_OF_", read_kind);
}

/* Bits of the instruction sets with kernels of their own for that kind of step, portable C left out. */
static unsigned levels_of_kind(const char *kind) {
    unsigned i, g, levels = 0;
    for (i = 0; i < level_kind_count && strcmp(level_kinds[i].name, kind) != 0;) i++;
    for (g = 0; i < level_kind_count && g < level_group_count; g++)
        if ((level_kinds[i].groups >> g & 1) != 0) levels |= level_groups[g].levels;
    return levels & ~1u;
}

/* Of levels, whose kernel runs at one: the highest up to it of which it has all bits, in the end portable C. */
static const char *best_level(unsigned levels, size_t level) {
    size_t i;
    for (i = level; i > 0; i--)
        if ((levels >> i & 1) != 0 && (nnrt__targets[i].isa & ~nnrt__targets[level].isa) == 0) break;
    return nnrt__targets[i].name;
}

static void print_levels(unsigned levels) {
    const char *before = " ";
    size_t i;
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        if ((levels >> i & 1) == 0) continue;
        printf("%s%s", before, nnrt__targets[i].name);
        before = ", ";
    }
    printf(" |");
}

static void print_level_table(void) {
    size_t level;
    unsigned g;
    printf("| kernels |");
    for (level = 0; level < NNRT__TARGET_COUNT; level++) printf(" %s |", nnrt__targets[level].name);
    printf("\n|---|");
    for (level = 0; level < NNRT__TARGET_COUNT; level++) printf("---|");
    printf("\n");
    for (g = 0; g < level_group_count; g++) {
        printf("| `%s` |", level_groups[g].name);
        for (level = 0; level < NNRT__TARGET_COUNT; level++)
            printf(" %s |", (level_groups[g].levels >> level & 1) != 0 ? "yes" : "");
        printf("\n");
    }
}

#endif /* NNRT_TESTS_DOCS_KERNEL_LEVELS_H */
