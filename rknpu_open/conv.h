/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/conv.h - which operators are a convolution of the NPU, and why one is not.   >>rknpu_open_conv

   Convolution, full connection and transposed convolution, and means, whose weights are all 1, become one description.
   What returns a text returns NULL, or why the NPU does not do it. */
#ifndef NNRT_RKNPU_OPEN_CONV_H
#define NNRT_RKNPU_OPEN_CONV_H

#include "../cpu/ops_conv_pool.h"
#include "../cpu/ops_conv_transpose.h"
#include "scale.h"

/* Weights of groups and of depth multipliers become dense ones, with zeros between them: not more than this. */
#define NNRT__OPEN_NPU_MOST_SPREAD_WEIGHTS 0x100000u

typedef struct nnrt__open_npu_conv {
    bool depthwise;                   /* a kernel a channel */
    uint32_t height, width, channels; /* of the input */
    uint32_t out_height, out_width, outputs;
    uint32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
    uint32_t spread_h,
        spread_w; /* transposed: from a pixel of the input to the next, where padding lies between them */
    uint32_t pad_top, pad_left;
    /* Weight of an output, a tap and a channel of its group: weights[output * output_stride + ...]. NULL: all are 1,
       or of 1 by 1 as `selects` says. */
    const int8_t *weights;
    ptrdiff_t output_stride, tap_stride, channel_stride;
    ptrdiff_t group_stride; /* beside output_stride, which then counts inside a group; 0: it counts all */
    bool turned;            /* the last tap first */
    /* A phase of a transposed convolution: its taps are first, first + step ... of a kernel of whole, and 0 in front of
       its first. whole_w 0: all taps. */
    uint32_t whole_h, whole_w, step_h, step_w;
    int32_t first_h, first_w;
    bool selects; /* no weights: output o is channel first_selected + o % selected, or nothing */
    int32_t first_selected;
    uint32_t selected;
    uint32_t group_channels, group_outputs;
    const uint8_t *halvings; /* of the weights of each output, to the nearest; NULL: none */
    int32_t low, high;       /* bytes that come out, from the activation */
} nnrt__open_npu_conv;

/* A tensor as the NPU has it: pixels of channels. Rank 4: the batch, which is 1 for what looks at neighbours, counts as
   rows. */
typedef struct nnrt__open_npu_shape {
    uint32_t height, width, channels;
} nnrt__open_npu_shape;

NNRT__FN nnrt__open_npu_shape nnrt__open_npu_shape_of(const nnrt__ir_value *value) {
    nnrt__open_npu_shape shape;
    shape.channels = value->rank >= 1 ? (uint32_t)value->dims[value->rank - 1] : 1;
    shape.width = value->rank >= 3 ? (uint32_t)value->dims[value->rank - 2] : 1;
    shape.height = (uint32_t)(value->count / shape.channels / shape.width);
    return shape;
}

/* Of every tensor that the NPU reads or writes. */
NNRT__FN const char *nnrt__open_npu_tensor_refusal(const nnrt__ir_value *value) {
    nnrt__open_npu_shape shape;
    if (value->dtype != OH_NN_INT8) return "the NPU takes int8 only";
    if (value->quant.count != 1) return "the NPU takes tensors with one scale and one zero point";
    if (value->data != NULL) return "the NPU reads a constant in place of weights alone";
    if (value->count == 0) return "the tensor is empty";
    shape = nnrt__open_npu_shape_of(value);
    if (shape.height > NNRT__OPEN_NPU_MOST_SIDE || shape.width > NNRT__OPEN_NPU_MOST_SIDE)
        return "the NPU's tensors have at most 2047 rows and columns";
    if (shape.channels > NNRT__OPEN_NPU_MOST_OUTPUTS) return "the NPU's tensors have at most 8192 channels";
    return NULL;
}

/* The activation as bytes: from what the output's scale makes of it. */
NNRT__FN void nnrt__open_npu_bounds(const nnrt__ir_value *out, float low, float high, int32_t *low_byte,
                                    int32_t *high_byte) {
    nnrt__clamp_range_to_quantized(low, high, (float)out->quant.scales[0], out->quant.zero_points[0], low_byte,
                                   high_byte);
}

