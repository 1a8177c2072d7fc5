/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/library.h - Horizon's libdnn: found, opened, asked which it is, and its functions.   >>bpu_library

   By default the library is looked for at run time with dlopen, so that one binary runs with and without it, and on
   boards of both kinds. NNRT_BPU_LINK refers to the functions directly. Either way the text of hbDNNGetVersion decides
   which structures the library has (abi.h); one that nobody has measured is refused. */
#ifndef NNRT_BPU_LIBRARY_H
#define NNRT_BPU_LIBRARY_H

#include "../core/error.h"
#include "../core/platform.h"
#include "abi.h"
#ifdef NNRT_BPU_USE_VENDOR_HEADER
#include "vendor_check.h"
#endif

/* The last minor versions whose headers were measured. Structures have only changed with a minor version that adds to
   them at their end or between; a newer one is used with a line in the log, another major one is not. */
#define NNRT__BPU_LAST_DNN 24u
#define NNRT__BPU_LAST_UCP 13u

typedef void (*nnrt__bpu_done)(nnrt__bpu_handle task, int32_t status, void *user);

/* Properties and tensors are the layout's bytes. All functions but the texts answer 0 or a code of abi.h. */
typedef struct nnrt__bpu_api {
    /* Of every version */
    const char *(*version)(void);
    int32_t (*load_files)(nnrt__bpu_handle *packed, const char *const *files, int32_t count);
    int32_t (*load_memory)(nnrt__bpu_handle *packed, const void *const *data, const int32_t *sizes, int32_t count);
    int32_t (*release)(nnrt__bpu_handle packed);
    int32_t (*names)(const char *const **names, int32_t *count, nnrt__bpu_handle packed);
    int32_t (*model)(nnrt__bpu_handle *model, nnrt__bpu_handle packed, const char *name);
    int32_t (*input_count)(int32_t *count, nnrt__bpu_handle model);
    int32_t (*input_name)(const char **name, nnrt__bpu_handle model, int32_t index);
    int32_t (*input_properties)(void *properties, nnrt__bpu_handle model, int32_t index);
    int32_t (*output_count)(int32_t *count, nnrt__bpu_handle model);
    int32_t (*output_name)(const char **name, nnrt__bpu_handle model, int32_t index);
    int32_t (*output_properties)(void *properties, nnrt__bpu_handle model, int32_t index);
    /* Version 1; *outputs is the array. Controls are nnrt__bpu_control_*. */
    int32_t (*infer)(nnrt__bpu_handle *task, void **outputs, const void *inputs, nnrt__bpu_handle model, void *control);
    int32_t (*infer_regions)(nnrt__bpu_handle *task, void **outputs, const void *inputs, nnrt__bpu_region *regions,
                             int32_t count, nnrt__bpu_handle model, void *control);
    int32_t (*allocate)(nnrt__bpu_dnn_memory *memory, uint32_t size);
    int32_t (*allocate_cached)(nnrt__bpu_dnn_memory *memory, uint32_t size);
    int32_t (*free_memory)(nnrt__bpu_dnn_memory *memory);
    int32_t (*flush)(nnrt__bpu_dnn_memory *memory, int32_t flag);
    /* UCP */
    int32_t (*ucp_infer)(nnrt__bpu_handle *task, void *outputs, const void *inputs, nnrt__bpu_handle model);
    int32_t (*submit)(nnrt__bpu_handle task, nnrt__bpu_schedule *schedule);
    int32_t (*task_output)(void *properties, nnrt__bpu_handle task, int32_t run, int32_t output);
    int32_t (*ucp_allocate)(nnrt__bpu_ucp_memory *memory, uint64_t size, int32_t device);
    int32_t (*ucp_allocate_cached)(nnrt__bpu_ucp_memory *memory, uint64_t size, int32_t device);
    int32_t (*ucp_free)(nnrt__bpu_ucp_memory *memory);
    int32_t (*ucp_flush)(const nnrt__bpu_ucp_memory *memory, int32_t flag);
    /* Of every version, under two names */
    int32_t (*wait)(nnrt__bpu_handle task, int32_t milliseconds); /* 0 and less: for ever */
    int32_t (*release_task)(nnrt__bpu_handle task);
    /* NULL: this one does not have it */
    int32_t (*resize)(nnrt__bpu_handle *task, void *output, const void *input, const nnrt__bpu_region *region,
                      nnrt__bpu_resize_control *control); /* 1.6 to 1.22 */
    int32_t (*input_source)(int32_t *source, nnrt__bpu_handle model, int32_t index);
    int32_t (*core_count)(int32_t *cores, nnrt__bpu_handle model); /* from UCP 3.12 on */
    const char *(*soc_name)(void);                                 /* UCP */
} nnrt__bpu_api;

