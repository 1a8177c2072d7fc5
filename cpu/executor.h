/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/executor.h - an executor of the CPU device: a plan and an arena for each input shape.   >>cpu_executor

   A static model allocates everything when the executor is opened; a dynamic one compiles a shape when it first meets
   it, in nnrt_executor_prepare or in a run. One thing is allocated in a run of any model: a copy of a tensor whose
   memory is not aligned for its type, which only OH_NNTensor_CreateWithFd at an odd offset produces. */
#ifndef NNRT_CPU_EXECUTOR_H
#define NNRT_CPU_EXECUTOR_H

#include "prepared.h"
#include "run.h"
#include "state.h"

/* One compiled shape of a dynamic model, or the only instance of a static one. */
typedef struct nnrt__cpu_shape {
    nnrt__shape *shapes; /* of the inputs, then the values of those inputs that shapes depend on; NULL: static */
    void *memory;
    nnrt__loaded_plan *plan; /* NULL: static, or empty */
    nnrt__instance instance;
    uint32_t used; /* the executor's clock at the last use */
} nnrt__cpu_shape;

typedef struct nnrt__cpu_executor {
    nnrt__cpu_prepared *model;
    nnrt__team *team;
    nnrt__place *place; /* of each run; in this structure's block. NULL: a build without threads */
    int32_t cancel;
    uint32_t clock;
    nnrt__cpu_shape shapes[NNRT__CPU_SHAPES_KEPT + 1]; /* one is empty between calls; static: [0] is its shape */
    nnrt__cpu_shape *last;                             /* used or prepared last, or the static one */
    size_t io_count;                                   /* inputs + outputs, those of states included */
    size_t outputs_at;                                 /* where outputs begin in the arrays below; states follow them */
    uint32_t state_count;
    void *state_memory;          /* NULL: there is no state */
    void **pointers;             /* [io_count] of a run; this and the next array are in the block of this structure */
    void **bounce;               /* [io_count] in place of tensors that are not aligned, or share memory; or NULL */
    const nnrt__instance *bound; /* its operands point where `pointers` says; NULL: that has changed, or nobody asks */
    bool plain;                  /* this run has the model's own shapes and uses no bounce buffer */
    bool quick;                  /* the last run was plain, on one thread, with neither a profile nor state */
    void *schedule;              /* cpu/schedule.h; NULL: not asked for yet */
} nnrt__cpu_executor;

NNRT__FN void nnrt__cpu_shape_close(nnrt__cpu_shape *shape) {
    nnrt__instance_close(&shape->instance);
    if (NNRT__CPU_SHAPES_KEPT != 0) { /* else there is but that of the model */
        if (shape->plan != NULL) nnrt__plan_unload(shape->plan);
        nnrt__free(shape->plan);
        nnrt__free(shape->memory);
        nnrt__free(shape->shapes);
    }
    memset(shape, 0, sizeof(*shape));
}

NNRT__FN void nnrt__cpu_close_executor(void *executor) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    size_t i;
    if (NNRT__HAS_THREADS) nnrt__team_free(self->team);
    for (i = 0; i <= NNRT__CPU_SHAPES_KEPT; i++) nnrt__cpu_shape_close(&self->shapes[i]);
    for (i = 0; i < self->io_count; i++) nnrt__free(self->bounce[i]);
    nnrt__queue_note(self->model->queue, nnrt__place_rank(self->model->priority), -1);
    nnrt__free(self->state_memory);
    nnrt__free(self->schedule);
    nnrt__free(self);
}

/* Bytes of NNRT_MALLOC that self holds. */
NNRT__FN size_t nnrt__cpu_executor_bytes(const nnrt__cpu_executor *self) {
    size_t bytes = nnrt__block_bytes(self) + nnrt__block_bytes(self->team) + nnrt__block_bytes(self->state_memory) +
                   nnrt__block_bytes(self->schedule);
    size_t i;
    for (i = 0; i < self->io_count; i++) bytes += nnrt__block_bytes(self->bounce[i]);
    for (i = 0; i <= NNRT__CPU_SHAPES_KEPT; i++) {
        const nnrt__cpu_shape *shape = &self->shapes[i];
        bytes += nnrt__instance_bytes(&shape->instance) + nnrt__block_bytes(shape->plan) +
                 nnrt__block_bytes(shape->memory) + nnrt__block_bytes(shape->shapes);
        if (shape->plan != NULL) bytes += nnrt__plan_bytes(shape->plan);
    }
    return bytes;
}

