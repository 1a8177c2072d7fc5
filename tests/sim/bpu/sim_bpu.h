/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu.h - the simulated Horizon board below the vendor's libraries: their state, the scheduler and the BPU.

   libdnn.so and libhbucp.so of a release (vendor_dnn.c, vendor_ucp.c) know the structures of vendor.h, turn them into
   those below and back, and have no state; all of it is in libsim_horizon.so, which they name as needed. So several
   releases can be in one process, on one board.

     sim_bpu_board.c    chips, the way into a function
     sim_bpu_memory.c   hbSys* and hbUCP*: memory with a physical and a virtual address
     sim_bpu_file.c     .bin, .hbm, ELF: takes the outside off
     sim_bpu_model.c    packed models, names, properties
     sim_bpu_tensor.c   tensors as they lie in memory, to and from those of a network
     sim_bpu_task.c     tasks: the table, what is refused, wait, release, callbacks
     sim_bpu_engine.c   the cores: order, preemption, computing */
#ifndef NNRT_TESTS_SIM_BPU_H
#define NNRT_TESTS_SIM_BPU_H

#include <pthread.h>
#include <time.h>

#include "../common/sim_memory.h"
#include "../common/sim_model.h"
#include "sim_bpu_control.h"
#include "vendor.h"

/* What functions answer, for the vendor's library to translate; a fault's own code, which is negative, is none of them.
   Up to SIM_BPU_MULTI_PROCESS they are numbered as those of libdnn 1.x. */
enum {
    SIM_BPU_OK,
    SIM_BPU_ARGUMENT,
    SIM_BPU_INVALID_MODEL,
    SIM_BPU_MODEL_NUMBER,
    SIM_BPU_PACKED_HANDLE,
    SIM_BPU_MODEL_HANDLE,
    SIM_BPU_CANNOT_OPEN,
    SIM_BPU_NO_MEMORY,
    SIM_BPU_TIMEOUT,
    SIM_BPU_TASK_NUMBER,
    SIM_BPU_BATCH_SIZE,
    SIM_BPU_TASK_HANDLE,
    SIM_BPU_RUN_FAILED,
    SIM_BPU_MODEL_RUNNING,
    SIM_BPU_INCOMPATIBLE,
    SIM_BPU_API_USE,
    SIM_BPU_MULTI_PROCESS,
    SIM_BPU_FREE,
    SIM_BPU_FLUSH,
    SIM_BPU_INVALIDATE,
    SIM_BPU_REGISTER,
    SIM_BPU_CODES
};

/* sim_board's codes: of a hang that was released and of a lost device. */
#define SIM_BPU_FAILED (-1)
#define SIM_BPU_LOST (-2)

/* One per vendor's library, never changed. */
typedef struct sim_bpu_release {
    uint32_t version; /* 0x010906: 1.9.6 */
    bool ucp;
    const char *text; /* of hbDNNGetVersion */
} sim_bpu_release;

typedef struct sim_bpu_chip {
    const char *name;
    bool ucp;          /* driven by UCP */
    uint32_t cores;    /* of the BPU */
    const char *march; /* "bayes-e" */
    char letters[4];   /* of an .hbm image: "B2E" */
    uint32_t oldest;   /* minor version of hbrt below which images are refused */
    uint32_t pitch;    /* rows of pictures are multiples of so many bytes */
    const char *soc;   /* of hbUCPGetSocName */
    uint64_t physical; /* where its memory begins */
} sim_bpu_chip;

const sim_bpu_chip *sim_bpu_the_chip(void); /* locked */
/* Locked: this release drives this chip, and there is a device. */
bool sim_bpu_drives(const sim_bpu_release *release);
/* First statement of the vendor's functions, as sim_enter; true: *answer is what the function answers. */
SIM_EXPORT bool sim_bpu_call(const char *function, int32_t *answer);
SIM_EXPORT const char *sim_bpu_soc(void);
SIM_EXPORT void sim_bpu_note(const char *text); /* what the runtime would log */

/* ----------------------------------------------------------------------------------------------------------- memory */

typedef struct sim_bpu_memory {
    uint64_t physical;
    void *address;
    uint64_t size;
} sim_bpu_memory;

