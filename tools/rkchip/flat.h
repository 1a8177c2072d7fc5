/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/flat.h - flatbuffers of strangers, as much as the files need: nothing outside of them is read. */
#ifndef NNRT_TOOLS_RKCHIP_FLAT_H
#define NNRT_TOOLS_RKCHIP_FLAT_H

#include "run.h"

typedef struct rkchip_flat {
    const uint8_t *bytes;
    uint32_t size;
} rkchip_flat;

/* 0 where there is none, and no offset, count or table of a true file is 0. */
static uint32_t rkchip_flat_word(const rkchip_flat *flat, uint32_t at) {
    return at <= flat->size && flat->size - at >= 4 ? rkchip_read_32(flat->bytes + at) : 0;
}

/* Where field number of the table at node is, with room for bytes of it. 0: it is not there. */
static uint32_t rkchip_flat_field(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t bytes) {
    const int64_t fields = (int64_t)node - rkchip_signed(rkchip_flat_word(flat, node), 32);
    uint32_t length, offset;
    if (node == 0 || fields < 0 || fields > (int64_t)flat->size - 4) return 0;
    length = rkchip_read_16(flat->bytes + fields);
    if (length < 6 + 2 * number || length > (int64_t)flat->size - fields) return 0;
    offset = rkchip_read_16(flat->bytes + fields + 4 + 2 * number);
    if (offset == 0 || flat->size - node < bytes || offset > flat->size - node - bytes) return 0;
    return node + offset;
}

/* Where the offset at at leads to. 0: nowhere within. */
static uint32_t rkchip_flat_follow(const rkchip_flat *flat, uint32_t at) {
    const uint32_t distance = rkchip_flat_word(flat, at);
    return at == 0 || distance == 0 || distance > flat->size - at ? 0 : at + distance;
}

/* The root table, whose offset is the first word. */
static uint32_t rkchip_flat_root(const rkchip_flat *flat) {
    const uint32_t root = rkchip_flat_word(flat, 0);
    return root < flat->size ? root : 0;
}

/* The first of count values of 4 bytes in field number. 0: there are none. */
static uint32_t rkchip_flat_vector(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t *count) {
    const uint32_t vector = rkchip_flat_follow(flat, rkchip_flat_field(flat, node, number, 4));
    *count = rkchip_flat_word(flat, vector);
    if (vector == 0 || flat->size - vector < 4 || *count > (flat->size - vector - 4) / 4) *count = 0;
    return *count == 0 ? 0 : vector + 4;
}

/* Value number index of the vector in field number, or missing. */
static uint32_t rkchip_flat_value(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t index,
                                  uint32_t missing) {
    uint32_t count;
    const uint32_t first = rkchip_flat_vector(flat, node, number, &count);
    return index < count ? rkchip_flat_word(flat, first + 4 * index) : missing;
}

/* Table number index of the vector in field number. 0: there is none. */
static uint32_t rkchip_flat_table(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t index) {
    uint32_t count;
    const uint32_t first = rkchip_flat_vector(flat, node, number, &count);
    return index < count ? rkchip_flat_follow(flat, first + 4 * index) : 0;
}

static uint8_t rkchip_flat_byte(const rkchip_flat *flat, uint32_t node, uint32_t number) {
    const uint32_t at = rkchip_flat_field(flat, node, number, 1);
    return at != 0 ? flat->bytes[at] : 0;
}

static uint32_t rkchip_flat_number(const rkchip_flat *flat, uint32_t node, uint32_t number) {
    const uint32_t at = rkchip_flat_field(flat, node, number, 4);
    return at != 0 ? rkchip_read_32(flat->bytes + at) : 0;
}

/* The text in field number, cut to fit; what does not print becomes '?'. */
static void rkchip_flat_text(const rkchip_flat *flat, uint32_t node, uint32_t number, char *to, size_t size) {
    const uint32_t at = rkchip_flat_follow(flat, rkchip_flat_field(flat, node, number, 4));
    uint32_t length = rkchip_flat_word(flat, at), i;
    if (at == 0 || flat->size - at < 4 || length > flat->size - at - 4) length = 0;
    for (i = 0; i < length && i + 1 < size; i++) {
        const uint8_t c = flat->bytes[at + 4 + i];
        to[i] = c > ' ' && c < 0x7f ? (char)c : '?';
    }
    to[i] = '\0';
}

#endif /* NNRT_TOOLS_RKCHIP_FLAT_H */
