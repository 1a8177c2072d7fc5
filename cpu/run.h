/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/run.h - an executor: a loaded plan, one arena, and the threads that share the steps.   >>run

   A run allocates nothing and looks nothing up: pointers to the arena, the constants and the model are set
   when the executor is made, those to inputs and outputs at the start of each run. Threads split the work
   units of one step and meet before the next; which thread does which unit never changes a byte of the
   result. */
#ifndef NNRT_CPU_RUN_H
#define NNRT_CPU_RUN_H

#include "plan_load.h"

#define NNRT__MAX_THREADS 64u

/* ------------------------------------------------------------------------------------------------ threads */

struct nnrt__pool;

typedef struct nnrt__worker {
    struct nnrt__pool *pool;
    nnrt__thread thread;
    uint32_t index; /* 1.. ; the calling thread is 0 */
} nnrt__worker;

/* One step shared by threads. Workers sleep between steps of a run: a camera has better uses for its
   cores. */
typedef struct nnrt__pool {
    nnrt__mutex mutex;
    nnrt__cond wake, done;
    nnrt__worker workers[NNRT__MAX_THREADS];
    uint32_t thread_count; /* with the caller */
    uint32_t generation;   /* counts steps handed out */
    uint32_t running;      /* workers not yet done with this one */
    bool stop;
    const nnrt__step_kind *kind;
    const nnrt__step_view *view;
    void *const *data;
    uint8_t *scratch;
    size_t scratch_size;
    uint32_t units;
    OH_NN_ReturnCode code;
    char sentence[NNRT__SENTENCE_SIZE];
} nnrt__pool;

/* The share of thread `index` of the present step. */
NNRT__FN OH_NN_ReturnCode nnrt__pool_share(const nnrt__pool *pool, uint32_t index) {
    nnrt__step_call call;
    call.data = pool->data;
    call.scratch = pool->scratch + (size_t)index * pool->scratch_size;
    call.first = (uint32_t)((uint64_t)pool->units * index / pool->thread_count);
    call.last = (uint32_t)((uint64_t)pool->units * (index + 1) / pool->thread_count);
    if (call.first == call.last) return OH_NN_SUCCESS;
    return pool->kind->run(pool->view, &call);
}

NNRT__FN void *nnrt__pool_body(void *argument) {
    nnrt__worker *worker = (nnrt__worker *)argument;
    nnrt__pool *pool = worker->pool;
    uint32_t seen = 0;
    nnrt__mutex_lock(&pool->mutex);
    for (;;) {
        OH_NN_ReturnCode code;
        while (!pool->stop && pool->generation == seen) nnrt__cond_wait(&pool->wake, &pool->mutex);
        if (pool->stop) break;
        seen = pool->generation;
        nnrt__mutex_unlock(&pool->mutex);
        code = nnrt__pool_share(pool, worker->index);
        nnrt__mutex_lock(&pool->mutex);
        if (code != OH_NN_SUCCESS && pool->code == OH_NN_SUCCESS) {
            pool->code = code;
            memcpy(pool->sentence, nnrt__sentence(), sizeof(pool->sentence));
        }
        if (--pool->running == 0) nnrt__cond_broadcast(&pool->done);
    }
    nnrt__mutex_unlock(&pool->mutex);
    return NULL;
}

NNRT__FN void nnrt__pool_free(nnrt__pool *pool) {
    uint32_t i;
    if (pool == NULL) return;
    nnrt__mutex_lock(&pool->mutex);
    pool->stop = true;
    nnrt__cond_broadcast(&pool->wake);
    nnrt__mutex_unlock(&pool->mutex);
    for (i = 1; i < pool->thread_count; i++) nnrt__thread_join(&pool->workers[i].thread);
    nnrt__cond_destroy(&pool->done);
    nnrt__cond_destroy(&pool->wake);
    nnrt__mutex_destroy(&pool->mutex);
    nnrt__free(pool);
}

