/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_group.h - model groups: cascades of models on any devices, joined by functions of the program.   >>group

   What it does   What HiSilicon's Runtime (HI_SVPRT_RUNTIME_*) does on one chip, for every device of nnrt: a detector
                  on an NPU, a connector that crops what it has found, a classifier on another NPU or the CPU. A
                  scheduler that several groups share runs what is ready on what is free: the group with the higher
                  priority first, the older frame first, several frames of each in flight.
   Turn it on     #define NNRT_GROUPS before nnrt.h, in every file that uses it; in the file with NNRT_IMPLEMENTATION
                  the code comes in. Empty or 1: on; 0: off.
   In one breath  scheduler, group, stages, connections, finish; then for each frame: acquire, write the inputs,
                  forward, read the outputs, release. examples/groups.c, docs/groups.md
   Promises       every frame that is forwarded ends exactly once: success, failure or abort. A fault ends its own
                  frame only. No allocation after nnrt_group_finish. Callbacks of one group come in the order of its
                  frames and never overlap. Nothing global: schedulers know nothing of each other.
   Does NOT       interrupt what runs, age what waits, batch, or change shapes from frame to frame (lists of items are
                  what varies, from 0 to a bound). Deadlines are the devices' (rknn.timeout_ms).
   Without threads (NNRT_NO_THREADS) nnrt_frame_forward_sync runs all stages in the thread that calls;
                  nnrt_frame_forward_async is refused.

   Rooms   (group/api.h is >>group_api, and so on)
           group/api.h       the calls                  group/types.h     structures, who may touch them when
           group/build.h     stages and connections     group/plan.h      what finish checks and fixes
           group/scheduler.h lanes, what runs next      group/run.h       a run and what follows from it
           group/workers.h   the threads of lanes       group/frame.h     frames
   It stands above the API: of nnrt it calls OH_NN* and nnrt_* functions, and the core's platform and sentences. */
#ifndef NNRT_GROUP_H
#define NNRT_GROUP_H

#include "group/api.h"
#include "group/types.h"
#include "group/scheduler.h"
#include "group/run.h"
#include "group/workers.h"
#include "group/build.h"
#include "group/frame.h"
#include "group/plan.h"

#endif /* NNRT_GROUP_H */
