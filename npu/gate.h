/* SPDX-License-Identifier: Apache-2.0 */
/* npu/gate.h - lets one thread at a time into parts of a vendor's library that may not be thread-safe.   >>npu_gate

   Every call on one object of the vendor's (a context, a model) is made between enter and leave. A hanging call can be
   given up: the gate is then stuck, and nobody enters until that call returns and leaves. */
#ifndef NNRT_NPU_GATE_H
#define NNRT_NPU_GATE_H

#include "../core/platform.h"

typedef struct nnrt__gate {
    nnrt__mutex mutex; /* of the lines below; held for moments */
    nnrt__cond changed;
    bool busy;  /* a thread is between enter and leave */
    bool stuck; /* that thread was given up; cleared by its leave */
} nnrt__gate;

/* gate is zeroed. false: no mutex; then there is nothing to destroy. */
NNRT__FN bool nnrt__gate_init(nnrt__gate *gate) {
    if (!nnrt__mutex_init(&gate->mutex)) return false;
    if (nnrt__cond_init(&gate->changed)) return true;
    nnrt__mutex_destroy(&gate->mutex);
    return false;
}

NNRT__FN void nnrt__gate_destroy(nnrt__gate *gate) {
    nnrt__cond_destroy(&gate->changed);
    nnrt__mutex_destroy(&gate->mutex);
}

/* Never waits: false if a thread is inside. */
NNRT__FN bool nnrt__gate_try(nnrt__gate *gate) {
    bool entered;
    nnrt__mutex_lock(&gate->mutex);
    entered = !gate->busy;
    gate->busy = true;
    nnrt__mutex_unlock(&gate->mutex);
    return entered;
}

/* Whether a thread is inside; for assertions of functions that need it. */
NNRT__FN bool nnrt__gate_is_busy(nnrt__gate *gate) {
    bool busy;
    nnrt__mutex_lock(&gate->mutex);
    busy = gate->busy;
    nnrt__mutex_unlock(&gate->mutex);
    return busy;
}

/* Waits while a thread is inside; false, at once, if the gate is stuck. */
NNRT__FN bool nnrt__gate_enter(nnrt__gate *gate) {
    bool entered;
    nnrt__mutex_lock(&gate->mutex);
    while (gate->busy && !gate->stuck) nnrt__cond_wait(&gate->changed, &gate->mutex);
    entered = !gate->busy;
    if (entered) gate->busy = true;
    nnrt__mutex_unlock(&gate->mutex);
    return entered;
}

/* Like enter, but also waits for a call that was given up, until deadline_ns (of nnrt__now_ns). */
NNRT__FN bool nnrt__gate_enter_until(nnrt__gate *gate, uint64_t deadline_ns) {
    bool entered;
    nnrt__mutex_lock(&gate->mutex);
    while (gate->busy && nnrt__cond_wait_until(&gate->changed, &gate->mutex, deadline_ns)) continue;
    entered = !gate->busy;
    if (entered) gate->busy = true;
    nnrt__mutex_unlock(&gate->mutex);
    return entered;
}

NNRT__FN void nnrt__gate_leave(nnrt__gate *gate) {
    nnrt__mutex_lock(&gate->mutex);
    NNRT_ASSERT(gate->busy);
    gate->busy = false;
    gate->stuck = false;
    nnrt__cond_broadcast(&gate->changed);
    nnrt__mutex_unlock(&gate->mutex);
}

/* Gives up the call of the thread inside, from another thread. Does nothing if nobody is inside. Never blocks. */
NNRT__FN void nnrt__gate_give_up(nnrt__gate *gate) {
    nnrt__mutex_lock(&gate->mutex);
    if (gate->busy) {
        gate->stuck = true;
        nnrt__cond_broadcast(&gate->changed);
    }
    nnrt__mutex_unlock(&gate->mutex);
}

NNRT__FN bool nnrt__gate_is_stuck(nnrt__gate *gate) {
    bool stuck;
    nnrt__mutex_lock(&gate->mutex);
    stuck = gate->stuck;
    nnrt__mutex_unlock(&gate->mutex);
    return stuck;
}

#endif /* NNRT_NPU_GATE_H */
