/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/lower.h - from the IR to the plan: the calls that operators lower with, and the writer behind them.   >>cpu_lower

   The writer collects values, steps and arguments in small arrays. For constants it only adds up sizes and notes how to
   fill them. Once the layout is known, the block is allocated in one piece and constants are written where they will
   stay: weights go from the caller's bytes straight into the plan, without another copy. */
#ifndef NNRT_CPU_LOWER_H
#define NNRT_CPU_LOWER_H

#include "arena.h"
#include "kinds.h"
#include "passes.h"

/* An array that grows. */
typedef struct nnrt__grow {
    uint8_t *data;
    size_t size, capacity; /* bytes */
} nnrt__grow;

/* A pointer to `bytes` new zeroed bytes at the end, valid until the next call; NULL when memory is out. */
NNRT__FN void *nnrt__grow_add(nnrt__grow *array, size_t bytes) {
    void *added;
    if (bytes > SIZE_MAX / 4 - array->size) return NULL;
    if (array->data == NULL || array->size + bytes > array->capacity) {
        size_t capacity = (array->size + bytes) * 2 + 64;
        uint8_t *data = (uint8_t *)nnrt__realloc(array->data, capacity, 1);
        if (data == NULL) return NULL;
        array->data = data;
        array->capacity = capacity;
    }
    added = array->data + array->size;
    memset(added, 0, bytes);
    array->size += bytes;
    return added;
}

/* A constant still to be filled. */
typedef struct nnrt__pending {
    nnrt__fill fill;
    const nnrt__ir_node *node;
    size_t context; /* offset in contexts */
    uint32_t value;
} nnrt__pending;

typedef struct nnrt__plan_writer {
    nnrt__grow values;    /* nnrt__plan_value */
    nnrt__grow storages;  /* uint32_t per value: values with one number share memory */
    nnrt__grow steps;     /* nnrt__plan_step */
    nnrt__grow operands;  /* uint32_t */
    nnrt__grow arguments; /* bytes, 8-byte aligned pieces */
    nnrt__grow strings;
    nnrt__grow pending;  /* nnrt__pending */
    nnrt__grow contexts; /* bytes, 8-byte aligned pieces */
    uint32_t *of_ir;     /* per IR value its plan value, or NNRT__NONE */
    uint32_t storage_count;
    size_t constants_size;
    const uint8_t *model; /* bytes that NNRT__SEGMENT_MODEL refers to, or NULL */
    size_t model_size;
    uint8_t *block; /* once the plan is laid out */
    nnrt__plan_header header;
} nnrt__plan_writer;

NNRT__INLINE nnrt__plan_value *nnrt__writer_value(const nnrt__plan_writer *writer, uint32_t i) {
    NNRT_ASSERT(i < writer->values.size / sizeof(nnrt__plan_value));
    return (nnrt__plan_value *)(void *)writer->values.data + i;
}
NNRT__INLINE uint32_t *nnrt__writer_storage(const nnrt__plan_writer *writer, uint32_t i) {
    NNRT_ASSERT(i < writer->storages.size / sizeof(uint32_t));
    return (uint32_t *)(void *)writer->storages.data + i;
}
NNRT__INLINE nnrt__plan_step *nnrt__writer_step(const nnrt__plan_writer *writer, uint32_t i) {
    NNRT_ASSERT(i < writer->steps.size / sizeof(nnrt__plan_step));
    return (nnrt__plan_step *)(void *)writer->steps.data + i;
}
NNRT__INLINE uint32_t nnrt__writer_value_count(const nnrt__plan_writer *writer) {
    return (uint32_t)(writer->values.size / sizeof(nnrt__plan_value));
}
NNRT__INLINE uint32_t nnrt__writer_step_count(const nnrt__plan_writer *writer) {
    return (uint32_t)(writer->steps.size / sizeof(nnrt__plan_step));
}

NNRT__FN void nnrt__writer_free(nnrt__plan_writer *writer) {
    nnrt__free(writer->values.data);
    nnrt__free(writer->storages.data);
    nnrt__free(writer->steps.data);
    nnrt__free(writer->operands.data);
    nnrt__free(writer->arguments.data);
    nnrt__free(writer->strings.data);
    nnrt__free(writer->pending.data);
    nnrt__free(writer->contexts.data);
    nnrt__free(writer->of_ir);
    memset(writer, 0, sizeof(*writer));
}

