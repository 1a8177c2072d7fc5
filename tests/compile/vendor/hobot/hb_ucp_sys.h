/* SPDX-License-Identifier: Apache-2.0 */
/* hb_ucp_sys.h - a stand-in for Horizon's header of this name, as dnn/hb_dnn.h beside it. */
#ifndef NNRT_TESTS_HB_UCP_SYS_H
#define NNRT_TESTS_HB_UCP_SYS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hbUCPSysMem {
    uint64_t phyAddr;
    void *virAddr;
    uint64_t memSize;
} hbUCPSysMem;

typedef enum {
    HB_SYS_MEM_CACHE_INVALIDATE = 1,
    HB_SYS_MEM_CACHE_CLEAN = 2
} hbUCPSysMemFlushFlag;

int32_t hbUCPMalloc(hbUCPSysMem *memory, uint64_t size, int32_t device);
int32_t hbUCPMallocCached(hbUCPSysMem *memory, uint64_t size, int32_t device);
int32_t hbUCPMemFlush(hbUCPSysMem const *memory, int32_t flag);
int32_t hbUCPFree(hbUCPSysMem *memory);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_HB_UCP_SYS_H */
