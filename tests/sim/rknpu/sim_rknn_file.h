/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_file.h - the outside of a simulated .rknn, which is that of a real one (rknpu/file.h reads it, too).

   64 bytes of header ("RKNN", 4 zero bytes, u64 format version, u64 length of the body, zeros), the body, u64 length of
   a JSON text, and the text with "target_platform" and "version". The body is a network for sim_model_load.

   librknnrt needs the length and not the text; librknnmrt reads neither. A body of ours does not name its chip, which a
   real one does: a file without a text is for every chip here. */
#ifndef NNRT_TESTS_SIM_RKNN_FILE_H
#define NNRT_TESTS_SIM_RKNN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/sim_model.h"

typedef struct sim_rknn_file {
    char platform[32]; /* target_platform; "": it is not told */
    uint64_t format_version;
    const uint8_t *body; /* in the bytes of the file */
    size_t body_size;    /* librknnmrt: at most so many, to the end of the file */
} sim_rknn_file;

/* NULL, or why it is not such a file, in one line. The format is not judged. */
const char *sim_rknn_file_open(const uint8_t *bytes, size_t size, bool mini, sim_rknn_file *file);

/* What that runtime (version: 0xMMmmpp) does with a file of that format. */
typedef enum sim_rknn_verdict {
    SIM_RKNN_TAKES,
    SIM_RKNN_REFUSES,
    SIM_RKNN_DIES /* of SIGSEGV, inside rknn_init */
} sim_rknn_verdict;

sim_rknn_verdict sim_rknn_file_format(uint64_t format, bool mini, uint32_t version);

/* Has the file a true command stream, as far as its body looks, and no network of make_model.py? */
bool sim_rknn_stream_is(const sim_rknn_file *file);
/* Its network, run by the NPU in software (tools/rkchip). NULL: *error says why in one line. The bytes are copied. */
sim_model *sim_rknn_stream_load(const uint8_t *bytes, size_t size, const char **error);

#endif /* NNRT_TESTS_SIM_RKNN_FILE_H */
