/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_npy.h - tensors as numpy keeps them in files: .npy, formats 1.0, 2.0 and 3.0.

   A file is "\x93NUMPY", two bytes of version, the length of the header (two bytes, from 2.0 on four, little-endian),
   the header, and the elements. The header is a dictionary in Python's words: {'descr': '<f4', 'fortran_order': False,
   'shape': (1, 2), }. It is read by a small grammar that knows these three keys and nothing else, and each number in
   it is checked before it is used. */
#ifndef NNRT_TOOLS_TOOL_NPY_H
#define NNRT_TOOLS_TOOL_NPY_H

#include "tool_files.h"

enum {
    NPY_MAGIC = 6,          /* bytes of it */
    NPY_LONGEST = 65535,    /* bytes of a header: 1.0 can say no more, and 8 dimensions need no more */
    NPY_WRITTEN = 10 + 246, /* bytes in front of the elements that are written: a multiple of 64, as numpy has it */
    NPY_WHY = 160
};

/* Type and shape of an array. */
typedef struct npy_form {
    OH_NN_DataType type;
    size_t rank;
    int32_t dims[NNRT_MAX_RANK];
} npy_form;

/* Whether the name ends in .npy, upper case too. */
static bool is_npy(const char *path) {
    static const char ending[] = ".npy";
    const size_t length = strlen(path);
    if (length < 4) return false;
    for (size_t i = 0; i < 4; i++)
        if (tolower((unsigned char)path[length - 4 + i]) != ending[i]) return false;
    return true;
}

typedef struct npy_type {
    OH_NN_DataType type;
    char kind; /* numpy's letter */
    char size; /* digit: bytes of an element */
} npy_type;

static const npy_type npy_types[] = {{OH_NN_BOOL, 'b', '1'},    {OH_NN_INT8, 'i', '1'},    {OH_NN_INT16, 'i', '2'},
                                     {OH_NN_INT32, 'i', '4'},   {OH_NN_INT64, 'i', '8'},   {OH_NN_UINT8, 'u', '1'},
                                     {OH_NN_UINT16, 'u', '2'},  {OH_NN_UINT32, 'u', '4'},  {OH_NN_UINT64, 'u', '8'},
                                     {OH_NN_FLOAT16, 'f', '2'}, {OH_NN_FLOAT32, 'f', '4'}, {OH_NN_FLOAT64, 'f', '8'}};

enum {
    NPY_TYPE_COUNT = sizeof(npy_types) / sizeof(npy_types[0])
};

/* Bytes of an element; 0: no type that such a file holds. */
static size_t npy_element_size(OH_NN_DataType type) {
    for (size_t i = 0; i < NPY_TYPE_COUNT; i++)
        if (npy_types[i].type == type) return (size_t)(npy_types[i].size - '0');
    return 0;
}

/* ------------------------------------------------------------------------------------------------- the header */

/* What is left of a header. */
typedef struct npy_text {
    const char *at, *end;
} npy_text;

/* Skips blanks; whether that character comes then, which is skipped, too. */
static bool npy_take(npy_text *text, char c) {
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\n' || *text->at == '\t')) text->at++;
    if (text->at == text->end || *text->at != c) return false;
    text->at++;
    return true;
}

/* A word in quotes of at most 31 characters, none of them escaped. */
static bool npy_word(npy_text *text, char word[32]) {
    const char quote = npy_take(text, '\'') ? '\'' : '"';
    size_t length = 0;
    if (quote == '"' && !npy_take(text, '"')) return false;
    while (text->at < text->end && *text->at != quote && length < 31) word[length++] = *text->at++;
    word[length] = '\0';
    return npy_take(text, quote);
}

static bool npy_boolean(npy_text *text, bool *value) {
    *value = npy_take(text, 'T');
    const char *rest = *value ? "rue" : "alse";
    if (!*value && !npy_take(text, 'F')) return false;
    for (; *rest != '\0'; rest++, text->at++)
        if (text->at == text->end || *text->at != *rest) return false;
    return true;
}

