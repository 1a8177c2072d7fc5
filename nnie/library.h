/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/library.h - HiSilicon's libnnie and libmpi: finding and opening them, and their functions.   >>nnie_library

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

/* The functions of libnnie: X(symbol, slot of nnrt__nnie_api, parameters), and those of the media system, which only
   nnie.init_sys needs. All of them answer 0 or a code of abi.h, those of libmpi -1 as well. Truths (int32_t) are 0
   and 1. */
/* clang-format off */
#define NNRT__NNIE_FUNCTIONS(X) \
    X(HI_MPI_SVP_NNIE_LoadModel, load_model, (const nnrt__nnie_memory *file, nnrt__nnie_model *model)) \
    X(HI_MPI_SVP_NNIE_UnloadModel, unload_model, (nnrt__nnie_model *model)) \
    X(HI_MPI_SVP_NNIE_GetTskBufSize, task_sizes, \
      (uint32_t max_frames, uint32_t max_boxes, const nnrt__nnie_model *model, uint32_t sizes[], uint32_t segments)) \
    X(HI_MPI_SVP_NNIE_Forward, forward, \
      (int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_model *model, \
       const nnrt__nnie_blob outputs[], const nnrt__nnie_forward *control, int32_t instant)) \
    X(HI_MPI_SVP_NNIE_ForwardWithBbox, forward_boxes, \
      (int32_t *handle, const nnrt__nnie_blob inputs[], const nnrt__nnie_blob boxes[], \
       const nnrt__nnie_model *model, const nnrt__nnie_blob outputs[], \
       const nnrt__nnie_forward_boxes *control, int32_t instant)) \
    X(HI_MPI_SVP_NNIE_Query, query, (uint32_t core, int32_t handle, int32_t *finished, int32_t block)) \
    X(HI_MPI_SVP_NNIE_AddTskBuf, add_task_memory, (const nnrt__nnie_memory *task)) \
    X(HI_MPI_SVP_NNIE_RemoveTskBuf, remove_task_memory, (const nnrt__nnie_memory *task))

#define NNRT__NNIE_MEDIA_FUNCTIONS(X) \
    X(HI_MPI_SYS_Init, system_init, (void)) \
    X(HI_MPI_SYS_Exit, system_exit, (void)) \
    X(HI_MPI_VB_SetConfig, buffers_configure, (const void *config)) /* VB_CONFIG_S: 520 or 776 bytes */ \
    X(HI_MPI_VB_Init, buffers_init, (void)) \
    X(HI_MPI_VB_Exit, buffers_exit, (void))
/* clang-format on */

typedef struct nnrt__nnie_api {
#define NNRT__NNIE_SLOT(symbol, slot, parameters) int32_t(*slot) parameters;
    NNRT__NNIE_FUNCTIONS(NNRT__NNIE_SLOT)
    NNRT__NNIE_MEDIA_FUNCTIONS(NNRT__NNIE_SLOT) /* NULL: not there */
#undef NNRT__NNIE_SLOT
    nnrt__mmz mmz;
} nnrt__nnie_api;

typedef struct nnrt__nnie_library {
    nnrt__nnie_api api;
    char name[256]; /* as it was opened */
    char node[256]; /* the device node: the driver's, or a stand-in's */
    bool stand_in;  /* for a board that is simulated */
} nnrt__nnie_library;

#define NNRT__NNIE_NODE "/dev/nnie"

/* stand_in: what a stand-in for the vendor's library reports about its simulated board; NULL: no stand-in. */
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
