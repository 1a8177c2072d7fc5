/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_cpu.h - the CPU device: graphs, .tflite models and plans, on any processor.   >>cpu

   Always compiled in, unless NNRT_NO_CPU is defined. Listed as cpu_nnrt_VERSION.

   Accepts    a graph built by calls; a .tflite model or a plan of `nnrt compile`, from a file (mapped, not
              read) or a buffer; a plan in the cache.
   Configs    nnrt.isa       "scalar", "sse41", "avx2", "avxvnni", "avx512vnni", "neon", "armv8-dot", "armv8-i8mm",
                             "cortex-m4", "cortex-m55" or "rvv": this instruction set instead of the best one that the
                             processor has. The environment variable NNRT_ISA does the same for a whole program. A
                             level that this machine lacks is an error. A plan runs at the level that it was packed for,
                             wherever the processor has it; one that nnrt.isa does not contain is refused.
              nnrt.target    the same names: compile for a processor that need not be this one; and the names of chips
                             with an accelerator that this build knows (cpu/accelerator.h)
              nnrt.exact     "1": an accelerator gets only what it computes to the CPU's bytes
              nnrt.timeout_ms  "1" to "9999": how long an accelerator may take for one part of a model; default 1000
              nnrt.threads   "1" to "64"; default 1, and the number of cores with OH_NN_PERFORMANCE_EXTREME.
              nnrt.profile   "1": time every step for nnrt_executor_get_profile.
              nnrt.passes    "none", or a sum of the bits in cpu/passes.h: only these passes.
              nnrt.stripes   "0" to "1000": percent of a run that a small arena may cost (cpu/stripes.h). Default 0, and
                             15 with OH_NN_PERFORMANCE_LOW.
              nnrt.trust     "none" or "crc": the checksum of a plan is taken to be right and not computed. Default
                             "none", with NNRT_TRUST_CRC "crc".
              nnrt.max_memory, nnrt.max_work   bounds of a plan with its arena, and of a run: nnrt.h, >>config
   Plans      in the program's own memory, flash included, are used where they lie and nothing of them is copied, at an
              address that is a multiple of 8. Of a mapped file the tables are copied, all but weights: another process
              could change them.
   Trades     OH_NN_PERFORMANCE_LOW runs the first convolutions of image nets by stripes, computes others over their
              inputs, and leaves weights in the caller's model bytes where they can be used as they are; those bytes
              must then outlive the executors. Every other mode packs them into the plan.
   Priorities of runs that want the same cores at the same time: a run lets those of a higher one go first, also in the
              middle, between two of its steps. NONE is MEDIUM. Runs of one priority never wait for each other. Threads
              of nnrt, not those of the program, get nice +10 for LOW and -5 for HIGH where the system lets them.
   Does NOT   compute in float16 (numbers stored so are computed in float32), or start a thread that was not asked for.

   Rooms      (cpu/plan.h is >>cpu_plan, and so on)
              cpu/prepared.h  compilations                cpu/executor.h  executors
              cpu/plan.h      what a plan is              cpu/plan_load.h untrusted plans, cpu/plan_check.h
              cpu/ir.h        operators and steps, the contract; cpu/ir_helpers.h  what every family asks of it
              cpu/ir_build.h  graph to IR                 cpu/ir_edit.h   how it grows and shrinks
              cpu/passes.h    what is fused and removed   cpu/pass_affine.h  normalization into weights
              cpu/lower.h     IR to steps                 cpu/inspect.h   whose file it is
              cpu/write_plan.h  IR to plan                cpu/compile.h   all of it, in order
              cpu/arena.h     memory planning             cpu/ops.h       operators, the families ops_*.h
              cpu/kind_list.h all kinds of steps          cpu/kinds.h     those of this build, the families steps_*.h
              cpu/wanted.h    which kernels they want
              cpu/device.h    what the device knows       cpu/compiled.h  a compiled model
              cpu/build.h     how it is made, or not (NNRT_PLANS_ONLY)
              cpu/run.h       a plan run                  cpu/team.h      threads that share its steps
              cpu/run_kept.h  what it needs of its steps, kept; cpu/run_made.h  or made anew; cpu/run_parts.h  both
              cpu/fold.h      operators on constants      cpu/queue.h     runs of several priorities
              cpu/order.h     which step comes first
              cpu/stripes.h   which convolutions are run by rows; cpu/steps_stripes.h  how
              cpu/overlap.h   how far an output may lie over its input
              cpu/rewrite_float16.h  float16 in float32   cpu/rewrite_uint8.h  uint8 in int8
              cpu/ir_cut.h    a part of a graph, and a graph cut in two for two devices
              cpu/accelerator.h  what is asked of an accelerator that takes parts; cpu/accelerate.h  how it gets them
              cpu/state.h     what a run leaves to the next
              cpu/schedule.h  what a plan computes from what, and where
              cpu/check.h     which operators of a graph are refused
              cpu/facts.h     the fact cpu.operators: those that NNRT_OPS of a build for the model needs
              cpu/values.h    which inputs have to be known before shapes are
              cpu/ir_sentences.h  why an operator is refused, or only that it is (NNRT_NO_SENTENCES) */
