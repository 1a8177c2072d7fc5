/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_rknpu.h - the Rockchip device: .rknn models and matrix products on the NPU of RV and RK chips.   >>rknpu

   What it does   Listed as rknpu_rockchip_VERSION where Rockchip's runtime library and driver are; first in the list,
                  the CPU stays last. Where they are not, nnrt_set_log hears why and the program goes on without.
                  RV1103, RV1106 (librknnmrt.so from 1.6.0 on), RK3562, RK3566, RK3568, RK3576, RK3588 (librknnrt.so,
                  1.4 to 2.3).
   Turn it on     #define NNRT_BACKEND_RKNPU before nnrt.h, in the file with NNRT_IMPLEMENTATION. Link with -ldl on old
                  C libraries; nothing of Rockchip's is needed to compile.
   Accepts        a .rknn from a file (by path: no second copy in RAM) or a buffer; graphs of MATMUL and
                  FULL_CONNECTION, which other devices take over where this one says why not.
   Tensors        OH_NNTensor_Create* gives memory of the NPU, CreateWithFd takes a dma-buf of a camera. A tensor whose
                  layout is the NPU's own (rknn.io_layout native) is used in place, 0 bytes copied; any other is
                  converted. Plain tensors, also of other devices, always work.
   Hints          OH_NNCompilation_SetPriority is the flag of the context; SetPerformanceMode chooses cores of RK3588
                  and RK3576 where no config does; SetCache has nothing to do, as a .rknn is compiled already.
   Deadlines      RunAsync with a timeout, or rknn.timeout_ms: a run that hangs ends in OH_NN_TIMEOUT, and the program
                  goes on whether or not the NPU comes back.

   ------------------------------------------------------------------------------------------------ options
   NNRT_BACKEND_RKNPU            The device itself.
   NNRT_RKNPU_LINK               Refers to the vendor's functions directly instead of opening a library at run time:
                                 for static programs. Weak where the compiler can, so that old libraries link.
   NNRT_RKNPU_USE_VENDOR_HEADER  Includes Rockchip's headers and compares every structure, value and prototype with
                                 nnrt's: a vendor's change stops the build.
   Environment NNRT_RKNPU_LIBRARY    Path or name of the library to use, instead of librknnrt.so, librknn_api.so and
                                 librknnmrt.so in this order, each where the loader looks and in /oem/usr/lib.
                                 Not in a program with more rights than its user (SECURITY.md).

   Extension configs, text unless told otherwise; docs/rknpu.md explains each:
     rknn.io_layout model|nhwc|nchw|native   rknn.io_float 0|1          rknn.input_type model|uint8
     rknn.core_mask auto|0|1|2|0_1|0_1_2|all rknn.batch_cores N         rknn.api zero_copy|general
     rknn.timeout_ms N                       rknn.hang_grace_ms N       rknn.profile 0|1, as nnrt.profile
     rknn.memory inside|internal_outside|outside                        rknn.share_internal GROUP
     rknn.name NAME                          rknn.share_weights NAME    rknn.sram 0|1, rknn.share_sram NAME
     rknn.flush_input 0|1                    rknn.flush_output 0|1      rknn.cacheable 0|1
     rknn.high_priority 0|1                  rknn.fallback_gpu 0|1      rknn.async 0|1
     rknn.info_only 0|1                      rknn.model_zero_copy 0|1   rknn.model_offset N, rknn.model_size N
     rknn.flags 0xHEX                        rknn.retry N               rknn.matmul_weights int8|int4
     rknn.open 0|1 (1: the device of NNRT_BACKEND_RKNPU_OPEN that does without the library)
     rknn.custom_op (an array of nnrt_rknn_custom_op)
   Facts for nnrt_executor_get_info: rknn.library, rknn.chip, rknn.sdk_version, rknn.driver_version, rknn.cores,
     rknn.model_platform, rknn.model_toolkit, rknn.custom_string, rknn.weight_bytes, rknn.internal_bytes,
     rknn.dma_bytes, rknn.sram_bytes, rknn.sram_free_bytes, rknn.input.N, rknn.output.N; of the last run:
     rknn.copied_bytes, rknn.syncs, rknn.run_us, rknn.perf_detail, rknn.frame_id (general API).

   Does NOT       convert models, print, call what this version of the runtime lacks (it is refused with a reason), keep
                  the program waiting for a call that hangs, or save caches: a .rknn is compiled already.

   Rooms   (rknpu/abi.h is >>rknpu_abi, and so on)
           rknpu/abi.h       the binary interface       rknpu/library.h   finding and opening the library
           rknpu/device.h    contexts and memory        rknpu/errors.h    vendor codes as sentences
           rknpu/file.h      what a .rknn tells         rknpu/config.h    extension configs
           rknpu/model.h     prepared models            npu/layout.h      conversions
           rknpu/executor.h  runs                       rknpu/matmul.h    graphs
           rknpu/custom_op.h operators of the program   rknpu/types.h     what they share
           rknpu/inspect.h   whose file it is           rknpu/memory.h    what an executor holds
           rknpu/operators.h the operators in a .rknn   rknpu/relatives.h files that are none of its
           npu/              what every vendor stands on */
