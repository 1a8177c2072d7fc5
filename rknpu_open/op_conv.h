/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_conv.h - convolutions, full connection, means: factors, bounds, tasks.   >>rknpu_open_op_conv

   The zero point of the input goes into the biases: bias - zero point * sum of the weights. Padding has its value, and
   cancels. An activation that int8 does not cut off itself bounds the sums: 0 below (ReLU), and above what becomes the
   largest byte, which on RV1103 and RV1106 has to be one sum for all channels. */
#ifndef NNRT_RKNPU_OPEN_OP_CONV_H
#define NNRT_RKNPU_OPEN_OP_CONV_H

#include "../cpu/ops_movement_reduce.h"
#include "dpu.h"

/* A convolution ready to be written. */
typedef struct nnrt__open_npu_conv_plan {
    nnrt__open_npu_conv c;
    nnrt__open_npu_tiles tiles;
    nnrt__open_npu_scales scales;
    int32_t in_zero, out_zero;
    bool bounded;
    int32_t upper;
    bool whole; /* one rounding where that fits: the sums are small */
    bool curve; /* a table follows (op_curve.h) */
    /* Of each output, in one piece of memory that begins with ratios. */
    double *ratios;
    int64_t *largest; /* sum, in magnitude */
    double *astray;   /* steps of the output that a result may be away, before it is rounded */
    double *steps;    /* of the output that sums can make */
    nnrt__open_npu_channel *channels;
    uint16_t *factors;
    uint8_t *halvings;
    int8_t *made; /* weights of an operator that has none */
} nnrt__open_npu_conv_plan;

#define NNRT__OPEN_NPU_MOST_ASTRAY 0.9 /* then a byte is at most one away from that of the real number */
#define NNRT__OPEN_NPU_MOST_HALVINGS 24u

NNRT__FN void nnrt__open_npu_conv_plan_free(nnrt__open_npu_conv_plan *p) {
    nnrt__free(p->ratios);
    memset(p, 0, sizeof(*p));
}

NNRT__FN bool nnrt__open_npu_conv_plan_room(nnrt__open_npu_conv_plan *p) {
    const size_t count = p->c.outputs;
    p->ratios = (double *)nnrt__alloc_zero(count, sizeof(*p->ratios) + sizeof(*p->largest) + sizeof(*p->astray) +
                                                      sizeof(*p->steps) + sizeof(*p->channels) + sizeof(*p->factors) +
                                                      sizeof(*p->halvings) + sizeof(*p->made));
    if (p->ratios == NULL) return false;
    p->largest = (int64_t *)(void *)(p->ratios + count);
    p->astray = (double *)(void *)(p->largest + count);
    p->steps = p->astray + count;
    p->channels = (nnrt__open_npu_channel *)(void *)(p->steps + count);
    p->factors = (uint16_t *)(void *)(p->channels + count);
    p->halvings = (uint8_t *)(void *)(p->factors + count);
    p->made = (int8_t *)(void *)(p->halvings + count);
    return true;
}

/* Bias and largest sum of an output whose bias is given without the input's zero point, and what halved weights lead
   astray. false: not within 32 bits. */
NNRT__FN bool nnrt__open_npu_conv_sum(nnrt__open_npu_conv_plan *p, uint32_t output, int64_t bias) {
    const nnrt__open_npu_conv *c = &p->c;
    const uint32_t taps = c->kernel_h * c->kernel_w, halvings = c->halvings != NULL ? c->halvings[output] : 0;
    const uint32_t first = output / c->group_outputs * c->group_channels;
    const int64_t reach = p->in_zero > 0 ? p->in_zero + 128 : 127 - p->in_zero;
    int64_t sum = 0, magnitude = 0, lost = 0, folded;
    uint32_t tap, k;
    bias = nnrt__open_npu_halve(bias, halvings);
    for (tap = 0; tap < taps; tap++)
        for (k = 0; k < c->group_channels; k++) {
            const int32_t weight = nnrt__open_npu_weight(c, output, tap, first + k);
            const int32_t rest = nnrt__open_npu_whole_weight(c, output, tap, first + k) - weight * (1 << halvings);
            sum += weight;
            magnitude += weight < 0 ? -weight : weight;
            lost += rest < 0 ? -rest : rest;
        }
    folded = bias - p->in_zero * sum;
    p->largest[output] = magnitude * reach + (bias < 0 ? -bias : bias);
    p->astray[output] = (double)(lost * reach + (halvings != 0 ? 1 << halvings : 0)) * p->ratios[output] /
                        nnrt__open_npu_power((int)halvings);
    if (folded < INT32_MIN || folded > INT32_MAX || p->largest[output] > INT32_MAX) return false;
    p->channels[output].bias = (int32_t)folded;
    return true;
}

