/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/plan.h - the plan: what Build makes, what an executor runs, and what the cache holds.   >>cpu_plan

   A plan is one block of bytes that can be executed where it lies: no pointers, only offsets. An executor is a plan and
   one arena. The block may come from a cache and is then untrusted: cpu/plan_check.h checks every field once, and after
   that the steps do not check again.

   Layout, each section at a multiple of 64 bytes from the start of the block:
       header | values | steps | operands | arguments | strings | constants
   The first operands are the inputs, the outputs, and the initial contents of each state, or NNRT__NONE for zeros.
   State is what a run leaves to the next: an input of the plan, and the output that becomes this input in the next run.
   The program sees neither.
   All numbers are in the byte order of the machine that made the plan; the header's magic detects a foreign one.
   Structures are stored as the compiler lays them out, so the plan records its shape: the header has the sum of their
   sizes, and each step the size and revision of its kind's arguments. It does not cover kinds that the plan does not
   use: a plan runs in every build that has its kinds (NNRT_OPS), and a refusal names what changed. */
#ifndef NNRT_CPU_PLAN_H
#define NNRT_CPU_PLAN_H

#include "../core/error.h"
#include "wanted.h"
#include "../nnrt_cpu_kernels.h"

/* Does this build run plans with state? A constant: what is only for states is dropped where it is false. */
#ifndef NNRT_NO_STATES
#define NNRT__HAS_STATES 1
#else
#define NNRT__HAS_STATES 0
#endif

/* Does this build make plans? Then they have room for the kernels of every machine, not only for its own. */
#ifndef NNRT_PLANS_ONLY
#define NNRT__MAKES_PLANS 1
#else
#define NNRT__MAKES_PLANS 0
#endif

/* The concrete shape of a model input, and its contents if shapes depend on them. */
typedef struct nnrt__shape {
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK];
    const void *values; /* any alignment; NULL: no shape depends on them */
} nnrt__shape;

#define NNRT__PLAN_MAGIC 0x4e4c50314e4e5254ull /* "TRNN1PLN" in little-endian order */
#define NNRT__PLAN_VERSION 3u                  /* raised when bytes of the same shape change their meaning */
#define NNRT__PLAN_ALIGNMENT 64u
#define NNRT__PLAN_MAX_ARENA 0x40000000u /* 1 GiB, as for one tensor: bounds what a hostile plan can make us touch */
#define NNRT__NONE 0xffffffffu

/* Which memory a value is in. */
typedef enum nnrt__segment {
    NNRT__SEGMENT_ARENA = 0,    /* offset in the arena; an input of the model, too, may lie there */
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
    uint32_t shape;       /* NNRT__PLAN_SHAPE of the library that made it */
    uint32_t isa;         /* NNRT__ISA bits: the level that constants are packed for, and that it runs at */
    uint32_t threads;     /* how many scratch is laid out for */
    uint32_t state_count; /* the last state_count inputs and outputs are states */
    uint32_t value_count, step_count, operand_count, input_count, output_count;
    uint32_t strings_size;
    uint64_t values, steps, operands, arguments, strings, constants; /* offsets of the sections */
    uint64_t arguments_size, constants_size;
    uint64_t arena_size;   /* activations and scratch */
    uint64_t arena_bound;  /* bytes alive at the fullest step: no placement needs less */
    uint64_t scratch_size; /* the largest scratch of a step, all threads */
    uint64_t model_size;   /* size of the model that NNRT__SEGMENT_MODEL refers to; 0: nothing does */
} nnrt__plan_header;

/* States of a checked plan. */
NNRT__INLINE uint32_t nnrt__plan_state_count(const nnrt__plan_header *header) {
    return NNRT__HAS_STATES ? header->state_count : 0;
}

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
    uint32_t op;   /* OH_NN_OperationType that it came from + NNRT__STEP_FUSED(NNRT_FUSED_* it does as well) */
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
    uint16_t turns; /* of its group of steps, 2 or more; 0: in no group */
    uint16_t back;  /* last step of a group: the number of its steps; else 0 */
} nnrt__plan_step;

#define NNRT__STEP_FUSED(fused) ((uint32_t)(fused) << 16)

NNRT__INLINE OH_NN_OperationType nnrt__step_op(const nnrt__plan_step *step) {
    return (OH_NN_OperationType)(step->op & 0xffffu);
}
NNRT__INLINE uint32_t nnrt__step_fused(const nnrt__plan_step *step) { return step->op >> 16; }

/* Consecutive steps may form a group: the run does all of them `turns` times over, and each step computes some rows of
   its output in each turn (cpu/steps_stripes.h). */

