/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/plan_check.h - checks a plan of hostile bytes, part by part.   >>cpu_plan_check

   Everything that a step relies on is checked here: sections inside the block, every enum, offset and size, every value
   inside its segment, every step by its kind's own check. The contracts beside the functions are proved (tests/prove);
   cpu/plan_load.h calls the functions in order. */
#ifndef NNRT_CPU_PLAN_CHECK_H
#define NNRT_CPU_PLAN_CHECK_H

#include "../core/desc.h"
#include "kinds.h"
#include "overlap.h"

/* A plan ready to run. Arrays are ours, the block is not. */
typedef struct nnrt__loaded_plan {
    const uint8_t *block;     /* all sections but the constants */
    const uint8_t *constants; /* the section */
    void *copy;               /* memory of block when the bytes came from outside; else NULL */
    const nnrt__plan_header *header;
    const nnrt__plan_value *values;
    const nnrt__plan_step *steps;
    const uint32_t *operands; /* of inputs, outputs, initial contents of states, then of the steps */
    const char *strings;
    nnrt__step_view *views;                  /* [step_count]; one block with the next two arrays */
    const nnrt__plan_value **operand_values; /* [operand_count], NULL where absent */
    const nnrt__step_kind **kinds;           /* [step_count] */
    void *ready;                             /* of all steps */
    const nnrt__accelerator *accelerator;    /* of all accelerated steps, their images checked; NULL: none */
    uint32_t part_ms;                        /* nnrt__bounds */
    void *images;                            /* copies of the images if the block may change; else NULL */
    uint32_t most_operands; /* of a step; with NNRT__FOR_RAM, whose runs make views to ready, which are NULL here */
} nnrt__loaded_plan;

/* Limits on what one compiled model may use. */
typedef struct nnrt__bounds {
    uint64_t memory;                      /* bytes: the plan and the arena of one executor */
    uint64_t work;                        /* operations of a run (see NNRT__WORK_OF_A_CHUNK) */
    const nnrt__accelerator *accelerator; /* may do parts of it; NULL: there is none */
    uint32_t part_ms; /* for the run of a part; 0: the plan is for another machine, and no session is opened */
} nnrt__bounds;

/* Defaults. 1 GiB: more than any target board has for one model. 10^12 operations: an hour on a slow core, and twice
   the largest networks found on boards (a detector of 1280x1280 pixels has 5 * 10^11). */
#define NNRT__BOUNDS_MEMORY NNRT__FILE_LIMIT
#define NNRT__BOUNDS_WORK 1000000000000u

/* Extra work that stripes may cost, in percent: with OH_NN_PERFORMANCE_LOW, and at most. */
#define NNRT__STRIPES_OF_LOW 15u
#define NNRT__STRIPES_MOST 1000u

/* How a model is compiled. */
typedef struct nnrt__compile_options {
    const nnrt__cpu_table *kernels;
    uint32_t threads;     /* 1..64 */
    uint32_t passes;      /* NNRT__PASS_* */
    bool keep_weights;    /* OH_NN_PERFORMANCE_LOW */
    uint32_t stripes;     /* percent of extra work that a small arena may cost (cpu/stripes.h); 0: no stripes */
    const uint8_t *model; /* the model's bytes, if constants may stay there, or NULL */
    size_t model_size;
    const nnrt__mapping *file; /* the mapping of model, to release what has been packed; or NULL */
    bool keep;                 /* tensors never share arena memory; needs stripes 0 */
    bool unnamed;              /* only inputs and outputs of the model have their names in the plan */
    bool inputs_in_arena;      /* as far as steps read them and no output is the same memory */
    nnrt__bounds bounds;
    bool exact;                      /* the accelerator gets only what gives the CPU's bytes */
    struct nnrt__refusals *refusals; /* NULL: stop at the first refusal */
} nnrt__compile_options;

/*@ assigns \nothing;
    ensures \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_refuse(const char *reason, size_t number) {
    NNRT_ASSERT(reason != NULL);
    return nnrt__fail(OH_NN_INVALID_FILE, "not a valid plan: %s (%zu)", reason, number);
}

/* Does it fit size_t? On 64-bit machines it always does. */
/*@ assigns \nothing;
    ensures \result == \true <==> number <= SIZE_MAX; */
NNRT__INLINE bool nnrt__fits_size(uint64_t number) { return (size_t)number == number; }

/* Is [offset, offset + size) inside a whole of `limit` bytes? */
/*@ assigns \nothing;
    ensures \result == \true <==> offset + size <= limit; */
NNRT__FN bool nnrt__inside(size_t offset, size_t size, size_t limit) {
    return offset <= limit && size <= limit - offset;
}

/*@ predicate nnrt__is_plan_section(integer offset, integer size, integer end) =
        offset % NNRT__PLAN_ALIGNMENT == 0 && sizeof(nnrt__plan_header) <= offset && offset + size <= end;
    predicate nnrt__has_plan_sections(nnrt__plan_header *header) =
        nnrt__is_plan_section(header->values, header->value_count * sizeof(nnrt__plan_value), header->constants) &&
        nnrt__is_plan_section(header->steps, header->step_count * sizeof(nnrt__plan_step), header->constants) &&
        nnrt__is_plan_section(header->operands, header->operand_count * sizeof(uint32_t), header->constants) &&
        nnrt__is_plan_section(header->arguments, header->arguments_size, header->constants) &&
        nnrt__is_plan_section(header->strings, header->strings_size, header->constants) &&
        nnrt__is_plan_section(header->constants, header->constants_size, header->size) && 1 <= header->strings_size; */

/* Is a section 64-byte aligned, behind the header, and does it end before another one or with the block? */
/*@ assigns \nothing;
    ensures \result == \true <==> nnrt__is_plan_section(offset, size, end); */
NNRT__APART_FOR_SIZE bool nnrt__plan_section_fits(uint64_t offset, uint64_t size, uint64_t end) {
    return offset % NNRT__PLAN_ALIGNMENT == 0 && offset >= sizeof(nnrt__plan_header) && offset <= end &&
           size <= end - offset;
}

/* Do the sections lie between the header and the constants, and those at the end of the block? */
/*@ requires \valid_read(header);
    assigns \nothing;
    ensures \result == \true <==> nnrt__has_plan_sections(header); */
NNRT__FN bool nnrt__plan_check_sections(const nnrt__plan_header *header) {
    const uint64_t value_size = sizeof(nnrt__plan_value), step_size = sizeof(nnrt__plan_step);
    const uint64_t end = header->constants, operand_size = sizeof(uint32_t);
    return nnrt__plan_section_fits(header->values, header->value_count * value_size, end) &&
           nnrt__plan_section_fits(header->steps, header->step_count * step_size, end) &&
           nnrt__plan_section_fits(header->operands, header->operand_count * operand_size, end) &&
           nnrt__plan_section_fits(header->arguments, header->arguments_size, end) &&
           nnrt__plan_section_fits(header->strings, header->strings_size, end) &&
           nnrt__plan_section_fits(end, header->constants_size, header->size) && header->strings_size != 0;
}

