/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/fold.h - operators whose inputs are all constant, or that only read a shape, are computed at Build by the very
   steps that would run them.   >>cpu_fold

   The operator is compiled on its own and run once, and its results become constants: by construction the bytes that a
   run would have given. Three bounds keep a hostile model from making Build slow or large: operators whose work is a
   product of sizes (convolutions, pools and the like) are left to the run, and both the results of all folding together
   and what it reads have a budget. */
#ifndef NNRT_CPU_FOLD_H
#define NNRT_CPU_FOLD_H

#include "ir_cut.h"
#include "run.h"
#include "write_plan.h"

/* Budget for all folded results of a graph, on top of four times its own constants. */
#define NNRT__FOLD_BYTES 1048576u
/* Budget for all that folding reads and writes, in multiples of the budget of its results. A constant that many
   operators share is copied and read for each of them. */
#define NNRT__FOLD_WORK 16u

/* What is left of both while a graph is compiled. */
typedef struct nnrt__folding {
    nnrt__ir *ir;
    const nnrt__compile_options *options;
    size_t bytes;
    uint64_t work;
} nnrt__folding;

NNRT__FN nnrt__folding nnrt__folding_begin(nnrt__ir *ir, const nnrt__compile_options *options) {
    nnrt__folding folding;
    uint32_t i;
    folding.ir = ir;
    folding.options = options;
    folding.bytes = NNRT__FOLD_BYTES;
    for (i = 0; i < ir->value_count; i++)
        if (ir->values[i].data != NULL && ir->values[i].size <= (SIZE_MAX / 2 - folding.bytes) / 4)
            folding.bytes += 4 * ir->values[i].size;
    folding.work = (uint64_t)folding.bytes * NNRT__FOLD_WORK;
    return folding;
}

/* Computes the outputs of ir, which reads no input, into results[], each of its value's size. OH_NN_SUCCESS: done. */
NNRT__FN OH_NN_ReturnCode nnrt__fold_run(nnrt__ir *ir, const nnrt__compile_options *options, void *const *results) {
    nnrt__compile_options plain = *options;
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    void *memory, *inputs[1];
    int32_t cancel = 0;
    int8_t nothing = 0;
    uint64_t whole;
    uint8_t *block;
    size_t size;
    OH_NN_ReturnCode code;
    plain.threads = 1;
    plain.passes = 0;
    plain.keep_weights = false;
    plain.stripes = 0;
    plain.refusals = NULL;
    inputs[0] = &nothing;
    code = nnrt__write_ir(ir, &plain, &memory, &block, &size, &whole);
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

/* Folds node i, whose inputs are constant. It fails only if memory is out; a node that cannot be computed stays. */
NNRT__FN OH_NN_ReturnCode nnrt__fold_node(nnrt__ir *ir, uint32_t i, const nnrt__compile_options *options) {
    const uint32_t outputs = ir->nodes[i].output_count;
    void **results = (void **)nnrt__alloc_zero(outputs, sizeof(void *));
    const uint32_t *from = NULL;
    nnrt__ir alone;
    OH_NN_ReturnCode code;
    uint32_t k;
    if (results == NULL) return nnrt__fail_memory();
    code = nnrt__ir_take_part(ir, &i, 1, &alone, &from);
    NNRT_ASSERT(code != OH_NN_SUCCESS || alone.output_count == outputs);
    for (k = 0; code == OH_NN_SUCCESS && k < outputs; k++) {
        results[k] = nnrt__alloc(alone.values[alone.outputs[k]].size);
        if (results[k] == NULL) code = nnrt__fail_memory();
    }
    if (code == OH_NN_SUCCESS) code = nnrt__fold_run(&alone, options, results);
    if (code == OH_NN_SUCCESS) {
        for (k = 0; k < outputs; k++) {
            nnrt__ir_value *value = &ir->values[from[alone.outputs[k]]];
            value->data = value->owned = results[k];
            results[k] = NULL;
        }
        nnrt__ir_erase(ir, i);
    }
    for (k = 0; k < outputs; k++) nnrt__free(results[k]);
    nnrt__free((void *)results);
    nnrt__ir_free(&alone);
    return code == OH_NN_MEMORY_ERROR ? code : OH_NN_SUCCESS;
}

/* May and should this node be computed now? *bytes: of its results; *work: of its inputs, too. */
NNRT__FN bool nnrt__fold_wanted(const nnrt__ir *ir, const nnrt__ir_node *node, size_t *bytes, uint64_t *work) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
    uint32_t i;
    *bytes = 0;
    *work = 0;
    if (row == NULL || (row->flags & NNRT__CPU_HEAVY) != 0) return false;
    for (i = 0; i < node->input_count; i++) {
        if (nnrt__ir_asks_shape(node->op)) continue;
        if (nnrt__ir_in(ir, node, i)->data == NULL) return false;
        *work += nnrt__ir_in(ir, node, i)->size;
    }
    for (i = 0; i < node->output_count; i++) *bytes += nnrt__ir_out(ir, node, i)->size;
    *work += *bytes;
    return true;
}

/* Folds node i if it can be and its budget allows. */
NNRT__FN OH_NN_ReturnCode nnrt__fold(nnrt__folding *folding, uint32_t i) {
    size_t bytes;
    uint64_t work;
    if ((folding->options->passes & NNRT__PASS_FOLD) == 0 ||
        !nnrt__fold_wanted(folding->ir, &folding->ir->nodes[i], &bytes, &work) || bytes > folding->bytes ||
        work > folding->work)
        return OH_NN_SUCCESS;
    folding->bytes -= bytes;
    folding->work -= work;
    return nnrt__fold_node(folding->ir, i, folding->options);
}

#endif /* NNRT_CPU_FOLD_H */
