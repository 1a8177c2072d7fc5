/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/run_kept.h - an instance with a pointer for every operand: a run looks nothing up.   >>cpu_run_kept

   Pointers to the arena, the constants and the model are set when the executor is made, those to inputs and outputs
   when a run has other tensors. The alternative is run_made.h, with the same names. */
#ifndef NNRT_CPU_RUN_KEPT_H
#define NNRT_CPU_RUN_KEPT_H

#include "run_parts.h"

/* An operand that lies in an input or output of the model. */
typedef struct nnrt__bound_operand {
    uint32_t operand;
    uint32_t index; /* number of the input, or inputs + number of the output */
} nnrt__bound_operand;

typedef struct nnrt__instance {
    const nnrt__loaded_plan *plan;
    void *arena_memory;         /* NULL: the arena is the program's */
    uint8_t *arena;             /* 64-byte aligned */
    void **data;                /* [operand_count]; its block holds the next array, too */
    nnrt__bound_operand *bound; /* [bound_count] operands to set for each run */
    uint32_t bound_count;
    bool copies_outputs;        /* no step writes some model output */
    bool has_groups;            /* cached: the plan has groups of steps */
    bool has_sessions;          /* of accelerated steps; in data they stand in for the images */
    nnrt_profile_step *profile; /* NULL: not asked for yet */
} nnrt__instance;

/* The entry of accelerated step i's session in the operands' pointers. */
NNRT__INLINE void **nnrt__instance_session(const nnrt__instance *instance, uint32_t i) {
    NNRT_ASSERT(nnrt__is_accelerated(instance->plan->kinds[i]));
    return &instance->data[instance->plan->steps[i].first_operand];
}

NNRT__FN void nnrt__instance_close_sessions(nnrt__instance *instance) {
    const nnrt__loaded_plan *plan = instance->plan;
    uint32_t i;
    for (i = 0; i < plan->header->step_count; i++)
        if (nnrt__is_accelerated(plan->kinds[i]) && *nnrt__instance_session(instance, i) != NULL)
            plan->accelerator->close((nnrt__accelerator_session *)*nnrt__instance_session(instance, i));
    instance->has_sessions = false;
}

/* Loads the images of accelerated steps, unless the plan is for another machine. On failure none is loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_open_sessions(nnrt__instance *instance) {
    const nnrt__loaded_plan *plan = instance->plan;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    instance->has_sessions = true;
    for (i = 0; i < plan->header->step_count; i++)
        if (nnrt__is_accelerated(plan->kinds[i])) *nnrt__instance_session(instance, i) = NULL;
    for (i = 0; code == OH_NN_SUCCESS && i < plan->header->step_count && plan->part_ms != 0; i++) {
        nnrt__accelerator_session *session = NULL;
        if (!nnrt__is_accelerated(plan->kinds[i])) continue;
        code = plan->accelerator->open(plan->accelerator, plan->views[i].ready,
                                       (size_t)plan->views[i].operands[0]->size, plan->part_ms, &session);
        if (code == OH_NN_SUCCESS) *nnrt__instance_session(instance, i) = session;
    }
    return code;
}

/* Bytes of the accelerator's memory. */
NNRT__FN size_t nnrt__instance_session_bytes(const nnrt__instance *instance) {
    const nnrt__loaded_plan *plan = instance->plan;
    size_t bytes = 0;
    uint32_t i;
    if (!instance->has_sessions) return 0;
    for (i = 0; i < plan->header->step_count; i++)
        if (nnrt__is_accelerated(plan->kinds[i]) && *nnrt__instance_session(instance, i) != NULL)
            bytes += plan->accelerator->memory((const nnrt__accelerator_session *)*nnrt__instance_session(instance, i));
    return bytes;
}

NNRT__FN void nnrt__instance_close(nnrt__instance *instance) {
    if (NNRT__ACCELERATES && instance->has_sessions) nnrt__instance_close_sessions(instance);
    nnrt__free(instance->arena_memory);
    nnrt__free((void *)instance->data);
    nnrt__free(instance->profile);
    memset(instance, 0, sizeof(*instance));
}

/* Bytes of NNRT_MALLOC that instance holds. */
NNRT__FN size_t nnrt__instance_bytes(const nnrt__instance *instance) {
    return nnrt__block_bytes(instance->arena_memory) + nnrt__block_bytes(instance->data) +
           nnrt__block_bytes(instance->profile);
}

/* Does its work in run_made.h; here views exist already. */
typedef struct nnrt__step_room {
    char unused;
} nnrt__step_room;

NNRT__INLINE void nnrt__step_room_open(nnrt__step_room *room, const nnrt__instance *instance) {
    (void)instance;
    room->unused = 0;
}

