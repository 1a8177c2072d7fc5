/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_dsp.h - the vector DSP of HiSilicon's chips.   >>dsp

   What it does   nnrt_dsp_*: power, images, tasks with priorities and deadlines, memory that CPU and DSP share, on
                  Hi3519AV100 (one core) and Hi3559AV100 (four). Where libdsp is, the list of devices has
                  dsp_hisilicon_VERSION, of type OH_NN_OTHERS, as the last one: a program sees that there is a DSP. It
                  runs no models, and says so.
   Turn it on     #define NNRT_DSP before nnrt.h, everywhere: the functions are declared where it is defined. It stands
                  on rooms of the NNIE's and brings NNRT_BACKEND_NNIE with it, NNRT_NNIE_LINK included.
   Environment    NNRT_DSP_LIBRARY: path or name of libdsp.so; the libraries that it needs are taken from beside it.
   Does NOT       build programs for the DSP, check images (half an image can hang the board), or leave a call of the
                  vendor's library that hangs: only tasks have deadlines. The library prints on stderr.
   Guide          docs/dsp.md, examples/dsp.c

   Rooms   dsp/api.h      >>dsp_api      types and functions      dsp/abi.h      >>dsp_abi      the binary interface
           dsp/library.h  >>dsp_library  finding the library      dsp/errors.h   >>dsp_errors   codes as sentences
           dsp/core.h     >>dsp_core     power, images, memory    dsp/tasks.h    >>dsp_tasks    tasks */
#ifndef NNRT_DSP_H
#define NNRT_DSP_H

#include "dsp/core.h"
#include "dsp/tasks.h"

/* --------------------------------------------------------------------------------- its place among the devices */

/* Slot open: the library is there. Nothing is switched on. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_device_open(void *user, void **device) {
    nnrt__dsp_library library;
    (void)user;
    *device = NULL;
    return nnrt__dsp_library_open(&library);
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_runs_no_models(void) {
    return nnrt__fail(OH_NN_UNSUPPORTED, "the DSP runs programs of its own and no models: nnrt_dsp_open");
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return nnrt__dsp_runs_no_models();
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_prepare(void *device, const nnrt_request *request, void **prepared) {
    (void)device;
    (void)request;
    (void)prepared;
    return nnrt__dsp_runs_no_models();
}

/* The core demands the slots below of every device. Nothing is prepared, so that nobody calls them. */
NNRT__FN void nnrt__dsp_nothing(void *unused) { (void)unused; }

NNRT__FN void nnrt__dsp_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    (void)prepared;
    *inputs = *outputs = 0;
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    (void)prepared;
    (void)output;
    (void)index;
    (void)desc;
    return nnrt__dsp_runs_no_models();
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_open_executor(void *prepared, void **executor) {
    (void)prepared;
    (void)executor;
    return nnrt__dsp_runs_no_models();
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                        size_t output_count) {
    (void)executor;
    (void)inputs;
    (void)input_count;
    (void)outputs;
    (void)output_count;
    return nnrt__dsp_runs_no_models();
}

static const nnrt_backend nnrt__dsp_backend = {
    /* version        */ NNRT_BACKEND_VERSION,
    /* name           */ "dsp",
    /* vendor         */ "hisilicon",
    /* device_version */ NNRT_VERSION,
    /* type           */ OH_NN_OTHERS,
    /* capabilities   */ 0,
    /* user           */ NULL,
    /* open           */ nnrt__dsp_device_open,
    /* supports       */ nnrt__dsp_supports,
    /* check_config   */ NULL,
    /* prepare        */ nnrt__dsp_prepare,
    /* restore        */ NULL,
    /* save           */ NULL,
    /* release        */ nnrt__dsp_nothing,
    /* io_count       */ nnrt__dsp_io_count,
    /* io_desc        */ nnrt__dsp_io_desc,
    /* input_range    */ NULL,
    /* open_executor  */ nnrt__dsp_open_executor,
    /* close_executor */ nnrt__dsp_nothing,
    /* run            */ nnrt__dsp_run,
    /* cancel         */ NULL,
    /* profile        */ NULL,
    /* memory         */ NULL,
    /* allocate       */ NULL,
    /* import         */ NULL,
    /* free_memory    */ NULL,
    /* expect_cancel  */ NULL,
    /* info           */ NULL,
    /* inspect        */ NULL,
    /* facts          */ NULL,
    /* wait_late      */ NULL,
    /* needs_graph    */ NULL,
    /* prepare_shapes */ NULL,
    /* cache_key      */ NULL,
    /* import_physical */ NULL,
    /* arena_size     */ NULL,
    /* open_executor_in */ NULL,
    /* reset          */ NULL,
    /* schedule       */ NULL,
    /* check_graph    */ NULL,
    /* input_memory   */ NULL};

#endif /* NNRT_DSP_H */
