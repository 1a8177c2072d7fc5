/* SPDX-License-Identifier: Apache-2.0 */
/* core/shared_memory.h - memory of tensors, with a file descriptor where the system has them.   >>shared_memory */
#ifndef NNRT_CORE_SHARED_MEMORY_H
#define NNRT_CORE_SHARED_MEMORY_H

#ifdef NNRT_NO_STDIO
#include "shared_memory_none.h"
#else
#include "shared_memory_posix.h"
#endif

#endif /* NNRT_CORE_SHARED_MEMORY_H */