/* Where a run reads the state, and where it writes the next one. */
NNRT__FN void **nnrt__cpu_now(const nnrt__cpu_executor *self) {
    return self->pointers + self->outputs_at - self->state_count;
}
NNRT__FN void **nnrt__cpu_next(const nnrt__cpu_executor *self) {
    return self->pointers + self->io_count - self->state_count;
}

/* Slot reset. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_reset(void *executor) {
    const nnrt__cpu_executor *self = (const nnrt__cpu_executor *)executor;
    nnrt__cpu_states_begin(self->model, nnrt__cpu_now(self));
    return OH_NN_SUCCESS;
}

/* The model bytes that a plan refers to; NULL: the plan is self-contained. */
NNRT__FN const uint8_t *nnrt__cpu_model_of(const nnrt__cpu_prepared *model, const nnrt__loaded_plan *plan) {
    return plan->header->model_size != 0 ? model->recipe->options.model : NULL;
}

/* Slot open_executor_in; arena NULL: open_executor. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_open_executor_in(void *prepared, void *arena, void **executor) {
    nnrt__cpu_prepared *model = (nnrt__cpu_prepared *)prepared;
    nnrt__cpu_executor *self;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t threads = NNRT__HAS_THREADS ? model->recipe->options.threads : 1;
    size_t inputs, outputs, io_count;
    nnrt__cpu_io_count(prepared, &inputs, &outputs);
    io_count = inputs + outputs + 2 * (size_t)nnrt__cpu_state_count(model);
    self = (nnrt__cpu_executor *)nnrt__alloc_zero(1, sizeof(*self) + 2 * io_count * sizeof(void *) +
                                                         (NNRT__HAS_THREADS ? sizeof(nnrt__place) : 0));
    if (self == NULL) return nnrt__fail_memory();
    self->model = model;
    nnrt__queue_note(model->queue, nnrt__place_rank(model->priority), 1);
    self->state_count = nnrt__cpu_state_count(model);
    self->outputs_at = inputs + self->state_count;
    self->io_count = io_count;
    self->pointers = (void **)(void *)(self + 1);
    self->bounce = self->pointers + io_count;
    if (NNRT__HAS_STATES && self->state_count != 0)
        code = nnrt__cpu_states_make(model, &self->state_memory, nnrt__cpu_now(self), nnrt__cpu_next(self));
    if (code == OH_NN_SUCCESS && !nnrt__cpu_is_dynamic(model)) {
        self->last = &self->shapes[0];
        if (threads > model->plan.header->threads) threads = model->plan.header->threads;
        code = nnrt__instance_open(&self->last->instance, &model->plan, nnrt__cpu_model_of(model, &model->plan), arena);
    }
    if (code == OH_NN_SUCCESS && !nnrt__cpu_is_dynamic(model) && model->describe != NULL)
        code = model->describe(&self->last->instance);
    if (NNRT__HAS_THREADS && code == OH_NN_SUCCESS && threads > 1) {
        self->team = nnrt__team_new(threads, model->priority);
        if (self->team == NULL) code = nnrt__fail_memory();
    }
    if (NNRT__HAS_THREADS) {
        self->place = (nnrt__place *)(void *)(self->bounce + io_count);
        self->place->queue = model->queue;
        self->place->rank = nnrt__place_rank(model->priority);
        self->place->threads = self->team != NULL ? (int32_t)self->team->thread_count : 1;
        self->place->cancel = &self->cancel;
    }
    if (code != OH_NN_SUCCESS) nnrt__cpu_close_executor(self);
    else *executor = self;
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_open_executor(void *prepared, void **executor) {
    return nnrt__cpu_open_executor_in(prepared, NULL, executor);
}

/* Slot arena_size. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_arena_size(void *prepared, size_t *bytes) {
    const nnrt__cpu_prepared *model = (const nnrt__cpu_prepared *)prepared;
    if (nnrt__cpu_is_dynamic(model))
        return nnrt__fail(OH_NN_DYNAMIC_SHAPE, "a model with dynamic shapes needs another arena for each shape");
    *bytes = (size_t)model->plan.header->arena_size;
    return OH_NN_SUCCESS;
}

/* Slot input_memory. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_input_memory(void *executor, size_t index, nnrt_device_memory *memory) {
    const nnrt__cpu_executor *self = (const nnrt__cpu_executor *)executor;
    const nnrt__instance *instance = &self->shapes[0].instance;
    const nnrt__plan_value *value =
        nnrt__cpu_is_dynamic(self->model) ? NULL : nnrt__plan_operand(instance->plan, (uint32_t)index);
    if (value == NULL || value->segment != NNRT__SEGMENT_ARENA)
        return nnrt__fail(
            OH_NN_UNSUPPORTED,
            "input %zu does not lie in the arena: the model has to be compiled with nnrt.inputs \"arena\"%s", index,
            value == NULL ? ", and for one shape" : "");
    memory->data = instance->arena + (size_t)value->offset;
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__cpu_cancel(void *executor) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    nnrt__atomic_store(&self->cancel, 1);
    nnrt__queue_wake(self->model->queue); /* also ends a run that waits for others */
}

