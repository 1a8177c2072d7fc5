/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_nnie.h - the HiSilicon device: .wk models on the NNIE of camera and vision chips.   >>nnie

   What it does   Listed as nnie_hisilicon_VERSION where HiSilicon's library and driver are, and nnie1_hisilicon_VERSION
                  for the second core of Hi3559AV100. Where they are not, nnrt_set_log hears why and the program goes on
                  without. Hi3516CV500, Hi3516DV300, Hi3516AV300, Hi3559V200, Hi3519AV100, Hi3559AV100, SDKs from
                  2.0.0 to 2.0.3.
   Turn it on     #define NNRT_BACKEND_NNIE before nnrt.h, in the file with NNRT_IMPLEMENTATION. Link with -ldl on old
                  C libraries; nothing of HiSilicon's is needed to compile. 32-bit chips: -mfloat-abi=softfp, as the
                  vendor's libraries are.
   Media system   HI_MPI_SYS_Init and HI_MPI_VB_Init are the application's, which has a camera to run. Its memory (MMZ)
                  is used, nothing is initialised or ended, unless nnie.init_sys asks for it.
   Accepts        a .wk from a file or a buffer, all its segments or some. Layers that the engine does not have come
                  from the program (nnie.layers). No graphs.
   Tensors        OH_NNTensor_Create* gives cached MMZ. A tensor whose bytes are the engine's is used in place, 0 bytes
                  copied: one plane or planar pictures and YVU whose width is a multiple of 16, nnie.io_layout native;
                  any other is converted. Plain tensors, also of other devices, always work.
   Hints          Priorities and performance modes are taken and change nothing; SetCache has nothing to do.
   Deadlines      RunAsync with a timeout, or nnie.timeout_ms: a run that hangs ends in OH_NN_TIMEOUT, and the program
                  goes on whether or not the NNIE comes back.

   ------------------------------------------------------------------------------------------------ options
   NNRT_BACKEND_NNIE            The device itself.
   NNRT_NNIE_LINK               Refers to the vendor's functions directly instead of opening libraries at run time: for
                                static programs.
   NNRT_NNIE_USE_VENDOR_HEADER  Includes HiSilicon's headers and compares every structure, value and prototype with
                                nnrt's: a vendor's change stops the build.
   Environment NNRT_NNIE_LIBRARY    Path or name of libnnie.so; the libraries that it needs are taken from beside it.

   Extension configs, text unless told otherwise; docs/nnie.md explains each:
     nnie.pixels model|bgr|rgb|planar|nv21|nv12   nnie.io_layout nchw|nhwc|native   nnie.io_float 0|1
     nnie.batch N             nnie.steps N        nnie.step_counts 0|1              nnie.max_boxes N
     nnie.segments N or N-N   nnie.outputs unused|all                               nnie.alignment 16|32|256
     nnie.init_sys 0|1        nnie.timeout_ms N   nnie.hang_grace_ms N
     nnie.layers (an array of nnrt_nnie_layer)
   Facts for nnrt_executor_get_info: nnie.library, nnie.made_for, nnie.core, nnie.mapper, nnie.segments,
     nnie.model_bytes, nnie.temporary_bytes, nnie.task_bytes, nnie.mmz_bytes, nnie.input.N, nnie.output.N; of the last
     run: nnie.run_us, nnie.copied_bytes, nnie.flushes (cache lines written back and forgotten).

   Does NOT       convert models, print (the vendor's library does, on stderr), initialise the media system unasked, or
                  keep the program waiting for a call that hangs.

   Rooms   (nnie/abi.h is >>nnie_abi, and so on)
           nnie/abi.h        the binary interface       nnie/library.h    finding and opening the libraries
           nnie/errors.h     vendor codes as sentences  nnie/file.h       what a .wk tells
           nnie/inspect.h    whose file it is           nnie/layer_api.h  layers of the program
           nnie/types.h      what they share            nnie/memory.h     blocks of MMZ
           nnie/device.h     a core                     nnie/config.h     extension configs
           nnie/plan.h       which tensor goes where    nnie/ports.h      inputs and outputs
           nnie/model.h      prepared models            nnie/engine.h     a segment on the engine
           nnie/pixels.h     pictures                   nnie/executor.h   runs
           nnie/profile.h    profiles and facts         nnie/mmz.h        memory of libmpi
           nnie/layers.h     layers that are ready, by  nnie/layers_api.h
           npu/              what every vendor stands on */
#ifndef NNRT_BACKEND_NNIE_H
#define NNRT_BACKEND_NNIE_H

#include "nnie/types.h"
#include "nnie/errors.h"
#include "nnie/inspect.h"
#include "nnie/device.h"
#include "nnie/config.h"
#include "nnie/plan.h"
#include "nnie/ports.h"
#include "nnie/model.h"
#include "nnie/engine.h"
#include "nnie/profile.h"
#include "nnie/executor.h"

/* A core as a device: which, the backend's user, points to its number (NULL: the first); looks: who looks at files. */
/* clang-format off */
#define NNRT__NNIE_BACKEND(name, which, looks) {                                                                \
    /* version        */ NNRT_BACKEND_VERSION,                                                                  \
    /* name           */ name,                                                                                  \
    /* vendor         */ "hisilicon",                                                                           \
    /* device_version */ NNRT_VERSION,                                                                          \
    /* type           */ OH_NN_ACCELERATOR,                                                                     \
    /* capabilities   */ NNRT_CAN_PERFORMANCE | NNRT_CAN_PRIORITY | NNRT_CAN_DYNAMIC_SHAPE | NNRT_NEEDS_NO_CACHE |\
        NNRT_COPIES_BYTES,                                                                                      \
    /* user           */ which,                                                                                 \
    /* open           */ nnrt__nnie_open,                                                                       \
    /* supports       */ nnrt__nnie_supports,                                                                   \
    /* check_config   */ nnrt__nnie_check_config,                                                               \
    /* prepare        */ nnrt__nnie_prepare,                                                                    \
    /* restore        */ NULL,                                                                                  \
    /* save           */ NULL,                                                                                  \
    /* release        */ nnrt__npu_release,                                                                     \
    /* io_count       */ nnrt__npu_io_count,                                                                    \
    /* io_desc        */ nnrt__npu_io_desc,                                                                     \
    /* input_range    */ nnrt__nnie_input_range,                                                                \
    /* open_executor  */ nnrt__npu_open_executor,                                                               \
    /* close_executor */ nnrt__npu_close_executor,                                                              \
    /* run            */ nnrt__npu_run,                                                                         \
    /* cancel         */ nnrt__npu_cancel,                                                                      \
    /* profile        */ nnrt__npu_profile,                                                                     \
    /* memory         */ nnrt__nnie_memory_figures,                                                             \
    /* allocate       */ nnrt__nnie_allocate,                                                                   \
    /* import         */ NULL,                                                                                  \
    /* free_memory    */ nnrt__npu_free_memory,                                                                \
    /* expect_cancel  */ nnrt__npu_expect_cancel,                                                               \
    /* info           */ nnrt__nnie_info,                                                                       \
    /* inspect        */ looks,                                                                                 \
    /* facts          */ nnrt__nnie_facts,                                                                      \
    /* wait_late      */ nnrt__npu_wait_late,                                                                   \
    /* needs_graph    */ NULL,                                                                                  \
    /* prepare_shapes */ NULL,                                                                                  \
    /* cache_key      */ NULL,                                                                                  \
    /* import_physical */ NULL,                                                                                 \
    /* arena_size     */ NULL,                                                                                  \
    /* open_executor_in */ NULL,                                                                                \
    /* reset          */ NULL,                                                                                  \
    /* schedule       */ NULL,                                                                                  \
    /* check_graph    */ NULL,                                                                                  \
    /* input_memory   */ NULL                                                                                   \
}
/* clang-format on */

static const nnrt_backend nnrt__nnie_backend = NNRT__NNIE_BACKEND("nnie", NULL, nnrt__nnie_inspect);

/* The other core of Hi3559AV100: a program chooses it by its name. */
static const uint32_t nnrt__nnie_second_core = 1;
static const nnrt_backend nnrt__nnie_second_backend =
    NNRT__NNIE_BACKEND("nnie1", (void *)(uintptr_t)&nnrt__nnie_second_core, NULL);

#undef NNRT__NNIE_BACKEND

#endif /* NNRT_BACKEND_NNIE_H */
