/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_nnie.h - HiSilicon's NNIE: what a .wk model is. There is no device in this version.   >>nnie

   What it does   nnrt_inspect_model, and with it `nnrt inspect MODEL.wk`, names the chips that the model is for, its
                  segments, their inputs and outputs with shapes and sizes, and says what is wrong with a damaged file,
                  on any machine. Hi3516CV500, Hi3516DV300, Hi3516AV300, Hi3559V200, Hi3519AV100, Hi3559AV100.
   Does NOT       run models: no device is listed, on no board, and Build refuses a .wk with that reason. What is known
                  of the vendor's libraries and codes stands in rooms that the device will call and nothing calls yet:
                  no library is loaded.
   Turn it on     #define NNRT_BACKEND_NNIE before nnrt.h, in the file with NNRT_IMPLEMENTATION. Nothing of
                  HiSilicon's is needed.

   Rooms   (nnie/abi.h is >>nnie_abi, and so on)
           nnie/abi.h        the binary interface       nnie/file.h       what a .wk tells
           nnie/inspect.h    whose file it is           nnie/errors.h     vendor codes as sentences
           nnie/library.h    finding and opening the libraries; npu/ what every vendor stands on */
#ifndef NNRT_BACKEND_NNIE_H
#define NNRT_BACKEND_NNIE_H

#include "nnie/abi.h"
#include "nnie/errors.h"
#include "nnie/file.h"
#include "nnie/inspect.h"
#ifdef NNRT__HAS_DLOPEN
#include "nnie/library.h"
#endif

static const nnrt_backend nnrt__nnie_backend = {
    /* version        */ NNRT_BACKEND_VERSION,
    /* name           */ "nnie",
    /* vendor         */ "hisilicon",
    /* device_version */ NNRT_VERSION,
    /* type           */ OH_NN_ACCELERATOR,
    /* capabilities   */ NNRT_NEEDS_NO_CACHE,
    /* user           */ NULL,
    /* open           */ NULL,
    /* supports       */ NULL,
    /* check_config   */ NULL,
    /* prepare        */ NULL,
    /* restore        */ NULL,
    /* save           */ NULL,
    /* release        */ NULL,
    /* io_count       */ NULL,
    /* io_desc        */ NULL,
    /* input_range    */ NULL,
    /* open_executor  */ NULL,
    /* close_executor */ NULL,
    /* run            */ NULL,
    /* cancel         */ NULL,
    /* profile        */ NULL,
    /* memory         */ NULL,
    /* allocate       */ NULL,
    /* import         */ NULL,
    /* free_memory    */ NULL,
    /* expect_cancel  */ NULL,
    /* info           */ NULL,
    /* inspect        */ nnrt__nnie_inspect,
    /* facts          */ NULL,
    /* wait_late      */ NULL,
    /* needs_graph    */ NULL,
    /* prepare_shapes */ NULL,
    /* cache_key      */ NULL};

#endif /* NNRT_BACKEND_NNIE_H */
