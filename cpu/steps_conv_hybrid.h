/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_hybrid.h - float activations with int8 weights, and transposed convolution.   >>cpu_steps_conv_hybrid

   A hybrid convolution is two steps: the activations of each batch element are quantized with a scale of
   their own, then the blocks of cpu/steps_conv.h run over the int8 rows. Transposed convolutions are rare,
   so one plain loop over output pixels serves them: an output pixel collects from the input pixels that
   scatter to it.

   Operands   quantize_batches  input f32 | int8 of the same shape, scale f32 [batches]
              conv_hybrid, fc_hybrid  int8, scale [batches], weights [out_c][k] s8, their scale
                                [1] or [out_c] f32, bias [out_c] f32 | output f32
              conv_transpose_s8   input s8, weights [out_c][taps][in_c / group] s8, INT32 [3][out_c]:
                                bias, multiplier, shift | output s8
              conv_transpose_f32  input f32, the same weights in f32, bias [out_c] f32 | output f32 */
#ifndef NNRT_CPU_STEPS_CONV_HYBRID_H
#define NNRT_CPU_STEPS_CONV_HYBRID_H

#include "steps_conv.h"

/* --------------------------------------------------------------------------------------- quantize_batches */

typedef struct nnrt__quantize_batches_args {
    int32_t batches;
    int32_t reserved; /* 0 */
} nnrt__quantize_batches_args;

NNRT__FN bool nnrt__quantize_batches_check(const nnrt__step_view *view) {
    const nnrt__quantize_batches_args *args = (const nnrt__quantize_batches_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const nnrt__plan_value *scale = nnrt__step_output(view, 1);
    return in != NULL && in->dtype == (uint32_t)OH_NN_FLOAT32 && out->dtype == (uint32_t)OH_NN_INT8 && scale != NULL &&
           nnrt__value_count(in) == nnrt__value_count(out) && nnrt__value_is(scale, OH_NN_FLOAT32, 1) &&
           scale->dims[0] == args->batches && nnrt__value_count(in) % (size_t)scale->dims[0] == 0;
}

NNRT__FN uint32_t nnrt__quantize_batches_units(const nnrt__step_view *view) {
    return (uint32_t)nnrt__step_output(view, 1)->dims[0];
}

NNRT__FN OH_NN_ReturnCode nnrt__quantize_batches_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const size_t count = nnrt__value_count(nnrt__step_input(view, 0)) / (size_t)nnrt__step_output(view, 1)->dims[0];
    const float *in = (const float *)call->data[0];
    int8_t *out = (int8_t *)call->data[view->input_count];
    float *scale = (float *)call->data[view->input_count + 1];
    size_t unit;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    for (unit = call->first; unit < call->last; unit++)
        view->kernels->quantize_symmetric_f32(in + unit * count, count, out + unit * count, scale + unit);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__quantize_batches_isa(const nnrt__step_view *view) {
    return view->kernels->quantize_symmetric_f32_isa;
}

/* ------------------------------------------------------------------------------------- conv_hybrid,
   fc_hybrid */

NNRT__FN bool nnrt__conv_hybrid_check(const nnrt__step_view *view) {
    const nnrt__plan_value *scales = nnrt__step_input(view, 3);
    nnrt__conv_shape s;
    return nnrt__conv_check(view, OH_NN_INT8, OH_NN_FLOAT32, &s) && s.k <= NNRT__HYBRID_K_MAX &&
           nnrt__conv_args_of(view)->span == s.taps && nnrt__conv_args_of(view)->input_zero_point == 0 &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), OH_NN_FLOAT32, (size_t)s.batches, 1) &&
           nnrt__conv_check_count(nnrt__step_input(view, 2), OH_NN_INT8, (size_t)s.out_c, s.k) &&
           (nnrt__conv_check_count(scales, OH_NN_FLOAT32, 1, 1) ||
            nnrt__conv_check_count(scales, OH_NN_FLOAT32, (size_t)s.out_c, 1)) &&
           nnrt__conv_check_count(nnrt__step_input(view, 4), OH_NN_FLOAT32, (size_t)s.out_c, 1);
}

