/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/library_link.h - the vendor's libraries linked into the program; a piece of library.h.   >>nnie_library_link

   The functions are declared under names of nnrt's own that stand for the vendor's symbols, so that the vendor's
   headers can be included as well. Those of the media system are weak: nnie.init_sys alone needs them. */
#ifndef NNRT_NNIE_LIBRARY_LINK_H
#define NNRT_NNIE_LIBRARY_LINK_H

#if !defined(__GNUC__) && !defined(__clang__)
#error "nnrt: NNRT_NNIE_LINK needs a compiler with weak symbols, GCC or clang"
#endif

#define NNRT__NNIE_STRONG(symbol) __asm__(symbol)
#define NNRT__NNIE_WEAK(symbol) __asm__(symbol) __attribute__((weak))

#ifdef __cplusplus
extern "C" {
#endif

int32_t nnrt__nnie_link_load_model(const nnrt__nnie_memory *file, nnrt__nnie_model *model)
    NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_LoadModel");
int32_t nnrt__nnie_link_unload_model(nnrt__nnie_model *model) NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_UnloadModel");
int32_t nnrt__nnie_link_task_sizes(uint32_t max_frames, uint32_t max_boxes, const nnrt__nnie_model *model,
                                   uint32_t sizes[], uint32_t segments)
    NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_GetTskBufSize");
int32_t nnrt__nnie_link_forward(int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_model *model,
                                const nnrt__nnie_blob outputs[], const nnrt__nnie_forward *control, int32_t instant)
    NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_Forward");
int32_t nnrt__nnie_link_forward_boxes(int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_blob boxes[],
                                      const nnrt__nnie_model *model, const nnrt__nnie_blob outputs[],
                                      const nnrt__nnie_forward_boxes *control, int32_t instant)
    NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_ForwardWithBbox");
int32_t nnrt__nnie_link_query(uint32_t core, int32_t handle, int32_t *finished, int32_t block)
    NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_Query");
int32_t nnrt__nnie_link_add_task_memory(const nnrt__nnie_memory *task) NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_AddTskBuf");
int32_t nnrt__nnie_link_remove_task_memory(const nnrt__nnie_memory *task)
    NNRT__NNIE_STRONG("HI_MPI_SVP_NNIE_RemoveTskBuf");
int32_t nnrt__nnie_link_allocate(uint64_t *physical, void **address, const char *name, const char *zone, uint32_t size)
    NNRT__NNIE_STRONG("HI_MPI_SYS_MmzAlloc");
int32_t nnrt__nnie_link_allocate_cached(uint64_t *physical, void **address, const char *name, const char *zone,
                                        uint32_t size) NNRT__NNIE_STRONG("HI_MPI_SYS_MmzAlloc_Cached");
int32_t nnrt__nnie_link_free_memory(uint64_t physical, void *address) NNRT__NNIE_STRONG("HI_MPI_SYS_MmzFree");
int32_t nnrt__nnie_link_flush(uint64_t physical, void *address, uint32_t size)
    NNRT__NNIE_STRONG("HI_MPI_SYS_MmzFlushCache");
int32_t nnrt__nnie_link_system_init(void) NNRT__NNIE_WEAK("HI_MPI_SYS_Init");
int32_t nnrt__nnie_link_system_exit(void) NNRT__NNIE_WEAK("HI_MPI_SYS_Exit");
int32_t nnrt__nnie_link_buffers_configure(const void *config) NNRT__NNIE_WEAK("HI_MPI_VB_SetConfig");
int32_t nnrt__nnie_link_buffers_init(void) NNRT__NNIE_WEAK("HI_MPI_VB_Init");
int32_t nnrt__nnie_link_buffers_exit(void) NNRT__NNIE_WEAK("HI_MPI_VB_Exit");
/* Of a stand-in for the vendor's library, which says what board it plays. */
const char *nnrt__nnie_link_node(void) NNRT__NNIE_WEAK("nnrt_nnie_node");

#ifdef __cplusplus
}
#endif

NNRT__FN void nnrt__mmz_link(nnrt__mmz *mmz) {
    mmz->allocate = nnrt__nnie_link_allocate;
    mmz->allocate_cached = nnrt__nnie_link_allocate_cached;
    mmz->free_memory = nnrt__nnie_link_free_memory;
    mmz->flush = nnrt__nnie_link_flush;
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_library_open(nnrt__nnie_library *library) {
    nnrt__nnie_api *api = &library->api;
    const char *(*node)(void) = nnrt__nnie_link_node;
    nnrt__nnie_set_node(library, node != NULL ? node() : NULL);
    nnrt__format(library->name, sizeof(library->name), "the program");
    api->load_model = nnrt__nnie_link_load_model;
    api->unload_model = nnrt__nnie_link_unload_model;
    api->task_sizes = nnrt__nnie_link_task_sizes;
    api->forward = nnrt__nnie_link_forward;
    api->forward_boxes = nnrt__nnie_link_forward_boxes;
    api->query = nnrt__nnie_link_query;
    api->add_task_memory = nnrt__nnie_link_add_task_memory;
    api->remove_task_memory = nnrt__nnie_link_remove_task_memory;
    nnrt__mmz_link(&api->mmz);
    api->system_init = nnrt__nnie_link_system_init;
    api->system_exit = nnrt__nnie_link_system_exit;
    api->buffers_configure = nnrt__nnie_link_buffers_configure;
    api->buffers_init = nnrt__nnie_link_buffers_init;
    api->buffers_exit = nnrt__nnie_link_buffers_exit;
    return OH_NN_SUCCESS;
}

#undef NNRT__NNIE_STRONG
#undef NNRT__NNIE_WEAK

#endif /* NNRT_NNIE_LIBRARY_LINK_H */
