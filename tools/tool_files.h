/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_files.h - files of the tool: raw tensors, and outputs that are whole or absent. A file named "-" is
   standard input or standard output.

   Sizes are compared before anything is read or allocated; whatever a file says about itself is checked
   against what the model needs. Every failure prints one line and returns TOOL_FILE. */
#ifndef NNRT_TOOLS_TOOL_FILES_H
#define NNRT_TOOLS_TOOL_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool_text.h"

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

/* Opens a file to read, and to close with fclose; a folder is refused here, because fopen accepts it. */
static int open_input(const char *path, FILE **file) {
    struct stat status;
    const int standard = is_standard(path) ? dup(STDIN_FILENO) : -1;
    *file = is_standard(path) ? (standard < 0 ? NULL : fdopen(standard, "rb")) : fopen(path, "rb");
    if (*file == NULL) return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (fstat(fileno(*file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(*file);
        *file = NULL;
        return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(EISDIR));
    }
    return TOOL_OK;
}

/* Opens a model, which has to be a regular file: a FIFO or a device is refused, not waited for. */
static int open_model(const char *path, int *fd, size_t *size) {
    struct stat status;
    memset(&status, 0, sizeof(status));
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0) return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (fstat(*fd, &status) == 0 && S_ISREG(status.st_mode)) {
        *size = (size_t)status.st_size;
        return TOOL_OK;
    }
    close(*fd);
    if (S_ISDIR(status.st_mode)) return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(EISDIR));
    return complain(TOOL_FILE, "%s: a model has to be a regular file", path);
}

/* That a model can be opened at all, so that a wrong path is not mistaken for a bad model. */
static int check_readable(const char *path) {
    size_t size = 0;
    int fd = -1;
    const int result = open_model(path, &fd, &size);
    if (result == TOOL_OK) close(fd);
    return result;
}

/* The bytes of an open file, at most `limit`, to be freed whatever comes back. */
static int read_whole(const char *path, FILE *file, size_t limit, uint8_t **bytes, size_t *size) {
    size_t room = 0, got = 1;
    *bytes = NULL;
    *size = 0;
    while (got > 0) {
        if (*size == room) {
            if (room > limit) return complain(TOOL_FILE, "%s: is larger than %zu bytes", path, limit);
            room = room == 0 ? 65536 : room <= limit / 2 ? 2 * room : limit + 1;
            *bytes = (uint8_t *)reallocate(*bytes, room);
        }
        got = fread(*bytes + *size, 1, room - *size, file);
        *size += got;
    }
    return ferror(file) ? complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno)) : TOOL_OK;
}

/* Fills buffer with exactly the size bytes that the file must have. what: it is for, "input". */
static int read_raw(const char *path, const char *what, void *buffer, size_t size) {
    FILE *file = NULL;
    struct stat status;
    int result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
        (unsigned long long)status.st_size != (unsigned long long)size) {
        result =
            complain(TOOL_FILE, "%s: has %lld bytes, the %s needs %zu", path, (long long)status.st_size, what, size);
    } else { /* also pipes, which do not know their size */
        const size_t got = fread(buffer, 1, size, file);
        if (ferror(file)) result = complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
        else if (got < size) result = complain(TOOL_FILE, "%s: has %zu bytes, the %s needs %zu", path, got, what, size);
        else if (getc(file) != EOF)
            result = complain(TOOL_FILE, "%s: has more than the %zu bytes that the %s needs", path, size, what);
    }
    fclose(file);
    return result;
}

/* ------------------------------------------------------------------------------------------------ outputs */

/* A file that is written beside its destination and takes its place only when it is whole. */
typedef struct output_file {
    const char *path;
    char *temporary; /* NULL: nothing to rename or remove */
} output_file;

static int write_failed(const char *path) {
    return complain(TOOL_FILE, "%s: cannot be written: %s", path, strerror(errno));
}

static void output_discard(output_file *output) {
    if (output->temporary != NULL) unlink(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
}

static bool write_all(int fd, const void *data, size_t size) {
    const uint8_t *p = (const uint8_t *)data;
    while (size > 0) {
        const ssize_t done = write(fd, p, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        p += done;
        size -= (size_t)done;
    }
    return true;
}

/* Writes head and data behind it to a temporary file next to path; to path itself when that is a pipe, a device or
   standard output. */
static int output_write_parts(output_file *output, const char *path, const void *head, size_t head_size,
                              const void *data, size_t size) {
    struct stat status;
    const bool standard = is_standard(path);
    const bool special = standard || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
    const size_t room = strlen(path) + 32;
    output->path = path;
    output->temporary = NULL;
    if (!special) {
        output->temporary = (char *)allocate(room);
        snprintf(output->temporary, room, "%s.%ld.tmp", path, (long)getpid());
    }
    /* O_EXCL: never through a link that somebody else put there */
    const int fd = standard  ? dup(STDOUT_FILENO)
                   : special ? open(path, O_WRONLY)
                             : open(output->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0) {
        const int result = write_failed(path);
        free(output->temporary);
        output->temporary = NULL;
        return result;
    }
    bool written = write_all(fd, head, head_size) && write_all(fd, data, size);
    int error = errno;
    if (close(fd) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written) return TOOL_OK;
    errno = error;
    const int result = write_failed(path);
    output_discard(output);
    return result;
}

static int output_write(output_file *output, const char *path, const void *data, size_t size) {
    return output_write_parts(output, path, "", 0, data, size);
}

/* Puts the whole file where it belongs. */
static int output_commit(output_file *output) {
    if (output->temporary == NULL) return TOOL_OK;
    if (rename(output->temporary, output->path) != 0) {
        const int result = write_failed(output->path);
        output_discard(output);
        return result;
    }
    free(output->temporary);
    output->temporary = NULL;
    return TOOL_OK;
}

#endif /* NNRT_TOOLS_TOOL_FILES_H */
