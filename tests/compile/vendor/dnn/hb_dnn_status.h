/* SPDX-License-Identifier: Apache-2.0 */
/* hb_dnn_status.h - a stand-in for Horizon's header of this name, as hb_dnn.h beside it. */
#ifndef NNRT_TESTS_HB_DNN_STATUS_H
#define NNRT_TESTS_HB_DNN_STATUS_H

typedef enum {
    HB_DNN_SUCCESS = 0,
    HB_DNN_INVALID_ARGUMENT = -6000001,
    HB_DNN_INVALID_MODEL = -6000002,
    HB_DNN_CAN_NOT_OPEN_FILE = -6000006,
    HB_DNN_OUT_OF_MEMORY = -6000007,
    HB_DNN_TIMEOUT = -6000008,
    HB_DNN_TASK_NUM_EXCEED_LIMIT = -6000009,
    HB_DNN_INVALID_TASK_HANDLE = -6000011,
    HB_DNN_RUN_TASK_FAILED = -6000012,
    HB_DNN_INCOMPATIBLE_MODEL = -6000014,
    HB_DNN_API_USE_ERROR = -6000015
} hbDNNStatus;

typedef enum {
    HB_SYS_SUCCESS = 0,
    HB_SYS_INVALID_ARGUMENT = -6000129,
    HB_SYS_OUT_OF_MEMORY = -6000130
} hbSysStatus;

#endif /* NNRT_TESTS_HB_DNN_STATUS_H */