SIM_EXPORT int32_t sim_bpu_allocate(const sim_bpu_release *release, sim_bpu_memory *memory, uint64_t size, bool cached);
/* fault: it failed and freed nothing. */
SIM_EXPORT int32_t sim_bpu_free(const sim_bpu_release *release, const sim_bpu_memory *memory, bool fault);
SIM_EXPORT int32_t sim_bpu_flush(const sim_bpu_release *release, const sim_bpu_memory *memory, int32_t flag);
SIM_EXPORT int32_t sim_bpu_copy(const sim_bpu_memory *memory, const void *from, void *to, uint32_t size);
SIM_EXPORT int32_t sim_bpu_register(const sim_bpu_memory *memory);

/* ----------------------------------------------------------------------------------------------------------- models */

#define SIM_BPU_MAX_RANK 10u
#define SIM_BPU_MAX_PORTS 32u

/* What the elements of a port are to the network's tensor. */
enum {
    SIM_BPU_PLAIN,
    SIM_BPU_GRAY,   /* a picture of one plane */
    SIM_BPU_NV12,   /* one of two planes: Y, U and V are the channels of the network */
    SIM_BPU_PIXELS, /* three packed channels, in the order of the network's */
    SIM_BPU_LUMA,   /* UCP: the two planes are inputs of their own */
    SIM_BPU_CHROMA,
    SIM_BPU_ROLES
};

typedef struct sim_bpu_port {
    char name[SIM_MAX_NAME];
    char text[SIM_MAX_NAME]; /* its description */
    uint32_t type;           /* numbered as in 1.x; 19: UCP's BOOL8 */
    uint32_t layout;
    uint32_t rank;
    int32_t valid[SIM_BPU_MAX_RANK], aligned[SIM_BPU_MAX_RANK]; /* -1: dynamic */
    int64_t shown[SIM_BPU_MAX_RANK];                            /* stride[]: what is told; 0: nothing, -1: dynamic */
    int64_t stride[SIM_BPU_MAX_RANK];                           /* how it lies */
    int64_t bytes;                                              /* alignedByteSize; -1: dynamic */
    uint32_t quant;                                             /* VENDOR_NONE ... */
    int32_t axis;
    uint32_t shifts, scales, zeros, factors;
    uint8_t *shift;
    float *scale;
    int8_t *zero;
    int32_t *wide_zero; /* the same */
    int32_t *factor;    /* stored = (network's - its zero point) * factor + zero */
    uint32_t source;    /* VENDOR_FROM_DDR ... */
    uint32_t tensor;    /* of the network's inputs or outputs */
    uint32_t role;
} sim_bpu_port;

typedef struct sim_bpu_model {
    char name[SIM_MAX_NAME];
    char text[SIM_MAX_NAME];
    char march[16];
    sim_handle handle;
    uint32_t cores; /* that it is compiled for */
    uint32_t calls; /* function calls: where it can be preempted */
    uint32_t latency;
    uint32_t count[2]; /* inputs, outputs */
    sim_bpu_port *ports[2];
    sim_model *network;
} sim_bpu_model;

/* What one Initialize made. */
typedef struct sim_bpu_packed {
    sim_context context;
    const sim_bpu_release *release;
    uint32_t models;
    sim_bpu_model **model;
    const char **names;
    uint32_t files;
    unsigned tasks; /* unreleased, or released and still at work */
} sim_bpu_packed;

/* As the structure of the release has it, and more. */
typedef struct sim_bpu_properties {
    uint32_t rank;
    int32_t valid[SIM_BPU_MAX_RANK], aligned[SIM_BPU_MAX_RANK];
    int64_t stride[SIM_BPU_MAX_RANK];
    int32_t layout, type, quant, axis;
    int64_t bytes;
    const sim_bpu_port *port; /* for what the library owns; of the caller's tensors NULL */
} sim_bpu_properties;

/* hbDNNInitializeFromFiles and FromDDR, with what they look at first. */
SIM_EXPORT int32_t sim_bpu_load_files(const sim_bpu_release *release, vendor_handle *packed, const char *const *files,
                                      int32_t count);
