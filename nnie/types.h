/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/types.h - shared structures of the NNIE device, and who may touch them when.   >>nnie_types

   Device     one per core: the library, the memory that the core's tasks share, what a lost task still uses.
              device->mutex protects counts and lists and is held briefly; no vendor call is made under it.
   Gate       the thread inside has the core, from the flush of a segment's inputs to the end of its task. The engine
              works in order, so waiting loses nothing, and one intermediate memory is enough.
   Block      memory of MMZ (npu/block.h): a model's file, an executor's buffers, a tensor.
   Model      a prepared .wk: its plan (which value goes where), its ports (which value the program has).
   Value      an intermediate tensor: as the engine sees it, as layers see it, or both.
   Executor   the buffers of one run at a time; executor.h runs it. */
#ifndef NNRT_NNIE_TYPES_H
#define NNRT_NNIE_TYPES_H

#include "../core/error.h"
#include "../core/log.h"
#include "../npu/executor.h"
#include "../npu/gate.h"
#include "../npu/layout.h"
#include "../npu/settings.h"
#include "file.h"
#include "layer_api.h"
#include "library.h"

#define NNRT__NNIE_NONE UINT32_MAX /* no value, no port, no segment */

#define NNRT__NNIE_MAX_LAYERS 16u /* of a model: nnie.layers */

/* Alignment of the parts of a block, so that parts that are flushed separately share no cache line. DDR4 is fastest
   with it. */
#define NNRT__NNIE_PART 256u

/* ------------------------------------------------------------------------------------------------- device */

typedef struct nnrt__nnie_device {
    nnrt__nnie_library library;
    uint32_t core;
    uint32_t cores; /* of this chip */
    nnrt__gate gate;

    /* Inside the gate */
    nnrt__npu_block *temporary; /* for the intermediate values of every model; NULL: no model is alive */
    bool has_lost;              /* a task was left in the engine: lost_handle */
    int32_t lost_handle;

    nnrt__mutex mutex;     /* everything below, and every references field */
    nnrt__npu_block *lost; /* what the lost task may still use: each holds a reference for this */
    uint32_t temporary_models;
    uint32_t task_entries; /* registered with the driver */
    uint32_t system_users; /* models that asked for nnie.init_sys */
    bool system_is_ours;   /* this device initialised the media system */
} nnrt__nnie_device;

/* ------------------------------------------------------------------------------------------------- models */

typedef enum nnrt__nnie_pixels {
    NNRT__NNIE_PIXELS_MODEL = 0, /* bgr or nv21 */
    NNRT__NNIE_PIXELS_BGR = 1,
    NNRT__NNIE_PIXELS_RGB = 2,
    NNRT__NNIE_PIXELS_PLANAR = 3,
    NNRT__NNIE_PIXELS_NV21 = 4,
    NNRT__NNIE_PIXELS_NV12 = 5
} nnrt__nnie_pixels;

typedef enum nnrt__nnie_order {
    NNRT__NNIE_ORDER_NCHW = 0,
    NNRT__NNIE_ORDER_NHWC = 1,
    NNRT__NNIE_ORDER_NATIVE = 2 /* as the engine stores it, padding included */
} nnrt__nnie_order;

/* Extension configs, read by config.h. docs/nnie.md explains each. */
typedef struct nnrt__nnie_options {
    nnrt__npu_options npu;
    nnrt__nnie_pixels pixels;
    nnrt__nnie_order order;
    bool raw; /* nnie.io_float 0 */
    uint32_t batch;
    uint32_t steps; /* 0: the program chooses at each run */
    bool step_counts;
    uint32_t max_boxes; /* 0: as many as the model takes */
    uint32_t first_segment, last_segment;
    bool chose_segments;
    bool all_outputs;
    uint32_t alignment; /* of rows: 16, 32 or 256 */
    bool init_system;
    const nnrt_nnie_layer *layers; /* in the request's config value, ANY alignment */
    uint32_t layer_count;
} nnrt__nnie_options;

/* A tensor on its way through the model. */
typedef struct nnrt__nnie_value {
    char name[NNRT__WK_NAME_TEXT]; /* "NAME" or "NAME#2" */
    uint32_t segment;              /* whose output it is; NNRT__NNIE_NONE: of a layer, or an input of the model */
    bool is_boxes;
    bool varies; /* rows come from the number of boxes, or from a layer */
    bool used;   /* by a later segment or layer */

    /* As the engine has it */
    bool has_blob;
    nnrt__nnie_node node;
    uint32_t stride; /* bytes */
    uint32_t rows;   /* maximum: frames, sequences * steps, boxes */
    uint32_t bytes;  /* of all of them */
    uint32_t offset; /* in the executor's block; NNRT__NNIE_NONE: memory of a tensor, or made when it is needed */

    /* As layers have it */
    bool has_reals;
    uint32_t n, c, h, w;
    size_t reals; /* offset in the executor's reals, in floats */
} nnrt__nnie_value;