NNRT__FN void nnrt__conv_hybrid_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                        const nnrt__conv_ready *r, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &r->shape;
    const size_t channel = piece->group * s->n + piece->first, image = (size_t)s->out_h * (size_t)s->out_w;
    const bool per_channel = nnrt__value_count(nnrt__step_input(view, 3)) > 1;
    nnrt__gemm_hybrid_args gemm;
    size_t done;
    gemm.n = piece->last - piece->first;
    gemm.k = s->k;
    gemm.w = (const int8_t *)call->data[2] + channel * s->k;
    gemm.w_stride = s->k;
    gemm.w_scale = (const float *)call->data[3] + (per_channel ? channel : 0);
    gemm.w_scale_stride = per_channel ? 1 : 0;
    gemm.bias = (const float *)call->data[4] + channel;
    gemm.c_stride = (size_t)s->out_c;
    gemm.clamp_min = args->clamp_low;
    gemm.clamp_max = args->clamp_high;
    for (done = 0; done < piece->m; done += gemm.m) { /* the pixels of one batch element share a scale */
        const size_t pixel = piece->pixel + done, batch = pixel / image, left = (batch + 1) * image - pixel;
        gemm.m = piece->m - done < left ? piece->m - done : left;
        gemm.a = (const int8_t *const *)piece->a + done;
        gemm.a_scale = ((const float *)call->data[1])[batch];
        gemm.c = (float *)call->data[view->input_count] + nnrt__conv_output(r, piece) + done * gemm.c_stride;
        view->kernels->gemm_hybrid(&gemm);
    }
}

NNRT__FN void nnrt__conv_hybrid_make_ready(const nnrt__step_view *view, nnrt__conv_ready *ready) {
    nnrt__conv_ready_of(view, NULL, 1, ready);
    ready->fill = 0;
}

NNRT__FN void nnrt__conv_hybrid_prepare(const nnrt__step_view *view, void *ready) {
    nnrt__conv_hybrid_make_ready(view, (nnrt__conv_ready *)ready);
}

NNRT__FN bool nnrt__conv_hybrid_scratch(const nnrt__step_view *view, size_t *bytes) {
    nnrt__conv_ready ready;
    nnrt__conv_hybrid_make_ready(view, &ready);
    *bytes = ready.scratch;
    return true;
}

NNRT__FN uint32_t nnrt__conv_hybrid_units(const nnrt__step_view *view) {
    nnrt__conv_ready ready;
    nnrt__conv_hybrid_make_ready(view, &ready);
    return (uint32_t)ready.units;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_hybrid_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__conv_run(view, call, (const nnrt__conv_ready *)view->ready, nnrt__conv_hybrid_product);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__conv_hybrid_isa(const nnrt__step_view *view) { return view->kernels->gemm_hybrid_isa; }

/* ---------------------------------------------------------------------------- transposed convolution

   The geometry is the scatter's: input pixel y, tap i goes to output row y * stride_h - pad_top + i *
   dilation_h. */

/* Shape with in_h, in_w the input's; nnrt__geometry_check wants the size of the side that steps by the
   stride. */
NNRT__FN bool nnrt__conv_transpose_shape_of(const nnrt__step_view *view, nnrt__conv_shape *s) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    int64_t k;
    memset(s, 0, sizeof(*s));
    if (in == NULL || in->rank != 4 || out->rank != 4 || in->dims[0] != out->dims[0]) return false;
    if (args->columns != 0 || args->group < 1) return false;
    s->batches = in->dims[0];
    s->in_h = in->dims[1];
    s->in_w = in->dims[2];
    s->in_c = in->dims[3];
    s->out_h = out->dims[1];
    s->out_w = out->dims[2];
    s->out_c = out->dims[3];
    if (s->in_c % args->group != 0 || s->out_c % args->group != 0) return false;
    if (args->first_row != 0 || args->row_count != s->out_h) return false;
    if (!nnrt__geometry_check(g, s->in_h, s->in_w, NNRT__TAPS_MAX)) return false;
    k = (int64_t)g->kernel_h * g->kernel_w * (s->in_c / args->group);
    if (k > NNRT__CONV_K_MAX) return false;
    s->taps = (size_t)g->kernel_h * (size_t)g->kernel_w;
    s->group = (size_t)args->group;
    s->n = (size_t)(s->out_c / args->group);
    s->k = (size_t)k;
    s->pixels = (size_t)s->batches * (size_t)s->out_h * (size_t)s->out_w;
    return s->pixels <= NNRT__COORDINATE_MAX;
}