SIM_EXPORT int32_t sim_bpu_load_memory(const sim_bpu_release *release, vendor_handle *packed, const void *const *data,
                                       const int32_t *lengths, int32_t count);
SIM_EXPORT int32_t sim_bpu_release_packed(vendor_handle packed, bool fault);
SIM_EXPORT int32_t sim_bpu_names(vendor_handle packed, const char ***names, int32_t *count);
SIM_EXPORT int32_t sim_bpu_find(vendor_handle packed, const char *name, vendor_handle *model);
SIM_EXPORT int32_t sim_bpu_files(vendor_handle packed, int32_t *count);
/* What stays as long as its packed handle; NULL: no such model. */
SIM_EXPORT const sim_bpu_model *sim_bpu_model_of(vendor_handle model);
SIM_EXPORT void sim_bpu_describe(const sim_bpu_port *port, sim_bpu_properties *properties);
sim_bpu_model *sim_bpu_model_locked(vendor_handle handle, sim_bpu_packed **packed);
void sim_bpu_packed_free(sim_bpu_packed *packed);
void sim_bpu_model_free(sim_bpu_model *model);

/* sim_bpu_file.c: adds the models of one file to packed. SIM_BPU_OK, or why not. */
int32_t sim_bpu_read(sim_bpu_packed *packed, const sim_bpu_chip *chip, const uint8_t *bytes, size_t size);

/* ---------------------------------------------------------------------------------------------------------- tensors */

typedef struct sim_bpu_tensor {
    sim_bpu_memory memory[2]; /* the second: of NV12_SEPARATE */
    sim_bpu_properties properties;
} sim_bpu_tensor;

uint32_t sim_bpu_type_bytes(uint32_t type);                        /* 1 of 4 bits; 0: a picture of planes */
int64_t sim_bpu_row(uint32_t type, int64_t count, int64_t stride); /* bytes of the innermost dimension */
/* Strides of aligned, innermost the last dimension. */
void sim_bpu_dense(const int32_t *dims, uint32_t rank, uint32_t element, int64_t *stride);
/* Bytes from the first to behind the last element. */
int64_t sim_bpu_span(const int32_t *valid, const int64_t *stride, uint32_t rank, uint32_t type);
/* The elements of a plain port between memory with those strides and the network's tensor. */
void sim_bpu_to_network(const sim_bpu_port *port, const int32_t *dims, const int64_t *stride, const uint8_t *bytes,
                        const sim_tensor *tensor, void *data);
void sim_bpu_from_network(const sim_bpu_port *port, const int32_t *dims, const int64_t *stride, uint8_t *bytes,
                          const sim_tensor *tensor, const void *data);
/* A pixel into channel c of the network's element number at. */
void sim_bpu_put_pixel(const sim_tensor *tensor, void *data, size_t at, uint32_t c, uint8_t pixel);

/* ------------------------------------------------------------------------------------------------------------ tasks */

#define SIM_BPU_MAX_BATCH 255u

typedef struct sim_bpu_control {
    int32_t priority;
    int32_t more; /* 1.x */
    int64_t custom;
    int32_t core;   /* 1.x: bpuCoreId */
    uint64_t cores; /* UCP: backend */
} sim_bpu_control;

typedef struct sim_bpu_infer {
    const sim_bpu_tensor *inputs, *outputs;
    uint32_t input_count, output_count; /* of tensors that are given */
    vendor_handle model;
    const vendor_roi *rois; /* NULL: an Infer */
    uint32_t roi_count;
} sim_bpu_infer;

/* Runs of one call: 1 without ROIs; 0: a number of them that is none of the model's. */
SIM_EXPORT uint32_t sim_bpu_batch_of(const sim_bpu_release *release, const sim_bpu_model *model, uint32_t rois);
/* Can an array of tensors be there? One whose address is a physical one is that of a program that gave the array itself
   where the address of a variable is wanted: it dies, or is refused by a strict board. */
SIM_EXPORT bool sim_bpu_reachable(const void *array);
/* 1.x: a task, or one more run of *task; it goes to a core at once unless control->more. UCP: control is NULL. */
SIM_EXPORT int32_t sim_bpu_enqueue(const sim_bpu_release *release, vendor_handle *task, const sim_bpu_infer *infer,
                                   const sim_bpu_control *control);
