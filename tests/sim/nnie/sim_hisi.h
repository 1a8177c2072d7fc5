/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi.h - the simulated HiSilicon board below the vendor's libraries: what their kernel modules do.

   libmpi.so, libnnie.so and libdsp.so are the vendor's user space and have no state of their own; all of it is in
   libsim_hisilicon.so, which they name as needed, as real ones need modules that are loaded.

     sim_hisi_board.c   chips, the media system, the report
     sim_hisi_mmz.c     memory: physical addresses, cached and uncached, mappings
     sim_hisi_nnie.c    the NNIE's driver: checks of a task, the queue, Query, the list of task buffers
     sim_hisi_engine.c  the NNIE itself: a thread for each core that computes
     sim_hisi_blob.c    blobs of all kinds: sizes, and elements to and from tensors
     sim_hisi_dsp.c     DSPs
     sim_hisi_net.c     what stands in a .wk file of make_model.py: networks, ROI layers, what feeds back */
#ifndef NNRT_TESTS_SIM_HISI_H
#define NNRT_TESTS_SIM_HISI_H

#include <time.h>

#include "../../../nnie/abi.h"
#include "../common/sim_memory.h"
#include "../common/sim_model.h"
#include "sim_hisi_control.h"

/* The release of the SDK whose libraries these are, 0x020001: what differs is only known of Hi3516CV500. */
#ifndef NNRT_SIM_VERSION
#define NNRT_SIM_VERSION 0x020002
#endif

#define SIM_HISI_OK 0
#define SIM_HISI_SYS_NULL ((int32_t)0xa0028006u)     /* of libmpi */
#define SIM_HISI_SYS_NOTREADY ((int32_t)0xa0028010u) /* of libmpi */
#define SIM_HISI_NNIE(code) ((int32_t)NNRT__NNIE_##code)

typedef struct sim_hisi_chip {
    const char *name;
    uint32_t id;
    uint32_t cores; /* of the NNIE */
    uint32_t dsps;
    uint8_t arch[2];   /* of .wk files */
    uint64_t physical; /* where MMZ begins */
    bool strict_model; /* LoadModel checks nodes as later releases do */
    bool odd_channels; /* the driver takes U8 of 2 and of 4 channels */
} sim_hisi_chip;

SIM_EXPORT const sim_hisi_chip *sim_hisi_the_chip(void);
SIM_EXPORT bool sim_hisi_has_driver(void);
const sim_hisi_chip *sim_hisi_the_chip_locked(void);

