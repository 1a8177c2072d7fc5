/* SPDX-License-Identifier: Apache-2.0 */
/* told.h - what fuzzers of the vendors' files share: what an inspection told. After nnrt.h. */
#ifndef NNRT_FUZZ_TOLD_H
#define NNRT_FUZZ_TOLD_H

#include "must.h"

/* What a file told, to be compared with what its copy tells. */
typedef struct told {
    size_t pairs;
    uint32_t crc; /* of all of it */
} told;

/* report of an inspection; user is a told. Every label and text is terminated, not empty and printable. */
static void sum_pair(void *user, const char *label, const char *text) {
    told *t = (told *)user;
    size_t i;
    MUST(label[0] != '\0' && text[0] != '\0');
    for (i = 0; label[i] != '\0'; i++) MUST(label[i] >= ' ' && label[i] < 0x7f);
    for (i = 0; text[i] != '\0'; i++) MUST(text[i] >= ' ' && text[i] < 0x7f);
    t->pairs++;
    t->crc = nnrt__crc32(t->crc, label, strlen(label) + 1);
    t->crc = nnrt__crc32(t->crc, text, strlen(text) + 1);
}

#endif /* NNRT_FUZZ_TOLD_H */
