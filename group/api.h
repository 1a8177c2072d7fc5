/* SPDX-License-Identifier: Apache-2.0 */
/* group/api.h - nnrt_scheduler_*, nnrt_group_*, nnrt_frame_*: cascades of models on any devices.   >>group_api

   A group is a graph of stages. A stage is a model, built for any device, or a function of the program: a connector
   (crop what the detector found) or a plugin (a layer that a device lacks). A frame is one set of inputs on its way
   through the graph. The scheduler owns the threads: it runs ready stages on free devices, for all of its groups.

   A function that returns an OH_NN_ReturnCode returns OH_NN_SUCCESS or one of the codes listed with it. Every failure
   leaves a sentence in nnrt_last_error() and changes nothing unless stated otherwise. Times are in nanoseconds of a
   monotonic clock; all are 0 in a build without a clock.

   Threads      A scheduler and its groups and frames may be used from several threads at once, with three exceptions:
                calls before nnrt_group_finish are made by one thread; nnrt_group_destroy and nnrt_scheduler_destroy are
                the last use of their handle; and an acquired frame belongs to one thread at a time.
   Callbacks    The program's functions are called without a lock and may call everything except what waits for their
                own scheduler: acquiring with a timeout, nnrt_frame_forward_sync, nnrt_group_wait and the two destroys
                return OH_NN_OPERATION_FORBIDDEN from inside one, because they could wait for themselves.
   Memory       All of it is allocated before nnrt_group_finish returns: a frame allocates nothing, provided that the
                devices of its models do not. */
#ifndef NNRT_GROUP_API_H
#define NNRT_GROUP_API_H

#include "../core/api.h"
#include "../core/api_extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NNRT_GROUP_MOST_STAGES 128u     /* models and functions of one group */
#define NNRT_GROUP_MOST_PORTS 32u       /* inputs, and outputs, of a function; inputs, and outputs, of a group */
#define NNRT_GROUP_MOST_ITEMS 1024u     /* of one fan-out in one frame */
#define NNRT_GROUP_MOST_FRAMES 64u      /* of one group at once */
#define NNRT_SCHEDULER_MOST_WORKERS 64u /* of one device, or for functions */
#define NNRT_SCHEDULER_MOST_DEVICES 63u

typedef struct nnrt_scheduler nnrt_scheduler;
typedef struct nnrt_group nnrt_group;
typedef struct nnrt_frame nnrt_frame;

/* ---------------------------------------------------------------------------------------------- scheduler

   What runs next on each device, and on the workers for functions: a ready stage of the group with the highest
   priority; among equal priorities that of the frame forwarded first, so that a frame is finished before a later one is
   begun. A running stage is never interrupted. Priorities do not age: a group that keeps a device busy all the time
   starves those below it. Limit its number of frames, or give it the lower priority.

   A device runs one stage at a time, on one thread of its own, unless nnrt_scheduler_set_device_workers allows more;
   cores that are separate devices work in parallel. Functions run on function_workers threads, which also make the
   callbacks. Threads start with the first group that needs them and end with the scheduler. */

