/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_backend_bpu.h - the Horizon device: .bin and .hbm models on the BPU of X3, J5, X5, S100 and S600.   >>bpu

   Rooms   (bpu/abi.h is >>bpu_abi, and so on)
           bpu/abi.h         the binary interface       bpu/tensor.h      what is said about a tensor */
#ifndef NNRT_BACKEND_BPU_H
#define NNRT_BACKEND_BPU_H

#include "bpu/abi.h"
#include "bpu/tensor.h"

#endif /* NNRT_BACKEND_BPU_H */
