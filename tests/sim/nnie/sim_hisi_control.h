/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_control.h - what tests steer on HiSilicon's boards beside ../common/sim_control.h.

   By environment:
     NNRT_SIM_SYS     "1": another process has initialised the media system already; default 0
     NNRT_SIM_TIME    microseconds that a task takes beside its computing, "SEGMENT0,SEGMENT1,..."; the last stands for
                      all further segments
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

/* As NNRT_SIM_TIME and NNRT_SIM_BLOCK, in place of them. */
void nnrt_sim_task_time(const char *microseconds);
void nnrt_sim_block_time(unsigned milliseconds);

/* What the cores did since the start: tasks that ended, the most that ran at a time, and microseconds in which at least
   one and in which at least two cores were at work. */
typedef struct nnrt_sim_work {
    unsigned tasks;
    unsigned most;
    uint64_t busy;
    uint64_t overlap;
} nnrt_sim_work;
void nnrt_sim_get_work(nnrt_sim_work *work);

/* Memory as a camera writes it and the engine reads it, by physical address. 0; -1: not all of it is memory. */
int nnrt_sim_memory_write(uint64_t physical, const void *data, size_t size);
int nnrt_sim_memory_read(uint64_t physical, void *data, size_t size);

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
