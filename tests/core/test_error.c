/* SPDX-License-Identifier: Apache-2.0 */
/* test_error.c - the formatter of sentences against the C library's, and what it does that printf does not: names lose
   their middle, shapes are printed in one way. And the checksum that every plan is read for.

   Buffers are malloc'd to their exact size, so that a sanitizer sees the first byte behind them. */
#include "linked.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>

/* Formats with nnrt and with the C library into the same room and compares. */
#define SAME_AS_PRINTF(...)                                       \
    do {                                                          \
        char wanted[300];                                         \
        char *got = (char *)malloc(sizeof(wanted));               \
        snprintf(wanted, sizeof(wanted), __VA_ARGS__);            \
        nnrt__format(got, sizeof(wanted), __VA_ARGS__);           \
        cr_assert_str_eq(got, wanted, "%s, not %s", got, wanted); \
        free(got);                                                \
    } while (0)

Test(error, numbers_of_every_width_are_printed_as_printf_does) {
    SAME_AS_PRINTF("%d %d %d|", 0, INT_MIN, INT_MAX);
    SAME_AS_PRINTF("%ld %ld %ld|", 0L, LONG_MIN, LONG_MAX);
    SAME_AS_PRINTF("%lld %lld %lld|", 0LL, LLONG_MIN, LLONG_MAX);
    SAME_AS_PRINTF("%u %lu %llu %zu|", UINT_MAX, ULONG_MAX, ULLONG_MAX, SIZE_MAX);
    SAME_AS_PRINTF("%x %lx %llx %zx|", UINT_MAX, ULONG_MAX, ULLONG_MAX, SIZE_MAX);
    SAME_AS_PRINTF("%x %x %x|", 0u, 10u, 0xabcdu);
    SAME_AS_PRINTF("%zd %zd|", (ptrdiff_t)-1, (ptrdiff_t)PTRDIFF_MAX);
}

/* The argument behind a long one is read where it is: on 32 bits they have different sizes. */
Test(error, what_follows_a_wide_number_is_not_swallowed) {
    SAME_AS_PRINTF("%ld and %s", -7L, "more");
    SAME_AS_PRINTF("%lu of %lu: %s %c%%", 3UL, 4UL, "bytes", '!');
    SAME_AS_PRINTF("%llx%d%zu%s", 1ULL << 40, -3, (size_t)9, "");
}

Test(error, text_and_characters_are_printed_as_printf_does) {
    SAME_AS_PRINTF("%s|%c|%%|%s", "one", 'x', "");
    SAME_AS_PRINTF("%.60s|%.3s|%.0s|", "short", "abc", "");
}

Test(error, a_missing_string_says_so) {
    const char *volatile missing = NULL; /* the compiler knows better, too */
    char text[16];
    nnrt__format(text, sizeof(text), "%s", missing);
    cr_assert_str_eq(text, "(null)");
}

Test(error, a_text_is_cut_where_its_room_ends_and_always_terminated) {
    size_t size;
    for (size = 1; size < 40; size++) {
        char wanted[40];
        char *got = (char *)malloc(size);
        snprintf(wanted, size, "%s has %d of %lu %s", "a name", -12345, 678901UL, "numbers");
        nnrt__format(got, size, "%s has %d of %lu %s", "a name", -12345, 678901UL, "numbers");
        cr_assert_str_eq(got, wanted);
        free(got);
    }
}

/* Words of a length that moves every place where a sentence may be cut. */
static const char *words(char *text, size_t size, size_t first) {
    size_t used = 0, i;
    for (i = 0; used + 16 < size; i++) {
        const size_t length = i == 0 ? first : 3 + i % 7;
        memset(text + used, 'a' + (int)(i % 26), length);
        used += length;
        text[used++] = ' ';
    }
    text[used - 1] = '\0';
    return text;
}

/* Is every word of text one of whole, or the dots? */
static bool only_whole_words(const char *text, const char *whole) {
    char word[64], padded[1024];
    snprintf(padded, sizeof(padded), " %s (code -6000012) ", whole);
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        snprintf(word, sizeof(word), " %.*s ", (int)length, text);
        if (strcmp(word, " ... ") != 0 && strstr(padded, word) == NULL) return false;
        text += length + (text[length] == ' ');
    }
    return true;
}

Test(error, a_sentence_that_is_too_long_loses_words_of_its_middle_and_keeps_the_code) {
    char whole[600];
    size_t first, size;
    for (size = 200; size < 600; size += 23) {
        for (first = 1; first < 12; first++) {
            const char *sentence = words(whole, size, first);
            const size_t length = strlen(sentence) + strlen(" (code -6000012)");
            cr_assert_eq(nnrt__fail(OH_NN_FAILED, "%s (code %d)", sentence, -6000012), OH_NN_FAILED);
            cr_assert(only_whole_words(nnrt_last_error(), whole), "%zu, %zu: %s", size, first, nnrt_last_error());
            cr_assert_not_null(strstr(nnrt_last_error(), " (code -6000012)"), "%s", nnrt_last_error());
            cr_assert_eq(strncmp(nnrt_last_error(), sentence, 100), 0);
            cr_assert_eq(strstr(nnrt_last_error(), " ... ") != NULL, length >= NNRT__SENTENCE_SIZE);
            cr_assert(length < NNRT__SENTENCE_SIZE || strlen(nnrt_last_error()) > NNRT__SENTENCE_SIZE - 32);
            cr_assert_lt(strlen(nnrt_last_error()), NNRT__SENTENCE_SIZE);
        }
    }
}

