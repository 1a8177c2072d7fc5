/* SPDX-License-Identifier: Apache-2.0 */
/* made_libraries.c - libraries that stand to each other as HiSilicon's do, for the test of who is loaded when.

   NNRT_MADE_... chooses the one; build.sh makes all. As with the vendor's (seen) none names what it needs: libnnie
   needs libsecurec and, from 2.0.2.1 on, libmpi; libmpi needs libsecurec and the audio libraries; libnnie asks for all
   of it when it is loaded. Hi3531DV200's has other functions. Each function answers a number of its own and does
   nothing: there is no board in it. */
#include <stddef.h>
#include <stdint.h>

#define MADE __attribute__((visibility("default"))) int32_t

MADE memcpy_s(void *to, size_t size, const void *from, size_t length);
MADE HI_UPVQE_Made(void);
MADE HI_DNVQE_Made(void);
MADE HI_VOICE_Made(void);
MADE HI_MPI_SYS_MmzAlloc(void);

#if defined(NNRT_MADE_SECUREC)

MADE memcpy_s(void *to, size_t size, const void *from, size_t length) {
    (void)to;
    (void)size;
    (void)from;
    (void)length;
    return 0;
}

#elif defined(NNRT_MADE_UPVQE)

MADE HI_UPVQE_Made(void) { return memcpy_s(NULL, 0, NULL, 0); }

#elif defined(NNRT_MADE_DNVQE)

MADE HI_DNVQE_Made(void) { return HI_UPVQE_Made(); }

#elif defined(NNRT_MADE_VOICE)

MADE HI_VOICE_Made(void) { return HI_DNVQE_Made(); }

#elif defined(NNRT_MADE_MPI)

MADE HI_MPI_SYS_MmzAlloc_Cached(void);
MADE HI_MPI_SYS_MmzFree(void);
MADE HI_MPI_SYS_MmzFlushCache(void);
MADE HI_MPI_SYS_MmzAlloc(void) { return 9 + HI_VOICE_Made(); }
MADE HI_MPI_SYS_MmzAlloc_Cached(void) { return 10; }
MADE HI_MPI_SYS_MmzFree(void) { return 11; }
MADE HI_MPI_SYS_MmzFlushCache(void) { return 12; }

#elif defined(NNRT_MADE_NNIE) /* 2: needs libmpi, too */

MADE HI_MPI_SVP_NNIE_LoadModel(void);
MADE HI_MPI_SVP_NNIE_UnloadModel(void);
MADE HI_MPI_SVP_NNIE_GetTskBufSize(void);
MADE HI_MPI_SVP_NNIE_Forward(void);
MADE HI_MPI_SVP_NNIE_ForwardWithBbox(void);
MADE HI_MPI_SVP_NNIE_Query(void);
MADE HI_MPI_SVP_NNIE_AddTskBuf(void);
MADE HI_MPI_SVP_NNIE_RemoveTskBuf(void);
MADE HI_MPI_SVP_NNIE_LoadModel(void) { return 1 + memcpy_s(NULL, 0, NULL, 0); }
MADE HI_MPI_SVP_NNIE_UnloadModel(void) { return 2; }
MADE HI_MPI_SVP_NNIE_GetTskBufSize(void) { return 3; }
#if NNRT_MADE_NNIE == 2
MADE HI_MPI_SVP_NNIE_Forward(void) { return HI_MPI_SYS_MmzAlloc() - 5; }
#else
MADE HI_MPI_SVP_NNIE_Forward(void) { return 4; }
#endif
MADE HI_MPI_SVP_NNIE_ForwardWithBbox(void) { return 5; }
MADE HI_MPI_SVP_NNIE_Query(void) { return 6; }
MADE HI_MPI_SVP_NNIE_AddTskBuf(void) { return 7; }
MADE HI_MPI_SVP_NNIE_RemoveTskBuf(void) { return 8; }

#else /* Hi3531DV200 */

MADE hi_mpi_svp_nnie_load_model(void);
MADE hi_mpi_svp_nnie_load_model(void) { return 1; }

#endif
