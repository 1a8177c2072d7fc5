/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/run_parts.h - parts of a run that run_kept.h and run_made.h share.   >>cpu_run_parts */
#ifndef NNRT_CPU_RUN_PARTS_H
#define NNRT_CPU_RUN_PARTS_H

#include "plan_load.h"
#include "team.h"
#include "queue.h"

/* Does a step write model output i? Not when it is a constant, an input, or the same as another output. */
NNRT__FN bool nnrt__output_is_written(const nnrt__loaded_plan *plan, uint32_t i) {
    const nnrt__plan_value *value = nnrt__plan_operand(plan, plan->header->input_count + i);
    return value->segment == NNRT__SEGMENT_OUTPUT && value->index == i;
}

/* Is value in memory that each run provides? */
NNRT__INLINE bool nnrt__value_is_bound(const nnrt__plan_value *value) {
    return value != NULL && (value->segment == NNRT__SEGMENT_INPUT || value->segment == NNRT__SEGMENT_OUTPUT);
}

/* Adds `spent` to the step's profile. */
NNRT__FN void nnrt__profile_add(nnrt_profile_step *profile, uint64_t spent, uint32_t turn, uint32_t turns) {
    profile->last_ns = turn == 0 ? spent : profile->last_ns + spent;
    profile->total_ns += spent;
    if (turn + 1 < turns) return;
    if (profile->runs == 0 || profile->last_ns < profile->min_ns) profile->min_ns = profile->last_ns;
    profile->runs++;
}

/* All units of a step on this thread; data, scratch, cancel and turn of call are set. */
NNRT__INLINE OH_NN_ReturnCode nnrt__instance_alone(const nnrt__step_kind *kind, const nnrt__step_view *view,
                                                   nnrt__step_call *call) {
    call->first = 0;
    call->last = view->units;
    /* units may be 0, and without threads nothing can cancel a step; below, units - 1 wraps for 0 */
    if (!NNRT__HAS_THREADS) return view->units != 0 ? kind->run(view, call) : OH_NN_SUCCESS;
    return view->units - 1 < view->chunk ? kind->run(view, call) : nnrt__run_units(kind, view, call);
}

#endif /* NNRT_CPU_RUN_PARTS_H */
