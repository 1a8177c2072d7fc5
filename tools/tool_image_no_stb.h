/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_image_no_stb.h - in place of tool_image_stb.h where libstb was absent when the tool was built.

   Included by tool_image.h. */
#ifndef NNRT_TOOLS_TOOL_IMAGE_NO_STB_H
#define NNRT_TOOLS_TOOL_IMAGE_NO_STB_H

static int decode_compressed(const char *path, FILE *file, picture *p) {
    static const uint8_t png[] = {0x89, 'P', 'N', 'G'}, jpeg[] = {0xff, 0xd8, 0xff}, bmp[] = {'B', 'M'};
    uint8_t first[4] = {0, 0, 0, 0};
    const size_t got = fread(first, 1, sizeof(first), file);
    (void)p;
    if (got == sizeof(first) && (memcmp(first, png, sizeof(png)) == 0 || memcmp(first, jpeg, sizeof(jpeg)) == 0 ||
                                 memcmp(first, bmp, sizeof(bmp)) == 0))
        return complain(TOOL_FILE,
                        "%s: this tool was built without libstb and reads PGM and PPM only: apt-get install libstb-dev "
                        "and make tool, or convert the picture: convert %s picture.ppm",
                        path, path);
    return complain(TOOL_FILE, "%s: is no binary PGM (P5) or PPM (P6)", path);
}

#endif /* NNRT_TOOLS_TOOL_IMAGE_NO_STB_H */
