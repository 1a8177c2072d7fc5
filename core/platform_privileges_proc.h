/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_privileges_proc.h - the same for Linux with a C library that has no getauxval, as uClibc and glibc
   before 2.16.   >>platform_privileges_proc */
#ifndef NNRT_CORE_PLATFORM_PRIVILEGES_PROC_H
#define NNRT_CORE_PLATFORM_PRIVILEGES_PROC_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Any failure to read the answer counts as yes: the user who starts a program can leave it without descriptors, and a
   program with file capabilities may not open this file. */
NNRT__FN bool nnrt__is_privileged(void) {
    unsigned long pair[2]; /* a kind and its value; kind 0 ends the list, 23 is AT_SECURE */
    bool privileged = true;
    ssize_t got;
    const int fd = open("/proc/self/auxv", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return true;
    for (;;) {
        got = read(fd, pair, sizeof(pair));
        if (got < 0 && errno == EINTR) continue;
        if (got != (ssize_t)sizeof(pair) || pair[0] == 0) break;
        if (pair[0] != 23) continue;
        privileged = pair[1] != 0;
        break;
    }
    (void)close(fd);
    return privileged;
}

#endif /* NNRT_CORE_PLATFORM_PRIVILEGES_PROC_H */
