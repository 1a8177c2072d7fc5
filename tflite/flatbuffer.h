/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/flatbuffer.h - reading an unverified flatbuffer.   >>tflite_flatbuffer

   A flatbuffer is tables, vectors and strings that point at each other with offsets from where they are
   stored. A table starts with the distance back to its vtable, and the vtable says where in the table each
   field lies. Every function here checks all it is about to read, so that no offset, length or vtable can lead outside
   the bytes; none assumes alignment, allocates or recurses. A function that finds an error returns false and records
   what and where in the nnrt__fb. */
#ifndef NNRT_TFLITE_FLATBUFFER_H
#define NNRT_TFLITE_FLATBUFFER_H

#include "../core/error.h"

typedef struct nnrt__fb {
    const uint8_t *bytes;
    size_t size;
    const char *what; /* the first thing found wrong; NULL: nothing yet */
    size_t where;     /* byte offset of it */
    bool outside;     /* the error is something outside the file, as in a truncated file */
} nnrt__fb;

/* A table whose vtable and whose own bytes lie inside the file. */
typedef struct nnrt__fb_table {
    size_t at;
    size_t size;
    size_t vtable;
    size_t vtable_size;
} nnrt__fb_table;

/* A vector all of whose elements lie inside the file. */
typedef struct nnrt__fb_vector {
    size_t at; /* of the first element */
    uint32_t count;
    bool present; /* an absent vector has count 0 */
} nnrt__fb_vector;

/*@ predicate nnrt__is_fb(nnrt__fb *fb) =
        \valid(fb) && fb->size <= INT64_MAX / 2 && \valid_read(fb->bytes + (0 .. fb->size - 1)) &&
        \separated(fb, fb->bytes + (0 .. fb->size - 1));
    predicate nnrt__in_fb(nnrt__fb *fb, integer at, integer length) = 0 <= at && at + length <= fb->size;
    predicate nnrt__is_fb_table(nnrt__fb *fb, nnrt__fb_table *table) =
        4 <= table->size && table->vtable_size <= UINT16_MAX && nnrt__in_fb(fb, table->at, table->size) &&
        nnrt__in_fb(fb, table->vtable, table->vtable_size);
    predicate nnrt__is_fb_vector(nnrt__fb *fb, nnrt__fb_vector *vector, integer element_size) =
        vector->at <= fb->size && vector->count <= (fb->size - vector->at) / element_size; */

/*@ requires nnrt__is_fb(fb);
    assigns fb->what, fb->where;
    ensures \result == \false; */
NNRT__FN bool nnrt__fb_bad(nnrt__fb *fb, const char *what, size_t where) {
    (void)what; /* with NNRT_NO_SENTENCES */
    fb->what = NNRT__WHY(what);
    fb->where = where;
    return false;
}

/* The same for something outside the file. */
/*@ requires nnrt__is_fb(fb);
    assigns fb->what, fb->where, fb->outside;
    ensures \result == \false; */
NNRT__FN bool nnrt__fb_beyond(nnrt__fb *fb, const char *what, size_t where) {
    fb->outside = true;
    return nnrt__fb_bad(fb, what, where);
}

/* The end of a sentence about fb. */
NNRT__FN const char *nnrt__fb_hint(const nnrt__fb *fb) { return fb->outside ? "; is the file cut off?" : ""; }

/*@ requires \valid_read(fb);
    assigns \nothing;
    ensures \result == \true <==> nnrt__in_fb(fb, at, length); */
NNRT__FN bool nnrt__fb_inside(const nnrt__fb *fb, size_t at, size_t length) {
    return at <= fb->size && length <= fb->size - at;
}

/* The place that the offset stored at `at` points to: forward, and at least four bytes before the end. */
/*@ requires nnrt__is_fb(fb) && \valid(target) && \separated(fb, target, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, fb->outside, *target;
    ensures \result == \true ==> at < *target && nnrt__in_fb(fb, *target, 4); */
NNRT__FN bool nnrt__fb_follow(nnrt__fb *fb, size_t at, size_t *target) {
    size_t offset;
    if (!nnrt__fb_inside(fb, at, 4)) return nnrt__fb_beyond(fb, "an offset lies outside the file", at);
    offset = nnrt__read_u32(fb->bytes + at);
    if (offset == 0) return nnrt__fb_bad(fb, "an offset is zero", at);
    if (fb->size - at < 4 || offset > fb->size - at - 4) {
        return nnrt__fb_beyond(fb, "an offset points outside the file", at);
    }
    *target = at + offset;
    return true;
}

/* The table at a place. */
/*@ requires nnrt__is_fb(fb) && \valid(table) && \separated(fb, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, fb->outside, *table;
    ensures \result == \true ==> nnrt__is_fb_table(fb, table); */
