/* SPDX-License-Identifier: Apache-2.0 */
/* model_files.h - a folder of its own for each test, with the paths of a model and of its cache, and the meter model to
   write there. */
#ifndef NNRT_TESTS_MODEL_FILES_H
#define NNRT_TESTS_MODEL_FILES_H

#include "offline_runner.h"

#include <stdio.h>
#include <sys/stat.h>

static char folder[] = "/tmp/nnrt-files-XXXXXX";
static char model_path[64], blob_path[64], info_path[64];
static uint8_t *model;
static size_t model_size;

static void open_folder(void) {
    memcpy(folder, "/tmp/nnrt-files-XXXXXX", sizeof(folder));
    cr_assert_not_null(mkdtemp(folder));
    snprintf(model_path, sizeof(model_path), "%s/model.tflite", folder);
    snprintf(blob_path, sizeof(blob_path), "%s/0.nncache", folder);
    snprintf(info_path, sizeof(info_path), "%s/cache_info.nncache", folder);
    model = off_read("examples/meter/meter.tflite", &model_size);
    cr_assert_not_null(model);
}

static void close_folder(void) {
    free(model);
    unlink(model_path);
    unlink(blob_path);
    unlink(info_path);
    rmdir(folder);
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

#endif /* NNRT_TESTS_MODEL_FILES_H */
