/* SPDX-License-Identifier: Apache-2.0 */
/* sim_board.h - what the simulated boards of all vendors have in common: a chip, contexts that are alive, calls that
   are counted and fail on request, and mistakes that are kept. It names no vendor.

     sim_state.c    environment, the lock, the chip, contexts alive, mistakes and the report at exit
     sim_calls.c    counts of calls, faults, who is inside a context
     sim_work.c     times of tasks, and what cores with a queue did
     sim_crew.c     their threads (sim_crew.h)
     sim_memory.c   memory of the NPU with two copies (sim_memory.h)
     sim_model_*.c  the network that is computed (sim_model.h), with sim_ops_*.c
     sim_control.h  the calls of tests

   A vendor's libraries are compiled together with these files. The vendor defines sim_the_board and exports its own
   functions; nothing here calls upwards but through that table. Each exported function begins with sim_enter (no
   context yet) or sim_begin (with a context), so that faults, counts, the log and "two threads in one context" work for
   all of them.

   Everything reachable from sim_state is touched only under sim_lock; what hangs, sleeps or computes does it without. A
   context between sim_begin and sim_end belongs to its thread. */
#ifndef NNRT_TESTS_SIM_BOARD_H
#define NNRT_TESTS_SIM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "sim_control.h"

/* The build hides everything but these. */
#define SIM_EXPORT __attribute__((visibility("default")))

/* --------------------------------------------------------------------------------- what a vendor hands in */

typedef struct sim_board {
    /* NNRT_SIM_CHIP names one of them. NULL: behind the last, which stands in for a chip that nobody knows. */
    const char *(*chip_name)(unsigned chip);
    unsigned default_chip;
    size_t handle_bytes; /* of the vendor's handle of a context: 4 or 8 */
    size_t memory_bytes; /* of the vendor's structure for a memory, which callers hold; 0: there is none */
    /* The vendor's codes, all negative: */
    int failed;       /* a released hang, two threads in one context */
    int bad_argument; /* a memory that is not alive, too small or somebody else's */
    int bad_context;  /* a handle that is not alive or of another kind */
    int no_device;    /* after a fault that lets the device die */
} sim_board;

extern const sim_board sim_the_board;

/* ----------------------------------------------------------------------------------------------- contexts */

typedef uint64_t sim_handle;

/* What a context is for: compared by address. */
typedef struct sim_kind {
    const char *name; /* "model": in sentences */
} sim_kind;

/* Memory of the NPU that several contexts use and that counts once, weights above all: first in the vendor's. */
typedef struct sim_shared {
    unsigned references;
    size_t bytes;
} sim_shared;

/* First in the vendor's own structure, which the vendor makes and frees. */
typedef struct sim_context {
    struct sim_context *next;
    sim_handle handle;
    const sim_kind *kind;
    sim_shared *shared;
    size_t bytes;       /* memory of the NPU of its own */
    size_t sram;        /* bytes inside the chip that it has */
    bool given_up;      /* a fault kept the caller from ending it: not the caller's leak */
    const char *inside; /* function that a thread is in; NULL: none */
    bool delayed;       /* a fault made the call late: whoever waited may be gone */
} sim_context;

/* Locked. context is zeroed; its handle is new and was never used. */
void sim_context_add(sim_context *context, const sim_kind *kind);
void sim_context_unlink(sim_context *context);    /* locked */
sim_context *sim_context_find(sim_handle handle); /* locked; NULL: none */

/* -------------------------------------------------------------------------------------------------- calls */

/* First statement of an exported function without context: counts, logs, lets faults happen. Nonzero: return *answer
   (allocators: NULL). May sleep; no lock is held. */
int sim_enter(const char *function, int *answer);
/* The same; *late: a fault made it late, and whoever waited may be gone. */
int sim_enter_late(const char *function, int *answer, bool *late);

/* The same for a function with a context of that kind (NULL: of any): sim_enter, then looks the handle up. 0: *context
   is the caller's until sim_end. Else the code to return: a fault's, bad_context, or failed when another thread is
   inside (a mistake). */
int sim_begin(sim_handle handle, const sim_kind *kind, const char *function, sim_context **context);
/* The same for a function that ends the context: a fault in it gives the context up. */
int sim_begin_last(sim_handle handle, const sim_kind *kind, const char *function, sim_context **context);
void sim_end(sim_context *context);

/* Locked: as NNRT_SIM_FAULT. */
void sim_faults_read(const char *specification);

/* ---------------------------------------------------------------------------------- queues; all of it locked */

unsigned sim_work_time(unsigned number);      /* microseconds of NNRT_SIM_TIME */
void sim_work_count(int change);              /* so many tasks more are at work; below 0: they ended */
struct timespec sim_after(long microseconds); /* a time to wait until, from now on; needs no lock */

/* ---------------------------------------------------------------------------------------------- the board */

typedef struct sim_state_data {
    sim_context *contexts;
    struct sim_memory *memories;
    struct sim_memory *dead; /* destroyed, kept so that a second destroy is told from a stranger */
    unsigned dead_count;
    struct sim_buffer *buffers;
    unsigned leaked_fds; /* descriptors that the library will never close: the caller's leak */
    uint64_t serial;
    uint64_t next_phys;
    size_t memory_limit;
    unsigned handle_limit;
    unsigned syncs[2];     /* to the device, from the device */
    unsigned run_syncs[2]; /* the same, those of the runtime itself */
    bool refuse;           /* mistakes that the vendor's runtime lets pass */
    bool ready;            /* the environment was read */
    bool device_node;
    bool report, strict, log;
    unsigned chip;
    uint32_t noise;
} sim_state_data;

extern sim_state_data sim_state;

void sim_lock(void); /* reads the environment the first time */
void sim_unlock(void);

unsigned sim_chip_number(void); /* of the vendor's chips: that of the environment */
bool sim_has_device(void);      /* the board has a device node */

/* Locked; memory of the NPU in use. all: also what a fault kept the caller from freeing. */
size_t sim_live_bytes(bool all);
size_t sim_live_sram(void);  /* locked */
bool sim_fits(size_t bytes); /* locked: may so many bytes be taken? */

/* A mistake of the caller: a sentence "missing sync: ...". Kept and reported. */
void sim_mistake(const char *format, ...) __attribute__((format(printf, 1, 2)));
void sim_mistake_locked(const char *format, ...) __attribute__((format(printf, 1, 2)));
unsigned sim_mistakes_locked(void); /* so far */
/* What kills the process with the vendor's runtime kills it here: a mistake, the report, and that signal. Comes back
   when the board is strict: then the call is refused. */
void sim_crash(int signal, const char *why);
/* After a mistake that the vendor's runtime lets pass: does the board, too? Locked or not. */
bool sim_lets_pass(void);
/* A line on stderr when NNRT_SIM_LOG is 1: what the runtime would log. */
void sim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A byte of noise that differs from run to run: what padding holds. Never 0. */
uint8_t sim_poison(void);
uint8_t sim_poison_locked(void);

#endif /* NNRT_TESTS_SIM_BOARD_H */
