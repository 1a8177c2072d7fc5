/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_errors.c - every code of the vendor's headers becomes a code of OH_NN and a sentence with a cause, and
   every other number one that says that it is not known. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/log.h"
#include "nnie/mmz.h"

#include <criterion/criterion.h>

#include <stdio.h>

/* The longest name of a call that a sentence has room for. */
#define CALL "HI_MPI_SVP_NNIE_ForwardWithBbox"

/* The last byte of each code of hi_nnie.h. */
static const struct {
    uint32_t id;
    OH_NN_ReturnCode code;
    const char *cause; /* in the sentence */
} known[] = {{0x01, OH_NN_INVALID_PARAMETER, "no NNIE core of that number"},
             {0x02, OH_NN_INVALID_PARAMETER, "channel"},
             {0x03, OH_NN_INVALID_PARAMETER, "stride"},
             {0x04, OH_NN_FAILED, "registered already"},
             {0x05, OH_NN_FAILED, "does not know"},
             {0x06, OH_NN_NULL_PTR, "NULL"},
             {0x07, OH_NN_FAILED, "load the modules"},
             {0x08, OH_NN_UNSUPPORTED, "this chip's SDK"},
             {0x09, OH_NN_UNAVAILABLE_DEVICE, "GDC"},
             {0x0c, OH_NN_MEMORY_ERROR, "memory of the kernel"},
             {0x0d, OH_NN_MEMORY_ERROR, "no buffer"},
             {0x0e, OH_NN_FAILED, "empty"},
             {0x0f, OH_NN_UNAVAILABLE_DEVICE, "513 tasks"},
             {0x10, OH_NN_UNAVAILABLE_DEVICE, "/dev/nnie"},
             {0x11, OH_NN_INVALID_PARAMETER, "program's memory"},
             {0x12, OH_NN_UNAVAILABLE_DEVICE, "busy"},
             {0x40, OH_NN_TIMEOUT, "was reset"},
             {0x41, OH_NN_TIMEOUT, "50 seconds"},
             {0x42, OH_NN_FAILED, "instructions wrong"},
             {0x43, OH_NN_FAILED, "open a file"},
             {0x44, OH_NN_FAILED, "read a file"},
             {0x45, OH_NN_FAILED, "write a file"}};

/* The sentence of a code, whole: it begins with the call and ends with the code. */
static const char *sentence(uint32_t vendor_code, OH_NN_ReturnCode expected) {
    static char text[NNRT__SENTENCE_SIZE];
    char end[32];
    const OH_NN_ReturnCode code = nnrt__nnie_fail((int32_t)vendor_code, CALL);
    (void)snprintf(text, sizeof(text), "%s", nnrt__sentence());
    (void)snprintf(end, sizeof(end), " (code 0x%x)", (unsigned)vendor_code);
    cr_expect_eq(code, expected, "0x%x: %d", (unsigned)vendor_code, (int)code);
    cr_expect(strncmp(text, CALL ": ", sizeof(CALL) + 1) == 0, "%s", text);
    cr_expect(strlen(text) > strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0, "%s", text);
    return text;
}

Test(nnie_errors, every_code_of_the_header_has_a_code_and_a_cause) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(known); i++) {
        const char *text = sentence(0xa0338000u | known[i].id, known[i].code);
        cr_expect_not_null(strstr(text, known[i].cause), "\"%s\" is not in \"%s\"", known[i].cause, text);
        cr_expect_null(strstr(text, "does not know;"), "%s", text);
    }
}

Test(nnie_errors, no_sentence_is_cut_whatever_the_call_is_called) {
    static const char *const calls[] = {
        "HI_MPI_SVP_NNIE_ForwardWithBbox",
        "a call of the library's with a name that is longer than any that it has, or than there is room for at all"};
    size_t i, c;
    for (i = 0; i < NNRT__COUNT_OF(known); i++) {
        for (c = 0; c < NNRT__COUNT_OF(calls); c++) {
            char end[32];
            (void)nnrt__nnie_fail((int32_t)(0xa0338000u | known[i].id), calls[c]);
            (void)snprintf(end, sizeof(end), " (code 0x%x)", 0xa0338000u | known[i].id);
            cr_expect_null(strstr(nnrt__sentence(), " ... "), "%s", nnrt__sentence());
            cr_expect_str_eq(nnrt__sentence() + strlen(nnrt__sentence()) - strlen(end), end);
        }
    }
}

