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

static int decode_compressed(const char *path, FILE *file, picture *p) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    int width = 0, height = 0, channels = 0, result = read_whole(path, file, PICTURE_FILE, &bytes, &size);
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
