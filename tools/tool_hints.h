/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_hints.h - what somebody may have meant: words that are near to a name, and processors that have a target
   for plans. */
#ifndef NNRT_TOOLS_TOOL_HINTS_H
#define NNRT_TOOLS_TOOL_HINTS_H

#include "tool_text.h"

enum {
    HINT_LETTERS = 32 /* longer words are near to nothing */
};

/* How many letters have to be changed, left out, added or swapped with the next one to make b of a; HINT_LETTERS where
   one of them is too long. */
static size_t letters_between(const char *a, size_t a_length, const char *b) {
    size_t rows[3][HINT_LETTERS + 1], i, k;
    const size_t b_length = strlen(b);
    if (a_length >= HINT_LETTERS || b_length >= HINT_LETTERS) return HINT_LETTERS;
    for (k = 0; k <= b_length; k++) rows[0][k] = k;
    for (i = 1; i <= a_length; i++) {
        size_t *now = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        now[0] = i;
        for (k = 1; k <= b_length; k++) {
            now[k] = before[k - 1] + (a[i - 1] != b[k - 1]);
            if (before[k] + 1 < now[k]) now[k] = before[k] + 1;
            if (now[k - 1] + 1 < now[k]) now[k] = now[k - 1] + 1;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] && two_before[k - 2] + 1 < now[k])
                now[k] = two_before[k - 2] + 1;
        }
    }
    return rows[a_length % 3][b_length];
}

/* Whether somebody who typed these letters may have meant the name: at most a third of it is different. */
static bool is_near(const char *text, size_t length, const char *name) {
    return 3 * letters_between(text, length, name) <= strlen(name);
}

/* A target of `nnrt compile`, and what it is for. */
typedef struct plan_target {
    const char *name, *runs_on;
} plan_target;

static const plan_target plan_targets[] = {
    {"scalar", "every processor, in portable C: Cortex-M0, M0+, M3, RISC-V without vectors"},
    {"cortex-m4", "processors with the DSP extension: Cortex-M4, M7, M33, M35P"},
    {"cortex-m55", "processors with Helium: Cortex-M52, M55, M85"},
    {"neon", "Cortex-A with NEON, of 32 and 64 bits: A7, A9, A35, A53, A72"},
    {"armv8-dot", "64 bits with dot products: Cortex-A55, A75, A76, A78, Neoverse N1"},
    {"armv8-i8mm", "64 bits with int8 matrix products: Cortex-A510, A710, X2, Neoverse V1, N2"},
    {"sse41", "x86-64 with SSE4.1"},
    {"avx2", "x86-64 with AVX2 and FMA"},
    {"avxvnni", "x86-64 with AVX-VNNI"},
    {"avx512vnni", "x86-64 with AVX-512 VNNI"},
    {"rvv", "RISC-V of 64 bits with the vector extension 1.0: SpacemiT X60, SiFive X280"},
#ifdef NNRT__HAS_ACCELERATOR
    {"rv1106", "RV1103 and RV1106: Cortex-A7 and NPU, without the vendor's library (docs/open_npu.md)"},
    {"rk3588", "RK3588: Cortex-A55, A76 and NPU, without the vendor's library (docs/open_npu.md)"},
    {"rk3588-rocket", "the same with the driver of Linux 6.18 and later, rocket: pools stay on the CPU"},
#endif
};

typedef struct microcontroller {
    const char *name, *target;
} microcontroller;

/* Microcontrollers by the names that compilers have for them: `--target` takes them for the target behind. The M33 and
   the M35P have the DSP extension where it was not left out, the M52, M55 and M85 Helium. */
static const microcontroller microcontrollers[] = {
    {"cortex-m0", "scalar"},      {"cortex-m0+", "scalar"},     {"cortex-m0plus", "scalar"},
    {"cortex-m1", "scalar"},      {"cortex-m3", "scalar"},      {"cortex-m23", "scalar"},
    {"cortex-m7", "cortex-m4"},   {"cortex-m33", "cortex-m4"},  {"cortex-m35p", "cortex-m4"},
    {"cortex-m52", "cortex-m55"}, {"cortex-m85", "cortex-m55"}, {"rv32", "scalar"},
    {"rv32imc", "scalar"},        {"rv32imac", "scalar"},
};

