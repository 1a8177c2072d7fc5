/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/library.h - HiSilicon's libdsp, and the memory of libmpi: found and opened.   >>dsp_library

   As the NNIE's libraries (nnie/library.h): looked for at run time, or with NNRT_NNIE_LINK the program's own. */
#ifndef NNRT_DSP_LIBRARY_H
#define NNRT_DSP_LIBRARY_H

#include "../nnie/library.h"
#include "abi.h"

/* The functions of libdsp: X(symbol, slot of nnrt__dsp_functions, parameters). All of them answer 0 or a code of abi.h,
   those of libmpi -1 as well. Truths (int32_t) are 0 and 1. */
/* clang-format off */
#define NNRT__DSP_FUNCTIONS(X) \
    X(HI_MPI_SVP_DSP_PowerOn, power_on, (uint32_t core)) \
    X(HI_MPI_SVP_DSP_PowerOff, power_off, (uint32_t core)) \
    X(HI_MPI_SVP_DSP_LoadBin, load_image, (const char *path, uint32_t memory)) \
    X(HI_MPI_SVP_DSP_EnableCore, enable, (uint32_t core)) \
    X(HI_MPI_SVP_DSP_DisableCore, disable, (uint32_t core)) \
    X(HI_MPI_SVP_DSP_RPC, submit, \
      (int32_t *handle, const nnrt__dsp_message *message, uint32_t core, uint32_t priority)) \
    X(HI_MPI_SVP_DSP_Query, query, (uint32_t core, int32_t handle, int32_t *finished, int32_t block))
/* clang-format on */

typedef struct nnrt__dsp_functions {
#define NNRT__DSP_SLOT(symbol, slot, parameters) int32_t(*slot) parameters;
    NNRT__DSP_FUNCTIONS(NNRT__DSP_SLOT)
#undef NNRT__DSP_SLOT
    nnrt__mmz mmz;
} nnrt__dsp_functions;

typedef struct nnrt__dsp_library {
    nnrt__dsp_functions functions;
    char name[256]; /* as it was opened */
} nnrt__dsp_library;

/* Finds the functions, in the library that is there or that the program was linked with. OH_NN_UNAVAILABLE_DEVICE with
   the reason. What was opened stays open until the program ends. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_library_open(nnrt__dsp_library *library);

#ifdef NNRT_NNIE_LINK
#include "library_link.h"
#else
#ifdef NNRT__HAS_DLOPEN
#include "library_dlopen.h"
#endif
#endif

#endif /* NNRT_DSP_LIBRARY_H */
