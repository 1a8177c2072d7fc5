/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/types.h - shared structures of the Rockchip device, and who may touch them when.   >>rknpu_types

   Device     one per process: the library, and the lists of everything that is alive. device->mutex protects lists and
              reference counts and is held briefly; no vendor call is made under it.
   Context one rknn_context or matmul context, counted. The vendor promises nothing about threads, so every vendor call
              on a context is made between nnrt__rknpu_enter and nnrt__rknpu_leave (the gate). A call that was given up
              leaves the context stuck: enter fails until the call has returned.
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
    uint32_t dead_memories;               /* how many of them are unreferenced: leaving a context frees them */
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
    NNRT__RKNPU_MEMORY_SYSTEM = 2   /* there was no context yet, and the runtime is too old to do without: copied */
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
    uint64_t serial; /* never reused in this process: distinguishes a new memory at an old address */
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
    bool of_tensor; /* from allocate or import, and not freed by free_memory yet */
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
    bool chose_cores;     /* the program set one of both, even to auto: the performance mode is ignored */
    OH_NN_PerformanceMode performance;
    bool non_cacheable;                          /* rknn.cacheable = 0: memory of the backend's own tensors */
    uint32_t retry;                              /* how often rknn_run is repeated when the NPU aborted a run */
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

/* Internal memory that several models share by taking turns. */
typedef struct nnrt__rknpu_arena {
    struct nnrt__rknpu_arena *next;
    int32_t references;
    char name[NNRT__SETTING_NAME_SIZE];
    nnrt__rknpu_memory *memory; /* large enough for all models so far */
    nnrt__runner_group group;   /* of the executors that use it */
} nnrt__rknpu_arena;

/* One input or output, as the program and as the NPU see it. */
typedef struct nnrt__rknpu_port {
    nnrt_io_desc desc;           /* for the program; name points into attr.name */
    nnrt_rknn_tensor_attr attr;  /* the logical tensor: dims without padding, in the order of attr.fmt */
    nnrt_rknn_tensor_attr bind;  /* for rknn_set_io_mem: layout, type and pass_through of the NPU's buffer */
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
    char custom[32];   /* a custom operator of the file that no rknn.custom_op supplies; "": none known */
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
    bool valid;                /* false: bound is kept alive, but must be bound again */
    bool flushed;              /* the runtime cleans and invalidates mem around rknn_run */
    nnrt__rknpu_memory *own;   /* counted; for tensors that cannot be bound; NULL: not needed so far */
    /* Of the general API */
    void *staging; /* bytes in the layout that the runtime takes and gives; NULL: none */
    size_t staging_size;
    nnrt__tensor_layout general;
    uint32_t general_size; /* bytes of it, <= staging_size */
    /* Of the run under way */
    nnrt__rknpu_memory *tensor;    /* counted: the tensor's memory, when the device made it */
    nnrt__rknpu_memory *dropped;   /* counted: what was bound before */
    nnrt_rknn_tensor_mem *foreign; /* view of a dma-buf that the CPU copies: synchronised around the copy */
    bool copied;                   /* the tensor is converted from or to own memory */
    /* Of the context's shape */
    nnrt__layout_job *job; /* between the tensor and the NPU's memory; NULL: the same bytes on both sides */
    bool lacks_own;        /* own memory has to be made first */
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

#endif /* NNRT_RKNPU_TYPES_H */