/* Words that people have for their processor or chip. */
typedef struct processor {
    const char *beginning, *target;
} processor;

/* What begins another beginning stands behind it. */
static const processor processors[] = {{"cortex-a510", "armv8-i8mm"},
                                       {"cortex-a520", "armv8-i8mm"},
                                       {"cortex-a710", "armv8-i8mm"},
                                       {"cortex-a715", "armv8-i8mm"},
                                       {"cortex-a720", "armv8-i8mm"},
                                       {"cortex-x1", "armv8-dot"},
                                       {"cortex-x", "armv8-i8mm"},
                                       {"cortex-a55", "armv8-dot"},
                                       {"cortex-a65", "armv8-dot"},
                                       {"cortex-a75", "armv8-dot"},
                                       {"cortex-a76", "armv8-dot"},
                                       {"cortex-a77", "armv8-dot"},
                                       {"cortex-a78", "armv8-dot"},
                                       {"cortex-a", "neon"},
                                       {"cortex-m7", "cortex-m4"},
                                       {"cortex-m8", "cortex-m55"},
                                       {"cortex-m5", "cortex-m55"},
                                       {"cortex-m33", "cortex-m4"},
                                       {"cortex-m35", "cortex-m4"},
                                       {"cortex-m", "scalar"},
                                       {"cortex-r", "scalar"},
                                       {"armv7e-m", "cortex-m4"},
                                       {"armv7-m", "scalar"},
                                       {"armv6-m", "scalar"},
                                       {"armv8-m", "scalar"},
                                       {"thumb", "scalar"},
                                       {"armv7", "neon"},
                                       {"armv8", "neon"},
                                       {"aarch64", "neon"},
                                       {"arm64", "neon"},
                                       {"arm", "neon"},
                                       {"rv1103", "neon"},
                                       {"rv1106", "neon"},
                                       {"rv1109", "neon"},
                                       {"rv1126", "neon"},
                                       {"rk3562", "neon"},
                                       {"rk3566", "armv8-dot"},
                                       {"rk3568", "armv8-dot"},
                                       {"rk3576", "neon"},
                                       {"rk3588", "armv8-dot"},
                                       {"hi35", "neon"},
                                       {"x86", "sse41"},
                                       {"rv64gcv", "rvv"},
                                       {"rva23", "rvv"},
                                       {"spacemit", "rvv"},
                                       {"riscv", "scalar"},
                                       {"rv32", "scalar"},
                                       {"rv64", "scalar"},
                                       {"stm32", "scalar"},
                                       {"esp32", "scalar"}};

/* The target that somebody who typed this may have meant; NULL: none. */
static const char *target_meant(const char *text) {
    for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); i++)
        if (strncmp(text, processors[i].beginning, strlen(processors[i].beginning)) == 0) return processors[i].target;
    for (size_t i = 0; i < sizeof(plan_targets) / sizeof(plan_targets[0]); i++)
        if (is_near(text, strlen(text), plan_targets[i].name)) return plan_targets[i].name;
    return NULL;
}

static int list_targets(void) {
    table t = table_begin("ll");
    for (size_t i = 0; i < sizeof(plan_targets) / sizeof(plan_targets[0]); i++) {
        cell(&t, "%s", plan_targets[i].name);
        cell(&t, "%s", plan_targets[i].runs_on);
    }
    table_end(&t);
    return TOOL_OK;
}

/* The target of a microcontroller; any other name as it is. */
static const char *target_of(const char *name) {
    for (size_t i = 0; i < sizeof(microcontrollers) / sizeof(microcontrollers[0]); i++)
        if (strcmp(name, microcontrollers[i].name) == 0) return microcontrollers[i].target;
    return name;
}

/* Whether there is a target of that name; else says so, with the one that may have been meant. */
static int check_target(const char *name) {
    for (size_t i = 0; i < sizeof(plan_targets) / sizeof(plan_targets[0]); i++)
        if (strcmp(name, plan_targets[i].name) == 0) return TOOL_OK;
    const char *meant = target_meant(name);
    if (meant == NULL)
        return complain(TOOL_USAGE, "--target %s: there is no such target; nnrt compile --target ? lists them", name);
    return complain(TOOL_USAGE, "--target %s: there is no such target; take %s (--target ? lists all)", name, meant);
}

#endif /* NNRT_TOOLS_TOOL_HINTS_H */
