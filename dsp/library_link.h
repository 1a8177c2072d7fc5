/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/library_link.h - libdsp linked into the program; a piece of library.h.   >>dsp_library_link

   As nnie/library_link.h. The functions are weak: a program for a chip without a DSP links, and finds none. */
#ifndef NNRT_DSP_LIBRARY_LINK_H
#define NNRT_DSP_LIBRARY_LINK_H

#define NNRT__DSP_WEAK(symbol, slot, parameters) \
    int32_t nnrt__dsp_link_##slot parameters __asm__(#symbol) __attribute__((weak));
#define NNRT__DSP_TAKE(symbol, slot, parameters) functions->slot = nnrt__dsp_link_##slot;
#define NNRT__DSP_IS_THERE(symbol, slot, parameters) &&functions->slot != NULL

#ifdef __cplusplus
extern "C" {
#endif

NNRT__DSP_FUNCTIONS(NNRT__DSP_WEAK)

#ifdef __cplusplus
}
#endif

NNRT__FN OH_NN_ReturnCode nnrt__dsp_library_open(nnrt__dsp_library *library) {
    nnrt__dsp_functions *functions = &library->functions;
    nnrt__format(library->name, sizeof(library->name), "the program");
    NNRT__DSP_FUNCTIONS(NNRT__DSP_TAKE)
    nnrt__mmz_link(&functions->mmz);
    if (true NNRT__DSP_FUNCTIONS(NNRT__DSP_IS_THERE)) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the program has been linked without libdsp");
}

#undef NNRT__DSP_IS_THERE
#undef NNRT__DSP_TAKE
#undef NNRT__DSP_WEAK

#endif /* NNRT_DSP_LIBRARY_LINK_H */