/* A new value with storage of its own; NNRT__NONE and a status when memory is out. */
NNRT__FN uint32_t nnrt__writer_add_value(nnrt__lower *lower, nnrt__plan_value **value) {
    nnrt__plan_writer *writer = lower->writer;
    uint32_t index = nnrt__writer_value_count(writer);
    uint32_t *storage = (uint32_t *)nnrt__grow_add(&writer->storages, sizeof(uint32_t));
    *value = storage == NULL ? NULL : (nnrt__plan_value *)nnrt__grow_add(&writer->values, sizeof(nnrt__plan_value));
    if (*value == NULL) {
        lower->status = nnrt__fail_memory();
        return NNRT__NONE;
    }
    *storage = writer->storage_count++;
    return index;
}

/* Reserves room in the constants section. */
NNRT__FN bool nnrt__writer_reserve(nnrt__lower *lower, nnrt__plan_value *value) {
    nnrt__plan_writer *writer = lower->writer;
    size_t end;
    NNRT_ASSERT(writer->constants_size % NNRT__PLAN_ALIGNMENT == 0);
    if (!nnrt__add_size(writer->constants_size, (size_t)value->size, &end) ||
        !nnrt__round_up_size(end, NNRT__PLAN_ALIGNMENT, &end) || end > SIZE_MAX / 4) {
        lower->status = nnrt__fail(OH_NN_MEMORY_ERROR, "the constants of the plan do not fit the address space");
        return false;
    }
    value->segment = NNRT__SEGMENT_CONSTANT;
    value->offset = writer->constants_size;
    writer->constants_size = end;
    return true;
}

/* Where a constant IR value lies inside the model's bytes, aligned for its dtype: true and its offset. */
NNRT__FN bool nnrt__writer_in_model(const nnrt__lower *lower, const nnrt__ir_value *value, uint64_t *offset) {
    const nnrt__plan_writer *writer = lower->writer;
    uintptr_t base = (uintptr_t)writer->model, at = (uintptr_t)value->data;
    if (!lower->keep_weights || writer->model == NULL || value->data == NULL) return false;
    if (at < base || at - base > writer->model_size || writer->model_size - (at - base) < value->size) return false;
    if (at % nnrt__element_size(value->dtype) != 0) return false;
    *offset = at - base;
    return true;
}

NNRT__FN void nnrt__writer_describe(nnrt__plan_value *out, const nnrt__ir_value *in, uint32_t name) {
    uint32_t i;
    NNRT_ASSERT(in->rank <= NNRT_MAX_RANK && in->quant.count <= INT32_MAX);
    out->dtype = (uint32_t)in->dtype;
    out->format = (uint32_t)in->format;
    out->rank = in->rank;
    for (i = 0; i < in->rank; i++) out->dims[i] = in->dims[i];
    out->name = name;
    out->size = in->size;
    out->quant_count = in->quant.count;
    out->scale = in->quant.count == 1 ? in->quant.scales[0] : 0.0;
    out->zero_point = in->quant.count == 1 ? in->quant.zero_points[0] : 0;
}

/* The offset of a copy of text in the strings section. */
NNRT__FN uint32_t nnrt__writer_string(nnrt__lower *lower, const char *text) {
    nnrt__plan_writer *writer = lower->writer;
    size_t length = strlen(text) + 1, at = writer->strings.size;
    void *copy;
    if (length > 256) length = 256;
    copy = nnrt__grow_add(&writer->strings, length);
    if (copy == NULL) {
        lower->status = nnrt__fail_memory();
        return 0;
    }
    memcpy(copy, text, length - 1);
    return (uint32_t)at;
}

/* The value that owns the memory of v: the one that it renames, or v. */
NNRT__FN uint32_t nnrt__ir_root(const nnrt__ir *ir, uint32_t v) {
    NNRT_ASSERT(v < ir->value_count);
    while (ir->values[v].alias != NNRT__NONE) v = ir->values[v].alias;
    return v;
}