/* Does it begin with a plan's magic number? */
NNRT__FN bool nnrt__plan_is(const void *bytes, size_t size) {
    uint64_t magic;
    if (size < sizeof(magic)) return false;
    memcpy(&magic, bytes, sizeof(magic));
    return magic == NNRT__PLAN_MAGIC;
}

NNRT__FN uint32_t nnrt__plan_crc(const uint8_t *block, size_t size) {
    static const uint8_t zero[4] = {0, 0, 0, 0};
    size_t at = offsetof(nnrt__plan_header, crc);
    uint32_t crc = nnrt__crc32(0, block, at);
    crc = nnrt__crc32(crc, zero, sizeof(zero));
    return nnrt__crc32(crc, block + at + sizeof(zero), size - at - sizeof(zero));
}

/*@ predicate nnrt__is_plan_header(nnrt__plan_header *header) =
        nnrt__has_plan_sections(header) && header->size <= SIZE_MAX && 1 <= header->threads <= 64 &&
        header->state_count < header->input_count <= header->state_count + NNRT__MAX_IO &&
        header->state_count < header->output_count <= header->state_count + NNRT__MAX_IO &&
        header->state_count <= NNRT__MAX_IO &&
        header->input_count + header->output_count + header->state_count <= header->operand_count &&
        header->arena_size <= NNRT__PLAN_MAX_ARENA && header->arena_size % NNRT__PLAN_ALIGNMENT == 0 &&
        header->arena_bound <= header->arena_size && header->scratch_size <= header->arena_size &&
        header->model_size <= SIZE_MAX; */

/* The counts of a header: each model input and output, those of states included, has its operand. */
/*@ requires \valid_read(header);
    assigns \nothing;
    ensures \result == \true <==>
        header->state_count < header->input_count <= header->state_count + NNRT__MAX_IO &&
        header->state_count < header->output_count <= header->state_count + NNRT__MAX_IO &&
        header->state_count <= NNRT__MAX_IO &&
        header->input_count + header->output_count + header->state_count <= header->operand_count; */
NNRT__FN bool nnrt__plan_check_counts(const nnrt__plan_header *header) {
    const uint32_t states = header->state_count, inputs = header->input_count, outputs = header->output_count;
    return states <= NNRT__MAX_IO && inputs > states && inputs - states <= NNRT__MAX_IO && outputs > states &&
           outputs - states <= NNRT__MAX_IO && inputs + outputs + states <= header->operand_count;
}

/*@ requires \valid_read(header);
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> nnrt__is_plan_header(header) && header->size == size && header->isa == isa;
    ensures \result == OH_NN_SUCCESS ==> header->model_size == 0 || header->model_size == model_size;
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_header(const nnrt__plan_header *header, size_t size, unsigned isa,
                                                  size_t model_size) {
    if (header->magic != NNRT__PLAN_MAGIC) return nnrt__plan_refuse("it does not begin as one of this machine does", 0);
    if (header->version != NNRT__PLAN_VERSION)
        return nnrt__fail(OH_NN_INVALID_FILE, "the plan has format version %u, this library reads %u: compile it again",
                          (unsigned)header->version, (unsigned)NNRT__PLAN_VERSION);
    if (header->shape != NNRT__PLAN_SHAPE)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the plan is of another build of nnrt, whose plans have other structures: compile it again");
    if (header->size != size) return nnrt__plan_refuse("its size is not what its header says", size);
    if (header->isa != isa) return nnrt__plan_refuse("it is packed for another instruction set", header->isa);
    if (header->threads < 1 || header->threads > 64) return nnrt__plan_refuse("bad thread count", header->threads);
    if (!nnrt__plan_check_sections(header)) return nnrt__plan_refuse("a section lies outside", 0);
    if (!nnrt__plan_check_counts(header))
        return nnrt__plan_refuse("bad number of inputs or outputs", header->input_count);
    if (header->arena_size > NNRT__PLAN_MAX_ARENA || header->arena_size % NNRT__PLAN_ALIGNMENT != 0 ||
        header->scratch_size > header->arena_size)
        return nnrt__plan_refuse("bad arena size", 0);
    if (header->arena_bound > header->arena_size) return nnrt__plan_refuse("its arena is too small for a step", 0);
    if (header->model_size != 0 && header->model_size != model_size)
        return nnrt__plan_refuse("it needs a model that is not there", 0);
    return OH_NN_SUCCESS;
}

/* Is 0 <= *scale <= 1e30? By its bits, which rise with it: a processor without doubles compares two in 70 instructions,
   and a plan has a scale for each value. The upper half is enough for almost all. */
/*@ requires \valid_read(scale);
    assigns \nothing; */
NNRT__FN bool nnrt__plan_scale_is_right(const double *scale) {
    const uint64_t most = 0x46293e5939a08ceau, negative_zero = 0x8000000000000000u;
    union { /* a compiler for size calls memcpy for 8 bytes */
        double number;
        uint64_t bits;
    } is;
    is.number = *scale;
    return is.bits >> 32 < most >> 32 || is.bits <= most || is.bits == negative_zero;
}

/*@ predicate nnrt__is_plan_value(nnrt__plan_header *header, nnrt__plan_value *value) =
        value->rank <= NNRT_MAX_RANK && value->name < header->strings_size &&
        (\forall integer k; 0 <= k < value->rank ==> 1 <= value->dims[k]) &&
        1 <= value->size <= 0x40000000 &&
        (value->segment == NNRT__SEGMENT_ARENA ==> value->offset + value->size <= header->arena_size) &&
        (value->segment == NNRT__SEGMENT_INPUT ==> value->index < header->input_count && value->offset == 0) &&
        (value->segment == NNRT__SEGMENT_OUTPUT ==> value->index < header->output_count && value->offset == 0) &&
        (value->segment == NNRT__SEGMENT_CONSTANT ==> value->offset + value->size <= header->constants_size) &&
        (value->segment == NNRT__SEGMENT_MODEL ==> value->offset + value->size <= header->model_size) &&
        value->segment <= NNRT__SEGMENT_MODEL; */

