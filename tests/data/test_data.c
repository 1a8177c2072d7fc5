/* SPDX-License-Identifier: Apache-2.0 */
/* test_data.c - the numbers of a model before and after a run: what is quantized, ranked and laid out is what the
   formulas of data/api.h say, written here once more, slowly; and what does not fit is refused and changes nothing. */
#include "linked.h"

#include <criterion/criterion.h>
#include <math.h>

#define SEED 20261123
#include "noise.h"

#define OK(call) cr_assert_eq((call), OH_NN_SUCCESS, "%s", nnrt_last_error())
#define REFUSED(call, words)                                                                        \
    do {                                                                                            \
        cr_assert_eq((call), OH_NN_INVALID_PARAMETER);                                              \
        cr_assert(strstr(nnrt_last_error(), (words)) != NULL, "it says \"%s\"", nnrt_last_error()); \
    } while (0)

static uint32_t below(uint32_t limit) { return noise() % limit; }

static void *exactly(size_t bytes) {
    void *block = malloc(bytes);
    cr_assert(block != NULL);
    memset(block, 0x5a, bytes);
    return block;
}

static int32_t integer_at(const void *values, OH_NN_DataType type, size_t i) {
    return type == OH_NN_INT8    ? ((const int8_t *)values)[i]
           : type == OH_NN_UINT8 ? ((const uint8_t *)values)[i]
                                 : ((const int16_t *)values)[i];
}

static void limits_of(OH_NN_DataType type, int32_t *low, int32_t *high) {
    *low = type == OH_NN_INT8 ? -128 : type == OH_NN_UINT8 ? 0 : -32768;
    *high = type == OH_NN_INT8 ? 127 : type == OH_NN_UINT8 ? 255 : 32767;
}

static int32_t quantized_slowly(float x, float scale, int32_t zero_point, OH_NN_DataType type) {
    const float quotient = x / scale;
    int32_t low, high;
    double rounded;
    limits_of(type, &low, &high);
    if (isnan(quotient)) return low;
    rounded = (quotient < 0 ? -floor(-(double)quotient + 0.5) : floor((double)quotient + 0.5)) + zero_point;
    return rounded < low ? low : rounded > high ? high : (int32_t)rounded;
}

static const OH_NN_DataType integers[] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16};

Test(data, quantizes_ties_away_from_zero_and_keeps_what_is_too_large_within_the_type) {
    static const float from[] = {0.0f,  -0.0f, 0.25f, -0.25f,    0.24f,    -0.24f, 0.75f,
                                 -63.f, 62.8f, 1e30f, -INFINITY, INFINITY, NAN,    -64.25f};
    static const int8_t expected[] = {1, 1, 2, 0, 1, 1, 3, -125, 127, 127, -128, 127, -128, -128};
    int8_t *to = (int8_t *)exactly(sizeof(expected));
    size_t i;
    OK(nnrt_quantize(from, NNRT__COUNT_OF(from), OH_NN_INT8, 0.5, 1, to));
    for (i = 0; i < sizeof(expected); i++) cr_expect_eq(to[i], expected[i], "%g: %d", (double)from[i], to[i]);
    free(to);
}

Test(data, quantizes_and_brings_back_numbers_of_every_type_as_the_formula_says) {
    size_t t, round, i;
    for (t = 0; t < NNRT__COUNT_OF(integers); t++) {
        for (round = 0; round < 40; round++) {
            const OH_NN_DataType type = integers[t];
            const size_t count = round, bytes = count * (type == OH_NN_INT16 ? 2 : 1);
            const float scale = (float)pow(2.0, (double)below(40) - 20.0) * (1.0f + 0.37f * (float)(round % 3));
            float *from = (float *)exactly(count * sizeof(float)), *back = (float *)exactly(count * sizeof(float));
            void *to = exactly(bytes);
            int32_t low, high, zero_point;
            limits_of(type, &low, &high);
            zero_point = low + (int32_t)below((uint32_t)(high - low + 1));
            for (i = 0; i < count; i++)
                from[i] = scale * ((float)below(2 * 65536) - 65536.0f) / (type == OH_NN_INT16 ? 1.0f : 256.0f);
            OK(nnrt_quantize(from, count, type, (double)scale, zero_point, to));
            OK(nnrt_dequantize(to, count, type, (double)scale, zero_point, back));
            for (i = 0; i < count; i++) {
                const int32_t q = integer_at(to, type, i);
                cr_assert_eq(q, quantized_slowly(from[i], scale, zero_point, type));
                cr_assert_eq(back[i], (float)((double)scale * (q - zero_point))); /* 24 bits times 17: one rounding */
            }
            free(from);
            free(back);
            free(to);
        }
    }
}

