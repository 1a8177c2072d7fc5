/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/library.h - Horizon's libdnn: finding and opening it, its version and its functions.   >>bpu_library

   By default the library is looked for at run time with dlopen, so that one binary runs with and without it, and on
   boards of both kinds. NNRT_BPU_LINK refers to the functions directly. Either way the text of hbDNNGetVersion decides
   which structures the library has (abi.h); an unmeasured version is refused. */
#ifndef NNRT_BPU_LIBRARY_H
#define NNRT_BPU_LIBRARY_H

#include "../core/error.h"
#include "../core/platform.h"
#include "abi.h"
#ifdef NNRT_BPU_USE_VENDOR_HEADER
#include "vendor_check.h"
#endif

/* The last minor versions whose headers were measured. Structures have only changed with minor versions that add
   fields; a newer minor version is used and logged, another major version is not. */
#define NNRT__BPU_LAST_DNN 24u
#define NNRT__BPU_LAST_UCP 13u

typedef void (*nnrt__bpu_done)(nnrt__bpu_handle task, int32_t status, void *user);

/* The functions of the library in groups: X(symbol, slot of nnrt__bpu_api, result, parameters). Properties and tensors
   are the layout's bytes. All except the texts return 0 or a code of abi.h. */
/* clang-format off */
/* Of every version. */
#define NNRT__BPU_SHARED_SYMBOLS(X) \
    X(hbDNNGetVersion, version, const char *, (void)) \
    X(hbDNNInitializeFromFiles, load_files, int32_t, \
      (nnrt__bpu_handle *packed, const char *const *files, int32_t count)) \
    X(hbDNNInitializeFromDDR, load_memory, int32_t, \
      (nnrt__bpu_handle *packed, const void *const *data, const int32_t *sizes, int32_t count)) \
    X(hbDNNRelease, release, int32_t, (nnrt__bpu_handle packed)) \
    X(hbDNNGetModelNameList, names, int32_t, (const char *const **names, int32_t *count, nnrt__bpu_handle packed)) \
    X(hbDNNGetModelHandle, model, int32_t, (nnrt__bpu_handle *model, nnrt__bpu_handle packed, const char *name)) \
    X(hbDNNGetInputCount, input_count, int32_t, (int32_t *count, nnrt__bpu_handle model)) \
    X(hbDNNGetInputName, input_name, int32_t, (const char **name, nnrt__bpu_handle model, int32_t index)) \
    X(hbDNNGetInputTensorProperties, input_properties, int32_t, \
      (void *properties, nnrt__bpu_handle model, int32_t index)) \
    X(hbDNNGetOutputCount, output_count, int32_t, (int32_t *count, nnrt__bpu_handle model)) \
    X(hbDNNGetOutputName, output_name, int32_t, (const char **name, nnrt__bpu_handle model, int32_t index)) \
    X(hbDNNGetOutputTensorProperties, output_properties, int32_t, \
      (void *properties, nnrt__bpu_handle model, int32_t index))

/* Of every version, under two names. */
#define NNRT__BPU_TASK_SYMBOLS(X, wait_symbol, release_symbol) \
    X(wait_symbol, wait, int32_t, (nnrt__bpu_handle task, int32_t milliseconds)) /* 0 and less: for ever */ \
    X(release_symbol, release_task, int32_t, (nnrt__bpu_handle task))

/* Version 1; *outputs is the array. Controls are nnrt__bpu_control_*. */
#define NNRT__BPU_DNN_SYMBOLS(X) \
    NNRT__BPU_TASK_SYMBOLS(X, hbDNNWaitTaskDone, hbDNNReleaseTask) NNRT__BPU_DNN_OWN(X)
#define NNRT__BPU_DNN_OWN(X) \
    X(hbDNNInfer, infer, int32_t, \
      (nnrt__bpu_handle *task, void **outputs, const void *inputs, nnrt__bpu_handle model, void *control)) \
    X(hbSysAllocMem, allocate, int32_t, (nnrt__bpu_dnn_memory *memory, uint32_t size)) \
    X(hbSysAllocCachedMem, allocate_cached, int32_t, (nnrt__bpu_dnn_memory *memory, uint32_t size)) \
    X(hbSysFreeMem, free_memory, int32_t, (nnrt__bpu_dnn_memory *memory)) \
    X(hbSysFlushMem, flush, int32_t, (nnrt__bpu_dnn_memory *memory, int32_t flag))

#define NNRT__BPU_DNN_OPTIONAL(X) \
    X(hbDNNRoiInfer, infer_regions, int32_t, \
      (nnrt__bpu_handle *task, void **outputs, const void *inputs, nnrt__bpu_region *regions, \
       int32_t count, nnrt__bpu_handle model, void *control)) \
    X(hbDNNResize, resize, int32_t, \
      (nnrt__bpu_handle *task, void *output, const void *input, const nnrt__bpu_region *region, \
       nnrt__bpu_resize_control *control)) /* 1.6 to 1.22 */ \
    X(hbDNNGetInputSource, input_source, int32_t, (int32_t *source, nnrt__bpu_handle model, int32_t index))

/* UCP. */
#define NNRT__BPU_UCP_SYMBOLS(X) \
    NNRT__BPU_TASK_SYMBOLS(X, hbUCPWaitTaskDone, hbUCPReleaseTask) NNRT__BPU_UCP_OWN(X)
