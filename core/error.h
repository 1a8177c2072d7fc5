/* SPDX-License-Identifier: Apache-2.0 */
/* core/error.h - how a call fails: one code for the program, one sentence for the human.   >>error

   nnrt__fail() is the only way to fail: one line to break on. The sentence is kept per thread, so that two threads
   never mix theirs; this buffer, the tally of platform_memory.h (also per thread), the log (log.h) and the device
   registry are the only writable data of the library.

   Text from a file or the program is truncated so that the reason after it always fits: names with %.60s, paths with
   %.100s. A sentence that is still too long, such as one inside another, has words in its middle replaced by "...",
   because it begins with what failed and ends with the vendor's code. A sentence that compares shows both sides, shapes
   by nnrt__shape_print().

   With NNRT_NO_SENTENCES only the code remains: the compiler checks sentence and arguments, but they are never
   evaluated and not part of the program. */
#ifndef NNRT_CORE_ERROR_H
#define NNRT_CORE_ERROR_H

#include "platform.h"

#ifndef NNRT_NO_SENTENCES
#define NNRT__SENTENCE_SIZE 256
#else
#define NNRT__SENTENCE_SIZE 1 /* always "" */
#endif

/* Room for digits of 64 bits and a sign. */
#define NNRT__DIGITS_SIZE 24

/* Writes the number at the end of digits (NNRT__DIGITS_SIZE bytes); returns where it begins. */
NNRT__FN size_t nnrt__format_number(char *digits, unsigned long long value, bool negative, unsigned base) {
    size_t at = NNRT__DIGITS_SIZE;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    if (negative) digits[--at] = '-';
    return at;
}

/* Destination of a text: its bytes from skip on, as many as fit. */
typedef struct nnrt__format_to {
    char *buffer;
    size_t size; /* of buffer; at least 1, for the terminating 0 */
    size_t skip;
    size_t used; /* of the whole text, including what is skipped or does not fit */
} nnrt__format_to;

/* Appends length bytes of piece. */
NNRT__FN void nnrt__format_append(nnrt__format_to *to, const char *piece, size_t length) {
    size_t i;
    for (i = 0; i < length; i++, to->used++)
        if (to->used >= to->skip && to->used - to->skip < to->size - 1) to->buffer[to->used - to->skip] = piece[i];
}

/* Appends at most `most` bytes of text. A longer one has its middle replaced by "...", because names and paths differ
   at their beginnings and ends. UTF-8 characters are not split. */
NNRT__FN void nnrt__format_cut(nnrt__format_to *to, const char *text, size_t most) {
    const size_t length = strlen(text), dots = most < 3 ? most : 3;
    size_t head = (most - dots) / 3, tail = most - dots - head;
    if (length <= most) {
        nnrt__format_append(to, text, length);
        return;
    }
    while (head > 0 && ((uint8_t)text[head] & 0xc0) == 0x80) head--;
    while (tail > 0 && ((uint8_t)text[length - tail] & 0xc0) == 0x80) tail--;
    nnrt__format_append(to, text, head);
    nnrt__format_append(to, "...", dots);
    nnrt__format_append(to, text + length - tail, tail);
}

/* Writes text, from its byte skip on, to buffer (size bytes, always terminated, truncated when full), and returns the
   length of the whole. The part of printf that sentences need, without stdio: %d %u %x, also with l, ll or z (%zd: as
   wide as size_t); %s, %.Ns (see nnrt__format_cut); %c %%. A NULL string prints as "(null)". Anything else ends the
   text: its argument could not be skipped. */
