/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/relatives.h - HiSilicon's files that are no models of this device, or not of this build.   >>nnie_relatives

   Only for a sentence, and also in builds without the backend: people meet such files before they know which device
   they need. The backend's own files are recognised by its inspect. */
#ifndef NNRT_NNIE_RELATIVES_H
#define NNRT_NNIE_RELATIVES_H

#include "../core/foreign.h"

#ifndef NNRT_NO_STDIO

/* As nnrt__relative_find. "IMOD" is seen. Of a .wk of the first mappers (V100R001) nothing but its checksum in front
   and the version of the mapper in its header is known. */
NNRT__FN const nnrt__foreign *nnrt__nnie_relative(const uint8_t *bytes, size_t size) {
    static const nnrt__foreign rows[] = {
        {NNRT__MAGIC(8, "\xc0\0\0\0"), NNRT__MAGIC(16, "\1\1\1"), "a .wk model of HiSilicon",
         "it needs an NNIE of HiSilicon and a build with NNRT_BACKEND_NNIE"},
        {NNRT__MAGIC(0, "IMOD"), NNRT__ANY_MAGIC, "a .om model of Ascend or of HiSilicon's newer chips (SVP_ACL)",
         "an NNIE does not take it, and nnrt has no device for it: map the original model with nnie_mapper"}};
    static const nnrt__foreign old = {
        NNRT__ANY_MAGIC, NNRT__ANY_MAGIC, "a .wk model of an early mapper",
        "libraries of today refuse it: map the original model again with the SDK's nnie_mapper"};
    const nnrt__foreign *row = nnrt__foreign_find(rows, NNRT__COUNT_OF(rows), bytes, size);
    if (row != NULL) return row;
    return size >= 192 && nnrt__foreign_has(bytes, 192, "V100R001") ? &old : NULL;
}

#endif

#endif /* NNRT_NNIE_RELATIVES_H */
