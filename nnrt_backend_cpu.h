/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_cpu.h - the CPU device: graphs, .tflite models and plans, on any processor.   >>cpu

   Always compiled in, unless NNRT_NO_CPU is defined. Listed as cpu_nnrt_VERSION.

   Accepts    a graph built by calls; a .tflite model or a plan of `nnrt compile`, from a file (mapped, not
              read) or a buffer; a plan in the cache.
   Configs    nnrt.isa       "scalar", "sse41", "avx2" or "neon": at most this instruction set. The
              environment variable
                             NNRT_ISA does the same for a whole program. A level that this machine lacks is an
                             error.
              nnrt.threads   "1" to "64"; default 1, and the number of cores with OH_NN_PERFORMANCE_EXTREME.
              nnrt.profile   "1": time every step for nnrt_executor_get_profile.
              nnrt.passes    "none", or a sum of the bits in cpu/passes.h: only these passes.
   Trades     OH_NN_PERFORMANCE_LOW leaves weights in the caller's model bytes where they can be used as they
              are; those bytes must then outlive the executors. Every other mode packs them into the plan.
   Does NOT   compute in float16, know priorities, or start a thread that was not asked for.

   Rooms      cpu/plan.h      what a plan is              cpu/ir.h        operators and steps, the contract
              cpu/ir_build.h  graph to IR                 cpu/passes.h    what is fused and removed
              cpu/lower.h     IR to plan                  cpu/compile.h   all of it, in order
              cpu/arena.h     memory planning             cpu/plan_load.h the check of untrusted plans
              cpu/run.h       executing                   cpu/ops.h       the families ops_*.h and steps_*.h
              cpu/fold.h      operators on constants      cpu/inspect.h   whose file it is */
#ifndef NNRT_BACKEND_CPU_H
#define NNRT_BACKEND_CPU_H

#include "cpu/compile.h"
#include "cpu/run.h"
#include "cpu/fold.h"
#include "cpu/inspect.h"
#include "nnrt_tflite.h"

/* Range of a dynamic dimension, and how many compiled shapes an executor of a dynamic model keeps. */
#define NNRT__CPU_MAX_DYNAMIC_DIM 65535u
#define NNRT__CPU_SHAPES_KEPT 4u

/* ----------------------------------------------------------------------------------------- prepared model */

typedef struct nnrt__cpu_prepared {
    nnrt__cpu_table kernels;
    nnrt__compile_options options;
    bool profile;
    nnrt__mapping file;       /* the offline model, when it came as a path */
    nnrt__graph_store *store; /* graph of a .tflite that is dynamic, or may have to be compiled again */
    const nnrt_graph *graph;  /* what to compile again, or NULL: a restored plan */
    bool dynamic;
    void *memory;           /* owns the plan's block, or NULL: it is borrowed */
    nnrt__loaded_plan plan; /* empty when dynamic */
    size_t block_size;
} nnrt__cpu_prepared;

NNRT__FN void nnrt__cpu_release(void *prepared) {
    nnrt__cpu_prepared *model = (nnrt__cpu_prepared *)prepared;
    nnrt__plan_unload(&model->plan);
    nnrt__free(model->memory);
    nnrt__graph_store_release(model->store);
    nnrt__unmap_file(&model->file);
    nnrt__free(model);
}

/* A decimal number of at most 4 digits that is the whole value; -1: it is not. */
NNRT__FN int nnrt__config_number(const nnrt_config *config) {
    const char *digits = (const char *)config->value;
    int number = 0;
    size_t i, size = config->size;
    if (size > 1 && digits[size - 1] == '\0') size--;
    if (size == 0 || size > 4) return -1;
    for (i = 0; i < size; i++) {
        if (digits[i] < '0' || digits[i] > '9') return -1;
        number = number * 10 + (digits[i] - '0');
    }
    return number;
}

