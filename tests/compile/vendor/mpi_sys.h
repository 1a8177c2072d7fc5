/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_sys.h - a stand-in for HiSilicon's header of this name, as mpi_nnie.h beside it. */
#ifndef NNRT_TESTS_MPI_SYS_H
#define NNRT_TESTS_MPI_SYS_H

#include "hi_stand_in.h"

#ifdef __cplusplus
extern "C" {
#endif

HI_S32 HI_MPI_SYS_Init(HI_VOID);
HI_S32 HI_MPI_SYS_Exit(HI_VOID);
HI_S32 HI_MPI_SYS_MmzAlloc(HI_U64 *physical, HI_VOID **address, const HI_CHAR *name, const HI_CHAR *zone, HI_U32 size);
HI_S32 HI_MPI_SYS_MmzAlloc_Cached(HI_U64 *physical, HI_VOID **address, const HI_CHAR *name, const HI_CHAR *zone,
                                  HI_U32 size);
HI_S32 HI_MPI_SYS_MmzFree(HI_U64 physical, HI_VOID *address);
HI_S32 HI_MPI_SYS_MmzFlushCache(HI_U64 physical, HI_VOID *address, HI_U32 size);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_MPI_SYS_H */
