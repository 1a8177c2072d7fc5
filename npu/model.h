/* SPDX-License-Identifier: Apache-2.0 */
/* npu/model.h - what compilations of every device with an NPU do: bytes for Build, its answers, who still uses one.
   >>npu_model */
#ifndef NNRT_NPU_MODEL_H
#define NNRT_NPU_MODEL_H

#include "../core/error.h"
#include "../core/platform.h"

/* What Build may answer where a device found code. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_build_code(OH_NN_ReturnCode code) {
    switch (code) {
    case OH_NN_SUCCESS:
    case OH_NN_MEMORY_ERROR:
    case OH_NN_INVALID_FILE:
    case OH_NN_UNAVAILABLE_DEVICE: return code;
    case OH_NN_CONNECTION_EXCEPTION: return OH_NN_UNAVAILABLE_DEVICE;
    default: return OH_NN_FAILED;
    }
}

/* The file of a request, mapped or read; *mapping is to be unmapped on success. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_map_file(const char *path, bool read_it, nnrt__mapping *mapping) {
    const char *reason = nnrt__take_file(path, read_it, mapping);
    if (reason == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(reason == nnrt__file_no_memory ? OH_NN_MEMORY_ERROR : OH_NN_INVALID_FILE,
                      "model file \"%.100s\" %s", path, reason);
}

/* The executors of a compilation that are not freed yet, those included whose call hangs. Under the device's mutex. */
typedef struct nnrt__npu_users {
    uint32_t count;
    bool released; /* the program has let go of the compilation: the last executor frees it */
} nnrt__npu_users;

/* The program lets go. true: nobody uses the compilation, the caller frees it. */
NNRT__FN bool nnrt__npu_let_go(nnrt__npu_users *users, nnrt__mutex *mutex) {
    bool over;
    nnrt__mutex_lock(mutex);
    NNRT_ASSERT(!users->released);
    users->released = true;
    over = users->count == 0;
    nnrt__mutex_unlock(mutex);
    return over;
}

/* An executor is made, or freed. true: it was the last one of a compilation that was let go: the caller frees it. */
NNRT__FN bool nnrt__npu_count_user(nnrt__npu_users *users, nnrt__mutex *mutex, bool made) {
    bool over;
    nnrt__mutex_lock(mutex);
    NNRT_ASSERT(made || users->count != 0);
    if (made) users->count++;
    else users->count--;
    over = users->count == 0 && users->released;
    nnrt__mutex_unlock(mutex);
    return over;
}

#endif /* NNRT_NPU_MODEL_H */
