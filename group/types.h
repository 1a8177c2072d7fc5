/* SPDX-License-Identifier: Apache-2.0 */
/* group/types.h - shared structures of the groups, and who may touch them when.   >>group_types

   Scheduler  one mutex for all that changes while frames are in flight; it is held briefly, never while a model or a
              function of the program runs. Lane 0 is the workers for functions, every other lane is a device.
   Group      stages with ports. Stage 0 stands for the outside: its outputs are the inputs of the group. After
              nnrt_group_finish everything here is fixed, except statistics, the flags of dead replicas and the fields
              below "under the mutex".
   Frame      cells: pointers to the tensors of all outputs of all stages; jobs: one for every possible run of a stage.
              A job waits for each input of its stage; an input that takes a list is ready when the whole stage before
              is over. A job with nothing left to wait for goes to the ready list.
   Items      A stage that fans out is the scope of those that run once per item of it; the scope of all others is stage
              0. counts[] has the items of a scope, 1 for stage 0. Jobs of items that a frame does not have are never
              ready, because the stage that fans out does not make those items. */
#ifndef NNRT_GROUP_TYPES_H
#define NNRT_GROUP_TYPES_H

#include "../core/desc.h"
#include "../core/error.h"
#include "../core/log.h"
#include "../core/nearest.h"
#include "../core/platform.h"
#include "api.h"

#define NNRT__GROUP_PRIORITIES 5u
#define NNRT__GROUP_OUTSIDE 0u /* number of the stage that stands for the outside, and of the scope of all frames */
#define NNRT__GROUP_NOWHERE UINT32_MAX
#define NNRT__REPLICA_DEAD 3u /* consecutive runs that found no device */

/* ------------------------------------------------------------------------------------------------ stages */

typedef struct nnrt__group_port {
    char *name; /* an input of a model may have none: "" */
    bool list;
    /* As declared, by the program or by the model. OH_NN_UNKNOWN and rank 0: any */
    OH_NN_DataType declared_dtype;
    uint32_t declared_rank;
    int32_t declared_dims[NNRT_MAX_RANK];
    OH_NN_Format format;
    /* By nnrt_group_finish */
    OH_NN_DataType dtype;
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK];
    /* Of an input: the output that it is connected to; NOWHERE: none */
    uint32_t from_stage, from_port;
    /* Of an output */
    size_t first_cell;      /* in the cells of a frame */
    uint32_t cell_count;    /* items that there can be */
    size_t device_id;       /* whose memory; 0: none was chosen yet */
    bool to_device, to_cpu; /* flush after writing */
} nnrt__group_port;

/* A device that a model runs on. */
typedef struct nnrt__replica {
    struct nnrt__lane *lane;
    size_t device_id;
    OH_NNExecutor **executors; /* one for each worker of the lane */
    uint32_t unavailable;      /* consecutive runs that found no device. Under the mutex */
} nnrt__replica;

/* An input that is fed by some output. */
typedef struct nnrt__group_edge {
    uint32_t stage, port; /* the input */
    uint32_t from_port;
} nnrt__group_edge;

typedef struct nnrt__stage {
    char *name;
    nnrt__group_port *inputs, *outputs;
    uint32_t input_count, output_count;
    /* A model has replicas, a function has run. */
    nnrt__replica *replicas;
    uint32_t replica_count;
    char *type;
    OH_NN_ReturnCode (*describe)(void *user, const nnrt_group_port *inputs, nnrt_group_port *outputs);
    OH_NN_ReturnCode (*run)(void *user, nnrt_group_call *call);
    void *user;
    void *parameter; /* of a plugin: the copy that user points to */
    uint32_t most_items;
    bool in_order;
    /* By nnrt_group_finish */
    uint32_t scope;     /* the stage whose items it runs for, or OUTSIDE */
    uint32_t job_count; /* of each frame: 1, or most_items of its scope */
    size_t first_job;   /* in the jobs of a frame */
    size_t first_edge;  /* in the edges of the group: where its outputs go */
    uint32_t edge_count;
    size_t first_argument; /* in the arguments and lists of a frame */
    uint32_t unordered;    /* while sorting: inputs from stages that are not placed yet */
    /* Under the mutex */
    uint64_t lanes; /* bits of the lanes that may run it */
    nnrt_stage_statistics statistics;
} nnrt__stage;

/* -------------------------------------------------------------------------------------- jobs and frames */

/* A run of a stage, or the callbacks of a group. Under the mutex. */
typedef struct nnrt__job {
    struct nnrt__job *next, *before; /* in the ready list */
    nnrt_group *group;
    nnrt_frame *frame; /* NULL: the callbacks of the group */
    uint32_t stage, item;
    uint32_t waits;    /* inputs that are not there yet */
    uint64_t sequence; /* of its frame: the place in the ready list */
    bool ready;        /* it is in the list */
    bool done;
    OH_NNExecutor *late; /* it ended in OH_NN_TIMEOUT here, and may still use the tensors; NULL: it did not */
    nnrt_frame_run run;
} nnrt__job;

typedef enum nnrt__frame_state {
    NNRT__FRAME_FREE,
    NNRT__FRAME_LATE,   /* free, but a run that was given up still uses it */
    NNRT__FRAME_ASKED,  /* the same, and a thread is finding out whether it still does */
    NNRT__FRAME_HELD,   /* the program's */
    NNRT__FRAME_FLYING, /* forwarded, without result */
    NNRT__FRAME_ENDED   /* its result is known; the callback has not begun */
} nnrt__frame_state;

