/* SPDX-License-Identifier: Apache-2.0 */
/* group/api.h - nnrt_scheduler_*, nnrt_group_*, nnrt_frame_*: cascades of models on any devices.   >>group_api

   A group is a graph of stages. A stage is a model, built for any device, or a function of the program: a connector
   (crop what the detector found) or a plugin (a layer that a device lacks). A frame is one set of inputs on its way
   through the graph. The scheduler has the threads: it runs what is ready on the devices that are free, for all groups
   that it was given.

   A function that returns an OH_NN_ReturnCode gives OH_NN_SUCCESS or one of the codes listed with it. Anything else
   leaves a sentence in nnrt_last_error() and changes nothing, unless it says otherwise. Times are in nanoseconds of a
   clock that only goes forward; all are 0 in a build without a clock.

   Threads      A scheduler and its groups and frames may be used from any threads at once, but for building: what comes
                before nnrt_group_finish belongs to one thread, and so do the last calls, nnrt_group_destroy and
                nnrt_scheduler_destroy, after which nobody may use the handle. A frame that a program has acquired
                belongs to one thread at a time.
   Callbacks    Functions of the program are called under no lock and may call everything, with their own scheduler but
                for what waits: acquiring with a timeout, nnrt_frame_forward_sync, nnrt_group_wait and the two destroys
                are OH_NN_OPERATION_FORBIDDEN from inside one, as it may itself be what would be waited for.
   Memory       All of it is taken before nnrt_group_finish returns: a frame allocates nothing, as far as the devices of
                its models keep that promise. */
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

   Which stage runs next: on each device, and on the workers for functions, whatever is ready of the group with the
   highest priority; among groups of one priority that of the frame which was forwarded first, so that a frame is
   finished before a younger one is begun. What runs is never interrupted. A lower priority gets only what the higher
   ones leave: there is no ageing, and a group that keeps a device busy all the time leaves nothing to those below it.
   Bound it by its number of frames, or give it the lower priority.

   A device runs one stage at a time, on one thread of its own, unless nnrt_scheduler_set_device_workers allows more;
   cores that are devices of their own work side by side. Functions run on function_workers threads, which also call
   back. Threads begin with the first group that needs them and end with the scheduler. */

/* A new scheduler, which the caller owns, in *scheduler, which must be NULL on entry. function_workers: threads for
   connectors, plugins and callbacks, 1 to NNRT_SCHEDULER_MOST_WORKERS; 0: as many as the system has cores, 4 at most.
   Groups of different schedulers know nothing of each other: give all that share a device the same one.
   OH_NN_INVALID_PARAMETER: scheduler is NULL or *scheduler is not; function_workers is too large.
   OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_create(uint32_t function_workers, nnrt_scheduler **scheduler);

/* Lets a device (0: the first one) run workers stages at a time, 1 to NNRT_SCHEDULER_MOST_WORKERS: for one that hands
   its cores out by itself, as Rockchip's on RK3588 and RK3576. Each model on it then has that many executors. To be
   called before the first model of the device is added to a group. Default: 1.
   OH_NN_INVALID_PARAMETER: scheduler is NULL, or workers is out of range. OH_NN_FAILED: no such device, or too many.
   OH_NN_OPERATION_FORBIDDEN: a model of the device was added already. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_set_device_workers(nnrt_scheduler *scheduler, size_t device_id,
                                                            uint32_t workers);

/* Ends the threads, frees the scheduler and sets *scheduler to NULL.
   OH_NN_INVALID_PARAMETER: scheduler or *scheduler is NULL.
   OH_NN_OPERATION_FORBIDDEN: a group of it was not destroyed yet; or from inside a function or callback. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_destroy(nnrt_scheduler **scheduler);

/* ---------------------------------------------------------------------------------------------- functions

   A function reads its inputs and writes its outputs, tensors that the group owns, and returns. Frames are in flight
   together: it may be called from several threads at once, with the same user pointer, unless it asks to be called in
   order.

   Lists        An output that is a list has one tensor per item, most_items of them; the function says in item_count
                how many it has filled, 0 included. What reads such an output runs once per item, and what reads that,
                too, until an input that is a list takes all items at once, those of one frame, in their order. An input
                of another kind that comes from outside the list is the same for every item. */

