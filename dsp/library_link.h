/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/library_link.h - libdsp linked into the program; a piece of library.h.   >>dsp_library_link

   As nnie/library_link.h. The functions are weak: a program for a chip without a DSP links, and finds none. */
#ifndef NNRT_DSP_LIBRARY_LINK_H
#define NNRT_DSP_LIBRARY_LINK_H

#define NNRT__DSP_WEAK(symbol) __asm__(symbol) __attribute__((weak))

#ifdef __cplusplus
extern "C" {
#endif

int32_t nnrt__dsp_link_power_on(uint32_t core) NNRT__DSP_WEAK("HI_MPI_SVP_DSP_PowerOn");
int32_t nnrt__dsp_link_power_off(uint32_t core) NNRT__DSP_WEAK("HI_MPI_SVP_DSP_PowerOff");
int32_t nnrt__dsp_link_load_image(const char *path, uint32_t memory) NNRT__DSP_WEAK("HI_MPI_SVP_DSP_LoadBin");
int32_t nnrt__dsp_link_enable(uint32_t core) NNRT__DSP_WEAK("HI_MPI_SVP_DSP_EnableCore");
int32_t nnrt__dsp_link_disable(uint32_t core) NNRT__DSP_WEAK("HI_MPI_SVP_DSP_DisableCore");
int32_t nnrt__dsp_link_submit(int32_t *handle, const nnrt__dsp_message *message, uint32_t core, uint32_t priority)
    NNRT__DSP_WEAK("HI_MPI_SVP_DSP_RPC");
int32_t nnrt__dsp_link_query(uint32_t core, int32_t handle, int32_t *finished, int32_t block)
    NNRT__DSP_WEAK("HI_MPI_SVP_DSP_Query");

#ifdef __cplusplus
}
#endif

NNRT__FN OH_NN_ReturnCode nnrt__dsp_library_open(nnrt__dsp_library *library) {
    nnrt__dsp_functions *functions = &library->functions;
    nnrt__format(library->name, sizeof(library->name), "the program");
    functions->power_on = nnrt__dsp_link_power_on;
    functions->power_off = nnrt__dsp_link_power_off;
    functions->load_image = nnrt__dsp_link_load_image;
    functions->enable = nnrt__dsp_link_enable;
    functions->disable = nnrt__dsp_link_disable;
    functions->submit = nnrt__dsp_link_submit;
    functions->query = nnrt__dsp_link_query;
    nnrt__mmz_link(&functions->mmz);
    if (functions->power_on != NULL && functions->power_off != NULL && functions->load_image != NULL &&
        functions->enable != NULL && functions->disable != NULL && functions->submit != NULL &&
        functions->query != NULL) {
        return OH_NN_SUCCESS;
    }
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the program has been linked without libdsp");
}

#undef NNRT__DSP_WEAK

#endif /* NNRT_DSP_LIBRARY_LINK_H */
