/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/file.h - reads a .rknn without a runtime: the chip, the toolkit, the format.   >>rknpu_file

   The outermost part of the format is public knowledge; what lies inside is the vendor's and not read here.

     bytes    "RKNN", 4 zero bytes        (or "CYPTRKNN": encrypted, nothing below can be read)
     u64      format version: 1 to 6 for librknnrt (as of toolkit 2.3), 0x1000 + n for librknnmrt (0x1004 since
              toolkit 1.6)
     u64      length of the body
     40 bytes that are skipped            (not in format version 1)
     body                                 (rknpu/operators.h)
     u64      length of the text
     text     JSON: "target_platform": ["rk3588"] or "rk3588", "version": "2.3.2-...", and much else

   All of it is untrusted: every length is checked before it is used. */
#ifndef NNRT_RKNPU_FILE_H
#define NNRT_RKNPU_FILE_H

#include "../core/foreign.h"
#include "operators.h"
#include "types.h"

#define NNRT__RKNN_LAST_VERSION NNRT__RKNN_VERSION(2, 3, 2) /* of the runtime whose headers and library were seen */
#define NNRT__RKNN_LAST_FORMAT 6u                           /* of librknnrt that was seen */
#define NNRT__RKNN_MINI_FIRST 0x1004u                       /* the first that runtimes 1.6.0 to 2.3.2 take */

/* The outermost of a file. */
typedef struct nnrt__rknn_file_info {
    uint32_t format_version;
    bool encrypted;
    char platform[32];   /* target_platform, "rk3588"; "": not told */
    char toolkit[64];    /* version of the toolkit that made it; "": not told */
    const uint8_t *body; /* within the bytes that were read; NULL: encrypted, or the bytes are gone */
    size_t body_size;
} nnrt__rknn_file_info;

NNRT__FN uint64_t nnrt__rknn_read_u64(const uint8_t *from) {
    return (uint64_t)nnrt__read_u32(from) | (uint64_t)nnrt__read_u32(from + 4) << 32;
}

/* --------------------------------------------------------------------------------------------------- JSON */

/* A one-pass reader. It understands only strings and the depth of brackets, enough to find the string members of the
   outermost object; text that is no JSON ends it or gives nothing. */
typedef struct nnrt__rknn_text {
    const uint8_t *at;
    const uint8_t *end;
} nnrt__rknn_text;

NNRT__FN void nnrt__rknn_skip_space(nnrt__rknn_text *text) {
    while (text->at < text->end && (*text->at == ' ' || (*text->at >= '\t' && *text->at <= '\r'))) text->at++;
}

/* text is at a quotation mark: takes the string up to the next one and moves past it; an escape counts as its two
   characters. false: there is no end. */
NNRT__FN bool nnrt__rknn_take_string(nnrt__rknn_text *text, const uint8_t **string, size_t *length) {
    const uint8_t *at = text->at + 1;
    *string = at;
    while (at < text->end && *at != '"') at += *at == '\\' && text->end - at > 1 ? 2 : 1;
    if (at >= text->end) return false;
    *length = (size_t)(at - *string);
    text->at = at + 1;
    return true;
}

/* Copies printable ASCII, as in names of chips and versions, truncated to fit. */
NNRT__FN void nnrt__rknn_copy_text(char *to, size_t size, const uint8_t *from, size_t length) {
    size_t i;
    for (i = 0; i < length && i + 1 < size && from[i] > ' ' && from[i] < 0x7f; i++) to[i] = (char)from[i];
    to[i] = '\0';
}

NNRT__FN bool nnrt__rknn_text_is(const uint8_t *string, size_t length, const char *expected) {
    return length == strlen(expected) && memcmp(string, expected, length) == 0;
}

/* Copies the value at text, a string or the first string of a list, to to. Otherwise to is unchanged, and text moves
   past the bracket only. */