/* threads >= 2. Where the system gives fewer threads, the pool has fewer. NULL: out of memory. */
NNRT__FN nnrt__pool *nnrt__pool_new(uint32_t threads) {
    nnrt__pool *pool = (nnrt__pool *)nnrt__alloc_zero(1, sizeof(nnrt__pool));
    bool ok;
    uint32_t i;
    if (pool == NULL) return NULL;
    ok = nnrt__mutex_init(&pool->mutex);
    if (ok && !nnrt__cond_init(&pool->wake)) {
        nnrt__mutex_destroy(&pool->mutex);
        ok = false;
    }
    if (ok && !nnrt__cond_init(&pool->done)) {
        nnrt__cond_destroy(&pool->wake);
        nnrt__mutex_destroy(&pool->mutex);
        ok = false;
    }
    if (!ok) {
        nnrt__free(pool);
        return NULL;
    }
    pool->thread_count = 1;
    for (i = 1; i < threads; i++) {
        pool->workers[i].pool = pool;
        pool->workers[i].index = i;
        if (!nnrt__thread_start(&pool->workers[i].thread, nnrt__pool_body, &pool->workers[i])) break;
        pool->thread_count = i + 1;
    }
    return pool;
}

/* Runs one step on all threads. */
NNRT__FN OH_NN_ReturnCode nnrt__pool_run(nnrt__pool *pool, const nnrt__step_kind *kind, const nnrt__step_view *view,
                                         void *const *data, uint8_t *scratch, size_t scratch_size, uint32_t units) {
    OH_NN_ReturnCode code;
    nnrt__mutex_lock(&pool->mutex);
    pool->kind = kind;
    pool->view = view;
    pool->data = data;
    pool->scratch = scratch;
    pool->scratch_size = scratch_size;
    pool->units = units;
    pool->code = OH_NN_SUCCESS;
    pool->running = pool->thread_count - 1;
    pool->generation++;
    nnrt__cond_broadcast(&pool->wake);
    nnrt__mutex_unlock(&pool->mutex);
    code = nnrt__pool_share(pool, 0);
    nnrt__mutex_lock(&pool->mutex);
    while (pool->running != 0) nnrt__cond_wait(&pool->done, &pool->mutex);
    if (code == OH_NN_SUCCESS && pool->code != OH_NN_SUCCESS) code = nnrt__fail(pool->code, "%s", pool->sentence);
    nnrt__mutex_unlock(&pool->mutex);
    return code;
}

/* ------------------------------------------------------------------------ instance: plan, arena, pointers */

typedef struct nnrt__instance {
    const nnrt__loaded_plan *plan;
    void *arena_memory;
    uint8_t *arena; /* 64-byte aligned */
    void **data;    /* [operand_count] */
    nnrt_profile_step *profile;
    size_t heap_bytes;
} nnrt__instance;

NNRT__FN void nnrt__instance_close(nnrt__instance *instance) {
    nnrt__free(instance->arena_memory);
    nnrt__free((void *)instance->data);
    nnrt__free(instance->profile);
    memset(instance, 0, sizeof(*instance));
}

/* Describes step i for a profile. */
NNRT__FN void nnrt__profile_describe(nnrt_profile_step *out, const nnrt__loaded_plan *plan, uint32_t i) {
    const nnrt__step_view *view = &plan->views[i];
    const nnrt__plan_value *value = nnrt__step_output(view, 0);
    uint32_t k;
    out->name = plan->strings + value->name;
    out->op = (OH_NN_OperationType)view->step->op;
    out->kernel = plan->kinds[i]->name;
    out->isa = plan->kinds[i]->isa != NULL ? plan->kinds[i]->isa(view) : "scalar";
    out->dtype = (OH_NN_DataType)value->dtype;
    out->rank = value->rank;
    for (k = 0; k < value->rank; k++) out->dims[k] = value->dims[k];
    out->macs = view->step->macs;
    out->weights_bytes = view->step->weights_bytes;
    out->output_scale = value->scale;
    out->output_zero_point = value->zero_point;
    out->weight_scales = view->step->weight_scales;
}

