/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_binary.h - sums, differences, products and the larger of two maps.   >>rknpu_open_op_binary

   A sum: (a - zero point) * factor + (b - zero point) * factor, exact in 24 bits, then the conversion to the output:
   one rounding, where the CPU device has three. A product is not scaled before the output. Products and the larger one
   were seen on RV1103 and RV1106 only; on RK3588 the larger of a and b is a and what b is more, in two tasks. A
   constant is a second operand of the same size, or the weights of a convolution (op_factor.h). */
#ifndef NNRT_RKNPU_OPEN_OP_BINARY_H
#define NNRT_RKNPU_OPEN_OP_BINARY_H

#include "op_factor.h"
#include "op_gate.h"

#define NNRT__OPEN_NPU_MOST_CONSTANT 0x100000u /* bytes that a constant operand may become */

typedef struct nnrt__open_npu_binary {
    uint32_t kind;      /* NNRT__BINARY_* */
    uint32_t first;     /* input that is read as the main operand: the other one may be constant */
    int32_t zeros[2];   /* of main and second operand */
    int32_t factors[2]; /* of sums */
    nnrt__open_npu_output output;
    int32_t low, high;
} nnrt__open_npu_binary;

/* A constant that is the second operand of `out`: one value, one for each channel, or one for each value. */
NNRT__FN const char *nnrt__open_npu_constant_refusal(const nnrt__ir_value *value, const nnrt__ir_value *out) {
    const size_t channels = nnrt__open_npu_shape_of(out).channels;
    if (value->dtype != OH_NN_INT8 || value->quant.count != 1) return "the NPU takes int8 only";
    if (out->count > NNRT__OPEN_NPU_MOST_CONSTANT) return "the constant would have more than 1 MiB on the NPU";
    if (value->count == 1 || value->count == out->count) return NULL;
    return value->count == channels && value->rank >= 1 && (size_t)value->dims[value->rank - 1] == channels
               ? NULL
               : "the constant has neither one value, nor one for each channel, nor one for each value";
}

NNRT__FN const char *nnrt__open_npu_operand_refusal(const nnrt__ir_value *value, const nnrt__ir_value *out) {
    const nnrt__open_npu_shape a = nnrt__open_npu_shape_of(value), b = nnrt__open_npu_shape_of(out);
    const char *reason = nnrt__open_npu_tensor_refusal(value);
    if (reason != NULL) return reason;
    return a.channels == b.channels && a.height * a.width == b.height * b.width
               ? NULL
               : "the NPU's operands have one shape: nothing is repeated";
}

/* Scales of a sum, a difference or a product. */
NNRT__FN bool nnrt__open_npu_binary_scales(const nnrt__ir_value *a, const nnrt__ir_value *b, const nnrt__ir_value *out,
                                           nnrt__open_npu_binary *is) {
    double ratios[2], most;
    nnrt__open_npu_scales scales, best;
    double missed = -1;
    uint16_t factors[2] = {0, 0};
    uint32_t i;
    ratios[0] = a->quant.scales[0] / out->quant.scales[0];
    ratios[1] = b->quant.scales[0] / out->quant.scales[0];
    is->output.zero_point = out->quant.zero_points[0];
    if (is->kind == NNRT__BINARY_MUL)
        return nnrt__open_npu_output_of(a->quant.scales[0] * b->quant.scales[0] / out->quant.scales[0], &is->output);
    most = ratios[0] > ratios[1] ? ratios[0] : ratios[1];
    memset(&best, 0, sizeof(best));
    for (i = 0; i < NNRT__OPEN_NPU_SCALE_TRIES; i++) {
        double now;
        memset(&scales, 0, sizeof(scales));
        if (!nnrt__open_npu_output_of(most / (32767.0 - 256.0 * i), &scales.output)) continue;
        now = nnrt__open_npu_channels(ratios, 2, &scales, NULL);
        if (missed >= 0 && now >= missed) continue;
        missed = now;
        best = scales;
    }
    if (missed < 0 || missed > 1) return false;
    (void)nnrt__open_npu_channels(ratios, 2, &best, factors);
    is->output.factor = best.output.factor;
    is->output.shift = best.output.shift;
    is->factors[0] = factors[0];
    is->factors[1] = is->kind == NNRT__BINARY_SUB ? -(int32_t)factors[1] : factors[1];
    return true;
}

