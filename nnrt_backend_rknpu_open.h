/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_rknpu_open.h - Rockchip's NPU without Rockchip's library: RV1103, RV1106, RK3588.   >>rknpu_open

   What it does   Compiles the part of a graph that the NPU can do to the NPU's own command streams, and talks to the
                  kernel's driver. No silicon has run it yet: what is known of the chips comes from streams of the
                  vendor's files, from manuals and from published boards (tools/rkchip/README.md says which).
   Turn it on     #define NNRT_BACKEND_RKNPU_OPEN before nnrt.h, in the file with NNRT_IMPLEMENTATION.

   Rooms          rknpu_open/image.h        what the NPU is given
                  rknpu_open/registers.h    registers by name */
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

#endif /* NNRT_BACKEND_RKNPU_OPEN_H */
