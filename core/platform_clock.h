/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_clock.h - the clock, on POSIX.   >>platform_clock */
#ifndef NNRT_CORE_PLATFORM_CLOCK_H
#define NNRT_CORE_PLATFORM_CLOCK_H

#include <time.h>

/* The C library decides at its first header which names it declares. */
#if !defined(CLOCK_MONOTONIC) || (defined(__GLIBC__) && !defined(__USE_MISC))
#error "nnrt: POSIX is hidden by an earlier header: include nnrt.h first or compile with -D_GNU_SOURCE"
#endif

/* Nanoseconds of a monotonic clock; 0 without one. */
NNRT__FN uint64_t nnrt__now_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif /* NNRT_CORE_PLATFORM_CLOCK_H */
