/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/march.h - the kinds of BPU ("march"): which chips have them, which files are for them.   >>bpu_march

   A file is for one kind. A wrong one is not always refused with a clear reason: a library of X5 accepts files of J5
   and vice versa, and the run fails. */
#ifndef NNRT_BPU_MARCH_H
#define NNRT_BPU_MARCH_H

#include "../core/error.h"
#include "../core/platform.h"

typedef struct nnrt__bpu_march {
    const char *name;    /* as tools and files write it */
    const char *letters; /* of its files, "#X2Ahbm#########"; NULL: they are ELF files */
    const char *chips;   /* for sentences */
    bool is_ucp;         /* the library is UCP's, with its own functions and files */
} nnrt__bpu_march;

/* Kind number index, from 0 on; NULL: no more. Libraries also know bernoulli and b2s, but no file of theirs was
   seen. */
NNRT__FN const nnrt__bpu_march *nnrt__bpu_march_at(size_t index) {
    static const nnrt__bpu_march rows[] = {{"bernoulli2", "X2A", "X3", false},
                                           {"bayes", "B25", "J5 and RDK Ultra", false},
                                           {"bayes-e", "B2E", "X5", false},
                                           {"bernoulli", "X2 ", "X2 and J2", false},
                                           {"b2s", "B2S", "a chip without a known name", false},
                                           {"nash-e", NULL, "S100", true},
                                           {"nash-m", NULL, "S100P", true},
                                           {"nash-p", NULL, "S600", true},
                                           {"nash-h", NULL, "another chip of the J6 family", true},
                                           {"nash-b", NULL, "another chip of the J6 family", true}};
    return index < NNRT__COUNT_OF(rows) ? &rows[index] : NULL;
}

/* The kind with that name of length characters; NULL: unknown. */
NNRT__FN const nnrt__bpu_march *nnrt__bpu_march_named(const void *name, size_t length) {
    const nnrt__bpu_march *march;
    size_t i;
    for (i = 0; (march = nnrt__bpu_march_at(i)) != NULL; i++)
        if (strlen(march->name) == length && memcmp(march->name, name, length) == 0) return march;
    return NULL;
}

/* The kind whose files have the three letters; NULL: it is not known. */
NNRT__FN const nnrt__bpu_march *nnrt__bpu_march_of_letters(const void *letters) {
    const nnrt__bpu_march *march;
    size_t i;
    for (i = 0; (march = nnrt__bpu_march_at(i)) != NULL; i++)
        if (march->letters != NULL && memcmp(march->letters, letters, 3) == 0) return march;
    return NULL;
}

#endif /* NNRT_BPU_MARCH_H */
