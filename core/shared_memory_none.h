/* SPDX-License-Identifier: Apache-2.0 */
/* core/shared_memory_none.h - NNRT_NO_STDIO: tensors without descriptors.   >>shared_memory_none

   The names of shared_memory_posix.h. A tensor's memory comes from NNRT_MALLOC and belongs to this program alone. */
#ifndef NNRT_CORE_SHARED_MEMORY_NONE_H
#define NNRT_CORE_SHARED_MEMORY_NONE_H

#include "error.h"

typedef struct nnrt__pages {
    void *block; /* NULL: none */
    void *data;  /* in block, at a multiple of 64 bytes */
    int fd;      /* always -1 */
    size_t offset;
} nnrt__pages;

NNRT__FN OH_NN_ReturnCode nnrt__pages_new(nnrt__pages *pages, size_t size) {
    pages->data = nnrt__alloc_aligned(size, 64, &pages->block);
    if (pages->data == NULL) return nnrt__fail(OH_NN_MEMORY_ERROR, "out of memory for a tensor of %zu bytes", size);
    memset(pages->data, 0, size);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__fail_no_descriptors(void) {
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "this build has no file descriptors (NNRT_NO_STDIO)");
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
NNRT__FN size_t nnrt__pages_bytes(const nnrt__pages *pages) { return nnrt__block_bytes(pages->block); }

NNRT__FN void nnrt__pages_free(nnrt__pages *pages) {
    nnrt__free(pages->block);
    memset(pages, 0, sizeof(*pages));
    pages->fd = -1;
}

#endif /* NNRT_CORE_SHARED_MEMORY_NONE_H */
