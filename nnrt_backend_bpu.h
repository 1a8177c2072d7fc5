/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_bpu.h - the Horizon device: .bin and .hbm models on the BPU of X3, J5, X5, S100 and S600.   >>bpu

   What it does   Listed as bpu_horizon_VERSION where Horizon's libdnn is and gets memory from the BPU's driver. Else
                  nnrt_set_log hears why and the program goes on without. RDK X3, J5, RDK Ultra, RDK X5 (libdnn 1.6
                  and later ones of 1), RDK S100, S100P and S600 (UCP 3.6 and later ones of 3).
   Turn it on     #define NNRT_BACKEND_BPU before nnrt.h, in the file with NNRT_IMPLEMENTATION. Link with -ldl on old C
                  libraries; nothing of Horizon's is needed to compile.
   Version        The library says which it is, and that decides which of six layouts its structures have. One that
                  nobody has measured is refused, and so is one that writes more or less than it says.
   Accepts        a .bin or .hbm from a file or a buffer, one of its models (bpu.model). What it was compiled for is
                  compared with the board before the library sees it. No graphs.
   Tensors        Programs see shapes without padding. OH_NNTensor_Create* gives cached BPU memory; a tensor whose bytes
                  are the board's is used in place, 0 bytes copied; any other is converted. Memory of a camera becomes
                  a tensor by nnrt_tensor_create_physical. Plain tensors, also of other devices, always work.
   Regions        A model with its picture from the resizer (X3, J5, X5) has one more input, NAME_roi: int32 [N,4],
                  what is cut out of a picture of any size. All N are one task.
   Hints          OH_NNCompilation_SetPriority: none and low are priority 0, medium 128, high 192; bpu.priority sets
                  any. Performance modes are taken and change nothing; SetCache has nothing to do.
   Tasks          The library keeps 32 tasks at most: further runs wait, the highest priority first.
   Deadlines      RunAsync with a timeout, or bpu.timeout_ms: a run that is late ends in OH_NN_TIMEOUT, and the program
                  goes on. Its task goes on, too, and its memory stays until it is back (nnrt_executor_wait_late).

   ------------------------------------------------------------------------------------------------ options
   NNRT_BACKEND_BPU            The device itself.
   NNRT_BPU_LINK               1 or 3: refers to the functions of libdnn of that version directly, instead of opening it
                               at run time.
   NNRT_BPU_USE_VENDOR_HEADER  1 or 3: includes Horizon's headers of that version and compares every structure, value
                               and prototype with nnrt's: a vendor's change stops the build.
   Environment NNRT_BPU_LIBRARY    Path or name of libdnn.so; else it is looked for where the loader looks, in
                               /usr/lib/hbbpu and in /usr/hobot/lib.

   Extension configs, text; docs/bpu.md explains each:
     bpu.model NAME            bpu.io_float 0|1       bpu.io_raw 0|1      bpu.nv12 model|planes
     bpu.pitch N               bpu.memory cached|uncached                 bpu.batch N
     bpu.priority N            bpu.custom_id N|run    bpu.cores any|0|1|2|3|01|23|0123
     bpu.timeout_ms N          bpu.hang_grace_ms N
   Facts for nnrt_executor_get_info: bpu.library, bpu.version, bpu.chip, bpu.march, bpu.model_name, bpu.models,
     bpu.model_march, bpu.file_bytes, bpu.model_cores, bpu.task_priority, bpu.own_bytes, bpu.device_bytes, bpu.input.N,
     bpu.output.N; of the last run: bpu.run_us, bpu.copied_bytes, bpu.cleans, bpu.invalidates (caches written back and
     emptied).

   Does NOT       convert models, print (the vendor's library does, on stdout, and starts threads when it is loaded), or
                  keep the program waiting for a call that hangs.

   Rooms   (bpu/abi.h is >>bpu_abi, and so on)
           bpu/abi.h         the binary interface       bpu/library.h    finding and opening the library
           bpu/errors.h      vendor codes as sentences  bpu/march.h      kinds of BPU
           bpu/file.h        what a file tells          bpu/bin.h, bpu/hbm.h   its two kinds
           bpu/inspect.h     whose file it is           bpu/board.h      which BPU this board has
           bpu/resizer.h     limits of regions          bpu/roi.h         regions of pictures
           bpu/resize.h, bpu/resize_api.h               pictures without a model
           bpu/tensor.h      one description of tensors bpu/convert.h    to and from the board's bytes
           bpu/types.h       what they share            bpu/memory.h     memory that the BPU reaches
           bpu/device.h      the device, places         bpu/config.h     extension configs
           bpu/ports.h       inputs and outputs         bpu/model.h      prepared models
           bpu/tasks.h       one task                   bpu/executor.h   runs
           bpu/profile.h     profiles and facts         npu/             what every vendor stands on */
#ifndef NNRT_BACKEND_BPU_H
#define NNRT_BACKEND_BPU_H

#include "bpu/types.h"
#include "bpu/errors.h"
#include "bpu/inspect.h"
#include "bpu/device.h"
#include "bpu/config.h"
#include "bpu/ports.h"
#include "bpu/model.h"
#include "bpu/tasks.h"
#include "bpu/profile.h"
#include "bpu/executor.h"

static const nnrt_backend nnrt__bpu_backend = {
    /* version        */ NNRT_BACKEND_VERSION,
    /* name           */ "bpu",
    /* vendor         */ "horizon",
    /* device_version */ NNRT_VERSION,
    /* type           */ OH_NN_ACCELERATOR,
    /* capabilities   */ NNRT_CAN_PERFORMANCE | NNRT_CAN_PRIORITY | NNRT_CAN_DYNAMIC_SHAPE | NNRT_NEEDS_NO_CACHE |
        NNRT_COPIES_BYTES,
    /* user           */ NULL,
    /* open           */ nnrt__bpu_open,
    /* supports       */ nnrt__bpu_supports,
    /* check_config   */ nnrt__bpu_check_config,
    /* prepare        */ nnrt__bpu_prepare,
    /* restore        */ NULL,
    /* save           */ NULL,
    /* release        */ nnrt__npu_release,
    /* io_count       */ nnrt__npu_io_count,
    /* io_desc        */ nnrt__npu_io_desc,
    /* input_range    */ nnrt__bpu_input_range,
    /* open_executor  */ nnrt__npu_open_executor,
    /* close_executor */ nnrt__npu_close_executor,
    /* run            */ nnrt__npu_run,
    /* cancel         */ nnrt__npu_cancel,
    /* profile        */ nnrt__npu_profile,
    /* memory         */ nnrt__bpu_memory_figures,
    /* allocate       */ nnrt__bpu_allocate,
    /* import         */ NULL,
    /* free_memory    */ nnrt__npu_free_memory,
    /* expect_cancel  */ nnrt__npu_expect_cancel,
    /* info           */ nnrt__bpu_info,
    /* inspect        */ nnrt__bpu_inspect,
    /* facts          */ nnrt__bpu_facts,
    /* wait_late      */ nnrt__npu_wait_late,
    /* needs_graph    */ NULL,
    /* prepare_shapes */ NULL,
    /* cache_key      */ NULL,
    /* import_physical */ nnrt__bpu_import_physical,
    /* arena_size     */ NULL,
    /* open_executor_in */ NULL,
    /* reset          */ NULL,
    /* schedule       */ NULL,
    /* check_graph    */ NULL,
    /* input_memory   */ NULL};

#endif /* NNRT_BACKEND_BPU_H */
