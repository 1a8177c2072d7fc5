/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/resize_bilinear_scalar.h - bilinear interpolation of NHWC images, in float and in integers.

   Where output row (or column) o lies in the input, with scale = in / out: asymmetric o * scale; align
   corners o * (in - 1) / (out - 1), and as asymmetric when out is 1; half pixel (o + 0.5) * scale - 0.5, but
   not below 0.

   The forms of int8 and int16 are TensorFlow Lite's ResizeBilinearInteger: positions with 10 bits of fraction, a
   product of two fractions with 20, rounded half away from zero; the same bytes everywhere. They need input and
   output of one quantization. Others of int8 interpolate in float and requantize (resize_bilinear_requantized). */
#ifndef NNRT_KERNELS_RESIZE_BILINEAR_SCALAR_H
#define NNRT_KERNELS_RESIZE_BILINEAR_SCALAR_H

#include "internal.h"
#include "blend_scalar.h"
#include "fp_contract.h"

#define NNRT__RESIZE_ASYMMETRIC 0u
#define NNRT__RESIZE_ALIGN_CORNERS 1u
#define NNRT__RESIZE_HALF_PIXEL 2u

typedef struct nnrt__resize_args {
    int32_t in_height, in_width, out_height, out_width, channels; /* >= 1, each tensor at most 2^30 bytes */
    uint32_t mode;
    float ratio; /* requantized: input scale / output scale; zero points within -128..127 */
    int32_t input_zero_point, output_zero_point;
} nnrt__resize_args;