/* How the program's bytes become the engine's. */
typedef enum nnrt__nnie_port_kind {
    NNRT__NNIE_PORT_TENSOR = 0,   /* by layouts */
    NNRT__NNIE_PORT_RGB = 1,      /* interleaved, the planes in the other order */
    NNRT__NNIE_PORT_CHROMA = 2,   /* luma and chroma rows; swap: U before V outside */
    NNRT__NNIE_PORT_SEQUENCE = 3, /* by layouts, sequence after sequence */
    NNRT__NNIE_PORT_STEPS = 4,    /* how many steps each sequence has: no value */
    NNRT__NNIE_PORT_REALS = 5     /* what a layer made */
} nnrt__nnie_port_kind;

/* One input or output of the model. */
typedef struct nnrt__nnie_port {
    char name[NNRT__WK_NAME_TEXT];
    nnrt_io_desc desc; /* its name is that above */
    nnrt__nnie_port_kind kind;
    uint32_t value;
    nnrt__tensor_layout outside, inside; /* of the most rows */
    bool swap;
    bool direct;           /* the same bytes: a tensor of this device is used in place */
    uint32_t outside_size; /* bytes, of the most rows */
} nnrt__nnie_port;

/* A segment of the plan. */
typedef struct nnrt__nnie_stage {
    uint32_t number;
    nnrt__nnie_net_type type;
    uint32_t input_count, output_count;
    uint32_t inputs[NNRT__NNIE_MAX_IO]; /* values */
    uint32_t outputs[NNRT__NNIE_MAX_IO];
    uint32_t boxes; /* value; NNRT__NNIE_NONE: no ROI segment */
} nnrt__nnie_stage;

/* A layer of the plan. */
typedef struct nnrt__nnie_layer {
    char *name;
    uint32_t after; /* number of a segment */
    uint32_t input_count, output_count;
    uint32_t inputs[NNRT_NNIE_MAX_LAYER_TENSORS]; /* values */
    uint32_t outputs[NNRT_NNIE_MAX_LAYER_TENSORS];
    nnrt_nnie_layer_function run;
    const void *user;
    size_t scratch_size;
} nnrt__nnie_layer;

typedef struct nnrt__nnie_prepared {
    nnrt__npu_model npu;
    nnrt__nnie_device *device;
    nnrt__nnie_options options;
    nnrt__npu_block *file;    /* the .wk, where the engine reads it */
    nnrt__nnie_model *loaded; /* what LoadModel says; NULL: not loaded */
    uint32_t architecture;    /* of the file */
    uint8_t mapper[5];
    uint32_t temporary_size;
    uint32_t task_size; /* of the segment that needs most */
    bool uses_temporary;
    bool uses_system;
    uint32_t max_boxes;
    uint32_t max_steps; /* of a sequence; 0: no recurrent segment */

    uint32_t stage_count, layer_count, value_count;
    nnrt__nnie_stage stages[NNRT__NNIE_MAX_SEGMENTS];
    nnrt__nnie_layer *layers; /* [layer_count] */
    nnrt__nnie_value *values; /* [value_count] */
    nnrt__nnie_port *ports;   /* inputs, then outputs */

    /* Of every executor */
    uint32_t block_size; /* task buffer first, then values */
    size_t reals;        /* floats */
    size_t scratch;      /* bytes, of the layer that needs most */
} nnrt__nnie_prepared;

/* ---------------------------------------------------------------------------------------------- executors */

/* A conversion between the engine's bytes and others, prepared for so many rows. */
typedef struct nnrt__nnie_move {
    uint32_t rows; /* of n or h, as nnrt__nnie_set_rows has it, or steps of a sequence; 0: not yet */
    nnrt__layout_job job;
} nnrt__nnie_move;

typedef struct nnrt__nnie_executor {
    nnrt__npu_executor npu;
    nnrt__nnie_prepared *model;
    nnrt__npu_block *block;       /* task buffer and values */
    bool registered;              /* the task buffer is in the driver's list */
    float *reals;                 /* [model->reals] */
    nnrt__nnie_move **moves;      /* [value_count] between the engine and reals; NULL where a value is not both */
    void *scratch;                /* [model->scratch] */
    nnrt__nnie_move **port_moves; /* [inputs and outputs] NULL where bytes are the same, or no layouts */
    uint32_t *rows;               /* [value_count] of the run: actual frames, steps or boxes */
    uint32_t *steps;              /* [2 * batch] of each sequence, for inputs and for outputs */
    int32_t in_gate;              /* atomic: this one has the core */

    /* Of the run under way, or the last one */
    uint32_t max_steps; /* of the sequences of this run */
    int32_t handle;
    bool lost_task; /* one of its tasks was left in the engine */
    uint64_t flushes, engine_ns;
} nnrt__nnie_executor;

#endif /* NNRT_NNIE_TYPES_H */