/* Step i and its kind. */
NNRT__INLINE const nnrt__step_view *nnrt__instance_view(nnrt__instance *instance, uint32_t i, nnrt__step_room *room,
                                                        const nnrt__step_kind **kind) {
    (void)room;
    *kind = instance->plan->kinds[i];
    return &instance->plan->views[i];
}

/* The memory of operand i, which is present. */
NNRT__INLINE const void *nnrt__instance_operand(const nnrt__instance *instance, uint32_t i) {
    return instance->data[i];
}

/* Sets the pointer of each operand, or notes that a run has to. */
NNRT__FN void nnrt__instance_place(nnrt__instance *instance, const uint8_t *model) {
    const nnrt__loaded_plan *plan = instance->plan;
    const nnrt__plan_header *header = plan->header;
    uint32_t bound_count = 0, i;
    for (i = 0; i < header->operand_count; i++) {
        const nnrt__plan_value *value = nnrt__plan_operand(plan, i);
        if (value == NULL) continue;
        if (value->segment == NNRT__SEGMENT_ARENA) instance->data[i] = instance->arena + value->offset;
        if (value->segment == NNRT__SEGMENT_CONSTANT)
            instance->data[i] = (void *)(uintptr_t)(plan->constants + value->offset);
        if (value->segment == NNRT__SEGMENT_MODEL) instance->data[i] = (void *)(uintptr_t)(model + value->offset);
        if (nnrt__value_is_bound(value)) {
            nnrt__bound_operand *bound = &instance->bound[bound_count++];
            bound->operand = i;
            bound->index = value->index + (value->segment == NNRT__SEGMENT_OUTPUT ? header->input_count : 0);
        }
    }
    for (i = 0; i < header->output_count; i++)
        if (!nnrt__output_is_written(plan, i)) instance->copies_outputs = true;
    for (i = 0; NNRT__FOR_SPEED && i < header->step_count; i++)
        if (plan->steps[i].turns != 0) instance->has_groups = true;
}

/* Allocates an arena, zeroed so that no plan reads old memory of the program. NULL: memory is out. */
NNRT__FN uint8_t *nnrt__instance_own_arena(nnrt__instance *instance, size_t size) {
    return (uint8_t *)nnrt__alloc_aligned_zero(size, NNRT__PLAN_ALIGNMENT, &instance->arena_memory);
}

/* model: the bytes that NNRT__SEGMENT_MODEL refers to, or NULL. arena: the program's, as large as the plan's and
   64-byte aligned; not touched here, as another executor may be running in it. NULL: allocates one. On failure the
   instance is empty. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_open(nnrt__instance *instance, const nnrt__loaded_plan *plan,
                                              const uint8_t *model, void *arena) {
    const nnrt__plan_header *header = plan->header;
    size_t bytes = 0;
    uint32_t i;
    memset(instance, 0, sizeof(*instance));
    instance->plan = plan;
    for (i = 0; i < header->operand_count; i++)
        if (nnrt__value_is_bound(nnrt__plan_operand(plan, i))) instance->bound_count++;
    if (!nnrt__mul_size(header->operand_count, sizeof(void *), &bytes) ||
        !nnrt__add_size(bytes, instance->bound_count * sizeof(nnrt__bound_operand), &bytes))
        return nnrt__fail_memory();
    instance->arena = arena != NULL ? (uint8_t *)arena : nnrt__instance_own_arena(instance, (size_t)header->arena_size);
    instance->data = (void **)nnrt__alloc_zero(bytes, 1);
    if (instance->arena == NULL || instance->data == NULL) {
        nnrt__instance_close(instance);
        return nnrt__fail(OH_NN_MEMORY_ERROR, "out of memory for an arena of %zu bytes", (size_t)header->arena_size);
    }
    instance->bound = (nnrt__bound_operand *)(void *)(instance->data + header->operand_count);
    nnrt__instance_place(instance, model);
    if (NNRT__ACCELERATES && plan->accelerator != NULL) {
        const OH_NN_ReturnCode code = nnrt__instance_open_sessions(instance);
        if (code != OH_NN_SUCCESS) nnrt__instance_close(instance);
        return code;
    }
    return OH_NN_SUCCESS;
}

/* Points the operands that are model inputs and outputs at the caller's memory. */
NNRT__FN void nnrt__instance_bind(nnrt__instance *instance, void *const *inputs, void *const *outputs) {
    const nnrt__bound_operand *bound = instance->bound, *end = bound + instance->bound_count;
    const uint32_t input_count = instance->plan->header->input_count;
    for (; bound != end; bound++) {
        NNRT_ASSERT(bound->operand < instance->plan->header->operand_count &&
                    bound->index < input_count + instance->plan->header->output_count);
        instance->data[bound->operand] =
            bound->index < input_count ? inputs[bound->index] : outputs[bound->index - input_count];
    }
}

