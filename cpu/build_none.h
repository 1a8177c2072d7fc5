/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/build_none.h - in place of build.h with NNRT_PLANS_ONLY: nothing is compiled.   >>cpu_build_none */
#ifndef NNRT_CPU_BUILD_NONE_H
#define NNRT_CPU_BUILD_NONE_H

#include "compiled.h"

#define NNRT__PASS_ALL 0u        /* nnrt.passes: there are none */
#define NNRT__CPU_SHAPES_KEPT 0u /* a plan has one shape */

NNRT__FN void nnrt__cpu_begin_options(nnrt__compile_options *options, OH_NN_PerformanceMode performance) {
    (void)options;
    (void)performance;
}

NNRT__FN bool nnrt__cpu_is_dynamic(const nnrt__cpu_prepared *model) {
    (void)model;
    return false;
}

NNRT__FN bool nnrt__cpu_resizes(const nnrt__cpu_prepared *model) {
    (void)model;
    return false;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_open(nnrt__cpu_prepared *model, const nnrt_request *request) {
    (void)model;
    (void)request;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_build_none(void) {
    return nnrt__fail(OH_NN_UNSUPPORTED, "%s", NNRT__PLANS_ONLY_TEXT);
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_target(nnrt__cpu_prepared *model, const char *name) {
    (void)model;
    (void)name;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.target: %s", NNRT__PLANS_ONLY_TEXT);
}

NNRT__FN void nnrt__cpu_select_for(nnrt__cpu_prepared *model, unsigned isa) {
    nnrt__cpu_select(&model->recipe->kernels, isa);
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_here(const nnrt__cpu_prepared *model) {
    (void)model;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_compile(nnrt__cpu_prepared *model, const nnrt_graph *graph) {
    (void)model;
    (void)graph;
    return nnrt__cpu_build_none();
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_model(nnrt__cpu_prepared *model, const void *bytes, size_t size) {
    (void)model;
    (void)bytes;
    (void)size;
    return nnrt__fail(OH_NN_INVALID_FILE, "no plan of this machine, and %s", NNRT__PLANS_ONLY_TEXT);
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_keep_model(nnrt__cpu_prepared *model) {
    (void)model;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_compile_shape(const nnrt__cpu_prepared *model, const nnrt__shape *shapes,
                                                  void **memory, uint8_t **block, size_t *size) {
    (void)model;
    (void)shapes;
    (void)memory;
    (void)block;
    (void)size;
    return nnrt__cpu_build_none();
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_pack(const nnrt__cpu_prepared *model, void **memory, uint8_t **block,
                                         size_t *size) {
    (void)model;
    (void)memory;
    (void)block;
    (void)size;
    return nnrt__cpu_build_none();
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return nnrt__cpu_build_none();
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_inspect_model(const void *bytes, size_t size, nnrt_inspect_callback tell,
                                                  void *user) {
    (void)bytes;
    (void)size;
    (void)tell;
    (void)user;
    return OH_NN_UNSUPPORTED;
}

#endif /* NNRT_CPU_BUILD_NONE_H */
