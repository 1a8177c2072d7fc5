/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_control.h - what tests steer on Horizon's boards beside ../common/sim_control.h.

   By environment:
     NNRT_SIM_TIME    microseconds that each function call of a model takes beside its computing; the first number
     NNRT_SIM_CHATTER "1": the libraries of UCP print on stdout when they are loaded and when they load a model, as real
                      ones do
     HB_UCP_MAX_TASK_NUM  tasks alive at a time in UCP; default 32, as on a real board

   Faults: beside the vendor's functions there is "task", what a core does of one: fail:-6000012 is what waiting for it
   and its callback are told, hang and slow:MS are the core's. */
#ifndef NNRT_TESTS_SIM_BPU_CONTROL_H
#define NNRT_TESTS_SIM_BPU_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The chip of the board, "x5", for nnrt in place of what a real board's system tells. */
const char *nnrt_bpu_chip(void);

/* The order in which tasks were begun and ended: customId of each, the newest 256; "b5 b7 e7 e5 ". */
size_t nnrt_sim_bpu_history(char *text, size_t room);

/* Memory of a camera: contiguous, with a physical address that the BPU reads, and a virtual one that the CPU sees
   (cached: through a cache). It is nobody's leak. 0; -1: none. */
int nnrt_sim_camera_alloc(size_t size, int cached, uint64_t *physical, void **address);
void nnrt_sim_camera_free(uint64_t physical);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_SIM_BPU_CONTROL_H */
