/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_convert.c - every byte that convert.h writes is that of the vendor's formulas, written here element by
   element: with the kernels of the processor and with the portable ones.

   Buffers are malloc'd to their exact size, at every misalignment. Padding of the board is noise before a load, and
   must be 0 after a store. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/log.h"
#include "bpu/convert.h"

#include <criterion/criterion.h>

#include <fenv.h>
#include <math.h>
#include <stdio.h>

#include "bpu_properties.h"

#define SEED 31u
#include "noise.h"

#ifndef ROUNDS
#define ROUNDS 2500
#define SCALES_TRIED 1 /* of scales_tried with every zero point; the others with a few */
#else
#define SCALES_TRIED 12
#endif

/* nnrt__bpu_store, or nnrt__bpu_load, with these kernels. */
static void convert_with(const nnrt__bpu_kernels *kernels, const nnrt__bpu_tensor *tensor, nnrt__bpu_form form,
                         bool stores, const void *source, void *destination) {
    nnrt__bpu_job job;
    nnrt__bpu_prepare_with(&job, kernels, tensor, form, stores);
    nnrt__bpu_do(&job, source, destination);
}

static uint32_t below(uint32_t n) { return noise() % n; }

/* size bytes of noise that end where the block of malloc ends. */
typedef struct buffer {
    uint8_t *block, *data;
    size_t size;
} buffer;

static buffer buffer_of(size_t size) {
    const size_t misalign = below(8);
    buffer b;
    size_t i;
    b.block = malloc(size + misalign);
    cr_assert_not_null(b.block);
    b.data = b.block + misalign;
    b.size = size;
    for (i = 0; i < size; i += 4) {
        const uint32_t word = noise();
        memcpy(b.data + i, &word, size - i < 4 ? size - i : 4);
    }
    return b;
}

static void both_kernels(nnrt__bpu_kernels kernels[2]) {
    nnrt__bpu_select(&kernels[0]);
    nnrt__bpu_install_scalar(&kernels[1]);
}

/* ---------------------------------------------------------------------------------------------- the formulas */

static double half_value(uint16_t half) {
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double sign = half & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25));
}

static bool is_signed(nnrt__bpu_element e) {
    return e == NNRT__BPU_S4 || e == NNRT__BPU_S8 || e == NNRT__BPU_S16 || e == NNRT__BPU_S32 || e == NNRT__BPU_S64;
}

/* A stored element. at: in bits */
static double stored(nnrt__bpu_element e, const uint8_t *memory, uint64_t at) {
    const uint32_t bits = nnrt__bpu_element_bits(e);
    uint64_t word = 0;
    float f;
    double d;
    memcpy(&word, memory + at / 8, bits < 8 ? 1 : bits / 8);
    if (bits == 4) word = word >> at % 8 & 15;
    if (e == NNRT__BPU_F16) return half_value((uint16_t)word);
    if (e == NNRT__BPU_F32) {
        memcpy(&f, &word, 4);
        return (double)f;
    }
    if (e == NNRT__BPU_F64) {
        memcpy(&d, &word, 8);
        return d;
    }
    if (!is_signed(e)) return (double)word;
    if (bits < 64 && word >> (bits - 1) != 0) word -= UINT64_C(1) << bits;
    return (double)(int64_t)word;
}

static int32_t zero_of(const nnrt__bpu_tensor *t, uint32_t i) {
    if (t->zero_points == NULL) return 0;
    return t->zero_point_size == 1 ? ((const int8_t *)t->zero_points)[i] : ((const int32_t *)t->zero_points)[i];
}

static float scale_of(const nnrt__bpu_tensor *t, uint32_t i) {
    return t->quant == NNRT__BPU_QUANT_SHIFT ? (float)ldexp(1.0, -t->shifts[i]) : t->scales[i];
}

/* (q - zero point) * scale, q / (1 << shift) */
static float dequantized(const nnrt__bpu_tensor *t, double q, uint32_t i) {
    return (float)(q - (double)zero_of(t, i)) * scale_of(t, i);
}

