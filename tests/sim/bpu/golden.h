/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h - for tests: models/NAME.CHIP.golden of the simulated Horizon boards, inputs and outputs as a slow reference
   computes them. reference.py describes the file. */
#ifndef NNRT_TESTS_SIM_BPU_GOLDEN_H
#define NNRT_TESTS_SIM_BPU_GOLDEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN_MAX 12

typedef struct golden_tensor {
    bool output;
    unsigned index;
    char type[8]; /* "S8", "NV12", ... */
    uint32_t rank, dims[8];
    size_t element;      /* bytes; 1 of pictures and of 4 bits */
    const uint8_t *data; /* without padding, in the order of dims; NV12: Y, then U and V */
    size_t bytes;
} golden_tensor;

typedef struct golden {
    uint8_t *bytes;
    unsigned count;
    golden_tensor tensor[GOLDEN_MAX];
} golden;

static size_t golden_element(const char *type) {
    const char *digits = type + strcspn(type, "0123456789");
    if (strcmp(type, "NV12") == 0 || strcmp(type, "BOOL8") == 0 || strcmp(type, "YUV444") == 0 || !*digits) return 1;
    return strcmp(digits, "4") == 0 ? 1 : (size_t)strtoul(digits, NULL, 10) / 8;
}

static void golden_line(const char *line, golden_tensor *t) {
    const char *at = strstr(line, " dims ");
    memset(t, 0, sizeof(*t));
    t->output = line[0] == 'o';
    (void)sscanf(line, "%*s %u %7s", &t->index, t->type);
    t->element = t->bytes = golden_element(t->type);
    for (at = at ? at + 6 : NULL; at && t->rank < 8;) {
        char *end;
        t->dims[t->rank] = (uint32_t)strtoul(at, &end, 10);
        t->bytes *= t->dims[t->rank++];
        at = *end == ',' ? end + 1 : NULL;
    }
    if (strcmp(t->type, "NV12") == 0) t->bytes /= 2; /* of three channels */
}

/* FOLDER/models/NAME.CHIP.golden. false: it cannot be read. */
static bool golden_read(golden *g, const char *folder, const char *name, const char *chip) {
    char path[400], line[160];
    FILE *file;
    long size, at;
    size_t offset = 0;
    unsigned i;
    memset(g, 0, sizeof(*g));
    (void)snprintf(path, sizeof(path), "%s/models/%s.%s.golden", folder, name, chip);
    file = fopen(path, "rb");
    if (!file) return false;
    while (fgets(line, sizeof(line), file) && line[0] != '\n')
        if ((line[0] == 'i' || line[0] == 'o') && g->count < GOLDEN_MAX) golden_line(line, &g->tensor[g->count++]);
    at = ftell(file);
    (void)fseek(file, 0, SEEK_END);
    size = ftell(file) - at;
    (void)fseek(file, at, SEEK_SET);
    g->bytes = (uint8_t *)malloc((size_t)size + 1);
    if (!g->bytes || fread(g->bytes, 1, (size_t)size, file) != (size_t)size) g->count = 0;
    (void)fclose(file);
    for (i = 0; i < g->count; i++) {
        g->tensor[i].data = g->bytes + offset;
        offset += g->tensor[i].bytes;
    }
    return g->count != 0 && offset == (size_t)size;
}

static void golden_free(golden *g) { free(g->bytes); }

#endif /* NNRT_TESTS_SIM_BPU_GOLDEN_H */
