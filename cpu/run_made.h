/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/run_made.h - an instance that prepares each step just before it runs.   >>cpu_run_made

   For firmware (NNRT__FOR_RAM): there is room for the view, pointers and prepared data of one step, not of all. The
   pointers are the instance's; the rest is on the stack of a run. This costs a few hundred instructions per step of
   a run. One thread only. The names are those of run_kept.h. */
#ifndef NNRT_CPU_RUN_MADE_H
#define NNRT_CPU_RUN_MADE_H

#include "run_parts.h"

/* ------------------------------------------------------------------------ instance: plan, arena, one step */

typedef struct nnrt__instance {
    const nnrt__loaded_plan *plan;
    void *arena_memory;                   /* NULL: the arena is the program's */
    uint8_t *arena;                       /* 64-byte aligned */
    void *const *inputs, *const *outputs; /* of this run, those of states included */
    nnrt_profile_step *profile;           /* NULL: not asked for yet */
    /* What the view of the present step points at */
    const nnrt__plan_value **operands; /* [plan->most_operands]; one block with the next array */
    void **data;                       /* ditto */
} nnrt__instance;

NNRT__FN void nnrt__instance_close(nnrt__instance *instance) {
    nnrt__free(instance->arena_memory);
    nnrt__free(instance->operands);
    nnrt__free(instance->profile);
    nnrt__clear(instance, sizeof(*instance));
}

/* Bytes of NNRT_MALLOC that instance holds. */
NNRT__FN size_t nnrt__instance_bytes(const nnrt__instance *instance) {
    return nnrt__block_bytes(instance->arena_memory) + nnrt__block_bytes(instance->operands) +
           nnrt__block_bytes(instance->profile);
}

/* Bytes of an accelerator's memory: this build's only device has none. */
NNRT__FN size_t nnrt__instance_session_bytes(const nnrt__instance *instance) {
    (void)instance;
    return 0;
}

/* The memory of value; NULL if value is NULL. */
NNRT__FN void *nnrt__instance_where(const nnrt__instance *instance, const nnrt__plan_value *value) {
    if (value == NULL) return NULL;
    if (value->segment == NNRT__SEGMENT_ARENA) return instance->arena + (size_t)value->offset;
    if (value->segment == NNRT__SEGMENT_INPUT) return instance->inputs[value->index];
    if (value->segment == NNRT__SEGMENT_OUTPUT) return instance->outputs[value->index];
    return (void *)(uintptr_t)(instance->plan->constants + (size_t)value->offset); /* a plan alone has no model */
}

/* The memory of operand i, which is present. */
NNRT__FN const void *nnrt__instance_operand(const nnrt__instance *instance, uint32_t i) {
    return nnrt__instance_where(instance, nnrt__plan_operand(instance->plan, i));
}

/* What preparing a step needs; on the stack of a run. */
typedef struct nnrt__step_room {
    nnrt__step_view view;
    nnrt__ready_room ready;
    nnrt__cpu_table kernels; /* that the plan is packed for */
} nnrt__step_room;

NNRT__FN void nnrt__step_room_open(nnrt__step_room *room, const nnrt__instance *instance) {
    nnrt__clear(&room->view, sizeof(room->view));
    nnrt__cpu_select(&room->kernels, instance->plan->header->isa);
}

/* Step i and its kind, until the next one is asked for. */
NNRT__FN const nnrt__step_view *nnrt__instance_view(nnrt__instance *instance, uint32_t i, nnrt__step_room *room,
                                                    const nnrt__step_kind **kind) {
    const nnrt__loaded_plan *plan = instance->plan;
    const nnrt__plan_step *step = &plan->steps[i];
    const nnrt__step_kind *is = nnrt__step_kind_in(&room->kernels, step->kind); /* Build has found it */
    nnrt__step_view *view = &room->view;
    uint32_t k;
    NNRT_ASSERT(i < plan->header->step_count && is != NULL);
    NNRT_ASSERT(step->input_count + step->output_count <= plan->most_operands && is->ready_size <= sizeof(room->ready));
    for (k = 0; k < step->input_count + step->output_count; k++)
        instance->operands[k] = nnrt__plan_operand(plan, step->first_operand + k);
    nnrt__view_fill(view, plan, step, instance->operands, &room->kernels);
    if (is->ready_size != 0) {
        is->prepare(view, &room->ready);
        view->ready = &room->ready;
    }
    view->units = is->units != NULL ? is->units(view) : 1;
    *kind = is;
    return view;
}