/* A new scheduler, which the caller owns, in *scheduler, which must be NULL on entry. function_workers: threads for
   connectors, plugins and callbacks, 1 to NNRT_SCHEDULER_MOST_WORKERS; 0: as many as the system has cores, 4 at most.
   Different schedulers do not coordinate: groups that share a device should share a scheduler.
   OH_NN_INVALID_PARAMETER: scheduler is NULL or *scheduler is not; function_workers is too large.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_create(uint32_t function_workers, nnrt_scheduler **scheduler);

/* Lets a device (0: the first one) run workers stages at a time, 1 to NNRT_SCHEDULER_MOST_WORKERS: for one that assigns
   its cores itself, like Rockchip's on RK3588 and RK3576. Each model on it then has that many executors. Call it before
   the first model of the device is added to a group. Default: 1.
   OH_NN_INVALID_PARAMETER: scheduler is NULL, or workers is out of range. OH_NN_FAILED: no such device, or too many.
   OH_NN_OPERATION_FORBIDDEN: a model of the device was added already. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_set_device_workers(nnrt_scheduler *scheduler, size_t device_id,
                                                            uint32_t workers);

/* Ends the threads, frees the scheduler and sets *scheduler to NULL.
   OH_NN_INVALID_PARAMETER: scheduler or *scheduler is NULL.
   OH_NN_OPERATION_FORBIDDEN: one of its groups still exists; or from inside a function or callback. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_destroy(nnrt_scheduler **scheduler);

/* ---------------------------------------------------------------------------------------------- functions

   A function reads its inputs and writes its outputs, tensors that the group owns, and returns. Since several frames
   are in flight, it may be called from several threads at once with the same user pointer, unless it is declared
   in_order.

   Lists        An output that is a list has one tensor per item, most_items of them; the function sets item_count to
                the number it has filled, 0 included. A stage that reads such an output runs once per item, and so do
                the stages after it, up to an input that is a list: it receives all items of a frame at once, in order.
                Inputs from outside the list are the same for every item. */

/* An input or output of a function, or an input of a group. */
typedef struct nnrt_group_port {
    const char *name;     /* without a dot; not "" */
    bool list;            /* output: one tensor per item. Input: all items at once. Not for an input of a group */
    OH_NN_DataType dtype; /* OH_NN_UNKNOWN: that of its connection; not for an output without describe */
    uint32_t rank;        /* 0: the shape of its connection; not for an output without describe */
    int32_t dims[NNRT_MAX_RANK]; /* rank values, each >= 1. Of one item, where it is a list */
} nnrt_group_port;

/* The tensors of one input or output of a function. */
typedef struct nnrt_group_tensors {
    NN_Tensor *const *tensors;
    uint32_t count; /* 1; for a list the items of this frame, or most_items of an output */
} nnrt_group_tensors;

/* The arguments of a function; valid during the call. The function must not change inputs, their descriptors, or the
   descriptors of outputs. */
typedef struct nnrt_group_call {
    uint64_t frame_id; /* as passed to nnrt_frame_forward_* */
    uint32_t item;     /* which item, where the function runs once per item; else 0 */
    const nnrt_group_tensors *inputs;
    const nnrt_group_tensors *outputs;
    uint32_t item_count; /* set by a function that has a list among its outputs; 0 on entry */
} nnrt_group_call;

/* A connector or a plugin. */
typedef struct nnrt_group_function {
    const char *type; /* "proposal": for sentences */
    const nnrt_group_port *inputs;
    uint32_t input_count; /* 1 to NNRT_GROUP_MOST_PORTS */
    const nnrt_group_port *outputs;
    uint32_t output_count; /* 0 to NNRT_GROUP_MOST_PORTS */
    uint32_t most_items;   /* 1 to NNRT_GROUP_MOST_ITEMS with a list among the outputs, else 0 */
    /* true: one call at a time, frames in the order in which they were forwarded, and items in theirs: for a tracker. A
       frame that failed earlier is skipped */
    bool in_order;
    /* (optional) called by nnrt_group_finish to set the types and shapes of outputs that depend on those of inputs.
       inputs have final types and shapes, outputs the declared ones. On failure the group is refused with that code */
    OH_NN_ReturnCode (*describe)(void *user, const nnrt_group_port *inputs, nnrt_group_port *outputs);
    /* On failure the frame fails with that code; nnrt_backend_fail() sets the reason */
    OH_NN_ReturnCode (*run)(void *user, nnrt_group_call *call);
} nnrt_group_function;

/* Where a group's tensors come from, as HiSilicon's Runtime asks its caller. All three are called from any thread. The
   program makes the tensors as it likes: with OH_NNTensor_CreateWithFd in its own memory, or with OH_NNTensor_Create
   where any memory will do. */