/* The bytes of input i that a plan is for, beyond its shape. */
NNRT__FN size_t nnrt__cpu_values_size(const nnrt__cpu_prepared *model, const nnrt_io *inputs, size_t i) {
    size_t size = nnrt__element_size(inputs[i].dtype);
    uint32_t k;
    if (!nnrt__cpu_gives(model, i)) return 0;
    for (k = 0; k < inputs[i].rank; k++) /* no dimension is 0 */
        if (!nnrt__mul_size(size, (size_t)inputs[i].dims[k], &size)) return SIZE_MAX;
    return size;
}

/* Are the inputs whose values matter present, of the right type and short enough? *bytes: their sum. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_values(nnrt__cpu_prepared *model, const nnrt_io *inputs, size_t count,
                                                 size_t *bytes) {
    size_t i;
    *bytes = 0;
    for (i = 0; i < count; i++) {
        const size_t size = nnrt__cpu_values_size(model, inputs, i);
        nnrt_io_desc desc;
        OH_NN_ReturnCode code;
        if (!nnrt__cpu_gives(model, i)) continue;
        code = nnrt__cpu_io_desc(model, false, i, &desc);
        if (code != OH_NN_SUCCESS) return code;
        if (inputs[i].data == NULL)
            return nnrt__fail(OH_NN_UNSUPPORTED,
                              "shapes depend on what input %zu holds: they are made ready in the first run with it", i);
        if (inputs[i].dtype != desc.dtype)
            return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "input %zu is %s, the model has %s", i,
                              nnrt__dtype_name(inputs[i].dtype), nnrt__dtype_name(desc.dtype));
        if (size > NNRT__VALUES_MOST || size > inputs[i].size)
            return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                              "input %zu, on whose values shapes depend, has %zu bytes; %u are possible", i, size,
                              NNRT__VALUES_MOST);
        *bytes += size;
    }
    return OH_NN_SUCCESS;
}

/* Is shape for these inputs? */
NNRT__FN bool nnrt__cpu_shape_fits(const nnrt__cpu_prepared *model, const nnrt__cpu_shape *shape, const nnrt_io *inputs,
                                   size_t count) {
    size_t i;
    if (shape->shapes == NULL) return false;
    for (i = 0; i < count; i++) {
        const nnrt__shape *is = &shape->shapes[i];
        if (is->rank != inputs[i].rank || memcmp(is->dims, inputs[i].dims, is->rank * sizeof(int32_t)) != 0)
            return false;
        if (is->values != NULL && memcmp(is->values, inputs[i].data, nnrt__cpu_values_size(model, inputs, i)) != 0)
            return false;
    }
    return true;
}