/* The same of a node's activation. */
NNRT__FN void nnrt__open_npu_activation(const nnrt__ir_node *node, const nnrt__ir_value *out, int32_t *low_byte,
                                        int32_t *high_byte) {
    float low, high;
    (void)nnrt__activation_bounds(node, &low, &high);
    nnrt__open_npu_bounds(out, low, high, low_byte, high_byte);
}

NNRT__FN void nnrt__open_npu_conv_window(nnrt__open_npu_conv *c, const nnrt__geometry *g) {
    c->kernel_h = (uint32_t)g->kernel_h;
    c->kernel_w = (uint32_t)g->kernel_w;
    c->stride_h = (uint32_t)g->stride_h;
    c->stride_w = (uint32_t)g->stride_w;
    c->dilation_h = (uint32_t)g->dilation_h;
    c->dilation_w = (uint32_t)g->dilation_w;
    c->spread_h = c->spread_w = 1;
    c->pad_top = (uint32_t)g->pad_top;
    c->pad_left = (uint32_t)g->pad_left;
}

/* Sizes and groups of a spec whose output has out_dims. */
NNRT__FN void nnrt__open_npu_conv_sizes(const nnrt__open_npu_shape *shape, const nnrt__conv_spec *spec,
                                        nnrt__open_npu_conv *c) {
    c->height = shape->height;
    c->width = shape->width;
    c->channels = shape->channels;
    c->out_height = (uint32_t)spec->out_dims[1];
    c->out_width = (uint32_t)spec->out_dims[2];
    c->outputs = (uint32_t)spec->out_c;
    if (c->out_height == 1) c->stride_h = 1; /* it makes no step */
    if (c->out_width == 1) c->stride_w = 1;
    c->depthwise = spec->group > 1 && spec->group == spec->in_c && spec->group == spec->out_c;
    c->group_channels = (uint32_t)(spec->in_c / spec->group);
    c->group_outputs = (uint32_t)(spec->out_c / spec->group);
}

NNRT__FN const char *nnrt__open_npu_conv_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__open_npu_conv *c) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const nnrt__open_npu_shape shape = nnrt__open_npu_shape_of(in);
    nnrt__conv_spec spec = *(const nnrt__conv_spec *)node->spec;
    if (in->dims[0] != 1) return "the NPU takes one image at a time";
    spec.geometry.pad_top += node->pad_top; /* of a PAD in front */
    spec.geometry.pad_left += node->pad_left;
    nnrt__open_npu_conv_window(c, &spec.geometry);
    nnrt__open_npu_conv_sizes(&shape, &spec, c);
    c->weights = (const int8_t *)nnrt__ir_in(ir, node, 1)->data;
    c->output_stride = spec.channel_stride;
    c->channel_stride = spec.k_stride;
    c->tap_stride = spec.k_stride * (ptrdiff_t)c->group_channels;
    nnrt__open_npu_activation(node, out, &c->low, &c->high);
    return NULL;
}

NNRT__FN bool nnrt__open_npu_renames(OH_NN_OperationType op) {
    return op == OH_NN_OPS_RESHAPE || op == OH_NN_OPS_SQUEEZE || op == OH_NN_OPS_UNSQUEEZE ||
           op == OH_NN_OPS_EXPAND_DIMS || op == OH_NN_OPS_FLATTEN;
}

/* Do full connections read value number i, and nobody else? */
NNRT__FN bool nnrt__open_npu_only_full(const nnrt__ir *ir, uint32_t i) {
    uint32_t n, k, readers = 0;
    if (ir->values[i].output != NNRT__NONE) return false;
    for (n = ir->first; n != NNRT__NONE; n = ir->nodes[n].next)
        for (k = 0; k < ir->nodes[n].input_count; k++) {
            if (ir->nodes[n].inputs[k] != i) continue;
            if (ir->nodes[n].op != OH_NN_OPS_FULL_CONNECTION || k != 0) return false;
            readers++;
        }
    return readers != 0;
}

