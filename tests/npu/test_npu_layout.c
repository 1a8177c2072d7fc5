/* SPDX-License-Identifier: Apache-2.0 */
/* test_npu_layout.c - every conversion of layout.h gives the bytes of the index formulas, written here
   element by element, and of arithmetic in double: with the kernels of the processor and with the portable
   ones.

   Tensors are malloc'd to their exact size at every misalignment, so an over-read is a sanitizer report;
   whatever is not an element of the destination holds noise that must survive. Shapes are drawn; the seed is
   printed when something differs. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/platform.h"
#include "npu/layout.h"

#include <criterion/criterion.h>

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEED 20240917u

#include "noise.h"

static uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)noise() * n) >> 32); }

static uint32_t pick(const uint32_t *of, uint32_t n) { return of[below(n)]; }

static void fill(void *to, size_t n) {
    uint8_t *p = to;
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)(noise() >> 7);
}

/* size bytes that end where the block of malloc ends, misalign bytes after where it begins. */
typedef struct buffer {
    uint8_t *block, *data;
    size_t size;
} buffer;

static buffer buffer_of(size_t size, size_t misalign) {
    buffer b;
    b.block = malloc(size + misalign);
    cr_assert_not_null(b.block);
    b.data = b.block + misalign;
    b.size = size;
    fill(b.block, size + misalign);
    return b;
}

enum {
    SOURCE,
    DESTINATION,
    ENDS
};

/* The same, and where possible the byte after it is of a page that may not be touched, for emulators and
   compilers without sanitizers. One buffer of each kind at a time; it must not be freed before the next is
   asked for. */
static buffer buffer_at_end(int kind, size_t size, size_t misalign) {
    enum {
        ROOM = 1 << 18
    };
    static uint8_t *ends[ENDS];
    buffer b;
    if (size > ROOM || (misalign & 1) != 0) return buffer_of(size, misalign);
    if (ends[kind] == NULL) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *room = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        cr_assert(room != MAP_FAILED && mprotect(room + ROOM, page, PROT_NONE) == 0);
        ends[kind] = room + ROOM;
    }
    b.block = NULL;
    b.data = ends[kind] - size;
    b.size = size;
    fill(b.data, size);
    return b;
}

static buffer copy_of(const buffer *from) {
    buffer b = buffer_of(from->size, 0);
    memcpy(b.data, from->data, from->size);
    return b;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

/* ------------------------------------------------------------------------------------------- the formulas */

static const OH_NN_DataType all_types[] = {OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_INT8,   OH_NN_UINT8, OH_NN_INT16,
                                           OH_NN_UINT16,  OH_NN_INT32,   OH_NN_UINT32, OH_NN_INT64, OH_NN_BOOL};
static const nnrt__tensor_order all_orders[] = {NNRT__ORDER_NCHW, NNRT__ORDER_NHWC, NNRT__ORDER_NC1HWC2};

static size_t width_of(OH_NN_DataType type) {
    static const size_t widths[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 0, 2, 4};
    return widths[type];
}

/* Byte of element (n, c, h, w). c may be a padding lane. */
static size_t place(const nnrt__tensor_layout *l, size_t n, size_t c, size_t h, size_t w) {
    const size_t hs = l->h_stride, ws = l->w_stride;
    size_t i;
    if (l->order == NNRT__ORDER_NCHW) i = ((n * l->c + c) * hs + h) * ws + w;
    else if (l->order == NNRT__ORDER_NHWC) i = ((n * hs + h) * ws + w) * l->c + c;
    else i = ((((n * l->c1 + c / l->c2) * hs + h) * ws + w) * l->c2) + c % l->c2;
    return i * width_of(l->type);
}

static size_t size_of(const nnrt__tensor_layout *l) {
    const size_t channels = l->order == NNRT__ORDER_NC1HWC2 ? (size_t)l->c1 * l->c2 : l->c;
    return l->n * channels * l->h_stride * l->w_stride * width_of(l->type);
}

static double half_value(uint16_t half) {
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double sign = half & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25));
}

/* The half next to x; NaN: quiet, with sign and upper bits. */
static uint16_t half_of(float x) {
    const uint32_t bits = bits_of(x);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    int exponent;
    double rounded;
    if (isnan(x)) return (uint16_t)(sign | 0x7e00 | (bits >> 13 & 0x3ff));
    if (isinf(x)) return (uint16_t)(sign | 0x7c00);
    (void)frexp(fabs((double)x), &exponent); /* x < 2^exponent, and its half has 11 bits but not below 2^-24 */
    if (exponent < -13) exponent = -13;
    rounded = ldexp(rint(ldexp(fabs((double)x), 11 - exponent)), exponent - 11);
    if (rounded >= 65536.0) return (uint16_t)(sign | 0x7c00);
    if (rounded < ldexp(1, -14)) return (uint16_t)(sign | (int)ldexp(rounded, 24));
    (void)frexp(rounded, &exponent);
    return (uint16_t)(sign | ((exponent + 14) << 10) | ((int)ldexp(rounded, 11 - exponent) - 1024));
}

