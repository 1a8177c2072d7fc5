/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_control.h - what tests steer on HiSilicon's boards beside ../common/sim_control.h.

   By environment:
     NNRT_SIM_SYS     "1": another process has initialised the media system already; default 0
     NNRT_SIM_TIME    microseconds that a task takes beside its computing, "SEGMENT0,SEGMENT1,..."
     NNRT_SIM_DSP_TIME  microseconds that a task of a DSP takes beside its computing
     NNRT_SIM_BLOCK   milliseconds that a blocking Query waits at most; default 50000

   Faults: beside the vendor's functions there is "task", what the engine does of one: fail:0xa0338040 and
   fail:0xa0338042 are what Query then tells, hang and slow:MS are the engine's; and "dsp_task" of a DSP's. */
#ifndef NNRT_TESTS_SIM_HISI_CONTROL_H
#define NNRT_TESTS_SIM_HISI_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As NNRT_SIM_BLOCK, in place of it. */
void nnrt_sim_block_time(unsigned milliseconds);

/* The program of the DSPs: what commands above erode and dilate do; it may change the body. It is called without a lock
   from the thread of the core. NULL: the second half of a body becomes what the first is. */
typedef void (*nnrt_sim_dsp_program)(void *user, uint32_t core, uint32_t command, uint32_t message, uint8_t *body,
                                     size_t size);
void nnrt_sim_dsp_command(nnrt_sim_dsp_program program, void *user);
/* As NNRT_SIM_DSP_TIME, in place of it. */
void nnrt_sim_dsp_time(unsigned microseconds);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_SIM_HISI_CONTROL_H */