/* The input of a full connection; behind an image that was made flat for it alone, that image. */
NNRT__FN nnrt__open_npu_shape nnrt__open_npu_fc_shape(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *image;
    const nnrt__ir_node *maker = in->producer != NNRT__NONE ? &ir->nodes[in->producer] : NULL;
    if (maker == NULL || !nnrt__open_npu_renames(maker->op)) return nnrt__open_npu_shape_of(in);
    image = nnrt__ir_in(ir, maker, 0);
    if (nnrt__open_npu_tensor_refusal(image) != NULL || image->rank != 4 || image->dims[0] != 1 ||
        image->count != in->count || !nnrt__open_npu_only_full(ir, node->inputs[0]))
        return nnrt__open_npu_shape_of(in);
    return nnrt__open_npu_shape_of(image);
}

/* A full connection is a convolution of 1 by 1 over rows, or one whose kernel is as large as the input. */
NNRT__FN const char *nnrt__open_npu_fc_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__open_npu_conv *c) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const nnrt__open_npu_shape shape = nnrt__open_npu_fc_shape(ir, node);
    nnrt__conv_spec spec = *(const nnrt__conv_spec *)node->spec;
    if (shape.channels != (uint32_t)spec.columns && in->count != (size_t)spec.columns)
        return "a row of weights covers neither the channels of a pixel nor the whole input";
    nnrt__open_npu_conv_window(c, &spec.geometry);
    spec.out_dims[1] = (int32_t)shape.height;
    spec.out_dims[2] = (int32_t)shape.width;
    if (shape.channels != (uint32_t)spec.columns) {
        c->kernel_h = shape.height;
        c->kernel_w = shape.width;
        spec.out_dims[1] = spec.out_dims[2] = 1;
    }
    spec.in_c = (int32_t)shape.channels;
    nnrt__open_npu_conv_sizes(&shape, &spec, c);
    c->weights = (const int8_t *)nnrt__ir_in(ir, node, 1)->data;
    c->output_stride = spec.channel_stride;
    c->channel_stride = 1;
    c->tap_stride = (ptrdiff_t)shape.channels;
    nnrt__open_npu_activation(node, out, &c->low, &c->high);
    return NULL;
}

/* A transposed convolution is one of a spread input with the kernel turned round. */
NNRT__FN const char *nnrt__open_npu_transposed_read(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                    nnrt__open_npu_conv *c) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *out = nnrt__ir_out(ir, node, 0);
    const nnrt__open_npu_shape shape = nnrt__open_npu_shape_of(in);
    nnrt__conv_spec spec = *(const nnrt__conv_spec *)node->spec;
    if (in->dims[0] != 1) return "the NPU takes one image at a time";
    if (spec.geometry.dilation_h != 1 || spec.geometry.dilation_w != 1)
        return "a transposed convolution with dilation was never seen on the NPU";
    if (spec.geometry.stride_h > (int32_t)NNRT__OPEN_NPU_MOST_STRIDE ||
        spec.geometry.stride_w > (int32_t)NNRT__OPEN_NPU_MOST_STRIDE)
        return "a transposed convolution has strides of 1 to 4 on the NPU";
    if (spec.geometry.pad_top < 0 || spec.geometry.pad_left < 0 || spec.geometry.pad_top >= spec.geometry.kernel_h ||
        spec.geometry.pad_left >= spec.geometry.kernel_w)
        return "the padding of the transposed convolution is not within its kernel";
    nnrt__open_npu_conv_window(c, &spec.geometry);
    c->spread_h = c->stride_h;
    c->spread_w = c->stride_w;
    c->stride_h = c->stride_w = 1;
    c->pad_top = c->kernel_h - 1 - c->pad_top;
    c->pad_left = c->kernel_w - 1 - c->pad_left;
    nnrt__open_npu_conv_sizes(&shape, &spec, c);
    c->weights = (const int8_t *)nnrt__ir_in(ir, node, 1)->data;
    c->turned = true;
    if (spec.inputs_first) { /* [in_c][taps][outputs of a group] */
        c->output_stride = 1;
        c->tap_stride = (ptrdiff_t)c->group_outputs;
        c->channel_stride = c->tap_stride * (ptrdiff_t)(c->kernel_h * c->kernel_w);
        c->group_stride = c->channel_stride * (ptrdiff_t)c->group_channels;
    } else {
        c->output_stride = (ptrdiff_t)spec.k;
        c->tap_stride = (ptrdiff_t)c->group_channels;
        c->channel_stride = 1;
    }
    nnrt__open_npu_activation(node, out, &c->low, &c->high);
    return NULL;
}

