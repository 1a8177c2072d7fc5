/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/library_link.h - Horizon's libraries linked into the program; a piece of library.h.   >>bpu_library_link

   NNRT_BPU_LINK is the first number of the version that the program is linked with, 1 or 3: the two have different
   functions for running, so one program cannot be linked with both. Functions are declared under names of nnrt's own
   that stand for the vendor's symbols, so that the vendor's headers can be included as well; those that some releases
   lack are weak. */
#ifndef NNRT_BPU_LIBRARY_LINK_H
#define NNRT_BPU_LIBRARY_LINK_H

#if (NNRT_BPU_LINK + 0) != 1 && (NNRT_BPU_LINK + 0) != 3
#error "nnrt: NNRT_BPU_LINK is 1 (libdnn of X3, J5, X5) or 3 (libdnn and libhbucp of S100, S600)"
#endif
#if !defined(__GNUC__) && !defined(__clang__)
#error "nnrt: NNRT_BPU_LINK needs a compiler with weak symbols, GCC or clang"
#endif

#define NNRT__BPU_STRONG(symbol, slot, result, parameters) result nnrt__bpu_link_##slot parameters __asm__(#symbol);
#define NNRT__BPU_WEAK(symbol, slot, result, parameters) \
    result nnrt__bpu_link_##slot parameters __asm__(#symbol) __attribute__((weak));

#ifdef __cplusplus
extern "C" {
#endif

NNRT__BPU_SHARED_SYMBOLS(NNRT__BPU_STRONG)
/* A stand-in for the vendor's library has it, and reports its simulated board. */
NNRT__BPU_WEAK(nnrt_bpu_chip, chip, const char *, (void))

#if (NNRT_BPU_LINK + 0) == 1
NNRT__BPU_DNN_SYMBOLS(NNRT__BPU_STRONG)
NNRT__BPU_DNN_OPTIONAL(NNRT__BPU_WEAK)
#define NNRT__BPU_LINKED(X) NNRT__BPU_SHARED_SYMBOLS(X) NNRT__BPU_DNN_SYMBOLS(X) NNRT__BPU_DNN_OPTIONAL(X)
#else
NNRT__BPU_UCP_SYMBOLS(NNRT__BPU_STRONG)
NNRT__BPU_UCP_OPTIONAL(NNRT__BPU_WEAK)
#define NNRT__BPU_LINKED(X) NNRT__BPU_SHARED_SYMBOLS(X) NNRT__BPU_UCP_SYMBOLS(X) NNRT__BPU_UCP_OPTIONAL(X)
#endif

#ifdef __cplusplus
}
#endif

NNRT__FN OH_NN_ReturnCode nnrt__bpu_library_open(nnrt__bpu_library *library) {
    nnrt__bpu_api *api = &library->api;
    const char *(*chip)(void) = nnrt__bpu_link_chip;
    OH_NN_ReturnCode code;
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "the program");
    nnrt__format(library->stand_in, sizeof(library->stand_in), "%s", chip != NULL ? chip() : "");
#define NNRT__BPU_TAKE(symbol, slot, result, parameters) api->slot = nnrt__bpu_link_##slot;
    NNRT__BPU_LINKED(NNRT__BPU_TAKE)
#undef NNRT__BPU_TAKE
    code = nnrt__bpu_find_layout(library);
    if (code == OH_NN_SUCCESS && library->layout->major != (NNRT_BPU_LINK + 0))
        code = nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "NNRT_BPU_LINK is %d, and the program is linked with version %.40s",
                          NNRT_BPU_LINK + 0, library->version);
    return code;
}

#undef NNRT__BPU_LINKED
#undef NNRT__BPU_STRONG
#undef NNRT__BPU_WEAK

#endif /* NNRT_BPU_LIBRARY_LINK_H */
