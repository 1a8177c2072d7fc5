/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.c - the library, in a file of its own: whoever calls it includes nnrt.h without NNRT_IMPLEMENTATION. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"
