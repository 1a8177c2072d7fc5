/* SPDX-License-Identifier: Apache-2.0 */
/* noise.h - pseudo-random numbers for tests, the same in every run. Define SEED before the include, and print it in
   messages, as it identifies the numbers. Each test program has one sequence; each test, a process of its own, starts
   it anew. */
#ifndef NNRT_TESTS_NOISE_H
#define NNRT_TESTS_NOISE_H

#include <stdint.h>

#define NOISE_FN static __attribute__((unused))

static uint64_t noise_state = SEED;

/* 32 even bits. */
NOISE_FN uint32_t noise(void) {
    noise_state = noise_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(noise_state >> 32);
}

/* low..high, both included. */
NOISE_FN int32_t noise_in(int32_t low, int32_t high) {
    return (int32_t)(low + (int64_t)(noise() % (uint32_t)(high - low + 1)));
}

/* low up to high, not included. */
NOISE_FN double noise_between(double low, double high) { return low + (high - low) * ((double)noise() / 4294967296.0); }

#endif /* NNRT_TESTS_NOISE_H */
