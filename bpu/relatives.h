/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/relatives.h - Horizon's files that are no models of this device, or not of this build.   >>bpu_relatives

   Only for a sentence, and also in builds without the backend: people meet such files before they know which device
   they need. The backend's own files are recognised by its inspect. */
#ifndef NNRT_BPU_RELATIVES_H
#define NNRT_BPU_RELATIVES_H

#include "../core/foreign.h"

#ifndef NNRT_NO_STDIO

/* As nnrt__relative_find. A .hbm of S100 and S600 is an ELF file; the names of its sections, ".horizon.hbm_info" among
   them, are near its end. */
NNRT__FN const nnrt__foreign *nnrt__bpu_relative(const uint8_t *bytes, size_t size) {
    static const char build[] = "it needs an NPU of Horizon and a build with NNRT_BACKEND_BPU";
    static const nnrt__foreign rows[] = {
        {NNRT__MAGIC(0, "\x08\x01\x10\x01\x2a"), NNRT__ANY_MAGIC, "a .bin model of Horizon", build},
        {NNRT__MAGIC(0, "#"), NNRT__MAGIC(4, "hbm"), "a .hbm model of Horizon", build}};
    static const nnrt__foreign ucp = {NNRT__ANY_MAGIC, NNRT__ANY_MAGIC, "a .hbm model of Horizon's S100 or S600",
                                      build};
    const nnrt__foreign *row = nnrt__foreign_find(rows, NNRT__COUNT_OF(rows), bytes, size);
    const size_t end = size < 65536 ? size : 65536;
    if (row != NULL) return row;
    if (size < 64 || memcmp(bytes, "\177ELF\2\1", 6) != 0) return NULL;
    return nnrt__foreign_has(bytes + (size - end), end, ".horizon.hbm") ? &ucp : NULL;
}

#endif

#endif /* NNRT_BPU_RELATIVES_H */
