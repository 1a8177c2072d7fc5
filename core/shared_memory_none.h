/* SPDX-License-Identifier: Apache-2.0 */
/* core/shared_memory_none.h - NNRT_NO_STDIO: tensors without descriptors.   >>shared_memory_none

   The names of shared_memory_posix.h. A tensor's memory is the rest of a block of NNRT_MALLOC (tensor.h), private to
   this program; there are no pages. */
#ifndef NNRT_CORE_SHARED_MEMORY_NONE_H
#define NNRT_CORE_SHARED_MEMORY_NONE_H

#include "error.h"

typedef struct nnrt__pages {
    int fd;        /* always -1 */
    size_t offset; /* always 0 */
} nnrt__pages;

NNRT__FN OH_NN_ReturnCode nnrt__fail_no_descriptors(void) {
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "this build has no file descriptors (NNRT_NO_STDIO)");
}

/* Never called: nnrt__buffer_create needs none. */
NNRT__FN OH_NN_ReturnCode nnrt__pages_new(nnrt__pages *pages, size_t size) {
    (void)pages;
    (void)size;
    return nnrt__fail_no_descriptors();
}

NNRT__FN OH_NN_ReturnCode nnrt__pages_share(nnrt__pages *pages) {
    (void)pages;
    return nnrt__fail_no_descriptors();
}

NNRT__FN OH_NN_ReturnCode nnrt__pages_adopt(nnrt__pages *pages, int fd, size_t size, size_t offset) {
    (void)pages;
    (void)fd;
    (void)size;
    (void)offset;
    return nnrt__fail_no_descriptors();
}

NNRT__FN OH_NN_ReturnCode nnrt__pages_map(nnrt__pages *pages, size_t size) {
    (void)pages;
    (void)size;
    return nnrt__fail_no_descriptors();
}

/* Bytes of NNRT_MALLOC in pages. */
NNRT__FN size_t nnrt__pages_bytes(const nnrt__pages *pages) {
    (void)pages;
    return 0;
}

NNRT__FN void nnrt__pages_free(nnrt__pages *pages) { (void)pages; }

NNRT__FN void *nnrt__pages_data(const nnrt__pages *pages) {
    (void)pages;
    return NULL;
}

#endif /* NNRT_CORE_SHARED_MEMORY_NONE_H */
