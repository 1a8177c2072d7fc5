/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/plan_load.h - a plan's bytes checked, once, and made ready to run.   >>cpu_plan_load

   The bytes may come from a cache and be hostile. Everything that a step will believe is checked here:
   sections inside the block, every enum, offset and size, every value inside its segment, every step by its
   kind's own check. After nnrt__plan_load said yes, running the plan touches nothing but the block, the
   arena, and the inputs and outputs.

   Bytes in the program's own memory, flash included, are used where they lie: it promised to leave them alone. A
   mapped file may be changed by another process after Build. All that decides an address or a size is therefore
   copied and checked then: header, values, steps, operands, arguments and strings, which stand before the constants.
   The constants stay where they are: weights and tables, of which any bytes give some result, and indices and
   divisors, which steps read once and check as they use them.
   The checksum finds damage, not malice: whoever forges a plan computes one. So a program that keeps plans where
   nothing is damaged may do without it (nnrt.trust), and what is checked for safety stays the same. */
#ifndef NNRT_CPU_PLAN_LOAD_H
#define NNRT_CPU_PLAN_LOAD_H

#include "../core/desc.h"
#include "kinds.h"

/* A plan ready to run. Arrays are ours, the block is not. */
typedef struct nnrt__loaded_plan {
    const uint8_t *block;     /* all sections but the constants */
    const uint8_t *constants; /* the section */
    void *copy;               /* memory of block when the bytes came from outside; else NULL */
    const nnrt__plan_header *header;
    const nnrt__plan_value *values;
    const nnrt__plan_step *steps;
    const uint32_t *operands; /* inputs, outputs, first contents of states, then those of the steps */
    const char *strings;
    nnrt__step_view *views;                  /* [step_count]; its block holds the next two, too */
    const nnrt__plan_value **operand_values; /* [operand_count], NULL where absent */
    const nnrt__step_kind **kinds;           /* [step_count] */
    void *ready;                             /* of all steps */
} nnrt__loaded_plan;

/* What one compiled model may ask of the machine. */
typedef struct nnrt__bounds {
    uint64_t memory; /* bytes: the plan and the arena of one executor */
    uint64_t work;   /* operations of a run, as NNRT__WORK_OF_A_CHUNK counts them */
} nnrt__bounds;

/* 1 GiB, which no board that nnrt is for gives to one model; 10^12 operations, an hour of a slow core and several times
   the largest networks that anybody has on a board (a detector of 1280x1280 pixels has 5 * 10^11). */
#define NNRT__BOUNDS_MEMORY NNRT__FILE_LIMIT
#define NNRT__BOUNDS_WORK 1000000000000u

/* What stripes may cost, in percent: with OH_NN_PERFORMANCE_LOW, and at most. */
#define NNRT__STRIPES_OF_LOW 15u
#define NNRT__STRIPES_MOST 1000u

/* How a model is compiled. */
typedef struct nnrt__compile_options {
    const nnrt__cpu_table *kernels;
    uint32_t threads;     /* 1..64 */
    uint32_t passes;      /* NNRT__PASS_* */
    bool keep_weights;    /* OH_NN_PERFORMANCE_LOW */
    uint32_t stripes;     /* percent of the model's work that a small arena may cost (cpu/stripes.h); 0: no stripes */
    const uint8_t *model; /* bytes that constants may stay in, or NULL */
    size_t model_size;
    bool keep; /* nothing takes a tensor's place in the arena; with stripes 0 */
    nnrt__bounds bounds;
    struct nnrt__refusals *refusals; /* NULL: the first refusal is the end */
} nnrt__compile_options;

NNRT__FN void nnrt__plan_unload(nnrt__loaded_plan *plan) {
    nnrt__free(plan->views);
    nnrt__free(plan->ready);
    nnrt__free(plan->copy);
    memset(plan, 0, sizeof(*plan));
}

/* Bytes of NNRT_MALLOC that plan holds; of the block only its copy. */
NNRT__FN size_t nnrt__plan_bytes(const nnrt__loaded_plan *plan) {
    return nnrt__block_bytes(plan->views) + nnrt__block_bytes(plan->ready) + nnrt__block_bytes(plan->copy);
}

/*@ assigns \nothing;
    ensures \result == OH_NN_INVALID_FILE; */