NNRT__FN NNRT__PRINTF(4, 0) size_t
    nnrt__format_list(char *buffer, size_t size, size_t skip, const char *text, va_list arguments) {
    nnrt__format_to to;
    to.buffer = buffer;
    to.size = size;
    to.skip = skip;
    to.used = 0;
    if (size == 0) return 0;
    for (; *text != '\0'; text++) {
        char digits[NNRT__DIGITS_SIZE];
        unsigned longs = 0;
        size_t most = SIZE_MAX;
        if (*text != '%') {
            nnrt__format_append(&to, text, 1);
            continue;
        }
        text++;
        if (*text == '.')
            for (most = 0, text++; *text >= '0' && *text <= '9'; text++) most = most * 10 + (size_t)(*text - '0');
        for (; *text == 'l' || *text == 'z'; text++) longs += *text == 'z' ? 3 : 1;
        if (*text == 's') {
            const char *piece = va_arg(arguments, const char *);
            nnrt__format_cut(&to, piece != NULL ? piece : "(null)", most);
        } else if (*text == 'c' || *text == '%') {
            digits[0] = *text == 'c' ? (char)va_arg(arguments, int) : '%';
            nnrt__format_append(&to, digits, 1);
        } else if (*text == 'd') {
            const long long number = longs == 0   ? va_arg(arguments, int)
                                     : longs == 1 ? va_arg(arguments, long)
                                     : longs == 2 ? va_arg(arguments, long long)
                                                  : (long long)va_arg(arguments, ptrdiff_t);
            const unsigned long long value =
                number < 0 ? 0ull - (unsigned long long)number : (unsigned long long)number;
            const size_t at = nnrt__format_number(digits, value, number < 0, 10);
            nnrt__format_append(&to, digits + at, sizeof(digits) - at);
        } else if (*text == 'u' || *text == 'x') {
            const unsigned long long value = longs == 0   ? va_arg(arguments, unsigned)
                                             : longs == 1 ? va_arg(arguments, unsigned long)
                                             : longs == 2 ? va_arg(arguments, unsigned long long)
                                                          : va_arg(arguments, size_t);
            const size_t at = nnrt__format_number(digits, value, false, *text == 'x' ? 16 : 10);
            nnrt__format_append(&to, digits + at, sizeof(digits) - at);
        } else {
            break;
        }
    }
    buffer[to.used < skip ? 0 : to.used - skip < size - 1 ? to.used - skip : size - 1] = '\0';
    return to.used;
}

NNRT__FN NNRT__PRINTF(3, 4) void nnrt__format(char *buffer, size_t size, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    (void)nnrt__format_list(buffer, size, 0, text, arguments);
    va_end(arguments);
}

#define NNRT__SENTENCE_TAIL 80 /* bytes at the end of a too long sentence, with the terminating 0 */

/* buffer (size bytes) is full of the beginning of a text whose end is tail: joins both with "..." in the middle,
   cutting between words. May overwrite tail. */
NNRT__FN void nnrt__format_join(char *buffer, size_t size, const char *tail) {
    const char *word = strchr(tail, ' ');
    const size_t length = strlen(word != NULL ? word : tail);
    size_t head = size - sizeof(" ...") - length;
    const size_t most = head;
    while (head > 0 && buffer[head] != ' ') head--;
    if (head == 0) head = most; /* one long word */
    memcpy(buffer + head, " ...", 4);
    memcpy(buffer + head + 4, word != NULL ? word : tail, length + 1);
}

NNRT__FN char *nnrt__sentence(void) {
    static NNRT__THREAD_LOCAL char sentence[NNRT__SENTENCE_SIZE];
    return sentence;
}

#ifndef NNRT_NO_SENTENCES
/* Copies a sentence (NNRT__SENTENCE_SIZE bytes), to save and restore the current one. */
NNRT__FN void nnrt__sentence_copy(char *to, const char *from) { memcpy(to, from, NNRT__SENTENCE_SIZE); }

/* Sets the sentence of nnrt_last_error() and returns code. An argument may be the current sentence. */
NNRT__FN NNRT__PRINTF(2, 3) OH_NN_ReturnCode nnrt__fail(OH_NN_ReturnCode code, const char *text, ...) {
    char sentence[NNRT__SENTENCE_SIZE], tail[NNRT__SENTENCE_TAIL];
    size_t length;
    va_list arguments;
    va_start(arguments, text);
    length = nnrt__format_list(sentence, sizeof(sentence), 0, text, arguments);
    va_end(arguments);
    if (length >= sizeof(sentence)) {
        va_start(arguments, text);
        (void)nnrt__format_list(tail, sizeof(tail), length - (sizeof(tail) - 1), text, arguments);
        va_end(arguments);
        nnrt__format_join(sentence, sizeof(sentence), tail);
    }
    memcpy(nnrt__sentence(), sentence, sizeof(sentence));
    return code;
}

/* nnrt__format for a part of a sentence. */
#define nnrt__say(buffer, size, ...) nnrt__format(buffer, size, __VA_ARGS__)

/* Sends one line to the program's log callback (core/log.h). */
NNRT__FN NNRT__PRINTF(2, 3) void nnrt__log(nnrt_log_level level, const char *text, ...);
#else
NNRT__FN void nnrt__sentence_copy(char *to, const char *from) {
    (void)to;
    (void)from;
}