/* Lowers *isa to the level of that name. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_isa(const char *name, const char *source, unsigned *isa) {
    unsigned cap = 0;
    if (!nnrt__isa_from_name(name, &cap))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: \"%s\" is no instruction set; use scalar, sse41, avx2 or neon",
                          source, name);
    if ((cap & ~nnrt__cpu_detect()) != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: this processor or this build has no \"%s\"", source, name);
    *isa = cap;
    return OH_NN_SUCCESS;
}

/* Reads one config into the model; model may be NULL to check only. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_config(nnrt__cpu_prepared *model, const nnrt_config *config, unsigned *isa) {
    int number = nnrt__config_number(config);
    if (strcmp(config->name, "nnrt.isa") == 0) return nnrt__cpu_take_isa((const char *)config->value, "nnrt.isa", isa);
    if (strcmp(config->name, "nnrt.threads") == 0) {
        if (number < 1 || number > (int)NNRT__MAX_THREADS)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.threads: \"%s\" is no number from 1 to 64",
                              (const char *)config->value);
        if (model != NULL) model->options.threads = (uint32_t)number;
    } else if (strcmp(config->name, "nnrt.profile") == 0) {
        if (number != 0 && number != 1)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.profile: \"%s\" is neither 0 nor 1",
                              (const char *)config->value);
        if (model != NULL) model->profile = number == 1;
    } else if (strcmp(config->name, "nnrt.passes") == 0) {
        if (strcmp((const char *)config->value, "none") == 0) number = 0;
        if (number < 0 || number > (int)NNRT__PASS_ALL)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.passes: \"%s\" is neither none nor a sum of pass bits",
                              (const char *)config->value);
        if (model != NULL) model->options.passes = (uint32_t)number;
    } else {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the CPU device knows no extension config \"%s\"", config->name);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_config(void *device, const nnrt_config *config) {
    unsigned isa = 0;
    (void)device;
    return nnrt__cpu_take_config(NULL, config, &isa);
}

/* A new prepared model with the request's settings and nothing in it. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_new(const nnrt_request *request, nnrt__cpu_prepared **model) {
    const char *level = getenv("NNRT_ISA");
    unsigned isa = nnrt__cpu_detect();
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    *model = (nnrt__cpu_prepared *)nnrt__alloc_zero(1, sizeof(nnrt__cpu_prepared));
    if (*model == NULL) return nnrt__fail_memory();
    (*model)->options.threads = request->performance == OH_NN_PERFORMANCE_EXTREME ? (uint32_t)nnrt__core_count() : 1;
    (*model)->options.passes = NNRT__PASS_ALL;
    (*model)->options.keep_weights = request->performance == OH_NN_PERFORMANCE_LOW;
    (*model)->options.kernels = &(*model)->kernels;
    if (level != NULL && *level != '\0') code = nnrt__cpu_take_isa(level, "NNRT_ISA", &isa);
    for (i = 0; code == OH_NN_SUCCESS && i < request->config_count; i++)
        code = nnrt__cpu_take_config(*model, &request->configs[i], &isa);
    if (code != OH_NN_SUCCESS) {
        nnrt__free(*model);
        *model = NULL;
        return code;
    }
    nnrt__cpu_select(&(*model)->kernels, isa);
    return OH_NN_SUCCESS;
}

NNRT__FN bool nnrt__graph_is_dynamic(const nnrt_graph *graph) {
    uint32_t i, k;
    for (i = 0; i < graph->input_count; i++) {
        const nnrt_tensor_info *tensor = &graph->tensors[graph->inputs[i]];
        for (k = 0; k < tensor->rank; k++)
            if (tensor->dims[k] == -1) return true;
    }
    return false;
}

/* The refusal of operator number i, that has no kernel. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_no_kernel(OH_NN_OperationType op, uint32_t i) {
    return nnrt__fail(OH_NN_UNSUPPORTED, "%s (operator %u): " NNRT__NO_KERNEL, nnrt__op_name((int)op), (unsigned)i);
}

/* Every operator of a graph has a kernel, as far as that can be said before shapes are known. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_operators(const nnrt_graph *graph) {
    uint32_t i;
    for (i = 0; i < graph->node_count; i++) {
        if (nnrt__cpu_op_find(graph->nodes[i].op) != NULL) continue;
        (void)nnrt__cpu_no_kernel(graph->nodes[i].op, i);
        return OH_NN_FAILED;
    }
    return OH_NN_SUCCESS;
}

/* Compiles the model's graph; a dynamic one is compiled when shapes are known. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_compile(nnrt__cpu_prepared *model, const nnrt_graph *graph) {
    OH_NN_ReturnCode code;
    uint8_t *block;
    model->graph = graph;
    model->dynamic = nnrt__graph_is_dynamic(graph);
    if (model->dynamic) return nnrt__cpu_check_operators(graph);
    code = nnrt__compile(graph, NULL, &model->options, &model->memory, &block, &model->block_size);
    if (code == OH_NN_SUCCESS)
        code =
            nnrt__plan_load(&model->plan, block, model->block_size, &model->kernels, model->options.model_size, false);
    return code;
}

/* Takes a plan from outside: in place when its address allows, else from a copy. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_plan(nnrt__cpu_prepared *model, const void *blob, size_t size) {
    const uint8_t *block = (const uint8_t *)blob;
    if ((uintptr_t)blob % 8 != 0) {
        uint8_t *copy = (uint8_t *)nnrt__alloc_aligned(size, NNRT__PLAN_ALIGNMENT, &model->memory);
        if (copy == NULL) return nnrt__fail_memory();
        memcpy(copy, blob, size);
        block = copy;
    }
    model->block_size = size;
    return nnrt__plan_load(&model->plan, block, size, &model->kernels, 0, true);
}

/* Offline bytes: a plan or a .tflite. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_bytes(nnrt__cpu_prepared *model, const void *bytes, size_t size) {
    OH_NN_ReturnCode code;
    if (nnrt__plan_is(bytes, size)) return nnrt__cpu_take_plan(model, bytes, size);
    if (!nnrt__tflite_is(bytes, size))
        return nnrt__fail(OH_NN_INVALID_FILE, "the bytes are neither a .tflite model nor a plan of this machine");
    code = nnrt__tflite_read(bytes, size, &model->store);
    if (code != OH_NN_SUCCESS) return code;
    model->options.model = (const uint8_t *)bytes;
    model->options.model_size = size;
    return nnrt__cpu_compile(model, nnrt__graph_store_graph(model->store));
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_prepare(void *device, const nnrt_request *request, void **prepared) {
    nnrt__cpu_prepared *model;
    OH_NN_ReturnCode code = nnrt__cpu_new(request, &model);
    (void)device;
    if (code != OH_NN_SUCCESS) return code;
    if (request->graph != NULL) {
        code = nnrt__cpu_compile(model, request->graph);
    } else if (request->model_path != NULL) {
        const char *reason = nnrt__map_file(request->model_path, &model->file);
        if (reason != NULL) code = nnrt__fail(OH_NN_INVALID_FILE, "model file \"%s\" %s", request->model_path, reason);
        else code = nnrt__cpu_take_bytes(model, model->file.data, model->file.size);
    } else {
        code = nnrt__cpu_take_bytes(model, request->model, request->model_size);
    }
    if (code != OH_NN_SUCCESS) nnrt__cpu_release(model);
    else *prepared = model;
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_restore(void *device, const nnrt_request *request, const void *blob, size_t size,
                                            void **prepared) {
    nnrt__cpu_prepared *model;
    OH_NN_ReturnCode code = nnrt__cpu_new(request, &model);
    (void)device;
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__plan_is(blob, size)) code = nnrt__fail(OH_NN_INVALID_FILE, "the cache holds no plan of this machine");
    else code = nnrt__cpu_take_plan(model, blob, size);
    if (code != OH_NN_SUCCESS) nnrt__cpu_release(model);
    else *prepared = model;
    return code;
}

/* The plan as bytes that stand alone: one that refers to the model's bytes is compiled again with its weights
   inside. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_save(void *prepared, void *blob, size_t capacity, size_t *size) {
    nnrt__cpu_prepared *model = (nnrt__cpu_prepared *)prepared;
    const uint8_t *block = model->plan.block;
    uint8_t *packed = NULL;
    void *memory = NULL;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (model->dynamic)
        return nnrt__fail(OH_NN_UNSUPPORTED, "a model with dynamic input shapes has one plan per shape and no cache");
    *size = model->block_size;
    if (model->plan.header->model_size != 0) {
        nnrt__compile_options options = model->options;
        options.keep_weights = false;
        code = nnrt__compile(model->graph, NULL, &options, &memory, &packed, size);
        block = packed;
    }
    if (code == OH_NN_SUCCESS && blob != NULL && capacity >= *size) {
        uint32_t crc;
        memcpy(blob, block, *size);
        crc = nnrt__plan_crc((const uint8_t *)blob, *size);
        memcpy((uint8_t *)blob + offsetof(nnrt__plan_header, crc), &crc, sizeof(crc));
    }
    nnrt__free(memory);
    return code;
}

/* -------------------------------------------------------------------------------------------- description */

