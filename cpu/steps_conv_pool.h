/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv_pool.h - average and max pooling.   >>cpu_steps_conv_pool

   A unit is one output pixel. A window is clipped to the input, so padding counts neither in the sum nor in the number
   of elements. A window entirely in the padding averages to 0; its maximum is the lowest value.

   Operands   avg_pool_s8, max_pool_s8    input s8 | output s8
              avg_pool_s16, max_pool_s16  input s16 | output s16
              avg_pool_f32, max_pool_f32  input f32 | output f32 */
#ifndef NNRT_CPU_STEPS_CONV_POOL_H
#define NNRT_CPU_STEPS_CONV_POOL_H

#include "../kernels/pool_s16_scalar.h"
#include "../kernels/s16_scalar.h"
#include "geometry.h"

#include <float.h>

typedef struct nnrt__pool_args {
    nnrt__geometry geometry;
    int32_t rescale; /* 1: output and input are quantized differently */
    int32_t input_zero_point, output_zero_point;
    int32_t multiplier, shift; /* of the rescale */
    int32_t clamp_min, clamp_max;
    float clamp_low, clamp_high;
    int32_t offset; /* as nnrt__pool_s8_args */
} nnrt__pool_args;

NNRT__FN bool nnrt__pool_check(const nnrt__step_view *view, OH_NN_DataType dtype) {
    const nnrt__pool_args *args = (const nnrt__pool_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const int32_t low = dtype == OH_NN_INT16 ? -32768 : -128, high = -1 - low;
    if (!nnrt__value_is(in, dtype, 4) || !nnrt__value_is(out, dtype, 4)) return false;
    if (in->dims[0] != out->dims[0] || in->dims[3] != out->dims[3]) return false;
    if (!nnrt__geometry_check(&args->geometry, out->dims[1], out->dims[2], NNRT__POOL_TAPS_MAX)) return false;
    if (args->geometry.dilation_h != 1 || args->geometry.dilation_w != 1) return false;
    if (!nnrt__in_range(args->rescale, 0, 1) || !nnrt__in_range(args->shift, -31, 30) || args->multiplier < 0)
        return false;
    if (args->offset != 0 && (args->offset != 128 || dtype != OH_NN_INT8)) return false;
    if (dtype == OH_NN_INT16 && (args->input_zero_point != 0 || args->output_zero_point != 0)) return false;
    return nnrt__in_range(args->input_zero_point, low, high) && nnrt__in_range(args->output_zero_point, low, high) &&
           nnrt__in_range(args->clamp_min, low, high) && nnrt__in_range(args->clamp_max, args->clamp_min, high) &&
           args->clamp_low <= args->clamp_high && nnrt__value_count(out) <= UINT32_MAX;
}

NNRT__FN bool nnrt__pool_s8_check(const nnrt__step_view *view) { return nnrt__pool_check(view, OH_NN_INT8); }
NNRT__FN bool nnrt__pool_s16_check(const nnrt__step_view *view) { return nnrt__pool_check(view, OH_NN_INT16); }
NNRT__FN bool nnrt__pool_f32_check(const nnrt__step_view *view) { return nnrt__pool_check(view, OH_NN_FLOAT32); }

NNRT__FN uint32_t nnrt__pool_units(const nnrt__step_view *view) {
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    return (uint32_t)(nnrt__value_count(out) / (size_t)out->dims[3]);
}

/* Elements that the windows read, at most 2^30 windows of 2^23 pixels. */
NNRT__FN uint64_t nnrt__pool_work(const nnrt__step_view *view) {
    const nnrt__pool_args *args = (const nnrt__pool_args *)view->arguments;
    const nnrt__geometry *g = &args->geometry;
    const nnrt__plan_value *in = nnrt__step_input(view, 0);
    const int32_t rows = g->kernel_h < in->dims[1] ? g->kernel_h : in->dims[1];
    const int32_t columns = g->kernel_w < in->dims[2] ? g->kernel_w : in->dims[2];
    return (uint64_t)nnrt__value_count(nnrt__step_output(view, 0)) * (uint64_t)rows * (uint64_t)columns;
}

/* The position of an output pixel. */
typedef struct nnrt__pool_place {
    size_t batch, y, x;
} nnrt__pool_place;

NNRT__FN nnrt__pool_place nnrt__pool_place_of(size_t unit, size_t height, size_t width) {
    nnrt__pool_place place;
    place.x = unit % width;
    place.y = unit / width % height;
    place.batch = unit / width / height;
    return place;
}

NNRT__INLINE void nnrt__pool_next(nnrt__pool_place *place, size_t height, size_t width) {
    if (++place->x < width) return;
    place->x = 0;
    if (++place->y < height) return;
    place->y = 0;
    place->batch++;
}

/* The window of an output pixel, clipped: first element of it, rows and columns (0 when it is empty). */
typedef struct nnrt__pool_window {
    size_t offset, rows, columns;
} nnrt__pool_window;

NNRT__FN nnrt__pool_window nnrt__pool_clip(const nnrt__geometry *g, const nnrt__plan_value *in, size_t batch,
                                           int32_t oy, int32_t ox) {
    const int32_t height = in->dims[1], width = in->dims[2];
    const int32_t top = oy * g->stride_h - g->pad_top, left = ox * g->stride_w - g->pad_left;
    const int32_t y0 = nnrt__first_tap(top, 1, g->kernel_h), y1 = nnrt__last_tap(top, 1, g->kernel_h, height);
    const int32_t x0 = nnrt__first_tap(left, 1, g->kernel_w), x1 = nnrt__last_tap(left, 1, g->kernel_w, width);
    nnrt__pool_window window;
    window.offset = window.rows = window.columns = 0;
    if (y1 <= y0 || x1 <= x0) return window;
    window.rows = (size_t)(y1 - y0);
    window.columns = (size_t)(x1 - x0);
    window.offset =
        ((batch * (size_t)height + (size_t)(top + y0)) * (size_t)width + (size_t)(left + x0)) * (size_t)in->dims[3];
    return window;
}

NNRT__FN void nnrt__pool_s8(const nnrt__step_view *view, const nnrt__step_call *call, nnrt__pool_s8_fn kernel,
                            bool average) {
    const nnrt__pool_args *args = (const nnrt__pool_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const size_t channels = (size_t)out->dims[3], width = (size_t)out->dims[2], height = (size_t)out->dims[1];
    int8_t *to = (int8_t *)call->data[view->input_count] + call->first * channels;
    nnrt__pool_place place = nnrt__pool_place_of(call->first, height, width);
    size_t unit, c;
    for (unit = call->first; unit < call->last; unit++, to += channels, nnrt__pool_next(&place, height, width)) {
        const nnrt__pool_window window =
            nnrt__pool_clip(&args->geometry, in, place.batch, (int32_t)place.y, (int32_t)place.x);
        if (window.rows == 0) {
            const int32_t empty = average ? args->output_zero_point : -128;
            memset(to, nnrt__clamp_i32(empty, args->clamp_min, args->clamp_max), channels);
            continue;
        }
        {
            nnrt__pool_s8_args pool;
            pool.in = (const int8_t *)call->data[0] + window.offset;
            pool.row_stride = (size_t)in->dims[2] * channels;
            pool.rows = window.rows;
            pool.columns = window.columns;
            pool.channels = channels;
            pool.out = to;
            pool.clamp_min = args->rescale ? -128 : args->clamp_min;
            pool.clamp_max = args->rescale ? 127 : args->clamp_max;
            pool.offset = args->offset;
            kernel(&pool);
        }
        for (c = 0; args->rescale && c < channels; c++)
            to[c] = nnrt__requantize_s8((uint32_t)(to[c] - args->input_zero_point), args->multiplier, args->shift,
                                        args->output_zero_point, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__pool_f32(const nnrt__step_view *view, const nnrt__step_call *call, nnrt__pool_f32_fn kernel,
                             bool average) {
    const nnrt__pool_args *args = (const nnrt__pool_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const size_t channels = (size_t)out->dims[3], width = (size_t)out->dims[2], height = (size_t)out->dims[1];
    const float empty = nnrt__clamp_f32(average ? 0.0f : -FLT_MAX, args->clamp_low, args->clamp_high);
    float *to = (float *)call->data[view->input_count] + call->first * channels;
    nnrt__pool_place place = nnrt__pool_place_of(call->first, height, width);
    size_t unit, c;
    for (unit = call->first; unit < call->last; unit++, to += channels, nnrt__pool_next(&place, height, width)) {
        const nnrt__pool_window window =
            nnrt__pool_clip(&args->geometry, in, place.batch, (int32_t)place.y, (int32_t)place.x);
        nnrt__pool_f32_args pool;
        if (window.rows == 0) {
            for (c = 0; c < channels; c++) to[c] = empty;
            continue;
        }
        pool.in = (const float *)call->data[0] + window.offset;
        pool.row_stride = (size_t)in->dims[2] * channels;
        pool.rows = window.rows;
        pool.columns = window.columns;
        pool.channels = channels;
        pool.out = to;
        pool.clamp_min = args->clamp_low;
        pool.clamp_max = args->clamp_high;
        kernel(&pool);
    }
}

NNRT__FN void nnrt__pool_s16(const nnrt__step_view *view, const nnrt__step_call *call, bool average) {
    const nnrt__pool_args *args = (const nnrt__pool_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const size_t channels = (size_t)out->dims[3];
    nnrt__pool_place place = nnrt__pool_place_of(call->first, (size_t)out->dims[1], (size_t)out->dims[2]);
    nnrt__pool_s16_args pool;
    size_t unit, c;
    pool.row_stride = (size_t)in->dims[2] * channels;
    pool.channels = channels;
    pool.out = (int16_t *)call->data[view->input_count] + call->first * channels;
    pool.clamp_min = args->rescale ? -32768 : args->clamp_min;
    pool.clamp_max = args->rescale ? 32767 : args->clamp_max;
    for (unit = call->first; unit < call->last; unit++, pool.out += channels) {
        const nnrt__pool_window window =
            nnrt__pool_clip(&args->geometry, in, place.batch, (int32_t)place.y, (int32_t)place.x);
        nnrt__pool_next(&place, (size_t)out->dims[1], (size_t)out->dims[2]);
        if (window.rows == 0) {
            for (c = 0; c < channels; c++)
                pool.out[c] = (int16_t)nnrt__clamp_i32(average ? 0 : -32768, args->clamp_min, args->clamp_max);
            continue;
        }
        pool.in = (const int16_t *)call->data[0] + window.offset;
        pool.rows = window.rows;
        pool.columns = window.columns;
        nnrt__pool_s16_scalar(&pool, average);
        for (c = 0; args->rescale && c < channels; c++)
            pool.out[c] =
                (int16_t)nnrt__clamp_i32(nnrt__requantize_saturated(pool.out[c], args->multiplier, args->shift),
                                         args->clamp_min, args->clamp_max);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__avg_pool_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__pool_s16(view, call, true);
    return OH_NN_SUCCESS;
}
NNRT__FN OH_NN_ReturnCode nnrt__max_pool_s16_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__pool_s16(view, call, false);
    return OH_NN_SUCCESS;
}
NNRT__FN OH_NN_ReturnCode nnrt__avg_pool_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__pool_s8(view, call, view->kernels->avg_pool_s8, true);
    return OH_NN_SUCCESS;
}
NNRT__FN OH_NN_ReturnCode nnrt__max_pool_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__pool_s8(view, call, view->kernels->max_pool_s8, false);
    return OH_NN_SUCCESS;
}
NNRT__FN OH_NN_ReturnCode nnrt__avg_pool_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__pool_f32(view, call, view->kernels->avg_pool_f32, true);
    return OH_NN_SUCCESS;
}
NNRT__FN OH_NN_ReturnCode nnrt__max_pool_f32_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__pool_f32(view, call, view->kernels->max_pool_f32, false);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__avg_pool_s8_isa(const nnrt__step_view *view) { return view->kernels->avg_pool_s8_isa; }
NNRT__FN const char *nnrt__max_pool_s8_isa(const nnrt__step_view *view) { return view->kernels->max_pool_s8_isa; }
NNRT__FN const char *nnrt__avg_pool_f32_isa(const nnrt__step_view *view) { return view->kernels->avg_pool_f32_isa; }
NNRT__FN const char *nnrt__max_pool_f32_isa(const nnrt__step_view *view) { return view->kernels->max_pool_f32_isa; }

NNRT__STEP_KIND(avg_pool_s8, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__pool_args), CHECK(nnrt__pool_s8_check),
                SCRATCH(NULL), UNITS(nnrt__pool_units), ISA(nnrt__avg_pool_s8_isa), RUN(nnrt__avg_pool_s8_run),
                WORK(nnrt__pool_work), NOTHING_READY)
NNRT__STEP_KIND(max_pool_s8, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__pool_args), CHECK(nnrt__pool_s8_check),
                SCRATCH(NULL), UNITS(nnrt__pool_units), ISA(nnrt__max_pool_s8_isa), RUN(nnrt__max_pool_s8_run),
                WORK(nnrt__pool_work), NOTHING_READY)
NNRT__STEP_KIND(avg_pool_f32, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__pool_args), CHECK(nnrt__pool_f32_check),
                SCRATCH(NULL), UNITS(nnrt__pool_units), ISA(nnrt__avg_pool_f32_isa), RUN(nnrt__avg_pool_f32_run),
                WORK(nnrt__pool_work), NOTHING_READY)
NNRT__STEP_KIND(max_pool_f32, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__pool_args), CHECK(nnrt__pool_f32_check),
                SCRATCH(NULL), UNITS(nnrt__pool_units), ISA(nnrt__max_pool_f32_isa), RUN(nnrt__max_pool_f32_run),
                WORK(nnrt__pool_work), NOTHING_READY)
NNRT__STEP_KIND(avg_pool_s16, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__pool_args), CHECK(nnrt__pool_s16_check),
                SCRATCH(NULL), UNITS(nnrt__pool_units), ISA(NULL), RUN(nnrt__avg_pool_s16_run), WORK(nnrt__pool_work),
                NOTHING_READY)
NNRT__STEP_KIND(max_pool_s16, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__pool_args), CHECK(nnrt__pool_s16_check),
                SCRATCH(NULL), UNITS(nnrt__pool_units), ISA(NULL), RUN(nnrt__max_pool_s16_run), WORK(nnrt__pool_work),
                NOTHING_READY)

#endif /* NNRT_CPU_STEPS_CONV_POOL_H */
