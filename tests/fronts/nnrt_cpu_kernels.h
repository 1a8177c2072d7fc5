/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_cpu_kernels.h for `make test-amalgam`: suites that include the kernels' front page alone get the one
   file, in which the kernels are the same text. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"
