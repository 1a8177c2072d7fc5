/* SPDX-License-Identifier: Apache-2.0 */
/* sim_memory.h - memory of a simulated NPU: one copy for the CPU, one for the device, and syncs between the two.

   A buffer is the bytes behind a descriptor; a memory is a piece of a buffer that a caller was given. The vendor's
   structure for it is known here by its address only: what stands in it is the vendor's to fill, and not believed. */
#ifndef NNRT_TESTS_SIM_MEMORY_H
#define NNRT_TESTS_SIM_MEMORY_H

#include "sim_board.h"

#define SIM_LINE 64u /* bytes of a line of the cache */
#define SIM_UNIT 16u /* bytes of a note about a piece of a memory: tensors begin at multiples of it */

/* Bytes behind a descriptor: one for every inode, whoever imports it and how often. */
typedef struct sim_buffer {
    struct sim_buffer *next;
    unsigned references;    /* sim_memory and runs in progress */
    bool camera;            /* of nnrt_sim_dma_alloc: kept until the end */
    uint64_t device_number; /* st_dev, st_ino */
    uint64_t inode;
    uint8_t *cpu;     /* our mapping: what the CPU sees */
    uint8_t *device;  /* what the device sees; cpu itself when not cacheable */
    uint8_t *synced;  /* the CPU's bytes at the last sync: lines that differ are dirty */
    size_t size;      /* whole pages */
    size_t used;      /* largest end of a memory that was made on it: the rest is a trap */
    size_t accounted; /* NPU memory of the board that it takes */
    size_t sram;      /* or bytes inside the chip */
    uint64_t phys;
    unsigned scratch_users; /* runs that use it as internal memory right now */
} sim_buffer;

typedef struct sim_memory {
    struct sim_memory *next;
    void *vendor;    /* sim_the_board.memory_bytes, zero at first: what the caller holds */
    uint64_t serial; /* tells a new memory at an old address */
    sim_buffer *buffer;
    size_t offset; /* in buffer */
    size_t size;
    sim_handle owner; /* context that made it; 0: none */
    bool imported;    /* the bytes are somebody else's */
    int fd;           /* the library's own; -1: imported */
    void *map;        /* the caller's mapping that the library made; NULL: imported */
    bool given_up;    /* a fault kept the caller from freeing it */
    bool unread;      /* the device wrote it and nobody can have looked since, CPU or device */
    uint8_t *units;   /* the same for each SIM_UNIT bytes of what was written in pieces; NULL: nothing was */
} sim_memory;

typedef struct sim_memory_ref { /* a memory that may die meanwhile */
    sim_memory *memory;         /* NULL: none */
    uint64_t serial;
} sim_memory_ref;

/* -------------------------------------------------------------------------------- lives; all of it locked */

/* A memory without bytes of anybody's: what stands in it is lost. For runtimes that import anything. */
sim_memory *sim_memory_import_nothing(sim_handle owner, size_t size);
/* NULL: a limit of the board, or no memory. Noise stands in it, a trap behind it. */
sim_memory *sim_memory_make(sim_handle owner, size_t size, bool cacheable);
/* size bytes from offset of somebody's descriptor, known already or new. NULL: it has no such bytes. */
sim_memory *sim_memory_import(sim_handle owner, int fd, size_t size, size_t offset);
/* The same of the bytes at an address that a memory has for the device. */
sim_memory *sim_memory_import_phys(sim_handle owner, uint64_t phys, size_t size);
/* keep_fd: descriptor and mapping stay open, as some runtimes leave them. */
void sim_memory_end(sim_memory *memory, bool keep_fd);

sim_memory *sim_memory_find(const void *vendor);      /* NULL: not alive */
bool sim_memory_was(const void *vendor);              /* was it alive once? */
sim_memory *sim_memory_of(const sim_memory_ref *ref); /* NULL: none, or destroyed */
void sim_memory_refer(sim_memory_ref *ref, sim_memory *memory);
unsigned sim_memories_of(sim_handle owner); /* how many the caller still has to free */

uint64_t sim_memory_phys(const sim_memory *memory);
uint8_t *sim_memory_device(const sim_memory *memory); /* bytes as the device has them */
uint8_t *sim_memory_cpu(const sim_memory *memory);    /* and as the CPU has them */

/* The whole of it, as the caller asks for: counted. */
void sim_memory_sync(sim_memory *memory, bool to_device, bool from_device);
/* The CPU sees what the device has; not counted. */
void sim_memory_show(sim_memory *memory);

/* Pieces of memories, for boards whose callers know physical addresses and sync ranges; all locked. */
sim_memory *sim_memory_at_phys(uint64_t phys, size_t *offset); /* that it lies in; NULL: none */
/* Lines that the CPU has written and not synced; whole: also bytes of their other owners. 0: it is not cacheable. */
size_t sim_memory_dirty(const sim_memory *memory, size_t offset, size_t size, bool whole);
/* As sim_memory_sync, whole lines, not counted. */
void sim_memory_sync_piece(sim_memory *memory, size_t offset, size_t size, bool to_device, bool from_device);
/* The device reads what it has, clean or not, and has then seen it. */
void sim_memory_take_piece(sim_memory *memory, size_t offset, void *to, size_t size);
/* The device writes; watched: somebody has to look before it is overwritten or freed. */
void sim_memory_give_piece(sim_memory *memory, size_t offset, const void *from, size_t size, bool watched);
/* Do results stand there that nobody can have seen? */
bool sim_memory_unseen(const sim_memory *memory, size_t offset, size_t size);

/* Internal memory of a run in caller's memory: noise, and a mistake when another run uses it. What comes back is for
   sim_scratch_leave, also when the memory dies meanwhile. */
sim_buffer *sim_scratch_enter(sim_memory *memory, size_t size);

/* ---------------------------------------------------------------------- as the device uses it

   These lock by themselves. what names the tensor in mistakes: "input 0", "A". */

/* Who keeps the two copies of a tensor the same. */
typedef enum sim_care {
    SIM_CARE_NOBODY,  /* the caller said that it needs no care: results are not watched */
    SIM_CARE_RUNTIME, /* the runtime for what it made itself, the caller for what was imported */
    SIM_CARE_ALL,     /* the runtime, for what was imported too */
    SIM_CARE_CALLER   /* the caller, for all */
} sim_care;

/* May the memory be bound in context with at least size bytes? 0, or bad_argument after a mistake (destroyed, unknown,
   too small; another context's unless the board lets that pass). */
int sim_memory_check(const sim_context *context, const void *vendor, size_t size, const char *what);
/* The device reads the first size bytes at a run. Dirty bytes that nobody cleaned are a mistake, and the device's stale
   bytes are what is read. 0, or bad_argument: it is dead. */
int sim_memory_read(const void *vendor, void *to, size_t size, sim_care care, const char *what);
/* The device writes the first size bytes at a run. late: the caller may have given up; nobody has to look. */
int sim_memory_write(const void *vendor, const void *from, size_t size, sim_care care, bool late, const char *what);

void sim_scratch_leave(sim_buffer *buffer); /* NULL: there was none */

#endif /* NNRT_TESTS_SIM_MEMORY_H */