/* model: NULL. arena: the program's, as large as the plan's and 64-byte aligned; not touched here, as another executor
   may be running in it. NULL: allocates one, zeroed so that no plan reads old memory of the program. On failure the
   instance is empty. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_open(nnrt__instance *instance, const nnrt__loaded_plan *plan,
                                              const uint8_t *model, void *arena) {
    const nnrt__plan_header *header = plan->header;
    const size_t pointers = plan->most_operands * sizeof(void *); /* of lists that lie in the plan */
    NNRT_ASSERT(model == NULL);
    (void)model;
    nnrt__clear(instance, sizeof(*instance));
    instance->plan = plan;
    instance->arena = (uint8_t *)arena;
    if (arena == NULL)
        instance->arena = (uint8_t *)nnrt__alloc_aligned_zero((size_t)header->arena_size, NNRT__PLAN_ALIGNMENT,
                                                              &instance->arena_memory);
    instance->operands = (const nnrt__plan_value **)nnrt__alloc_zero(2 * pointers, 1);
    if (instance->arena == NULL || instance->operands == NULL) {
        nnrt__instance_close(instance);
        return nnrt__fail(OH_NN_MEMORY_ERROR, "out of memory for an arena of %zu bytes", (size_t)header->arena_size);
    }
    instance->data = (void **)(void *)(instance->operands + plan->most_operands);
    return OH_NN_SUCCESS;
}

/* inputs and outputs must not change until the run has ended. */
NNRT__FN void nnrt__instance_bind(nnrt__instance *instance, void *const *inputs, void *const *outputs) {
    instance->inputs = inputs;
    instance->outputs = outputs;
}

/* ---------------------------------------------------------------------------------------------------- run */

/* May some model output be none that a step writes? Each run looks for that. */
NNRT__INLINE bool nnrt__instance_copies(const nnrt__instance *instance) {
    (void)instance;
    return true;
}

/* Step i of a run. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_step(nnrt__instance *instance, uint32_t i, nnrt__step_room *room, bool timed,
                                              nnrt__step_call *call) {
    const uint64_t start = timed ? nnrt__now_ns() : 0;
    const nnrt__step_kind *kind;
    const nnrt__step_view *view = nnrt__instance_view(instance, i, room, &kind);
    OH_NN_ReturnCode code;
    uint32_t k;
    for (k = 0; k < view->input_count + view->output_count; k++)
        instance->data[k] = nnrt__instance_where(instance, view->operands[k]);
    call->data = instance->data;
    call->scratch = instance->arena + (size_t)view->step->scratch_offset;
    code = nnrt__instance_alone(kind, view, call);
    if (timed) nnrt__profile_add(&instance->profile[i], nnrt__now_ns() - start, call->turn, view->step->turns);
    return code;
}

/* Runs the plan once; steps of a group turn by turn. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_go(nnrt__instance *instance, nnrt__team *team, bool timed, int32_t *cancel,
                                            const nnrt__place *place) {
    const nnrt__loaded_plan *plan = instance->plan;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__step_room room;
    nnrt__step_call call;
    uint32_t i = 0;
    (void)team;
    (void)place;
    memset(&call, 0, sizeof(call));
    call.cancel = cancel; /* without threads nobody sets it */
    nnrt__step_room_open(&room, instance);
    while (i < plan->header->step_count && code == OH_NN_SUCCESS) {
        const nnrt__plan_step *step = &plan->steps[i];
        code = nnrt__instance_step(instance, i, &room, timed, &call);
        if (nnrt__kinds_take_turns() && step->back != 0) {
            if (++call.turn < step->turns) {
                i -= step->back - 1u;
                continue;
            }
            call.turn = 0;
        }
        i++;
    }
    return code;
}

#endif /* NNRT_CPU_RUN_MADE_H */
