/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/types.h - shared structures of the BPU device, and who may touch them when.   >>bpu_types

   Device     the library, the board, the places for tasks. device->mutex protects counts and lists and is held briefly;
              no vendor call is made under it.
   Place      the library keeps at most 32 tasks, finished or not, until they are released. A run takes one of as many
              places before it makes its task, and returns it after the release; runs without a place wait, the highest
              priority first.
   Block      memory that the BPU reaches (npu/block.h): an executor's copy, a tensor, a camera's picture.
   Model      a prepared model of a file: the library's handles, ports.
   Port       an input or output as the program sees it; its tensor is the board's side.
   Executor   the vendor's tensors of one run at a time; executor.h runs it. */
#ifndef NNRT_BPU_TYPES_H
#define NNRT_BPU_TYPES_H

#include "../core/error.h"
#include "../core/log.h"
#include "../npu/executor.h"
#include "../npu/settings.h"
#include "board.h"
#include "errors.h"
#include "library.h"
#include "tensor.h"

#define NNRT__BPU_MAX_IO 64u /* inputs, or outputs, of a model */
#define NNRT__BPU_NAME_SIZE 256u

struct nnrt__bpu_job;

/* ------------------------------------------------------------------------------------------------- device */

/* A run that waits for a place. */
typedef struct nnrt__bpu_waiting {
    struct nnrt__bpu_waiting *next;
    uint32_t priority;
    bool given_up; /* its deadline came: it leaves */
} nnrt__bpu_waiting;

typedef struct nnrt__bpu_device {
    nnrt__bpu_library library;
    const nnrt__bpu_march *march; /* of the board; NULL: not known */
    uint32_t row_alignment;       /* of strides that are the program's */

    nnrt__mutex mutex;          /* everything below, and every references field */
    nnrt__cond changed;         /* the lines below */
    nnrt__bpu_waiting *waiting; /* runs that wait for a place, in order */
    uint32_t places;            /* that are free */
    uint64_t bytes;             /* of BPU memory that is alive */
} nnrt__bpu_device;

/* ------------------------------------------------------------------------------------------------- models */

/* Extension configs, read by config.h. docs/bpu.md explains each. */
typedef struct nnrt__bpu_options {
    nnrt__npu_options npu;
    char model[NNRT__BPU_NAME_SIZE]; /* "": the only one of the file */
    bool as_float;
    bool raw;
    bool uncached;
    bool planes; /* NV12 of version 1 as luma and chroma */
    bool has_custom_id;
    bool custom_id_counts; /* each run has the next one */
    uint32_t custom_id;
    bool has_priority;
    uint32_t priority;
    uint32_t pitch; /* bytes of a row of the program's pictures; 0: as in the model */
    uint32_t cores; /* bits; 0: any */
    uint32_t batch;
} nnrt__bpu_options;

/* What of its tensor a port is. */
typedef enum nnrt__bpu_part {
    NNRT__BPU_ALL = 0,
    NNRT__BPU_LUMA = 1,
    NNRT__BPU_CHROMA = 2,
    NNRT__BPU_REGIONS = 3 /* no memory: the regions of the picture, roi.h */
} nnrt__bpu_part;

/* One input or output of the program. */
typedef struct nnrt__bpu_port {
    char *name;
    nnrt_io_desc desc; /* its name is that above */
    uint32_t value;    /* index in model->values */
    nnrt__bpu_part part;
    nnrt__bpu_form form;
    bool direct;           /* the same bytes: a tensor of this device is used in place */
    uint32_t outside_size; /* bytes of the program's tensor for one run of the batch; 0: dynamic */
    int32_t unit;          /* its first dimension for one run */
} nnrt__bpu_port;

/* One input or output of the library's model. */
typedef struct nnrt__bpu_value {
    nnrt__bpu_tensor tensor;
    uint8_t *properties; /* layout->properties_size bytes, as the library wrote them */
    bool resized;        /* a picture of any size, of which regions are cut out */
} nnrt__bpu_value;

typedef struct nnrt__bpu_model {
    nnrt__npu_model npu;
    nnrt__bpu_device *device;
    nnrt__bpu_options options;
    nnrt__bpu_form form;
    nnrt__bpu_handle packed, handle;
    const void *bytes;              /* of the file, when it came as memory; the library may point there */
    void *copy;                     /* owns them; NULL: the program does, or the model is a path */
    char march[33];                 /* that the file was made for; "": unknown */
    char name[NNRT__BPU_NAME_SIZE]; /* of the model that was chosen, cut */
    char names[256];                /* of all in the file, cut */
    uint32_t cores;                 /* that it was compiled for */
    uint64_t schedule;              /* UCP: cores of its tasks */
    size_t file_size;
    uint32_t value_inputs, value_outputs; /* of the library's model */
    nnrt__bpu_value *values;              /* inputs, then outputs */
    uint8_t *properties;                  /* of all values */
    nnrt__bpu_port *ports;                /* inputs, then outputs */
    bool is_dynamic;
    uint32_t resized; /* pictures that are */
} nnrt__bpu_model;

/* ---------------------------------------------------------------------------------------------- executors */

/* One memory of a run, beside its place: of a value, or of a plane of it. */
typedef struct nnrt__bpu_slot {
    struct nnrt__bpu_job *job; /* convert.h, of a tensor whose shape no run changes; NULL: prepared in each run */
    size_t step;               /* bytes from one run of the batch to the next */
    size_t size;               /* bytes of one run */
    size_t outside_size;       /* the program's, of one run */
    bool direct;               /* the program's bytes are the board's */
    bool own_is_clean;         /* the CPU has not written to own memory since it was cleaned */
} nnrt__bpu_slot;

#define NNRT__BPU_STEPS 3u /* of every profile: inputs, task, outputs */

typedef struct nnrt__bpu_executor {
    nnrt__npu_executor npu;
    nnrt__bpu_model *model;
    nnrt__bpu_slot *slots;     /* [ports] */
    nnrt__bpu_tensor *shape;   /* [values] of the run: dims are known */
    uint8_t *inputs;           /* [batch or regions * value_inputs] the vendor's tensors */
    uint8_t *outputs;          /* [batch * value_outputs] */
    nnrt__bpu_region *regions; /* [NNRT__BPU_MAX_BATCH * model->resized] */
    uint8_t *answer;           /* properties of one output of a task, with a canary */
    nnrt__bpu_waiting turn;
    int64_t custom_id;

    /* Of the run under way, or the last one */
    uint32_t runs; /* the batch, or the regions */
    uint64_t cleans, invalidates, task_ns;
} nnrt__bpu_executor;

#endif /* NNRT_BPU_TYPES_H */
