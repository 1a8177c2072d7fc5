/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/team.h - the threads that share the steps of a run.   >>cpu_team

   Each thread has a share of a step's units, cut into chunks; a thread that has finished its own takes chunks of
   others. So a core that is busy elsewhere delays one chunk, not its whole share, and a thread that comes late or never
   delays nothing. Which thread does which unit never changes a byte of the result.
   A worker that finds no chunk spins for some microseconds and then sleeps until it is woken: the next step of a run
   comes sooner than a sleeper wakes up, the next frame of a camera does not. Steps too short to gain stay on the
   caller's thread. */
#ifndef NNRT_CPU_TEAM_H
#define NNRT_CPU_TEAM_H

#include "plan.h"

#define NNRT__MAX_THREADS 64u

/* Least work per thread: a step of less than twice this stays on one core. Handing a step over and waiting for the last
   chunk take 0.5 to 1 us on a PC, which does 30 to 100 int8 products per nanosecond; with AVX2, 82000 of a full
   connection in 1.30 us on one thread and 1.37 on two (EPYC, 2026-11-23). */
#if defined(__i386__) || defined(__x86_64__)
#define NNRT__TEAM_LEAST_HERE 49152u
#else
#define NNRT__TEAM_LEAST_HERE 16384u
#endif
#ifndef NNRT__TEAM_LEAST /* tests/linked.h sets another */
#define NNRT__TEAM_LEAST NNRT__TEAM_LEAST_HERE
#endif

/* Least work of a step for which sleepers are woken, in NNRT__TEAM_LEAST: waking costs the caller some microseconds,
   and the sleeper arrives tens of microseconds later. It then stays awake for the shorter steps that follow. */
#define NNRT__TEAM_WAKE (262144u / NNRT__TEAM_LEAST_HERE)

/* Cost of an output element of a product beyond its multiply-accumulates, in multiply-accumulates; estimated from how
   much slower 3x3 depthwise convolutions are than long sums. Where products are fast, rounding is comparatively
   expensive. */
#define NNRT__TEAM_PER_ELEMENT (NNRT__TEAM_LEAST_HERE / 2048u)

/* A share is cut into at most this many chunks, of at least four times NNRT__TEAM_LEAST: if a core is taken away, the
   others wait for one chunk. Two threads on one core of an x86 server that runs two, AVX2, two rounds of each,
   2026-11-22: vww_96_int8 in 282 to 302 us with 2 chunks, 298 to 330 with 4, 310 to 319 with 8, 298 to 306 with 1; one
   thread 332 to 350. The difference is noise; 4 keeps the wait for a lost core short. */
#define NNRT__TEAM_CHUNKS 4u

/* How long a thread spins before it sleeps, and how many polls it makes per look at the clock. */
#define NNRT__TEAM_SPIN_NS 100000u
#define NNRT__TEAM_SPIN_LOOKS 64

/* Added to nnrt__team.unfinished while the caller sleeps; more than any step has chunks. */
#define NNRT__TEAM_CALLER_SLEEPS 0x40000000

struct nnrt__team;

/* A thread (0 is the caller) and its share of the present step. A thread that has taken a chunk may read the share and
   the team's description of the step until it has counted the chunk as finished. */
typedef struct nnrt__worker {
    int32_t left; /* atomic: chunks not yet taken; < 0: more attempts than chunks */
    uint32_t chunks;
    uint32_t first, last; /* units */
    struct nnrt__team *team;
    nnrt__thread thread;
    uint32_t index;
    char apart[64]; /* keeps counters in separate cache lines */
} nnrt__worker;

/* Fields written for each step are together: a worker that sees a new step needs only two cache lines. */
typedef struct nnrt__team {
    int32_t unfinished; /* atomic: chunks of the present step; NNRT__TEAM_CALLER_SLEEPS */
    char apart[64];
    /* the present step */
    const nnrt__step_kind *kind;
    const nnrt__step_view *view;
    void *const *data;
    uint8_t *scratch;
    size_t scratch_size;
    int32_t *cancel;
    int32_t code;  /* atomic: OH_NN_ReturnCode, of the first chunk that failed */
    int32_t steps; /* atomic: number of steps handed out */
    char apart_too[64];
    int32_t asleep; /* atomic: sleeping workers that nobody has woken yet; changed under mutex */
    nnrt__mutex mutex;
    nnrt__cond wake, done;
    nnrt__worker *workers;   /* [thread_count] */
    uint32_t thread_count;   /* caller included */
    uint32_t least;          /* NNRT__TEAM_LEAST */
    bool spins;              /* false: fewer cores than threads, so spinning would keep others from working */
    OH_NN_Priority priority; /* of the workers */
    uint32_t wakes;          /* counts awakenings; under mutex, like all fields below and writes of code */
    bool stop;
    char sentence[NNRT__SENTENCE_SIZE];
} nnrt__team;

