/* SPDX-License-Identifier: Apache-2.0 */
/* core/log.h - log lines to the callback of the program, and the three calls that every program may make.   >>log

   Apart from the registry, so that what is below it (the model, the CPU device) can log and include it. */
#ifndef NNRT_CORE_LOG_H
#define NNRT_CORE_LOG_H

#include "error.h"

typedef struct nnrt__log_target {
    nnrt_log_callback callback;
    void *user;
} nnrt__log_target;

NNRT__FN nnrt__log_target *nnrt__log_state(void) {
    static nnrt__log_target target;
    return &target;
}

NNRT__FN void nnrt__log(nnrt_log_level level, const char *text, ...) {
    const nnrt__log_target *target = nnrt__log_state();
    char line[NNRT__SENTENCE_SIZE + 64];
    char *c;
    va_list arguments;
    if (target->callback == NULL) return;
    va_start(arguments, text);
    nnrt__format_list(line, sizeof(line), text, arguments);
    va_end(arguments);
    for (c = line; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r') *c = ' '; /* names in models and paths may hold anything */
    target->callback(target->user, level, line);
}

NNRT_API void nnrt_set_log(nnrt_log_callback callback, void *user) {
    nnrt__log_state()->callback = callback;
    nnrt__log_state()->user = user;
}

NNRT_API const char *nnrt_last_error(void) { return nnrt__sentence(); }

NNRT_API OH_NN_ReturnCode nnrt_backend_fail(OH_NN_ReturnCode code, const char *sentence) {
    return nnrt__fail(code, "%s", sentence != NULL ? sentence : "the device gave no reason");
}

NNRT_API const char *nnrt_strerror(OH_NN_ReturnCode code) {
    static const char *const names[15] = {"OH_NN_SUCCESS",
                                          "OH_NN_FAILED",
                                          "OH_NN_INVALID_PARAMETER",
                                          "OH_NN_MEMORY_ERROR",
                                          "OH_NN_OPERATION_FORBIDDEN",
                                          "OH_NN_NULL_PTR",
                                          "OH_NN_INVALID_FILE",
                                          "OH_NN_UNAVALIDABLE_DEVICE",
                                          "OH_NN_INVALID_PATH",
                                          "OH_NN_TIMEOUT",
                                          "OH_NN_UNSUPPORTED",
                                          "OH_NN_CONNECTION_EXCEPTION",
                                          "OH_NN_SAVE_CACHE_EXCEPTION",
                                          "OH_NN_DYNAMIC_SHAPE",
                                          "OH_NN_UNAVAILABLE_DEVICE"};
    return (unsigned)code < NNRT__COUNT_OF(names) ? names[(unsigned)code] : "unknown return code";
}

#endif /* NNRT_CORE_LOG_H */
