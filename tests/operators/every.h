/* SPDX-License-Identifier: Apache-2.0 */
/* every.h - the families of operators, in the order of the page. */
#ifndef NNRT_TESTS_OPERATORS_EVERY_H
#define NNRT_TESTS_OPERATORS_EVERY_H

#include "arithmetic.h"
#include "functions.h"
#include "lookup.h"
#include "movement.h"
#include "networks.h"
#include "products.h"
#include "reductions.h"
#include "rows.h"

#define SAID_BROADCAST_TEXT                                                                                            \
    "Shapes are aligned at their last dimension, missing ones count as 1, and of two dimensions one is 1 or both are " \
    "equal."
#define SAID_PROMOTED_TEXT                                                                                       \
    " Operands of different types that are not quantized become the later of bool, int8, uint8, int16, uint16, " \
    "int32, "                                                                                                    \
    "uint32, int64, uint64, float16, float32, float64, if the operator takes it."

static const said_family said_families[] = {
    {"Convolution",
     "Padding is 0, of integers the zero point. Where both a mode and a list of pads are given, SAME counts, and VALID "
     "leaves the list. SAME has ceil(size / stride) outputs; else there are (size + pads - kernel') / stride + 1, "
     "rounded "
     "down, where kernel' = (kernel - 1) * dilation + 1.",
     SAID_LIST(said_operators_conv)},
    {"Depthwise convolution", "Windows, pads and modes as of CONV2D.", SAID_LIST(said_operators_depthwise)},
    {"Transposed convolution",
     "An output has (size - 1) * stride + kernel' - pads + OUTPUT_PADDINGS pixels, with SAME size * stride + "
     "OUTPUT_PADDINGS.",
     SAID_LIST(said_operators_transpose_conv)},
    {"Full connection", NULL, SAID_LIST(said_operators_full)},
    {"Matrix product",
     "Where input2 is one constant matrix, its rows are packed at Build, and the operator takes the types of a full "
     "connection.",
     SAID_LIST(said_operators_matmul)},
    {"Pools",
     "Each of the two takes the parameters of the other one as well. Padding is never part of a result. Pads and modes "
     "as "
     "of CONV2D, but there is at least one output.",
     SAID_LIST(said_operators_pool)},
    {"Arithmetic",
     SAID_BROADCAST_TEXT SAID_PROMOTED_TEXT
     " Integers wrap. A float divided by 0 is infinite or NaN; an integer divided by "
     "0 fails the run.",
     SAID_LIST(said_operators_two)},
    {"PRELU", NULL, SAID_LIST(said_operators_prelu)},
    {"BIAS_ADD", NULL, SAID_LIST(said_operators_bias_add)},
    {"Comparisons and logic",
     SAID_BROADCAST_TEXT SAID_PROMOTED_TEXT " Bytes that are quantized are compared as the real numbers that they "
                                            "stand for. With a NaN only NOT_EQUAL is true.",
     SAID_LIST(said_operators_compare)},
    {"LOGICAL_NOT", "Of a quantized byte 0 is its zero point.", SAID_LIST(said_operators_not)},
    {"Functions of one element",
     "A function of quantized int8 or uint8 is a table of 256 bytes, made at Build. Integers and bool without "
     "quantization are computed in float32 where the output is float32; a bool output says which results are not 0. "
     "Nothing fails a run: what is not defined is NaN or infinite, and the lowest byte where there is neither.",
     SAID_LIST(said_operators_one)},
    {"CAST",
     "Floats are cut off towards zero and saturate, a NaN becomes 0; integers keep their low bits; other than 0 is "
     "true. "
     "`DEQUANTIZE` of float16 is a CAST.",
     SAID_LIST(said_operators_cast)},
    {"QUANT_DTYPE_CAST",
     "Quantized tensors have one scale and zero point, or one for each index of AXIS. int16 and int32 become other "
     "integers "
     "per tensor only.",
     SAID_LIST(said_operators_quant_cast)},
    {"Softmax",
     "int8 is computed in fixed point where the output has the scale 1/256 and the zero point -128, int16 where it has "
     "1/32768; else in float between two quantizations.",
     SAID_LIST(said_operators_softmax)},
    {"L2_NORMALIZE", NULL, SAID_LIST(said_operators_l2)},
    {"LRN", NULL, SAID_LIST(said_operators_lrn)},
    {"Layer and instance normalisation", NULL, SAID_LIST(said_operators_normalize)},
    {"Batch normalisation and scale", "Numbers are float32, or quantized or plain int8, uint8, int16, int32.",
     SAID_LIST(said_operators_affine)},
    {"Reductions", NULL, SAID_LIST(said_operators_reduce)},
    {"The largest elements",
     "Of equal elements the one with the lower index comes first; a NaN is larger than any number.",
     SAID_LIST(said_operators_top)},
    {"Reshapes", "No step at all where input and output can share their bytes.", SAID_LIST(said_operators_reshape)},
    {"Joining and cutting apart", "int8 and uint8 are rescaled where scales or zero points differ.",
     SAID_LIST(said_operators_join)},
    {"Windows", "int8 and uint8 are rescaled where scales or zero points differ. No result may be empty.",
     SAID_LIST(said_operators_window)},
    {"Permutations and repetitions", "int8 and uint8 are rescaled where scales or zero points differ.",
     SAID_LIST(said_operators_repeat)},
    {"PAD", NULL, SAID_LIST(said_operators_pad)},
    {"Space, depth and batches", NULL, SAID_LIST(said_operators_block)},
    {"RESIZE_BILINEAR", NULL, SAID_LIST(said_operators_resize)},
    {"Indices", "Which indices are there is seen in the run.", SAID_LIST(said_operators_index)},
    {"Choice", NULL, SAID_LIST(said_operators_select)},
    {"Tensors from nothing", NULL, SAID_LIST(said_operators_nothing)},
    {"ASSERT", NULL, SAID_LIST(said_operators_assert)},
    {"DETECTION_POST_PROCESS", "Of equal scores the lower box, then the lower class comes first.",
     SAID_LIST(said_operators_detection)},
    {"LSTM", "One layer. Nothing is kept between two runs but what the program gives and takes.",
     SAID_LIST(said_operators_lstm)},
    {"Of .tflite files only",
     "No program can add these. State stays in the executor from one run to the next (nnrt_executor_reset).\n\n"
     "Of some operators a file has forms that a program has not: `BROADCAST_TO`, `RANGE` (also of floats), `ARG_MAX`,\n"
     "`ARG_MIN`, `SPLIT`, `SPLIT_V` and `RESIZE_BILINEAR` take as inputs what OpenHarmony has as parameters, `GATHER`\n"
     "may have batches, `CONV2D_TRANSPOSE` the shape of its output, which decides about the pads and cuts off or\n"
     "fills up, and `WHERE` of a condition alone lists the places of what is not 0. Values that decide about\n"
     "shapes are constants, computed from shapes, or come from model inputs of at most 1 KiB. Tensors with a\n"
     "dimension of 0 are done away with while the file is read; model inputs and outputs must have elements.",
     SAID_LIST(said_operators_files)},
};

/* What is said of an operator; NULL: nothing. */
static __attribute__((unused)) const said_operator *said_find(int op) {
    size_t f;
    unsigned i;
    for (f = 0; f < sizeof(said_families) / sizeof(said_families[0]); f++)
        for (i = 0; i < said_families[f].count; i++)
            if ((int)said_families[f].operators[i].op == op) return &said_families[f].operators[i];
    return NULL;
}

#endif /* NNRT_TESTS_OPERATORS_EVERY_H */