NNRT__FN OH_NN_ReturnCode nnrt__plan_refuse(const char *reason, size_t number) {
    NNRT_ASSERT(reason != NULL);
    return nnrt__fail(OH_NN_INVALID_FILE, "not a valid plan: %s (%zu)", reason, number);
}

/* Do these numbers fit size_t? On 64 bits all do. */
/*@ requires \valid_read(numbers + (0 .. count - 1));
    assigns \nothing;
    ensures \result == \true <==> \forall integer i; 0 <= i < count ==> numbers[i] <= SIZE_MAX; */
NNRT__FN bool nnrt__fit_size(const uint64_t *numbers, size_t count) {
    size_t i;
    /*@ loop invariant 0 <= i <= count && \forall integer k; 0 <= k < i ==> numbers[k] <= SIZE_MAX;
        loop assigns i;
        loop variant count - i; */
    for (i = 0; i < count; i++)
        if (numbers[i] > SIZE_MAX) return false;
    return true;
}

/* Is [offset, offset + size) inside a whole of `limit` bytes? */
/*@ assigns \nothing;
    ensures \result == \true <==> offset + size <= limit; */
NNRT__FN bool nnrt__inside(size_t offset, size_t size, size_t limit) {
    return offset <= limit && size <= limit - offset;
}

/* The numbers of 64 bits at the end of a header: the offsets of values, steps, operands, arguments and strings, then
   the others. */
#define NNRT__PLAN_NUMBERS ((sizeof(nnrt__plan_header) - offsetof(nnrt__plan_header, values)) / sizeof(uint64_t))
/*@ assigns \nothing;
    ensures \result == &header->values; */
NNRT__INLINE const uint64_t *nnrt__plan_numbers(const nnrt__plan_header *header) {
    return (const uint64_t *)(const void *)((const uint8_t *)header + offsetof(nnrt__plan_header, values));
}

/* The sections are 64-byte aligned, one by one behind the header and in front of the constants, and those inside the
   block. All numbers of the header fit size_t, and its size is that of the block. */
NNRT__FN bool nnrt__plan_check_sections(const nnrt__plan_header *header) {
    const uint64_t *offsets = nnrt__plan_numbers(header);
    const size_t counts[] = {header->value_count, header->step_count, header->operand_count,
                             (size_t)header->arguments_size, header->strings_size};
    static const uint8_t elements[] = {sizeof(nnrt__plan_value), sizeof(nnrt__plan_step), sizeof(uint32_t), 1, 1};
    const size_t size = (size_t)header->size, end = (size_t)header->constants;
    size_t i;
    NNRT_ASSERT(header->size <= SIZE_MAX && header->constants <= SIZE_MAX);
    NNRT_ASSERT(nnrt__fit_size(offsets, NNRT__PLAN_NUMBERS));
    for (i = 0; i < NNRT__COUNT_OF(elements); i++) {
        const size_t offset = (size_t)offsets[i];
        if (offset % NNRT__PLAN_ALIGNMENT != 0 || offset < sizeof(*header) || counts[i] > size / elements[i] ||
            !nnrt__inside(offset, counts[i] * elements[i], end))
            return false;
    }
    return end % NNRT__PLAN_ALIGNMENT == 0 && nnrt__inside(end, (size_t)header->constants_size, size) &&
           header->strings_size != 0;
}

/* Is this a plan at all (magic only)? */
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

