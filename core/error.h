/* SPDX-License-Identifier: Apache-2.0 */
/* core/error.h - how a call fails: one code for the program, one sentence for the human.   >>error

   nnrt__fail() is the only way to fail: one line to break on. The sentence is kept per thread, so that two threads
   never mix theirs; this buffer and the device registry are the only writable data of the library. */
#ifndef NNRT_CORE_ERROR_H
#define NNRT_CORE_ERROR_H

#include "platform.h"

#define NNRT__SENTENCE_SIZE 256

/* Writes text to buffer (size bytes, always terminated, cut when full). A printf of what sentences need, and no stdio:
   %s %d %u %zu %llu %x %c %%. A NULL string prints as "(null)". */
NNRT__FN NNRT__PRINTF(3, 0) void nnrt__format_list(char *buffer, size_t size, const char *text, va_list arguments) {
    size_t used = 0;
    while (*text != '\0' && used + 1 < size) {
        char digits[24];
        const char *piece = digits;
        size_t length = 0;
        if (*text != '%') {
            buffer[used++] = *text++;
            continue;
        }
        text++;
        if (*text == 's') {
            piece = va_arg(arguments, const char *);
            if (piece == NULL) piece = "(null)";
            length = strlen(piece);
        } else if (*text == 'c') {
            digits[0] = (char)va_arg(arguments, int);
            length = 1;
        } else if (*text == '%') {
            digits[0] = '%';
            length = 1;
        } else {
            unsigned long long value = 0, base = 10;
            bool negative = false;
            size_t at = sizeof(digits);
            if (*text == 'd') {
                long long number = va_arg(arguments, int);
                negative = number < 0;
                value = negative ? 0ull - (unsigned long long)number : (unsigned long long)number;
            } else if (*text == 'u' || *text == 'x') {
                if (*text == 'x') base = 16;
                value = va_arg(arguments, unsigned);
            } else if (*text == 'z') {
                text++;
                value = va_arg(arguments, size_t);
            } else {
                text += 2;
                value = va_arg(arguments, unsigned long long);
            }
            do {
                digits[--at] = "0123456789abcdef"[value % base];
                value /= base;
            } while (value != 0);
            if (negative) digits[--at] = '-';
            piece = digits + at;
            length = sizeof(digits) - at;
        }
        text++;
        if (length > size - 1 - used) length = size - 1 - used;
        memcpy(buffer + used, piece, length);
        used += length;
    }
    if (size != 0) buffer[used] = '\0';
}

NNRT__FN NNRT__PRINTF(3, 4) void nnrt__format(char *buffer, size_t size, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    nnrt__format_list(buffer, size, text, arguments);
    va_end(arguments);
}

NNRT__FN char *nnrt__sentence(void) {
    static NNRT__THREAD_LOCAL char sentence[NNRT__SENTENCE_SIZE];
    return sentence;
}

/* Leaves the sentence for nnrt_last_error() and returns code. An argument may be the present sentence. */
NNRT__FN NNRT__PRINTF(2, 3) OH_NN_ReturnCode nnrt__fail(OH_NN_ReturnCode code, const char *text, ...) {
    char sentence[NNRT__SENTENCE_SIZE];
    va_list arguments;
    va_start(arguments, text);
    nnrt__format_list(sentence, sizeof(sentence), text, arguments);
    va_end(arguments);
    memcpy(nnrt__sentence(), sentence, sizeof(sentence));
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__fail_memory(void) { return nnrt__fail(OH_NN_MEMORY_ERROR, "out of memory"); }

/* One line to the log callback of the program (core/registry.h keeps it). */
NNRT__FN NNRT__PRINTF(2, 3) void nnrt__log(nnrt_log_level level, const char *text, ...);

/* Bytes of one element; 0 for OH_NN_UNKNOWN and anything that is no data type. */
NNRT__FN size_t nnrt__element_size(OH_NN_DataType dtype) {
    static const uint8_t sizes[13] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
    return (unsigned)dtype < NNRT__COUNT_OF(sizes) ? sizes[(unsigned)dtype] : 0;
}

NNRT__FN const char *nnrt__dtype_name(OH_NN_DataType dtype) {
    static const char *const names[13] = {"unknown", "bool",   "int8",   "int16",   "int32",   "int64",  "uint8",
                                          "uint16",  "uint32", "uint64", "float16", "float32", "float64"};
    return (unsigned)dtype < NNRT__COUNT_OF(names) ? names[(unsigned)dtype] : "no data type";
}

#endif /* NNRT_CORE_ERROR_H */
