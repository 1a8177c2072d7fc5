/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/build.h - from a graph or a .tflite to a compiled model; not in builds with NNRT_PLANS_ONLY.   >>cpu_build */
#ifndef NNRT_CPU_BUILD_H
#define NNRT_CPU_BUILD_H

#include "../core/foreign.h"
#include "../nnrt_tflite.h"
#include "compile.h"
#include "compiled.h"
#include "fold.h"
#include "values.h"

/* How many compiled shapes an executor of a dynamic model keeps; one more while a new one is made. */
#define NNRT__CPU_SHAPES_KEPT 4u

/* Compile options for that performance mode, before any config changes them. */
NNRT__FN void nnrt__cpu_begin_options(nnrt__compile_options *options, OH_NN_PerformanceMode performance) {
    options->passes = NNRT__PASS_ALL;
    options->keep_weights = performance == OH_NN_PERFORMANCE_LOW;
    options->stripes = performance == OH_NN_PERFORMANCE_LOW ? NNRT__STRIPES_OF_LOW : 0;
}

/* Does a run set the shape of an input, or a value that shapes depend on? */
NNRT__FN bool nnrt__cpu_is_dynamic(const nnrt__cpu_prepared *model) { return model->dynamic; }

/* May a run give inputs shapes other than those that the model was compiled for? */
NNRT__FN bool nnrt__cpu_resizes(const nnrt__cpu_prepared *model) { return model->open != NULL; }

NNRT__FN bool nnrt__graph_is_dynamic(const nnrt_graph *graph) {
    uint32_t i, k;
    for (i = 0; i < graph->input_count; i++) {
        const nnrt_tensor_info *tensor = &graph->tensors[graph->inputs[i]];
        for (k = 0; k < tensor->rank; k++)
            if (tensor->dims[k] == -1) return true;
    }
    return false;
}

/* Refuses operator number i, which has no kernel. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_no_kernel(OH_NN_OperationType op, uint32_t i) {
    return nnrt__fail(OH_NN_UNSUPPORTED, "%s (operator %u): " NNRT__NO_KERNEL, nnrt__op_name((int)op), (unsigned)i);
}

/* Checks that every operator of a graph has a kernel, as far as can be known before shapes are. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_operators(const nnrt_graph *graph) {
    uint32_t i;
    for (i = 0; i < graph->node_count; i++) {
        if (nnrt__cpu_op_find(graph->nodes[i].op) != NULL) continue;
        (void)nnrt__cpu_no_kernel(graph->nodes[i].op, i);
        return OH_NN_FAILED;
    }
    return OH_NN_SUCCESS;
}

/* The accelerator that a target begins with, "rk3588" or "rk3588+neon"; NULL: it names none. *isa: the rest of it, or
   the instruction set of the processors beside the accelerator. */
NNRT__FN const nnrt__accelerator *nnrt__cpu_target_accelerator(const char *name, const char **isa) {
    const char *plus = strchr(name, '+');
    const size_t length = plus != NULL ? (size_t)(plus - name) : strlen(name);
    const nnrt__accelerator *accelerator = NULL;
    char first[NNRT__ACCELERATOR_NAME];
    if (length < sizeof(first)) {
        memcpy(first, name, length);
        first[length] = '\0';
        accelerator = nnrt__accelerator_find(first);
    }
    if (accelerator != NULL) *isa = plus != NULL ? plus + 1 : accelerator->isa;
    return accelerator;
}

/* Reads nnrt.target; model may be NULL to check only. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_target(nnrt__cpu_prepared *model, const char *name) {
    const char *isa = name;
    const nnrt__accelerator *accelerator = NNRT__ACCELERATES ? nnrt__cpu_target_accelerator(name, &isa) : NULL;
    const nnrt__target *target = nnrt__target_find(isa);
    if (target == NULL) {
        char names[64];
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.target: \"%.60s\" is no instruction set%s; there are %s%s",
                          name, NNRT__ACCELERATES ? " and no chip" : "", NNRT__ISA_NAMES,
                          nnrt__accelerator_names(names, sizeof(names)));
    }
    if (model == NULL) return OH_NN_SUCCESS;
    model->target = target;
    if (accelerator != NULL) model->recipe->options.bounds.accelerator = accelerator;
    model->recipe->options.bounds.part_ms = 0;
    return OH_NN_SUCCESS;
}

/* The kernels to compile with: those of this machine for the highest level among the NNRT__ISA bits isa, or the
   packings of the target. A plan is for one level, and not every level contains those before it. Then no setting
   changes any more. */
NNRT__FN void nnrt__cpu_select_for(nnrt__cpu_prepared *model, unsigned isa) {
    if (model->recipe->options.keep) model->recipe->options.stripes = 0; /* stripes hold windows of tensors */
    if (model->target != NULL) nnrt__cpu_select_target(&model->recipe->kernels, model->target);
    else nnrt__cpu_select(&model->recipe->kernels, nnrt__target_of(isa)->isa);
}

