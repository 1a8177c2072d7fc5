/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/types.h - what the rooms of the Rockchip device share: its structures, and who may touch them when.
   >>rknpu_types

   Device     one per process: the library, and the lists of everything that is alive. device->mutex protects lists and
              reference counts for moments only; no vendor call is made under it.
   Context    one rknn_context or matmul context, counted. The vendor promises nothing about threads, so every vendor
              call on a context stands between nnrt__rknpu_enter and nnrt__rknpu_leave (the gate). A call that was given
              up leaves the context stuck: enter fails until the call has come back.
   Memory     what OH_NNTensor_Create* gives, counted: memory of the runtime, or somebody's dma-buf. Its views are the
              rknn_tensor_mem under which contexts know it.
   Model      a prepared model: attributes, ports, and the context that its first executor uses.
   Executor   one context with its bindings; model.h makes them, executor.h runs them. */
#ifndef NNRT_RKNPU_TYPES_H
#define NNRT_RKNPU_TYPES_H

#include "../core/error.h"
#include "../core/log.h"
#include "../core/platform.h"
#include "abi.h"
#include "../npu/executor.h"
#include "../npu/gate.h"
#include "../npu/layout.h"
#include "../npu/settings.h"
#include "library.h"

#define NNRT__RKNPU_MAX_IO 64u /* inputs, and outputs, of one model */

struct nnrt__rknpu_context;
struct nnrt__rknpu_memory;
struct nnrt__rknpu_model;
struct nnrt__rknpu_arena;
struct nnrt__rknpu_executor;
struct nnrt__rknpu_holding;

/* ------------------------------------------------------------------------------------------------- device */

typedef struct nnrt__rknpu_device {
    nnrt__rknpu_library library;
    nnrt__mutex mutex;                    /* everything below, and every references field */
    struct nnrt__rknpu_context *contexts; /* alive, newest first */
    struct nnrt__rknpu_model *models;     /* alive, for rknn.share_weights and rknn.share_sram by rknn.name */
    struct nnrt__rknpu_arena *arenas;     /* alive, for rknn.share_internal */
    uint64_t serial;                      /* of the last memory made */
    struct nnrt__rknpu_memory *memories;  /* alive, and without references but not free yet */
    uint32_t dead_memories;               /* how many of them nobody refers to: a leave of a context frees them */
} nnrt__rknpu_device;

/* ----------------------------------------------------------------------------------------------- contexts */

typedef struct nnrt__rknpu_context {
    nnrt__rknpu_device *device;
    struct nnrt__rknpu_context *next;
    int32_t references;
    nnrt_rknn_context handle;
    bool matmul;                        /* ended by rknn_matmul_destroy */
    nnrt__gate gate;                    /* every vendor call on the context is inside */
    struct nnrt__rknpu_context *parent; /* kept alive: weights or SRAM of it are used; NULL: none */
    void *kept[2];                      /* blocks (custom operators, model bytes) freed after rknn_destroy */
    nnrt_rknn_tensor_mem *model_memory; /* of rknn.model_zero_copy: destroyed after rknn_destroy; NULL: none */
} nnrt__rknpu_context;

/* -------------------------------------------------------------------------------------- memory of tensors */

typedef enum nnrt__rknpu_memory_kind {
    NNRT__RKNPU_MEMORY_RUNTIME = 0, /* rknn_create_mem* */
    NNRT__RKNPU_MEMORY_FD = 1,      /* somebody's dma-buf, CreateWithFd */
    NNRT__RKNPU_MEMORY_SYSTEM = 2   /* no context was there yet and the runtime is too old to do without: copied */
} nnrt__rknpu_memory_kind;

/* How one context knows a memory. */
typedef struct nnrt__rknpu_view {
    struct nnrt__rknpu_view *next;
    nnrt__rknpu_context *context; /* not counted: the context's end destroys its views */
    nnrt_rknn_tensor_mem *mem;
    uint32_t size; /* of mem: what was asked for */
} nnrt__rknpu_view;

