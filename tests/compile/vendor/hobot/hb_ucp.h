/* SPDX-License-Identifier: Apache-2.0 */
/* hb_ucp.h - a stand-in for Horizon's header of this name, as dnn/hb_dnn.h beside it. */
#ifndef NNRT_TESTS_HB_UCP_H
#define NNRT_TESTS_HB_UCP_H

#include <stdint.h>

#define HB_UCP_BPU_CORE_0 (1ULL << 0)
#define HB_UCP_BPU_CORE_3 (1ULL << 3)
#define HB_UCP_BPU_CORE_ANY (1ULL << 7)

#ifdef __cplusplus
extern "C" {
#endif

typedef void *hbUCPTaskHandle_t;
typedef enum {
    HB_UCP_PRIORITY_LOWEST = 0,
    HB_UCP_PRIORITY_HIGHEST = 255
} hbUCPTaskPriority;

typedef struct hbUCPSchedParam {
    int32_t priority;
    int64_t customId;
    uint64_t backend;
    uint32_t deviceId;
} hbUCPSchedParam;

int32_t hbUCPSubmitTask(hbUCPTaskHandle_t task, hbUCPSchedParam *schedule);
int32_t hbUCPWaitTaskDone(hbUCPTaskHandle_t task, int32_t timeout);
int32_t hbUCPReleaseTask(hbUCPTaskHandle_t task);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_TESTS_HB_UCP_H */
