/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/library.h - HiSilicon's libnnie and libmpi: found, opened and asked what they have.   >>nnie_library

   By default the libraries are looked for at run time with dlopen, so that one binary runs with and without them.
   NNRT_NNIE_LINK refers to the functions directly, for static programs, as most with a camera are. */
#ifndef NNRT_NNIE_LIBRARY_H
#define NNRT_NNIE_LIBRARY_H

#include "../core/error.h"
#include "../core/platform.h"
#include "abi.h"
#include "mmz.h"
#ifdef NNRT_NNIE_USE_VENDOR_HEADER
#include "vendor_check.h"
#endif

/* All of them answer 0 or a code of abi.h, those of libmpi -1 as well. Truths (int32_t) are 0 and 1. */
typedef struct nnrt__nnie_api {
    int32_t (*load_model)(const nnrt__nnie_memory *file, nnrt__nnie_model *model);
    int32_t (*unload_model)(nnrt__nnie_model *model);
    int32_t (*task_sizes)(uint32_t max_frames, uint32_t max_boxes, const nnrt__nnie_model *model, uint32_t sizes[],
                          uint32_t segments);
    int32_t (*forward)(int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_model *model,
                       const nnrt__nnie_blob outputs[], const nnrt__nnie_forward *control, int32_t instant);
    int32_t (*forward_boxes)(int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_blob boxes[],
                             const nnrt__nnie_model *model, const nnrt__nnie_blob outputs[],
                             const nnrt__nnie_forward_boxes *control, int32_t instant);
    int32_t (*query)(uint32_t core, int32_t handle, int32_t *finished, int32_t block);
    int32_t (*add_task_memory)(const nnrt__nnie_memory *task);
    int32_t (*remove_task_memory)(const nnrt__nnie_memory *task);
    nnrt__mmz mmz;
    /* NULL: not there; only nnie.init_sys needs them */
    int32_t (*system_init)(void);
    int32_t (*system_exit)(void);
    int32_t (*buffers_configure)(const void *config); /* VB_CONFIG_S: 520 or 776 bytes */
    int32_t (*buffers_init)(void);
    int32_t (*buffers_exit)(void);
} nnrt__nnie_api;

typedef struct nnrt__nnie_library {
    nnrt__nnie_api api;
    char name[256]; /* as it was opened */
    char node[256]; /* of the device: the driver's, or of a stand-in for the vendor's library */
    bool stand_in;  /* for a board that is simulated */
} nnrt__nnie_library;

#define NNRT__NNIE_NODE "/dev/nnie"

/* stand_in is what a stand-in for the vendor's library says about the board that it plays; NULL: it is none. */
NNRT__FN void nnrt__nnie_set_node(nnrt__nnie_library *library, const char *stand_in) {
    nnrt__format(library->node, sizeof(library->node), "%s", stand_in != NULL ? stand_in : NNRT__NNIE_NODE);
    library->stand_in = stand_in != NULL;
}

/* Finds the functions, in the library that is there or that the program was linked with. OH_NN_UNAVAILABLE_DEVICE with
   the reason. What was opened stays open until the program ends. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_library_open(nnrt__nnie_library *library);

#ifdef NNRT_NNIE_LINK
#include "library_link.h"
#else
#ifdef NNRT__HAS_DLOPEN
#include "library_dlopen.h"
#endif
#endif

#endif /* NNRT_NNIE_LIBRARY_H */
