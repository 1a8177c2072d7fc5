/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_faults.c - every fault at every call of HiSilicon's libraries, and of the engine, on simulated boards:
   npu_faults.h says what has to hold. */
#include "linked.h"

#include <criterion/criterion.h>

#include "nnie_load.h"

#include "npu_faults.h"

static const char *const functions[] = {
    "HI_MPI_SVP_NNIE_LoadModel",    "HI_MPI_SVP_NNIE_UnloadModel", "HI_MPI_SVP_NNIE_GetTskBufSize",
    "HI_MPI_SVP_NNIE_Forward",      "HI_MPI_SVP_NNIE_Query",       "HI_MPI_SVP_NNIE_AddTskBuf",
    "HI_MPI_SVP_NNIE_RemoveTskBuf", "HI_MPI_SYS_MmzAlloc",         "HI_MPI_SYS_MmzAlloc_Cached",
    "HI_MPI_SYS_MmzFree",           "HI_MPI_SYS_MmzFlushCache"};

/* What is refused to go stays. */
#define GIVES_BACK "Remove|Free|Unload"

/* Where the flush behind a task fails, nobody reads its results, and the board notices. */
#define EXCUSED "nobody could have read"

static const fault_vendor hisilicon = {nnie_load,
                                       "nnie_hisilicon_",
                                       "wk",
                                       functions,
                                       NNRT__COUNT_OF(functions),
                                       "HI_MPI_SVP_NNIE_Forward",
                                       "fail:0xa0338003",
                                       NULL,
                                       GIVES_BACK,
                                       "HI_MPI_SVP_NNIE_Query",
                                       EXCUSED,
                                       true};

Test(nnie_faults, a_model_of_one_segment, .timeout = 280) {
    const plan p = {&hisilicon, "hi3516cv500", "hi3516cv500", "meter", {"nnie.hang_grace_ms", "50", NULL}, NULL};
    every_fault(&p);
}

Test(nnie_faults, tensors_used_in_place_and_three_segments, .timeout = 280) {
    const plan p = {&hisilicon,
                    "hi3559av100, planar",
                    "hi3559av100",
                    "three_segments",
                    {"nnie.hang_grace_ms", "50", "nnie.pixels", "planar", NULL},
                    NULL};
    every_fault(&p);
}

/* What becomes of a task. */
static const char *const task[] = {"task"};

static const fault_vendor engine = {nnie_load, "nnie_hisilicon_", "wk", task,    1,   "task", "fail:0xa0338040",
                                    NULL,      GIVES_BACK,        NULL, EXCUSED, true};

Test(nnie_faults, an_engine_that_times_out_is_reset_by_the_driver, .timeout = 280) {
    const plan p = {&engine, "hi3519av100", "hi3519av100", "meter", {"nnie.hang_grace_ms", "50", NULL}, NULL};
    every_fault(&p);
}
