/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/file.h - a .rknn of either kind. */
#ifndef NNRT_TOOLS_RKCHIP_FILE_H
#define NNRT_TOOLS_RKCHIP_FILE_H

#include "full_file.h"
#include "mini_file.h"

/* Reads the file, whose bytes stay the caller's and are needed as long as the model is; the model has to be freed in
   any case. false: model->sentence says what it is instead. */
static bool rkchip_model_read(rkchip_model *model, const void *file, size_t size) {
    const uint8_t *bytes = (const uint8_t *)file;
    uint64_t format;
    memset(model, 0, sizeof(*model));
    if (size < 64 || memcmp(bytes, "RKNN\0\0\0\0", 8) != 0) return rkchip_file_refuse(model, "it is no .rknn file");
    format = rkchip_read_64(bytes + 8);
    if (format == 0x1004) return rkchip_mini_read(model, bytes, size);
    if (format == 6) return rkchip_full_model_read(model, bytes, size);
    return rkchip_file_refuse(model,
                              "only files of format 0x1004, for RV1103 and RV1106, and of format 6 for RK3588 are "
                              "simulated; this one has format 0x%llx",
                              (unsigned long long)format);
}

#endif /* NNRT_TOOLS_RKCHIP_FILE_H */