NNRT__FN const char *nnrt__open_npu_binary_bounds(const nnrt__open_npu_binary *is, const nnrt__open_npu_facts *facts) {
    if (is->high < 127) return "an activation with an upper bound inside int8 behind two operands";
    if (is->low == -128) return NULL;
    if (is->low != is->output.zero_point) return "an activation that begins at another value than 0";
    return is->kind == NNRT__BINARY_MUL || facts->chip == NNRT__OPEN_NPU_RK3588
               ? NULL
               : "a lower bound inside int8 behind a sum was never seen on this NPU";
}

NNRT__FN const char *nnrt__open_npu_binary_read(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                const nnrt__open_npu_facts *facts, nnrt__open_npu_binary *is) {
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0), *a, *b;
    const char *reason;
    memset(is, 0, sizeof(*is));
    is->kind = ((const nnrt__binary_f32_args *)node->spec)->kind;
    if (is->kind == NNRT__BINARY_MUL && !facts->has_products) return "products of two maps were never seen on this NPU";
    is->first = nnrt__ir_in(ir, node, 0)->data != NULL && is->kind != NNRT__BINARY_SUB ? 1 : 0;
    a = nnrt__ir_in(ir, node, is->first);
    b = nnrt__ir_in(ir, node, 1 - is->first);
    reason = nnrt__open_npu_operand_refusal(a, out);
    if (reason == NULL)
        reason = b->data != NULL ? nnrt__open_npu_constant_refusal(b, out) : nnrt__open_npu_operand_refusal(b, out);
    if (reason != NULL) return reason;
    is->zeros[0] = a->quant.zero_points[0];
    is->zeros[1] = b->quant.zero_points[0];
    is->low = -128;
    is->high = 127;
    if (is->kind == NNRT__BINARY_MAXIMUM)
        return nnrt__binary_is_uniform(a, b, out) ? NULL : "the NPU compares maps of one scale and zero point only";
    if (!nnrt__open_npu_binary_scales(a, b, out, is)) return "the scales do not fit the NPU's factors";
    nnrt__open_npu_activation(node, out, &is->low, &is->high);
    return nnrt__open_npu_binary_bounds(is, facts);
}

/* The byte that two become. */
NNRT__FN int32_t nnrt__open_npu_binary_byte(const nnrt__open_npu_binary *is, int32_t a, int32_t b) {
    const int64_t x = a - is->zeros[0], y = b - is->zeros[1];
    int32_t byte;
    if (is->kind == NNRT__BINARY_MAXIMUM) return a > b ? a : b;
    byte = nnrt__open_npu_byte(is->kind == NNRT__BINARY_MUL ? x * y : x * is->factors[0] + y * is->factors[1],
                               &is->output);
    return byte < is->low ? is->low : byte;
}

/* Whether any two bytes become the CPU device's. */
NNRT__FN bool nnrt__open_npu_binary_is_exact(const nnrt__ir *ir, const nnrt__ir_node *node,
                                             const nnrt__open_npu_binary *is) {
    const nnrt__ir_value *a = nnrt__ir_in(ir, node, is->first), *b = nnrt__ir_in(ir, node, 1 - is->first);
    int8_t x[256], y[256], out[256];
    nnrt__binary_s8_args args;
    int32_t i, k;
    if (is->kind == NNRT__BINARY_MAXIMUM) return true;
    memset(&args, 0, sizeof(args));
    args.kind = is->kind;
    args.input_zero_point[0] = is->zeros[0];
    args.input_zero_point[1] = is->zeros[1];
    args.output_zero_point = is->output.zero_point;
    args.clamp_min = is->low;
    args.clamp_max = is->high;
    nnrt__binary_s8_scales(&args, a->quant.scales[0], b->quant.scales[0], nnrt__ir_out(ir, node, 0)->quant.scales[0]);
    for (k = 0; k < 256; k++) y[k] = (int8_t)(k - 128);
    for (i = 0; i < 256; i++) {
        memset(x, i - 128, sizeof(x));
        nnrt__binary_s8_scalar(&args, x, 1, y, 1, out, 256);
        for (k = 0; k < 256; k++)
            if (out[k] != nnrt__open_npu_binary_byte(is, i - 128, k - 128)) return false;
    }
    return true;
}

