/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/clear.h - zeros for structures.

   The C library of a firmware on RISC-V, picolibc, clears byte by byte: four instructions for each, 1,400 for a table
   of kernels, which is filled at the start and in each run. newlib's for ARM clears words: there a loop of ours would
   be 70 bytes for little. */
#ifndef NNRT_KERNELS_CLEAR_H
#define NNRT_KERNELS_CLEAR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"

/* nnrt__clear(to, bytes): clears `bytes` at `to`, which is aligned to 4. */
#if defined(__riscv) && defined(NNRT_NO_THREADS) && defined(NNRT_NO_STDIO) && (defined(__GNUC__) || defined(__clang__))
/* A loop with it becomes no call of memset, and what has been cleared may be of any type. */
#define NNRT__CLEARED(place) __asm__ __volatile__("" : "+r"(place) : : "memory")

NNRT__NOINLINE void nnrt__clear(void *to, size_t bytes) {
    uint32_t *word = (uint32_t *)to, *const end = word + bytes / 16 * 4;
    if (word != end) {
        do {
            word[0] = word[1] = word[2] = word[3] = 0;
            word += 4;
            NNRT__CLEARED(word);
        } while (word != end);
    }
    for (bytes %= 16; bytes >= 4; bytes -= 4) {
        *word++ = 0;
        NNRT__CLEARED(word);
    }
    if (bytes != 0) memset(word, 0, bytes);
}
#else
NNRT__INLINE void nnrt__clear(void *to, size_t bytes) { memset(to, 0, bytes); }
#endif

#endif /* NNRT_KERNELS_CLEAR_H */
