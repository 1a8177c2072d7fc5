/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_bpu.h - the Horizon device: .bin and .hbm models on the BPU of X3, J5, X5, S100 and S600.   >>bpu

   Rooms   (bpu/abi.h is >>bpu_abi, and so on)
           bpu/abi.h         the binary interface       bpu/tensor.h      what is said about a tensor
           bpu/march.h       kinds of BPU               bpu/hbm.h         compiled models of X3, J5, X5
           bpu/bin.h         models with CPU parts      bpu/file.h        what a file tells
           bpu/inspect.h     whose file it is           bpu/convert.h     tensors in the program's form */
#ifndef NNRT_BACKEND_BPU_H
#define NNRT_BACKEND_BPU_H

#include "bpu/abi.h"
#include "bpu/inspect.h"
#include "bpu/tensor.h"
#include "bpu/convert.h"

#endif /* NNRT_BACKEND_BPU_H */