typedef struct nnrt_group_memory {
    void *user;
    /* Makes a tensor on device_id like desc, which lives during the call; NULL: the group is refused with
       OH_NN_MEMORY_ERROR. Called by nnrt_group_finish, once per tensor */
    NN_Tensor *(*allocate)(void *user, size_t device_id, NN_TensorDesc *desc);
    /* (optional) to_device: the processor has written the tensor and a model reads it next; otherwise a model has
       written it and the program reads it next. On failure the frame fails with that code */
    OH_NN_ReturnCode (*flush)(void *user, NN_Tensor *tensor, bool to_device);
    /* Frees a tensor of allocate */
    void (*free)(void *user, NN_Tensor *tensor);
} nnrt_group_memory;

/* ------------------------------------------------------------------------------------------ building a group

   Stages, then connections, then nnrt_group_finish. Outputs and inputs are named: "detector.boxes" is the output or
   input of the stage detector that its model or function calls boxes; "detector.#1" is the second one, whatever its
   name; "detector" alone is the only one. An input of the group is just its name. Names of stages and of inputs of the
   group must differ, contain no dot and not be "". */

/* Priority of a group in its scheduler: HiSilicon's five levels. */
typedef enum nnrt_group_priority {
    NNRT_GROUP_PRIORITY_HIGHEST = 0,
    NNRT_GROUP_PRIORITY_HIGH = 1,
    NNRT_GROUP_PRIORITY_MEDIUM = 2,
    NNRT_GROUP_PRIORITY_LOW = 3,
    NNRT_GROUP_PRIORITY_LOWEST = 4
} nnrt_group_priority;

/* An empty group, which the caller owns, in *group, which must be NULL on entry. name is copied; it is for messages.
   OH_NN_INVALID_PARAMETER: a NULL argument, *group is not NULL, or no such priority. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_create(nnrt_scheduler *scheduler, const char *name, nnrt_group_priority priority,
                                            nnrt_group **group);

/* Makes the group's tensors with memory, which is copied, instead of OH_NNTensor_Create.
   OH_NN_INVALID_PARAMETER: a NULL argument, allocate or free included.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. */
NNRT_API OH_NN_ReturnCode nnrt_group_set_memory(nnrt_group *group, const nnrt_group_memory *memory);

/* Adds an input of the group. Inputs are numbered from 0 as they are added. port is copied. A missing type or shape is
   taken from the first connected input of a model or function that has one.
   OH_NN_INVALID_PARAMETER: a NULL argument; an invalid or taken name; a list; an invalid type, rank or dimension; or
       more than NNRT_GROUP_MOST_PORTS.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_input(nnrt_group *group, const nnrt_group_port *port);

/* Adds a stage that runs a compiled model on its device. The group makes its own executors: the compilation may be
   destroyed afterwards. nnrt_group_finish fixes the model's dynamic shapes to those of its connections.
   OH_NN_INVALID_PARAMETER: a NULL argument; an invalid or taken name; too many stages; or the compilation is not built.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_FAILED: too many devices. OH_NN_MEMORY_ERROR: out of memory,
   or the device made no executor. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_model(nnrt_group *group, const char *name, OH_NNCompilation *compilation);

/* Adds a device to a stage: compilation is the same model built for another device (the second core of an NPU). Each
   run of the stage takes whichever is free. A dead device gets no more runs while another is alive.
   OH_NN_INVALID_PARAMETER: a NULL argument; no stage has this name, or it is a function; the compilation is not built,
       its inputs or outputs differ from the stage's in number, type or shape, or the stage already has its device.
   OH_NN_OPERATION_FORBIDDEN, OH_NN_FAILED, OH_NN_MEMORY_ERROR: as nnrt_group_add_model. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_replica(nnrt_group *group, const char *name, OH_NNCompilation *compilation);

/* Adds a stage that calls a function of the program with user. function, with all that it points to, is copied.
   OH_NN_INVALID_PARAMETER: group, name, function, its type, run or lists are NULL; an invalid or taken name, also among
       its inputs or among its outputs; a count, type, rank or dimension is out of range; most_items does not match the
       outputs; an output has no shape and there is no describe; or too many stages.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_connector(nnrt_group *group, const char *name,
                                                   const nnrt_group_function *function, void *user);

/* The same for a layer with parameters: size bytes at parameter are copied, and describe and run get the copy, aligned
   to 8 bytes, as user. One function may serve any number of stages.
   OH_NN_INVALID_PARAMETER: also if parameter is NULL and size is not 0. Otherwise as nnrt_group_add_connector. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_plugin(nnrt_group *group, const char *name,
                                                const nnrt_group_function *function, const void *parameter,
                                                size_t size);

/* Connects an output of a stage, or an input of the group, to an input of a stage. An output may go to any number of
   inputs; an input has one source. nnrt_group_finish compares types and shapes.
   OH_NN_INVALID_PARAMETER: a NULL argument; an unknown or ambiguous name; or the input is connected already.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. */