typedef struct nnrt__rknpu_memory {
    nnrt__rknpu_device *device;
    struct nnrt__rknpu_memory *next; /* device list, so that the end of a context finds its views */
    int32_t references;
    uint64_t serial; /* never used again in this process: tells a new memory at an old address */
    nnrt__rknpu_memory_kind kind;
    void *data; /* first byte for the CPU */
    size_t size;
    int fd;                    /* of the dma-buf; -1: none */
    size_t offset;             /* of data in fd */
    nnrt__rknpu_context *home; /* RUNTIME: counted, made mem; NULL: made without context */
    nnrt_rknn_tensor_mem *mem; /* RUNTIME */
    void *map;                 /* FD, SYSTEM: the mapping */
    size_t map_size;
    nnrt__rknpu_view *views;
    bool of_tensor; /* allocate or import gave it, and free_memory has not taken it back */
} nnrt__rknpu_memory;

/* ------------------------------------------------------------------------------------------------- models */

typedef enum nnrt__rknpu_io_order {
    NNRT__RKNPU_IO_MODEL = 0, /* as rknn_query describes it */
    NNRT__RKNPU_IO_NHWC = 1,
    NNRT__RKNPU_IO_NCHW = 2,
    NNRT__RKNPU_IO_NATIVE = 3 /* as the NPU stores it, padding included: tensors are bound, nothing is copied */
} nnrt__rknpu_io_order;

/* Extension configs, read by config.h. docs/rknpu.md explains each. */
typedef struct nnrt__rknpu_options {
    nnrt__npu_options npu; /* a profile: with librknnrt also per layer */
    uint32_t flags;        /* of rknn_init, all that were asked for by name or by rknn.flags */
    bool general_api;      /* rknn.api = general */
    nnrt__rknpu_io_order order;
    bool io_float;    /* rknn.io_float: quantized and float16 tensors are float32 for the program */
    bool input_uint8; /* rknn.input_type = uint8: image inputs take pixels, the NPU normalises */
    bool has_core_mask;
    uint32_t core_mask;
    uint32_t batch_cores; /* 0: not asked for */
    bool chose_cores;     /* the program gave one of both, if only to say auto: the performance mode does not count */
    OH_NN_PerformanceMode performance;
    bool non_cacheable;                          /* rknn.cacheable = 0: memory of the backend's own tensors */
    uint32_t retry;                              /* how often rknn_run is called again when the NPU gave up a run */
    uint32_t model_offset;                       /* of the .rknn in its file or buffer */
    uint32_t model_size;                         /* 0: up to the end */
    bool int4_weights;                           /* rknn.matmul_weights = int4 */
    char name[NNRT__SETTING_NAME_SIZE];          /* rknn.name; "": none */
    char share_weights[NNRT__SETTING_NAME_SIZE]; /* rknn.name of another compilation */
    char share_sram[NNRT__SETTING_NAME_SIZE];
    char share_internal[NNRT__SETTING_NAME_SIZE]; /* name of a group */
    const nnrt_rknn_custom_op *custom_ops;        /* in the request's config value, ANY alignment */
    uint32_t custom_op_count;
} nnrt__rknpu_options;

/* Internal memory that several models use in turn. */
typedef struct nnrt__rknpu_arena {
    struct nnrt__rknpu_arena *next;
    int32_t references;
    char name[NNRT__SETTING_NAME_SIZE];
    nnrt__rknpu_memory *memory; /* large enough for all models so far */
    nnrt__runner_group group;   /* of the executors that use it */
} nnrt__rknpu_arena;

/* One input or output: as the program has it, and as the NPU has it. */
typedef struct nnrt__rknpu_port {
    nnrt_io_desc desc;           /* for the program; name points into attr.name */
    nnrt_rknn_tensor_attr attr;  /* the logical tensor: dims without padding, in the order of attr.fmt */
    nnrt_rknn_tensor_attr bind;  /* what rknn_set_io_mem gets: layout, type and pass_through of the NPU's buffer */
    nnrt__tensor_layout outside; /* of the program's bytes */
    nnrt__tensor_layout inside;  /* of the NPU's bytes */
    uint32_t outside_size;
    uint32_t inside_size; /* bind.size_with_stride; of the largest shape when dynamic */
    bool direct;          /* outside and inside are the same bytes: a tensor can be bound as it is */
} nnrt__rknpu_port;

/* The shapes of a dynamic model: shape k of every input together. */
typedef struct nnrt__rknpu_shapes {
    uint32_t count;                 /* 0: the model is static */
    nnrt_rknn_input_range **ranges; /* one per input */
    nnrt__rknpu_port *ports;        /* [count][inputs and outputs] */
} nnrt__rknpu_shapes;