/* Elements of so many bytes; [first, last): rows of all batches. */
NNRT__ASSERT_FN bool nnrt__resize_is_right(const nnrt__resize_args *args, const void *in, const void *out,
                                           size_t element, size_t first, size_t last) {
    const size_t row = (size_t)args->channels * element, image = (size_t)args->in_height * (size_t)args->in_width * row;
    size_t batches;
    NNRT_ASSERT(args->in_height >= 1 && args->in_width >= 1 && args->channels >= 1);
    NNRT_ASSERT(args->out_height >= 1 && args->out_width >= 1);
    batches = (last + (size_t)args->out_height - 1) / (size_t)args->out_height;
    NNRT_ASSERT(args->mode <= NNRT__RESIZE_HALF_PIXEL && first <= last);
    NNRT_ASSERT(nnrt__is_aligned(in, element) && nnrt__is_aligned(out, element));
    NNRT_ASSERT(nnrt__is_apart(in, batches * image, out, last * (size_t)args->out_width * row));
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* Two neighbours, 0 <= low <= high < in, and the weight of high. */
NNRT__FN void nnrt__resize_position_f32(int32_t o, int32_t in, int32_t out, uint32_t mode, int32_t *low, int32_t *high,
                                        float *weight) {
    const bool corners = mode == NNRT__RESIZE_ALIGN_CORNERS && out > 1;
    const float scale = corners ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
    float at = mode == NNRT__RESIZE_HALF_PIXEL ? ((float)o + 0.5f) * scale - 0.5f : (float)o * scale;
    at = nnrt__clamp_f32(at, 0.0f, (float)in - 1.0f);
    *low = (int32_t)at;
    if (*low > in - 1) *low = in - 1; /* in - 1 as a float may be rounded up */
    *high = *low < in - 1 ? *low + 1 : *low;
    *weight = at - (float)*low;
}

/* The same with 10 bits of fraction. A rounded scale can lead past the end: then the last element counts,
   whole. */
NNRT__FN void nnrt__resize_position_int(int32_t o, int32_t in, int32_t out, uint32_t mode, int32_t *low, int32_t *high,
                                        int32_t *weight) {
    const bool corners = mode == NNRT__RESIZE_ALIGN_CORNERS && out > 1;
    const int64_t from = corners ? in - 1 : in, to = corners ? out - 1 : out;
    const int64_t scale = (1024 * from + to / 2) / to;
    const int64_t at = mode == NNRT__RESIZE_HALF_PIXEL ? o * scale + scale / 2 - 512 : o * scale;
    const int64_t above = (at + 1023) / 1024;
    int64_t below = at / 1024; /* towards 0: at >= -512 */
    if (below >= in - 1) {
        *low = *high = in - 1;
        *weight = 0;
        return;
    }
    *low = (int32_t)below;
    *high = (int32_t)(above < in - 1 ? above : in - 1);
    *weight = *high == *low ? 0 : (int32_t)(at - 1024 * below);
}

/* Rows [first, last) of all batches' output rows: row r is row r % out_height of batch r / out_height. blend: what
   makes a pixel, of the type.

   pre    args as above; in and out hold the whole tensors and do not overlap.
   post   blend_scalar.h. */
NNRT__FN void nnrt__resize_bilinear_f32(const nnrt__resize_args *args, nnrt__blend_f32_fn blend, const float *in,
                                        float *out, size_t first, size_t last) {
    const size_t channels = (size_t)args->channels, in_row = (size_t)args->in_width * channels;
    nnrt__blend_f32_args pixel;
    size_t row;
    NNRT_ASSERT(nnrt__resize_is_right(args, in, out, sizeof(float), first, last));
    pixel.n = channels;
    pixel.to = out + first * (size_t)args->out_width * channels;
    for (row = first; row < last; row++) {
        const float *image = in + row / (size_t)args->out_height * (size_t)args->in_height * in_row;
        int32_t low, high, left, right, x;
        nnrt__resize_position_f32((int32_t)(row % (size_t)args->out_height), args->in_height, args->out_height,
                                  args->mode, &low, &high, &pixel.down);
        for (x = 0; x < args->out_width; x++, pixel.to += channels) {
            nnrt__resize_position_f32(x, args->in_width, args->out_width, args->mode, &left, &right, &pixel.right);
            pixel.upper[0] = image + (size_t)low * in_row + (size_t)left * channels;
            pixel.upper[1] = image + (size_t)low * in_row + (size_t)right * channels;
            pixel.lower[0] = image + (size_t)high * in_row + (size_t)left * channels;
            pixel.lower[1] = image + (size_t)high * in_row + (size_t)right * channels;
            blend(&pixel);
        }
    }
}

/* The same of int8 with one quantization. */
NNRT__FN void nnrt__resize_bilinear_s8(const nnrt__resize_args *args, nnrt__blend_s8_fn blend, const int8_t *in,
                                       int8_t *out, size_t first, size_t last) {
    const size_t channels = (size_t)args->channels, in_row = (size_t)args->in_width * channels;
    nnrt__blend_s8_args pixel;
    size_t row;
    NNRT_ASSERT(nnrt__resize_is_right(args, in, out, 1, first, last));
    pixel.n = channels;
    pixel.to = out + first * (size_t)args->out_width * channels;
    for (row = first; row < last; row++) {
        const int8_t *image = in + row / (size_t)args->out_height * (size_t)args->in_height * in_row;
        int32_t low, high, left, right, x;
        nnrt__resize_position_int((int32_t)(row % (size_t)args->out_height), args->in_height, args->out_height,
                                  args->mode, &low, &high, &pixel.down);
        for (x = 0; x < args->out_width; x++, pixel.to += channels) {
            nnrt__resize_position_int(x, args->in_width, args->out_width, args->mode, &left, &right, &pixel.right);
            pixel.upper[0] = image + (size_t)low * in_row + (size_t)left * channels;
            pixel.upper[1] = image + (size_t)low * in_row + (size_t)right * channels;
            pixel.lower[0] = image + (size_t)high * in_row + (size_t)left * channels;
            pixel.lower[1] = image + (size_t)high * in_row + (size_t)right * channels;
            blend(&pixel);
        }
    }
}

/* The same of int16: |sum| <= 32768 * 2^20 = 2^35. */
NNRT__FN void nnrt__resize_bilinear_s16_scalar(const nnrt__resize_args *args, const int16_t *in, int16_t *out,
                                               size_t first, size_t last) {
    const size_t channels = (size_t)args->channels, in_row = (size_t)args->in_width * channels;
    size_t row, channel;
    NNRT_ASSERT(nnrt__resize_is_right(args, in, out, sizeof(int16_t), first, last));
    for (row = first; row < last; row++) {
        const size_t batch = row / (size_t)args->out_height;
        int16_t *to = out + row * (size_t)args->out_width * channels;
        const int16_t *upper, *lower;
        int32_t low, high, x, down, right;
        nnrt__resize_position_int((int32_t)(row % (size_t)args->out_height), args->in_height, args->out_height,
                                  args->mode, &low, &high, &down);
        upper = in + (batch * (size_t)args->in_height + (size_t)low) * in_row;
        lower = in + (batch * (size_t)args->in_height + (size_t)high) * in_row;
        for (x = 0; x < args->out_width; x++, to += channels) {
            size_t a, b;
            int64_t w00, w01, w10, w11;
            nnrt__resize_position_int(x, args->in_width, args->out_width, args->mode, &low, &high, &right);
            a = (size_t)low * channels;
            b = (size_t)high * channels;
            w00 = (1024 - down) * (1024 - right);
            w01 = (1024 - down) * right;
            w10 = down * (1024 - right);
            w11 = down * right;
            for (channel = 0; channel < channels; channel++) {
                const int64_t sum = upper[a + channel] * w00 + upper[b + channel] * w01 + lower[a + channel] * w10 +
                                    lower[b + channel] * w11;
                to[channel] = (int16_t)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
            }
        }
    }
}

/* The same of int8 with two quantizations: interpolated as in float, then
   clamp(round((x - input_zero_point) * ratio) + output_zero_point), ties away from zero. */
NNRT__FN void nnrt__resize_bilinear_requantized_scalar(const nnrt__resize_args *args, const int8_t *in, int8_t *out,
                                                       size_t first, size_t last) {
    const size_t channels = (size_t)args->channels, in_row = (size_t)args->in_width * channels;
    size_t row, channel;
    NNRT_ASSERT(nnrt__resize_is_right(args, in, out, 1, first, last));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->input_zero_point) && nnrt__is_byte_quantity(args->output_zero_point));
    for (row = first; row < last; row++) {
        const size_t batch = row / (size_t)args->out_height;
        int8_t *to = out + row * (size_t)args->out_width * channels;
        const int8_t *upper, *lower;
        int32_t low, high, x;
        float down, right;
        nnrt__resize_position_f32((int32_t)(row % (size_t)args->out_height), args->in_height, args->out_height,
                                  args->mode, &low, &high, &down);
        upper = in + (batch * (size_t)args->in_height + (size_t)low) * in_row;
        lower = in + (batch * (size_t)args->in_height + (size_t)high) * in_row;
        for (x = 0; x < args->out_width; x++, to += channels) {
            size_t a, b;
            nnrt__resize_position_f32(x, args->in_width, args->out_width, args->mode, &low, &high, &right);
            a = (size_t)low * channels;
            b = (size_t)high * channels;
            for (channel = 0; channel < channels; channel++) {
                const float p = (float)upper[a + channel] + (float)(upper[b + channel] - upper[a + channel]) * right;
                const float q = (float)lower[a + channel] + (float)(lower[b + channel] - lower[a + channel]) * right;
                const float real = (p + (q - p) * down - (float)args->input_zero_point) * args->ratio;
                const double bounded = (double)nnrt__clamp_f32(real, -512.0f, 512.0f);
                const int32_t rounded = (int32_t)(bounded < 0.0 ? bounded - 0.5 : bounded + 0.5);
                to[channel] = (int8_t)nnrt__clamp_i32(rounded + args->output_zero_point, -128, 127);
            }
        }
    }
}

NNRT__FP_CONTRACT_OFF_END

#endif /* NNRT_KERNELS_RESIZE_BILINEAR_SCALAR_H */
