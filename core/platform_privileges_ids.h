/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_privileges_ids.h - the same for systems that are not Linux.   >>platform_privileges_ids */
#ifndef NNRT_CORE_PLATFORM_PRIVILEGES_IDS_H
#define NNRT_CORE_PLATFORM_PRIVILEGES_IDS_H

#include <unistd.h>

/* All that POSIX offers: a program that has changed its ids since exec counts as having only its user's rights. */
NNRT__FN bool nnrt__is_privileged(void) { return getuid() != geteuid() || getgid() != getegid(); }

#endif /* NNRT_CORE_PLATFORM_PRIVILEGES_IDS_H */
