/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir_sentences.h - why an operator is refused, in words.   >>cpu_ir_sentences */
#ifndef NNRT_CPU_IR_SENTENCES_H
#define NNRT_CPU_IR_SENTENCES_H

#include "ops.h"

/* " = 1,-1" after the shape of an input that gives axes, a shape or a range, if it is known and short. */
NNRT__FN void nnrt__ir_print_values(const nnrt__ir_value *value, char *text, size_t size) {
    size_t used = 0;
    uint32_t i;
    text[0] = '\0';
    if (value->data == NULL || value->count > 4) return;
    for (i = 0; i < value->count; i++) {
        const double real = nnrt__ir_real(value, i), magnitude = real < 0.0 ? -real : real;
        nnrt__real_text wide;
        const char *lead = i == 0 ? " = " : ",";
        if (real != real) nnrt__format(text + used, size - used, "%sNaN", lead);
        else if (magnitude < 2147483648.0 && (double)(int32_t)real == real)
            nnrt__format(text + used, size - used, "%s%d", lead, (int)real);
        else
            nnrt__format(text + used, size - used, "%s%s%s", lead, real < 0.0 ? "-" : "",
                         nnrt__real_print(&wide, magnitude));
        used += strlen(text + used);
    }
}

/* "float32 [1,4], int32 [1] = 2": the inputs of a node, as far as they fit into size bytes of text. */
NNRT__FN void nnrt__ir_print_inputs(const nnrt__ir *ir, const nnrt__ir_node *node, char *text, size_t size) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
    size_t used = 0;
    uint32_t i;
    text[0] = '\0';
    for (i = 0; i < node->input_count; i++) {
        const nnrt__ir_value *value = nnrt__ir_in(ir, node, i);
        nnrt__shape_text shape;
        char one[sizeof(shape.text) + 112], values[96];
        values[0] = '\0';
        if (row != NULL && nnrt__ir_reads_values(row, node->input_count, i))
            nnrt__ir_print_values(value, values, sizeof(values));
        nnrt__format(one, sizeof(one), "%s%s %s%s", i != 0 ? ", " : "", nnrt__dtype_name(value->dtype),
                     nnrt__shape_print(&shape, value->rank, value->dims), values);
        if (strlen(one) + sizeof(", ...") > size - used) {
            nnrt__format(text + used, size - used, ", ...");
            return;
        }
        nnrt__format(text + used, size - used, "%s", one);
        used += strlen(one);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__ir_fail(const nnrt__ir *ir, const nnrt__ir_node *node, OH_NN_ReturnCode code,
                                        const char *reason) {
    const char *output = node->output_count != 0 ? ir->values[node->outputs[0]].name : "";
    char inputs[140];
    nnrt__ir_print_inputs(ir, node, inputs, sizeof(inputs));
    return nnrt__fail(code, "%s (output \"%.60s\"): %s; inputs: %s", nnrt__op_name((int)node->op), output, reason,
                      inputs);
}

/* Refuses a shape that differs from the declared one of value. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_fail_declared(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                 const nnrt__ir_value *value, uint32_t rank, const int32_t *dims) {
    nnrt__shape_text result, declared;
    char reason[160];
    nnrt__format(reason, sizeof(reason), "the result is %s, declared as %s", nnrt__shape_print(&result, rank, dims),
                 nnrt__shape_print(&declared, value->rank, value->dims));
    return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
}

NNRT__FN OH_NN_ReturnCode nnrt__ir_check_rescale(const nnrt__ir *ir, const nnrt__ir_node *node, double in_scale,
                                                 uint64_t most, int32_t shift) {
    const nnrt__ir_value *output = &ir->values[node->outputs[0]];
    nnrt__real_text in_text, out_text;
    if (shift <= 0 || most <= ((uint64_t)INT32_MAX >> shift)) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_UNSUPPORTED,
                      "%s (output \"%.60s\"): the scale %s of the output is too small beside %s of the input: results "
                      "would leave 32 bits",
                      nnrt__op_name((int)node->op), output->name,
                      nnrt__real_print(&out_text, output->quant.count == 1 ? output->quant.scales[0] : 1.0),
                      nnrt__real_print(&in_text, in_scale));
}

#endif /* NNRT_CPU_IR_SENTENCES_H */
