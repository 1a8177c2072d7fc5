/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_privileges_auxv.h - does this program have more rights than who started it? As Linux has told the C
   library.   >>platform_privileges_auxv */
#ifndef NNRT_CORE_PLATFORM_PRIVILEGES_AUXV_H
#define NNRT_CORE_PLATFORM_PRIVILEGES_AUXV_H

#include <sys/auxv.h>

/* The answer of the kernel's at exec: set-user-ID, set-group-ID, capabilities of the file, a security module. It stays,
   whatever ids the program has taken since. 23 is AT_SECURE, by number as old headers lack it. */
NNRT__FN bool nnrt__is_privileged(void) { return getauxval(23) != 0; }

#endif /* NNRT_CORE_PLATFORM_PRIVILEGES_AUXV_H */