NNRT_API OH_NN_ReturnCode nnrt_group_connect(nnrt_group *group, const char *from, const char *to);

/* Makes an output of a stage an output of the group, which can be read from a frame that has succeeded. Outputs are
   numbered from 0 as they are added. An output that is a list, or comes once per item, has all items.
   OH_NN_INVALID_PARAMETER: a NULL argument; an unknown or ambiguous name; an input of the group; or more than
       NNRT_GROUP_MOST_PORTS.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_output(nnrt_group *group, const char *from);

/* Ends building: checks the whole graph, fixes the shapes, starts missing threads and allocates frames frames, 1 to
   NNRT_GROUP_MOST_FRAMES, each with all its tensors: that many can be in flight at once. 2 keep two consecutive devices
   busy, a third hides the time of functions between them; each costs its memory. A tensor is made on the device of the
   model that writes it, else of the first one that reads it, else on the CPU device, if there is one. After a failure
   building may continue.
   OH_NN_INVALID_PARAMETER: group is NULL; frames is out of range; no stage; an unconnected input of a stage or of the
       group; a cycle; types or shapes that do not match or are unknown; items of two lists in one stage; a list inside
       a list; or the code of describe.
   OH_NN_OPERATION_FORBIDDEN: the group is finished already.
   OH_NN_UNSUPPORTED: a device cannot prepare a dynamic shape before a run.
   OH_NN_MEMORY_ERROR: no memory, no tensor, or no thread. Otherwise the code of a device or describe. */
NNRT_API OH_NN_ReturnCode nnrt_group_finish(nnrt_group *group, uint32_t frames);

/* Ends all frames in flight as NNRT_FRAME_ABORT, except those whose result is known already. Running stages are allowed
   to finish, and their frames end then. Returns at once; callbacks come as usual.
   OH_NN_INVALID_PARAMETER: group is NULL. */
NNRT_API OH_NN_ReturnCode nnrt_group_abort(nnrt_group *group);

/* Waits until no frame is in flight and every callback has returned, at most timeout_ms milliseconds; below 0: for
   ever. OH_NN_INVALID_PARAMETER: group is NULL. OH_NN_TIMEOUT: there still is one.
   OH_NN_OPERATION_FORBIDDEN: from inside a function or callback of the scheduler. */
NNRT_API OH_NN_ReturnCode nnrt_group_wait(nnrt_group *group, int32_t timeout_ms);

/* Waits like nnrt_group_wait without a timeout, frees the group with all its frames, acquired ones included, and sets
   *group to NULL. To end frames instead of waiting for them, call nnrt_group_abort first.
   OH_NN_INVALID_PARAMETER: group or *group is NULL.
   OH_NN_OPERATION_FORBIDDEN: from inside a function or callback of the scheduler. */
NNRT_API OH_NN_ReturnCode nnrt_group_destroy(nnrt_group **group);

/* ------------------------------------------------------------------------------------------------- frames

   Acquire, write the inputs, forward, read the outputs, release. A frame may be forwarded again before it is released.
   A failing stage ends its own frame only; a dead device ends every frame that needs it. Other frames continue. */

/* How a frame ended. */
typedef enum nnrt_frame_status {
    NNRT_FRAME_SUCCESS = 0, /* all outputs are there */
    NNRT_FRAME_FAILURE = 1, /* a stage failed */
    NNRT_FRAME_ABORT = 2    /* nnrt_group_abort came before */
} nnrt_frame_status;

