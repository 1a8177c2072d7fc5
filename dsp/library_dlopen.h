/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/library_dlopen.h - finds libdsp at run time; a piece of library.h.   >>dsp_library_dlopen

   libdsp.so uses memcpy_s of libsecurec.so and does not name it, as libnnie.so does; the same libraries are loaded
   before it, and its memory is libmpi's. */
#ifndef NNRT_DSP_LIBRARY_DLOPEN_H
#define NNRT_DSP_LIBRARY_DLOPEN_H

#define NNRT__DSP_VARIABLE "NNRT_DSP_LIBRARY"

/* search->take: the library is loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_library_take(void *user, const char *name, void *handle) {
#define NNRT__DSP_SYMBOL(symbol, slot, parameters) {#symbol, offsetof(nnrt__dsp_functions, slot)},
    /* clang-format off */
    static const nnrt__library_symbol symbols[] = {NNRT__DSP_FUNCTIONS(NNRT__DSP_SYMBOL)};
    /* clang-format on */
#undef NNRT__DSP_SYMBOL
    nnrt__dsp_library *library = (nnrt__dsp_library *)user;
    void *everything = dlopen(NULL, RTLD_NOW);
    const char *missing;
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "%s", name);
    nnrt__library_functions(handle, symbols, NNRT__COUNT_OF(symbols), &library->functions);
    missing = nnrt__library_missing(symbols, NNRT__COUNT_OF(symbols), &library->functions);
    if (missing != NULL) {
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%.100s is there, and %s is not: it is no libdsp.so", name,
                          missing);
    }
    missing = nnrt__mmz_symbols(everything != NULL ? everything : handle, &library->functions.mmz);
    if (missing == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                      "%.100s is there, and %s is not: libmpi.so has to be beside it, of the same SDK", name, missing);
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_library_open(nnrt__dsp_library *library) {
    static const char *const names[] = {"libdsp.so", NULL};
    static const char *const folders[] = {NULL};
    const nnrt__library_search search = {
        NNRT__DSP_VARIABLE,
        names,
        folders,
        "no DSP library of HiSilicon: libdsp.so is not where the loader looks (LD_LIBRARY_PATH, /usr/lib), and "
        "NNRT_DSP_LIBRARY names none",
        sizeof(library->name),
        nnrt__dsp_library_take,
        library};
    return nnrt__nnie_library_search(&search, "HI_MPI_SVP_DSP_PowerOn");
}

#endif /* NNRT_DSP_LIBRARY_DLOPEN_H */