Test(data, float16_and_float32_need_no_scale) {
    static const float from[] = {1.0f, -0.0f, 65504.0f, 65520.0f, 5.9604645e-8f, 1.0f / 3.0f};
    static const uint16_t halves[] = {0x3c00, 0x8000, 0x7bff, 0x7c00, 0x0001, 0x3555};
    uint16_t half[6];
    float back[6];
    size_t i;
    OK(nnrt_quantize(from, 6, OH_NN_FLOAT16, 0.0, 0, half));
    cr_expect_eq(memcmp(half, halves, sizeof(half)), 0);
    OK(nnrt_dequantize(half, 6, OH_NN_FLOAT16, 0.0, 0, back));
    for (i = 0; i < 6; i++) cr_expect_eq(back[i], i == 3 ? INFINITY : i == 5 ? 1365.0f / 4096.0f : from[i]);
    OK(nnrt_quantize(from, 6, OH_NN_FLOAT32, 0.0, 0, back));
    cr_expect_eq(memcmp(back, from, sizeof(from)), 0);
}

Test(data, each_channel_has_its_own_scale_and_zero_point) {
    enum {
        OUTER = 3,
        CHANNELS = 5,
        INNER = 7,
        COUNT = OUTER * CHANNELS * INNER
    };
    static const double scales[CHANNELS] = {0.5, 0.01, 3.0, 1e-6, 100.0};
    static const int32_t zero_points[CHANNELS] = {0, -3, 100, -128, 127};
    float *from = (float *)exactly(COUNT * sizeof(float)), *back = (float *)exactly(COUNT * sizeof(float));
    int8_t *to = (int8_t *)exactly(COUNT);
    size_t i, with;
    for (i = 0; i < COUNT; i++) from[i] = ((float)below(2000) - 1000.0f) * 0.013f;
    for (with = 0; with < 2; with++) {
        const int32_t *zeros = with != 0 ? zero_points : NULL;
        OK(nnrt_quantize_channels(from, OUTER, CHANNELS, INNER, OH_NN_INT8, scales, zeros, to));
        OK(nnrt_dequantize_channels(to, OUTER, CHANNELS, INNER, OH_NN_INT8, scales, zeros, back));
        for (i = 0; i < COUNT; i++) {
            const size_t c = i / INNER % CHANNELS;
            const int32_t zero = with != 0 ? zero_points[c] : 0;
            cr_assert_eq(to[i], quantized_slowly(from[i], (float)scales[c], zero, OH_NN_INT8));
            cr_assert_eq(back[i], (float)scales[c] * (float)(to[i] - zero));
        }
    }
    free(from);
    free(back);
    free(to);
}

Test(data, what_cannot_be_quantized_is_refused_and_nothing_is_written) {
    static const double bad_scales[] = {0.0, -1.0, NAN, INFINITY, 1e60, 1e-60};
    const float from[2] = {1.0f, 2.0f};
    const double pair[2] = {1.0, 0.0};
    uint8_t to[2] = {0x5a, 0x5a};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(bad_scales); i++)
        REFUSED(nnrt_quantize(from, 2, OH_NN_INT8, bad_scales[i], 0, to), "scale of channel 0");
    REFUSED(nnrt_quantize_channels(from, 1, 2, 1, OH_NN_INT8, pair, NULL, to), "scale of channel 1");
    REFUSED(nnrt_quantize(from, 2, OH_NN_INT8, 1.0, 128, to), "zero point 128 of channel 0 is no int8");
    REFUSED(nnrt_quantize(from, 2, OH_NN_UINT8, 1.0, -1, to), "zero point -1 of channel 0 is no uint8");
    REFUSED(nnrt_quantize(from, 2, OH_NN_INT16, 1.0, 32768, to), "no int16");
    REFUSED(nnrt_quantize(from, 2, OH_NN_INT64, 1.0, 0, to), "int64 is not int8");
    REFUSED(nnrt_quantize(from, 2, (OH_NN_DataType)77, 1.0, 0, to), "no data type is not int8");
    REFUSED(nnrt_quantize(NULL, 2, OH_NN_INT8, 1.0, 0, to), "from is NULL");
    REFUSED(nnrt_dequantize(from, 2, OH_NN_INT8, 1.0, 0, NULL), "to is NULL");
    REFUSED(nnrt_quantize_channels(from, 1, 2, 1, OH_NN_INT8, NULL, NULL, to), "scales is NULL");
    REFUSED(nnrt_quantize(from, SIZE_MAX, OH_NN_INT8, 1.0, 0, to), "more than memory can have");
    REFUSED(nnrt_quantize_channels(from, SIZE_MAX, SIZE_MAX, 2, OH_NN_INT8, pair, NULL, to), "more than memory");
    cr_expect(to[0] == 0x5a && to[1] == 0x5a);
    OK(nnrt_quantize(from, 0, OH_NN_INT8, 1.0, 0, to));
    OK(nnrt_quantize_channels(from, SIZE_MAX, 1, 0, OH_NN_INT8, pair, NULL, to)); /* nothing, and no loop over it */
    cr_expect(to[0] == 0x5a);
}

