/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_text.h - what the tool says: messages with their exit codes, names of types and operators,
   tables, JSON.

   Names of tensors, kernels and devices and the library's sentences can come out of a hostile model, so they
   are printed only through clean() or print_json(): no byte of a model reaches the terminal as a control
   character. */
#ifndef NNRT_TOOLS_TOOL_TEXT_H
#define NNRT_TOOLS_TOOL_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The exit codes, as `nnrt --help` lists them. */
enum {
    TOOL_OK = 0,
    TOOL_REFUSED = 1,
    TOOL_USAGE = 2,
    TOOL_FILE = 3
};

#if defined(__GNUC__)
#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TOOL_PRINTF(text, first)
#endif

/* Never NULL: a tool without memory for a table has nothing left to do. No file is half written while this is
   used. */
static void *allocate(size_t size) {
    void *memory = malloc(size == 0 ? 1 : size);
    if (memory == NULL) {
        fprintf(stderr, "nnrt: out of memory\n");
        exit(TOOL_REFUSED);
    }
    return memory;
}

/* More room for what allocate gave; NULL: as allocate. */
static void *reallocate(void *old, size_t size) {
    void *memory = realloc(old, size > 0 ? size : 1);
    if (memory == NULL) {
        fprintf(stderr, "nnrt: out of memory\n");
        exit(TOOL_REFUSED);
    }
    return memory;
}

/* Length of the UTF-8 character at text, 0 when the bytes there are none (overlong, surrogate, cut, too
   large). */
static size_t utf8_length(const unsigned char *text) {
    const unsigned char first = text[0];
    const size_t length = first < 0x80                    ? 1
                          : first >= 0xc2 && first < 0xe0 ? 2
                          : first >= 0xe0 && first < 0xf0 ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0; /* the terminating 0 ends the loop here */
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f)) return 0;
    if ((first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f)) return 0;
    return length;
}

/* Makes text harmless for a terminal, in place: control characters and what is no UTF-8 become '?'. */
static void clean(char *text) {
    unsigned char *p = (unsigned char *)text;
    while (*p != 0) {
        const size_t length = utf8_length(p);
        const bool control = *p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0);
        if (length == 0 || control) *p++ = '?';
        else p += length;
    }
}

/* While a line of progress may stand on the terminal: what takes it back (tool_progress.h). Else NULL. */
static void (*take_back_line)(void);

/* Prints "nnrt: " and a line on stderr and returns code. */
TOOL_PRINTF(2, 3) static int complain(int code, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    clean(line);
    if (take_back_line != NULL) take_back_line();
    fprintf(stderr, "nnrt: %s\n", line);
    return code;
}

/* The library refused `what`: its sentence and its code. */
static int refused(const char *what, OH_NN_ReturnCode code) {
    const char *sentence = nnrt_last_error();
    return complain(TOOL_REFUSED, "%s: %s (%s)", what, *sentence != '\0' ? sentence : "no reason was given",
                    nnrt_strerror(code));
}

/* The same for calls that answer NULL: they have no code of their own, so the generic one stands for it. */
static int refused_object(const char *what) {
    const char *sentence = nnrt_last_error();
    return complain(TOOL_REFUSED, "%s: %s (%s)", what, *sentence != '\0' ? sentence : "no reason was given",
                    nnrt_strerror(OH_NN_FAILED));
}

/* -------------------------------------------------------------------------------------------------- names */

static const char *type_name(OH_NN_DataType type) {
    static const char *const names[] = {"unknown", "bool",   "int8",   "int16",   "int32",   "int64",  "uint8",
                                        "uint16",  "uint32", "uint64", "float16", "float32", "float64"};
    return (int)type >= 0 && (size_t)type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown";
}

static const char *device_type_name(OH_NN_DeviceType type) {
    static const char *const names[] = {"other", "CPU", "GPU", "accelerator"};
    return (int)type >= 0 && (size_t)type < sizeof(names) / sizeof(names[0]) ? names[type] : "other";
}

