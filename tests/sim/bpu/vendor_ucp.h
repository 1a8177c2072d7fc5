/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_ucp.h - what libdnn.so and libhbucp.so of UCP share: the release (NNRT_SIM_VERSION: 0xMMmmpp), its codes. */
#ifndef NNRT_TESTS_SIM_BPU_VENDOR_UCP_H
#define NNRT_TESTS_SIM_BPU_VENDOR_UCP_H

#include "sim_bpu.h"

#ifndef NNRT_SIM_VERSION
#define NNRT_SIM_VERSION 0x030d06
#endif

#if NNRT_SIM_VERSION < 0x030c00
#define UCP_NUMBER "3.6.1"
#define UCP_HBRT "4.2.7"
#elif NNRT_SIM_VERSION < 0x030d00
#define UCP_NUMBER "3.12.3"
#define UCP_HBRT "4.5.3"
#elif NNRT_SIM_VERSION < 0x030e00
#define UCP_NUMBER "3.13.6"
#define UCP_HBRT "4.7.5"
#else
#define UCP_NUMBER "3.14.7"
#define UCP_HBRT "4.8.0"
#endif

static const sim_bpu_release ucp_release = {NNRT_SIM_VERSION, true, UCP_NUMBER "_(" UCP_HBRT " HBRT)"};

static int32_t ucp_code(int32_t answer) {
    static const int32_t codes[SIM_BPU_CODES] = {
        0,
        VENDOR_UCP_INVALID_ARGUMENT,
        VENDOR_UCP_INVALID_MODEL,
        VENDOR_UCP_MODEL_NUMBER,
        VENDOR_UCP_INVALID_ARGUMENT /* packed handle */,
        VENDOR_UCP_INVALID_ARGUMENT /* model handle */,
        VENDOR_UCP_CANNOT_OPEN,
        VENDOR_UCP_ALLOC,
        VENDOR_UCP_TIMEOUT,
        VENDOR_UCP_TASK_NUMBER,
        VENDOR_UCP_TASK_NUMBER /* batch size */,
        VENDOR_UCP_TASK_HANDLE,
        VENDOR_UCP_RUN_FAILED,
        VENDOR_UCP_MODEL_IN_USE,
        VENDOR_UCP_INCOMPATIBLE,
        VENDOR_UCP_API_USE,
        VENDOR_UCP_API_USE /* several processes */,
        VENDOR_UCP_FREE,
        VENDOR_UCP_FLUSH,
        VENDOR_UCP_INVALIDATE,
        VENDOR_UCP_INVALID_ARGUMENT /* register: not in UCP */,
    };
    if (answer == SIM_BPU_FAILED) return VENDOR_UCP_RUN_FAILED;
    if (answer == SIM_BPU_LOST) return VENDOR_UCP_UNKNOWN;
    return answer < 0 ? answer : answer < SIM_BPU_CODES ? codes[answer] : VENDOR_UCP_UNKNOWN;
}

#endif /* NNRT_TESTS_SIM_BPU_VENDOR_UCP_H */