static uint32_t widened(uint16_t half) {
    if ((half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0)
        return (uint32_t)(half & 0x8000) << 16 | 0x7fc00000u | (uint32_t)(half & 0x3ff) << 13;
    return bits_of((float)half_value(half));
}

static double scale_of(const nnrt__tensor_layout *l) {
    return l->quant == NNRT__QUANT_FIXED_POINT ? ldexp(1.0, -l->fraction_bits) : (double)l->scale;
}

static double zero_of(const nnrt__tensor_layout *l) { return l->quant == NNRT__QUANT_FIXED_POINT ? 0 : (double)l->zp; }

static void range_of(OH_NN_DataType type, double *low, double *high) {
    *low = type == OH_NN_UINT8 ? 0 : type == OH_NN_INT8 ? -128 : type == OH_NN_INT32 ? INT32_MIN : -32768;
    *high = type == OH_NN_UINT8 ? 255 : type == OH_NN_INT8 ? 127 : type == OH_NN_INT32 ? INT32_MAX : 32767;
}

static int32_t quantized(const nnrt__tensor_layout *l, float x) {
    double low, high, q = zero_of(l);
    range_of(l->type, &low, &high);
    if (!isnan(x)) q += rint((double)x / scale_of(l));
    return (int32_t)fmin(fmax(q, low), high);
}

/* q * scale in double is exact, so this rounds once, as the product of two float32 does. */
static float dequantized(const nnrt__tensor_layout *l, int32_t q) { return (float)((q - zero_of(l)) * scale_of(l)); }

static void element(const nnrt__tensor_layout *from, const uint8_t *s, const nnrt__tensor_layout *to, uint8_t *d) {
    float x;
    uint16_t half;
    uint32_t bits;
    int16_t q16;
    int32_t q32;
    if (from->type == to->type) {
        memcpy(d, s, width_of(from->type));
    } else if (to->type == OH_NN_FLOAT16) {
        memcpy(&x, s, 4);
        half = half_of(x);
        memcpy(d, &half, 2);
    } else if (from->type == OH_NN_FLOAT16) {
        memcpy(&half, s, 2);
        bits = widened(half);
        memcpy(d, &bits, 4);
    } else if (to->type == OH_NN_INT32) {
        memcpy(&x, s, 4);
        q32 = quantized(to, x);
        memcpy(d, &q32, 4);
    } else if (from->type == OH_NN_INT32) {
        memcpy(&q32, s, 4);
        x = (float)q32 * (float)scale_of(from);
        memcpy(d, &x, 4);
    } else if (from->type == OH_NN_FLOAT32) {
        memcpy(&x, s, 4);
        q16 = (int16_t)quantized(to, x);
        if (to->type == OH_NN_INT16) memcpy(d, &q16, 2);
        else *d = (uint8_t)q16;
    } else {
        memcpy(&q16, s, from->type == OH_NN_INT16 ? 2 : 1);
        if (from->type == OH_NN_INT8) q16 = (int8_t)*s;
        if (from->type == OH_NN_UINT8) q16 = *s;
        x = dequantized(from, q16);
        memcpy(d, &x, 4);
    }
}

/* What destination must hold after a conversion. */
static void convert_slowly(const nnrt__tensor_layout *from, const uint8_t *source, const nnrt__tensor_layout *to,
                           uint8_t *destination) {
    const uint32_t lanes = to->order == NNRT__ORDER_NC1HWC2 ? to->c1 * to->c2 : to->c;
    for (uint32_t n = 0; n < to->n; n++)
        for (uint32_t c = 0; c < lanes; c++)
            for (uint32_t h = 0; h < to->h; h++)
                for (uint32_t w = 0; w < to->w; w++) {
                    uint8_t *d = destination + place(to, n, c, h, w);
                    if (c < to->c) element(from, source + place(from, n, c, h, w), to, d);
                    else memset(d, 0, width_of(to->type));
                }
}

/* ------------------------------------------------------------------------------------------ drawn layouts */

static nnrt__tensor_layout shape(uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
    nnrt__tensor_layout l;
    memset(&l, 0, sizeof l);
    l.type = OH_NN_INT8;
    l.n = n;
    l.c = c;
    l.h = l.h_stride = h;
    l.w = l.w_stride = w;
    return l;
}

static nnrt__tensor_layout drawn_shape(uint32_t c) {
    static const uint32_t widths[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33};
    const uint32_t h = 1 + below(3);
    return shape(below(4) == 0 ? 1 + below(4) : 1, c, h, h == 1 || below(3) == 0 ? pick(widths, 11) : 7 + below(12));
}

static void draw_storage(nnrt__tensor_layout *l, nnrt__tensor_order order, OH_NN_DataType type) {
    static const uint32_t blocks[] = {3, 4, 8, 16, 8, 16, 1};
    l->order = order;
    l->type = type;
    switch (below(4)) {
    case 0: l->w_stride = l->w; break;
    case 1: l->w_stride = (l->w + 7) / 8 * 8; break;
    case 2: l->w_stride = (l->w + 15) / 16 * 16; break;
    default: l->w_stride = l->w + below(20);
    }
    l->h_stride = below(3) == 0 ? l->h + 1 + below(2) : l->h;
    l->c1 = l->c2 = 0;
    if (order == NNRT__ORDER_NC1HWC2) {
        l->c2 = pick(blocks, 7);
        l->c1 = (l->c + l->c2 - 1) / l->c2 + (below(3) == 0 ? 1 + below(2) : 0);
    }
}

static void draw_numbers(nnrt__tensor_layout *l, bool quantize) {
    static const float scales[] = {1.0f,  0.5f,         1.0f / 255.0f, 0.1f,         0.0123f, 3.0f,
                                   1e-3f, 1.17549e-38f, 1e-42f,        2.713546e37f, 1e-30f,  127.7f};
    double low, high;
    range_of(l->type, &low, &high);
    l->quant = !quantize ? NNRT__QUANT_NONE : below(4) == 0 ? NNRT__QUANT_FIXED_POINT : NNRT__QUANT_AFFINE;
    if (quantize && l->type == OH_NN_INT32) l->quant = NNRT__QUANT_FIXED_POINT;
    l->fraction_bits = (int8_t)(below(4) == 0 ? (int)below(255) - 127 : (int)below(12));
    l->scale = below(2) == 0 ? scales[below(12)] : float_of(0x30000000u + (noise() >> 4));
    l->zp = l->type == OH_NN_INT32 ? 0 : (int32_t)low + (int32_t)below((uint32_t)(high - low + 1));
    if (below(4) == 0 && l->type != OH_NN_INT32) l->zp = (int32_t)(below(2) == 0 ? low : high);
    if (below(8) == 0) l->zp = (int32_t)below(98304) - 32768; /* what the type does not hold is not refused */
}

/* Numbers that may go wrong when they are divided by scale: near ties, at the ends, not numbers. */
static float drawn_float(double scale) {
    static const uint32_t odd[] = {0x7fc00000u, 0xffc12345u, 0x7f800001u, 0x7f800000u, 0xff800000u, 0x7f7fffffu,
                                   0xff7fffffu, 0x00000001u, 0x80000001u, 0x007fffffu, 0x80000000u, 0x00800000u};
    const uint32_t how = below(8);
    float x;
    if (how == 0) return float_of(pick(odd, 12));
    if (how == 1) return float_of(noise());
    if (how == 2) return (float)(((int)below(1100) - 550) * 0.5 * scale);
    if (how == 3) { /* beside a tie */
        x = (float)(((int)below(600) - 300 + 0.5) * scale);
        return below(2) == 0 ? nextafterf(x, 3e38f) : nextafterf(x, -3e38f);
    }
    if (how == 4) return (float)(((int)below(65536) - 32768 + 0.5) * scale);
    return (float)(((double)noise() / 4294967296.0 - 0.5) * 600.0 * scale);
}

static void fill_floats(buffer *b, double scale) {
    for (size_t i = 0; i + 4 <= b->size; i += 4) {
        const float x = drawn_float(scale);
        memcpy(b->data + i, &x, 4);
    }
}

static void say(const char *what, const nnrt__tensor_layout *l) {
    static const char *const orders[] = {"NCHW", "NHWC", "NC1HWC2"};
    fprintf(stderr,
            "  %s %s type %d, [%u,%u,%u,%u] strides %u x %u, C1 %u C2 %u, quant %d fraction bits %d zp %d scale %a\n",
            what, orders[l->order], (int)l->type, l->n, l->c, l->h, l->w, l->h_stride, l->w_stride, l->c1, l->c2,
            (int)l->quant, l->fraction_bits, (int)l->zp, (double)l->scale);
}

/* Converts with both kinds of kernels and compares everything. */
static void check(const nnrt__tensor_layout *from, const buffer *source, const nnrt__tensor_layout *to) {
    const uint64_t elements = (uint64_t)from->n * from->c * from->h * from->w;
    buffer before = copy_of(source), expected = buffer_of(size_of(to), 0);
    uint32_t from_size = 0, to_size = 0;
    cr_assert(nnrt__layout_size(from, &from_size) && nnrt__layout_size(to, &to_size));
    cr_assert(from_size == source->size && to_size == expected.size);
    cr_assert(nnrt__layout_convertible(from, to));
    for (int portable = 0; portable < 2; portable++) {
        buffer destination = buffer_at_end(DESTINATION, expected.size, below(8));
        nnrt__layout_kernels kernels;
        nnrt__layout_job job;
        uint64_t written;
        nnrt__layout_install_scalar(&kernels);
        nnrt__layout_prepare_with(&job, &kernels, from, to);
        memcpy(expected.data, destination.data, expected.size);
        convert_slowly(from, source->data, to, expected.data);
        written = portable ? nnrt__layout_do(&job, source->data, destination.data)
                           : nnrt__layout_convert(from, source->data, to, destination.data);
        if (memcmp(destination.data, expected.data, expected.size) != 0) {
            size_t i = 0;
            while (destination.data[i] == expected.data[i]) i++;
            say("from", from);
            say("to  ", to);
            cr_assert_fail("seed %u: byte %zu of %zu is %02x, not %02x (%s)", SEED, i, expected.size,
                           destination.data[i], expected.data[i], portable ? "portable" : "of the processor");
        }
        cr_assert_eq(written, elements * width_of(to->type));
        free(destination.block);
    }
    cr_assert_arr_eq(source->data, before.data, before.size);
    free(before.block);
    free(expected.block);
}

static void check_drawn(uint32_t c, nnrt__tensor_order from_order, OH_NN_DataType from_type,
                        nnrt__tensor_order to_order, OH_NN_DataType to_type) {
    const bool moves = from_type == to_type;
    nnrt__tensor_layout from = drawn_shape(c), to = from;
    buffer source;
    draw_storage(&from, from_order, from_type);
    draw_storage(&to, to_order, to_type);
    draw_numbers(&from, moves ? below(2) == 0 : from_type != OH_NN_FLOAT32 && from_type != OH_NN_FLOAT16);
    draw_numbers(&to, to_type != OH_NN_FLOAT32 && to_type != OH_NN_FLOAT16);
    if (moves) {
        to.quant = from.quant;
        to.fraction_bits = from.fraction_bits;
        to.zp = from.zp;
        to.scale = from.scale;
    }
    source = buffer_at_end(SOURCE, size_of(&from), below(8));
    if (from_type == OH_NN_FLOAT32)
        fill_floats(&source, to_type == OH_NN_FLOAT16 ? (below(2) == 0 ? ldexp(1, -24) : 100.0)
                             : moves                  ? 1.0
                                                      : scale_of(&to));
    check(&from, &source, &to);
    free(source.block);
}

/* -------------------------------------------------------------------------------------------- conversions */

Test(layout, every_type_moves_between_every_two_orders) {
    for (uint32_t c = 1; c <= 70; c++)
        for (int from = 0; from < 3; from++)
            for (int to = 0; to < 3; to++)
                for (size_t t = 0; t < NNRT__COUNT_OF(all_types); t++)
                    check_drawn(c, all_orders[from], all_types[t], all_orders[to], all_types[t]);
}

Test(layout, bytes_move_at_every_alignment_of_the_processor) {
    for (uint32_t c = 1; c <= 70; c++)
        for (int from = 0; from < 3; from++)
            for (int to = 0; to < 3; to++)
                for (int i = 0; i < 6; i++) check_drawn(c, all_orders[from], OH_NN_INT8, all_orders[to], OH_NN_INT8);
}

static void check_pairs(OH_NN_DataType type, int repeat) {
    for (uint32_t c = 1; c <= 70; c++)
        for (int from = 0; from < 3; from++)
            for (int to = 0; to < 3; to++)
                for (int i = 0; i < repeat; i++) {
                    check_drawn(c, all_orders[from], type, all_orders[to], OH_NN_FLOAT32);
                    check_drawn(c, all_orders[from], OH_NN_FLOAT32, all_orders[to], type);
                }
}

Test(layout, int8_becomes_float32_and_back_between_every_two_orders) { check_pairs(OH_NN_INT8, 2); }

Test(layout, uint8_becomes_float32_and_back_between_every_two_orders) { check_pairs(OH_NN_UINT8, 1); }

Test(layout, int16_becomes_float32_and_back_between_every_two_orders) { check_pairs(OH_NN_INT16, 1); }

Test(layout, fixed_point_int32_becomes_float32_and_back_between_every_two_orders) { check_pairs(OH_NN_INT32, 1); }

Test(layout, float16_becomes_float32_and_back_between_every_two_orders) { check_pairs(OH_NN_FLOAT16, 1); }

/* Larger than a tile and than the scratch memory: rows of many channels, and channels of many pixels. */
Test(layout, tensors_larger_than_the_cache_are_cut_at_the_right_places) {
    static const uint32_t channels[] = {1, 3, 255, 256, 1000, 2050, 5000};
    static const uint32_t widths[] = {1, 13, 80, 1, 17, 1, 2};
    static const OH_NN_DataType pairs[][2] = {{OH_NN_INT8, OH_NN_INT8},     {OH_NN_UINT8, OH_NN_FLOAT32},
                                              {OH_NN_FLOAT32, OH_NN_INT8},  {OH_NN_FLOAT16, OH_NN_FLOAT32},
                                              {OH_NN_FLOAT32, OH_NN_INT16}, {OH_NN_INT64, OH_NN_INT64}};
    for (size_t i = 0; i < NNRT__COUNT_OF(channels); i++)
        for (int order = 0; order < 9; order++)
            for (size_t p = 0; p < NNRT__COUNT_OF(pairs); p++) {
                nnrt__tensor_layout from = shape(1, channels[i], i == 0 ? 60 : 2, i == 0 ? 90 : widths[i]), to;
                buffer source;
                from.scale = 0.037f;
                from.zp = 7;
                from.quant = NNRT__QUANT_AFFINE;
                to = from;
                draw_storage(&from, all_orders[order / 3], pairs[p][0]);
                draw_storage(&to, all_orders[order % 3], pairs[p][1]);
                source = buffer_of(size_of(&from), below(4));
                if (from.type == OH_NN_FLOAT32) fill_floats(&source, 0.037);
                check(&from, &source, &to);
                free(source.block);
            }
}

Test(layout, there_and_back_again_is_where_it_started) {
    for (uint32_t c = 1; c <= 70; c++)
        for (int there = 0; there < 9; there++) {
            const OH_NN_DataType type = all_types[below(NNRT__COUNT_OF(all_types))];
            nnrt__tensor_layout home = drawn_shape(c), away = home;
            buffer source, abroad, back;
            draw_storage(&home, all_orders[there / 3], type);
            home.c1 = home.order == NNRT__ORDER_NC1HWC2 ? (c + home.c2 - 1) / home.c2 : 0;
            draw_storage(&away, all_orders[there % 3], type);
            source = buffer_of(size_of(&home), 1);
            abroad = buffer_of(size_of(&away), 3);
            back = copy_of(&source); /* with its row padding; its lanes become 0 on the way */
            (void)nnrt__layout_convert(&home, source.data, &away, abroad.data);
            (void)nnrt__layout_convert(&away, abroad.data, &home, back.data);
            for (uint32_t n = 0; n < home.n; n++)
                for (uint32_t lane = c; lane < home.c1 * home.c2; lane++)
                    for (uint32_t h = 0; h < home.h; h++)
                        for (uint32_t w = 0; w < home.w; w++)
                            memset(source.data + place(&home, n, lane, h, w), 0, width_of(type));
            cr_assert_arr_eq(back.data, source.data, source.size, "seed %u, %u channels", SEED, c);
            free(source.block);
            free(abroad.block);
            free(back.block);
        }
}

/* ------------------------------------------------------------------------------------------------ numbers */

/* Row of w elements of type a into type b, both kinds of kernels. */
static void check_row(nnrt__tensor_layout from, const void *elements, nnrt__tensor_layout to) {
    buffer source = buffer_of(size_of(&from), 1);
    memcpy(source.data, elements, source.size);
    check(&from, &source, &to);
    free(source.block);
}

static nnrt__tensor_layout row(uint32_t w, OH_NN_DataType type, float scale, int32_t zp) {
    nnrt__tensor_layout l = shape(1, 1, 1, w);
    l.type = type;
    l.quant = type == OH_NN_FLOAT32 || type == OH_NN_FLOAT16 ? NNRT__QUANT_NONE : NNRT__QUANT_AFFINE;
    l.scale = scale;
    l.zp = zp;
    return l;
}

static const float scales[] = {
    1.0f,        0.5f,           1.0f / 255.0f, 0.1f,          7.0f / 128.0f,   0.0039215689f, 3.0f,
    1e-20f,      1.0f / 3.0f,    1.9999999f,    1.00000012f,   1.17549435e-38f, 1e-38f,        1.40129846e-45f,
    1e-43f,      7.8886091e-31f, 7.88e-31f,     1.2676506e30f, 1.3e30f,         2e36f,         3.4028235e38f,
    0.023529412f};

Test(layout, every_code_of_8_and_16_bits_is_the_number_it_stands_for) {
    static int16_t codes[65536];
    static const OH_NN_DataType bytes[] = {OH_NN_INT8, OH_NN_UINT8};
    uint8_t all[256];
    for (int i = 0; i < 65536; i++) codes[i] = (int16_t)(i - 32768);
    for (int i = 0; i < 256; i++) all[i] = (uint8_t)i;
    for (size_t s = 0; s < NNRT__COUNT_OF(scales); s++) {
        for (int zp = -129; zp <= 256; zp += s == 0 ? 1 : 55)
            for (int b = 0; b < 2; b++)
                check_row(row(256, bytes[b], scales[s], zp), all, row(256, OH_NN_FLOAT32, 0, 0));
        check_row(row(65536, OH_NN_INT16, scales[s], (int)s * 1000 - 9000), codes, row(65536, OH_NN_FLOAT32, 0, 0));
    }
    for (int bits = -127; bits <= 127; bits++) {
        nnrt__tensor_layout from = row(256, bytes[bits & 1], 0, 99), to = row(256, OH_NN_FLOAT32, 0, 0);
        from.quant = NNRT__QUANT_FIXED_POINT;
        from.fraction_bits = (int8_t)bits;
        check_row(from, all, to);
    }
}

/* Codes come back from their numbers, and every number between two codes, with its neighbours, goes to the
   even one. */
Test(layout, quantizing_goes_to_the_nearest_code_and_ties_to_even) {
    static float numbers[6 * 1200];
    static const OH_NN_DataType types[] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16};
    for (size_t s = 0; s < NNRT__COUNT_OF(scales); s++)
        for (int z = 0; z < 5; z++) {
            uint32_t n = 0;
            for (int code = -600; code < 600; code++) {
                const float tie = (float)((code + 0.5) * (double)scales[s]);
                numbers[n++] = tie;
                numbers[n++] = nextafterf(tie, INFINITY);
                numbers[n++] = nextafterf(tie, -INFINITY);
                numbers[n++] = (float)(code * (double)scales[s]);
                numbers[n++] = (float)((code * 131 + 0.5) * (double)scales[s]);
                numbers[n++] = drawn_float((double)scales[s]);
            }
            for (int t = 0; t < 3; t++) {
                const int zps[] = {0, -128, 127, 255, 33};
                check_row(row(n, OH_NN_FLOAT32, 0, 0), numbers, row(n, types[t], scales[s], zps[z]));
            }
        }
}

