/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_dw.h - depthwise convolution, one filter per channel.   >>cpu_steps_conv_dw

   A unit is a chunk of an output row. For its pixels the addresses of all taps are listed in scratch
   (those in the padding point at a row of zero points), and the kernel does the rest: no pixel is copied.

   Operands   dw_s8   input s8, packed tiles as INT32 | output s8
              dw_f32  input f32, packed tiles as FLOAT32 | output f32 */
#ifndef NNRT_CPU_STEPS_CONV_DW_H
#define NNRT_CPU_STEPS_CONV_DW_H

#include "steps_conv.h"

/* Addresses of one chunk: 2 KB with 32-bit pointers. */
#define NNRT__DW_ADDRESSES 512u

/* Pixels of a chunk, and the bytes of the address list, a multiple of 64; the row of zero points follows. */
NNRT__FN size_t nnrt__dw_chunk(const nnrt__conv_shape *s, size_t *list_size) {
    size_t chunk = NNRT__DW_ADDRESSES / s->taps;
    if (chunk < 1) chunk = 1;
    if (chunk > (size_t)s->out_w) chunk = (size_t)s->out_w;
    *list_size = (chunk * s->taps * sizeof(const void *) + 63) & ~(size_t)63;
    return chunk;
}

NNRT__FN bool nnrt__dw_scratch(const nnrt__step_view *view, size_t *bytes) {
    const nnrt__plan_value *in = nnrt__step_input(view, 0);
    nnrt__conv_shape s;
    size_t list_size;
    if (!nnrt__conv_shape_of(view, &s)) return false;
    (void)nnrt__dw_chunk(&s, &list_size);
    return nnrt__add_size(list_size, (size_t)s.in_c * nnrt__element_size((OH_NN_DataType)in->dtype), bytes);
}

/* Chunks of all rows: at most the pixels, 2^30. */
NNRT__FN uint32_t nnrt__dw_units(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    size_t list_size, chunk;
    if (!nnrt__conv_shape_of(view, &s)) return 1;
    chunk = nnrt__dw_chunk(&s, &list_size);
    return (uint32_t)((size_t)s.batches * (size_t)s.out_h * (((size_t)s.out_w + chunk - 1) / chunk));
}

NNRT__FN uint64_t nnrt__dw_work(const nnrt__step_view *view) {
    nnrt__conv_shape s;
    return nnrt__conv_shape_of(view, &s) ? (uint64_t)s.pixels * (uint64_t)s.in_c * s.taps : 0;
}

NNRT__FN bool nnrt__dw_check(const nnrt__step_view *view, OH_NN_DataType dtype, nnrt__conv_shape *s) {
    return nnrt__conv_args_of(view)->columns == 0 && nnrt__conv_check(view, dtype, dtype, s) && s->in_c == s->out_c &&
           s->group == (size_t)s->in_c;
}

NNRT__FN const nnrt__dw_s8_slot *nnrt__dw_s8_slot_of(const nnrt__step_view *view) {
    const nnrt__dw_s8_slot *slots = view->kernels->dw_s8;
    return slots[1].packing->id == nnrt__conv_args_of(view)->packing ? &slots[1] : &slots[0];
}

NNRT__FN const nnrt__dw_f32_slot *nnrt__dw_f32_slot_of(const nnrt__step_view *view) {
    const nnrt__dw_f32_slot *slots = view->kernels->dw_f32;
    return slots[1].packing->id == nnrt__conv_args_of(view)->packing ? &slots[1] : &slots[0];
}

NNRT__FN bool nnrt__dw_s8_check(const nnrt__step_view *view) {
    const nnrt__packing *packing = nnrt__dw_s8_slot_of(view)->packing;
    nnrt__conv_shape s;
    size_t size;
    return nnrt__dw_check(view, OH_NN_INT8, &s) && nnrt__conv_args_of(view)->packing == packing->id &&
           nnrt__packing_size(packing, (size_t)s.in_c, 1, s.taps, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), OH_NN_INT32, size);
}

NNRT__FN bool nnrt__dw_f32_check(const nnrt__step_view *view) {
    const nnrt__packing *packing = nnrt__dw_f32_slot_of(view)->packing;
    nnrt__conv_shape s;
    size_t size;
    return nnrt__dw_check(view, OH_NN_FLOAT32, &s) && nnrt__conv_args_of(view)->packing == packing->id &&
           nnrt__packing_size(packing, (size_t)s.in_c, 1, s.taps, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), OH_NN_FLOAT32, size);
}