/* A transposed convolution that the chip does not do itself is one for each row and column within its strides: every
   spread_h-th row and spread_w-th column of the output is a convolution of the input as it is, with the taps that do
   not meet padding between pixels. */
NNRT__FN uint32_t nnrt__open_npu_phases(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts) {
    if (c->spread_h * c->spread_w == 1) return 1;
    return facts->has_transposed && !c->depthwise && c->spread_h <= 2 && c->spread_w <= 2 ? 1
                                                                                          : c->spread_h * c->spread_w;
}

/* One side of a phase, which begins at row or column `at`. false: it has no tap. Where it begins behind the input, taps
   of 0 stand in front. */
NNRT__FN bool nnrt__open_npu_phase_side(uint32_t at, uint32_t spread, uint32_t *kernel, uint32_t *pad, int32_t *first) {
    const uint32_t tap = (*pad + spread - at) % spread;
    const int32_t ahead = ((int32_t)*pad - (int32_t)at - (int32_t)tap) / (int32_t)spread; /* it divides */
    if (tap >= *kernel) return false;
    *kernel = (*kernel - tap + spread - 1) / spread;
    *pad = ahead > 0 ? (uint32_t)ahead : 0;
    *first = (int32_t)tap;
    if (ahead >= 0) return true;
    *kernel += (uint32_t)-ahead;
    *first += ahead * (int32_t)spread;
    return true;
}

/* Makes a phase of a description. */
NNRT__FN const char *nnrt__open_npu_phase(nnrt__open_npu_conv *c, uint32_t phase) {
    const uint32_t y = phase / c->spread_w, x = phase % c->spread_w;
    if (c->out_height < c->spread_h || c->out_width < c->spread_w)
        return "the output of the transposed convolution is smaller than its strides";
    c->whole_h = c->kernel_h;
    c->whole_w = c->kernel_w;
    c->step_h = c->spread_h;
    c->step_w = c->spread_w;
    if (!nnrt__open_npu_phase_side(y, c->spread_h, &c->kernel_h, &c->pad_top, &c->first_h) ||
        !nnrt__open_npu_phase_side(x, c->spread_w, &c->kernel_w, &c->pad_left, &c->first_w))
        return "the strides of the transposed convolution leave pixels of its output to none of its taps";
    c->out_height = (c->out_height - y + c->spread_h - 1) / c->spread_h;
    c->out_width = (c->out_width - x + c->spread_w - 1) / c->spread_w;
    c->spread_h = c->spread_w = 1;
    return NULL;
}

/* Weight of an output, a tap and a channel of the input, as the model has it. */
NNRT__FN int32_t nnrt__open_npu_whole_weight(const nnrt__open_npu_conv *c, uint32_t output, uint32_t tap,
                                             uint32_t channel) {
    const uint32_t group = output / c->group_outputs, within = output % c->group_outputs;
    const uint32_t first = group * c->group_channels;
    if (c->whole_w != 0) {
        const int32_t y = c->first_h + (int32_t)(tap / c->kernel_w * c->step_h);
        const int32_t x = c->first_w + (int32_t)(tap % c->kernel_w * c->step_w);
        if (y < 0 || x < 0) return 0;
        tap = (uint32_t)y * c->whole_w + (uint32_t)x;
    }
    if (c->turned) tap = (c->whole_w != 0 ? c->whole_h * c->whole_w : c->kernel_h * c->kernel_w) - 1 - tap;
    if (c->selects) return (int64_t)c->first_selected + output % c->selected == channel ? 1 : 0;
    if (c->weights == NULL) return 1;
    if (channel < first || channel - first >= c->group_channels) return 0;
    return c->weights[(c->group_stride != 0 ? (ptrdiff_t)group * c->group_stride + (ptrdiff_t)within * c->output_stride
                                            : (ptrdiff_t)output * c->output_stride) +
                      (ptrdiff_t)tap * c->tap_stride + (ptrdiff_t)(channel - first) * c->channel_stride];
}