/* ------------------------------------------------------------------------------------------------------- top k */

Test(data, the_best_come_first_of_equal_ones_the_lower_index_and_no_number_last) {
    static const float values[] = {NAN, 1.0f, -INFINITY, 3.0f, 0.0f, 3.0f, -0.0f, INFINITY, NAN, 3.0f};
    static const size_t expected[] = {7, 3, 5, 9, 1, 4, 6, 2, 0, 8};
    size_t k, i;
    for (k = 1; k <= 10; k++) {
        nnrt_top *best = (nnrt_top *)exactly(k * sizeof(*best));
        OK(nnrt_top_k(values, 10, OH_NN_FLOAT32, k, best));
        for (i = 0; i < k; i++) cr_expect_eq(best[i].index, expected[i], "%zu of %zu is %zu", i, k, best[i].index);
        cr_expect_eq(best[0].value, (double)INFINITY);
        free(best);
    }
}

/* Counts who is before each: slow, and without a heap. */
static void ranks_as_counting_does(const void *values, OH_NN_DataType type, const double *numbers, size_t count,
                                   size_t k) {
    nnrt_top *best = (nnrt_top *)exactly(k * sizeof(*best));
    size_t i, other;
    OK(nnrt_top_k(values, count, type, k, best));
    for (i = 0; i < k; i++) {
        size_t before = 0;
        cr_assert_lt(best[i].index, count);
        for (other = 0; other < count; other++)
            if (numbers[other] > numbers[best[i].index] ||
                (numbers[other] == numbers[best[i].index] && other < best[i].index))
                before++;
        cr_assert_eq(before, i);
        cr_assert_eq(best[i].value, numbers[best[i].index]);
    }
    free(best);
}

Test(data, every_type_is_ranked_as_counting_ranks_it) {
    static const size_t counts[] = {1, 2, 3, 17, 100};
    size_t c, k, i;
    for (c = 0; c < NNRT__COUNT_OF(counts); c++) {
        const size_t count = counts[c];
        int8_t *s8 = (int8_t *)exactly(count);
        uint8_t *u8 = (uint8_t *)exactly(count);
        int16_t *s16 = (int16_t *)exactly(count * 2);
        uint16_t *u16 = (uint16_t *)exactly(count * 2), *f16 = (uint16_t *)exactly(count * 2);
        int32_t *s32 = (int32_t *)exactly(count * 4);
        uint32_t *u32 = (uint32_t *)exactly(count * 4);
        double *f64 = (double *)exactly(count * 8), *numbers = (double *)exactly(count * 8);
        for (i = 0; i < count; i++) {
            s8[i] = (int8_t)((int)below(256) - 128);
            u8[i] = (uint8_t)below(256);
            s16[i] = (int16_t)((int)below(65536) - 32768);
            u16[i] = (uint16_t)below(65536);
            s32[i] = (int32_t)(below(65536) << 15) - (1 << 30);
            u32[i] = UINT32_MAX - below(50);
            f64[i] = (double)below(9) / 7.0 - 0.5;
            f16[i] = (uint16_t)(0x3c00 + 0x400 * below(4)); /* 1, 2, 4, 8 */
        }
#define RANKED(values, type, number)                           \
    for (i = 0; i < count; i++) numbers[i] = (double)(number); \
    for (k = 1; k <= count; k += k < 5 ? 1 : 23) ranks_as_counting_does(values, type, numbers, count, k);
        RANKED(s8, OH_NN_INT8, s8[i])
        RANKED(u8, OH_NN_UINT8, u8[i])
        RANKED(s16, OH_NN_INT16, s16[i])
        RANKED(u16, OH_NN_UINT16, u16[i])
        RANKED(s32, OH_NN_INT32, s32[i])
        RANKED(u32, OH_NN_UINT32, u32[i])
        RANKED(f64, OH_NN_FLOAT64, f64[i])
        RANKED(f16, OH_NN_FLOAT16, 1 << ((f16[i] - 0x3c00) / 0x400))
#undef RANKED
        free(s8), free(u8), free(s16), free(u16), free(f16), free(s32), free(u32), free(f64), free(numbers);
    }
}

