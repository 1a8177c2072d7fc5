/* SPDX-License-Identifier: Apache-2.0 */
/* linked.h - nnrt.h with its private parts, for suites that link with build/VARIANT/nnrt.o, the library compiled from
   tests/nnrt.c. A suite compiles in half a second this way, in twelve if it compiles the library itself; there are
   sixty suites and ten variants. Include it in place of nnrt.h, and nothing before it: the makefile precompiles it once
   for all suites of a variant. Private functions are visible as declarations (linked_functions.h). The object has every
   device, every operator and counting_alloc.h. A suite that needs another configuration defines NNRT_IMPLEMENTATION and
   includes nnrt.h; one that tests a single file includes that file (tests/npu/test_npu_layout.c); one of the table of
   kernels includes linked_kernels.h. */
#ifndef NNRT_TESTS_LINKED_H
#define NNRT_TESTS_LINKED_H

#include "linked_functions.h"
#ifndef NNRT_TESTS_OBJECT
#define NNRT_API NNRT__FN
#define COUNTING_ELSEWHERE
#endif
#define COUNTING_SHARED
#include "counting_alloc.h"
#define NNRT__TEAM_LEAST 1u /* so that threads share even the small steps of tests */

#define NNRT_IMPLEMENTATION
#define NNRT_DETECTION
#define NNRT_GROUPS
#define NNRT_IMAGE
#define NNRT_SELFTEST
#ifndef NNRT_NO_STDIO /* which these devices need */
#define NNRT_BACKEND_RKNPU
#define NNRT_BACKEND_RKNPU_OPEN
#define NNRT_BACKEND_NNIE
#define NNRT_BACKEND_BPU
#define NNRT_DSP
#endif
#include "nnrt.h"

#endif /* NNRT_TESTS_LINKED_H */