/* Compiles an empty entry for these inputs, with `bytes` of values beyond their shapes. It stays empty on failure.
   Input values are read once, as another process may share their memory. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_shape_make(nnrt__cpu_prepared *model, const nnrt_io *inputs, size_t count,
                                               size_t bytes, nnrt__cpu_shape *shape) {
    uint8_t *values, *block = NULL;
    size_t size = 0, i;
    OH_NN_ReturnCode code;
    shape->shapes = (nnrt__shape *)nnrt__alloc_zero(count * sizeof(nnrt__shape) + bytes, 1); /* count: at most 200 */
    shape->plan = (nnrt__loaded_plan *)nnrt__alloc_zero(1, sizeof(*shape->plan));
    if (shape->shapes == NULL || shape->plan == NULL) {
        nnrt__cpu_shape_close(shape);
        return nnrt__fail_memory();
    }
    values = (uint8_t *)(shape->shapes + count);
    for (i = 0; i < count; i++) {
        size = nnrt__cpu_values_size(model, inputs, i);
        shape->shapes[i].rank = inputs[i].rank;
        memcpy(shape->shapes[i].dims, inputs[i].dims, inputs[i].rank * sizeof(int32_t));
        if (!nnrt__cpu_gives(model, i)) continue;
        shape->shapes[i].values = values;
        memcpy(values, inputs[i].data, size);
        values += size;
    }
    code = nnrt__cpu_compile_shape(model, shape->shapes, &shape->memory, &block, &size);
    if (code == OH_NN_SUCCESS)
        code = nnrt__plan_load(shape->plan, block, size, &model->recipe->kernels, model->recipe->options.model_size,
                               &model->recipe->options.bounds, 0);
    if (code == OH_NN_SUCCESS)
        code = nnrt__instance_open(&shape->instance, shape->plan, nnrt__cpu_model_of(model, shape->plan), NULL);
    if (code == OH_NN_SUCCESS && model->describe != NULL) code = model->describe(&shape->instance);
    if (code != OH_NN_SUCCESS) nnrt__cpu_shape_close(shape);
    return code;
}

/* The compiled shape for these inputs, compiled now if it is new. Only then is the least recently used one freed, so a
   failure changes nothing. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_find_shape(nnrt__cpu_executor *self, const nnrt_io *inputs, size_t input_count,
                                               nnrt__cpu_shape **found) {
    const size_t first = nnrt__cpu_is_dynamic(self->model) ? 0 : 1;
    nnrt__cpu_shape *oldest = NULL, *empty = NULL;
    size_t bytes, kept = first, i;
    OH_NN_ReturnCode code = nnrt__cpu_check_values(self->model, inputs, input_count, &bytes);
    if (code != OH_NN_SUCCESS) return code;
    for (i = first; i <= NNRT__CPU_SHAPES_KEPT; i++) {
        nnrt__cpu_shape *shape = &self->shapes[i];
        if (shape->shapes == NULL) {
            empty = shape;
            continue;
        }
        if (nnrt__cpu_shape_fits(self->model, shape, inputs, input_count)) {
            *found = shape;
            return OH_NN_SUCCESS;
        }
        kept++;
        if (oldest == NULL || shape->used < oldest->used) oldest = shape;
    }
    code = nnrt__cpu_shape_make(self->model, inputs, input_count, bytes, empty);
    if (code != OH_NN_SUCCESS) return code;
    if (kept == NNRT__CPU_SHAPES_KEPT) {
        if (self->last == oldest) self->last = NULL;
        nnrt__cpu_shape_close(oldest);
    }
    *found = empty;
    return OH_NN_SUCCESS;
}

/* Do all inputs have the shapes that the model, which is not dynamic, was compiled for? */
NNRT__FN bool nnrt__cpu_has_own_shape(const nnrt__cpu_executor *self, const nnrt_io *inputs, size_t input_count) {
    size_t i;
    for (i = 0; i < input_count; i++) {
        const nnrt__plan_value *value = nnrt__plan_operand(self->shapes[0].instance.plan, (uint32_t)i);
        if (inputs[i].declared || value->rank == 0) continue;
        if (inputs[i].rank != value->rank || memcmp(inputs[i].dims, value->dims, value->rank * sizeof(int32_t)) != 0)
            return false;
    }
    return true;
}

/* Makes self->last the compiled shape for these inputs, of a dynamic model or one whose inputs have open shapes. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_use_shape(nnrt__cpu_executor *self, const nnrt_io *inputs, size_t input_count) {
    nnrt__cpu_shape *shape = &self->shapes[0];
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (nnrt__cpu_is_dynamic(self->model) || !nnrt__cpu_has_own_shape(self, inputs, input_count))
        code = nnrt__cpu_find_shape(self, inputs, input_count, &shape);
    else if (self->last == shape) return OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS) return code;
    shape->used = ++self->clock;
    self->last = shape;
    self->bound = NULL; /* another instance, even if at the same address */
    return OH_NN_SUCCESS;
}