/*@ requires \valid_read(header) && \valid_read(value);
    requires header->arena_size <= SIZE_MAX && header->constants_size <= SIZE_MAX && header->model_size <= SIZE_MAX;
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> nnrt__is_plan_value(header, value);
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__APART_FOR_SIZE OH_NN_ReturnCode nnrt__plan_check_value(const nnrt__plan_header *header,
                                                             const nnrt__plan_value *value, size_t i) {
    const size_t element = nnrt__element_size((OH_NN_DataType)value->dtype), offset = (size_t)value->offset;
    size_t size = element, mask = NNRT__PLAN_ALIGNMENT - 1, limit = 0; /* of the offset, and of its segment */
    uint32_t k;
    NNRT_ASSERT(header->arena_size <= SIZE_MAX && header->constants_size <= SIZE_MAX && header->model_size <= SIZE_MAX);
    if (size == 0) return nnrt__plan_refuse("a value has no data type", i);
    if (value->rank > NNRT_MAX_RANK || value->format > OH_NN_FORMAT_ND || value->name >= header->strings_size)
        return nnrt__plan_refuse("a value has a bad rank, format or name", i);
    /*@ loop invariant 0 <= k <= value->rank && 1 <= size <= 0x40000000;
        loop invariant \forall integer i; 0 <= i < k ==> 1 <= value->dims[i];
        loop assigns k, size;
        loop variant value->rank - k; */
    for (k = 0; k < value->rank; k++) {
        if (value->dims[k] < 1) return nnrt__plan_refuse("a value has a dimension below 1", i);
        if ((size_t)value->dims[k] > 0x40000000u / size) return nnrt__plan_refuse("a value is larger than 1 GiB", i);
        size *= (size_t)value->dims[k];
    }
    if (size != value->size) return nnrt__plan_refuse("a value's size is not that of its shape", i);
    if (!nnrt__plan_scale_is_right(&value->scale)) return nnrt__plan_refuse("a value has a bad scale", i);
    switch (value->segment) {
    case NNRT__SEGMENT_ARENA: limit = (size_t)header->arena_size; break;
    case NNRT__SEGMENT_INPUT: limit = value->index < header->input_count ? size : 0; break;
    case NNRT__SEGMENT_OUTPUT: limit = value->index < header->output_count ? size : 0; break;
    case NNRT__SEGMENT_CONSTANT: limit = (size_t)header->constants_size; break;
    case NNRT__SEGMENT_MODEL:
        limit = (size_t)header->model_size;
        mask = element - 1;
        break;
    default: break; /* there is no such segment */
    }
    return nnrt__fits_size(value->offset) && (offset & mask) == 0 && nnrt__inside(offset, size, limit)
               ? OH_NN_SUCCESS
               : nnrt__plan_refuse("a value lies outside its segment", i);
}

/*@ predicate nnrt__is_open_plan(nnrt__loaded_plan *plan) =
        \valid_read(plan) && \valid_read(plan->header) && nnrt__is_plan_header(plan->header) &&
        \valid_read(plan->values + (0 .. plan->header->value_count - 1)) &&
        \valid_read(plan->steps + (0 .. plan->header->step_count - 1)) &&
        \valid_read(plan->operand_values + (0 .. plan->header->operand_count - 1));
    predicate nnrt__has_plan_values(nnrt__loaded_plan *plan) =
        \forall integer i; 0 <= i < plan->header->value_count ==> nnrt__is_plan_value(plan->header, plan->values + i);
    predicate nnrt__has_operands(nnrt__loaded_plan *plan) =
        \forall integer i; 0 <= i < plan->header->operand_count ==>
            plan->operand_values[i] == \null || \valid_read(plan->operand_values[i]);
    predicate nnrt__has_plan_operands(nnrt__loaded_plan *plan) =
        \forall integer i; 0 <= i < plan->header->operand_count ==> plan->operand_values[i] == \null ||
            (\valid_read(plan->operand_values[i]) && nnrt__is_plan_value(plan->header, plan->operand_values[i]));
    predicate nnrt__is_plan_end(nnrt__loaded_plan *plan, integer i) =
        plan->operand_values[i] != \null &&
        (i < plan->header->input_count ==> plan->operand_values[i]->segment == NNRT__SEGMENT_INPUT ||
                                           plan->operand_values[i]->segment == NNRT__SEGMENT_ARENA ||
                                           plan->operand_values[i]->segment == NNRT__SEGMENT_CONSTANT);
    predicate nnrt__fills_plan_end(nnrt__loaded_plan *plan, nnrt__plan_value *value) =
        (value->segment == NNRT__SEGMENT_INPUT ==>
            value->size == plan->operand_values[value->index]->size &&
            value->dtype == plan->operand_values[value->index]->dtype) &&
        (value->segment == NNRT__SEGMENT_OUTPUT ==>
            value->size == plan->operand_values[plan->header->input_count + value->index]->size &&
            value->dtype == plan->operand_values[plan->header->input_count + value->index]->dtype);
    predicate nnrt__has_plan_ends(nnrt__loaded_plan *plan) =
        \forall integer i; 0 <= i < plan->header->input_count + plan->header->output_count ==>
            nnrt__is_plan_end(plan, i); */

/* Model input i is value operands[i]: the whole tensor, in segment INPUT with that index, if anything reads it, or in
   the arena, where a run puts it first. Outputs follow. Size and type of every INPUT or OUTPUT value must match the
   tensor that the caller provides. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_plan_values(plan) && nnrt__has_plan_operands(plan);
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> nnrt__has_plan_ends(plan);
    ensures \result == OH_NN_SUCCESS ==> \forall integer i; 0 <= i < plan->header->value_count ==>
        nnrt__fills_plan_end(plan, plan->values + i);
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_io(const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    const nnrt__plan_value *values = plan->values;
    const uint32_t count = header->value_count;
    uint32_t i;
    NNRT_ASSERT(header->input_count + header->output_count <= header->operand_count);
    /*@ loop invariant 0 <= i <= header->input_count + header->output_count;
        loop invariant \forall integer k; 0 <= k < i ==> nnrt__is_plan_end(plan, k);
        loop assigns i;
        loop variant header->input_count + header->output_count - i; */
    for (i = 0; i < header->input_count + header->output_count; i++) {
        const nnrt__plan_value *value = plan->operand_values[i];
        if (value == NULL) return nnrt__plan_refuse("a model input or output is missing", i);
        if (i < header->input_count && value->segment != NNRT__SEGMENT_INPUT && value->segment != NNRT__SEGMENT_ARENA &&
            value->segment != NNRT__SEGMENT_CONSTANT)
            return nnrt__plan_refuse("a model input is no input", i);
    }
    /*@ loop invariant 0 <= i <= header->value_count;
        loop invariant \forall integer k; 0 <= k < i ==> nnrt__fills_plan_end(plan, plan->values + k);
        loop assigns i;
        loop variant header->value_count - i; */
    for (i = 0; i < count; i++) {
        const nnrt__plan_value *value = &values[i];
        const nnrt__plan_value *whole;
        if (value->segment == NNRT__SEGMENT_INPUT) whole = plan->operand_values[value->index];
        else if (value->segment == NNRT__SEGMENT_OUTPUT)
            whole = plan->operand_values[header->input_count + value->index];
        else continue;
        /* the type sets the alignment */
        if (value->size != whole->size || value->dtype != whole->dtype)
            return nnrt__plan_refuse("a value differs from the tensor it lies in", i);
    }
    return OH_NN_SUCCESS;
}

