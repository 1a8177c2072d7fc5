/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/kinds.h - the kinds of steps in this build: those of its operators.   >>cpu_kinds

   Enough to check and run a plan, not to make one: infer and lower are in cpu/ops.h. A build that compiles models and
   also has NNRT_STEPS lowers to the listed kinds only: a lowering names a kind by NNRT__KIND.

   The kinds that an operator may lower to are a separate object per operator, made from cpu/kind_list.h: nothing refers
   to what NNRT_OPS leaves out, so the compiler drops it and whatever only it uses. */
#ifndef NNRT_CPU_KINDS_H
#define NNRT_CPU_KINDS_H

#include "steps_accelerator.h"
#include "steps_conv_dw.h"
#include "steps_conv_groups.h"
#include "steps_conv_hybrid.h"
#include "steps_conv_pool.h"
#include "steps_conv_s16.h"
#include "steps_conv_transpose.h"
#include "steps_cumsum.h"
#include "steps_detection.h"
#include "steps_elementwise.h"
#include "steps_lookup.h"
#include "steps_lstm.h"
#include "steps_matmul.h"
#include "steps_movement.h"
#include "steps_sequence_lstm.h"
#include "steps_stripes.h"
#include "steps_svdf.h"
#include "steps_update.h"

/* Is op among the operators of this build? Known at compile time. */
#ifdef NNRT_OPS
#define NNRT__OP_IS(name) || op == OH_NN_OPS_##name
NNRT__INLINE bool nnrt__op_is_chosen(OH_NN_OperationType op) { return false NNRT_OPS(NNRT__OP_IS); }
#undef NNRT__OP_IS
#else
NNRT__INLINE bool nnrt__op_is_chosen(OH_NN_OperationType op) {
    (void)op;
    return true;
}
#endif

#ifdef NNRT_STEPS
/* Why a plan's step is refused, and what an operator may lack. */
#define NNRT__NO_KIND "a step is not in NNRT_STEPS, or for another instruction set there"

/* Is the kind in the program? Known at compile time. */
#define NNRT__KIND_IS(name, level) || kind == &nnrt__step_##name
NNRT__INLINE bool nnrt__kind_is_listed(const nnrt__step_kind *kind) { return false NNRT_STEPS(NNRT__KIND_IS); }
#undef NNRT__KIND_IS

/* An error at a name here: NNRT_STEPS lists a kind that does not exist. */
typedef struct nnrt__listed_kind {
    const nnrt__step_kind *kind;
    unsigned slots; /* NNRT__SLOT_* */
} nnrt__listed_kind;
#define NNRT__KIND_LISTED(name, level) {&nnrt__step_##name, NNRT__SLOTS_OF_##name},
static const nnrt__listed_kind nnrt__cpu_kinds[] = {NNRT_STEPS(NNRT__KIND_LISTED)};
#undef NNRT__KIND_LISTED

/* The kind of step with that id, which may come from a hostile plan; NULL: it is not in NNRT_STEPS, or the table lacks
   what it calls, as where NNRT_STEPS lists it for another instruction set. */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_in(const nnrt__cpu_table *table, uint32_t id) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(nnrt__cpu_kinds); i++)
        if (nnrt__cpu_kinds[i].kind->id == id)
            return (nnrt__cpu_kinds[i].slots & ~table->installed) == 0 ? nnrt__cpu_kinds[i].kind : NULL;
    return NULL;
}

/* May a step be in a group? Known while the program is compiled. */
#define NNRT__KIND_TURNS(name, level) || nnrt__kind_takes_turns(&nnrt__step_##name)
NNRT__INLINE bool nnrt__kinds_take_turns(void) { return false NNRT_STEPS(NNRT__KIND_TURNS); }
#undef NNRT__KIND_TURNS

/* May the output of a step lie over its input? Ditto. */
#define NNRT__KIND_OVERLAPS(name, level) || (NNRT__FLAGS_OF_##name & NNRT__IN_ORDER) != 0
NNRT__INLINE bool nnrt__kinds_overlap(void) { return false NNRT_STEPS(NNRT__KIND_OVERLAPS); }
#undef NNRT__KIND_OVERLAPS

/* Any operator may lower to the listed kinds: the full build checks which do. */
NNRT__INLINE bool nnrt__op_may_lower_to(OH_NN_OperationType op, const nnrt__step_kind *kind) {
    (void)op;
    (void)kind;
    return true;
}
#else
#define NNRT__NO_KIND "a step is of no known kind"

NNRT__INLINE bool nnrt__kind_is_listed(const nnrt__step_kind *kind) {
    (void)kind;
    return true;
}

/* The kinds of each family, NULL at the end. */
#define NNRT__KIND_ADDRESS(name) &nnrt__step_##name,
#define NNRT__KINDS_OF_FAMILY(family) \
    static const nnrt__step_kind *const nnrt__kinds_of_##family[] = {NNRT__KINDS_OF_##family(NNRT__KIND_ADDRESS) NULL};
