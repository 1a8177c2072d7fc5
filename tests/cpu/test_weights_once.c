/* SPDX-License-Identifier: Apache-2.0 */
/* test_weights_once.c - a model in a file is mapped, and its weights are packed: what has been packed is let go, so
   that the weights of a large layer are in memory once while it is built, not twice. Measured as Linux tells it. */
#define NNRT_IMPLEMENTATION /* with the allocator of the C library: fresh memory costs nothing until it is written */
#include "nnrt.h"

#include "../tflite/run_tflite.h"

#include <stdio.h>
#include <unistd.h>

enum {
    COLUMNS = 4096,
    LARGE = 32 << 20 /* bytes of weights */
};

static char path[] = "/tmp/nnrt-once-XXXXXX";

static void close_file(void) { unlink(path); }

TestSuite(weights_once, .fini = close_file);

/* A line of /proc/self/status, in KiB; 0: there is none. */
static long status_kib(const char *name) {
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0) kib = strtol(line + strlen(name), NULL, 10);
    if (file != NULL) fclose(file);
    return kib;
}

static void quantized(tensor_spec *t, float scale) {
    t->type = 9;
    t->scale = scale;
}

/* y [1, rows] = FULLY_CONNECTED(x [1, 4096], w [rows, 4096]); the weights lie behind the tables. */
static void write_model(bool is_float, size_t size) {
    const int32_t rows = (int32_t)(size / COLUMNS / (is_float ? 4 : 1));
    const int32_t x_dims[2] = {1, COLUMNS}, w_dims[2] = {rows, COLUMNS}, y_dims[2] = {1, rows};
    tensor_spec in[2] = {tensor(0, 2, x_dims), tensor(0, 2, w_dims)}, out = tensor(0, 2, y_dims);
    const int64_t options[1] = {0};
    uint8_t *weights = (uint8_t *)malloc(size);
    size_t i;
    bytes file;
    spec s;
    FILE *to;
    const int fd = mkstemp(path);
    cr_assert(fd >= 0 && weights != NULL);
    if (!is_float) quantized(&in[0], 0.05f), quantized(&in[1], 0.01f), quantized(&out, 0.2f);
    s = operator_of(9, 2, in, out);
    s.more_inputs = 0;
    option(&s, 8, 1, options);
    s.tensors[1].offset = 2;
    s.tensors[1].length = (int64_t)size;
    file = make(&s);
    s.tensors[1].offset = (int64_t)((file.size + 4095) / 4096 * 4096);
    free(file.at);
    file = make(&s);
    for (i = 0; i < size; i++) weights[i] = is_float ? 0 : (uint8_t)(i * 37 % 251);
    for (i = 0; is_float && i < size / 4; i++) ((float *)(void *)weights)[i] = (float)(i % 1021) * 0.001f;
    to = fdopen(fd, "wb");
    cr_assert(to != NULL && fwrite(file.at, 1, file.size, to) == file.size);
    cr_assert_eq(fseek(to, (long)s.tensors[1].offset, SEEK_SET), 0);
    cr_assert_eq(fwrite(weights, 1, size, to), size);
    fclose(to);
    free(weights);
    free(file.at);
}

/* Builds the model of the file; how much more memory than before this process had at once, in KiB. */
static long built(OH_NNCompilation **compilation) {
    const long before = status_kib("VmRSS:");
    off_settings settings;
    memset(&settings, 0, sizeof settings);
    *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    cr_assert_eq((int)off_build(*compilation, &settings), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    return status_kib("VmHWM:") - before;
}

static void check(bool is_float) {
    OH_NNCompilation *compilation;
    long more, weights = LARGE / 1024;
    FILE *reset;
    if (status_kib("VmHWM:") == 0) cr_skip_test("skipped, no /proc/self/status");
    write_model(is_float, LARGE);
    reset = fopen("/proc/self/clear_refs", "w"); /* the highest value begins anew */
    if (reset == NULL || fputs("5", reset) < 0 || fclose(reset) != 0) cr_skip_test("skipped, no /proc/self/clear_refs");
    if (status_kib("VmHWM:") > status_kib("VmRSS:") + 4096) cr_skip_test("skipped, the highest value stays");
    more = built(&compilation);
    cr_assert(more >= weights, "%ld KiB for %ld of weights: they are not packed", more, weights);
    cr_assert(more < weights + weights / 4, "%ld KiB at once for %ld of weights", more, weights);
    OH_NNCompilation_Destroy(&compilation);
}

Test(weights_once, of_int8_are_not_in_memory_twice_while_they_are_packed) { check(false); }
Test(weights_once, of_floats_are_not_in_memory_twice_while_they_are_packed) { check(true); }
