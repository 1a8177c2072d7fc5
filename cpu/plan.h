/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/plan.h - the plan: what Build makes, what an executor runs, and what the cache holds.   >>cpu_plan

   A plan is one block of bytes that can be executed where it lies: no pointers, only offsets. An executor is
   a plan and one arena. The block may come from a cache and is then untrusted: cpu/plan_check.h checks every
   field once, and from then on the steps run blind.

   Layout, each section at a multiple of 64 bytes from the start of the block:
       header | values | steps | operands | arguments | strings | constants
   The first operands are the inputs, the outputs, and what each state is in the first run, or NNRT__NONE: zeros.
   State is what a run leaves to the next: an input of the plan, and the output that is this input in the run behind.
   The program sees neither of them.
   All numbers are in the byte order of the machine that made the plan; the header's magic tells a foreign
   one. The structures lie in it as the compiler laid them out, so the plan knows its own shape: the header has the sum
   of their sizes, and each step the size and revision of the arguments of its kind. It is no sum over all kinds that
   there are: a plan runs in every build that has the kinds it uses (NNRT_OPS), and a refusal names what changed. */
#ifndef NNRT_CPU_PLAN_H
#define NNRT_CPU_PLAN_H

#include "../core/error.h"
#include "wanted.h"
#include "../nnrt_cpu_kernels.h"

/* The concrete shape of a model input, and what it holds where shapes depend on that. */
typedef struct nnrt__shape {
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK];
    const void *values; /* any alignment; NULL: nothing that is compiled depends on them */
} nnrt__shape;

#define NNRT__PLAN_MAGIC 0x4e4c50314e4e5254ull /* "TRNN1PLN" in little-endian order */
#define NNRT__PLAN_VERSION 3u                  /* raised when bytes of the same shape mean something else */
#define NNRT__PLAN_ALIGNMENT 64u
#define NNRT__PLAN_MAX_ARENA 0x40000000u /* 1 GiB, as for one tensor: what a hostile plan can make us touch */
#define NNRT__NONE 0xffffffffu

/* Where the bytes of a value are. */
typedef enum nnrt__segment {
    NNRT__SEGMENT_ARENA = 0,    /* offset in the arena */
    NNRT__SEGMENT_INPUT = 1,    /* input number `index`, of the model or a state; offset 0 */
    NNRT__SEGMENT_OUTPUT = 2,   /* output number `index`, of the model or of a state; offset 0 */
    NNRT__SEGMENT_CONSTANT = 3, /* offset in the constants section */
    NNRT__SEGMENT_MODEL = 4     /* offset in the caller's model bytes (OH_NN_PERFORMANCE_LOW); never in a
                                   cache */
} nnrt__segment;

typedef struct nnrt__plan_header {
    uint64_t magic;
    uint32_t version;
    uint32_t crc; /* CRC-32 of the whole block with this field 0 */
    uint64_t size;
    uint32_t shape;       /* nnrt__plan_shape of the library that made it */
    uint32_t isa;         /* NNRT__ISA bits that the constants are packed for: the level that it runs at */
    uint32_t threads;     /* scratch is laid out for so many */
    uint32_t state_count; /* so many of the inputs and of the outputs, the last ones, are one to another */
    uint32_t value_count, step_count, operand_count, input_count, output_count;
    uint32_t strings_size;
    uint64_t values, steps, operands, arguments, strings, constants; /* offsets of the sections */
    uint64_t arguments_size, constants_size;
    uint64_t arena_size;   /* activations and scratch */
    uint64_t arena_bound;  /* what lives at the fullest step: no placement needs less */
    uint64_t scratch_size; /* the largest scratch of a step, all threads */
    uint64_t model_size;   /* bytes of the model that NNRT__SEGMENT_MODEL refers to, 0 when nothing does */
} nnrt__plan_header;

/* A tensor or constant. size is exactly the bytes of dims and dtype. In the arena, offset is a multiple of
   64. */