/* Steps of the output that sums of a channel can make. */
NNRT__FN double nnrt__open_npu_steps(const nnrt__open_npu_conv_plan *p, uint32_t output) {
    const double steps = (double)p->largest[output] * p->ratios[output];
    return steps < 256.0 ? steps : 256.0;
}

/* A channel whose scale is far below the largest would have a factor of few bits: its weights are halved until that has
   enough of them, which costs less than it wins: beside those of the largest they are small. false: nothing to do. */
NNRT__FN bool nnrt__open_npu_conv_halve(nnrt__open_npu_conv_plan *p, double most_astray, double largest_factor) {
    double most = 0;
    bool any = false;
    uint32_t o;
    for (o = 0; o < p->c.outputs; o++)
        if (p->ratios[o] > most) most = p->ratios[o];
    for (o = 0; o < p->c.outputs; o++) {
        const double steps = nnrt__open_npu_steps(p, o);
        while (p->halvings[o] < NNRT__OPEN_NPU_MOST_HALVINGS &&
               0.5 * steps * most > most_astray * largest_factor * p->ratios[o]) {
            p->halvings[o]++;
            p->ratios[o] *= 2;
            any = true;
        }
    }
    if (any) p->c.halvings = p->halvings;
    return any;
}

NNRT__FN int64_t nnrt__open_npu_largest(const nnrt__open_npu_conv_plan *p) {
    int64_t most = 0;
    uint32_t o;
    for (o = 0; o < p->c.outputs; o++)
        if (p->largest[o] > most) most = p->largest[o];
    return most;
}

/* The largest value that becomes a byte up to `high`. */
NNRT__FN int32_t nnrt__open_npu_value_bound(const nnrt__open_npu_output *output, int32_t high) {
    int64_t low = INT32_MIN, top = INT32_MAX;
    while (low < top) {
        const int64_t middle = low + (top - low + 1) / 2;
        if (nnrt__open_npu_byte(middle, output) <= high) low = middle;
        else top = middle - 1;
    }
    return (int32_t)low;
}

/* The activation as bounds of sums, or on RK3588 of values. */
NNRT__FN const char *nnrt__open_npu_conv_bounds(nnrt__open_npu_conv_plan *p, const nnrt__open_npu_facts *facts) {
    uint32_t o;
    p->upper = INT32_MAX;
    p->bounded = p->c.low > -128 || p->c.high < 127;
    if (p->c.low > -128 && p->c.low != p->out_zero) return "an activation that begins at another value than 0";
    if (p->c.high == 127) return NULL;
    if (facts->chip == NNRT__OPEN_NPU_RK3588) {
        p->upper = nnrt__open_npu_value_bound(&p->scales.output, p->c.high);
        return p->upper < 0 ? "an activation that ends below 0" : NULL;
    }
    for (o = 0; o < p->c.outputs; o++) {
        const int64_t at = nnrt__open_npu_threshold(p->c.high + 1, p->channels[o].factor, &p->scales, p->largest[o]);
        if (at > p->largest[o]) continue;
        if (p->upper != INT32_MAX && p->upper != at - 1)
            return "the activation's upper bound is another sum for each channel, and this NPU has one for all";
        p->upper = (int32_t)(at - 1);
    }
    return NULL;
}

/* How far factors and halved weights may lead. */
NNRT__FN bool nnrt__open_npu_conv_is_near(const nnrt__open_npu_conv_plan *p) {
    const double unit =
        (double)p->scales.output.factor / nnrt__open_npu_power((int)p->scales.shift + (int)p->scales.output.shift);
    uint32_t o;
    for (o = 0; o < p->c.outputs; o++) {
        const double factor = fabs((double)p->factors[o] * unit / p->ratios[o] - 1);
        if (factor * nnrt__open_npu_steps(p, o) + p->astray[o] > NNRT__OPEN_NPU_MOST_ASTRAY) return false;
    }
    return true;
}

static const char nnrt__open_npu_far_apart[] = "the scales of its channels differ by more than the NPU's factors can";

