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

/* Adds up the 16 numbers of codes of each table of a segment DHT, as the decoder reads them: up to 256 fit. */
static bool jpeg_codes_fit(const uint8_t *bytes, size_t size, size_t at, size_t length) {
    const size_t end = at + length < size ? at + length : size;
    for (at += 2; at < end;) {
        size_t codes = 0;
        for (size_t i = 1; i <= 16 && at + i < size; i++) codes += bytes[at + i];
        if (codes > 256) return false;
        at += 17 + codes;
    }
    return true;
}

/* Whether no table of a JPEG has more codes than the decoder has room for: libstb before 2.28 does not look. Goes from
   marker to marker as it does; any other file has none. */
static bool jpeg_is_sane(const uint8_t *bytes, size_t size) {
    size_t at = 0;
    while (at < size && bytes[at] == 0xff) at++;
    if (at == 0 || at == size || bytes[at] != 0xd8) return true;
    while (at + 1 < size) {
        const uint8_t marker = bytes[at + 1];
        if (bytes[at] != 0xff || marker == 0xff || marker == 0 || (marker >= 0xd0 && marker <= 0xd7)) {
            at++; /* what is coded, bytes that fill, restarts */
            continue;
        }
        if (marker == 0xd9 || size - at < 4) return true;
        const size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (marker == 0xc4 && !jpeg_codes_fit(bytes, size, at + 2, length)) return false;
        at += 2 + (length < 2 ? 2 : length);
    }
    return true;
}

static int decode_compressed(const char *path, FILE *file, picture *p) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    int width = 0, height = 0, channels = 0, result = read_whole(path, file, PICTURE_FILE, &bytes, &size);
    if (result == TOOL_OK && !jpeg_is_sane(bytes, size))
        result = complain(TOOL_FILE, "%s: cannot be decoded: a table of the JPEG has more than 256 codes", path);
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