/* g(x / scale + zero point), as the integer's bits. */
static uint64_t quantized(const nnrt__bpu_tensor *t, float x, uint32_t i) {
    const uint32_t bits = nnrt__bpu_element_bits(t->element);
    const bool sign = is_signed(t->element);
    const double scale = (double)scale_of(t, i);
    const double low = sign ? -ldexp(1.0, (int)bits - 1) : 0.0;
    const double end = ldexp(1.0, (int)bits - (sign ? 1 : 0)); /* the first that is too many */
    double value = isnan(x) || scale == 0.0 ? 0.0 : (double)x / scale;
    value = rint(value + (double)zero_of(t, i));
    if (value < low) value = low;
    if (value >= end) return sign ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    return value < 0.0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

/* ----------------------------------------------------------------------------------------- one row of numbers */

/* A dense tensor of count elements, quantized by axis 0 of channels, or not by an axis. */
static nnrt__bpu_tensor row_of(nnrt__bpu_element element, int32_t channels, int32_t count, const float *scales,
                               const int32_t *zeros) {
    nnrt__bpu_tensor t;
    const uint32_t bits = nnrt__bpu_element_bits(element);
    memset(&t, 0, sizeof(t));
    t.element = element;
    t.order = NNRT__BPU_NO_ORDER;
    t.rank = 2;
    t.dims[0] = t.aligned[0] = channels;
    t.dims[1] = t.aligned[1] = count;
    t.strides[1] = bits == 4 ? 1 : (int64_t)bits / 8;
    t.strides[0] = (int64_t)count * bits / 8;
    t.size = t.strides[0] * channels;
    t.quant = NNRT__BPU_QUANT_SCALE;
    t.quant_count = (uint32_t)channels;
    t.scales = scales;
    t.zero_points = zeros;
    t.zero_point_size = 4;
    return t;
}

/* Every stored value of a type of at most 16 bits becomes the float of the formula. */
static void check_stored_values(const nnrt__bpu_tensor *t) {
    const uint32_t count = (uint32_t)t->dims[1], bits = nnrt__bpu_element_bits(t->element);
    nnrt__bpu_kernels kernels[2];
    float *out = malloc(sizeof(float) * count * t->quant_count);
    uint8_t *in = malloc((size_t)t->size);
    uint32_t k, i;
    cr_assert(out != NULL && in != NULL);
    for (k = 0; k < (uint32_t)t->size; k++) {
        const uint32_t value = k / (bits == 16 ? 2 : 1);
        in[k] = (uint8_t)(bits == 16 && k % 2 != 0 ? value >> 8 : value);
    }
    both_kernels(kernels);
    for (k = 0; k < 2; k++) {
        convert_with(&kernels[k], t, NNRT__BPU_FORM_FLOAT, false, in, out);
        for (i = 0; i < count * t->quant_count; i++) {
            const float expected = dequantized(t, stored(t->element, in, (uint64_t)i * bits), i / count);
            cr_assert(memcmp(&expected, &out[i], 4) == 0, "element %u of type %d: %a, not %a", (unsigned)i,
                      (int)t->element, (double)out[i], (double)expected);
        }
    }
    free(out);
    free(in);
}

static const float scales_tried[] = {1.0f,   0.5f,   0.1f,   0.0123f,      1.0f / 255.0f, 3.0f,
                                     127.7f, 1e-30f, 1e-42f, 2.713546e37f, 0.0f,          1.17549435e-38f};

Test(bpu_convert, every_stored_value_of_4_8_and_16_bits_is_dequantized_by_the_formula) {
    static const nnrt__bpu_element types[] = {NNRT__BPU_S4, NNRT__BPU_U4,  NNRT__BPU_S8,
                                              NNRT__BPU_U8, NNRT__BPU_S16, NNRT__BPU_U16};
    size_t e, s;
    int32_t zero;
    for (e = 0; e < NNRT__COUNT_OF(types); e++)
        for (s = 0; s < NNRT__COUNT_OF(scales_tried); s++) {
            const uint32_t bits = nnrt__bpu_element_bits(types[e]);
            const int32_t by = bits == 8 && s < SCALES_TRIED ? 1 : 260;
            if (bits == 16 && s >= SCALES_TRIED + 1) continue;
            for (zero = -260; zero <= 260; zero += by) {
                const float scales[2] = {scales_tried[s], scales_tried[(s + 5) % NNRT__COUNT_OF(scales_tried)]};
                const int32_t zeros[2] = {zero, zero == 0 ? 1 << 30 : -zero};
                const int32_t count = bits == 4 ? 512 : 1 << bits;
                nnrt__bpu_tensor one = row_of(types[e], 1, count, scales, zeros);
                nnrt__bpu_tensor each = row_of(types[e], 2, bits == 16 ? 2000 : count, scales, zeros);
                check_stored_values(&one);
                if (zero % 4 == 0) check_stored_values(&each);
            }
        }
}

/* The integers of floats that lie at, and beside, every half-way point. */
static void check_ties(nnrt__bpu_element element, float scale, int32_t zero, int channels) {
    enum {
        COUNT = 3 * 700
    };
    static float in[2 * COUNT];
    static uint8_t out[2 * 8 * COUNT];
    static const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const uint32_t bits = nnrt__bpu_element_bits(element);
    const float scales[2] = {scale, scale};
    const int32_t zeros[2] = {zero, zero};
    const nnrt__bpu_tensor t = row_of(element, channels, COUNT, scales, zeros);
    nnrt__bpu_kernels kernels[2];
    int k, mode, i;
    for (i = 0; i < channels * COUNT / 3; i++) {
        const float tie = (float)(((i % 700 - 350) * 0.5 + (bits == 16 ? (i % 5 - 2) * 16000.0 : 0.0)) * (double)scale);
        in[3 * i] = nextafterf(tie, -3e38f);
        in[3 * i + 1] = tie;
        in[3 * i + 2] = nextafterf(tie, 3e38f);
    }
    in[0] = NAN;
    in[1] = INFINITY;
    in[2] = -INFINITY;
    both_kernels(kernels);
    for (k = 0; k < 2; k++)
        for (mode = 0; mode < (scale == 0.5f && zero % 12 == 0 ? 4 : 1); mode++) {
            fesetround(modes[mode]);
            convert_with(&kernels[k], &t, NNRT__BPU_FORM_FLOAT, true, in, out);
            fesetround(FE_TONEAREST);
            for (i = 0; i < channels * COUNT; i++) {
                const uint64_t expected = quantized(&t, in[i], (uint32_t)(i / COUNT));
                uint64_t got = 0;
                memcpy(&got, out + (size_t)i * bits / 8, bits == 4 ? 1 : bits / 8);
                if (bits == 4) got = got >> i % 2 * 4 & 15;
                cr_assert_eq(got, expected & UINT64_MAX >> (64 - bits),
                             "type %d, scale %a, zero point %d, mode %d, kernels %d: %a becomes %llx, not %llx",
                             (int)element, (double)scale, (int)zero, mode, k, (double)in[i], (unsigned long long)got,
                             (unsigned long long)expected);
            }
        }
}

Test(bpu_convert, half_way_points_go_to_the_even_sum_in_every_rounding_mode) {
    static const nnrt__bpu_element types[] = {NNRT__BPU_S8,  NNRT__BPU_U8,  NNRT__BPU_S4,  NNRT__BPU_U4, NNRT__BPU_S16,
                                              NNRT__BPU_U16, NNRT__BPU_S32, NNRT__BPU_U32, NNRT__BPU_S64};
    size_t e, s;
    int32_t zero;
    for (e = 0; e < NNRT__COUNT_OF(types); e++)
        for (s = 0; s < NNRT__COUNT_OF(scales_tried); s++) {
            check_ties(types[e], scales_tried[s], 0, 1);
            for (zero = -128; zero <= 128; zero += e < 2 && s < SCALES_TRIED ? 3 : 85) {
                check_ties(types[e], scales_tried[s], zero, 1);
                if (zero % 6 == 0) check_ties(types[e], scales_tried[s], zero, 2);
            }
        }
}

Test(bpu_convert, the_formula_decides_where_rounding_before_the_zero_point_would_differ) {
    static const float in[4] = {0.5f, 1.5f, -0.5f, 2.5f}; /* quotients; + 1: 1.5, 2.5, 0.5, 3.5 */
    static const float scale = 1.0f;
    static const int32_t zero = 1;
    const nnrt__bpu_tensor t = row_of(NNRT__BPU_S8, 1, 4, &scale, &zero);
    int8_t out[4];
    nnrt__bpu_store(&t, NNRT__BPU_FORM_FLOAT, in, out, NULL);
    cr_expect(out[0] == 2 && out[1] == 2 && out[2] == 0 && out[3] == 4);
}

Test(bpu_convert, every_float16_is_widened_and_every_stored_one_comes_back) {
    nnrt__bpu_tensor t = row_of(NNRT__BPU_F16, 1, 65536, NULL, NULL);
    uint16_t *halves = malloc(65536 * 2), *again = malloc(65536 * 2);
    float *floats = malloc(65536 * 4);
    uint32_t i;
    cr_assert(halves != NULL && again != NULL && floats != NULL);
    t.quant = NNRT__BPU_QUANT_NONE;
    t.quant_count = 0;
    for (i = 0; i < 65536; i++) halves[i] = (uint16_t)i;
    nnrt__bpu_load(&t, NNRT__BPU_FORM_FLOAT, halves, floats);
    for (i = 0; i < 65536; i++) {
        const double expected = half_value((uint16_t)i);
        cr_assert(isnan(expected) ? isnan(floats[i]) : (double)floats[i] == expected, "%04x: %a", (unsigned)i,
                  (double)floats[i]);
    }
    nnrt__bpu_store(&t, NNRT__BPU_FORM_FLOAT, floats, again, NULL);
    for (i = 0; i < 65536; i++)
        cr_assert(again[i] == halves[i] || (isnan(floats[i]) && again[i] == (halves[i] | 0x200)), "%04x: %04x",
                  (unsigned)i, (unsigned)again[i]);
    free(halves);
    free(again);
    free(floats);
}

/* ----------------------------------------------------------------------------------------------- any tensor */

typedef struct numbers {
    float scales[40];
    int32_t zeros[40];
    int8_t narrow_zeros[40];
    uint8_t shifts[40];
} numbers;

/* Shape, memory order with gaps, quantization: anything that bpu_describe accepts. */
static nnrt__bpu_tensor drawn(numbers *n) {
    nnrt__bpu_tensor t;
    const bool planes = below(8) == 0;
    uint32_t order[10], i, bits;
    int64_t next;
    memset(&t, 0, sizeof(t));
    t.element = (nnrt__bpu_element)below(20);
    if (nnrt__bpu_is_nv12(t.element)) t.element = NNRT__BPU_S32;
    bits = nnrt__bpu_element_bits(t.element);
    t.order = NNRT__BPU_NO_ORDER;
    t.rank = 1 + below(below(8) == 0 ? 10 : 4);
    for (i = 0; i < t.rank; i++) {
        t.dims[i] = noise_in(1, t.rank > 4 ? 2 : t.rank > 2 ? 5 : 9);
        order[i] = i;
    }
    if (below(2) == 0) t.dims[t.rank - 1] = noise_in(1, 40);
    if (below(t.rank < 3 ? 8 : 200) == 0) t.dims[below(t.rank)] = noise_in(250, 600);
    if (planes) { /* tiles of the board end within a plane, and the next one begins with a whole tile */
        t.rank = 3;
        t.dims[0] = noise_in(2, 3);
        t.dims[1] = noise_in(30, 80);
        t.dims[2] = noise_in(5, 12);
        order[0] = 0;
        order[1] = 1;
        order[2] = 2;
    }
    if (bits != 4)
        for (i = t.rank - 1; i > 0 && below(3) == 0; i--) { /* another order in memory */
            const uint32_t k = below(i + 1), other = order[i];
            order[i] = order[k];
            order[k] = other;
        }
    next = bits == 4 ? 1 : (int64_t)bits / 8;
    for (i = t.rank; i != 0; i--) { /* from the inside out, in memory order */
        const uint32_t dim = order[i - 1];
        const int32_t gap = below(4) == 0 || (planes && dim == 1) ? noise_in(1, 5) : 0;
        t.strides[dim] = next;
        t.aligned[dim] = t.dims[dim] + gap;
        if (bits == 4 && dim == t.rank - 1) {
            t.aligned[dim] += t.aligned[dim] % 2;
            next = t.aligned[dim] / 2;
        } else {
            next *= t.aligned[dim];
        }
    }
    t.size = next;
    if (!nnrt__bpu_is_integer(t.element) || below(4) == 0) return t;
    t.quant = below(3) == 0 ? NNRT__BPU_QUANT_SHIFT : NNRT__BPU_QUANT_SCALE;
    t.axis = planes ? 2 : below(t.rank);
    t.quant_count = (planes || below(2) == 0) && t.dims[t.axis] <= 40 ? (uint32_t)t.dims[t.axis] : 1;
    for (i = 0; i < 40; i++) {
        n->scales[i] = below(4) == 0 ? scales_tried[below(NNRT__COUNT_OF(scales_tried))]
                                     : (float)(0.001 * (double)(1 + below(3000)));
        n->narrow_zeros[i] = (int8_t)noise();
        n->zeros[i] = below(3) == 0 ? (int32_t)noise() : noise_in(-300, 300);
        if (below(20) == 0) n->zeros[i] = below(2) == 0 ? INT32_MIN : INT32_MAX;
        n->shifts[i] = (uint8_t)below(below(2) == 0 ? 32 : 8);
    }
    if (below(2) == 0) /* what NEON takes */
        for (i = 0; i < 40; i++) n->scales[i] = (float)(0.001 * (double)(1 + below(3000)));
    t.scales = n->scales;
    t.shifts = n->shifts;
    t.zero_point_size = below(2) == 0 ? 1 : 4;
    t.zero_points = t.zero_point_size == 1 ? (const void *)n->narrow_zeros : (const void *)n->zeros;
    if (t.quant == NNRT__BPU_QUANT_SHIFT || below(2) == 0) t.zero_points = NULL;
    return t;
}

/* Bit of the board's memory of an element, and its index on the axis. */
static uint64_t place(const nnrt__bpu_tensor *t, const int32_t *index, uint32_t *on_axis) {
    const bool packs = nnrt__bpu_element_bits(t->element) == 4;
    uint64_t at = 0;
    uint32_t i;
    for (i = 0; i < t->rank; i++)
        at += packs && i + 1 == t->rank ? (uint64_t)index[i] * 4 : (uint64_t)index[i] * (uint64_t)t->strides[i] * 8;
    *on_axis = t->quant_count > 1 ? (uint32_t)index[t->axis] : 0;
    return at;
}

/* The next index; false: that was the last. */
static bool step(const nnrt__bpu_tensor *t, int32_t *index) {
    uint32_t i;
    for (i = t->rank; i != 0; i--) {
        if (++index[i - 1] < t->dims[i - 1]) return true;
        index[i - 1] = 0;
    }
    return false;
}

static void put_bits(uint8_t *memory, uint64_t at, uint32_t bits, uint64_t value) {
    if (bits == 4) memory[at / 8] = (uint8_t)((memory[at / 8] & ~(15u << at % 8)) | (value & 15) << at % 8);
    else memcpy(memory + at / 8, &value, bits / 8);
}

static void store_slowly(const nnrt__bpu_tensor *t, nnrt__bpu_form form, const uint8_t *source, uint8_t *memory) {
    const uint32_t bits = nnrt__bpu_element_bits(t->element);
    int32_t index[10] = {0};
    memset(memory, 0, (size_t)t->size);
    do {
        uint32_t axis;
        const uint64_t at = place(t, index, &axis);
        uint64_t word = 0;
        float x;
        if (form == NNRT__BPU_FORM_FLOAT && nnrt__bpu_becomes_float(t)) {
            memcpy(&x, source, 4);
            source += 4;
            if (t->element == NNRT__BPU_F64) {
                const double wide = (double)x;
                memcpy(&word, &wide, 8);
            } else if (t->element == NNRT__BPU_F16) {
                word = nnrt__float16_from_float32(x);
            } else {
                word = quantized(t, x, axis);
            }
        } else {
            memcpy(&word, source, bits == 4 ? 1 : bits / 8);
            source += bits == 4 ? 1 : bits / 8;
        }
        put_bits(memory, at, bits, word);
    } while (step(t, index));
}

static void load_slowly(const nnrt__bpu_tensor *t, nnrt__bpu_form form, const uint8_t *memory, uint8_t *out) {
    const uint32_t bits = nnrt__bpu_element_bits(t->element);
    int32_t index[10] = {0};
    do {
        uint32_t axis;
        const uint64_t at = place(t, index, &axis);
        if (form == NNRT__BPU_FORM_FLOAT && nnrt__bpu_becomes_float(t)) {
            const double q = stored(t->element, memory, at);
            const float x = t->quant != NNRT__BPU_QUANT_NONE ? dequantized(t, q, axis) : (float)q;
            memcpy(out, &x, 4);
            out += 4;
        } else if (bits == 4) {
            *out++ = (uint8_t)(int)stored(t->element, memory, at);
        } else {
            memcpy(out, memory + at / 8, bits / 8);
            out += bits / 8;
        }
    } while (step(t, index));
}

static float drawn_float(void) {
    static const uint32_t odd[] = {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x7f7fffffu, 1u, 0x80000000u};
    uint32_t bits = noise();
    float x;
    if (below(8) == 0) bits = odd[below(6)];
    memcpy(&x, &bits, 4);
    return below(3) == 0 ? x : (float)noise_between(-200.0, 200.0);
}

static void explain(const nnrt__bpu_tensor *t, size_t byte, int kernels, const char *what) {
    char text[400] = "";
    uint32_t i;
    for (i = 0; i < t->rank; i++)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), " %d/%lld", (int)t->dims[i],
                       (long long)t->strides[i]);
    cr_assert_fail("seed %u: byte %zu differs after %s: element %d, sizes/strides%s, quantization %d of %u on axis %u, "
                   "kernels %d",
                   SEED, byte, what, (int)t->element, text, (int)t->quant, (unsigned)t->quant_count, (unsigned)t->axis,
                   kernels);
}

