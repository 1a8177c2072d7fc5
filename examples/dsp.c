/* SPDX-License-Identifier: Apache-2.0 */
/* dsp.c - erode and dilate a picture on the DSP of a HiSilicon chip, and print what became of it.

   Build  cc -std=c99 -I build -DNNRT_DSP -o dsp examples/dsp.c -lm -lpthread -ldl
   Run    ./dsp dsp_bin/dsp0     the folder with hi_sram.bin, hi_iram0.bin, hi_dram0.bin, hi_dram1.bin */
#define NNRT_IMPLEMENTATION
#ifndef NNRT_DSP
#define NNRT_DSP
#endif
#include "nnrt.h"

#include <stdio.h>

enum {
    SIDE = 16
};

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, nnrt_last_error());
    return 1;
}

static nnrt_dsp_image image_of(const nnrt_dsp_memory *memory) {
    nnrt_dsp_image image;
    image.physical = memory->physical;
    image.data = memory->data;
    image.stride = image.width = image.height = SIDE;
    return image;
}

static void print(const char *title, const nnrt_dsp_memory *memory) {
    const uint8_t *pixels = (const uint8_t *)memory->data;
    int y, x;
    printf("%s\n", title);
    for (y = 0; y < SIDE; y++) {
        for (x = 0; x < SIDE; x++) putchar(pixels[y * SIDE + x] != 0 ? '#' : '.');
        putchar('\n');
    }
}

/* Both filters at once: the first one that is submitted runs first, as they have one priority. */
static int filter(nnrt_dsp *dsp, nnrt_dsp_memory memory[3]) {
    const nnrt_dsp_image from = image_of(&memory[0]), thin = image_of(&memory[1]), thick = image_of(&memory[2]);
    nnrt_dsp_task eroded, dilated;
    if (nnrt_dsp_erode_3x3(dsp, &from, &thin, NNRT_DSP_PRIORITY_MEDIUM, &eroded) != OH_NN_SUCCESS)
        return failed("erode");
    if (nnrt_dsp_dilate_3x3(dsp, &from, &thick, NNRT_DSP_PRIORITY_MEDIUM, &dilated) != OH_NN_SUCCESS)
        return failed("dilate");
    if (nnrt_dsp_wait(dsp, &eroded, 1000) != OH_NN_SUCCESS) return failed("erode");
    if (nnrt_dsp_wait(dsp, &dilated, 1000) != OH_NN_SUCCESS) return failed("dilate");
    print("eroded", &memory[1]);
    print("dilated", &memory[2]);
    return 0;
}

int main(int argc, char **argv) {
    nnrt_dsp_memory memory[3];
    nnrt_dsp_options options;
    nnrt_dsp *dsp = NULL;
    int i, y, x, result = 0;
    memset(&options, 0, sizeof(options));
    options.folder = argc > 1 ? argv[1] : "dsp_bin/dsp0";
    if (nnrt_dsp_open(&options, &dsp) != OH_NN_SUCCESS) return failed("the DSP cannot be opened");
    for (i = 0; i < 3; i++) {
        if (nnrt_dsp_allocate(dsp, SIDE * SIDE, &memory[i]) != OH_NN_SUCCESS) {
            result = failed("no memory");
            break;
        }
    }
    if (result == 0) {
        for (y = 0; y < SIDE; y++)
            for (x = 0; x < SIDE; x++)
                ((uint8_t *)memory[0].data)[y * SIDE + x] = (x - 8) * (x - 8) + (y - 8) * (y - 8) < 30 ? 255 : 0;
        print("drawn", &memory[0]);
        result = filter(dsp, memory);
    }
    while (i > 0) (void)nnrt_dsp_free(dsp, &memory[--i]);
    if (nnrt_dsp_close(&dsp) != OH_NN_SUCCESS && nnrt_dsp_close_hanging(&dsp) != OH_NN_SUCCESS) return failed("close");
    return result;
}
