/* SPDX-License-Identifier: Apache-2.0 */
/* core/shared_memory_posix.h - memory of tensors: pages, and a descriptor if asked for.   >>shared_memory_posix

   A process has few descriptors and may have many tensors, so pages start without one. All system calls for tensors are
   in this room. */
#ifndef NNRT_CORE_SHARED_MEMORY_POSIX_H
#define NNRT_CORE_SHARED_MEMORY_POSIX_H

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "error.h"

/* -------------------------------------------------------------------------------- descriptors of new memory */

#if defined(SYS_memfd_create)
/* A descriptor of memory without a name; -1 on kernels before 3.17. */
NNRT__FN int nnrt__memory_fd(void) { return (int)syscall(SYS_memfd_create, "nnrt", 1u /* MFD_CLOEXEC */); }
#else
NNRT__FN int nnrt__memory_fd(void) { return -1; }
#endif

/* Writes size zeros to fd, so that a full file system fails here, not with a signal at the first access. */
NNRT__FN bool nnrt__write_zeros(int fd, size_t size) {
    char zeros[512]; /* not static const, which would take flash */
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

/* A descriptor of size zero bytes to share; -1 on failure, with errno. */
NNRT__FN int nnrt__shared_memory_open(size_t size) {
    int fd = nnrt__memory_fd(), problem;
    if (fd < 0) return nnrt__unlinked_file(size);
    if (ftruncate(fd, (off_t)size) == 0) return fd;
    problem = errno;
    (void)close(fd);
    errno = problem;
    return -1;
}

/* --------------------------------------------------------------------------------------------------- pages */

/* Pages of this process. Zero but for fd -1: none. */
typedef struct nnrt__pages {
    void *map; /* NULL: nothing is mapped */
    size_t map_size;
    void *data;    /* in map; stays where it is until nnrt__pages_free */
    int fd;        /* ours to close; -1: none */
    size_t offset; /* of data in fd */
} nnrt__pages;

/* size bytes, all zero, without a descriptor. pages is empty. */
NNRT__FN OH_NN_ReturnCode nnrt__pages_new(nnrt__pages *pages, size_t size) {
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return nnrt__fail(OH_NN_MEMORY_ERROR, "the system gives no memory of %zu bytes (errno %d)", size, errno);
    pages->map = map;
    pages->map_size = size;
    pages->data = map;
    return OH_NN_SUCCESS;
}

NNRT__FN bool nnrt__fd_write(int fd, const void *data, size_t size) {
    const uint8_t *from = (const uint8_t *)data;
    size_t done = 0;
    while (done < size) {
        ssize_t written = pwrite(fd, from + done, size - done, (off_t)done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        done += (size_t)written;
    }
    return true;
}

/* Gives pages of nnrt__pages_new a descriptor: the bytes are copied into new memory, which then takes the place of the
   old at the same address. Nothing may write them meanwhile. The new memory is first mapped elsewhere, so that a
   refusal leaves the old untouched. */
NNRT__FN OH_NN_ReturnCode nnrt__pages_share(nnrt__pages *pages) {
    const size_t size = pages->map_size;
    const int access = PROT_READ | PROT_WRITE;
    int fd = nnrt__shared_memory_open(size), problem;
    void *trial;
    if (fd < 0)
        return nnrt__fail(OH_NN_MEMORY_ERROR, "the system gives no descriptor of %zu bytes to share (errno %d)", size,
                          errno);
    trial = nnrt__fd_write(fd, pages->data, size) ? mmap(NULL, size, access, MAP_SHARED, fd, 0) : MAP_FAILED;
    problem = errno;
    if (trial != MAP_FAILED) {
        (void)munmap(trial, size);
        trial = mmap(pages->map, size, access, MAP_SHARED | MAP_FIXED, fd, 0);
        problem = errno;
    }
    if (trial == MAP_FAILED) {
        (void)close(fd);
        return nnrt__fail(OH_NN_MEMORY_ERROR, "%zu bytes cannot be moved to shared memory (errno %d)", size, problem);
    }
    pages->fd = fd;
    return OH_NN_SUCCESS;
}

/* The length of what fd refers to; SIZE_MAX if unknown (a device node). A dma-buf reports it by seeking. */
NNRT__FN size_t nnrt__fd_length(int fd) {
    struct stat status;
    off_t length;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        length = status.st_size;
    } else {
        length = lseek(fd, 0, SEEK_END);
    }
    return length < 0 || (uintmax_t)length > (uintmax_t)SIZE_MAX ? SIZE_MAX : (size_t)length;
}

/* Gives pages, which is empty, a duplicate of the program's fd for the bytes [offset, size); maps nothing. */
NNRT__FN OH_NN_ReturnCode nnrt__pages_adopt(nnrt__pages *pages, int fd, size_t size, size_t offset) {
    size_t length;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0 && errno == EBADF) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%d is no open file descriptor", fd);
    if (own < 0) return nnrt__fail(OH_NN_MEMORY_ERROR, "the file descriptor cannot be duplicated (errno %d)", errno);
    length = nnrt__fd_length(own);
    if (length < size) {
        (void)close(own);
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the file descriptor has %zu bytes, not %zu", length, size);
    }
    pages->fd = own;
    pages->offset = offset;
    return OH_NN_SUCCESS;
}

/* Maps the bytes [pages->offset, size) of an adopted descriptor. */
NNRT__FN OH_NN_ReturnCode nnrt__pages_map(nnrt__pages *pages, size_t size) {
    const long page_size = sysconf(_SC_PAGESIZE);
    const size_t page = page_size > 0 ? (size_t)page_size : 4096;
    const size_t offset = pages->offset, start = offset - offset % page;
    void *map;
    if ((off_t)start < 0 || (size_t)(off_t)start != start)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "offset %zu is too large for this system", offset);
    map = mmap(NULL, size - start, PROT_READ | PROT_WRITE, MAP_SHARED, pages->fd, (off_t)start);
    if (map == MAP_FAILED)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "the file descriptor cannot be mapped for reading and writing (errno %d)", errno);
    pages->map = map;
    pages->map_size = size - start;
    pages->data = (char *)map + (offset - start);
    return OH_NN_SUCCESS;
}

/* Bytes of NNRT_MALLOC in pages: these are the system's. */
NNRT__FN size_t nnrt__pages_bytes(const nnrt__pages *pages) {
    (void)pages;
    return 0;
}

NNRT__FN void nnrt__pages_free(nnrt__pages *pages) {
    if (pages->map != NULL) (void)munmap(pages->map, pages->map_size);
    if (pages->fd >= 0) (void)close(pages->fd);
    memset(pages, 0, sizeof(*pages));
    pages->fd = -1;
}

NNRT__FN void *nnrt__pages_data(const nnrt__pages *pages) { return pages->data; }

#endif /* NNRT_CORE_SHARED_MEMORY_POSIX_H */