NNRT__FN uint32_t nnrt__lower_value(nnrt__lower *lower, uint32_t ir_value) {
    nnrt__plan_writer *writer = lower->writer;
    const nnrt__ir_value *in = &lower->ir->values[ir_value];
    uint32_t root, index, root_index, name;
    nnrt__plan_value *value;
    NNRT_ASSERT(ir_value < lower->ir->value_count);
    if (lower->status != OH_NN_SUCCESS) return NNRT__NONE;
    if (writer->of_ir[ir_value] != NNRT__NONE) return writer->of_ir[ir_value];
    root = nnrt__ir_root(lower->ir, ir_value);
    root_index = root == ir_value ? NNRT__NONE : nnrt__lower_value(lower, root);
    name = lower->unnamed ? 0 : nnrt__writer_string(lower, in->name);
    if (lower->status != OH_NN_SUCCESS) return NNRT__NONE;
    index = nnrt__writer_add_value(lower, &value);
    if (index == NNRT__NONE) return NNRT__NONE;
    nnrt__writer_describe(value, in, name);
    if (root_index != NNRT__NONE) {
        const nnrt__plan_value *owner = nnrt__writer_value(writer, root_index);
        value->segment = owner->segment;
        value->index = owner->index;
        value->offset = owner->offset;
        *nnrt__writer_storage(writer, index) = *nnrt__writer_storage(writer, root_index);
    } else if (in->data != NULL) {
        if (nnrt__writer_in_model(lower, in, &value->offset)) value->segment = NNRT__SEGMENT_MODEL;
        else if (!nnrt__writer_reserve(lower, value)) return NNRT__NONE;
    } else if (in->input != NNRT__NONE) {
        value->segment = NNRT__SEGMENT_INPUT;
        value->index = in->input;
    } else {
        uint32_t i;
        value->segment = NNRT__SEGMENT_ARENA;
        for (i = 0; i < lower->ir->output_count; i++) {
            /* The first model output among the values that share this memory: results go straight into the caller's
               buffer. */
            if (nnrt__ir_root(lower->ir, lower->ir->outputs[i]) != root) continue;
            value->segment = NNRT__SEGMENT_OUTPUT;
            value->index = i;
            break;
        }
    }
    writer->of_ir[ir_value] = index;
    return index;
}

NNRT__FN uint32_t nnrt__lower_constant(nnrt__lower *lower, const nnrt__ir_node *node, OH_NN_DataType dtype,
                                       size_t count, nnrt__fill fill, const void *context, size_t context_size) {
    nnrt__plan_writer *writer = lower->writer;
    const size_t at = writer->contexts.size;
    nnrt__plan_value *made;
    nnrt__pending *pending;
    uint32_t value;
    void *copy;
    size_t size;
    NNRT_ASSERT(fill != NULL && (context != NULL || context_size == 0));
    if (lower->status != OH_NN_SUCCESS) return NNRT__NONE;
    if (count == 0 || count > INT32_MAX || !nnrt__mul_size(count, nnrt__element_size(dtype), &size)) {
        lower->status = nnrt__fail(OH_NN_FAILED, "a constant of the plan has an impossible size");
        return NNRT__NONE;
    }
    value = nnrt__writer_add_value(lower, &made);
    if (value == NNRT__NONE) return NNRT__NONE;
    made->dtype = (uint32_t)dtype;
    made->rank = 1;
    made->dims[0] = (int32_t)count;
    made->size = size;
    if (!nnrt__writer_reserve(lower, made)) return NNRT__NONE;
    pending = (nnrt__pending *)nnrt__grow_add(&writer->pending, sizeof(nnrt__pending));
    copy = pending == NULL ? NULL : nnrt__grow_add(&writer->contexts, (context_size + 7) & ~(size_t)7);
    if (copy == NULL) {
        lower->status = nnrt__fail_memory();
        return NNRT__NONE;
    }
    pending->fill = fill;
    pending->node = node;
    pending->context = at;
    pending->value = value;
    if (context_size != 0) memcpy(copy, context, context_size);
    return value;
}

NNRT__FN bool nnrt__lower_in_model(nnrt__lower *lower, uint32_t ir_value, uint32_t *value) {
    uint64_t offset;
    NNRT_ASSERT(ir_value < lower->ir->value_count);
    if (lower->status != OH_NN_SUCCESS || !nnrt__writer_in_model(lower, &lower->ir->values[ir_value], &offset))
        return false;
    *value = nnrt__lower_value(lower, ir_value);
    return *value != NNRT__NONE;
}

NNRT__FN uint32_t nnrt__lower_temporary(nnrt__lower *lower, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims) {
    nnrt__plan_value *made;
    size_t size = nnrt__element_size(dtype);
    uint32_t index, i;
    if (lower->status != OH_NN_SUCCESS) return NNRT__NONE;
    for (i = 0; i < rank; i++)
        if (dims[i] < 1 || !nnrt__mul_size(size, (size_t)dims[i], &size)) size = SIZE_MAX;
    if (rank > NNRT_MAX_RANK || size > NNRT__IR_MAX_VALUE_BYTES) {
        lower->status = nnrt__fail(OH_NN_FAILED, "a temporary of the plan has an impossible size");
        return NNRT__NONE;
    }
    index = nnrt__writer_add_value(lower, &made);
    if (index == NNRT__NONE) return NNRT__NONE;
    made->dtype = (uint32_t)dtype;
    made->rank = rank;
    for (i = 0; i < rank; i++) made->dims[i] = dims[i];
    made->size = size;
    made->segment = NNRT__SEGMENT_ARENA;
    return index;
}

