/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/flexbuffer.h - the options of a custom operator: an unverified map of names to numbers.   >>tflite_flexbuffer

   A flexbuffer is read from its end: the last byte is the width of the root, before it come the type and the root,
   which is the distance back to the map. Numbers before a map give its count and the place of its names. Widths are 1,
   2, 4 or 8 bytes. Every step is checked before it is taken; nothing here allocates or recurses. */
#ifndef NNRT_TFLITE_FLEXBUFFER_H
#define NNRT_TFLITE_FLEXBUFFER_H

#include "flatbuffer.h"

enum {
    NNRT__FLEX_INT = 1,
    NNRT__FLEX_UINT = 2,
    NNRT__FLEX_FLOAT = 3,
    NNRT__FLEX_MAP = 9,
    NNRT__FLEX_BOOL = 26,
    NNRT__FLEX_INDIRECT = 5 /* INT, UINT and FLOAT that lie elsewhere have types 6, 7 and 8 */
};

/* A map, all of whose values, types and offsets of names lie inside the bytes. */
typedef struct nnrt__flex_map {
    nnrt__fb *fb;
    size_t start, end;   /* of the flexbuffer in the file */
    size_t values, keys; /* places in the file */
    size_t width, key_width;
    size_t count;
} nnrt__flex_map;

NNRT__FN bool nnrt__flex_is_width(uint64_t width) { return width == 1 || width == 2 || width == 4 || width == 8; }

/* An unsigned number of width bytes that are there. */
NNRT__FN uint64_t nnrt__flex_uint(const nnrt__fb *fb, size_t at, size_t width) {
    uint64_t value = 0;
    size_t i;
    NNRT_ASSERT(nnrt__flex_is_width(width) && nnrt__fb_inside(fb, at, width));
    for (i = 0; i < width; i++) value |= (uint64_t)fb->bytes[at + i] << (8 * i);
    return value;
}

/* Follows the offset at `at`: backwards, to at least `room` bytes after the start. */
NNRT__FN bool nnrt__flex_back(nnrt__flex_map *map, size_t at, size_t width, size_t room, size_t *target) {
    const uint64_t offset = nnrt__flex_uint(map->fb, at, width);
    NNRT_ASSERT(at >= map->start && at < map->end);
    if (offset > at - map->start || at - map->start - (size_t)offset < room)
        return nnrt__fb_bad(map->fb, "an offset of the custom options points outside them", at);
    *target = at - (size_t)offset;
    return true;
}

/* The map that the options are. */
NNRT__FN bool nnrt__flex_open(nnrt__fb *fb, const nnrt__fb_vector *options, nnrt__flex_map *map) {
    size_t width, type, root, sized;
    memset(map, 0, sizeof(*map));
    map->fb = fb;
    map->start = options->at;
    map->end = options->at + options->count;
    if (options->count < 3) return nnrt__fb_bad(fb, "the custom options are no flexbuffer", map->start);
    width = fb->bytes[map->end - 1];
    type = fb->bytes[map->end - 2];
    if (!nnrt__flex_is_width(width) || width + 2 > options->count || type >> 2 != NNRT__FLEX_MAP)
        return nnrt__fb_bad(fb, "the custom options are no map", map->end - 2);
    root = map->end - 2 - width;
    map->width = (size_t)1 << (type & 3);
    if (!nnrt__flex_back(map, root, width, 3 * map->width, &map->values)) return false;
    sized = map->values - map->width;
    map->key_width = (size_t)nnrt__flex_uint(fb, sized - map->width, map->width);
    map->count = (size_t)nnrt__flex_uint(fb, sized, map->width);
    if (!nnrt__flex_is_width(map->key_width) ||
        nnrt__flex_uint(fb, sized, map->width) > (map->end - map->values) / (map->width + 1))
        return nnrt__fb_bad(fb, "a map runs past the end of the custom options", sized);
    if (!nnrt__flex_back(map, sized - 2 * map->width, map->width, 0, &map->keys)) return false;
    if (map->count > (map->end - map->keys) / map->key_width)
        return nnrt__fb_bad(fb, "the names of a map run past the end of the custom options", map->keys);
    return true;
}

/* Sets *value to the number of that name, if the map has it. false: it has the wrong type. */
NNRT__FN bool nnrt__flex_number(nnrt__flex_map *map, const char *name, double *value) {
    const size_t length = strlen(name) + 1; /* with its end */
    size_t i, at, width = map->width;
    unsigned type;
    float narrow;
    for (i = 0; i < map->count; i++) {
        if (!nnrt__flex_back(map, map->keys + i * map->key_width, map->key_width, 0, &at)) return false;
        if (map->end - at >= length && memcmp(map->fb->bytes + at, name, length) == 0) break;
    }
    if (i == map->count) return true;
    NNRT_ASSERT(map->count * (map->width + 1) <= map->end - map->values);
    at = map->values + i * map->width;
    type = map->fb->bytes[map->values + map->count * map->width + i];
    if (type >> 2 > NNRT__FLEX_INDIRECT && type >> 2 <= NNRT__FLEX_INDIRECT + NNRT__FLEX_FLOAT) {
        width = (size_t)1 << (type & 3);
        if (!nnrt__flex_back(map, at, map->width, 0, &at)) return false;
        if (map->end - at < width) return nnrt__fb_bad(map->fb, "a number of the custom options is cut off", at);
        type -= NNRT__FLEX_INDIRECT << 2;
    }
    type >>= 2;
    if (type == NNRT__FLEX_FLOAT && width == 8) {
        memcpy(value, map->fb->bytes + at, 8);
    } else if (type == NNRT__FLEX_FLOAT && width == 4) {
        memcpy(&narrow, map->fb->bytes + at, 4);
        *value = (double)narrow;
    } else if (type == NNRT__FLEX_INT) {
        const uint64_t bits = nnrt__flex_uint(map->fb, at, width), sign = (uint64_t)1 << (8 * width - 1);
        *value = (bits & sign) == 0 ? (double)bits : -(double)(sign - (bits & (sign - 1)));
    } else if (type == NNRT__FLEX_UINT || type == NNRT__FLEX_BOOL) {
        *value = (double)nnrt__flex_uint(map->fb, at, width);
    } else {
        return nnrt__fb_bad(map->fb, "a custom option that must be a number is none", at);
    }
    return true;
}

#endif /* NNRT_TFLITE_FLEXBUFFER_H */
