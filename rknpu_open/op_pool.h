/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_pool.h - max pools by the PPU; averages and means as depthwise convolutions of ones.
   >>rknpu_open_op_pool

   The PPU has a buffer for lines, too: the vendor cuts a pool of 5 x 5 over 20 columns into two tasks of 10. How large
   it is nobody knows; here a task has at most as many columns as that. Averages of the PPU are known for 2 x 2 alone;
   the vendor has depthwise convolutions for global ones. A sum times a factor a little too large, rounded once, rounds
   halves away from 0, as the CPU device does, although the chip has halves go to even. */
#ifndef NNRT_RKNPU_OPEN_OP_POOL_H
#define NNRT_RKNPU_OPEN_OP_POOL_H

#include "op_conv.h"

#define NNRT__OPEN_NPU_POOL_CELLS 50 /* output columns times rows of the kernel that overlap */
#define NNRT__OPEN_NPU_MOST_POOL 16  /* kernels and strides: 4 bits of value - 1 */
#define NNRT__OPEN_NPU_MOST_POOL_PAD 7
#define NNRT__OPEN_NPU_BEYOND_HALF \
    2e-6 /* by which a mean's factor is too large: less than a part in 256 of a value's */

typedef struct nnrt__open_npu_pool {
    int32_t height, width, out_height, out_width;
    nnrt__geometry g;
} nnrt__open_npu_pool;

/* What lies behind the last row or column. */
NNRT__INLINE int32_t nnrt__open_npu_behind(int32_t size, int32_t kernel, int32_t stride, int32_t before, int32_t out) {
    const int32_t behind = (out - 1) * stride + kernel - before - size;
    return behind > 0 ? behind : 0;
}

NNRT__FN const char *nnrt__open_npu_pool_side(int32_t size, int32_t kernel, int32_t stride, int32_t before,
                                              int32_t out) {
    if (kernel > NNRT__OPEN_NPU_MOST_POOL || stride > NNRT__OPEN_NPU_MOST_POOL)
        return "the NPU's pools have at most 16 rows and columns";
    if (before > NNRT__OPEN_NPU_MOST_POOL_PAD ||
        nnrt__open_npu_behind(size, kernel, stride, before, out) > NNRT__OPEN_NPU_MOST_POOL_PAD)
        return "the NPU's pools have at most 7 rows and columns of padding";
    if (before >= kernel || (out - 1) * stride - before >= size) return "a window of padding alone";
    return NULL;
}

NNRT__FN const char *nnrt__open_npu_pool_read(const nnrt__ir *ir, const nnrt__ir_node *node,
                                              nnrt__open_npu_pool *pool) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    const nnrt__pool_args args = *(const nnrt__pool_args *)node->spec;
    const char *reason = nnrt__open_npu_tensor_refusal(in);
    if (reason != NULL) return reason;
    if (in->dims[0] != 1) return "the NPU takes one image at a time";
    if (args.rescale) return "the NPU's pools have one scale and zero point for input and output";
    if (args.clamp_min != -128 || args.clamp_max != 127) return "an activation behind a pool";
    pool->height = in->dims[1];
    pool->width = in->dims[2];
    pool->out_height = out->dims[1];
    pool->out_width = out->dims[2];
    pool->g = args.geometry;
    return NULL;
}

NNRT__FN const char *nnrt__open_npu_max_pool_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                     const nnrt__open_npu_facts *facts, bool exact) {
    nnrt__open_npu_pool p;
    const char *reason = nnrt__open_npu_pool_read(ir, node, &p);
    (void)facts;
    (void)exact;
    if (reason == NULL)
        reason = nnrt__open_npu_pool_side(p.height, p.g.kernel_h, p.g.stride_h, p.g.pad_top, p.out_height);
    if (reason == NULL)
        reason = nnrt__open_npu_pool_side(p.width, p.g.kernel_w, p.g.stride_w, p.g.pad_left, p.out_width);
    return reason;
}

