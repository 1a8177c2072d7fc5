/* SPDX-License-Identifier: Apache-2.0 */
/* serve.h - a program that runs one network, so that bench.py can time it in turns with another program.

   First it prints a line, notes | the output of the network for an input that is the same in every such program; then,
   for each line that it reads, one with nanoseconds per run: the least of some milliseconds. So two programs, which may
   be two builds of one library, are timed minutes long in turns on a machine that does other things, too, and their
   minima compare. Between two turns a program sleeps, and so do its threads. */
#ifndef NNRT_TESTS_BENCH_SERVE_H
#define NNRT_TESTS_BENCH_SERVE_H

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SERVE_TURN_NS 6e6   /* timed of a turn */
#define SERVE_WARM_NS 1e6   /* before it: clock, caches, sleeping threads */
#define SERVE_SAMPLE_NS 2e4 /* the least that is timed at once: the clock costs 30 ns */
#define SERVE_SHOWN 12      /* elements of the output */

static double serve_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void serve_need(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* malloc keeps what it was given back: by default it depends on some bytes whether it returns pages to the system, and
   the next start then pays 1 us for each of them. */
static void serve_keep_memory(void) {
    serve_need(mallopt(M_MMAP_THRESHOLD, 1 << 25) && mallopt(M_TRIM_THRESHOLD, 1 << 30), "mallopt");
}

/* The bytes of a file, to the end of the program. */
static void *serve_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    void *bytes;
    long length;
    serve_need(file != NULL, path);
    serve_need(fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0, path);
    *size = (size_t)length;
    bytes = malloc(*size);
    serve_need(bytes != NULL && fread(bytes, 1, *size, file) == *size, path);
    fclose(file);
    return bytes;
}

/* Bytes, or floats of -1 to 1, that look random and are the same everywhere. */
static void serve_fill(void *to, size_t size, int is_float) {
    uint32_t state = 12345;
    size_t i;
    if (is_float) {
        for (i = 0; i < size / sizeof(float); i++) {
            state = state * 1664525u + 1013904223u;
            ((float *)to)[i] = (float)(int32_t)state / 2147483648.0f;
        }
        return;
    }
    for (i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        ((uint8_t *)to)[i] = (uint8_t)(state >> 24);
    }
}

/* The first line. */
static void serve_output(const void *output, size_t size, int is_float) {
    const size_t count = is_float ? size / sizeof(float) : size;
    size_t i;
    printf("|");
    for (i = 0; i < count && i < SERVE_SHOWN; i++) {
        if (is_float) printf(" %g", (double)((const float *)output)[i]);
        else printf(" %d", ((const int8_t *)output)[i]);
    }
    printf("\n");
    fflush(stdout);
}

/* Nanoseconds per run: the least of one turn. */
static double serve_turn(void (*run)(void *), void *context) {
    double start = serve_now(), least = 1e30, end;
    int runs = 1, i;
    while (serve_now() - start < SERVE_WARM_NS) run(context);
    for (;; runs *= 2) { /* so many runs are timed at once */
        start = serve_now();
        for (i = 0; i < runs; i++) run(context);
        if (serve_now() - start >= SERVE_SAMPLE_NS) break;
    }
    end = serve_now() + SERVE_TURN_NS;
    do {
        start = serve_now();
        for (i = 0; i < runs; i++) run(context);
        start = serve_now() - start;
        if (start / runs < least) least = start / runs;
    } while (serve_now() < end);
    return least;
}

/* rest: after a turn, NULL: nothing is to be done for the threads of the program to sleep. */
static void serve(void (*run)(void *), void (*rest)(void), void *context) {
    char line[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        const double least = serve_turn(run, context);
        if (rest != NULL) rest();
        printf("%.2f\n", least);
        fflush(stdout);
    }
}

#endif /* NNRT_TESTS_BENCH_SERVE_H */
