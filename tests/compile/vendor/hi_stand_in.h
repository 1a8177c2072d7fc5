/* SPDX-License-Identifier: Apache-2.0 */
/* hi_stand_in.h - the types that mpi_nnie.h and mpi_sys.h beside it share. */
#ifndef NNRT_TESTS_HI_STAND_IN_H
#define NNRT_TESTS_HI_STAND_IN_H

typedef unsigned short HI_U16;
typedef unsigned int HI_U32;
typedef int HI_S32;
typedef unsigned long long HI_U64;
typedef char HI_CHAR;
#define HI_VOID void

typedef enum {
    HI_FALSE = 0,
    HI_TRUE = 1
} HI_BOOL;

typedef enum {
    SVP_BLOB_TYPE_S32 = 0,
    SVP_BLOB_TYPE_U8 = 1,
    SVP_BLOB_TYPE_YVU420SP = 2,
    SVP_BLOB_TYPE_YVU422SP = 3,
    SVP_BLOB_TYPE_VEC_S32 = 4,
    SVP_BLOB_TYPE_SEQ_S32 = 5,
    SVP_BLOB_TYPE_BUTT
} SVP_BLOB_TYPE_E;

typedef struct {
    SVP_BLOB_TYPE_E enType;
    HI_U32 u32Stride;
    HI_U64 u64VirAddr;
    HI_U64 u64PhyAddr;
    HI_U32 u32Num;
    union {
        struct {
            HI_U32 u32Width, u32Height, u32Chn;
        } stWhc;
        struct {
            HI_U32 u32Dim;
            HI_U64 u64VirAddrStep;
        } stSeq;
    } unShape;
} SVP_BLOB_S;
typedef SVP_BLOB_S SVP_SRC_BLOB_S;
typedef SVP_BLOB_S SVP_DST_BLOB_S;

typedef struct {
    HI_U64 u64PhyAddr;
    HI_U64 u64VirAddr;
    HI_U32 u32Size;
} SVP_MEM_INFO_S;
typedef SVP_MEM_INFO_S SVP_SRC_MEM_INFO_S;

#endif /* NNRT_TESTS_HI_STAND_IN_H */
