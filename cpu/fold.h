/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/fold.h - operators whose inputs are all constant, and those that ask for a shape only, are computed at Build, by
   the very steps that would run them.   >>cpu_fold

   The operator alone is compiled as a little graph, run once, and its results become constants. So a folded
   result is by construction the bytes that the run would have given. Three bounds keep a hostile model from
   making Build long or large: operators whose work is a product of sizes (convolutions, pools and their like)
   are left to the run, the results of all folding together have a budget, and so has what they read. */
#ifndef NNRT_CPU_FOLD_H
#define NNRT_CPU_FOLD_H

#include "compile.h"
#include "run.h"
#include "single_graph.h"

/* What all folded results of a graph may take, beyond four times its own constants. */
#define NNRT__FOLD_BYTES 1048576u
/* What all folding may read and write: so many times the budget of its results. A constant that many
   operators share is copied and read for each of them. */
#define NNRT__FOLD_WORK 16u

/* Computes node's outputs into results[], each of its value's size. OH_NN_SUCCESS: done. */
NNRT__FN OH_NN_ReturnCode nnrt__fold_run(const nnrt_graph *graph, const nnrt__compile_options *options,
                                         void *const *results) {
    nnrt__compile_options plain = *options;
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    void *memory = NULL, *inputs[1];
    int32_t cancel = 0;
    int8_t nothing = 0;
    uint8_t *block;
    size_t size;
    OH_NN_ReturnCode code;
    plain.threads = 1;
    plain.passes = 0;
    plain.keep_weights = false;
    plain.stripes = 0;
    plain.refusals = NULL;
    inputs[0] = &nothing;
    code = nnrt__compile(graph, NULL, &plain, &memory, &block, &size);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__plan_load(&plan, block, size, options->kernels, 0, &options->bounds, 0);
    if (code == OH_NN_SUCCESS) {
        code = nnrt__instance_open(&instance, &plan, NULL, NULL);
        if (code == OH_NN_SUCCESS) {
            nnrt__instance_bind(&instance, inputs, results);
            code = nnrt__instance_run(&instance, NULL, results, false, &cancel, NULL);
            nnrt__instance_close(&instance);
        }
        nnrt__plan_unload(&plan);
    }
    nnrt__free(memory);
    return code;
}

/* Describes value to the little graph. */
NNRT__FN void nnrt__fold_tensor(nnrt_tensor_info *tensor, const nnrt__ir_value *value) {
    memset(tensor, 0, sizeof(*tensor));
    tensor->name = value->name;
    tensor->dtype = value->dtype;
    tensor->format = value->format;
    tensor->rank = value->rank;
    tensor->dims = value->dims;
    tensor->quant = value->quant;
    tensor->data = value->data;
    tensor->data_size = value->data != NULL ? value->size : 0;
}

/* Folds one node whose inputs are constant. Only running out of memory is a failure; a node that cannot be
   computed stays. */
NNRT__FN OH_NN_ReturnCode nnrt__fold_node(nnrt__ir *ir, nnrt__ir_node *node, const nnrt__compile_options *options) {
    void **results = (void **)nnrt__alloc_zero(node->output_count, sizeof(void *));
    nnrt__single_graph single;
    nnrt_node alone = *node->source;
    OH_NN_ReturnCode code;
    uint32_t i;
    alone.op = node->op;
    alone.input_count = node->input_count;
    alone.output_count = node->output_count;
    code = nnrt__single_graph_open(&single, &alone);
    if (code != OH_NN_SUCCESS || results == NULL) {
        if (code == OH_NN_SUCCESS) nnrt__single_graph_close(&single);
        nnrt__free((void *)results);
        return nnrt__fail_memory();
    }
    for (i = 0; code == OH_NN_SUCCESS && i < node->output_count; i++) {
        results[i] = nnrt__alloc(nnrt__ir_out(ir, node, i)->size);
        if (results[i] == NULL) code = nnrt__fail_memory();
    }
    for (i = 0; i < node->input_count; i++) nnrt__fold_tensor(&single.tensors[i], nnrt__ir_in(ir, node, i));
    for (i = 0; i < node->output_count; i++)
        nnrt__fold_tensor(&single.tensors[node->input_count + i], nnrt__ir_out(ir, node, i));
    if (nnrt__ir_asks_shape(node->op)) nnrt__single_graph_input(&single, 0); /* one that is not read */
    else nnrt__single_graph_idle_input(&single);
    if (code == OH_NN_SUCCESS) code = nnrt__fold_run(&single.graph, options, results);
    for (i = 0; code == OH_NN_SUCCESS && i < node->output_count; i++) {
        nnrt__ir_value *value = nnrt__ir_out(ir, node, i);
        value->data = value->owned = results[i];
        value->producer = NNRT__NONE;
        results[i] = NULL;
    }
    if (code == OH_NN_SUCCESS) {
        node->removed = true;
        for (i = 0; i < node->input_count; i++) nnrt__ir_in(ir, node, i)->uses--;
    }
    for (i = 0; i < node->output_count; i++) nnrt__free(results[i]);
    nnrt__free((void *)results);
    nnrt__single_graph_close(&single);
    return code == OH_NN_MEMORY_ERROR ? code : OH_NN_SUCCESS;
}