NNRT__FN void nnrt__cpu_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    const nnrt__cpu_prepared *model = (const nnrt__cpu_prepared *)prepared;
    *inputs = model->dynamic ? model->graph->input_count : model->plan.header->input_count;
    *outputs = model->dynamic ? model->graph->output_count : model->plan.header->output_count;
}

/* A rank-0 tensor is shown as [1]. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    const nnrt__cpu_prepared *model = (const nnrt__cpu_prepared *)prepared;
    uint32_t k;
    memset(desc, 0, sizeof(*desc));
    if (model->dynamic) {
        const nnrt_graph *graph = model->graph;
        const nnrt_tensor_info *tensor = &graph->tensors[output ? graph->outputs[index] : graph->inputs[index]];
        if (tensor->rank > NNRT_MAX_RANK)
            return nnrt__fail(OH_NN_FAILED, "tensor \"%s\" has too many dimensions", tensor->name);
        desc->name = tensor->name;
        desc->dtype = tensor->dtype;
        desc->format = tensor->format;
        desc->rank = tensor->rank;
        for (k = 0; k < tensor->rank; k++) desc->dims[k] = tensor->dims[k];
        desc->scale = tensor->quant.count == 1 ? tensor->quant.scales[0] : 0.0;
        desc->zero_point = tensor->quant.count == 1 ? tensor->quant.zero_points[0] : 0;
    } else {
        const nnrt__plan_header *header = model->plan.header;
        const nnrt__plan_value *value = model->plan.operand_values[(output ? header->input_count : 0) + index];
        desc->name = model->plan.strings + value->name;
        desc->dtype = (OH_NN_DataType)value->dtype;
        desc->format = (OH_NN_Format)value->format;
        desc->rank = value->rank;
        for (k = 0; k < value->rank; k++) desc->dims[k] = value->dims[k];
        desc->scale = value->scale;
        desc->zero_point = value->zero_point;
    }
    if (desc->rank == 0) {
        desc->rank = 1;
        desc->dims[0] = 1;
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims) {
    nnrt_io_desc desc;
    OH_NN_ReturnCode code = nnrt__cpu_io_desc(prepared, false, index, &desc);
    uint32_t k;
    for (k = 0; code == OH_NN_SUCCESS && k < desc.rank; k++) {
        min_dims[k] = desc.dims[k] == -1 ? 1 : (size_t)desc.dims[k];
        max_dims[k] = desc.dims[k] == -1 ? NNRT__CPU_MAX_DYNAMIC_DIM : (size_t)desc.dims[k];
    }
    return code;
}

/* Infers node alone, as a graph of its own whose inputs have their declared shapes. tensors and indices: room
   for all its operands. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_infer_alone(const nnrt_graph *graph, const nnrt_node *node,
                                                nnrt_tensor_info *tensors, uint32_t *indices, uint32_t *inputs) {
    uint32_t count = node->input_count + node->output_count, i;
    nnrt_node alone = *node;
    nnrt_graph single;
    nnrt__ir ir;
    OH_NN_ReturnCode code;
    memset(&single, 0, sizeof(single));
    for (i = 0; i < count; i++) {
        tensors[i] = graph->tensors[i < node->input_count ? node->inputs[i] : node->outputs[i - node->input_count]];
        indices[i] = i;
        if (i < node->input_count && tensors[i].data == NULL) inputs[single.input_count++] = i;
    }
    alone.inputs = indices;
    alone.outputs = indices + node->input_count;
    single.tensor_count = count;
    single.node_count = 1;
    single.output_count = node->output_count;
    single.tensors = tensors;
    single.nodes = &alone;
    single.inputs = inputs;
    single.outputs = alone.outputs;
    code = nnrt__ir_build(&ir, &single, NULL);
    if (code != OH_NN_SUCCESS) return code; /* a shape that is not known yet, too */
    code = nnrt__ir_infer_node(&ir, &ir.nodes[0]);
    nnrt__ir_free(&ir);
    return code;
}