/* Is some model output none that a step writes? */
NNRT__INLINE bool nnrt__instance_copies(const nnrt__instance *instance) { return instance->copies_outputs; }

/* A step of a run that is timed or has a team; call as for nnrt__instance_alone. If *cancel is not 0 it may end early,
   with success. Out of line, so that other runs keep their registers. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__instance_step(nnrt__instance *instance, nnrt__team *team,
                                                    const nnrt__step_view *view, bool timed, nnrt__step_call *call) {
    const nnrt__loaded_plan *plan = instance->plan;
    const size_t i = (size_t)(view - plan->views);
    const uint32_t parts = NNRT__HAS_THREADS && team != NULL ? nnrt__team_parts(team, view) : 1;
    uint64_t start = timed ? nnrt__now_ns() : 0;
    OH_NN_ReturnCode code;
    NNRT_ASSERT(i < plan->header->step_count && (!timed || instance->profile != NULL));
    NNRT_ASSERT(parts <= plan->header->threads); /* each part has a scratch of its own */
    if (parts > 1)
        code = nnrt__team_run(team, parts, plan->kinds[i], view, call->data, (uint8_t *)call->scratch,
                              (size_t)view->step->scratch_size, call->cancel);
    else code = nnrt__instance_alone(plan->kinds[i], view, call);
    if (timed) nnrt__profile_add(&instance->profile[i], nnrt__now_ns() - start, call->turn, view->step->turns);
    return code;
}

/* Runs all steps; those of a group turn by turn. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__instance_steps(nnrt__instance *instance, nnrt__team *team, bool timed,
                                                     int32_t *cancel, const nnrt__place *place) {
    const nnrt__loaded_plan *plan = instance->plan;
    const nnrt__step_view *view = plan->views, *const end = view + plan->header->step_count;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__step_call call;
    call.cancel = cancel;
    call.turn = 0;
    while (view != end && code == OH_NN_SUCCESS && !nnrt__atomic_peek(cancel)) {
        if (place != NULL && nnrt__place_must_wait(place)) {
            nnrt__place_wait(place);
            if (nnrt__atomic_peek(cancel)) break;
        }
        call.data = instance->data + view->step->first_operand;
        call.scratch = instance->arena + (size_t)view->step->scratch_offset;
        code = nnrt__instance_step(instance, team, view, timed, &call);
        if (nnrt__kinds_take_turns() && view->step->back != 0) {
            if (++call.turn < view->step->turns) {
                view -= view->step->back - 1;
                continue;
            }
            call.turn = 0;
        }
        view++;
    }
    return code;
}

/* The same on this thread alone, for a plan without groups: in small models the cost of a step besides its kernel
   matters. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__instance_plain_steps(const nnrt__instance *instance, int32_t *cancel,
                                                           const nnrt__place *place) {
    const nnrt__loaded_plan *plan = instance->plan;
    const nnrt__step_view *view = plan->views, *const end = view + plan->header->step_count;
    const nnrt__step_kind *const *kind = plan->kinds;
    const int32_t *above = place != NULL ? &place->queue->above[place->rank] : cancel;
    const int32_t cores = place != NULL ? place->queue->cores : INT32_MAX;
    nnrt__step_call call;
    call.cancel = cancel;
    call.turn = 0;
    for (; view != end && !nnrt__atomic_peek(cancel); view++, kind++) {
        OH_NN_ReturnCode code;
        if (nnrt__atomic_peek(above) >= cores) { /* nnrt__place_must_wait */
            nnrt__place_wait(place);
            if (nnrt__atomic_peek(cancel)) break;
        }
        call.data = instance->data + view->step->first_operand;
        call.scratch = instance->arena + (size_t)view->step->scratch_offset;
        code = nnrt__instance_alone(*kind, view, &call);
        if (code != OH_NN_SUCCESS) return code;
    }
    return OH_NN_SUCCESS;
}

/* Runs the plan once. */
NNRT__INLINE_FOR_SPEED OH_NN_ReturnCode nnrt__instance_go(nnrt__instance *instance, nnrt__team *team, bool timed,
                                                          int32_t *cancel, const nnrt__place *place) {
    const bool plain = NNRT__FOR_SPEED && team == NULL && !timed && !instance->has_groups;
    return plain ? nnrt__instance_plain_steps(instance, cancel, place)
                 : nnrt__instance_steps(instance, team, timed, cancel, place);
}

#endif /* NNRT_CPU_RUN_KEPT_H */