NNRT__FN bool nnrt__fb_table_at(nnrt__fb *fb, size_t at, nnrt__fb_table *table) {
    int64_t vtable;
    if (!nnrt__fb_inside(fb, at, 4)) return nnrt__fb_beyond(fb, "a table lies outside the file", at);
    vtable = (int64_t)at - nnrt__read_i32(fb->bytes + at);
    if (vtable < 0 || (uint64_t)vtable > fb->size || fb->size - (size_t)vtable < 4) {
        return nnrt__fb_beyond(fb, "the vtable of a table lies outside the file", at);
    }
    table->at = at;
    table->vtable = (size_t)vtable;
    table->vtable_size = nnrt__read_u16(fb->bytes + table->vtable);
    table->size = nnrt__read_u16(fb->bytes + table->vtable + 2);
    if (table->vtable_size < 4 || table->vtable_size % 2 != 0 ||
        !nnrt__fb_inside(fb, table->vtable, table->vtable_size)) {
        return nnrt__fb_bad(fb, "a vtable has an impossible size", table->vtable);
    }
    if (table->size < 4 || !nnrt__fb_inside(fb, at, table->size)) {
        return nnrt__fb_beyond(fb, "a table runs past the end of the file", at);
    }
    return true;
}

/* Where field `id` of width bytes lies; *at is 0 when the table does not have it. */
/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && \valid(at) && id <= UINT16_MAX;
    requires \separated(fb, at, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, *at;
    ensures \result == \true ==> *at == 0 || (table->at < *at && nnrt__in_fb(fb, *at, width)); */
NNRT__FN bool nnrt__fb_field(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, size_t width, size_t *at) {
    const size_t slot = 4 + 2 * (size_t)id;
    size_t offset;
    NNRT_ASSERT(nnrt__fb_inside(fb, table->at, table->size));
    NNRT_ASSERT(nnrt__fb_inside(fb, table->vtable, table->vtable_size));
    *at = 0;
    if (slot + 2 > table->vtable_size) return true;
    offset = nnrt__read_u16(fb->bytes + table->vtable + slot);
    if (offset == 0) return true;
    if (offset < 4 || offset > table->size || width > table->size - offset) {
        return nnrt__fb_bad(fb, "a field lies outside its table", table->vtable + slot);
    }
    *at = table->at + offset;
    return true;
}

/* Scalar fields; absent ones have the value that *value came with. */
/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && \valid(value) && id <= UINT16_MAX;
    requires \separated(fb, value, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, *value; */
NNRT__FN bool nnrt__fb_i8(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, int32_t *value) {
    size_t at;
    if (!nnrt__fb_field(fb, table, id, 1, &at)) return false;
    if (at != 0) *value = fb->bytes[at] < 128 ? fb->bytes[at] : fb->bytes[at] - 256;
    return true;
}

/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && \valid(value) && id <= UINT16_MAX;
    requires \separated(fb, value, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, *value; */
NNRT__FN bool nnrt__fb_u8(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, uint32_t *value) {
    size_t at;
    if (!nnrt__fb_field(fb, table, id, 1, &at)) return false;
    if (at != 0) *value = fb->bytes[at];
    return true;
}

/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && \valid(value) && id <= UINT16_MAX;
    requires \separated(fb, value, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, *value; */
NNRT__FN bool nnrt__fb_i32(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, int32_t *value) {
    size_t at;
    if (!nnrt__fb_field(fb, table, id, 4, &at)) return false;
    if (at != 0) *value = nnrt__read_i32(fb->bytes + at);
    return true;
}

/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && \valid(value) && id <= UINT16_MAX;
    requires \separated(fb, value, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, *value; */
NNRT__FN bool nnrt__fb_u32(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, uint32_t *value) {
    size_t at;
    if (!nnrt__fb_field(fb, table, id, 4, &at)) return false;
    if (at != 0) *value = nnrt__read_u32(fb->bytes + at);
    return true;
}

/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && \valid(value) && id <= UINT16_MAX;
    requires \separated(fb, value, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, *value; */
NNRT__FN bool nnrt__fb_u64(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, uint64_t *value) {
    size_t at;
    if (!nnrt__fb_field(fb, table, id, 8, &at)) return false;
    if (at != 0) *value = (uint64_t)nnrt__read_i64(fb->bytes + at);
    return true;
}

/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && \valid(value) && id <= UINT16_MAX;
    requires \separated(fb, value, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, *value; */
NNRT__FN bool nnrt__fb_f32(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, float *value) {
    size_t at;
    if (!nnrt__fb_field(fb, table, id, 4, &at)) return false;
    if (at != 0) *value = nnrt__read_f32(fb->bytes + at);
    return true;
}

/* A field that is a table; *present says whether there is one. */
/*@ requires nnrt__is_fb(fb) && \valid_read(parent) && nnrt__is_fb_table(fb, parent) && id <= UINT16_MAX;
    requires \valid(table) && \valid(present);
    requires \separated(fb, parent, table, present, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, fb->outside, *table, *present;
    ensures \result == \true && *present == \true ==> nnrt__is_fb_table(fb, table); */
NNRT__FN bool nnrt__fb_table_field(nnrt__fb *fb, const nnrt__fb_table *parent, unsigned id, nnrt__fb_table *table,
                                   bool *present) {
    size_t at, target;
    if (!nnrt__fb_field(fb, parent, id, 4, &at)) return false;
    *present = at != 0;
    return at == 0 || (nnrt__fb_follow(fb, at, &target) && nnrt__fb_table_at(fb, target, table));
}

/* A field that is a vector of elements of element_size bytes. */
/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && id <= UINT16_MAX;
    requires \valid(vector) && 0 < element_size <= UINT16_MAX;
    requires \separated(fb, table, vector, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, fb->outside, *vector;
    ensures \result == \true ==> nnrt__is_fb_vector(fb, vector, element_size);
    ensures \result == \true && vector->present == \false ==> vector->count == 0;
    ensures \result == \true && vector->present == \true ==> 4 <= vector->at; */
NNRT__FN bool nnrt__fb_vector_field(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, size_t element_size,
                                    nnrt__fb_vector *vector) {
    size_t at, target;
    NNRT_ASSERT(element_size != 0);
    vector->at = 0;
    vector->count = 0;
    vector->present = false;
    if (!nnrt__fb_field(fb, table, id, 4, &at)) return false;
    if (at == 0) return true;
    if (!nnrt__fb_follow(fb, at, &target)) return false;
    vector->count = nnrt__read_u32(fb->bytes + target);
    vector->at = target + 4;
    vector->present = true;
    if (vector->count > (fb->size - vector->at) / element_size) {
        return nnrt__fb_beyond(fb, "a vector runs past the end of the file", target);
    }
    return true;
}

/* Element i of a vector of tables; i is below its count. */
/*@ requires nnrt__is_fb(fb) && \valid_read(vector) && nnrt__is_fb_vector(fb, vector, 4) && i < vector->count;
    requires \valid(table) && \separated(fb, vector, table, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, fb->outside, *table;
    ensures \result == \true ==> nnrt__is_fb_table(fb, table); */
NNRT__FN bool nnrt__fb_element_table(nnrt__fb *fb, const nnrt__fb_vector *vector, uint32_t i, nnrt__fb_table *table) {
    size_t target;
    NNRT_ASSERT(i < vector->count);
    NNRT_ASSERT(nnrt__fb_inside(fb, vector->at, 4 * (size_t)vector->count));
    return nnrt__fb_follow(fb, vector->at + 4 * (size_t)i, &target) && nnrt__fb_table_at(fb, target, table);
}

/* Element i of a vector of int32; i is below its count. */
/*@ requires nnrt__is_fb(fb) && \valid_read(vector) && nnrt__is_fb_vector(fb, vector, 4) && i < vector->count;
    assigns \nothing; */
NNRT__FN int32_t nnrt__fb_element_i32(const nnrt__fb *fb, const nnrt__fb_vector *vector, uint32_t i) {
    NNRT_ASSERT(i < vector->count);
    NNRT_ASSERT(nnrt__fb_inside(fb, vector->at, 4 * (size_t)vector->count));
    return nnrt__read_i32(fb->bytes + vector->at + 4 * (size_t)i);
}

/* A field that is a string: *text points into the file and ends with a zero byte, the only one; "" when
   absent. */
/*@ requires nnrt__is_fb(fb) && \valid_read(table) && nnrt__is_fb_table(fb, table) && id <= UINT16_MAX;
    requires \valid(text) && \valid(length);
    requires \separated(fb, table, text, length, fb->bytes + (0 .. fb->size - 1));
    assigns fb->what, fb->where, fb->outside, *text, *length;
    ensures \result == \true ==> \valid_read(*text + (0 .. *length)); */
NNRT__FN bool nnrt__fb_string_field(nnrt__fb *fb, const nnrt__fb_table *table, unsigned id, const char **text,
                                    size_t *length) {
    nnrt__fb_vector vector;
    *text = "";
    *length = 0;
    if (!nnrt__fb_vector_field(fb, table, id, 1, &vector)) return false;
    if (!vector.present) return true;
    if (!nnrt__fb_inside(fb, vector.at, (size_t)vector.count + 1) || fb->bytes[vector.at + vector.count] != 0) {
        return nnrt__fb_bad(fb, "a string does not end with a zero byte", vector.at);
    }
    if (memchr(fb->bytes + vector.at, 0, vector.count) != NULL) {
        return nnrt__fb_bad(fb, "a string has a zero byte inside", vector.at);
    }
    *text = (const char *)fb->bytes + vector.at;
    *length = vector.count;
    return true;
}

#endif /* NNRT_TFLITE_FLATBUFFER_H */