/*@ predicate nnrt__is_state_of(integer number, nnrt__plan_value *now, nnrt__plan_value *next,
                                nnrt__plan_value *first) =
        now->segment == NNRT__SEGMENT_INPUT && now->index == number && next->size == now->size &&
        next->dtype == now->dtype &&
        (first == \null || (first->segment == NNRT__SEGMENT_CONSTANT && first->size == now->size));
    predicate nnrt__is_plan_state(nnrt__loaded_plan *plan, integer inputs, integer outputs, integer states, integer i) =
        nnrt__is_state_of(inputs - states + i, plan->operand_values[inputs - states + i],
                          plan->operand_values[inputs + outputs - states + i],
                          plan->operand_values[inputs + outputs + i]); */

/* Is the state's input a tensor of its own, and its output one of the same type and size? first: NULL: zeros. */
/*@ requires \valid_read(now) && \valid_read(next) && (first == \null || \valid_read(first));
    assigns \nothing;
    ensures \result == \true <==> nnrt__is_state_of(number, now, next, first); */
NNRT__FN bool nnrt__plan_is_state(uint32_t number, const nnrt__plan_value *now, const nnrt__plan_value *next,
                                  const nnrt__plan_value *first) {
    return now->segment == NNRT__SEGMENT_INPUT && now->index == number && next->size == now->size &&
           next->dtype == now->dtype &&
           (first == NULL || (first->segment == NNRT__SEGMENT_CONSTANT && first->size == now->size));
}

/* A state is an input of its own, and an output of the same type and size; it begins with zeros or a constant. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_plan_operands(plan) && nnrt__has_plan_ends(plan);
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> \forall integer i; 0 <= i < plan->header->state_count ==>
        nnrt__is_plan_state(plan, plan->header->input_count, plan->header->output_count, plan->header->state_count, i);
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_states(const nnrt__loaded_plan *plan) {
    const nnrt__plan_value *const *operands = plan->operand_values;
    const uint32_t inputs = plan->header->input_count, outputs = plan->header->output_count;
    const uint32_t states = plan->header->state_count;
    uint32_t i;
    NNRT_ASSERT(inputs + outputs + states <= plan->header->operand_count);
    NNRT_ASSERT(states <= inputs && states <= outputs);
    if (!NNRT__HAS_STATES && states != 0)
        return nnrt__plan_refuse("it has states, which NNRT_NO_STATES leaves out", states);
    /*@ loop invariant 0 <= i <= states;
        loop invariant \forall integer k; 0 <= k < i ==> nnrt__is_plan_state(plan, inputs, outputs, states, k);
        loop assigns i;
        loop variant states - i; */
    for (i = 0; i < states; i++)
        if (!nnrt__plan_is_state(inputs - states + i, operands[inputs - states + i],
                                 operands[inputs + outputs - states + i], operands[inputs + outputs + i]))
            return nnrt__plan_refuse("a state is none", i);
    return OH_NN_SUCCESS;
}

/* ---------------------------------------------------------------------------------------------------- steps */

/* Calls of a kind's own functions; the proofs take their contracts as given. */

/* Does the step pass its kind's own check? room: for what prepare makes, where the check may leave something; the view
   has it if the kind makes anything. NULL: there is none. */
/*@ requires \valid(view);
    assigns view->ready; */
NNRT__INLINE bool nnrt__kind_accepts(const nnrt__step_kind *kind, nnrt__step_view *view, nnrt__ready_room *room) {
    NNRT_ASSERT(kind->ready_size <= sizeof(*room));
    if (kind->ready_size != 0) view->ready = room;
    return kind->check(view);
}

/* Bytes of scratch of one thread; false: they do not fit size_t. */
/*@ requires \valid(bytes);
    assigns *bytes; */
NNRT__INLINE bool nnrt__kind_scratch(const nnrt__step_kind *kind, const nnrt__step_view *view, size_t *bytes) {
    *bytes = 0;
    return kind->scratch == NULL || kind->scratch(view, bytes);
}

/* How much work a step is, and in what pieces. room: what prepare makes stays there, and the kind need not make it for
   each answer, scratch among them; NULL: it has to. After the check with the same room. */
/*@ requires \valid(view);
    assigns view->work, view->units, view->chunk; */
NNRT__APART_FOR_SIZE void nnrt__kind_measure(const nnrt__step_kind *kind, nnrt__step_view *view,
                                             nnrt__ready_room *room) {
    if (room != NULL && kind->ready_size != 0) kind->prepare(view, room);
    view->work = kind->work != NULL ? kind->work(view) : (uint64_t)nnrt__value_count(nnrt__step_output(view, 0));
    view->units = kind->units != NULL ? kind->units(view) : 1;
    view->chunk = NNRT__HAS_THREADS ? nnrt__chunk_of(view->work, view->units) : UINT32_MAX;
}

/*@ predicate nnrt__is_plan_step(nnrt__plan_header *header, nnrt__plan_step *step) =
        1 <= step->output_count && step->arguments % 8 == 0 && step->arguments <= header->arguments_size &&
        step->first_operand + step->input_count + step->output_count <= header->operand_count;
    predicate nnrt__is_written(nnrt__plan_value *value) =
        value != \null && (value->segment == NNRT__SEGMENT_ARENA || value->segment == NNRT__SEGMENT_OUTPUT);
    predicate nnrt__has_written(nnrt__loaded_plan *plan, nnrt__plan_step *step) =
        \forall integer k; step->first_operand + step->input_count <= k <
                           step->first_operand + step->input_count + step->output_count ==>
            nnrt__is_written(plan->operand_values[k]);
    predicate nnrt__is_view(nnrt__loaded_plan *plan, nnrt__step_view *view, nnrt__plan_step *step) =
        view->step == step && view->operands == plan->operand_values + step->first_operand &&
        view->arguments == plan->block + plan->header->arguments + step->arguments &&
        view->input_count == step->input_count && view->output_count == step->output_count; */