/* p->c, zero points and ratios, largest sums and biases are there: the rest. steps: as of nnrt__open_npu_scales_of. */
NNRT__FN const char *nnrt__open_npu_conv_finish(nnrt__open_npu_conv_plan *p, const double *steps,
                                                const nnrt__open_npu_facts *facts) {
    uint32_t o;
    if (!nnrt__open_npu_scales_of(p->ratios, steps, p->c.outputs, nnrt__open_npu_largest(p), p->out_zero, p->whole,
                                  &p->scales, p->factors))
        return "the scales do not fit the NPU's factors";
    if (!nnrt__open_npu_conv_is_near(p)) return nnrt__open_npu_far_apart;
    for (o = 0; o < p->c.outputs; o++) p->channels[o].factor = p->factors[o];
    return nnrt__open_npu_conv_bounds(p, facts);
}

/* The description of a node, by its operator. */
NNRT__FN const char *nnrt__open_npu_conv_describe(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                  nnrt__open_npu_conv *c) {
    if (node->op == OH_NN_OPS_FULL_CONNECTION) return nnrt__open_npu_fc_read(ir, node, c);
    if (node->op == OH_NN_OPS_CONV2D_TRANSPOSE) return nnrt__open_npu_transposed_read(ir, node, c);
    return nnrt__open_npu_conv_read(ir, node, c);
}

/* Everything of a node with weights, or of a phase of it. p is to be freed in any case. */
NNRT__FN const char *nnrt__open_npu_conv_plan_of(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                 const nnrt__open_npu_facts *facts, bool picture, uint32_t phase,
                                                 nnrt__open_npu_conv_plan *p) {
    static const double astray[] = {0.85, 0.6, 0.4}, factor[] = {28000.0, 20000.0, 16384.0};
    const char *reason;
    uint32_t o;
    size_t round;
    memset(p, 0, sizeof(*p));
    reason = nnrt__open_npu_tensor_refusal(nnrt__ir_in(ir, node, 0));
    if (reason == NULL) reason = nnrt__open_npu_conv_describe(ir, node, &p->c);
    if (reason == NULL && nnrt__open_npu_phases(&p->c, facts) > 1) reason = nnrt__open_npu_phase(&p->c, phase);
    if (reason == NULL && !picture) nnrt__open_npu_shorten(&p->c, facts);
    if (reason == NULL) reason = nnrt__open_npu_conv_refusal(&p->c, facts);
    if (reason == NULL) reason = nnrt__open_npu_tiles_of(&p->c, facts, picture, &p->tiles);
    if (reason != NULL) return reason;
    if (!nnrt__open_npu_conv_plan_room(p)) return "out of memory";
    p->in_zero = nnrt__ir_in(ir, node, 0)->quant.zero_points[0];
    p->out_zero = nnrt__ir_out(ir, node, 0)->quant.zero_points[0];
    for (o = 0; o < p->c.outputs; o++) {
        p->ratios[o] = nnrt__conv_factor(ir, node, o);
        if (!(p->ratios[o] > 0)) return "the scales do not fit the NPU's factors";
        if (!nnrt__open_npu_conv_sum(p, o, nnrt__conv_bias(ir, node, o))) return "a sum may leave the NPU's 32 bits";
    }
    reason = nnrt__open_npu_conv_finish(p, NULL, facts);
    if (reason != nnrt__open_npu_far_apart) return reason;
    for (o = 0; o < p->c.outputs; o++) p->steps[o] = nnrt__open_npu_steps(p, o);
    reason = nnrt__open_npu_conv_finish(p, p->steps, facts);
    if (reason != nnrt__open_npu_far_apart) return reason;
    for (round = 0; round < NNRT__COUNT_OF(astray); round++) { /* no more than it needs */
        if (nnrt__open_npu_conv_halve(p, astray[round], factor[round]) || round == 0)
            for (o = 0; o < p->c.outputs; o++) (void)nnrt__open_npu_conv_sum(p, o, nnrt__conv_bias(ir, node, o));
        reason = nnrt__open_npu_conv_finish(p, NULL, facts);
        if (reason != nnrt__open_npu_far_apart) break;
    }
    return reason;
}

