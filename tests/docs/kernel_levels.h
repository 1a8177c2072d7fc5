/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_levels.h - which instruction sets have kernels of their own for which kind of step.

   From NNRT__STEP_KINDS, which says what groups of kernels a kind calls, and NNRT__ISAS, which says what groups a set
   installs, of this machine or not. */
#ifndef NNRT_TESTS_DOCS_KERNEL_LEVELS_H
#define NNRT_TESTS_DOCS_KERNEL_LEVELS_H

#include <stdio.h>
#include <string.h>

#define LEVEL_GROUP(group) #group,
static const char *const level_groups[] = {NNRT__SLOT_GROUPS(LEVEL_GROUP)};
#define LEVEL_SLOTS(token, suffix, name, bit, level, have, sure) NNRT__SLOTS_OF_ISA_##token,
static const unsigned level_slots[] = {NNRT__SLOTS_OF_ISA_SCALAR, NNRT__ISAS(LEVEL_SLOTS)}; /* of nnrt__targets */
#define LEVEL_KIND(name, id, revision, flags, slots) {#name, slots},
static const struct {
    const char *name;
    unsigned groups; /* NNRT__SLOT bits: of level_groups */
} level_kinds[] = {NNRT__STEP_KINDS(LEVEL_KIND)};

/* Bits of the instruction sets with kernels of their own for that kind of step, portable C left out. */
static unsigned levels_of_kind(const char *kind) {
    unsigned i, levels = 0;
    size_t level;
    for (i = 0; i < NNRT__COUNT_OF(level_kinds) && strcmp(level_kinds[i].name, kind) != 0;) i++;
    for (level = 1; i < NNRT__COUNT_OF(level_kinds) && level < NNRT__TARGET_COUNT; level++)
        if ((level_kinds[i].groups & level_slots[level]) != 0) levels |= 1u << level;
    return levels;
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
        printf("| `%s` |", level_groups[g]);
        for (level = 0; level < NNRT__TARGET_COUNT; level++)
            printf(" %s |", (level_slots[level] >> g & 1) != 0 ? "yes" : "");
        printf("\n");
    }
}

#endif /* NNRT_TESTS_DOCS_KERNEL_LEVELS_H */
