/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt.c - the implementation for firmware without files and threads of POSIX, as packages for microcontrollers compile
   it. Options (">>config" in nnrt.h) stand in a header of the program: NNRT_OPTIONS_FILE names it in quotes, or it is
   called nnrt_options.h. A program that wants threads or files compiles the implementation itself. */
#if defined(NNRT_OPTIONS_FILE)
#include NNRT_OPTIONS_FILE
#elif defined(__has_include)
#if __has_include("nnrt_options.h")
#include "nnrt_options.h"
#endif
#endif
#ifndef NNRT_NO_THREADS
#define NNRT_NO_THREADS
#endif
#ifndef NNRT_NO_STDIO
#define NNRT_NO_STDIO
#endif
#define NNRT_IMPLEMENTATION
#include "nnrt.h"
