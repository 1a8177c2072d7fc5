/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/runner.h - an executor of the Rockchip device, and how a run of it is given up.   >>rknn_runner

   A vendor call that hangs cannot be stopped, only left behind. Once somebody may want that (rknn.timeout_ms, or a run
   with a deadline) runs are done by a thread of the executor, the runner, while whoever asked for the run waits:

   in a call    the runner is inside the vendor's library. When the deadline comes, the run is given up: run returns
                OH_NN_TIMEOUT at once. Everything that the call may use stays alive with the runner: the executor, its
                context, its bindings, counted references to the memory of tensors. When the call returns, the runner
                unwinds without touching the program's tensors, which may be gone.
   elsewhere    the runner converts tensors. It is asked to end at its next call, and waited for: milliseconds.

   The next run waits hang_grace_ms for the one that was given up; after that the device counts as gone. Closing an
   executor whose call hangs returns at once and leaves executor and model to the runner.

   A group of models with shared internal memory takes turns: whoever runs is the holder of the arena, and its mutex is
   that of all executors of the group. Mutexes are held for moments only, never during a call or a conversion. */
#ifndef NNRT_RKNPU_RUNNER_H
#define NNRT_RKNPU_RUNNER_H

#include "../core/error.h"
#include "../core/platform.h"
#include "types.h"
#include "device.h"
#include "errors.h"

#define NNRT__RKNPU_STEPS 3u /* of every profile: inputs, rknn_run, outputs */

/* One input or output of an executor. */
typedef struct nnrt__rknpu_slot {
    /* What the context has bound */
    nnrt__rknpu_memory *bound;  /* counted; stays alive until another one is bound; NULL: nothing */
    nnrt_rknn_tensor_mem *mem;  /* the view that is bound */
    bool valid;                 /* false: bound is kept alive, but has to be bound again */
    bool flushed;               /* the runtime cleans and invalidates mem around rknn_run */
    nnrt__rknpu_memory *own;    /* counted; for tensors that cannot be bound; NULL: not needed so far */
    /* Of the general API */
    void *staging;              /* bytes in the layout that the runtime takes and gives; NULL: none */
    size_t staging_size;
    nnrt__tensor_layout general;
    /* Of the run under way */
    nnrt__rknpu_memory *tensor; /* counted: the tensor's memory, when the device made it */
    nnrt__rknpu_memory *dropped; /* counted: what was bound before */
    nnrt_rknn_tensor_mem *foreign; /* view of a dma-buf that is copied by the CPU: to be synchronised around that */
    bool copied;                /* the tensor is converted from or to own memory */
    bool lacks_own;             /* own memory has to be made first */
} nnrt__rknpu_slot;

typedef enum nnrt__rknpu_phase {
    NNRT__RKNPU_IDLE = 0,
    NNRT__RKNPU_RUNS = 1,
    NNRT__RKNPU_GIVEN_UP = 2 /* run has returned, the runner has not */
} nnrt__rknpu_phase;

typedef struct nnrt__rknpu_executor {
    nnrt__rknpu_model *model;
    nnrt__rknpu_context *context; /* NULL: a graph */
    void *matmul;                 /* state of a graph, matmul.h */
    uint32_t io_count;            /* inputs and outputs */
    nnrt__rknpu_slot *slots;      /* [io_count] inputs, then outputs */

    /* Shapes of a dynamic model */
    const nnrt__rknpu_port *ports;    /* [io_count] of the context's shape */
    uint32_t shape;                   /* that the context has; UINT32_MAX: not known */
    uint32_t wanted_shape;            /* of the run under way */
    nnrt__rknpu_port **shape_ports;   /* [shapes.count] NULL: this shape was not used yet. NULL when static */
    nnrt_rknn_tensor_attr *attrs;     /* [input_count] for rknn_set_input_shapes */
    nnrt_rknn_input *general_inputs;   /* [input_count] general API */
    nnrt_rknn_output *general_outputs; /* [output_count] */

    /* Of the run under way, or the last one */
    nnrt_io *io; /* [io_count] a copy: the caller's may be gone when a call returns */
    bool has_run; /* once, with success */
    uint64_t copied_in, copied_out, syncs, frame_id;
    uint64_t times[NNRT__RKNPU_STEPS]; /* nanoseconds of inputs, rknn_run, outputs */
    nnrt_profile_step base[NNRT__RKNPU_STEPS]; /* these three steps */
    nnrt_profile_step *steps; /* as the program was told them last */
    char *step_text;          /* the names of layers in them */

    /* Who runs; under *mutex */
    nnrt__mutex own_mutex;
    nnrt__mutex *mutex; /* own_mutex, or that of the model's arena */
    nnrt__cond changed; /* anything below */
    nnrt__rknpu_phase phase;
    bool has_runner;
    bool posted;        /* a run for the runner */
    bool in_call;       /* the runner is in the vendor's library, or unwinds: the program's tensors may go */
    bool ends;          /* the run is to end at its next call */
    bool cancelled;     /* by cancel */
    bool closing;
    bool left;          /* closed while given up: the runner frees everything */
    uint64_t deadline_ns; /* of the run; 0: none */
    nnrt__thread runner;
    OH_NN_ReturnCode result;
    char sentence[NNRT__SENTENCE_SIZE]; /* behind result, which another thread left */
    struct nnrt__rknpu_executor *next_waiting;
} nnrt__rknpu_executor;

