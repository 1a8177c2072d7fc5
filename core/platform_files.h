/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_files.h - files mapped for reading, or read, and shared memory with a descriptor.

   nnrt uses descriptors and mappings, never FILE: a model in a file is mapped, so its pages cost no heap and can be
   dropped by the kernel. Whoever cannot rely on files that keep their length (a page past the end of a mapped file is
   a SIGBUS) has them read into memory instead. Only regular files are taken: a FIFO, a device or a directory is refused
   and never waited for. With NNRT_NO_STDIO (a target without files) opening and creating fail with a reason. */
#ifndef NNRT_CORE_PLATFORM_FILES_H
#define NNRT_CORE_PLATFORM_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The bytes of a file. data is NULL when there are none. */
typedef struct nnrt__mapping {
    const void *data;
    size_t size;
    void *memory; /* data as read, on the heap; NULL: mapped */
} nnrt__mapping;

NNRT__FN void nnrt__unmap_file(nnrt__mapping *mapping) {
    if (mapping->memory != NULL) nnrt__free(mapping->memory);
    else if (mapping->data != NULL) (void)munmap((void *)(uintptr_t)mapping->data, mapping->size);
    memset(mapping, 0, sizeof(*mapping));
}

/* The one reason of nnrt__take_file that is no fault of the file: compare the pointer. */
static const char nnrt__file_no_memory[] = "does not fit into the memory that is free";

#ifdef NNRT_NO_STDIO

NNRT__FN const char *nnrt__take_file(const char *path, bool read_it, nnrt__mapping *mapping) {
    (void)path;
    (void)read_it;
    memset(mapping, 0, sizeof(*mapping));
    return "this build has no files (NNRT_NO_STDIO)";
}

NNRT__FN const char *nnrt__read_file(const char *path, void *to, size_t capacity, size_t *size) {
    (void)path;
    (void)to;
    (void)capacity;
    (void)size;
    return "cannot be read: this build has no files (NNRT_NO_STDIO)";
}

#else

/* Opens a regular file and asks its size. NULL on success, else the reason. */
NNRT__FN const char *nnrt__open_regular(const char *path, int *fd, size_t *size) {
    struct stat status;
    const char *reason = NULL;
    /* O_NONBLOCK: a FIFO without a writer is not waited for; for a regular file it means nothing */
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (*fd < 0) return errno == ENOENT ? "no such file" : "cannot be opened for reading";
    if (fstat(*fd, &status) != 0 || !S_ISREG(status.st_mode)) reason = "is not a regular file";
    else if (status.st_size <= 0) reason = "is empty";
    else if ((uintmax_t)status.st_size > (uintmax_t)(SIZE_MAX / 2)) reason = "is too large for this address space";
    else *size = (size_t)status.st_size;
    if (reason != NULL) (void)close(*fd);
    return reason;
}

/* Exactly size bytes of a file. */
NNRT__FN const char *nnrt__read_whole(int fd, void *to, size_t size) {
    uint8_t *at = (uint8_t *)to;
    while (size != 0) {
        const ssize_t got = read(fd, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return "cannot be read";
        if (got == 0) return "became shorter while it was read";
        at += got;
        size -= (size_t)got;
    }
    return NULL;
}

/* Reads a small regular file into capacity bytes at `to`; one that is longer is refused. As nnrt__take_file. */
NNRT__FN const char *nnrt__read_file(const char *path, void *to, size_t capacity, size_t *size) {
    const char *reason;
    int fd;
    reason = nnrt__open_regular(path, &fd, size);
    if (reason != NULL) return reason;
    reason = *size > capacity ? "is too large" : nnrt__read_whole(fd, to, *size);
    (void)close(fd);
    return reason;
}

/* The bytes of the whole regular file: mapped, or with read_it read into memory. NULL on success, else the reason as
   half a sentence, and nothing is held. An empty file is refused. */
NNRT__FN const char *nnrt__take_file(const char *path, bool read_it, nnrt__mapping *mapping) {
    const char *reason;
    void *data;
    int fd;
    memset(mapping, 0, sizeof(*mapping));
    reason = nnrt__open_regular(path, &fd, &mapping->size);
    if (reason != NULL) return reason;
    if (read_it) {
        mapping->data = mapping->memory = nnrt__alloc(mapping->size);
        reason = mapping->memory == NULL ? nnrt__file_no_memory : nnrt__read_whole(fd, mapping->memory, mapping->size);
    } else {
        data = mmap(NULL, mapping->size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) reason = "cannot be mapped";
        else mapping->data = data;
    }
    (void)close(fd);
    if (reason != NULL) nnrt__unmap_file(mapping);
    return reason;
}

#endif

/* Maps the whole regular file, as nnrt__take_file. */
NNRT__FN const char *nnrt__map_file(const char *path, nnrt__mapping *mapping) {
    return nnrt__take_file(path, false, mapping);
}

#endif /* NNRT_CORE_PLATFORM_FILES_H */
