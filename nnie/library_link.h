/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/library_link.h - the vendor's libraries linked into the program; a piece of library.h.   >>nnie_library_link

   The functions are declared under names of nnrt's own that stand for the vendor's symbols, so that the vendor's
   headers can be included as well. Those of the media system are weak: nnie.init_sys alone needs them. */
#ifndef NNRT_NNIE_LIBRARY_LINK_H
#define NNRT_NNIE_LIBRARY_LINK_H

#if !defined(__GNUC__) && !defined(__clang__)
#error "nnrt: NNRT_NNIE_LINK needs a compiler with weak symbols, GCC or clang"
#endif

#define NNRT__NNIE_STRONG(symbol, slot, parameters) int32_t nnrt__nnie_link_##slot parameters __asm__(#symbol);
#define NNRT__NNIE_WEAK(symbol, slot, parameters) \
    int32_t nnrt__nnie_link_##slot parameters __asm__(#symbol) __attribute__((weak));

#ifdef __cplusplus
extern "C" {
#endif

NNRT__NNIE_FUNCTIONS(NNRT__NNIE_STRONG)
NNRT__MMZ_FUNCTIONS(NNRT__NNIE_STRONG)
NNRT__NNIE_MEDIA_FUNCTIONS(NNRT__NNIE_WEAK)
/* A stand-in for the vendor's library has it, and reports its simulated board. */
const char *nnrt__nnie_link_node(void) __asm__("nnrt_nnie_node") __attribute__((weak));

#ifdef __cplusplus
}
#endif

#define NNRT__NNIE_TAKE(symbol, slot, parameters) to->slot = nnrt__nnie_link_##slot;

NNRT__FN void nnrt__mmz_link(nnrt__mmz *to) { NNRT__MMZ_FUNCTIONS(NNRT__NNIE_TAKE); }

NNRT__FN OH_NN_ReturnCode nnrt__nnie_library_open(nnrt__nnie_library *library) {
    nnrt__nnie_api *to = &library->api;
    const char *(*node)(void) = nnrt__nnie_link_node;
    nnrt__nnie_set_node(library, node != NULL ? node() : NULL);
    nnrt__format(library->name, sizeof(library->name), "the program");
    NNRT__NNIE_FUNCTIONS(NNRT__NNIE_TAKE)
    NNRT__NNIE_MEDIA_FUNCTIONS(NNRT__NNIE_TAKE)
    nnrt__mmz_link(&to->mmz);
    return OH_NN_SUCCESS;
}

#undef NNRT__NNIE_TAKE
#undef NNRT__NNIE_STRONG
#undef NNRT__NNIE_WEAK

#endif /* NNRT_NNIE_LIBRARY_LINK_H */
