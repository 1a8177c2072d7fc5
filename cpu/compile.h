/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/compile.h - graph in, plan out.   >>cpu_compile */
#ifndef NNRT_CPU_COMPILE_H
#define NNRT_CPU_COMPILE_H

#include "accelerate.h"
#include "fold.h"
#include "rewrite_float16.h"
#include "rewrite_svdf.h"
#include "rewrite_uint8.h"

/* Replaces an operator that no kernel computes, or not in its types, by several; *i is then the first of them. An
   accelerator knows no zero points of weights. */
NNRT__FN OH_NN_ReturnCode nnrt__rewrite_node(nnrt__ir *ir, uint32_t *i, const nnrt__compile_options *options) {
    const uint32_t before = ir->nodes[*i].previous;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    bool changed = false;
    if (nnrt__widens(ir, &ir->nodes[*i])) {
        changed = true;
        code = nnrt__widen(ir, *i);
    } else if (nnrt__ir_inputs_known(ir, &ir->nodes[*i]) && nnrt__svdf_is_whole(ir, &ir->nodes[*i])) {
        changed = true;
        code = nnrt__rewrite_svdf(ir, *i);
    } else if (nnrt__ir_inputs_known(ir, &ir->nodes[*i])) {
        code = nnrt__rewrite_uint8(ir, *i, options->bounds.accelerator == NULL, &changed);
    }
    if (changed) *i = before == NNRT__NONE ? ir->first : ir->nodes[before].next;
    return code;
}

/* Reports a refused node. Its readers then use the declared shapes of its outputs, where there are any. */
NNRT__FN void nnrt__ir_pass_over(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__refusals *refusals) {
    uint32_t k;
    nnrt__refuse(refusals, node);
    for (k = 0; k < node->output_count; k++) {
        nnrt__ir_value *value = nnrt__ir_out(ir, node, k);
        if (!value->known && value->rank != 0) (void)nnrt__ir_measure(value);
    }
}

/* Infers every shape and folds constants, in order of execution: so whole chains fold, and an operator whose weights
   are computed from constants sees constants. */
NNRT__FN OH_NN_ReturnCode nnrt__infer_and_fold(nnrt__ir *ir, const nnrt__compile_options *options) {
    nnrt__folding folding = nnrt__folding_begin(ir, options);
    OH_NN_ReturnCode code = OH_NN_SUCCESS, refused = OH_NN_SUCCESS;
    uint32_t i, next;
    for (i = ir->first; code == OH_NN_SUCCESS && i != NNRT__NONE; i = next) {
        code = nnrt__rewrite_node(ir, &i, options);
        next = ir->nodes[i].next;
        if (refused != OH_NN_SUCCESS && !nnrt__ir_inputs_known(ir, &ir->nodes[i])) continue;
        if (code == OH_NN_SUCCESS) code = nnrt__ir_infer_node(ir, &ir->nodes[i]);
        if (code == OH_NN_SUCCESS) code = nnrt__fold(&folding, i);
        if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR || options->refusals == NULL) continue;
        nnrt__ir_pass_over(ir, &ir->nodes[i], options->refusals);
        refused = code;
        code = OH_NN_SUCCESS;
    }
    if (code == OH_NN_SUCCESS) code = refused;
    return code == OH_NN_SUCCESS ? nnrt__ir_check_ends(ir) : code;
}

/* As nnrt__compile. *whole: as for nnrt__write_ir. */
NNRT__FN OH_NN_ReturnCode nnrt__compile_once(const nnrt_graph *graph, const nnrt__shape *shapes,
                                             const nnrt__compile_options *options, void **memory, uint8_t **plan,
                                             size_t *size, uint64_t *whole) {
    nnrt__ir ir;
    OH_NN_ReturnCode code = nnrt__ir_build(&ir, graph, shapes);
    *memory = NULL;
    if (code == OH_NN_SUCCESS) code = nnrt__infer_and_fold(&ir, options);
    if (NNRT__ACCELERATES && code == OH_NN_SUCCESS) code = nnrt__accelerate(&ir, options);
    if (code == OH_NN_SUCCESS) code = nnrt__write_ir(&ir, options, memory, plan, size, whole);
    nnrt__ir_free(&ir);
    return code == OH_NN_UNSUPPORTED ? OH_NN_FAILED : code;
}

/* Compiles graph with inputs of these shapes (NULL: none is dynamic). On success *memory is to be freed, and
   the plan is the first multiple of 64 in it; *plan, *size. */
NNRT__FN OH_NN_ReturnCode nnrt__compile(const nnrt_graph *graph, const nnrt__shape *shapes,
                                        const nnrt__compile_options *options, void **memory, uint8_t **plan,
                                        size_t *size) {
    nnrt__compile_options uncut = *options;
    uint64_t whole;
    OH_NN_ReturnCode code = nnrt__compile_once(graph, shapes, options, memory, plan, size, &whole);
    if (code != OH_NN_SUCCESS || whole == 0 || ((const nnrt__plan_header *)(const void *)*plan)->arena_size <= whole)
        return code;
    nnrt__free(*memory); /* the windows could not be placed in less: use whole tensors */
    uncut.stripes = 0;
    return nnrt__compile_once(graph, shapes, &uncut, memory, plan, size, &whole);
}

#endif /* NNRT_CPU_COMPILE_H */
