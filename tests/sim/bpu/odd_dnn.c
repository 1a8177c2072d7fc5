/* SPDX-License-Identifier: Apache-2.0 */
/* odd_dnn.c - libraries that call themselves libdnn and are not as they should be, for tests of who loads them: all of
   the vendor's functions, each of which answers its number, and a model that is described in as many bytes as
   NNRT_ODD_BYTES says. NNRT_ODD_VERSION is the version. build.sh leaves out functions by giving them other names. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ANSWERS(name, number) \
    int32_t name(void);       \
    int32_t name(void) { return number; }

const char *hbDNNGetVersion(void);
const char *hbDNNGetVersion(void) { return getenv("NNRT_ODD_VERSION"); }

/* Properties: bytes of 1, which is a possible shape of nothing. */
static int32_t describe(void *properties) {
    const char *bytes = getenv("NNRT_ODD_BYTES");
    if (bytes == NULL) return 9;
    memset(properties, 1, (size_t)atoi(bytes));
    return 0;
}

static int32_t model(void **handle) {
    static int it;
    if (getenv("NNRT_ODD_BYTES") == NULL) return 2;
    *handle = &it;
    return 0;
}

/* A physical address, then one of this process, in every version: a device opens with memory that can be had. */
static int32_t allocate(uint64_t *memory, int32_t number) {
    static uint64_t bytes[8];
    if (memory == NULL) return number;
    memory[0] = 4096;
    memory[1] = (uint64_t)(uintptr_t)bytes;
    return 0;
}
int32_t hbSysAllocCachedMem(uint64_t *memory);
int32_t hbSysAllocCachedMem(uint64_t *memory) { return allocate(memory, 18); }
int32_t hbUCPMallocCached(uint64_t *memory);
int32_t hbUCPMallocCached(uint64_t *memory) { return allocate(memory, 29); }

int32_t hbDNNInitializeFromFiles(void **packed);
int32_t hbDNNInitializeFromFiles(void **packed) { return model(packed); }
int32_t hbDNNInitializeFromDDR(void **packed);
int32_t hbDNNInitializeFromDDR(void **packed) { return model(packed) == 0 ? 0 : 3; }
int32_t hbDNNGetModelNameList(const char *const **names, int32_t *count);
int32_t hbDNNGetModelNameList(const char *const **names, int32_t *count) {
    static const char *const one[] = {"it"};
    if (getenv("NNRT_ODD_BYTES") == NULL) return 5;
    *names = one;
    *count = 1;
    return 0;
}
int32_t hbDNNGetModelHandle(void **handle);
int32_t hbDNNGetModelHandle(void **handle) { return model(handle) == 0 ? 0 : 6; }
int32_t hbDNNGetInputCount(int32_t *count);
int32_t hbDNNGetInputCount(int32_t *count) { return getenv("NNRT_ODD_BYTES") == NULL ? 7 : (*count = 1, 0); }
int32_t hbDNNGetOutputCount(int32_t *count);
int32_t hbDNNGetOutputCount(int32_t *count) { return getenv("NNRT_ODD_BYTES") == NULL ? 10 : (*count = 1, 0); }
int32_t hbDNNGetInputTensorProperties(void *properties);
int32_t hbDNNGetInputTensorProperties(void *properties) { return describe(properties); }
int32_t hbDNNGetOutputTensorProperties(void *properties);
int32_t hbDNNGetOutputTensorProperties(void *properties) { return describe(properties) == 0 ? 0 : 12; }

int32_t hbDNNGetInputSource(int32_t *source);
int32_t hbDNNGetInputSource(int32_t *source) { return getenv("NNRT_ODD_BYTES") == NULL ? 22 : (*source = 0, 0); }

ANSWERS(hbDNNRelease, 4)
ANSWERS(hbDNNGetInputName, getenv("NNRT_ODD_BYTES") == NULL ? 8 : 0)
ANSWERS(hbDNNGetOutputName, getenv("NNRT_ODD_BYTES") == NULL ? 11 : 0)
ANSWERS(hbDNNInfer, 13)
ANSWERS(hbDNNRoiInfer, 14)
ANSWERS(hbDNNWaitTaskDone, 15)
ANSWERS(hbDNNReleaseTask, 16)
ANSWERS(hbSysAllocMem, 17)
ANSWERS(hbSysFreeMem, 19)
ANSWERS(hbSysFlushMem, 20)
ANSWERS(hbDNNResize, 21)
ANSWERS(hbDNNInferV2, 23)
ANSWERS(hbDNNGetTaskOutputTensorProperties, 24)
ANSWERS(hbUCPSubmitTask, 25)
ANSWERS(hbUCPWaitTaskDone, 26)
ANSWERS(hbUCPReleaseTask, 27)
ANSWERS(hbUCPMalloc, 28)
ANSWERS(hbUCPFree, 30)
ANSWERS(hbUCPMemFlush, 31)
ANSWERS(hbDNNGetCompileBpuCoreNum, 32)