/* A rank-0 tensor is shown as [1]. */
NNRT__FN void nnrt__cpu_tell_shape(const nnrt__plan_value *value, nnrt_io *io) {
    uint32_t k;
    io->rank = value->rank != 0 ? value->rank : 1;
    io->dims[0] = 1;
    for (k = 0; k < value->rank; k++) io->dims[k] = value->dims[k];
}

/* A bounce buffer for tensor i: aligned memory that overlaps no other tensor. Allocated by the first run that needs it,
   then kept. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_bounce(nnrt__cpu_executor *self, size_t i, size_t size) {
    if (nnrt__block_size(self->bounce[i]) < size) {
        void *copy = nnrt__alloc(size);
        if (copy == NULL) return nnrt__fail_memory();
        nnrt__free(self->bounce[i]);
        self->bounce[i] = copy;
    }
    self->pointers[i] = self->bounce[i];
    return OH_NN_SUCCESS;
}

/* Input or output `number` of a run against what the plan reads or writes. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_io(const nnrt__plan_value *value, const nnrt_io *io, bool output,
                                             size_t number) {
    const char *what = output ? "output" : "input";
    nnrt__shape_text given, wanted;
    uint32_t k;
    if (io->dtype != (OH_NN_DataType)value->dtype)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s %zu is %s, the model has %s", what, number,
                          nnrt__dtype_name(io->dtype), nnrt__dtype_name((OH_NN_DataType)value->dtype));
    if (!output && !NNRT__SHAPES_ARE_FIXED) { /* else OH_NNExecutor has checked it */
        bool same = io->rank == value->rank || (value->rank == 0 && io->rank == 1 && io->dims[0] == 1);
        for (k = 0; same && k < value->rank; k++) same = io->dims[k] == value->dims[k];
        if (!same)
            return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "input %zu is %s, the model has %s", number,
                              nnrt__shape_print(&given, io->rank, io->dims),
                              nnrt__shape_print(&wanted, value->rank, value->dims));
    }
    if (io->size < value->size)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s %zu has %zu bytes, the model needs %zu", what, number, io->size,
                          (size_t)value->size);
    return OH_NN_SUCCESS;
}

/* Has a piece of memory a byte in common with another one? */
NNRT__INLINE bool nnrt__cpu_meet(const void *a, size_t a_size, const void *b, size_t b_size) {
    return (uintptr_t)a < (uintptr_t)b + b_size && (uintptr_t)b < (uintptr_t)a + a_size;
}

/* Takes one tensor of a run: self->pointers[i] becomes where the plan reads or writes it. An input that lies in the
   arena is copied there, unless its tensor is that memory (nnrt_tensor_create_in_arena). */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__cpu_take_io(nnrt__cpu_executor *self, const nnrt_io *io, size_t i) {
    const nnrt__instance *instance = &self->last->instance;
    const nnrt__plan_value *value = nnrt__plan_operand(instance->plan, (uint32_t)i);
    const bool output = i >= self->outputs_at;
    uint8_t *const home =
        output || value->segment != NNRT__SEGMENT_ARENA ? NULL : instance->arena + (size_t)value->offset;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    self->bound = NULL;
    if (!NNRT__FOR_SPEED || !io->declared) {
        self->plain = false;
        code = nnrt__cpu_check_io(value, io, output, output ? i - self->outputs_at : i);
    }
    if (code != OH_NN_SUCCESS) return code;
    if (io->data != home &&
        nnrt__cpu_meet(io->data, (size_t)value->size, instance->arena, (size_t)instance->plan->header->arena_size))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "%s %zu is in the arena of the executor, in the place of another tensor",
                          output ? "output" : "input", output ? i - self->outputs_at : i);
    if (home != NULL) {
        self->pointers[i] = home;
        if (io->data == home) return OH_NN_SUCCESS;
        self->plain = false;
        memcpy(home, io->data, (size_t)value->size);
        return OH_NN_SUCCESS;
    }
    if (((uintptr_t)io->data & (nnrt__element_size(io->dtype) - 1)) == 0) {
        self->pointers[i] = io->data;
        return OH_NN_SUCCESS;
    }
    self->plain = false;
    code = nnrt__cpu_bounce(self, i, (size_t)value->size);
    if (code == OH_NN_SUCCESS && !output) memcpy(self->pointers[i], io->data, (size_t)value->size);
    return code;
}

