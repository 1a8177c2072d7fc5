/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.c - the implementation as one object, for those who link it instead of compiling it. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"