/* The part of OH_NN_OPS_* behind the prefix; "?" for a value that is none. */
static const char *operator_name(OH_NN_OperationType op) {
    static const char *const names[] = {"?",
                                        "ADD",
                                        "AVG_POOL",
                                        "BATCH_NORM",
                                        "BATCH_TO_SPACE_ND",
                                        "BIAS_ADD",
                                        "CAST",
                                        "CONCAT",
                                        "CONV2D",
                                        "CONV2D_TRANSPOSE",
                                        "DEPTHWISE_CONV2D_NATIVE",
                                        "DIV",
                                        "ELTWISE",
                                        "EXPAND_DIMS",
                                        "FILL",
                                        "FULL_CONNECTION",
                                        "GATHER",
                                        "HSWISH",
                                        "LESS_EQUAL",
                                        "MATMUL",
                                        "MAXIMUM",
                                        "MAX_POOL",
                                        "MUL",
                                        "ONE_HOT",
                                        "PAD",
                                        "POW",
                                        "SCALE",
                                        "SHAPE",
                                        "SIGMOID",
                                        "SLICE",
                                        "SOFTMAX",
                                        "SPACE_TO_BATCH_ND",
                                        "SPLIT",
                                        "SQRT",
                                        "SQUARED_DIFFERENCE",
                                        "SQUEEZE",
                                        "STACK",
                                        "STRIDED_SLICE",
                                        "SUB",
                                        "TANH",
                                        "TILE",
                                        "TRANSPOSE",
                                        "REDUCE_MEAN",
                                        "RESIZE_BILINEAR",
                                        "RSQRT",
                                        "RESHAPE",
                                        "PRELU",
                                        "RELU",
                                        "RELU6",
                                        "LAYER_NORM",
                                        "REDUCE_PROD",
                                        "REDUCE_ALL",
                                        "QUANT_DTYPE_CAST",
                                        "TOP_K",
                                        "ARG_MAX",
                                        "UNSQUEEZE",
                                        "GELU",
                                        "UNSTACK",
                                        "ABS",
                                        "ERF",
                                        "EXP",
                                        "LESS",
                                        "SELECT",
                                        "SQUARE",
                                        "FLATTEN",
                                        "DEPTH_TO_SPACE",
                                        "RANGE",
                                        "INSTANCE_NORM",
                                        "CONSTANT_OF_SHAPE",
                                        "BROADCAST_TO",
                                        "EQUAL",
                                        "GREATER",
                                        "NOT_EQUAL",
                                        "GREATER_EQUAL",
                                        "LEAKY_RELU",
                                        "LSTM",
                                        "CLIP",
                                        "ALL",
                                        "ASSERT",
                                        "COS",
                                        "LOG",
                                        "LOGICAL_AND",
                                        "LOGICAL_NOT",
                                        "MOD",
                                        "NEG",
                                        "RECIPROCAL",
                                        "SIN",
                                        "WHERE",
                                        "SPARSE_TO_DENSE",
                                        "LOGICAL_OR",
                                        "CEIL",
                                        "CROP",
                                        "DETECTION_POST_PROCESS",
                                        "FLOOR",
                                        "L2_NORMALIZE",
                                        "LOG_SOFTMAX",
                                        "LRN",
                                        "MINIMUM",
                                        "RANK",
                                        "REDUCE_MAX",
                                        "REDUCE_MIN",
                                        "REDUCE_SUM",
                                        "ROUND",
                                        "SCATTER_ND",
                                        "SPACE_TO_DEPTH",
                                        "SWISH",
                                        "REDUCE_L2",
                                        "HARD_SIGMOID",
                                        "GATHER_ND",
                                        "SVDF",
                                        "SEQUENCE_LSTM",
                                        "CUMSUM",
                                        "DYNAMIC_UPDATE_SLICE",
                                        "RESIZE_NEAREST"};
    return (int)op >= 0 && (size_t)op < sizeof(names) / sizeof(names[0]) ? names[op] : "?";
}

/* "1x96x96x3", "?" for a dimension that is not known, "scalar" for none; with "(?)" behind each whose bit is set in
   open: a run may change it. */