/* One step as its kind sees it. operands[0 .. input_count-1] are inputs, outputs follow; an absent optional input is
   NULL. Every step has its first output. */
typedef struct nnrt__step_view {
    const nnrt__plan_step *step;
    const void *arguments; /* 8-byte aligned, of the kind's own type */
    const nnrt__plan_value *const *operands;
    uint32_t input_count, output_count;
    const nnrt__cpu_table *kernels;
    uint64_t work;     /* of the whole step, as counted by its kind */
    uint32_t units;    /* as returned by its kind */
    uint32_t chunk;    /* units between checks of cancel */
    const void *ready; /* made by its kind's prepare, 8-byte aligned; NULL: it has none */
} nnrt__step_view;

/* Of every step there is a place for the first input, which may be absent. */
NNRT__INLINE const nnrt__plan_value *nnrt__step_input(const nnrt__step_view *view, uint32_t i) {
    return i == 0 || i < view->input_count ? view->operands[i] : NULL;
}
NNRT__INLINE const nnrt__plan_value *nnrt__step_output(const nnrt__step_view *view, uint32_t i) {
    NNRT_ASSERT(i < view->output_count);
    return view->operands[view->input_count + i];
}

/* Does the output of a convolution lie over its input so that it is computed from the last pixel to the first
   (cpu/overlap.h)? */
NNRT__FN bool nnrt__runs_backwards(const nnrt__step_view *view) {
    const nnrt__plan_value *in = view->operands[0], *out = nnrt__step_output(view, 0);
    const size_t from = (size_t)in->offset, to = (size_t)out->offset; /* 0 of what the program has */
    return in->segment == NNRT__SEGMENT_ARENA && to > from && to - from < (size_t)in->size;
}

/* One call of a step: data[i] is the memory of operands[i] (NULL where the operand is). This call does work units
   [first, last); scratch belongs to this thread and is 64-byte aligned. A run may end early, with success, once *cancel
   is not 0: a kind with long units checks it itself. */
typedef struct nnrt__step_call {
    void *const *data;
    uint32_t first, last;
    void *scratch;
    int32_t *cancel;
    uint32_t turn; /* below step->turns; 0 when it has none */
} nnrt__step_call;

/* Stop callback of kernels with long rows; the call is its context. */
NNRT__FN bool nnrt__call_is_stopped(const void *call) {
    return nnrt__atomic_load(((const nnrt__step_call *)call)->cancel) != 0;
}

NNRT__INLINE nnrt__stop nnrt__call_stop(const nnrt__step_call *call) {
    const nnrt__stop stop = {nnrt__call_is_stopped, call};
    return stop;
}

/* The same of a kernel that passes over n elements, in room; NULL: it is too short to be stopped, or there are no
   threads and nobody could. */
NNRT__INLINE const nnrt__stop *nnrt__row_stop(const nnrt__step_call *call, size_t n, nnrt__stop *room) {
    if (!NNRT__HAS_THREADS || n <= NNRT__PIECE) return NULL;
    *room = nnrt__call_stop(call);
    return room;
}

/* For assertions: does the call fit this step: its units, memory for every operand present, scratch aligned? */
NNRT__FN bool nnrt__call_is_right(const nnrt__step_view *view, const nnrt__step_call *call) {
    uint32_t i;
    if (call->first > call->last || call->last > view->units ||
        ((uintptr_t)call->scratch & (NNRT__PLAN_ALIGNMENT - 1)) != 0)
        return false;
    for (i = 0; i < view->input_count + view->output_count; i++)
        if ((view->operands[i] != NULL) != (call->data[i] != NULL)) return false;
    return true;
}

/* Work is counted in operations: a multiply-accumulate, or anything that takes about as long in portable C (a
   nanosecond or less on a PC, a few on a Cortex-A7). This much is done between two checks of cancel: a few milliseconds
   on the slowest board, far more than a check and a call cost. */
#define NNRT__WORK_OF_A_CHUNK 2097152u

/* Added to the size of a kind's arguments: its revision. */
#define NNRT__REVISION(times) ((uint32_t)(times) << 16)

