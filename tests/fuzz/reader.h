/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - the bytes of an input, one after the other; behind the last they are zeros. */
#ifndef NNRT_TESTS_FUZZ_READER_H
#define NNRT_TESTS_FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

typedef struct reader {
    const uint8_t *data;
    size_t size;
} reader;

static uint32_t take(reader *r) {
    if (r->size == 0) return 0;
    r->size--;
    return *r->data++;
}

static uint32_t take_word(reader *r) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++) word |= take(r) << 8 * i;
    return word;
}

#endif /* NNRT_TESTS_FUZZ_READER_H */
