/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/library_link.h - Horizon's libraries linked into the program; a piece of library.h.   >>bpu_library_link

   NNRT_BPU_LINK is the first number of the version that the program is linked with, 1 or 3: the two have no function
   for running in common, so that one program cannot be linked with both. Functions are declared under names of nnrt's
   own that stand for the vendor's symbols, so that the vendor's headers can be included as well; those that some
   releases lack are weak. */
#ifndef NNRT_BPU_LIBRARY_LINK_H
#define NNRT_BPU_LIBRARY_LINK_H

#if (NNRT_BPU_LINK + 0) != 1 && (NNRT_BPU_LINK + 0) != 3
#error "nnrt: NNRT_BPU_LINK is 1 (libdnn of X3, J5, X5) or 3 (libdnn and libhbucp of S100, S600)"
#endif
#if !defined(__GNUC__) && !defined(__clang__)
#error "nnrt: NNRT_BPU_LINK needs a compiler with weak symbols, GCC or clang"
#endif

#define NNRT__BPU_STRONG(symbol) __asm__(symbol)
#define NNRT__BPU_WEAK(symbol) __asm__(symbol) __attribute__((weak))

#ifdef __cplusplus
extern "C" {
#endif

const char *nnrt__bpu_link_version(void) NNRT__BPU_STRONG("hbDNNGetVersion");
int32_t nnrt__bpu_link_load_files(nnrt__bpu_handle *packed, const char *const *files, int32_t count)
    NNRT__BPU_STRONG("hbDNNInitializeFromFiles");
int32_t nnrt__bpu_link_load_memory(nnrt__bpu_handle *packed, const void *const *data, const int32_t *sizes,
                                   int32_t count) NNRT__BPU_STRONG("hbDNNInitializeFromDDR");
int32_t nnrt__bpu_link_release(nnrt__bpu_handle packed) NNRT__BPU_STRONG("hbDNNRelease");
int32_t nnrt__bpu_link_names(const char *const **names, int32_t *count, nnrt__bpu_handle packed)
    NNRT__BPU_STRONG("hbDNNGetModelNameList");
int32_t nnrt__bpu_link_model(nnrt__bpu_handle *model, nnrt__bpu_handle packed, const char *name)
    NNRT__BPU_STRONG("hbDNNGetModelHandle");
int32_t nnrt__bpu_link_input_count(int32_t *count, nnrt__bpu_handle model) NNRT__BPU_STRONG("hbDNNGetInputCount");
int32_t nnrt__bpu_link_input_name(const char **name, nnrt__bpu_handle model, int32_t index)
    NNRT__BPU_STRONG("hbDNNGetInputName");
int32_t nnrt__bpu_link_input_properties(void *properties, nnrt__bpu_handle model, int32_t index)
    NNRT__BPU_STRONG("hbDNNGetInputTensorProperties");
int32_t nnrt__bpu_link_output_count(int32_t *count, nnrt__bpu_handle model) NNRT__BPU_STRONG("hbDNNGetOutputCount");
int32_t nnrt__bpu_link_output_name(const char **name, nnrt__bpu_handle model, int32_t index)
    NNRT__BPU_STRONG("hbDNNGetOutputName");
int32_t nnrt__bpu_link_output_properties(void *properties, nnrt__bpu_handle model, int32_t index)
    NNRT__BPU_STRONG("hbDNNGetOutputTensorProperties");
/* Of a stand-in for the vendor's library, which says what board it plays. */
const char *nnrt__bpu_link_chip(void) NNRT__BPU_WEAK("nnrt_bpu_chip");

#if (NNRT_BPU_LINK + 0) == 1
int32_t nnrt__bpu_link_infer(nnrt__bpu_handle *task, void **outputs, const void *inputs, nnrt__bpu_handle model,
                             void *control) NNRT__BPU_STRONG("hbDNNInfer");
int32_t nnrt__bpu_link_infer_regions(nnrt__bpu_handle *task, void **outputs, const void *inputs,
                                     nnrt__bpu_region *regions, int32_t count, nnrt__bpu_handle model, void *control)
    NNRT__BPU_WEAK("hbDNNRoiInfer");
int32_t nnrt__bpu_link_wait(nnrt__bpu_handle task, int32_t milliseconds) NNRT__BPU_STRONG("hbDNNWaitTaskDone");
int32_t nnrt__bpu_link_release_task(nnrt__bpu_handle task) NNRT__BPU_STRONG("hbDNNReleaseTask");
int32_t nnrt__bpu_link_allocate(nnrt__bpu_dnn_memory *memory, uint32_t size) NNRT__BPU_STRONG("hbSysAllocMem");
int32_t nnrt__bpu_link_allocate_cached(nnrt__bpu_dnn_memory *memory, uint32_t size)
    NNRT__BPU_STRONG("hbSysAllocCachedMem");
int32_t nnrt__bpu_link_free_memory(nnrt__bpu_dnn_memory *memory) NNRT__BPU_STRONG("hbSysFreeMem");
int32_t nnrt__bpu_link_flush(nnrt__bpu_dnn_memory *memory, int32_t flag) NNRT__BPU_STRONG("hbSysFlushMem");
int32_t nnrt__bpu_link_resize(nnrt__bpu_handle *task, void *output, const void *input, const nnrt__bpu_region *region,
                              nnrt__bpu_resize_control *control) NNRT__BPU_WEAK("hbDNNResize");
int32_t nnrt__bpu_link_input_source(int32_t *source, nnrt__bpu_handle model, int32_t index)
    NNRT__BPU_WEAK("hbDNNGetInputSource");
#define NNRT__BPU_LINKED(X) NNRT__BPU_SHARED_SYMBOLS(X) NNRT__BPU_DNN_SYMBOLS(X) NNRT__BPU_DNN_OPTIONAL(X)
#else
int32_t nnrt__bpu_link_ucp_infer(nnrt__bpu_handle *task, void *outputs, const void *inputs, nnrt__bpu_handle model)
    NNRT__BPU_STRONG("hbDNNInferV2");
int32_t nnrt__bpu_link_task_output(void *properties, nnrt__bpu_handle task, int32_t run, int32_t output)
    NNRT__BPU_STRONG("hbDNNGetTaskOutputTensorProperties");
int32_t nnrt__bpu_link_submit(nnrt__bpu_handle task, nnrt__bpu_schedule *schedule) NNRT__BPU_STRONG("hbUCPSubmitTask");
int32_t nnrt__bpu_link_wait(nnrt__bpu_handle task, int32_t milliseconds) NNRT__BPU_STRONG("hbUCPWaitTaskDone");
int32_t nnrt__bpu_link_release_task(nnrt__bpu_handle task) NNRT__BPU_STRONG("hbUCPReleaseTask");
int32_t nnrt__bpu_link_ucp_allocate(nnrt__bpu_ucp_memory *memory, uint64_t size, int32_t device)
    NNRT__BPU_STRONG("hbUCPMalloc");
int32_t nnrt__bpu_link_ucp_allocate_cached(nnrt__bpu_ucp_memory *memory, uint64_t size, int32_t device)
    NNRT__BPU_STRONG("hbUCPMallocCached");
int32_t nnrt__bpu_link_ucp_free(nnrt__bpu_ucp_memory *memory) NNRT__BPU_STRONG("hbUCPFree");
int32_t nnrt__bpu_link_ucp_flush(const nnrt__bpu_ucp_memory *memory, int32_t flag) NNRT__BPU_STRONG("hbUCPMemFlush");
int32_t nnrt__bpu_link_core_count(int32_t *cores, nnrt__bpu_handle model) NNRT__BPU_WEAK("hbDNNGetCompileBpuCoreNum");
const char *nnrt__bpu_link_soc_name(void) NNRT__BPU_WEAK("hbUCPGetSocName");
#define NNRT__BPU_LINKED(X) NNRT__BPU_SHARED_SYMBOLS(X) NNRT__BPU_UCP_SYMBOLS(X) NNRT__BPU_UCP_OPTIONAL(X)
#endif

#ifdef __cplusplus
}
#endif

NNRT__FN OH_NN_ReturnCode nnrt__bpu_library_open(nnrt__bpu_library *library) {
    nnrt__bpu_api *api = &library->api;
    const char *(*chip)(void) = nnrt__bpu_link_chip;
    OH_NN_ReturnCode code;
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "the program");
    nnrt__format(library->stand_in, sizeof(library->stand_in), "%s", chip != NULL ? chip() : "");
#define NNRT__BPU_TAKE(field, symbol) api->field = nnrt__bpu_link_##field;
    NNRT__BPU_LINKED(NNRT__BPU_TAKE)
#undef NNRT__BPU_TAKE
    code = nnrt__bpu_find_layout(library);
    if (code == OH_NN_SUCCESS && library->layout->major != (NNRT_BPU_LINK + 0))
        code = nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "NNRT_BPU_LINK is %d, and the program is linked with version %.40s",
                          NNRT_BPU_LINK + 0, library->version);
    return code;
}

#undef NNRT__BPU_LINKED
#undef NNRT__BPU_STRONG
#undef NNRT__BPU_WEAK

#endif /* NNRT_BPU_LIBRARY_LINK_H */
