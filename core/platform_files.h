/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_files.h - files mapped for reading, and shared memory with a descriptor.

   nnrt uses descriptors and mappings, never FILE: a model in a file is mapped, so its pages cost no heap and can be
   dropped by the kernel. With NNRT_NO_STDIO (a target without files) opening and creating fail with a reason. */
#ifndef NNRT_CORE_PLATFORM_FILES_H
#define NNRT_CORE_PLATFORM_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* A file mapped for reading. data is NULL when nothing is mapped. */
typedef struct nnrt__mapping {
    const void *data;
    size_t size;
} nnrt__mapping;

NNRT__FN void nnrt__unmap_file(nnrt__mapping *mapping) {
    if (mapping->data != NULL) (void)munmap((void *)(uintptr_t)mapping->data, mapping->size);
    mapping->data = NULL;
    mapping->size = 0;
}

#ifdef NNRT_NO_STDIO

NNRT__FN const char *nnrt__map_file(const char *path, nnrt__mapping *mapping) {
    (void)path;
    mapping->data = NULL;
    mapping->size = 0;
    return "this build has no files (NNRT_NO_STDIO)";
}

#else

/* Maps the whole regular file. NULL on success, else the reason as half a sentence. An empty file is refused. */
NNRT__FN const char *nnrt__map_file(const char *path, nnrt__mapping *mapping) {
    struct stat status;
    const char *reason = NULL;
    void *data;
    int fd;
    mapping->data = NULL;
    mapping->size = 0;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? "no such file" : "cannot be opened for reading";
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        reason = "is not a regular file";
    } else if (status.st_size <= 0) {
        reason = "is empty";
    } else if ((uintmax_t)status.st_size > (uintmax_t)(SIZE_MAX / 2)) {
        reason = "is too large for this address space";
    } else {
        data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED) {
            reason = "cannot be mapped";
        } else {
            mapping->data = data;
            mapping->size = (size_t)status.st_size;
        }
    }
    (void)close(fd);
    return reason;
}

#endif
#endif /* NNRT_CORE_PLATFORM_FILES_H */
