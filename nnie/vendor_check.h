/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/vendor_check.h - compares nnrt's declarations with the vendor's headers,
   NNRT_NNIE_USE_VENDOR_HEADER.   >>nnie_vendor_check

   With the headers of the SDK on the include path everything here compiles to nothing. A value, a size or an offset
   that differs is an array of negative length. A function whose prototype differs is declared a second time here, which
   C and C++ refuse. Compared with those of Hi3516CV500 (2019) on 2026-11-22. */
#ifndef NNRT_NNIE_VENDOR_CHECK_H
#define NNRT_NNIE_VENDOR_CHECK_H

#include <mpi_nnie.h>
#include <mpi_sys.h>

#include "abi.h"

/* ------------------------------------------------------------------------------------------------- values */

#define NNRT__NNIE_SAME(ours, vendor) \
    typedef char nnrt__nnie_vendor_##vendor[(long long)(NNRT__NNIE_##ours) == (long long)(vendor) ? 1 : -1]
#define NNRT__NNIE_SAME_CODE(ours, vendor) \
    typedef char nnrt__nnie_vendor_##ours[NNRT__NNIE_##ours == (uint32_t)(HI_ERR_SVP_NNIE_##vendor) ? 1 : -1]

NNRT__NNIE_SAME(MAX_SEGMENTS, SVP_NNIE_MAX_NET_SEG_NUM);
NNRT__NNIE_SAME(MAX_IO, SVP_NNIE_MAX_INPUT_NUM);
NNRT__NNIE_SAME(MAX_IO, SVP_NNIE_MAX_OUTPUT_NUM);
NNRT__NNIE_SAME(MAX_SEGMENT_ROI_LAYERS, SVP_NNIE_MAX_ROI_LAYER_NUM_OF_SEG);
NNRT__NNIE_SAME(MAX_ROI_LAYERS, SVP_NNIE_MAX_ROI_LAYER_NUM);
NNRT__NNIE_SAME(MAX_NAME, SVP_NNIE_NODE_NAME_LEN);
NNRT__NNIE_SAME(S32, SVP_BLOB_TYPE_S32);
NNRT__NNIE_SAME(U8, SVP_BLOB_TYPE_U8);
NNRT__NNIE_SAME(YVU420SP, SVP_BLOB_TYPE_YVU420SP);
NNRT__NNIE_SAME(YVU422SP, SVP_BLOB_TYPE_YVU422SP);
NNRT__NNIE_SAME(VEC_S32, SVP_BLOB_TYPE_VEC_S32);
NNRT__NNIE_SAME(SEQ_S32, SVP_BLOB_TYPE_SEQ_S32);
NNRT__NNIE_SAME(RUN_CHIP, SVP_NNIE_RUN_MODE_CHIP);
NNRT__NNIE_SAME(RUN_SIMULATION, SVP_NNIE_RUN_MODE_FUNC_SIM);
NNRT__NNIE_SAME(NET_CNN, SVP_NNIE_NET_TYPE_CNN);
NNRT__NNIE_SAME(NET_ROI, SVP_NNIE_NET_TYPE_ROI);
NNRT__NNIE_SAME(NET_RECURRENT, SVP_NNIE_NET_TYPE_RECURRENT);
NNRT__NNIE_SAME(ROI_POOL_NORMAL, SVP_NNIE_ROIPOOL_TYPE_NORMAL);
NNRT__NNIE_SAME(ROI_POOL_POSITION_SENSITIVE, SVP_NNIE_ROIPOOL_TYPE_PS);
NNRT__NNIE_SAME_CODE(INVALID_DEVID, INVALID_DEVID);
NNRT__NNIE_SAME_CODE(INVALID_CHNID, INVALID_CHNID);
NNRT__NNIE_SAME_CODE(ILLEGAL_PARAM, ILLEGAL_PARAM);
NNRT__NNIE_SAME_CODE(EXIST, EXIST);
NNRT__NNIE_SAME_CODE(UNEXIST, UNEXIST);
NNRT__NNIE_SAME_CODE(NULL_PTR, NULL_PTR);
NNRT__NNIE_SAME_CODE(NOT_CONFIG, NOT_CONFIG);
NNRT__NNIE_SAME_CODE(NOT_SUPPORT, NOT_SURPPORT);
NNRT__NNIE_SAME_CODE(NOT_PERM, NOT_PERM);
NNRT__NNIE_SAME_CODE(NOMEM, NOMEM);
NNRT__NNIE_SAME_CODE(NOBUF, NOBUF);
NNRT__NNIE_SAME_CODE(BUF_EMPTY, BUF_EMPTY);
NNRT__NNIE_SAME_CODE(BUF_FULL, BUF_FULL);
NNRT__NNIE_SAME_CODE(NOTREADY, NOTREADY);
NNRT__NNIE_SAME_CODE(BADADDR, BADADDR);
NNRT__NNIE_SAME_CODE(BUSY, BUSY);
NNRT__NNIE_SAME_CODE(SYS_TIMEOUT, SYS_TIMEOUT);
NNRT__NNIE_SAME_CODE(QUERY_TIMEOUT, QUERY_TIMEOUT);
NNRT__NNIE_SAME_CODE(CFG_ERR, CFG_ERR);
NNRT__NNIE_SAME_CODE(OPEN_FILE, OPEN_FILE);
NNRT__NNIE_SAME_CODE(READ_FILE, READ_FILE);
NNRT__NNIE_SAME_CODE(WRITE_FILE, WRITE_FILE);