/* First statement of the vendor's functions, as sim_enter. lost: what the function answers when the device is gone. */
SIM_EXPORT bool sim_hisi_call(const char *function, int32_t lost, int32_t *answer);
/* The same of functions that need no device node. */
SIM_EXPORT bool sim_hisi_call_here(const char *function, int32_t lost, int32_t *answer);
/* A mistake that was noticed in user space. */
SIM_EXPORT void sim_hisi_mistake(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ------------------------------------------------------------------------------------------------- media system */

SIM_EXPORT int32_t sim_hisi_sys(bool init);
SIM_EXPORT int32_t sim_hisi_vb(bool init);
SIM_EXPORT int32_t sim_hisi_vb_config(void);
bool sim_hisi_sys_ready(void); /* locked */

/* ----------------------------------------------------------------------------------------------------------- memory */

SIM_EXPORT int32_t sim_hisi_allocate(uint64_t *physical, void **address, uint32_t size, bool cached);
SIM_EXPORT int32_t sim_hisi_free(uint64_t physical, void *address);
SIM_EXPORT void sim_hisi_kept(uint64_t physical); /* a fault kept the caller from freeing it */
SIM_EXPORT int32_t sim_hisi_flush(uint64_t physical, void *address, uint32_t size);
SIM_EXPORT void *sim_hisi_map(uint64_t physical, uint32_t size, bool cached);
SIM_EXPORT int32_t sim_hisi_unmap(void *address, uint32_t size);
SIM_EXPORT bool sim_hisi_where(const void *address, uint64_t *physical, bool *cached);

/* sim_memory.vendor */
typedef struct sim_hisi_block {
    bool cached;
} sim_hisi_block;

/* Locked from here on. A piece of physical memory, as far as it lies in one block; what is beyond has no memory. */
typedef struct sim_hisi_piece {
    sim_memory *memory; /* NULL: none at all */
    size_t offset;
    size_t size; /* that there is, at most what was asked for */
} sim_hisi_piece;

sim_hisi_piece sim_hisi_find(uint64_t physical, uint64_t size);
bool sim_hisi_in_mmz(uint64_t physical, uint64_t size);
/* Lines that the CPU has written there and not flushed; whole: and their neighbours'. */
size_t sim_hisi_dirty(uint64_t physical, uint64_t size, bool whole);
/* The device reads; noise where there is no memory. The CPU need not flush what only the device wrote and read. */
void sim_hisi_read(uint64_t physical, void *to, size_t size);
/* Do results stand there that nobody can have seen? */
bool sim_hisi_unseen(uint64_t physical, size_t size);
/* The device writes results, multiples of 16 bytes; late: nobody has to look. */
void sim_hisi_write(uint64_t physical, const void *from, size_t size, bool late);
/* The device writes what nobody is to read. */
void sim_hisi_scribble(uint64_t physical, size_t size);

/* ----------------------------------------------------------------------------------------------------------- models */

#define SIM_HISI_MAX_FEEDBACK 8u

typedef struct sim_hisi_segment {
    sim_model *model; /* NULL: no network of make_model.py */
    uint32_t rois;
    nnrt__nnie_roi_pool roi[NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS];
    uint32_t feedbacks;
    uint32_t feedback[SIM_HISI_MAX_FEEDBACK][2]; /* output, input: of the next step */
} sim_hisi_segment;

/* What one LoadModel read: shared by the model and the tasks of it. */
typedef struct sim_hisi_net {
    unsigned references;
    uint8_t *payload;
    size_t size;
    uint32_t segments;
    sim_hisi_segment segment[NNRT__NNIE_MAX_SEGMENTS];
} sim_hisi_net;

/* The ROI layers that a segment's instructions speak of, for libnnie; false: there are none of make_model.py. */
SIM_EXPORT bool sim_hisi_rois(const uint8_t *instructions, size_t size, nnrt__nnie_roi_pool *rois, uint32_t count);
sim_hisi_net *sim_hisi_net_new(const nnrt__nnie_model *model, const uint8_t *payload, size_t size);
void sim_hisi_net_release(sim_hisi_net *net); /* locked */

/* The board's own book: which models are loaded. Real libraries tell nobody. */
SIM_EXPORT void sim_hisi_loaded(const nnrt__nnie_model *model, uint64_t file_physical, const uint8_t *payload);
SIM_EXPORT void sim_hisi_unloaded(const nnrt__nnie_model *model, bool fault);
/* Locked. The net of a model, which it was when it was loaded; NULL: it is not loaded. */
sim_hisi_net *sim_hisi_net_of(const nnrt__nnie_model *model);
/* Locked: is that memory of a loaded model, of a registered task buffer, or of a task that may not be over? */
bool sim_hisi_model_in(uint64_t physical, uint64_t size);
bool sim_hisi_task_buffer_in(uint64_t physical, uint64_t size);
bool sim_hisi_task_in(uint64_t physical, uint64_t size);

/* ------------------------------------------------------------------------------------------------------------ blobs */

SIM_EXPORT uint32_t sim_hisi_element(nnrt__nnie_blob_type type); /* bytes */
/* Bytes from row to row at least, and rows of one frame, or of all steps of the sequences. */
uint64_t sim_hisi_row(const nnrt__nnie_blob *blob);
uint64_t sim_hisi_frame_rows(const nnrt__nnie_blob *blob);
uint64_t sim_hisi_steps(const uint32_t *steps, uint32_t count);

/* Frame number frame of a blob in bytes as they lie, to the tensor; and back. A row of a sequence is a frame. */
void sim_hisi_to_tensor(const nnrt__nnie_blob *blob, const uint8_t *bytes, const sim_tensor *tensor, void *data);
void sim_hisi_from_tensor(const nnrt__nnie_blob *blob, const sim_tensor *tensor, const void *data, uint8_t *bytes);

/* ------------------------------------------------------------------------------------------------------------ tasks */

/* Bytes of the task buffer for so many frames and boxes. */
SIM_EXPORT uint32_t sim_hisi_task_bytes(const nnrt__nnie_model *model, uint32_t segment, uint32_t frames,
                                        uint32_t boxes);

typedef struct sim_hisi_forward {
    const nnrt__nnie_blob *inputs, *outputs;
    const nnrt__nnie_blob *boxes; /* NULL: Forward */
    const nnrt__nnie_model *model;
    uint32_t input_count, output_count, proposals, segment, core;
    nnrt__nnie_memory temporary, task;
    bool instant;
} sim_hisi_forward;

SIM_EXPORT int32_t sim_hisi_enqueue(const sim_hisi_forward *call, int32_t *handle);
SIM_EXPORT int32_t sim_hisi_query(uint32_t core, int32_t handle, int32_t *finished, bool block);
SIM_EXPORT int32_t sim_hisi_add_task_buffer(const nnrt__nnie_memory *buffer);
SIM_EXPORT int32_t sim_hisi_remove_task_buffer(const nnrt__nnie_memory *buffer, bool fault);

typedef enum sim_hisi_state {
    SIM_HISI_WAITING,
    SIM_HISI_RUNNING,
    SIM_HISI_OVER
} sim_hisi_state;

typedef struct sim_hisi_task {
    struct sim_hisi_task *next; /* in order of their Forward */
    sim_hisi_state state;
    bool seen; /* the caller knows that it is over */
    bool instant;
    uint32_t core;
    int32_t handle;
    uint32_t number; /* stands in its task buffer */
    uint32_t segment;
    nnrt__nnie_net_type type;
    sim_hisi_net *net;
    uint32_t input_count, output_count;
    nnrt__nnie_blob inputs[NNRT__NNIE_MAX_IO], outputs[NNRT__NNIE_MAX_IO], boxes;
    uint32_t *steps; /* of the sequences of the first input */
    nnrt__nnie_memory temporary, task, base;
    uint32_t temporary_size, task_size; /* that it uses of them */
} sim_hisi_task;

/* Until when a blocking Query waits (locked). */
struct timespec sim_hisi_block_end(void);
/* Locked: the engine of the core has work. */
void sim_hisi_engine_wake(uint32_t core);
/* Locked, of the driver: the next task of the core; NULL: none. */
sim_hisi_task *sim_hisi_next_task(uint32_t core);
/* Locked: the task ended with 0 or the engine's error. */
void sim_hisi_task_over(sim_hisi_task *task, int32_t error);
/* Bytes of the blob in memory, and what it is in mistakes. */
uint64_t sim_hisi_blob_bytes(const nnrt__nnie_blob *blob, const uint32_t *steps);

/* -------------------------------------------------------------------------------------------------------------- DSP */

SIM_EXPORT int32_t sim_hisi_dsp_power(uint32_t core, bool on, bool fault);
SIM_EXPORT int32_t sim_hisi_dsp_enable(uint32_t core, bool on);
SIM_EXPORT uint32_t sim_hisi_dsp_memories(void); /* of all cores */
SIM_EXPORT int32_t sim_hisi_dsp_image(uint32_t memory, const uint8_t *bytes, size_t size);
SIM_EXPORT int32_t sim_hisi_dsp_rpc(int32_t *handle, const void *message, uint32_t core, uint32_t priority);
SIM_EXPORT int32_t sim_hisi_dsp_query(uint32_t core, int32_t handle, int32_t *finished, bool block);
bool sim_hisi_dsp_in(uint64_t physical, uint64_t size); /* locked: memory of a task that may not be over */

#endif /* NNRT_TESTS_SIM_HISI_H */
