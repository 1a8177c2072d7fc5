/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/mmz.h - contiguous memory of HiSilicon's libmpi, for NNIE and DSP.   >>nnie_mmz

   The engines reach it by its physical address, the CPU through a mapping. Flushing a cached block writes back and
   invalidates, in one call. */
#ifndef NNRT_NNIE_MMZ_H
#define NNRT_NNIE_MMZ_H

#include "errors.h"

/* Functions of libmpi: X(symbol, slot of nnrt__mmz, parameters). All of them answer 0, -1 or a code. */
/* clang-format off */
#define NNRT__MMZ_FUNCTIONS(X) \
    X(HI_MPI_SYS_MmzAlloc, allocate, \
      (uint64_t *physical, void **address, const char *name, const char *zone, uint32_t size)) \
    X(HI_MPI_SYS_MmzAlloc_Cached, allocate_cached, \
      (uint64_t *physical, void **address, const char *name, const char *zone, uint32_t size)) \
    X(HI_MPI_SYS_MmzFree, free_memory, (uint64_t physical, void *address)) \
    X(HI_MPI_SYS_MmzFlushCache, flush, (uint64_t physical, void *address, uint32_t size))
/* clang-format on */

typedef struct nnrt__mmz {
#define NNRT__MMZ_SLOT(symbol, slot, parameters) int32_t(*slot) parameters;
    NNRT__MMZ_FUNCTIONS(NNRT__MMZ_SLOT)
#undef NNRT__MMZ_SLOT
} nnrt__mmz;

/* The library returns just -1. */
NNRT__FN OH_NN_ReturnCode nnrt__mmz_fail(size_t size) {
    return nnrt__fail(
        OH_NN_MEMORY_ERROR,
        "no MMZ memory of %zu bytes: it is exhausted or in pieces (/proc/media-mem); give MMZ more in the "
        "parameters of its module, or use fewer or smaller models and tensors",
        size);
}

/* name is what /proc/media-mem shows. After a failure *physical is 0 and *address NULL. */
NNRT__FN OH_NN_ReturnCode nnrt__mmz_allocate(const nnrt__mmz *mmz, const char *name, bool cached, size_t size,
                                             uint64_t *physical, void **address) {
    const uint64_t bytes = size;
    int32_t vendor_code;
    *physical = 0;
    *address = NULL;
    if (bytes == 0 || bytes > UINT32_MAX)
        return nnrt__fail(OH_NN_MEMORY_ERROR, "MMZ memory comes in blocks of 1 byte to 4 GiB, not of %zu bytes", size);
    vendor_code = (cached ? mmz->allocate_cached : mmz->allocate)(physical, address, name, NULL, (uint32_t)size);
    if (vendor_code == 0 && *address != NULL && *physical != 0) return OH_NN_SUCCESS;
    if (vendor_code == 0 && *physical != 0) (void)mmz->free_memory(*physical, *address);
    *physical = 0;
    *address = NULL;
    return vendor_code == 0 || vendor_code == -1 ? nnrt__mmz_fail(size)
                                                 : nnrt__nnie_fail(vendor_code, "HI_MPI_SYS_MmzAlloc");
}

/* Writes back and invalidates size bytes at physical, data, in one cached block. */
NNRT__FN OH_NN_ReturnCode nnrt__mmz_flush(const nnrt__mmz *mmz, uint64_t physical, void *data, uint32_t size) {
    const int32_t vendor_code = mmz->flush(physical, data, size);
    return vendor_code == 0 ? OH_NN_SUCCESS : nnrt__nnie_fail(vendor_code, "HI_MPI_SYS_MmzFlushCache");
}

#endif /* NNRT_NNIE_MMZ_H */