/* An input or output of a function, or an input of a group. */
typedef struct nnrt_group_port {
    const char *name; /* without a dot; not "" */
    bool list;        /* of an output: one tensor per item. Of an input: all items at once. Not of a group's input */
    OH_NN_DataType dtype;        /* OH_NN_UNKNOWN: that of what it is connected to; not of an output without describe */
    uint32_t rank;               /* 0: the shape of what it is connected to; not of an output without describe */
    int32_t dims[NNRT_MAX_RANK]; /* rank values, each >= 1. Of one item, where it is a list */
} nnrt_group_port;

/* The tensors of one input or output of a function. */
typedef struct nnrt_group_tensors {
    NN_Tensor *const *tensors;
    uint32_t count; /* 1; of a list: items of this frame, or for an output most_items */
} nnrt_group_tensors;

/* What a function is called with. It lives during the call; tensors, contents and descriptors of inputs are only read,
   and descriptors of outputs are left alone. */
typedef struct nnrt_group_call {
    uint64_t frame_id; /* as given to nnrt_frame_forward_* */
    uint32_t item;     /* which item, where the function runs once per item; else 0 */
    const nnrt_group_tensors *inputs;
    const nnrt_group_tensors *outputs;
    uint32_t item_count; /* to be set by a function with lists among its outputs; 0 on entry */
} nnrt_group_call;

/* A connector or a plugin. */
typedef struct nnrt_group_function {
    const char *type; /* "proposal": for sentences */
    const nnrt_group_port *inputs;
    uint32_t input_count; /* 1 to NNRT_GROUP_MOST_PORTS */
    const nnrt_group_port *outputs;
    uint32_t output_count; /* 0 to NNRT_GROUP_MOST_PORTS */
    uint32_t most_items;   /* 1 to NNRT_GROUP_MOST_ITEMS with a list among the outputs, else 0 */
    /* true: one call at a time, frames in the order in which they were forwarded, items in theirs: for a tracker.
       A frame that fails before is left out */
    bool in_order;
    /* (optional) called by nnrt_group_finish: inputs have types and shapes, outputs those that they were declared with,
       for the function to set what depends on them. Not success: the group is refused with that code */
    OH_NN_ReturnCode (*describe)(void *user, const nnrt_group_port *inputs, nnrt_group_port *outputs);
    /* Not success: the frame fails with that code; nnrt_backend_fail() leaves the sentence why */
    OH_NN_ReturnCode (*run)(void *user, nnrt_group_call *call);
} nnrt_group_function;

/* Memory of tensors that a group owns, as HiSilicon's Runtime takes it from its caller. All three are called from any
   thread. The program makes tensors, as it likes: OH_NNTensor_CreateWithFd in memory of its own that has a descriptor,
   or OH_NNTensor_Create where it has no wish. */
typedef struct nnrt_group_memory {
    void *user;
    /* A tensor on device_id like desc, which lives during the call; NULL: the group is refused with
       OH_NN_MEMORY_ERROR. Called by nnrt_group_finish, once for each */
    NN_Tensor *(*allocate)(void *user, size_t device_id, NN_TensorDesc *desc);
    /* (optional) to_device: the processor has written the tensor and a model reads it next; else a model has written
       it and the program reads it next. Not success: the frame fails with that code */
    OH_NN_ReturnCode (*flush)(void *user, NN_Tensor *tensor, bool to_device);
    /* Takes back what allocate gave */
    void (*free)(void *user, NN_Tensor *tensor);
} nnrt_group_memory;

