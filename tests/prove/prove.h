/* SPDX-License-Identifier: Apache-2.0 */
/* prove.h - what the proofs believe of the C library: memchr looks at n bytes and at nothing else. Frama-C's own
   contract speaks of bytes that were written, which its provers cannot follow. */
#ifndef NNRT_TESTS_PROVE_H
#define NNRT_TESTS_PROVE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*@ requires \valid_read((const uint8_t *)bytes + (0 .. size - 1));
    assigns \nothing; */
const void *prove_memchr(const void *bytes, int wanted, size_t size);

#define memchr prove_memchr

#endif /* NNRT_TESTS_PROVE_H */
