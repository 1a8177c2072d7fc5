/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_faults.c - every fault at every call of Horizon's libraries, and of a core, on simulated boards:
   npu_faults.h says what has to hold. */
#include "linked.h"

#include <criterion/criterion.h>

#include "bpu_load.h"

#include "npu_faults.h"

#define SHARED_FUNCTIONS                                                                                              \
    "hbDNNInitializeFromFiles", "hbDNNRelease", "hbDNNGetModelNameList", "hbDNNGetModelHandle", "hbDNNGetInputCount", \
        "hbDNNGetInputName", "hbDNNGetInputTensorProperties", "hbDNNGetOutputCount", "hbDNNGetOutputName",            \
        "hbDNNGetOutputTensorProperties"

/* What is refused to go stays. */
#define GIVES_BACK "Free|Release"

/* Where emptying a cache behind a task fails, nobody reads its results, and the board notices. */
#define EXCUSED "nobody could have read"

static const char *const dnn_functions[] = {SHARED_FUNCTIONS,   "hbDNNInfer",          "hbDNNWaitTaskDone",
                                            "hbDNNReleaseTask", "hbSysAllocCachedMem", "hbSysFreeMem",
                                            "hbSysFlushMem"};

static const fault_vendor dnn = {bpu_load,
                                 "bpu_horizon_",
                                 "bin",
                                 dnn_functions,
                                 NNRT__COUNT_OF(dnn_functions),
                                 "hbDNNInfer",
                                 "fail:-6000015",
                                 NULL,
                                 GIVES_BACK,
                                 NULL,
                                 EXCUSED,
                                 true};

Test(bpu_faults, a_picture_and_two_outputs, .timeout = 280) {
    const plan p = {&dnn, "x3", "x3", "detector", {"bpu.hang_grace_ms", "50", NULL}, NULL};
    every_fault(&p);
}

Test(bpu_faults, three_runs_of_one_task, .timeout = 280) {
    const plan p = {&dnn, "x5, batch", "x5", "small", {"bpu.hang_grace_ms", "50", "bpu.batch", "3", NULL}, NULL};
    every_fault(&p);
}

static const char *const ucp_functions[] = {
    SHARED_FUNCTIONS,   "hbDNNGetCompileBpuCoreNum", "hbDNNInferV2", "hbUCPSubmitTask", "hbUCPWaitTaskDone",
    "hbUCPReleaseTask", "hbUCPMallocCached",         "hbUCPFree",    "hbUCPMemFlush"};

static const fault_vendor ucp = {bpu_load,
                                 "bpu_horizon_",
                                 "hbm",
                                 ucp_functions,
                                 NNRT__COUNT_OF(ucp_functions),
                                 "hbUCPSubmitTask",
                                 "fail:-100002",
                                 NULL,
                                 GIVES_BACK,
                                 NULL,
                                 EXCUSED,
                                 true};

Test(bpu_faults, a_picture_in_two_planes, .timeout = 280) {
    const plan p = {&ucp, "s100", "s100", "detector", {"bpu.hang_grace_ms", "50", NULL}, NULL};
    every_fault(&p);
}

/* What becomes of a task. */
static const char *const task[] = {"task"};

static const fault_vendor dnn_core = {bpu_load,        "bpu_horizon_", "bin",      task, 1,       "task",
                                      "fail:-6000012", NULL,           GIVES_BACK, NULL, EXCUSED, true};
static const fault_vendor ucp_core = {bpu_load,       "bpu_horizon_", "hbm",      task, 1,       "task",
                                      "fail:-200003", NULL,           GIVES_BACK, NULL, EXCUSED, true};

Test(bpu_faults, a_core_that_gives_up_a_run, .timeout = 280) {
    const plan p = {&dnn_core, "j5", "j5", "meter", {"bpu.hang_grace_ms", "50", NULL}, NULL};
    const plan q = {&ucp_core, "s600", "s600", "meter", {"bpu.hang_grace_ms", "50", NULL}, NULL};
    every_fault(&p);
    every_fault(&q);
}