struct nnrt__rknpu_matmul; /* matmul.h: a graph that runs through the matmul API */

typedef struct nnrt__rknpu_model {
    nnrt__npu_model npu;
    nnrt__rknpu_device *device;
    struct nnrt__rknpu_model *next; /* device->models */
    nnrt__rknpu_options options;
    struct nnrt__rknpu_matmul *matmul; /* a graph; everything below but the counts and ports is then empty */
    const char *model_path;            /* of the request, whose copies live as long as the model */
    const void *model;
    size_t model_bytes;
    bool read_files;              /* nnrt.map is 0 */
    nnrt__rknpu_context *context; /* the first; executors dup it or make their own */
    bool context_taken;           /* an executor uses it; under device->mutex */
    nnrt__rknpu_arena *arena;     /* NULL: internal memory is the runtime's */
    uint32_t runtime_version;     /* of SDK_VERSION, as NNRT__RKNN_VERSION */
    nnrt_rknn_sdk_version sdk;
    nnrt_rknn_custom_string custom_string;
    char platform[32]; /* of the file, as in nnrt__rknn_file_info; "" when not told, and for graphs */
    char custom[32];   /* a custom operator of the file that no rknn.custom_op gives; "": none is known */
    char toolkit[64];
    nnrt_rknn_mem_size mem_size; /* zero: not asked, profile.h, or not told */
    bool mem_size_asked;         /* under device->mutex */
    bool syncs_imports;          /* rknn_run cleans and invalidates imported memory as it does its own */
    nnrt__rknpu_port *ports;     /* inputs, then outputs: of the default shape when dynamic */
    nnrt__rknpu_shapes shapes;
    struct nnrt__rknpu_holding *holdings; /* model.h: memory given to each of its contexts; under device->mutex */
} nnrt__rknpu_model;

/* ---------------------------------------------------------------------------------------------- executors */

#define NNRT__RKNPU_STEPS 3u /* of every profile: inputs, rknn_run, outputs */

/* One input or output of an executor. */
typedef struct nnrt__rknpu_slot {
    /* What the context has bound */
    nnrt__rknpu_memory *bound; /* counted; stays alive until another one is bound; NULL: nothing */
    nnrt_rknn_tensor_mem *mem; /* the view that is bound */
    bool valid;                /* false: bound is kept alive, but has to be bound again */
    bool flushed;              /* the runtime cleans and invalidates mem around rknn_run */
    nnrt__rknpu_memory *own;   /* counted; for tensors that cannot be bound; NULL: not needed so far */
    /* Of the general API */
    void *staging; /* bytes in the layout that the runtime takes and gives; NULL: none */
    size_t staging_size;
    nnrt__tensor_layout general;
    /* Of the run under way */
    nnrt__rknpu_memory *tensor;    /* counted: the tensor's memory, when the device made it */
    nnrt__rknpu_memory *dropped;   /* counted: what was bound before */
    nnrt_rknn_tensor_mem *foreign; /* view of a dma-buf that is copied by the CPU: to be synchronised around that */
    bool copied;                   /* the tensor is converted from or to own memory */
    bool lacks_own;                /* own memory has to be made first */
} nnrt__rknpu_slot;

typedef struct nnrt__rknpu_executor {
    nnrt__npu_executor npu;
    nnrt__rknpu_model *model;
    nnrt__rknpu_context *context; /* NULL: a graph */
    void *matmul;                 /* state of a graph, matmul.h */
    nnrt__rknpu_slot *slots;      /* [io_count] inputs, then outputs */

    /* Shapes of a dynamic model */
    const nnrt__rknpu_port *ports;     /* [io_count] of the context's shape */
    uint32_t shape;                    /* that the context has; UINT32_MAX: not known */
    nnrt_rknn_tensor_attr *attrs;      /* [input_count] for rknn_set_input_shapes */
    nnrt_rknn_input *general_inputs;   /* [input_count] general API */
    nnrt_rknn_output *general_outputs; /* [output_count] */

    /* Of the run under way, or the last one */
    uint32_t tries; /* that rknn_run has failed in the run under way */
    bool gave_up;   /* rknn_run: the NPU gave up the run, and may take it another time */
    uint64_t syncs, frame_id;
    nnrt_profile_step *steps; /* as the program was told them last */
    char *step_text;          /* the names of layers in them */
} nnrt__rknpu_executor;