/* May and should this node be computed now? *bytes: of its results; *work: of its inputs, too. */
NNRT__FN bool nnrt__fold_wanted(const nnrt__ir *ir, const nnrt__ir_node *node, size_t *bytes, uint64_t *work) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
    uint32_t i;
    *bytes = 0;
    *work = 0;
    if (node->removed || row == NULL || (row->flags & NNRT__CPU_HEAVY) != 0) return false;
    for (i = 0; i < node->input_count; i++) {
        if (nnrt__ir_asks_shape(node->op)) continue;
        if (nnrt__ir_in(ir, node, i)->data == NULL) return false;
        *work += nnrt__ir_in(ir, node, i)->size;
    }
    for (i = 0; i < node->output_count; i++) *bytes += nnrt__ir_out(ir, node, i)->size;
    *work += *bytes;
    return true;
}

/* A node is refused, and refusals are told of it: what reads its outputs takes them as they are declared, where they
   are. */
NNRT__FN void nnrt__ir_pass_over(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__refusals *refusals) {
    uint32_t k;
    nnrt__refuse(refusals, ir->graph, node->source);
    for (k = 0; k < node->output_count; k++) {
        nnrt__ir_value *value = nnrt__ir_out(ir, node, k);
        if (!value->known && value->rank != 0) (void)nnrt__ir_measure(value);
    }
}

/* Can the shapes of node be inferred? Not behind one that was passed over and declares no shape. */
NNRT__FN bool nnrt__ir_inputs_known(const nnrt__ir *ir, const nnrt__ir_node *node) {
    uint32_t k;
    for (k = 0; k < node->input_count; k++)
        if (!nnrt__ir_in(ir, node, k)->known) return false;
    return true;
}

/* Infers every shape and computes what is constant, in order of execution: chains fold whole, and an operator whose
   weights are computed from constants sees constants. */
NNRT__FN OH_NN_ReturnCode nnrt__infer_and_fold(nnrt__ir *ir, const nnrt__compile_options *options) {
    const bool fold = (options->passes & NNRT__PASS_FOLD) != 0;
    size_t budget = NNRT__FOLD_BYTES, bytes;
    uint64_t work_left, work;
    OH_NN_ReturnCode code = OH_NN_SUCCESS, refused = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < ir->value_count; i++)
        if (ir->values[i].data != NULL && ir->values[i].size <= (SIZE_MAX / 2 - budget) / 4)
            budget += 4 * ir->values[i].size;
    work_left = (uint64_t)budget * NNRT__FOLD_WORK;
    for (i = 0; code == OH_NN_SUCCESS && i < ir->node_count; i++) {
        nnrt__ir_node *node = &ir->nodes[i];
        if (refused != OH_NN_SUCCESS && !nnrt__ir_inputs_known(ir, node)) continue;
        code = nnrt__ir_infer_node(ir, node);
        if (code != OH_NN_SUCCESS && code != OH_NN_MEMORY_ERROR && options->refusals != NULL) {
            nnrt__ir_pass_over(ir, node, options->refusals);
            refused = code;
            code = OH_NN_SUCCESS;
            continue;
        }
        if (code != OH_NN_SUCCESS || !fold || !nnrt__fold_wanted(ir, node, &bytes, &work)) continue;
        if (bytes > budget || work > work_left) continue;
        budget -= bytes;
        work_left -= work;
        code = nnrt__fold_node(ir, node, options);
    }
    if (code == OH_NN_SUCCESS) code = refused;
    return code == OH_NN_SUCCESS ? nnrt__ir_check_ends(ir) : code;
}

#endif /* NNRT_CPU_FOLD_H */