/* Units [first, last) of a step, chunk by chunk, until *cancel is not 0. */
NNRT__FN OH_NN_ReturnCode nnrt__run_units(const nnrt__step_kind *kind, const nnrt__step_view *view,
                                          nnrt__step_call *call) {
    const uint32_t last = call->last;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    while (code == OH_NN_SUCCESS && call->first < last && !nnrt__atomic_load(call->cancel)) {
        call->last = last - call->first > view->chunk ? call->first + view->chunk : last;
        code = kind->run(view, call);
        call->first = call->last;
    }
    return code;
}

/* ------------------------------------------------------------------------------------------------- waiting */

/* Polls *value until it is no longer `from` (true), or until NNRT__TEAM_SPIN_NS are over. polite: yields the core to
   other threads, even if for milliseconds. */
NNRT__FN bool nnrt__team_look_out(int32_t *value, int32_t from, bool polite) {
    uint64_t until = 0, now;
    int i;
    do {
        for (i = 0; i < NNRT__TEAM_SPIN_LOOKS; i++) {
            if (nnrt__atomic_load(value) != from) return true;
            nnrt__thread_pause();
        }
        if (polite) nnrt__thread_yield();
        now = nnrt__now_ns();
        if (until == 0) until = now + NNRT__TEAM_SPIN_NS;
    } while (now < until);
    return false;
}

/* Sleeps until the caller wakes the workers. *seen: the value of wakes that this worker saw last. false: the team is
   being freed. */
NNRT__FN bool nnrt__team_sleep(nnrt__team *team, uint32_t *seen) {
    bool stop;
    nnrt__mutex_lock(&team->mutex);
    if (!team->stop && team->wakes == *seen) {
        (void)nnrt__atomic_add(&team->asleep, 1);
        do nnrt__cond_wait(&team->wake, &team->mutex);
        while (!team->stop && team->wakes == *seen);
    }
    *seen = team->wakes;
    stop = team->stop;
    nnrt__mutex_unlock(&team->mutex);
    return !stop;
}

NNRT__FN void nnrt__team_wake(nnrt__team *team, bool stop) {
    nnrt__mutex_lock(&team->mutex);
    team->wakes++;
    team->stop = stop;
    nnrt__atomic_store(&team->asleep, 0);
    nnrt__cond_broadcast(&team->wake);
    nnrt__mutex_unlock(&team->mutex);
}

/* -------------------------------------------------------------------------------------------------- chunks */

/* Takes the next chunk of a share. */
NNRT__FN bool nnrt__team_take(nnrt__worker *share, uint32_t *first, uint32_t *last) {
    const int32_t left = nnrt__atomic_load(&share->left) > 0 ? nnrt__atomic_add(&share->left, -1) : -1;
    uint64_t units, chunk;
    if (left < 0) return false;
    units = share->last - share->first;
    chunk = share->chunks - 1 - (uint32_t)left;
    NNRT_ASSERT(chunk < share->chunks && share->chunks <= units);
    *first = share->first + (uint32_t)(units * chunk / share->chunks);
    *last = share->first + (uint32_t)(units * (chunk + 1) / share->chunks);
    return true;
}

