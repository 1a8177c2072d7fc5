/* SPDX-License-Identifier: Apache-2.0 */
/* npu/settings.h - extension configs by a table: names, kinds of values, refusals.   >>npu_settings

   A device lists its configs as rows and gets a number or checked text for each, which it interprets. */
#ifndef NNRT_NPU_SETTINGS_H
#define NNRT_NPU_SETTINGS_H

#include "../core/nearest.h"

#define NNRT__SETTING_NAME_SIZE 64u /* bytes for a NAME, its end included */

typedef enum nnrt__setting_kind {
    NNRT__SETTING_WORD = 0,   /* one of words, separated by | ; its index is the number */
    NNRT__SETTING_NUMBER = 1, /* decimal, 0 to most */
    NNRT__SETTING_HEX = 2,    /* 0x and 1 to 8 digits */
    NNRT__SETTING_NAME = 3,   /* 1 to 63 bytes of text */
    NNRT__SETTING_BYTES = 4   /* not text: interpreted by the device */
} nnrt__setting_kind;

/* For what a config can be: model files, graphs, both. */
#define NNRT__SETTING_FOR_MODELS 1u
#define NNRT__SETTING_FOR_GRAPHS 2u

typedef struct nnrt__setting {
    const char *name;
    int id; /* the device's */
    nnrt__setting_kind kind;
    const char *words; /* WORD */
    uint32_t number;   /* NUMBER: the maximum; otherwise the device's */
    uint32_t uses;     /* NNRT__SETTING_FOR_* */
} nnrt__setting;

typedef struct nnrt__setting_value {
    uint32_t number;  /* WORD, NUMBER, HEX; else 0 */
    const char *text; /* of the config, not terminated */
    size_t length;
} nnrt__setting_value;

/* NULL: no row has that name. */
NNRT__FN const nnrt__setting *nnrt__setting_find(const nnrt__setting *rows, size_t count, const char *name) {
    size_t i;
    for (i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/* The refusal of a name that no row has, by device ("the Rockchip device"). */
NNRT__FN OH_NN_ReturnCode nnrt__setting_unknown(const nnrt__setting *rows, size_t count, const char *name,
                                                const char *device) {
    nnrt__nearest nearest;
    size_t i;
    nnrt__nearest_begin(&nearest, name);
    for (i = 0; i < count; i++) nnrt__nearest_offer(&nearest, rows[i].name);
    return nnrt__fail_config(device, &nearest);
}

/* The index of the length bytes at text in words; -1: not there. */
NNRT__FN int nnrt__setting_word_index(const char *words, const char *text, size_t length) {
    int index = 0;
    for (;;) {
        const char *end = strchr(words, '|');
        size_t word = end != NULL ? (size_t)(end - words) : strlen(words);
        if (word == length && memcmp(words, text, length) == 0) return index;
        if (end == NULL) return -1;
        words = end + 1;
        index++;
    }
}

/* The length bytes at text as a number of base 10 or 16, at most most. */
NNRT__FN bool nnrt__setting_parse_number(const char *text, size_t length, uint32_t base, uint32_t most,
                                         uint32_t *number) {
    uint64_t value = 0;
    size_t i;
    if (length == 0 || length > 10) return false;
    for (i = 0; i < length; i++) {
        const char c = text[i];
        uint32_t digit = 16;
        if (c >= '0' && c <= '9') digit = (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f') digit = (uint32_t)(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F') digit = (uint32_t)(c - 'A') + 10;
        if (digit >= base) return false;
        value = value * base + digit;
    }
    if (value > most) return false;
    *number = (uint32_t)value;
    return true;
}

/* Parses the terminated value of config as row says. OH_NN_INVALID_PARAMETER: the sentence lists what is possible. */
NNRT__FN OH_NN_ReturnCode nnrt__setting_parse(const nnrt__setting *row, const nnrt_config *config,
                                              nnrt__setting_value *value) {
    const char *text = (const char *)config->value;
    size_t length = config->size;
    int index;
    value->number = 0;
    value->text = text;
    value->length = length;
    if (row->kind == NNRT__SETTING_BYTES) return OH_NN_SUCCESS;
    if (length != 0 && text[length - 1] == '\0') length--; /* sizeof of a literal counts its end */
    value->length = length;
    if (memchr(text, '\0', length) != NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the value \"%.60s\" has a zero byte inside", text);
    switch (row->kind) {
    case NNRT__SETTING_WORD:
        index = nnrt__setting_word_index(row->words, text, length);
        if (index < 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is none of %s", text, row->words);
        value->number = (uint32_t)index;
        return OH_NN_SUCCESS;
    case NNRT__SETTING_NUMBER:
        if (!nnrt__setting_parse_number(text, length, 10, row->number, &value->number))
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is no number from 0 to %u", text,
                              (unsigned)row->number);
        return OH_NN_SUCCESS;
    case NNRT__SETTING_HEX:
        if (length < 3 || text[0] != '0' || text[1] != 'x' ||
            !nnrt__setting_parse_number(text + 2, length - 2, 16, UINT32_MAX, &value->number))
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is no hexadecimal number from 0x0 to 0xffffffff",
                              text);
        return OH_NN_SUCCESS;
    default:
        if (length == 0 || length >= NNRT__SETTING_NAME_SIZE)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.60s\" is no name of 1 to %u bytes", text,
                              NNRT__SETTING_NAME_SIZE - 1);
        return OH_NN_SUCCESS;
    }
}

/* Copies a parsed NAME to name, of NNRT__SETTING_NAME_SIZE bytes. */
NNRT__FN void nnrt__setting_copy_name(char *name, const nnrt__setting_value *value) {
    memcpy(name, value->text, value->length);
    name[value->length] = '\0';
}

/* Refuses a config that a compilation of this kind cannot have. */
NNRT__FN OH_NN_ReturnCode nnrt__setting_check_use(const nnrt__setting *row, bool graph, const char *model_kind) {
    if ((row->uses & (graph ? NNRT__SETTING_FOR_GRAPHS : NNRT__SETTING_FOR_MODELS)) != 0) return OH_NN_SUCCESS;
    if (graph)
        return nnrt__fail(OH_NN_FAILED, "extension config %s is for %s models; this compilation has a graph", row->name,
                          model_kind);
    return nnrt__fail(OH_NN_FAILED, "extension config %s is for graphs; this compilation has a %s model", row->name,
                      model_kind);
}

#endif /* NNRT_NPU_SETTINGS_H */
