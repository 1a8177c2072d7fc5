/* SPDX-License-Identifier: Apache-2.0 */
/* core/amount.h - numbers in extension configs, as "64M".   >>amount */
#ifndef NNRT_CORE_AMOUNT_H
#define NNRT_CORE_AMOUNT_H

#include "platform.h"

/* Reads a positive number of at most 15 digits, optionally followed by K, M, G or T, which multiply by base one to four
   times. false: the value is anything else. */
NNRT__FN bool nnrt__config_amount(const nnrt_config *config, uint32_t base, uint64_t *amount) {
    static const char suffixes[] = "KMGT";
    const char *text = (const char *)config->value;
    const uint64_t most = base == 1024 ? (uint64_t)1 << 50 : 1152921504606846u; /* 2^60 / base */
    size_t digits = 0, times = 0, size = config->size;
    if (size > 1 && text[size - 1] == '\0') size--;
    *amount = 0;
    for (; digits < size && digits < 15 && text[digits] >= '0' && text[digits] <= '9'; digits++)
        *amount = *amount * 10 + (uint64_t)(text[digits] - '0');
    if (digits == 0 || *amount == 0) return false;
    if (digits + 1 == size && text[digits] != '\0' && strchr(suffixes, text[digits]) != NULL)
        times = (size_t)(strchr(suffixes, text[digits]) - suffixes) + 1;
    else if (digits != size) return false;
    for (; times != 0; times--) {
        if (*amount > most) return false;
        *amount *= base;
    }
    return true;
}

#endif /* NNRT_CORE_AMOUNT_H */