NNRT__FN bool nnrt__conv_transpose_check(const nnrt__step_view *view, OH_NN_DataType dtype, OH_NN_DataType constants,
                                         size_t each) {
    nnrt__conv_shape s;
    return nnrt__conv_transpose_shape_of(view, &s) && nnrt__step_input(view, 0)->dtype == (uint32_t)dtype &&
           nnrt__step_output(view, 0)->dtype == (uint32_t)dtype && nnrt__conv_range_check(nnrt__conv_args_of(view)) &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), dtype, (size_t)s.out_c, s.k) &&
           nnrt__conv_check_count(nnrt__step_input(view, 2), constants, (size_t)s.out_c, each);
}
NNRT__FN bool nnrt__conv_transpose_s8_check(const nnrt__step_view *view) {
    return nnrt__conv_transpose_check(view, OH_NN_INT8, OH_NN_INT32, 3);
}
NNRT__FN bool nnrt__conv_transpose_f32_check(const nnrt__step_view *view) {
    return nnrt__conv_transpose_check(view, OH_NN_FLOAT32, OH_NN_FLOAT32, 1);
}

/* Output pixels. */
NNRT__FN uint32_t nnrt__conv_transpose_units(const nnrt__step_view *view) {
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    return (uint32_t)(nnrt__value_count(out) / (size_t)out->dims[3]);
}

/* Products, those with what lies outside the input included: the loop meets them. */
NNRT__FN uint64_t nnrt__conv_transpose_work(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_transpose_shape_of(view, &s) ? (uint64_t)nnrt__value_count(nnrt__step_output(view, 0)) * s.k : 0;
}

