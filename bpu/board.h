/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/board.h - which BPU a Horizon board has, according to its system.   >>bpu_board

   Boards describe themselves in words for people ("D-Robotics RDK S100 V0P5", "x5u"), in a file that differs between
   releases of the system; one word is the name of the chip. Without it the BPU is unknown and not compared with
   files. */
#ifndef NNRT_BPU_BOARD_H
#define NNRT_BPU_BOARD_H

#include <fcntl.h>
#include <unistd.h>

#include "march.h"

NNRT__FN char nnrt__bpu_lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

NNRT__FN bool nnrt__bpu_is_letter(char c) { return nnrt__bpu_lower(c) >= 'a' && nnrt__bpu_lower(c) <= 'z'; }

NNRT__FN bool nnrt__bpu_is_of_word(char c) { return nnrt__bpu_is_letter(c) || (c >= '0' && c <= '9'); }

/* Whether the word of length characters is the chip, or a variant with one more letter. */
NNRT__FN bool nnrt__bpu_is_chip(const char *word, size_t length, const char *chip) {
    const size_t wanted = strlen(chip);
    size_t i;
    for (i = 0; i < wanted && i < length && nnrt__bpu_lower(word[i]) == chip[i]; i++) continue;
    return i == wanted && (length == wanted || (length == wanted + 1 && nnrt__bpu_is_letter(word[wanted])));
}

/* The march of the first word that is a chip; NULL: there is none, or text is NULL. */
NNRT__FN const nnrt__bpu_march *nnrt__bpu_march_of_board(const char *text) {
    static const struct {
        const char *chip, *march;
    } rows[] = {{"s100p", "nash-m"},  {"s100", "nash-e"},    {"s600", "nash-p"},
                {"x3", "bernoulli2"}, {"xj3", "bernoulli2"}, {"j5", "bayes"},
                {"ultra", "bayes"},   {"rdkultra", "bayes"}, {"x5", "bayes-e"}};
    size_t i;
    while (text != NULL && *text != '\0') {
        size_t length = 0;
        while (nnrt__bpu_is_of_word(text[length])) length++;
        for (i = 0; i < NNRT__COUNT_OF(rows); i++)
            if (nnrt__bpu_is_chip(text, length, rows[i].chip))
                return nnrt__bpu_march_named(rows[i].march, strlen(rows[i].march));
        text += length + (text[length] != '\0');
    }
    return NULL;
}

/* The first line of the file at path; "" when there is none. */
NNRT__FN void nnrt__bpu_read_line(const char *path, char *text, size_t size) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? read(fd, text, size - 1) : -1;
    if (fd >= 0) (void)close(fd);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

/* Only board_type says S100P, so it is read first. NULL: no file says. */
NNRT__FN const nnrt__bpu_march *nnrt__bpu_march_of_system(void) {
    static const char *const files[] = {"/sys/class/boardinfo/board_type", "/sys/class/boardinfo/soc_name",
                                        "/sys/class/socinfo/soc_name", "/proc/device-tree/model"};
    const nnrt__bpu_march *march = NULL;
    char text[128];
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(files) && march == NULL; i++) {
        nnrt__bpu_read_line(files[i], text, sizeof(text));
        march = nnrt__bpu_march_of_board(text);
    }
    return march;
}

/* Alignment in bytes of rows of pictures and of strides that the program chooses. march NULL: the largest of all. */
NNRT__FN uint32_t nnrt__bpu_row_alignment(bool is_ucp, const nnrt__bpu_march *march) {
    if (!is_ucp) return 16;
    return march != NULL && (strcmp(march->name, "nash-e") == 0 || strcmp(march->name, "nash-m") == 0) ? 32 : 64;
}

#endif /* NNRT_BPU_BOARD_H */