Test(nnie_errors, any_other_number_is_not_known_and_told) {
    static const uint32_t others[] = {0xa0338000u, 0xa0348003u, 0xa0028006u, 0xa0318003u, 0x20338003u,
                                      0xff000f01u, 0xffffffffu, 1u,          0x7fffffffu, 0x80000000u};
    uint32_t id, next = 0;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(others); i++)
        cr_expect_not_null(strstr(sentence(others[i], OH_NN_FAILED), "a reason that nnrt does not know"));
    for (id = 0; id < 0x2000; id++) {
        if (next < NNRT__COUNT_OF(known) && known[next].id == id) next++;
        else cr_expect_null(nnrt__nnie_error_find(0xa0338000u | id), "0x%x", (unsigned)id);
    }
    cr_expect_eq(next, NNRT__COUNT_OF(known));
}

Test(nnie_errors, no_two_codes_say_the_same) {
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(known); i++)
        for (k = 0; k < i; k++)
            cr_expect_str_neq(nnrt__nnie_error_find(0xa0338000u | known[i].id)->sentence,
                              nnrt__nnie_error_find(0xa0338000u | known[k].id)->sentence);
}

Test(nnie_errors, memory_that_is_not_there_is_told_with_its_size) {
    cr_expect_eq(nnrt__mmz_fail(89128960), OH_NN_MEMORY_ERROR);
    cr_expect_not_null(strstr(nnrt__sentence(), "no MMZ memory of 89128960 bytes"), "%s", nnrt__sentence());
    cr_expect_not_null(strstr(nnrt__sentence(), "/proc/media-mem"), "%s", nnrt__sentence());
}

/* A library of which the calls answer what it is told. */
static struct {
    int32_t code;
    uint64_t physical;
    void *address;
    int freed;
} told;

static int32_t told_allocate(uint64_t *physical, void **address, const char *name, const char *zone, uint32_t size) {
    (void)name;
    (void)zone;
    (void)size;
    *physical = told.physical;
    *address = told.address;
    return told.code;
}

static int32_t told_free(uint64_t physical, void *address) {
    cr_expect(physical == told.physical && address == told.address);
    told.freed++;
    return 0;
}

Test(nnie_errors, memory_is_there_when_the_library_says_so_and_gives_both_addresses) {
    static uint8_t byte;
    static const struct {
        int32_t code;
        uint64_t physical;
        void *address;
        int freed;
        OH_NN_ReturnCode expected;
    } rows[] = {{0, 0x80000000u, &byte, 0, OH_NN_SUCCESS},
                {0, 0x80000000u, NULL, 1, OH_NN_MEMORY_ERROR},
                {0, 0, &byte, 0, OH_NN_MEMORY_ERROR},
                {0, 0, NULL, 0, OH_NN_MEMORY_ERROR},
                {-1, 0x80000000u, &byte, 0, OH_NN_MEMORY_ERROR}};
    const nnrt__mmz mmz = {told_allocate, told_allocate, told_free, NULL};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        uint64_t physical = 1;
        void *address = &physical;
        told.code = rows[i].code;
        told.physical = rows[i].physical;
        told.address = rows[i].address;
        told.freed = 0;
        cr_expect_eq(nnrt__mmz_allocate(&mmz, "name", false, 64, &physical, &address), rows[i].expected, "row %zu", i);
        cr_expect_eq(told.freed, rows[i].freed, "row %zu", i);
        if (rows[i].expected == OH_NN_SUCCESS) cr_expect(physical == rows[i].physical && address == rows[i].address);
        else cr_expect(physical == 0 && address == NULL, "row %zu", i);
    }
}