typedef struct nnrt__plan_value {
    uint32_t dtype; /* OH_NN_DataType */
    uint32_t format;
    uint32_t rank; /* 0..NNRT_MAX_RANK */
    int32_t dims[NNRT_MAX_RANK];
    uint32_t segment;
    uint32_t index; /* of the input or output; else 0 */
    uint32_t name;  /* offset of a terminated string in the strings section */
    uint64_t offset;
    uint64_t size;
    double scale; /* 0: not quantized, or quantized per channel */
    int32_t zero_point;
    uint32_t quant_count;
} nnrt__plan_value;

typedef struct nnrt__plan_step {
    uint32_t kind; /* nnrt__step_kind.id */
    uint32_t op;   /* OH_NN_OperationType that it came from + NNRT__STEP_FUSED(NNRT_FUSED_* of what it does besides) */
    uint32_t first_operand;
    uint32_t input_count;
    uint32_t output_count;
    uint32_t arguments_shape; /* nnrt__step_kind.arguments of the library that made the plan */
    uint64_t arguments;       /* offset in the arguments section, a multiple of 8 */
    uint64_t scratch_offset;  /* in the arena, a multiple of 64 */
    uint64_t scratch_size;    /* of one thread, a multiple of 64 */
    uint64_t macs;
    uint64_t weights_bytes;
    uint32_t weight_scales;
    uint16_t turns; /* of the group of steps that it is in, 2 or more; 0: it is in none */
    uint16_t back;  /* the last step of a group: how many it has; else 0 */
} nnrt__plan_step;

#define NNRT__STEP_FUSED(fused) ((uint32_t)(fused) << 16)

NNRT__INLINE OH_NN_OperationType nnrt__step_op(const nnrt__plan_step *step) {
    return (OH_NN_OperationType)(step->op & 0xffffu);
}
NNRT__INLINE uint32_t nnrt__step_fused(const nnrt__plan_step *step) { return step->op >> 16; }

/* Steps that follow one another may be a group: the run does all of them once, then all of them again, `turns` times in
   all, and each of them some rows of its output in each turn (cpu/steps_stripes.h). */

/* One step as its kind sees it. operands[0 .. input_count-1] are inputs, then come outputs; an absent
   optional input is NULL. The first output of every step is there. */
typedef struct nnrt__step_view {
    const nnrt__plan_step *step;
    const void *arguments; /* 8-byte aligned, of the kind's own type */
    const nnrt__plan_value *const *operands;
    uint32_t input_count, output_count;
    const nnrt__cpu_table *kernels;
    uint64_t work;     /* of the whole step, as its kind counts it */
    uint32_t units;    /* what its kind answered */
    uint32_t chunk;    /* units between two looks at cancel */
    const void *ready; /* what its kind's prepare made, 8-byte aligned; NULL: it has none */
} nnrt__step_view;

NNRT__INLINE const nnrt__plan_value *nnrt__step_input(const nnrt__step_view *view, uint32_t i) {
    return i < view->input_count ? view->operands[i] : NULL;
}
NNRT__INLINE const nnrt__plan_value *nnrt__step_output(const nnrt__step_view *view, uint32_t i) {
    NNRT_ASSERT(i < view->output_count);
    return view->operands[view->input_count + i];
}

/* One call of a step: data[i] is the memory of operands[i] (NULL where the operand is). Work units [first,
   last) of units() are done by this call; scratch is this thread's own, 64-byte aligned. A run may end early, with
   success, once *cancel is not 0: a kind whose units are long looks at it itself. */
typedef struct nnrt__step_call {
    void *const *data;
    uint32_t first, last;
    void *scratch;
    int32_t *cancel;
    uint32_t turn; /* below step->turns; 0 when it has none */
} nnrt__step_call;

/* What a kernel of long rows asks, with its call as context. */
NNRT__FN bool nnrt__call_is_stopped(const void *call) {
    return nnrt__atomic_load(((const nnrt__step_call *)call)->cancel) != 0;
}

NNRT__INLINE nnrt__stop nnrt__call_stop(const nnrt__step_call *call) {
    const nnrt__stop stop = {nnrt__call_is_stopped, call};
    return stop;
}