/* Does step i have the operands and arguments that its kind requires, inside their sections? */
/*@ requires \valid_read(header) && \valid_read(step) && \valid_read(kind);
    requires header->arguments_size <= SIZE_MAX;
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> nnrt__is_plan_step(header, step) &&
        step->arguments + kind->arguments % 0x10000 <= header->arguments_size &&
        kind->min_inputs <= step->input_count <= kind->max_inputs &&
        kind->min_outputs <= step->output_count <= kind->max_outputs;
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__APART_FOR_SIZE OH_NN_ReturnCode nnrt__plan_check_place(const nnrt__plan_header *header,
                                                             const nnrt__plan_step *step, const nnrt__step_kind *kind,
                                                             size_t i) {
    if (step->arguments_shape != kind->arguments)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the plan is of another nnrt: arguments of step %zu (%s) have %u bytes and revision %u, here "
                          "%u bytes and revision %u: compile it again",
                          i, kind->name, (unsigned)(step->arguments_shape & 0xffffu),
                          (unsigned)(step->arguments_shape >> 16), (unsigned)nnrt__kind_arguments_size(kind),
                          (unsigned)(kind->arguments >> 16));
    if (step->input_count < kind->min_inputs || step->input_count > kind->max_inputs ||
        step->output_count < kind->min_outputs || step->output_count > kind->max_outputs || step->output_count == 0)
        return nnrt__plan_refuse("a step has a wrong number of operands", i);
    if (!nnrt__inside(step->first_operand, step->input_count, header->operand_count) ||
        !nnrt__inside(step->first_operand + step->input_count, step->output_count, header->operand_count))
        return nnrt__plan_refuse("a step's operands lie outside", i);
    if (!nnrt__fits_size(step->arguments) || (size_t)step->arguments % 8 != 0 ||
        !nnrt__inside((size_t)step->arguments, nnrt__kind_arguments_size(kind), (size_t)header->arguments_size))
        return nnrt__plan_refuse("a step's arguments lie outside", i);
    return OH_NN_SUCCESS;
}

/* Are all outputs present, and in memory that a step may write? */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_operands(plan);
    requires \valid_read(step) && nnrt__is_plan_step(plan->header, step);
    assigns \nothing;
    ensures \result == \true <==> nnrt__has_written(plan, step); */
NNRT__FN bool nnrt__plan_may_write(const nnrt__loaded_plan *plan, const nnrt__plan_step *step) {
    const uint32_t first = step->first_operand + step->input_count, end = first + step->output_count;
    uint32_t k;
    NNRT_ASSERT(end <= plan->header->operand_count);
    /*@ loop invariant first <= k <= end;
        loop invariant \forall integer n; first <= n < k ==> nnrt__is_written(plan->operand_values[n]);
        loop assigns k;
        loop variant end - k; */
    for (k = first; k < end; k++) {
        const nnrt__plan_value *output = plan->operand_values[k];
        if (output == NULL || (output->segment != NNRT__SEGMENT_ARENA && output->segment != NNRT__SEGMENT_OUTPUT))
            return false;
    }
    return true;
}

/* Fills *view for a step whose operands and arguments fit its kind; operands: the step's. */
/*@ requires \valid_read(plan) && \valid_read(plan->header) && \valid_read(step) && \valid(view);
    requires \separated(view, plan, plan->header, step);
    requires plan->header->arguments <= SIZE_MAX && step->arguments <= SIZE_MAX;
    assigns *view;
    ensures operands == plan->operand_values + step->first_operand ==> nnrt__is_view(plan, view, step); */
NNRT__FN void nnrt__view_fill(nnrt__step_view *view, const nnrt__loaded_plan *plan, const nnrt__plan_step *step,
                              const nnrt__plan_value *const *operands, const nnrt__cpu_table *kernels) {
    view->step = step;
    view->arguments = plan->block + (size_t)plan->header->arguments + (size_t)step->arguments;
    view->operands = operands;
    view->input_count = step->input_count;
    view->output_count = step->output_count;
    view->kernels = kernels;
    view->ready = NULL;
}

/* Fills the view of step i and checks it. room: for the kind's own data, which are the view's as long as it is there;
   or NULL. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_operands(plan) && i < plan->header->step_count;
    requires \valid(plan->views + i) && \valid(plan->kinds + i);
    requires \separated(plan->views + i, plan->kinds + i, plan, plan->header, plan->steps + i);
    assigns plan->views[i], plan->kinds[i];
    ensures \result == OH_NN_SUCCESS ==> nnrt__is_plan_step{Pre}(plan->header, plan->steps + i);
    ensures \result == OH_NN_SUCCESS ==> nnrt__has_written{Pre}(plan, plan->steps + i);
    ensures \result == OH_NN_SUCCESS ==> nnrt__is_view(plan, plan->views + i, plan->steps + i);
    ensures \result == OH_NN_SUCCESS ==> \valid_read(plan->kinds[i]);
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_step(nnrt__loaded_plan *plan, size_t i, const nnrt__cpu_table *kernels,
                                                nnrt__ready_room *room) {
    const nnrt__step_kind *kind = nnrt__step_kind_in(kernels, plan->steps[i].kind);
    OH_NN_ReturnCode code;
    NNRT_ASSERT(i < plan->header->step_count);
    if (kind == NULL)
        return nnrt__plan_refuse(
            plan->steps[i].kind == (uint32_t)NNRT__ID_OF_accelerated ? NNRT__NO_ACCELERATOR : NNRT__NO_KIND, i);
    code = nnrt__plan_check_place(plan->header, &plan->steps[i], kind, i);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__plan_may_write(plan, &plan->steps[i]))
        return nnrt__plan_refuse("a step writes what must not be written", i);
    plan->kinds[i] = kind;
    nnrt__view_fill(&plan->views[i], plan, &plan->steps[i], plan->operand_values + plan->steps[i].first_operand,
                    kernels);
    if (!nnrt__kind_accepts(kind, &plan->views[i], room))
        return nnrt__fail(OH_NN_INVALID_FILE, "not a valid plan: step %zu (%s) contradicts itself", i, kind->name);
    nnrt__kind_measure(kind, &plan->views[i], room);
    return OH_NN_SUCCESS;
}

/*@ predicate nnrt__has_kinds(nnrt__loaded_plan *plan) =
        \valid_read(plan->kinds + (0 .. plan->header->step_count - 1)) &&
        \forall integer i; 0 <= i < plan->header->step_count ==> \valid_read(plan->kinds[i]);
    predicate nnrt__is_grouped(nnrt__plan_step *step, integer i) = step->turns != 1 && step->back <= i + 1; */

/* Groups of steps: all steps of a group have the same number of turns and kinds that take turns. A group begins at step
   0 or later. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_kinds(plan);
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> \forall integer i; 0 <= i < plan->header->step_count ==>
        nnrt__is_grouped(plan->steps + i, i);
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_groups(const nnrt__loaded_plan *plan) {
    uint32_t size = 0, i;
    /*@ loop invariant 0 <= size <= i <= plan->header->step_count;
        loop invariant \forall integer k; 0 <= k < i ==> nnrt__is_grouped(plan->steps + k, k);
        loop assigns size, i;
        loop variant plan->header->step_count - i; */
    for (i = 0; i < plan->header->step_count; i++) {
        const nnrt__plan_step *step = &plan->steps[i];
        const bool grouped = nnrt__kinds_take_turns() && nnrt__kind_takes_turns(plan->kinds[i]);
        if (grouped != (step->turns != 0) || step->turns == 1 || (!grouped && (step->back != 0 || size != 0)))
            return nnrt__plan_refuse("a step takes no turns", i);
        if (!grouped) continue;
        if (size != 0 && step->turns != step[-1].turns) return nnrt__plan_refuse("a group of steps does not agree", i);
        size++;
        if (step->back != 0 && step->back != size) return nnrt__plan_refuse("a group of steps has another size", i);
        if (step->back != 0) size = 0;
    }
    return size == 0 ? OH_NN_SUCCESS : nnrt__plan_refuse("a group of steps has no end", size);
}

