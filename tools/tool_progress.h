/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_progress.h - one line on stderr while something takes more than a second, and only where that is a
   terminal: what is done, how far it is, for how long. It is gone before anything else is printed.

   A thread writes it: a signal would end calls of a vendor's library early. */
#ifndef NNRT_TOOLS_TOOL_PROGRESS_H
#define NNRT_TOOLS_TOOL_PROGRESS_H

#include <pthread.h>
#include <time.h>

#include "tool_text.h"

typedef struct progress {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t ended;
    bool running, over;
    const char *what, *of;
    size_t done, total; /* total 0: nobody knows how far it is */
} progress;

/* Whole characters only, so that a long path does not wrap the line, which then could not be taken back. */
static void progress_show(const progress *p, unsigned seconds) {
    char line[72];
    if (p->total != 0)
        snprintf(line, sizeof(line), "%s %zu of %zu, %u s: %s", p->what, p->done, p->total, seconds, p->of);
    else snprintf(line, sizeof(line), "%s, %u s: %s", p->what, seconds, p->of);
    clean(line);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

static void *progress_watch(void *user) {
    progress *p = (progress *)user;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    pthread_mutex_lock(&p->lock);
    for (unsigned seconds = 1; !p->over; seconds++) {
        int waited = 0;
        until.tv_sec++;
        while (!p->over && waited == 0) waited = pthread_cond_timedwait(&p->ended, &p->lock, &until);
        if (!p->over) progress_show(p, seconds);
        else if (seconds > 1) {
            fprintf(stderr, "\r\033[K");
            fflush(stderr);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* So many are done. */
static void progress_at(progress *p, size_t done) {
    if (!p->running) return;
    pthread_mutex_lock(&p->lock);
    p->done = done;
    pthread_mutex_unlock(&p->lock);
}

static void progress_end(progress *p) {
    if (!p->running) return;
    take_back_line = NULL;
    pthread_mutex_lock(&p->lock);
    p->over = true;
    pthread_cond_signal(&p->ended);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->lock);
    p->running = false;
}

/* The one that is watched. */
static progress *progress_shown;

static void progress_take_back(void) { progress_end(progress_shown); }

/* Begins to watch: "running", total runs or 0, of a model. Without a terminal or a thread there is nothing to see. */
static void progress_begin(progress *p, const char *what, size_t total, const char *of) {
    memset(p, 0, sizeof(*p));
    p->what = what;
    p->of = of;
    p->total = total;
    if (!isatty(STDERR_FILENO)) return;
    if (pthread_mutex_init(&p->lock, NULL) != 0) return;
    if (pthread_cond_init(&p->ended, NULL) == 0) {
        p->running = pthread_create(&p->thread, NULL, progress_watch, p) == 0;
        if (p->running) {
            progress_shown = p;
            take_back_line = progress_take_back;
            return;
        }
        pthread_cond_destroy(&p->ended);
    }
    pthread_mutex_destroy(&p->lock);
}

#endif /* NNRT_TOOLS_TOOL_PROGRESS_H */