NNRT__FN bool nnrt__rknn_take_value(nnrt__rknn_text *text, char *to, size_t size) {
    nnrt__rknn_text ahead = *text;
    const uint8_t *string;
    size_t length;
    nnrt__rknn_skip_space(&ahead);
    if (ahead.at < ahead.end && *ahead.at == '[') {
        ahead.at++;
        nnrt__rknn_skip_space(&ahead);
    }
    if (ahead.at >= ahead.end || *ahead.at != '"' || !nnrt__rknn_take_string(&ahead, &string, &length)) return false;
    nnrt__rknn_copy_text(to, size, string, length);
    return true;
}

NNRT__FN void nnrt__rknn_read_text(nnrt__rknn_text text, nnrt__rknn_file_info *info) {
    uint32_t depth = 0;
    while (text.at < text.end) {
        const uint8_t *key;
        size_t length;
        const uint8_t c = *text.at;
        if (c != '"') {
            if (c == '{' || c == '[') depth++;
            if ((c == '}' || c == ']') && depth-- <= 1) return;
            text.at++;
            continue;
        }
        if (!nnrt__rknn_take_string(&text, &key, &length)) return;
        nnrt__rknn_skip_space(&text);
        if (depth != 1 || text.at >= text.end || *text.at != ':') continue;
        text.at++;
        if (nnrt__rknn_text_is(key, length, "target_platform"))
            (void)nnrt__rknn_take_value(&text, info->platform, sizeof(info->platform));
        else if (nnrt__rknn_text_is(key, length, "version"))
            (void)nnrt__rknn_take_value(&text, info->toolkit, sizeof(info->toolkit));
    }
}

/* ----------------------------------------------------------------------------------------------- the file */

/* bytes are the file, or its beginning and end. Fills in what is known; refuses what no runtime accepts
   (OH_NN_INVALID_FILE). */
NNRT__FN OH_NN_ReturnCode nnrt__rknn_file_read(const void *bytes, size_t size, nnrt__rknn_file_info *info) {
    const uint8_t *file = (const uint8_t *)bytes;
    nnrt__rknn_text text;
    uint64_t version, body, left, length;
    char looks[NNRT__FOREIGN_SIZE];
    size_t header;
    memset(info, 0, sizeof(*info));
    if (size >= 8 && memcmp(file, "CYPTRKNN", 8) == 0) {
        info->encrypted = true;
        return OH_NN_SUCCESS;
    }
    if (size < 24 || memcmp(file, "RKNN\0\0\0\0", 8) != 0)
        return nnrt__fail(OH_NN_INVALID_FILE, "the model is no .rknn file: %s", nnrt__foreign_say(bytes, size, looks));
    version = nnrt__rknn_read_u64(file + 8);
    body = nnrt__rknn_read_u64(file + 16);
    if (version == 0 || version > UINT32_MAX)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .rknn file is damaged: its format version is %llu",
                          (unsigned long long)version);
    header = version == 1 ? 24 : 64;
    if (size < header || body > size - header)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .rknn file is cut off: it has %zu bytes, and its header speaks of %llu behind it", size,
                          (unsigned long long)body);
    info->format_version = (uint32_t)version;
    info->body = file + header;
    info->body_size = (size_t)body;
    left = size - header - body;
    if (left < 8) return OH_NN_SUCCESS;
    text.at = file + header + (size_t)body;
    length = nnrt__rknn_read_u64(text.at);
    text.at += 8;
    text.end = text.at + (size_t)(length < left - 8 ? length : left - 8);
    nnrt__rknn_read_text(text, info);
    return OH_NN_SUCCESS;
}

/* Whether the format is one of librknnmrt. */
NNRT__FN bool nnrt__rknn_format_is_mini(uint32_t format_version) { return format_version >= NNRT__RKNN_MINI_FORMATS; }

/* The oldest runtime known to accept a format: librknnrt 1.5.0 accepts 1 to 4, 1.4.0 1 and 2; librknnmrt 1.6.0 accepts
   0x1004, and 1.5.2 crashes on it. 0: unknown. */