/* Takes count tensors; the first is number `first` of inputs and outputs. */
NNRT__APART_FOR_SIZE OH_NN_ReturnCode nnrt__cpu_take_all(nnrt__cpu_executor *self, const nnrt_io *io, size_t count,
                                                         size_t first) {
    void **const pointers = self->pointers + first;
    size_t i;
    for (i = 0; i < count; i++) {
        OH_NN_ReturnCode code;
        if (NNRT__FOR_SPEED && io[i].declared && pointers[i] == io[i].data)
            continue; /* same as in the previous run, so it is aligned */
        code = nnrt__cpu_take_io(self, &io[i], first + i);
        if (code != OH_NN_SUCCESS) return code;
    }
    return OH_NN_SUCCESS;
}

/* Has the memory at data a byte in common with one of count tensors? */
NNRT__NOINLINE bool nnrt__cpu_shares(const nnrt_io *io, size_t count, const void *data, size_t size) {
    size_t i;
    for (i = 0; i < count; i++)
        if (nnrt__cpu_meet(io[i].data, io[i].size, data, size)) return true;
    return false;
}

/* A tensor may be input and output at once, or two may share memory. Steps write outputs while they read inputs, so an
   output that shares a byte with another tensor goes to a bounce buffer and is copied after the run. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__cpu_part_outputs(nnrt__cpu_executor *self, const nnrt_io *inputs,
                                                       size_t input_count, const nnrt_io *outputs,
                                                       size_t output_count) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t i;
    for (i = 0; i < output_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__plan_value *value = nnrt__plan_operand(self->last->instance.plan, (uint32_t)(self->outputs_at + i));
        const size_t size = (size_t)value->size;
        if (!nnrt__cpu_shares(inputs, input_count, outputs[i].data, size) &&
            !nnrt__cpu_shares(outputs, i, outputs[i].data, size))
            continue;
        self->plain = false;
        self->bound = NULL;
        code = nnrt__cpu_bounce(self, self->outputs_at + i, size);
    }
    return code;
}

/* Sets the shapes of the outputs, and copies those that are in a bounce buffer. */
NNRT__NOINLINE void nnrt__cpu_tell_outputs(const nnrt__cpu_executor *self, nnrt_io *outputs, size_t count) {
    void *const *written = self->pointers + self->outputs_at;
    size_t i;
    for (i = 0; i < count; i++) {
        const nnrt__plan_value *value = nnrt__plan_operand(self->last->instance.plan, (uint32_t)(self->outputs_at + i));
        if (written[i] != outputs[i].data) memcpy(outputs[i].data, written[i], (size_t)value->size);
        if (!NNRT__SHAPES_ARE_FIXED) nnrt__cpu_tell_shape(value, &outputs[i]);
    }
}

/* A run of any kind. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__cpu_run_any(nnrt__cpu_executor *self, const nnrt_io *inputs, size_t input_count,
                                                  nnrt_io *outputs, size_t output_count) {
    const nnrt__place *place = self->place;
    void **const written = self->pointers + self->outputs_at;
    OH_NN_ReturnCode code = nnrt__cpu_check_here(self->model);
    bool counts;
    if (NNRT__HAS_THREADS && nnrt__atomic_peek(&self->cancel) != 0) nnrt__atomic_store(&self->cancel, 0);
    self->plain = !nnrt__cpu_is_dynamic(self->model);
    if (code == OH_NN_SUCCESS && (nnrt__cpu_is_dynamic(self->model) || nnrt__cpu_resizes(self->model)))
        code = nnrt__cpu_use_shape(self, inputs, input_count);
    if (code == OH_NN_SUCCESS) code = nnrt__cpu_take_all(self, inputs, input_count, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__cpu_take_all(self, outputs, output_count, self->outputs_at);
    if (code == OH_NN_SUCCESS && (!NNRT__FOR_SPEED || self->bound == NULL))
        code = nnrt__cpu_part_outputs(self, inputs, input_count, outputs, output_count);
    if (code != OH_NN_SUCCESS) return code;
    if (!NNRT__FOR_SPEED || self->bound == NULL) {
        nnrt__instance_bind(&self->last->instance, self->pointers, written);
        if (NNRT__FOR_SPEED) self->bound = &self->last->instance;
    }
    counts = NNRT__HAS_THREADS && nnrt__atomic_peek(&place->queue->lower[place->rank]) != 0;
    if (counts) nnrt__place_begin(place);
    code = nnrt__instance_run(&self->last->instance, self->team, written, self->model->describe != NULL, &self->cancel,
                              place);
    if (counts) nnrt__place_end(place);
    if (code != OH_NN_SUCCESS) return code;
    if (NNRT__HAS_STATES && self->state_count != 0) {
        nnrt__cpu_states_advance(self->state_count, nnrt__cpu_now(self), nnrt__cpu_next(self));
        self->bound = NULL;
    }
    if (NNRT__FOR_SPEED)
        self->quick = self->plain && self->team == NULL && self->model->describe == NULL && self->state_count == 0;
    if (!self->plain) nnrt__cpu_tell_outputs(self, outputs, output_count);
    return OH_NN_SUCCESS;
}

/* Does a run repeat the previous one with other numbers in the same tensors, and nobody waits for it or stops it? */
NNRT__INLINE_FOR_SPEED bool nnrt__cpu_repeats(const nnrt__cpu_executor *self, const nnrt_io *inputs) {
    return NNRT__FOR_SPEED && inputs[0].repeated && self->quick && self->bound != NULL &&
           nnrt__atomic_peek(&self->cancel) == 0 &&
           (!NNRT__HAS_THREADS || nnrt__atomic_peek(&self->place->queue->lower[self->place->rank]) == 0);
}