NNRT__FN bool nnrt__lower_has(const nnrt__lower *lower, const nnrt__step_kind *kind) {
    return kind != NULL && nnrt__step_kind_in(lower->kernels, kind->id) != NULL;
}

NNRT__FN bool nnrt__lower_needs(nnrt__lower *lower, const nnrt__step_kind *kind, const nnrt__ir_node *node) {
    if (lower->status == OH_NN_SUCCESS && !nnrt__lower_has(lower, kind))
        lower->status =
            nnrt__fail(OH_NN_UNSUPPORTED, "%s of these types: " NNRT__NO_KIND, nnrt__op_name((int)node->op));
    return lower->status == OH_NN_SUCCESS;
}

NNRT__FN void *nnrt__lower_step(nnrt__lower *lower, const nnrt__step_kind *kind, const nnrt__ir_node *node,
                                const uint32_t *inputs, uint32_t input_count, const uint32_t *outputs,
                                uint32_t output_count, const nnrt__step_info *info) {
    nnrt__plan_writer *writer = lower->writer;
    nnrt__plan_step *step;
    uint32_t *operands;
    uint32_t first_operand = (uint32_t)(writer->operands.size / sizeof(uint32_t));
    size_t at = writer->arguments.size, arguments_size;
    void *arguments;
    if (!nnrt__lower_needs(lower, kind, node)) return NULL;
    if (!nnrt__op_may_lower_to(node->op, kind)) {
        lower->status = nnrt__fail(OH_NN_FAILED, "%s lowers to a step not listed for it in cpu/kind_list.h: %s",
                                   nnrt__op_name((int)node->op), kind->name);
        return NULL;
    }
    arguments_size = ((size_t)nnrt__kind_arguments_size(kind) + 7) & ~(size_t)7;
    arguments = nnrt__grow_add(&writer->arguments, arguments_size);
    operands = arguments == NULL ? NULL
                                 : (uint32_t *)nnrt__grow_add(&writer->operands,
                                                              ((size_t)input_count + output_count) * sizeof(uint32_t));
    step = operands == NULL ? NULL : (nnrt__plan_step *)nnrt__grow_add(&writer->steps, sizeof(nnrt__plan_step));
    if (step == NULL) {
        lower->status = nnrt__fail_memory();
        return NULL;
    }
    memcpy(operands, inputs, input_count * sizeof(uint32_t));
    memcpy(operands + input_count, outputs, output_count * sizeof(uint32_t));
    step->kind = kind->id;
    step->op = (uint32_t)node->op;
    if (output_count != 0 && node->output_count != 0 && outputs[0] == writer->of_ir[node->outputs[0]])
        step->op |= NNRT__STEP_FUSED(nnrt__node_fused(node));
    step->first_operand = first_operand;
    step->input_count = input_count;
    step->output_count = output_count;
    step->arguments_shape = kind->arguments;
    step->arguments = at;
    if (info != NULL) {
        step->macs = info->macs;
        step->weights_bytes = info->weights_bytes;
        step->weight_scales = info->weight_scales;
    }
    return arguments;
}

NNRT__FN OH_NN_ReturnCode nnrt__lower_spec(nnrt__lower *lower, const nnrt__step_kind *kind, const nnrt__ir_node *node,
                                           const uint32_t *inputs, uint32_t input_count, const uint32_t *outputs,
                                           uint32_t output_count, const nnrt__step_info *info) {
    void *arguments = nnrt__lower_step(lower, kind, node, inputs, input_count, outputs, output_count, info);
    if (arguments != NULL) memcpy(arguments, node->spec, nnrt__kind_arguments_size(kind));
    return lower->status;
}

/* Size in the arena: bytes rounded up to the arena's alignment. */
NNRT__INLINE uint64_t nnrt__writer_rounded(uint64_t size) {
    return (size + (NNRT__PLAN_ALIGNMENT - 1)) & ~(uint64_t)(NNRT__PLAN_ALIGNMENT - 1);
}

/* A distance between two blocks, in whole units of the arena; most: beyond it they are apart. */
NNRT__FN size_t nnrt__distance_rounded(size_t bytes, size_t most) {
    const uint64_t rounded = nnrt__writer_rounded(bytes);
    return rounded < most ? (size_t)rounded : most;
}