NNRT__FN OH_NN_ReturnCode nnrt__plan_check_header(const nnrt__plan_header *header, size_t size, unsigned isa,
                                                  size_t model_size) {
    const size_t arena = (size_t)header->arena_size;
    if (header->magic != NNRT__PLAN_MAGIC) return nnrt__plan_refuse("it does not begin as one of this machine does", 0);
    if (header->version != NNRT__PLAN_VERSION)
        return nnrt__fail(OH_NN_INVALID_FILE, "the plan has format version %u, this library reads %u: compile it again",
                          (unsigned)header->version, (unsigned)NNRT__PLAN_VERSION);
    if (header->shape != nnrt__plan_shape())
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the plan is of another build of nnrt, whose plans have other structures: compile it again");
    if (header->size != size) return nnrt__plan_refuse("its size is not what its header says", size);
    if (header->isa != isa) return nnrt__plan_refuse("it is packed for another instruction set", header->isa);
    if (header->threads < 1 || header->threads > 64) return nnrt__plan_refuse("bad thread count", header->threads);
    if (!nnrt__fit_size(nnrt__plan_numbers(header), NNRT__PLAN_NUMBERS) || !nnrt__plan_check_sections(header))
        return nnrt__plan_refuse("a section lies outside", 0);
    if (header->state_count > NNRT__MAX_IO || header->input_count <= header->state_count ||
        header->input_count - header->state_count > NNRT__MAX_IO || header->output_count <= header->state_count ||
        header->output_count - header->state_count > NNRT__MAX_IO ||
        header->input_count + header->output_count + header->state_count > header->operand_count)
        return nnrt__plan_refuse("bad number of inputs or outputs", header->input_count);
    if (arena > NNRT__PLAN_MAX_ARENA || arena % NNRT__PLAN_ALIGNMENT != 0)
        return nnrt__plan_refuse("bad arena size", 0);
    if ((size_t)header->arena_bound > arena) return nnrt__plan_refuse("its arena is too small for a step", 0);
    if (header->model_size != 0 && (size_t)header->model_size != model_size)
        return nnrt__plan_refuse("it needs a model that is not there", 0);
    return OH_NN_SUCCESS;
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
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_value(const nnrt__plan_header *header, const nnrt__plan_value *value,
                                                 size_t i) {
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
    if (!(value->scale >= 0.0) || value->scale > 1e30) return nnrt__plan_refuse("a value has a bad scale", i);
    switch (value->segment) {
    case NNRT__SEGMENT_ARENA: limit = (size_t)header->arena_size; break;
    case NNRT__SEGMENT_INPUT: limit = value->index < header->input_count ? size : 0; break;
    case NNRT__SEGMENT_OUTPUT: limit = value->index < header->output_count ? size : 0; break;
    case NNRT__SEGMENT_CONSTANT: limit = (size_t)header->constants_size; break;
    case NNRT__SEGMENT_MODEL:
        limit = (size_t)header->model_size;
        mask = element - 1;
        break;
    default: break; /* there is none, and nothing is inside */
    }
    return nnrt__fit_size(&value->offset, 1) && (offset & mask) == 0 && nnrt__inside(offset, size, limit)
               ? OH_NN_SUCCESS
               : nnrt__plan_refuse("a value lies outside its segment", i);
}

/* Model input i is value operands[i], all of it and in segment INPUT with that number, if anything reads it;
   outputs follow. Size and type of an INPUT or OUTPUT value must be those of the tensor the caller is asked
   for. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_io(const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    uint32_t i;
    NNRT_ASSERT(header->input_count + header->output_count <= header->operand_count);
    for (i = 0; i < header->input_count + header->output_count; i++) {
        const nnrt__plan_value *value = plan->operand_values[i];
        if (value == NULL) return nnrt__plan_refuse("a model input or output is missing", i);
        if (i < header->input_count && value->segment != NNRT__SEGMENT_INPUT &&
            value->segment != NNRT__SEGMENT_CONSTANT)
            return nnrt__plan_refuse("a model input is no input", i);
    }
    for (i = 0; i < header->value_count; i++) {
        const nnrt__plan_value *value = &plan->values[i];
        const nnrt__plan_value *whole;
        if (value->segment == NNRT__SEGMENT_INPUT) whole = plan->operand_values[value->index];
        else if (value->segment == NNRT__SEGMENT_OUTPUT)
            whole = plan->operand_values[header->input_count + value->index];
        else continue;
        /* the type decides how the memory is aligned */
        if (value->size != whole->size || value->dtype != whole->dtype)
            return nnrt__plan_refuse("a value differs from the tensor it lies in", i);
    }
    return OH_NN_SUCCESS;
}

