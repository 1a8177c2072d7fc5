/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.c - the library as the object that suites link with: see linked.h. */
#define NNRT_TESTS_OBJECT
#include "linked.h"
