/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_elementwise.h - the kinds of steps of the elementwise family, ids 0x200 to 0x2ff.
   >>cpu:elementwise

   Rooms   cpu/steps_binary.h  two operands with broadcasting; chunks
           cpu/steps_unary.h   one operand, byte tables, quantisation, casts
           cpu/steps_rows.h    softmax, normalisations, scaling per channel */
#ifndef NNRT_CPU_STEPS_ELEMENTWISE_H
#define NNRT_CPU_STEPS_ELEMENTWISE_H

#include "steps_binary.h"
#include "steps_rows.h"
#include "steps_unary.h"

static const nnrt__step_kind *const nnrt__elementwise_steps[] = {
    &nnrt__step_binary_f32, &nnrt__step_binary_int, &nnrt__step_binary_s8, &nnrt__step_compare,
    &nnrt__step_unary,      &nnrt__step_lut_s8,     &nnrt__step_quantize,  &nnrt__step_cast,
    &nnrt__step_row_f32,    &nnrt__step_softmax_s8, &nnrt__step_normalize, &nnrt__step_affine,
};

#endif /* NNRT_CPU_STEPS_ELEMENTWISE_H */