/* A state is an input of its own, and an output of the same type and size; it begins with zeros or a constant. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_states(const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    const uint32_t inputs = header->input_count, outputs = header->output_count;
    uint32_t i;
    NNRT_ASSERT(inputs + outputs + header->state_count <= header->operand_count);
    NNRT_ASSERT(header->state_count <= inputs && header->state_count <= outputs);
    for (i = 0; i < header->state_count; i++) {
        const uint32_t number = inputs - header->state_count + i;
        const nnrt__plan_value *now = plan->operand_values[number];
        const nnrt__plan_value *next = plan->operand_values[inputs + outputs - header->state_count + i];
        const nnrt__plan_value *first = plan->operand_values[inputs + outputs + i];
        if (now->segment != NNRT__SEGMENT_INPUT || now->index != number || next->size != now->size ||
            next->dtype != now->dtype ||
            (first != NULL && (first->segment != NNRT__SEGMENT_CONSTANT || first->size != now->size)))
            return nnrt__plan_refuse("a state is none", i);
    }
    return OH_NN_SUCCESS;
}

/* Fills the view of step i and checks it. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_step(nnrt__loaded_plan *plan, size_t i, const nnrt__cpu_table *kernels) {
    const nnrt__plan_header *header = plan->header;
    const nnrt__plan_step *step = &plan->steps[i];
    const nnrt__step_kind *kind = nnrt__step_kind_in(kernels, step->kind);
    nnrt__step_view *view = &plan->views[i];
    uint32_t k;
    NNRT_ASSERT(i < header->step_count);
    if (kind == NULL) return nnrt__plan_refuse(NNRT__NO_KIND, i);
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
    if (!nnrt__fit_size(&step->arguments, 1) || (size_t)step->arguments % 8 != 0 ||
        !nnrt__inside((size_t)step->arguments, nnrt__kind_arguments_size(kind), (size_t)header->arguments_size))
        return nnrt__plan_refuse("a step's arguments lie outside", i);
    view->step = step;
    view->arguments = plan->block + header->arguments + step->arguments;
    view->operands = plan->operand_values + step->first_operand;
    view->input_count = step->input_count;
    view->output_count = step->output_count;
    view->kernels = kernels;
    plan->kinds[i] = kind;
    for (k = 0; k < step->output_count; k++) {
        const nnrt__plan_value *output = nnrt__step_output(view, k);
        if (output == NULL || (output->segment != NNRT__SEGMENT_ARENA && output->segment != NNRT__SEGMENT_OUTPUT))
            return nnrt__plan_refuse("a step writes what must not be written", i);
    }
    if (!kind->check(view))
        return nnrt__fail(OH_NN_INVALID_FILE, "not a valid plan: step %zu (%s) contradicts itself", i, kind->name);
    view->work = kind->work != NULL ? kind->work(view) : (uint64_t)nnrt__value_count(nnrt__step_output(view, 0));
    view->units = kind->units != NULL ? kind->units(view) : 1;
    view->chunk = NNRT__HAS_THREADS ? nnrt__chunk_of(view->work, view->units) : UINT32_MAX;
    return OH_NN_SUCCESS;
}

/* Groups of steps: all of one have the same number of turns, and only kinds that take turns are in one. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_groups(const nnrt__loaded_plan *plan) {
    uint32_t size = 0, i;
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

/* The scratch of a step fits where the plan says it is. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_scratch(const nnrt__loaded_plan *plan, size_t i) {
    const nnrt__plan_step *step = &plan->steps[i];
    const size_t offset = (size_t)step->scratch_offset, size = (size_t)step->scratch_size;
    const size_t arena = (size_t)plan->header->arena_size, threads = plan->header->threads;
    size_t needed = 0;
    NNRT_ASSERT(i < plan->header->step_count && plan->kinds[i] != NULL && threads >= 1);
    if (plan->kinds[i]->scratch != NULL && !plan->kinds[i]->scratch(&plan->views[i], &needed))
        return nnrt__plan_refuse("a step's scratch has no size", i);
    if (!nnrt__fit_size(&step->scratch_offset, 1) || !nnrt__fit_size(&step->scratch_size, 1) || size < needed ||
        size > arena / threads || (offset | size) % NNRT__PLAN_ALIGNMENT != 0 ||
        !nnrt__inside(offset, size * threads, arena))
        return nnrt__plan_refuse("a step's scratch lies outside", i);
    return OH_NN_SUCCESS;
}

/* The arena is no larger than what the steps need: it ends where the last of their operands and scratches does, and all
   that they write could lie side by side in it. A few bytes of a hostile plan could else have the executor clear a
   gigabyte. All of it has been checked: offsets and sizes are at most 1 GiB. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_arena(const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    const size_t mask = NNRT__PLAN_ALIGNMENT - 1;
    uint64_t sum = 0;
    size_t end = 0, size;
    uint32_t i, k;
    for (i = 0; i < header->step_count; i++) {
        const nnrt__plan_step *step = &plan->steps[i];
        const nnrt__step_view *view = &plan->views[i];
        const size_t scratch = (size_t)step->scratch_size * header->threads, at = (size_t)step->scratch_offset;
        sum += scratch;
        if (scratch != 0 && at + scratch > end) end = at + scratch;
        for (k = 0; k < view->input_count + view->output_count; k++) {
            const nnrt__plan_value *value = view->operands[k];
            if (value == NULL || value->segment != NNRT__SEGMENT_ARENA) continue;
            size = ((size_t)value->size + mask) & ~mask;
            if (k >= view->input_count) sum += size;
            if ((size_t)value->offset + size > end) end = (size_t)value->offset + size;
        }
    }
    if (header->arena_size > end || header->arena_size > sum)
        return nnrt__plan_refuse("its arena is larger than what lies in it", 0);
    return OH_NN_SUCCESS;
}

/* Bytes that an executor has for states. */
NNRT__FN uint64_t nnrt__plan_states_size(const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    uint64_t bytes = 0;
    uint32_t i;
    NNRT_ASSERT(header->state_count <= header->input_count);
    for (i = header->input_count - header->state_count; i < header->input_count; i++)
        bytes += (2 * plan->operand_values[i]->size + NNRT__PLAN_ALIGNMENT - 1) & ~(uint64_t)(NNRT__PLAN_ALIGNMENT - 1);
    return bytes;
}