/* Lists the taps of the pixels [ox, ox + count) of output row oy of an image at `in`. */
NNRT__FN void nnrt__dw_list(const nnrt__geometry *g, const nnrt__conv_shape *s, size_t element, const uint8_t *in,
                            const void *zero, int32_t oy, int32_t ox, size_t count, const void **taps) {
    const size_t pixel_bytes = (size_t)s->in_c * element;
    for (; count > 0; count--, ox++) {
        const int32_t top = oy * g->stride_h - g->pad_top, left = ox * g->stride_w - g->pad_left;
        const int32_t first = nnrt__first_tap(left, g->dilation_w, g->kernel_w);
        const int32_t last = nnrt__last_tap(left, g->dilation_w, g->kernel_w, s->in_w);
        int32_t i, j;
        for (i = 0; i < g->kernel_h; i++) {
            const int64_t y = (int64_t)top + (int64_t)i * g->dilation_h;
            const bool inside = y >= 0 && y < s->in_h;
            for (j = 0; j < g->kernel_w; j++) {
                *taps++ = inside && j >= first && j < last
                              ? in + ((size_t)y * (size_t)s->in_w + (size_t)(left + j * g->dilation_w)) * pixel_bytes
                              : (const uint8_t *)zero;
            }
        }
    }
}

/* What both types share: lists a chunk and hands it to the kernel. */
NNRT__FN OH_NN_ReturnCode nnrt__dw_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const bool is_s8 = nnrt__step_input(view, 0)->dtype == (uint32_t)OH_NN_INT8;
    const size_t element = is_s8 ? 1 : sizeof(float);
    nnrt__conv_shape s;
    size_t chunk, chunks, list_size, channels, unit;
    const void **taps = (const void **)call->scratch;
    void *zero;
    (void)nnrt__conv_shape_of(view, &s);
    chunk = nnrt__dw_chunk(&s, &list_size);
    chunks = ((size_t)s.out_w + chunk - 1) / chunk;
    channels = (size_t)s.in_c;
    zero = (uint8_t *)call->scratch + list_size;
    memset(zero, is_s8 ? args->input_zero_point : 0, channels * element);
    for (unit = call->first; unit < call->last; unit++) {
        const size_t row = unit / chunks, ox = unit % chunks * chunk, batch = row / (size_t)s.out_h;
        const size_t count = (size_t)s.out_w - ox < chunk ? (size_t)s.out_w - ox : chunk;
        const uint8_t *in =
            (const uint8_t *)call->data[0] + batch * (size_t)s.in_h * (size_t)s.in_w * channels * element;
        uint8_t *out = (uint8_t *)call->data[view->input_count] + (row * (size_t)s.out_w + ox) * channels * element;
        nnrt__dw_list(&args->geometry, &s, element, in, zero, (int32_t)(row % (size_t)s.out_h), (int32_t)ox, count,
                      taps);
        if (is_s8) {
            nnrt__dw_s8_args dw;
            dw.pixels = count;
            dw.channels = channels;
            dw.tap_count = s.taps;
            dw.taps = (const int8_t *const *)call->scratch;
            dw.w = call->data[1];
            dw.out = (int8_t *)out;
            dw.out_stride = channels;
            dw.output_zero_point = args->output_zero_point;
            dw.clamp_min = args->clamp_min;
            dw.clamp_max = args->clamp_max;
            nnrt__dw_s8_slot_of(view)->run(&dw);
        } else {
            nnrt__dw_f32_args dw;
            dw.pixels = count;
            dw.channels = channels;
            dw.tap_count = s.taps;
            dw.taps = (const float *const *)call->scratch;
            dw.w = call->data[1];
            dw.out = (float *)(void *)out;
            dw.out_stride = channels;
            dw.clamp_min = args->clamp_low;
            dw.clamp_max = args->clamp_high;
            nnrt__dw_f32_slot_of(view)->run(&dw);
        }
    }
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__dw_s8_isa(const nnrt__step_view *view) { return nnrt__dw_s8_slot_of(view)->isa; }
NNRT__FN const char *nnrt__dw_f32_isa(const nnrt__step_view *view) { return nnrt__dw_f32_slot_of(view)->isa; }

static const nnrt__step_kind nnrt__step_dw_s8 = {0x110,
                                                 "dw_s8",
                                                 sizeof(nnrt__conv_args),
                                                 2,
                                                 2,
                                                 1,
                                                 1,
                                                 false,
                                                 nnrt__dw_s8_check,
                                                 nnrt__dw_scratch,
                                                 nnrt__dw_units,
                                                 nnrt__dw_s8_isa,
                                                 nnrt__dw_run,
                                                 nnrt__dw_work,
                                                 0,
                                                 NULL};
static const nnrt__step_kind nnrt__step_dw_f32 = {0x111,
                                                  "dw_f32",
                                                  sizeof(nnrt__conv_args),
                                                  2,
                                                  2,
                                                  1,
                                                  1,
                                                  false,
                                                  nnrt__dw_f32_check,
                                                  nnrt__dw_scratch,
                                                  nnrt__dw_units,
                                                  nnrt__dw_f32_isa,
                                                  nnrt__dw_run,
                                                  nnrt__dw_work,
                                                  0,
                                                  NULL};

#endif /* NNRT_CPU_STEPS_CONV_DW_H */
