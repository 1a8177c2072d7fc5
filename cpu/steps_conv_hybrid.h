/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_hybrid.h - float activations with int8 weights.   >>cpu_steps_conv_hybrid

   A hybrid convolution is two steps: one quantizes the activations, with a scale for each batch element; then the
   blocks of cpu/steps_conv.h run over the int8 rows.

   Operands   quantize_batches  input f32 | int8 of the same shape, scale f32 [batches]
              conv_hybrid, fc_hybrid  int8, scale [batches], weights [out_c][k] s8, their scale [1] or [out_c] f32,
                                bias [out_c] f32 | output f32 */
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
    nnrt__conv_shape own;
    const nnrt__conv_shape *s = nnrt__conv_check(view, OH_NN_INT8, OH_NN_FLOAT32, &own);
    return s != NULL && s->k <= NNRT__HYBRID_K_MAX && nnrt__conv_args_of(view)->span == s->taps &&
           nnrt__conv_args_of(view)->input_zero_point == 0 &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), OH_NN_FLOAT32, (size_t)s->batches, 1) &&
           nnrt__conv_check_count(nnrt__step_input(view, 2), OH_NN_INT8, (size_t)s->out_c, s->k) &&
           (nnrt__conv_check_count(scales, OH_NN_FLOAT32, 1, 1) ||
            nnrt__conv_check_count(scales, OH_NN_FLOAT32, (size_t)s->out_c, 1)) &&
           nnrt__conv_check_count(nnrt__step_input(view, 4), OH_NN_FLOAT32, (size_t)s->out_c, 1);
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
    gemm.c_stride = piece->c_stride;
    gemm.clamp_min = args->clamp_low;
    gemm.clamp_max = args->clamp_high;
    for (done = 0; done < piece->m; done += gemm.m) { /* the pixels of one batch element share a scale */
        const size_t pixel = piece->pixel + done, batch = pixel / image, left = (batch + 1) * image - pixel;
        gemm.m = piece->m - done < left ? piece->m - done : left;
        gemm.a = (const int8_t *const *)piece->a + done;
        gemm.a_scale = ((const float *)call->data[1])[batch];
        gemm.c = (float *)call->data[view->input_count] + piece->out + piece->first + done * gemm.c_stride;
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
    nnrt__conv_run(view, call, (const nnrt__conv_ready *)view->ready, NULL, nnrt__conv_hybrid_product);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__conv_hybrid_isa(const nnrt__step_view *view) { return view->kernels->gemm_hybrid_isa; }

NNRT__STEP_KIND(quantize_batches, INPUTS(1, 1), OUTPUTS(2, 2), ARGUMENTS(nnrt__quantize_batches_args),
                CHECK(nnrt__quantize_batches_check), SCRATCH(NULL), UNITS(nnrt__quantize_batches_units),
                ISA(nnrt__quantize_batches_isa), RUN(nnrt__quantize_batches_run), WORK(NULL), NOTHING_READY)
NNRT__STEP_KIND(conv_hybrid, INPUTS(5, 5), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args), CHECK(nnrt__conv_hybrid_check),
                SCRATCH(nnrt__conv_hybrid_scratch), UNITS(nnrt__conv_hybrid_units), ISA(nnrt__conv_hybrid_isa),
                RUN(nnrt__conv_hybrid_run), WORK(nnrt__conv_work), READY(nnrt__conv_ready, nnrt__conv_hybrid_prepare))
NNRT__STEP_KIND(fc_hybrid, INPUTS(5, 5), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args), CHECK(nnrt__conv_hybrid_check),
                SCRATCH(nnrt__conv_hybrid_scratch), UNITS(nnrt__conv_hybrid_units), ISA(nnrt__conv_hybrid_isa),
                RUN(nnrt__conv_hybrid_run), WORK(nnrt__conv_work), READY(nnrt__conv_ready, nnrt__conv_hybrid_prepare))

#endif /* NNRT_CPU_STEPS_CONV_HYBRID_H */
