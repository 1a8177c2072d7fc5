/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/errors.h - codes of Horizon's libraries as codes of OH_NN and sentences that say what to check.   >>bpu_errors

   Version 1 and UCP have disjoint numbers, so one table has both. Each sentence names the causes that a code was seen
   with or is documented for, the likeliest first. */
#ifndef NNRT_BPU_ERRORS_H
#define NNRT_BPU_ERRORS_H

#include "../core/error.h"
#include "abi.h"

typedef struct nnrt__bpu_error {
    int32_t vendor_code;
    OH_NN_ReturnCode code;
    const char *sentence;
} nnrt__bpu_error;

/* The meaning of the code; NULL: not a known code of a library. */
NNRT__FN const nnrt__bpu_error *nnrt__bpu_error_find(int32_t vendor_code) {
    static const char argument[] = "an argument was refused: a shape, a type, a pitch or memory that is too small; the "
                                   "library's own output says which";
    static const char no_model[] = "the library knows no such model";
    static const char bad_model[] = "the file is damaged or no model of this library, or there is too little BPU "
                                    "memory for it, which looks the same";
    static const char too_many_models[] = "the library has no place for another model: release some";
    static const char no_file[] = "the library cannot open the file";
    static const char no_memory[] = "there is no BPU memory left, or the program has no file descriptor left, of which "
                                    "each memory holds one";
    static const char timeout[] = "the BPU did not finish in time";
    static const char too_many_tasks[] = "all of the library's tasks (32 as a rule) are alive: release those of the "
                                         "program's own, or raise HB_UCP_MAX_TASK_NUM where the library knows it";
    static const char no_task[] = "the library knows no such task";
    static const char run_failed[] = "the BPU gave up the run: a model for another BPU (X5 and J5 load each other's), "
                                     "memory that went away, or a fault; look at dmesg";
    static const char busy_model[] = "tasks of the model are still alive";
    static const char other_march[] = "the model was compiled for another BPU or for another release of the library: "
                                      "compile it again for this board";
    static const char misuse[] = "the library was called in an order that it does not allow";
    static const nnrt__bpu_error errors[] = {
        {NNRT__BPU_INVALID_ARGUMENT, OH_NN_INVALID_PARAMETER, argument},
        {NNRT__BPU_INVALID_MODEL, OH_NN_INVALID_FILE, bad_model},
        {NNRT__BPU_MODEL_LIMIT, OH_NN_UNAVAILABLE_DEVICE, too_many_models},
        {NNRT__BPU_INVALID_PACKED, OH_NN_FAILED, no_model},
        {NNRT__BPU_INVALID_HANDLE, OH_NN_FAILED, no_model},
        {NNRT__BPU_CANNOT_OPEN, OH_NN_INVALID_FILE, no_file},
        {NNRT__BPU_OUT_OF_MEMORY, OH_NN_MEMORY_ERROR, no_memory},
        {NNRT__BPU_TIMEOUT, OH_NN_TIMEOUT, timeout},
        {NNRT__BPU_TASK_LIMIT, OH_NN_UNAVAILABLE_DEVICE, too_many_tasks},
        {NNRT__BPU_BATCH_LIMIT, OH_NN_INVALID_PARAMETER, "a task has at most 255 runs"},
        {NNRT__BPU_INVALID_TASK, OH_NN_FAILED, no_task},
        {NNRT__BPU_RUN_FAILED, OH_NN_FAILED, run_failed},
        {NNRT__BPU_MODEL_RUNS, OH_NN_FAILED, busy_model},
        {NNRT__BPU_INCOMPATIBLE, OH_NN_INVALID_FILE, other_march},
        {NNRT__BPU_MISUSE, OH_NN_FAILED, misuse},
        {NNRT__BPU_OTHER_PROCESS, OH_NN_UNAVAILABLE_DEVICE,
         "another process has the BPU in a way that excludes others"},
        {NNRT__BPU_SYS_INVALID_ARGUMENT, OH_NN_INVALID_PARAMETER,
         "an argument about memory was refused: it is not of this library, or was freed"},
        {NNRT__BPU_SYS_OUT_OF_MEMORY, OH_NN_MEMORY_ERROR, no_memory},
        {NNRT__BPU_SYS_REGISTER_FAILED, OH_NN_MEMORY_ERROR, "the memory cannot be registered"},
        {NNRT__UCP_INVALID_ARGUMENT, OH_NN_INVALID_PARAMETER, argument},
        {NNRT__UCP_MISUSE, OH_NN_FAILED, misuse},
        {NNRT__UCP_INIT_FAILED, OH_NN_UNAVAILABLE_DEVICE, "the library could not start: is the BPU's driver loaded?"},
        {NNRT__UCP_UNKNOWN, OH_NN_FAILED, "the library does not know why; its own output may say more"},
        {NNRT__UCP_TASK_LIMIT, OH_NN_UNAVAILABLE_DEVICE, too_many_tasks},
        {NNRT__UCP_TIMEOUT, OH_NN_TIMEOUT, timeout},
        {NNRT__UCP_RUN_FAILED, OH_NN_FAILED, run_failed},
        {NNRT__UCP_INVALID_TASK, OH_NN_FAILED, no_task},
        {NNRT__UCP_OUT_OF_MEMORY, OH_NN_MEMORY_ERROR, no_memory},
        {NNRT__UCP_FREE_FAILED, OH_NN_FAILED, "the memory is not of this library, or was freed"},
        {NNRT__UCP_CLEAN_FAILED, OH_NN_FAILED,
         "the cache could not be written back: the memory is unknown or was "
         "freed"},
        {NNRT__UCP_INVALIDATE_FAILED, OH_NN_FAILED,
         "the cache could not be emptied: the memory is unknown or was "
         "freed"},
        {NNRT__UCP_INVALID_MEMORY, OH_NN_INVALID_PARAMETER, "the memory is not one that the BPU reaches"},
        {NNRT__UCP_MAP_FAILED, OH_NN_MEMORY_ERROR, "the memory cannot be mapped"},
        {NNRT__UCP_UNMAP_FAILED, OH_NN_FAILED, "the memory cannot be unmapped"},
        {NNRT__UCP_CANNOT_OPEN, OH_NN_INVALID_FILE, no_file},
        {NNRT__UCP_MODEL_LIMIT, OH_NN_UNAVAILABLE_DEVICE, too_many_models},
        {NNRT__UCP_INVALID_MODEL, OH_NN_INVALID_FILE, bad_model},
        {NNRT__UCP_MODEL_IN_USE, OH_NN_FAILED, busy_model},
        {NNRT__UCP_INCOMPATIBLE, OH_NN_INVALID_FILE, other_march}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(errors); i++)
        if (errors[i].vendor_code == vendor_code) return &errors[i];
    return NULL;
}

/* Fails because the library's call what returned vendor_code, which is not 0. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_fail(int32_t vendor_code, const char *what) {
    const nnrt__bpu_error *error = nnrt__bpu_error_find(vendor_code);
    if (error == NULL)
        return nnrt__fail(OH_NN_FAILED,
                          "%.70s: the library failed for a reason that nnrt does not know; its own output may say more "
                          "(code %d)",
                          what, (int)vendor_code);
    return nnrt__fail(error->code, "%.70s: %s (code %d)", what, error->sentence, (int)vendor_code);
}

#endif /* NNRT_BPU_ERRORS_H */
