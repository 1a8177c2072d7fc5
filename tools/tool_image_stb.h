/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_image_stb.h - PNG, JPEG and BMP by stb_image of libstb, a public-domain decoder that Debian packages.

   Included by tool_image.h. The whole file is read, and its size asked for, before anything is decoded. */
#ifndef NNRT_TOOLS_TOOL_IMAGE_STB_H
#define NNRT_TOOLS_TOOL_IMAGE_STB_H

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS 32768
#include <stb/stb_image.h>

/* The bytes of a file, to be freed. */
static int read_whole(const char *path, FILE *file, uint8_t **bytes, size_t *size) {
    size_t room = 0, got = 1;
    *bytes = NULL;
    *size = 0;
    while (got > 0) {
        if (*size == room) {
            room = room == 0 ? 65536 : 2 * room;
            if (room > PICTURE_FILE) return complain(TOOL_FILE, "%s: is larger than %d bytes", path, (int)PICTURE_FILE);
            *bytes = (uint8_t *)reallocate(*bytes, room);
        }
        got = fread(*bytes + *size, 1, room - *size, file);
        *size += got;
    }
    return ferror(file) ? complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno)) : TOOL_OK;
}

static int decode_compressed(const char *path, FILE *file, picture *p) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    int width = 0, height = 0, channels = 0, result = read_whole(path, file, &bytes, &size);
    if (result == TOOL_OK && !stbi_info_from_memory(bytes, (int)size, &width, &height, &channels))
        result = complain(TOOL_FILE, "%s: is no PGM, PPM, PNG, JPEG or BMP: %s", path, stbi_failure_reason());
    if (result == TOOL_OK) result = open_picture(path, width, height, channels < 3 ? 1 : 3, p);
    if (result == TOOL_OK) {
        p->pixels = stbi_load_from_memory(bytes, (int)size, &width, &height, &channels, (int)p->channels);
        if (p->pixels == NULL) result = complain(TOOL_FILE, "%s: cannot be decoded: %s", path, stbi_failure_reason());
        else if ((size_t)width != p->width || (size_t)height != p->height)
            result = complain(TOOL_FILE, "%s: contradicts itself about its size", path);
    }
    free(bytes);
    return result;
}

#endif /* NNRT_TOOLS_TOOL_IMAGE_STB_H */
