/* SPDX-License-Identifier: Apache-2.0 */
/* hb_sys.h - a stand-in for Horizon's header of this name, as hb_dnn.h beside it. */
#ifndef NNRT_TESTS_HB_SYS_H
#define NNRT_TESTS_HB_SYS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    HB_BPU_CORE_ANY = 0,
    HB_BPU_CORE_0 = 1,
    HB_BPU_CORE_1 = 2
} hbBPUCore;
typedef enum {
    HB_SYS_MEM_CACHE_INVALIDATE = 1,
    HB_SYS_MEM_CACHE_CLEAN = 2
} hbSysMemFlushFlag;

typedef struct {
    uint64_t phyAddr;
    void *virAddr;
    uint32_t memSize;
} hbSysMem;

int32_t hbSysAllocMem(hbSysMem *memory, uint32_t size);
int32_t hbSysAllocCachedMem(hbSysMem *memory, uint32_t size);
int32_t hbSysFreeMem(hbSysMem *memory);
int32_t hbSysFlushMem(hbSysMem *memory, int32_t flag);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_HB_SYS_H */