/*@ assigns \nothing;
    ensures \result == code; */
NNRT__FN OH_NN_ReturnCode nnrt__fail_code(OH_NN_ReturnCode code) { return code; }
NNRT__FN NNRT__PRINTF(2, 3) OH_NN_ReturnCode nnrt__fail_unsaid(OH_NN_ReturnCode code, const char *text, ...) {
    (void)text;
    return code;
}
NNRT__FN NNRT__PRINTF(2, 3) void nnrt__log_unsaid(nnrt_log_level level, const char *text, ...) {
    (void)level;
    (void)text;
}
#define nnrt__fail(code, ...) (0 ? nnrt__fail_unsaid(code, __VA_ARGS__) : nnrt__fail_code(code))
#define nnrt__say(buffer, size, ...) (0 ? nnrt__format(buffer, size, __VA_ARGS__) : (void)(*(buffer) = '\0'))
#define nnrt__log(level, ...) (0 ? nnrt__log_unsaid(level, __VA_ARGS__) : (void)0)
#endif

NNRT__FN OH_NN_ReturnCode nnrt__fail_memory(void) { return nnrt__fail(OH_NN_MEMORY_ERROR, "out of memory"); }

/* Bytes of one element; 0 for OH_NN_UNKNOWN and anything that is no data type. */
/*@ assigns \nothing;
    ensures \result == 0 || \result == 1 || \result == 2 || \result == 4 || \result == 8; */
NNRT__FN size_t nnrt__element_size(OH_NN_DataType dtype) {
    static const uint8_t sizes[13] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
    return (unsigned)dtype < NNRT__COUNT_OF(sizes) ? sizes[(unsigned)dtype] : 0;
}

NNRT__FN const char *nnrt__dtype_name(OH_NN_DataType dtype) {
    static const char *const names[13] = {"unknown", "bool",   "int8",   "int16",   "int32",   "int64",  "uint8",
                                          "uint16",  "uint32", "uint64", "float16", "float32", "float64"};
    return (unsigned)dtype < NNRT__COUNT_OF(names) ? names[(unsigned)dtype] : "no data type";
}

/* Room for a shape as text. */
typedef struct nnrt__shape_text {
    char text[64];
} nnrt__shape_text;

/* Writes rank dimensions, "[1,32,20,1]" or "[]", to to->text and returns it; what does not fit becomes "...". */
NNRT__FN const char *nnrt__shape_print(nnrt__shape_text *to, uint32_t rank, const int32_t *dims) {
    const size_t room = sizeof(to->text) - sizeof(",...]"); /* for what ends it at any time */
    size_t used = 0;
    uint32_t i;
    to->text[used++] = '[';
    for (i = 0; i < rank; i++) {
        char one[16];
        size_t length;
        nnrt__format(one, sizeof(one), "%s%d", i != 0 ? "," : "", (int)dims[i]);
        length = strlen(one);
        if (length > room - used) {
            memcpy(to->text + used, ",...", 4);
            used += 4;
            break;
        }
        memcpy(to->text + used, one, length);
        used += length;
    }
    to->text[used++] = ']';
    to->text[used] = '\0';
    return to->text;
}

/* Room for a fractional number as text. */
typedef struct nnrt__real_text {
    char text[24];
} nnrt__real_text;

/* Writes a positive number with six digits, "7.62939e-6" ("5e-2" for 0.05), to to->text and returns it. For sentences,
   without stdio: the last digit may be off by one. */
NNRT__FN const char *nnrt__real_print(nnrt__real_text *to, double value) {
    char digits[8];
    int exponent = 0, last = 6;
    if (!(value > 1e-300) || value > 1e300) {
        nnrt__format(to->text, sizeof(to->text), "%s", value > 1.0 ? "infinite" : "0");
        return to->text;
    }
    while (value >= 9.999995) value /= 10.0, exponent++;
    while (value < 0.9999995) value *= 10.0, exponent--;
    nnrt__format(digits, sizeof(digits), "%d", (int)(value * 100000.0 + 0.5));
    while (last > 1 && digits[last - 1] == '0') last--;
    digits[last] = '\0';
    nnrt__format(to->text, sizeof(to->text), "%c%s%s", digits[0], last > 1 ? "." : "", digits + 1);
    if (exponent != 0) {
        const size_t length = strlen(to->text);
        nnrt__format(to->text + length, sizeof(to->text) - length, "e%d", exponent);
    }
    return to->text;
}

#endif /* NNRT_CORE_ERROR_H */