/* Columns first .. first + count of the output. */
NNRT__FN void nnrt__open_npu_pool_task(nnrt__open_npu_compiler *m, const nnrt__ir_node *node,
                                       const nnrt__open_npu_pool *p, int32_t first, int32_t count) {
    const nnrt__open_npu_tensor *in_tensor = nnrt__open_npu_in(m, node, 0), *out_tensor = nnrt__open_npu_out(m, node);
    const nnrt__open_npu_at in = nnrt__open_npu_place(m, in_tensor), out = nnrt__open_npu_place(m, out_tensor);
    const int32_t start = first * p->g.stride_w - p->g.pad_left, left = start < 0 ? -start : 0;
    const int32_t from = start < 0 ? 0 : start;
    const int32_t end = start + (count - 1) * p->g.stride_w + p->g.kernel_w;
    const int32_t to = end < p->width ? end : p->width, right = end - to;
    const int32_t bottom = nnrt__open_npu_behind(p->height, p->g.kernel_h, p->g.stride_h, p->g.pad_top, p->out_height);
    const uint32_t lanes = nnrt__open_npu_up(out_tensor->shape.channels, NNRT__OPEN_NPU_LANES) - 1;
    nnrt__open_npu_draft d;
    nnrt__open_npu_draft_begin(&d, &m->writer, NNRT__OPEN_NPU_POOL);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_IN_WIDTH, (uint32_t)(to - from - 1));
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_IN_HEIGHT, (uint32_t)(p->height - 1));
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_IN_CHANNEL, lanes);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_OUT_WIDTH, (uint32_t)(count - 1));
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_OUT_HEIGHT, (uint32_t)(p->out_height - 1));
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_OUT_CHANNEL, lanes);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_OPERATION_MODE_CFG, (uint32_t)(p->out_width - count) << 16 | 0x11);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_POOLING_KERNEL_CFG,
                       (uint32_t)(p->g.stride_h - 1) << 20 | (uint32_t)(p->g.stride_w - 1) << 16 |
                           (uint32_t)(p->g.kernel_h - 1) << 8 | (uint32_t)(p->g.kernel_w - 1));
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_POOLING_PADDING_CFG,
                       (uint32_t)bottom << 12 | (uint32_t)right << 8 | (uint32_t)p->g.pad_top << 4 | (uint32_t)left);
    nnrt__open_npu_set_address(&d, NNRT__OPEN_NPU_PPU_DST_BASE_ADDR, NNRT__OPEN_NPU_TENSORS,
                               out.offset + (uint32_t)first * NNRT__OPEN_NPU_LANES);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_DST_SURF_STRIDE, out.plane_bytes);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_DATA_FORMAT, out.plane_bytes);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_RDMA_IN_WIDTH, (uint32_t)(to - from - 1));
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_RDMA_IN_HEIGHT, (uint32_t)(p->height - 1));
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_RDMA_IN_CHANNEL, lanes);
    nnrt__open_npu_set_address(&d, NNRT__OPEN_NPU_PPU_RDMA_SRC_BASE_ADDR, NNRT__OPEN_NPU_TENSORS,
                               in.offset + (uint32_t)from * NNRT__OPEN_NPU_LANES);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_RDMA_SRC_LINE_STRIDE, (uint32_t)p->width * NNRT__OPEN_NPU_LANES);
    nnrt__open_npu_set(&d, NNRT__OPEN_NPU_PPU_RDMA_SRC_SURF_STRIDE, in.plane_bytes);
    nnrt__open_npu_draft_end(&m->writer, &d);
}

NNRT__FN const char *nnrt__open_npu_max_pool_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_pool p;
    const char *reason = nnrt__open_npu_pool_read(m->part, node, &p);
    int32_t overlap, most, pieces, x;
    if (reason != NULL) return reason;
    overlap = (p.g.kernel_h + p.g.stride_h - 1) / p.g.stride_h;
    most = NNRT__OPEN_NPU_POOL_CELLS / overlap;
    pieces = (p.out_width + most - 1) / most;
    for (x = 0; x < p.out_width; x += (p.out_width + pieces - 1) / pieces) {
        const int32_t count = (p.out_width + pieces - 1) / pieces, rest = p.out_width - x;
        nnrt__open_npu_pool_task(m, node, &p, x, count < rest ? count : rest);
    }
    return NULL;
}

/* -------------------------------------------------------------------------------------------- averages, means */

/* Are rows and columns what is summed up, and not the channels? */
NNRT__FN bool nnrt__open_npu_mean_keeps_channels(const nnrt__reduce_args *args, const nnrt__ir_value *in,
                                                 const nnrt__ir_value *out) {
    const uint32_t last = args->rank - 1;
    if (out->count != (size_t)in->dims[3]) return false;
    return in->dims[3] == 1 || ((args->mask >> last & 1) == 0 && args->dims[last] == in->dims[3]);
}

/* The window of a mean over rows and columns. */
NNRT__FN const char *nnrt__open_npu_mean_window(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__open_npu_conv *c) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const nnrt__reduce_args *args = (const nnrt__reduce_args *)node->spec;
    if (in->rank != 4 || in->dims[0] != 1 || args->factor < 1.0f || args->factor > 1.0f ||
        !nnrt__open_npu_mean_keeps_channels(args, in, out))
        return "the NPU has means over rows and columns of one image";
    if (in->quant.scales[0] > out->quant.scales[0])
        return "the scale of the mean is smaller than the input's: the CPU device rounds before it";
    c->kernel_h = (uint32_t)in->dims[1];
    c->kernel_w = (uint32_t)in->dims[2];
    c->stride_h = c->stride_w = 1;
    c->out_height = c->out_width = 1;
    return NULL;
}

NNRT__FN const char *nnrt__open_npu_average_window(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   nnrt__open_npu_conv *c) {
    nnrt__open_npu_pool p;
    const char *reason = nnrt__open_npu_pool_read(ir, node, &p);
    if (reason != NULL) return reason;
    if (p.g.pad_top != 0 || p.g.pad_left != 0 || (p.out_height - 1) * p.g.stride_h + p.g.kernel_h > p.height ||
        (p.out_width - 1) * p.g.stride_w + p.g.kernel_w > p.width)
        return "an average whose windows reach into padding counts fewer values there";
    c->kernel_h = (uint32_t)p.g.kernel_h;
    c->kernel_w = (uint32_t)p.g.kernel_w;
    c->stride_h = p.out_height == 1 ? 1 : (uint32_t)p.g.stride_h;
    c->stride_w = p.out_width == 1 ? 1 : (uint32_t)p.g.stride_w;
    c->out_height = (uint32_t)p.out_height;
    c->out_width = (uint32_t)p.out_width;
    return NULL;
}