Test(layout, what_dequantizing_gives_quantizes_to_the_same_code) {
    static int16_t codes[65536], again[65536];
    static float numbers[65536];
    for (int i = 0; i < 65536; i++) codes[i] = (int16_t)(i - 32768);
    for (size_t s = 0; s < 12; s++) {
        nnrt__tensor_layout q = row(65536, OH_NN_INT16, scales[s], (int)s * 300 - 1000);
        nnrt__tensor_layout f = row(65536, OH_NN_FLOAT32, 0, 0);
        (void)nnrt__layout_convert(&q, codes, &f, numbers);
        (void)nnrt__layout_convert(&f, numbers, &q, again);
        cr_assert_arr_eq(again, codes, sizeof codes, "scale %g", (double)scales[s]);
        q.w = q.w_stride = f.w = f.w_stride = 131072;
        for (int u = 0; u < 2; u++) {
            q.type = u ? OH_NN_UINT8 : OH_NN_INT8;
            q.zp = u ? 200 : -77;
            q.w = q.w_stride = f.w = f.w_stride = 65536;
            (void)nnrt__layout_convert(&q, codes, &f, numbers);
            (void)nnrt__layout_convert(&f, numbers, &q, again);
            cr_assert_arr_eq(again, codes, 65536, "scale %g", (double)scales[s]);
        }
    }
}