enum {
    SHAPE_TEXT = NNRT_MAX_RANK * 15 + 8
};

static const char *open_shape_text(char text[SHAPE_TEXT], const int32_t *dims, size_t rank, unsigned open) {
    size_t used = 0;
    strcpy(text, "scalar");
    for (size_t i = 0; i < rank && i < NNRT_MAX_RANK; i++) {
        const char *mark = (open >> i & 1) != 0 ? "(?)" : "";
        if (i != 0) text[used++] = 'x';
        used += (size_t)(dims[i] < 1 ? snprintf(text + used, SHAPE_TEXT - used, "?")
                                     : snprintf(text + used, SHAPE_TEXT - used, "%ld%s", (long)dims[i], mark));
    }
    return text;
}

static const char *shape_text(char text[SHAPE_TEXT], const int32_t *dims, size_t rank) {
    return open_shape_text(text, dims, rank, 0);
}

/* ---------------------------------------------------------------------------------------------- sentences */

enum {
    TEXT_WIDTH = 110 /* of lines */
};

/* Prints sentences in lines of at most TEXT_WIDTH columns; the first begins at column `at`, the others at `indent`. */
static void print_wrapped(FILE *file, const char *text, size_t at, size_t indent) {
    while (*text != '\0') {
        const size_t word = strcspn(text, " ");
        if (at + word > TEXT_WIDTH && at > indent) {
            fprintf(file, "\n%*s", (int)indent, "");
            at = indent;
        }
        at += word + 1;
        fwrite(text, 1, word, file);
        text += word;
        if (*text == ' ') {
            text++;
            if (at + strcspn(text, " ") <= TEXT_WIDTH) fputc(' ', file);
        }
    }
    fputc('\n', file);
}

/* ------------------------------------------------------------------------------------------------- tables */

/* Cells in rows, printed in columns that are as wide as their widest cell. */
typedef struct table {
    const char *align; /* one character per column: 'l' or 'r' */
    size_t columns;
    size_t count; /* of cells */
    size_t capacity;
    char **cells;
} table;

static table table_begin(const char *align) {
    table t;
    t.align = align;
    t.columns = strlen(align);
    t.count = t.capacity = 0;
    t.cells = NULL;
    return t;
}

/* Adds the next cell, row by row. */
TOOL_PRINTF(2, 3) static void cell(table *t, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    clean(text);
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity == 0 ? 64 : 2 * t->capacity;
        char **cells = (char **)allocate(capacity * sizeof(char *));
        for (size_t i = 0; i < t->count; i++) cells[i] = t->cells[i];
        free(t->cells);
        t->cells = cells;
        t->capacity = capacity;
    }
    t->cells[t->count] = (char *)allocate(strlen(text) + 1);
    strcpy(t->cells[t->count++], text);
}

/* Prints the table, two blanks before every cell and none at the ends of lines, and frees it. */
static void table_end(table *t) {
    size_t *widths = (size_t *)allocate(t->columns * sizeof(size_t));
    size_t pending = 0; /* blanks owed before the next visible character */
    for (size_t i = 0; i < t->columns; i++) widths[i] = 0;
    for (size_t i = 0; i < t->count; i++) {
        const size_t length = strlen(t->cells[i]);
        if (length > widths[i % t->columns]) widths[i % t->columns] = length;
    }
    for (size_t i = 0; i < t->count; i++) {
        const size_t column = i % t->columns, length = strlen(t->cells[i]);
        const size_t padding = widths[column] - length;
        const bool right = t->align[column] == 'r';
        pending += 2 + (right ? padding : 0);
        if (length > 0) {
            printf("%*s%s", (int)pending, "", t->cells[i]);
            pending = 0;
        }
        pending += right ? 0 : padding;
        if (column + 1 == t->columns) {
            printf("\n");
            pending = 0;
        }
        free(t->cells[i]);
    }
    free(widths);
    free(t->cells);
    *t = table_begin(t->align);
}

#endif /* NNRT_TOOLS_TOOL_TEXT_H */
