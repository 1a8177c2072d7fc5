/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_unary.h - functions of one byte: as a bound, or by the tables.   >>rknpu_open_op_unary

   The NPU has two tables of 513 values with straight lines between them, the one for values below 0 (LE), the other for
   those above (LO), 32 apart and from -2^14 to 2^14. A byte times 128 is always one of them: so any function is the CPU
   device's, byte by byte. The one before that and the two behind it have the same result, for what comes from a
   convolution (op_curve.h); 64 stand for a step. Where a bound (ReLU) gives the same 256 bytes it costs no table.
   Tables behind a copy are documented; those seen were beside convolutions, and in tasks of their own. */
#ifndef NNRT_RKNPU_OPEN_OP_UNARY_H
#define NNRT_RKNPU_OPEN_OP_UNARY_H

#include "../cpu/ops_unary.h"
#include "dpu.h"

#define NNRT__OPEN_NPU_TABLE 513u

/* Is it a function of one byte? */
NNRT__FN bool nnrt__open_npu_is_function(OH_NN_OperationType op) {
    static const OH_NN_OperationType ops[] = {
        OH_NN_OPS_RELU,         OH_NN_OPS_RELU6,   OH_NN_OPS_CLIP,   OH_NN_OPS_LEAKY_RELU, OH_NN_OPS_HSWISH,
        OH_NN_OPS_HARD_SIGMOID, OH_NN_OPS_SIGMOID, OH_NN_OPS_TANH,   OH_NN_OPS_SWISH,      OH_NN_OPS_GELU,
        OH_NN_OPS_ABS,          OH_NN_OPS_NEG,     OH_NN_OPS_SQUARE, OH_NN_OPS_SQRT,       OH_NN_OPS_RSQRT,
        OH_NN_OPS_EXP,          OH_NN_OPS_LOG,     OH_NN_OPS_SIN,    OH_NN_OPS_COS,        OH_NN_OPS_ERF,
        OH_NN_OPS_CEIL,         OH_NN_OPS_FLOOR,   OH_NN_OPS_ROUND,  OH_NN_OPS_RECIPROCAL, OH_NN_OPS_QUANT_DTYPE_CAST};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(ops); i++)
        if (ops[i] == op) return true;
    return false;
}

NNRT__FN const char *nnrt__open_npu_same_shape_refusal(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const char *reason = nnrt__open_npu_tensor_refusal(in);
    if (reason != NULL) return reason;
    return in->count == out->count && nnrt__open_npu_shape_of(in).channels == nnrt__open_npu_shape_of(out).channels
               ? NULL
               : "input and output have not one shape";
}

/* Bytes of a function, by the byte of its operand. */
NNRT__FN void nnrt__open_npu_unary_bytes(const nnrt__ir *ir, const nnrt__ir_node *node, int8_t *bytes) {
    nnrt__filling filling;
    memset(&filling, 0, sizeof(filling));
    filling.ir = ir;
    filling.node = node;
    filling.count = 256;
    (void)(node->op == OH_NN_OPS_QUANT_DTYPE_CAST ? nnrt__fill_quant_cast : nnrt__fill_unary)(&filling, bytes);
}

NNRT__FN const char *nnrt__open_npu_unary_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                  const nnrt__open_npu_facts *facts, bool exact) {
    (void)facts;
    (void)exact;
    return nnrt__open_npu_same_shape_refusal(ir, node);
}

/* A function that is a bound below, at the zero point, and other factors. */
NNRT__FN bool nnrt__open_npu_unary_is_bound(const nnrt__ir *ir, const nnrt__ir_node *node, const int8_t *bytes,
                                            nnrt__open_npu_output *output) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    int32_t i;
    output->zero_point = out->quant.zero_points[0];
    if (!nnrt__open_npu_output_of(in->quant.scales[0] / out->quant.scales[0], output)) return false;
    for (i = -128; i < 128; i++) {
        const int32_t x = i - in->quant.zero_points[0];
        if (nnrt__open_npu_byte(x < 0 ? 0 : x, output) != bytes[i & 255]) return false;
    }
    return true;
}