/* executor.h: a whole run, io and wanted_shape being set; and freeing everything of an executor that runs no more. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_do_run(nnrt__rknpu_executor *self);
NNRT__FN void nnrt__rknpu_executor_free(nnrt__rknpu_executor *self);

/* ------------------------------------------------------------------------------------- calls */

/* Before whatever may hang. false: the run has to end now, without another call and without the program's tensors. */
NNRT__FN bool nnrt__rknpu_call_begins(nnrt__rknpu_executor *self) {
    bool go;
    if (!self->has_runner) return true;
    nnrt__mutex_lock(self->mutex);
    go = self->phase == NNRT__RKNPU_RUNS && !self->ends;
    self->in_call = true;
    if (self->ends) nnrt__cond_broadcast(&self->changed);
    nnrt__mutex_unlock(self->mutex);
    return go;
}

/* After it. false: the run was given up meanwhile, the program's tensors are gone. */
NNRT__FN bool nnrt__rknpu_call_ends(nnrt__rknpu_executor *self) {
    bool go;
    if (!self->has_runner) return true;
    nnrt__mutex_lock(self->mutex);
    go = self->phase == NNRT__RKNPU_RUNS;
    self->in_call = false;
    nnrt__mutex_unlock(self->mutex);
    return go;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_deadline_passed(void) {
    return nnrt__fail(OH_NN_TIMEOUT, "the run passed its deadline and was given up");
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_hangs(const nnrt__rknpu_executor *self) {
    return nnrt__fail(OH_NN_CONNECTION_EXCEPTION,
                      "the NPU has hung: a run that was given up did not come back within %u ms (rknn.hang_grace_ms); "
                      "look at the kernel log, reset the NPU or the board",
                      (unsigned)self->model->options.hang_grace_ms);
}

NNRT__FN uint64_t nnrt__rknpu_grace_ends(const nnrt__rknpu_executor *self) {
    return nnrt__now_ns() + (uint64_t)self->model->options.hang_grace_ms * 1000000u;
}

/* A call was left behind: what only the runner writes is not to be looked at. No run is under way otherwise. */
NNRT__FN bool nnrt__rknpu_is_given_up(const nnrt__rknpu_executor *self) {
    bool given_up;
    nnrt__mutex_lock(self->mutex);
    given_up = self->phase == NNRT__RKNPU_GIVEN_UP;
    nnrt__mutex_unlock(self->mutex);
    return given_up;
}

/* ------------------------------------------------------------------------------------- turns */

/* The deadline of the run has come, or cancel has. *mutex is held. */
NNRT__FN bool nnrt__rknpu_must_end(const nnrt__rknpu_executor *self) {
    return self->cancelled || (self->deadline_ns != 0 && nnrt__now_ns() >= self->deadline_ns);
}

/* Waits for changed, until the earlier of the two times that is not 0. *mutex is held. */
NNRT__FN void nnrt__rknpu_wait(nnrt__rknpu_executor *self, uint64_t until_ns) {
    uint64_t deadline = self->deadline_ns;
    if (deadline == 0 || (until_ns != 0 && until_ns < deadline)) deadline = until_ns;
    if (deadline == 0) nnrt__cond_wait(&self->changed, self->mutex);
    else (void)nnrt__cond_wait_until(&self->changed, self->mutex, deadline);
}

/* Wakes the executors that wait for the arena. *mutex, which is theirs too, is held. */
NNRT__FN void nnrt__rknpu_wake_group(nnrt__rknpu_executor *self) {
    nnrt__rknpu_executor *waiting = self->model->arena != NULL ? self->model->arena->waiting : NULL;
    for (; waiting != NULL; waiting = waiting->next_waiting) nnrt__cond_broadcast(&waiting->changed);
}

/* The executor whose run is in the way: this one's own that was given up, or the holder of the arena. NULL: go on. */
NNRT__FN const nnrt__rknpu_executor *nnrt__rknpu_in_the_way(const nnrt__rknpu_executor *self) {
    if (self->phase == NNRT__RKNPU_GIVEN_UP) return self;
    return self->model->arena != NULL ? self->model->arena->holder : NULL;
}

/* Waits until this executor may run: as long as a run of the group lasts, a grace for one that was given up. *mutex is
   held. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_wait_turn(nnrt__rknpu_executor *self) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__rknpu_arena *arena = self->model->arena;
    const nnrt__rknpu_executor *other = nnrt__rknpu_in_the_way(self);
    nnrt__rknpu_executor **link;
    uint64_t grace_ends = 0;
    if (other == NULL) return OH_NN_SUCCESS;
    if (arena != NULL) {
        self->next_waiting = arena->waiting;
        arena->waiting = self;
    }
    while (other != NULL && code == OH_NN_SUCCESS) {
        bool stuck = other->phase == NNRT__RKNPU_GIVEN_UP;
        if (!stuck) grace_ends = 0;
        else if (grace_ends == 0) grace_ends = nnrt__rknpu_grace_ends(self);
        if (nnrt__rknpu_must_end(self)) {
            code = nnrt__rknpu_deadline_passed();
        } else if (stuck && nnrt__now_ns() >= grace_ends) {
            code = nnrt__rknpu_hangs(self);
        } else {
            nnrt__rknpu_wait(self, grace_ends);
            other = nnrt__rknpu_in_the_way(self);
        }
    }
    if (arena != NULL) {
        link = &arena->waiting;
        while (*link != self) link = &(*link)->next_waiting;
        *link = self->next_waiting;
    }
    return code;
}

/* The run is over, or has come back. *mutex is held. */
NNRT__FN void nnrt__rknpu_end_turn(nnrt__rknpu_executor *self) {
    self->phase = NNRT__RKNPU_IDLE;
    if (self->model->arena != NULL) self->model->arena->holder = NULL;
    nnrt__cond_broadcast(&self->changed);
    nnrt__rknpu_wake_group(self);
}

/* ------------------------------------------------------------------------------------- the runner */

/* The model may be released now, unless another executor of it is still held. */
NNRT__FN void nnrt__rknpu_model_let_go(nnrt__rknpu_model *model) {
    bool release;
    nnrt__mutex_lock(&model->device->mutex);
    model->held--;
    release = model->held == 0 && model->released;
    nnrt__mutex_unlock(&model->device->mutex);
    if (release) nnrt__rknpu_release(model);
}

/* Slot release of the backend: later, when calls of closed executors have not come back. */
NNRT__FN void nnrt__rknpu_release_when_idle(void *prepared) {
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)prepared;
    bool release;
    nnrt__mutex_lock(&model->device->mutex);
    model->released = true;
    model->options.name[0] = '\0'; /* free for others, though the model may live on */
    release = model->held == 0;
    nnrt__mutex_unlock(&model->device->mutex);
    if (release) nnrt__rknpu_release(model);
}

NNRT__FN void *nnrt__rknpu_runner(void *argument) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)argument;
    nnrt__rknpu_model *model = self->model;
    bool left;
    nnrt__mutex_lock(self->mutex);
    for (;;) {
        OH_NN_ReturnCode code;
        while (!self->posted && !self->closing) nnrt__cond_wait(&self->changed, self->mutex);
        if (!self->posted) break;
        self->posted = false;
        nnrt__mutex_unlock(self->mutex);
        code = nnrt__rknpu_do_run(self);
        nnrt__mutex_lock(self->mutex);
        self->result = code;
        memcpy(self->sentence, nnrt__sentence(), sizeof(self->sentence));
        nnrt__rknpu_end_turn(self);
    }
    left = self->left;
    nnrt__mutex_unlock(self->mutex);
    if (left) {
        nnrt__rknpu_executor_free(self);
        nnrt__rknpu_model_let_go(model);
    }
    return NULL;
}