/*@ predicate nnrt__has_scratch(nnrt__plan_header *header, nnrt__plan_step *step) =
        step->scratch_size <= header->arena_size && step->scratch_offset <= header->arena_size &&
        step->scratch_offset + step->scratch_size * header->threads <= header->arena_size; */

/* The scratch of a step fits where the plan says it is. */
/*@ requires nnrt__is_open_plan(plan) && i < plan->header->step_count;
    requires \valid_read(plan->views + i) && \valid_read(plan->kinds + i) && \valid_read(plan->kinds[i]);
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> nnrt__has_scratch(plan->header, plan->steps + i);
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_scratch(const nnrt__loaded_plan *plan, size_t i) {
    const nnrt__plan_step *step = &plan->steps[i];
    const size_t offset = (size_t)step->scratch_offset, size = (size_t)step->scratch_size;
    const size_t arena = (size_t)plan->header->arena_size, threads = plan->header->threads;
    size_t needed;
    NNRT_ASSERT(i < plan->header->step_count && plan->kinds[i] != NULL && threads >= 1);
    if (!nnrt__kind_scratch(plan->kinds[i], &plan->views[i], &needed))
        return nnrt__plan_refuse("a step's scratch has no size", i);
    if (!nnrt__fits_size(step->scratch_offset) || !nnrt__fits_size(step->scratch_size) || size < needed ||
        size > arena / threads || (offset | size) % NNRT__PLAN_ALIGNMENT != 0 ||
        !nnrt__inside(offset, size * threads, arena))
        return nnrt__plan_refuse("a step's scratch lies outside", i);
    return OH_NN_SUCCESS;
}

/*@ predicate nnrt__is_placed(nnrt__plan_value *value) =
        1 <= value->size &&
        (value->segment == NNRT__SEGMENT_ARENA ==> value->offset + value->size <= NNRT__PLAN_MAX_ARENA);
    predicate nnrt__is_placed_view(nnrt__step_view *view) =
        \valid_read(view) && view->input_count + view->output_count <= UINT32_MAX &&
        \valid_read(view->operands + (0 .. view->input_count + view->output_count - 1)) &&
        \forall integer k; 0 <= k < view->input_count + view->output_count ==> view->operands[k] == \null ||
            (\valid_read(view->operands[k]) && nnrt__is_placed(view->operands[k])); */

/* size, rounded up to the alignment of what lies in an arena. */
/*@ requires size <= UINT64_MAX - NNRT__PLAN_ALIGNMENT;
    assigns \nothing;
    ensures size <= \result < size + NNRT__PLAN_ALIGNMENT && \result % NNRT__PLAN_ALIGNMENT == 0; */
NNRT__INLINE uint64_t nnrt__plan_rounded(uint64_t size) {
    return (size + (NNRT__PLAN_ALIGNMENT - 1)) / NNRT__PLAN_ALIGNMENT * NNRT__PLAN_ALIGNMENT;
}

/* Where the step's last operand in the arena ends; 0: it has none there. */
/*@ requires nnrt__is_placed_view(view);
    assigns \nothing;
    ensures \result < NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT;
    ensures \forall integer k; 0 <= k < view->input_count + view->output_count ==> view->operands[k] == \null ||
        view->operands[k]->segment != NNRT__SEGMENT_ARENA ||
        view->operands[k]->offset + view->operands[k]->size <= \result; */
NNRT__APART_FOR_SIZE uint64_t nnrt__view_end(const nnrt__step_view *view) {
    const uint32_t count = view->input_count + view->output_count;
    uint64_t end = 0;
    uint32_t k;
    /*@ loop invariant 0 <= k <= count && end < NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT;
        loop invariant \forall integer n; 0 <= n < k ==> view->operands[n] == \null ||
            view->operands[n]->segment != NNRT__SEGMENT_ARENA ||
            view->operands[n]->offset + view->operands[n]->size <= end;
        loop assigns k, end;
        loop variant count - k; */
    for (k = 0; k < count; k++) {
        const nnrt__plan_value *value = view->operands[k];
        if (value != NULL && value->segment == NNRT__SEGMENT_ARENA &&
            value->offset + nnrt__plan_rounded(value->size) > end)
            end = value->offset + nnrt__plan_rounded(value->size);
    }
    return end;
}

/* Bytes in the arena of `count` values; counting stops once past `enough`, which is at most 1 GiB. */
/*@ requires \valid_read(values + (0 .. count - 1)) && enough <= NNRT__PLAN_MAX_ARENA;
    requires \forall integer k; 0 <= k < count ==> values[k] == \null ||
        (\valid_read(values[k]) && nnrt__is_placed(values[k]));
    assigns \nothing;
    ensures \result <= 2 * NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT; */
NNRT__APART_FOR_SIZE uint64_t nnrt__values_bytes(const nnrt__plan_value *const *values, uint32_t count,
                                                 uint64_t enough) {
    uint64_t sum = 0;
    uint32_t k;
    /*@ loop invariant 0 <= k <= count;
        loop invariant sum <= 2 * NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT;
        loop assigns k, sum;
        loop variant count - k; */
    for (k = 0; k < count && sum < enough; k++)
        if (values[k] != NULL && values[k]->segment == NNRT__SEGMENT_ARENA) sum += nnrt__plan_rounded(values[k]->size);
    return sum;
}

/*@ predicate nnrt__has_placed_steps(nnrt__loaded_plan *plan) =
        \forall integer i; 0 <= i < plan->header->step_count ==>
            nnrt__is_placed_view(plan->views + i) && nnrt__has_scratch(plan->header, plan->steps + i);
    predicate nnrt__has_placed_operands(nnrt__loaded_plan *plan) =
        \forall integer i; 0 <= i < plan->header->operand_count ==> plan->operand_values[i] == \null ||
            (\valid_read(plan->operand_values[i]) && nnrt__is_placed(plan->operand_values[i])); */