/* "(1, 2)", "(3,)" or "()": at most NNRT_MAX_RANK numbers of at most INT32_MAX. */
static bool npy_shape(npy_text *text, npy_form *form) {
    bool comma = true;
    form->rank = 0;
    if (!npy_take(text, '(')) return false;
    while (!npy_take(text, ')')) {
        int64_t value = 0;
        int digits = 0;
        if (form->rank == NNRT_MAX_RANK || !comma) return false;
        for (; text->at < text->end && *text->at >= '0' && *text->at <= '9' && digits < 11; text->at++, digits++)
            value = 10 * value + (*text->at - '0');
        if (digits == 0 || value > INT32_MAX) return false;
        form->dims[form->rank++] = (int32_t)value;
        comma = npy_take(text, ',');
    }
    return form->rank != 1 || comma;
}

/* The type of "<f4"; OH_NN_UNKNOWN and a sentence in why for what is none of ours. */
static OH_NN_DataType npy_type_of(const char *word, char why[NPY_WHY]) {
    for (size_t i = 0; strlen(word) == 3 && strchr("<>|=", word[0]) != NULL && i < NPY_TYPE_COUNT; i++) {
        if (word[1] != npy_types[i].kind || word[2] != npy_types[i].size) continue;
        if (word[2] == '1' || word[0] == '<') return npy_types[i].type;
        snprintf(why, NPY_WHY, "its elements are big-endian (%s); write little-endian ones: a.astype('<%s')", word,
                 word + 1);
        return OH_NN_UNKNOWN;
    }
    snprintf(why, NPY_WHY, "elements of type '%s' are not taken", word);
    return OH_NN_UNKNOWN;
}

/* Reads the dictionary, length bytes. false: why says what is wrong with it, and *form is of no use. */
static bool npy_parse(const char *header, size_t length, npy_form *form, char why[NPY_WHY]) {
    npy_text text = {header, header + length};
    char key[32], word[32];
    bool fortran = false, seen[3] = {false, false, false};
    memset(form, 0, sizeof(*form));
    snprintf(why, NPY_WHY, "the header of the .npy file is damaged");
    if (!npy_take(&text, '{')) return false;
    while (!npy_take(&text, '}')) {
        if (!npy_word(&text, key) || !npy_take(&text, ':')) return false;
        const int which = strcmp(key, "descr") == 0           ? 0
                          : strcmp(key, "fortran_order") == 0 ? 1
                          : strcmp(key, "shape") == 0         ? 2
                                                              : -1;
        if (which < 0 || seen[which]) return false;
        seen[which] = true;
        if (which == 0 && npy_take(&text, '[')) {
            snprintf(why, NPY_WHY, "holds records of several fields; a tensor has elements of one type");
            return false;
        }
        if (which == 0 ? !npy_word(&text, word) : which == 1 ? !npy_boolean(&text, &fortran) : !npy_shape(&text, form))
            return false;
        if (!npy_take(&text, ',') && (text.at == text.end || *text.at != '}')) return false;
    }
    while (text.at < text.end && (*text.at == ' ' || *text.at == '\n')) text.at++;
    if (text.at != text.end || !seen[0] || !seen[1] || !seen[2]) return false;
    form->type = npy_type_of(word, why);
    if (form->type == OH_NN_UNKNOWN) return false;
    snprintf(why, NPY_WHY, "is in Fortran's order (columns first); write it row by row: numpy.ascontiguousarray(a)");
    return !fortran || form->rank < 2;
}

/* Bytes of all elements; false: they do not fit into a size_t. */
static bool npy_bytes(const npy_form *form, size_t *bytes) {
    *bytes = npy_element_size(form->type);
    for (size_t i = 0; i < form->rank; i++) {
        const size_t dim = (size_t)form->dims[i];
        if (dim != 0 && *bytes > SIZE_MAX / dim) return false;
        *bytes *= dim;
    }
    return true;
}

static bool npy_same_form(const npy_form *a, const npy_form *b) {
    bool same = a->type == b->type && a->rank == b->rank;
    for (size_t i = 0; i < a->rank && same; i++) same = a->dims[i] == b->dims[i];
    return same;
}

