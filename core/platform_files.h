/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_files.h - files mapped for reading, or read, and files written, on POSIX.   >>platform_files

   nnrt uses descriptors and mappings, never FILE: a model in a file is mapped, so its pages cost no heap and can be
   dropped by the kernel. Programs that cannot rely on files keeping their length (access past the end of a mapped file
   is a SIGBUS) have them read into memory instead. Only regular files are taken: a FIFO, a device or a directory is
   refused and never waited for. */
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

/* The C library decides at its first header which names it declares. */
#if !defined(O_CLOEXEC) || (defined(__GLIBC__) && !defined(__USE_MISC))
#error "nnrt: POSIX is hidden by an earlier header: include nnrt.h first or compile with -D_GNU_SOURCE"
#endif

#define NNRT__HAS_FILES 1

/* For a file that has no name yet: O_TMPFILE if the headers have it; else 0. */
#ifdef O_TMPFILE
#define NNRT__UNNAMED O_TMPFILE
#else
#define NNRT__UNNAMED 0
#endif

/* The value of an environment variable; NULL: there is none, or the program has more rights than the user who started
   it and could have set the variable, as the loader treats LD_LIBRARY_PATH. The only caller of getenv in nnrt. */
NNRT__FN const char *nnrt__environment(const char *name) {
    const char *value = getenv(name);
    return value != NULL && !nnrt__is_privileged() ? value : NULL;
}

NNRT__FN void nnrt__unmap_file(nnrt__mapping *mapping) {
    if (mapping->memory != NULL) nnrt__free(mapping->memory);
    else if (mapping->data != NULL) (void)munmap((void *)(uintptr_t)mapping->data, mapping->size);
    memset(mapping, 0, sizeof(*mapping));
}

/* Lets the system drop the pages of a mapped file in these bytes: they are read again on the next access. Does nothing
   to bytes outside the mapping, or that were read (nnrt.map is 0). */
#ifdef MADV_DONTNEED /* it is no part of POSIX */
NNRT__FN void nnrt__let_go_of_file(const nnrt__mapping *mapping, const void *from, size_t size) {
    const long page = sysconf(_SC_PAGESIZE);
    const uintptr_t start = (uintptr_t)mapping->data, at = (uintptr_t)from;
    uintptr_t first, end;
    if (mapping->memory != NULL || page <= 0 || at < start || size > mapping->size || at - start > mapping->size - size)
        return;
    first = (at + (uintptr_t)page - 1) / (uintptr_t)page * (uintptr_t)page;
    end = (at + size) / (uintptr_t)page * (uintptr_t)page;
    if (end > first) (void)madvise((void *)first, end - first, MADV_DONTNEED);
}
#else
NNRT__FN void nnrt__let_go_of_file(const nnrt__mapping *mapping, const void *from, size_t size) {
    (void)mapping;
    (void)from;
    (void)size;
}
#endif

/* Root and the user of this program. */
NNRT__FN bool nnrt__is_trusted(uid_t user) { return user == 0 || user == geteuid(); }

/* Whether other users control folder: it is another user's link, or everybody may write to it or to one of its parents,
   as to /tmp. Also true if that cannot be determined. */
NNRT__FN bool nnrt__folder_is_open(const char *folder) {
    char path[1024];
    size_t length = strlen(folder);
    struct stat status, inner;
    while (length > 1 && folder[length - 1] == '/') length--; /* else lstat would follow a link */
    if (length == 0 || length >= sizeof(path)) return true;
    memcpy(path, folder, length);
    path[length] = '\0';
    if (lstat(path, &status) != 0 || (S_ISLNK(status.st_mode) && !nnrt__is_trusted(status.st_uid))) return true;
    memset(&inner, 0, sizeof(inner));
    for (; stat(path, &status) == 0; length += 3) {
        if ((status.st_mode & S_IWOTH) != 0) return true;
        if (status.st_dev == inner.st_dev && status.st_ino == inner.st_ino) return false; /* "/" */
        inner = status;
        if (length + 4 > sizeof(path)) return true;
        memcpy(path + length, "/..", 4);
    }
    return true;
}

/* Whether the file with this status is untrusted: in a folder that others control, another user's file and one with a
   second hard link are, because they could decide what this program computes, or whether it starts. In other folders
   the owner of the folder is responsible. */
NNRT__FN bool nnrt__file_is_foreign(const char *folder, const struct stat *status) {
    return (!nnrt__is_trusted(status->st_uid) || status->st_nlink > 1) && nnrt__folder_is_open(folder);
}

/* Opens a regular file of at most `most` bytes and gets its size. If folder is not NULL, it is a cache file in that
   folder and must be neither a link nor foreign. NULL on success, else the reason. */
NNRT__FN const char *nnrt__open_regular(const char *path, const char *folder, uint64_t most, int *fd, size_t *size) {
    struct stat status;
    const char *reason = NULL;
    /* O_NONBLOCK: do not wait for a writer of a FIFO; no effect on regular files */
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (folder != NULL ? O_NOFOLLOW : 0));
    if (*fd < 0 && errno == ENOENT) return nnrt__file_absent;
    if (*fd < 0 && errno == ELOOP && folder != NULL) return NNRT__WHY("is not a regular file but a link");
    if (*fd < 0) return NNRT__WHY("cannot be opened for reading");
    if (fstat(*fd, &status) != 0 || !S_ISREG(status.st_mode)) reason = NNRT__WHY("is not a regular file");
    else if (folder != NULL && nnrt__file_is_foreign(folder, &status))
        reason = NNRT__WHY("is another user's, or a link, in a folder where everybody may write");
    else if (status.st_size <= 0) reason = NNRT__WHY("is empty");
    else if ((uintmax_t)status.st_size > (uintmax_t)(SIZE_MAX / 2))
        reason = NNRT__WHY("is too large for this address space");
    else if ((uintmax_t)status.st_size > (uintmax_t)most) reason = nnrt__file_too_large;
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

