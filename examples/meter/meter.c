/* SPDX-License-Identifier: Apache-2.0 */
/* meter.c - reads the counter of a utility meter: cuts a picture into digit windows, one inference for each.

       cc -std=c99 -O2 -I build examples/meter/meter.c -o meter -lm -lpthread
       ./meter examples/meter/meter.tflite examples/meter/pictures/reading_*.pgm

   A picture is an 8-bit binary PGM, as high as the network's window and some windows wide. The network takes
   [1, height, width, 1], int8, which is pixel - 128, or uint8, and gives ten scores: float32, or int8, which are
   (score + 128) / 256 each. So it is what the CPU and each NPU make of the same model. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
    DIGITS = 10,
    MAX_SIDE = 4096,
    MAX_WINDOWS = 32
};

typedef struct meter {
    OH_NNExecutor *executor;
    NN_Tensor *input, *output;
    int height, width; /* of a digit window, in pixels */
    int black;         /* what is taken off a pixel: int8 is pixel - 128, uint8 the pixel */
    bool float_scores;
} meter;

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "meter: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

/* A number of a PGM header and the one character behind it; -1 when there is none or it is above MAX_SIDE. */
static int read_number(FILE *file) {
    int number = 0, c = getc(file);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#') {
        bool comment = c == '#';
        do c = getc(file);
        while (comment && c != '\n' && c != EOF);
    }
    if (c < '0' || c > '9') return -1;
    for (; c >= '0' && c <= '9' && number <= MAX_SIDE; c = getc(file)) number = 10 * number + (c - '0');
    return number <= MAX_SIDE ? number : -1;
}

/* Pixels of an 8-bit binary PGM, row by row, to be freed; NULL when the file is anything else. */
static uint8_t *read_pgm(const char *path, int *width, int *height) {
    uint8_t *pixels = NULL;
    size_t size = 0; /* at most MAX_SIDE squared */
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    if (getc(file) == 'P' && getc(file) == '5' && (*width = read_number(file)) > 0 &&
        (*height = read_number(file)) > 0 && read_number(file) == 255) {
        size = (size_t)*width * (size_t)*height;
        pixels = (uint8_t *)malloc(size);
    }
    if (pixels != NULL && fread(pixels, 1, size, file) != size) {
        free(pixels);
        pixels = NULL;
    }
    fclose(file);
    return pixels;
}

static meter open_meter(const char *model_path) {
    meter m;
    size_t device = 0;
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(model_path);
    check(compilation != NULL && OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS, model_path);
    m.executor = OH_NNExecutor_Construct(compilation);
    check(m.executor != NULL && nnrt_executor_get_device(m.executor, &device) == OH_NN_SUCCESS, "make an executor");
    OH_NNCompilation_Destroy(&compilation); /* the executor keeps what it needs */

    NN_TensorDesc *in = OH_NNExecutor_CreateInputTensorDesc(m.executor, 0);
    NN_TensorDesc *out = OH_NNExecutor_CreateOutputTensorDesc(m.executor, 0);
    OH_NN_DataType in_type = OH_NN_UNKNOWN, out_type = OH_NN_UNKNOWN;
    int32_t *shape = NULL;
    size_t rank = 0, scores = 0;
    check(in != NULL && out != NULL && OH_NNTensorDesc_GetDataType(in, &in_type) == OH_NN_SUCCESS &&
              OH_NNTensorDesc_GetDataType(out, &out_type) == OH_NN_SUCCESS &&
              OH_NNTensorDesc_GetShape(in, &shape, &rank) == OH_NN_SUCCESS &&
              OH_NNTensorDesc_GetElementCount(out, &scores) == OH_NN_SUCCESS,
          "ask for the shapes of the model");
    if ((in_type != OH_NN_INT8 && in_type != OH_NN_UINT8) || (out_type != OH_NN_INT8 && out_type != OH_NN_FLOAT32) ||
        rank != 4 || shape[0] != 1 || shape[3] != 1 || shape[1] < 1 || shape[2] < 1 || scores != DIGITS) {
        fprintf(stderr, "meter: %s does not turn one window of 8 bits into ten scores\n", model_path);
        exit(1);
    }
    m.black = in_type == OH_NN_INT8 ? 128 : 0;
    m.float_scores = out_type == OH_NN_FLOAT32;
    m.height = shape[1];
    m.width = shape[2];
    m.input = OH_NNTensor_Create(device, in);
    m.output = OH_NNTensor_Create(device, out);
    check(m.input != NULL && m.output != NULL, "make the tensors");
    OH_NNTensorDesc_Destroy(&in);
    OH_NNTensorDesc_Destroy(&out);
    return m;
}