/* Whether every byte is the CPU device's. */
NNRT__FN bool nnrt__open_npu_conv_is_exact(const nnrt__open_npu_conv_plan *p) {
    uint32_t o;
    if (p->c.halvings != NULL) return false;
    for (o = 0; o < p->c.outputs; o++) {
        nnrt__open_npu_cpu cpu;
        cpu.zero_point = p->out_zero;
        nnrt__quantize_multiplier(p->ratios[o], &cpu.multiplier, &cpu.shift);
        if (!nnrt__open_npu_same(p->channels[o].factor, &p->scales, &cpu, p->largest[o])) return false;
    }
    return true;
}

/* Convolutions that a node becomes. */
NNRT__FN uint32_t nnrt__open_npu_conv_count(const nnrt__ir *ir, const nnrt__ir_node *node,
                                            const nnrt__open_npu_facts *facts) {
    nnrt__open_npu_conv c;
    memset(&c, 0, sizeof(c));
    return nnrt__open_npu_conv_describe(ir, node, &c) == NULL ? nnrt__open_npu_phases(&c, facts) : 1;
}

NNRT__FN const char *nnrt__open_npu_conv_op_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                    const nnrt__open_npu_facts *facts, bool exact) {
    const char *reason = nnrt__open_npu_tensor_refusal(nnrt__ir_in(ir, node, 0));
    uint32_t count, phase;
    if (reason != NULL) return reason;
    count = nnrt__open_npu_conv_count(ir, node, facts);
    for (phase = 0; phase < count && reason == NULL; phase++) {
        nnrt__open_npu_conv_plan p;
        reason = nnrt__open_npu_conv_plan_of(ir, node, facts, false, phase, &p);
        if (reason == NULL && exact && !nnrt__open_npu_conv_is_exact(&p))
            reason = "its factors have 15 bits on the NPU: a byte may differ by one";
        nnrt__open_npu_conv_plan_free(&p);
    }
    return reason;
}

/* Whether a new shape is made for full connections alone, all of them on the NPU, which then read what it was. */
NNRT__FN bool nnrt__open_npu_flattens(const nnrt__ir *ir, const nnrt__ir_node *node,
                                      const nnrt__open_npu_facts *facts) {
    const uint32_t value = node->outputs[0];
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    uint32_t n;
    if (in->rank != 4 || in->dims[0] != 1 || !nnrt__open_npu_only_full(ir, value)) return false;
    for (n = ir->first; n != NNRT__NONE; n = ir->nodes[n].next) {
        const nnrt__ir_node *reader = &ir->nodes[n];
        if (reader->op != OH_NN_OPS_FULL_CONNECTION || reader->inputs[0] != value) continue;
        if (nnrt__open_npu_tensor_refusal(nnrt__ir_out(ir, reader, 0)) != NULL ||
            nnrt__open_npu_conv_op_refusal(ir, reader, facts, false) != NULL)
            return false;
    }
    return true;
}

/* Phases are made one after the other in a map that lies behind the output. */
NNRT__FN nnrt__open_npu_tensor nnrt__open_npu_conv_phase_map(uint32_t height, uint32_t width,
                                                             const nnrt__open_npu_tensor *out) {
    nnrt__open_npu_tensor map = *out;
    map.shape.height = height;
    map.shape.width = width;
    map.plane_bytes = nnrt__open_npu_plane_bytes(&map.shape);
    map.first += nnrt__open_npu_planes(out->shape.channels) * out->plane_bytes;
    return map;
}

/* out->written: channels that a phase writes. */
NNRT__FN void nnrt__open_npu_conv_room_for_phase(const nnrt__open_npu_conv *c, nnrt__open_npu_tensor *out) {
    const nnrt__open_npu_tensor map =
        nnrt__open_npu_conv_phase_map((c->out_height + c->spread_h - 1) / c->spread_h,
                                      (c->out_width + c->spread_w - 1) / c->spread_w, out); /* the largest */
    const uint64_t bytes = (uint64_t)nnrt__open_npu_planes(out->written) * map.plane_bytes;
    const uint32_t planes = (uint32_t)((bytes + out->plane_bytes - 1) / out->plane_bytes);
    out->written = (nnrt__open_npu_planes(out->shape.channels) + planes) * NNRT__OPEN_NPU_LANES;
}