/* The arena is no larger than the steps need: it ends with the last of their operands and scratches, and is no larger
   than the inputs in it and everything that steps write, side by side. Otherwise a hostile plan of a few bytes could
   make the executor clear a gigabyte. All of it has been checked: offsets and sizes are at most 1 GiB. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_placed_steps(plan) && nnrt__has_placed_operands(plan);
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_arena(const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    const uint64_t arena = header->arena_size;
    uint64_t sum = nnrt__values_bytes(plan->operand_values, header->input_count, arena), end = 0;
    uint32_t i;
    /*@ loop invariant 0 <= i <= header->step_count && end < NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT;
        loop invariant sum <= 4 * NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT;
        loop assigns i, sum, end;
        loop variant header->step_count - i; */
    for (i = 0; i < header->step_count && (end < arena || sum < arena); i++) {
        const nnrt__plan_step *step = &plan->steps[i];
        const nnrt__step_view *view = &plan->views[i];
        const uint64_t scratch = step->scratch_size * header->threads, last = nnrt__view_end(view);
        if (last > end) end = last;
        if (scratch != 0 && step->scratch_offset + scratch > end) end = step->scratch_offset + scratch;
        if (sum < arena)
            sum += scratch + nnrt__values_bytes(view->operands + view->input_count, view->output_count, arena);
    }
    return end >= arena && sum >= arena ? OH_NN_SUCCESS
                                        : nnrt__plan_refuse("its arena is larger than what lies in it", 0);
}

/* Bytes that an executor allocates for states. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_plan_operands(plan) && nnrt__has_plan_ends(plan);
    assigns \nothing;
    ensures \result <= NNRT__MAX_IO * (2 * NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT); */
NNRT__FN uint64_t nnrt__plan_states_size(const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    const uint32_t first = header->input_count - header->state_count;
    uint64_t bytes = 0;
    uint32_t i;
    NNRT_ASSERT(header->state_count <= header->input_count);
    if (!NNRT__HAS_STATES) return 0;
    /*@ loop invariant first <= i <= header->input_count;
        loop invariant bytes <= (i - first) * (2 * NNRT__PLAN_MAX_ARENA + NNRT__PLAN_ALIGNMENT);
        loop assigns i, bytes;
        loop variant header->input_count - i; */
    for (i = first; i < header->input_count; i++) bytes += nnrt__plan_rounded(2 * plan->operand_values[i]->size);
    return bytes;
}

/* Do the plan and the arena of an executor stay within `memory` bytes? code: for a refusal. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_plan_operands(plan) && nnrt__has_plan_ends(plan);
    requires code != OH_NN_SUCCESS;
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> plan->header->size + plan->header->arena_size <= memory;
    ensures \result == OH_NN_SUCCESS || \result == code; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_memory(const nnrt__loaded_plan *plan, uint64_t memory,
                                                  OH_NN_ReturnCode code) {
    const uint64_t size = plan->header->size, states = nnrt__plan_states_size(plan);
    const uint64_t executor = plan->header->arena_size + states;
    if (size <= memory && executor <= memory - size) return OH_NN_SUCCESS;
    return nnrt__fail(code, "the model needs %llu bytes, %llu of them for activations%s; nnrt.max_memory allows %llu",
                      (unsigned long long)(size + executor), (unsigned long long)executor,
                      states != 0 ? " and state" : "", (unsigned long long)memory);
}

/* Does a run stay within so many operations? code: for a refusal. */
/*@ requires nnrt__is_open_plan(plan) && \valid_read(plan->views + (0 .. plan->header->step_count - 1));
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS || \result == code; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_work(const nnrt__loaded_plan *plan, uint64_t most, OH_NN_ReturnCode code) {
    uint64_t work = 0;
    uint32_t i;
    /*@ loop invariant 0 <= i <= plan->header->step_count && work <= most;
        loop assigns i, work;
        loop variant plan->header->step_count - i; */
    for (i = 0; i < plan->header->step_count; i++) {
        if (plan->views[i].work > most - work)
            return nnrt__fail(code, "a run of the model is %llu operations or more; nnrt.max_work allows %llu",
                              (unsigned long long)(work + plan->views[i].work), (unsigned long long)most);
        work += plan->views[i].work;
    }
    return OH_NN_SUCCESS;
}

/* Do two pieces of the arena, each at most 1 GiB, overlap? */
/*@ requires a <= NNRT__PLAN_MAX_ARENA && a_size <= NNRT__PLAN_MAX_ARENA;
    requires b <= NNRT__PLAN_MAX_ARENA && b_size <= NNRT__PLAN_MAX_ARENA;
    assigns \nothing;
    ensures \result == \true <==> \exists integer byte; a <= byte < a + a_size && b <= byte < b + b_size;
    ensures \result == \true <==> a_size != 0 && b_size != 0 && a < b + b_size && b < a + a_size; */
NNRT__FN bool nnrt__overlap(size_t a, size_t a_size, size_t b, size_t b_size) {
    NNRT_ASSERT(a <= NNRT__PLAN_MAX_ARENA && a_size <= NNRT__PLAN_MAX_ARENA);
    NNRT_ASSERT(b <= NNRT__PLAN_MAX_ARENA && b_size <= NNRT__PLAN_MAX_ARENA);
    return a_size != 0 && b_size != 0 && a < b + b_size && b < a + a_size;
}

/*@ predicate nnrt__is_apart(nnrt__plan_value *a, nnrt__plan_value *b) =
        (a->segment == NNRT__SEGMENT_OUTPUT && b->segment == NNRT__SEGMENT_OUTPUT ==> a->index != b->index) &&
        (a->segment == NNRT__SEGMENT_ARENA && b->segment == NNRT__SEGMENT_ARENA ==>
            a->offset + a->size <= b->offset || b->offset + b->size <= a->offset);
    predicate nnrt__is_same_place(nnrt__plan_value *a, nnrt__plan_value *b) =
        a->segment == b->segment && a->offset == b->offset && a->size == b->size;
    predicate nnrt__may_both_be(nnrt__step_view *view, integer in_place, integer k, integer n) =
        n == k || view->operands[n] == \null || nnrt__is_apart(view->operands[k], view->operands[n]) ||
        (in_place != 0 && k < view->input_count && n == view->input_count &&
         nnrt__is_same_place(view->operands[k], view->operands[n])) ||
        (k == 0 && n == view->input_count);
    predicate nnrt__is_apart_from_outputs(nnrt__step_view *view, integer in_place, integer k) =
        \forall integer n; view->input_count <= n < view->input_count + view->output_count ==>
            nnrt__may_both_be(view, in_place, k, n);
    predicate nnrt__is_apart_from(nnrt__plan_value *value, integer offset, integer size) =
        value->segment == NNRT__SEGMENT_ARENA && 0 < size ==>
            value->offset + value->size <= offset || offset + size <= value->offset;
    predicate nnrt__operand_is_apart(nnrt__step_view *view, integer in_place, integer offset, integer size, integer k) =
        view->operands[k] == \null || (nnrt__is_apart_from(view->operands[k], offset, size) &&
                                       nnrt__is_apart_from_outputs(view, in_place, k)); */

/* Do two values overlap in memory that steps may write? */
/*@ requires \valid_read(a) && \valid_read(b) && nnrt__is_placed(a) && nnrt__is_placed(b);
    assigns \nothing;
    ensures \result == \false ==> nnrt__is_apart(a, b);
    ensures \result == \true ==> a->segment == b->segment; */