#define NNRT__BPU_UCP_OWN(X) \
    X(hbDNNInferV2, ucp_infer, int32_t, \
      (nnrt__bpu_handle *task, void *outputs, const void *inputs, nnrt__bpu_handle model)) \
    X(hbDNNGetTaskOutputTensorProperties, task_output, int32_t, \
      (void *properties, nnrt__bpu_handle task, int32_t run, int32_t output)) \
    X(hbUCPSubmitTask, submit, int32_t, (nnrt__bpu_handle task, nnrt__bpu_schedule *schedule)) \
    X(hbUCPMalloc, ucp_allocate, int32_t, (nnrt__bpu_ucp_memory *memory, uint64_t size, int32_t device)) \
    X(hbUCPMallocCached, ucp_allocate_cached, int32_t, (nnrt__bpu_ucp_memory *memory, uint64_t size, int32_t device)) \
    X(hbUCPFree, ucp_free, int32_t, (nnrt__bpu_ucp_memory *memory)) \
    X(hbUCPMemFlush, ucp_flush, int32_t, (const nnrt__bpu_ucp_memory *memory, int32_t flag))

#define NNRT__BPU_UCP_OPTIONAL(X) \
    X(hbDNNGetCompileBpuCoreNum, core_count, int32_t, \
      (int32_t *cores, nnrt__bpu_handle model)) /* from UCP 3.12 on */ \
    X(hbUCPGetSocName, soc_name, const char *, (void))
/* clang-format on */

/* NULL: this library lacks it. */
typedef struct nnrt__bpu_api {
#define NNRT__BPU_SLOT(symbol, slot, result, parameters) result(*slot) parameters;
    NNRT__BPU_SHARED_SYMBOLS(NNRT__BPU_SLOT)
    NNRT__BPU_TASK_SYMBOLS(NNRT__BPU_SLOT, wait, release_task)
    NNRT__BPU_DNN_OWN(NNRT__BPU_SLOT)
    NNRT__BPU_DNN_OPTIONAL(NNRT__BPU_SLOT)
    NNRT__BPU_UCP_OWN(NNRT__BPU_SLOT)
    NNRT__BPU_UCP_OPTIONAL(NNRT__BPU_SLOT)
#undef NNRT__BPU_SLOT
} nnrt__bpu_api;

typedef struct nnrt__bpu_library {
    nnrt__bpu_api api;
    const nnrt__bpu_layout *layout;
    char name[256];    /* as it was opened */
    char version[64];  /* what it calls itself, all of it */
    char stand_in[32]; /* the chip that a stand-in for the vendor's library simulates; "": no stand-in */
    const char *march; /* of the runtime below it, "bernoulli2"; NULL: it does not tell */
} nnrt__bpu_library;

/* Reads a number and moves text past it; false: there is none, or it exceeds 65535. */
NNRT__FN bool nnrt__bpu_read_number(const char **text, uint32_t *number) {
    const char *at = *text;
    *number = 0;
    while (*at >= '0' && *at <= '9' && *number <= UINT16_MAX) *number = *number * 10 + (uint32_t)(*at++ - '0');
    if (at == *text || *number > UINT16_MAX) return false;
    *text = at;
    return true;
}

/* "1.18.4_(3.15.25 HBRT)" is 1, 18: what follows an underscore is about another library. false: it is no version. */
NNRT__FN bool nnrt__bpu_read_version(const char *text, uint32_t *major, uint32_t *minor) {
    uint32_t patch;
    if (!nnrt__bpu_read_number(&text, major) || *text++ != '.' || !nnrt__bpu_read_number(&text, minor)) return false;
    while (*text == '.') {
        text++;
        if (!nnrt__bpu_read_number(&text, &patch)) return false;
    }
    return *text == '\0' || *text == '_';
}

/* Asks the library for its version. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_find_layout(nnrt__bpu_library *library) {
    const char *text = library->api.version();
    uint32_t major, minor;
    nnrt__format(library->version, sizeof(library->version), "%s", text != NULL ? text : "");
    if (!nnrt__bpu_read_version(library->version, &major, &minor))
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                          "%.100s says \"%.40s\" where it should say its version: nnrt cannot tell which structures it "
                          "has",
                          library->name, library->version);
    library->layout = nnrt__bpu_layout_find(major, minor);
    if (library->layout != NULL) {
        if (minor > (library->layout->is_ucp ? NNRT__BPU_LAST_UCP : NNRT__BPU_LAST_DNN))
            nnrt__log(NNRT_LOG_WARNING,
                      "%.100s is version %.40s, newer than %s, the last that nnrt was made with: its structures are "
                      "taken to be the same",
                      library->name, library->version, library->layout->is_ucp ? "3.13" : "1.24");
        return OH_NN_SUCCESS;
    }
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                      "%.100s is version %.40s, whose structures nobody has measured: nnrt uses 1.6 and later ones of "
                      "1, and UCP 3.6 and later ones of 3",
                      library->name, library->version);
}

/* Finds the functions, in the library that is there or that the program was linked with. OH_NN_UNAVAILABLE_DEVICE with
   the reason. What was opened stays open until the program ends. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_library_open(nnrt__bpu_library *library);

#ifdef NNRT_BPU_LINK
#include "library_link.h"
#else
#ifdef NNRT__HAS_DLOPEN
#include "library_dlopen.h"
#endif
#endif

#endif /* NNRT_BPU_LIBRARY_H */
