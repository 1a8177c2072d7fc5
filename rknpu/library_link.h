/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/library_link.h - the runtime library linked into the program; a piece of library.h.   >>rknpu_library_link

   The functions are declared under names of nnrt's own that stand for the vendor's symbols, so that the vendor's
   headers can be included as well. Essential functions are strong references, so that -lrknnmrt extracts them from
   librknnmrt.a; the rest are weak, so that a library that lacks a function links. A weak reference extracts nothing
   from an archive: if nnrt lacks a function that a librknnmrt.a has, link it between -Wl,--whole-archive and
   -Wl,--no-whole-archive. */
#ifndef NNRT_RKNPU_LIBRARY_LINK_H
#define NNRT_RKNPU_LIBRARY_LINK_H

#if !defined(__GNUC__) && !defined(__clang__)
#error "nnrt: NNRT_RKNPU_LINK needs a compiler with weak symbols, GCC or clang"
#endif

#define NNRT__RKNN_NEEDED(symbol) __asm__(symbol)
#define NNRT__RKNN_OPTIONAL(symbol) __asm__(symbol) __attribute__((weak))

#ifdef __cplusplus
extern "C" {
#endif

#define NNRT__RKNN_DECLARE(symbol, slot, result, parameters, need) \
    result nnrt__rknn_link_##slot parameters NNRT__RKNN_##need(#symbol);
NNRT__RKNN_FUNCTIONS(NNRT__RKNN_DECLARE)
#undef NNRT__RKNN_DECLARE
int nnrt__rknn_link_set_input_shape(nnrt_rknn_context context, nnrt_rknn_tensor_attr *attr)
    NNRT__RKNN_OPTIONAL("rknn_set_input_shape");
int nnrt__rknn_link_matmul_create_dyn_shape(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                            nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[])
    NNRT__RKNN_OPTIONAL("rknn_matmul_create_dyn_shape");
/* A stand-in for the vendor's library has it, and reports its simulated board. */
const char *nnrt__rknn_link_node(void) NNRT__RKNN_OPTIONAL("nnrt_rknpu_node");
const char *nnrt__rknn_link_chip(void) NNRT__RKNN_OPTIONAL("nnrt_rknpu_chip");

#ifdef __cplusplus
}
#endif

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_open(nnrt__rknpu_library *library) {
    nnrt__rknn_api *api = &library->api;
    const char *(*node)(void) = nnrt__rknn_link_node;
    const char *(*chip)(void) = nnrt__rknn_link_chip;
    int (*set_input_shape)(nnrt_rknn_context, nnrt_rknn_tensor_attr *) = nnrt__rknn_link_set_input_shape;
    nnrt__rknn_probe probe;
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "the linked runtime");
#define NNRT__RKNN_TAKE(symbol, slot, result, parameters, need) api->slot = nnrt__rknn_link_##slot;
    NNRT__RKNN_FUNCTIONS(NNRT__RKNN_TAKE)
#undef NNRT__RKNN_TAKE
    probe.set_input_shape = set_input_shape != NULL;
    probe.matmul_create_dyn_shape = nnrt__rknn_link_matmul_create_dyn_shape;
    return nnrt__rknpu_library_finish(library, &probe, node != NULL ? node() : NULL, chip != NULL ? chip() : NULL);
}

#undef NNRT__RKNN_NEEDED
#undef NNRT__RKNN_OPTIONAL

#endif /* NNRT_RKNPU_LIBRARY_LINK_H */