static void same(const nnrt__bpu_tensor *t, const buffer *got, const buffer *expected, int kernels, const char *what) {
    size_t i;
    for (i = 0; i < expected->size; i++)
        if (got->data[i] != expected->data[i]) explain(t, i, kernels, what);
}

/* A NaN has no bits of its own: the float of one, by the formula or by a kernel, is some NaN. */
static void level_nans(buffer *floats) {
    size_t i;
    for (i = 0; i + 4 <= floats->size; i += 4)
        if (isnan(nnrt__read_f32(floats->data + i))) memset(floats->data + i, 0xff, 4);
}

Test(bpu_convert, any_shape_order_and_quantization_is_stored_and_loaded_element_by_element) {
    nnrt__bpu_kernels kernels[2];
    uint32_t transposed = 0, gaps = 0, by_axis = 0;
    int round, k;
    both_kernels(kernels);
    for (round = 0; round < ROUNDS; round++) {
        numbers n;
        const nnrt__bpu_tensor t = drawn(&n);
        const nnrt__bpu_form form = below(3) == 0 ? NNRT__BPU_FORM_LOGICAL : NNRT__BPU_FORM_FLOAT;
        const bool becomes = form == NNRT__BPU_FORM_FLOAT && nnrt__bpu_becomes_float(&t);
        buffer outside = buffer_of(nnrt__bpu_form_size(&t, form)), board = buffer_of((size_t)t.size);
        buffer expected_outside = buffer_of(outside.size), expected_board = buffer_of(board.size);
        size_t i;
        cr_assert(nnrt__bpu_extent(&t) <= (uint64_t)t.size);
        load_slowly(&t, form, board.data, expected_outside.data);
        if (becomes) level_nans(&expected_outside);
        for (k = 0; k < 2; k++) {
            buffer got = buffer_of(outside.size);
            convert_with(&kernels[k], &t, form, false, board.data, got.data);
            if (becomes) level_nans(&got);
            same(&t, &got, &expected_outside, k, "a load");
            free(got.block);
        }
        if (becomes)
            for (i = 0; i + 4 <= outside.size; i += 4) {
                const float x = drawn_float();
                memcpy(outside.data + i, &x, 4);
            }
        store_slowly(&t, form, outside.data, expected_board.data);
        for (k = 0; k < 2; k++) {
            buffer got = buffer_of(board.size);
            convert_with(&kernels[k], &t, form, true, outside.data, got.data);
            same(&t, &got, &expected_board, k, "a store");
            if (nnrt__bpu_is_direct(&t, form)) same(&t, &got, &outside, k, "a store that is said to change nothing");
            free(got.block);
        }
        transposed += t.rank > 1 && t.strides[t.rank - 1] > (int64_t)nnrt__bpu_element_bits(t.element) / 8;
        gaps += nnrt__bpu_element_bytes(&t) < (uint64_t)t.size;
        by_axis += t.quant_count > 1;
        free(outside.block);
        free(board.block);
        free(expected_outside.block);
        free(expected_board.block);
    }
    cr_expect_gt(transposed, ROUNDS / 20);
    cr_expect_gt(gaps, ROUNDS / 4);
    cr_expect_gt(by_axis, ROUNDS / 8);
}