NNRT__FN const char *nnrt__open_npu_binary_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   const nnrt__open_npu_facts *facts, bool exact) {
    nnrt__open_npu_binary is;
    const char *reason;
    if (nnrt__open_npu_gate_of(ir, node, &is.first) != NULL) return NULL;
    if (nnrt__open_npu_factor_of(ir, node) != NNRT__NONE) return nnrt__open_npu_factor_refusal(ir, node, facts, exact);
    reason = nnrt__open_npu_binary_read(ir, node, facts, &is);
    if (reason != NULL || !exact || nnrt__open_npu_binary_is_exact(ir, node, &is)) return reason;
    return "its factors have 15 bits on the NPU: a byte may differ by one";
}

/* A constant as planes. */
NNRT__FN void nnrt__open_npu_constant_planes(nnrt__open_npu_compiler *m, const nnrt__ir_value *value,
                                             const nnrt__open_npu_shape *shape, nnrt__open_npu_operand *operand) {
    const int8_t *from = (const int8_t *)value->data;
    const size_t pixels = (size_t)shape->height * shape->width, channels = shape->channels;
    uint8_t *to;
    size_t i, c;
    operand->area = NNRT__OPEN_NPU_CONSTANTS;
    operand->plane_bytes = nnrt__open_npu_plane_bytes(shape);
    to = nnrt__open_npu_constant(&m->writer, (size_t)nnrt__open_npu_planes(shape->channels) * operand->plane_bytes,
                                 &operand->offset);
    if (to == NULL) return;
    for (i = 0; i < pixels; i++)
        for (c = 0; c < channels; c++)
            to[c / NNRT__OPEN_NPU_LANES * operand->plane_bytes + i * NNRT__OPEN_NPU_LANES + c % NNRT__OPEN_NPU_LANES] =
                (uint8_t)from[value->count == 1          ? 0
                              : value->count == channels ? c
                                                         : i * channels + c];
}

NNRT__FN void nnrt__open_npu_sum_words(const nnrt__open_npu_binary *is, const nnrt__open_npu_operand *operand,
                                       const nnrt__open_npu_shape *shape, const nnrt__open_npu_facts *facts,
                                       nnrt__open_npu_draft *d) {
    nnrt__open_npu_dpu_first(facts, -is->zeros[0], is->factors[0], d);
    nnrt__open_npu_dpu_operand(operand, shape, -is->zeros[1], is->factors[1], d);
    if (facts->chip == NNRT__OPEN_NPU_RK3588) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_CFG, is->low > -128 ? 0x904200c0 : 0x904202c0);
        return;
    }
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_CFG, 0x8002c0c0);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_OW_CFG, 0x30000000);
}

NNRT__FN void nnrt__open_npu_product_words(const nnrt__open_npu_binary *is, const nnrt__open_npu_operand *operand,
                                           const nnrt__open_npu_shape *shape, nnrt__open_npu_draft *d) {
    nnrt__open_npu_dpu_operand(operand, shape, -is->zeros[1], 1, d);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_CFG, 0x120050);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_ALU_CFG, (uint32_t)-is->zeros[0]);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_CFG, 0x81004094);
    if (is->low > -128) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_LOWER, 0);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_LOWER_COPY, 0);
    }
}

/* RK3588: is the larger of two maps two tasks, with a map between them? */
NNRT__FN bool nnrt__open_npu_is_larger_by_sums(const nnrt__open_npu_facts *facts, const nnrt__ir_node *node) {
    return !facts->has_products && ((const nnrt__binary_f32_args *)node->spec)->kind == NNRT__BINARY_MAXIMUM;
}

/* The map between them lies behind the output. */
NNRT__FN void nnrt__open_npu_binary_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    uint32_t first;
    if (nnrt__open_npu_gate_of(m->part, node, &first) != NULL) return;
    if (nnrt__open_npu_factor_of(m->part, node) != NNRT__NONE) nnrt__open_npu_depthwise_settle(m, node);
    else if (nnrt__open_npu_is_larger_by_sums(m->writer.facts, node))
        out->written = 2 * nnrt__open_npu_up(out->shape.channels, NNRT__OPEN_NPU_LANES);
}