#ifndef NNRT_BACKEND_CPU_H
#define NNRT_BACKEND_CPU_H

#include "cpu/executor.h"
#include "cpu/inspect.h"
#include "cpu/prepared.h"

/* For tools, and for questions about graphs. A firmware that only runs plans has none of it. */
#ifndef NNRT_PLANS_ONLY
#include "cpu/check.h"
#include "cpu/facts.h"
#include "cpu/schedule.h"
#define NNRT__CPU_SCHEDULE nnrt__cpu_schedule
#define NNRT__CPU_CHECK_GRAPH nnrt__cpu_check_graph
#define NNRT__CPU_INFO nnrt__cpu_info
#define NNRT__CPU_FACTS nnrt__cpu_facts
#else
#define NNRT__CPU_SCHEDULE NULL
#define NNRT__CPU_CHECK_GRAPH NULL
#define NNRT__CPU_INFO NULL
#define NNRT__CPU_FACTS NULL
#endif

/* Only files of caches have keys. */
#ifndef NNRT_NO_STDIO
#define NNRT__CPU_CACHE_KEY nnrt__cpu_cache_key
#else
#define NNRT__CPU_CACHE_KEY NULL
#endif

static const nnrt_backend nnrt__cpu_backend = {
    /* version        */ NNRT_BACKEND_VERSION,
    /* name           */ "cpu",
    /* vendor         */ "nnrt",
    /* device_version */ NNRT_VERSION,
    /* type           */ OH_NN_CPU,
    /* capabilities   */ NNRT_CAN_PERFORMANCE | NNRT_CAN_PRIORITY | NNRT_CAN_DYNAMIC_SHAPE | NNRT_CAN_CACHE |
        NNRT_COPIES_BYTES,
    /* user           */ NULL,
    /* open           */ nnrt__cpu_open,
    /* supports       */ nnrt__cpu_supports,
    /* check_config   */ nnrt__cpu_check_config,
    /* prepare        */ nnrt__cpu_prepare,
    /* restore        */ nnrt__cpu_restore,
    /* save           */ nnrt__cpu_save,
    /* release        */ nnrt__cpu_release,
    /* io_count       */ nnrt__cpu_io_count,
    /* io_desc        */ nnrt__cpu_io_desc,
    /* input_range    */ nnrt__cpu_input_range,
    /* open_executor  */ nnrt__cpu_open_executor,
    /* close_executor */ nnrt__cpu_close_executor,
    /* run            */ nnrt__cpu_run,
    /* cancel         */ nnrt__cpu_cancel,
    /* profile        */ nnrt__cpu_profile,
    /* memory         */ nnrt__cpu_memory,
    /* allocate       */ NULL,
    /* import         */ NULL,
    /* free_memory    */ NULL,
    /* expect_cancel  */ NULL,
    /* info           */ NNRT__CPU_INFO,
    /* inspect        */ nnrt__cpu_inspect,
    /* facts          */ NNRT__CPU_FACTS,
    /* wait_late      */ NULL,
    /* needs_graph    */ nnrt__cpu_needs_graph,
    /* prepare_shapes */ nnrt__cpu_prepare_shapes,
    /* cache_key      */ NNRT__CPU_CACHE_KEY,
    /* import_physical */ NULL,
    /* arena_size     */ nnrt__cpu_arena_size,
    /* open_executor_in */ nnrt__cpu_open_executor_in,
    /* reset          */ nnrt__cpu_reset,
    /* schedule       */ NNRT__CPU_SCHEDULE,
    /* check_graph    */ NNRT__CPU_CHECK_GRAPH,
    /* input_memory   */ nnrt__cpu_input_memory};

#endif /* NNRT_BACKEND_CPU_H */