#ifdef NNRT_NO_THREADS

NNRT__FN void nnrt__rknpu_leave_runner(nnrt__rknpu_executor *self) { (void)self; }

#else

/* Nobody will wait for the runner's end. */
NNRT__FN void nnrt__rknpu_leave_runner(nnrt__rknpu_executor *self) { (void)pthread_detach(self->runner.handle); }

#endif

/* Starts the runner, if it is not there yet. No run is under way. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_start_runner(nnrt__rknpu_executor *self) {
    bool started = true;
    nnrt__mutex_lock(self->mutex);
    if (!self->has_runner) {
        started = nnrt__thread_start(&self->runner, nnrt__rknpu_runner, self);
        self->has_runner = started;
    }
    nnrt__mutex_unlock(self->mutex);
    if (started) return OH_NN_SUCCESS;
    if (!NNRT__HAS_THREADS)
        return nnrt__fail(OH_NN_UNSUPPORTED, "this build has no threads (NNRT_NO_THREADS) to give up a run with");
    return nnrt__fail(OH_NN_MEMORY_ERROR, "the system starts no thread for runs with a deadline");
}

/* Leaves the runner's call behind. *mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_give_up_run(nnrt__rknpu_executor *self) {
    self->phase = NNRT__RKNPU_GIVEN_UP;
    if (self->context != NULL) nnrt__rknpu_give_up(self->context);
    else nnrt__rknpu_matmul_give_up(self->matmul);
    nnrt__rknpu_wake_group(self);
    return nnrt__rknpu_deadline_passed();
}

/* Lets the runner do the run. *mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run_on_runner(nnrt__rknpu_executor *self) {
    self->posted = true;
    nnrt__cond_broadcast(&self->changed);
    while (self->phase == NNRT__RKNPU_RUNS) {
        if (!nnrt__rknpu_must_end(self)) {
            nnrt__rknpu_wait(self, 0);
        } else if (self->in_call) {
            return nnrt__rknpu_give_up_run(self);
        } else {
            self->ends = true;
            nnrt__cond_wait(&self->changed, self->mutex);
        }
    }
    return self->result == OH_NN_SUCCESS ? OH_NN_SUCCESS : nnrt__fail(self->result, "%s", self->sentence);
}

/* Does the run that io describes: copied to self->io, and what comes out of it back to outputs. A cancel that came
   before the run began is either its own or one that just missed the run before; nobody can tell, so that the run then
   has a grace to end in. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run_io(nnrt__rknpu_executor *self, const nnrt_io *inputs, nnrt_io *outputs,
                                             uint32_t shape) {
    const nnrt__rknpu_model *model = self->model;
    OH_NN_ReturnCode code;
    uint32_t i;
    nnrt__mutex_lock(self->mutex);
    self->deadline_ns = 0;
    if (model->options.timeout_ms != 0)
        self->deadline_ns = nnrt__now_ns() + (uint64_t)model->options.timeout_ms * 1000000u;
    if (self->cancelled) {
        uint64_t grace_ends = nnrt__rknpu_grace_ends(self);
        if (self->deadline_ns == 0 || grace_ends < self->deadline_ns) self->deadline_ns = grace_ends;
        self->cancelled = false;
    }
    code = nnrt__rknpu_wait_turn(self);
    if (code == OH_NN_SUCCESS) {
        memcpy(self->io, inputs, model->input_count * sizeof(inputs[0]));
        memcpy(self->io + model->input_count, outputs, model->output_count * sizeof(outputs[0]));
        self->wanted_shape = shape;
        self->ends = false;
        self->in_call = false;
        self->phase = NNRT__RKNPU_RUNS;
        if (model->arena != NULL) model->arena->holder = self;
        if (self->has_runner) {
            code = nnrt__rknpu_run_on_runner(self);
        } else {
            nnrt__mutex_unlock(self->mutex);
            code = nnrt__rknpu_do_run(self);
            nnrt__mutex_lock(self->mutex);
            nnrt__rknpu_end_turn(self);
        }
    }
    self->cancelled = false;
    for (i = 0; code == OH_NN_SUCCESS && i < model->output_count; i++) {
        outputs[i].rank = self->io[model->input_count + i].rank;
        memcpy(outputs[i].dims, self->io[model->input_count + i].dims, sizeof(outputs[i].dims));
    }
    nnrt__mutex_unlock(self->mutex);
    return code;
}

/* Slot cancel. */
NNRT__FN void nnrt__rknpu_cancel(void *executor) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    nnrt__mutex_lock(self->mutex);
    self->cancelled = true;
    nnrt__cond_broadcast(&self->changed);
    nnrt__mutex_unlock(self->mutex);
}

/* Slot close_executor. No run is under way, but for one that was given up. */
NNRT__FN void nnrt__rknpu_close_executor(void *executor) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    bool left, has_runner;
    nnrt__mutex_lock(self->mutex);
    left = self->phase == NNRT__RKNPU_GIVEN_UP;
    has_runner = self->has_runner;
    if (left) {
        nnrt__mutex_lock(&self->model->device->mutex);
        self->model->held++;
        nnrt__mutex_unlock(&self->model->device->mutex);
        nnrt__rknpu_leave_runner(self);
    }
    self->left = left;
    self->closing = true;
    nnrt__cond_broadcast(&self->changed);
    nnrt__mutex_unlock(self->mutex);
    if (left) return;
    if (has_runner) nnrt__thread_join(&self->runner);
    nnrt__rknpu_executor_free(self);
}

#endif /* NNRT_RKNPU_RUNNER_H */
