/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/custom_op.h - custom operators: C functions of the program that the vendor's runtime calls.   >>rknpu_custom_op

   The array comes as extension config "rknn.custom_op", at any alignment. The runtime calls through it until
   rknn_destroy, so that the context keeps an aligned copy; the program must keep the strings that entries point to
   (kernel sources) and the functions. */
#ifndef NNRT_RKNPU_CUSTOM_OP_H
#define NNRT_RKNPU_CUSTOM_OP_H

#include "errors.h"
#include "types.h"

/* NULL, or what is wrong with one operator. */
NNRT__FN const char *nnrt__rknpu_custom_op_problem(const nnrt_rknn_custom_op *op) {
    if (op->version != 1) return "version is not 1; set the structure to zero and version to 1";
    if (op->target != NNRT_RKNN_TARGET_CPU && op->target != NNRT_RKNN_TARGET_GPU)
        return "target is neither NNRT_RKNN_TARGET_CPU nor NNRT_RKNN_TARGET_GPU";
    if (memchr(op->op_type, '\0', sizeof(op->op_type)) == NULL || op->op_type[0] == '\0')
        return "op_type is not the name of an operator with a zero at its end";
    if (memchr(op->cl_kernel_name, '\0', sizeof(op->cl_kernel_name)) == NULL ||
        memchr(op->cl_build_options, '\0', sizeof(op->cl_build_options)) == NULL)
        return "cl_kernel_name or cl_build_options has no zero at its end";
    if (op->target == NNRT_RKNN_TARGET_GPU && (op->cl_kernel_source == NULL || op->cl_kernel_name[0] == '\0'))
        return "an operator for the GPU needs cl_kernel_source and cl_kernel_name";
    if (op->compute == NULL) return "compute is NULL";
    if (op->compute_native != NULL) return "compute_native is set; no runtime supports it, leave it NULL";
    return NULL;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_custom_ops(const nnrt_rknn_custom_op *ops, uint32_t count) {
    uint32_t i, k;
    for (i = 0; i < count; i++) {
        const char *problem = nnrt__rknpu_custom_op_problem(&ops[i]);
        for (k = 0; k < i && problem == NULL; k++)
            if (strcmp(ops[k].op_type, ops[i].op_type) == 0) problem = "op_type is that of an earlier one";
        if (problem != NULL)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "rknn.custom_op, operator %u: %s", (unsigned)i, problem);
    }
    return OH_NN_SUCCESS;
}

/* Registers the operators of options, if any, with an entered context that has not run yet, which calls their init
   callbacks. The context keeps the copy; after a failure it is unusable and must be released. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_register_custom_ops(const nnrt__rknpu_library *library,
                                                          nnrt__rknpu_context *context,
                                                          const nnrt__rknpu_options *options) {
    const size_t slot = context->kept[0] == NULL ? 0 : 1;
    nnrt_rknn_custom_op *copy;
    OH_NN_ReturnCode code;
    int result;
    if (options->custom_op_count == 0) return OH_NN_SUCCESS;
    if (library->mini || library->api.register_custom_ops == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "rknn.custom_op needs librknnrt 1.6.0 or later; %s has no "
                          "rknn_register_custom_ops",
                          library->name);
    if (context->kept[slot] != NULL) return nnrt__fail(OH_NN_FAILED, "the context has custom operators already");
    copy = (nnrt_rknn_custom_op *)nnrt__alloc_zero(options->custom_op_count, sizeof(*copy));
    if (copy == NULL) return nnrt__fail_memory();
    memcpy(copy, (const void *)(uintptr_t)options->custom_ops, options->custom_op_count * sizeof(*copy));
    code = nnrt__rknpu_check_custom_ops(copy, options->custom_op_count);
    if (code == OH_NN_SUCCESS) {
        context->kept[slot] = copy; /* even a failing call may have kept the address */
        result = library->api.register_custom_ops(context->handle, copy, options->custom_op_count);
        return result == NNRT_RKNN_SUCC ? OH_NN_SUCCESS : nnrt__rknpu_fail(result, "rknn_register_custom_ops");
    }
    nnrt__free(copy);
    return code;
}

#endif /* NNRT_RKNPU_CUSTOM_OP_H */