/* ------------------------------------------------------------------------------------------ building a group

   Stages, then connections, then nnrt_group_finish. Names tell outputs and inputs apart: "detector.boxes" is an output
   or input of the stage detector, by the name that the model or the function gives it; "detector.#1" is the second one,
   whatever its name is; "detector" alone is the only one that it has. An input of the group is named by its name
   alone. Names of stages and of inputs of the group are all different, have no dot and are not "". */

/* How much a group matters to its scheduler: the vendor's five. */
typedef enum nnrt_group_priority {
    NNRT_GROUP_PRIORITY_HIGHEST = 0,
    NNRT_GROUP_PRIORITY_HIGH = 1,
    NNRT_GROUP_PRIORITY_MEDIUM = 2,
    NNRT_GROUP_PRIORITY_LOW = 3,
    NNRT_GROUP_PRIORITY_LOWEST = 4
} nnrt_group_priority;

/* An empty group, which the caller owns, in *group, which must be NULL on entry. name is copied; it is for people.
   OH_NN_INVALID_PARAMETER: a NULL argument, *group is not NULL, or no such priority. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_create(nnrt_scheduler *scheduler, const char *name, nnrt_group_priority priority,
                                            nnrt_group **group);

/* Takes the tensors of the group from memory, which is copied, instead of OH_NNTensor_Create.
   OH_NN_INVALID_PARAMETER: a NULL argument, allocate or free included.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. */
NNRT_API OH_NN_ReturnCode nnrt_group_set_memory(nnrt_group *group, const nnrt_group_memory *memory);

/* Adds an input of the group. Inputs are numbered from 0 as they are added. port is copied. One without a type or a
   shape gets what it lacks from the first model or function input that it is connected to and that says it.
   OH_NN_INVALID_PARAMETER: a NULL argument; a name that is none or taken; a list; a type, rank or dimension that there
       is not; or more than NNRT_GROUP_MOST_PORTS.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_input(nnrt_group *group, const nnrt_group_port *port);

/* Adds a stage that runs a compiled model on its device. The group makes executors of its own: the compilation may be
   destroyed afterwards. The model's dynamic shapes become those of what it is connected to, once, in
   nnrt_group_finish.
   OH_NN_INVALID_PARAMETER: a NULL argument; a name that is none or taken; too many stages; or the compilation is not
       built.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_FAILED: too many devices. OH_NN_MEMORY_ERROR: no memory, or
   the device gave no executor. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_model(nnrt_group *group, const char *name, OH_NNCompilation *compilation);

/* Adds a device to a stage: compilation is the same model, built for another one (the second core of an NPU). Each run
   of the stage takes whichever is free. One that has died gets no more runs while another lives.
   OH_NN_INVALID_PARAMETER: a NULL argument; no stage has this name, or it is a function; the compilation is not built,
       its inputs or outputs differ from those of the stage in number, type or shape, or the stage is on its device
       already.
   OH_NN_OPERATION_FORBIDDEN, OH_NN_FAILED, OH_NN_MEMORY_ERROR: as nnrt_group_add_model. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_replica(nnrt_group *group, const char *name, OH_NNCompilation *compilation);

/* Adds a stage that calls a function of the program with user. What function points to is copied.
   OH_NN_INVALID_PARAMETER: group, name, function, its type, run or lists are NULL; a name that is none or taken, also
       among its inputs or among its outputs; a count, type, rank or dimension out of range; most_items does not go
       with the outputs; an output without shape and no describe; or too many stages.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_connector(nnrt_group *group, const char *name,
                                                   const nnrt_group_function *function, void *user);

/* The same for a layer with parameters: size bytes at parameter are copied, and describe and run get the address of
   the copy, which is aligned for every type up to 8 bytes, as user. One function may serve any number of stages.
   OH_NN_INVALID_PARAMETER: also parameter is NULL and size is not 0. Else as nnrt_group_add_connector. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_plugin(nnrt_group *group, const char *name,
                                                const nnrt_group_function *function, const void *parameter,
                                                size_t size);

/* Connects an output of a stage, or an input of the group, with an input of a stage. An output may go to any number of
   inputs, an input comes from one place. Types and shapes are compared by nnrt_group_finish.
   OH_NN_INVALID_PARAMETER: a NULL argument; a name that there is not, or that is not the only one; or the input is
       connected already.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. */
