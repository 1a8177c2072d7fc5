/* SPDX-License-Identifier: Apache-2.0 */
/* core/shared_memory.h - memory of the system with a file descriptor.   >>shared_memory */
#ifndef NNRT_CORE_SHARED_MEMORY_H
#define NNRT_CORE_SHARED_MEMORY_H

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "error.h"

#if defined(SYS_memfd_create)
/* A descriptor of memory without a name; -1 on kernels before 3.17. */
NNRT__FN int nnrt__memory_fd(void) { return (int)syscall(SYS_memfd_create, "nnrt", 1u /* MFD_CLOEXEC */); }
#else
NNRT__FN int nnrt__memory_fd(void) { return -1; }
#endif

#ifdef NNRT_NO_STDIO

NNRT__FN int nnrt__unlinked_file(size_t size) {
    (void)size;
    return -1;
}

#else

/* size zeros written to fd, so that a full file system fails here and not as a signal at the first access. */
NNRT__FN bool nnrt__write_zeros(int fd, size_t size) {
    char zeros[512]; /* not constants: they would take flash */
    memset(zeros, 0, sizeof(zeros));
    while (size != 0) {
        ssize_t written = write(fd, zeros, size < sizeof(zeros) ? size : sizeof(zeros));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        size -= (size_t)written;
    }
    return true;
}

/* For kernels without memfd: a file of size zeros that no directory lists. -1 when none can be made. */
NNRT__FN int nnrt__unlinked_file(size_t size) {
    static const char *const folders[] = {"/dev/shm", "/tmp", "/var/tmp"};
    size_t i;
    uint32_t attempt;
    for (i = 0; i < NNRT__COUNT_OF(folders); i++) {
        for (attempt = 0; attempt < 8; attempt++) {
            char path[96];
            int fd;
            nnrt__format(path, sizeof(path), "%s/nnrt-%u-%zu-%u", folders[i], (unsigned)getpid(),
                         (size_t)(nnrt__now_ns() & 0xffffffu), (unsigned)attempt);
            fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (fd < 0) continue;
            (void)unlink(path);
            if (nnrt__write_zeros(fd, size)) return fd;
            (void)close(fd);
            break; /* this file system is full */
        }
    }
    return -1;
}

#endif

/* A descriptor of size zero bytes to share; -1 when the system has none. */
NNRT__FN int nnrt__shared_memory_open(size_t size) {
    int fd = nnrt__memory_fd();
    if (fd < 0) return nnrt__unlinked_file(size);
    if (ftruncate(fd, (off_t)size) == 0) return fd;
    (void)close(fd);
    return -1;
}

#endif /* NNRT_CORE_SHARED_MEMORY_H */