/* code: of the refusal. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_bounds(const nnrt__loaded_plan *plan, const nnrt__bounds *bounds,
                                                  OH_NN_ReturnCode code) {
    const nnrt__plan_header *header = plan->header;
    const uint64_t states = nnrt__plan_states_size(plan);
    uint64_t work = 0;
    uint32_t i;
    if (header->size > bounds->memory || header->arena_size + states > bounds->memory - header->size)
        return nnrt__fail(code,
                          "the model needs %llu bytes, %llu of them for activations%s; nnrt.max_memory allows %llu",
                          (unsigned long long)(header->size + header->arena_size + states),
                          (unsigned long long)(header->arena_size + states), states != 0 ? " and state" : "",
                          (unsigned long long)bounds->memory);
    for (i = 0; i < header->step_count && work <= bounds->work; i++) work += plan->views[i].work;
    if (work > bounds->work)
        return nnrt__fail(code, "a run of the model is %llu operations or more; nnrt.max_work allows %llu",
                          (unsigned long long)work, (unsigned long long)bounds->work);
    return OH_NN_SUCCESS;
}

/* Do two pieces of the arena, of at most 1 GiB, share a byte? */
/*@ requires a <= NNRT__PLAN_MAX_ARENA && a_size <= NNRT__PLAN_MAX_ARENA;
    requires b <= NNRT__PLAN_MAX_ARENA && b_size <= NNRT__PLAN_MAX_ARENA;
    assigns \nothing;
    ensures \result == \true <==> \exists integer byte; a <= byte < a + a_size && b <= byte < b + b_size; */
NNRT__FN bool nnrt__overlap(size_t a, size_t a_size, size_t b, size_t b_size) {
    NNRT_ASSERT(a <= NNRT__PLAN_MAX_ARENA && a_size <= NNRT__PLAN_MAX_ARENA);
    NNRT_ASSERT(b <= NNRT__PLAN_MAX_ARENA && b_size <= NNRT__PLAN_MAX_ARENA);
    return a_size != 0 && b_size != 0 && a < b + b_size && b < a + a_size;
}

/* Do two values share memory that steps may write? */
NNRT__FN bool nnrt__values_overlap(const nnrt__plan_value *a, const nnrt__plan_value *b) {
    if (a->segment != b->segment) return false;
    if (a->segment == NNRT__SEGMENT_OUTPUT) return a->index == b->index;
    return a->segment == NNRT__SEGMENT_ARENA &&
           nnrt__overlap((size_t)a->offset, (size_t)a->size, (size_t)b->offset, (size_t)b->size);
}