/* A kind of step. check sees an untrusted step: operand counts are within the limits below and the values themselves
   are sound (dtype known, dims >= 1, size right and at most 1 GiB, inside their segments, arena and constant offsets
   aligned as dtype asks), check has to check everything else: dtypes, ranks, relations of shapes, ranges of all
   arguments, sizes of packed weights, so that run never leaves its operands. scratch, units and work are called only
   after check succeeded, and before prepare or after it: then they find what it made in view->ready. When check is
   called that is NULL, or room for what prepare is about to make, where check may leave something for it. Units are
   small, many to a few million operations, as far as the operator can be split at all: one sum or one row of a softmax
   is one unit, however long, and its kernel calls nnrt__call_stop. prepare is called when the plan is loaded, or for
   each run (cpu/run_made.h): it computes what does not change between runs. run finds that in view->ready. run fails
   only because of data (an index out of range): then it calls nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, ...). */
typedef struct nnrt__step_kind {
    uint32_t id;
    const char *name;
    uint32_t arguments; /* bytes of its structure, below 64 KiB; + NNRT__REVISION */
    uint32_t min_inputs, max_inputs, min_outputs, max_outputs;
    bool in_place, takes_turns, by_blocks, by_rows; /* NNRT__IN_PLACE, NNRT__TAKES_TURNS ... */
    bool (*check)(const nnrt__step_view *view);
    bool (*scratch)(const nnrt__step_view *view, size_t *bytes); /* NULL: none */
    uint32_t (*units)(const nnrt__step_view *view);              /* NULL: 1 */
    const char *(*isa)(const nnrt__step_view *view);             /* NULL: "scalar" */
    OH_NN_ReturnCode (*run)(const nnrt__step_view *view, const nnrt__step_call *call);
    uint64_t (*work)(const nnrt__step_view *view); /* operations, below 2^60; NULL: one for each element of output 0 */
    uint32_t ready_size; /* bytes that prepare fills completely: they may hold another step's data */
    void (*prepare)(const nnrt__step_view *view, void *ready);
} nnrt__step_kind;

/* nnrt__step_NAME: the definition of a kind, which completes its row in cpu/kind_list.h. C++ lacks named initializers,
   so each field is a macro with its name, and only this order compiles:

       INPUTS(least, most), OUTPUTS(least, most)    operands
       ARGUMENTS(type)                              the structure, or NO_ARGUMENTS
       CHECK(f), SCRATCH(f), UNITS(f), ISA(f), RUN(f), WORK(f)
       READY(type, f)                               what prepare makes, and prepare; or NOTHING_READY */
#define NNRT__STEP_KIND(name, inputs, outputs, arguments, check, scratch, units, isa, run, work, ready) \
    enum {                                                                                              \
        NNRT__READY_OF_##name = NNRT__STEP_ROOM_##ready                                                 \
    }; /* bytes of what prepare makes */                                                                \
    static const nnrt__step_kind nnrt__step_##name = {NNRT__ID_OF_##name,                               \
                                                      #name,                                            \
                                                      NNRT__STEP_ARGUMENTS_##arguments |                \
                                                          NNRT__REVISION(NNRT__REVISION_OF_##name),     \
                                                      NNRT__STEP_INPUTS_##inputs,                       \
                                                      NNRT__STEP_OUTPUTS_##outputs,                     \
                                                      (NNRT__FLAGS_OF_##name & NNRT__IN_PLACE) != 0,    \
                                                      (NNRT__FLAGS_OF_##name & NNRT__TAKES_TURNS) != 0, \
                                                      (NNRT__FLAGS_OF_##name & NNRT__BY_BLOCKS) != 0,   \
                                                      (NNRT__FLAGS_OF_##name & NNRT__BY_ROWS) != 0,     \
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
#define NNRT__STEP_ROOM_READY(type, function) (int)sizeof(type)
#define NNRT__STEP_ROOM_NOTHING_READY 0

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

/* The layout of the structures in a plan, as one number: the CRC-32 of their three sizes and of NNRT__PLAN_ALIGNMENT,
   little-endian words. No structure has room between its fields, so the sizes are the same everywhere. */
typedef char nnrt__plan_is_of_this_shape[sizeof(nnrt__plan_header) == 160 && sizeof(nnrt__plan_value) == 96 &&
                                                 sizeof(nnrt__plan_step) == 72 && NNRT__PLAN_ALIGNMENT == 64
                                             ? 1
                                             : -1];
#define NNRT__PLAN_SHAPE 0xee4730b1u

/* How many of `units`, which are `work` together, make a chunk. */
NNRT__FN uint32_t nnrt__chunk_of(uint64_t work, uint32_t units) {
    uint32_t each;
    if (units == 0) units = 1;
    if (work >= (uint64_t)NNRT__WORK_OF_A_CHUNK * units) return 1;
    for (; work > UINT32_MAX; work >>= 1) units >>= 1; /* units stays >= 2^11: near enough, no 64-bit division */
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