NNRT_API OH_NN_ReturnCode nnrt_group_connect(nnrt_group *group, const char *from, const char *to);

/* Makes an output of a stage an output of the group, to be read of a frame that has succeeded. Outputs are numbered
   from 0 as they are added. One that is a list, or comes once per item, has all items.
   OH_NN_INVALID_PARAMETER: a NULL argument; a name that there is not, or that is not the only one; an input of the
       group; or more than NNRT_GROUP_MOST_PORTS.
   OH_NN_OPERATION_FORBIDDEN: the group is finished. OH_NN_MEMORY_ERROR. */
NNRT_API OH_NN_ReturnCode nnrt_group_add_output(nnrt_group *group, const char *from);

/* Ends building: checks the whole, fixes the shapes, starts the threads that are missing and makes frames frames, 1 to
   NNRT_GROUP_MOST_FRAMES, each with all its tensors: as many can be in flight at once. 2 keep two devices busy that
   follow each other, one more hides what functions take between; each costs its memory. A tensor lies in memory of the
   device of the model that writes it, else of the first one that reads it, else of the CPU device, where there is one.
   After a failure building may go on.
   OH_NN_INVALID_PARAMETER: group is NULL; frames is out of range; no stage; an input that is not connected, or of the
       group and goes nowhere; a cycle; types or shapes that do not fit, or are not known; items of two lists in one
       stage; a list inside a list; or what describe answered.
   OH_NN_OPERATION_FORBIDDEN: the group is finished already.
   OH_NN_UNSUPPORTED: a device cannot be made ready for a dynamic shape before a run.
   OH_NN_MEMORY_ERROR: no memory, no tensor, or no thread. Else what a device or describe answered. */
NNRT_API OH_NN_ReturnCode nnrt_group_finish(nnrt_group *group, uint32_t frames);

/* Ends all frames that are in flight as NNRT_FRAME_ABORT, those excepted whose result is there already. What runs on a
   device or in a function is let finish, and its frame ends then. Returns at once; the callbacks come as always.
   OH_NN_INVALID_PARAMETER: group is NULL. */
NNRT_API OH_NN_ReturnCode nnrt_group_abort(nnrt_group *group);

/* Waits until no frame is in flight and every callback has returned, at most timeout_ms milliseconds; below 0: for
   ever. OH_NN_INVALID_PARAMETER: group is NULL. OH_NN_TIMEOUT: there still is one.
   OH_NN_OPERATION_FORBIDDEN: from inside a function or callback of the scheduler. */
NNRT_API OH_NN_ReturnCode nnrt_group_wait(nnrt_group *group, int32_t timeout_ms);

/* Waits as nnrt_group_wait does for ever, frees the group with all its frames, those that the program has acquired
   included, and sets *group to NULL. To end frames instead of waiting for them: nnrt_group_abort before.
   OH_NN_INVALID_PARAMETER: group or *group is NULL.
   OH_NN_OPERATION_FORBIDDEN: from inside a function or callback of the scheduler. */
NNRT_API OH_NN_ReturnCode nnrt_group_destroy(nnrt_group **group);

/* ------------------------------------------------------------------------------------------------- frames

   Acquire, write the inputs, forward, read the outputs, release. A frame that was not released yet may be forwarded
   again. A fault of one stage ends its frame and no other; so does the death of a device for every frame that needs
   it. What is ready of other frames goes on. */

/* How a frame ended. */
typedef enum nnrt_frame_status {
    NNRT_FRAME_SUCCESS = 0, /* all outputs are there */
    NNRT_FRAME_FAILURE = 1, /* a stage failed */
    NNRT_FRAME_ABORT = 2    /* nnrt_group_abort came before */
} nnrt_frame_status;

