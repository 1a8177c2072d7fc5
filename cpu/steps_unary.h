/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_unary.h - steps of one operand: float and int32 functions, byte tables, quantization and casts.
   >>cpu_steps_unary */
#ifndef NNRT_CPU_STEPS_UNARY_H
#define NNRT_CPU_STEPS_UNARY_H

#include "../kernels/lut_s8_scalar.h"
#include "../kernels/quantize_scalar.h"
#include "../kernels/s16_scalar.h"
#include "../kernels/unary_f32_scalar.h"
#include "steps_binary.h"

/* Input 0 has as many elements as output 0. */
NNRT__FN bool nnrt__same_count(const nnrt__step_view *view) {
    return view->operands[0] != NULL &&
           nnrt__value_count(view->operands[0]) == nnrt__value_count(nnrt__step_output(view, 0));
}

NNRT__INLINE bool nnrt__is_byte_dtype(const nnrt__plan_value *value) {
    return nnrt__value_has_dtype(value, OH_NN_INT8) || nnrt__value_has_dtype(value, OH_NN_UINT8);
}

/* ---------------------------------------------------------------------------------------------- functions */

typedef struct nnrt__unary_args {
    uint32_t kind; /* nnrt__unary_kind; int32: ABS, NEG, SQUARE */
    float alpha, beta;
    uint32_t reserved;
} nnrt__unary_args;

NNRT__FN bool nnrt__unary_check(const nnrt__step_view *view) {
    const nnrt__unary_args *args = (const nnrt__unary_args *)view->arguments;
    if (!nnrt__same_count(view) || view->operands[0]->dtype != view->operands[1]->dtype) return false;
    if (nnrt__value_has_dtype(view->operands[0], OH_NN_FLOAT32)) return args->kind < NNRT__UNARY_KINDS;
    return nnrt__value_has_dtype(view->operands[0], OH_NN_INT32) &&
           (args->kind == NNRT__UNARY_ABS || args->kind == NNRT__UNARY_NEG || args->kind == NNRT__UNARY_SQUARE);
}

NNRT__FN OH_NN_ReturnCode nnrt__unary_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__unary_args *args = (const nnrt__unary_args *)view->arguments;
    size_t begin, end;
    const void *in;
    void *out;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__chunk_range(view, call, &begin, &end);
    in = nnrt__element_at(view, call, 0, begin);
    out = nnrt__element_at(view, call, 1, begin);
    if (nnrt__value_has_dtype(view->operands[0], OH_NN_FLOAT32))
        view->kernels->unary_f32(args->kind, (const float *)in, args->alpha, args->beta, (float *)out, end - begin);
    else nnrt__unary_s32_scalar(args->kind, (const int32_t *)in, (int32_t *)out, end - begin);
    return OH_NN_SUCCESS;
}

/* Most are made of exp or log. */
NNRT__FN uint64_t nnrt__unary_work(const nnrt__step_view *view) {
    return 8 * (uint64_t)nnrt__value_count(nnrt__step_output(view, 0));
}

NNRT__FN const char *nnrt__unary_isa(const nnrt__step_view *view) {
    const uint32_t kind = ((const nnrt__unary_args *)view->arguments)->kind;
    return nnrt__value_has_dtype(view->operands[0], OH_NN_FLOAT32) && (view->kernels->unary_f32_kinds >> kind & 1) != 0
               ? view->kernels->unary_f32_isa
               : "scalar";
}

NNRT__STEP_KIND(unary, INPUTS(1, 1), OUTPUTS(1, 1), ARGUMENTS(nnrt__unary_args), CHECK(nnrt__unary_check),
                SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(nnrt__unary_isa), RUN(nnrt__unary_run),
                WORK(nnrt__unary_work), NOTHING_READY)

/* ------------------------------------------------------------------------------------- byte tables: input,
   table */

NNRT__FN bool nnrt__lut_s8_check(const nnrt__step_view *view) {
    return nnrt__same_count(view) && nnrt__is_byte_dtype(view->operands[0]) && nnrt__is_byte_dtype(view->operands[2]) &&
           nnrt__value_is(view->operands[1], OH_NN_UINT8, 1) && view->operands[1]->dims[0] == 256;
}

NNRT__FN OH_NN_ReturnCode nnrt__lut_s8_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    size_t begin, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__chunk_range(view, call, &begin, &end);
    view->kernels->lut_s8((const uint8_t *)call->data[1], (const uint8_t *)call->data[0] + begin,
                          (uint8_t *)call->data[2] + begin, end - begin);
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__lut_s8_isa(const nnrt__step_view *view) { return view->kernels->lut_s8_isa; }

NNRT__STEP_KIND(lut_s8, INPUTS(2, 2), OUTPUTS(1, 1), NO_ARGUMENTS, CHECK(nnrt__lut_s8_check), SCRATCH(NULL),
                UNITS(nnrt__chunk_units), ISA(nnrt__lut_s8_isa), RUN(nnrt__lut_s8_run), WORK(NULL), NOTHING_READY)

/* ------------------------------------------------------------------------------------- quantization

   Float to int8, uint8 or int16, or back. Per tensor: one scale and zero point in the arguments. Per channel: inputs
   1 and 2 are float scales and int32 zero points of axis `axis`. */

typedef struct nnrt__quantize_args {
    float scale;
    int32_t zero_point;
    uint32_t axis; /* per channel */
    uint32_t reserved;
} nnrt__quantize_args;