/* model: the bytes that NNRT__SEGMENT_MODEL refers to, or NULL. On failure the instance is empty. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_open(nnrt__instance *instance, const nnrt__loaded_plan *plan,
                                              const uint8_t *model) {
    const nnrt__plan_header *header = plan->header;
    uint32_t i;
    memset(instance, 0, sizeof(*instance));
    instance->plan = plan;
    instance->arena =
        (uint8_t *)nnrt__alloc_aligned((size_t)header->arena_size, NNRT__PLAN_ALIGNMENT, &instance->arena_memory);
    instance->data = (void **)nnrt__alloc_zero(header->operand_count, sizeof(void *));
    instance->profile = (nnrt_profile_step *)nnrt__alloc_zero(header->step_count, sizeof(nnrt_profile_step));
    if (instance->arena == NULL || instance->data == NULL || instance->profile == NULL) {
        nnrt__instance_close(instance);
        return nnrt__fail(OH_NN_MEMORY_ERROR, "out of memory for an arena of %zu bytes", (size_t)header->arena_size);
    }
    memset(instance->arena, 0, (size_t)header->arena_size);
    instance->heap_bytes = (size_t)header->arena_size + NNRT__PLAN_ALIGNMENT + header->operand_count * sizeof(void *) +
                           header->step_count * sizeof(nnrt_profile_step);
    for (i = 0; i < header->operand_count; i++) {
        const nnrt__plan_value *value = plan->operand_values[i];
        if (value == NULL) continue;
        if (value->segment == NNRT__SEGMENT_ARENA) instance->data[i] = instance->arena + value->offset;
        if (value->segment == NNRT__SEGMENT_CONSTANT)
            instance->data[i] = (void *)(uintptr_t)(plan->block + header->constants + value->offset);
        if (value->segment == NNRT__SEGMENT_MODEL) instance->data[i] = (void *)(uintptr_t)(model + value->offset);
    }
    for (i = 0; i < header->step_count; i++) nnrt__profile_describe(&instance->profile[i], plan, i);
    return OH_NN_SUCCESS;
}

/* Points the operands that are model inputs and outputs at the caller's memory. */
NNRT__FN void nnrt__instance_bind(nnrt__instance *instance, void *const *inputs, void *const *outputs) {
    const nnrt__loaded_plan *plan = instance->plan;
    uint32_t i;
    for (i = 0; i < plan->header->operand_count; i++) {
        const nnrt__plan_value *value = plan->operand_values[i];
        if (value == NULL) continue;
        if (value->segment == NNRT__SEGMENT_INPUT) instance->data[i] = inputs[value->index];
        if (value->segment == NNRT__SEGMENT_OUTPUT) instance->data[i] = outputs[value->index];
    }
}

/* One step, timed when asked. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_step(nnrt__instance *instance, nnrt__pool *pool, uint32_t i, bool timed) {
    const nnrt__loaded_plan *plan = instance->plan;
    const nnrt__plan_step *step = &plan->steps[i];
    const nnrt__step_kind *kind = plan->kinds[i];
    const nnrt__step_view *view = &plan->views[i];
    void *const *data = instance->data + step->first_operand;
    uint8_t *scratch = instance->arena + step->scratch_offset;
    uint32_t units = kind->units != NULL ? kind->units(view) : 1;
    uint64_t start = timed ? nnrt__now_ns() : 0;
    OH_NN_ReturnCode code;
    if (pool != NULL && pool->thread_count > 1 && units > 1) {
        code = nnrt__pool_run(pool, kind, view, data, scratch, (size_t)step->scratch_size, units);
    } else {
        nnrt__step_call call;
        call.data = data;
        call.scratch = scratch;
        call.first = 0;
        call.last = units;
        code = kind->run(view, &call);
    }
    if (timed) {
        nnrt_profile_step *profile = &instance->profile[i];
        uint64_t spent = nnrt__now_ns() - start;
        profile->last_ns = spent;
        profile->total_ns += spent;
        if (profile->runs == 0 || spent < profile->min_ns) profile->min_ns = spent;
        profile->runs++;
    }
    return code;
}

/* Runs the plan. cancel: set by another thread to stop between two steps. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_run(nnrt__instance *instance, nnrt__pool *pool, void *const *inputs,
                                             void *const *outputs, bool timed, int32_t *cancel) {
    const nnrt__plan_header *header = instance->plan->header;
    uint32_t i;
    nnrt__instance_bind(instance, inputs, outputs);
    for (i = 0; i < header->step_count; i++) {
        OH_NN_ReturnCode code = nnrt__instance_step(instance, pool, i, timed);
        if (code != OH_NN_SUCCESS) return code;
        if (nnrt__atomic_load(cancel)) return nnrt__fail(OH_NN_TIMEOUT, "the run was stopped at its deadline");
    }
    for (i = 0; i < header->output_count; i++) {
        /* A model output that is a constant, an input, or the same as another output has no step that writes
           it. */
        uint32_t operand = header->input_count + i;
        const nnrt__plan_value *value = instance->plan->operand_values[operand];
        if (value->segment == NNRT__SEGMENT_OUTPUT && value->index == i) continue;
        memmove(outputs[i], instance->data[operand], (size_t)value->size);
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_RUN_H */
