/* SPDX-License-Identifier: Apache-2.0 */
/* levels.h - nnrt__cpu_detect for loops: in a virtual machine each CPUID goes through its host, 100,000 of them take a
   second. Stands behind the header that declares the library. */
#ifndef NNRT_TESTS_LEVELS_H
#define NNRT_TESTS_LEVELS_H

/* What this processor has; it is asked once in a process. */
static __attribute__((unused)) unsigned levels_here(void) {
    static unsigned levels;
    static bool asked;
    if (!asked) levels = nnrt__cpu_detect();
    asked = true;
    return levels;
}

#endif /* NNRT_TESTS_LEVELS_H */
