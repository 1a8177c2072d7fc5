/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_file.h - the outside of a simulated .rknn, which is that of a real one (rknpu/file.h reads it, too).

   64 bytes of header ("RKNN", 4 zero bytes, u64 format version, u64 length of the body, zeros), the body, u64 length of
   a JSON text, and the text with "target_platform" and "version". The body is a network for sim_model_load. */
#ifndef NNRT_TESTS_SIM_RKNN_FILE_H
#define NNRT_TESTS_SIM_RKNN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sim_rknn_file {
    char platform[32];       /* target_platform */
    uint32_t format_version; /* 1 to 6 */
    const uint8_t *body;     /* in the bytes of the file */
    size_t body_size;
} sim_rknn_file;

/* NULL, or why it is not such a file, in one line. */
const char *sim_rknn_file_open(const uint8_t *bytes, size_t size, sim_rknn_file *file);

#endif /* NNRT_TESTS_SIM_RKNN_FILE_H */
