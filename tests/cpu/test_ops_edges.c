/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_edges.c - what operators make of numbers at the edge: zeros with a sign, infinities, NaNs, the ends of a
   type, and values between two results. Each expected number was worked out by hand from IEEE 754, from C99 with its
   Annex F, from what docs/operators.md says, and of quantized tensors from the arithmetic of TensorFlow Lite's
   reference kernels; where one needs more than a glance, a comment shows how. */
#include "linked.h"

#include <criterion/criterion.h>

#include "edge.h"

/* ------------------------------------------------------------------------------------- floats, two operands */

Test(ops_edges, float_arithmetic_is_that_of_ieee_754) {
    static const edge rows[] = {
        /* 16777217 and 16777219 lie between two floats: the even one wins */
        EDGE(ADD, IN("float32: 3.4028235e38 inf -0 -0 nan 16777216 16777218", "float32: 3.4028235e38 -inf -0 0 1 1 1"),
             OUT("float32: inf nan -0 0 nan 16777216 16777220")),
        EDGE(SUB, IN("float32: inf -inf 0 -0 5 nan", "float32: inf inf 0 0 5 2"), OUT("float32: nan -inf 0 -0 0 nan")),
        EDGE(MUL, IN("float32: inf -1 1e30 -inf nan -0", "float32: 0 0 1e30 2 0 -3"),
             OUT("float32: nan -0 inf -inf nan 0")),
        EDGE(DIV, IN("float32: 1 -1 1 0 inf 1 -0 nan", "float32: 0 0 -0 0 inf inf 5 0"),
             OUT("float32: inf -inf -inf nan nan 0 -0 nan")),
        EDGE(MOD, IN("float32: 5 -5 5.5 inf 5 -0 -6 nan 5.5", "float32: -3 3 inf 3 0 3 3 2 2"),
             OUT("float32: 2 -2 5.5 nan nan -0 -0 nan 1.5")),
        EDGE(SQUARED_DIFFERENCE, IN("float32: inf 1e30 -0 nan 3", "float32: inf -1e30 0 1 5"),
             OUT("float32: nan inf 0 nan 4")),
        /* a, if it is greater (less), else b: so the one NaN that is there is b. Of two zeros either may come out */
        EDGE(MAXIMUM, IN("float32: nan 1 inf -inf", "float32: 1 nan nan -1"), OUT("float32: 1 nan nan -1")),
        EDGE(MINIMUM, IN("float32: nan 1 inf -inf", "float32: 1 nan 1 -1"), OUT("float32: 1 nan 1 -inf")),
        EDGE(MAXIMUM, IN("float32: 0 -0", "float32: -0 0"), OUT("~float32: 0 0")),
        EDGE(BIAS_ADD, IN("float32 [2,3]: inf -0 1 nan 0 16777216", "float32 [3]: -inf -0 1"),
             OUT("float32 [2,3]: nan -0 2 nan 0 16777216")),
        EDGE_WITH(ELTWISE, IN("float32: inf -1 nan", "float32: 0 0 1"), OUT("float32: nan -0 nan"),
                  {OH_NN_ELTWISE_MODE, "0"}),
        EDGE_WITH(ELTWISE, IN("float32: inf -0 3e38", "float32: -inf -0 3e38"), OUT("float32: nan -0 inf"),
                  {OH_NN_ELTWISE_MODE, "1"}),
        EDGE_WITH(ELTWISE, IN("float32: inf -inf 0", "float32: 1 -1 -5"), OUT("float32: inf -1 0"),
                  {OH_NN_ELTWISE_MODE, "2"}),
    };
    EDGE_TRY(rows);
}

/* A NaN ends at the lower bound, as the contracts of the kernels say, and -0 is not above 0. */
Test(ops_edges, activations_behind_float_arithmetic_end_in_their_range) {
    static const edge rows[] = {
        EDGE_WITH(ADD, IN("float32: -1 nan -0 inf -inf 5", "float32: 0.5 1 -0 1 1 0.5"),
                  OUT("float32: 0 0 0 inf 0 5.5"), {OH_NN_ADD_ACTIVATIONTYPE, "1"}),
        EDGE_WITH(ADD, IN("float32: -1 nan -0 inf -inf 5.5", "float32: 0.5 1 -0 1 1 0.5"), OUT("float32: 0 0 0 6 0 6"),
                  {OH_NN_ADD_ACTIVATIONTYPE, "2"}),
        EDGE_WITH(SUB, IN("float32: inf 1 0", "float32: inf 2 -7"), OUT("float32: 0 0 6"),
                  {OH_NN_SUB_ACTIVATIONTYPE, "2"}),
        EDGE_WITH(MUL, IN("float32: inf -1 3", "float32: 0 0 3"), OUT("float32: 0 0 9"),
                  {OH_NN_MUL_ACTIVATION_TYPE, "1"}),
        EDGE_WITH(DIV, IN("float32: 1 -1 0", "float32: 0 0 0"), OUT("float32: 6 0 0"), {OH_NN_DIV_ACTIVATIONTYPE, "2"}),
    };
    EDGE_TRY(rows);
}

