/* SPDX-License-Identifier: Apache-2.0 */
/* linked_kernels.h - the kernels for suites that link with build/VARIANT/kernels.o, which is tests/kernels.c: nothing
   above them is compiled, so that the effect of a change of a kernel shows in seconds. Include it in place of linked.h;
   it has no models, plans or errors. A suite that also tests kernels through steps of the CPU device
   (test_kernels_elementwise, test_kernels_long_rows) includes linked.h. */
#ifndef NNRT_TESTS_LINKED_KERNELS_H
#define NNRT_TESTS_LINKED_KERNELS_H

#include "linked_functions.h"

#include "kernels/binary_s8_scalar.h"
#include "kernels/copy_plane_scalar.h"
#include "kernels/float16.h"
#include "kernels/l2_s8_scalar.h"
#include "kernels/lut_s8_scalar.h"
#include "kernels/quantize_scalar.h"
#include "kernels/softmax_f32_scalar.h"
#include "kernels/softmax_s16_scalar.h"
#include "kernels/softmax_s8_scalar.h"
#include "kernels/unary_f32_scalar.h"
#include "kernels/unary_s16_scalar.h"
#include "nnrt_cpu_kernels.h"

#endif /* NNRT_TESTS_LINKED_KERNELS_H */
