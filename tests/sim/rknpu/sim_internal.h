/* SPDX-License-Identifier: Apache-2.0 */
/* sim_internal.h - the state of the simulated board, shared by its own rooms; sim_board.h is for the others.

     sim_state.c    chips, environment, the lock, contexts alive, mistakes and the report at exit
     sim_faults.c   counts of calls, faults, who is inside a context
     sim_memory.c   NPU memory: CPU copy, device copy, synchronisation, imports, limits
     sim_tensor.c   attributes and layouts of a chip; values from one layout into another
     sim_context.c  rknn_init, dup, destroy, core masks, memory from outside
     sim_query.c    rknn_query and dynamic shapes
     sim_run.c      rknn_set_io_mem, rknn_run
     sim_general.c  rknn_inputs_set, rknn_outputs_get, rknn_outputs_release
     sim_custom.c   custom operators

   Everything reachable from sim_state is touched only under sim_lock; what hangs, sleeps or computes does it
   without. A context between sim_begin and sim_end belongs to its thread. */
#ifndef NNRT_TESTS_SIM_INTERNAL_H
#define NNRT_TESTS_SIM_INTERNAL_H

#include <pthread.h>

#include "sim_board.h"
#include "../common/sim_control.h"
#include "../common/sim_model.h"
#include "sim_rknn_file.h"

/* ---------------------------------------------------------------------- memory */

/* Bytes behind a descriptor: one for every inode, whoever imports it and how often. */
typedef struct sim_buffer {
    struct sim_buffer *next;
    unsigned references;      /* sim_memory and runs in progress */
    bool camera;              /* of nnrt_sim_dma_alloc: kept until the end */
    uint64_t device_number;   /* st_dev, st_ino */
    uint64_t inode;
    uint8_t *cpu;             /* our mapping: what the CPU sees */
    uint8_t *device;          /* what the device sees; cpu itself when not cacheable */
    uint8_t *synced;          /* the CPU's bytes at the last sync: lines that differ are dirty */
    size_t size;              /* whole pages */
    size_t used;              /* largest end of a memory that was made on it: the rest is a trap */
    size_t accounted;         /* NPU memory of the board that it takes */
    size_t sram;
    uint64_t phys;
    unsigned arena_users;     /* runs that use it as internal memory right now */
} sim_buffer;

typedef struct sim_memory {
    nnrt_rknn_tensor_mem vendor; /* first: what the caller holds. Only its address is trusted */
    struct sim_memory *next;
    uint64_t serial;             /* tells a new memory at an old address */
    sim_buffer *buffer;
    size_t offset;               /* in buffer */
    size_t size;
    uint32_t origin;             /* nnrt_rknn_mem_origin */
    nnrt_rknn_context context;   /* that made it; 0: none */
    int fd;                      /* the library's own; -1: imported */
    void *map;                   /* the caller's mapping that the library made; NULL: imported */
    bool given_up;
    bool unread;                 /* the device wrote it and nobody can have looked since, CPU or device */
} sim_memory;

typedef struct sim_memory_ref { /* a memory that may die meanwhile */
    sim_memory *memory;         /* NULL: none */
    uint64_t serial;
} sim_memory_ref;

/* ---------------------------------------------------------------------- tensors */

typedef struct sim_layout {
    nnrt_rknn_format order; /* UNDEFINED is NCHW with ones */
    nnrt_rknn_tensor_type type;
    uint32_t n, c, h, w;
    uint32_t w_stride, h_stride; /* stored columns and rows */
    uint32_t c1, c2;
} sim_layout;

/* ---------------------------------------------------------------------- contexts */

typedef struct sim_shared_model { /* a model and its weights: contexts that share them count */
    sim_model *model;
    unsigned references;
    size_t bytes; /* NPU memory of the weights */
} sim_shared_model;

typedef struct sim_port { /* one input or output of a context */
    sim_memory_ref bound;
    bool stale;             /* bound before the shape changed */
    uint32_t pass_through;
    sim_layout layout;      /* of the bound memory */
    size_t needed;          /* bytes of it */
    void *data;             /* logical bytes of the last inputs_set or run */
    size_t data_bytes;
    void *previous;         /* outputs, pipelined mode: of the run before */
    bool given;             /* inputs: by inputs_set; outputs: data hold a result */
    bool given_before;      /* previous holds a result */
} sim_port;

typedef struct sim_block { /* given out by rknn_outputs_get */
    struct sim_block *next;
    void *data;
    size_t size;
} sim_block;

typedef struct sim_custom {
    nnrt_rknn_custom_op op;
    nnrt_rknn_custom_op_context context;
    const uint8_t *attributes; /* of the node that is computed now */
    size_t attribute_bytes;
    sim_block *given;          /* attribute values given out in this call */
    bool started;              /* init was called */
    bool skip;                 /* init answered: compute it yourself */
} sim_custom;

