/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.c - the implementation as one object, for those who link it instead of compiling it. */
#define NNRT_IMPLEMENTATION
/* Rockchip's NPU without Rockchip's library: it does parts of the CPU device's models, and needs no library. */
#if !defined(NNRT_NO_CPU) && !defined(NNRT_BACKEND_RKNPU_OPEN)
#define NNRT_BACKEND_RKNPU_OPEN
#endif
#include "nnrt.h"