/* Memory that steps share: a storage of the arena, or an output of the model. */
typedef struct nnrt__memory_life {
    uint64_t size;        /* rounded as in the arena; 0: not in the arena */
    uint32_t first, last; /* steps that touch it; first NNRT__NONE: none */
    bool given;           /* it is an input of the model, alive before step 0, which is its first, too */
} nnrt__memory_life;

/* The number of the memory behind a value: arena storages first, then the outputs of the model, which are always alive.
   NNRT__NONE: a constant, or an input that the program keeps. */
NNRT__FN uint32_t nnrt__writer_memory(const nnrt__plan_writer *writer, uint32_t value) {
    const nnrt__plan_value *is = value == NNRT__NONE ? NULL : nnrt__writer_value(writer, value);
    if (is != NULL && is->segment == NNRT__SEGMENT_ARENA) return *nnrt__writer_storage(writer, value);
    return is != NULL && is->segment == NNRT__SEGMENT_OUTPUT ? writer->storage_count + is->index : NNRT__NONE;
}

/* Fills lives[0..count-1]; count: of storages and of the model's outputs. */
NNRT__FN void nnrt__writer_measure_lives(const nnrt__plan_writer *writer, nnrt__memory_life *lives, uint32_t count) {
    const uint32_t *inputs = (const uint32_t *)(const void *)writer->operands.data;
    uint32_t i, k;
    for (i = 0; i < count; i++) {
        lives[i].size = 0;
        lives[i].first = NNRT__NONE;
        lives[i].given = false;
    }
    for (i = 0; i < nnrt__writer_step_count(writer); i++) {
        const nnrt__plan_step *step = nnrt__writer_step(writer, i);
        const uint32_t *operands = (const uint32_t *)(const void *)writer->operands.data + step->first_operand;
        for (k = 0; k < step->input_count + step->output_count; k++) {
            const uint32_t memory = nnrt__writer_memory(writer, operands[k]);
            uint64_t size;
            if (memory == NNRT__NONE) continue;
            size = memory < writer->storage_count ? nnrt__writer_rounded(nnrt__writer_value(writer, operands[k])->size)
                                                  : 0;
            if (size > lives[memory].size) lives[memory].size = size;
            if (lives[memory].first == NNRT__NONE) lives[memory].first = i;
            lives[memory].last = i;
        }
    }
    for (i = 0; i < writer->header.input_count; i++) {
        const uint32_t memory = nnrt__writer_memory(writer, inputs[i]);
        if (memory == NNRT__NONE) continue;
        lives[memory].first = 0;
        lives[memory].given = true;
    }
}

/* The view of a newly added step, and its operands. */
typedef struct nnrt__writer_view {
    nnrt__step_view view;
    const nnrt__plan_value *values[8];
} nnrt__writer_view;

/* Fills it. Its kind; NULL: there are too many operands, or this build has no such kind. */
NNRT__FN const nnrt__step_kind *nnrt__writer_look(const nnrt__lower *lower, uint32_t i, nnrt__writer_view *room) {
    const nnrt__plan_writer *writer = lower->writer;
    const nnrt__plan_step *step = nnrt__writer_step(writer, i);
    const uint32_t *operands = (const uint32_t *)(const void *)writer->operands.data + step->first_operand;
    nnrt__step_view *view = &room->view;
    uint32_t k;
    memset(room, 0, sizeof(*room));
    if (step->input_count + step->output_count > NNRT__COUNT_OF(room->values)) return NULL;
    for (k = 0; k < step->input_count + step->output_count; k++)
        room->values[k] = operands[k] != NNRT__NONE ? nnrt__writer_value(writer, operands[k]) : NULL;
    view->step = step;
    view->arguments = writer->arguments.data + step->arguments;
    view->operands = room->values;
    view->input_count = step->input_count;
    view->output_count = step->output_count;
    view->kernels = lower->kernels;
    return nnrt__step_kind_in(lower->kernels, step->kind);
}

/* Scratch of a newly added step, for one thread. */
NNRT__FN uint64_t nnrt__writer_scratch(const nnrt__lower *lower, uint32_t i) {
    nnrt__writer_view room;
    const nnrt__step_kind *kind = nnrt__writer_look(lower, i, &room);
    size_t bytes = 0;
    return kind != NULL && kind->scratch != NULL && kind->check(&room.view) && kind->scratch(&room.view, &bytes)
               ? nnrt__writer_rounded(bytes)
               : 0;
}

#endif /* NNRT_CPU_LOWER_H */
