/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_nnie.h - a stand-in for HiSilicon's header of this name, so that NNRT_NNIE_USE_VENDOR_HEADER can be compiled
   without the SDK.

   Names, values and types are those of Hi3516CV500's SDK, typed from nnrt's own notes on the binary interface and not
   from the headers; whether the two agree is what a build with the real ones tells. Nothing implements these
   functions. */
#ifndef NNRT_TESTS_MPI_NNIE_H
#define NNRT_TESTS_MPI_NNIE_H

#include "hi_stand_in.h"

#define HI_ERR_SVP_NNIE_INVALID_DEVID ((HI_S32)0xa0338000 + 0x01)
#define HI_ERR_SVP_NNIE_INVALID_CHNID ((HI_S32)0xa0338000 + 0x02)
#define HI_ERR_SVP_NNIE_ILLEGAL_PARAM ((HI_S32)0xa0338000 + 0x03)
#define HI_ERR_SVP_NNIE_EXIST ((HI_S32)0xa0338000 + 0x04)
#define HI_ERR_SVP_NNIE_UNEXIST ((HI_S32)0xa0338000 + 0x05)
#define HI_ERR_SVP_NNIE_NULL_PTR ((HI_S32)0xa0338000 + 0x06)
#define HI_ERR_SVP_NNIE_NOT_CONFIG ((HI_S32)0xa0338000 + 0x07)
#define HI_ERR_SVP_NNIE_NOT_SURPPORT ((HI_S32)0xa0338000 + 0x08)
#define HI_ERR_SVP_NNIE_NOT_PERM ((HI_S32)0xa0338000 + 0x09)
#define HI_ERR_SVP_NNIE_NOMEM ((HI_S32)0xa0338000 + 0x0c)
#define HI_ERR_SVP_NNIE_NOBUF ((HI_S32)0xa0338000 + 0x0d)
#define HI_ERR_SVP_NNIE_BUF_EMPTY ((HI_S32)0xa0338000 + 0x0e)
#define HI_ERR_SVP_NNIE_BUF_FULL ((HI_S32)0xa0338000 + 0x0f)
#define HI_ERR_SVP_NNIE_NOTREADY ((HI_S32)0xa0338000 + 0x10)
#define HI_ERR_SVP_NNIE_BADADDR ((HI_S32)0xa0338000 + 0x11)
#define HI_ERR_SVP_NNIE_BUSY ((HI_S32)0xa0338000 + 0x12)
#define HI_ERR_SVP_NNIE_SYS_TIMEOUT ((HI_S32)0xa0338000 + 0x40)
#define HI_ERR_SVP_NNIE_QUERY_TIMEOUT ((HI_S32)0xa0338000 + 0x41)
#define HI_ERR_SVP_NNIE_CFG_ERR ((HI_S32)0xa0338000 + 0x42)
#define HI_ERR_SVP_NNIE_OPEN_FILE ((HI_S32)0xa0338000 + 0x43)
#define HI_ERR_SVP_NNIE_READ_FILE ((HI_S32)0xa0338000 + 0x44)
#define HI_ERR_SVP_NNIE_WRITE_FILE ((HI_S32)0xa0338000 + 0x45)

#define SVP_NNIE_MAX_NET_SEG_NUM 8
#define SVP_NNIE_MAX_INPUT_NUM 16
#define SVP_NNIE_MAX_OUTPUT_NUM 16
#define SVP_NNIE_MAX_ROI_LAYER_NUM_OF_SEG 2
#define SVP_NNIE_MAX_ROI_LAYER_NUM 4
#define SVP_NNIE_NODE_NAME_LEN 32

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    SVP_NNIE_ID_0 = 0,
    SVP_NNIE_ID_BUTT
} SVP_NNIE_ID_E;

typedef enum {
    SVP_NNIE_RUN_MODE_CHIP = 0,
    SVP_NNIE_RUN_MODE_FUNC_SIM = 1,
    SVP_NNIE_RUN_MODE_BUTT
} SVP_NNIE_RUN_MODE_E;

typedef enum {
    SVP_NNIE_NET_TYPE_CNN = 0,
    SVP_NNIE_NET_TYPE_ROI = 1,
    SVP_NNIE_NET_TYPE_RECURRENT = 2,
    SVP_NNIE_NET_TYPE_BUTT
} SVP_NNIE_NET_TYPE_E;

typedef struct {
    SVP_BLOB_TYPE_E enType;
    union {
        struct {
            HI_U32 u32Width, u32Height, u32Chn;
        } stWhc;
        HI_U32 u32Dim;
    } unShape;
    HI_U32 u32NodeId;
    HI_CHAR szName[SVP_NNIE_NODE_NAME_LEN];
} SVP_NNIE_NODE_S;