/* b - a - 128 is -128 where a is the larger one: a byte holds no less. That and 128 are added to a. */
NNRT__FN void nnrt__open_npu_larger_write(nnrt__open_npu_compiler *m, const nnrt__open_npu_tensor *a,
                                          const nnrt__open_npu_operand *b, const nnrt__open_npu_tensor *out) {
    const nnrt__open_npu_facts *facts = m->writer.facts;
    nnrt__open_npu_tensor more = *out;
    nnrt__open_npu_operand operand;
    nnrt__open_npu_binary is;
    nnrt__open_npu_draft d;
    more.first += nnrt__open_npu_planes(out->shape.channels) * out->plane_bytes;
    memset(&is, 0, sizeof(is));
    is.low = -128;
    is.factors[0] = -1;
    is.factors[1] = 1;
    nnrt__open_npu_dpu_begin(m, a, &more, &d);
    nnrt__open_npu_sum_words(&is, b, &out->shape, facts, &d);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_OUT_CVT_OFFSET, (uint32_t)-128);
    nnrt__open_npu_draft_end(&m->writer, &d);
    operand.area = NNRT__OPEN_NPU_TENSORS;
    operand.offset = nnrt__open_npu_place(m, &more).offset;
    operand.plane_bytes = more.plane_bytes;
    is.factors[0] = 1;
    is.zeros[1] = -128;
    nnrt__open_npu_dpu_begin(m, a, out, &d);
    nnrt__open_npu_sum_words(&is, &operand, &out->shape, facts, &d);
    nnrt__open_npu_draft_end(&m->writer, &d);
}

NNRT__FN const char *nnrt__open_npu_binary_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_facts *facts = m->writer.facts;
    const nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    nnrt__open_npu_operand operand;
    nnrt__open_npu_binary is;
    nnrt__open_npu_draft d;
    const nnrt__ir_value *second;
    const nnrt__ir_node *function = nnrt__open_npu_gate_of(m->part, node, &is.first);
    const char *reason;
    if (function != NULL) return nnrt__open_npu_gate_write(m, node, function, is.first);
    if (nnrt__open_npu_factor_of(m->part, node) != NNRT__NONE) return nnrt__open_npu_factor_write(m, node);
    reason = nnrt__open_npu_binary_read(m->part, node, facts, &is);
    if (reason != NULL) return reason;
    second = nnrt__ir_in(m->part, node, 1 - is.first);
    if (second->data != NULL) {
        nnrt__open_npu_constant_planes(m, second, &out->shape, &operand);
    } else {
        const nnrt__open_npu_at at = nnrt__open_npu_place(m, nnrt__open_npu_in(m, node, 1 - is.first));
        operand.area = NNRT__OPEN_NPU_TENSORS;
        operand.offset = at.offset;
        operand.plane_bytes = at.plane_bytes;
    }
    if (nnrt__open_npu_is_larger_by_sums(facts, node)) {
        nnrt__open_npu_larger_write(m, nnrt__open_npu_in(m, node, is.first), &operand, out);
        return NULL;
    }
    nnrt__open_npu_dpu_begin(m, nnrt__open_npu_in(m, node, is.first), out, &d);
    if (is.kind == NNRT__BINARY_MUL) {
        nnrt__open_npu_product_words(&is, &operand, &out->shape, &d);
    } else if (is.kind == NNRT__BINARY_MAXIMUM) {
        nnrt__open_npu_dpu_operand(&operand, &out->shape, 0, 1, &d);
        nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_EW_CFG, 0x8000c0c0);
    } else {
        nnrt__open_npu_sum_words(&is, &operand, &out->shape, facts, &d);
    }
    if (is.kind != NNRT__BINARY_MAXIMUM) nnrt__open_npu_dpu_output(facts, &is.output, &d);
    nnrt__open_npu_draft_end(&m->writer, &d);
    return NULL;
}

#endif /* NNRT_RKNPU_OPEN_OP_BINARY_H */
