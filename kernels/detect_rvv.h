/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/detect_rvv.h - whether this processor, with its Linux, has RISC-V's vector extension 1.0.

   Linux tells of it since 6.5, by riscv_hwprobe and, as it did for a processor's name for it before, by the letter V of
   the auxiliary vector. Older kernels of processors with the draft 0.7 (T-Head C906, C910) set the letter, too: the
   processor is asked for a vector of the final version then, of which the draft knows nothing. A system can keep
   programs from vectors (/proc/sys/abi/riscv_v_default_allow); Linux says so to who asks. */
#ifndef NNRT_KERNELS_DETECT_RVV_H
#define NNRT_KERNELS_DETECT_RVV_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "compiler.h"
#include "isas.h"

/* What Linux answers. */
typedef struct nnrt__rvv_told {
    long probed;            /* of riscv_hwprobe: 0, or an error: the kernel has no such call, or refuses it */
    uint64_t extensions;    /* RISCV_HWPROBE_KEY_IMA_EXT_0 */
    unsigned long letters;  /* AT_HWCAP */
    long control;           /* of prctl(PR_RISCV_V_GET_CONTROL), or an error */
    bool (*is_final)(void); /* asks the processor; called only if it has vectors of some version */
} nnrt__rvv_told;

/* Without the C library: old ones have no numbers of these calls, and hide syscall() in some modes. */
NNRT__FN long nnrt__rvv_call(long number, long first, long second, long third) {
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = first;
    register long a1 __asm__("a1") = second;
    register long a2 __asm__("a2") = third;
    register long a3 __asm__("a3") = 0;
    register long a4 __asm__("a4") = 0;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4) : "memory");
    return a0;
}

/* Agnostic tails and masks: bits of vtype that the draft does not have, and which make it invalid there, below 0. */
NNRT__TARGET_RVV NNRT__NOINLINE bool nnrt__rvv_is_final(void) {
    long length, type;
    __asm__ volatile("vsetvli %0, zero, e8, m1, ta, ma\n\tcsrr %1, vtype" : "=r"(length), "=r"(type) : : "vl", "vtype");
    return length >= 16 && type >= 0;
}

NNRT__FN bool nnrt__rvv_is_there(const nnrt__rvv_told *told) {
    if (told->control >= 0 && (told->control & 3) == 1) return false; /* PR_RISCV_V_VSTATE_CTRL_OFF */
    if (told->probed == 0) return (told->extensions >> 2 & 1) != 0;   /* RISCV_HWPROBE_IMA_V */
    return (told->letters >> ('V' - 'A') & 1) != 0 && told->is_final();
}

NNRT__FN nnrt__rvv_told nnrt__rvv_ask(void) {
    struct {
        int64_t key;
        uint64_t value;
    } pair = {4, 0};
    nnrt__rvv_told told;
    told.probed = nnrt__rvv_call(258, (long)(intptr_t)&pair, 1, 0);
    told.extensions = pair.key == 4 ? pair.value : 0; /* -1: the kernel does not know the key */
    told.letters = getauxval(16);
    told.control = nnrt__rvv_call(167, 70, 0, 0);
    told.is_final = nnrt__rvv_is_final;
    return told;
}

/* A dozen instructions and two system calls: once for a tensor, not for a row. */
NNRT__FN bool nnrt__rvv_is_here(void) {
    const nnrt__rvv_told told = nnrt__rvv_ask();
    return nnrt__rvv_is_there(&told);
}

#endif /* NNRT_KERNELS_DETECT_RVV_H */