typedef enum {
    SVP_NNIE_ROIPOOL_TYPE_NORMAL = 0,
    SVP_NNIE_ROIPOOL_TYPE_PS = 1,
    SVP_NNIE_ROIPOOL_TYPE_BUTT
} SVP_NNIE_ROIPOOL_TYPE_E;

typedef struct {
    HI_U32 u32SrcHeight, u32SrcWidth, u32SrcMapNum;
    HI_U32 u32DstHeight, u32DstWidth, u32DstMapNum;
    HI_U32 u32DinWidthRamOffset, u32DinHeightRamOffset, u32TotalDinWidthRamOffset, u32TotalDinHeightRamOffset;
    HI_U32 u32BlockMaxHeight, u32BlockNum, u32BboxMaxNum, u32SpatialScale;
    HI_BOOL bNormPPMode, bTotalPPMode, bHighPrec;
    SVP_NNIE_ROIPOOL_TYPE_E enRoiPoolType;
    HI_CHAR szName[SVP_NNIE_NODE_NAME_LEN];
} SVP_NNIE_ROIPOOL_INFO_S;

typedef struct {
    SVP_NNIE_NET_TYPE_E enNetType;
    HI_U16 u16SrcNum, u16DstNum, u16RoiPoolNum, u16MaxStep;
    HI_U32 u32InstOffset, u32InstLen;
    SVP_NNIE_NODE_S astSrcNode[SVP_NNIE_MAX_INPUT_NUM];
    SVP_NNIE_NODE_S astDstNode[SVP_NNIE_MAX_OUTPUT_NUM];
    HI_U32 au32RoiIdx[SVP_NNIE_MAX_ROI_LAYER_NUM_OF_SEG];
} SVP_NNIE_SEG_S;

typedef struct {
    SVP_NNIE_RUN_MODE_E enRunMode;
    HI_U32 u32TmpBufSize, u32NetSegNum;
    SVP_NNIE_SEG_S astSeg[SVP_NNIE_MAX_NET_SEG_NUM];
    SVP_NNIE_ROIPOOL_INFO_S astRoiInfo[SVP_NNIE_MAX_ROI_LAYER_NUM];
    SVP_MEM_INFO_S stBase;
} SVP_NNIE_MODEL_S;

typedef struct {
    HI_U32 u32SrcNum, u32DstNum, u32NetSegId;
    SVP_NNIE_ID_E enNnieId;
    SVP_MEM_INFO_S stTmpBuf, stTskBuf;
} SVP_NNIE_FORWARD_CTRL_S;

typedef struct {
    HI_U32 u32SrcNum, u32DstNum, u32ProposalNum, u32NetSegId;
    SVP_NNIE_ID_E enNnieId;
    SVP_MEM_INFO_S stTmpBuf, stTskBuf;
} SVP_NNIE_FORWARD_WITHBBOX_CTRL_S;

typedef HI_S32 SVP_NNIE_HANDLE;

HI_S32 HI_MPI_SVP_NNIE_LoadModel(const SVP_SRC_MEM_INFO_S *file, SVP_NNIE_MODEL_S *model);
HI_S32 HI_MPI_SVP_NNIE_UnloadModel(SVP_NNIE_MODEL_S *model);
HI_S32 HI_MPI_SVP_NNIE_GetTskBufSize(HI_U32 frames, HI_U32 boxes, const SVP_NNIE_MODEL_S *model, HI_U32 sizes[],
                                     HI_U32 segments);
HI_S32 HI_MPI_SVP_NNIE_Forward(SVP_NNIE_HANDLE *handle, const SVP_SRC_BLOB_S in[], const SVP_NNIE_MODEL_S *model,
                               const SVP_DST_BLOB_S out[], const SVP_NNIE_FORWARD_CTRL_S *control, HI_BOOL instant);
HI_S32 HI_MPI_SVP_NNIE_ForwardWithBbox(SVP_NNIE_HANDLE *handle, const SVP_SRC_BLOB_S in[], const SVP_SRC_BLOB_S boxes[],
                                       const SVP_NNIE_MODEL_S *model, const SVP_DST_BLOB_S out[],
                                       const SVP_NNIE_FORWARD_WITHBBOX_CTRL_S *control, HI_BOOL instant);
HI_S32 HI_MPI_SVP_NNIE_Query(SVP_NNIE_ID_E core, SVP_NNIE_HANDLE handle, HI_BOOL *finish, HI_BOOL block);
HI_S32 HI_MPI_SVP_NNIE_AddTskBuf(const SVP_MEM_INFO_S *task);
HI_S32 HI_MPI_SVP_NNIE_RemoveTskBuf(const SVP_MEM_INFO_S *task);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_MPI_NNIE_H */