Test(layout, every_float16_widens_exactly_and_comes_back) {
    static uint16_t halves[65536];
    for (int i = 0; i < 65536; i++) {
        const uint16_t half = (uint16_t)i;
        const bool nan = (half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0;
        halves[i] = half;
        cr_assert_eq(bits_of(nnrt__float16_to_float32(half)), widened(half), "%04x", half);
        cr_assert_eq(nnrt__float16_from_float32(nnrt__float16_to_float32(half)), nan ? half | 0x200 : half, "%04x",
                     half);
    }
    check_row(row(65536, OH_NN_FLOAT16, 0, 0), halves, row(65536, OH_NN_FLOAT32, 0, 0));
}

/* Between every two neighbours: the middle, and the numbers just beside it; and every exponent. */
Test(layout, float32_narrows_to_the_nearest_float16_and_ties_to_even) {
    static float numbers[4 * 65536];
    uint32_t n = 0;
    for (uint32_t i = 0; i < 0x7c00; i++) {
        const uint16_t half = (uint16_t)(i | (i & 1) << 15);
        const double beside = i == 0x7bff ? 65536.0 : half_value((uint16_t)(i + 1));
        const float middle = (float)(0.5 * (half_value((uint16_t)i) + beside)) * (half >> 15 ? -1.0f : 1.0f);
        numbers[n++] = middle;
        numbers[n++] = nextafterf(middle, INFINITY);
        numbers[n++] = nextafterf(middle, -INFINITY);
    }
    for (uint32_t exponent = 0; exponent < 256; exponent++)
        for (uint32_t i = 0; i < 128; i++) numbers[n++] = float_of(exponent << 23 | (noise() & 0x807fffffu));
    for (uint32_t i = 0; i < n; i++)
        cr_assert_eq(nnrt__float16_from_float32(numbers[i]), half_of(numbers[i]), "%a", (double)numbers[i]);
    check_row(row(n, OH_NN_FLOAT32, 0, 0), numbers, row(n, OH_NN_FLOAT16, 0, 0));
    cr_assert_eq(nnrt__float16_from_float32(65520.0f), 0x7c00);
    cr_assert_eq(nnrt__float16_from_float32(65519.996f), 0x7bff);
    cr_assert_eq(nnrt__float16_from_float32(-2.9802322e-8f), 0x8000);
    cr_assert_eq(nnrt__float16_from_float32(2.9802326e-8f), 0x0001);
}

/* Dequantizing is the one that may depend on it: a product is rounded. */
Test(layout, a_program_that_rounds_another_way_gets_the_same_codes) {
    static const int modes[] = {
#ifdef FE_UPWARD
        FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
#endif
        FE_TONEAREST};
    static float numbers[8192];
    static const OH_NN_DataType types[] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16, OH_NN_FLOAT16};
    for (size_t s = 0; s < NNRT__COUNT_OF(scales); s++) {
        for (int i = 0; i < 8192; i++) numbers[i] = drawn_float(s & 1 ? (double)scales[s] : 1e-6);
        for (int t = 0; t < 4; t++) {
            const nnrt__tensor_layout from = row(8192, OH_NN_FLOAT32, 0, 0), to = row(8192, types[t], scales[s], 3);
            buffer expected = buffer_of(size_of(&to), 0), got = buffer_of(size_of(&to), 0);
            convert_slowly(&from, (const uint8_t *)numbers, &to, expected.data);
            for (size_t m = 0; m < NNRT__COUNT_OF(modes); m++)
                for (int portable = 0; portable < 2; portable++) {
                    nnrt__layout_kernels kernels;
                    nnrt__layout_job job;
                    nnrt__layout_select(&kernels);
                    if (portable) nnrt__layout_install_scalar(&kernels);
                    fesetround(modes[m]);
                    nnrt__layout_prepare_with(&job, &kernels, &from, &to);
                    (void)nnrt__layout_do(&job, numbers, got.data);
                    fesetround(FE_TONEAREST);
                    cr_assert_arr_eq(got.data, expected.data, expected.size, "type %d, mode %d, scale %a",
                                     (int)types[t], modes[m], (double)scales[s]);
                }
            free(expected.block);
            free(got.block);
        }
    }
}