/* The digit in the window whose top left pixel is at `corner` of a picture with rows of `stride` pixels. */
static int read_digit(meter *m, const uint8_t *corner, int stride, int *score) {
    uint8_t *window = (uint8_t *)OH_NNTensor_GetDataBuffer(m->input);
    const void *scores = OH_NNTensor_GetDataBuffer(m->output);
    int best = 0;
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) window[y * m->width + x] = (uint8_t)(corner[y * stride + x] - m->black);
    check(OH_NNExecutor_RunSync(m->executor, &m->input, 1, &m->output, 1) == OH_NN_SUCCESS, "run");
    *score = -1;
    for (int i = 0; i < DIGITS; i++) {
        const int one = m->float_scores ? (int)(((const float *)scores)[i] * 256) : ((const int8_t *)scores)[i] + 128;
        if (one <= *score) continue;
        *score = one;
        best = i;
    }
    return best;
}

/* Prints one line. False when the file is not a picture of digit windows. */
static bool read_picture(meter *m, const char *path) {
    char reading[MAX_WINDOWS + 1] = "";
    struct timespec start, stop;
    int width = 0, height = 0, certainty = 256;
    uint8_t *pixels = read_pgm(path, &width, &height);
    const int windows = width / m->width;
    if (pixels == NULL || height != m->height || width % m->width != 0 || windows > MAX_WINDOWS) {
        fprintf(stderr, "meter: %s: no readable 8-bit binary PGM, %d high and 1 to %d times %d wide\n", path, m->height,
                (int)MAX_WINDOWS, m->width);
        free(pixels);
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < windows; i++) {
        int score = 0;
        reading[i] = (char)('0' + read_digit(m, pixels + i * m->width, width, &score));
        if (score < certainty) certainty = score;
    }
    clock_gettime(CLOCK_MONOTONIC, &stop);
    free(pixels);
    const double ms = (double)(stop.tv_sec - start.tv_sec) * 1e3 + (double)(stop.tv_nsec - start.tv_nsec) * 1e-6;
    printf("%s  %s  least certain digit %d %%  %.3f ms per digit\n", path, reading, certainty * 100 / 256,
           ms / windows);
    return true;
}

int main(int argc, char **argv) {
    bool ok = true;
    nnrt_memory memory;
    struct rusage usage;
    if (argc < 3) {
        fprintf(stderr, "usage: meter MODEL PICTURE.pgm...\n");
        return 1;
    }
    meter m = open_meter(argv[1]);
    for (int i = 2; i < argc; i++) ok = read_picture(&m, argv[i]) && ok;
    check(nnrt_executor_get_memory(m.executor, &memory) == OH_NN_SUCCESS, "ask for memory figures");
    getrusage(RUSAGE_SELF, &usage);
    printf("arena %zu bytes, weights %zu bytes, whole process at most %ld kB\n", memory.arena_bytes,
           memory.weights_bytes, usage.ru_maxrss);
    OH_NNTensor_Destroy(&m.input);
    OH_NNTensor_Destroy(&m.output);
    OH_NNExecutor_Destroy(&m.executor);
    return ok ? 0 : 1;
}