/* The end of a frame, exactly once for each that nnrt_frame_forward_async took; in a thread of the scheduler. Callbacks
   of one group never overlap and come in the order in which the frames were forwarded. code is OH_NN_SUCCESS, that of
   the stage that failed first, or OH_NN_FAILED after an abort; nnrt_last_error() says why. The frame is the program's
   again: it may read, forward or release it in here, or later. */
typedef void (*nnrt_frame_callback)(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code);

/* Takes a frame that is free, into *frame, which must be NULL on entry; waits for one for at most timeout_ms
   milliseconds, 0: only asks, below 0: for ever. Its inputs hold what they held before, at first zeros.
   OH_NN_INVALID_PARAMETER: a NULL argument, or *frame is not NULL. OH_NN_TIMEOUT: none was free in time.
   OH_NN_OPERATION_FORBIDDEN: the group is not finished, or being destroyed; or timeout_ms is not 0 from inside a
   function or callback of the scheduler. */
NNRT_API OH_NN_ReturnCode nnrt_frame_acquire(nnrt_group *group, int32_t timeout_ms, nnrt_frame **frame);

/* The tensor of input index (in the order of nnrt_group_add_input), to be written before the frame is forwarded. It
   belongs to the frame. NULL: frame is NULL, it is in flight, or there is no such input. */
NNRT_API NN_Tensor *nnrt_frame_get_input(nnrt_frame *frame, size_t index);

/* Uses a tensor of the program as input index instead, without a copy: a picture in the camera's memory. NULL goes
   back to the frame's own, as nnrt_frame_release does. It stays the program's, must live until the frame has ended, and
   nobody may write it meanwhile.
   OH_NN_INVALID_PARAMETER: frame is NULL; no such input; or the tensor has another type or shape than the input, or
       less memory than that needs.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight. */
NNRT_API OH_NN_ReturnCode nnrt_frame_set_input(nnrt_frame *frame, size_t index, NN_Tensor *tensor);

/* Sends the frame through its group and returns when it has ended. frame_id is the program's, any number. Without
   threads all stages run in the thread that calls, one after the other.
   OH_NN_INVALID_PARAMETER: frame is NULL.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight, the group is being destroyed, or from inside a function or
   callback of the scheduler. OH_NN_TIMEOUT: a run of the frame before that ended so still uses its tensors.
   OH_NN_FAILED: nnrt_group_abort came before, as nnrt_frame_get_result then says. Else the code of the stage that
   failed first, or what flush answered. */
NNRT_API OH_NN_ReturnCode nnrt_frame_forward_sync(nnrt_frame *frame, uint64_t frame_id);

/* The same, but returns at once, and callback is called with user, which may be NULL, when it has ended.
   OH_NN_INVALID_PARAMETER: frame or callback is NULL.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight, the group is being destroyed, or nnrt was built without threads.
   OH_NN_TIMEOUT: a run of the frame before that ended so still uses its tensors. Else what flush answered.
   After any failure there is no callback. */
NNRT_API OH_NN_ReturnCode nnrt_frame_forward_async(nnrt_frame *frame, uint64_t frame_id, nnrt_frame_callback callback,
                                                   void *user);

/* How the frame ended the last time; each of status, code and frame_id may be NULL.
   OH_NN_INVALID_PARAMETER: frame is NULL. OH_NN_OPERATION_FORBIDDEN: it was not forwarded yet, or is in flight. */
NNRT_API OH_NN_ReturnCode nnrt_frame_get_result(const nnrt_frame *frame, nnrt_frame_status *status,
                                                OH_NN_ReturnCode *code, uint64_t *frame_id);

/* How many items output index (in the order of nnrt_group_add_output) has: 1, or those of the list it belongs to.
   OH_NN_INVALID_PARAMETER: a NULL argument, or no such output.
   OH_NN_OPERATION_FORBIDDEN: the frame has not succeeded. */
NNRT_API OH_NN_ReturnCode nnrt_frame_get_output_count(const nnrt_frame *frame, size_t index, uint32_t *count);

