/* SPDX-License-Identifier: Apache-2.0 */
/* sim_control.h - how tests and people steer the simulated boards of all vendors; tests/sim/README.md explains it.

   By environment, read when the library is loaded:
     NNRT_SIM_CHIP      one of the vendor's chips; of a list NAME,NAME the first that the vendor has
     NNRT_SIM_MEMORY    bytes of NPU memory (CMA) of the board; default 64 MiB
     NNRT_SIM_HANDLES   live memories at a time; default 1020
     NNRT_SIM_FAULT     FUNCTION@N=KIND[,...]: the N-th call (1: the first; 0: every one) of that function
                        fail:CODE    returns CODE, -7 or 0xa0338003 (allocators: NULL), and does nothing
                        hang         does not return until nnrt_sim_release_hang(); then it fails
                        hang:MS      does not return for MS milliseconds, then works
                        die          the device is lost: this call and every later one of any function say so
                        slow:MS      works, MS milliseconds late
     NNRT_SIM_DEVICE    "0": the board has no device node
     NNRT_SIM_REPORT    "0": say nothing at exit. Else mistakes and leaks are listed on stderr at exit
     NNRT_SIM_STRICT    "1": what is a mistake is refused, also where the vendor's runtime lets it pass or dies of it;
                        and a mistake or a leak makes the process end with 97
     NNRT_SIM_LOG       "1": every call on stderr
     NNRT_SIM_TIME      of boards with a queue: microseconds that a task takes beside its computing, "A,B,..."; the
                        vendor's page says what of, the last one stands for all further

   By calls, which a program finds with dlsym in the library that is already loaded. */
#ifndef NNRT_TESTS_SIM_CONTROL_H
#define NNRT_TESTS_SIM_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As NNRT_SIM_FAULT, in place of it; NULL or "": none. Counts of calls start again. */
void nnrt_sim_fault(const char *specification);
/* Calls of function since the start or the last nnrt_sim_fault; NULL: of all. */
unsigned nnrt_sim_calls(const char *function);
/* Lets every call that hangs return. */
void nnrt_sim_release_hang(void);

/* As NNRT_SIM_STRICT, but for the end of the process. */
void nnrt_sim_strict(int strict);

/* Mistakes of the caller seen so far: each a sentence "missing sync: ...", kept until the end. */
unsigned nnrt_sim_mistakes(void);
const char *nnrt_sim_mistake(unsigned index);

/* What is alive: contexts, memories, file descriptors that the library opened, bytes of NPU memory;
   without what a fault kept the caller from freeing. */
typedef struct nnrt_sim_live {
    unsigned contexts;
    unsigned memories;
    unsigned fds;
    size_t bytes;
} nnrt_sim_live;
void nnrt_sim_get_live(nnrt_sim_live *live);

/* Syncs that the caller asked for since the start, by direction, for tests of "exactly what is needed". */
void nnrt_sim_get_syncs(unsigned *to_device, unsigned *from_device);
/* Those that the runtime made by itself for the caller's tensors when it ran. */
void nnrt_sim_get_run_syncs(unsigned *to_device, unsigned *from_device);

/* As NNRT_SIM_TIME, in place of it. */
void nnrt_sim_task_time(const char *microseconds);
/* What the cores of a queue did since the start: tasks that ended, the most that ran at a time, and microseconds in
   which at least one and in which at least two were at work. */
typedef struct nnrt_sim_work {
    unsigned tasks;
    unsigned most;
    uint64_t busy;
    uint64_t overlap;
} nnrt_sim_work;
void nnrt_sim_get_work(nnrt_sim_work *work);

/* A dma-buf as a camera would give it: a descriptor of size bytes of memory that CPU and device see through caches of
   their own. -1: none. The caller closes it. */
int nnrt_sim_dma_alloc(size_t size);
/* The camera writes: straight into what the device sees. The CPU sees it after a sync from the device. 0, or -1. */
int nnrt_sim_dma_write(int fd, size_t offset, const void *data, size_t size);
/* What the device sees. 0, or -1. */
int nnrt_sim_dma_read(int fd, size_t offset, void *data, size_t size);
/* The same of memory by its physical address, on boards whose callers know those. 0; -1: not all of it is memory. */
int nnrt_sim_memory_write(uint64_t physical, const void *data, size_t size);
int nnrt_sim_memory_read(uint64_t physical, void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_SIM_CONTROL_H */
