/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_rknpu_open.h - Rockchip's NPU without Rockchip's library: RV1103, RV1106, RK3588.   >>rknpu_open

   What it does   Compiles the part of a graph that the NPU can do to the NPU's own command streams, and talks to the
                  kernel's driver. No silicon has run it yet: what is known of the chips comes from streams of the
                  vendor's files, from manuals and from published boards (tools/rkchip/README.md says which).
   Turn it on     #define NNRT_BACKEND_RKNPU_OPEN before nnrt.h, in the file with NNRT_IMPLEMENTATION.

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
                  rknpu_open/op_binary.h    sums, products, maxima
                  rknpu_open/op_unary.h     functions, by bounds or tables
                  rknpu_open/op_pool.h      pools and means
                  rknpu_open/op_move.h      shapes, joints, cuts, twice the size
                  rknpu_open/compile.h      from a part of a graph to an image */
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
#include "rknpu_open/registers.h"

/* Compiling stands on the CPU device's graph. */
#ifdef NNRT__HAS_CPU
#ifndef NNRT_PLANS_ONLY
#include "rknpu_open/compile.h"
#endif
#endif

#endif /* NNRT_BACKEND_RKNPU_OPEN_H */