#ifndef NNRT_BACKEND_RKNPU_H
#define NNRT_BACKEND_RKNPU_H

#include "rknpu/types.h"
#include "rknpu/errors.h"
#include "rknpu/file.h"
#include "rknpu/inspect.h"
#include "rknpu/device.h"
#include "rknpu/config.h"
#include "rknpu/custom_op.h"
#include "rknpu/matmul.h"
#include "rknpu/model.h"
#include "rknpu/executor.h"
#include "rknpu/memory.h"

static const nnrt_backend nnrt__rknpu_backend = {
    /* version        */ NNRT_BACKEND_VERSION,
    /* name           */ "rknpu",
    /* vendor         */ "rockchip",
    /* device_version */ NNRT_VERSION,
    /* type           */ OH_NN_ACCELERATOR,
    /* capabilities   */ NNRT_CAN_FLOAT16 | NNRT_CAN_PERFORMANCE | NNRT_CAN_PRIORITY | NNRT_CAN_DYNAMIC_SHAPE |
        NNRT_NEEDS_NO_CACHE | NNRT_COPIES_BYTES,
    /* user           */ NULL,
    /* open           */ nnrt__rknpu_open,
    /* supports       */ nnrt__rknpu_supports,
    /* check_config   */ nnrt__rknpu_check_config,
    /* prepare        */ nnrt__rknpu_prepare,
    /* restore        */ NULL,
    /* save           */ NULL,
    /* release        */ nnrt__rknpu_release_when_idle,
    /* io_count       */ nnrt__npu_io_count,
    /* io_desc        */ nnrt__npu_io_desc,
    /* input_range    */ nnrt__rknpu_input_range,
    /* open_executor  */ nnrt__npu_open_executor,
    /* close_executor */ nnrt__npu_close_executor,
    /* run            */ nnrt__npu_run,
    /* cancel         */ nnrt__npu_cancel,
    /* profile        */ nnrt__rknpu_profile,
    /* memory         */ nnrt__rknpu_memory_figures,
    /* allocate       */ nnrt__rknpu_allocate,
    /* import         */ nnrt__rknpu_import,
    /* free_memory    */ nnrt__rknpu_free_memory,
    /* expect_cancel  */ nnrt__npu_expect_cancel,
    /* info           */ nnrt__rknpu_info,
    /* inspect        */ nnrt__rknpu_inspect,
    /* facts          */ nnrt__rknpu_facts,
    /* wait_late      */ nnrt__npu_wait_late,
    /* needs_graph    */ NULL,
    /* prepare_shapes */ NULL,
    /* cache_key      */ NULL,
    /* import_physical */ NULL,
    /* arena_size     */ NULL,
    /* open_executor_in */ NULL,
    /* reset          */ NULL,
    /* schedule       */ NULL,
    /* check_graph    */ nnrt__rknpu_check_graph,
    /* input_memory   */ NULL};

#endif /* NNRT_BACKEND_RKNPU_H */
