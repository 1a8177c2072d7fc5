/* SPDX-License-Identifier: Apache-2.0 */
/* vendor.h - the simulated HiSilicon board as a program of the vendor's meets it: its libraries loaded in the order
   that works, functions by dlsym, nothing of nnrt but the structures. For tests. */
#ifndef NNRT_TESTS_SIM_NNIE_VENDOR_H
#define NNRT_TESTS_SIM_NNIE_VENDOR_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../nnie/abi.h"
#include "../common/sim_control.h"
#include "sim_hisi_control.h"

typedef nnrt__nnie_memory vendor_memory;
typedef nnrt__nnie_blob vendor_blob;
typedef nnrt__nnie_model vendor_model;

typedef struct vendor_where { /* SYS_VIRMEM_INFO_S */
    uint64_t physical;
    int32_t cached;
} vendor_where;

typedef struct vendor_api {
    int32_t (*load_model)(const vendor_memory *file, vendor_model *model);
    int32_t (*unload_model)(vendor_model *model);
    int32_t (*task_sizes)(uint32_t frames, uint32_t boxes, const vendor_model *model, uint32_t sizes[],
                          uint32_t segments);
    int32_t (*forward)(int32_t *handle, const vendor_blob inputs[], const vendor_model *model,
                       const vendor_blob outputs[], const nnrt__nnie_forward *control, int32_t instant);
    int32_t (*forward_boxes)(int32_t *handle, const vendor_blob inputs[], const vendor_blob boxes[],
                             const vendor_model *model, const vendor_blob outputs[],
                             const nnrt__nnie_forward_boxes *control, int32_t instant);
    int32_t (*query)(uint32_t core, int32_t handle, int32_t *finished, int32_t block);
    int32_t (*add_task)(const vendor_memory *task);
    int32_t (*remove_task)(const vendor_memory *task);

    int32_t (*sys_init)(void);
    int32_t (*sys_exit)(void);
    int32_t (*vb_set_config)(const void *config);
    int32_t (*vb_init)(void);
    int32_t (*vb_exit)(void);
    int32_t (*alloc)(uint64_t *physical, void **address, const char *name, const char *zone, uint32_t size);
    int32_t (*alloc_cached)(uint64_t *physical, void **address, const char *name, const char *zone, uint32_t size);
    int32_t (*free)(uint64_t physical, void *address);
    int32_t (*flush)(uint64_t physical, void *address, uint32_t size);
    void *(*mmap)(uint64_t physical, uint32_t size);
    void *(*mmap_cached)(uint64_t physical, uint32_t size);
    int32_t (*munmap)(void *address, uint32_t size);
    int32_t (*mflush)(uint64_t physical, void *address, uint32_t size);
    int32_t (*where)(const void *address, vendor_where *where);
    int32_t (*chip_id)(uint32_t *id);

    void (*fault)(const char *specification);
    unsigned (*calls)(const char *function);
    void (*release_hang)(void);
    unsigned (*mistakes)(void);
    const char *(*mistake)(unsigned index);
    void (*get_live)(nnrt_sim_live *live);
    void (*strict)(int strict);
    void (*task_time)(const char *microseconds);
    void (*block_time)(unsigned milliseconds);
    void (*get_work)(nnrt_sim_work *work);
    int (*memory_write)(uint64_t physical, const void *data, size_t size);
    int (*memory_read)(uint64_t physical, void *data, size_t size);
} vendor_api;

static const char *vendor_folder(void) {
    const char *folder = getenv("NNRT_SIM_DIR");
    return folder && *folder ? folder : "build/sim";
}

static void *vendor_library(const char *release, const char *name, int visible) {
    char path[512];
    snprintf(path, sizeof(path), "%s/%s%s%s", vendor_folder(), release, *release ? "/" : "", name);
    return dlopen(path, RTLD_NOW | visible);
}

/* The board of the chip with the libraries of a release ("2.0.1"; "": the newest). false: it is not built. */
static bool vendor_open(vendor_api *v, const char *chip, const char *release) {
    static const char *const needed[] = {"libsecurec.so", "libupvqe.so", "libdnvqe.so", "libVoiceEngine.so",
                                         "libmpi.so"};
    static const char *const names[] = {"HI_MPI_SVP_NNIE_LoadModel",
                                        "HI_MPI_SVP_NNIE_UnloadModel",
                                        "HI_MPI_SVP_NNIE_GetTskBufSize",
                                        "HI_MPI_SVP_NNIE_Forward",
                                        "HI_MPI_SVP_NNIE_ForwardWithBbox",
                                        "HI_MPI_SVP_NNIE_Query",
                                        "HI_MPI_SVP_NNIE_AddTskBuf",
                                        "HI_MPI_SVP_NNIE_RemoveTskBuf",
                                        "HI_MPI_SYS_Init",
                                        "HI_MPI_SYS_Exit",
                                        "HI_MPI_VB_SetConfig",
                                        "HI_MPI_VB_Init",
                                        "HI_MPI_VB_Exit",
                                        "HI_MPI_SYS_MmzAlloc",
                                        "HI_MPI_SYS_MmzAlloc_Cached",
                                        "HI_MPI_SYS_MmzFree",
                                        "HI_MPI_SYS_MmzFlushCache",
                                        "HI_MPI_SYS_Mmap",
                                        "HI_MPI_SYS_MmapCache",
                                        "HI_MPI_SYS_Munmap",
                                        "HI_MPI_SYS_MflushCache",
                                        "HI_MPI_SYS_GetVirMemInfo",
                                        "HI_MPI_SYS_GetChipId",
                                        "nnrt_sim_fault",
                                        "nnrt_sim_calls",
                                        "nnrt_sim_release_hang",
                                        "nnrt_sim_mistakes",
                                        "nnrt_sim_mistake",
                                        "nnrt_sim_get_live",
                                        "nnrt_sim_strict",
                                        "nnrt_sim_task_time",
                                        "nnrt_sim_block_time",
                                        "nnrt_sim_get_work",
                                        "nnrt_sim_memory_write",
                                        "nnrt_sim_memory_read"};
    void *nnie = NULL;
    size_t i;
    setenv("NNRT_SIM_CHIP", chip, 1);
    memset(v, 0, sizeof(*v));
    for (i = 0; i < sizeof(needed) / sizeof(needed[0]); ++i)
        if (!vendor_library(release, needed[i], RTLD_GLOBAL)) return false;
    nnie = vendor_library(release, "libnnie.so", RTLD_GLOBAL);
    if (!nnie) return false;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        void *symbol = dlsym(RTLD_DEFAULT, names[i]);
        if (!symbol) return false;
        memcpy((char *)v + i * sizeof(void *), &symbol, sizeof(symbol)); /* no cast from void * to a function in C */
    }
    return true;
}

/* Has a mistake been kept that begins so? */
__attribute__((unused)) static bool vendor_has_mistake(const vendor_api *v, const char *beginning) {
    unsigned i;
    for (i = 0; i < v->mistakes(); ++i)
        if (strncmp(v->mistake(i), beginning, strlen(beginning)) == 0) return true;
    return false;
}

#endif /* NNRT_TESTS_SIM_NNIE_VENDOR_H */
