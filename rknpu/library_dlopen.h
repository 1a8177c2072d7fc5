/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/library_dlopen.h - finds the runtime library at run time; a piece of library.h.   >>rknpu_library_dlopen

   NNRT_RKNPU_LIBRARY in the environment names the library, and then only that one is tried. A static program wants
   NNRT_RKNPU_LINK. */
#ifndef NNRT_RKNPU_LIBRARY_DLOPEN_H
#define NNRT_RKNPU_LIBRARY_DLOPEN_H

#include "../npu/library.h"

NNRT__FN void nnrt__rknpu_symbols(void *handle, nnrt__rknn_api *api) {
#define NNRT__RKNN_SYMBOL(symbol, slot, result, parameters, need) {#symbol, offsetof(nnrt__rknn_api, slot)},
    /* clang-format off */
    static const nnrt__library_symbol symbols[] = {NNRT__RKNN_FUNCTIONS(NNRT__RKNN_SYMBOL)};
    /* clang-format on */
#undef NNRT__RKNN_SYMBOL
    nnrt__library_functions(handle, symbols, NNRT__COUNT_OF(symbols), api);
}

/* search->take: the library is loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_take(void *user, const char *name, void *handle) {
    nnrt__rknpu_library *library = (nnrt__rknpu_library *)user;
    nnrt__rknn_probe probe;
    void *symbol = dlsym(handle, "rknn_set_input_shape");
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "%s", name);
    nnrt__rknpu_symbols(handle, &library->api);
    probe.set_input_shape = symbol != NULL;
    nnrt__library_function(handle, "rknn_matmul_create_dyn_shape", &probe.matmul_create_dyn_shape);
    return nnrt__rknpu_library_finish(library, &probe, nnrt__library_stand_in(handle, "nnrt_rknpu_node"),
                                      nnrt__library_stand_in(handle, "nnrt_rknpu_chip"));
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_open(nnrt__rknpu_library *library) {
    static const char *const names[] = {"librknnrt.so", "librknn_api.so", "librknnmrt.so", NULL};
    static const char *const folders[] = {"/oem/usr/lib", NULL}; /* on Luckfox boards, not in the loader's path */
    nnrt__library_search search;
    search.variable = "NNRT_RKNPU_LIBRARY";
    search.names = names;
    search.folders = folders;
    search.absent = "no runtime of Rockchip: librknnrt.so and librknnmrt.so are not where the loader looks "
                    "(LD_LIBRARY_PATH, /usr/lib) nor in /oem/usr/lib, and NNRT_RKNPU_LIBRARY names none";
    search.name_size = sizeof(library->name);
    search.take = nnrt__rknpu_library_take;
    search.user = library;
    return nnrt__library_find(&search);
}

#endif /* NNRT_RKNPU_LIBRARY_DLOPEN_H */
