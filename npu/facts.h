/* SPDX-License-Identifier: Apache-2.0 */
/* npu/facts.h - facts by name, and the steps of a profile, which all devices with an NPU report in the same
   way.   >>npu_facts

   A device has a list of names (slot facts) and a way to answer each. Names of facts about tensors end with a dot, and
   a number follows. */
#ifndef NNRT_NPU_FACTS_H
#define NNRT_NPU_FACTS_H

#include "../core/error.h"
#include "settings.h"

/* For a device's list of facts, X(name, kind, what answers it): rows of slot facts, and the third column alone. */
#define NNRT__FACT_ROW(name, kind, answer) {name, kind},
#define NNRT__FACT_ANSWER(name, kind, answer) answer,

/* Copies fact to text of size bytes, terminated. */
NNRT__FN OH_NN_ReturnCode nnrt__tell(const char *fact, char *text, size_t size) {
    const size_t length = strlen(fact);
    if (length >= size)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the text needs %zu bytes, not %zu", length + 1, size);
    memcpy(text, fact, length + 1);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tell_number(uint64_t fact, char *text, size_t size) {
    char digits[24];
    nnrt__format(digits, sizeof(digits), "%llu", (unsigned long long)fact);
    return nnrt__tell(digits, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__tell_nothing(const char *name) {
    return nnrt__fail(OH_NN_UNSUPPORTED, "%s is not known: this runtime, driver or model does not tell it", name);
}

/* The fact called name in a list that a NULL ends; NULL: there is none, and the sentence names device ("the Rockchip
   device"). *number gets what follows the name of a fact about a tensor. */
NNRT__FN const nnrt_fact *nnrt__fact_find(const nnrt_fact *facts, const char *name, const char *device,
                                          const char **number) {
    for (; facts->name != NULL; facts++) {
        const size_t length = strlen(facts->name);
        const bool numbered = facts->kind == NNRT_FACT_INPUT || facts->kind == NNRT_FACT_OUTPUT;
        if (numbered ? strncmp(name, facts->name, length) != 0 : strcmp(name, facts->name) != 0) continue;
        *number = name + length;
        return facts;
    }
    (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "%s knows no fact called \"%.60s\"", device, name);
    return NULL;
}

/* The tensor that the fact called name is about: digits ends it, count is how many tensors there are. */
NNRT__FN OH_NN_ReturnCode nnrt__fact_tensor(const char *name, const char *digits, uint32_t count, uint32_t *number) {
    if (nnrt__setting_parse_number(digits, strlen(digits), 10, UINT32_MAX, number) && *number < count)
        return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%.60s: the model has no such tensor, but %u", name, (unsigned)count);
}

/* --------------------------------------------------------------------------------------- steps of a profile */

/* desc describes the step's result; NULL: it has no single tensor. */
NNRT__FN void nnrt__step_describe(nnrt_profile_step *step, const char *name, const char *kernel, const char *isa,
                                  const nnrt_io_desc *desc) {
    uint32_t k;
    step->name = name;
    step->kernel = kernel;
    step->isa = isa;
    if (desc == NULL) return;
    step->dtype = desc->dtype;
    step->rank = desc->rank;
    for (k = 0; k < desc->rank; k++) step->dims[k] = desc->dims[k];
    step->output_scale = desc->scale;
    step->output_zero_point = desc->zero_point;
}

/* Adds a run in which the step took that long. */
NNRT__FN void nnrt__step_note(nnrt_profile_step *step, uint64_t nanoseconds) {
    step->last_ns = nanoseconds;
    step->total_ns += nanoseconds;
    if (step->runs == 0 || nanoseconds < step->min_ns) step->min_ns = nanoseconds;
    step->runs++;
}

#endif /* NNRT_NPU_FACTS_H */