/* OH_NN_SUCCESS: node has kernels for its types. Shapes that are wrong are found by Build, not here. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    const nnrt_node *asked = &graph->nodes[node];
    uint32_t count = asked->input_count + asked->output_count;
    nnrt_tensor_info *tensors;
    uint32_t *indices;
    OH_NN_ReturnCode code = OH_NN_MEMORY_ERROR;
    (void)device;
    if (nnrt__cpu_op_find(asked->op) == NULL) return nnrt__cpu_no_kernel(asked->op, node);
    tensors = (nnrt_tensor_info *)nnrt__alloc_zero(count, sizeof(nnrt_tensor_info));
    indices = (uint32_t *)nnrt__alloc_zero(2 * (size_t)count, sizeof(uint32_t));
    if (tensors != NULL && indices != NULL)
        code = nnrt__cpu_infer_alone(graph, asked, tensors, indices, indices + count);
    nnrt__free(indices);
    nnrt__free(tensors);
    /* Out of memory is no verdict on the operator: Build meets it again when it compiles, and says so. */
    return code == OH_NN_UNSUPPORTED ? code : OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------- executor */

/* One compiled shape of a dynamic model, or the only instance of a static one. */
typedef struct nnrt__cpu_shape {
    nnrt__shape *shapes; /* of the inputs; NULL: static */
    void *memory;
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    uint32_t used; /* the executor's clock at the last use */
} nnrt__cpu_shape;

