/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/relatives.h - Rockchip's files that are no models of this device, or not of this build.   >>rknpu_relatives

   Only for a sentence, and also in builds without the backend: people meet such files before they know which device
   they need. The backend's own files are recognised by its inspect. */
#ifndef NNRT_RKNPU_RELATIVES_H
#define NNRT_RKNPU_RELATIVES_H

#include "../core/foreign.h"

#ifndef NNRT_NO_STDIO

/* As nnrt__relative_find. A .rkllm has no published magic: recognised by names in its known part. */
NNRT__FN const nnrt__foreign *nnrt__rknpu_relative(const uint8_t *bytes, size_t size) {
    static const char build[] = "it needs an NPU of Rockchip and a build with NNRT_BACKEND_RKNPU";
    static const char llm[] = "librkllmrt runs it, nnrt does not";
    static const nnrt__foreign rows[] = {
        {NNRT__MAGIC(0, "RKNN"), NNRT__ANY_MAGIC, "a .rknn model", build},
        {NNRT__MAGIC(0, "CYPTRKNN"), NNRT__ANY_MAGIC, "an encrypted .rknn model", build},
        {NNRT__MAGIC(0, "RKLLM"), NNRT__ANY_MAGIC, "a .rkllm language model of Rockchip", llm}};
    static const nnrt__foreign hidden = {NNRT__ANY_MAGIC, NNRT__ANY_MAGIC, "a .rkllm language model of Rockchip", llm};
    const nnrt__foreign *row = nnrt__foreign_find(rows, NNRT__COUNT_OF(rows), bytes, size);
    const size_t begin = size < 1024 ? size : 1024;
    if (row != NULL) return row;
    return nnrt__foreign_has(bytes, begin, "rkllm") || nnrt__foreign_has(bytes, begin, "RKLLM") ? &hidden : NULL;
}

#endif

#endif /* NNRT_RKNPU_RELATIVES_H */