NNRT__FN bool nnrt__values_overlap(const nnrt__plan_value *a, const nnrt__plan_value *b) {
    if (a->segment != b->segment) return false;
    if (a->segment == NNRT__SEGMENT_OUTPUT) return a->index == b->index;
    return a->segment == NNRT__SEGMENT_ARENA &&
           nnrt__overlap((size_t)a->offset, (size_t)a->size, (size_t)b->offset, (size_t)b->size);
}

/* Does a value overlap this piece of the arena? */
/*@ requires \valid_read(value) && nnrt__is_placed(value) && offset + size <= NNRT__PLAN_MAX_ARENA;
    assigns \nothing;
    ensures \result == \false ==> nnrt__is_apart_from(value, offset, size); */
NNRT__FN bool nnrt__value_overlaps(const nnrt__plan_value *value, size_t offset, size_t size) {
    return value->segment == NNRT__SEGMENT_ARENA &&
           nnrt__overlap((size_t)value->offset, (size_t)value->size, offset, size);
}

/* Does operand k, which is present, overlap an output? in_place: output 0 may be an input. ordered: it lies over input
   0, if it does, as the step takes it; how near that is, is not proved but tried by tests/cpu/test_overlap.c. */
/*@ requires nnrt__is_placed_view(view) && k < view->input_count + view->output_count && view->operands[k] != \null;
    assigns \nothing;
    ensures \result == \false ==> nnrt__is_apart_from_outputs(view, in_place, k); */
NNRT__FN bool nnrt__view_overlaps(const nnrt__step_view *view, bool in_place, bool ordered, uint32_t k) {
    const uint32_t end = view->input_count + view->output_count;
    const nnrt__plan_value *value = view->operands[k];
    uint32_t n;
    /*@ loop invariant view->input_count <= n <= end;
        loop invariant \forall integer m; view->input_count <= m < n ==>
            nnrt__may_both_be(view, in_place, k, m);
        loop assigns n;
        loop variant end - n; */
    for (n = view->input_count; n < end; n++) {
        const nnrt__plan_value *output = view->operands[n];
        if (n == k || output == NULL || !nnrt__values_overlap(value, output)) continue;
        if (ordered && k == 0 && n == view->input_count) continue;
        if (!in_place || k >= view->input_count || n != view->input_count || value->offset != output->offset ||
            value->size != output->size)
            return true;
    }
    return false;
}

/* Does output 0 lie over input 0 in the arena, as a kind that works in order takes it? */
/*@ requires nnrt__is_placed_view(view) && 1 <= view->output_count;
    assigns \nothing; */
NNRT__FN bool nnrt__overlap_is_right(const nnrt__step_view *view, const nnrt__step_kind *kind) {
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    size_t from, to, distance;
    if (in == NULL || in->segment != NNRT__SEGMENT_ARENA || !nnrt__values_overlap(in, out)) return false;
    from = (size_t)in->offset;
    to = (size_t)out->offset;
    return nnrt__overlap_distance(view, kind, to > from, &distance) && distance <= (to > from ? to - from : from - to);
}

/* What step i writes (outputs and scratch) overlaps nothing else that it touches, except that output 0 of a kind that
   works in place may be an input, and that of a kind that works in order may lie over input 0. Steps rely on this
   without checking. */
/*@ requires nnrt__is_open_plan(plan) && i < plan->header->step_count;
    requires nnrt__is_placed_view(plan->views + i) && \valid_read(plan->kinds + i) && \valid_read(plan->kinds[i]);
    requires nnrt__has_scratch(plan->header, plan->steps + i) && 1 <= plan->views[i].output_count;
    assigns \nothing;
    ensures \result == OH_NN_SUCCESS ==> \forall integer k;
        0 <= k < plan->views[i].input_count + plan->views[i].output_count ==>
        nnrt__operand_is_apart(plan->views + i, plan->kinds[i]->in_place, plan->steps[i].scratch_offset,
                               plan->steps[i].scratch_size * plan->header->threads, k);
    ensures \result == OH_NN_SUCCESS || \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_overlap(const nnrt__loaded_plan *plan, size_t i) {
    const nnrt__plan_step *step = &plan->steps[i];
    const nnrt__step_view *view = &plan->views[i];
    const size_t scratch = (size_t)step->scratch_offset,
                 scratch_size = (size_t)step->scratch_size * plan->header->threads;
    const uint32_t count = view->input_count + view->output_count;
    const bool in_place = plan->kinds[i]->in_place;
    const bool ordered =
        nnrt__kinds_overlap() && plan->header->threads == 1 && nnrt__overlap_is_right(view, plan->kinds[i]);
    uint32_t k;
    NNRT_ASSERT(i < plan->header->step_count && view->step == step);
    /*@ assert scratch_size == step->scratch_size * plan->header->threads; */
    /*@ assert scratch + scratch_size <= NNRT__PLAN_MAX_ARENA; */
    /*@ loop invariant 0 <= k <= count;
        loop invariant \forall integer n; 0 <= n < k ==>
            nnrt__operand_is_apart(view, in_place, scratch, scratch_size, n);
        loop assigns k;
        loop variant count - k; */
    for (k = 0; k < count; k++) {
        const nnrt__plan_value *value = view->operands[k];
        if (value == NULL || (value->segment != NNRT__SEGMENT_ARENA &&
                              value->segment != NNRT__SEGMENT_OUTPUT)) /* nothing writes there */
            continue;
        if (nnrt__value_overlaps(value, scratch, scratch_size))
            return nnrt__plan_refuse("a step's scratch overlaps its operands", i);
        if (nnrt__view_overlaps(view, in_place, ordered, k))
            return nnrt__plan_refuse("a step's output overlaps its other operands", i);
    }
    return OH_NN_SUCCESS;
}

/* Bytes of what the steps' prepare functions fill, each piece a multiple of 8; false: more than size_t. */
/*@ requires nnrt__is_open_plan(plan) && nnrt__has_kinds(plan);
    requires \valid(size) && \separated(size, plan, plan->header, plan->kinds + (0 .. plan->header->step_count - 1));
    assigns *size; */
NNRT__FN bool nnrt__plan_ready_size(const nnrt__loaded_plan *plan, size_t *size) {
    uint32_t i;
    *size = 0;
    /*@ loop invariant 0 <= i <= plan->header->step_count;
        loop assigns i, *size;
        loop variant plan->header->step_count - i; */
    for (i = 0; i < plan->header->step_count; i++) {
        size_t bytes;
        if (!nnrt__round_up_size(plan->kinds[i]->ready_size, 8, &bytes) || !nnrt__add_size(*size, bytes, size))
            return false;
    }
    return true;
}

#endif /* NNRT_CPU_PLAN_CHECK_H */