/* value / 2^halvings to the nearest. */
NNRT__INLINE int64_t nnrt__open_npu_halve(int64_t value, uint32_t halvings) {
    const int64_t unit = (int64_t)1 << halvings, half = unit / 2;
    return value < 0 ? -((-value + half) / unit) : (value + half) / unit;
}

/* The same as the NPU has it. */
NNRT__FN int32_t nnrt__open_npu_weight(const nnrt__open_npu_conv *c, uint32_t output, uint32_t tap, uint32_t channel) {
    const int32_t weight = nnrt__open_npu_whole_weight(c, output, tap, channel);
    return c->halvings == NULL ? weight : (int32_t)nnrt__open_npu_halve(weight, c->halvings[output]);
}

/* Rows or columns that a kernel covers. */
NNRT__INLINE uint32_t nnrt__open_npu_reach(uint32_t kernel, uint32_t dilation) { return (kernel - 1) * dilation + 1; }

/* One side: no window lies in padding alone, and fields hold it. */
NNRT__FN const char *nnrt__open_npu_side_refusal(uint32_t size, uint32_t kernel, uint32_t stride, uint32_t dilation,
                                                 uint32_t spread, uint32_t pad, uint32_t out, uint32_t most_pad) {
    const uint32_t reach = nnrt__open_npu_reach(kernel, dilation), spread_size = (size - 1) * spread + 1;
    if (kernel > NNRT__OPEN_NPU_MOST_KERNEL) return "the NPU's kernels have at most 31 rows and columns";
    if (stride > NNRT__OPEN_NPU_MOST_STRIDE) return "the NPU's strides are at most 4";
    if (dilation > NNRT__OPEN_NPU_MOST_DILATION) return "the NPU's dilation is at most 17";
    if (pad > most_pad) return "the NPU's padding is at most 31, or 15 on RK3588";
    if (pad >= reach || (out - 1) * stride >= spread_size + pad) return "a window of padding alone";
    if (out > NNRT__OPEN_NPU_MOST_SIDE) return "the NPU's tensors have at most 2047 rows and columns";
    return NULL;
}

/* Whether a description is one that the chip does. */
NNRT__FN const char *nnrt__open_npu_conv_refusal(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts) {
    const uint64_t taps = (uint64_t)c->kernel_h * c->kernel_w;
    const uint32_t lanes = nnrt__open_npu_up(c->channels, NNRT__OPEN_NPU_LANES);
    const char *reason;
    if (c->height > NNRT__OPEN_NPU_MOST_SIDE || c->width > NNRT__OPEN_NPU_MOST_SIDE)
        return "the NPU's tensors have at most 2047 rows and columns";
    if (c->outputs > NNRT__OPEN_NPU_MOST_OUTPUTS || c->channels > NNRT__OPEN_NPU_MOST_INPUTS)
        return "the NPU's tensors have at most 8192 channels";
    reason = nnrt__open_npu_side_refusal(c->height, c->kernel_h, c->stride_h, c->dilation_h, c->spread_h, c->pad_top,
                                         c->out_height, facts->most_padding);
    if (reason == NULL)
        reason = nnrt__open_npu_side_refusal(c->width, c->kernel_w, c->stride_w, c->dilation_w, c->spread_w,
                                             c->pad_left, c->out_width, facts->most_padding);
    if (reason != NULL) return reason;
    NNRT_ASSERT(nnrt__open_npu_phases(c, facts) == 1);
    if (taps * (c->depthwise ? 1 : lanes) > 65535) return "a sum has more products than the NPU's 32 bits surely hold";
    if (!c->depthwise && c->group_channels != c->channels &&
        taps * lanes * c->outputs > NNRT__OPEN_NPU_MOST_SPREAD_WEIGHTS)
        return "its groups would become dense weights of more than 1 MiB";
    return NULL;
}

#endif /* NNRT_RKNPU_OPEN_CONV_H */
