/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/library_dlopen.h - finds libdnn at run time; a piece of library.h.   >>bpu_library_dlopen

   libdnn.so has this name on every board, but another folder on each: the loader's folders are tried, then those. It
   loads its dependencies: with UCP its handle also gives the functions of libhbucp.so. A program that is linked with it
   uses its own. */
#ifndef NNRT_BPU_LIBRARY_DLOPEN_H
#define NNRT_BPU_LIBRARY_DLOPEN_H

#include "../npu/library.h"

#define NNRT__BPU_VARIABLE "NNRT_BPU_LIBRARY"
#define NNRT__BPU_FOLDERS "/usr/lib", "/usr/lib/hbbpu", "/usr/hobot/lib"

/* The functions of the version, in library->layout. The name of the first that is missing; NULL: all are there. */
NNRT__FN const char *nnrt__bpu_symbols(void *handle, nnrt__bpu_library *library) {
#define NNRT__BPU_SLOT(symbol, slot, result, parameters) {#symbol, offsetof(nnrt__bpu_api, slot)},
    /* clang-format off */
    static const nnrt__library_symbol shared[] = {NNRT__BPU_SHARED_SYMBOLS(NNRT__BPU_SLOT)};
    static const nnrt__library_symbol dnn[] = {NNRT__BPU_DNN_SYMBOLS(NNRT__BPU_SLOT)};
    static const nnrt__library_symbol dnn_optional[] = {NNRT__BPU_DNN_OPTIONAL(NNRT__BPU_SLOT)};
    static const nnrt__library_symbol ucp[] = {NNRT__BPU_UCP_SYMBOLS(NNRT__BPU_SLOT)};
    static const nnrt__library_symbol ucp_optional[] = {NNRT__BPU_UCP_OPTIONAL(NNRT__BPU_SLOT)};
    /* clang-format on */
#undef NNRT__BPU_SLOT
    const bool is_ucp = library->layout->is_ucp != 0;
    const nnrt__library_symbol *needed = is_ucp ? ucp : dnn;
    const size_t count = is_ucp ? NNRT__COUNT_OF(ucp) : NNRT__COUNT_OF(dnn);
    const char *missing;
    nnrt__library_functions(handle, shared, NNRT__COUNT_OF(shared), &library->api);
    nnrt__library_functions(handle, needed, count, &library->api);
    if (is_ucp) nnrt__library_functions(handle, ucp_optional, NNRT__COUNT_OF(ucp_optional), &library->api);
    else nnrt__library_functions(handle, dnn_optional, NNRT__COUNT_OF(dnn_optional), &library->api);
    missing = nnrt__library_missing(shared, NNRT__COUNT_OF(shared), &library->api);
    return missing != NULL ? missing : nnrt__library_missing(needed, count, &library->api);
}

/* The march that the name of the runtime below libdnn implies; NULL: none, or several. */
NNRT__FN const char *nnrt__bpu_runtime_march(void) {
    void *runtime = dlopen("libhbrt_bernoulli_aarch64.so", RTLD_NOW | RTLD_NOLOAD);
    if (runtime == NULL) return NULL;
    (void)dlclose(runtime);
    return "bernoulli2";
}

/* search->take: the library is loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_library_take(void *user, const char *name, void *handle) {
    nnrt__bpu_library *library = (nnrt__bpu_library *)user;
    const char *chip = nnrt__library_stand_in(handle, "nnrt_bpu_chip"), *missing;
    OH_NN_ReturnCode code;
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "%s", name);
    nnrt__format(library->stand_in, sizeof(library->stand_in), "%s", chip != NULL ? chip : "");
    nnrt__library_function(handle, "hbDNNGetVersion", &library->api.version);
    if (library->api.version == NULL)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                          "%.100s is there, and hbDNNGetVersion is not: it is no libdnn.so of Horizon", name);
    code = nnrt__bpu_find_layout(library);
    if (code != OH_NN_SUCCESS) return code;
    missing = nnrt__bpu_symbols(handle, library);
    if (missing != NULL)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%.100s is version %.40s, and %s is not there: %s", name,
                          library->version, missing,
                          strncmp(missing, "hbUCP", 5) == 0 ? "libhbucp.so has to be beside it, of the same release"
                                                            : "it is not as its version says");
    if (chip == NULL) library->march = nnrt__bpu_runtime_march();
    return OH_NN_SUCCESS;
}

/* NNRT_BPU_LIBRARY in the environment names the library, else the functions are the program's own, else libdnn.so is
   looked for. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_library_open(nnrt__bpu_library *library) {
    static const char *const names[] = {"libdnn.so", NULL};
    static const char *const folders[] = {NNRT__BPU_FOLDERS, NULL};
    void *program = dlopen(NULL, RTLD_NOW);
    nnrt__library_search search;
    if (nnrt__library_chosen(NNRT__BPU_VARIABLE) == NULL && program != NULL &&
        dlsym(program, "hbDNNGetVersion") != NULL)
        return nnrt__bpu_library_take(library, "the program", program);
    search.variable = NNRT__BPU_VARIABLE;
    search.names = names;
    search.folders = folders;
    search.absent = "no library of Horizon: libdnn.so is neither where the loader looks (LD_LIBRARY_PATH) nor in "
                    "/usr/lib/hbbpu or /usr/hobot/lib, and NNRT_BPU_LIBRARY names none";
    search.name_size = sizeof(library->name);
    search.take = nnrt__bpu_library_take;
    search.user = library;
    return nnrt__library_find(&search);
}

#endif /* NNRT_BPU_LIBRARY_DLOPEN_H */
