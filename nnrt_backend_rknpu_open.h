/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_rknpu_open.h - Rockchip's NPU without Rockchip's library: RV1103, RV1106, RK3588.   >>rknpu_open

   What it does   Compiles the part of a graph that the NPU can do to the NPU's own command streams, and talks to the
                  kernel's driver. No silicon has run it yet: what is known of the chips comes from streams of the
                  vendor's files, from manuals and from published boards (tools/rkchip/README.md says which).
   Turn it on     #define NNRT_BACKEND_RKNPU_OPEN before nnrt.h, in the file with NNRT_IMPLEMENTATION. Needs the CPU
                  device, which does the rest of every model in the same plan, and no library of anybody's.
   Devices        rknpu_open_rv1106_VERSION (RV1103 and RV1106), rknpu_open_rk3588_VERSION, where the board has the chip
                  and a driver: Rockchip's rknpu or mainline's rocket. They stand behind the CPU and take the same
                  models; a program chooses them by name. docs/open_npu.md
                  rknn_open_rv1106_VERSION, on RV1103 and RV1106: a .rknn without the vendor's library, whose place it
                  takes where that is not here, or rknn.open is 1.
   Configs        of that: rknn.open 0|1, rknn.io_layout model|nhwc, rknn.timeout_ms N. Of the others
                  those of the CPU device, nnrt_backend_cpu.h; nnrt.exact, nnrt.timeout_ms. On any machine nnrt.target
                  of the CPU device makes a plan for "rv1106" or "rk3588".

   Rooms          rknpu_open/image.h        what the NPU is given
                  rknpu_open/registers.h    registers by name
                  rknpu_open/templates.h    all words of a task
                  rknpu_open/chip.h         what differs between chips
                  rknpu_open/writer.h       an image that grows
                  rknpu_open/scale.h        factors of 15 bits, and how near they are
                  rknpu_open/conv.h         what is a convolution of the NPU
                  rknpu_open/tile.h         pieces that its buffer holds
                  rknpu_open/pack.h         weights and tables
                  rknpu_open/conv_task.h    the words of a convolution
                  rknpu_open/tensors.h      where tensors lie
                  rknpu_open/op_conv.h      convolutions, full connection
                  rknpu_open/dpu.h          tasks of the DPU alone
                  rknpu_open/op_factor.h    products with a constant
                  rknpu_open/op_binary.h    sums, products, maxima
                  rknpu_open/op_unary.h     functions, by bounds or tables
                  rknpu_open/op_curve.h     functions in the task of a convolution
                  rknpu_open/op_pool.h      pools and means
                  rknpu_open/op_move.h      shapes, joints, cuts, twice the size
                  rknpu_open/compile.h      from a part of a graph to an image
                  rknpu_open/work.h         what a run costs
                  rknpu_open/rknn_file.h    what a .rknn of RV1103 and RV1106 holds
                  rknpu_open/rknn_words.h   its tasks' words, made complete
                  rknpu_open/rknn_image.h   from the file to an image
                  rknpu_open/rknn_device.h  the device that runs it
                  rknpu_open/device.h       the accelerator of the CPU device, and the devices */
#ifndef NNRT_BACKEND_RKNPU_OPEN_H
#define NNRT_BACKEND_RKNPU_OPEN_H

#include "rknpu_open/image.h"
#include "rknpu_open/registers.h"
#include "rknpu_open/check_rows.h"
#include "rknpu_open/check_task.h"
#include "rknpu_open/check.h"
#include "rknpu_open/driver.h"
#include "rknpu_open/driver_rknpu.h"
#include "rknpu_open/driver_rocket.h"
#include "rknpu_open/find.h"
#include "rknpu_open/session.h"

/* A firmware that only runs plans compiles nothing. */
#ifndef NNRT_PLANS_ONLY
#include "rknpu_open/compile.h"
#include "rknpu_open/rknn_file.h"
#include "rknpu_open/rknn_words.h"
#include "rknpu_open/rknn_image.h"
#include "rknpu_open/rknn_device.h"
#endif
#include "rknpu_open/device.h"
#include "nnrt_backend_cpu.h"