typedef struct nnrt__cpu_executor {
    nnrt__cpu_prepared *model;
    nnrt__pool *pool;
    int32_t cancel;
    uint32_t clock;
    nnrt__cpu_shape shapes[NNRT__CPU_SHAPES_KEPT];
    nnrt__cpu_shape *last; /* of the last run, or the static one */
    void **pointers;       /* [inputs + outputs] of a run */
    void **bounce;         /* [inputs + outputs] aligned copies of tensors that are not, or NULL */
    size_t *bounce_size;
    size_t io_count;
} nnrt__cpu_executor;

NNRT__FN void nnrt__cpu_shape_close(nnrt__cpu_shape *shape) {
    nnrt__instance_close(&shape->instance);
    nnrt__plan_unload(&shape->plan);
    nnrt__free(shape->memory);
    nnrt__free(shape->shapes);
    memset(shape, 0, sizeof(*shape));
}

NNRT__FN void nnrt__cpu_close_executor(void *executor) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    size_t i;
    nnrt__pool_free(self->pool);
    for (i = 0; i < NNRT__CPU_SHAPES_KEPT; i++) nnrt__cpu_shape_close(&self->shapes[i]);
    for (i = 0; i < self->io_count && self->bounce != NULL; i++) nnrt__free(self->bounce[i]);
    nnrt__free((void *)self->pointers);
    nnrt__free((void *)self->bounce);
    nnrt__free(self->bounce_size);
    nnrt__free(self);
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_open_executor(void *prepared, void **executor) {
    nnrt__cpu_prepared *model = (nnrt__cpu_prepared *)prepared;
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)nnrt__alloc_zero(1, sizeof(nnrt__cpu_executor));
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t threads = model->options.threads;
    size_t inputs, outputs;
    if (self == NULL) return nnrt__fail_memory();
    nnrt__cpu_io_count(prepared, &inputs, &outputs);
    self->model = model;
    self->io_count = inputs + outputs;
    self->pointers = (void **)nnrt__alloc_zero(self->io_count, sizeof(void *));
    self->bounce = (void **)nnrt__alloc_zero(self->io_count, sizeof(void *));
    self->bounce_size = (size_t *)nnrt__alloc_zero(self->io_count, sizeof(size_t));
    if (self->pointers == NULL || self->bounce == NULL || self->bounce_size == NULL) code = nnrt__fail_memory();
    if (code == OH_NN_SUCCESS && !model->dynamic) {
        self->last = &self->shapes[0];
        if (threads > model->plan.header->threads) threads = model->plan.header->threads;
        code = nnrt__instance_open(&self->last->instance, &model->plan,
                                   model->plan.header->model_size != 0 ? model->options.model : NULL);
    }
    if (code == OH_NN_SUCCESS && threads > 1) {
        self->pool = nnrt__pool_new(threads);
        if (self->pool == NULL) code = nnrt__fail_memory();
    }
    if (code != OH_NN_SUCCESS) nnrt__cpu_close_executor(self);
    else *executor = self;
    return code;
}