/* ------------------------------------------------------------------------------------- sizes and offsets */

#define NNRT__NNIE_SAME_SIZE(ours, vendor) \
    typedef char nnrt__nnie_vendor_size_##ours[sizeof(nnrt__nnie_##ours) == sizeof(vendor) ? 1 : -1]
#define NNRT__NNIE_SAME_PLACE(ours, field, vendor, vendor_field, name) \
    typedef char nnrt__nnie_vendor_at_##ours##_##name                  \
        [offsetof(nnrt__nnie_##ours, field) == offsetof(vendor, vendor_field) ? 1 : -1]

NNRT__NNIE_SAME_SIZE(blob_type, SVP_BLOB_TYPE_E);
NNRT__NNIE_SAME_SIZE(run_mode, SVP_NNIE_RUN_MODE_E);
NNRT__NNIE_SAME_SIZE(net_type, SVP_NNIE_NET_TYPE_E);
NNRT__NNIE_SAME_SIZE(roi_pool_type, SVP_NNIE_ROIPOOL_TYPE_E);
NNRT__NNIE_SAME_SIZE(memory, SVP_MEM_INFO_S);
NNRT__NNIE_SAME_SIZE(blob, SVP_BLOB_S);
NNRT__NNIE_SAME_SIZE(node, SVP_NNIE_NODE_S);
NNRT__NNIE_SAME_SIZE(roi_pool, SVP_NNIE_ROIPOOL_INFO_S);
NNRT__NNIE_SAME_SIZE(segment, SVP_NNIE_SEG_S);
NNRT__NNIE_SAME_SIZE(model, SVP_NNIE_MODEL_S);
NNRT__NNIE_SAME_SIZE(forward, SVP_NNIE_FORWARD_CTRL_S);
NNRT__NNIE_SAME_SIZE(forward_boxes, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S);
NNRT__NNIE_SAME_PLACE(memory, physical, SVP_MEM_INFO_S, u64PhyAddr, u64PhyAddr);
NNRT__NNIE_SAME_PLACE(memory, address, SVP_MEM_INFO_S, u64VirAddr, u64VirAddr);
NNRT__NNIE_SAME_PLACE(memory, size, SVP_MEM_INFO_S, u32Size, u32Size);
NNRT__NNIE_SAME_PLACE(blob, type, SVP_BLOB_S, enType, enType);
NNRT__NNIE_SAME_PLACE(blob, stride, SVP_BLOB_S, u32Stride, u32Stride);
NNRT__NNIE_SAME_PLACE(blob, address, SVP_BLOB_S, u64VirAddr, u64VirAddr);
NNRT__NNIE_SAME_PLACE(blob, physical, SVP_BLOB_S, u64PhyAddr, u64PhyAddr);
NNRT__NNIE_SAME_PLACE(blob, count, SVP_BLOB_S, u32Num, u32Num);
NNRT__NNIE_SAME_PLACE(blob, shape.map.width, SVP_BLOB_S, unShape.stWhc.u32Width, u32Width);
NNRT__NNIE_SAME_PLACE(blob, shape.map.height, SVP_BLOB_S, unShape.stWhc.u32Height, u32Height);
NNRT__NNIE_SAME_PLACE(blob, shape.map.channels, SVP_BLOB_S, unShape.stWhc.u32Chn, u32Chn);
NNRT__NNIE_SAME_PLACE(blob, shape.sequence.dim, SVP_BLOB_S, unShape.stSeq.u32Dim, u32Dim);
NNRT__NNIE_SAME_PLACE(blob, shape.sequence.steps, SVP_BLOB_S, unShape.stSeq.u64VirAddrStep, u64VirAddrStep);
NNRT__NNIE_SAME_PLACE(node, type, SVP_NNIE_NODE_S, enType, enType);
NNRT__NNIE_SAME_PLACE(node, width, SVP_NNIE_NODE_S, unShape.stWhc.u32Width, u32Width);
NNRT__NNIE_SAME_PLACE(node, width, SVP_NNIE_NODE_S, unShape.u32Dim, u32Dim);
NNRT__NNIE_SAME_PLACE(node, height, SVP_NNIE_NODE_S, unShape.stWhc.u32Height, u32Height);
NNRT__NNIE_SAME_PLACE(node, channels, SVP_NNIE_NODE_S, unShape.stWhc.u32Chn, u32Chn);
NNRT__NNIE_SAME_PLACE(node, id, SVP_NNIE_NODE_S, u32NodeId, u32NodeId);
NNRT__NNIE_SAME_PLACE(node, name, SVP_NNIE_NODE_S, szName, szName);
NNRT__NNIE_SAME_PLACE(roi_pool, source_height, SVP_NNIE_ROIPOOL_INFO_S, u32SrcHeight, u32SrcHeight);
NNRT__NNIE_SAME_PLACE(roi_pool, source_width, SVP_NNIE_ROIPOOL_INFO_S, u32SrcWidth, u32SrcWidth);
NNRT__NNIE_SAME_PLACE(roi_pool, source_maps, SVP_NNIE_ROIPOOL_INFO_S, u32SrcMapNum, u32SrcMapNum);
NNRT__NNIE_SAME_PLACE(roi_pool, height, SVP_NNIE_ROIPOOL_INFO_S, u32DstHeight, u32DstHeight);
NNRT__NNIE_SAME_PLACE(roi_pool, width, SVP_NNIE_ROIPOOL_INFO_S, u32DstWidth, u32DstWidth);
NNRT__NNIE_SAME_PLACE(roi_pool, maps, SVP_NNIE_ROIPOOL_INFO_S, u32DstMapNum, u32DstMapNum);
NNRT__NNIE_SAME_PLACE(roi_pool, ram_offsets, SVP_NNIE_ROIPOOL_INFO_S, u32DinWidthRamOffset, u32DinWidthRamOffset);
NNRT__NNIE_SAME_PLACE(roi_pool, block_max_height, SVP_NNIE_ROIPOOL_INFO_S, u32BlockMaxHeight, u32BlockMaxHeight);
NNRT__NNIE_SAME_PLACE(roi_pool, block_count, SVP_NNIE_ROIPOOL_INFO_S, u32BlockNum, u32BlockNum);
NNRT__NNIE_SAME_PLACE(roi_pool, max_boxes, SVP_NNIE_ROIPOOL_INFO_S, u32BboxMaxNum, u32BboxMaxNum);
NNRT__NNIE_SAME_PLACE(roi_pool, spatial_scale, SVP_NNIE_ROIPOOL_INFO_S, u32SpatialScale, u32SpatialScale);
NNRT__NNIE_SAME_PLACE(roi_pool, normal_ping_pong, SVP_NNIE_ROIPOOL_INFO_S, bNormPPMode, bNormPPMode);
NNRT__NNIE_SAME_PLACE(roi_pool, total_ping_pong, SVP_NNIE_ROIPOOL_INFO_S, bTotalPPMode, bTotalPPMode);
NNRT__NNIE_SAME_PLACE(roi_pool, high_precision, SVP_NNIE_ROIPOOL_INFO_S, bHighPrec, bHighPrec);
NNRT__NNIE_SAME_PLACE(roi_pool, type, SVP_NNIE_ROIPOOL_INFO_S, enRoiPoolType, enRoiPoolType);
NNRT__NNIE_SAME_PLACE(roi_pool, name, SVP_NNIE_ROIPOOL_INFO_S, szName, szName);
NNRT__NNIE_SAME_PLACE(segment, type, SVP_NNIE_SEG_S, enNetType, enNetType);
NNRT__NNIE_SAME_PLACE(segment, inputs, SVP_NNIE_SEG_S, u16SrcNum, u16SrcNum);
NNRT__NNIE_SAME_PLACE(segment, outputs, SVP_NNIE_SEG_S, u16DstNum, u16DstNum);
NNRT__NNIE_SAME_PLACE(segment, roi_layers, SVP_NNIE_SEG_S, u16RoiPoolNum, u16RoiPoolNum);
NNRT__NNIE_SAME_PLACE(segment, max_steps, SVP_NNIE_SEG_S, u16MaxStep, u16MaxStep);
NNRT__NNIE_SAME_PLACE(segment, instructions, SVP_NNIE_SEG_S, u32InstOffset, u32InstOffset);
NNRT__NNIE_SAME_PLACE(segment, instructions_size, SVP_NNIE_SEG_S, u32InstLen, u32InstLen);
NNRT__NNIE_SAME_PLACE(segment, input, SVP_NNIE_SEG_S, astSrcNode, astSrcNode);
NNRT__NNIE_SAME_PLACE(segment, output, SVP_NNIE_SEG_S, astDstNode, astDstNode);
NNRT__NNIE_SAME_PLACE(segment, roi_layer, SVP_NNIE_SEG_S, au32RoiIdx, au32RoiIdx);
NNRT__NNIE_SAME_PLACE(model, run_mode, SVP_NNIE_MODEL_S, enRunMode, enRunMode);
NNRT__NNIE_SAME_PLACE(model, temporary_size, SVP_NNIE_MODEL_S, u32TmpBufSize, u32TmpBufSize);
NNRT__NNIE_SAME_PLACE(model, segments, SVP_NNIE_MODEL_S, u32NetSegNum, u32NetSegNum);
NNRT__NNIE_SAME_PLACE(model, segment, SVP_NNIE_MODEL_S, astSeg, astSeg);
NNRT__NNIE_SAME_PLACE(model, roi_pool, SVP_NNIE_MODEL_S, astRoiInfo, astRoiInfo);
NNRT__NNIE_SAME_PLACE(model, base, SVP_NNIE_MODEL_S, stBase, stBase);
NNRT__NNIE_SAME_PLACE(forward, inputs, SVP_NNIE_FORWARD_CTRL_S, u32SrcNum, u32SrcNum);
NNRT__NNIE_SAME_PLACE(forward, outputs, SVP_NNIE_FORWARD_CTRL_S, u32DstNum, u32DstNum);
NNRT__NNIE_SAME_PLACE(forward, segment, SVP_NNIE_FORWARD_CTRL_S, u32NetSegId, u32NetSegId);
NNRT__NNIE_SAME_PLACE(forward, core, SVP_NNIE_FORWARD_CTRL_S, enNnieId, enNnieId);
NNRT__NNIE_SAME_PLACE(forward, temporary, SVP_NNIE_FORWARD_CTRL_S, stTmpBuf, stTmpBuf);
NNRT__NNIE_SAME_PLACE(forward, task, SVP_NNIE_FORWARD_CTRL_S, stTskBuf, stTskBuf);
NNRT__NNIE_SAME_PLACE(forward_boxes, inputs, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S, u32SrcNum, u32SrcNum);
NNRT__NNIE_SAME_PLACE(forward_boxes, outputs, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S, u32DstNum, u32DstNum);
NNRT__NNIE_SAME_PLACE(forward_boxes, proposals, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S, u32ProposalNum, u32ProposalNum);
NNRT__NNIE_SAME_PLACE(forward_boxes, segment, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S, u32NetSegId, u32NetSegId);
NNRT__NNIE_SAME_PLACE(forward_boxes, core, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S, enNnieId, enNnieId);
NNRT__NNIE_SAME_PLACE(forward_boxes, temporary, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S, stTmpBuf, stTmpBuf);
NNRT__NNIE_SAME_PLACE(forward_boxes, task, SVP_NNIE_FORWARD_WITHBBOX_CTRL_S, stTskBuf, stTskBuf);

/* ---------------------------------------------------------------------------------------------- functions */

#ifdef __cplusplus
extern "C" {
#endif

HI_S32 HI_MPI_SVP_NNIE_LoadModel(const SVP_SRC_MEM_INFO_S *file, SVP_NNIE_MODEL_S *model);
HI_S32 HI_MPI_SVP_NNIE_UnloadModel(SVP_NNIE_MODEL_S *model);
HI_S32 HI_MPI_SVP_NNIE_GetTskBufSize(HI_U32 max_frames, HI_U32 max_boxes, const SVP_NNIE_MODEL_S *model, HI_U32 sizes[],
                                     HI_U32 segments);
HI_S32 HI_MPI_SVP_NNIE_Forward(SVP_NNIE_HANDLE *handle, const SVP_SRC_BLOB_S inputs[], const SVP_NNIE_MODEL_S *model,
                               const SVP_DST_BLOB_S outputs[], const SVP_NNIE_FORWARD_CTRL_S *control, HI_BOOL instant);
HI_S32 HI_MPI_SVP_NNIE_ForwardWithBbox(SVP_NNIE_HANDLE *handle, const SVP_SRC_BLOB_S inputs[],
                                       const SVP_SRC_BLOB_S boxes[], const SVP_NNIE_MODEL_S *model,
                                       const SVP_DST_BLOB_S outputs[], const SVP_NNIE_FORWARD_WITHBBOX_CTRL_S *control,
                                       HI_BOOL instant);
HI_S32 HI_MPI_SVP_NNIE_Query(SVP_NNIE_ID_E core, SVP_NNIE_HANDLE handle, HI_BOOL *finished, HI_BOOL block);
HI_S32 HI_MPI_SVP_NNIE_AddTskBuf(const SVP_MEM_INFO_S *task);
HI_S32 HI_MPI_SVP_NNIE_RemoveTskBuf(const SVP_MEM_INFO_S *task);
HI_S32 HI_MPI_SYS_MmzAlloc(HI_U64 *physical, HI_VOID **address, const HI_CHAR *name, const HI_CHAR *zone, HI_U32 size);
HI_S32 HI_MPI_SYS_MmzAlloc_Cached(HI_U64 *physical, HI_VOID **address, const HI_CHAR *name, const HI_CHAR *zone,
                                  HI_U32 size);
HI_S32 HI_MPI_SYS_MmzFree(HI_U64 physical, HI_VOID *address);
HI_S32 HI_MPI_SYS_MmzFlushCache(HI_U64 physical, HI_VOID *address, HI_U32 size);
HI_S32 HI_MPI_SYS_Init(HI_VOID);
HI_S32 HI_MPI_SYS_Exit(HI_VOID);

#ifdef __cplusplus
}
#endif

typedef char nnrt__nnie_vendor_scalars[sizeof(HI_S32) == 4 && sizeof(HI_U64) == 8 && sizeof(HI_BOOL) == 4 &&
                                               sizeof(SVP_NNIE_HANDLE) == 4 && sizeof(SVP_NNIE_ID_E) == 4
                                           ? 1
                                           : -1];

#undef NNRT__NNIE_SAME
#undef NNRT__NNIE_SAME_CODE
#undef NNRT__NNIE_SAME_SIZE
#undef NNRT__NNIE_SAME_PLACE

#endif /* NNRT_NNIE_VENDOR_CHECK_H */
