/* SPDX-License-Identifier: Apache-2.0 */
/* npu/flat.h - tables and lists in a flatbuffer that nobody has verified.   >>npu_flat

   What vendors' files keep their graphs in. Every function reads within the buffer only, whatever the bytes are, and
   answers that a thing is not there where it does not lie inside: a reader takes what it finds and checks its sense. */
#ifndef NNRT_NPU_FLAT_H
#define NNRT_NPU_FLAT_H

#include "../core/error.h"

/* A string, not terminated. */
typedef struct nnrt__flat_text {
    const uint8_t *bytes;
    uint32_t length;
} nnrt__flat_text;

/* At most 2 GiB, as offsets are. 0 is no position of anything and stands for "not there". */
typedef struct nnrt__flat_buffer {
    const uint8_t *bytes;
    uint32_t size;
} nnrt__flat_buffer;

/* The u32 at at; 0: it does not lie within. */
NNRT__FN uint32_t nnrt__flat_u32(const nnrt__flat_buffer *buffer, uint32_t at) {
    return at <= buffer->size && buffer->size - at >= 4 ? nnrt__read_u32(buffer->bytes + at) : 0;
}

/* What the offset at at refers to, with room for 4 bytes. 0: it does not lie within. */
NNRT__FN uint32_t nnrt__flat_follow(const nnrt__flat_buffer *buffer, uint32_t at) {
    const uint32_t distance = nnrt__flat_u32(buffer, at);
    if (distance == 0 || buffer->size - at < 4 || distance > buffer->size - at - 4) return 0;
    return at + distance;
}

/* Where field number of the table at table is, with room for bytes of it. 0: it is not there. */
NNRT__FN uint32_t nnrt__flat_field(const nnrt__flat_buffer *buffer, uint32_t table, uint32_t number, uint32_t bytes) {
    const int64_t vtable = (int64_t)table - (int32_t)nnrt__flat_u32(buffer, table);
    uint32_t length, offset;
    if (vtable < 0 || vtable > (int64_t)buffer->size - 4) return 0;
    length = nnrt__read_u16(buffer->bytes + vtable);
    if (length < 6 + 2 * number || length > (int64_t)buffer->size - vtable) return 0;
    offset = nnrt__read_u16(buffer->bytes + vtable + 4 + 2 * number);
    if (offset == 0 || buffer->size - table < bytes || offset > buffer->size - table - bytes) return 0;
    return table + offset;
}

/* The vector of offsets in field number of table: the position of its first, *count. 0: there is none. */
NNRT__FN uint32_t nnrt__flat_vector(const nnrt__flat_buffer *buffer, uint32_t table, uint32_t number, uint32_t *count) {
    const uint32_t field = nnrt__flat_field(buffer, table, number, 4);
    const uint32_t vector = field != 0 ? nnrt__flat_follow(buffer, field) : 0;
    if (vector == 0) return 0;
    *count = nnrt__flat_u32(buffer, vector);
    return *count <= (buffer->size - vector - 4) / 4 ? vector + 4 : 0;
}

/* The string in field number of table. false: there is none, or it is no name. */
NNRT__FN bool nnrt__flat_string(const nnrt__flat_buffer *buffer, uint32_t table, uint32_t number,
                                nnrt__flat_text *word) {
    const uint32_t field = nnrt__flat_field(buffer, table, number, 4);
    const uint32_t string = field != 0 ? nnrt__flat_follow(buffer, field) : 0;
    if (string == 0) return false;
    word->length = nnrt__flat_u32(buffer, string);
    word->bytes = buffer->bytes + string + 4;
    return word->length != 0 && word->length <= buffer->size - string - 4;
}

#endif /* NNRT_NPU_FLAT_H */