struct sim_context {
    struct sim_context *next;
    nnrt_rknn_context handle;
    sim_kind kind;
    void *matmul;
    size_t bytes;            /* NPU memory of its own, without the shared weights */
    size_t sram;
    bool given_up;
    const char *inside;      /* function that a thread is in; NULL: none */
    bool delayed;            /* a fault made the call late: whoever waited may be gone */
    sim_shared_model *shared;
    uint32_t flags;
    uint32_t n_input, n_output;
    uint32_t shape;
    bool shape_set;
    sim_port *ports;         /* inputs, then outputs */
    sim_memory_ref internal;
    sim_memory_ref weights;
    sim_memory_ref model_memory; /* MODEL_BUFFER_ZERO_COPY */
    uint8_t *model_copy;         /* what stood there at rknn_init */
    size_t model_offset, model_size;
    uint64_t frame, previous_frame;
    int64_t run_us;
    bool fetched;            /* rknn_outputs_get since the start */
    char *perf;
    sim_block *blocks;
    sim_custom **customs;
    uint32_t custom_count;
};

/* ---------------------------------------------------------------------- state */

typedef struct sim_state_data {
    sim_context *contexts;
    sim_memory *memories;
    sim_memory *dead;         /* destroyed, kept so that a second destroy is told from a stranger */
    unsigned dead_count;
    sim_buffer *buffers;
    unsigned leaked_fds;
    uint64_t serial;
    uint64_t next_phys;
    size_t memory_limit;
    unsigned handle_limit;
    unsigned syncs[2];
    bool ready;               /* the environment was read */
    bool device_node;
    bool report, strict, log;
    const sim_chip *chip;
    uint32_t noise;
} sim_state_data;

extern sim_state_data sim_state;

/* sim_state.c */
void sim_lock(void); /* reads the environment the first time */
void sim_unlock(void);
bool sim_board_fits(void); /* this library drives this chip and there is a device */
void sim_mistake_locked(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint8_t sim_poison_locked(void);
sim_context *sim_context_find(nnrt_rknn_context handle); /* locked; NULL: none */
/* Locked. NULL: no memory. The handle is new and was never used. */
sim_context *sim_context_add(sim_kind kind);
void sim_context_unlink(sim_context *context); /* locked; does not free */
/* Locked; NPU memory in use. all: also what a fault kept the caller from freeing. */
size_t sim_live_bytes(bool all);
size_t sim_live_sram(void);                    /* locked */
bool sim_fits(size_t bytes);                   /* locked: may so many bytes be taken? */

/* sim_faults.c */
void sim_faults_read(const char *specification); /* locked */

/* sim_memory.c; locked but for those of sim_board.h */
sim_memory *sim_memory_find(const nnrt_rknn_tensor_mem *mem);
sim_memory *sim_memory_of(const sim_memory_ref *ref); /* NULL: none, or destroyed */
void sim_memory_refer(sim_memory_ref *ref, sim_memory *memory);
void sim_buffer_release(sim_buffer *buffer);
void sim_memory_end(sim_memory *memory, bool keep_fd);
/* Bytes as the device has them. */
uint8_t *sim_memory_device(const sim_memory *memory);
void sim_memory_to_device(sim_memory *memory);
void sim_memory_from_device(sim_memory *memory);

/* sim_tensor.c: pure */
nnrt_rknn_tensor_type sim_rknn_type(sim_type type);
int sim_rknn_code(int answer); /* of sim_model_run */
uint32_t sim_type_bytes(nnrt_rknn_tensor_type type);
void sim_tensor_plain(const sim_tensor *tensor, sim_layout *layout);  /* as sim_model.h has it */
void sim_tensor_native(const sim_chip *chip, const sim_tensor *tensor, bool output, sim_layout *layout);
bool sim_tensor_native_nhwc(const sim_chip *chip, const sim_tensor *tensor, sim_layout *layout);
size_t sim_layout_bytes(const sim_layout *layout);
void sim_attr_logical(const sim_chip *chip, const sim_tensor *tensor, bool output,
                      nnrt_rknn_tensor_attr *attr);
/* layout is that of sim_tensor_native or sim_tensor_native_nhwc. */
void sim_attr_native(const sim_tensor *tensor, const sim_layout *layout, nnrt_rknn_tensor_attr *attr);
bool sim_input_convertible(const sim_tensor *tensor, nnrt_rknn_tensor_type from);
bool sim_output_convertible(const sim_tensor *tensor, nnrt_rknn_tensor_type to);
/* Between the logical bytes of a model's tensor and a layout. uint8 of an image that is not uint8 itself
   are pixels. */
void sim_tensor_read(const sim_tensor *tensor, const sim_layout *from, const void *source, void *logical);
void sim_tensor_write(const sim_tensor *tensor, const void *logical, const sim_layout *to, void *destination);

/* sim_context.c; of a context that the caller is inside of */
void sim_port_tensor(const sim_context *context, uint32_t port, sim_tensor *tensor);
bool sim_internal_outside(const sim_context *context);
bool sim_weights_outside(const sim_context *context);
void sim_weights_write(const sim_context *context, uint8_t *bytes);
bool sim_weights_intact(const sim_context *context, const uint8_t *bytes);

/* sim_run.c */
/* Computes the logical inputs of the ports into the logical outputs; frame, times and profile follow. */
int sim_run_model(sim_context *context);

/* sim_custom.c */
int sim_custom_node(void *user, const char *op_type, const sim_tensor *inputs, void *const *input_data,
                    uint32_t n_inputs, const sim_tensor *outputs, void *const *output_data,
                    uint32_t n_outputs, const uint8_t *attributes, size_t attribute_bytes);
void sim_custom_end(sim_context *context);

#endif /* NNRT_TESTS_SIM_INTERNAL_H */