/* A sentence about the sentence of another call, as deep as it comes. */
Test(error, a_sentence_in_a_sentence_keeps_the_code_too) {
    int i;
    (void)nnrt__fail(OH_NN_FAILED, "it does not work (code %d)", 7);
    for (i = 0; i < 40; i++) (void)nnrt__fail(OH_NN_FAILED, "part number %d of the model: %s", i, nnrt_last_error());
    cr_assert_eq(strncmp(nnrt_last_error(), "part number 39 of the model: ", 29), 0);
    cr_assert_not_null(strstr(nnrt_last_error(), " ... "));
    cr_assert_str_eq(nnrt_last_error() + strlen(nnrt_last_error()) - 8, "(code 7)");
}

Test(error, one_word_without_end_is_cut_all_the_same) {
    char word[600];
    memset(word, 'x', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    (void)nnrt__fail(OH_NN_FAILED, "%s", word);
    cr_assert_not_null(strstr(nnrt_last_error(), "xxx ...xxx"));
    cr_assert_lt(strlen(nnrt_last_error()), NNRT__SENTENCE_SIZE);
}

static char heard[1024];

static void hear(void *user, nnrt_log_level level, const char *text) {
    (void)user;
    (void)level;
    snprintf(heard, sizeof(heard), "%s", text);
}

Test(error, a_line_of_the_log_is_cut_like_a_sentence) {
    char whole[600];
    nnrt_set_log(hear, NULL);
    nnrt__log(NNRT_LOG_WARNING, "%s (code %d)", words(whole, sizeof(whole), 5), -6000012);
    nnrt_set_log(NULL, NULL);
    cr_assert(only_whole_words(heard, whole), "%s", heard);
    cr_assert_not_null(strstr(heard, " (code -6000012)"), "%s", heard);
}

Test(error, no_room_at_all_is_left_alone) {
    char text[2] = "x";
    nnrt__format(text, 0, "%s", "y");
    cr_assert_str_eq(text, "x");
}

Test(error, a_long_name_loses_its_middle_and_keeps_both_ends) {
    char name[300], text[400], wanted[400];
    size_t length;
    for (length = 55; length < 290; length++) {
        memset(name, 'm', sizeof(name));
        memcpy(name, "begin", 5);
        memcpy(name + length - 3, "end", 4);
        nnrt__format(text, sizeof(text), "\"%.60s\": the reason", name);
        if (length <= 60) {
            snprintf(wanted, sizeof(wanted), "\"%s\": the reason", name);
            cr_assert_str_eq(text, wanted);
        } else {
            cr_assert_eq(strlen(text), 60 + strlen("\"\": the reason"), "%s", text);
            cr_assert_eq(strncmp(text, "\"beginm", 7), 0, "%s", text);
            cr_assert_not_null(strstr(text, "mm...mm"));
            cr_assert_not_null(strstr(text, "mend\": the reason"));
        }
    }
}

Test(error, the_name_of_a_file_stays_when_its_path_is_cut) {
    char path[300], text[200];
    memset(path, 'd', sizeof(path));
    path[0] = '/';
    memcpy(path + 200, "/mobilenet_v2_1.0_224_quant.tflite", 35);
    nnrt__format(text, sizeof(text), "%.100s: no such file", path);
    cr_assert_not_null(strstr(text, "/mobilenet_v2_1.0_224_quant.tflite: no such file"), "%s", text);
    cr_assert_eq(text[0], '/');
}

/* Every byte of a name in another script is worth as much, but half a character is none. */
Test(error, no_character_of_utf_8_is_cut_in_two) {
    size_t shift;
    for (shift = 0; shift < 4; shift++) {
        char name[200] = "", text[100];
        size_t i, at = 0;
        for (i = 0; i < shift; i++) name[at++] = 'a';
        for (i = 0; i < 40; i++) at += (size_t)snprintf(name + at, 4, "\xe5\xb1\x82");
        nnrt__format(text, sizeof(text), "%.60s", name);
        cr_assert_leq(strlen(text), 60);
        cr_assert_geq(strlen(text), 55);
        for (i = 0; text[i] != '\0';) {
            if (text[i] != '\xe5') {
                cr_assert(text[i] == 'a' || text[i] == '.', "%s", text);
                i++;
            } else {
                cr_assert_eq(memcmp(text + i, "\xe5\xb1\x82", 3), 0, "%s", text);
                i += 3;
            }
        }
    }
}

Test(error, a_limit_below_the_dots_is_kept_too) {
    char text[16];
    nnrt__format(text, sizeof(text), "%.2s|%.3s|%.4s", "abcdef", "abcdef", "abcdef");
    cr_assert_str_eq(text, "..|...|...f");
}

Test(error, shapes_are_printed_in_one_way) {
    static const int32_t dims[4] = {1, 32, -1, 2147483647};
    nnrt__shape_text text;
    cr_assert_str_eq(nnrt__shape_print(&text, 4, dims), "[1,32,-1,2147483647]");
    cr_assert_str_eq(nnrt__shape_print(&text, 1, dims), "[1]");
    cr_assert_str_eq(nnrt__shape_print(&text, 0, NULL), "[]");
}

Test(error, a_shape_without_room_ends_in_dots) {
    int32_t dims[200];
    nnrt__shape_text *text = (nnrt__shape_text *)malloc(sizeof(*text));
    uint32_t rank, i;
    for (i = 0; i < 200; i++) dims[i] = -2147483647;
    for (rank = 0; rank <= 200; rank++) {
        const char *printed = nnrt__shape_print(text, rank, dims);
        const size_t length = strlen(printed);
        cr_assert_lt(length, sizeof(text->text));
        cr_assert_eq(printed[length - 1], ']');
        cr_assert_eq(strstr(printed, ",...]") != NULL, rank > 4, "%u: %s", rank, printed);
    }
    free(text);
}

/* ------------------------------------------------------------------------------------------------- CRC-32 */

/* Bit by bit, as the polynomial says. */
static uint32_t crc_reference(uint32_t crc, const uint8_t *bytes, size_t size) {
    size_t i, bit;
    crc = ~crc;
    for (i = 0; i < size; i++)
        for (crc ^= bytes[i], bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    return ~crc;
}

/* What words are there for; PCLMULQDQ may stand before it in nnrt__crc32. */
static uint32_t crc_by_words(uint32_t crc, const uint8_t *bytes, size_t size) {
    uint32_t sum = ~crc;
    size_t done = 0;
#ifdef NNRT_CORE_PLATFORM_CRC_WORDS_H
    done = nnrt__crc32_words(&sum, bytes, size);
#endif
    return ~nnrt__crc32_nibbles(sum, bytes + done, size - done);
}

Test(crc32, is_that_of_ieee_802_3) { cr_assert_eq(nnrt__crc32(0, "123456789", 9), 0xcbf43926u); }

#ifdef NNRT_CORE_PLATFORM_CRC_X86_WIDE_H
/* Ways that nnrt__crc32 does not take where there is a wider one, or for so few bytes. */
static bool crc_by(size_t (*way)(uint32_t *, const uint8_t *, size_t), size_t least, uint32_t start,
                   const uint8_t *bytes, size_t size, uint32_t wanted) {
    uint32_t sum = ~start;
    size_t done = 0;
    if (size >= least) done = way(&sum, bytes, size);
    return ~nnrt__crc32_nibbles(sum, bytes + done, size - done) == wanted;
}

static void expect_x86(uint32_t start, const uint8_t *bytes, size_t size, uint32_t wanted) {
    if (__builtin_cpu_supports("pclmul")) cr_assert(crc_by(nnrt__crc32_pclmul, 64, start, bytes, size, wanted));
    if (!__builtin_cpu_supports("vpclmulqdq")) return;
    if (__builtin_cpu_supports("avx2")) cr_assert(crc_by(nnrt__crc32_pclmul_256, 128, start, bytes, size, wanted));
    if (__builtin_cpu_supports("avx512f")) cr_assert(crc_by(nnrt__crc32_pclmul_512, 256, start, bytes, size, wanted));
}
#else
static void expect_x86(uint32_t start, const uint8_t *bytes, size_t size, uint32_t wanted) {
    (void)start;
    (void)bytes;
    (void)size;
    (void)wanted;
}
#endif

Test(crc32, every_way_gives_the_sum_of_its_polynomial_for_every_size_start_and_address) {
    size_t size, skew, i;
    for (size = 0; size < 1100; size += size < 300 ? 1 : 7) {
        for (skew = 0; skew < 9; skew += 1 + size % 3) {
            uint8_t *block = (uint8_t *)malloc(size + skew), *bytes = block + skew;
            const uint32_t start = (uint32_t)(size * 2654435761u);
            uint32_t wanted;
            for (i = 0; i < size; i++) bytes[i] = (uint8_t)((i * 167 + size * 59 + skew) >> (i % 3));
            wanted = crc_reference(start, bytes, size);
            cr_assert_eq(nnrt__crc32(start, bytes, size), wanted, "%zu bytes at %zu", size, skew);
            cr_assert_eq(crc_by_words(start, bytes, size), wanted, "%zu bytes at %zu", size, skew);
            cr_assert_eq(nnrt__crc32(nnrt__crc32(start, bytes, size / 3), bytes + size / 3, size - size / 3), wanted);
            expect_x86(start, bytes, size, wanted);
            free(block);
        }
    }
}
