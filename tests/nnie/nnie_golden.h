/* SPDX-License-Identifier: Apache-2.0 */
/* nnie_golden.h - for tests: models/NAME.golden of the simulated HiSilicon boards, inputs and outputs as a slow
   reference computes them. tests/sim/nnie/make_model.py describes the file. */
#ifndef NNRT_TESTS_NNIE_GOLDEN_H
#define NNRT_TESTS_NNIE_GOLDEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN_MAX 40
#define GOLDEN_MAX_STEPS 8

typedef struct golden_tensor {
    unsigned segment, index;
    bool output, boxes;
    char kind[12]; /* "U8", "S32", "YVU420SP", ... */
    unsigned frames, channels, height, width;
    unsigned sequences, steps[GOLDEN_MAX_STEPS]; /* of SEQ_S32: frames is their sum, width its dim */
    long within;                                 /* of an output: by how much a result may differ */
    const void *data;                            /* uint8 of pictures, else int32: real * 4096; rows without padding */
    size_t elements;
} golden_tensor;

typedef struct golden {
    char *bytes;
    unsigned count;
    golden_tensor tensor[GOLDEN_MAX];
} golden;

static bool golden_is_picture(const golden_tensor *t) { return strchr("UY", t->kind[0]) != NULL; }

/* The number behind word in the line; otherwise when it is not there. */
static long golden_number(const char *line, const char *word, long otherwise) {
    const char *at = strstr(line, word);
    return at != NULL ? strtol(at + strlen(word), NULL, 10) : otherwise;
}

static void golden_line(const char *line, golden_tensor *t) {
    const char *steps = strstr(line, " steps ");
    memset(t, 0, sizeof(*t));
    t->output = strstr(line, " output ") != NULL;
    t->boxes = strstr(line, " boxes ") != NULL;
    t->segment = (unsigned)golden_number(line, "segment ", 0);
    t->index = (unsigned)golden_number(line, t->output ? " output " : " input ", 0);
    (void)sscanf(line, t->boxes ? "%*s %*s %*s %11s" : "%*s %*s %*s %*s %11s", t->kind);
    t->frames = (unsigned)golden_number(line, " frames ", 0);
    t->channels = (unsigned)golden_number(line, " channels ", 1);
    t->height = (unsigned)golden_number(line, " height ", 1);
    t->width = (unsigned)golden_number(line, steps != NULL ? " dim " : " width ", 0);
    t->within = golden_number(line, " within ", 0);
    for (steps = steps != NULL ? steps + 7 : NULL; steps != NULL && t->sequences < GOLDEN_MAX_STEPS;) {
        char *end;
        t->steps[t->sequences] = (unsigned)strtoul(steps, &end, 10);
        t->frames += t->steps[t->sequences++];
        steps = *end == ',' ? end + 1 : NULL;
    }
    t->elements = (size_t)t->frames * t->channels * t->height * t->width;
}

/* FOLDER/models/NAME.golden. false: it cannot be read. */
static bool golden_read(golden *g, const char *folder, const char *name) {
    char path[400], line[160];
    FILE *file;
    long size = 0, at = 0;
    memset(g, 0, sizeof(*g));
    (void)snprintf(path, sizeof(path), "%s/models/%s.golden", folder, name);
    file = fopen(path, "rb");
    if (file == NULL) return false;
    while (fgets(line, sizeof(line), file) != NULL && line[0] != '\n')
        if (strncmp(line, "segment", 7) == 0 && g->count < GOLDEN_MAX) golden_line(line, &g->tensor[g->count++]);
    at = ftell(file);
    (void)fseek(file, 0, SEEK_END);
    size = ftell(file) - at;
    (void)fseek(file, at, SEEK_SET);
    g->bytes = (char *)malloc((size_t)size + 8);
    if (g->bytes != NULL && fread(g->bytes, 1, (size_t)size, file) == (size_t)size) {
        size_t offset = 0;
        unsigned i;
        for (i = 0; i < g->count; i++) {
            g->tensor[i].data = g->bytes + offset;
            offset += g->tensor[i].elements * (golden_is_picture(&g->tensor[i]) ? 1 : 4);
        }
        if (offset != (size_t)size) g->count = 0;
    } else g->count = 0;
    (void)fclose(file);
    return g->count != 0;
}

static void golden_free(golden *g) { free(g->bytes); }

/* Element number i of the tensor. */
static int32_t golden_at(const golden_tensor *t, size_t i) {
    int32_t number;
    if (golden_is_picture(t)) return ((const uint8_t *)t->data)[i];
    memcpy(&number, (const char *)t->data + 4 * i, 4);
    return number;
}

/* NULL: there is none. */
__attribute__((unused)) static const golden_tensor *golden_find(const golden *g, unsigned segment, bool output,
                                                                unsigned index) {
    unsigned i;
    for (i = 0; i < g->count; i++) {
        const golden_tensor *t = &g->tensor[i];
        if (t->segment == segment && t->output == output && t->index == index && !t->boxes) return t;
    }
    return NULL;
}

__attribute__((unused)) static const golden_tensor *golden_boxes(const golden *g, unsigned segment) {
    unsigned i;
    for (i = 0; i < g->count; i++)
        if (g->tensor[i].boxes && g->tensor[i].segment == segment) return &g->tensor[i];
    return NULL;
}

#endif /* NNRT_TESTS_NNIE_GOLDEN_H */
