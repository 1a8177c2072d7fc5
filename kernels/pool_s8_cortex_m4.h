/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_s8_cortex_m4.h - max_pool_s8 for the DSP extension of Cortex-M4, M7 and M33. Contract: pool_s8_scalar.h.

   Four channels are a word: ssub8 compares their bytes, sel takes the larger ones. The last four channels are always
   done together, some of them again. */
#ifndef NNRT_KERNELS_POOL_S8_CORTEX_M4_H
#define NNRT_KERNELS_POOL_S8_CORTEX_M4_H

#include "cortex_m4.h"
#include "internal.h"
#include "pool_s8_scalar.h"

/* Of each byte the larger one, of int8. */
NNRT__INLINE uint32_t nnrt__cortex_m4_larger(uint32_t x, uint32_t y) {
    uint32_t z;
    __asm__("ssub8 %0, %1, %2\n\tsel %0, %1, %2" : "=&r"(z) : "r"(x), "r"(y) : "cc");
    return z;
}

NNRT__INLINE uint32_t nnrt__cortex_m4_smaller(uint32_t x, uint32_t y) {
    uint32_t z;
    __asm__("ssub8 %0, %1, %2\n\tsel %0, %2, %1" : "=&r"(z) : "r"(x), "r"(y) : "cc");
    return z;
}

NNRT__FN void nnrt__max_pool_s8_cortex_m4(const nnrt__pool_s8_args *args) {
    const uint32_t low = (uint8_t)args->clamp_min * 0x01010101u, high = (uint8_t)args->clamp_max * 0x01010101u;
    const size_t channels = args->channels;
    size_t channel, first, row, column;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    if (channels < 4) {
        nnrt__max_pool_s8_scalar(args);
        return;
    }
    for (channel = 0; channel < channels; channel += 4) {
        uint32_t most = low;
        first = channels - channel < 4 ? channels - 4 : channel;
        for (row = 0; row < args->rows; row++) {
            const int8_t *in = args->in + row * args->row_stride + first;
            for (column = args->columns; column != 0; column--, in += channels)
                most = nnrt__cortex_m4_larger(most, nnrt__cortex_m4_load(in));
        }
        most = nnrt__cortex_m4_smaller(most, high);
        memcpy(args->out + first, &most, sizeof most);
    }
}

NNRT__FN void nnrt__max_pool_s8_cortex_m4_install(nnrt__cpu_table *t) {
    t->max_pool_s8 = nnrt__max_pool_s8_cortex_m4;
    t->max_pool_s8_isa = nnrt__isa_name_CORTEX_M4;
}

#endif /* NNRT_KERNELS_POOL_S8_CORTEX_M4_H */