/* Units [first, last), which thread `index` has taken; nothing once a chunk has failed. */
NNRT__FN void nnrt__team_do(nnrt__team *team, uint32_t index, uint32_t first, uint32_t last) {
    nnrt__step_call call;
    OH_NN_ReturnCode code;
    NNRT_ASSERT(index < team->thread_count);
    NNRT_ASSERT(first < last && last <= team->view->units);
    if (nnrt__atomic_load(&team->code) != OH_NN_SUCCESS) return;
    call.data = team->data;
    call.scratch = team->scratch_size != 0 ? team->scratch + (size_t)index * team->scratch_size : NULL;
    call.cancel = team->cancel;
    call.turn = 0; /* a turn of a group is one unit and is not shared */
    call.first = first;
    call.last = last;
    code = nnrt__run_units(team->kind, team->view, &call);
    if (code == OH_NN_SUCCESS) return;
    nnrt__mutex_lock(&team->mutex);
    if (nnrt__atomic_load(&team->code) == OH_NN_SUCCESS) {
        memcpy(team->sentence, nnrt__sentence(), sizeof(team->sentence));
        nnrt__atomic_store(&team->code, (int32_t)code);
    }
    nnrt__mutex_unlock(&team->mutex);
}

/* Does chunks until none is left, its own share first. Returns how many; the caller must count them as finished. */
NNRT__FN int32_t nnrt__team_work(nnrt__team *team, uint32_t index) {
    uint32_t i, share = index, first, last;
    int32_t count = 0;
    NNRT_ASSERT(index < team->thread_count);
    for (i = 0; i < team->thread_count; i++) {
        for (; nnrt__team_take(&team->workers[share], &first, &last); count++) nnrt__team_do(team, index, first, last);
        share = share + 1 < team->thread_count ? share + 1 : 0;
    }
    return count;
}