/* ------------------------------------------------------------------------------------- the rooms and what they offer

   device.h     nnrt__rknpu_open, contexts, gates, memory
   errors.h     vendor codes into codes and sentences
   file.h       what a .rknn file tells about itself
   config.h     extension configs
   model.h      prepare, describe, ranges, a context for each executor, ports of a shape
   executor.h   bind, synchronise, run, give up, profile, facts
   memory.h     what an executor and its model hold
   matmul.h     graphs
   Each function is described where it is defined. Those that cross rooms: */

/* device.h */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_open(void *user, void **device);
/* Takes over a handle that rknn_init, rknn_dup_context or rknn_matmul_create gave: one reference, in the device's list.
   On failure (memory) the handle was destroyed. parent may be NULL; it is retained. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_context_new(nnrt__rknpu_device *device, nnrt_rknn_context handle, bool matmul,
                                                  nnrt__rknpu_context *parent, nnrt__rknpu_context **context);
NNRT__FN void nnrt__rknpu_context_retain(nnrt__rknpu_context *context);
/* The last release destroys views, handle, kept blocks and the structure. A stuck context is released for good by the
   leave of the call that was given up. NULL is allowed. */
NNRT__FN void nnrt__rknpu_context_release(nnrt__rknpu_context *context);
/* Before and after a vendor call on the context. enter waits while another thread is inside and answers false, at
   once, when the context is stuck. */
NNRT__FN bool nnrt__rknpu_enter(nnrt__rknpu_context *context);
NNRT__FN void nnrt__rknpu_leave(nnrt__rknpu_context *context);
/* As enter, but waits for a given-up call too, until deadline_ns (of nnrt__now_ns). */
NNRT__FN bool nnrt__rknpu_enter_until(nnrt__rknpu_context *context, uint64_t deadline_ns);
/* From another thread than the one inside: its call is given up, the context is stuck until it leaves. Nothing happens
   when nobody is inside. Never blocks. */
NNRT__FN void nnrt__rknpu_give_up(nnrt__rknpu_context *context);
/* The slots of the backend. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_allocate(void *device, size_t size, nnrt_device_memory *memory);
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_import(void *device, int fd, size_t size, size_t offset,
                                             nnrt_device_memory *memory);
NNRT__FN void nnrt__rknpu_free_memory(void *device, nnrt_device_memory *memory);
/* Memory that the backend itself needs with a context (bound I/O, arenas, B of a matmul): one reference, in the
   context's own. flags as of rknn_create_mem2; runtimes without it ignore them. Enters and leaves the context itself:
   the caller is outside. Contents are undefined. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_memory_new(nnrt__rknpu_context *context, size_t size, uint32_t flags,
                                                 nnrt__rknpu_memory **memory);
NNRT__FN void nnrt__rknpu_memory_retain(nnrt__rknpu_memory *memory);
NNRT__FN void nnrt__rknpu_memory_release(nnrt__rknpu_memory *memory);
/* The rknn_tensor_mem under which context knows the first size bytes of memory: its own when it was made there with
   exactly this size, else an import of its fd, made at first use and kept. *flushed: the runtime itself cleans and
   invalidates it around rknn_run (its own memory); else whoever uses it has to call nnrt__rknpu_sync. The context is
   entered. OH_NN_UNSUPPORTED, without a sentence worth showing: this memory cannot be bound (kind SYSTEM, no fd, too
   small): copy instead. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_memory_view(nnrt__rknpu_memory *memory, nnrt__rknpu_context *context, size_t size,
                                                  nnrt_rknn_tensor_mem **mem, bool *flushed);
/* rknn_mem_sync, or the dma-buf ioctl on runtimes before 1.6. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_sync(nnrt__rknpu_context *context, nnrt_rknn_tensor_mem *mem,
                                           nnrt_rknn_mem_sync_mode mode);

/* errors.h: leaves a sentence "WHAT: ... (rknn code -N)" that says what to check and returns the OH_NN code.
   OH_NN_CONNECTION_EXCEPTION is for codes that mean that the device is gone. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail(int vendor_code, const char *what);

/* file.h: the outermost of a .rknn: bytes are the file or its beginning and end. Fills what is known; refuses what no
   runtime takes and what this library or chip cannot take (OH_NN_INVALID_FILE). chip "": not known. */