NNRT__FAMILIES(NNRT__KINDS_OF_FAMILY)
#undef NNRT__KINDS_OF_FAMILY
#undef NNRT__KIND_ADDRESS

typedef struct nnrt__op_kinds {
    OH_NN_OperationType op;
    const nnrt__step_kind *const *kinds;
} nnrt__op_kinds;

#define NNRT__KINDS_OF_OP(name) static const nnrt__op_kinds nnrt__kinds_##name = {OH_NN_OPS_##name,
#define NNRT__OF_FAMILY(family) \
    nnrt__kinds_of_##family     \
    }                           \
    ;
NNRT__OPS_BY_FAMILY(NNRT__KINDS_OF_OP, NNRT__OF_FAMILY)
#undef NNRT__KINDS_OF_OP
#undef NNRT__OF_FAMILY

/* A part done by an accelerator is no operator of NNRT_OPS. */
#ifdef NNRT__HAS_ACCELERATOR
static const nnrt__step_kind *const nnrt__kinds_of_a_part[] = {&nnrt__step_accelerated, NULL};
static const nnrt__op_kinds nnrt__kinds_part = {NNRT__OPS_PART, nnrt__kinds_of_a_part};
#define NNRT__KINDS_OF_PARTS &nnrt__kinds_part,
#else
#define NNRT__KINDS_OF_PARTS
#endif

/* An error at a name here: NNRT_OPS lists an operator for which the CPU device has no kernels. */
#define NNRT__KINDS_ADDRESS(name) &nnrt__kinds_##name,
static const nnrt__op_kinds *const nnrt__cpu_kinds[] = {NNRT__CPU_OPS(NNRT__KINDS_ADDRESS) NNRT__KINDS_OF_PARTS NULL};
#undef NNRT__KINDS_ADDRESS
#undef NNRT__KINDS_OF_PARTS

/* The kind of step with that id, which may come from a hostile plan; NULL: no operator here has it. */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_find(uint32_t id) {
    const nnrt__op_kinds *const *row;
    const nnrt__step_kind *const *seen = NULL; /* neighbours share a list */
    for (row = nnrt__cpu_kinds; *row != NULL; row++) {
        const nnrt__step_kind *const *kind = (*row)->kinds;
        if (kind == seen) continue;
        for (seen = kind; *kind != NULL; kind++)
            if ((*kind)->id == id) return *kind;
    }
    return NULL;
}

/* The kinds that op may lower to, NULL at the end; NULL: this build has no such operator. */
NNRT__FN const nnrt__step_kind *const *nnrt__kinds_of(OH_NN_OperationType op) {
    const nnrt__op_kinds *const *row = nnrt__cpu_kinds;
    while (*row != NULL && (*row)->op != op) row++;
    return *row != NULL ? (*row)->kinds : NULL;
}

/* Is kind among those of op? One that is not would be missing from builds with NNRT_OPS. */
NNRT__FN bool nnrt__op_may_lower_to(OH_NN_OperationType op, const nnrt__step_kind *kind) {
    const nnrt__step_kind *const *listed = nnrt__kinds_of(op);
    while (listed != NULL && *listed != NULL && *listed != kind) listed++;
    return listed != NULL && *listed == kind;
}

/* A build without NNRT_STEPS has every kernel, and groups of steps. */
/*@ assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
NNRT__FN const nnrt__step_kind *nnrt__step_kind_in(const nnrt__cpu_table *table, uint32_t id) {
    (void)table;
    return nnrt__step_kind_find(id);
}
/*@ assigns \nothing; */
NNRT__INLINE bool nnrt__kinds_take_turns(void) { return true; }
/*@ assigns \nothing; */
NNRT__INLINE bool nnrt__kinds_overlap(void) { return true; }
#endif

/* Room for what prepare of any one kind makes; no less than the largest needs, whose bits are all there.
   Only convolutions and full connections have it. */
#ifdef NNRT_STEPS
#define NNRT__READY_BITS(name, level) | NNRT__READY_OF_##name
enum {
    NNRT__READY_MOST = 8 NNRT_STEPS(NNRT__READY_BITS)
};
#else
#define NNRT__READY_BITS(name) | NNRT__READY_OF_##name
enum {
    NNRT__READY_MOST = 8 NNRT__KINDS_OF_conv(NNRT__READY_BITS) NNRT__KINDS_OF_fc(NNRT__READY_BITS)
};
#endif
#undef NNRT__READY_BITS
typedef struct nnrt__ready_room {
    uint64_t words[(NNRT__READY_MOST + 7) / 8];
} nnrt__ready_room;

/* The row of a kind for a lowering; NULL in a build that leaves the kind out, so that nothing refers to it. */
#define NNRT__KIND(name) (nnrt__kind_is_listed(&nnrt__step_##name) ? &nnrt__step_##name : NULL)

#endif /* NNRT_CPU_KINDS_H */
