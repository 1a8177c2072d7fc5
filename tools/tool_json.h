/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_json.h - a writer of JSON. The text is kept until it is whole: a command that fails half-way prints none.

   Members of the outermost object and of what is directly in it have lines of their own, what is deeper lies flat. */
#ifndef NNRT_TOOLS_TOOL_JSON_H
#define NNRT_TOOLS_TOOL_JSON_H

#include "tool_text.h"

enum {
    JSON_DEEPEST = 8,
    JSON_LINES = 2 /* down to this depth every member has its line */
};

typedef struct json {
    char *text;
    size_t used, capacity;
    int depth;
    bool any[JSON_DEEPEST]; /* the container at this depth has a member */
} json;

static void json_append(json *j, const char *text, size_t length) {
    if (j->capacity - j->used < length) {
        const size_t capacity = 2 * (j->used + length) + 4096;
        char *grown = (char *)allocate(capacity);
        if (j->used > 0) memcpy(grown, j->text, j->used);
        free(j->text);
        j->text = grown;
        j->capacity = capacity;
    }
    memcpy(j->text + j->used, text, length);
    j->used += length;
}

static void json_raw(json *j, const char *text) { json_append(j, text, strlen(text)); }

/* A string with its quotes; bytes that are no UTF-8 become U+FFFD. */
static void json_quote(json *j, const char *string) {
    const unsigned char *text = (const unsigned char *)string;
    json_raw(j, "\"");
    while (*text != 0) {
        const size_t length = utf8_length(text);
        char escape[8];
        if (*text == '"' || *text == '\\') snprintf(escape, sizeof(escape), "\\%c", *text);
        else if (*text < 0x20 || *text == 0x7f) snprintf(escape, sizeof(escape), "\\u%04x", *text);
        else snprintf(escape, sizeof(escape), "\\ufffd");
        if (length == 0 || strchr("\"\\\x7f", *text) != NULL || *text < 0x20) json_raw(j, escape);
        else json_append(j, (const char *)text, length);
        text += length == 0 ? 1 : length;
    }
    json_raw(j, "\"");
}

/* What comes before every member; key NULL: in an array. */
static void json_member(json *j, const char *key) {
    char line[2 + 2 * JSON_DEEPEST];
    const bool lines = j->depth <= JSON_LINES;
    if (j->any[j->depth]) json_raw(j, lines ? "," : ", ");
    j->any[j->depth] = true;
    snprintf(line, sizeof(line), "\n%*s", 2 * j->depth, "");
    if (lines) json_raw(j, line);
    if (key == NULL) return;
    json_quote(j, key);
    json_raw(j, ": ");
}

/* bracket: '{' or '['. */
static void json_open(json *j, const char *key, char bracket) {
    if (j->depth > 0) json_member(j, key);
    json_append(j, &bracket, 1);
    j->any[++j->depth] = false;
}

static void json_close(json *j, char bracket) {
    char line[2 + 2 * JSON_DEEPEST];
    const bool lines = j->any[j->depth] && j->depth <= JSON_LINES;
    j->depth--;
    snprintf(line, sizeof(line), "\n%*s", 2 * j->depth, "");
    if (lines) json_raw(j, line);
    json_append(j, &bracket, 1);
}

/* NULL: null. */
static void json_string(json *j, const char *key, const char *value) {
    json_member(j, key);
    if (value != NULL) json_quote(j, value);
    else json_raw(j, "null");
}

static void json_null(json *j, const char *key) { json_string(j, key, NULL); }

static void json_boolean(json *j, const char *key, bool value) {
    json_member(j, key);
    json_raw(j, value ? "true" : "false");
}

static void json_integer(json *j, const char *key, long long value) {
    char text[32];
    snprintf(text, sizeof(text), "%lld", value);
    json_member(j, key);
    json_raw(j, text);
}

static void json_unsigned(json *j, const char *key, unsigned long long value) {
    char text[32];
    snprintf(text, sizeof(text), "%llu", value);
    json_member(j, key);
    json_raw(j, text);
}

/* A number with 9 digits, or as many as it needs; what is none is null. */
static void json_number(json *j, const char *key, double value) {
    char text[48];
    if (!isfinite(value)) {
        json_null(j, key);
        return;
    }
    snprintf(text, sizeof(text), "%.9g", value);
    if (strtod(text, NULL) < value || strtod(text, NULL) > value) snprintf(text, sizeof(text), "%.17g", value);
    json_member(j, key);
    json_raw(j, text);
}

/* A time: three digits behind the point are nanoseconds of microseconds, six of milliseconds. */
static void json_time(json *j, const char *key, double value, int digits) {
    char text[48];
    snprintf(text, sizeof(text), "%.*f", digits, value);
    json_member(j, key);
    json_raw(j, text);
}

static void json_free(json *j) {
    free(j->text);
    memset(j, 0, sizeof(*j));
}

/* Begins the object that every command prints. */
static void json_begin(json *j, const char *command) {
    memset(j, 0, sizeof(*j));
    json_open(j, NULL, '{');
    json_string(j, "schema", "nnrt/1");
    json_string(j, "command", command);
    json_string(j, "library", nnrt_version());
}

/* Ends it, and prints it unless the command has failed. */
static int json_end(json *j, int result) {
    if (result == TOOL_OK) {
        json_close(j, '}');
        json_raw(j, "\n");
        fwrite(j->text, 1, j->used, stdout);
    }
    json_free(j);
    return result;
}

#endif /* NNRT_TOOLS_TOOL_JSON_H */
