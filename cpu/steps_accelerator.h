/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_accelerator.h - the step that hands a part of a model to an accelerator.   >>cpu_steps_accelerator

   Id: 0x380. */
#ifndef NNRT_CPU_STEPS_ACCELERATOR_H
#define NNRT_CPU_STEPS_ACCELERATOR_H

#include "accelerator.h"
#include "kind_list.h"
#include "plan.h"

/* -------------------------------------------------------------------------------------  0x380 accelerated

   Input 0: the image, UINT8 of rank 1, a constant of the plan. The other inputs, and all outputs: INT8 of any shape. A
   run does not read the image: the operands of an instance have the session opened for it instead (cpu/run_kept.h). Its
   accelerator checks the image when the plan is loaded (cpu/plan_load.h). Units: 1. Work: as stored in the arguments,
   for the processor; no run is longer than nnrt.timeout_ms. */

/* Such a step comes from no operator of the API. */
#define NNRT__OPS_PART ((OH_NN_OperationType)0)

typedef struct nnrt__accelerated_args {
    char accelerator[NNRT__ACCELERATOR_NAME]; /* its name, with zeros behind */
} nnrt__accelerated_args;

NNRT__INLINE const nnrt__accelerated_args *nnrt__accelerated_args_of(const nnrt__step_view *view) {
    return (const nnrt__accelerated_args *)view->arguments;
}

NNRT__FN bool nnrt__accelerated_check(const nnrt__step_view *view) {
    const nnrt__plan_value *image = nnrt__step_input(view, 0);
    uint32_t i;
    if (!NNRT__ACCELERATES || image == NULL || !nnrt__value_is(image, OH_NN_UINT8, 1)) return false;
    if (image->segment != NNRT__SEGMENT_CONSTANT) return false;
    if (nnrt__accelerated_args_of(view)->accelerator[NNRT__ACCELERATOR_NAME - 1] != '\0') return false;
    for (i = 1; i < view->input_count + view->output_count; i++)
        if (view->operands[i] == NULL || view->operands[i]->dtype != (uint32_t)OH_NN_INT8) return false;
    return true;
}

NNRT__FN const char *nnrt__accelerated_isa(const nnrt__step_view *view) {
    return nnrt__accelerated_args_of(view)->accelerator;
}

NNRT__FN uint64_t nnrt__accelerated_work(const nnrt__step_view *view) {
    const uint64_t most = (uint64_t)1 << 59, bytes = nnrt__step_input(view, 0)->size;
    return (view->step->macs < most ? view->step->macs : most) + bytes;
}

NNRT__FN OH_NN_ReturnCode nnrt__accelerated_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    nnrt__accelerator_session *session = (nnrt__accelerator_session *)call->data[0];
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    return session->accelerator->run(session, (const void *const *)(call->data + 1), call->data + view->input_count,
                                     call->cancel);
}

NNRT__STEP_KIND(accelerated, INPUTS(2, NNRT__PART_TENSORS + 1), OUTPUTS(1, NNRT__PART_TENSORS),
                ARGUMENTS(nnrt__accelerated_args), CHECK(nnrt__accelerated_check), SCRATCH(NULL), UNITS(NULL),
                ISA(nnrt__accelerated_isa), RUN(nnrt__accelerated_run), WORK(nnrt__accelerated_work), NOTHING_READY)

/* Why a plan with such a step is refused by a build that has no accelerator. */
#define NNRT__NO_ACCELERATOR "a step is for an accelerator, and this build has none"

/* Is a step of that kind? */
NNRT__INLINE bool nnrt__is_accelerated(const nnrt__step_kind *kind) {
    return NNRT__ACCELERATES && kind->id == (uint32_t)NNRT__ID_OF_accelerated;
}

#endif /* NNRT_CPU_STEPS_ACCELERATOR_H */
