/* SPDX-License-Identifier: Apache-2.0 */
/* tools/json_read.h - a small reader of JSON, for the indices that this tool has written and somebody may have changed.

   The text is kept and changed in place: strings lose their escapes. Depth, length and number of values are bounded. */
#ifndef NNRT_TOOLS_JSON_READ_H
#define NNRT_TOOLS_JSON_READ_H

#include "tool_json.h"

enum {
    JSON_READ_DEPTH = 16
};

/* A value. Members of an object and elements of an array are a list: first, then next of each. */
typedef struct json_value {
    char kind; /* 'o' object, 'a' array, 's' string, 'n' number, 't' true, 'f' false, '0' null */
    const char *key;
    const char *text;   /* of a string */
    double number;      /* of a number */
    size_t first, next; /* 0: none */
} json_value;

typedef struct json_document {
    char *at; /* what is left */
    json_value *values;
    size_t count, capacity; /* value 0 is none, value 1 the whole */
} json_document;

static void json_document_free(json_document *d) {
    free(d->values);
    memset(d, 0, sizeof(*d));
}

static void json_skip_blanks(json_document *d) {
    while (*d->at == ' ' || *d->at == '\n' || *d->at == '\r' || *d->at == '\t') d->at++;
}

static bool json_take(json_document *d, const char *word) {
    json_skip_blanks(d);
    if (strncmp(d->at, word, strlen(word)) != 0) return false;
    d->at += strlen(word);
    return true;
}

/* "\u" was taken: four digits become 1 to 3 bytes at *to, half a pair a question mark, and 0 is refused. */
static bool json_unicode(json_document *d, char **to) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++, d->at++) {
        const char *const digits = "0123456789abcdef";
        const char *digit = *d->at != '\0' ? strchr(digits, tolower((unsigned char)*d->at)) : NULL;
        if (digit == NULL) return false;
        code = 16 * code + (unsigned)(digit - digits);
    }
    if (code == 0) return false;
    if (code >= 0xd800 && code < 0xe000) code = '?';
    if (code < 0x80) *(*to)++ = (char)code;
    else {
        if (code < 0x800) *(*to)++ = (char)(0xc0 | code >> 6);
        else {
            *(*to)++ = (char)(0xe0 | code >> 12);
            *(*to)++ = (char)(0x80 | (code >> 6 & 63));
        }
        *(*to)++ = (char)(0x80 | (code & 63));
    }
    return true;
}

/* A string, without its escapes where it stood. NULL: it is damaged. */
static char *json_string_value(json_document *d) {
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (!json_take(d, "\"")) return NULL;
    char *const begin = d->at, *to = d->at;
    while (*d->at != '"') {
        if ((unsigned char)*d->at < 0x20) return NULL; /* the end of the text, too */
        if (*d->at != '\\') {
            *to++ = *d->at++;
            continue;
        }
        d->at++;
        const char *escape = *d->at != '\0' ? strchr(escapes, *d->at) : NULL;
        if (escape != NULL) {
            *to++ = meanings[escape - escapes];
            d->at++;
        } else if (*d->at++ != 'u' || !json_unicode(d, &to)) return NULL;
    }
    d->at++;
    *to = '\0'; /* at or in front of the closing quote */
    return begin;
}

static size_t json_value_add(json_document *d) {
    if (d->count + 1 >= d->capacity) {
        const size_t capacity = 2 * d->capacity + 256;
        json_value *grown = (json_value *)allocate(capacity * sizeof(*grown));
        if (d->count > 0) memcpy(grown, d->values, (d->count + 1) * sizeof(*grown));
        free(d->values);
        d->values = grown;
        d->capacity = capacity;
    }
    memset(&d->values[++d->count], 0, sizeof(json_value));
    return d->count;
}

static bool json_number_value(json_document *d, double *number) {
    char *end = NULL;
    if (strchr("-0123456789", *d->at) == NULL || *d->at == '\0') return false;
    *number = strtod(d->at, &end);
    if (end == d->at || !isfinite(*number)) return false;
    d->at = end;
    return true;
}

/* Reads one value; its number, or 0 where the text is damaged. */
static size_t json_read_value(json_document *d, int depth) {
    const size_t self = json_value_add(d);
    json_skip_blanks(d);
    const bool object = *d->at == '{';
    const char *const closing = object ? "}" : "]";
    size_t before = 0;
    double number = 0.0;
    if (depth > JSON_READ_DEPTH) return 0;
    d->values[self].kind = *d->at == '"' ? 's' : object ? 'o' : *d->at == '[' ? 'a' : 'n';
    if (*d->at == '"') return (d->values[self].text = json_string_value(d)) != NULL ? self : 0;
    if (*d->at != '{' && *d->at != '[') {
        const char kind = json_take(d, "true") ? 't' : json_take(d, "false") ? 'f' : json_take(d, "null") ? '0' : 'n';
        d->values[self].kind = kind;
        if (kind == 'n' && !json_number_value(d, &number)) return 0;
        d->values[self].number = number;
        return self;
    }
    d->at++;
    if (json_take(d, closing)) return self;
    for (;;) {
        const char *key = object ? json_string_value(d) : NULL;
        if (object && (key == NULL || !json_take(d, ":"))) return 0;
        const size_t member = json_read_value(d, depth + 1);
        if (member == 0) return 0;
        d->values[member].key = key;
        if (before == 0) d->values[self].first = member;
        else d->values[before].next = member;
        before = member;
        if (json_take(d, closing)) return self;
        if (!json_take(d, ",")) return 0;
    }
}

/* Reads text, which has to stay as long as the document. false: it is damaged. *d has to be freed in any case. */
static bool json_read(json_document *d, char *text) {
    memset(d, 0, sizeof(*d));
    d->at = text;
    if (json_read_value(d, 0) != 1) return false;
    json_skip_blanks(d);
    return *d->at == '\0';
}

/* The member of that name; 0: there is none. */
static size_t json_find(const json_document *d, size_t object, const char *key) {
    size_t i = object != 0 && d->values[object].kind == 'o' ? d->values[object].first : 0;
    while (i != 0 && strcmp(d->values[i].key, key) != 0) i = d->values[i].next;
    return i;
}

/* The text of a member; NULL: it is no string. */
static const char *json_text_of(const json_document *d, size_t object, const char *key) {
    const size_t i = json_find(d, object, key);
    return i != 0 && d->values[i].kind == 's' ? d->values[i].text : NULL;
}

/* The number of a member from low to high; instead where there is none. */
static double json_number_of(const json_document *d, size_t object, const char *key, double low, double high,
                             double instead) {
    const size_t i = json_find(d, object, key);
    if (i == 0 || d->values[i].kind != 'n') return instead;
    return d->values[i].number >= low && d->values[i].number <= high ? d->values[i].number : instead;
}

#endif /* NNRT_TOOLS_JSON_READ_H */