NNRT__FN bool nnrt__quantize_check(const nnrt__step_view *view) {
    const nnrt__quantize_args *args = (const nnrt__quantize_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const nnrt__plan_value *quantized = nnrt__value_has_dtype(in, OH_NN_FLOAT32) ? out : in;
    const bool wide = nnrt__value_has_dtype(quantized, OH_NN_INT16);
    if (!nnrt__same_count(view) || args->zero_point < (wide ? -32768 : -128) ||
        args->zero_point > (wide ? 32767 : 255) || !(wide || nnrt__is_byte_dtype(quantized)) ||
        !nnrt__value_has_dtype(quantized == out ? in : out, OH_NN_FLOAT32))
        return false;
    if (view->input_count == 1) return true;
    return view->input_count == 3 && nnrt__value_is(view->operands[1], OH_NN_FLOAT32, 1) &&
           nnrt__value_is(view->operands[2], OH_NN_INT32, 1) && args->axis < out->rank &&
           view->operands[1]->dims[0] == out->dims[args->axis] && view->operands[2]->dims[0] == out->dims[args->axis];
}

/* n elements of one scale and zero point, to or from float. */
NNRT__FN void nnrt__quantize_some(const nnrt__cpu_table *kernels, uint32_t from, const void *in, uint32_t to, void *out,
                                  float scale, int32_t zero_point, size_t n) {
    if (to == (uint32_t)OH_NN_INT16)
        nnrt__quantize_s16_scalar((const float *)in, scale, nnrt__clamp_i32(zero_point, -32768, 32767), (int16_t *)out,
                                  n);
    else if (from == (uint32_t)OH_NN_INT16)
        nnrt__dequantize_s16_scalar((const int16_t *)in, scale, nnrt__clamp_i32(zero_point, -32768, 32767),
                                    (float *)out, n);
    else if (to == (uint32_t)OH_NN_FLOAT32)
        kernels->dequantize_f32(in, scale, nnrt__clamp_i32(zero_point, -128, 255), from == (uint32_t)OH_NN_INT8,
                                (float *)out, n);
    else
        kernels->quantize_f32((const float *)in, scale, nnrt__clamp_i32(zero_point, -128, 255),
                              to == (uint32_t)OH_NN_INT8, out, n);
}

NNRT__FN OH_NN_ReturnCode nnrt__quantize_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__quantize_args *args = (const nnrt__quantize_args *)view->arguments;
    const uint32_t output = view->input_count;
    size_t at, end, n, inner = 1, channels = 1;
    uint32_t k;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__chunk_range(view, call, &at, &end);
    if (output == 3) {
        channels = (size_t)view->operands[3]->dims[args->axis];
        for (k = args->axis + 1; k < view->operands[3]->rank; k++) inner *= (size_t)view->operands[3]->dims[k];
    } else {
        inner = end;
    }
    for (; at < end; at += n) {
        const size_t channel = at / inner % channels;
        const float scale = output == 3 ? ((const float *)call->data[1])[channel] : args->scale;
        const int32_t zero_point = output == 3 ? ((const int32_t *)call->data[2])[channel] : args->zero_point;
        n = inner - at % inner < end - at ? inner - at % inner : end - at;
        nnrt__quantize_some(view->kernels, view->operands[0]->dtype, nnrt__element_at(view, call, 0, at),
                            view->operands[output]->dtype, nnrt__element_at(view, call, output, at), scale, zero_point,
                            n);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN const char *nnrt__quantize_isa(const nnrt__step_view *view) {
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    if (nnrt__is_byte_dtype(in)) return view->kernels->dequantize_f32_isa;
    return nnrt__is_byte_dtype(out) ? view->kernels->quantize_f32_isa : "scalar";
}

NNRT__STEP_KIND(quantize, INPUTS(1, 3), OUTPUTS(1, 1), ARGUMENTS(nnrt__quantize_args), CHECK(nnrt__quantize_check),
                SCRATCH(NULL), UNITS(nnrt__chunk_units), ISA(nnrt__quantize_isa), RUN(nnrt__quantize_run), WORK(NULL),
                NOTHING_READY)

/* -------------------------------------------------------------------------------------------------- casts */

NNRT__INLINE bool nnrt__is_cast_type(uint32_t dtype) {
    return dtype >= (uint32_t)OH_NN_BOOL && dtype <= (uint32_t)OH_NN_FLOAT64;
}

NNRT__FN bool nnrt__cast_check(const nnrt__step_view *view) {
    return nnrt__same_count(view) && nnrt__is_cast_type(view->operands[0]->dtype) &&
           nnrt__is_cast_type(view->operands[1]->dtype);
}

NNRT__FN OH_NN_ReturnCode nnrt__cast_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    size_t begin, end;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nnrt__chunk_range(view, call, &begin, &end);
    nnrt__cast_scalar(view->operands[0]->dtype, nnrt__element_at(view, call, 0, begin), view->operands[1]->dtype,
                      nnrt__element_at(view, call, 1, begin), end - begin);
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(cast, INPUTS(1, 1), OUTPUTS(1, 1), NO_ARGUMENTS, CHECK(nnrt__cast_check), SCRATCH(NULL),
                UNITS(nnrt__chunk_units), ISA(NULL), RUN(nnrt__cast_run), WORK(NULL), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_UNARY_H */