/* Refuses to run a model that was compiled for another machine. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_here(const nnrt__cpu_prepared *model) {
    const nnrt__accelerator *accelerator = model->recipe->options.bounds.accelerator;
    if (model->target == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN,
                      "the model was compiled for %s%s%s (nnrt.target): save it and run it there", model->target->name,
                      accelerator != NULL ? " and " : "", accelerator != NULL ? accelerator->name : "");
}

NNRT__FN void nnrt__cpu_note_operator(nnrt__cpu_prepared *model, OH_NN_OperationType op) {
    model->recipe->operators[(unsigned)op / 32 % NNRT__CPU_OPERATOR_WORDS] |= (uint32_t)1 << (unsigned)op % 32;
}

/* Notes the operators that a build with NNRT_OPS needs for this graph: its own, and those that rewrites may add. */
NNRT__FN void nnrt__cpu_note_operators(nnrt__cpu_prepared *model, const nnrt_graph *graph) {
    uint32_t i, k;
    for (i = 0; i < graph->node_count; i++) {
        const nnrt_node *node = &graph->nodes[i];
        const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
        const nnrt__signed_way way = nnrt__signed_way_of(node->op);
        bool half = false;
        nnrt__cpu_note_operator(model, node->op);
        for (k = 0; k < node->input_count + node->output_count; k++)
            half =
                half ||
                graph->tensors[k < node->input_count ? node->inputs[k] : node->outputs[k - node->input_count]].dtype ==
                    OH_NN_FLOAT16;
        if (half && row != NULL && (row->flags & NNRT__CPU_ANY_TYPE) == 0)
            nnrt__cpu_note_operator(model, OH_NN_OPS_CAST); /* to and from float32 */
        if (node->op == OH_NN_OPS_SVDF) {
            nnrt__cpu_note_operator(model, OH_NN_OPS_FULL_CONNECTION);
            if (graph->tensors[node->inputs[2]].dtype != OH_NN_FLOAT32)
                nnrt__cpu_note_operator(model, OH_NN_OPS_QUANT_DTYPE_CAST);
        }
        if (way == NNRT__SIGNED_NOT || graph->tensors[node->outputs[0]].dtype != OH_NN_UINT8) continue;
        nnrt__cpu_note_operator(model, OH_NN_OPS_QUANT_DTYPE_CAST); /* to and from int8 */
        if (way < NNRT__SIGNED_PLAIN) nnrt__cpu_note_operator(model, OH_NN_OPS_CONCAT);
        if (way == NNRT__SIGNED_ROWS) nnrt__cpu_note_operator(model, OH_NN_OPS_RESHAPE);
    }
}

/* Finds the inputs whose values are needed to compile (cpu/values.h). If refusals are reported, unknowable inputs have
   been reported already, and only the others count. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_find_givers(nnrt__cpu_prepared *model, const nnrt_graph *graph) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    if (model->recipe->options.refusals == NULL) return nnrt__values_find(graph, NULL, model->recipe->givers);
    for (i = 0; i < graph->node_count && code != OH_NN_MEMORY_ERROR; i++)
        code = nnrt__values_find(graph, &graph->nodes[i], model->recipe->givers);
    return code == OH_NN_MEMORY_ERROR ? code : OH_NN_SUCCESS;
}

/* Compiles the model's graph; a dynamic one is compiled when shapes are known. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_compile(nnrt__cpu_prepared *model, const nnrt_graph *graph) {
    OH_NN_ReturnCode code;
    uint8_t *block;
    uint32_t i;
    nnrt__cpu_note_operators(model, graph);
    code = nnrt__cpu_find_givers(model, graph);
    if (code != OH_NN_SUCCESS) return code == OH_NN_UNSUPPORTED ? OH_NN_FAILED : code;
    model->dynamic = nnrt__graph_is_dynamic(graph);
    for (i = 0; i < NNRT__COUNT_OF(model->recipe->givers); i++)
        model->dynamic = model->dynamic || model->recipe->givers[i] != 0;
    if (model->dynamic) {
        model->graph = graph;
        return nnrt__cpu_check_operators(graph);
    }
    code = nnrt__compile(graph, NULL, &model->recipe->options, &model->memory, &block, &model->block_size);
    if (code == OH_NN_SUCCESS)
        code = nnrt__plan_load(&model->plan, block, model->block_size, &model->recipe->kernels,
                               model->recipe->options.model_size, &model->recipe->options.bounds, 0);
    return code;
}

/* After a .tflite is compiled, its graph is freed, unless later shapes are compiled from it. The file is freed as well
   if the plan holds everything it needs and no input can have another shape. Keeping a mapped file costs address space
   only; one that was read (nnrt.map is 0) costs its size in RAM. */