/* Slot run. Most runs repeat the previous one: then there is nothing to set, and all that is left are the steps. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                        size_t output_count) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    if (!nnrt__cpu_repeats(self, inputs)) return nnrt__cpu_run_any(self, inputs, input_count, outputs, output_count);
    return nnrt__instance_run(&self->last->instance, NULL, self->pointers + self->outputs_at, false, &self->cancel,
                              self->place);
}

/* Slot prepare_shapes. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_prepare_shapes(void *executor, const nnrt_io *inputs, size_t input_count,
                                                   nnrt_io *outputs, size_t output_count) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t i;
    if (nnrt__cpu_is_dynamic(self->model) || nnrt__cpu_resizes(self->model))
        code = nnrt__cpu_use_shape(self, inputs, input_count);
    for (i = 0; code == OH_NN_SUCCESS && i < output_count; i++)
        nnrt__cpu_tell_shape(nnrt__plan_operand(self->last->instance.plan, (uint32_t)(self->outputs_at + i)),
                             &outputs[i]);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_profile(void *executor, const nnrt_profile_step **steps, uint32_t *count) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    OH_NN_ReturnCode code;
    if (self->last == NULL)
        return nnrt__fail(OH_NN_DYNAMIC_SHAPE, "a model with dynamic shapes has no steps before its first run");
    code = nnrt__instance_describe(&self->last->instance);
    if (code != OH_NN_SUCCESS) return code;
    *steps = self->last->instance.profile;
    *count = self->last->instance.plan->header->step_count;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_memory(void *executor, nnrt_memory *memory) {
    const nnrt__cpu_executor *self = (const nnrt__cpu_executor *)executor;
    const nnrt__cpu_prepared *model = self->model;
    size_t i;
    memory->heap_bytes = nnrt__cpu_prepared_bytes(model) + nnrt__cpu_executor_bytes(self);
    if (!nnrt__cpu_is_dynamic(model) && model->memory == NULL && model->file.memory == NULL)
        memory->borrowed_bytes = model->block_size;
    if (self->last != NULL) {
        const nnrt__loaded_plan *plan = self->last->instance.plan;
        memory->arena_bytes = (size_t)plan->header->arena_size;
        memory->bound_bytes = (size_t)plan->header->arena_bound;
        memory->scratch_bytes = (size_t)plan->header->scratch_size;
        memory->weights_bytes = (size_t)plan->header->constants_size;
        memory->plan_bytes = (size_t)plan->header->size;
        memory->state_bytes = nnrt__cpu_states_size(model);
        if (NNRT__ACCELERATES) memory->device_bytes = nnrt__instance_session_bytes(&self->last->instance);
        for (i = 0; i < plan->header->value_count; i++)
            if (plan->values[i].segment == NNRT__SEGMENT_MODEL && model->file.memory == NULL)
                memory->borrowed_bytes += (size_t)plan->values[i].size;
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_EXECUTOR_H */