/* Reads a small regular file into capacity bytes at `to`; one that is longer is refused. folder as above; the reasons
   as nnrt__take_file. */
NNRT__FN const char *nnrt__read_file(const char *path, const char *folder, void *to, size_t capacity, size_t *size) {
    const char *reason;
    int fd;
    reason = nnrt__open_regular(path, folder, capacity, &fd, size);
    if (reason != NULL) return reason;
    reason = nnrt__read_whole(fd, to, *size);
    (void)close(fd);
    return reason;
}

/* As nnrt__take_file, for a file of at most `most` bytes; folder as above. */
NNRT__FN const char *nnrt__take_file_within(const char *path, const char *folder, bool read_it, uint64_t most,
                                            nnrt__mapping *mapping) {
    const char *reason;
    void *data;
    int fd;
    memset(mapping, 0, sizeof(*mapping));
    reason = nnrt__open_regular(path, folder, most, &fd, &mapping->size);
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

/* The bytes of the whole regular file: mapped, or with read_it read into memory if it has at most NNRT__FILE_LIMIT.
   NULL on success, else the reason, to end a sentence with, and nothing is held. An empty file is refused. */
NNRT__FN const char *nnrt__take_file(const char *path, bool read_it, nnrt__mapping *mapping) {
    return nnrt__take_file_within(path, NULL, read_it, read_it ? NNRT__FILE_LIMIT : UINT64_MAX, mapping);
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

/* NNRT__WRITE_NO_FILE: this program may not replace `to`, or `from` is gone. */
NNRT__FN nnrt__write_result nnrt__rename_file(const char *from, const char *to) {
    if (rename(from, to) == 0) return NNRT__WRITTEN;
    return errno == ENOSPC || errno == EDQUOT || errno == EIO ? NNRT__WRITE_NO_SPACE : NNRT__WRITE_NO_FILE;
}

/* All bytes, and on the disk. */
NNRT__FN bool nnrt__write_whole(int fd, const void *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *)data;
    while (size != 0) {
        const ssize_t done = write(fd, bytes, size);
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        } else if (done == 0 || errno != EINTR) {
            return false;
        }
    }
    return fsync(fd) == 0 || errno == EINVAL; /* EINVAL: nothing to synchronise on this file system */
}

/* Makes a new name each time: the last NNRT__TEMPORARY_DIGITS bytes of path become digits. Not a process id, because
   containers share those. If the name exists (O_EXCL), the next one is tried. */
NNRT__FN void nnrt__temporary_name(char *path, unsigned attempt) {
    uint64_t number = nnrt__now_ns() ^ (uint64_t)getpid() << 40 ^ (uint64_t)(uintptr_t)path << 12 ^ attempt;
    char *digit = path + strlen(path);
    int i;
    for (i = 0; i < NNRT__TEMPORARY_DIGITS; i++) {
        if (i % 4 == 0) number = (number ^ number >> 31) * 0x9e3779b97f4a7c15u;
        *--digit = "0123456789abcdefghijklmnopqrstuv"[number >> 59];
        number <<= 5;
    }
}

/* Names an unnamed file after path, with new digits. */
NNRT__FN bool nnrt__name_file(int fd, char *path) {
    static const char folder[] = "/proc/self/fd/";
    char text[sizeof(folder) + 10], *at = text + sizeof(text) - 1;
    unsigned attempt;
    *at = '\0';
    do *--at = (char)('0' + fd % 10);
    while ((fd /= 10) != 0);
    at -= sizeof(folder) - 1;
    memcpy(at, folder, sizeof(folder) - 1);
    for (attempt = 0; attempt < NNRT__TEMPORARY_TRIES; attempt++) {
        nnrt__temporary_name(path, attempt);
        if (linkat(AT_FDCWD, at, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

/* Writes a new file, readable by this user only, and synchronises it. path ends in NNRT__TEMPORARY_DIGITS bytes, which
   become those of an unused name. If the file system can do it, the file has no name while it is written, so that a
   power failure leaves nothing behind. */
NNRT__FN nnrt__write_result nnrt__write_file(const char *folder, char *path, const void *data, size_t size) {
    unsigned attempt;
    bool written;
    int fd = NNRT__UNNAMED != 0 ? open(folder, NNRT__UNNAMED | O_WRONLY | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        written = nnrt__write_whole(fd, data, size);
        if (written && nnrt__name_file(fd, path)) return close(fd) == 0 ? NNRT__WRITTEN : NNRT__WRITE_NO_SPACE;
        (void)close(fd);
        if (!written) return NNRT__WRITE_NO_SPACE;
    }
    for (attempt = 0, fd = -1; fd < 0 && attempt < NNRT__TEMPORARY_TRIES; attempt++) {
        nnrt__temporary_name(path, attempt);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            return errno == ENOSPC || errno == EDQUOT ? NNRT__WRITE_NO_SPACE : NNRT__WRITE_NO_FILE;
    }
    if (fd < 0) return NNRT__WRITE_NO_FILE;
    written = nnrt__write_whole(fd, data, size);
    if (close(fd) == 0 && written) return NNRT__WRITTEN;
    (void)unlink(path);
    return NNRT__WRITE_NO_SPACE;
}

#endif /* NNRT_CORE_PLATFORM_FILES_H */