/* The tensor of an item (0 where it is no list) of output index. It belongs to the frame; its contents stay until the
   frame is forwarded again or released. NULL: frame is NULL, has not succeeded, or has no such output or item. */
NNRT_API NN_Tensor *nnrt_frame_get_output(const nnrt_frame *frame, size_t index, uint32_t item);

/* Gives the frame back. From any thread, also from inside a callback.
   OH_NN_INVALID_PARAMETER: frame is NULL.
   OH_NN_OPERATION_FORBIDDEN: the frame is in flight, or was not acquired.
   OH_NN_TIMEOUT: it is given back; but a run of it that ended in OH_NN_TIMEOUT still uses its tensors. Nobody gets the
   frame before that is over; a tensor of nnrt_frame_set_input must not be written until then, only destroyed. */
NNRT_API OH_NN_ReturnCode nnrt_frame_release(nnrt_frame *frame);

/* ---------------------------------------------------------------------------------------------- statistics

   What the pages of HiSilicon's Runtime below /proc show, of every device. */

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
    uint32_t in_flight;                  /* frames, those whose callback has not returned included */
    uint32_t ready;                      /* runs of stages that wait for a device or a worker only, now */
    uint32_t running;                    /* runs of stages under way, now */
    nnrt_group_times queued;             /* of frames that succeeded: from forward to the begin of the first stage */
    nnrt_group_times executed;           /* from there to the end of the last one */
    nnrt_group_times total;              /* the sum of both */
} nnrt_group_statistics;

typedef struct nnrt_stage_statistics {
    const char *name; /* belongs to the group */
    uint64_t failures;
    nnrt_group_times waited; /* of its runs: from all inputs being there to the begin */
    nnrt_group_times run;    /* from the begin to the end */
} nnrt_stage_statistics;

typedef struct nnrt_device_statistics {
    size_t device_id; /* 0: the workers for functions */
    uint32_t workers;
    uint32_t ready;   /* runs that wait for it now; one that two devices can do waits for both */
    uint64_t runs;    /* done; callbacks of frames among those of the workers for functions */
    uint64_t busy_ns; /* in runs, of all workers together */
    uint64_t
        elapsed_ns; /* since the first group that uses it was finished: busy_ns / elapsed_ns / workers is its use */
} nnrt_device_statistics;

/* One run of one stage. */
typedef struct nnrt_frame_run {
    size_t device_id; /* 0: a function */
    uint64_t ready_ns, begin_ns, end_ns;
} nnrt_frame_run;

/* OH_NN_INVALID_PARAMETER: a NULL argument. */
NNRT_API OH_NN_ReturnCode nnrt_group_get_statistics(nnrt_group *group, nnrt_group_statistics *statistics);

/* Of stage number index, counted from 0 as they were added. OH_NN_INVALID_PARAMETER: a NULL argument, or no such
   stage. */
NNRT_API OH_NN_ReturnCode nnrt_group_get_stage_statistics(nnrt_group *group, size_t index,
                                                          nnrt_stage_statistics *statistics);

/* Number 0: the workers for functions; 1 and up: the devices, in the order in which models came.
   OH_NN_INVALID_PARAMETER: a NULL argument, or no such device. */
NNRT_API OH_NN_ReturnCode nnrt_scheduler_get_statistics(nnrt_scheduler *scheduler, size_t index,
                                                        nnrt_device_statistics *statistics);

/* When and where an item (0 where there is one run per frame) of stage number index ran in a frame that has ended.
   OH_NN_INVALID_PARAMETER: a NULL argument, no such stage or item, or it did not run to its end.
   OH_NN_OPERATION_FORBIDDEN: the frame was not forwarded yet, or is in flight. */
NNRT_API OH_NN_ReturnCode nnrt_frame_get_run(const nnrt_frame *frame, size_t index, uint32_t item, nnrt_frame_run *run);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_GROUP_API_H */