NNRT__FN void nnrt__cpu_cancel(void *executor) { nnrt__atomic_store(&((nnrt__cpu_executor *)executor)->cancel, 1); }

/* The compiled shape for these inputs, compiled now when it is new. The least recently used one makes
   room. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_find_shape(nnrt__cpu_executor *self, const nnrt_io *inputs, size_t input_count,
                                               nnrt__cpu_shape **found) {
    nnrt__cpu_prepared *model = self->model;
    nnrt__cpu_shape *oldest = &self->shapes[0], *shape;
    uint8_t *block;
    size_t size, i, k;
    OH_NN_ReturnCode code;
    for (i = 0; i < NNRT__CPU_SHAPES_KEPT; i++) {
        bool same = self->shapes[i].shapes != NULL;
        for (k = 0; same && k < input_count; k++)
            same = self->shapes[i].shapes[k].rank == inputs[k].rank &&
                   memcmp(self->shapes[i].shapes[k].dims, inputs[k].dims, inputs[k].rank * sizeof(int32_t)) == 0;
        if (same) {
            *found = &self->shapes[i];
            return OH_NN_SUCCESS;
        }
        if (self->shapes[i].used < oldest->used) oldest = &self->shapes[i];
    }
    shape = oldest;
    if (self->last == shape) self->last = NULL;
    nnrt__cpu_shape_close(shape);
    shape->shapes = (nnrt__shape *)nnrt__alloc_zero(input_count, sizeof(nnrt__shape));
    if (shape->shapes == NULL) return nnrt__fail_memory();
    for (k = 0; k < input_count; k++) {
        shape->shapes[k].rank = inputs[k].rank;
        memcpy(shape->shapes[k].dims, inputs[k].dims, inputs[k].rank * sizeof(int32_t));
    }
    code = nnrt__compile(model->graph, shape->shapes, &model->options, &shape->memory, &block, &size);
    if (code == OH_NN_SUCCESS)
        code = nnrt__plan_load(&shape->plan, block, size, &model->kernels, model->options.model_size, false);
    if (code == OH_NN_SUCCESS)
        code = nnrt__instance_open(&shape->instance, &shape->plan,
                                   shape->plan.header->model_size != 0 ? model->options.model : NULL);
    if (code != OH_NN_SUCCESS) nnrt__cpu_shape_close(shape);
    else *found = shape;
    return code;
}

/* The address to use for tensor i: its own, or that of an aligned copy when its own is not aligned for its
   type. The copy is made at the first such run and kept. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_align(nnrt__cpu_executor *self, size_t i, void *data, size_t element, size_t size) {
    self->pointers[i] = data;
    if ((uintptr_t)data % element == 0) return OH_NN_SUCCESS;
    if (self->bounce_size[i] < size) {
        void *copy = nnrt__alloc(size);
        if (copy == NULL) return nnrt__fail_memory();
        nnrt__free(self->bounce[i]);
        self->bounce[i] = copy;
        self->bounce_size[i] = size;
    }
    self->pointers[i] = self->bounce[i];
    return OH_NN_SUCCESS;
}

/* Input or output `number` of a run against what the plan reads or writes. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_io(const nnrt__plan_value *value, const nnrt_io *io, bool output,
                                             size_t number) {
    const char *what = output ? "output" : "input";
    uint32_t k;
    if (io->dtype != (OH_NN_DataType)value->dtype)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s %zu is %s, the model has %s", what, number,
                          nnrt__dtype_name(io->dtype), nnrt__dtype_name((OH_NN_DataType)value->dtype));
    if (!output) {
        bool same = io->rank == value->rank || (value->rank == 0 && io->rank == 1 && io->dims[0] == 1);
        for (k = 0; same && k < value->rank; k++) same = io->dims[k] == value->dims[k];
        if (!same) return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "input %zu has another shape than the model", number);
    }
    if (io->size < value->size)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s %zu has %zu bytes, the model needs %zu", what, number, io->size,
                          (size_t)value->size);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                        size_t output_count) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    nnrt__cpu_shape *shape = self->last;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    const nnrt__loaded_plan *plan;
    size_t i, k;
    nnrt__atomic_store(&self->cancel, 0);
    if (self->model->dynamic) code = nnrt__cpu_find_shape(self, inputs, input_count, &shape);
    if (code != OH_NN_SUCCESS) return code;
    shape->used = ++self->clock;
    self->last = shape;
    plan = shape->instance.plan;
    for (i = 0; code == OH_NN_SUCCESS && i < input_count + output_count; i++) {
        const nnrt__plan_value *value = plan->operand_values[i];
        const nnrt_io *io = i < input_count ? &inputs[i] : &outputs[i - input_count];
        code = nnrt__cpu_check_io(value, io, i >= input_count, i < input_count ? i : i - input_count);
        if (code == OH_NN_SUCCESS)
            code = nnrt__cpu_align(self, i, io->data, nnrt__element_size(io->dtype), (size_t)value->size);
        if (code == OH_NN_SUCCESS && i < input_count && self->pointers[i] != io->data)
            memcpy(self->pointers[i], io->data, (size_t)value->size);
    }
    if (code == OH_NN_SUCCESS)
        code = nnrt__instance_run(&shape->instance, self->pool, self->pointers, self->pointers + input_count,
                                  self->model->profile, &self->cancel);
    for (i = 0; code == OH_NN_SUCCESS && i < output_count; i++) {
        const nnrt__plan_value *value = plan->operand_values[input_count + i];
        if (self->pointers[input_count + i] != outputs[i].data)
            memcpy(outputs[i].data, self->pointers[input_count + i], (size_t)value->size);
        outputs[i].rank = value->rank != 0 ? value->rank : 1;
        outputs[i].dims[0] = 1;
        for (k = 0; k < value->rank; k++) outputs[i].dims[k] = value->dims[k];
    }
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_profile(void *executor, const nnrt_profile_step **steps, uint32_t *count) {
    const nnrt__cpu_executor *self = (const nnrt__cpu_executor *)executor;
    if (self->last == NULL)
        return nnrt__fail(OH_NN_DYNAMIC_SHAPE, "a model with dynamic shapes has no steps before its first run");
    *steps = self->last->instance.profile;
    *count = self->last->instance.plan->header->step_count;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_memory(void *executor, nnrt_memory *memory) {
    const nnrt__cpu_executor *self = (const nnrt__cpu_executor *)executor;
    const nnrt__cpu_prepared *model = self->model;
    size_t i;
    memset(memory, 0, sizeof(*memory));
    memory->heap_bytes = sizeof(*self) + sizeof(*model) + self->io_count * (2 * sizeof(void *) + sizeof(size_t));
    if (self->pool != NULL) memory->heap_bytes += sizeof(nnrt__pool);
    for (i = 0; i < self->io_count; i++) memory->heap_bytes += self->bounce_size[i];
    for (i = 0; i < NNRT__CPU_SHAPES_KEPT; i++) {
        const nnrt__cpu_shape *shape = &self->shapes[i];
        memory->heap_bytes += shape->instance.heap_bytes + shape->plan.heap_bytes;
        if (shape->memory != NULL) memory->heap_bytes += (size_t)shape->plan.header->size + NNRT__PLAN_ALIGNMENT;
    }
    if (!model->dynamic) {
        memory->heap_bytes += model->plan.heap_bytes;
        if (model->memory != NULL) memory->heap_bytes += model->block_size + NNRT__PLAN_ALIGNMENT;
        else memory->borrowed_bytes = model->block_size;
    }
    if (self->last != NULL) {
        const nnrt__loaded_plan *plan = self->last->instance.plan;
        memory->arena_bytes = (size_t)plan->header->arena_size;
        memory->scratch_bytes = (size_t)plan->header->scratch_size;
        memory->weights_bytes = (size_t)plan->header->constants_size;
        memory->plan_bytes = (size_t)plan->header->size;
        for (i = 0; i < plan->header->value_count; i++)
            if (plan->values[i].segment == NNRT__SEGMENT_MODEL) memory->borrowed_bytes += (size_t)plan->values[i].size;
    }
    return OH_NN_SUCCESS;
}

static const nnrt_backend nnrt__cpu_backend = {
    /* version        */ NNRT_BACKEND_VERSION,
    /* name           */ "cpu",
    /* vendor         */ "nnrt",
    /* device_version */ NNRT_VERSION,
    /* type           */ OH_NN_CPU,
    /* capabilities   */ NNRT_CAN_PERFORMANCE | NNRT_CAN_DYNAMIC_SHAPE | NNRT_CAN_CACHE,
    /* user           */ NULL,
    /* open           */ NULL,
    /* supports       */ nnrt__cpu_supports,
    /* check_config   */ nnrt__cpu_check_config,
    /* prepare        */ nnrt__cpu_prepare,
    /* restore        */ nnrt__cpu_restore,
    /* save           */ nnrt__cpu_save,
    /* release        */ nnrt__cpu_release,
    /* io_count       */ nnrt__cpu_io_count,
    /* io_desc        */ nnrt__cpu_io_desc,
    /* input_range    */ nnrt__cpu_input_range,
    /* open_executor  */ nnrt__cpu_open_executor,
    /* close_executor */ nnrt__cpu_close_executor,
    /* run            */ nnrt__cpu_run,
    /* cancel         */ nnrt__cpu_cancel,
    /* profile        */ nnrt__cpu_profile,
    /* memory         */ nnrt__cpu_memory,
    /* allocate       */ NULL,
    /* import         */ NULL,
    /* free_memory    */ NULL,
    /* expect_cancel  */ NULL,
    /* info           */ NULL,
    /* inspect        */ nnrt__cpu_inspect,
    /* facts          */ NULL};

#endif /* NNRT_BACKEND_CPU_H */