/* ---------------------------------------------------------------------------------------------- questions */

Test(layout, sizes_count_strides_and_lanes) {
    for (int i = 0; i < 20000; i++) {
        nnrt__tensor_layout l = drawn_shape(1 + below(70));
        uint32_t size = 0;
        draw_storage(&l, all_orders[below(3)], all_types[below(NNRT__COUNT_OF(all_types))]);
        draw_numbers(&l, below(2) == 0);
        cr_assert(nnrt__layout_size(&l, &size));
        cr_assert_eq(size, size_of(&l));
    }
}

static void refused(const nnrt__tensor_layout *l, const char *why) {
    uint32_t size = 12345;
    cr_expect(!nnrt__layout_size(l, &size) && size == 12345, "accepted: %s", why);
}

Test(layout, impossible_fields_are_refused) {
    for (int order = 0; order < 3; order++) {
        nnrt__tensor_layout good = shape(2, 20, 3, 9), bad;
        uint32_t size;
        good.order = all_orders[order];
        good.c1 = 2;
        good.c2 = 16;
        good.quant = NNRT__QUANT_AFFINE;
        good.scale = 0.5f;
        cr_assert(nnrt__layout_size(&good, &size));
#define REFUSED(field, value)             \
    do {                                  \
        bad = good;                       \
        bad.field = value;                \
        refused(&bad, #field "=" #value); \
    } while (0)
        REFUSED(n, 0);
        REFUSED(c, 0);
        REFUSED(h, 0);
        REFUSED(w, 0);
        REFUSED(w_stride, 8);
        REFUSED(h_stride, 2);
        REFUSED(w_stride, 0);
        REFUSED(h_stride, 0);
        REFUSED(order, (nnrt__tensor_order)3);
        REFUSED(type, OH_NN_UNKNOWN);
        REFUSED(type, OH_NN_FLOAT64);
        REFUSED(type, (OH_NN_DataType)13);
        REFUSED(scale, 0.0f);
        REFUSED(scale, -0.0f);
        REFUSED(scale, -1.0f);
        REFUSED(scale, INFINITY);
        REFUSED(scale, -INFINITY);
        REFUSED(scale, NAN);
        REFUSED(zp, -32769);
        REFUSED(zp, 65536);
        REFUSED(zp, INT32_MIN);
        REFUSED(quant, (nnrt__tensor_quant)3);
        good.quant = NNRT__QUANT_FIXED_POINT;
        REFUSED(fraction_bits, -128);
        if (order == 2) {
            REFUSED(c1, 1);
            REFUSED(c1, 0);
            REFUSED(c2, 9);
            REFUSED(c2, 0);
        }
#undef REFUSED
        good.scale = NAN; /* not asked for */
        cr_expect(nnrt__layout_size(&good, &size));
        good.quant = NNRT__QUANT_NONE;
        cr_expect(nnrt__layout_size(&good, &size));
        good.quant = NNRT__QUANT_AFFINE;
        good.type = OH_NN_FLOAT16;
        cr_expect(nnrt__layout_size(&good, &size));
    }
}

static double product(const nnrt__tensor_layout *l) {
    const double channels = l->order == NNRT__ORDER_NC1HWC2 ? (double)l->c1 * l->c2 : (double)l->c;
    return (double)l->n * l->h_stride * l->w_stride * channels * (double)width_of(l->type);
}

Test(layout, sizes_beyond_31_bits_are_refused_whatever_overflows) {
    static const uint32_t factors[] = {1,        1,        1,          1,          1,          2,          3,
                                       7,        16,       255,        65535,      65536,      65537,      1u << 17,
                                       1u << 24, 1u << 30, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    const uint32_t n = NNRT__COUNT_OF(factors);
    uint32_t size = 0, accepted = 0;
    nnrt__tensor_layout edge = shape(1, 1, 1, 0x7fffffff);
    cr_expect(nnrt__layout_size(&edge, &size) && size == 0x7fffffff);
    edge.w_stride++;
    refused(&edge, "2^31 bytes");
    edge = shape(1, 1, 1, 0x40000000);
    edge.type = OH_NN_INT16;
    refused(&edge, "2^30 elements of 2 bytes");
    for (int i = 0; i < 200000; i++) {
        nnrt__tensor_layout l = shape(pick(factors, n), pick(factors, n), 1, 1);
        l.h_stride = pick(factors, n);
        l.w_stride = pick(factors, n);
        l.type = all_types[below(NNRT__COUNT_OF(all_types))];
        l.order = all_orders[below(3)];
        l.c1 = pick(factors, n);
        l.c2 = pick(factors, n);
        if (l.order == NNRT__ORDER_NC1HWC2 && (double)l.c1 * l.c2 < l.c) l.c = 1;
        if (product(&l) > 2147483647.0) {
            refused(&l, "beyond 31 bits");
        } else {
            cr_assert(nnrt__layout_size(&l, &size));
            cr_assert_eq((double)size, product(&l));
            accepted++;
        }
    }
    cr_assert_gt(accepted, 1000u);
}

/* Every element at the same byte, the same size, the same meaning. */
static bool same_slowly(const nnrt__tensor_layout *a, const nnrt__tensor_layout *b) {
    if (a->type != b->type || size_of(a) != size_of(b)) return false;
    if (a->n != b->n || a->c != b->c || a->h != b->h || a->w != b->w) return false;
    if (a->type == OH_NN_INT8 && a->quant != b->quant) return false;
    if (a->type == OH_NN_INT8 && a->quant == NNRT__QUANT_FIXED_POINT && a->fraction_bits != b->fraction_bits)
        return false;
    if (a->type == OH_NN_INT8 && a->quant == NNRT__QUANT_AFFINE && (a->zp != b->zp || a->scale != b->scale))
        return false;
    for (uint32_t n = 0; n < a->n; n++)
        for (uint32_t c = 0; c < a->c; c++)
            for (uint32_t h = 0; h < a->h; h++)
                for (uint32_t w = 0; w < a->w; w++)
                    if (place(a, n, c, h, w) != place(b, n, c, h, w)) return false;
    return true;
}

static nnrt__tensor_layout small_layout(void) {
    nnrt__tensor_layout l = shape(1 + below(2), 1 + below(4), 1 + below(2), 1 + below(2));
    l.order = all_orders[below(3)];
    l.type = below(4) == 0 ? OH_NN_BOOL : OH_NN_INT8;
    l.h_stride += below(5) == 0 ? 1 : 0;
    l.w_stride += below(5) == 0 ? 1 : 0;
    l.c2 = 1 + below(4);
    l.c1 = (l.c + l.c2 - 1) / l.c2 + (below(4) == 0 ? 1 : 0);
    l.quant = below(3) != 0 ? NNRT__QUANT_AFFINE : below(3) == 0 ? NNRT__QUANT_NONE : NNRT__QUANT_FIXED_POINT;
    l.fraction_bits = (int8_t)(below(4) == 0);
    l.zp = below(8) == 0 ? 1 : 0;
    l.scale = below(8) == 0 ? 2.0f : 1.0f;
    return l;
}

Test(layout, the_same_bytes_are_recognised_whatever_their_order_is_called) {
    uint32_t same = 0, across = 0;
    for (int i = 0; i < 200000; i++) {
        const nnrt__tensor_layout a = small_layout();
        nnrt__tensor_layout b = small_layout();
        if (below(4) != 0) {
            b.n = a.n;
            b.c = a.c;
            b.h = a.h;
            b.w = a.w;
            b.h_stride = a.h_stride;
            b.w_stride = a.w_stride;
            b.c1 = (b.c + b.c2 - 1) / b.c2;
            if (below(2) == 0) b.type = a.type;
        }
        if (nnrt__layout_same(&a, &b) != same_slowly(&a, &b)) {
            say("a", &a);
            say("b", &b);
            cr_assert_fail("seed %u: said to be %s", SEED, same_slowly(&a, &b) ? "different" : "the same");
        }
        same += same_slowly(&a, &b);
        across += same_slowly(&a, &b) && a.order != b.order;
    }
    cr_assert_gt(same, 5000u);
    cr_assert_gt(across, 2000u);
}

Test(layout, conversions_exist_for_what_is_documented_and_nothing_else) {
    static const nnrt__tensor_quant quants[] = {NNRT__QUANT_NONE, NNRT__QUANT_FIXED_POINT, NNRT__QUANT_AFFINE};
    for (size_t s = 0; s < NNRT__COUNT_OF(all_types); s++)
        for (size_t d = 0; d < NNRT__COUNT_OF(all_types); d++)
            for (int q = 0; q < 9; q++) {
                nnrt__tensor_layout from = shape(2, 3, 4, 5), to = from, other;
                const nnrt__tensor_layout *narrow;
                bool expected;
                from.type = all_types[s];
                to.type = all_types[d];
                from.quant = quants[q / 3];
                to.quant = quants[q % 3];
                from.scale = to.scale = 0.25f;
                narrow = to.type == OH_NN_FLOAT32 ? &from : &to;
                if (from.type == to.type)
                    expected = from.quant == to.quant || from.type == OH_NN_FLOAT32 || from.type == OH_NN_FLOAT16 ||
                               from.type == OH_NN_BOOL;
                else
                    expected =
                        (from.type == OH_NN_FLOAT32 || to.type == OH_NN_FLOAT32) &&
                        (narrow->type == OH_NN_FLOAT16 ||
                         (narrow->quant != NNRT__QUANT_NONE &&
                          (narrow->type == OH_NN_INT8 || narrow->type == OH_NN_UINT8 || narrow->type == OH_NN_INT16)) ||
                         (narrow->quant == NNRT__QUANT_FIXED_POINT && narrow->type == OH_NN_INT32));
                cr_expect_eq(nnrt__layout_convertible(&from, &to), expected, "types %d %d, quants %d %d",
                             (int)from.type, (int)to.type, (int)from.quant, (int)to.quant);
                other = to;
                other.n++;
                cr_expect(!nnrt__layout_convertible(&from, &other));
                other = to;
                other.c++;
                cr_expect(!nnrt__layout_convertible(&from, &other));
                other = to;
                other.h--;
                cr_expect(!nnrt__layout_convertible(&from, &other));
                other = to;
                other.w--;
                cr_expect(!nnrt__layout_convertible(&from, &other));
            }
    {
        nnrt__tensor_layout a = row(4, OH_NN_INT8, 0.5f, 1), b = a;
        b.scale = 0.25f;
        cr_expect(!nnrt__layout_convertible(&a, &b));
        b = a;
        b.zp = 2;
        cr_expect(!nnrt__layout_convertible(&a, &b));
        a.quant = b.quant = NNRT__QUANT_FIXED_POINT;
        cr_expect(nnrt__layout_convertible(&a, &b));
        b.fraction_bits = 3;
        cr_expect(!nnrt__layout_convertible(&a, &b));
    }
}