/* What step i writes, outputs and scratch, shares no byte with anything else that it touches; but output 0 of
   a kind that works in place may be an input. The steps copy and compute without looking. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_check_overlap(const nnrt__loaded_plan *plan, size_t i) {
    const nnrt__plan_step *step = &plan->steps[i];
    const nnrt__step_view *view = &plan->views[i];
    const size_t scratch_size = (size_t)step->scratch_size * plan->header->threads;
    const uint32_t count = view->input_count + view->output_count;
    uint32_t k, n;
    NNRT_ASSERT(i < plan->header->step_count && view->step == step);
    for (k = 0; k < count; k++) {
        const nnrt__plan_value *value = view->operands[k];
        if (value == NULL) continue;
        if (value->segment == NNRT__SEGMENT_ARENA &&
            nnrt__overlap((size_t)value->offset, (size_t)value->size, (size_t)step->scratch_offset, scratch_size))
            return nnrt__plan_refuse("a step's scratch overlaps its operands", i);
        for (n = view->input_count; n < count; n++) {
            const nnrt__plan_value *output = view->operands[n];
            if (n == k || output == NULL || !nnrt__values_overlap(value, output)) continue;
            if (plan->kinds[i]->in_place && k < view->input_count && n == view->input_count &&
                value->offset == output->offset && value->size == output->size)
                continue;
            return nnrt__plan_refuse("a step's output overlaps its other operands", i);
        }
    }
    return OH_NN_SUCCESS;
}

/* Where the bytes of a plan come from: 0: from the compiler of this process. */
#define NNRT__PLAN_OUTSIDE 0x1u   /* they may be damaged or hostile */
#define NNRT__PLAN_MAPPED 0x2u    /* and another process may change them at any time */
#define NNRT__PLAN_TRUST_CRC 0x4u /* their checksum is not computed */

/* Behind a header that was checked: copies all sections but the constants when they may change, and compares the
   checksum. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_take(nnrt__loaded_plan *plan, const uint8_t *block,
                                          const nnrt__plan_header *header, uint32_t origin) {
    uint32_t crc;
    if ((origin & NNRT__PLAN_MAPPED) != 0) {
        uint8_t *copy = (uint8_t *)nnrt__alloc_aligned((size_t)header->constants, NNRT__PLAN_ALIGNMENT, &plan->copy);
        if (copy == NULL) return nnrt__fail_memory();
        memcpy(copy, block, (size_t)header->constants);
        memcpy(copy, header, sizeof(*header)); /* it has been believed already */
        plan->block = copy;
    }
    if ((origin & NNRT__PLAN_TRUST_CRC) != 0) return OH_NN_SUCCESS;
    crc = nnrt__plan_crc(plan->block, (size_t)header->constants);
    crc = nnrt__crc32(crc, plan->constants, (size_t)(header->size - header->constants));
    return crc == header->crc ? OH_NN_SUCCESS : nnrt__plan_refuse("its checksum is wrong, it is damaged", header->crc);
}