/* Called when a frame ends, exactly once for each that nnrt_frame_forward_async accepted, in a thread of the scheduler.
   Callbacks of one group never overlap and come in the order in which the frames were forwarded. code is OH_NN_SUCCESS,
   that of the first stage that failed, or OH_NN_FAILED after an abort; nnrt_last_error() says why. The frame belongs to
   the program again, which may read, forward or release it here or later. */
typedef void (*nnrt_frame_callback)(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code);

/* Sets *frame, which must be NULL on entry, to a free frame; waits for one at most timeout_ms milliseconds, 0: does not
   wait, below 0: for ever. Its inputs keep their earlier contents, initially zeros.
   OH_NN_INVALID_PARAMETER: a NULL argument, or *frame is not NULL. OH_NN_TIMEOUT: none was free in time.
   OH_NN_OPERATION_FORBIDDEN: the group is not finished, or being destroyed; or timeout_ms is not 0 inside a function or
   callback of the scheduler. */
NNRT_API OH_NN_ReturnCode nnrt_frame_acquire(nnrt_group *group, int32_t timeout_ms, nnrt_frame **frame);

/* The tensor of input index (in the order of nnrt_group_add_input), to write before the frame is forwarded. It belongs
   to the frame. NULL: frame is NULL, it is in flight, or there is no such input. */
NNRT_API NN_Tensor *nnrt_frame_get_input(nnrt_frame *frame, size_t index);

/* Uses a tensor of the program as input index instead, without a copy, such as a picture in the camera's memory. NULL
   restores the frame's own, as nnrt_frame_release does. The tensor stays the program's, must live until the frame has
   ended and must not be written until then.
   OH_NN_INVALID_PARAMETER: frame is NULL; no such input; or the tensor's type or shape differs from the input's, or its
       memory is too small for it.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight. */
NNRT_API OH_NN_ReturnCode nnrt_frame_set_input(nnrt_frame *frame, size_t index, NN_Tensor *tensor);

/* Sends the frame through its group and returns when it has ended. frame_id is any number of the program's. Without
   threads all stages run one after the other in the calling thread.
   OH_NN_INVALID_PARAMETER: frame is NULL.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight, the group is being destroyed, or from inside a function or
   callback of the scheduler. OH_NN_TIMEOUT: an earlier run of the frame that timed out still uses its tensors.
   OH_NN_FAILED: nnrt_group_abort was called, as nnrt_frame_get_result then says. Otherwise the code of the first stage
   that failed, or of flush. */
NNRT_API OH_NN_ReturnCode nnrt_frame_forward_sync(nnrt_frame *frame, uint64_t frame_id);

/* The same, but returns at once, and callback is called with user, which may be NULL, when it has ended.
   OH_NN_INVALID_PARAMETER: frame or callback is NULL.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight, the group is being destroyed, or nnrt was built without threads.
   OH_NN_TIMEOUT: an earlier run of the frame that timed out still uses its tensors. Otherwise the code of flush. After
   any failure there is no callback. */
NNRT_API OH_NN_ReturnCode nnrt_frame_forward_async(nnrt_frame *frame, uint64_t frame_id, nnrt_frame_callback callback,
                                                   void *user);

/* How the frame ended the last time; each of status, code and frame_id may be NULL.
   OH_NN_INVALID_PARAMETER: frame is NULL. OH_NN_OPERATION_FORBIDDEN: it was not forwarded yet, or is in flight. */
NNRT_API OH_NN_ReturnCode nnrt_frame_get_result(const nnrt_frame *frame, nnrt_frame_status *status,
                                                OH_NN_ReturnCode *code, uint64_t *frame_id);

/* The number of items of output index (in the order of nnrt_group_add_output): 1, or the length of its list.
   OH_NN_INVALID_PARAMETER: a NULL argument, or no such output.
   OH_NN_OPERATION_FORBIDDEN: the frame has not succeeded. */
NNRT_API OH_NN_ReturnCode nnrt_frame_get_output_count(const nnrt_frame *frame, size_t index, uint32_t *count);