NNRT__FN uint32_t nnrt__rknn_format_runtime(uint32_t format_version) {
    if (nnrt__rknn_format_is_mini(format_version))
        return format_version >= NNRT__RKNN_MINI_FIRST ? NNRT__RKNN_VERSION(1, 6, 0) : 0;
    if (format_version <= 2) return 0;
    if (format_version <= 4) return NNRT__RKNN_VERSION(1, 5, 0);
    return format_version <= NNRT__RKNN_LAST_FORMAT ? NNRT__RKNN_VERSION(1, 5, 2) : 0;
}

/* "6", or "0x1004" as the runtime's own messages write it. text has 12 bytes. */
NNRT__FN const char *nnrt__rknn_format_name(uint32_t format_version, char *text) {
    nnrt__format(text, 12, nnrt__rknn_format_is_mini(format_version) ? "0x%x" : "%u", (unsigned)format_version);
    return text;
}

/* -------------------------------------------------------------------------------------------------- chips */

/* Chips of one family take each other's models. Family 0 has the previous NPU; its models have the same outer format
   and come from another toolkit. name is a prefix of a chip's or platform's name, to which letters for package or speed
   are added ("rk3588s", "rv1106g3"). Longer names come first. */
typedef struct nnrt__rknn_chip {
    const char *name;
    uint32_t family;
    uint32_t cores; /* of its NPU */
    bool mini;      /* driven by librknnmrt */
} nnrt__rknn_chip;

/* NULL: a chip that nnrt does not know. */
NNRT__FN const nnrt__rknn_chip *nnrt__rknn_chip_find(const char *name) {
    static const nnrt__rknn_chip chips[] = {
        {"rk3562", 1, 1, false}, {"rk3566", 2, 1, false},  {"rk3568", 2, 1, false},   {"rk3576", 3, 2, false},
        {"rk3588", 4, 3, false}, {"rv1126b", 5, 1, false}, {"rv1103b", 6, 1, true},   {"rv1106b", 6, 1, true},
        {"rv1103", 7, 1, true},  {"rv1106", 7, 1, true},   {"rv1126", 0, 1, false},   {"rv1109", 0, 1, false},
        {"rk1808", 0, 1, false}, {"rk1806", 0, 1, false},  {"rk3399pro", 0, 1, false}};
    char lower[32];
    size_t i;
    for (i = 0; name[i] != '\0' && i + 1 < sizeof(lower); i++)
        lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
    lower[i] = '\0';
    for (i = 0; i < NNRT__COUNT_OF(chips); i++)
        if (strncmp(lower, chips[i].name, strlen(chips[i].name)) == 0) return &chips[i];
    return NULL;
}

/* Whether it is a file for RK1808, RV1109, RV1126 or RK3399Pro, which have another NPU: the same outer format from
   another toolkit; its body begins with "VPMN" if it was precompiled (seven public files of toolkits 1.3.2 to
   1.7.5). */
NNRT__FN bool nnrt__rknn_is_first_generation(const nnrt__rknn_file_info *info) {
    const nnrt__rknn_chip *chip = nnrt__rknn_chip_find(info->platform);
    if (chip != NULL) return chip->family == 0;
    return info->body != NULL && info->body_size >= 4 && memcmp(info->body, "VPMN", 4) == 0;
}

/* Refuses a format of the other runtime. Formats of librknnmrt before 1.6.0 are unknown, so those runtimes decide
   themselves. */