/* hbDNNResize; roi NULL: the whole picture. */
SIM_EXPORT int32_t sim_bpu_resize(const sim_bpu_release *release, vendor_handle *task, const sim_bpu_tensor *output,
                                  const sim_bpu_tensor *input, const vendor_roi *roi, const sim_bpu_control *control);
/* UCP's InferV2 without a task. */
SIM_EXPORT int32_t sim_bpu_infer_now(const sim_bpu_release *release, const sim_bpu_infer *infer);
SIM_EXPORT int32_t sim_bpu_submit(const sim_bpu_release *release, vendor_handle task, const sim_bpu_control *control);
SIM_EXPORT int32_t sim_bpu_wait(const sim_bpu_release *release, vendor_handle task, int32_t milliseconds);
/* fault: it failed and gave the task up. */
SIM_EXPORT int32_t sim_bpu_release_task(const sim_bpu_release *release, vendor_handle task, bool fault);
/* translate: of the answer, for the status that the callback gets. */
SIM_EXPORT int32_t sim_bpu_on_done(const sim_bpu_release *release, vendor_handle task, vendor_done done, void *user,
                                   int32_t (*translate)(int32_t answer));
SIM_EXPORT int32_t sim_bpu_task_output(vendor_handle task, int32_t run, int32_t output, sim_bpu_properties *properties);
SIM_EXPORT int32_t sim_bpu_task_latency(vendor_handle task, int32_t *microseconds);
/* Locked: is that memory of a task that is not over? */
bool sim_bpu_in_use(uint64_t physical, uint64_t size);

typedef enum sim_bpu_state {
    SIM_BPU_OPEN,    /* more runs may come */
    SIM_BPU_WAITING, /* for a core */
    SIM_BPU_RUNNING,
    SIM_BPU_OVER
} sim_bpu_state;

typedef struct sim_bpu_job {    /* one run of one model, or of one ROI after the other */
    const sim_bpu_model *model; /* NULL: a resize, of one picture to another */
    sim_bpu_packed *packed;
    uint32_t batch;
    uint32_t shape; /* of the network */
    uint32_t roi_count;
    vendor_roi *rois;
    sim_bpu_tensor *inputs, *outputs; /* inputs: batch times the model's */
} sim_bpu_job;

typedef struct sim_bpu_task {
    sim_context context;
    const sim_bpu_release *release;
    sim_bpu_state state;
    bool submitted;
    bool abandoned; /* released while it ran */
    int32_t priority;
    int64_t custom;
    uint64_t serial;   /* order of submission */
    uint32_t cores;    /* bits of those it may run on */
    uint32_t together; /* cores at a time */
    int32_t status;
    unsigned waiters, tokens; /* UCP: each end wakes one */
    bool counted;             /* among live ones */
    vendor_done done;
    void *user;
    int32_t (*translate)(int32_t answer);
    bool in_done; /* by the thread caller */
    bool done_called;
    pthread_t caller;
    struct sim_bpu_task *left; /* the next one that was abandoned */
    uint32_t jobs;
    sim_bpu_job *job;
} sim_bpu_task;

extern const sim_kind sim_bpu_kind_packed, sim_bpu_kind_task;

/* sim_bpu_engine.c and sim_bpu_task.c, locked. The cores have work. */
void sim_bpu_wake(void);
/* The task ended; calls its callback (gives the lock back meanwhile) and wakes who waits. Frees it if it was released.
 */
void sim_bpu_task_over(sim_bpu_task *task, int32_t status);
/* Calls the callback, the lock is given back meanwhile. */
void sim_bpu_call_done(sim_bpu_task *task);
/* The ROI of an input of a run of the job. */
const vendor_roi *sim_bpu_roi_of(const sim_bpu_release *release, const sim_bpu_job *job, uint32_t run, uint32_t input);
void sim_bpu_output_now(const sim_bpu_job *job, uint32_t index, sim_bpu_properties *properties);
void sim_bpu_task_free(sim_bpu_task *task);
extern pthread_cond_t sim_bpu_ended;

#endif /* NNRT_TESTS_SIM_BPU_H */