/* The tensor of an item (0 if it is no list) of output index. It belongs to the frame; its contents stay until the
   frame is forwarded again or released. NULL: frame is NULL, has not succeeded, or has no such output or item. */
NNRT_API NN_Tensor *nnrt_frame_get_output(const nnrt_frame *frame, size_t index, uint32_t item);

/* Gives the frame back. From any thread, also from inside a callback.
   OH_NN_INVALID_PARAMETER: frame is NULL.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight, or was not acquired.
   OH_NN_TIMEOUT: the frame is released, but a run of it that timed out still uses its tensors. It is not acquired again
   before that is over; until then a tensor of nnrt_frame_set_input may be destroyed but not written. */
NNRT_API OH_NN_ReturnCode nnrt_frame_release(nnrt_frame *frame);

/* ---------------------------------------------------------------------------------------------- statistics

   What HiSilicon's Runtime shows in its /proc pages, for every device. */

/* Times of the same kind. */
typedef struct nnrt_group_times {
    uint64_t count;
    uint64_t last_ns;
    uint64_t min_ns; /* 0: count is 0 */
    uint64_t max_ns;
    uint64_t total_ns; /* by count: the average */
} nnrt_group_times;

typedef struct nnrt_group_statistics {
    uint64_t succeeded, failed, aborted; /* frames that have ended so */
    uint32_t in_flight;                  /* frames, including those whose callback has not returned */
    uint32_t ready;                      /* runs of stages that now wait only for a device or a worker */
    uint32_t running;                    /* runs of stages under way, now */
    nnrt_group_times queued;             /* of frames that succeeded: from forward to the start of the first stage */
    nnrt_group_times executed;           /* from there to the end of the last one */
    nnrt_group_times total;              /* the sum of both */
} nnrt_group_statistics;

typedef struct nnrt_stage_statistics {
    const char *name; /* belongs to the group */
    uint64_t failures;
    nnrt_group_times waited; /* from all inputs being ready to the start of the run */
    nnrt_group_times run;    /* from start to end */
} nnrt_stage_statistics;

typedef struct nnrt_device_statistics {
    size_t device_id; /* 0: the workers for functions */
    uint32_t workers;
    uint32_t ready;      /* runs that wait for it now; one that two devices can do counts for both */
    uint64_t runs;       /* done; the workers for functions also count callbacks of frames */
    uint64_t busy_ns;    /* in runs, of all workers together */
    uint64_t elapsed_ns; /* since its first group was finished: busy_ns / elapsed_ns / workers is its load */
} nnrt_device_statistics;

/* One run of one stage. */
typedef struct nnrt_frame_run {
    size_t device_id; /* 0: a function */
    uint64_t ready_ns, begin_ns, end_ns;
} nnrt_frame_run;

/* OH_NN_INVALID_PARAMETER: a NULL argument. */
NNRT_API OH_NN_ReturnCode nnrt_group_get_statistics(nnrt_group *group, nnrt_group_statistics *statistics);

/* For stage number index, counted from 0 as they were added. OH_NN_INVALID_PARAMETER: a NULL argument, or no such
   stage. */
NNRT_API OH_NN_ReturnCode nnrt_group_get_stage_statistics(nnrt_group *group, size_t index,
                                                          nnrt_stage_statistics *statistics);

/* Number 0: the workers for functions; 1 and up: the devices, in the order in which their models were added.
   OH_NN_INVALID_PARAMETER: a NULL argument, or no such device. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_get_statistics(nnrt_scheduler *scheduler, size_t index,
                                                        nnrt_device_statistics *statistics);

/* When and where an item (0 if there is one run per frame) of stage number index ran in a frame that has ended.
   OH_NN_INVALID_PARAMETER: a NULL argument, no such stage or item, or it did not run to its end.
   OH_NN_OPERATION_FORBIDDEN: the frame was not forwarded yet, or is in flight. */
NNRT_API OH_NN_ReturnCode nnrt_frame_get_run(const nnrt_frame *frame, size_t index, uint32_t item, nnrt_frame_run *run);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_GROUP_API_H */