Test(data, what_cannot_be_ranked_is_refused) {
    static const OH_NN_DataType types[] = {OH_NN_BOOL, OH_NN_INT64, OH_NN_UINT64, OH_NN_UNKNOWN, (OH_NN_DataType)-1};
    int8_t values[3] = {1, 2, 3};
    nnrt_top best[3] = {{9, 0.0}, {9, 0.0}, {9, 0.0}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(types); i++) REFUSED(nnrt_top_k(values, 3, types[i], 1, best), "are not ranked");
    REFUSED(nnrt_top_k(values, 3, OH_NN_INT8, 0, best), "the best 0 of 3");
    REFUSED(nnrt_top_k(values, 3, OH_NN_INT8, 4, best), "the best 4 of 3");
    REFUSED(nnrt_top_k(NULL, 3, OH_NN_INT8, 1, best), "values is NULL");
    REFUSED(nnrt_top_k(values, 3, OH_NN_INT8, 1, NULL), "best is NULL");
    cr_expect_eq(best[0].index, 9u);
}

/* ----------------------------------------------------------------------------------------------------- layouts */

static size_t place(const nnrt_layout *l, size_t n, size_t c, size_t y, size_t x) {
    const size_t rows = l->row_count != 0 ? l->row_count : l->height,
                 row = l->row_stride != 0 ? l->row_stride : l->width;
    const size_t blocks = l->block != 0 ? (l->channels + l->block - 1) / l->block : 0;
    if (l->order == NNRT_ORDER_NCHW) return ((n * l->channels + c) * rows + y) * row + x;
    if (l->order == NNRT_ORDER_NHWC) return ((n * rows + y) * row + x) * l->channels + c;
    return (((n * blocks + c / l->block) * rows + y) * row + x) * l->block + c % l->block;
}

static nnrt_layout drawn_layout(nnrt_order order, OH_NN_DataType type, const uint32_t shape[4]) {
    nnrt_layout l;
    memset(&l, 0, sizeof(l));
    l.order = order;
    l.type = type;
    l.batches = shape[0];
    l.channels = shape[1];
    l.height = shape[2];
    l.width = shape[3];
    if (below(2) != 0) l.row_stride = l.width + below(5);
    if (below(2) != 0) l.row_count = l.height + below(3);
    if (order == NNRT_ORDER_NC1HWC2) l.block = 1 + below(17);
    return l;
}

Test(data, every_element_goes_to_its_place_and_back) {
    static const OH_NN_DataType types[] = {OH_NN_INT8, OH_NN_FLOAT16, OH_NN_FLOAT32, OH_NN_INT64};
    size_t round, b, c, y, x, i;
    for (round = 0; round < 400; round++) {
        const OH_NN_DataType type = types[round % 4];
        const size_t element = nnrt__element_size(type);
        const uint32_t shape[4] = {1 + below(3), 1 + below(20), 1 + below(6), 1 + below(9)};
        const nnrt_layout from = drawn_layout((nnrt_order)(round / 4 % 3), type, shape);
        const nnrt_layout to = drawn_layout((nnrt_order)(round / 12 % 3), type, shape);
        size_t from_size = 0, to_size = 0;
        uint8_t *source, *moved, *back;
        OK(nnrt_layout_size(&from, &from_size));
        OK(nnrt_layout_size(&to, &to_size));
        source = (uint8_t *)exactly(from_size);
        moved = (uint8_t *)exactly(to_size);
        back = (uint8_t *)exactly(from_size);
        for (i = 0; i < from_size; i++) source[i] = (uint8_t)below(256);
        OK(nnrt_convert_layout(&from, source, from_size, &to, moved, to_size));
        OK(nnrt_convert_layout(&to, moved, to_size, &from, back, from_size));
        for (b = 0; b < shape[0]; b++)
            for (c = 0; c < shape[1]; c++)
                for (y = 0; y < shape[2]; y++)
                    for (x = 0; x < shape[3]; x++) {
                        const size_t at = place(&from, b, c, y, x) * element;
                        cr_assert_eq(memcmp(moved + place(&to, b, c, y, x) * element, source + at, element), 0);
                        cr_assert_eq(memcmp(back + at, source + at, element), 0);
                    }
        free(source);
        free(moved);
        free(back);
    }
}

