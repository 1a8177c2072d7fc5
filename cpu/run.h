/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/run.h - runs a plan: a loaded plan, one arena, and pointers into it.   >>cpu_run

   A run allocates nothing. Data about its steps is kept between runs (run_kept.h) or, to save RAM, made again for each
   step (run_made.h). */
#ifndef NNRT_CPU_RUN_H
#define NNRT_CPU_RUN_H

#include "run_parts.h"
#if NNRT__FOR_RAM
#include "run_made.h"
#else
#include "run_kept.h"
#endif

/* Describes step i for a profile. */
NNRT__FN void nnrt__profile_describe(nnrt_profile_step *out, nnrt__instance *instance, uint32_t i,
                                     nnrt__step_room *room) {
    const nnrt__step_kind *kind;
    const nnrt__step_view *view = nnrt__instance_view(instance, i, room, &kind);
    const nnrt__plan_value *value = nnrt__step_output(view, 0);
    uint32_t k;
    out->name = instance->plan->strings + value->name;
    out->op = nnrt__step_op(view->step);
    out->kernel = kind->name;
    out->isa = kind->isa != NULL ? kind->isa(view) : "scalar";
    out->dtype = (OH_NN_DataType)value->dtype;
    out->rank = value->rank;
    for (k = 0; k < value->rank; k++) out->dims[k] = value->dims[k];
    out->macs = view->step->macs;
    out->weights_bytes = view->step->weights_bytes;
    out->output_scale = value->scale;
    out->output_zero_point = value->zero_point;
    out->weight_scales = view->step->weight_scales;
}

/* Makes the steps of a profile, if they are not there yet. */
NNRT__FN OH_NN_ReturnCode nnrt__instance_describe(nnrt__instance *instance) {
    const uint32_t count = instance->plan->header->step_count;
    nnrt__step_room room;
    uint32_t i;
    if (instance->profile != NULL) return OH_NN_SUCCESS;
    instance->profile = (nnrt_profile_step *)nnrt__alloc_zero(count, sizeof(nnrt_profile_step));
    if (instance->profile == NULL) return nnrt__fail_memory();
    nnrt__step_room_open(&room, instance);
    for (i = 0; i < count; i++) nnrt__profile_describe(&instance->profile[i], instance, i, &room);
    return OH_NN_SUCCESS;
}

/* After the steps: reports a cancelled run, and fills outputs that no step writes. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__instance_end(const nnrt__instance *instance, void *const *outputs,
                                                   const int32_t *cancel) {
    const nnrt__plan_header *header = instance->plan->header;
    uint32_t i;
    if (NNRT__HAS_THREADS && nnrt__atomic_peek(cancel))
        return nnrt__fail(OH_NN_TIMEOUT, "the run was stopped at its deadline");
    for (i = 0; i < header->output_count; i++) {
        const uint32_t operand = header->input_count + i;
        if (nnrt__output_is_written(instance->plan, i)) continue;
        memmove(outputs[i], nnrt__instance_operand(instance, operand),
                (size_t)nnrt__plan_operand(instance->plan, operand)->size);
    }
    return OH_NN_SUCCESS;
}

/* Runs the plan, whose inputs and outputs are bound; outputs as they were then. timed: only after
   nnrt__instance_describe. cancel: another thread sets it to stop the run before its next chunk. place: of this run in
   the queue; NULL: it does not queue. */
NNRT__INLINE_FOR_SPEED OH_NN_ReturnCode nnrt__instance_run(nnrt__instance *instance, nnrt__team *team,
                                                           void *const *outputs, bool timed, int32_t *cancel,
                                                           const nnrt__place *place) {
    OH_NN_ReturnCode code = nnrt__instance_go(instance, team, timed, cancel, place);
    if (code == OH_NN_SUCCESS && (nnrt__instance_copies(instance) || nnrt__atomic_peek(cancel)))
        code = nnrt__instance_end(instance, outputs, cancel);
    return code;
}

#endif /* NNRT_CPU_RUN_H */
