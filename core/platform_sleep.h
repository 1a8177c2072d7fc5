/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_sleep.h - waiting for what does not signal its end, on POSIX.   >>platform_sleep */
#ifndef NNRT_CORE_PLATFORM_SLEEP_H
#define NNRT_CORE_PLATFORM_SLEEP_H

#include <time.h>

/* At least that long, or until a signal comes. */
NNRT__FN void nnrt__sleep_ns(uint64_t duration) {
    struct timespec time;
    time.tv_sec = (time_t)(duration / 1000000000u);
    time.tv_nsec = (long)(duration % 1000000000u);
    (void)nanosleep(&time, NULL);
}

#endif /* NNRT_CORE_PLATFORM_SLEEP_H */
