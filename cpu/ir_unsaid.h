/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir_unsaid.h - in place of ir_sentences.h with NNRT_NO_SENTENCES: codes alone.   >>cpu_ir_unsaid

   Nothing reads the reasons that operators give, so the compiler drops them. */
#ifndef NNRT_CPU_IR_UNSAID_H
#define NNRT_CPU_IR_UNSAID_H

#include "ops.h"

NNRT__FN OH_NN_ReturnCode nnrt__ir_fail(const nnrt__ir *ir, const nnrt__ir_node *node, OH_NN_ReturnCode code,
                                        const char *reason) {
    (void)ir;
    (void)node;
    (void)reason;
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__ir_fail_declared(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                 const nnrt__ir_value *value, uint32_t rank, const int32_t *dims) {
    (void)ir;
    (void)node;
    (void)value;
    (void)rank;
    (void)dims;
    return OH_NN_FAILED;
}

NNRT__FN OH_NN_ReturnCode nnrt__ir_check_rescale(const nnrt__ir *ir, const nnrt__ir_node *node, double in_scale,
                                                 uint64_t most, int32_t shift) {
    (void)ir;
    (void)node;
    (void)in_scale;
    return shift <= 0 || most <= ((uint64_t)INT32_MAX >> shift) ? OH_NN_SUCCESS : OH_NN_UNSUPPORTED;
}

#endif /* NNRT_CPU_IR_UNSAID_H */