NNRT__FN void *nnrt__team_body(void *argument) {
    nnrt__worker *worker = (nnrt__worker *)argument;
    nnrt__team *team = worker->team;
    uint32_t seen = 0;
    nnrt__thread_take_priority(team->priority);
    while (nnrt__team_sleep(team, &seen)) {
        int32_t steps, count;
        do {
            steps = nnrt__atomic_load(&team->steps);
            count = nnrt__team_work(team, worker->index);
            if (count != 0 && nnrt__atomic_add(&team->unfinished, -count) == NNRT__TEAM_CALLER_SLEEPS) {
                nnrt__mutex_lock(&team->mutex);
                nnrt__cond_broadcast(&team->done);
                nnrt__mutex_unlock(&team->mutex);
            }
        } while (team->spins && nnrt__team_look_out(&team->steps, steps, true));
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------- teams */

NNRT__FN void nnrt__team_free(nnrt__team *team) {
    uint32_t i;
    if (team == NULL) return;
    nnrt__team_wake(team, true);
    for (i = 1; i < team->thread_count; i++) nnrt__thread_join(&team->workers[i].thread);
    nnrt__cond_destroy(&team->done);
    nnrt__cond_destroy(&team->wake);
    nnrt__mutex_destroy(&team->mutex);
    nnrt__free(team);
}

/* threads: 2 to NNRT__MAX_THREADS. The team is smaller if the system gives fewer threads. The caller's thread keeps its
   priority. NULL: out of memory. */
NNRT__FN nnrt__team *nnrt__team_new(uint32_t threads, OH_NN_Priority priority) {
    nnrt__team *team = (nnrt__team *)nnrt__alloc_zero(1, sizeof(nnrt__team) + threads * sizeof(nnrt__worker));
    bool ok;
    uint32_t i;
    NNRT_ASSERT(threads >= 2 && threads <= NNRT__MAX_THREADS);
    if (team == NULL) return NULL;
    ok = nnrt__mutex_init(&team->mutex);
    if (ok && !nnrt__cond_init(&team->wake)) {
        nnrt__mutex_destroy(&team->mutex);
        ok = false;
    }
    if (ok && !nnrt__cond_init(&team->done)) {
        nnrt__cond_destroy(&team->wake);
        nnrt__mutex_destroy(&team->mutex);
        ok = false;
    }
    if (!ok) {
        nnrt__free(team);
        return NULL;
    }
    team->workers = (nnrt__worker *)(void *)(team + 1);
    team->thread_count = 1;
    team->least = NNRT__TEAM_LEAST;
    team->priority = priority;
    team->spins = threads <= (uint32_t)nnrt__core_count();
    for (i = 1; i < threads; i++) {
        team->workers[i].team = team;
        team->workers[i].index = i;
        if (!nnrt__thread_start(&team->workers[i].thread, nnrt__team_body, &team->workers[i])) break;
        team->thread_count = i + 1; /* workers read it after they are woken */
    }
    return team;
}

/* Work of a step, in the unit of team->least. */
NNRT__FN uint64_t nnrt__team_leasts(const nnrt__team *team, const nnrt__step_view *view) {
    const nnrt__plan_value *out = view->step->macs != 0 ? nnrt__step_output(view, 0) : NULL;
    const size_t element = out != NULL ? nnrt__element_size((OH_NN_DataType)out->dtype) : 0;
    const uint64_t work = view->work + (element != 0 ? out->size / element * NNRT__TEAM_PER_ELEMENT : 0);
    return work / team->least;
}

/* How many threads a step gets: each has at least one unit and work of team->least. */
NNRT__FN uint32_t nnrt__team_parts(const nnrt__team *team, const nnrt__step_view *view) {
    const uint32_t most = view->units < team->thread_count ? view->units : team->thread_count;
    const uint64_t wanted = nnrt__team_leasts(team, view);
    return wanted < most ? (uint32_t)wanted : most;
}

/* Chunks per share, for `parts` shares. */
NNRT__FN uint32_t nnrt__team_chunks(const nnrt__team *team, const nnrt__step_view *view, uint32_t parts) {
    const uint64_t wanted = nnrt__team_leasts(team, view) / parts / 4;
    const uint32_t most = view->units / parts < NNRT__TEAM_CHUNKS ? view->units / parts : NNRT__TEAM_CHUNKS;
    NNRT_ASSERT(parts >= 1 && parts <= view->units);
    return wanted == 0 ? 1 : wanted < most ? (uint32_t)wanted : most;
}

/* Runs one step on `parts` threads or more: 2 to nnrt__team_parts. */
NNRT__FN OH_NN_ReturnCode nnrt__team_run(nnrt__team *team, uint32_t parts, const nnrt__step_kind *kind,
                                         const nnrt__step_view *view, void *const *data, uint8_t *scratch,
                                         size_t scratch_size, int32_t *cancel) {
    const uint32_t chunks = nnrt__team_chunks(team, view, parts);
    OH_NN_ReturnCode code;
    int32_t count;
    uint32_t i;
    NNRT_ASSERT(parts >= 2 && parts <= team->thread_count && parts <= view->units);
    team->kind = kind;
    team->view = view;
    team->data = data;
    team->scratch = scratch;
    team->scratch_size = scratch_size;
    team->cancel = cancel;
    nnrt__atomic_store(&team->code, OH_NN_SUCCESS);
    nnrt__atomic_store(&team->unfinished, (int32_t)(chunks * parts));
    for (i = 0; i < parts; i++) {
        nnrt__worker *share = &team->workers[i];
        share->first = (uint32_t)((uint64_t)view->units * i / parts);
        share->last = (uint32_t)((uint64_t)view->units * (i + 1) / parts);
        share->chunks = chunks;
    }
    for (i = 0; i < parts; i++)
        nnrt__atomic_store(&team->workers[i].left, (int32_t)chunks); /* workers take from here */
    (void)nnrt__atomic_add(&team->steps, 1);
    if (nnrt__atomic_load(&team->asleep) != 0 && nnrt__team_leasts(team, view) >= NNRT__TEAM_WAKE)
        nnrt__team_wake(team, false);
    count = nnrt__team_work(team, 0);
    count = nnrt__atomic_add(&team->unfinished, -count);
    while (count != 0 && team->spins && nnrt__team_look_out(&team->unfinished, count, false))
        count = nnrt__atomic_load(&team->unfinished);
    if (count != 0 && nnrt__atomic_add(&team->unfinished, NNRT__TEAM_CALLER_SLEEPS) != NNRT__TEAM_CALLER_SLEEPS) {
        nnrt__mutex_lock(&team->mutex);
        while (nnrt__atomic_load(&team->unfinished) != NNRT__TEAM_CALLER_SLEEPS)
            nnrt__cond_wait(&team->done, &team->mutex);
        nnrt__mutex_unlock(&team->mutex);
    }
    code = (OH_NN_ReturnCode)nnrt__atomic_load(&team->code);
    return code == OH_NN_SUCCESS ? code : nnrt__fail(code, "%s", team->sentence);
}

#endif /* NNRT_CPU_TEAM_H */
