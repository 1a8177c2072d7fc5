/* SPDX-License-Identifier: Apache-2.0 */
/* core/nearest.h - finds the name that a misspelt one was probably meant to be.   >>nearest

   The code that refuses a name offers all known names one by one; the nearest one remains, if it is near enough.
   Without sentences nothing is searched. */
#ifndef NNRT_CORE_NEAREST_H
#define NNRT_CORE_NEAREST_H

#include "error.h"

#define NNRT__NEAREST_LENGTH 48u /* bytes of a compared name with its 0; longer ones match nothing */

typedef struct nnrt__nearest {
    const char *wrong;
    const char *name; /* the nearest one so far; NULL: none is near enough */
    size_t distance;  /* its distance from name; without one, the limit plus one */
} nnrt__nearest;

#ifndef NNRT_NO_SENTENCES
NNRT__FN char nnrt__nearest_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

/* How many letters must be inserted, deleted or replaced to turn a into b, ignoring case. Both are shorter than
   NNRT__NEAREST_LENGTH. */
NNRT__FN size_t nnrt__edit_distance(const char *a, const char *b) {
    uint8_t row[NNRT__NEAREST_LENGTH]; /* row[k]: distance from the letters of a so far to the first k of b */
    const size_t length = strlen(b);
    size_t i, k;
    for (k = 0; k <= length; k++) row[k] = (uint8_t)k;
    for (i = 0; a[i] != '\0'; i++) {
        uint8_t diagonal = row[0];
        row[0] = (uint8_t)(i + 1);
        for (k = 0; k < length; k++) {
            const uint8_t replaced =
                (uint8_t)(diagonal + (nnrt__nearest_lower(a[i]) != nnrt__nearest_lower(b[k]) ? 1 : 0));
            uint8_t least = row[k] < row[k + 1] ? row[k] : row[k + 1];
            least++;
            diagonal = row[k + 1];
            row[k + 1] = replaced < least ? replaced : least;
        }
    }
    return row[length];
}

/* Offers a known name. A match of the part after its first dot counts, too. */
NNRT__FN void nnrt__nearest_offer(nnrt__nearest *nearest, const char *name) {
    const char *dot = strchr(name, '.');
    size_t distance;
    if (strlen(nearest->wrong) >= NNRT__NEAREST_LENGTH || strlen(name) >= NNRT__NEAREST_LENGTH) return;
    distance = nnrt__edit_distance(nearest->wrong, name);
    if (dot != NULL && nnrt__edit_distance(nearest->wrong, dot + 1) < distance)
        distance = nnrt__edit_distance(nearest->wrong, dot + 1) + 1;
    if (distance >= nearest->distance) return;
    nearest->distance = distance;
    nearest->name = name;
}
#else
NNRT__FN void nnrt__nearest_offer(nnrt__nearest *nearest, const char *name) {
    (void)nearest;
    (void)name;
}
#endif

/* Near enough is a third of the letters. Offers the configs that the core accepts for every device. */
NNRT__FN void nnrt__nearest_begin(nnrt__nearest *nearest, const char *wrong) {
    nearest->wrong = wrong;
    nearest->name = NULL;
    nearest->distance = strlen(wrong) / 3 + 1;
    nnrt__nearest_offer(nearest, "ModelName");
    nnrt__nearest_offer(nearest, "nnrt.map");
    nnrt__nearest_offer(nearest, "nnrt.fallback");
}

/* The refusal of a config that device ("the CPU device") does not know. */
NNRT__FN OH_NN_ReturnCode nnrt__fail_config(const char *device, const nnrt__nearest *nearest) {
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s knows no extension config \"%.60s\"%s%s%s", device, nearest->wrong,
                      nearest->name != NULL ? "; did you mean " : "", nearest->name != NULL ? nearest->name : "",
                      nearest->name != NULL ? "?" : "");
}

#endif /* NNRT_CORE_NEAREST_H */