/* The input row (column) that tap i sends to output position o, or -1. */
NNRT__INLINE int32_t nnrt__conv_transpose_source(int32_t o, int32_t pad, int32_t i, int32_t dilation, int32_t stride,
                                                 int32_t size) {
    const int64_t at = (int64_t)o + pad - (int64_t)i * dilation;
    return at >= 0 && at % stride == 0 && at / stride < size ? (int32_t)(at / stride) : -1;
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__geometry *g = &args->geometry;
    const bool is_s8 = nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_INT8;
    nnrt__conv_shape s;
    size_t unit, o, c, run;
    int32_t i, j;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    (void)nnrt__conv_transpose_shape_of(view, &s);
    run = (size_t)s.in_c / s.group;
    for (unit = call->first; unit < call->last; unit++) {
        const size_t row = unit / (size_t)s.out_w, batch = row / (size_t)s.out_h, to = unit * (size_t)s.out_c;
        const int32_t oy = (int32_t)(row % (size_t)s.out_h), ox = (int32_t)(unit % (size_t)s.out_w);
        for (o = 0; o < (size_t)s.out_c; o++) {
            const size_t first = o / s.n * run; /* channel of the input */
            uint32_t sum = is_s8 ? (uint32_t)((const int32_t *)call->data[2])[o] : 0;
            float real = is_s8 ? 0.0f : ((const float *)call->data[2])[o];
            for (i = 0; i < g->kernel_h; i++) {
                const int32_t y = nnrt__conv_transpose_source(oy, g->pad_top, i, g->dilation_h, g->stride_h, s.in_h);
                for (j = 0; y >= 0 && j < g->kernel_w; j++) {
                    const int32_t x =
                        nnrt__conv_transpose_source(ox, g->pad_left, j, g->dilation_w, g->stride_w, s.in_w);
                    const size_t w = o * s.k + ((size_t)i * (size_t)g->kernel_w + (size_t)j) * run;
                    size_t from;
                    if (x < 0) continue;
                    from = ((batch * (size_t)s.in_h + (size_t)y) * (size_t)s.in_w + (size_t)x) * (size_t)s.in_c + first;
                    for (c = 0; is_s8 && c < run; c++)
                        sum += (uint32_t)((((const int8_t *)call->data[0])[from + c] - args->input_zero_point) *
                                          ((const int8_t *)call->data[1])[w + c]);
                    for (c = 0; !is_s8 && c < run; c++)
                        real += ((const float *)call->data[0])[from + c] * ((const float *)call->data[1])[w + c];
                }
            }
            if (is_s8)
                ((int8_t *)call->data[view->input_count])[to + o] =
                    nnrt__requantize_s8(sum, ((const int32_t *)call->data[2])[(size_t)s.out_c + o],
                                        ((const int32_t *)call->data[2])[2 * (size_t)s.out_c + o],
                                        args->output_zero_point, args->clamp_min, args->clamp_max);
            else
                ((float *)call->data[view->input_count])[to + o] =
                    nnrt__clamp_f32(real, args->clamp_low, args->clamp_high);
        }
    }
    return OH_NN_SUCCESS;
}

NNRT__FP_CONTRACT_OFF_END

NNRT__STEP_KIND(quantize_batches, INPUTS(1, 1), OUTPUTS(2, 2), ARGUMENTS(nnrt__quantize_batches_args),
                CHECK(nnrt__quantize_batches_check), SCRATCH(NULL), UNITS(nnrt__quantize_batches_units),
                ISA(nnrt__quantize_batches_isa), RUN(nnrt__quantize_batches_run), WORK(NULL), NOTHING_READY)
NNRT__STEP_KIND(conv_hybrid, INPUTS(5, 5), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args), CHECK(nnrt__conv_hybrid_check),
                SCRATCH(nnrt__conv_hybrid_scratch), UNITS(nnrt__conv_hybrid_units), ISA(nnrt__conv_hybrid_isa),
                RUN(nnrt__conv_hybrid_run), WORK(nnrt__conv_work), READY(nnrt__conv_ready, nnrt__conv_hybrid_prepare))
NNRT__STEP_KIND(fc_hybrid, INPUTS(5, 5), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args), CHECK(nnrt__conv_hybrid_check),
                SCRATCH(nnrt__conv_hybrid_scratch), UNITS(nnrt__conv_hybrid_units), ISA(nnrt__conv_hybrid_isa),
                RUN(nnrt__conv_hybrid_run), WORK(nnrt__conv_work), READY(nnrt__conv_ready, nnrt__conv_hybrid_prepare))
NNRT__STEP_KIND(conv_transpose_s8, INPUTS(3, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args),
                CHECK(nnrt__conv_transpose_s8_check), SCRATCH(NULL), UNITS(nnrt__conv_transpose_units), ISA(NULL),
                RUN(nnrt__conv_transpose_run), WORK(nnrt__conv_transpose_work), NOTHING_READY)
NNRT__STEP_KIND(conv_transpose_f32, INPUTS(3, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args),
                CHECK(nnrt__conv_transpose_f32_check), SCRATCH(NULL), UNITS(nnrt__conv_transpose_units), ISA(NULL),
                RUN(nnrt__conv_transpose_run), WORK(nnrt__conv_transpose_work), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_CONV_HYBRID_H */