/* What the tables have at i quarters of a byte: a byte's from a quarter before it to two behind it. */
NNRT__FN int32_t nnrt__open_npu_entry(const int8_t *bytes, int32_t i) {
    const int32_t byte = (i + 513) / 4 - 128;
    return 64 * bytes[(byte < 127 ? byte : 127) & 255];
}

/* Loads the tables, unless they are those of the task before. The blocks run, too: they copy an atom of the input to
   the output, which is written behind it. */
NNRT__FN void nnrt__open_npu_load_table(nnrt__open_npu_compiler *m, const nnrt__ir_node *node, uint32_t input,
                                        const int8_t *bytes) {
    nnrt__open_npu_writer *w = &m->writer;
    nnrt__open_npu_tensor in = *nnrt__open_npu_in(m, node, input), out = *nnrt__open_npu_out(m, node);
    nnrt__open_npu_draft d;
    uint32_t table, i;
    if (m->table_is_loaded && memcmp(m->table, bytes, 256) == 0) return;
    memcpy(m->table, bytes, 256);
    m->table_is_loaded = true;
    w->pointer = NNRT__OPEN_NPU_POINTER_CLEAR;
    in.shape.height = in.shape.width = in.shape.channels = out.shape.height = out.shape.width = out.shape.channels = 1;
    nnrt__open_npu_dpu_begin(m, &in, &out, &d);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_LUT_CFG, w->facts->chip == NNRT__OPEN_NPU_RK3588 ? 0 : 1);
    nnrt__open_npu_task_begin(w, NNRT__OPEN_NPU_DPU);
    nnrt__open_npu_draft_add(w, &d);
    for (table = 0; table < 2; table++) {
        nnrt__open_npu_word_add(w, NNRT__OPEN_NPU_DPU_LUT_ACCESS_CFG, table == 0 ? 0x20000 : 0x30000);
        for (i = 0; i < NNRT__OPEN_NPU_TABLE; i++)
            nnrt__open_npu_word_add(w, NNRT__OPEN_NPU_DPU_LUT_ACCESS_DATA,
                                    (uint32_t)nnrt__open_npu_entry(bytes, (int32_t)i - (table == 0 ? 512 : 0)) &
                                        0xffff);
    }
    nnrt__open_npu_task_end(w);
}

/* The output is, byte by byte, what `bytes` has for an input of node. */
NNRT__FN void nnrt__open_npu_table_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node, uint32_t input,
                                         const int8_t *bytes) {
    nnrt__open_npu_draft d;
    nnrt__open_npu_load_table(m, node, input, bytes);
    nnrt__open_npu_dpu_begin(m, nnrt__open_npu_in(m, node, input), nnrt__open_npu_out(m, node), &d);
    nnrt__open_npu_dpu_first(m->writer.facts, 0, 128, &d);
    nnrt__open_npu_curve_words(m->writer.facts, &d);
    nnrt__open_npu_draft_end(&m->writer, &d);
}

NNRT__FN const char *nnrt__open_npu_unary_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_facts *facts = m->writer.facts;
    const int32_t zero = nnrt__ir_in(m->part, node, 0)->quant.zero_points[0];
    nnrt__open_npu_output output;
    nnrt__open_npu_draft d;
    int8_t bytes[256];
    nnrt__open_npu_unary_bytes(m->part, node, bytes);
    if (!nnrt__open_npu_unary_is_bound(m->part, node, bytes, &output)) {
        nnrt__open_npu_table_write(m, node, 0, bytes);
        return NULL;
    }
    nnrt__open_npu_dpu_begin(m, nnrt__open_npu_in(m, node, 0), nnrt__open_npu_out(m, node), &d);
    nnrt__open_npu_dpu_first(facts, -zero, 0, &d);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_BS_LOWER, 0);
    if (facts->chip == NNRT__OPEN_NPU_RK3588) {
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_BS_CFG, 0x20090); /* bounds: 0 and the upper one */
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_BS_LOWER, 0x7fffffff);
    }
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_BS_LOWER_COPY, 0);
    nnrt__open_npu_dpu_output(facts, &output, &d);
    nnrt__open_npu_draft_end(&m->writer, &d);
    return NULL;
}

#endif /* NNRT_RKNPU_OPEN_OP_UNARY_H */