/* Is a call one of this step's: its units, memory for every operand that is there, scratch aligned? */
NNRT__FN bool nnrt__call_is_right(const nnrt__step_view *view, const nnrt__step_call *call) {
    uint32_t i;
    if (call->first > call->last || call->last > view->units ||
        ((uintptr_t)call->scratch & (NNRT__PLAN_ALIGNMENT - 1)) != 0)
        return false;
    for (i = 0; i < view->input_count + view->output_count; i++)
        if ((view->operands[i] != NULL) != (call->data[i] != NULL)) return false;
    return true;
}

/* Work is counted in operations: a multiply-accumulate, or what about as much time goes by for in portable C (a
   nanosecond or less on a PC, a few on a Cortex-A7). So much is done between two looks at cancel: some milliseconds on
   the slowest board, and so much more than a look and a call cost that nobody notices. */
#define NNRT__WORK_OF_A_CHUNK 2097152u

/* Added to the size of a kind's arguments: its revision. */
#define NNRT__REVISION(times) ((uint32_t)(times) << 16)

/* A kind of step. check sees an untrusted step: operand counts are within the limits below and the values themselves
   are sound (dtype known, dims >= 1, size right and at most 1 GiB, inside their segments, arena and constant offsets
   aligned as dtype asks), everything else is check's: dtypes, ranks, relations of shapes, ranges of all arguments,
   sizes of packed weights, so that run never leaves its operands. scratch, units and work are called after check
   said yes. Units are small enough that a few million operations are many of them, as far as the operator can be cut
   at all: one sum, one row of a softmax is one unit, however long, and its kernel asks nnrt__call_stop. prepare is
   called once, when the plan is loaded, or for each run (cpu/run_made.h): what does not change from run to run is
   computed there and found in view->ready by run, and by units, which may be asked again then. run cannot fail unless
   data decide (an index out of range): then it calls nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, ...). */
typedef struct nnrt__step_kind {
    uint32_t id;
    const char *name;
    uint32_t arguments; /* bytes of its structure, below 64 KiB; + NNRT__REVISION */
    uint32_t min_inputs, max_inputs, min_outputs, max_outputs;
    bool in_place, takes_turns; /* NNRT__IN_PLACE, NNRT__TAKES_TURNS */
    bool (*check)(const nnrt__step_view *view);
    bool (*scratch)(const nnrt__step_view *view, size_t *bytes); /* NULL: none */
    uint32_t (*units)(const nnrt__step_view *view);              /* NULL: 1 */
    const char *(*isa)(const nnrt__step_view *view);             /* NULL: "scalar" */
    OH_NN_ReturnCode (*run)(const nnrt__step_view *view, const nnrt__step_call *call);
    uint64_t (*work)(const nnrt__step_view *view); /* operations, below 2^60; NULL: one for each element of output 0 */
    uint32_t ready_size; /* bytes that prepare fills, all of them: they may hold another step's */
    void (*prepare)(const nnrt__step_view *view, void *ready);
} nnrt__step_kind;

/* nnrt__step_NAME: what its room says of a kind, beside its row of cpu/kind_list.h. C++ has no named initializers, so
   each field brings its name, in this order, and does not compile in another place:

       INPUTS(least, most), OUTPUTS(least, most)    operands
       ARGUMENTS(type)                              the structure, or NO_ARGUMENTS
       CHECK(f), SCRATCH(f), UNITS(f), ISA(f), RUN(f), WORK(f)
       READY(type, f)                               what prepare makes, and prepare; or NOTHING_READY */