Test(data, lanes_behind_the_last_channel_are_zero_and_padding_of_rows_is_left_alone) {
    const nnrt_layout from = {NNRT_ORDER_NHWC, OH_NN_INT8, 1, 3, 1, 2, 0, 0, 0};
    const nnrt_layout to = {NNRT_ORDER_NC1HWC2, OH_NN_INT8, 1, 3, 1, 2, 3, 0, 4};
    static const int8_t source[] = {1, 2, 3, 4, 5, 6};
    static const int8_t expected[] = {1, 2, 3, 0, 4, 5, 6, 0, 0x5a, 0x5a, 0x5a, 0x5a};
    size_t size = 0;
    int8_t *moved;
    OK(nnrt_layout_size(&to, &size));
    cr_assert_eq(size, sizeof(expected));
    moved = (int8_t *)exactly(size);
    OK(nnrt_convert_layout(&from, source, sizeof(source), &to, moved, size));
    cr_expect_eq(memcmp(moved, expected, sizeof(expected)), 0);
    free(moved);
}

Test(data, layouts_that_are_none_or_do_not_fit_are_refused_and_nothing_is_written) {
    const nnrt_layout good = {NNRT_ORDER_NCHW, OH_NN_INT8, 1, 2, 3, 4, 0, 0, 0};
    nnrt_layout bad[12];
    uint8_t from[24], to[24], untouched[24];
    size_t size = 77, i;
    memset(from, 1, sizeof(from));
    memset(to, 0x5a, sizeof(to));
    memcpy(untouched, to, sizeof(to));
    for (i = 0; i < NNRT__COUNT_OF(bad); i++) bad[i] = good;
    bad[0].order = (nnrt_order)3;
    bad[1].type = OH_NN_UNKNOWN;
    bad[2].batches = 0;
    bad[3].channels = 0;
    bad[4].height = 0;
    bad[5].width = 0;
    bad[6].row_stride = 3;
    bad[7].row_count = 2;
    bad[8].order = NNRT_ORDER_NC1HWC2; /* block 0 */
    bad[9].channels = UINT32_MAX;
    bad[10].row_stride = UINT32_MAX;
    bad[11].order = NNRT_ORDER_NC1HWC2;
    bad[11].block = UINT32_MAX;
    for (i = 0; i < NNRT__COUNT_OF(bad); i++) {
        REFUSED(nnrt_layout_size(&bad[i], &size), "layout is no layout");
        REFUSED(nnrt_convert_layout(&bad[i], from, 24, &good, to, 24), "from_layout is no layout");
        REFUSED(nnrt_convert_layout(&good, from, 24, &bad[i], to, 24), "to_layout is no layout");
    }
    bad[0] = good, bad[0].height = 4;
    REFUSED(nnrt_convert_layout(&bad[0], from, 32, &good, to, 24), "differ in type");
    bad[0] = good, bad[0].type = OH_NN_UINT8;
    REFUSED(nnrt_convert_layout(&bad[0], from, 24, &good, to, 24), "differ in type");
    REFUSED(nnrt_convert_layout(&good, from, 23, &good, to, 24), "from has 23 bytes, its layout takes 24");
    REFUSED(nnrt_convert_layout(&good, from, 24, &good, to, 23), "to has 23 bytes");
    REFUSED(nnrt_convert_layout(&good, NULL, 24, &good, to, 24), "from is NULL");
    REFUSED(nnrt_convert_layout(&good, from, 24, &good, NULL, 24), "to is NULL");
    REFUSED(nnrt_convert_layout(NULL, from, 24, &good, to, 24), "from_layout is NULL");
    REFUSED(nnrt_layout_size(NULL, &size), "layout is NULL");
    REFUSED(nnrt_layout_size(&good, NULL), "bytes is NULL");
    cr_expect_eq(size, 77u);
    cr_expect_eq(memcmp(to, untouched, sizeof(to)), 0);
}