/* An input of few channels may come as it is; the output has room for all channels that are written together. */
NNRT__FN void nnrt__open_npu_conv_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, 0), *out = nnrt__open_npu_out(m, node);
    nnrt__open_npu_conv c;
    memset(&c, 0, sizeof(c));
    if (nnrt__open_npu_conv_describe(m->part, node, &c) != NULL) return; /* refused before */
    out->written = nnrt__open_npu_written(&c, m->writer.facts);
    if (nnrt__open_npu_phases(&c, m->writer.facts) > 1) nnrt__open_npu_conv_room_for_phase(&c, out);
    if (!c.depthwise && !c.turned && node->op == OH_NN_OPS_CONV2D && c.outputs % 4 == 0)
        nnrt__open_npu_make_picture(m, in, nnrt__ir_in(m->part, node, 0));
}

/* Weights, table and tasks. */
NNRT__FN void nnrt__open_npu_conv_emit(nnrt__open_npu_compiler *m, const nnrt__open_npu_tensor *in,
                                       const nnrt__open_npu_tensor *out, const nnrt__open_npu_conv_plan *p) {
    nnrt__open_npu_writer *w = &m->writer;
    nnrt__open_npu_conv_task t;
    uint8_t *to;
    memset(&t, 0, sizeof(t));
    t.c = &p->c;
    t.picture = in->picture;
    t.zero_point = p->in_zero;
    t.in = nnrt__open_npu_place(m, in);
    t.out = nnrt__open_npu_place(m, out);
    t.scales = p->scales;
    t.bounded = p->bounded;
    t.curve = p->curve;
    t.upper = p->upper;
    t.tiles = p->tiles;
    to = nnrt__open_npu_constant(w, (size_t)nnrt__open_npu_weight_bytes(&p->c, w->facts, t.picture), &t.weights);
    if (to != NULL && p->c.depthwise) nnrt__open_npu_pack_depthwise(&p->c, w->facts, to);
    if (to != NULL && !p->c.depthwise) nnrt__open_npu_pack_dense(&p->c, w->facts, t.picture, to);
    to = nnrt__open_npu_constant(w, nnrt__open_npu_table_bytes(&p->c, w->facts), &t.table);
    if (to != NULL) nnrt__open_npu_pack_table(&p->c, w->facts, p->channels, to);
    nnrt__open_npu_conv_tasks(w, &t);
}

/* Phases of a transposed convolution, each to its rows and columns. */
NNRT__FN const char *nnrt__open_npu_conv_write_phases(nnrt__open_npu_compiler *m, const nnrt__ir_node *node,
                                                      uint32_t count) {
    const nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    const char *reason = NULL;
    nnrt__open_npu_conv c;
    uint32_t phase;
    memset(&c, 0, sizeof(c));
    (void)nnrt__open_npu_conv_describe(m->part, node, &c);
    for (phase = 0; phase < count && reason == NULL; phase++) {
        nnrt__open_npu_conv_plan p;
        reason = nnrt__open_npu_conv_plan_of(m->part, node, m->writer.facts, false, phase, &p);
        if (reason == NULL) {
            const nnrt__open_npu_tensor map = nnrt__open_npu_conv_phase_map(p.c.out_height, p.c.out_width, out);
            nnrt__open_npu_conv_emit(m, nnrt__open_npu_in(m, node, 0), &map, &p);
            nnrt__open_npu_copy_apart(m, &map, out, phase / c.spread_w * out->shape.width + phase % c.spread_w,
                                      c.spread_h, c.spread_w);
        }
        nnrt__open_npu_conv_plan_free(&p);
    }
    return reason;
}

NNRT__FN const char *nnrt__open_npu_conv_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const uint32_t count = nnrt__open_npu_conv_count(m->part, node, m->writer.facts);
    nnrt__open_npu_conv_plan p;
    const char *reason;
    if (count > 1) return nnrt__open_npu_conv_write_phases(m, node, count);
    reason = nnrt__open_npu_conv_plan_of(m->part, node, m->writer.facts, nnrt__open_npu_in(m, node, 0)->picture, 0, &p);
    if (reason == NULL) nnrt__open_npu_conv_emit(m, nnrt__open_npu_in(m, node, 0), nnrt__open_npu_out(m, node), &p);
    nnrt__open_npu_conv_plan_free(&p);
    return reason;
}

/* What becomes a depthwise convolution writes whole blocks of channels. */
NNRT__FN void nnrt__open_npu_depthwise_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_tensor *out = nnrt__open_npu_out(m, node);
    out->written = nnrt__open_npu_up(out->shape.channels, m->writer.facts->depthwise_block);
}

#endif /* NNRT_RKNPU_OPEN_OP_CONV_H */