/* Reads everything in front of the elements. */
static int npy_read_header(const char *path, FILE *file, npy_form *form) {
    static const char magic[] = "\x93NUMPY";
    unsigned char front[12];
    char why[NPY_WHY];
    if (fread(front, 1, 8, file) != 8 || memcmp(front, magic, NPY_MAGIC) != 0)
        return complain(TOOL_FILE, "%s: is no .npy file of numpy", path);
    if (front[6] < 1 || front[6] > 3 || front[7] != 0)
        return complain(TOOL_FILE, "%s: is a .npy file of version %d.%d; 1.0 to 3.0 are taken", path, front[6],
                        front[7]);
    const size_t digits = front[6] == 1 ? 2 : 4;
    size_t length = 0;
    const bool whole = fread(front + 8, 1, digits, file) == digits;
    for (size_t i = digits; i > 0 && whole; i--) length = length << 8 | front[8 + i - 1];
    if (!whole || length > NPY_LONGEST) return complain(TOOL_FILE, "%s: the header of the .npy file is damaged", path);
    char *header = (char *)allocate(length);
    const bool read = fread(header, 1, length, file) == length;
    const bool fine = read && npy_parse(header, length, form, why);
    free(header);
    if (!read) return complain(TOOL_FILE, "%s: the header of the .npy file is cut off", path);
    return fine ? TOOL_OK : complain(TOOL_FILE, "%s: %s", path, why);
}

/* ------------------------------------------------------------------------------------------------ whole files */

/* The elements, size bytes of them, to buffer. */
static int npy_read_elements(const char *path, FILE *file, void *buffer, size_t size) {
    const size_t got = fread(buffer, 1, size, file);
    if (ferror(file)) return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (got < size) return complain(TOOL_FILE, "%s: the elements end after %zu of %zu bytes", path, got, size);
    if (getc(file) != EOF) return complain(TOOL_FILE, "%s: more data follows the elements", path);
    return TOOL_OK;
}

/* Reads an array of exactly that form from an open file into buffer, which has room for it. */
static int read_npy_from(const char *path, FILE *file, const npy_form *wanted, void *buffer) {
    char has[SHAPE_TEXT], needs[SHAPE_TEXT];
    npy_form form;
    size_t size = 0;
    int result = npy_read_header(path, file, &form);
    if (result == TOOL_OK && !npy_same_form(&form, wanted))
        result = complain(TOOL_FILE, "%s: holds %s %s, the tensor is %s %s", path, type_name(form.type),
                          shape_text(has, form.dims, form.rank), type_name(wanted->type),
                          shape_text(needs, wanted->dims, wanted->rank));
    if (result == TOOL_OK && !npy_bytes(&form, &size))
        result = complain(TOOL_FILE, "%s: is larger than the memory of this machine can be", path);
    return result == TOOL_OK ? npy_read_elements(path, file, buffer, size) : result;
}

static int read_npy(const char *path, const npy_form *wanted, void *buffer) {
    FILE *file = NULL;
    int result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    result = read_npy_from(path, file, wanted, buffer);
    fclose(file);
    return result;
}

/* What stands in front of the elements of an array of that form, NPY_WRITTEN bytes, version 1.0. */
static void npy_write_header(char head[NPY_WRITTEN], const npy_form *form) {
    size_t used = 10, which = 0;
    while (which < NPY_TYPE_COUNT && npy_types[which].type != form->type) which++;
    const npy_type *type = &npy_types[which < NPY_TYPE_COUNT ? which : 0];
    memset(head, ' ', NPY_WRITTEN);
    memcpy(head, "\x93NUMPY\x01", 7);
    head[7] = 0;
    head[8] = (char)((NPY_WRITTEN - 10) & 255);
    head[9] = (char)((NPY_WRITTEN - 10) >> 8);
    used += (size_t)snprintf(head + used, NPY_WRITTEN - used, "{'descr': '%c%c%c', 'fortran_order': False, 'shape': (",
                             type->size == '1' ? '|' : '<', type->kind, type->size);
    for (size_t i = 0; i < form->rank; i++) /* 12 characters each at most */
        used += (size_t)snprintf(head + used, NPY_WRITTEN - used,
                                 form->rank == 1 ? "%ld,"
                                 : i == 0        ? "%ld"
                                                 : ", %ld",
                                 (long)form->dims[i]);
    used += (size_t)snprintf(head + used, NPY_WRITTEN - used, "), }");
    head[used] = ' '; /* in place of the terminator */
    head[NPY_WRITTEN - 1] = '\n';
}

/* Writes an array of that form, size bytes, as output_write does. */
static int write_npy(output_file *output, const char *path, const npy_form *form, const void *data, size_t size) {
    char head[NPY_WRITTEN];
    npy_write_header(head, form);
    return output_write_parts(output, path, head, sizeof(head), data, size);
}

#endif /* NNRT_TOOLS_TOOL_NPY_H */