Test(bpu_convert, a_classifier_with_rotated_strides_is_read_where_its_values_are) {
    int32_t board[4000], out[1000];
    nnrt__bpu_tensor t;
    said_bytes bytes;
    said s;
    int i;
    memset(&s, 0, sizeof(s));
    s.type = NNRT__BPU_DNN_S32;
    s.order = NNRT__BPU_NHWC;
    s.rank = 4;
    s.dims[0] = s.dims[2] = s.dims[3] = s.aligned[0] = s.aligned[2] = 1;
    s.dims[1] = s.aligned[1] = 1000;
    s.aligned[3] = 4;
    s.strides[0] = s.size = 16000;
    s.strides[1] = 4;
    s.strides[2] = s.strides[3] = 16;
    cr_assert_eq(nnrt__bpu_describe(&t, say(&s, 4, &bytes), &bytes, 32, "prob"), OH_NN_SUCCESS);
    for (i = 0; i < 4000; i++) board[i] = i % 4 == 0 ? i / 4 : -1;
    nnrt__bpu_load(&t, NNRT__BPU_FORM_LOGICAL, board, out);
    for (i = 0; i < 1000; i++) cr_assert_eq(out[i], i);
}

Test(bpu_convert, the_boards_own_bytes_pass_unchanged) {
    numbers n;
    int round;
    for (round = 0; round < 200; round++) {
        const nnrt__bpu_tensor t = drawn(&n);
        buffer from = buffer_of((size_t)t.size), to = buffer_of((size_t)t.size);
        cr_assert_eq(nnrt__bpu_form_size(&t, NNRT__BPU_FORM_RAW), from.size);
        nnrt__bpu_store(&t, NNRT__BPU_FORM_RAW, from.data, to.data, NULL);
        cr_assert_arr_eq(to.data, from.data, from.size);
        nnrt__bpu_load(&t, NNRT__BPU_FORM_RAW, to.data, from.data);
        cr_assert_arr_eq(to.data, from.data, from.size);
        free(from.block);
        free(to.block);
    }
}