/* Arrays of the loaded plan, sized by a header that was checked: the counts are of sections in the block. block and
   constants are set, maybe copy. On failure nothing new is held. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_open(nnrt__loaded_plan *plan) {
    const uint8_t *block = plan->block;
    const nnrt__plan_header *header = (const nnrt__plan_header *)(const void *)block;
    const nnrt__plan_value **value;
    size_t bytes = 0;
    uint32_t i;
    NNRT_ASSERT(((uintptr_t)block & 7u) == 0);
    plan->header = header;
    plan->values = (const nnrt__plan_value *)(const void *)(block + header->values);
    plan->steps = (const nnrt__plan_step *)(const void *)(block + header->steps);
    plan->operands = (const uint32_t *)(const void *)(block + header->operands);
    plan->strings = (const char *)(block + header->strings);
    if (nnrt__mul_size(header->step_count, sizeof(nnrt__step_view) + sizeof(void *), &bytes) &&
        nnrt__add_size(bytes, header->operand_count * sizeof(void *), &bytes))
        plan->views = (nnrt__step_view *)nnrt__alloc_zero(bytes, 1);
    if (plan->views == NULL) return nnrt__fail_memory();
    value = (const nnrt__plan_value **)(void *)(plan->views + header->step_count);
    plan->operand_values = value;
    plan->kinds = (const nnrt__step_kind **)(void *)(value + header->operand_count);
    for (i = 0; i < header->operand_count; i++, value++) {
        if (plan->operands[i] == NNRT__NONE) continue;
        if (plan->operands[i] >= header->value_count) return nnrt__plan_refuse("an operand is no value", i);
        *value = &plan->values[plan->operands[i]];
    }
    return OH_NN_SUCCESS;
}

/* What each step computes once, in one block. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_make_ready(nnrt__loaded_plan *plan) {
    size_t size = 0, at = 0;
    uint32_t i;
    for (i = 0; i < plan->header->step_count; i++) size += (plan->kinds[i]->ready_size + 7u) & ~(size_t)7;
    if (size == 0) return OH_NN_SUCCESS;
    plan->ready = nnrt__alloc_zero(size, 1);
    if (plan->ready == NULL) return nnrt__fail_memory();
    for (i = 0; i < plan->header->step_count; i++) {
        const nnrt__step_kind *kind = plan->kinds[i];
        void *ready = (uint8_t *)plan->ready + at;
        if (kind->ready_size == 0) continue;
        kind->prepare(&plan->views[i], ready);
        plan->views[i].ready = ready;
        at += (kind->ready_size + 7u) & ~(size_t)7;
    }
    return OH_NN_SUCCESS;
}

/* Checks `size` bytes at block (8-byte aligned) and makes them ready. kernels: of the executor, its isa must
   be the plan's. model_size: bytes of the model that the plan may refer to, 0 for one from a cache. origin:
   NNRT__PLAN_OUTSIDE and what comes with it, or 0. OH_NN_INVALID_FILE; for a plan of our own that is out of bounds
   OH_NN_FAILED; OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_load(nnrt__loaded_plan *plan, const uint8_t *block, size_t size,
                                          const nnrt__cpu_table *kernels, size_t model_size, const nnrt__bounds *bounds,
                                          uint32_t origin) {
    nnrt__plan_header first;
    const nnrt__plan_header *header = &first;
    OH_NN_ReturnCode code;
    size_t i;
    memset(plan, 0, sizeof(*plan));
    if (size < sizeof(first)) return nnrt__plan_refuse("it is shorter than its header", size);
    memcpy(&first, block, sizeof(first));
    code = nnrt__plan_check_header(&first, size, kernels->isa, model_size);
    if (code != OH_NN_SUCCESS) return code;
    if (origin != 0 && first.size > bounds->memory) /* before all of it is read */
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the plan needs %llu bytes without activations; nnrt.max_memory allows %llu",
                          (unsigned long long)first.size, (unsigned long long)bounds->memory);
    plan->block = block;
    plan->constants = block + first.constants;
    if (origin != 0) code = nnrt__plan_take(plan, block, &first, origin);
    if (code == OH_NN_SUCCESS && plan->block[first.strings + first.strings_size - 1] != '\0')
        code = nnrt__plan_refuse("the strings have no end", 0);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_open(plan);
    if (code == OH_NN_SUCCESS) header = plan->header;
    for (i = 0; code == OH_NN_SUCCESS && i < header->value_count; i++)
        code = nnrt__plan_check_value(header, &plan->values[i], i);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_io(plan);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_states(plan);
    for (i = 0; code == OH_NN_SUCCESS && i < header->step_count; i++) {
        code = nnrt__plan_check_step(plan, i, kernels);
        if (code == OH_NN_SUCCESS) code = nnrt__plan_check_scratch(plan, i);
        if (code == OH_NN_SUCCESS) code = nnrt__plan_check_overlap(plan, i);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__plan_check_groups(plan);
    if (code == OH_NN_SUCCESS && origin != 0) code = nnrt__plan_check_arena(plan);
    if (code == OH_NN_SUCCESS)
        code = nnrt__plan_check_bounds(plan, bounds, origin != 0 ? OH_NN_INVALID_FILE : OH_NN_FAILED);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_make_ready(plan);
    if (code != OH_NN_SUCCESS) nnrt__plan_unload(plan);
    return code;
}

#endif /* NNRT_CPU_PLAN_LOAD_H */
