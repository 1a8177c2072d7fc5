/* SPDX-License-Identifier: Apache-2.0 */
/* counting_calls.h - counts the system calls that make memory, can refuse one mmap and cut short what is written.

   Include it before nnrt.h. calls_made() counts mmap and memfd_create of the library; calls_refuse_mmap(n) makes the
   n-th mmap from now on fail with ENOMEM (0 is the next one), and only that one. calls_write_at_most(n) limits every
   pwrite to n bytes, as a system may, and interrupts every other one with EINTR; 0: no limit. */
#ifndef NNRT_TESTS_COUNTING_CALLS_H
#define NNRT_TESTS_COUNTING_CALLS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls_count;
static long calls_until_refusal = -1; /* < 0: none is refused */

__attribute__((unused)) static long calls_made(void) { return calls_count; }

__attribute__((unused)) static void calls_refuse_mmap(long n) { calls_until_refusal = n; }

__attribute__((unused)) static void *calls_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset) {
    calls_count++;
    if (calls_until_refusal >= 0 && calls_until_refusal-- == 0) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return mmap(at, size, access, flags, fd, offset);
}

static size_t calls_most_written; /* 0: no limit */
static bool calls_interrupted;    /* the last pwrite */

__attribute__((unused)) static void calls_write_at_most(size_t n) { calls_most_written = n; }

__attribute__((unused)) static ssize_t calls_pwrite(int fd, const void *from, size_t size, off_t offset) {
    if (calls_most_written != 0) {
        calls_interrupted = !calls_interrupted;
        if (calls_interrupted) {
            errno = EINTR;
            return -1;
        }
        if (size > calls_most_written) size = calls_most_written;
    }
    return pwrite(fd, from, size, offset);
}

__attribute__((unused)) static long calls_memfd(long number, const char *name, unsigned flags) {
    calls_count++;
    return syscall(number, name, flags);
}

#define mmap(at, size, access, flags, fd, offset) calls_mmap(at, size, access, flags, fd, offset)
#define pwrite(fd, from, size, offset) calls_pwrite(fd, from, size, offset)
#define syscall(number, name, flags) calls_memfd(number, name, flags)

#endif /* NNRT_TESTS_COUNTING_CALLS_H */
