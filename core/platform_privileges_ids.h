/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_privileges_ids.h - the same for systems that are not Linux.   >>platform_privileges_ids */
#ifndef NNRT_CORE_PLATFORM_PRIVILEGES_IDS_H
#define NNRT_CORE_PLATFORM_PRIVILEGES_IDS_H

#include <unistd.h>

/* What POSIX can tell: a program that has changed its ids since exec is taken to have no more rights than its user. */
NNRT__FN bool nnrt__is_privileged(void) { return getuid() != geteuid() || getgid() != getegid(); }

#endif /* NNRT_CORE_PLATFORM_PRIVILEGES_IDS_H */