NNRT__FN void nnrt__cpu_settle(nnrt__cpu_prepared *model) {
    if (model->dynamic) return;
    nnrt__graph_store_release(model->store);
    model->store = NULL;
    if (model->plan.header->model_size != 0 || model->open != NULL) return;
    nnrt__unmap_file(&model->file);
    model->recipe->options.model = NULL;
    model->recipe->options.model_size = 0;
}

/* Compiles the bytes of a .tflite. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_model(nnrt__cpu_prepared *model, const void *bytes, size_t size) {
    char text[NNRT__FOREIGN_SIZE];
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_is(bytes, size))
        return nnrt__fail(OH_NN_INVALID_FILE, "neither a .tflite model nor a plan of this machine: %s",
                          nnrt__foreign_say(bytes, size, text));
    code = nnrt__tflite_read(bytes, size, &model->store);
    if (code != OH_NN_SUCCESS) return code;
    model->recipe->options.model = (const uint8_t *)bytes;
    model->recipe->options.model_size = size;
    model->recipe->options.file = &model->file;
    code = nnrt__cpu_compile(model, nnrt__graph_store_graph(model->store));
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_open_shapes(bytes, size, &model->open);
    if (code == OH_NN_SUCCESS) nnrt__cpu_settle(model);
    return code;
}

/* Copies the .tflite bytes that runs or later shapes still need, so that the program may free its own. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_keep_model(nnrt__cpu_prepared *model) {
    const size_t size = model->recipe->options.model_size;
    nnrt__graph_store *store = NULL;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (model->recipe->options.model == NULL) return OH_NN_SUCCESS; /* nnrt__cpu_settle found that nothing needs them */
    model->file.memory = nnrt__alloc(size);
    if (model->file.memory == NULL)
        return nnrt__fail(
            OH_NN_MEMORY_ERROR,
            "out of memory for a copy of the model, %zu bytes: where it stays until its executors are gone, "
            "nnrt_compilation_use_in_place spares the copy",
            size);
    memcpy(model->file.memory, model->recipe->options.model, size);
    model->file.data = model->recipe->options.model = (const uint8_t *)model->file.memory;
    model->file.size = size;
    if (model->store == NULL) return OH_NN_SUCCESS;
    code = nnrt__tflite_read(model->file.data, size, &store); /* the graph points into the bytes */
    if (code != OH_NN_SUCCESS) return code;
    nnrt__graph_store_release(model->store);
    model->store = store;
    model->graph = nnrt__graph_store_graph(store);
    return OH_NN_SUCCESS;
}

/* A plan from a cache still needs the model, to compile other shapes from. A file that is no .tflite, or cannot be
   read, has no graph. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_open(nnrt__cpu_prepared *model, const nnrt_request *request) {
    const void *bytes = request->model;
    size_t size = request->model_size;
    OH_NN_ReturnCode code;
    if (request->model_path != NULL) {
        if (nnrt__take_file(request->model_path, request->read_files, &model->file) != NULL) return OH_NN_SUCCESS;
        bytes = model->file.data;
        size = model->file.size;
    }
    code = nnrt__tflite_open_shapes(bytes, size, &model->open);
    if (model->open == NULL) {
        nnrt__unmap_file(&model->file);
        return code;
    }
    model->recipe->options.model = (const uint8_t *)bytes;
    model->recipe->options.model_size = size;
    return request->model_path == NULL && request->model_goes ? nnrt__cpu_keep_model(model) : OH_NN_SUCCESS;
}

/* Are shapes those that graph declares for its inputs, as far as it declares any? A scalar is given as [1]. */
NNRT__FN bool nnrt__cpu_as_declared(const nnrt_graph *graph, const nnrt__shape *shapes) {
    uint32_t i, k;
    for (i = 0; i < graph->input_count; i++) {
        const nnrt_tensor_info *tensor = &graph->tensors[graph->inputs[i]];
        for (k = 0; k < tensor->rank && k < shapes[i].rank; k++)
            if (tensor->dims[k] != -1 && tensor->dims[k] != shapes[i].dims[k]) return false;
    }
    return true;
}