NNRT__FN OH_NN_ReturnCode nnrt__rknn_check_family(const nnrt__rknn_file_info *info,
                                                  const nnrt__rknpu_library *library) {
    const uint32_t format = info->format_version;
    const bool mini = nnrt__rknn_format_is_mini(format);
    char name[12];
    if (info->encrypted && library->mini && library->at_least >= NNRT__RKNN_VERSION(1, 6, 0))
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model is encrypted, which librknnmrt does not take: convert it without encryption");
    if (info->encrypted || (library->mini && library->at_least < NNRT__RKNN_VERSION(1, 6, 0) && !mini))
        return OH_NN_SUCCESS;
    if (mini != library->mini)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model has format %s, which is for %s, and %s is the runtime of %s: convert it again "
                          "with the target_platform of this board",
                          nnrt__rknn_format_name(format, name), mini ? "rv1103 and rv1106" : "other chips",
                          library->name, library->mini ? "rv1103 and rv1106" : "other chips");
    if (mini && format < NNRT__RKNN_MINI_FIRST && library->at_least >= NNRT__RKNN_VERSION(1, 6, 0))
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model has format %s, of a toolkit before 1.6.0, which runtimes from 1.6.0 on do not "
                          "take: convert it again",
                          nnrt__rknn_format_name(format, name));
    return OH_NN_SUCCESS;
}

/* Refuses what this library or chip cannot take (OH_NN_INVALID_FILE). */
NNRT__FN OH_NN_ReturnCode nnrt__rknn_file_check(const nnrt__rknn_file_info *info, const nnrt__rknpu_library *library) {
    const nnrt__rknn_chip *model = nnrt__rknn_chip_find(info->platform);
    const nnrt__rknn_chip *board = nnrt__rknn_chip_find(library->chip);
    const uint32_t needed = nnrt__rknn_format_runtime(info->format_version);
    char name[12];
    if (model != NULL && model->family == 0)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model was made for %s, which has an older NPU: convert it for this board with "
                          "rknn-toolkit2",
                          info->platform);
    /* Toolkit 1.1 also wrote rk3566 into models for rk3588, so the runtime decides. */
    if (info->format_version == 1) return nnrt__rknn_check_family(info, library);
    if (model != NULL && board != NULL && model->family != board->family)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model was made for %s and this board is an %s: convert it again with target_platform %s",
                          info->platform, library->chip, board->name);
    if (model != NULL && model->mini != library->mini)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model was made for %s and %s is the runtime of %s: convert it again "
                          "with the target_platform of this board",
                          info->platform, library->name, library->mini ? "rv1103 and rv1106" : "other chips");
    if (library->below != 0 && needed >= library->below)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model has format %s%s%s and needs runtime %u.%u.%u, but %s is older than %u.%u.%u: "
                          "update it or convert with an older toolkit",
                          nnrt__rknn_format_name(info->format_version, name),
                          info->toolkit[0] != '\0' ? " of toolkit " : "", info->toolkit, (unsigned)(needed >> 16),
                          (unsigned)(needed >> 8 & 255u), (unsigned)(needed & 255u), library->name,
                          (unsigned)(library->below >> 16), (unsigned)(library->below >> 8 & 255u),
                          (unsigned)(library->below & 255u));
    return nnrt__rknn_check_family(info, library);
}

NNRT_API OH_NN_ReturnCode nnrt_rknn_inspect(const void *bytes, size_t size, nnrt_rknn_model_info *info) {
    nnrt__rknn_file_info read;
    uint32_t needed;
    OH_NN_ReturnCode code;
    if (bytes == NULL || info == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_rknn_inspect: %s is NULL", bytes == NULL ? "bytes" : "info");
    code = nnrt__rknn_file_read(bytes, size, &read);
    if (code != OH_NN_SUCCESS) return code;
    memset(info, 0, sizeof(*info));
    info->format_version = read.format_version;
    info->encrypted = read.encrypted ? 1u : 0u;
    memcpy(info->platform, read.platform, sizeof(info->platform));
    memcpy(info->toolkit, read.toolkit, sizeof(info->toolkit));
    needed = nnrt__rknn_format_runtime(read.format_version);
    if (needed != 0)
        nnrt__format(info->minimum_runtime, sizeof(info->minimum_runtime), "%u.%u.%u", (unsigned)(needed >> 16),
                     (unsigned)(needed >> 8 & 255u), (unsigned)(needed & 255u));
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_FILE_H */
