/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_files.h - files of the tool: raw tensors, PGM and PPM images, and outputs that are whole or
   absent.

   Sizes are compared before anything is read or allocated; whatever a file says about itself is checked
   against what the model needs. Every failure prints one line and returns TOOL_FILE. */
#ifndef NNRT_TOOLS_TOOL_FILES_H
#define NNRT_TOOLS_TOOL_FILES_H

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool_text.h"

/* Opens a file to read; a folder is refused here, because fopen accepts it. */
static int open_input(const char *path, FILE **file) {
    struct stat status;
    *file = fopen(path, "rb");
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

/* ------------------------------------------------------------------------------------------------- images */

/* Whether the name ends like that of an image: .pgm or .ppm, upper case too. */
static bool is_image(const char *path) {
    const size_t length = strlen(path);
    if (length < 4 || path[length - 4] != '.') return false;
    const int p = tolower((unsigned char)path[length - 3]), middle = tolower((unsigned char)path[length - 2]);
    return p == 'p' && (middle == 'g' || middle == 'p') && tolower((unsigned char)path[length - 1]) == 'm';
}

/* Real values of a black and a white pixel. */
typedef enum image_range {
    RANGE_AUTO,
    RANGE_0_1,
    RANGE_M1_1,
    RANGE_0_255
} image_range;

/* What an image becomes: a tensor of one image, rows of pixels of channels (NHWC). */
typedef struct image_target {
    OH_NN_DataType type; /* INT8, UINT8 or FLOAT32 */
    size_t height, width;
    size_t channels; /* 1 or 3 */
    double scale;    /* 0: not quantized */
    int32_t zero_point;
    image_range range;
} image_target;

/* The range that pixels get when the user does not say: what the tensor itself can hold.
   scale >= 0.5 covers 0..255; 256 steps around zero that make up 2 cover -1..1; everything else is fed
   0..1. */
static image_range default_range(const image_target *target) {
    const double middle = target->type == OH_NN_UINT8 ? 127.5 : -0.5;
    if (target->scale >= 0.5) return RANGE_0_255;
    if (target->scale > 0.0 && fabs(target->scale * 255.0 - 2.0) < 0.04 && fabs(target->zero_point - middle) < 2.0)
        return RANGE_M1_1;
    return RANGE_0_1;
}

/* The range in words, as `nnrt run` prints it. */
static const char *range_text(const image_target *target) {
    /* in the order of image_range */
    static const char *const names[] = {"stored", "0..1", "-1..1", "0..255"};
    if (target->range != RANGE_AUTO) return names[target->range];
    return names[target->type == OH_NN_UINT8 ? RANGE_AUTO : default_range(target)];
}

static double pixel_value(uint8_t pixel, image_range range) {
    if (range == RANGE_0_255) return pixel;
    return range == RANGE_M1_1 ? pixel / 127.5 - 1.0 : pixel / 255.0;
}

/* value, quantized; halves are rounded away from zero, results clamped to the type. */
static int quantize(double value, const image_target *target) {
    const double low = target->type == OH_NN_INT8 ? -128.0 : 0.0;
    const double q = round(value / target->scale) + target->zero_point;
    return (int)(q < low ? low : q > low + 255.0 ? low + 255.0 : q);
}

/* The element that each of the 256 pixel values becomes: integers as int, floats as float. */
typedef struct pixel_table {
    int integers[256];
    float floats[256];
} pixel_table;

static void fill_pixel_table(pixel_table *pixels, const image_target *target) {
    const image_range range = target->range == RANGE_AUTO ? default_range(target) : target->range;
    for (int i = 0; i < 256; i++) {
        const double value = pixel_value((uint8_t)i, range);
        const bool as_is = target->scale <= 0.0 || (target->type == OH_NN_UINT8 && target->range == RANGE_AUTO);
        pixels->floats[i] = (float)value;
        pixels->integers[i] = target->type == OH_NN_FLOAT32 ? 0
                              : !as_is                      ? quantize(value, target)
                              : target->type == OH_NN_INT8  ? i - 128
                                                            : i;
    }
}

/* A number of an image header and the one blank behind it; -1 when there is none, or it has more than 6
   digits. Blanks and comments (from # to the end of the line) before it are skipped. */
static long read_header_number(FILE *file) {
    long number = 0;
    int digits = 0, c = getc(file);
    while (c == '#' || (c != EOF && isspace(c))) {
        const bool comment = c == '#';
        do c = getc(file);
        while (comment && c != '\n' && c != EOF);
    }
    for (; c >= '0' && c <= '9' && digits < 7; c = getc(file), digits++) number = 10 * number + (c - '0');
    return digits >= 1 && digits <= 6 && c != EOF && isspace(c) ? number : -1;
}

/* One row: `from` has source_channels bytes per pixel, element `first` and those behind it are written. */
static void convert_row(const uint8_t *from, size_t source_channels, const image_target *target,
                        const pixel_table *pixels, void *tensor, size_t first) {
    for (size_t x = 0; x < target->width; x++) {
        for (size_t channel = 0; channel < target->channels; channel++) {
            const uint8_t *p = from + x * source_channels;
            const size_t at = first + x * target->channels + channel;
            uint8_t pixel = source_channels == 3 && target->channels == 3 ? p[channel] : p[0];
            if (source_channels == 3 && target->channels == 1) /* ITU-R BT.601 luma */
                pixel = (uint8_t)((299u * p[0] + 587u * p[1] + 114u * p[2] + 500u) / 1000u);
            if (target->type == OH_NN_FLOAT32) ((float *)tensor)[at] = pixels->floats[pixel];
            else if (target->type == OH_NN_INT8) ((int8_t *)tensor)[at] = (int8_t)pixels->integers[pixel];
            else ((uint8_t *)tensor)[at] = (uint8_t)pixels->integers[pixel];
        }
    }
}

/* Reads the pixels that follow the header. width * 3 cannot overflow: the tensor of width elements exists. */
static int read_pixels(const char *path, FILE *file, size_t source_channels, const image_target *target, void *tensor) {
    const size_t row_size = target->width * source_channels, row_elements = target->width * target->channels;
    uint8_t *row = (uint8_t *)allocate(row_size);
    pixel_table pixels;
    int result = TOOL_OK;
    fill_pixel_table(&pixels, target);
    for (size_t y = 0; y < target->height && result == TOOL_OK; y++) {
        if (fread(row, 1, row_size, file) != row_size)
            result = complain(TOOL_FILE, "%s: the picture ends in row %zu of %zu", path, y, target->height);
        else convert_row(row, source_channels, target, &pixels, tensor, y * row_elements);
    }
    if (result == TOOL_OK && getc(file) != EOF) result = complain(TOOL_FILE, "%s: more data follows the picture", path);
    free(row);
    return result;
}

/* Reads a binary 8-bit PGM (P5) or PPM (P6) into a tensor that has room for height * width * channels
   elements. */
static int read_image(const char *path, const image_target *target, void *tensor) {
    FILE *file = NULL;
    int result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    const int p = getc(file), kind = getc(file);
    const size_t source_channels = kind == '6' ? 3 : 1;
    if (p != 'P' || (kind != '5' && kind != '6')) {
        fclose(file);
        return complain(TOOL_FILE, "%s: is no binary PGM (P5) or PPM (P6)", path);
    }
    const long width = read_header_number(file);
    const long height = width < 0 ? -1 : read_header_number(file);
    const long maximum = height < 0 ? -1 : read_header_number(file);
    if (maximum < 0) result = complain(TOOL_FILE, "%s: the header of the picture is damaged", path);
    else if (maximum != 255)
        result = complain(TOOL_FILE, "%s: the largest pixel value is %ld, only 255 (8 bit) is taken", path, maximum);
    else if ((size_t)width != target->width || (size_t)height != target->height)
        result = complain(TOOL_FILE, "%s: is %ldx%ld pixels, the input needs %zux%zu (width x height)", path, width,
                          height, target->width, target->height);
    else result = read_pixels(path, file, source_channels, target, tensor);
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

/* Writes head and data behind it to a temporary file next to path; to path itself when that is a pipe or a device. */
static int output_write_parts(output_file *output, const char *path, const void *head, size_t head_size,
                              const void *data, size_t size) {
    struct stat status;
    const bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    const size_t room = strlen(path) + 32;
    output->path = path;
    output->temporary = NULL;
    if (!special) {
        output->temporary = (char *)allocate(room);
        snprintf(output->temporary, room, "%s.%ld.tmp", path, (long)getpid());
    }
    /* O_EXCL: never through a link that somebody else put there */
    const int fd = special ? open(path, O_WRONLY) : open(output->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
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
