/* SPDX-License-Identifier: Apache-2.0 */
/* tools/dump_read.h - the folder of a dump, back into memory. Everything in it is checked: it may come from a board, by
   way of whoever has carried it. */
#ifndef NNRT_TOOLS_DUMP_READ_H
#define NNRT_TOOLS_DUMP_READ_H

#include "json_read.h"
#include "tool_dump.h"

enum {
    DUMP_LONGEST = 1 << 24 /* bytes of an index */
};

static int bad_index(const char *path, const char *what) {
    return complain(TOOL_FILE, "%s: is no index of a dump: %s", path, what);
}

/* The type of that name; OH_NN_UNKNOWN: there is none. */
static OH_NN_DataType type_of_name(const char *name) {
    for (size_t i = 0; name != NULL && i < NPY_TYPE_COUNT; i++)
        if (strcmp(type_name(npy_types[i].type), name) == 0) return npy_types[i].type;
    return OH_NN_UNKNOWN;
}

/* The shape, of dimensions that are at least 0. */
static bool dump_read_shape(const json_document *d, size_t entry, npy_form *form) {
    size_t i = json_find(d, entry, "shape");
    form->rank = 0;
    if (i == 0 || d->values[i].kind != 'a') return false;
    for (i = d->values[i].first; i != 0; i = d->values[i].next) {
        const double dim = d->values[i].number;
        if (d->values[i].kind != 'n' || !(dim >= 0.0 && dim <= INT32_MAX) || form->rank == NNRT_MAX_RANK) return false;
        form->dims[form->rank++] = (int32_t)dim;
    }
    return true;
}

/* Fills t but for its elements; false: something is missing or out of bounds. */
static bool dump_read_entry(const json_document *d, size_t entry, dump_tensor *t) {
    const char *const role = json_text_of(d, entry, "role"), *const name = json_text_of(d, entry, "name");
    const char *const operation = json_text_of(d, entry, "operator"), *const layout = json_text_of(d, entry, "layout");
    if (role == NULL || name == NULL || d->values[entry].kind != 'o') return false;
    t->name = copy_text(name);
    t->role = strcmp(role, "input") == 0 ? DUMP_INPUT : strcmp(role, "output") == 0 ? DUMP_OUTPUT : DUMP_STEP;
    if (t->role == DUMP_STEP && strcmp(role, "step") != 0) return false;
    t->index = (uint32_t)json_number_of(d, entry, "index", 0.0, INT32_MAX, 0.0);
    t->step = (uint32_t)json_number_of(d, entry, "step", 0.0, INT32_MAX, 0.0);
    snprintf(t->operation, sizeof(t->operation), "%s", operation != NULL ? operation : "");
    t->format = layout != NULL && strcmp(layout, "NCHW") == 0   ? OH_NN_FORMAT_NCHW
                : layout != NULL && strcmp(layout, "NHWC") == 0 ? OH_NN_FORMAT_NHWC
                                                                : OH_NN_FORMAT_NONE;
    t->scale = json_number_of(d, entry, "scale", 0.0, 1e30, 0.0);
    t->zero_point = (int32_t)json_number_of(d, entry, "zero_point", INT32_MIN, INT32_MAX, 0.0);
    t->form.type = type_of_name(json_text_of(d, entry, "type"));
    return dump_read_shape(d, entry, &t->form);
}

/* The elements of t, whose file has exactly what the index says. */
static int dump_read_elements(const char *path, dump_tensor *t) {
    npy_form form;
    FILE *file = NULL;
    struct stat status;
    size_t size = 0;
    int result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    result = npy_read_header(path, file, &form);
    if (result == TOOL_OK && (!npy_same_form(&form, &t->form) || !npy_bytes(&form, &size)))
        result = complain(TOOL_FILE, "%s: its type or shape is not what index.json says", path);
    /* before so much is allocated */
    if (result == TOOL_OK && (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0 ||
                              (unsigned long long)status.st_size < size))
        result = complain(TOOL_FILE, "%s: ends before its elements do", path);
    if (result == TOOL_OK) {
        t->elements = size / npy_element_size(form.type);
        t->data = allocate(size);
        result = npy_read_elements(path, file, t->data, size);
    }
    fclose(file);
    return result;
}

static int dump_read_tensor(const char *folder, const char *index, const json_document *document, size_t entry,
                            dump *d) {
    dump_tensor *t = dump_add(d);
    if (!dump_read_entry(document, entry, t)) return bad_index(index, "a tensor lacks role, name or shape");
    const char *file = json_text_of(document, entry, "file");
    t->why = "not in the dump";
    if (file == NULL) return TOOL_OK;
    if (*file == '.' || *file == '\0' || strchr(file, '/') != NULL)
        return bad_index(index, "a file of it is not in its folder");
    t->why = NULL;
    char *path = path_in(folder, file);
    const int result = dump_read_elements(path, t);
    free(path);
    return result;
}

/* The text of a file, terminated. */
static int read_text(const char *path, char **text) {
    FILE *file = NULL;
    const int result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    *text = (char *)allocate(DUMP_LONGEST);
    const size_t size = fread(*text, 1, DUMP_LONGEST - 1, file);
    const bool whole = !ferror(file) && getc(file) == EOF;
    (*text)[size] = '\0';
    fclose(file);
    if (whole && strlen(*text) == size) return TOOL_OK;
    free(*text);
    *text = NULL;
    return bad_index(path, "it is too long, or no text");
}

/* Reads a folder that --dump has written. *d has to be freed in any case. */
static int dump_read(dump *d, const char *folder) {
    char *path = path_in(folder, "index.json"), *text = NULL;
    json_document document;
    memset(d, 0, sizeof(*d));
    memset(&document, 0, sizeof(document));
    int result = read_text(path, &text);
    if (result == TOOL_OK && !json_read(&document, text)) result = bad_index(path, "the JSON is damaged");
    const char *command = result == TOOL_OK ? json_text_of(&document, 1, "command") : NULL;
    const size_t tensors = result == TOOL_OK ? json_find(&document, 1, "tensors") : 0;
    if (result == TOOL_OK &&
        (command == NULL || strcmp(command, "dump") != 0 || tensors == 0 || document.values[tensors].kind != 'a'))
        result = bad_index(path, "nnrt run --dump writes one");
    for (size_t i = result == TOOL_OK ? document.values[tensors].first : 0; i != 0 && result == TOOL_OK;
         i = document.values[i].next)
        result = dump_read_tensor(folder, path, &document, i, d);
    json_document_free(&document);
    free(text);
    free(path);
    return result;
}

#endif /* NNRT_TOOLS_DUMP_READ_H */
