/* SPDX-License-Identifier: Apache-2.0 */
/* sim_board.h - what the rooms of the simulated board offer each other, the matmul room above all.

   NNRT_SIM_VERSION (0xMMmmpp) and NNRT_SIM_MINI choose at compile time which library this is; the chip is
   chosen by environment. Every exported function begins with sim_enter (no context yet) or sim_begin (with
   a context), so that faults, counts, the log and "two threads in one context" work for all of them. */
#ifndef NNRT_TESTS_SIM_BOARD_H
#define NNRT_TESTS_SIM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../rknpu/abi.h"

#ifndef NNRT_SIM_VERSION
#define NNRT_SIM_VERSION 0x020302
#endif
#ifndef NNRT_SIM_MINI
#define NNRT_SIM_MINI 0
#endif

/* The build hides everything but these. */
#define SIM_EXPORT __attribute__((visibility("default")))

/* ---------------------------------------------------------------------- the board */

typedef struct sim_chip {
    const char *name;     /* "rk3588" */
    const char *family;   /* chips of one family run each other's models: "rk3566" for rk3568 too */
    bool mini;            /* driven by librknnmrt */
    uint32_t cores;
    uint32_t c2_8;        /* lanes of NC1HWC2 for elements of 1 byte */
    uint32_t c2_16;       /* of 2 bytes */
    uint32_t w_align;     /* pixels of a row of an image in memory */
    uint32_t extra_c1;    /* blocks beyond ceil(C / C2) of outputs with more than C2 channels */
    uint32_t map_align;   /* NC1HWC2 feature maps store rows of a multiple of this many columns */
    uint32_t sram;        /* bytes; 0: none */
    bool flat_vectors;    /* tensors of fewer than 4 dimensions are plain for the NPU too, else NC1HWC2 */
} sim_chip;

/* Never NULL; of the environment. */
const sim_chip *sim_board_chip(void);

/* ---------------------------------------------------------------------- calls */

typedef struct sim_context sim_context;
typedef enum sim_kind { SIM_MODEL = 1, SIM_MATMUL = 2, SIM_ANY = 3 } sim_kind;

/* First statement of an exported function without context: counts, logs, lets faults happen. Nonzero:
   return *answer (allocators: NULL). May sleep; no lock is held. */
int sim_enter(const char *function, int *answer);

/* The same for a function with a context: sim_enter, then looks the handle up. 0: *context is the caller's
   until sim_end. Else the code to return: a fault's, -7 for an unknown handle or one of another kind, -1
   when another thread is inside (a mistake). */
int sim_begin(nnrt_rknn_context handle, sim_kind kind, const char *function, sim_context **context);
void sim_end(sim_context *context);

/* A context of the matmul room: in the live table with state, counted in leaks. bytes of NPU memory are
   its own until it is removed. 0, -4 (memory of the board exhausted) or -3 (no device). */
int sim_matmul_register(void *state, size_t bytes, nnrt_rknn_context *handle);
void *sim_matmul_state(const sim_context *context);
/* Between sim_begin and sim_end, which is then not called: the handle is dead. The state is the caller's
   to free. */
void sim_matmul_remove(sim_context *context);

/* A mistake of the caller: a sentence "missing sync: ...". Kept and reported. */
void sim_mistake(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line on stderr when NNRT_SIM_LOG is 1: what the runtime would log. */
void sim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---------------------------------------------------------------------- memory as the device uses it

   These lock by themselves. what names the tensor in mistakes: "input 0", "A". */

/* May mem be bound in context with at least size bytes? 0, or -5 after a mistake (destroyed, unknown, another
   context's, too small). */
int sim_memory_check(const sim_context *context, const nnrt_rknn_tensor_mem *mem, size_t size,
                     const char *what);
/* The device reads the first size bytes at a run: the runtime cleans its own memory first; dirty bytes of
   imported memory that nobody cleaned are a mistake, and the device's stale bytes are what is read. 0, or
   -5: mem is dead. */
int sim_memory_read(const sim_context *context, const nnrt_rknn_tensor_mem *mem, void *to, size_t size,
                    const char *what);
/* The device writes the first size bytes at a run: the runtime invalidates the CPU's copy of its own
   memory. */
int sim_memory_write(const sim_context *context, const nnrt_rknn_tensor_mem *mem, const void *from,
                     size_t size, const char *what);
/* A byte of noise that differs from run to run: what padding holds. Never 0. */
uint8_t sim_poison(void);

#endif /* NNRT_TESTS_SIM_BOARD_H */
