/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - the kernels as the object that their suites link with: see linked_kernels.h. */
#define NNRT_TESTS_OBJECT
#include "linked_kernels.h"
