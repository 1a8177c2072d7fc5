/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_levels.h - which instruction sets have kernels of their own for which kind of step.

   cpu/kind_list.h says which groups of kernels a kind of step calls, nnrt_cpu_kernels.h which groups an instruction
   set installs: that is read as text, because the tables of this machine know its own instruction sets only. */
#ifndef NNRT_TESTS_DOCS_KERNEL_LEVELS_H
#define NNRT_TESTS_DOCS_KERNEL_LEVELS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL_GROUP(group) {#group, 0},
static struct {
    const char *name;
    unsigned levels; /* bits of nnrt__targets that install it */
} level_groups[] = {NNRT__SLOT_GROUPS(LEVEL_GROUP)};
#define LEVEL_KIND(name, id, revision, flags, slots) {#name, slots},
static const struct {
    const char *name;
    unsigned groups; /* bits of level_groups */
} level_kinds[] = {NNRT__STEP_KINDS(LEVEL_KIND)};

/* "gemm_s8, sse41, SSE41" of an installation: a dash of a level's name is an underscore there. */
static void read_install(const char *text) {
    const size_t length = strcspn(text, ","), level_length = strcspn(text + length + 2, ",");
    const char *level = text + length + 2;
    size_t i, k, group = 0;
    while (strlen(level_groups[group].name) != length || memcmp(level_groups[group].name, text, length) != 0)
        if (++group == NNRT__SLOT_GROUP_COUNT) exit(1);
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        const char *name = nnrt__targets[i].name;
        for (k = 0; k < level_length && (name[k] == level[k] || (name[k] == '-' && level[k] == '_'));) k++;
        if (k == level_length && name[k] == '\0') level_groups[group].levels |= 1u << i;
    }
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

static bool read_levels(void) { return read_lines("nnrt_cpu_kernels.h", "NNRT__INSTALL(t, ", read_install); }

/* Bits of the instruction sets with kernels of their own for that kind of step, portable C left out. */
static unsigned levels_of_kind(const char *kind) {
    unsigned i, g, levels = 0;
    for (i = 0; i < NNRT__COUNT_OF(level_kinds) && strcmp(level_kinds[i].name, kind) != 0;) i++;
    for (g = 0; i < NNRT__COUNT_OF(level_kinds) && g < NNRT__SLOT_GROUP_COUNT; g++)
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
    for (g = 0; g < NNRT__SLOT_GROUP_COUNT; g++) {
        printf("| `%s` |", level_groups[g].name);
        for (level = 0; level < NNRT__TARGET_COUNT; level++)
            printf(" %s |", (level_groups[g].levels >> level & 1) != 0 ? "yes" : "");
        printf("\n");
    }
}

#endif /* NNRT_TESTS_DOCS_KERNEL_LEVELS_H */
