/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_files.h - files mapped for reading, or read, and files written, on POSIX.   >>platform_files

   nnrt uses descriptors and mappings, never FILE: a model in a file is mapped, so its pages cost no heap and can be
   dropped by the kernel. Whoever cannot rely on files that keep their length (a page past the end of a mapped file is
   a SIGBUS) has them read into memory instead. Only regular files are taken: a FIFO, a device or a directory is refused
   and never waited for. */
#ifndef NNRT_CORE_PLATFORM_FILES_H
#define NNRT_CORE_PLATFORM_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* rename; nothing here uses FILE */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The C library fixes at its first header what it shows. */
#if !defined(O_CLOEXEC) || (defined(__GLIBC__) && !defined(__USE_MISC))
#error "nnrt: POSIX is hidden by an earlier header: include nnrt.h first or compile with -D_GNU_SOURCE"
#endif

#define NNRT__HAS_FILES 1

/* The value of a variable of the environment; NULL: there is none, or the program has more rights than who started it
   and may have set the variable: the loader treats LD_LIBRARY_PATH so. Nothing of nnrt calls getenv but this. */
NNRT__FN const char *nnrt__environment(const char *name) {
    const char *value = getenv(name);
    return value != NULL && !nnrt__is_privileged() ? value : NULL;
}

NNRT__FN void nnrt__unmap_file(nnrt__mapping *mapping) {
    if (mapping->memory != NULL) nnrt__free(mapping->memory);
    else if (mapping->data != NULL) (void)munmap((void *)(uintptr_t)mapping->data, mapping->size);
    memset(mapping, 0, sizeof(*mapping));
}

/* Opens a regular file and asks its size. NULL on success, else the reason. */
NNRT__FN const char *nnrt__open_regular(const char *path, int *fd, size_t *size) {
    struct stat status;
    const char *reason = NULL;
    /* O_NONBLOCK: a FIFO without a writer is not waited for; for a regular file it means nothing */
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (*fd < 0) return errno == ENOENT ? NNRT__WHY("no such file") : NNRT__WHY("cannot be opened for reading");
    if (fstat(*fd, &status) != 0 || !S_ISREG(status.st_mode)) reason = NNRT__WHY("is not a regular file");
    else if (status.st_size <= 0) reason = NNRT__WHY("is empty");
    else if ((uintmax_t)status.st_size > (uintmax_t)(SIZE_MAX / 2))
        reason = NNRT__WHY("is too large for this address space");
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
        if (got < 0) return NNRT__WHY("cannot be read");
        if (got == 0) return NNRT__WHY("became shorter while it was read");
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
    reason = *size > capacity ? NNRT__WHY("is too large") : nnrt__read_whole(fd, to, *size);
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
        if (data == MAP_FAILED) reason = NNRT__WHY("cannot be mapped");
        else mapping->data = data;
    }
    (void)close(fd);
    if (reason != NULL) nnrt__unmap_file(mapping);
    return reason;
}

/* What is wrong with folder, as the end of a sentence; NULL: nothing. */
NNRT__FN const char *nnrt__folder_problem(const char *folder, bool writable) {
    struct stat status;
    if (stat(folder, &status) != 0) return NNRT__WHY("does not exist");
    if (!S_ISDIR(status.st_mode)) return NNRT__WHY("is not a directory");
    if (writable && access(folder, W_OK | X_OK) != 0) return NNRT__WHY("is not writable");
    return NULL;
}

NNRT__FN bool nnrt__file_exists(const char *path) { return access(path, F_OK) == 0; }

NNRT__FN void nnrt__remove_file(const char *path) { (void)unlink(path); }

NNRT__FN bool nnrt__rename_file(const char *from, const char *to) { return rename(from, to) == 0; }

/* Tells this process from the others that run now. */
NNRT__FN unsigned nnrt__process_id(void) { return (unsigned)getpid(); }

/* Writes a new file and brings it to the disk. A file that a crash left under this name is replaced. */
NNRT__FN nnrt__write_result nnrt__write_file(const char *path, const void *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *)data;
    bool written = true;
    int fd;
    (void)unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return errno == ENOSPC ? NNRT__WRITE_NO_SPACE : NNRT__WRITE_NO_FILE;
    while (size != 0 && written) {
        ssize_t done = write(fd, bytes, size);
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        } else {
            written = done < 0 && errno == EINTR;
        }
    }
    if (written) written = fsync(fd) == 0 || errno == EINVAL; /* EINVAL: nothing to synchronise on this file system */
    if (close(fd) != 0) written = false;
    if (written) return NNRT__WRITTEN;
    (void)unlink(path);
    return NNRT__WRITE_NO_SPACE;
}

#endif /* NNRT_CORE_PLATFORM_FILES_H */
