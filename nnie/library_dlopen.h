/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/library_dlopen.h - finds the libraries at run time; a piece of library.h.   >>nnie_library_dlopen

   libnnie.so does not name its dependencies but needs all of them when it is loaded: memcpy_s of libsecurec, and in
   later releases memory of libmpi, which needs the audio libraries in turn. So they are loaded before it with global
   symbols, in the order that works; a missing one may not be needed. nnrt already brings libm and libpthread.

   A program that has been linked with the vendor's libraries, as those with a camera are, uses these and loads none. */
#ifndef NNRT_NNIE_LIBRARY_DLOPEN_H
#define NNRT_NNIE_LIBRARY_DLOPEN_H

#include "../npu/library.h"

#define NNRT__NNIE_VARIABLE "NNRT_NNIE_LIBRARY"

/* Fills mmz from everything, because the handle of a library that needs libmpi does not give its symbols. Returns the
   name of the first missing function; NULL: none. */
NNRT__FN const char *nnrt__mmz_symbols(void *everything, nnrt__mmz *mmz) {
#define NNRT__MMZ_SYMBOL(symbol, slot, parameters) {#symbol, offsetof(nnrt__mmz, slot)},
    /* clang-format off */
    static const nnrt__library_symbol symbols[] = {NNRT__MMZ_FUNCTIONS(NNRT__MMZ_SYMBOL)};
    /* clang-format on */
#undef NNRT__MMZ_SYMBOL
    nnrt__library_functions(everything, symbols, NNRT__COUNT_OF(symbols), mmz);
    return nnrt__library_missing(symbols, NNRT__COUNT_OF(symbols), mmz);
}

/* The same for all of api. */
NNRT__FN const char *nnrt__nnie_symbols(void *library, void *everything, nnrt__nnie_api *api) {
#define NNRT__NNIE_SYMBOL(symbol, slot, parameters) {#symbol, offsetof(nnrt__nnie_api, slot)},
    /* clang-format off */
    static const nnrt__library_symbol symbols[] = {NNRT__NNIE_FUNCTIONS(NNRT__NNIE_SYMBOL)};
    static const nnrt__library_symbol media[] = {NNRT__NNIE_MEDIA_FUNCTIONS(NNRT__NNIE_SYMBOL)};
    /* clang-format on */
#undef NNRT__NNIE_SYMBOL
    const char *missing, *no_memory = nnrt__mmz_symbols(everything, &api->mmz);
    nnrt__library_functions(library, symbols, NNRT__COUNT_OF(symbols), api);
    nnrt__library_functions(everything, media, NNRT__COUNT_OF(media), api);
    missing = nnrt__library_missing(symbols, NNRT__COUNT_OF(symbols), api);
    return missing != NULL ? missing : no_memory;
}

/* search->take: the library is loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_library_take(void *user, const char *name, void *handle) {
    nnrt__nnie_library *library = (nnrt__nnie_library *)user;
    void *everything = dlopen(NULL, RTLD_NOW);
    void *other = dlsym(handle, "hi_mpi_svp_nnie_load_model");
    const char *missing;
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "%s", name);
    missing = nnrt__nnie_symbols(handle, everything != NULL ? everything : handle, &library->api);
    nnrt__nnie_set_node(library, nnrt__library_stand_in(handle, "nnrt_nnie_node"));
    if (missing == NULL) return OH_NN_SUCCESS;
    if (other != NULL)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                          "%.100s has other functions, those of Hi3531DV200, and none of Hi3516CV500, Hi3519AV100 and "
                          "Hi3559AV100: nnrt cannot use it",
                          name);
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%.100s is there, and %s is not: %s", name, missing,
                      strncmp(missing, "HI_MPI_SYS", 10) == 0 ? "libmpi.so has to be beside it, of the same SDK"
                                                              : "it is no libnnie.so");
}

/* Loads libnnie's dependencies, with global symbols, from folder ("DIR/"; "": the loader's folders). */
NNRT__FN void nnrt__nnie_load_needed(const char *folder) {
    static const char *const names[] = {"libsecurec.so", "libupvqe.so", "libdnvqe.so", "libVoiceEngine.so",
                                        "libmpi.so"};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(names); i++) {
        char path[300];
        nnrt__format(path, sizeof(path), "%s%s", folder, names[i]);
        if (dlopen(path, RTLD_NOW | RTLD_GLOBAL) == NULL) (void)dlerror();
    }
}

/* For libnnie and libdsp. search->variable in the environment names the library, else the functions are the program's
   own if it has symbol, else the library is searched in the loader's folders. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_library_search(const nnrt__library_search *search, const char *symbol) {
    const char *chosen = nnrt__library_chosen(search->variable);
    void *program = dlopen(NULL, RTLD_NOW);
    char folder[256];
    if (chosen == NULL && program != NULL && dlsym(program, symbol) != NULL)
        return search->take(search->user, "the program", program);
    nnrt__library_folder(chosen, folder, sizeof(folder));
    nnrt__nnie_load_needed(folder);
    return nnrt__library_find(search);
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_library_open(nnrt__nnie_library *library) {
    static const char *const names[] = {"libnnie.so", NULL};
    static const char *const folders[] = {NULL};
    const nnrt__library_search search = {
        NNRT__NNIE_VARIABLE,
        names,
        folders,
        "no library of HiSilicon: libnnie.so is not where the loader looks (LD_LIBRARY_PATH, /usr/lib), and "
        "NNRT_NNIE_LIBRARY names none",
        sizeof(library->name),
        nnrt__nnie_library_take,
        library};
    return nnrt__nnie_library_search(&search, "HI_MPI_SVP_NNIE_LoadModel");
}

#endif /* NNRT_NNIE_LIBRARY_DLOPEN_H */
