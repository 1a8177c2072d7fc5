/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_privileges_auxv.h - whether this program has more rights than the user who started it, as Linux told
   the C library.   >>platform_privileges_auxv */
#ifndef NNRT_CORE_PLATFORM_PRIVILEGES_AUXV_H
#define NNRT_CORE_PLATFORM_PRIVILEGES_AUXV_H

#include <sys/auxv.h>

/* The kernel's answer at exec: set-user-ID, set-group-ID, capabilities of the file, a security module. It does not
   change when the program changes its ids. 23 is AT_SECURE, which old headers lack. */
NNRT__FN bool nnrt__is_privileged(void) { return getauxval(23) != 0; }

#endif /* NNRT_CORE_PLATFORM_PRIVILEGES_AUXV_H */
