/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/wanted.h - which kernels the program has: all, or those of NNRT_OPS or NNRT_STEPS.   >>cpu_wanted

   Included before nnrt_cpu_kernels.h, which asks NNRT__WANTED for each group of slots and instruction set. */
#ifndef NNRT_CPU_WANTED_H
#define NNRT_CPU_WANTED_H

#if defined(NNRT_CPU_KERNELS_H) && (defined(NNRT_STEPS) || defined(NNRT_OPS))
#error "nnrt: cpu/wanted.h comes too late, behind nnrt_cpu_kernels.h"
#endif

#include "kind_list.h"

#ifdef NNRT_STEPS
/* Does a level hold a set above `isa` (0: portable) that every processor of this program has and that provides all
   these slots? Then what it replaces need not be in the program. */
NNRT__INLINE bool nnrt__is_replaced(int level, int slots, int isa) {
    const int sure = level & (int)NNRT__ISA_SURE;
    if (isa == 0 && (sure & (int)NNRT__ISA_WHOLE) != 0) return true;
    if (isa == 0 && (sure & (int)NNRT__ISA_CORTEX_M4) != 0 && (slots & ~(int)NNRT__SLOT_ALL_OF_CORTEX_M4) == 0)
        return true;
    return isa != (int)NNRT__ISA_CORTEX_M55 && (sure & (int)NNRT__ISA_CORTEX_M55) != 0 &&
           (slots & ~(int)NNRT__SLOT_ALL_OF_CORTEX_M55) == 0;
}

/* A step of a level includes the kernels of all lower levels, as not every level has every kernel. */
#define NNRT__STEP_WANTS(name, level)                                                                      \
    || ((NNRT__SLOTS_OF_##name & slots) != 0 && (isa == 0 || ((int)NNRT__ISA_LEVEL_##level & isa) != 0) && \
        !nnrt__is_replaced((int)NNRT__ISA_LEVEL_##level, slots, isa))
NNRT__INLINE bool nnrt__wanted(int slots, int isa) { return false NNRT_STEPS(NNRT__STEP_WANTS); }
#undef NNRT__STEP_WANTS
#define NNRT__WANTED(slots, isa) nnrt__wanted(slots, isa)

#define NNRT__STEP_LEVELS(name, level) | (unsigned)NNRT__ISA_LEVEL_##level
enum {
    NNRT__LEVELS_OF_STEPS = 0u NNRT_STEPS(NNRT__STEP_LEVELS)
};
#undef NNRT__STEP_LEVELS
#define NNRT__LEVELS_WANTED ((unsigned)NNRT__LEVELS_OF_STEPS)

#elif defined(NNRT_OPS)
enum {
#define NNRT__OR_SLOTS(name) | NNRT__SLOTS_OF_##name
#define NNRT__SLOTS_OF_FAMILY(family) NNRT__SLOTS_OF_FAMILY_##family = 0 NNRT__KINDS_OF_##family(NNRT__OR_SLOTS),
    NNRT__FAMILIES(NNRT__SLOTS_OF_FAMILY)
#undef NNRT__SLOTS_OF_FAMILY
#undef NNRT__OR_SLOTS
#define NNRT__SLOTS_OF_OP(name) NNRT__SLOTS_OF_OP_##name =
#define NNRT__OF_FAMILY(family) NNRT__SLOTS_OF_FAMILY_##family,
    NNRT__OPS_BY_FAMILY(NNRT__SLOTS_OF_OP, NNRT__OF_FAMILY)
#undef NNRT__SLOTS_OF_OP
#undef NNRT__OF_FAMILY
    /* An error at a name here: NNRT_OPS lists an operator for which the CPU device has no kernels. */
#define NNRT__OR_SLOTS(name) | NNRT__SLOTS_OF_OP_##name
        NNRT__SLOTS_OF_OPS = 0 NNRT_OPS(NNRT__OR_SLOTS)
#undef NNRT__OR_SLOTS
};
NNRT__INLINE bool nnrt__wanted(int slots) { return (slots & (int)NNRT__SLOTS_OF_OPS) != 0; }
#define NNRT__WANTED(slots, isa) nnrt__wanted(slots)
#define NNRT__LEVELS_WANTED (~0u)
#endif

#endif /* NNRT_CPU_WANTED_H */