/* -------------------------------------------------------------------------------------------------- pictures */

/* Luma at (x, y), and the two bytes of the pair that covers it, of the program's rows. */
static const uint8_t *luma(const uint8_t *picture, uint32_t width, uint32_t x, uint32_t y) {
    return picture + y * width + x;
}

static const uint8_t *chroma_pair(const uint8_t *picture, uint32_t width, uint32_t height, uint32_t x, uint32_t y) {
    return picture + width * height + y / 2 * width + x / 2 * 2;
}

Test(bpu_convert, nv12_pictures_are_stored_pixel_by_pixel_in_one_memory_or_two) {
    int round;
    for (round = 0; round < 400; round++) {
        const uint32_t width = 2 + 2 * below(20), height = 2 + 2 * below(12), images = 1 + below(2);
        const uint32_t pitch = below(3) == 0 ? width : (width + 15) / 16 * 16, rows = height + 2 * below(3);
        const uint32_t extra = below(2) == 0 ? below(40) : 0, frame = width * height / 2 * 3;
        const bool two = below(2) == 0;
        nnrt__bpu_tensor t;
        buffer program, memory, chroma;
        uint32_t i, x, y;
        size_t at;
        memset(&t, 0, sizeof(t));
        t.element = two ? NNRT__BPU_NV12_SEPARATE : NNRT__BPU_NV12;
        t.order = below(2) == 0 ? NNRT__BPU_NHWC : NNRT__BPU_NCHW;
        t.rank = 4;
        for (i = 0; i < 4; i++) t.dims[i] = t.aligned[i] = 3;
        t.dims[0] = t.aligned[0] = (int32_t)images;
        i = t.order == NNRT__BPU_NHWC ? 1 : 2;
        t.dims[i] = (int32_t)height;
        t.dims[i + 1] = (int32_t)width;
        t.aligned[i] = (int32_t)rows;
        t.aligned[i + 1] = (int32_t)pitch;
        t.size = images * pitch * rows / 2 * 3 + (two ? 0 : extra);
        cr_assert_eq(nnrt__bpu_form_size(&t, NNRT__BPU_FORM_LOGICAL), images * frame);
        cr_assert_eq(nnrt__bpu_luma_size(&t), images * pitch * rows);
        program = buffer_of(images * frame);
        memory = buffer_of(two ? images * pitch * rows : (size_t)t.size);
        chroma = buffer_of(images * pitch * rows / 2);
        nnrt__bpu_store(&t, NNRT__BPU_FORM_LOGICAL, program.data, memory.data, two ? chroma.data : NULL);
        for (i = 0; i < images; i++) {
            const uint8_t *source = program.data + i * frame;
            const uint8_t *y_plane = memory.data + i * pitch * rows * (two ? 2 : 3) / 2;
            const uint8_t *uv_plane = two ? chroma.data + i * pitch * rows / 2 : y_plane + pitch * rows;
            for (y = 0; y < rows; y++)
                for (x = 0; x < pitch; x++) {
                    const bool inside = x < width && y < height;
                    const uint8_t *pair = uv_plane + y / 2 * pitch + x / 2 * 2;
                    const uint8_t *from = chroma_pair(source, width, height, x, y);
                    cr_assert_eq(y_plane[y * pitch + x], inside ? *luma(source, width, x, y) : 0);
                    cr_assert_eq(pair[0], inside ? from[0] : 0);
                    cr_assert_eq(pair[1], inside ? from[1] : 0);
                }
        }
        for (at = images * pitch * rows / 2 * 3; !two && at < memory.size; at++) cr_assert_eq(memory.data[at], 0);
        if (two) { /* the board's own rows, luma first */
            buffer raw = buffer_of((size_t)t.size);
            nnrt__bpu_store(&t, NNRT__BPU_FORM_RAW, raw.data, memory.data, chroma.data);
            cr_assert_arr_eq(memory.data, raw.data, memory.size);
            cr_assert_arr_eq(chroma.data, raw.data + memory.size, chroma.size);
            free(raw.block);
        }
        free(program.block);
        free(memory.block);
        free(chroma.block);
    }
}