/* Of -0 the formula scale * a + shift makes 0. */
Test(ops_edges, powers_are_those_of_annex_f) {
    static const edge rows[] = {
        EDGE(POW, IN("float32: 0 nan 1 -1 0 -0 0 -2 -2 inf -inf", "float32: 0 0 nan inf -1 -1 -2 0.5 3 -1 3"),
             OUT("float32: 1 1 1 1 inf inf inf nan -8 0 -inf")),
        EDGE(POW, IN("float32: 2 0.5 -inf 2 -8 nan 0", "float32: -inf inf -3 128 0.333333333 1 5"),
             OUT("float32: 0 0 -0 inf nan nan 0")),
        EDGE_WITH(POW, IN("float32: inf 3", "float32: 2 2"), OUT("float32: nan 1"), {OH_NN_POW_SCALE, "0"},
                  {OH_NN_POW_SHIFT, "1"}),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, slopes_are_used_where_x_is_not_above_zero) {
    static const edge rows[] = {
        EDGE(PRELU, IN("float32 [1,6]: -0 0 nan -inf inf 0", "float32 [6]: 2 -1 1 0 0 inf"),
             OUT("float32 [1,6]: -0 -0 nan nan inf nan")),
        EDGE_WITH(LEAKY_RELU, IN("float32: -0 0 nan -inf inf -2"), OUT("float32: -0 0 nan -inf inf -1"),
                  {OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, "0.5"}),
        EDGE_WITH(LEAKY_RELU, IN("float32: -inf -1 3"), OUT("float32: nan -0 3"),
                  {OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, "0"}),
        EDGE_WITH(LEAKY_RELU, IN("float32: -inf -1 -0"), OUT("float32: inf 2 -0"),
                  {OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, "-2"}),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, with_a_nan_only_not_equal_is_true_and_zeros_are_equal) {
#define COMPARED(op, result) \
    EDGE(op, IN("float32: nan nan 1 0 -inf inf 1 2", "float32: nan 1 nan -0 inf inf 2 1"), OUT("bool: " result))
    static const edge rows[] = {
        COMPARED(EQUAL, "0 0 0 1 0 1 0 0"),
        COMPARED(NOT_EQUAL, "1 1 1 0 1 0 1 1"),
        COMPARED(LESS, "0 0 0 0 1 0 1 0"),
        COMPARED(LESS_EQUAL, "0 0 0 1 1 1 1 0"),
        COMPARED(GREATER, "0 0 0 0 0 0 0 1"),
        COMPARED(GREATER_EQUAL, "0 0 0 1 0 1 0 1"),
        COMPARED(LOGICAL_AND, "1 1 1 0 1 1 1 1"),
        COMPARED(LOGICAL_OR, "1 1 1 0 1 1 1 1"),
        EDGE(LOGICAL_NOT, IN("float32: nan -0 0 inf 1e-30"), OUT("bool: 0 1 1 0 0")),
        EDGE(EQUAL, IN("float16: 0x7e00 0x8000 0x7c00", "float16: 0x7e00 0x0000 0x7c00"), OUT("bool: 0 1 1")),
    };
    EDGE_TRY(rows);
}

/* ------------------------------------------------------------------------------------- floats, one operand */

Test(ops_edges, functions_of_zeros_infinities_and_nan) {
    static const edge rows[] = {
        EDGE(ABS, IN("float32: -0 0 -inf nan -1"), OUT("float32: 0 0 inf nan 1")),
        EDGE(NEG, IN("float32: 0 -0 inf nan 1"), OUT("float32: -0 0 -inf nan -1")),
        EDGE(SQUARE, IN("float32: -0 -inf 1e30 nan"), OUT("float32: 0 inf inf nan")),
        EDGE(SQRT, IN("float32: -0 0 -1 -inf inf nan 4"), OUT("float32: -0 0 nan nan inf nan 2")),
        EDGE(RSQRT, IN("float32: 0 -0 -1 inf nan 4"), OUT("float32: inf -inf nan 0 nan 0.5")),
        EDGE(RECIPROCAL, IN("float32: 0 -0 inf -inf nan 4"), OUT("float32: inf -inf 0 -0 nan 0.25")),
        EDGE(EXP, IN("float32: 0 -0 -inf inf nan 1000 -1000"), OUT("float32: 1 1 0 inf nan inf 0")),
        EDGE(LOG, IN("float32: 0 -0 1 -1 -inf inf nan"), OUT("float32: -inf -inf 0 nan nan inf nan")),
        EDGE(SIN, IN("float32: -0 0 inf -inf nan"), OUT("float32: -0 0 nan nan nan")),
        EDGE(COS, IN("float32: -0 0 inf -inf nan"), OUT("float32: 1 1 nan nan nan")),
        EDGE(ERF, IN("float32: -0 0 inf -inf nan 9"), OUT("float32: -0 0 1 -1 nan 1")),
        EDGE(TANH, IN("float32: -0 0 inf -inf nan 99"), OUT("float32: -0 0 1 -1 nan 1")),
        EDGE(SIGMOID, IN("float32: 0 inf -inf nan 1000 -1000"), OUT("float32: 0.5 1 0 nan 1 0")),
        EDGE(RELU, IN("float32: -0 0 -inf inf nan -1"), OUT("float32: 0 0 0 inf 0 0")),
        EDGE(RELU6, IN("float32: -0 6 -inf inf nan 6.5"), OUT("float32: 0 6 0 6 0 6")),
        EDGE(HSWISH, IN("float32: -0 -3 3 inf -inf nan -4"), OUT("float32: -0 0 3 inf 0 0 0")),
        EDGE(HARD_SIGMOID, IN("float32: 0 -3 3 inf -inf nan"), OUT("float32: 0.5 0 1 1 0 0")),
        /* x / (1 + e^-x): e^1000 is infinite, and -inf / inf is none */
        EDGE(SWISH, IN("float32: -0 0 inf -1000 1000 nan -inf"), OUT("float32: -0 0 inf -0 1000 nan nan")),
        /* x / 2 * (1 + -1) */
        EDGE(GELU, IN("float32: -0 0 inf -1000 1000 nan"), OUT("float32: -0 0 inf -0 1000 nan")),
        EDGE_WITH(GELU, IN("float32: -0 0 inf -1000 1e30 nan"), OUT("float32: -0 0 inf -0 1e30 nan"),
                  {OH_NN_GELU_APPROXIMATE, "1"}),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, a_clip_ends_at_its_maximum_and_begins_where_a_nan_does) {
    static const edge rows[] = {
        EDGE_WITH(CLIP, IN("float32: -0 nan inf -inf 0.5"), OUT("float32: -0 -1 2 -1 0.5"), {OH_NN_CLIP_MIN, "-1"},
                  {OH_NN_CLIP_MAX, "2"}),
        EDGE_WITH(CLIP, IN("float32: 0 7 nan inf"), OUT("float32: 1 1 1 1"), {OH_NN_CLIP_MIN, "5"},
                  {OH_NN_CLIP_MAX, "1"}),
        EDGE_WITH(CLIP, IN("float32: -inf 0 inf"), OUT("float32: -inf 0 inf"), {OH_NN_CLIP_MIN, "-inf"},
                  {OH_NN_CLIP_MAX, "inf"}),
    };
    EDGE_TRY(rows);
}

/* 8388607.5 is the largest float with a fraction. Bits of float16: 0.5, 1.5, 2.5, -0.5, infinity. */
Test(ops_edges, of_two_nearest_integers_round_takes_the_even_one) {
    static const edge rows[] = {
        EDGE(ROUND, IN("float32: 0.5 1.5 2.5 -0.5 -1.5 -2.5 0.49999997 8388607.5 -0 inf nan"),
             OUT("float32: 0 2 2 -0 -2 -2 0 8388608 -0 inf nan")),
        EDGE(CEIL, IN("float32: -0.5 0.5 -0 -1.5 8388607.5 -inf nan"), OUT("float32: -0 1 -0 -1 8388608 -inf nan")),
        EDGE(FLOOR, IN("float32: -0.5 0.5 -0 -1.5 8388607.5 inf nan"), OUT("float32: -1 0 -0 -2 8388607 inf nan")),
        EDGE(ROUND, IN("float16: 0x3800 0x3e00 0x4100 0xb800 0x7c00"), OUT("float16: 0 0x4000 0x4000 0x8000 0x7c00")),
        EDGE(CEIL, IN("float16: 0xb800 0x3800 0x7e00"), OUT("float16: 0x8000 0x3c00 0x7e00")),
    };
    EDGE_TRY(rows);
}

/* base ^ (scale * x + shift) */
Test(ops_edges, exponentials_take_base_scale_and_shift) {
    static const edge rows[] = {
        EDGE_WITH(EXP, IN("float32: 3 -1 inf -inf nan 200"), OUT("~float32: 8 0.5 inf 0 nan inf"),
                  {OH_NN_EXP_BASE, "2"}),
        EDGE_WITH(EXP, IN("float32: 0 1"), OUT("~float32: 2.71828183 1"), {OH_NN_EXP_SCALE, "-1"},
                  {OH_NN_EXP_SHIFT, "1"}),
        EDGE_WITH(EXP, IN("float32: inf 1"), OUT("float32: nan 1"), {OH_NN_EXP_SCALE, "0"}),
        EDGE_WITH(EXP, IN("float32: 3 -2"), OUT("~float32: 0.125 4"), {OH_NN_EXP_BASE, "0.5"}),
    };
    EDGE_TRY(rows);
}

/* ------------------------------------------------------------------------------------------------- integers */

Test(ops_edges, integers_wrap_and_are_divided_towards_zero) {
    static const edge rows[] = {
        EDGE(ADD, IN("int32: 2147483647 -2147483648 -1", "int32: 1 -1 1"), OUT("int32: -2147483648 2147483647 0")),
        EDGE(SUB, IN("int32: -2147483648 0 2147483647", "int32: 1 -2147483648 -1"),
             OUT("int32: 2147483647 -2147483648 -2147483648")),
        EDGE(MUL, IN("int32: 65536 2147483647 -2147483648", "int32: 65536 2 -1"), OUT("int32: 0 -2 -2147483648")),
        EDGE(DIV, IN("int32: 7 -7 -2147483648 -2147483648", "int32: -2 2 -1 1"),
             OUT("int32: -3 -3 -2147483648 -2147483648")),
        EDGE(MOD, IN("int32: 7 -7 -2147483648 -6", "int32: -2 2 -1 3"), OUT("int32: 1 -1 0 0")),
        EDGE(MAXIMUM, IN("int32: -2147483648 2147483647 0", "int32: 2147483647 -2147483648 -1"),
             OUT("int32: 2147483647 2147483647 0")),
        EDGE(MINIMUM, IN("int32: -2147483648 2147483647 0", "int32: 2147483647 -2147483648 -1"),
             OUT("int32: -2147483648 -2147483648 -1")),
        /* 2^31 - 1 squared is 2^62 - 2^32 + 1 */
        EDGE(SQUARED_DIFFERENCE, IN("int32: -2147483648 65536 3", "int32: -1 0 5"), OUT("int32: 1 0 4")),
        EDGE(ADD, IN("int64: 9223372036854775807 -9223372036854775808", "int64: 1 -1"),
             OUT("int64: -9223372036854775808 9223372036854775807")),
        EDGE(SUB, IN("int64: -9223372036854775808", "int64: 1"), OUT("int64: 9223372036854775807")),
        EDGE(MUL, IN("int64: 4294967296 9223372036854775807", "int64: 4294967296 2"), OUT("int64: 0 -2")),
        EDGE(DIV, IN("int64: -9223372036854775808 -9", "int64: -1 2"), OUT("int64: -9223372036854775808 -4")),
        EDGE(MOD, IN("int64: -9223372036854775808 -9", "int64: -1 2"), OUT("int64: 0 -1")),
        EDGE(ADD, IN("bool: 0 0 1 1", "bool: 0 1 0 1"), OUT("bool: 0 1 1 1")),
        EDGE(ABS, IN("int32: -2147483648 -1 2147483647"), OUT("int32: -2147483648 1 2147483647")),
        EDGE(NEG, IN("int32: -2147483648 -1 2147483647"), OUT("int32: -2147483648 1 -2147483647")),
        EDGE(SQUARE, IN("int32: 65536 -3 46341"), OUT("int32: 0 9 -2147479015")),
        /* the sum wraps before the activation sees it */
        EDGE_WITH(ADD, IN("int32: 2147483647 -5 5", "int32: 1 4 4"), OUT("int32: 0 0 9"),
                  {OH_NN_ADD_ACTIVATIONTYPE, "1"}),
        EDGE_WITH(MUL, IN("int32: 3 -3 2", "int32: 3 3 3"), OUT("int32: 6 0 6"), {OH_NN_MUL_ACTIVATION_TYPE, "2"}),
        EDGE_WITH(ELTWISE, IN("int32: 2147483647", "int32: 2147483647"), OUT("int32: -2"), {OH_NN_ELTWISE_MODE, "1"}),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, an_integer_that_is_divided_by_zero_fails_the_run) {
    static const edge rows[] = {
        EDGE_REFUSED(DIV, IN("int32: 1 2 3", "int32: 1 0 1"), OUT("int32: 0 0 0"), "DIV: an integer is divided by zero",
                     {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(MOD, IN("int32: 1 2 3", "int32: 1 2 0"), OUT("int32: 0 0 0"), "MOD: an integer is divided by zero",
                     {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(DIV, IN("int64: 1 2 3", "int64: 0"), OUT("int64: 0 0 0"), "DIV: an integer is divided by zero",
                     {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(MOD, IN("int64: 0", "int64: 0"), OUT("int64: 0"), "MOD: an integer is divided by zero",
                     {OH_NN_TENSOR, NULL}),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, integers_are_compared_exactly) {
    static const edge rows[] = {
        EDGE(LESS,
             IN("int64: 9223372036854775806 -9223372036854775808", "int64: 9223372036854775807 9223372036854775807"),
             OUT("bool: 1 1")),
        EDGE(EQUAL, IN("int64: 9007199254740993 -1", "int64: 9007199254740992 -1"), OUT("bool: 0 1")),
        EDGE(GREATER, IN("int32: 2147483647 -2147483648 16777217", "int32: -2147483648 2147483647 16777216"),
             OUT("bool: 1 0 1")),
        EDGE(LESS, IN("uint8: 200 0 255", "uint8: 100 255 0"), OUT("bool: 0 1 0")),
        EDGE(LESS, IN("int8: -128 127", "int8: 127 -128"), OUT("bool: 1 0")),
        EDGE(LOGICAL_AND, IN("int32: -2147483648 0 1", "int32: 256 1 1"), OUT("bool: 1 0 1")),
        EDGE(LOGICAL_OR, IN("int64: 4294967296 0", "int64: 0 0"), OUT("bool: 1 0")),
        EDGE(LOGICAL_NOT, IN("int64: 4294967296 0 -9223372036854775808"), OUT("bool: 0 1 0")),
    };
    EDGE_TRY(rows);
}

/* ------------------------------------------------------------------------------------------- quantized numbers */

/* With scales of 1 and an output scale of 2 a result is half of a sum: in the reference's last step a half goes away
   from zero. */
Test(ops_edges, quantized_sums_round_halves_away_from_zero_and_saturate) {
    static const edge rows[] = {
        EDGE(ADD, IN("int8@1@0: 1 -1 1 -1 127 -128 3", "int8@1@0: 0 0 2 -2 127 -128 0"),
             OUT("int8@2@0: 1 -1 2 -2 127 -128 2")),
        EDGE(ADD, IN("int8@1@0: 127 -128 100 -100 0", "int8@1@0: 127 -128 27 -28 0"),
             OUT("int8@1@0: 127 -128 127 -128 0")),
        EDGE(ADD, IN("int8@1@-128: -128 127 -128", "int8@1@127: 127 127 -128"), OUT("int8@1@0: 0 127 -128")),
        EDGE(ADD, IN("int8@1@0: 5 -5", "int8@1@0: 1"), OUT("int8@2@0: 3 -2")),
        EDGE(SUB, IN("int8@1@0: 0 1 127 -128", "int8@1@0: 1 0 -128 127"), OUT("int8@2@0: -1 1 127 -128")),
        EDGE(ADD, IN("uint8@1@128: 129 127 255 0", "uint8@1@128: 128 128 255 0"), OUT("uint8@2@128: 129 127 255 0")),
        EDGE(SUB, IN("uint8@1@128: 255 0 128", "uint8@1@128: 0 255 129"), OUT("uint8@1@128: 255 0 127")),
        EDGE(ADD, IN("int16@1@0: 1 -1 32767 -32768", "int16@1@0: 0 0 32767 -32768"),
             OUT("int16@2@0: 1 -1 32767 -32768")),
        EDGE(SUB, IN("int16@1@0: 32767 -32768 0", "int16@1@0: -32768 32767 1"), OUT("int16@1@0: 32767 -32768 -1")),
        EDGE_WITH(ADD, IN("int8@1@-3: -4 -3 100", "int8@1@0: 0 0 0"), OUT("int8@1@-3: -3 -3 3"),
                  {OH_NN_ADD_ACTIVATIONTYPE, "2"}),
    };
    EDGE_TRY(rows);
}

/* A product is multiplied by a fraction of 31 bits, where a half goes up, and then divided by a power of two, where
   it goes away from zero. With an output scale of 4 a quarter becomes a half first, and that 1. */
Test(ops_edges, quantized_products_are_rounded_as_the_reference_does) {
    static const edge rows[] = {
        EDGE(MUL, IN("int8@1@0: 1 -1 3 -3 127 -128 -128", "int8@1@0: 1 1 1 1 127 127 -128"),
             OUT("int8@2@0: 1 0 2 -1 127 -128 127")),
        EDGE(MUL, IN("int8@1@0: 1 -1 2 -2 3 -3", "int8@1@0: 1 1 1 1 1 1"), OUT("int8@4@0: 1 0 1 -1 1 -1")),
        EDGE(MUL, IN("uint8@1@128: 129 127 255 0", "uint8@1@128: 129 129 255 255"), OUT("uint8@2@128: 129 128 255 0")),
        /* 32767^2 / 2^15 is 32766 and a little; (-32768)^2 / 2^15 is 32768 */
        EDGE(MUL, IN("int16@0.000030517578125@0: 32767 -32768 32767", "int16@0.000030517578125@0: 32767 -32768 -32768"),
             OUT("int16@0.000030517578125@0: 32766 32767 -32767")),
        EDGE(SQUARED_DIFFERENCE, IN("int8@1@0: 1 3 -3 127 -128", "int8@1@0: 0 0 0 -128 127"),
             OUT("int8@2@0: 1 5 5 127 127")),
        EDGE(PRELU, IN("int8@1@0 [6,1]: 0 127 -1 -2 -3 -128", "int8@0.5@0 [1]: 1"),
             OUT("int8@1@0 [6,1]: 0 127 0 -1 -1 -64")),
        EDGE(PRELU, IN("int8@1@0 [2,1]: -128 -1", "int8@0.5@0 [1]: 127"), OUT("int8@1@0 [2,1]: -128 -63")),
        EDGE(MAXIMUM, IN("int8@1@7: -128 127 0", "int8@1@7: 127 -128 -1"), OUT("int8@1@7: 127 127 0")),
        EDGE(MINIMUM, IN("int16@1@0: -32768 32767 0", "int16@1@0: 32767 -32768 -1"),
             OUT("int16@1@0: -32768 -32768 -1")),
        EDGE(MAXIMUM, IN("uint8@1@7: 0 255 128", "uint8@1@7: 255 0 127"), OUT("uint8@1@7: 255 255 128")),
    };
    EDGE_TRY(rows);
}

/* They are computed in float: infinite saturates, and what is no number is the lowest one. */
Test(ops_edges, quantized_quotients_and_powers_saturate) {
    static const edge rows[] = {
        EDGE(DIV, IN("int8@1@0: 1 -1 0 1 -1 -128", "int8@1@0: 0 0 0 2 2 -1"), OUT("int8@1@0: 127 -128 -128 1 -1 127")),
        EDGE(DIV, IN("uint8@1@128: 129 127 128", "uint8@1@128: 128 128 128"), OUT("uint8@1@128: 255 0 0")),
        EDGE(DIV, IN("int16@1@0: 1 -1 0 3", "int16@1@0: 0 0 0 2"), OUT("int16@1@0: 32767 -32768 -32768 2")),
        EDGE(MOD, IN("int8@1@0: 5 -5 5 -128", "int8@1@0: 0 3 -3 127"), OUT("int8@1@0: -128 -2 2 -1")),
        EDGE(POW, IN("int8@1@0: 0 2 -2 -2", "int8@0.5@0: 0 14 1 14"), OUT("int8@1@0: 1 127 -128 -128")),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, quantized_numbers_are_compared_as_reals) {
    static const edge rows[] = {
        EDGE(EQUAL, IN("int8@0.5@0: 2 2 -128 0", "int8@0.25@0: 4 3 -128 0"), OUT("bool: 1 0 0 1")),
        EDGE(LESS, IN("int8@0.5@0: 1 2 -128", "int8@0.25@0: 3 4 127"), OUT("bool: 1 0 1")),
        EDGE(GREATER, IN("uint8@1@255: 255 0", "uint8@1@0: 0 1"), OUT("bool: 0 0")),
        EDGE(GREATER_EQUAL, IN("int16@1@0: 32767 -32768", "int16@2@0: 16384 -16384"), OUT("bool: 0 1")),
        EDGE(LOGICAL_AND, IN("int8@1@3: 3 4 3", "int8@1@3: 4 5 3"), OUT("bool: 0 1 0")),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, quantized_functions_saturate_and_are_lowest_where_they_are_not_defined) {
    static const edge rows[] = {
        EDGE(RELU, IN("int8@1@0: -128 -1 0 127"), OUT("int8@0.5@0: 0 0 0 127")),
        EDGE(RELU6, IN("int8@1@-128: -128 -122 127"), OUT("int8@1@-128: -128 -122 -122")),
        EDGE(ABS, IN("int8@1@0: -128 -1 0 127"), OUT("int8@1@0: 127 1 0 127")),
        EDGE(ABS, IN("int16@1@0: -32768 -1 32767"), OUT("int16@1@0: 32767 1 32767")),
        EDGE(NEG, IN("int8@1@0: -128 -127 127"), OUT("int8@1@0: 127 127 -127")),
        EDGE(NEG, IN("int16@1@0: -32768 32767"), OUT("int16@1@0: 32767 -32767")),
        EDGE(NEG, IN("uint8@1@128: 0 255 128"), OUT("uint8@1@128: 255 1 128")),
        EDGE(SQRT, IN("int8@1@0: -1 0 4 2 -128"), OUT("int8@1@0: -128 0 2 1 -128")),
        EDGE(LOG, IN("int8@1@0: 0 -1 1"), OUT("int8@1@0: -128 -128 0")),
        EDGE(RECIPROCAL, IN("int8@1@0: 0 1 2 -2"), OUT("int8@1@0: 127 1 1 -1")),
        EDGE(RSQRT, IN("int8@1@0: 0 1"), OUT("int8@0.5@0: 127 2")),
        EDGE(EXP, IN("int8@1@0: 127 -128 0"), OUT("int8@1@0: 127 0 1")),
        EDGE(SQUARE, IN("int8@1@0: -128 12 -3"), OUT("int8@1@0: 127 127 9")),
        EDGE(ROUND, IN("int8@0.5@0: 1 3 5 -1 -3"), OUT("int8@0.5@0: 0 4 4 0 -4")),
        EDGE(CEIL, IN("int8@0.5@0: -1 1 127"), OUT("int8@0.5@0: 0 2 127")),
        EDGE(FLOOR, IN("int8@0.5@0: -1 1 -128"), OUT("int8@0.5@0: -2 0 -128")),
        EDGE(SIGMOID, IN("int8@1@0: -128 127 0"), OUT("int8@0.00390625@-128: -128 127 0")),
        EDGE(TANH, IN("int8@1@0: -128 127 0"), OUT("int8@0.0078125@0: -128 127 0")),
        EDGE(HSWISH, IN("int8@1@0: -128 127 -3 0 1"), OUT("int8@1@0: 0 127 0 0 1")),
        EDGE(RELU, IN("int16@1@0: -32768 32767"), OUT("int16@0.5@0: 0 32767")),
        EDGE(SIGMOID, IN("int16@0.000244140625@0: 0"), OUT("int16@0.000030517578125@0: 16384")),
        EDGE(TANH, IN("int16@0.000244140625@0: 0"), OUT("int16@0.000030517578125@0: 0")),
        EDGE(LOG, IN("int16@1@0: 0 -1 1"), OUT("int16@1@0: -32768 -32768 0")),
        /* halves of what is below zero go up */
        EDGE_WITH(LEAKY_RELU, IN("int8@1@0: -1 -2 -3 5 -128"), OUT("int8@1@0: 0 -1 -1 5 -64"),
                  {OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, "0.5"}),
        EDGE_WITH(LEAKY_RELU, IN("int8@1@0: -1 -128 1"), OUT("int8@1@0: -128 -128 1"),
                  {OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, "1000"}),
        EDGE_WITH(CLIP, IN("int8@1@0: -128 127 0"), OUT("int8@1@0: -1 2 0"), {OH_NN_CLIP_MIN, "-1"},
                  {OH_NN_CLIP_MAX, "2"}),
        EDGE_WITH(CLIP, IN("int8@1@0: -128 127"), OUT("int8@1@0: -128 127"), {OH_NN_CLIP_MIN, "-inf"},
                  {OH_NN_CLIP_MAX, "inf"}),
    };
    EDGE_TRY(rows);
}

/* ------------------------------------------------------------------------------------------------- conversions */

/* A cast names the type of its output; these are the numbers of OH_NN_DataType. */
#define TO_BOOL "=int32 [1]: 1"
#define TO_INT8 "=int32 [1]: 2"
#define TO_INT16 "=int32 [1]: 3"
#define TO_INT32 "=int32 [1]: 4"
#define TO_INT64 "=int32 [1]: 5"
#define TO_UINT8 "=int32 [1]: 6"
#define TO_UINT32 "=int32 [1]: 8"
#define TO_UINT64 "=int32 [1]: 9"
#define TO_FLOAT16 "=int32 [1]: 10"
#define TO_FLOAT32 "=int32 [1]: 11"
#define TO_FLOAT64 "=int32 [1]: 12"

Test(ops_edges, a_cast_of_floats_is_cut_off_and_saturates) {
    static const edge rows[] = {
        EDGE(CAST, IN("float32: nan inf -inf 3e9 1.9 -1.9 2147483648 -0.5 -2147483648", TO_INT32),
             OUT("int32: 0 2147483647 -2147483648 2147483647 1 -1 2147483647 0 -2147483648")),
        EDGE(CAST, IN("float32: -1 256 255.9 nan inf -0", TO_UINT8), OUT("uint8: 0 255 255 0 255 0")),
        EDGE(CAST, IN("float32: 127.9 128 -128.9 -129 nan", TO_INT8), OUT("int8: 127 127 -128 -128 0")),
        EDGE(CAST, IN("float32: 32768 -32769 nan", TO_INT16), OUT("int16: 32767 -32768 0")),
        EDGE(CAST, IN("float32: 9.3e18 -9.3e18 9.2233720368547758e18 nan -1.5", TO_INT64),
             OUT("int64: 9223372036854775807 -9223372036854775808 9223372036854775807 0 -1")),
        EDGE(CAST, IN("float32: 1.9e19 -1 nan 1.8446744073709552e19", TO_UINT64),
             OUT("uint64: 18446744073709551615 0 0 18446744073709551615")),
        EDGE(CAST, IN("float32: 4294967296 -1 0.9", TO_UINT32), OUT("uint32: 4294967295 0 0")),
        EDGE(CAST, IN("float32: nan -0 0 0.1 inf", TO_BOOL), OUT("bool: 1 0 0 1 1")),
        EDGE(CAST, IN("float64: 1e300 -1e300 nan 16777217", TO_FLOAT32), OUT("float32: inf -inf nan 16777216")),
        EDGE(CAST, IN("float64: 2147483647.9 -2147483648.9 2147483648", TO_INT32),
             OUT("int32: 2147483647 -2147483648 2147483647")),
        /* 65504 is the largest float16, 65520 lies between it and what would be the next; 2049 between 2048 and 2050 */
        EDGE(CAST, IN("float32: 65504 65519 65520 -0 2049 2051 1e-8 nan -inf", TO_FLOAT16),
             OUT("float16: 0x7bff 0x7bff 0x7c00 0x8000 0x6800 0x6802 0x0000 0x7e00 0xfc00")),
        EDGE(CAST, IN("float16: 0x7c00 0x8000 0x7e00 0x0001 0x7bff", TO_FLOAT32),
             OUT("float32: inf -0 nan 5.9604644775390625e-8 65504")),
        EDGE(CAST, IN("float16: 0x7c00 0xfc00 0x7e00", TO_INT32), OUT("int32: 2147483647 -2147483648 0")),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, a_cast_of_integers_keeps_the_low_bits_and_is_rounded_to_the_nearest_float) {
    static const edge rows[] = {
        EDGE(CAST, IN("int32: 300 -129 127 -2147483648", TO_INT8), OUT("int8: 44 127 127 0")),
        EDGE(CAST, IN("int32: -1 256 255", TO_UINT8), OUT("uint8: 255 0 255")),
        EDGE(CAST, IN("int64: 4294967297 -4294967297 2147483648", TO_INT32), OUT("int32: 1 -1 -2147483648")),
        EDGE(CAST, IN("uint64: 18446744073709551615 9223372036854775808", TO_INT64),
             OUT("int64: -1 -9223372036854775808")),
        EDGE(CAST, IN("uint32: 4294967295", TO_INT64), OUT("int64: 4294967295")),
        EDGE(CAST, IN("int32: -1", TO_UINT64), OUT("uint64: 18446744073709551615")),
        EDGE(CAST, IN("int32: 16777217 2147483647 -2147483648", TO_FLOAT32),
             OUT("float32: 16777216 2147483648 -2147483648")),
        EDGE(CAST, IN("uint64: 18446744073709551615 1", TO_FLOAT32), OUT("float32: 18446744073709551616 1")),
        EDGE(CAST, IN("int64: 9007199254740993 -9223372036854775808", TO_FLOAT64),
             OUT("float64: 9007199254740992 -9223372036854775808")),
        EDGE(CAST, IN("int32: 65520 -65520 2049", TO_FLOAT16), OUT("float16: 0x7c00 0xfc00 0x6800")),
        EDGE(CAST, IN("int64: 4294967296 0 -9223372036854775808", TO_BOOL), OUT("bool: 1 0 1")),
        EDGE(CAST, IN("bool: 0 1", TO_FLOAT32), OUT("float32: 0 1")),
        EDGE(CAST, IN("bool: 0 1", TO_INT64), OUT("int64: 0 1")),
    };
    EDGE_TRY(rows);
}

#define FROM_TO(source, target) \
    {OH_NN_QUANT_DTYPE_CAST_SRC_T, source}, { OH_NN_QUANT_DTYPE_CAST_DST_T, target }

/* Steps of 0.5: a quarter is half a step. A NaN becomes the lowest number. */
Test(ops_edges, quantizing_rounds_halves_away_from_zero_and_saturates) {
    static const edge rows[] = {
        EDGE_WITH(QUANT_DTYPE_CAST, IN("float32: 0.25 -0.25 0.24 -0 inf -inf nan 1e30"),
                  OUT("int8@0.5@3: 4 2 3 3 127 -128 -128 127"), FROM_TO("11", "2")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("float32: 0.25 -0.25 inf -inf nan -1e30"),
                  OUT("uint8@0.5@128: 129 127 255 0 0 0"), FROM_TO("11", "6")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("float32: 0.25 -0.25 inf -inf nan 16383.75 -16384.25"),
                  OUT("int16@0.5@0: 1 -1 32767 -32768 -32768 32767 -32768"), FROM_TO("11", "3")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("int8@0.5@127: -128 127 0"), OUT("float32: -127.5 0 -63.5"), FROM_TO("2", "11")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("uint8@0.5@255: 0 255"), OUT("float32: -127.5 0"), FROM_TO("6", "11")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("int16@0.5@0: -32768 32767"), OUT("float32: -16384 16383.5"),
                  FROM_TO("3", "11")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("int8@1@0: 127 -128 0 5"), OUT("uint8@1@128: 255 0 128 133"), FROM_TO("2", "6")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("int8@1@0: 127 -128 64 -64"), OUT("int8@0.5@0: 127 -128 127 -128"),
                  FROM_TO("2", "2")),
        EDGE_WITH(QUANT_DTYPE_CAST, IN("int16@1@0: 32767 -32768 127 -129"), OUT("int8@1@0: 127 -128 127 -128"),
                  FROM_TO("3", "2")),
    };
    EDGE_TRY(rows);
}

/* --------------------------------------------------------------------------------------------- rows and reductions */

Test(ops_edges, softmax_of_one_of_huge_and_of_infinite_elements) {
    static const edge rows[] = {
        EDGE(SOFTMAX, IN("float32 [3,1]: -3.4e38 0 3.4e38"), OUT("float32 [3,1]: 1 1 1")),
        EDGE(SOFTMAX, IN("float32 [1,3]: 3.4e38 3.4e38 -3.4e38"), OUT("float32 [1,3]: 0.5 0.5 0")),
        EDGE(SOFTMAX, IN("float32 [2,2]: -inf 0 -1000 -1000"), OUT("float32 [2,2]: 0 1 0.5 0.5")),
        EDGE(SOFTMAX, IN("float32 [3,2]: inf 0 -inf -inf 1 nan"), OUT("float32 [3,2]: nan nan nan nan nan nan")),
        EDGE(SOFTMAX, IN("float32 [1,9]: 7 7 7 7 7 7 7 7 -inf"),
             OUT("float32 [1,9]: 0.125 0.125 0.125 0.125 0.125 0.125 0.125 0.125 0")),
        EDGE_WITH(SOFTMAX, IN("float32 [2,3]: 1000 -inf 0 1000 5 0"), OUT("float32 [2,3]: 0.5 0 0.5 0.5 1 0.5"),
                  {OH_NN_SOFTMAX_AXIS, "0"}),
        EDGE(SOFTMAX, IN("int8@1@0 [3,1]: -128 0 127"), OUT("int8@0.00390625@-128 [3,1]: 127 127 127")),
        EDGE(SOFTMAX, IN("int8@1@0 [2,2]: 127 -128 -5 -5"), OUT("int8@0.00390625@-128 [2,2]: 127 -128 0 0")),
        EDGE_WITH(LOG_SOFTMAX, IN("float32 [3,2]: -inf 0 1000 0 nan 0"), OUT("float32 [3,2]: -inf 0 0 -1000 nan nan"),
                  {OH_NN_LOG_SOFTMAX_AXIS, "-1"}),
        EDGE(LOG_SOFTMAX, IN("float32 [1,3]: 3.4e38 -3.4e38 0"), OUT("float32 [1,3]: 0 0 0")),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, rows_of_equal_elements_and_of_zeros_are_normalised) {
    static const edge rows[] = {
        EDGE(L2_NORMALIZE, IN("float32 [3]: 0 -0 0"), OUT("float32 [3]: 0 -0 0")),
        EDGE(L2_NORMALIZE, IN("float32 [2]: 3e30 4e30"), OUT("~float32 [2]: 0.6 0.8")),
        EDGE(L2_NORMALIZE, IN("float32 [2]: inf 1"), OUT("float32 [2]: nan 0")),
        /* nothing is left over the mean: what is added is the result */
        EDGE(LAYER_NORM, IN("float32 [2,2]: 5 5 -1 -1", "float32 [2]: 7 7", "float32 [2]: 1 -2"),
             OUT("float32 [2,2]: 1 -2 1 -2")),
        EDGE(LAYER_NORM, IN("float32 [1,2]: inf 1", "float32 [2]: 1 1", "float32 [2]: 0 0"),
             OUT("float32 [1,2]: nan nan")),
        EDGE_WITH(INSTANCE_NORM, IN("float32 [1,2,1]: 3 3", "float32 [1]: 5", "float32 [1]: 4"),
                  OUT("float32 [1,2,1]: 4 4"), {OH_NN_INSTANCE_NORM_EPSILON, "0.5"}),
        /* without an epsilon, 0 / sqrt 0 */
        EDGE(INSTANCE_NORM, IN("float32 [1,2,1]: 3 3", "float32 [1]: 5", "float32 [1]: 4"),
             OUT("float32 [1,2,1]: nan nan")),
        EDGE_WITH(
            BATCH_NORM,
            IN("float32 [2,1]: 3 nan", "=float32 [1]: 1", "=float32 [1]: 0", "=float32 [1]: 1", "=float32 [1]: -4"),
            OUT("float32 [2,1]: nan nan"), {OH_NN_BATCH_NORM_EPSILON, "1"}),
    };
    EDGE_TRY(rows);
}

#define ALL_AXES "=int32 [2]: 0 1"

Test(ops_edges, reductions_of_floats) {
    static const edge rows[] = {
        EDGE(REDUCE_SUM, IN("float32 [3,2]: inf -inf 3e38 3e38 -0 -0", "=int32 [1]: -1"),
             OUT("float32 [3]: nan inf 0")),
        EDGE(REDUCE_MEAN, IN("float32 [2,2]: inf 1 nan 1", "=int32 [1]: 1"), OUT("float32 [2]: inf nan")),
        EDGE(REDUCE_PROD, IN("float32 [3,2]: inf 0 -1 0 1e30 -1e30", "=int32 [1]: 1"), OUT("float32 [3]: nan -0 -inf")),
        EDGE(REDUCE_L2, IN("float32 [2,2]: 3 -4 -inf 1", "=int32 [1]: 1"), OUT("float32 [2]: 5 inf")),
        /* a NaN is never the largest or the smallest */
        EDGE(REDUCE_MAX, IN("float32 [3,2]: nan 1 -inf -inf 2 nan", "=int32 [1]: 1"), OUT("float32 [3]: 1 -inf 2")),
        EDGE(REDUCE_MIN, IN("float32 [3,2]: nan 1 inf inf 2 nan", "=int32 [1]: 1"), OUT("float32 [3]: 1 inf 2")),
        EDGE(REDUCE_SUM, IN("float32 [2,2]: 1 2 3 4", ALL_AXES), OUT("float32 [1]: 10")),
        EDGE(REDUCE_SUM, IN("float32 [2,2]: 1 2 3 4", "=int64 [2]: -1 -2"), OUT("float32 []: 10")),
        EDGE_WITH(REDUCE_SUM, IN("float32 [2,2]: 1 2 3 4", ALL_AXES), OUT("float32 [1,1]: 10"),
                  {OH_NN_REDUCE_SUM_KEEP_DIMS, "1"}),
        EDGE_WITH(REDUCE_MAX, IN("float32 [2,2]: 1 2 3 4", "=int32 [1]: -2"), OUT("float32 [1,2]: 3 4"),
                  {OH_NN_REDUCE_MAX_KEEP_DIMS, "1"}),
        EDGE_WITH(REDUCE_MEAN, IN("float32 [2,1,2]: 1 2 3 5", "=int32 [1]: 1"), OUT("float32 [2]: 3 8"),
                  {OH_NN_REDUCE_MEAN_REDUCE_TO_END, "1"}, {OH_NN_REDUCE_MEAN_COEFF, "2"}),
        EDGE_REFUSED(REDUCE_SUM, IN("float32 [2,2]: 1 2 3 4", "=int32 [1]: 2"), OUT("float32 [2]: 0 0"),
                     "an axis is out of range", {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(REDUCE_SUM, IN("float32 [2,2]: 1 2 3 4", "=int64 [1]: 4294967296"), OUT("float32 [2]: 0 0"),
                     "an axis is out of range", {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(REDUCE_SUM, IN("float32 [2,2]: 1 2 3 4", "=int64 [1]: -9223372036854775808"),
                     OUT("float32 [2]: 0 0"), "an axis is out of range", {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(REDUCE_SUM, IN("float32 [2,2]: 1 2 3 4", "=int32 [2]: 1 -1"), OUT("float32 [2]: 0 0"),
                     "an axis is named twice", {OH_NN_TENSOR, NULL}),
        EDGE(ALL, IN("float32 [3,2]: nan 1 -0 1 inf 1e-30", "=int32 [1]: 1"), OUT("bool [3]: 1 0 1")),
        EDGE(REDUCE_ALL, IN("bool [2,2]: 1 1 1 0", "=int32 [1]: -1"), OUT("bool [2]: 1 0")),
    };
    EDGE_TRY(rows);
}

/* Of int8 and int16 the mean is one fixed-point product, in which a half goes up. */
Test(ops_edges, reductions_of_integers_wrap_truncate_and_saturate) {
    static const edge rows[] = {
        EDGE(REDUCE_SUM, IN("int32 [2,2]: 2147483647 1 -2147483648 -1", "=int32 [1]: 1"),
             OUT("int32 [2]: -2147483648 2147483647")),
        EDGE(REDUCE_MEAN, IN("int32 [4,2]: 2147483647 2147483647 -1 0 -1 -2 -2147483648 -2147483648", "=int32 [1]: 1"),
             OUT("int32 [4]: 2147483647 0 -1 -2147483648")),
        EDGE(REDUCE_PROD, IN("int32 [2,2]: 65536 65536 2147483647 2", "=int32 [1]: 1"), OUT("int32 [2]: 0 -2")),
        EDGE(REDUCE_MAX, IN("int32 [2,2]: -2147483648 -2147483648 2147483647 0", "=int32 [1]: 1"),
             OUT("int32 [2]: -2147483648 2147483647")),
        EDGE(REDUCE_MIN, IN("int8 [2,2]: -128 127 127 127", "=int32 [1]: 1"), OUT("int8 [2]: -128 127")),
        EDGE(REDUCE_MAX, IN("int16@1@0 [2,2]: -32768 -32768 32767 0", "=int32 [1]: 1"),
             OUT("int16@1@0 [2]: -32768 32767")),
        EDGE(REDUCE_MEAN, IN("int8@1@0 [4,2]: 1 2 -1 -2 127 127 -128 -128", "=int32 [1]: 1"),
             OUT("int8@1@0 [4]: 2 -1 127 -128")),
        EDGE(REDUCE_SUM, IN("int8@1@0 [3,2]: 127 127 -128 -128 5 -5", "=int32 [1]: 1"),
             OUT("int8@1@0 [3]: 127 -128 0")),
        EDGE(REDUCE_SUM, IN("int16@1@0 [2,2]: 32767 32767 -32768 -32768", "=int32 [1]: 1"),
             OUT("int16@1@0 [2]: 32767 -32768")),
        EDGE(REDUCE_MEAN, IN("int16@1@0 [2,2]: 1 2 -1 -2", "=int32 [1]: 1"), OUT("int16@1@0 [2]: 2 -1")),
        EDGE(ALL, IN("int64 [2,2]: 4294967296 1 1 0", "=int32 [1]: 1"), OUT("bool [2]: 1 0")),
    };
    EDGE_TRY(rows);
}

/* --------------------------------------------------------------------------------------------- largest elements */

Test(ops_edges, of_equal_elements_the_first_is_the_largest_and_a_nan_is_above_all) {
    static const edge rows[] = {
        EDGE(ARG_MAX, IN("float32 [5,3]: 1 3 3 nan inf 1 inf nan nan -0 0 0 -inf -inf -inf"),
             OUT("int32 [5]: 1 0 1 0 0")),
        EDGE(ARG_MAX, IN("int8 [3,3]: -128 127 127 -128 -128 -128 0 -1 0"), OUT("int64 [3]: 1 0 0")),
        EDGE(ARG_MAX, IN("uint8 [2,2]: 127 128 255 0"), OUT("int32 [2]: 1 0")),
        EDGE(ARG_MAX, IN("int16 [2,2]: -32768 32767 5 5"), OUT("int32 [2]: 1 0")),
        EDGE(ARG_MAX, IN("int64 [2,2]: 9223372036854775806 9223372036854775807 -9223372036854775808 -1"),
             OUT("int32 [2]: 1 1")),
        EDGE(ARG_MAX, IN("float16 [2,2]: 0x3c00 0x7e00 0x8000 0x0000"), OUT("int32 [2]: 1 0")),
        EDGE_WITH(ARG_MAX, IN("float32 [2,3]: 1 5 2 1 4 3"), OUT("int32 [1,3]: 0 0 1"), {OH_NN_ARG_MAX_AXIS, "-2"},
                  {OH_NN_ARG_MAX_KEEPDIMS, "1"}),
        EDGE_WITH(ARG_MAX, IN("float32 [2,3]: 1 nan 2 -0 0 -1"), OUT("float32 [2]: nan -0"),
                  {OH_NN_ARG_MAX_OUT_MAX_VALUE, "1"}),
        EDGE_WITH(ARG_MAX, IN("float32 [1,4]: 2 7 7 2"), OUT("int32 [1,3]: 1 2 0"), {OH_NN_ARG_MAX_TOP_K, "3"}),
        EDGE_REFUSED(ARG_MAX, IN("float32 [2,2]: 0 0 0 0"), OUT("int32 [2]: 0 0"), "the axis is out of range",
                     {OH_NN_ARG_MAX_AXIS, "2"}),
        EDGE_REFUSED(ARG_MAX, IN("float32 [2,2]: 0 0 0 0"), OUT("int32 [2]: 0 0"), "the axis is out of range",
                     {OH_NN_ARG_MAX_AXIS, "4294967296"}),
        EDGE(TOP_K, IN("float32 [6]: 2 nan 5 5 -inf nan", "=int32 [1]: 4"),
             OUT("float32 [4]: nan nan 5 5", "int32 [4]: 1 5 2 3")),
        EDGE(TOP_K, IN("int32 [5]: 7 -2147483648 7 2147483647 7", "=int32 [1]: 5"),
             OUT("int32 [5]: 2147483647 7 7 7 -2147483648", "int32 [5]: 3 0 2 4 1")),
        EDGE(TOP_K, IN("float32 [3]: -0 0 -0", "=int32 [1]: 2"), OUT("float32 [2]: -0 0", "int32 [2]: 0 1")),
        EDGE_WITH(TOP_K, IN("float32 [5]: 1 9 5 5 5", "=int64 [1]: 3"), OUT("float32 [3]: 9 5 5", "int64 [3]: 1 2 3"),
                  {OH_NN_TOP_K_SORTED, "0"}),
        EDGE_REFUSED(TOP_K, IN("float32 [3]: 1 2 3", "=int64 [1]: 4294967297"), OUT("float32 [1]: 0", "int32 [1]: 0"),
                     "k is outside 1 to the size of the axis", {OH_NN_TENSOR, NULL}),
    };
    EDGE_TRY(rows);
}

/* -------------------------------------------------------------------------------------------------------- indices */

Test(ops_edges, indices_at_the_ends_of_their_axis_and_beyond) {
    static const edge rows[] = {
        EDGE(GATHER, IN("float32 [3]: 1 nan -0", "int32 [4]: -1 -3 2 1", "=int32 [1]: 0"),
             OUT("float32 [4]: -0 1 -0 nan")),
        EDGE(GATHER, IN("int8 [2,2]: 1 2 3 4", "int64 [1]: -1", "=int64 [1]: -1"), OUT("int8 [2,1]: 2 4")),
        EDGE_REFUSED(GATHER, IN("float32 [3]: 1 2 3", "int32 [1]: -4", "=int32 [1]: 0"), OUT("float32 [1]: 0"),
                     "GATHER: index -4 is outside an axis of 3 elements", {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(GATHER, IN("float32 [3]: 1 2 3", "int64 [1]: 4294967296", "=int32 [1]: 0"), OUT("float32 [1]: 0"),
                     "GATHER: index 4294967296 is outside an axis of 3 elements", {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(GATHER, IN("float32 [3]: 1 2 3", "int64 [1]: -9223372036854775808", "=int32 [1]: 0"),
                     OUT("float32 [1]: 0"), "index -9223372036854775808 is outside an axis of 3", {OH_NN_TENSOR, NULL}),
        EDGE_REFUSED(GATHER, IN("float32 [3]: 1 2 3", "int32 [1]: 0", "=int64 [1]: 4294967296"), OUT("float32 [1]: 0"),
                     "the axis is out of range", {OH_NN_TENSOR, NULL}),
        EDGE(SCATTER_ND, IN("int32 [3,1]: 2 0 2", "float32 [3]: 1 -0 nan", "=int32 [1]: 4"),
             OUT("float32 [4]: -0 0 nan 0")),
        EDGE(SCATTER_ND, IN("int64 [2,1]: 1 1", "int8 [2]: 5 -5", "=int32 [1]: 2"), OUT("int8 [2]: 0 -5")),
        EDGE_REFUSED(SCATTER_ND, IN("int64 [1,1]: 4294967296", "float32 [1]: 1", "=int32 [1]: 4"),
                     OUT("float32 [4]: 0 0 0 0"), "SCATTER_ND: index 4294967296 is outside axis 0 of 4 elements",
                     {OH_NN_TENSOR, NULL}),
        EDGE(SPARSE_TO_DENSE, IN("int32 [3]: 0 3 0", "float32 [3]: 1 2 3", "=int32 [1]: 4"),
             OUT("float32 [4]: 3 0 0 2")),
        EDGE(ONE_HOT, IN("int32 [4]: 0 -1 2 3", "=int32 [1]: 3", "float32 [1]: nan", "float32 [1]: -0"),
             OUT("float32 [4,3]: nan -0 -0 -0 -0 -0 -0 -0 nan -0 -0 -0")),
        EDGE(ONE_HOT,
             IN("int64 [3]: 4294967296 -9223372036854775808 1", "=int32 [1]: 2", "int32 [1]: 1", "int32 [1]: 0"),
             OUT("int32 [3,2]: 0 0 0 0 0 1")),
        EDGE_REFUSED(ONE_HOT, IN("int64 [1]: 0", "=int64 [1]: 4294967297", "int32 [1]: 1", "int32 [1]: 0"),
                     OUT("int32 [1,1]: 0"), "", {OH_NN_TENSOR, NULL}),
        EDGE(SELECT, IN("bool: 1 0 1 0", "float32: nan 1 -0 2", "float32: 1 nan 0 -inf"),
             OUT("float32: nan nan -0 -inf")),
        EDGE(WHERE, IN("bool [2,1]: 1 0", "float32 [2]: nan -0", "float32 [1]: 5"), OUT("float32 [2,2]: nan -0 5 5")),
    };
    EDGE_TRY(rows);
}

/* ------------------------------------------------------------------------------------------- tensors from nothing */

/* 2^64 - 1 in steps of 2^63 - 1 are three numbers, and in one step of -2^63 two. */
Test(ops_edges, ranges_reach_from_one_end_of_64_bits_to_the_other) {
    static const edge rows[] = {
        EDGE_WITH(RANGE, IN("float32 [1]: 0"), OUT("int64 [3]: -9223372036854775808 -1 9223372036854775806"),
                  {OH_NN_RANGE_START, "-9223372036854775808"}, {OH_NN_RANGE_LIMIT, "9223372036854775807"},
                  {OH_NN_RANGE_DELTA, "9223372036854775807"}),
        EDGE_WITH(RANGE, IN("float32 [1]: 0"), OUT("int64 [2]: 9223372036854775807 -1"),
                  {OH_NN_RANGE_START, "9223372036854775807"}, {OH_NN_RANGE_LIMIT, "-9223372036854775808"},
                  {OH_NN_RANGE_DELTA, "-9223372036854775808"}),
        EDGE_WITH(RANGE, IN("float32 [1]: 0"), OUT("int32 [1]: 5"), {OH_NN_RANGE_START, "5"}, {OH_NN_RANGE_LIMIT, "6"},
                  {OH_NN_RANGE_DELTA, "9223372036854775807"}),
        EDGE_WITH(RANGE, IN("float32 [1]: 0"), OUT("float32 [3]: 16777216 16777216 16777218"),
                  {OH_NN_RANGE_START, "16777216"}, {OH_NN_RANGE_LIMIT, "16777219"}),
        EDGE_REFUSED(RANGE, IN("float32 [1]: 0"), OUT("int64 [1]: 0"), "", {OH_NN_RANGE_START, "0"},
                     {OH_NN_RANGE_LIMIT, "9223372036854775807"}),
        EDGE_REFUSED(RANGE, IN("float32 [1]: 0"), OUT("int64 [1]: 0"), "", {OH_NN_RANGE_START, "0"},
                     {OH_NN_RANGE_LIMIT, "4"}, {OH_NN_RANGE_DELTA, "0"}),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, fillings_are_numbers_of_the_type_of_the_output) {
    static const edge rows[] = {
        EDGE(FILL, IN("float32 [1]: nan", "=int32 [1]: 3"), OUT("float32 [3]: nan nan nan")),
        EDGE(FILL, IN("float32 [1]: -0", "=int32 [2]: 1 2"), OUT("float32 [1,2]: -0 -0")),
        EDGE_WITH(CONSTANT_OF_SHAPE, IN("=int32 [1]: 2"), OUT("int32 [2]: 0 0"),
                  {OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE, "4"}, {OH_NN_CONSTANT_OF_SHAPE_VALUE, "nan"}),
        EDGE_WITH(CONSTANT_OF_SHAPE, IN("=int32 [1]: 1"), OUT("int8 [1]: 127"),
                  {OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE, "2"}, {OH_NN_CONSTANT_OF_SHAPE_VALUE, "1e30"}),
        EDGE_WITH(CONSTANT_OF_SHAPE, IN("=int32 [1]: 1"), OUT("uint8 [1]: 0"), {OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE, "6"},
                  {OH_NN_CONSTANT_OF_SHAPE_VALUE, "-inf"}),
        EDGE_WITH(CONSTANT_OF_SHAPE, IN("=int32 [1]: 1"), OUT("float32 [1]: -0"),
                  {OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE, "11"}, {OH_NN_CONSTANT_OF_SHAPE_VALUE, "-0"}),
        EDGE_WITH(PAD, IN("int8 [1]: 5", "=int32 [1,2]: 1 1"), OUT("int8 [3]: 127 5 127"),
                  {OH_NN_PAD_CONSTANT_VALUE, "1e30"}),
        EDGE_WITH(PAD, IN("float32 [1]: -0", "=int32 [1,2]: 1 0"), OUT("float32 [2]: nan -0"),
                  {OH_NN_PAD_CONSTANT_VALUE, "nan"}),
        EDGE_WITH(PAD, IN("int32 [1]: 5", "=int32 [1,2]: 0 1"), OUT("int32 [2]: 5 -2147483648"),
                  {OH_NN_PAD_CONSTANT_VALUE, "-1e30"}),
        EDGE_WITH(PAD, IN("int8@0.5@3 [1]: 5", "=int32 [1,2]: 0 2"), OUT("int8@0.5@3 [3]: 5 3 3"),
                  {OH_NN_PAD_CONSTANT_VALUE, "0"}),
        EDGE_REFUSED(PAD, IN("float32 [1]: 1", "=int64 [1,2]: 4294967296 0"), OUT("float32 [1]: 0"),
                     "a padding is negative or too large", {OH_NN_TENSOR, NULL}),
    };
    EDGE_TRY(rows);
}

/* ------------------------------------------------------------------------------------------- pools and products */

/* A mean of int8 is rounded half away from zero. A NaN is never the largest; a window of -inf has it as its largest. */
Test(ops_edges, pools_of_halves_of_infinities_and_of_nan) {
    static const edge rows[] = {
        EDGE_WITH(AVG_POOL, IN("int8@1@0 [1,1,8,1]: 1 2 -1 -2 127 127 -128 -127"),
                  OUT("int8@1@0 [1,1,4,1]: 2 -2 127 -128"), {OH_NN_AVG_POOL_KERNEL_SIZE, "1 2"},
                  {OH_NN_AVG_POOL_STRIDE, "1 2"}),
        EDGE_WITH(AVG_POOL, IN("int16@1@0 [1,1,4,1]: 1 2 -1 -2"), OUT("int16@1@0 [1,1,2,1]: 2 -2"),
                  {OH_NN_AVG_POOL_KERNEL_SIZE, "1 2"}, {OH_NN_AVG_POOL_STRIDE, "1 2"}),
        EDGE_WITH(AVG_POOL, IN("float32 [1,1,4,1]: inf 1 3e38 3e38"), OUT("float32 [1,1,2,1]: inf inf"),
                  {OH_NN_AVG_POOL_KERNEL_SIZE, "1 2"}, {OH_NN_AVG_POOL_STRIDE, "1 2"}),
        EDGE_WITH(MAX_POOL, IN("float32 [1,1,6,1]: -inf -inf 1 nan nan 2"), OUT("float32 [1,1,3,1]: -inf 1 2"),
                  {OH_NN_MAX_POOL_KERNEL_SIZE, "1 2"}, {OH_NN_MAX_POOL_STRIDE, "1 2"}),
        EDGE_WITH(MAX_POOL, IN("int8 [1,1,4,1]: -128 -128 127 -128"), OUT("int8 [1,1,2,1]: -128 127"),
                  {OH_NN_MAX_POOL_KERNEL_SIZE, "1 2"}, {OH_NN_MAX_POOL_STRIDE, "1 2"}),
        EDGE_WITH(MAX_POOL, IN("int16 [1,1,4,1]: -32768 -32768 32767 -32768"), OUT("int16 [1,1,2,1]: -32768 32767"),
                  {OH_NN_MAX_POOL_KERNEL_SIZE, "1 2"}, {OH_NN_MAX_POOL_STRIDE, "1 2"}),
    };
    EDGE_TRY(rows);
}

/* A sum of int32 wraps: 2^31 - 1 of the bias and 1 make -2^31. */
Test(ops_edges, products_of_the_largest_numbers) {
    static const edge rows[] = {
        EDGE(FULL_CONNECTION,
             IN("int8@1@0 [1,1]: 1", "=int8@0.5@0 [2,1]: 1 -1", "=int32@0.5@0 [2]: 2147483647 -2147483648"),
             OUT("int8@1@0 [1,2]: -128 127")),
        EDGE(FULL_CONNECTION, IN("int8@1@0 [1,2]: -128 -128", "=int8@1@0 [2,2]: -128 -128 127 127"),
             OUT("int8@1@0 [1,2]: 127 -128")),
        EDGE(FULL_CONNECTION, IN("int8@1@0 [4,1]: 1 -1 3 -3", "=int8@0.5@0 [1,1]: 1"), OUT("int8@1@0 [4,1]: 1 0 2 -1")),
        EDGE(FULL_CONNECTION, IN("float32 [2,2]: inf 1 -3e38 -3e38", "=float32 [1,2]: 1 1", "=float32 [1]: -0"),
             OUT("float32 [2,1]: inf -inf")),
        EDGE_WITH(CONV2D, IN("int8@1@0 [1,1,2,1]: 1 -1", "=int8@0.5@0 [1,1,1,1]: 1", "=int32@0.5@0 [1]: 2147483647"),
                  OUT("int8@1@0 [1,1,2,1]: -128 127"), {OH_NN_CONV2D_STRIDES, "1 1"}),
        EDGE_WITH(DEPTHWISE_CONV2D_NATIVE,
                  IN("int8@1@0 [1,1,2,1]: 1 -1", "=int8@0.5@0 [1,1,1,1]: 1", "=int32@0.5@0 [1]: 2147483647"),
                  OUT("int8@1@0 [1,1,2,1]: -128 127"), {OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, "1 1"}),
        EDGE(MATMUL, IN("int8@1@0 [1,2]: -128 127", "int8@1@0 [2,2]: -128 127 127 -128"),
             OUT("int8@1@0 [1,2]: 127 -128")),
        EDGE(MATMUL, IN("float32 [1,2]: inf 1", "float32 [2,2]: 2 -1 1 1"), OUT("float32 [1,2]: inf -inf")),
    };
    EDGE_TRY(rows);
}

/* ------------------------------------------------------------------------------------------------------- refused */

/* Combinations of types, scales and sizes: docs/operators.md has what one change of a sample makes. */
#define REFUSED(op, ins, outs, sentence) EDGE_REFUSED(op, IN ins, OUT(outs), sentence, {OH_NN_TENSOR, NULL})

Test(ops_edges, combinations_of_types_scales_and_sizes_that_are_refused) {
    static const edge rows[] = {
        REFUSED(ADD, ("int8@1@0 [1]: 1", "float32 [1]: 1"), "float32 [1]: 1",
                "a quantized tensor and one of another type are not promoted"),
        REFUSED(LESS, ("float32 [1]: 1", "uint8@1@0 [1]: 1"), "bool [1]: 1",
                "a quantized tensor and one of another type are not promoted"),
        REFUSED(REDUCE_MEAN, ("int16@1@5 [2]: 1 2", "=int32 [1]: 0"), "int16@1@0 [1]: 1",
                "sums, means and products of int16 need zero points of 0"),
        REFUSED(REDUCE_SUM, ("int8@1@0 [2]: 1 2", "=int32 [1]: 0"), "int8 [1]: 1",
                "sums, means and products of int8 and int16 need one scale"),
        REFUSED(FULL_CONNECTION, ("int8 [1,1]: 1", "=int8@1@0 [1,1]: 1"), "int8@1@0 [1,1]: 1",
                "int8 activations need one scale and one zero point"),
        REFUSED(FULL_CONNECTION, ("int16@1@1 [1,1]: 1", "=int8@1@0 [1,1]: 1"), "int16@1@0 [1,1]: 1",
                "int16 activations need one scale and the zero point 0"),
        REFUSED(FULL_CONNECTION, ("int8@1@0 [1,1]: 1", "=int8@1@1 [1,1]: 1"), "int8@1@0 [1,1]: 1",
                "int8 weights need one scale, or one per output channel, and zero points of 0"),
        EDGE_REFUSED(FULL_CONNECTION, IN("float32 [2,3]: 1 2 3 4 5 6", "=float32 [1,2]: 1 1"),
                     OUT("float32 [2,1]: 0 0"),
                     "the dimensions from axis on must hold as many values as a row of weights",
                     {OH_NN_FULL_CONNECTION_AXIS, "1"}),
        EDGE_REFUSED(FULL_CONNECTION, IN("float32 [1,1,1,1,1,1,1,1,1,1]: 1", "=float32 [1,1]: 1"),
                     OUT("float32 [1]: 0"), "the output has too many dimensions", {OH_NN_FULL_CONNECTION_AXIS, "10"}),
        EDGE_REFUSED(FULL_CONNECTION, IN("float32 [1,1]: 1", "=float32 [1,1]: 1"), OUT("float32 [1,1]: 0"),
                     "OH_NN_FULL_CONNECTION_AXIS is given and USE_AXIS is false", {OH_NN_FULL_CONNECTION_AXIS, "1"},
                     {OH_NN_FULL_CONNECTION_USE_AXIS, "0"}),
        EDGE_REFUSED(CONV2D, IN("float32 [1,1,1,2]: 1 2", "=float32 [3,1,1,1]: 1 1 1", "=float32 [3]: 0 0 0"),
                     OUT("float32 [1,1,1,3]: 0 0 0"), "input and output channels must divide by the number of groups",
                     {OH_NN_CONV2D_STRIDES, "1 1"}, {OH_NN_CONV2D_GROUP, "2"}),
        EDGE_REFUSED(AVG_POOL, IN("float32 [1,1,1,1]: 1"), OUT("float32 [1,1,1,1]: 0"),
                     "the window has more cells than the kernels can add", {OH_NN_AVG_POOL_KERNEL_SIZE, "32768 32768"},
                     {OH_NN_AVG_POOL_STRIDE, "1 1"}),
        EDGE_REFUSED(AVG_POOL, IN("int8@1@0 [1,1,1,1]: 1"), OUT("int8 [1,1,1,1]: 0"),
                     "input and output must both have one scale and one zero point, or none",
                     {OH_NN_AVG_POOL_KERNEL_SIZE, "1 1"}, {OH_NN_AVG_POOL_STRIDE, "1 1"}),
        EDGE_REFUSED(MAX_POOL, IN("int16 [1,1,1,1]: 1"), OUT("int16@1@0 [1,1,1,1]: 0"),
                     "input and output must both have one scale and the zero point 0, or none",
                     {OH_NN_MAX_POOL_KERNEL_SIZE, "1 1"}, {OH_NN_MAX_POOL_STRIDE, "1 1"}),
        EDGE_REFUSED(PAD, IN("float32 [2]: 1 2", "=int32 [1,2]: 2 0"), OUT("float32 [4]: 0 0 0 0"),
                     "a mirrored padding is wider than what it mirrors", {OH_NN_PAD_PADDING_MODE, "1"}),
        EDGE_REFUSED(PAD, IN("float32 [2]: 1 2", "=int32 [1,2]: 0 3"), OUT("float32 [5]: 0 0 0 0 0"),
                     "a mirrored padding is wider than what it mirrors", {OH_NN_PAD_PADDING_MODE, "2"}),
        EDGE_REFUSED(QUANT_DTYPE_CAST, IN("int16@2000000000@0 [1]: 1"), OUT("int16@0.5@0 [1]: 0"),
                     "the ratio of the scales is 2^30 or more", FROM_TO("3", "3")),
        EDGE_REFUSED(MATMUL, IN("int8 [1,1]: 1", "int8@1@0 [1,1]: 1"), OUT("int8@1@0 [1,1]: 0"),
                     "int8 needs one scale and one zero point for each tensor", {OH_NN_TENSOR, NULL}),
    };
    EDGE_TRY(rows);
}

/* As far as they may go: the mirrors of a padding, and a float16 that is not 0. */
Test(ops_edges, paddings_up_to_their_bounds) {
    static const edge rows[] = {
        EDGE_WITH(PAD, IN("float32 [2]: 1 2", "=int32 [1,2]: 1 1"), OUT("float32 [4]: 2 1 2 1"),
                  {OH_NN_PAD_PADDING_MODE, "1"}),
        EDGE_WITH(PAD, IN("float32 [2]: 1 2", "=int32 [1,2]: 2 2"), OUT("float32 [6]: 2 1 1 2 2 1"),
                  {OH_NN_PAD_PADDING_MODE, "2"}),
        EDGE_WITH(PAD, IN("float16 [1]: 0x3c00", "=int32 [1,2]: 1 0"), OUT("float16 [2]: 0xfc00 0x3c00"),
                  {OH_NN_PAD_CONSTANT_VALUE, "-inf"}),
        EDGE_WITH(CONSTANT_OF_SHAPE, IN("=int32 [1]: 2"), OUT("float16 [2]: 0x7bff 0x7bff"),
                  {OH_NN_CONSTANT_OF_SHAPE_VALUE, "65504"}),
        EDGE_WITH(CONSTANT_OF_SHAPE, IN("=int32 [1]: 1"), OUT("int64 [1]: 9223372036854775807"),
                  {OH_NN_CONSTANT_OF_SHAPE_VALUE, "inf"}),
        EDGE_WITH(PAD, IN("int64 [1]: 1", "=int32 [1,2]: 0 1"), OUT("int64 [2]: 1 -9223372036854775808"),
                  {OH_NN_PAD_CONSTANT_VALUE, "-1e30"}),
        EDGE_WITH(PAD, IN("uint64 [1]: 1", "=int32 [1,2]: 0 1"), OUT("uint64 [2]: 1 18446744073709551615"),
                  {OH_NN_PAD_CONSTANT_VALUE, "1e30"}),
    };
    EDGE_TRY(rows);
}

/* Without an activation the bounds are infinite, and as everywhere a NaN ends at the lower one. */
Test(ops_edges, a_nan_in_a_product_or_an_average_is_its_lower_bound) {
    static const edge rows[] = {
        EDGE(FULL_CONNECTION, IN("float32 [3,2]: nan 1 inf -inf 2 3", "=float32 [1,2]: 1 1"),
             OUT("float32 [3,1]: -inf -inf 5")),
        EDGE_WITH(FULL_CONNECTION, IN("float32 [1,1]: nan", "=float32 [1,1]: 1"), OUT("float32 [1,1]: 0"),
                  {OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, "1"}),
        EDGE_WITH(CONV2D, IN("float32 [1,1,2,1]: nan 2", "=float32 [1,1,1,1]: 3", "=float32 [1]: 1"),
                  OUT("float32 [1,1,2,1]: -inf 7"), {OH_NN_CONV2D_STRIDES, "1 1"}),
        EDGE_WITH(DEPTHWISE_CONV2D_NATIVE, IN("float32 [1,1,2,1]: nan 2", "=float32 [1,1,1,1]: 3", "=float32 [1]: 1"),
                  OUT("float32 [1,1,2,1]: -inf 7"), {OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, "1 1"}),
        EDGE(MATMUL, IN("float32 [1,2]: inf 1", "float32 [2,2]: 0 1 1 -inf"), OUT("float32 [1,2]: -inf -inf")),
        EDGE_WITH(AVG_POOL, IN("float32 [1,1,4,1]: inf -inf nan 1"), OUT("float32 [1,1,2,1]: -inf -inf"),
                  {OH_NN_AVG_POOL_KERNEL_SIZE, "1 2"}, {OH_NN_AVG_POOL_STRIDE, "1 2"}),
        EDGE_WITH(MAX_POOL, IN("float32 [1,1,4,1]: nan nan nan 1"), OUT("float32 [1,1,2,1]: -inf 1"),
                  {OH_NN_MAX_POOL_KERNEL_SIZE, "1 2"}, {OH_NN_MAX_POOL_STRIDE, "1 2"}),
    };
    EDGE_TRY(rows);
}

/* What OpenHarmony's own tests of its operators ask for: functions of integers and truth values in float32, and of
   truth values as truth values, "not 0". */
Test(ops_edges, functions_of_integers_and_truth_values) {
    static const edge rows[] = {
        EDGE(COS, IN("int64: 0 0"), OUT("float32: 1 1")),
        EDGE(SIN, IN("bool: 0"), OUT("float32: 0")),
        EDGE(EXP, IN("bool: 0"), OUT("float32: 1")),
        EDGE(LOG, IN("int64: 1 0 -1"), OUT("float32: 0 -inf nan")),
        EDGE(LOG, IN("bool: 1 0"), OUT("float32: 0 -inf")),
        EDGE(LOG, IN("bool: 1 0"), OUT("bool: 0 1")),
        EDGE(RECIPROCAL, IN("bool: 1 0"), OUT("float32: 1 inf")),
        EDGE(RECIPROCAL, IN("int8: 4 -2 0"), OUT("float32: 0.25 -0.5 inf")),
        EDGE(SQRT, IN("uint32: 4294967295"), OUT("float32: 65536")),
        EDGE(NEG, IN("bool: 1 0"), OUT("bool: 1 0")),
        EDGE(NEG, IN("bool: 1 0"), OUT("float32: -1 -0")),
        EDGE(NEG, IN("int64: 0 1 -5 -9223372036854775808"), OUT("int64: 0 -1 5 -9223372036854775808")),
        EDGE(ABS, IN("int64: 0 1 -5 -9223372036854775808 9223372036854775807"),
             OUT("int64: 0 1 5 -9223372036854775808 9223372036854775807")),
        EDGE(SQUARE, IN("int64: 3037000499 -3 4294967296"), OUT("int64: 9223372030926249001 9 0")),
        EDGE(ABS, IN("int64: -7"), OUT("float32: 7")),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, two_truth_values_are_numbers_or_truth_values) {
    static const edge rows[] = {
        EDGE(MINIMUM, IN("bool: 0 0 1 1", "bool: 0 1 0 1"), OUT("bool: 0 0 0 1")),
        EDGE(MAXIMUM, IN("bool: 0 0 1 1", "bool: 0 1 0 1"), OUT("bool: 0 1 1 1")),
        EDGE(MINIMUM, IN("float32: -1 0.5 2", "bool: 1 1 1"), OUT("float32: -1 0.5 1")),
        EDGE(MOD, IN("bool: 0 1", "bool: 1 1"), OUT("int64: 0 0")),
        EDGE(MOD, IN("bool: 1", "int64: 3 -2"), OUT("int64: 1 1")),
        EDGE(ADD, IN("bool: 0 1 1", "bool: 0 0 1"), OUT("int32: 0 1 2")),
        EDGE(SUB, IN("bool: 0 1", "bool: 1 1"), OUT("float32: -1 0")),
        EDGE(LOGICAL_AND, IN("int64: 0 5 -1", "bool: 1 1 0"), OUT("bool: 0 1 0")),
        EDGE(LOGICAL_NOT, IN("int64: 0 5"), OUT("bool: 1 0")),
    };
    EDGE_TRY(rows);
}

Test(ops_edges, indices_of_float32_are_cut_off_towards_zero) {
    static const edge rows[] = {
        EDGE(GATHER_ND, IN("float32 [2,2]: 1 2 3 4", "float32 [3,2]: 0 0 1 1 1 0.9"), OUT("float32 [3]: 1 4 3")),
        EDGE(SCATTER_ND, IN("float32 [2,1]: 0 2", "float32 [2]: 1 3", "=float32 [1]: 3"), OUT("float32 [3]: 1 0 3")),
        EDGE(SPARSE_TO_DENSE, IN("float32 [2]: 1 3", "float32 [2]: 7 8", "=float32 [1]: 4"),
             OUT("float32 [4]: 0 7 0 8")),
        EDGE(RANK, IN("float32 [1,2,3]: 1 2 3 4 5 6"), OUT("float32 [1]: 3")),
    };
    EDGE_TRY(rows);
}
