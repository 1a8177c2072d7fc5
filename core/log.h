/* SPDX-License-Identifier: Apache-2.0 */
/* core/log.h - log lines for the program's callback, and the three calls that every program may make.   >>log

   The callback may call nnrt, so it is never called under a lock: code that may log while it holds one is enclosed in
   nnrt__log_hold and nnrt__log_let_go, and its lines are sent afterwards. Separate from the registry, so that what is
   below that (the model, the CPU device) can include it and log. */
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

#ifndef NNRT_NO_SENTENCES
/* A held line, followed by its text. */
typedef struct nnrt__log_line {
    struct nnrt__log_line *next;
    nnrt_log_level level;
} nnrt__log_line;

/* What a thread is doing. */
typedef struct nnrt__log_thread {
    uint32_t holds; /* locks under which lines wait */
    bool telling;   /* it is inside the callback */
    nnrt__log_line *first, *last;
} nnrt__log_thread;

NNRT__FN nnrt__log_thread *nnrt__log_self(void) {
    static NNRT__THREAD_LOCAL nnrt__log_thread self;
    return &self;
}

/* Calls the program. What the callback does must not change the sentence of the current call, and lines that it causes
   are dropped to avoid endless recursion. */
NNRT__FN void nnrt__log_tell(nnrt_log_level level, const char *line) {
    const nnrt__log_target target = *nnrt__log_state();
    nnrt__log_thread *self = nnrt__log_self();
    char sentence[NNRT__SENTENCE_SIZE];
    if (target.callback == NULL) return;
    memcpy(sentence, nnrt__sentence(), sizeof(sentence));
    self->telling = true;
    target.callback(target.user, level, line);
    self->telling = false;
    memcpy(nnrt__sentence(), sentence, sizeof(sentence));
}

/* Holds line until nnrt__log_let_go; it is lost when out of memory. */
NNRT__FN void nnrt__log_keep(nnrt__log_thread *self, nnrt_log_level level, const char *line) {
    size_t size = strlen(line) + 1; /* <= NNRT__SENTENCE_SIZE + 64 */
    nnrt__log_line *kept = (nnrt__log_line *)nnrt__alloc(sizeof(*kept) + size);
    if (kept == NULL) return;
    kept->next = NULL;
    kept->level = level;
    memcpy(kept + 1, line, size);
    if (self->last != NULL) self->last->next = kept;
    else self->first = kept;
    self->last = kept;
}

NNRT__FN void nnrt__log(nnrt_log_level level, const char *text, ...) {
    nnrt__log_thread *self = nnrt__log_self();
    char line[NNRT__SENTENCE_SIZE + 64], tail[NNRT__SENTENCE_TAIL];
    char *c;
    size_t length;
    va_list arguments;
    if (nnrt__log_state()->callback == NULL || self->telling) return;
    va_start(arguments, text);
    length = nnrt__format_list(line, sizeof(line), 0, text, arguments);
    va_end(arguments);
    if (length >= sizeof(line)) {
        va_start(arguments, text);
        (void)nnrt__format_list(tail, sizeof(tail), length - (sizeof(tail) - 1), text, arguments);
        va_end(arguments);
        nnrt__format_join(line, sizeof(line), tail);
    }
    for (c = line; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r') *c = ' '; /* names in models and paths may contain anything */
    if (self->holds != 0) nnrt__log_keep(self, level, line);
    else nnrt__log_tell(level, line);
}

/* Before this thread takes a lock. */
NNRT__FN void nnrt__log_hold(void) { nnrt__log_self()->holds++; }

/* After this thread has released it: sends the held lines, unless it holds another lock or is already sending. */
NNRT__FN void nnrt__log_let_go(void) {
    nnrt__log_thread *self = nnrt__log_self();
    if (--self->holds != 0 || self->telling) return;
    while (self->first != NULL) {
        nnrt__log_line *line = self->first;
        self->first = line->next;
        if (self->first == NULL) self->last = NULL;
        nnrt__log_tell(line->level, (const char *)(line + 1));
        nnrt__free(line);
    }
}
#else
NNRT__FN void nnrt__log_hold(void) {}
NNRT__FN void nnrt__log_let_go(void) {}
#endif

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
