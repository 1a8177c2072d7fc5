/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform.h - what nnrt asks of the C library and the system, in one room.   >>platform

   Everything above this room is plain C99. Here are unaligned reads, and in the pieces platform_*.h CRC-32, allocation
   with checked size arithmetic, the clock, threads with atomics, and files. Every system call of the core is in those,
   or in shared_memory.h; with NNRT_NO_THREADS and NNRT_NO_STDIO there is none. Compiler features are in
   kernels/compiler.h, because the kernels need the same ones. */
#ifndef NNRT_CORE_PLATFORM_H
#define NNRT_CORE_PLATFORM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/assert.h"
#include "../kernels/clear.h"
#include "../kernels/compiler.h"
#include "api_extensions.h"

/* ----------------------------------------------------------------------------------------------- compiler */

/* The compiler checks the arguments of a sentence against its text. Not with newlib: its uint32_t is unsigned long, so
   every %u would cause a false warning. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__NEWLIB__)
#define NNRT__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define NNRT__PRINTF(text, first)
#endif

/* A reason for use in a sentence; with NNRT_NO_SENTENCES, "". */
#ifndef NNRT_NO_SENTENCES
#define NNRT__WHY(text) text
#else
#define NNRT__WHY(text) ""
#endif

/* ---------------------------------------------------------------------------------------- unaligned reads */

/*@ requires \valid_read((const uint8_t *)from + (0 .. 1));
    assigns \nothing; */
NNRT__FN uint16_t nnrt__read_u16(const void *from) {
    const uint8_t *b = (const uint8_t *)from;
    return (uint16_t)(b[0] | ((uint32_t)b[1] << 8));
}

/*@ requires \valid_read((const uint8_t *)from + (0 .. 3));
    assigns \nothing; */
NNRT__FN uint32_t nnrt__read_u32(const void *from) {
    const uint8_t *b = (const uint8_t *)from;
    return (uint32_t)b[0] | ((uint32_t)b[1] << 8) | ((uint32_t)b[2] << 16) | ((uint32_t)b[3] << 24);
}

/*@ requires \valid_read((const uint8_t *)from + (0 .. 3));
    assigns \nothing; */
NNRT__FN int32_t nnrt__read_i32(const void *from) {
    int32_t value;
    memcpy(&value, from, sizeof(value));
    return value;
}

/*@ requires \valid_read((const uint8_t *)from + (0 .. 7));
    assigns \nothing; */
NNRT__FN int64_t nnrt__read_i64(const void *from) {
    int64_t value;
    memcpy(&value, from, sizeof(value));
    return value;
}

/*@ requires \valid_read((const uint8_t *)from + (0 .. 3));
    assigns \nothing; */
NNRT__FN float nnrt__read_f32(const void *from) {
    float value;
    memcpy(&value, from, sizeof(value));
    return value;
}

/* ------------------------------------------------------------------------------------------------- CRC-32 */

#include "platform_crc.h"

/* -------------------------------------------------------------------------------------------------- clock

   uint64_t nnrt__now_ns(void): nanoseconds of a monotonic clock, always 0 without one. Waiting for deadlines uses
   POSIX's clock, so a program's own clock needs a build without threads. */

#if defined(NNRT_NOW_NS) && !defined(NNRT_NO_THREADS)
#error "nnrt: NNRT_NOW_NS is for NNRT_NO_THREADS: threads wait for deadlines of the system's clock"
#elif defined(NNRT_NOW_NS)
NNRT__FN uint64_t nnrt__now_ns(void) { return (uint64_t)NNRT_NOW_NS(); }
#elif defined(NNRT_NO_THREADS) && defined(NNRT_NO_STDIO)
NNRT__FN uint64_t nnrt__now_ns(void) { return 0; }
#else
#include "platform_clock.h"
#endif

/* ------------------------------------------------------------------------------------------------ threads */

#ifdef NNRT_NO_THREADS
#include "platform_no_threads.h"
#else
#include "platform_threads.h"
#endif

#include "platform_memory.h"

/* -------------------------------------------------------------------------------------------------- files */

/* The bytes of a file. data is NULL when there are none. */
typedef struct nnrt__mapping {
    const void *data;
    size_t size;
    void *memory; /* data as read, on the heap; NULL: mapped */
} nnrt__mapping;

/* The only reason of nnrt__take_file that is not the file's fault: compare the pointer. */
static const char nnrt__file_no_memory[] = "does not fit into the memory that is free";

/* Two more that tell a caller something: compare the pointers. */
static const char nnrt__file_absent[] = "no such file";
static const char nnrt__file_too_large[] = "is larger than nnrt.max_memory, or else 1 GiB, allows";

#define NNRT__FILE_LIMIT 1073741824u /* default for the largest file that is read whole */

#define NNRT__TEMPORARY_DIGITS 12 /* 60 bits */
#define NNRT__TEMPORARY_TRIES 100u

/* How nnrt__write_file and nnrt__rename_file ended. */
typedef enum nnrt__write_result {
    NNRT__WRITTEN,
    NNRT__WRITE_NO_FILE, /* no file can be created there */
    NNRT__WRITE_NO_SPACE /* the file system refused the name or some bytes; the file was removed again */
} nnrt__write_result;

/* bool nnrt__is_privileged(void): whether the program has more rights than the user who started it. Some uClibc headers
   lack the function. */
#ifdef NNRT_NO_STDIO
#include "platform_no_files.h"
#else
#if !defined(__linux__)
#include "platform_privileges_ids.h"
#elif defined(__UCLIBC__) || (defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ < 16)
#include "platform_privileges_proc.h"
#else
#include "platform_privileges_auxv.h"
#endif
#include "platform_files.h"
#include "platform_sleep.h"
#endif

#endif /* NNRT_CORE_PLATFORM_H */