/* Compiles a dynamic model, or one whose inputs have open shapes, for inputs of these shapes. To be freed: *memory. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_compile_shape(const nnrt__cpu_prepared *model, const nnrt__shape *shapes,
                                                  void **memory, uint8_t **block, size_t *size) {
    nnrt__graph_store *store = NULL;
    OH_NN_ReturnCode code;
    if (model->dynamic && (model->open == NULL || nnrt__cpu_as_declared(model->graph, shapes)))
        return nnrt__compile(model->graph, shapes, &model->recipe->options, memory, block, size);
    NNRT_ASSERT(model->open != NULL && model->recipe->options.model != NULL);
    code = nnrt__tflite_read_open(model->recipe->options.model, model->recipe->options.model_size, &store);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__compile(nnrt__graph_store_graph(store), shapes, &model->recipe->options, memory, block, size);
    nnrt__graph_store_release(store);
    return code;
}

/* A plan with the weights inside, made from one that refers to the model's bytes, which are read again. Sets *block and
   *size; the caller frees *memory. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_pack(const nnrt__cpu_prepared *model, void **memory, uint8_t **block,
                                         size_t *size) {
    nnrt__compile_options options = model->recipe->options;
    nnrt__graph_store *store;
    OH_NN_ReturnCode code = nnrt__tflite_read(options.model, options.model_size, &store);
    if (code != OH_NN_SUCCESS) return code;
    options.keep_weights = false;
    code = nnrt__compile(nnrt__graph_store_graph(store), NULL, &options, memory, block, size);
    nnrt__graph_store_release(store);
    return code;
}

/* Infers node alone, whose inputs have their declared shapes. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_infer_alone(const nnrt_graph *graph, const nnrt_node *node) {
    nnrt__compile_options options;
    nnrt__ir ir;
    OH_NN_ReturnCode code = nnrt__ir_build_alone(&ir, graph, node);
    memset(&options, 0, sizeof(options)); /* nothing is folded */
    if (code == OH_NN_SUCCESS) code = nnrt__infer_and_fold(&ir, &options);
    nnrt__ir_free(&ir);
    return code;
}

/* Does Build turn an input of `asked` into a constant, because all operators before it read constants only
   (cpu/fold.h), or because it is float16? Operators are taken in the order in which they were added. If memory is out
   there is no answer: true. */
NNRT__FN bool nnrt__cpu_reads_folded(const nnrt_graph *graph, const nnrt_node *asked) {
    bool *constant = (bool *)nnrt__alloc_zero(graph->tensor_count, sizeof(bool)), folded = constant == NULL;
    uint32_t i, k;
    if (folded) return true;
    for (i = 0; i < graph->tensor_count; i++) constant[i] = graph->tensors[i].data != NULL;
    for (i = 0; i < graph->node_count && &graph->nodes[i] != asked; i++) {
        const nnrt_node *node = &graph->nodes[i];
        bool all = true;
        for (k = 0; k < node->input_count; k++) all = all && constant[node->inputs[k]];
        for (k = 0; all && k < node->output_count; k++) constant[node->outputs[k]] = true;
    }
    for (k = 0; k < asked->input_count; k++)
        folded = folded || (constant[asked->inputs[k]] && (graph->tensors[asked->inputs[k]].data == NULL ||
                                                           graph->tensors[asked->inputs[k]].dtype == OH_NN_FLOAT16));
    nnrt__free(constant);
    return folded;
}

/* OH_NN_SUCCESS: node has kernels for its types. Build finds wrong shapes, this does not. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    const nnrt_node *asked = &graph->nodes[node];
    uint32_t givers[NNRT__COUNT_OF(((nnrt__cpu_recipe *)NULL)->givers)] = {0};
    (void)device;
    if (nnrt__cpu_op_find(asked->op) == NULL) return nnrt__cpu_no_kernel(asked->op, node);
    if (nnrt__values_find(graph, asked, givers) == OH_NN_UNSUPPORTED) return OH_NN_UNSUPPORTED;
    /* Out of memory is no verdict on the operator: Build will meet it again and report it. */
    return nnrt__cpu_infer_alone(graph, asked) == OH_NN_UNSUPPORTED && !nnrt__cpu_reads_folded(graph, asked)
               ? OH_NN_UNSUPPORTED
               : OH_NN_SUCCESS;
}

/* What the header of a .tflite says; OH_NN_UNSUPPORTED: it is no .tflite. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_inspect_model(const void *bytes, size_t size, nnrt_inspect_callback tell,
                                                  void *user) {
    nnrt__fb fb;
    nnrt__fb_table model;
    uint32_t schema = 0;
    char text[64];
    size_t root;
    if (!nnrt__tflite_is(bytes, size)) return OH_NN_UNSUPPORTED;
    memset(&fb, 0, sizeof(fb));
    fb.bytes = (const uint8_t *)bytes;
    fb.size = size;
    if (!nnrt__fb_follow(&fb, 0, &root) || !nnrt__fb_table_at(&fb, root, &model) ||
        !nnrt__fb_u32(&fb, &model, NNRT__TFL_MODEL_VERSION, &schema))
        return nnrt__fail(OH_NN_INVALID_FILE, "the .tflite file is damaged: %s, at byte %zu of %zu%s", fb.what,
                          fb.where, size, nnrt__fb_hint(&fb));
    nnrt__format(text, sizeof(text), "TensorFlow Lite .tflite, schema %u", (unsigned)schema);
    if (tell != NULL) tell(user, "kind", text);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_BUILD_H */