typedef struct nnrt__rknn_file_info {
    uint32_t format_version; /* file.h */
    bool encrypted;
    char platform[32];   /* target_platform, "rk3588"; "": not told */
    char toolkit[64];    /* version of the toolkit that made it; "": not told */
    const uint8_t *body; /* within the bytes that were read; NULL: encrypted, or they are gone */
    size_t body_size;
} nnrt__rknn_file_info;
NNRT__FN OH_NN_ReturnCode nnrt__rknn_file_read(const void *bytes, size_t size, nnrt__rknn_file_info *info);
NNRT__FN OH_NN_ReturnCode nnrt__rknn_file_check(const nnrt__rknn_file_info *info, const nnrt__rknpu_library *library);

/* config.h: reads one config into options, which may be NULL: check only. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_take_config(nnrt__rknpu_options *options, const nnrt_config *config);

/* model.h: slots prepare, release, io_count, io_desc, input_range; and for executors: */
/* A context with the model's settings for one more executor: the model's own if it is free, else a duplicate, else the
   model loaded again. One reference. Give it back with nnrt__rknpu_model_give. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_take(nnrt__rknpu_model *model, nnrt__rknpu_context **context);
NNRT__FN void nnrt__rknpu_model_give(nnrt__rknpu_model *model, nnrt__rknpu_context *context);
/* Fills ports (input_count + output_count) for the shape that context has now, by queries. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_ports(const nnrt__rknpu_model *model, nnrt__rknpu_context *context,
                                                  bool current, nnrt__rknpu_port *ports);
/* The shape of the list that these inputs have; OH_NN_INVALID_PARAMETER with a sentence that lists some. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_shape(const nnrt__rknpu_model *model, const nnrt_io *inputs,
                                                  uint32_t *shape);
/* rknn_set_input_shapes: context gets that shape of the list. attrs: room for input_count, the caller's, so that a run
   allocates nothing. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_set_shape(const nnrt__rknpu_model *model, nnrt__rknpu_context *context,
                                                      uint32_t shape, nnrt_rknn_tensor_attr *attrs);
/* The slots of the backend; release is called when nothing runs any more. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_config(void *device, const nnrt_config *config);
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_prepare(void *device, const nnrt_request *request, void **prepared);
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims);

/* executor.h: slots open_executor, close_executor, run, cancel, expect_cancel, profile, memory, info */

/* matmul.h: prepare of a graph, and its executor. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_supports(void *device, const nnrt_graph *graph, uint32_t node);
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_matmul_prepare(nnrt__rknpu_device *device, const nnrt_request *request,
                                                     nnrt__rknpu_model *model); /* fills matmul, counts, ports[].desc */
NNRT__FN void nnrt__rknpu_matmul_release(nnrt__rknpu_model *model);
/* Vendor calls of matmul_run that may hang are calls of runner. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_matmul_open(nnrt__rknpu_model *model, nnrt__runner *runner, void **state);
NNRT__FN void nnrt__rknpu_matmul_close(void *state);
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_matmul_run(void *state, const nnrt_io *inputs, nnrt_io *outputs);
/* From another thread, while a vendor call of matmul_run is under way: its context is stuck, nnrt__rknpu_give_up. The
   next matmul_run enters the contexts again and must not come before that run has ended. Never blocks. */
NNRT__FN void nnrt__rknpu_matmul_give_up(void *state);
/* Of a state: one step per node; the array belongs to the state. Memory but for heap_bytes, added to what is there.
   Bytes of NNRT_MALLOC in it; contexts and memory that it and its compilation hold are not among them. Bytes that the
   last run copied between tensors and the NPU's memory, and rknn_mem_sync calls of the last run. */
NNRT__FN void nnrt__rknpu_matmul_profile(void *state, const nnrt_profile_step **steps, uint32_t *count);
NNRT__FN void nnrt__rknpu_matmul_memory(void *state, nnrt_memory *memory);
NNRT__FN size_t nnrt__rknpu_matmul_state_bytes(const void *state);
NNRT__FN bool nnrt__rknpu_matmul_holds_context(const void *state, const nnrt__rknpu_context *context);
NNRT__FN bool nnrt__rknpu_matmul_holds_memory(const void *state, const nnrt__rknpu_memory *memory);
NNRT__FN void nnrt__rknpu_matmul_counters(void *state, uint64_t *copied_bytes, uint64_t *syncs);

#endif /* NNRT_RKNPU_TYPES_H */