#define NNRT__STEP_KIND(name, inputs, outputs, arguments, check, scratch, units, isa, run, work, ready) \
    static const nnrt__step_kind nnrt__step_##name = {NNRT__ID_OF_##name,                               \
                                                      #name,                                            \
                                                      NNRT__STEP_ARGUMENTS_##arguments |                \
                                                          NNRT__REVISION(NNRT__REVISION_OF_##name),     \
                                                      NNRT__STEP_INPUTS_##inputs,                       \
                                                      NNRT__STEP_OUTPUTS_##outputs,                     \
                                                      (NNRT__FLAGS_OF_##name & NNRT__IN_PLACE) != 0,    \
                                                      (NNRT__FLAGS_OF_##name & NNRT__TAKES_TURNS) != 0, \
                                                      NNRT__STEP_CHECK_##check,                         \
                                                      NNRT__STEP_SCRATCH_##scratch,                     \
                                                      NNRT__STEP_UNITS_##units,                         \
                                                      NNRT__STEP_ISA_##isa,                             \
                                                      NNRT__STEP_RUN_##run,                             \
                                                      NNRT__STEP_WORK_##work,                           \
                                                      NNRT__STEP_READY_##ready};
#define NNRT__STEP_INPUTS_INPUTS(least, most) least, most
#define NNRT__STEP_OUTPUTS_OUTPUTS(least, most) least, most
#define NNRT__STEP_ARGUMENTS_ARGUMENTS(type) (uint32_t)sizeof(type)
#define NNRT__STEP_ARGUMENTS_NO_ARGUMENTS 0u
#define NNRT__STEP_CHECK_CHECK(function) function
#define NNRT__STEP_SCRATCH_SCRATCH(function) function
#define NNRT__STEP_UNITS_UNITS(function) function
#define NNRT__STEP_ISA_ISA(function) function
#define NNRT__STEP_RUN_RUN(function) function
#define NNRT__STEP_WORK_WORK(function) function
#define NNRT__STEP_READY_READY(type, function) sizeof(type), function
#define NNRT__STEP_READY_NOTHING_READY 0, NULL

/* May steps of this kind be in a group? They must be. */
/*@ requires \valid_read(kind);
    assigns \nothing; */
NNRT__INLINE bool nnrt__kind_takes_turns(const nnrt__step_kind *kind) { return kind->takes_turns; }

/*@ requires \valid_read(kind);
    assigns \nothing;
    ensures \result == kind->arguments % 0x10000; */
NNRT__INLINE uint32_t nnrt__kind_arguments_size(const nnrt__step_kind *kind) {
    return kind->arguments % NNRT__REVISION(1);
}

/* How the structures of a plan lie in it. */
/*@ assigns \nothing; */
NNRT__FN uint32_t nnrt__plan_shape(void) {
    static const uint32_t sizes[4] = {sizeof(nnrt__plan_header), sizeof(nnrt__plan_value), sizeof(nnrt__plan_step),
                                      NNRT__PLAN_ALIGNMENT};
    return nnrt__crc32(0, sizes, sizeof(sizes));
}

/* How many of so many units, of so much work together, make a chunk. */
NNRT__FN uint32_t nnrt__chunk_of(uint64_t work, uint32_t units) {
    uint32_t each;
    if (units == 0) units = 1;
    if (work >= (uint64_t)NNRT__WORK_OF_A_CHUNK * units) return 1;
    for (; work > UINT32_MAX; work >>= 1) units >>= 1; /* of 2^11 or more: near enough, and no division of 64 bits */
    each = (uint32_t)work / units;
    return each != 0 ? NNRT__WORK_OF_A_CHUNK / each : NNRT__WORK_OF_A_CHUNK;
}

/* Elements of a value (its dims are known to be sound). */
NNRT__INLINE_FOR_SPEED size_t nnrt__value_count(const nnrt__plan_value *value) {
    size_t count = 1;
    uint32_t i;
    NNRT_ASSERT(value->rank <= NNRT_MAX_RANK);
    for (i = 0; i < value->rank; i++) count *= (size_t)value->dims[i];
    return count;
}

NNRT__INLINE bool nnrt__value_is(const nnrt__plan_value *value, OH_NN_DataType dtype, uint32_t rank) {
    return value != NULL && value->dtype == (uint32_t)dtype && value->rank == rank;
}

#endif /* NNRT_CPU_PLAN_H */
