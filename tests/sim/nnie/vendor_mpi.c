/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_mpi.c - libmpi.so: the media system's functions that a program with an NNIE calls. The board is in
   libsim_hisilicon.so. */
#include "sim_hisi.h"

#define MPI_CALL(name, lost)                          \
    do {                                              \
        int32_t mpi_answer;                           \
        mpi_need();                                   \
        if (sim_hisi_call(name, lost, &mpi_answer)) { \
            return mpi_answer;                        \
        }                                             \
    } while (0)

/* Of libraries that this one does not name as needed. */
extern int32_t memcpy_s(void *to, size_t size, const void *from, size_t length);
extern int32_t HI_UPVQE_Create(void);
extern int32_t HI_DNVQE_Create(void);
extern int32_t HI_VOICE_DecReset(void);

static void mpi_need(void) {
    static int32_t (*volatile const needed[])(void) = {HI_UPVQE_Create, HI_DNVQE_Create, HI_VOICE_DecReset};
    (void)needed;
}

typedef struct mpi_where {
    uint64_t physical;
    int32_t cached;
} mpi_where;

SIM_EXPORT int32_t HI_MPI_SYS_Init(void);
SIM_EXPORT int32_t HI_MPI_SYS_Exit(void);
SIM_EXPORT int32_t HI_MPI_VB_SetConfig(const void *config);
SIM_EXPORT int32_t HI_MPI_VB_Init(void);
SIM_EXPORT int32_t HI_MPI_VB_Exit(void);
SIM_EXPORT int32_t HI_MPI_SYS_MmzAlloc(uint64_t *physical, void **address, const char *name, const char *zone,
                                       uint32_t size);
SIM_EXPORT int32_t HI_MPI_SYS_MmzAlloc_Cached(uint64_t *physical, void **address, const char *name, const char *zone,
                                              uint32_t size);
SIM_EXPORT int32_t HI_MPI_SYS_MmzFree(uint64_t physical, void *address);
SIM_EXPORT int32_t HI_MPI_SYS_MmzFlushCache(uint64_t physical, void *address, uint32_t size);
SIM_EXPORT void *HI_MPI_SYS_Mmap(uint64_t physical, uint32_t size);
SIM_EXPORT void *HI_MPI_SYS_MmapCache(uint64_t physical, uint32_t size);
SIM_EXPORT int32_t HI_MPI_SYS_Munmap(void *address, uint32_t size);
SIM_EXPORT int32_t HI_MPI_SYS_MflushCache(uint64_t physical, void *address, uint32_t size);
SIM_EXPORT int32_t HI_MPI_SYS_GetVirMemInfo(const void *address, mpi_where *where);
SIM_EXPORT int32_t HI_MPI_SYS_GetChipId(uint32_t *chip);

int32_t HI_MPI_SYS_Init(void) {
    MPI_CALL("HI_MPI_SYS_Init", SIM_HISI_SYS_NOTREADY);
    return sim_hisi_sys(true);
}

int32_t HI_MPI_SYS_Exit(void) {
    MPI_CALL("HI_MPI_SYS_Exit", SIM_HISI_SYS_NOTREADY);
    return sim_hisi_sys(false);
}

int32_t HI_MPI_VB_SetConfig(const void *config) {
    MPI_CALL("HI_MPI_VB_SetConfig", (int32_t)0xa0018010u);
    return config ? sim_hisi_vb_config() : (int32_t)0xa0018006u;
}

int32_t HI_MPI_VB_Init(void) {
    MPI_CALL("HI_MPI_VB_Init", (int32_t)0xa0018010u);
    return sim_hisi_vb(true);
}

int32_t HI_MPI_VB_Exit(void) {
    MPI_CALL("HI_MPI_VB_Exit", (int32_t)0xa0018010u);
    return sim_hisi_vb(false);
}

/* A name is for people who look at /proc/media-mem: 15 characters, and there may be none. */
static int32_t mpi_allocate(uint64_t *physical, void **address, const char *name, uint32_t size, bool cached) {
    char shown[16];
    size_t length = 0;
    while (name && length < sizeof(shown) && name[length]) length++;
    if (length && memcpy_s(shown, sizeof(shown), name, length) != 0) return -1;
    if (!physical || !address) return SIM_HISI_SYS_NULL;
    return sim_hisi_allocate(physical, address, size, cached);
}

int32_t HI_MPI_SYS_MmzAlloc(uint64_t *physical, void **address, const char *name, const char *zone, uint32_t size) {
    MPI_CALL("HI_MPI_SYS_MmzAlloc", -1);
    (void)zone;
    return mpi_allocate(physical, address, name, size, false);
}

int32_t HI_MPI_SYS_MmzAlloc_Cached(uint64_t *physical, void **address, const char *name, const char *zone,
                                   uint32_t size) {
    MPI_CALL("HI_MPI_SYS_MmzAlloc_Cached", -1);
    (void)zone;
    return mpi_allocate(physical, address, name, size, true);
}

int32_t HI_MPI_SYS_MmzFree(uint64_t physical, void *address) {
    int32_t answer;
    if (sim_hisi_call("HI_MPI_SYS_MmzFree", -1, &answer)) {
        sim_hisi_kept(physical);
        return answer;
    }
    return sim_hisi_free(physical, address);
}

int32_t HI_MPI_SYS_MmzFlushCache(uint64_t physical, void *address, uint32_t size) {
    MPI_CALL("HI_MPI_SYS_MmzFlushCache", -1);
    return sim_hisi_flush(physical, address, size);
}

int32_t HI_MPI_SYS_MflushCache(uint64_t physical, void *address, uint32_t size) {
    MPI_CALL("HI_MPI_SYS_MflushCache", -1);
    return sim_hisi_flush(physical, address, size);
}

void *HI_MPI_SYS_Mmap(uint64_t physical, uint32_t size) {
    int32_t answer;
    return sim_hisi_call("HI_MPI_SYS_Mmap", -1, &answer) ? NULL : sim_hisi_map(physical, size, false);
}

void *HI_MPI_SYS_MmapCache(uint64_t physical, uint32_t size) {
    int32_t answer;
    return sim_hisi_call("HI_MPI_SYS_MmapCache", -1, &answer) ? NULL : sim_hisi_map(physical, size, true);
}

int32_t HI_MPI_SYS_Munmap(void *address, uint32_t size) {
    MPI_CALL("HI_MPI_SYS_Munmap", -1);
    return sim_hisi_unmap(address, size);
}

int32_t HI_MPI_SYS_GetVirMemInfo(const void *address, mpi_where *where) {
    uint64_t physical = 0;
    bool cached = false;
    MPI_CALL("HI_MPI_SYS_GetVirMemInfo", SIM_HISI_SYS_NOTREADY);
    if (!address || !where) return SIM_HISI_SYS_NULL;
    if (!sim_hisi_where(address, &physical, &cached)) return -1;
    where->physical = physical;
    where->cached = cached;
    return SIM_HISI_OK;
}

int32_t HI_MPI_SYS_GetChipId(uint32_t *chip) {
    MPI_CALL("HI_MPI_SYS_GetChipId", SIM_HISI_SYS_NOTREADY);
    if (!chip) return SIM_HISI_SYS_NULL;
    *chip = sim_hisi_the_chip()->id;
    return SIM_HISI_OK;
}
