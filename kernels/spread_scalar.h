/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/spread_scalar.h - the meaning of spread: each value several times, side by side.

   pre   from: count values of `element` bytes, 1, 2 or 4, `step` elements apart, step >= 1. to: room for count * copies
         elements and NNRT__SPREAD_SLACK bytes more. They overlap nothing and have any alignment.
   post  to[i * copies + c] = from[i * step] for every c below copies; what the slack holds is undefined. Nothing of
         `from` is read behind its last value. */
#ifndef NNRT_KERNELS_SPREAD_SCALAR_H
#define NNRT_KERNELS_SPREAD_SCALAR_H

#include "internal.h"

/* Bytes that may be written behind the end. */
#define NNRT__SPREAD_SLACK 16u

typedef struct nnrt__spread_args {
    size_t count, step, copies, element;
    const uint8_t *from;
    uint8_t *to;
} nnrt__spread_args;

NNRT__ASSERT_FN bool nnrt__spread_is_right(const nnrt__spread_args *args) {
    NNRT_ASSERT(args->element == 1 || args->element == 2 || args->element == 4);
    NNRT_ASSERT(args->count >= 1 && args->step >= 1 && args->copies >= 1);
    NNRT_ASSERT(args->from != NULL && args->to != NULL);
    NNRT_ASSERT(nnrt__is_apart(args->from, ((args->count - 1) * args->step + 1) * args->element, args->to,
                               args->count * args->copies * args->element + NNRT__SPREAD_SLACK));
    return true;
}

/* The values from the first on, as words of 8 bytes that overlap what follows. ones: the word of 4 bytes with a 1 in
   the place of each value. */
#define NNRT__SPREAD_FROM(name, type, ones)                                                            \
    NNRT__FN void name(const nnrt__spread_args *args, size_t first) {                                  \
        const size_t bytes = args->copies * sizeof(type), step = args->step * sizeof(type);            \
        const uint8_t *from = args->from + first * step, *const end = args->from + args->count * step; \
        uint8_t *to = args->to + first * bytes;                                                        \
        for (; from != end; from += step, to += bytes) {                                               \
            type value;                                                                                \
            uint32_t four;                                                                             \
            uint64_t eight;                                                                            \
            size_t i;                                                                                  \
            memcpy(&value, from, sizeof(value));                                                       \
            four = value * (ones);                                                                     \
            eight = four | (uint64_t)four << 32;                                                       \
            memcpy(to, &eight, 8);                                                                     \
            for (i = 8; i < bytes; i += 8) memcpy(to + i, &eight, 8);                                  \
        }                                                                                              \
    }
NNRT__SPREAD_FROM(nnrt__spread_1_from, uint8_t, 0x01010101u)
NNRT__SPREAD_FROM(nnrt__spread_2_from, uint16_t, 0x00010001u)
NNRT__SPREAD_FROM(nnrt__spread_4_from, uint32_t, 1u)
#undef NNRT__SPREAD_FROM

/* The vector kernels end with it. */
NNRT__FN void nnrt__spread_from(const nnrt__spread_args *args, size_t first) {
    if (args->element == 1) nnrt__spread_1_from(args, first);
    else if (args->element == 2) nnrt__spread_2_from(args, first);
    else nnrt__spread_4_from(args, first);
}

NNRT__FN void nnrt__spread_scalar(const nnrt__spread_args *args) {
    NNRT_ASSERT(nnrt__spread_is_right(args));
    nnrt__spread_from(args, 0);
}

/* Vector kernels take whole values of 16 bytes of `to` at once, from as many bytes of `from`: how many values that is;
   0: it does not come out even, or they lie further apart. place: of each byte of `to` in those of `from`. */
NNRT__FN size_t nnrt__spread_places(const nnrt__spread_args *args, uint8_t *place) {
    const size_t bytes = args->copies * args->element;
    size_t i;
    if (bytes > 16 || 16 % bytes != 0 || args->step > args->copies) return 0;
    for (i = 0; i < 16; i++) place[i] = (uint8_t)(i / bytes * args->step * args->element + i % args->element);
    return 16 / bytes;
}

/* Of these, how many values in front can be taken so that nothing is read behind the last. */
NNRT__FN size_t nnrt__spread_whole(const nnrt__spread_args *args, size_t each) {
    const size_t readable = ((args->count - 1) * args->step + 1) * args->element, step = args->step * args->element;
    const size_t values = readable < 16 ? 0 : (readable - 16) / step + each; /* the last vector begins at most here */
    return values < args->count ? values / each * each : args->count / each * each;
}

NNRT__FN void nnrt__spread_scalar_install(nnrt__cpu_table *t) {
    t->spread = nnrt__spread_scalar;
    t->spread_isa = "scalar";
}

#endif /* NNRT_KERNELS_SPREAD_SCALAR_H */