/* All slots are the CPU device's: it has the plans, and gives the NPU its parts of them. Files are the CPU device's,
   too: this one is chosen by its name. */
#define NNRT__OPEN_NPU_BACKEND(chip, row)                                                                           \
    {                                                                                                               \
        NNRT_BACKEND_VERSION, "rknpu_open", chip, NNRT_VERSION, OH_NN_ACCELERATOR,                                  \
            NNRT_CAN_PERFORMANCE | NNRT_CAN_PRIORITY | NNRT_CAN_DYNAMIC_SHAPE | NNRT_CAN_CACHE | NNRT_COPIES_BYTES, \
            (void *)(uintptr_t)(row), nnrt__open_npu_device_slot, nnrt__cpu_supports, nnrt__cpu_check_config,       \
            nnrt__cpu_prepare, nnrt__cpu_restore, nnrt__cpu_save, nnrt__cpu_release, nnrt__cpu_io_count,            \
            nnrt__cpu_io_desc, nnrt__cpu_input_range, nnrt__cpu_open_executor, nnrt__cpu_close_executor,            \
            nnrt__cpu_run, nnrt__cpu_cancel, nnrt__cpu_profile, nnrt__cpu_memory, NULL, NULL, NULL, NULL,           \
            NNRT__CPU_INFO, NULL, NNRT__CPU_FACTS, NULL, nnrt__cpu_needs_graph, nnrt__cpu_prepare_shapes,           \
            NNRT__CPU_CACHE_KEY, NULL, nnrt__cpu_arena_size, nnrt__cpu_open_executor_in, nnrt__cpu_reset,           \
            NNRT__CPU_SCHEDULE, NNRT__CPU_CHECK_GRAPH, nnrt__cpu_input_memory                                       \
    }

static const nnrt_backend nnrt__open_npu_rv1106_backend = NNRT__OPEN_NPU_BACKEND("rv1106", &nnrt__open_npu_rv1106);
static const nnrt_backend nnrt__open_npu_rk3588_backend = NNRT__OPEN_NPU_BACKEND("rk3588", &nnrt__open_npu_rk3588);

#ifndef NNRT_PLANS_ONLY
static const nnrt_backend nnrt__open_rknn_backend = {
    /* version        */ NNRT_BACKEND_VERSION,
    /* name           */ "rknn_open",
    /* vendor         */ "rv1106",
    /* device_version */ NNRT_VERSION,
    /* type           */ OH_NN_ACCELERATOR,
    /* capabilities   */ NNRT_CAN_PERFORMANCE | NNRT_CAN_PRIORITY | NNRT_NEEDS_NO_CACHE | NNRT_COPIES_BYTES,
    /* user           */ NULL,
    /* open           */ nnrt__open_rknn_open,
    /* supports       */ nnrt__open_rknn_supports,
    /* check_config   */ nnrt__open_rknn_check_config,
    /* prepare        */ nnrt__open_rknn_prepare,
    /* restore        */ NULL,
    /* save           */ NULL,
    /* release        */ nnrt__open_rknn_release,
    /* io_count       */ nnrt__open_rknn_io_count,
    /* io_desc        */ nnrt__open_rknn_io_desc,
    /* input_range    */ NULL,
    /* open_executor  */ nnrt__open_rknn_open_executor,
    /* close_executor */ nnrt__open_rknn_close_executor,
    /* run            */ nnrt__open_rknn_run,
    /* cancel         */ NULL,
    /* profile        */ NULL,
    /* memory         */ nnrt__open_rknn_memory,
    /* allocate       */ NULL,
    /* import         */ NULL,
    /* free_memory    */ NULL,
    /* expect_cancel  */ NULL,
    /* info           */ NULL,
    /* inspect        */ nnrt__open_rknn_inspect,
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
#endif

#endif /* NNRT_BACKEND_RKNPU_OPEN_H */