/* The slots of the table in groups, for whoever fills it: X(field, symbol). */
#define NNRT__BPU_SHARED_SYMBOLS(X)                      \
    X(version, "hbDNNGetVersion")                        \
    X(load_files, "hbDNNInitializeFromFiles")            \
    X(load_memory, "hbDNNInitializeFromDDR")             \
    X(release, "hbDNNRelease")                           \
    X(names, "hbDNNGetModelNameList")                    \
    X(model, "hbDNNGetModelHandle")                      \
    X(input_count, "hbDNNGetInputCount")                 \
    X(input_name, "hbDNNGetInputName")                   \
    X(input_properties, "hbDNNGetInputTensorProperties") \
    X(output_count, "hbDNNGetOutputCount")               \
    X(output_name, "hbDNNGetOutputName")                 \
    X(output_properties, "hbDNNGetOutputTensorProperties")

#define NNRT__BPU_DNN_SYMBOLS(X)              \
    X(infer, "hbDNNInfer")                    \
    X(wait, "hbDNNWaitTaskDone")              \
    X(release_task, "hbDNNReleaseTask")       \
    X(allocate, "hbSysAllocMem")              \
    X(allocate_cached, "hbSysAllocCachedMem") \
    X(free_memory, "hbSysFreeMem")            \
    X(flush, "hbSysFlushMem")

#define NNRT__BPU_DNN_OPTIONAL(X)     \
    X(infer_regions, "hbDNNRoiInfer") \
    X(resize, "hbDNNResize")          \
    X(input_source, "hbDNNGetInputSource")

#define NNRT__BPU_UCP_SYMBOLS(X)                         \
    X(ucp_infer, "hbDNNInferV2")                         \
    X(task_output, "hbDNNGetTaskOutputTensorProperties") \
    X(submit, "hbUCPSubmitTask")                         \
    X(wait, "hbUCPWaitTaskDone")                         \
    X(release_task, "hbUCPReleaseTask")                  \
    X(ucp_allocate, "hbUCPMalloc")                       \
    X(ucp_allocate_cached, "hbUCPMallocCached")          \
    X(ucp_free, "hbUCPFree")                             \
    X(ucp_flush, "hbUCPMemFlush")

#define NNRT__BPU_UCP_OPTIONAL(X)              \
    X(core_count, "hbDNNGetCompileBpuCoreNum") \
    X(soc_name, "hbUCPGetSocName")

typedef struct nnrt__bpu_library {
    nnrt__bpu_api api;
    const nnrt__bpu_layout *layout;
    char name[256];    /* as it was opened */
    char version[64];  /* what it calls itself, all of it */
    char stand_in[32]; /* the chip that a stand-in for the vendor's library plays; "": it is none */
    const char *march; /* of the runtime below it, "bernoulli2"; NULL: it does not tell */
} nnrt__bpu_library;

/* A number of text, which is moved behind it; false: there is none, or it is beyond 65535. */
NNRT__FN bool nnrt__bpu_read_number(const char **text, uint32_t *number) {
    const char *at = *text;
    *number = 0;
    while (*at >= '0' && *at <= '9' && *number <= UINT16_MAX) *number = *number * 10 + (uint32_t)(*at++ - '0');
    if (at == *text || *number > UINT16_MAX) return false;
    *text = at;
    return true;
}

/* "1.18.4_(3.15.25 HBRT)" is 1, 18: what stands behind an underscore is about another library. false: it is no
   version. */
NNRT__FN bool nnrt__bpu_read_version(const char *text, uint32_t *major, uint32_t *minor) {
    uint32_t patch;
    if (!nnrt__bpu_read_number(&text, major) || *text++ != '.' || !nnrt__bpu_read_number(&text, minor)) return false;
    while (*text == '.') {
        text++;
        if (!nnrt__bpu_read_number(&text, &patch)) return false;
    }
    return *text == '\0' || *text == '_';
}

/* The library is asked which it is. */
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