NNRT__FN const char *nnrt__open_npu_mean_plan_of(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                 const nnrt__open_npu_facts *facts, nnrt__open_npu_conv_plan *p) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const nnrt__open_npu_shape shape = nnrt__open_npu_shape_of(in);
    nnrt__open_npu_conv *c = &p->c;
    const char *reason;
    uint32_t o;
    memset(p, 0, sizeof(*p));
    c->depthwise = true;
    c->height = shape.height;
    c->width = shape.width;
    c->channels = c->outputs = shape.channels;
    c->dilation_h = c->dilation_w = c->spread_h = c->spread_w = 1;
    c->group_channels = c->group_outputs = 1;
    c->low = -128;
    c->high = 127;
    p->whole = true;
    reason = nnrt__open_npu_tensor_refusal(in);
    if (reason == NULL)
        reason = node->op == OH_NN_OPS_AVG_POOL ? nnrt__open_npu_average_window(ir, node, c)
                                                : nnrt__open_npu_mean_window(ir, node, c);
    if (reason == NULL) reason = nnrt__open_npu_conv_refusal(c, facts);
    if (reason == NULL) reason = nnrt__open_npu_tiles_of(c, facts, false, &p->tiles);
    if (reason != NULL) return reason;
    if (!nnrt__open_npu_conv_plan_room(p)) return "out of memory";
    if (node->op != OH_NN_OPS_AVG_POOL) { /* which has one zero point, and rounds away from 0 itself */
        p->in_zero = in->quant.zero_points[0];
        p->out_zero = out->quant.zero_points[0];
    }
    for (o = 0; o < c->outputs; o++) {
        p->ratios[o] = in->quant.scales[0] / out->quant.scales[0] / (double)(c->kernel_h * c->kernel_w) *
                       (1 + NNRT__OPEN_NPU_BEYOND_HALF);
        if (!nnrt__open_npu_conv_sum(p, o, 0)) return "a sum may leave the NPU's 32 bits";
    }
    return nnrt__open_npu_conv_finish(p, NULL, facts);
}

/* The byte of a sum of values on the CPU device. */
NNRT__FN int32_t nnrt__open_npu_average_byte(int32_t sum, int32_t count) {
    return (sum < 0 ? sum - count / 2 : sum + count / 2) / count;
}

/* Whether any sum has the CPU device's byte. */
NNRT__FN bool nnrt__open_npu_mean_is_exact(const nnrt__ir *ir, const nnrt__ir_node *node,
                                           const nnrt__open_npu_conv_plan *p) {
    const int32_t count = (int32_t)(p->c.kernel_h * p->c.kernel_w);
    nnrt__open_npu_cpu cpu;
    int32_t sum;
    if (node->op != OH_NN_OPS_AVG_POOL) {
        cpu.zero_point = p->out_zero;
        nnrt__quantize_multiplier(nnrt__ir_in(ir, node, 0)->quant.scales[0] /
                                      nnrt__ir_out(ir, node, 0)->quant.scales[0],
                                  &cpu.multiplier, &cpu.shift);
        nnrt__reduce_multiplier((size_t)count, &cpu.multiplier, &cpu.shift);
        return nnrt__open_npu_same(p->channels[0].factor, &p->scales, &cpu, p->largest[0]);
    }
    if (((const nnrt__pool_args *)node->spec)->offset != 0) return false; /* uint8 in the model: halves go up */
    for (sum = -128 * count; sum <= 127 * count; sum++)
        if (nnrt__open_npu_sum_byte(sum, p->channels[0].factor, &p->scales) != nnrt__open_npu_average_byte(sum, count))
            return false;
    return true;
}

NNRT__FN const char *nnrt__open_npu_mean_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                 const nnrt__open_npu_facts *facts, bool exact) {
    nnrt__open_npu_conv_plan p;
    const char *reason = nnrt__open_npu_mean_plan_of(ir, node, facts, &p);
    if (reason == NULL && exact && !nnrt__open_npu_mean_is_exact(ir, node, &p))
        reason = "its factors have 15 bits on the NPU: a byte may differ by one";
    nnrt__open_npu_conv_plan_free(&p);
    return reason;
}

NNRT__FN const char *nnrt__open_npu_mean_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_conv_plan p;
    const char *reason = nnrt__open_npu_mean_plan_of(m->part, node, m->writer.facts, &p);
    if (reason == NULL) nnrt__open_npu_conv_emit(m, nnrt__open_npu_in(m, node, 0), nnrt__open_npu_out(m, node), &p);
    nnrt__open_npu_conv_plan_free(&p);
    return reason;
}

#endif /* NNRT_RKNPU_OPEN_OP_POOL_H */