struct nnrt_frame {
    nnrt_group *group;
    NN_Tensor **cells; /* of inputs: the frame's own, or those of the program */
    NN_Tensor **own_inputs;
    NN_Tensor **arguments;     /* for runs of models: one for each input and output of each job */
    nnrt_group_tensors *lists; /* for calls of functions, the same number */
    nnrt__job *jobs;
    uint32_t *counts; /* by stage that fans out: items; 1 for OUTSIDE */
    uint32_t *left;   /* by stage: jobs that are not done; 0: the stage is over */
    /* Under the mutex */
    nnrt__frame_state state;
    nnrt_frame *next, *before; /* of those in flight, in the order of forward */
    nnrt_frame *next_async;    /* of those whose callback is due, in the same order */
    uint32_t open_stages;      /* that are not over */
    uint32_t running;          /* jobs */
    bool ending;               /* it will fail or abort once nothing of it runs any more */
    bool has_result, has_late;
    bool async;
    nnrt_frame_callback callback;
    void *user;
    uint64_t id, sequence;
    bool begun; /* its first stage */
    uint64_t forward_ns, begin_ns;
    nnrt_frame_status status;
    OH_NN_ReturnCode code;
    char sentence[NNRT__SENTENCE_SIZE];
};

/* ------------------------------------------------------------------------------------------------ groups */

typedef struct nnrt__group_output {
    uint32_t stage, port;
} nnrt__group_output;

struct nnrt_group {
    nnrt_scheduler *scheduler;
    char *name;
    nnrt_group_priority priority;
    nnrt_group_memory memory;
    bool has_memory;
    bool finished;
    nnrt__stage *stages; /* OUTSIDE first */
    uint32_t stage_count;
    nnrt__group_output outputs[NNRT_GROUP_MOST_PORTS];
    uint32_t output_count;
    /* By nnrt_group_finish */
    uint32_t *order; /* all stages, each behind those that it reads from */
    nnrt__group_edge *edges;
    size_t edge_count, cell_count, job_count, argument_count;
    nnrt_frame *frames;
    uint32_t frame_count;
    /* Under the mutex */
    nnrt_frame *first_flying, *last_flying;
    nnrt_frame *first_async, *last_async;
    nnrt__job callbacks; /* makes the callbacks of ended frames at the front of that list */
    bool calling;        /* a worker is at it */
    bool destroyed;      /* nnrt_group_destroy waits: nothing new is accepted */
    uint32_t waiting;    /* threads inside nnrt_frame_acquire and nnrt_group_wait */
    nnrt_group_statistics statistics;
};

/* --------------------------------------------------------------------------------------------- scheduler */

typedef struct nnrt__lane_worker {
    struct nnrt__lane *lane;
    nnrt__thread thread;
    bool started;
    uint32_t number; /* within its lane */
} nnrt__lane_worker;

typedef struct nnrt__lane {
    struct nnrt__lane *next;
    nnrt_scheduler *scheduler;
    uint32_t number;  /* of its bit */
    size_t device_id; /* 0: the workers for functions */
    bool used;        /* a model has executors for its workers: their number is fixed */
    uint32_t worker_count;
    nnrt__lane_worker workers[NNRT_SCHEDULER_MOST_WORKERS];
    nnrt__cond work; /* something may have become ready */
    uint64_t runs, busy_ns, since_ns;
} nnrt__lane;

struct nnrt_scheduler {
    nnrt__mutex mutex;
    nnrt__cond changed; /* a frame has ended or is free, a callback has returned */
    nnrt__lane *lanes;  /* 0 first; each is added at the end and stays */
    uint32_t lane_count;
    bool stop;
    uint32_t group_count;
    uint64_t sequence;                              /* of the frame forwarded last */
    nnrt__job *first_ready[NNRT__GROUP_PRIORITIES]; /* of each priority in the order of sequence */
    nnrt__job *last_ready[NNRT__GROUP_PRIORITIES];
};

/* ------------------------------------------------------------------------------------------ small helpers */

NNRT__FN bool nnrt__stage_is_model(const nnrt__stage *stage) { return stage->replica_count != 0; }

NNRT__FN uint64_t nnrt__lane_bit(const nnrt__lane *lane) {
    NNRT_ASSERT(lane->number <= NNRT_SCHEDULER_MOST_DEVICES);
    return (uint64_t)1 << lane->number;
}

/* Whether this thread is one of the scheduler's, which would wait for itself. The mutex is held. */
NNRT__FN bool nnrt__scheduler_is_self(const nnrt_scheduler *scheduler) {
    const nnrt__lane *lane;
    uint32_t i;
    NNRT__ASSERT_HELD(&scheduler->mutex);
    for (lane = scheduler->lanes; lane != NULL; lane = lane->next)
        for (i = 0; i < lane->worker_count; i++)
            if (lane->workers[i].started && nnrt__thread_is_self(&lane->workers[i].thread)) return true;
    return false;
}

NNRT__FN OH_NN_ReturnCode nnrt__fail_inside(const char *function) {
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: not from inside a function or callback of the scheduler",
                      function);
}

NNRT__FN void nnrt__times_add(nnrt_group_times *times, uint64_t ns) {
    if (times->count == 0 || ns < times->min_ns) times->min_ns = ns;
    if (ns > times->max_ns) times->max_ns = ns;
    times->last_ns = ns;
    times->total_ns += ns;
    times->count++;
}

#endif /* NNRT_GROUP_TYPES_H */
