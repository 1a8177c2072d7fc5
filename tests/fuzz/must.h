/* SPDX-License-Identifier: Apache-2.0 */
/* must.h - how a fuzzer says that a property does not hold. */
#ifndef NNRT_TESTS_FUZZ_MUST_H
#define NNRT_TESTS_FUZZ_MUST_H

/* Traps, so that fuzzer and debugger stop at the very line. */
#define MUST(condition)                     \
    do {                                    \
        if (!(condition)) __builtin_trap(); \
    } while (0)

#endif /* NNRT_TESTS_FUZZ_MUST_H */
