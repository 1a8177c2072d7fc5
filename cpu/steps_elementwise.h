/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_elementwise.h - the kinds of steps of the elementwise family, ids 0x200 to 0x2ff.   >>cpu_steps_elementwise

   Rooms   cpu/steps_binary.h  two operands with broadcasting; chunks
           cpu/steps_unary.h   one operand, byte tables, quantization, casts
           cpu/steps_rows.h    softmax, normalisations, scaling per channel
           cpu/steps_s16.h     int16, conversions between quantized integers */
#ifndef NNRT_CPU_STEPS_ELEMENTWISE_H
#define NNRT_CPU_STEPS_ELEMENTWISE_H

#include "steps_binary.h"
#include "steps_rows.h"
#include "steps_s16.h"
#include "steps_unary.h"

#endif /* NNRT_CPU_STEPS_ELEMENTWISE_H */
